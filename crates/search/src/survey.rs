//! A full exploration with an observer that sees every node and every transition that data allows.
//!
//! The loop is that of `explore.rs` without a goal. It differs in what it lets others see: a [`Surveyor`] is shown
//! each node as it is taken from waiting, then each of its transitions with whether it led anywhere. The search for
//! a goal pays nothing for that, which is why it is a loop of its own.

use tourbillon_store::{NodeId, Offer, PassedWaiting, Probe};
use tourbillon_system::{EdgeId, RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Meter};
use crate::cost_function::CostFunction;
use crate::explore::{Ended, Failure};
use crate::offered::offered;
use crate::stats::Stats;

/// Who looks at what is explored.
pub trait Surveyor {
    /// Looks at a node that was taken from waiting.
    ///
    /// # Errors
    /// If the model fails.
    fn node(&mut self, node: NodeId, state: &SymbolicState) -> Result<(), RuntimeError>;

    /// Looks at an edge of the node that was shown last that data allows to be taken together with others, if clocks do.
    fn offered(&mut self, edge: EdgeId);

    /// Looks at a transition of the node that was shown last, by its place: the graph is prepared for it. `led` tells
    /// whether it can be taken.
    ///
    /// # Errors
    /// If the model fails.
    fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &SymbolicState,
        place: usize,
        led: bool,
    ) -> Result<(), RuntimeError>;
}

/// A full exploration in progress.
#[derive(Debug)]
pub struct Survey<'s> {
    graph: ZoneGraph<'s>,
    list: Box<dyn PassedWaiting>,
    probe: Probe,
    cost_function: CostFunction,
    state: SymbolicState,
    visited: u64,
    transitions: u64,
    overflowed: bool,
}

impl<'s> Survey<'s> {
    /// One of a zone graph with an empty list whose order goes by a cost function, or needs none.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, list: Box<dyn PassedWaiting>, cost_function: CostFunction) -> Self {
        let state = SymbolicState::new(graph.system());
        let probe = Probe::new();
        Self { graph, list, probe, cost_function, state, visited: 0, transitions: 0, overflowed: false }
    }

    /// The list.
    #[must_use]
    pub fn list(&self) -> &dyn PassedWaiting {
        &*self.list
    }

    /// What there is to report.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::of(&*self.list, self.visited, self.transitions)
    }

    /// Explores everything, or until something runs out or fails. `progress` is called now and then.
    pub fn run(
        &mut self,
        surveyor: &mut dyn Surveyor,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        if let Err(error) = self.begin() {
            return Failure { node: None, error }.ended();
        }
        loop {
            if self.overflowed {
                return Ended::Overflowed;
            }
            if let Some(exhausted) = budget.spend(|| self.stats(), progress) {
                return Ended::Exhausted(exhausted);
            }
            let Some(node) = self.list.pop() else { return Ended::Complete };
            if let Err(error) = self.visit(node, surveyor, budget.meter(self.graph.system())) {
                return Failure { node: Some(node), error }.ended();
            }
        }
    }

    fn begin(&mut self) -> Result<(), RuntimeError> {
        let Self { graph, list, probe, cost_function, overflowed, .. } = self;
        let system = graph.system();
        let mut offers = 0;
        graph.initial(&mut |successor| {
            offers += 1;
            *overflowed |= !offer((&mut **list, probe), (cost_function, system), None, successor);
        })?;
        // Of the pieces that the initial state may be split into, all but one count as if by a transition.
        self.transitions += u64::saturating_sub(offers, 1);
        Ok(())
    }

    fn visit(
        &mut self,
        node: NodeId,
        surveyor: &mut dyn Surveyor,
        mut meter: Meter,
    ) -> Result<(), RuntimeError> {
        let Self { graph, list, probe, cost_function, state, transitions, overflowed, .. } = self;
        let system = graph.system();
        list.load(node, &mut state.memory[..system.layout.fields()], &mut state.zone);
        self.visited += 1;
        cost_function.depart(system, &state.memory, list.popped_cost());
        graph.prepare(state)?;
        surveyor.node(node, state)?;
        graph.transitions().synchronised().for_each(|edge| surveyor.offered(edge));
        while let Some(place) = graph.next(state)? {
            let before = *transitions;
            graph.follow(state, place, &mut |successor| {
                *transitions += 1;
                meter.offered(|| list.memory().total());
                *overflowed |= !offer((&mut **list, probe), (cost_function, system), Some(node), successor);
            })?;
            surveyor.transition(graph, state, place, *transitions > before)?;
        }
        Ok(())
    }
}

/// Offers a successor to the list. Returns false if its zone has overflowed, which cannot be stored.
fn offer(
    (list, probe): (&mut dyn PassedWaiting, &mut Probe),
    (cost_function, system): (&CostFunction, &System),
    parent: Option<NodeId>,
    successor: &Successor<'_>,
) -> bool {
    if successor.zone.overflowed() {
        return false;
    }
    let cost = cost_function.cost(system, successor.memory, successor.zone);
    let offered = offered(successor, system.layout.fields(), parent, cost);
    let (Offer::Covered | Offer::Stored(_)) = list.offer(&offered, probe);
    true
}
