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
use tourbillon::{Mode, Model, NamedRun, Random, Simulation, read_runs, run_json, simulation_state_json};

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

/// The maximum delay of the reaction to Ctrl-C while a line is awaited.
const PATIENCE: Duration = Duration::from_millis(50);

impl Session<'_> {
    /// Executes commands until the input ends.
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
        let mut shown = write(&self.current_state())? && write("`help` lists the commands\n")?;
        while shown && write("> ")? {
            let Some(line) = self.next_line(lines)? else {
                write("\n")?;
                break;
            };
            match self.execute(&line) {
                Ok(SessionReply::Text(text)) => shown = write(&text)?,
                Ok(SessionReply::End) => break,
                Err(message) => render::say(&format!("{message}\n")),
            }
        }
        Ok(())
    }

    fn script(&mut self, name: &str, lines: &Lines) -> Result<(), Failure> {
        let mut shown = write(&self.current_state())?;
        for number in 1.. {
            if !shown {
                break;
            }
            let Some(line) = self.next_line(lines)? else { break };
            match self.execute(&line) {
                Ok(SessionReply::Text(text)) => shown = write(&text)?,
                Ok(SessionReply::End) => break,
                Err(message) => return Err(Failure::Message(format!("{name}:{number}: {message}"))),
            }
        }
        Ok(())
    }

    /// Waits for a line; `None` at the end of the input, or after Ctrl-C.
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

    fn execute(&mut self, line: &str) -> Result<SessionReply, String> {
        let Some(command) = parse(line)? else { return Ok(SessionReply::Text(String::new())) };
        let text = match command {
            SessionCommand::Quit => return Ok(SessionReply::End),
            SessionCommand::Help => self.note(HELP),
            SessionCommand::State => self.text_or_state(&show::everything(&self.simulation.current_state())),
            SessionCommand::Run => self.run_text()?,
            SessionCommand::Save(path) => self.save(&path)?,
            SessionCommand::Random(count) => self.at_random(count)?,
            SessionCommand::Load(path, index) => self.load(&path, index)?,
            other => {
                self.go(&other)?;
                self.current_state()
            }
        };
        Ok(SessionReply::Text(text))
    }

    /// Executes a command that changes the state.
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

    /// Takes random steps and prints a line for each; the last one is printed with the new state.
    fn at_random(&mut self, count: usize) -> Result<String, String> {
        let mut text = String::new();
        let mut last_line = String::new();
        let ended = self.walk(count, |simulation| {
            text.push_str(&last_line);
            let last = simulation.last().expect("a step was taken");
            last_line = format!("step {}: {}\n", simulation.position().0, show::happened(&last));
        });
        if self.format == RunFormat::Json {
            return Ok(format!(
                "{}\n",
                simulation_state_json(&self.simulation.current_state(), ended.as_deref())
            ));
        }
        let ended = ended.map_or(String::new(), |ended| format!("{ended}\n"));
        Ok(text + &self.current_state() + &ended)
    }

    /// Takes random steps, calling `shown` after each. Returns the reason if there are fewer than `count`.
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
                    Ok(false) => show::why_ended(&self.simulation.current_state()),
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
        Ok(self.current_state())
    }

    /// Writes the run so far to a file.
    pub(super) fn save(&self, path: &Path) -> Result<String, String> {
        let run = format!("{:#}\n", self.run_json(None)?);
        std::fs::write(path, run).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(self.note(&format!("saved in {}\n", path.display())))
    }

    /// The run so far as JSON; `ended` is the reason why a random walk ended early.
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

    /// The current state, after the last step.
    fn current_state(&self) -> String {
        self.text_or_state(&show::moved(&self.simulation.current_state(), self.simulation.last().as_ref()))
    }

    /// The text, or the current state as JSON.
    fn text_or_state(&self, text: &str) -> String {
        match self.format {
            RunFormat::Json => format!("{}\n", simulation_state_json(&self.simulation.current_state(), None)),
            RunFormat::Text => text.to_owned(),
        }
    }

    /// The text, or a JSON object with it.
    fn note(&self, text: &str) -> String {
        match self.format {
            RunFormat::Json => format!("{}\n", json!({"note": text.trim_end()})),
            RunFormat::Text => text.to_owned(),
        }
    }
}

/// Lines as they are read.
type Lines = Receiver<std::io::Result<String>>;

/// Reads lines in a thread of its own, so that the session can notice Ctrl-C. Skips a UTF-8 byte order mark.
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

/// Writes and flushes. Returns false if the reader has closed the pipe, which is not an error.
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
