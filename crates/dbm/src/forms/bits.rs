//! `bits`: every bound in a slot of its own, with a test bit, so that one subtraction decides the comparisons of a
//! whole group at once `[Bengtsson2001, section 3.3]`.
//!
//! ```text
//!   bit 0                                                      last
//!  ┌──────────┬──────────┬──────────┬─────────────┬──────────┐
//!  │ code  │ t│ code  │ t│ code  │ t│  …          │ code  │ t│      code   least significant bit first
//!  └──────────┴──────────┴──────────┴─────────────┴──────────┘      t      the test bit, 0 in storage
//! ```
//!
//! To test `D ⊆ D'`, set all test bits of `D'` and subtract `D` from it. A slot's test bit survives iff its code in
//! `D` is at most that in `D'`, and absorbs any borrow, so slots do not disturb each other. That is Algorithm 4 of the
//! thesis; its printed form compares the difference with the mask where the test bits of the difference are meant.

use super::packed::{Coding, GROUP_BITS, Packed};

/// The `bits` form of a model's zones.
pub type Bits = Packed<TestBits>;

/// Codes side by side, each with a test bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestBits {
    /// How many bits a slot has.
    slot: u32,
    /// All test bits of a group.
    tests: u64,
}

impl Coding for TestBits {
    fn new(codes: u32) -> Self {
        let slot = u32::BITS - (codes - 1).leading_zeros() + 1;
        let tests = (1..=GROUP_BITS / slot).fold(0, |tests, at| tests | 1 << (at * slot - 1));
        Self { slot, tests }
    }

    fn bits(&self, slots: usize) -> u32 {
        self.slot * slots as u32
    }

    #[inline(always)]
    fn push(&self, number: u64, code: u32) -> u64 {
        number << self.slot | u64::from(code)
    }

    #[inline(always)]
    fn pop(&self, number: &mut u64) -> u32 {
        let code = *number & ((1 << self.slot) - 1);
        *number >>= self.slot;
        code as u32
    }

    #[inline(always)]
    fn at_most(&self, small: u64, large: u64, _: usize) -> bool {
        ((large | self.tests).wrapping_sub(small)) & self.tests == self.tests
    }
}
