//! The symbolic engine: for each zone a set of discrete states, for data-heavy models with few clocks.
//!
//! Where the discrete part of a model is huge and its clocks are few, one node for each discrete state is too much: the
//! same zones come again and again, each time with other data. This engine keeps a *clock zone map* instead, from zones to
//! sets of discrete states, the sets as binary decision diagrams, and takes a step for all states of a zone at once
//! `[EhlersGerkePeter2010]`.
//!
//! | file | holds |
//! |---|---|
//! | `fields.rs`, `words.rs` | discrete states in bits; numbers that depend on a state |
//! | `interpret.rs`, `places.rs`, `functions.rs` | expressions, cells and functions in all states at once |
//! | `edges.rs`, `steps/` | where edges can be taken; the steps of the network as relations |
//! | `classes.rs` | states in which clocks behave alike: invariants, urgency, constants |
//! | `encoding.rs` | all of that put together |
//! | `goal.rs`, `deadlock.rs` | what is looked for |
//! | `map.rs`, `search.rs` | zones with their states; the fixpoint |
//! | `trace.rs`, `rings.rs` | from what was found to a path |
//! | `check.rs`, `watch.rs` | from properties to answers; what ends them in time |
//!
//! Zones are those of the explicit engine: the same kernels, the same abstractions and the same constants. What differs is
//! how discrete states are kept; so verdicts are the same, and what is found is followed and replayed in the same way.

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
