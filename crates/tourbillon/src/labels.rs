//! Label queries: is a state reachable that carries all labels, each at the location of some process?
//!
//! Or: is there a run that comes back to such states again and again (a Büchi condition), be it to several kinds of them
//! in turn (a generalised one)?
//!
//! TChecker's models have labels instead of queries. The query is a query like any other, built on a copy of
//! the model: for each label, that some process is at one of the locations that carry it.

use std::collections::BTreeSet;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_check::ACCEPTANCE_SETS_MAX;
use tourbillon_model::{BinaryOp, Expr, ExprId, ExprKind, LocationId, Model, ProcessId, Query, QueryKind};

/// A copy of the model whose only query asks for a state with these labels.
///
/// # Errors
/// If some label is nowhere, or none was given; the message says which there are.
pub(crate) fn with_labels(model: &Model, labels: &[String]) -> Result<Model, String> {
    let mut model = model.clone();
    let kind = QueryKind::Possibly(at_once(&mut model, labels, "--labels")?);
    Ok(with_query(model, kind, format!("--labels {}", labels.join(","))))
}

/// A copy of the model whose only query asks for a run that comes back to states with the labels of each set.
///
/// # Errors
/// As [`with_labels`]; or if there are too many sets.
pub(crate) fn with_accepting(model: &Model, sets: &[Vec<String>]) -> Result<Model, String> {
    if sets.len() > ACCEPTANCE_SETS_MAX {
        return Err(format!("--accepting can be given at most {ACCEPTANCE_SETS_MAX} times"));
    }
    let mut model = model.clone();
    let all: Result<Vec<ExprId>, String> =
        sets.iter().map(|labels| at_once(&mut model, labels, "--accepting")).collect();
    let kind = QueryKind::Recurrently(all?);
    let text: Vec<String> = sets.iter().map(|labels| format!("--accepting {}", labels.join(","))).collect();
    Ok(with_query(model, kind, text.join(" ")))
}

fn with_query(model: Model, kind: QueryKind, text: String) -> Model {
    let query = Query { text, comment: String::new(), kind, frame: 0, expected: None, span: no_place() };
    Model { queries: vec![query], ..model }
}

/// That all of these labels are carried, each at the location of some process.
fn at_once(model: &mut Model, labels: &[String], option: &str) -> Result<ExprId, String> {
    let mut all = None;
    for label in labels {
        let mut some = None;
        for (process, location) in carriers(model, label) {
            let here = add(model, ExprKind::AtLocation(process, location));
            some = Some(join(model, BinaryOp::Or, some, here));
        }
        let some = some.ok_or_else(|| unknown(model, label))?;
        all = Some(join(model, BinaryOp::And, all, some));
    }
    all.ok_or_else(|| format!("{option} needs at least one label"))
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

/// Such a query stands in no file; nothing in it can go wrong at run time either.
fn no_place() -> Span {
    Span::new(SourceId::from_index(0), 0, 0)
}
