//! From the parts of an XML file to a document: resolves references and parses texts.
//!
//! Parsing comes after all fragments are in the source map and can be repeated with another dialect, which is how
//! the dialect is found out. What is reported here goes to the reader's diagnostics, so that the two attempts are
//! judged by all that is wrong with them.

use std::collections::{HashMap, HashSet};

use tourbillon_base::{Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use tourbillon_syntax::tree::{Edge, ExprKind, Item, Location, Model, Name, Template};
use tourbillon_syntax::{Dialect, Reader};

use super::elements::{Elements, short, span};
use super::outline::outline;
use super::parts::{LocationOutline, Outline, QueryOutline, Reference, TemplateOutline, TransitionOutline};
use crate::codes;
use crate::document::{DocumentQuery, QueryOption, Sections};
use crate::layout::{EdgeLayout, Label, LabelKind, Layout, TemplateLayout};

/// What an XML file holds, before its text is parsed.
#[derive(Debug)]
pub(crate) struct Contents {
    outline: Outline,
}

/// Reads an XML file that was added to the sources, and adds the fragments in it.
pub(crate) fn read(file: SourceId, sources: &mut SourceMap, out: &mut Diagnostics) -> Contents {
    let elements = Elements::read(sources.text(file), file, out);
    Contents { outline: outline(&elements, file, sources, out) }
}

impl Contents {
    /// The sections and the options, which are not parsed.
    pub(crate) fn into_rest(self) -> (Sections, Vec<QueryOption>) {
        (self.outline.sections, self.outline.options)
    }

    pub(crate) fn parse<'a>(
        &self,
        sources: &'a SourceMap,
        dialect: Dialect,
        reader: &mut Reader<'a>,
    ) -> (Model, Layout, Vec<DocumentQuery>) {
        let Outline { sections, templates, queries, .. } = &self.outline;
        let mut parser = Parser { sources, reader, words: Reader::new(sources, dialect) };
        let mut model = Model::default();
        let mut layout = Layout::default();
        if let Some(declaration) = sections.declaration {
            model.items.extend(parser.reader.declarations(declaration).into_iter().map(Item::Decl));
        }
        for template in templates {
            let (template, drawn) = parser.template(template);
            model.items.push(Item::Template(template));
            layout.templates.push(drawn);
        }
        for section in [sections.instantiation, sections.system].into_iter().flatten() {
            model.items.extend(parser.system(section));
        }
        if let Some(system) = sections.system {
            parser.check_system(&model, system);
        }
        let queries = queries.iter().map(|query| parser.query(query)).collect();
        (model, layout, queries)
    }
}

struct Parser<'a, 'b> {
    sources: &'a SourceMap,
    reader: &'b mut Reader<'a>,
    /// Tells which words can be names; what it reports is not shown.
    words: Reader<'a>,
}

impl Parser<'_, '_> {
    fn template(&mut self, outline: &TemplateOutline) -> (Template, TemplateLayout) {
        let mut layout = outline.layout.clone();
        let ends = self.ends(outline, &mut layout);
        let name = self.template_name(outline);
        let mut template = Template {
            name,
            params: layout.parameter.map(|text| self.reader.parameters(text)).unwrap_or_default(),
            declarations: layout.declaration.map(|text| self.reader.declarations(text)).unwrap_or_default(),
            locations: Vec::new(),
            branchpoints: ends.branchpoints.clone(),
            committed: Vec::new(),
            urgent: Vec::new(),
            init: self.init(outline, &ends),
            edges: Vec::new(),
            span: outline.head,
        };
        for ((location, drawn), &name) in outline.locations.iter().zip(&layout.locations).zip(&ends.locations)
        {
            template.locations.push(self.location(location, &drawn.labels, name));
            template.urgent.extend(location.urgent.map(|span| Name { span, ..name }));
            template.committed.extend(location.committed.map(|span| Name { span, ..name }));
        }
        for transition in &outline.transitions {
            if let Some(edge) = self.edge(transition, &ends) {
                template.edges.push(edge);
                layout.edges.push(EdgeLayout::clone(&transition.layout));
            }
        }
        (template, layout)
    }

    fn template_name(&mut self, outline: &TemplateOutline) -> Name {
        let text = outline.name.filter(|&name| !self.sources.text(name).trim().is_empty());
        match text {
            Some(text) => self.name(text, "template"),
            None => {
                self.error(codes::MISSING_NAME, outline.head, "this template has no name");
                Name { symbol: self.reader.tree.intern(""), span: outline.head }
            }
        }
    }

