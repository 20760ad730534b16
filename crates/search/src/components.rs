//! Cycle detection by strongly connected components of a graph with subsumption.
//!
//! The whole zone graph is explored. A successor that a stored node covers is not stored: a *subsumption edge* leads to the
//! covering node instead. Each run has a path in this graph, so without an accepting component there is no accepting run. But
//! a cycle with a subsumption edge need not be a cycle of runs. An accepting component is therefore tested twice: if it has
//! an accepting cycle without subsumption edges, there is a run; else it is *refined*: its subsumption edges are replaced by
//! the covered states, which are stored and explored, and the components are computed again
//! `[HerbreteauSrivathsanTranWalukiewicz2016]`. Subsumption edges outside accepting components, which are most, stay. There
//! are finitely many zones, so refinement terminates: at worst with no subsumption edge at all.
//!
//! The graph is built in rounds once it is large: the last of the waiting nodes are expanded by several threads, while the stored nodes
//! do not change, and what they have found is stored in the order of the nodes. So nothing depends on the number of threads.
//!
//! Nodes of earlier starts are red, as in `nested.rs`: no accepting run leads through them.

use std::collections::{BTreeMap, VecDeque};

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_base::{Id, cancellation};
use tourbillon_dbm::Dbm;
use tourbillon_store::{Colour, Coloured, NodeId};
use tourbillon_zonegraph::ZoneGraph;

use crate::budget::Budget;
use crate::cycle::{
    ColouredSearch, CycleDetection, CycleSearchResult, ExpandedNode, FoundSuccessor, GraphWorker, Match,
    Policy, RunCondition, Start, spend,
};
use crate::rounds::{RoundSizes, Rounds};
use crate::stats::Stats;
use crate::tarjan::components;
use crate::team::map_chunks;

/// An edge of the graph.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The target; `None` if it is red.
    to: Option<NodeId>,
    /// The ordinal of the transition.
    step: u32,
    /// Whether it is a subsumption edge.
    subsumption: bool,
}

impl Edge {
    fn new(found: Match, step: u32) -> Self {
        match found {
            Match::Red => Self { to: None, step, subsumption: false },
            Match::Stored(node) | Match::New(node) => Self { to: Some(node), step, subsumption: false },
            Match::Covered(_) if mutants::is(Mutant::SubsumptionEdgeForgotten) => Self::new(Match::Red, step),
            Match::Covered(node) => Self { to: Some(node), step, subsumption: true },
        }
    }
}

/// A node of the graph, with the edge on which it was reached first.
#[derive(Debug)]
struct Vertex {
    parent: Option<NodeId>,
    step: u32,
    /// The acceptance sets that contain it, as bits.
    sets: u64,
    /// One edge for each successor, in the order of the zone graph.
    edges: Vec<Edge>,
}

/// A search by strongly connected components.
#[derive(Debug)]
pub struct Components<'s> {
    search: ColouredSearch<'s>,
    vertices: Vec<Vertex>,
    /// Nodes that are not expanded yet.
    waiting: Vec<NodeId>,
    /// The number of edges of all vertices.
    edges: u64,
    /// One for each thread.
    workers: Vec<GraphWorker<'s>>,
    sizes: Option<RoundSizes>,
    numbers: Option<ComponentNumbers>,
}

/// The number of the component of each node, in an order in which each component is after those that it leads to.
#[derive(Default, Debug)]
struct ComponentNumbers {
    of_nodes: Vec<u64>,
    count: u64,
}

impl CycleDetection for Components<'_> {
    fn for_each_ranked(&mut self, visit: &mut dyn FnMut(&[i32], &Dbm, u64)) {
        let Some(numbers) = self.numbers.take() else { return };
        for (index, &number) in numbers.of_nodes.iter().enumerate() {
            self.search.load(NodeId::from_index(index));
            let (discrete, zone) = self.search.loaded();
            let reversed = mutants::is(Mutant::ComponentsReversed);
            visit(discrete, zone, if reversed { number } else { numbers.count - number });
        }
        self.numbers = Some(numbers);
    }

    fn stats(&self) -> Stats {
        let mut memory = self.search.nodes.memory();
        memory.waiting += self.waiting.capacity() * size_of::<NodeId>();
        memory.parents +=
            self.vertices.capacity() * size_of::<Vertex>() + self.edges as usize * size_of::<Edge>();
        self.search.stats(memory, self.waiting.len())
    }

    fn search(
        &mut self,
        start: Start<'_>,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> CycleSearchResult {
        let first = self.vertices.len();
        let mut starts = Vec::new();
        if let Err(result) = self.search.begin(start, budget, |found| starts.push(found)) {
            return result;
        }
        for found in starts {
            self.add(found, None, 0);
        }
        match self.explore(first, budget, progress) {
            Ok(()) => {
                self.number_components(first);
                self.make_red(first);
                CycleSearchResult::NotFound
            }
            Err(result) => result,
        }
    }
}

