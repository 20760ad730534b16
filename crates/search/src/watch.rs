//! The loop for somebody who looks at every state, and not for a goal.
//!
//! The reachability loop stops at the first state that meets its goal. Some questions need all of them: the largest
//! value of something, what never happens. Here each state is shown to a [`Watcher`] as it is stored. It may say that
//! it has seen enough, or name a zone that the search is to go on from as well, at the same discrete state: one that it
//! knows to be reachable, up to what the cover of the list counts as the same, though no single step leads there. That
//! is how the search for a clock without bound comes to an end (`check/src/bounds`).
//!
//! A state that is covered is not shown: what covers it was.

use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_store::{NodeId, Offer, Offered, PassedWaiting, Probe, StateRef};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Meter};
use crate::cost_function::CostFunction;
use crate::explore::{Ended, Failure};
use crate::offered::offered;
use crate::stats::Stats;

/// A state that was stored.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Its node.
    pub node: NodeId,
    /// Locations and data.
    pub memory: &'a [i32],
    /// The clocks.
    pub zone: &'a Dbm,
    /// The constants of its discrete state.
    pub bounds: &'a ClockBounds,
    /// The list, for where the node came from.
    pub list: &'a dyn PassedWaiting,
}

/// What a watcher says to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Look {
    /// The search goes on.
    On,
    /// It need not.
    Enough,
    /// It goes on, from this zone at the same discrete state as well. The step that led to the state counts as one that
    /// leads there.
    Also(Dbm),
}

/// Somebody who looks at states.
pub trait Watcher {
    /// Looks at a state that was stored.
    ///
    /// # Errors
    /// If the model fails.
    fn look(&mut self, seen: &Seen<'_>) -> Result<Look, RuntimeError>;

    /// The parts of a zone that are to be offered, if not the whole: the rest is known to lie in zones that the search
    /// was told of.
    fn trim(&mut self, memory: &[i32], zone: &Dbm) -> Option<Vec<Dbm>>;
}

/// A search that shows what it stores.
#[derive(Debug)]
pub struct Watch<'s> {
    graph: ZoneGraph<'s>,
    list: Box<dyn PassedWaiting>,
    probe: Probe,
    cost_function: CostFunction,
    state: SymbolicState,
    visited: u64,
    transitions: u64,
}

impl<'s> Watch<'s> {
    /// A search of a zone graph with a list whose order goes by a cost function, or needs none.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, list: Box<dyn PassedWaiting>, cost_function: CostFunction) -> Self {
        Self {
            state: SymbolicState::new(graph.system()),
            graph,
            list,
            probe: Probe::new(),
            cost_function,
            visited: 0,
            transitions: 0,
        }
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

    /// Visits everything, or until enough was seen: then the node at which it was is found. `progress` is called now
    /// and then. To be called once.
    pub fn run(
        &mut self,
        watcher: &mut dyn Watcher,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let mut next = None;
        loop {
            if let Some(ended) = self.expand(next, watcher, budget.meter(self.graph.system())) {
                return ended;
            }
            if let Some(exhausted) = budget.spend(|| self.stats(), progress) {
                return Ended::Exhausted(exhausted);
            }
            next = self.list.pop();
            if next.is_none() {
                return Ended::Complete;
            }
        }
    }

    /// Offers the successors of a node, or the initial state. Returns how that ended the search, if it did.
    fn expand(&mut self, node: Option<NodeId>, watcher: &mut dyn Watcher, meter: Meter) -> Option<Ended> {
        let Self { graph, list, probe, cost_function, state, .. } = self;
        let (system, fields) = (graph.system(), graph.system().layout.fields());
        if let Some(node) = node {
            list.load(node, &mut state.memory[..fields], &mut state.zone);
            cost_function.depart(system, &state.memory, list.popped_cost());
        }
        let list = &mut **list;
        let mut intake = Intake {
            cost_function,
            system,
            fields,
            list,
            probe,
            watcher,
            parent: node,
            meter,
            offers: 0,
            ended: None,
        };
        let outcome = match node {
            None => graph.initial(&mut |successor| intake.take(successor)),
            Some(_) => graph.expand(state, &mut |successor| intake.take(successor)),
        };
        let Intake { offers, ended, .. } = intake;
        // The initial state came by no transition; see `explore.rs`.
        self.transitions += if node.is_some() { offers } else { offers.saturating_sub(1) };
        self.visited += u64::from(node.is_some());
        ended.or_else(|| outcome.err().map(|error| Failure { node, error }.ended()))
    }
}

/// Where successors go.
struct Intake<'a> {
    list: &'a mut dyn PassedWaiting,
    probe: &'a mut Probe,
    watcher: &'a mut dyn Watcher,
    parent: Option<NodeId>,
    cost_function: &'a CostFunction,
    system: &'a System,
    fields: usize,
    meter: Meter,
    offers: u64,
    ended: Option<Ended>,
}

impl Intake<'_> {
    fn take(&mut self, successor: &Successor<'_>) {
        match self.watcher.trim(successor.memory, successor.zone) {
            None => self.offer_all(successor, successor.zone),
            Some(parts) => parts.iter().for_each(|part| self.offer_all(successor, part)),
        }
    }

    /// Offers a zone, and those that the watcher adds.
    fn offer_all(&mut self, successor: &Successor<'_>, zone: &Dbm) {
        let mut added = self.offer(successor, zone);
        while let Some(zone) = added.take() {
            added = self.offer(successor, &zone);
        }
    }

    /// Offers a zone at the discrete state of a successor. Returns the zone that is to be offered as well, if any.
    fn offer(&mut self, successor: &Successor<'_>, zone: &Dbm) -> Option<Dbm> {
        if self.ended.is_some() {
            return None;
        }
        self.offers += 1;
        self.meter.offered(|| self.list.memory().total());
        if zone.overflowed() {
            self.ended = Some(Ended::Overflowed);
            return None;
        }
        let cost = self.cost_function.cost(self.system, successor.memory, zone);
        let offered = offered(successor, self.fields, self.parent, cost);
        let offered = Offered { state: StateRef { zone, ..offered.state }, ..offered };
        let Offer::Stored(node) = self.list.offer(&offered, self.probe) else { return None };
        let (memory, bounds, list) = (successor.memory, successor.bounds, &*self.list);
        match self.watcher.look(&Seen { node, memory, zone, bounds, list }) {
            Ok(Look::On) => return None,
            Ok(Look::Also(zone)) => return Some(zone),
            Ok(Look::Enough) => self.ended = Some(Ended::Found { node, least: None }),
            Err(error) => self.ended = Some(Failure { node: Some(node), error }.ended()),
        }
        None
    }
}
