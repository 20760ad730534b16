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

/// A bound where the form has no slot still counts when a plain zone is asked whether it includes a stored
/// one.
#[test]
fn bounds_outside_the_slots_count() {
    use tourbillon_dbm::forms::{Bits, Digits, Form, Ranges};
    use tourbillon_dbm::{ClockBounds, Dbm};
    let mut bounds = ClockBounds::none(dimension(2));
    bounds.raise(clock(2), 5.into());
    let ranges = Ranges::of_extrapolated(&bounds);
    let (all, mut scratch) = (Dbm::universal(dimension(2)), Dbm::zero(dimension(2)));
    let mut part = all.clone();
    assert!(part.constrain(Constraint::upper(clock(1), Bound::weak(3.into()))));
    let mut words = Vec::new();
    let bits = Bits::new(ranges.clone());
    bits.encode(&all, &mut words).unwrap();
    assert!(!bits.is_included(&words, &part, &mut scratch) && bits.is_included(&words, &all, &mut scratch));
    words.clear();
    let digits = Digits::new(ranges);
    digits.encode(&all, &mut words).unwrap();
    assert!(
        !digits.is_included(&words, &part, &mut scratch) && digits.is_included(&words, &all, &mut scratch)
    );
}

/// What is decoded knows how large its bounds are, lower ones too.
#[test]
fn large_lower_bounds_are_remembered_by_the_packed_forms() {
    use tourbillon_dbm::forms::{Bits, Form, Ranges};
    use tourbillon_dbm::{Clock, ClockBounds, Dbm};
    let large = constant(100_000_000);
    let mut bounds = ClockBounds::none(dimension(2));
    bounds.raise_upper(clock(1), large);
    let mut zone = Dbm::universal(dimension(2));
    assert!(zone.constrain(Constraint::new(Clock::REFERENCE, clock(1), Bound::weak(large.negated()))));
    let bits = Bits::new(Ranges::of_extrapolated(&bounds));
    let mut words = Vec::new();
    bits.encode(&zone, &mut words).unwrap();
    let mut decoded = Dbm::zero(dimension(2));
    bits.decode(&words, &mut decoded);
    assert_eq!(decoded, zone);
    assert!(decoded.assign(clock(2), clock(1), large) && decoded.overflowed());
}

/// Three slots of two codes and nine of three: the length is that of the product of the bases, and no more.
#[test]
fn digits_are_minimal() {
    use tourbillon_dbm::forms::{Digits, Ranges};
    let digits = Digits::new(Ranges::uniform(dimension(3), constant(0)));
    let largest: u64 = 2 * 2u64.pow(3) * 3u64.pow(9) - 1;
    assert_eq!(digits.bits() as u32, u64::BITS - largest.leading_zeros());
}

/// Bounds take 16 bits up to the last one that fits, and pairs are named the shorter way.
#[test]
fn minimal_is_as_short_as_it_says() {
    use tourbillon_dbm::Dbm;
    use tourbillon_dbm::forms::{Form, Minimal};
    let form = Minimal::new(dimension(12));
    let words = |zone: &Dbm| {
        let mut words = Vec::new();
        form.encode(zone, &mut words).unwrap();
        let mut decoded = Dbm::zero(dimension(12));
        form.decode(&words, &mut decoded);
        assert_eq!(decoded, *zone);
        assert_eq!(form.length(&words), words.len());
        words.len()
    };
    for (c, length) in [(1, 4), (1_000, 4), (16_383, 4), (16_384, 5), (20_000, 5), (40_000, 5)] {
        let mut zone = Dbm::universal(dimension(12));
        for x in [1, 2] {
            assert!(zone.constrain(Constraint::upper(clock(x), Bound::weak(constant(c)))));
        }
        assert_eq!(words(&zone), length, "two upper bounds of {c}");
    }
    let mut one = Dbm::universal(dimension(12));
    assert!(one.constrain(Constraint::upper(clock(1), Bound::weak(1.into()))));
    assert_eq!(words(&one), 3);
    // Twelve constraints: a bitmap of 169 bits in 6 words, and 6 words of bounds.
    assert_eq!(words(&Dbm::zero(dimension(12))), 13);
}
