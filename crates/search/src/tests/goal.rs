//! Reachability: shortest paths, earliest states, reuse of stored states.

use tourbillon_store::Order;

use super::{depth, fixture, process, quiet, unlimited, untimed};
use crate::{Ended, Least};

/// Paths of lengths 2 and 4 to location 4; depth first takes the long one.
const EDGES: &[(usize, usize)] = &[(0, 5), (5, 4), (0, 1), (1, 2), (2, 3), (3, 4)];

#[test]
fn breadth_first_finds_a_shortest_path() {
    let fixture = untimed(&[process("P", 6, EDGES)], &[(0, 4)]);
    let found = |order| {
        let mut search = fixture.search(order);
        match search.find(fixture.at.first(), &mut unlimited(), &mut quiet()) {
            Ended::Found { node, least: None } => depth(search.list(), node),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(found(Order::Bfs), 2);
    assert_eq!(found(Order::Dfs), 4);
}

#[test]
fn an_unreachable_goal_is_not_found() {
    let fixture = untimed(&[process("P", 3, &[(0, 1), (1, 0)])], &[(0, 2)]);
    let ended = fixture.search(Order::Bfs).find(fixture.at.first(), &mut unlimited(), &mut quiet());
    assert_eq!(ended, Ended::Complete);
}

#[test]
fn stored_states_are_tested_before_the_search_continues() {
    let fixture = untimed(&[process("P", 6, EDGES)], &[(0, 0), (0, 4), (0, 1)]);
    let mut search = fixture.search(Order::Bfs);
    let mut find = |goal: usize| {
        let ended = search.find(Some(&fixture.at[goal]), &mut unlimited(), &mut quiet());
        assert!(matches!(ended, Ended::Found { .. }), "{ended:?}");
        search.visited()
    };
    assert_eq!(find(0), 0, "the initial state is tested without a visit");
    let visited = find(1);
    assert_eq!(find(2), visited, "location 1 is stored");
}

/// The goal is reached by one transition after 5 time units, or by two after a guard on the time.
fn earliest(guard: &str) -> Ended {
    let second = format!("edge:P:B:G:a{{provided:{guard}}}");
    let lines = [
        "clock:1:t",
        "process:P",
        "location:P:A{initial:}",
        "location:P:B{}",
        "location:P:G{}",
        "edge:P:A:G:a{provided:t>=5}",
        "edge:P:A:B:a{provided:t>=1}",
        &second,
    ];
    let fixture = fixture(&lines, &[(0, 2)]);
    fixture.earliest(1).find(fixture.at.first(), &mut unlimited(), &mut quiet())
}

#[test]
fn a_clock_as_cost_function_finds_the_earliest_state() {
    let least = |ended| match ended {
        Ended::Found { least, .. } => least,
        other => panic!("{other:?}"),
    };
    assert_eq!(least(earliest("t>=2")), Some(Least { value: 2, excluded: false }));
    assert_eq!(least(earliest("t>2")), Some(Least { value: 2, excluded: true }));
    assert_eq!(least(earliest("t>=7")), Some(Least { value: 5, excluded: false }));
}
