//! The zone graph of a small model, for display.
//!
//! It has all nodes that an exploration finds: a covered node stays, with the node that covers it. The numbering is
//! that of the [`network`](crate::network()).

use serde::{Deserialize, Serialize};
use tourbillon_base::Id;
use tourbillon_check::{
    ConcreteState, ExploredGraph, ExploredNode, GraphEnd, Progress, Stats, explored_graph,
};
use tourbillon_model::Model;

use crate::check::{CheckError, QuerySelection, Request, with_job};
use crate::load::Loaded;
use crate::network::step_label;
use crate::report::sentence;
use crate::trace::{TakenEdge, TraceBuilder};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ZoneGraph {
    /// The nodes, in the order in which they were found; the first is the initial one.
    pub nodes: Vec<ZoneGraphNode>,
    /// The edges, in the order in which they were found.
    pub edges: Vec<ZoneGraphEdge>,
    /// Whether the graph has all nodes and edges.
    pub complete: bool,
    /// Why it is complete or not, in a sentence without a full stop.
    pub why: String,
    /// The statistics of the exploration.
    #[serde(skip)]
    pub stats: Stats,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ZoneGraphNode {
    /// The location of each process, by index.
    pub locations: Vec<usize>,
    /// The values of the variables.
    pub variables: Vec<i32>,
    /// The constraints of the zone; empty for the universal zone.
    pub zone: Vec<String>,
    /// The node that covers it, if any.
    pub covered_by: Option<usize>,
    /// Whether its successors were computed; false if it was covered before, or if the graph is truncated there.
    pub expanded: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ZoneGraphEdge {
    /// The index of the source node.
    pub from: usize,
    /// The index of the target node.
    pub to: usize,
    /// The edges of the transition: process and edge.
    pub taken: Vec<(usize, usize)>,
    /// The transition in words.
    pub label: String,
}

/// The zone graph of a model with at most `nodes_max` nodes, in breadth-first order. It uses these options of the plan
/// request: `abstraction`, `bounds`, `cover` (inclusion by default) and `reduce`. `observe` is called from time to time
/// with the progress.
///
/// ```
/// use tourbillon::{Request, load, zone_graph};
///
/// let text = b"clock x; process P() { state A, B; init A; trans A -> B { guard x > 2; }, B -> A { assign x = 0; }; } system P;";
/// let loaded = load("p.xta", text);
/// let graph = zone_graph(&loaded, &Request::default(), 100, &mut |_| {})?;
/// assert!(graph.complete);
/// assert_eq!((graph.nodes.len(), graph.edges.len()), (2, 2));
/// assert_eq!(graph.edges[0].label, "P: A → B");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
///
/// # Errors
/// If the model is wrong, or the options cannot be combined.
pub fn zone_graph(
    loaded: &Loaded,
    request: &Request<'_>,
    nodes_max: usize,
    observe: &mut dyn FnMut(&Progress),
) -> Result<ZoneGraph, CheckError> {
    let request = Request { queries: QuerySelection::Exploration, ..request.clone() };
    with_job(loaded, &request, |job| {
        let graph = explored_graph(job, nodes_max, observe)?;
        Ok(told(job.model, &TraceBuilder::new(job.model, loaded.sources()), &graph, nodes_max))
    })
}

fn told(
    model: &Model,
    trace_builder: &TraceBuilder<'_>,
    graph: &ExploredGraph,
    nodes_max: usize,
) -> ZoneGraph {
    let clocks: Vec<&str> = model.clocks.iter().map(|clock| clock.name.as_str()).collect();
    let node = |node: &ExploredNode| ZoneGraphNode {
        locations: node.state.locations.iter().map(|location| location.index()).collect(),
        variables: trace_builder.variables(&node.state),
        zone: node.zone.display(&clocks).constraints(),
        covered_by: node.covered_by,
        expanded: node.expanded,
    };
    let edge = |edge: &tourbillon_check::ExploredEdge| {
        let before: &ConcreteState = &graph.nodes[edge.from].state;
        let taken: Vec<TakenEdge> =
            edge.action.iter().map(|fired| trace_builder.edge(fired, before)).collect();
        ZoneGraphEdge {
            from: edge.from,
            to: edge.to,
            taken: taken.iter().map(|edge| (edge.process_index, edge.index)).collect(),
            label: step_label(&taken),
        }
    };
    let why = match &graph.end {
        GraphEnd::Complete => "the zone graph is complete".to_owned(),
        GraphEnd::TooMany => format!("the zone graph has more than {nodes_max} nodes and is truncated"),
        GraphEnd::Stopped(why) => sentence(why, None),
    };
    ZoneGraph {
        nodes: graph.nodes.iter().map(node).collect(),
        edges: graph.edges.iter().map(edge).collect(),
        complete: graph.end == GraphEnd::Complete,
        why,
        stats: graph.stats,
    }
}
