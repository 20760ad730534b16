//! The passed/waiting list: one list of nodes for each discrete state, one node for each of its zones.
//!
//! This is the reference implementation of `[DavidBehrmannLarsenYi2003, section 4.2]` with two changes: an offer
//! decides before it inserts, and a node that is deleted while it waits is not searched for in the waiting order but
//! skipped when it is popped. Inclusion on waiting nodes, which costs nothing in a unified list, prevents parts of the
//! state space from being visited twice `[Bengtsson2001, section 4.1]`.
//!
//! Without inclusion on waiting, the list behaves like two separate lists: a node waits without a comparison and is in
//! no list of nodes yet; popping compares it with the passed ones. This mode exists for comparisons.
//!
//! With ranks, the nodes that an offer covers determine its priority (`ranks.rs`); without ranks, this costs a branch.
//!
//! An offer costs one look-up, and one comparison with each zone of its state until one covers it. If none does, it
//! costs another comparison with each, in the other direction. Most offers end in the first pass, which compares in one
//! direction only. Both are in `shard.rs`.
//!
//! With the adaptive cover, an offer that inclusion does not cover may be compared once more, by a_LU (`adaptive.rs`). What it
//! covers is then deleted by the same relation that did not cover it. Both relations are contained in a_LU, which is
//! transitive: whatever was refused or deleted, a stored node covers it by a_LU.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::buckets::{Bucket, position};
use crate::cover::CoverParameters;
use crate::interface::{
    Counts, Divided, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef,
};
use crate::node::Link;
use crate::parameters::ParameterTable;
use crate::probe::Probe;
use crate::ranks::priority;
use crate::repack::Packing;
use crate::settings::Settings;
use crate::shard::{NewNode, Shard, status};
use crate::shards::Shards;
use crate::waiting::{Priority, Waiting};
use crate::zones::{ZoneProbe, ZoneStore, new_zone_store};

/// The list, over a storage form of discrete states and one of zones.
#[derive(Debug)]
pub(crate) struct List {
    shard: Shard,
    zones: Box<dyn ZoneStore>,
    waiting: Waiting,
    /// The data for comparisons at pop time, without inclusion on waiting.
    postponed: Option<Postponed>,
}

/// The number of nodes between two memory checks while another list takes them over.
const INTERVAL: u32 = 1 << 8;

/// Data for comparisons at pop time.
#[derive(Debug)]
struct Postponed {
    /// The zone of the popped node.
    zone: Dbm,
    probe: ZoneProbe,
    /// The parameters of each node, if the cover relation has parameters.
    parameters: Option<ParameterTable>,
}

impl List {
    pub(crate) fn new(settings: &Settings) -> Self {
        let postponed = || Postponed {
            zone: Dbm::zero(settings.dimension),
            probe: ZoneProbe::default(),
            parameters: settings.cover.has_parameters().then(ParameterTable::new),
        };
        Self {
            shard: Shard::new(settings),
            zones: new_zone_store(settings.zones, settings.dimension),
            waiting: Waiting::new(settings.order, settings.seed),
            postponed: (!settings.waiting_inclusion).then(postponed),
        }
    }

    /// Frees the zones of the nodes that were deleted.
    #[inline]
    fn free_zones(&mut self) {
        let Self { shard, zones, .. } = self;
        shard.drain_freed(|key| zones.free(key));
    }

    /// Saves the encoded state in a new waiting node: in front of a bucket, or in none.
    fn insert(&mut self, bucket: Option<&Bucket>, offered: &Offered<'_>, probe: &mut Probe) -> NodeId {
        let zone = offered.state.zone;
        let rank = self.shard.rank(zone);
        let zone = self.zones.save(zone, &probe.zone);
        let new = NewNode { zone, parent: offered.parent, step: offered.step, rank };
        let node = NodeId::from_index(self.shard.insert(bucket, &new, probe) as usize);
        let alike = Priority(0, offered.cost);
        self.waiting.push(node, rank.map_or(alike, |rank| priority(rank, offered.cost)));
        node
    }

