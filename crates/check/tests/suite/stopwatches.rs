//! Random networks in which clocks stand still: the engine against delays that are multiples of a fraction.
//!
//! No oracle decides what such a network reaches. What it reaches by delays of whole or half units it does reach
//! (`tourbillon_testkit::oracle::by_fractions`), so the engine must find it or answer `unknown`; every run that the engine
//! shows was replayed; and how often it answers `unknown` is counted and printed.
//!
//! The number of networks of each shape is `TOURBILLON_NETWORKS` (default 300), the first seed `TOURBILLON_SEED` (default
//! 1). The long run is
//! `TOURBILLON_NETWORKS=20000 cargo test --release -p tourbillon-check --test stopwatches -- --nocapture`.

use std::time::Duration;

use tourbillon_check::{Job, Limits, PlanRequest, TraceKind, Verdict, Why, check};
use tourbillon_model::{Model, QueryKind};
use tourbillon_testkit::networks::{Network, Shape, uppaal_model};
use tourbillon_testkit::oracle::{self, Reached};

use crate::from_environment;

/// How many states the oracle looks at.
const STATES_MAX: usize = 4_000;

/// Only distinguishes a search that ends from one that does not.
const TIME_MAX: Duration = Duration::from_secs(60);

/// What the engine said, in numbers.
#[derive(Default, Debug)]
struct CensusCounter {
    networks: u64,
    queries: u64,
    found: u64,
    complete: u64,
    failed: u64,
    unknown: u64,
    /// Of those found, how many the oracle reaches as well.
    confirmed: u64,
    /// What is unknown, and why.
    reasons: Vec<String>,
}

/// Whether finding a state decides the query, and which way.
fn found_verdict(kind: &QueryKind) -> Option<Verdict> {
    match kind {
        QueryKind::Possibly(_) => Some(Verdict::Satisfied),
        QueryKind::Invariantly(_) => Some(Verdict::Violated),
        _ => None,
    }
}

/// Whether the oracle has found the state that decides a query.
fn is_reached(model: &Model, reached: &Reached, query: usize) -> bool {
    match found_verdict(&model.queries[query].kind) {
        Some(Verdict::Satisfied) => reached.verdicts[query] == Some(true),
        Some(_) => reached.verdicts[query] == Some(false),
        None => false,
    }
}

