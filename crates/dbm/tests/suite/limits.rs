//! Many clocks, no clocks, huge constants: exact, or an error, or a flag; never a wrong answer.

use tourbillon_base::Random;
use tourbillon_dbm::forms::{Bits, Codes, Digits, Form, Minimal};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension, Federation};
use tourbillon_testkit::bridge::{self, clock, constant, difference};
use tourbillon_testkit::naive::{self, Matrix};
use tourbillon_testkit::script::check_form;

#[test]
fn dimensions_are_checked_once() {
    assert_eq!(Dimension::of_clocks(0).unwrap().size(), 1);
    assert_eq!(Dimension::of_clocks(1023).unwrap().clocks(), 1023);
    let error = Dimension::of_clocks(1024).unwrap_err().to_string();
    assert_eq!(error, "1024 clocks are too many (at most 1023)");
    assert!(Dimension::of_clocks(usize::MAX).is_err());
}

#[test]
fn a_model_without_clocks_has_one_zone() {
    let dimension = bridge::dimension(0);
    let mut zone = Dbm::zero(dimension);
    let bounds = ClockBounds::none(dimension);
    zone.up();
    zone.down();
    zone.extra_m(&bounds);
    zone.extra_m_plus(&bounds);
    zone.extra_lu(&bounds);
    zone.extra_lu_plus(&bounds);
    zone.free_inactive(&bounds);
    assert_eq!(zone, Dbm::universal(dimension));
    assert!(zone.includes(&Dbm::zero(dimension)) && zone.is_simulated_lu(&Dbm::zero(dimension), &bounds));
    assert_eq!(zone.display::<&str>(&[]).to_string(), "true");
    assert_eq!(zone.pick().to_string(), "()");
    let mut rest = Federation::from(zone.clone());
    rest.subtract_zone(&zone);
    assert!(rest.is_empty());
    let all = [zone.clone()];
    let codes = Codes::uniform(constant(5));
    check_form("bits", &Bits::new(dimension, codes.clone()), &zone, &all).unwrap();
    check_form("digits", &Digits::new(dimension, codes), &zone, &all).unwrap();
    check_form("minimal", &Minimal::new(dimension), &zone, &all).unwrap();
}

/// A walk through a zone of every dimension up to 70 and some up to 300, against the naive matrices where
/// those are quick enough, and against inclusion and the stored forms everywhere.
#[test]
fn every_dimension_works() {
    for clocks in (1..=70).chain([127, 128, 199, 200, 201, 300]) {
        let mut random = Random::from_seed(clocks as u64);
        let mut zone = Dbm::zero(bridge::dimension(clocks));
        let mut expected = (clocks <= 33).then(|| Matrix::zero(clocks + 1));
        for _ in 0..12 {
            let (x, c) = (1 + random.below(clocks), i64::from(random.within(1..=50)));
            zone.reset(clock(x), Constant::ZERO);
            zone.up();
            let kept = zone.constrain(Constraint::upper(clock(x), Bound::weak(constant(c))));
            assert!(kept);
            expected = expected.map(|matrix| matrix.reset(x, 0).up().constrain(x, 0, naive::Bound::weak(c)));
        }
        if let Some(difference) = expected.and_then(|matrix| difference(&zone, &matrix)) {
            panic!("{clocks} clocks: {difference}");
        }
        let mut bounds = ClockBounds::none(zone.dimension());
        for clock in zone.dimension().iter().step_by(2) {
            bounds.raise(clock, constant(20));
        }
        let mut larger = zone.clone();
        larger.extra_lu_plus(&bounds);
        assert!(larger.includes(&zone) && larger.contains(&zone.pick()), "{clocks} clocks");
        let others = [zone.clone(), larger.clone()];
        let (dimension, codes) = (zone.dimension(), Codes::of(&others));
        check_form("bits", &Bits::new(dimension, codes.clone()), &larger, &others).unwrap();
        check_form("digits", &Digits::new(dimension, codes), &larger, &others).unwrap();
        check_form("minimal", &Minimal::new(dimension), &larger, &others).unwrap();
    }
}

/// Whether every bound of the oracle is one that a zone can hold.
fn fits(matrix: &Matrix) -> bool {
    let largest = i64::from(Constant::MAX.get());
    let holds = |bound| match bound {
        naive::Bound::Infinite => true,
        naive::Bound::Finite { constant, .. } => i64::abs(constant) <= largest,
    };
    (0..matrix.dim()).all(|i| (0..matrix.dim()).all(|j| holds(matrix.entry(i, j))))
}

