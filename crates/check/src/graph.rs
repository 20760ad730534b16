//! A small zone graph as a whole: every node that was found, the transitions between them, and which node covers which.
//!
//! A list keeps as little as it can. To show a zone graph one wants all of it: also the nodes that are not stored because another
//! covers them, and those that were stored until a larger one came. An observer of a breadth-first exploration, with the
//! zone graph and the cover relation of a plan, keeps these. A successor that equals a stored node is that node.
//!
//! > **Invariant.** Each successor is an edge. Edges and initial nodes together are as many as nodes and edges to nodes
//! > that were there: stored + covered = transitions + initial nodes.
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

/// A zone graph, or as much of it as there was room for.
#[derive(Clone, Debug)]
pub struct ExploredGraph {
    /// The nodes, in the order in which they were found, the initial ones first.
    pub nodes: Vec<ExploredNode>,
    /// The edges, in the order in which they were found.
    pub edges: Vec<ExploredEdge>,
    /// How it ended.
    pub end: GraphEnd,
    /// The zone graph and the cover.
    pub plan: Plan,
    /// The counts that a search would have.
    pub stats: Stats,
}

/// A node.
#[derive(Clone, Debug)]
pub struct ExploredNode {
    /// Locations and variables; no clocks.
    pub state: ConcreteState,
    /// What the clocks can show.
    pub zone: Dbm,
    /// The node that covers it, if there is one. It may have successors from the time before.
    pub covered_by: Option<usize>,
    /// Whether all its successors were computed.
    pub expanded: bool,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct ExploredEdge {
    /// Where it leaves from.
    pub from: usize,
    /// Where it leads to.
    pub to: usize,
    /// The edges of processes that are taken.
    pub action: Vec<Fired>,
}

/// How the exploration of a graph ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphEnd {
    /// That is all of it.
    Complete,
    /// There are more nodes than were wanted.
    TooMany,
    /// For this reason.
    Stopped(Why),
}

/// Explores a zone graph of at most so many nodes. Of the job's wishes those count that decide which graph it is; nodes are
/// covered by inclusion unless another cover is wished for.
///
/// # Errors
/// If the model cannot be compiled, or what was wished for cannot be combined.
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
    // A transition that failed on the way has no action.
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

/// The observer that keeps all nodes and edges. Nodes are numbered in the order in which they were found, covered ones
/// included.
struct Recorder<'a> {
    model: &'a Model,
    system: &'a System,
    nodes_max: usize,
    nodes: Vec<ExploredNode>,
    edges: Vec<ExploredEdge>,
    /// The number of each node that was stored in the list, and its id there; by discrete state.
    numbers: HashMap<NodeId, usize>,
    stored: HashMap<Vec<i32>, Vec<NodeId>>,
    /// The node that is being expanded.
    current: Option<usize>,
    /// The first edge of the transition that is being followed, which has no action yet.
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

    /// The number of a successor, which was stored as this node or is covered; nothing if there is no room for it.
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

    /// Notes that all successors of the current node were computed.
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
