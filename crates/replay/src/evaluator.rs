//! Evaluation of expressions, guards and places in one state.
//!
//! A [`StateEvaluator`] is a state with the model around it. Looking at it changes nothing but local cells, since
//! guards and invariants have no side effects; updates change the state it holds, and whoever made the stage
//! takes that out again.

use std::sync::Arc;

use tourbillon_base::{Id, Rational};
use tourbillon_model::{
    ChannelId, ChannelPlace, ClockAtom, ClockCondition, ClockId, ClockPlace, Compare, Environment, EvalError,
    EvalErrorKind, Evaluator, ExprId, Frame, Guard, IndexStep, LocationId, Model, ProcessId, Root,
};

use crate::outgoing::Outgoing;
use crate::run::ConcreteState;
use crate::semantics::Semantics;

/// How many operations the evaluation of one expression may take.
const FUEL: u64 = 100_000_000;

/// A state that expressions are evaluated in.
#[derive(Clone, Debug)]
pub(crate) struct StateEvaluator<'m> {
    pub(crate) model: &'m Model,
    pub(crate) outgoing: Arc<Outgoing>,
    pub(crate) state: ConcreteState,
    /// What updates have set clocks to so far, if they continue though that is negative; nothing if they fail then.
    pub(crate) assigned: Option<Vec<(ClockId, Rational)>>,
}

/// The part of a state that is not data.
struct ClockEnvironment<'s> {
    locations: &'s [LocationId],
    clocks: &'s mut [Rational],
    assigned: &'s mut Option<Vec<(ClockId, Rational)>>,
    /// Why a clock was not set.
    refused: Option<EvalErrorKind>,
}

impl Environment for ClockEnvironment<'_> {
    fn at_location(&self, process: ProcessId, location: LocationId) -> Option<bool> {
        Some(self.locations[process.index()] == location)
    }

    fn compares(&self, left: ClockId, right: Option<ClockId>, compare: Compare, bound: i32) -> Option<bool> {
        Some(satisfies(difference(self.clocks, left, right)?, compare, bound))
    }

    fn set_clock(&mut self, target: ClockId, source: Option<ClockId>, value: i32) -> bool {
        let from = source.map_or(Rational::ZERO, |source| self.clocks[source.index()]);
        match (from.checked_add(value.into()), &mut *self.assigned) {
            (Some(new), Some(assigned)) => {
                assigned.push((target, new));
                self.clocks[target.index()] = new;
            }
            (Some(new), None) if new >= Rational::ZERO => self.clocks[target.index()] = new,
            (Some(_), None) => {
                self.refused = Some(EvalErrorKind::NegativeClock { clock: target, source, value });
            }
            (None, _) => self.refused = Some(EvalErrorKind::ClockTooLarge(value)),
        }
        self.refused.is_none()
    }
}

/// What the first clock shows beyond the second; nothing if that does not fit.
pub(crate) fn difference(clocks: &[Rational], left: ClockId, right: Option<ClockId>) -> Option<Rational> {
    let left = clocks[left.index()];
    right.map_or(Some(left), |right| left.checked_sub(clocks[right.index()]))
}

fn satisfies(value: Rational, compare: Compare, bound: i32) -> bool {
    let bound = Rational::from(bound);
    match compare {
        Compare::Less => value < bound,
        Compare::LessOrEqual => value <= bound,
        Compare::Equal => value == bound,
        Compare::GreaterOrEqual => value >= bound,
        Compare::Greater => value > bound,
    }
}

impl<'m> StateEvaluator<'m> {
    pub(crate) fn new(semantics: &Semantics<'m>, state: &ConcreteState) -> Self {
        let outgoing = Arc::clone(semantics.outgoing());
        Self { model: semantics.model(), outgoing, state: state.clone(), assigned: None }
    }

