//! The deadlocked part of a symbolic state `[BehrmannDavidLarsen2004]`.
//!
//! A valuation is deadlocked if no transition is enabled there, nor after any delay. Where a transition is enabled is a
//! federation (guards, and the weakest precondition of the invariants of its target); its past is where a delay leads
//! to it, since invariants are convex and hold at both ends. The zone without the pasts of all transitions is
//! deadlocked. Where no delay is possible the enabled sets themselves are subtracted. Priorities cause no deadlock: a
//! blocked transition is blocked by an enabled one.
//!
//! That is exact on exact zones, and on zones extrapolated by M-bounds, which preserve negative properties
//! as well. Delays here move all clocks: models with stopwatches need `check/src/polyhedra`.

use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::combine::Source;
use crate::delay;
use crate::enumerate::{Enumerator, Transitions};
use crate::exclude::Excluder;
use crate::location_vector::LocationVector;

/// Computes deadlocked parts of zones; reuses its memory.
#[derive(Debug)]
pub(crate) struct DeadlockDetector {
    enumerator: Enumerator,
    list: Transitions,
    other: Transitions,
    excluder: Excluder,
    /// Separate from those of the predicate, whose quantifiers surround `deadlock`.
    locals: Vec<i32>,
    has_urgent_channels: bool,
}

impl DeadlockDetector {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            enumerator: Enumerator::new(system),
            list: Transitions::default(),
            other: Transitions::default(),
            excluder: Excluder::new(system),
            locals: vec![0; system.frame_max()],
            has_urgent_channels: system.channels.iter().any(|channel| channel.urgent),
        }
    }

    /// Whether a delay is possible in a discrete state.
    pub(crate) fn may_delay(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locations: &LocationVector,
        memory: &[i32],
    ) -> Result<bool, RuntimeError> {
        let Self { enumerator, other, has_urgent_channels, .. } = self;
        delay::is_allowed(system, machine, enumerator, other, *has_urgent_channels, locations, memory)
    }

    /// The deadlocked part of a zone, which must lie within the invariants.
    pub(crate) fn deadlocked(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locations: &LocationVector,
        memory: &[i32],
        zone: &Dbm,
    ) -> Result<Federation, RuntimeError> {
        let Self { enumerator, list, other, excluder, locals, has_urgent_channels } = self;
        enumerator.enumerate(system, machine, locations, memory, list)?;
        let may_delay =
            delay::is_allowed(system, machine, enumerator, other, *has_urgent_channels, locations, memory)?;
        let mut rest = Federation::from(zone.clone());
        let source = Source { system, memory, zone, list };
        for index in 0..list.listed() {
            let mut enabled = excluder.enabled(source, machine, locals, list.get(index))?;
            if may_delay {
                enabled.down();
            }
            rest.subtract(&enabled);
            if rest.is_empty() {
                return Ok(rest);
            }
        }
        excluder.subtract_combined(source, machine, locals, may_delay, &mut rest)?;
        Ok(rest)
    }
}
