//! The ranks of a cluster, and the report if they are lost.

use tourbillon_cluster::{CpuTime, RANKS_MAX, Ranks};

use crate::answered::report;
use crate::check::{CheckError, Request, with_job};
use crate::load::Loaded;
use crate::report::Report;

/// Ranks that search together.
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

/// The report where ranks that are processes failed, and none of them is left to write it: every answer is unknown, since this rank
/// is lost, if it is known which one.
///
/// # Errors
/// As [`check`](crate::check).
pub fn lost_on_cluster(
    loaded: &Loaded,
    request: &Request<'_>,
    rank: Option<usize>,
    said: &str,
) -> Result<Report, CheckError> {
    with_job(loaded, request, |job| {
        let answers = tourbillon_cluster::lost(job, rank, said)?;
        Ok(report(job.model, loaded.sources(), &answers))
    })
}
