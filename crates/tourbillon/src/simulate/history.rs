//! All moves of a simulation, and their changes.
//!
//! A trace joins consecutive delays and ends at the current state. Here each move is separate, and undone moves are
//! included, so that the position of a simulation is an index into its history.
//!
//! The clocks that a step sets are determined by evaluating its updates with the plain interpreter and recording
//! assignments: a clock that is set to its current value counts too.

use tourbillon_base::{Id, Rational};
use tourbillon_check::{ConcreteState, Finish, Fired};
use tourbillon_model::{
    ClockId, Compare, Environment, Evaluator, ExprId, Frame, LocationId, Model, ProcessId,
};

use super::{Simulation, Symbolic};
use crate::trace::{TakenEdge, TraceBuilder, TraceState};

/// All moves of a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// The initial state, with all variables.
    pub initial: TraceState,
    pub moves: Vec<HistoryMove>,
    /// The number of moves before the repeated part, if a loaded run has one.
    pub repeats_from: Option<usize>,
    /// Why there are no times: no delays were found for a symbolic simulation.
    pub untimed: Option<String>,
}

/// A move of a simulation. All indices are those of the [`network`](crate::network()).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryMove {
    /// The delay before the edges.
    pub delay: Option<Rational>,
    /// The time since the start when the edges are taken; `None` if it does not fit.
    pub time: Option<Rational>,
    /// The edges of the transition, the sender's first; empty for a delay.
    pub edges: Vec<TakenEdge>,
    /// The processes that took an edge, each with its new location.
    pub moved: Vec<(usize, usize)>,
    /// The variables that changed, each with its new value.
    pub set: Vec<(usize, i32)>,
}

impl Simulation<'_> {
    /// All moves, including undone ones. For a symbolic simulation, with possible delays if there are any.
    #[must_use]
    pub fn history(&self) -> History {
        match &self.symbolic {
            Some(symbolic) => self.symbolic_history(symbolic),
            None => self.concrete_history(),
        }
    }

    fn concrete_history(&self) -> History {
        let trace_builder = self.concrete.trace_builder();
        let (initial, moves) = self.concrete.moves();
        let told = moves.iter().map(|taken| HistoryMove {
            delay: Some(taken.delay),
            time: Some(taken.time),
            ..between(trace_builder, &taken.waited, &taken.action, &taken.after)
        });
        // A loaded run has one move for each of its steps.
        let repeats_from = self.concrete.ending().and_then(|ending| match ending.finish {
            Finish::Repeats { from } | Finish::Varies { from } => Some(from),
            _ => None,
        });
        History {
            initial: trace_builder.state(initial, None),
            moves: told.collect(),
            repeats_from,
            untimed: None,
        }
    }

    fn symbolic_history(&self, symbolic: &Symbolic<'_>) -> History {
        let trace_builder = self.concrete.trace_builder();
        let (initial, _) = self.concrete.moves();
        let mut before = initial.clone();
        let mut moves = Vec::new();
        for (action, after) in symbolic.steps_taken() {
            moves.push(between(trace_builder, &before, action, &after));
            before = after;
        }
        let untimed = match symbolic.timed_all() {
            Ok(witness) => {
                let mut time = Some(Rational::ZERO);
                for (told, step) in moves.iter_mut().zip(&witness.run.steps) {
                    time = time.and_then(|time| time.checked_add(step.delay));
                    (told.delay, told.time) = (Some(step.delay), time);
                }
                None
            }
            Err(impossible) => Some(impossible.why.clone()),
        };
        History { initial: trace_builder.state(initial, None), moves, repeats_from: None, untimed }
    }
}

/// The changes of a step, without times.
fn between(
    trace_builder: &TraceBuilder<'_>,
    before: &ConcreteState,
    action: &[Fired],
    after: &ConcreteState,
) -> HistoryMove {
    let location = |process: ProcessId| after.locations[process.index()].index();
    let changed = trace_builder.changed(after, Some(before));
    HistoryMove {
        delay: None,
        time: None,
        edges: action.iter().map(|fired| trace_builder.edge(fired, before)).collect(),
        moved: action.iter().map(|fired| (fired.process.index(), location(fired.process))).collect(),
        set: changed
            .into_iter()
            .map(|variable| (variable, trace_builder.variable(after, variable)))
            .collect(),
    }
}

/// The maximum number of operations of the updates of a step.
const FUEL: u64 = 1_000_000;

/// The clocks that a step sets, by index, in order.
pub(super) fn clocks_set(model: &Model, before: &ConcreteState, action: &[Fired]) -> Vec<usize> {
    let mut environment = ResetRecorder { locations: &before.locations, set: Vec::new() };
    let mut cells = before.cells.clone();
    let mut run = |updates: &[ExprId], frame: &mut Frame| {
        for &update in updates {
            let mut evaluator =
                Evaluator { model, cells: &mut cells, environment: &mut environment, fuel: FUEL };
            // Errors here occurred in the step itself and were reported there.
            if evaluator.value(update, frame).is_err() {
                return;
            }
        }
    };
    if !action.is_empty() {
        run(&model.before_update, &mut Frame::new(model.update_frame));
    }
    for fired in action {
        let edge = &model.processes[fired.process].edges[fired.edge];
        let mut frame = Frame::new(edge.frame);
        for (select, &value) in edge.selects.iter().zip(&fired.selects) {
            frame.locals[select.local as usize] = value;
        }
        run(&edge.updates, &mut frame);
    }
    if !action.is_empty() {
        run(&model.after_update, &mut Frame::new(model.update_frame));
    }
    environment.set.sort_unstable();
    environment.set.dedup();
    environment.set
}

/// Records assignments to clocks. Clock values are not available.
struct ResetRecorder<'a> {
    locations: &'a [LocationId],
    set: Vec<usize>,
}

impl Environment for ResetRecorder<'_> {
    fn at_location(&self, process: ProcessId, location: LocationId) -> Option<bool> {
        Some(self.locations[process.index()] == location)
    }

    fn compares(&self, _: ClockId, _: Option<ClockId>, _: Compare, _: i32) -> Option<bool> {
        None
    }

    fn set_clock(&mut self, target: ClockId, _: Option<ClockId>, _: i32) -> bool {
        self.set.push(target.index());
        true
    }
}
