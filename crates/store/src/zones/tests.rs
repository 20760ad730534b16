//! Compares all forms with matrices, on random sequences of operations of a list.

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension};

use super::*;

/// A store, and a zone in its encoding.
type Tested = (Box<dyn ZoneStore>, ZoneProbe);

fn tested(form: ZoneForm, dimension: Dimension) -> Tested {
    (new_zone_store(form, dimension), ZoneProbe::default())
}

fn constant(value: i32) -> Constant {
    Constant::new(value.into()).expect("a small constant")
}

/// A random walk like that of a search, usually with few and small constants: resets, delays, upper and lower bounds,
/// sometimes free clocks and differences, sometimes extrapolation.
fn random_zone(random: &mut Random, dimension: Dimension, bounds: &ClockBounds, largest: i32) -> Dbm {
    let mut zone = if random.one_in(8) { Dbm::universal(dimension) } else { Dbm::zero(dimension) };
    for _ in 0..random.below(8) {
        let any = |random: &mut Random| Clock::from_index(random.below(dimension.size()));
        let (left, right) = (any(random), any(random));
        let value = constant(if random.one_in(2) { largest } else { random.within(0..=largest) });
        let bound = if random.one_in(2) { Bound::weak(value) } else { Bound::strict(value) };
        match random.below(6) {
            0 if left != Clock::REFERENCE => zone.reset(left, Constant::ZERO),
            1 if left != Clock::REFERENCE => zone.free(left),
            2 | 3 => zone.up(),
            4 => drop(zone.constrain(Constraint::new(left, Clock::REFERENCE, bound))),
            _ => drop(zone.constrain(Constraint::new(left, right, bound))),
        }
    }
    if random.one_in(2) {
        zone.extra_lu_plus(bounds);
    }
    zone
}

fn random_bounds(random: &mut Random, dimension: Dimension) -> ClockBounds {
    let mut bounds = ClockBounds::none(dimension);
    for clock in dimension.iter() {
        if random.one_in(2) {
            bounds.raise_lower(clock, constant(random.within(0..=6)));
        }
        if random.one_in(2) {
            bounds.raise_upper(clock, constant(random.within(0..=6)));
        }
    }
    bounds
}

/// A zone that is stored in all forms, with its keys.
struct Stored {
    keys: Vec<ZoneKey>,
    zone: Dbm,
}

fn forms(dimension: Dimension) -> Vec<(ZoneForm, Tested)> {
    ZoneForm::ALL.into_iter().map(|form| (form, tested(form, dimension))).collect()
}

/// Compares the answers of each form about a stored zone.
fn compare(forms: &mut [(ZoneForm, Tested)], stored: &Stored, held: &Dbm, bounds: &ClockBounds, seed: u64) {
    let expected = (
        stored.zone == *held,
        stored.zone.includes(held),
        held.includes(&stored.zone),
        held.is_simulated_lu(&stored.zone, bounds),
        stored.zone.is_simulated_lu(held, bounds),
    );
    for ((form, (zones, probe)), &key) in forms.iter_mut().zip(&stored.keys) {
        zones.prepare_floor(held, bounds, probe);
        zones.prepare_ceiling(held, bounds, probe);
        let found = (
            zones.is_equal(key, held, probe),
            zones.includes(key, held, probe),
            zones.is_included(key, held, probe),
            zones.simulates(key, held, bounds, probe),
            zones.is_simulated(key, held, bounds, probe),
        );
        assert_eq!(found, expected, "seed {seed}, {form:?}: stored {:?}, held {held:?}", stored.zone);
    }
}

fn agree(seed: u64, clocks: usize, steps: usize) {
    let mut random = Random::from_seed(seed);
    let dimension = Dimension::of_clocks(clocks).expect("few clocks");
    let bounds = random_bounds(&mut random, dimension);
    let mut forms = forms(dimension);
    let mut stored: Vec<Stored> = Vec::new();
    for _ in 0..steps {
        let largest = match random.below(40) {
            0 => 3_000_000,
            1 => 700,
            2 => 90,
            _ => 5,
        };
        let again = !stored.is_empty() && random.one_in(4);
        let zone = if again {
            stored[random.below(stored.len())].zone.clone()
        } else {
            random_zone(&mut random, dimension, &bounds, largest)
        };
        forms.iter_mut().for_each(|(_, (zones, probe))| zones.encode_extending(&zone, probe));
        for _ in 0..3.min(stored.len()) {
            compare(&mut forms, &stored[random.below(stored.len())], &zone, &bounds, seed);
        }
        if random.one_in(3) && !stored.is_empty() {
            let Stored { keys, .. } = stored.swap_remove(random.below(stored.len()));
            forms.iter_mut().zip(keys).for_each(|((_, (zones, _)), key)| zones.free(key));
        } else {
            let keys = forms.iter_mut().map(|(_, (zones, probe))| zones.save(&zone, probe)).collect();
            stored.push(Stored { keys, zone });
        }
    }
    let mut loaded = Dbm::zero(dimension);
    for Stored { keys, zone } in &stored {
        for ((form, (zones, _)), &key) in forms.iter().zip(keys) {
            zones.load(key, &mut loaded);
            assert_eq!(loaded, *zone, "seed {seed}, {form:?}");
        }
    }
    for (form, (zones, _)) in &forms {
        let distinct = stored
            .iter()
            .enumerate()
            .filter(|(at, one)| !stored[..*at].iter().any(|other| other.zone == one.zone));
        let expected = if form.is_shared() { distinct.count() } else { stored.len() };
        assert_eq!(zones.len(), expected, "seed {seed}, {form:?}");
    }
}

