//! Forgets clocks about which nothing is asked before they are set again.
//!
//! Such a clock has neither `L` nor `U` in any location of the state. Every extrapolation forgets it as well; this
//! stage is for exact zones, where two that differ in such a clock only would be two nodes `[DawsYovine1996]`.

use tourbillon_dbm::{ClockBounds, Dbm};

/// Frees the inactive clocks.
#[inline]
pub(crate) fn apply(bounds: &ClockBounds, zone: &mut Dbm) {
    zone.free_inactive(bounds);
}
