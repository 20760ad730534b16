//! Simulation of single states.
//!
//! Every state is computed by the second evaluator (`replay`), and so are the delays after which a step can be taken:
//! a step that is offered is legal, and the run so far is one that a replay accepts. What can happen from a state on is
//! computed once, when it is first asked for.

use std::cell::OnceCell;

use tourbillon_base::{Diagnostic, Diagnostics, Random, Rational};
use tourbillon_check::{ConcreteState, Fired, Run, RunStep, Witness};
use tourbillon_model::Model;
use tourbillon_replay::{Delays, Outlook, Semantics, Violation};

use super::situation::{Choice, Move, Situation, Stuck};
use super::{Impossible, Mode, When, delays};
use crate::check::Trouble;
use crate::codes;
use crate::trace::{Purpose, Teller, Trace};

/// A simulation of single states.
#[derive(Debug)]
pub(super) struct Concrete<'a> {
    semantics: Semantics<'a>,
    teller: Teller<'a>,
    initial: ConcreteState,
    moves: Vec<ConcreteMove>,
    /// How many of them lie behind.
    now: usize,
    /// What can happen from the present state on, if that is known.
    outlook: OnceCell<Result<Outlook, Violation>>,
}

/// A delay, and the edges taken after it, if any.
#[derive(Clone, Debug)]
pub(super) struct ConcreteMove {
    delay: Rational,
    pub(super) action: Vec<Fired>,
    /// The state after the delay.
    pub(super) waited: ConcreteState,
    after: ConcreteState,
    /// How much time has passed since the start.
    time: Rational,
}

impl<'a> Concrete<'a> {
    /// At the initial state.
    pub(super) fn new(model: &'a Model, teller: Teller<'a>) -> Result<Self, Trouble> {
        let semantics = Semantics::new(model);
        let initial = semantics.initial().map_err(|violation| no_start(model, &violation))?;
        Ok(Self { semantics, teller, initial, moves: Vec::new(), now: 0, outlook: OnceCell::new() })
    }

