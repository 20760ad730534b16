//! Zones to test with: all of a small size, and random ones.
//!
//! Both kinds come as closed, non-empty [`Matrix`] values whose finite entries are in `[-max_constant,
//! max_constant]`, which is what [`Grid::telling`](crate::points::Grid::telling) wants to know of a zone.
//!
//! Uniformly random entries would almost always contradict each other, and those that do not look alike. A
//! random zone is therefore drawn around a random valuation that it must keep, and in one of several styles,
//! because the mistakes of a matrix library hide in equalities, in strictness and in missing bounds.

use tourbillon_base::Random;

use crate::naive::{Bound, Matrix};

/// Every non-empty zone of this many clocks whose closed matrix has constants in
/// `[-max_constant, max_constant]`, each once.
///
/// For constant 1 there are 10, 421 and 74755 zones of 1, 2 and 3 clocks; for constant 2, 21 of 1 and 2678 of
/// 2.
#[must_use]
pub fn all_closed(clocks: usize, max_constant: i64) -> Vec<Matrix> {
    if clocks == 0 {
        return vec![Matrix::universal(1)];
    }
    let smaller = all_closed(clocks - 1, max_constant);
    smaller.iter().flat_map(|zone| closed_extensions(zone, max_constant)).collect()
}

/// All closed matrices that one more clock makes of this one. A closed matrix is the only closed one of its
/// set, so trying each choice of new entries once gives each zone once. A part of a closed matrix is closed,
/// so a choice that fails on a part is not continued.
fn closed_extensions(zone: &Matrix, max_constant: i64) -> Vec<Matrix> {
    let new = zone.dim();
    let known = |i, j| if i < new && j < new { zone.entry(i, j) } else { Bound::weak(0) };
    let mut found = vec![Matrix::from_entries(new + 1, known)];
    for old in 0..new {
        found = with_each_bound(&found, old, new, max_constant);
        found = with_each_bound(&found, new, old, max_constant);
        let part: Vec<usize> = (0..=old).chain([new]).collect();
        found.retain(|matrix| matrix.select(&part).is_closed());
    }
    found
}

/// Each matrix with each bound there is on `x_i - x_j`. No clock is negative.
fn with_each_bound(matrices: &[Matrix], i: usize, j: usize, max_constant: i64) -> Vec<Matrix> {
    let mut bounds = all_bounds(max_constant);
    bounds.retain(|&bound| i > 0 || bound <= Bound::weak(0));
    matrices.iter().flat_map(|matrix| bounds.iter().map(|&bound| with_entry(matrix, i, j, bound))).collect()
}

fn with_entry(matrix: &Matrix, i: usize, j: usize, bound: Bound) -> Matrix {
    let mut changed = matrix.clone();
    changed.set(i, j, bound);
    changed
}

/// Every bound with a constant in `[-max_constant, max_constant]`, and infinity, from the tightest on.
#[must_use]
pub fn all_bounds(max_constant: i64) -> Vec<Bound> {
    let finite = (-max_constant..=max_constant).flat_map(|c| [Bound::strict(c), Bound::weak(c)]);
    finite.chain([Bound::Infinite]).collect()
}

/// Every choice of limits for this many clocks, each minus infinity or in `[0, max_constant]`, with the limit
/// 0 of the reference first.
#[must_use]
pub fn all_limits(clocks: usize, max_constant: i64) -> Vec<Vec<Option<i64>>> {
    let values: Vec<Option<i64>> = [None].into_iter().chain((0..=max_constant).map(Some)).collect();
    let append = |limits: &Vec<Option<i64>>, value| [limits.as_slice(), &[value]].concat();
    (0..clocks).fold(vec![vec![Some(0)]], |shorter, _| {
        shorter.iter().flat_map(|limits| values.iter().map(|&value| append(limits, value))).collect()
    })
}

/// How a random zone looks. Shares are in per cent.
struct ZoneStyle {
    /// How many differences, each way, get a bound.
    bounded: usize,
    /// How many bounds are strict, of those that need not be weak to keep the point.
    strict: usize,
    /// How many bounds leave the kept point no room.
    tight: usize,
    /// Whether the kept point has integer values, so that tight bounds make equalities.
    integral: bool,
    /// Whether time may pass at the end.
    unbounded: bool,
}

/// Sparse, dense, thin, unbounded and strict zones.
const STYLES: [ZoneStyle; 5] = [
    ZoneStyle { bounded: 20, strict: 30, tight: 20, integral: false, unbounded: false },
    ZoneStyle { bounded: 100, strict: 30, tight: 10, integral: false, unbounded: false },
    ZoneStyle { bounded: 60, strict: 10, tight: 90, integral: true, unbounded: false },
    ZoneStyle { bounded: 50, strict: 30, tight: 20, integral: false, unbounded: true },
    ZoneStyle { bounded: 60, strict: 100, tight: 20, integral: false, unbounded: false },
];

