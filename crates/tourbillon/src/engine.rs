//! The choice of the engine that checks the properties of a job.
//!
//! The request decides. If it leaves the engine open, zones are the default. For a model with few clocks and much data,
//! the symbolic engine may be much faster or much slower: this depends on the regularity of the data, which the text
//! does not show. So both are tried. The zone engine runs first, up to a number of states that takes a fraction of a
//! second and completes most models. Then the symbolic engine runs for twice that time or half a second. The engine
//! that reached more continues, from the start. Progress is the number of reached pairs of a discrete state and a zone;
//! for the symbolic engine it includes covered pairs. Properties that are decided during a trial stay decided. Only
//! here does a decision depend on the clock: if both engines are about equal, the choice may differ between runs. No
//! verdict depends on it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, Axis, BddRequest, Budget, Candidates, Checker, Engine, Exhausted, Job, Limits, PlanRequest,
    PrepareError, Prepared, Progress, Reason, TraceKind, Why, ZoneChecker, limits_left, may_pay_in_sets,
    prepare,
};
use tourbillon_cluster::ClusterChecker;
use tourbillon_symbolic::SymbolicChecker;

use crate::certainty::number_text;
use crate::cluster::Cluster;

/// The number of states that the zone engine stores before the symbolic engine is tried.
const STATES: u64 = 100_000;
/// The minimum time of the symbolic trial: encoding a model takes time before any state is reached.
const PATIENCE: Duration = Duration::from_millis(500);
/// The memory of diagrams in the symbolic trial.
const ROOM: u64 = 32 << 20;
/// The factor by which the symbolic engine must reach more pairs in the same time: the last pairs are often the most
/// expensive.
const ADVANTAGE: f64 = 2.0;

/// Prepared properties, and the answers of those that are not checked.
type Ready<'a> = Vec<Result<Prepared<'a>, Answer>>;

/// Checks the properties of a job and passes each answer on as soon as it is known. Returns whether this process has
/// answers: ranks of a cluster other than the first have none.
///
/// # Errors
/// As [`tourbillon_check::check`].
pub(crate) fn check_each(
    job: &Job<'_>,
    cluster: &Cluster<'_>,
    candidates: &HashMap<usize, Arc<Candidates>>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<bool, PrepareError> {
    let session = EngineTrials { job, started: Instant::now() };
    let ready = starting_from(prepare(job)?, candidates);
    match job.plan_request.engine {
        Engine::Zones if session.tries_sets(&ready) => session.try_both(ready, observe, answered)?,
        Engine::Zones => session.check(&mut ZoneChecker, ready, observe, answered)?,
        Engine::Symbolic => {
            let mut checker = SymbolicChecker::new(job.plan_request, session.limits(), job.stop)?;
            session.check(&mut checker, ready, observe, answered)?;
        }
        Engine::Cluster => {
            let mut checker =
                ClusterChecker::new(cluster.ranks, cluster.cpu_time, session.limits(), job.stop);
            let has_answers = checker.has_answers();
            session.check(&mut checker, ready, observe, &mut |answer| {
                if has_answers {
                    answered(answer);
                }
            })?;
            return Ok(has_answers);
        }
    }
    Ok(true)
}

/// The same properties, searched from the candidates of their queries.
fn starting_from<'a>(ready: Ready<'a>, candidates: &HashMap<usize, Arc<Candidates>>) -> Ready<'a> {
    let mut started = Vec::with_capacity(ready.len());
    for prepared in ready {
        started.push(prepared.map(|prepared| {
            let own = prepared.query().and_then(|query| candidates.get(&query)).cloned();
            prepared.starting_from(own)
        }));
    }
    started
}

/// A job with its start time.
struct EngineTrials<'j, 'a> {
    job: &'j Job<'a>,
    started: Instant,
}

impl EngineTrials<'_, '_> {
    /// The remaining limits.
    fn limits(&self) -> Limits {
        limits_left(self.job.limits, self.started)
    }

    fn check(
        &self,
        checker: &mut dyn Checker,
        ready: Ready<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        let mut budget = Budget::new(self.limits(), self.job.stop);
        tourbillon_check::check_each(checker, ready, &mut budget, observe, answered)
    }

