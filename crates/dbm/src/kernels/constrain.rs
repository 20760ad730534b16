//! Tightening one entry of a closed matrix, and closing it again in one quadratic pass.
//!
//! If `x_i - x_j` is newly bounded by `b`, a shortest path uses the new edge once or not at all, so entry
//! `(p,q)` becomes the smaller of itself and `d(p,i) + b + d(j,q)` `[BengtssonYi2004]`. Row `j` and
//! column `i` do not change as long as the result is non-empty, so the pass works in place.

use super::{PIVOT_INFINITY, by_stride, load_pivot, multiversion, relax};
use crate::bound::{INFINITY, add};

multiversion! {
    /// Adds the constraint that `x_i - x_j` is within the raw bound.
    ///
    /// Needs a closed, non-empty matrix whose entry `(j,i)` plus `bound` is not negative, and a finite bound.
    /// Leaves it closed and non-empty.
    pub(crate) fn constrain(matrix: &mut [i32], stride: usize, i: usize, j: usize, bound: i32) = constrain_any;
}

#[inline(always)]
pub(super) fn constrain_any(matrix: &mut [i32], stride: usize, i: usize, j: usize, bound: i32) {
    debug_assert!(add(matrix[j * stride + i], bound) > 0, "the constraint empties the zone");
    by_stride!(stride, |stride, pivot| {
        load_pivot(&matrix[j * stride..][..stride], pivot);
        let (base, kept_bits) = (bound & !1, bound | !1);
        for step in pivot.iter_mut() {
            *step = if *step == PIVOT_INFINITY { PIVOT_INFINITY } else { base + (*step & kept_bits) };
        }
        for row in matrix.chunks_exact_mut(stride) {
            let via = row[i];
            if via != INFINITY {
                relax(row, via, pivot);
            }
        }
    });
}
