//! What a check comes to: as data, for a message.

use std::fmt;

use tourbillon_base::Span;
use tourbillon_model::{EvalError, Model, ProcessId};

use crate::data::DiscreteState;
use crate::transitions::{EdgeNumber, Network};
use crate::zone::Zone;

/// Whether the answers of a certificate follow from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// They do.
    Accepted(Report),
    /// A condition does not hold.
    Rejected(Box<Rejection>),
    /// It was not found out, and why.
    Unknown(String),
}

/// What was checked.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The certified queries, as the header has them.
    pub queries: Vec<String>,
    /// Discrete states and entries, as expanded by generators.
    pub states: u64,
    pub entries: u64,
    /// Successors that were covered or followed.
    pub successors: u64,
    /// States that were followed because they are transient.
    pub followed: u64,
}

/// The first condition that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    pub reason: Reason,
    /// The query whose claim it is about, by its number in the header, if it is about one.
    pub query: Option<usize>,
    /// The invariant, by its number in the header, if it is about one.
    pub invariant: Option<usize>,
    /// The symbolic state that was examined.
    pub state: Option<StateText>,
    /// The transition from it: its edges, in order.
    pub transition: Vec<EdgeText>,
    /// The state after the transition.
    pub successor: Option<StateText>,
}

/// Why a certificate is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A claim that is none for its query, or names invariants that it cannot have.
    Claim(String),
    /// No entries cover the initial state.
    InitialNotCovered,
    /// No entries cover the valuations where `p` of `p --> q` holds.
    StartNotCovered,
    /// No entries cover a successor, or none with ranks that are large enough.
    NotCovered,
    /// The states that are followed do not end.
    TooManyTransient,
    /// What must not hold holds of some valuations.
    Holds,
    /// Time can diverge in what must be left.
    Diverges,
    /// A maximal run can end in what must be left.
    Ends,
    /// A run can stay at a rank that meets all predicates.
    Recurs { rank: u64 },
    /// The LU-bounds are not those of a simulation.
    NotSimulation(String),
    /// The model goes wrong.
    ModelFails(EvalError),
    /// The query goes wrong.
    QueryFails(EvalError),
}

/// A symbolic state by names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateText {
    /// Processes and their locations.
    pub locations: Vec<(String, String)>,
    /// Variables and their values.
    pub values: Vec<(String, i32)>,
    /// The constraints of the zone.
    pub zone: Vec<String>,
}

/// An edge, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeText {
    pub process: ProcessId,
    /// Its number among the edges of the process.
    pub edge: usize,
    pub span: Span,
}

/// Why a check ends before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    Rejected(Box<Rejection>),
    Unknown(String),
}

impl Rejection {
    pub(crate) fn new(reason: Reason) -> Self {
        Self { reason, query: None, invariant: None, state: None, transition: Vec::new(), successor: None }
    }
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(Box::new(rejection))
    }
}

impl Stop {
    /// The same, with a change if it is a rejection.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Rejection)) -> Self {
        if let Self::Rejected(rejection) = &mut self {
            change(rejection);
        }
        self
    }

    pub(crate) fn of_query(self, query: usize) -> Self {
        self.with(|rejection| rejection.query = rejection.query.or(Some(query)))
    }
}

impl EdgeText {
    pub(crate) fn list(network: &Network<'_>, edges: &[EdgeNumber]) -> Vec<Self> {
        let text =
            |&(process, edge): &EdgeNumber| Self { process, edge, span: network.edge_span((process, edge)) };
        edges.iter().map(text).collect()
    }
}

impl StateText {
    pub(crate) fn new(model: &Model, vector: &[i32], zone: &Zone) -> Self {
        let clocks: Vec<&str> = model.clocks.iter().map(|clock| clock.name.as_str()).collect();
        let zone = zone.text(&clocks);
        let Some(state) = DiscreteState::of_vector(model, vector) else {
            return Self { locations: Vec::new(), values: Vec::new(), zone };
        };
        let places = model.processes.iter().zip(&state.locations);
        let cells = model.cells.iter().zip(&state.cells);
        Self {
            locations: places.map(|(it, &at)| (it.name.clone(), it.locations[at].name.clone())).collect(),
            values: cells
                .filter(|(cell, _)| cell.kind == tourbillon_model::CellKind::State)
                .map(|(cell, &value)| (cell.name.clone(), value))
                .collect(),
            zone,
        }
    }
}

impl fmt::Display for StateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let locations = self.locations.iter().map(|(process, location)| format!("{process}.{location}"));
        let values = self.values.iter().map(|(name, value)| format!("{name} = {value}"));
        let parts: Vec<String> = locations.chain(values).chain(self.zone.iter().cloned()).collect();
        f.write_str(&parts.join(", "))
    }
}

impl Reason {
    /// The reason in words, with the names of the model.
    #[must_use]
    pub fn explain(&self, model: &Model) -> String {
        match self {
            Self::Claim(why) => why.clone(),
            Self::InitialNotCovered => "the initial state is not covered".to_owned(),
            Self::StartNotCovered => "states that satisfy the left side of `-->` are not covered".to_owned(),
            Self::NotCovered => "a successor is not covered".to_owned(),
            Self::TooManyTransient => "too many transient states follow each other".to_owned(),
            Self::Holds => "a state is one that the claim excludes".to_owned(),
            Self::Diverges => "time can diverge where the claim excludes it".to_owned(),
            Self::Ends => "a maximal run can end where the claim excludes it".to_owned(),
            Self::Recurs { rank } => format!("a run can visit every acceptance set at rank {rank}"),
            Self::NotSimulation(why) => format!("the LU-bounds are not those of a simulation: {why}"),
            Self::ModelFails(error) => format!("the model fails: {}", error.kind.explain(model)),
            Self::QueryFails(error) => format!("the query fails: {}", error.kind.explain(model)),
        }
    }
}
