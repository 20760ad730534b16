//! Several runs to a goal: along different paths, shortest first.
//!
//! The list of a search does not contain all paths: a covered state is not expanded. So the zone graph is explored again, breadth
//! first with equality as the cover relation, and an observer stores every transition. A path of this graph is a path of the model:
//! each valuation of an abstracted zone is simulated by one that the same transitions reach `[BehrmannBouyerLarsenPelanek2004]`. So
//! each path has a run, and the model has no paths but those of the graph. Only for over-approximations does the replay decide.
//!
//! Permutations of a run are different runs, so the graph has no representatives, whether or not the verdict was found with symmetry.
//!
//! A path ends at its first state that satisfies the goal. Layers are explored until as many transitions lead to such states as paths
//! are wanted, each of which ends a different path: then all paths up to this length are in the graph. They are enumerated best
//! first, by the number of transitions taken and the exact number still needed; a path that does not reach the goal is never begun.
//!
//! Cost: the states up to the depth of the longest path that is wanted, all of them if there are too few; then for each path its
//! length times the number of transitions of a state. The states and the runs count towards the limit on memory.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet, VecDeque};

use tourbillon_base::Id;
use tourbillon_search::{
    Budget, CostFunction, Ended, Exhausted, Expansion, Failure, Observer, Search, Visit,
};
use tourbillon_store::{Cover, DiscreteForm, NodeId, Order, Settings, ZoneForm};
use tourbillon_zonegraph::{PredicateEvaluator, Satisfaction, Successor, SymbolicState, ZoneGraph};

use crate::path::{Goal, Witness};
use crate::prepare::Prepared;

/// Runs along different paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Several {
    /// The runs, those with fewer transitions first.
    pub witnesses: Vec<Witness>,
    /// Whether there are others.
    pub others: Others,
}

/// Whether there are other runs than those that were found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Others {
    /// These are all runs.
    None,
    /// The search ended at the requested number of runs, or at the maximum number of paths without a run.
    NotSearched,
    /// A limit was reached.
    Exhausted(Exhausted),
    /// The model fails at run time in some state.
    Failed,
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
    /// This class of property has one run; `sup`, `inf` and `bounds` have one for each value.
    OnlyOne,
}

impl Several {
    /// The result where several runs are requested and only one is computed, if it was found.
    pub(crate) fn only(witness: Option<&Witness>) -> Option<Self> {
        witness.map(|witness| Self { witnesses: vec![witness.clone()], others: Others::OnlyOne })
    }
}

/// The maximum number of paths without a run that are tried. Only an over-approximation has such paths, and it may have infinitely many.
const UNREALISABLE_MAX: usize = 1_000;

/// Finds up to `wanted` runs to a goal. `realise` computes a run along a path.
pub(crate) fn several(
    wanted: usize,
    prepared: &Prepared<'_>,
    goal: Goal<'_>,
    budget: &mut Budget<'_>,
    realise: &dyn Fn(&[u32]) -> Option<Witness>,
) -> Several {
    let settings = Settings {
        zones: ZoneForm::Shared,
        discrete: DiscreteForm::Bits,
        cover: Cover::Equality,
        waiting_inclusion: true,
        order: Order::Bfs,
        traces: false,
        ..prepared.settings()
    };
    let list = tourbillon_store::build(&settings);
    let graph = ZoneGraph::new(prepared.system(), prepared.options_without_symmetry());
    let mut search = Search::new(graph, list, CostFunction::None);
    let mut graph = Transitions::new(prepared, goal);
    let mut cut_short = graph.explore_layer(&mut search, budget);
    while !graph.is_complete() && cut_short.is_none() && graph.goal_transitions < wanted {
        cut_short = graph.explore_layer(&mut search, budget);
    }
    loop {
        // Beyond the last complete layer, paths are missing.
        let length_max = if graph.is_complete() && cut_short.is_none() { usize::MAX } else { graph.depth };
        let (witnesses, ended) = Paths::new(&graph, length_max).realised(wanted, budget, realise);
        let enough = witnesses.len() >= wanted;
        if let Some(others) = ended.or(enough.then_some(Others::NotSearched)).or(cut_short) {
            return Several { witnesses, others };
        }
        if graph.is_complete() {
            return Several { witnesses, others: Others::None };
        }
        // Two transitions may be one path, through different pieces of a zone.
        cut_short = graph.explore_layer(&mut search, budget);
    }
}

/// A state of the graph. Its number is that of its node in the list, from which no node is deleted.
struct State {
    satisfies: bool,
    /// The ordinals of its transitions, each with its target.
    steps: Vec<(u32, u32)>,
}

