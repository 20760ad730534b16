//! Zones as difference bound matrices, by the textbook.
//!
//! `[i, j]` bounds `x_i - x_j`, where `x_0` is 0: `(≤, c)` is `2c + 1`, `(<, c)` is `2c`, so that the tighter of two bounds is the
//! smaller number. Invariant: a [`Zone`] is closed (each bound is as tight as the others imply) and not empty, except after an operation that
//! says so. `[BengtssonYi2004]` has the algorithms; with `n` clocks, all take `O(n²)` but the closure of what was read, which takes `O(n³)`.
//!
//! Nothing overflows: constants of files are at most 2^40 and those of models 2^31, zones have some thousand clocks at most, and between
//! the file and the end of a check there are a thousand steps at most, so that sums stay below 2^60.

use std::fmt::Write as _;

use crate::format::Constraint;

pub(crate) const INFINITY: i64 = 1 << 61;
/// `(≤, 0)`.
pub(crate) const ZERO: i64 = 1;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Zone {
    /// The number of clocks and the reference.
    dimension: usize,
    bounds: Vec<i64>,
}

/// The sum of two bounds.
#[inline]
fn sum(one: i64, two: i64) -> i64 {
    if one == INFINITY || two == INFINITY { INFINITY } else { one + two - ((one | two) & 1) }
}

impl Constraint {
    /// What holds exactly where this does not.
    pub(crate) fn negated(self) -> Self {
        Self { left: self.right, right: self.left, bound: 1 - self.bound }
    }
}

/// A clock after a transition: the value before it of a clock, or of the reference, plus a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Assignment {
    pub(crate) target: usize,
    pub(crate) source: usize,
    pub(crate) offset: i64,
}

impl Zone {
    /// All valuations: no clock is negative.
    pub(crate) fn universal(dimension: usize) -> Self {
        let mut bounds = vec![INFINITY; dimension * dimension];
        bounds[..dimension].fill(ZERO);
        (0..dimension).for_each(|i| bounds[i * dimension + i] = ZERO);
        Self { dimension, bounds }
    }

    /// One valuation.
    pub(crate) fn point(values: impl Iterator<Item = i32>) -> Self {
        let values: Vec<i64> = std::iter::once(0).chain(values.map(i64::from)).collect();
        let bounds = values.iter().flat_map(|x| values.iter().map(move |y| 2 * (x - y) + 1)).collect();
        Self { dimension: values.len(), bounds }
    }

    /// The valuations that satisfy all constraints, whichever these are; nothing if there is none.
    pub(crate) fn closed(dimension: usize, constraints: &[Constraint]) -> Option<Self> {
        let mut zone = Self::universal(dimension);
        for &Constraint { left, right, bound } in constraints {
            let known = &mut zone.bounds[left * dimension + right];
            *known = bound.min(*known);
        }
        let n = dimension;
        let mut pivot = vec![0; n];
        for k in 0..n {
            pivot.copy_from_slice(&zone.bounds[k * n..][..n]);
            for row in zone.bounds.chunks_exact_mut(n) {
                let to_pivot = row[k];
                if to_pivot != INFINITY {
                    row.iter_mut()
                        .zip(&pivot)
                        .for_each(|(known, &from)| *known = sum(to_pivot, from).min(*known));
                }
            }
        }
        (0..n).all(|i| zone.get(i, i) >= ZERO).then_some(zone)
    }

