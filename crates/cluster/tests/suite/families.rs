//! The benchmark families, over several ranks: the known numbers of states, even shares, and runs over several ranks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Answer, Committed, Cover, Engine, Exhausted, Job, Layout, Limits, PlanRequest, TraceKind, Verdict, Why,
};
use tourbillon_cluster::{CpuTime, Ranks, check};
use tourbillon_gen::{Algorithm, Extrapolation, families, family};
use tourbillon_model::Model;

fn member(name: &str, n: u32) -> Model {
    let text = family(name).expect("a family").tck(n).expect("a member");
    tourbillon_front_tchecker::load(name, &text, &mut SourceMap::new()).0.expect("a model")
}

fn explored(model: &Model, plan_request: &PlanRequest, limits: Limits, ranks: Ranks<'_>) -> Answer {
    let job = Job { model, queries: None, plan_request, limits, stop: None };
    let answers = check(&job, ranks, CpuTime::default(), &mut |_| {}).expect("a family can be compiled");
    answers.expect("the first rank is here").remove(0)
}

/// Explorations by equality have the same numbers for every correct engine.
#[test]
fn numbers_are_those_of_the_peer() {
    let mut compared = 0;
    for family in families() {
        let known = family.known().iter().find(|known| {
            known.algorithm == Algorithm::Reach
                && matches!(known.extrapolation, Extrapolation::LuPlus(tourbillon_gen::Bounds::Local))
                && known.transitions <= 100_000
        });
        let Some(known) = known else { continue };
        let model = member(family.name(), known.n);
        let plan_request = PlanRequest {
            cover: Some(Cover::Equality),
            trace: TraceKind::None,
            store: Some(Committed::Stored),
            ..PlanRequest::default()
        };
        for ranks in [1, 2, 3] {
            let found = explored(&model, &plan_request, Limits::default(), Ranks::Threads(ranks)).stats;
            assert_eq!(
                (found.stored, found.visited, found.transitions),
                (known.stored, known.visited, known.transitions),
                "{} {}, {ranks} ranks",
                family.name(),
                known.n
            );
        }
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} families compared");
}

/// What each rank stores, and the bytes it takes, are within a tenth of the average.
#[test]
fn ranks_have_equal_shares() {
    for (name, n) in [("fischer", 7), ("csmacd", 8)] {
        let model = member(name, n);
        for ranks in [2, 4] {
            let found = explored(&model, &PlanRequest::default(), Limits::default(), Ranks::Threads(ranks));
            let average = found.stats.stored / ranks as u64;
            for rank in &found.ranks {
                let stored = rank.stats.stored;
                assert!(
                    stored.abs_diff(average) * 10 <= average,
                    "{name} {n}: {stored}, on average {average}"
                );
            }
        }
    }
}

#[test]
fn the_rank_that_meets_a_limit_is_named() {
    let model = member("fischer", 6);
    let limits = Limits { states: Some(300), ..Limits::default() };
    let found = explored(&model, &PlanRequest::default(), limits, Ranks::Threads(3));
    assert_eq!(found.verdict, Verdict::Unknown);
    assert!(matches!(found.why, Why::RankExhausted { rank: 0..=2, what: Exhausted::States }));
    assert_eq!(found.ranks.len(), 3, "what was done is told");
    let limits = Limits { memory_bytes: Some(1 << 12), ..Limits::default() };
    let found = explored(&model, &PlanRequest::default(), limits, Ranks::Simulated { ranks: 2, seed: 5 });
    let why = &found.why;
    assert!(matches!(why, Why::RankExhausted { rank: 0..=1, what: Exhausted::Memory }), "{why:?}");
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let found = explored(&model, &PlanRequest::default(), limits, Ranks::Threads(2));
    assert!(matches!(found.why, Why::RankExhausted { what: Exhausted::Time, .. }));
}

/// Whoever has the initial state looks at it, as on one machine, however early another rank runs out of time.
#[test]
fn no_time_is_enough_for_the_initial_state() {
    let model = member("fischer", 3);
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    for layout in [Layout::Hash, Layout::CddSpread] {
        let plan_request =
            PlanRequest { engine: Engine::Cluster, layout: Some(layout), ..PlanRequest::default() };
        for seed in 0..40 {
            let ranks = Ranks::Simulated { ranks: 1 + seed as usize % 5, seed };
            let found = explored(&model, &plan_request, limits, ranks);
            assert!(matches!(found.why, Why::RankExhausted { what: Exhausted::Time, .. }));
            assert_eq!(found.stats.stored, 1, "{layout:?}, {ranks:?}");
        }
    }
}

#[test]
fn a_wish_to_stop_is_heard() {
    let model = member("fischer", 6);
    let stop = Arc::new(AtomicBool::new(true));
    let job = Job {
        model: &model,
        queries: None,
        plan_request: &PlanRequest::default(),
        limits: Limits::default(),
        stop: Some(&stop),
    };
    let answers =
        check(&job, Ranks::Threads(3), CpuTime::default(), &mut |_| {}).expect("it can be explored");
    let why = &answers.expect("the first rank is here")[0].why;
    assert!(matches!(why, Why::RankExhausted { what: Exhausted::Interrupted, .. }), "{why:?}");
}
