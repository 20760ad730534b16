//! Where a run can end: states in which waiting for ever, or being stuck, is all that has to happen.
//!
//! A run is maximal if it goes on for ever, if it waits for ever after its last step, or if it comes to where no step
//! is possible any more, whatever delay comes first, and time cannot pass for ever either: it is stuck at an
//! invariant, or where time stands still. What is to be avoided must not happen from there on, for any delay that
//! is still possible; the points where that is so are the zone without the past of what is to be avoided.
//!
//! Whether time can pass for ever is a matter of invariants, so that it is the same for a whole zone of a state but for
//! those points. Whether no step is possible is asked of `deadlock.rs`, and so needs exact zones or M-bounds.

use tourbillon_dbm::{Clock, Dbm, Federation};
use tourbillon_system::RuntimeError;

use crate::graph::{SymbolicState, ZoneGraph};
use crate::{delay, invariant};

/// How a run can end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// It waits for ever.
    Waits,
    /// No step is possible any more, and time ends.
    Stuck,
}

impl ZoneGraph<'_> {
    /// How, and from which part of its zone on, a run can end in a prepared state; being stuck counts if `stuck`.
    ///
    /// # Errors
    /// If the model fails.
    pub fn ending(
        &mut self,
        state: &SymbolicState,
        stuck: bool,
    ) -> Result<Option<(Ending, Dbm)>, RuntimeError> {
        let Self { system, machine, here, .. } = self;
        let may_wait = delay::is_allowed(
            system,
            machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            here,
            &state.memory,
        )?;
        let settled = if may_wait { self.settled(state)? } else { Federation::from(state.zone.clone()) };
        if may_wait {
            for part in settled.zones() {
                if self.waits_for_ever(state, part)? {
                    return Ok(Some((Ending::Waits, part.clone())));
                }
            }
        }
        if !stuck {
            return Ok(None);
        }
        let Self { system, machine, here, detector, .. } = self;
        for part in settled.zones() {
            let deadlocked = detector.deadlocked(system, machine, here, &state.memory, part)?;
            if let Some(part) = deadlocked.zones().first() {
                return Ok(Some((Ending::Stuck, part.clone())));
            }
        }
        Ok(None)
    }

    /// The points of a state from which on nothing that is to be avoided can happen by waiting.
    fn settled(&mut self, state: &SymbolicState) -> Result<Federation, RuntimeError> {
        let mut settled = Federation::from(state.zone.clone());
        if self.avoider.is_none() {
            return Ok(settled);
        }
        let future = self.future(state, &state.zone)?;
        let Some(avoider) = &mut self.avoider else { return Ok(settled) };
        match avoider.parts(&state.memory, &future)? {
            None => return Ok(Federation::empty(settled.dimension())),
            Some(parts) => {
                for mut part in parts {
                    part.down();
                    settled.subtract_zone(&part);
                }
            }
        }
        Ok(settled)
    }

    /// Where waiting leads to.
    fn future(&mut self, state: &SymbolicState, zone: &Dbm) -> Result<Dbm, RuntimeError> {
        let mut future = zone.clone();
        future.up();
        let Self { system, machine, here, locals, .. } = self;
        let inhabited = invariant::apply(system, machine, here, &state.memory, locals, &mut future)?;
        debug_assert!(inhabited, "no delay is a delay");
        Ok(future)
    }

    fn waits_for_ever(&mut self, state: &SymbolicState, part: &Dbm) -> Result<bool, RuntimeError> {
        let future = self.future(state, part)?;
        let mut clocks = future.dimension().iter();
        Ok(clocks.all(|clock| future.bound(clock, Clock::REFERENCE).is_infinite()))
    }
}
