//! Random networks with every feature, and every choice that has rounds: nothing depends on the number of threads.
//!
//! Each network is explored, and its queries are answered, suprema and infima of its clocks too, under a plan drawn by its seed, with
//! one thread and with others. All of the answers must be equal: verdicts with their reasons, every count and every byte, runs and values. That they are right is
//! the matter of `random.rs`, `liveness_random.rs`, `extremes` and `tables.rs`, whose plans have rounds too. The order of nodes, and
//! random delays between chunks, are tested in `search/src/tests/rounds.rs`.
//!
//! The number of networks is a tenth of `TOURBILLON_NETWORKS` (default 3,000), the first seed `TOURBILLON_SEED` (default 1). With
//! `TOURBILLON_SECONDS` the test goes on for so long: the stress run takes an hour.

use std::time::{Duration, Instant};

use tourbillon_base::Random;
use tourbillon_check::{
    Answer, Committed, Cover, DiscreteForm, HashingRequest, Job, Limits, Order, PassedForm, PlanRequest,
    RoundSizes, TraceKind, WhenFull, ZoneForm, check,
};
use tourbillon_model::{Language, Model};
use tourbillon_testkit::networks::{Network, Shape};

use crate::{extremes, from_environment};

const THREADS: [u32; 4] = [2, 3, 7, 16];

/// Searches without an end are ended by this many states.
const STATES_MAX: u64 = 3_000;

fn one_of<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len())]
}

/// A plan in rounds, or one that the search drops them for, and its limits.
fn plan(random: &mut Random) -> (PlanRequest, Limits) {
    let after = random.below(6) as u64;
    let sizes =
        RoundSizes { after, width: one_of(random, &[1, 2, 3, 5, 20, 1000]), chunk: 1 + random.below(4) };
    let orders = [Order::Bfs, Order::Sweep, Order::Topological, Order::Best, Order::Mixed];
    let trace = one_of(random, &[TraceKind::None, TraceKind::Some, TraceKind::Shortest, TraceKind::Fastest]);
    let order = matches!(trace, TraceKind::None | TraceKind::Some).then(|| one_of(random, &orders));
    let mut plan_request = PlanRequest {
        round_sizes: Some(sizes),
        trace,
        order: order.filter(|_| random.below(4) > 0),
        zones: Some(one_of(random, &ZoneForm::ALL)),
        discrete: Some(one_of(
            random,
            &[
                DiscreteForm::Plain,
                DiscreteForm::Bits,
                DiscreteForm::Digits,
                DiscreteForm::Shared,
                DiscreteForm::Tree,
            ],
        )),
        cover: Some(one_of(random, &[Cover::Adaptive, Cover::Alu, Cover::Inclusion, Cover::Equality])),
        store: Some(one_of(random, &[Committed::Stored, Committed::Transient, Committed::Adaptive])),
        seed: random.next_u64(),
        ..PlanRequest::default()
    };
    if matches!(trace, TraceKind::Shortest | TraceKind::Fastest) {
        plan_request.store = Some(Committed::Stored);
    }
    if trace == TraceKind::Fastest && plan_request.cover == Some(Cover::Equality) {
        plan_request.cover = Some(Cover::Inclusion);
    }
    let mut limits = Limits { states: Some(STATES_MAX), ..Limits::default() };
    match random.below(6) {
        0 => {
            plan_request.when_full = Some(WhenFull::Pack);
            limits.memory_bytes = Some(2_000 + random.below(60_000) as u64);
        }
        1 => limits.memory_bytes = Some(2_000 + random.below(60_000) as u64),
        2 => {
            plan_request.discrete = None;
            let passed = [PassedForm::Bitstate, PassedForm::Compact, PassedForm::CompactZone];
            plan_request.passed = one_of(random, &passed);
            let memory_bytes = Some(1 << (10 + random.below(8)));
            plan_request.table = HashingRequest { memory_bytes, ..HashingRequest::default() };
            if plan_request.passed != PassedForm::Bitstate {
                plan_request.table.signature_bits = Some(1 + random.below(40) as u32);
                plan_request.when_full = Some(one_of(random, &[WhenFull::Stop, WhenFull::Skip]));
            }
        }
        3 if trace == TraceKind::Some => plan_request.traces = Some(1 + random.below(4)),
        _ => {}
    }
    (plan_request, limits)
}

