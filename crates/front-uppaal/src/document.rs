//! A UPPAAL file as data: syntax tree, layout, and source text.
//!
//! A [`Document`] owns everything: the sources with their decoded text, the tree that all expressions and names
//! live in, the model, the layout and the queries. One load makes one [`SourceMap`] and one [`Tree`], so a span or
//! an expression of any part can be resolved with what stands beside it, and a document can be moved, kept and
//! dropped as one value. Files of queries that belong to a model are read into the same document
//! ([`load_queries`](crate::load_queries)): their expressions share the names of the model's.
//!
//! The model is the same whatever the format: items in the order declarations, templates, instances, system. For
//! an XML file that is the order of its sections; the text of each section is kept in [`Sections`], so writing the
//! document as XML again loses no comment. Queries are never items: those of a textual model are moved to
//! [`Document::queries`].

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use tourbillon_base::{SourceId, SourceMap, Span};
use tourbillon_model::Overflow;
use tourbillon_syntax::tree::{ExpectedOutcome, Item, Model, Query, Template, Tree};
use tourbillon_syntax::{Dialect, sexpr};

use crate::annotation;
use crate::layout::{Chart, Label, Layout, Point};

/// What kind of file a document is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `.xml`.
    Xml,
    /// `.xta` or `.ta`: a textual model.
    Xta,
    /// `.q`: queries alone.
    Queries,
}

#[derive(Clone, Debug)]
pub struct Document {
    /// What kind of file it was read from.
    pub format: Format,
    /// The dialect that its text was read in.
    pub dialect: Dialect,
    /// The file, its fragments, and files of queries that were read into the document.
    pub sources: SourceMap,
    pub file: SourceId,
    /// The expressions and names of everything below.
    pub tree: Tree,
    /// What the model is.
    pub model: Model,
    /// How it is drawn.
    pub layout: Layout,
    /// The sections of an XML file.
    pub sections: Sections,
    /// Options for all queries.
    pub options: Vec<QueryOption>,
    /// The queries in the file.
    pub queries: Vec<DocumentQuery>,
    /// What an annotation says about results that exceed 32 bits; nothing if there is none.
    pub overflow: Option<Overflow>,
}

/// The texts of an XML file outside templates, as they were read; all absent for other files.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sections {
    /// `<imports>`: no part of the model.
    pub imports: Option<SourceId>,
    /// The global `<declaration>`.
    pub declaration: Option<SourceId>,
    /// `<instantiation>`.
    pub instantiation: Option<SourceId>,
    /// `<system>`.
    pub system: Option<SourceId>,
    /// The live sequence charts: no part of the model.
    pub charts: Vec<Chart>,
}

/// A query with what a file says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct DocumentQuery {
    pub query: Query,
    /// Its text as it was read.
    pub formula: Span,
    /// What it is about, without the marks of a comment.
    pub comment: Option<String>,
    /// Options for this query.
    pub options: Vec<QueryOption>,
    /// What it should answer.
    pub expect: Option<QueryExpectation>,
    /// What it answered earlier.
    pub results: Vec<QueryResult>,
}

/// An option of the verifier: `--search-order`, `0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryOption {
    pub key: String,
    pub value: String,
}

/// What a query should answer, in the words of an XML file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct QueryExpectation {
    /// `success`, `failure`, `maybe_true`, `maybe_false`; `error` from a file of queries.
    pub outcome: Option<String>,
    /// `symbolic`, `probability`, `value`.
    pub kind: Option<String>,
    pub value: Option<String>,
    /// What it may cost.
    pub resources: Vec<Resource>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// `time`, `memory`.
    pub kind: String,
    pub value: String,
    /// Of what: `s`, `MB`.
    pub unit: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryResult {
    /// `success` or `failure`.
    pub outcome: Option<String>,
    /// `quality` or `quantity`.
    pub kind: Option<String>,
    pub value: Option<String>,
    /// When it was found.
    pub timestamp: Option<String>,
    /// The options it was found with.
    pub options: Vec<QueryOption>,
    /// The whole element, in the file: plots and details are not looked into.
    pub span: Span,
}

impl QueryExpectation {
    #[must_use]
    pub fn answer(&self) -> Option<ExpectedOutcome> {
        let number = || self.value.as_ref()?.trim().parse().ok().filter(|value: &f64| value.is_finite());
        match self.outcome.as_deref() {
            Some("success") => Some(ExpectedOutcome::True),
            Some("failure") => Some(ExpectedOutcome::False),
            Some("maybe_true") => Some(ExpectedOutcome::MaybeTrue),
            Some("maybe_false") => Some(ExpectedOutcome::MaybeFalse),
            Some("error") => Some(ExpectedOutcome::Error),
            _ => number().map(ExpectedOutcome::Value),
        }
    }
}

/// The templates of a model, in order.
pub fn templates(model: &Model) -> impl Iterator<Item = &Template> {
    model.items.iter().filter_map(|item| match item {
        Item::Template(template) => Some(template),
        _ => None,
    })
}

