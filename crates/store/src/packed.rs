//! Records of two numbers, each in as many bits as the largest so far needs, in chunks that never move.
//!
//! Like [`Column`](crate::column::Column), without the bits that are always zero. A node of a list has the key of its
//! zone and a link; neither needs 32 bits before there are billions of them. If a number does not fit, all records are
//! rewritten with wider fields, chunk by chunk. A field grows by a bit when its largest number doubles, so a record is
//! rewritten only a few times, and memory grows by the difference and one chunk.
//!
//! ```text
//!   bit 0                          bits                            2 · bits
//!  ┌──────────────┬────────────────┬──────────────┬────────────────┬───
//!  │ first        │ second         │ first        │ second         │ ...     over words of 64 bits
//!  └──────────────┴────────────────┴──────────────┴────────────────┴───
//! ```
//!
//! A chunk has 4096 records, which is a whole number of words for every width, and one word more, so that a field is
//! always read from two words and borders need no special case.

/// A chunk has two to the power of this many records.
const SHIFT: u32 = 12;
const CHUNK: usize = 1 << SHIFT;
/// The initial number of records of the first chunk.
const FIRST: usize = 16;

/// Pairs of numbers addressed by `u32`, appended at the end.
#[derive(Debug)]
pub(crate) struct Packed {
    /// The numbers of bits of the fields, each at most 64.
    widths: [u32; 2],
    /// Masks of these widths.
    masks: [u64; 2],
    chunks: Vec<Vec<u64>>,
    len: usize,
}

