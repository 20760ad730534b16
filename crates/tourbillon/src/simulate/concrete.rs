//! Concrete simulation.
//!
//! `replay` computes all states and the possible delays of each step. So each listed step is legal, and a replay
//! accepts the run so far. The enabled steps of a state are computed on first use.

use std::cell::OnceCell;

use tourbillon_base::{Diagnostic, Diagnostics, Random, Rational};
use tourbillon_check::{ConcreteState, Fired, Run, RunStep, Witness};
use tourbillon_model::Model;
use tourbillon_replay::{Delays, EnabledSteps, Failure, Semantics, Violation};

use super::history::clocks_set;
use super::state::{Choice, DeadlockKind, FailingStep, Move, SimulationState};
use super::{Bounds, Ending, Mode, SimulationError, When, delays};
use crate::check::CheckError;
use crate::codes;
use crate::trace::{Purpose, Trace, TraceBuilder};

/// A simulation of concrete states.
#[derive(Debug)]
pub(super) struct Concrete<'a> {
    semantics: Semantics<'a>,
    trace_builder: TraceBuilder<'a>,
    initial: ConcreteState,
    moves: Vec<ConcreteMove>,
    /// The number of moves before the current state.
    now: usize,
    bounds: Bounds,
    /// The end of a loaded run, if it has one.
    ending: Option<Ending>,
    /// The enabled steps of the current state, once they are computed.
    enabled_steps: OnceCell<Result<EnabledSteps, Violation>>,
}

/// A delay, and the edges taken after it, if any.
#[derive(Clone, Debug)]
pub(super) struct ConcreteMove {
    pub(super) delay: Rational,
    pub(super) action: Vec<Fired>,
    /// The state after the delay.
    pub(super) waited: ConcreteState,
    pub(super) after: ConcreteState,
    /// The time since the start.
    pub(super) time: Rational,
    /// The index among the enabled steps, once it is known; a delay without edges has none.
    number: OnceCell<usize>,
}

impl<'a> Concrete<'a> {
    /// At the initial state.
    pub(super) fn new(model: &'a Model, trace_builder: TraceBuilder<'a>) -> Result<Self, CheckError> {
        let semantics = Semantics::new(model);
        let initial = semantics.initial().map_err(|violation| no_initial_state(model, &violation))?;
        Ok(Self {
            semantics,
            trace_builder,
            initial,
            moves: Vec::new(),
            now: 0,
            bounds: Bounds::default(),
            ending: None,
            enabled_steps: OnceCell::new(),
        })
    }

