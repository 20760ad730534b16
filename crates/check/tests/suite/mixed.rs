//! Orders in turns: never more than twice the visits of the better one, the same each time, and the same verdicts.
//!
//! The models of `bench/find` are those of which one order finds a state at once and another not in a million visits, and not
//! the same order for all. What the bound is, and why it holds, is in `search/src/mixed.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_check::{
    Answer, Cover, Exhausted, FoundBy, Job, Limits, Mixture, Order, PlanRequest, Progress, Stats,
    SymmetryUse, TraceKind, Verdict, Why, check,
};
use tourbillon_model::{Model, QueryKind};
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};

/// A model of `bench/find`.
fn model(name: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/find");
    let read = |ending| {
        let path = format!("{folder}/{name}.{ending}");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    parsed(&read("xta"), &read("q"))
}

fn parsed(text: &str, queries: &str) -> Model {
    uppaal_model(text, queries).unwrap_or_else(|error| panic!("{error}"))
}

/// A member of a family, with queries in the place of its own.
fn family(name: &str, n: u32, queries: &str) -> Model {
    let family = tourbillon_gen::family(name).unwrap_or_else(|error| panic!("{error}"));
    parsed(&family.xta(n).unwrap_or_else(|error| panic!("{error}")), queries)
}

const FIND: [&str; 5] = ["backoff", "counter", "lottery", "maze", "raft"];

fn in_order(order: Order) -> PlanRequest {
    PlanRequest { order: Some(order), trace: TraceKind::None, ..PlanRequest::default() }
}

fn asked(model: &Model, queries: &[usize], plan_request: &PlanRequest, limits: Limits) -> Vec<Answer> {
    let job = Job { model, queries: Some(queries), plan_request, limits, stop: None };
    check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

fn answer(model: &Model, query: usize, plan_request: &PlanRequest) -> Answer {
    asked(model, &[query], plan_request, Limits::default()).remove(0)
}

/// The same, ended after about so many visits.
fn answer_within(model: &Model, query: usize, plan_request: &PlanRequest, visits: u64) -> Answer {
    let stop = Arc::new(AtomicBool::new(false));
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > visits, Ordering::Relaxed);
    let job =
        Job { model, queries: Some(&[query]), plan_request, limits: Limits::default(), stop: Some(&stop) };
    check(&job, &mut watch).unwrap_or_else(|error| panic!("{plan_request:?}: {error}")).remove(0)
}

/// Asserts that no order of a mixture takes less than half of its visits alone. Returns what the mixture came to.
fn assert_bound(model: &Model, query: usize, mixed: &PlanRequest) -> Answer {
    let together = answer(model, query, mixed);
    let visited = together.stats.visited;
    let mixture = mixture(&together);
    assert_eq!(mixture.visited.map(|(_, visited)| visited).iter().sum::<u64>(), visited);
    assert!(mixture.walk_steps <= visited / 8, "{mixture:?}");
    for (order, _) in mixture.visited {
        let plan_request = PlanRequest { order: Some(order), ..mixed.clone() };
        let alone = answer_within(model, query, &plan_request, visited / 2);
        if matches!(alone.why, Why::Found | Why::Complete) {
            let text = &model.queries[query].text;
            assert!(visited <= 2 * alone.stats.visited, "{text}: {visited} for {}", alone.stats.visited);
            assert_eq!(alone.verdict, together.verdict, "{text}");
        }
    }
    together
}

fn mixture(answer: &Answer) -> Mixture {
    answer.mixture.expect("orders were mixed")
}

fn found_by(answer: &Answer) -> Option<FoundBy> {
    mixture(answer).found_by
}

#[test]
fn no_more_than_twice_the_visits_of_the_better_order() {
    for name in FIND {
        let model = model(name);
        for query in 0..model.queries.len() {
            let answer = assert_bound(&model, query, &in_order(Order::Mixed));
            assert_eq!(answer.verdict, Verdict::Satisfied, "{name} {query}");
        }
    }
}

#[test]
fn the_same_on_families_whatever_is_asked() {
    let fischer = "E<> Process(1).critical\nE<> Process(1).critical && Process(2).critical\nE<> id == 3\n\
        A[] id != 2\nE<> id == 2 && Process(3).wait && Process(1).x > 5\nE<> Process(2).wait && id == 1\n";
    let gate = "E<> Train(0).Cross\nE<> Train(1).Cross && Train(0).Stop\nE<> deadlock\nA[] !Train(2).Cross\n";
    for model in [family("fischer", 4, fischer), family("train-gate", 3, gate)] {
        for query in 0..model.queries.len() {
            for cover in [Cover::Inclusion, Cover::Equality] {
                assert_bound(&model, query, &PlanRequest { cover: Some(cover), ..in_order(Order::Mixed) });
            }
        }
    }
}

#[test]
fn the_same_on_random_networks() {
    for seed in 0..200 {
        let network = Network::random(seed, Shape::STRICT);
        let model = network.model().unwrap_or_else(|error| panic!("{error}"));
        let is_reach = |query: &usize| {
            matches!(model.queries[*query].kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_))
        };
        for query in (0..model.queries.len()).filter(is_reach) {
            let plan_request = in_order(Order::Mixed);
            let answer = answer_within(&model, query, &plan_request, 20_000);
            if matches!(answer.why, Why::Found | Why::Complete) {
                assert_bound(&model, query, &PlanRequest { seed, ..plan_request });
            }
        }
    }
}

