//! The passed/waiting list: one entry per discrete state, one node per zone of it.
//!
//! This is the reference implementation of `[DavidBehrmannLarsenYi2003, section 4.2]` with two changes: an offer
//! decides before it inserts, and what is deleted while it waits is not looked for in the waiting order but
//! skipped when it is popped. Inclusion on waiting nodes, which comes for free in a unified list, prevents parts
//! of the state space from being visited twice `[Bengtsson2001, section 4.1]`.
//!
//! Without inclusion on waiting, the list behaves as two lists do: a node waits without being compared with
//! anything and belongs to no entry's list yet; popping compares it with the passed ones. It is there to be
//! measured against.
//!
//! An offer costs one look-up, and one comparison with each zone of its entry until one covers it. If none does,
//! it costs another comparison with each, the other way round. Most offers end in the first pass, so that one
//! compares in one direction only.
//!
//! > **Invariant.** The zones in an entry's list do not cover each other, up to equivalence: a new one is
//! > covered by none, and those that it covers are deleted.

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm};

use crate::discrete::{Discrete, EntryId, Head};
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedWaiting};
use crate::limits::Limits;
use crate::node::{Next, Nodes};
use crate::settings::{Cover, Settings};
use crate::waiting::Waiting;
use crate::zones::{ZoneKey, Zones};

/// The list, over a form of discrete states and one of zones.
#[derive(Debug)]
pub(crate) struct List<D, Z> {
    cover: Cover,
    spare_waiting: bool,
    discrete: D,
    zones: Z,
    nodes: Nodes,
    waiting: Waiting,
    /// Without inclusion on waiting, what it takes to compare a node that is popped.
    postponed: Option<Postponed>,
    counts: Counts,
}

/// Comparing when popping.
#[derive(Debug)]
struct Postponed {
    /// The zone of the popped node.
    zone: Dbm,
    /// For the cover a_LU, the bounds of each entry.
    limits: Option<Limits>,
    /// For the other covers, which do not look at them.
    no_bounds: ClockBounds,
}

impl<D: Discrete, Z: Zones> List<D, Z> {
    pub(crate) fn new(settings: &Settings, discrete: D, zones: Z) -> Self {
        let postponed = || Postponed {
            zone: Dbm::zero(settings.dimension),
            limits: (settings.cover == Cover::Alu).then(Limits::new),
            no_bounds: ClockBounds::none(settings.dimension),
        };
        Self {
            cover: settings.cover,
            spare_waiting: settings.spare_waiting,
            discrete,
            zones,
            nodes: Nodes::new(settings.traces),
            waiting: Waiting::new(settings.order, settings.seed),
            postponed: (!settings.waiting_inclusion).then(postponed),
            counts: Counts::default(),
        }
    }

    /// Whether a node of this entry covers the held zone, which is `zone`.
    fn is_covered(&mut self, entry: EntryId, zone: &Dbm, bounds: &ClockBounds) -> bool {
        let head = self.discrete.head(entry);
        if head == Head::NONE {
            return false;
        }
        match self.cover {
            Cover::Equality => self.any(head, Z::is_equal),
            Cover::Inclusion => self.any(head, Z::includes),
            Cover::Alu => {
                self.zones.hold_floor(zone, bounds);
                self.any(head, Z::simulates)
            }
        }
    }

    /// Whether the zone of some node from this one on answers yes.
    #[inline]
    fn any(&mut self, head: Head, test: impl Fn(&mut Z, ZoneKey) -> bool) -> bool {
        if test(&mut self.zones, ZoneKey::from_index(head.zone as usize)) {
            return true;
        }
        let mut next = self.nodes.get(head.node).next;
        while let Some(position) = next.position() {
            let node = self.nodes.get(position);
            if test(&mut self.zones, node.zone()) {
                return true;
            }
            next = node.next;
        }
        false
    }

    /// Deletes the nodes of this entry that the held zone covers. None covers it, so none is equal to it.
    fn delete_covered(&mut self, entry: EntryId, zone: &Dbm, bounds: &ClockBounds) {
        if self.discrete.head(entry) == Head::NONE {
            return;
        }
        match self.cover {
            Cover::Equality => {}
            Cover::Inclusion => self.delete_all(entry, Z::is_included),
            Cover::Alu => {
                self.zones.hold_ceiling(zone, bounds);
                self.delete_all(entry, Z::is_simulated);
            }
        }
    }

    /// Deletes the nodes of this entry whose zone answers yes.
    #[inline]
    fn delete_all(&mut self, entry: EntryId, test: impl Fn(&mut Z, ZoneKey) -> bool) {
        let mut before = None;
        let mut next = self.first(entry);
        while let Some(position) = next.position() {
            let node = self.nodes.get(position);
            let spared = self.spare_waiting && node.is_waiting();
            if !spared && test(&mut self.zones, node.zone()) {
                self.link(entry, before, node.next);
                self.delete(position);
            } else {
                before = Some(position);
            }
            next = node.next;
        }
    }

