//! The explore loop and its observers.

use std::collections::BTreeMap;

use tourbillon_store::{NodeId, Order};
use tourbillon_system::RuntimeError;
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use super::{Fixture, fixture, process, quiet, unlimited, untimed};
use crate::{Budget, Committed, Ended, Exhausted, Expansion, Limits, Observer, Visit};

/// Two processes with one edge each: four states, four transitions.
fn diamond() -> Fixture {
    untimed(&[process("P", 2, &[(0, 1)]), process("Q", 2, &[(0, 1)])], &[])
}

/// Counts the calls of an observer, and ends the search after a number of nodes.
#[derive(Default)]
struct Counter {
    nodes: BTreeMap<NodeId, u32>,
    successors: u64,
    transitions: u64,
    enabled: u64,
    nodes_max: Option<usize>,
    /// What `visit` returns for states in which the first process is at its location 1.
    at_one: Option<Visit>,
}

impl Observer for Counter {
    fn node(&mut self, node: NodeId, _: &SymbolicState, _: &ZoneGraph<'_>) -> Result<(), RuntimeError> {
        *self.nodes.entry(node).or_default() += 1;
        Ok(())
    }

    fn visit(&mut self, _: NodeId, state: &SymbolicState) -> Visit {
        self.at_one.filter(|_| state.memory[0] == 1).unwrap_or(Visit::Expand)
    }

    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        self.successors += 1;
        expansion.offer(successor);
    }

    fn transition(
        &mut self,
        _: &mut ZoneGraph<'_>,
        _: &SymbolicState,
        _: usize,
        enabled: bool,
    ) -> Result<(), RuntimeError> {
        self.transitions += 1;
        self.enabled += u64::from(enabled);
        Ok(())
    }

    fn ended(&self) -> Option<Ended> {
        (self.nodes_max == Some(self.nodes.len())).then_some(Ended::Enough)
    }
}

#[test]
fn an_observer_sees_each_node_once_and_every_transition() {
    let fixture = diamond();
    for order in [Order::Bfs, Order::Dfs] {
        let (mut search, mut seen) = (fixture.search(order), Counter::default());
        assert_eq!(search.explore(&mut seen, &mut unlimited(), &mut quiet()), Ended::Complete);
        assert_eq!(seen.nodes.len(), 4);
        assert!(seen.nodes.values().all(|&count| count == 1));
        assert_eq!((seen.transitions, seen.enabled), (4, 4));
        // The initial state is a successor as well.
        assert_eq!(seen.successors, 5);
        let stats = search.stats();
        assert_eq!((stats.visited, stats.stored, stats.transitions, stats.covered), (4, 4, 4, 1));
        assert_eq!(stats.stored + stats.covered, stats.transitions + 1);
        assert!(search.is_complete());
    }
}

#[test]
fn a_transition_without_successors_is_seen_and_not_enabled() {
    let fixture = fixture(
        &["clock:1:x", "process:P", "location:P:A{initial: : invariant:x<=1}", "edge:P:A:A:a{provided:x>2}"],
        &[],
    );
    let (mut search, mut seen) = (fixture.search(Order::Bfs), Counter::default());
    assert_eq!(search.explore(&mut seen, &mut unlimited(), &mut quiet()), Ended::Complete);
    assert_eq!((seen.transitions, seen.enabled, search.stats().transitions), (1, 0, 0));
}

#[test]
fn a_skipped_node_is_stored_and_not_visited() {
    let fixture = diamond();
    let mut seen = Counter { at_one: Some(Visit::Skip), ..Counter::default() };
    let mut search = fixture.search(Order::Bfs);
    assert_eq!(search.explore(&mut seen, &mut unlimited(), &mut quiet()), Ended::Complete);
    let stats = search.stats();
    // (0, 0) and (0, 1) are expanded; (1, 0) and (1, 1) are skipped.
    assert_eq!((stats.visited, stats.stored, stats.transitions), (2, 4, 3));
}

#[test]
fn an_observer_can_end_a_search_at_a_node() {
    let fixture = diamond();
    let mut seen = Counter { at_one: Some(Visit::End), ..Counter::default() };
    let mut search = fixture.search(Order::Bfs);
    assert_eq!(search.explore(&mut seen, &mut unlimited(), &mut quiet()), Ended::Complete);
    assert!(search.visited() < 4);
}

