//! Zones under keys: saved, loaded, freed, and compared as they are stored
//! `[DavidBehrmannLarsenYi2003, section 5]`.
//!
//! All questions are between stored zones and one other, which the store is told first. It is then said to *hold*
//! that zone: it brings it into its own form once, however many stored ones it is compared with, and saves it
//! from there. Most offers are refused after one or two comparisons, so nothing is hashed before it is saved.
//! Comparing takes the store mutably: some forms unpack what they compare, and do so into memory of their own.

mod arena;
mod matrices;
mod records;
mod sharing;

use std::fmt;

use tourbillon_base::define_id;
use tourbillon_dbm::{ClockBounds, Dbm};

pub(crate) use matrices::Matrices;

define_id! {
    /// A stored zone.
    pub(crate) struct ZoneKey;
}

/// A store of zones of one dimension.
///
/// # Panics
/// All functions may panic, or answer anything, if a key is not of a stored zone or a zone is of another
/// dimension.
pub(crate) trait Zones: fmt::Debug {
    /// Takes up a zone: it is the held one until the next call.
    fn hold(&mut self, zone: &Dbm);

    /// Saves the held zone.
    fn save(&mut self) -> ZoneKey;

    /// Writes a stored zone into `zone`.
    fn load(&self, key: ZoneKey, zone: &mut Dbm);

    /// Gives up a key: as often as it was given out by [`save`](Self::save), the last time with the zone.
    fn free(&mut self, key: ZoneKey);

    /// Whether the stored zone is the held one.
    fn is_equal(&mut self, key: ZoneKey) -> bool;

    /// Whether the stored zone includes the held one.
    fn includes(&mut self, key: ZoneKey) -> bool;

    /// Whether the held zone includes the stored one.
    fn is_included(&mut self, key: ZoneKey) -> bool;

    /// Prepares for [`simulates`](Self::simulates); `zone` is the held one.
    fn hold_floor(&mut self, zone: &Dbm, bounds: &ClockBounds);

    /// Whether the held zone is included in a_LU of the stored one.
    fn simulates(&mut self, key: ZoneKey) -> bool;

    /// Prepares for [`is_simulated`](Self::is_simulated); `zone` is the held one.
    fn hold_ceiling(&mut self, zone: &Dbm, bounds: &ClockBounds);

    /// Whether the stored zone is included in a_LU of the held one.
    fn is_simulated(&mut self, key: ZoneKey) -> bool;

    /// How many zones are in memory.
    fn len(&self) -> usize;

    /// Bytes of all of this.
    fn bytes(&self) -> usize;
}
