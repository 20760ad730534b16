//! Rounds: the explore loop with several threads, and one answer.
//!
//! ```text
//!   select the nodes of the round: those of least cost
//!   expand them, chunk by chunk, each by the thread that is free; the list is only read
//!   insert what was found, shard by shard, in the order of chunks
//! ```
//!
//! The phases are those of the list (`store/src/shards`), which is divided into shards when the search is large. Until then nodes
//! are expanded one by one, so that a small search costs nothing. Chunks, shards and the widths of rounds depend on the search alone, not
//! on the number of threads: every count, every node and every trace is the same for any number of threads.
//!
//! An observer takes part with a copy of itself for each chunk ([`RoundObserver`]), and joins the copies in the order of chunks.
//! A [`SideSearch`] makes as many visits as a round has nodes, in one thread, while the others expand them.
//!
//! A round is finished before the observer ends the search. A round that a limit interrupts is dropped as a whole, and selected
//! again if the search continues.
//!
//! **Bounded memory.** How many candidates a round has is known only when they were found. A round whose candidates take more than
//! [their share of the memory](candidate_bytes_max()) is dropped as well, and continues with half of its nodes. Chunks are
//! measured when they are complete, and dropped rounds leave nothing behind: so whether a round is dropped depends on its nodes
//! alone, although it is dropped as soon as some chunks are too large together, whichever they are.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use tourbillon_base::{CancelReason, Cancellation, Id, cancellation};
use tourbillon_dbm::ClockBounds;
use tourbillon_store::{
    BoundsSource, CandidateList, Candidates, InsertMemory, NodeId, Packing, RoundList, RoundReader, SHARDS,
    Settings,
};
use tourbillon_zonegraph::ZoneGraph;

use crate::budget::{Budget, Exhausted, Meter};
use crate::expander::{Expander, ExpansionFailure};
use crate::explore::{Ended, Search};
use crate::observer::{ExpansionCounts, Observer, Visit};
use crate::shares::Shares;
use crate::stats::Stats;
use crate::team::Team;
use crate::transient::{TransientPart, TransientStates};

/// The number of chunks whose memory is always kept.
const CHUNKS_KEPT: usize = 64;

/// The candidates of a round take at most this part of the memory of the search, unless that is little; and with a limit on memory,
/// this part of the limit is little.
const CANDIDATES_PART: usize = 4;
const CANDIDATES_MIN: usize = 16 << 20;
const LITTLE_PART: usize = 64;

/// A thread inserts the candidates of its shards in so many parts, some of which another thread may take.
const PARTS_OF_THREAD: usize = 2;

/// How a search continues in rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The number of threads.
    pub threads: usize,
    pub sizes: RoundSizes,
    /// The settings of the list.
    pub settings: Settings,
}

/// The numbers that determine the rounds of a search. Other numbers give other counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RoundSizes {
    /// The number of visited nodes before the first round.
    pub after: u64,
    /// A round has so many nodes if so many wait; more if the list is large.
    pub width: usize,
    /// The nodes that a thread expands at a time.
    pub chunk: usize,
}

impl Default for RoundSizes {
    /// The nodes before the first round take some milliseconds, beside which dividing the list and starting threads takes little. So
    /// does waiting for threads in a round.
    fn default() -> Self {
        Self { after: 1 << 12, width: 1 << 11, chunk: 32 }
    }
}

/// An observer of rounds.
pub trait RoundObserver: Observer + Send + Sync + Sized {
    /// An observer for a part of a round: it knows what this one knows, and has found nothing.
    fn part(&self) -> Self;

    /// The nodes that were found so far have other ids.
    fn renumber(&mut self, node: &dyn Fn(NodeId) -> Option<NodeId>);

    /// Takes over what the observer of a part has found. `node` is the node of a state that it offered, if it is stored.
    fn join(&mut self, part: Self, node: &dyn Fn(NodeId) -> Option<NodeId>);
}

/// A search that runs beside the rounds of another one.
pub(crate) trait SideSearch: Send {
    /// Makes visits; called by any thread, in each round.
    fn visit(&mut self, visits: usize);

    /// The nodes and bytes that it adds to the limits, and its visits.
    fn stats(&self) -> Option<Stats>;

