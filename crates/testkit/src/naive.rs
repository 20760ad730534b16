//! A deliberately plain implementation of difference bound matrices, to test the real one against.
//!
//! Every operation is written from its definition as a set of valuations, with the one algorithm that is
//! needed to make matrices comparable: closing, by the three textbook loops of Floyd and Warshall. Where a
//! set is defined by "there is a delay" or "there is an old value", the matrix gets one more index for that
//! unknown, is closed, and loses the index again; the in-place identities that a fast library lives on
//! (which entries an operation may leave alone, which pivots a closing may skip) appear nowhere, so a mistake
//! in one of them cannot be repeated here.
//!
//! Entry `[i][j]` bounds `x_i - x_j`, and `x_0` is the constant 0; a matrix of `n` clocks has dimension
//! `n + 1`. A matrix may be empty, and one written entry by entry may be open, that is, not closed.
//!
//! Invariant: what an operation returns is closed, and all empty results of one dimension are the same
//! matrix. Closed matrices are therefore equal as values iff they are equal as sets.
//!
//! The extrapolations transcribe `[BehrmannBouyerLarsenPelanek2004]`.

use std::cmp::Ordering;
use std::fmt;

/// What bounds a difference of two clocks from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The difference is less than the constant, or, if not strict, at most the constant.
    Finite {
        /// The number that is not passed.
        constant: i64,
        /// Whether it is not reached either.
        strict: bool,
    },
    /// The difference is not bounded.
    Infinite,
}

impl Bound {
    /// At most `constant`.
    #[must_use]
    pub fn weak(constant: i64) -> Self {
        Self::Finite { constant, strict: false }
    }

    /// Less than `constant`.
    #[must_use]
    pub fn strict(constant: i64) -> Self {
        Self::Finite { constant, strict: true }
    }

    /// The bound that `x - z` has if `x - y` has this one and `y - z` the other one.
    #[must_use]
    pub fn sum(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite { constant, strict }, Self::Finite { constant: constant2, strict: strict2 }) => {
                Self::Finite { constant: constant + constant2, strict: strict || strict2 }
            }
            _ => Self::Infinite,
        }
    }

    /// The bound on `y - x` that says exactly that `x - y` breaks this one; nothing if it cannot be broken.
    #[must_use]
    pub fn negation(self) -> Option<Self> {
        match self {
            Self::Finite { constant, strict } => Some(Self::Finite { constant: -constant, strict: !strict }),
            Self::Infinite => None,
        }
    }

    /// Whether the difference `numerator / denominator` obeys this bound.
    #[must_use]
    pub fn admits(self, numerator: i64, denominator: i64) -> bool {
        match self {
            Self::Finite { constant, strict: true } => numerator < constant * denominator,
            Self::Finite { constant, strict: false } => numerator <= constant * denominator,
            Self::Infinite => true,
        }
    }
}

/// Tighter bounds are smaller: `(<, c)`, then `(<=, c)`, then `(<, c + 1)`, and infinity last.
impl Ord for Bound {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Infinite, Self::Infinite) => Ordering::Equal,
            (Self::Infinite, Self::Finite { .. }) => Ordering::Greater,
            (Self::Finite { .. }, Self::Infinite) => Ordering::Less,
            (Self::Finite { constant, strict }, Self::Finite { constant: constant2, strict: strict2 }) => {
                constant.cmp(constant2).then(strict.cmp(strict2).reverse())
            }
        }
    }
}

impl PartialOrd for Bound {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A conjunction of bounds on differences of clocks; see the module for what its entries mean.
///
/// ```
/// use tourbillon_testkit::naive::{Bound, Matrix};
///
/// let later = Matrix::zero(3).up().constrain(1, 0, Bound::weak(2));
/// assert!(later.contains(&[0, 3, 3], 2));
/// assert!(!later.contains(&[0, 3, 4], 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    dim: usize,
    rows: Vec<Vec<Bound>>,
}

/// Making and reading matrices.
impl Matrix {
    /// The matrix with these entries, as they are: perhaps open, perhaps empty.
    #[must_use]
    pub fn from_entries(dim: usize, entry: impl Fn(usize, usize) -> Bound) -> Self {
        assert!(dim > 0, "the reference is always there");
        let rows = (0..dim).map(|i| (0..dim).map(|j| entry(i, j)).collect()).collect();
        Self { dim, rows }
    }

