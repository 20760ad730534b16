//! Nested depth-first search: is there a run that goes on for ever, as asked?
//!
//! The outer search visits states depth first; the path at hand is cyan. When it leaves an accepting state, the inner
//! search looks for a way from there back to the path, which closes a cycle with the accepting state in it. States in
//! which nothing was found are red and never entered again, so that each state is visited twice at most
//! `[SchwoonEsparza2005]`. Where all states accept there is no inner search: a state that is left is red.
//!
//! **Covering.** Two rules make use of inclusion `[LaarmanOlesenDalsgaardLarsenVandePol2013]`:
//!
//! - A successor that covers a state of the path closes a cycle (a *spiral*): what the path did from the covered
//!   state can be done from the covering one, which leads to one that is larger still; there are finitely many,
//!   so that some repeats, and a cycle of zones has a run `[Li2009]`.
//! - A successor that a red state covers is left out: each of its runs is one of the red state's, which has none
//!   that is looked for. All states after a red one are covered by red ones; so that a state whose successors
//!   all are is red itself.
//!
//! No state is left out because a cyan or blue one covers it: that would be wrong, since a cycle through a covering need
//! not be one of runs.
//!
//! A state accepts if it is of every kind; to come back to several kinds in turn, see `components.rs`.
//!
//! **Ends.** With finite runs that count (see `zonegraph/src/maximal.rs`), every state is asked when it is visited.

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;
use tourbillon_store::{Colour, Coloured, ColouredMatch, NodeId, Probe};
use tourbillon_system::{Predicate, RuntimeError};
use tourbillon_zonegraph::{Ending, PredicateEvaluator, Satisfaction, Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Exhausted, Meter};
use crate::stats::Stats;

/// Which states a run must come back to again and again: to each kind in turn, and to any if there is none.
#[derive(Clone, Default, Debug)]
pub struct Acceptance {
    /// States right after an action in which data is so.
    pub kinds: Vec<Predicate>,
    /// States after a step that only tells that time has passed: this field of the discrete state is not 0.
    pub ticked: Option<usize>,
}

impl Acceptance {
    /// The kinds of accepting states that there are, as bits.
    pub(crate) fn all(&self) -> u64 {
        let count = self.kinds.len() + usize::from(self.ticked.is_some());
        (1u64 << count.max(1)) - 1
    }

    /// The kinds of accepting states that a state is of, as bits.
    pub(crate) fn of(
        &self,
        evaluator: &mut PredicateEvaluator<'_>,
        state: &SymbolicState,
    ) -> Result<u64, RuntimeError> {
        let ticked = self.ticked.map(|field| state.memory[field] != 0);
        if self.kinds.is_empty() {
            return Ok(u64::from(ticked.unwrap_or(true)));
        }
        if ticked == Some(true) {
            return Ok(1 << self.kinds.len());
        }
        let mut found = 0;
        for (bit, kind) in self.kinds.iter().enumerate() {
            let satisfaction = evaluator.meet(kind, &state.memory, &state.zone)?;
            found |= u64::from(satisfaction != Satisfaction::Nowhere) << bit;
        }
        Ok(found)
    }
}

/// How many kinds of accepting states there can be.
pub const KINDS_MAX: usize = 32;

/// Which runs count.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// What a run that goes on for ever must do.
    pub accepting: Acceptance,
    /// Whether a run that waits for ever counts.
    pub waiting: bool,
    /// Whether a run that is stuck counts.
    pub stuck: bool,
}

/// What was found, as ordinals of transitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endless {
    /// Nothing: there is no such run.
    Nothing,
    /// A way to a cycle, and the cycle.
    Cycle {
        /// From the start to the cycle.
        stem: Vec<u32>,
        /// Once round.
        cycle: Vec<u32>,
    },
    /// A way to where a run can end.
    End {
        /// From the start.
        stem: Vec<u32>,
        /// How it ends.
        how: Ending,
    },
    /// Something ran out before.
    Exhausted(Exhausted),
    /// The model failed after these transitions.
    Failed(Vec<u32>, RuntimeError),
    /// A bound of a zone grew past what can be held.
    Overflowed,
}

impl Endless {
    /// What an error after these transitions means: what was ended from outside did not fail.
    pub(crate) fn failed(steps: Vec<u32>, error: RuntimeError) -> Self {
        Exhausted::of_cancelled(&error).map_or_else(|| Self::Failed(steps, error), Self::Exhausted)
    }
}

/// A state of the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: NodeId,
    /// The transition that led here.
    step: u32,
    /// Where its successors begin among those that are pending.
    pending: usize,
    /// How many states of the path up to here accept.
    accepting: u32,
    /// Whether every successor that is not pending is red.
    all_red: bool,
}

