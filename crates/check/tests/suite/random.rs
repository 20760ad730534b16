//! Random networks: every plan against every other, and all against an oracle that shares nothing with them.
//!
//! Each network is explored by regions (`tourbillon_testkit::oracle`), and each of its queries is answered under a
//! set of plans that between them use every abstraction, bound, cover, form and order. Verdicts must agree with
//! the oracle, the discrete states of a full exploration must be the oracle's, runs must replay (a run that does
//! not is an `unknown`, which counts as wrong), and the shortest and fastest runs must not be beaten by others.
//!
//! The number of networks is `TOURBILLON_NETWORKS` (default 3,000 in all), the first seed
//! `TOURBILLON_SEED` (default 1). Each network is checked under
//! `TOURBILLON_PLANS` of the plans, others for each seed. The long run is
//! `TOURBILLON_NETWORKS=100000 TOURBILLON_PLANS=99 cargo test --release -p tourbillon-check --test suite random::`.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_base::Rational;
use tourbillon_check::{
    Abstraction, Answer, BoundsScope, Committed, Cover, DiagramForm, DiagramInclusion, DiagramOrder,
    DiscreteForm, Job, Least, Limits, Order, PlanRequest, PositionSource, Progress, RoundSizes, Run,
    TraceKind, Verdict, Why, ZoneForm, check, clock_bounds,
};
use tourbillon_model::{ExprKind, Language, LocationId, LocationKind, Model};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{self, Reached};

use crate::{from_environment, window};

/// How many plans each network is checked with.
const PLANS: u64 = 9;

/// The number of transient states that an expansion follows.
const TRANSIENT_MAX: u64 = 64;

/// How many states the oracle may store before a network is left out.
const STATES_MAX: usize = 20_000;

/// A search that visits more than this has no end, which is so only without extrapolation.
const VISITED_MAX: u64 = 200_000;

/// Without extrapolation there may be none, and inclusion among ever more zones of one state is slow.
const VISITED_MAX_EXACT: u64 = 1_000;

