//! Bounds on clock differences, and their encoding as integers.
//!
//! A bound is one `32`-bit integer, so that the tighter of two bounds is the smaller of two integers and
//! whole rows of a matrix are compared and minimised by vector instructions:
//!
//! ```text
//!   31 30                                        1   0
//!  ┌──┬──────────────────────────────────────────┬───┐
//!  │ s│ constant c, two's complement             │ w │   (≤,c) is 2c+1, (<,c) is 2c
//!  └──┴──────────────────────────────────────────┴───┘
//!   infinity is 2^30; finite bounds stay strictly within ±2^28
//! ```
//!
//! The gap between the largest finite bound and infinity is deliberate. A kernel may add three finite bounds,
//! or infinity and a finite one, without leaving 32 bits and without a test in the loop; what it leaves
//! behind is checked afterwards (see `Dbm::overflowed`). A constant that does not fit is refused where it
//! enters, by [`Constant::new`]: nothing here ever wraps.
//!
//! The encoding is that of `[BengtssonYi2004]`, section 4.

use std::fmt;

use crate::error::Error;

/// Every finite raw bound lies strictly between `-RAW_LIMIT` and `RAW_LIMIT`.
pub(crate) const RAW_LIMIT: i32 = 1 << 28;
/// The raw form of infinity.
pub(crate) const INFINITY: i32 = 1 << 30;
/// The raw form of `(≤, 0)`.
pub(crate) const ZERO: i32 = 1;

/// An integer small enough to be a bound: at most [`Constant::MAX`] in absolute value.
///
/// ```
/// use tourbillon_dbm::Constant;
///
/// assert_eq!(Constant::new(42)?.get(), 42);
/// assert!(Constant::new(1 << 40).is_err());
/// # Ok::<(), tourbillon_dbm::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Constant(i32);

impl Constant {
    /// The largest constant, 134,217,727.
    pub const MAX: Self = Self((RAW_LIMIT >> 1) - 1);
    pub const ZERO: Self = Self(0);

    /// The constant with this value.
    ///
    /// # Errors
    /// If its absolute value exceeds [`Constant::MAX`].
    pub const fn new(value: i64) -> Result<Self, Error> {
        if value.unsigned_abs() <= Self::MAX.0 as u64 {
            Ok(Self(value as i32))
        } else {
            Err(Error::constant_too_large(value))
        }
    }

    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The constant with the other sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }
}

