//! The transitions from a state, and the delays after which each is possible.
//!
//! Clocks run at rate 1 or are stopped, so along a delay every comparison of clocks changes at one moment at most, and
//! which steps are possible is the same at all moments between two neighbouring changes. It is enough to look at each
//! such *turning point*, once between any two neighbours, and once after the last: what holds there is known
//! for all delays, exactly. The steps at a moment are those that [`Semantics::act`] accepts. A step that goes wrong is
//! set apart, and hides no other, unless it comes first by its priority or would have to take part.
//!
//! Turning points come in two rounds. Invariants and guards of the present locations give the first, and between two
//! of them the same steps are ready. Each of these leads to invariants of its own, and sets clocks to what must not be
//! negative, which may divide the time between further: the values of clocks are read off at two moments, and tell
//! whether they grow with the delay.
//!
//! Invariant: the delays of a chance are disjoint, in order, and as long as they can be. Cost: the steps are computed
//! once for each comparison of clocks that counts, and once between any two. Selections and receivers multiply, so the
//! steps examined are counted, and past a limit the rest is a failure.

use std::collections::HashMap;
use std::fmt;

use std::sync::Arc;

use tourbillon_base::{Id, Rational};
use tourbillon_model::{Edge, EvalError, EvalErrorKind, Frame, Multiplied};

use crate::delay::{midpoint, passed, running, turns_of};
use crate::evaluator::{StateEvaluator, difference};
use crate::joint::{FailingEdges, check, combinations_or_failing, count_selections, frame, selections};
use crate::run::{ConcreteState, Fired};
use crate::semantics::Semantics;
use crate::violation::Violation;

/// Delays between two ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Delays {
    pub from: Rational,
    /// Whether the lower end is one of them.
    pub from_included: bool,
    /// The upper end; none if there is no longest.
    pub to: Option<Rational>,
    /// Whether the upper end is one of them.
    pub to_included: bool,
}

impl Delays {
    #[must_use]
    pub const fn only(delay: Rational) -> Self {
        Self { from: delay, from_included: true, to: Some(delay), to_included: true }
    }

    /// Whether a delay is one of them.
    #[must_use]
    pub fn contains(&self, delay: Rational) -> bool {
        let above = delay > self.from || (self.from_included && delay == self.from);
        let below = |to| delay < to || (self.to_included && delay == to);
        above && self.to.is_none_or(below)
    }

    const fn between(from: Rational, to: Option<Rational>) -> Self {
        Self { from, from_included: false, to, to_included: false }
    }

    /// A delay among them, which is the lower end only if there is no other.
    fn inner(&self) -> Option<Rational> {
        match self.to {
            Some(to) => midpoint(self.from, to),
            None => self.from.checked_add(Rational::from_integer(1)),
        }
    }
}

impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.to == Some(self.from) {
            return write!(f, "{}", self.from);
        }
        let open = if self.from_included { '[' } else { '(' };
        match self.to {
            None => write!(f, "{open}{}, ∞)", self.from),
            Some(to) => write!(f, "{open}{}, {to}{}", self.from, if self.to_included { ']' } else { ')' }),
        }
    }
}

/// A transition that is possible now or after a delay.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnabledStep {
    pub action: Vec<Fired>,
    /// After which delays it can be taken.
    pub when: Vec<Delays>,
}

/// The transitions that are possible from a state, and how long time can pass without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnabledSteps {
    /// The steps that can be taken, in the order of their processes and edges.
    pub steps: Vec<EnabledStep>,
    /// How long time can pass without a transition.
    pub patience: Delays,
    /// How the model goes wrong.
    pub failures: Vec<Failure>,
}

/// A run-time error, now or after a delay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The edges that go wrong: of a step, or one whose guard does. None if it is an invariant, an urgent channel whose
    /// guards let no time pass, or that there are too many steps.
    pub action: Vec<Fired>,
    pub error: EvalError,
    pub when: Vec<Delays>,
}

/// How many steps are examined, over all moments: some seconds' worth.
const STEPS_MAX: usize = 500_000;

