//! `digits`: every bound as a digit of a number `[Bengtsson2001, section 3.2]`.
//!
//! ```text
//!   number = d_1 + b · (d_2 + b · (d_3 + …))       d_i the code of slot i, b how many codes there are
//! ```
//!
//! No encoding with a fixed length is shorter, since every number below the power of the base stands for some
//! combination of bounds. It is canonical, so equality is equality of bytes. The price is a division for each digit
//! read. The number is built from the last slot to the first, so that reading it takes the slots in order, and a
//! comparison that fails early leaves early (Algorithms 2 and 3 of the thesis). Instead of one long number there is
//! one for each group, so that all fit in a machine word; that costs less than one bit for each.

use super::packed::{Coding, Packed};

/// The `digits` form of a model's zones.
pub type Digits = Packed<Base>;

/// Codes as the digits of a number to this base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base(u64);

impl Coding for Base {
    fn new(codes: u32) -> Self {
        Self(codes.into())
    }

    /// As many as the largest number has; where that does not fit in a word, any number that is too large.
    fn bits(&self, slots: usize) -> u32 {
        let power = u32::try_from(slots).ok().and_then(|slots| self.0.checked_pow(slots));
        power.map_or(u64::BITS, |power| u64::BITS - (power - 1).leading_zeros())
    }

    fn weight(&self, position: u32) -> u64 {
        self.0.pow(position)
    }

    #[inline(always)]
    fn pop(&self, number: &mut u64) -> u32 {
        let code = *number % self.0;
        *number /= self.0;
        code as u32
    }

    #[inline(always)]
    fn at_most(&self, mut small: u64, mut large: u64, slots: usize) -> bool {
        if small == large {
            return true;
        }
        (0..slots).all(|_| self.pop(&mut small) <= self.pop(&mut large))
    }
}
