//! A search with polyhedra, if the path that zones found has no run.
//!
//! A path without a run does not imply that its last state is unreachable: zones may have found it first by a spurious path, and
//! stored zones may cover those of a real one. So the search is repeated with exact sets of valuations. A set that a stored set of the
//! same discrete state includes is not stored, as in every search. If a state that satisfies the goal is found, a run reaches it; if
//! the search is complete, none does: both are exact.
//!
//! **Abstraction.** Values of a clock above the largest constant `M` that it can still be compared with are equivalent, whether it
//! runs or not. So a set is split at `M`, and above it the clock is freed; an inactive clock is freed everywhere. That preserves
//! convexity and is exact, where extrapolations of zones are based on regions, which stopwatches do not have. It is not done if
//! diagonals are compared.
//!
//! **Order.** Breadth first finds the shortest run, and is used if that is requested. Otherwise nodes are popped alternately from both
//! ends of the queue: the newest, since a missed deadline is many transitions deep and many paths reach it, and the oldest, so that
//! an infinite branch does not delay the others forever.
//!
//! The number of sets may be infinite: the problem is undecidable `[CassezLarsen2000]`. The search ends after [`STATES_MAX`] sets, if
//! no limit of the job ends it before.
//!
//! Cost: some dozens of linear programs over the clocks for each transition, a million times that of a zone for the worst models and a
//! thousand times for common ones; hence the order of the two engines.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use tourbillon_dbm::{Clock, ClockBounds, Constant, Constraint, Dbm};
use tourbillon_replay::{Fired, Run};
use tourbillon_search::{Budget, Exhausted};
use tourbillon_system::{Analysis, RuntimeError, System};
use tourbillon_zonegraph::{
    Bounds, Negative, Options, PredicateEvaluator, SymbolicState, Timing, ZoneGraph, negative_writes,
};

use super::moments::{moments_to, runs};
use super::polyhedron::{Polyhedron, above, not_above};
use super::simplex::Point;
use super::{Fits, TooLarge, deadlock};
use crate::path::Goal;
use crate::route::{edges, run_of};
use crate::timing::PathTiming;

/// The maximum number of stored sets.
pub(crate) const STATES_MAX: usize = 20_000;

/// The result of a search with polyhedra.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PolyhedraResult {
    /// This run reaches a state that satisfies the goal.
    Found(Run),
    /// No reachable state satisfies the goal.
    Complete,
    /// The model fails after this run, or in the initial state.
    Failed(RuntimeError, Option<Run>),
    /// A limit of the job was reached.
    Exhausted(Exhausted),
    /// The maximum number of sets is stored.
    LimitReached,
    /// Numbers got too large.
    TooLarge,
}

/// A stored set of clock valuations, with the step to it.
struct Node {
    state: usize,
    set: Polyhedron,
    parent: Option<usize>,
    /// The edges of that transition.
    action: Vec<Fired>,
    /// The constraints of that transition, including those of the part of the source in which it is taken.
    timing: Timing,
}

/// The early end of the search.
enum Stop {
    Result(PolyhedraResult),
    /// The model fails in this node, or in the initial state.
    Failed(RuntimeError, Option<usize>),
}

impl From<TooLarge> for Stop {
    fn from(_: TooLarge) -> Self {
        Self::Result(PolyhedraResult::TooLarge)
    }
}

/// A search with polyhedra.
pub(crate) struct Exploration<'s> {
    system: &'s System,
    graph: ZoneGraph<'s>,
    /// The zone graph for transitions of a successor, while those of its source are enumerated.
    ahead: ZoneGraph<'s>,
    evaluator: PredicateEvaluator<'s>,
    goal: Option<Goal<'s>>,
    has_deadlock: bool,
    /// Whether clocks above their largest constants are freed.
    abstracts: bool,
    /// Discrete states, each with its nodes.
    states: HashMap<Box<[i32]>, usize>,
    memories: Vec<Box<[i32]>>,
    stored: Vec<Vec<usize>>,
    nodes: Vec<Node>,
    waiting: VecDeque<usize>,
    /// Whether a shortest run is requested.
    shortest: bool,
    /// Whether the next node is the newest.
    newest_next: bool,
    bytes: u64,
}

