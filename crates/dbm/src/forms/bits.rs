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
//!
//! Rows that follow each other are compared as one long number, eight bytes at a time wherever the cuts fall. The
//! algorithm passes the borrow on from one word to the next. Here words do not wait for each other: a slot is at most 31
//! bits wide and at most 7 bits lie between rows, so every word has a test bit, 1 above and 0 below, and no borrow passes
//! beyond it. Whether a word borrows from the next therefore depends on that word alone.

use super::packed::{Coding, GROUP_BITS, Packed, word};
use crate::kernels::multiversion;

/// Up to how many bytes are compared without calling a function for it.
const FEW: usize = 32;

/// The `bits` form of a model's zones.
pub type Bits = Packed<TestBits>;

/// Codes side by side, each with a test bit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestBits {
    /// How many bits a slot has.
    slot: u32,
    /// All test bits of a group.
    tests: u64,
    /// All test bits of all rows.
    mask: Vec<u64>,
}

impl Coding for TestBits {
    fn new(codes: u32) -> Self {
        let slot = u32::BITS - (codes - 1).leading_zeros() + 1;
        let tests = (1..=GROUP_BITS / slot).fold(0, |tests, at| tests | 1 << (at * slot - 1));
        Self { slot, tests, mask: Vec::new() }
    }

    fn for_rows(mut self, rows: usize, slots: usize, bytes: usize) -> Self {
        self.mask = vec![0; (rows * bytes).div_ceil(8)];
        for (row, slot) in (0..rows).flat_map(|row| (1..=slots).map(move |slot| (row, slot))) {
            let test = 8 * row * bytes + slot * self.slot as usize - 1;
            self.mask[test / 64] |= 1 << (test % 64);
        }
        self
    }

    fn bits(&self, slots: usize) -> u32 {
        self.slot * slots as u32
    }

    fn weight(&self, position: u32) -> u64 {
        1 << (position * self.slot)
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

    #[inline(always)]
    fn all_at_most(&self, small: &[u8], large: &[u8], bytes: usize) -> Option<bool> {
        if bytes <= FEW {
            return Some(all_at_most_any(small, large, bytes, &self.mask));
        }
        Some(all_at_most(small, large, bytes, &self.mask))
    }
}

multiversion! {
    /// Whether no code in the first bytes of `small` exceeds that in `large`.
    fn all_at_most(small: &[u8], large: &[u8], bytes: usize, mask: &[u64]) -> bool = all_at_most_any;
}

#[inline(always)]
fn all_at_most_any(small: &[u8], large: &[u8], bytes: usize, mask: &[u64]) -> bool {
    let (mut lost, mut borrow) = (0, 0);
    let words = small[..bytes].as_chunks().0.iter().zip(large[..bytes].as_chunks().0);
    for ((&small, &large), &mask) in words.zip(mask) {
        let (small, large) = (u64::from_le_bytes(small), u64::from_le_bytes(large) | mask);
        lost |= !large.wrapping_sub(small).wrapping_sub(borrow) & mask;
        borrow = u64::from(large < small);
    }
    if !bytes.is_multiple_of(8) {
        let mask = mask[bytes / 8] & ((1 << (8 * (bytes % 8))) - 1);
        let large = tail(large, bytes) | mask;
        lost |= !large.wrapping_sub(tail(small, bytes)).wrapping_sub(borrow) & mask;
    }
    lost == 0
}

/// What is left of so many bytes after the last whole word: the end of the last eight, if there are as many; else with
/// whatever comes after them higher up, where no test bit is asked for.
#[inline(always)]
fn tail(row: &[u8], bytes: usize) -> u64 {
    match row[..bytes].last_chunk() {
        Some(&last) => u64::from_le_bytes(last) >> (64 - 8 * (bytes % 8)),
        None => word(row),
    }
}
