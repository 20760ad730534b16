//! Drawings of templates: DOT for Graphviz, and SVG in the layout of the document.
//!
//! Both show the same things in the same colours: the initial location by a double circle, urgent and committed
//! ones by U and C, branch points as dots, labels in the colours that UPPAAL's users know. Text of the model is
//! only ever written escaped, and never as the name of something in the output, so a hostile name is just a strange
//! label.

mod dot;
mod svg;

use tourbillon_syntax::tree::{Edge, Location, Name, Template};

pub use dot::dot;
pub use svg::svg;

use crate::document::Document;
use crate::layout::{Label, LabelKind, Layout, TemplateLayout};

/// What is drawn: templates, each with its layout.
fn selected<'a>(
    document: &'a Document,
    layout: &'a Layout,
    only: Option<&str>,
) -> Option<Vec<(&'a Template, &'a TemplateLayout)>> {
    let all = document.templates().zip(&layout.templates);
    let chosen: Vec<_> = all
        .filter(|(template, _)| only.is_none_or(|name| document.tree.name(template.name) == name))
        .collect();
    (only.is_none() || !chosen.is_empty()).then_some(chosen)
}

/// The colour of a label.
fn colour_of(label: &Label) -> &str {
    let given = label.colour.as_deref().filter(|colour| is_colour(colour));
    given.unwrap_or(match label.kind {
        LabelKind::Invariant => "#a020a0",
        LabelKind::ExponentialRate | LabelKind::Probability => "#a04000",
        LabelKind::Select => "#8a6d00",
        LabelKind::Guard => "#007000",
        LabelKind::Synchronisation => "#0072b2",
        LabelKind::Assignment => "#2030c0",
        _ => "#606060",
    })
}

/// Whether a colour is written `#rrggbb`, so that it can be written out as it is.
fn is_colour(colour: &str) -> bool {
    colour
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The colour of a location.
fn fill(colour: Option<&String>) -> &str {
    colour.map(String::as_str).filter(|colour| is_colour(colour)).unwrap_or("#dce9f7")
}

/// The title of a template: its name and parameters.
fn title(document: &Document, template: &Template, layout: &TemplateLayout) -> String {
    let parameters = document.parameter_text(template, layout);
    let name = document.tree.name(template.name);
    match parameters.trim() {
        "" => name.to_owned(),
        parameters => format!("{name}({parameters})"),
    }
}

/// What is special about a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LocationMarks {
    initial: bool,
    urgent: bool,
    committed: bool,
}

impl LocationMarks {
    fn of(template: &Template, location: &Location) -> Self {
        let symbol = location.name.symbol;
        let among = |names: &[Name]| names.iter().any(|name| name.symbol == symbol);
        Self {
            initial: template.init.is_some_and(|init| init.symbol == symbol),
            urgent: among(&template.urgent),
            committed: among(&template.committed),
        }
    }

    /// The letter inside the circle.
    fn letter(self) -> &'static str {
        match (self.committed, self.urgent) {
            (true, _) => "C",
            (_, true) => "U",
            _ => "",
        }
    }
}

/// Whether an edge is one of the weighted branches of a branch point.
fn is_branch(template: &Template, edge: &Edge) -> bool {
    template.branchpoints.iter().any(|branchpoint| branchpoint.symbol == edge.source.symbol)
}
