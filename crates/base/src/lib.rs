//! Shared utilities without domain knowledge.
//!
//! Nothing here knows what a clock, a zone or an automaton is. The crate does no I/O and never prints.

pub mod cancellation;
mod diagnostic;
mod id;
pub mod memory;
pub mod mutants;
mod random;
mod rational;
mod source;

pub use cancellation::{CancelReason, Cancellation};
pub use diagnostic::{Code, CodeEntry, Diagnostic, Diagnostics, Severity, faults};
pub use id::{Id, IdVec};
pub use random::Random;
pub use rational::Rational;
pub use source::{Fragment, Place, Position, SourceId, SourceMap, Span};
