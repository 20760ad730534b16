//! The loop: take a node, compute its successors, offer them.
//!
//! ```text
//!   while there is a node waiting:
//!       load it; for each successor: offer it; if it was stored and meets the goal: found
//! ```
//!
//! A goal is looked for in nodes as they are stored, so that a breadth-first search finds it in the fewest steps. When
//! it is found the remaining successors of the node at hand are still offered: the list then holds everything
//! it should, and the search can go on for the next question, which first looks at what is stored already
//! (the reuse of `[DavidBehrmannLarsenYi2003]`, section 3).
//!
//! With a cost clock (one that is never reset) the list is ordered by its least value, and a goal found is kept
//! until no waiting node has a smaller one: then it is the earliest possible.

use tourbillon_dbm::{Bound, Clock, Dbm};
use tourbillon_store::{NodeId, Offer, Offered, PassedWaiting};
use tourbillon_system::{Predicate, RuntimeError, System};
use tourbillon_zonegraph::{Judge, Meeting, Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Exhausted};
use crate::stats::Stats;

/// How a search, or a part of it, ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A node meets the goal.
    Found {
        /// The node.
        node: NodeId,
        /// With a cost clock, the least value it can have there.
        least: Option<Least>,
    },
    /// No reachable state does: everything was visited.
    Complete,
    /// Something ran out before.
    Exhausted(Exhausted),
    /// The model failed.
    Failed(Failure),
    /// A bound of a zone grew past what can be held.
    Overflowed,
}

/// The least value of a clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Least {
    /// The value.
    pub value: u64,
    /// Whether it is only approached, and never had.
    pub excluded: bool,
}

/// A failure of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The node whose successors, or whose predicate, could not be computed; none for the initial state.
    pub node: Option<NodeId>,
    /// What went wrong.
    pub error: RuntimeError,
}

/// A search that can be continued.
#[derive(Debug)]
pub struct Search<'s> {
    graph: ZoneGraph<'s>,
    judge: Judge<'s>,
    list: Box<dyn PassedWaiting>,
    state: SymbolicState,
    cost_clock: Option<Clock>,
    started: bool,
    visited: u64,
    transitions: u64,
    overflowed: bool,
    /// Why some node could not be expanded: then nothing can be complete any more.
    failure: Option<Failure>,
}

/// What is known of a goal while looking for it.
struct Quest<'g> {
    goal: Option<&'g Predicate>,
    found: Option<(u64, NodeId)>,
    failure: Option<Failure>,
}

