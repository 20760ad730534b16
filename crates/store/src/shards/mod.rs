//! A passed/waiting list in shards, which changes in rounds: several threads expand nodes while it is only read, and insert into
//! different shards afterwards.
//!
//! ```text
//!   select    the nodes of a round, in the waiting order
//!   expand    chunk by chunk, any thread: successors that no stored state covers become candidates      shards are read
//!   intern    one thread: zones of candidates are saved, in the order of chunks                          zones change
//!   insert    some shards after the other, any thread: candidates are offered, in the order of chunks    shards change
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
//!
//! **Memory.** Near its limit the list is rewritten in a smaller form, if that is requested (`repack.rs`): after a round, when no
//! other thread works.

mod candidates;
mod interface;
mod order;
mod reader;
mod zone_buffer;

use std::hint::black_box;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

pub(crate) use candidates::Candidate;
pub use candidates::Candidates;
pub use interface::{BoundsSource, CandidateList, InsertMemory, RoundList, RoundReader};
pub(crate) use order::RoundOrder;

use reader::ShardReader;

use crate::buckets::{Bucket, position};
use crate::cover::CoverParameters;
use crate::hash::hash_fields;
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef};
use crate::node::Link;
use crate::probe::Probe;
use crate::repack::{NextForm, Packing};
use crate::settings::Settings;
use crate::shard::{NewNode, Shard, status};
use crate::waiting::Waiting;
use crate::zones::{ZoneStore, new_zone_store};

const SHARD_BITS: u32 = 5;
/// The number of shards, whatever the number of threads.
pub const SHARDS: usize = 1 << SHARD_BITS;

/// A list in shards.
#[derive(Debug)]
pub(crate) struct Shards {
    shards: Vec<RwLock<Shard>>,
    zones: RwLock<Box<dyn ZoneStore>>,
    order: Mutex<RoundOrder>,
    /// How it is rewritten near the memory limit, until that has been tried.
    packing: Mutex<Option<NextForm>>,
}

/// The shard of a discrete state.
#[inline]
pub(crate) fn shard_of(discrete: &[i32]) -> usize {
    (hash_fields(discrete) >> (u64::BITS - SHARD_BITS)) as usize
}

pub(crate) fn node(shard: usize, position: u32) -> NodeId {
    NodeId::from_index((position as usize) << SHARD_BITS | shard)
}

pub(crate) fn place(node: NodeId) -> (usize, u32) {
    (node.index() & (SHARDS - 1), position(node) >> SHARD_BITS)
}

