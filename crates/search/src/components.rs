//! Endless runs by strongly connected components of a graph with coverings in it.
//!
//! Everything is explored, and a successor that a stored state covers is not stored: an edge to the covering state
//! stands for it, and is marked. Each run has its path in that graph, so that without an accepting state on a cycle
//! there is no run. But a cycle with a marked edge need not be one of runs. A component with an accepting state is
//! therefore looked at twice: if a cycle through an accepting state has no marked edge, there is a run; else
//! all coverings inside the component are undone, what they kept from being stored is stored and explored, and
//! the components are computed anew `[HerbreteauSrivathsanTranWalukiewicz2016]`. Coverings elsewhere, which are most,
//! stay. There are finitely many zones, so that it ends: at worst with no covering at all.
//!
//! States of earlier starts are red, as in `nested.rs`: nothing that is looked for comes after them.

use std::collections::{BTreeMap, VecDeque};

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;
use tourbillon_store::{Colour, Coloured, ColouredMatch, NodeId, Probe};
use tourbillon_system::RuntimeError;
use tourbillon_zonegraph::{PredicateEvaluator, Successor, SymbolicState, ZoneGraph};

use crate::budget::{Budget, Meter};
use crate::nested::{Cycles, Endless};
use crate::stats::Stats;
use crate::tarjan::components;

/// An edge of the graph.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Where it leads; nowhere if it leads to a red state.
    to: Option<NodeId>,
    /// Which transition it is.
    step: u32,
    /// Whether it leads to a state that only covers the one that it should lead to.
    covered: bool,
}

/// How a node was reached first, and where it leads.
#[derive(Debug)]
struct Vertex {
    parent: Option<NodeId>,
    step: u32,
    /// The kinds of accepting states that it is of.
    kinds: u64,
    /// One for each successor, in the order of the zone graph.
    edges: Vec<Edge>,
}

/// A search that can be continued from other starts.
#[derive(Debug)]
pub struct Components<'s> {
    graph: ZoneGraph<'s>,
    evaluator: PredicateEvaluator<'s>,
    nodes: Box<dyn Coloured>,
    cycles: Cycles,
    state: SymbolicState,
    vertices: Vec<Vertex>,
    /// Nodes whose successors are not known yet.
    waiting: Vec<NodeId>,
    probe: Probe,
    cyan: Vec<NodeId>,
    meter: Meter,
    edges: u64,
    visited: u64,
    transitions: u64,
    covered: u64,
}

type Stop = Endless;

