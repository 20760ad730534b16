//! The budget of a search: limits on time, memory and states, and interruption.
//!
//! Memory is the sum that the list accounts for, not what the operating system reports when it is too late. Another thread or a
//! signal handler interrupts a search by a flag, which is read for every node. Clock and memory are read at intervals, which are
//! shorter the more of the remaining memory a node takes. Limits decide nothing but the end of the search.
//!
//! During the expansion of one node, flag and clock cancel the computation of the thread ([`cancellation`]), and the memory of
//! the list is checked for every megabyte of offered states ([`Meter`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tourbillon_base::cancellation::{self, CancellationGuard};
use tourbillon_base::{CancelReason, Cancellation};
use tourbillon_system::{RuntimeError, System};

use crate::stats::Stats;

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The maximum number of stored nodes.
    pub states: Option<u64>,
    /// The maximum number of bytes of the list.
    pub memory_bytes: Option<u64>,
    /// The maximum time from the start of the budget.
    pub time: Option<Duration>,
}

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exhausted {
    States,
    Memory,
    /// The memory of binary decision diagrams.
    Diagrams,
    Time,
    /// By the user or the calling program.
    Interrupted,
    /// The operating system refused memory.
    Refused,
}

impl Exhausted {
    /// The limit that cancelled a computation; `None` if it failed by itself.
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

/// Checks the memory of a list while the successors of one node are offered to it, and cancels the computation at the limit.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    bytes_max: u64,
    state_words: u32,
    left: u32,
}

impl Meter {
    const INTERVAL: u32 = 1 << 18;

    /// A meter without a limit.
    pub(crate) const fn unlimited() -> Self {
        Self { bytes_max: u64::MAX, state_words: 1, left: Self::INTERVAL }
    }

    /// Counts an offered state. `bytes` is the memory of the list, and is computed at intervals.
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

/// The memory of searches that run side by side, each in a thread. They have an order: the first that has not ended is the one whose turn
/// it is, and the memory of the others must not keep it from going on.
#[derive(Debug)]
pub struct MemoryLedger {
    /// The bytes of each search.
    bytes: Vec<AtomicU64>,
    /// The maximum of all together.
    most: u64,
}

/// The bytes of a search that has not begun, or has ended.
const NOT_RUNNING: u64 = u64::MAX;

/// The maximum of all searches but the first. Without a limit, the system has memory for one search more surely than for several.
const BESIDE_BYTES_MAX: u64 = 1 << 30;

impl MemoryLedger {
    #[must_use]
    pub fn new(searches: usize, limit: Option<u64>) -> Self {
        let bytes = (0..searches).map(|_| AtomicU64::new(NOT_RUNNING)).collect();
        Self { bytes, most: limit.unwrap_or(u64::MAX) }
    }

    /// The searches that run, with their bytes, in their order.
    fn running(&self) -> impl Iterator<Item = (usize, u64)> {
        let bytes = self.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed));
        bytes.enumerate().filter(|&(_, bytes)| bytes != NOT_RUNNING)
    }

    /// Whether no search before this one runs.
    #[must_use]
    pub fn is_first(&self, search: usize) -> bool {
        self.running().next().is_none_or(|(first, _)| first >= search)
    }

    /// Ends a search, whose memory is free.
    pub fn end(&self, search: usize) {
        self.bytes[search].store(NOT_RUNNING, Ordering::Relaxed);
    }

    /// Notes the bytes of a search. Returns whether it must give up, since all together take too much: the last of them does, unless it
    /// is the only one.
    fn gives_up(&self, search: usize, bytes: u64) -> bool {
        self.bytes[search].store(bytes, Ordering::Relaxed);
        // One pass, since another search may end meanwhile.
        let (mut first, mut last, mut all, mut beside) = (None, search, 0, 0);
        for (index, bytes) in self.running() {
            (all, last) = (all + bytes, index);
            match first {
                None => first = Some(index),
                Some(_) => beside += bytes,
            }
        }
        let is_too_much = all >= self.most || beside > BESIDE_BYTES_MAX;
        is_too_much && first != Some(search) && last == search
    }
}

