//! Candidates: the states that the nodes of a chunk lead to and that no stored state covers, until they are inserted.
//!
//! In a round (`shards.rs`) nodes are expanded while the list does not change. What is not covered then is collected here, in
//! the order of the nodes and their transitions, and offered to the shards after the expansion. A zone that the list has
//! stored already is held as its key; so most candidates take some hundred bytes.

use std::sync::atomic::{AtomicU32, Ordering};

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::interface::{NodeId, Offered};
use crate::shards::SHARDS;
use crate::zones::ZoneKey;

/// The outcome of a candidate that was not inserted.
const COVERED: u32 = u32::MAX;

/// The candidates of a chunk, with memory that is used again for the next.
#[derive(Debug, Default)]
pub struct Candidates {
    entries: Vec<Candidate>,
    /// The discrete states, one after the other.
    discrete: Vec<i32>,
    /// Zones that the list did not have; those from `zones_len` on are unused.
    zones: Vec<Dbm>,
    zones_len: usize,
    /// The indices of the candidates, by shard and then in order; and where each shard begins.
    by_shard: Vec<u32>,
    starts: Vec<u32>,
    /// The offers that a stored state covered.
    pub(crate) refused: usize,
}

/// A state that is to be inserted.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) parent: Option<NodeId>,
    pub(crate) step: u32,
    pub(crate) cost: u64,
    pub(crate) zone: CandidateZone,
    shard: u32,
    /// The node, or [`COVERED`].
    outcome: AtomicU32,
}

/// The zone of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CandidateZone {
    Stored(ZoneKey),
    /// The index of a zone that was not stored, and its key afterwards.
    New(u32, ZoneKey),
}

impl CandidateZone {
    /// The key, after the zones were saved.
    pub(crate) const fn key(self) -> ZoneKey {
        match self {
            Self::Stored(key) | Self::New(_, key) => key,
        }
    }
}

impl Candidates {
    /// Removes all candidates.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.discrete.clear();
        // Few rounds have many new zones, and these are large.
        self.zones.truncate(2 * self.zones_len);
        (self.zones_len, self.refused) = (0, 0);
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

    /// Adds an offered state, whose zone may have a key. Returns its index as if it was that of a node.
    pub(crate) fn push(&mut self, shard: usize, offered: &Offered<'_>, key: Option<ZoneKey>) -> NodeId {
        let zone = match key {
            Some(key) => CandidateZone::Stored(key),
            None => CandidateZone::New(self.push_zone(offered.state.zone), ZoneKey::from_index(0)),
        };
        self.discrete.extend_from_slice(offered.state.discrete);
        let &Offered { parent, step, cost, .. } = offered;
        let outcome = AtomicU32::new(COVERED);
        self.entries.push(Candidate { parent, step, cost, zone, shard: shard as u32, outcome });
        NodeId::from_index(self.entries.len() - 1)
    }

    fn push_zone(&mut self, zone: &Dbm) -> u32 {
        match self.zones.get_mut(self.zones_len) {
            Some(unused) => unused.copy_from(zone),
            None => self.zones.push(zone.clone()),
        }
        self.zones_len += 1;
        self.zones_len as u32 - 1
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
        self.by_shard.clear();
        self.by_shard.resize(self.entries.len(), 0);
        let mut next = self.starts.clone();
        for (index, entry) in self.entries.iter().enumerate() {
            let place = &mut next[entry.shard as usize];
            self.by_shard[*place as usize] = index as u32;
            *place += 1;
        }
    }

    /// The candidates of a shard, in order.
    pub(crate) fn of_shard(&self, shard: usize) -> impl Iterator<Item = usize> {
        let range = self.starts[shard] as usize..self.starts[shard + 1] as usize;
        self.by_shard[range].iter().map(|&index| index as usize)
    }

    pub(crate) fn get(&self, index: usize) -> &Candidate {
        &self.entries[index]
    }

    /// All candidates that can be changed, and the new zones.
    pub(crate) fn entries_mut(&mut self) -> (&mut [Candidate], &[Dbm]) {
        (&mut self.entries, &self.zones[..self.zones_len])
    }

    pub(crate) fn entries(&self) -> &[Candidate] {
        &self.entries
    }

    pub(crate) fn new_zone(&self, index: u32) -> &Dbm {
        &self.zones[index as usize]
    }

    pub(crate) fn discrete(&self, index: usize) -> &[i32] {
        let fields = self.discrete.len() / self.entries.len();
        &self.discrete[index * fields..(index + 1) * fields]
    }

    /// The node that the candidate with the id of an offer has become; none if a stored state covers it.
    #[must_use]
    pub fn node(&self, candidate: NodeId) -> Option<NodeId> {
        self.entries[candidate.index()].node()
    }

    /// The bytes that the present candidates take.
    #[must_use]
    pub fn used_bytes(&self) -> usize {
        let zone = self.zones.first().map_or(0, |zone| zone.bytes() + size_of::<Dbm>());
        self.entries.len() * (size_of::<Candidate>() + size_of::<u32>())
            + self.discrete.len() * size_of::<i32>()
            + self.zones_len * zone
    }

    /// Renumbers the transitions that candidates are reached by.
    pub fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        self.entries.iter_mut().for_each(|entry| entry.step = number(entry.step));
    }

    /// The allocated bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let zone = self.zones.first().map_or(0, |zone| zone.bytes() + size_of::<Dbm>());
        self.entries.capacity() * size_of::<Candidate>()
            + (self.discrete.capacity() + self.by_shard.capacity() + self.starts.capacity())
                * size_of::<u32>()
            + self.zones.capacity() * zone
    }
}

impl Candidate {
    /// Notes the node that the candidate has become.
    pub(crate) fn store(&self, node: NodeId) {
        self.outcome.store(node.index() as u32, Ordering::Relaxed);
    }

    /// The node that the candidate has become; none if a stored state covers it.
    pub(crate) fn node(&self) -> Option<NodeId> {
        let outcome = self.outcome.load(Ordering::Relaxed);
        (outcome != COVERED).then(|| NodeId::from_index(outcome as usize))
    }
}
