//! From a job to answers.
//!
//! Questions that ask the same of clocks share one search, as in the explicit engine: each looks first at what was reached
//! for those before it and then lets the search go on.
//!
//! **Room.** A store of diagrams that is larger than it need be is slower, since its tables are; one that is too small is
//! full soon. So the first is small, and what does not fit into it is begun once more with one that is several times as
//! large, up to what is allowed: what is lost by that is less than what the last attempt takes.
//!
//! **Time.** What is asked when time is over is not begun any more, and everything that is open is `unknown` with what was
//! counted until then; what was decided before stays decided.

use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, BoundsScope, Engine, Exhausted, Job, Outcome, PlanRequest, PrepareError, Prepared, Progress,
    Refusal, TraceKind, Why, prepare,
};
use tourbillon_dd::{Bdd, Bdds, StopFlag};
use tourbillon_search::{Budget, Stats};
use tourbillon_zonegraph::{PredicateEvaluator, ZoneGraph, initial_zone};

use crate::encoding::{Encoding, fields};
use crate::goal::Goal;
use crate::interpret::EncodingContext;
use crate::interruption::{Deadline, Interruptible, Interruption};
use crate::search::{Ended, Search, stats_before};
use crate::trace::{NoPath, Path};
use crate::watch::watched;

/// How much memory diagrams have at first.
const ROOM_MIN: u64 = 32 << 20;
/// How many bits a discrete state may have: operations on diagrams go as deep as there are variables.
const BITS_MAX: u32 = 2048;
/// How many times as much they have if that is too little.
const ROOM_GROWTH: u64 = 8;

/// Answers queries. The answers are in the order of the queries.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, PrepareError> {
    let mut answers = Vec::new();
    check_each(job, observe, &mut |answer| answers.push(answer))?;
    answers.sort_by_key(|answer| answer.query);
    Ok(answers)
}

/// Answers queries, and hands each answer on as soon as it is known.
///
/// # Errors
/// As [`check`].
pub fn check_each(
    job: &Job<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) -> Result<(), PrepareError> {
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..job.plan_request.clone() };
    has_room(&plan_request)?;
    let mut budget = Budget::new(job.limits, job.stop);
    let moment = job.limits.time.and_then(|time| Instant::now().checked_add(time));
    let questions = prepare(&Job { plan_request: &plan_request, ..*job })?;
    let deadline = Deadline { moment, stop: job.stop };
    let mut groups: Vec<Vec<Prepared<'_>>> = Vec::new();
    for question in questions {
        match question {
            Err(answer) => answered(answer),
            Ok(prepared) => match groups.iter_mut().find(|group| share(&group[0], &prepared)) {
                Some(group) => group.push(prepared),
                None => groups.push(vec![prepared]),
            },
        }
    }
    let stop_flag = StopFlag::default();
    watched(deadline, &stop_flag, || {
        for group in &groups {
            let prepared: Vec<&Prepared<'_>> = group.iter().collect();
            budget.begin_other();
            answer_group(&prepared, (deadline, &stop_flag), &mut budget, observe, answered);
        }
    });
    Ok(())
}

/// Refuses less memory than the smallest store takes.
fn has_room(plan_request: &PlanRequest) -> Result<(), Refusal> {
    match plan_request.sets.memory_bytes {
        Some(bytes) if bytes < Bdds::BYTES_MIN as u64 => {
            let least = Bdds::BYTES_MIN >> 10;
            let why = format!("diagrams take at least {least} KiB: --bdd-memory {bytes} is less than that");
            Err(Refusal { why })
        }
        _ => Ok(()),
    }
}

/// Whether two questions can share a search.
fn share(one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
    let zones = |prepared: &Prepared<'_>| {
        let plan = prepared.plan();
        (plan.abstraction, plan.bounds, plan.cover, plan.split, plan.reduce)
    };
    zones(one) == zones(other) && one.analysis() == other.analysis()
}

/// Answers that were given, and since when there is work on the next.
struct Answers<'a> {
    given: usize,
    since: Instant,
    answered: &'a mut dyn FnMut(Answer),
}

impl Answers<'_> {
    fn give(&mut self, answer: Answer) {
        let now = Instant::now();
        let time = now - std::mem::replace(&mut self.since, now);
        self.given += 1;
        (self.answered)(Answer { time, ..answer });
    }
}

/// Why no more questions are answered, and what was done until then.
struct Stopped {
    interruption: Interruption,
    stats: Box<Stats>,
}

