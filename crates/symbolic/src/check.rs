//! The engine: from properties that share a search to answers.
//!
//! Properties with equal clock bounds share one search, as in the explicit engine: each is first checked on the states
//! reached for earlier ones, and then continues the search.
//!
//! **Memory.** A diagram store that is too large is slower, since its tables are; one that is too small is soon full.
//! So the first store is small, and a search that does not fit is restarted with a store several times as large, up to
//! the limit: the restarts cost less than the last attempt.
//!
//! **Time.** After the time limit no further property is checked, and all open ones are `unknown` with the statistics
//! so far; decided ones stay decided.

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

use crate::classes::ClassBounds;
use crate::encoding::{Encoding, fields};
use crate::goal::Goal;
use crate::interpret::EncodingContext;
use crate::interruption::{Deadline, Interruptible, Interruption};
use crate::search::{Ended, Search, stats_before};
use crate::trace::{NoPath, Path};
use crate::watch::watched;

/// The initial memory of diagrams.
const ROOM_MIN: u64 = 32 << 20;
/// The maximum number of bits of a discrete state: BDD operations recurse as deep as there are variables.
const BITS_MAX: u32 = 2048;
/// The growth factor of the memory of diagrams.
const ROOM_GROWTH: u64 = 8;

/// The engine that searches with sets of discrete states.
#[derive(Debug)]
pub struct SymbolicChecker<'a> {
    deadline: Deadline<'a>,
}

impl<'a> SymbolicChecker<'a> {
    /// An engine whose time starts now.
    ///
    /// # Errors
    /// If diagrams have less memory than the smallest store needs.
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
/// If the model cannot be compiled, or the options cannot be combined.
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, PrepareError> {
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..job.plan_request.clone() };
    let mut checker = SymbolicChecker::new(&plan_request, job.limits, job.stop)?;
    check_with(&mut checker, &Job { plan_request: &plan_request, ..*job }, observe)
}

/// Refuses less memory than the smallest store needs.
fn has_room(plan_request: &PlanRequest) -> Result<(), Refusal> {
    match plan_request.sets.memory_bytes {
        Some(bytes) if bytes < Bdds::BYTES_MIN as u64 => {
            let least = Bdds::BYTES_MIN >> 10;
            let why = format!("--bdd-memory {bytes} is too small: the BDDs need at least {least} KiB");
            Err(Refusal { why })
        }
        _ => Ok(()),
    }
}

/// The answers so far, and the start of the work on the next one.
struct AnswerCollector<'a> {
    given: usize,
    since: Instant,
    answered: &'a mut dyn FnMut(Answer),
}

impl AnswerCollector<'_> {
    fn give(&mut self, answer: Answer) {
        let now = Instant::now();
        let time = now - std::mem::replace(&mut self.since, now);
        self.given += 1;
        (self.answered)(Answer { time, ..answer });
    }
}

/// Why no more properties are checked, and the statistics so far.
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
    // Diagrams take most of the memory, but not all.
    let limit = budget.memory_bytes().map_or(u64::MAX, |bytes| bytes / 4 * 3);
    let wished = group[0].plan().sets.memory_bytes;
    let allowed = wished.min(limit).max(Bdds::BYTES_MIN as u64);
    let full = if allowed < wished { Exhausted::Memory } else { Exhausted::Diagrams };
    let mut room = ROOM_MIN.min(allowed);
    let mut answers = AnswerCollector { given: 0, since: Instant::now(), answered };
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
            // The next property may need less.
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

/// The memory and time of an attempt.
#[derive(Clone, Copy)]
struct Allowance<'a> {
    room: u64,
    /// The maximum memory of another attempt.
    allowed: u64,
    deadline: Deadline<'a>,
    stop_flag: &'a StopFlag,
}

