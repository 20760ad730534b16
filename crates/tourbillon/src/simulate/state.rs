//! The current state of a simulation and the enabled transitions, as plain data and as JSON.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use tourbillon_base::Rational;
use tourbillon_replay::Delays;

use super::Mode;
use crate::report_json::{edge_json, number, source_place_json, state_json};
use crate::trace::{SourcePlace, TakenEdge, TraceState};

/// The current state of a simulation, and the enabled steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulationState {
    pub mode: Mode,
    /// The number of moves before this state.
    pub step: usize,
    /// The number of all moves, including undone ones.
    pub steps: usize,
    /// The time since the start; `None` in symbolic mode, or if it does not fit.
    pub time: Option<Rational>,
    /// Locations, variables and, in concrete mode, clocks.
    pub state: TraceState,
    /// The zone, in symbolic mode.
    pub zone: Option<String>,
    /// The constraints of the zone.
    pub constraints: Vec<String>,
    pub choices: Vec<Choice>,
    /// The possible delays; `None` in symbolic mode.
    pub patience: Option<Delays>,
    /// The deadlock or timelock, if it is one.
    pub stuck: Option<DeadlockKind>,
    /// The run-time errors from this state on.
    pub failures: Vec<FailingStep>,
}

/// A run-time error of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailingStep {
    /// The edges that fail, if it is caused by edges.
    pub edges: Vec<TakenEdge>,
    /// The delays after which they fail; empty in symbolic mode, or if they are not known.
    pub delays: Vec<Delays>,
    pub what: String,
    pub place: Option<SourcePlace>,
}

impl fmt::Display for FailingStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |edge: &TakenEdge| {
            let chosen: Vec<String> =
                edge.selects.iter().map(|(name, value)| format!(" [{name} = {value}]")).collect();
            format!("{}: {} -> {}{}", edge.process, edge.source, edge.target, chosen.concat())
        };
        match &self.edges[..] {
            [] => write!(f, "the model")?,
            edges => write!(f, "{}", edges.iter().map(name).collect::<Vec<_>>().join(", "))?,
        }
        let delays: Vec<String> = self.delays.iter().map(Delays::to_string).collect();
        if self.delays.first().is_none_or(|first| first.contains(Rational::ZERO)) {
            write!(f, " fails here")?;
        } else {
            write!(f, " fails after a delay of {}", delays.join(" or "))?;
        }
        write!(f, ": {}", self.what)?;
        match &self.place {
            Some(SourcePlace { file, line, column, .. }) => write!(f, " ({file}:{line}:{column})"),
            None => Ok(()),
        }
    }
}

/// An enabled step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The edges of the transition, the sender's first.
    pub edges: Vec<TakenEdge>,
    /// The possible delays; empty in symbolic mode.
    pub delays: Vec<Delays>,
    /// The zone in which it is enabled, in symbolic mode.
    pub zone: Option<String>,
    /// The constraints of that zone.
    pub constraints: Vec<String>,
}

/// The kind of deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeadlockKind {
    /// No step is possible, now or later.
    Deadlock,
    /// No step is possible, and time cannot diverge.
    Timelock,
}

impl DeadlockKind {
    /// The word in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Timelock => "time-lock",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The delay before the edges; `None` in symbolic mode.
    pub delay: Option<Rational>,
    /// The edges of the transition; empty for a delay.
    pub edges: Vec<TakenEdge>,
    /// The variables that changed.
    pub changed: Vec<(Arc<str>, i32)>,
    /// Their indices in the network.
    pub changed_indices: Vec<usize>,
    /// The indices of the clocks that were set.
    pub clocks_set: Vec<usize>,
}

/// A simulation state as JSON; `ended` is the reason why a random walk ended early. `docs/json.md` explains it.
#[must_use]
pub fn simulation_state_json(current: &SimulationState, ended: Option<&str>) -> Value {
    json!({
        "mode": current.mode.word(),
        "step": current.step,
        "steps": current.steps,
        "time": current.time.map(number),
        "state": state_json(&current.state),
        "zone": current.zone,
        "choices": current.choices.iter().map(choice_json).collect::<Vec<_>>(),
        "patience": current.patience.as_ref().map(delays_json),
        "stuck": current.stuck.map(DeadlockKind::word),
        "failure": current.failures.first().map(ToString::to_string),
        "failures": current.failures.iter().map(failing_json).collect::<Vec<_>>(),
        "ended": ended,
    })
}

fn failing_json(failing: &FailingStep) -> Value {
    json!({
        "edges": failing.edges.iter().map(edge_json).collect::<Vec<_>>(),
        "delays": failing.delays.iter().map(delays_json).collect::<Vec<_>>(),
        "what": failing.what,
        "place": failing.place.as_ref().map(source_place_json),
    })
}

fn choice_json(choice: &Choice) -> Value {
    json!({
        "edges": choice.edges.iter().map(edge_json).collect::<Vec<_>>(),
        "delays": choice.delays.iter().map(delays_json).collect::<Vec<_>>(),
        "zone": choice.zone,
    })
}

fn delays_json(delays: &Delays) -> Value {
    json!({
        "from": number(delays.from),
        "from_included": delays.from_included,
        "to": delays.to.map(number),
        "to_included": delays.to_included,
    })
}