fn answer_group(
    group: &[&Prepared<'_>],
    (deadline, stop_flag): (Deadline<'_>, &StopFlag),
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answer),
) {
    // What diagrams take is most of what there is, but not all.
    let limit = budget.memory_bytes().map_or(u64::MAX, |bytes| bytes / 4 * 3);
    let wished = group[0].plan().sets.memory_bytes;
    let allowed = wished.min(limit).max(Bdds::BYTES_MIN as u64);
    let full = if allowed < wished { Exhausted::Memory } else { Exhausted::Diagrams };
    let mut room = ROOM_MIN.min(allowed);
    let mut answers = Answers { given: 0, since: Instant::now(), answered };
    while answers.given < group.len() {
        let rest = &group[answers.given..];
        let allowance = Allowance { room, allowed, deadline, stop_flag };
        let Err(Stopped { interruption, stats }) = attempt(rest, allowance, budget, observe, &mut answers)
        else {
            continue;
        };
        let rest = &group[answers.given..];
        let unknown =
            |prepared: &Prepared<'_>, what| prepared.unknown(Why::Exhausted(what), *stats, Duration::ZERO);
        match interruption {
            Interruption::Refused(why) => rest.iter().for_each(|it| answers.give(refused(it, &why))),
            Interruption::Full if !deadline.is_over() && room < allowed => {
                room = (room * ROOM_GROWTH).min(allowed);
            }
            // What is asked next may need less.
            Interruption::Full if !deadline.is_over() => answers.give(unknown(rest[0], full)),
            Interruption::Full | Interruption::Over => {
                rest.iter().for_each(|it| answers.give(unknown(it, deadline.what())));
            }
        }
    }
}

fn refused(prepared: &Prepared<'_>, why: &str) -> Answer {
    Answer::unsupported(prepared.query(), format!("{why}: use --engine zones"))
}

/// How much room and time an attempt has.
#[derive(Clone, Copy)]
struct Allowance<'a> {
    room: u64,
    /// How much room there may be in another attempt.
    allowed: u64,
    deadline: Deadline<'a>,
    stop_flag: &'a StopFlag,
}

/// Answers questions that share a search, in so much memory, until that is too little.
fn attempt(
    group: &[&Prepared<'_>],
    allowance: Allowance<'_>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answers: &mut Answers<'_>,
) -> Result<(), Stopped> {
    let first = group[0];
    let (model, system, plan) = (first.model(), first.system(), first.plan());
    let fields = fields(model, system);
    if fields.bits() > BITS_MAX {
        let why = format!("a discrete state has {} bits, and {BITS_MAX} is the most", fields.bits());
        return Err(Stopped { interruption: Interruption::Refused(why), stats: Box::default() });
    }
    let bdds = Bdds::with_stop_flag(fields.variables(), allowance.room as usize, allowance.stop_flag);
    let (layout, deadline) = (&system.layout, allowance.deadline);
    let setting = EncodingContext { model, layout, fields: &fields, bdds: &bdds, deadline };
    let options = first.options();
    let local = plan.bounds == BoundsScope::Local;
    let begin = || -> Interruptible<Search<'_>> {
        let encoding = Encoding::new(setting, first.analysis(), local)?;
        Ok(Search::new(setting, (&options, initial_zone(system)), encoding, plan))
    };
    let mut search =
        begin().map_err(|interruption| Stopped { interruption, stats: Box::new(stats_before(setting)) })?;
    let may_grow = allowance.room < allowance.allowed;
    for prepared in group {
        let question = Question { prepared, begin: &begin, may_grow };
        match question.answer(&mut search, budget, observe) {
            Ok(answer) => answers.give(answer),
            // The others may be possible.
            Err(Interruption::Refused(why)) => answers.give(refused(prepared, &why)),
            Err(interruption) => {
                return Err(Stopped { interruption, stats: Box::new(search.counted_stats()) });
            }
        }
    }
    Ok(())
}

/// A question, and what it takes to answer it.
struct Question<'q, 's> {
    prepared: &'q Prepared<'q>,
    /// Another search, which has not begun.
    begin: &'q dyn Fn() -> Interruptible<Search<'s>>,
    /// Whether there can be more room.
    may_grow: bool,
}

impl<'s> Question<'_, 's> {
    fn answer(
        &self,
        search: &mut Search<'s>,
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Interruptible<Answer> {
        let Self { prepared, begin, may_grow } = *self;
        let (query, reused) = (prepared.query(), search.map.len() as u64);
        let asked = prepared.asked();
        let goal = asked.map(|asked| Goal::new(search.setting, &search.encoding.legal, asked)).transpose()?;
        let mut observe = |stats: &Stats| observe(&Progress { query, stats: *stats });
        let ended = search.run(goal.clone(), &prepared.system().initial, budget, &mut observe)?;
        let stats = search.counted_stats();
        let graph = prepared.graph();
        let again = || Ok(begin()?.without_merging());
        let mut conclusion = Conclusion { prepared, search, graph, budget, goal, again: &again, may_grow };
        let answer = match conclusion.outcome(&ended)? {
            Ok(outcome) => prepared.answer(outcome, stats, Duration::ZERO),
            Err(why) => prepared.unknown(why, stats, Duration::ZERO),
        };
        Ok(Answer { reused, ..answer })
    }
}

