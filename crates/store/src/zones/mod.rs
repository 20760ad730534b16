//! Zones under keys: saved, loaded, freed, and compared as they are stored
//! `[DavidBehrmannLarsenYi2003, section 5]`.
//!
//! All questions are between stored zones and one other, which the store is told first. It is then said to *hold*
//! that zone: it brings it into its own form once, however many stored ones it is compared with, and saves it
//! from there. Most offers are refused after one or two comparisons, so nothing is hashed before it is saved.
//! Comparing takes the store mutably: some forms unpack what they compare, and do so into memory of their own.

mod arena;
mod kept;
mod matrices;
mod places;
mod records;
mod reduced;
mod rows;
mod sharing;
mod simulation;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use tourbillon_base::{Id, define_id};
use tourbillon_dbm::forms::{Base, TestBits};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};

use crate::settings::ZoneForm;
pub(crate) use matrices::Matrices;
use reduced::Reduced;
use rows::Rows;

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

/// Something that is made of zones in any form.
pub(crate) trait OfZones {
    /// What is made.
    type Made;

    /// Makes it of no zones yet.
    fn of_zones<Z: Zones + 'static>(self, zones: Z) -> Self::Made;
}

/// Makes something of zones in this form. The forms are types, so that asking a zone is not a virtual call.
pub(crate) fn in_form<T: OfZones>(form: ZoneForm, dimension: Dimension, maker: T) -> T::Made {
    let shared = form.is_shared();
    match form {
        // Where unions are kept, these are the zones that wait.
        ZoneForm::Plain | ZoneForm::Shared | ZoneForm::Cdd => {
            maker.of_zones(Matrices::new(dimension, shared))
        }
        ZoneForm::Bits | ZoneForm::BitsShared => maker.of_zones(Rows::<TestBits>::new(dimension, shared)),
        ZoneForm::Digits | ZoneForm::DigitsShared => maker.of_zones(Rows::<Base>::new(dimension, shared)),
        ZoneForm::Minimal | ZoneForm::MinimalShared => maker.of_zones(Reduced::new(dimension, shared)),
    }
}

#[inline]
fn position(key: ZoneKey) -> u32 {
    key.index() as u32
}
