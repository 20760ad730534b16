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
//! The successors are computed by the expander (`expander.rs`). Observers that can be divided explore in rounds as well, with
//! several threads (`rounds.rs`).

use tourbillon_dbm::Clock;
use tourbillon_store::{NodeId, PassedWaiting, Probe};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{SymbolicState, ZoneGraph};

use crate::budget::{Budget, Exhausted};
use crate::cost_function::CostFunction;
use crate::expander::{Expanded, Expander, Shuffle};
use crate::observer::{ExpansionCounts, Observer, Visit};
use crate::rounds::{RoundTimes, Rounds};
use crate::stats::Stats;
use crate::transient::{Committed, TransientStates};

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
    /// With the state of the node that was popped last.
    pub(crate) expander: Expander<'s>,
    pub(crate) list: Box<dyn PassedWaiting>,
    /// Whether and how the search continues in rounds.
    pub(crate) rounds: Option<Rounds>,
    pub(crate) times: RoundTimes,
    started: bool,
    pub(crate) current: Option<NodeId>,
    pub(crate) visited: u64,
    pub(crate) counts: ExpansionCounts,
    pub(crate) overflowed: bool,
    /// Why a node could not be expanded: then the search cannot be complete.
    pub(crate) failure: Option<Ended>,
}

impl<'s> Search<'s> {
    /// A search of a zone graph with an empty list, whose order selects nodes by a cost function or needs none.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, list: Box<dyn PassedWaiting>, cost_function: CostFunction) -> Self {
        Self {
            expander: Expander::new(graph, cost_function),
            list,
            rounds: None,
            times: RoundTimes::default(),
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
    pub fn shuffling(mut self, seed: Option<u64>) -> Self {
        self.expander.shuffle = seed.map(Shuffle::new);
        self
    }

    /// Stores states with a committed location, or follows them at once.
    #[must_use]
    pub fn with_committed(mut self, committed: Committed) -> Self {
        self.expander.set_committed(committed);
        self
    }

    /// Continues in rounds where an observer can be divided, once the search is large.
    #[must_use]
    pub fn in_rounds(self, rounds: Option<Rounds>) -> Self {
        Self { rounds, ..self }
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
            if let Some(ended) = self.explore_one(observer, budget, progress) {
                return ended;
            }
        }
    }

    /// The explore loop for so many visits in all. Returns how the search ended, if it has ended before.
    pub fn explore_until(
        &mut self,
        visits: u64,
        observer: &mut dyn Observer,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<Ended> {
        self.begin(observer, budget);
        while self.visited < visits {
            let ended = self.explore_one(observer, budget, progress);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    /// Checks whether the search has ended, and expands the next node.
    #[inline]
    pub(crate) fn explore_one(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<Ended> {
        let ended = self.ended(observer);
        let ended =
            ended.or_else(|| budget.spend(|| self.stats_with(observer), progress).map(Ended::Exhausted));
        ended.or_else(|| self.step(observer, budget))
    }

    /// Pops the next node and expands it. Returns how the search ended, if no node was expanded or skipped.
    #[inline]
    pub fn step(&mut self, observer: &mut dyn Observer, budget: &Budget<'_>) -> Option<Ended> {
        let node = match self.pop(budget) {
            Ok(Some(node)) => node,
            Ok(None) => return Some(observer.complete()),
            Err(exhausted) => return Some(Ended::Exhausted(exhausted)),
        };
        match observer.visit(node, &self.expander.state) {
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
        let meter = budget.meter(self.system());
        let expanded = self.expander.begin(&mut *self.list, observer, meter);
        // No transition led to the initial state; if it was split into pieces, all but one count as if one did.
        let transitions = expanded.counts.transitions.saturating_sub(1);
        let counts = ExpansionCounts { transitions, ..expanded.counts };
        self.count(Expanded { counts, ..expanded });
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
        let fields = self.system().layout.fields();
        let state = &mut self.expander.state;
        self.list.load(node, &mut state.memory[..fields], &mut state.zone);
    }

    /// Expands a node whose state is loaded, and which was offered with this cost.
    #[inline]
    pub fn expand(&mut self, node: NodeId, cost: u64, observer: &mut dyn Observer, budget: &Budget<'_>) {
        let meter = budget.meter(self.system());
        let expanded = self.expander.expand(&mut *self.list, (node, cost), observer, meter);
        self.visited += 1;
        self.current = Some(node);
        self.count(expanded);
    }

    /// Expands a stored node for an observer that stores nothing but what it finds; nothing is counted.
    pub(crate) fn expand_again(&mut self, node: NodeId, observer: &mut dyn Observer, budget: &Budget<'_>) {
        let before = (self.visited, self.counts);
        self.load(node);
        self.expand(node, 0, observer, budget);
        (self.visited, self.counts) = before;
        if let Some(transients) = &mut self.expander.transients {
            transients.discard();
        }
        // No node was popped whose state this is.
        self.current = None;
    }

    fn count(&mut self, expanded: Expanded) {
        self.counts = self.counts.and(expanded.counts);
        self.overflowed |= expanded.overflowed;
        if let Some(failed) = expanded.failure {
            self.failure.get_or_insert_with(|| failed.at(Some).ended());
        }
    }

    /// The ordinals of the transitions from the initial state to a node; `None` if the list stores no traces.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Option<Vec<u32>> {
        let path = steps_to(&*self.list, node)?;
        Some(match &self.expander.transients {
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
        (&mut *self.list, &mut self.expander.probe, &mut self.expander.graph)
    }

    pub const fn graph(&mut self) -> &mut ZoneGraph<'s> {
        &mut self.expander.graph
    }

    /// The state of the node that was popped last, into which another node can be loaded.
    pub const fn state(&mut self) -> &mut SymbolicState {
        &mut self.expander.state
    }

    /// The statistics so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let list = (self.list.counts(), self.list.memory(), self.list.certainty());
        let mut stats = Stats::of(list, self.visited, self.counts);
        stats.memory.parents += self.expander.transients.as_ref().map_or(0, TransientStates::path_bytes);
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

    /// What the phases of its rounds took.
    #[must_use]
    pub const fn round_times(&self) -> RoundTimes {
        self.times
    }

    /// The number of expanded nodes.
    #[must_use]
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// The node that was expanded last, and its state.
    #[must_use]
    pub fn current(&self) -> Option<(NodeId, &SymbolicState)> {
        self.current.map(|node| (node, &self.expander.state))
    }

    /// Whether some states with a committed location are not stored.
    pub(crate) const fn has_transient(&self) -> bool {
        self.expander.transients.is_some()
    }

    /// The clock that is the cost function, if one is.
    pub(crate) const fn cost_clock(&self) -> Option<Clock> {
        self.expander.cost_function.clock()
    }

    pub(crate) fn system(&self) -> &'s System {
        self.expander.system()
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
