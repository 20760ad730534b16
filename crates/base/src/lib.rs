//! What every crate needs and no domain owns.
//!
//! Nothing here knows what a clock, a zone or an automaton is. The crate does no I/O and never prints.

mod diagnostic;
mod id;
mod random;
mod rational;
mod source;

pub use diagnostic::{Code, CodeEntry, Diagnostic, Diagnostics, Severity, faults};
pub use id::{Id, IdVec};
pub use random::Random;
pub use rational::Rational;
pub use source::{Fragment, Place, Position, SourceId, SourceMap, Span};
