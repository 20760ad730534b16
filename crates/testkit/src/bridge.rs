//! Conversion between the oracle's matrices and the zones under test.

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension, OpenDbm};

use crate::naive::{self, Matrix};

/// The zone that a matrix of the oracle stands for, if it is not empty.
///
/// # Panics
/// If a constant or the dimension is too large for a zone.
#[must_use]
pub fn zone(matrix: &Matrix) -> Option<Dbm> {
    let dim = matrix.dim();
    let mut open = OpenDbm::universal(dimension(dim - 1));
    for (i, j) in (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j))) {
        open.tighten(Constraint::new(clock(i), clock(j), bound(matrix.entry(i, j))));
    }
    open.close()
}

/// The entries of a zone as a matrix of the oracle, unchanged.
#[must_use]
pub fn matrix(zone: &Dbm) -> Matrix {
    Matrix::from_entries(zone.dimension().size(), |i, j| naive_bound(zone.bound(clock(i), clock(j))))
}

/// How the zone differs from the closed matrix that the oracle expects, if it does.
#[must_use]
pub fn difference(zone: &Dbm, expected: &Matrix) -> Option<String> {
    let (found, expected) = (matrix(zone), expected.close());
    let dim = expected.dim();
    let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j)));
    let differs = |&(i, j): &(usize, usize)| found.entry(i, j) != expected.entry(i, j);
    pairs.clone().find(differs).map(|(i, j)| {
        let (is, should_be) = (found.entry(i, j), expected.entry(i, j));
        format!(
            "entry ({i},{j}) is {is:?} and should be {should_be:?}\n  found    {found}\n  expected {expected}"
        )
    })
}

/// The limits of an abstraction; index 0 is the reference.
///
/// # Panics
/// If a limit or their number is too large for a zone.
#[must_use]
pub fn clock_bounds(lower: naive::Limits<'_>, upper: naive::Limits<'_>) -> ClockBounds {
    let mut bounds = ClockBounds::none(dimension(lower.len() - 1));
    for index in 1..lower.len() {
        if let Some(limit) = lower[index] {
            bounds.raise_lower(clock(index), constant(limit));
        }
        if let Some(limit) = upper[index] {
            bounds.raise_upper(clock(index), constant(limit));
        }
    }
    bounds
}

/// The dimension for this many clocks.
///
/// # Panics
/// If there are too many.
#[must_use]
pub fn dimension(clocks: usize) -> Dimension {
    Dimension::of_clocks(clocks).expect("a small number of clocks")
}

/// The clock with this index.
#[must_use]
pub fn clock(index: usize) -> Clock {
    Clock::from_index(index)
}

/// A constant.
///
/// # Panics
/// If it is too large.
#[must_use]
pub fn constant(value: i64) -> Constant {
    Constant::new(value).expect("a small constant")
}

/// A bound of the oracle as one of the zones under test.
///
/// # Panics
/// If its constant is too large.
#[must_use]
pub fn bound(bound: naive::Bound) -> Bound {
    match bound {
        naive::Bound::Infinite => Bound::INFINITY,
        naive::Bound::Finite { constant: c, strict: true } => Bound::strict(constant(c)),
        naive::Bound::Finite { constant: c, strict: false } => Bound::weak(constant(c)),
    }
}

/// A bound of the zones under test as one of the oracle.
#[must_use]
pub fn naive_bound(bound: Bound) -> naive::Bound {
    match bound.constant() {
        None => naive::Bound::Infinite,
        Some(c) if bound.is_strict() => naive::Bound::strict(c.get().into()),
        Some(c) => naive::Bound::weak(c.get().into()),
    }
}