impl<'s> Components<'s> {
    /// A search of a zone graph.
    #[must_use]
    pub fn new(graph: ZoneGraph<'s>, nodes: Box<dyn Coloured>, condition: RunCondition) -> Self {
        let search = ColouredSearch::new(graph, nodes, condition);
        let workers = vec![search.worker()];
        let (vertices, waiting) = (Vec::new(), Vec::new());
        Self { search, vertices, waiting, edges: 0, workers, sizes: None, numbers: None }
    }

    /// Stores the number of the component of each node.
    #[must_use]
    pub fn numbering_components(mut self, wanted: bool) -> Self {
        self.numbers = wanted.then(ComponentNumbers::default);
        self
    }

    /// Expands many nodes at a time, once the graph is large.
    #[must_use]
    pub fn in_rounds(mut self, rounds: Option<&Rounds>) -> Self {
        if let Some(rounds) = rounds {
            self.sizes = Some(rounds.sizes);
            self.workers.resize_with(rounds.threads.max(1), || self.search.worker());
        }
        self
    }

    /// Numbers the components of the nodes from this one on, if that is wanted. Their edges to red nodes lead to smaller numbers.
    fn number_components(&mut self, first: usize) {
        let Some(mut numbers) = self.numbers.take() else { return };
        let components = Subgraph { vertices: &self.vertices, first }.components(|_, _| true);
        numbers.of_nodes.resize(self.vertices.len(), 0);
        for component in components {
            component.iter().for_each(|&node| numbers.of_nodes[first + node as usize] = numbers.count);
            numbers.count += u64::from(!mutants::is(Mutant::ComponentsConfused));
        }
        self.numbers = Some(numbers);
    }

    /// Makes the nodes from this one on red, and deletes their edges.
    fn make_red(&mut self, first: usize) {
        for index in first..self.vertices.len() {
            self.search.nodes.paint(NodeId::from_index(index), Colour::Red);
            let vertex = &mut self.vertices[index];
            self.edges -= vertex.edges.len() as u64;
            vertex.edges = Vec::new();
        }
    }

    /// Adds a vertex for a node that was just stored.
    fn add(&mut self, found: Match, parent: Option<NodeId>, step: u32) {
        if let Match::New(node) = found {
            debug_assert_eq!(node.index(), self.vertices.len());
            self.vertices.push(Vertex { parent, step, sets: 0, edges: Vec::new() });
            self.waiting.push(node);
        }
    }

    /// Explores and refines until no accepting component has a subsumption edge. Components are also computed whenever the
    /// number of nodes has doubled: that costs about as much as the computation at the end, and finds most cycles early.
    fn explore(
        &mut self,
        first: usize,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), CycleSearchResult> {
        let mut next_check = FIRST_CHECK;
        loop {
            while !self.waiting.is_empty() {
                match self.sizes.filter(|sizes| self.search.visited >= sizes.after) {
                    Some(sizes) => self.expand_round(sizes, budget, progress)?,
                    None => self.expand_next(budget, progress)?,
                }
                if self.vertices.len() - first >= next_check {
                    self.check_components(first)?;
                    next_check *= 2;
                }
            }
            let subsumption_edges = self.check_components(first)?;
            if subsumption_edges.is_empty() {
                return Ok(());
            }
            for (node, edges) in subsumption_edges {
                spend(self, budget, progress)?;
                self.refine(node, &edges)?;
            }
        }
    }

    /// The transitions from a start to a node.
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

    /// Expands the next node.
    fn expand_next(
        &mut self,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), CycleSearchResult> {
        spend(self, budget, progress)?;
        let Some(node) = self.waiting.pop() else { return Ok(()) };
        let expanded = self.search.expand_with(&mut self.workers[0], node);
        self.take(node, expanded)
    }

