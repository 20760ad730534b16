//! A solution of linear constraints over variables that are at least 0, strict constraints included.
//!
//! The dictionary form of the simplex method without an objective: each constraint has a slack, and the dictionary
//! expresses the basic variables by the others, which are 0. While some basic variable is negative, the one with the
//! least number leaves and the first variable that can make it larger enters. By always taking the least number no
//! dictionary comes twice `[Bland1977]`. If nothing can enter, the row itself shows that there is no solution.
//!
//! A strict constraint `e > 0` is `e - δ ≥ 0`, with `δ` positive and smaller than everything else: constants are pairs,
//! compared in order `[DutertreDeMoura2006]`. In the end `δ` is given a value that all slacks allow.
//!
//! All entries are integers over one common denominator, the last pivot, by which the next step divides without
//! remainder `[Edmonds1967]`: no fraction is ever reduced, and entries are determinants of the constraints, which stay
//! small for constraints on clocks.
//!
//! Cost: rows times columns for each pivot. A floating-point solver would be faster on large systems and would have to be
//! checked; these are small.

use super::{Fits, TooLarge};

/// A linear constraint: the sum is at least 0, or greater.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Row {
    /// The coefficient of each variable.
    pub(super) coefficients: Vec<i64>,
    /// What is added to the sum.
    pub(super) constant: i64,
    /// Whether the sum must not be 0.
    pub(super) strict: bool,
}

/// A value for each variable: numerators over one positive denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) numerators: Vec<i128>,
    pub(super) denominator: i128,
}

/// A solution, if there is one: in integers of 64 bits first, which nearly always do.
pub(super) fn solve<'a, I>(variables: usize, rows: I) -> Fits<Option<Point>>
where
    I: IntoIterator<Item = &'a Row> + Clone,
{
    match Dictionary::<i64>::new(variables, rows.clone()).solve() {
        Err(TooLarge) => Dictionary::<i128>::new(variables, rows).solve(),
        solved => solved,
    }
}

/// The integers of a dictionary.
trait Number: Copy + Ord + From<i64> + Into<i128> {
    /// `(a b - c d) / e`, which leaves no remainder; nothing if it does not fit.
    fn eliminated(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self>;

    /// The number with the other sign, if it fits.
    fn opposite(self) -> Option<Self>;
}

impl Number for i64 {
    #[inline]
    fn eliminated(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self> {
        let difference = i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d);
        match Self::try_from(difference) {
            Ok(difference) => Some(if e == 1 { difference } else { difference / e }),
            Err(_) => Self::try_from(difference / i128::from(e)).ok(),
        }
    }

    fn opposite(self) -> Option<Self> {
        self.checked_neg()
    }
}

impl Number for i128 {
    fn eliminated(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self> {
        Some(a.checked_mul(b)?.checked_sub(c.checked_mul(d)?)? / e)
    }

    fn opposite(self) -> Option<Self> {
        self.checked_neg()
    }
}

/// Basic variables expressed by the others.
struct Dictionary<T> {
    variables: usize,
    /// For each basic variable the coefficients of the others, then the constant, then that of `δ`: row by row.
    entries: Vec<T>,
    /// What all entries are to be divided by; positive.
    denominator: T,
    /// The numbers of the basic variables, row by row; those of slacks come after all others.
    basic: Vec<usize>,
    /// The numbers of the others, column by column.
    other: Vec<usize>,
}

impl<T: Number> Dictionary<T> {
    fn new<'a>(variables: usize, rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let (mut entries, mut count) = (Vec::new(), 0);
        for row in rows {
            entries.extend(row.coefficients.iter().map(|&coefficient| T::from(coefficient)));
            entries.extend([T::from(row.constant), T::from(-i64::from(row.strict))]);
            count += 1;
        }
        let basic = (variables..variables + count).collect();
        Self { variables, entries, denominator: T::from(1), basic, other: (0..variables).collect() }
    }