impl Document {
    /// A document without anything, of which the file is this text.
    #[must_use]
    pub fn empty(format: Format, name: &str, text: impl Into<String>) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add_file(name, text);
        Self {
            format,
            dialect: Dialect::New,
            sources,
            file,
            tree: Tree::new(),
            model: Model::default(),
            layout: Layout::default(),
            sections: Sections::default(),
            options: Vec::new(),
            queries: Vec::new(),
            overflow: None,
        }
    }

    /// The templates, in order.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        templates(&self.model)
    }

    /// Gives a position to everything that has none.
    pub fn arrange(&mut self) {
        self.layout = crate::layout::arrange(self);
    }

    /// The same; `None`, without a change, if it is stopped before it has finished.
    pub fn arrange_until(&mut self, stop: &AtomicBool) -> Option<()> {
        self.layout = crate::layout::arrange_until(self, stop)?;
        Some(())
    }

    /// Where the first comment in the text of the model stands that is no annotation, if there is one.
    pub(crate) fn first_comment(&self) -> Option<Span> {
        let find = |source: SourceId| {
            let text = self.sources.text(source);
            let found = annotation::comments(text, source).into_iter();
            let mut lost = found.filter(|comment| !annotation::is_annotation(&text[comment.range()]));
            lost.next().map(|comment| Span::new(source, comment.start, comment.start + 2))
        };
        let sections = [self.sections.declaration, self.sections.instantiation, self.sections.system];
        let templates = self.layout.templates.iter().flat_map(|layout| {
            let locations = layout.locations.iter().flat_map(|location| &location.labels);
            let labels = locations.chain(layout.edges.iter().flat_map(|edge| &edge.labels));
            let labels = labels.filter(|label| label.kind.is_of_tree()).map(|label| label.text);
            [layout.parameter, layout.declaration].into_iter().chain(labels)
        });
        let file = (self.format == Format::Xta).then_some(self.file);
        std::iter::once(file).chain(sections).chain(templates).flatten().find_map(find)
    }

    /// The shape of the model and of its queries, without spans, layout, dialect and format.
    #[must_use]
    pub fn model_outline(&self) -> String {
        let mut out = sexpr::model(&self.tree, &self.model);
        for query in &self.queries {
            out += &sexpr::query(&self.tree, &query.query);
            out.push('\n');
        }
        out
    }

    /// Everything in the document but spans, dialect and format, as text: two documents are equal if their
    /// outlines are. Text that the tree was read from counts by its shape, other text as it is.
    #[must_use]
    pub fn outline(&self) -> String {
        let mut out = self.model_outline();
        for (template, layout) in self.templates().zip(&self.layout.templates) {
            let (name, parameter) = (point(layout.name_position), point(layout.parameter_position));
            let _ = writeln!(out, "(template {} {name} {parameter})", self.tree.name(template.name));
            for location in &layout.locations {
                let (at, name) = (point(location.position), point(location.name_position));
                let (id, anonymous, colour) = (&location.id, location.anonymous, &location.colour);
                let labels = self.labels(&location.labels);
                let _ = writeln!(out, "(location {id:?} {anonymous} {at} {name} {colour:?}{labels})");
            }
            for branchpoint in &layout.branchpoints {
                let (id, at, colour) = (&branchpoint.id, point(branchpoint.position), &branchpoint.colour);
                let _ = writeln!(out, "(branchpoint {id:?} {at} {colour:?})");
            }
            for edge in &layout.edges {
                let (id, action, colour) = (&edge.id, &edge.action, &edge.colour);
                let nails: Vec<String> = edge.nails.iter().map(|&nail| point(Some(nail))).collect();
                let (labels, nails) = (self.labels(&edge.labels), nails.join(" "));
                let _ = writeln!(out, "(edge {id:?} {action:?} {colour:?} [{nails}]{labels})");
            }
        }
        if let Some(imports) = self.sections.imports {
            let _ = writeln!(out, "(imports {:?})", self.sources.text(imports));
        }
        for chart in &self.sections.charts {
            let _ = writeln!(out, "(lsc {:?})", self.sources.snippet(chart.span));
        }
        let _ = writeln!(out, "(options {:?})", self.options);
        for query in &self.queries {
            self.query_outline(query, &mut out);
        }
        out
    }

    fn labels(&self, labels: &[Label]) -> String {
        let mut out = String::new();
        for label in labels {
            let (kind, at, colour) = (label.kind.word(), point(label.position), &label.colour);
            let own = label.text.filter(|_| !label.kind.is_of_tree());
            let text = own.map(|text| self.sources.text(text));
            let _ = write!(out, " (label {kind:?} {at} {colour:?} {text:?})");
        }
        out
    }

    fn query_outline(&self, query: &DocumentQuery, out: &mut String) {
        let DocumentQuery { comment, options, expect, .. } = query;
        let _ = writeln!(out, "(query {comment:?} {options:?} {expect:?}");
        for result in &query.results {
            let _ = writeln!(out, "  (result {:?})", self.sources.snippet(result.span));
        }
    }
}

fn point(point: Option<Point>) -> String {
    point.map_or_else(|| "-".to_owned(), |Point { x, y }| format!("{x},{y}"))
}
