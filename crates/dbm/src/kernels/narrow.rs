//! Kernels of the narrow form: rows of one-, two- or four-byte bounds without padding.
//!
//! A row is *universal* if it is that of the universal zone: all of it infinite but the diagonal, or, for the row of
//! the reference, all of it `(≤,0)`. Only *bands* of rows of which one is not universal are written, one after the
//! other; which ones those are is said by a mask with a bit for each band. After them come slots with infinity
//! up to a multiple of [`ALIGN`]. Matrices with the same bands compare as flat slices; only reading and writing a
//! matrix of raw bounds, comparing different bands, and the simulation tests know where rows begin.

use super::{by_stride, mark, multiversion};
use crate::bound::{INFINITY, ZERO};

/// Slots come in multiples of this: whole words at any width.
pub(crate) const ALIGN: usize = 8;

/// How a matrix is cut into bands.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// How many rows and columns it has.
    pub(crate) size: usize,
    /// The distance between rows of raw bounds.
    pub(crate) stride: usize,
    /// How many rows a band has. Rows of the last band that do not exist are infinite.
    pub(crate) rows: usize,
}

impl Layout {
    /// How many slots a band takes.
    #[inline(always)]
    pub(crate) const fn band(self) -> usize {
        self.rows * self.size
    }
}

/// A zone in narrow form: the bands that are written, and their slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written<'a, S> {
    /// One bit for each band.
    pub bands: u32,
    /// The slots of the bands whose bit is set.
    pub slots: &'a [S],
}

/// An integer that holds a bound: the raw bound itself, or its own largest value for infinity.
pub trait Kernels: Copy + Ord + std::fmt::Debug + 'static {
    /// Below every bound.
    const LEAST: Self;
    const INFINITE: Self;
    /// The largest absolute value of a finite raw bound; for the widest, of any that exists.
    const REACH: i32;

    /// The nearest number of this kind to a raw bound: exact if the bound fits or is infinite.
    fn nearest(raw: i32) -> Self;
    fn raw(self) -> i32;
    /// The slots as words, eight bytes each; their number must be a multiple of that.
    fn words(slots: &[Self]) -> impl Iterator<Item = u64>;

    /// Spreads a word over slots, as [`words`](Self::words) reads it.
    fn put_word(word: u64, slots: &mut [Self]);

    /// Writes the bands of a raw matrix that are not universal. Returns which these are, unless a bound does not
    /// fit. Beyond what is written, one stride and [`ALIGN`] slots more may be overwritten.
    fn narrow(matrix: &[i32], layout: Layout, slots: &mut [Self]) -> Option<u32>;
    /// Writes a narrow matrix into a raw one; its padding is left as it is.
    fn widen(written: Written<'_, Self>, layout: Layout, matrix: &mut [i32]);
    /// Whether no slot of `left` exceeds that of `right`; their number is a multiple of [`ALIGN`].
    fn all_at_most(left: &[Self], right: &[Self]) -> bool;
    /// Whether no bound of `left` exceeds that of `right`, which has no bands that `left` has not.
    fn bands_at_most(left: Written<'_, Self>, right: Written<'_, Self>, layout: Layout) -> bool;
    /// Writes the floor of a zone: see [`Narrow::floor`](crate::forms::Narrow::floor).
    fn floor(matrix: &[i32], stride: usize, lower: &[i32], upper: &[i32], slots: &mut [Self]);
    /// Writes the ceiling of a zone: see [`Narrow::ceiling`](crate::forms::Narrow::ceiling).
    fn ceiling(matrix: &[i32], stride: usize, lower: &[i32], upper: &[i32], slots: &mut [Self]);
    /// Whether no entry of `stored` exceeds that of `zone` while the first of its column exceeds that of
    /// `ceiling`. The latter and `universal`, the universal zone, have all bands.
    fn below_ceiling(
        stored: Written<'_, Self>,
        zone: Written<'_, Self>,
        ceiling: &[Self],
        universal: &[Self],
        layout: Layout,
    ) -> bool;
}

