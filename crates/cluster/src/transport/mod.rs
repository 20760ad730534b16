//! The network interface, and its three implementations.
//!
//! | file | a rank is | what it is for |
//! |---|---|---|
//! | `simulated.rs` | a state machine | tests: a seed decides who goes next and which message arrives when |
//! | `threads.rs` | a thread | one machine with several cores, and no MPI |
//! | `mpi.rs`, or `no_mpi.rs` without the feature | a process | machines that have nothing in common but a network |
//!
//! What the engine may rely on is little, and the same for all of them:
//!
//! > **Invariant.** What one rank sends to another arrives once, whole, and in the order in which it was sent. Nothing is
//! > said about when, nor about messages between different pairs of ranks.

#[cfg_attr(not(feature = "mpi"), path = "no_mpi.rs")]
pub(crate) mod mpi;
pub(crate) mod simulated;
pub(crate) mod threads;

/// The network, as one rank sees it.
pub(crate) trait Transport {
    /// Which rank this is.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Sends a message to another rank. May take in what arrives meanwhile, and never waits for the other rank to do
    /// anything but take in messages.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message that has arrived, and who sent it. Never waits.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Called by a rank that has nothing to do: waits until something arrives, or for a moment.
    fn pause(&mut self);
}
