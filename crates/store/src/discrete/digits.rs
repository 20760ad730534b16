//! All fields as one number, each a digit with as many values as its range has `[Bengtsson2001, section 3.2]`.
//!
//! ```text
//!   number = d_1 + b_1 · (d_2 + b_2 · (d_3 + …))       d_i the distance of field i from its least value
//! ```
//!
//! No code of a fixed length is shorter: every number below the product of the ranges represents a state. A process of
//! five locations takes 2.3 bits instead of 3. The cost is a division for each field that is read. Adjacent fields are
//! grouped while their product fits in 32 bits, so that a long number is divided once for each group.

use super::encoded::{SavedState, StateEncoding};

/// States as mixed-radix numbers.
#[derive(Debug)]
pub(crate) struct MixedRadix {
    /// The smallest value of each field, and its largest code.
    fields: Vec<(i32, u32)>,
    groups: Vec<Group>,
    bits: usize,
}

/// Adjacent fields whose digits together fit in 32 bits, or a single larger field.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    end: usize,
    /// The product of their bases: at most 2^32.
    base: u64,
}

impl MixedRadix {
    pub(crate) fn new(ranges: &[(i32, i32)]) -> Self {
        let fields: Vec<(i32, u32)> = ranges.iter().map(|&(low, high)| (low, high.abs_diff(low))).collect();
        let groups = group(&fields);
        let bits = bits_of_product(&groups);
        Self { fields, groups, bits }
    }
}

/// The number of values of a field.
fn base((_, code_max): (i32, u32)) -> u64 {
    u64::from(code_max) + 1
}

fn group(fields: &[(i32, u32)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, &field) in fields.iter().enumerate() {
        match groups.last_mut() {
            Some(last) if last.base.saturating_mul(base(field)) <= 1 << 32 => {
                last.base *= base(field);
                last.end = index + 1;
            }
            _ => groups.push(Group { start: index, end: index + 1, base: base(field) }),
        }
    }
    groups
}

/// The number of bits of the largest number.
fn bits_of_product(groups: &[Group]) -> usize {
    let mut largest = vec![0; 2 * groups.len() + 1];
    for group in groups {
        multiply_and_add(&mut largest, group.base, group.base - 1);
    }
    let unused: usize = largest.iter().rev().take_while(|&&word| word == 0).count();
    let top = largest.len() - unused;
    top * 32 - largest[..top].last().map_or(0, |word| word.leading_zeros() as usize)
}

/// `words := words * factor + summand`, which must fit.
fn multiply_and_add(words: &mut [u32], factor: u64, summand: u64) {
    let mut carry = u128::from(summand);
    for word in words {
        let product = u128::from(*word) * u128::from(factor) + carry;
        *word = product as u32;
        carry = product >> 32;
    }
    debug_assert_eq!(carry, 0);
}

/// Divides by a divisor of at most 2^32 and returns the remainder.
fn divide(words: &mut [u32], divisor: u64) -> u64 {
    let mut remainder = 0;
    for word in words.iter_mut().rev() {
        // The remainder is below 2^32, so this fits.
        let dividend = remainder << 32 | u64::from(*word);
        *word = (dividend / divisor) as u32;
        remainder = dividend % divisor;
    }
    remainder
}

impl StateEncoding for MixedRadix {
    fn bits(&self) -> usize {
        self.bits
    }

    fn write(&self, fields: &[i32], words: &mut [u32]) {
        assert_eq!(fields.len(), self.fields.len(), "another number of fields");
        let mut outside = false;
        words.fill(0);
        for group in self.groups.iter().rev() {
            let members = group.start..group.end;
            let digits = std::iter::zip(&self.fields[members.clone()], &fields[members]).rev();
            let value = digits.fold(0, |value, (&field, &given)| {
                let code = given.wrapping_sub(field.0).cast_unsigned();
                outside |= code > field.1;
                value * base(field) + u64::from(code.min(field.1))
            });
            multiply_and_add(words, group.base, value);
        }
        assert!(!outside, "a field outside its range: {fields:?}");
    }

    fn read(&self, saved: SavedState<'_>, fields: &mut [i32]) {
        assert_eq!(fields.len(), self.fields.len(), "another number of fields");
        let mut number = Number::of(self.bits.div_ceil(32), |index| saved.word(index));
        for group in &self.groups {
            let mut value = number.divide(group.base);
            let members = group.start..group.end;
            for (&field, given) in std::iter::zip(&self.fields[members.clone()], &mut fields[members]) {
                *given = field.0.wrapping_add(((value % base(field)) as u32).cast_signed());
                value /= base(field);
            }
        }
    }
}

/// Numbers up to this many words are divided on the stack.
const SHORT: usize = 32;

/// A number to be divided.
enum Number {
    Short([u32; SHORT], usize),
    Long(Vec<u32>),
}

impl Number {
    fn of(len: usize, word: impl Fn(usize) -> u32) -> Self {
        if len > SHORT {
            return Self::Long((0..len).map(word).collect());
        }
        let mut words = [0; SHORT];
        words[..len].iter_mut().enumerate().for_each(|(index, place)| *place = word(index));
        Self::Short(words, len)
    }

    fn divide(&mut self, divisor: u64) -> u64 {
        match self {
            Self::Short(words, len) => divide(&mut words[..*len], divisor),
            Self::Long(words) => divide(words, divisor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_take_the_fewest_bits() {
        let bits = |ranges: &[(i32, i32)]| MixedRadix::new(ranges).bits();
        assert_eq!(bits(&[(5, 5)]), 0);
        assert_eq!(bits(&[(0, 4); 7]), 17);
        assert_eq!(bits(&[(0, 2); 40]), 64);
        let mut fischer = vec![(0, 3); 10];
        fischer.push((0, 10));
        assert_eq!(bits(&fischer), 24);
    }

    #[test]
    #[should_panic(expected = "a field outside its range: [4]")]
    fn a_field_outside_its_range_is_no_other_state() {
        MixedRadix::new(&[(0, 3)]).write(&[4], &mut [0, 0]);
    }
}