/// A random non-empty zone of this many clocks whose closed matrix has constants in
/// `[-max_constant, max_constant]`, in one of several styles: sparse, dense, thin, unbounded or strict.
///
/// The kept point may lie above the maximum by less than 1, or no bound `x > max_constant` would be found. So
/// no entry is below `-max_constant`, but tightening those that are above `max_constant` may lose the point,
/// and all the others with it. Such draws, a small minority, are repeated.
#[must_use]
pub fn random_matrix(random: &mut Random, clocks: usize, max_constant: i64) -> Matrix {
    loop {
        let style = &STYLES[random.below(STYLES.len())];
        let zone = with_constants_up_to(max_constant, draw_zone(random, style, clocks, max_constant));
        if !zone.is_empty() {
            return zone;
        }
    }
}

/// A random closed zone around a random point, with any constants.
fn draw_zone(random: &mut Random, style: &ZoneStyle, clocks: usize, max_constant: i64) -> Matrix {
    let denominator = if style.integral { 1 } else { clocks as i64 + 1 };
    let greatest = (max_constant + 1) * denominator - 1;
    let kept: Vec<i64> = (0..=clocks).map(|x| if x == 0 { 0 } else { draw(random, 0, greatest) }).collect();
    let mut zone = Matrix::universal(clocks + 1);
    for (i, j) in pairs(clocks + 1) {
        if i != j && percent(random, style.bounded) {
            let bound = bound_above(random, style, kept[i] - kept[j], denominator, max_constant);
            zone.set(i, j, bound.min(zone.entry(i, j)));
        }
    }
    if style.unbounded { zone.up() } else { zone.close() }
}

/// A random bound with a constant up to the maximum that the difference `numerator / denominator` obeys.
fn bound_above(
    random: &mut Random,
    style: &ZoneStyle,
    numerator: i64,
    denominator: i64,
    max_constant: i64,
) -> Bound {
    let least = -(-numerator).div_euclid(denominator);
    if least > max_constant {
        return Bound::Infinite;
    }
    let constant = if percent(random, style.tight) { least } else { draw(random, least, max_constant) };
    let strict = Bound::strict(constant);
    let wants_strict = percent(random, style.strict);
    if wants_strict && strict.admits(numerator, denominator) { strict } else { Bound::weak(constant) }
}

/// Closing may have added up constants above the maximum; such entries are tightened to the maximum. Once
/// round is enough: no entry grows, and an infinite one stays infinite, because the entries that get tighter
/// were finite before.
fn with_constants_up_to(max_constant: i64, closed: Matrix) -> Matrix {
    let is_above = |bound| matches!(bound, Bound::Finite { constant, .. } if constant > max_constant);
    pairs(closed.dim()).fold(closed, |zone, (i, j)| {
        if is_above(zone.entry(i, j)) { zone.constrain(i, j, Bound::weak(max_constant)) } else { zone }
    })
}

fn pairs(dim: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..dim).flat_map(move |i| (0..dim).map(move |j| (i, j)))
}

/// Random limits for an abstraction: 0 for the reference, and for each clock minus infinity or a number in
/// `[0, max_constant]`.
#[must_use]
pub fn random_limits(random: &mut Random, clocks: usize, max_constant: i64) -> Vec<Option<i64>> {
    let mut limits = vec![Some(0)];
    for _ in 0..clocks {
        let constant = draw(random, 0, max_constant);
        limits.push((!random.one_in(4)).then_some(constant));
    }
    limits
}

/// A random number from `first` to `last`, both included.
fn draw(random: &mut Random, first: i64, last: i64) -> i64 {
    let numbers = usize::try_from(last - first + 1).expect("a range is not empty");
    first + random.below(numbers) as i64
}

