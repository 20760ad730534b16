//! The test `Z ⊆ a_LU(Z')`, in one pass over both matrices `[HerbreteauSrivathsanWalukiewicz2012]`.
//!
//! It fails iff there are `x` and `y`, either may be the reference, with
//! `Z(0,x) ≥ (≤,-U_x)` and `Z'(y,x) < Z(y,x)` and `Z'(y,x) + (<,-L_y) < Z(0,x)`.
//! The first condition does not depend on `y`: where it fails, `Z(0,x)` is replaced by a number that no
//! sum is below, once, before the loop. Equal clocks need no exception, since both diagonals agree, nor does
//! an infinite `Z'(y,x)`, which is below nothing.

use super::{by_stride, multiversion};

multiversion! {
    /// Whether `zone ⊆ a_LU(other)`; both closed and non-empty, `lower` and `upper` one stride long.
    pub(crate) fn simulated(
        zone: &[i32],
        other: &[i32],
        stride: usize,
        lower: &[i32],
        upper: &[i32],
    ) -> bool = simulated_any;
}

#[inline(always)]
pub(super) fn simulated_any(
    zone: &[i32],
    other: &[i32],
    stride: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    by_stride!(stride, |stride, scratch| {
        for ((reach, &bound), &upper) in scratch.iter_mut().zip(&zone[..stride]).zip(upper) {
            *reach = if bound > -2 * upper { bound } else { i32::MIN };
        }
        let rows = zone.chunks_exact(stride).zip(other.chunks_exact(stride));
        for ((zone, other), &lower) in rows.zip(lower) {
            if lower >= 0 && distinguishes(zone, other, scratch, 2 * lower) {
                return false;
            }
        }
        true
    })
}

/// Whether some column of this pair of rows shows a valuation that nothing in the other zone simulates.
#[inline(always)]
fn distinguishes(zone: &[i32], other: &[i32], reach: &[i32], lower: i32) -> bool {
    let mut found = 0;
    for ((&zone, &other), &reach) in zone.iter().zip(other).zip(reach) {
        found |= i32::from(other < zone) & i32::from((other & !1) - lower < reach);
    }
    found != 0
}
