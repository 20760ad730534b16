//! Exact rational numbers: delays and clock values of a run are never rounded.
//!
//! A fraction is kept in lowest terms over a positive denominator, so that equality is equality of fields.
//! Arithmetic goes through 128 bits and answers `None` when a result does not fit in 64: a run whose delays
//! need more is refused, not rounded.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms.
///
/// ```
/// use tourbillon_base::Rational;
///
/// let half = Rational::new(2, 4).unwrap();
/// let third = Rational::new(1, 3).unwrap();
/// assert_eq!(half.checked_add(third), Rational::new(5, 6));
/// assert!(third < half);
/// assert_eq!(half.to_string(), "1/2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i64,
    denominator: i64,
}

impl Rational {
    pub const ZERO: Self = Self::from_integer(0);

    /// `numerator / denominator`; nothing if the denominator is 0 or the reduced fraction does not fit.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        Self::reduced(i128::from(numerator), i128::from(denominator))
    }

    #[must_use]
    pub const fn from_integer(value: i64) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    /// The number above the line, coprime to the one below.
    #[must_use]
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The number below the line, positive.
    #[must_use]
    pub const fn denominator(self) -> i64 {
        self.denominator
    }

    /// Whether it is a whole number.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        self.denominator == 1
    }

    /// The sum, if it fits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Self::reduced(a * d + c * b, b * d)
    }

    /// The difference, if it fits.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        let (a, b) = (i128::from(self.numerator), i128::from(self.denominator));
        let (c, d) = (i128::from(other.numerator), i128::from(other.denominator));
        Self::reduced(a * d - c * b, b * d)
    }

    fn reduced(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let sign = denominator.signum();
        Some(Self {
            numerator: i64::try_from(sign * (numerator / divisor)).ok()?,
            denominator: i64::try_from(sign * (denominator / divisor)).ok()?,
        })
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        let right = i128::from(other.numerator) * i128::from(self.denominator);
        left.cmp(&right)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Self {
        Self::from_integer(value.into())
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator, denominator).unwrap()
    }

    #[test]
    fn fractions_are_in_lowest_terms_over_a_positive_denominator() {
        assert_eq!(ratio(-6, -4), ratio(3, 2));
        assert_eq!(ratio(6, -4).to_string(), "-3/2");
        assert_eq!(ratio(0, -7), Rational::ZERO);
        assert!(ratio(8, 4).is_integer());
        assert_eq!(Rational::new(1, 0), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Rational::new(i64::MIN, -1), None);
        assert_eq!(Rational::new(i64::MIN, i64::MIN), Some(Rational::from_integer(1)));
        assert_eq!(Rational::from_integer(i64::MAX).checked_add(Rational::from_integer(1)), None);
        assert_eq!(ratio(1, i64::MAX).checked_sub(ratio(1, i64::MAX - 1)), None);
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        assert!(ratio(-1, 2) < ratio(-1, 3));
        assert!(ratio(i64::MAX, 2) > ratio(i64::MAX - 1, 2));
        assert_eq!(ratio(1, 3).checked_sub(ratio(1, 2)), Rational::new(-1, 6));
    }
}