/// What is wrong with the answers to a network, if anything.
fn complaint(network: &Network, counter: &mut CensusCounter) -> Option<String> {
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let judged: Vec<Reached> = [1, 2]
        .iter()
        .filter_map(|&parts| match oracle::by_fractions(&model, parts, STATES_MAX) {
            oracle::Answer::Reached(reached) => Some(reached),
            _ => None,
        })
        .collect();
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    for trace in [TraceKind::Some, TraceKind::Shortest] {
        let plan_request = PlanRequest { trace, seed: network.seed, ..PlanRequest::default() };
        let limits = Limits { time: Some(TIME_MAX), ..Limits::default() };
        let job =
            Job { model: &model, queries: Some(&queries), plan_request: &plan_request, limits, stop: None };
        let answers = check(&job, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        let counts = trace == TraceKind::Some;
        counter.networks += u64::from(counts);
        for answer in answers {
            let query = answer.query.expect("a query was asked");
            let text = &model.queries[query].text;
            let reached = judged.iter().any(|reached| is_reached(&model, reached, query));
            let found = found_verdict(&model.queries[query].kind);
            let sound = match answer.why {
                Why::Found => Some(answer.verdict) == found && answer.witness.is_some(),
                Why::Complete => Some(answer.verdict.opposite()) == found && !reached,
                _ => answer.verdict == Verdict::Unknown,
            };
            if !sound {
                return Some(format!(
                    "{text}: {:?} because {:?}; reached by fractions: {reached}",
                    answer.verdict, answer.why
                ));
            }
            if !counts {
                continue;
            }
            counter.queries += 1;
            match answer.why {
                Why::Found => counter.found += 1,
                Why::Complete => counter.complete += 1,
                Why::Failed(_) => counter.failed += 1,
                why => {
                    counter.unknown += 1;
                    counter.reasons.push(format!("seed {} {text}: {why:?}", network.seed));
                }
            }
            counter.confirmed += u64::from(reached && answer.verdict != Verdict::Unknown);
        }
    }
    None
}

/// Asks networks of a shape, shrinks the first that is wrong, and prints how much stays unknown.
#[expect(clippy::print_stdout, reason = "the figures are what the long run is for")]
fn judge(name: &str, shape: Shape, share: u64) -> CensusCounter {
    let networks = (from_environment("TOURBILLON_NETWORKS", 300) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut counter = CensusCounter::default();
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        if complaint(&network, &mut counter).is_some() {
            let is_wrong = |smaller: &Network| complaint(smaller, &mut CensusCounter::default()).is_some();
            let small = network.shrink(is_wrong);
            let what = complaint(&small, &mut CensusCounter::default()).unwrap_or_default();
            panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
        }
    }
    let CensusCounter { queries, found, complete, failed, unknown, confirmed, .. } = counter;
    println!(
        "{name}: {networks} networks, {queries} queries: {found} found ({confirmed} of them by fractions too), \
         {complete} not reachable, {failed} fail, {unknown} unknown"
    );
    counter.reasons.iter().take(10).for_each(|reason| println!("  {reason}"));
    counter
}

#[test]
fn stopwatches() {
    let counter = judge("stopwatches", Shape::STOPWATCHES, 100);
    assert!(counter.found > 0 && counter.complete > 0);
}

#[test]
fn stopwatches_and_strict_comparisons() {
    judge("strict", Shape { strict: true, ..Shape::STOPWATCHES }, 50);
}

#[test]
fn stopwatches_and_deadlocks() {
    let counter = judge("deadlocks", Shape { deadlocks: true, strict: true, ..Shape::STOPWATCHES }, 30);
    assert!(counter.found > 0 && counter.complete > 0);
}

/// `x = y + z` all along, which zones forget: they find `C`, and only polyhedra know that it is not reached. The second guard
/// is met, by waiting 1 at `A` and 2 at `B`.
#[test]
fn what_zones_only_seem_to_find_is_not_reachable() {
    let text = |x: i32| {
        format!(
            "clock x, y, z; process P() {{ state A {{ y' == 0 }}, B {{ z' == 0 }}, C; init A;\n\
             trans A -> B {{ }}, B -> C {{ guard x == {x} && y == 2 && z == 1; }}; }}\nsystem P;\n"
        )
    };
    for (x, verdict, why) in [(5, Verdict::Satisfied, Why::Complete), (3, Verdict::Violated, Why::Found)] {
        let model = uppaal_model(&text(x), "A[] not P.C\n").expect("a model");
        let plan_request = PlanRequest::default();
        let limits = Limits::default();
        let job = Job { model: &model, queries: Some(&[0]), plan_request: &plan_request, limits, stop: None };
        let answer = check(&job, &mut |_| ()).expect("it can be asked").remove(0);
        assert_eq!((answer.verdict, answer.why), (verdict, why), "{x}");
    }
}

/// `y` stands still at `A` for ever, so that its guard never holds there; at `B` it runs again.
#[test]
fn a_step_that_needs_a_standing_clock_cannot_be_waited_for() {
    for (edges, verdict) in [
        ("A -> A { guard y >= 1; }", Verdict::Violated),
        ("A -> A { guard y <= 0; }", Verdict::Satisfied),
        ("A -> B { guard x <= 2; }, B -> B { guard y >= 1; }", Verdict::Violated),
        ("A -> B { guard x >= 2; }, B -> B { guard y >= 1; }", Verdict::Satisfied),
        (
            "A -> B { guard x <= 2; }, A -> A { guard x >= 2 && y <= 1; }, B -> B { guard y >= 1; }",
            Verdict::Satisfied,
        ),
    ] {
        let text = format!(
            "clock x, y; process P() {{ state A {{ y' == 0 && x <= 5 }}, B; init A; trans {edges}; }} system P;"
        );
        let model = uppaal_model(&text, "A[] not deadlock\n").expect("a model");
        let plan_request = PlanRequest::default();
        let limits = Limits::default();
        let job = Job { model: &model, queries: Some(&[0]), plan_request: &plan_request, limits, stop: None };
        let answer = check(&job, &mut |_| ()).expect("it can be asked").remove(0);
        assert_eq!(answer.verdict, verdict, "{edges}: {:?}", answer.why);
    }
}

#[test]
fn stopwatches_and_everything_else() {
    let shape = Shape {
        strict: true,
        diagonals: true,
        values: true,
        priorities: true,
        timed_receivers: true,
        errors: true,
        ..Shape::STOPWATCHES
    };
    judge("everything", shape, 30);
}