/// A step, with the first and the last moment of each stretch of moments at which it can be taken, or goes wrong.
struct StepMoments {
    action: Vec<Fired>,
    /// How it goes wrong, if it does.
    error: Option<EvalError>,
    stretches: Vec<(usize, usize)>,
}

/// The moments that were examined so far, and what was found.
#[derive(Default)]
struct MomentSearch {
    /// Each moment, or the delays between two.
    moments: Vec<Delays>,
    found: Vec<StepMoments>,
    /// Where each step stands among them, and whether as one that goes wrong: there may be a million.
    places: HashMap<(Vec<Fired>, bool), usize>,
    /// After which delays nothing more can be said, and why.
    broken: Option<(Delays, EvalError)>,
    /// How many steps were examined, and whether these were too many.
    work: usize,
    exhausted: Option<EvalError>,
}

/// What is legal at a moment, and what goes wrong.
struct LegalSteps {
    legal: Vec<Vec<Fired>>,
    failing: Vec<FailingEdges>,
}

impl Semantics<'_> {
    /// What can happen from a state on, with all delays after which it can.
    ///
    /// # Errors
    /// If the model goes wrong before any step is examined, or a time needs more than 64 bits over 64 bits.
    pub fn enabled_steps(&self, state: &ConcreteState) -> Result<EnabledSteps, Violation> {
        let mut stage = StateEvaluator::new(self, state);
        let running = running(&mut stage)?;
        let turns = turning_points(&mut stage, &running)?;
        let mut survey = MomentSearch::default();
        let mut last = Rational::ZERO;
        if survey.look(self, state, Delays::only(last))? {
            for turn in turns.into_iter().map(Some).chain([None]) {
                let gap = Delays::between(last, turn);
                let goes_on = self.look_within(state, &running, gap, &mut survey)?;
                let Some(turn) = turn.filter(|_| goes_on) else { break };
                if !survey.look(self, state, Delays::only(turn))? {
                    break;
                }
                last = turn;
            }
        }
        Ok(survey.enabled_steps())
    }

    /// Looks at the delays between two turning points; says whether so much time can pass.
    fn look_within(
        &self,
        state: &ConcreteState,
        running: &[bool],
        gap: Delays,
        survey: &mut MomentSearch,
    ) -> Result<bool, Violation> {
        if survey.wait(self, state, gap)?.is_none() {
            return Ok(false);
        }
        let mut last = gap.from;
        let turns = self.later_turning_points(state, running, gap, survey)?;
        for turn in turns.into_iter().map(Some).chain([None]) {
            if !survey.look(self, state, Delays::between(last, turn.or(gap.to)))? {
                return Ok(false);
            }
            let Some(turn) = turn else { break };
            if !survey.look(self, state, Delays::only(turn))? {
                return Ok(false);
            }
            last = turn;
        }
        Ok(true)
    }

    /// When the invariants change that ready steps lead to, within delays in which the same steps are ready.
    fn later_turning_points(
        &self,
        state: &ConcreteState,
        running: &[bool],
        gap: Delays,
        survey: &mut MomentSearch,
    ) -> Result<Vec<Rational>, Violation> {
        let moment = gap.inner().ok_or(Violation::TooPrecise)?;
        let other = Delays { from: moment, ..gap }.inner().ok_or(Violation::TooPrecise)?;
        let (early, late) = (passed(state, running, moment)?, passed(state, running, other)?);
        let mut times = Vec::new();
        if survey.exhausted.is_some() {
            return Ok(times);
        }
        let actions = combinations_or_failing(&mut StateEvaluator::new(self, &early), &mut Vec::new());
        survey.count(self, actions.len(), actions.last());
        for action in actions {
            // What goes wrong with data goes wrong when the steps are examined, and is reported then.
            let (Ok((one, first)), Ok((two, second))) =
                (self.assigned(&early, &action), self.assigned(&late, &action))
            else {
                continue;
            };
            entering(self, (moment, &one), (other, &two), &mut times)?;
            for ((_, value), (_, later)) in first.into_iter().zip(second) {
                if later > value {
                    times.push(moment.checked_sub(value).ok_or(Violation::TooPrecise)?);
                }
            }
        }
        times.retain(|&time| gap.contains(time));
        times.sort_unstable();
        times.dedup();
        Ok(times)
    }

    /// What [`Semantics::act`] accepts in a state, and what goes wrong there. While a guard does, what comes first by
    /// its priority is not known, and where there are priorities nothing is accepted.
    fn sight(&self, state: &ConcreteState) -> LegalSteps {
        let mut stage = StateEvaluator::new(self, state);
        let (mut legal, mut failing) = (Vec::new(), Vec::new());
        let mut list = Vec::new();
        for action in combinations_or_failing(&mut stage, &mut failing) {
            match self.priority(&mut stage, &action) {
                Ok(priority) => list.push((priority, action)),
                Err(error) => failing.push((action, error)),
            }
        }
        let guards_fail = !failing.is_empty();
        if guards_fail && self.has_priorities() {
            return LegalSteps { legal, failing };
        }
        list.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        for equal in list.chunk_by(|(one, _), (other, _)| one == other) {
            for (_, action) in equal {
                if guards_fail && check(&mut stage, action).is_err() {
                    continue;
                }
                match self.possible(state, action) {
                    Ok(Some(_)) => legal.push(action.clone()),
                    Ok(None) => {}
                    Err(error) => failing.push((action.clone(), error)),
                }
            }
            if !legal.is_empty() || !failing.is_empty() {
                break;
            }
        }
        LegalSteps { legal, failing }
    }
}

