//! The loops of the narrow form: matrices of one-, two- or four-byte bounds, rows without padding.
//!
//! A narrow matrix is a slice of `size * size` slots, row after row, and then slots with infinity up to a whole
//! number of vectors. Comparison is entry by entry and runs over it as over one flat slice; only reading and
//! writing a matrix of raw bounds, and the simulation tests, know where rows begin.

use super::{by_stride, multiversion};
use crate::bound::INFINITY;

/// An integer that holds a bound: the raw bound itself, or its own largest value for infinity.
pub trait Kernels: Copy + Ord + std::fmt::Debug + 'static {
    /// Below every bound.
    const LEAST: Self;
    /// Infinity.
    const INFINITE: Self;
    /// The largest absolute value of a finite raw bound; for the widest, of any that exists.
    const REACH: i32;

    /// The nearest number of this kind to a raw bound: exact if the bound fits or is infinite.
    fn nearest(raw: i32) -> Self;
    /// The raw bound.
    fn raw(self) -> i32;
    /// The slots as words, eight bytes each; their number must be a multiple of that.
    fn words(slots: &[Self]) -> impl Iterator<Item = u64>;

    /// Writes the raw matrix into `slots`. Returns whether every bound fits.
    fn narrow(matrix: &[i32], size: usize, stride: usize, slots: &mut [Self]) -> bool;
    /// Writes the slots into a raw matrix; its padding is left as it is.
    fn widen(slots: &[Self], size: usize, stride: usize, matrix: &mut [i32]);
    /// Whether no slot of `left` exceeds that of `right`.
    fn all_at_most(left: &[Self], right: &[Self]) -> bool;
    /// Writes the floor of a zone: see [`Narrow::floor`](crate::forms::Narrow::floor).
    fn floor(matrix: &[i32], stride: usize, lower: &[i32], upper: &[i32], slots: &mut [Self]);
    /// Writes the ceiling of a zone: see [`Narrow::ceiling`](crate::forms::Narrow::ceiling).
    fn ceiling(matrix: &[i32], stride: usize, lower: &[i32], upper: &[i32], slots: &mut [Self]);
    /// Whether no entry of `stored` exceeds that of `zone` while the first of its column exceeds that of
    /// `ceiling`.
    fn below_ceiling(stored: &[Self], zone: &[Self], ceiling: &[Self], size: usize) -> bool;
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

            multiversion! {
                fn narrow(
                    matrix: &[i32],
                    size: usize,
                    stride: usize,
                    slots: &mut [$slot],
                ) -> bool = narrow_any::<$slot>;
            }

            multiversion! {
                fn widen(
                    slots: &[$slot],
                    size: usize,
                    stride: usize,
                    matrix: &mut [i32],
                ) = widen_any::<$slot>;
            }

            multiversion! {
                fn all_at_most(left: &[$slot], right: &[$slot]) -> bool = all_at_most_any::<$slot>;
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
                    stored: &[$slot],
                    zone: &[$slot],
                    ceiling: &[$slot],
                    size: usize,
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
    !exceeds(left_rest, right_rest)
}

#[inline(always)]
fn exceeds<S: Kernels>(left: &[S], right: &[S]) -> bool {
    let mut exceeds = false;
    for (l, r) in left.iter().zip(right) {
        exceeds |= l > r;
    }
    exceeds
}

/// Rows are written with their padding, which the next row overwrites, as long as there is room for it: whole
/// vectors are cheaper than the right number of slots. Whether all fits is found in a pass of its own, over one flat
/// slice; noting it row by row took a third longer.
#[inline(always)]
pub(super) fn narrow_any<S: Kernels>(matrix: &[i32], size: usize, stride: usize, slots: &mut [S]) -> bool {
    fill_end(slots);
    by_stride!(stride, |stride, _scratch| {
        for (i, row) in matrix.chunks_exact(stride).enumerate() {
            let slots = &mut slots[i * size..];
            if slots.len() >= stride {
                narrow_row(row, &mut slots[..stride]);
            } else {
                narrow_row(&row[..size], &mut slots[..size]);
            }
        }
    });
    let mut outside = 0;
    for &bound in matrix {
        let large = i32::from(bound > S::REACH) | i32::from(bound < -S::REACH);
        outside |= large & i32::from(bound != INFINITY);
    }
    outside == 0
}

/// Makes the slots infinite that no row may reach: fewer than a vector has.
#[inline(always)]
fn fill_end<S: Kernels>(slots: &mut [S]) {
    match slots.last_chunk_mut::<16>() {
        Some(last) => *last = [S::INFINITE; 16],
        None => slots.fill(S::INFINITE),
    }
}

#[inline(always)]
fn narrow_row<S: Kernels>(row: &[i32], slots: &mut [S]) {
    for (slot, &bound) in slots.iter_mut().zip(row) {
        *slot = S::nearest(bound);
    }
}

#[inline(always)]
pub(super) fn widen_any<S: Kernels>(slots: &[S], size: usize, stride: usize, matrix: &mut [i32]) {
    for (row, slots) in matrix.chunks_exact_mut(stride).zip(slots.chunks_exact(size)) {
        for (bound, slot) in row.iter_mut().zip(slots) {
            *bound = slot.raw();
        }
    }
}

/// The test of `simulate.rs` fails iff `other < zone` and `other & !1 < reach + 2 * lower` somewhere. Rounding
/// the right side of the second up to an even number makes the mask superfluous, and then both comparisons are
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
pub(super) fn below_ceiling_any<S: Kernels>(stored: &[S], zone: &[S], ceiling: &[S], size: usize) -> bool {
    let first = &stored[..size];
    let rows = stored.chunks_exact(size).zip(zone.chunks_exact(size)).zip(ceiling.chunks_exact(size));
    for ((stored, zone), ceiling) in rows.take(size) {
        let mut exceeds = false;
        for (((s, z), c), reach) in stored.iter().zip(zone).zip(ceiling).zip(first) {
            exceeds |= (s > z) & (reach > c);
        }
        if exceeds {
            return false;
        }
    }
    true
}