impl<'s> Components<'s> {
    /// A search of a zone graph.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, nodes: Box<dyn Coloured>, cycles: Cycles) -> Self {
        Self {
            evaluator: PredicateEvaluator::new(graph.system()),
            state: SymbolicState::new(graph.system()),
            graph,
            nodes,
            cycles,
            vertices: Vec::new(),
            waiting: Vec::new(),
            probe: Probe::new(),
            cyan: Vec::new(),
            meter: Meter::unlimited(),
            edges: 0,
            visited: 0,
            transitions: 0,
            covered: 0,
        }
    }

    /// What there is to report.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut memory = self.nodes.memory();
        memory.waiting += self.waiting.capacity() * size_of::<NodeId>();
        memory.parents +=
            self.vertices.capacity() * size_of::<Vertex>() + self.edges as usize * size_of::<Edge>();
        Stats {
            visited: self.visited,
            stored: self.nodes.len() as u64,
            stored_max: self.nodes.len() as u64,
            transitions: self.transitions,
            covered: self.covered,
            mistakes: 0,
            rank_visits: 0,
            waiting: self.waiting.len() as u64,
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
        self.meter = budget.meter(self.graph.system());
        let mut starts = Vec::new();
        let mut intake = Intake::new(
            &mut *self.nodes,
            (&mut self.probe, &mut self.cyan),
            (&self.graph, self.meter),
            false,
        );
        let outcome = self.graph.initial(&mut |successor| starts.push(intake.take(successor)));
        let overflowed = intake.overflowed;
        self.begin(outcome, overflowed, &starts, budget, progress)
    }

    /// Looks from a state on, which a run can be in at some moment: from its delays on.
    pub fn search_from(
        &mut self,
        memory: &[i32],
        zone: &Dbm,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Endless {
        self.meter = budget.meter(self.graph.system());
        let mut starts = Vec::new();
        let mut intake = Intake::new(
            &mut *self.nodes,
            (&mut self.probe, &mut self.cyan),
            (&self.graph, self.meter),
            false,
        );
        let outcome = self.graph.resume(memory, zone, &mut |successor| starts.push(intake.take(successor)));
        let overflowed = intake.overflowed;
        self.begin(outcome, overflowed, &starts, budget, progress)
    }

    fn begin(
        &mut self,
        outcome: Result<(), RuntimeError>,
        overflowed: bool,
        starts: &[Met],
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Endless {
        if let Err(error) = outcome {
            return Endless::failed(Vec::new(), error);
        }
        if overflowed {
            return Endless::Overflowed;
        }
        let first = self.vertices.len();
        for met in starts {
            self.add(*met, None, 0);
        }
        match self.search(first, budget, progress) {
            Ok(()) => {
                self.make_red(first);
                Endless::Nothing
            }
            Err(stop) => stop,
        }
    }

    /// Nothing comes after the states from this one on.
    fn make_red(&mut self, first: usize) {
        for index in first..self.vertices.len() {
            self.nodes.paint(NodeId::from_index(index), Colour::Red);
            let vertex = &mut self.vertices[index];
            self.edges -= vertex.edges.len() as u64;
            vertex.edges = Vec::new();
        }
    }

    /// Gives a node that was just stored its place in the graph.
    fn add(&mut self, met: Met, parent: Option<NodeId>, step: u32) {
        if let Met::New(node) = met {
            debug_assert_eq!(node.index(), self.vertices.len());
            self.vertices.push(Vertex { parent, step, kinds: 0, edges: Vec::new() });
            self.waiting.push(node);
        }
    }

    /// Explores, looks at components, undoes coverings; until nothing is left to undo. Whenever there are twice as many
    /// states as when it was last looked, it looks for a cycle: that costs about as much as looking at the end, and finds
    /// most cycles early.
    fn search(
        &mut self,
        first: usize,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), Stop> {
        let mut next_look = LOOK_FIRST;
        loop {
            while let Some(node) = self.waiting.pop() {
                self.look_at(budget, progress)?;
                self.expand(node)?;
                if self.vertices.len() - first >= next_look {
                    self.judge_components(first)?;
                    next_look *= 2;
                }
            }
            let unsafe_edges = self.judge_components(first)?;
            if unsafe_edges.is_empty() {
                return Ok(());
            }
            for (node, edges) in unsafe_edges {
                self.look_at(budget, progress)?;
                self.undo(node, &edges)?;
            }
        }
    }

    fn look_at(&self, budget: &mut Budget<'_>, progress: &mut dyn FnMut(&Stats)) -> Result<(), Stop> {
        let exhausted = budget.spend(|| self.stats(), progress);
        exhausted.map_or(Ok(()), |what| Err(Endless::Exhausted(what)))
    }

    fn load(&mut self, node: NodeId) {
        let fields = self.graph.system().layout.fields();
        self.nodes.load(node, &mut self.state.memory[..fields], &mut self.state.zone);
    }

    /// The transitions to a node, from a start on.
    fn stem(&self, node: NodeId) -> Vec<u32> {
        let mut steps = Vec::new();
        let mut vertex = &self.vertices[node.index()];
        while let Some(parent) = vertex.parent {
            steps.push(vertex.step);
            vertex = &self.vertices[parent.index()];
        }
        steps.reverse();
        steps
    }

    /// Finds the successors of a node, and whether a run can end there.
    fn expand(&mut self, node: NodeId) -> Result<(), Stop> {
        self.load(node);
        self.visited += 1;
        let kinds = self.cycles.accepting.of(&mut self.evaluator, &self.state);
        let kinds = kinds.map_err(|error| Endless::failed(self.stem(node), error))?;
        let mut mets = Vec::new();
        let mut intake =
            Intake::new(&mut *self.nodes, (&mut self.probe, &mut self.cyan), (&self.graph, self.meter), true);
        let outcome = self.graph.expand(&mut self.state, &mut |successor| {
            mets.push((intake.take(successor), successor.ordinal));
        });
        self.covered += intake.covered;
        if intake.overflowed {
            return Err(Endless::Overflowed);
        }
        outcome.map_err(|error| Endless::failed(self.stem(node), error))?;
        self.transitions += mets.len() as u64;
        self.edges += mets.len() as u64;
        for &(met, step) in &mets {
            self.add(met, Some(node), step);
        }
        let edges = mets.iter().map(|&(met, step)| met.edge(step)).collect();
        let vertex = &mut self.vertices[node.index()];
        (vertex.kinds, vertex.edges) = (kinds, edges);
        self.look_for_end(node)
    }

    fn look_for_end(&mut self, node: NodeId) -> Result<(), Stop> {
        if !self.cycles.waiting {
            return Ok(());
        }
        let ending = self.graph.ending(&self.state, self.cycles.stuck);
        match ending.map_err(|error| Endless::failed(self.stem(node), error))? {
            Some((how, _)) => Err(Endless::End { stem: self.stem(node), how }),
            None => Ok(()),
        }
    }

    /// Looks for accepting cycles among the nodes from this one on. The edges that must be undone before anything can be
    /// concluded from finding none.
    fn judge_components(&self, first: usize) -> Result<Vec<(NodeId, Vec<usize>)>, Stop> {
        let here = Here { vertices: &self.vertices, first };
        let components = here.components(|_, _| true);
        let mut component_of = vec![NOWHERE; self.vertices.len() - first];
        for (index, component) in components.iter().enumerate().filter(|(_, it)| self.accepts(it, first)) {
            component.iter().for_each(|&node| component_of[node as usize] = index as u32);
        }
        let inside = |node: u32, edge: &Edge| {
            let to = edge.to.map_or(NOWHERE, |to| component_of[to.index() - first]);
            to != NOWHERE && to == component_of[node as usize]
        };
        let parts = here.components(|node, edge| !edge.covered && inside(node, edge));
        for part in parts.iter().filter(|part| self.accepts(part, first)) {
            if let Some((start, cycle)) = self.cycle(part, first) {
                return Err(Endless::Cycle { stem: self.stem(start), cycle });
            }
        }
        let nodes = (0..component_of.len() as u32).filter(|&node| component_of[node as usize] != NOWHERE);
        let unsafe_edges = nodes.filter_map(|node| {
            let edges = here.vertex(node).edges.iter().enumerate();
            let inside = edges.filter(|(_, edge)| edge.covered && inside(node, edge));
            let inside: Vec<usize> = inside.map(|(index, _)| index).collect();
            (!inside.is_empty()).then(|| (here.id(node), inside))
        });
        Ok(unsafe_edges.collect())
    }

    /// Whether there are nodes of every kind among these, which are counted from `first` on.
    fn accepts(&self, nodes: &[u32], first: usize) -> bool {
        let kinds = nodes.iter().fold(0, |kinds, &node| kinds | self.vertices[first + node as usize].kinds);
        kinds == self.cycles.accepting.all()
    }

    /// A cycle through nodes of every kind of a part whose nodes all lead to each other, and where it begins; nothing
    /// if the part is one node that does not lead to itself.
    fn cycle(&self, part: &[u32], first: usize) -> Option<(NodeId, Vec<u32>)> {
        let ids = part.iter().map(|&node| NodeId::from_index(first + node as usize));
        let places: BTreeMap<NodeId, usize> = ids.enumerate().map(|(index, node)| (node, index)).collect();
        let all = self.cycles.accepting.all();
        let kinds = (0..u64::BITS).map(|bit| 1 << bit).take_while(|bit| bit & all != 0);
        let of_kind =
            |kind: u64| places.keys().copied().find(|node| self.vertices[node.index()].kinds & kind != 0);
        let mut stops: Vec<NodeId> = kinds.filter_map(of_kind).collect();
        stops.dedup();
        let start = *stops.first()?;
        stops.push(start);
        let mut steps = Vec::new();
        for leg in stops.windows(2) {
            steps.extend(self.way(leg[0], leg[1], &places)?);
        }
        Some((start, steps))
    }

    /// The shortest way of at least one step without coverings from a node to another, or back to itself, along these.
    fn way(&self, from: NodeId, to: NodeId, places: &BTreeMap<NodeId, usize>) -> Option<Vec<u32>> {
        let mut came: Vec<Option<(NodeId, u32)>> = vec![None; places.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for edge in self.vertices[node.index()].edges.iter().filter(|edge| !edge.covered) {
                let Some((&next, &index)) = edge.to.and_then(|next| places.get_key_value(&next)) else {
                    continue;
                };
                if came[index].is_none() {
                    came[index] = Some((node, edge.step));
                    queue.push_back(next);
                }
            }
        }
        let mut steps = Vec::new();
        let mut at = to;
        loop {
            let (before, step) = came[*places.get(&at)?]?;
            steps.push(step);
            at = before;
            if at == from {
                break;
            }
        }
        steps.reverse();
        Some(steps)
    }

    /// Stores what some edges of a node should lead to.
    fn undo(&mut self, node: NodeId, edges: &[usize]) -> Result<(), Stop> {
        self.load(node);
        let mut mets = Vec::new();
        let mut index = 0;
        let mut intake = Intake::new(
            &mut *self.nodes,
            (&mut self.probe, &mut self.cyan),
            (&self.graph, self.meter),
            false,
        );
        let outcome = self.graph.expand(&mut self.state, &mut |successor| {
            if edges.contains(&index) {
                mets.push((index, intake.take(successor), successor.ordinal));
            }
            index += 1;
        });
        debug_assert!(!intake.overflowed, "the same zones were met before");
        outcome.map_err(|error| Endless::failed(self.stem(node), error))?;
        for (index, met, step) in mets {
            self.add(met, Some(node), step);
            self.vertices[node.index()].edges[index] = met.edge(step);
        }
        Ok(())
    }
}

/// In no component that matters.
const NOWHERE: u32 = u32::MAX;

/// How many states there are when it is first looked for a cycle.
const LOOK_FIRST: usize = 64;

/// The nodes from one on, which is 0 here.
#[derive(Clone, Copy)]
struct Here<'a> {
    vertices: &'a [Vertex],
    first: usize,
}

