//! All zones of two clocks with small constants, against sets of points and naive matrices.

use tourbillon_dbm::{Dbm, Relation};
use tourbillon_testkit::bridge::{self, bound, clock, constant, difference};
use tourbillon_testkit::naive::Matrix;
use tourbillon_testkit::points::{Grid, PointSet};
use tourbillon_testkit::zones;

fn assert_same(zone: &Dbm, expected: &Matrix, what: &str) {
    if let Some(difference) = difference(zone, expected) {
        panic!("{what}: {difference}");
    }
}

/// Zones of two clocks and constants up to 2, with their matrices.
fn all() -> Vec<(Dbm, Matrix)> {
    let matrices = zones::all_closed(2, 2);
    assert_eq!(matrices.len(), 2678);
    matrices.into_iter().map(|matrix| (bridge::zone(&matrix).expect("not empty"), matrix)).collect()
}

#[test]
fn operations_on_one_zone_match_the_naive_matrices() {
    for (zone, matrix) in all() {
        assert_same(&zone, &matrix, "closing");
        let after = |operation: &dyn Fn(&mut Dbm)| {
            let mut zone = zone.clone();
            operation(&mut zone);
            zone
        };
        assert_same(&after(&Dbm::up), &matrix.up(), "up");
        assert_same(&after(&Dbm::down), &matrix.down(), "down");
        for x in [1, 2] {
            assert_same(&after(&|zone| zone.free(clock(x))), &matrix.free(x), "free");
            for c in 0..=3 {
                assert_same(&after(&|zone| zone.reset(clock(x), constant(c))), &matrix.reset(x, c), "reset");
            }
        }
        for (x, y, c) in [(1, 2, 0), (1, 2, 1), (1, 2, -1), (2, 2, 2), (2, 2, -2), (2, 1, -3), (1, 0, 2)] {
            let mut assigned = zone.clone();
            let expected = matrix.assign(x, y, c);
            assert_eq!(assigned.assign(clock(x), clock(y), constant(c)), !expected.is_empty());
            let unchanged = expected.is_empty();
            assert_same(&assigned, if unchanged { &matrix } else { &expected }, "assign");
        }
    }
}

#[test]
fn constraining_matches_the_naive_matrices_for_every_constraint() {
    let bounds = zones::all_bounds(3);
    for (zone, matrix) in all() {
        for (i, j) in [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (1, 1)] {
            for &limit in &bounds {
                let mut constrained = zone.clone();
                let expected = matrix.constrain(i, j, limit);
                let constraint = tourbillon_dbm::Constraint::new(clock(i), clock(j), bound(limit));
                assert_eq!(zone.admits(constraint), !expected.is_empty());
                assert_eq!(
                    constrained.constrain(constraint),
                    !expected.is_empty(),
                    "{zone:?} {constraint:?}"
                );
                let unchanged = expected.is_empty();
                assert_same(&constrained, if unchanged { &matrix } else { &expected }, "constrain");
            }
        }
    }
}

/// Every pair with constants up to 1: 177,241 of them.
#[test]
fn operations_on_two_zones_match_sets_of_points() {
    let matrices = zones::all_closed(2, 1);
    let grid = Grid::telling(2, 1);
    let cases: Vec<(Dbm, Matrix, PointSet)> = matrices
        .into_iter()
        .map(|matrix| {
            (bridge::zone(&matrix).expect("not empty"), PointSet::from_matrix(grid, &matrix), matrix)
        })
        .map(|(zone, points, matrix)| (zone, matrix, points))
        .collect();
    for (a, matrix_a, points_a) in &cases {
        for (b, matrix_b, points_b) in &cases {
            let (within, contains) = (points_a.is_subset(points_b), points_b.is_subset(points_a));
            let expected = match (within, contains) {
                (true, true) => Relation::Equal,
                (true, false) => Relation::Subset,
                (false, true) => Relation::Superset,
                (false, false) => Relation::Different,
            };
            assert_eq!(a.relation(b), expected, "{a:?} {b:?}");
            assert_eq!(b.includes(a), within, "{a:?} {b:?}");
            assert_eq!(a == b, expected == Relation::Equal);

            let both = points_a.intersection(points_b);
            let mut meet = a.clone();
            assert_eq!(meet.intersect(b), !both.is_empty(), "{a:?} {b:?}");
            if !both.is_empty() {
                assert_eq!(PointSet::from_matrix(grid, &bridge::matrix(&meet)), both, "{a:?} {b:?}");
                assert!(bridge::matrix(&meet).is_closed());
            }
            if within || contains {
                continue;
            }
            let mut hull = a.clone();
            hull.hull(b);
            assert_same(&hull, &matrix_a.hull(matrix_b), "hull");
        }
    }
}

/// Membership of every point of the grid in every zone.
#[test]
fn membership_is_that_of_the_bounds() {
    let grid = Grid::telling(2, 2);
    let points: Vec<Vec<i64>> = grid.points().collect();
    for (zone, matrix) in all().into_iter().step_by(7) {
        for point in &points {
            let fractions: Vec<_> = point[1..]
                .iter()
                .filter_map(|&n| tourbillon_base::Rational::new(n, grid.steps_per_unit))
                .collect();
            let valuation = tourbillon_dbm::Valuation::new(&fractions).expect("small and not negative");
            assert_eq!(
                zone.contains(&valuation),
                matrix.contains(point, grid.steps_per_unit),
                "{zone:?} {valuation}"
            );
        }
        assert!(zone.contains(&zone.pick()), "{zone:?}");
    }
}
