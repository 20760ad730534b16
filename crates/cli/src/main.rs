//! The command `tourbillon`.
//!
//! Here is what talks to a person: arguments, files, the terminal, the exit status. What it talks about is computed
//! in the other crates, none of which prints.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the command is what prints")]

mod zone;

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
    /// Look into how things are represented
    #[command(subcommand, arg_required_else_help = true)]
    Debug(Debug),
}

#[derive(Subcommand)]
enum Debug {
    /// Compute with a zone, one operation at a time
    Zone(zone::Arguments),
}

/// The input is wrong.
const INPUT_WRONG: u8 = 2;

fn main() -> ExitCode {
    let Command::Debug(Debug::Zone(arguments)) = Arguments::parse().command;
    match zone::run(&arguments) {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(INPUT_WRONG)
        }
    }
}
