//! Narrow matrices against the zones they stand for: round trips, what fits, inclusion and simulation both ways.

use tourbillon_base::Random;
use tourbillon_dbm::forms::{Narrow, Slot, Written, widened};
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

/// A zone after some clocks were freed, or all extrapolated or let go: with rows that are not written.
fn loosened(random: &mut Random, zone: &Dbm) -> Dbm {
    let (mut zone, clocks) = (zone.clone(), zone.dimension().clocks());
    match random.below(4) {
        0 => {}
        1 => zone.up(),
        2 => {
            let freed: Vec<Clock> = zone.dimension().iter().filter(|_| random.one_in(2)).collect();
            freed.into_iter().for_each(|clock| zone.free(clock));
        }
        _ => {
            let (lower, upper) =
                (zones::random_limits(random, clocks, 4), zones::random_limits(random, clocks, 4));
            zone.extra_lu_plus(&bridge::clock_bounds(&lower, &upper));
        }
    }
    zone
}

/// A zone in narrow form, with its slots.
#[derive(Clone, PartialEq)]
struct Encoded<S> {
    bands: u32,
    slots: Vec<S>,
}

impl<S: Slot> Encoded<S> {
    fn written(&self) -> Written<'_, S> {
        Written { bands: self.bands, slots: &self.slots }
    }
}

fn encoded<S: Slot>(zone: &Dbm) -> Option<Encoded<S>> {
    let form: Narrow<S> = Narrow::new(zone.dimension());
    let mut scratch = form.scratch();
    let Written { bands, slots } = form.encode(zone, &mut scratch).ok()?;
    assert!(slots.len().is_multiple_of(8) && slots.len() <= form.slots_max());
    Some(Encoded { bands, slots: slots.to_vec() })
}

/// A zone fits just if its bounds do, and comes back as it was.
fn check_round_trip<S: Slot>(zone: &Dbm, raw_max: i32) {
    let narrow = encoded::<S>(zone);
    assert_eq!(narrow.is_some(), is_within(zone, raw_max), "{zone:?}");
    if let Some(narrow) = narrow {
        let mut decoded = Dbm::zero(zone.dimension());
        Narrow::new(zone.dimension()).decode(narrow.written(), &mut decoded);
        assert_eq!(decoded, *zone);
        // What is derived from it afterwards is exact as well.
        let mut original = zone.clone();
        original.up();
        decoded.up();
        assert!(original.intersect(&Dbm::universal(zone.dimension())));
        assert!(decoded.intersect(&Dbm::universal(zone.dimension())));
        assert_eq!(decoded, original);
        let slots: Vec<i32> = narrow.slots.iter().map(|&slot| widened(slot)).collect();
        let wide = encoded::<i32>(zone).expect("every zone fits");
        assert!(wide == Encoded { bands: narrow.bands, slots });
    }
}

/// The two zones compare as they do as matrices.
fn check_pair<S: Slot>(one: &Dbm, two: &Dbm, random: &mut Random) {
    let (Some(a), Some(b)) = (encoded::<S>(one), encoded::<S>(two)) else { return };
    let form: Narrow<S> = Narrow::new(one.dimension());
    assert_eq!(form.includes(a.written(), b.written()), one.includes(two));
    assert_eq!(a == b, one == two);
    let clocks = one.dimension().clocks();
    let largest = if random.one_in(3) { 100_000 } else { 6 };
    let lower = zones::random_limits(random, clocks, largest);
    let upper = zones::random_limits(random, clocks, largest);
    let bounds = bridge::clock_bounds(&lower, &upper);
    let expected = one.is_simulated_lu(two, &bounds);
    let mut scratch = form.scratch();
    let floor = form.floor(one, &bounds, &mut scratch);
    assert_eq!(
        form.includes(b.written(), floor),
        expected,
        "{one:?} in a_LU of {two:?}, {bounds:?}, by the floor"
    );
    let ceiling = form.ceiling(two, &bounds, &mut scratch);
    assert_eq!(
        form.is_simulated(a.written(), b.written(), ceiling),
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

fn check_random(seed: u64, random: &mut Random, clocks: usize) {
    let _seed = Seed(seed);
    let constant = [1, 3, 62, 64, 16_382, 16_384, 1 << 20][random.below(7)];
    let (one, two) = (random_zone(random, clocks, constant), random_zone(random, clocks, constant));
    let (one, two) = (loosened(random, &one), loosened(random, &two));
    let larger = loosened(random, &one);
    let mut hull = one.clone();
    hull.hull(&two);
    for zone in [&one, &two, &hull, &larger] {
        check_round_trip::<i8>(zone, 126);
        check_round_trip::<i16>(zone, 32_766);
        check_round_trip::<i32>(zone, i32::MAX);
    }
    for (one, two) in
        [(&one, &two), (&one, &hull), (&hull, &two), (&one, &one), (&one, &larger), (&larger, &one)]
    {
        check_pair::<i8>(one, two, random);
        check_pair::<i16>(one, two, random);
        check_pair::<i32>(one, two, random);
    }
}

#[test]
fn random_zones_are_what_they_were() {
    for seed in 0..3000 {
        let random = &mut Random::from_seed(seed);
        let clocks = random.below(13);
        check_random(seed, random, clocks);
    }
}

/// From 32 clocks on a bit stands for more than one row, and the last band has rows that do not exist.
#[test]
fn so_are_those_with_more_rows_than_a_mask_has_bits() {
    for seed in 0..20 {
        let random = &mut Random::from_seed(seed);
        let clocks = 29 + random.below(45);
        check_random(seed, random, clocks);
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
fn ten_clocks_take_128_bytes_at_most_and_a_free_one_takes_no_row() {
    let dimension = Dimension::of_clocks(10).expect("few clocks");
    assert_eq!(Narrow::<i8>::new(dimension).slots_max(), 128);
    let mut zone = Dbm::zero(dimension);
    let sizes: Vec<usize> = dimension
        .iter()
        .map(|clock| {
            zone.free(clock);
            encoded::<i8>(&zone).expect("zeros fit").slots.len()
        })
        .collect();
    assert_eq!(sizes, [104, 88, 80, 72, 56, 48, 40, 24, 16, 0]);
}