    pub(super) fn model(&self) -> &'a Model {
        self.semantics.model()
    }

    pub(super) fn trace_builder(&self) -> &TraceBuilder<'a> {
        &self.trace_builder
    }

    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    pub(super) fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    /// All moves, including undone ones, and the initial state.
    pub(super) fn moves(&self) -> (&ConcreteState, &[ConcreteMove]) {
        (&self.initial, &self.moves)
    }

    /// The end of a loaded run, if it has one.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub(super) fn past(&self) -> &[ConcreteMove] {
        &self.moves[..self.now]
    }

    pub(super) fn position(&self) -> (usize, usize) {
        (self.now, self.moves.len())
    }

    pub(super) fn state(&self) -> &ConcreteState {
        self.past().last().map_or(&self.initial, |last| &last.after)
    }

    /// The clocks that run from here on; `None` if this cannot be computed.
    pub(super) fn running(&self) -> Option<Vec<bool>> {
        self.semantics.running(self.state()).ok()
    }

    fn time(&self) -> Rational {
        self.past().last().map_or(Rational::ZERO, |last| last.time)
    }

    fn enabled_steps(&self) -> &Result<EnabledSteps, Violation> {
        self.enabled_steps.get_or_init(|| self.semantics.enabled_steps(self.state()))
    }

    pub(super) fn current_state(&self) -> SimulationState {
        let state = self.state();
        let told = |choice: &tourbillon_replay::EnabledStep| Choice {
            edges: choice.action.iter().map(|fired| self.trace_builder.edge(fired, state)).collect(),
            delays: choice.when.clone(),
            zone: None,
            constraints: Vec::new(),
        };
        let (choices, patience, failures) = match self.enabled_steps() {
            Ok(EnabledSteps { steps, patience, failures }) => {
                let failures = failures.iter().map(|failure| self.failing(failure)).collect();
                (steps.iter().map(told).collect(), Some(*patience), failures)
            }
            Err(violation) => (Vec::new(), None, vec![self.blind(violation)]),
        };
        let (step, steps) = self.position();
        SimulationState {
            mode: Mode::Concrete,
            step,
            steps,
            time: Some(self.time()),
            state: self.trace_builder.state(state, None),
            zone: None,
            constraints: Vec::new(),
            stuck: stuck(&choices, patience, &failures),
            choices,
            patience,
            failures,
        }
    }

    fn failing(&self, failure: &Failure) -> FailingStep {
        let edges = failure.action.iter().map(|fired| self.trace_builder.edge(fired, self.state()));
        FailingStep {
            edges: edges.collect(),
            delays: failure.when.clone(),
            what: failure.error.kind.explain(self.model()),
            place: Some(self.trace_builder.place(failure.error.span)),
        }
    }

    /// The failure to compute the enabled steps.
    fn blind(&self, violation: &Violation) -> FailingStep {
        let (what, place) = match violation {
            Violation::Error(error) => {
                (error.kind.explain(self.model()), Some(self.trace_builder.place(error.span)))
            }
            other => (other.explain(self.model()), None),
        };
        FailingStep { edges: Vec::new(), delays: Vec::new(), what, place }
    }

    pub(super) fn last(&self) -> Option<Move> {
        let last = self.past().last()?;
        let after = self.trace_builder.state(&last.after, Some(&last.waited));
        Some(Move {
            delay: Some(last.delay),
            edges: last.action.iter().map(|fired| self.trace_builder.edge(fired, &last.waited)).collect(),
            changed: after.variables,
            changed_indices: after.variable_indices,
            clocks_set: clocks_set(self.model(), &last.waited, &last.action),
        })
    }

    pub(super) fn step(&mut self, choice: usize, when: When) -> Result<(), SimulationError> {
        let steps = match self.enabled_steps() {
            Ok(enabled_steps) => &enabled_steps.steps,
            Err(violation) => return Err(self.impossible(violation)),
        };
        let chance = steps.get(choice).ok_or_else(|| no_choice(choice, steps.len()))?;
        let delay = match when {
            When::Earliest => delays::earliest(&chance.when, self.time()),
            When::After(delay) => Some(delay),
            When::At(moment) => moment.checked_sub(self.time()),
        };
        let delay = delay.ok_or_else(|| self.impossible(&Violation::TooPrecise))?;
        let action = chance.action.clone();
        if !chance.when.iter().any(|possible| possible.contains(delay)) {
            let possible: Vec<String> = chance.when.iter().map(ToString::to_string).collect();
            let why = format!(
                "the step cannot be taken after a delay of {delay}; possible delays are {}",
                possible.join(" or ")
            );
            return Err(SimulationError::new(why));
        }
        self.go(delay, action, Some(choice))
    }

    pub(super) fn wait(&mut self, delay: Rational) -> Result<(), SimulationError> {
        self.go(delay, Vec::new(), None).map_err(|SimulationError { why }| match self.enabled_steps() {
            Ok(EnabledSteps { patience, .. }) if patience.to == Some(patience.from) => {
                SimulationError { why }
            }
            Ok(EnabledSteps { patience, .. }) => {
                SimulationError::new(format!("{why}; a delay in {patience} is possible"))
            }
            Err(_) => SimulationError { why },
        })
    }

    pub(super) fn random(&mut self, random: &mut Random) -> Result<bool, SimulationError> {
        let steps = match self.enabled_steps() {
            Ok(enabled_steps) => &enabled_steps.steps,
            Err(violation) => return Err(self.impossible(violation)),
        };
        let choice = random.below(steps.len());
        let Some(chance) = steps.get(choice) else { return Ok(false) };
        let delay = delays::any(&chance.when, self.time(), random);
        let delay = delay.ok_or_else(|| self.impossible(&Violation::TooPrecise))?;
        let action = chance.action.clone();
        self.go(delay, action, Some(choice))?;
        Ok(true)
    }

    pub(super) fn goto(&mut self, position: usize) {
        self.now = position.min(self.moves.len());
        self.enabled_steps = OnceCell::new();
    }

    pub(super) fn restart(&mut self) {
        self.moves.clear();
        self.ending = None;
        self.goto(0);
    }

    /// Executes a run as far as it is legal, and checks its end.
    pub(super) fn load(&mut self, run: &Run, ending: Option<Ending>) -> Result<(), SimulationError> {
        self.restart();
        for (index, RunStep { delay, action }) in run.steps.iter().enumerate() {
            if action.is_empty() {
                return Err(SimulationError::new(format!("step {} takes no edge", index + 1)));
            }
            self.go(*delay, action.clone(), None)
                .map_err(|error| SimulationError::new(format!("at step {}: {error}", index + 1)))?;
        }
        if run.last_delay != Rational::ZERO {
            self.wait(run.last_delay)
                .map_err(|error| SimulationError::new(format!("at the end: {error}")))?;
        }
        if let Some(ending) = ending {
            let enabled_steps =
                self.enabled_steps().as_ref().map_err(|violation| self.impossible(violation))?;
            ending.check(self.model(), run, enabled_steps)?;
        }
        self.ending = ending;
        Ok(())
    }

    /// Delays, then takes edges, if there are any, with their index among the enabled steps if it is known. Undone
    /// moves are dropped.
    fn go(
        &mut self,
        delay: Rational,
        action: Vec<Fired>,
        number: Option<usize>,
    ) -> Result<(), SimulationError> {
        self.bounds.allow(self.now)?;
        let moved = self.moved(delay, &action).map_err(|violation| match violation {
            Violation::Error(error) => {
                let failure = Failure { action, error, when: Vec::new() };
                SimulationError::new(self.failing(&failure).to_string())
            }
            other => self.impossible(&other),
        })?;
        self.moves.truncate(self.now);
        self.ending = None;
        self.moves.push(ConcreteMove { number: number.map_or_else(OnceCell::new, OnceCell::from), ..moved });
        self.goto(self.now + 1);
        Ok(())
    }

    fn moved(&self, delay: Rational, action: &[Fired]) -> Result<ConcreteMove, Violation> {
        let time = self.time().checked_add(delay).ok_or(Violation::TooPrecise)?;
        let waited = self.semantics.delay(self.state(), delay)?;
        let after = if action.is_empty() { waited.clone() } else { self.semantics.act(&waited, action)? };
        Ok(ConcreteMove { delay, action: action.to_vec(), waited, after, time, number: OnceCell::new() })
    }

    fn impossible(&self, violation: &Violation) -> SimulationError {
        SimulationError::new(violation.explain(self.model()))
    }

    /// For each move so far, the index of its step; `None` for delays. The index of a chosen step is stored; that of a
    /// loaded step is searched for once.
    pub(super) fn numbers(&self) -> Result<Vec<Option<usize>>, SimulationError> {
        let before = std::iter::once(&self.initial).chain(self.moves.iter().map(|taken| &taken.after));
        let number = |(state, taken): (&ConcreteState, &ConcreteMove)| {
            if taken.action.is_empty() {
                return Ok(None);
            }
            if let Some(&known) = taken.number.get() {
                return Ok(Some(known));
            }
            self.bounds.go_on()?;
            let enabled_steps =
                self.semantics.enabled_steps(state).map_err(|violation| self.impossible(&violation))?;
            let number = enabled_steps.steps.iter().position(|chance| chance.action == taken.action);
            let number = number.ok_or_else(|| SimulationError::new("the step is not enabled"))?;
            Ok(Some(*taken.number.get_or_init(|| number)))
        };
        before.zip(self.past()).map(number).collect()
    }

    /// The run so far, and its last state; consecutive delays are joined.
    pub(super) fn witness(&self) -> Witness {
        let mut run = Run { steps: Vec::new(), last_delay: Rational::ZERO };
        for ConcreteMove { delay, action, .. } in self.past() {
            let sum = run.last_delay.checked_add(*delay);
            run.last_delay = sum.expect("no more than the time since the start, which fits");
            if !action.is_empty() {
                run.steps.push(RunStep { delay: run.last_delay, action: action.clone() });
                run.last_delay = Rational::ZERO;
            }
        }
        let ending = self.ending.filter(|_| self.now == self.moves.len());
        let since = ending.and_then(|ending| ending.since_in(&run));
        Witness { run, last: self.state().clone(), finish: ending.map(|ending| ending.finish), since }
    }

    pub(super) fn trace(&self, witness: &Witness) -> Trace {
        self.trace_builder.tell(Purpose::Witness, witness)
    }
}

