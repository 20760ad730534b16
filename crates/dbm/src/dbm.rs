//! A zone as a difference bound matrix, always closed and non-empty.
//!
//! Entry `(i,j)` bounds `x_i - x_j`, where `x_0` is 0. A matrix is closed if no bound can be tightened
//! without losing a point; then inclusion, equality and most queries are answered by looking at entries.
//! Every operation here needs a closed, non-empty matrix and leaves one, and the type has no other values:
//! what may come out empty returns whether it did, and an unfinished matrix is an [`OpenDbm`]. Clocks are
//! never negative: row 0 is at most `(≤,0)`.
//!
//! **Overflow.** Bounds are exact. Operations that add bounds up (`constrain`, `intersect`, `assign`, an
//! extrapolation) can in the end exceed what a bound holds, in a model whose clocks are never reset and never
//! extrapolated. Then the matrix becomes the universal zone, which is an over-approximation, and says so for
//! ever after through [`Dbm::overflowed`]. To know this for free, a matrix carries `reach`, an estimate from
//! above of its largest finite entry: it grows by simple arithmetic with each operation, and only when it has
//! grown past the limit is the matrix examined.
//!
//! The operations are those of `[BengtssonYi2004]`; `down` and the predecessors those of
//! `[CassezDavidFleuryLarsenLime2005]`.

use std::hash::{Hash, Hasher};

use tourbillon_base::Id;

use crate::bound::{Bound, Constant, INFINITY, RAW_LIMIT, ZERO, add};
use crate::clock::{Clock, Constraint, Dimension};
use crate::kernels;
use crate::open::OpenDbm;

/// A non-empty zone, as a closed matrix of bounds.
///
/// ```
/// use tourbillon_base::Id;
/// use tourbillon_dbm::{Bound, Clock, Constraint, Dbm, Dimension};
///
/// let (x, y) = (Clock::from_index(1), Clock::from_index(2));
/// let mut zone = Dbm::zero(Dimension::of_clocks(2)?);
/// zone.up();
/// assert!(zone.constrain(Constraint::upper(x, Bound::weak(5.into()))));
/// zone.reset(y, 0.into());
/// assert_eq!(zone.display(&["x", "y"]).to_string(), "x<=5, y=0");
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Clone)]
pub struct Dbm {
    pub(crate) dimension: Dimension,
    overflowed: bool,
    /// No finite raw bound exceeds this in absolute value; at most [`RAW_LIMIT`].
    reach: i32,
    /// `size` rows of `stride` raw bounds.
    bounds: Vec<i32>,
}

/// How two zones compare as sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// They are the same.
    Equal,
    /// The first is a proper part of the second.
    Subset,
    /// The second is a proper part of the first.
    Superset,
    /// Neither includes the other.
    Different,
}

/// The values that one clock, or the difference of two, takes in a zone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// The bound on the negated value: `<= -2` says at least 2, `< -2` more than 2.
    pub negated_lower: Bound,
    /// The bound on the value.
    pub upper: Bound,
}

/// Making and reading zones.
impl Dbm {
    /// The single point where all clocks are 0.
    #[must_use]
    pub fn zero(dimension: Dimension) -> Self {
        Self::filled(dimension, ZERO)
    }

    /// All points without negative coordinates.
    #[must_use]
    pub fn universal(dimension: Dimension) -> Self {
        let mut zone = Self::filled(dimension, INFINITY);
        zone.make_universal();
        zone
    }

