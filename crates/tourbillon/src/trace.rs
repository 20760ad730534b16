//! Runs as plain data: steps, times and changes, with the names of the model.
//!
//! Numbers are exact; each has a decimal text for readers. Names are shared between the states of a run, so that a long
//! run of a large network stays small.

use std::sync::Arc;

use tourbillon_base::{Id, IdVec, Rational, SourceMap, Span, cancellation};
use tourbillon_check::{ConcreteState, Finish, Fired, ReplayEvent, Run, RunStep, Since, Witness, walk};
use tourbillon_model::{
    Action, CellKind, ChannelPlace, Edge, Evaluator, Frame, LocationId, Model, ProcessId,
};
use tourbillon_replay::Semantics;

/// What a run shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// It is a witness: its end satisfies an existential property.
    Witness,
    /// It is a counterexample of a universal property.
    Counterexample,
    /// It leads to a run-time error: the next step cannot be computed.
    Failure,
    /// It attains a value in its last state.
    Attains,
    /// It approaches a value: its last state is less than 1 away.
    Approaches,
    /// After it, a value grows without bound, by delays or by repeating the last steps.
    Grows,
}

impl Purpose {
    /// The word in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Witness => "witness",
            Self::Counterexample => "counterexample",
            Self::Failure => "failure",
            Self::Attains => "attains",
            Self::Approaches => "approaches",
            Self::Grows => "grows",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub purpose: Purpose,
    /// The initial state, with all variables.
    pub initial: TraceState,
    pub steps: Vec<TraceStep>,
    /// The delay after the last step.
    pub last_delay: Rational,
    /// The total time; `None` if it does not fit.
    pub duration: Option<Rational>,
    /// The last state, with all variables.
    pub end: TraceState,
    /// The end of a maximal run, for liveness.
    pub finish: Option<Finish>,
    /// The time from which on the property is violated, if it is not the start.
    pub since: Option<Rational>,
}

impl Trace {
    /// The first step of the cycle, if there is one.
    #[must_use]
    pub const fn loop_start(&self) -> Option<usize> {
        loop_start(self.finish)
    }

    /// The duration of the cycle, if there is one and it fits.
    #[must_use]
    pub fn loop_time(&self) -> Option<Rational> {
        let steps = &self.steps[self.loop_start()?..];
        steps.iter().try_fold(Rational::ZERO, |sum, step| sum.checked_add(step.delay))
    }
}

/// A delay, and a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The delay before the transition.
    pub delay: Rational,
    /// The time since the start when the edges are taken; `None` if it does not fit.
    pub time: Option<Rational>,
    /// The edges of the transition, the sender's first.
    pub edges: Vec<TakenEdge>,
    /// The state after it, with the variables that changed.
    pub after: TraceState,
    /// The indices of the processes that changed their locations.
    pub moved: Vec<usize>,
    /// The indices of the clocks whose values differ from those after the delay.
    pub set_clocks: Vec<usize>,
}

/// An edge of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenEdge {
    pub process: Arc<str>,
    /// The index of the process.
    pub process_index: usize,
    /// The index of the edge in the process.
    pub index: usize,
    /// The source location.
    pub source: Arc<str>,
    /// The target location.
    pub target: Arc<str>,
    /// The synchronisation; `None` for an internal edge.
    pub sync: Option<Sync>,
    /// The values of its selections.
    pub selects: Vec<(String, i32)>,
    /// Its source position.
    pub place: SourcePlace,
}

/// A synchronisation label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sync {
    /// The channel, with its index, or the event.
    pub name: String,
    pub direction: Direction,
}

/// The role of an edge in a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    Send,
    Receive,
    /// A symmetric event.
    Event,
}

impl Direction {
    /// The mark after the channel name: `!` or `?`.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Send => "!",
            Self::Receive => "?",
            Self::Event => "",
        }
    }
}

