//! A small zone graph as a whole: all nodes, the transitions between them, and which node covers which.
//!
//! A passed/waiting list stores as little as possible. A drawing of the zone graph needs the covered successors as well, and the nodes
//! that were deleted when a larger one was stored. An observer of a breadth-first exploration, with the zone graph and the cover
//! relation of a plan, stores these. A successor that equals a stored node is that node.
//!
//! > **Invariant.** Each successor is an edge. Edges and initial nodes together are as many as nodes and edges to nodes
//! > that were stored before: stored + covered = transitions + initial nodes.
//!
//! Cost: a matrix for each node.

use std::collections::HashMap;

use tourbillon_base::Id;
use tourbillon_dbm::Dbm;
use tourbillon_model::{LocationId, Model};
use tourbillon_replay::{ConcreteState, Fired};
use tourbillon_search::{Budget, Ended, Expansion, Observer, Stats};
use tourbillon_store::{Cover, NodeId, Settings};
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::Progress;
use crate::answer::Why;
use crate::order::Order;
use crate::plan::{Plan, PlanRequest, TraceKind};
use crate::prepare::{Job, PrepareError, Prepared, prepare};
use crate::route::edges;

/// A zone graph, up to a number of nodes.
#[derive(Clone, Debug)]
pub struct ExploredGraph {
    /// The nodes, in the order in which they were found, the initial ones first.
    pub nodes: Vec<ExploredNode>,
    /// The edges, in the order in which they were found.
    pub edges: Vec<ExploredEdge>,
    pub end: GraphEnd,
    /// The options of the zone graph, and the cover relation.
    pub plan: Plan,
    /// The statistics of the exploration.
    pub stats: Stats,
}

/// A node of the zone graph.
#[derive(Clone, Debug)]
pub struct ExploredNode {
    /// Locations and variables; no clocks.
    pub state: ConcreteState,
    /// The clock valuations.
    pub zone: Dbm,
    /// The node that covers it, if there is one. It has successors if it was expanded before.
    pub covered_by: Option<usize>,
    /// Whether all its successors were computed.
    pub expanded: bool,
}

/// An edge of the zone graph.
#[derive(Clone, Debug)]
pub struct ExploredEdge {
    /// The index of its source.
    pub from: usize,
    /// The index of its target.
    pub to: usize,
    /// The edges of processes in its transition.
    pub action: Vec<Fired>,
}

/// How the exploration of a graph ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphEnd {
    /// The graph is complete.
    Complete,
    /// The graph has more nodes than the maximum.
    TooMany,
    /// The exploration is incomplete, for this reason.
    Stopped(Why),
}

/// Explores a zone graph of at most `nodes_max` nodes. Of the request, the options of the zone graph count; the cover
/// relation is inclusion unless another one is requested.
///
/// # Errors
/// If the model cannot be compiled, or the request cannot be combined.
pub fn explored_graph(
    job: &Job<'_>,
    nodes_max: usize,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ExploredGraph, PrepareError> {
    let PlanRequest { abstraction, bounds, cover, reduce, .. } = *job.plan_request;
    let plan_request = PlanRequest {
        abstraction,
        bounds,
        cover: Some(cover.unwrap_or(Cover::Inclusion)),
        reduce,
        order: Some(Order::Bfs),
        trace: TraceKind::None,
        ..PlanRequest::default()
    };
    let job = Job { queries: None, plan_request: &plan_request, ..*job };
    let prepared = prepare(&job)?.remove(0).expect("an exploration is never unsupported");
    // With traces, the id of a deleted node is not used again.
    let list = tourbillon_store::build(&Settings { traces: true, ..prepared.settings() });
    let mut search = prepared.search_with(list);
    let mut recorder = Recorder::new(&prepared, nodes_max);
    let mut budget = Budget::new(job.limits, job.stop);
    let ended = search.explore(&mut recorder, &mut budget, &mut |stats| {
        observe(&Progress { query: None, stats: *stats });
    });
    if search.obstacle().is_none() && ended != Ended::Enough {
        recorder.finish_expansion();
    }
    // A transition that failed has no action.
    recorder.edges.truncate(recorder.first_edge);
    let over_approximates = prepared.system().has_stopwatches;
    let end = match ended {
        Ended::Complete | Ended::Found { .. } => GraphEnd::Complete,
        Ended::Enough => GraphEnd::TooMany,
        Ended::Exhausted(what) => GraphEnd::Stopped(Why::Exhausted(what)),
        Ended::Overflowed => GraphEnd::Stopped(Why::Overflowed),
        Ended::Failed(failure) => GraphEnd::Stopped(Why::of_error(failure.error, over_approximates)),
    };
    let (stats, plan) = (search.stats(), prepared.plan().clone());
    Ok(ExploredGraph { nodes: recorder.nodes, edges: recorder.edges, end, plan, stats })
}

/// The observer that stores all nodes and edges. Nodes are numbered in the order in which they were found, covered ones
/// included.
struct Recorder<'a> {
    model: &'a Model,
    system: &'a System,
    nodes_max: usize,
    nodes: Vec<ExploredNode>,
    edges: Vec<ExploredEdge>,
    /// The number of each node of the list; and the nodes of each discrete state.
    numbers: HashMap<NodeId, usize>,
    stored: HashMap<Vec<i32>, Vec<NodeId>>,
    /// The node that is expanded.
    current: Option<usize>,
    /// The first edge of the current transition, which has no action yet.
    first_edge: usize,
    is_full: bool,
}

