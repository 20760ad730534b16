//! The command `tourbillon`: arguments, files, the terminal, the exit status. Everything else is computed in the other
//! crates, none of which prints.
//!
//! It is a library so that `tourbillon-bench` can run the command in child processes and writes quantities the same way.

mod allocator;
mod answers;
mod census;
mod check;
mod cluster;
mod explain;
mod fault;
mod generate;
mod input;
mod interrupt;
mod look;
mod options;
mod progress;
pub mod quantity;
mod render;
mod report;
mod sanity;
mod simulate;
mod studio;
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
    after_help = "Exit status: 0 done, all queries satisfied; 1 some query violated, or something found; 2 the input is wrong; \
                  3 some verdict unknown, none violated; 4 a fault of Tourbillon's own; 5 the operating system gave no more memory, \
                  and there is no report to say so."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a model: answer queries about it, with runs that show why
    Check(Box<check::Arguments>),
    /// Go through a model step by step: by hand, by a script, at random, or along a saved run
    Simulate(simulate::Arguments),
    /// Open the page in the browser that draws, simulates and verifies models
    Studio(studio::Arguments),
    /// Write a model in another language
    Convert(look::Convert),
    /// Draw the automata of a model
    Draw(look::Draw),
    /// Tell what the code of a message means
    Explain(explain::Arguments),
    /// Write a member of a benchmark family
    Gen(generate::Arguments),
    #[command(hide = true)]
    Bench {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        suite: Vec<String>,
    },
    /// Look into how things are represented
    #[command(subcommand, arg_required_else_help = true)]
    Debug(Debug),
}

#[derive(Subcommand)]
enum Debug {
    /// Show a UPPAAL model as it was parsed
    Ast(look::Look),
    /// Show the constants that clocks are compared with, for each location
    Bounds(look::Look),
    /// Count what the stored states of a model consist of, and how little they could take
    Census(Box<census::Arguments>),
    /// Show a model as it was understood: the network of processes
    Model(look::Look),
    /// Show how questions would be answered, and why so
    Plan(Box<check::Plan>),
    /// Show a model as it was compiled: tables and code
    System(look::Look),
    /// Compute with a zone, one operation at a time
    Zone(zone::Arguments),
}

/// The input is wrong.
const INPUT_WRONG: u8 = 2;
/// We are wrong.
const OUR_FAULT: u8 = 4;

/// What a command has to say in the end: text for standard output, or that something is wrong, which was said
/// or is said here.
type Outcome = Result<String, Failure>;

/// Why a command did not do what it was asked to.
enum Failure {
    /// Everything was said.
    Told,
    /// This is to be said.
    Message(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

/// Whether the command accepts these arguments.
pub fn accepts<'a>(arguments: impl IntoIterator<Item = &'a str>) -> bool {
    Arguments::try_parse_from(["tourbillon"].into_iter().chain(arguments)).is_ok()
}

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    let started = Instant::now();
    allocator::keep_reserve();
    let arguments = Arguments::parse();
    match fault::guarded(|| run(&arguments.command, started)) {
        Err(said) => {
            say(&fault::message(&arguments, &said));
            ExitCode::from(OUR_FAULT)
        }
        Ok(Ok((text, status))) => match anstream::stdout().write_all(text.as_bytes()) {
            // A reader that has seen enough closes the pipe, which is no mistake of anybody's.
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

/// Text for standard output and an exit status, or what is wrong.
fn run(command: &Command, started: Instant) -> Result<(String, u8), Failure> {
    let text = match command {
        Command::Bench { suite } => Err(format!(
            "the benchmarks are a program of their own: cargo run --release -p tourbillon-bench -- {}",
            suite.join(" ")
        )
        .into()),
        Command::Check(arguments) => return check::run(arguments, started),
        Command::Simulate(arguments) => return simulate::run(arguments),
        Command::Studio(arguments) => return studio::run(arguments),
        Command::Convert(arguments) => look::convert(arguments),
        Command::Draw(arguments) => look::draw(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Gen(arguments) => generate::run(arguments),
        Command::Debug(Debug::Ast(arguments)) => look::ast(arguments),
        Command::Debug(Debug::Bounds(arguments)) => look::bounds(arguments),
        Command::Debug(Debug::Census(arguments)) => return census::run(arguments),
        Command::Debug(Debug::Model(arguments)) => look::model(arguments),
        Command::Debug(Debug::Plan(arguments)) => check::plan(arguments),
        Command::Debug(Debug::System(arguments)) => look::system(arguments),
        Command::Debug(Debug::Zone(arguments)) => zone::run(arguments).map_err(Failure::Message),
    };
    text.map(|text| (text, 0))
}