/// A position in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePlace {
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The element of an XML file.
    pub element: Option<String>,
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceState {
    /// The location of each process.
    pub locations: Vec<(Arc<str>, Arc<str>)>,
    /// The index of each location in its process.
    pub location_indices: Vec<usize>,
    /// The variables with their values.
    pub variables: Vec<(Arc<str>, i32)>,
    /// The indices of these variables in the [`network`](crate::network()).
    pub variable_indices: Vec<usize>,
    /// The clock values.
    pub clocks: Vec<(Arc<str>, Rational)>,
}

/// A number as decimal text: exact if it has at most nine digits after the point, else rounded to six.
#[must_use]
pub fn decimal(number: Rational) -> String {
    let (numerator, denominator) = (i128::from(number.numerator()), i128::from(number.denominator()));
    let exact = (0..=9u32).find(|&digits| 10i128.pow(digits) % denominator == 0);
    let digits = exact.unwrap_or(6);
    let scale = 10i128.pow(digits);
    // Rounded half away from zero; nothing to round if it is exact.
    let scaled = (2 * numerator.abs() * scale + denominator) / (2 * denominator);
    let sign = if numerator < 0 && scaled != 0 { "-" } else { "" };
    let (whole, fraction) = (scaled / scale, scaled % scale);
    match digits {
        0 => format!("{sign}{whole}"),
        digits => format!("{sign}{whole}.{fraction:0width$}", width = digits as usize),
    }
}

pub(crate) fn source_place(sources: &SourceMap, span: Span) -> SourcePlace {
    let place = sources.resolve(span);
    SourcePlace {
        file: place.file.to_owned(),
        line: place.start.line,
        column: place.start.column,
        element: place.element.map(str::to_owned),
    }
}

/// The time of a position in a run; `None` if it does not fit.
fn time_of(run: &Run, since: Since) -> Option<Rational> {
    let mut delays = run.steps[..since.steps].iter().map(|step| step.delay);
    delays.try_fold(since.delay, Rational::checked_add)
}

/// A run that is computed step by step while it is read: its memory does not depend on its length.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'a> {
    pub(crate) trace_builder: &'a TraceBuilder<'a>,
    pub(crate) purpose: Purpose,
    pub(crate) witness: &'a Witness,
}

impl RunView<'_> {
    /// The run without its steps; the other fields are those of [`Trace`].
    ///
    /// # Panics
    /// If the model has no initial state, which no run begins in.
    #[must_use]
    pub fn head(&self) -> Trace {
        let Self { trace_builder, purpose, witness: Witness { run, last, finish, since } } = *self;
        let initial = Semantics::new(trace_builder.model).initial().expect("a run begins somewhere");
        let mut delays = run.steps.iter().map(|step| step.delay);
        Trace {
            purpose,
            initial: trace_builder.state(&initial, None),
            steps: Vec::new(),
            last_delay: run.last_delay,
            duration: delays.try_fold(run.last_delay, Rational::checked_add),
            end: trace_builder.state(last, None),
            finish: *finish,
            since: since.and_then(|since| time_of(run, since)),
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.witness.run.steps.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The duration of the cycle, if there is one and it fits.
    #[must_use]
    pub fn loop_time(&self) -> Option<Rational> {
        let from = loop_start(self.witness.finish)?;
        let mut delays = self.witness.run.steps[from..].iter().map(|step| step.delay);
        delays.try_fold(Rational::ZERO, Rational::checked_add)
    }

    /// Whether the two runs are the same.
    #[must_use]
    pub fn is_same(&self, other: &Run) -> bool {
        self.witness.run == *other
    }

    #[must_use]
    pub fn run(&self) -> &Run {
        &self.witness.run
    }

    /// Passes each step to a function. Returns false if a limit or a stop request ended this early.
    pub fn for_each_step(&self, visit: &mut dyn FnMut(&TraceStep)) -> bool {
        let run = &self.witness.run;
        let mut time = Some(Rational::ZERO);
        let mut complete = true;
        let walked = walk(self.trace_builder.model, run, &mut |passed| {
            let ReplayEvent::Step { index, before, waited, after } = passed else { return };
            let step = &run.steps[index];
            time = time.and_then(|time| time.checked_add(step.delay));
            complete &= cancellation::work(STEP_WORDS);
            if complete {
                visit(&self.trace_builder.step(step, time, [before, waited, after]));
            }
        });
        complete && walked.is_ok()
    }

    /// The run with its steps.
    pub(crate) fn trace(&self) -> Trace {
        let mut trace = self.head();
        trace.steps.reserve(self.len());
        self.for_each_step(&mut |step| trace.steps.push(step.clone()));
        trace
    }
}

/// The approximate size of a step, in words of memory.
const STEP_WORDS: u32 = 1 << 10;

const fn loop_start(finish: Option<Finish>) -> Option<usize> {
    match finish {
        Some(Finish::Repeats { from } | Finish::Varies { from }) => Some(from),
        _ => None,
    }
}

/// Builds traces in the names of a model.
#[derive(Clone, Debug)]
pub(crate) struct TraceBuilder<'a> {
    model: &'a Model,
    sources: &'a SourceMap,
    processes: Vec<Arc<str>>,
    locations: Vec<IdVec<LocationId, Arc<str>>>,
    /// The variables that are part of states: the cell, and its name.
    cells: Vec<(usize, Arc<str>)>,
    clocks: Vec<Arc<str>>,
}

