//! Sixth stage: frees the inactive clocks, those that no guard compares before their next reset `[DawsYovine1996]`.
//!
//! An inactive clock has neither `L` nor `U` in any location of the state. Every extrapolation frees it as well; this
//! stage is for exact zones, where two zones that differ only in an inactive clock would be two nodes.

use tourbillon_dbm::{ClockBounds, Dbm};

#[inline]
pub(crate) fn apply(bounds: &ClockBounds, zone: &mut Dbm) {
    zone.free_inactive(bounds);
}