    /// Ends it since both searches together exceed a limit on states or memory. Returns whether it had not ended before.
    fn give_up(&mut self) -> bool;

    /// How it has ended both searches, if it has; called between rounds.
    fn ended(&mut self) -> Option<Ended>;
}

/// A side search, locked by the thread that runs it.
type Side<'a> = Mutex<&'a mut (dyn SideSearch + 'a)>;

/// A phase of all threads.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Expand,
    Insert,
}

/// What all threads share during the rounds.
struct Shared<'a, O> {
    list: &'a dyn RoundList,
    observer: RwLock<&'a mut O>,
    /// The nodes of the round, with their costs.
    nodes: RwLock<Vec<(NodeId, u64)>>,
    chunks: RwLock<Vec<RwLock<Chunk<O>>>>,
    side: Option<Side<'a>>,
    /// The visits that the side search makes in this round, until it has begun.
    side_visits: AtomicUsize,
    /// The chunks, or the shards, that are left.
    shares: Shares,
    /// The number of shards whose candidates a thread inserts at a time, a power of two.
    shards_of_part: usize,
    is_cancelled: AtomicBool,
    /// The bytes of the candidates of the round so far, and the most that they may take.
    candidate_bytes: AtomicUsize,
    candidate_bytes_max: AtomicUsize,
    /// Whether committed states are stored from now on.
    stores_committed: AtomicBool,
    meter: Meter,
    sizes: RoundSizes,
}

/// What the expansion of a chunk has found.
struct Chunk<O> {
    candidates: Candidates,
    observer: Option<O>,
    visited: u64,
    counts: ExpansionCounts,
    overflowed: bool,
    failure: Option<ExpansionFailure>,
    /// Whether the observer has ended the search at a node: then those after it are not expanded.
    has_ended: bool,
    cancelled: Option<CancelReason>,
    transients: TransientPart,
}

impl<O> Default for Chunk<O> {
    fn default() -> Self {
        Self {
            candidates: Candidates::default(),
            observer: None,
            visited: 0,
            counts: ExpansionCounts::default(),
            overflowed: false,
            failure: None,
            has_ended: false,
            cancelled: None,
            transients: TransientPart::default(),
        }
    }
}

/// A thread with its memory.
struct Worker<'s> {
    number: usize,
    expander: Expander<'s>,
    memory: InsertMemory,
}

/// What the phases of the rounds of a search took, for measurements: nothing depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RoundTimes {
    /// The number of threads of the last round.
    pub threads: usize,
    pub rounds: u64,
    /// Nodes that were selected for rounds.
    pub nodes: u64,
    /// States that no stored state covered when they were found.
    pub candidates: u64,
    /// One thread: selecting the nodes, and the checks between rounds.
    pub select: Duration,
    /// All threads.
    pub expand: Duration,
    /// One thread: saving the zones of candidates.
    pub intern: Duration,
    /// All threads.
    pub insert: Duration,
    /// One thread: joining observers and counts, and adding new nodes to the waiting list.
    pub finish: Duration,
}

/// The clock bounds that a zone graph computes.
struct GraphBounds<'g, 's>(&'g mut ZoneGraph<'s>);

impl BoundsSource for GraphBounds<'_, '_> {
    fn bounds_of(&mut self, discrete: &[i32]) -> &ClockBounds {
        self.0.constants(discrete)
    }
}

