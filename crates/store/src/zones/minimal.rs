//! Zones in minimal constraint form: the fewest bytes, and expensive comparisons if these constraints do not decide.
//!
//! A comparison does not reduce the other zone. Whether a stored zone includes it is decided by looking up its bounds,
//! a few for each stored zone. Whether it includes or equals a stored one is usually refuted the same way; otherwise
//! the stored one is decoded and closed. Only saved zones are reduced.

use tourbillon_base::Id;
use tourbillon_dbm::forms::{Form, Minimal};
use tourbillon_dbm::{Dbm, Dimension};

use super::byte_arena::ByteArena;
use super::encoded::{EncodedZones, RecordLength};
use super::{ZoneKey, ZoneProbe, ZoneStore, position};

/// The number of bytes of a unit: short keys save more than the padding of records costs.
const UNIT: usize = 4;

/// Zones of one dimension.
#[derive(Debug)]
pub(super) struct MinimalStore {
    form: Minimal,
    zones: EncodedZones,
    /// The encoding of the zone that is being saved.
    saved: Vec<u8>,
}

/// The record lengths of this form.
struct InUnits<'a>(&'a Minimal);

impl RecordLength for InUnits<'_> {
    fn bytes(&self, record: &[u8]) -> usize {
        self.0.length(record)
    }

    fn units(&self, record: &[u8], lead: usize) -> usize {
        (lead + self.0.length(record)).div_ceil(UNIT)
    }
}

impl MinimalStore {
    /// An empty store; with `sharing`, equal zones are stored once.
    pub(super) fn new(dimension: Dimension, sharing: bool) -> Self {
        let form = Minimal::new(dimension);
        let arena = ByteArena::new(UNIT, (1 + form.bytes_max()).div_ceil(UNIT)).splitting();
        Self { form, zones: EncodedZones::new(arena, sharing), saved: Vec::new() }
    }

    fn get(&self, key: ZoneKey) -> &[u8] {
        self.zones.get(position(key))
    }
}

impl ZoneStore for MinimalStore {
    fn encode(&self, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        probe.is_encoded = true;
        true
    }

    fn extend(&mut self, _: &Dbm) {}

    fn save(&mut self, zone: &Dbm, _: &ZoneProbe) -> ZoneKey {
        self.form.write(zone, &mut self.saved);
        let key = self.zones.save(&self.saved, &InUnits(&self.form));
        ZoneKey::from_index(key as usize)
    }

    fn load(&self, key: ZoneKey, zone: &mut Dbm) {
        self.form.read(self.get(key), zone);
    }

    fn free(&mut self, key: ZoneKey) {
        self.zones.free(position(key), &InUnits(&self.form));
    }

    fn is_equal(&self, key: ZoneKey, zone: &Dbm, probe: &mut ZoneProbe) -> bool {
        let record = self.get(key);
        // A zone that agrees in all constraints is included in the stored one, and equals it if it also includes it.
        self.form.may_equal(record, zone)
            && self.form.is_included(record, zone, probe.decoded(zone.dimension()))
    }

    fn includes(&self, key: ZoneKey, zone: &Dbm, _: &mut ZoneProbe) -> bool {
        self.form.includes(self.get(key), zone)
    }

    fn is_included(&self, key: ZoneKey, zone: &Dbm, probe: &mut ZoneProbe) -> bool {
        self.form.is_included(self.get(key), zone, probe.decoded(zone.dimension()))
    }

    fn len(&self) -> usize {
        self.zones.len()
    }

    fn bytes(&self) -> usize {
        self.zones.bytes()
    }
}
