//! Simulation: steps through a model by hand or at random, concrete or symbolic.
//!
//! | file | holds |
//! |---|---|
//! | `concrete.rs` | single states: exact clock values, and for each step the delays after which it can be taken |
//! | `symbolic.rs` | zones: all clock values that the steps so far allow |
//! | `bounds.rs` | how many moves there may be, and a flag that ends what takes long |
//! | `ending.rs` | how an infinite run continues, or a maximal run ends |
//! | `delays.rs` | which delay is taken where many are possible |
//! | `situation.rs` | where a simulation is and what can happen, as plain data and as JSON |
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
mod situation;
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
pub use picture::{Picture, Shape, ShapeBound};
pub use run_json::{NamedRun, REPLAY_SCHEMA, RUN_SCHEMA, RunFileError, read_runs, run_json};
pub use situation::{Choice, Failing, Move, Situation, Stuck, situation_json};
pub use tourbillon_replay::Delays;

/// Whether a simulation goes through single states or through zones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Concrete,
    Symbolic,
}

impl Mode {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Concrete => "concrete",
            Self::Symbolic => "symbolic",
        }
    }
}

/// When a step is to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum When {
    /// As early as possible; just after, if there is no earliest moment.
    #[default]
    Earliest,
    After(Rational),
    /// When this much time has passed since the start.
    At(Rational),
}

/// Why something cannot be done, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impossible {
    pub why: String,
}

impl Impossible {
    fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Impossible {}

/// A simulation of a model.
///
/// ```
/// use tourbillon::{Simulation, When, load};
///
/// let text = b"clock x; process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x > 2; }; } system P;";
/// let loaded = load("p.xta", text);
/// let mut simulation = Simulation::new(&loaded)?;
/// assert_eq!(simulation.situation().choices[0].delays[0].to_string(), "(2, 5]");
/// simulation.step(0, When::Earliest).expect("it can be taken");
/// assert_eq!(simulation.situation().time.unwrap().to_string(), "3");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
#[derive(Debug)]
pub struct Simulation<'a> {
    concrete: Concrete<'a>,
    /// There if zones are gone through.
    symbolic: Option<Symbolic<'a>>,
}

impl<'a> Simulation<'a> {
    /// A simulation of single states, at the initial one.
    ///
    /// # Errors
    /// If there is no model, or its initial state breaks an invariant or cannot be computed.
    pub fn new(loaded: &'a Loaded) -> Result<Self, CheckError> {
        let Some(model) = &loaded.model else { return Err(CheckError::Model(loaded.diagnostics.clone())) };
        let trace_builder = TraceBuilder::new(model, loaded.sources());
        Ok(Self { concrete: Concrete::new(model, trace_builder)?, symbolic: None })
    }

    /// The same within bounds, which hold for all that is done with it.
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

    /// Goes through single states, or zones, from now on. The steps so far are kept; from zones to single states,
    /// delays are found for them.
    ///
    /// # Errors
    /// If zones cannot hold the model, or no delays are found; then nothing changes.
    pub fn set_mode(&mut self, mode: Mode) -> Result<(), Impossible> {
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

    /// Where it is, and what can happen.
    #[must_use]
    pub fn situation(&self) -> Situation {
        match &self.symbolic {
            Some(symbolic) => symbolic.situation(),
            None => self.concrete.situation(),
        }
    }

    /// The last thing that happened; nothing at the start.
    #[must_use]
    pub fn last(&self) -> Option<Move> {
        match &self.symbolic {
            Some(symbolic) => symbolic.last(),
            None => self.concrete.last(),
        }
    }

    /// What can be seen of two clocks, to the right and upwards, by their numbers; nothing if there are no such clocks.
    #[must_use]
    pub fn picture(&self, x: usize, y: usize) -> Option<Picture> {
        if x.max(y) >= self.concrete.model().clocks.len() {
            return None;
        }
        Some(match &self.symbolic {
            Some(symbolic) => symbolic.picture(x, y),
            None => {
                Picture::of_point(&self.concrete.state().clocks, self.concrete.running().as_deref(), x, y)
            }
        })
    }

    /// How many moves lie behind, and how many there are in all.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        match &self.symbolic {
            Some(symbolic) => symbolic.position(),
            None => self.concrete.position(),
        }
    }

    /// Takes one of the steps that [`Simulation::situation`] lists, counted from 0.
    ///
    /// # Errors
    /// If there is no such step, or it cannot be taken then.
    pub fn step(&mut self, choice: usize, when: When) -> Result<(), Impossible> {
        match &mut self.symbolic {
            Some(symbolic) if when == When::Earliest => symbolic.step(choice),
            Some(_) => Err(no_delays()),
            None => self.concrete.step(choice, when),
        }
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// If it cannot.
    pub fn wait(&mut self, delay: Rational) -> Result<(), Impossible> {
        if self.symbolic.is_some() {
            return Err(no_delays());
        }
        self.concrete.wait(delay)
    }

    /// Takes one of the steps at random, after one of its delays at random. Says whether there was any.
    ///
    /// # Errors
    /// If the clocks come to need more than 64 bits over 64 bits, or its bounds are reached.
    pub fn random(&mut self, random: &mut Random) -> Result<bool, Impossible> {
        match &mut self.symbolic {
            Some(symbolic) => symbolic.random(random),
            None => self.concrete.random(random),
        }
    }

    /// Goes to where this many moves lie behind, back or forward.
    ///
    /// # Errors
    /// If there are not as many.
    pub fn goto(&mut self, position: usize) -> Result<(), Impossible> {
        let (_, all) = self.position();
        if position > all {
            return Err(Impossible::new(format!("there is no step {position}: the last is {all}")));
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

    /// The run so far. In zones, one with delays that fit.
    ///
    /// # Errors
    /// If no delays are found.
    pub fn run(&self) -> Result<Run, Impossible> {
        match &self.symbolic {
            Some(symbolic) => Ok(symbolic.timed()?.run),
            None => Ok(self.concrete.witness().run),
        }
    }

    /// The run so far with the states it passes, by the names of the model.
    ///
    /// # Errors
    /// As for [`Simulation::run`].
    pub fn trace(&self) -> Result<Trace, Impossible> {
        let witness = match &self.symbolic {
            Some(symbolic) => symbolic.timed()?,
            None => self.concrete.witness(),
        };
        Ok(self.concrete.trace(&witness))
    }

    /// Goes through a run from the start, to its end, instead of what was done so far; and looks whether it can continue as
    /// it says, if it does. [`Simulation::trace`] tells how it continues until another step is taken.
    ///
    /// # Errors
    /// If it is not legal: where, and why. Then the simulation stays where the run went wrong.
    pub fn load(&mut self, run: &Run, ending: Option<Ending>) -> Result<(), Impossible> {
        let loaded = self.concrete.load(run, ending);
        if self.symbolic.is_some() {
            self.symbolic = Some(Symbolic::following(&self.concrete)?);
        }
        loaded
    }
}

fn no_delays() -> Impossible {
    Impossible::new(
        "zones have no delays: all that are possible are taken at once; `concrete` goes on with one",
    )
}
