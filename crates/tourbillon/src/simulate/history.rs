//! All steps of a simulation, and what each of them changed.
//!
//! A trace joins delays in a row and ends where the simulation is. Here each move is separate, those ahead
//! included that going back has left, so that the position of a simulation is one in its history.
//!
//! Which clocks a step sets is found out by evaluating its updates with the plain interpreter and noting what they
//! set: a clock that is set to what it shows is set, too.

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
    /// Where it begins, with all variables.
    pub initial: TraceState,
    pub moves: Vec<HistoryMove>,
    /// How many moves lie before the part that is repeated infinitely often, if a run was loaded that says so.
    pub repeats_from: Option<usize>,
    /// Why there are no times, if there are none: no delays were found for what was done in zones.
    pub untimed: Option<String>,
}

/// A move of a simulation. Everything is numbered from 0 as in the [`network`](crate::network()).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryMove {
    /// How much time passes first.
    pub delay: Option<Rational>,
    /// How much has passed since the start when the edges are taken; nothing if that does not fit.
    pub time: Option<Rational>,
    /// The edges that are taken together, the sender's first; none if only time passes.
    pub edges: Vec<TakenEdge>,
    /// Processes that took an edge, each with its new location.
    pub moved: Vec<(usize, usize)>,
    /// Variables that changed, each with its new value.
    pub set: Vec<(usize, i32)>,
}

impl Simulation<'_> {
    /// All moves, one by one, those ahead included. In zones, with delays that fit if there are any.
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
        // A run that was loaded has one move for each of its steps.
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

/// What a step does, without times.
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

/// How many operations the updates of a step may take here.
const FUEL: u64 = 1_000_000;

/// The clocks that a step sets, by number, in order.
pub(super) fn clocks_set(model: &Model, before: &ConcreteState, action: &[Fired]) -> Vec<usize> {
    let mut environment = ResetRecorder { locations: &before.locations, set: Vec::new() };
    let mut cells = before.cells.clone();
    let mut run = |updates: &[ExprId], frame: &mut Frame| {
        for &update in updates {
            let mut evaluator =
                Evaluator { model, cells: &mut cells, environment: &mut environment, fuel: FUEL };
            // What goes wrong here has gone wrong in the step itself, and was told there.
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

/// Notes which clocks are set. What they show is not known.
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
