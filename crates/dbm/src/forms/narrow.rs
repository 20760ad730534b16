//! Zones as matrices of small integers, and inclusion and simulation straight on them.
//!
//! Most models have constants below 63, and then a raw bound fits in one byte; nearly all the others fit in two.
//! A narrow matrix keeps every bound, in rows without padding, so a zone of 10 clocks takes 128 bytes instead of
//! 704 and is compared 32 bounds at a time. Unlike the packed forms it needs no unpacking to be compared. It knows no ranges: whether a zone fits is seen when it is encoded, and a store that
//! meets one that does not goes on with the next wider slots.
//!
//! **Simulation.** `Z ⊆ a_LU(Z')` compares three things in each entry `[HerbreteauSrivathsanWalukiewicz2012]`;
//! with one of the two zones fixed, what depends on it alone is computed once:
//!
//! - `Z` fixed: the test is entrywise `floor(Z) ≤ Z'`, which is as cheap as inclusion.
//! - `Z'` fixed: it fails iff some `Z(y,x) > Z'(y,x)` with `Z(0,x) > ceiling(Z')(y,x)`.
//!
//! A store asks about one new zone and many stored ones, so it pays for the floor and the ceiling once.

use std::marker::PhantomData;

use super::Unencodable;
use crate::bounds::ClockBounds;
use crate::clock::Dimension;
use crate::dbm::Dbm;
use crate::kernels::narrow::Kernels;

/// What a narrow matrix is made of: `i8`, `i16` or `i32`. Every zone fits in the last.
pub trait Slot: Kernels {}

impl Slot for i8 {}
impl Slot for i16 {}
impl Slot for i32 {}

/// The narrow form of zones of one dimension. All slices are [`Narrow::slots`] long.
///
/// ```
/// use tourbillon_dbm::forms::Narrow;
/// use tourbillon_dbm::{Dbm, Dimension};
///
/// let (point, all) = (Dbm::zero(Dimension::of_clocks(2)?), Dbm::universal(Dimension::of_clocks(2)?));
/// let form: Narrow<i8> = Narrow::new(point.dimension());
/// let (mut small, mut large) = (vec![0; form.slots()], vec![0; form.slots()]);
/// form.encode(&point, &mut small)?;
/// form.encode(&all, &mut large)?;
/// assert!(form.includes(&large, &small) && !form.includes(&small, &large));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Narrow<S> {
    dimension: Dimension,
    slot: PhantomData<S>,
}

impl<S: Slot> Narrow<S> {
    /// The form for zones of this dimension.
    #[must_use]
    pub const fn new(dimension: Dimension) -> Self {
        Self { dimension, slot: PhantomData }
    }

    /// How many slots a zone takes: one for each bound, rounded up to whole vectors of 16 bytes.
    #[must_use]
    pub const fn slots(&self) -> usize {
        let size = self.dimension.size();
        (size * size).next_multiple_of(16 / size_of::<S>())
    }

    /// Writes the zone into `slots`.
    ///
    /// # Errors
    /// If a bound does not fit. What is in `slots` then is no zone.
    ///
    /// # Panics
    /// If the dimension or the length is another; so do all functions here.
    pub fn encode(&self, zone: &Dbm, slots: &mut [S]) -> Result<(), Unencodable> {
        self.assert_fits(zone, slots);
        let fits = S::narrow(zone.raw(), self.dimension.size(), self.dimension.stride(), slots);
        if fits { Ok(()) } else { Err(Unencodable) }
    }

    /// Overwrites `zone` with the encoded one.
    ///
    /// # Panics
    /// As [`encode`](Self::encode); the zone is meaningless if the slots were not written by that.
    pub fn decode(&self, slots: &[S], zone: &mut Dbm) {
        self.assert_fits(zone, slots);
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        zone.rewrite(S::REACH, false, |matrix| S::widen(slots, size, stride, matrix));
    }

    /// Whether the first zone includes the second.
    #[must_use]
    #[inline]
    pub fn includes(&self, larger: &[S], smaller: &[S]) -> bool {
        debug_assert_eq!((larger.len(), smaller.len()), (self.slots(), self.slots()));
        S::all_at_most(smaller, larger)
    }

    /// Writes what a matrix must include, as by [`includes`](Self::includes), just if `zone` is included in
    /// a_LU of it.
    ///
    /// # Panics
    /// As [`encode`](Self::encode).
    pub fn floor(&self, zone: &Dbm, bounds: &ClockBounds, floor: &mut [S]) {
        self.assert_fits(zone, floor);
        let (lower, upper) = self.limits(bounds);
        S::floor(zone.raw(), self.dimension.stride(), lower, upper, floor);
    }

    /// Writes what [`is_simulated`](Self::is_simulated) needs to know of a zone besides its bounds.
    ///
    /// # Panics
    /// As [`encode`](Self::encode).
    pub fn ceiling(&self, zone: &Dbm, bounds: &ClockBounds, ceiling: &mut [S]) {
        self.assert_fits(zone, ceiling);
        let (lower, upper) = self.limits(bounds);
        S::ceiling(zone.raw(), self.dimension.stride(), lower, upper, ceiling);
    }

    /// Whether the first zone is included in a_LU of the second, which is given with its ceiling.
    #[must_use]
    #[inline]
    pub fn is_simulated(&self, stored: &[S], zone: &[S], ceiling: &[S]) -> bool {
        S::below_ceiling(stored, zone, ceiling, self.dimension.size())
    }

    /// The slots as words of eight bytes, to be hashed.
    #[inline]
    pub fn words(slots: &[S]) -> impl Iterator<Item = u64> {
        S::words(slots)
    }

    fn limits<'a>(&self, bounds: &'a ClockBounds) -> (&'a [i32], &'a [i32]) {
        assert_eq!(self.dimension, bounds.dimension(), "a zone and bounds of different dimensions");
        (&bounds.raw_lower()[..self.dimension.size()], bounds.raw_upper())
    }

    fn assert_fits(&self, zone: &Dbm, slots: &[S]) {
        assert_eq!(self.dimension, zone.dimension(), "a zone and a form of different dimensions");
        assert_eq!(slots.len(), self.slots(), "slots of another dimension");
    }
}

/// Rewrites a slot for a wider form.
#[must_use]
#[inline]
pub fn widened<S: Slot, W: Slot>(slot: S) -> W {
    W::nearest(slot.raw())
}