    /// The memory of the bounds, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.bounds)
    }

    fn filled(dimension: Dimension, entry: i32) -> Self {
        let (size, stride) = (dimension.size(), dimension.stride());
        let mut bounds = vec![INFINITY; size * stride];
        for row in bounds.chunks_exact_mut(stride) {
            row[..size].fill(entry);
        }
        Self { dimension, overflowed: false, reach: ZERO, bounds }
    }

    fn make_universal(&mut self) {
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        self.bounds.fill(INFINITY);
        self.bounds[..size].fill(ZERO);
        self.bounds.iter_mut().step_by(stride + 1).for_each(|entry| *entry = ZERO);
        self.reach = ZERO;
    }

    /// The bounds as numbers, row by row: the same for equal zones of a dimension, and different for all others. They are
    /// there to be hashed.
    pub fn rows(&self) -> impl Iterator<Item = &[i32]> {
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        self.bounds.chunks_exact(stride).map(move |row| &row[..size])
    }

    /// How many clocks the zone speaks of.
    #[must_use]
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Whether an operation on the way here needed a bound too large to hold. The zone is then larger than
    /// it should be, and no answer may be drawn from it.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The tightest bound on `left - right`.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    #[must_use]
    pub fn bound(&self, left: Clock, right: Clock) -> Bound {
        Bound::from_raw(self.entry(self.index(left), self.index(right)))
    }

    /// The values that `left - right` takes; with [`Clock::REFERENCE`] on the right, those of `left`.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    #[must_use]
    pub fn interval(&self, left: Clock, right: Clock) -> Interval {
        Interval { negated_lower: self.bound(right, left), upper: self.bound(left, right) }
    }

    /// Overwrites this zone with another, without allocating.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.assert_same_dimension(other);
        self.overflowed = other.overflowed;
        self.reach = other.reach;
        self.bounds.copy_from_slice(&other.bounds);
    }

    /// Overwrites this zone with another whose clocks are permuted: clock `x` of this zone is clock `sources[x]` of the other.
    ///
    /// ```
    /// # use tourbillon_dbm::{Bound, Clock, Constraint, Dbm, Dimension};
    /// # use tourbillon_base::Id;
    /// let [zero, x, y] = [0, 1, 2].map(Clock::from_index);
    /// let mut zone = Dbm::universal(Dimension::of_clocks(2)?);
    /// zone.constrain(Constraint::upper(x, Bound::weak(5.into())));
    /// let mut exchanged = Dbm::zero(zone.dimension());
    /// exchanged.permute_from(&zone, &[zero, y, x]);
    /// assert_eq!(exchanged.display(&["x", "y"]).to_string(), "y<=5");
    /// # Ok::<(), tourbillon_dbm::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the dimensions differ, or the sources are not a permutation of all clocks that leaves the reference clock.
    pub fn permute_from(&mut self, other: &Self, sources: &[Clock]) {
        self.assert_same_dimension(other);
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        assert!(sources.len() == size && sources[0] == Clock::REFERENCE, "a source for each clock");
        debug_assert!(self.dimension.iter().all(|clock| sources.contains(&clock)), "a permutation");
        for (row, source) in self.bounds.chunks_exact_mut(stride).zip(sources) {
            let source = &other.bounds[source.index() * stride..][..size];
            for (entry, clock) in row.iter_mut().zip(sources) {
                *entry = source[clock.index()];
            }
        }
        self.overflowed = other.overflowed;
        self.reach = other.reach;
    }

    /// Whether this zone includes the other, as a set of points.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        self.assert_same_dimension(other);
        kernels::all_at_most(&other.bounds, &self.bounds)
    }

    /// Whether this is the zone of all points: no clock is compared with anything.
    #[must_use]
    pub fn is_universal(&self) -> bool {
        let mut rows = self.rows().enumerate();
        let reference = rows.next().is_none_or(|(_, row)| row.iter().all(|&bound| bound == ZERO));
        reference
            && rows.all(|(number, row)| {
                let (before, rest) = row.split_at(number);
                before.iter().chain(&rest[1..]).all(|&bound| bound == INFINITY)
            })
    }

    /// How the two compare as sets of points, in one pass.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn relation(&self, other: &Self) -> Relation {
        self.assert_same_dimension(other);
        let compared = kernels::compare(&self.bounds, &other.bounds);
        match (compared.at_most, compared.at_least) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Different,
        }
    }
}

/// Operations. All leave the zone closed and non-empty.
impl Dbm {
    /// Lets time pass: the points reached from the zone by any delay.
    pub fn up(&mut self) {
        let stride = self.dimension.stride();
        self.bounds[stride..].iter_mut().step_by(stride).for_each(|entry| *entry = INFINITY);
    }

