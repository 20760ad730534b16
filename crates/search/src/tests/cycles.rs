//! Cycle detection by both algorithms, on graphs with known cycles.

use tourbillon_dbm::Dbm;
use tourbillon_store::{Order, build_coloured};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use super::rounds::{delay_threads, network};
use super::{Fixture, fixture, process, quiet, unlimited, untimed};
use crate::{
    Acceptance, Components, CycleDetection, CycleSearchResult, Nested, RoundSizes, Rounds, RunCondition,
    Start, Stats,
};

/// Accepting locations of the first process, one set each; finite runs do not count.
fn accepting(fixture: &Fixture) -> RunCondition {
    let acceptance = Acceptance { sets: fixture.at.clone(), ticked: None };
    RunCondition { acceptance, diverging: false, deadlocked: false }
}

fn algorithms<'f>(fixture: &'f Fixture, condition: &RunCondition) -> [Box<dyn CycleDetection + 'f>; 2] {
    let graph = || -> ZoneGraph<'f> { fixture.graph() };
    let nodes = || build_coloured(&fixture.settings(Order::Bfs));
    [
        Box::new(Nested::new(graph(), nodes(), condition.clone())),
        Box::new(Components::new(graph(), nodes(), condition.clone())),
    ]
}

/// The results of both algorithms from the initial state.
fn results(fixture: &Fixture, condition: &RunCondition) -> [(CycleSearchResult, Stats); 2] {
    algorithms(fixture, condition).map(|mut search| {
        let result = search.search(Start::Initial, &mut unlimited(), &mut quiet());
        (result, search.stats())
    })
}

