//! Federations of two clocks against sets of points.

use tourbillon_base::Random;
use tourbillon_dbm::Federation;
use tourbillon_testkit::bridge::{self, clock, constant};
use tourbillon_testkit::naive::Matrix;
use tourbillon_testkit::points::{self, Grid, PointSet};
use tourbillon_testkit::zones;

const CONSTANT_MAX: i64 = 2;

fn points_of(grid: Grid, federation: &Federation) -> PointSet {
    let zones = federation.zones().iter().map(|zone| PointSet::from_matrix(grid, &bridge::matrix(zone)));
    zones.fold(PointSet::empty(grid), |all, one| all.union(&one))
}

fn union(grid: Grid, matrices: &[Matrix]) -> PointSet {
    matrices.iter().fold(PointSet::empty(grid), |all, one| all.union(&PointSet::from_matrix(grid, one)))
}

fn federation(matrices: &[Matrix]) -> Federation {
    let mut federation = Federation::empty(bridge::dimension(2));
    matrices.iter().filter_map(bridge::zone).for_each(|zone| federation.add(zone));
    federation
}

fn draw(random: &mut Random, most: usize) -> Vec<Matrix> {
    (0..random.below(most + 1)).map(|_| zones::random_matrix(random, 2, CONSTANT_MAX)).collect()
}

/// Zone minus zone, for every pair with constants up to 1.
#[test]
fn subtraction_of_zones_is_that_of_points() {
    let grid = Grid::telling(2, 1);
    let all: Vec<_> = zones::all_closed(2, 1)
        .into_iter()
        .map(|matrix| (bridge::zone(&matrix).expect("not empty"), PointSet::from_matrix(grid, &matrix)))
        .collect();
    for (zone, points) in &all {
        for (taken, taken_points) in &all {
            let mut rest = Federation::from(zone.clone());
            rest.subtract_zone(taken);
            let expected = points.minus(taken_points);
            assert_eq!(points_of(grid, &rest), expected, "{zone:?} minus {taken:?} is {rest}");
            assert_eq!(rest.is_empty(), expected.is_empty());
            let pieces: usize = rest
                .zones()
                .iter()
                .map(|piece| PointSet::from_matrix(grid, &bridge::matrix(piece)).count())
                .sum();
            assert_eq!(pieces, expected.count(), "{zone:?} minus {taken:?} overlaps: {rest}");
        }
    }
}

#[test]
fn set_operations_are_those_of_points() {
    let grid = Grid::telling(2, CONSTANT_MAX);
    for seed in 0..3_000 {
        let mut random = Random::from_seed(seed);
        let (a, b) = (draw(&mut random, 3), draw(&mut random, 3));
        let (fed_a, fed_b) = (federation(&a), federation(&b));
        let (points_a, points_b) = (union(grid, &a), union(grid, &b));
        let case = || format!("seed {seed}: {fed_a} and {fed_b}");

        let mut both = fed_a.clone();
        both.intersect(&fed_b);
        assert_eq!(points_of(grid, &both), points_a.intersection(&points_b), "{}", case());
        let mut either = fed_a.clone();
        either.unite(fed_b.clone());
        assert_eq!(points_of(grid, &either), points_a.union(&points_b), "{}", case());
        let mut rest = fed_a.clone();
        rest.subtract(&fed_b);
        assert_eq!(points_of(grid, &rest), points_a.minus(&points_b), "{}", case());
        assert_eq!(fed_a.includes(&fed_b), points_b.is_subset(&points_a), "{}", case());
        assert_eq!(fed_a.same_set(&fed_b), points_a == points_b, "{}", case());

        let mut reduced = either.clone();
        reduced.reduce();
        assert_eq!(points_of(grid, &reduced), points_of(grid, &either), "{}", case());
        assert!(reduced.zones().len() <= either.zones().len());
        for zone in reduced.zones() {
            let mut others = Federation::empty(bridge::dimension(2));
            reduced.zones().iter().filter(|&other| other != zone).for_each(|other| others.add(other.clone()));
            assert!(!others.includes_zone(zone), "{zone:?} is redundant in {reduced}");
        }
    }
}

#[test]
fn predecessors_are_those_of_points() {
    let grid = Grid::telling(2, CONSTANT_MAX);
    let fine = grid.for_witnesses(CONSTANT_MAX);
    for seed in 0..40 {
        let mut random = Random::from_seed(seed);
        let (good, bad) = (draw(&mut random, 2), draw(&mut random, 2));
        let (fed_good, fed_bad) = (federation(&good), federation(&bad));
        let (points_good, points_bad) = (union(fine, &good), union(fine, &bad));
        let case = || format!("seed {seed}: {fed_good} avoiding {fed_bad}");

        let expected = points::timed_predecessors_avoiding(&points_good, &points_bad).sample(grid);
        assert_eq!(points_of(grid, &fed_good.delays_into_avoiding(&fed_bad)), expected, "{}", case());

        let changed = |operation: &dyn Fn(&mut Federation)| {
            let mut federation = fed_good.clone();
            operation(&mut federation);
            points_of(grid, &federation)
        };
        let x = 1 + random.below(2);
        let y = 3 - x;
        let c = random.within(0..=2).into();
        assert_eq!(changed(&Federation::down), points_good.down().sample(grid), "down, {}", case());
        assert_eq!(changed(&Federation::up), points_good.up().sample(grid), "up, {}", case());
        assert_eq!(changed(&|f| f.free(clock(x))), points_good.free(x).sample(grid), "free, {}", case());
        let expected = points_good.reset_preimage(x, c).sample(grid);
        assert_eq!(
            changed(&|f| f.before_reset(clock(x), constant(c))),
            expected,
            "reset {x} {c}, {}",
            case()
        );
        let expected = points_good.assign_preimage(x, y, 0).sample(grid);
        assert_eq!(
            changed(&|f| f.before_assign(clock(x), clock(y), constant(0))),
            expected,
            "copy, {}",
            case()
        );
    }
}
