//! A list with a probabilistic table for several threads, which changes in rounds as the exact one (`shards/mod.rs`).
//!
//! ```text
//!   select    the nodes of a round; they stay among the waiting states, and offers are compared with them
//!   expand    any thread: nodes are hashed; successors that are new for the table and the waiting states become candidates
//!   intern    one thread: the nodes of the round leave the waiting states, and are inserted in the table by their hashes
//!   insert    shard by shard, any thread: candidates become waiting states
//!   finish    one thread: new states wait; visited states that they cover are removed from the table
//! ```
//!
//! The waiting states are divided into shards by their discrete states. The table is not: its hashes determine places in all of it,
//! and states that were inserted before the search was divided cannot be read back. It is read by all threads and changed by one,
//! for which hashes are computed before: so what one thread does alone are a few memory accesses for each visited state.
//!
//! What a table answers is a function of what was inserted, and the order of insertions that of the nodes of the round. So the
//! counts, and the estimate of omissions, which adds up the probabilities of the stored candidates in their order, are the same
//! for any number of threads.
//!
//! **Against the list of one thread.** Candidates are looked up before the nodes of their own round are inserted. So they are refused
//! by mistake less often by a few in a million, which the estimate knows. If the table becomes full within a round, its nodes are
//! visited all the same, and count as not inserted.
//!
//! Unions of zones have no rounds: each insertion changes the diagram nodes that all unions share, and reading them needs memory
//! that they share as well.

use std::ops::Range;
use std::sync::{Mutex, RwLock, RwLockReadGuard};

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use super::certainty::{Certainty, PassedCounts};
use super::hashed::HashedList;
use super::origins::OriginTable;
use super::waiting_states::{WaitingState, WaitingStates};
use super::{Insertion, Membership, PackedState, RoundSet, WhenFull};
use crate::cover::{Cover, CoverParameters};
use crate::interface::{
    Counts, Divided, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef,
};
use crate::probe::Probe;
use crate::settings::Settings;
use crate::shards::{
    BoundsSource, Candidate, Candidates, InsertMemory, RoundList, RoundOrder, RoundReader, SHARDS, lock,
    node, place, read, shard_of, write,
};
use crate::zones::{ZoneKey, ZoneStore, new_zone_store};

/// A list in shards with a table.
#[derive(Debug)]
pub(super) struct HashedShards<V> {
    cover: Cover,
    when_full: WhenFull,
    table: RwLock<V>,
    zones: RwLock<Box<dyn ZoneStore>>,
    shards: Vec<RwLock<WaitingShard>>,
    order: Mutex<HashedOrder>,
}

/// The waiting states of some discrete states. Their nodes are their slots; with traces, parents are known by ids.
#[derive(Debug)]
struct WaitingShard {
    states: WaitingStates,
    waiting: usize,
    refused: usize,
    deleted: usize,
    /// The keys of deleted waiting states.
    freed: Vec<ZoneKey>,
    /// The places of visited states that candidates cover.
    covered: Vec<u64>,
}

/// What one thread does between the phases that many share.
#[derive(Debug)]
struct HashedOrder {
    order: RoundOrder,
    passed: PassedCounts,
    origins: Option<OriginTable>,
}

impl WaitingShard {
    fn new(settings: &Settings) -> Self {
        Self {
            states: WaitingStates::new(&settings.ranges, true, false, settings.traces),
            waiting: 0,
            refused: 0,
            deleted: 0,
            freed: Vec::new(),
            covered: Vec::new(),
        }
    }

    fn add(&mut self, words: &[u32], zone: ZoneKey, id: Option<u32>) -> u32 {
        self.waiting += 1;
        self.states.add(words, &WaitingState { zone, parameters: CoverParameters::None, id })
    }

    fn bytes(&self) -> usize {
        let places = self.covered.capacity() * size_of::<u64>();
        self.states.bytes() + self.freed.capacity() * size_of::<ZoneKey>() + places
    }
}

impl HashedOrder {
    /// Whether a node that was selected still waits. The slot and the id of one that does not are free again.
    fn pops(origins: &mut Option<OriginTable>, shard: &mut WaitingShard, slot: u32) -> bool {
        if shard.states.zone(slot).is_some() {
            return true;
        }
        if let Some((origins, id)) = origins.as_mut().zip(shard.states.id(slot)) {
            origins.release(id);
        }
        shard.states.release(slot);
        false
    }
}

