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
//! Only an observer that sees nothing but successors can have transient states (`transient.rs`): these are no nodes.
//!
//! Observers are trait objects, so that there is one compiled loop. It makes one virtual call for each successor and each
//! transition, which is not measurable beside the computation of the successor.

use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_store::{NodeId, Offer, Offered, PassedWaiting, Probe, StateRef};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::budget::Meter;
use crate::cost_function::CostFunction;
use crate::expander::{Expanded, ExpansionFailure};
use crate::explore::Ended;
use crate::transient::{Arrival, TransientState, TransientStates};

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

    /// Whether a transient successor is stored nevertheless (`transient.rs`).
    fn stores_transient(&mut self, _successor: &Successor<'_>) -> bool {
        false
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
    cost_function: &'a mut CostFunction,
    transients: Option<&'a mut TransientStates>,
    parent: Option<NodeId>,
    meter: Meter,
    pub(crate) counts: ExpansionCounts,
    pub(crate) overflowed: bool,
}

/// The counts of one expansion, or of several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ExpansionCounts {
    /// The successors that were computed so far.
    pub(crate) transitions: u64,
    /// Those that are followed and not offered.
    pub(crate) transient: u64,
    /// Those that equal a transient state of the same expansion, or that were found covered without an offer.
    pub(crate) repeated: u64,
}

impl ExpansionCounts {
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            transitions: self.transitions + other.transitions,
            transient: self.transient + other.transient,
            repeated: self.repeated + other.repeated,
        }
    }
}

impl<'a> Expansion<'a> {
    #[inline]
    pub(crate) fn new(
        system: &'a System,
        (list, probe): (&'a mut dyn PassedWaiting, &'a mut Probe),
        cost_function: &'a mut CostFunction,
        parent: Option<NodeId>,
        meter: Meter,
    ) -> Self {
        let counts = ExpansionCounts::default();
        Self {
            system,
            list,
            probe,
            cost_function,
            transients: None,
            parent,
            meter,
            counts,
            overflowed: false,
        }
    }

    /// What the expansion has done.
    #[inline]
    pub(crate) fn ended(self, failure: Option<ExpansionFailure>) -> Expanded {
        Expanded { counts: self.counts, overflowed: self.overflowed, failure }
    }

    /// Follows transient states, if there is memory for them.
    #[inline]
    pub(crate) fn follow(&mut self, transients: Option<&'a mut TransientStates>) {
        self.transients = transients;
        if let Some(transients) = &mut self.transients {
            transients.begin();
        }
    }

    /// Passes a successor to the observer, or adds it to those that are followed if it is transient.
    #[inline]
    pub(crate) fn receive(&mut self, successor: &Successor<'_>, observer: &mut dyn Observer) {
        match self.transients.as_ref().map_or(Arrival::Offered, |transients| transients.arrival(successor)) {
            Arrival::Offered => observer.successor(successor, self),
            Arrival::Transient { is_long } if is_long && self.covers(successor) => self.count_repeated(),
            Arrival::Transient { .. } if observer.stores_transient(successor) => {
                observer.successor(successor, self);
            }
            Arrival::Transient { .. } => self.add_transient(successor),
            Arrival::Repeated => self.count_repeated(),
        }
    }

    /// Counts a successor that equals a transient state, or that a stored state covers.
    fn count_repeated(&mut self) {
        self.counts.transitions += 1;
        self.counts.repeated += 1;
    }

    #[cold]
    fn covers(&mut self, successor: &Successor<'_>) -> bool {
        self.list.covers(&self.state(successor, successor.zone), self.probe)
    }

    fn add_transient(&mut self, successor: &Successor<'_>) {
        let Some(cost) = self.count(successor, successor.zone) else { return };
        self.counts.transient += 1;
        if let Some(transients) = &mut self.transients {
            transients.add(successor, cost);
        }
    }

    /// Departs from the next transient state, which is copied. Returns false if there is none.
    #[inline]
    pub(crate) fn next_transient(&mut self, next: &mut TransientState) -> bool {
        let is_any = self.transients.as_mut().is_some_and(|transients| transients.next(next));
        if is_any {
            self.cost_function.depart(self.system, &next.state.memory, next.cost);
        }
        is_any
    }

    /// Stores a transient state whose successors could not be computed, so that it has a path.
    #[cold]
    pub(crate) fn store_transient(
        &mut self,
        transient: &TransientState,
        bounds: &ClockBounds,
    ) -> Option<NodeId> {
        let TransientState { state, cost, chain, .. } = transient;
        let discrete = &state.memory[..self.system.layout.fields()];
        let state = StateRef { discrete, zone: &state.zone, parameters: bounds.into() };
        self.offer_state(&Offered { state, parent: self.parent, step: *chain, cost: *cost })
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
        let step = match &mut self.transients {
            Some(transients) => transients.chain(successor.ordinal),
            None => successor.ordinal,
        };
        self.offer_step(successor, zone, step)
    }

    /// Offers a zone with another ordinal for the transition to it.
    #[inline]
    pub fn offer_step(&mut self, successor: &Successor<'_>, zone: &Dbm, step: u32) -> Option<NodeId> {
        let cost = self.count(successor, zone)?;
        self.offer_state(&Offered { state: self.state(successor, zone), parent: self.parent, step, cost })
    }

    #[inline]
    fn offer_state(&mut self, offered: &Offered<'_>) -> Option<NodeId> {
        match self.list.offer(offered, self.probe) {
            Offer::Stored(node) => {
                if let Some(transients) = &mut self.transients {
                    transients.note_stored();
                }
                Some(node)
            }
            Offer::Covered => None,
        }
    }

    /// Counts a successor as a transition. Returns its cost; `None` if its zone has overflowed, so that no rank can store it.
    #[inline]
    pub fn count(&mut self, successor: &Successor<'_>, zone: &Dbm) -> Option<u64> {
        self.counts.transitions += 1;
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
