//! Drawings of text models.
//!
//! UPPAAL's text is drawn as the XML that it converts to, so that the i-th template and its parts are those of the
//! text. A TChecker model has no templates: each process is drawn from the network, with its locations and edges in the
//! order of the network. So indices refer to the same elements in all views.

use std::sync::atomic::AtomicBool;

use tourbillon_base::Id;
use tourbillon_front_uppaal::{Document, write_xml};
use tourbillon_model::{Edge, Location, LocationId, LocationKind, Model, Process};

use super::read::templates_of;
use super::{SheetEdge, SheetLabel, SheetLocation, SheetTemplate};
use crate::load::{Loaded, Source};

/// The templates of a loaded model; `None` if `stop` is set.
pub(super) fn of(loaded: &Loaded, stop: &AtomicBool) -> Option<Vec<SheetTemplate>> {
    match (&loaded.source, &loaded.model) {
        (Source::Uppaal(document), _) => {
            let mut document = Document::clone(document);
            document.arrange_until(stop)?;
            templates_of(&write_xml(&document).0, stop)
        }
        (Source::TChecker { .. }, Some(model)) => {
            let processes = model.processes.iter();
            processes.map(|process| template(model, process).arranged_until(false, stop)).collect()
        }
        (Source::TChecker { .. }, None) => Some(Vec::new()),
    }
}

fn template(model: &Model, process: &Process) -> SheetTemplate {
    let locations = process.locations.enumerate().map(|(id, place)| location(model, id, place));
    SheetTemplate {
        name: process.name.clone(),
        initial: id(process.initial),
        locations: locations.collect(),
        edges: process.edges.iter().map(|drawn| edge(model, drawn)).collect(),
        ..SheetTemplate::default()
    }
}

fn location(model: &Model, number: LocationId, location: &Location) -> SheetLocation {
    let mut labels = label("invariant", model.guard_text(&location.invariant));
    labels.extend(label("comments", location.labels.join(", ")));
    SheetLocation {
        id: id(number),
        name: location.name.clone(),
        urgent: location.kind == LocationKind::Urgent,
        committed: location.kind == LocationKind::Committed,
        labels,
        ..SheetLocation::default()
    }
}

fn edge(model: &Model, edge: &Edge) -> SheetEdge {
    let mut labels = label("guard", model.edge_guard_text(edge));
    labels.extend(label("synchronisation", model.action_text(edge)));
    labels.extend(label("assignment", model.edge_updates_text(edge).join(",\n")));
    SheetEdge { source: id(edge.source), target: id(edge.target), labels, ..SheetEdge::default() }
}

/// A label, unless it is empty.
fn label(kind: &str, text: String) -> Vec<SheetLabel> {
    if text.is_empty() {
        return Vec::new();
    }
    vec![SheetLabel { kind: kind.to_owned(), text, ..SheetLabel::default() }]
}

fn id(location: LocationId) -> String {
    format!("id{}", location.index())
}
