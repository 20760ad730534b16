//! A session: commands from a prompt or a script.
//!
//! At a prompt an error is printed and the session continues. In a script it ends the session, with its line number: later
//! commands would act on another state than intended.

use std::io::{BufRead, BufReader, ErrorKind, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde_json::{Value, json};
use tourbillon::{Mode, Model, NamedRun, Random, Simulation, read_runs, run_json, situation_json};

use super::command::{HELP, SessionCommand, parse};
use super::{RunFormat, show};
use crate::{Failure, input, render};

pub(super) struct Session<'a> {
    pub(super) model: &'a Model,
    pub(super) simulation: Simulation<'a>,
    pub(super) random: Random,
    pub(super) format: RunFormat,
    /// Set by Ctrl-C.
    pub(super) stop: Arc<AtomicBool>,
}

enum SessionReply {
    Text(String),
    End,
}

/// How long Ctrl-C may go unnoticed while a line is waited for.
const PATIENCE: Duration = Duration::from_millis(50);

impl Session<'_> {
    /// Goes through commands until they end.
    pub(super) fn run(&mut self, script: Option<&Path>) -> Result<(), Failure> {
        if let Some(path) = script {
            let text = input::read(path)?;
            return self.script(&path.display().to_string(), &lines_of(std::io::Cursor::new(text)));
        }
        if std::io::stdin().is_terminal() {
            self.prompt(&lines_of(BufReader::new(std::io::stdin())))
        } else {
            self.script("stdin", &lines_of(BufReader::new(std::io::stdin())))
        }
    }

    fn prompt(&mut self, lines: &Lines) -> Result<(), Failure> {
        let mut shown = write(&self.situation())? && write("`help` lists the commands\n")?;
        while shown && write("> ")? {
            let Some(line) = self.next_line(lines)? else {
                write("\n")?;
                break;
            };
            match self.obey(&line) {
                Ok(SessionReply::Text(text)) => shown = write(&text)?,
                Ok(SessionReply::End) => break,
                Err(message) => render::say(&format!("{message}\n")),
            }
        }
        Ok(())
    }

    fn script(&mut self, name: &str, lines: &Lines) -> Result<(), Failure> {
        let mut shown = write(&self.situation())?;
        for number in 1.. {
            if !shown {
                break;
            }
            let Some(line) = self.next_line(lines)? else { break };
            match self.obey(&line) {
                Ok(SessionReply::Text(text)) => shown = write(&text)?,
                Ok(SessionReply::End) => break,
                Err(message) => return Err(Failure::Message(format!("{name}:{number}: {message}"))),
            }
        }
        Ok(())
    }

    /// Waits for a line; there is none at the end, or after Ctrl-C.
    fn next_line(&self, lines: &Lines) -> Result<Option<String>, Failure> {
        loop {
            if self.is_interrupted() {
                return Ok(None);
            }
            match lines.recv_timeout(PATIENCE) {
                Ok(Ok(line)) => return Ok(Some(line)),
                Ok(Err(error)) => return Err(Failure::Message(error.to_string())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Result<SessionReply, String> {
        let Some(command) = parse(line)? else { return Ok(SessionReply::Text(String::new())) };
        let text = match command {
            SessionCommand::Quit => return Ok(SessionReply::End),
            SessionCommand::Help => self.note(HELP),
            SessionCommand::State => self.told(&show::everything(&self.simulation.situation())),
            SessionCommand::Run => self.run_text()?,
            SessionCommand::Save(path) => self.save(&path)?,
            SessionCommand::Random(count) => self.at_random(count)?,
            SessionCommand::Load(path, index) => self.load(&path, index)?,
            other => {
                self.go(&other)?;
                self.situation()
            }
        };
        Ok(SessionReply::Text(text))
    }

    /// Commands that lead to another situation.
    fn go(&mut self, command: &SessionCommand) -> Result<(), String> {
        let (now, _) = self.simulation.position();
        let moves = |count: usize| format!("there are only {now} moves to undo, not {count}");
        let gone = match *command {
            SessionCommand::Step(choice, when) => self.simulation.step(choice, when),
            SessionCommand::Wait(delay) => self.simulation.wait(delay),
            SessionCommand::Back(count) => {
                self.simulation.goto(now.checked_sub(count).ok_or_else(|| moves(count))?)
            }
            SessionCommand::Forward(count) => self.simulation.goto(now.saturating_add(count)),
            SessionCommand::Goto(position) => self.simulation.goto(position),
            SessionCommand::Symbolic => self.simulation.set_mode(Mode::Symbolic),
            SessionCommand::Concrete => self.simulation.set_mode(Mode::Concrete),
            _ => {
                self.simulation.restart();
                Ok(())
            }
        };
        gone.map_err(|impossible| impossible.why)
    }

    /// Takes steps at random, each with a line of its own; the last is part of the situation.
    fn at_random(&mut self, count: usize) -> Result<String, String> {
        let mut text = String::new();
        let mut last_line = String::new();
        let ended = self.walk(count, |simulation| {
            text.push_str(&last_line);
            let last = simulation.last().expect("a step was taken");
            last_line = format!("step {}: {}\n", simulation.position().0, show::happened(&last));
        });
        if self.format == RunFormat::Json {
            return Ok(format!("{}\n", situation_json(&self.simulation.situation(), ended.as_deref())));
        }
        let ended = ended.map_or(String::new(), |ended| format!("{ended}\n"));
        Ok(text + &self.situation() + &ended)
    }

    /// Takes steps at random, and shows each. Says why there are fewer, if there are.
    pub(super) fn walk(&mut self, count: usize, mut shown: impl FnMut(&Simulation<'_>)) -> Option<String> {
        for taken in 0..count {
            let why = if self.is_interrupted() {
                "interrupted".to_owned()
            } else {
                match self.simulation.random(&mut self.random) {
                    Ok(true) => {
                        shown(&self.simulation);
                        continue;
                    }
                    Ok(false) => show::why_not_on(&self.simulation.situation()),
                    Err(impossible) => impossible.why,
                }
            };
            return Some(format!("ended after {taken} of {count} steps: {why}"));
        }
        None
    }

    fn load(&mut self, path: &Path, index: usize) -> Result<String, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut runs =
            read_runs(self.model, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        if index >= runs.len() {
            return Err(format!("{}: there is no run {}, only {}", path.display(), index + 1, runs.len()));
        }
        let NamedRun { run, ending, .. } = runs.swap_remove(index);
        let run = run.map_err(|why| format!("{}: {why}", path.display()))?;
        self.simulation
            .load(&run, ending)
            .map_err(|impossible| format!("{}: {impossible}", path.display()))?;
        Ok(self.situation())
    }

    /// Writes the run so far.
    pub(super) fn save(&self, path: &Path) -> Result<String, String> {
        let run = format!("{:#}\n", self.run_json(None)?);
        std::fs::write(path, run).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(self.note(&format!("saved in {}\n", path.display())))
    }

    /// The run so far; if it was drawn at random, with why it ended early, if it did.
    pub(super) fn run_json(&self, ended: Option<&str>) -> Result<Value, String> {
        let trace = self.simulation.trace().map_err(|impossible| impossible.why)?;
        Ok(run_json(self.model, &trace, ended))
    }

    fn run_text(&self) -> Result<String, String> {
        match self.format {
            RunFormat::Json => Ok(format!("{}\n", self.run_json(None)?)),
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
            RunFormat::Json => format!("{}\n", situation_json(&self.simulation.situation(), None)),
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

/// Lines as they are read.
type Lines = Receiver<std::io::Result<String>>;

/// Reads lines apart from the session, which can then notice Ctrl-C while it waits. A mark of UTF-8 at the start is
/// passed over.
fn lines_of(mut input: impl BufRead + Send + 'static) -> Lines {
    let (sender, receiver) = sync_channel(0);
    std::thread::spawn(move || {
        let mut is_first = true;
        loop {
            let mut bytes = Vec::new();
            let line = match input.read_until(b'\n', &mut bytes) {
                Ok(0) => break,
                Ok(_) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
                Err(error) => Err(error),
            };
            let line = line.map(|line| match line.strip_prefix('\u{feff}').filter(|_| is_first) {
                Some(rest) => rest.to_owned(),
                None => line,
            });
            is_first = false;
            let failed = line.is_err();
            if sender.send(line).is_err() || failed {
                break;
            }
        }
    });
    receiver
}

/// Writes at once: somebody may be waiting for it. Says whether it was written: a reader that has seen enough is no
/// mistake, but nothing is left to do then.
///
/// # Errors
/// If it cannot be written for another reason, such as a disk that is full.
pub(crate) fn write(text: &str) -> Result<bool, Failure> {
    let mut out = anstream::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Message(format!("the output cannot be written: {error}"))),
    }
}
