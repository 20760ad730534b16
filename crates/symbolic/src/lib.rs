//! The symbolic engine: for each zone a set of discrete states, for data-heavy models with few clocks.
//!
//! If a model has a huge discrete state space and few clocks, one node for each discrete state is too expensive: the
//! same zones recur with different data. This engine stores a *clock zone map* instead, from zones to sets of discrete
//! states as binary decision diagrams, and computes the image of all states of a zone at once `[EhlersGerkePeter2010]`.
//!
//! | file | holds |
//! |---|---|
//! | `fields.rs`, `words.rs` | discrete states in bits; numbers that depend on a state |
//! | `interpret.rs`, `places.rs`, `functions.rs` | expressions, cells and functions in all states at once |
//! | `edges.rs`, `steps/` | the states in which edges are enabled; transitions as relations |
//! | `classes.rs` | classes of states with the same clock behaviour: invariants, urgency, bounds |
//! | `encoding.rs` | the encoding of a model |
//! | `goal.rs`, `deadlock.rs` | the goal, and deadlocks |
//! | `map.rs`, `search.rs` | zones with their states; the fixpoint |
//! | `trace.rs`, `rings.rs` | from found states to a path |
//! | `check.rs`, `watch.rs` | from properties to answers; the watchdog for the time limit |
//!
//! Zones are those of the explicit engine: the same kernels, abstractions and clock bounds. Only the storage of
//! discrete states differs, so verdicts are the same, and runs are built and replayed in the same way.

mod check;
mod classes;
mod deadlock;
mod edges;
mod encoding;
mod fields;
mod functions;
mod goal;
mod interpret;
mod interruption;
mod map;
mod places;
mod rings;
mod search;
mod steps;
mod trace;
mod watch;
mod words;

pub use check::{SymbolicChecker, check};