macro_rules! kernels {
    ($slot:ty, $infinite:expr, $reach:expr, $per_word:literal, $unsigned:ty) => {
        impl Kernels for $slot {
            const LEAST: Self = <$slot>::MIN;
            const INFINITE: Self = $infinite;
            const REACH: i32 = $reach;

            #[inline(always)]
            fn nearest(raw: i32) -> Self {
                raw.clamp(Self::LEAST as i32, Self::INFINITE as i32) as Self
            }

            #[inline(always)]
            fn raw(self) -> i32 {
                if self == Self::INFINITE { INFINITY } else { self as i32 }
            }

            #[inline(always)]
            fn words(slots: &[Self]) -> impl Iterator<Item = u64> {
                slots.as_chunks::<$per_word>().0.iter().map(|chunk| {
                    let joined = chunk
                        .iter()
                        .rev()
                        .fold(0u128, |word, &slot| word << <$unsigned>::BITS | u128::from(slot as $unsigned));
                    joined as u64
                })
            }

            #[inline(always)]
            fn put_word(word: u64, slots: &mut [Self]) {
                for (at, slot) in slots[..$per_word].iter_mut().enumerate() {
                    *slot = (word >> (at as u32 * <$unsigned>::BITS)) as $slot;
                }
            }

            multiversion! {
                fn narrow(matrix: &[i32], layout: Layout, slots: &mut [$slot]) -> Option<u32> = narrow_any::<$slot>;
            }

            multiversion! {
                fn widen(
                    written: Written<'_, $slot>,
                    layout: Layout,
                    matrix: &mut [i32],
                ) = widen_any::<$slot>;
            }

            multiversion! {
                fn all_at_most(left: &[$slot], right: &[$slot]) -> bool = all_at_most_any::<$slot>;
            }

            multiversion! {
                fn bands_at_most(
                    left: Written<'_, $slot>,
                    right: Written<'_, $slot>,
                    layout: Layout,
                ) -> bool = bands_at_most_any::<$slot>;
            }

            multiversion! {
                fn floor(
                    matrix: &[i32],
                    stride: usize,
                    lower: &[i32],
                    upper: &[i32],
                    slots: &mut [$slot],
                ) = floor_any::<$slot>;
            }

            multiversion! {
                fn ceiling(
                    matrix: &[i32],
                    stride: usize,
                    lower: &[i32],
                    upper: &[i32],
                    slots: &mut [$slot],
                ) = ceiling_any::<$slot>;
            }

            multiversion! {
                fn below_ceiling(
                    stored: Written<'_, $slot>,
                    zone: Written<'_, $slot>,
                    ceiling: &[$slot],
                    universal: &[$slot],
                    layout: Layout,
                ) -> bool = below_ceiling_any::<$slot>;
            }
        }
    };
}

kernels!(i8, i8::MAX, 126, 8, u8);
kernels!(i16, i16::MAX, 32766, 4, u16);
kernels!(i32, INFINITY, crate::bound::RAW_LIMIT, 2, u32);

/// How many slots are compared before the answer is asked for.
const BLOCK: usize = 32;

#[inline(always)]
pub(super) fn all_at_most_any<S: Kernels>(left: &[S], right: &[S]) -> bool {
    let (left_blocks, left_rest) = left.as_chunks::<BLOCK>();
    let (right_blocks, right_rest) = right.as_chunks::<BLOCK>();
    for (left, right) in left_blocks.iter().zip(right_blocks) {
        if exceeds(left, right) {
            return false;
        }
    }
    let mut above = false;
    for (left, right) in left_rest.as_chunks::<ALIGN>().0.iter().zip(right_rest.as_chunks::<ALIGN>().0) {
        above |= exceeds(left, right);
    }
    !above
}

