//! Cycle detection: the interface of both algorithms, and the part that they share.
//!
//! Both store coloured nodes (`store/src/coloured.rs`), which are never deleted, and can be continued from other start states:
//! a red node has no accepting run, so a later search does not enter what it covers. They differ in the order of the search
//! and in the use of subsumption (`nested.rs`, `components.rs`).

use std::fmt;

use tourbillon_dbm::Dbm;
use tourbillon_store::{Colour, Coloured, ColouredMatch, Memory, NodeId, Probe};
use tourbillon_system::{Predicate, RuntimeError};
use tourbillon_zonegraph::{Ending, PredicateEvaluator, Satisfaction, Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Exhausted, Meter};
use crate::stats::Stats;

/// Generalised Büchi acceptance: a run accepts if it visits states of every set infinitely often. Without sets, all infinite
/// runs accept.
#[derive(Clone, Default, Debug)]
pub struct Acceptance {
    /// One predicate on discrete states for each set; a tick is in none of them.
    pub sets: Vec<Predicate>,
    /// The field of the discrete state that is not 0 after a tick: ticks are one more set, for time divergence.
    pub ticked: Option<usize>,
}

impl Acceptance {
    /// All acceptance sets, as bits.
    pub(crate) fn all(&self) -> u64 {
        let count = self.sets.len() + usize::from(self.ticked.is_some());
        (1u64 << count.max(1)) - 1
    }

    /// The acceptance sets that contain a state, as bits.
    pub(crate) fn of(
        &self,
        evaluator: &mut PredicateEvaluator<'_>,
        state: &SymbolicState,
    ) -> Result<u64, RuntimeError> {
        let ticked = self.ticked.map(|field| state.memory[field] != 0);
        if self.sets.is_empty() {
            return Ok(u64::from(ticked.unwrap_or(true)));
        }
        if ticked == Some(true) {
            return Ok(1 << self.sets.len());
        }
        let mut found = 0;
        for (bit, set) in self.sets.iter().enumerate() {
            let satisfaction = evaluator.meet(set, &state.memory, &state.zone)?;
            found |= u64::from(satisfaction != Satisfaction::Nowhere) << bit;
        }
        Ok(found)
    }
}

/// The maximum number of acceptance sets.
pub const ACCEPTANCE_SETS_MAX: usize = 32;

/// The maximal runs that a liveness search accepts.
#[derive(Clone, Debug)]
pub struct RunCondition {
    /// The condition on infinite runs.
    pub acceptance: Acceptance,
    /// Whether finite runs count: those that diverge in their last state.
    pub diverging: bool,
    /// Whether runs that end in a deadlock count as well.
    pub deadlocked: bool,
}

/// The start of a search for cycles.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The initial state.
    Initial,
    /// The delay successors of a state that a run can be in.
    State {
        /// The discrete state.
        memory: &'a [i32],
        /// Its clock valuations.
        zone: &'a Dbm,
    },
}

/// The result of a search for cycles. Paths are ordinals of transitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CycleSearchResult {
    /// There is no accepting run.
    NotFound,
    /// A lasso with an accepting cycle.
    Cycle {
        /// From the start to the cycle.
        stem: Vec<u32>,
        /// From a node of the cycle back to it.
        cycle: Vec<u32>,
    },
    /// A finite run that counts.
    FiniteRun {
        /// From the start to its last state.
        stem: Vec<u32>,
        /// Whether it diverges or deadlocks there.
        ending: Ending,
    },
    /// A limit was reached.
    Exhausted(Exhausted),
    /// The model failed after these transitions.
    Failed(Vec<u32>, RuntimeError),
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
}

impl CycleSearchResult {
    /// The result of an error after these transitions: a search that was cancelled did not fail.
    pub(crate) fn failed(steps: Vec<u32>, error: RuntimeError) -> Self {
        Exhausted::of_cancelled(&error).map_or_else(|| Self::Failed(steps, error), Self::Exhausted)
    }
}