/// A search that can be continued from other starts.
#[derive(Debug)]
pub struct Nested<'s> {
    graph: ZoneGraph<'s>,
    evaluator: PredicateEvaluator<'s>,
    nodes: Box<dyn Coloured>,
    cycles: Cycles,
    state: SymbolicState,
    /// The path.
    frames: Vec<Frame>,
    /// Successors of the states of the path that are still to be visited.
    pending: Vec<(NodeId, u32)>,
    /// Where on the path each node is, if it is.
    depths: Vec<u32>,
    probe: Probe,
    cyan: Vec<NodeId>,
    meter: Meter,
    visited: u64,
    transitions: u64,
    covered: u64,
}

/// What stops a search.
type Stop = Endless;

/// How much a node takes besides what the store has: its depth.
const DEPTH_BYTES: usize = size_of::<u32>();

impl<'s> Nested<'s> {
    /// A search of a zone graph.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, nodes: Box<dyn Coloured>, cycles: Cycles) -> Self {
        Self {
            evaluator: PredicateEvaluator::new(graph.system()),
            state: SymbolicState::new(graph.system()),
            graph,
            nodes,
            cycles,
            frames: Vec::new(),
            pending: Vec::new(),
            depths: Vec::new(),
            probe: Probe::new(),
            cyan: Vec::new(),
            meter: Meter::unlimited(),
            visited: 0,
            transitions: 0,
            covered: 0,
        }
    }

    /// What there is to report.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut memory = self.nodes.memory();
        memory.waiting += self.frames.capacity() * size_of::<Frame>()
            + self.pending.capacity() * size_of::<(NodeId, u32)>();
        memory.nodes += self.depths.capacity() * DEPTH_BYTES;
        Stats {
            visited: self.visited,
            stored: self.nodes.len() as u64,
            stored_max: self.nodes.len() as u64,
            transitions: self.transitions,
            covered: self.covered,
            mistakes: 0,
            rank_visits: 0,
            waiting: self.pending.len() as u64,
            discrete_states: self.nodes.discrete_states() as u64,
            distinct_zones: self.nodes.distinct_zones() as u64,
            is_packed: false,
            memory,
            certainty: None,
            sets: None,
        }
    }

    /// Looks from the initial state on.
    pub fn search_from_start(
        &mut self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Endless {
        self.run(budget, progress, |graph, sink| graph.initial(&mut |successor| sink(successor)))
    }

    /// Looks from a state on, which a run can be in at some moment: from its delays on.
    pub fn search_from(
        &mut self,
        memory: &[i32],
        zone: &Dbm,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Endless {
        self.run(budget, progress, |graph, sink| graph.resume(memory, zone, &mut |successor| sink(successor)))
    }

    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
        begin: impl FnOnce(&mut ZoneGraph<'s>, &mut dyn FnMut(&Successor<'_>)) -> Result<(), RuntimeError>,
    ) -> Endless {
        self.meter = budget.meter(self.graph.system());
        self.frames.clear();
        self.pending.clear();
        let mut intake = Intake::new(
            &mut *self.nodes,
            &mut self.pending,
            (&mut self.probe, &mut self.cyan),
            (&self.graph, self.meter),
        );
        let outcome = begin(&mut self.graph, &mut |successor| intake.take(successor));
        let overflowed = intake.overflowed;
        if let Err(error) = outcome {
            return Endless::failed(Vec::new(), error);
        }
        if overflowed {
            return Endless::Overflowed;
        }
        match self.search(budget, progress) {
            Ok(()) => Endless::Nothing,
            Err(stop) => stop,
        }
    }

    /// The outer search. The starts are pending.
    fn search(&mut self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Result<(), Stop> {
        loop {
            let floor = self.frames.last().map_or(0, |frame| frame.pending);
            if self.pending.len() > floor {
                let (node, step) = self.pending.pop().expect("there is one more");
                if self.is_worth_visiting(node) {
                    self.look_at(budget, progress)?;
                    self.enter(node, step)?;
                } else if self.nodes.colour(node) != Colour::Red {
                    self.note_not_red();
                }
            } else if let Some(frame) = self.frames.pop() {
                self.leave(frame, budget, progress)?;
            } else {
                return Ok(());
            }
        }
    }

    fn look_at(&self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Result<(), Stop> {
        let exhausted = budget.spend(|| self.stats(), progress);
        exhausted.map_or(Ok(()), |what| Err(Endless::Exhausted(what)))
    }

    /// Whether a pending node is still to be visited. What was met white may be covered by a red one by now.
    fn is_worth_visiting(&mut self, node: NodeId) -> bool {
        if self.nodes.colour(node) != Colour::White {
            return false;
        }
        let Self { graph, nodes, probe, state, cyan, .. } = self;
        let fields = graph.system().layout.fields();
        nodes.load(node, &mut state.memory[..fields], &mut state.zone);
        cyan.clear();
        let red = nodes.find(&state.memory[..fields], &state.zone, probe, cyan) == ColouredMatch::Red;
        if red {
            nodes.paint(node, Colour::Red);
        }
        !red
    }

    fn note_not_red(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.all_red = false;
        }
    }

    /// Puts the loaded state on the path: looks whether a run can end there, and at its successors.
    fn enter(&mut self, node: NodeId, step: u32) -> Result<(), Stop> {
        self.visited += 1;
        self.nodes.paint(node, Colour::Cyan);
        let kinds = self.cycles.accepting.of(&mut self.evaluator, &self.state);
        let accepts = kinds.map_err(|error| self.failed(Some(step), error))? == self.cycles.accepting.all();
        let before = self.frames.last().map_or(0, |frame| frame.accepting);
        let accepting = before + u32::from(accepts);
        if self.depths.len() <= node.index() {
            self.depths.resize(self.nodes.len().max(node.index() + 1), 0);
        }
        self.depths[node.index()] = self.frames.len() as u32;
        self.frames.push(Frame { node, step, pending: self.pending.len(), accepting, all_red: true });
        self.expand_outer()?;
        if self.cycles.waiting {
            self.look_for_end()?;
        }
        Ok(())
    }

    /// Meets the successors of the last state of the path.
    fn expand_outer(&mut self) -> Result<(), Stop> {
        let last = self.frames.len() - 1;
        let mut closing = None;
        let mut intake = Intake::new(
            &mut *self.nodes,
            &mut self.pending,
            (&mut self.probe, &mut self.cyan),
            (&self.graph, self.meter),
        );
        let (frames, depths) = (&self.frames, &self.depths);
        let outcome = self.graph.expand(&mut self.state, &mut |successor| {
            intake.take(successor);
            let accepted = |depth: u32| {
                let before = depth.checked_sub(1).map_or(0, |before| frames[before as usize].accepting);
                frames[last].accepting > before
            };
            let deepest =
                intake.cyan.iter().map(|node| depths[node.index()]).filter(|&depth| accepted(depth)).max();
            if let (None, Some(depth)) = (closing, deepest) {
                closing = Some((depth, successor.ordinal));
            }
        });
        let (offers, covered, overflowed) = (intake.offers, intake.covered, intake.overflowed);
        self.transitions += offers;
        self.covered += covered;
        if let Some((depth, ordinal)) = closing {
            let mut cycle = self.steps(depth as usize + 1);
            cycle.push(ordinal);
            let stem = self.stem(depth as usize);
            return Err(Endless::Cycle { stem, cycle });
        }
        if overflowed {
            return Err(Endless::Overflowed);
        }
        outcome.map_err(|error| self.failed(None, error))
    }

    /// Asks whether a run can end in the last state of the path, which was just expanded.
    fn look_for_end(&mut self) -> Result<(), Stop> {
        let ending = self.graph.ending(&self.state, self.cycles.stuck);
        match ending.map_err(|error| self.failed(None, error))? {
            Some((how, _)) => Err(Endless::End { stem: self.stem(self.frames.len() - 1), how }),
            None => Ok(()),
        }
    }

    /// The transitions to the state of the path at this depth. The first led to a start, and is none.
    fn stem(&self, depth: usize) -> Vec<u32> {
        self.frames[..=depth].iter().skip(1).map(|frame| frame.step).collect()
    }

    /// The transitions of the path from this depth on.
    fn steps(&self, depth: usize) -> Vec<u32> {
        self.frames[depth..].iter().map(|frame| frame.step).collect()
    }

    fn failed(&self, next: Option<u32>, error: RuntimeError) -> Stop {
        let mut steps: Vec<u32> = self.frames.iter().map(|frame| frame.step).chain(next).collect();
        if !steps.is_empty() {
            steps.remove(0);
        }
        Endless::failed(steps, error)
    }

    /// Takes a state off the path: red if all its successors are, or if nothing leads from it back to the path.
    fn leave(
        &mut self,
        frame: Frame,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), Stop> {
        let before = self.frames.last().map_or(0, |frame| frame.accepting);
        let accepts = frame.accepting > before;
        if accepts && !frame.all_red {
            // It is part of the path while the inner search runs.
            self.frames.push(frame);
            self.search_inner(frame.node, budget, progress)?;
            self.frames.pop();
        }
        let red = accepts || frame.all_red;
        self.nodes.paint(frame.node, if red { Colour::Red } else { Colour::Blue });
        if !red {
            self.note_not_red();
        }
        Ok(())
    }

    /// The inner search: from an accepting state, the last of the path, back to the path.
    fn search_inner(
        &mut self,
        seed: NodeId,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), Stop> {
        // The path of the inner search: where the successors of each state begin, and the transition to it.
        let mut path: Vec<(usize, u32)> = Vec::new();
        let mut pending: Vec<(NodeId, u32)> = Vec::new();
        let mut next = Some((seed, 0));
        loop {
            if let Some((node, step)) = next.take() {
                self.look_at(budget, progress)?;
                path.push((pending.len(), step));
                self.expand_inner(node, &path, &mut pending)?;
            }
            let Some(&(floor, _)) = path.last() else { return Ok(()) };
            if pending.len() == floor {
                path.pop();
                continue;
            }
            let (node, step) = pending.pop().expect("there is one more");
            if self.nodes.colour(node) == Colour::Blue {
                self.nodes.paint(node, Colour::Red);
                next = Some((node, step));
            }
        }
    }

    fn expand_inner(
        &mut self,
        node: NodeId,
        path: &[(usize, u32)],
        pending: &mut Vec<(NodeId, u32)>,
    ) -> Result<(), Stop> {
        let Self { graph, nodes, probe, state, cyan, .. } = self;
        let fields = graph.system().layout.fields();
        nodes.load(node, &mut state.memory[..fields], &mut state.zone);
        self.visited += 1;
        let mut intake = Intake::new(&mut **nodes, pending, (probe, cyan), (graph, self.meter));
        let mut closing = None;
        let depths = &self.depths;
        let outcome = graph.expand(state, &mut |successor| {
            intake.take(successor);
            let deepest = intake.cyan.iter().map(|node| depths[node.index()]).max();
            if let (None, Some(depth)) = (closing, deepest) {
                closing = Some((depth, successor.ordinal));
            }
        });
        let overflowed = intake.overflowed;
        self.transitions += intake.offers;
        self.covered += intake.covered;
        if let Some((depth, ordinal)) = closing {
            let mut cycle = self.steps(depth as usize + 1);
            cycle.extend(path.iter().skip(1).map(|&(_, step)| step).chain([ordinal]));
            return Err(Endless::Cycle { stem: self.stem(depth as usize), cycle });
        }
        if overflowed {
            return Err(Endless::Overflowed);
        }
        outcome.map_err(|error| {
            let steps = path.iter().skip(1).map(|&(_, step)| step);
            Endless::failed(self.stem(self.frames.len() - 1).into_iter().chain(steps).collect(), error)
        })
    }
}

