//! The network interface, and its three implementations.
//!
//! | file | a rank is | use |
//! |---|---|---|
//! | `simulated.rs` | a state machine | tests: a seed determines the scheduling of ranks and the arrival of messages |
//! | `threads.rs` | a thread | one machine with several cores, without MPI |
//! | `mpi.rs`, or `no_mpi.rs` without the feature | a process | a cluster |
//!
//! The engine relies on one property of all of them:
//!
//! > **Invariant.** Messages of one rank to another arrive once, whole, and in the order in which they were sent. Their delay, and the
//! > order of messages between different pairs of ranks, are arbitrary.

#[cfg_attr(not(feature = "mpi"), path = "no_mpi.rs")]
pub(crate) mod mpi;
pub(crate) mod simulated;
pub(crate) mod threads;

/// The endpoint of one rank.
pub(crate) trait Transport {
    fn rank(&self) -> usize;

    fn ranks(&self) -> usize;

    /// Sends a message to another rank. May receive messages meanwhile, and waits at most until the other rank
    /// receives.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message that has arrived, and its sender. Never waits.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Called by an idle rank: waits until a message arrives, or for a short time.
    fn pause(&mut self);
}