    /// Expands the last of the waiting nodes, by all threads, and then takes over what they have found, in the order of the nodes.
    fn expand_round(
        &mut self,
        sizes: RoundSizes,
        budget: &mut Budget<'_>,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(), CycleSearchResult> {
        if let Some(exhausted) = budget.spend_now(|| self.stats(), progress) {
            return Err(CycleSearchResult::Exhausted(exhausted));
        }
        let nodes = self.waiting.split_off(self.waiting.len().saturating_sub(sizes.width));
        let Self { search, workers, .. } = self;
        let chunks: Vec<_> = nodes.chunks(sizes.chunk).collect();
        let expanded = map_chunks(workers, &chunks, |worker, chunk| {
            let expanded: Vec<_> = chunk.iter().map(|&node| search.expand_with(worker, node)).collect();
            (expanded, cancellation::reason_now())
        });
        if let Some(reason) = expanded.iter().find_map(|(_, reason)| *reason) {
            self.waiting.extend(nodes);
            return Err(CycleSearchResult::Exhausted(reason.into()));
        }
        let expanded = expanded.into_iter().flat_map(|(expanded, _)| expanded);
        nodes.into_iter().zip(expanded).try_for_each(|(node, expanded)| self.take(node, expanded))
    }

    /// Takes over the edges of a node and its acceptance sets, and whether a run that counts can end there.
    fn take(&mut self, node: NodeId, expanded: ExpandedNode) -> Result<(), CycleSearchResult> {
        let ExpandedNode { sets, successors, overflowed, result, ending } = expanded;
        self.search.visited += 1;
        if mutants::is(Mutant::RedTooEarly) {
            self.search.nodes.paint(node, Colour::Red);
        }
        let sets = sets.map_err(|error| CycleSearchResult::failed(self.stem(node), error))?;
        let mut edges = Vec::with_capacity(successors.len());
        for FoundSuccessor { step, state } in successors {
            let found = self.search.settle(state);
            self.search.covered += u64::from(!matches!(found, Match::New(_)));
            self.add(found, Some(node), step);
            edges.push(Edge::new(found, step));
        }
        if overflowed {
            return Err(CycleSearchResult::Overflowed);
        }
        result.map_err(|error| CycleSearchResult::failed(self.stem(node), error))?;
        self.search.transitions += edges.len() as u64;
        self.edges += edges.len() as u64;
        let vertex = &mut self.vertices[node.index()];
        (vertex.sets, vertex.edges) = (sets, edges);
        match ending {
            Ok(None) => Ok(()),
            Ok(Some(ending)) => Err(CycleSearchResult::FiniteRun { stem: self.stem(node), ending }),
            Err(error) => Err(CycleSearchResult::failed(self.stem(node), error)),
        }
    }

    /// Ends the search if there is an accepting cycle without subsumption edges among the nodes from `first` on. Returns the
    /// subsumption edges of accepting components, by node.
    fn check_components(&self, first: usize) -> Result<Vec<(NodeId, Vec<usize>)>, CycleSearchResult> {
        let subgraph = Subgraph { vertices: &self.vertices, first };
        let components = subgraph.components(|_, _| true);
        let mut component_of = vec![NO_COMPONENT; self.vertices.len() - first];
        for (index, component) in components.iter().enumerate().filter(|(_, it)| self.accepts(it, first)) {
            component.iter().for_each(|&node| component_of[node as usize] = index as u32);
        }
        let is_inside = |node: u32, edge: &Edge| {
            let to = edge.to.map_or(NO_COMPONENT, |to| component_of[to.index() - first]);
            to != NO_COMPONENT && to == component_of[node as usize]
        };
        let exact = subgraph.components(|node, edge| !edge.subsumption && is_inside(node, edge));
        for component in exact.iter().filter(|component| self.accepts(component, first)) {
            if let Some((start, cycle)) = self.cycle(component, first) {
                return Err(CycleSearchResult::Cycle { stem: self.stem(start), cycle });
            }
        }
        let nodes =
            (0..component_of.len() as u32).filter(|&node| component_of[node as usize] != NO_COMPONENT);
        let subsumption_edges = nodes.filter_map(|node| {
            let edges = subgraph.vertex(node).edges.iter().enumerate();
            let edges = edges.filter(|(_, edge)| edge.subsumption && is_inside(node, edge));
            let edges: Vec<usize> = edges.map(|(index, _)| index).collect();
            (!edges.is_empty()).then(|| (subgraph.id(node), edges))
        });
        Ok(subsumption_edges.collect())
    }