    pub(super) fn model(&self) -> &'a Model {
        self.semantics.model()
    }

    pub(super) fn teller(&self) -> &Teller<'a> {
        &self.teller
    }

    /// What lies behind.
    pub(super) fn past(&self) -> &[ConcreteMove] {
        &self.moves[..self.now]
    }

    pub(super) fn position(&self) -> (usize, usize) {
        (self.now, self.moves.len())
    }

    fn state(&self) -> &ConcreteState {
        self.past().last().map_or(&self.initial, |last| &last.after)
    }

    fn time(&self) -> Rational {
        self.past().last().map_or(Rational::ZERO, |last| last.time)
    }

    fn outlook(&self) -> &Result<Outlook, Violation> {
        self.outlook.get_or_init(|| self.semantics.outlook(self.state()))
    }

    pub(super) fn situation(&self) -> Situation {
        let state = self.state();
        let told = |choice: &tourbillon_replay::Chance| Choice {
            edges: choice.action.iter().map(|fired| self.teller.edge(fired, state)).collect(),
            delays: choice.when.clone(),
            zone: None,
        };
        let (choices, patience, failure) = match self.outlook() {
            Ok(Outlook { chances, patience, failure }) => {
                let failure =
                    failure.as_ref().map(|(when, error)| failure_text(when, &error.kind.to_string()));
                (chances.iter().map(told).collect(), Some(*patience), failure)
            }
            Err(violation) => (Vec::new(), None, Some(violation.explain(self.model()))),
        };
        let (step, steps) = self.position();
        Situation {
            mode: Mode::Concrete,
            step,
            steps,
            time: Some(self.time()),
            state: self.teller.state(state, None),
            zone: None,
            stuck: stuck(&choices, patience, failure.as_ref()),
            choices,
            patience,
            failure,
        }
    }

    pub(super) fn last(&self) -> Option<Move> {
        let last = self.past().last()?;
        Some(Move {
            delay: Some(last.delay),
            edges: last.action.iter().map(|fired| self.teller.edge(fired, &last.waited)).collect(),
            changed: self.teller.state(&last.after, Some(&last.waited)).variables,
        })
    }

    pub(super) fn step(&mut self, choice: usize, when: When) -> Result<(), Impossible> {
        let chances = match self.outlook() {
            Ok(outlook) => &outlook.chances,
            Err(violation) => return Err(self.impossible(violation)),
        };
        let chance = chances.get(choice).ok_or_else(|| no_choice(choice, chances.len()))?;
        let delay = match when {
            When::Earliest => delays::earliest(&chance.when, self.time()),
            When::After(delay) => Some(delay),
            When::At(moment) => moment.checked_sub(self.time()),
        };
        let delay = delay.ok_or_else(|| self.impossible(&Violation::TooPrecise))?;
        let action = chance.action.clone();
        if !chance.when.iter().any(|possible| possible.contains(delay)) {
            let possible: Vec<String> = chance.when.iter().map(ToString::to_string).collect();
            let why = format!("it cannot be taken after {delay}, but after {}", possible.join(" or "));
            return Err(Impossible::new(why));
        }
        self.go(delay, action)
    }

    pub(super) fn wait(&mut self, delay: Rational) -> Result<(), Impossible> {
        self.go(delay, Vec::new())
    }

    pub(super) fn random(&mut self, random: &mut Random) -> Result<bool, Impossible> {
        let chances = match self.outlook() {
            Ok(outlook) => &outlook.chances,
            Err(violation) => return Err(self.impossible(violation)),
        };
        let Some(chance) = random.pick(chances) else { return Ok(false) };
        let delay = delays::any(&chance.when, self.time(), random);
        let delay = delay.ok_or_else(|| self.impossible(&Violation::TooPrecise))?;
        let action = chance.action.clone();
        self.go(delay, action)?;
        Ok(true)
    }

    pub(super) fn goto(&mut self, position: usize) {
        self.now = position.min(self.moves.len());
        self.outlook = OnceCell::new();
    }

    pub(super) fn restart(&mut self) {
        self.moves.clear();
        self.goto(0);
    }

    /// Goes through a run, as far as it is legal.
    pub(super) fn load(&mut self, run: &Run) -> Result<(), Impossible> {
        self.restart();
        for (index, RunStep { delay, action }) in run.steps.iter().enumerate() {
            if action.is_empty() {
                return Err(Impossible::new(format!("step {} takes no edge", index + 1)));
            }
            self.go(*delay, action.clone())
                .map_err(|error| Impossible::new(format!("at step {}: {error}", index + 1)))?;
        }
        if run.last_delay != Rational::ZERO {
            self.wait(run.last_delay).map_err(|error| Impossible::new(format!("at the end: {error}")))?;
        }
        Ok(())
    }

    /// Lets time pass and takes edges, if there are any; what lay ahead is forgotten.
    fn go(&mut self, delay: Rational, action: Vec<Fired>) -> Result<(), Impossible> {
        let moved = self.moved(delay, action).map_err(|violation| self.impossible(&violation))?;
        self.moves.truncate(self.now);
        self.moves.push(moved);
        self.goto(self.now + 1);
        Ok(())
    }

    fn moved(&self, delay: Rational, action: Vec<Fired>) -> Result<ConcreteMove, Violation> {
        let time = self.time().checked_add(delay).ok_or(Violation::TooPrecise)?;
        let waited = self.semantics.delay(self.state(), delay)?;
        let after = if action.is_empty() { waited.clone() } else { self.semantics.act(&waited, &action)? };
        Ok(ConcreteMove { delay, action, waited, after, time })
    }

    fn impossible(&self, violation: &Violation) -> Impossible {
        Impossible::new(violation.explain(self.model()))
    }

    /// The run so far, and the states it passes; delays in a row are one.
    pub(super) fn witness(&self) -> Witness {
        let mut run = Run { steps: Vec::new(), last_delay: Rational::ZERO };
        let mut states = vec![self.initial.clone()];
        for ConcreteMove { delay, action, waited, after, .. } in self.past() {
            let sum = run.last_delay.checked_add(*delay);
            run.last_delay = sum.expect("no more than the time since the start, which fits");
            if !action.is_empty() {
                run.steps.push(RunStep { delay: run.last_delay, action: action.clone() });
                run.last_delay = Rational::ZERO;
                states.extend([waited.clone(), after.clone()]);
            }
        }
        states.push(self.state().clone());
        Witness { run, states, finish: None, since: None }
    }

    pub(super) fn trace(&self, witness: &Witness) -> Trace {
        self.teller.tell(Purpose::Witness, witness)
    }
}

pub(super) fn no_choice(choice: usize, count: usize) -> Impossible {
    Impossible::new(match count {
        0 => "no step can be taken".to_owned(),
        1 => format!("there is no step {}, only 1", choice + 1),
        _ => format!("there is no step {}, only 1 to {count}", choice + 1),
    })
}

fn stuck(choices: &[Choice], patience: Option<Delays>, failure: Option<&String>) -> Option<Stuck> {
    if !choices.is_empty() || failure.is_some() {
        return None;
    }
    Some(if patience.is_some_and(|patience| patience.to.is_none()) {
        Stuck::Deadlock
    } else {
        Stuck::TimeLock
    })
}

fn failure_text(when: &Delays, what: &str) -> String {
    if when.contains(Rational::ZERO) {
        format!("the model goes wrong here: {what}")
    } else {
        format!("the model goes wrong after a delay in {when}: {what}")
    }
}

/// That there is no state to begin with, at its place.
fn no_start(model: &Model, violation: &Violation) -> Trouble {
    let mut diagnostics = Diagnostics::default();
    let told = match violation {
        Violation::Invariant(process, location) => {
            let process = &model.processes[*process];
            let location = &process.locations[*location];
            let message = format!(
                "`{}` begins at `{}`, whose invariant does not hold then: there is nothing to simulate",
                process.name, location.name
            );
            Diagnostic::error(codes::NO_INITIAL_STATE, location.span, message)
        }
        Violation::Error(error) => {
            let message = format!("the model fails here at run time: {}", error.kind);
            Diagnostic::error(codes::run_time(error.kind), error.span, message)
        }
        other => return Trouble::Request(other.explain(model)),
    };
    diagnostics.push(told);
    Trouble::Model(diagnostics)
}
