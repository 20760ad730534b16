//! Numbers of assignments, with an exponent beyond the range of floating-point numbers.
//!
//! Over a thousand variables there are more assignments than the largest such number, even if most of the variables do
//! not matter and what is asked for in the end is small. So the power of two is kept apart, and divided by before the two
//! are put together.

use std::ops::{Add, Shl, Shr};

/// `mantissa * 2^exponent`, the mantissa from 1 to below 2, or 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scaled {
    mantissa: f64,
    exponent: i64,
}

impl Scaled {
    fn new(number: f64, exponent: i64) -> Self {
        if number == 0.0 {
            return Self { mantissa: 0.0, exponent: 0 };
        }
        let shift = number.log2().floor();
        Self { mantissa: number / shift.exp2(), exponent: exponent + shift as i64 }
    }

    /// Times a power of two.
    fn times_power(self, exponent: i64) -> Self {
        Self::new(self.mantissa, self.exponent + exponent)
    }

    /// As an ordinary number; infinite if it is too large for one.
    pub(crate) fn value(self) -> f64 {
        self.mantissa * (self.exponent as f64).exp2()
    }
}

impl From<u32> for Scaled {
    fn from(number: u32) -> Self {
        Self::new(number.into(), 0)
    }
}

impl Add for Scaled {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.mantissa == 0.0 || other.mantissa == 0.0 {
            return if self.mantissa == 0.0 { other } else { self };
        }
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let small = small.mantissa * ((small.exponent - large.exponent) as f64).exp2();
        Self::new(large.mantissa + small, large.exponent)
    }
}

impl Shl<u32> for Scaled {
    type Output = Self;

    fn shl(self, by: u32) -> Self {
        self.times_power(by.into())
    }
}

impl Shr<u32> for Scaled {
    type Output = Self;

    fn shr(self, by: u32) -> Self {
        self.times_power(-i64::from(by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_exact_as_long_as_numbers_are_small() {
        let numbers: Vec<u32> = (0..40).chain([1 << 20, u32::MAX]).collect();
        for &a in &numbers {
            for &b in &numbers {
                let sum = Scaled::from(a) + Scaled::from(b);
                assert_eq!(sum.value(), f64::from(a) + f64::from(b), "{a} + {b}");
            }
            assert_eq!((Scaled::from(a) << 7).value(), f64::from(a) * 128.0);
            assert_eq!((Scaled::from(a) >> 1).value(), f64::from(a) / 2.0);
        }
    }

    #[test]
    fn what_is_too_large_for_a_while_comes_back() {
        let huge = (Scaled::from(3) << 5000) + (Scaled::from(4) << 5000);
        assert_eq!(huge.value(), f64::INFINITY);
        assert_eq!((huge >> 5000).value(), 7.0);
    }
}
