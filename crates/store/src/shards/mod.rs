//! A passed/waiting list in shards, which changes in rounds: several threads expand nodes while it is only read, and insert into
//! different shards afterwards.
//!
//! ```text
//!   select    the nodes of a round, in the waiting order
//!   expand    chunk by chunk, any thread: successors that no stored state covers become candidates      shards are read
//!   intern    one thread: zones of candidates are saved, in the order of chunks                          zones change
//!   insert    shard by shard, any thread: candidates are offered, in the order of chunks                 shards change
//!   finish    one thread: new nodes wait, in the order of candidates; zones of deleted nodes are freed   zones change
//! ```
//!
//! Neither the shard of a state, nor the chunks, nor the order of anything depends on the number of threads. What a shard sees, and
//! in which order, is a function of the round alone, so the ids of nodes, the counts and the traces are the same for any number
//! of threads.
//!
//! A discrete state has all its zones in one shard, as in the distributed search of `[BehrmannHuneVaandrager2000]`. Zones are
//! shared by all shards: of the 260,998 nodes of Fischer 10, 5,111 have different zones.
//!
//! **Against the list of one thread.** A node that a successor of an earlier node of the same round covers is expanded
//! all the same. So a search in rounds may visit more nodes, and as any order it may store others.
//!
//! **Locks** are held for a phase, and never contended: a phase has readers of a part, or one writer.

mod candidates;
mod reader;
mod zone_buffer;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

pub use candidates::Candidates;
pub use reader::{CandidateList, ShardReader};

use crate::buckets::{Bucket, position};
use crate::cover::CoverParameters;
use crate::hash::hash_fields;
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef};
use crate::probe::Probe;
use crate::settings::Settings;
use crate::shard::{NewNode, Shard, status};
use crate::waiting::{Priority, Waiting};
use crate::zones::ZoneStore;

const SHARD_BITS: u32 = 5;
/// The number of shards, whatever the number of threads.
pub const SHARDS: usize = 1 << SHARD_BITS;

/// The most nodes of a round, unless more are requested.
const WIDTH_MAX: usize = 1 << 17;
/// The candidates of a round take at most about this part of the memory of the list.
const MEMORY_PART: usize = 16;
/// A round has nodes of several costs if it would have less than this part of its width.
const FILLED_PART: usize = 4;

/// A list in shards.
#[derive(Debug)]
pub struct Shards {
    table: ShardTable,
    order: RoundOrder,
}

/// The nodes and zones, which the threads of a round share.
#[derive(Debug)]
pub struct ShardTable {
    shards: Vec<RwLock<Shard>>,
    zones: RwLock<Box<dyn ZoneStore>>,
}

/// What one thread does between the phases that many share: the waiting order and the counts.
#[derive(Debug)]
pub struct RoundOrder {
    waiting: Waiting,
    /// The nodes of the round, until it is finished, with their costs.
    round: Vec<(NodeId, u64)>,
    popped_cost: u64,
    /// The counts of the list before it was divided, and of candidates that were refused before they were inserted.
    before: Counts,
    /// The bytes of the candidates of the last round.
    candidate_bytes: usize,
    /// About so many for each node of a round.
    node_bytes: usize,
}

/// The shard of a discrete state.
#[inline]
fn shard_of(discrete: &[i32]) -> usize {
    (hash_fields(discrete) >> (u64::BITS - SHARD_BITS)) as usize
}

fn node(shard: usize, position: u32) -> NodeId {
    NodeId::from_index((position as usize) << SHARD_BITS | shard)
}

fn place(node: NodeId) -> (usize, u32) {
    (node.index() & (SHARDS - 1), position(node) >> SHARD_BITS)
}

