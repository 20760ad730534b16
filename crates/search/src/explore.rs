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
//! A cost_function (`cost_function.rs`) gives each state the number that some orders go by. With a clock as cost function (one that is never
//! reset) the list is ordered by its least value, and a goal found is kept until no waiting node has a smaller one: then
//! it is the earliest possible.
//!
//! Successors come in the order of their transitions, or shuffled, to see what depends on that
//! (`[HerbreteauTran2015, section 5]`).

use tourbillon_base::Random;
use tourbillon_dbm::{Clock, Dbm};
use tourbillon_store::{NodeId, Offer, PassedWaiting, Probe};
use tourbillon_system::{Predicate, RuntimeError, System};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Exhausted, Meter};
use crate::cost_function::{CostFunction, least};
use crate::offered::offered;
use crate::stats::Stats;

/// How a search, or a part of it, ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A node meets the goal.
    Found {
        /// The node.
        node: NodeId,
        /// With a clock as cost function, the least value it can have there.
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

impl Failure {
    /// How a search ends by it: what was ended from outside did not fail.
    #[must_use]
    pub fn ended(self) -> Ended {
        Exhausted::of_cancelled(&self.error).map_or_else(|| Ended::Failed(self), Ended::Exhausted)
    }
}

/// A search that can be continued.
#[derive(Debug)]
pub struct Search<'s> {
    graph: ZoneGraph<'s>,
    evaluator: PredicateEvaluator<'s>,
    list: Box<dyn PassedWaiting>,
    probe: Probe,
    state: SymbolicState,
    cost_function: CostFunction,
    shuffle: Option<Shuffle>,
    started: bool,
    current: Option<NodeId>,
    visited: u64,
    transitions: u64,
    overflowed: bool,
    /// Why some node could not be expanded: then nothing can be complete any more.
    failure: Option<Ended>,
}

/// What is known of a goal while looking for it.
pub(crate) struct Quest<'g> {
    goal: Option<&'g Predicate>,
    found: Option<(u64, NodeId)>,
    failure: Option<Ended>,
}