impl Packed {
    /// No records, with fields of these widths.
    pub(crate) const fn new(widths: [u32; 2]) -> Self {
        Self { widths, masks: [mask(widths[0]), mask(widths[1])], chunks: Vec::new(), len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn widths(&self) -> [u32; 2] {
        self.widths
    }

    #[inline]
    fn bits(&self) -> usize {
        (self.widths[0] + self.widths[1]) as usize
    }

    /// The position of a record: its chunk and its first bit.
    #[inline]
    fn place(&self, position: u32) -> (usize, usize) {
        ((position >> SHIFT) as usize, (position as usize & (CHUNK - 1)) * self.bits())
    }

    #[inline]
    pub(crate) fn get(&self, position: u32) -> [u64; 2] {
        let (chunk, bit) = self.place(position);
        let words = &self.chunks[chunk][..];
        let [first, second] = self.widths;
        if first + second <= u64::BITS {
            // The usual case: one read for both.
            let both = read(words, bit);
            return [both & self.masks[0], both.unbounded_shr(first) & self.masks[1]];
        }
        [read(words, bit) & self.masks[0], read(words, bit + first as usize) & self.masks[1]]
    }

    #[inline]
    pub(crate) fn get_first(&self, position: u32) -> u64 {
        let (chunk, bit) = self.place(position);
        read(&self.chunks[chunk], bit) & self.masks[0]
    }

    #[inline]
    pub(crate) fn set_first(&mut self, position: u32, value: u64) {
        let (chunk, bit) = self.place(position);
        write(&mut self.chunks[chunk], bit, self.masks[0], value);
    }

    #[inline]
    pub(crate) fn set_second(&mut self, position: u32, value: u64) {
        let (chunk, bit) = self.place(position);
        write(&mut self.chunks[chunk], bit + self.widths[0] as usize, self.masks[1], value);
    }

    /// Appends a record and returns its position.
    ///
    /// # Panics
    /// If that does not fit in 32 bits.
    pub(crate) fn push(&mut self, record: [u64; 2]) -> u32 {
        let position = u32::try_from(self.len).expect("at most 2^32 records");
        self.make_room();
        self.len += 1;
        self.set_first(position, record[0]);
        self.set_second(position, record[1]);
        position
    }

    /// Makes room for one more record: the first chunk doubles, any other has its full size from the start.
    fn make_room(&mut self) {
        let (chunk, within) = (self.len >> SHIFT, self.len & (CHUNK - 1));
        if chunk == self.chunks.len() {
            let records = if chunk == 0 { FIRST } else { CHUNK };
            self.chunks.push(vec![0; words_for(records, self.bits())]);
        } else if chunk == 0 && words_for(within + 1, self.bits()) > self.chunks[0].len() {
            let words = words_for((2 * within).min(CHUNK), self.bits());
            let more = words - self.chunks[0].len();
            self.chunks[0].reserve_exact(more);
            self.chunks[0].resize(words, 0);
        }
    }

    /// Widens the fields to at least these widths.
    pub(crate) fn widen(&mut self, widths: [u32; 2]) {
        let widths = [self.widths[0].max(widths[0]), self.widths[1].max(widths[1])];
        if widths != self.widths {
            self.rewrite(widths, |record| record);
        }
    }

    /// Changes the widths of the fields and the value of every record.
    #[cold]
    pub(crate) fn rewrite(&mut self, widths: [u32; 2], value: impl Fn([u64; 2]) -> [u64; 2]) {
        let [old, new] = [self.widths, widths].map(|widths| (widths[0] + widths[1]) as usize);
        let masks = widths.map(mask);
        for (number, chunk) in self.chunks.iter_mut().enumerate() {
            let records = (self.len - (number << SHIFT)).min(CHUNK);
            let room = if number == 0 { records.next_power_of_two().max(FIRST) } else { CHUNK };
            let mut wide = vec![0; words_for(room, new)];
            for record in 0..records {
                let (from, to) = (record * old, record * new);
                let fields = value([
                    read(chunk, from) & self.masks[0],
                    read(chunk, from + self.widths[0] as usize) & self.masks[1],
                ]);
                write(&mut wide, to, masks[0], fields[0]);
                write(&mut wide, to + widths[0] as usize, masks[1], fields[1]);
            }
            *chunk = wide;
        }
        (self.widths, self.masks) = (widths, masks);
    }

    /// The allocated bytes.
    pub(crate) fn bytes(&self) -> usize {
        let words: usize = self.chunks.iter().map(Vec::capacity).sum();
        words * size_of::<u64>() + self.chunks.capacity() * size_of::<Vec<u64>>()
    }
}

/// The number of words for this many records, and one more.
const fn words_for(records: usize, bits: usize) -> usize {
    (records * bits).div_ceil(64) + 1
}

/// A mask with this many bits.
#[inline]
pub(crate) const fn mask(width: u32) -> u64 {
    u64::MAX.unbounded_shr(64 - width)
}

/// The number of bits of a number.
#[inline]
pub(crate) const fn bits_of(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// The 64 bits from this position on.
#[inline]
fn read(words: &[u64], bit: usize) -> u64 {
    let (word, shift) = (bit / 64, bit % 64);
    let [low, high] = words[word..word + 2] else { return 0 };
    ((u128::from(high) << 64 | u128::from(low)) >> shift) as u64
}

#[inline]
fn write(words: &mut [u64], bit: usize, mask: u64, value: u64) {
    debug_assert!(value & !mask == 0, "{value} does not fit");
    let (word, shift) = (bit / 64, bit % 64);
    let (field, value) = (u128::from(mask) << shift, u128::from(value) << shift);
    if let [low, high] = &mut words[word..word + 2] {
        *low = *low & !(field as u64) | value as u64;
        *high = *high & !((field >> 64) as u64) | (value >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    #[test]
    fn records_are_there_whatever_their_widths() {
        for seed in 0..30 {
            let mut random = Random::from_seed(seed);
            let width = |random: &mut Random| random.below(65) as u32;
            let mut packed = Packed::new([width(&mut random), width(&mut random)]);
            let mut known: Vec<[u64; 2]> = Vec::new();
            for round in 0..3 {
                let value = |random: &mut Random, packed: &Packed| {
                    packed.widths().map(|width| random.next_u64() & mask(width))
                };
                for _ in 0..random.below(2 * CHUNK) {
                    let record = value(&mut random, &packed);
                    assert_eq!(packed.push(record) as usize, known.len(), "seed {seed}");
                    known.push(record);
                }
                for _ in 0..random.below(500).min(known.len()) {
                    let position = random.below(known.len());
                    let record = value(&mut random, &packed);
                    packed.set_first(position as u32, record[0]);
                    packed.set_second(position as u32, record[1]);
                    known[position] = record;
                }
                let widths = packed.widths().map(|width| (width + random.below(9) as u32).min(64));
                packed.widen(widths);
                for (position, &record) in known.iter().enumerate() {
                    assert_eq!(packed.get(position as u32), record, "seed {seed}, round {round}");
                    assert_eq!(packed.get_first(position as u32), record[0], "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_wasted_but_the_last_chunk() {
        let mut packed = Packed::new([20, 22]);
        packed.push([1, 2]);
        assert!(packed.bytes() < 300);
        for number in 1..10 * CHUNK as u64 {
            packed.push([number, number]);
        }
        let used = 10 * CHUNK * 42 / 8;
        assert!((used..used + 600).contains(&packed.bytes()), "{}", packed.bytes());
    }
}
