//! The attributes of the current locations of all processes, gathered once for all stages.
//!
//! Several stages need the same attributes of every process: whether its location is urgent or committed, and its
//! invariant. One pass collects them, so that no stage iterates over locations that have none. Upper bounds of
//! clocks, the usual form of invariants, are separate: a zone is intersected with all of them in one pass.
//!
//! Many states of a search have the same locations, and differ in data and clocks. So the targets of transitions are gathered in a
//! table, which keeps the vectors of the last states with their clock bounds ([`LocationTable`]).

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Constraint};
use tourbillon_system::{GlobalLocationId, LocationSummary, System};

use crate::abstraction::Bounds;

/// The current location of each process, with the union of their attributes.
#[derive(Clone, Default, Debug)]
pub(crate) struct LocationVector {
    /// In the order of the processes.
    pub(crate) ids: Vec<GlobalLocationId>,
    /// The attributes that any of them has, as bits of [`LocationSummary`].
    pub(crate) attributes: u32,
    /// The upper bounds of clocks in their invariants.
    pub(crate) uppers: Vec<Constraint>,
    /// The other constraints of their invariants that do not depend on data.
    pub(crate) others: Vec<Constraint>,
}

/// The vectors that were gathered last. A vector stays until another one with the same place in the table replaces it.
#[derive(Debug)]
pub(crate) struct LocationTable {
    /// For each place, the locations as they are in a discrete state.
    keys: Vec<i32>,
    /// A power of two of them.
    places: Vec<LocationPlace>,
    current: usize,
}

/// A place of the table.
#[derive(Clone, Debug)]
pub(crate) struct LocationPlace {
    pub(crate) locations: LocationVector,
    /// The maxima of their clock bounds, with bounds by location.
    pub(crate) bounds: ClockBounds,
    /// The number of its requirements on zones, as `memo.rs` assigns it; none yet after a change.
    pub(crate) requirements: Option<u32>,
}

/// The most places.
const PLACES_MAX: usize = 1 << 9;
/// The size of a table in bytes, about: it fits into a cache of the processor beside the zones.
const TABLE_BYTES: usize = 1 << 17;

/// No location: the key of an empty place.
const NO_LOCATION: i32 = -1;

impl LocationTable {
    /// No vectors yet.
    pub(crate) fn new(system: &System) -> Self {
        let processes = system.layout.processes();
        let bytes = size_of::<LocationPlace>() + 8 * processes + 16 * system.dimension.size();
        let places = (TABLE_BYTES / bytes).clamp(1, PLACES_MAX);
        let place = LocationPlace {
            locations: LocationVector::default(),
            bounds: ClockBounds::none(system.dimension),
            requirements: None,
        };
        let places = places.next_power_of_two();
        Self { keys: vec![NO_LOCATION; places * processes], places: vec![place; places], current: 0 }
    }

    /// Makes the vector of a discrete state the current one. The clock bounds are the same each time.
    #[inline]
    pub(crate) fn gather(&mut self, system: &System, bounds: &Bounds, memory: &[i32]) {
        let locations = &memory[..system.layout.processes()];
        self.current = hash(locations) & (self.places.len() - 1);
        let key = &mut self.keys[self.current * locations.len()..][..locations.len()];
        if key != locations || locations.is_empty() {
            key.copy_from_slice(locations);
            let place = &mut self.places[self.current];
            place.locations.gather(system, memory);
            bounds.join(&place.locations.ids, &mut place.bounds);
            place.requirements = None;
        }
    }

    /// The vector that was gathered last.
    #[inline]
    pub(crate) fn current(&self) -> &LocationVector {
        &self.place().locations
    }

    /// The place of the vector that was gathered last.
    #[inline]
    pub(crate) fn place(&self) -> &LocationPlace {
        &self.places[self.current]
    }

    #[inline]
    pub(crate) fn place_mut(&mut self) -> &mut LocationPlace {
        &mut self.places[self.current]
    }

    /// Drops the numbers of all requirements.
    pub(crate) fn forget_requirements(&mut self) {
        self.places.iter_mut().for_each(|place| place.requirements = None);
    }
}

