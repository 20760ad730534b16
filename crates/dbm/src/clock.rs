//! Clocks, dimensions, and constraints between two clocks.

use tourbillon_base::{Id, define_id};

use crate::bound::Bound;
use crate::error::Error;

define_id! {
    /// A clock of a zone: 0 is the reference clock, which is always 0; the model's clocks start at 1.
    pub struct Clock;
}

impl Clock {
    /// The clock that is always 0. A bound against it is a bound on a clock's own value.
    pub const REFERENCE: Self = Self(0);
}

/// How many clocks a zone speaks of, checked once so that no operation has to.
///
/// A matrix has one row and one column more than there are clocks, for the reference clock. Rows are padded
/// to whole vectors: to 4 entries up to dimension 4, to multiples of 8 beyond.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dimension {
    size: u16,
}

impl Dimension {
    /// The largest number of clocks.
    pub const CLOCKS_MAX: usize = 1023;

    /// The dimension for a number of clocks; zero is allowed, for models without any.
    ///
    /// # Errors
    /// If there are more than [`Dimension::CLOCKS_MAX`].
    pub const fn of_clocks(clocks: usize) -> Result<Self, Error> {
        if clocks <= Self::CLOCKS_MAX {
            Ok(Self { size: clocks as u16 + 1 })
        } else {
            Err(Error::too_many_clocks(clocks))
        }
    }

    /// The number of clocks, the reference not counted.
    #[must_use]
    pub const fn clocks(self) -> usize {
        self.size as usize - 1
    }

    /// The number of rows and columns of a matrix: one more than there are clocks.
    #[must_use]
    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// The model's clocks, without the reference.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Clock> + ExactSizeIterator {
        (1..self.size()).map(Clock::from_index)
    }

    /// The distance between the starts of two rows.
    pub(crate) const fn stride(self) -> usize {
        if self.size <= 4 { 4 } else { self.size().next_multiple_of(8) }
    }
}

/// `left - right` is within `bound`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The clock that is bounded from above.
    pub left: Clock,
    /// The clock subtracted from it; the reference for a bound on `left` alone.
    pub right: Clock,
    /// The bound on the difference.
    pub bound: Bound,
}

impl Constraint {
    /// `left - right` is within `bound`.
    #[must_use]
    pub const fn new(left: Clock, right: Clock, bound: Bound) -> Self {
        Self { left, right, bound }
    }

    /// The clock's value is within `bound`.
    #[must_use]
    pub const fn upper(clock: Clock, bound: Bound) -> Self {
        Self::new(clock, Clock::REFERENCE, bound)
    }

    /// The constraint as numbers, to be hashed and compared.
    #[must_use]
    pub fn words(self) -> [i32; 3] {
        [self.left.index() as i32, self.right.index() as i32, self.bound.raw()]
    }

    /// The constraint that holds just where this one does not; nothing if this one always holds.
    #[must_use]
    pub fn complement(self) -> Option<Self> {
        let bound = self.bound.complement()?;
        Some(Self::new(self.right, self.left, bound))
    }
}
