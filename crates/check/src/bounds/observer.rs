//! The observer that measures each stored state and keeps the best values.
//!
//! Suprema and infima are one case: the infimum of a measure is the supremum of its negation, and a zone bounds `0 - x` as it bounds
//! `x`. An encoded value is twice the value, less one if it is not attained, so that encoded values compare as values do.
//!
//! Most states improve no value, which is seen from the measure alone: the condition is evaluated only if the whole zone would improve
//! some value. A measure without a value in a state (an index out of range, a division by zero) is a failure of the model only where
//! the condition holds.

use tourbillon_dbm::{Bound, Clock, ClockBounds, Dbm};
use tourbillon_search::{Ended, Expansion, Failure, Observer, RoundObserver};
use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::{Gauge, Predicate, RuntimeError, System};
use tourbillon_zonegraph::{PredicateEvaluator, Successor};

use super::End;
use super::acceleration::Acceleration;

/// A supremum of values, encoded; negated for an infimum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EncodedValue(i64);

impl EncodedValue {
    const INFINITE: Self = Self(i64::MAX);

    const fn attained(value: i64) -> Self {
        Self(2 * value)
    }

    /// The greatest value that a bound allows, plus an offset.
    fn of_bound(bound: Bound, offset: i64) -> Self {
        bound.constant().map_or(Self::INFINITE, |constant| {
            Self(2 * (i64::from(constant.get()) + offset) - i64::from(bound.is_strict()))
        })
    }

    pub(super) fn is_infinite(self) -> bool {
        self == Self::INFINITE
    }

    /// The value, and whether it is attained.
    pub(super) const fn value(self) -> (i64, bool) {
        ((self.0 + 1).div_euclid(2), self.0 % 2 == 0)
    }
}

/// One end of one measure, with its best value.
#[derive(Clone, Debug)]
pub(super) struct MeasuredEnd {
    pub(super) measure: usize,
    pub(super) end: End,
    gauge: Gauge,
    pub(super) best: Option<BestValue>,
}

/// The best value so far, with its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestValue {
    pub(super) value: EncodedValue,
    pub(super) node: NodeId,
    pub(super) term: MeasuredTerm,
}

/// A measure in a discrete state: a clock, if there is one, plus a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredTerm {
    pub(super) clock: Option<Clock>,
    pub(super) data: i32,
}

impl MeasuredEnd {
    pub(super) const fn new(measure: usize, gauge: Gauge, end: End) -> Self {
        Self { measure, end, gauge, best: None }
    }

    fn value(&self, term: MeasuredTerm, zone: &Dbm) -> EncodedValue {
        let (sign, data) = (if self.end == End::High { 1 } else { -1 }, i64::from(term.data));
        match (term.clock, self.end) {
            (None, _) => EncodedValue::attained(sign * data),
            (Some(clock), End::High) => EncodedValue::of_bound(zone.bound(clock, Clock::REFERENCE), data),
            (Some(clock), End::Low) => EncodedValue::of_bound(zone.bound(Clock::REFERENCE, clock), -data),
        }
    }

    fn is_improved_by(&self, value: EncodedValue) -> bool {
        self.best.is_none_or(|best| value > best.value)
    }

    fn improve(&mut self, term: MeasuredTerm, zone: &Dbm, node: NodeId) {
        let value = self.value(term, zone);
        if self.is_improved_by(value) {
            self.best = Some(BestValue { value, node, term });
        }
    }

    /// Whether no value is better.
    fn is_settled(&self) -> bool {
        let zero = self.end == End::Low && self.gauge.clock.is_some() && self.gauge.data.is_none();
        self.best
            .is_some_and(|best| best.value.is_infinite() || (zero && best.value == EncodedValue::attained(0)))
    }
}

/// A state that was stored.
#[derive(Clone, Copy)]
pub(super) struct StoredState<'a> {
    pub(super) node: NodeId,
    pub(super) memory: &'a [i32],
    pub(super) zone: &'a Dbm,
    /// The clock bounds of its discrete state.
    pub(super) bounds: &'a ClockBounds,
    /// The list, for the path to the node.
    pub(super) list: &'a dyn PassedWaiting,
}

/// The observer that keeps the best value of each measured end.
pub(super) struct BoundsObserver<'s> {
    system: &'s System,
    evaluator: PredicateEvaluator<'s>,
    condition: &'s Predicate,
    frame: u32,
    ends: Vec<MeasuredEnd>,
    acceleration: Option<Acceleration<'s>>,
    /// The ends that a state may improve, with their terms there.
    candidates: Vec<(usize, MeasuredTerm)>,
    /// Whether the zone of a measured part of some state has overflowed.
    overflowed: bool,
    /// How the search ends, if it does.
    ended: Option<Ended>,
}

impl<'s> BoundsObserver<'s> {
    pub(super) fn new(
        system: &'s System,
        condition: &'s Predicate,
        frame: u32,
        ends: Vec<MeasuredEnd>,
    ) -> Self {
        let evaluator = PredicateEvaluator::new(system);
        Self {
            system,
            evaluator,
            condition,
            frame,
            ends,
            acceleration: None,
            candidates: Vec::new(),
            overflowed: false,
            ended: None,
        }
    }

    /// Accelerates cycles as well.
    pub(super) fn accelerate_with(&mut self, acceleration: Acceleration<'s>) {
        self.acceleration = Some(acceleration);
    }

    /// Whether a part of some state was not measured because its zone has overflowed.
    pub(super) const fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Whether some cycle was accelerated.
    pub(super) fn has_accelerated(&self) -> bool {
        self.acceleration.as_ref().is_some_and(Acceleration::has_limits)
    }

