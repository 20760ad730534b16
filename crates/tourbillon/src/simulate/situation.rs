//! The current state of a simulation and the enabled transitions, as plain data and as JSON.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use tourbillon_base::Rational;
use tourbillon_replay::Delays;

use super::Mode;
use crate::report_json::{edge_json, number, source_place_json, state_json};
use crate::trace::{SourcePlace, TakenEdge, TraceState};

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
    /// The same, one constraint after the other.
    pub constraints: Vec<String>,
    /// The steps that can be taken.
    pub choices: Vec<Choice>,
    /// How much time can pass; nothing in zones.
    pub patience: Option<Delays>,
    /// Whether nothing can happen any more.
    pub stuck: Option<Stuck>,
    /// How the model goes wrong at run time, from here on.
    pub failures: Vec<Failing>,
}

/// How the model goes wrong at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    /// The edges that go wrong, if it is edges.
    pub edges: Vec<TakenEdge>,
    /// After which delays; none in zones, or if that is not known.
    pub delays: Vec<Delays>,
    pub what: String,
    pub place: Option<SourcePlace>,
}

impl fmt::Display for Failing {
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
            write!(f, " goes wrong here")?;
        } else {
            write!(f, " goes wrong after a delay of {}", delays.join(" or "))?;
        }
        write!(f, ": {}", self.what)?;
        match &self.place {
            Some(SourcePlace { file, line, column, .. }) => write!(f, " ({file}:{line}:{column})"),
            None => Ok(()),
        }
    }
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
    /// The same, one constraint after the other.
    pub constraints: Vec<String>,
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// How much time passed first; nothing in zones.
    pub delay: Option<Rational>,
    /// The edges that were taken then; none if only time passed.
    pub edges: Vec<TakenEdge>,
    /// The variables that changed.
    pub changed: Vec<(Arc<str>, i32)>,
    /// Which of the variables of the network these are, from 0 on.
    pub changed_indices: Vec<usize>,
    /// The clocks that were set, from 0 on; not those that only went on.
    pub clocks_set: Vec<usize>,
}

/// A situation as JSON, after steps at random with why these ended early, if they did; `docs/json.md` explains it.
#[must_use]
pub fn situation_json(situation: &Situation, ended: Option<&str>) -> Value {
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
        "failure": situation.failures.first().map(ToString::to_string),
        "failures": situation.failures.iter().map(failing_json).collect::<Vec<_>>(),
        "ended": ended,
    })
}

fn failing_json(failing: &Failing) -> Value {
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