/// A panic ends the team, and nothing is read afterwards.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn lock<'l, 'a>(side: &'l Side<'a>) -> MutexGuard<'l, &'a mut (dyn SideSearch + 'a)> {
    side.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s> Search<'s> {
    /// The explore loop for an observer that can be divided: in rounds, if that is requested and the search is large.
    pub fn explore_in_rounds<O: RoundObserver>(
        &mut self,
        observer: &mut O,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        self.begin(observer, budget);
        while self.rounds.is_some() && !self.is_due_for_rounds() {
            if let Some(ended) = self.explore_one(observer, budget, progress) {
                return ended;
            }
        }
        if let Some(ended) = self.ended(observer) {
            return ended;
        }
        match self.divide(observer) {
            Some(rounds) => self.run_rounds(&rounds, observer, None, budget, progress),
            None => self.explore(observer, budget, progress),
        }
    }

    /// Whether the search is large enough to continue in rounds, and shall.
    pub(crate) fn is_due_for_rounds(&self) -> bool {
        let Self { rounds, list, visited, .. } = self;
        rounds.as_ref().is_some_and(|rounds| *visited >= rounds.sizes.after || list.rounds().is_some())
    }

    /// Divides the list into shards. Returns how the search continues in rounds, if that is possible.
    pub(crate) fn divide(&mut self, observer: &mut impl RoundObserver) -> Option<Rounds> {
        let rounds = self.rounds.clone()?;
        if self.list.rounds().is_none() {
            let (divided, nodes) = self.list.in_shards(&rounds.settings, Packing::default())?;
            observer.renumber(&|node| nodes[node.index()]);
            self.list = divided;
        }
        Some(rounds)
    }

    /// Continues in rounds, with another search beside them if there is one.
    pub(crate) fn run_rounds<'a, O: RoundObserver>(
        &'a mut self,
        rounds: &Rounds,
        observer: &'a mut O,
        side: Option<&'a mut (dyn SideSearch + 'a)>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let dimension = self.system().dimension;
        let worker = |number| {
            let (expander, memory) = (self.expander.fork(), InsertMemory::new(dimension));
            Worker { number, expander, memory }
        };
        let mut workers: Vec<Worker<'s>> = (0..rounds.threads.max(1)).map(worker).collect();
        self.current = None;
        self.times.threads = workers.len();
        let Self { expander, list, visited, counts, overflowed, failure, times, .. } = self;
        let Some(list) = list.rounds() else { return Ended::Complete };
        let meter = budget.meter(expander.system());
        let numbers = (workers.len(), rounds.sizes);
        let shared = Shared::new(list, (observer, side), meter, expander, numbers);
        let nodes = Vec::new();
        let leader =
            Leader { list, nodes, side_ahead: 0, expander, visited, counts, overflowed, failure, times };
        with_team(&shared, &mut workers, |team, worker| leader.run(&shared, team, worker, budget, progress))
    }
}

