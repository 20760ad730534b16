//! The work of each rank of a cluster, as part of an answer.

use std::time::Duration;

use tourbillon_search::Stats;

/// The work of one rank.
#[derive(Clone, PartialEq, Debug)]
pub struct RankStats {
    /// Its number.
    pub rank: usize,
    /// Its part of the search.
    pub stats: Stats,
    /// Its messages.
    pub traffic: Traffic,
    /// States sent to other ranks.
    pub states_sent: u64,
    /// States that were not sent, since they had been a moment before.
    pub states_dropped: u64,
    /// The layers that it moved to balance the memory of a diagram over several ranks.
    pub moved: Moved,
    /// How long it was busy.
    pub busy: Duration,
    /// How long the search took, as this rank saw it.
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

    /// The part of the time in which it was busy.
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

/// The layers that a rank moved to balance the memory of a diagram over several ranks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moved {
    /// How often layers of its group's diagram moved.
    pub rounds: u64,
    /// Layers that it gave to its neighbours.
    pub layers: u64,
    /// The nodes of these layers.
    pub nodes: u64,
    /// The bytes of the messages that took them there.
    pub bytes: u64,
    /// The bytes of its part of the diagram before the last round.
    pub bytes_before: u64,
    /// The same after it.
    pub bytes_after: u64,
}
