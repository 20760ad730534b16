//! Where a transition would assign a negative value to a clock.
//!
//! No clock is negative, so `x := y - 3` is undefined where `y < 3`. What that means depends on the language
//! ([`NegativeClock`]): the transition is disabled, or the model fails. For the first, the zone is restricted
//! (`update.rs`). For the second, a transition whose guards hold for such a valuation is a failure, whatever the
//! invariants of its target: it is tested before these are applied.
//!
//! The writes of a transition give each clock a constant, or the value of some clock before the transition plus a
//! constant. So the valuations for which a write makes a clock negative are a half-space, `y < 3`, of the zone before
//! the transition, and there is one for each write that adds a negative constant.

use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Federation};
use tourbillon_model::NegativeClock;
use tourbillon_system::RuntimeError;

use crate::graph::{SymbolicState, ZoneGraph};
use crate::update::{self, Write};

/// The valuations before a transition for which one of its writes would make a clock negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Negative {
    /// The index of the write.
    pub write: usize,
    /// The constraint that these valuations satisfy; nothing if all valuations do.
    pub within: Option<Constraint>,
}

/// Where writes would make clocks negative, for each write that can; a constant is not tested, since the machine has.
#[inline]
#[must_use]
pub fn negative_writes(writes: &[Write]) -> Vec<Negative> {
    let down = |write: &Write| matches!(*write, Write::Assign(_, _, value) if value < Constant::ZERO);
    if writes.iter().any(down) { find(writes) } else { Vec::new() }
}

#[cold]
fn find(writes: &[Write]) -> Vec<Negative> {
    // For each clock written so far: the clock whose old value it has (the reference for a constant), and the offset.
    let mut origins: Vec<(Clock, Clock, i64)> = Vec::new();
    let mut found = Vec::new();
    for (write, &what) in writes.iter().enumerate() {
        let (target, origin, sum) = match what {
            Write::Reset(target, value) => (target, Clock::REFERENCE, i64::from(value.get())),
            Write::Assign(target, source, value) => {
                let known = origins.iter().find(|&&(clock, ..)| clock == source);
                let (origin, before) = known.map_or((source, 0), |&(_, origin, sum)| (origin, sum));
                (target, origin, before + i64::from(value.get()))
            }
        };
        if sum < 0 {
            let below = |limit: Constant| {
                (origin != Clock::REFERENCE)
                    .then(|| Constraint::new(origin, Clock::REFERENCE, Bound::strict(limit)))
            };
            // No zone without an overflow has a clock beyond the largest constant.
            found.push(Negative { write, within: Constant::new(-sum).ok().and_then(below) });
        }
        origins.retain(|&(clock, ..)| clock != target);
        origins.push((target, origin, sum));
    }
    found
}

impl Negative {
    /// Whether some valuation of a zone is one of these.
    fn is_met(&self, zone: &Dbm) -> bool {
        self.within.is_none_or(|within| zone.admits(within))
    }

    /// The intersection with a zone, if it is not empty.
    fn part(&self, mut zone: Dbm) -> Option<Dbm> {
        self.within.is_none_or(|within| zone.constrain(within)).then_some(zone)
    }
}

/// Adds the valuations of a zone for which the model fails because writes make a clock negative.
pub(crate) fn add_failing(meaning: NegativeClock, writes: &[Write], zone: &Dbm, to: &mut Federation) {
    if meaning == NegativeClock::Fails {
        let parts = negative_writes(writes).into_iter().filter_map(|negative| negative.part(zone.clone()));
        parts.for_each(|part| to.add(part));
    }
}