impl<V: RoundSet + 'static> HashedShards<V> {
    /// The states of a list that compares offers with waiting states. Ids stay; without traces, slots change.
    pub(super) fn of(list: &mut HashedList<V>, settings: &Settings) -> Option<Divided> {
        let mut shards: Vec<WaitingShard> = (0..SHARDS).map(|_| WaitingShard::new(settings)).collect();
        let before = Counts { waiting: 0, ..list.counts };
        let mut order = HashedOrder {
            order: RoundOrder::new(settings, list.waiting.popped_cost(), before),
            passed: list.passed,
            origins: list.origins.take(),
        };
        let (mut words, mut discrete) = (Vec::new(), vec![0; settings.ranges.len()]);
        let mut nodes: Vec<Option<NodeId>> = Vec::new();
        while let Some(old) = list.waiting.pop() {
            let slot = old.index() as u32;
            let Some(zone) = list.states.zone(slot) else {
                if let Some((origins, id)) = order.origins.as_mut().zip(list.states.id(slot)) {
                    origins.release(id);
                }
                continue;
            };
            list.states.words(slot, &mut words);
            list.states.unpack(&words, &mut discrete);
            let number = shard_of(&discrete);
            let new = node(number, shards[number].add(&words, zone, list.states.id(slot)));
            order.order.push(new, list.waiting.popped_cost());
            nodes.resize(nodes.len().max(old.index() + 1), None);
            nodes[old.index()] = Some(new);
        }
        if let Some(origins) = &order.origins {
            nodes = (0..origins.len()).map(|id| Some(NodeId::from_index(id))).collect();
        }
        let none = new_zone_store(settings.zones, settings.dimension);
        let divided = Self {
            cover: list.cover,
            when_full: list.when_full,
            table: RwLock::new(list.visited.take()),
            zones: RwLock::new(std::mem::replace(&mut list.zones, none)),
            shards: shards.into_iter().map(RwLock::new).collect(),
            order: Mutex::new(order),
        };
        Some((Box::new(divided), nodes))
    }

    fn counts_with(&self, HashedOrder { order, passed, .. }: &HashedOrder) -> Counts {
        let mut counts = order.before;
        for shard in &self.shards {
            let shard = read(shard);
            counts.waiting += shard.waiting;
            counts.refused += shard.refused;
            counts.deleted += shard.deleted;
        }
        counts.stored = passed.inserted + counts.waiting;
        counts.stored_max = counts.stored_max.max(counts.stored);
        Counts { distinct_zones: read(&self.zones).len(), ..counts }
    }

    fn memory_with(&self, HashedOrder { order, origins, .. }: &HashedOrder) -> Memory {
        let zones = read(&self.zones).bytes();
        let (of_passed, of_waiting) = if V::KEEPS_ZONES { (zones, 0) } else { (0, zones) };
        let states: usize = self.shards.iter().map(|shard| read(shard).bytes()).sum();
        read(&self.table).memory().and(&Memory {
            zones: of_passed,
            waiting: order.bytes() + states + of_waiting,
            parents: origins.as_ref().map_or(0, OriginTable::bytes),
            ..Memory::default()
        })
    }

    /// Adds a candidate to the waiting states of its shard. Returns its slot, if no waiting state covers it.
    fn insert_one(
        &self,
        (table, zones): (&V, &dyn ZoneStore),
        shard: &mut WaitingShard,
        (chunk, candidate): (&Candidates, &Candidate),
        InsertMemory { zone, probe }: &mut InsertMemory,
        bounds: &mut dyn BoundsSource,
    ) -> Option<u32> {
        let (discrete, key) = (chunk.discrete(candidate), candidate.key());
        shard.states.pack(discrete, &mut probe.packed);
        let Probe { packed, zone: encoded, .. } = probe;
        if shard.states.first(packed).is_some() || V::KEEPS_ZONES {
            zones.load(key, zone);
            zones.encode(zone, encoded);
            let parameters = match self.cover {
                Cover::Alu => CoverParameters::ClockBounds(bounds.bounds_of(discrete)),
                _ => CoverParameters::None,
            };
            let state = StateRef { discrete, zone, parameters };
            let (relation, before) = ((self.cover, zones), shard.freed.len());
            if shard.states.covers(relation, &state, packed, encoded) {
                shard.refused += 1;
                return None;
            }
            table.find_covered(&PackedState { state, words: packed }, zones, encoded, &mut shard.covered);
            shard.states.withdraw_covered(relation, &state, packed, encoded, &mut shard.freed);
            shard.deleted += shard.freed.len() - before;
            shard.waiting -= shard.freed.len() - before;
        }
        let id = chunk.id(candidate).map(|id| id.index() as u32);
        Some(shard.add(packed, key, id))
    }
}