#[inline(always)]
pub(super) fn bands_at_most_any<S: Kernels>(
    left: Written<'_, S>,
    right: Written<'_, S>,
    layout: Layout,
) -> bool {
    let mut bands = right.slots.chunks_exact(layout.band());
    for (band, slots) in Bands(left.bands).zip(left.slots.chunks_exact(layout.band())) {
        if right.bands >> band & 1 != 0 && bands.next().is_some_and(|larger| exceeds(slots, larger)) {
            return false;
        }
    }
    true
}

/// The bands of a mask, the first one first.
pub(crate) struct Bands(pub(crate) u32);

impl Iterator for Bands {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let band = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (band < u32::BITS as usize).then_some(band)
    }
}

#[inline(always)]
fn exceeds<S: Kernels>(left: &[S], right: &[S]) -> bool {
    let mut exceeds = false;
    for (l, r) in left.iter().zip(right) {
        exceeds |= l > r;
    }
    exceeds
}

/// Rows are written with their padding, which the next one overwrites: whole vectors are cheaper than the right
/// number of slots.
#[inline(always)]
pub(super) fn narrow_any<S: Kernels>(matrix: &[i32], layout: Layout, slots: &mut [S]) -> Option<u32> {
    let Layout { size, stride, rows } = layout;
    let bands = by_stride!(stride, |stride, _scratch| special_bands_any(matrix, stride, rows));
    let (mut next, mut outside) = (0, 0);
    by_stride!(stride, |stride, _scratch| {
        for band in Bands(bands) {
            for row in band * rows..(band + 1) * rows {
                let slots = &mut slots[next..][..stride];
                match matrix.get(row * stride..(row + 1) * stride) {
                    Some(row) => outside |= narrow_row(row, slots),
                    None => slots.fill(S::INFINITE),
                }
                next += size;
            }
        }
    });
    slots[next..][..ALIGN].fill(S::INFINITE);
    (outside == 0).then_some(bands)
}

multiversion! {
    /// Which bands have a row that is not universal.
    pub(crate) fn special_bands(matrix: &[i32], layout: Layout) -> u32 = special_bands_by_layout;
}

#[inline(always)]
fn special_bands_by_layout(matrix: &[i32], Layout { stride, rows, .. }: Layout) -> u32 {
    by_stride!(stride, |stride, _scratch| special_bands_any(matrix, stride, rows))
}

/// Whether a finite bound is outside these limits, as a number other than 0.
#[inline(always)]
pub(crate) fn outside(row: &[i32], low: i32, high: i32) -> i32 {
    let mut outside = 0;
    for &bound in row {
        let beyond = i32::from(bound > high) | i32::from(bound < low);
        outside |= beyond & i32::from(bound != INFINITY);
    }
    outside
}

/// Which bands have a row that is not universal. Bounds in the row of the reference are `(≤,0)` at most, and
/// diagonals are that always.
#[inline(always)]
fn special_bands_any(matrix: &[i32], stride: usize, rows: usize) -> u32 {
    let mut rows_of_matrix = matrix.chunks_exact(stride);
    let mut special = 0;
    for &bound in rows_of_matrix.next().unwrap_or_default() {
        special |= i32::from(bound < ZERO);
    }
    let mut bands = u32::from(special != 0);
    for (row, bounds) in (1..).zip(rows_of_matrix) {
        let mut special = 0;
        for (&bound, &diagonal) in bounds.iter().zip(mark(row, stride)) {
            special |= (bound ^ INFINITY) & !diagonal;
        }
        bands |= u32::from(special != 0) << (row / rows);
    }
    bands
}

/// Returns whether a bound does not fit, as a number other than 0.
#[inline(always)]
fn narrow_row<S: Kernels>(row: &[i32], slots: &mut [S]) -> i32 {
    let mut outside = 0;
    for (slot, &bound) in slots.iter_mut().zip(row) {
        *slot = S::nearest(bound);
        let large = i32::from(bound > S::REACH) | i32::from(bound < -S::REACH);
        outside |= large & i32::from(bound != INFINITY);
    }
    outside
}

