//! The best values so far, and the look at each state.
//!
//! Both ends are one: the least value of something is the greatest of its negation, and a zone bounds `0 - x` as it
//! bounds `x`. A reading is twice the value, less one if it is only approached, so that readings compare as values do.
//!
//! Most states improve nothing, and that is seen before anything is computed but the measure itself: a state is asked
//! for the condition only if its whole zone would improve some mark. A measure that has no value in a state (an index
//! out of range, a division by zero) is a failure of the model only where the condition holds.

use tourbillon_dbm::{Bound, Clock, ClockBounds, Dbm};
use tourbillon_search::{Ended, Expansion, Failure, Observer};
use tourbillon_store::{NodeId, PassedWaiting};
use tourbillon_system::{Gauge, Predicate, RuntimeError, System};
use tourbillon_zonegraph::{PredicateEvaluator, Successor};

use super::End;
use super::pump::Pump;

/// A value that something can have or approach, or that there is no end of values; negated at the low end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Reading(i64);

impl Reading {
    const INFINITE: Self = Self(i64::MAX);

    const fn attained(value: i64) -> Self {
        Self(2 * value)
    }

    /// The greatest value that a bound allows, with something added.
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

/// What is looked for: one end of one measure.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) measure: usize,
    pub(super) end: End,
    gauge: Gauge,
    pub(super) best: Option<Best>,
}

/// The best value so far, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) reading: Reading,
    pub(super) node: NodeId,
    pub(super) sight: Sight,
}

/// What a mark measures in a discrete state: a clock if there is one, plus a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) clock: Option<Clock>,
    pub(super) data: i32,
}

impl Mark {
    pub(super) const fn new(measure: usize, gauge: Gauge, end: End) -> Self {
        Self { measure, end, gauge, best: None }
    }

    fn reading(&self, sight: Sight, zone: &Dbm) -> Reading {
        let (sign, data) = (if self.end == End::High { 1 } else { -1 }, i64::from(sight.data));
        match (sight.clock, self.end) {
            (None, _) => Reading::attained(sign * data),
            (Some(clock), End::High) => Reading::of_bound(zone.bound(clock, Clock::REFERENCE), data),
            (Some(clock), End::Low) => Reading::of_bound(zone.bound(Clock::REFERENCE, clock), -data),
        }
    }

    fn is_improved_by(&self, reading: Reading) -> bool {
        self.best.is_none_or(|best| reading > best.reading)
    }

    fn improve(&mut self, sight: Sight, zone: &Dbm, node: NodeId) {
        let reading = self.reading(sight, zone);
        if self.is_improved_by(reading) {
            self.best = Some(Best { reading, node, sight });
        }
    }

    /// Whether nothing can be better.
    fn is_settled(&self) -> bool {
        let zero = self.end == End::Low && self.gauge.clock.is_some() && self.gauge.data.is_none();
        self.best
            .is_some_and(|best| best.reading.is_infinite() || (zero && best.reading == Reading::attained(0)))
    }
}

/// A state that was stored.
#[derive(Clone, Copy)]
pub(super) struct StoredState<'a> {
    pub(super) node: NodeId,
    /// Locations and data.
    pub(super) memory: &'a [i32],
    pub(super) zone: &'a Dbm,
    /// The clock bounds of its discrete state.
    pub(super) bounds: &'a ClockBounds,
    /// The list, for the path to the node.
    pub(super) list: &'a dyn PassedWaiting,
}

/// The observer that keeps the best value of each mark.
pub(super) struct Record<'s> {
    evaluator: PredicateEvaluator<'s>,
    condition: &'s Predicate,
    frame: u32,
    marks: Vec<Mark>,
    pump: Option<Pump<'s>>,
    /// The marks that a state may improve, with what they measure there.
    hopes: Vec<(usize, Sight)>,
    /// Whether the condition holds in a part of some state that no zone can hold, so that nothing was measured in it.
    overflowed: bool,
    /// Why the search is to end, if it is.
    ended: Option<Ended>,
}

