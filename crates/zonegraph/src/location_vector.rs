//! The attributes of the current locations of all processes, gathered once per discrete state for all stages.
//!
//! Several stages need the same attributes of every process: whether its location is urgent or committed, and its
//! invariant. One pass collects them, so that no stage iterates over locations that have none. Upper bounds of
//! clocks, the usual form of invariants, are separate: a zone is intersected with all of them in one pass.

use tourbillon_base::Id;
use tourbillon_dbm::Constraint;
use tourbillon_system::{GlobalLocationId, LocationSummary, System};

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
}
