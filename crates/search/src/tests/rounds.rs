//! Rounds: for any number of threads and any delays, every count, every node and every path is the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tourbillon_base::Random;
use tourbillon_store::{
    Cover, DiscreteForm, Order, PassedWaiting, Settings, TableKind, TableSettings, WhenFull, ZoneForm,
};
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
    search_with(fixture, way, threads, sizes, tourbillon_store::build)
}

fn search_with<'f>(
    fixture: &'f Fixture,
    way: Way,
    threads: usize,
    sizes: RoundSizes,
    build: impl FnOnce(&Settings) -> Box<dyn PassedWaiting>,
) -> Search<'f> {
    let Way { order, zones, discrete, cover, committed, traces } = way;
    let settings = Settings { zones, discrete, cover, traces, ..fixture.settings(order) };
    let cost = match order {
        Order::Cheapest => {
            CostFunction::Sweep(Sweep::new(&fixture.system, Positions::topological(&fixture.system)))
        }
        _ => CostFunction::None,
    };
    let list = build(&settings);
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

/// The threads that all tests compare with one.
const THREADS: [usize; 4] = [2, 3, 7, 16];

/// Runs with one thread, and then with others and random delays: all must be equal.
fn same_for_all_threads(seed: u64, what: &str, run: impl Fn(usize) -> Observed) -> Observed {
    let one = run(1);
    for threads in THREADS {
        delay_threads(if threads == 7 { 0 } else { 1000 * seed + threads as u64 });
        let other = run(threads);
        delay_threads(0);
        assert_same(&one, &other, &format!("{what}, {threads} threads"));
    }
    one
}

/// The list is rewritten between two rounds, or before the first one. Nothing changes but its memory.
#[test]
fn a_list_that_is_packed_has_the_same_nodes() {
    let fixture = network(4);
    for (seed, after) in [(1, 0), (2, 300)] {
        // The width of wider rounds would depend on the memory.
        let sizes = RoundSizes { after, width: 1 << 17, chunk: 4 };
        let [fast, small] = [ZoneForm::Plain, ZoneForm::DigitsShared]
            .map(|zones| Settings { zones, ..fixture.settings(Order::Bfs) });
        let run = |packs: bool, threads| {
            let list = match packs {
                true => tourbillon_store::build_packing(&fast, &small, 60_000),
                false => tourbillon_store::build(&fast),
            };
            let rounds = Rounds { threads, sizes, settings: fast.clone() };
            let mut search =
                Search::new(fixture.abstracted(), list, CostFunction::None).in_rounds(Some(rounds));
            let ended = search.find(None, &mut unlimited(), &mut quiet());
            observe(&mut search, ended)
        };
        let packed = same_for_all_threads(seed, "packed", |threads| run(true, threads));
        let plain = run(false, 1);
        assert!(packed.stats.is_packed && !plain.stats.is_packed);
        assert!(packed.stats.memory.total() < plain.stats.memory.total());
        let forget = |observed: Observed| {
            let stats = Stats { is_packed: false, distinct_zones: 0, ..observed.stats };
            without_memory(Observed { stats, ..observed })
        };
        assert_same(&forget(packed), &forget(plain), "packed and not");
    }
}

/// Rounds whose candidates do not fit into the memory that is left are divided, in the same way for any number of threads.
#[test]
fn candidates_do_not_exceed_the_limit_on_memory() {
    let fixture = network(6);
    let sizes = RoundSizes { after: 100, width: 4096, chunk: 4 };
    let run = |limit: Option<u64>, threads| {
        let mut search = search(&fixture, WAYS[0], threads, sizes);
        let limits = Limits { memory_bytes: limit, ..Limits::default() };
        let mut most = 0;
        let mut watch = |stats: &Stats| most = most.max(stats.memory.total() as u64);
        let ended = search.find(None, &mut Budget::new(limits, None), &mut watch);
        most = most.max(search.stats().memory.total() as u64);
        let rounds = search.round_times().rounds;
        (observe(&mut search, ended), most, rounds)
    };
    let (all, most, rounds) = run(None, 1);
    assert_eq!(all.ended, Ended::Complete);
    let mut divided = 0;
    for (seed, percent) in (1..).zip([95, 60, 30]) {
        let limit = most * percent / 100;
        let what = format!("{percent} % of {most} bytes");
        let limited = same_for_all_threads(seed, &what, |threads| run(Some(limit), threads).0);
        let (_, reached, of_limited) = run(Some(limit), 1);
        assert!(reached <= limit + limit / 16, "{what}: {reached}");
        divided += u64::from(of_limited > rounds);
        assert!(matches!(limited.ended, Ended::Complete | Ended::Exhausted(Exhausted::Memory)), "{what}");
    }
    assert!(divided > 0, "some round was divided");
}

