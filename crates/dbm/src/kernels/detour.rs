//! The shortest detour of each edge, which decides whether an edge of a closed matrix is redundant.
//!
//! As in closing, a point that leads nowhere is no way round anything, and is passed over: in zones that were
//! extrapolated, that is most of them.

use super::{by_stride, load_pivot, multiversion, relax};
use crate::bound::INFINITY;
use crate::kernels::PIVOT_INFINITY;

multiversion! {
    /// Writes into `detours`, a matrix of the same shape, for each pair of points the weight of the shortest
    /// path between them through exactly one of `points`, which is neither of the two; at least infinity if
    /// there is none.
    ///
    /// Needs a closed matrix. Of `detours`, only rows of `points` are written.
    pub(crate) fn shortest_detours(matrix: &[i32], stride: usize, points: &[u16], detours: &mut [i32]) = shortest_detours_any;
}

#[inline(always)]
pub(super) fn shortest_detours_any(matrix: &[i32], stride: usize, points: &[u16], detours: &mut [i32]) {
    by_stride!(stride, |stride, pivot| {
        for &i in points {
            detours[usize::from(i) * stride..][..stride].fill(PIVOT_INFINITY);
        }
        for &k in points {
            let k = usize::from(k);
            load_pivot(&matrix[k * stride..][..stride], pivot);
            pivot[k] = PIVOT_INFINITY;
            let mut nearest = PIVOT_INFINITY;
            for &step in &*pivot {
                nearest = nearest.min(step);
            }
            if nearest == PIVOT_INFINITY {
                continue;
            }
            for &i in points {
                let i = usize::from(i);
                let via = matrix[i * stride + k];
                if i != k && via != INFINITY {
                    relax(&mut detours[i * stride..][..stride], via, pivot);
                }
            }
        }
    });
}
