//! Overflow, operation by operation: each that can pass the largest bound notices it, and passes the notice
//! on.
//!
//! `reach` is an estimate from above, so a mistake in it shows only where one operation follows another with
//! nothing in between that looks at the matrix. The random tests of `limits.rs` rarely do that.

use tourbillon_dbm::forms::{Bits, Codes, Digits, Form, Minimal};
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Federation, OpenDbm};
use tourbillon_testkit::bridge::{clock, constant, dimension};

const LARGE: i64 = 100_000_000;

fn zone(clocks: usize, constraints: &[Constraint]) -> Dbm {
    let mut zone = Dbm::universal(dimension(clocks));
    for &constraint in constraints {
        assert!(zone.constrain(constraint));
    }
    zone
}

fn at_most(left: usize, right: usize, value: i64) -> Constraint {
    Constraint::new(clock(left), clock(right), Bound::weak(constant(value)))
}

/// A zone that says that it has overflowed.
fn overflowed(clocks: usize) -> Dbm {
    let mut zone = Dbm::zero(dimension(clocks));
    zone.reset(clock(1), constant(LARGE));
    assert!(zone.assign(clock(1), clock(1), constant(LARGE)));
    assert!(zone.overflowed());
    zone
}

#[test]
fn a_sum_that_just_passes_the_limit_is_refused() {
    let largest = Bound::strict(Constant::MAX);
    assert_eq!(largest.checked_add(Bound::strict(1.into())), None);
    assert_eq!(largest.checked_add(Bound::strict(0.into())), Some(largest));
    let least = Bound::strict(Constant::MAX.negated());
    assert_eq!(least.checked_add(Bound::strict((-1).into())), None);
}

#[test]
fn a_shift_after_a_reset_is_noticed() {
    let mut zone = Dbm::zero(dimension(2));
    zone.reset(clock(1), constant(LARGE));
    assert!(zone.assign(clock(2), clock(1), constant(LARGE)));
    assert!(zone.overflowed());
}

/// The new edge joins two large ones: three bounds add up, of which two are old.
#[test]
fn a_constraint_between_two_large_bounds_is_noticed() {
    let mut zone = zone(4, &[at_most(1, 2, 60_000_000), at_most(3, 4, 60_000_000)]);
    assert!(!zone.overflowed());
    assert!(zone.constrain(at_most(2, 3, 20_000_000)));
    assert!(zone.overflowed());
}

/// The operand's bounds are large, the zone's own are not.
#[test]
fn an_intersection_with_large_bounds_is_noticed() {
    let mut small = zone(4, &[at_most(2, 3, 1)]);
    assert!(small.intersect(&zone(4, &[at_most(1, 2, LARGE), at_most(3, 4, LARGE)])));
    assert!(small.overflowed());
}

/// Likewise where the large bounds came by hull, by copying, or by decoding.
#[test]
fn large_bounds_of_another_zone_are_remembered() {
    let large = zone(4, &[at_most(1, 2, LARGE), at_most(3, 4, LARGE)]);
    let joined = |name: &str, mut zone: Dbm| {
        assert!(zone == large && !zone.overflowed(), "{name}");
        assert!(zone.constrain(at_most(2, 3, 1)));
        assert!(zone.overflowed(), "{name}");
    };
    let mut hull = zone(4, &[at_most(1, 2, 1), at_most(3, 4, 1)]);
    hull.hull(&large);
    joined("hull", hull);
    let mut copy = Dbm::zero(dimension(4));
    copy.copy_from(&large);
    joined("copy", copy);
    let mut words = Vec::new();
    let minimal = Minimal::new(dimension(4));
    minimal.encode(&large, &mut words).unwrap();
    let mut decoded = Dbm::zero(dimension(4));
    minimal.decode(&words, &mut decoded);
    joined("minimal", decoded);
    let bits = Bits::new(dimension(4), Codes::uniform(constant(LARGE)));
    let mut words = Vec::new();
    bits.encode(&large, &mut words).unwrap();
    let mut decoded = overflowed(4);
    bits.decode(&words, &mut decoded);
    joined("bits", decoded);
}

