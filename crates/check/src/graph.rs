//! A small zone graph as a whole: every node that was found, what leads from one to another, and what covers what.
//!
//! A search keeps as little as it can. Whoever wants to look at a zone graph wants all of it: also the nodes that are
//! not stored because another covers them, and those that were stored until a larger one came. This is the search of
//! `search/src/explore.rs` breadth first, in plain memory, with the zone graph and the cover of a plan, and it counts
//! alike. A successor that is equal to a stored node is that node.
//!
//! > **Invariant.** Each successor is an edge. Edges and initial nodes together are as many as nodes and edges to nodes
//! > that were there: stored + covered = transitions + initial nodes.
//!
//! Cost: a matrix for each node, and a comparison with each stored node of its discrete state.

use std::collections::{HashMap, VecDeque};

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm};
use tourbillon_model::{LocationId, Model};
use tourbillon_replay::{ConcreteState, Fired};
use tourbillon_search::{Budget, Stats};
use tourbillon_store::{Cover, Memory};
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
    let mut budget = Budget::new(job.limits, job.stop);
    let mut explorer = Explorer::new(&prepared, nodes_max);
    let end = explorer.run(&mut budget, observe);
    let (stats, plan) = (explorer.stats(), prepared.plan().clone());
    Ok(ExploredGraph { nodes: explorer.nodes, edges: explorer.edges, end, plan, stats })
}

struct Explorer<'a> {
    model: &'a Model,
    system: &'a System,
    graph: ZoneGraph<'a>,
    cover: Cover,
    nodes_max: usize,
    nodes: Vec<ExploredNode>,
    edges: Vec<ExploredEdge>,
    /// The fields of each node's state.
    fields: Vec<Vec<i32>>,
    /// For each discrete state the nodes that nothing covers.
    stored: HashMap<Vec<i32>, Vec<usize>>,
    waiting: VecDeque<usize>,
    /// The node whose successors are being computed.
    current: Option<usize>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    visited: u64,
    covered: u64,
    initial: u64,
    mistakes: u64,
}

/// What is computed of a successor before it is taken into the graph.
struct Found {
    state: ConcreteState,
    fields: Vec<i32>,
    zone: Dbm,
    /// The stored node that is equal to it, or covers it; and the stored nodes that it covers.
    judged: Judged,
}

enum Judged {
    Equal(usize),
    CoveredBy(usize),
    Covers(Vec<usize>),
}

impl<'a> Explorer<'a> {
    fn new(prepared: &'a Prepared<'_>, nodes_max: usize) -> Self {
        Self {
            model: prepared.model(),
            system: prepared.system(),
            graph: prepared.graph(),
            cover: prepared.plan().cover,
            nodes_max,
            nodes: Vec::new(),
            edges: Vec::new(),
            fields: Vec::new(),
            stored: HashMap::new(),
            waiting: VecDeque::new(),
            current: None,
            counts: Counts::default(),
        }
    }

    fn run(&mut self, budget: &mut Budget<'_>, observe: &mut dyn FnMut(&Progress)) -> GraphEnd {
        if let Err(end) = self.begin() {
            return end;
        }
        while let Some(node) = self.waiting.pop_front() {
            if self.nodes[node].covered_by.is_some() {
                continue;
            }
            let stats = self.stats();
            let (exhausted, looked) = budget.check(|| (stats.stored, stats.memory.total() as u64));
            if let Some(exhausted) = exhausted {
                return GraphEnd::Stopped(Why::Exhausted(exhausted));
            }
            if looked {
                observe(&Progress { query: None, stats });
            }
            if let Err(end) = self.expand(node) {
                return end;
            }
        }
        GraphEnd::Complete
    }

    fn begin(&mut self) -> Result<(), GraphEnd> {
        let mut found = Vec::new();
        let Self { graph, .. } = self;
        graph.initial(&mut |successor| found.push(kept(successor))).map_err(|error| self.failed(error))?;
        for state in found {
            self.counts.initial += 1;
            self.take(None, &[], state)?;
        }
        Ok(())
    }

    fn expand(&mut self, node: usize) -> Result<(), GraphEnd> {
        let mut state = SymbolicState::new(self.system);
        state.memory[..self.system.layout.fields()].copy_from_slice(&self.fields[node]);
        state.zone.copy_from(&self.nodes[node].zone);
        self.counts.visited += 1;
        self.current = Some(node);
        self.graph.prepare(&mut state).map_err(|error| self.failed(error))?;
        while let Some(place) = self.graph.next(&state).map_err(|error| self.failed(error))? {
            let action = edges(&self.graph, place);
            let mut found = Vec::new();
            let Self { graph, .. } = self;
            let followed = graph.follow(&state, place, &mut |successor| found.push(kept(successor)));
            followed.map_err(|error| self.failed(error))?;
            for successor in found {
                self.take(Some(node), &action, successor)?;
            }
        }
        self.nodes[node].expanded = true;
        Ok(())
    }

