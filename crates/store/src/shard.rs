//! The nodes of some discrete states, one list of nodes for each: a passed/waiting list without its zones and its waiting order.
//!
//! The list (`list.rs`) has one shard and the zones of its nodes. A list for several threads (`shards.rs`) has many, which share
//! the zones: a thread changes a shard while others read the same zones. So a shard never changes zones: a new node gets the key
//! of a zone that was saved before, and the keys of deleted nodes are returned to be freed.
//!
//! > **Invariant.** The zones of one state do not cover each other, up to equivalence: a new one is
//! > covered by none, and those that it covers are deleted. With the adaptive cover, this holds for inclusion.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;

use crate::adaptive::AdaptiveTests;
use crate::buckets::{Bucket, Buckets, position};
use crate::cover::Cover;
use crate::discrete::{Merging, new_discrete_store};
use crate::interface::{Counts, Memory, NodeId, StateRef};
use crate::node::{Cursor, Link};
use crate::origins::Origins;
use crate::probe::Probe;
use crate::ranks::{NodeStatus, Ranks};
use crate::settings::{Order, Settings};
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

/// The status of a node: its mark.
pub(crate) mod status {
    /// Popped and stored.
    pub(crate) const POPPED: u8 = 0;
    /// Stored, and to be popped.
    pub(crate) const WAITING: u8 = 1;
    /// Deleted, but its id is still in the waiting order.
    pub(crate) const STALE: u8 = 2;
    /// Deleted and not waiting. Its id is reused, unless traces are stored: then other nodes may have it as their
    /// parent, and only its zone is freed. Its link is the next such node, or itself. With ranks, it is reused when it
    /// has left their tree.
    pub(crate) const GONE: u8 = 3;

    pub(crate) const fn is_stored(mark: u8) -> bool {
        matches!(mark, POPPED | WAITING)
    }
}

/// The nodes of some discrete states.
#[derive(Debug)]
pub(crate) struct Shard {
    cover: Cover,
    /// With the adaptive cover.
    adaptive: Option<AdaptiveTests>,
    spare_waiting: bool,
    pub(crate) buckets: Buckets,
    /// The first deleted node whose id can be reused.
    free: Option<u32>,
    pub(crate) ranks: Option<Ranks>,
    origins: Option<Origins>,
    /// The keys of deleted nodes, whose zones are to be freed.
    freed: Vec<ZoneKey>,
    counts: Counts,
}

/// A new node, before it has a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewNode {
    pub(crate) zone: ZoneKey,
    pub(crate) parent: Option<NodeId>,
    pub(crate) step: u32,
    pub(crate) rank: Option<u32>,
}

