//! The simulation test a_LU on zones that were unpacked for it.

use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

/// A held zone, the bounds to compare it by, and room for another zone.
#[derive(Debug)]
pub(super) struct Simulation {
    held: Dbm,
    bounds: ClockBounds,
    other: Dbm,
}

impl Simulation {
    pub(super) fn new(dimension: Dimension) -> Self {
        Self { held: Dbm::zero(dimension), bounds: ClockBounds::none(dimension), other: Dbm::zero(dimension) }
    }

    pub(super) fn hold(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.held.copy_from(zone);
        self.bounds.clear();
        self.bounds.join(bounds);
    }

    /// The zone to compare with, to be overwritten.
    pub(super) fn other(&mut self) -> &mut Dbm {
        &mut self.other
    }

    /// Whether the held zone is included in a_LU of the other.
    pub(super) fn simulates(&self) -> bool {
        self.held.is_simulated_lu(&self.other, &self.bounds)
    }

    /// Whether the other zone is included in a_LU of the held one.
    pub(super) fn is_simulated(&self) -> bool {
        self.other.is_simulated_lu(&self.held, &self.bounds)
    }
}
