//! The text of sections and labels: as read, or printed from the tree.
//!
//! Text that was read is kept, since only it has the author's comments and line breaks; but the text of the old
//! dialect is printed in the language of today, and what came from no text of its own (a textual model) is printed,
//! too. Whoever changes a tree must therefore drop the text that it was read from.

use std::borrow::Cow;

use tourbillon_base::SourceId;
use tourbillon_syntax::tree::{Edge, Item, Location, QueryKind, Template};
use tourbillon_syntax::{Dialect, print};

use crate::annotation;
use crate::document::{Document, DocumentQuery, Format};
use crate::layout::{Label, LabelKind, TemplateLayout};

/// What the printer puts in place of what could not be read.
pub(crate) const ERROR_MARK: &str = "/* error */";

/// The sections of an XML file outside templates.
#[derive(Debug)]
pub(crate) struct SectionTexts<'a> {
    pub(crate) declaration: Cow<'a, str>,
    pub(crate) instantiation: Option<&'a str>,
    pub(crate) system: Cow<'a, str>,
}

impl Document {
    /// The text of a source, if it can be used as it is.
    fn kept(&self, text: Option<SourceId>) -> Option<&str> {
        text.filter(|_| self.dialect == Dialect::New).map(|text| self.sources.text(text))
    }

    pub(crate) fn section_texts(&self) -> SectionTexts<'_> {
        let (declaration, instantiation) = (self.sections.declaration, self.sections.instantiation);
        if self.dialect == Dialect::New && self.format == Format::Xml {
            return SectionTexts {
                declaration: Cow::Borrowed(self.kept(declaration).unwrap_or("")),
                instantiation: self.kept(instantiation),
                system: Cow::Borrowed(self.kept(self.sections.system).unwrap_or("")),
            };
        }
        let mut declaration = self.overflow.map(annotation::line).unwrap_or_default();
        let mut system = String::new();
        let items = &self.model.items;
        let boundary = items.iter().rposition(|item| matches!(item, Item::Template(_)));
        let boundary = boundary.or_else(|| items.iter().position(|item| !matches!(item, Item::Decl(_))));
        let boundary = boundary.unwrap_or(items.len());
        for (index, item) in items.iter().enumerate() {
            match item {
                Item::Template(_) => {}
                Item::Decl(_) if index < boundary => declaration += &print::item(&self.tree, item),
                _ => system += &print::item(&self.tree, item),
            }
        }
        let system = system.trim_start_matches('\n').to_owned();
        SectionTexts { declaration: Cow::Owned(declaration), instantiation: None, system: Cow::Owned(system) }
    }

    pub(crate) fn parameter_text<'a>(&'a self, template: &Template, layout: &TemplateLayout) -> Cow<'a, str> {
        match self.kept(layout.parameter) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(print::parameters(&self.tree, &template.params)),
        }
    }

    pub(crate) fn declaration_text<'a>(
        &'a self,
        template: &Template,
        layout: &TemplateLayout,
    ) -> Cow<'a, str> {
        match self.kept(layout.declaration) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(print::declarations(&self.tree, &template.declarations)),
        }
    }

    /// The text of a label of a location; empty if there is nothing to say.
    pub(crate) fn location_label_text<'a>(&'a self, location: &Location, label: &Label) -> Cow<'a, str> {
        self.label_text(label, || match label.kind {
            LabelKind::Invariant => location.invariant.map(|expr| print::expr(&self.tree, expr)),
            LabelKind::ExponentialRate => location.rate.map(|expr| print::expr(&self.tree, expr)),
            _ => None,
        })
    }

    /// The text of a label of an edge; empty if there is nothing to say.
    pub(crate) fn edge_label_text<'a>(&'a self, edge: &Edge, label: &Label) -> Cow<'a, str> {
        self.label_text(label, || match label.kind {
            LabelKind::Select => Some(print::binders(&self.tree, &edge.select)),
            LabelKind::Guard => edge.guard.map(|expr| print::expr(&self.tree, expr)),
            LabelKind::Synchronisation => edge.sync.as_ref().map(|sync| print::sync(&self.tree, sync)),
            LabelKind::Assignment => Some(print::exprs(&self.tree, &edge.assign)),
            LabelKind::Probability => edge.probability.map(|expr| print::expr(&self.tree, expr)),
            _ => None,
        })
    }

    fn label_text(&self, label: &Label, printed: impl FnOnce() -> Option<String>) -> Cow<'_, str> {
        let own = label.text.filter(|_| !label.kind.is_of_tree()).map(|text| self.sources.text(text));
        match own.or_else(|| self.kept(label.text)) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(printed().unwrap_or_default()),
        }
    }

    /// The text of a formula. In files of queries lines can be continued, so it is printed.
    pub(crate) fn formula_text(&self, query: &DocumentQuery) -> Cow<'_, str> {
        let as_read = self.format == Format::Xml && self.dialect == Dialect::New;
        match as_read || query.query.kind == QueryKind::Error {
            true => Cow::Borrowed(self.sources.snippet(query.formula)),
            false => Cow::Owned(print::query(&self.tree, &query.query)),
        }
    }
}
