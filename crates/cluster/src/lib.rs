//! The cluster engine: one search over the memory of several ranks.
//!
//! ```text
//!            rank 0                    rank 1                    rank 2
//!   pop ─▶ expand ─▶ whose? ─── batch of states ──▶ offer ─▶ list, pop ─▶ ...
//!     ▲                │ mine
//!     └── list ◀── offer
//! ```
//!
//! Each rank owns some of the discrete states, with all their zones, and has a passed/waiting list of its own for them. It
//! expands what waits there, keeps the successors that are its own, and sends the others to their owners, many at a
//! time. That is the distributed reachability analysis of `[BehrmannHuneVaandrager2000]`.
//!
//! | file | holds |
//! |---|---|
//! | `check.rs`, `crew.rs` | from a job to answers; ranks as threads, as state machines, as processes |
//! | `intake.rs` | what a rank does with states: its own, and those of others |
//! | `worker.rs` | what one rank does |
//! | `coordinator.rs` | what the first rank does besides: when the search is over, and why; the path over several ranks |
//! | `member.rs` | a rank, and what is left of it if it fails |
//! | `owner.rs` | who owns a state |
//! | `parcel.rs`, `outbox.rs`, `message.rs` | states as bytes; batches of them; all else that is said |
//! | `termination.rs` | how it is known that everything is done |
//! | `endpoint.rs`, `transport/` | one rank's end of the network; the networks |
//! | `spread/` | one diagram over several ranks, for the layouts that have one |
//! | `time.rs` | how long a rank is busy |
//!
//! **The seams.** Who owns a state is decided in `owner.rs` and nowhere else; whether it is new, by the owner's list, where
//! `worker.rs` offers it, or by a diagram over several ranks (`spread/`), which is asked when a state is popped. Another
//! layout of the states over the ranks changes these two. Everything between them, messages,
//! the end of the search, the path and the failure of a rank, knows nothing of either.
//!
//! > **Invariant.** Verdicts do not depend on the number of ranks, on the network, or on what is sent when. With equality
//! > as cover, nor do the numbers of states and transitions of a full exploration.

mod check;
mod coordinator;
mod crew;
mod endpoint;
mod intake;
mod member;
mod message;
mod outbox;
mod owner;
mod parcel;
mod spread;
mod termination;
mod time;
mod transport;
mod worker;

#[cfg(test)]
mod tests;

pub use check::{ClusterChecker, CpuTime, RANKS_MAX, Ranks, check, lost};
pub use transport::mpi::Mpi;
