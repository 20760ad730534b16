//! The tests of the crate through its public interface, in one binary.

mod certificate_files;
mod checking;
mod clock_starts;
mod engines;
mod graphs;
mod large;
mod lint;
mod negative;
mod networks;
mod paths;
mod sheets;
mod simulating;
mod streaming;
mod traces;
mod wrapping;