    /// The same, in which updates continue though they set a clock to a negative value.
    pub(crate) fn tolerant(semantics: &Semantics<'m>, state: &ConcreteState) -> Self {
        Self { assigned: Some(Vec::new()), ..Self::new(semantics, state) }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: ExprId, frame: &mut Frame) -> Result<i32, EvalError> {
        let ConcreteState { locations, cells, clocks } = &mut self.state;
        let mut environment =
            ClockEnvironment { locations, clocks, assigned: &mut self.assigned, refused: None };
        let mut evaluator = Evaluator { model: self.model, cells, environment: &mut environment, fuel: FUEL };
        let result = evaluator.value(expr, frame);
        let refused = environment.refused;
        result.map_err(|error| EvalError { kind: refused.unwrap_or(error.kind), ..error })
    }

    /// Whether an expression is true.
    pub(crate) fn is_true(&mut self, expr: ExprId, frame: &mut Frame) -> Result<bool, EvalError> {
        Ok(self.value(expr, frame)? != 0)
    }

    /// How far on indices lead.
    fn offset(&mut self, indices: &[IndexStep], frame: &mut Frame) -> Result<usize, EvalError> {
        let mut sum = 0;
        for step in indices {
            let index = self.value(step.index, frame)?;
            if !step.range.contains(index) {
                let span = self.model.exprs[step.index].span;
                return Err(EvalError { kind: EvalErrorKind::Index(index, step.range), span });
            }
            sum += (i64::from(index) - i64::from(step.range.min)) as usize * step.stride as usize;
        }
        Ok(sum)
    }

    /// The clock that is meant.
    pub(crate) fn clock(&mut self, place: &ClockPlace, frame: &mut Frame) -> Result<ClockId, EvalError> {
        let Root::Global(first) = place.root else {
            unreachable!("references to clocks occur in functions only")
        };
        let offset = self.offset(&place.indices, frame)?;
        Ok(ClockId::from_index(first.index() + place.offset as usize + offset))
    }

    /// The channel that is meant.
    pub(crate) fn channel(
        &mut self,
        place: &ChannelPlace,
        frame: &mut Frame,
    ) -> Result<ChannelId, EvalError> {
        let offset = self.offset(&place.indices, frame)?;
        Ok(ChannelId::from_index(place.first.index() + offset))
    }

    /// Whether a guard holds: its conditions on data first, up to the first part that does not.
    pub(crate) fn holds(&mut self, guard: &Guard, frame: &mut Frame) -> Result<bool, EvalError> {
        Ok(self.data_holds(guard, frame)? && self.clocks_hold(guard, frame)?)
    }

    /// Whether the conditions of a guard on data hold.
    pub(crate) fn data_holds(&mut self, guard: &Guard, frame: &mut Frame) -> Result<bool, EvalError> {
        for &condition in &guard.conditions {
            if !self.is_true(condition, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn clocks_hold(&mut self, guard: &Guard, frame: &mut Frame) -> Result<bool, EvalError> {
        for condition in &guard.clocks {
            if self.counts(condition, frame)? && !self.compares(&condition.atom, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a comparison of clocks must hold.
    pub(crate) fn counts(
        &mut self,
        condition: &ClockCondition,
        frame: &mut Frame,
    ) -> Result<bool, EvalError> {
        condition.when.map_or(Ok(true), |when| self.is_true(when, frame))
    }

    fn compares(&mut self, atom: &ClockAtom, frame: &mut Frame) -> Result<bool, EvalError> {
        let (left, right, bound) = self.atom(atom, frame)?;
        let span = self.model.exprs[atom.bound].span;
        let value = difference(&self.state.clocks, left, right)
            .ok_or(EvalError { kind: EvalErrorKind::ClockTooLarge(bound), span })?;
        Ok(satisfies(value, atom.compare, bound))
    }

    /// The clocks that are compared, and the number they are compared with.
    pub(crate) fn atom(
        &mut self,
        atom: &ClockAtom,
        frame: &mut Frame,
    ) -> Result<(ClockId, Option<ClockId>, i32), EvalError> {
        let left = self.clock(&atom.left, frame)?;
        let right = atom.right.as_ref().map(|right| self.clock(right, frame)).transpose()?;
        Ok((left, right, self.value(atom.bound, frame)?))
    }
}
