//! The tests of the crate through its public interface, in one binary.

mod bounds;
mod locations;
mod program;
