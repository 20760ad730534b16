//! Narrow matrices against the zones they stand for: round trips, what fits, inclusion and simulation both ways.

use tourbillon_base::Random;
use tourbillon_dbm::forms::{Narrow, Slot, widened};
use tourbillon_dbm::{Clock, Dbm, Dimension};
use tourbillon_testkit::{bridge, zones};

fn random_zone(random: &mut Random, clocks: usize, constant: i64) -> Dbm {
    bridge::zone(&zones::random_matrix(random, clocks, constant)).expect("a random zone is not empty")
}

/// Whether all finite raw bounds are at most this in absolute value.
fn is_within(zone: &Dbm, raw_max: i32) -> bool {
    let clocks = || (0..zone.dimension().size()).map(bridge::clock);
    let raw = |(i, j): (Clock, Clock)| {
        let bound = zone.bound(i, j);
        bound.constant().map_or(0, |c| 2 * c.get() + i32::from(!bound.is_strict()))
    };
    clocks().flat_map(|i| clocks().map(move |j| (i, j))).all(|pair| raw(pair).abs() <= raw_max)
}

fn encoded<S: Slot + Default>(zone: &Dbm) -> Option<Vec<S>> {
    let form: Narrow<S> = Narrow::new(zone.dimension());
    let mut slots = vec![S::default(); form.slots()];
    form.encode(zone, &mut slots).ok().map(|()| slots)
}

/// A zone fits just if its bounds do, and comes back as it was.
fn check_round_trip<S: Slot + Default>(zone: &Dbm, raw_max: i32) {
    let slots = encoded::<S>(zone);
    assert_eq!(slots.is_some(), is_within(zone, raw_max), "{zone:?}");
    if let Some(slots) = slots {
        let mut decoded = Dbm::universal(zone.dimension());
        Narrow::new(zone.dimension()).decode(&slots, &mut decoded);
        assert_eq!(decoded, *zone);
        // What is derived from it afterwards is exact as well.
        let mut original = zone.clone();
        original.up();
        decoded.up();
        assert!(original.intersect(&Dbm::universal(zone.dimension())));
        assert!(decoded.intersect(&Dbm::universal(zone.dimension())));
        assert_eq!(decoded, original);
        let wide: Vec<i32> = slots.iter().map(|&slot| widened(slot)).collect();
        assert!(wide.starts_with(&encoded::<i32>(zone).expect("every zone fits")));
    }
}

/// The two zones compare as they do as matrices.
fn check_pair<S: Slot + Default>(one: &Dbm, two: &Dbm, random: &mut Random) {
    let (Some(a), Some(b)) = (encoded::<S>(one), encoded::<S>(two)) else { return };
    let form: Narrow<S> = Narrow::new(one.dimension());
    assert_eq!(form.includes(&a, &b), one.includes(two));
    assert_eq!(a == b, one == two);
    let clocks = one.dimension().clocks();
    let largest = if random.one_in(3) { 100_000 } else { 6 };
    let lower = zones::random_limits(random, clocks, largest);
    let upper = zones::random_limits(random, clocks, largest);
    let bounds = bridge::clock_bounds(&lower, &upper);
    let expected = one.is_simulated_lu(two, &bounds);
    let (mut floor, mut ceiling) = (a.clone(), a.clone());
    form.floor(one, &bounds, &mut floor);
    assert_eq!(form.includes(&b, &floor), expected, "{one:?} in a_LU of {two:?}, {bounds:?}, by the floor");
    form.ceiling(two, &bounds, &mut ceiling);
    assert_eq!(
        form.is_simulated(&a, &b, &ceiling),
        expected,
        "{one:?} in a_LU of {two:?}, {bounds:?}, by the ceiling"
    );
}

/// Prints the seed if what it was drawn for fails.
struct Seed(u64);

impl Drop for Seed {
    #[expect(clippy::print_stderr, reason = "a failed random test says how to repeat it")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}", self.0);
        }
    }
}

#[test]
fn random_zones_are_what_they_were() {
    for seed in 0..3000 {
        let _seed = Seed(seed);
        let random = &mut Random::from_seed(seed);
        let (clocks, constant) = (random.below(13), [1, 3, 62, 64, 16_382, 16_384, 1 << 20][random.below(7)]);
        let (one, two) = (random_zone(random, clocks, constant), random_zone(random, clocks, constant));
        let mut hull = one.clone();
        hull.hull(&two);
        for zone in [&one, &two, &hull] {
            check_round_trip::<i8>(zone, 126);
            check_round_trip::<i16>(zone, 32_766);
            check_round_trip::<i32>(zone, i32::MAX);
        }
        for (one, two) in [(&one, &two), (&one, &hull), (&hull, &two), (&one, &one)] {
            check_pair::<i8>(one, two, random);
            check_pair::<i16>(one, two, random);
            check_pair::<i32>(one, two, random);
        }
    }
}

#[test]
fn every_pair_of_small_zones_compares_as_it_should() {
    let all: Vec<Dbm> = zones::all_closed(2, 1).iter().filter_map(bridge::zone).collect();
    let random = &mut Random::from_seed(7);
    for one in &all {
        for two in &all {
            check_pair::<i8>(one, two, random);
        }
    }
}

#[test]
fn ten_clocks_take_128_bytes() {
    let dimension = Dimension::of_clocks(10).expect("few clocks");
    assert_eq!(Narrow::<i8>::new(dimension).slots(), 128);
    assert_eq!(Narrow::<i16>::new(dimension).slots(), 128);
    assert_eq!(Narrow::<i32>::new(dimension).slots(), 124);
}
