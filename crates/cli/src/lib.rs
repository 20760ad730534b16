//! The command `tourbillon`: arguments, files, the terminal, the exit status. Everything else is computed in the other
//! crates, none of which prints.
//!
//! It is a library so that `tourbillon-bench` can run the command in child processes and writes quantities the same way.

mod allocator;
mod answers;
mod cache;
mod census;
mod certify;
mod check;
mod cluster;
mod explain;
mod fault;
mod generate;
mod input;
mod inspect;
mod interrupt;
mod lint;
mod muntac;
mod options;
mod progress;
pub mod quantity;
mod render;
mod report;
mod simulate;
mod studio;
mod watch;
mod watchdog;
mod zone;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};

pub use render::say;

/// A model checker for real-time systems.
#[derive(Parser)]
#[command(name = "tourbillon", version, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 done, all queries satisfied; 1 some query violated, or findings of lint; 2 the input is wrong; \
                  3 some verdict unknown, none violated; 4 internal error; 5 out of memory, without a report."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the queries of a model, with witnesses and counterexamples
    Check(Box<check::CheckArguments>),
    /// Check a certificate that `check --certificate` has written, by an independent checker
    Certify(certify::CertifyArguments),
    /// Check a model again after every save, and report which answers changed
    Watch(Box<watch::WatchArguments>),
    /// Explore all reachable states of a model and print the statistics
    Explore(Box<check::ExploreArguments>),
    /// Find likely mistakes in a model, such as edges that are never taken
    Lint(Box<lint::LintArguments>),
    /// Simulate a model: interactively, by a script, at random, or along a saved run
    Simulate(simulate::SimulateArguments),
    /// Edit, simulate and verify models in the browser
    Studio(studio::StudioArguments),
    /// Write a model in another language
    Convert(inspect::ConvertArguments),
    /// Draw the automata of a model
    Draw(inspect::DrawArguments),
    /// Explain the code of a diagnostic
    Explain(explain::ExplainArguments),
    /// Write a member of a benchmark family
    Gen(generate::GenArguments),
    #[command(hide = true)]
    Bench {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        suite: Vec<String>,
    },
    /// Print internal representations
    #[command(subcommand, arg_required_else_help = true)]
    Debug(DebugCommand),
}

#[derive(Subcommand)]
enum DebugCommand {
    /// Print the syntax tree of a UPPAAL model
    Ast(inspect::InspectArguments),
    /// Print the clock bounds of each location
    Bounds(inspect::InspectArguments),
    /// Count the parts of the stored states of a model, with a lower bound on their size
    Census(Box<census::CensusArguments>),
    /// Print the network of processes
    Model(inspect::InspectArguments),
    /// Print the plan of each query with its reasons, without a search
    Plan(Box<check::PlanArguments>),
    /// Print the compiled tables and bytecode
    System(inspect::InspectArguments),
    /// Compute with a zone, one operation at a time
    Zone(zone::ZoneArguments),
}

/// The input is wrong.
const INPUT_WRONG: u8 = 2;
/// Internal error of Tourbillon.
const INTERNAL_ERROR: u8 = 4;

/// Text for standard output, or the failure.
type CommandOutput = Result<String, Failure>;

/// Why a command failed.
enum Failure {
    /// The diagnostics have already been written.
    Reported,
    Message(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

/// Whether the command accepts these arguments.
pub fn accepts<'a>(arguments: impl IntoIterator<Item = &'a str>) -> bool {
    CommandLine::try_parse_from(["tourbillon"].into_iter().chain(arguments)).is_ok()
}

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    let started = Instant::now();
    allocator::keep_reserve();
    let arguments = CommandLine::parse();
    match fault::guarded(|| run(&arguments.command, started)) {
        Err(said) => {
            say(&fault::message(&arguments, &said));
            ExitCode::from(INTERNAL_ERROR)
        }
        Ok(Ok((text, status))) => match anstream::stdout().write_all(text.as_bytes()) {
            // A reader may close the pipe early.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                say(&format!("error: the output cannot be written: {error}\n"));
                ExitCode::from(INPUT_WRONG)
            }
            _ => ExitCode::from(status),
        },
        Ok(Err(failure)) => {
            if let Failure::Message(message) = failure {
                say(&format!("error: {message}\n"));
            }
            ExitCode::from(INPUT_WRONG)
        }
    }
}

/// Writes text to standard output at once. A reader may have closed the pipe.
fn out(text: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Text for standard output and an exit status, or the failure.
fn run(command: &Command, started: Instant) -> Result<(String, u8), Failure> {
    let text = match command {
        Command::Bench { suite } => Err(format!(
            "the benchmarks are a separate program: cargo run --release -p tourbillon-bench -- {}",
            suite.join(" ")
        )
        .into()),
        Command::Check(arguments) => return check::run(arguments, started),
        Command::Watch(arguments) => return watch::run(arguments),
        Command::Certify(arguments) => return certify::run(arguments),
        Command::Explore(arguments) => return check::explore(arguments, started),
        Command::Lint(arguments) => return lint::run(arguments, started),
        Command::Simulate(arguments) => return simulate::run(arguments),
        Command::Studio(arguments) => return studio::run(arguments),
        Command::Convert(arguments) => inspect::convert(arguments),
        Command::Draw(arguments) => inspect::draw(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Gen(arguments) => generate::run(arguments),
        Command::Debug(DebugCommand::Ast(arguments)) => inspect::ast(arguments),
        Command::Debug(DebugCommand::Bounds(arguments)) => inspect::bounds(arguments),
        Command::Debug(DebugCommand::Census(arguments)) => return census::run(arguments),
        Command::Debug(DebugCommand::Model(arguments)) => inspect::model(arguments),
        Command::Debug(DebugCommand::Plan(arguments)) => check::plan(arguments),
        Command::Debug(DebugCommand::System(arguments)) => inspect::system(arguments),
        Command::Debug(DebugCommand::Zone(arguments)) => zone::run(arguments).map_err(Failure::Message),
    };
    text.map(|text| (text, 0))
}
