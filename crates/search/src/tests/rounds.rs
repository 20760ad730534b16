//! Rounds: for any number of threads and any delays, every count, every node and every path is the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tourbillon_base::Random;
use tourbillon_store::{Cover, DiscreteForm, Order, ZoneForm};
use tourbillon_system::Positions;

use super::{Fixture, fixture, process, quiet, unlimited};
use crate::{
    Budget, Committed, CostFunction, Ended, Exhausted, Limits, RoundSizes, Rounds, Search, Stats, Sweep,
};

/// The seed of delays before chunks; 0 for none.
static DELAYS: AtomicU64 = AtomicU64::new(0);

/// Delays threads from now on, unless the seed is 0.
pub(super) fn delay_threads(seed: u64) {
    DELAYS.store(seed, Ordering::Relaxed);
}

/// Delays a thread before a chunk, at random.
pub(crate) fn delay(chunk: usize) {
    let seed = DELAYS.load(Ordering::Relaxed);
    if seed > 0 {
        let micros = Random::from_seed(seed + chunk as u64).below(200) as u64;
        std::thread::sleep(Duration::from_micros(micros));
    }
}

/// Processes that compete for a lock after a delay, as in Fischer's protocol, with committed locations and shared data. The
/// predicates: the last and the first process are critical, the first is where it never is.
pub(super) fn network(processes: usize) -> Fixture {
    let mut lines = vec![
        format!("clock:{processes}:x"),
        format!("int:1:0:{processes}:0:id"),
        "int:1:0:1:0:bit".to_owned(),
    ];
    for number in 1..=processes {
        let (p, x) = (format!("P{number}"), format!("x[{}]", number - 1));
        lines.extend([
            format!("process:{p}"),
            format!("location:{p}:idle{{initial:}}"),
            format!("location:{p}:req{{invariant: {x} <= 10}}"),
            format!("location:{p}:wait{{}}"),
            format!("location:{p}:enter{{committed:}}"),
            format!("location:{p}:cs{{}}"),
            format!("location:{p}:unreachable{{}}"),
            format!("edge:{p}:idle:req:a{{provided: id == 0 : do: {x} = 0}}"),
            format!("edge:{p}:req:wait:a{{do: id = {number}; {x} = 0}}"),
            format!("edge:{p}:wait:req:a{{provided: id == 0 : do: {x} = 0}}"),
            format!("edge:{p}:wait:enter:a{{provided: id == {number} && {x} > 10}}"),
            format!("edge:{p}:enter:cs:a{{do: bit = 1 - bit}}"),
            format!("edge:{p}:cs:idle:a{{do: id = 0}}"),
        ]);
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    fixture(&lines, &[(processes - 1, 4), (0, 4), (0, 5)])
}

/// Everything that can be observed of a search: how it ended, its counts, its nodes in order with their states, and the path to
/// what it found.
#[derive(PartialEq, Debug)]
struct Observed {
    ended: Ended,
    stats: Stats,
    nodes: Vec<(usize, Vec<i32>, String)>,
    path: Option<Vec<u32>>,
}

fn observe(search: &mut Search<'_>, ended: Ended) -> Observed {
    let mut nodes = Vec::new();
    let mut state = tourbillon_zonegraph::SymbolicState::new(search.system());
    let fields = search.system().layout.fields();
    for node in search.list().stored_nodes() {
        search.list().load(node, &mut state.memory[..fields], &mut state.zone);
        nodes.push((tourbillon_base::Id::index(node), state.memory.clone(), format!("{:?}", state.zone)));
    }
    let path = match ended {
        Ended::Found { node, .. } => search.path(node),
        _ => None,
    };
    Observed { stats: search.stats(), ended, nodes, path }
}

/// Compares without printing hundreds of states.
fn assert_same(one: &Observed, other: &Observed, what: &str) {
    assert_eq!(one.ended, other.ended, "{what}");
    assert_eq!(one.stats, other.stats, "{what}");
    assert_eq!(one.path, other.path, "{what}");
    assert_eq!(one.nodes.len(), other.nodes.len(), "{what}");
    let different = one.nodes.iter().zip(&other.nodes).find(|(one, other)| one != other);
    assert!(different.is_none(), "{what}: {different:?}");
}

/// The same without the memory, which depends on how often the search was begun.
fn without_memory(observed: Observed) -> Observed {
    let stats = Stats { memory: tourbillon_store::Memory::default(), ..observed.stats };
    Observed { stats, ..observed }
}

/// A way to search.
#[derive(Clone, Copy, Debug)]
struct Way {
    order: Order,
    zones: ZoneForm,
    discrete: DiscreteForm,
    cover: Cover,
    committed: Committed,
    traces: bool,
}

const WAYS: [Way; 6] = {
    let way = Way {
        order: Order::Bfs,
        zones: ZoneForm::Shared,
        discrete: DiscreteForm::Bits,
        cover: Cover::Adaptive,
        committed: Committed::Stored,
        traces: true,
    };
    [
        way,
        Way { order: Order::Cheapest, traces: false, ..way },
        Way { committed: Committed::Adaptive, zones: ZoneForm::DigitsShared, ..way },
        Way { committed: Committed::Transient, order: Order::Cheapest, discrete: DiscreteForm::Tree, ..way },
        Way { zones: ZoneForm::Minimal, discrete: DiscreteForm::Shared, cover: Cover::Alu, ..way },
        Way {
            zones: ZoneForm::Plain,
            discrete: DiscreteForm::Digits,
            cover: Cover::Inclusion,
            traces: false,
            ..way
        },
    ]
};

fn search<'f>(fixture: &'f Fixture, way: Way, threads: usize, sizes: RoundSizes) -> Search<'f> {
    let Way { order, zones, discrete, cover, committed, traces } = way;
    let settings = tourbillon_store::Settings { zones, discrete, cover, traces, ..fixture.settings(order) };
    let cost = match order {
        Order::Cheapest => {
            CostFunction::Sweep(Sweep::new(&fixture.system, Positions::topological(&fixture.system)))
        }
        _ => CostFunction::None,
    };
    let list = tourbillon_store::build(&settings);
    let rounds = Rounds { threads, sizes, settings };
    Search::new(fixture.abstracted(), list, cost).with_committed(committed).in_rounds(Some(rounds))
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let fixture = network(4);
    for (seed, way) in (1..).zip(WAYS) {
        for sizes in
            [RoundSizes { after: 0, width: 2, chunk: 1 }, RoundSizes { after: 100, width: 64, chunk: 4 }]
        {
            for goal in [None, Some(&fixture.at[0])] {
                let run = |threads| {
                    let mut search = search(&fixture, way, threads, sizes);
                    let ended = search.find(goal, &mut unlimited(), &mut quiet());
                    // A second property continues the search.
                    let first = observe(&mut search, ended);
                    let ended = search.find(Some(&fixture.at[1]), &mut unlimited(), &mut quiet());
                    (first, observe(&mut search, ended))
                };
                let one = run(1);
                let visited = one.0.stats.visited;
                assert!(goal.is_some() || visited > 100, "{way:?}: {visited}");
                for threads in [2, 3, 7, 16] {
                    delay_threads(if threads == 7 { 0 } else { 1000 * seed + threads as u64 });
                    let other = run(threads);
                    delay_threads(0);
                    assert_same(&one.0, &other.0, &format!("{way:?}, {sizes:?}, {threads} threads"));
                    assert_same(&one.1, &other.1, &format!("{way:?}, {sizes:?}, {threads} threads, again"));
                }
            }
        }
    }
}

