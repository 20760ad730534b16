//! The stored forms: exact or refused, canonical, as small as they say, and right about inclusion.

use tourbillon_base::Random;
use tourbillon_dbm::forms::{Base, Bits, Codes, Coding, Digits, Form, Minimal, Packed, TestBits};
use tourbillon_dbm::{Bound, Constraint, Dbm};
use tourbillon_testkit::bridge::{self, clock, constant};
use tourbillon_testkit::script::check_form;
use tourbillon_testkit::zones;

/// Random zones of one dimension, extrapolated by the same limits.
fn extrapolated(seed: u64, clocks: usize, constant_max: i64) -> Vec<Dbm> {
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
    (0..8).map(|_| zone()).collect()
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

fn check_all(seed: u64, codes: &Codes, zones: &[Dbm]) {
    let dimension = zones[0].dimension();
    let bits = Bits::new(dimension, codes.clone());
    check("bits", seed, &bits, zones, |a, b| Some(bits.includes_packed(a, b)));
    let digits = Digits::new(dimension, codes.clone());
    check("digits", seed, &digits, zones, |a, b| Some(digits.includes_packed(a, b)));
    let mut minimal = Minimal::new(dimension);
    check("minimal", seed, &minimal, zones, |_, _| None);
    let mut bytes = Vec::new();
    zones.iter().for_each(|zone| minimal.write(zone, &mut bytes));
    check("minimal, bounds listed", seed, &minimal, zones, |_, _| None);
}

/// Zones with rows that are not written, by the ranks of their bounds.
#[test]
fn extrapolated_zones_fit_their_own_bounds() {
    for seed in 0..3_000 {
        let zones = extrapolated(seed, 1 + seed as usize % 6, 1 + seed as i64 % 40);
        check_all(seed, &Codes::of(&zones), &zones);
    }
    for (seed, clocks) in (0..30).zip([9, 13, 17, 20, 33, 40].into_iter().cycle()) {
        let zones = extrapolated(seed, clocks, 30);
        check_all(seed, &Codes::of(&zones), &zones);
    }
}

/// What one form wrote another with more codes writes again, as if it had written it first.
#[test]
fn packed_zones_are_rewritten_for_more_codes() {
    for seed in 0..600 {
        let zones = extrapolated(seed, 1 + seed as usize % 12, 1 + seed as i64 % 300);
        rewritten::<TestBits>(seed, &zones);
        rewritten::<Base>(seed, &zones);
    }
}

fn rewritten<C: Coding>(seed: u64, zones: &[Dbm]) {
    let few: Packed<C> = Packed::new(zones[0].dimension(), Codes::of(&zones[..1]));
    let more: Packed<C> = zones.iter().fold(few.clone(), |form, zone| form.with(zone));
    let old = encode(&few, &zones[0]);
    let mut new = vec![0; more.bytes_max()];
    more.rewrite(&few, &old, &mut new, &mut Vec::new());
    assert_eq!(few.rows(&old), more.rows(&new), "seed {seed}");
    assert_eq!(new[..more.length(&new)], encode(&more, &zones[0]), "seed {seed}");
}

/// Zones that were not extrapolated are kept exactly where there are codes enough.
#[test]
fn exact_zones_fit_uniform_codes() {
    for seed in 0..1_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(8);
        let draw = |_| bridge::zone(&zones::random_matrix(&mut random, clocks, 25)).expect("not empty");
        let zones: Vec<Dbm> = (0..6).map(draw).collect();
        check_all(seed, &Codes::uniform(constant(25)), &zones);
    }
}

/// Zones with other bounds than a form has codes for are refused, or kept exactly: never changed.
#[test]
fn what_does_not_fit_is_refused() {
    let mut refused = 0;
    for seed in 0..2_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(5);
        let mut draw =
            |largest| bridge::zone(&zones::random_matrix(&mut random, clocks, largest)).expect("not empty");
        let (other, zone) = (draw(9), draw(15));
        let (dimension, codes) = (zone.dimension(), Codes::of([&other]));
        let bits = Bits::new(dimension, codes.clone());
        check_form("bits", &bits, &zone, std::slice::from_ref(&zone)).unwrap();
        check_form("digits", &Digits::new(dimension, codes), &zone, std::slice::from_ref(&zone)).unwrap();
        refused += usize::from(bits.encode(&zone, &mut Vec::new()).is_err());
    }
    assert!((500..2000).contains(&refused), "{refused} refused: the test has lost its point");
    let mut zone = Dbm::universal(bridge::dimension(1));
    assert!(zone.constrain(Constraint::upper(clock(1), Bound::weak(constant(6)))));
    let tight = Bits::new(bridge::dimension(1), Codes::uniform(constant(5)));
    assert!(tight.encode(&zone, &mut Vec::new()).unwrap_err().to_string().contains("no code"));
}

