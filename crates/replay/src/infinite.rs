//! Whether an infinite run is legal and avoids what it must avoid.
//!
//! A run that shows how something never happens is either a lasso, whose last part can be repeated with the same
//! delays forever, or it ends where it may delay forever, or where nothing is possible any more. In each case
//! what must not happen is looked for at every moment that counts: when a comparison of clocks in it changes, and once
//! between any two neighbours.
//!
//! **Repeating.** After each lap all processes must be where they were and all cells hold what they held. A clock may
//! show the same as a lap before, or more: then it grows with every lap, and the laps are followed until it is
//! above everything it is compared with. If that takes too many, the clock is put there: in between, what holds of a
//! conjunction of comparisons on both sides holds as well, and each lap takes the same steps. That is the one thing
//! that is not examined one by one.

use tourbillon_base::Rational;
use tourbillon_model::{ExprId, ExprKind, Frame, Model};

use crate::delay::{midpoint, running, turn_of};
use crate::evaluator::StateEvaluator;
use crate::run::{ConcreteState, ReplayError, Run, RunStep, replay};
use crate::semantics::Semantics;
use crate::violation::Violation;

/// How a run continues after its last step, or does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Finish {
    /// The steps from this one on are repeated infinitely often, with the same delays.
    Repeats {
        /// The first step that is repeated, from 0 on.
        from: usize,
    },
    /// The actions from this one on can be repeated infinitely often, with other delays each time.
    Varies {
        /// The first action that is repeated, from 0 on.
        from: usize,
    },
    /// Time diverges.
    Waits,
    /// Nothing is possible any more, and time ends.
    Stuck,
}

/// What must never happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AvoidedPredicate {
    pub expr: ExprId,
    /// How many local cells it needs.
    pub frame: u32,
    /// Whether it is its failing that must not happen.
    pub negated: bool,
    pub since: Since,
}

/// A moment of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Since {
    /// How many steps come before it.
    pub steps: usize,
    /// How much time has passed since the last of them.
    pub delay: Rational,
}

/// What is wrong with an infinite run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InfiniteRunError {
    /// It is no run.
    Run(ReplayError),
    /// It is, but what comes after it is not possible.
    After(Violation),
    /// What must not happen does.
    Happens,
    /// A lap does not lead back to where it began.
    NoLoop,
    /// It does not end as it says.
    NoEnd,
}

impl From<Violation> for InfiniteRunError {
    fn from(violation: Violation) -> Self {
        Self::After(violation)
    }
}

impl InfiniteRunError {
    /// What is wrong, in words and with the names of the model.
    #[must_use]
    pub fn explain(&self, model: &Model) -> String {
        match self {
            Self::Run(error) => error.explain(model),
            Self::After(violation) => format!("after its end: {}", violation.explain(model)),
            Self::Happens => "what must not happen on it does".to_owned(),
            Self::NoLoop => "a lap does not lead back to where it began".to_owned(),
            Self::NoEnd => "it does not end as it says".to_owned(),
        }
    }
}

/// How many laps are followed one by one.
const LAPS_MAX: usize = 40;

/// Follows a run, and what comes after it. No clock is compared with a number larger than `horizon`. The states are those
/// of [`replay`].
///
/// # Errors
/// If it is not as it says.
pub fn check_infinite(
    model: &Model,
    run: &Run,
    finish: Finish,
    never: Option<AvoidedPredicate>,
    horizon: i32,
) -> Result<Vec<ConcreteState>, InfiniteRunError> {
    let states = replay(model, run).map_err(InfiniteRunError::Run)?;
    let watch = AvoidanceCheck { semantics: Semantics::new(model), never, horizon };
    watch.run(run, &states)?;
    let last = states.last().expect("a run has states");
    match finish {
        Finish::Repeats { from } => watch.repeats(&run.steps[from..], &states[2 * from], last)?,
        Finish::Varies { from } => same_place(&states[2 * from], last)?,
        Finish::Waits => watch.waits(last)?,
        Finish::Stuck => {
            watch.rest(last)?;
            if !watch.semantics.is_deadlocked(last)? {
                return Err(InfiniteRunError::NoEnd);
            }
        }
    }
    Ok(states)
}

