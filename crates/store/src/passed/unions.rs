//! Visited states as unions: for each discrete state one clock difference diagram `[ThomsenKristensen2002]`.
//!
//! A diagram is a handle of 32 bits, and a [`UnionMap`] has the handle of each discrete state. All diagrams share their
//! nodes, across all discrete states. A zone is known if the union includes it, which may be so although no zone that was
//! added does. Adding a zone makes a new diagram and leaves behind those nodes of the old one that no other has; they are
//! collected when enough was made since the last time.
//!
//! Nothing is ever taken out, so a visit that a larger zone makes superfluous later on is not noticed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tourbillon_dd::{Diagrams, Handle, NodeForm};

use super::union_map::UnionMap;
use super::{Insertion, Membership, Occupancy, PackedState, VisitedSet};
use crate::discrete::DiscreteProbe;
use crate::interface::Memory;
use crate::settings::Settings;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

/// Discrete states and their unions.
#[derive(Debug)]
pub(super) struct Unions<F: NodeForm> {
    map: UnionMap,
    /// Questions about diagrams are answered in memory that the diagrams share, so that threads ask one after the other.
    diagrams: Mutex<Diagrams<F>>,
}

/// What an operation may add to the nodes at most, by a wide margin: there must be as much room before it.
pub(super) const ROOM_BYTES: u64 = 1 << 28;

impl<F: NodeForm> Unions<F> {
    /// No states.
    ///
    /// # Panics
    /// If there are more clocks than diagrams can have.
    pub(super) fn new(settings: &Settings, map: UnionMap) -> Self {
        let diagrams = Diagrams::new(settings.dimension, settings.diagrams.other);
        Self { map, diagrams: Mutex::new(diagrams.expect("the number of clocks was looked at")) }
    }

    /// The diagrams, which no question leaves in disorder.
    fn diagrams(&self) -> MutexGuard<'_, Diagrams<F>> {
        self.diagrams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: NodeForm + Send + Sync> VisitedSet for Unions<F> {
    const KEEPS_ZONES: bool = false;
    const IS_EXACT: bool = true;

    fn find(
        &self,
        packed: &PackedState<'_>,
        _: &dyn ZoneStore,
        (probe, _): (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership {
        let union = self.map.get(packed.state.discrete, probe);
        let known = union != Handle::FALSE && self.diagrams().includes_zone(union, packed.state.zone);
        if known { Membership::Known } else { Membership::New { chance: 0.0 } }
    }

    fn insert(
        &mut self,
        packed: &PackedState<'_>,
        _: ZoneKey,
        probe: &mut DiscreteProbe,
        is_over: &dyn Fn() -> bool,
    ) -> Insertion {
        let Self { map, diagrams } = self;
        let diagrams = diagrams.get_mut().unwrap_or_else(PoisonError::into_inner);
        if diagrams.bytes() as u64 + ROOM_BYTES > Diagrams::<F>::NODE_BYTES_MAX || map.is_full() {
            return Insertion::Full;
        }
        let unite = |union| diagrams.union_zone_unless(union, packed.state.zone, is_over);
        if !map.update(packed.state.discrete, probe, unite) {
            return Insertion::Interrupted;
        }
        if diagrams.wants_collection() {
            diagrams.collect(map.unions());
        }
        Insertion::Inserted
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: Diagrams::<F>::NODE_BYTES_MAX, taken: self.diagrams().bytes() as u64 }
    }

    fn discrete_states(&self) -> usize {
        self.map.len()
    }

    fn memory(&self) -> Memory {
        let (memory, diagrams) = (self.map.memory(), self.diagrams());
        // What operations work in is not what is stored, but it is taken all the same.
        Memory { zones: diagrams.bytes(), waiting: memory.waiting + diagrams.scratch_bytes(), ..memory }
    }
}
