//! Ranks on the command line: threads of this process, or processes that mpirun has started.
//!
//! Under mpirun, every process runs this command with the same arguments. All load the model and search together. Only
//! the first rank writes output.
//!
//! If a process is killed, mpirun ends all others, so that none of them can report the loss. `--mpirun` therefore
//! starts mpirun from a process that takes no part in the search. This process forwards the output of the first rank.
//! If the ranks fail, it writes the report, in which every verdict is unknown, with the rank that mpirun names.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tourbillon::{Cluster, CpuTime, Mpi, RANKS_MAX, Ranks};

use crate::{Failure, INTERNAL_ERROR, fault, render};

/// The number of ranks, and how they are started.
#[derive(clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct RankOptions {
    /// Number of ranks, as threads of this process, with --engine cluster [default: one for each core]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=RANKS_MAX as i64))]
    ranks: Option<u32>,
    /// Command that starts the ranks as processes, such as "mpirun --oversubscribe", with --ranks
    #[arg(long, hide_short_help = true, value_name = "COMMAND", requires = "ranks")]
    mpirun: Option<String>,
}

impl RankOptions {
    /// The command that starts the ranks, and how many.
    pub(crate) fn launcher(&self) -> Option<(&str, u32)> {
        self.mpirun.as_deref().zip(self.ranks)
    }
}

/// Environment variables that MPI launchers set: Open MPI, launchers with PMIx, and MPICH.
const LAUNCHED: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"];

/// Whether an MPI launcher has started this process.
fn is_launched() -> bool {
    LAUNCHED.iter().any(|name| std::env::var_os(name).is_some())
}

/// The processes that mpirun has started, if any. All except the first are quiet from then on.
pub(crate) fn world(is_cluster: bool, options: &RankOptions) -> Result<Option<Mpi>, Failure> {
    if !is_cluster {
        let unused = options.ranks.map(|_| "--ranks and --mpirun require --engine cluster".to_owned().into());
        return unused.map_or(Ok(None), Err);
    }
    if !is_launched() {
        return Ok(None);
    }
    if options.ranks.is_some() {
        return Err("mpirun sets the number of ranks: leave --ranks out".to_owned().into());
    }
    let world = Mpi::start().ok_or_else(|| {
        "this program was built without MPI: build it with --features mpi, or use --ranks without mpirun"
            .to_owned()
    })?;
    if world.rank() > 0 {
        render::be_quiet();
    }
    if world.ranks() > RANKS_MAX {
        return Err(format!("at most {RANKS_MAX} ranks are supported, not {}", world.ranks()).into());
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

/// Runs a rank. If it panics and ranks are processes, ends all of them after the message: the others may wait for this
/// one, and MPI would wait for them.
pub(crate) fn guarded<T>(world: Option<&Mpi>, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        if let Some(world) = world {
            render::say(&format!(
                "\nerror: internal error of Tourbillon, not an error in the model, on rank {}: {}\n",
                world.rank(),
                fault::last()
            ));
            world.abort(INTERNAL_ERROR.into());
        }
        resume_unwind(panic)
    })
}

/// The CPU time of the calling thread, if the system reports it. The first number is in nanoseconds.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The end of the processes that mpirun started.
pub(crate) enum LaunchOutcome {
    /// With a report or a message, and an exit status.
    Ended {
        output: String,
        said: String,
        status: u8,
    },
    Lost(RankLoss),
}

/// The loss of a process.
pub(crate) struct RankLoss {
    /// The rank that mpirun names, if any.
    pub(crate) rank: Option<usize>,
    /// How it ended, in mpirun's words.
    pub(crate) how: String,
}

/// Runs this command again as several processes. Signals them when the flag is set.
pub(crate) fn launch((command, ranks): (&str, u32), stop: &AtomicBool) -> Result<LaunchOutcome, Failure> {
    let trouble = |error: std::io::Error| format!("{command}: {error}");
    let mut words = command.split_whitespace();
    let program = words.next().ok_or_else(|| "--mpirun is empty".to_owned())?;
    let own = std::env::current_exe().map_err(trouble)?;
    let mut mpirun = Command::new(program);
    mpirun.args(words).arg("-n").arg(ranks.to_string()).arg(own).args(passed_on(std::env::args().skip(1)));
    // In a process group of its own it does not receive Ctrl-C, which would end all ranks before they can report.
    mpirun.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (output, said, code) = mpirun.spawn().and_then(|child| attend(child, stop)).map_err(trouble)?;
    let own_words = without_notices(&said);
    match code.and_then(|code| u8::try_from(code).ok()) {
        Some(status @ 0..=INTERNAL_ERROR) if !blames(&said) => {
            if output.is_empty() && own_words.trim().is_empty() {
                // The first rank always writes something: it was not started.
                return Err(format!("{command}: no rank was started{}", quoted(&said)).into());
            }
            Ok(LaunchOutcome::Ended { output, said: own_words, status })
        }
        _ => Ok(LaunchOutcome::Lost(RankLoss { rank: blamed(&said), how: how(&said) })),
    }
}

