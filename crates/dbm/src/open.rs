//! A matrix under construction: neither closed nor known to be non-empty.

use tourbillon_base::Id;

use crate::bound::{Bound, INFINITY};
use crate::clock::{Clock, Constraint, Dimension};
use crate::dbm::Dbm;
use crate::kernels;

/// Bounds written down one by one, to be closed once at the end.
///
/// Worth it for many constraints at a time: closing is cubic, but [`Dbm::constrain`] is quadratic for each
/// one.
///
/// ```
/// use tourbillon_base::Id;
/// use tourbillon_dbm::{Bound, Clock, Constraint, Dimension, OpenDbm};
///
/// let (x, y) = (Clock::from_index(1), Clock::from_index(2));
/// let mut matrix = OpenDbm::universal(Dimension::of_clocks(2)?);
/// matrix.tighten(Constraint::upper(x, Bound::weak(2.into())));
/// matrix.tighten(Constraint::new(y, x, Bound::weak(3.into())));
/// let zone = matrix.clone().close().expect("x=0, y=0 is in it");
/// assert_eq!(zone.bound(y, Clock::REFERENCE), Bound::weak(5.into()));
///
/// matrix.tighten(Constraint::new(x, y, Bound::weak((-4).into())));
/// assert!(matrix.close().is_none());
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenDbm {
    dimension: Dimension,
    overflowed: bool,
    bounds: Vec<i32>,
}

impl OpenDbm {
    /// No bounds but that clocks are not negative.
    #[must_use]
    pub fn universal(dimension: Dimension) -> Self {
        Dbm::universal(dimension).into_open()
    }

    pub(crate) fn from_closed(zone: Dbm) -> Self {
        let dimension = zone.dimension();
        let (bounds, overflowed) = zone.into_parts();
        Self { dimension, overflowed, bounds }
    }

    /// Adds a constraint.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    pub fn tighten(&mut self, constraint: Constraint) {
        let entry = self.entry(constraint.left, constraint.right);
        self.bounds[entry] = self.bounds[entry].min(constraint.bound.raw());
    }

    /// Forgets what was written about `left - right`. Other bounds may still imply one; that clocks are not
    /// negative and that a clock equals itself is never forgotten.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    pub fn relax(&mut self, left: Clock, right: Clock) {
        let always = left == right || left == Clock::REFERENCE;
        let entry = self.entry(left, right);
        self.bounds[entry] = if always { Bound::ZERO.raw() } else { INFINITY };
    }

    /// What was written about `left - right`.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    #[must_use]
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        Bound::from_raw(self.bounds[self.entry(left, right)])
    }

    /// The zone of all points that satisfy the bounds, if there are any.
    #[must_use]
    pub fn close(self) -> Option<Dbm> {
        let mut zone = Dbm::from_open_parts(self.dimension, self.bounds, self.overflowed);
        zone.close_with(kernels::close).then_some(zone)
    }

    fn entry(&self, left: Clock, right: Clock) -> usize {
        let (i, j, size) = (left.index(), right.index(), self.dimension.size());
        assert!(i < size && j < size, "{left:?}, {right:?} of {} clocks", self.dimension.clocks());
        i * self.dimension.stride() + j
    }
}
