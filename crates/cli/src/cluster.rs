//! Ranks, as the command line names them: threads of this process, or processes that mpirun has started.
//!
//! Under mpirun every process runs this command, with the same arguments. All load the model and search together; the
//! first one says everything there is to say, and the others are quiet.

use std::time::Duration;

use tourbillon::{Cluster, CpuTime, Mpi, RANKS_MAX, Ranks};

use crate::{Failure, render};

/// How many ranks there are.
#[derive(clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct RankOptions {
    /// How many ranks search, as threads of this process, with --engine cluster; one for each core if it is left out. Under
    /// mpirun the ranks are mpirun's, and this is left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=RANKS_MAX as i64))]
    ranks: Option<u32>,
}

/// What launchers of MPI's processes tell them: Open MPI, those that use PMIx, and MPICH.
const LAUNCHED: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"];

/// Whether a launcher of MPI has started this process.
fn is_launched() -> bool {
    LAUNCHED.iter().any(|name| std::env::var_os(name).is_some())
}

/// The processes that mpirun has started, if it has. All of them but the first are quiet from then on.
pub(crate) fn world(is_cluster: bool, options: &RankOptions) -> Result<Option<Mpi>, Failure> {
    if !is_cluster {
        let unused = options.ranks.map(|_| "--ranks goes with --engine cluster".to_owned().into());
        return unused.map_or(Ok(None), Err);
    }
    if !is_launched() {
        return Ok(None);
    }
    if options.ranks.is_some() {
        return Err("under mpirun the ranks are mpirun's: leave --ranks out".to_owned().into());
    }
    let world = Mpi::start().ok_or_else(|| {
        "this program was built without MPI: build it with --features mpi, or leave mpirun out and say --ranks"
            .to_owned()
    })?;
    if world.rank() > 0 {
        render::be_quiet();
    }
    Ok(Some(world))
}

/// The ranks that search.
pub(crate) fn cluster<'m>(world: Option<&'m Mpi>, options: &RankOptions) -> Cluster<'m> {
    let cpu_time = CpuTime(cpu_time);
    let ranks = match (world, options.ranks) {
        (Some(world), _) => Ranks::Mpi(world),
        (None, Some(ranks)) => Ranks::Threads(ranks as usize),
        (None, None) => Cluster::default().ranks,
    };
    Cluster { ranks, cpu_time }
}

/// The processor's time of the calling thread, where the system tells: the first number is in nanoseconds.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