    /// The valuations of clocks, none of them negative, that obey all the given bounds: `(i, j, bound)`
    /// bounds `x_i - x_j`.
    #[must_use]
    pub fn from_constraints(dim: usize, constraints: &[(usize, usize, Bound)]) -> Self {
        let universal = Self::universal(dim);
        constraints.iter().fold(universal, |matrix, &(i, j, bound)| matrix.constrain(i, j, bound))
    }

    /// All valuations at all: even negative values are allowed, which no zone of clocks has.
    #[must_use]
    pub fn unconstrained(dim: usize) -> Self {
        Self::from_entries(dim, |i, j| if i == j { Bound::weak(0) } else { Bound::Infinite })
    }

    /// All valuations of clocks: no value is negative.
    #[must_use]
    pub fn universal(dim: usize) -> Self {
        (1..dim).fold(Self::unconstrained(dim), |matrix, x| matrix.constrain(0, x, Bound::weak(0)))
    }

    /// The one valuation in which every clock is 0.
    #[must_use]
    pub fn zero(dim: usize) -> Self {
        Self::from_entries(dim, |_, _| Bound::weak(0)).close()
    }

    /// No valuation: the one closed matrix that stands for the empty set.
    #[must_use]
    pub fn empty(dim: usize) -> Self {
        Self::from_entries(dim, |_, _| Bound::strict(0))
    }

    /// The number of clocks and the reference.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The bound on `x_i - x_j` as it is written.
    #[must_use]
    pub fn entry(&self, i: usize, j: usize) -> Bound {
        self.rows[i][j]
    }

    /// Writes the bound on `x_i - x_j` over the old one, and closes nothing.
    pub fn set(&mut self, i: usize, j: usize, bound: Bound) {
        self.rows[i][j] = bound;
    }

    /// The matrix of some of the indices, in the order given. Of a closed matrix this forgets the values of
    /// the other clocks and nothing else. The reference, if it is to stay the reference, is given first.
    #[must_use]
    pub fn select(&self, indices: &[usize]) -> Self {
        Self::from_entries(indices.len(), |i, j| self.entry(indices[i], indices[j]))
    }

    /// The closed matrix with one more index, the last, whose value is any number, even a negative one.
    fn with_unknown(&self) -> Self {
        let known = |i: usize| i < self.dim;
        Self::from_entries(self.dim + 1, |i, j| match (known(i), known(j)) {
            (true, true) => self.entry(i, j),
            (false, false) => Bound::weak(0),
            _ => Bound::Infinite,
        })
        .close()
    }
}

/// Closing, and the queries it answers.
impl Matrix {
    /// The same set with every entry as tight as the others imply, by Floyd and Warshall's three loops.
    #[must_use]
    pub fn close(&self) -> Self {
        let mut tight = self.clone();
        for i in 0..self.dim {
            tight.set(i, i, self.entry(i, i).min(Bound::weak(0)));
        }
        for k in 0..self.dim {
            for i in 0..self.dim {
                for j in 0..self.dim {
                    let through_k = tight.entry(i, k).sum(tight.entry(k, j));
                    tight.set(i, j, tight.entry(i, j).min(through_k));
                }
            }
        }
        let contradicts_itself = (0..self.dim).any(|i| tight.entry(i, i) < Bound::weak(0));
        if contradicts_itself { Self::empty(self.dim) } else { tight }
    }

    /// Whether this is the closed matrix of a non-empty set: a difference of a clock with itself is 0, and no
    /// entry is looser than a detour.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let all = || 0..self.dim;
        let no_shorter_way = |i, j| all().all(|k| self.entry(i, j) <= self.entry(i, k).sum(self.entry(k, j)));
        all().all(|i| self.entry(i, i) == Bound::weak(0))
            && all().all(|i| all().all(|j| no_shorter_way(i, j)))
    }

    /// Whether no valuation obeys all the bounds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let closed = self.close();
        (0..self.dim).any(|i| closed.entry(i, i) < Bound::weak(0))
    }

    /// Whether this set has every valuation of the other: the other has none that breaks one of the bounds.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        assert_eq!(self.dim, other.dim, "sets over the same clocks");
        let breaks_none = |i, j| {
            self.entry(i, j).negation().is_none_or(|negation| other.constrain(j, i, negation).is_empty())
        };
        (0..self.dim).all(|i| (0..self.dim).all(|j| breaks_none(i, j)))
    }

    /// Whether both are the same set.
    #[must_use]
    pub fn equals(&self, other: &Self) -> bool {
        self.includes(other) && other.includes(self)
    }

    /// Whether the valuation with values `point[i] / denominator` obeys every bound. Index 0 is the reference
    /// and must be 0.
    #[must_use]
    pub fn contains(&self, point: &[i64], denominator: i64) -> bool {
        assert_eq!(point.len(), self.dim, "one value for the reference and each clock");
        assert!(point[0] == 0 && denominator > 0, "the reference is 0");
        let obeys = |i: usize, j: usize| self.entry(i, j).admits(point[i] - point[j], denominator);
        (0..self.dim).all(|i| (0..self.dim).all(|j| obeys(i, j)))
    }
}