#[inline(always)]
pub(super) fn widen_any<S: Kernels>(written: Written<'_, S>, layout: Layout, matrix: &mut [i32]) {
    let Layout { size, stride, rows } = layout;
    for (i, row) in matrix.chunks_exact_mut(stride).enumerate() {
        row[..size].fill(if i == 0 { ZERO } else { INFINITY });
        row[i] = ZERO;
    }
    for (band, slots) in Bands(written.bands).zip(written.slots.chunks_exact(layout.band())) {
        let matrix = &mut matrix[band * rows * stride..];
        for (row, slots) in matrix.chunks_exact_mut(stride).zip(slots.chunks_exact(size)) {
            for (bound, slot) in row.iter_mut().zip(slots) {
                *bound = slot.raw();
            }
        }
    }
}

/// The test of `simulate.rs` fails iff `other < zone` and `other & !1 < reach + 2 * lower` somewhere. Rounding
/// the right side of the second up to an even number removes the need for the mask, and then both comparisons are
/// one with the smaller of the right sides.
#[inline(always)]
pub(super) fn floor_any<S: Kernels>(
    matrix: &[i32],
    stride: usize,
    lower: &[i32],
    upper: &[i32],
    slots: &mut [S],
) {
    let size = lower.len();
    by_stride!(stride, |stride, reach| {
        for ((reach, &bound), &upper) in reach.iter_mut().zip(&matrix[..stride]).zip(upper) {
            *reach = if bound > -2 * upper { bound } else { i32::MIN };
        }
        let rows = matrix.chunks_exact(stride).zip(slots.chunks_exact_mut(size));
        for ((row, slots), &lower) in rows.zip(lower) {
            for ((slot, &bound), &reach) in slots.iter_mut().zip(row).zip(&*reach) {
                let limit = if lower >= 0 { (reach + 2 * lower + 1) & !1 } else { i32::MIN };
                *slot = S::nearest(bound.min(limit));
            }
        }
    });
    slots[size * size..].fill(S::LEAST);
}

#[inline(always)]
pub(super) fn ceiling_any<S: Kernels>(
    matrix: &[i32],
    stride: usize,
    lower: &[i32],
    upper: &[i32],
    slots: &mut [S],
) {
    let size = lower.len();
    let rows = matrix.chunks_exact(stride).zip(slots.chunks_exact_mut(size));
    for ((row, slots), &lower) in rows.zip(lower) {
        for ((slot, &bound), &upper) in slots.iter_mut().zip(row).zip(upper) {
            let limit = if lower >= 0 { (bound & !1) - 2 * lower } else { INFINITY };
            *slot = S::nearest(limit.max(-2 * upper));
        }
    }
}

#[inline(always)]
pub(super) fn below_ceiling_any<S: Kernels>(
    stored: Written<'_, S>,
    zone: Written<'_, S>,
    ceiling: &[S],
    universal: &[S],
    layout: Layout,
) -> bool {
    let (size, band) = (layout.size, layout.band());
    let reach = if stored.bands & 1 != 0 { &stored.slots[..size] } else { &universal[..size] };
    for (number, zone) in Bands(zone.bands).zip(zone.slots.chunks_exact(band)) {
        let stored = band_of(stored, number, band).unwrap_or(&universal[number * band..][..band]);
        let ceiling = &ceiling[number * band..][..band];
        let rows = stored.chunks_exact(size).zip(zone.chunks_exact(size)).zip(ceiling.chunks_exact(size));
        let mut exceeds = false;
        for ((stored, zone), ceiling) in rows {
            for (((s, z), c), reach) in stored.iter().zip(zone).zip(ceiling).zip(reach) {
                exceeds |= (s > z) & (reach > c);
            }
        }
        if exceeds {
            return false;
        }
    }
    true
}

/// The slots of a band, if it is written.
#[inline(always)]
fn band_of<'a, S: Copy>(written: Written<'a, S>, number: usize, band: usize) -> Option<&'a [S]> {
    let before = written.bands & ((1 << number) - 1);
    let start = before.count_ones() as usize * band;
    (written.bands >> number & 1 != 0).then(|| &written.slots[start..start + band])
}
