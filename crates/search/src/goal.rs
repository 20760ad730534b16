//! The observer for reachability: a search for a state that satisfies a predicate.
//!
//! Each state is tested when it is stored, so that a breadth-first search finds a shortest path. A search that was begun for
//! another goal is continued: the stored states are tested first, which is the reuse of
//! `[DavidBehrmannLarsenYi2003, section 3]`, and the transient states between them (`transient.rs`).
//!
//! With a clock that is never reset as cost function, the list is ordered by the clock's least value. The search then ends when
//! no waiting node has a smaller value than the state that was found: that state is the earliest possible.

use tourbillon_base::cancellation;
use tourbillon_dbm::{Clock, Dbm};
use tourbillon_store::NodeId;
use tourbillon_system::{Predicate, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, Successor, SymbolicState};

use crate::budget::Budget;
use crate::cost_function::least;
use crate::explore::{Ended, Failure, Least, Search};
use crate::observer::{Expansion, Observer, Visit};
use crate::rounds::RoundObserver;
use crate::stats::Stats;

/// Tests stored states for a predicate, or none.
#[derive(Debug)]
pub(crate) struct GoalObserver<'g> {
    system: &'g System,
    predicate: Option<&'g Predicate>,
    evaluator: PredicateEvaluator<'g>,
    cost_clock: Option<Clock>,
    /// The cheapest state that satisfies the predicate, with its cost.
    found: Option<(u64, NodeId)>,
    /// Why the predicate could not be evaluated in some state.
    failure: Option<Ended>,
}

impl<'g> GoalObserver<'g> {
    pub(crate) fn new(
        system: &'g System,
        predicate: Option<&'g Predicate>,
        cost_clock: Option<Clock>,
    ) -> Self {
        let evaluator = PredicateEvaluator::new(system).preferring_early(cost_clock);
        Self { system, predicate, evaluator, cost_clock, found: None, failure: None }
    }

    /// Whether a state satisfies the predicate; one in which it cannot be evaluated does not.
    pub(crate) fn is_satisfied(&mut self, state: &SymbolicState) -> bool {
        let Some(predicate) = self.predicate else { return false };
        let satisfaction = self.evaluator.meet(predicate, &state.memory, &state.zone);
        satisfaction.is_ok_and(|satisfaction| !matches!(satisfaction, Satisfaction::Nowhere))
    }

    /// Tests a stored state. Of several that satisfy the predicate the cheapest counts, the first of equals.
    #[inline]
    fn test(&mut self, node: NodeId, memory: &[i32], zone: &Dbm) {
        let Some(predicate) = self.predicate else { return };
        if self.found.is_some() && self.cost_clock.is_none() {
            return;
        }
        let cost = match self.evaluator.meet(predicate, memory, zone) {
            Ok(Satisfaction::Nowhere) => return,
            Ok(Satisfaction::Everywhere | Satisfaction::Beyond(_)) => self.cost(zone),
            Ok(Satisfaction::Within(part)) => self.cost(&part),
            Err(error) => {
                self.failure.get_or_insert_with(|| Failure { node: Some(node), error }.ended());
                return;
            }
        };
        if self.found.is_none_or(|(best, _)| cost < best) {
            self.found = Some((cost, node));
        }
    }

    /// The least value of the cost clock in a zone; 0 if there is no such clock.
    fn cost(&self, zone: &Dbm) -> u64 {
        self.cost_clock.map_or(0, |clock| least(clock, zone))
    }

    fn found(&self) -> Option<Ended> {
        let (cost, node) = self.found?;
        let least = self.cost_clock.map(|_| Least { value: cost / 2, excluded: cost % 2 == 1 });
        Some(Ended::Found { node, least })
    }
}

