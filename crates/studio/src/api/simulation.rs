//! Simulation.
//!
//! `POST /api/v1/models/{hash}/simulations` with a [`SimulationStart`] begins one, `POST /api/v1/simulations/{id}` with a
//! [`SimulationCommand`] continues; both answer with a [`SimulationView`]. `GET /api/v1/simulations/{id}/trace` is all of
//! it as a [`Trace`], `GET …/path` as a [`Path`] that an address can hold, `GET …/file` as a run file.
//! `DELETE /api/v1/simulations/{id}` forgets it.

use serde::{Deserialize, Serialize};

use super::{Number, Shape};

/// How a simulation begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SimulationStart {
    /// At the initial state.
    Initial {
        /// `concrete` or `symbolic`.
        mode: String,
    },
    Path {
        /// `concrete` or `symbolic`.
        mode: String,
        path: String,
    },
    /// Along a run: a run file, or UPPAAL's `.xtr`. It begins at the start of the run, with all of it ahead.
    Run {
        /// `concrete` or `symbolic`.
        mode: String,
        /// The text of the file.
        file: String,
    },
}

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SimulationCommand {
    /// Nothing but look, at other clocks perhaps.
    Look,
    /// Takes one of the choices.
    Step {
        choice: u32,
        /// After which delay, exactly: `5/2`; the earliest possible if it is left out. Not in zones.
        #[serde(default)]
        delay: Option<String>,
    },
    /// Lets time pass. Not in zones.
    Wait {
        /// How much: `5/2`.
        delay: String,
    },
    /// Takes steps at random.
    Random {
        steps: u32,
        /// What the choices are drawn from.
        seed: u64,
    },
    /// Goes to where this many moves lie behind.
    Goto {
        position: u32,
    },
    /// Continues in zones, or in single states.
    Mode {
        /// `concrete` or `symbolic`.
        mode: String,
    },
    Restart,
}

/// A command, and what is to be seen then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SimulationRequest {
    pub command: SimulationCommand,
    /// The two clocks of the picture, to the right and upwards; none for no picture.
    #[serde(default)]
    pub picture: Option<[u32; 2]>,
}

/// Where a simulation is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SimulationView {
    pub id: u32,
    /// `concrete` or `symbolic`.
    pub mode: String,
    /// How many moves lie behind.
    pub position: u32,
    /// How many there are, those ahead included that going back has left.
    pub length: u32,
    /// How much time has passed; nothing in zones.
    pub time: Option<Number>,
    /// Where each process is.
    pub locations: Vec<u32>,
    /// The values of the variables, in the order of [`super::Network`].
    pub variables: Vec<i32>,
    /// What each clock shows; empty in zones.
    pub clocks: Vec<Number>,
    /// What the clocks can show, in zones: constraints.
    pub zone: Vec<String>,
    /// Processes that moved, variables and clocks that changed in the last move.
    pub changed: Changed,
    /// The last move, in words; empty at the start.
    pub last: String,
    /// The steps that can be taken.
    pub choices: Vec<SimulationChoice>,
    /// How much time can pass; nothing in zones.
    pub patience: Option<Delays>,
    /// `deadlock` or `time-lock` if nothing can happen any more; else empty.
    pub stuck: String,
    /// How the model goes wrong at run time from here on, in sentences.
    pub failures: Vec<String>,
    /// The picture that was asked for.
    pub picture: Option<Picture>,
    /// Why what was asked for could not be done, or not wholly; the view is of where it is then.
    pub refused: Option<String>,
}

/// What the last move changed.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Changed {
    /// Processes that took an edge.
    pub processes: Vec<u32>,
    /// Edges that were taken: process and edge.
    pub edges: Vec<[u32; 2]>,
    pub variables: Vec<u32>,
    /// Clocks that were set; not those that only went on.
    pub clocks: Vec<u32>,
}

/// A step that can be taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SimulationChoice {
    /// What happens, in words: `appr[0]: Train(0) → Gate`.
    pub label: String,
    /// The edges that are taken together, the sender's first.
    pub edges: Vec<TakenEdge>,
    /// After which delays; none in zones.
    pub delays: Vec<Delays>,
    /// For which clock values, in zones: constraints.
    pub zone: Vec<String>,
}

/// An edge that is taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TakenEdge {
    pub process: u32,
    pub edge: u32,
    /// The channel with its index, or the event; empty if it is taken alone.
    pub channel: String,
    /// `!`, `?`, or empty.
    pub direction: String,
    /// What was chosen for its selections: `i = 3`.
    pub selects: Vec<String>,
}

/// An interval of delays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Delays {
    pub from: Number,
    /// Whether that is part of it.
    pub from_included: bool,
    /// Its upper end; none if there is no end.
    pub to: Option<Number>,
    /// Whether that is part of it.
    pub to_included: bool,
}

/// What can be seen of two clocks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Picture {
    /// The clock to the right.
    pub x: u32,
    pub y: u32,
    /// The zone, in zones.
    pub zone: Option<Shape>,
    /// What the clocks show, in single states.
    pub point: Option<[Number; 2]>,
    /// Which of them run while time passes, in single states; nothing if that cannot be told.
    pub running: Option<[bool; 2]>,
    /// For each choice, the part of the zone that it can be taken from; empty in single states, where delays tell.
    pub choices: Vec<Vec<Shape>>,
}

/// A path that an address can hold: the numbers of the choices that were taken, with delays in single states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Path {
    /// `concrete` or `symbolic`.
    pub mode: String,
    /// The path: `0_2~5-2_w~3`. Moves are joined by `_`; a delay follows after `~`, with `-` for the bar of a fraction;
    /// `w` is a delay without a step.
    pub path: String,
}

/// A run as a whole.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trace {
    /// Where each process is at the start.
    pub locations: Vec<u32>,
    /// The values of the variables at the start.
    pub variables: Vec<i32>,
    /// What happens. One for each move of the simulation, so that positions are the same.
    pub steps: Vec<TraceStep>,
    /// The position from which the rest is repeated infinitely often, if it is.
    pub repeats_from: Option<u32>,
    /// Why times are missing, if they are: no delays were found for what was done in zones.
    pub untimed: Option<String>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TraceStep {
    /// How much time passes first.
    pub delay: Option<Number>,
    /// When the edges are taken, counted from the start.
    pub time: Option<Number>,
    /// What happens, in words.
    pub label: String,
    /// The edges that are taken; none if only time passes.
    pub edges: Vec<TakenEdge>,
    /// Processes that moved, each with its new location.
    pub moved: Vec<[u32; 2]>,
    /// Variables that changed, each with its new value.
    pub set: Vec<[i32; 2]>,
}