/// A budget for searches in other threads.
#[derive(Clone, Copy, Debug)]
pub struct BudgetShare<'a> {
    limits: Limits,
    started: Instant,
    stop: Option<&'a Arc<AtomicBool>>,
}

impl<'a> BudgetShare<'a> {
    /// The budget of one of the searches, which runs in this thread.
    #[must_use]
    pub fn begin(self, ledger: &Arc<MemoryLedger>, search: usize) -> Budget<'a> {
        ledger.bytes[search].store(0, Ordering::Relaxed);
        Budget { ledger: Some((Arc::clone(ledger), search)), ..Budget::started(self) }
    }
}

/// The budget of a search. Several searches can share one.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: Limits,
    started: Instant,
    stop: Option<&'a Arc<AtomicBool>>,
    countdown: u32,
    pace: Pace,
    /// The nodes and bytes of other searches.
    others: (u64, u64),
    /// The memory of searches in other threads, and the number of this one.
    ledger: Option<(Arc<MemoryLedger>, usize)>,
    /// Whether this one has given up because of that.
    has_given_up: bool,
    /// The same limits during the expansion of a node.
    _cancellation: CancellationGuard,
}

/// The number of nodes between two checks, 0 before the first, and the readings of the last one.
#[derive(Clone, Copy, Debug)]
struct Pace {
    nodes: u32,
    bytes: u64,
    elapsed: Duration,
}

/// The maximum number of nodes between two checks; the first intervals are shorter.
const INTERVAL: u32 = 256;
/// The approximate time between two checks.
const PERIOD: Duration = Duration::from_millis(20);

impl Pace {
    /// The interval to the next check, from the bytes now and those that are left. The speed counts only if time is limited:
    /// without that limit, the same search is checked, and ends, after the same number of nodes.
    fn next(&self, bytes: u64, room: Option<u64>, elapsed: Option<Duration>) -> Self {
        let nodes = u64::from(self.nodes.max(1));
        let took = elapsed.map(|elapsed| (elapsed - self.elapsed).as_secs_f64());
        let by_time = took.map_or(f64::INFINITY, |took| nodes as f64 * PERIOD.as_secs_f64() / took);
        let grown = bytes.saturating_sub(self.bytes) / nodes;
        // The nodes that fill half of the remaining memory, at the present growth.
        let by_memory = room.filter(|_| grown > 0).map_or(u64::MAX, |room| room / 2 / grown);
        let most = (by_time as u64).min(by_memory).min(2 * u64::from(self.nodes));
        let elapsed = elapsed.unwrap_or_default();
        Self { nodes: most.clamp(1, INTERVAL.into()) as u32, bytes, elapsed }
    }
}

impl<'a> Budget<'a> {
    /// A budget that starts now and ends when the flag is set. While it exists, it cancels the computations of this thread.
    #[must_use]
    pub fn new(limits: Limits, stop: Option<&'a Arc<AtomicBool>>) -> Self {
        Self::started(BudgetShare { limits, started: Instant::now(), stop })
    }

    fn started(BudgetShare { limits, started, stop }: BudgetShare<'a>) -> Self {
        let pace = Pace { nodes: 0, bytes: 0, elapsed: Duration::ZERO };
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        let guard = Cancellation { stop: stop.cloned(), deadline, memory_bytes_max: None }.install();
        let (others, ledger) = ((0, 0), None);
        let has_given_up = false;
        Self { limits, started, stop, countdown: 0, pace, others, ledger, has_given_up, _cancellation: guard }
    }