#[test]
fn a_search_that_was_ended_continues_where_it_stopped() {
    let fixture = diamond();
    let mut search = fixture.search(Order::Bfs);
    let mut first = Counter { nodes_max: Some(2), ..Counter::default() };
    assert_eq!(search.explore(&mut first, &mut unlimited(), &mut quiet()), Ended::Enough);
    assert_eq!(search.visited(), 2);
    let mut second = Counter::default();
    assert_eq!(search.explore(&mut second, &mut unlimited(), &mut quiet()), Ended::Complete);
    assert!(first.nodes.keys().all(|node| !second.nodes.contains_key(node)));
    assert_eq!(first.nodes.len() + second.nodes.len(), 4);
    assert_eq!(search.stats().stored + search.stats().covered, search.stats().transitions + 1);
}

#[test]
fn a_limit_ends_a_search_and_another_budget_continues_it() {
    let fixture = diamond();
    let mut search = fixture.search(Order::Bfs);
    let mut budget = Budget::new(Limits { states: Some(1), ..Limits::default() }, None);
    let ended = search.explore(&mut (), &mut budget, &mut quiet());
    assert_eq!(ended, Ended::Exhausted(Exhausted::States));
    drop(budget);
    assert_eq!(search.explore(&mut (), &mut unlimited(), &mut quiet()), Ended::Complete);
    assert_eq!(search.visited(), 4);
}

#[test]
fn a_failure_names_its_node_and_a_search_with_one_is_not_complete() {
    let fixture = fixture(
        &[
            "int:1:0:9:0:n",
            "process:P",
            "location:P:A{initial:}",
            "location:P:B{}",
            "edge:P:A:B:a{}",
            "edge:P:B:B:a{do:n=1/n}",
        ],
        &[],
    );
    let mut search = fixture.search(Order::Bfs);
    let Ended::Failed(failure) = search.explore(&mut (), &mut unlimited(), &mut quiet()) else {
        panic!("no failure");
    };
    let node = failure.node.expect("a node");
    assert_eq!(super::depth(search.list(), node), 1);
    assert!(!search.is_complete());
}

#[test]
fn a_zone_that_overflows_ends_a_search() {
    // Without extrapolation, y - x grows by a large constant with each transition.
    let fixture = fixture(
        &[
            "clock:1:x",
            "clock:1:y",
            "process:P",
            "location:P:A{initial: : invariant:x<=100000000}",
            "edge:P:A:A:a{provided:x>=100000000 : do:x=0}",
        ],
        &[],
    );
    let mut search = fixture.search(Order::Bfs);
    assert_eq!(search.explore(&mut (), &mut unlimited(), &mut quiet()), Ended::Overflowed);
    assert!(!search.is_complete());
}

/// A chain of committed locations between two others, with a choice on the way.
fn committed_chain() -> Fixture {
    fixture(
        &[
            "process:P",
            "location:P:A{initial:}",
            "location:P:B{committed:}",
            "location:P:C{committed:}",
            "location:P:D{}",
            "edge:P:A:A:a{}",
            "edge:P:A:B:a{}",
            "edge:P:B:B:a{}",
            "edge:P:B:C:a{}",
            "edge:P:C:A:a{}",
            "edge:P:C:D:a{}",
        ],
        &[(0, 2), (0, 3)],
    )
}

#[test]
fn transient_states_are_counted_and_not_stored() {
    let fixture = committed_chain();
    let mut search = fixture.search(Order::Bfs).with_committed(Committed::Transient);
    assert_eq!(search.explore(&mut (), &mut unlimited(), &mut quiet()), Ended::Complete);
    let stats = search.stats();
    assert_eq!((stats.visited, stats.stored, stats.transient), (2, 2, 2));
    assert_eq!((stats.transitions, stats.covered), (6, 3), "A and B again, A behind C");
}

#[test]
fn a_path_through_transient_states_has_all_their_transitions() {
    let fixture = committed_chain();
    for (goal, path) in fixture.at.iter().zip([vec![1, 1], vec![1, 1, 1]]) {
        let mut search = fixture.search(Order::Bfs).with_committed(Committed::Transient);
        let Ended::Found { node, .. } = search.find(Some(goal), &mut unlimited(), &mut quiet()) else {
            panic!("no state is found");
        };
        assert_eq!(search.path(node), Some(path));
    }
    // The second goal is among the states that the first search stored, the first one between them.
    let mut search = fixture.search(Order::Bfs).with_committed(Committed::Transient);
    for (goal, length) in [(&fixture.at[1], 3), (&fixture.at[0], 2)] {
        let Ended::Found { node, .. } = search.find(Some(goal), &mut unlimited(), &mut quiet()) else {
            panic!("no state is found");
        };
        assert_eq!(search.path(node).map(|path| path.len()), Some(length));
    }
}
