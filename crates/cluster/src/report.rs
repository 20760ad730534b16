//! The statistics of each rank.

use std::time::Duration;

use tourbillon_search::Stats;

pub(crate) use crate::endpoint::Traffic;
use crate::spread::Moved;

/// What one rank did.
#[derive(Clone, PartialEq, Debug)]
pub struct RankStats {
    pub rank: usize,
    /// Its part of the search.
    pub stats: Stats,
    pub(crate) traffic: Traffic,
    /// States sent to other ranks.
    pub states_sent: u64,
    /// States that were not sent, since they had been a moment before.
    pub states_dropped: u64,
    /// What it has done to even the memory of a diagram over several ranks.
    pub moved: Moved,
    /// How long it had something to do.
    pub busy: Duration,
    /// How long the search took, as this rank saw it.
    pub elapsed: Duration,
    /// The time of the processor, if it is known.
    pub cpu: Option<Duration>,
}

impl RankStats {
    /// Messages to other ranks.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.traffic.messages
    }

    /// The bytes of these messages.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.traffic.bytes
    }

    /// The part of the time in which it had something to do.
    #[must_use]
    pub fn load(&self) -> f64 {
        let elapsed = self.elapsed.as_secs_f64();
        if elapsed > 0.0 { (self.busy.as_secs_f64() / elapsed).min(1.0) } else { 0.0 }
    }
}

/// The numbers of all ranks together.
pub(crate) fn sum(ranks: &[RankStats]) -> Stats {
    ranks.iter().fold(Stats::default(), |sum, rank| sum.and(&rank.stats))
}