    /// The same budget for other threads.
    #[must_use]
    pub const fn share(&self) -> BudgetShare<'a> {
        BudgetShare { limits: self.limits, started: self.started, stop: self.stop }
    }

    /// Whether the search ended, or may have ended, for lack of memory that others have.
    #[must_use]
    pub fn lacked_memory(&self) -> bool {
        let reason = cancellation::reason();
        self.has_given_up || matches!(reason, Some(CancelReason::Memory | CancelReason::Refused))
    }

    /// The meter for states of a system.
    #[must_use]
    pub fn meter(&self, system: &System) -> Meter {
        let rows = system.dimension.clocks() + 1;
        let state_words = u32::try_from(system.layout.fields() + rows * rows).unwrap_or(u32::MAX);
        let bytes_max =
            self.limits.memory_bytes.map_or(u64::MAX, |limit| limit.saturating_sub(self.others.1));
        Meter { bytes_max, state_words, left: Meter::INTERVAL }
    }

    /// Starts another search: the memory limit that ended the one before may allow this one. It is checked as if it was the first.
    pub fn restart(&mut self) {
        cancellation::look_again();
        self.countdown = 0;
        self.pace = Pace { nodes: 0, bytes: 0, elapsed: self.elapsed() };
    }

    /// Sets the nodes and bytes of other searches, which count towards the limits.
    pub fn count_others(&mut self, stats: &Stats) {
        self.others = (stats.stored, stats.memory.total() as u64);
    }

    /// The memory limit.
    #[must_use]
    pub fn memory_bytes(&self) -> Option<u64> {
        self.limits.memory_bytes
    }

    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the budget is exhausted, other than by the limits on states and memory.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || cancellation::reason_now().is_some()
            || self.limits.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// The limit that [`is_over`](Self::is_over) found exhausted.
    #[must_use]
    pub fn over(&self) -> Exhausted {
        let interrupted = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        match cancellation::reason() {
            _ if interrupted => Exhausted::Interrupted,
            Some(reason) => reason.into(),
            None => Exhausted::Time,
        }
    }

    /// The exhausted limit, if there is one; to be called for each node. `holdings` is the number of stored nodes and their
    /// bytes, and is computed at intervals. The second result is whether it was computed.
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
        if self.ledger.as_ref().is_some_and(|(ledger, search)| ledger.gives_up(*search, bytes)) {
            self.has_given_up = true;
            return (Some(Exhausted::Memory), true);
        }
        let room = self.limits.memory_bytes.map(|limit| limit.saturating_sub(bytes + self.others.1));
        self.pace = self.pace.next(bytes, room, self.limits.time.map(|_| self.elapsed()));
        self.countdown = self.pace.nodes - 1;
        (self.exhausted((stored, bytes)), true)
    }

    /// The same with the statistics of a search; `progress` gets them whenever they are checked.
    #[inline]
    pub(crate) fn spend(
        &mut self,
        stats: impl Fn() -> Stats,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<Exhausted> {
        let (exhausted, checked) = self.check(|| {
            let stats = stats();
            (stats.stored, stats.memory.total() as u64)
        });
        if checked && exhausted.is_none() {
            progress(&stats());
        }
        exhausted
    }

    /// The same, checked now: for work that is much more than that of a node.
    pub(crate) fn spend_now(
        &mut self,
        stats: impl Fn() -> Stats,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<Exhausted> {
        self.countdown = 0;
        self.spend(stats, progress)
    }

    fn exhausted(&self, (stored, bytes): (u64, u64)) -> Option<Exhausted> {
        let (stored, bytes) = (stored + self.others.0, bytes + self.others.1);
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

    /// The number of nodes that are visited before a limit ends the search, if each takes this many bytes.
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
    fn the_last_search_gives_up_for_the_others() {
        let ledger = MemoryLedger::new(3, Some(100));
        assert!(ledger.is_first(0) && ledger.is_first(2));
        assert!(!ledger.gives_up(0, 50) && !ledger.gives_up(1, 30) && !ledger.gives_up(2, 19));
        assert!(ledger.is_first(0) && !ledger.is_first(1));
        // The others go on, since the last one gives up when it is checked.
        assert!(!ledger.gives_up(0, 90) && !ledger.gives_up(1, 40) && ledger.gives_up(2, 20));
        ledger.end(2);
        assert!(ledger.gives_up(1, 40));
        ledger.end(1);
        assert!(!ledger.gives_up(0, 1000));
        ledger.end(0);
        assert!(!ledger.gives_up(2, 2 * BESIDE_BYTES_MAX));
        assert!(!ledger.gives_up(1, 0) && ledger.gives_up(2, 2 * BESIDE_BYTES_MAX));
    }

    #[test]
    fn without_a_limit_on_time_checks_come_after_the_same_nodes() {
        let looks = |slow_node| {
            let mut budget = Budget::new(Limits::default(), None);
            let looked = |&node: &u64| {
                if node == slow_node {
                    std::thread::sleep(2 * PERIOD);
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
