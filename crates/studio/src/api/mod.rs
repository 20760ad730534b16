//! The types of the HTTP interface, version 1.
//!
//! These types are the one source of the interface. The server reads and writes them as JSON, and the TypeScript
//! types of the page are made from them (`typescript.rs`). `docs/studio-api.md` tells the addresses.
//!
//! | file | holds |
//! |---|---|
//! | `model.rs` | opening, examining and writing models |
//! | `run.rs` | verification, coverage and zone graphs: runs that take time, told as events |
//! | `simulation.rs` | simulation |
//!
//! Processes, locations, edges, clocks and choices are numbered from 0 in the order in which [`Network`] lists them.
//! Offsets into texts count UTF-16 code units, as browsers do.

mod model;
mod run;
mod simulation;
#[cfg(test)]
mod typescript;

use serde::{Deserialize, Serialize};
use tourbillon::Rational;

pub use tourbillon::{
    FormChoice, FormOption, Members, Name, Names, Network, NetworkEdge, NetworkLocation, NetworkProcess,
    Shape, ShapeBound, ZoneGraph, ZoneGraphEdge, ZoneGraphNode,
};

pub use model::*;
pub use run::*;
pub use simulation::*;

/// The version of the interface: it changes when something is taken away or means something else.
pub const VERSION: u32 = 1;

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    /// A word that programs can rely on: `unknown-model`, `too-large`, `forbidden`, `busy`, `impossible`, `changed`,
    /// `not-found`, `bad-request`, `model-has-errors`; `fault` if it is a mistake of the program.
    pub error: String,
    /// The same in a sentence, with what to do about it.
    pub message: String,
}

/// What the server is, and what it allows: `GET /api/v1/about`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct About {
    /// The version of the interface.
    pub api: u32,
    /// The version of the program.
    pub version: String,
    /// The file it was started with.
    pub file: Option<OpenFile>,
    /// The examples that come with it.
    pub examples: Vec<Example>,
    /// The options of a verification. What is not chosen, the plan chooses.
    pub axes: Vec<FormOption>,
    pub limits: ServerLimits,
}

/// The file that the server was started with, the only one it reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenFile {
    /// Its name, without its folder.
    pub name: String,
    /// What tells it from other files of the same name: always the same for the same place, which it does not tell.
    pub key: String,
    /// Whether it can be written.
    pub writable: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Example {
    /// The name of its file.
    pub name: String,
    /// What it shows, in a sentence.
    pub about: String,
}

/// What the server allows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ServerLimits {
    /// The largest request, in bytes.
    pub body_bytes: u64,
    /// How many runs execute at a time; others wait.
    pub runs: u32,
    /// How many runs can wait; more are refused.
    pub runs_waiting: u32,
    /// How long a run may take at most.
    pub run_seconds: u64,
    /// How much memory a run may use at most.
    pub run_bytes: u64,
    /// How many simulations are kept; the one that was not used for longest makes room.
    pub simulations: u32,
    /// How many nodes a zone graph may have.
    pub graph_nodes: u32,
    /// How many edges a zone graph may have.
    pub graph_edges: u32,
    /// How large a zone graph may be as JSON, in bytes.
    pub graph_bytes: u64,
    /// How many models are kept; the one that was not used for longest makes room.
    pub models: u32,
    /// How much memory they may take together, in bytes, as far as that can be estimated.
    pub model_bytes: u64,
    /// How many variables are shown of a model, and how many names of a kind.
    pub names: u32,
    /// How many moves a simulation may have; fewer if its states are large.
    pub simulation_moves: u32,
    /// How much memory the states of a simulation may take, in bytes, as far as that can be estimated.
    pub simulation_bytes: u64,
    /// How long steps at random may take that are asked for at once.
    pub random_seconds: u64,
    /// How many connections there can be.
    pub connections: u32,
}

/// What the server is doing: `GET /api/v1/status`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Status {
    /// The number of active runs.
    pub runs: u32,
    pub runs_waiting: u32,
    /// How many simulations are kept.
    pub simulations: u32,
    /// How many models are kept.
    pub models: u32,
    /// How much memory the process has, in bytes; 0 where that cannot be told.
    pub rss_bytes: u64,
}

/// A number, exactly and roughly.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Number {
    /// Exactly: `5/2`.
    pub exact: String,
    /// As near as a floating-point number comes: `2.5`.
    pub value: f64,
}

impl From<Rational> for Number {
    fn from(number: Rational) -> Self {
        let value = number.numerator() as f64 / number.denominator() as f64;
        Self { exact: number.to_string(), value }
    }
}