    /// The name that a text is. A text that is none is taken as it is.
    fn name(&mut self, text: SourceId, what: &str) -> Name {
        let word = self.sources.text(text);
        let (start, end) = (word.len() - word.trim_start().len(), word.trim_end().len());
        let span = span(text, start..end);
        let word = &word[start..end];
        let errors = self.words.diagnostics.error_count();
        let parsed = self.words.guard(text);
        let is_name = parsed.is_some_and(|expr| {
            let ExprKind::Name(symbol) = self.words.tree[expr].kind else { return false };
            self.words.tree.text(symbol) == word
        });
        if !is_name || self.words.diagnostics.error_count() > errors {
            let message = format!("`{}` cannot be the name of a {what}", short(word));
            let help = "a name has letters, digits and underscores, starts with no digit and is no keyword";
            self.reader.diagnostics.push(Diagnostic::error(codes::BAD_NAME, span, message).help(help));
        }
        Name { symbol: self.reader.tree.intern(word), span }
    }

    /// The names of locations and branch points. Missing ids are made up.
    fn ends(&mut self, outline: &TemplateOutline, layout: &mut TemplateLayout) -> TransitionEnds {
        let mut taken = HashSet::new();
        let mut locations = Vec::new();
        for location in &outline.locations {
            let name = location.name.map(|name| self.name(name, "location"));
            taken.extend(name.map(|name| self.reader.tree.name(name).to_owned()));
            locations.push(name);
        }
        let mut ids = Ids::new(layout);
        let mut by_id = HashMap::new();
        let mut resolved = Vec::new();
        for ((named, outline), drawn) in
            locations.into_iter().zip(&outline.locations).zip(&mut layout.locations)
        {
            ids.complete(&mut drawn.id);
            let name = named.unwrap_or_else(|| self.made_up(&drawn.id, outline.head, &mut taken));
            self.register(&mut by_id, &drawn.id, TransitionEnd { name, location: true }, outline.head);
            resolved.push(name);
        }
        let mut branchpoints = Vec::new();
        for (&head, drawn) in outline.branchpoints.iter().zip(&mut layout.branchpoints) {
            ids.complete(&mut drawn.id);
            let name = self.made_up(&drawn.id, head, &mut taken);
            self.register(&mut by_id, &drawn.id, TransitionEnd { name, location: false }, head);
            branchpoints.push(name);
        }
        TransitionEnds { locations: resolved, branchpoints, by_id }
    }

    fn register(
        &mut self,
        by_id: &mut HashMap<String, TransitionEnd>,
        id: &str,
        end: TransitionEnd,
        head: Span,
    ) {
        if let Some(first) = by_id.get(id) {
            let message = format!("the id `{}` is used twice in this template", short(id));
            let diagnostic = Diagnostic::error(codes::DUPLICATE_ID, head, message);
            self.reader.diagnostics.push(diagnostic.label(first.name.span, "it is used first here"));
            return;
        }
        by_id.insert(id.to_owned(), end);
    }

    /// The name of something that has only an id: `_` and the id.
    fn made_up(&mut self, id: &str, head: Span, taken: &mut HashSet<String>) -> Name {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = std::iter::once('_').chain(id.chars().map(clean)).collect();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        Name { symbol: self.reader.tree.intern(&name), span: head }
    }

    fn init(&mut self, outline: &TemplateOutline, ends: &TransitionEnds) -> Option<Name> {
        let Some(reference) = &outline.init else {
            self.error(codes::MISSING_INIT, outline.head, "this template has no initial location");
            return None;
        };
        match ends.by_id.get(&reference.id) {
            Some(end) if end.location => Some(Name { span: reference.span, ..end.name }),
            Some(_) => {
                self.error(
                    codes::MISSING_INIT,
                    reference.span,
                    "a branch point cannot be the initial location",
                );
                None
            }
            None => {
                self.dangling(reference);
                None
            }
        }
    }

    fn dangling(&mut self, reference: &Reference) {
        let message = format!("no location of this template has the id `{}`", short(&reference.id));
        self.error(codes::DANGLING_REFERENCE, reference.span, message);
    }

    fn location(&mut self, outline: &LocationOutline, labels: &[Label], name: Name) -> Location {
        let invariant = text_of(labels, &LabelKind::Invariant);
        let rate = text_of(labels, &LabelKind::ExponentialRate);
        Location {
            name,
            invariant: invariant.and_then(|text| self.reader.invariant(text)),
            rate: rate.and_then(|text| self.reader.rate(text)),
            span: outline.head,
        }
    }