impl Here<'_> {
    fn vertex(&self, node: u32) -> &Vertex {
        &self.vertices[self.first + node as usize]
    }

    fn id(&self, node: u32) -> NodeId {
        NodeId::from_index(self.first + node as usize)
    }

    /// The components of the nodes and those edges that count.
    fn components(&self, counts: impl Fn(u32, &Edge) -> bool) -> Vec<Vec<u32>> {
        let successor = |node: u32, n: usize| {
            let edge = self.vertex(node).edges.get(n)?;
            let to = edge.to.filter(|_| counts(node, edge));
            Some(to.map(|to| (to.index() - self.first) as u32))
        };
        let len = self.vertices.len() - self.first;
        let all: Vec<u32> = (0..len as u32).collect();
        components(len, &all, &successor)
    }
}

/// What became of a successor.
#[derive(Clone, Copy)]
enum Met {
    /// A red state covers it.
    Red,
    /// It was there.
    Known(NodeId),
    /// This one covers it.
    Covered(NodeId),
    /// It was stored.
    New(NodeId),
}

impl Met {
    fn edge(self, step: u32) -> Edge {
        match self {
            Self::Red => Edge { to: None, step, covered: false },
            Self::Known(node) | Self::New(node) => Edge { to: Some(node), step, covered: false },
            Self::Covered(node) => Edge { to: Some(node), step, covered: true },
        }
    }
}

