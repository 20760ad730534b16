//! The benchmark families, explored in full: the counts that another checker reports must come out.
//!
//! Figures by equality depend on nothing but the abstraction and must agree exactly. So must those by inclusion
//! and by a_LU, since transitions are taken in the order of the text.
//!
//! What the orders save is compared with Table 1 of `[HerbreteauTran2015]`, where the models are those of the paper.

use std::time::Instant;

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Abstraction, BoundsScope, Committed, Cover, Job, Limits, Order, PlanRequest, PositionSource, Stats,
    TraceKind, check,
};
use tourbillon_gen::{Algorithm, Bounds, Extrapolation, Known, families};

/// What the command line would ask for to repeat a measurement. The other checker stores all states.
fn plan_request(known: &Known) -> PlanRequest {
    let scope = |bounds: Bounds| match bounds {
        Bounds::Global => BoundsScope::Global,
        Bounds::Local => BoundsScope::Local,
    };
    let (abstraction, bounds) = match known.extrapolation {
        Extrapolation::None => (Abstraction::None, BoundsScope::Local),
        Extrapolation::M(bounds) => (Abstraction::ExtraM, scope(bounds)),
        Extrapolation::MPlus(bounds) => (Abstraction::ExtraMPlus, scope(bounds)),
        Extrapolation::Lu(bounds) => (Abstraction::ExtraLu, scope(bounds)),
        Extrapolation::LuPlus(bounds) => (Abstraction::ExtraLuPlus, scope(bounds)),
    };
    PlanRequest {
        abstraction: Some(abstraction),
        bounds: Some(bounds),
        cover: Some(match known.algorithm {
            Algorithm::Reach => Cover::Equality,
            Algorithm::CovReach => Cover::Inclusion,
            Algorithm::AluCovReach => Cover::Alu,
        }),
        order: Some(match known.order {
            tourbillon_gen::Order::Bfs => Order::Bfs,
            tourbillon_gen::Order::Dfs => Order::Dfs,
        }),
        trace: TraceKind::None,
        store: Some(Committed::Stored),
        ..PlanRequest::default()
    }
}

fn explore(text: &str, plan_request: &PlanRequest) -> Stats {
    let (model, diagnostics) = tourbillon_front_tchecker::load("family.tck", text, &mut SourceMap::new());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let job = Job { model: &model, queries: None, plan_request, limits: Limits::default(), stop: None };
    let answers = check(&job, &mut |_| {}).expect("a family can be compiled");
    answers[0].stats
}

/// Explorations that would take long in a test run are left to `tourbillon-bench`.
const TRANSITIONS_MAX: u64 = 400_000;

