//! Labels as a question: can a state be reached that carries all of them, each at the location of some process?
//!
//! Or: is there a run that comes back to such states again and again (a Büchi condition)?
//!
//! TChecker's models have labels instead of queries. The question is a query like any other, built on a copy of
//! the model: for each label, that some process is at one of the locations that carry it.

use std::collections::BTreeSet;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_model::{BinaryOp, Expr, ExprId, ExprKind, LocationId, Model, ProcessId, Query, QueryKind};

/// How often states with the labels are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Once,
    AgainAndAgain,
}

/// A copy of the model whose only query asks for these labels.
///
/// # Errors
/// If some label is nowhere, or none was given; the message says which there are.
pub(crate) fn with_labels(model: &Model, labels: &[String], wanted: Wanted) -> Result<Model, String> {
    let option = if wanted == Wanted::Once { "--labels" } else { "--accepting" };
    if labels.is_empty() {
        return Err(format!("{option} needs at least one label"));
    }
    let mut model = model.clone();
    let mut all = None;
    for label in labels {
        let mut some = None;
        for (process, location) in carriers(&model, label) {
            let here = add(&mut model, ExprKind::AtLocation(process, location));
            some = Some(join(&mut model, BinaryOp::Or, some, here));
        }
        let some = some.ok_or_else(|| unknown(&model, label))?;
        all = Some(join(&mut model, BinaryOp::And, all, some));
    }
    let all = all.expect("there is at least one label");
    let kind = match wanted {
        Wanted::Once => QueryKind::Possibly(all),
        Wanted::AgainAndAgain => QueryKind::Recurrently(all),
    };
    let text = format!("{option} {}", labels.join(","));
    model.queries =
        vec![Query { text, comment: String::new(), kind, frame: 0, expected: None, span: no_place() }];
    Ok(model)
}

fn carriers(model: &Model, label: &str) -> Vec<(ProcessId, LocationId)> {
    let mut found = Vec::new();
    for (id, process) in model.processes.enumerate() {
        let carry = process.locations.enumerate().filter(|(_, it)| it.labels.iter().any(|own| own == label));
        found.extend(carry.map(|(location, _)| (id, location)));
    }
    found
}

fn unknown(model: &Model, label: &str) -> String {
    let places = model.processes.iter().flat_map(|process| &process.locations);
    let known: BTreeSet<&str> = places.flat_map(|place| &place.labels).map(String::as_str).collect();
    let Some(nearest) = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, label)) else {
        return format!("no location carries the label `{label}`: this model has no labels at all");
    };
    let near = strsim::damerau_levenshtein(nearest, label) <= 1 + label.chars().count() / 4;
    let meant = if near { format!("; did you mean `{nearest}`?") } else { String::new() };
    let known: Vec<&str> = known.into_iter().collect();
    format!("no location carries the label `{label}`{meant} (there are {})", known.join(", "))
}

fn join(model: &mut Model, op: BinaryOp, left: Option<ExprId>, right: ExprId) -> ExprId {
    match left {
        None => right,
        Some(left) => add(model, ExprKind::Binary(op, left, right)),
    }
}

fn add(model: &mut Model, kind: ExprKind) -> ExprId {
    model.exprs.push(Expr { kind, span: no_place() })
}

/// Such a question stands in no file; nothing in it can go wrong at run time either.
fn no_place() -> Span {
    Span::new(SourceId::from_index(0), 0, 0)
}
