//! What the other tests leave open.

use tourbillon_dbm::{Bound, Constraint, OpenDbm};
use tourbillon_testkit::bridge::{clock, constant, dimension};

/// Clocks in descending order, all between 0 and 1: the slowest case for finding a point.
#[test]
fn a_point_is_found_between_many_strict_bounds() {
    for clocks in [1, 2, 3, 7, 8, 20, 63] {
        let mut open = OpenDbm::universal(dimension(clocks));
        let below = |i, j, c| Constraint::new(clock(i), clock(j), Bound::strict(constant(c)));
        (1..clocks).for_each(|i| open.tighten(below(i + 1, i, 0)));
        open.tighten(below(0, clocks, 0));
        open.tighten(below(1, 0, 1));
        let zone = open.close().expect("1/(n+1), ..., n/(n+1)");
        let point = zone.pick();
        assert!(zone.contains(&point), "{point}");
    }
}

/// Relaxing forgets a written bound, and nothing that always holds.
#[test]
fn relaxing_keeps_what_always_holds() {
    use tourbillon_dbm::{Clock, Dbm};
    let (x, y) = (clock(1), clock(2));
    let mut open = OpenDbm::universal(dimension(2));
    open.tighten(Constraint::upper(x, Bound::weak(3.into())));
    open.tighten(Constraint::new(Clock::REFERENCE, x, Bound::weak((-1).into())));
    open.tighten(Constraint::new(y, x, Bound::weak(2.into())));
    open.relax(x, Clock::REFERENCE);
    open.relax(Clock::REFERENCE, x);
    open.relax(y, x);
    open.relax(x, x);
    assert_eq!(open.close(), Some(Dbm::universal(dimension(2))));
}

/// A negative constant is no limit at all, and a join takes the larger `M` as well.
#[test]
fn negative_limits_are_none_and_joins_take_the_larger_maximum() {
    use tourbillon_dbm::ClockBounds;
    let none = ClockBounds::none(dimension(2));
    let mut bounds = none.clone();
    bounds.raise(clock(1), (-1).into());
    assert_eq!(bounds, none);
    let mut other = none;
    other.raise_upper(clock(2), 7.into());
    bounds.join(&other);
    assert_eq!(bounds, other);
    assert_eq!(bounds.maximum(clock(2)), Some(7.into()));
}

/// Of zones within each other a federation keeps the largest, whichever comes first.
#[test]
fn a_federation_keeps_no_zone_within_another() {
    use tourbillon_dbm::{Dbm, Federation};
    let (zero, all) = (Dbm::zero(dimension(2)), Dbm::universal(dimension(2)));
    for order in [[&zero, &all], [&all, &zero]] {
        let mut federation = Federation::empty(dimension(2));
        order.into_iter().for_each(|zone| federation.add(zone.clone()));
        assert_eq!(federation.zones(), std::slice::from_ref(&all));
    }
}

/// Zones whose hull adds nothing are merged, those with a gap are not; what does not meet stays whole.
#[test]
fn reduction_merges_what_fits_together() {
    use tourbillon_dbm::{Dbm, Federation, parse_constraints};
    let zone = |text: &str| {
        let mut zone = Dbm::universal(dimension(2));
        let constraints = parse_constraints(text, &["x", "y"]).unwrap();
        assert!(constraints.into_iter().all(|constraint| zone.constrain(constraint)));
        zone
    };
    for (a, b, zones) in [("x<1", "x>=1", 1), ("x<1", "x>1", 2), ("x<3", "x>1", 1), ("x<1", "y<1", 2)] {
        let mut federation = Federation::from(zone(a));
        federation.add(zone(b));
        federation.reduce();
        assert_eq!(federation.zones().len(), zones, "{a} or {b}");
    }
    let mut apart = Federation::from(zone("y>5"));
    apart.subtract_zone(&zone("x<3, y<3"));
    assert_eq!(apart.zones(), [zone("y>5")]);
}

/// What is decoded knows how large its bounds are, lower ones too.
#[test]
fn large_lower_bounds_are_remembered_by_the_packed_forms() {
    use tourbillon_dbm::forms::{Bits, Codes, Form};
    use tourbillon_dbm::{Clock, Dbm};
    let large = constant(100_000_000);
    let mut zone = Dbm::universal(dimension(2));
    assert!(zone.constrain(Constraint::new(Clock::REFERENCE, clock(1), Bound::weak(large.negated()))));
    for codes in [Codes::of([&zone]), Codes::uniform(large)] {
        let bits = Bits::new(dimension(2), codes);
        let mut words = Vec::new();
        bits.encode(&zone, &mut words).unwrap();
        let mut decoded = Dbm::zero(dimension(2));
        bits.decode(&words, &mut decoded);
        assert_eq!(decoded, zone);
        assert!(decoded.assign(clock(2), clock(1), large) && decoded.overflowed());
    }
}