/// Starts the serving threads, and runs the leader in this one.
fn with_team<'s, O: RoundObserver>(
    shared: &Shared<'_, O>,
    workers: &mut [Worker<'s>],
    lead: impl FnOnce(&Team<Phase>, &mut Worker<'s>) -> Ended,
) -> Ended {
    let Some((own, others)) = workers.split_first_mut() else { return Ended::Complete };
    let (team, limits) = (Team::new(others.len()), cancellation::installed());
    std::thread::scope(|scope| {
        let _dismissal = team.dismissing();
        for worker in others {
            let (team, limits) = (&team, limits.clone());
            scope.spawn(move || {
                let _guards: Vec<_> = limits.into_iter().map(Cancellation::install).collect();
                team.serve(|phase| shared.work(phase, worker));
            });
        }
        lead(&team, own)
    })
}

/// The thread that selects, joins and finishes rounds.
struct Leader<'a, 's> {
    list: &'a dyn RoundList,
    /// The nodes of the round, with their costs.
    nodes: Vec<(NodeId, u64)>,
    /// The visits of the side search beside rounds that were dropped.
    side_ahead: usize,
    expander: &'a mut Expander<'s>,
    visited: &'a mut u64,
    counts: &'a mut ExpansionCounts,
    overflowed: &'a mut bool,
    failure: &'a mut Option<Ended>,
    times: &'a mut RoundTimes,
}

impl<'s> Leader<'_, 's> {
    fn run<O: RoundObserver>(
        mut self,
        shared: &Shared<'_, O>,
        team: &Team<Phase>,
        worker: &mut Worker<'s>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let mut clock = Instant::now();
        loop {
            if let Some(ended) = read(&shared.observer).ended().or_else(|| self.obstacle()) {
                return ended;
            }
            if let Some(ended) = shared.side.as_ref().and_then(|side| lock(side).ended()) {
                return ended;
            }
            match budget.spend_now(|| self.stats_with(shared.side.as_ref()), progress) {
                Some(Exhausted::States | Exhausted::Memory) if shared.gives_up_side() => continue,
                Some(exhausted) => return Ended::Exhausted(exhausted),
                None => {}
            }
            self.list.select(shared.sizes.width, &mut self.nodes);
            if self.nodes.is_empty() {
                return read(&shared.observer).complete();
            }
            let chunks = self.begin(shared, budget);
            self.times.select += lap(&mut clock);
            team.work(Phase::Expand, || shared.work(Phase::Expand, worker));
            self.times.expand += lap(&mut clock);
            if let Some(reason) = shared.cancelled(chunks) {
                return Ended::Exhausted(reason);
            }
            if shared.is_too_large() && self.list.narrow() {
                self.side_ahead += self.nodes.len();
                write(&shared.chunks).clear();
                continue;
            }
            self.times.rounds += 1;
            self.times.nodes += self.nodes.len() as u64;
            self.intern(shared, chunks, &mut worker.memory);
            self.times.intern += lap(&mut clock);
            shared.shares.begin(SHARDS / shared.shards_of_part);
            team.work(Phase::Insert, || shared.work(Phase::Insert, worker));
            self.times.insert += lap(&mut clock);
            let has_ended = self.join(shared, chunks);
            self.free_candidates(shared, budget);
            self.times.finish += lap(&mut clock);
            if has_ended {
                return read(&shared.observer).complete();
            }
        }
    }

    /// Begins the round that was selected. Returns the number of its chunks.
    fn begin<O: RoundObserver>(&mut self, shared: &Shared<'_, O>, budget: &Budget<'_>) -> usize {
        let held = self.stats_with(shared.side.as_ref()).memory.total();
        shared.candidate_bytes_max.store(candidate_bytes_max(held, budget.memory_bytes()), Ordering::Relaxed);
        let ahead = self.side_ahead.min(self.nodes.len());
        self.side_ahead -= ahead;
        shared.begin(&self.nodes, self.nodes.len() - ahead)
    }

    /// Frees the memory of the candidates of a round, if the next one must not have as much.
    fn free_candidates<O>(&self, shared: &Shared<'_, O>, budget: &Budget<'_>) {
        let own = shared.candidate_bytes.load(Ordering::Relaxed);
        let held = self.list.memory().total().saturating_sub(own);
        if own > candidate_bytes_max(held, budget.memory_bytes()) {
            write(&shared.chunks).clear();
            self.list.forget_candidates();
        }
    }

    fn obstacle(&self) -> Option<Ended> {
        if *self.overflowed { Some(Ended::Overflowed) } else { self.failure.clone() }
    }

    fn stats(&self) -> Stats {
        let list = (self.list.counts(), self.list.memory(), self.list.certainty());
        let mut stats = Stats::of(list, *self.visited, *self.counts);
        stats.memory.parents += self.expander.transients.as_ref().map_or(0, TransientStates::path_bytes);
        stats
    }

    /// The statistics of both searches.
    fn stats_with(&self, side: Option<&Side<'_>>) -> Stats {
        let side = side.and_then(|side| lock(side).stats());
        side.map_or(self.stats(), |side| self.stats().and(&side))
    }

    /// Saves the zones of the candidates, and gives the chains of transitions that lead to them their numbers.
    fn intern<O>(&mut self, shared: &Shared<'_, O>, chunks: usize, memory: &mut InsertMemory) {
        for chunk in &read(&shared.chunks)[..chunks] {
            let mut chunk = write(chunk);
            let Chunk { candidates, transients: part, .. } = &mut *chunk;
            if let Some(transients) = &mut self.expander.transients {
                transients.join(part);
                candidates.renumber(|chain| transients.renumber(part, chain));
            }
            self.list.intern(candidates, memory);
        }
    }

    /// Takes over what the chunks have found, in their order, and finishes the round. Returns whether the observer has ended the
    /// search: at the first node, since what the nodes before it have found may have to be visited first.
    fn join<O: RoundObserver>(&mut self, shared: &Shared<'_, O>, chunks: usize) -> bool {
        let list = read(&shared.chunks);
        let mut observer = write(&shared.observer);
        let (before, mut has_ended) = (*self.visited, false);
        for chunk in &list[..chunks] {
            let mut chunk = write(chunk);
            *self.visited += chunk.visited;
            *self.counts = self.counts.and(chunk.counts);
            *self.overflowed |= chunk.overflowed;
            self.times.candidates += chunk.candidates.len() as u64;
            has_ended |= chunk.has_ended;
            let (part, failed) = (chunk.observer.take(), chunk.failure.take());
            let node = |candidate| chunk.candidates.node(candidate);
            part.into_iter().for_each(|part| observer.join(part, &node));
            let failed = failed.map(|failed| failed.at(node).ended());
            *self.failure = self.failure.take().or(failed);
        }
        let chunks: Vec<_> = list[..chunks].iter().map(read).collect();
        self.list.finish(&mut chunks.iter().map(|chunk| &chunk.candidates));
        if let Some(transients) = &self.expander.transients {
            shared.stores_committed.store(transients.has_ended(), Ordering::Relaxed);
        }
        has_ended && *self.visited == before
    }
}