/// Checks properties that share a search, until this memory is exhausted.
fn attempt(
    group: &[Prepared<'_>],
    allowance: Allowance<'_>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answers: &mut AnswerCollector<'_>,
) -> Result<(), Stopped> {
    let first = &group[0];
    let (model, system, plan) = (first.model(), first.system(), first.plan());
    let fields = fields(model, system);
    if fields.bits() > BITS_MAX {
        let why = format!("a discrete state has {} bits; at most {BITS_MAX} are supported", fields.bits());
        return Err(Stopped { interruption: Interruption::Refused(why), stats: Box::default() });
    }
    let bdds = Bdds::with_stop_flag(fields.variables(), allowance.room as usize, allowance.stop_flag);
    let (layout, deadline) = (&system.layout, allowance.deadline);
    let setting = EncodingContext { model, layout, fields: &fields, bdds: &bdds, deadline };
    let options = first.options();
    let analysis = first.analysis();
    let bounds = match plan.bounds {
        BoundsScope::Global => ClassBounds::Global(&analysis.global),
        BoundsScope::Local => ClassBounds::Local(&analysis.local),
        BoundsScope::Guarded => ClassBounds::Local(&analysis.guarded),
    };
    let begin = || -> Interruptible<Search<'_>> {
        let encoding = Encoding::new(setting, bounds)?;
        Ok(Search::new(setting, (&options, initial_zone(system)), encoding, plan))
    };
    let mut search =
        begin().map_err(|interruption| Stopped { interruption, stats: Box::new(stats_before(setting)) })?;
    let may_grow = allowance.room < allowance.allowed;
    for prepared in group {
        let check = PropertyCheck { prepared, begin: &begin, may_grow };
        match check.answer(&mut search, budget, observe) {
            Ok(answer) => answers.give(answer),
            // The others may be supported.
            Err(Interruption::Refused(why)) => answers.give(refused(prepared, &why)),
            Err(interruption) => {
                return Err(Stopped { interruption, stats: Box::new(search.counted_stats()) });
            }
        }
    }
    Ok(())
}

/// A property, with the data for its check.
struct PropertyCheck<'q, 's> {
    prepared: &'q Prepared<'q>,
    /// Makes another search, which has not begun.
    begin: &'q dyn Fn() -> Interruptible<Search<'s>>,
    /// Whether another attempt can have more memory.
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

/// Finds a path of single states to the states that a search has found.
struct EvidenceSearch<'c, 's, 'b, 'a> {
    prepared: &'c Prepared<'c>,
    search: &'c mut Search<'s>,
    graph: ZoneGraph<'c>,
    budget: &'c mut Budget<'b>,
    goal: Option<Goal>,
    /// Makes another search, which has not begun.
    again: &'a dyn Fn() -> Interruptible<Search<'s>>,
    /// Whether another attempt can have more memory.
    may_grow: bool,
}

/// The maximum number of steps for finding a short run, besides half of the steps of the search.
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
            // The verdict stands, with or without a run.
            Err(_) if found => Ok(Evidence::Found { path: None }),
            Err(_) => Ok(Evidence::Exhausted(self.budget.over())),
        })
    }

    /// A short path to the found states, or to a run-time error; or any path, if there is no short one.
    fn path(&mut self, found: bool) -> Result<Path, NoPath> {
        let initial = &self.prepared.system().initial;
        let target = |search: &mut Search<'_>, id: u32, states: &Bdd| {
            if found { search.met(id, states) } else { search.failing(id, states) }
        };
        let short = if self.prepared.plan().sets.merge {
            // A merged zone has no path of its own.
            Err(NoPath::Long)
        } else {
            let taken = self.search.steps;
            let steps = STEPS + taken / 2;
            let path = self.search.path(&mut self.graph, initial, (self.budget, steps), &target);
            // The search for a run is not part of the statistics.
            self.search.steps = taken;
            path
        };
        let Err(NoPath::Long) = short else { return short };
        let mut again = (self.again)()?.with_rings();
        match again.run(self.goal.clone(), initial, self.budget, &mut |_| {})? {
            Ended::Found(spot) if found => again.path_by_rings(&mut self.graph, &spot),
            Ended::Failed(Some(spot)) if !found => again.path_by_rings(&mut self.graph, &spot),
            // It found the other states first: there is no run to show.
            Ended::Found(_) | Ended::Failed(Some(_)) | Ended::Exhausted(_) => Err(NoPath::Exhausted),
            Ended::Complete | Ended::Overflowed | Ended::Failed(None) => {
                Err(NoPath::Lost("the state cannot be reached again"))
            }
        }
    }

    /// The run-time error at the end of a path, as computed by the explicit engine.
    fn failure_after(&mut self, path: Path) -> Result<Evidence, Why> {
        let Path { ordinals, mut end } = path;
        let judged = self.prepared.goal_predicate().map(|goal| {
            PredicateEvaluator::new(self.prepared.system()).meet(goal, &end.memory, &end.zone).err()
        });
        let error = judged.flatten().or_else(|| self.graph.expand(&mut end, &mut |_| {}).err());
        match error {
            Some(error) => Ok(Evidence::Failed { error, path: Some(ordinals) }),
            None => Err(Why::NotReplayed("the run-time error cannot be reproduced".to_owned())),
        }
    }
}