impl<'s> Record<'s> {
    pub(super) fn new(system: &'s System, condition: &'s Predicate, frame: u32, marks: Vec<Mark>) -> Self {
        let evaluator = PredicateEvaluator::new(system);
        Self {
            evaluator,
            condition,
            frame,
            marks,
            pump: None,
            hopes: Vec::new(),
            overflowed: false,
            ended: None,
        }
    }

    /// Looks for loops as well.
    pub(super) fn pump_with(&mut self, pump: Pump<'s>) {
        self.pump = Some(pump);
    }

    /// Whether something was not measured, since clocks are larger there than a zone can hold.
    pub(super) const fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn into_marks(self) -> Vec<Mark> {
        self.marks
    }

    /// Finds the marks that a state would improve if the condition held in all of it. Returns a failure to measure.
    fn hope(&mut self, stored: &StoredState<'_>) -> Option<RuntimeError> {
        self.hopes.clear();
        let mut failure = None;
        for (index, mark) in self.marks.iter().enumerate() {
            match self.evaluator.read(&mark.gauge, self.frame, stored.memory) {
                Ok((clock, data)) => {
                    let sight = Sight { clock, data };
                    if mark.is_improved_by(mark.reading(sight, stored.zone)) {
                        self.hopes.push((index, sight));
                    }
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure
    }

    fn measure(&mut self, stored: &StoredState<'_>) -> Result<(), RuntimeError> {
        let failure = self.hope(stored);
        if self.hopes.is_empty() && failure.is_none() {
            return Ok(());
        }
        let Self { evaluator, condition, marks, hopes, overflowed, .. } = self;
        let mut met = false;
        let mut improve = |part: &Dbm| {
            met = true;
            hopes.iter().for_each(|&(index, sight)| marks[index].improve(sight, part, stored.node));
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
        failure.filter(|_| met).map_or(Ok(()), Err)
    }
}

impl Record<'_> {
    /// Offers a zone at the discrete state of a successor, and then the limits of the loops through it.
    fn offer_with_limits(&mut self, successor: &Successor<'_>, zone: &Dbm, expansion: &mut Expansion<'_>) {
        let mut limit = self.offer(successor, zone, expansion);
        while let Some(zone) = limit {
            limit = self.offer(successor, &zone, expansion);
        }
    }

    /// Offers a zone, unless the search is to end. Returns the limit of a loop through the stored state, if one is found.
    fn offer(&mut self, successor: &Successor<'_>, zone: &Dbm, expansion: &mut Expansion<'_>) -> Option<Dbm> {
        if self.ended.is_some() || expansion.has_overflowed() {
            return None;
        }
        let node = expansion.offer_zone(successor, zone)?;
        let Successor { memory, bounds, .. } = *successor;
        let stored = StoredState { node, memory, zone, bounds, list: expansion.list() };
        if let Err(error) = self.measure(&stored) {
            self.ended = Some(Failure { node: Some(node), error }.ended());
        } else if self.marks.iter().all(Mark::is_settled) {
            self.ended = Some(Ended::Enough);
        } else {
            return self.pump.as_mut()?.limit(&stored);
        }
        None
    }
}

impl Observer for Record<'_> {
    fn successor(&mut self, successor: &Successor<'_>, expansion: &mut Expansion<'_>) {
        let rest = self.pump.as_ref().and_then(|pump| pump.trim(successor.memory, successor.zone));
        match rest {
            None => self.offer_with_limits(successor, successor.zone, expansion),
            Some(rest) => rest.iter().for_each(|part| self.offer_with_limits(successor, part, expansion)),
        }
    }

    fn ended(&self) -> Option<Ended> {
        self.ended.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_compare_as_values_do() {
        let attained = Reading::attained(3);
        let approached = Reading::of_bound(Bound::strict(3.into()), 0);
        assert!(Reading::attained(2) < approached && approached < attained && attained < Reading::INFINITE);
        assert_eq!((attained.value(), approached.value()), ((3, true), (3, false)));
        assert_eq!(Reading::of_bound(Bound::weak(1.into()), 2), attained);
        assert_eq!(Reading::of_bound(Bound::strict((-2).into()), 0).value(), (-2, false));
        assert!(Reading::of_bound(Bound::INFINITY, -5).is_infinite());
    }
}