/// The observer that stores states and transitions, layer by layer.
struct Transitions<'s> {
    evaluator: PredicateEvaluator<'s>,
    goal: Goal<'s>,
    states: Vec<State>,
    initial: Vec<u32>,
    /// The number of states that were popped, and the number up to the end of the layer. Breadth first, states are
    /// popped in the order of their numbers.
    popped: usize,
    layer_end: usize,
    /// All paths up to this length are in the graph.
    depth: usize,
    /// The number of transitions to states that satisfy the goal.
    goal_transitions: usize,
    steps: usize,
    /// Why the goal could not be evaluated in some state.
    failure: Option<Ended>,
}

impl<'s> Transitions<'s> {
    fn new(prepared: &'s Prepared<'_>, goal: Goal<'s>) -> Self {
        Self {
            evaluator: PredicateEvaluator::new(prepared.system()),
            goal,
            states: Vec::new(),
            initial: Vec::new(),
            popped: 0,
            layer_end: 0,
            depth: 0,
            goal_transitions: 0,
            steps: 0,
            failure: None,
        }
    }

    /// Whether every state was expanded.
    fn is_complete(&self) -> bool {
        self.popped == self.states.len()
    }

    /// Expands all states of the last layer; the first call computes the initial states. Returns why the layer is
    /// incomplete, if it is.
    fn explore_layer(&mut self, search: &mut Search<'_>, budget: &mut Budget<'_>) -> Option<Others> {
        let begins = !search.has_begun();
        self.layer_end = self.states.len();
        let ended = search.explore(self, budget, &mut |_| {});
        match search.obstacle().unwrap_or(ended) {
            Ended::Enough | Ended::Complete | Ended::Found { .. } => {
                self.depth += usize::from(!begins);
                None
            }
            Ended::Exhausted(what) => Some(Others::Exhausted(what)),
            Ended::Failed(_) => Some(Others::Failed),
            Ended::Overflowed => Some(Others::Overflowed),
        }
    }

    /// Adds a state that was stored.
    fn add(&mut self, node: NodeId, successor: &Successor<'_>) {
        debug_assert_eq!(node.index(), self.states.len(), "nodes are numbered as they are stored");
        let satisfaction = self.evaluator.meet(self.goal.predicate, successor.memory, successor.zone);
        let satisfaction = satisfaction.unwrap_or_else(|error| {
            self.failure.get_or_insert_with(|| Failure { node: Some(node), error }.ended());
            Satisfaction::Nowhere
        });
        self.states.push(State { satisfies: satisfaction != Satisfaction::Nowhere, steps: Vec::new() });
    }

    /// How many steps each state is from the goal, if any lead there.
    fn distances(&self) -> Vec<Option<usize>> {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (source, state) in (0..).zip(&self.states) {
            state.steps.iter().for_each(|&(_, target)| sources[target as usize].push(source));
        }
        let mut distances: Vec<Option<usize>> =
            self.states.iter().map(|state| state.satisfies.then_some(0)).collect();
        let mut waiting: VecDeque<usize> =
            (0..self.states.len()).filter(|&number| self.states[number].satisfies).collect();
        while let Some(number) = waiting.pop_front() {
            let further = distances[number].map(|distance| distance + 1);
            for &source in &sources[number] {
                if distances[source as usize].is_none() {
                    distances[source as usize] = further;
                    waiting.push_back(source as usize);
                }
            }
        }
        distances
    }
}

impl Observer for Transitions<'_> {
    fn visit(&mut self, node: NodeId, _: &SymbolicState) -> Visit {
        self.popped += 1;
        if self.states[node.index()].satisfies { Visit::Skip } else { Visit::Expand }
    }

    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let stored = expansion.offer(successor);
        if let Some(node) = stored {
            self.add(node, successor);
        }
        // A state that is not stored equals a stored one, unless its zone has overflowed.
        let Some(target) = stored.or_else(|| expansion.covering(successor)) else { return };
        self.goal_transitions += usize::from(self.states[target.index()].satisfies);
        match expansion.parent() {
            None => self.initial.push(target.index() as u32),
            Some(parent) => {
                let step = (successor.ordinal, target.index() as u32);
                self.states[parent.index()].steps.push(step);
                self.steps += 1;
            }
        }
    }

    fn ended(&self) -> Option<Ended> {
        let layer = (self.popped == self.layer_end).then_some(Ended::Enough);
        self.failure.clone().or(layer)
    }

    fn memory_bytes(&self) -> usize {
        self.states.len() * size_of::<State>() + self.steps * size_of::<(u32, u32)>()
    }
}

