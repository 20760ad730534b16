//! Zones: sets of clock valuations given by bounds on clocks and on their differences.
//!
//! The theory in files:
//!
//! | file | holds |
//! |---|---|
//! | `bound.rs`, `clock.rs` | one bound, one constraint, how many clocks |
//! | `dbm.rs`, `open.rs` | a zone as a closed, non-empty matrix, and its operations; a matrix not yet closed |
//! | `bounds.rs`, `abstraction.rs` | the model's constants; extrapolations and simulations by them |
//! | `federation.rs` | finite unions of zones: subtraction, predecessors |
//! | `reduction.rs`, `text.rs`, `valuation.rs` | few constraints that mean the same; zones as text; points |
//! | `forms/` | zones in storage: `bits`, `digits`, `minimal` |
//! | `kernels/` | the inner loops, over slices of raw bounds |
//!
//! Automata are unknown here, and so is where zones come from. The crate does no I/O and never prints. What a
//! user's model can cause (a huge constant, too many clocks) is an [`Error`] where it enters; what only a
//! mistake of the caller can cause (a clock of another dimension) is a documented panic.

mod abstraction;
mod bound;
mod bounds;
mod clock;
mod dbm;
mod dbm_vec;
mod error;
mod federation;
pub mod forms;
mod kernels;
mod open;
mod reduction;
mod text;
mod valuation;
mod wide;

pub use bound::{Bound, Constant};
pub use bounds::{ClockBounds, ClockLimits};
pub use clock::{Clock, Constraint, Dimension};
pub use dbm::{Dbm, Interval, Relation};
pub use dbm_vec::DbmVec;
pub use error::Error;
pub use federation::Federation;
pub use open::OpenDbm;
pub use text::{ParseError, ZoneText, parse_constraints};
pub use valuation::Valuation;