/// The operations of a timed automaton's semantics. Each returns a closed matrix.
impl Matrix {
    /// The valuations with `x_i - x_j` bounded by `bound` as well.
    #[must_use]
    pub fn constrain(&self, i: usize, j: usize, bound: Bound) -> Self {
        let mut tighter = self.clone();
        tighter.set(i, j, self.entry(i, j).min(bound));
        tighter.close()
    }

    /// The valuations of both.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        assert_eq!(self.dim, other.dim, "sets over the same clocks");
        Self::from_entries(self.dim, |i, j| self.entry(i, j).min(other.entry(i, j))).close()
    }

    /// The future: `{ v + d | v in the set, d >= 0 }`.
    ///
    /// Letting time pass is measuring from an earlier origin: the unknown is that origin, it lies at or
    /// before the old one, and it becomes the reference.
    #[must_use]
    pub fn up(&self) -> Self {
        let origin = self.dim;
        self.with_unknown().constrain(origin, 0, Bound::weak(0)).select(&self.with_reference(origin))
    }

    /// The past: `{ v >= 0 | v + d in the set for some d >= 0 }`.
    ///
    /// As [`Matrix::up`], but the new origin lies at or after the old one, and no clock lies before it.
    #[must_use]
    pub fn down(&self) -> Self {
        let origin = self.dim;
        let later = self.with_unknown().constrain(0, origin, Bound::weak(0));
        let not_negative = (1..self.dim).fold(later, |matrix, x| matrix.constrain(origin, x, Bound::weak(0)));
        not_negative.select(&self.with_reference(origin))
    }

    /// All indices, with another one in place of the reference.
    fn with_reference(&self, reference: usize) -> Vec<usize> {
        std::iter::once(reference).chain(1..self.dim).collect()
    }

    /// The valuations that differ from one of the set at most in clock `x`: nothing is known of `x` any more.
    #[must_use]
    pub fn free(&self, x: usize) -> Self {
        assert!(x > 0, "the reference stays 0");
        let closed = self.close();
        let without_x = Self::from_entries(self.dim, |i, j| {
            if (i == x) == (j == x) { closed.entry(i, j) } else { Bound::Infinite }
        });
        without_x.constrain(0, x, Bound::weak(0))
    }

    /// The valuations of the set after `x := c`; none if `c` is negative.
    #[must_use]
    pub fn reset(&self, x: usize, c: i64) -> Self {
        self.free(x).constrain(x, 0, Bound::weak(c)).constrain(0, x, Bound::weak(-c))
    }

    /// The valuations of the set after `x := y + c`, without those that would have made `x` negative.
    /// `y` may be `x`, and may be the reference.
    ///
    /// The unknown is the new value. It is fixed while the old one is still there, then takes its place.
    #[must_use]
    pub fn assign(&self, x: usize, y: usize, c: i64) -> Self {
        assert!(x > 0 && y < self.dim, "the reference stays 0, and the source exists");
        let new = self.dim;
        let fixed = self.with_unknown().constrain(new, y, Bound::weak(c)).constrain(y, new, Bound::weak(-c));
        let new_for_old: Vec<usize> = (0..self.dim).map(|i| if i == x { new } else { i }).collect();
        fixed.select(&new_for_old).constrain(0, x, Bound::weak(0))
    }

    /// The smallest set of this kind that includes both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        assert_eq!(self.dim, other.dim, "sets over the same clocks");
        let (one, two) = (self.close(), other.close());
        if one.is_empty() {
            return two;
        }
        if two.is_empty() {
            return one;
        }
        Self::from_entries(self.dim, |i, j| one.entry(i, j).max(two.entry(i, j))).close()
    }
}

