//! `tourbillon simulate`: simulation by hand, by a script, at random, or along a saved run.
//!
//! - `command.rs`: the commands.
//! - `session.rs`: their execution, at a prompt or from a script.
//! - `show.rs`: states and steps as text.

mod command;
mod session;
mod show;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tourbillon::{Mode, NamedRun, REPLAY_SCHEMA, Random, Simulation, read_runs};

use crate::input::{self, Files, ModelFile};
use crate::render::Format;
use crate::report::{GREEN, RED, styled};
use crate::{Failure, interrupt, render};
use session::Session;
pub(crate) use session::write;

/// The arguments of `tourbillon simulate`.
#[derive(clap::Args)]
#[command(
    after_help = "Without --random and --replay, commands are read: at a prompt, or from a script or standard \
                        input. `help` lists them.\n\n\
                        Exit status: 0 done; 1 a replayed run is not legal; 2 the input is wrong, such as a disabled \
                        step in a script; 4 internal error; 130 ended by Ctrl-C."
)]
pub(crate) struct SimulateArguments {
    #[command(flatten)]
    model: ModelFile,
    /// Symbolic simulation: zones instead of clock values
    #[arg(long)]
    symbolic: bool,
    /// Take N random steps and print the run
    #[arg(long, value_name = "N")]
    random: Option<usize>,
    /// Seed of random choices: the same seed gives the same run
    #[arg(long, default_value_t, value_name = "N")]
    seed: u64,
    /// Replay a saved run, the runs in a JSON report of check, or an .xtr trace of UPPAAL
    #[arg(long, value_name = "FILE", conflicts_with = "symbolic")]
    replay: Option<PathBuf>,
    /// Read commands from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "replay"])]
    script: Option<PathBuf>,
    /// Save the run at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: RunFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
enum RunFormat {
    /// For people
    #[default]
    Text,
    /// For programs, as documented in docs/json.md
    Json,
}

/// Some run is not legal.
const NOT_LEGAL: u8 = 1;

/// Simulates. Output is written as it is produced.
pub(crate) fn run(arguments: &SimulateArguments) -> Result<(String, u8), Failure> {
    let messages = if arguments.format == RunFormat::Json { Format::Json } else { Format::Text };
    let loaded = Files::without_queries(arguments.model.clone()).load_only(&[])?;
    // Warnings are left to `check`: here, a clock that only queries use would cause one.
    let Some(model) = &loaded.model else {
        render::tell(&loaded.diagnostics, loaded.sources(), messages);
        return Err(Failure::Reported);
    };
    let simulation =
        Simulation::new(&loaded).map_err(|error| render::check_error(error, &loaded, messages))?;
    let random = Random::from_seed(arguments.seed);
    let stop = interrupt::flag();
    let mut session = Session { model, simulation, random, format: arguments.format, stop };
    if arguments.symbolic {
        session.simulation.set_mode(Mode::Symbolic).map_err(|impossible| impossible.why)?;
    }
    let outcome = go(&mut session, arguments);
    let nothing_done = outcome.is_err() && session.simulation.position().0 == 0;
    if let Some(path) = arguments.save.as_ref().filter(|_| !nothing_done) {
        match (&outcome, session.save(path)) {
            (Ok(0), saved) => drop(saved?),
            (_, Ok(_)) => render::say(&format!("the run so far was saved in {}\n", path.display())),
            (_, Err(message)) => render::say(&format!("{message}\n")),
        }
    }
    outcome.map(|status| (String::new(), status))
}

/// Replays, walks or executes commands; returns the exit status.
fn go(session: &mut Session<'_>, arguments: &SimulateArguments) -> Result<u8, Failure> {
    let mut status = 0;
    if let Some(path) = &arguments.replay {
        status = replay(session, path, arguments.random.is_none())?;
    }
    if let Some(count) = arguments.random.filter(|_| status == 0) {
        walk(session, count)?;
    } else if arguments.replay.is_none() {
        session.run(arguments.script.as_deref())?;
    }
    Ok(if session.is_interrupted() { interrupt::ENDED } else { status })
}

/// Replays the runs in a file and stops at the end of the last one. Returns the exit status: whether all are legal.
fn replay(session: &mut Session<'_>, path: &Path, shown: bool) -> Result<u8, Failure> {
    let runs = read_runs(session.model, &input::read(path)?);
    let runs = runs.map_err(|error| Failure::Message(format!("{}: {error}", path.display())))?;
    let mut status = 0;
    let mut told = Vec::new();
    for NamedRun { name, run, ending } in runs {
        if session.is_interrupted() {
            break;
        }
        let went =
            run.and_then(|run| session.simulation.load(&run, ending).map_err(|impossible| impossible.why));
        if went.is_err() {
            status = NOT_LEGAL;
        }
        let why = went.err();
        if session.format == RunFormat::Json {
            told.push(
                json!({"name": name, "legal": why.is_none(), "why": why, "run": session.run_json(None)?}),
            );
        } else if shown || why.is_some() {
            // All runs are replayed even if the reader has closed the pipe: the exit status covers all.
            write(&replayed(session, name.as_deref(), why.as_deref())?)?;
        }
    }
    if session.format == RunFormat::Json && shown {
        write(&format!("{:#}\n", json!({"schema": REPLAY_SCHEMA, "runs": Value::Array(told)})))?;
    }
    Ok(status)
}

/// Whether a run is legal, and its legal part.
fn replayed(session: &Session<'_>, name: Option<&str>, why: Option<&str>) -> Result<String, Failure> {
    let verdict = match why {
        None => styled(GREEN, "legal"),
        Some(why) => format!("{}: {why}", styled(RED, "not legal")),
    };
    let name = name.map_or(String::new(), |name| format!("{name}\n"));
    let trace = session.simulation.trace().map_err(|impossible| impossible.why)?;
    Ok(format!("{name}{verdict}\n{}", show::run(&trace)))
}

/// Takes random steps and prints the run.
fn walk(session: &mut Session<'_>, count: usize) -> Result<(), Failure> {
    let ended = session.walk(count, |_| {});
    if session.format == RunFormat::Json {
        write(&format!("{:#}\n", session.run_json(ended.as_deref())?))?;
    } else {
        let trace = session.simulation.trace().map_err(|impossible| impossible.why)?;
        let ended = ended.map_or(String::new(), |ended| format!("{ended}\n"));
        write(&(show::run(&trace) + &ended))?;
    }
    Ok(())
}
