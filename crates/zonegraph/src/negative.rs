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