impl<V: RoundSet + 'static> PassedList for HashedShards<V> {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        HashedReader::new(self).covers(state, probe)
    }

    fn is_stored(&self, _: NodeId) -> bool {
        false
    }

    fn load(&self, _: NodeId, _: &mut [i32], _: &mut Dbm) {
        panic!("only the nodes of a round can be read")
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        lock(&self.order).origins.as_ref().map(|origins| origins.get(node))
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        Box::new(std::iter::empty())
    }

    fn counts(&self) -> Counts {
        self.counts_with(&lock(&self.order))
    }

    fn memory(&self) -> Memory {
        self.memory_with(&lock(&self.order))
    }

    fn certainty(&self) -> Option<Certainty> {
        Some(lock(&self.order).passed.certainty(read(&self.table).occupancy(), !V::KEEPS_ZONES))
    }
}

/// The states of a table cannot be read back, so that no other search continues this one state by state.
impl<V: RoundSet + 'static> PassedWaiting for HashedShards<V> {
    fn offer(&mut self, _: &Offered<'_>, _: &mut Probe) -> Offer {
        panic!("a table in shards changes in rounds")
    }

    fn pop(&mut self) -> Option<NodeId> {
        panic!("a table in shards changes in rounds")
    }

    fn popped_cost(&self) -> u64 {
        lock(&self.order).order.popped_cost
    }

    fn rounds(&self) -> Option<&dyn RoundList> {
        Some(self)
    }
}

impl<V: RoundSet + 'static> RoundList for HashedShards<V> {
    fn select(&self, width: usize, round: &mut Vec<(NodeId, u64)>) {
        let mut guard = lock(&self.order);
        // However large a table is, it says little about how many states wait.
        let bytes = self.memory_with(&guard).total() - read(&self.table).memory().total();
        let HashedOrder { order, passed, origins } = &mut *guard;
        round.clear();
        if passed.stopped {
            return;
        }
        order.select(bytes, width, |node| {
            let (shard, slot) = place(node);
            HashedOrder::pops(origins, &mut write(&self.shards[shard]), slot)
        });
        round.extend_from_slice(order.round());
    }

    fn narrow(&self) -> bool {
        !lock(&self.order).order.narrow().is_empty()
    }

    fn reader(&self) -> Box<dyn RoundReader + '_> {
        Box::new(HashedReader::new(self))
    }

    fn intern(&self, chunk: &mut Candidates, memory: &mut InsertMemory) {
        let mut guard = lock(&self.order);
        let HashedOrder { passed, origins, .. } = &mut *guard;
        let (mut table, mut zones) = (write(&self.table), write(&self.zones));
        let (places, words) = (table.occupancy().places, &mut memory.probe.packed);
        for &(node, hash) in &chunk.hashed.visited {
            let (shard, slot) = place(node);
            let mut shard = write(&self.shards[shard]);
            let key = shard.states.zone(slot).expect("the nodes of a round wait");
            shard.states.words(slot, words);
            shard.states.withdraw(words, slot);
            shard.states.release(slot);
            shard.waiting -= 1;
            let insertion = table.insert_hash(hash, key);
            if !V::KEEPS_ZONES || insertion != Insertion::Inserted {
                // Candidates of the next chunks may have the same zone.
                shard.freed.push(key);
            }
            passed.count(insertion, self.when_full, places);
            passed.not_inserted += u64::from(insertion == Insertion::Full);
        }
        chunk.intern(&mut **zones, memory);
        if let Some(origins) = origins {
            chunk.add_ids(|parent, step| NodeId::from_index(origins.add(parent, step) as usize));
        }
    }

    fn insert(
        &self,
        numbers: Range<usize>,
        chunks: &mut dyn Iterator<Item = &Candidates>,
        memory: &mut InsertMemory,
        bounds: &mut dyn BoundsSource,
    ) {
        let (table, zones) = (read(&self.table), read(&self.zones));
        let mut shards: Vec<_> = self.shards[numbers.clone()].iter().map(write).collect();
        for chunk in chunks {
            for candidate in chunk.of_shards(numbers.clone()) {
                let (number, stores) = (candidate.shard as usize, (&*table, &**zones));
                let shard = &mut shards[number - numbers.start];
                if let Some(slot) = self.insert_one(stores, shard, (chunk, candidate), memory, bounds) {
                    candidate.store(node(number, slot));
                }
            }
        }
    }

    fn finish(&self, chunks: &mut dyn Iterator<Item = &Candidates>) {
        let mut guard = lock(&self.order);
        let (mut table, mut zones) = (write(&self.table), write(&self.zones));
        let HashedOrder { order, passed, origins } = &mut *guard;
        order.finish(chunks, |chunk, index| {
            let stored = chunk.settle(index, &mut **zones);
            if stored.is_some() {
                passed.estimate.add(chunk.hashed.chances[index]);
            } else if let Some((origins, id)) = origins.as_mut().zip(chunk.hashed.ids.get(index)) {
                origins.release(id.index() as u32);
            }
            stored
        });
        for shard in &self.shards {
            let shard = &mut *write(shard);
            shard.freed.drain(..).for_each(|key| zones.free(key));
            // Two candidates may cover the same state, also in different shards if their signatures are equal.
            let removed = shard.covered.drain(..).filter(|&place| table.remove(place, &mut **zones)).count();
            passed.inserted -= removed;
            order.before.deleted += removed;
            order.before.mistakes += removed;
        }
        drop((table, zones));
        guard.order.before.stored_max = self.counts_with(&guard).stored_max;
    }

    fn forget_candidates(&self) {
        lock(&self.order).order.forget_candidates();
    }
}