fn percent(random: &mut Random, share: usize) -> bool {
    random.below(100) < share
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::points::{Grid, PointSet};

    fn has_constants_within(max_constant: i64, zone: &Matrix) -> bool {
        pairs(zone.dim()).all(|(i, j)| match zone.entry(i, j) {
            Bound::Finite { constant, .. } => constant.abs() <= max_constant,
            Bound::Infinite => true,
        })
    }

    #[test]
    fn the_zones_of_one_clock_are_the_intervals() {
        let shown: HashSet<String> = all_closed(1, 1).iter().map(Matrix::to_string).collect();
        let intervals = [
            "x1>=0, x1<=0",
            "x1>=0, x1<1",
            "x1>=0, x1<=1",
            "x1>=0",
            "x1>0, x1<1",
            "x1>0, x1<=1",
            "x1>0",
            "x1>=1, x1<=1",
            "x1>=1",
            "x1>1",
        ];
        assert_eq!(shown, intervals.map(str::to_owned).into());
    }

    /// An interval with constants up to k: a lower end, of k + 1 numbers two each; then a greater number as
    /// upper end, open or closed, or none, or the same number if both are closed.
    #[test]
    fn the_zones_of_one_clock_are_counted() {
        for k in 0..=12 {
            let count: i64 = (0..=k).map(|low| 2 * (2 * (k - low) + 1) + 1).sum();
            assert_eq!(all_closed(1, k).len() as i64, count);
        }
    }

    /// The same zones by closing every matrix there is and dropping the repetitions.
    #[test]
    fn the_zones_of_two_clocks_are_those_of_all_matrices() {
        let bounds = all_bounds(1);
        let mut raw = vec![Matrix::universal(3)];
        for (i, j) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let tightened = |matrix: &Matrix, bound: Bound| {
                let tightest = bound.min(matrix.entry(i, j));
                with_entry(matrix, i, j, tightest)
            };
            raw = raw.iter().flat_map(|matrix| bounds.iter().map(|&b| tightened(matrix, b))).collect();
        }
        let closed: HashSet<Matrix> = raw.iter().map(Matrix::close).collect();
        let expected: HashSet<Matrix> =
            closed.into_iter().filter(|zone| !zone.is_empty() && has_constants_within(1, zone)).collect();
        let found = all_closed(2, 1);
        assert_eq!(found.len(), expected.len());
        assert_eq!(HashSet::from_iter(found), expected);
    }

    /// Different zones are different sets, and the grid for their constants sees the difference.
    #[test]
    fn the_grid_tells_all_zones_apart() {
        for (clocks, k) in [(1, 5), (2, 1), (2, 2)] {
            let zones = all_closed(clocks, k);
            let grid = Grid::telling(clocks, k);
            let sets: HashSet<PointSet> =
                zones.iter().map(|zone| PointSet::from_matrix(grid, zone)).collect();
            assert_eq!(sets.len(), zones.len());
            assert!(!sets.contains(&PointSet::empty(grid)));
        }
    }

    #[test]
    fn random_zones_are_closed_and_within_their_constants() {
        let mut random = Random::from_seed(1);
        for case in 0..2000 {
            let (clocks, k) = (random.below(6), 1 + random.below(9) as i64);
            let zone = random_matrix(&mut random, clocks, k);
            assert!(zone.is_closed() && zone.close() == zone, "case {case}: {zone}");
            assert!(has_constants_within(k, &zone), "case {case}: {zone}");
            assert!(Matrix::universal(clocks + 1).includes(&zone), "case {case}: {zone}");
        }
    }

    /// Of the 421 zones few are hard to draw, and none of the styles has lost its character.
    #[test]
    fn random_zones_come_in_all_styles() {
        let mut random = Random::from_seed(2);
        let drawn: HashSet<Matrix> = (0..30_000).map(|_| random_matrix(&mut random, 2, 1)).collect();
        assert!(drawn.len() > 400);

        let large: Vec<Matrix> = (0..1000).map(|_| random_matrix(&mut random, 4, 9)).collect();
        let share = |test: &dyn Fn(&Matrix) -> bool| large.iter().filter(|zone| test(zone)).count() / 10;
        let some = |zone: &Matrix, test: &dyn Fn(usize, usize) -> bool| {
            (0..zone.dim()).any(|i| (0..zone.dim()).any(|j| i != j && test(i, j)))
        };
        let equality =
            |zone: &Matrix| some(zone, &|i, j| zone.entry(i, j).sum(zone.entry(j, i)) == Bound::weak(0));
        let unbounded = |zone: &Matrix| (1..zone.dim()).all(|i| zone.entry(i, 0) == Bound::Infinite);
        let bounded = |zone: &Matrix| (1..zone.dim()).all(|i| zone.entry(i, 0) != Bound::Infinite);
        assert!(share(&equality) > 10);
        assert!(share(&unbounded) > 10);
        assert!(share(&bounded) > 20);
    }

    #[test]
    fn limits_start_with_the_reference() {
        let all = all_limits(2, 1);
        assert_eq!(all.len(), 9);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 9);
        let mut random = Random::from_seed(3);
        for _ in 0..200 {
            assert!(all.contains(&random_limits(&mut random, 2, 1)));
        }
    }
}
