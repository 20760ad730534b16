//! The cluster engine: one search over the memory of several ranks.
//!
//! ```text
//!            rank 0                    rank 1                    rank 2
//!   pop ─▶ expand ─▶ owner? ─── batch of states ──▶ offer ─▶ list, pop ─▶ ...
//!     ▲                │ mine
//!     └── list ◀── offer
//! ```
//!
//! Each rank owns some of the discrete states, with all their zones, and has a passed/waiting list of its own for them. It
//! expands its waiting nodes, offers the successors that it owns to its list, and sends the others to their owners in batches.
//! That is the distributed reachability analysis of `[BehrmannHuneVaandrager2000]`.
//!
//! | file | holds |
//! |---|---|
//! | `check.rs`, `rank_set.rs` | from a job to answers; ranks as threads, as state machines, as processes |
//! | `dispatcher.rs` | stores owned states, and sends others to their owners |
//! | `worker.rs` | the state machine of one rank |
//! | `coordinator.rs` | the coordinator on the first rank: the end of the search, its reason, and the path over several ranks |
//! | `supervised_rank.rs` | a rank that may fail |
//! | `owner.rs` | the owner of a state |
//! | `encoding.rs`, `outbox.rs`, `message.rs` | states as bytes; batches of states; all other messages |
//! | `termination.rs` | termination detection |
//! | `endpoint.rs`, `transport/` | one rank's end of the network; the networks |
//! | `spread/` | one diagram over several ranks, for the layouts that have one |
//! | `time.rs` | the busy time of a rank |
//!
//! **Layouts.** The owner of a state is computed in `owner.rs` only. Whether a state is new is decided by the owner's list, or
//! by a distributed diagram (`spread/`), which is queried when a state is popped. Another layout of the states over the ranks
//! changes these two. Messages, termination, paths and the failure of a rank do not depend on the layout.
//!
//! > **Invariant.** Verdicts do not depend on the number of ranks, on the network, or on the timing of messages. With equality
//! > as cover relation, nor do the numbers of states and transitions of a full exploration.

mod check;
mod coordinator;
mod dispatcher;
mod encoding;
mod endpoint;
mod message;
mod outbox;
mod owner;
mod rank_set;
mod spread;
mod supervised_rank;
mod termination;
mod time;
mod transport;
mod worker;

#[cfg(test)]
mod tests;

pub use check::{ClusterChecker, CpuTime, RANKS_MAX, Ranks, check, lost};
pub use transport::mpi::Mpi;