/// Whatever is made of a zone that has overflowed says so too; a zone that is overwritten does not.
#[test]
fn the_flag_is_passed_on() {
    let bad = overflowed(2);
    let mut met = Dbm::universal(dimension(2));
    assert!(met.intersect(&bad) && met.overflowed());
    let mut copy = Dbm::universal(dimension(2));
    copy.copy_from(&bad);
    assert!(copy.overflowed());
    assert!(bad.clone().into_open().close().is_some_and(|zone| zone.overflowed()));
    copy.copy_from(&Dbm::zero(dimension(2)));
    assert!(!copy.overflowed());
    assert!(OpenDbm::universal(dimension(2)).close().is_some_and(|zone| !zone.overflowed()));
    let codes = Codes::uniform(Constant::MAX);
    assert!(Bits::new(dimension(2), codes.clone()).encode(&bad, &mut Vec::new()).is_err());
    assert!(Digits::new(dimension(2), codes).encode(&bad, &mut Vec::new()).is_err());
}

/// The cut before a negative shift can overflow; the shift must not make a clock negative then.
#[test]
fn no_clock_is_negative_even_after_an_overflow() {
    let mut zone = zone(4, &[at_most(2, 3, -i64::from(Constant::MAX.get()))]);
    assert!(zone.assign(clock(1), clock(2), Constant::MAX.negated()));
    assert!(zone.overflowed());
    assert!(zone.bound(Clock::REFERENCE, clock(1)) <= Bound::ZERO, "{zone:?}");
    assert!(!zone.admits(at_most(1, 0, -1)));
    zone.reset(clock(4), Constant::MAX);
    let _ = zone.bound(clock(4), clock(1));
    zone.down();
    assert!(zone.contains(&zone.pick()));
}

/// `x <= 5 or x > 5` is everything. A piece of a zone whose bounds are too large is not known to be in it,
/// but nothing is ever said to be included that is not.
#[test]
fn inclusion_in_a_federation_errs_on_the_side_of_no() {
    let part = zone(2, &[at_most(1, 2, -i64::from(Constant::MAX.get()))]);
    let above = |c: i16| Constraint::new(Clock::REFERENCE, clock(1), Bound::strict(c.into()));
    let mut all = Federation::from(zone(2, &[at_most(1, 0, 5)]));
    all.add(zone(2, &[above(-5)]));
    assert!(all.includes_zone(&Dbm::universal(dimension(2))));
    assert!(!all.includes_zone(&part));
    let mut gap = Federation::from(zone(2, &[at_most(1, 0, 5)]));
    gap.add(zone(2, &[above(-6)]));
    assert!(!gap.includes_zone(&Dbm::universal(dimension(2))) && !gap.includes_zone(&part));
}

/// What is taken away was too large: what is left is too small, and has to say so.
#[test]
fn subtracting_what_has_overflowed_is_noticed() {
    let mut rest = Federation::from(Dbm::zero(dimension(2)));
    rest.subtract_zone(&overflowed(2));
    assert!(rest.overflowed() || !rest.is_empty(), "{rest}");
}

/// The smallest bound that does not fit, `< MAX + 1`, by a shift and by closing.
#[test]
fn one_past_the_limit_is_noticed() {
    let mut shifted = zone(1, &[Constraint::upper(clock(1), Bound::strict(Constant::MAX))]);
    assert!(shifted.assign(clock(1), clock(1), 1.into()));
    assert!(shifted.overflowed());
    let mut open = OpenDbm::universal(dimension(2));
    open.tighten(Constraint::upper(clock(1), Bound::strict(Constant::MAX)));
    open.tighten(at_most(2, 1, 1));
    assert!(open.close().is_some_and(|zone| zone.overflowed()));
}

/// Chains of bounds `x1 - x2 <= c, x2 - x3 <= c, ..., xn <= c`: small enough for 32 bits and too large for a
/// bound, then too large for 32 bits.
#[test]
fn chains_that_add_up_past_the_limit_are_noticed() {
    for (clocks, c) in [(4, 40_000_000), (8, 30_000_000), (8, 40_000_000), (40, 10_000_000), (200, 1_000_000)]
    {
        let mut open = OpenDbm::universal(dimension(clocks));
        (1..=clocks).for_each(|i| open.tighten(at_most(i, (i + 1) % (clocks + 1), c)));
        let closed = open.close().expect("0 is in it");
        assert!(closed.overflowed(), "{clocks} clocks, {c}");
    }
}
