//! Random networks and their endless runs: every plan against an oracle that shares nothing with any of them.
//!
//! Each network gets questions by `E[]`, `A<>` and `-->`, which are answered for all runs and for those along which time
//! diverges. The oracle builds the region graph and looks for cycles (`tourbillon_testkit::oracle::liveness`). A run
//! that does not replay makes an answer `unknown`, which counts as wrong. Acceptance is asked of locations at random.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 700 in all), the first seed `TOURBILLON_SEED` (default 1).
//! The long run is
//! `TOURBILLON_NETWORKS=30000 cargo test --release -p tourbillon-check --test liveness_random`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_base::{Id, Random, SourceId, Span};
use tourbillon_check::{
    Abstraction, Answer, BoundsScope, Cover, CycleSearch, DiscreteForm, Job, Limits, PlanRequest, Progress,
    RoundSizes, TraceKind, Verdict, Why, ZoneForm, check,
};
use tourbillon_model::{Expr, ExprId, ExprKind, Language, LocationId, Model, ProcessId, QueryKind};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::Discrete;
use tourbillon_testkit::oracle::liveness::{accepts, verdicts};

use crate::{from_environment, window};

/// How many states the oracle may store before a network is left out.
const STATES_MAX: usize = 6_000;

/// A search that visits more than this has no end, which is so only without extrapolation.
const VISITED_MAX: u64 = 200_000;

/// Without extrapolation there may be none.
const VISITED_MAX_EXACT: u64 = 1_000;

/// How many plans each network is checked with.
const PLANS: u64 = 8;

/// Plans that between them use every choice that matters here.
pub(crate) fn plans(non_zeno: bool, seed: u64) -> Vec<PlanRequest> {
    let base = PlanRequest { non_zeno, seed, ..PlanRequest::default() };
    let with = |change: &dyn Fn(&mut PlanRequest)| {
        let mut plan_request = base.clone();
        change(&mut plan_request);
        plan_request
    };
    let mut plans = vec![
        with(&|_| {}),
        with(&|w| w.trace = TraceKind::None),
        with(&|w| w.cycles = Some(CycleSearch::Components)),
        with(&|w| w.cycles = Some(CycleSearch::Nested)),
        with(&|w| {
            w.cycles = Some(CycleSearch::Nested);
            w.cover = Some(Cover::Equality);
        }),
        with(&|w| {
            w.cycles = Some(CycleSearch::Components);
            w.bounds = Some(BoundsScope::Global);
            w.cover = Some(Cover::Equality);
        }),
        with(&|w| {
            w.cover = Some(Cover::Alu);
            w.reduce = Some(true);
            w.abstraction = Some(Abstraction::ExtraLu);
        }),
        with(&|w| {
            w.abstraction = Some(Abstraction::None);
            w.cover = Some(Cover::Equality);
        }),
        with(&|w| {
            w.abstraction = Some(Abstraction::None);
            w.cover = Some(Cover::Inclusion);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Plain);
            w.discrete = Some(DiscreteForm::Plain);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Shared);
            w.discrete = Some(DiscreteForm::Shared);
        }),
        with(&|w| w.zones = Some(ZoneForm::Bits)),
        with(&|w| w.zones = Some(ZoneForm::DigitsShared)),
        with(&|w| w.zones = Some(ZoneForm::MinimalShared)),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 0, width: 4, chunk: 1 });
        }),
        with(&|w| {
            w.cycles = Some(CycleSearch::Components);
            w.threads = Some(3);
            w.round_sizes = Some(RoundSizes { after: 2, width: 32, chunk: 4 });
            w.zones = Some(ZoneForm::Bits);
            w.abstraction = Some(Abstraction::ExtraM);
        }),
    ];
    for abstraction in [Abstraction::ExtraM, Abstraction::ExtraMPlus] {
        for bounds in [BoundsScope::Global, BoundsScope::Local] {
            for cover in [Cover::Equality, Cover::Inclusion] {
                plans.push(with(&|w| {
                    w.abstraction = Some(abstraction);
                    w.bounds = Some(bounds);
                    w.cover = Some(cover);
                }));
            }
        }
    }
    window(plans, seed, PLANS)
}