impl<'s> Exploration<'s> {
    /// A search for a goal, or for failures only.
    pub(crate) fn new(system: &'s System, analysis: &Analysis, goal: Option<Goal<'s>>) -> Self {
        let options = Options { bounds: Bounds::local(&analysis.local), ..Options::exact(system) };
        Self {
            system,
            graph: ZoneGraph::new(system, options),
            ahead: ZoneGraph::new(system, Options::exact(system)),
            evaluator: PredicateEvaluator::new(system),
            goal,
            has_deadlock: goal.is_some_and(|goal| goal.predicate.formula.mentions_deadlock()),
            abstracts: !analysis.uses_diagonals,
            states: HashMap::new(),
            memories: Vec::new(),
            stored: Vec::new(),
            nodes: Vec::new(),
            waiting: VecDeque::new(),
            shortest: false,
            newest_next: false,
            bytes: 0,
        }
    }

    /// Finds a shortest run, if that is requested.
    pub(crate) fn shortest(self, shortest: bool) -> Self {
        Self { shortest, ..self }
    }

    /// Disables the abstraction, for a goal with other constants than those of the analysis.
    pub(crate) fn without_abstraction(self) -> Self {
        Self { abstracts: false, ..self }
    }

    /// The number of stored sets.
    pub(crate) fn stored(&self) -> usize {
        self.nodes.len()
    }

    /// Searches until the goal is reached, the search is complete, or a limit is reached.
    pub(crate) fn run(&mut self, budget: &mut Budget<'_>) -> PolyhedraResult {
        match self.search(budget) {
            Ok(()) => PolyhedraResult::Complete,
            Err(Stop::Result(ended)) => ended,
            Err(Stop::Failed(error, node)) => {
                let run = node.and_then(|node| self.run_to(node, None).ok().flatten());
                PolyhedraResult::Failed(error, run)
            }
        }
    }

    fn search(&mut self, budget: &mut Budget<'_>) -> Result<(), Stop> {
        self.begin()?;
        while let Some(index) = self.next() {
            if self.nodes.len() >= STATES_MAX {
                return Err(Stop::Result(PolyhedraResult::LimitReached));
            }
            self.expand(index, budget)?;
        }
        Ok(())
    }

    /// Pops the next node.
    fn next(&mut self) -> Option<usize> {
        self.newest_next = !self.newest_next && !self.shortest;
        if self.newest_next { self.waiting.pop_back() } else { self.waiting.pop_front() }
    }

    fn begin(&mut self) -> Result<(), Stop> {
        let failed = |error| Stop::Failed(error, None);
        let timing = self.graph.initial_timing().map_err(failed)?;
        let mut memories = Vec::new();
        let fields = self.system.layout.fields();
        self.graph
            .initial(&mut |successor| memories.push(Box::from(&successor.memory[..fields])))
            .map_err(failed)?;
        let Some(memory) = memories.pop() else { return Ok(()) };
        let mut set = Polyhedron::zero(self.system.dimension);
        for &write in &timing.writes {
            set.write(write)?;
        }
        self.add_successors(None, &[], memory, set, &timing)
    }

    /// Computes the successors of a node.
    fn expand(&mut self, index: usize, budget: &mut Budget<'_>) -> Result<(), Stop> {
        let failed = |error| Stop::Failed(error, Some(index));
        let set = self.nodes[index].set.clone();
        let mut state = self.symbolic(index);
        let fields = self.system.layout.fields();
        self.graph.prepare(&mut state).map_err(failed)?;
        while let Some(place) = self.graph.next(&state).map_err(failed)? {
            let action = edges(&self.graph, place);
            for piece in self.graph.pieces(&state, place).map_err(failed)? {
                if let Some(exhausted) = budget.check(|| (self.nodes.len() as u64, self.bytes)).0 {
                    return Err(Stop::Result(PolyhedraResult::Exhausted(exhausted)));
                }
                let leaving = piece.minimal_constraints();
                let mut part = set.clone();
                part.constrain(&leaving);
                if part.is_empty()? {
                    continue;
                }
                let timing = self.graph.timing(&state, place).map_err(failed)?;
                for Negative { within, .. } in negative_writes(&timing.writes) {
                    let (mut below, mut points) = (piece.clone(), part.clone());
                    let admits = within.is_none_or(|within| below.constrain(within));
                    points.constrain(within.as_slice());
                    if admits
                        && !points.is_empty()?
                        && let Some((_, error)) =
                            self.graph.failing_from(&state, place, &below).map_err(failed)?
                    {
                        return Err(failed(error));
                    }
                }
                let mut memory = None;
                self.graph
                    .follow_from(&state, place, &piece, &mut |successor| {
                        memory = Some(Box::from(&successor.memory[..fields]));
                    })
                    .map_err(failed)?;
                let Some(memory) = memory else { continue };
                for &write in &timing.writes {
                    part.write(write)?;
                }
                self.add_successors(Some(index), &action, memory, part, &Timing { leaving, ..timing })?;
            }
        }
        Ok(())
    }