    /// Checks within tighter limits than those of the job.
    fn try_out(
        &self,
        checker: &mut dyn Checker,
        ready: Ready<'_>,
        limits: Limits,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Trial, PrepareError> {
        let started = Instant::now();
        let mut budget = Budget::new(limits, self.job.stop);
        let answers = tourbillon_check::check_all(checker, ready, &mut budget, observe)?;
        Ok(Trial::of(answers, started))
    }

    /// Whether it is worth trying both engines.
    fn tries_sets(&self, ready: &Ready<'_>) -> bool {
        self.job.limits.states.is_none_or(|states| states > STATES)
            && may_pay_in_sets(ready, self.job.plan_request)
    }

    /// Tries single states, and sets on what they leave open. The better engine continues.
    fn try_both(
        &self,
        mut ready: Ready<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        let short = Limits { states: Some(STATES), ..self.limits() };
        let single = self.try_out(&mut ZoneChecker, ready.clone(), short, observe)?;
        // Decided properties stay decided.
        let ran_out = |answer: &Answer| answer.why == Why::Exhausted(Exhausted::States);
        let (open, decided): (Vec<Answer>, Vec<Answer>) = single.answers.iter().cloned().partition(ran_out);
        decided.into_iter().for_each(&mut *answered);
        ready.retain(|it| it.as_ref().is_ok_and(|it| open.iter().any(|answer| answer.query == it.query())));
        if ready.is_empty() { Ok(()) } else { self.settle(ready, &single, observe, answered) }
    }

    /// Tries the symbolic engine on properties that the zone trial did not decide, and lets the better engine check
    /// them.
    fn settle(
        &self,
        ready: Ready<'_>,
        single: &Trial,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        let stop = self.job.stop;
        let patience = (2 * single.took).max(PATIENCE);
        let time = self.limits().time.map_or(patience, |left| left.min(patience));
        let plan_request = PlanRequest { engine: Engine::Symbolic, ..self.job.plan_request.clone() };
        // Models that need more memory also take too long to encode.
        let sets = BddRequest { memory_bytes: Some(ROOM), ..plan_request.sets };
        let small = PlanRequest { sets, ..plan_request.clone() };
        let short = Limits { time: Some(time), ..self.job.limits };
        let sets =
            SymbolicChecker::new(&small, short, stop).map_err(PrepareError::from).and_then(|mut checker| {
                self.try_out(&mut checker, replanned(&ready, &small, short)?, short, observe)
            });
        let Some(sets) = sets.ok().filter(|it| !it.any(|why| matches!(why, Why::NotSupported(_)))) else {
            return self.check(&mut ZoneChecker, ready, observe, answered);
        };
        let why = format!(
            "few clocks and much data: in a trial of {:.1} s, symbolic reached {} state-zone pairs; zones reached {} in {:.1} s",
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
            let limits = self.limits();
            let mut checker = SymbolicChecker::new(&plan_request, limits, stop)?;
            let ready = replanned(&ready, &plan_request, limits)?;
            self.check(&mut checker, ready, observe, &mut explain)
        } else {
            self.check(&mut ZoneChecker, ready, observe, &mut explain)
        }
    }
}

/// The same properties, planned for another engine.
fn replanned<'a>(
    ready: &Ready<'a>,
    plan_request: &PlanRequest,
    limits: Limits,
) -> Result<Ready<'a>, PrepareError> {
    let replan = |it: &Prepared<'a>| Ok(Ok(it.replan(plan_request, limits)?));
    ready.iter().flatten().map(replan).collect()
}

/// The result of a trial of an engine.
struct Trial {
    answers: Vec<Answer>,
    took: Duration,
    /// The maximum number of pairs of a state and a zone that were reached for a property.
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

    /// Whether all properties are decided, with the requested runs.
    fn is_over(&self) -> bool {
        let decided = |answer: &Answer| matches!(answer.why, Why::Found | Why::Complete | Why::Failed(_));
        self.answers.iter().all(|answer| decided(answer) && !lacks_its_run(answer))
    }
}

/// Whether the time did not suffice for a requested run.
fn lacks_its_run(answer: &Answer) -> bool {
    let shown = answer.plan.as_ref().is_some_and(|plan| plan.trace != TraceKind::None);
    shown && answer.why == Why::Found && answer.witness.is_none()
}

/// Adds the reason for the choice of the engine to an answer.
fn explained(mut answer: Answer, why: &str) -> Answer {
    if let Some(plan) = &mut answer.plan {
        plan.reasons.retain(|reason| reason.axis != Axis::Engine);
        let choice = plan.choice(Axis::Engine);
        plan.reasons.insert(0, Reason { axis: Axis::Engine, choice, why: why.to_owned() });
    }
    answer
}