    /// An edge; none if it has no ends, which is reported.
    fn edge(&mut self, outline: &TransitionOutline, ends: &TransitionEnds) -> Option<Edge> {
        let source = self.end(outline.source.as_ref(), "source", outline.head, ends);
        let target = self.end(outline.target.as_ref(), "target", outline.head, ends);
        let text = |kind| text_of(&outline.layout.labels, &kind);
        let reader = &mut *self.reader;
        let select = text(LabelKind::Select).map(|text| reader.select(text)).unwrap_or_default();
        let guard = text(LabelKind::Guard).and_then(|text| reader.guard(text));
        let sync = text(LabelKind::Synchronisation).and_then(|text| reader.synchronisation(text));
        let assign = text(LabelKind::Assignment).map(|text| reader.assignments(text)).unwrap_or_default();
        let probability = text(LabelKind::Probability).and_then(|text| reader.rate(text));
        Some(Edge {
            source: source?,
            target: target?,
            controllable: outline.controllable,
            select,
            guard,
            sync,
            assign,
            probability,
            span: outline.head,
        })
    }

    fn end(
        &mut self,
        reference: Option<&Reference>,
        what: &str,
        head: Span,
        ends: &TransitionEnds,
    ) -> Option<Name> {
        let Some(reference) = reference else {
            self.error(codes::MISSING_END, head, format!("this transition has no {what}"));
            return None;
        };
        let found = ends.by_id.get(&reference.id).map(|end| Name { span: reference.span, ..end.name });
        if found.is_none() {
            self.dangling(reference);
        }
        found
    }

    /// The items of an instantiation or system section.
    fn system(&mut self, section: SourceId) -> Vec<Item> {
        let mut items = self.reader.system(section).items;
        items.retain(|item| {
            let (span, what) = match item {
                Item::Template(template) => (template.name.span, "process"),
                Item::Query(query) => (query.span, "query"),
                _ => return true,
            };
            let message = format!("a `{what}` block stands in the text of an XML file");
            let diagnostic = Diagnostic::error(codes::TEXTUAL_ITEM, span, message);
            self.reader.diagnostics.push(diagnostic.help("make it an element of the file"));
            false
        });
        items
    }

    /// A model without a system line, of which nothing else explains why.
    fn check_system(&mut self, model: &Model, section: SourceId) {
        let found = model.items.iter().any(|item| matches!(item, Item::System(_)));
        if !found && !self.reader.diagnostics.has_errors() {
            let span = span(section, 0..self.sources.text(section).len());
            let message = "the system line is missing";
            let diagnostic = Diagnostic::error(codes::MISSING_SYSTEM, span, message);
            self.reader
                .diagnostics
                .push(diagnostic.help("end this section with `system` and the processes that run"));
        }
    }

    fn query(&mut self, outline: &QueryOutline) -> DocumentQuery {
        let QueryOutline { formula, comment, options, expect, results } = outline;
        DocumentQuery {
            query: self.reader.query(*formula),
            formula: span(*formula, 0..self.sources.text(*formula).len()),
            comment: comment.clone(),
            options: options.clone(),
            expect: expect.clone(),
            results: results.clone(),
        }
    }

    fn error(&mut self, code: tourbillon_base::Code, span: Span, message: impl Into<String>) {
        self.reader.diagnostics.push(Diagnostic::error(code, span, message));
    }
}

/// What transitions can lead to.
struct TransitionEnds {
    locations: Vec<Name>,
    branchpoints: Vec<Name>,
    by_id: HashMap<String, TransitionEnd>,
}

#[derive(Clone, Copy)]
struct TransitionEnd {
    name: Name,
    location: bool,
}

/// Ids for those that lack one.
struct Ids {
    taken: HashSet<String>,
    next: usize,
}

impl Ids {
    fn new(layout: &TemplateLayout) -> Self {
        let locations = layout.locations.iter().map(|location| location.id.clone());
        let taken = locations.chain(layout.branchpoints.iter().map(|branchpoint| branchpoint.id.clone()));
        Self { taken: taken.collect(), next: 0 }
    }

    fn complete(&mut self, id: &mut String) {
        while id.is_empty() {
            let fresh = format!("id{}", self.next);
            self.next += 1;
            if self.taken.insert(fresh.clone()) {
                *id = fresh;
            }
        }
    }
}

/// The text of the first label of a kind.
fn text_of(labels: &[Label], kind: &LabelKind) -> Option<SourceId> {
    labels.iter().find(|label| label.kind == *kind)?.text
}