/// A complete exploration stores what one state after the other stores, up to the order of visits.
#[test]
fn rounds_store_the_discrete_states_that_single_visits_store() {
    let fixture = network(4);
    let mut plain = Search::new(
        fixture.abstracted(),
        tourbillon_store::build(&fixture.settings(Order::Bfs)),
        CostFunction::None,
    );
    let ended = plain.find(None, &mut unlimited(), &mut quiet());
    let mut expected: Vec<Vec<i32>> =
        observe(&mut plain, ended).nodes.into_iter().map(|(_, state, _)| state).collect();
    expected.sort_unstable();
    expected.dedup();
    for way in WAYS.into_iter().filter(|way| way.committed == Committed::Stored) {
        let mut search = search(&fixture, way, 2, RoundSizes { after: 20, width: 16, chunk: 2 });
        let ended = search.find(None, &mut unlimited(), &mut quiet());
        assert_eq!(ended, Ended::Complete);
        let found = observe(&mut search, ended);
        let Stats { stored, covered, transient, transitions, .. } = found.stats;
        assert_eq!(stored + covered + transient, transitions + 1, "{way:?}");
        let mut states: Vec<Vec<i32>> = found.nodes.into_iter().map(|(_, state, _)| state).collect();
        states.sort_unstable();
        states.dedup();
        assert_eq!(states, expected, "{way:?}");
    }
}

