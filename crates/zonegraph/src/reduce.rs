//! Sixth stage: frees the inactive clocks, those that no guard compares before their next reset `[DawsYovine1996]`.
//!
//! An inactive clock has neither `L` nor `U` in any location of the state. Every extrapolation frees it as well; this
//! stage is for exact zones, where two zones that differ only in an inactive clock would be two nodes.

use tourbillon_dbm::{ClockBounds, Dbm};

#[inline]
pub(crate) fn apply(bounds: &ClockBounds, zone: &mut Dbm) {
    zone.free_inactive(bounds);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Network, assert_points, contains, delays};

    #[test]
    fn an_inactive_clock_is_freed_and_no_other() {
        let network = Network::new(&["x", "y"]);
        let zone = [network.zone("x>1, x<=3, y<=2, x-y<1")];
        let mut bounds = ClockBounds::none(zone[0].dimension());
        bounds.raise_upper(network.clock("x"), 0.into());
        let mut reduced = zone[0].clone();
        apply(&bounds, &mut reduced);
        assert_points(&[reduced], 2, 5, |point| delays(5).any(|y| contains(&zone, &[point[0], y])));
        bounds.raise_lower(network.clock("y"), 0.into());
        let mut unchanged = zone[0].clone();
        apply(&bounds, &mut unchanged);
        assert_eq!(unchanged, zone[0]);
    }
}
