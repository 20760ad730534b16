//! The processes of a model with their numbers, shared by all views.
//!
//! Processes, their locations and edges, clocks and variables are numbered as in the network, and traces, situations,
//! coverage and zone graphs give these numbers. For each location and edge it is known which of those that are drawn it
//! is ([`Sheet::picture`](crate::Sheet::picture)).

use serde::{Deserialize, Serialize};
use tourbillon_base::Id;
use tourbillon_front_uppaal::lower::drawn_edges;
use tourbillon_model::{CellKind, Process};
use tourbillon_syntax::tree::Template;

use crate::load::{Loaded, Source};
use crate::trace::{Direction, TakenEdge};

/// The processes of a model, and where they are drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Network {
    pub processes: Vec<NetworkProcess>,
    /// The clocks, by name.
    pub clocks: Vec<String>,
    /// The variables that are part of states, by name: each element of an array is one.
    pub variables: Vec<String>,
    /// How many variables [`Network::limit_variables`] has removed.
    pub variables_left_out: usize,
}

impl Network {
    /// Keeps the first variables.
    pub fn limit_variables(&mut self, max: usize) {
        self.variables_left_out += self.variables.len().saturating_sub(max);
        self.variables.truncate(max);
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkProcess {
    pub name: String,
    /// Which of the templates it was made of.
    pub template: Option<usize>,
    pub locations: Vec<NetworkLocation>,
    pub edges: Vec<NetworkEdge>,
}

/// A location of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkLocation {
    pub name: String,
    /// Which of the locations of the template it is.
    pub drawn: Option<usize>,
}

/// An edge of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkEdge {
    /// Where it leaves from.
    pub source: usize,
    /// Where it leads to.
    pub target: usize,
    /// Which of the edges of the template it is: two if it passes a branch point.
    pub drawn: Vec<usize>,
}

/// The processes of a model; nothing if it has errors.
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

/// What happens in a step, in words: the channel or event and who takes part, or the edge that is taken alone.
///
/// ```
/// use tourbillon::{Simulation, load, step_label};
///
/// let text = b"process P() { state A, B; init A; trans A -> B { }; } system P;";
/// let loaded = load("p.xta", text);
/// let simulation = Simulation::new(&loaded)?;
/// assert_eq!(step_label(&simulation.situation().choices[0].edges), "P: A → B");
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

/// Where the locations and edges of processes are drawn.
enum Drawn<'a> {
    /// In templates, each with the edges of its processes.
    Templates(Vec<(&'a Template, Vec<Vec<usize>>)>),
    /// Each process on its own.
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
            // A template is known by where its name stands.
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
