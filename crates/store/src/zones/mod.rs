//! Zones under keys: saved, loaded, freed, and compared in their stored form `[DavidBehrmannLarsenYi2003, section 5]`.
//!
//! Stored zones are compared with one other zone, which is first encoded into a [`ZoneProbe`] of the caller: it is
//! converted to the form of the store once for any number of comparisons, and saved from there. Most offers are refused
//! after one or two comparisons, so nothing is hashed before it is saved.
//!
//! Some forms depend on the bounds that have occurred. A zone with a new bound cannot be encoded before the store is
//! [extended](ZoneStore::extend), which rewrites all zones under their old keys.
//!
//! | form | file |
//! |---|---|
//! | `plain`, `shared` | `matrices.rs`: matrices of one, two or four bytes a bound, on `narrow.rs`, `records.rs`, `sharing.rs` |
//! | `bits`, `digits` | `rows.rs`: every bound in a few bits |
//! | `minimal` | `minimal.rs`: the constraints that imply all others |
//!
//! The last two use `encoded.rs`, `byte_arena.rs` and, if equal zones are stored once, `key_table.rs`.

mod byte_arena;
mod encoded;
mod key_table;
mod matrices;
mod minimal;
mod narrow;
mod probe;
mod records;
mod rows;
mod sharing;
#[cfg(test)]
mod tests;

use std::fmt;

use tourbillon_base::{Id, define_id};
use tourbillon_dbm::forms::{Base, TestBits};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use crate::node::{Cursor, Nodes};
use crate::settings::ZoneForm;
use matrices::MatrixStore;
use minimal::MinimalStore;
use rows::RowStore;

pub(crate) use probe::{WrittenZone, ZoneProbe};

define_id! {
    /// The key of a stored zone.
    pub(crate) struct ZoneKey;
}

/// A store of zones of one dimension. Where a probe is passed with a zone, it has that zone as this store encodes it.
///
/// # Panics
/// All functions may panic, or answer anything, if a key is not of a stored zone, a zone is of another dimension, or the probe
/// has another zone.
pub(crate) trait ZoneStore: fmt::Debug + Send + Sync {
    /// Encodes a zone. Returns false if the store must be extended first.
    fn encode(&self, zone: &Dbm, probe: &mut ZoneProbe) -> bool;

    /// Rewrites all zones so that this one can be encoded, or is closer to that.
    fn extend(&mut self, zone: &Dbm);

    /// Encodes a zone, extending the store as far as necessary.
    fn encode_extending(&mut self, zone: &Dbm, probe: &mut ZoneProbe) {
        while !self.encode(zone, probe) {
            self.extend(zone);
        }
    }

    /// Encodes a stored zone, for comparisons that do not read the zone itself. The zone may be written into `zone`.
    fn encode_stored(&self, key: ZoneKey, zone: &mut Dbm, probe: &mut ZoneProbe) {
        self.load(key, zone);
        self.encode(zone, probe);
    }

