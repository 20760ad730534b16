//! The stored forms: exact or refused, canonical, as small as they say, and right about inclusion.

use tourbillon_base::Random;
use tourbillon_dbm::forms::{Bits, Digits, Form, Minimal, Ranges};
use tourbillon_dbm::{Bound, ClockBounds, Constraint, Dbm};
use tourbillon_testkit::bridge::{self, clock, constant};
use tourbillon_testkit::script::check_form;
use tourbillon_testkit::zones;

struct Case {
    bounds: ClockBounds,
    zones: Vec<Dbm>,
}

/// Random zones of one dimension, extrapolated by the same limits.
fn extrapolated(seed: u64, clocks: usize, constant_max: i64) -> Case {
    let mut random = Random::from_seed(seed);
    let lower = zones::random_limits(&mut random, clocks, constant_max);
    let upper = zones::random_limits(&mut random, clocks, constant_max);
    let bounds = bridge::clock_bounds(&lower, &upper);
    let plus = random.one_in(2);
    let mut zone = || {
        let mut zone =
            bridge::zone(&zones::random_matrix(&mut random, clocks, constant_max)).expect("not empty");
        if plus {
            zone.extra_lu_plus(&bounds);
        } else {
            zone.extra_lu(&bounds);
        };
        zone
    };
    let zones = (0..8).map(|_| zone()).collect();
    Case { bounds, zones }
}

fn encode<F: Form>(form: &F, zone: &Dbm) -> Vec<F::Word> {
    let mut words = Vec::new();
    form.encode(zone, &mut words).unwrap_or_else(|error| panic!("{zone:?}: {error}"));
    words
}

/// Encodes all zones, which none may refuse, and compares words with zones.
fn check<F: Form>(
    name: &str,
    seed: u64,
    form: &F,
    zones: &[Dbm],
    encoded: impl Fn(&[F::Word], &[F::Word]) -> Option<bool>,
) {
    let words: Vec<_> = zones.iter().map(|zone| encode(form, zone)).collect();
    for (a, words_a) in zones.iter().zip(&words) {
        check_form(name, form, a, zones).unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
        for (b, words_b) in zones.iter().zip(&words) {
            assert_eq!(words_a == words_b, a == b, "seed {seed}, {name} is not canonical: {a:?} {b:?}");
            let included = encoded(words_a, words_b);
            assert!(included.is_none_or(|found| found == a.includes(b)), "seed {seed}, {name}: {a:?} {b:?}");
        }
    }
}

fn check_all(seed: u64, ranges: &Ranges, zones: &[Dbm]) {
    let bits = Bits::new(ranges.clone());
    check("bits", seed, &bits, zones, |a, b| Some(bits.includes_encoded(a, b)));
    let digits = Digits::new(ranges.clone());
    check("digits", seed, &digits, zones, |a, b| Some(digits.includes_encoded(a, b)));
    check("minimal", seed, &Minimal::new(ranges.dimension()), zones, |_, _| None);
}

/// No zone that was extrapolated is refused by ranges made from the same limits, and none is changed.
#[test]
fn extrapolated_zones_fit_the_ranges_of_their_limits() {
    for seed in 0..3_000 {
        let case = extrapolated(seed, 1 + seed as usize % 6, 1 + seed as i64 % 40);
        check_all(seed, &Ranges::of_extrapolated(&case.bounds), &case.zones);
    }
    for (seed, clocks) in (0..30).zip([9, 13, 17, 20].into_iter().cycle()) {
        let case = extrapolated(seed, clocks, 30);
        check_all(seed, &Ranges::of_extrapolated(&case.bounds), &case.zones);
    }
}

/// Zones that were not extrapolated are kept exactly where the range is wide enough.
#[test]
fn exact_zones_fit_uniform_ranges() {
    for seed in 0..1_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(8);
        let draw = |_| bridge::zone(&zones::random_matrix(&mut random, clocks, 25)).expect("not empty");
        let zones: Vec<Dbm> = (0..6).map(draw).collect();
        check_all(seed, &Ranges::uniform(bridge::dimension(clocks), constant(25)), &zones);
    }
}

