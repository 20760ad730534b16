//! From a job to answers: each question is searched for by all ranks together, one after the other.
//!
//! Ranks that are processes all run this, on the same job, and come to the same questions in the same order; only the first
//! has answers in the end. Questions do not share searches, as they do on one machine: what is stored is on many ranks,
//! and none could look back at it alone.

use std::fmt;
use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, Engine, Job, Limits, Outcome, PlanRequest, PrepareError, Prepared, Progress, Stats, Why, prepare,
};

use crate::coordinator::{Concluded, Ended};
use crate::crew;
use crate::report::{RankStats, sum};
use crate::spread::Balance;
use crate::transport::mpi::Mpi;
use crate::worker::Common;

/// What ranks are.
#[derive(Clone, Copy, Debug)]
pub enum Ranks<'m> {
    /// So many threads of this process.
    Threads(usize),
    /// So many state machines in this thread, with a network in which a seed decides what comes when.
    Simulated {
        /// How many.
        ranks: usize,
        /// What everything is drawn from.
        seed: u64,
    },
    /// Processes, of which this is one.
    Mpi(&'m Mpi),
}

/// Tells the processor's time that the calling thread has had so far, where that is known. No crate but the command asks
/// the system for anything.
#[derive(Clone, Copy)]
pub struct CpuTime(pub fn() -> Option<Duration>);

impl Default for CpuTime {
    fn default() -> Self {
        Self(|| None)
    }
}

impl fmt::Debug for CpuTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CpuTime")
    }
}

/// An answer, and what each rank did for it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The answer, with the numbers of all ranks together.
    pub answer: Answer,
    /// Each rank's own; none if nothing was searched, and without those of ranks that are gone.
    pub ranks: Vec<RankStats>,
}

/// How many threads or simulated ranks there can be.
pub const RANKS_MAX: usize = 1024;

/// Answers queries, on several ranks. The answers are in the order of the queries; on other ranks than the first there
/// are none.
///
/// # Errors
/// If the model cannot be compiled, or what was asked for cannot be combined.
///
/// # Panics
/// If there are no ranks, or more than [`RANKS_MAX`].
pub fn check(
    job: &Job<'_>,
    ranks: Ranks<'_>,
    cpu_time: CpuTime,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Vec<Answered>>, PrepareError> {
    let mut answers = Vec::new();
    let has_answers = check_each(job, ranks, cpu_time, observe, &mut |answer| answers.push(answer))?;
    Ok(has_answers.then_some(answers))
}

/// Answers queries, and hands each answer on as soon as it is known. Returns whether this is the rank that has answers.
///
/// # Errors
/// As [`check`].
///
/// # Panics
/// As [`check`].
pub fn check_each(
    job: &Job<'_>,
    ranks: Ranks<'_>,
    cpu_time: CpuTime,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(Answered),
) -> Result<bool, PrepareError> {
    let plan_request = PlanRequest { engine: Engine::Cluster, ..job.plan_request.clone() };
    let questions = prepare(&Job { plan_request: &plan_request, ..*job })?;
    let started = Instant::now();
    // Threads have one memory, processes have one each.
    let memory_shares = if let Ranks::Threads(threads) = ranks { threads as u64 } else { 1 };
    let mut crew = crew::of(ranks);
    for question in questions {
        let prepared = match question {
            Err(answer) => {
                if crew.has_answers() {
                    answered(Answered { answer, ranks: Vec::new() });
                }
                continue;
            }
            Ok(prepared) => prepared,
        };
        let limits = share(&job.limits, (crew.ranks(), memory_shares), started.elapsed());
        let prepared = prepared.limited_to(limits);
        let balance = match (prepared.plan().balance, crew.is_restless()) {
            (false, _) => Balance::Off,
            (true, false) => Balance::Auto,
            (true, true) => Balance::Restless,
        };
        let pace = crew.pace();
        let common = Common { prepared: &prepared, limits, stop: job.stop, pace, balance, cpu_time };
        let query = prepared.query();
        let began = Instant::now();
        let concluded = crew.search(&common, &mut |stats| observe(&Progress { query, stats: *stats }));
        if let Some(concluded) = concluded {
            answered(answer_of(&prepared, concluded, began.elapsed()));
        }
    }
    Ok(crew.has_answers())
}

/// What each rank may take: its share of the memory, which is all of it if that is its own; its share of the states; and
/// the time that is left.
fn share(limits: &Limits, (ranks, memory_shares): (usize, u64), elapsed: Duration) -> Limits {
    Limits {
        states: limits.states.map(|states| states.div_ceil(ranks as u64)),
        memory_bytes: limits.memory_bytes.map(|bytes| bytes / memory_shares),
        time: limits.time.map(|time| time.saturating_sub(elapsed)),
    }
}

/// The answers where ranks that are processes came to a bad end, and nobody is left to say how far they were: that one of
/// them is gone, if it is known which one, and what is known of how.
///
/// # Errors
/// As [`check`].
pub fn lost(job: &Job<'_>, rank: Option<usize>, said: &str) -> Result<Vec<Answered>, PrepareError> {
    let answer = |prepared: Prepared<'_>| {
        let why = Why::RankLost { rank, said: said.to_owned() };
        prepared.unknown(why, Stats::default(), Duration::ZERO)
    };
    let plan_request = PlanRequest { engine: Engine::Cluster, ..job.plan_request.clone() };
    let answers =
        prepare(&Job { plan_request: &plan_request, ..*job })?.into_iter().map(|question| match question {
            Ok(prepared) => answer(prepared),
            Err(answer) => answer,
        });
    Ok(answers.map(|answer| Answered { answer, ranks: Vec::new() }).collect())
}

fn answer_of(prepared: &Prepared<'_>, concluded: Concluded, time: Duration) -> Answered {
    let Concluded { ended, ranks } = concluded;
    let stats: Stats = sum(&ranks);
    let answer = match ended {
        Ended::Found(path) => prepared.answer(Outcome::Found { path }, stats, time),
        Ended::Complete => prepared.answer(Outcome::Complete, stats, time),
        Ended::Failed(error, path) => prepared.answer(Outcome::Failed { error, path }, stats, time),
        Ended::Overflowed => prepared.answer(Outcome::Overflowed, stats, time),
        Ended::Exhausted { rank, what } => prepared.unknown(Why::RankExhausted { rank, what }, stats, time),
        Ended::Lost { rank, said } => prepared.unknown(Why::RankLost { rank: Some(rank), said }, stats, time),
    };
    Answered { answer, ranks }
}
