//! Visited states that are stored elsewhere: every state is new to this list.
//!
//! It is for searches whose visited states are distributed over several ranks, which decide about popped states.
//! Waiting states are compared with each other as in any list.

use super::{Insertion, Membership, Occupancy, PackedState, VisitedSet};
use crate::discrete::DiscreteProbe;
use crate::interface::Memory;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

#[derive(Debug)]
pub(super) struct External;

impl VisitedSet for External {
    const KEEPS_ZONES: bool = false;
    const IS_EXACT: bool = true;

    fn find(
        &self,
        _: &PackedState<'_>,
        _: &dyn ZoneStore,
        _: (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership {
        Membership::New { chance: 0.0 }
    }

    fn insert(
        &mut self,
        _: &PackedState<'_>,
        _: ZoneKey,
        _: &mut DiscreteProbe,
        _: &dyn Fn() -> bool,
    ) -> Insertion {
        Insertion::Inserted
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: u64::MAX, taken: 0 }
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }
}
