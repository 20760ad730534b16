//! From a value to a run that shows it.
//!
//! A value that is attained has a run whose last state has it; one that is only approached, a run that ends less than 1
//! away from it; and where there is no end, a run to a state from which it goes on, by waiting or by repeating what the
//! run did last. Each is replayed, and the measure read off the last state by the evaluator that shares nothing with
//! the engine.
//!
//! Zones over-approximate clocks that stand still. There a value counts as found only if a run attains it, along the path
//! that zones found or another one that a search with polyhedra finds; if there is none, it is known only that nothing
//! lies beyond.

use tourbillon_base::Rational;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint};
use tourbillon_replay::Semantics;
use tourbillon_search::{Budget, Search};
use tourbillon_store::NodeId;

use super::record::{Best, Mark};
use super::{BoundsChecker, End};
use crate::answer::{Extreme, Known, Value};
use crate::path::{self, Goal, Unrealised, Witness};
use crate::plan::TraceKind;
use crate::polyhedra::explore::{Ended, Exploration};

/// What it takes to make runs.
pub(super) struct ValueRealiser<'a, 's> {
    pub(super) checker: BoundsChecker<'a>,
    pub(super) search: &'a Search<'s>,
}

impl ValueRealiser<'_, '_> {
    /// What is known of a mark when everything was visited, or not; and why it is in doubt, if no run shows it.
    pub(super) fn extreme(
        &self,
        mark: &Mark,
        complete: bool,
        budget: &mut Budget<'_>,
    ) -> (Extreme, Option<String>) {
        let known = if complete { Known::Exactly } else { Known::SoFar };
        let Some(best) = mark.best else {
            return (Extreme { value: Value::None, known, witness: None }, None);
        };
        let value = value(mark, best);
        let over_approximates = self.checker.plan().over_approximates;
        if self.checker.plan().trace == TraceKind::None && !over_approximates {
            return (Extreme { value, known, witness: None }, None);
        }
        match self.show(mark, best, value, budget) {
            Ok(witness) => (Extreme { value, known, witness }, None),
            Err(unrealised) => {
                debug_assert!(
                    over_approximates
                        || matches!(unrealised, Unrealised::Failed(_) | Unrealised::Interrupted),
                    "an exact plan found a value that is none: {unrealised:?}"
                );
                let known = if complete { Known::NotBeyond } else { Known::Nothing };
                (Extreme { value, known, witness: None }, Some(unrealised.to_string()))
            }
        }
    }

    /// A run to a node from which the model fails, if there is one.
    pub(super) fn run_to_failure(&self, node: NodeId) -> Option<Witness> {
        let path = path::ordinals(self.search.list(), node)?;
        path::realise_failure(self.checker.prepared.model(), self.checker.system(), &path).ok()
    }

    fn show(
        &self,
        mark: &Mark,
        best: Best,
        value: Value,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Witness>, Unrealised> {
        let near = self.near(mark, best);
        let mut shown = self.realise(best.node, near);
        if shown.is_err() && best.reading.is_infinite() {
            shown = self.realise(best.node, None);
        }
        if shown.is_err()
            && let Some(near) = near.filter(|_| is_attained(value) && self.checker.plan().over_approximates)
        {
            shown = self.search_exactly(near, budget).map_or(shown, Ok);
        }
        let witness = shown?;
        let last = &witness.last;
        let (model, bounds) = (self.checker.prepared.model(), self.checker.bounds);
        let measured = Semantics::new(model)
            .measured(&bounds.measures[mark.measure], bounds.condition.frame, last)
            .map_err(|violation| Unrealised::Failed(violation.explain(model)))?;
        let certain = is_attained(value) || !self.checker.plan().over_approximates;
        if certain && agrees(value, mark.end, measured) {
            return Ok(Some(witness));
        }
        Err(Unrealised::Rejected(format!("the run ends with {measured}")))
    }

    /// A run that ends where the clock of a mark must be, found with polyhedra.
    fn search_exactly(&self, near: Constraint, budget: &mut Budget<'_>) -> Option<Witness> {
        let prepared = self.checker.prepared;
        let goal = Some(self.goal(Some(near)));
        let exploration = Exploration::new(prepared.system(), prepared.analysis(), goal);
        match exploration.without_abstraction().run(budget) {
            Ended::Found(run) => path::replayed(prepared.model(), run, goal).ok(),
            _ => None,
        }
    }

    /// Where the clock of a mark must be at the end of its run.
    fn near(&self, mark: &Mark, best: Best) -> Option<Constraint> {
        let clock = best.sight.clock?;
        let constant = |value: i64| Constant::new(value).ok();
        if best.reading.is_infinite() {
            let ceiling = self.checker.prepared.analysis().global.maximum(clock).unwrap_or(Constant::ZERO);
            return Some(at_least(clock, Bound::strict(ceiling.negated())));
        }
        // At the low end the reading is that of the negation, and so is this.
        let (value, attained) = best.reading.value();
        let sign = if mark.end == End::High { 1 } else { -1 };
        let limit = value - sign * i64::from(best.sight.data);
        let bound =
            if attained { Bound::weak(constant(-limit)?) } else { Bound::strict(constant(1 - limit)?) };
        Some(match mark.end {
            End::High => at_least(clock, bound),
            End::Low => Constraint::upper(clock, bound),
        })
    }

    /// A run to where the condition holds at a node, with a place for the clock at its end if there is one.
    fn realise(&self, node: NodeId, deadline: Option<Constraint>) -> Result<Witness, Unrealised> {
        let path = path::ordinals(self.search.list(), node).ok_or(Unrealised::Infeasible)?;
        let prepared = self.checker.prepared;
        path::realise(prepared.model(), prepared.system(), &path, Some(self.goal(deadline)))
    }

    /// A state that counts, with a place for the clock if there is one.
    fn goal(&self, deadline: Option<Constraint>) -> Goal<'_> {
        let formula = self.checker.bounds.condition;
        Goal { predicate: self.checker.condition(), formula, deadline }
    }
}

/// `0 - clock` is within a bound.
const fn at_least(clock: Clock, bound: Bound) -> Constraint {
    Constraint::new(Clock::REFERENCE, clock, bound)
}

fn value(mark: &Mark, best: Best) -> Value {
    if best.reading.is_infinite() {
        return Value::Infinite;
    }
    let (value, attained) = best.reading.value();
    let value = if mark.end == End::High { value } else { -value };
    if attained { Value::Attained(value) } else { Value::Approached(value) }
}

const fn is_attained(value: Value) -> bool {
    matches!(value, Value::Attained(_))
}

/// Whether what was measured at the end of a run shows a value.
fn agrees(value: Value, end: End, measured: Rational) -> bool {
    match (value, end) {
        (Value::None, _) => false,
        (Value::Attained(value), _) => measured == Rational::from_integer(value),
        (Value::Approached(value), End::High) => {
            measured > Rational::from_integer(value - 1) && measured < Rational::from_integer(value)
        }
        (Value::Approached(value), End::Low) => {
            measured > Rational::from_integer(value) && measured < Rational::from_integer(value + 1)
        }
        (Value::Infinite, _) => true,
    }
}
