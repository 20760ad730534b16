//! The constants that an abstraction uses.
//!
//! For each clock, `L` is the largest constant it is compared with from below (`x > c`, `x >= c`) and `U` the
//! largest from above (`x < c`, `x <= c`), or minus infinity if there is none. `M` is the larger of the two.
//! Which comparisons count (of the whole model, or of those still ahead at a location) is the caller's
//! matter.

use tourbillon_base::Id;

use crate::bound::{Constant, RAW_LIMIT};
use crate::clock::{Clock, Dimension};
use crate::kernels;

/// Minus infinity: below every constant, and small enough to double.
const NONE: i32 = -(RAW_LIMIT >> 1);

/// `L` and `U` for each clock.
///
/// ```
/// use tourbillon_dbm::{Clock, ClockBounds, Dimension};
/// use tourbillon_base::Id;
///
/// let x = Clock::from_index(1);
/// let mut bounds = ClockBounds::none(Dimension::of_clocks(2)?);
/// bounds.raise_upper(x, 5.into());
/// bounds.raise_upper(x, 3.into());
/// assert_eq!(bounds.upper(x), Some(5.into()));
/// assert_eq!(bounds.lower(x), None);
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClockBounds {
    dimension: Dimension,
    /// One stride long: the reference has 0, clocks and padding start with [`NONE`].
    lower: Vec<i32>,
    upper: Vec<i32>,
    /// The larger of the two, kept up to date.
    maximum: Vec<i32>,
}

impl ClockBounds {
    /// No constants at all: nothing about any clock will ever be asked.
    #[must_use]
    pub fn none(dimension: Dimension) -> Self {
        let mut limits = vec![NONE; dimension.stride()];
        limits[0] = 0;
        Self { dimension, lower: limits.clone(), upper: limits.clone(), maximum: limits }
    }

    /// How many clocks there are.
    #[must_use]
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// `L` of a clock.
    #[must_use]
    pub fn lower(&self, clock: Clock) -> Option<Constant> {
        limit(self.lower[self.index(clock)])
    }

    /// `U` of a clock.
    #[must_use]
    pub fn upper(&self, clock: Clock) -> Option<Constant> {
        limit(self.upper[self.index(clock)])
    }

    /// Raises `L` to at least this constant. A negative one tells nothing about a clock and is passed over.
    ///
    /// # Panics
    /// If the clock is the reference, or not one of this dimension.
    pub fn raise_lower(&mut self, clock: Clock, constant: Constant) {
        let index = self.raisable(clock);
        raise(&mut self.lower[index], constant);
        raise(&mut self.maximum[index], constant);
    }

    /// Raises `U` to at least this constant. A negative one tells nothing about a clock and is passed over.
    ///
    /// # Panics
    /// As [`raise_lower`](Self::raise_lower).
    pub fn raise_upper(&mut self, clock: Clock, constant: Constant) {
        let index = self.raisable(clock);
        raise(&mut self.upper[index], constant);
        raise(&mut self.maximum[index], constant);
    }

    /// Raises both to at least this constant.
    pub fn raise(&mut self, clock: Clock, constant: Constant) {
        self.raise_lower(clock, constant);
        self.raise_upper(clock, constant);
    }

    /// Raises each limit to at least that of `other`.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn join(&mut self, other: &Self) {
        assert_eq!(self.dimension, other.dimension, "bounds of different dimensions");
        kernels::maximum(&mut self.lower, &other.lower);
        kernels::maximum(&mut self.upper, &other.upper);
        kernels::maximum(&mut self.maximum, &other.maximum);
    }

    /// Forgets all constants.
    pub fn clear(&mut self) {
        self.lower[1..].fill(NONE);
        self.upper[1..].fill(NONE);
        self.maximum[1..].fill(NONE);
    }

    /// `M` of a clock, the larger of `L` and `U`.
    #[must_use]
    pub fn maximum(&self, clock: Clock) -> Option<Constant> {
        limit(self.maximum[self.index(clock)])
    }

    /// Whether nothing is ever asked about the clock, so that it can be freed.
    #[must_use]
    pub fn is_inactive(&self, clock: Clock) -> bool {
        self.maximum[self.index(clock)] < 0
    }

    pub(crate) fn raw_lower(&self) -> &[i32] {
        &self.lower
    }

    pub(crate) fn raw_upper(&self) -> &[i32] {
        &self.upper
    }

    pub(crate) fn raw_maximum(&self) -> &[i32] {
        &self.maximum
    }

    fn index(&self, clock: Clock) -> usize {
        let index = clock.index();
        assert!(index < self.dimension.size(), "{clock:?} of {} clocks", self.dimension.clocks());
        index
    }

    fn raisable(&self, clock: Clock) -> usize {
        assert!(clock != Clock::REFERENCE, "the limits of the reference clock are fixed at 0");
        self.index(clock)
    }
}

fn limit(raw: i32) -> Option<Constant> {
    (raw >= 0).then(|| Constant::new(raw.into()).ok()).flatten()
}

fn raise(limit: &mut i32, constant: Constant) {
    if constant >= Constant::ZERO {
        *limit = (*limit).max(constant.get());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_only_rise_and_join_takes_the_larger() {
        let dimension = Dimension::of_clocks(2).unwrap();
        let (x, y) = (Clock::from_index(1), Clock::from_index(2));
        let mut bounds = ClockBounds::none(dimension);
        bounds.raise_lower(x, 4.into());
        bounds.raise_lower(x, (-1).into());
        let mut other = ClockBounds::none(dimension);
        other.raise(x, 2.into());
        bounds.join(&other);
        assert_eq!((bounds.lower(x), bounds.upper(x)), (Some(4.into()), Some(2.into())));
        assert!(bounds.is_inactive(y) && !bounds.is_inactive(x));
        assert_eq!(bounds.maximum(x), Some(4.into()));
        assert_eq!(bounds.lower(Clock::REFERENCE), Some(Constant::ZERO));
        bounds.clear();
        assert_eq!(bounds, ClockBounds::none(dimension));
    }
}
