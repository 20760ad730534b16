//! Many clocks, hence many levels, and diagrams with many more paths than nodes.

use tourbillon_base::Random;
use tourbillon_dbm::{Bound, Clock, Constraint, Dbm, Dimension};
use tourbillon_dd::{AllEdges, Compact, Constraints, Diagrams, Handle, NodeForm, Settings};
use tourbillon_testkit::bridge::{clock, constant, dimension};

use crate::{EXACT, MINIMAL, all_settings, diagrams, random_zone, united};

/// A zone in which every difference has bounds of its own.
fn dense(random: &mut Random, clocks: usize) -> Dbm {
    let mut zone = Dbm::zero(dimension(clocks));
    for clock in zone.dimension().iter() {
        zone.reset(clock, constant(random.within(0..=40).into()));
    }
    let mut other = Dbm::zero(dimension(clocks));
    for clock in other.dimension().iter() {
        other.reset(clock, constant(random.within(0..=40).into()));
    }
    zone.hull(&other);
    zone
}

/// All levels that there can be, in a test's stack.
#[test]
fn the_largest_number_of_clocks() {
    let clocks = Diagrams::<Compact>::CLOCKS_MAX;
    let mut random = Random::from_seed(1);
    let settings = Settings { constraints: Constraints::All, inclusion: EXACT, ..Settings::default() };
    let mut family = diagrams::<Compact>(clocks, settings);
    let zones: Vec<Dbm> = (0..4).map(|_| dense(&mut random, clocks)).collect();
    let diagram = united(&mut family, &zones);
    assert!(family.size(diagram) > 4_000, "{} nodes", family.size(diagram));
    for zone in &zones {
        assert!(family.includes_zone(diagram, zone));
        assert_eq!(family.union_zone(diagram, zone), diagram, "down to the last level, and nothing new");
    }
    assert!(!family.includes_zone(diagram, &dense(&mut random, clocks)));
    let complement = family.complement(diagram);
    assert_eq!(family.union(complement, diagram), Handle::TRUE);
    assert!(!family.is_empty(diagram) && !family.is_empty(complement));
    family.collect([diagram]);
    assert!(family.includes_zone(diagram, &zones[0]));
}

#[test]
fn one_clock_more_is_refused() {
    let clocks = Diagrams::<Compact>::CLOCKS_MAX + 1;
    let error =
        Diagrams::<Compact>::new(Dimension::of_clocks(clocks).unwrap(), Settings::default()).unwrap_err();
    assert_eq!(error.to_string(), "91 clocks are too many for diagrams (at most 90)");
}

/// `x_i` in `{0, 2}` for each clock, by as many cuts of the whole: `2^n` paths of `n` nodes.
fn corners<F: NodeForm>(family: &mut Diagrams<F>, clocks: usize) -> Handle {
    let mut corners = Handle::TRUE;
    for index in 1..=clocks {
        let mut either = Handle::FALSE;
        for value in [0, 2] {
            let mut zone = Dbm::universal(dimension(clocks));
            let value = constant(value);
            assert!(zone.constrain(Constraint::upper(clock(index), Bound::weak(value))));
            let below = Constraint::new(Clock::REFERENCE, clock(index), Bound::weak(value.negated()));
            assert!(zone.constrain(below));
            either = family.union_zone(either, &zone);
        }
        corners = family.intersection(corners, either);
    }
    corners
}

/// Thousands of millions of paths, each operation as long as there are nodes.
fn many_paths<F: NodeForm>(settings: Settings) {
    let clocks = 40;
    let mut family = diagrams::<F>(clocks, settings);
    let diagram = corners(&mut family, clocks);
    assert_eq!(family.size(diagram), clocks);
    let mut zone = Dbm::universal(dimension(clocks));
    for index in [3, 20, 38] {
        assert!(zone.constrain(Constraint::upper(clock(index), Bound::weak(constant(1)))));
    }
    let united = family.union_zone(diagram, &zone);
    assert!(family.size(united) <= 3 * clocks, "{}", family.size(united));
    assert!(family.includes_zone(united, &zone));
    let rest = family.difference(united, diagram);
    assert!(family.size(rest) <= 3 * clocks, "{}", family.size(rest));
    assert!(!family.is_empty(rest));
    let together = family.union(rest, diagram);
    assert_eq!(together, united);
    assert!(family.includes(united, diagram) && !family.includes(diagram, united));
}

#[test]
fn sharing_keeps_operations_short() {
    many_paths::<AllEdges>(MINIMAL);
    many_paths::<Compact>(Settings { inclusion: EXACT, ..Settings::default() });
}

/// A search's worth of zones, with collections, in every order: each zone is included once it was added.
#[test]
fn long_histories() {
    for (seed, settings) in (0..).zip(all_settings()) {
        let mut random = Random::from_seed(seed);
        let mut family = diagrams::<Compact>(5, settings);
        let mut diagram = Handle::FALSE;
        let mut zones: Vec<Dbm> = Vec::new();
        for step in 0..30 {
            let zone = random_zone(&mut random, 5, 3);
            if !family.includes_zone(diagram, &zone) {
                diagram = family.union_zone(diagram, &zone);
                zones.push(zone);
            }
            if step % 10 == 9 {
                family.collect([diagram]);
            }
        }
        for zone in &zones {
            assert!(family.includes_zone(diagram, zone), "seed {seed}, {settings:?}");
        }
    }
}