/// Where successors go.
struct Intake<'a> {
    nodes: &'a mut dyn Coloured,
    probe: &'a mut Probe,
    cyan: &'a mut Vec<NodeId>,
    fields: usize,
    meter: Meter,
    /// Whether what is covered is not stored.
    covering: bool,
    covered: u64,
    overflowed: bool,
}

impl<'a> Intake<'a> {
    fn new(
        nodes: &'a mut dyn Coloured,
        (probe, cyan): (&'a mut Probe, &'a mut Vec<NodeId>),
        (graph, meter): (&ZoneGraph<'_>, Meter),
        covering: bool,
    ) -> Self {
        let fields = graph.system().layout.fields();
        Self { nodes, probe, cyan, fields, meter, covering, covered: 0, overflowed: false }
    }

    fn take(&mut self, successor: &Successor<'_>) -> Met {
        self.meter.offered(|| self.nodes.memory().total());
        self.overflowed |= successor.zone.overflowed();
        let Self { nodes, probe, cyan, .. } = self;
        match nodes.find(&successor.memory[..self.fields], successor.zone, probe, cyan) {
            ColouredMatch::Red => {
                self.covered += 1;
                return Met::Red;
            }
            ColouredMatch::Stored(node) => {
                self.covered += 1;
                return Met::Known(node);
            }
            ColouredMatch::New => {}
        }
        match nodes.covering(successor.zone, probe).filter(|_| self.covering) {
            Some(node) => {
                self.covered += 1;
                Met::Covered(node)
            }
            None => Met::New(nodes.insert(successor.zone, probe, Colour::White)),
        }
    }
}