/// The message of mpirun on one line after a colon; empty if there is none.
fn quoted(said: &str) -> String {
    const LENGTH_MAX: usize = 400;
    let is_rule = |word: &&str| word.bytes().all(|byte| byte == b'-');
    let words: Vec<&str> = said.split_whitespace().filter(|word| !is_rule(word)).collect();
    let line: String = words.join(" ").chars().take(LENGTH_MAX).collect();
    if line.is_empty() { line } else { format!(": {line}") }
}

/// The interval at which the flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits for mpirun to end. Forwards a stop request to its processes by the signal that mpirun passes on. Returns
/// standard output, standard error and the exit status.
fn attend(mut child: Child, stop: &AtomicBool) -> std::io::Result<(String, String, Option<i32>)> {
    let [output, said] = [
        child.stdout.take().map(|mut from| std::thread::spawn(move || text_of(&mut from))),
        child.stderr.take().map(|mut from| std::thread::spawn(move || text_of(&mut from))),
    ];
    let mut told = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stop.load(Ordering::Relaxed) && !told {
            told = true;
            Command::new("kill").arg("-USR1").arg(child.id().to_string()).status()?;
        }
        std::thread::sleep(POLL_INTERVAL);
    };
    let [output, said] =
        [output, said].map(|reader| reader.and_then(|it| it.join().ok()).unwrap_or_default());
    Ok((output, said, status.code()))
}

/// All bytes of a stream, as text.
fn text_of(from: &mut dyn Read) -> String {
    let mut bytes = Vec::new();
    // Text that was read before an error is shown.
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The messages without mpirun's notices, which stand between lines of dashes: an exit status other than 0 is not an
/// error.
fn without_notices(said: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in said.lines() {
        let is_rule = line.len() > 40 && line.bytes().all(|byte| byte == b'-');
        inside ^= is_rule;
        if !inside && !is_rule {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The arguments without those that start ranks.
fn passed_on(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut is_value = false;
    for argument in arguments {
        let ours = ["--mpirun", "--ranks"].iter().any(|name| argument == *name);
        let with_value = ["--mpirun=", "--ranks="].iter().any(|name| argument.starts_with(name));
        if !is_value && !ours && !with_value {
            kept.push(argument);
        }
        is_value = !is_value && ours;
    }
    kept
}

/// The words that precede the number of the failed rank in mpirun's message.
const BLAMES: &str = "process rank ";

/// Whether mpirun reports a failed process, and not merely an exit status other than 0.
fn blames(said: &str) -> bool {
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    said.contains("exited on signal") || said.contains("without calling \"finalize\"")
}

/// The rank that mpirun names.
fn blamed(said: &str) -> Option<usize> {
    let rest = &said[said.find(BLAMES)? + BLAMES.len()..];
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The end of a process in mpirun's words: the signal, or the whole message.
fn how(said: &str) -> String {
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = words.find("exited on signal").map(|at| words[at..].split('.').next().unwrap_or_default());
    found.map_or_else(|| quoted(said).trim_start_matches(": ").to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_ranks_are_started_is_not_passed_on() {
        let given =
            ["check", "m.xml", "--ranks", "3", "--stats", "--mpirun=mpirun -x", "--engine", "cluster"];
        let kept = passed_on(given.into_iter().map(str::to_owned));
        assert_eq!(kept, ["check", "m.xml", "--stats", "--engine", "cluster"]);
        let given = ["check", "--mpirun", "--ranks", "m.xml"].map(str::to_owned);
        assert_eq!(passed_on(given.into_iter()), ["check", "m.xml"]);
    }

    #[test]
    fn the_rank_that_mpirun_blames_is_read() {
        let said = "-----\nmpirun noticed that process rank 12 with PID 0 on node here exited on\nsignal 9 (Killed).\n---";
        assert_eq!(blamed(said), Some(12));
        assert_eq!(how(said), "exited on signal 9 (Killed)");
        let rule = "-".repeat(74);
        let text = format!("note: one\n{rule}\nPrimary job\n{rule}\nerror: two\n");
        assert_eq!(without_notices(&text), "note: one\nerror: two\n");
        let said = "Primary job terminated normally, but 1 process returned a non-zero exit code.";
        assert!(!blames(said) && blamed(said).is_none());
        // Without a signal, the whole message is shown.
        assert_eq!(how(said), said);
        assert_eq!(quoted(&format!("{rule}\nnot enough\nslots\n{rule}\n")), ": not enough slots");
    }
}
