//! Why a state, delay or action is illegal, with the ids that a message needs.

use tourbillon_base::Rational;
use tourbillon_model::{Channel, ChannelId, ClockId, EvalError, LocationId, Model, ProcessId};

use crate::run::Fired;

/// Why a state cannot be, time cannot pass, or an action cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// The model itself goes wrong.
    Error(EvalError),
    /// A number that does not fit into 64 bits over 64 bits.
    TooPrecise,
    /// A delay below 0.
    NegativeDelay(Rational),
    /// The invariant of a location does not hold.
    Invariant(ProcessId, LocationId),
    /// An update would assign a negative value to this clock, in a language in which that is no failure of the model.
    NegativeClock(ClockId),
    /// Time cannot pass at an urgent or committed location.
    NoTime(ProcessId, LocationId),
    /// Time cannot pass while a synchronisation over an urgent channel is possible.
    UrgentChannel(ChannelId),
    /// An action of no edges.
    Nothing,
    /// There is no such process or edge, or not as many selections.
    NoEdge(Fired),
    /// A process takes part twice.
    Twice(ProcessId),
    /// An edge that starts elsewhere.
    Elsewhere(Fired),
    /// A selection outside its range.
    Selection(Fired),
    /// A guard that does not hold.
    Guard(Fired),
    /// Edges that are not taken together in this order: another channel, too few or too many, no vector.
    NotTogether(Vec<Fired>),
    /// A process that can take part in a broadcast or a vector, and so has to.
    LeftOut(ProcessId),
    /// Some process is at a committed location, and no edge leaves one.
    Committed(ProcessId, LocationId),
    /// Another action has a higher priority and can be taken.
    Priority(Vec<Fired>),
}

impl From<EvalError> for Violation {
    fn from(error: EvalError) -> Self {
        Self::Error(error)
    }
}

impl Violation {
    /// The reason in words, with the names of the model.
    #[must_use]
    pub fn explain(&self, model: &Model) -> String {
        match self {
            Self::Error(error) => format!("the model goes wrong: {}", error.kind.explain(model)),
            Self::TooPrecise => "a time that needs more than 64 bits over 64 bits".to_owned(),
            Self::NegativeDelay(delay) => format!("a delay of {delay}"),
            Self::Invariant(process, location) => {
                format!("the invariant of {} does not hold", place(model, *process, *location))
            }
            Self::NegativeClock(clock) => {
                let name = model.clocks.get(*clock).map_or("?", |clock| &clock.name);
                format!("an update would assign a negative value to the clock {name}")
            }
            Self::NoTime(process, location) => {
                format!("no time can pass at {}", place(model, *process, *location))
            }
            Self::UrgentChannel(channel) => {
                let name = model.channels.get(*channel).map_or("?", |Channel { name, .. }| name);
                format!("no time can pass while a synchronisation over {name} is possible")
            }
            Self::Nothing => "an action of no edges".to_owned(),
            Self::NoEdge(fired) => format!("there is no {}", edge(model, fired)),
            Self::Twice(process) => format!("{} takes part twice", name(model, *process)),
            Self::Elsewhere(fired) => {
                format!("{} is not where {} starts", name(model, fired.process), edge(model, fired))
            }
            Self::Selection(fired) => format!("a selection outside its range: {}", edge(model, fired)),
            Self::Guard(fired) => format!("the guard does not hold: {}", edge(model, fired)),
            Self::NotTogether(action) => format!("not taken together: {}", edges(model, action)),
            Self::LeftOut(process) => format!("{} can take part and does not", name(model, *process)),
            Self::Committed(process, location) => {
                format!("{} is committed, and no such location is left", place(model, *process, *location))
            }
            Self::Priority(action) => format!("this comes first: {}", edges(model, action)),
        }
    }
}

fn name(model: &Model, process: ProcessId) -> &str {
    model.processes.get(process).map_or("?", |process| &process.name)
}

fn place(model: &Model, process: ProcessId, location: LocationId) -> String {
    let location = model.processes.get(process).and_then(|process| process.locations.get(location));
    format!("{}.{}", name(model, process), location.map_or("?", |location| &location.name))
}

fn edge(model: &Model, fired: &Fired) -> String {
    let process = model.processes.get(fired.process);
    let ends = process.and_then(|process| {
        let edge = process.edges.get(fired.edge)?;
        let location = |id| process.locations.get(id).map_or("?", |location| location.name.as_str());
        Some(format!(" ({} -> {})", location(edge.source), location(edge.target)))
    });
    let chosen = if fired.selects.is_empty() { String::new() } else { format!(" with {:?}", fired.selects) };
    format!("edge {} of {}{}{chosen}", fired.edge, name(model, fired.process), ends.unwrap_or_default())
}

fn edges(model: &Model, action: &[Fired]) -> String {
    action.iter().map(|fired| edge(model, fired)).collect::<Vec<_>>().join(", ")
}
