//! Reading a list in shards, while no shard changes.

use std::sync::RwLockReadGuard;

use tourbillon_dbm::Dbm;

use super::{Candidates, RoundReader, Shards, node, place, read, shard_of};
use crate::interface::{NodeId, Offer, Offered, StateRef};
use crate::probe::Probe;
use crate::shard::Shard;
use crate::zones::ZoneStore;

/// Read access to all shards and zones.
#[derive(Debug)]
pub(super) struct ShardReader<'t> {
    shards: Vec<RwLockReadGuard<'t, Shard>>,
    zones: RwLockReadGuard<'t, Box<dyn ZoneStore>>,
    /// The memory of both.
    bytes: usize,
}

impl<'t> ShardReader<'t> {
    pub(super) fn new(list: &'t Shards) -> Self {
        let shards: Vec<_> = list.shards.iter().map(read).collect();
        let zones = read(&list.zones);
        let nodes: usize = shards.iter().map(|shard| shard.memory().total()).sum();
        Self { bytes: nodes + zones.bytes(), shards, zones }
    }
}

impl RoundReader for ShardReader<'_> {
    fn visit(&self, node: NodeId, _: &mut Candidates, discrete: &mut [i32], zone: &mut Dbm) -> NodeId {
        self.load(node, discrete, zone);
        node
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let (shard, position) = place(node);
        self.shards[shard].load(&**self.zones, position, discrete, zone);
    }

    fn is_stored(&self, node: NodeId) -> bool {
        let (shard, position) = place(node);
        self.shards[shard].is_stored(position)
    }

    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.covering(state, probe).is_some()
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        let number = shard_of(state.discrete);
        self.zones.encode(state.zone, &mut probe.zone);
        let position = self.shards[number].covering(&**self.zones, state, probe)?;
        Some(node(number, position))
    }

    fn offer(&self, chunk: &mut Candidates, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let (state, zones) = (&offered.state, &**self.zones);
        let shard = shard_of(state.discrete);
        zones.encode(state.zone, &mut probe.zone);
        if self.shards[shard].find_covering(zones, state, probe).is_some() {
            chunk.refused += 1;
            return Offer::Covered;
        }
        let key = if probe.zone.is_encoded { zones.find(&probe.zone) } else { None };
        let encoded = self.shards[shard].buckets.discrete.encoded(&probe.discrete);
        Offer::Stored(chunk.push(shard, offered, encoded, (key, zones.written(&probe.zone))))
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