    /// Adds a waiting node without a comparison.
    fn postpone(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> NodeId {
        self.shard.buckets.discrete.encode(offered.state.discrete, &mut probe.discrete);
        let node = self.insert(None, offered, probe);
        if let Some(table) = self.postponed.as_mut().and_then(|postponed| postponed.parameters.as_mut()) {
            table.set(position(node), offered.state.parameters);
        }
        node
    }

    /// Compares a popped node with the passed ones of its state. Returns whether it is now one of them; otherwise it is
    /// dropped.
    fn pass(&mut self, position: u32) -> bool {
        let Some(mut postponed) = self.postponed.take() else { return true };
        let Postponed { zone, probe, parameters } = &mut postponed;
        let parameters = parameters.as_ref().map_or(CoverParameters::None, |table| table.get(position));
        let Self { shard, zones, .. } = self;
        let mut bucket = shard.buckets.find_code(shard.buckets.nodes.code(position));
        zones.load(shard.buckets.nodes.get(position).zone(), zone);
        zones.encode_extending(zone, probe);
        // The discrete state is not compared: the bucket is known.
        let state = StateRef { discrete: &[], zone, parameters };
        let uncovered = shard.compare(&**zones, &bucket, &state, probe);
        if let Some(cover) = uncovered {
            shard.delete_covered(&**zones, cover, &mut bucket, &state, probe);
            shard.buckets.join_front(&bucket, position);
        } else {
            shard.drop_popped(position);
        }
        self.free_zones();
        self.postponed = Some(postponed);
        uncovered.is_some()
    }

    /// Copies all nodes to another list; returns false if the memory would not suffice.
    fn copy_to(
        &self,
        sink: &mut Self,
        probe: &mut Probe,
        (fields, zone): (&mut [i32], &mut Dbm),
        most: usize,
    ) -> bool {
        let nodes = &self.shard.buckets.nodes;
        let held = self.memory().total();
        for position in 0..nodes.len() as u32 {
            if position.is_multiple_of(INTERVAL) && held + sink.memory().total() > most {
                return false;
            }
            let node = nodes.get(position);
            if status::is_stored(node.mark()) {
                self.shard.load(&*self.zones, position, fields, zone);
                sink.insert_copy(fields, zone, node.mark(), probe);
            } else {
                let link = if node.mark() == status::GONE { node.link } else { Link::Node(position) };
                sink.shard.insert_deleted_copy(node.mark(), link);
            }
        }
        true
    }

    /// Adds a stored node of another list, which has the next position there.
    fn insert_copy(&mut self, discrete: &[i32], zone: &Dbm, mark: u8, probe: &mut Probe) {
        self.zones.encode_extending(zone, &mut probe.zone);
        let key = self.zones.save(zone, &probe.zone);
        let alone = self.postponed.is_some() && mark == status::WAITING;
        self.shard.insert_copy(discrete, key, (mark, alone), probe);
    }
}

impl PassedList for List {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.covering(state, probe).is_some()
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        self.zones.encode(state.zone, &mut probe.zone);
        let position = self.shard.covering(&*self.zones, state, probe)?;
        Some(NodeId::from_index(position as usize))
    }

    fn is_stored(&self, node: NodeId) -> bool {
        self.shard.is_stored(position(node))
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        self.shard.load(&*self.zones, position(node), discrete, zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        self.shard.origin(position(node))
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        Box::new(self.shard.stored().map(|position| NodeId::from_index(position as usize)))
    }

    fn counts(&self) -> Counts {
        Counts { distinct_zones: self.zones.len(), ..self.shard.counts() }
    }

    fn memory(&self) -> Memory {
        let parameters = self.postponed.as_ref().and_then(|postponed| postponed.parameters.as_ref());
        let waiting = self.waiting.bytes() + parameters.map_or(0, ParameterTable::bytes);
        let own = Memory { zones: self.zones.bytes(), waiting, ..Memory::default() };
        self.shard.memory().and(&own)
    }
}

impl PassedWaiting for List {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        self.zones.encode_extending(offered.state.zone, &mut probe.zone);
        if self.postponed.is_some() {
            return Offer::Stored(self.postpone(offered, probe));
        }
        let Some(bucket) = self.shard.admit(&*self.zones, &offered.state, probe) else {
            return Offer::Covered;
        };
        self.free_zones();
        Offer::Stored(self.insert(Some(&bucket), offered, probe))
    }

    fn popped_cost(&self) -> u64 {
        self.waiting.popped_cost()
    }

    fn pop(&mut self) -> Option<NodeId> {
        loop {
            let node = self.waiting.pop()?;
            if self.shard.pop(position(node)) && self.pass(position(node)) {
                return Some(node);
            }
        }
    }

    fn repacked(&mut self, settings: &Settings, most_bytes: usize) -> Option<Box<dyn PassedWaiting>> {
        let mut sink = Self::new(settings);
        let (mut fields, mut zone) = (vec![0; settings.ranges.len()], Dbm::zero(settings.dimension));
        if !self.copy_to(&mut sink, &mut Probe::new(), (&mut fields, &mut zone), most_bytes) {
            return None;
        }
        let none = Waiting::new(settings.order, settings.seed);
        sink.waiting = std::mem::replace(&mut self.waiting, none);
        sink.shard.take_state_of(&mut self.shard);
        sink.postponed = self.postponed.take();
        Some(Box::new(sink))
    }

    fn in_shards(&mut self, settings: &Settings, packing: Packing) -> Option<Divided> {
        if self.postponed.is_some() || self.shard.ranks.is_some() {
            return None;
        }
        let waiting = std::mem::replace(&mut self.waiting, Waiting::new(settings.order, settings.seed));
        let none = new_zone_store(settings.zones, settings.dimension);
        let zones = std::mem::replace(&mut self.zones, none);
        let (shards, nodes) = Shards::of(&self.shard, zones, waiting, settings, packing);
        Some((Box::new(shards), nodes))
    }
}