/// Asks all queries of a model, and gives up on searches without an end.
fn answers(model: &Model, plan_request: &PlanRequest) -> Vec<Answer> {
    let exact = plan_request.abstraction == Some(Abstraction::None);
    let visited_max = if exact { VISITED_MAX_EXACT } else { VISITED_MAX };
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    let stop = Arc::new(AtomicBool::new(false));
    let job =
        Job { model, queries: Some(&queries), plan_request, limits: Limits::default(), stop: Some(&stop) };
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > visited_max, Ordering::Relaxed);
    check(&job, &mut watch).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

/// What the oracle makes of the engine's answers.
enum Judgement {
    Right,
    /// The oracle cannot tell.
    LeftOut,
    Wrong(String),
}

fn judgement(network: &Network) -> Judgement {
    let model = network.model_with_questions(true).unwrap_or_else(|error| panic!("{error}"));
    let mut judged = false;
    for non_zeno in [false, true] {
        let Ok(expected) = verdicts(&model, non_zeno, STATES_MAX) else { continue };
        judged = true;
        for plan_request in plans(non_zeno, network.seed) {
            if let Some(complaint) = complaint(&model, &expected, &plan_request) {
                return Judgement::Wrong(complaint);
            }
        }
    }
    if judged { Judgement::Right } else { Judgement::LeftOut }
}

/// What is wrong with the answers under one plan, if anything.
fn complaint(model: &Model, expected: &[Option<bool>], plan_request: &PlanRequest) -> Option<String> {
    answers(model, plan_request).into_iter().find_map(|answer| {
        let query = answer.query.expect("a query was asked");
        let expected = if expected[query]? { Verdict::Satisfied } else { Verdict::Violated };
        // Where clocks are compared with ever larger constants, a cycle counts only if a run along it repeats.
        let doubts = answer.plan.as_ref().is_some_and(|plan| plan.doubts_cycles);
        let gave_up = match answer.why {
            Why::Exhausted(_) => plan_request.abstraction == Some(Abstraction::None),
            Why::NotReplayed(_) => doubts,
            _ => false,
        };
        let (verdict, why) = (answer.verdict, answer.why);
        let text = &model.queries[query].text;
        (verdict != expected && !gave_up)
            .then(|| format!("{plan_request:?}\n{text}: {verdict:?} because {why:?}, but {expected:?}"))
    })
}

/// Runs a share of the networks, and shrinks the first that is wrong.
fn judge(name: &str, shape: Shape, share: u64) {
    let shape = Shape { liveness: true, ..shape };
    let networks = (from_environment("TOURBILLON_NETWORKS", 700) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut left_out = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        match judgement(&network) {
            Judgement::Right => {}
            Judgement::LeftOut => left_out += 1,
            Judgement::Wrong(_) => {
                let small = network.shrink(|smaller| matches!(judgement(smaller), Judgement::Wrong(_)));
                let Judgement::Wrong(what) = judgement(&small) else { unreachable!("it stays wrong") };
                panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
            }
        }
    }
    assert!(left_out * 2 <= networks, "{name}: {left_out} of {networks} were left out");
}

#[test]
fn plain_networks() {
    judge("plain", Shape::PLAIN, 20);
}

#[test]
fn strict_comparisons() {
    judge("strict", Shape::STRICT, 25);
}

#[test]
fn small_networks() {
    let shape = Shape { processes_max: 1, clocks_max: 2, constant_max: 2, ..Shape::STRICT };
    judge("small", shape, 20);
}

#[test]
fn diagonals() {
    judge("diagonals", Shape::DIAGONALS, 10);
}

#[test]
fn clocks_set_to_values_and_to_each_other() {
    judge("values", Shape { values: true, ..Shape::STRICT }, 5);
}