#[test]
fn counts_are_those_of_the_peer() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for family in families() {
        for known in family.known().iter().filter(|known| known.transitions <= TRANSITIONS_MAX) {
            let text = family.tck(known.n).expect("a member");
            let started = Instant::now();
            let stats = explore(&text, &plan_request(known));
            compared += 1;
            let found = (stats.stored, stats.visited, stats.transitions);
            if found != (known.stored, known.visited, known.transitions) {
                wrong.push(format!(
                    "{} {known:?}: found {found:?} in {:?}",
                    family.name(),
                    started.elapsed()
                ));
            }
            if known.algorithm != Algorithm::Reach {
                assert_eq!(
                    stats.stored + stats.covered,
                    stats.transitions + 1,
                    "{} {known:?}",
                    family.name()
                );
            }
        }
    }
    assert!(compared > 100, "hardly anything to compare: {compared}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The default cover, on what a_LU helps and on what it does not: for the same as the peer's a_LU and inclusion.
#[test]
fn a_lu_is_tested_where_it_helps() {
    for (name, n, inclusion, adaptive) in [
        ("corsso", 3, 61_948, 8_746),
        ("fddi", 10, 525, 459),
        ("fischer", 6, 2_378, 2_378),
        ("dining-philosophers", 5, 911, 911),
    ] {
        let text = tourbillon_gen::family(name).expect("a family").tck(n).expect("a member");
        let stored = |cover| {
            explore(&text, &PlanRequest { cover, trace: TraceKind::None, ..PlanRequest::default() }).stored
        };
        assert_eq!(stored(Some(Cover::Inclusion)), inclusion, "{name} {n}");
        assert_eq!(stored(None), adaptive, "{name} {n}");
    }
}

/// A row of Table 1 for an order: visited, mistakes, stored at the end, stored at most, visited for ranks.
type Figures = [u64; 5];

/// A member, then what the paper has for BFS, R-BFS and TW-BFS.
const TABLE: [(&str, u32, [Figures; 3]); 7] = [
    ("blow-up", 5, [[63, 52, 11, 22, 0], [16, 5, 11, 11, 13], [11, 0, 11, 11, 0]]),
    ("blow-up", 10, [[1254, 1233, 21, 250, 0], [31, 10, 21, 21, 28], [21, 0, 21, 21, 0]]),
    ("fddi", 8, [[2635, 2294, 341, 439, 0], [437, 96, 341, 341, 579], [349, 8, 341, 341, 0]]),
    ("fddi", 10, [[10219, 9694, 525, 999, 0], [684, 159, 525, 525, 1168], [535, 10, 525, 525, 0]]),
    ("fischer", 7, [[11951, 4214, 7737, 7738, 0], [7737, 0, 7737, 7737, 0], [7737, 0, 7737, 7737, 0]]),
    (
        "fischer",
        8,
        [[40536, 15456, 25080, 25082, 0], [25080, 0, 25080, 25080, 0], [25080, 0, 25080, 25080, 0]],
    ),
    // Breadth first takes seconds; for the others there is nothing to it.
    ("blow-up", 15, [[0; 5], [46, 15, 31, 31, 43], [31, 0, 31, 31, 0]]),
];

fn figures(name: &str, n: u32, order: Order) -> Figures {
    let text = tourbillon_gen::family(name).expect("a family").tck(n).expect("a member");
    let (order, cover, trace) = (Some(order), Some(Cover::Inclusion), TraceKind::None);
    let plan_request = PlanRequest { order, cover, trace, ..PlanRequest::default() };
    let Stats { visited, mistakes, stored, stored_max, rank_visits, .. } = explore(&text, &plan_request);
    [visited, mistakes, stored, stored_max, rank_visits]
}

#[test]
fn breadth_first_and_by_ranks_the_table_of_the_paper_comes_out() {
    for (name, n, [bfs, ranked, _]) in TABLE {
        assert_eq!(figures(name, n, Order::Ranked), ranked, "{name} {n}");
        if bfs != [0; 5] {
            assert_eq!(figures(name, n, Order::Bfs), bfs, "{name} {n}");
        }
    }
}

/// In topological order there are no mistakes at all, where the paper has one for each station of FDDI: of the orders
/// that its section 4.1 allows, theirs is another.
#[test]
fn in_topological_order_there_are_no_mistakes() {
    for (name, n, [_, _, [_, mistakes, stored, stored_max, _]]) in TABLE {
        assert_eq!(figures(name, n, Order::Topological), [stored, 0, stored, stored_max, 0], "{name} {n}");
        assert!(name == "fddi" || mistakes == 0);
    }
}

/// However edges are taken, and wherever locations stand, the same remains.
#[test]
fn what_is_stored_depends_on_no_shuffling() {
    for (name, n, [_, _, [_, _, stored, ..]]) in TABLE.iter().copied().filter(|row| row.2[0][0] < 12_000) {
        let text = tourbillon_gen::family(name).expect("a family").tck(n).expect("a member");
        for seed in 1..4 {
            for order in [Order::Topological, Order::Ranked] {
                let positions = match order {
                    Order::Topological => PositionSource::Random,
                    _ => PositionSource::Computed,
                };
                let (order, cover, trace) = (Some(order), Some(Cover::Inclusion), TraceKind::None);
                let plan_request = PlanRequest {
                    order,
                    cover,
                    positions,
                    shuffle_edges: true,
                    seed,
                    trace,
                    ..PlanRequest::default()
                };
                let stats = explore(&text, &plan_request);
                assert_eq!((stats.stored, stats.visited), (stored, stored + stats.mistakes), "{name} {n}");
            }
        }
    }
}
