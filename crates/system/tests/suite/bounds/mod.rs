//! Clock bounds: every rule on a model of its own, the benchmark families, and random networks against an
//! oracle that walks paths.

mod families;
mod guarded;
mod random;
mod rules;

use tourbillon_base::{Id, SourceMap};
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_front_uppaal::lower::{Input, QueryInput, lower};
use tourbillon_front_uppaal::{LoadOptions, load, load_queries};
use tourbillon_model::{ExprId, Model, QueryKind};
use tourbillon_system::bounds::{Analysis, LocalBounds, Polarity, analyse};

/// A model from UPPAAL's text, with queries.
fn uppaal(text: &str, queries: &str) -> Model {
    let (mut document, mut diagnostics) = load("test.xta", text.as_bytes(), &LoadOptions::default());
    let (asked, problems) = load_queries(&mut document, "test.q", queries.as_bytes());
    let queries: Vec<QueryInput<'_>> = asked.iter().map(query_input).collect();
    let input = Input { name: "test", tree: &document.tree, model: &document.model, queries: &queries };
    let model = lower(&input, &mut diagnostics);
    assert!(!diagnostics.has_errors() && !problems.has_errors(), "{text}\n{diagnostics:?}\n{problems:?}");
    let model = model.expect("a model without errors");
    assert!(model.check().is_empty(), "{:?}", model.check());
    model
}

fn query_input(query: &tourbillon_front_uppaal::DocumentQuery) -> QueryInput<'_> {
    QueryInput {
        query: &query.query,
        text: String::new(),
        comment: String::new(),
        expected: None,
        broken: false,
    }
}

/// A model from TChecker's text.
fn tchecker(text: &str) -> Model {
    let (model, diagnostics) = tourbillon_front_tchecker::load("test.tck", text, &mut SourceMap::new());
    model.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"))
}

/// The conditions of a query, each with the outcome that matters.
fn conditions(query: &QueryKind) -> Vec<(ExprId, Polarity)> {
    match query {
        QueryKind::Possibly(p) => vec![(*p, Polarity::Holds)],
        QueryKind::Invariantly(p) => vec![(*p, Polarity::Fails)],
        other => other.exprs().into_iter().map(|p| (p, Polarity::Both)).collect(),
    }
}

/// The bounds of a model with all its queries.
fn analysed(model: &Model) -> Analysis {
    let asked: Vec<_> = model.queries.iter().flat_map(|query| conditions(&query.kind)).collect();
    analyse(model, &asked).expect("bounds")
}

/// Bounds as text: each active clock with its `L` and `U`, `_` if there is none and `*` if there is no end.
fn show(model: &Model, bounds: &ClockBounds) -> String {
    let limit = |limit: Option<Constant>| match limit {
        None => "_".to_owned(),
        Some(Constant::MAX) => "*".to_owned(),
        Some(constant) => constant.to_string(),
    };
    let mut parts = Vec::new();
    for (id, clock) in model.clocks.enumerate() {
        let zone = Clock::from_index(id.index() + 1);
        if !bounds.is_inactive(zone) {
            let name = clock.name.rsplit('.').next().unwrap_or_default();
            parts.push(format!("{name}:{},{}", limit(bounds.lower(zone)), limit(bounds.upper(zone))));
        }
    }
    parts.join(" ")
}

/// The bounds at each location of a process, as `name x:1,2 y:_,3`.
fn at_locations(model: &Model, analysis: &Analysis, process: &str) -> Vec<String> {
    local_at_locations(model, &analysis.local, process)
}

/// As [`at_locations`], for one of the two kinds of local bounds.
fn local_at_locations(model: &Model, bounds: &LocalBounds, process: &str) -> Vec<String> {
    let found = model.processes.enumerate().find(|(_, candidate)| candidate.name == process);
    let (id, process) = found.unwrap_or_else(|| panic!("no process {process}"));
    let locations = process.locations.iter().zip(&bounds.places[id]);
    locations
        .map(|(location, bounds)| format!("{} {}", location.name, show(model, bounds)).trim().to_owned())
        .collect()
}
