//! Deadlocks: no transition, now or after any delay.

use tourbillon_model::{ExprId, ExprKind, Model};

use crate::run::ConcreteState;
use crate::semantics::Semantics;
use crate::violation::Violation;

impl Semantics<'_> {
    /// Whether no step is possible in a state, now or after any delay.
    ///
    /// # Errors
    /// If the model goes wrong.
    pub fn is_deadlocked(&self, state: &ConcreteState) -> Result<bool, Violation> {
        let enabled_steps = self.enabled_steps(state)?;
        if !enabled_steps.steps.is_empty() {
            return Ok(false);
        }
        // Where the model fails it is undefined whether there is a transition.
        enabled_steps.failures.into_iter().next().map_or(Ok(true), |failure| Err(failure.error.into()))
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
    ) -> Result<bool, Violation> {
        if !mentions_deadlock(self.model(), predicate) {
            return Ok(self.holds(predicate, frame, state)?);
        }
        let deadlocked = self.is_deadlocked(state)?;
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
