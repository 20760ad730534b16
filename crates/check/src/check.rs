//! From a job to answers, with any engine.
//!
//! The properties of a job are prepared once. Those with equal clock bounds form a group if the engine can check them with one
//! search, and the engine is handed one group after the other.

use std::collections::HashMap;
use std::time::Instant;

use tourbillon_model::QueryKind;
use tourbillon_search::{Budget, Limits};

use crate::answer::{Answer, Why};
use crate::plan::{self, Plan, PlanRequest, Refusal};
use crate::prepare::{Job, PrepareError, Prepared, prepare};
use crate::{Checker, Progress, ZoneChecker};

/// Checks the properties of a job, one by one or in groups, by zones. The answers are in the order of the queries.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, PrepareError> {
    check_with(&mut ZoneChecker, job, observe)
}

/// The same with any engine.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    checker: &mut dyn Checker,
    job: &Job<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Vec<Answer>, PrepareError> {
    let started = Instant::now();
    let prepared = prepare(job)?;
    let mut budget = Budget::new(limits_left(job.limits, started), job.stop);
    check_all(checker, prepared, &mut budget, observe)
}

/// Checks what is prepared. The answers are in the order of the queries.
///
/// # Errors
/// As [`check_each`].
pub fn check_all(
    checker: &mut dyn Checker,
    prepared: Vec<Result<Prepared<'_>, Answer>>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Vec<Answer>, PrepareError> {
    let mut answers = Vec::new();
    check_each(checker, prepared, budget, observe, &mut |answer| answers.push(answer))?;
    answers.sort_by_key(|answer| answer.query);
    Ok(answers)
}

/// Checks what is prepared, and hands each answer on as soon as it is known. Properties that share a search are checked one after
/// the other, so that answers come in another order than queries.
///
/// # Errors
/// If the engine refuses all of it.
pub fn check_each(
    checker: &mut dyn Checker,
    prepared: Vec<Result<Prepared<'_>, Answer>>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let mut stream = AnswerStream { answered, held: Vec::new(), refusal: None, any_planned: false };
    for group in grouped(checker, prepared) {
        let group = match group {
            Ok(group) => group,
            Err(answer) => {
                stream.give(answer);
                continue;
            }
        };
        budget.restart();
        match checker.check(&group, budget, observe, &mut |answer| stream.give(answer)) {
            Err(PrepareError::Plan(refused)) => stream.refuse(&group, refused),
            checked => checked?,
        }
    }
    stream.finish()
}

/// The limits that are left of those that began then.
#[must_use]
pub fn limits_left(limits: Limits, started: Instant) -> Limits {
    Limits { time: limits.time.map(|time| time.saturating_sub(started.elapsed())), ..limits }
}

/// Puts properties together that share a search.
fn grouped<'a>(
    checker: &dyn Checker,
    prepared: Vec<Result<Prepared<'a>, Answer>>,
) -> Vec<Result<Vec<Prepared<'a>>, Answer>> {
    let mut groups: Vec<Result<Vec<Prepared<'a>>, Answer>> = Vec::new();
    // The groups of each analysis, so that a property need not be compared with all groups.
    let mut alike: HashMap<usize, Vec<usize>> = HashMap::new();
    for ready in prepared {
        let prepared = match ready {
            Ok(prepared) => prepared,
            Err(answer) => {
                groups.push(Err(answer));
                continue;
            }
        };
        let alike = alike.entry(prepared.analysis_id()).or_default();
        let shares = |group: &[Prepared<'_>]| {
            group[0].has_bounds_of(&prepared) && checker.shares_search(&group[0], &prepared)
        };
        let same = alike.iter().copied().find(|&index| groups[index].as_ref().is_ok_and(|it| shares(it)));
        match same.map(|index| &mut groups[index]) {
            Some(Ok(group)) => group.push(prepared),
            _ => {
                alike.push(groups.len());
                groups.push(Ok(vec![prepared]));
            }
        }
    }
    groups
}

/// Answers on their way out. Until one comes of a plan, those of properties that were not checked are held back: if there are only
/// such, the request is refused as a whole.
struct AnswerStream<'a> {
    answered: &'a mut dyn FnMut(Answer),
    held: Vec<Answer>,
    refusal: Option<Refusal>,
    any_planned: bool,
}

impl AnswerStream<'_> {
    fn give(&mut self, answer: Answer) {
        self.any_planned |= answer.plan.is_some();
        if self.any_planned {
            self.held.drain(..).for_each(&mut *self.answered);
            (self.answered)(answer);
        } else {
            self.held.push(answer);
        }
    }

    fn refuse(&mut self, group: &[Prepared<'_>], refused: Refusal) {
        for prepared in group {
            self.give(Answer::unsupported(prepared.query(), refused.why.clone()));
        }
        self.refusal.get_or_insert(refused);
    }

    fn finish(self) -> Result<(), PrepareError> {
        if let Some(refusal) = self.refusal.filter(|_| !self.any_planned) {
            return Err(refusal.into());
        }
        self.held.into_iter().for_each(self.answered);
        Ok(())
    }
}

/// How many edges a model may have for sets of discrete states to be tried: each becomes a relation before the search begins,
/// which takes a minute for 100,000 edges, whatever the time that the trial has.
const ENCODED_EDGES_MAX: usize = 5_000;

/// Whether all properties of a job may be better checked by sets of discrete states than by single ones, and no engine is
/// requested.
#[must_use]
pub fn may_pay_in_sets(prepared: &[Result<Prepared<'_>, Answer>], plan_request: &PlanRequest) -> bool {
    let pays = |ready: &Result<Prepared<'_>, Answer>| {
        ready.as_ref().is_ok_and(|prepared| {
            prepared.property().is_about_states()
                && prepared.system().edges.len() <= ENCODED_EDGES_MAX
                && plan::may_pay_in_sets(prepared.facts(), plan_request)
        })
    };
    plan_request.any_engine && prepared.iter().all(pays)
}

/// The plan for each of the properties whose queries have no errors.
///
/// # Errors
/// As [`check`], and if any property is refused.
pub fn planned(job: &Job<'_>) -> Result<Vec<(Option<usize>, Plan)>, PrepareError> {
    let mut plans = Vec::new();
    for ready in prepare(job)? {
        match ready {
            Ok(prepared) => plans.push((prepared.query(), prepared.plan().clone())),
            Err(Answer { query: Some(index), why: Why::NotSupported(why), .. })
                if job.model.queries[index].kind != QueryKind::Refused =>
            {
                return Err(Refusal { why }.into());
            }
            Err(_) => {}
        }
    }
    Ok(plans)
}
