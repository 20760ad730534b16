//! Zone graphs as a whole: the counts of an exploration, and the discrete states of an oracle that shares nothing with it.
//!
//! The number of random networks of each shape is `TOURBILLON_NETWORKS` divided by 40 (default 25), the first seed
//! `TOURBILLON_SEED` (default 1).

use std::collections::BTreeSet;

use tourbillon_check::{
    Committed, Cover, ExploredGraph, ExploredNode, GraphEnd, Job, Limits, Order, PlanRequest, TraceKind,
    check, explored_graph,
};
use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{self, Discrete};

use crate::from_environment;

/// How many states the oracle may store, and how many nodes a graph may have, before a network is left out.
const STATES_MAX: usize = 3_000;

fn job<'a>(model: &'a Model, plan_request: &'a PlanRequest) -> Job<'a> {
    Job { model, queries: None, plan_request, limits: Limits::default(), stop: None }
}

fn plan_request(cover: Cover) -> PlanRequest {
    PlanRequest {
        store: Some(Committed::Stored),
        cover: Some(cover),
        order: Some(Order::Bfs),
        trace: TraceKind::None,
        ..PlanRequest::default()
    }
}

/// What a graph says of itself.
fn check_shape(case: &str, graph: &ExploredGraph) {
    let stored = graph.nodes.iter().filter(|node| node.covered_by.is_none()).count() as u64;
    assert_eq!(stored, graph.stats.stored, "{case}");
    let into: BTreeSet<usize> = graph.edges.iter().map(|edge| edge.to).collect();
    for (index, node) in graph.nodes.iter().enumerate() {
        assert!(node.covered_by.is_some() || node.expanded, "{case}: node {index} was forgotten");
        if let Some(other) = node.covered_by {
            assert_ne!(other, index, "{case}");
            assert_eq!(graph.nodes[other].state, node.state, "{case}: node {index}");
        }
        let leaves = graph.edges.iter().any(|edge| edge.from == index);
        assert!(node.expanded || !leaves, "{case}: node {index} has successors");
        assert!(index == 0 || into.contains(&index) || graph.stats.transitions > graph.edges.len() as u64);
    }
}

/// The counts that an exploration must share with a graph.
fn compare_with_exploration(case: &str, model: &Model, cover: Cover, graph: &ExploredGraph) {
    let plan_request = plan_request(cover);
    let Ok(answers) = check(&job(model, &plan_request), &mut |_| {}) else { return };
    let (stats, own) = (answers[0].stats, graph.stats);
    let counts = |stats: tourbillon_check::Stats| {
        (stats.visited, stats.stored, stats.covered, stats.transitions, stats.mistakes, stats.discrete_states)
    };
    assert_eq!(counts(own), counts(stats), "{case}, {cover:?}");
}

fn discrete(graph: &ExploredGraph) -> BTreeSet<Discrete> {
    let of = |node: &ExploredNode| Discrete {
        locations: node.state.locations.clone(),
        cells: node.state.cells.clone(),
    };
    graph.nodes.iter().map(of).collect()
}

#[test]
fn graphs_agree_with_explorations_and_with_the_oracle() {
    let count = from_environment("TOURBILLON_NETWORKS", 1000) / 40;
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut compared = 0;
    for (shape, features) in Shape::ALL {
        for seed in first..first + count {
            let case = format!("TOURBILLON_SEED={seed}, {shape}");
            let model =
                Network::random(seed, features).model().unwrap_or_else(|error| panic!("{case}: {error}"));
            for cover in [Cover::Inclusion, Cover::Equality, Cover::Alu, Cover::Adaptive] {
                let plan_request = plan_request(cover);
                let Ok(graph) = explored_graph(&job(&model, &plan_request), STATES_MAX, &mut |_| {}) else {
                    continue;
                };
                if graph.end != GraphEnd::Complete {
                    continue;
                }
                check_shape(&case, &graph);
                compare_with_exploration(&case, &model, cover, &graph);
                if let oracle::Answer::Reached(reached) = oracle::by_regions(&model, STATES_MAX) {
                    assert_eq!(discrete(&graph), reached.discrete, "{case}, {cover:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "only {compared} could be compared");
}

#[test]
fn a_graph_that_is_too_large_is_cut_off() {
    let (_, features) = Shape::ALL[0];
    let model = (1..).find_map(|seed| {
        let model = Network::random(seed, features).model().ok()?;
        let plan_request = PlanRequest::default();
        let graph = explored_graph(&job(&model, &plan_request), 10_000, &mut |_| {}).ok()?;
        (graph.end == GraphEnd::Complete && graph.nodes.len() > 20).then_some(model)
    });
    let model = model.expect("some network is large enough");
    let plan_request = PlanRequest::default();
    let graph = explored_graph(&job(&model, &plan_request), 10, &mut |_| {}).expect("a graph");
    assert_eq!((graph.nodes.len(), graph.end), (10, GraphEnd::TooMany));
    assert!(graph.nodes.iter().any(|node| !node.expanded && node.covered_by.is_none()));
}
