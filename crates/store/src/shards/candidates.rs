//! Candidates: the states that the nodes of a chunk lead to and that no stored state covers, until they are inserted.
//!
//! In a round (`shards.rs`) nodes are expanded while the list does not change. What is not covered then is collected here, in
//! the order of the nodes and their transitions, and offered to the shards after the expansion. A zone that the list has
//! stored already is held as its key; so most candidates take some hundred bytes.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use tourbillon_base::Id;

use super::zone_buffer::{ZoneBuffer, ZonePlace};
use super::{InsertMemory, SHARDS};
use crate::discrete::EncodedState;
use crate::interface::{NodeId, Offered};
use crate::zones::{WrittenZone, ZoneKey, ZoneStore};

/// The outcome of a candidate that was not inserted.
const COVERED: u32 = u32::MAX;

/// The candidates of a chunk, with memory that is used again for the next.
#[derive(Debug, Default)]
pub struct Candidates {
    /// In order; by shard, and then in order, when they are [grouped](Self::group): so the thread that inserts those of a shard reads and
    /// changes consecutive memory, which no other thread changes.
    entries: Vec<Candidate>,
    /// For each candidate in order, its place among the entries; and where each shard begins.
    places: Vec<u32>,
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// The discrete states, one after the other, in order.
    discrete: Vec<i32>,
    /// Zones that the list did not have, and the candidates that have them.
    zones: ZoneBuffer,
    new: Vec<u32>,
    /// The offers that a stored state covered.
    pub(crate) refused: usize,
    /// For probabilistic lists.
    pub(crate) hashed: HashedChunk,
}

/// What a probabilistic list needs besides.
#[derive(Debug, Default)]
pub(crate) struct HashedChunk {
    /// The visited nodes of the chunk, with their hashes.
    pub(crate) visited: Vec<(NodeId, [u64; 2])>,
    /// For each candidate, the probability with which the table would have refused it.
    pub(crate) chances: Vec<f64>,
    /// With traces, the node that each candidate becomes if it is stored.
    pub(crate) ids: Vec<NodeId>,
    /// A packed discrete state.
    pub(crate) packed: Vec<u32>,
}

impl HashedChunk {
    fn clear(&mut self) {
        self.visited.clear();
        self.chances.clear();
        self.ids.clear();
    }

    /// The bytes in use without those of visited nodes, and those that are allocated.
    fn bytes(&self) -> (usize, usize) {
        let used = self.chances.len() * size_of::<f64>() + self.ids.len() * size_of::<NodeId>();
        let allocated = self.visited.capacity() * size_of::<(NodeId, [u64; 2])>()
            + self.chances.capacity() * size_of::<f64>()
            + self.ids.capacity() * size_of::<NodeId>()
            + self.packed.capacity() * size_of::<u32>();
        (used, allocated)
    }
}

/// A state that is to be inserted.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) parent: Option<NodeId>,
    pub(crate) step: u32,
    pub(crate) cost: u64,
    /// The discrete state, if it is complete in a code.
    pub(crate) encoded: Option<EncodedState>,
    zone: CandidateZone,
    pub(crate) shard: u32,
    /// Its number among the candidates in order.
    index: u32,
    /// The node, or [`COVERED`].
    outcome: AtomicU32,
}

/// The zone of a candidate.
#[derive(Clone, Copy, Debug)]
enum CandidateZone {
    Stored(ZoneKey),
    /// A zone that was not stored when the candidate was found.
    New(ZonePlace),
    /// Such a zone, saved for the candidate.
    Saved(ZoneKey),
}