impl Observer for GoalObserver<'_> {
    /// Without a cost clock, what was found ends the search before the next node; in a round the other nodes are expanded.
    fn visit(&mut self, _: NodeId, state: &SymbolicState) -> Visit {
        match self.found.filter(|_| self.cost_clock.is_some()) {
            Some((best, _)) if self.cost(&state.zone) >= best => Visit::End,
            _ => Visit::Expand,
        }
    }

    /// A state that satisfies the predicate, or in which it cannot be evaluated, is stored, so that it has a path.
    #[inline]
    fn stores_transient(&mut self, successor: &Successor<'_>) -> bool {
        let Some(predicate) = self.predicate.filter(|_| self.found.is_none()) else { return false };
        let satisfaction = self.evaluator.meet(predicate, successor.memory, successor.zone);
        !matches!(satisfaction, Ok(Satisfaction::Nowhere))
    }

    #[inline]
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        if let Some(node) = expansion.offer(successor) {
            self.test(node, successor.memory, successor.zone);
        }
    }

    fn ended(&self) -> Option<Ended> {
        let found = if self.cost_clock.is_none() { self.found() } else { None };
        found.or_else(|| self.failure.clone())
    }

    fn complete(&self) -> Ended {
        self.found().unwrap_or(Ended::Complete)
    }
}

/// Of the states that satisfy the predicate in a round, the first or the cheapest is stored: a state that covers it satisfies the
/// predicate too, at no higher cost, and would be it.
impl RoundObserver for GoalObserver<'_> {
    fn part(&self) -> Self {
        let part = Self::new(self.system, self.predicate, self.cost_clock);
        Self { found: self.found, ..part }
    }

    fn renumber(&mut self, node: &dyn Fn(NodeId) -> Option<NodeId>) {
        self.found = self.found.and_then(|(cost, found)| Some((cost, node(found)?)));
    }

    fn join(&mut self, part: Self, node: &dyn Fn(NodeId) -> Option<NodeId>) {
        if let Some((cost, found)) = part.found
            && self.found.is_none_or(|(best, _)| cost < best)
            && let Some(node) = node(found)
        {
            self.found = Some((cost, node));
        }
        if let Some(Ended::Failed(failure)) = &part.failure
            && self.failure.is_none()
            && let Some(node) = failure.node.and_then(node)
        {
            self.failure = Some(Ended::Failed(Failure { node: Some(node), ..failure.clone() }));
        }
    }
}

impl<'s> Search<'s> {
    /// Searches for a state that satisfies a predicate, or visits everything if there is none. `progress` is called from time
    /// to time.
    pub fn find(
        &mut self,
        predicate: Option<&Predicate>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let mut goal = self.goal(predicate);
        self.begin_or_test_stored(&mut goal, budget);
        self.explore_in_rounds(&mut goal, budget, progress)
    }

    /// The observer for a predicate.
    pub(crate) fn goal<'g>(&self, predicate: Option<&'g Predicate>) -> GoalObserver<'g>
    where
        's: 'g,
    {
        GoalObserver::new(self.system(), predicate, self.cost_clock())
    }

    /// Begins the search, or tests the states that are stored already.
    pub(crate) fn begin_or_test_stored(&mut self, goal: &mut GoalObserver<'_>, budget: &Budget<'_>) {
        if !self.has_begun() {
            return self.begin(goal, budget);
        }
        let mut state = SymbolicState::new(self.system());
        let fields = self.system().layout.fields();
        for node in self.list().stored_nodes() {
            self.list().load(node, &mut state.memory[..fields], &mut state.zone);
            goal.test(node, &state.memory, &state.zone);
            if goal.ended().is_some() {
                return;
            }
        }
        if self.has_transient() {
            self.test_transient(goal, budget);
        }
    }

    /// Expands the stored states again and tests the transient states between them, which is more effective than starting over
    /// `[DavidBehrmannLarsenYi2003, section 3]`. The counts stay those of the first expansions.
    fn test_transient(&mut self, goal: &mut GoalObserver<'_>, budget: &Budget<'_>) {
        let nodes: Vec<NodeId> = self.list().stored_nodes().collect();
        for node in nodes {
            // A state that was stored just now may cover it, and waits.
            if !self.list().is_stored(node) {
                continue;
            }
            self.expand_again(node, &mut TransientTest(goal), budget);
            if goal.ended().is_some() || cancellation::reason().is_some() {
                return;
            }
        }
    }
}

/// Tests the transient states of a node that was expanded before: it offers nothing else.
struct TransientTest<'t, 'g>(&'t mut GoalObserver<'g>);

impl Observer for TransientTest<'_, '_> {
    fn stores_transient(&mut self, successor: &Successor<'_>) -> bool {
        self.0.stores_transient(successor)
    }

    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        if successor.is_committed {
            self.0.successor(successor, expansion);
        }
    }
}
