//! The work of each rank of a cluster, as part of an answer.

use std::time::Duration;

use tourbillon_search::Stats;

/// The work of one rank.
#[derive(Clone, PartialEq, Debug)]
pub struct RankStats {
    pub rank: usize,
    pub stats: Stats,
    pub traffic: Traffic,
    /// States sent to other ranks.
    pub states_sent: u64,
    /// States that were not sent, since the same state was sent recently.
    pub states_dropped: u64,
    /// The levels that it moved to balance the memory of a distributed diagram.
    pub moved: Moved,
    /// The time in which it expanded states or received messages.
    pub busy: Duration,
    /// The time of the search on this rank.
    pub elapsed: Duration,
    /// The processor time, if it is known.
    pub cpu: Option<Duration>,
}

impl RankStats {
    /// Messages to other ranks.
    #[must_use]
    pub const fn messages(&self) -> u64 {
        self.traffic.messages
    }

    /// The bytes of these messages.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.traffic.bytes
    }

    /// The fraction of the time in which it was busy.
    #[must_use]
    pub fn load(&self) -> f64 {
        let elapsed = self.elapsed.as_secs_f64();
        if elapsed > 0.0 { (self.busy.as_secs_f64() / elapsed).min(1.0) } else { 0.0 }
    }
}

/// The messages of one rank.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// Batches of states sent to each rank.
    pub batches_to: Vec<u64>,
    /// Batches of states received.
    pub received: u64,
    /// Messages sent, of all kinds.
    pub messages: u64,
    /// The bytes of these messages.
    pub bytes: u64,
}

impl Traffic {
    /// Batches of states sent to all ranks.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.batches_to.iter().sum()
    }
}

/// The levels that a rank moved to balance the memory of a distributed diagram.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moved {
    /// The number of rounds in which levels of its group's diagram moved.
    pub rounds: u64,
    /// Levels that it sent to its neighbours.
    pub layers: u64,
    /// The nodes of these levels.
    pub nodes: u64,
    /// The bytes of these messages.
    pub bytes: u64,
    /// The bytes of its part of the diagram before the last round.
    pub bytes_before: u64,
    /// The same after it.
    pub bytes_after: u64,
}
