//! Visited states as unions: one clock difference diagram for each discrete state `[ThomsenKristensen2002]`.
//!
//! A diagram is a handle of 32 bits, and a [`UnionMap`] has the handle of each discrete state. All diagrams share their
//! nodes, across all discrete states. A zone is known if the union includes it, even if no single added zone does.
//! Adding a zone builds a new diagram; nodes of the old one that no other diagram uses are garbage, which is collected
//! when enough has accumulated.
//!
//! Nothing is ever removed, so mistakes are not counted.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tourbillon_dbm::Dbm;
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
    /// Queries use memory that the diagrams share, so threads query one after the other.
    diagrams: Mutex<Diagrams<F>>,
}

/// A generous upper bound on the nodes that an operation adds: as much room is required before it.
pub(super) const ROOM_BYTES: u64 = 1 << 28;

impl<F: NodeForm> Unions<F> {
    /// No states.
    ///
    /// # Panics
    /// If there are more clocks than diagrams can have.
    pub(super) fn new(settings: &Settings, map: UnionMap) -> Self {
        let diagrams = Diagrams::new(settings.dimension, settings.diagrams.other);
        Self { map, diagrams: Mutex::new(diagrams.expect("the number of clocks was checked")) }
    }

    /// The diagrams; no query leaves them inconsistent.
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

    fn for_each(&self, discrete: &mut [i32], visit: &mut dyn FnMut(&[i32], &Dbm)) {
        let mut diagrams = self.diagrams();
        self.map.for_each(discrete, &mut |discrete, union| {
            diagrams.zones(union).iter().for_each(|zone| visit(discrete, zone));
        });
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: Diagrams::<F>::NODE_BYTES_MAX, taken: self.diagrams().bytes() as u64 }
    }

    fn discrete_states(&self) -> usize {
        self.map.len()
    }

    fn memory(&self) -> Memory {
        let (memory, diagrams) = (self.map.memory(), self.diagrams());
        // The working memory of operations counts too.
        Memory { zones: diagrams.bytes(), waiting: memory.waiting + diagrams.scratch_bytes(), ..memory }
    }
}