pub(super) fn no_choice(choice: usize, count: usize) -> SimulationError {
    SimulationError::new(match count {
        0 => "no step can be taken".to_owned(),
        1 => format!("there is no step {}; the only one is 1", choice + 1),
        _ => format!("there is no step {}; steps are numbered 1 to {count}", choice + 1),
    })
}

fn stuck(choices: &[Choice], patience: Option<Delays>, failures: &[FailingStep]) -> Option<DeadlockKind> {
    if !choices.is_empty() || !failures.is_empty() {
        return None;
    }
    Some(if patience.is_some_and(|patience| patience.to.is_none()) {
        DeadlockKind::Deadlock
    } else {
        DeadlockKind::Timelock
    })
}

/// The diagnostic of a model without an initial state.
fn no_initial_state(model: &Model, violation: &Violation) -> CheckError {
    let mut diagnostics = Diagnostics::default();
    let diagnostic = match violation {
        Violation::Invariant(process, location) => {
            let process = &model.processes[*process];
            let location = &process.locations[*location];
            let message = format!(
                "`{}` starts in `{}`, whose invariant does not hold initially: the model has no initial state",
                process.name, location.name
            );
            Diagnostic::error(codes::NO_INITIAL_STATE, location.span, message)
        }
        Violation::Error(error) => {
            let message = format!("the model fails here at run time: {}", error.kind.explain(model));
            let failure = Diagnostic::error(codes::run_time(error.kind), error.span, message);
            codes::remedy(error.kind).into_iter().fold(failure, Diagnostic::help)
        }
        other => return CheckError::Request(other.explain(model)),
    };
    diagnostics.push(diagnostic);
    CheckError::Model(diagnostics)
}