/// An algorithm for cycle detection.
pub trait CycleDetection: fmt::Debug {
    /// Searches for an accepting run from a start. Nodes of earlier calls that have none are not visited again.
    fn search(
        &mut self,
        start: Start<'_>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> CycleSearchResult;

    /// The statistics of all calls.
    fn stats(&self) -> Stats;

    /// Visits each stored state with a rank: no run of states has falling ranks, and no infinite run that accepts has equal ranks from
    /// some state on. Only after calls that found nothing, and where components are numbered.
    fn for_each_ranked(&mut self, _visit: &mut dyn FnMut(&[i32], &Dbm, u64)) {}
}

/// What an offered successor matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Match {
    /// A red node covers it.
    Red,
    /// It was stored before.
    Stored(NodeId),
    /// This node covers it, and it is not stored.
    Covered(NodeId),
    /// It is stored now, as a white node.
    New(NodeId),
}

/// Which successors are stored, unless a red node covers them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Policy<'a> {
    All,
    /// Those with these indices; the others are not offered.
    Only(&'a [usize]),
}

/// The counts and the end of the computation of some successors.
pub(crate) struct Offers {
    pub(crate) offers: u64,
    pub(crate) covered: u64,
    pub(crate) overflowed: bool,
    pub(crate) result: Result<(), RuntimeError>,
}

/// A search over coloured nodes.
#[derive(Debug)]
pub(crate) struct ColouredSearch<'s> {
    graph: ZoneGraph<'s>,
    evaluator: PredicateEvaluator<'s>,
    pub(crate) nodes: Box<dyn Coloured>,
    pub(crate) condition: RunCondition,
    /// The state that was loaded last.
    state: SymbolicState,
    probe: Probe,
    cyan: Vec<NodeId>,
    meter: Meter,
    pub(crate) visited: u64,
    pub(crate) transitions: u64,
    pub(crate) covered: u64,
}

impl<'s> ColouredSearch<'s> {
    pub(crate) fn new(graph: ZoneGraph<'s>, nodes: Box<dyn Coloured>, condition: RunCondition) -> Self {
        Self {
            evaluator: PredicateEvaluator::new(graph.system()),
            state: SymbolicState::new(graph.system()),
            graph,
            nodes,
            condition,
            probe: Probe::new(),
            cyan: Vec::new(),
            meter: Meter::unlimited(),
            visited: 0,
            transitions: 0,
            covered: 0,
        }
    }

    /// The statistics, with the memory of the whole search and the number of waiting nodes.
    pub(crate) fn stats(&self, memory: Memory, waiting: usize) -> Stats {
        Stats {
            visited: self.visited,
            stored: self.nodes.len() as u64,
            stored_max: self.nodes.len() as u64,
            transitions: self.transitions,
            covered: self.covered,
            waiting: waiting as u64,
            discrete_states: self.nodes.discrete_states() as u64,
            distinct_zones: self.nodes.distinct_zones() as u64,
            memory,
            ..Stats::default()
        }
    }

    /// Offers the start states to `matched`; they are not counted.
    pub(crate) fn begin(
        &mut self,
        start: Start<'_>,
        budget: &Budget<'_>,
        mut matched: impl FnMut(Match),
    ) -> Result<(), CycleSearchResult> {
        self.meter = budget.meter(self.graph.system());
        let offers = self.offer(
            Policy::All,
            |graph, _, sink| match start {
                Start::Initial => graph.initial(&mut |successor| sink(successor)),
                Start::State { memory, zone } => graph.resume(memory, zone, &mut |successor| sink(successor)),
            },
            |found, _, _| matched(found),
        );
        offers.result.map_err(|error| CycleSearchResult::failed(Vec::new(), error))?;
        if offers.overflowed { Err(CycleSearchResult::Overflowed) } else { Ok(()) }
    }

