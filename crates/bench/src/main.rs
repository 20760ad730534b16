//! `tourbillon-bench`: time, memory and counts of searches, compared with another checker and with the figures of
//! papers.
//!
//! | file | holds |
//! |---|---|
//! | `peers.rs` | comparison with another checker: time, memory, counts |
//! | `throughput.rs` | throughput as a family grows |
//! | `threads.rs` | searches with several threads |
//! | `certificates.rs` | the cost of writing and checking certificates |
//! | `questions.rs` | the cost of queries relative to an exploration |
//! | `order/` | the mistakes of each search order, compared with a paper |
//! | `find.rs` | the visits of each search order until it finds a witness |
//! | `memory/` | the memory of each form of the passed list, compared with a paper |
//! | `cdd/` | the memory of unions of zones as diagrams, compared with a thesis |
//! | `symbolic.rs` | the symbolic engine, compared with the zone engine and with a paper |
//! | `cluster/` | the speedup and cost of several ranks, compared with the same thesis |
//! | `oracles.rs` | all known sizes of zone graphs, checked again |
//! | `selection.rs` | common arguments of several suites: which models, and how |
//! | `source.rs` | where models come from |
//! | `rows.rs` | which explorations are measured, and how large they are |
//! | `child.rs` | running a program and measuring its cost |
//! | `checker.rs` | this checker and its peer: their arguments and output |
//! | `table.rs`, `value.rs` | Markdown tables, and the values of cells |
//!
//! Everything that is measured runs in a process of its own, this checker too: the system reports the same figures for
//! every ended process, and no exploration affects the next. Programs alternate, so that disturbances of the machine
//! affect all of them.

mod cdd;
mod certificates;
mod checker;
mod child;
mod cluster;
mod find;
mod memory;
mod oracles;
mod order;
mod peers;
mod questions;
mod rows;
mod selection;
mod source;
mod symbolic;
mod table;
mod threads;
mod throughput;
mod value;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use tourbillon::Family;

/// Benchmarks of Tourbillon, compared with another checker and with the figures of papers.
#[derive(Parser)]
#[command(name = "tourbillon-bench", version, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 done; 1 some figure differs from the known one; 2 the input is wrong."
)]
struct BenchCommandLine {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(clap::Subcommand)]
enum Suite {
    /// Time and memory of full explorations, compared with another checker if one is found
    Peers(peers::PeersArguments),
    /// States and transitions per second as a family grows
    Throughput(throughput::ThroughputArguments),
    /// Full explorations with 1 to n threads: speedup, phases, and what more cores would give
    Threads(threads::ThreadsArguments),
    /// Certificates: bytes for each node, time of writing and of checking, relative to the search
    Certificates(certificates::CertificatesArguments),
    /// Cost of queries relative to an exploration: deadlock, clock bounds, leads-to
    Questions(questions::QuestionsArguments),
    /// Memory of each form of the passed list, compared with the tables of Bengtsson 2001
    Memory(memory::MemoryArguments),
    /// Wasted visits of each search order, compared with the table of Herbreteau and Tran 2015
    Order(order::OrderArguments),
    /// Visits of each search order until it finds a witness
    Find(find::FindArguments),
    /// Distributed search: speedup, messages, memory, compared with the thesis of Thomsen and Kristensen 2002
    Cluster(cluster::ClusterArguments),
    /// Memory of clock difference diagrams, compared with the table of Thomsen and Kristensen 2002
    Cdd(cdd::CddArguments),
    /// Symbolic engine, compared with the tables of Ehlers, Gerke and Peter 2010
    Symbolic(symbolic::SymbolicArguments),
    /// Known sizes of zone graphs, checked again within a time limit each
    Oracles(oracles::OraclesArguments),
}

/// The format of a record.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum RecordFormat {
    /// For people: a table
    #[default]
    Text,
    /// For programs
    Json,
}

/// Some figure differs from the known one.
const DIFFERS: u8 = 1;
/// The input is wrong, or a process cannot be run.
const INPUT_WRONG: u8 = 2;

/// Commands of `tourbillon` that this program runs in its child processes.
const CHILD_COMMANDS: [&str; 3] = ["check", "certify", "debug"];

/// Why nothing was measured.
type Failure = String;

fn main() -> ExitCode {
    let is_child = |first: &std::ffi::OsStr| CHILD_COMMANDS.iter().any(|command| first == *command);
    if std::env::args_os().nth(1).is_some_and(|first| is_child(&first)) {
        return tourbillon_cli::main();
    }
    let written = run(&BenchCommandLine::parse().suite).and_then(|(text, status)| {
        let written = anstream::stdout().write_all(text.as_bytes());
        written.map(|()| status).map_err(|error| format!("the output cannot be written: {error}"))
    });
    match written {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            tourbillon_cli::say(&format!("error: {message}\n"));
            ExitCode::from(INPUT_WRONG)
        }
    }
}

/// Text for standard output, and the exit status.
fn run(suite: &Suite) -> Result<(String, u8), Failure> {
    match suite {
        Suite::Peers(arguments) => peers::run(arguments),
        Suite::Threads(arguments) => threads::run(arguments),
        Suite::Throughput(arguments) => throughput::run(arguments),
        Suite::Certificates(arguments) => certificates::run(arguments),
        Suite::Questions(arguments) => questions::run(arguments),
        Suite::Memory(arguments) => memory::run(arguments),
        Suite::Order(arguments) => order::run(arguments),
        Suite::Find(arguments) => find::run(arguments),
        Suite::Cluster(arguments) => cluster::run(arguments),
        Suite::Cdd(arguments) => cdd::run(arguments),
        Suite::Symbolic(arguments) => symbolic::run(arguments),
        Suite::Oracles(arguments) => oracles::run(arguments),
    }
}

/// A folder for models, removed on drop.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("tourbillon-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path })
    }

    /// Writes a member of a family to a file that both checkers read.
    fn member(&self, family: &Family, n: u32) -> Result<PathBuf, Failure> {
        let path = self.path.join(format!("{}-{n}.tck", family.name()));
        let text = family.tck(n).map_err(|error| error.to_string())?;
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files left in a temporary folder are not an error.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// This program, which runs the command when its first argument is one of [`CHILD_COMMANDS`].
fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))
}

/// Writes a progress line to standard error if it is a terminal.
fn note(line: &str) {
    if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        tourbillon_cli::say(&format!("{line}\n"));
    }
}

/// A program's name, without its folder.
fn short_name(program: &Path) -> String {
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

/// Refuses unknown names of families.
fn known_families(names: &[String]) -> Result<(), Failure> {
    for name in names {
        tourbillon::family(name).map_err(|error| error.to_string())?;
    }
    Ok(())
}
