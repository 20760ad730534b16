//! `bits`: every bound in a slot of its own width, with a test bit, so that one subtraction per machine word
//! decides many comparisons at once `[Bengtsson2001, section 3.3]`.
//!
//! ```text
//!   bit 0                                                                              last
//!  ┌──────────┬──────────┬──────────┬─────────────────────────┬──────────┬────────┬───┐
//!  │ code  │ t│ code  │ t│ code  │ t│  …   one slot per pair   │ code  │ t│ zeroes │ r │
//!  └──────────┴──────────┴──────────┴─────────────────────────┴──────────┴────────┴───┘
//!   code   the bound, least significant bit first, in the fewest bits that its range allows (see Ranges)
//!   t      the test bit, 0 in storage
//!   r      1 if bounds were dropped, so that decoding has to close; above all slots, so it never counts
//! ```
//!
//! The string is cut into 64-bit limbs, the least significant first, wherever the cuts fall. To test `D ⊆
//! D'`, set all test bits of `D'` and subtract `D` from it as one long number. A slot's test bit survives iff
//! its code in `D` is at most that in `D'`, and absorbs any borrow, so slots do not disturb each other. That
//! is Algorithm 4 of the thesis; its printed form compares the difference with the mask where the test bits
//! of the difference are meant.
//!
//! The algorithm passes the borrow from limb to limb. Here limbs do not wait for each other: a slot is at
//! most 31 bits wide, so every full limb has a test bit, 1 above and 0 below, and no borrow passes beyond it.
//! Whether limb `i` borrows from limb `i+1` therefore depends on limb `i` alone, and the borrow can be
//! computed where it is needed. The loop has no chain of dependencies and vectorises.

use super::ranges::{Kept, Ranges, Slot};
use super::{Form, Unencodable};
use crate::dbm::Dbm;
use crate::kernels::multiversion;

const LIMB_BITS: usize = u64::BITS as usize;
/// The bit that says that bounds were dropped, in the last limb.
const DROPPED: u64 = 1 << 63;

/// The `bits` form of a model's zones.
#[derive(Clone, Debug)]
pub struct Bits {
    ranges: Ranges,
    /// The first bit of each slot.
    offsets: Vec<u32>,
    /// The test bits.
    mask: Vec<u64>,
}

impl Bits {
    /// The form for zones with bounds in these ranges.
    #[must_use]
    pub fn new(ranges: Ranges) -> Self {
        let mut offsets = Vec::with_capacity(ranges.slots().len());
        let mut end = 0;
        let mut tests = Vec::with_capacity(ranges.slots().len());
        for slot in ranges.slots() {
            offsets.push(end);
            end += code_bits(*slot) + 1;
            tests.push(end as usize - 1);
        }
        let mut mask = vec![0; end as usize / LIMB_BITS + 1];
        for test in tests {
            mask[test / LIMB_BITS] |= 1 << (test % LIMB_BITS);
        }
        Self { ranges, offsets, mask }
    }

    /// How many limbs each zone takes.
    #[must_use]
    pub fn limbs(&self) -> usize {
        self.mask.len()
    }

    /// Whether the zone encoded in `large` includes the one encoded in `small`: the test that this form is
    /// for.
    ///
    /// # Panics
    /// If either has another number of limbs than [`Bits::limbs`].
    #[must_use]
    pub fn includes_encoded(&self, large: &[u64], small: &[u64]) -> bool {
        assert!(large.len() == self.limbs() && small.len() == self.limbs(), "words of another form");
        includes_packed(large, small, &self.mask)
    }

    fn code(&self, words: &[u64], index: usize, slot: Slot) -> u32 {
        let (limb, shift) =
            (self.offsets[index] as usize / LIMB_BITS, self.offsets[index] as usize % LIMB_BITS);
        let high = words.get(limb + 1).map_or(0, |&next| u128::from(next));
        let window = (u128::from(words[limb]) | (high << LIMB_BITS)) >> shift;
        window as u32 & ((1 << code_bits(slot)) - 1)
    }

    /// The slots with the bounds that a packed zone has in them.
    fn bounds<'a>(&'a self, words: &'a [u64]) -> impl Iterator<Item = (Slot, i32)> + 'a {
        let slots = self.ranges.slots().iter().enumerate();
        slots.map(|(index, &slot)| (slot, slot.bound(self.code(words, index, slot))))
    }

    fn kept(&self, words: &[u64]) -> Kept {
        if words[self.limbs() - 1] & DROPPED == 0 { Kept::Everything } else { Kept::EnoughToClose }
    }
}

/// The fewest bits that hold every code of a slot.
fn code_bits(slot: Slot) -> u32 {
    u32::BITS - (slot.codes - 1).leading_zeros()
}

impl Form for Bits {
    type Word = u64;

    fn encode(&self, zone: &Dbm, words: &mut Vec<u64>) -> Result<(), Unencodable> {
        let kept = self.ranges.keep(zone)?;
        let start = words.len();
        words.resize(start + self.limbs(), 0);
        let limbs = &mut words[start..];
        let raw = self.ranges.raw(zone);
        for (&slot, &offset) in self.ranges.slots().iter().zip(&self.offsets) {
            let code = u128::from(slot.code(raw[slot.entry as usize])) << (offset as usize % LIMB_BITS);
            let limb = offset as usize / LIMB_BITS;
            limbs[limb] |= code as u64;
            if let Some(next) = limbs.get_mut(limb + 1) {
                *next |= (code >> LIMB_BITS) as u64;
            }
        }
        if kept == Kept::EnoughToClose {
            limbs[self.limbs() - 1] |= DROPPED;
        }
        Ok(())
    }

    fn decode(&self, words: &[u64], zone: &mut Dbm) {
        self.ranges.fill(zone, self.kept(words), self.bounds(words));
    }

    fn includes(&self, words: &[u64], zone: &Dbm) -> bool {
        let raw = self.ranges.raw(zone);
        self.bounds(words).all(|(slot, bound)| raw[slot.entry as usize] <= bound)
    }

    fn is_included(&self, words: &[u64], zone: &Dbm, scratch: &mut Dbm) -> bool {
        if self.kept(words) == Kept::EnoughToClose {
            self.decode(words, scratch);
            return zone.includes(scratch);
        }
        let raw = self.ranges.raw(zone);
        self.ranges.outside_within(zone)
            && self.bounds(words).all(|(slot, bound)| bound <= raw[slot.entry as usize])
    }
}

multiversion! {
    /// Whether no code in `small` exceeds that in `large`.
    fn includes_packed(large: &[u64], small: &[u64], mask: &[u64]) -> bool = includes_packed_any;
}

#[inline(always)]
fn includes_packed_any(large: &[u64], small: &[u64], mask: &[u64]) -> bool {
    let mut lost = 0;
    let mut borrow = 0;
    for ((&large, &small), &mask) in large.iter().zip(small).zip(mask) {
        let large = large | mask;
        let difference = large.wrapping_sub(small).wrapping_sub(borrow);
        borrow = u64::from(large < small);
        lost |= !difference & mask;
    }
    lost == 0
}
