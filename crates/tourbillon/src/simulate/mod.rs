//! Simulation: steps through a model by hand or at random, concrete or symbolic.
//!
//! | file | holds |
//! |---|---|
//! | `concrete.rs` | single states: exact clock values, and for each step the delays after which it can be taken |
//! | `symbolic.rs` | zones: all clock values that the steps so far allow |
//! | `bounds.rs` | how many moves there may be, and a flag that ends what takes long |
//! | `ending.rs` | how an infinite run continues, or a maximal run ends |
//! | `delays.rs` | which delay is taken where many are possible |
//! | `state.rs` | where a simulation is and what can happen, as plain data and as JSON |
//! | `picture.rs` | two clocks of a zone as a shape |
//! | `history.rs` | all moves, one by one |
//! | `path.rs` | the moves as a text that an address can hold |
//! | `run_json.rs` | runs as files, written and read |
//!
//! Single states are judged by the second evaluator alone (`replay`), so that what is offered is what a replay
//! accepts. Zones come from the engine's successor pipeline without any abstraction. A simulation can change from
//! one to the other: steps are kept, and from zones to single states delays are found for them.
//!
//! What was done can be undone and done again: going back keeps what lies ahead until another step is taken.

mod bounds;
mod concrete;
mod delays;
mod ending;
mod history;
mod path;
mod picture;
mod run_json;
mod state;
mod symbolic;

use std::fmt;

use tourbillon_base::{Random, Rational};
use tourbillon_check::Run;

use crate::check::CheckError;
use crate::load::Loaded;
use crate::trace::{Trace, TraceBuilder};

use concrete::Concrete;
use symbolic::Symbolic;

pub use bounds::Bounds;
pub use delays::parse_number;
pub use ending::Ending;
pub use history::{History, HistoryMove};
pub use picture::{ClockProjection, Shape, ShapeBound};
pub use run_json::{NamedRun, REPLAY_SCHEMA, RUN_SCHEMA, RunFileError, read_runs, run_json};
pub use state::{Choice, DeadlockKind, FailingStep, Move, SimulationState, simulation_state_json};
pub use tourbillon_replay::Delays;

/// Whether a simulation is concrete or symbolic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Concrete,
    Symbolic,
}

impl Mode {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Concrete => "concrete",
            Self::Symbolic => "symbolic",
        }
    }
}

/// When a step is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum When {
    /// As early as possible; shortly after the lower end if it is excluded.
    #[default]
    Earliest,
    After(Rational),
    /// At this time since the start.
    At(Rational),
}

/// Why an operation is not possible, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulationError {
    pub why: String,
}

impl SimulationError {
    fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for SimulationError {}

/// A simulation of a model.
///
/// ```
/// use tourbillon::{Simulation, When, load};
///
/// let text = b"clock x; process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x > 2; }; } system P;";
/// let loaded = load("p.xta", text);
/// let mut simulation = Simulation::new(&loaded)?;
/// assert_eq!(simulation.current_state().choices[0].delays[0].to_string(), "(2, 5]");
/// simulation.step(0, When::Earliest).expect("it can be taken");
/// assert_eq!(simulation.current_state().time.unwrap().to_string(), "3");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
#[derive(Debug)]
pub struct Simulation<'a> {
    concrete: Concrete<'a>,
    /// Present in symbolic mode.
    symbolic: Option<Symbolic<'a>>,
}

impl<'a> Simulation<'a> {
    /// A concrete simulation at the initial state.
    ///
    /// # Errors
    /// If there is no model, or its initial state violates an invariant or cannot be computed.
    pub fn new(loaded: &'a Loaded) -> Result<Self, CheckError> {
        let Some(model) = &loaded.model else { return Err(CheckError::Model(loaded.diagnostics.clone())) };
        let trace_builder = TraceBuilder::new(model, loaded.sources());
        Ok(Self { concrete: Concrete::new(model, trace_builder)?, symbolic: None })
    }

    /// Sets limits.
    #[must_use]
    pub fn within(mut self, bounds: Bounds) -> Self {
        if let Some(symbolic) = &mut self.symbolic {
            symbolic.set_bounds(bounds.clone());
        }
        self.concrete.set_bounds(bounds);
        self
    }

