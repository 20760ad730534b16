//! The processes of a model with their indices, which all views share.
//!
//! Processes, their locations and edges, clocks and variables are numbered as in the network. Traces, simulation
//! states, coverage and zone graphs use these indices. Each location and edge refers to the drawn one
//! ([`Sheet::picture`](crate::Sheet::picture)).

use serde::{Deserialize, Serialize};
use tourbillon_base::Id;
use tourbillon_front_uppaal::lower::drawn_edges;
use tourbillon_model::{CellKind, Process};
use tourbillon_syntax::tree::Template;

use crate::load::{Loaded, Source};
use crate::trace::{Direction, TakenEdge};

/// The processes of a model, and their drawings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Network {
    pub processes: Vec<NetworkProcess>,
    /// The names of the clocks.
    pub clocks: Vec<String>,
    /// The names of the variables that are part of states; each element of an array is one.
    pub variables: Vec<String>,
    /// The number of variables that [`Network::limit_variables`] has removed.
    pub variables_left_out: usize,
}

impl Network {
    /// Keeps at most `max` variables.
    pub fn limit_variables(&mut self, max: usize) {
        self.variables_left_out += self.variables.len().saturating_sub(max);
        self.variables.truncate(max);
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkProcess {
    pub name: String,
    /// The index of its template.
    pub template: Option<usize>,
    pub locations: Vec<NetworkLocation>,
    pub edges: Vec<NetworkEdge>,
}

/// A location of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkLocation {
    pub name: String,
    /// The index of the drawn location in the template.
    pub drawn: Option<usize>,
}

/// An edge of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkEdge {
    /// The index of the source location.
    pub source: usize,
    /// The index of the target location.
    pub target: usize,
    /// The indices of the drawn edges in the template: two if the edge passes a branch point.
    pub drawn: Vec<usize>,
}

/// The processes of a model; `None` if it has errors.
///
/// ```
/// use tourbillon::{load, network};
///
/// let text = b"int i; process P() { state A, B; init A; trans A -> B { }; } system P;";
/// let network = network(&load("p.xta", text)).expect("a model without errors");
/// assert_eq!(network.processes[0].locations[1].name, "B");
/// assert_eq!(network.processes[0].edges[0].drawn, [0]);
/// assert_eq!(network.variables, ["i"]);
/// ```
#[must_use]
pub fn network(loaded: &Loaded) -> Option<Network> {
    let model = loaded.model.as_ref()?;
    let drawn = Drawn::of(loaded);
    let state = model.cells.iter().filter(|cell| cell.kind == CellKind::State);
    Some(Network {
        processes: (0..)
            .zip(&model.processes)
            .map(|(index, process)| drawn.process(index, process))
            .collect(),
        clocks: model.clocks.iter().map(|clock| clock.name.clone()).collect(),
        variables: state.map(|cell| cell.name.clone()).collect(),
        variables_left_out: 0,
    })
}

/// A transition in words: the channel or event and the participants, or the internal edge.
///
/// ```
/// use tourbillon::{Simulation, load, step_label};
///
/// let text = b"process P() { state A, B; init A; trans A -> B { }; } system P;";
/// let loaded = load("p.xta", text);
/// let simulation = Simulation::new(&loaded)?;
/// assert_eq!(step_label(&simulation.current_state().choices[0].edges), "P: A → B");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
#[must_use]
pub fn step_label(edges: &[TakenEdge]) -> String {
    let Some((first, others)) = edges.split_first() else { return String::new() };
    let selects = |edge: &TakenEdge| {
        let chosen = edge.selects.iter().map(|(name, value)| format!(" [{name} = {value}]"));
        chosen.collect::<String>()
    };
    let Some(sync) = &first.sync else {
        return format!("{}: {} → {}{}", first.process, first.source, first.target, selects(first));
    };
    let who = |edge: &TakenEdge| format!("{}{}", edge.process, selects(edge));
    let others: Vec<String> = others.iter().map(who).collect();
    let between = match sync.direction {
        _ if others.is_empty() => "",
        Direction::Event => ", ",
        Direction::Send | Direction::Receive => " → ",
    };
    format!("{}: {}{between}{}", sync.name, who(first), others.join(", "))
}

/// The drawings of locations and edges of processes.
enum Drawn<'a> {
    /// In templates, each with the drawn edges of the edges of its processes.
    Templates(Vec<(&'a Template, Vec<Vec<usize>>)>),
    /// A drawing for each process.
    Processes,
}

impl<'a> Drawn<'a> {
    fn of(loaded: &'a Loaded) -> Self {
        match &loaded.source {
            Source::Uppaal(document) => Self::Templates(
                document.templates().map(|template| (template, drawn_edges(template))).collect(),
            ),
            Source::TChecker { .. } => Self::Processes,
        }
    }

    fn process(&self, index: usize, process: &Process) -> NetworkProcess {
        let template = match self {
            // A template is identified by the source position of its name.
            Self::Templates(templates) => {
                templates.iter().position(|(template, _)| template.name.span == process.span)
            }
            Self::Processes => Some(index),
        };
        let drawn = |edge: usize| match (self, template) {
            (Self::Templates(templates), Some(template)) => {
                templates[template].1.get(edge).cloned().unwrap_or_default()
            }
            (Self::Templates(_), None) => Vec::new(),
            (Self::Processes, _) => vec![edge],
        };
        NetworkProcess {
            name: process.name.clone(),
            template,
            locations: process
                .locations
                .enumerate()
                .map(|(id, location)| NetworkLocation {
                    name: location.name.clone(),
                    drawn: template.map(|_| id.index()),
                })
                .collect(),
            edges: process
                .edges
                .iter()
                .enumerate()
                .map(|(index, edge)| NetworkEdge {
                    source: edge.source.index(),
                    target: edge.target.index(),
                    drawn: drawn(index),
                })
                .collect(),
        }
    }
}
