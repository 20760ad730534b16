//! What a search sees of the passed/waiting list.

use std::fmt;

use tourbillon_base::define_id;
use tourbillon_dbm::Dbm;

use crate::cover::CoverParameters;
use crate::passed::Certainty;
use crate::probe::Probe;
use crate::settings::Settings;

define_id! {
    /// A node of the list: a stored symbolic state.
    pub struct NodeId;
}

/// A symbolic state that is compared with stored ones.
#[derive(Clone, Copy, Debug)]
pub struct StateRef<'a> {
    /// Locations and variables, each within its range.
    pub discrete: &'a [i32],
    /// The zone. One that has overflowed must not be offered: that it has is not stored.
    pub zone: &'a Dbm,
    /// What the cover relation needs to know of the discrete state, and a function of it.
    pub parameters: CoverParameters<'a>,
}

/// A state offered to a list, and where it came from.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    /// The state.
    pub state: StateRef<'a>,
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

/// An operation that was given up when it took long and was not wanted any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// What can be asked of a passed list. Nothing of it changes the list, so that several threads may ask at once.
pub trait PassedList: fmt::Debug + Send + Sync {
    /// Whether a stored state covers this one. Without inclusion on waiting, only visited states are looked at. An offer of a
    /// state that is covered would be refused.
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool;

    /// The stored node that covers a state; none if no node does, or if the list does not keep nodes one by one.
    fn covering(&self, _state: &StateRef<'_>, _probe: &mut Probe) -> Option<NodeId> {
        None
    }

    /// Whether a node that was stored still is. Only with traces is the id of a deleted node not used again.
    fn is_stored(&self, node: NodeId) -> bool;

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

    /// Numbers of nodes and states.
    fn counts(&self) -> Counts;

    /// Bytes, by what they are used for.
    fn memory(&self) -> Memory;

    /// What is known of new states that were refused all the same; nothing if that cannot be.
    fn certainty(&self) -> Option<Certainty> {
        None
    }
}

/// A passed list that is also the waiting list: what is offered to it, and popped.
///
/// Every node that is popped and not covered by then is popped once. At any time,
/// `stored + refused + deleted` is the number of offers.
pub trait PassedWaiting: PassedList {
    /// Decides whether a stored state covers this one. If none does, deletes the stored ones that this one
    /// covers, stores it and puts it among the waiting.
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer;

    /// Takes the next waiting node; nothing if no node is waiting any more, or if the list is full and was told to end
    /// the search then.
    fn pop(&mut self) -> Option<NodeId>;

    /// The same, unless that takes long and `is_over` answers yes, which is asked now and then: then the node goes on
    /// waiting.
    ///
    /// # Errors
    /// If `is_over` answered yes.
    fn pop_unless(&mut self, _is_over: &dyn Fn() -> bool) -> Result<Option<NodeId>, Interrupted> {
        Ok(self.pop())
    }

    /// The cost that the node popped last was offered with, in the orders `cheapest` and `ranked`; of no meaning in others.
    fn popped_cost(&self) -> u64;

    /// The same list in the form of other settings, which are the same in all that is not form: every node has the id
    /// that it has here. Nothing if both would take more memory together than that; else this one is of no use any
    /// more.
    fn repacked(&mut self, _settings: &Settings, _most_bytes: usize) -> Option<Box<dyn PassedWaiting>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coloured::Coloured;
    use crate::handles::UnionHandles;

    /// Lists may be asked by several threads at once, and handed from one to another. That every list is, is what the
    /// traits require of it: this fails to compile if they cease to.
    #[test]
    fn lists_are_shared_between_threads() {
        const fn is_shared<T: Send + Sync + ?Sized>() {}
        const {
            is_shared::<dyn PassedList>();
            is_shared::<dyn PassedWaiting>();
            is_shared::<dyn Coloured>();
            is_shared::<UnionHandles>();
            is_shared::<Probe>();
        }
    }
}
