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
        self.ids.clear();
        self.ids.extend(system.current(memory));
        self.uppers.clear();
        self.others.clear();
        self.attributes = 0;
        for location in &self.ids {
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
