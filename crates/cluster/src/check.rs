//! The engine over several ranks: all ranks check each property together, one property after the other.
//!
//! Ranks that are processes all run this, on the same job, with the same properties in the same order; only the first has answers.
//! Properties do not share searches, as they do on one machine: the states are stored on many ranks, and no rank can test all of
//! them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tourbillon_check::{
    Answer, Budget, Checker, Engine, Evidence, Job, Limits, PlanRequest, PrepareError, Prepared, Progress,
    Stats, Why, check_with, prepare,
};

use crate::coordinator::{ClusterEnd, ClusterResult};
use crate::rank_set::{self, RankSet};
use crate::spread::Balance;
use crate::transport::mpi::Mpi;
use crate::worker::Common;

/// The kind and number of ranks.
#[derive(Clone, Copy, Debug)]
pub enum Ranks<'m> {
    /// Threads of this process.
    Threads(usize),
    /// State machines in this thread, with a simulated network whose timing is random, by a seed.
    Simulated { ranks: usize, seed: u64 },
    /// Processes, of which this is one.
    Mpi(&'m Mpi),
}

/// The processor time of the calling thread, if it is known. Only the command makes system calls.
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

/// The maximum number of threads or simulated ranks.
pub const RANKS_MAX: usize = 1024;

/// The distributed engine.
pub struct ClusterChecker<'m> {
    rank_set: Box<dyn RankSet + 'm>,
    /// The number of ranks that share the memory of this process.
    memory_shares: u64,
    limits: Limits,
    started: Instant,
    stop: Option<&'m Arc<AtomicBool>>,
    cpu_time: CpuTime,
}

impl<'m> ClusterChecker<'m> {
    /// Ranks that start now and stay within limits together.
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
        let rank_set = rank_set::of(ranks);
        Self { rank_set, memory_shares, limits, started: Instant::now(), stop, cpu_time }
    }

    /// Whether this process has the first rank, which has the answers.
    #[must_use]
    pub fn has_answers(&self) -> bool {
        self.rank_set.has_answers()
    }

    /// Searches on all ranks. Returns the answer if this process has the first rank.
    fn check_one(&mut self, prepared: &Prepared<'_>, observe: &mut dyn FnMut(&Progress)) -> Option<Answer> {
        let Self { rank_set, memory_shares, stop, cpu_time, .. } = self;
        let limits = server(&self.limits, (rank_set.ranks(), *memory_shares), self.started.elapsed());
        let prepared = prepared.limited_to(limits);
        let balance = match (prepared.plan().balance, rank_set.moves_always()) {
            (false, _) => Balance::Off,
            (true, false) => Balance::Auto,
            (true, true) => Balance::Always,
        };
        let pace = rank_set.pace();
        let common = Common { prepared: &prepared, limits, stop: *stop, pace, balance, cpu_time: *cpu_time };
        let query = prepared.query();
        let began = Instant::now();
        let concluded = rank_set.search(&common, &mut |stats| observe(&Progress { query, stats: *stats }))?;
        Some(answer_of(&prepared, concluded, began.elapsed()))
    }
}

impl fmt::Debug for ClusterChecker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterChecker").field("ranks", &self.rank_set.ranks()).finish_non_exhaustive()
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

/// Checks the queries of a job on several ranks. The answers are in the order of the queries; only the first rank has
/// them.
///
/// # Errors
/// If the model cannot be compiled, or the request cannot be combined.
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

/// The limits of each rank: its share of the memory, which is all of it if the rank is a process; its share of the
/// states; and the time that is left.
fn server(limits: &Limits, (ranks, memory_shares): (usize, u64), elapsed: Duration) -> Limits {
    Limits {
        states: limits.states.map(|states| states.div_ceil(ranks as u64)),
        memory_bytes: limits.memory_bytes.map(|bytes| bytes / memory_shares),
        time: limits.time.map(|time| time.saturating_sub(elapsed)),
    }
}

/// The answers if ranks that are processes failed and no coordinator is left: one of them is lost, with its number and
/// message if they are known.
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

fn answer_of(prepared: &Prepared<'_>, concluded: ClusterResult, time: Duration) -> Answer {
    let ClusterResult { ended, ranks } = concluded;
    let stats = ranks.iter().fold(Stats::default(), |sum, rank| sum.and(&rank.stats));
    let answer = match ended {
        ClusterEnd::Found(path) => prepared.answer(Evidence::Found { path }, stats, time),
        ClusterEnd::Complete => prepared.answer(Evidence::Complete, stats, time),
        ClusterEnd::Failed(error, path) => prepared.answer(Evidence::Failed { error, path }, stats, time),
        ClusterEnd::Overflowed => prepared.answer(Evidence::Overflowed, stats, time),
        ClusterEnd::Exhausted { rank, what } => {
            prepared.unknown(Why::RankExhausted { rank, what }, stats, time)
        }
        ClusterEnd::Lost { rank, said } => {
            prepared.unknown(Why::RankLost { rank: Some(rank), said }, stats, time)
        }
    };
    Answer { ranks, ..answer }
}