/// Read access to the table, the waiting states and the zones.
#[derive(Debug)]
struct HashedReader<'t, V> {
    cover: Cover,
    table: RwLockReadGuard<'t, V>,
    zones: RwLockReadGuard<'t, Box<dyn ZoneStore>>,
    shards: Vec<RwLockReadGuard<'t, WaitingShard>>,
    bytes: usize,
}

impl<'t, V: RoundSet> HashedReader<'t, V> {
    fn new(list: &'t HashedShards<V>) -> Self {
        let (table, zones) = (read(&list.table), read(&list.zones));
        let shards: Vec<_> = list.shards.iter().map(read).collect();
        let states: usize = shards.iter().map(|shard| shard.bytes()).sum();
        let bytes = table.memory().total() + zones.bytes() + states;
        Self { cover: list.cover, table, zones, shards, bytes }
    }

    /// Looks up a state in the table and among the waiting states. The probe has it encoded if it is new.
    fn find(&self, states: &WaitingStates, state: &StateRef<'_>, probe: &mut Probe) -> Membership {
        let Probe { discrete, packed, zone, .. } = probe;
        states.pack(state.discrete, packed);
        if V::KEEPS_ZONES {
            self.zones.encode(state.zone, zone);
        }
        let packed_state = PackedState { state: *state, words: packed };
        let membership = self.table.find(&packed_state, &**self.zones, (discrete, zone));
        if membership == Membership::Known {
            return membership;
        }
        if !V::KEEPS_ZONES {
            self.zones.encode(state.zone, zone);
        }
        let is_covered = states.covers((self.cover, &**self.zones), state, packed, zone);
        if is_covered { Membership::Known } else { membership }
    }
}

impl<V: RoundSet> RoundReader for HashedReader<'_, V> {
    fn visit(&self, node: NodeId, chunk: &mut Candidates, discrete: &mut [i32], zone: &mut Dbm) -> NodeId {
        let (shard, slot) = place(node);
        let (states, words) = (&self.shards[shard].states, &mut chunk.hashed.packed);
        states.words(slot, words);
        states.unpack(words, discrete);
        self.zones.load(states.zone(slot).expect("the nodes of a round wait"), zone);
        let state = StateRef { discrete, zone, parameters: CoverParameters::None };
        let hash = self.table.hash(&PackedState { state, words });
        chunk.hashed.visited.push((node, hash));
        states.id(slot).map_or(node, |id| NodeId::from_index(id as usize))
    }

    fn load(&self, _: NodeId, _: &mut [i32], _: &mut Dbm) {
        panic!("only the nodes of a round can be read, once")
    }

    fn is_stored(&self, _: NodeId) -> bool {
        false
    }

    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.find(&self.shards[shard_of(state.discrete)].states, state, probe) == Membership::Known
    }

    fn covering(&self, _: &StateRef<'_>, _: &mut Probe) -> Option<NodeId> {
        None
    }

    fn offer(&self, chunk: &mut Candidates, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let number = shard_of(offered.state.discrete);
        let Membership::New { chance } = self.find(&self.shards[number].states, &offered.state, probe) else {
            chunk.refused += 1;
            return Offer::Covered;
        };
        let key = if probe.zone.is_encoded { self.zones.find(&probe.zone) } else { None };
        chunk.hashed.chances.push(chance);
        Offer::Stored(chunk.push(number, offered, None, (key, None)))
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