impl<'a> TraceBuilder<'a> {
    pub(crate) fn new(model: &'a Model, sources: &'a SourceMap) -> Self {
        let name = |name: &String| Arc::from(name.as_str());
        Self {
            model,
            sources,
            processes: model.processes.iter().map(|process| name(&process.name)).collect(),
            locations: model
                .processes
                .iter()
                .map(|process| process.locations.iter().map(|location| name(&location.name)).collect())
                .collect(),
            cells: model
                .cells
                .iter()
                .enumerate()
                .filter(|(_, cell)| cell.kind == CellKind::State)
                .map(|(index, cell)| (index, name(&cell.name)))
                .collect(),
            clocks: model.clocks.iter().map(|clock| name(&clock.name)).collect(),
        }
    }

    pub(crate) fn tell(&self, purpose: Purpose, witness: &Witness) -> Trace {
        RunView { trace_builder: self, purpose, witness }.trace()
    }

    /// The changes of a step of a run.
    fn step(&self, step: &RunStep, time: Option<Rational>, passed: [&ConcreteState; 3]) -> TraceStep {
        let [before, waited, after] = passed;
        let differ = |process: &usize| before.locations[*process] != after.locations[*process];
        let set = |clock: &usize| before.clocks[*clock].checked_add(step.delay) != Some(after.clocks[*clock]);
        TraceStep {
            delay: step.delay,
            time,
            edges: step.action.iter().map(|fired| self.edge(fired, waited)).collect(),
            after: self.state(after, Some(waited)),
            moved: (0..after.locations.len()).filter(differ).collect(),
            set_clocks: (0..after.clocks.len()).filter(set).collect(),
        }
    }

    /// A state, with the variables that changed since `before`.
    pub(crate) fn state(&self, state: &ConcreteState, before: Option<&ConcreteState>) -> TraceState {
        let changed = self.changed(state, before);
        TraceState {
            locations: state
                .locations
                .iter()
                .enumerate()
                .map(|(process, &location)| {
                    (self.processes[process].clone(), self.locations[process][location].clone())
                })
                .collect(),
            location_indices: state.locations.iter().map(|location| location.index()).collect(),
            variables: changed
                .iter()
                .map(|&variable| {
                    let (cell, name) = &self.cells[variable];
                    (name.clone(), state.cells[*cell])
                })
                .collect(),
            variable_indices: changed,
            clocks: self.clocks.iter().cloned().zip(state.clocks.iter().copied()).collect(),
        }
    }

    /// The indices of the variables that changed since `before`.
    pub(crate) fn changed(&self, state: &ConcreteState, before: Option<&ConcreteState>) -> Vec<usize> {
        let differs =
            |&(cell, _): &(usize, Arc<str>)| before.is_none_or(|b| b.cells[cell] != state.cells[cell]);
        let variables = self.cells.iter().enumerate().filter(|(_, cell)| differs(cell));
        variables.map(|(variable, _)| variable).collect()
    }

