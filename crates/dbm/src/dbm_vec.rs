//! Zones of one dimension one after the other, as matrices.

use crate::clock::Dimension;
use crate::dbm::Dbm;

/// Zones in one block of memory, under consecutive numbers. None has overflowed.
///
/// ```
/// # use tourbillon_dbm::{Dbm, DbmVec, Dimension};
/// let dimension = Dimension::of_clocks(2)?;
/// let mut zones = DbmVec::new(dimension);
/// zones.push(&Dbm::universal(dimension));
/// let mut zone = Dbm::zero(dimension);
/// zones.load(0, &mut zone);
/// assert!(zone.is_universal() && zones.is_equal(0, &zone));
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DbmVec {
    dimension: Dimension,
    bounds: Vec<i32>,
    /// The largest finite bound of each zone, in absolute value.
    reaches: Vec<i32>,
}

impl DbmVec {
    /// No zones.
    #[must_use]
    pub const fn new(dimension: Dimension) -> Self {
        Self { dimension, bounds: Vec::new(), reaches: Vec::new() }
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        self.reaches.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.reaches.is_empty()
    }

    /// Adds a zone, whose number is the number of zones before.
    ///
    /// # Panics
    /// If it is of another dimension, or has overflowed.
    pub fn push(&mut self, zone: &Dbm) {
        assert_eq!(zone.dimension(), self.dimension, "a zone of another dimension");
        assert!(!zone.overflowed(), "a zone that overflowed");
        self.bounds.extend_from_slice(zone.raw());
        self.reaches.push(zone.reach());
    }

    #[inline]
    fn raw(&self, number: usize) -> &[i32] {
        let len = self.dimension.size() * self.dimension.stride();
        &self.bounds[number * len..][..len]
    }

    /// Whether the zone with this number equals another one.
    #[must_use]
    #[inline]
    pub fn is_equal(&self, number: usize, zone: &Dbm) -> bool {
        self.raw(number) == zone.raw()
    }

    /// Writes the zone with this number into `zone`.
    ///
    /// # Panics
    /// If that is of another dimension.
    #[inline]
    pub fn load(&self, number: usize, zone: &mut Dbm) {
        assert_eq!(zone.dimension(), self.dimension, "a zone of another dimension");
        zone.rewrite(self.reaches[number], false, |bounds| bounds.copy_from_slice(self.raw(number)));
    }

    /// Removes all zones, and keeps the memory.
    pub fn clear(&mut self) {
        self.bounds.clear();
        self.reaches.clear();
    }
}
