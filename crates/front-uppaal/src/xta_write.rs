//! A document as a textual model.
//!
//! Everything that a model means can be written as text; what it looks like and what was remarked about it cannot,
//! and is told: each comment and piece of test code by itself, positions and colours once.

use tourbillon_base::{Diagnostic, Diagnostics, Span};
use tourbillon_syntax::print;
use tourbillon_syntax::tree::{Item, Query, QueryKind};

use crate::annotation;
use crate::codes;
use crate::document::{Document, Format};
use crate::layout::Label;
use crate::text::ERROR_MARK;

/// How to write a textual model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XtaOptions {
    /// Whether the queries follow the system as `query { … }`. Tools that do not know these want the queries in a
    /// file of their own: [`write_queries`](crate::write_queries).
    pub queries: bool,
}

impl Default for XtaOptions {
    fn default() -> Self {
        Self { queries: true }
    }
}

/// Writes a document as a textual model, and tells what could not be kept.
#[must_use]
pub fn write_xta(document: &Document, options: XtaOptions) -> (String, Diagnostics) {
    let mut text = document.overflow.map(annotation::line).unwrap_or_default();
    text += print::model(&document.tree, &document.model).trim_start_matches('\n');
    let mut out = Diagnostics::default();
    if text.contains(ERROR_MARK) {
        let message = "a part of the model could not be read and is missing in the output";
        let span = Span::new(document.file, 0, 0);
        out.push(Diagnostic::error(codes::WRITTEN_WITH_ERRORS, span, message));
    }
    report_losses(document, &mut out);
    if options.queries {
        write_embedded(document, &mut text, &mut out);
    }
    (text, out)
}

fn write_embedded(document: &Document, text: &mut String, out: &mut Diagnostics) {
    for query in &document.queries {
        match &query.query.kind {
            QueryKind::Empty => {}
            QueryKind::Error => {
                let message = "this query could not be read and is left out";
                out.push(Diagnostic::error(codes::WRITTEN_WITH_ERRORS, query.formula, message));
            }
            _ => *text += &print::item(&document.tree, &Item::Query(Query::clone(&query.query))),
        }
        let remarks = query.comment.is_some() || query.expect.is_some();
        if remarks || !query.options.is_empty() || !query.results.is_empty() {
            let message = "comments, options, expectations and results of queries are not kept";
            out.push(Diagnostic::warning(codes::LOST_IN_XTA, query.formula, message));
        }
    }
}

fn report_losses(document: &Document, out: &mut Diagnostics) {
    if document.format == Format::Xml {
        let span = Span::new(document.file, 0, 0);
        let message = "positions, colours and ids are not kept in a textual model";
        out.push(Diagnostic::note(codes::LOST_IN_XTA, span, message));
    }
    if let Some(span) = document.first_comment() {
        let message = "comments in the text of the model are not kept";
        out.push(Diagnostic::note(codes::LOST_COMMENTS, span, message));
    }
    for chart in &document.sections.charts {
        let message = "this live sequence chart is not kept";
        out.push(Diagnostic::warning(codes::LOST_IN_XTA, chart.span, message));
    }
    for (template, layout) in document.templates().zip(&document.layout.templates) {
        for (location, drawn) in template.locations.iter().zip(&layout.locations) {
            report_labels(document, &drawn.labels, out);
            if drawn.anonymous {
                let name = document.tree.name(location.name);
                let message = format!("this location without a name is called `{name}`");
                out.push(Diagnostic::note(codes::LOST_IN_XTA, location.span, message));
            }
        }
        for drawn in &layout.edges {
            report_labels(document, &drawn.labels, out);
        }
    }
}

fn report_labels(document: &Document, labels: &[Label], out: &mut Diagnostics) {
    for label in labels.iter().filter(|label| !label.kind.is_of_tree()) {
        if let Some(text) = label.text {
            let length = u32::try_from(document.sources.text(text).len()).unwrap_or(u32::MAX);
            let message = format!("this label of kind `{}` is not kept", label.kind.word());
            out.push(Diagnostic::warning(codes::LOST_IN_XTA, Span::new(text, 0, length), message));
        }
    }
}
