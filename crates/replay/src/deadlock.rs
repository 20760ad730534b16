//! Whether nothing can happen any more: no step, now or after any delay.
//!
//! Along a delay, what can happen changes only where a clock passes a number it is compared with, and all of these are
//! whole. So it is enough to look at every moment at which some clock shows a whole number, and once between any two
//! neighbours, until all clocks are above the largest number: from there on nothing changes.

use tourbillon_base::Rational;
use tourbillon_model::{ExprId, ExprKind, Model};

use crate::run::ConcreteState;
use crate::semantics::Semantics;
use crate::violation::Violation;

impl Semantics<'_> {
    /// Whether no step is possible in a state, now or after any delay, in a model whose clocks are compared with no
    /// larger number than `horizon`.
    ///
    /// # Errors
    /// If the model goes wrong.
    pub fn is_deadlocked(&self, state: &ConcreteState, horizon: i32) -> Result<bool, Violation> {
        let mut now = state.clone();
        loop {
            if !self.successors(&now)?.is_empty() {
                return Ok(false);
            }
            let Some(pause) = until_whole(&now.clocks, horizon) else { return Ok(true) };
            let half = half(pause).ok_or(Violation::TooPrecise)?;
            let Some(between) = self.later(&now, half)? else { return Ok(true) };
            if !self.successors(&between)?.is_empty() {
                return Ok(false);
            }
            let Some(next) = self.later(&now, pause)? else { return Ok(true) };
            now = next;
        }
    }

    /// The state after a delay, if time can pass so far.
    pub(crate) fn later(
        &self,
        state: &ConcreteState,
        delay: Rational,
    ) -> Result<Option<ConcreteState>, Violation> {
        match self.delay(state, delay) {
            Ok(later) => Ok(Some(later)),
            Err(error @ (Violation::Error(_) | Violation::TooPrecise)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Whether a predicate of a query holds in a state, `deadlock` included; see [`Semantics::holds`] and
    /// [`Semantics::is_deadlocked`].
    ///
    /// # Errors
    /// If it cannot be evaluated, or the model goes wrong.
    pub fn holds_for_ever(
        &self,
        predicate: ExprId,
        frame: u32,
        state: &ConcreteState,
        horizon: i32,
    ) -> Result<bool, Violation> {
        if !mentions_deadlock(self.model(), predicate) {
            return Ok(self.holds(predicate, frame, state)?);
        }
        let deadlocked = self.is_deadlocked(state, horizon)?;
        let mut settled = self.model().clone();
        for id in settled.exprs.ids() {
            if settled.exprs[id].kind == ExprKind::Deadlock {
                settled.exprs[id].kind = ExprKind::Int(deadlocked.into());
            }
        }
        Ok(Semantics::new(&settled).holds(predicate, frame, state)?)
    }
}

fn mentions_deadlock(model: &Model, expr: ExprId) -> bool {
    let kind = &model.exprs[expr].kind;
    let mut found = *kind == ExprKind::Deadlock;
    kind.for_each_operand(&mut |operand| found |= mentions_deadlock(model, operand));
    found
}

/// How long until some clock that is not above the horizon shows a whole number; nothing if all are.
pub(crate) fn until_whole(clocks: &[Rational], horizon: i32) -> Option<Rational> {
    let horizon = Rational::from_integer(horizon.into());
    let waits = clocks.iter().filter(|&&clock| clock <= horizon).filter_map(|clock| {
        let next = clock.numerator().div_euclid(clock.denominator()).checked_add(1)?;
        Rational::from_integer(next).checked_sub(*clock)
    });
    waits.min()
}

pub(crate) fn half(time: Rational) -> Option<Rational> {
    Rational::new(time.numerator(), time.denominator().checked_mul(2)?)
}
