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
//! direction only.
//!
//! With the adaptive cover, an offer that inclusion does not cover may be compared once more, by a_LU (`adaptive.rs`). What it
//! covers is then deleted by the same relation that did not cover it. Both relations are contained in a_LU, which is
//! transitive: whatever was refused or deleted, a stored node covers it by a_LU.
//!
//! > **Invariant.** The zones of one state do not cover each other, up to equivalence: a new one is
//! > covered by none, and those that it covers are deleted. With the adaptive cover, this holds for inclusion.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::adaptive::AdaptiveTests;
use crate::buckets::{Bucket, Buckets, position};
use crate::cover::{Cover, CoverParameters};
use crate::discrete::{Merging, new_discrete_store};
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef};
use crate::node::{Cursor, Link};
use crate::origins::Origins;
use crate::parameters::ParameterTable;
use crate::probe::Probe;
use crate::ranks::{NodeStatus, Ranks, priority};
use crate::settings::{Order, Settings};
use crate::waiting::{Priority, Waiting};
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore, new_zone_store};

/// The list, over a storage form of discrete states and one of zones.
#[derive(Debug)]
pub(crate) struct List {
    cover: Cover,
    /// With the adaptive cover.
    adaptive: Option<AdaptiveTests>,
    spare_waiting: bool,
    buckets: Buckets,
    zones: Box<dyn ZoneStore>,
    /// The first deleted node whose id can be reused.
    free: Option<u32>,
    waiting: Waiting,
    ranks: Option<Ranks>,
    origins: Option<Origins>,
    /// The data for comparisons at pop time, without inclusion on waiting.
    postponed: Option<Postponed>,
    counts: Counts,
}

/// The number of nodes between two memory checks while another list takes them over.
const INTERVAL: u32 = 1 << 8;

/// The status of a node: its mark.
mod status {
    /// Popped and stored.
    pub(super) const POPPED: u8 = 0;
    /// Stored, and to be popped.
    pub(super) const WAITING: u8 = 1;
    /// Deleted, but its id is still in the waiting order.
    pub(super) const STALE: u8 = 2;
    /// Deleted and not waiting. Its id is reused, unless traces are stored: then other nodes may have it as their
    /// parent, and only its zone is freed. Its link is the next such node, or itself. With ranks, it is reused when it
    /// has left their tree.
    pub(super) const GONE: u8 = 3;

