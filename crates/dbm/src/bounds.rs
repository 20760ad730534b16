//! Clock bounds: the constants that an abstraction uses.
//!
//! For each clock, `L` is the largest constant it is compared with from below (`x > c`, `x >= c`) and `U` the
//! largest from above (`x < c`, `x <= c`), or minus infinity if there is none. `M` is the larger of the two.
//! Which comparisons count (of the whole model, or of those still ahead at a location) is the caller's
//! matter.

use tourbillon_base::Id;
use tourbillon_base::mutants::{self, Mutant};

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
    /// `L`, then `U`, then the larger of the two, each one stride long: the reference has 0, clocks and padding
    /// start with [`NONE`].
    limits: Vec<i32>,
}

/// The limits of one clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockLimits {
    clock: u32,
    lower: i32,
    upper: i32,
}

impl ClockBounds {
    /// No constants at all: nothing about any clock will ever be asked.
    #[must_use]
    pub fn none(dimension: Dimension) -> Self {
        let mut bounds = Self { dimension, limits: vec![NONE; 3 * dimension.stride()] };
        bounds.clear();
        bounds
    }

    /// How many clocks there are.
    #[must_use]
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// `L` of a clock.
    #[must_use]
    pub fn lower(&self, clock: Clock) -> Option<Constant> {
        limit(self.raw_lower()[self.index(clock)])
    }

    /// `U` of a clock.
    #[must_use]
    pub fn upper(&self, clock: Clock) -> Option<Constant> {
        limit(self.raw_upper()[self.index(clock)])
    }

    /// Raises `L` to at least this constant. A negative one tells nothing about a clock and is passed over.
    ///
    /// # Panics
    /// If the clock is the reference, or not one of this dimension.
    pub fn raise_lower(&mut self, clock: Clock, constant: Constant) {
        let (index, stride) = (self.raisable(clock), self.dimension.stride());
        raise(&mut self.limits[index], constant);
        raise(&mut self.limits[2 * stride + index], constant);
    }

    /// Raises `U` to at least this constant. A negative one tells nothing about a clock and is passed over.
    ///
    /// # Panics
    /// As [`raise_lower`](Self::raise_lower).
    pub fn raise_upper(&mut self, clock: Clock, constant: Constant) {
        let (index, stride) = (self.raisable(clock), self.dimension.stride());
        raise(&mut self.limits[stride + index], constant);
        raise(&mut self.limits[2 * stride + index], constant);
    }

    /// Raises both to at least this constant.
    pub fn raise(&mut self, clock: Clock, constant: Constant) {
        self.raise_lower(clock, constant);
        self.raise_upper(clock, constant);
    }

    /// Forgets all constants and takes the largest of some lists, each made by [`limits`](Self::limits).
    ///
    /// # Panics
    /// If a list was made for more clocks.
    #[inline]
    pub fn join_limits<'a>(&mut self, lists: impl Iterator<Item = &'a [ClockLimits]>) {
        self.clear();
        let stride = self.dimension.stride();
        let (lower, rest) = self.limits.split_at_mut(stride);
        let (upper, maximum) = rest.split_at_mut(stride);
        for &ClockLimits { clock, lower: l, upper: u } in lists.flatten() {
            let index = clock as usize;
            lower[index] = lower[index].max(l);
            upper[index] = upper[index].max(u);
            maximum[index] = maximum[index].max(l.max(u));
        }
        self.mutate();
    }

    /// Makes the limits wrong for some mutants.
    #[inline]
    fn mutate(&mut self) {
        let (lower, rest) = self.limits.split_at_mut(self.dimension.stride());
        let upper = &mut rest[..lower.len()];
        match () {
            () if mutants::is(Mutant::LowerTooSmall) => lower[1..].iter_mut().for_each(|limit| *limit -= 1),
            () if mutants::is(Mutant::UpperTooSmall) => upper[1..].iter_mut().for_each(|limit| *limit -= 1),
            () if mutants::is(Mutant::LowerUpperExchanged) => lower.swap_with_slice(upper),
            () => {}
        }
    }

    /// The limits as a list of the clocks that have any: short for most locations of a network, so that joining
    /// those of a state costs little.
    #[must_use]
    pub fn limits(&self) -> Box<[ClockLimits]> {
        let active = self.dimension.iter().filter(|&clock| !self.is_inactive(clock));
        let limits = |clock: Clock| {
            let index = clock.index();
            ClockLimits {
                clock: index as u32,
                lower: self.raw_lower()[index],
                upper: self.raw_upper()[index],
            }
        };
        active.map(limits).collect()
    }

    /// Raises each limit to at least that of `other`.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn join(&mut self, other: &Self) {
        assert_eq!(self.dimension, other.dimension, "bounds of different dimensions");
        kernels::maximum(&mut self.limits, &other.limits);
    }

    #[inline]
    pub fn clear(&mut self) {
        self.limits.fill(NONE);
        self.limits.iter_mut().step_by(self.dimension.stride()).for_each(|limit| *limit = 0);
    }

    /// `M` of a clock, the larger of `L` and `U`.
    #[must_use]
    pub fn maximum(&self, clock: Clock) -> Option<Constant> {
        limit(self.raw_maximum()[self.index(clock)])
    }

    /// Whether nothing is ever asked about the clock, so that it can be freed.
    #[must_use]
    pub fn is_inactive(&self, clock: Clock) -> bool {
        self.raw_maximum()[self.index(clock)] < 0
    }

    /// The constants as numbers: the same for equal bounds of a dimension, and different for all others. They are there to be hashed.
    pub fn words(&self) -> impl Iterator<Item = i32> {
        self.raw_lower().iter().chain(self.raw_upper()).copied()
    }

    pub(crate) fn raw_lower(&self) -> &[i32] {
        &self.limits[..self.dimension.stride()]
    }

    pub(crate) fn raw_upper(&self) -> &[i32] {
        &self.limits[self.dimension.stride()..][..self.dimension.stride()]
    }

    pub(crate) fn raw_maximum(&self) -> &[i32] {
        &self.limits[2 * self.dimension.stride()..]
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
        let mut again = ClockBounds::none(dimension);
        assert_eq!(bounds.limits().len(), 1);
        again.raise(y, 3.into());
        again.join_limits([&*bounds.limits(), &[]].into_iter());
        assert_eq!(again, bounds);
        bounds.clear();
        assert_eq!(bounds, ClockBounds::none(dimension));
    }
}
