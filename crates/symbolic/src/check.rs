//! From a job to answers.
//!
//! Questions that ask the same of clocks share one search, as in the explicit engine: each looks first at what was reached
//! for those before it and then lets the search go on.
//!
//! **Room.** A store of diagrams that is larger than it need be is slower, since its tables are; one that is too small is
//! full soon. So the first is small, and what does not fit into it is begun once more with one that is several times as
//! large, up to what is allowed: what is lost by that is less than what the last attempt takes.

use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, BoundsScope, CheckError, Engine, Exhausted, Job, Outcome, Prepared, Progress, TraceKind, Why,
    Wishes, prepare,
};
use tourbillon_dd::{Bdd, Bdds};
use tourbillon_search::{Budget, Stats};
use tourbillon_zonegraph::{Judge, ZoneGraph};

use crate::encoding::{Encoding, fields};
use crate::goal::Goal;
use crate::interpret::Setting;
use crate::search::{Ended, Search};
use crate::trace::{NoPath, Path};
use crate::trouble::{Deadline, Done, Trouble, refuse};

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
pub fn check(job: &Job<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Vec<Answer>, CheckError> {
    let wishes = Wishes { engine: Engine::Symbolic, ..job.wishes.clone() };
    let questions = prepare(&Job { wishes: &wishes, ..*job })?;
    let mut budget = Budget::new(job.limits, job.stop);
    let moment = job.limits.time.and_then(|time| Instant::now().checked_add(time));
    let deadline = Deadline { moment, stop: job.stop };
    let mut answers: Vec<Option<Answer>> = Vec::new();
    let mut groups: Vec<Vec<(usize, Prepared<'_>)>> = Vec::new();
    for (index, question) in questions.into_iter().enumerate() {
        let (answer, prepared) = match question {
            Err(answer) => (Some(answer), None),
            Ok(prepared) => (None, Some(prepared)),
        };
        answers.push(answer);
        let Some(prepared) = prepared else { continue };
        match groups.iter_mut().find(|group| share(&group[0].1, &prepared)) {
            Some(group) => group.push((index, prepared)),
            None => groups.push(vec![(index, prepared)]),
        }
    }
    for group in &groups {
        let prepared: Vec<&Prepared<'_>> = group.iter().map(|(_, prepared)| prepared).collect();
        let answered = answer_group(&prepared, deadline, &mut budget, observe);
        group.iter().zip(answered).for_each(|((index, _), answer)| answers[*index] = Some(answer));
    }
    Ok(answers.into_iter().map(|answer| answer.expect("each question is answered")).collect())
}

/// Whether two questions can share a search.
fn share(one: &Prepared<'_>, other: &Prepared<'_>) -> bool {
    let zones = |prepared: &Prepared<'_>| {
        let plan = prepared.plan();
        (plan.abstraction, plan.bounds, plan.cover, plan.split, plan.reduce)
    };
    zones(one) == zones(other) && one.analysis() == other.analysis()
}

fn answer_group(
    group: &[&Prepared<'_>],
    deadline: Deadline<'_>,
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Vec<Answer> {
    let allowed = group[0].plan().sets.memory_bytes;
    let mut room = ROOM_MIN.min(allowed);
    let started = Instant::now();
    let mut answers = Vec::new();
    while answers.len() < group.len() {
        let rest = &group[answers.len()..];
        match attempt(rest, (room, deadline), budget, observe, &mut answers) {
            Ok(()) => {}
            Err(Trouble::Refused(why)) => {
                let rest = &group[answers.len()..];
                answers.extend(rest.iter().map(|prepared| refused(prepared, &why)));
            }
            Err(Trouble::Full) if room < allowed && !deadline.is_over() => {
                room = (room * ROOM_GROWTH).min(allowed)
            }
            Err(trouble) => {
                let full = trouble == Trouble::Full && !deadline.is_over();
                let what = if full { Exhausted::Memory } else { budget.over() };
                let prepared = group[answers.len()];
                let why = Why::Exhausted(what);
                answers.push(prepared.unknown(why, Stats::default(), started.elapsed()));
            }
        }
    }
    answers
}

fn refused(prepared: &Prepared<'_>, why: &str) -> Answer {
    Answer::unsupported(prepared.query(), format!("{why}: use --engine zones"))
}

/// Answers questions that share a search, in so much memory, until that is too little.
fn attempt(
    group: &[&Prepared<'_>],
    (room, deadline): (u64, Deadline<'_>),
    budget: &mut Budget<'_>,
    observe: &mut dyn FnMut(&Progress),
    answers: &mut Vec<Answer>,
) -> Done {
    let first = group[0];
    let (model, system, plan) = (first.model(), first.system(), first.plan());
    let fields = fields(model, system);
    if fields.bits() > BITS_MAX {
        return refuse(format!("a discrete state has {} bits, and {BITS_MAX} is the most", fields.bits()));
    }
    let bdds = Bdds::new(fields.variables(), room as usize);
    let setting = Setting { model, layout: &system.layout, fields: &fields, bdds: &bdds, deadline };
    let options = first.options();
    let local = plan.bounds == BoundsScope::Local;
    let mut started = Instant::now();
    let encode = || Encoding::new(setting, first.analysis(), local);
    let mut search = Search::new(setting, (&options, system.dimension), encode()?, plan);
    for prepared in group {
        let query = prepared.query();
        let reused = search.map.len() as u64;
        let asked = prepared.asked();
        let goal = match asked.map(|asked| Goal::new(setting, &search.encoding.legal, asked)).transpose() {
            // The others may be possible.
            Err(Trouble::Refused(why)) => {
                answers.push(refused(prepared, &why));
                continue;
            }
            goal => goal?,
        };
        let mut observe = |stats: &Stats| observe(&Progress { query, stats: *stats });
        let ended = search.run(goal.clone(), &system.initial, budget, &mut observe)?;
        let stats = stats(&search);
        let again = || -> Done<Search<'_>> {
            Ok(Search::new(setting, (&options, system.dimension), encode()?, plan).without_merging())
        };
        let mut conclusion = Conclusion {
            prepared,
            search: &mut search,
            graph: prepared.graph(),
            budget,
            goal,
            again: &again,
            may_grow: room < plan.sets.memory_bytes,
        };
        let answer = match conclusion.outcome(&ended)? {
            Ok(outcome) => prepared.answer(outcome, stats, Duration::ZERO),
            Err(why) => prepared.unknown(why, stats, Duration::ZERO),
        };
        answers.push(Answer { reused, time: started.elapsed(), ..answer });
        started = Instant::now();
    }
    Ok(())
}

/// What a search took, with the number of states that it reached.
fn stats(search: &Search<'_>) -> Stats {
    let mut stats = search.stats();
    if let Some(sets) = &mut stats.sets {
        sets.pairs = search.pairs() as u64;
    }
    let entries = search.map.entries().iter();
    let all = entries.clone().try_fold(search.setting.bdds.no(), |all, entry| all.or(&entry.reached));
    stats.discrete_states = all.map_or(0, |all| search.setting.fields.count(&all) as u64);
    stats
}

/// What is made of how a search ended.
struct Conclusion<'c, 's, 'b, 'a> {
    prepared: &'c Prepared<'c>,
    search: &'c mut Search<'s>,
    graph: ZoneGraph<'c>,
    budget: &'c mut Budget<'b>,
    goal: Option<Goal>,
    /// Another search, which has not begun.
    again: &'a dyn Fn() -> Done<Search<'s>>,
    /// Whether there can be more room.
    may_grow: bool,
}

/// How many steps may be taken to find a short run, besides half of those that the search has taken.
const STEPS: u64 = 20_000;

impl Conclusion<'_, '_, '_, '_> {
    fn outcome(&mut self, ended: &Ended) -> Done<Result<Outcome, Why>> {
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
            Err(NoPath::Full) if self.may_grow || !found => return Err(Trouble::Full),
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
        let judged = self
            .prepared
            .goal()
            .map(|goal| Judge::new(self.prepared.system()).meet(goal, &end.memory, &end.zone).err());
        let error = judged.flatten().or_else(|| self.graph.expand(&mut end, &mut |_| {}).err());
        match error {
            Some(error) => Ok(Outcome::Failed { error, path: Some(ordinals) }),
            None => {
                Err(Why::NotReplayed("the model fails in a state in which nothing goes wrong".to_owned()))
            }
        }
    }
}
