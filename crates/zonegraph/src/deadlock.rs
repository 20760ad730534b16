//! Where in a symbolic state no step is possible any more.
//!
//! A point is deadlocked if no transition can be taken there, nor after any delay. Where a transition can be taken is a
//! federation (guards, and the weakest precondition of the invariants it leads to); its past is where one can wait
//! for it, since invariants are convex and hold at both ends. What remains of the zone when the pasts of all
//! transitions are taken away is deadlocked. Where time stands still there is nothing to wait for. A step of higher
//! priority is a step: priorities make no deadlock.
//!
//! That is exact on exact zones, and on zones extrapolated by M-bounds, which preserve what fails as well as
//! what holds.

use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::combine::Source;
use crate::delay;
use crate::enumerate::{Enumerator, Transitions};
use crate::exclude::Excluder;
use crate::situation::Situation;

/// Finds deadlocks, with memory that it keeps.
#[derive(Debug)]
pub(crate) struct Detector {
    enumerator: Enumerator,
    list: Transitions,
    other: Transitions,
    excluder: Excluder,
    /// Its own, so that quantifiers around the question keep theirs.
    locals: Vec<i32>,
    has_urgent_channels: bool,
}

impl Detector {
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

    /// Whether time can pass in a discrete state.
    pub(crate) fn may_wait(
        &mut self,
        system: &System,
        machine: &mut Machine,
        situation: &Situation,
        memory: &[i32],
    ) -> Result<bool, RuntimeError> {
        let Self { enumerator, other, has_urgent_channels, .. } = self;
        delay::is_allowed(system, machine, enumerator, other, *has_urgent_channels, situation, memory)
    }

    /// The deadlocked part of a zone that lies within the invariants.
    pub(crate) fn deadlocked(
        &mut self,
        system: &System,
        machine: &mut Machine,
        situation: &Situation,
        memory: &[i32],
        zone: &Dbm,
    ) -> Result<Federation, RuntimeError> {
        let Self { enumerator, list, other, excluder, locals, has_urgent_channels } = self;
        enumerator.enumerate(system, machine, situation, memory, list)?;
        let may_wait =
            delay::is_allowed(system, machine, enumerator, other, *has_urgent_channels, situation, memory)?;
        let mut rest = Federation::from(zone.clone());
        let source = Source { system, memory, zone, list };
        for place in 0..list.listed() {
            let mut enabled = excluder.enabled(source, machine, locals, list.get(place))?;
            if may_wait {
                enabled.down();
            }
            rest.subtract(&enabled);
            if rest.is_empty() {
                return Ok(rest);
            }
        }
        excluder.subtract_combined(source, machine, locals, may_wait, &mut rest)?;
        Ok(rest)
    }
}