impl Candidates {
    /// Removes all candidates.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
        self.discrete.clear();
        self.zones.clear();
        self.new.clear();
        self.refused = 0;
        self.hashed.clear();
    }

    /// The number of candidates.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds an offered state, whose discrete state may be complete in a code, and whose zone may have a key or be encoded. Returns
    /// its index as if it was that of a node.
    pub(crate) fn push(
        &mut self,
        shard: usize,
        offered: &Offered<'_>,
        encoded: Option<EncodedState>,
        (key, written): (Option<ZoneKey>, Option<WrittenZone<'_>>),
    ) -> NodeId {
        let new = offered.state.zone;
        let zone = match (key, written) {
            (Some(key), _) => CandidateZone::Stored(key),
            (None, Some(written)) => CandidateZone::New(self.zones.push_written(new.dimension(), written)),
            (None, None) => CandidateZone::New(self.zones.push(new)),
        };
        let index = self.entries.len() as u32;
        if matches!(zone, CandidateZone::New(_)) {
            self.new.push(index);
        }
        self.discrete.extend_from_slice(offered.state.discrete);
        let &Offered { parent, step, cost, .. } = offered;
        let (shard, outcome) = (shard as u32, AtomicU32::new(COVERED));
        self.entries.push(Candidate { parent, step, cost, encoded, zone, shard, index, outcome });
        NodeId::from_index(index as usize)
    }

    /// Groups the candidates by shard: a counting sort, which keeps their order.
    pub fn group(&mut self) {
        self.starts.clear();
        self.starts.resize(SHARDS + 1, 0);
        for entry in &self.entries {
            self.starts[entry.shard as usize + 1] += 1;
        }
        for shard in 0..SHARDS {
            self.starts[shard + 1] += self.starts[shard];
        }
        // Each start moves to the end of its shard, which is the start of the next.
        self.places.clear();
        for entry in &self.entries {
            let start = &mut self.starts[entry.shard as usize];
            self.places.push(*start);
            *start += 1;
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        self.targets.clone_from(&self.places);
        for place in 0..self.targets.len() {
            while self.targets[place] as usize != place {
                let target = self.targets[place] as usize;
                self.entries.swap(place, target);
                self.targets.swap(place, target);
            }
        }
    }

    /// The candidates of these shards, one shard after the other, and in order within each.
    pub(crate) fn of_shards(&self, shards: Range<usize>) -> &[Candidate] {
        &self.entries[self.starts[shards.start] as usize..self.starts[shards.end] as usize]
    }

    /// A candidate by its number in order.
    pub(crate) fn get(&self, index: usize) -> &Candidate {
        &self.entries[self.places[index] as usize]
    }

    /// Saves new zones, and gives the candidates their keys. The others have zones that are stored, and that are not freed before
    /// all candidates are [settled](Self::settle).
    pub(crate) fn intern(&mut self, store: &mut dyn ZoneStore, memory: &mut InsertMemory) {
        let InsertMemory { zone, probe } = memory;
        let Self { entries, places, zones, new, .. } = self;
        for &index in &*new {
            let entry = &mut entries[places[index as usize] as usize];
            let CandidateZone::New(place) = entry.zone else { continue };
            let saved = zones.written(place).and_then(|written| store.save_written(written));
            let key = saved.unwrap_or_else(|| {
                zones.load(place, zone);
                store.encode_extending(zone, &mut probe.zone);
                store.save(zone, &probe.zone)
            });
            entry.zone = CandidateZone::Saved(key);
        }
    }

    /// Counts the zone of a candidate that was inserted, and frees that of another one if it was saved for it. Returns its node.
    pub(crate) fn settle(&self, index: usize, store: &mut dyn ZoneStore) -> Option<NodeId> {
        let entry = self.get(index);
        let node = entry.node();
        match (entry.zone, node) {
            (CandidateZone::Stored(key), Some(_)) => store.retain(key),
            (CandidateZone::Saved(key), None) => store.free(key),
            _ => {}
        }
        node
    }

    /// Gives each candidate an id, by its parent and its transition.
    pub(crate) fn add_ids(&mut self, mut id: impl FnMut(Option<NodeId>, u32) -> NodeId) {
        let in_order = self.places.iter().map(|&place| &self.entries[place as usize]);
        self.hashed.ids.extend(in_order.map(|entry| id(entry.parent, entry.step)));
    }

    pub(crate) fn discrete(&self, candidate: &Candidate) -> &[i32] {
        let (fields, index) = (self.discrete.len() / self.entries.len(), candidate.index as usize);
        &self.discrete[index * fields..(index + 1) * fields]
    }

    /// The id of a candidate, if it has one.
    pub(crate) fn id(&self, candidate: &Candidate) -> Option<NodeId> {
        self.hashed.ids.get(candidate.index as usize).copied()
    }

    /// The node that the candidate with the id of an offer has become; none if a stored state covers it.
    #[must_use]
    pub fn node(&self, candidate: NodeId) -> Option<NodeId> {
        let index = candidate.index();
        let place = self.get(index).node()?;
        Some(self.hashed.ids.get(index).copied().unwrap_or(place))
    }

    /// The bytes that the present candidates take.
    #[must_use]
    pub fn used_bytes(&self) -> usize {
        self.entries.len() * (size_of::<Candidate>() + 2 * size_of::<u32>())
            + self.new.len() * size_of::<u32>()
            + self.discrete.len() * size_of::<i32>()
            + self.zones.bytes().0
            + self.hashed.bytes().0
    }

    /// Renumbers the transitions that candidates are reached by.
    pub fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        for &place in &self.places {
            let step = &mut self.entries[place as usize].step;
            *step = number(*step);
        }
    }

    /// The allocated bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Candidate>()
            + (self.discrete.capacity() + self.new.capacity()) * size_of::<u32>()
            + (self.places.capacity() + self.targets.capacity() + self.starts.capacity()) * size_of::<u32>()
            + self.zones.bytes().1
            + self.hashed.bytes().1
    }
}

impl Candidate {
    /// The key of its zone.
    ///
    /// # Panics
    /// If the zone has none yet.
    pub(crate) fn key(&self) -> ZoneKey {
        match self.zone {
            CandidateZone::Stored(key) | CandidateZone::Saved(key) => key,
            CandidateZone::New(_) => panic!("zones are saved before candidates are inserted"),
        }
    }

    /// Notes the node that the candidate has become.
    pub(crate) fn store(&self, node: NodeId) {
        self.outcome.store(node.index() as u32, Ordering::Relaxed);
    }

    /// The node that the candidate has become; none if a stored state covers it.
    fn node(&self) -> Option<NodeId> {
        let outcome = self.outcome.load(Ordering::Relaxed);
        (outcome != COVERED).then(|| NodeId::from_index(outcome as usize))
    }
}
