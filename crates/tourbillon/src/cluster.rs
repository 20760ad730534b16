//! The ranks of a cluster, and the report after the loss of a rank.

use tourbillon_cluster::{CpuTime, RANKS_MAX, Ranks};

use crate::answered::report;
use crate::check::{CheckError, Request, with_job};
use crate::load::Loaded;
use crate::report::Report;

/// The ranks of a distributed search.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'m> {
    pub ranks: Ranks<'m>,
    /// Measures the CPU time of a thread.
    pub cpu_time: CpuTime,
}

impl Default for Cluster<'_> {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { ranks: Ranks::Threads(cores.min(RANKS_MAX)), cpu_time: CpuTime::default() }
    }
}

/// The report after ranks that are processes have failed and none is left to write it: every verdict is unknown because
/// of the lost rank, if that is known.
///
/// # Errors
/// As [`check`](crate::check()).
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
