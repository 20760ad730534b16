//! The tests of the crate through its public interface, in one binary.

mod liveness;
mod networks;
mod tidy;