impl<'s> Search<'s> {
    /// A search of a zone graph with a list whose order goes by a cost function, or needs none.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, list: Box<dyn PassedWaiting>, cost_function: CostFunction) -> Self {
        Self {
            evaluator: PredicateEvaluator::new(graph.system()).preferring_early(cost_function.clock()),
            state: SymbolicState::new(graph.system()),
            graph,
            list,
            probe: Probe::new(),
            cost_function,
            shuffle: None,
            started: false,
            current: None,
            visited: 0,
            transitions: 0,
            overflowed: false,
            failure: None,
        }
    }

    /// The same with the successors of each node in an order drawn from a seed.
    #[must_use]
    pub fn shuffling(self, seed: Option<u64>) -> Self {
        Self { shuffle: seed.map(Shuffle::new), ..self }
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
        let mut quest = Quest::new(goal);
        self.enter(&mut quest, budget);
        loop {
            if let Some(ended) = self.decided(&quest) {
                return ended;
            }
            if let Some(exhausted) = budget.spend(|| self.stats(), progress) {
                return Ended::Exhausted(exhausted);
            }
            if let Some(ended) = self.take(&mut quest, budget) {
                return ended;
            }
        }
    }

    /// Looks for a goal in what is stored; at the very start, in the initial state.
    pub(crate) fn enter(&mut self, quest: &mut Quest<'_>, budget: &Budget<'_>) {
        if self.started {
            self.look_back(quest);
        } else {
            self.begin(quest, budget);
        }
    }

    /// Takes the next node and expands it. Says how the search ended, if there is none.
    #[inline]
    fn take(&mut self, quest: &mut Quest<'_>, budget: &Budget<'_>) -> Option<Ended> {
        let Ok(popped) = self.list.pop_unless(&|| budget.is_over()) else {
            return Some(Ended::Exhausted(budget.over()));
        };
        match popped {
            Some(node) if self.visit(node, quest, budget) => None,
            _ => Some(quest.found.map_or(Ended::Complete, |found| self.found(found))),
        }
    }

    /// Takes the next node and expands it. Says how the search ended, if it has: also if that was the last node.
    #[inline]
    pub(crate) fn turn(&mut self, quest: &mut Quest<'_>, budget: &Budget<'_>) -> Option<Ended> {
        let ended = self.take(quest, budget).or_else(|| self.decided(quest));
        ended.or_else(|| (self.list.counts().waiting == 0).then_some(Ended::Complete))
    }

    /// The system whose zone graph it searches.
    pub(crate) fn system(&self) -> &'s System {
        self.graph.system()
    }

    /// Whether it has visited everything, and nothing failed on the way.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.started && !self.overflowed && self.failure.is_none() && self.list.counts().waiting == 0
    }

    /// How many nodes it has expanded.
    #[must_use]
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// The node that was expanded last, and its state; nothing before the first.
    pub(crate) fn current(&self) -> Option<(NodeId, &SymbolicState)> {
        self.current.map(|node| (node, &self.state))
    }

    /// What computes successors and what looks for a goal in them, for somebody who stores none.
    pub(crate) fn tools(&mut self) -> (&mut ZoneGraph<'s>, &mut PredicateEvaluator<'s>) {
        (&mut self.graph, &mut self.evaluator)
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
        let mut quest = Quest::new(None);
        if !self.started {
            self.begin(&mut quest, budget);
        }
        self.decided(&quest).map_or(Ok(()), Err)?;
        budget.spend(|| self.stats(), progress).map_or(Ok(()), |what| Err(Ended::Exhausted(what)))?;
        let popped = self.list.pop_unless(&|| budget.is_over());
        let node = popped.map_err(|_| Ended::Exhausted(budget.over()))?.ok_or(Ended::Complete)?;
        self.visit(node, &mut quest, budget);
        Ok((node, &self.state))
    }

    /// What is known before the next node is taken. A goal that was found stands, whatever failed or grew too
    /// large after it.
    #[inline]
    pub(crate) fn decided(&self, quest: &Quest<'_>) -> Option<Ended> {
        match quest.found {
            Some(found) if self.cost_function.clock().is_none() => Some(self.found(found)),
            _ if self.overflowed => Some(Ended::Overflowed),
            _ => quest.failure.as_ref().or(self.failure.as_ref()).cloned(),
        }
    }

    fn found(&self, (cost, node): (u64, NodeId)) -> Ended {
        let least = self.cost_function.clock().map(|_| Least { value: cost / 2, excluded: cost % 2 == 1 });
        Ended::Found { node, least }
    }

    fn begin(&mut self, quest: &mut Quest<'_>, budget: &Budget<'_>) {
        self.started = true;
        let Self { graph, list, probe, evaluator, cost_function, .. } = self;
        let mut intake =
            Intake::new((&mut **list, probe), evaluator, quest, cost_function, (graph.system(), budget));
        let outcome = graph.initial(&mut |successor| intake.take(None, successor));
        let (offers, overflowed) = (intake.offers, intake.overflowed);
        // The initial state came by no transition; of the pieces it may be split into, all but one count as
        // if they did.
        self.transitions += offers.saturating_sub(1);
        self.overflowed |= overflowed;
        if let Err(error) = outcome {
            self.failure.get_or_insert_with(|| Failure { node: None, error }.ended());
        }
    }

    /// Expands a node. Returns false if it was left alone, since it cannot lead to the goal any earlier.
    #[inline]
    fn visit(&mut self, node: NodeId, quest: &mut Quest<'_>, budget: &Budget<'_>) -> bool {
        let Self { graph, list, probe, evaluator, state, cost_function, shuffle, .. } = self;
        let fields = graph.system().layout.fields();
        list.load(node, &mut state.memory[..fields], &mut state.zone);
        if quest.found.is_some_and(|(best, _)| cost(cost_function.clock(), &state.zone) >= best) {
            return false;
        }
        self.visited += 1;
        self.current = Some(node);
        cost_function.depart(graph.system(), &state.memory, list.popped_cost());
        let mut intake =
            Intake::new((&mut **list, probe), evaluator, quest, cost_function, (graph.system(), budget));
        let mut sink = |successor: &Successor<'_>| intake.take(Some(node), successor);
        let outcome = match shuffle {
            None => graph.expand(state, &mut sink),
            Some(shuffle) => shuffle.expand(graph, state, &mut sink),
        };
        self.transitions += intake.offers;
        self.overflowed |= intake.overflowed;
        if let Err(error) = outcome {
            self.failure.get_or_insert_with(|| Failure { node: Some(node), error }.ended());
        }
        true
    }

    /// Looks for the goal in what is stored.
    fn look_back(&mut self, quest: &mut Quest<'_>) {
        let Self { graph, list, evaluator, state, cost_function, .. } = self;
        let fields = graph.system().layout.fields();
        let cost_clock = cost_function.clock();
        for node in list.stored_nodes() {
            list.load(node, &mut state.memory[..fields], &mut state.zone);
            quest.test(evaluator, cost_clock, node, &state.memory, &state.zone);
            if quest.failure.is_some() || (quest.found.is_some() && cost_clock.is_none()) {
                return;
            }
        }
    }
}