    /// Stores the successors of a transition, from the valuations after its updates.
    fn add_successors(
        &mut self,
        parent: Option<usize>,
        action: &[Fired],
        memory: Box<[i32]>,
        mut set: Polyhedron,
        timing: &Timing,
    ) -> Result<(), Stop> {
        set.constrain(&timing.entering);
        if set.is_empty()? {
            return Ok(());
        }
        if timing.may_wait {
            set.delay(&runs(self.system.dimension, timing))?;
            set.constrain(&timing.entering);
        }
        set.reduce()?;
        let state = self.state(memory);
        let mut sets = vec![set];
        if self.abstracts {
            let mut full = self.system.initial.clone();
            full[..self.memories[state].len()].copy_from_slice(&self.memories[state]);
            sets = split(sets, self.graph.constants(&full))?;
        }
        for set in sets {
            let Some(point) = set.point()? else { continue };
            if !self.is_covered(state, &set, &point)? {
                let (action, timing) = (action.to_vec(), timing.clone());
                self.store(Node { state, set, parent, action, timing })?;
            }
        }
        Ok(())
    }

    /// The number of a discrete state.
    fn state(&mut self, memory: Box<[i32]>) -> usize {
        if let Some(&state) = self.states.get(&memory) {
            return state;
        }
        let state = self.memories.len();
        self.bytes += 2 * size_of_val(&*memory) as u64;
        self.memories.push(memory.clone());
        self.stored.push(Vec::new());
        self.states.insert(memory, state);
        state
    }

