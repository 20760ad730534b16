//! Zones in slots of one width, as records, with or without sharing of equal ones.

use tourbillon_dbm::forms::{Narrow, Written};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::probe::{Width, WrittenZone, ZoneProbe};
use super::records::Records;
use super::sharing::SharedRecords;

/// Zones of one dimension as narrow matrices.
#[derive(Debug)]
pub(super) struct NarrowStore<S> {
    records: Records<S>,
    /// Finds equal zones, if they are shared.
    shared: Option<SharedRecords>,
}

impl<S: Width> NarrowStore<S> {
    pub(super) fn new(dimension: Dimension, sharing: bool) -> Self {
        Self { records: Records::new(Narrow::new(dimension)), shared: sharing.then(SharedRecords::new) }
    }

    /// The same zones under the same keys in wider slots.
    pub(super) fn widened<W: Width>(self, dimension: Dimension) -> NarrowStore<W> {
        let records = self.records.widened(Narrow::new(dimension));
        let shared = self.shared.map(|shared| shared.rehashed(&records));
        NarrowStore { records, shared }
    }

    /// Encodes a zone; false if it does not fit.
    #[inline]
    pub(super) fn encode(&self, zone: &Dbm, probe: &mut ZoneProbe) -> bool {
        S::of_mut(probe).encode(self.records.form(), zone).is_ok()
    }

    /// Encodes a stored zone.
    #[inline]
    pub(super) fn encode_stored(&self, key: u32, dimension: Dimension, probe: &mut ZoneProbe) {
        S::of_mut(probe).set(self.records.form(), dimension, self.records.get(key));
    }

    /// The encoded zone.
    #[inline]
    pub(super) fn written<'p>(&self, probe: &'p ZoneProbe) -> WrittenZone<'p> {
        S::wrap(S::of(probe).zone())
    }

    /// Saves a zone, if it was encoded in slots of this width.
    pub(super) fn save_written(&mut self, zone: WrittenZone<'_>) -> Option<u32> {
        S::written(zone).map(|zone| self.save_zone(zone))
    }

    /// The key of a stored zone that equals the encoded one, if equal zones are shared.
    pub(super) fn find(&self, probe: &ZoneProbe) -> Option<u32> {
        self.shared.as_ref()?.find(&self.records, S::of(probe).zone())
    }

    /// Counts one more use of a stored zone.
    pub(super) fn retain(&mut self, key: u32) {
        self.records.update_uses(key, |uses| uses + 1);
    }

    pub(super) fn save(&mut self, probe: &ZoneProbe) -> u32 {
        self.save_zone(S::of(probe).zone())
    }

    fn save_zone(&mut self, zone: Written<'_, S>) -> u32 {
        match &mut self.shared {
            Some(shared) => shared.save(&mut self.records, zone),
            None => self.records.add(zone),
        }
    }

    pub(super) fn free(&mut self, key: u32) {
        let Self { records, shared } = self;
        if shared.as_mut().is_none_or(|shared| shared.free(records, key)) {
            records.remove(key);
        }
    }

    pub(super) fn load(&self, key: u32, zone: &mut Dbm) {
        self.records.form().decode(self.records.get(key), zone);
    }

    pub(super) fn is_equal(&self, key: u32, probe: &ZoneProbe) -> bool {
        self.records.get(key) == S::of(probe).zone()
    }

    #[inline(always)]
    pub(super) fn includes(&self, key: u32, probe: &ZoneProbe) -> bool {
        self.records.form().includes(self.records.get_with_tail(key), S::of(probe).zone())
    }

    #[inline(always)]
    pub(super) fn is_included(&self, key: u32, probe: &ZoneProbe) -> bool {
        self.records.form().includes(S::of(probe).zone(), self.records.get_with_tail(key))
    }

    pub(super) fn prepare_floor(&self, zone: &Dbm, bounds: &ClockBounds, probe: &mut ZoneProbe) {
        self.records.form().floor(zone, bounds, &mut S::of_mut(probe).floor);
    }

    pub(super) fn simulates(&self, key: u32, probe: &ZoneProbe) -> bool {
        let form = self.records.form();
        form.includes(self.records.get_with_tail(key), form.whole(&S::of(probe).floor))
    }

    pub(super) fn prepare_ceiling(&self, zone: &Dbm, bounds: &ClockBounds, probe: &mut ZoneProbe) {
        self.records.form().ceiling(zone, bounds, &mut S::of_mut(probe).ceiling);
    }

    pub(super) fn is_simulated(&self, key: u32, probe: &ZoneProbe) -> bool {
        let (form, probe) = (self.records.form(), S::of(probe));
        form.is_simulated(self.records.get_with_tail(key), probe.zone(), form.whole(&probe.ceiling))
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.records.bytes() + self.shared.as_ref().map_or(0, SharedRecords::bytes)
    }
}
