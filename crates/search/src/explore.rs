//! The explore loop: pop a node, compute its successors, offer them to the list.
//!
//! ```text
//!   offer the initial state
//!   while a node is waiting and the observer has not seen enough:
//!       pop it; for each transition: for each successor: the observer offers it to the list
//! ```
//!
//! This is the loop of `[DavidBehrmannLarsenYi2003, section 3]`, and the only one over a passed/waiting list. Its users are
//! observers (`observer.rs`), and explore one node at a time ([`Search::step`]) or to the end ([`Search::explore`]).
//!
//! A search can be continued. When the observer ends it, all successors of the expanded node have been offered: the list is
//! consistent, and the next observer continues from there.
//!
//! States with a committed location can be transient (`transient.rs`): their successors are computed in the same expansion, and
//! they are not offered.
//!
//! A cost function (`cost_function.rs`) computes the cost by which some orders select the next node. Successors are computed in
//! the order of their transitions, or in a random order, to measure the effect of that order `[HerbreteauTran2015, section 5]`.

use tourbillon_base::Random;
use tourbillon_dbm::Clock;
use tourbillon_store::{NodeId, PassedWaiting, Probe};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use crate::budget::{Budget, Exhausted};
use crate::cost_function::CostFunction;
use crate::observer::{Expansion, ExpansionCounts, Observer, Visit};
use crate::stats::Stats;
use crate::transient::{Committed, TransientState, TransientStates};

/// How a search, or a part of it, ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A node satisfies the goal.
    Found {
        node: NodeId,
        /// With a clock as cost function, its least value in the states that satisfy the goal.
        least: Option<Least>,
    },
    /// All nodes were visited, and none satisfies the goal.
    Complete,
    /// The observer has seen enough.
    Enough,
    /// A limit was reached.
    Exhausted(Exhausted),
    /// The model failed.
    Failed(Failure),
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
}

/// The infimum of a clock in a zone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Least {
    pub value: u64,
    /// Whether no state attains the value.
    pub excluded: bool,
}

/// A failure of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The node whose successors, or whose predicate, could not be computed; none for the initial state.
    pub node: Option<NodeId>,
    pub error: RuntimeError,
}

impl Failure {
    /// The end of a search by this failure: a search that was cancelled did not fail.
    #[must_use]
    pub fn ended(self) -> Ended {
        Exhausted::of_cancelled(&self.error).map_or_else(|| Ended::Failed(self), Ended::Exhausted)
    }
}

/// A search that can be continued.
#[derive(Debug)]
pub struct Search<'s> {
    graph: ZoneGraph<'s>,
    list: Box<dyn PassedWaiting>,
    probe: Probe,
    /// The state of the node that was popped last.
    state: SymbolicState,
    cost_function: CostFunction,
    shuffle: Option<Shuffle>,
    /// The transient states of an expansion, if states with a committed location are not stored; and the one that is followed.
    transients: Option<TransientStates>,
    transient: TransientState,
    started: bool,
    current: Option<NodeId>,
    visited: u64,
    counts: ExpansionCounts,
    overflowed: bool,
    /// Why a node could not be expanded: then the search cannot be complete.
    failure: Option<Ended>,
}

