//! Zones as narrow matrices, all in the narrowest slots that fit the largest bound so far.
//!
//! The store begins with one byte for each bound. For a zone that does not fit, it rewrites all zones in slots twice as
//! wide, at most twice and usually among the first few zones, since those already have the model's constants. With one
//! width for all zones, a comparison is one flat loop and a key is just a position.

use tourbillon_base::Id;
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use super::narrow::NarrowStore;
use super::{WrittenZone, ZoneKey, ZoneProbe, ZoneStore, position};
use crate::node::{Cursor, Nodes};

/// Zones of one dimension, with or without sharing of equal ones.
#[derive(Debug)]
pub(super) struct MatrixStore {
    dimension: Dimension,
    zones: AnyWidth,
}

#[derive(Debug)]
enum AnyWidth {
    One(NarrowStore<i8>),
    Two(NarrowStore<i16>),
    Four(NarrowStore<i32>),
}

/// Evaluates `$body` with `$zones` as the zones in the current width.
macro_rules! at_width {
    ($any:expr, $zones:ident => $body:expr) => {
        match $any {
            AnyWidth::One($zones) => $body,
            AnyWidth::Two($zones) => $body,
            AnyWidth::Four($zones) => $body,
        }
    };
}

impl MatrixStore {
    /// An empty store; with `sharing`, equal zones are stored once.
    pub(super) fn new(dimension: Dimension, sharing: bool) -> Self {
        Self { dimension, zones: AnyWidth::One(NarrowStore::new(dimension, sharing)) }
    }
}

impl ZoneStore for MatrixStore {
    #[inline]
    fn encode(&self, zone: &Dbm, probe: &mut ZoneProbe) -> bool {
        probe.is_encoded = at_width!(&self.zones, zones => zones.encode(zone, probe));
        probe.is_encoded
    }

    #[inline]
    fn encode_stored(&self, key: ZoneKey, _: &mut Dbm, probe: &mut ZoneProbe) {
        at_width!(&self.zones, zones => zones.encode_stored(position(key), self.dimension, probe));
        probe.is_encoded = true;
    }

    fn written<'p>(&self, probe: &'p ZoneProbe) -> Option<WrittenZone<'p>> {
        probe.is_encoded.then(|| at_width!(&self.zones, zones => zones.written(probe)))
    }

    fn save_written(&mut self, zone: WrittenZone<'_>) -> Option<ZoneKey> {
        let key = at_width!(&mut self.zones, zones => zones.save_written(zone))?;
        Some(ZoneKey::from_index(key as usize))
    }

    #[cold]
    fn extend(&mut self, _: &Dbm) {
        let nothing = AnyWidth::One(NarrowStore::new(self.dimension, false));
        self.zones = match std::mem::replace(&mut self.zones, nothing) {
            AnyWidth::One(zones) => AnyWidth::Two(zones.widened(self.dimension)),
            AnyWidth::Two(zones) => AnyWidth::Four(zones.widened(self.dimension)),
            AnyWidth::Four(_) => unreachable!("every zone fits in the widest slots"),
        };
    }

    fn find(&self, probe: &ZoneProbe) -> Option<ZoneKey> {
        let key = at_width!(&self.zones, zones => zones.find(probe))?;
        Some(ZoneKey::from_index(key as usize))
    }

    fn retain(&mut self, key: ZoneKey) {
        at_width!(&mut self.zones, zones => zones.retain(position(key)));
    }

    fn save(&mut self, _: &Dbm, probe: &ZoneProbe) -> ZoneKey {
        ZoneKey::from_index(at_width!(&mut self.zones, zones => zones.save(probe)) as usize)
    }

    fn load(&self, key: ZoneKey, zone: &mut Dbm) {
        at_width!(&self.zones, zones => zones.load(position(key), zone));
    }

    fn free(&mut self, key: ZoneKey) {
        at_width!(&mut self.zones, zones => zones.free(position(key)));
    }

    fn is_equal(&self, key: ZoneKey, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        at_width!(&self.zones, zones => zones.is_equal(position(key), probe))
    }

    fn includes(&self, key: ZoneKey, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        at_width!(&self.zones, zones => zones.includes(position(key), probe))
    }

    fn is_included(&self, key: ZoneKey, _: &Dbm, probe: &mut ZoneProbe) -> bool {
        at_width!(&self.zones, zones => zones.is_included(position(key), probe))
    }

    fn find_including(&self, nodes: &Nodes, first: u32, _: &Dbm, probe: &mut ZoneProbe) -> Option<u32> {
        at_width!(&self.zones, zones => nodes.find(first, |key| zones.includes(position(key), probe)))
    }

    fn find_included(&self, nodes: &Nodes, cursor: Cursor, _: &Dbm, probe: &mut ZoneProbe) -> Option<Cursor> {
        at_width!(&self.zones, zones => nodes.find_from(cursor, |key| zones.is_included(position(key), probe)))
    }

    fn prepare_floor(&self, zone: &Dbm, bounds: &ClockBounds, probe: &mut ZoneProbe) {
        at_width!(&self.zones, zones => zones.prepare_floor(zone, bounds, probe));
    }

    fn simulates(&self, key: ZoneKey, _: &Dbm, _: &ClockBounds, probe: &mut ZoneProbe) -> bool {
        at_width!(&self.zones, zones => zones.simulates(position(key), probe))
    }

    fn prepare_ceiling(&self, zone: &Dbm, bounds: &ClockBounds, probe: &mut ZoneProbe) {
        at_width!(&self.zones, zones => zones.prepare_ceiling(zone, bounds, probe));
    }

    fn is_simulated(&self, key: ZoneKey, _: &Dbm, _: &ClockBounds, probe: &mut ZoneProbe) -> bool {
        at_width!(&self.zones, zones => zones.is_simulated(position(key), probe))
    }

    fn len(&self) -> usize {
        at_width!(&self.zones, zones => zones.len())
    }

    fn bytes(&self) -> usize {
        at_width!(&self.zones, zones => zones.bytes())
    }
}
