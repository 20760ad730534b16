//! The interface of lists that change in rounds, and the list that the nodes of a chunk are expanded with.
//!
//! The exact list (`mod.rs`) and the probabilistic ones (`passed/shards.rs`) have it. All methods take the list by `&self`, since the
//! threads of a round share it: a method that changes a part has its lock.

use std::fmt;
use std::ops::Range;

use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::Candidates;
use crate::interface::{Counts, Memory, NodeId, Offer, Offered, PassedList, PassedWaiting, StateRef};
use crate::probe::Probe;

/// A list that changes in rounds.
pub trait RoundList: PassedWaiting {
    /// Selects the nodes of the next round, with their costs: those of least cost, as many as fit; if they are few, those of the
    /// next costs too. A round has at least `width` nodes if so many wait. A round that was not finished is selected again.
    fn select(&self, width: usize, round: &mut Vec<(NodeId, u64)>);

    /// Makes a round that was selected, and not finished, half as wide; the other nodes wait again, before all others of their cost,
    /// and its candidates count no more. Returns false if it has one node.
    fn narrow(&self) -> bool;

    /// Read access for one thread.
    fn reader(&self) -> Box<dyn RoundReader + '_>;

    /// Saves the zones of candidates that are new, and keeps the others from being freed; to be called for each chunk, in their
    /// order.
    fn intern(&self, chunk: &mut Candidates, memory: &mut InsertMemory);

    /// Inserts the candidates of these shards that no stored state covers, and deletes the nodes that they cover.
    fn insert(
        &self,
        shards: Range<usize>,
        chunks: &mut dyn Iterator<Item = &Candidates>,
        memory: &mut InsertMemory,
        bounds: &mut dyn BoundsSource,
    );

    /// Ends a round: new nodes wait, in the order of their candidates, and zones that no node has are freed.
    fn finish(&self, chunks: &mut dyn Iterator<Item = &Candidates>);

    /// Counts the memory of candidates no more.
    fn forget_candidates(&self);
}

/// Read access to a list, while nothing changes it.
pub trait RoundReader: fmt::Debug + Sync {
    /// Reads the state of a node of the round that is expanded now. Returns the node as its successors have it as their parent.
    fn visit(&self, node: NodeId, chunk: &mut Candidates, discrete: &mut [i32], zone: &mut Dbm) -> NodeId;

    /// As [`PassedList::load`].
    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm);

    fn is_stored(&self, node: NodeId) -> bool;

    /// As [`PassedList::covers`].
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool;

    /// As [`PassedList::covering`].
    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId>;

    /// Adds an offered state to the candidates, if no stored state covers it. The id of the result is that of a candidate.
    fn offer(&self, chunk: &mut Candidates, offered: &Offered<'_>, probe: &mut Probe) -> Offer;

    /// The memory of the list.
    fn bytes(&self) -> usize;
}

/// The clock bounds of discrete states.
pub trait BoundsSource {
    fn bounds_of(&mut self, discrete: &[i32]) -> &ClockBounds;
}

/// The memory of a thread for candidates.
#[derive(Debug)]
pub struct InsertMemory {
    pub(crate) zone: Dbm,
    pub(crate) probe: Probe,
}

impl InsertMemory {
    #[must_use]
    pub fn new(dimension: Dimension) -> Self {
        Self { zone: Dbm::zero(dimension), probe: Probe::new() }
    }
}

/// The list that the nodes of a chunk are expanded with: it reads the shards, and collects the candidates. The id of an offer
/// that is stored is that of a candidate, not of a node.
#[derive(Debug)]
pub struct CandidateList<'c, 't> {
    reader: &'c (dyn RoundReader + 't),
    pub candidates: &'c mut Candidates,
}

impl<'c, 't> CandidateList<'c, 't> {
    #[must_use]
    pub const fn new(reader: &'c (dyn RoundReader + 't), candidates: &'c mut Candidates) -> Self {
        Self { reader, candidates }
    }
}

impl PassedList for CandidateList<'_, '_> {
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool {
        self.reader.covers(state, probe)
    }

    fn covering(&self, state: &StateRef<'_>, probe: &mut Probe) -> Option<NodeId> {
        self.reader.covering(state, probe)
    }

    fn is_stored(&self, node: NodeId) -> bool {
        self.reader.is_stored(node)
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

    /// The memory of the list and of the candidates of this chunk, for the limit on memory within a chunk.
    fn memory(&self) -> Memory {
        Memory { waiting: self.reader.bytes() + self.candidates.bytes(), ..Memory::default() }
    }
}

impl PassedWaiting for CandidateList<'_, '_> {
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer {
        self.reader.offer(self.candidates, offered, probe)
    }

    fn popped_cost(&self) -> u64 {
        0
    }

    fn pop(&mut self) -> Option<NodeId> {
        None
    }
}