/// A limit ends the search between two rounds, and the search can be continued.
#[test]
fn a_limit_loses_nothing() {
    let fixture = network(4);
    let sizes = RoundSizes { after: 10, width: 16, chunk: 2 };
    let whole = |limit: Option<u64>| {
        let mut search = search(&fixture, WAYS[0], 3, sizes);
        let mut budget = Budget::new(Limits { states: limit, ..Limits::default() }, None);
        let mut ended = search.find(None, &mut budget, &mut quiet());
        if limit.is_some() {
            assert_eq!(ended, Ended::Exhausted(Exhausted::States));
            assert!(search.stats().waiting > 0);
            ended = search.find(None, &mut unlimited(), &mut quiet());
        }
        without_memory(observe(&mut search, ended))
    };
    let expected = whole(None);
    assert_eq!(expected.ended, Ended::Complete);
    for limit in [20, 100, 150] {
        assert_same(&whole(Some(limit)), &expected, &format!("a limit of {limit}"));
    }
}

/// A flag that is set ends the search within a round, which is then repeated.
#[test]
fn an_interrupted_round_is_repeated() {
    let fixture = network(4);
    let sizes = RoundSizes { after: 10, width: 16, chunk: 2 };
    let mut all = search(&fixture, WAYS[0], 2, sizes);
    let ended = all.find(None, &mut unlimited(), &mut quiet());
    let expected = without_memory(observe(&mut all, ended));
    let mut search = search(&fixture, WAYS[0], 2, sizes);
    for interruption in 1..=5 {
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = Budget::new(Limits::default(), Some(&stop));
        // The flag is set after the limits were checked, so the next round begins and is interrupted.
        let mut interrupt = |stats: &Stats| stop.store(stats.visited >= 25 * interruption, Ordering::Relaxed);
        let ended = search.find(None, &mut budget, &mut interrupt);
        assert_eq!(ended, Ended::Exhausted(Exhausted::Interrupted));
    }
    let ended = search.find(None, &mut unlimited(), &mut quiet());
    assert_same(&without_memory(observe(&mut search, ended)), &expected, "interrupted");
}

/// One process without a choice: rounds of one node.
#[test]
fn narrow_graphs_have_narrow_rounds() {
    let edges: Vec<(usize, usize)> = (0..29).map(|from| (from, from + 1)).collect();
    let lines = process("P", 30, &edges);
    let fixture = fixture(&lines.iter().map(String::as_str).collect::<Vec<_>>(), &[(0, 29)]);
    let mut search = search(&fixture, WAYS[0], 3, RoundSizes { after: 2, width: 8, chunk: 2 });
    let ended = search.find(Some(&fixture.at[0]), &mut unlimited(), &mut quiet());
    let Ended::Found { node, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(search.path(node).map(|path| path.len()), Some(29));
    assert_eq!(search.stats().visited, 29);
}
