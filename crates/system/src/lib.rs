//! A model compiled into immutable tables that engines read.
//!
//! | file | holds |
//! |---|---|
//! | `tables.rs` | the tables: locations, edges, channels, vectors |
//! | `compile.rs` | from a model to its tables |
//! | `locations.rs` | orders of the locations of each process |
//! | `predicate.rs` | state predicates of queries |
//! | `program/` | expressions as bytecode, and the machine that runs it |
//! | `bounds/` | the constants that clocks are compared with, by static analysis |
//!
//! The tables have no source text or spans, except a table that maps code to its source position, for run-time errors.
//! A compiled system is immutable: many threads can read it.

pub mod bounds;
mod compile;
mod locations;
mod predicate;
mod program;
mod tables;

pub use bounds::{
    Analysis, BoundsError, BoundsErrorKind, LocalBounds, Polarity, Side, analyse, analyse_measuring,
    may_pass_32_bits, value_range,
};
pub use compile::{CompileError, compile, compile_measuring, constraints};
pub use locations::Positions;
pub use predicate::{Formula, Gauge, Predicate, StateFormula, mentions_deadlock};
pub use program::{
    ClockWrite, CodeId, Layout, Listing, Machine, Program, ProgramBuilder, RuntimeError, Unsupported,
};
pub use tables::{
    Action, Atom, Channel, ChannelRef, ClockGuard, ClockRef, ComputedTest, Edge, EdgeId, GlobalLocation,
    GlobalLocationId, LocationSummary, Part, System, Vector,
};
