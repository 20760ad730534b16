//! Random networks, judged by regions.
//!
//! The oracle knows values up to a reach. Below it everything must agree; above it the checker's value must be above.
//! A search that has no end is a mistake, too: clocks without bound must be found to be without.

use tourbillon_check::{Answer, Extreme, Measured, Value, Verdict, Why};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};
use tourbillon_testkit::oracle::{self, Edge, Span};

use crate::from_environment;

use super::{ask, has_runs, plans, text};

/// How far the oracle tells clocks apart.
const REACH: i64 = 7;

/// Networks that the oracle would take longer for are left out.
const STATES_MAX: usize = 6_000;

/// The network with one query for its clocks and a variable in all states, and one where its first query holds, which may have no
/// `deadlock`.
pub(crate) fn model(network: &Network) -> Result<Model, String> {
    let data = network.declarations.iter().any(|line| line == "int[0,3] n;").then(|| "n".to_owned());
    let measures: Vec<String> = network.clocks.iter().cloned().chain(data).collect();
    let measures = measures.join(", ");
    let formula = network.query_text().lines().next().map_or("true".to_owned(), |line| line[4..].to_owned());
    let queries = format!("bounds: {measures}\nbounds{{{formula}}}: {measures}\n");
    uppaal_model(&network.text(), &queries)
}

/// Whether an extreme is what the oracle says.
fn agrees(extreme: &Extreme, edge: Option<Edge>) -> bool {
    match (edge, extreme.value) {
        (None, value) => value == Value::None,
        (Some(Edge::Attained(known)), Value::Attained(value)) => value == known,
        (Some(Edge::Approached(known)), Value::Approached(value)) => value == known,
        (Some(Edge::Beyond), Value::Attained(value)) => value > REACH,
        (Some(Edge::Beyond), Value::Approached(value)) => value >= REACH,
        (Some(Edge::Beyond), Value::Infinite) => true,
        _ => false,
    }
}

/// What is wrong with the answers of all plans to a query; nothing if the oracle cannot tell.
fn complaint(model: &Model, query: usize, seed: u64) -> Option<Option<String>> {
    let spans = spans(model, query)?;
    Some(plans(seed).iter().find_map(|plan_request| {
        let answer = ask(model, query, plan_request);
        let sound = is_settled(&answer) && are_right(&answer, &spans) && has_runs(&answer, plan_request);
        let found = text(&answer.values);
        (!sound).then(|| format!("{plan_request:?}\nquery {query}: {:?}, {found}, but {spans:?}", answer.why))
    }))
}

/// What the oracle says about a query, if it is small enough.
pub(crate) fn spans(model: &Model, query: usize) -> Option<Vec<Span>> {
    oracle::extremes(model, query, REACH, STATES_MAX).ok()
}

pub(crate) fn is_settled(answer: &Answer) -> bool {
    (answer.verdict, &answer.why) == (Verdict::Satisfied, &Why::Complete)
}

/// Whether the values that were asked for are what the oracle says.
pub(crate) fn are_right(answer: &Answer, spans: &[Span]) -> bool {
    let right = |extreme: Option<&Extreme>, edge| extreme.is_none_or(|extreme| agrees(extreme, edge));
    let both = |(measured, span): (&Measured, &Span)| {
        right(measured.low.as_ref(), span.low) && right(measured.high.as_ref(), span.high)
    };
    answer.values.len() == spans.len() && answer.values.iter().zip(spans).all(both)
}

fn judge(name: &str, shape: Shape, share: u64) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 600) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut judged = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        for query in 0..2 {
            let complaint = |network: &Network| {
                let model = model(network).unwrap_or_else(|error| panic!("{}\n{error}", network.text()));
                complaint(&model, query, seed)
            };
            match complaint(&network) {
                Some(Some(_)) => {
                    let is_wrong = |smaller: &Network| complaint(smaller).flatten();
                    let small = network.shrink(|smaller| is_wrong(smaller).is_some());
                    let what = is_wrong(&small).expect("it was shrunk so that something stays wrong");
                    panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
                }
                Some(None) => judged += 1,
                None => {}
            }
        }
    }
    assert!(judged >= networks, "{name}: only {judged} answers of {networks} networks were judged");
}

#[test]
fn plain_networks() {
    judge("plain", Shape { clocks_max: 2, ..Shape::PLAIN }, 20);
}

#[test]
fn strict_comparisons() {
    judge("strict", Shape { clocks_max: 2, ..Shape::STRICT }, 30);
}

#[test]
fn three_clocks() {
    let shape = Shape { constant_max: 2, processes_max: 2, locations_max: 3, ..Shape::STRICT };
    judge("three clocks", shape, 10);
}

#[test]
fn diagonals() {
    judge("diagonals", Shape { clocks_max: 2, ..Shape::DIAGONALS }, 15);
}

#[test]
fn clocks_set_to_values_and_to_each_other() {
    judge("values", Shape { values: true, clocks_max: 2, ..Shape::STRICT }, 15);
}

#[test]
fn clocks_set_to_others_minus_something() {
    judge("falling", Shape { clocks_max: 2, ..Shape::FALLING }, 15);
    judge("short", Shape { clocks_max: 1, ..Shape::SHORT }, 15);
}

#[test]
fn clocks_that_do_not_start_at_0() {
    judge("starts", Shape { clocks_max: 2, ..Shape::STARTS }, 15);
}

#[test]
fn priorities_and_timed_receivers() {
    let shape = Shape { priorities: true, timed_receivers: true, clocks_max: 2, ..Shape::STRICT };
    judge("priorities", shape, 10);
}