/// That all processes are where they were, and all cells hold what they held.
fn same_place(one: &ConcreteState, other: &ConcreteState) -> Result<(), InfiniteRunError> {
    let same = one.locations == other.locations && one.cells == other.cells;
    same.then_some(()).ok_or(InfiniteRunError::NoLoop)
}

struct AvoidanceCheck<'m> {
    semantics: Semantics<'m>,
    never: Option<AvoidedPredicate>,
    horizon: i32,
}

impl AvoidanceCheck<'_> {
    /// That it does not happen along a run.
    fn run(&self, run: &Run, states: &[ConcreteState]) -> Result<(), InfiniteRunError> {
        let since = self.never.map_or_else(Since::default, |never| never.since);
        let delays = run.steps.iter().map(|step| step.delay).chain([run.last_delay]);
        for (index, (delay, pair)) in delays.zip(states.chunks(2)).enumerate().skip(since.steps) {
            let skipped = if index == since.steps { since.delay } else { Rational::ZERO };
            let from = self.semantics.delay(&pair[0], skipped)?;
            self.during(&from, delay.checked_sub(skipped).ok_or(Violation::TooPrecise)?)?;
        }
        Ok(())
    }

    fn happens(&self, state: &ConcreteState) -> Result<bool, Violation> {
        let Some(never) = self.never else { return Ok(false) };
        Ok(self.semantics.holds(never.expr, never.frame, state)? != never.negated)
    }

    fn must_not_happen(&self, state: &ConcreteState) -> Result<(), InfiniteRunError> {
        if self.happens(state)? { Err(InfiniteRunError::Happens) } else { Ok(()) }
    }

    /// That it does not happen during a delay.
    fn during(&self, state: &ConcreteState, delay: Rational) -> Result<(), InfiniteRunError> {
        for moment in self.moments(state, Some(delay))? {
            self.must_not_happen(&self.semantics.delay(state, moment)?)?;
        }
        self.must_not_happen(&self.semantics.delay(state, delay)?)
    }

    /// That it does not happen as long as time passes. Returns whether time diverges.
    fn rest(&self, state: &ConcreteState) -> Result<bool, InfiniteRunError> {
        let patience = self.semantics.enabled_steps(state)?.patience;
        for moment in self.moments(state, patience.to)? {
            self.must_not_happen(&self.semantics.delay(state, moment)?)?;
        }
        match patience.to {
            Some(end) if patience.contains(end) => {
                self.must_not_happen(&self.semantics.delay(state, end)?)?;
                Ok(false)
            }
            Some(_) => Ok(false),
            None => Ok(true),
        }
    }

    /// The moments of a delay at which it must be looked, among them its start and not its end. Without an end, the last
    /// of them is one after which nothing changes.
    fn moments(&self, state: &ConcreteState, end: Option<Rational>) -> Result<Vec<Rational>, Violation> {
        let mut turns = self.turns(state)?;
        turns.retain(|&time| Rational::ZERO < time && end.is_none_or(|end| time < end));
        turns.push(Rational::ZERO);
        turns.sort_unstable();
        turns.dedup();
        let last = turns[turns.len() - 1];
        let after =
            end.or_else(|| last.checked_add(Rational::from_integer(2))).ok_or(Violation::TooPrecise)?;
        let mut moments = Vec::new();
        for (index, &turn) in turns.iter().enumerate() {
            let next = turns.get(index + 1).copied().unwrap_or(after);
            moments.push(turn);
            if turn < next {
                moments.push(midpoint(turn, next).ok_or(Violation::TooPrecise)?);
            }
        }
        Ok(moments)
    }

    /// When comparisons of clocks change in what must not happen, in the past or the future.
    fn turns(&self, state: &ConcreteState) -> Result<Vec<Rational>, Violation> {
        let mut times = Vec::new();
        if let Some(never) = self.never {
            let mut stage = StateEvaluator::new(&self.semantics, state);
            let running = running(&mut stage)?;
            turns_within(&mut stage, never.expr, &mut Frame::new(never.frame), &running, &mut times);
        }
        Ok(times)
    }

    fn waits(&self, state: &ConcreteState) -> Result<(), InfiniteRunError> {
        if self.rest(state)? { Ok(()) } else { Err(InfiniteRunError::NoEnd) }
    }

    /// That a lap, which led from `first` to `second`, can be repeated infinitely often.
    fn repeats(
        &self,
        lap: &[RunStep],
        first: &ConcreteState,
        second: &ConcreteState,
    ) -> Result<(), InfiniteRunError> {
        same_place(first, second)?;
        let mut before = second.clone();
        for _ in 0..LAPS_MAX {
            let after = self.once_round(lap, &before)?;
            if self.is_settled(&before, &after) {
                return Ok(());
            }
            before = after;
        }
        let after = self.once_round(lap, &before)?;
        let beyond = self.beyond(&before, &after)?;
        let after = self.once_round(lap, &beyond)?;
        if self.is_settled(&beyond, &after) { Ok(()) } else { Err(InfiniteRunError::NoLoop) }
    }

    fn once_round(&self, lap: &[RunStep], start: &ConcreteState) -> Result<ConcreteState, InfiniteRunError> {
        let mut now = start.clone();
        for step in lap {
            self.during(&now, step.delay)?;
            now = self.semantics.delay(&now, step.delay)?;
            now = self.semantics.act(&now, &step.action)?;
        }
        self.must_not_happen(&now)?;
        same_place(start, &now)?;
        Ok(now)
    }

    /// Whether every clock shows the same as a lap before, or is so large that it does not matter how large.
    fn is_settled(&self, before: &ConcreteState, after: &ConcreteState) -> bool {
        let large = self.large(before, after);
        let settled =
            |(before, after): (&Rational, &Rational)| before == after || (*before > large && before < after);
        before.clocks.iter().zip(&after.clocks).all(settled)
    }

    /// A number such that neither a clock that is larger, nor its difference to one that stays the same, is compared
    /// with anything larger.
    fn large(&self, before: &ConcreteState, after: &ConcreteState) -> Rational {
        let same = before.clocks.iter().zip(&after.clocks).filter(|(before, after)| before == after);
        let largest = same.map(|(clock, _)| clock.numerator() / clock.denominator() + 1).max().unwrap_or(0);
        Rational::from_integer(largest.saturating_add(2 * i64::from(self.horizon)))
    }

    /// A state many laps later, as far as clocks go that grow with every lap.
    fn beyond(&self, before: &ConcreteState, after: &ConcreteState) -> Result<ConcreteState, Violation> {
        let large = self.large(before, after);
        let mut beyond = after.clone();
        for (index, (before, after)) in before.clocks.iter().zip(&after.clocks).enumerate() {
            if before < after {
                let growth = after.checked_sub(*before).ok_or(Violation::TooPrecise)?;
                // One growth is at least 1 over its denominator.
                let laps =
                    large.numerator().checked_add(1).and_then(|it| it.checked_mul(growth.denominator()));
                let grown = laps
                    .and_then(|laps| laps.checked_mul(growth.numerator()))
                    .and_then(|numerator| Rational::new(numerator, growth.denominator()))
                    .and_then(|grown| after.checked_add(grown));
                beyond.clocks[index] = grown.ok_or(Violation::TooPrecise)?;
            }
        }
        Ok(beyond)
    }
}

/// When comparisons of clocks in an expression change. One that cannot be evaluated is not evaluated where it counts
/// either: what stands before it decides.
fn turns_within(
    stage: &mut StateEvaluator<'_>,
    expr: ExprId,
    frame: &mut Frame,
    running: &[bool],
    times: &mut Vec<Rational>,
) {
    let model = stage.model;
    match &model.exprs[expr].kind {
        ExprKind::Clock(atom) => times.extend(turn_of(stage, atom, frame, running).ok().flatten()),
        ExprKind::Quantifier { local, range, body, .. } => {
            for value in range.values() {
                frame.locals[*local as usize] = value;
                turns_within(stage, *body, frame, running, times);
            }
        }
        kind => kind.for_each_operand(&mut |operand| turns_within(stage, operand, frame, running, times)),
    }
}