impl<'a> Recorder<'a> {
    fn new(prepared: &'a Prepared<'_>, nodes_max: usize) -> Self {
        Self {
            model: prepared.model(),
            system: prepared.system(),
            nodes_max,
            nodes: Vec::new(),
            edges: Vec::new(),
            numbers: HashMap::new(),
            stored: HashMap::new(),
            current: None,
            first_edge: 0,
            is_full: false,
        }
    }

    /// The number of a successor, which was stored as this node or is covered; `None` if the graph is full.
    fn number(
        &mut self,
        successor: &Successor<'_>,
        stored: Option<NodeId>,
        expansion: &mut Expansion<'_>,
    ) -> Option<usize> {
        let covering = stored.is_none().then(|| expansion.covering(successor)).flatten();
        let covered_by = covering.and_then(|node| self.numbers.get(&node).copied());
        if let Some(number) = covered_by.filter(|&number| self.nodes[number].zone == *successor.zone) {
            return Some(number);
        }
        self.is_full |= self.nodes.len() >= self.nodes_max;
        if self.is_full || (stored.is_none() && covered_by.is_none()) {
            return None;
        }
        let number = self.nodes.len();
        let (state, zone) = (self.discrete(successor.memory), successor.zone.clone());
        self.nodes.push(ExploredNode { state, zone, covered_by, expanded: false });
        if let Some(node) = stored {
            self.numbers.insert(node, number);
            self.mark_covered(successor.memory, node, number, expansion);
        }
        Some(number)
    }

    /// Marks the nodes of a discrete state that were deleted when a node was stored.
    fn mark_covered(&mut self, memory: &[i32], node: NodeId, number: usize, expansion: &Expansion<'_>) {
        let discrete = memory[..self.system.layout.fields()].to_vec();
        let same = self.stored.entry(discrete).or_default();
        for other in same.extract_if(.., |other| !expansion.list().is_stored(*other)) {
            self.nodes[self.numbers[&other]].covered_by = Some(number);
        }
        same.push(node);
    }

    /// Marks the current node as expanded.
    fn finish_expansion(&mut self) {
        if let Some(node) = self.current {
            self.nodes[node].expanded = true;
        }
    }

    /// Locations and variables, without clocks.
    fn discrete(&self, memory: &[i32]) -> ConcreteState {
        let layout = &self.system.layout;
        let location = |&slot: &i32| LocationId::from_index(slot as usize);
        ConcreteState {
            locations: memory[..layout.processes()].iter().map(location).collect(),
            cells: self.model.cells.ids().map(|cell| memory[layout.slot(cell)]).collect(),
            clocks: Vec::new(),
        }
    }
}

impl Observer for Recorder<'_> {
    fn node(&mut self, node: NodeId, _: &SymbolicState, _: &ZoneGraph<'_>) -> Result<(), RuntimeError> {
        self.finish_expansion();
        self.current = Some(self.numbers[&node]);
        Ok(())
    }

    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        if self.is_full {
            return;
        }
        let stored = expansion.offer(successor);
        let Some(to) = self.number(successor, stored, expansion) else { return };
        if let Some(from) = self.current {
            self.edges.push(ExploredEdge { from, to, action: Vec::new() });
        }
    }

    fn transition(
        &mut self,
        graph: &mut ZoneGraph<'_>,
        _: &SymbolicState,
        place: usize,
        enabled: bool,
    ) -> Result<(), RuntimeError> {
        if enabled {
            let action = edges(graph, place);
            self.edges[self.first_edge..].iter_mut().for_each(|edge| edge.action.clone_from(&action));
            self.first_edge = self.edges.len();
        }
        Ok(())
    }

    fn ended(&self) -> Option<Ended> {
        self.is_full.then_some(Ended::Enough)
    }

    fn memory_bytes(&self) -> usize {
        let words = self.system.dimension.size().pow(2) + 2 * self.system.layout.fields();
        4 * words * self.nodes.len()
    }
}