impl MomentSearch {
    /// Looks at the steps of a moment, or of all moments between two; says whether so much time can pass.
    fn look(
        &mut self,
        semantics: &Semantics<'_>,
        state: &ConcreteState,
        delays: Delays,
    ) -> Result<bool, Violation> {
        let Some(later) = self.wait(semantics, state, delays)? else { return Ok(false) };
        let now = self.moments.len();
        self.moments.push(delays);
        if let Some(error) = self.exhausted {
            self.fail(delays, error);
            return Ok(true);
        }
        let LegalSteps { legal, failing } = semantics.sight(&later);
        self.count(semantics, legal.len() + failing.len(), legal.last().or(failing.last().map(|it| &it.0)));
        legal.into_iter().for_each(|action| self.note(action, None, now));
        failing.into_iter().for_each(|(action, error)| self.note(action, Some(error), now));
        Ok(true)
    }

    /// The state after one of some delays that are all alike; nothing if so much time cannot pass.
    fn wait(
        &mut self,
        semantics: &Semantics<'_>,
        state: &ConcreteState,
        delays: Delays,
    ) -> Result<Option<ConcreteState>, Violation> {
        let delay = delays.inner().ok_or(Violation::TooPrecise)?;
        match semantics.delay(state, delay) {
            Ok(later) => Ok(Some(later)),
            Err(Violation::TooPrecise) => Err(Violation::TooPrecise),
            Err(Violation::Error(error)) => {
                self.fail(delays, error);
                Ok(None)
            }
            Err(_) => Ok(None),
        }
    }

    /// Counts steps that are examined. After too many none are; how much time can pass is still found out.
    fn count(&mut self, semantics: &Semantics<'_>, steps: usize, last: Option<&Vec<Fired>>) {
        self.work += steps;
        if let Some(fired) = last.and_then(|action| action.first()).filter(|_| self.work > STEPS_MAX) {
            let span = semantics.model().processes[fired.process].edges[fired.edge].span;
            let alone = last.is_some_and(|action| action.len() == 1);
            let what = if alone { Multiplied::Selections } else { Multiplied::Receivers };
            let kind = EvalErrorKind::TooMany(what, STEPS_MAX as u32);
            self.exhausted = Some(EvalError { kind, span });
        }
    }

    fn fail(&mut self, delays: Delays, error: EvalError) {
        self.broken.get_or_insert((delays, error));
    }