#[test]
fn all_forms_agree() {
    for (seed, clocks) in (0..60).zip((0..10).cycle()) {
        agree(seed, clocks, 300);
    }
    for (seed, clocks) in (100..).zip([11, 15, 16, 17, 30, 31, 32, 33, 40, 63, 64, 70]) {
        agree(seed, clocks, 120);
    }
}

/// More distinct bounds than there are ranks.
#[test]
fn many_bounds_are_stored_as_well() {
    let dimension = Dimension::of_clocks(2).expect("few clocks");
    let mut forms = forms(dimension);
    let mut stored = Vec::new();
    for value in (1..600).map(|at| at * 37 % 6007) {
        let mut zone = Dbm::zero(dimension);
        zone.reset(Clock::from_index(1), constant(value));
        zone.up();
        forms.iter_mut().for_each(|(_, (zones, probe))| zones.encode_extending(&zone, probe));
        let keys: Vec<ZoneKey> =
            forms.iter_mut().map(|(_, (zones, probe))| zones.save(&zone, probe)).collect();
        stored.push((keys, zone));
    }
    let mut loaded = Dbm::zero(dimension);
    for (keys, zone) in &stored {
        for ((form, (zones, _)), &key) in forms.iter().zip(keys) {
            zones.load(key, &mut loaded);
            assert_eq!(loaded, *zone, "{form:?}");
        }
    }
}

/// A zone with more uses than can be counted is never freed, and is found again.
#[test]
fn uses_are_counted_up_to_a_limit() {
    let dimension = Dimension::of_clocks(3).expect("few clocks");
    for form in [ZoneForm::BitsShared, ZoneForm::DigitsShared, ZoneForm::MinimalShared] {
        let (mut zones, mut probe) = tested(form, dimension);
        let (zero, universal) = (Dbm::zero(dimension), Dbm::universal(dimension));
        zones.encode_extending(&zero, &mut probe);
        let keys: Vec<ZoneKey> = (0..300).map(|_| zones.save(&zero, &probe)).collect();
        assert!(keys.iter().all(|&key| key == keys[0]));
        keys.iter().for_each(|&key| zones.free(key));
        assert_eq!(zones.len(), 1, "{form:?}");
        assert!(zones.save(&zero, &probe) == keys[0] && zones.is_equal(keys[0], &zero, &mut probe));
        zones.encode_extending(&universal, &mut probe);
        let few: Vec<ZoneKey> = (0..200).map(|_| zones.save(&universal, &probe)).collect();
        few.iter().for_each(|&key| zones.free(key));
        assert_eq!(zones.len(), 1, "{form:?}");
    }
}

/// If new bounds keep occurring, zones are not rewritten for each of them, and stay readable.
#[test]
fn new_bounds_may_come_as_often_as_they_like() {
    let dimension = Dimension::of_clocks(3).expect("few clocks");
    for form in ZoneForm::ALL {
        let (mut zones, mut probe) = tested(form, dimension);
        let zone_of = |value: i32| {
            let mut zone = Dbm::zero(dimension);
            zone.up();
            let bound = Bound::weak(constant(value * value));
            let _kept = zone.constrain(Constraint::new(Clock::from_index(1), Clock::REFERENCE, bound));
            zone
        };
        let mut keys = Vec::new();
        for value in 0..150 {
            let zone = zone_of(value);
            for _ in 0..20 {
                zones.encode_extending(&zone, &mut probe);
                keys.push((value, zones.save(&zone, &probe)));
            }
        }
        let mut loaded = Dbm::zero(dimension);
        for &(value, key) in &keys {
            zones.load(key, &mut loaded);
            assert_eq!(loaded, zone_of(value), "{form:?}");
        }
        let held = zone_of(75);
        zones.encode_extending(&held, &mut probe);
        for &(value, key) in &keys {
            let found = (zones.includes(key, &held, &mut probe), zones.is_included(key, &held, &mut probe));
            assert_eq!(found, (value >= 75, value <= 75), "{form:?}");
        }
    }
}
