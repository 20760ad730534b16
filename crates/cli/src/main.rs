//! The command `tourbillon`.
//!
//! Here is what talks to a person: arguments, files, the terminal, the exit status. What it talks about is
//! computed in the other crates, none of which prints.

mod explain;
mod generate;
mod input;
mod look;
mod render;
mod zone;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A model checker for real-time systems.
#[derive(Parser)]
#[command(name = "tourbillon", version, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 done, 2 the input is wrong.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a model in another language
    Convert(look::Convert),
    /// Draw the automata of a model
    Draw(look::Draw),
    /// Tell what the code of a message means
    Explain(explain::Arguments),
    /// Write a member of a benchmark family
    Gen(generate::Arguments),
    /// Look into how things are represented
    #[command(subcommand, arg_required_else_help = true)]
    Debug(Debug),
}

#[derive(Subcommand)]
enum Debug {
    /// Show a UPPAAL model as it was parsed
    Ast(look::Look),
    /// Show a model as it was understood: the network of processes
    Model(look::Look),
    /// Compute with a zone, one operation at a time
    Zone(zone::Arguments),
}

/// The input is wrong.
const INPUT_WRONG: u8 = 2;

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

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Convert(arguments) => look::convert(&arguments),
        Command::Draw(arguments) => look::draw(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Gen(arguments) => generate::run(&arguments),
        Command::Debug(Debug::Ast(arguments)) => look::ast(&arguments),
        Command::Debug(Debug::Model(arguments)) => look::model(&arguments),
        Command::Debug(Debug::Zone(arguments)) => zone::run(&arguments).map_err(Failure::Message),
    };
    match outcome {
        Ok(text) => {
            // A reader that has seen enough closes the pipe, which is no mistake of anybody's.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            if let Failure::Message(message) = failure {
                render::say(&format!("error: {message}\n"));
            }
            ExitCode::from(INPUT_WRONG)
        }
    }
}
