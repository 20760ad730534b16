//! Random networks of timed automata with queries, as text in UPPAAL's or TChecker's language.
//!
//! A [`Network`] is text with just enough structure to be printed and taken apart: processes of locations and
//! edges, whose labels are lists of strings. What it means is what the front ends make of the text, so a case
//! that fails can be saved as a file and given to any tool, and the whole way from text to answer is tested.
//! One `u64` repeats a network, on every machine.
//!
//! - `shape.rs`: what kinds of network there are to ask for.
//! - `random.rs`, `labels.rs`: how they are made up.
//! - `places.rs`: queries about locations, for the language that has no queries.
//! - `text.rs`: how they are written, and read.
//! - `shrink.rs`: how a network for which something fails is made smaller.

mod labels;
mod places;
mod random;
mod shape;
mod shrink;
mod text;

use tourbillon_model::Language;

pub use shape::{Shape, Shifts};
pub use text::{tchecker_model, uppaal_model};

/// A network of timed automata with queries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// What it was made from.
    pub seed: u64,
    /// What it is written in.
    pub language: Language,
    /// The names of its clocks, all global.
    pub clocks: Vec<String>,
    /// What each of them starts at.
    pub starts: Vec<i32>,
    /// Its other declarations, one line each: variables, functions, channels, priorities, events.
    pub declarations: Vec<String>,
    pub processes: Vec<Process>,
    /// Its synchronisation vectors, each the fields of a line: `P0@e?`.
    pub vectors: Vec<Vec<String>>,
    /// What is asked of it.
    pub queries: Vec<Query>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    pub name: String,
    /// How much it is preferred.
    pub priority: u32,
    /// Its locations; it begins at the first.
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub name: String,
    /// `urgent` or `commit`, or nothing.
    pub kind: Option<&'static str>,
    /// The parts of its invariant.
    pub invariant: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The name of the location where it starts.
    pub source: String,
    /// The name of the location where it leads.
    pub target: String,
    pub selects: Vec<String>,
    /// The parts of its guard.
    pub guard: Vec<String>,
    /// What it synchronises on: `c!`, or an event.
    pub sync: Option<String>,
    pub updates: Vec<String>,
}

/// What is asked of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// `E<>` of a formula.
    Possibly(Formula),
    /// `A[]` of a formula.
    Invariantly(Formula),
    /// `E[]` of a formula.
    PotentiallyAlways(Formula),
    /// `A<>` of a formula.
    Eventually(Formula),
    /// `-->` between two.
    LeadsTo(Formula, Formula),
}

/// A formula over locations, variables and clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    Atom(String),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}