/// Sizes for zones with all rows and constants up to 100: the figures that the documentation gives.
#[test]
fn forms_are_as_small_as_they_say() {
    for (clocks, bits_bytes, digits_bytes) in [(4, 26, 26), (8, 92, 83), (16, 343, 309), (32, 1323, 1158)] {
        let (dimension, codes) = (bridge::dimension(clocks), Codes::uniform(constant(100)));
        let (bits, digits) = (Bits::new(dimension, codes.clone()), Digits::new(dimension, codes));
        assert_eq!((bits.bytes_max(), digits.bytes_max()), (bits_bytes, digits_bytes), "{clocks} clocks");
        // The point at 0 has a universal row, the first; with more than 32 rows it is written with the next.
        let left_out = if clocks < 32 { bits.row_bytes() } else { 0 };
        let zero = encode(&bits, &Dbm::zero(dimension));
        assert_eq!(zero.len(), bits.bytes_max() - left_out);
        assert_eq!(encode(&bits, &Dbm::universal(dimension)).len(), bits.head_bytes());
    }
    // As in Fischer's protocol: ten clocks, two of them with an upper bound, and no other constant.
    let mut zone = Dbm::universal(bridge::dimension(10));
    for x in [3, 7] {
        assert!(zone.constrain(Constraint::upper(clock(x), Bound::weak(constant(10)))));
    }
    let (dimension, codes) = (zone.dimension(), Codes::of([&zone]));
    assert_eq!(encode(&Bits::new(dimension, codes.clone()), &zone).len(), 2 + 2 * 4);
    assert_eq!(encode(&Digits::new(dimension, codes), &zone).len(), 2 + 2 * 2);
}

#[test]
fn minimal_keeps_few_constraints_and_wide_constants() {
    let dimension = bridge::dimension(12);
    let mut form = Minimal::new(dimension);
    assert_eq!(encode(&form, &Dbm::universal(dimension)).len(), 2);
    let mut zone = Dbm::universal(dimension);
    assert!(zone.constrain(Constraint::upper(clock(3), Bound::strict(constant(100_000_000)))));
    let bytes = encode(&form, &zone);
    assert_eq!((bytes.len(), form.length(&bytes)), (7, 7));
    check_form("minimal", &form, &zone, &[Dbm::universal(dimension), Dbm::zero(dimension)]).unwrap();
    let mut listed = Vec::new();
    form.write(&zone, &mut listed);
    assert_eq!((listed.len(), form.length(&listed)), (3, 3));
    check_form("minimal", &form, &zone, &[Dbm::universal(dimension), Dbm::zero(dimension)]).unwrap();
    // Twelve clocks at fixed distances are one cycle through all of them, and the reference.
    form.write(&Dbm::zero(dimension), &mut listed);
    assert_eq!(Dbm::zero(dimension).minimal_constraints().len(), 12);
    assert_eq!((form.length(&listed), listed.len()), (listed.len(), 11));
}

/// When the list of bounds is full, zones with other bounds are stored as well, and still always alike.
#[test]
fn minimal_holds_more_bounds_than_it_lists() {
    let dimension = bridge::dimension(2);
    let mut form = Minimal::new(dimension);
    let zone = |c: i64| {
        let mut zone = Dbm::universal(dimension);
        assert!(zone.constrain(Constraint::upper(clock(1), Bound::weak(constant(c)))));
        zone
    };
    let (mut bytes, mut again, mut read) = (Vec::new(), Vec::new(), Dbm::zero(dimension));
    for c in (0..5_000).chain([3, 4_999, 100_000_000]) {
        form.write(&zone(c), &mut bytes);
        form.write(&zone(c), &mut again);
        form.read(&bytes, &mut read);
        assert_eq!((&bytes, &read), (&again, &zone(c)), "{c}");
    }
}
