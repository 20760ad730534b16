//! Tightening one entry of a closed matrix, and closing it again in one quadratic pass.
//!
//! If `x_i - x_j` is newly bounded by `b`, a shortest path uses the new edge once or not at all, so entry
//! `(p,q)` becomes the smaller of itself and `d(p,i) + b + d(j,q)` `[BengtssonYi2004]`. Row `j` and
//! column `i` do not change as long as the result is non-empty, so the pass works in place.
//!
//! Upper bounds of several clocks, as an invariant has them, need one pass as well: all these edges lead to the
//! reference, and a shortest path passes the reference once at most. Entry `(p,q)` becomes the smaller of itself
//! and `min_k (d(p,k) + b_k) + d(0,q)`.

use tourbillon_base::Id;

use super::{PIVOT_INFINITY, by_stride, load_pivot, multiversion, relax};
use crate::bound::{INFINITY, ZERO, add};
use crate::clock::Constraint;

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

multiversion! {
    /// Adds upper bounds of clocks: the constraints that `x_k` is within the raw bound, for pairs of `k` and bound.
    ///
    /// Needs a closed, non-empty matrix and finite bounds. Returns whether it is still non-empty; if so it is
    /// closed, if not it is as before.
    pub(crate) fn constrain_uppers(matrix: &mut [i32], stride: usize, uppers: &[Constraint]) -> bool = constrain_uppers_any;
}

#[inline(always)]
pub(super) fn constrain_uppers_any(matrix: &mut [i32], stride: usize, uppers: &[Constraint]) -> bool {
    by_stride!(stride, |stride, pivot| {
        for upper in uppers {
            if add(matrix[upper.left.index()], upper.bound.raw()) < ZERO {
                return false;
            }
        }
        load_pivot(&matrix[..stride], pivot);
        for row in matrix[stride..].chunks_exact_mut(stride) {
            let mut best = row[0];
            for upper in uppers {
                // Such a bound is not negative, or the zone would have been found empty: infinity plus it is no
                // less than any entry, and needs no test.
                let bound = upper.bound.raw();
                best = best.min((bound & !1) + (row[upper.left.index()] & (bound | !1)));
            }
            if best < row[0] {
                relax(row, best, pivot);
            }
        }
        true
    })
}
