//! The engine: from properties that share a search to answers.
//!
//! Properties with equal clock bounds share one search, as in the explicit engine: each looks first at what was reached for those
//! before it and then continues the search.
//!
//! **Room.** A store of diagrams that is larger than it need be is slower, since its tables are; one that is too small is
//! full soon. So the first is small, and what does not fit into it is begun once more with one that is several times as
//! large, up to what is allowed: what is lost by that is less than what the last attempt takes.
//!
//! **Time.** What is asked when time is over is not begun any more, and everything that is open is `unknown` with what was
//! counted until then; what was decided before stays decided.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, BoundsScope, Checker, Engine, Evidence, Exhausted, Job, Limits, PlanRequest, PrepareError,
    Prepared, Progress, Refusal, TraceKind, Why, check_with,
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

/// The engine that searches with sets of discrete states.
#[derive(Debug)]
pub struct SymbolicChecker<'a> {
    deadline: Deadline<'a>,
}

impl<'a> SymbolicChecker<'a> {
    /// An engine whose time begins now.
    ///
    /// # Errors
    /// If diagrams are to have less memory than the smallest store takes.
    pub fn new(
        plan_request: &PlanRequest,
        limits: Limits,
        stop: Option<&'a Arc<AtomicBool>>,
    ) -> Result<Self, Refusal> {
        has_room(plan_request)?;
        let moment = limits.time.and_then(|time| Instant::now().checked_add(time));
        Ok(Self { deadline: Deadline { moment, stop } })
    }
}

impl Checker for SymbolicChecker<'_> {
    fn shares_search(&self, one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
        let zones = |prepared: &Prepared<'_>| {
            let plan = prepared.plan();
            (plan.abstraction, plan.bounds, plan.cover, plan.split, plan.reduce)
        };
        zones(one) == zones(other)
    }

    fn check(
        &mut self,
        group: &[Prepared<'_>],
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        let stop_flag = StopFlag::default();
        let deadline = self.deadline;
        watched(deadline, &stop_flag, || {
            check_group(group, (deadline, &stop_flag), budget, observe, answered)
        });
        Ok(())
    }
}

/// Checks the properties of a job with this engine. The answers are in the order of the queries.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, PrepareError> {
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..job.plan_request.clone() };
    let mut checker = SymbolicChecker::new(&plan_request, job.limits, job.stop)?;
    check_with(&mut checker, &Job { plan_request: &plan_request, ..*job }, observe)
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

fn check_group(
    group: &[Prepared<'_>],
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
            Interruption::Full if !deadline.is_over() => answers.give(unknown(&rest[0], full)),
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
    group: &[Prepared<'_>],
    allowance: Allowance<'_>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answers: &mut Answers<'_>,
) -> Result<(), Stopped> {
    let first = &group[0];
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
        let check = PropertyCheck { prepared, begin: &begin, may_grow };
        match check.answer(&mut search, budget, observe) {
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

/// A property, and what it takes to check it.
struct PropertyCheck<'q, 's> {
    prepared: &'q Prepared<'q>,
    /// Another search, which has not begun.
    begin: &'q dyn Fn() -> Interruptible<Search<'s>>,
    /// Whether there can be more room.
    may_grow: bool,
}

impl<'s> PropertyCheck<'_, 's> {
    fn answer(
        &self,
        search: &mut Search<'s>,
        budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
    ) -> Interruptible<Answer> {
        let Self { prepared, begin, may_grow } = *self;
        let (query, reused) = (prepared.query(), search.map.len() as u64);
        let goal = prepared.property().goal();
        let goal = goal.map(|goal| Goal::new(search.setting, &search.encoding.legal, goal)).transpose()?;
        let mut observe = |stats: &Stats| observe(&Progress { query, stats: *stats });
        let ended = search.run(goal.clone(), &prepared.system().initial, budget, &mut observe)?;
        let stats = search.counted_stats();
        let graph = prepared.graph();
        let again = || Ok(begin()?.without_merging());
        let mut finder = EvidenceSearch { prepared, search, graph, budget, goal, again: &again, may_grow };
        let answer = match finder.evidence(&ended)? {
            Ok(evidence) => prepared.answer(evidence, stats, Duration::ZERO),
            Err(why) => prepared.unknown(why, stats, Duration::ZERO),
        };
        Ok(Answer { reused, ..answer })
    }
}

/// Finds a path of single states to what a search has found.
struct EvidenceSearch<'c, 's, 'b, 'a> {
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

impl EvidenceSearch<'_, '_, '_, '_> {
    fn evidence(&mut self, ended: &Ended) -> Interruptible<Result<Evidence, Why>> {
        let found = match ended {
            Ended::Complete => return Ok(Ok(Evidence::Complete)),
            Ended::Overflowed => return Ok(Ok(Evidence::Overflowed)),
            Ended::Exhausted(what) => return Ok(Ok(Evidence::Exhausted(*what))),
            Ended::Found(_) if self.prepared.plan().trace == TraceKind::None => {
                return Ok(Ok(Evidence::Found { path: None }));
            }
            Ended::Found(_) => true,
            Ended::Failed(_) => false,
        };
        if !found && let Err(error) = self.graph.initial(&mut |_| {}) {
            return Ok(Ok(Evidence::Failed { error, path: None }));
        }
        Ok(match self.path(found) {
            Ok(path) if found => Ok(Evidence::Found { path: Some(path.ordinals) }),
            Ok(path) => self.failure_after(path),
            Err(NoPath::Lost(why)) => Err(Why::NotReplayed(why.to_owned())),
            Err(NoPath::Full) if self.may_grow || !found => return Err(Interruption::Full),
            // What was found was found, with a run or without.
            Err(_) if found => Ok(Evidence::Found { path: None }),
            Err(_) => Ok(Evidence::Exhausted(self.budget.over())),
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
    fn failure_after(&mut self, path: Path) -> Result<Evidence, Why> {
        let Path { ordinals, mut end } = path;
        let judged = self.prepared.goal_predicate().map(|goal| {
            PredicateEvaluator::new(self.prepared.system()).meet(goal, &end.memory, &end.zone).err()
        });
        let error = judged.flatten().or_else(|| self.graph.expand(&mut end, &mut |_| {}).err());
        match error {
            Some(error) => Ok(Evidence::Failed { error, path: Some(ordinals) }),
            None => {
                Err(Why::NotReplayed("the model fails in a state in which nothing goes wrong".to_owned()))
            }
        }
    }
}