    pub(super) fn ends(&self) -> &[MeasuredEnd] {
        &self.ends
    }

    /// Finds the ends that a state would improve if it satisfied the condition everywhere. Returns a failure to measure.
    fn find_candidates(&mut self, stored: &StoredState<'_>) -> Option<RuntimeError> {
        self.candidates.clear();
        let mut failure = None;
        for (index, measured_end) in self.ends.iter().enumerate() {
            match self.evaluator.read(&measured_end.gauge, self.frame, stored.memory) {
                Ok((clock, data)) => {
                    let term = MeasuredTerm { clock, data };
                    if measured_end.is_improved_by(measured_end.value(term, stored.zone)) {
                        self.candidates.push((index, term));
                    }
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure
    }

    fn measure(&mut self, stored: &StoredState<'_>) -> Result<(), RuntimeError> {
        let failure = self.find_candidates(stored);
        if self.candidates.is_empty() && failure.is_none() {
            return Ok(());
        }
        let Self { evaluator, condition, ends, candidates, overflowed, .. } = self;
        let mut satisfied = false;
        let mut improve = |part: &Dbm| {
            satisfied = true;
            candidates.iter().for_each(|&(index, term)| ends[index].improve(term, part, stored.node));
        };
        let everywhere = evaluator.meet_each(condition, stored.memory, stored.zone, &mut |part| {
            if part.overflowed() {
                *overflowed = true;
            } else {
                improve(&part);
            }
            false
        })?;
        if everywhere {
            improve(stored.zone);
        }
        failure.filter(|_| satisfied).map_or(Ok(()), Err)
    }
}

impl BoundsObserver<'_> {
    /// Offers a zone at the discrete state of a successor, and then the limits of the cycles through it.
    fn offer_with_limits(&mut self, successor: &Successor<'_>, zone: &Dbm, expansion: &mut Expansion<'_>) {
        let mut limit = self.offer(successor, zone, expansion);
        while let Some(zone) = limit {
            limit = self.offer(successor, &zone, expansion);
        }
    }

    /// Offers a zone, unless the search ends. Returns the limit of a cycle through the stored state, if one is found.
    fn offer(&mut self, successor: &Successor<'_>, zone: &Dbm, expansion: &mut Expansion<'_>) -> Option<Dbm> {
        if self.ended.is_some() || expansion.has_overflowed() {
            return None;
        }
        let node = expansion.offer_zone(successor, zone)?;
        let Successor { memory, bounds, .. } = *successor;
        let stored = StoredState { node, memory, zone, bounds, list: expansion.list() };
        if let Err(error) = self.measure(&stored) {
            self.ended = Some(Failure { node: Some(node), error }.ended());
        } else if self.ends.iter().all(MeasuredEnd::is_settled) {
            self.ended = Some(Ended::Enough);
        } else {
            return self.acceleration.as_mut()?.limit(&stored);
        }
        None
    }
}

impl Observer for BoundsObserver<'_> {
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let rest = self
            .acceleration
            .as_ref()
            .and_then(|acceleration| acceleration.trim(successor.memory, successor.zone));
        match rest {
            None => self.offer_with_limits(successor, successor.zone, expansion),
            Some(rest) => rest.iter().for_each(|part| self.offer_with_limits(successor, part, expansion)),
        }
    }

    fn ended(&self) -> Option<Ended> {
        self.ended.clone()
    }
}

/// Of the states of a round that attain the best value, the first is stored: a state that covers it has a value that is at least as
/// good, and would be it. A failure counts where it came first, before the values that were measured after it.
impl RoundObserver for BoundsObserver<'_> {
    fn part(&self) -> Self {
        debug_assert!(self.acceleration.is_none(), "cycles are found along the paths to single nodes");
        Self::new(self.system, self.condition, self.frame, self.ends.clone())
    }

    fn renumber(&mut self, node: &dyn Fn(NodeId) -> Option<NodeId>) {
        // Without traces a deleted node has no new id, and no path that would be asked for.
        for best in self.ends.iter_mut().filter_map(|end| end.best.as_mut()) {
            best.node = node(best.node).unwrap_or(best.node);
        }
    }

    fn join(&mut self, part: Self, node: &dyn Fn(NodeId) -> Option<NodeId>) {
        if self.ended.is_some() {
            return;
        }
        for (end, part) in self.ends.iter_mut().zip(part.ends) {
            if let Some(best) = part.best.filter(|best| end.is_improved_by(best.value))
                && let Some(node) = node(best.node)
            {
                end.best = Some(BestValue { node, ..best });
            }
        }
        self.overflowed |= part.overflowed;
        self.ended = match part.ended {
            Some(Ended::Failed(failure)) => {
                failure.node.and_then(node).map(|node| Failure { node: Some(node), ..failure }.ended())
            }
            ended @ Some(Ended::Exhausted(_)) => ended,
            _ => self.ends.iter().all(MeasuredEnd::is_settled).then_some(Ended::Enough),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_values_compare_as_values_do() {
        let attained = EncodedValue::attained(3);
        let approached = EncodedValue::of_bound(Bound::strict(3.into()), 0);
        assert!(
            EncodedValue::attained(2) < approached
                && approached < attained
                && attained < EncodedValue::INFINITE
        );
        assert_eq!((attained.value(), approached.value()), ((3, true), (3, false)));
        assert_eq!(EncodedValue::of_bound(Bound::weak(1.into()), 2), attained);
        assert_eq!(EncodedValue::of_bound(Bound::strict((-2).into()), 0).value(), (-2, false));
        assert!(EncodedValue::of_bound(Bound::INFINITY, -5).is_infinite());
    }
}
