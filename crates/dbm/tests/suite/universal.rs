//! Which zones are the zone of all points.

use tourbillon_dbm::{Bound, Constraint, Dbm};
use tourbillon_testkit::bridge::{clock, constant, dimension};

/// One bound, however loose, is one too many.
#[test]
fn only_the_zone_of_all_points_is_universal() {
    for clocks in 0..6 {
        let all = Dbm::universal(dimension(clocks));
        assert!(all.is_universal());
        for (i, j) in (0..=clocks).flat_map(|i| (0..=clocks).map(move |j| (i, j))).filter(|(i, j)| i != j) {
            let mut zone = all.clone();
            let limit = if i == 0 { -1 } else { 1000 };
            assert!(zone.constrain(Constraint::new(clock(i), clock(j), Bound::weak(constant(limit)))));
            assert!(!zone.is_universal(), "{i} - {j} of {clocks}");
        }
    }
}