impl From<i16> for Constant {
    fn from(value: i16) -> Self {
        Self(value.into())
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// An upper bound on the difference of two clocks: `< c`, `<= c`, or none at all.
///
/// Bounds are ordered by what they admit: `< 3` is tighter (smaller) than `<= 3`, which is tighter than `<
/// 4`.
///
/// ```
/// use tourbillon_dbm::Bound;
///
/// let strict = Bound::strict(3.into());
/// let weak = Bound::weak(3.into());
/// assert!(strict < weak && weak < Bound::INFINITY);
/// assert_eq!(strict.checked_add(weak), Some(Bound::strict(6.into())));
/// assert_eq!(weak.complement(), Some(Bound::strict((-3).into())));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound(i32);

impl Bound {
    pub const INFINITY: Self = Self(INFINITY);
    /// `<= 0`.
    pub const ZERO: Self = Self(ZERO);

    /// `<= constant`.
    #[must_use]
    pub const fn weak(constant: Constant) -> Self {
        Self((constant.0 << 1) | 1)
    }

    /// `< constant`.
    #[must_use]
    pub const fn strict(constant: Constant) -> Self {
        Self(constant.0 << 1)
    }

    /// The constant, unless the bound is infinite.
    #[must_use]
    pub const fn constant(self) -> Option<Constant> {
        if self.0 == INFINITY { None } else { Some(Constant(self.0 >> 1)) }
    }

    /// Whether equality is excluded; true for infinity, which no difference reaches.
    #[must_use]
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// Whether there is no bound.
    #[must_use]
    pub const fn is_infinite(self) -> bool {
        self.0 == INFINITY
    }

    /// The bound on `x-z` that `self` on `x-y` and `other` on `y-z` imply; nothing if its constant is too
    /// large to be one.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        let sum = add(self.0, other.0);
        if sum == INFINITY || (sum > -RAW_LIMIT && sum < RAW_LIMIT) { Some(Self(sum)) } else { None }
    }

    /// The bound on `y-x` that says the contrary of `self` on `x-y`; nothing if `self` is infinite, whose
    /// contrary no point satisfies.
    #[must_use]
    pub const fn complement(self) -> Option<Self> {
        if self.0 == INFINITY { None } else { Some(Self(ZERO - self.0)) }
    }

    pub(crate) const fn from_raw(raw: i32) -> Self {
        debug_assert!(raw == INFINITY || (raw > -RAW_LIMIT && raw < RAW_LIMIT));
        Self(raw)
    }

    pub(crate) const fn raw(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant() {
            None => f.write_str("<inf"),
            Some(constant) if self.is_strict() => write!(f, "<{constant}"),
            Some(constant) => write!(f, "<={constant}"),
        }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The sum of two raw bounds: constants add up, and it is weak only if both are. Infinity absorbs.
///
/// With finite bounds the low bits are `w` and `v`, and `2c+w + 2d+v` exceeds `2(c+d) + (w & v)` by `w | v`.
#[inline]
pub(crate) const fn add(left: i32, right: i32) -> i32 {
    if left == INFINITY || right == INFINITY { INFINITY } else { left + right - ((left | right) & 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_small() -> Vec<Bound> {
        let finite = (-3..=3).flat_map(|c: i16| [Bound::strict(c.into()), Bound::weak(c.into())]);
        finite.chain([Bound::INFINITY]).collect()
    }

    /// Whether a difference of `halves/2` satisfies the bound.
    fn admits(bound: Bound, halves: i32) -> bool {
        bound
            .constant()
            .is_none_or(|c| if bound.is_strict() { halves < 2 * c.get() } else { halves <= 2 * c.get() })
    }

    #[test]
    fn order_is_inclusion_of_what_is_admitted() {
        for a in all_small() {
            for b in all_small() {
                let included = (-20..=20).all(|h| !admits(a, h) || admits(b, h));
                assert_eq!(a <= b, included, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_sum_is_the_tightest_implied_bound() {
        for a in all_small() {
            for b in all_small() {
                let sum = a.checked_add(b).unwrap();
                let strict = a.is_strict() || b.is_strict();
                let constant = a.constant().zip(b.constant()).map(|(c, d)| c.get() + d.get());
                assert_eq!(
                    (sum.constant().map(Constant::get), sum.is_strict()),
                    (constant, strict || constant.is_none())
                );
            }
        }
    }

    #[test]
    fn a_complement_admits_just_the_rest() {
        for bound in all_small() {
            match bound.complement() {
                None => assert!(bound.is_infinite()),
                Some(contrary) => {
                    assert!((-20..=20).all(|h| admits(bound, h) != admits(contrary, -h)), "{bound}");
                }
            }
        }
    }

    #[test]
    fn constants_too_large_are_refused_at_the_gate() {
        let max = i64::from(Constant::MAX.get());
        assert!(Constant::new(max).is_ok() && Constant::new(-max).is_ok());
        for value in [max + 1, -max - 1, i64::MAX, i64::MIN] {
            assert!(Constant::new(value).unwrap_err().to_string().contains(&value.to_string()));
        }
        let largest = Bound::weak(Constant::MAX);
        assert_eq!(largest.checked_add(Bound::weak(1.into())), None);
        assert_eq!(
            largest.checked_add(Bound::weak((-1).into())).and_then(Bound::constant),
            Constant::new(max - 1).ok()
        );
        assert_eq!(largest.complement().and_then(Bound::complement), Some(largest));
    }
}