/// The greatest constants an abstraction respects, for the reference (always 0) and each clock; `None` is
/// minus infinity.
pub type Limits<'a> = &'a [Option<i64>];

/// The extrapolations. Each takes the limits of the reference, which are 0, at index 0; `None` is minus
/// infinity. `c_ij` is the constant of entry `[i][j]` of the closed matrix before any change.
impl Matrix {
    /// Extra_M, with the greatest constant `m` of each clock:
    ///
    /// - infinity, if `c_ij > M_i`;
    /// - `(<, -M_j)`, if `-c_ij > M_j`;
    /// - unchanged otherwise.
    #[must_use]
    pub fn extra_m(&self, m: Limits<'_>) -> Self {
        self.rewrite(&[m], |old, i, j| {
            if exceeds(old.entry(i, j), m[i]) {
                Bound::Infinite
            } else if minus_exceeds(old.entry(i, j), m[j]) {
                strictly_above(m[j])
            } else {
                old.entry(i, j)
            }
        })
    }

    /// Extra_M+, with the greatest constant `m` of each clock:
    ///
    /// - infinity, if `c_ij > M_i`, or `-c_0i > M_i`, or `-c_0j > M_j` and `i` is not 0;
    /// - `(<, -M_j)`, if `-c_0j > M_j` and `i` is 0;
    /// - unchanged otherwise.
    #[must_use]
    pub fn extra_m_plus(&self, m: Limits<'_>) -> Self {
        self.rewrite(&[m], |old, i, j| {
            let row = exceeds(old.entry(i, j), m[i]) || minus_exceeds(old.entry(0, i), m[i]);
            let column = minus_exceeds(old.entry(0, j), m[j]);
            match i {
                _ if row => Bound::Infinite,
                0 if column => strictly_above(m[j]),
                _ if column => Bound::Infinite,
                _ => old.entry(i, j),
            }
        })
    }

    /// Extra_LU, with the greatest constant of each clock's lower and of its upper bounds:
    ///
    /// - infinity, if `c_ij > L_i`;
    /// - `(<, -U_j)`, if `-c_ij > U_j`;
    /// - unchanged otherwise.
    #[must_use]
    pub fn extra_lu(&self, lower: Limits<'_>, upper: Limits<'_>) -> Self {
        self.rewrite(&[lower, upper], |old, i, j| {
            if exceeds(old.entry(i, j), lower[i]) {
                Bound::Infinite
            } else if minus_exceeds(old.entry(i, j), upper[j]) {
                strictly_above(upper[j])
            } else {
                old.entry(i, j)
            }
        })
    }

    /// Extra_LU+, with the greatest constant of each clock's lower and of its upper bounds:
    ///
    /// - infinity, if `c_ij > L_i`, or `-c_0i > L_i`, or `-c_0j > U_j` and `i` is not 0;
    /// - `(<, -U_j)`, if `-c_0j > U_j` and `i` is 0;
    /// - unchanged otherwise.
    #[must_use]
    pub fn extra_lu_plus(&self, lower: Limits<'_>, upper: Limits<'_>) -> Self {
        self.rewrite(&[lower, upper], |old, i, j| {
            let row = exceeds(old.entry(i, j), lower[i]) || minus_exceeds(old.entry(0, i), lower[i]);
            let column = minus_exceeds(old.entry(0, j), upper[j]);
            match i {
                _ if row => Bound::Infinite,
                0 if column => strictly_above(upper[j]),
                _ if column => Bound::Infinite,
                _ => old.entry(i, j),
            }
        })
    }

