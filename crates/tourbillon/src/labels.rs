//! Label queries: reachability of a state that has all labels, each at the location of some process; and Büchi
//! acceptance, that is, a run that visits such states infinitely often (generalised Büchi acceptance for several sets).
//!
//! TChecker's models have labels instead of queries. A label query is an ordinary query on a copy of the model: for
//! each label, some process is at one of the locations that have it.

use std::collections::BTreeSet;

use tourbillon_base::{Id, SourceId, Span};
use tourbillon_check::ACCEPTANCE_SETS_MAX;
use tourbillon_model::{BinaryOp, Expr, ExprId, ExprKind, LocationId, Model, ProcessId, Query, QueryKind};

/// A copy of the model whose only query asks for a reachable state with these labels.
///
/// # Errors
/// If a label does not occur, or none was given; the message lists the existing ones.
pub(crate) fn with_labels(model: &Model, labels: &[String]) -> Result<Model, String> {
    let mut model = model.clone();
    let kind = QueryKind::Possibly(at_once(&mut model, labels, "--labels")?);
    Ok(with_query(model, kind, format!("--labels {}", labels.join(","))))
}

/// A copy of the model whose only query asks for a run that visits states with the labels of each set infinitely often.
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

/// The predicate that each of these labels is at the location of some process.
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
        return format!("no location has the label `{label}`: this model has no labels");
    };
    let near = strsim::damerau_levenshtein(nearest, label) <= 1 + label.chars().count() / 4;
    let meant = if near { format!("; did you mean `{nearest}`?") } else { String::new() };
    let known: Vec<&str> = known.into_iter().collect();
    format!("no location has the label `{label}`{meant} (the labels are {})", known.join(", "))
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

/// The query has no source position; its evaluation cannot fail at run time.
fn no_place() -> Span {
    Span::new(SourceId::from_index(0), 0, 0)
}