    /// Whether a stored set includes this one, which contains this point.
    fn is_covered(&self, state: usize, set: &Polyhedron, point: &Point) -> Fits<bool> {
        for &other in &self.stored[state] {
            let other = &self.nodes[other].set;
            if other.contains(point)? && other.includes(set)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Stores a node, and ends the search if it satisfies the goal.
    fn store(&mut self, node: Node) -> Result<(), Stop> {
        let (state, index) = (node.state, self.nodes.len());
        self.bytes += node.bytes();
        self.nodes.push(node);
        self.stored[state].push(index);
        self.waiting.push_back(index);
        let ends = self.ends(index)?;
        if ends.is_empty() {
            return Ok(());
        }
        // A freed clock may be in one part of the set, and the clock of a run in another one that is equivalent.
        for end in &ends {
            if let Some(run) = self.run_to(index, Some(end))? {
                return Err(Stop::Result(PolyhedraResult::Found(run)));
            }
        }
        debug_assert!(false, "the sets along a path are exact");
        Err(Stop::Result(PolyhedraResult::TooLarge))
    }

    /// The parts of a node that satisfy the goal and its invariants: all of them if the goal contains `deadlock`, else one.
    fn ends(&mut self, index: usize) -> Result<Vec<Polyhedron>, Stop> {
        let Some(goal) = self.goal else { return Ok(Vec::new()) };
        let mut set = self.nodes[index].set.clone();
        set.constrain(goal.deadline.as_slice());
        if set.is_empty()? {
            return Ok(Vec::new());
        }
        if !self.has_deadlock {
            return Ok(self.meet(index, goal, &set)?.into_iter().collect());
        }
        let steps = self.steps_ahead(index)?;
        let mut ends = Vec::new();
        self.evaluator.suppose_deadlocked(true);
        for part in deadlock::without_steps(&set, &steps)? {
            ends.extend(self.meet(index, goal, &part)?);
        }
        self.evaluator.suppose_deadlocked(false);
        for step in &steps {
            let mut part = set.clone();
            part.intersect(step);
            ends.extend(self.meet(index, goal, &part)?);
        }
        Ok(ends)
    }

    /// The part of a set that satisfies the goal.
    fn meet(&mut self, index: usize, goal: Goal<'_>, set: &Polyhedron) -> Result<Option<Polyhedron>, Stop> {
        let memory = self.memory(index);
        let mut met = Ok(None);
        let mut meets = |part: &Dbm| {
            let mut within = set.clone();
            within.constrain(&part.minimal_constraints());
            match within.is_empty() {
                Ok(true) => return false,
                Ok(false) => met = Ok(Some(within)),
                Err(error) => met = Err(error),
            }
            true
        };
        let universal = Dbm::universal(self.system.dimension);
        let whole = self
            .evaluator
            .meet_each(goal.predicate, &memory, &universal, &mut |part| meets(&part))
            .map_err(|error| Stop::Failed(error, Some(index)))?;
        if whole && !set.is_empty()? {
            return Ok(Some(set.clone()));
        }
        Ok(met?)
    }

    /// For each transition of a node, the valuations from which a delay enables it.
    fn steps_ahead(&mut self, index: usize) -> Result<Vec<Polyhedron>, Stop> {
        let failed = |error| Stop::Failed(error, Some(index));
        let timing = &self.nodes[index].timing;
        let waiting = timing.may_wait.then(|| runs(self.system.dimension, timing));
        let mut state = self.symbolic(index);
        self.ahead.prepare(&mut state).map_err(failed)?;
        let mut steps = Vec::new();
        while let Some(place) = self.ahead.next(&state).map_err(failed)? {
            for piece in self.ahead.pieces(&state, place).map_err(failed)? {
                // A failure is reported when the transition is followed; here it counts as enabled.
                let writes = self.ahead.timing(&state, place).map_or(Vec::new(), |timing| timing.writes);
                for Negative { within, .. } in negative_writes(&writes) {
                    let mut below = piece.clone();
                    if within.is_none_or(|within| below.constrain(within)) {
                        steps.push(deadlock::before_step(&below, waiting.as_deref())?);
                    }
                }
                let zone = match self.ahead.admitted(&state, place, &piece) {
                    Ok(Some(zone)) => zone,
                    Ok(None) => continue,
                    Err(_) => piece,
                };
                steps.push(deadlock::before_step(&zone, waiting.as_deref())?);
            }
        }
        Ok(steps)
    }

    /// The discrete state of a node, of full length.
    fn memory(&self, index: usize) -> Vec<i32> {
        let mut memory = self.system.initial.clone();
        let known = &self.memories[self.nodes[index].state];
        memory[..known.len()].copy_from_slice(known);
        memory
    }

    /// The discrete state of a node with the universal zone.
    fn symbolic(&self, index: usize) -> SymbolicState {
        SymbolicState { memory: self.memory(index), zone: Dbm::universal(self.system.dimension) }
    }

    /// A run to a node that ends in a set.
    fn run_to(&mut self, index: usize, end: Option<&Polyhedron>) -> Fits<Option<Run>> {
        let mut path = vec![index];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        let timings: Vec<Cow<'_, Timing>> =
            path.iter().map(|&node| Cow::Borrowed(&self.nodes[node].timing)).collect();
        let course =
            PathTiming { dimension: self.system.dimension, initial: &timings[0], steps: &timings[1..] };
        let end = end.map_or(&[][..], Polyhedron::rows);
        let Some(moments) = moments_to(&course, end)? else { return Ok(None) };
        let actions = path[1..].iter().map(|&node| self.nodes[node].action.clone()).collect();
        Ok(run_of(actions, &moments))
    }
}

impl Node {
    /// The approximate memory.
    fn bytes(&self) -> u64 {
        let row =
            self.set.rows().first().map_or(0, |row| size_of_val(row) + size_of_val(&row.coefficients[..]));
        let constraints = self.timing.leaving.len() + self.timing.entering.len();
        (size_of::<Self>() + self.set.rows().len() * row + constraints * size_of::<Constraint>()) as u64
    }
}

/// Splits sets at the largest constant of each clock, and frees the clock above it.
fn split(mut sets: Vec<Polyhedron>, bounds: &ClockBounds) -> Fits<Vec<Polyhedron>> {
    for clock in bounds.dimension().iter() {
        match bounds.maximum(clock) {
            None => sets.iter_mut().try_for_each(|set| set.free(clock))?,
            Some(Constant::MAX) => {}
            Some(maximum) => {
                let mut parts = Vec::new();
                for set in sets {
                    split_on(set, clock, maximum, &mut parts)?;
                }
                sets = parts;
            }
        }
    }
    Ok(sets)
}

/// The part of a set in which a clock is at most its maximum, and the part above, where the clock is freed.
fn split_on(set: Polyhedron, clock: Clock, maximum: Constant, parts: &mut Vec<Polyhedron>) -> Fits<()> {
    let mut beyond = set.clone();
    beyond.constrain(&[above(clock, maximum)]);
    if beyond.is_empty()? {
        parts.push(set);
        return Ok(());
    }
    if !set.is_above(clock, maximum)? {
        let mut within = set;
        within.constrain(&[not_above(clock, maximum)]);
        within.reduce()?;
        parts.push(within);
    }
    beyond.free(clock)?;
    beyond.constrain(&[above(clock, maximum)]);
    parts.push(beyond);
    Ok(())
}