/// A panic of another thread ends the search; until then nothing reads what it left.
pub(crate) fn read<T: ?Sized>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write<T: ?Sized>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn get<T>(lock: &mut RwLock<T>) -> &mut T {
    lock.get_mut().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn lock<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shards {
    /// The nodes of a shard, divided, with the same zones and the same waiting order; and the new id of each node.
    pub(crate) fn of(
        all: &Shard,
        zones: Box<dyn ZoneStore>,
        mut waiting: Waiting,
        settings: &Settings,
        packing: Packing,
    ) -> (Self, Vec<Option<NodeId>>) {
        let mut shards: Vec<Shard> = (0..SHARDS).map(|_| all.empty_like(settings)).collect();
        let nodes = divide(all, &mut shards, settings);
        let before = Counts { stored: 0, waiting: 0, discrete_states: 0, ..all.counts() };
        let before = Counts { is_packed: packing.is_packed, ..before };
        let mut order = RoundOrder::new(settings, waiting.popped_cost(), before);
        while let Some(old) = waiting.pop() {
            if let Some(new) = nodes[old.index()].filter(|_| all.is_stored(position(old))) {
                order.push(new, waiting.popped_cost());
            }
        }
        let shards = shards.into_iter().map(RwLock::new).collect();
        let (zones, order, packing) = (RwLock::new(zones), Mutex::new(order), Mutex::new(packing.next));
        (Self { shards, zones, order, packing }, nodes)
    }

    fn counts_with(&self, order: &RoundOrder) -> Counts {
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
        counts.waiting += order.round().len();
        let stored_max = counts.stored_max.max(counts.stored);
        Counts { distinct_zones: read(&self.zones).len(), stored_max, ..counts }
    }

    fn memory_with(&self, order: &RoundOrder) -> Memory {
        let own = Memory { zones: read(&self.zones).bytes(), waiting: order.bytes(), ..Memory::default() };
        self.shards.iter().fold(own, |memory, shard| memory.and(&read(shard).memory()))
    }

    /// Rewrites the list in a smaller form, if that is due.
    fn pack(&self, order: &mut RoundOrder) {
        let mut packing = lock(&self.packing);
        let held = self.memory_with(order).total();
        let Some(next) = packing.take_if(|next| next.is_due(held)) else { return };
        order.before.is_packed = self.rewrite(&next.settings, next.most_bytes(held) - held);
    }

    /// Rewrites all nodes and zones in other forms: every node keeps its id. Returns false if the copy would take more than `most`
    /// bytes: then nothing changes.
    fn rewrite(&self, settings: &Settings, most: usize) -> bool {
        let mut zones = new_zone_store(settings.zones, settings.dimension);
        let mut memory = (vec![0; settings.ranges.len()], InsertMemory::new(settings.dimension));
        let (mut copies, mut bytes) = (Vec::with_capacity(SHARDS), 0);
        for shard in &self.shards {
            let mut copy = Shard::new(settings);
            let old = (&*read(shard), &**read(&self.zones));
            if !rewrite_one(old, &mut copy, &mut *zones, &mut memory, most.saturating_sub(bytes)) {
                return false;
            }
            bytes += copy.memory().total();
            copies.push(copy);
        }
        for (shard, mut copy) in self.shards.iter().zip(copies) {
            let mut shard = write(shard);
            copy.take_state_of(&mut shard);
            *shard = copy;
        }
        *write(&self.zones) = zones;
        true
    }
}

/// The number of copied nodes between two memory checks.
const INTERVAL: u32 = 256;

/// Copies all nodes of a shard to another one in other forms, at the same positions. Returns false if it and the zones would take
/// more than `most` bytes.
fn rewrite_one(
    (shard, zones): (&Shard, &dyn ZoneStore),
    copy: &mut Shard,
    new_zones: &mut dyn ZoneStore,
    (fields, InsertMemory { zone, probe }): &mut (Vec<i32>, InsertMemory),
    most: usize,
) -> bool {
    for position in 0..shard.buckets.nodes.len() as u32 {
        if position.is_multiple_of(INTERVAL) && copy.memory().total() + new_zones.bytes() > most {
            return false;
        }
        let node = shard.buckets.nodes.get(position);
        if status::is_stored(node.mark()) {
            shard.load(zones, position, fields, zone);
            new_zones.encode_extending(zone, &mut probe.zone);
            let key = new_zones.save(zone, &probe.zone);
            copy.insert_copy(fields, key, (node.mark(), false), probe);
        } else {
            let link = if node.mark() == status::GONE { node.link } else { Link::Node(position) };
            copy.insert_deleted_copy(node.mark(), link);
        }
    }
    true
}

impl PassedList for Shards {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.covering(state, probe).is_some()
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        let (number, zones) = (shard_of(state.discrete), read(&self.zones));
        zones.encode(state.zone, &mut probe.zone);
        let position = read(&self.shards[number]).covering(&**zones, state, probe)?;
        Some(node(number, position))
    }

    fn is_stored(&self, node: NodeId) -> bool {
        let (shard, position) = place(node);
        read(&self.shards[shard]).is_stored(position)
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let (shard, position) = place(node);
        read(&self.shards[shard]).load(&**read(&self.zones), position, discrete, zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        let (shard, position) = place(node);
        read(&self.shards[shard]).origin(position)
    }

    /// In the order of shards, and of ids within each.
    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        let nodes = |shard: usize| {
            let stored: Vec<u32> = read(&self.shards[shard]).stored().collect();
            stored.into_iter().map(move |position| node(shard, position))
        };
        Box::new((0..SHARDS).flat_map(nodes))
    }

    fn counts(&self) -> Counts {
        self.counts_with(&lock(&self.order))
    }

    fn memory(&self) -> Memory {
        self.memory_with(&lock(&self.order))
    }
}

/// Offers and pops one by one, between rounds.
impl PassedWaiting for Shards {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let number = shard_of(offered.state.discrete);
        let (shard, zones) = (get(&mut self.shards[number]), get(&mut self.zones));
        zones.encode_extending(offered.state.zone, &mut probe.zone);
        let Some(bucket) = shard.admit(&**zones, &offered.state, probe) else { return Offer::Covered };
        shard.drain_freed(|key| zones.free(key));
        let zone = zones.save(offered.state.zone, &probe.zone);
        let new = NewNode { zone, parent: offered.parent, step: offered.step, rank: None };
        let node = node(number, shard.insert(Some(&bucket), &new, probe));
        lock(&self.order).push(node, offered.cost);
        Offer::Stored(node)
    }

    fn pop(&mut self) -> Option<NodeId> {
        let Self { shards, order, .. } = self;
        let mut order = lock(order);
        order.next_of_round().or_else(|| {
            order.next(|node| {
                let (shard, position) = place(node);
                get(&mut shards[shard]).pop(position)
            })
        })
    }

    fn popped_cost(&self) -> u64 {
        lock(&self.order).popped_cost
    }

    fn rounds(&self) -> Option<&dyn RoundList> {
        Some(self)
    }
}

