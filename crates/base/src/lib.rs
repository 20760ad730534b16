//! What every crate needs and no domain owns.
//!
//! Nothing here knows what a clock, a zone or an automaton is. The crate does no I/O and never prints.

mod id;
mod random;
mod rational;

pub use id::{Id, IdVec};
pub use random::Random;
pub use rational::Rational;