    /// A fresh matrix by a rule that reads the closed old one. Two things no rule may touch: the difference
    /// of a clock with itself is 0, and no clock is negative.
    fn rewrite(&self, limits: &[Limits<'_>], rule: impl Fn(&Self, usize, usize) -> Bound) -> Self {
        for limit in limits {
            assert!(
                limit.len() == self.dim && limit[0] == Some(0),
                "a limit per clock, the reference's is 0"
            );
        }
        let old = self.close();
        if old.is_empty() {
            return old;
        }
        let new = Self::from_entries(self.dim, |i, j| match i {
            _ if i == j => Bound::weak(0),
            0 => rule(&old, i, j).min(Bound::weak(0)),
            _ => rule(&old, i, j),
        });
        new.close()
    }
}

/// `c > limit`, where infinity exceeds every limit.
fn exceeds(bound: Bound, limit: Option<i64>) -> bool {
    match bound {
        Bound::Finite { constant, .. } => limit.is_none_or(|limit| constant > limit),
        Bound::Infinite => true,
    }
}

/// `-c > limit`, where minus infinity exceeds no limit.
fn minus_exceeds(bound: Bound, limit: Option<i64>) -> bool {
    match bound {
        Bound::Finite { constant, .. } => limit.is_none_or(|limit| -constant > limit),
        Bound::Infinite => false,
    }
}

/// `(<, -limit)`: in row 0, the clock is above the limit.
fn strictly_above(limit: Option<i64>) -> Bound {
    limit.map_or(Bound::Infinite, |limit| Bound::strict(-limit))
}

/// Every finite entry off the diagonal, as it is written: `x1-x2<=3, x2>2`; `true` if there is none, and
/// `false` for a closed matrix without valuations.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.entry(0, 0) < Bound::weak(0) {
            return f.write_str("false");
        }
        let pairs = (0..self.dim).flat_map(|i| (0..self.dim).map(move |j| (i, j)));
        let shown: Vec<String> = pairs.filter_map(|(i, j)| self.constraint(i, j)).collect();
        f.write_str(if shown.is_empty() { "true" } else { "" })?;
        f.write_str(&shown.join(", "))
    }
}

