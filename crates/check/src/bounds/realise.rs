//! From a value to a run that shows it.
//!
//! A value that is attained has a run whose last state has it; one that is approached, a run that ends less than 1 away from it; and
//! an infinite one, a run to a state from which the measure grows without bound, by a delay or by repeating the last transitions of
//! the run. Each run is replayed, and the measure is evaluated in its last state by the replay, which shares no code with the engine.
//!
//! Zones over-approximate stopwatches. There a value counts only if a run attains it, along the path that zones found or another one
//! that a search with polyhedra finds; if there is none, the value is only a bound.

use tourbillon_base::Rational;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint};
use tourbillon_replay::Semantics;
use tourbillon_search::{Budget, Search};
use tourbillon_store::NodeId;
use tourbillon_zonegraph::Options;

use super::observer::{BestValue, MeasuredEnd};
use super::{BoundsChecker, End};
use crate::answer::{Extreme, Known, Value};
use crate::path::{self, Goal, RealiseError, Witness};
use crate::plan::TraceKind;
use crate::polyhedra::explore::{Exploration, PolyhedraResult};
use crate::route::PathStep;

/// The search and the property whose values are realised.
pub(super) struct ValueRealiser<'a> {
    pub(super) checker: BoundsChecker<'a>,
    pub(super) search: &'a Search<'a>,
    /// The options of the graph that was searched.
    pub(super) options: &'a Options,
}

impl ValueRealiser<'_> {
    /// The value of a measured end, and why it is not known exactly, if no run shows it.
    pub(super) fn extreme(
        &self,
        measured_end: &MeasuredEnd,
        complete: bool,
        budget: &mut Budget<'_>,
    ) -> (Extreme, Option<String>) {
        let known = if complete { Known::Exactly } else { Known::SoFar };
        let Some(best) = measured_end.best else {
            return (Extreme { value: Value::None, known, witness: None }, None);
        };
        let value = value(measured_end, best);
        let over_approximates = self.checker.plan().over_approximates;
        if self.checker.plan().trace == TraceKind::None && !over_approximates {
            return (Extreme { value, known, witness: None }, None);
        }
        match self.show(measured_end, best, value, budget) {
            Ok(witness) => (Extreme { value, known, witness }, None),
            Err(error) => {
                debug_assert!(
                    over_approximates || matches!(error, RealiseError::Failed(_) | RealiseError::Interrupted),
                    "an exact plan found a value that is none: {error:?}"
                );
                let known = if complete { Known::NotBeyond } else { Known::Nothing };
                (Extreme { value, known, witness: None }, Some(error.to_string()))
            }
        }
    }

    /// A run to a node from which the model fails, if there is one.
    pub(super) fn run_to_failure(&self, node: NodeId) -> Option<Witness> {
        let prepared = self.checker.prepared;
        self.with_steps(node, |steps| path::realise_failure(prepared.model(), prepared.system(), steps)).ok()
    }

    fn show(
        &self,
        measured_end: &MeasuredEnd,
        best: BestValue,
        value: Value,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Witness>, RealiseError> {
        let near = self.near(measured_end, best);
        let mut shown = self.realise(best.node, near);
        if shown.is_err() && best.value.is_infinite() {
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
            .measured(&bounds.measures[measured_end.measure], bounds.condition.frame, last)
            .map_err(|violation| RealiseError::Failed(violation.explain(model)))?;
        let certain = is_attained(value) || !self.checker.plan().over_approximates;
        if certain && agrees(value, measured_end.end, measured) {
            return Ok(Some(witness));
        }
        Err(RealiseError::Rejected(format!("the run ends with {measured}")))
    }

    /// A run that ends with the clock of a measured end in range, found with polyhedra.
    fn search_exactly(&self, near: Constraint, budget: &mut Budget<'_>) -> Option<Witness> {
        let prepared = self.checker.prepared;
        let goal = Some(self.goal(Some(near)));
        let exploration = Exploration::new(prepared.system(), prepared.analysis(), goal);
        match exploration.without_abstraction().run(budget) {
            PolyhedraResult::Found(run) => path::replayed(prepared.model(), run, goal).ok(),
            _ => None,
        }
    }

    /// The range of the clock of a measured end at the end of its run.
    fn near(&self, measured_end: &MeasuredEnd, best: BestValue) -> Option<Constraint> {
        let clock = best.term.clock?;
        let bound_constant = |value: i64| Constant::new(value).ok();
        if best.value.is_infinite() {
            let constant = self.checker.prepared.analysis().global.maximum(clock).unwrap_or(Constant::ZERO);
            return Some(at_least(clock, Bound::strict(constant.negated())));
        }
        // For an infimum, value and limit are negated.
        let (value, attained) = best.value.value();
        let sign = if measured_end.end == End::High { 1 } else { -1 };
        let limit = value - sign * i64::from(best.term.data);
        let bound = if attained {
            Bound::weak(bound_constant(-limit)?)
        } else {
            Bound::strict(bound_constant(1 - limit)?)
        };
        Some(match measured_end.end {
            End::High => at_least(clock, bound),
            End::Low => Constraint::upper(clock, bound),
        })
    }

    /// A run to a state of a node that satisfies the condition, and the constraint on the clock if there is one.
    fn realise(&self, node: NodeId, deadline: Option<Constraint>) -> Result<Witness, RealiseError> {
        let prepared = self.checker.prepared;
        let goal = Some(self.goal(deadline));
        self.with_steps(node, |steps| path::realise(prepared.model(), prepared.system(), steps, goal))
    }

    /// Passes on the steps of the path to a node.
    fn with_steps(
        &self,
        node: NodeId,
        realise: impl FnOnce(&[PathStep<'_>]) -> Result<Witness, RealiseError>,
    ) -> Result<Witness, RealiseError> {
        let path = self.search.path(node).ok_or(RealiseError::Infeasible)?;
        self.checker.prepared.with_steps(&path, self.options.clone(), realise)
    }

    /// A state that satisfies the condition, and the constraint on the clock if there is one.
    fn goal(&self, deadline: Option<Constraint>) -> Goal<'_> {
        let formula = self.checker.bounds.condition;
        Goal { predicate: self.checker.condition(), formula, deadline }
    }
}

/// `0 - clock` is within a bound.
const fn at_least(clock: Clock, bound: Bound) -> Constraint {
    Constraint::new(Clock::REFERENCE, clock, bound)
}

fn value(measured_end: &MeasuredEnd, best: BestValue) -> Value {
    if best.value.is_infinite() {
        return Value::Infinite;
    }
    let (value, attained) = best.value.value();
    let value = if measured_end.end == End::High { value } else { -value };
    if attained { Value::Attained(value) } else { Value::Approached(value) }
}

const fn is_attained(value: Value) -> bool {
    matches!(value, Value::Attained(_))
}

/// Whether the measure at the end of a run confirms a value.
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
