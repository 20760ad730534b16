//! Visited states that somebody else keeps: to this list every state is new.
//!
//! It is for searches that ask others whether a state that was popped is known, since what was visited lies in several
//! memories. Waiting states are compared with each other as ever.

use super::{Entry, Fill, Passed, Sight, State};
use crate::interface::Memory;
use crate::zones::{ZoneKey, Zones};

/// No visited states.
#[derive(Debug)]
pub(super) struct Elsewhere;

impl<Z: Zones> Passed<Z> for Elsewhere {
    const KEEPS_ZONES: bool = false;
    const IS_EXACT: bool = true;

    fn look(&mut self, _: &State<'_>, _: &mut Z) -> Sight {
        Sight::New { chance: 0.0 }
    }

    fn forget_covered(&mut self, _: &State<'_>, _: &mut Z) -> usize {
        0
    }

    fn enter(&mut self, _: &State<'_>, _: ZoneKey) -> Entry {
        Entry::Entered
    }

    fn fill(&self) -> Fill {
        Fill { places: u64::MAX, taken: 0 }
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }
}