    pub(crate) fn load(&mut self, node: NodeId) {
        let fields = self.graph.system().layout.fields();
        self.nodes.load(node, &mut self.state.memory[..fields], &mut self.state.zone);
    }

    /// The loaded state.
    pub(crate) fn loaded(&self) -> (&[i32], &Dbm) {
        (&self.state.memory[..self.graph.system().layout.fields()], &self.state.zone)
    }

    /// Whether a red node covers the loaded state.
    pub(crate) fn is_red(&mut self) -> bool {
        let fields = self.graph.system().layout.fields();
        self.cyan.clear();
        let Self { nodes, probe, state, cyan, .. } = self;
        nodes.find(&state.memory[..fields], &state.zone, probe, cyan) == ColouredMatch::Red
    }

    /// The acceptance sets that contain the loaded state, as bits.
    pub(crate) fn acceptance_sets(&mut self) -> Result<u64, RuntimeError> {
        self.condition.acceptance.of(&mut self.evaluator, &self.state)
    }

    /// Offers the successors of the loaded state. `matched` gets the match of each, the ordinal of its transition, and the
    /// cyan nodes that it covers.
    pub(crate) fn expand(
        &mut self,
        policy: Policy<'_>,
        matched: impl FnMut(Match, u32, &[NodeId]),
    ) -> Offers {
        self.offer(policy, |graph, state, sink| graph.expand(state, &mut |it| sink(it)), matched)
    }

    /// How a run that counts can end in the state that was just expanded.
    pub(crate) fn finite_run(&mut self) -> Result<Option<Ending>, RuntimeError> {
        if !self.condition.diverging {
            return Ok(None);
        }
        let ending = self.graph.ending(&self.state, self.condition.deadlocked)?;
        Ok(ending.map(|(ending, _)| ending))
    }

    fn offer(
        &mut self,
        policy: Policy<'_>,
        compute: impl FnOnce(
            &mut ZoneGraph<'s>,
            &mut SymbolicState,
            &mut dyn FnMut(&Successor<'_>),
        ) -> Result<(), RuntimeError>,
        mut matched: impl FnMut(Match, u32, &[NodeId]),
    ) -> Offers {
        let Self { graph, nodes, state, probe, cyan, meter, .. } = self;
        let fields = graph.system().layout.fields();
        let mut meter = *meter;
        let (mut computed, mut offers, mut covered, mut overflowed) = (0, 0, 0, false);
        let result = compute(graph, state, &mut |successor| {
            computed += 1;
            if matches!(policy, Policy::Only(indices) if !indices.contains(&(computed - 1))) {
                return;
            }
            offers += 1;
            meter.offered(|| nodes.memory().total());
            if successor.zone.overflowed() {
                overflowed = true;
                return;
            }
            cyan.clear();
            let found = match nodes.find(&successor.memory[..fields], successor.zone, probe, cyan) {
                ColouredMatch::Red => Match::Red,
                ColouredMatch::Stored(node) => Match::Stored(node),
                ColouredMatch::New => Match::New(nodes.insert(successor.zone, probe, Colour::White)),
            };
            covered += u64::from(!matches!(found, Match::New(_)));
            matched(found, successor.ordinal, cyan);
        });
        Offers { offers, covered, overflowed, result }
    }
}

/// What a state matches that was looked up, or the node that covers it; `None` if it is to be stored.
fn known(nodes: &dyn Coloured, stored: ColouredMatch, zone: &Dbm, probe: &mut Probe) -> Option<Match> {
    match stored {
        ColouredMatch::Red => Some(Match::Red),
        ColouredMatch::Stored(node) => Some(Match::Stored(node)),
        ColouredMatch::New => nodes.covering(zone, probe).map(Match::Covered),
    }
}

/// Expands nodes while the stored ones do not change. Each thread has one.
#[derive(Debug)]
pub(crate) struct GraphWorker<'s> {
    graph: ZoneGraph<'s>,
    evaluator: PredicateEvaluator<'s>,
    state: SymbolicState,
    probe: Probe,
}