    /// The first node of an entry, or the end.
    fn first(&self, entry: EntryId) -> Next {
        let head = self.discrete.head(entry);
        if head == Head::NONE { Next::end_of(entry) } else { Next::node(head.node) }
    }

    /// Makes `next` follow `before` in the list of an entry, or come first.
    fn link(&mut self, entry: EntryId, before: Option<u32>, next: Next) {
        if let Some(before) = before {
            self.nodes.set_next(before, next);
            return;
        }
        let head = next.position().map_or(Head::NONE, |node| {
            let zone = self.nodes.get(node).zone().index() as u32;
            Head { node, zone }
        });
        self.discrete.set_head(entry, head);
    }

    fn delete(&mut self, position: u32) {
        let node = self.nodes.get(position);
        if node.is_waiting() {
            self.counts.waiting -= 1;
        } else {
            self.counts.mistakes += 1;
        }
        self.zones.free(node.zone());
        self.nodes.delete(position);
        self.counts.deleted += 1;
        self.counts.stored -= 1;
    }

    /// Saves the held zone in a new node that waits.
    fn insert(&mut self, next: Next, offered: &Offered<'_>) -> NodeId {
        let zone = self.zones.save();
        let node = self.nodes.add(zone, next, offered.parent, offered.step);
        self.waiting.push(node, offered.cost);
        self.counts.waiting += 1;
        self.counts.stored += 1;
        self.counts.stored_max = self.counts.stored_max.max(self.counts.stored);
        node
    }

    /// Compares a popped node with the passed ones of its entry. Returns whether it is now one of them; else it
    /// is dropped.
    fn pass(&mut self, position: u32) -> bool {
        let Some(mut postponed) = self.postponed.take() else { return true };
        let entry = self.nodes.entry(position);
        let Postponed { zone, limits, no_bounds } = &mut postponed;
        let bounds = limits.as_ref().map_or(&*no_bounds, |limits| limits.get(entry));
        self.zones.load(self.nodes.get(position).zone(), zone);
        self.zones.hold(zone);
        let covered = self.is_covered(entry, zone, bounds);
        if covered {
            self.drop_popped(position);
        } else {
            self.delete_covered(entry, zone, bounds);
            self.nodes.set_next(position, self.first(entry));
            self.link(entry, None, Next::node(position));
        }
        self.postponed = Some(postponed);
        !covered
    }

    fn drop_popped(&mut self, position: u32) {
        self.zones.free(self.nodes.get(position).zone());
        self.nodes.delete(position);
        self.counts.refused += 1;
        self.counts.stored -= 1;
    }
}

impl<D: Discrete, Z: Zones> PassedWaiting for List<D, Z> {
    fn offer(&mut self, offered: &Offered<'_>) -> Offer {
        let entry = self.discrete.intern(offered.discrete);
        self.zones.hold(offered.zone);
        if let Some(postponed) = &mut self.postponed {
            if let Some(limits) = &mut postponed.limits {
                limits.note(entry, offered.bounds);
            }
            return Offer::Stored(self.insert(Next::end_of(entry), offered));
        }
        if self.is_covered(entry, offered.zone, offered.bounds) {
            self.counts.refused += 1;
            return Offer::Covered;
        }
        self.delete_covered(entry, offered.zone, offered.bounds);
        let node = self.insert(self.first(entry), offered);
        self.link(entry, None, Next::node(node.index() as u32));
        Offer::Stored(node)
    }

    fn pop(&mut self) -> Option<NodeId> {
        loop {
            let node = self.waiting.pop()?;
            let position = node.index() as u32;
            let stale = self.nodes.get(position).is_deleted();
            self.nodes.set_popped(position);
            if stale {
                continue;
            }
            self.counts.waiting -= 1;
            if self.pass(position) {
                return Some(node);
            }
        }
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let position = node.index() as u32;
        let node = self.nodes.get(position);
        assert!(!node.is_deleted(), "a node that is not stored any more");
        self.discrete.load(self.nodes.entry(position), discrete);
        self.zones.load(node.zone(), zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        self.nodes.origin(node)
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        Box::new(self.nodes.stored())
    }

    fn counts(&self) -> Counts {
        let (discrete_states, distinct_zones) = (self.discrete.len(), self.zones.len());
        Counts { discrete_states, distinct_zones, ..self.counts }
    }

    fn memory(&self) -> Memory {
        let limits = self.postponed.as_ref().and_then(|postponed| postponed.limits.as_ref());
        Memory {
            discrete: self.discrete.bytes(),
            zones: self.zones.bytes(),
            table: self.discrete.index_bytes(),
            nodes: self.nodes.bytes(),
            waiting: self.waiting.bytes() + limits.map_or(0, Limits::bytes),
            parents: self.nodes.origin_bytes(),
        }
    }
}