    /// Lets time pass as long as clocks are within upper bounds: the same as [`up`](Self::up) and then
    /// [`constrain_uppers`](Self::constrain_uppers). Returns whether any point is left; if not, the zone is as
    /// before.
    ///
    /// # Panics
    /// If a constraint is no finite upper bound of a clock of this dimension.
    #[must_use]
    #[inline]
    pub fn up_within(&mut self, uppers: &[Constraint]) -> bool {
        let mut largest = 0;
        for upper in uppers {
            self.assert_upper(*upper);
            largest = largest.max(upper.bound.raw().abs());
        }
        if !kernels::delay(&mut self.bounds, self.dimension.stride(), uppers) {
            return false;
        }
        self.settle(2 * self.reach + largest);
        true
    }

    #[inline]
    fn assert_upper(&self, upper: Constraint) {
        let of_a_clock = upper.right == Clock::REFERENCE && upper.left != Clock::REFERENCE;
        assert!(of_a_clock && !upper.bound.is_infinite(), "a finite upper bound of a clock");
        self.index(upper.left);
    }

    /// Turns time back: the points from which some delay leads into the zone.
    pub fn down(&mut self) {
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        self.bounds[..size].fill(ZERO);
        kernels::column_minima(&mut self.bounds, stride);
    }

    /// Forgets the value of a clock: it may be anything from 0 on.
    ///
    /// # Panics
    /// If the clock is the reference, or not one of this dimension.
    pub fn free(&mut self, clock: Clock) {
        let x = self.changeable(clock);
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        self.bounds[x * stride..][..size].fill(INFINITY);
        for row in self.bounds.chunks_exact_mut(stride) {
            row[x] = row[0];
        }
        self.bounds[x * stride + x] = ZERO;
    }

    /// Sets a clock to a constant.
    ///
    /// # Panics
    /// If the clock is the reference or not one of this dimension, or the constant is negative.
    #[inline]
    pub fn reset(&mut self, clock: Clock, value: Constant) {
        assert!(value >= Constant::ZERO, "a clock is never negative");
        let x = self.changeable(clock);
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        if value == Constant::ZERO {
            kernels::reset(&mut self.bounds, stride, x);
            return;
        }
        let (plus, minus) = (Bound::weak(value).raw(), Bound::weak(value.negated()).raw());
        for j in 0..size {
            self.bounds[x * stride + j] = add(plus, self.bounds[j]);
        }
        for row in self.bounds.chunks_exact_mut(stride) {
            row[x] = add(row[0], minus);
        }
        self.bounds[x * stride + x] = ZERO;
        self.reach = self.reach.max(plus);
    }

    /// `clock := source + offset`, where the two may be the same. Points where that would be negative have no
    /// image: they are cut off first. Returns whether any point is left; if not, the zone is as before.
    ///
    /// # Panics
    /// If either clock is not one of this dimension, or `clock` is the reference.
    #[must_use]
    pub fn assign(&mut self, clock: Clock, source: Clock, offset: Constant) -> bool {
        let (x, y) = (self.changeable(clock), self.index(source));
        let cut = Constraint::new(Clock::REFERENCE, source, Bound::weak(offset));
        if offset < Constant::ZERO {
            if !self.constrain(cut) {
                return false;
            }
            if self.overflowed {
                // The cut is lost then, and shifting would make clocks negative.
                return true;
            }
        }
        if x != y {
            self.copy_clock(x, y);
        }
        self.shift(x, offset);
        true
    }

    fn copy_clock(&mut self, x: usize, y: usize) {
        let stride = self.dimension.stride();
        self.bounds.copy_within(y * stride..(y + 1) * stride, x * stride);
        for row in self.bounds.chunks_exact_mut(stride) {
            row[x] = row[y];
        }
        self.bounds[x * stride + x] = ZERO;
    }

    fn shift(&mut self, x: usize, offset: Constant) {
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        let (plus, minus) = (Bound::weak(offset).raw(), Bound::weak(offset.negated()).raw());
        for entry in &mut self.bounds[x * stride..][..size] {
            *entry = add(*entry, plus);
        }
        for row in self.bounds.chunks_exact_mut(stride) {
            row[x] = add(row[x], minus);
        }
        self.bounds[x * stride + x] = ZERO;
        self.settle(self.reach + plus.abs().max(minus.abs()));
    }

