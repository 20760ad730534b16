//! What a search sees of the passed/waiting list.

use std::fmt;

use tourbillon_base::define_id;
use tourbillon_dbm::{ClockBounds, Dbm};

use crate::passed::Certainty;
use crate::settings::Settings;

define_id! {
    /// A node of the list: a stored symbolic state.
    pub struct NodeId;
}

/// A state offered to the list.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    /// Locations and variables, each within its range.
    pub discrete: &'a [i32],
    /// The zone. One that has overflowed must not be offered: that it has is not stored.
    pub zone: &'a Dbm,
    /// The constants of the discrete state, and a function of it; looked at only if the cover is a_LU.
    pub bounds: &'a ClockBounds,
    /// The node that this state is a successor of: the one popped last, or none. Kept only with traces and ranks.
    pub parent: Option<NodeId>,
    /// Which step led here from the parent; kept only with traces.
    pub step: u32,
    /// What decides in the orders `cheapest` and, among equal ranks, `ranked`; not looked at in others.
    pub cost: u64,
}

/// What became of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// A stored state covers it.
    Covered,
    /// It is stored and will be popped, unless another covers it first.
    Stored(NodeId),
}

/// Taking a node was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abandoned;

/// One structure for passed and waiting states.
///
/// Every node that is popped and not covered by then is popped once. At any time,
/// `stored + refused + deleted` is the number of offers.
pub trait PassedWaiting: fmt::Debug {
    /// Decides whether a stored state covers this one. If none does, deletes the stored ones that this one
    /// covers, stores it and puts it among the waiting.
    fn offer(&mut self, offered: &Offered<'_>) -> Offer;

    /// Takes the next waiting node; nothing if no node is waiting any more, or if the list is full and was told to end
    /// the search then.
    fn pop(&mut self) -> Option<NodeId>;

    /// The same, unless that takes long and is not wanted any more, which is asked now and then: then the node goes on
    /// waiting.
    ///
    /// # Errors
    /// If it was not wanted any more.
    fn pop_unless(&mut self, _is_over: &dyn Fn() -> bool) -> Result<Option<NodeId>, Abandoned> {
        Ok(self.pop())
    }

    /// The cost that the node popped last was offered with, in the orders `cheapest` and `ranked`; of no meaning in others.
    fn popped_cost(&self) -> u64;

    /// Reads the state of a stored node. One that has been deleted since is gone: read a node when it is popped.
    ///
    /// # Panics
    /// If the node is not stored, or the lengths or dimensions differ from the settings.
    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm);

    /// The parent and the step that an offered node came with, also after it was deleted; nothing without
    /// traces.
    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)>;

    /// Every stored node, in the order of ids.
    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_>;

    /// How many of what.
    fn counts(&self) -> Counts;

    /// Where the memory is.
    fn memory(&self) -> Memory;

    /// The same list in the form of other settings, which are the same in all that is not form: every node has the id
    /// that it has here. Nothing if both would take more memory together than that; else this one is of no use any
    /// more.
    fn repacked(&mut self, _settings: &Settings, _most_bytes: usize) -> Option<Box<dyn PassedWaiting>> {
        None
    }

    /// What is known of new states that were refused all the same; nothing if that cannot be.
    fn certainty(&self) -> Option<Certainty> {
        None
    }
}

/// Numbers of nodes and states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Nodes stored now, waiting ones included.
    pub stored: usize,
    /// The largest number stored at any time.
    pub stored_max: usize,
    /// Offers that a stored node covered; without inclusion on waiting, when they were popped.
    pub refused: usize,
    /// Nodes deleted because a later one covers them.
    pub deleted: usize,
    /// Those of the deleted that had been popped before.
    pub mistakes: usize,
    /// Nodes looked at again to give ranks to others.
    pub rank_visits: usize,
    /// Nodes waiting now.
    pub waiting: usize,
    /// Discrete states; without inclusion on waiting, of popped nodes; 0 if the list does not keep them.
    pub discrete_states: usize,
    /// Zones in memory: with sharing those that differ, without it one for each stored node.
    pub distinct_zones: usize,
    /// Whether the list was rewritten in a smaller form.
    pub is_packed: bool,
}

/// Bytes asked of the allocator and not given back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Memory {
    /// Discrete states.
    pub discrete: usize,
    /// Zones, and what it takes to share them.
    pub zones: usize,
    /// The hash table over discrete states, or the table that stands for visited states.
    pub table: usize,
    /// Nodes.
    pub nodes: usize,
    /// The waiting order, and what is kept to rank nodes or to compare them when they are popped; where visited states
    /// are not kept, those that wait.
    pub waiting: usize,
    /// Parents and steps.
    pub parents: usize,
}

impl Memory {
    /// All of it.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.discrete + self.zones + self.table + self.nodes + self.waiting + self.parents
    }

    /// That of two lists together.
    #[must_use]
    pub const fn and(&self, other: &Self) -> Self {
        Self {
            discrete: self.discrete + other.discrete,
            zones: self.zones + other.zones,
            table: self.table + other.table,
            nodes: self.nodes + other.nodes,
            waiting: self.waiting + other.waiting,
            parents: self.parents + other.parents,
        }
    }
}