    /// Takes a successor into the graph.
    fn take(&mut self, from: Option<usize>, action: &[Fired], arrival: Arrival) -> Result<(), GraphEnd> {
        if arrival.state.zone.overflowed() {
            return Err(GraphEnd::Stopped(Why::Overflowed));
        }
        let found = self.evaluator(arrival);
        let to = match found.judged {
            Judged::Equal(node) => {
                self.counts.covered += 1;
                node
            }
            _ if self.nodes.len() >= self.nodes_max => return Err(GraphEnd::TooMany),
            _ => self.add(found),
        };
        if let Some(from) = from {
            self.edges.push(ExploredEdge { from, to, action: action.to_vec() });
        }
        Ok(())
    }

    fn evaluator(&self, Arrival { state, bounds }: Arrival) -> Found {
        let SymbolicState { memory, zone } = state;
        let fields = memory[..self.system.layout.fields()].to_vec();
        let same = self.stored.get(&fields).map_or(&[][..], Vec::as_slice);
        let covers = |larger: &Dbm, smaller: &Dbm| match self.cover {
            Cover::Equality => larger == smaller,
            Cover::Inclusion => larger.includes(smaller),
            Cover::Alu => smaller.is_simulated_lu(larger, &bounds),
        };
        let equal = same.iter().find(|&&node| self.nodes[node].zone == zone);
        let covering = same.iter().find(|&&node| covers(&self.nodes[node].zone, &zone));
        let judged = match (equal, covering) {
            (Some(&node), _) => Judged::Equal(node),
            (None, Some(&node)) => Judged::CoveredBy(node),
            (None, None) => {
                let smaller = same.iter().filter(|&&node| covers(&zone, &self.nodes[node].zone));
                Judged::Covers(smaller.copied().collect())
            }
        };
        Found { state: self.discrete(&memory), fields, zone, judged }
    }

    /// Adds a node, and says which it is.
    fn add(&mut self, Found { state, fields, zone, judged }: Found) -> usize {
        let node = self.nodes.len();
        let covered_by = match judged {
            Judged::Equal(other) | Judged::CoveredBy(other) => Some(other),
            Judged::Covers(_) => None,
        };
        self.nodes.push(ExploredNode { state, zone, covered_by, expanded: false });
        self.counts.covered += u64::from(covered_by.is_some());
        if let Judged::Covers(smaller) = judged {
            let stored = self.stored.entry(fields.clone()).or_default();
            stored.retain(|other| !smaller.contains(other));
            stored.push(node);
            for other in smaller {
                self.counts.covered += 1;
                let visited = self.nodes[other].expanded || self.current == Some(other);
                self.counts.mistakes += u64::from(visited);
                self.nodes[other].covered_by = Some(node);
            }
            self.waiting.push_back(node);
        }
        self.fields.push(fields);
        node
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

    fn failed(&self, error: RuntimeError) -> GraphEnd {
        GraphEnd::Stopped(Why::of_error(error, self.system.has_stopwatches))
    }

    fn stats(&self) -> Stats {
        let Counts { visited, covered, initial, mistakes } = self.counts;
        let transitions = self.edges.len() as u64 + u64::saturating_sub(initial, 1);
        // All that was offered, unless another covers it.
        let stored = (self.edges.len() as u64 + initial).saturating_sub(covered);
        let bytes = 4 * (self.system.dimension.size().pow(2) + 2 * self.system.layout.fields());
        Stats {
            visited,
            stored,
            stored_max: stored,
            transitions,
            covered,
            mistakes,
            waiting: self.waiting.len() as u64,
            discrete_states: self.stored.len() as u64,
            memory: Memory { nodes: bytes * self.nodes.len(), ..Memory::default() },
            ..Stats::default()
        }
    }
}

/// A successor, with the constants of its discrete state.
struct Arrival {
    state: SymbolicState,
    bounds: ClockBounds,
}

fn kept(successor: &Successor<'_>) -> Arrival {
    let state = SymbolicState { memory: successor.memory.to_vec(), zone: successor.zone.clone() };
    Arrival { state, bounds: successor.bounds.clone() }
}