/// Plans that between them use every choice on every axis.
pub(crate) fn plans(seed: u64) -> Vec<PlanRequest> {
    let base = PlanRequest { seed, store: Some(Committed::Stored), ..PlanRequest::default() };
    let with = |change: &dyn Fn(&mut PlanRequest)| {
        let mut plan_request = base.clone();
        change(&mut plan_request);
        plan_request
    };
    let mut plans = vec![
        with(&|w| w.trace = TraceKind::Shortest),
        with(&|w| w.trace = TraceKind::Fastest),
        with(&|w| w.cover = Some(Cover::Alu)),
        with(&|w| w.cover = Some(Cover::Inclusion)),
        with(&|w| {
            w.cover = Some(Cover::Adaptive);
            w.order = Some(Order::Ranked);
            w.waiting_inclusion = Some(true);
            w.zones = Some(ZoneForm::Bits);
        }),
        with(&|w| {
            w.cover = Some(Cover::Adaptive);
            w.waiting_inclusion = Some(false);
        }),
        with(&|w| {
            w.cover = Some(Cover::Alu);
            w.abstraction = Some(Abstraction::None);
            w.zones = Some(ZoneForm::Plain);
        }),
        with(&|w| {
            w.cover = Some(Cover::Equality);
            w.order = Some(Order::Dfs);
            w.discrete = Some(DiscreteForm::Shared);
        }),
        with(&|w| {
            w.order = Some(Order::Random);
            w.waiting_inclusion = Some(false);
            w.discrete = Some(DiscreteForm::Plain);
        }),
        with(&|w| {
            w.order = Some(Order::Dfs);
            w.trace = TraceKind::None;
            w.zones = Some(ZoneForm::Plain);
        }),
        with(&|w| w.zones = Some(ZoneForm::Bits)),
        with(&|w| {
            w.zones = Some(ZoneForm::BitsShared);
            w.cover = Some(Cover::Alu);
            w.abstraction = Some(Abstraction::None);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Digits);
            w.waiting_inclusion = Some(false);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::DigitsShared);
            w.cover = Some(Cover::Equality);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Minimal);
            w.cover = Some(Cover::Alu);
            w.order = Some(Order::Dfs);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::MinimalShared);
            w.abstraction = Some(Abstraction::ExtraM);
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 0, width: 4, chunk: 1 });
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 2, width: 3, chunk: 1 });
            w.order = Some(Order::Mixed);
        }),
        with(&|w| {
            w.threads = Some(3);
            w.round_sizes = Some(RoundSizes { after: 5, width: 3, chunk: 2 });
            w.order = Some(Order::Bfs);
            w.cover = Some(Cover::Alu);
            w.zones = Some(ZoneForm::BitsShared);
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 0, width: 1000, chunk: 64 });
            w.order = Some(Order::Best);
            w.zones = Some(ZoneForm::MinimalShared);
            w.discrete = Some(DiscreteForm::Tree);
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 3, width: 5, chunk: 1 });
            w.trace = TraceKind::Shortest;
            w.zones = Some(ZoneForm::Plain);
            w.discrete = Some(DiscreteForm::Shared);
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 0, width: 2, chunk: 1 });
            w.trace = TraceKind::Fastest;
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 1, width: 1000, chunk: 2 });
            w.trace = TraceKind::Fastest;
            w.zones = Some(ZoneForm::Bits);
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 1, width: 6, chunk: 4 });
            w.order = Some(Order::Topological);
            w.store = Some(Committed::Transient);
            w.cover = Some(Cover::Equality);
            w.zones = Some(ZoneForm::Digits);
        }),
        with(&|w| {
            w.threads = Some(2);
            w.round_sizes = Some(RoundSizes { after: 0, width: 4, chunk: 3 });
            w.order = Some(Order::Sweep);
            w.store = Some(Committed::Adaptive);
            w.abstraction = Some(Abstraction::ExtraM);
            w.trace = TraceKind::None;
        }),
        with(&|w| w.order = Some(Order::Topological)),
        with(&|w| w.order = Some(Order::Sweep)),
        with(&|w| w.order = Some(Order::RankedSweep)),
        with(&|w| w.zones = Some(ZoneForm::Cdd)),
        with(&|w| {
            w.zones = Some(ZoneForm::Cdd);
            w.order = Some(Order::Dfs);
            w.diagrams.get_or_insert_default().form = DiagramForm::AllEdges;
            w.diagrams.get_or_insert_default().other.inclusion = DiagramInclusion::Levels;
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Cdd);
            w.discrete = Some(DiscreteForm::Mtidd);
            w.waiting_inclusion = Some(false);
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Cdd);
            w.discrete = Some(DiscreteForm::Mtidd);
            w.trace = TraceKind::Shortest;
            w.diagrams.get_or_insert_default().form = DiagramForm::WithoutFalse;
            w.diagrams.get_or_insert_default().other.order = DiagramOrder::ByClock;
        }),
        with(&|w| {
            w.zones = Some(ZoneForm::Cdd);
            w.trace = TraceKind::Fastest;
            w.discrete = Some(DiscreteForm::Tree);
            w.waiting_inclusion = Some(false);
        }),
        with(&|w| {
            w.positions = PositionSource::Random;
            w.shuffle_edges = true;
            w.waiting_inclusion = Some(false);
        }),
        with(&|w| w.order = Some(Order::Ranked)),
        with(&|w| {
            w.order = Some(Order::Ranked);
            w.cover = Some(Cover::Alu);
            w.trace = TraceKind::None;
            w.shuffle_edges = true;
        }),
        with(&|w| w.order = Some(Order::Best)),
        with(&|w| w.order = Some(Order::Mixed)),
        with(&|w| {
            w.order = Some(Order::Mixed);
            w.cover = Some(Cover::Alu);
            w.zones = Some(ZoneForm::Plain);
            w.trace = TraceKind::None;
            w.shuffle_edges = true;
        }),
        with(&|w| {
            w.order = Some(Order::Mixed);
            w.cover = Some(Cover::Equality);
            w.waiting_inclusion = Some(false);
        }),
        with(&|w| {
            w.order = Some(Order::Mixed);
            w.zones = Some(ZoneForm::Cdd);
        }),
        with(&|w| {
            w.cover = Some(Cover::Alu);
            w.bounds = Some(BoundsScope::Global);
            w.waiting_inclusion = Some(false);
            w.order = Some(Order::Random);
        }),
        with(&|w| w.store = Some(Committed::Transient)),
        with(&|w| {
            w.store = Some(Committed::Transient);
            w.cover = Some(Cover::Alu);
            w.order = Some(Order::Dfs);
            w.zones = Some(ZoneForm::Minimal);
        }),
        with(&|w| {
            w.store = Some(Committed::Transient);
            w.cover = Some(Cover::Equality);
            w.waiting_inclusion = Some(false);
            w.shuffle_edges = true;
        }),
        with(&|w| {
            w.store = Some(Committed::Transient);
            w.order = Some(Order::Mixed);
            w.zones = Some(ZoneForm::Cdd);
        }),
        with(&|w| {
            w.store = Some(Committed::Transient);
            w.order = Some(Order::RankedSweep);
        }),
        with(&|w| {
            w.store = Some(Committed::Adaptive);
            w.abstraction = Some(Abstraction::ExtraM);
            w.order = Some(Order::Mixed);
        }),
    ];
    for abstraction in
        [Abstraction::ExtraM, Abstraction::ExtraMPlus, Abstraction::ExtraLu, Abstraction::ExtraLuPlus]
    {
        for bounds in [BoundsScope::Global, BoundsScope::Local, BoundsScope::Guarded] {
            plans.push(with(&|w| {
                w.abstraction = Some(abstraction);
                w.bounds = Some(bounds);
            }));
        }
    }
    plans
}