    /// Keeps the points that satisfy a constraint. Returns whether there are any; if not, the zone is as
    /// before.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    #[must_use]
    #[inline]
    pub fn constrain(&mut self, constraint: Constraint) -> bool {
        let (i, j) = (self.index(constraint.left), self.index(constraint.right));
        let bound = constraint.bound.raw();
        if bound >= self.entry(i, j) {
            return true;
        }
        if add(self.entry(j, i), bound) < ZERO {
            return false;
        }
        kernels::constrain(&mut self.bounds, self.dimension.stride(), i, j, bound);
        self.settle(2 * self.reach + bound.abs());
        true
    }

    /// Keeps the points in which clocks are within upper bounds, all in one pass. Returns whether there are any;
    /// if not, the zone is as before.
    ///
    /// # Panics
    /// If a constraint is no finite upper bound of a clock of this dimension.
    #[must_use]
    #[inline]
    pub fn constrain_uppers(&mut self, uppers: &[Constraint]) -> bool {
        let mut satisfied = true;
        let mut largest = 0;
        for upper in uppers {
            assert!(
                upper.right == Clock::REFERENCE && upper.left != Clock::REFERENCE,
                "an upper bound of a clock"
            );
            let bound = upper.bound.raw();
            if bound < self.entry(self.index(upper.left), 0) {
                satisfied = false;
                largest = largest.max(bound.abs());
            }
        }
        if satisfied {
            return true;
        }
        if !kernels::constrain_uppers(&mut self.bounds, self.dimension.stride(), uppers) {
            return false;
        }
        self.settle(2 * self.reach + largest);
        true
    }

    /// Whether some point of the zone satisfies the constraint.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    #[must_use]
    #[inline]
    pub fn admits(&self, constraint: Constraint) -> bool {
        let (i, j) = (self.index(constraint.left), self.index(constraint.right));
        add(self.entry(j, i), constraint.bound.raw()) >= ZERO
    }

    /// Whether every point of the zone satisfies the constraint.
    ///
    /// # Panics
    /// If a clock is not one of this dimension.
    #[must_use]
    pub fn satisfies(&self, constraint: Constraint) -> bool {
        self.entry(self.index(constraint.left), self.index(constraint.right)) <= constraint.bound.raw()
    }

    /// Keeps the points that also lie in the other zone. Returns whether there are any; if not, what is left
    /// is the zero zone, good only for overwriting.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn intersect(&mut self, other: &Self) -> bool {
        self.assert_same_dimension(other);
        self.overflowed |= other.overflowed;
        self.reach = self.reach.max(other.reach);
        let non_empty = !kernels::minimum(&mut self.bounds, &other.bounds) || self.close();
        if !non_empty {
            *self = Self::zero(self.dimension);
        }
        non_empty
    }

    /// Grows to the smallest zone that includes both.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn hull(&mut self, other: &Self) {
        self.assert_same_dimension(other);
        self.overflowed |= other.overflowed;
        self.reach = self.reach.max(other.reach);
        kernels::maximum(&mut self.bounds, &other.bounds);
    }

    /// The points from which `clock := value` leads into the zone; nothing if there are none.
    ///
    /// # Panics
    /// As [`reset`](Self::reset).
    #[must_use]
    pub fn before_reset(mut self, clock: Clock, value: Constant) -> Option<Self> {
        assert!(value >= Constant::ZERO, "a clock is never negative");
        self.changeable(clock);
        let is_value = self.constrain_equal(clock, Clock::REFERENCE, value);
        is_value.then(|| {
            self.free(clock);
            self
        })
    }

    /// The points from which `clock := source + offset` leads into the zone; nothing if there are none.
    ///
    /// # Panics
    /// As [`assign`](Self::assign).
    #[must_use]
    pub fn before_assign(mut self, clock: Clock, source: Clock, offset: Constant) -> Option<Self> {
        if clock == source {
            return self.assign(clock, source, offset.negated()).then_some(self);
        }
        self.changeable(clock);
        let is_value = self.constrain_equal(clock, source, offset);
        is_value.then(|| {
            self.free(clock);
            self
        })
    }

    fn constrain_equal(&mut self, left: Clock, right: Clock, value: Constant) -> bool {
        self.constrain(Constraint::new(left, right, Bound::weak(value)))
            && self.constrain(Constraint::new(right, left, Bound::weak(value.negated())))
    }

    /// Takes the matrix out, to write bounds into it that need not be closed.
    #[must_use]
    pub fn into_open(self) -> OpenDbm {
        OpenDbm::from_closed(self)
    }
}

