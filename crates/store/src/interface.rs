//! The interface of the passed/waiting list.

use std::fmt;

use tourbillon_base::define_id;
use tourbillon_dbm::Dbm;

use crate::cover::CoverParameters;
use crate::passed::Certainty;
use crate::probe::Probe;
use crate::repack::Packing;
use crate::settings::Settings;
use crate::shards::RoundList;

define_id! {
    /// A node of the list: a stored symbolic state.
    pub struct NodeId;
}

/// A symbolic state that is compared with stored ones.
#[derive(Clone, Copy, Debug)]
pub struct StateRef<'a> {
    /// Locations and variables, each within its range.
    pub discrete: &'a [i32],
    /// The zone. A zone that has overflowed must not be offered: the overflow is not stored.
    pub zone: &'a Dbm,
    /// The parameters of the cover relation, a function of the discrete state.
    pub parameters: CoverParameters<'a>,
}

/// A state that is offered to a list, with its origin.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    pub state: StateRef<'a>,
    /// The predecessor: the node popped last, or none. Stored only with traces and ranks.
    pub parent: Option<NodeId>,
    /// The transition from the parent; stored only with traces.
    pub step: u32,
    /// The cost for the order `cheapest` and, among equal ranks, for `ranked`; ignored by other orders.
    pub cost: u64,
}

/// The result of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// A stored state covers it.
    Covered,
    /// It is stored and will be popped, unless another state covers it first.
    Stored(NodeId),
}

/// A list that was divided, and the new id of each of its nodes; none for nodes that nothing refers to any more.
pub type Divided = (Box<dyn PassedWaiting>, Vec<Option<NodeId>>);

/// A long operation was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Queries of a passed list. They do not change the list, so several threads may use them at the same time.
pub trait PassedList: fmt::Debug + Send + Sync {
    /// Whether a stored state covers this one, so that an offer of it would be refused; with the adaptive cover, whether
    /// one covers it by a_LU, so that an offer of it may be refused. Without inclusion on waiting, only visited states are
    /// compared.
    fn covers(&self, state: &StateRef<'_>, probe: &mut Probe) -> bool;

    /// The stored node that covers a state; none if no node does, or if the list does not keep nodes one by one.
    fn covering(&self, _state: &StateRef<'_>, _probe: &mut Probe) -> Option<NodeId> {
        None
    }

    /// Whether a node that was stored still is. Only with traces is the id of a deleted node not used again.
    fn is_stored(&self, node: NodeId) -> bool;

    /// Reads the state of a stored node. A deleted node cannot be read: read a node when it is popped.
    ///
    /// # Panics
    /// If the node is not stored, or the lengths or dimensions differ from the settings.
    fn load(&self, node: NodeId, discrete: &mut [i32], zone: &mut Dbm);

    /// The parent and the transition of a node, even after its deletion; `None` without traces.
    fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)>;

    /// All stored nodes, in the order of ids.
    fn stored_nodes(&self) -> Box<dyn Iterator<Item = NodeId> + '_>;

    /// Visits all stored states, those of lists that do not keep nodes one by one too; a probabilistic list shows none. The discrete
    /// state and the zone are memory that is overwritten.
    fn for_each_stored(&self, discrete: &mut [i32], zone: &mut Dbm, visit: &mut dyn FnMut(&[i32], &Dbm)) {
        for node in self.stored_nodes() {
            self.load(node, discrete, zone);
            visit(discrete, zone);
        }
    }

    fn counts(&self) -> Counts;

    /// The memory in use, by purpose.
    fn memory(&self) -> Memory;

    /// The omission probability of a probabilistic list; `None` for an exact list.
    fn certainty(&self) -> Option<Certainty> {
        None
    }
}

/// A passed list that is also the waiting list.
///
/// Every node that is popped and not covered by then is popped once. At any time, `stored + refused + deleted` is the
/// number of offers.
pub trait PassedWaiting: PassedList {
    /// Offers a state. If no stored state covers it, deletes the stored ones that it covers, stores it and adds it to
    /// the waiting list.
    fn offer(&mut self, offered: &Offered<'_>, probe: &mut Probe) -> Offer;

    /// Removes the next waiting node; `None` if no node is waiting, or if the list is full and ends the search then.
    fn pop(&mut self) -> Option<NodeId>;

    /// As [`Self::pop`], but may be interrupted if it takes long: it polls `is_over`, and the node stays in the waiting
    /// list if that returns true.
    ///
    /// # Errors
    /// If `is_over` answered yes.
    fn pop_unless(&mut self, _is_over: &dyn Fn() -> bool) -> Result<Option<NodeId>, Interrupted> {
        Ok(self.pop())
    }

    /// The cost of the node popped last, for the orders `cheapest` and `ranked`; meaningless for others.
    fn popped_cost(&self) -> u64;

    /// The same list in shards, for rounds, and the new id of each node; then this list must not be used any more. `None` if it
    /// cannot be divided. It is rewritten in a smaller form later, if that is planned.
    fn in_shards(&mut self, _settings: &Settings, _packing: Packing) -> Option<Divided> {
        None
    }

    /// This list, if it is in shards.
    fn rounds(&self) -> Option<&dyn RoundList> {
        None
    }

    /// The same list in the storage forms of other settings, which agree in everything else: every node keeps its id.
    /// `None` if both lists together would exceed this memory; otherwise this list must not be used any more.
    fn repacked(&mut self, _settings: &Settings, _most_bytes: usize) -> Option<Box<dyn PassedWaiting>> {
        None
    }
}

/// Numbers of nodes and states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Nodes stored now, including waiting ones.
    pub stored: usize,
    /// The maximum number of stored nodes at any time.
    pub stored_max: usize,
    /// Offers that a stored node covered; without inclusion on waiting, counted when they are popped.
    pub refused: usize,
    /// Nodes deleted because a later node covers them.
    pub deleted: usize,
    /// Deleted nodes that had been popped before.
    pub mistakes: usize,
    /// Nodes visited again to compute ranks.
    pub rank_visits: usize,
    pub waiting: usize,
    /// Discrete states; without inclusion on waiting, those of popped nodes; 0 if the list does not store them.
    pub discrete_states: usize,
    /// Zones in memory: distinct ones with sharing, otherwise one for each stored node.
    pub distinct_zones: usize,
    /// Whether the list was rewritten in a smaller form.
    pub is_packed: bool,
}

/// Allocated bytes, by purpose.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Memory {
    pub discrete: usize,
    /// Zones, and the tables for sharing.
    pub zones: usize,
    /// The hash table over discrete states, or the table of a probabilistic list.
    pub table: usize,
    pub nodes: usize,
    /// The waiting list, with the data for ranks and for comparisons at pop time; for lists that do not store visited
    /// states, the waiting states.
    pub waiting: usize,
    /// Parents and transitions.
    pub parents: usize,
}

impl Memory {
    #[must_use]
    pub const fn total(&self) -> usize {
        self.discrete + self.zones + self.table + self.nodes + self.waiting + self.parents
    }

    /// The memory of two lists together.
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

    /// Several threads may query a list at the same time, and a list may move between threads. The traits require this:
    /// if they cease to, this does not compile.
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
