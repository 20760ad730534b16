//! From a job to answers, with any engine.
//!
//! The properties of a job are prepared once. Those with equal clock bounds form a group if the engine can check them with one
//! search. The engine checks one group after the other, or, where searches have one thread, several side by side
//! (`side_by_side.rs`). Their answers come in the same order.

use std::collections::HashMap;
use std::time::Instant;

use tourbillon_model::QueryKind;
use tourbillon_search::{Budget, Limits};

use crate::answer::{Answer, Why};
use crate::plan::{self, Plan, PlanRequest, Refusal};
use crate::prepare::{Job, PrepareError, Prepared, prepare};
use crate::side_by_side::{self, Checked};
use crate::{Checker, Progress, ZoneChecker};

/// Checks the properties of a job, one by one or in groups, by zones. The answers are in the order of the queries.
///
/// # Errors
/// If the model cannot be compiled, or the request cannot be combined.
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

/// Checks prepared properties. The answers are in the order of the queries.
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

/// Checks prepared properties, and passes each answer to `answered` as soon as it is known. Properties that share a
/// search are checked together, so answers may come in another order than queries.
///
/// # Errors
/// If the engine refuses all properties.
pub fn check_each(
    checker: &mut dyn Checker,
    prepared: Vec<Result<Prepared<'_>, Answer>>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let groups = grouped(checker, prepared);
    let mut beside = beside(checker, &groups);
    let mut results =
        Results { groups: &groups, next: 0, done: HashMap::new(), stream: AnswerStream::new(answered) };
    while let Some((index, group)) = results.pass_on()? {
        if beside.groups.first().is_some_and(|&(first, _)| first == index) {
            let Beside { groups, checkers } = std::mem::take(&mut beside);
            let mut failed = None;
            side_by_side::check(&groups, checkers, budget, observe, &mut |index, checked| {
                results.done.insert(index, checked);
                failed = failed.take().or(results.pass_on().err());
            });
            failed.map_or(Ok(()), Err)?;
            continue;
        }
        budget.restart();
        let mut give = |answer| results.stream.give(answer);
        let checked = checker.check(group, budget, observe, &mut give).map(|()| Vec::new());
        results.done.insert(index, checked);
    }
    results.stream.finish()
}

/// The answers of groups, which are passed on in the order of the groups.
struct Results<'g, 'a, 's> {
    groups: &'g [Result<Vec<Prepared<'a>>, Answer>],
    /// The first group whose answers were not passed on.
    next: usize,
    /// The groups from that on that were checked.
    done: HashMap<usize, Checked>,
    stream: AnswerStream<'s>,
}

impl<'g, 'a> Results<'g, 'a, '_> {
    /// Passes on what is known up to the first group that was not checked, and returns it.
    fn pass_on(&mut self) -> Result<Option<(usize, &'g [Prepared<'a>])>, PrepareError> {
        while let Some(group) = self.groups.get(self.next) {
            match group {
                Err(answer) => self.stream.give(answer.clone()),
                Ok(group) => match self.done.remove(&self.next) {
                    None => return Ok(Some((self.next, group))),
                    Some(Ok(answers)) => answers.into_iter().for_each(|answer| self.stream.give(answer)),
                    Some(Err(PrepareError::Plan(refused))) => self.stream.refuse(group, refused),
                    Some(Err(error)) => return Err(error),
                },
            }
            self.next += 1;
        }
        Ok(None)
    }
}

/// The groups that are checked side by side, each with its index, and a checker for each thread.
#[derive(Default)]
struct Beside<'g, 'a> {
    groups: Vec<(usize, &'g [Prepared<'a>])>,
    checkers: Vec<Box<dyn Checker + Send>>,
}

/// The groups whose searches have one thread, if several threads can check them.
fn beside<'g, 'a>(checker: &dyn Checker, groups: &'g [Result<Vec<Prepared<'a>>, Answer>]) -> Beside<'g, 'a> {
    let mut threads = usize::MAX;
    let mut beside = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let Ok(group) = group else { continue };
        let own = side_by_side::threads_beside(group);
        if own > 1 {
            threads = threads.min(own);
            beside.push((index, &group[..]));
        }
    }
    let checkers: Vec<_> = (0..threads.min(beside.len())).map_while(|_| checker.fork()).collect();
    if checkers.len() > 1 { Beside { groups: beside, checkers } } else { Beside::default() }
}

/// The limits that are left after the time since `started`.
#[must_use]
pub fn limits_left(limits: Limits, started: Instant) -> Limits {
    Limits { time: limits.time.map(|time| time.saturating_sub(started.elapsed())), ..limits }
}

/// Groups properties that share a search.
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

/// Passes answers on. Those of properties that were not checked are held back until one was checked: if there is none,
/// the request is refused as a whole.
struct AnswerStream<'a> {
    answered: &'a mut dyn FnMut(Answer),
    held: Vec<Answer>,
    refusal: Option<Refusal>,
    any_planned: bool,
}

impl<'a> AnswerStream<'a> {
    fn new(answered: &'a mut dyn FnMut(Answer)) -> Self {
        Self { answered, held: Vec::new(), refusal: None, any_planned: false }
    }

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

/// The maximum number of edges for which the symbolic engine is tried: each is encoded as a relation before the search
/// begins, which takes a minute for 100,000 edges and is not limited by the time of the trial.
const ENCODED_EDGES_MAX: usize = 5_000;

/// Whether the symbolic engine may be faster for all properties of a job, and no engine is requested.
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
