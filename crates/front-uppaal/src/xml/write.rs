//! A document as UPPAAL's XML.
//!
//! The output follows the DTD of version 1.6, with elements in its order. It depends on the document only, so writing
//! what was read from the output gives the same text again. What has no position gets one.

use tourbillon_base::{Diagnostic, Diagnostics, Span};
use tourbillon_syntax::Dialect;
use tourbillon_syntax::tree::{Name, Template};

use super::markup::Markup;
use crate::codes;
use crate::document::{Document, DocumentQuery, Format, QueryExpectation, QueryOption, QueryResult};
use crate::layout::{Label, Layout, Nodes, TemplateLayout, arrange};
use crate::text::ERROR_MARK;

/// Writes a document as XML, and tells what could not be kept.
///
/// ```
/// use tourbillon_front_uppaal::{LoadOptions, load, write_xml};
///
/// let text = b"process P() { state A; init A; } system P;";
/// let (document, _) = load("p.xta", text, &LoadOptions::default());
/// let (xml, diagnostics) = write_xml(&document);
/// assert!(diagnostics.is_empty());
/// assert!(xml.contains("<name>P</name>"), "{xml}");
/// ```
#[must_use]
pub fn write_xml(document: &Document) -> (String, Diagnostics) {
    let layout = arrange(document);
    let mut writer = Writer { document, markup: Markup::file(), diagnostics: Diagnostics::default() };
    writer.document(&layout);
    writer.check_comments();
    (writer.markup.finish(), writer.diagnostics)
}

struct Writer<'a> {
    document: &'a Document,
    markup: Markup,
    diagnostics: Diagnostics,
}