    /// The values of all variables.
    pub(crate) fn variables(&self, state: &ConcreteState) -> Vec<i32> {
        self.cells.iter().map(|&(cell, _)| state.cells[cell]).collect()
    }

    /// The value of a variable, by index.
    pub(crate) fn variable(&self, state: &ConcreteState, variable: usize) -> i32 {
        state.cells[self.cells[variable].0]
    }

    pub(crate) fn edge(&self, fired: &Fired, before: &ConcreteState) -> TakenEdge {
        let edge = &self.model.processes[fired.process].edges[fired.edge];
        let selects = edge.selects.iter().zip(&fired.selects);
        TakenEdge {
            process: self.processes[fired.process.index()].clone(),
            process_index: fired.process.index(),
            index: fired.edge,
            source: self.location(fired.process, edge.source),
            target: self.location(fired.process, edge.target),
            sync: self.sync(edge, fired, before),
            selects: selects.map(|(select, &value)| (select.name.clone(), value)).collect(),
            place: source_place(self.sources, edge.span),
        }
    }

    /// The source position of a span.
    pub(crate) fn place(&self, span: Span) -> SourcePlace {
        source_place(self.sources, span)
    }

    fn location(&self, process: ProcessId, location: LocationId) -> Arc<str> {
        self.locations[process.index()][location].clone()
    }

    fn sync(&self, edge: &Edge, fired: &Fired, before: &ConcreteState) -> Option<Sync> {
        let (name, direction) = match &edge.action {
            Action::Internal => return None,
            Action::Event(event) => (self.model.events[*event].name.clone(), Direction::Event),
            Action::Send(place) => (self.channel(place, edge, fired, before), Direction::Send),
            Action::Receive(place) => (self.channel(place, edge, fired, before), Direction::Receive),
        };
        Some(Sync { name, direction })
    }

    /// The name of the channel in a state. If its index cannot be evaluated, which prevents a replay, the name is that
    /// of the source text.
    fn channel(&self, place: &ChannelPlace, edge: &Edge, fired: &Fired, before: &ConcreteState) -> String {
        let named = self.channel_index(place, edge, fired, before).and_then(|index| {
            self.model.channels.get(tourbillon_model::ChannelId::from_index(index)).map(|c| c.name.clone())
        });
        named.unwrap_or_else(|| self.model.action_text(edge).trim_end_matches(['!', '?']).to_owned())
    }

    fn channel_index(
        &self,
        place: &ChannelPlace,
        edge: &Edge,
        fired: &Fired,
        before: &ConcreteState,
    ) -> Option<usize> {
        let mut sum = place.first.index();
        if place.indices.is_empty() {
            return Some(sum);
        }
        let mut cells = before.cells.clone();
        let mut frame = Frame::new(edge.frame);
        for (select, &value) in edge.selects.iter().zip(&fired.selects) {
            frame.locals[select.local as usize] = value;
        }
        for step in &place.indices {
            let mut evaluator =
                Evaluator { model: self.model, cells: &mut cells, environment: &mut (), fuel: INDEX_FUEL };
            let index = evaluator.value(step.index, &mut frame).ok()?;
            sum += usize::try_from(i64::from(index) - i64::from(step.range.min)).ok()? * step.stride as usize;
        }
        Some(sum)
    }
}

/// The maximum number of operations of a channel index.
const INDEX_FUEL: u64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_where_they_can_be() {
        let text = |numerator, denominator| decimal(Rational::new(numerator, denominator).unwrap());
        assert_eq!(text(3, 1), "3");
        assert_eq!(text(3, 2), "1.5");
        assert_eq!(text(-1, 16), "-0.0625");
        assert_eq!(text(1, 3), "0.333333");
        assert_eq!(text(-2, 3), "-0.666667");
        assert_eq!(text(1, 40_000_000), "0.000000025");
        assert_eq!(text(i64::MAX, 11), "838488366986797800.636364");
        assert_eq!(text(-1, 3_000_000_007), "0.000000");
    }
}
