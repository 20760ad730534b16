//! Zones as their minimal constraints: the fewest bytes, and the most work where these do not decide.
//!
//! Holding a zone does not reduce it. Whether a stored zone includes it is answered by looking up its bounds, a few for
//! each stored zone. Whether it includes a stored one is mostly refuted the same way; if not, the stored one is unpacked
//! and closed. Only what is saved is reduced, and what is asked about equality with a zone that agrees in all
//! constraints.

use tourbillon_base::Id;
use tourbillon_dbm::forms::{Form, Minimal};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::kept::{Kept, Lengths};
use super::places::Places;
use super::simulation::Simulation;
use super::{ZoneKey, Zones, position};

/// How many bytes a unit of memory has: short keys count more than a few bytes at the end of a record.
const UNIT: usize = 4;

/// Zones of one dimension.
#[derive(Debug)]
pub(crate) struct Reduced {
    form: Minimal,
    kept: Kept,
    held: Dbm,
    /// The held zone as the form writes it, if it has been asked for.
    written: Vec<u8>,
    is_written: bool,
    simulation: Simulation,
}

/// A form, as memory is measured.
struct InUnits<'a>(&'a Minimal);

impl Lengths for InUnits<'_> {
    fn bytes(&self, record: &[u8]) -> usize {
        self.0.length(record)
    }

    fn units(&self, record: &[u8], lead: usize) -> usize {
        (lead + self.0.length(record)).div_ceil(UNIT)
    }
}

impl Reduced {
    /// No zones of this dimension; with `sharing`, equal ones will be stored once.
    pub(crate) fn new(dimension: Dimension, sharing: bool) -> Self {
        let form = Minimal::new(dimension);
        let places = Places::new(UNIT, (1 + form.bytes_max()).div_ceil(UNIT)).cutting();
        Self {
            form,
            kept: Kept::new(places, sharing),
            held: Dbm::zero(dimension),
            written: Vec::new(),
            is_written: false,
            simulation: Simulation::new(dimension),
        }
    }

    fn write_held(&mut self) {
        if !self.is_written {
            self.form.write(&self.held, &mut self.written);
            self.is_written = true;
        }
    }
}

impl Zones for Reduced {
    fn hold(&mut self, zone: &Dbm) {
        self.held.copy_from(zone);
        self.is_written = false;
    }

    fn save(&mut self) -> ZoneKey {
        self.write_held();
        let key = self.kept.save(&self.written, &InUnits(&self.form));
        ZoneKey::from_index(key as usize)
    }

    fn load(&self, key: ZoneKey, zone: &mut Dbm) {
        self.form.read(self.kept.get(position(key)), zone);
    }

    fn free(&mut self, key: ZoneKey) {
        self.kept.free(position(key), &InUnits(&self.form));
    }

    fn is_equal(&mut self, key: ZoneKey) -> bool {
        if !self.form.may_equal(self.kept.get(position(key)), &self.held) {
            return false;
        }
        self.write_held();
        self.kept.get(position(key)).starts_with(&self.written)
    }

    fn includes(&mut self, key: ZoneKey) -> bool {
        self.form.includes(self.kept.get(position(key)), &self.held)
    }

    fn is_included(&mut self, key: ZoneKey) -> bool {
        self.form.is_included(self.kept.get(position(key)), &self.held, self.simulation.other())
    }

    fn hold_floor(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.simulation.hold(zone, bounds);
    }

    fn simulates(&mut self, key: ZoneKey) -> bool {
        self.form.read(self.kept.get(position(key)), self.simulation.other());
        self.simulation.simulates()
    }

    fn hold_ceiling(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.simulation.hold(zone, bounds);
    }

    fn is_simulated(&mut self, key: ZoneKey) -> bool {
        self.form.read(self.kept.get(position(key)), self.simulation.other());
        self.simulation.is_simulated()
    }

    fn len(&self) -> usize {
        self.kept.len()
    }

    fn bytes(&self) -> usize {
        self.kept.bytes()
    }
}