/// Transitions in another order than their own.
#[derive(Clone, Debug)]
pub struct Shuffle {
    random: Random,
    places: Vec<usize>,
}

impl Shuffle {
    /// Orders drawn from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Random::from_seed(seed), places: Vec::new() }
    }

    /// Hands the successors of a state to the sink, in an order drawn for it; those by combinations of receivers that
    /// the zone decides on, which are not listed, come last and in their own order.
    ///
    /// # Errors
    /// If the model fails. The successors before that were handed on.
    #[cold]
    pub fn expand(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        state: &mut SymbolicState,
        sink: &mut impl FnMut(&Successor<'_>),
    ) -> Result<(), RuntimeError> {
        graph.prepare(state)?;
        self.places.clear();
        self.places.extend(0..graph.transitions().listed());
        self.random.shuffle(&mut self.places);
        self.places.iter().try_for_each(|&place| graph.follow(state, place, sink))?;
        graph.expand_combined(state, sink)
    }
}

/// Where successors go.
struct Intake<'a, 'j, 'q> {
    list: &'a mut dyn PassedWaiting,
    probe: &'a mut Probe,
    evaluator: &'a mut PredicateEvaluator<'j>,
    quest: &'a mut Quest<'q>,
    cost_function: &'a CostFunction,
    system: &'a System,
    fields: usize,
    meter: Meter,
    offers: u64,
    overflowed: bool,
}

impl<'a, 'j, 'q> Intake<'a, 'j, 'q> {
    fn new(
        (list, probe): (&'a mut dyn PassedWaiting, &'a mut Probe),
        evaluator: &'a mut PredicateEvaluator<'j>,
        quest: &'a mut Quest<'q>,
        cost_function: &'a CostFunction,
        (system, budget): (&'a System, &Budget<'_>),
    ) -> Self {
        let fields = system.layout.fields();
        let meter = budget.meter(system);
        Self {
            list,
            probe,
            evaluator,
            quest,
            cost_function,
            system,
            fields,
            meter,
            offers: 0,
            overflowed: false,
        }
    }

    #[inline]
    fn take(&mut self, parent: Option<NodeId>, successor: &Successor<'_>) {
        self.offers += 1;
        self.meter.offered(|| self.list.memory().total());
        if successor.zone.overflowed() {
            self.overflowed = true;
            return;
        }
        let cost = self.cost_function.cost(self.system, successor.memory, successor.zone);
        let offered = offered(successor, self.fields, parent, cost);
        if let Offer::Stored(node) = self.list.offer(&offered, self.probe) {
            self.quest.test(
                self.evaluator,
                self.cost_function.clock(),
                node,
                successor.memory,
                successor.zone,
            );
        }
    }
}

impl<'g> Quest<'g> {
    /// Nothing is known yet.
    pub(crate) const fn new(goal: Option<&'g Predicate>) -> Self {
        Self { goal, found: None, failure: None }
    }

    /// Whether a stored node meets the goal; the cheapest that does is kept, the first of equals.
    #[inline]
    fn test(
        &mut self,
        evaluator: &mut PredicateEvaluator<'_>,
        cost_clock: Option<Clock>,
        node: NodeId,
        memory: &[i32],
        zone: &Dbm,
    ) {
        let Some(goal) = self.goal else { return };
        if self.found.is_some() && cost_clock.is_none() {
            return;
        }
        let cost = match evaluator.meet(goal, memory, zone) {
            Ok(Satisfaction::Nowhere) => return,
            Ok(Satisfaction::Everywhere | Satisfaction::Beyond(_)) => cost(cost_clock, zone),
            Ok(Satisfaction::Within(part)) => cost(cost_clock, &part),
            Err(error) => {
                self.failure.get_or_insert_with(|| Failure { node: Some(node), error }.ended());
                return;
            }
        };
        if self.found.is_none_or(|(best, _)| cost < best) {
            self.found = Some((cost, node));
        }
    }
}

/// The least value of the cost clock in a zone, as [`least`] has it; 0 if there is none.
#[inline]
fn cost(clock: Option<Clock>, zone: &Dbm) -> u64 {
    clock.map_or(0, |clock| least(clock, zone))
}
