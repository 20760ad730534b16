//! Zones as matrices of small integers, with inclusion and simulation directly on them.
//!
//! Most models have constants below 63, and then a raw bound fits in one byte; nearly all the others fit in two.
//! It knows no ranges: whether a zone fits is seen when it is encoded, and a store that meets one that does not goes
//! on with the next wider slots. Unlike the packed forms it needs no unpacking to be compared.
//!
//! **Only what is special.** A zone that was extrapolated bounds few clocks from above: all clocks without a lower
//! bound ahead of them, and all that have passed theirs, have a row that is infinite but for its diagonal
//! `[BehrmannBouyerLarsenPelanek2004]`. Of ten or twelve clocks in the usual families, one or two have not. So
//! only rows are written that differ from those of the universal zone, and with each zone goes a mask that says
//! which. Every other row is the largest that there is: it includes whatever another zone has there, and nothing
//! smaller includes it. Hence a zone with a special row that another has not does not include it, and what is left
//! to compare are the special rows of the larger one. With more than 32 rows, a bit of the mask stands for a band of
//! some rows, of which all are written if one is special.
//!
//! A zone of 10 clocks with two special rows takes 24 bytes instead of 704; one without any universal row takes 128.
//!
//! **Simulation.** `Z ⊆ a_LU(Z')` compares three things in each entry `[HerbreteauSrivathsanWalukiewicz2012]`;
//! with one of the two zones fixed, what depends on it alone is computed once:
//!
//! - `Z` fixed: the test is entrywise `floor(Z) ≤ Z'`, which is as cheap as inclusion.
//! - `Z'` fixed: it fails iff some `Z(y,x) > Z'(y,x)` with `Z(0,x) > ceiling(Z')(y,x)`.
//!
//! A store asks about one new zone and many stored ones, so it pays for the floor and the ceiling once.

use super::Unencodable;
use crate::bound::ZERO;
use crate::bounds::ClockBounds;
use crate::clock::Dimension;
use crate::dbm::Dbm;
use crate::kernels::narrow::{ALIGN, Kernels, Layout};
use tourbillon_base::mutants::{self, Mutant};

pub use crate::kernels::narrow::Written;

/// What a narrow matrix is made of: `i8`, `i16` or `i32`. Every zone fits in the last.
pub trait Slot: Kernels {}

impl Slot for i8 {}
impl Slot for i16 {}
impl Slot for i32 {}

/// How many bands a matrix has at most: as many as a mask has bits.
const BANDS_MAX: usize = u32::BITS as usize;

/// The narrow form of zones of one dimension.
///
/// ```
/// use tourbillon_dbm::forms::Narrow;
/// use tourbillon_dbm::{Dbm, Dimension};
///
/// let (point, all) = (Dbm::zero(Dimension::of_clocks(2)?), Dbm::universal(Dimension::of_clocks(2)?));
/// let form: Narrow<i8> = Narrow::new(point.dimension());
/// let (mut small, mut large) = (form.scratch(), form.scratch());
/// let (small, large) = (form.encode(&point, &mut small)?, form.encode(&all, &mut large)?);
/// assert!(form.includes(large, small) && !form.includes(small, large));
/// assert_eq!((small.slots.len(), large.slots.len()), (8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Narrow<S> {
    dimension: Dimension,
    layout: Layout,
    /// All bands of the universal zone.
    universal: Box<[S]>,
}

impl<S: Slot> Narrow<S> {
    /// The form for zones of this dimension.
    #[must_use]
    pub fn new(dimension: Dimension) -> Self {
        let (size, stride) = (dimension.size(), dimension.stride());
        let layout = Layout { size, stride, rows: size.div_ceil(BANDS_MAX) };
        let mut universal = vec![S::INFINITE; bands(layout) * layout.band()].into_boxed_slice();
        universal[..size].fill(S::nearest(ZERO));
        universal[..size * size].iter_mut().step_by(size + 1).for_each(|slot| *slot = S::nearest(ZERO));
        Self { dimension, layout, universal }
    }

    /// How many slots a zone takes of which these bands are written: one for each bound, rounded up to whole words.
    #[must_use]
    #[inline]
    pub const fn slots(&self, bands: u32) -> usize {
        (bands.count_ones() as usize * self.layout.band()).next_multiple_of(ALIGN)
    }

    /// How many slots a row takes.
    #[must_use]
    pub const fn row(&self) -> usize {
        self.layout.size
    }

    /// How many slots a zone takes at most.
    #[must_use]
    pub fn slots_max(&self) -> usize {
        self.slots(self.all())
    }

    /// Room for a zone to be encoded in.
    #[must_use]
    pub fn scratch(&self) -> Box<[S]> {
        vec![S::INFINITE; self.slots_max() + self.layout.stride + ALIGN].into_boxed_slice()
    }

