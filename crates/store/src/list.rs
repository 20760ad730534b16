//! The passed/waiting list: one list of nodes per discrete state, one node per zone of it.
//!
//! This is the reference implementation of `[DavidBehrmannLarsenYi2003, section 4.2]` with two changes: an offer
//! decides before it inserts, and what is deleted while it waits is not looked for in the waiting order but
//! skipped when it is popped. Inclusion on waiting nodes, which comes for free in a unified list, prevents parts
//! of the state space from being visited twice `[Bengtsson2001, section 4.1]`.
//!
//! Without inclusion on waiting, the list behaves as two lists do: a node waits without being compared with
//! anything and belongs to no list of nodes yet; popping compares it with the passed ones. It is there to be
//! measured against.
//!
//! With ranks, what an offer covers decides when it is popped (`ranks.rs`); without, they cost a branch.
//!
//! An offer costs one look-up, and one comparison with each zone of its state until one covers it. If none does,
//! it costs another comparison with each, the other way round. Most offers end in the first pass, so that one
//! compares in one direction only.
//!
//! > **Invariant.** The zones of one state do not cover each other, up to equivalence: a new one is
//! > covered by none, and those that it covers are deleted.

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm};

use crate::buckets::{Buckets, Place, position};
use crate::discrete::Discrete;
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedWaiting};
use crate::limits::Limits;
use crate::node::Link;
use crate::origins::Origins;
use crate::ranks::{Ranks, Standing, priority};
use crate::settings::{Cover, Order, Settings, build_sink};
use crate::waiting::{Priority, Waiting};
use crate::zones::{ZoneKey, Zones};

/// The list, over a form of discrete states and one of zones.
#[derive(Debug)]
pub(crate) struct List<D, Z> {
    cover: Cover,
    spare_waiting: bool,
    buckets: Buckets<D>,
    zones: Z,
    /// The first node that is gone and whose id may be used again.
    free: Option<u32>,
    waiting: Waiting,
    /// With ranks.
    ranks: Option<Ranks>,
    /// With traces.
    origins: Option<Origins>,
    /// Without inclusion on waiting, what it takes to compare a node that is popped.
    postponed: Option<Postponed>,
    counts: Counts,
}

/// Every how many nodes memory is looked at, when they are taken over by another list.
const INTERVAL: u32 = 1 << 8;

/// A list that can take over the nodes of another, in the order of ids.
pub(crate) trait NodeSink: PassedWaiting {
    /// Takes over a stored node.
    fn adopt(&mut self, discrete: &[i32], zone: &Dbm, mark: u8);

    /// Takes over a node that is not stored any more.
    fn adopt_deleted(&mut self, mark: u8, link: Link);

    /// Takes over all that is known of nodes by their ids.
    fn inherit(&mut self, tables: NodeTables);
}

/// What a list knows of nodes by their ids.
#[derive(Debug)]
pub(crate) struct NodeTables {
    free: Option<u32>,
    waiting: Waiting,
    ranks: Option<Ranks>,
    origins: Option<Origins>,
    postponed: Option<Postponed>,
    counts: Counts,
}

/// What became of a node: its mark.
mod fate {
    /// It was popped, and is stored.
    pub(super) const POPPED: u8 = 0;
    /// It is stored, and to be popped.
    pub(super) const WAITING: u8 = 1;
    /// It was deleted, but its id is still in the waiting order.
    pub(super) const STALE: u8 = 2;
    /// It was deleted and popped. Its id is used again, unless traces are kept: then others may have it as their
    /// parent, and only its zone is given back. Its link is the next such node, or itself. With ranks it is used again
    /// when it has left their tree.
    pub(super) const GONE: u8 = 3;

    /// Whether a node with this mark is stored.
    pub(super) const fn is_stored(mark: u8) -> bool {
        matches!(mark, POPPED | WAITING)
    }
}