/// What the expansion of a node has found.
#[derive(Debug)]
pub(crate) struct ExpandedNode {
    /// The acceptance sets that contain it, as bits.
    pub(crate) sets: Result<u64, RuntimeError>,
    pub(crate) successors: Vec<FoundSuccessor>,
    pub(crate) overflowed: bool,
    pub(crate) result: Result<(), RuntimeError>,
    /// How a run that counts can end there.
    pub(crate) ending: Result<Option<Ending>, RuntimeError>,
}

/// A successor.
#[derive(Debug)]
pub(crate) struct FoundSuccessor {
    /// The ordinal of the transition.
    pub(crate) step: u32,
    pub(crate) state: FoundState,
}

#[derive(Debug)]
pub(crate) enum FoundState {
    Known(Match),
    /// No node covered it, nor equalled it, when it was found.
    New(Box<(Vec<i32>, Dbm)>),
}

impl<'s> ColouredSearch<'s> {
    pub(crate) fn worker(&self) -> GraphWorker<'s> {
        GraphWorker {
            evaluator: PredicateEvaluator::new(self.graph.system()),
            state: SymbolicState::new(self.graph.system()),
            graph: self.graph.fork(),
            probe: Probe::new(),
        }
    }

    /// Stores what a worker has found to be new, unless a node that was stored since covers or equals it.
    pub(crate) fn settle(&mut self, state: FoundState) -> Match {
        let (discrete, zone) = match state {
            FoundState::Known(found) => return found,
            FoundState::New(state) => *state,
        };
        let Self { nodes, probe, cyan, .. } = self;
        cyan.clear();
        let stored = nodes.find(&discrete, &zone, probe, cyan);
        let found = known(&**nodes, stored, &zone, probe);
        found.unwrap_or_else(|| Match::New(nodes.insert(&zone, probe, Colour::White)))
    }

    /// Expands a node with a worker.
    pub(crate) fn expand_with(&self, worker: &mut GraphWorker<'s>, node: NodeId) -> ExpandedNode {
        let GraphWorker { graph, evaluator, state, probe } = worker;
        let (Self { nodes, condition, .. }, mut meter) = (self, self.meter);
        let fields = graph.system().layout.fields();
        nodes.load(node, &mut state.memory[..fields], &mut state.zone);
        let sets = condition.acceptance.of(evaluator, state);
        let (mut successors, mut overflowed) = (Vec::new(), false);
        let result = graph.expand(state, &mut |successor| {
            meter.offered(|| nodes.memory().total());
            if successor.zone.overflowed() {
                overflowed = true;
                return;
            }
            let discrete = &successor.memory[..fields];
            let stored = nodes.find_stored(discrete, successor.zone, probe);
            let state = match known(&**nodes, stored, successor.zone, probe) {
                Some(found) => FoundState::Known(found),
                None => FoundState::New(Box::new((discrete.to_vec(), successor.zone.clone()))),
            };
            successors.push(FoundSuccessor { step: successor.ordinal, state });
        });
        let ending = if condition.diverging && result.is_ok() {
            graph.ending(state, condition.deadlocked).map(|ending| ending.map(|(ending, _)| ending))
        } else {
            Ok(None)
        };
        ExpandedNode { sets, successors, overflowed, result, ending }
    }
}

/// Counts a node that is visited, and ends the search if a limit is reached.
pub(crate) fn spend(
    search: &impl CycleDetection,
    budget: &mut Budget<'_>,
    progress: &mut dyn FnMut(&Stats),
) -> Result<(), CycleSearchResult> {
    let exhausted = budget.spend(|| search.stats(), progress);
    exhausted.map_or(Ok(()), |what| Err(CycleSearchResult::Exhausted(what)))
}