impl ZoneGraph<'_> {
    /// Fails if the last computed writes make a clock negative for some valuation of the current zone.
    #[inline]
    pub(crate) fn refuse_negative(
        &mut self,
        state: &SymbolicState,
        index: usize,
    ) -> Result<(), RuntimeError> {
        if self.system.negative_clock == NegativeClock::Disables {
            return Ok(());
        }
        let met = negative_writes(&self.writes).into_iter().find(|negative| negative.is_met(&self.zone));
        met.map_or(Ok(()), |negative| Err(self.negative_error(state, index, negative.write)))
    }

    /// The error for a write that makes a clock negative. The update is evaluated again, to find the span of the write.
    #[cold]
    fn negative_error(&mut self, state: &SymbolicState, index: usize, write: usize) -> RuntimeError {
        let Self { system, machine, locals, transitions, next, writes, .. } = self;
        let transition = transitions.get(index);
        let mut found = None;
        let again = update::data_watched(
            system,
            machine,
            transition,
            &state.memory,
            (next, locals, writes),
            &mut |machine, before| {
                let own = write.checked_sub(before).filter(|&own| own < machine.clock_writes.len());
                let span = own.and_then(|own| machine.place_of_shift(&system.program, own));
                found = found.or(own
                    .zip(span)
                    .map(|(own, span)| RuntimeError { kind: machine.clock_writes[own].negative(), span }));
            },
        );
        debug_assert!(again.is_ok(), "it was computed before");
        found.expect("the write comes from an update that adds a negative number")
    }

    /// The part of one of a transition's [`pieces`](Self::pieces) from which the model fails because an update would make a
    /// clock negative, with the error; nothing if it is empty.
    ///
    /// # Errors
    /// If the model fails in another way.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn failing_from(
        &mut self,
        state: &SymbolicState,
        index: usize,
        piece: &Dbm,
    ) -> Result<Option<(Dbm, RuntimeError)>, RuntimeError> {
        if self.system.negative_clock == NegativeClock::Disables {
            return Ok(None);
        }
        self.update(state, index)?;
        for negative in negative_writes(&self.writes) {
            if let Some(part) = negative.part(piece.clone()) {
                return Ok(Some((part, self.negative_error(state, index, negative.write))));
            }
        }
        Ok(None)
    }

    /// The part of a state's zone from which one transition makes the model fail; nothing if it is empty. It is the whole zone
    /// where the error does not depend on clocks.
    pub fn failing_part(&mut self, state: &SymbolicState) -> Option<Dbm> {
        let mut state = state.clone();
        if self.prepare(&mut state).is_err() {
            return Some(state.zone);
        }
        loop {
            let index = match self.next(&state) {
                Ok(Some(index)) => index,
                Ok(None) => return None,
                Err(_) => return Some(state.zone),
            };
            let Ok(pieces) = self.pieces(&state, index) else { return Some(state.zone) };
            let failing =
                pieces.into_iter().find_map(|piece| match self.failing_from(&state, index, &piece) {
                    Ok(Some((part, _))) => Some(part),
                    Ok(None) => {
                        self.follow_from(&state, index, &piece, &mut |_| {}).is_err().then_some(piece)
                    }
                    Err(_) => Some(piece),
                });
            if failing.is_some() {
                return failing;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;
    use tourbillon_model::{ClockId, EvalErrorKind, ExprId, Language};

    use super::*;
    use crate::graph::Options;
    use crate::testing::{Network, UNIT, assert_points, points, satisfies, state, successors};

    /// For each point, the writes that would make a clock negative, by arithmetic on the values.
    #[test]
    fn a_write_is_negative_in_a_half_space_of_the_values_before_the_transition() {
        let network = Network::new(&["x", "y"]);
        let (x, y) = (network.clock("x"), network.clock("y"));
        let assign = |target, source, value: i16| Write::Assign(target, source, value.into());
        let lists = [
            vec![assign(x, y, -3)],
            vec![assign(x, y, 2), assign(y, x, -3)],
            vec![assign(x, x, -1), assign(x, x, -1), assign(y, y, 1)],
            vec![assign(x, x, -1); 3],
            vec![Write::Reset(x, 2.into()), assign(y, x, -3), assign(x, x, -2)],
            vec![assign(x, y, 5), Write::Reset(y, 0.into()), assign(y, x, -6)],
        ];
        for writes in lists {
            let found = negative_writes(&writes);
            for point in points(2, 5) {
                let mut values = point.clone();
                let mut expected = Vec::new();
                for (index, write) in writes.iter().enumerate() {
                    let (target, value) = match *write {
                        Write::Reset(target, value) => (target, i64::from(value.get()) * UNIT),
                        Write::Assign(target, source, value) => {
                            (target, values[source.index() - 1] + i64::from(value.get()) * UNIT)
                        }
                    };
                    values[target.index() - 1] = value;
                    if value < 0 {
                        expected.push(index);
                    }
                }
                let met = found
                    .iter()
                    .filter(|negative| negative.within.is_none_or(|within| satisfies(&point, &[within])));
                assert_eq!(met.map(|negative| negative.write).collect::<Vec<_>>(), expected, "{writes:?}");
            }
        }
    }

    #[test]
    fn writes_that_add_nothing_negative_are_not_examined() {
        let network = Network::new(&["x", "y"]);
        let (x, y) = (network.clock("x"), network.clock("y"));
        assert_eq!(negative_writes(&[Write::Reset(x, 0.into()), Write::Assign(y, x, 3.into())]), []);
    }

    /// `x >= 1`, then `y = x + 1, x = y - 4`: negative for `x < 3`. The expression is that of the second update.
    fn network(language: Language) -> (Network, ExprId) {
        let mut network = Network::of_language(language, &["x", "y"]);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        network.guard(edge, "x>=1");
        network.assign(edge, "y", "x", 1);
        let second = network.assign(edge, "x", "y", -4);
        (network, second)
    }

    #[test]
    fn a_negative_value_is_a_failure_in_one_language() {
        let (network, second) = network(Language::Uppaal);
        let system = network.compile();
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let error = graph.expand(&mut state(&system, &network.zone("x<=4")), &mut |_| {}).unwrap_err();
        let clock = ClockId::from_index;
        let kind = EvalErrorKind::NegativeClock { clock: clock(0), source: Some(clock(1)), value: -4 };
        assert_eq!((error.kind, error.span), (kind, network.model.exprs[second].span));
        // Neither where the guard does not hold nor where the values are not negative.
        for zone in ["x<1", "x>=3"] {
            graph.expand(&mut state(&system, &network.zone(zone)), &mut |_| {}).unwrap();
        }
    }

    #[test]
    fn a_negative_value_disables_the_transition_in_the_other_language() {
        let (network, _) = network(Language::TChecker);
        let system = network.compile();
        assert_eq!(successors(&system, &network.zone("x<3")).len(), 0);
        let found = successors(&system, &network.zone("x<=4"));
        // From 3 <= x <= 4: x is x - 3 and y is x + 1, before a delay.
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].2, network.zone("y-x==4"));
    }

    #[test]
    fn the_failing_part_is_that_of_the_guard_and_the_half_space() {
        let (network, _) = network(Language::Uppaal);
        let system = network.compile();
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let mut prepared = state(&system, &network.zone("x<=4"));
        let part = graph.failing_part(&prepared).expect("the model fails");
        let expected = network.constraints("x>=1, x<3");
        assert_points(std::slice::from_ref(&part), 2, 5, |point| satisfies(point, &expected));
        graph.prepare(&mut prepared).unwrap();
        let pieces = graph.pieces(&prepared, 0).unwrap();
        let (failing, _) = graph.failing_from(&prepared, 0, &pieces[0]).unwrap().expect("the model fails");
        assert_eq!(failing, part);
        assert_eq!(graph.failing_part(&state(&system, &network.zone("x>=3"))), None);
    }

    /// A division by 0 does not depend on clocks: the whole guarded zone fails.
    #[test]
    fn an_error_of_data_fails_in_the_whole_guarded_zone() {
        let mut network = Network::new(&["x"]);
        let v = network.cell(0);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        network.guard(edge, "x>=2");
        let (one, zero) = (network.int(1), network.load(&v));
        let quotient = network.binary(tourbillon_model::BinaryOp::Divide, one, zero);
        let update = network.set(&v, quotient);
        network.update(edge, update);
        let system = network.compile();
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let part = graph.failing_part(&state(&system, &network.zone("x<=4")));
        assert_eq!(part, Some(network.zone("x>=2, x<=4")));
        assert_eq!(graph.failing_part(&state(&system, &network.zone("x<2"))), None);
    }
}
