//! The tests of the crate through its public interface, in one binary.

mod common;
mod data;
mod families;
mod limits;
mod random;
