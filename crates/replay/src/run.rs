//! States, actions and runs, and the replay of runs.
//!
//! A run alternates between delays and actions and ends with a delay, so that a state between two moments of
//! interest can be its last. [`replay`] trusts nothing in it: every delay and every action is checked against
//! [`Semantics`], and the states that it passes are computed, never taken over.

use tourbillon_base::{Id, Rational, SourceId, Span, cancellation};
use tourbillon_model::{EvalError, EvalErrorKind, LocationId, Model, ProcessId};

use crate::semantics::Semantics;
use crate::violation::Violation;

/// A state of the network at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConcreteState {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// What is in each cell of the model, constants included.
    pub cells: Vec<i32>,
    /// What each clock shows.
    pub clocks: Vec<Rational>,
}

/// An edge that a process takes in a step, with what was chosen for it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fired {
    pub process: ProcessId,
    /// The edge, by its place among the edges of the process.
    pub edge: usize,
    /// The values of its selections, in their order.
    pub selects: Vec<i32>,
}

/// A delay, and the action after it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RunStep {
    /// How much time passes.
    pub delay: Rational,
    /// The edges then taken: the sender's first and then those of the receivers in system order, or in the
    /// order of a synchronisation vector.
    pub action: Vec<Fired>,
}

/// What a network does from its initial state on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    pub steps: Vec<RunStep>,
    /// How much time passes after the last.
    pub last_delay: Rational,
}

/// Where in a run something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RunPosition {
    Start,
    /// During the delay of this step, counted from 0.
    Delay(usize),
    /// At the action of this step.
    Action(usize),
    /// During the delay after the last step.
    LastDelay,
}

/// What is wrong with a run, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    pub moment: RunPosition,
    pub violation: Violation,
}

impl ReplayError {
    /// What is wrong, in words and with the names of the model.
    #[must_use]
    pub fn explain(&self, model: &Model) -> String {
        let violation = self.violation.explain(model);
        match self.moment {
            RunPosition::Start => format!("at the start: {violation}"),
            RunPosition::Delay(step) => format!("in the delay of step {}: {violation}", step + 1),
            RunPosition::Action(step) => format!("at the action of step {}: {violation}", step + 1),
            RunPosition::LastDelay => format!("in the last delay: {violation}"),
        }
    }
}

/// Follows a run. The states are the initial one, those after each delay and each action, and that after the last
/// delay: `2 * steps + 2` in all.
///
/// # Errors
/// If the network cannot do that.
pub fn replay(model: &Model, run: &Run) -> Result<Vec<ConcreteState>, ReplayError> {
    let mut states = Vec::with_capacity(2 * run.steps.len() + 2);
    let last = walk(model, run, &mut |moment| match moment {
        ReplayEvent::Start(state) => states.push(state.clone()),
        ReplayEvent::Step { waited, after, .. } => states.extend([waited.clone(), after.clone()]),
    })?;
    states.push(last);
    Ok(states)
}

/// Follows a run, and gives the state that it ends in.
///
/// # Errors
/// As [`replay`].
pub fn replay_to_end(model: &Model, run: &Run) -> Result<ConcreteState, ReplayError> {
    walk(model, run, &mut |_| {})
}

/// The states that a replayed run passes through.
#[derive(Clone, Copy, Debug)]
pub enum ReplayEvent<'a> {
    Start(&'a ConcreteState),
    Step {
        /// Which one, counted from 0.
        index: usize,
        /// The state before its delay.
        before: &'a ConcreteState,
        /// The state after its delay.
        waited: &'a ConcreteState,
        /// The state after its action.
        after: &'a ConcreteState,
    },
}

/// About how many words a step takes to check.
const STEP_WORDS: u32 = 1 << 10;

/// Follows a run with two states at hand, and shows what it passes. Gives the state after the last delay.
///
/// # Errors
/// As [`replay`].
pub fn walk(
    model: &Model,
    run: &Run,
    visit: &mut dyn FnMut(ReplayEvent<'_>),
) -> Result<ConcreteState, ReplayError> {
    let semantics = Semantics::new(model);
    let at = |moment| move |violation| ReplayError { moment, violation };
    let mut before = semantics.initial().map_err(at(RunPosition::Start))?;
    visit(ReplayEvent::Start(&before));
    for (index, step) in run.steps.iter().enumerate() {
        if !cancellation::work(STEP_WORDS) {
            let edge = |fired: &Fired| model.processes.get(fired.process)?.edges.get(fired.edge);
            let taken = step.action.first().and_then(edge);
            let span = taken.map_or(Span::new(SourceId::from_index(0), 0, 0), |edge| edge.span);
            let cancelled = Violation::Error(EvalError { kind: EvalErrorKind::Cancelled, span });
            return Err(at(RunPosition::Action(index))(cancelled));
        }
        let waited = semantics.delay(&before, step.delay).map_err(at(RunPosition::Delay(index)))?;
        let after = semantics.act(&waited, &step.action).map_err(at(RunPosition::Action(index)))?;
        visit(ReplayEvent::Step { index, before: &before, waited: &waited, after: &after });
        before = after;
    }
    semantics.delay(&before, run.last_delay).map_err(at(RunPosition::LastDelay))
}