/// What is made of how a search ended.
struct Conclusion<'c, 's, 'b, 'a> {
    prepared: &'c Prepared<'c>,
    search: &'c mut Search<'s>,
    graph: ZoneGraph<'c>,
    budget: &'c mut Budget<'b>,
    goal: Option<Goal>,
    /// Another search, which has not begun.
    again: &'a dyn Fn() -> Interruptible<Search<'s>>,
    /// Whether there can be more room.
    may_grow: bool,
}

/// How many steps may be taken to find a short run, besides half of those that the search has taken.
const STEPS: u64 = 20_000;

impl Conclusion<'_, '_, '_, '_> {
    fn outcome(&mut self, ended: &Ended) -> Interruptible<Result<Outcome, Why>> {
        let found = match ended {
            Ended::Complete => return Ok(Ok(Outcome::Complete)),
            Ended::Overflowed => return Ok(Ok(Outcome::Overflowed)),
            Ended::Exhausted(what) => return Ok(Ok(Outcome::Exhausted(*what))),
            Ended::Found(_) if self.prepared.plan().trace == TraceKind::None => {
                return Ok(Ok(Outcome::Found { path: None }));
            }
            Ended::Found(_) => true,
            Ended::Failed(_) => false,
        };
        if !found && let Err(error) = self.graph.initial(&mut |_| {}) {
            return Ok(Ok(Outcome::Failed { error, path: None }));
        }
        Ok(match self.path(found) {
            Ok(path) if found => Ok(Outcome::Found { path: Some(path.ordinals) }),
            Ok(path) => self.failure_after(path),
            Err(NoPath::Lost(why)) => Err(Why::NotReplayed(why.to_owned())),
            Err(NoPath::Full) if self.may_grow || !found => return Err(Interruption::Full),
            // What was found was found, with a run or without.
            Err(_) if found => Ok(Outcome::Found { path: None }),
            Err(_) => Ok(Outcome::Exhausted(self.budget.over())),
        })
    }

    /// A short path to what was found, or to where the model fails; or any, if there is no short one.
    fn path(&mut self, found: bool) -> Result<Path, NoPath> {
        let initial = &self.prepared.system().initial;
        let target = |search: &mut Search<'_>, id: u32, states: &Bdd| {
            if found { search.met(id, states) } else { search.failing(id, states) }
        };
        let short = if self.prepared.plan().sets.merge {
            // A zone that is two others has no path of its own.
            Err(NoPath::Long)
        } else {
            let taken = self.search.steps;
            let steps = STEPS + taken / 2;
            let path = self.search.path(&mut self.graph, initial, (self.budget, steps), &target);
            // What it takes to find a run is no part of the search.
            self.search.steps = taken;
            path
        };
        let Err(NoPath::Long) = short else { return short };
        let mut again = (self.again)()?.with_rings();
        match again.run(self.goal.clone(), initial, self.budget, &mut |_| {})? {
            Ended::Found(spot) if found => again.path_by_rings(&mut self.graph, &spot),
            Ended::Failed(Some(spot)) if !found => again.path_by_rings(&mut self.graph, &spot),
            // It came upon the other first, which the search before has not: there is no run to show.
            Ended::Found(_) | Ended::Failed(Some(_)) | Ended::Exhausted(_) => Err(NoPath::Exhausted),
            Ended::Complete | Ended::Overflowed | Ended::Failed(None) => {
                Err(NoPath::Lost("it is not found again"))
            }
        }
    }

    /// What goes wrong at the end of a path: what the explicit engine says when it goes on from there.
    fn failure_after(&mut self, path: Path) -> Result<Outcome, Why> {
        let Path { ordinals, mut end } = path;
        let judged = self.prepared.goal().map(|goal| {
            PredicateEvaluator::new(self.prepared.system()).meet(goal, &end.memory, &end.zone).err()
        });
        let error = judged.flatten().or_else(|| self.graph.expand(&mut end, &mut |_| {}).err());
        match error {
            Some(error) => Ok(Outcome::Failed { error, path: Some(ordinals) }),
            None => {
                Err(Why::NotReplayed("the model fails in a state in which nothing goes wrong".to_owned()))
            }
        }
    }
}
