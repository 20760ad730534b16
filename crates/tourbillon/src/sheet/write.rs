//! From a sheet to UPPAAL's XML.
//!
//! Texts are written as they were typed, even with errors, and all elements in the order of the sheet: the i-th
//! template of the file is the i-th of the sheet, and so on down to labels, including empty ones. So the path of an
//! element identifies a part of the sheet. Characters that XML cannot represent become U+FFFD.
//!
//! The order of elements is that of version 1.6 of the DTD.

use tourbillon_front_uppaal::Markup;
use tourbillon_front_uppaal::layout::Point;

use super::{Drawing, SheetEdge, SheetLabel, SheetLocation, SheetQuery, SheetTemplate, Spot};

/// The positions to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WrittenPositions {
    All,
    /// Those of locations, branch points and nails.
    Nodes,
    None,
}

/// A model as an XML file.
pub(super) fn file(drawing: &Drawing, queries: &[SheetQuery]) -> String {
    let mut writer = SheetWriter { markup: Markup::file(), places: WrittenPositions::All };
    writer.drawing(drawing, queries);
    writer.markup.finish()
}

/// A file with one template, with the positions to keep.
pub(super) fn template_alone(template: &SheetTemplate, places: WrittenPositions) -> String {
    let mut writer = SheetWriter { markup: Markup::file(), places };
    writer.markup.open("nta", &[]);
    writer.template(template);
    writer.markup.text("system", &[], "");
    writer.markup.close("nta");
    writer.markup.finish()
}

struct SheetWriter {
    markup: Markup,
    places: WrittenPositions,
}

impl SheetWriter {
    fn drawing(&mut self, drawing: &Drawing, queries: &[SheetQuery]) {
        self.markup.open("nta", &[]);
        self.markup.verbatim("imports", &drawing.kept.imports);
        self.section("declaration", &drawing.declarations);
        for template in &drawing.templates {
            self.template(template);
        }
        for chart in &drawing.kept.charts {
            self.markup.verbatim("lsc", chart);
        }
        self.section("instantiation", &drawing.instantiation);
        self.markup.text("system", &[], &drawing.system);
        if !queries.is_empty() || !drawing.kept.options.is_empty() {
            self.queries(&drawing.kept.options, queries);
        }
        self.markup.close("nta");
    }

    fn section(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.markup.text(name, &[], text);
        }
    }

    fn template(&mut self, template: &SheetTemplate) {
        self.markup.open("template", &[]);
        self.markup.placed("name", template.name_at.map(point), &template.name);
        if !template.parameters.is_empty() || template.parameters_at.is_some() {
            self.markup.placed("parameter", template.parameters_at.map(point), &template.parameters);
        }
        self.section("declaration", &template.declarations);
        for location in &template.locations {
            self.location(location);
        }
        for branchpoint in &template.branchpoints {
            let (at, colour) = (self.of_node(branchpoint.at), given(&branchpoint.colour));
            self.markup.open_at("branchpoint", &[("id", Some(&branchpoint.id))], at, colour);
            self.markup.close("branchpoint");
        }
        if !template.initial.is_empty() {
            self.markup.empty("init", &[("ref", Some(&template.initial))]);
        }
        for edge in &template.edges {
            self.edge(edge);
        }
        self.markup.close("template");
    }

    fn location(&mut self, location: &SheetLocation) {
        let at = self.of_node(location.at);
        self.markup.open_at("location", &[("id", Some(&location.id))], at, given(&location.colour));
        if !location.name.is_empty() {
            let name_at = self.of_label(location.name_at);
            self.markup.placed("name", name_at, &location.name);
        }
        self.labels(&location.labels);
        if location.urgent {
            self.markup.empty("urgent", &[]);
        }
        if location.committed {
            self.markup.empty("committed", &[]);
        }
        self.markup.close("location");
    }

    fn edge(&mut self, edge: &SheetEdge) {
        let attributes = [
            ("id", given(&edge.id)),
            ("controllable", edge.uncontrollable.then_some("false")),
            ("action", given(&edge.action)),
            ("color", given(&edge.colour)),
        ];
        self.markup.open("transition", &attributes);
        self.markup.empty("source", &[("ref", Some(&edge.source))]);
        self.markup.empty("target", &[("ref", Some(&edge.target))]);
        self.labels(&edge.labels);
        let nails: &[Spot] = if self.places == WrittenPositions::None { &[] } else { &edge.nails };
        for &nail in nails {
            self.markup.nail(point(nail));
        }
        self.markup.close("transition");
    }

    fn labels(&mut self, labels: &[SheetLabel]) {
        for label in labels {
            self.markup.label(&label.kind, self.of_label(label.at), given(&label.colour), &label.text);
        }
    }

    fn queries(&mut self, options: &[String], queries: &[SheetQuery]) {
        self.markup.open("queries", &[]);
        for option in options {
            self.markup.verbatim("option", option);
        }
        for query in queries {
            self.query(query);
        }
        self.markup.close("queries");
    }

    fn query(&mut self, query: &SheetQuery) {
        self.markup.open("query", &[]);
        self.markup.text("formula", &[], &query.formula);
        self.section("comment", &query.comment);
        for option in &query.kept {
            self.markup.verbatim("option", option);
        }
        self.expectation(query);
        for result in &query.kept {
            self.markup.verbatim("result", result);
        }
        self.markup.close("query");
    }

    /// The expected verdict with the other expectations: one element has both.
    fn expectation(&mut self, query: &SheetQuery) {
        let outcome = given(&query.expected);
        let mut answer = Markup::default();
        answer.empty("expect", &[("outcome", outcome)]);
        let answer = answer.finish();
        for more in query.kept.iter().filter_map(|kept| kept.strip_prefix("<expect")) {
            let answer = answer.trim_end().trim_end_matches("/>");
            if self.markup.verbatim("expect", &format!("{answer}{more}")) {
                return;
            }
        }
        if outcome.is_some() {
            self.markup.verbatim("expect", answer.trim_end());
        }
    }

    fn of_node(&self, at: Spot) -> Option<Point> {
        (self.places != WrittenPositions::None).then_some(point(at))
    }

    fn of_label(&self, at: Spot) -> Option<Point> {
        (self.places == WrittenPositions::All).then_some(point(at))
    }
}

fn point(Spot { x, y }: Spot) -> Point {
    Point { x, y }
}

/// The text, unless it is empty.
fn given(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