impl Matrix {
    /// The entry as a reader would write it; nothing if it says nothing.
    fn constraint(&self, i: usize, j: usize) -> Option<String> {
        let Bound::Finite { constant, strict } = self.entry(i, j) else { return None };
        let equality = if strict { "" } else { "=" };
        match (i, j) {
            _ if i == j => None,
            (0, _) => Some(format!("x{j}>{equality}{}", -constant)),
            (_, 0) => Some(format!("x{i}<{equality}{constant}")),
            _ => Some(format!("x{i}-x{j}<{equality}{constant}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;
    use crate::zones::{all_bounds, all_closed, all_limits, random_limits, random_matrix};

    const INFINITE: Bound = Bound::Infinite;

    fn weak(constant: i64) -> Bound {
        Bound::weak(constant)
    }

    fn strict(constant: i64) -> Bound {
        Bound::strict(constant)
    }

    #[test]
    fn tighter_bounds_are_smaller() {
        let listed = [strict(-1), weak(-1), strict(0), weak(0), strict(1), weak(1), INFINITE];
        assert!(listed.is_sorted_by(|one, two| one < two));
        assert_eq!(all_bounds(1), listed);
    }

    #[test]
    fn a_sum_is_strict_if_a_part_is() {
        assert_eq!(weak(1).sum(weak(2)), weak(3));
        assert_eq!(weak(1).sum(strict(-2)), strict(-1));
        assert_eq!(strict(1).sum(strict(2)), strict(3));
        assert_eq!(strict(1).sum(INFINITE), INFINITE);
    }

    /// On every difference, exactly one of a bound and its negation holds, the latter of the difference
    /// turned round.
    #[test]
    fn a_negation_holds_where_the_bound_does_not() {
        for bound in all_bounds(2) {
            for numerator in -10..=10 {
                let negated = bound.negation().is_some_and(|negation| negation.admits(-numerator, 3));
                assert_ne!(bound.admits(numerator, 3), negated, "{bound:?} at {numerator}/3");
            }
        }
    }

    /// x <= 3 and y - x < -1 bound y as well; x > 2 then leaves no further mark.
    #[test]
    fn closing_adds_up_bounds() {
        let mut open = Matrix::unconstrained(3);
        for (i, j, bound) in [(0, 2, weak(0)), (1, 0, weak(3)), (2, 1, strict(-1)), (0, 1, strict(-2))] {
            open.set(i, j, bound);
        }
        assert!(!open.is_closed());
        let closed = open.close();
        assert!(closed.is_closed());
        assert_eq!(closed.to_string(), "x1>2, x2>=0, x1<=3, x1-x2<=3, x2<2, x2-x1<-1");
        assert!(closed.equals(&open) && open.equals(&closed));
    }

    /// A cycle of bounds that sums to (<, 0) is a contradiction; one that sums to (<=, 0) is an equality.
    #[test]
    fn strictness_decides_emptiness() {
        let cycle = |last| Matrix::from_constraints(3, &[(1, 2, weak(1)), (2, 0, weak(1)), (0, 1, last)]);
        assert_eq!(cycle(weak(-2)).to_string(), "x1>=2, x2>=1, x1<=2, x1-x2<=1, x2<=1, x2-x1<=-1");
        assert_eq!(cycle(strict(-2)), Matrix::empty(3));
        assert!(cycle(strict(-2)).is_empty() && !cycle(weak(-2)).is_empty());
    }

    #[test]
    fn the_empty_set_stays_empty() {
        for dim in 1..4 {
            let empty = Matrix::empty(dim);
            assert!(empty.is_empty() && empty.close() == empty);
            for after in [empty.up(), empty.down(), empty.hull(&empty), empty.intersect(&Matrix::zero(dim))] {
                assert_eq!(after, empty);
            }
        }
        let (empty, limits) = (Matrix::empty(3), [Some(0), None, Some(1)]);
        let after = [
            empty.free(1),
            empty.reset(2, 3),
            empty.assign(1, 2, 1),
            empty.assign(1, 1, 1),
            empty.extra_m(&limits),
            empty.extra_lu_plus(&limits, &limits),
        ];
        assert!(after.iter().all(|matrix| *matrix == empty));
        assert_eq!(empty.hull(&Matrix::zero(3)), Matrix::zero(3));
        assert!(Matrix::zero(3).includes(&empty) && !empty.includes(&Matrix::zero(3)));
    }

    /// Operations look at the set, not at how tightly it is written.
    #[test]
    fn an_open_matrix_means_its_closed_one() {
        let mut random = Random::from_seed(10);
        let limits = [Some(0), Some(3), None, Some(1)];
        let mut opened = 0;
        for case in 0..300 {
            let (zone, other) = (random_matrix(&mut random, 3, 4), random_matrix(&mut random, 3, 4));
            let open = without_redundant_entries(&zone);
            opened += usize::from(open != zone);
            let results = |zone: &Matrix| {
                let timed = [zone.up(), zone.down(), zone.free(2), zone.reset(2, 1), zone.assign(1, 2, 1)];
                let joined = [zone.intersect(&other), zone.hull(&other), other.hull(zone)];
                let extrapolated = [zone.extra_m_plus(&limits), zone.extra_lu(&limits, &[Some(0); 4])];
                let related =
                    [zone.includes(&other), other.includes(zone), zone.is_empty(), zone.equals(&open)];
                (timed, joined, extrapolated, related)
            };
            assert_eq!(results(&open), results(&zone), "case {case}: {zone} and {other}");
        }
        assert!(opened > 200);
    }

    /// The same set with every entry that the others imply removed, one after the other.
    fn without_redundant_entries(zone: &Matrix) -> Matrix {
        let mut open = zone.clone();
        for (i, j) in (0..zone.dim()).flat_map(|i| (0..zone.dim()).map(move |j| (i, j))) {
            open.set(i, j, INFINITE);
            if open.close() != *zone {
                open.set(i, j, zone.entry(i, j));
            }
        }
        open
    }

    #[test]
    fn there_may_be_no_clock() {
        assert_eq!(Matrix::zero(1), Matrix::universal(1));
        assert_eq!(Matrix::zero(1).up(), Matrix::zero(1));
        assert_eq!(Matrix::zero(1).to_string(), "true");
    }

    #[test]
    fn matrices_are_shown_as_constraints() {
        assert_eq!(Matrix::unconstrained(3).to_string(), "true");
        assert_eq!(Matrix::empty(3).to_string(), "false");
        let mut open = Matrix::unconstrained(3);
        open.set(1, 2, weak(3));
        open.set(0, 2, strict(-2));
        assert_eq!(open.to_string(), "x2>2, x1-x2<=3");
    }

    /// The usual walk: from 0 let time pass until x reaches 2, reset y, let time pass.
    #[test]
    fn time_passes_for_all_clocks_alike() {
        let waited = Matrix::zero(3).up().constrain(1, 0, weak(2));
        assert_eq!(waited.to_string(), "x1>=0, x2>=0, x1<=2, x1-x2<=0, x2<=2, x2-x1<=0");
        let later = waited.reset(2, 0).up();
        assert_eq!(later.to_string(), "x1>=0, x2>=0, x1-x2<=2, x2-x1<=0");
    }

    /// The past of 3 < x <= 4 and y = 1: time has passed at most until y was 0.
    #[test]
    fn the_past_ends_where_a_clock_is_0() {
        let zone = Matrix::from_constraints(
            3,
            &[(0, 1, strict(-3)), (1, 0, weak(4)), (2, 0, weak(1)), (0, 2, weak(-1))],
        );
        let past = "x1>2, x2>=0, x1<=4, x1-x2<=3, x2<=1, x2-x1<-2";
        assert_eq!(zone.down().to_string(), past);
    }

    #[test]
    fn an_assignment_reads_the_old_value() {
        let zone = Matrix::from_constraints(
            3,
            &[(1, 0, weak(2)), (0, 1, strict(-1)), (2, 0, weak(5)), (0, 2, weak(-5))],
        );
        assert_eq!(zone.assign(1, 1, 3).to_string(), "x1>4, x2>=5, x1<=5, x1-x2<=0, x2<=5, x2-x1<1");
        assert_eq!(zone.assign(1, 2, -4).to_string(), "x1>=1, x2>=5, x1<=1, x1-x2<=-4, x2<=5, x2-x1<=4");
        assert_eq!(zone.assign(2, 1, 0).to_string(), "x1>1, x2>1, x1<=2, x1-x2<=0, x2<=2, x2-x1<=0");
        assert_eq!(zone.assign(1, 0, 7), zone.reset(1, 7));
        assert_eq!(zone.assign(1, 1, -2).to_string(), "x1>=0, x2>=5, x1<=0, x1-x2<=-5, x2<=5, x2-x1<=5");
        assert!(zone.assign(1, 1, -3).is_empty() && zone.reset(1, -1).is_empty());
    }

    /// The textbook identities for closed matrices, which the definitions here do not use.
    #[test]
    fn definitions_agree_with_the_known_identities() {
        let mut random = Random::from_seed(11);
        for case in 0..1000 {
            let clocks = 1 + random.below(4);
            let zone = random_matrix(&mut random, clocks, 6);
            let (x, y) = (1 + random.below(clocks), random.below(clocks + 1));
            assert_eq!(zone.up(), known_up(&zone), "case {case}: {zone}");
            assert_eq!(zone.down(), known_down(&zone), "case {case}: {zone}");
            assert_eq!(zone.free(x), known_free(&zone, x), "case {case}: x{x} of {zone}");
            if x != y {
                assert_eq!(
                    zone.assign(x, y, 0),
                    known_copy(&zone, x, y),
                    "case {case}: x{x} := x{y} of {zone}"
                );
            }
        }
    }

    fn known_up(zone: &Matrix) -> Matrix {
        Matrix::from_entries(zone.dim(), |i, j| if i > 0 && j == 0 { INFINITE } else { zone.entry(i, j) })
    }

    fn known_down(zone: &Matrix) -> Matrix {
        Matrix::from_entries(zone.dim(), |i, j| match (i, j) {
            (0, 1..) => (1..zone.dim()).map(|k| zone.entry(k, j)).fold(weak(0), Bound::min),
            _ => zone.entry(i, j),
        })
    }

    fn known_free(zone: &Matrix, x: usize) -> Matrix {
        Matrix::from_entries(zone.dim(), |i, j| match () {
            () if i == x && j != x => INFINITE,
            () if i != x && j == x => zone.entry(i, 0),
            () => zone.entry(i, j),
        })
    }

    fn known_copy(zone: &Matrix, x: usize, y: usize) -> Matrix {
        let source = |i| if i == x { y } else { i };
        Matrix::from_entries(zone.dim(), |i, j| zone.entry(source(i), source(j)))
    }

    /// Inclusion of sets is the order of the entries of closed matrices, and nothing else is.
    #[test]
    fn inclusion_is_the_order_of_closed_matrices() {
        let zones = all_closed(2, 1);
        for one in &zones {
            for two in &zones {
                let entrywise = (0..3).all(|i| (0..3).all(|j| two.entry(i, j) <= one.entry(i, j)));
                assert_eq!(one.includes(two), entrywise, "{one} includes {two}");
                assert_eq!(one.equals(two), one == two, "{one} equals {two}");
            }
        }
    }

    #[test]
    fn the_hull_is_the_smallest_zone_around_both() {
        let zones = all_closed(2, 1);
        let mut random = Random::from_seed(12);
        for case in 0..300 {
            let (one, two) = (&zones[random.below(zones.len())], &zones[random.below(zones.len())]);
            let hull = one.hull(two);
            let around_both = |zone: &Matrix| zone.includes(one) && zone.includes(two);
            assert!(around_both(&hull), "case {case}: {one} and {two}");
            let smaller = zones.iter().find(|zone| around_both(zone) && !zone.includes(&hull));
            assert_eq!(smaller, None, "case {case}: {one} and {two}");
        }
    }

    /// 5 <= x <= 6 and y = 1, with limit 2 for both clocks: all that Extra_M keeps of x is that it is above
    /// 2, and of x - y that it is above 2 as well, which Extra_M+ forgets.
    #[test]
    fn extrapolations_forget_what_is_above_the_limits() {
        let zone = Matrix::from_constraints(
            3,
            &[(1, 0, weak(6)), (0, 1, weak(-5)), (2, 0, weak(1)), (0, 2, weak(-1))],
        );
        let limits = [Some(0), Some(2), Some(2)];
        let row = "x1>3, x2>=1, x2<=1, x2-x1<-2";
        assert_eq!(zone.extra_m(&limits).to_string(), row);
        let row = "x1>2, x2>=1, x2<=1, x2-x1<-1";
        assert_eq!(zone.extra_m_plus(&limits).to_string(), row);
    }

    /// 1 <= x <= 3 and y = x: without an upper limit lower bounds mean nothing, and without a lower limit
    /// upper bounds do not.
    #[test]
    fn each_limit_keeps_its_own_bounds() {
        let zone = Matrix::from_constraints(
            3,
            &[(0, 1, weak(-1)), (1, 0, weak(3)), (1, 2, weak(0)), (2, 1, weak(0))],
        );
        let (none, five) = ([Some(0), None, None], [Some(0), Some(5), Some(5)]);
        assert_eq!(zone.extra_lu_plus(&none, &none), Matrix::universal(3));
        assert_eq!(zone.extra_lu_plus(&five, &five), zone);
        assert_eq!(zone.extra_lu_plus(&none, &five).to_string(), "x1>=1, x2>=1");
        let upper_only = Matrix::from_constraints(3, &[(1, 0, weak(3)), (2, 0, weak(3))]);
        assert_eq!(zone.extra_lu_plus(&five, &none), upper_only);
    }

    /// `Z`, Extra_M, then Extra_M+ and Extra_LU, then Extra_LU+; and LU with equal limits is M.
    #[test]
    fn extrapolations_are_ordered_by_coarseness() {
        let limits = all_limits(2, 1);
        for zone in &all_closed(2, 1) {
            for (lower, upper) in limits.iter().flat_map(|one| limits.iter().map(move |two| (one, two))) {
                ordered_by_coarseness(zone, lower, upper);
            }
        }
        let mut random = Random::from_seed(13);
        for _ in 0..500 {
            let clocks = 1 + random.below(4);
            let (lower, upper) =
                (random_limits(&mut random, clocks, 6), random_limits(&mut random, clocks, 6));
            ordered_by_coarseness(&random_matrix(&mut random, clocks, 6), &lower, &upper);
        }
    }

    fn ordered_by_coarseness(zone: &Matrix, lower: Limits<'_>, upper: Limits<'_>) {
        let m: Vec<Option<i64>> = lower.iter().zip(upper).map(|(&l, &u)| l.max(u)).collect();
        let (extra_m, plus) = (zone.extra_m(&m), zone.extra_m_plus(&m));
        let (lu, lu_plus) = (zone.extra_lu(lower, upper), zone.extra_lu_plus(lower, upper));
        let in_order =
            [(&extra_m, zone), (&plus, &extra_m), (&lu, &extra_m), (&lu_plus, &plus), (&lu_plus, &lu)];
        assert!(
            in_order.iter().all(|(larger, smaller)| larger.includes(smaller)),
            "{zone} {lower:?} {upper:?}"
        );
        assert!(Matrix::universal(zone.dim()).includes(&lu_plus), "{zone} {lower:?} {upper:?}");
        assert_eq!(zone.extra_lu(&m, &m), extra_m);
        assert_eq!(zone.extra_lu_plus(&m, &m), plus);
    }
}
