//! Reading a list in shards, while no shard changes.

use std::sync::RwLockReadGuard;

use tourbillon_dbm::Dbm;

use super::{Candidates, ShardTable, node, place, read, shard_of};
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef};
use crate::probe::Probe;
use crate::shard::Shard;
use crate::zones::ZoneStore;

/// Read access to all shards and zones.
#[derive(Debug)]
pub struct ShardReader<'t> {
    shards: Vec<RwLockReadGuard<'t, Shard>>,
    zones: RwLockReadGuard<'t, Box<dyn ZoneStore>>,
    /// The memory of both.
    bytes: usize,
}

impl ShardReader<'_> {
    /// Reads the state of a stored node.
    ///
    /// # Panics
    /// As [`PassedList::load`].
    pub fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let (shard, position) = place(node);
        self.shards[shard].load(&**self.zones, position, discrete, zone);
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        let number = shard_of(state.discrete);
        self.zones.encode(state.zone, &mut probe.zone);
        let position = self.shards[number].covering(&**self.zones, state, probe)?;
        Some(node(number, position))
    }
}

impl ShardTable {
    /// Read access for one thread.
    #[must_use]
    pub fn reader(&self) -> ShardReader<'_> {
        let shards: Vec<_> = self.shards.iter().map(read).collect();
        let zones = read(&self.zones);
        let nodes: usize = shards.iter().map(|shard| shard.memory().total()).sum();
        ShardReader { bytes: nodes + zones.bytes(), shards, zones }
    }
}

/// The list that the nodes of a chunk are expanded with: it reads the shards, and collects the candidates. The id of an offer
/// that is stored is that of a candidate, not of a node.
#[derive(Debug)]
pub struct CandidateList<'c, 't> {
    reader: &'c ShardReader<'t>,
    pub candidates: &'c mut Candidates,
}

impl<'c, 't> CandidateList<'c, 't> {
    #[must_use]
    pub const fn new(reader: &'c ShardReader<'t>, candidates: &'c mut Candidates) -> Self {
        Self { reader, candidates }
    }
}

impl PassedList for CandidateList<'_, '_> {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.covering(state, probe).is_some()
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        self.reader.covering(state, probe)
    }

    fn is_stored(&self, node: NodeId) -> bool {
        let (shard, position) = place(node);
        self.reader.shards[shard].is_stored(position)
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        self.reader.load(node, discrete, zone);
    }

    fn origin(&self, _: NodeId) -> Option<(Option<NodeId>, u32)> {
        None
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        Box::new(std::iter::empty())
    }

    fn counts(&self) -> Counts {
        Counts { stored: self.candidates.len(), refused: self.candidates.refused, ..Counts::default() }
    }

    /// The memory of the shards and of the candidates of this chunk, for the limit on memory within a chunk.
    fn memory(&self) -> Memory {
        Memory { waiting: self.reader.bytes + self.candidates.bytes(), ..Memory::default() }
    }
}

impl PassedWaiting for CandidateList<'_, '_> {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let (state, zones) = (&offered.state, &**self.reader.zones);
        let shard = shard_of(state.discrete);
        zones.encode(state.zone, &mut probe.zone);
        if self.reader.shards[shard].find_covering(zones, state, probe).is_some() {
            self.candidates.refused += 1;
            return Offer::Covered;
        }
        let key = if probe.zone.is_encoded { zones.find(&probe.zone) } else { None };
        let encoded = self.reader.shards[shard].buckets.discrete.encoded(&probe.discrete);
        Offer::Stored(self.candidates.push(shard, offered, encoded, (key, zones.written(&probe.zone))))
    }

    fn popped_cost(&self) -> u64 {
        0
    }

    fn pop(&mut self) -> Option<NodeId> {
        None
    }
}