impl<'s> Search<'s> {
    /// A search of a zone graph with a list.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, list: Box<dyn PassedWaiting>, cost_clock: Option<Clock>) -> Self {
        Self {
            judge: Judge::new(graph.system()).preferring_early(cost_clock),
            state: SymbolicState::new(graph.system()),
            graph,
            list,
            cost_clock,
            started: false,
            visited: 0,
            transitions: 0,
            overflowed: false,
            failure: None,
        }
    }

    /// Whether it has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.started
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

    /// Looks for a goal, or visits everything if there is none. What was stored before is looked at first; then
    /// the search goes on from where it stopped. `progress` is called now and then.
    pub fn run(
        &mut self,
        goal: Option<&Predicate>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Ended {
        let mut quest = Quest { goal, found: None, failure: None };
        if self.started {
            self.look_back(&mut quest);
        } else {
            self.begin(&mut quest);
        }
        loop {
            if let Some(ended) = self.decided(&quest) {
                return ended;
            }
            if let Some(exhausted) = budget.spend(|| self.stats(), progress) {
                return Ended::Exhausted(exhausted);
            }
            let Some(node) = self.list.pop() else {
                return quest.found.map_or(Ended::Complete, |found| self.found(found));
            };
            if !self.visit(node, &mut quest) {
                return quest.found.map_or(Ended::Complete, |found| self.found(found));
            }
        }
    }

    /// Visits the next node and hands out its state.
    ///
    /// # Errors
    /// Says how the search ended, if there is no next node.
    pub fn advance(
        &mut self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(NodeId, &SymbolicState), Ended> {
        let mut quest = Quest { goal: None, found: None, failure: None };
        if !self.started {
            self.begin(&mut quest);
        }
        self.decided(&quest).map_or(Ok(()), Err)?;
        budget.spend(|| self.stats(), progress).map_or(Ok(()), |what| Err(Ended::Exhausted(what)))?;
        let node = self.list.pop().ok_or(Ended::Complete)?;
        self.visit(node, &mut quest);
        Ok((node, &self.state))
    }

    /// What is known before the next node is taken. A goal that was found stands, whatever failed after it.
    fn decided(&self, quest: &Quest<'_>) -> Option<Ended> {
        if self.overflowed {
            return Some(Ended::Overflowed);
        }
        match quest.found {
            Some(found) if self.cost_clock.is_none() => Some(self.found(found)),
            _ => quest.failure.as_ref().or(self.failure.as_ref()).cloned().map(Ended::Failed),
        }
    }

    fn found(&self, (cost, node): (u64, NodeId)) -> Ended {
        let least = self.cost_clock.map(|_| Least { value: cost / 2, excluded: cost % 2 == 1 });
        Ended::Found { node, least }
    }

    fn begin(&mut self, quest: &mut Quest<'_>) {
        self.started = true;
        let Self { graph, list, judge, cost_clock, .. } = self;
        let mut intake = Intake::new(&mut **list, judge, quest, *cost_clock, graph.system());
        let outcome = graph.initial(&mut |successor| intake.take(None, successor));
        let (offers, overflowed) = (intake.offers, intake.overflowed);
        // The initial state came by no transition; of the pieces it may be split into, all but one count as
        // if they did.
        self.transitions += offers.saturating_sub(1);
        self.overflowed |= overflowed;
        if let Err(error) = outcome {
            self.failure.get_or_insert(Failure { node: None, error });
        }
    }

    /// Expands a node. Returns false if it was left alone, since it cannot lead to the goal any earlier.
    #[inline]
    fn visit(&mut self, node: NodeId, quest: &mut Quest<'_>) -> bool {
        let Self { graph, list, judge, state, cost_clock, .. } = self;
        let fields = graph.system().layout.fields();
        list.load(node, &mut state.memory[..fields], &mut state.zone);
        if quest.found.is_some_and(|(best, _)| cost(*cost_clock, &state.zone) >= best) {
            return false;
        }
        self.visited += 1;
        let mut intake = Intake::new(&mut **list, judge, quest, *cost_clock, graph.system());
        let outcome = graph.expand(state, &mut |successor| intake.take(Some(node), successor));
        self.transitions += intake.offers;
        self.overflowed |= intake.overflowed;
        if let Err(error) = outcome {
            self.failure.get_or_insert(Failure { node: Some(node), error });
        }
        true
    }

    /// Looks for the goal in what is stored.
    fn look_back(&mut self, quest: &mut Quest<'_>) {
        let Self { graph, list, judge, state, cost_clock, .. } = self;
        let fields = graph.system().layout.fields();
        for node in list.stored_nodes() {
            list.load(node, &mut state.memory[..fields], &mut state.zone);
            quest.test(judge, *cost_clock, node, &state.memory, &state.zone);
            if quest.failure.is_some() || (quest.found.is_some() && cost_clock.is_none()) {
                return;
            }
        }
    }
}

/// Where successors go.
struct Intake<'a, 'j, 'q> {
    list: &'a mut dyn PassedWaiting,
    judge: &'a mut Judge<'j>,
    quest: &'a mut Quest<'q>,
    cost_clock: Option<Clock>,
    fields: usize,
    offers: u64,
    overflowed: bool,
}

impl<'a, 'j, 'q> Intake<'a, 'j, 'q> {
    fn new(
        list: &'a mut dyn PassedWaiting,
        judge: &'a mut Judge<'j>,
        quest: &'a mut Quest<'q>,
        cost_clock: Option<Clock>,
        system: &System,
    ) -> Self {
        Self { list, judge, quest, cost_clock, fields: system.layout.fields(), offers: 0, overflowed: false }
    }

    #[inline]
    fn take(&mut self, parent: Option<NodeId>, successor: &Successor<'_>) {
        self.offers += 1;
        if successor.zone.overflowed() {
            self.overflowed = true;
            return;
        }
        let offered = Offered {
            discrete: &successor.memory[..self.fields],
            zone: successor.zone,
            bounds: successor.bounds,
            parent,
            step: successor.ordinal,
            cost: cost(self.cost_clock, successor.zone),
        };
        if let Offer::Stored(node) = self.list.offer(&offered) {
            self.quest.test(self.judge, self.cost_clock, node, successor.memory, successor.zone);
        }
    }
}

impl Quest<'_> {
    /// Whether a stored node meets the goal; the cheapest that does is kept, the first of equals.
    #[inline]
    fn test(
        &mut self,
        judge: &mut Judge<'_>,
        cost_clock: Option<Clock>,
        node: NodeId,
        memory: &[i32],
        zone: &Dbm,
    ) {
        let Some(goal) = self.goal else { return };
        if self.found.is_some() && cost_clock.is_none() {
            return;
        }
        let cost = match judge.meet(goal, memory, zone) {
            Ok(Meeting::Nowhere) => return,
            Ok(Meeting::Everywhere) => cost(cost_clock, zone),
            Ok(Meeting::Within(part)) => cost(cost_clock, &part),
            Err(error) => {
                self.failure.get_or_insert(Failure { node: Some(node), error });
                return;
            }
        };
        if self.found.is_none_or(|(best, _)| cost < best) {
            self.found = Some((cost, node));
        }
    }
}

/// The least value of the cost clock in a zone, twice, and one more if it is not attained.
#[inline]
fn cost(clock: Option<Clock>, zone: &Dbm) -> u64 {
    let Some(clock) = clock else { return 0 };
    let bound: Bound = zone.bound(Clock::REFERENCE, clock);
    let least = bound.constant().map_or(0, |constant| u64::from(constant.get().unsigned_abs()));
    2 * least + u64::from(bound.is_strict())
}