/// The lengths of stem and cycle.
fn lengths(result: &CycleSearchResult) -> Option<(usize, usize)> {
    match result {
        CycleSearchResult::Cycle { stem, cycle } => Some((stem.len(), cycle.len())),
        CycleSearchResult::NotFound => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cycle_with_an_accepting_node_is_found() {
    // A stem of one or two transitions, and a cycle of two: 1, 2.
    let fixture = untimed(&[process("P", 3, &[(0, 1), (1, 2), (2, 1)])], &[(0, 2)]);
    for (result, _) in results(&fixture, &accepting(&fixture)) {
        let (stem, cycle) = lengths(&result).expect("a cycle");
        assert!((1..=2).contains(&stem) && cycle == 2, "{result:?}");
    }
}

#[test]
fn a_cycle_beside_the_accepting_node_does_not_count() {
    for edges in [&[(0, 1), (1, 2), (2, 2)][..], &[(0, 0), (0, 1)], &[(0, 1), (1, 2)]] {
        let fixture = untimed(&[process("P", 3, edges)], &[(0, 1)]);
        for (result, stats) in results(&fixture, &accepting(&fixture)) {
            assert_eq!(result, CycleSearchResult::NotFound);
            assert_eq!(stats.stored + stats.covered, stats.transitions + 1);
        }
    }
}

#[test]
fn without_acceptance_sets_every_cycle_counts() {
    let condition = RunCondition { acceptance: Acceptance::default(), diverging: false, deadlocked: false };
    let cyclic = untimed(&[process("P", 2, &[(0, 1), (1, 1)])], &[]);
    for (result, _) in results(&cyclic, &condition) {
        assert_eq!(lengths(&result), Some((1, 1)));
    }
    let acyclic = untimed(&[process("P", 2, &[(0, 1)])], &[]);
    for (result, _) in results(&acyclic, &condition) {
        assert_eq!(lengths(&result), None);
    }
}

#[test]
fn a_cycle_through_several_acceptance_sets_visits_all_of_them() {
    let fixture = untimed(&[process("P", 3, &[(0, 1), (1, 0), (0, 2), (2, 0)])], &[(0, 1), (0, 2)]);
    let [_, (result, _)] = results(&fixture, &accepting(&fixture));
    assert_eq!(lengths(&result).map(|(_, cycle)| cycle), Some(4));
}

#[test]
fn a_finite_run_counts_if_the_condition_says_so() {
    let acyclic = untimed(&[process("P", 2, &[(0, 1)])], &[]);
    let condition = RunCondition { acceptance: Acceptance::default(), diverging: true, deadlocked: false };
    for (result, _) in results(&acyclic, &condition) {
        assert!(
            matches!(&result, CycleSearchResult::FiniteRun { stem, .. } if stem.is_empty()),
            "{result:?}"
        );
    }
}

/// Each iteration takes a time unit, of which there are two. The zone after the second iteration is included in the zone after
/// the first, so that there is a cycle with a subsumption edge, and no infinite run.
#[test]
fn a_cycle_with_a_subsumption_edge_is_refined() {
    let lines = [
        "clock:1:x",
        "clock:1:y",
        "process:P",
        "location:P:A{initial:}",
        "edge:P:A:A:a{provided:x<=2&&y>=1 : do:y=0}",
    ];
    let fixture = fixture(&lines, &[(0, 0)]);
    for (result, stats) in results(&fixture, &accepting(&fixture)) {
        assert_eq!(result, CycleSearchResult::NotFound);
        assert_eq!((stats.stored, stats.visited), (3, 3));
    }
}

#[test]
fn red_nodes_are_not_visited_from_another_start() {
    let fixture = untimed(&[process("P", 3, &[(0, 1), (1, 2), (2, 2)])], &[(0, 0)]);
    let zone = Dbm::zero(fixture.system.dimension);
    for mut search in algorithms(&fixture, &accepting(&fixture)) {
        let mut find = |start| {
            let result = search.search(start, &mut unlimited(), &mut quiet());
            assert_eq!(result, CycleSearchResult::NotFound);
            (search.stats().visited, search.stats().stored)
        };
        let (visited, stored) = find(Start::Initial);
        // The inner search visits each node once more.
        assert!((3..=6).contains(&visited) && stored == 3);
        let mut memory = SymbolicState::new(&fixture.system).memory;
        memory.fill(0);
        memory[0] = 1;
        assert_eq!(find(Start::State { memory: &memory, zone: &zone }), (visited, stored));
    }
}

/// Results and statistics of the search by components with so many threads, from two starts if there is no run from the first.
fn in_rounds(
    fixture: &Fixture,
    condition: &RunCondition,
    threads: usize,
    sizes: RoundSizes,
) -> Vec<(CycleSearchResult, Stats)> {
    let settings = fixture.settings(Order::Bfs);
    let rounds = Rounds { threads, sizes, settings: settings.clone() };
    let components = Components::new(fixture.abstracted(), build_coloured(&settings), condition.clone());
    let mut search = components.in_rounds(Some(&rounds));
    let (mut memory, zone) =
        (SymbolicState::new(&fixture.system).memory, Dbm::zero(fixture.system.dimension));
    memory.fill(0);
    let starts = [Start::State { memory: &memory, zone: &zone }, Start::Initial];
    let mut results = Vec::new();
    for start in starts {
        results.push((search.search(start, &mut unlimited(), &mut quiet()), search.stats()));
        if results.last().is_some_and(|(result, _)| *result != CycleSearchResult::NotFound) {
            break;
        }
    }
    results
}

#[test]
fn the_graph_does_not_depend_on_the_number_of_threads() {
    let fixture = network(3);
    let finite = RunCondition { acceptance: Acceptance::default(), diverging: true, deadlocked: true };
    let mut never = accepting(&fixture);
    never.acceptance.sets.drain(..2);
    let mut critical = accepting(&fixture);
    critical.acceptance.sets.truncate(2);
    let mut largest = 0;
    for condition in [critical, finite, never] {
        for sizes in
            [RoundSizes { after: 0, width: 2, chunk: 1 }, RoundSizes { after: 50, width: 64, chunk: 4 }]
        {
            let one = in_rounds(&fixture, &condition, 1, sizes);
            largest = largest.max(one.last().map_or(0, |(_, stats)| stats.visited));
            for threads in [2, 3, 7, 16] {
                delay_threads(if threads == 7 { 0 } else { 77 + threads as u64 });
                let other = in_rounds(&fixture, &condition, threads, sizes);
                delay_threads(0);
                assert_eq!(one, other, "{threads} threads, {sizes:?}");
            }
        }
    }
    assert!(largest > 100, "{largest}");
}
