//! Visited states as unions: for each discrete state one clock difference diagram `[ThomsenKristensen2002]`.
//!
//! A diagram is a handle of 32 bits, and a [`Directory`] has the handle of each discrete state. All diagrams share their
//! nodes, across all discrete states. A zone is known if the union includes it, which may be so although no zone that was
//! added does. Adding a zone makes a new diagram and leaves behind those nodes of the old one that no other has; they are
//! collected when enough was made since the last time.
//!
//! Nothing is ever taken out, so a visit that a larger zone makes superfluous later on is not noticed.

use tourbillon_dd::{Diagrams, Handle, NodeForm};

use super::directory::Directory;
use super::{Entry, Fill, Passed, Sight, State};
use crate::interface::Memory;
use crate::settings::Settings;
use crate::zones::{ZoneKey, Zones};

/// Discrete states and their unions.
#[derive(Debug)]
pub(super) struct Unions<H, F: NodeForm> {
    directory: H,
    diagrams: Diagrams<F>,
}

/// What an operation may add to the nodes at most, by a wide margin: there must be as much room before it.
pub(super) const ROOM_BYTES: u64 = 1 << 28;

impl<H: Directory, F: NodeForm> Unions<H, F> {
    /// No states.
    ///
    /// # Panics
    /// If there are more clocks than diagrams can have.
    pub(super) fn new(settings: &Settings, directory: H) -> Self {
        let diagrams = Diagrams::new(settings.dimension, settings.diagrams.other);
        Self { directory, diagrams: diagrams.expect("the number of clocks was looked at") }
    }

    fn is_full(&self) -> bool {
        self.diagrams.bytes() as u64 + ROOM_BYTES > Diagrams::<F>::NODE_BYTES_MAX || self.directory.is_full()
    }
}

impl<H: Directory, F: NodeForm, Z: Zones> Passed<Z> for Unions<H, F> {
    const KEEPS_ZONES: bool = false;
    const IS_EXACT: bool = true;

    fn look(&mut self, state: &State<'_>, _: &mut Z) -> Sight {
        let union = self.directory.union_of(state.discrete);
        let known = union != Handle::FALSE && self.diagrams.includes_zone(union, state.zone);
        if known { Sight::Known } else { Sight::New { chance: 0.0 } }
    }

    fn forget_covered(&mut self, _: &State<'_>, _: &mut Z) -> usize {
        0
    }

    fn enter(&mut self, state: &State<'_>, zone: ZoneKey) -> Entry {
        Passed::<Z>::enter_unless(self, state, zone, &|| false)
    }

    fn enter_unless(&mut self, state: &State<'_>, _: ZoneKey, is_over: &dyn Fn() -> bool) -> Entry {
        if self.is_full() {
            return Entry::Full;
        }
        let Self { directory, diagrams } = self;
        let unite = |union| diagrams.union_zone_unless(union, state.zone, is_over);
        if !directory.update(state.discrete, unite) {
            return Entry::Abandoned;
        }
        if diagrams.wants_collection() {
            diagrams.collect(directory.unions());
        }
        Entry::Entered
    }

    fn fill(&self) -> Fill {
        Fill { places: Diagrams::<F>::NODE_BYTES_MAX, taken: self.diagrams.bytes() as u64 }
    }

    fn discrete_states(&self) -> usize {
        self.directory.len()
    }

    fn memory(&self) -> Memory {
        let memory = self.directory.memory();
        // What operations work in is not what is stored, but it is taken all the same.
        Memory {
            zones: self.diagrams.bytes(),
            waiting: memory.waiting + self.diagrams.scratch_bytes(),
            ..memory
        }
    }
}