/// A prefix of a path to the goal.
#[derive(Clone, Copy)]
struct PathPrefix {
    /// The number of transitions, and that of the shortest path with this prefix.
    taken: usize,
    length: usize,
    /// The number of its last state.
    number: u32,
    /// The prefix without its last transition, and the ordinal of that.
    last: Option<(usize, u32)>,
}

/// The paths of a graph to the goal, shortest first.
struct Paths<'m, 's> {
    graph: &'m Transitions<'s>,
    distances: Vec<Option<usize>>,
    length_max: usize,
    prefixes: Vec<PathPrefix>,
    /// Prefixes to be extended, by length and then in their order.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
}

impl<'m, 's> Paths<'m, 's> {
    fn new(graph: &'m Transitions<'s>, length_max: usize) -> Self {
        let (distances, waiting) = (graph.distances(), BinaryHeap::new());
        let mut paths = Self { graph, distances, length_max, prefixes: Vec::new(), waiting };
        graph.initial.iter().for_each(|&number| paths.push(0, number, None));
        paths
    }

    fn push(&mut self, taken: usize, number: u32, last: Option<(usize, u32)>) {
        let Some(distance) = self.distances[number as usize] else { return };
        let length = taken + distance;
        if length <= self.length_max {
            self.waiting.push(Reverse((length, self.prefixes.len())));
            self.prefixes.push(PathPrefix { taken, length, number, last });
        }
    }

    /// Extends the first prefix; returns it if it reaches the goal.
    fn advance(&mut self) -> Option<Option<Vec<u32>>> {
        let Reverse((_, index)) = self.waiting.pop()?;
        let PathPrefix { taken, length, number, .. } = self.prefixes[index];
        if taken == length {
            return Some(Some(self.ordinals(index)));
        }
        let graph = self.graph;
        for &(step, target) in &graph.states[number as usize].steps {
            self.push(taken + 1, target, Some((index, step)));
        }
        Some(None)
    }

    fn ordinals(&self, index: usize) -> Vec<u32> {
        let mut path = Vec::new();
        let mut last = self.prefixes[index].last;
        while let Some((before, step)) = last {
            path.push(step);
            last = self.prefixes[before].last;
        }
        path.reverse();
        path
    }

    /// The approximate memory of the prefixes.
    fn bytes(&self) -> u64 {
        (self.prefixes.len() * (size_of::<PathPrefix>() + size_of::<Reverse<(usize, usize)>>())) as u64
    }

    /// Computes runs along up to `wanted` paths; and why there are no more, if a limit was reached.
    fn realised(
        mut self,
        wanted: usize,
        budget: &mut Budget<'_>,
        realise: &dyn Fn(&[u32]) -> Option<Witness>,
    ) -> (Vec<Witness>, Option<Others>) {
        let (mut witnesses, mut known) = (Vec::new(), HashSet::new());
        let (mut bytes, mut unrealisable) = (0, 0);
        while witnesses.len() < wanted {
            // No more states are stored, and one path is tried in any case.
            let holdings = || (0, bytes + self.bytes());
            if let Some(exhausted) = budget.check(holdings).0.filter(|_| !known.is_empty()) {
                return (witnesses, Some(Others::Exhausted(exhausted)));
            }
            let Some(path) = self.advance() else { break };
            let Some(path) = path.filter(|path| !extends_known(&known, path)) else { continue };
            let witness = realise(&path);
            unrealisable += usize::from(witness.is_none());
            if unrealisable > UNREALISABLE_MAX {
                return (witnesses, Some(Others::NotSearched));
            }
            bytes += size_of_val(&path[..]) as u64 + witness.as_ref().map_or(0, bytes_of);
            witnesses.extend(witness);
            known.insert(path);
        }
        (witnesses, None)
    }
}

/// The approximate memory of a run.
fn bytes_of(witness: &Witness) -> u64 {
    let last = &witness.last;
    let state =
        size_of_val(&last.locations[..]) + size_of_val(&last.cells[..]) + size_of_val(&last.clocks[..]);
    let actions: usize =
        witness.run.steps.iter().map(|step| size_of_val(step) + size_of_val(&step.action[..])).sum();
    (size_of_val(witness) + state + actions) as u64
}

/// Whether a path is known, or extends a known one through another piece of a zone.
fn extends_known(known: &HashSet<Vec<u32>>, path: &[u32]) -> bool {
    (0..=path.len()).any(|length| known.contains(&path[..length]))
}
