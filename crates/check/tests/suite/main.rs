//! The tests of the crate through its public interface, in one binary.

mod census;
mod extremes;
mod families;
mod flexray;
mod forms;
mod graph;
mod lint;
mod liveness;
mod liveness_random;
mod mixed;
mod orders;
mod packing;
mod plan;
mod random;
mod receivers;
mod several;
mod stopwatches;
mod tables;
mod unions;