/// Those of them that can answer the model's queries: the fastest run goes neither with deadlocks nor with infinitely many
/// differences.
fn plans_for(model: &Model, seed: u64) -> Vec<PlanRequest> {
    let deadlock = model.exprs.iter().any(|expr| expr.kind == ExprKind::Deadlock);
    let endless = !clock_bounds(model).expect("bounds").diagonals_complete;
    let mut plans = plans(seed);
    plans.retain(|plan_request| !(deadlock || endless) || plan_request.trace != TraceKind::Fastest);
    window(plans, seed, PLANS)
}

/// Asks for some queries, or for a full exploration, and gives up on searches without an end.
fn asked(model: &Model, queries: Option<&[usize]>, plan_request: &PlanRequest) -> Vec<Answer> {
    let exact = plan_request.abstraction == Some(Abstraction::None);
    let visited_max = if exact { VISITED_MAX_EXACT } else { VISITED_MAX };
    let stop = Arc::new(AtomicBool::new(false));
    let job = Job { model, queries, plan_request, limits: Limits::default(), stop: Some(&stop) };
    let mut watch = |progress: &Progress| stop.store(progress.stats.visited > visited_max, Ordering::Relaxed);
    check(&job, &mut watch).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

fn answers(model: &Model, plan_request: &PlanRequest) -> Vec<Answer> {
    let queries: Vec<usize> = (0..model.queries.len()).collect();
    asked(model, Some(&queries), plan_request)
}

/// A full exploration.
fn explored(model: &Model, plan_request: &PlanRequest) -> Answer {
    asked(model, None, plan_request).remove(0)
}

/// What the oracle makes of the engine's answers.
enum Judgement {
    Right,
    /// The oracle cannot tell.
    LeftOut,
    Wrong(String),
}

impl Judgement {
    fn of(complaint: Option<String>) -> Self {
        complaint.map_or(Self::Right, Self::Wrong)
    }

    fn complaint(self) -> Option<String> {
        match self {
            Self::Wrong(what) => Some(what),
            Self::Right | Self::LeftOut => None,
        }
    }
}

fn judgement(network: &Network) -> Judgement {
    let model = network.model_with_questions(false).unwrap_or_else(|error| panic!("{error}"));
    match oracle::by_regions(&model, STATES_MAX) {
        oracle::Answer::Reached(reached) => Judgement::of(complaint_of_plans(&model, &reached, network.seed)),
        oracle::Answer::Error(_) => Judgement::of(complaint_of_failures(&model, network.seed)),
        oracle::Answer::NoInitialState | oracle::Answer::TooLarge | oracle::Answer::Unsupported(_) => {
            Judgement::LeftOut
        }
    }
}

/// A model that fails at run time: a full exploration must meet the failure, and a query whose answer is found before
/// may be answered.
fn complaint_of_failures(model: &Model, seed: u64) -> Option<String> {
    for plan_request in plans_for(model, seed) {
        let exploration = explored(model, &plan_request);
        if !matches!(exploration.why, Why::Failed(_) | Why::Exhausted(_)) {
            return Some(format!("{plan_request:?}: the failure was not met, but {:?}", exploration.why));
        }
        for answer in answers(model, &plan_request) {
            let sound = match answer.why {
                Why::Found => answer.verdict != Verdict::Unknown,
                Why::Failed(_) | Why::Exhausted(_) | Why::NotReplayed(_) => {
                    answer.verdict == Verdict::Unknown
                }
                _ => false,
            };
            if !sound {
                return Some(format!("{plan_request:?}: {:?} because {:?}", answer.verdict, answer.why));
            }
        }
    }
    None
}

pub(crate) fn complaint_of_plans(model: &Model, reached: &Reached, seed: u64) -> Option<String> {
    let mut records = vec![Record::default(); model.queries.len()];
    for plan_request in &plans_for(model, seed) {
        let exploration = explored(model, plan_request);
        let states = exploration.stats.discrete_states;
        let expected = stored_states(model, reached, plan_request);
        if exploration.why == Why::Complete && !expected.contains(&states) {
            return Some(format!("{plan_request:?}\n{states} discrete states, but {expected:?}"));
        }
        let answers = answers(model, plan_request);
        let stopped = answers.iter().any(|answer| matches!(answer.why, Why::Exhausted(_)));
        for answer in answers {
            let query = answer.query.expect("a query was asked");
            if matches!(answer.why, Why::Exhausted(_)) && plan_request.abstraction == Some(Abstraction::None)
            {
                continue;
            }
            let Some(expected) = reached.verdicts[query] else { continue };
            let expected = if expected { Verdict::Satisfied } else { Verdict::Violated };
            if answer.verdict != expected {
                let text = &model.queries[query].text;
                return Some(format!(
                    "{plan_request:?}\n{text}: {:?} because {:?}, but {expected:?}",
                    answer.verdict, answer.why
                ));
            }
            if answer.why == Why::Found && plan_request.trace != TraceKind::None {
                let Some(witness) = &answer.witness else {
                    // A verdict before the limit of an infinite search counts, but its run is not computed.
                    assert!(stopped, "a run was asked for");
                    continue;
                };
                let run = &witness.run;
                let record = &mut records[query];
                match plan_request.trace {
                    TraceKind::Shortest => record.steps = run.steps.len(),
                    TraceKind::Fastest => record.least = answer.least_time,
                    TraceKind::Some | TraceKind::None => {}
                }
                if plan_request.trace == TraceKind::Fastest && !keeps(answer.least_time, run) {
                    return Some(format!("{plan_request:?}\n{run:?} is later than {:?}", answer.least_time));
                }
                if record.is_beaten_by(run) {
                    return Some(format!("{plan_request:?}\n{run:?} is better than {record:?}"));
                }
            }
        }
    }
    None
}

/// The numbers of discrete states that a plan may store: without transient states all that are reachable. With them, those without
/// a committed location and the initial one; where there are more committed ones than an expansion follows, it may store some of them.
fn stored_states(model: &Model, reached: &Reached, plan_request: &PlanRequest) -> RangeInclusive<u64> {
    let all = reached.discrete.len() as u64;
    let is_committed = |locations: &[LocationId]| {
        let mut at = model.processes.iter().zip(locations);
        at.any(|(process, &location)| process.locations[location].kind == LocationKind::Committed)
    };
    let initial: Vec<LocationId> = model.processes.iter().map(|process| process.initial).collect();
    let others = reached.discrete.iter().filter(|state| !is_committed(&state.locations)).count() as u64;
    let fewest = others + u64::from(is_committed(&initial));
    // An expansion that reaches more of them stores the rest.
    let most = if all - fewest > TRANSIENT_MAX { all } else { fewest };
    match plan_request.store {
        Some(Committed::Stored) => all..=all,
        Some(Committed::Transient) => fewest..=most,
        Some(Committed::Adaptive) | None => fewest..=all,
    }
}

/// Whether a run takes the least time, or less than 1 more if that is only approached.
fn keeps(least: Option<Least>, run: &Run) -> bool {
    let Least { value, excluded } = least.expect("the fastest run was asked for");
    let (time, value) = (duration(run).expect("small numbers"), value as i64);
    if excluded { time < Rational::from_integer(value + 1) } else { time == Rational::from_integer(value) }
}

/// What no run must beat.
#[derive(Clone, Default, Debug)]
struct Record {
    steps: usize,
    least: Option<Least>,
}

impl Record {
    fn is_beaten_by(&self, run: &Run) -> bool {
        let time = duration(run).expect("small numbers");
        let earlier = self.least.is_some_and(|least| {
            let least_time = Rational::from_integer(least.value as i64);
            if least.excluded { time <= least_time } else { time < least_time }
        });
        run.steps.len() < self.steps || earlier
    }
}

fn duration(run: &Run) -> Option<Rational> {
    let delays = run.steps.iter().map(|step| step.delay).chain([run.last_delay]);
    delays.into_iter().try_fold(Rational::from_integer(0), Rational::checked_add)
}

/// Runs a share of the networks, and shrinks the first that is wrong.
fn judge(name: &str, shape: Shape, share: u64) {
    let networks = (from_environment("TOURBILLON_NETWORKS", 3_000) * share).div_ceil(100);
    let first = from_environment("TOURBILLON_SEED", 1);
    let mut left_out = 0;
    for seed in first..first + networks {
        let network = Network::random(seed, shape);
        match judgement(&network) {
            Judgement::Right => {}
            Judgement::LeftOut => left_out += 1,
            Judgement::Wrong(_) => {
                let small = network.shrink(|smaller| judgement(smaller).complaint().is_some());
                let what =
                    judgement(&small).complaint().expect("it was shrunk so that something stays wrong");
                panic!("{name}, seed {seed}:\n{}\n{}\n{what}", small.text(), small.query_text());
            }
        }
    }
    // Where clocks do not start at 0, one network in five has no initial state, and nothing to be judged.
    let most = if shape.starts { networks / 3 } else { networks / 5 };
    assert!(left_out <= most, "{name}: {left_out} of {networks} were left out");
}

#[test]
fn plain_networks() {
    judge("plain", Shape::PLAIN, 15);
}

#[test]
fn strict_comparisons() {
    judge("strict", Shape::STRICT, 20);
}

#[test]
fn diagonals() {
    judge("diagonals", Shape::DIAGONALS, 15);
}

#[test]
fn clocks_set_to_values_and_to_each_other() {
    judge("values", Shape { values: true, ..Shape::STRICT }, 10);
}

#[test]
fn clocks_that_do_not_start_at_0() {
    judge("starts", Shape::STARTS, 10);
}

#[test]
fn diagonals_with_clocks_that_do_not_start_at_0() {
    judge("starts and diagonals", Shape { starts: true, values: true, ..Shape::DIAGONALS }, 5);
}

#[test]
fn diagonals_with_clocks_set_to_values_and_to_each_other() {
    judge("diagonals and values", Shape { values: true, ..Shape::DIAGONALS }, 5);
}

#[test]
fn priorities() {
    judge("priorities", Shape { priorities: true, ..Shape::STRICT }, 10);
}

#[test]
fn receivers_with_clock_guards() {
    judge("receivers", Shape { timed_receivers: true, ..Shape::STRICT }, 10);
}

#[test]
fn many_receivers_with_clock_guards() {
    judge("many receivers", Shape::CROWDS, 5);
}

#[test]
fn many_receivers_with_clock_guards_and_priorities() {
    judge("many receivers with priorities", Shape::RANKED_CROWDS, 5);
}

/// What each of the others has for itself, together: priorities subtract from zones that diagonals have split.
#[test]
fn everything_at_once() {
    let shape =
        Shape { priorities: true, timed_receivers: true, values: true, starts: true, ..Shape::DIAGONALS };
    judge("everything", shape, 5);
}

#[test]
fn models_that_fail() {
    judge("errors", Shape { errors: true, ..Shape::STRICT }, 5);
}

#[test]
fn deadlocks() {
    judge("deadlocks", Shape { deadlocks: true, ..Shape::STRICT }, 10);
}

/// An update such as `x = y - 1` needs `y >= 1`: elsewhere the model fails, or there is no such step.
#[test]
fn clocks_set_to_later_ones_minus_something() {
    judge("falling", Shape::FALLING, 10);
    judge("falling vectors", Shape::FALLING_VECTORS, 10);
}

#[test]
fn clocks_set_to_any_minus_something_in_bounded_time() {
    judge("short", Shape::SHORT, 10);
    judge("short vectors", Shape::SHORT_VECTORS, 10);
}

#[test]
fn shifts_with_priorities_receivers_and_deadlocks() {
    let features = Shape { priorities: true, timed_receivers: true, ..Shape::FALLING };
    judge("falling with priorities", features, 5);
    judge("falling deadlocks", Shape { deadlocks: true, ..Shape::FALLING }, 5);
    judge("short deadlocks", Shape { deadlocks: true, ..Shape::SHORT }, 5);
}

/// While time is bounded, differences can be compared as well.
#[test]
fn shifts_with_diagonals() {
    let diagonals = Shape { diagonals: true, ..Shape::SHORT };
    judge("short diagonals", diagonals, 5);
    judge("short diagonal vectors", Shape { language: Language::TChecker, ..diagonals }, 5);
}

#[test]
fn synchronisation_vectors() {
    judge("vectors", Shape { language: Language::TChecker, ..Shape::STRICT }, 10);
}