/// A panic of another thread ends the search; until then nothing reads what it left.
fn read<T: ?Sized>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T: ?Sized>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn get<T>(lock: &mut RwLock<T>) -> &mut T {
    lock.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl Shards {
    /// The nodes of a shard, divided, with the same zones and the same waiting order; and the new id of each node.
    pub(crate) fn of(
        all: &Shard,
        zones: Box<dyn ZoneStore>,
        mut waiting: Waiting,
        settings: &Settings,
    ) -> (Self, Vec<Option<NodeId>>) {
        let mut shards: Vec<Shard> = (0..SHARDS).map(|_| all.empty_like(settings)).collect();
        let nodes = divide(all, &mut shards, settings);
        let mut order = RoundOrder {
            waiting: Waiting::new(settings.order, settings.seed),
            round: Vec::new(),
            popped_cost: waiting.popped_cost(),
            before: Counts { stored: 0, waiting: 0, discrete_states: 0, ..all.counts() },
            candidate_bytes: 0,
            // One state, before more is known.
            node_bytes: Dbm::zero(settings.dimension).bytes() + settings.ranges.len() * size_of::<i32>(),
        };
        while let Some(old) = waiting.pop() {
            if let Some(new) = nodes[old.index()].filter(|_| all.is_stored(position(old))) {
                order.waiting.push(new, Priority(0, waiting.popped_cost()));
            }
        }
        let shards = shards.into_iter().map(RwLock::new).collect();
        (Self { table: ShardTable { shards, zones: RwLock::new(zones) }, order }, nodes)
    }

    /// The parts that a round needs.
    pub const fn parts(&mut self) -> (&ShardTable, &mut RoundOrder) {
        (&self.table, &mut self.order)
    }
}

impl PassedList for Shards {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.covering(state, probe).is_some()
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        let (number, zones) = (shard_of(state.discrete), read(&self.table.zones));
        zones.encode(state.zone, &mut probe.zone);
        let position = read(&self.table.shards[number]).covering(&**zones, state, probe)?;
        Some(node(number, position))
    }

    fn is_stored(&self, node: NodeId) -> bool {
        let (shard, position) = place(node);
        read(&self.table.shards[shard]).is_stored(position)
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let (shard, position) = place(node);
        read(&self.table.shards[shard]).load(&**read(&self.table.zones), position, discrete, zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        let (shard, position) = place(node);
        read(&self.table.shards[shard]).origin(position)
    }

    /// In the order of shards, and of ids within each.
    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        let nodes = |shard: usize| {
            let stored: Vec<u32> = read(&self.table.shards[shard]).stored().collect();
            stored.into_iter().map(move |position| node(shard, position))
        };
        Box::new((0..SHARDS).flat_map(nodes))
    }

    fn counts(&self) -> Counts {
        self.table.counts(&self.order)
    }

    fn memory(&self) -> Memory {
        self.table.memory(&self.order)
    }
}

/// Offers and pops one by one, between rounds.
impl PassedWaiting for Shards {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let number = shard_of(offered.state.discrete);
        let (shard, zones) = (get(&mut self.table.shards[number]), get(&mut self.table.zones));
        zones.encode_extending(offered.state.zone, &mut probe.zone);
        let Some(bucket) = shard.admit(&**zones, &offered.state, probe) else { return Offer::Covered };
        shard.drain_freed(|key| zones.free(key));
        let zone = zones.save(offered.state.zone, &probe.zone);
        let new = NewNode { zone, parent: offered.parent, step: offered.step, rank: None };
        let node = node(number, shard.insert(Some(&bucket), &new, probe));
        self.order.waiting.push(node, Priority(0, offered.cost));
        Offer::Stored(node)
    }

    fn pop(&mut self) -> Option<NodeId> {
        let Self { table, order } = self;
        if !order.round.is_empty() {
            let (node, cost) = order.round.remove(0);
            order.popped_cost = cost;
            return Some(node);
        }
        order.next(|shard, position| get(&mut table.shards[shard]).pop(position))
    }

    fn popped_cost(&self) -> u64 {
        self.order.popped_cost
    }

    fn shards(&mut self) -> Option<&mut Shards> {
        Some(self)
    }
}

