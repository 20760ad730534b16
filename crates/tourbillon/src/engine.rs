//! Which engine answers, where that is left open.
//!
//! Single states are the default. Where a model has few clocks and much data, sets of states may be much better, or much
//! worse: that depends on how regular the data is, which nobody can tell from the text. So both are tried: single states
//! first, up to a number that takes a fraction of a second, which is enough for most models; then sets, for as long as that
//! took and a little longer; and what got further in its time goes on, from the start. Further is counted in pairs of a
//! discrete state and a zone, which is what a node is.

use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, CheckError, Engine, Exhausted, Job, Limits, Progress, Reason, TraceKind, Why, Wishes,
    may_pay_in_sets,
};

use crate::certainty::number_text;

/// How many single states are stored before sets are tried.
const STATES: u64 = 100_000;
/// How long sets are tried at least: encoding a model takes a while before anything is reached.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many times more sets must reach in the same time: what is reached last is often the hardest.
const ADVANTAGE: f64 = 2.0;

/// The answers of whichever engine is better, if it is worth trying both; nothing if single states are the choice.
///
/// # Errors
/// As [`tourbillon_check::check`].
pub(crate) fn choose(
    job: &Job<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Vec<Answer>>, CheckError> {
    let limits = job.limits;
    if limits.states.is_some_and(|states| states <= STATES) || !may_pay_in_sets(job)? {
        return Ok(None);
    }
    let started = Instant::now();
    let short = Job { limits: Limits { states: Some(STATES), ..limits }, ..*job };
    let single = tourbillon_check::check(&short, observe)?;
    if !single.iter().any(|answer| answer.why == Why::Exhausted(Exhausted::States)) {
        return Ok(Some(single));
    }
    let (took, stored) = (started.elapsed(), reached(&single));
    let patience = (2 * took).max(PATIENCE);
    let time = left(limits.time, started).map_or(patience, |left| left.min(patience));
    let wishes = Wishes { engine: Engine::Symbolic, ..job.wishes.clone() };
    let tried = Instant::now();
    let sets = Job { wishes: &wishes, limits: Limits { time: Some(time), ..limits }, ..*job };
    let Ok(answers) = tourbillon_symbolic::check(&sets, observe) else { return Ok(None) };
    let refused = answers.iter().any(|answer| matches!(answer.why, Why::NotSupported(_)));
    let ended =
        !answers.iter().any(|answer| matches!(answer.why, Why::Exhausted(_)) || lacks_its_run(answer));
    let full = answers.iter().any(|answer| answer.why == Why::Exhausted(Exhausted::Memory));
    let why = |sets: u64, time: Duration| {
        format!(
            "few clocks and much data: in {:.1} s sets reached {} states with their zones, and single states {} in {:.1} s",
            time.as_secs_f64(),
            number_text(sets as f64),
            number_text(stored as f64),
            took.as_secs_f64(),
        )
    };
    let pairs = reached(&answers);
    let rate = |pairs: u64, time: Duration| pairs as f64 / time.as_secs_f64().max(1e-3);
    let better = !full && rate(pairs, tried.elapsed()) > ADVANTAGE * rate(stored, took);
    let why = why(pairs, tried.elapsed());
    if !refused && ended {
        return Ok(Some(explained(answers, &why)));
    }
    let limits = Limits { time: left(limits.time, started), ..limits };
    if refused || !better {
        let answers = tourbillon_check::check(&Job { limits, ..*job }, observe)?;
        return Ok(Some(if refused { answers } else { explained(answers, &why) }));
    }
    let answers = tourbillon_symbolic::check(&Job { wishes: &wishes, limits, ..*job }, observe)?;
    Ok(Some(explained(answers, &why)))
}

fn left(limit: Option<Duration>, started: Instant) -> Option<Duration> {
    limit.map(|limit| limit.saturating_sub(started.elapsed()))
}

/// Whether there was no time for a run that is to be shown.
fn lacks_its_run(answer: &Answer) -> bool {
    let shown = answer.plan.as_ref().is_some_and(|plan| plan.trace != TraceKind::None);
    shown && answer.why == Why::Found && answer.witness.is_none()
}

/// The most pairs of a state and a zone that were reached for any question.
fn reached(answers: &[Answer]) -> u64 {
    let pairs = |answer: &Answer| answer.stats.sets.map_or(answer.stats.stored, |sets| sets.pairs);
    answers.iter().map(pairs).max().unwrap_or(0)
}

/// With why this engine was chosen.
fn explained(mut answers: Vec<Answer>, why: &str) -> Vec<Answer> {
    for plan in answers.iter_mut().filter_map(|answer| answer.plan.as_mut()) {
        plan.reasons.retain(|reason| reason.axis != "engine");
        let choice = plan.choice("engine");
        plan.reasons.insert(0, Reason { axis: "engine", choice, why: why.to_owned() });
    }
    answers
}
