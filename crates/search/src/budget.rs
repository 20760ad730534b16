//! When to stop before the end: limits on time, memory and states, and a wish to stop.
//!
//! Limits are kept by accounting: memory is what the list says it holds, not what the system says when it is too
//! late. The wish to stop comes from another thread or a signal handler through a flag, which is looked at for
//! every node; clocks and sums are looked at once in a while, the sooner the more a node takes of what is left. No limit
//! ever decides anything but when to stop.
//!
//! Inside a node it is the same: while a budget lives, flag and clock end the work of its thread ([`cancellation`]), and what
//! the list holds is looked at after every megabyte of states that is offered to it ([`Meter`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tourbillon_base::cancellation::{self, CancellationGuard};
use tourbillon_base::{CancelReason, Cancellation};
use tourbillon_system::{RuntimeError, System};

use crate::stats::Stats;

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// How many nodes may be stored.
    pub states: Option<u64>,
    /// How many bytes the list may take.
    pub memory_bytes: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
}

/// What ended a search early.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exhausted {
    /// As many nodes as allowed are stored.
    States,
    /// As much memory as allowed is taken.
    Memory,
    /// As much memory as binary decision diagrams may have is taken.
    Diagrams,
    /// As much time as allowed has passed.
    Time,
    /// Somebody wished it.
    Interrupted,
    /// The operating system gave no more memory.
    Refused,
}

impl Exhausted {
    /// What ended a computation, if it was ended from outside and did not fail.
    #[must_use]
    pub fn of_cancelled(error: &RuntimeError) -> Option<Self> {
        let reason = || cancellation::reason().unwrap_or(CancelReason::Interrupted);
        error.is_cancelled().then(|| reason().into())
    }
}

impl From<CancelReason> for Exhausted {
    fn from(reason: CancelReason) -> Self {
        match reason {
            CancelReason::Interrupted => Self::Interrupted,
            CancelReason::Time => Self::Time,
            CancelReason::Memory => Self::Memory,
            CancelReason::Refused => Self::Refused,
        }
    }
}

/// Looks at what a list holds while the successors of one node are offered to it, and ends the work if that is too much.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    bytes_max: u64,
    state_words: u32,
    left: u32,
}

impl Meter {
    const INTERVAL: u32 = 1 << 18;

    /// One that never ends anything.
    pub(crate) const fn unlimited() -> Self {
        Self { bytes_max: u64::MAX, state_words: 1, left: Self::INTERVAL }
    }

    /// Counts a state that was offered. `bytes` is what the list holds, and is computed only now and then.
    #[inline]
    pub fn offered(&mut self, bytes: impl FnOnce() -> usize) {
        self.left = self.left.saturating_sub(self.state_words);
        if self.left == 0 {
            self.left = Self::INTERVAL;
            if bytes() as u64 > self.bytes_max {
                cancellation::cancel(CancelReason::Memory);
            }
        }
    }
}

/// What a search may still spend. Several searches can share one.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: Limits,
    started: Instant,
    stop: Option<&'a Arc<AtomicBool>>,
    countdown: u32,
    pace: Pace,
    /// What others hold beside the search that asks: nodes and bytes.
    besides: (u64, u64),
    /// The same limits inside a node.
    _inside: CancellationGuard,
}

/// After how many nodes clocks and sums are looked at, 0 before the first time, and what they showed.
#[derive(Clone, Copy, Debug)]
struct Pace {
    nodes: u32,
    bytes: u64,
    elapsed: Duration,
}

/// Every how many nodes the clock is looked at, at most; the first looks come sooner.
const INTERVAL: u32 = 256;
/// About how much time may pass between two looks.
const PATIENCE: Duration = Duration::from_millis(20);

impl Pace {
    /// After how many nodes to look next, if these are the bytes now and so many more are allowed. How fast it goes counts
    /// only where time is limited: without, the same search is looked at, and ends, after the same number of nodes.
    fn next(&self, bytes: u64, room: Option<u64>, elapsed: Option<Duration>) -> Self {
        let nodes = u64::from(self.nodes.max(1));
        let took = elapsed.map(|elapsed| (elapsed - self.elapsed).as_secs_f64());
        let by_time = took.map_or(f64::INFINITY, |took| nodes as f64 * PATIENCE.as_secs_f64() / took);
        let grown = bytes.saturating_sub(self.bytes) / nodes;
        // As far as half of what is left reaches, if nodes go on growing as they did.
        let by_memory = room.filter(|_| grown > 0).map_or(u64::MAX, |room| room / 2 / grown);
        let most = (by_time as u64).min(by_memory).min(2 * u64::from(self.nodes));
        let elapsed = elapsed.unwrap_or_default();
        Self { nodes: most.clamp(1, INTERVAL.into()) as u32, bytes, elapsed }
    }
}

impl<'a> Budget<'a> {
    /// A budget that starts now. It ends at once when the flag is set. While it lives, the work of this thread ends with it.
    #[must_use]
    pub fn new(limits: Limits, stop: Option<&'a Arc<AtomicBool>>) -> Self {
        let pace = Pace { nodes: 0, bytes: 0, elapsed: Duration::ZERO };
        let started = Instant::now();
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        let inside = Cancellation { stop: stop.cloned(), deadline, memory_bytes_max: None }.install();
        Self { limits, started, stop, countdown: 0, pace, besides: (0, 0), _inside: inside }
    }