    /// Writes the zone into scratch memory.
    ///
    /// # Errors
    /// If a bound does not fit. What is in the scratch memory then is no zone.
    ///
    /// # Panics
    /// If the dimension or the length is another; so do all functions here.
    #[inline(always)]
    pub fn encode<'a>(&self, zone: &Dbm, scratch: &'a mut [S]) -> Result<Written<'a, S>, Unencodable> {
        self.assert_fits(zone);
        let bands = S::narrow(zone.raw(), self.layout, scratch).ok_or(Unencodable)?;
        Ok(Written { bands, slots: &scratch[..self.slots(bands)] })
    }

    /// Overwrites `zone` with the encoded one.
    ///
    /// # Panics
    /// As [`encode`](Self::encode); the zone is meaningless if the slots were not written by that.
    #[inline(always)]
    pub fn decode(&self, written: Written<'_, S>, zone: &mut Dbm) {
        self.assert_fits(zone);
        zone.rewrite(S::REACH, false, |matrix| S::widen(written, self.layout, matrix));
    }

    /// Whether the first zone includes the second. One of the two may be given with more slots than it has.
    #[must_use]
    #[inline]
    pub fn includes(&self, larger: Written<'_, S>, smaller: Written<'_, S>) -> bool {
        if larger.bands == smaller.bands {
            let len = larger.slots.len().min(smaller.slots.len());
            let first =
                if mutants::is(Mutant::InclusionIgnoresRow) { self.layout.stride.min(len) } else { 0 };
            return S::all_at_most(&smaller.slots[first..len], &larger.slots[first..len]);
        }
        larger.bands & !smaller.bands == 0 && S::bands_at_most(smaller, larger, self.layout)
    }

    /// Writes what a matrix must include, as by [`includes`](Self::includes), just if `zone` is included in
    /// a_LU of it. It has all bands, and the rows that do not exist are below everything.
    ///
    /// # Panics
    /// As [`encode`](Self::encode).
    pub fn floor<'a>(&self, zone: &Dbm, bounds: &ClockBounds, scratch: &'a mut [S]) -> Written<'a, S> {
        self.assert_fits(zone);
        let (lower, upper) = self.limits(bounds);
        let slots = &mut scratch[..self.slots_max()];
        S::floor(zone.raw(), self.layout.stride, lower, upper, slots);
        self.whole(slots)
    }

    /// Slots with all bands, as [`floor`](Self::floor) and [`ceiling`](Self::ceiling) write them.
    #[must_use]
    pub fn whole<'a>(&self, scratch: &'a [S]) -> Written<'a, S> {
        Written { bands: self.all(), slots: &scratch[..self.slots_max()] }
    }

    /// Writes what [`is_simulated`](Self::is_simulated) needs to know of a zone besides its bounds.
    ///
    /// # Panics
    /// As [`encode`](Self::encode).
    pub fn ceiling<'a>(&self, zone: &Dbm, bounds: &ClockBounds, scratch: &'a mut [S]) -> Written<'a, S> {
        self.assert_fits(zone);
        let (lower, upper) = self.limits(bounds);
        S::ceiling(zone.raw(), self.layout.stride, lower, upper, scratch);
        self.whole(scratch)
    }

    /// Whether the first zone is included in a_LU of the second, which is given with its ceiling. Both may be given
    /// with more slots than they have.
    #[must_use]
    #[inline]
    pub fn is_simulated(
        &self,
        stored: Written<'_, S>,
        zone: Written<'_, S>,
        ceiling: Written<'_, S>,
    ) -> bool {
        S::below_ceiling(stored, zone, ceiling.slots, &self.universal, self.layout)
    }

    /// The slots as words of eight bytes, to be hashed.
    #[inline]
    pub fn words(slots: &[S]) -> impl Iterator<Item = u64> {
        S::words(slots)
    }

    fn all(&self) -> u32 {
        u32::MAX >> (BANDS_MAX - bands(self.layout))
    }

    fn limits<'a>(&self, bounds: &'a ClockBounds) -> (&'a [i32], &'a [i32]) {
        assert_eq!(self.dimension, bounds.dimension(), "a zone and bounds of different dimensions");
        (&bounds.raw_lower()[..self.dimension.size()], bounds.raw_upper())
    }

    fn assert_fits(&self, zone: &Dbm) {
        assert_eq!(self.dimension, zone.dimension(), "a zone and a form of different dimensions");
    }
}

/// How many bands a matrix has.
const fn bands(layout: Layout) -> usize {
    layout.size.div_ceil(layout.rows)
}

/// Rewrites a slot for a wider form.
#[must_use]
#[inline]
pub fn widened<S: Slot, W: Slot>(slot: S) -> W {
    W::nearest(slot.raw())
}