/// Where successors go.
struct Intake<'a> {
    nodes: &'a mut dyn Coloured,
    pending: &'a mut Vec<(NodeId, u32)>,
    /// Of the last successor, the cyan nodes that it covers.
    probe: &'a mut Probe,
    cyan: &'a mut Vec<NodeId>,
    fields: usize,
    meter: Meter,
    offers: u64,
    covered: u64,
    overflowed: bool,
}

impl<'a> Intake<'a> {
    fn new(
        nodes: &'a mut dyn Coloured,
        pending: &'a mut Vec<(NodeId, u32)>,
        (probe, cyan): (&'a mut Probe, &'a mut Vec<NodeId>),
        (graph, meter): (&ZoneGraph<'_>, Meter),
    ) -> Self {
        let fields = graph.system().layout.fields();
        Self { nodes, pending, probe, cyan, fields, meter, offers: 0, covered: 0, overflowed: false }
    }

    /// Meets a successor. Unless it is red, it is pending.
    fn take(&mut self, successor: &Successor<'_>) {
        self.offers += 1;
        self.meter.offered(|| self.nodes.memory().total());
        self.cyan.clear();
        if successor.zone.overflowed() {
            self.overflowed = true;
            return;
        }
        let Self { nodes, probe, cyan, .. } = self;
        let node = match nodes.find(&successor.memory[..self.fields], successor.zone, probe, cyan) {
            ColouredMatch::Red => {
                self.covered += 1;
                return;
            }
            ColouredMatch::Stored(node) => {
                self.covered += 1;
                node
            }
            ColouredMatch::New => nodes.insert(successor.zone, probe, Colour::White),
        };
        self.pending.push((node, successor.ordinal));
    }
}