impl<'s> Search<'s> {
    /// A search of a zone graph with an empty list, whose order selects nodes by a cost function or needs none.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, list: Box<dyn PassedWaiting>, cost_function: CostFunction) -> Self {
        Self {
            state: SymbolicState::new(graph.system()),
            transient: TransientState::new(graph.system()),
            graph,
            list,
            probe: Probe::new(),
            cost_function,
            shuffle: None,
            transients: None,
            started: false,
            current: None,
            visited: 0,
            counts: ExpansionCounts::default(),
            overflowed: false,
            failure: None,
        }
    }

    /// Computes the transitions of each node in a random order, if there is a seed.
    #[must_use]
    pub fn shuffling(self, seed: Option<u64>) -> Self {
        Self { shuffle: seed.map(Shuffle::new), ..self }
    }

    /// Stores states with a committed location, or follows them at once.
    #[must_use]
    pub fn with_committed(self, committed: Committed) -> Self {
        Self { transients: TransientStates::new(self.graph.system(), committed), ..self }
    }

    /// The explore loop. Continues where the last call ended; `progress` is called from time to time.
    pub fn explore(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        self.begin(observer, budget);
        loop {
            if let Some(ended) = self.ended(observer) {
                return ended;
            }
            if let Some(exhausted) = budget.spend(|| self.stats_with(observer), progress) {
                return Ended::Exhausted(exhausted);
            }
            if let Some(ended) = self.step(observer, budget) {
                return ended;
            }
        }
    }

    /// Pops the next node and expands it. Returns how the search ended, if no node was expanded or skipped.
    #[inline]
    pub fn step(&mut self, observer: &mut dyn Observer, budget: &Budget<'_>) -> Option<Ended> {
        let node = match self.pop(budget) {
            Ok(Some(node)) => node,
            Ok(None) => return Some(observer.complete()),
            Err(exhausted) => return Some(Ended::Exhausted(exhausted)),
        };
        match observer.visit(node, &self.state) {
            Visit::Expand => self.expand(node, self.list.popped_cost(), observer, budget),
            Visit::Skip => {}
            Visit::End => return Some(observer.complete()),
        }
        None
    }

    /// How the search has ended before the next node is popped, if it has. What the observer found counts, even if a later
    /// successor failed or overflowed.
    #[inline]
    pub fn ended(&self, observer: &dyn Observer) -> Option<Ended> {
        observer.ended().or_else(|| self.obstacle())
    }

    /// Why the search cannot be complete, if it cannot: a zone has overflowed, or a node could not be expanded.
    #[must_use]
    pub fn obstacle(&self) -> Option<Ended> {
        if self.overflowed { Some(Ended::Overflowed) } else { self.failure.clone() }
    }

    /// Offers the initial state, if that has not been done.
    pub fn begin(&mut self, observer: &mut dyn Observer, budget: &Budget<'_>) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        let Self { graph, list, probe, cost_function, .. } = self;
        let mut expansion = Expansion::new(graph.system(), (&mut **list, probe), cost_function, None, budget);
        let result = graph.initial(&mut |successor| observer.successor(successor, &mut expansion));
        // No transition led to the initial state; if it was split into pieces, all but one count as if one did.
        let transitions = expansion.counts.transitions.saturating_sub(1);
        let (counts, overflowed) =
            (ExpansionCounts { transitions, ..expansion.counts }, expansion.overflowed);
        self.count(counts, overflowed, result.map_err(|error| Failure { node: None, error }));
    }

    /// Pops the next node and loads its state; `None` if no node is waiting.
    ///
    /// # Errors
    /// If a limit is reached while stale nodes are skipped.
    #[inline]
    pub fn pop(&mut self, budget: &Budget<'_>) -> Result<Option<NodeId>, Exhausted> {
        let popped = self.list.pop_unless(&|| budget.is_over()).map_err(|_| budget.over())?;
        if let Some(node) = popped {
            self.load(node);
        }
        Ok(popped)
    }

    #[inline]
    fn load(&mut self, node: NodeId) {
        let fields = self.graph.system().layout.fields();
        self.list.load(node, &mut self.state.memory[..fields], &mut self.state.zone);
    }

    /// Expands a node whose state is loaded, and which was offered with this cost.
    #[inline]
    pub fn expand(&mut self, node: NodeId, cost: u64, observer: &mut dyn Observer, budget: &Budget<'_>) {
        let Self { graph, list, probe, state, cost_function, shuffle, transients, transient, .. } = self;
        cost_function.depart(graph.system(), &state.memory, cost);
        let mut expansion =
            Expansion::new(graph.system(), (&mut **list, probe), cost_function, Some(node), budget);
        expansion.follow(transients.as_mut());
        let result = follow_transitions(graph, node, state, shuffle.as_mut(), observer, &mut expansion)
            .map_err(|error| Failure { node: Some(node), error })
            .and_then(|()| follow_transients(graph, transient, observer, &mut expansion));
        let (counts, overflowed) = (expansion.counts, expansion.overflowed);
        self.visited += 1;
        self.current = Some(node);
        self.count(counts, overflowed, result);
    }

    /// Expands a stored node for an observer that stores nothing but what it finds; nothing is counted.
    pub(crate) fn expand_again(&mut self, node: NodeId, observer: &mut dyn Observer, budget: &Budget<'_>) {
        let before = (self.visited, self.counts);
        self.load(node);
        self.expand(node, 0, observer, budget);
        (self.visited, self.counts) = before;
        if let Some(transients) = &mut self.transients {
            transients.discard();
        }
        // No node was popped whose state this is.
        self.current = None;
    }

    fn count(&mut self, counts: ExpansionCounts, overflowed: bool, result: Result<(), Failure>) {
        self.counts = self.counts.and(counts);
        self.overflowed |= overflowed;
        if let Err(failure) = result {
            self.failure.get_or_insert_with(|| failure.ended());
        }
    }

    /// The ordinals of the transitions from the initial state to a node; `None` if the list stores no traces.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Option<Vec<u32>> {
        let path = steps_to(&*self.list, node)?;
        Some(match &self.transients {
            Some(transients) => transients.ordinals(&path),
            None => path,
        })
    }

    /// Expands the next node and returns its state.
    ///
    /// # Errors
    /// How the search ended, if no node is waiting or a limit is reached.
    pub fn advance(
        &mut self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(NodeId, &SymbolicState), Ended> {
        self.begin(&mut (), budget);
        let ended = self.ended(&());
        let ended = ended.or_else(|| budget.spend(|| self.stats(), progress).map(Ended::Exhausted));
        ended.or_else(|| self.step(&mut (), budget)).map_or(Ok(()), Err)?;
        self.current().ok_or(Ended::Complete)
    }

    /// The list of stored states.
    #[must_use]
    pub fn list(&self) -> &dyn PassedWaiting {
        &*self.list
    }

    /// The parts that offer a state of another rank: the list, a probe, and the zone graph, for its clock bounds.
    pub fn offer_parts(&mut self) -> (&mut dyn PassedWaiting, &mut Probe, &mut ZoneGraph<'s>) {
        (&mut *self.list, &mut self.probe, &mut self.graph)
    }

    pub const fn graph(&mut self) -> &mut ZoneGraph<'s> {
        &mut self.graph
    }

    /// The state of the node that was popped last, into which another node can be loaded.
    pub const fn state(&mut self) -> &mut SymbolicState {
        &mut self.state
    }

    /// The statistics so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::of(&*self.list, self.visited, self.counts);
        stats.memory.parents += self.transients.as_ref().map_or(0, TransientStates::path_bytes);
        stats
    }

    fn stats_with(&self, observer: &dyn Observer) -> Stats {
        let mut stats = self.stats();
        stats.memory.parents += observer.memory_bytes();
        stats
    }

    /// Whether the initial state has been offered.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.started
    }

    /// Whether everything has been visited, without a failure.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.started && !self.overflowed && self.failure.is_none() && self.list.counts().waiting == 0
    }

    /// The number of expanded nodes.
    #[must_use]
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// The node that was expanded last, and its state.
    #[must_use]
    pub fn current(&self) -> Option<(NodeId, &SymbolicState)> {
        self.current.map(|node| (node, &self.state))
    }

    /// Whether some states with a committed location are not stored.
    pub(crate) const fn has_transient(&self) -> bool {
        self.transients.is_some()
    }

    /// The clock that is the cost function, if one is.
    pub(crate) const fn cost_clock(&self) -> Option<Clock> {
        self.cost_function.clock()
    }

    pub(crate) fn system(&self) -> &'s System {
        self.graph.system()
    }
}

/// The steps that the nodes of the path to a node were offered with; `None` if the list stores no traces.
#[must_use]
pub fn steps_to(list: &dyn PassedWaiting, node: NodeId) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    let (mut parent, mut step) = list.origin(node)?;
    while let Some(node) = parent {
        path.push(step);
        (parent, step) = list.origin(node)?;
    }
    path.reverse();
    Some(path)
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
    while expansion.next_transient(transient) {
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
struct Shuffle {
    random: Random,
    places: Vec<usize>,
}

impl Shuffle {
    fn new(seed: u64) -> Self {
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
