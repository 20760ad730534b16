//! The tests of the crate through its public interface, in one binary.

mod families;
mod random;
mod spread;