impl RoundList for Shards {
    fn select(&self, width: usize, round: &mut Vec<(NodeId, u64)>) {
        let mut order = lock(&self.order);
        let bytes = self.memory_with(&order).total();
        let mut shards: Vec<RwLockWriteGuard<'_, Shard>> = self.shards.iter().map(write).collect();
        order.select(bytes, width, |node| {
            let (shard, position) = place(node);
            shards[shard].pop(position)
        });
        round.clear();
        round.extend_from_slice(order.round());
    }

    fn narrow(&self) -> bool {
        let again = lock(&self.order).narrow();
        for &node in &again {
            let (shard, position) = place(node);
            write(&self.shards[shard]).wait_again(position);
        }
        !again.is_empty()
    }

    fn reader(&self) -> Box<dyn RoundReader + '_> {
        Box::new(ShardReader::new(self))
    }

    fn intern(&self, chunk: &mut Candidates, memory: &mut InsertMemory) {
        chunk.intern(&mut **write(&self.zones), memory);
    }

    fn insert(
        &self,
        numbers: Range<usize>,
        chunks: &mut dyn Iterator<Item = &Candidates>,
        memory: &mut InsertMemory,
        bounds: &mut dyn BoundsSource,
    ) {
        let zones = read(&self.zones);
        let mut shards: Vec<_> = self.shards[numbers.clone()].iter().map(write).collect();
        for chunk in chunks {
            let candidates = chunk.of_shards(numbers.clone());
            let own = |candidate: &Candidate| candidate.shard as usize - numbers.start;
            // The slots of all candidates are fetched at once.
            let fetched = candidates
                .iter()
                .filter_map(|candidate| Some(shards[own(candidate)].buckets.first_slot(candidate.encoded?)));
            black_box(fetched.fold(0, |all, slot| all ^ slot));
            for candidate in candidates {
                let shard = &mut shards[own(candidate)];
                if let Some(position) = insert_one(shard, &**zones, (chunk, candidate), memory, bounds) {
                    candidate.store(node(candidate.shard as usize, position));
                }
            }
        }
    }

    fn finish(&self, chunks: &mut dyn Iterator<Item = &Candidates>) {
        let (mut order, mut zones) = (lock(&self.order), write(&self.zones));
        order.finish(chunks, |chunk, index| chunk.settle(index, &mut **zones));
        for shard in &self.shards {
            write(shard).drain_freed(|key| zones.free(key));
        }
        drop(zones);
        order.before.stored_max = self.counts_with(&order).stored_max;
        self.pack(&mut order);
    }

    fn forget_candidates(&self) {
        lock(&self.order).forget_candidates();
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

/// Offers a candidate to its shard. Returns its position, if it is stored. The zone is read only if there are others to compare
/// it with.
fn insert_one(
    shard: &mut Shard,
    zones: &dyn ZoneStore,
    (chunk, candidate): (&Candidates, &Candidate),
    memory: &mut InsertMemory,
    bounds: &mut dyn BoundsSource,
) -> Option<u32> {
    let (buckets, probe) = (&shard.buckets, &mut memory.probe.discrete);
    let mut bucket = match candidate.encoded {
        Some(state) => buckets.find_encoded(state, probe),
        None => buckets.find(chunk.discrete(candidate), probe),
    };
    if let Some(first) = bucket.node() {
        // Most of what several nodes of a round lead to is equal.
        if buckets.nodes.find(first, |key| key == candidate.key()).is_some() {
            shard.refuse();
            return None;
        }
        bucket = compare_one(shard, bucket, zones, (chunk, candidate), memory, bounds)?;
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
    (chunk, candidate): (&Candidates, &Candidate),
    memory: &mut InsertMemory,
    bounds: &mut dyn BoundsSource,
) -> Option<Bucket> {
    let InsertMemory { zone, probe } = memory;
    let (key, discrete) = (candidate.key(), chunk.discrete(candidate));
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
