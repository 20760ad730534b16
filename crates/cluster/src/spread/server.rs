//! The band of a rank, and the queries that pass through it.
//!
//! A query has the nodes of this band that must include a zone, the nodes to which it must be added if they do not, and the
//! slices of the zone from the first level of this band on. It has one of three results here:
//!
//! | the zone | result |
//! |---|---|
//! | is included in all of the nodes, without nodes below | *known*: it is added nowhere |
//! | is not included, and has nothing to add below | added here: the answer is the resulting nodes |
//! | else | a query to the band below, whose answer is awaited here |
//!
//! The queries of one message are answered in one message. One that a band could answer at once waits for the others, so there
//! is one message up for each message down.

use std::collections::BTreeMap;
use std::ops::Range;

use tourbillon_check::Moved;
use tourbillon_dbm::Dimension;
use tourbillon_dd::{Band, Compact, Handle, LayerWeight, Settings, Slice};

use super::balance::{Balance, Cuts};
use super::collection::Collection;
use super::moving::Lowering;
use super::wire::{
    handles, number, put_bands, put_handles, put_number, put_slices, put_weights, slices, weights,
};
use super::{Group, Topic};
use crate::endpoint::Mailbox;
use crate::message::Reader;

/// The answer to a query: the zone is known.
pub(super) const KNOWN: u8 = 0;
/// The zone was added, and the nodes that it was added to follow.
pub(super) const ADDED: u8 = 1;

/// The status of a zone on its way down: it may be included.
pub(super) const UNDECIDED: u8 = 0;
/// It is not included, by a band above.
pub(super) const NEW: u8 = 1;

/// If levels move at every collection, the number of answers after which a band requests one.
const ANSWERS_PER_COLLECTION: u32 = 3;

/// A band that has more of the addresses that it can have is full: what is left is room for what is on its way.
const ADDRESSES_MAX: u32 = Band::<Compact>::ADDRESSES_MAX / 16 * 15;

/// A rank's part of a diagram.
#[derive(Debug)]
pub(super) struct BandServer {
    pub(super) group: Group,
    /// `None` on a rank without levels.
    band: Option<Band>,
    /// The band's levels, and how many there are in all.
    pub(super) levels: Range<usize>,
    all_levels: usize,
    is_last: bool,
    addresses_max: u32,
    /// Queries that wait for an answer from below.
    pending: BTreeMap<u32, QueryBatch>,
    asked: u32,
    /// On the first rank of the group.
    pub(super) collection: Collection,
    cuts: Cuts,
    moves_always: bool,
    /// How many times it has answered since the last collection.
    answered: u32,
    /// While layers may move: the nodes that are used from above, and what is known of the band below.
    pub(super) used: Vec<Handle>,
    pub(super) lowering: Option<Lowering>,
    /// What the band took after the last collection.
    pub(super) swept_bytes: usize,
    pub(super) moved: Moved,
    /// What is read of a message: the nodes that must include a zone, here and below, and the zone.
    nodes: Vec<Handle>,
    below: Vec<Handle>,
    slices: Vec<Slice>,
    pairs: Vec<(Handle, Handle)>,
}

/// Queries that came together, and what became of each.
#[derive(Debug, Default)]
struct QueryBatch {
    from: usize,
    number: u32,
    /// Whether the band below requests a collection.
    wants: bool,
    queries: Vec<QueryStatus>,
    /// Nodes that zones are added to; in the end, what they have become.
    nodes: Vec<Handle>,
    /// The nodes that these lead to in the band below.
    below: Vec<Handle>,
    /// The zones that wait.
    slices: Vec<Slice>,
}

#[derive(Clone, Debug)]
struct QueryStatus {
    nodes: Range<usize>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Known,
    Added,
    /// Waits for what becomes of these nodes below; the zone is at this place among the slices.
    Waits {
        below: Range<usize>,
        slices: usize,
    },
}

