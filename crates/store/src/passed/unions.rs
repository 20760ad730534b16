//! Visited states as unions: for each discrete state one clock difference diagram `[ThomsenKristensen2002]`.
//!
//! A diagram is a handle of 32 bits, and a discrete state has one record with its code and that handle, in the buckets that
//! the exact list uses. All diagrams share their nodes, across all discrete states. A zone is known if the union includes
//! it, which may be so although no zone that was added does. Adding a zone makes a new diagram and leaves behind those nodes
//! of the old one that no other has; they are collected when enough was made since the last time.
//!
//! Nothing is ever taken out, so a visit that a larger zone makes superfluous later on is not noticed.

use tourbillon_base::Id;
use tourbillon_dd::{Diagrams, Handle, NodeForm};

use super::{Entry, Fill, Passed, Sight, State};
use crate::buckets::Buckets;
use crate::discrete::Discrete;
use crate::interface::Memory;
use crate::settings::Settings;
use crate::zones::{ZoneKey, Zones};

/// Discrete states and their unions.
#[derive(Debug)]
pub(super) struct Unions<D, F: NodeForm> {
    buckets: Buckets<D>,
    diagrams: Diagrams<F>,
}

/// What an operation may add to the nodes at most, by a wide margin: there must be as much room before it.
const ROOM_BYTES: u64 = 1 << 28;

impl<D: Discrete, F: NodeForm> Unions<D, F> {
    /// No states.
    ///
    /// # Panics
    /// If there are more clocks than diagrams can have.
    pub(super) fn new(settings: &Settings, discrete: D) -> Self {
        let diagrams = Diagrams::new(settings.dimension, settings.diagrams.other);
        Self {
            buckets: Buckets::new(discrete, settings.fill()),
            diagrams: diagrams.expect("the number of clocks was looked at"),
        }
    }

    fn collect(&mut self) {
        let Self { buckets, diagrams } = self;
        let positions = 0..buckets.nodes.len() as u32;
        diagrams.collect(positions.map(|position| handle(buckets.nodes.get(position).zone())));
    }
}

/// The handle that has the place of a zone's key.
fn handle(key: ZoneKey) -> Handle {
    Handle::from_index(key.index())
}

impl<D: Discrete, F: NodeForm, Z: Zones> Passed<Z> for Unions<D, F> {
    const KEEPS_ZONES: bool = false;
    const IS_EXACT: bool = true;

    fn look(&mut self, state: &State<'_>, _: &mut Z) -> Sight {
        let Some(node) = self.buckets.find(state.discrete).node() else { return Sight::New { chance: 0.0 } };
        let union = handle(self.buckets.nodes.get(node).zone());
        if self.diagrams.includes_zone(union, state.zone) { Sight::Known } else { Sight::New { chance: 0.0 } }
    }

    fn forget_covered(&mut self, _: &State<'_>, _: &mut Z) -> usize {
        0
    }

    fn enter(&mut self, state: &State<'_>, _: ZoneKey) -> Entry {
        if self.diagrams.bytes() as u64 + ROOM_BYTES > Diagrams::<F>::NODE_BYTES_MAX {
            return Entry::Full;
        }
        let place = self.buckets.find(state.discrete);
        let before = place.node().map(|node| (node, self.buckets.nodes.get(node)));
        let union = before.map_or(Handle::FALSE, |(_, node)| handle(node.zone()));
        let union = self.diagrams.union_zone(union, state.zone);
        let key = ZoneKey::from_index(union.index());
        match before {
            Some((position, node)) => self.buckets.nodes.replace(position, key, 0, true, node.link),
            None => _ = self.buckets.push_front(&place, key, 0, None),
        }
        if self.diagrams.wants_collection() {
            self.collect();
        }
        Entry::Entered
    }

    fn fill(&self) -> Fill {
        Fill { places: Diagrams::<F>::NODE_BYTES_MAX, taken: self.diagrams.bytes() as u64 }
    }

    fn discrete_states(&self) -> usize {
        self.buckets.len()
    }

    fn memory(&self) -> Memory {
        let [discrete, table, nodes] = self.buckets.bytes();
        Memory { discrete, table, nodes, zones: self.diagrams.bytes(), ..Memory::default() }
    }
}