    /// The encoded zone, in a store that can [save](Self::save_written) it.
    fn written<'p>(&self, _probe: &'p ZoneProbe) -> Option<WrittenZone<'p>> {
        None
    }

    /// Saves a zone as it was encoded before; `None` if the store encodes it otherwise now.
    fn save_written(&mut self, _zone: WrittenZone<'_>) -> Option<ZoneKey> {
        None
    }

    /// The key of a stored zone that equals the encoded one, if equal zones are stored once and it is cheap to find.
    fn find(&self, _probe: &ZoneProbe) -> Option<ZoneKey> {
        None
    }

    /// Counts one more use of a stored zone that was [found](Self::find).
    fn retain(&mut self, _key: ZoneKey) {
        unreachable!("this store finds no zones");
    }

    /// Saves an encoded zone.
    fn save(&mut self, zone: &Dbm, probe: &ZoneProbe) -> ZoneKey;

    /// Writes a stored zone into `zone`.
    fn load(&self, key: ZoneKey, zone: &mut Dbm);

    /// Frees a key: once for each [`save`](Self::save) that returned it; the last time frees the zone.
    fn free(&mut self, key: ZoneKey);

    /// Whether the stored zone equals the encoded one.
    fn is_equal(&self, key: ZoneKey, zone: &Dbm, probe: &mut ZoneProbe) -> bool;

    /// Whether the stored zone includes the encoded one.
    fn includes(&self, key: ZoneKey, zone: &Dbm, probe: &mut ZoneProbe) -> bool;

    /// Whether the encoded zone includes the stored one.
    fn is_included(&self, key: ZoneKey, zone: &Dbm, probe: &mut ZoneProbe) -> bool;

    /// Prepares for [`simulates`](Self::simulates).
    fn prepare_floor(&self, _zone: &Dbm, _bounds: &ClockBounds, _probe: &mut ZoneProbe) {}

    /// Whether the encoded zone is included in a_LU of the stored one.
    fn simulates(&self, key: ZoneKey, zone: &Dbm, bounds: &ClockBounds, probe: &mut ZoneProbe) -> bool {
        let stored = probe.decoded(zone.dimension());
        self.load(key, stored);
        zone.is_simulated_lu(stored, bounds)
    }

    /// Prepares for [`is_simulated`](Self::is_simulated).
    fn prepare_ceiling(&self, _zone: &Dbm, _bounds: &ClockBounds, _probe: &mut ZoneProbe) {}

    /// Whether the stored zone is included in a_LU of the encoded one.
    fn is_simulated(&self, key: ZoneKey, zone: &Dbm, bounds: &ClockBounds, probe: &mut ZoneProbe) -> bool {
        let stored = probe.decoded(zone.dimension());
        self.load(key, stored);
        stored.is_simulated_lu(zone, bounds)
    }

    /// The first node of a list, from a node on, whose zone equals the encoded one. This and the following are loops over
    /// the tests above: one virtual call for all zones of a discrete state.
    fn find_equal(&self, nodes: &Nodes, first: u32, zone: &Dbm, probe: &mut ZoneProbe) -> Option<u32> {
        nodes.find(first, |key| self.is_equal(key, zone, probe))
    }

    /// The first node of a list, from a node on, whose zone includes the encoded one.
    fn find_including(&self, nodes: &Nodes, first: u32, zone: &Dbm, probe: &mut ZoneProbe) -> Option<u32> {
        nodes.find(first, |key| self.includes(key, zone, probe))
    }

    /// The first node of a list from a cursor on whose zone the encoded one includes.
    fn find_included(
        &self,
        nodes: &Nodes,
        cursor: Cursor,
        zone: &Dbm,
        probe: &mut ZoneProbe,
    ) -> Option<Cursor> {
        nodes.find_from(cursor, |key| self.is_included(key, zone, probe))
    }

    /// The first node of a list, from a node on, whose a_LU includes the encoded zone.
    fn find_simulating(
        &self,
        nodes: &Nodes,
        first: u32,
        zone: &Dbm,
        bounds: &ClockBounds,
        probe: &mut ZoneProbe,
    ) -> Option<u32> {
        nodes.find(first, |key| self.simulates(key, zone, bounds, probe))
    }

    /// The first node of a list from a cursor on whose zone is included in a_LU of the encoded one.
    fn find_simulated(
        &self,
        nodes: &Nodes,
        cursor: Cursor,
        zone: &Dbm,
        bounds: &ClockBounds,
        probe: &mut ZoneProbe,
    ) -> Option<Cursor> {
        nodes.find_from(cursor, |key| self.is_simulated(key, zone, bounds, probe))
    }

    /// The number of zones in memory.
    fn len(&self) -> usize;

    /// The allocated bytes.
    fn bytes(&self) -> usize;
}

/// An empty store of a form.
pub(crate) fn new_zone_store(form: ZoneForm, dimension: Dimension) -> Box<dyn ZoneStore> {
    let shared = form.is_shared();
    match form {
        ZoneForm::Plain | ZoneForm::Shared => Box::new(MatrixStore::new(dimension, shared)),
        // If visited zones are unions, these are the waiting zones.
        ZoneForm::Cdd => Box::new(MatrixStore::new(dimension, true)),
        ZoneForm::Bits | ZoneForm::BitsShared => Box::new(RowStore::<TestBits>::new(dimension, shared)),
        ZoneForm::Digits | ZoneForm::DigitsShared => Box::new(RowStore::<Base>::new(dimension, shared)),
        ZoneForm::Minimal | ZoneForm::MinimalShared => Box::new(MinimalStore::new(dimension, shared)),
    }
}

#[inline]
fn position(key: ZoneKey) -> u32 {
    key.index() as u32
}