impl BandServer {
    /// Of a rank of a group, with no nodes yet.
    pub(super) fn new(group: Group, of: (Dimension, Settings), all_levels: usize, balance: Balance) -> Self {
        let (dimension, settings) = of;
        let bands = group.bands(all_levels);
        let number = group.rank - group.first;
        let levels = bands.get(number).cloned().unwrap_or(all_levels..all_levels);
        let band = (number < bands.len()).then(|| {
            Band::new(dimension, settings, levels.clone()).expect("the plan limits the number of clocks")
        });
        Self {
            group,
            band,
            levels,
            all_levels,
            is_last: number + 1 >= bands.len(),
            addresses_max: ADDRESSES_MAX,
            pending: BTreeMap::new(),
            asked: 0,
            collection: Collection::new(group.size),
            cuts: Cuts::new(balance, bands),
            moves_always: balance == Balance::Always,
            answered: 0,
            used: Vec::new(),
            lowering: None,
            swept_bytes: 0,
            moved: Moved::default(),
            nodes: Vec::new(),
            below: Vec::new(),
            slices: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Whether a rank has the band below.
    pub(super) const fn is_below(&self, rank: usize) -> bool {
        !self.is_last && rank == self.group.rank + 1
    }

    /// Which band of the group it has, counted from the top.
    pub(super) const fn number(&self) -> usize {
        self.group.rank - self.group.first
    }

    pub(super) fn band(&mut self) -> &mut Band {
        self.band.as_mut().expect("a rank without levels gets no queries")
    }

    pub(super) fn bytes(&self) -> usize {
        self.band.as_ref().map_or(0, Band::bytes)
    }

    /// Whether nodes nearly run out of addresses.
    pub(super) fn is_full(&self) -> bool {
        self.band.as_ref().is_some_and(|band| band.addresses() > self.addresses_max)
    }

    /// The number of nodes that are no entries, and that of entries.
    #[cfg(test)]
    pub(super) fn nodes(&self) -> (usize, usize) {
        let (nodes, entries) = self.band.as_ref().map_or((0, 0), Band::nodes);
        (nodes - entries, entries)
    }

    /// Lets the band be full with fewer addresses.
    #[cfg(test)]
    pub(super) const fn limit_addresses(&mut self, most: u32) {
        self.addresses_max = most;
    }

    /// Begins a collection, unless there is one.
    #[cfg(test)]
    pub(super) fn begin_collection(&mut self) -> bool {
        self.collection.begin()
    }

    pub(super) fn descend(&mut self, from: usize, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let mut batch = QueryBatch { from, number: number(reader), ..QueryBatch::default() };
        let mut down = Topic::Down.begin(mailbox);
        put_number(&mut down, self.asked);
        let empty = down.len();
        while !reader.is_empty() {
            let query = self.process(reader, &mut batch, &mut down);
            batch.queries.push(query);
        }
        if down.len() == empty {
            self.answer(&batch, mailbox);
        } else {
            mailbox.send(self.group.rank + 1, down);
            self.pending.insert(self.asked, batch);
            self.asked = self.asked.wrapping_add(1);
        }
    }

    /// Decodes a query and answers it, or appends a query to the band below.
    fn process(
        &mut self,
        reader: &mut Reader<'_>,
        batch: &mut QueryBatch,
        down: &mut Vec<u8>,
    ) -> QueryStatus {
        let Self { band, nodes, below, slices: zone, .. } = self;
        let band = band.as_mut().expect("a rank without levels gets no queries");
        nodes.clear();
        below.clear();
        zone.clear();
        let is_new = reader.u8() == NEW;
        if !is_new {
            handles(reader, nodes);
        }
        let base = batch.nodes.len();
        let added = base..base + handles(reader, &mut batch.nodes);
        slices(reader, self.all_levels - self.levels.start, zone);
        let may_include = !is_new && band.ask(nodes, zone, below);
        if may_include && below.is_empty() {
            return QueryStatus { nodes: added, state: State::Known };
        }
        let base = batch.below.len();
        band.reach(&batch.nodes[added.clone()], zone, &mut batch.below);
        let reached = base..batch.below.len();
        if !may_include && reached.is_empty() {
            band.unite(&mut batch.nodes[added.clone()], zone, &[]);
            return QueryStatus { nodes: added, state: State::Added };
        }
        if may_include {
            down.push(UNDECIDED);
            put_handles(down, below);
        } else {
            down.push(NEW);
        }
        put_handles(down, &batch.below[reached.clone()]);
        put_slices(down, &zone[self.levels.len()..]);
        let state = State::Waits { below: reached, slices: batch.slices.len() };
        batch.slices.extend_from_slice(zone);
        QueryStatus { nodes: added, state }
    }

    /// Handles answers from the band below.
    pub(super) fn ascend(&mut self, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let number = number(reader);
        let mut batch = self.pending.remove(&number).expect("an answer has a query");
        batch.wants = reader.u8() != 0;
        let mut queries = std::mem::take(&mut batch.queries);
        for query in &mut queries {
            self.resolve(query, reader, &mut batch);
        }
        batch.queries = queries;
        self.answer(&batch, mailbox);
    }

    /// Computes the result of a query from the answer below.
    fn resolve(&mut self, query: &mut QueryStatus, reader: &mut Reader<'_>, batch: &mut QueryBatch) {
        let State::Waits { below, slices } = &query.state else { return };
        let QueryBatch { nodes, below: reached, slices: zones, .. } = batch;
        if reader.u8() == KNOWN {
            query.state = State::Known;
            return;
        }
        self.nodes.clear();
        handles(reader, &mut self.nodes);
        self.pairs.clear();
        self.pairs.extend(reached[below.clone()].iter().copied().zip(self.nodes.iter().copied()));
        let band = self.band.as_mut().expect("a rank without levels has no queries");
        let rest = self.all_levels - self.levels.start;
        band.unite(&mut nodes[query.nodes.clone()], &zones[*slices..][..rest], &self.pairs);
        query.state = State::Added;
    }

    /// Answers a batch of queries, all of which have results.
    fn answer(&mut self, batch: &QueryBatch, mailbox: &mut dyn Mailbox) {
        self.answered += 1;
        let is_due = self.moves_always && self.answered >= ANSWERS_PER_COLLECTION;
        let wants = batch.wants || is_due || self.band.as_ref().is_some_and(Band::wants_collection);
        let mut up = Topic::Up.begin(mailbox);
        put_number(&mut up, batch.number);
        up.push(u8::from(wants));
        for query in &batch.queries {
            match query.state {
                State::Known => up.push(KNOWN),
                State::Added => {
                    up.push(ADDED);
                    put_handles(&mut up, &batch.nodes[query.nodes.clone()]);
                }
                State::Waits { .. } => unreachable!("the band below answers all queries"),
            }
        }
        mailbox.send(batch.from, up);
        if wants && self.group.rank == self.group.first && self.collection.begin() {
            self.group.ranks().for_each(|rank| Topic::Gather.send(mailbox, rank));
        }
    }

    /// Adds the handles of an owner; after the last, the collection goes down.
    pub(super) fn gather(&mut self, from: usize, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        if let Some(roots) = self.collection.gather(from, reader) {
            let weighs = self.cuts.wants_weights();
            self.collect(roots, BandWeights { weighs, ..BandWeights::default() }, mailbox);
        }
    }

    /// Deletes the nodes of the band that are not in use.
    pub(super) fn sweep(&mut self, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let mut used = Vec::new();
        handles(reader, &mut used);
        let weighed = BandWeights::read(reader);
        self.collect(used, weighed, mailbox);
    }

    fn collect(&mut self, used: Vec<Handle>, mut weighed: BandWeights, mailbox: &mut dyn Mailbox) {
        debug_assert!(self.pending.is_empty(), "no root leads to the nodes of queries in transit");
        let mut below = Vec::new();
        let band = self.band.as_mut().expect("a rank without levels collects nothing");
        band.collect(used.iter().copied(), &mut below);
        weighed.bytes += band.node_bytes();
        if weighed.weighs {
            weighed.layers.extend(band.weigh(&used));
            self.used = used;
        }
        (self.answered, self.swept_bytes) = (0, band.bytes());
        if self.is_last {
            let mut swept = Topic::Swept.begin(mailbox);
            weighed.put(&mut swept);
            mailbox.send(self.group.first, swept);
        } else {
            let mut sweep = Topic::Sweep.begin(mailbox);
            put_handles(&mut sweep, &below);
            weighed.put(&mut sweep);
            mailbox.send(self.group.rank + 1, sweep);
        }
    }

    /// All bands are swept: levels move, or the group continues.
    pub(super) fn swept(&mut self, reader: &mut Reader<'_>, mailbox: &mut dyn Mailbox) {
        let weighed = BandWeights::read(reader);
        if let Some(to) = self.cuts.note(weighed.bytes, &weighed.layers) {
            let mut message = Topic::Cuts.begin(mailbox);
            put_bands(&mut message, &to.bands);
            mailbox.send(self.group.first + to.begins, message);
            return;
        }
        self.collection.end();
        self.group.ranks().for_each(|rank| Topic::Resume.send(mailbox, rank));
    }

    /// The group continues.
    pub(super) fn resume(&mut self) {
        self.used = Vec::new();
    }
}

/// The sizes of the swept bands, from the top.
#[derive(Debug, Default)]
struct BandWeights {
    /// Whether layers are weighed.
    weighs: bool,
    /// The bytes of all nodes.
    bytes: u64,
    layers: Vec<LayerWeight>,
}

impl BandWeights {
    fn read(reader: &mut Reader<'_>) -> Self {
        let (weighs, bytes) = (reader.u8() != 0, reader.u64());
        Self { weighs, bytes, layers: weights(reader) }
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.weighs));
        out.extend(self.bytes.to_le_bytes());
        put_weights(out, &self.layers);
    }
}