/// Each of them is the one that finds something, somewhere; and what it finds has a run that replays.
#[test]
fn each_finds_what_the_others_do_not() {
    let cases = [
        ("counter", 0, FoundBy::Order(Order::Best)),
        ("raft", 2, FoundBy::Order(Order::Dfs)),
        ("maze", 0, FoundBy::Order(Order::Dfs)),
        ("lottery", 0, FoundBy::RandomWalk),
    ];
    for (name, query, by) in cases {
        let answer = answer(&model(name), query, &PlanRequest::default());
        assert_eq!((answer.verdict, found_by(&answer)), (Verdict::Satisfied, Some(by)), "{name}");
        assert!(answer.witness.is_some(), "{name}");
        assert_eq!(answer.plan.map(|plan| plan.order), Some(Order::Mixed), "{name}");
    }
}

#[test]
fn the_same_visits_each_time_and_random_walks_by_the_seed() {
    let model = model("lottery");
    let run = |seed| {
        let answer = answer(&model, 0, &PlanRequest { seed, ..PlanRequest::default() });
        let Stats { visited, stored, transitions, covered, .. } = answer.stats;
        (visited, stored, transitions, covered, answer.mixture)
    };
    assert_eq!(run(1), run(1));
    let several: Vec<_> = (1..6).map(run).collect();
    assert!(several.iter().any(|one| one != &several[0]), "{several:?}");
}

/// Where everything is to be visited nothing is mixed, and a question without a witness pays nothing.
#[test]
fn without_a_witness_there_is_one_order() {
    let queries = "A[] id <= 4\nE<> id == 4\nA[] id >= 0\nE<> id > 4\n";
    let model = family("fischer", 4, queries);
    // Each would have the symmetry of its own formula, and a search of its own.
    let asymmetric = PlanRequest { symmetry: SymmetryUse::Off, ..PlanRequest::default() };
    let all = asked(&model, &[0, 1, 2, 3], &asymmetric, Limits::default());
    let alone = answer(&model, 0, &PlanRequest { symmetry: SymmetryUse::Off, ..in_order(Order::Sweep) });
    assert_eq!(all[0].stats.visited, alone.stats.visited);
    assert!(all[0].mixture.is_none() && all[2].mixture.is_none());
    // What was stored for the first is all that there is.
    for answer in &all[1..] {
        assert_eq!((answer.stats.visited, answer.reused), (alone.stats.visited, alone.stats.stored));
    }
    use Verdict::{Satisfied, Violated};
    let verdicts: Vec<Verdict> = all.iter().map(|answer| answer.verdict).collect();
    assert_eq!(verdicts, [Satisfied, Satisfied, Satisfied, Violated]);
}

/// A question without a witness goes on with the search in the usual order, and leaves the other one.
#[test]
fn questions_of_both_kinds_share_a_search() {
    let queries = "E<> id == 3\nA[] id <= 4\nE<> id == 4\n";
    let model = family("fischer", 4, queries);
    // Each would have the symmetry of its own formula, and a search of its own.
    let asymmetric = PlanRequest { symmetry: SymmetryUse::Off, ..PlanRequest::default() };
    let all = asked(&model, &[0, 1, 2], &asymmetric, Limits::default());
    let alone = answer(&model, 1, &PlanRequest { symmetry: SymmetryUse::Off, ..in_order(Order::Sweep) });
    assert_eq!(all[1].stats.visited, alone.stats.visited);
    assert!(all.iter().all(|answer| answer.verdict == Verdict::Satisfied));
    assert!(all[1].reused > 0 && all[2].reused == alone.stats.stored);
}

/// When room runs out the depth-first search is given up, and the other has all of it.
#[test]
fn a_limit_ends_the_deep_search_first() {
    let model = family("fischer", 5, "E<> Process(1).critical && Process(2).critical\n");
    let alone = answer(&model, 0, &in_order(Order::Best));
    assert_eq!(alone.why, Why::Complete);
    let stored = alone.stats.stored_max;
    let bytes = alone.stats.memory.total() as u64;
    let enough = [
        Limits { states: Some(stored + 300), ..Limits::default() },
        Limits { memory_bytes: Some(bytes + bytes / 4), ..Limits::default() },
    ];
    for limits in enough {
        let answer = asked(&model, &[0], &in_order(Order::Mixed), limits).remove(0);
        assert_eq!((answer.verdict, &answer.why), (Verdict::Violated, &Why::Complete), "{limits:?}");
        let [(_, wide), (_, deep)] = mixture(&answer).visited;
        assert_eq!(wide, alone.stats.visited);
        assert!(0 < deep && deep < wide, "{deep} of {wide}");
        assert_eq!(answer.stats.visited, wide + deep);
    }
    let limits = Limits { states: Some(stored / 2), ..Limits::default() };
    let answer = asked(&model, &[0], &in_order(Order::Mixed), limits).remove(0);
    assert_eq!(answer.why, Why::Exhausted(Exhausted::States));
    assert!(answer.stats.stored >= stored / 2);
}

/// Depth first comes upon a state where the model fails; the order that is chosen alone finds what is asked for before.
#[test]
fn a_failure_that_only_depth_first_comes_upon_does_not_count() {
    let text = "int[0, 5] n; process P() { state A, B, C, D; init A; \
        trans A -> B { }, B -> C { }, C -> D { }, A -> A { assign n = n + 1; }; }\nsystem P;\n";
    let model = parsed(text, "E<> P.D\nE<> n == 9\n");
    let failing = answer(&model, 0, &in_order(Order::Dfs));
    assert!(matches!(failing.why, Why::Failed(_)), "{:?}", failing.why);
    let mixed = answer(&model, 0, &PlanRequest::default());
    assert_eq!((mixed.verdict, found_by(&mixed)), (Verdict::Satisfied, Some(FoundBy::Order(Order::Best))));
    let failing = answer(&model, 1, &PlanRequest::default());
    assert!(matches!(failing.why, Why::Failed(_)), "{:?}", failing.why);
}
