//! Observers of the explore loop. An [`Observer`] sees every expanded node, every successor and every transition, offers the
//! successors to the list, and decides when the search ends.
//!
//! | observer | sees | ends the search |
//! |---|---|---|
//! | the goal (`goal.rs`) | stored states, for a predicate | when one satisfies it |
//! | the lint techniques (`check/src/lint`) | expanded nodes, transitions and whether they are enabled | never |
//! | the bounds checker (`check/src/bounds`) | stored states, for suprema and infima; offers accelerated zones | when no value can improve |
//! | several traces, zone graphs (`check/src/{several,graph}.rs`) | every transition with its target | after a layer; at a number of nodes |
//! | a rank of the cluster (`cluster/src/worker.rs`) | every successor, and sends it to its owner | when a state is found |
//!
//! Observers are trait objects, so that there is one compiled loop. It makes one virtual call for each successor and each
//! transition, which is not measurable beside the computation of the successor.

use tourbillon_dbm::Dbm;
use tourbillon_store::{NodeId, Offer, Offered, PassedWaiting, Probe, StateRef};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Meter};
use crate::cost_function::CostFunction;
use crate::explore::Ended;

/// An observer of an exploration. The default methods explore everything.
pub trait Observer {
    /// Sees a node that was popped, before its successors are computed: the graph is prepared for its state.
    ///
    /// # Errors
    /// If the model fails.
    fn node(
        &mut self,
        _node: NodeId,
        _state: &SymbolicState,
        _graph: &ZoneGraph<'_>,
    ) -> Result<(), RuntimeError> {
        Ok(())
    }

    /// Whether a node that was popped is expanded at all.
    fn visit(&mut self, _node: NodeId, _state: &SymbolicState) -> Visit {
        Visit::Expand
    }

    /// Sees a successor of the node, or an initial state, and offers it to the list.
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        expansion.offer(successor);
    }

    /// Sees a transition of the node that data allows, by its position in the prepared graph, after all its successors.
    /// It is `enabled` if it has a successor.
    ///
    /// # Errors
    /// If the model fails.
    fn transition(
        &mut self,
        _graph: &mut ZoneGraph<'_>,
        _state: &SymbolicState,
        _place: usize,
        _enabled: bool,
    ) -> Result<(), RuntimeError> {
        Ok(())
    }

    /// How the observer ends the search, if it does. Called before each node is popped.
    fn ended(&self) -> Option<Ended> {
        None
    }

    /// How the search ends when no node is waiting.
    fn complete(&self) -> Ended {
        Ended::Complete
    }

    /// The memory of the observer, which counts towards the limit on memory.
    fn memory_bytes(&self) -> usize {
        0
    }
}

/// Explores everything and stores nothing.
impl Observer for () {}

/// What the loop does with a node that was popped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// Its successors are computed.
    Expand,
    /// It is not expanded, and not counted as visited.
    Skip,
    /// The search ends as if no node was waiting.
    End,
}

/// The expansion of one node, or the computation of the initial state: it offers successors to the list and counts them.
#[derive(Debug)]
pub struct Expansion<'a> {
    system: &'a System,
    list: &'a mut dyn PassedWaiting,
    probe: &'a mut Probe,
    cost_function: &'a CostFunction,
    parent: Option<NodeId>,
    meter: Meter,
    pub(crate) transitions: u64,
    pub(crate) overflowed: bool,
}

impl<'a> Expansion<'a> {
    #[inline]
    pub(crate) fn new(
        system: &'a System,
        (list, probe): (&'a mut dyn PassedWaiting, &'a mut Probe),
        cost_function: &'a CostFunction,
        parent: Option<NodeId>,
        budget: &Budget<'_>,
    ) -> Self {
        let meter = budget.meter(system);
        Self { system, list, probe, cost_function, parent, meter, transitions: 0, overflowed: false }
    }

    /// The node that is expanded; none for the initial state.
    #[must_use]
    pub const fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// Whether the zone of a successor has overflowed.
    #[must_use]
    pub const fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    #[must_use]
    pub fn list(&self) -> &dyn PassedWaiting {
        &*self.list
    }

    /// Offers a successor to the list. Returns the node if it is stored.
    #[inline]
    pub fn offer(&mut self, successor: &Successor<'_>) -> Option<NodeId> {
        self.offer_zone(successor, successor.zone)
    }

    /// Offers another zone at the discrete state of a successor; it counts as a transition of its own.
    #[inline]
    pub fn offer_zone(&mut self, successor: &Successor<'_>, zone: &Dbm) -> Option<NodeId> {
        self.offer_step(successor, zone, successor.ordinal)
    }

    /// Offers a zone with another ordinal for the transition to it.
    #[inline]
    pub fn offer_step(&mut self, successor: &Successor<'_>, zone: &Dbm, step: u32) -> Option<NodeId> {
        let cost = self.count(successor, zone)?;
        let offered = Offered { state: self.state(successor, zone), parent: self.parent, step, cost };
        match self.list.offer(&offered, self.probe) {
            Offer::Stored(node) => Some(node),
            Offer::Covered => None,
        }
    }

    /// Counts a successor as a transition. Returns its cost; `None` if its zone has overflowed, so that no rank can store it.
    #[inline]
    pub fn count(&mut self, successor: &Successor<'_>, zone: &Dbm) -> Option<u64> {
        self.transitions += 1;
        self.meter.offered(|| self.list.memory().total());
        if zone.overflowed() {
            self.overflowed = true;
            return None;
        }
        Some(self.cost_function.cost(self.system, successor.memory, zone))
    }

    /// The stored node that covers a successor; `None` in lists without single nodes.
    pub fn covering(&mut self, successor: &Successor<'_>) -> Option<NodeId> {
        self.list.covering(&self.state(successor, successor.zone), self.probe)
    }

    #[inline]
    fn state<'s>(&self, successor: &Successor<'s>, zone: &'s Dbm) -> StateRef<'s> {
        let discrete = &successor.memory[..self.system.layout.fields()];
        StateRef { discrete, zone, parameters: successor.bounds.into() }
    }
}
