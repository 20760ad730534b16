//! The tests of the crate through its public interface, in one binary.

mod abstractions;
mod exhaustive;
mod federations;
mod forms;
mod gaps;
mod limits;
mod narrow;
mod overflow;
mod sequences;
mod universal;
mod upper_bounds;