    /// Whether nodes, counted from `first` on, visit every acceptance set.
    fn accepts(&self, nodes: &[u32], first: usize) -> bool {
        let sets = nodes.iter().fold(0, |sets, &node| sets | self.vertices[first + node as usize].sets);
        sets == self.search.condition.acceptance.all()
    }

    /// A cycle through every acceptance set of a component, and its first node; `None` if the component is one node without a
    /// self-loop.
    fn cycle(&self, component: &[u32], first: usize) -> Option<(NodeId, Vec<u32>)> {
        let ids = component.iter().map(|&node| NodeId::from_index(first + node as usize));
        let indices: BTreeMap<NodeId, usize> = ids.enumerate().map(|(index, node)| (node, index)).collect();
        let all = self.search.condition.acceptance.all();
        let sets = (0..u64::BITS).map(|bit| 1 << bit).take_while(|bit| bit & all != 0);
        let in_set =
            |set: u64| indices.keys().copied().find(|node| self.vertices[node.index()].sets & set != 0);
        let mut nodes: Vec<NodeId> = sets.filter_map(in_set).collect();
        nodes.dedup();
        let start = *nodes.first()?;
        nodes.push(start);
        let mut steps = Vec::new();
        for pair in nodes.windows(2) {
            steps.extend(self.shortest_path(pair[0], pair[1], &indices)?);
        }
        Some((start, steps))
    }

    /// The shortest non-empty path without subsumption edges from a node to another, or back to itself, inside a component.
    fn shortest_path(&self, from: NodeId, to: NodeId, indices: &BTreeMap<NodeId, usize>) -> Option<Vec<u32>> {
        let mut parents: Vec<Option<(NodeId, u32)>> = vec![None; indices.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for edge in self.vertices[node.index()].edges.iter().filter(|edge| !edge.subsumption) {
                let Some((&next, &index)) = edge.to.and_then(|next| indices.get_key_value(&next)) else {
                    continue;
                };
                if parents[index].is_none() {
                    parents[index] = Some((node, edge.step));
                    queue.push_back(next);
                }
            }
        }
        let mut steps = Vec::new();
        let mut node = to;
        loop {
            let (parent, step) = parents[*indices.get(&node)?]?;
            steps.push(step);
            node = parent;
            if node == from {
                break;
            }
        }
        steps.reverse();
        Some(steps)
    }

    /// Replaces subsumption edges of a node, given by ascending indices, by edges to the covered states, which are stored.
    fn refine(&mut self, node: NodeId, edges: &[usize]) -> Result<(), CycleSearchResult> {
        self.search.load(node);
        let mut matches = Vec::new();
        let offers = self.search.expand(Policy::Only(edges), |found, step, _| matches.push((found, step)));
        debug_assert!(!offers.overflowed, "the same zones were computed before");
        offers.result.map_err(|error| CycleSearchResult::failed(self.stem(node), error))?;
        for (&index, (found, step)) in edges.iter().zip(matches) {
            self.add(found, Some(node), step);
            self.vertices[node.index()].edges[index] = Edge::new(found, step);
        }
        Ok(())
    }
}

/// The number of a node that is in no accepting component.
const NO_COMPONENT: u32 = u32::MAX;

/// The number of nodes at which components are computed first.
const FIRST_CHECK: usize = 64;

/// The nodes from `first` on, numbered from 0.
#[derive(Clone, Copy)]
struct Subgraph<'a> {
    vertices: &'a [Vertex],
    first: usize,
}

impl Subgraph<'_> {
    fn vertex(&self, node: u32) -> &Vertex {
        &self.vertices[self.first + node as usize]
    }

    fn id(&self, node: u32) -> NodeId {
        NodeId::from_index(self.first + node as usize)
    }

    /// The components of the nodes and the selected edges.
    fn components(&self, is_selected: impl Fn(u32, &Edge) -> bool) -> Vec<Vec<u32>> {
        let successor = |node: u32, n: usize| {
            let edge = self.vertex(node).edges.get(n)?;
            let to = edge.to.filter(|_| is_selected(node, edge));
            Some(to.map(|to| (to.index() - self.first) as u32))
        };
        let len = self.vertices.len() - self.first;
        let all: Vec<u32> = (0..len as u32).collect();
        components(len, &all, &successor)
    }
}
