//! A session: commands in, answers out, at a prompt or from a script.
//!
//! At a prompt a mistake is told and the session goes on. In a script it ends it, with its line: what comes after would
//! be done in another state than the one that was meant.

use std::io::{BufRead, IsTerminal as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};
use tourbillon::{Mode, Model, Random, Simulation, read_runs, run_json, situation_json};

use super::command::{Command, HELP, parse};
use super::{RunFormat, show};
use crate::{Failure, input, render};

/// A simulation, and how it is told.
pub(super) struct Session<'a> {
    pub(super) model: &'a Model,
    pub(super) simulation: Simulation<'a>,
    pub(super) random: Random,
    pub(super) format: RunFormat,
}

/// What is left to do after a command.
enum Reply {
    /// This is the answer.
    Text(String),
    /// Nothing: the session is over.
    End,
}

impl Session<'_> {
    /// Goes through commands until they end.
    pub(super) fn run(&mut self, script: Option<&Path>) -> Result<(), Failure> {
        if let Some(path) = script {
            let text = input::read(path)?;
            return self.script(&path.display().to_string(), &mut text.as_slice());
        }
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            self.prompt(&mut stdin.lock())
        } else {
            self.script("stdin", &mut stdin.lock())
        }
    }

    fn prompt(&mut self, lines: &mut dyn BufRead) -> Result<(), Failure> {
        write(&self.situation());
        write("`help` lists the commands\n");
        loop {
            write("> ");
            let Some(line) = next_line(lines)? else {
                write("\n");
                return Ok(());
            };
            match self.obey(&line) {
                Ok(Reply::Text(text)) => write(&text),
                Ok(Reply::End) => return Ok(()),
                Err(message) => render::say(&format!("{message}\n")),
            }
        }
    }

    fn script(&mut self, name: &str, lines: &mut dyn BufRead) -> Result<(), Failure> {
        write(&self.situation());
        for number in 1.. {
            let Some(line) = next_line(lines)? else { break };
            match self.obey(&line) {
                Ok(Reply::Text(text)) => write(&text),
                Ok(Reply::End) => break,
                Err(message) => return Err(Failure::Message(format!("{name}:{number}: {message}"))),
            }
        }
        Ok(())
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Result<Reply, String> {
        let Some(command) = parse(line)? else { return Ok(Reply::Text(String::new())) };
        let text = match command {
            Command::Quit => return Ok(Reply::End),
            Command::Help => self.note(HELP),
            Command::State => self.told(&show::everything(&self.simulation.situation())),
            Command::Run => self.run_text()?,
            Command::Save(path) => self.save(&path)?,
            Command::Random(count) => self.at_random(count)?,
            Command::Load(path, index) => self.load(&path, index)?,
            other => {
                self.go(&other)?;
                self.situation()
            }
        };
        Ok(Reply::Text(text))
    }

    /// Commands that lead to another situation.
    fn go(&mut self, command: &Command) -> Result<(), String> {
        let (now, _) = self.simulation.position();
        let moves = |count: usize| format!("there are only {now} moves to undo, not {count}");
        let gone = match *command {
            Command::Step(choice, when) => self.simulation.step(choice, when),
            Command::Wait(delay) => self.simulation.wait(delay),
            Command::Back(count) => self.simulation.goto(now.checked_sub(count).ok_or_else(|| moves(count))?),
            Command::Forward(count) => self.simulation.goto(now.saturating_add(count)),
            Command::Goto(position) => self.simulation.goto(position),
            Command::Symbolic => self.simulation.set_mode(Mode::Symbolic),
            Command::Concrete => self.simulation.set_mode(Mode::Concrete),
            _ => {
                self.simulation.restart();
                Ok(())
            }
        };
        gone.map_err(|impossible| impossible.why)
    }

    /// Takes steps at random, each with a line of its own.
    fn at_random(&mut self, count: usize) -> Result<String, String> {
        let mut text = String::new();
        for index in 0..count {
            if !self.simulation.random(&mut self.random).map_err(|impossible| impossible.why)? {
                break;
            }
            if index + 1 < count && self.format == RunFormat::Text {
                let last = self.simulation.last().expect("a step was taken");
                text += &format!("step {}: {}\n", self.simulation.position().0, show::happened(&last));
            }
        }
        Ok(text + &self.situation())
    }

    fn load(&mut self, path: &Path, index: usize) -> Result<String, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut runs =
            read_runs(self.model, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        if index >= runs.len() {
            return Err(format!("{}: there is no run {}, only {}", path.display(), index + 1, runs.len()));
        }
        let run = runs.swap_remove(index).run.map_err(|why| format!("{}: {why}", path.display()))?;
        self.simulation.load(&run).map_err(|impossible| format!("{}: {impossible}", path.display()))?;
        Ok(self.situation())
    }

    /// Writes the run so far.
    pub(super) fn save(&self, path: &Path) -> Result<String, String> {
        let run = format!("{:#}\n", self.run_json()?);
        std::fs::write(path, run).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(self.note(&format!("saved in {}\n", path.display())))
    }

    pub(super) fn run_json(&self) -> Result<Value, String> {
        let trace = self.simulation.trace().map_err(|impossible| impossible.why)?;
        Ok(run_json(self.model, &trace))
    }

    fn run_text(&self) -> Result<String, String> {
        match self.format {
            RunFormat::Json => Ok(format!("{}\n", self.run_json()?)),
            RunFormat::Text => Ok(show::run(&self.simulation.trace().map_err(|impossible| impossible.why)?)),
        }
    }

    /// Where it is, after what happened last.
    fn situation(&self) -> String {
        self.told(&show::moved(&self.simulation.situation(), self.simulation.last().as_ref()))
    }

    /// Text for people; for programs the whole situation.
    fn told(&self, text: &str) -> String {
        match self.format {
            RunFormat::Json => format!("{}\n", situation_json(&self.simulation.situation())),
            RunFormat::Text => text.to_owned(),
        }
    }

    /// Text for people; for programs the same in an object.
    fn note(&self, text: &str) -> String {
        match self.format {
            RunFormat::Json => format!("{}\n", json!({"note": text.trim_end()})),
            RunFormat::Text => text.to_owned(),
        }
    }
}

/// The next line; none at the end.
fn next_line(lines: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let count = lines.read_until(b'\n', &mut bytes).map_err(|error| Failure::Message(error.to_string()))?;
    Ok((count > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Writes at once: somebody may be waiting for it. A reader that has seen enough is no mistake.
pub(super) fn write(text: &str) {
    let mut out = anstream::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
