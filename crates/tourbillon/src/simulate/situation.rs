//! Where a simulation is and what can happen, as plain data and as JSON.

use std::sync::Arc;

use serde_json::{Value, json};
use tourbillon_base::Rational;
use tourbillon_replay::Delays;

use super::Mode;
use crate::report_json::{edge_json, number, state_json};
use crate::trace::{TakenEdge, TraceState};

/// Where a simulation is, and what can happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    /// What it goes through.
    pub mode: Mode,
    /// How many moves lie behind.
    pub step: usize,
    /// How many moves there are, those ahead included that going back has left.
    pub steps: usize,
    /// How much time has passed; nothing in zones, or if that does not fit.
    pub time: Option<Rational>,
    /// Locations, variables and, but for zones, clocks.
    pub state: TraceState,
    /// What the clocks can show, in zones.
    pub zone: Option<String>,
    /// The steps that can be taken.
    pub choices: Vec<Choice>,
    /// How much time can pass; nothing in zones.
    pub patience: Option<Delays>,
    /// Whether nothing can happen any more.
    pub stuck: Option<Stuck>,
    /// How the model goes wrong at run time, from here on.
    pub failure: Option<String>,
}

/// A step that can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The edges that are taken together, the sender's first.
    pub edges: Vec<TakenEdge>,
    /// After which delays; none in zones.
    pub delays: Vec<Delays>,
    /// For which clock values, in zones.
    pub zone: Option<String>,
}

/// Why nothing can happen any more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stuck {
    /// No step is possible, now or later.
    Deadlock,
    /// No step is possible, and time stops.
    TimeLock,
}

impl Stuck {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::TimeLock => "time-lock",
        }
    }
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// How much time passed first; nothing in zones.
    pub delay: Option<Rational>,
    /// The edges that were taken then; none if only time passed.
    pub edges: Vec<TakenEdge>,
    /// The variables that changed.
    pub changed: Vec<(Arc<str>, i32)>,
}

/// A situation as JSON; `docs/json.md` explains it.
#[must_use]
pub fn situation_json(situation: &Situation) -> Value {
    json!({
        "mode": situation.mode.word(),
        "step": situation.step,
        "steps": situation.steps,
        "time": situation.time.map(number),
        "state": state_json(&situation.state),
        "zone": situation.zone,
        "choices": situation.choices.iter().map(choice_json).collect::<Vec<_>>(),
        "patience": situation.patience.as_ref().map(delays_json),
        "stuck": situation.stuck.map(Stuck::word),
        "failure": situation.failure,
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