/// Copies the nodes of a shard to others, by their states, in the order of their positions. Returns the new node of each.
fn divide(all: &Shard, shards: &mut [Shard], settings: &Settings) -> Vec<Option<NodeId>> {
    let (nodes, traces) = (&all.buckets.nodes, settings.traces);
    let (mut fields, mut probe) = (vec![0; settings.ranges.len()], Probe::new());
    let mut new: Vec<Option<NodeId>> = Vec::with_capacity(nodes.len());
    for old in 0..nodes.len() as u32 {
        let (shard, record) = (old as usize % SHARDS, nodes.get(old));
        let place = if status::is_stored(record.mark()) {
            all.buckets.discrete.load(nodes.code(old), &mut fields);
            let shard = shard_of(&fields);
            Some((
                shard,
                shards[shard].insert_counted_copy(&fields, record.zone(), record.mark(), &mut probe),
            ))
        } else {
            // Other nodes may have it as their parent.
            traces.then(|| (shard, shards[shard].insert_deleted_copy(status::GONE, record.link)))
        };
        if let (Some((shard, _)), Some((parent, step))) = (place, all.origin(old)) {
            shards[shard].push_origin(parent.and_then(|parent| new[parent.index()]), step);
        }
        new.push(place.map(|(shard, position)| node(shard, position)));
    }
    new
}

impl ShardTable {
    /// Saves the zones of candidates that are new, and keeps the others from being freed.
    pub fn intern(&self, candidates: &mut Candidates, memory: &mut InsertMemory) {
        let InsertMemory { zone, probe } = memory;
        candidates.save_zones(&mut **write(&self.zones), (zone, &mut probe.zone));
    }

    /// Inserts the candidates of a shard that no stored state covers, and deletes the nodes that they cover.
    pub fn insert<'c>(
        &self,
        shard: usize,
        chunks: impl Iterator<Item = &'c Candidates>,
        memory: &mut InsertMemory,
        bounds: &mut dyn BoundsSource,
    ) {
        let zones = read(&self.zones);
        let (number, mut shard) = (shard, write(&self.shards[shard]));
        for chunk in chunks {
            for index in chunk.of_shard(number) {
                if let Some(position) = insert_one(&mut shard, &**zones, (chunk, index), memory, bounds) {
                    chunk.get(index).store(node(number, position));
                }
            }
        }
    }

    /// The counts, with those of the list before it was divided.
    #[must_use]
    pub fn counts(&self, order: &RoundOrder) -> Counts {
        let mut counts = order.before;
        for shard in &self.shards {
            let own = read(shard).counts();
            counts.stored += own.stored;
            counts.refused += own.refused;
            counts.deleted += own.deleted;
            counts.mistakes += own.mistakes;
            counts.waiting += own.waiting;
            counts.discrete_states += own.discrete_states;
        }
        counts.waiting += order.round.len();
        let stored_max = counts.stored_max.max(counts.stored);
        Counts { distinct_zones: read(&self.zones).len(), stored_max, ..counts }
    }

    /// The memory, with that of the candidates of the last round.
    #[must_use]
    pub fn memory(&self, order: &RoundOrder) -> Memory {
        let waiting = order.bytes();
        let own = Memory { zones: read(&self.zones).bytes(), waiting, ..Memory::default() };
        self.shards.iter().fold(own, |memory, shard| memory.and(&read(shard).memory()))
    }
}

impl RoundOrder {
    /// Removes the next node that is still stored from the waiting order.
    #[inline]
    fn next(&mut self, mut pop: impl FnMut(usize, u32) -> bool) -> Option<NodeId> {
        loop {
            let node = self.waiting.pop()?;
            let (shard, position) = place(node);
            if pop(shard, position) {
                self.popped_cost = self.waiting.popped_cost();
                return Some(node);
            }
        }
    }

    /// Selects the nodes of the next round: those of least cost, as many as fit; if they are few, those of the next costs too. A
    /// round has at least `width` nodes if so many wait. A round that was not finished is selected again.
    pub fn select(&mut self, table: &ShardTable, width: usize) {
        if !self.round.is_empty() {
            return;
        }
        let bytes = table.memory(self).total() - self.candidate_bytes;
        let most = bytes / MEMORY_PART / self.node_bytes.max(1);
        let most = most.clamp(width, WIDTH_MAX.max(width));
        let mut shards: Vec<RwLockWriteGuard<'_, Shard>> = table.shards.iter().map(write).collect();
        while self.round.len() < most {
            let least = self.round.first().map(|&(_, cost)| cost);
            let is_filled = self.round.len() >= (most / FILLED_PART).max(1);
            if is_filled && self.waiting.next_cost() != least {
                break;
            }
            let Some(node) = self.next(|shard, position| shards[shard].pop(position)) else { break };
            self.round.push((node, self.popped_cost));
        }
    }

