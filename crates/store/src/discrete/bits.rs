//! Every field in as many bits as its range needs, packed into words of 32 bits `[Bengtsson2001, section 3.2]`.
//!
//! A field may begin in one word and end in the next. Packing goes word by word: a word is assembled from the fields
//! that have a part in it, each shifted independently of the others. Ten processes of four locations and a variable up
//! to ten fit in one word.

use super::encoded::{SavedState, StateEncoding};

/// The layout of fields in words.
#[derive(Debug)]
pub(crate) struct BitPacking {
    fields: Vec<PackedField>,
    words: Vec<PackedWord>,
}

/// A word, with the first field that has a part in it and the following ones.
#[derive(Clone, Debug)]
struct PackedWord {
    first: usize,
    parts: Vec<FieldPart>,
}

/// The position of a field.
#[derive(Clone, Copy, Debug)]
struct PackedField {
    low: i32,
    /// The index of its first word.
    word: usize,
    shift: u32,
    /// A mask with the bits of the field.
    mask: u32,
}

/// The part of a field in a word: its code, shifted left by one number and right by the other, one of which is 0.
#[derive(Clone, Copy, Debug)]
struct FieldPart {
    low: i32,
    /// The largest code: codes are distances from `low`.
    code_max: u32,
    up: u32,
    down: u32,
}

impl BitPacking {
    pub(crate) fn new(ranges: &[(i32, i32)]) -> Self {
        let mut packing = Self { fields: Vec::new(), words: Vec::new() };
        let mut bit = 0;
        for &(low, high) in ranges {
            bit = packing.place(low, high.abs_diff(low), bit);
        }
        packing
    }

    /// Places the next field at this bit and returns the bit after it. A field without bits has a part too, so that its
    /// range is checked.
    fn place(&mut self, low: i32, code_max: u32, bit: usize) -> usize {
        let width = (u32::BITS - code_max.leading_zeros()) as usize;
        let (word, shift) = (bit / 32, bit as u32 % 32);
        let end = bit + width;
        self.add_part(word, FieldPart { low, code_max, up: shift, down: 0 });
        if end > 32 * (word + 1) {
            self.add_part(word + 1, FieldPart { low, code_max, up: 0, down: 32 - shift });
        }
        let mask = (1u64 << width).wrapping_sub(1) as u32;
        self.fields.push(PackedField { low, word, shift, mask });
        end
    }

    /// Adds a part of the next field to a word, which may be new.
    fn add_part(&mut self, word: usize, part: FieldPart) {
        if word == self.words.len() {
            self.words.push(PackedWord { first: self.fields.len(), parts: Vec::new() });
        }
        self.words[word].parts.push(part);
    }

    /// The number of bits of a state.
    pub(super) fn bits(&self) -> usize {
        self.fields.last().map_or(0, |last| 32 * last.word + (last.shift + last.mask.count_ones()) as usize)
    }

    /// The number of used bits of a word.
    pub(super) fn width(&self, word: usize) -> u32 {
        (self.bits() - 32 * word).min(32) as u32
    }

    /// The number of words of a state.
    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// Packs a state into `words`.
    ///
    /// # Panics
    /// If the number of fields differs or a field is outside its range: the packed state would be a different one.
    pub(crate) fn encode(&self, fields: &[i32], words: &mut [u32]) {
        assert_eq!(fields.len(), self.fields.len(), "another number of fields");
        let mut outside = false;
        for (packed, word) in words.iter_mut().zip(&self.words) {
            *packed = 0;
            for (part, &value) in word.parts.iter().zip(&fields[word.first..]) {
                let code = value.wrapping_sub(part.low).cast_unsigned();
                outside |= code > part.code_max;
                *packed |= (code << part.up) >> part.down;
            }
        }
        assert!(!outside, "a field outside its range: {fields:?}");
    }

    pub(crate) fn decode(&self, words: &[u32], fields: &mut [i32]) {
        self.decode_from(|index| words.get(index).copied().unwrap_or(0), fields);
    }

    /// Unpacks a state from words that are read by index, up to one past the last.
    #[inline]
    fn decode_from(&self, word: impl Fn(usize) -> u32, fields: &mut [i32]) {
        assert_eq!(fields.len(), self.fields.len(), "another number of fields");
        for (field, value) in self.fields.iter().zip(fields) {
            let two_words = u64::from(word(field.word + 1)) << 32 | u64::from(word(field.word));
            let code = (two_words >> field.shift) as u32 & field.mask;
            *value = field.low.wrapping_add(code.cast_signed());
        }
    }
}

impl StateEncoding for BitPacking {
    fn bits(&self) -> usize {
        Self::bits(self)
    }

    fn write(&self, fields: &[i32], words: &mut [u32]) {
        self.encode(fields, words);
    }

    fn read(&self, saved: SavedState<'_>, fields: &mut [i32]) {
        self.decode_from(|index| saved.word(index), fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_take_the_bits_they_need() {
        let words = |ranges: &[(i32, i32)]| BitPacking::new(ranges).words();
        assert_eq!(words(&[]), 0);
        assert_eq!(words(&[(5, 5), (0, 0)]), 1);
        let mut fischer = vec![(0, 3); 10];
        fischer.push((0, 10));
        assert_eq!(words(&fischer), 1);
        assert_eq!(words(&[(i32::MIN, i32::MAX), (0, 1)]), 2);
        assert_eq!(words(&[(0, 1), (i32::MIN, i32::MAX)]), 2);
        assert_eq!(words(&[(0, 100); 9]), 2);
    }

    #[test]
    #[should_panic(expected = "a field outside its range: [4]")]
    fn a_field_outside_its_range_is_no_other_state() {
        BitPacking::new(&[(0, 3)]).encode(&[4], &mut [0]);
    }

    #[test]
    #[should_panic(expected = "a field outside its range: [8]")]
    fn a_field_that_takes_no_bits_has_a_range_too() {
        BitPacking::new(&[(7, 7)]).encode(&[8], &mut [0]);
    }
}
