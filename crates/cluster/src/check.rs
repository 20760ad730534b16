//! The engine on several ranks: each property is checked by all of them together, one after the other.
//!
//! Ranks that are processes all run this, on the same job, and come to the same properties in the same order; only the first
//! has answers in the end. Properties do not share searches, as they do on one machine: the states are stored on many ranks,
//! and no rank can look back at all of them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, Budget, Checker, Engine, Evidence, Job, Limits, PlanRequest, PrepareError, Prepared, Progress,
    Stats, Why, check_with, prepare,
};

use crate::coordinator::{Concluded, Ended};
use crate::crew::{self, RankSet};
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

/// How many threads or simulated ranks there can be.
pub const RANKS_MAX: usize = 1024;

/// The engine that searches on several ranks.
pub struct ClusterChecker<'m> {
    crew: Box<dyn RankSet + 'm>,
    /// Among how many ranks the memory of this process is shared.
    memory_shares: u64,
    limits: Limits,
    started: Instant,
    stop: Option<&'m Arc<AtomicBool>>,
    cpu_time: CpuTime,
}

impl<'m> ClusterChecker<'m> {
    /// Ranks that stay within limits from now on, all together.
    ///
    /// # Panics
    /// If there are no ranks, or more than [`RANKS_MAX`].
    #[must_use]
    pub fn new(
        ranks: Ranks<'m>,
        cpu_time: CpuTime,
        limits: Limits,
        stop: Option<&'m Arc<AtomicBool>>,
    ) -> Self {
        // Threads share one memory, and processes do not.
        let memory_shares = if let Ranks::Threads(threads) = ranks { threads as u64 } else { 1 };
        let crew = crew::of(ranks);
        Self { crew, memory_shares, limits, started: Instant::now(), stop, cpu_time }
    }

    /// Whether this is the rank that has answers.
    #[must_use]
    pub fn has_answers(&self) -> bool {
        self.crew.has_answers()
    }

    /// Searches on all ranks. There is an answer if the first rank is here.
    fn check_one(&mut self, prepared: &Prepared<'_>, observe: &mut dyn FnMut(&Progress)) -> Option<Answer> {
        let Self { crew, memory_shares, stop, cpu_time, .. } = self;
        let limits = share(&self.limits, (crew.ranks(), *memory_shares), self.started.elapsed());
        let prepared = prepared.limited_to(limits);
        let balance = match (prepared.plan().balance, crew.is_restless()) {
            (false, _) => Balance::Off,
            (true, false) => Balance::Auto,
            (true, true) => Balance::Restless,
        };
        let pace = crew.pace();
        let common = Common { prepared: &prepared, limits, stop: *stop, pace, balance, cpu_time: *cpu_time };
        let query = prepared.query();
        let began = Instant::now();
        let concluded = crew.search(&common, &mut |stats| observe(&Progress { query, stats: *stats }))?;
        Some(answer_of(&prepared, concluded, began.elapsed()))
    }
}

impl fmt::Debug for ClusterChecker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterChecker").field("ranks", &self.crew.ranks()).finish_non_exhaustive()
    }
}

impl Checker for ClusterChecker<'_> {
    fn check(
        &mut self,
        group: &[Prepared<'_>],
        _budget: &mut Budget<'_>,
        observe: &mut dyn FnMut(&Progress),
        answered: &mut dyn FnMut(Answer),
    ) -> Result<(), PrepareError> {
        group.iter().filter_map(|prepared| self.check_one(prepared, observe)).for_each(answered);
        Ok(())
    }
}

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
) -> Result<Option<Vec<Answer>>, PrepareError> {
    let plan_request = PlanRequest { engine: Engine::Cluster, ..job.plan_request.clone() };
    let mut checker = ClusterChecker::new(ranks, cpu_time, job.limits, job.stop);
    let answers = check_with(&mut checker, &Job { plan_request: &plan_request, ..*job }, observe)?;
    Ok(checker.has_answers().then_some(answers))
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

/// The answers where ranks that are processes failed, and none is left to report: that one of them is lost, if it is known
/// which one, and what is known of the cause.
///
/// # Errors
/// As [`check`].
pub fn lost(job: &Job<'_>, rank: Option<usize>, said: &str) -> Result<Vec<Answer>, PrepareError> {
    let answer = |prepared: Prepared<'_>| {
        let why = Why::RankLost { rank, said: said.to_owned() };
        prepared.unknown(why, Stats::default(), Duration::ZERO)
    };
    let plan_request = PlanRequest { engine: Engine::Cluster, ..job.plan_request.clone() };
    let ready = prepare(&Job { plan_request: &plan_request, ..*job })?;
    let mut answers: Vec<Answer> =
        ready.into_iter().map(|it| it.map_or_else(|answer| answer, answer)).collect();
    answers.sort_by_key(|answer| answer.query);
    Ok(answers)
}

fn answer_of(prepared: &Prepared<'_>, concluded: Concluded, time: Duration) -> Answer {
    let Concluded { ended, ranks } = concluded;
    let stats = ranks.iter().fold(Stats::default(), |sum, rank| sum.and(&rank.stats));
    let answer = match ended {
        Ended::Found(path) => prepared.answer(Evidence::Found { path }, stats, time),
        Ended::Complete => prepared.answer(Evidence::Complete, stats, time),
        Ended::Failed(error, path) => prepared.answer(Evidence::Failed { error, path }, stats, time),
        Ended::Overflowed => prepared.answer(Evidence::Overflowed, stats, time),
        Ended::Exhausted { rank, what } => prepared.unknown(Why::RankExhausted { rank, what }, stats, time),
        Ended::Lost { rank, said } => prepared.unknown(Why::RankLost { rank: Some(rank), said }, stats, time),
    };
    Answer { ranks, ..answer }
}