/// An update such as `x = y - 1` needs `y >= 1`: elsewhere the model fails, and is left out, or there is no such step.
#[test]
fn clocks_set_to_later_ones_minus_something() {
    judge("falling", Shape::FALLING, 5);
    judge("falling vectors", Shape::FALLING_VECTORS, 10);
}

/// Nothing of these clocks is abstracted, so networks are kept small.
#[test]
fn clocks_set_to_any_minus_something_in_bounded_time() {
    let one_clock = Shape { clocks_max: 1, ..Shape::SHORT };
    judge("short", one_clock, 5);
    judge("short vectors", Shape { language: Language::TChecker, ..one_clock }, 10);
    let one_process = Shape { processes_max: 1, locations_max: 2, ..Shape::SHORT };
    judge("short processes", one_process, 2);
    judge("short processes with events", Shape { language: Language::TChecker, ..one_process }, 3);
}

#[test]
fn clocks_that_do_not_start_at_0() {
    judge("starts", Shape::STARTS, 5);
}

#[test]
fn priorities() {
    judge("priorities", Shape::PRIORITIES, 10);
}

#[test]
fn receivers_with_clock_guards() {
    judge("receivers", Shape::TIMED_RECEIVERS, 5);
}

#[test]
fn many_receivers_with_clock_guards() {
    judge("many receivers", Shape { deadlocks: false, processes_max: 4, ..Shape::CROWDS }, 3);
}

/// Those that fail are left out: which of them an answer meets depends on the order.
#[test]
fn models_of_which_some_fail() {
    judge("errors", Shape { errors: true, ..Shape::STRICT }, 2);
}

#[test]
fn everything_at_once() {
    judge("everything", Shape { errors: false, ..Shape::EVERYTHING }, 3);
}

/// Runs that come back to locations: the first of each process is a kind, or that of two processes at once.
#[test]
fn acceptance() {
    let networks = from_environment("TOURBILLON_NETWORKS", 700) / 5;
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut judged = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, Shape::STRICT);
        let (model, kinds) = acceptance_model(&network);
        for non_zeno in [false, true] {
            let holds: Vec<_> = kinds
                .iter()
                .map(|&(process, location)| {
                    move |discrete: &Discrete| discrete.locations[process.index()] == location
                })
                .collect();
            let holds: Vec<&dyn Fn(&Discrete) -> bool> = holds.iter().map(|kind| kind as _).collect();
            let Ok(expected) = accepts(&model, &holds, non_zeno, STATES_MAX) else { continue };
            judged += 1;
            for plan_request in plans(non_zeno, seed) {
                if let Some(complaint) = complaint(&model, &[Some(expected)], &plan_request) {
                    panic!("acceptance, seed {seed}:\n{}\n{kinds:?}\n{complaint}", network.text());
                }
            }
        }
    }
    assert!(judged >= networks, "only {judged} were judged");
}

/// A network that is asked for runs which come back to one or two locations, and these.
pub(crate) fn acceptance_model(network: &Network) -> (Model, Vec<Place>) {
    let mut model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let random = &mut Random::from_seed(network.seed);
    let kinds: Vec<Place> = (0..1 + random.below(2)).map(|_| place(&model, random)).collect();
    let asked = kinds.iter().map(|&(process, location)| at(&mut model, process, location)).collect();
    let mut query = model.queries[0].clone();
    query.kind = QueryKind::Recurrently(asked);
    model.queries = vec![query];
    (model, kinds)
}

pub(crate) type Place = (ProcessId, LocationId);

fn place(model: &Model, random: &mut Random) -> Place {
    let process = ProcessId::from_index(random.below(model.processes.len()));
    let locations = model.processes[process].locations.len();
    (process, LocationId::from_index(random.below(locations)))
}

fn at(model: &mut Model, process: ProcessId, location: LocationId) -> ExprId {
    let span = Span::new(SourceId::from_index(0), 0, 0);
    model.exprs.push(Expr { kind: ExprKind::AtLocation(process, location), span })
}