impl Shard {
    pub(crate) fn new(settings: &Settings) -> Self {
        assert!(settings.split <= settings.ranges.len(), "more locations than fields");
        assert!(settings.ranges.iter().all(|(low, high)| low <= high), "a field without values");
        // A waiting node is saved without a look-up, so the same state may be saved more than once.
        let merging = if settings.waiting_inclusion { Merging::Never } else { Merging::Always };
        Self {
            cover: settings.cover,
            adaptive: (settings.cover == Cover::Adaptive).then(AdaptiveTests::new),
            spare_waiting: settings.spare_waiting,
            buckets: Buckets::new(new_discrete_store(settings, merging), settings.fill()),
            free: None,
            ranks: (settings.order == Order::Ranked && settings.waiting_inclusion).then(Ranks::new),
            origins: settings.traces.then(Origins::new),
            freed: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// The first node of a bucket that covers the encoded zone, by a relation.
    #[inline]
    pub(crate) fn covering_node(
        &self,
        zones: &dyn ZoneStore,
        cover: Cover,
        bucket: &Bucket,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<u32> {
        let first = bucket.node()?;
        cover.prepare_covered(zones, state, probe);
        cover.find_covering(zones, (&self.buckets.nodes, first), state, probe)
    }

    /// The node that covers a state by the cover relation; with the adaptive cover, by inclusion.
    #[inline]
    pub(crate) fn find_covering(
        &self,
        zones: &dyn ZoneStore,
        state: &StateRef<'_>,
        probe: &mut Probe,
    ) -> Option<u32> {
        let bucket = self.buckets.find(state.discrete, &mut probe.discrete);
        self.covering_node(zones, self.cover, &bucket, state, &mut probe.zone)
    }

    /// The node that covers a state; with the adaptive cover, by a_LU.
    pub(crate) fn covering(
        &self,
        zones: &dyn ZoneStore,
        state: &StateRef<'_>,
        probe: &mut Probe,
    ) -> Option<u32> {
        let bucket = self.buckets.find(state.discrete, &mut probe.discrete);
        let covering = self.covering_node(zones, self.cover, &bucket, state, &mut probe.zone);
        match self.adaptive {
            Some(_) => {
                covering.or_else(|| self.covering_node(zones, Cover::Alu, &bucket, state, &mut probe.zone))
            }
            None => covering,
        }
    }

    /// Whether the next comparison needs the parameters of the cover relation.
    #[inline]
    pub(crate) fn needs_parameters(&self) -> bool {
        self.cover == Cover::Alu || self.adaptive.as_ref().is_some_and(AdaptiveTests::is_next_due)
    }

    /// Compares the encoded zone with the nodes of a bucket. Returns `None` if one of them covers it, otherwise the relation
    /// by which none does.
    #[inline]
    pub(crate) fn compare(
        &mut self,
        zones: &dyn ZoneStore,
        bucket: &Bucket,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<Cover> {
        if self.covering_node(zones, self.cover, bucket, state, probe).is_some() {
            return None;
        }
        let is_due = bucket.node().is_some() && self.adaptive.as_mut().is_some_and(AdaptiveTests::is_due);
        if is_due { self.compare_alu(zones, bucket, state, probe) } else { Some(self.cover) }
    }

    /// As [`compare`](Self::compare), by a_LU, with a record of the outcome.
    fn compare_alu(
        &mut self,
        zones: &dyn ZoneStore,
        bucket: &Bucket,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<Cover> {
        let covered = self.covering_node(zones, Cover::Alu, bucket, state, probe).is_some();
        if let Some(tests) = &mut self.adaptive {
            tests.record(covered);
        }
        (!covered).then_some(Cover::Alu)
    }

    /// Looks up a state, compares its encoded zone, and deletes the nodes that it covers. Returns the bucket of the state, or
    /// `None` if a node covers it.
    #[inline]
    pub(crate) fn admit(
        &mut self,
        zones: &dyn ZoneStore,
        state: &StateRef<'_>,
        probe: &mut Probe,
    ) -> Option<Bucket> {
        let bucket = self.buckets.find(state.discrete, &mut probe.discrete);
        self.admit_to(bucket, zones, state, &mut probe.zone)
    }

    /// The same for a state that was looked up.
    #[inline]
    pub(crate) fn admit_to(
        &mut self,
        mut bucket: Bucket,
        zones: &dyn ZoneStore,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) -> Option<Bucket> {
        let Some(cover) = self.compare(zones, &bucket, state, probe) else {
            self.refuse();
            return None;
        };
        self.delete_covered(zones, cover, &mut bucket, state, probe);
        Some(bucket)
    }

    /// Counts an offer that a node covers.
    #[inline]
    pub(crate) const fn refuse(&mut self) {
        self.counts.refused += 1;
    }

    /// Deletes the nodes of a bucket that the encoded zone covers by a relation. None covers it, so none equals it.
    #[inline]
    pub(crate) fn delete_covered(
        &mut self,
        zones: &dyn ZoneStore,
        cover: Cover,
        bucket: &mut Bucket,
        state: &StateRef<'_>,
        probe: &mut ZoneProbe,
    ) {
        let Some(first) = bucket.node() else { return };
        cover.prepare_covering(zones, state, probe);
        let spared = self.spare_waiting.then_some(status::WAITING);
        let mut cursor = Cursor { before: None, position: first, spared };
        while let Some(found) = cover.find_covered(zones, &self.buckets.nodes, cursor, state, probe) {
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
        self.freed.push(node.zone());
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

    /// Drops a popped node that another one covers.
    pub(crate) fn drop_popped(&mut self, position: u32) {
        self.freed.push(self.buckets.nodes.get(position).zone());
        self.release(position);
        self.counts.refused += 1;
        self.counts.stored -= 1;
    }

    /// Passes on the keys of the nodes that were deleted.
    #[inline]
    pub(crate) fn drain_freed(&mut self, mut free: impl FnMut(ZoneKey)) {
        self.freed.drain(..).for_each(&mut free);
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
    pub(crate) fn rank(&mut self, zone: &Dbm) -> Option<u32> {
        let Self { ranks, buckets, .. } = self;
        let nodes = &buckets.nodes;
        let rank = ranks.as_mut()?.rank(zone.is_universal(), |position| node_status(nodes.mark(position)));
        while let Some(position) = self.ranks.as_mut().and_then(Ranks::take_free) {
            self.make_available(position);
        }
        Some(rank)
    }

    /// A free position for a new node, if there is one.
    fn reuse(&mut self) -> Option<u32> {
        let position = self.free?;
        self.free = match self.buckets.nodes.get(position).link {
            Link::Node(next) if next != position => Some(next),
            _ => None,
        };
        Some(position)
    }

    /// Saves the encoded discrete state in a new waiting node: in front of a bucket, or in none. Returns its position.
    #[inline]
    pub(crate) fn insert(&mut self, bucket: Option<&Bucket>, new: &NewNode, probe: &mut Probe) -> u32 {
        let free = self.reuse();
        let position = match bucket {
            Some(bucket) => {
                self.buckets.push_front(bucket, &mut probe.discrete, new.zone, status::WAITING, free)
            }
            None => self.buckets.push_alone(&mut probe.discrete, new.zone, status::WAITING, free),
        };
        if let Some(origins) = &mut self.origins {
            origins.push(new.parent, new.step);
        }
        if let Some((ranks, rank)) = self.ranks.as_mut().zip(new.rank) {
            ranks.add(position, new.parent.map(self::position), rank);
        }
        self.counts.waiting += 1;
        self.counts.stored += 1;
        self.counts.stored_max = self.counts.stored_max.max(self.counts.stored);
        position
    }

    /// Marks a node that was popped. Returns false if it had been deleted: then its position may be used again.
    #[inline]
    pub(crate) fn pop(&mut self, position: u32) -> bool {
        if self.buckets.nodes.mark(position) == status::STALE {
            self.release(position);
            return false;
        }
        self.buckets.nodes.set_mark(position, status::POPPED);
        if let Some(ranks) = &mut self.ranks {
            ranks.expand(position);
        }
        self.counts.waiting -= 1;
        true
    }

    /// Marks a node that was popped and not expanded as waiting again.
    pub(crate) fn wait_again(&mut self, position: u32) {
        self.buckets.nodes.set_mark(position, status::WAITING);
        self.counts.waiting += 1;
    }

    pub(crate) fn is_stored(&self, position: u32) -> bool {
        status::is_stored(self.buckets.nodes.mark(position))
    }

    pub(crate) fn load(&self, zones: &dyn ZoneStore, position: u32, discrete: &mut [i32], zone: &mut Dbm) {
        let nodes = &self.buckets.nodes;
        let node = nodes.get(position);
        assert!(status::is_stored(node.mark()), "a node that is not stored any more");
        self.buckets.discrete.load(nodes.code(position), discrete);
        zones.load(node.zone(), zone);
    }

    /// The parent and the transition of a node; `None` without traces.
    pub(crate) fn origin(&self, position: u32) -> Option<(Option<NodeId>, u32)> {
        self.origins.as_ref().map(|origins| origins.get(NodeId::from_index(position as usize)))
    }

    /// The positions of the stored nodes, in order.
    pub(crate) fn stored(&self) -> impl Iterator<Item = u32> {
        (0..self.buckets.nodes.len() as u32).filter(|&position| self.is_stored(position))
    }

    pub(crate) fn counts(&self) -> Counts {
        let rank_visits = self.ranks.as_ref().map_or(0, Ranks::visits);
        Counts { discrete_states: self.buckets.len(), rank_visits, ..self.counts }
    }

    /// The memory of the nodes.
    pub(crate) fn memory(&self) -> Memory {
        let [discrete, table, nodes] = self.buckets.bytes();
        Memory {
            discrete,
            table,
            nodes: nodes + self.freed.capacity() * size_of::<ZoneKey>(),
            waiting: self.ranks.as_ref().map_or(0, Ranks::bytes),
            parents: self.origins.as_ref().map_or(0, Origins::bytes),
            zones: 0,
        }
    }
}

/// Copying the nodes of another shard.
impl Shard {
    /// Adds a stored node, with its mark; in no list, if `alone`. Returns its position.
    pub(crate) fn insert_copy(
        &mut self,
        discrete: &[i32],
        zone: ZoneKey,
        (mark, alone): (u8, bool),
        probe: &mut Probe,
    ) -> u32 {
        let bucket = self.buckets.find(discrete, &mut probe.discrete);
        if alone {
            self.buckets.push_alone(&mut probe.discrete, zone, mark, None)
        } else {
            self.buckets.push_front(&bucket, &mut probe.discrete, zone, mark, None)
        }
    }

    /// Adds a stored node, and counts it. Returns its position.
    pub(crate) fn insert_counted_copy(
        &mut self,
        discrete: &[i32],
        zone: ZoneKey,
        mark: u8,
        probe: &mut Probe,
    ) -> u32 {
        self.counts.stored += 1;
        self.counts.waiting += usize::from(mark == status::WAITING);
        self.insert_copy(discrete, zone, (mark, false), probe)
    }

    /// Records the origin of the node that was added last, with traces.
    pub(crate) fn push_origin(&mut self, parent: Option<NodeId>, step: u32) {
        if let Some(origins) = &mut self.origins {
            origins.push(parent, step);
        }
    }

    /// An empty shard that continues the a_LU tests of this one.
    pub(crate) fn empty_like(&self, settings: &Settings) -> Self {
        Self { adaptive: self.adaptive, ..Self::new(settings) }
    }

    /// Adds a deleted node. Returns its position.
    pub(crate) fn insert_deleted_copy(&mut self, mark: u8, link: Link) -> u32 {
        // With traces, the link of a deleted node has no meaning, and may be a code of another form.
        let position = self.buckets.nodes.len() as u32;
        let link = if matches!(link, Link::End(_)) { Link::Node(position) } else { link };
        self.buckets.nodes.push(ZoneKey::from_index(0), mark, false, link)
    }

    /// Takes over everything but the nodes.
    pub(crate) fn take_state_of(&mut self, other: &mut Self) {
        (self.free, self.ranks) = (other.free.take(), other.ranks.take());
        (self.origins, self.adaptive, self.counts) = (other.origins.take(), other.adaptive, other.counts);
    }
}

/// The status of a mark, for ranks.
const fn node_status(mark: u8) -> NodeStatus {
    match mark {
        status::POPPED => NodeStatus::Popped,
        status::WAITING => NodeStatus::Waiting,
        status::STALE => NodeStatus::Stale,
        _ => NodeStatus::Gone,
    }
}