    fn solve(mut self) -> Fits<Option<Point>> {
        while let Some(row) = self.leaving() {
            let Some(column) = self.entering(row) else { return Ok(None) };
            self.pivot(row, column).ok_or(TooLarge)?;
        }
        self.point().map(Some)
    }

    fn width(&self) -> usize {
        self.variables + 2
    }

    fn row(&self, row: usize) -> &[T] {
        &self.entries[row * self.width()..(row + 1) * self.width()]
    }

    /// The row of the negative basic variable with the least number.
    fn leaving(&self) -> Option<usize> {
        let zero = T::from(0);
        let negative = |&row: &usize| {
            let entries = self.row(row);
            (entries[self.variables], entries[self.variables + 1]) < (zero, zero)
        };
        (0..self.basic.len()).filter(negative).min_by_key(|&row| self.basic[row])
    }

    /// The column of the variable with the least number that makes this row larger.
    fn entering(&self, row: usize) -> Option<usize> {
        let entries = self.row(row);
        let columns = (0..self.variables).filter(|&column| entries[column] > T::from(0));
        columns.min_by_key(|&column| self.other[column])
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let (width, denominator) = (self.width(), self.denominator);
        let mut leaving = self.row(row).to_vec();
        let pivot = leaving[column];
        for (index, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[column];
            if index == row || factor == T::from(0) && pivot == denominator {
                continue;
            }
            for (entry, &above) in entries.iter_mut().zip(&leaving) {
                *entry = T::eliminated(*entry, pivot, factor, above, denominator)?;
            }
            entries[column] = factor;
        }
        for entry in &mut leaving {
            *entry = entry.opposite()?;
        }
        leaving[column] = denominator;
        self.entries[row * width..(row + 1) * width].copy_from_slice(&leaving);
        self.denominator = pivot;
        std::mem::swap(&mut self.basic[row], &mut self.other[column]);
        Some(())
    }

    /// The values of the variables when `δ` is one over a number that all basic variables allow.
    fn point(&self) -> Fits<Point> {
        let constants = |row: usize| -> (i128, i128) {
            let entries = self.row(row);
            (entries[self.variables].into(), entries[self.variables + 1].into())
        };
        let needed = (0..self.basic.len())
            .map(constants)
            .map(|(constant, delta)| if delta < 0 { (constant - delta - 1) / constant } else { 1 });
        let parts = needed.max().unwrap_or(1);
        let mut numerators = vec![0; self.variables];
        for (row, &number) in self.basic.iter().enumerate().filter(|(_, number)| **number < self.variables) {
            let (constant, delta) = constants(row);
            let scaled = constant.checked_mul(parts).and_then(|scaled| scaled.checked_add(delta));
            numerators[number] = scaled.ok_or(TooLarge)?;
        }
        let denominator = self.denominator.into().checked_mul(parts).ok_or(TooLarge)?;
        Ok(Point { numerators, denominator }.reduced())
    }
}

impl Point {
    pub(super) fn reduced(mut self) -> Self {
        let divisor = self.numerators.iter().fold(self.denominator, |a, &b| gcd(a, b));
        self.numerators.iter_mut().for_each(|numerator| *numerator /= divisor);
        self.denominator /= divisor;
        self
    }

    /// Whether the point satisfies a constraint.
    pub(super) fn satisfies(&self, row: &Row) -> Fits<bool> {
        let constant = i128::from(row.constant).checked_mul(self.denominator);
        let terms = self.numerators.iter().zip(&row.coefficients);
        let sum = terms.fold(constant, |sum, (&value, &coefficient)| {
            sum?.checked_add(value.checked_mul(coefficient.into())?)
        });
        sum.map(|sum| sum > 0 || sum == 0 && !row.strict).ok_or(TooLarge)
    }
}

/// The greatest common divisor of two numbers, positive unless both are 0.
pub(super) fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    fn row(coefficients: &[i64], constant: i64, strict: bool) -> Row {
        Row { coefficients: coefficients.to_vec(), constant, strict }
    }

