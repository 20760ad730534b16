//! Where a step would assign a negative value to a clock.
//!
//! No clock is negative, so `x := y - 3` has no meaning where `y < 3`. What that comes to is a matter of the language
//! ([`NegativeClock`]): there is no such step, or the model fails. The first takes nothing but to cut the zone
//! (`update.rs`). For the second, a step that has its guards satisfied at such a point is a failure, whatever the
//! invariants of where it leads: it is looked for before these are.
//!
//! What the writes of a step assign is, for each clock, a number or the value that some clock had before the step plus a
//! number. So the points from which a write makes a clock negative are a half-space, `y < 3`, of the zone before the
//! step, and there is one for each write that adds a negative number.

use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Federation};
use tourbillon_model::NegativeClock;
use tourbillon_system::RuntimeError;

use crate::graph::{SymbolicState, ZoneGraph};
use crate::update::{self, Write};

/// The points before a step from which one of its writes would make a clock negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Negative {
    /// The number of the write.
    pub write: usize,
    /// What holds at these points; nothing if it is all of them.
    pub within: Option<Constraint>,
}

/// Where writes would make clocks negative; nothing if none of them can.
#[inline]
#[must_use]
pub fn negative_writes(writes: &[Write]) -> Vec<Negative> {
    let down = |write: &Write| matches!(*write, Write::Assign(_, _, value) if value < Constant::ZERO);
    if writes.iter().any(down) { find(writes) } else { Vec::new() }
}

#[cold]
fn find(writes: &[Write]) -> Vec<Negative> {
    // For each clock that was written so far: whose value it has, or that of the reference, and what is added.
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
    /// Whether some point of a zone is one of these.
    fn is_met(&self, zone: &Dbm) -> bool {
        self.within.is_none_or(|within| zone.admits(within))
    }

    /// These points of a zone, if there are any.
    fn part(&self, mut zone: Dbm) -> Option<Dbm> {
        self.within.is_none_or(|within| zone.constrain(within)).then_some(zone)
    }
}

/// Adds the points of a zone at which the model fails since writes make a clock negative.
pub(crate) fn add_failing(meaning: NegativeClock, writes: &[Write], zone: &Dbm, to: &mut Federation) {
    if meaning == NegativeClock::Fails {
        let parts = negative_writes(writes).into_iter().filter_map(|negative| negative.part(zone.clone()));
        parts.for_each(|part| to.add(part));
    }
}

impl ZoneGraph<'_> {
    /// That the transition whose writes are at hand fails nowhere in the zone at hand by making a clock negative.
    #[inline]
    pub(crate) fn refuse_negative(
        &mut self,
        state: &SymbolicState,
        place: usize,
    ) -> Result<(), RuntimeError> {
        if self.system.negative_clock == NegativeClock::Disables {
            return Ok(());
        }
        let met = negative_writes(&self.writes).into_iter().find(|negative| negative.is_met(&self.zone));
        met.map_or(Ok(()), |negative| Err(self.negative_error(state, place, negative.write)))
    }

    /// What is said of a write that makes a clock negative. It is computed once more, to find where it stands.
    #[cold]
    fn negative_error(&mut self, state: &SymbolicState, place: usize, write: usize) -> RuntimeError {
        let Self { system, machine, locals, transitions, next, writes, .. } = self;
        let transition = transitions.get(place);
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

    /// The part of one of a transition's [`pieces`](Self::pieces) from which the model fails since an update would make a
    /// clock negative, and how; nothing if there is none.
    ///
    /// # Errors
    /// If the model fails in another way.
    ///
    /// # Panics
    /// As [`follow`](Self::follow).
    pub fn failing_from(
        &mut self,
        state: &SymbolicState,
        place: usize,
        piece: &Dbm,
    ) -> Result<Option<(Dbm, RuntimeError)>, RuntimeError> {
        if self.system.negative_clock == NegativeClock::Disables {
            return Ok(None);
        }
        self.update(state, place)?;
        for negative in negative_writes(&self.writes) {
            if let Some(part) = negative.part(piece.clone()) {
                return Ok(Some((part, self.negative_error(state, place, negative.write))));
            }
        }
        Ok(None)
    }

    /// The part of a state's zone from which the model fails by one step; nothing if there is none. Where it fails as soon as it is
    /// looked at, whatever clocks show, it is the whole.
    pub fn failing_part(&mut self, state: &SymbolicState) -> Option<Dbm> {
        let mut state = state.clone();
        if self.prepare(&mut state).is_err() {
            return Some(state.zone);
        }
        loop {
            let place = match self.next(&state) {
                Ok(Some(place)) => place,
                Ok(None) => return None,
                Err(_) => return Some(state.zone),
            };
            let Ok(pieces) = self.pieces(&state, place) else { return Some(state.zone) };
            let failing =
                pieces.into_iter().find_map(|piece| match self.failing_from(&state, place, &piece) {
                    Ok(Some((part, _))) => Some(part),
                    Ok(None) => {
                        self.follow_from(&state, place, &piece, &mut |_| {}).is_err().then_some(piece)
                    }
                    Err(_) => Some(piece),
                });
            if failing.is_some() {
                return failing;
            }
        }
    }
}