/// The bytes that the candidates of a round may take, in a search that holds so many. Inserted candidates take about as much again
/// before they are removed: so with a limit they take at most half of what is left, or little.
fn candidate_bytes_max(held: usize, limit: Option<u64>) -> usize {
    let most = (held / CANDIDATES_PART).max(CANDIDATES_MIN);
    let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()) else { return most };
    most.min((limit.saturating_sub(held) / 2).max(limit / LITTLE_PART))
}

/// The time since the last lap.
fn lap(clock: &mut Instant) -> Duration {
    let now = Instant::now();
    now - std::mem::replace(clock, now)
}

impl<'a, O: RoundObserver> Shared<'a, O> {
    fn new(
        list: &'a dyn RoundList,
        (observer, side): (&'a mut O, Option<&'a mut (dyn SideSearch + 'a)>),
        meter: Meter,
        expander: &Expander<'_>,
        (threads, sizes): (usize, RoundSizes),
    ) -> Self {
        let has_ended = expander.transients.as_ref().is_some_and(TransientStates::has_ended);
        Self {
            list,
            observer: RwLock::new(observer),
            nodes: RwLock::default(),
            chunks: RwLock::default(),
            side: side.map(Mutex::new),
            side_visits: AtomicUsize::new(0),
            shares: Shares::new(threads),
            shards_of_part: (SHARDS / PARTS_OF_THREAD / threads.next_power_of_two()).max(1),
            is_cancelled: AtomicBool::new(false),
            candidate_bytes: AtomicUsize::new(0),
            candidate_bytes_max: AtomicUsize::new(usize::MAX),
            stores_committed: AtomicBool::new(has_ended),
            meter,
            sizes,
        }
    }

    /// Begins a round, with so many visits of the side search. Returns the number of its chunks.
    fn begin(&self, round: &[(NodeId, u64)], side_visits: usize) -> usize {
        let mut nodes = write(&self.nodes);
        nodes.clear();
        nodes.extend_from_slice(round);
        let (mut chunks, number) = (write(&self.chunks), round.len().div_ceil(self.sizes.chunk));
        if chunks.len() < number {
            chunks.resize_with(number, RwLock::default);
        }
        // The memory of a wide round is not kept for narrow ones.
        chunks.truncate(2 * number + CHUNKS_KEPT);
        self.shares.begin(number);
        self.candidate_bytes.store(0, Ordering::Relaxed);
        self.side_visits.store(side_visits, Ordering::Relaxed);
        number
    }

    /// Ends the side search, if there is one that has not ended.
    fn gives_up_side(&self) -> bool {
        self.side.as_ref().is_some_and(|side| lock(side).give_up())
    }

    /// Whether the candidates of the round take too much memory. If not all chunks were expanded, it is true; if all were, it does
    /// not depend on their order.
    fn is_too_large(&self) -> bool {
        self.is_too_large_with(0)
    }

    /// The same with those of a chunk that is not complete.
    fn is_too_large_with(&self, bytes: usize) -> bool {
        self.candidate_bytes.load(Ordering::Relaxed) + bytes
            > self.candidate_bytes_max.load(Ordering::Relaxed)
    }

    /// Why the expansion of a chunk was interrupted, if one was.
    fn cancelled(&self, chunks: usize) -> Option<Exhausted> {
        let list = read(&self.chunks);
        let reason = list[..chunks].iter().find_map(|chunk| read(chunk).cancelled);
        reason.filter(|_| self.is_cancelled.load(Ordering::Relaxed)).map(Exhausted::from)
    }

    fn work(&self, phase: Phase, worker: &mut Worker<'_>) {
        match phase {
            Phase::Expand => self.expand(worker),
            Phase::Insert => self.insert(worker),
        }
    }

    /// Runs the side search, if no other thread does, and expands chunks until none is left.
    fn expand(&self, worker: &mut Worker<'_>) {
        if let Some(side) = &self.side
            && let visits @ 1.. = self.side_visits.swap(0, Ordering::Relaxed)
        {
            lock(side).visit(visits);
        }
        let (reader, nodes, list) = (self.list.reader(), read(&self.nodes), read(&self.chunks));
        while let Some(number) = self.shares.take(worker.number) {
            #[cfg(test)]
            crate::tests::rounds::delay(number);
            let Some(nodes) = nodes.chunks(self.sizes.chunk).nth(number) else { return };
            if self.is_cancelled.load(Ordering::Relaxed) || self.is_too_large() {
                return;
            }
            let mut chunk = write(&list[number]);
            self.expand_chunk(&*reader, worker, nodes, &mut chunk);
            self.candidate_bytes.fetch_add(chunk.candidates.bytes(), Ordering::Relaxed);
            if let Some(reason) = cancellation::reason_now() {
                chunk.cancelled = Some(reason);
                self.is_cancelled.store(true, Ordering::Relaxed);
            }
        }
    }

    fn expand_chunk(
        &self,
        reader: &dyn RoundReader,
        worker: &mut Worker<'_>,
        nodes: &[(NodeId, u64)],
        chunk: &mut Chunk<O>,
    ) {
        let expander = &mut worker.expander;
        let mut observer = read(&self.observer).part();
        chunk.clear();
        if let Some(transients) = &mut expander.transients {
            transients.begin_part(self.stores_committed.load(Ordering::Relaxed));
        }
        let fields = expander.system().layout.fields();
        for &(node, cost) in nodes {
            let state = &mut expander.state;
            let node =
                reader.visit(node, &mut chunk.candidates, &mut state.memory[..fields], &mut state.zone);
            match observer.visit(node, &expander.state) {
                Visit::Expand => {}
                Visit::Skip => continue,
                Visit::End => {
                    chunk.has_ended = true;
                    break;
                }
            }
            let mut list = CandidateList::new(reader, &mut chunk.candidates);
            let expanded = expander.expand(&mut list, (node, cost), &mut observer, self.meter);
            chunk.visited += 1;
            chunk.counts = chunk.counts.and(expanded.counts);
            chunk.overflowed |= expanded.overflowed;
            chunk.failure = chunk.failure.take().or(expanded.failure);
            if self.is_too_large_with(chunk.candidates.bytes()) {
                break;
            }
        }
        chunk.transients = expander.transients.as_mut().map(TransientStates::end_part).unwrap_or_default();
        chunk.observer = Some(observer);
        chunk.candidates.group();
    }

    /// Inserts the candidates of some shards after the other, until none are left.
    fn insert(&self, worker: &mut Worker<'_>) {
        let (nodes, list) = (read(&self.nodes), read(&self.chunks));
        let chunks: Vec<_> = list[..nodes.len().div_ceil(self.sizes.chunk)].iter().map(read).collect();
        let Worker { number, expander, memory } = worker;
        let bounds = &mut GraphBounds(&mut expander.graph);
        while let Some(part) = self.shares.take(*number) {
            let candidates = &mut chunks.iter().map(|chunk| &chunk.candidates);
            let shards = part * self.shards_of_part..(part + 1) * self.shards_of_part;
            self.list.insert(shards, candidates, memory, bounds);
        }
    }
}

impl<O> Chunk<O> {
    /// Forgets everything but the memory.
    fn clear(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        *self = Self { candidates, ..Self::default() };
    }
}