/// The zone is what the oracle says, or the oracle has a bound too large to hold and the zone says so.
/// Returns whether it is the former.
fn exact_or_flagged(zone: &Dbm, expected: &Matrix, case: &str) -> bool {
    if zone.overflowed() {
        assert!(!fits(expected), "{case}: {expected} would have been held");
        assert_eq!(*zone, Dbm::universal(zone.dimension()), "{case}");
        return false;
    }
    assert_eq!(difference(zone, expected), None, "{case}");
    true
}

/// Constants up to the largest, so that sums pass beyond it.
#[test]
fn huge_constants_are_exact_or_flagged() {
    let (mut exact, mut flagged) = (0, 0);
    for seed in 0..4_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(5);
        let mut zone = Dbm::zero(bridge::dimension(clocks));
        let mut expected = Matrix::zero(clocks + 1);
        for step in 0..10 {
            let case = format!("seed {seed}, step {step}");
            let c = i64::from(random.within(0..=Constant::MAX.get()) >> random.below(3));
            let (i, j) = (random.below(clocks + 1), random.below(clocks + 1));
            zone.up();
            expected = expected.up();
            let x = 1 + random.below(clocks);
            if random.one_in(3) {
                expected = expected.assign(x, 1, c);
                assert!(zone.assign(clock(x), clock(1), constant(c)), "{case}: such an offset cuts nothing");
            } else {
                let bound = naive::Bound::weak(if random.one_in(2) { c } else { -c });
                let kept = zone.constrain(Constraint::new(clock(i), clock(j), bridge::bound(bound)));
                let next = expected.constrain(i, j, bound);
                assert_eq!(kept, !next.is_empty(), "{case}");
                expected = if kept { next } else { expected };
            }
            if exact_or_flagged(&zone, &expected, &case) {
                exact += 1;
            } else {
                flagged += 1;
                break;
            }
        }
    }
    assert!(exact > 500 && flagged > 500, "{exact} exact, {flagged} flagged");
}

/// Intersections whose sums leave 32 bits are closed the slow way.
#[test]
fn huge_intersections_are_exact_or_flagged() {
    let (mut exact, mut empty, mut flagged) = (0, 0, 0);
    for seed in 0..4_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 2 + random.below(9);
        let mut open = tourbillon_dbm::OpenDbm::universal(bridge::dimension(clocks));
        let mut expected = Matrix::universal(clocks + 1);
        for _ in 0..2 * clocks {
            let c = i64::from(random.within(-Constant::MAX.get()..=Constant::MAX.get()) >> random.below(6));
            let (i, j) = (random.below(clocks + 1), random.below(clocks + 1));
            let c = if i == 0 { -c.abs() / 4 } else { c.abs() };
            open.tighten(Constraint::new(clock(i), clock(j), Bound::strict(constant(c))));
            let bound = naive::Bound::strict(c);
            expected.set(i, j, bound.min(expected.entry(i, j)));
        }
        let expected = expected.close();
        match open.close() {
            None => {
                assert!(expected.is_empty(), "seed {seed}");
                empty += 1;
            }
            Some(zone) => {
                assert!(!expected.is_empty(), "seed {seed}");
                let is_exact = exact_or_flagged(&zone, &expected, &format!("seed {seed}"));
                *(if is_exact { &mut exact } else { &mut flagged }) += 1;
            }
        }
    }
    assert!(exact > 300 && empty > 300 && flagged > 300, "{exact} exact, {empty} empty, {flagged} flagged");
}

/// Time that is never reset and never extrapolated runs into the largest bound, and says so.
#[test]
fn a_clock_that_runs_for_ever_overflows_in_the_end() {
    let (x, y) = (clock(1), clock(2));
    let step = Constant::new(10_000_000).unwrap();
    let mut zone = Dbm::zero(bridge::dimension(2));
    let mut rounds = 0;
    while !zone.overflowed() {
        zone.up();
        assert!(zone.constrain(Constraint::upper(x, Bound::weak(step))));
        assert!(zone.constrain(Constraint::new(Clock::REFERENCE, x, Bound::weak(step.negated()))));
        zone.reset(x, Constant::ZERO);
        rounds += 1;
        let total = i64::from(step.get()) * rounds;
        let is_exact = zone.bound(y, Clock::REFERENCE).constant().map(|c| i64::from(c.get())) == Some(total);
        assert_ne!(is_exact, zone.overflowed(), "after {rounds} rounds: {zone:?}");
    }
    assert_eq!(rounds, i64::from(Constant::MAX.get()) / i64::from(step.get()) + 1);
    let mut other = Dbm::zero(zone.dimension());
    other.hull(&zone);
    assert!(other.overflowed(), "the flag is passed on");
    assert!(Minimal::new(zone.dimension()).encode(&zone, &mut Vec::new()).is_err());
}
