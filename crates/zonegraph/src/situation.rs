//! What the locations of a discrete state amount to, gathered once for all stages.
//!
//! Several stages ask the same of every process: is its location urgent or committed, what is its invariant. All of
//! that is collected in one pass, so that the stages after it look at what there is and not at ten locations
//! each that have nothing to say. Upper bounds of clocks, which is what invariants mostly are, are kept apart:
//! a zone is cut down to all of them in one pass.

use tourbillon_base::Id;
use tourbillon_dbm::Constraint;
use tourbillon_system::{GlobalLocationId, LocationSummary, System};

/// What the locations of a discrete state amount to.
#[derive(Clone, Default, Debug)]
pub(crate) struct Situation {
    /// The locations.
    pub(crate) places: Vec<GlobalLocationId>,
    /// What any of them has, as bits of [`LocationSummary`].
    pub(crate) traits: u32,
    /// Upper bounds of clocks in their invariants.
    pub(crate) uppers: Vec<Constraint>,
    /// Other known constraints in their invariants.
    pub(crate) others: Vec<Constraint>,
}

impl Situation {
    /// Gathers that of a discrete state.
    #[inline]
    pub(crate) fn gather(&mut self, system: &System, memory: &[i32]) {
        self.places.clear();
        self.places.extend(system.current(memory));
        self.uppers.clear();
        self.others.clear();
        self.traits = 0;
        for place in &self.places {
            let face = &system.faces[place.index()];
            self.traits |= face.traits;
            let (start, end) = face.uppers;
            // One at a time: copying a slice of one is a call.
            for index in start..end {
                self.uppers.push(system.invariants[index as usize]);
            }
            for index in end..face.others {
                self.others.push(system.invariants[index as usize]);
            }
        }
    }

    /// Whether any location has one of these bits.
    #[inline]
    pub(crate) fn has(&self, traits: u32) -> bool {
        self.traits & traits != 0
    }

    /// The faces of the locations.
    #[inline]
    pub(crate) fn faces<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a LocationSummary> {
        self.places.iter().map(|place| &system.faces[place.index()])
    }
}