    /// What it goes through.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.symbolic.is_some() { Mode::Symbolic } else { Mode::Concrete }
    }

    /// Changes the mode. The steps so far are kept; from symbolic to concrete, delays are computed for them.
    ///
    /// # Errors
    /// If zones cannot represent the model, or no delays are found; then nothing changes.
    pub fn set_mode(&mut self, mode: Mode) -> Result<(), SimulationError> {
        match (mode, &self.symbolic) {
            (Mode::Symbolic, None) => self.symbolic = Some(Symbolic::following(&self.concrete)?),
            (Mode::Concrete, Some(symbolic)) => {
                let run = symbolic.timed()?.run;
                self.concrete.load(&run, None)?;
                self.symbolic = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// The current state, and the enabled steps.
    #[must_use]
    pub fn current_state(&self) -> SimulationState {
        match &self.symbolic {
            Some(symbolic) => symbolic.current_state(),
            None => self.concrete.current_state(),
        }
    }

    /// The last move; `None` at the start.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        match &self.symbolic {
            Some(symbolic) => symbolic.last(),
            None => self.concrete.last(),
        }
    }

    /// The projection to two clocks, by index; `None` if there are no such clocks.
    #[must_use]
    pub fn picture(&self, x: usize, y: usize) -> Option<ClockProjection> {
        if x.max(y) >= self.concrete.model().clocks.len() {
            return None;
        }
        Some(match &self.symbolic {
            Some(symbolic) => symbolic.picture(x, y),
            None => ClockProjection::of_point(
                &self.concrete.state().clocks,
                self.concrete.running().as_deref(),
                x,
                y,
            ),
        })
    }

    /// The number of moves before the current state, and of all moves.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        match &self.symbolic {
            Some(symbolic) => symbolic.position(),
            None => self.concrete.position(),
        }
    }

    /// Takes one of the steps that [`Simulation::current_state`] lists, by index.
    ///
    /// # Errors
    /// If there is no such step, or it cannot be taken then.
    pub fn step(&mut self, choice: usize, when: When) -> Result<(), SimulationError> {
        match &mut self.symbolic {
            Some(symbolic) if when == When::Earliest => symbolic.step(choice),
            Some(_) => Err(no_delays()),
            None => self.concrete.step(choice, when),
        }
    }

    /// Delays.
    ///
    /// # Errors
    /// If it cannot.
    pub fn wait(&mut self, delay: Rational) -> Result<(), SimulationError> {
        if self.symbolic.is_some() {
            return Err(no_delays());
        }
        self.concrete.wait(delay)
    }

    /// Takes a random step after a random possible delay. Returns whether there was one.
    ///
    /// # Errors
    /// If the clocks come to need more than 64 bits over 64 bits, or its bounds are reached.
    pub fn random(&mut self, random: &mut Random) -> Result<bool, SimulationError> {
        match &mut self.symbolic {
            Some(symbolic) => symbolic.random(random),
            None => self.concrete.random(random),
        }
    }

    /// Goes to the state after this many moves, back or forward.
    ///
    /// # Errors
    /// If there are not as many.
    pub fn goto(&mut self, position: usize) -> Result<(), SimulationError> {
        let (_, all) = self.position();
        if position > all {
            return Err(SimulationError::new(format!("there is no step {position}; the last one is {all}")));
        }
        match &mut self.symbolic {
            Some(symbolic) => symbolic.goto(position),
            None => self.concrete.goto(position),
        }
        Ok(())
    }

    pub fn restart(&mut self) {
        match &mut self.symbolic {
            Some(symbolic) => symbolic.restart(),
            None => self.concrete.restart(),
        }
    }

    /// The run so far. For a symbolic simulation, one with possible delays.
    ///
    /// # Errors
    /// If no delays are found.
    pub fn run(&self) -> Result<Run, SimulationError> {
        match &self.symbolic {
            Some(symbolic) => Ok(symbolic.timed()?.run),
            None => Ok(self.concrete.witness().run),
        }
    }

    /// The run so far with its states, in the names of the model.
    ///
    /// # Errors
    /// As for [`Simulation::run`].
    pub fn trace(&self) -> Result<Trace, SimulationError> {
        let witness = match &self.symbolic {
            Some(symbolic) => symbolic.timed()?,
            None => self.concrete.witness(),
        };
        Ok(self.concrete.trace(&witness))
    }

    /// Replaces the run so far by this one, and checks its end. [`Simulation::trace`] includes the end until another
    /// step is taken.
    ///
    /// # Errors
    /// If it is not legal: where, and why. The simulation then stays at the last legal state.
    pub fn load(&mut self, run: &Run, ending: Option<Ending>) -> Result<(), SimulationError> {
        let loaded = self.concrete.load(run, ending);
        if self.symbolic.is_some() {
            self.symbolic = Some(Symbolic::following(&self.concrete)?);
        }
        loaded
    }
}

fn no_delays() -> SimulationError {
    SimulationError::new(
        "a symbolic simulation has no single delays: a zone includes all of them; `concrete` switches to clock values",
    )
}
