//! One simulation: executes commands and builds views.

use std::time::{Duration, Instant};

use serde_json::Value;
use tourbillon::{Mode, NamedRun, Random, Rational, Simulation, When, parse_number, read_runs, run_json};

use super::view;
use crate::answer::Refusal;
use crate::api::{
    Path, ServerLimits, SimulationCommand, SimulationRequest, SimulationStart, SimulationView, Trace,
};
use crate::models::StoredModel;

/// A simulation, and its model.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    id: u32,
    model: &'a StoredModel,
    simulation: Simulation<'a>,
    /// How long steps at random may take.
    random_time: Duration,
    /// How many variables are shown.
    variables_max: usize,
    /// The two clocks that are examined.
    picture: Option<[u32; 2]>,
    /// Why something could not be done; told once.
    refused: Option<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        id: u32,
        model: &'a StoredModel,
        simulation: Simulation<'a>,
        limits: &ServerLimits,
        start: &SimulationStart,
    ) -> Result<Self, Refusal> {
        let mut walk = Self {
            id,
            model,
            simulation,
            random_time: Duration::from_secs(limits.random_seconds),
            variables_max: limits.names as usize,
            picture: None,
            refused: None,
        };
        match start {
            SimulationStart::Initial { mode } => walk.simulation.set_mode(mode_of(mode)?)?,
            SimulationStart::Path { mode, path } => walk.refused = walk.follow(mode_of(mode)?, path).err(),
            SimulationStart::Run { mode, file } => {
                let mode = mode_of(mode)?;
                // Zones are found for all of it before it goes back: they follow what lies behind.
                let went = walk.replay(file);
                let changed = walk.simulation.set_mode(mode).map_err(|impossible| impossible.why);
                walk.refused = went.and(changed).err();
                walk.simulation.goto(0)?;
            }
        }
        Ok(walk)
    }

    /// Does as it is told, and looks.
    pub(crate) fn obey(&mut self, request: &SimulationRequest) -> SimulationView {
        self.picture = request.picture;
        self.refused = self.go(&request.command).err();
        self.look()
    }

    pub(crate) fn look(&mut self) -> SimulationView {
        let refused = self.refused.take();
        view::view(self.id, &self.simulation, self.variables_max, self.picture, refused)
    }

    fn go(&mut self, command: &SimulationCommand) -> Result<(), String> {
        let simulation = &mut self.simulation;
        let done = match command {
            SimulationCommand::Look => Ok(()),
            SimulationCommand::Step { choice, delay } => {
                let when = delay.as_deref().map(read_delay).transpose()?.map_or(When::Earliest, When::After);
                simulation.step(*choice as usize, when)
            }
            SimulationCommand::Wait { delay } => simulation.wait(read_delay(delay)?),
            SimulationCommand::Random { steps, seed } => return self.at_random(*steps, *seed),
            SimulationCommand::Goto { position } => simulation.goto(*position as usize),
            SimulationCommand::Mode { mode } => {
                simulation.set_mode(mode_of(mode).map_err(|refusal| refusal.message().to_owned())?)
            }
            SimulationCommand::Restart => {
                simulation.restart();
                Ok(())
            }
        };
        done.map_err(|impossible| impossible.why)
    }

    fn at_random(&mut self, steps: u32, seed: u64) -> Result<(), String> {
        let (mut random, began) = (Random::from_seed(seed), Instant::now());
        for taken in 0..steps {
            if began.elapsed() > self.random_time {
                return Err(format!("ended after {taken} of {steps} steps, since that took long"));
            }
            match self.simulation.random(&mut random) {
                Ok(true) => {}
                Ok(false) => {
                    return Err(format!("ended after {taken} of {steps} steps: nothing is possible there"));
                }
                Err(impossible) => return Err(format!("ended after {taken} of {steps} steps: {impossible}")),
            }
        }
        Ok(())
    }

    /// Goes along the first run in a file, as far as it is legal.
    fn replay(&mut self, file: &str) -> Result<(), String> {
        let Some(model) = &self.model.loaded.model else { return Ok(()) };
        let runs = read_runs(model, file.as_bytes()).map_err(|error| error.to_string())?;
        let NamedRun { run, ending, .. } = runs.into_iter().next().ok_or("there is no run in this file")?;
        self.simulation.load(&run?, ending).map_err(|impossible| impossible.why)
    }

    /// Goes along a path, as far as there is one.
    fn follow(&mut self, mode: Mode, path: &str) -> Result<(), String> {
        let followed = self.simulation.set_mode(mode).and_then(|()| self.simulation.follow_path(path));
        followed.map_err(|impossible| impossible.why)
    }

    /// The way to where it is, as an address can hold it.
    pub(crate) fn path(&self) -> Result<Path, Refusal> {
        let path = self.simulation.path()?;
        Ok(Path { mode: self.simulation.mode().word().to_owned(), path })
    }

    /// All of it as data.
    pub(crate) fn trace(&self) -> Trace {
        view::trace(&self.simulation, self.variables_max)
    }

    /// All of it as a run file.
    pub(crate) fn file(&mut self) -> Result<Value, Refusal> {
        let (now, all) = self.simulation.position();
        self.simulation.goto(all)?;
        let trace = self.simulation.trace();
        self.simulation.goto(now)?;
        let model = self.model.loaded.model.as_ref().ok_or_else(Refusal::fault)?;
        Ok(run_json(model, &trace?, None))
    }
}

fn mode_of(word: &str) -> Result<Mode, Refusal> {
    match word {
        "concrete" => Ok(Mode::Concrete),
        "symbolic" => Ok(Mode::Symbolic),
        _ => Err(Refusal::bad("a mode is `concrete` or `symbolic`")),
    }
}

fn read_delay(text: &str) -> Result<Rational, String> {
    parse_number(text).ok_or_else(|| format!("`{text}` is no number: write 3, 5/2 or 2.5"))
}