    /// Makes this zone equal to another of the same dimension.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.bounds.copy_from_slice(&other.bounds);
    }

    /// How many bounds it has.
    pub(crate) fn size(&self) -> usize {
        self.bounds.len()
    }

    #[inline]
    pub(crate) fn get(&self, i: usize, j: usize) -> i64 {
        self.bounds[i * self.dimension + j]
    }

    /// Whether no valuation satisfies a constraint.
    #[inline]
    pub(crate) fn excludes(&self, Constraint { left, right, bound }: Constraint) -> bool {
        sum(self.get(right, left), bound) < ZERO
    }

    /// Whether all valuations satisfy a constraint.
    #[inline]
    pub(crate) fn implies(&self, Constraint { left, right, bound }: Constraint) -> bool {
        bound >= self.get(left, right)
    }

    /// Intersects with a constraint. Returns false if that is empty; then the zone is as it was.
    pub(crate) fn constrain(&mut self, constraint: Constraint) -> bool {
        let Constraint { left, right, bound } = constraint;
        let n = self.dimension;
        if self.implies(constraint) {
            return true;
        }
        if self.excludes(constraint) {
            return false;
        }
        self.bounds[left * n + right] = bound;
        for k in 0..n {
            let to_right = sum(self.get(k, left), bound);
            if k == left || to_right < self.get(k, right) {
                for l in 0..n {
                    let through = sum(to_right, self.get(right, l));
                    let known = &mut self.bounds[k * n + l];
                    *known = through.min(*known);
                }
            }
        }
        true
    }

    /// The part that satisfies some constraints; nothing if that is empty.
    pub(crate) fn with(&self, constraints: &[Constraint]) -> Option<Self> {
        let mut part = self.clone();
        part.constrain_all(constraints).then_some(part)
    }

    /// The intersection with another zone; nothing if it is empty.
    pub(crate) fn and(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        other.constraints().all(|constraint| both.constrain(constraint)).then_some(both)
    }

    /// Intersects with several; if that is empty, with some of them.
    pub(crate) fn constrain_all(&mut self, constraints: &[Constraint]) -> bool {
        constraints.iter().all(|&constraint| self.constrain(constraint))
    }

    /// Adds what time makes of the valuations.
    pub(crate) fn up(&mut self) {
        (1..self.dimension).for_each(|i| self.bounds[i * self.dimension] = INFINITY);
    }

    /// Adds the valuations of which time makes one of these.
    pub(crate) fn down(&mut self) {
        for j in 1..self.dimension {
            let least = (1..self.dimension).map(|i| self.get(i, j)).fold(ZERO, i64::min);
            self.bounds[j] = least;
        }
    }

    /// Whether no clock has an upper bound.
    pub(crate) fn is_unbounded(&self) -> bool {
        (1..self.dimension).all(|i| self.get(i, 0) == INFINITY)
    }

    /// Makes this zone the image of another under assignments, which take effect at the same time. They make no clock negative.
    pub(crate) fn assign(&mut self, before: &Self, assignments: &[Assignment]) {
        self.copy_from(before);
        let n = self.dimension;
        for &Assignment { target, source, offset } in assignments {
            for other in 0..n {
                let (row, column) = (before.get(source, other), before.get(other, source));
                self.bounds[target * n + other] = shifted(row, offset);
                self.bounds[other * n + target] = shifted(column, -offset);
            }
        }
        for one in assignments {
            for two in assignments {
                let bound = before.get(one.source, two.source);
                self.bounds[one.target * n + two.target] = shifted(bound, one.offset - two.offset);
            }
        }
    }

    /// The valuations that do not satisfy all of the constraints, as disjoint zones.
    pub(crate) fn minus(&self, constraints: impl Iterator<Item = Constraint>) -> Vec<Self> {
        let (mut rest, mut pieces) = (self.clone(), Vec::new());
        for constraint in constraints {
            if rest.implies(constraint) {
                continue;
            }
            let mut piece = rest.clone();
            if piece.constrain(constraint.negated()) {
                pieces.push(piece);
            }
            if !rest.constrain(constraint) {
                return pieces;
            }
        }
        pieces
    }

    /// The same clocks under other names: clock `i` becomes clock `names[i]`; the reference stays.
    pub(crate) fn renamed(&self, names: &[usize]) -> Self {
        let n = self.dimension;
        let mut bounds = vec![0; n * n];
        for i in 0..n {
            for j in 0..n {
                bounds[names[i] * n + names[j]] = self.get(i, j);
            }
        }
        Self { dimension: n, bounds }
    }
}

fn shifted(bound: i64, by: i64) -> i64 {
    if bound == INFINITY { INFINITY } else { bound + 2 * by }
}

/// What is left of some zones without one, given by its constraints.
pub(crate) fn minus_each(
    zones: &[Zone],
    constraints: impl Iterator<Item = Constraint> + Clone,
) -> impl Iterator<Item = Zone> {
    zones.iter().flat_map(move |zone| zone.minus(constraints.clone()))
}

impl Zone {
    /// Whether it includes another.
    #[inline]
    pub(crate) fn includes(&self, other: &Self) -> bool {
        other.bounds.iter().zip(&self.bounds).all(|(inner, outer)| inner <= outer)
    }

    /// All its constraints.
    pub(crate) fn constraints(&self) -> impl Iterator<Item = Constraint> + Clone {
        let n = self.dimension;
        let finite =
            self.bounds.iter().enumerate().filter(move |&(at, &bound)| bound != INFINITY && at / n != at % n);
        finite.map(move |(at, &bound)| Constraint { left: at / n, right: at % n, bound })
    }

    /// Whether each valuation of `inner` is simulated by one of this zone, by the preorder of L and U: `inner ⊆ a_LU(self)`, by the theorem of
    /// `[HerbreteauSrivathsanWalukiewicz2012]`. It is not if there are `x` and `y` such that `inner` has a valuation with `x ≤ U_x`, in which the bound
    /// of this zone on `y - x` is exceeded, and where `y` must stay above `L_y`. The lists have the reference first, with 0.
    pub(crate) fn simulates(&self, inner: &Self, lower: &[Option<i64>], upper: &[Option<i64>]) -> bool {
        let n = self.dimension;
        for x in 0..n {
            let least = inner.bounds[x];
            if upper[x].is_none_or(|upper| least < 1 - 2 * upper) {
                continue;
            }
            for y in (0..n).filter(|&y| y != x) {
                let outer = self.bounds[y * n + x];
                let exceeds = |lower: i64| outer < inner.bounds[y * n + x] && sum(outer, -2 * lower) < least;
                if lower[y].is_some_and(exceeds) {
                    return false;
                }
            }
        }
        true
    }

    /// The constraints as text, those that say nothing left out; `names` has the clocks.
    pub(crate) fn text(&self, names: &[&str]) -> Vec<String> {
        let n = self.dimension;
        let mut texts = Vec::new();
        for Constraint { left, right, bound } in self.constraints() {
            let from_both = sum(self.bounds[left * n], self.bounds[right]);
            let is_implied = if left == 0 { bound == ZERO } else { right != 0 && from_both == bound };
            if is_implied {
                continue;
            }
            let (mark, constant) = (if bound & 1 == 1 { "=" } else { "" }, bound >> 1);
            let mut text = String::new();
            let _ = match (left, right) {
                (0, _) => write!(text, "{} >{mark} {}", names[right - 1], -constant),
                (_, 0) => write!(text, "{} <{mark} {constant}", names[left - 1]),
                _ => write!(text, "{} - {} <{mark} {constant}", names[left - 1], names[right - 1]),
            };
            texts.push(text);
        }
        texts
    }
}
