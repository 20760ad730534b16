//! Every operation against sets of points, in every form, order and choice of constraints.

use tourbillon_base::{Random, Rational};
use tourbillon_dbm::Valuation;
use tourbillon_dd::{AllEdges, Compact, Diagrams, Handle, NodeForm, Settings, WithoutFalse};
use tourbillon_testkit::bridge;
use tourbillon_testkit::points::{Grid, PointSet};

use crate::{all_settings, diagrams, random_zone, random_zones, united};

/// The points of a diagram, asked one by one.
fn points_of<F: NodeForm>(diagrams: &Diagrams<F>, grid: Grid, diagram: Handle) -> PointSet {
    PointSet::from_predicate(grid, |point| {
        let value =
            |&numerator: &i64| Rational::new(numerator, grid.steps_per_unit).expect("a small fraction");
        let values: Vec<Rational> = point[1..].iter().map(value).collect();
        diagrams.contains(diagram, &Valuation::new(&values).expect("small fractions"))
    })
}

/// The points of the zones of a diagram, which must not overlap.
fn points_of_zones<F: NodeForm>(diagrams: &mut Diagrams<F>, grid: Grid, diagram: Handle) -> PointSet {
    let zones = diagrams.zones(diagram);
    let sets = zones.iter().map(|zone| PointSet::from_matrix(grid, &bridge::matrix(zone)));
    let mut count = 0;
    let all = sets.fold(PointSet::empty(grid), |all, one| {
        count += one.count();
        all.union(&one)
    });
    assert_eq!(all.count(), count, "zones overlap: {zones:?}");
    all
}

fn check<F: NodeForm>(seed: u64, clocks: usize, constant_max: i64, settings: Settings) {
    let grid = Grid::telling(clocks, constant_max);
    let mut random = Random::from_seed(seed);
    let (a, b) = (
        random_zones(&mut random, 3, clocks, constant_max),
        random_zones(&mut random, 3, clocks, constant_max),
    );
    let case = format!("seed {seed}, {clocks} clocks, {settings:?}: {a:?} and {b:?}");
    let set = |zones: &[tourbillon_dbm::Dbm]| {
        let sets = zones.iter().map(|zone| PointSet::from_matrix(grid, &bridge::matrix(zone)));
        sets.fold(PointSet::empty(grid), |all, one| all.union(&one))
    };
    let (set_a, set_b) = (set(&a), set(&b));

    let mut family = diagrams::<F>(clocks, settings);
    let (of_a, of_b) = (united(&mut family, &a), united(&mut family, &b));
    let results = [
        ("zones united", of_a, set_a.clone()),
        ("union", family.union(of_a, of_b), set_a.union(&set_b)),
        ("intersection", family.intersection(of_a, of_b), set_a.intersection(&set_b)),
        ("difference", family.difference(of_a, of_b), set_a.minus(&set_b)),
        ("complement", family.complement(of_a), set_a.complement()),
    ];
    for (name, diagram, expected) in results {
        assert_eq!(points_of(&family, grid, diagram), expected, "{name}, {case}");
        assert_eq!(points_of_zones(&mut family, grid, diagram), expected, "zones of {name}, {case}");
        assert_eq!(family.is_empty(diagram), expected.is_empty(), "emptiness of {name}, {case}");
    }
    assert_eq!(family.includes(of_a, of_b), set_b.is_subset(&set_a), "{case}");
    for zone in b.iter().chain([&random_zone(&mut random, clocks, constant_max)]) {
        let points = PointSet::from_matrix(grid, &bridge::matrix(zone));
        assert_eq!(family.includes_zone(of_a, zone), points.is_subset(&set_a), "{zone:?} in a, {case}");
    }
}

#[test]
fn two_clocks() {
    for seed in 0..400 {
        let all = all_settings();
        let settings = all[seed as usize % all.len()];
        check::<AllEdges>(seed, 2, 2, settings);
        check::<WithoutFalse>(seed, 2, 2, settings);
        check::<Compact>(seed, 2, 2, settings);
    }
}

#[test]
fn one_clock_and_three() {
    for seed in 0..80 {
        for settings in all_settings().into_iter().skip(seed as usize % 4).step_by(4) {
            check::<Compact>(seed, 1, 4, settings);
            check::<Compact>(seed, 3, 1, settings);
        }
    }
}

#[test]
fn no_clocks_at_all() {
    for settings in all_settings() {
        let mut family = diagrams::<Compact>(0, settings);
        let all = tourbillon_dbm::Dbm::universal(bridge::dimension(0));
        assert_eq!(family.zone(&all), Handle::TRUE);
        assert_eq!(family.union_zone(Handle::FALSE, &all), Handle::TRUE);
        assert!(family.includes_zone(Handle::TRUE, &all) && !family.includes_zone(Handle::FALSE, &all));
        assert_eq!(family.zones(Handle::TRUE).len(), 1);
    }
}