    fn note(&mut self, action: Vec<Fired>, error: Option<EvalError>, now: usize) {
        let key = (action, error.is_some());
        let Some(&place) = self.places.get(&key) else {
            self.found.push(StepMoments { action: key.0.clone(), error, stretches: vec![(now, now)] });
            self.places.insert(key, self.found.len() - 1);
            return;
        };
        let stretches = &mut self.found[place].stretches;
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == now => *last = now,
            _ => stretches.push((now, now)),
        }
    }

    fn enabled_steps(self) -> EnabledSteps {
        let Self { moments, mut found, broken, .. } = self;
        found.sort_by_cached_key(|found| {
            let key = |it: &Fired| (it.process.index(), it.edge, it.selects.clone());
            found.action.iter().map(key).collect::<Vec<_>>()
        });
        let join = |&(first, last): &(usize, usize)| Delays {
            from: moments[first].from,
            from_included: moments[first].from_included,
            to: moments[last].to,
            to_included: moments[last].to_included,
        };
        let patience = match moments.len() {
            0 => Delays::only(Rational::ZERO),
            count => join(&(0, count - 1)),
        };
        let (mut steps, mut failures) = (Vec::new(), Vec::new());
        for StepMoments { action, error, stretches } in found {
            let when = stretches.iter().map(join).collect();
            match error {
                None => steps.push(EnabledStep { action, when }),
                Some(error) => failures.push(Failure { action, error, when }),
            }
        }
        failures.extend(broken.map(|(delays, error)| Failure {
            action: Vec::new(),
            error,
            when: vec![delays],
        }));
        EnabledSteps { steps, patience, failures }
    }
}

/// When comparisons of clocks in the invariants and guards of the present locations change, in order, from now on.
fn turning_points(stage: &mut StateEvaluator<'_>, running: &[bool]) -> Result<Vec<Rational>, Violation> {
    let model = stage.model;
    let mut times = Vec::new();
    let outgoing = Arc::clone(&stage.outgoing);
    for (process, here) in model.processes.ids().zip(stage.state.locations.clone()) {
        let location = &model.processes[process].locations[here];
        let mut own = Frame::new(location.frame);
        turns_of(stage, &location.invariant.clocks, &mut own, running, &mut times)?;
        let timed = |(_, edge): &(usize, &Edge)| !edge.guard.clocks.is_empty();
        for (_, edge) in outgoing.edges(model, process, here).filter(timed) {
            // What goes wrong here goes wrong when the steps are examined, and is reported then.
            if count_selections(edge).is_err() {
                continue;
            }
            for selects in selections(edge) {
                let mut frame = frame(edge, &selects);
                if !stage.data_holds(&edge.guard, &mut frame).unwrap_or(false) {
                    continue;
                }
                match turns_of(stage, &edge.guard.clocks, &mut frame, running, &mut times) {
                    Ok(()) | Err(Violation::Error(_)) => {}
                    Err(other) => return Err(other),
                }
            }
        }
    }
    times.retain(|&time| time > Rational::ZERO);
    times.sort_unstable();
    times.dedup();
    Ok(times)
}

/// When comparisons change in the invariants after a step, whose clocks are known for two delays.
fn entering(
    semantics: &Semantics<'_>,
    (early, one): (Rational, &ConcreteState),
    (late, two): (Rational, &ConcreteState),
    times: &mut Vec<Rational>,
) -> Result<(), Violation> {
    let model = semantics.model();
    let mut stage = StateEvaluator::new(semantics, one);
    let between = late.checked_sub(early);
    for (process, &here) in model.processes.iter().zip(&one.locations) {
        let location = &process.locations[here];
        let mut frame = Frame::new(location.frame);
        for condition in &location.invariant.clocks {
            // What goes wrong here goes wrong when the step is examined, and is reported then.
            if !stage.counts(condition, &mut frame).unwrap_or(false) {
                continue;
            }
            let Ok((left, right, bound)) = stage.atom(&condition.atom, &mut frame) else { continue };
            let values = (difference(&one.clocks, left, right), difference(&two.clocks, left, right));
            let (Some(value), Some(later)) = values else { return Err(Violation::TooPrecise) };
            let grown = later.checked_sub(value);
            if grown == Some(Rational::ZERO) {
                continue;
            }
            let missing = Rational::from(bound).checked_sub(value);
            let turn = if grown == between {
                missing.and_then(|missing| early.checked_add(missing))
            } else {
                missing.and_then(|missing| early.checked_sub(missing))
            };
            times.push(turn.ok_or(Violation::TooPrecise)?);
        }
    }
    Ok(())
}
