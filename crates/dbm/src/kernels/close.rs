//! Shortest-path closure: Floyd–Warshall, one pivot row at a time.
//!
//! The pivot row is copied out, so that the loop over the other rows aliases nothing; infinite entries of
//! it are raised so that no addition needs a test (see [`load_pivot`]). A row that cannot reach the pivot is
//! skipped, and so is a pivot that reaches nothing.
//!
//! **Emptiness.** The matrix is empty iff some cycle is negative. Let `k` be the largest index on such a
//! cycle: before pivot `k` is used, entry `(k,k)` is already negative. So looking at `(k,k)` before pivot
//! `k` finds every negative cycle, and until then every entry is the weight of a path that repeats no
//! intermediate point: it exceeds no more than `size + 1` times the largest entry of the input. That is why
//! a caller can rule out overflow beforehand.

use super::{PIVOT_INFINITY, by_stride, load_pivot, multiversion, relax};
use crate::bound::{INFINITY, ZERO};

multiversion! {
    /// Closes a matrix. Returns whether it is non-empty; if not, what is left in it is unspecified.
    ///
    /// Needs: the diagonal at most `(≤,0)`; finite entries so small that `size + 1` of them add up to less
    /// than half of infinity.
    pub(crate) fn close(matrix: &mut [i32], stride: usize) -> bool = close_any;
}

multiversion! {
    /// Like [`close`], through the points with both limits only: what [`ClockBounds`](crate::ClockBounds) has
    /// as `lower` and `upper`, one stride long, where negative stands for none.
    ///
    /// Needs, besides what [`close`] needs: no shortest path has to lead through any other point.
    pub(crate) fn close_through(matrix: &mut [i32], stride: usize, lower: &[i32], upper: &[i32]) -> bool
        = close_through_any;
}

#[inline(always)]
pub(super) fn close_any(matrix: &mut [i32], stride: usize) -> bool {
    let size = matrix.len() / stride;
    by_stride!(stride, |stride, scratch| {
        for k in 0..size {
            if !pivot(matrix, stride, k, scratch) {
                return false;
            }
        }
        true
    })
}

#[inline(always)]
pub(super) fn close_through_any(matrix: &mut [i32], stride: usize, lower: &[i32], upper: &[i32]) -> bool {
    by_stride!(stride, |stride, scratch| {
        for (k, (&lower, &upper)) in (0..).zip(lower.iter().zip(upper)) {
            if lower >= 0 && upper >= 0 && !pivot(matrix, stride, k, scratch) {
                return false;
            }
        }
        true
    })
}

/// Lets every path go through `k`. Returns false if a cycle through `k` is negative.
#[inline(always)]
fn pivot(matrix: &mut [i32], stride: usize, k: usize, scratch: &mut [i32]) -> bool {
    let row = &matrix[k * stride..][..stride];
    if row[k] < ZERO {
        return false;
    }
    load_pivot(row, scratch);
    // The step from `k` to itself changes nothing. Without it, a row that leads nowhere shows.
    scratch[k] = PIVOT_INFINITY;
    let mut nearest = PIVOT_INFINITY;
    for &step in &*scratch {
        nearest = nearest.min(step);
    }
    if nearest < PIVOT_INFINITY {
        for row in matrix.chunks_exact_mut(stride) {
            let via = row[k];
            if via != INFINITY {
                relax(row, via, scratch);
            }
        }
    }
    true
}