/// The answers to all queries, or of an exploration; or why they are refused.
fn answers(
    model: &Model,
    explores: bool,
    (plan_request, limits): &(PlanRequest, Limits),
    threads: u32,
) -> Result<Vec<Answer>, String> {
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let plan_request = PlanRequest { threads: Some(threads), ..plan_request.clone() };
    let queries = (!explores).then_some(&queries[..]);
    let job = Job { model, queries, plan_request: &plan_request, limits: *limits, stop: None };
    check(&job, &mut |_| {}).map_err(|error| error.to_string())
}

/// What differs between two answers, if anything does.
fn difference(one: &Answer, other: &Answer) -> Option<String> {
    let texts = |answer: &Answer| {
        [
            format!("{:?} because {:?}", answer.verdict, answer.why),
            format!("{:?}", answer.stats),
            format!("{:?}", answer.witness),
            format!("{:?} {:?} {:?}", answer.values, answer.least_time, answer.several),
            format!("{:?} {:?}", answer.mixture, answer.rounds.map(|times| (times.rounds, times.candidates))),
        ]
    };
    let different = texts(one).into_iter().zip(texts(other)).find(|(one, other)| one != other);
    different.map(|(text, of_other)| format!("query {:?}:\n{text}\n{of_other}", one.query))
}

fn complaint(network: &Network, all_threads: bool) -> Option<String> {
    let mut random = Random::from_seed(network.seed);
    let liveness = random.below(3) == 0;
    let model = network.model_with_questions(liveness).unwrap_or_else(|error| panic!("{error}"));
    let plan = plan(&mut random);
    let others = if all_threads { THREADS.to_vec() } else { vec![one_of(&mut random, &THREADS)] };
    let extremes = (network.language == Language::Uppaal).then(|| extremes::random::model(network).ok());
    let asked =
        [(&model, true), (&model, false)].into_iter().chain(extremes.iter().flatten().map(|it| (it, false)));
    for (model, explores) in asked {
        // With one thread other combinations are allowed.
        if answers(model, explores, &plan, 2).is_err() {
            continue;
        }
        let one = answers(model, explores, &plan, 1).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
        for &threads in &others {
            let other = answers(model, explores, &plan, threads).unwrap_or_default();
            assert_eq!(one.len(), other.len());
            let differences = one.iter().zip(&other).find_map(|(one, other)| difference(one, other));
            if let Some(what) = differences {
                return Some(format!("{plan:?}, 1 and {threads} threads: {what}"));
            }
        }
    }
    None
}

fn judge(name: &str, shape: Shape, seed: u64, all_threads: bool) {
    let network = Network::random(seed, shape);
    if complaint(&network, all_threads).is_some() {
        let small = network.shrink(|smaller| complaint(smaller, true).is_some());
        let what = complaint(&small, true).unwrap_or_else(|| "the difference did not occur again".to_owned());
        panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
    }
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let networks = (from_environment("TOURBILLON_NETWORKS", 3_000) / 10).div_ceil(Shape::ALL.len() as u64);
    let first = from_environment("TOURBILLON_SEED", 1);
    let seconds = Duration::from_secs(from_environment("TOURBILLON_SECONDS", 0));
    let started = Instant::now();
    let all_threads = !seconds.is_zero();
    for seed in first.. {
        if seed >= first + networks && started.elapsed() >= seconds {
            return;
        }
        for (name, shape) in Shape::ALL {
            judge(name, shape, seed, all_threads);
        }
    }
}