/// Comparing when popping.
#[derive(Debug)]
struct Postponed {
    /// The zone of the popped node.
    zone: Dbm,
    /// For the cover a_LU, the bounds of each node.
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
            buckets: Buckets::new(discrete, settings.fill()),
            zones,
            free: None,
            waiting: Waiting::new(settings.order, settings.seed),
            ranks: (settings.order == Order::Ranked && settings.waiting_inclusion).then(Ranks::new),
            origins: settings.traces.then(Origins::new),
            postponed: (!settings.waiting_inclusion).then(postponed),
            counts: Counts::default(),
        }
    }

    /// Whether a node of this list covers the held zone, which is `zone`.
    fn is_covered(&mut self, place: &Place, zone: &Dbm, bounds: &ClockBounds) -> bool {
        let Some(first) = place.node() else { return false };
        match self.cover {
            Cover::Equality => self.any(first, Z::is_equal),
            Cover::Inclusion => self.any(first, Z::includes),
            Cover::Alu => {
                self.zones.hold_floor(zone, bounds);
                self.any(first, Z::simulates)
            }
        }
    }

    /// Whether the zone of some node from this one on answers yes.
    #[inline]
    fn any(&mut self, first: u32, test: impl Fn(&mut Z, ZoneKey) -> bool) -> bool {
        let mut link = Link::Node(first);
        while let Link::Node(position) = link {
            let node = self.buckets.nodes.get(position);
            if test(&mut self.zones, node.zone()) {
                return true;
            }
            link = node.link;
        }
        false
    }

    /// Deletes the nodes of this list that the held zone covers. None covers it, so none is equal to it.
    fn delete_covered(&mut self, place: &mut Place, zone: &Dbm, bounds: &ClockBounds) {
        if place.node().is_none() {
            return;
        }
        match self.cover {
            Cover::Equality => {}
            Cover::Inclusion => self.delete_all(place, Z::is_included),
            Cover::Alu => {
                self.zones.hold_ceiling(zone, bounds);
                self.delete_all(place, Z::is_simulated);
            }
        }
    }

    /// Deletes the nodes of this list whose zone answers yes.
    #[inline]
    fn delete_all(&mut self, place: &mut Place, test: impl Fn(&mut Z, ZoneKey) -> bool) {
        let mut before = None;
        let mut link = place.first;
        while let Some(Link::Node(position)) = link {
            let node = self.buckets.nodes.get(position);
            let spared = self.spare_waiting && node.mark() == fate::WAITING;
            if !spared && test(&mut self.zones, node.zone()) {
                match before {
                    Some(before) => self.buckets.nodes.set_link(before, node.link),
                    None => place.first = Some(node.link),
                }
                self.delete(position);
            } else {
                before = Some(position);
            }
            link = Some(node.link);
        }
    }

    /// Deletes a node, which is in no list any more.
    fn delete(&mut self, position: u32) {
        let node = self.buckets.nodes.get(position);
        self.zones.free(node.zone());
        self.buckets.nodes.set_first(position, false);
        self.counts.deleted += 1;
        self.counts.stored -= 1;
        if node.mark() == fate::WAITING {
            self.counts.waiting -= 1;
            self.buckets.nodes.set_mark(position, fate::STALE);
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

    /// Gives a node up whose id nobody has but, with traces, its successors.
    fn release(&mut self, position: u32) {
        self.buckets.nodes.set_mark(position, fate::GONE);
        if self.ranks.as_ref().is_some_and(|ranks| ranks.has(position)) {
            self.buckets.nodes.set_link(position, Link::Node(position));
        } else {
            self.give_back(position);
        }
    }

    /// Lets the id of a node that is gone be used again.
    fn give_back(&mut self, position: u32) {
        if self.origins.is_none() {
            self.buckets.nodes.set_link(position, Link::Node(self.free.unwrap_or(position)));
            self.free = Some(position);
        }
    }

    /// The rank of an offer that was compared with all others, where there are ranks.
    fn rank(&mut self, zone: &Dbm) -> Option<u32> {
        let Self { ranks, buckets, .. } = self;
        let nodes = &buckets.nodes;
        let rank = ranks.as_mut()?.rank(zone.is_universal(), |position| standing(nodes.mark(position)));
        while let Some(position) = self.ranks.as_mut().and_then(Ranks::take_free) {
            self.give_back(position);
        }
        Some(rank)
    }

    /// The id for a new node that is used again, if there is one.
    fn reuse(&mut self) -> Option<u32> {
        let position = self.free?;
        self.free = match self.buckets.nodes.get(position).link {
            Link::Node(next) if next != position => Some(next),
            _ => None,
        };
        Some(position)
    }

    /// Saves the held zone and the held state in a new node that waits: in front of the list at a place, or in none.
    fn insert(&mut self, place: Option<&Place>, offered: &Offered<'_>) -> NodeId {
        let rank = self.rank(offered.zone);
        let zone = self.zones.save();
        let free = self.reuse();
        let position = match place {
            Some(place) => self.buckets.push_front(place, zone, fate::WAITING, free),
            None => self.buckets.push_alone(zone, fate::WAITING, free),
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

    /// Lets a node wait without comparing it with anything.
    fn postpone(&mut self, offered: &Offered<'_>) -> NodeId {
        self.buckets.discrete.hold(offered.discrete);
        let node = self.insert(None, offered);
        if let Some(limits) = self.postponed.as_mut().and_then(|postponed| postponed.limits.as_mut()) {
            limits.note(position(node), offered.bounds);
        }
        node
    }

    /// Compares a popped node with the passed ones of its state. Returns whether it is now one of them; else it
    /// is dropped.
    fn pass(&mut self, position: u32) -> bool {
        let Some(mut postponed) = self.postponed.take() else { return true };
        let Postponed { zone, limits, no_bounds } = &mut postponed;
        let bounds = limits.as_ref().map_or(&*no_bounds, |limits| limits.get(position));
        let mut place = self.buckets.find_code(self.buckets.nodes.code(position));
        self.zones.load(self.buckets.nodes.get(position).zone(), zone);
        self.zones.hold(zone);
        let covered = self.is_covered(&place, zone, bounds);
        if covered {
            self.drop_popped(position);
        } else {
            self.delete_covered(&mut place, zone, bounds);
            self.buckets.join_front(&place, position);
        }
        self.postponed = Some(postponed);
        !covered
    }

    /// Lets another list take over all nodes; false if it would be too much at some time.
    fn hand_over(
        &self,
        sink: &mut dyn NodeSink,
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
            if fate::is_stored(node.mark()) {
                self.load(NodeId::from_index(position as usize), fields, zone);
                sink.adopt(fields, zone, node.mark());
            } else {
                let link = if node.mark() == fate::GONE { node.link } else { Link::Node(position) };
                sink.adopt_deleted(node.mark(), link);
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

/// What a mark means for ranks.
const fn standing(mark: u8) -> Standing {
    match mark {
        fate::POPPED => Standing::Popped,
        fate::WAITING => Standing::Waiting,
        fate::STALE => Standing::Stale,
        _ => Standing::Gone,
    }
}

impl<D: Discrete, Z: Zones> NodeSink for List<D, Z> {
    fn adopt(&mut self, discrete: &[i32], zone: &Dbm, mark: u8) {
        let place = self.buckets.find(discrete);
        self.zones.hold(zone);
        let key = self.zones.save();
        if self.postponed.is_some() && mark == fate::WAITING {
            self.buckets.push_alone(key, mark, None);
        } else {
            self.buckets.push_front(&place, key, mark, None);
        }
    }

    fn adopt_deleted(&mut self, mark: u8, link: Link) {
        // With traces the link of a node that is gone means nothing, and may be the code of another form.
        let position = self.buckets.nodes.len() as u32;
        let link = if matches!(link, Link::End(_)) { Link::Node(position) } else { link };
        self.buckets.nodes.push(ZoneKey::from_index(0), mark, false, link);
    }

    fn inherit(&mut self, tables: NodeTables) {
        let NodeTables { free, waiting, ranks, origins, postponed, counts } = tables;
        (self.free, self.waiting, self.ranks) = (free, waiting, ranks);
        (self.origins, self.postponed, self.counts) = (origins, postponed, counts);
    }
}

impl<D: Discrete, Z: Zones> PassedWaiting for List<D, Z> {
    fn offer(&mut self, offered: &Offered<'_>) -> Offer {
        self.zones.hold(offered.zone);
        if self.postponed.is_some() {
            return Offer::Stored(self.postpone(offered));
        }
        let mut place = self.buckets.find(offered.discrete);
        if self.is_covered(&place, offered.zone, offered.bounds) {
            self.counts.refused += 1;
            return Offer::Covered;
        }
        self.delete_covered(&mut place, offered.zone, offered.bounds);
        Offer::Stored(self.insert(Some(&place), offered))
    }

    fn popped_cost(&self) -> u64 {
        self.waiting.popped_cost()
    }

    fn pop(&mut self) -> Option<NodeId> {
        loop {
            let node = self.waiting.pop()?;
            let position = position(node);
            if self.buckets.nodes.mark(position) == fate::STALE {
                self.release(position);
                continue;
            }
            self.buckets.nodes.set_mark(position, fate::POPPED);
            if let Some(ranks) = &mut self.ranks {
                ranks.expand(position);
            }
            self.counts.waiting -= 1;
            if self.pass(position) {
                return Some(node);
            }
        }
    }

    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm) {
        let nodes = &self.buckets.nodes;
        let position = position(node);
        let node = nodes.get(position);
        assert!(fate::is_stored(node.mark()), "a node that is not stored any more");
        self.buckets.discrete.load(nodes.code(position), discrete);
        self.zones.load(node.zone(), zone);
    }

    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        self.origins.as_ref().map(|origins| origins.get(node))
    }

    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_> {
        let nodes = &self.buckets.nodes;
        let stored = (0..nodes.len() as u32).filter(|&position| fate::is_stored(nodes.mark(position)));
        Box::new(stored.map(|position| NodeId::from_index(position as usize)))
    }

    fn counts(&self) -> Counts {
        let (discrete_states, distinct_zones) = (self.buckets.len(), self.zones.len());
        let rank_visits = self.ranks.as_ref().map_or(0, Ranks::visits);
        Counts { discrete_states, distinct_zones, rank_visits, ..self.counts }
    }

    fn repacked(&mut self, settings: &Settings, most_bytes: usize) -> Option<Box<dyn PassedWaiting>> {
        let mut sink = build_sink(settings);
        let (mut fields, mut zone) = (vec![0; settings.ranges.len()], Dbm::zero(settings.dimension));
        if !self.hand_over(&mut *sink, (&mut fields, &mut zone), most_bytes) {
            return None;
        }
        sink.inherit(NodeTables {
            free: self.free.take(),
            waiting: std::mem::replace(&mut self.waiting, Waiting::new(settings.order, settings.seed)),
            ranks: self.ranks.take(),
            origins: self.origins.take(),
            postponed: self.postponed.take(),
            counts: self.counts,
        });
        Some(sink)
    }

    fn memory(&self) -> Memory {
        let limits = self.postponed.as_ref().and_then(|postponed| postponed.limits.as_ref());
        let [discrete, table, nodes] = self.buckets.bytes();
        Memory {
            discrete,
            zones: self.zones.bytes(),
            table,
            nodes,
            waiting: self.waiting.bytes()
                + limits.map_or(0, Limits::bytes)
                + self.ranks.as_ref().map_or(0, Ranks::bytes),
            parents: self.origins.as_ref().map_or(0, Origins::bytes),
        }
    }
}
