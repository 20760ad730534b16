//! The expander: computes the successors of a node, or the initial states, and passes them to an observer and a list. Each
//! thread of a search has one, with memory of its own.
//!
//! States with a committed location can be transient (`transient.rs`): their successors are computed in the same expansion, and
//! they are not offered.
//!
//! A cost function (`cost_function.rs`) computes the cost by which some orders select the next node. Successors are computed in
//! the order of their transitions, or in a random order, to measure the effect of that order `[HerbreteauTran2015, section 5]`.

use tourbillon_base::Random;
use tourbillon_base::mutants::{self, Mutant};
use tourbillon_store::{NodeId, PassedWaiting, Probe};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use crate::budget::Meter;
use crate::cost_function::CostFunction;
use crate::explore::Failure;
use crate::observer::{Expansion, ExpansionCounts, Observer};
use crate::transient::{Committed, TransientState, TransientStates};

/// Computes successors.
#[derive(Debug)]
pub(crate) struct Expander<'s> {
    pub(crate) graph: ZoneGraph<'s>,
    pub(crate) probe: Probe,
    /// The state of the node that is expanded.
    pub(crate) state: SymbolicState,
    pub(crate) cost_function: CostFunction,
    pub(crate) shuffle: Option<Shuffle>,
    /// The transient states of an expansion, if states with a committed location are not stored; and the one that is followed.
    pub(crate) transients: Option<TransientStates>,
    transient: TransientState,
}

/// What an expansion has done.
#[derive(Debug)]
pub(crate) struct Expanded {
    pub(crate) counts: ExpansionCounts,
    pub(crate) overflowed: bool,
    pub(crate) failure: Option<ExpansionFailure>,
}

/// Why not all successors could be computed.
#[derive(Debug)]
pub(crate) struct ExpansionFailure {
    pub(crate) failure: Failure,
    /// Whether the node of the failure is one that the expansion has offered, and not the one that was expanded.
    pub(crate) is_offered: bool,
}

impl ExpansionFailure {
    /// The failure, with its node; `node` is the node of an offered state, if it is stored.
    pub(crate) fn at(self, node: impl Fn(NodeId) -> Option<NodeId>) -> Failure {
        let Self { failure, is_offered } = self;
        Failure { node: if is_offered { failure.node.and_then(node) } else { failure.node }, ..failure }
    }
}

impl<'s> Expander<'s> {
    pub(crate) fn new(graph: ZoneGraph<'s>, cost_function: CostFunction) -> Self {
        Self {
            state: SymbolicState::new(graph.system()),
            transient: TransientState::new(graph.system()),
            graph,
            probe: Probe::new(),
            cost_function,
            shuffle: None,
            transients: None,
        }
    }

    /// Another expander that computes the same.
    pub(crate) fn fork(&self) -> Self {
        let fork = Self::new(self.graph.fork(), self.cost_function.clone());
        Self { transients: self.transients.as_ref().map(TransientStates::fork), ..fork }
    }

    pub(crate) fn set_committed(&mut self, committed: Committed) {
        self.transients = TransientStates::new(self.graph.system(), committed);
    }

    pub(crate) fn system(&self) -> &'s System {
        self.graph.system()
    }

    /// Offers the initial states.
    pub(crate) fn begin(
        &mut self,
        list: &mut dyn PassedWaiting,
        observer: &mut dyn Observer,
        meter: Meter,
    ) -> Expanded {
        let Self { graph, probe, cost_function, .. } = self;
        let mut expansion = Expansion::new(graph.system(), (list, probe), cost_function, None, meter);
        let result = graph.initial(&mut |successor| observer.successor(successor, &mut expansion));
        let failure = result.map_err(|error| Failure { node: None, error }).err();
        expansion.ended(failure.map(|failure| ExpansionFailure { failure, is_offered: false }))
    }

    /// Expands a node whose state is loaded, and which was offered with this cost.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        list: &mut dyn PassedWaiting,
        (node, cost): (NodeId, u64),
        observer: &mut dyn Observer,
        meter: Meter,
    ) -> Expanded {
        let Self { graph, probe, state, cost_function, shuffle, transients, transient } = self;
        cost_function.depart(graph.system(), &state.memory, cost);
        let mut expansion = Expansion::new(graph.system(), (list, probe), cost_function, Some(node), meter);
        expansion.follow(transients.as_mut());
        let failure = match follow_transitions(graph, node, state, shuffle.as_mut(), observer, &mut expansion)
        {
            Err(error) => {
                let failure = Failure { node: Some(node), error };
                Some(ExpansionFailure { failure, is_offered: false })
            }
            Ok(()) => follow_transients(graph, transient, observer, &mut expansion)
                .err()
                .map(|failure| ExpansionFailure { failure, is_offered: true }),
        };
        expansion.ended(failure)
    }
}

/// Computes the successors of a node, transition by transition, for the observer.
#[inline]
fn follow_transitions(
    graph: &mut ZoneGraph<'_>,
    node: NodeId,
    state: &mut SymbolicState,
    mut shuffle: Option<&mut Shuffle>,
    observer: &mut dyn Observer,
    expansion: &mut Expansion<'_>,
) -> Result<(), RuntimeError> {
    graph.prepare(state)?;
    observer.node(node, state, graph)?;
    if let Some(shuffle) = &mut shuffle {
        shuffle.draw(graph.transitions().listed());
    }
    while let Some(next) = graph.next(state)? {
        let place = shuffle.as_ref().map_or(next, |shuffle| shuffle.place(next));
        if graph.is_redundant(place) {
            continue;
        }
        let mut enabled = false;
        graph.follow(state, place, &mut |successor| {
            enabled = true;
            expansion.receive(successor, observer);
        })?;
        observer.transition(graph, state, place, enabled)?;
    }
    Ok(())
}

/// Computes the successors of the transient states that an expansion has reached, for the observer.
#[inline]
fn follow_transients(
    graph: &mut ZoneGraph<'_>,
    transient: &mut TransientState,
    observer: &mut dyn Observer,
    expansion: &mut Expansion<'_>,
) -> Result<(), Failure> {
    while expansion.next_transient(transient) && !mutants::is(Mutant::TransientDropped) {
        let followed =
            graph.expand(&mut transient.state, &mut |successor| expansion.receive(successor, observer));
        followed.map_err(|error| {
            let node = expansion.store_transient(transient, graph.constants(&transient.state.memory));
            Failure { node, error }
        })?;
    }
    Ok(())
}

/// Random orders of transitions. Combinations of receivers with clock guards are not listed: they come last, in their own
/// order.
#[derive(Clone, Debug)]
pub(crate) struct Shuffle {
    random: Random,
    places: Vec<usize>,
}

impl Shuffle {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::from_seed(seed), places: Vec::new() }
    }

    /// Draws an order of the listed transitions.
    #[cold]
    fn draw(&mut self, listed: usize) {
        self.places.clear();
        self.places.extend(0..listed);
        self.random.shuffle(&mut self.places);
    }

    /// The position of the transition that comes next in the order.
    fn place(&self, next: usize) -> usize {
        self.places.get(next).copied().unwrap_or(next)
    }
}
