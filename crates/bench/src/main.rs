//! `tourbillon-bench`: time, memory and counts of searches, beside another checker and beside the figures of papers.
//!
//! | file | holds |
//! |---|---|
//! | `peers.rs` | the engine beside another checker: time, memory, counts |
//! | `throughput.rs` | whether the engine keeps its pace as a family grows |
//! | `questions.rs` | what questions cost beyond an exploration |
//! | `order/` | how many states each search order visits in vain, beside the figures of a paper |
//! | `find.rs` | how many states each search order visits until it finds one that is asked for |
//! | `memory/` | what each form of the passed list takes, beside the figures of a paper |
//! | `cdd/` | what unions of zones as diagrams take, beside the figures of a thesis |
//! | `symbolic.rs` | sets of discrete states beside single ones, and beside the figures of a paper |
//! | `cluster/` | what several ranks gain, and what it costs, beside the figures of the same thesis |
//! | `oracles.rs` | every known size of a zone graph, found again |
//! | `selection.rs` | which models are measured, and how: arguments that several suites have |
//! | `source.rs` | where models come from |
//! | `rows.rs` | which explorations are measured, and how large they are |
//! | `child.rs` | running a program and reading what it took |
//! | `checker.rs` | this checker and its peer: their arguments and what they print |
//! | `table.rs`, `value.rs` | tables that read well on a terminal and in a page; what stands in a cell |
//!
//! Everything that is measured runs as a process of its own, ours too: what the system says of a process that has
//! ended is the same kind of number for every program, and nothing that one exploration leaves behind can help or
//! hurt the next. Programs take turns, so that what disturbs the machine disturbs all of them.

mod cdd;
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
mod throughput;
mod value;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use tourbillon::Family;

/// Benchmarks of Tourbillon, beside another checker and beside the figures of papers.
#[derive(Parser)]
#[command(name = "tourbillon-bench", version, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 done; 1 some figure is not the known one; 2 the input is wrong.")]
struct Arguments {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(clap::Subcommand)]
enum Suite {
    /// Time and memory of full explorations, beside another checker if there is one
    Peers(peers::Arguments),
    /// States and transitions per second, as a family grows
    Throughput(throughput::Arguments),
    /// What questions cost beyond an exploration: deadlock, values of clocks, what follows
    Questions(questions::Arguments),
    /// What each form of the passed list takes: the tables of a paper, ours beside the paper's
    Memory(memory::Arguments),
    /// What each search order visits in vain: the table of a paper, ours beside the paper's
    Order(order::Arguments),
    /// How many states each search order visits until it finds one that is asked for
    Find(find::Arguments),
    /// What several ranks gain, and what that costs: time, messages, memory
    Cluster(cluster::Arguments),
    /// What unions of zones as diagrams take: the table of a thesis, ours beside the thesis', and other forms
    Cdd(cdd::Arguments),
    /// What sets of discrete states take beside single ones: the tables of a paper, ours beside the paper's
    Symbolic(symbolic::Arguments),
    /// Find the known sizes of zone graphs again, each within a time limit
    Oracles(oracles::Arguments),
}

/// The form of a record.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum RecordFormat {
    /// For people: a table
    #[default]
    Text,
    /// For programs
    Json,
}

/// Some figure is not the one that is known.
const DIFFERS: u8 = 1;
/// The input is wrong, or a process cannot be run.
const INPUT_WRONG: u8 = 2;

/// Commands of `tourbillon` that this program runs in child processes of its own.
const CHILD_COMMANDS: [&str; 2] = ["check", "debug"];

/// Why nothing could be measured.
type Failure = String;

fn main() -> ExitCode {
    let is_child = |first: &std::ffi::OsStr| CHILD_COMMANDS.iter().any(|command| first == *command);
    if std::env::args_os().nth(1).is_some_and(|first| is_child(&first)) {
        return tourbillon_cli::main();
    }
    let written = run(&Arguments::parse().suite).and_then(|(text, status)| {
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
        Suite::Throughput(arguments) => throughput::run(arguments),
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

/// A folder for models, which goes away with this.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("tourbillon-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path })
    }

    /// A member of a family, as a file that both checkers read.
    fn member(&self, family: &Family, n: u32) -> Result<PathBuf, Failure> {
        let path = self.path.join(format!("{}-{n}.tck", family.name()));
        let text = family.tck(n).map_err(|error| error.to_string())?;
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind in a temporary folder is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// This program, which runs the command when its first argument is one of [`CHILD_COMMANDS`].
fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))
}

/// Says how far it is, to somebody who is watching.
fn note(line: &str) {
    if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        tourbillon_cli::say(&format!("{line}\n"));
    }
}

/// A program's name, without its folder.
fn short_name(program: &Path) -> String {
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

/// Refuses names of families that there are not.
fn known_families(names: &[String]) -> Result<(), Failure> {
    for name in names {
        tourbillon::family(name).map_err(|error| error.to_string())?;
    }
    Ok(())
}