    /// What looks at the list while states of a system are offered to it.
    #[must_use]
    pub fn meter(&self, system: &System) -> Meter {
        let rows = system.dimension.clocks() + 1;
        let state_words = u32::try_from(system.layout.fields() + rows * rows).unwrap_or(u32::MAX);
        let bytes_max =
            self.limits.memory_bytes.map_or(u64::MAX, |limit| limit.saturating_sub(self.besides.1));
        Meter { bytes_max, state_words, left: Meter::INTERVAL }
    }

    /// Begins with other work: a limit on memory that ended the work before need not end this.
    pub fn begin_other(&mut self) {
        cancellation::look_again();
        self.countdown = 0;
    }

    /// Counts what another search holds, beside the one that asks from now on.
    pub fn count_besides(&mut self, stats: &Stats) {
        self.besides = (stats.stored, stats.memory.total() as u64);
    }

    /// How many bytes may be taken, if that is limited.
    #[must_use]
    pub fn memory_bytes(&self) -> Option<u64> {
        self.limits.memory_bytes
    }

    /// How long ago it started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether it is time to stop, memory aside.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || cancellation::reason_now().is_some()
            || self.limits.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Why it is time to stop, if it is, memory aside.
    #[must_use]
    pub fn over(&self) -> Exhausted {
        let interrupted = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        match cancellation::reason() {
            _ if interrupted => Exhausted::Interrupted,
            Some(reason) => reason.into(),
            None => Exhausted::Time,
        }
    }

    /// What is exhausted, if anything; to be asked for each node. `holdings` is the number of stored nodes and
    /// the bytes they take, and is computed only now and then. The second answer tells whether it was.
    #[inline]
    pub fn check(&mut self, holdings: impl FnOnce() -> (u64, u64)) -> (Option<Exhausted>, bool) {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return (Some(Exhausted::Interrupted), true);
        }
        if let Some(reason) = cancellation::reason() {
            return (Some(reason.into()), true);
        }
        if self.countdown > 0 {
            self.countdown -= 1;
            return (None, false);
        }
        if let Some(reason) = cancellation::reason_now() {
            return (Some(reason.into()), true);
        }
        let (stored, bytes) = holdings();
        let room = self.limits.memory_bytes.map(|limit| limit.saturating_sub(bytes + self.besides.1));
        self.pace = self.pace.next(bytes, room, self.limits.time.map(|_| self.elapsed()));
        self.countdown = self.pace.nodes - 1;
        (self.look((stored, bytes)), true)
    }

    /// The same for a search whose numbers these are; `progress` is told of them when they are looked at.
    #[inline]
    pub(crate) fn spend(
        &mut self,
        stats: impl Fn() -> Stats,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<Exhausted> {
        let (exhausted, looked) = self.check(|| {
            let stats = stats();
            (stats.stored, stats.memory.total() as u64)
        });
        if looked && exhausted.is_none() {
            progress(&stats());
        }
        exhausted
    }

    fn look(&self, (stored, bytes): (u64, u64)) -> Option<Exhausted> {
        let (stored, bytes) = (stored + self.besides.0, bytes + self.besides.1);
        if self.limits.states.is_some_and(|limit| stored >= limit) {
            return Some(Exhausted::States);
        }
        if self.limits.memory_bytes.is_some_and(|limit| bytes >= limit) {
            return Some(Exhausted::Memory);
        }
        self.limits.time.is_some_and(|limit| self.elapsed() >= limit).then_some(Exhausted::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many nodes are visited before a limit is noticed, if each takes so many bytes.
    fn noticed(limit: u64, bytes: u64) -> u64 {
        let limits = Limits { memory_bytes: Some(limit), ..Limits::default() };
        let mut budget = Budget::new(limits, None);
        (0..).find(|&nodes| budget.check(|| (nodes, nodes * bytes)).0.is_some()).unwrap_or(u64::MAX)
    }

    #[test]
    fn a_limit_is_noticed_by_the_node_that_reaches_it_however_large_nodes_are() {
        assert_eq!(noticed(1 << 20, 1 << 20), 1);
        assert_eq!(noticed(1 << 20, 1 << 24), 1);
        assert_eq!(noticed(1 << 20, 100_000), 11);
        for bytes in [10, 100, 1000] {
            let reached = (1u64 << 20).div_ceil(bytes);
            assert!((reached..=reached + u64::from(INTERVAL)).contains(&noticed(1 << 20, bytes)), "{bytes}");
        }
    }

    #[test]
    fn without_a_limit_on_time_looks_come_after_the_same_nodes() {
        let looks = |slow_node| {
            let mut budget = Budget::new(Limits::default(), None);
            let looked = |&node: &u64| {
                if node == slow_node {
                    std::thread::sleep(2 * PATIENCE);
                }
                budget.check(|| (node, node)).1
            };
            (0..2000).filter(looked).collect::<Vec<_>>()
        };
        let first = looks(0);
        assert_eq!(first, looks(300));
        assert!(first.windows(2).all(|pair| pair[1] - pair[0] <= u64::from(INTERVAL)));
    }
}
