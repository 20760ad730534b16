//! Fused kernels of the most frequent operations: reset to 0, and delay within upper bounds.
//!
//! Both change one column of the matrix. Written one entry at a time, the next kernel that loads the row as vectors
//! has to wait until each of these small writes has left the processor's store buffer, for every row. So an entry
//! is changed by rewriting its row, all lanes but one with what they held.

use tourbillon_base::Id;

use super::{by_stride, load_pivot, mark, multiversion};
use crate::bound::{INFINITY, ZERO, add};
use crate::clock::Constraint;

multiversion! {
    /// Sets a clock to 0: its row becomes the row of the reference, its column the column of the reference.
    ///
    /// Needs and leaves a closed, non-empty matrix.
    pub(crate) fn reset(matrix: &mut [i32], stride: usize, x: usize) = reset_any;
}

#[inline(always)]
pub(super) fn reset_any(matrix: &mut [i32], stride: usize, x: usize) {
    by_stride!(stride, |stride, scratch| {
        scratch.copy_from_slice(&matrix[..stride]);
        matrix[x * stride..][..stride].copy_from_slice(scratch);
        for row in matrix.chunks_exact_mut(stride) {
            put(row, x, row[0]);
        }
    });
}

multiversion! {
    /// Lets time pass as long as clocks are within upper bounds.
    ///
    /// Needs a closed, non-empty matrix and finite bounds. Returns whether any point is left; if so the matrix is
    /// closed, if not it is as before.
    pub(crate) fn delay(matrix: &mut [i32], stride: usize, uppers: &[Constraint]) -> bool = delay_any;
}

/// Time passing makes column 0 infinite; the bounds then lower entry `(p,q)` to `min_k (d(p,k) + b_k) + d(0,q)`,
/// since every path through a bound comes from some clock `k`, goes to the reference, and passes it once.
#[inline(always)]
pub(super) fn delay_any(matrix: &mut [i32], stride: usize, uppers: &[Constraint]) -> bool {
    by_stride!(stride, |stride, pivot| {
        for upper in uppers {
            if add(matrix[upper.left.index()], upper.bound.raw()) < ZERO {
                return false;
            }
        }
        load_pivot(&matrix[..stride], pivot);
        for row in matrix[stride..].chunks_exact_mut(stride) {
            let mut via = INFINITY;
            for upper in uppers {
                // Such a bound is not negative, or nothing would have been left: infinity plus it needs no test.
                let bound = upper.bound.raw();
                via = via.min((bound & !1) + (row[upper.left.index()] & (bound | !1)));
            }
            if via < INFINITY {
                let (base, kept_bits) = (via & !1, via | !1);
                for ((entry, &first), &step) in row.iter_mut().zip(mark(0, stride)).zip(&*pivot) {
                    let old = (INFINITY & first) | (*entry & !first);
                    *entry = old.min(base + (step & kept_bits));
                }
            } else {
                put(row, 0, INFINITY);
            }
        }
        true
    })
}

/// Writes one entry of a row by rewriting all of it.
#[inline(always)]
fn put(row: &mut [i32], lane: usize, value: i32) {
    let stride = row.len();
    for (entry, &mark) in row.iter_mut().zip(mark(lane, stride)) {
        *entry = (value & mark) | (*entry & !mark);
    }
}