    /// The nodes of the round, with their costs.
    #[must_use]
    pub fn round(&self) -> &[(NodeId, u64)] {
        &self.round
    }

    /// Ends a round: new nodes wait, in the order of their candidates, and zones that no node has are freed.
    pub fn finish<'c>(&mut self, table: &ShardTable, chunks: impl Iterator<Item = &'c Candidates>) {
        let mut zones = write(&table.zones);
        for shard in &table.shards {
            write(shard).drain_freed(|key| zones.free(key));
        }
        let mut used = 0;
        self.candidate_bytes = 0;
        for chunk in chunks {
            for entry in chunk.entries() {
                match entry.node() {
                    Some(node) => self.waiting.push(node, Priority(0, entry.cost)),
                    None => zones.free(entry.key()),
                }
            }
            self.before.refused += chunk.refused;
            self.candidate_bytes += chunk.bytes();
            used += chunk.used_bytes();
        }
        // A narrow or unproductive round tells little about the next one.
        let now = used.div_ceil(self.round.len());
        self.node_bytes = now.max(self.node_bytes - self.node_bytes / 8);
        drop(zones);
        self.round.clear();
        self.before.stored_max = table.counts(self).stored_max;
    }

    fn bytes(&self) -> usize {
        self.waiting.bytes() + self.candidate_bytes + self.round.capacity() * size_of::<(NodeId, u64)>()
    }
}

/// The clock bounds of discrete states.
pub trait BoundsSource {
    fn bounds_of(&mut self, discrete: &[i32]) -> &ClockBounds;
}

/// The memory of a thread for candidates.
#[derive(Debug)]
pub struct InsertMemory {
    zone: Dbm,
    probe: Probe,
}

impl InsertMemory {
    #[must_use]
    pub fn new(dimension: Dimension) -> Self {
        Self { zone: Dbm::zero(dimension), probe: Probe::new() }
    }
}

/// Offers a candidate to its shard. Returns its position, if it is stored. The zone is read only if there are others to compare
/// it with.
fn insert_one(
    shard: &mut Shard,
    zones: &dyn ZoneStore,
    (chunk, index): (&Candidates, usize),
    memory: &mut InsertMemory,
    bounds: &mut dyn BoundsSource,
) -> Option<u32> {
    let candidate = chunk.get(index);
    let (buckets, probe) = (&shard.buckets, &mut memory.probe.discrete);
    let mut bucket = match candidate.encoded {
        Some(state) => buckets.find_encoded(state, probe),
        None => buckets.find(chunk.discrete(index), probe),
    };
    if let Some(first) = bucket.node() {
        // Most of what several nodes of a round lead to is equal.
        if buckets.nodes.find(first, |key| key == candidate.key()).is_some() {
            shard.refuse();
            return None;
        }
        bucket = compare_one(shard, bucket, zones, (chunk, index), memory, bounds)?;
    }
    let (zone, parent, step) = (candidate.key(), candidate.parent, candidate.step);
    Some(shard.insert(Some(&bucket), &NewNode { zone, parent, step, rank: None }, &mut memory.probe))
}

/// Compares a candidate with the nodes of its discrete state, and deletes those that it covers. Returns their bucket, if none
/// covers the candidate.
fn compare_one(
    shard: &mut Shard,
    bucket: Bucket,
    zones: &dyn ZoneStore,
    (chunk, index): (&Candidates, usize),
    memory: &mut InsertMemory,
    bounds: &mut dyn BoundsSource,
) -> Option<Bucket> {
    let InsertMemory { zone, probe } = memory;
    let (key, discrete) = (chunk.get(index).key(), chunk.discrete(index));
    zones.encode_stored(key, zone, &mut probe.zone);
    let parameters = if shard.needs_parameters() {
        // Only relations with parameters read the zone itself.
        zones.load(key, zone);
        CoverParameters::ClockBounds(bounds.bounds_of(discrete))
    } else {
        CoverParameters::None
    };
    shard.admit_to(bucket, zones, &StateRef { discrete, zone, parameters }, &mut probe.zone)
}
