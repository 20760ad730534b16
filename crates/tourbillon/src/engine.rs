//! Which engine answers, where that is left open.
//!
//! Single states are the default. Where a model has few clocks and much data, sets of states may be much better, or much
//! worse: that depends on how regular the data is, which nobody can tell from the text. So both are tried: single states
//! first, up to a number that takes a fraction of a second, which is enough for most models; then sets, for twice the time that
//! took or half a second; and what got further in its time goes on, from the start. Further is counted in pairs of a discrete
//! state and a zone that were reached, for sets those that others cover included. What is decided on the way stays decided. The
//! clock has a say here, as nowhere else: which engine it is may differ from run to run where both are about as good, and no
//! verdict depends on it.

use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, Axis, BddRequest, Engine, Exhausted, Job, Limits, PlanRequest, PrepareError, Progress, Reason,
    TraceKind, Why, may_pay_in_sets,
};

use crate::certainty::number_text;

/// How many single states are stored before sets are tried.
const STATES: u64 = 100_000;
/// How long sets are tried at least: encoding a model takes a while before anything is reached.
const PATIENCE: Duration = Duration::from_millis(500);
/// How much memory diagrams have while they are tried.
const ROOM: u64 = 32 << 20;
/// How many times more sets must reach in the same time: what is reached last is often the hardest.
const ADVANTAGE: f64 = 2.0;

/// Has whichever engine is better answer, if it is worth trying both. Returns false if single states are the choice, and
/// nothing is answered.
///
/// # Errors
/// As [`tourbillon_check::check`].
pub(crate) fn choose(
    job: &Job<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<bool, PrepareError> {
    let limits = job.limits;
    if limits.states.is_some_and(|states| states <= STATES) || !may_pay_in_sets(job)? {
        return Ok(false);
    }
    let started = Instant::now();
    let short = Job { limits: Limits { states: Some(STATES), ..limits }, ..*job };
    let single = Trial::of(tourbillon_check::check(&short, observe)?, started);
    // What is decided stays decided.
    let ran_out = |answer: &Answer| answer.why == Why::Exhausted(Exhausted::States);
    let (open, decided): (Vec<Answer>, Vec<Answer>) = single.answers.iter().cloned().partition(ran_out);
    decided.into_iter().for_each(&mut *answered);
    if open.is_empty() {
        return Ok(true);
    }
    let queries: Vec<usize> = open.iter().filter_map(|answer| answer.query).collect();
    let job = &Job { queries: job.queries.map(|_| queries.as_slice()), ..*job };
    settle(job, &single, started, observe, answered)?;
    Ok(true)
}

/// What an engine came to in how much time.
struct Trial {
    answers: Vec<Answer>,
    took: Duration,
    /// The most pairs of a state and a zone that were reached for any question.
    pairs: u64,
}

impl Trial {
    fn of(answers: Vec<Answer>, started: Instant) -> Self {
        let pairs = |answer: &Answer| answer.stats.sets.map_or(answer.stats.stored, |sets| sets.pairs);
        let pairs = answers.iter().map(pairs).max().unwrap_or(0);
        Self { answers, took: started.elapsed(), pairs }
    }

    fn rate(&self) -> f64 {
        self.pairs as f64 / self.took.as_secs_f64().max(1e-3)
    }

    fn any(&self, is: impl Fn(&Why) -> bool) -> bool {
        self.answers.iter().any(|answer| is(&answer.why))
    }

    /// Whether everything is decided, with runs where they are to be shown.
    fn is_over(&self) -> bool {
        let decided = |answer: &Answer| matches!(answer.why, Why::Found | Why::Complete | Why::Failed(_));
        self.answers.iter().all(|answer| decided(answer) && !lacks_its_run(answer))
    }
}

/// Tries sets on questions for which there are too many single states to tell, and has the better engine answer them.
fn settle(
    job: &Job<'_>,
    single: &Trial,
    started: Instant,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let patience = (2 * single.took).max(PATIENCE);
    let time = left(job.limits.time, started).map_or(patience, |left| left.min(patience));
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..job.plan_request.clone() };
    // A model for which that is not enough is encoded in more than a moment.
    let sets = BddRequest { memory_bytes: Some(ROOM), ..plan_request.sets };
    let small = PlanRequest { sets, ..plan_request.clone() };
    let (short, tried) = (Limits { time: Some(time), ..job.limits }, Instant::now());
    let sets = tourbillon_symbolic::check(&Job { plan_request: &small, limits: short, ..*job }, observe);
    let sets = Trial::of(sets.unwrap_or_default(), tried);
    let limits = Limits { time: left(job.limits.time, started), ..job.limits };
    if sets.answers.is_empty() || sets.any(|why| matches!(why, Why::NotSupported(_))) {
        return tourbillon_check::check_each(&Job { limits, ..*job }, observe, answered);
    }
    let why = format!(
        "few clocks and much data: in {:.1} s sets reached {} states with their zones, and single states {} in {:.1} s",
        sets.took.as_secs_f64(),
        number_text(sets.pairs as f64),
        number_text(single.pairs as f64),
        single.took.as_secs_f64(),
    );
    let mut explain = |answer: Answer| answered(explained(answer, &why));
    if sets.is_over() {
        sets.answers.into_iter().for_each(explain);
        return Ok(());
    }
    let is_full = sets.any(|why| matches!(why, Why::Exhausted(Exhausted::Memory | Exhausted::Diagrams)));
    if !is_full && sets.rate() > ADVANTAGE * single.rate() {
        tourbillon_symbolic::check_each(
            &Job { plan_request: &plan_request, limits, ..*job },
            observe,
            &mut explain,
        )
    } else {
        tourbillon_check::check_each(&Job { limits, ..*job }, observe, &mut explain)
    }
}

fn left(limit: Option<Duration>, started: Instant) -> Option<Duration> {
    limit.map(|limit| limit.saturating_sub(started.elapsed()))
}

/// Whether there was no time for a run that is to be shown.
fn lacks_its_run(answer: &Answer) -> bool {
    let shown = answer.plan.as_ref().is_some_and(|plan| plan.trace != TraceKind::None);
    shown && answer.why == Why::Found && answer.witness.is_none()
}

/// With why this engine was chosen.
fn explained(mut answer: Answer, why: &str) -> Answer {
    if let Some(plan) = &mut answer.plan {
        plan.reasons.retain(|reason| reason.axis != Axis::Engine);
        let choice = plan.choice(Axis::Engine);
        plan.reasons.insert(0, Reason { axis: Axis::Engine, choice, why: why.to_owned() });
    }
    answer
}
