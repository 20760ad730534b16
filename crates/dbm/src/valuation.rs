//! Clock valuations as rational numbers, and how to find one in a zone.
//!
//! A zone's bounds are whole numbers, so whether a point lies in it depends only on the whole parts of its
//! coordinates and on the order of their fractional parts. With `n` clocks there are at most `n` different
//! fractional parts above 0, and `1/(n+1), …, n/(n+1)` realise any order of them: every non-empty zone has a
//! point whose coordinates are multiples of `1/(n+1)`. In that unit every bound is a weak bound on integers
//! (`x-y < c` is `x-y ≤ c(n+1) - 1`), and the least solution of such a system is the longest path from the
//! reference to each clock. So values stay small and exact, however many clocks there are, where halving an
//! interval for each strict bound would double the denominator each time.

use std::fmt;

use tourbillon_base::{Id, Rational};

use crate::bound::{Bound, INFINITY};
use crate::clock::Clock;
use crate::dbm::Dbm;

/// The values of all clocks, as fractions over one denominator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Valuation {
    /// Indexed by clock; the reference has 0.
    numerators: Vec<i64>,
    denominator: i64,
}

impl Valuation {
    /// The point with these coordinates, one for each clock from 1 on; nothing if one is negative or they
    /// have no common denominator that fits.
    #[must_use]
    pub fn new(values: &[Rational]) -> Option<Self> {
        let mut denominator = 1i64;
        for value in values {
            let step = value.denominator() / gcd(denominator, value.denominator());
            denominator = denominator.checked_mul(step)?;
        }
        let scaled =
            values.iter().map(|value| value.numerator().checked_mul(denominator / value.denominator()));
        let numerators = std::iter::once(Some(0)).chain(scaled).collect::<Option<Vec<i64>>>()?;
        numerators.iter().all(|&n| n >= 0).then_some(Self { numerators, denominator })
    }

    /// The value of a clock.
    ///
    /// # Panics
    /// If there is no such clock.
    #[must_use]
    pub fn value(&self, clock: Clock) -> Rational {
        let numerator = self.numerators[clock.index()];
        Rational::new(numerator, self.denominator)
            .expect("a fraction of two numbers that fit, the lower positive")
    }

    /// The number of clocks, the reference not counted.
    #[must_use]
    pub fn clocks(&self) -> usize {
        self.numerators.len() - 1
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Valuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for index in 1..self.numerators.len() {
            let separator = if index == 1 { "" } else { ", " };
            write!(f, "{separator}{}", self.value(Clock::from_index(index)))?;
        }
        f.write_str(")")
    }
}

impl Dbm {
    /// Whether the point lies in the zone.
    ///
    /// # Panics
    /// If the point has another number of clocks.
    #[must_use]
    pub fn contains(&self, point: &Valuation) -> bool {
        assert_eq!(self.dimension().clocks(), point.clocks(), "a point and a zone of different dimensions");
        let size = self.dimension().size();
        (0..size).all(|i| {
            (0..size).all(|j| {
                let difference = i128::from(point.numerators[i]) - i128::from(point.numerators[j]);
                admits(Bound::from_raw(self.entry(i, j)), difference, point.denominator)
            })
        })
    }

    /// A point of the zone: the least one with the smallest denominator that will do, among the powers of two
    /// up to the number of clocks, and that number plus one. Whole numbers wherever possible.
    ///
    /// ```
    /// use tourbillon_dbm::{Dbm, Dimension, parse_constraints};
    ///
    /// let mut zone = Dbm::universal(Dimension::of_clocks(2)?);
    /// for constraint in parse_constraints("x>1, y-x>0, y<2", &["x", "y"]).unwrap() {
    ///     assert!(zone.constrain(constraint));
    /// }
    /// assert_eq!(zone.pick().to_string(), "(4/3, 5/3)");
    /// # Ok::<(), tourbillon_dbm::Error>(())
    /// ```
    #[must_use]
    pub fn pick(&self) -> Valuation {
        let finest = self.dimension().size() as i64;
        let powers = (0..).map(|exponent| 1i64 << exponent).take_while(|&power| power < finest);
        powers
            .chain([finest])
            .find_map(|denominator| self.least_point(denominator))
            .expect("a non-empty zone has a point with denominator clocks + 1")
    }

    /// The least point whose coordinates are multiples of `1/denominator`, if there is one.
    fn least_point(&self, denominator: i64) -> Option<Valuation> {
        let size = self.dimension().size();
        let lengths: Vec<(usize, usize, i64)> = finite_edges(self)
            .map(|(i, j, bound)| {
                let constant = i64::from(bound.constant().map_or(0, crate::Constant::get));
                (i, j, constant * denominator - i64::from(bound.is_strict()))
            })
            .collect();
        // Bellman–Ford: x_i - x_j <= length raises x_j to at least x_i - length.
        let mut numerators = vec![0i64; size];
        for _ in 0..size {
            let mut settled = true;
            for &(i, j, length) in &lengths {
                if numerators[i] - length > numerators[j] {
                    numerators[j] = numerators[i] - length;
                    settled = false;
                }
            }
            // The reference is 0: a cycle that raises it has no solution.
            if numerators[0] > 0 {
                return None;
            }
            if settled {
                return Some(Valuation { numerators, denominator });
            }
        }
        None
    }
}

fn finite_edges(zone: &Dbm) -> impl Iterator<Item = (usize, usize, Bound)> {
    let size = zone.dimension().size();
    let pairs = (0..size).flat_map(move |i| (0..size).map(move |j| (i, j)));
    pairs
        .filter(|&(i, j)| i != j && zone.entry(i, j) != INFINITY)
        .map(|(i, j)| (i, j, Bound::from_raw(zone.entry(i, j))))
}

/// Whether `difference / denominator` is within the bound.
fn admits(bound: Bound, difference: i128, denominator: i64) -> bool {
    bound.constant().is_none_or(|constant| {
        let limit = i128::from(constant.get()) * i128::from(denominator);
        if bound.is_strict() { difference < limit } else { difference <= limit }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dimension;

    fn point(values: &[(i64, i64)]) -> Option<Valuation> {
        let fractions: Option<Vec<Rational>> = values.iter().map(|&(n, d)| Rational::new(n, d)).collect();
        Valuation::new(&fractions?)
    }

    #[test]
    fn coordinates_share_a_denominator() {
        let valuation = point(&[(1, 2), (2, 3), (5, 1)]).unwrap();
        assert_eq!(valuation.to_string(), "(1/2, 2/3, 5)");
        assert_eq!(valuation.clocks(), 3);
        assert_eq!(point(&[(-1, 2)]), None);
        assert_eq!(point(&[(1, i64::MAX), (1, i64::MAX - 1)]), None);
        assert_eq!(point(&[]).unwrap().to_string(), "()");
    }

    #[test]
    fn large_values_are_compared_exactly() {
        let dimension = Dimension::of_clocks(1).unwrap();
        let zone = Dbm::universal(dimension);
        assert!(zone.contains(&point(&[(i64::MAX, 7)]).unwrap()));
        assert!(!Dbm::zero(dimension).contains(&point(&[(1, i64::MAX)]).unwrap()));
    }
}
