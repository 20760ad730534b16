//! Laws of sets, and what must be one and the same handle.

use tourbillon_base::Random;
use tourbillon_dd::{AllEdges, Compact, Constraints, Handle, NodeForm, Settings, WithoutFalse};

use crate::{EXACT, all_settings, diagrams, federation, random_zones, united, zone};

/// Laws that hold of the handles themselves: operations work on all combinations of values, and for those a reduced
/// diagram is unique.
fn laws<F: NodeForm>(seed: u64, settings: Settings) {
    let mut random = Random::from_seed(seed);
    let mut family = diagrams::<F>(4, settings);
    let [a, b, c] = [0; 3].map(|_| united(&mut family, &random_zones(&mut random, 4, 4, 5)));
    let case = format!("seed {seed}, {settings:?}");
    let union = family.union(a, b);
    assert_eq!(union, family.union(b, a), "{case}");
    assert_eq!(family.union(a, a), a, "{case}");
    assert_eq!(family.intersection(a, a), a, "{case}");
    assert_eq!(family.difference(a, a), Handle::FALSE, "{case}");
    let not_a = family.complement(a);
    assert_eq!(family.complement(not_a), a, "{case}");
    assert_eq!(family.union(a, not_a), Handle::TRUE, "{case}");
    assert_eq!(family.intersection(a, not_a), Handle::FALSE, "{case}");
    let (not_b, both) = (family.complement(b), family.intersection(a, b));
    let not_both = family.complement(both);
    assert_eq!(family.union(not_a, not_b), not_both, "{case}");
    assert_eq!(family.difference(a, b), family.intersection(a, not_b), "{case}");
    let (bc, union_c) = (family.union(b, c), family.union(union, c));
    assert_eq!(family.union(a, bc), union_c, "{case}");
    let (a_with_bc, ac) = (family.intersection(a, bc), family.intersection(a, c));
    assert_eq!(a_with_bc, family.union(both, ac), "{case}");
    assert_eq!(family.union(a, both), a, "{case}");
    assert!(family.includes(union, a) && family.includes(a, both), "{case}");
}

#[test]
fn handles_obey_the_laws_of_sets() {
    for seed in 0..30 {
        for settings in all_settings() {
            laws::<Compact>(seed, settings);
        }
        laws::<AllEdges>(seed, Settings::default());
        laws::<WithoutFalse>(seed, Settings::default());
    }
}

/// Adding zones one by one is the union of their diagrams, in whatever order.
#[test]
fn adding_a_zone_is_the_union_with_its_diagram() {
    for seed in 0..200 {
        let mut random = Random::from_seed(seed);
        for settings in all_settings() {
            let mut family = diagrams::<Compact>(4, settings);
            let mut zones = random_zones(&mut random, 6, 4, 5);
            let added = united(&mut family, &zones);
            random.shuffle(&mut zones);
            let diagrams: Vec<Handle> = zones.iter().map(|zone| family.zone(zone)).collect();
            let all = diagrams.into_iter().fold(Handle::FALSE, |all, one| family.union(all, one));
            assert_eq!(added, all, "seed {seed}, {settings:?}");
            let again = zones.first().map_or(added, |zone| family.union_zone(added, zone));
            assert_eq!(added, again, "seed {seed}, {settings:?}");
        }
    }
}

/// A box put together from slices is the box, and cut into other slices still is.
#[test]
fn boxes_have_one_diagram() {
    for settings in all_settings() {
        let settings = Settings { constraints: Constraints::Minimal, ..settings };
        let mut family = diagrams::<Compact>(2, settings);
        let whole = family.zone(&zone(2, "a>=1, a<=5, b<7"));
        let columns = [zone(2, "a>=1, a<3, b<7"), zone(2, "a>=3, a<=4, b<7"), zone(2, "a>4, a<=5, b<7")];
        let rows = [zone(2, "a>=1, a<=5, b>2, b<7"), zone(2, "a>=1, a<=5, b<=2")];
        assert_eq!(united(&mut family, &columns), whole, "{settings:?}");
        assert_eq!(united(&mut family, &rows), whole, "{settings:?}");
    }
}

/// A difference is empty just where a federation says that one includes the other.
#[test]
fn a_difference_is_empty_if_one_is_included() {
    for seed in 0..300 {
        let mut random = Random::from_seed(seed);
        let settings = Settings { inclusion: EXACT, ..Settings::default() };
        let (a, b) = (random_zones(&mut random, 5, 3, 3), random_zones(&mut random, 2, 3, 3));
        let mut family = diagrams::<Compact>(3, settings);
        let (of_a, of_b) = (united(&mut family, &a), united(&mut family, &b));
        let outside = family.difference(of_b, of_a);
        let included = federation(3, &a).includes(&federation(3, &b));
        assert_eq!(family.is_empty(outside), included, "seed {seed}");
        assert_eq!(family.includes(of_a, of_b), included, "seed {seed}");
        let there_and_back = family.zones(of_a);
        let again = united(&mut family, &there_and_back);
        assert!(family.includes(again, of_a) && family.includes(of_a, again), "seed {seed}");
    }
}