    pub(super) const fn is_stored(mark: u8) -> bool {
        matches!(mark, POPPED | WAITING)
    }
}

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
        assert!(settings.split <= settings.ranges.len(), "more locations than fields");
        assert!(settings.ranges.iter().all(|(low, high)| low <= high), "a field without values");
        // A waiting node is saved without a look-up, so the same state may be saved more than once.
        let merging = if settings.waiting_inclusion { Merging::Never } else { Merging::Always };
        let postponed = || Postponed {
            zone: Dbm::zero(settings.dimension),
            probe: ZoneProbe::default(),
            parameters: settings.cover.has_parameters().then(ParameterTable::new),
        };
        Self {
            cover: settings.cover,
            adaptive: (settings.cover == Cover::Adaptive).then(AdaptiveTests::new),
            spare_waiting: settings.spare_waiting,
            buckets: Buckets::new(new_discrete_store(settings, merging), settings.fill()),
            zones: new_zone_store(settings.zones, settings.dimension),
            free: None,
            waiting: Waiting::new(settings.order, settings.seed),
            ranks: (settings.order == Order::Ranked && settings.waiting_inclusion).then(Ranks::new),
            origins: settings.traces.then(Origins::new),
            postponed: (!settings.waiting_inclusion).then(postponed),
            counts: Counts::default(),
        }
    }

    /// The first node of a bucket that covers the encoded zone, by a relation.
    fn covering_node(
        &self,
        cover: Cover,
        bucket: &Bucket,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<u32> {
        let first = bucket.node()?;
        let zones = &*self.zones;
        cover.prepare_covered(zones, state, probe);
        cover.find_covering(zones, (&self.buckets.nodes, first), state, probe)
    }

    /// Compares the encoded zone with the nodes of a bucket. Returns `None` if one of them covers it, otherwise the relation
    /// by which none does.
    fn compare(&mut self, bucket: &Bucket, state: &StateRef<'_>, probe: &mut ZoneProbe) -> Option<Cover> {
        if self.covering_node(self.cover, bucket, state, probe).is_some() {
            return None;
        }
        let is_due = bucket.node().is_some() && self.adaptive.as_mut().is_some_and(AdaptiveTests::is_due);
        if is_due { self.compare_alu(bucket, state, probe) } else { Some(self.cover) }
    }

    /// As [`compare`](Self::compare), by a_LU, with a record of the outcome.
    fn compare_alu(&mut self, bucket: &Bucket, state: &StateRef<'_>, probe: &mut ZoneProbe) -> Option<Cover> {
        let covered = self.covering_node(Cover::Alu, bucket, state, probe).is_some();
        if let Some(tests) = &mut self.adaptive {
            tests.record(covered);
        }
        (!covered).then_some(Cover::Alu)
    }

    /// Deletes the nodes of a bucket that the encoded zone covers by a relation. None covers it, so none equals it.
    fn delete_covered(
        &mut self,
        cover: Cover,
        bucket: &mut Bucket,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) {
        let Some(first) = bucket.node() else { return };
        cover.prepare_covering(&*self.zones, state, probe);
        let spared = self.spare_waiting.then_some(status::WAITING);
        let mut cursor = Cursor { before: None, position: first, spared };
        while let Some(found) = cover.find_covered(&*self.zones, &self.buckets.nodes, cursor, state, probe) {
            let link = self.buckets.nodes.get(found.position).link;
            match found.before {
                Some(before) => self.buckets.nodes.set_link(before, link),
                None => bucket.first = Some(link),
            }
            self.delete(found.position);
            let Link::Node(next) = link else { return };
            cursor = Cursor { position: next, ..found };
        }
    }

    /// Deletes a node that is in no list any more.
    fn delete(&mut self, position: u32) {
        let node = self.buckets.nodes.get(position);
        self.zones.free(node.zone());
        self.buckets.nodes.set_first(position, false);
        self.counts.deleted += 1;
        self.counts.stored -= 1;
        if node.mark() == status::WAITING {
            self.counts.waiting -= 1;
            self.buckets.nodes.set_mark(position, status::STALE);
            if let Some(ranks) = &mut self.ranks {
                ranks.withdraw(position);
            }
        } else {
            self.counts.mistakes += 1;
            self.release(position);
            if let Some(ranks) = &mut self.ranks {
                ranks.cover(position);
            }
        }
    }

    /// Frees a node to which, with traces, only its successors refer.
    fn release(&mut self, position: u32) {
        self.buckets.nodes.set_mark(position, status::GONE);
        if self.ranks.as_ref().is_some_and(|ranks| ranks.has(position)) {
            self.buckets.nodes.set_link(position, Link::Node(position));
        } else {
            self.make_available(position);
        }
    }

    /// Makes the id of a deleted node available.
    fn make_available(&mut self, position: u32) {
        if self.origins.is_none() {
            self.buckets.nodes.set_link(position, Link::Node(self.free.unwrap_or(position)));
            self.free = Some(position);
        }
    }

    /// The rank of an offer that was compared with all others; `None` without ranks.
    fn rank(&mut self, zone: &Dbm) -> Option<u32> {
        let Self { ranks, buckets, .. } = self;
        let nodes = &buckets.nodes;
        let rank = ranks.as_mut()?.rank(zone.is_universal(), |position| status(nodes.mark(position)));
        while let Some(position) = self.ranks.as_mut().and_then(Ranks::take_free) {
            self.make_available(position);
        }
        Some(rank)
    }

    /// A free id for a new node, if there is one.
    fn reuse(&mut self) -> Option<u32> {
        let position = self.free?;
        self.free = match self.buckets.nodes.get(position).link {
            Link::Node(next) if next != position => Some(next),
            _ => None,
        };
        Some(position)
    }

    /// Saves the encoded state in a new waiting node: in front of a bucket, or in none.
    fn insert(&mut self, bucket: Option<&Bucket>, offered: &Offered<'_>, probe: &mut Probe) -> NodeId {
        let zone = offered.state.zone;
        let rank = self.rank(zone);
        let zone = self.zones.save(zone, &probe.zone);
        let free = self.reuse();
        let position = match bucket {
            Some(bucket) => self.buckets.push_front(bucket, &mut probe.discrete, zone, status::WAITING, free),
            None => self.buckets.push_alone(&mut probe.discrete, zone, status::WAITING, free),
        };
        if let Some(origins) = &mut self.origins {
            origins.push(offered.parent, offered.step);
        }
        if let Some((ranks, rank)) = self.ranks.as_mut().zip(rank) {
            ranks.add(position, offered.parent.map(self::position), rank);
        }
        let node = NodeId::from_index(position as usize);
        let alike = Priority(0, offered.cost);
        self.waiting.push(node, rank.map_or(alike, |rank| priority(rank, offered.cost)));
        self.counts.waiting += 1;
        self.counts.stored += 1;
        self.counts.stored_max = self.counts.stored_max.max(self.counts.stored);
        node
    }

    /// Adds a waiting node without a comparison.
    fn postpone(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> NodeId {
        self.buckets.discrete.encode(offered.state.discrete, &mut probe.discrete);
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
        let mut bucket = self.buckets.find_code(self.buckets.nodes.code(position));
        self.zones.load(self.buckets.nodes.get(position).zone(), zone);
        self.zones.encode_extending(zone, probe);
        // The discrete state is not compared: the bucket is known.
        let state = StateRef { discrete: &[], zone, parameters };
        let uncovered = self.compare(&bucket, &state, probe);
        if let Some(cover) = uncovered {
            self.delete_covered(cover, &mut bucket, &state, probe);
            self.buckets.join_front(&bucket, position);
        } else {
            self.drop_popped(position);
        }
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
        let nodes = &self.buckets.nodes;
        let held = self.memory().total();
        for position in 0..nodes.len() as u32 {
            if position.is_multiple_of(INTERVAL) && held + sink.memory().total() > most {
                return false;
            }
            let node = nodes.get(position);
            if status::is_stored(node.mark()) {
                self.load(NodeId::from_index(position as usize), fields, zone);
                sink.insert_copy(fields, zone, node.mark(), probe);
            } else {
                let link = if node.mark() == status::GONE { node.link } else { Link::Node(position) };
                sink.insert_deleted_copy(node.mark(), link);
            }
        }
        true
    }

    fn drop_popped(&mut self, position: u32) {
        self.zones.free(self.buckets.nodes.get(position).zone());
        self.release(position);
        self.counts.refused += 1;
        self.counts.stored -= 1;
    }
}

/// The status of a mark, for ranks.
const fn status(mark: u8) -> NodeStatus {
    match mark {
        status::POPPED => NodeStatus::Popped,
        status::WAITING => NodeStatus::Waiting,
        status::STALE => NodeStatus::Stale,
        _ => NodeStatus::Gone,
    }
}

/// Copying the nodes of another list, in the order of ids.
impl List {
    /// Adds a stored node of the other list.
    fn insert_copy(&mut self, discrete: &[i32], zone: &Dbm, mark: u8, probe: &mut Probe) {
        let bucket = self.buckets.find(discrete, &mut probe.discrete);
        self.zones.encode_extending(zone, &mut probe.zone);
        let key = self.zones.save(zone, &probe.zone);
        if self.postponed.is_some() && mark == status::WAITING {
            self.buckets.push_alone(&mut probe.discrete, key, mark, None);
        } else {
            self.buckets.push_front(&bucket, &mut probe.discrete, key, mark, None);
        }
    }

    /// Adds a deleted node of the other list.
    fn insert_deleted_copy(&mut self, mark: u8, link: Link) {
        // With traces, the link of a deleted node has no meaning, and may be a code of another form.
        let position = self.buckets.nodes.len() as u32;
        let link = if matches!(link, Link::End(_)) { Link::Node(position) } else { link };
        self.buckets.nodes.push(ZoneKey::from_index(0), mark, false, link);
    }
}

impl PassedList for List {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.covering(state, probe).is_some()
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        let bucket = self.buckets.find(state.discrete, &mut probe.discrete);
        self.zones.encode(state.zone, &mut probe.zone);
        let covering = self.covering_node(self.cover, &bucket, state, &mut probe.zone);
        let position = match self.adaptive {
            Some(_) => {
                covering.or_else(|| self.covering_node(Cover::Alu, &bucket, state, &mut probe.zone))?
            }
            None => covering?,
        };
        Some(NodeId::from_index(position as usize))
    }

    fn is_stored(&self, node: NodeId) -> bool {
        status::is_stored(self.buckets.nodes.mark(position(node)))
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let nodes = &self.buckets.nodes;
        let position = position(node);
        let node = nodes.get(position);
        assert!(status::is_stored(node.mark()), "a node that is not stored any more");
        self.buckets.discrete.load(nodes.code(position), discrete);
        self.zones.load(node.zone(), zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        self.origins.as_ref().map(|origins| origins.get(node))
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        let nodes = &self.buckets.nodes;
        let stored = (0..nodes.len() as u32).filter(|&position| status::is_stored(nodes.mark(position)));
        Box::new(stored.map(|position| NodeId::from_index(position as usize)))
    }

    fn counts(&self) -> Counts {
        let (discrete_states, distinct_zones) = (self.buckets.len(), self.zones.len());
        let rank_visits = self.ranks.as_ref().map_or(0, Ranks::visits);
        Counts { discrete_states, distinct_zones, rank_visits, ..self.counts }
    }

    fn memory(&self) -> Memory {
        let parameters = self.postponed.as_ref().and_then(|postponed| postponed.parameters.as_ref());
        let [discrete, table, nodes] = self.buckets.bytes();
        Memory {
            discrete,
            zones: self.zones.bytes(),
            table,
            nodes,
            waiting: self.waiting.bytes()
                + parameters.map_or(0, ParameterTable::bytes)
                + self.ranks.as_ref().map_or(0, Ranks::bytes),
            parents: self.origins.as_ref().map_or(0, Origins::bytes),
        }
    }
}

impl PassedWaiting for List {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        let state = &offered.state;
        self.zones.encode_extending(state.zone, &mut probe.zone);
        if self.postponed.is_some() {
            return Offer::Stored(self.postpone(offered, probe));
        }
        let mut bucket = self.buckets.find(state.discrete, &mut probe.discrete);
        let Some(cover) = self.compare(&bucket, state, &mut probe.zone) else {
            self.counts.refused += 1;
            return Offer::Covered;
        };
        self.delete_covered(cover, &mut bucket, state, &mut probe.zone);
        Offer::Stored(self.insert(Some(&bucket), offered, probe))
    }

    fn popped_cost(&self) -> u64 {
        self.waiting.popped_cost()
    }

    fn pop(&mut self) -> Option<NodeId> {
        loop {
            let node = self.waiting.pop()?;
            let position = position(node);
            if self.buckets.nodes.mark(position) == status::STALE {
                self.release(position);
                continue;
            }
            self.buckets.nodes.set_mark(position, status::POPPED);
            if let Some(ranks) = &mut self.ranks {
                ranks.expand(position);
            }
            self.counts.waiting -= 1;
            if self.pass(position) {
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
        (sink.free, sink.ranks) = (self.free.take(), self.ranks.take());
        (sink.origins, sink.postponed) = (self.origins.take(), self.postponed.take());
        (sink.adaptive, sink.counts) = (self.adaptive, self.counts);
        Some(Box::new(sink))
    }
}
