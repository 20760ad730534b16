//! Where a maximal run can end: in time divergence, or in a deadlock `[Tripakis2009]`.
//!
//! A run is maximal if it is infinite, if time diverges after its last transition, or if it reaches a deadlock from
//! which time cannot diverge, because of an invariant or because no delay is possible. The avoided predicate must not
//! hold after any further delay: the valuations for which that is so are the zone without the past of the predicate.
//!
//! Whether time can diverge depends on the invariants alone, so that it is the same for all these valuations of a
//! state. Deadlocks are computed by `deadlock.rs`, and so need exact zones or M-bounds. Delays here move all clocks:
//! models with stopwatches are refused for liveness.

use tourbillon_dbm::{Clock, Dbm, Federation};
use tourbillon_system::RuntimeError;

use crate::graph::{SymbolicState, ZoneGraph};
use crate::{delay, invariant};

/// How a finite maximal run ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Time diverges after its last transition.
    Waits,
    /// In a deadlock from which time cannot diverge.
    Stuck,
}

impl ZoneGraph<'_> {
    /// How a maximal run can end in a prepared state, with a part of the zone in which it does; deadlocks count only if
    /// `stuck`.
    ///
    /// # Errors
    /// If the model fails.
    pub fn ending(
        &mut self,
        state: &SymbolicState,
        stuck: bool,
    ) -> Result<Option<(Ending, Dbm)>, RuntimeError> {
        let Self { system, machine, source_locations, .. } = self;
        let may_delay = delay::is_allowed(
            system,
            machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            source_locations,
            &state.memory,
        )?;
        let delay_safe =
            if may_delay { self.delay_safe(state)? } else { Federation::from(state.zone.clone()) };
        if may_delay {
            for part in delay_safe.zones() {
                if self.time_diverges(state, part)? {
                    return Ok(Some((Ending::Waits, part.clone())));
                }
            }
        }
        if !stuck {
            return Ok(None);
        }
        let Self { system, machine, source_locations, detector, .. } = self;
        for part in delay_safe.zones() {
            let deadlocked = detector.deadlocked(system, machine, source_locations, &state.memory, part)?;
            if let Some(part) = deadlocked.zones().first() {
                return Ok(Some((Ending::Stuck, part.clone())));
            }
        }
        Ok(None)
    }

    /// The valuations of a state from which no delay leads to the avoided predicate.
    fn delay_safe(&mut self, state: &SymbolicState) -> Result<Federation, RuntimeError> {
        let mut delay_safe = Federation::from(state.zone.clone());
        if self.avoider.is_none() {
            return Ok(delay_safe);
        }
        let future = self.future(state, &state.zone)?;
        let Some(avoider) = &mut self.avoider else { return Ok(delay_safe) };
        match avoider.parts(&state.memory, &future)? {
            None => return Ok(Federation::empty(delay_safe.dimension())),
            Some(parts) => {
                for mut part in parts {
                    part.down();
                    delay_safe.subtract_zone(&part);
                }
            }
        }
        Ok(delay_safe)
    }

    /// The delays of a zone within the invariants.
    fn future(&mut self, state: &SymbolicState, zone: &Dbm) -> Result<Dbm, RuntimeError> {
        let mut future = zone.clone();
        future.up();
        let Self { system, machine, source_locations, locals, .. } = self;
        let non_empty =
            invariant::apply(system, machine, source_locations, &state.memory, locals, &mut future)?;
        debug_assert!(non_empty, "no delay is a delay");
        Ok(future)
    }

    fn time_diverges(&mut self, state: &SymbolicState, part: &Dbm) -> Result<bool, RuntimeError> {
        let future = self.future(state, part)?;
        let mut clocks = future.dimension().iter();
        Ok(clocks.all(|clock| future.bound(clock, Clock::REFERENCE).is_infinite()))
    }
}