    #[test]
    fn strict_constraints_have_solutions_inside_only() {
        // 0 < x < y < 1
        let inside = [row(&[1, 0], 0, true), row(&[-1, 1], 0, true), row(&[0, -1], 1, true)];
        let point = solve(2, &inside).unwrap().unwrap();
        assert!(inside.iter().all(|row| point.satisfies(row).unwrap()), "{point:?}");
        // 0 < x < y <= 0
        let none = [row(&[1, 0], 0, true), row(&[-1, 1], 0, true), row(&[0, -1], 0, false)];
        assert_eq!(solve(2, &none), Ok(None));
        // x + y == 3, x - y == 0
        let half = [
            row(&[1, 1], -3, false),
            row(&[-1, -1], 3, false),
            row(&[1, -1], 0, false),
            row(&[-1, 1], 0, false),
        ];
        assert_eq!(solve(2, &half), Ok(Some(Point { numerators: vec![3, 3], denominator: 2 })));
    }

    /// What Fourier and Motzkin's elimination says: whether there is a solution.
    fn is_solvable(variables: usize, rows: &[Row]) -> bool {
        let mut rows = rows.to_vec();
        for variable in 0..variables {
            rows.push(row(&(0..variables).map(|v| i64::from(v == variable)).collect::<Vec<_>>(), 0, false));
        }
        for variable in 0..variables {
            let (some, mut rest): (Vec<Row>, Vec<Row>) =
                rows.into_iter().partition(|row| row.coefficients[variable] != 0);
            let (lower, upper): (Vec<Row>, Vec<Row>) =
                some.into_iter().partition(|row| row.coefficients[variable] > 0);
            for low in &lower {
                for up in &upper {
                    let (a, b) = (-up.coefficients[variable], low.coefficients[variable]);
                    let coefficients: Vec<i64> =
                        low.coefficients.iter().zip(&up.coefficients).map(|(l, u)| a * l + b * u).collect();
                    rest.push(row(
                        &coefficients,
                        a * low.constant + b * up.constant,
                        low.strict || up.strict,
                    ));
                }
            }
            rest.sort_by(|a, b| (&a.coefficients, a.constant).cmp(&(&b.coefficients, b.constant)));
            rest.dedup();
            rows = rest;
        }
        rows.iter().all(|row| row.constant > 0 || row.constant == 0 && !row.strict)
    }

    #[test]
    fn random_systems_have_a_solution_where_elimination_says_so() {
        let mut found = [0; 2];
        for seed in 0..4000 {
            let mut random = Random::from_seed(seed);
            let variables = 1 + random.below(3);
            let rows: Vec<Row> = (0..1 + random.below(6))
                .map(|_| {
                    let coefficients: Vec<i64> =
                        (0..variables).map(|_| i64::from(random.within(-2..=2))).collect();
                    row(&coefficients, random.within(-3..=3).into(), random.one_in(2))
                })
                .collect();
            let solution = solve(variables, &rows).unwrap();
            assert_eq!(solution.is_some(), is_solvable(variables, &rows), "seed {seed}: {rows:?}");
            found[usize::from(solution.is_some())] += 1;
            if let Some(point) = solution {
                assert!(point.denominator > 0 && point.numerators.iter().all(|&value| value >= 0));
                assert!(rows.iter().all(|row| point.satisfies(row).unwrap()), "seed {seed}: {point:?}");
            }
        }
        assert!(found.iter().all(|&count| count > 500), "{found:?}");
    }

    #[test]
    fn numbers_that_do_not_fit_are_errors() {
        let large = i64::MAX;
        let rows: Vec<Row> = (0..4)
            .map(|index: i64| {
                let coefficients: Vec<i64> =
                    (0..4i64).map(|c| large - 7 * index * c - c * c * index - c).collect();
                row(&coefficients, -large + index, index % 2 == 0)
            })
            .chain([row(&[-large + 3, -large + 5, -large, 1 - large], large, true)])
            .collect();
        // Whatever comes of it, nothing is rounded and nothing wraps.
        if let Ok(Some(point)) = solve(4, &rows) {
            assert!(rows.iter().all(|row| point.satisfies(row) != Ok(false)));
        }
    }
}
