//! `digits`: every bound as a digit of one long number, each with a base of its own `[Bengtsson2001, section
//! 3.2]`.
//!
//! ```text
//!   number = r + 2 · (d_1 + b_1 · (d_2 + b_2 · (d_3 + …)))       d_i the code of slot i, b_i how many codes it has
//!
//!   limb 0 (least significant)   limb 1                        last limb
//!  ┌────────────────────────────┬────────────────────────────┬──────────────────┬──────────┐
//!  │ number mod 2^64            │ …                          │ rest             │ zeroes   │
//!  └────────────────────────────┴────────────────────────────┴──────────────────┴──────────┘
//!   r is 1 if bounds were dropped, so that decoding has to close
//! ```
//!
//! No encoding with a fixed length is shorter, since every number below the product of the bases stands for
//! some combination of bounds. It is canonical, so equality is equality of limbs. The price is a division for
//! each digit read. To pay less, neighbouring digits are gathered while their product fits in a word: one
//! multiplication (or division) of the long number then moves a whole group. The number is built from the
//! last slot to the first, so that reading it takes the slots in order, and a comparison that fails early
//! leaves early (Algorithms 2 and 3 of the thesis).

use super::ranges::{Kept, Ranges, Slot};
use super::{Form, Unencodable};
use crate::dbm::Dbm;

/// The `digits` form of a model's zones.
#[derive(Clone, Debug)]
pub struct Digits {
    ranges: Ranges,
    groups: Vec<Group>,
    limbs: usize,
    bits: usize,
}

/// Neighbouring slots whose digits together fit in one word.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    end: usize,
    /// The product of their bases.
    base: u64,
}

impl Digits {
    /// The form for zones with bounds in these ranges.
    #[must_use]
    pub fn new(ranges: Ranges) -> Self {
        let groups = group(ranges.slots());
        let bits = bits_of_product(groups.iter().map(|group| group.base).chain([2]));
        Self { ranges, groups, limbs: bits.div_ceil(64), bits }
    }

    /// How many limbs each zone takes.
    #[must_use]
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// How many bits of those limbs are ever used: those of the largest number.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Whether the zone encoded in `large` includes the one encoded in `small`, digit by digit.
    #[must_use]
    pub fn includes_encoded(&self, large: &[u64], small: &[u64]) -> bool {
        let (mut large, mut small) = (Number::from_limbs(large), Number::from_limbs(small));
        large.divide(2);
        small.divide(2);
        self.groups.iter().all(|group| {
            let (mut large, mut small) = (large.divide(group.base), small.divide(group.base));
            self.ranges.slots()[group.start..group.end].iter().all(|slot| {
                let base = u64::from(slot.codes);
                let at_most = small % base <= large % base;
                (large, small) = (large / base, small / base);
                at_most
            })
        })
    }

    /// What was dropped, and the slots with the bounds that a packed zone has in them.
    fn bounds<'a>(&'a self, words: &[u64]) -> (Kept, impl Iterator<Item = (Slot, i32)> + use<'a>) {
        let mut number = Number::from_limbs(words);
        let kept = if number.divide(2) == 0 { Kept::Everything } else { Kept::EnoughToClose };
        let bounds = self.groups.iter().flat_map(move |group| {
            let mut digits = number.divide(group.base);
            self.ranges.slots()[group.start..group.end].iter().map(move |&slot| {
                let code = digits % u64::from(slot.codes);
                digits /= u64::from(slot.codes);
                (slot, slot.bound(code as u32))
            })
        });
        (kept, bounds)
    }
}

fn group(slots: &[Slot]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        let fitting = groups.last_mut().and_then(|last| {
            last.base = last.base.checked_mul(u64::from(slot.codes))?;
            last.end = index + 1;
            Some(())
        });
        if fitting.is_none() {
            groups.push(Group { start: index, end: index + 1, base: u64::from(slot.codes) });
        }
    }
    groups
}

/// The bits of the largest number below the product of the bases.
fn bits_of_product(bases: impl Iterator<Item = u64>) -> usize {
    let mut largest = Number { limbs: vec![0] };
    for base in bases {
        largest.multiply_and_add(base, base - 1);
    }
    let zeroes: u32 = largest.limbs.last().map_or(0, |last| last.leading_zeros());
    largest.limbs.len() * 64 - zeroes as usize
}

impl Form for Digits {
    type Word = u64;

    fn encode(&self, zone: &Dbm, words: &mut Vec<u64>) -> Result<(), Unencodable> {
        let kept = self.ranges.keep(zone)?;
        let start = words.len();
        words.resize(start + self.limbs, 0);
        let limbs = &mut words[start..];
        let (slots, raw) = (self.ranges.slots(), zone.raw());
        for group in self.groups.iter().rev() {
            let digits = slots[group.start..group.end].iter().rev().fold(0, |digits, slot| {
                digits * u64::from(slot.codes) + u64::from(slot.code(raw[slot.entry as usize]))
            });
            let carry = multiply_and_add(limbs, group.base, digits);
            debug_assert_eq!(carry, 0);
        }
        multiply_and_add(limbs, 2, u64::from(kept == Kept::EnoughToClose));
        Ok(())
    }

    fn decode(&self, words: &[u64], zone: &mut Dbm) {
        let (kept, bounds) = self.bounds(words);
        self.ranges.fill(zone, kept, bounds);
    }

    fn includes(&self, words: &[u64], zone: &Dbm) -> bool {
        let raw = self.ranges.raw(zone);
        self.bounds(words).1.all(|(slot, bound)| raw[slot.entry as usize] <= bound)
    }

    fn is_included(&self, words: &[u64], zone: &Dbm, scratch: &mut Dbm) -> bool {
        let raw = self.ranges.raw(zone);
        let (kept, mut bounds) = self.bounds(words);
        if kept == Kept::EnoughToClose {
            self.decode(words, scratch);
            return zone.includes(scratch);
        }
        self.ranges.outside_within(zone) && bounds.all(|(slot, bound)| bound <= raw[slot.entry as usize])
    }
}

/// A long number, least significant limb first.
struct Number {
    limbs: Vec<u64>,
}

impl Number {
    fn from_limbs(limbs: &[u64]) -> Self {
        Self { limbs: limbs.to_vec() }
    }

    /// Grows where the product needs another limb.
    fn multiply_and_add(&mut self, factor: u64, summand: u64) {
        let carry = multiply_and_add(&mut self.limbs, factor, summand);
        if carry != 0 {
            self.limbs.push(carry);
        }
    }

    /// Divides by a divisor that is not 0 and returns the remainder. Limbs that have become 0 are left off.
    fn divide(&mut self, divisor: u64) -> u64 {
        let mut remainder = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = (u128::from(remainder) << 64) | u128::from(*limb);
            *limb = (dividend / u128::from(divisor)) as u64;
            remainder = (dividend % u128::from(divisor)) as u64;
        }
        if self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        remainder
    }
}

/// `limbs := limbs * factor + summand`; returns what did not fit.
fn multiply_and_add(limbs: &mut [u64], factor: u64, summand: u64) -> u64 {
    let mut carry = summand;
    for limb in limbs {
        let product = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        *limb = product as u64;
        carry = (product >> 64) as u64;
    }
    carry
}