/// Bits, signatures, and signatures with zones; large and full tables; with and without traces.
#[test]
fn tables_do_not_depend_on_the_number_of_threads() {
    let fixture = network(4);
    let bits = TableKind::Bits { per_state: 2 };
    let [short, long] = [3, 40].map(|bits| TableKind::Signatures { bits });
    let [short_with_zone, with_zone] = [3, 40].map(|bits| TableKind::SignaturesAndZones { bits });
    let tables = [
        (bits, 1 << 12, WhenFull::Stop),
        (bits, 1 << 20, WhenFull::Stop),
        (short, 1 << 10, WhenFull::Stop),
        (long, 1 << 16, WhenFull::Stop),
        (long, 1 << 10, WhenFull::Stop),
        (long, 1 << 10, WhenFull::Skip),
        (short_with_zone, 1 << 12, WhenFull::Stop),
        (with_zone, 1 << 16, WhenFull::Stop),
        (with_zone, 1 << 11, WhenFull::Skip),
    ];
    for (seed, (kind, memory_bytes, when_full)) in (1..).zip(tables) {
        let table = TableSettings { kind, memory_bytes, when_full, seed: 7 };
        for (way, sizes) in [
            (WAYS[0], RoundSizes { after: 0, width: 2, chunk: 1 }),
            (WAYS[1], RoundSizes { after: 100, width: 64, chunk: 4 }),
            (WAYS[2], RoundSizes { after: 30, width: 16, chunk: 3 }),
            (Way { order: Order::Cheapest, ..WAYS[4] }, RoundSizes { after: 10, width: 500, chunk: 8 }),
        ] {
            for goal in [None, Some(&fixture.at[0])] {
                let what = format!("{table:?}, {way:?}, {sizes:?}");
                let run = |threads| {
                    let mut search = search_with(&fixture, way, threads, sizes, |settings| {
                        tourbillon_store::build_table(settings, &table).expect("little memory")
                    });
                    let ended = search.find(goal, &mut unlimited(), &mut quiet());
                    assert!(search.round_times().rounds > 0 || goal.is_some(), "{what}");
                    observe(&mut search, ended)
                };
                let one = same_for_all_threads(seed, &what, run);
                let certainty = one.stats.certainty.expect("an estimate");
                assert!(
                    !certainty.stopped || when_full == WhenFull::Stop || memory_bytes < 1 << 12,
                    "{what}"
                );
                assert!(goal.is_some() || one.ended == Ended::Complete, "{what}: {:?}", one.ended);
            }
        }
    }
}

/// A large table makes no mistakes here: the discrete states and verdicts are those of the exact list.
#[test]
fn a_large_table_visits_what_an_exact_list_visits() {
    let fixture = network(4);
    // The width of narrower rounds would depend on the memory.
    let sizes = RoundSizes { after: 20, width: 1 << 17, chunk: 2 };
    let exact = |cover| {
        let mut search = search(&fixture, Way { cover, ..WAYS[0] }, 2, sizes);
        search.find(None, &mut unlimited(), &mut quiet());
        search.stats()
    };
    let table = |kind, cover| {
        let table = TableSettings { kind, memory_bytes: 1 << 20, when_full: WhenFull::Stop, seed: 1 };
        let way = Way { cover, ..WAYS[0] };
        let mut search = search_with(&fixture, way, 2, sizes, |settings| {
            tourbillon_store::build_table(settings, &table).expect("little memory")
        });
        let ended = search.find(None, &mut unlimited(), &mut quiet());
        assert_eq!(ended, Ended::Complete);
        let stats = search.stats();
        let Stats { stored, covered, transient, transitions, .. } = stats;
        assert_eq!(stored + covered + transient, transitions + 1, "{kind:?}");
        stats
    };
    let counts = |stats: &Stats| (stats.visited, stats.stored, stats.transitions, stats.mistakes);
    for cover in [Cover::Inclusion, Cover::Alu] {
        let with_zone = table(TableKind::SignaturesAndZones { bits: 40 }, cover);
        assert_eq!(counts(&with_zone), counts(&exact(cover)), "{cover:?}");
    }
    for kind in [TableKind::Signatures { bits: 40 }, TableKind::Bits { per_state: 4 }] {
        let equal = table(kind, Cover::Equality);
        assert_eq!(counts(&equal), counts(&exact(Cover::Equality)), "{kind:?}");
    }
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

/// The first goal is not the earliest. Another one is found through states that wait while the first is selected: it does not end the
/// search before states of less cost are visited.
#[test]
fn a_round_with_several_costs_does_not_end_before_the_earliest_state() {
    let fixture = fixture(
        &[
            "clock:1:t",
            "process:P",
            "location:P:A{initial:}",
            "location:P:B{}",
            "location:P:C{}",
            "location:P:goal{}",
            "edge:P:A:goal:a{provided: t >= 10}",
            "edge:P:A:B:a{provided: t >= 1}",
            "edge:P:B:C:a{provided: t >= 2}",
            "edge:P:C:goal:a{provided: t >= 3}",
        ],
        &[(0, 3)],
    );
    for width in [1, 100] {
        let settings = fixture.settings(Order::Cheapest);
        let list = tourbillon_store::build(&settings);
        let rounds = Rounds { threads: 2, sizes: RoundSizes { after: 0, width, chunk: 2 }, settings };
        let cost = CostFunction::Earliest(tourbillon_base::Id::from_index(1));
        let mut search = Search::new(fixture.graph(), list, cost).in_rounds(Some(rounds));
        let ended = search.find(Some(&fixture.at[0]), &mut unlimited(), &mut quiet());
        let Ended::Found { least: Some(least), .. } = ended else { panic!("{ended:?}") };
        assert_eq!((least.value, least.excluded), (3, false), "rounds of {width}");
    }
}
