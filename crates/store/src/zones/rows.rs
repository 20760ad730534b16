//! Zones packed by rows, `bits` or `digits`, compared as they are stored.
//!
//! The held zone is written into scratch memory by the same form, and then questions are between two strings of bytes.
//! A zone with a bound that has no code makes a new form, and all stored zones are written again by that, under their
//! old keys: a unit of memory is a row, so that keys do not depend on how long rows are. Mostly that happens among the
//! first few zones, since those already have most of the bounds. Where new ones keep coming it would be done hundreds of
//! times over: once zones have been written again as often as [`PATIENCE`] allows, codes are distances, which take more
//! bits and run out a dozen times at most.
//!
//! Only the simulation tests unpack what they ask about.

use tourbillon_base::Id;
use tourbillon_dbm::forms::{Codes, Coding, Packed};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::kept::{Kept, Lengths, lead};
use super::places::Places;
use super::simulation::Simulation;
use super::{ZoneKey, Zones, position};

/// How many times a zone may be written again, on average over all that were ever saved, and how many may be besides.
const PATIENCE: (usize, usize) = (4, 1 << 12);

/// Zones of one dimension.
#[derive(Debug)]
pub(crate) struct Rows<C> {
    form: ByRows<C>,
    kept: Kept,
    /// How many zones were saved, and how many times one was written again.
    saved: usize,
    rewritten: usize,
    held: Vec<u8>,
    held_bytes: usize,
    simulation: Simulation,
}

/// A form, with rows as units of memory.
#[derive(Debug)]
struct ByRows<C> {
    form: Packed<C>,
    /// How many units are taken before the rows.
    before: usize,
}

impl<C: Coding> Lengths for ByRows<C> {
    fn bytes(&self, record: &[u8]) -> usize {
        self.form.length(record)
    }

    fn units(&self, record: &[u8], _: usize) -> usize {
        self.before + self.form.rows(record)
    }
}

impl<C: Coding> Rows<C> {
    /// No zones of this dimension; with `sharing`, equal ones will be stored once.
    pub(crate) fn new(dimension: Dimension, sharing: bool) -> Self {
        let form: Packed<C> = Packed::new(dimension, Codes::new());
        let before = (lead(sharing) + form.head_bytes()).div_ceil(form.row_bytes());
        let places = Places::new(form.row_bytes(), before + dimension.size());
        Self {
            held: vec![0; form.bytes_max()],
            held_bytes: 0,
            saved: 0,
            rewritten: 0,
            form: ByRows { form, before },
            kept: Kept::new(places, sharing),
            simulation: Simulation::new(dimension),
        }
    }

    /// Goes on with codes for the bounds of this zone as well.
    #[cold]
    fn learn(&mut self, zone: &Dbm) {
        let known = &self.form.form;
        self.rewritten += self.kept.len();
        let is_patient = self.rewritten <= PATIENCE.0 * self.saved + PATIENCE.1;
        let form = if is_patient { known.with(zone) } else { known.with_distances(zone) };
        let form = ByRows { form, before: self.form.before };
        let (old, new) = (&self.form.form, &form.form);
        let nothing = Kept::new(Places::new(1, 1), false);
        let kept = std::mem::replace(&mut self.kept, nothing);
        let mut row = Vec::new();
        let rewrite = |from: &[u8], to: &mut [u8]| new.rewrite(old, from, to, &mut row);
        self.kept = kept.rewritten(new.row_bytes(), &self.form, &form, rewrite);
        self.held.resize(new.bytes_max(), 0);
        self.form = form;
    }
}

impl<C: Coding> Zones for Rows<C> {
    fn hold(&mut self, zone: &Dbm) {
        loop {
            if let Ok(bytes) = self.form.form.write(zone, &mut self.held) {
                self.held_bytes = bytes;
                return;
            }
            self.learn(zone);
        }
    }

    fn save(&mut self) -> ZoneKey {
        self.saved += 1;
        let key = self.kept.save(&self.held[..self.held_bytes], &self.form);
        ZoneKey::from_index(key as usize)
    }

    fn load(&self, key: ZoneKey, zone: &mut Dbm) {
        self.form.form.read(self.kept.get(position(key)), zone);
    }

    fn free(&mut self, key: ZoneKey) {
        self.kept.free(position(key), &self.form);
    }

    fn is_equal(&mut self, key: ZoneKey) -> bool {
        self.kept.get(position(key)).starts_with(&self.held[..self.held_bytes])
    }

    #[inline]
    fn includes(&mut self, key: ZoneKey) -> bool {
        self.form.form.includes_packed(self.kept.get(position(key)), &self.held)
    }

    #[inline]
    fn is_included(&mut self, key: ZoneKey) -> bool {
        self.form.form.includes_packed(&self.held, self.kept.get(position(key)))
    }

    fn hold_floor(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.simulation.hold(zone, bounds);
    }

    fn simulates(&mut self, key: ZoneKey) -> bool {
        self.form.form.read(self.kept.get(position(key)), self.simulation.other());
        self.simulation.simulates()
    }

    fn hold_ceiling(&mut self, zone: &Dbm, bounds: &ClockBounds) {
        self.simulation.hold(zone, bounds);
    }

    fn is_simulated(&mut self, key: ZoneKey) -> bool {
        self.form.form.read(self.kept.get(position(key)), self.simulation.other());
        self.simulation.is_simulated()
    }

    fn len(&self) -> usize {
        self.kept.len()
    }

    fn bytes(&self) -> usize {
        self.kept.bytes()
    }
}