#[inline]
fn hash(locations: &[i32]) -> usize {
    let mix = |hash: u64, &location: &i32| {
        (hash.rotate_left(23) ^ u64::from(location.cast_unsigned())).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    (locations.iter().fold(0, mix) >> 32) as usize
}

impl LocationVector {
    /// Replaces the contents by those of a discrete state.
    #[inline]
    pub(crate) fn gather(&mut self, system: &System, memory: &[i32]) {
        self.ids.resize(system.layout.processes(), GlobalLocationId::from_index(0));
        self.uppers.clear();
        self.others.clear();
        self.attributes = 0;
        for (id, location) in self.ids.iter_mut().zip(system.current(memory)) {
            *id = location;
            let summary = &system.faces[location.index()];
            self.attributes |= summary.traits;
            let (start, end) = summary.uppers;
            // One at a time: copying a slice of one is a call.
            for index in start..end {
                self.uppers.push(system.invariants[index as usize]);
            }
            for index in end..summary.others {
                self.others.push(system.invariants[index as usize]);
            }
        }
    }

    /// Whether any location has one of these attributes.
    #[inline]
    pub(crate) fn has(&self, attributes: u32) -> bool {
        self.attributes & attributes != 0
    }

    #[inline]
    pub(crate) fn summaries<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a LocationSummary> {
        self.ids.iter().map(|location| &system.faces[location.index()])
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_model::LocationKind;

    use super::*;
    use crate::testing::{Network, Scratch};

    #[test]
    fn attributes_and_invariants_are_those_of_the_current_locations() {
        let mut network = Network::new(&["x", "y"]);
        let first = network.process(2);
        network.invariant(first, 0, "x<=3, x>=1");
        network.location(first, 1).kind = LocationKind::Urgent;
        let second = network.process(2);
        network.invariant(second, 0, "x-y<2");
        network.invariant(second, 1, "y<5");
        network.location(second, 1).kind = LocationKind::Committed;
        let system = network.compile();
        // Locations; upper bounds; other constraints; whether no delay is possible, and whether one is committed.
        let cases = [
            ([0, 0], "x<=3", "x>=1, x-y<2", false, false),
            ([0, 1], "x<=3, y<5", "x>=1", true, true),
            ([1, 0], "true", "x-y<2", true, false),
            ([1, 1], "y<5", "true", true, true),
        ];
        let mut reused = Scratch::new(&system, &[0, 0]).locations;
        for (memory, uppers, others, no_delay, committed) in cases {
            reused.gather(&system, &memory);
            let ids: Vec<usize> = reused.ids.iter().map(|id| id.index()).collect();
            assert_eq!(ids, [memory[0] as usize, 2 + memory[1] as usize], "numbered through all processes");
            assert_eq!(reused.uppers, network.constraints(uppers));
            assert_eq!(reused.others, network.constraints(others));
            assert_eq!(reused.has(LocationSummary::NO_DELAY), no_delay);
            assert_eq!(reused.has(LocationSummary::COMMITTED), committed);
            assert!(
                !reused.has(LocationSummary::CONDITION | LocationSummary::COMPUTED | LocationSummary::RATES)
            );
        }
    }

    /// More vectors than places, in an order in which they replace each other.
    #[test]
    fn a_table_has_the_vector_that_was_gathered_last() {
        let mut network = Network::new(&["x"]);
        for process in 0..3 {
            let id = network.process(20);
            for location in 0..20 {
                network.invariant(id, location, &format!("x<={}", 1 + process * 20 + location));
            }
        }
        let system = network.compile();
        let bounds = Bounds::Global(ClockBounds::none(system.dimension));
        let (mut table, mut alone) = (LocationTable::new(&system), LocationVector::default());
        for step in 0..20_000 {
            let memory = [step % 20, step * 7 % 20, step * step % 20];
            table.gather(&system, &bounds, &memory);
            alone.gather(&system, &memory);
            assert_eq!((&table.current().ids, &table.current().uppers), (&alone.ids, &alone.uppers));
        }
    }
}