impl Writer<'_> {
    fn document(&mut self, layout: &Layout) {
        let document = self.document;
        self.markup.open("nta", &[]);
        if let Some(imports) = document.sections.imports {
            self.markup.text("imports", &[], document.sources.text(imports));
        }
        let sections = document.section_texts();
        if !sections.declaration.is_empty() {
            self.section("declaration", &sections.declaration);
        }
        for (template, drawn) in document.templates().zip(&layout.templates) {
            self.template(template, drawn);
        }
        for chart in &document.sections.charts {
            self.verbatim("lsc", chart.span);
        }
        if let Some(instantiation) = sections.instantiation {
            self.section("instantiation", instantiation);
        }
        self.section("system", &sections.system);
        if !document.queries.is_empty() || !document.options.is_empty() {
            self.queries();
        }
        self.markup.close("nta");
    }

    fn template(&mut self, template: &Template, layout: &TemplateLayout) {
        let document = self.document;
        self.markup.open("template", &[]);
        self.markup.placed("name", layout.name_position, document.tree.name(template.name));
        let parameter = document.parameter_text(template, layout);
        if !parameter.trim().is_empty() {
            self.check_errors(&parameter);
            self.markup.placed("parameter", layout.parameter_position, &parameter);
        }
        let declaration = document.declaration_text(template, layout);
        if !declaration.is_empty() {
            self.section("declaration", &declaration);
        }
        self.locations(template, layout);
        let nodes = Nodes::new(template);
        self.check_names(template, &nodes);
        if let Some(node) = template.init.and_then(|init| nodes.of(init)) {
            self.markup.empty("init", &[("ref", Some(layout.id(node)))]);
        }
        self.transitions(template, layout, &nodes);
        self.markup.close("template");
    }

    fn locations(&mut self, template: &Template, layout: &TemplateLayout) {
        let document = self.document;
        let marked = |list: &[Name], symbol| list.iter().any(|name| name.symbol == symbol);
        for (location, drawn) in template.locations.iter().zip(&layout.locations) {
            let symbol = location.name.symbol;
            self.markup.open_at(
                "location",
                &[("id", Some(&drawn.id))],
                drawn.position,
                drawn.colour.as_deref(),
            );
            if !drawn.anonymous {
                self.markup.placed("name", drawn.name_position, document.tree.text(symbol));
            }
            for label in &drawn.labels {
                self.label(label, &document.location_label_text(location, label));
            }
            if marked(&template.urgent, symbol) {
                self.markup.empty("urgent", &[]);
            }
            if marked(&template.committed, symbol) {
                self.markup.empty("committed", &[]);
            }
            self.markup.close("location");
        }
        for drawn in &layout.branchpoints {
            let colour = drawn.colour.as_deref();
            self.markup.open_at("branchpoint", &[("id", Some(&drawn.id))], drawn.position, colour);
            self.markup.close("branchpoint");
        }
    }

    fn transitions(&mut self, template: &Template, layout: &TemplateLayout, nodes: &Nodes) {
        for (edge, drawn) in template.edges.iter().zip(&layout.edges) {
            let Some((source, target)) = nodes.ends(edge) else { continue };
            let controllable = (!edge.controllable).then_some("false");
            let attributes = [
                ("id", drawn.id.as_deref()),
                ("controllable", controllable),
                ("action", drawn.action.as_deref()),
                ("color", drawn.colour.as_deref()),
            ];
            self.markup.open("transition", &attributes);
            self.markup.empty("source", &[("ref", Some(layout.id(source)))]);
            self.markup.empty("target", &[("ref", Some(layout.id(target)))]);
            for label in &drawn.labels {
                self.label(label, &self.document.edge_label_text(edge, label));
            }
            for &nail in &drawn.nails {
                self.markup.nail(nail);
            }
            self.markup.close("transition");
        }
    }

    fn label(&mut self, label: &Label, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.check_errors(text);
        self.markup.label(label.kind.word(), label.position, label.colour.as_deref(), text);
    }

    fn queries(&mut self) {
        let document = self.document;
        self.markup.open("queries", &[]);
        self.options(&document.options);
        for query in &document.queries {
            self.query(query);
        }
        self.markup.close("queries");
    }

    fn options(&mut self, options: &[QueryOption]) {
        for QueryOption { key, value } in options {
            self.markup.empty("option", &[("key", Some(key)), ("value", Some(value))]);
        }
    }

    fn query(&mut self, query: &DocumentQuery) {
        self.markup.open("query", &[]);
        self.markup.text("formula", &[], &self.document.formula_text(query));
        if let Some(comment) = &query.comment {
            self.markup.text("comment", &[], comment);
        }
        self.options(&query.options);
        if let Some(expect) = &query.expect {
            self.expectation(expect);
        }
        for result in &query.results {
            self.result(result);
        }
        self.markup.close("query");
    }

    fn expectation(&mut self, expect: &QueryExpectation) {
        let attributes = [
            ("outcome", expect.outcome.as_deref()),
            ("type", expect.kind.as_deref()),
            ("value", expect.value.as_deref()),
        ];
        self.markup.open("expect", &attributes);
        for resource in &expect.resources {
            let (kind, value) = (resource.kind.as_str(), resource.value.as_str());
            let attributes =
                [("type", Some(kind)), ("value", Some(value)), ("unit", resource.unit.as_deref())];
            self.markup.empty("resource", &attributes);
        }
        self.markup.close("expect");
    }

    /// A stored result as it was; what remains of it if that is broken.
    fn result(&mut self, result: &QueryResult) {
        if self.verbatim("result", result.span) {
            return;
        }
        let attributes = [
            ("outcome", result.outcome.as_deref()),
            ("type", result.kind.as_deref()),
            ("value", result.value.as_deref()),
            ("timestamp", result.timestamp.as_deref()),
        ];
        self.markup.open("result", &attributes);
        self.options(&result.options);
        self.markup.close("result");
    }

    /// An element as it stands in the file; false if it is not well formed there.
    fn verbatim(&mut self, name: &str, span: Span) -> bool {
        let written = self.markup.verbatim(name, self.document.sources.snippet(span));
        if !written {
            let message = "this element is broken and cannot be written again";
            self.diagnostics.push(Diagnostic::warning(codes::WRITTEN_WITH_ERRORS, span, message));
        }
        written
    }

    /// A section of text, of which it is known if something is missing in it.
    fn section(&mut self, name: &str, text: &str) {
        self.check_errors(text);
        self.markup.text(name, &[], text);
    }

    /// References of XML need something to refer to; a textual model can name what is not there.
    fn check_names(&mut self, template: &Template, nodes: &Nodes) {
        let marked = template.urgent.iter().chain(&template.committed).chain(&template.init);
        let ends = template.edges.iter().flat_map(|edge| [&edge.source, &edge.target]);
        for &name in marked.chain(ends).filter(|&&name| nodes.of(name).is_none()) {
            let word = self.document.tree.name(name);
            let message = format!("there is no location `{word}` in this template");
            self.diagnostics.push(Diagnostic::error(codes::DANGLING_REFERENCE, name.span, message));
        }
    }

    fn check_errors(&mut self, text: &str) {
        if text.contains(ERROR_MARK) {
            let span = Span::new(self.document.file, 0, 0);
            let message = "a part of the model could not be read and is missing in the output";
            self.diagnostics.push(Diagnostic::error(codes::WRITTEN_WITH_ERRORS, span, message));
        }
    }

    /// Text that is printed from the tree has lost its comments.
    fn check_comments(&mut self) {
        let document = self.document;
        let printed = document.format == Format::Xta || document.dialect == Dialect::Old;
        if let Some(span) = document.first_comment().filter(|_| printed) {
            let message = "comments in the text of the model are not kept";
            self.diagnostics.push(Diagnostic::note(codes::LOST_COMMENTS, span, message));
        }
    }
}
