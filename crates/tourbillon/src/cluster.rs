//! Checking on several ranks: the same questions and the same report, with what each rank did.

use tourbillon_check::{Answer, Progress};
use tourbillon_cluster::{Answered, CpuTime, RANKS_MAX, RankStats, Ranks};

use crate::check::{CheckError, GivenAnswer, Giver, Request, report, with_job};
use crate::load::Loaded;
use crate::report::Report;

/// What searches together.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'m> {
    /// The ranks.
    pub ranks: Ranks<'m>,
    /// What tells the processor's time.
    pub cpu_time: CpuTime,
}

impl Default for Cluster<'_> {
    /// A thread for each core.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { ranks: Ranks::Threads(cores.min(RANKS_MAX)), cpu_time: CpuTime::default() }
    }
}

/// Answers what is asked of a model, on several ranks. Each rank that is a process calls this, with the same request, and
/// only the first one gets the report. `observe` is called now and then, with what the rank here has done.
///
/// # Errors
/// If the model is wrong, or what is asked for is not possible.
pub fn check_on_cluster(
    loaded: &Loaded,
    request: &Request<'_>,
    cluster: &Cluster<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Report>, CheckError> {
    with_job(loaded, request, |job, model| {
        let answers = tourbillon_cluster::check(job, cluster.ranks, cluster.cpu_time, observe)?;
        Ok(answers.map(|answers| report(model, loaded.sources(), parts(answers))))
    })
}

/// The same, with each answer handed on as soon as it is known. Returns whether this is the rank that has answers.
///
/// # Errors
/// As [`check_on_cluster`].
pub fn check_each_on_cluster(
    loaded: &Loaded,
    request: &Request<'_>,
    cluster: &Cluster<'_>,
    observe: &mut dyn FnMut(&Progress),
    answered: &mut dyn FnMut(&GivenAnswer<'_>),
) -> Result<bool, CheckError> {
    with_job(loaded, request, |job, model| {
        let mut giver = Giver::new(model, loaded.sources());
        let mut give = |Answered { answer, ranks }: Answered| giver.give(&answer, ranks, answered);
        Ok(tourbillon_cluster::check_each(job, cluster.ranks, cluster.cpu_time, observe, &mut give)?)
    })
}

/// The report where ranks that are processes came to a bad end, and none of them is left to write it: every answer is
/// unknown, since this rank is gone, if it is known which one.
///
/// # Errors
/// As [`check_on_cluster`].
pub fn lost_on_cluster(
    loaded: &Loaded,
    request: &Request<'_>,
    rank: Option<usize>,
    said: &str,
) -> Result<Report, CheckError> {
    with_job(loaded, request, |job, model| {
        let answers = tourbillon_cluster::lost(job, rank, said)?;
        Ok(report(model, loaded.sources(), parts(answers)))
    })
}

fn parts(answers: Vec<Answered>) -> Vec<(Answer, Vec<RankStats>)> {
    answers.into_iter().map(|Answered { answer, ranks }| (answer, ranks)).collect()
}
