//! Models and diagnostics as JSON.
//!
//! The schema has a version, `"schema": 1`, which changes when a field is removed or changes its meaning. Fields may be
//! added at any time. Expressions are text.

use serde_json::{Value, json};
use tourbillon_base::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use tourbillon_model::{
    Action, CellKind, ChannelKind, Edge, Expectation, ExprId, LocationKind, Model, Process,
};

/// A model as JSON: its variables, clocks, channels, processes and queries.
#[must_use]
pub fn model_json(model: &Model) -> Value {
    let cells = model.cells.iter().map(|cell| {
        let kind = match cell.kind {
            CellKind::State => "state",
            CellKind::Meta => "meta",
            CellKind::Constant => "constant",
        };
        json!({"name": cell.name, "min": cell.range.min, "max": cell.range.max, "initial": cell.initial, "kind": kind})
    });
    let channels = model.channels.iter().map(|channel| {
        let broadcast = channel.kind == ChannelKind::Broadcast;
        json!({"name": channel.name, "broadcast": broadcast, "urgent": channel.urgent, "priority": channel.priority})
    });
    let vectors = model.vectors.iter().map(|vector| {
        let participants = vector.participants.iter().map(|part| {
            let (process, event) = (&model.processes[part.process].name, &model.events[part.event].name);
            json!({"process": process, "event": event, "weak": part.weak})
        });
        Value::Array(participants.collect())
    });
    json!({
        "schema": 1,
        "name": model.name,
        "cells": cells.collect::<Vec<_>>(),
        "overflow": model.overflow.name(),
        "clocks": model.clocks.iter().map(|clock| clock.name.as_str()).collect::<Vec<_>>(),
        "initial_clocks": model.clocks.iter().map(|clock| clock.initial).collect::<Vec<_>>(),
        "channels": channels.collect::<Vec<_>>(),
        "vectors": vectors.collect::<Vec<_>>(),
        "functions": model.functions.iter().map(|function| model.function_text(function)).collect::<Vec<_>>(),
        "internal_priority": model.internal_priority,
        "before_update": texts(model, &model.before_update),
        "after_update": texts(model, &model.after_update),
        "processes": model.processes.iter().map(|process| process_json(model, process)).collect::<Vec<_>>(),
        "queries": model.queries.iter().map(|query| json!({
            "text": query.text, "comment": query.comment, "expected": expectation(query.expected),
        })).collect::<Vec<_>>(),
    })
}

fn texts(model: &Model, exprs: &[ExprId]) -> Vec<String> {
    exprs.iter().map(|&expr| model.expr_text(expr)).collect()
}

pub(crate) fn expectation(expected: Option<Expectation>) -> Option<&'static str> {
    expected.map(|expected| match expected {
        Expectation::Satisfied => "satisfied",
        Expectation::Violated => "violated",
        Expectation::Unknown => "unknown",
        Expectation::Refused => "refused",
    })
}

fn process_json(model: &Model, process: &Process) -> Value {
    let locations = process.locations.iter().map(|location| {
        let kind = match location.kind {
            LocationKind::Normal => "normal",
            LocationKind::Urgent => "urgent",
            LocationKind::Committed => "committed",
        };
        json!({
            "name": location.name,
            "kind": kind,
            "invariant": model.guard_text(&location.invariant),
            "labels": location.labels,
        })
    });
    json!({
        "name": process.name,
        "template": process.template,
        "priority": process.priority,
        "initial": process.locations[process.initial].name,
        "locations": locations.collect::<Vec<_>>(),
        "edges": process.edges.iter().map(|edge| edge_json(model, process, edge)).collect::<Vec<_>>(),
    })
}

fn edge_json(model: &Model, process: &Process, edge: &Edge) -> Value {
    let action = match &edge.action {
        Action::Internal => Value::Null,
        Action::Event(event) => json!({"event": model.events[*event].name}),
        Action::Send(_) => json!({"send": model.action_text(edge)}),
        Action::Receive(_) => json!({"receive": model.action_text(edge)}),
    };
    json!({
        "source": process.locations[edge.source].name,
        "target": process.locations[edge.target].name,
        "action": action,
        "selects": edge.selects.iter().map(|select| json!({
            "name": select.name, "min": select.range.min, "max": select.range.max,
        })).collect::<Vec<_>>(),
        "guard": model.edge_guard_text(edge),
        "updates": model.edge_updates_text(edge),
        "controllable": edge.controllable,
    })
}

/// Diagnostics as JSON, each with its source position, in their order.
#[must_use]
pub fn diagnostics_json(diagnostics: &Diagnostics, sources: &SourceMap) -> Value {
    diagnostics.iter().map(|diagnostic| diagnostic_json(diagnostic, sources)).collect()
}

pub(crate) fn diagnostic_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let labels = diagnostic
        .labels
        .iter()
        .map(|(span, text)| json!({"text": text, "place": place_json(*span, sources)}));
    json!({
        "code": diagnostic.code.name(),
        "severity": severity,
        "message": diagnostic.message,
        "place": place_json(diagnostic.primary, sources),
        "labels": labels.collect::<Vec<_>>(),
        "help": diagnostic.help,
    })
}

fn place_json(span: Span, sources: &SourceMap) -> Value {
    let place = sources.resolve(span);
    json!({
        "file": place.file,
        "line": place.start.line,
        "column": place.start.column,
        "end_line": place.end.line,
        "end_column": place.end.column,
        "element": place.element,
    })
}