/// What the rest of the crate builds on.
impl Dbm {
    /// A matrix that is to be closed next.
    pub(crate) fn from_open_parts(dimension: Dimension, bounds: Vec<i32>, overflowed: bool) -> Self {
        let reach = kernels::magnitude(&bounds);
        Self { dimension, overflowed, reach, bounds }
    }

    pub(crate) fn into_parts(self) -> (Vec<i32>, bool) {
        (self.bounds, self.overflowed)
    }

    pub(crate) fn raw(&self) -> &[i32] {
        &self.bounds
    }

    /// A number that no finite raw bound exceeds in absolute value.
    pub(crate) const fn reach(&self) -> i32 {
        self.reach
    }

    /// The raw matrix, for code that leaves it closed, non-empty, and without larger entries.
    pub(crate) fn raw_mut(&mut self) -> &mut [i32] {
        &mut self.bounds
    }

    /// Overwrites the whole matrix, whose finite entries will be at most `reach` in absolute value, and
    /// closes it if asked to. Returns false if it came out empty; the zone is broken then.
    pub(crate) fn rewrite(&mut self, reach: i32, close: bool, write: impl FnOnce(&mut [i32])) -> bool {
        self.overflowed = false;
        self.reach = reach;
        write(&mut self.bounds);
        !close || self.close()
    }

    #[inline]
    pub(crate) fn entry(&self, i: usize, j: usize) -> i32 {
        self.bounds[i * self.dimension.stride() + j]
    }

    /// Closes the matrix after entries were lowered. Returns whether it is non-empty; if not, the matrix is
    /// broken and must be overwritten.
    fn close(&mut self) -> bool {
        self.close_with(kernels::close)
    }

    /// Closes the matrix by `kernel` if no sum can overflow in it, else by the slow exact way.
    pub(crate) fn close_with(&mut self, kernel: impl FnOnce(&mut [i32], usize) -> bool) -> bool {
        if !self.sums_fit() {
            self.reach = kernels::magnitude(&self.bounds);
        }
        if !self.sums_fit() {
            return self.close_wide();
        }
        let longest = self.longest_sum();
        let non_empty = kernel(&mut self.bounds, self.dimension.stride());
        if non_empty {
            self.settle(longest);
        }
        non_empty
    }

    fn sums_fit(&self) -> bool {
        i64::from(self.reach) * (self.dimension.size() as i64 + 1) < i64::from(INFINITY >> 1)
    }

    fn longest_sum(&self) -> i32 {
        self.reach * (self.dimension.size() as i32 + 1)
    }

    fn close_wide(&mut self) -> bool {
        match crate::wide::close(&self.bounds, self.dimension) {
            crate::wide::CloseResult::Empty => return false,
            crate::wide::CloseResult::Fits(bounds) => {
                self.bounds = bounds;
                self.settle(RAW_LIMIT);
            }
            crate::wide::CloseResult::TooLarge => self.overflow(),
        }
        true
    }

    /// Notes that entries may have grown up to `reach`, and looks whether any is too large if they may be.
    #[inline]
    fn settle(&mut self, reach: i32) {
        self.reach = reach;
        if reach >= RAW_LIMIT {
            self.reach = kernels::magnitude(&self.bounds);
            if self.reach >= RAW_LIMIT {
                self.overflow();
            }
        }
    }

    #[cold]
    fn overflow(&mut self) {
        self.make_universal();
        self.overflowed = true;
    }

    #[inline]
    fn index(&self, clock: Clock) -> usize {
        let index = clock.index();
        assert!(index < self.dimension.size(), "{clock:?} of {} clocks", self.dimension.clocks());
        index
    }

    fn changeable(&self, clock: Clock) -> usize {
        assert!(clock != Clock::REFERENCE, "the reference clock is always 0");
        self.index(clock)
    }

    pub(crate) fn assert_same_dimension(&self, other: &Self) {
        assert_eq!(self.dimension, other.dimension, "zones of different dimensions");
    }
}

impl PartialEq for Dbm {
    fn eq(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.bounds == other.bounds
    }
}

impl Eq for Dbm {}

impl Hash for Dbm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bounds.hash(state);
    }
}