/// Zones outside the range of a form are refused, or kept exactly: never changed.
#[test]
fn what_does_not_fit_is_refused() {
    let mut refused = 0;
    for seed in 0..2_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(5);
        let zone = bridge::zone(&zones::random_matrix(&mut random, clocks, 30)).expect("not empty");
        let (lower, upper) =
            (zones::random_limits(&mut random, clocks, 30), zones::random_limits(&mut random, clocks, 30));
        let ranges = Ranges::of_extrapolated(&bridge::clock_bounds(&lower, &upper));
        let bits = Bits::new(ranges.clone());
        check_form("bits", &bits, &zone, std::slice::from_ref(&zone)).unwrap();
        check_form("digits", &Digits::new(ranges), &zone, std::slice::from_ref(&zone)).unwrap();
        refused += usize::from(bits.encode(&zone, &mut Vec::new()).is_err());
    }
    assert!(refused > 500, "only {refused} refused: the test has lost its point");
    let mut zone = Dbm::universal(bridge::dimension(1));
    assert!(zone.constrain(Constraint::upper(clock(1), Bound::weak(constant(6)))));
    let tight = Bits::new(Ranges::uniform(bridge::dimension(1), constant(5)));
    assert!(tight.encode(&zone, &mut Vec::new()).unwrap_err().to_string().contains("outside the range"));
}

/// Sizes for constants up to 100, against four bytes a bound: the figures that the documentation gives.
#[test]
fn forms_are_as_small_as_they_say() {
    for (clocks, bits_bytes, digits_bytes) in [(4, 32, 24), (8, 96, 80), (16, 344, 296), (32, 1320, 1144)] {
        let ranges = Ranges::uniform(bridge::dimension(clocks), constant(100));
        let plain = (clocks + 1) * (clocks + 1) * 4;
        let (bits, digits) = (Bits::new(ranges.clone()), Digits::new(ranges));
        assert_eq!((bits.limbs() * 8, digits.limbs() * 8), (bits_bytes, digits_bytes), "{clocks} clocks");
        assert!(2 * bits_bytes <= plain && digits.bits() <= digits.limbs() * 64);
        assert_eq!(encode(&bits, &Dbm::zero(bridge::dimension(clocks))).len(), bits.limbs());
    }
    // No clock has both limits, as in Fischer's protocol: only bounds against the reference are left.
    let mut bounds = ClockBounds::none(bridge::dimension(10));
    for x in 1..=10 {
        if x % 2 == 0 {
            bounds.raise_lower(clock(x), constant(2));
        } else {
            bounds.raise_upper(clock(x), constant(2));
        };
    }
    let limbs = Bits::new(Ranges::of_extrapolated(&bounds)).limbs();
    assert!(limbs * 64 <= 192, "{limbs} limbs");
}

#[test]
fn minimal_keeps_few_constraints_and_wide_constants() {
    let dimension = bridge::dimension(12);
    let form = Minimal::new(dimension);
    assert_eq!(encode(&form, &Dbm::universal(dimension)).len(), 1);
    let mut zone = Dbm::universal(dimension);
    assert!(zone.constrain(Constraint::upper(clock(3), Bound::strict(constant(100_000_000)))));
    let words = encode(&form, &zone);
    assert_eq!(words.len(), 3);
    assert_eq!(form.length(&words), 3);
    check_form("minimal", &form, &zone, &[Dbm::universal(dimension), Dbm::zero(dimension)]).unwrap();
    // Twelve clocks at fixed distances are one cycle through all of them, and the reference.
    let zero = encode(&form, &Dbm::zero(dimension));
    assert_eq!(Dbm::zero(dimension).minimal_constraints().len(), 12);
    assert_eq!(form.length(&zero), zero.len());
}
