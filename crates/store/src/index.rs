//! Numbers found by hash: a table of short slots, with tags in the bits that the numbers leave free.
//!
//! A look-up among millions of states is dominated by cache misses, so this table is built to have one: slots are
//! contiguous, and a search goes from the slot that the hash selects to the next until it finds the number or an empty
//! slot, usually within one cache line. A slot has the number plus one in its low bits, and bits of the hash above, so
//! that numbers with other hashes are rarely compared. It takes as many whole bytes as leave four bits for the tag:
//! three for up to a million numbers, which are five slots of sixteen bytes.
//!
//! ```text
//!   23 or 31         b b-1                        0
//!  ┌──────────────────┬────────────────────────────┐
//!  │ tag, of the hash │ number + 1                 │   0 is an empty slot
//!  └──────────────────┴────────────────────────────┘
//! ```
//!
//! At most three of four slots are used, or seven of eight if space matters more than time. A full table is dropped and
//! rebuilt from the hashes of all numbers, larger by a half or an eighth, so that the old and the new one are never in
//! memory together. Nothing is ever removed, but a hash may get another number. A general table (`hashbrown`) has its
//! tags in a separate array, which costs a second miss, and takes 5.7 to 11.4 bytes for each number; this one takes 4
//! to 6, or 3.4 to 3.9.

/// The initial number of slots.
const FIRST: usize = 16;
/// The minimum number of bits of a tag, unless numbers need them.
const TAG_MIN: u32 = 4;
/// The number of bytes read for a slot, wherever it begins.
const READ: usize = 4;

/// The maximum load of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fill {
    /// For short searches.
    Loose,
    /// For little memory.
    Tight,
}

impl Fill {
    /// The maximum number of entries of a table with this many slots.
    const fn most(self, slots: usize) -> usize {
        match self {
            Self::Loose => slots - slots.div_ceil(4),
            Self::Tight => slots - slots.div_ceil(8),
        }
    }

    /// The number of slots of a rebuilt table with this many entries.
    const fn slots(self, numbers: usize) -> usize {
        match self {
            Self::Loose => FIRST + 2 * numbers,
            Self::Tight => FIRST + numbers + numbers / 7 * 2,
        }
    }

    /// The factor between the largest current number and the largest one that fits without a rebuild.
    const fn headroom(self) -> u32 {
        match self {
            Self::Loose => 4,
            Self::Tight => 2,
        }
    }
}

/// A set of numbers, each with a hash.
#[derive(Debug)]
pub(crate) struct Index {
    fill: Fill,
    bytes: Vec<u8>,
    slots: usize,
    len: usize,
    /// The number of bytes of a slot.
    width: usize,
    /// The number of bits of the number in a slot.
    number_bits: u32,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// This slot has this number.
    Number(usize, u32),
    /// This slot is empty; the number belongs there.
    Vacant(usize),
}

impl Index {
    pub(crate) fn new(fill: Fill) -> Self {
        let mut index = Self { fill, bytes: Vec::new(), slots: 0, len: 0, width: 0, number_bits: 0 };
        index.clear(FIRST, FIRST as u32);
        index
    }

    /// How many numbers there are.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Searches for a number with this hash for which `same` returns true.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Found {
        let (tag, mask) = (self.tag(hash), self.number_mask());
        let mut at = self.home(hash);
        loop {
            let slot = self.slot(at);
            if slot == 0 {
                return Found::Vacant(at);
            }
            if slot & !mask == tag && same((slot & mask) - 1) {
                return Found::Number(at, (slot & mask) - 1);
            }
            at = self.after(at);
        }
    }

    /// Reads the slot where a search for this hash begins. Reads that do not wait for each other bring many slots into the cache in the
    /// time of one; each of several searches would wait for its own.
    #[inline]
    pub(crate) fn first_slot(&self, hash: u64) -> u32 {
        self.slot(self.home(hash))
    }

    /// Whether one more number, and this one, would fit; if not, the table must be [rebuilt](Self::rebuild).
    #[inline]
    pub(crate) fn has_room(&self, number: u32) -> bool {
        self.len < self.fill.most(self.slots) && number < self.number_mask()
    }

    /// Writes a number to the slot where a search for its hash ended.
    #[inline]
    pub(crate) fn put(&mut self, end: Found, hash: u64, number: u32) {
        debug_assert!(self.has_room(number));
        let at = match end {
            Found::Number(at, _) => at,
            Found::Vacant(at) => {
                self.len += 1;
                at
            }
        };
        self.write(at, self.tag(hash) | (number + 1));
    }

    /// Enlarges the table, for numbers up to at least `number`, the largest one. `each` passes all numbers with their
    /// hashes.
    #[cold]
    pub(crate) fn rebuild(&mut self, number: u32, each: impl FnOnce(&mut dyn FnMut(u64, u32))) {
        let slots =
            if self.len < self.fill.most(self.slots) { self.slots } else { self.fill.slots(self.len) };
        let len = self.len;
        self.clear(slots, number.saturating_mul(self.fill.headroom()));
        each(&mut |hash, number| self.insert(hash, number));
        assert_eq!(self.len, len, "numbers got lost");
    }

    /// Adds a number with a hash that is not in the table.
    fn insert(&mut self, hash: u64, number: u32) {
        let mut at = self.home(hash);
        while self.slot(at) != 0 {
            at = self.after(at);
        }
        self.put(Found::Vacant(at), hash, number);
    }

    /// Makes the table empty, with this many slots, for numbers up to `number_max`.
    fn clear(&mut self, slots: usize, number_max: u32) {
        assert!(slots < 1 << 32, "more than 2^32 slots");
        self.number_bits = u32::BITS - number_max.saturating_add(1).leading_zeros();
        self.width = ((self.number_bits + TAG_MIN).div_ceil(8) as usize).clamp(2, READ);
        (self.slots, self.len) = (slots, 0);
        self.bytes = Vec::new();
        self.bytes = vec![0; slots * self.width + READ - self.width];
    }

    #[inline]
    fn slot(&self, at: usize) -> u32 {
        let start = at * self.width;
        let bytes: [u8; READ] = self.bytes[start..start + READ].try_into().unwrap_or_default();
        u32::from_le_bytes(bytes) & self.slot_mask()
    }

    #[inline]
    fn write(&mut self, at: usize, slot: u32) {
        let start = at * self.width;
        let bytes = &mut self.bytes[start..start + self.width];
        bytes.copy_from_slice(&slot.to_le_bytes()[..bytes.len()]);
    }

    #[inline]
    const fn slot_mask(&self) -> u32 {
        u32::MAX >> (8 * (READ - self.width))
    }

    #[inline]
    const fn number_mask(&self) -> u32 {
        u32::MAX >> (u32::BITS - self.number_bits)
    }

    /// The upper half of the hash, scaled to the number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots as u64) >> 32) as usize
    }

    /// Bits of the lower half.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & self.slot_mask() & !self.number_mask()
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots { 0 } else { at + 1 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    /// Adds a number, rebuilding the table if necessary.
    fn add(index: &mut Index, hashes: &[u64], number: u32) {
        if !index.has_room(number) {
            index
                .rebuild(number, |name| (0..number).for_each(|number| name(hashes[number as usize], number)));
        }
        let hash = hashes[number as usize];
        let end = index.find(hash, |found| found == number);
        assert!(matches!(end, Found::Vacant(_)), "{number} before it was added");
        index.put(end, hash, number);
    }

    #[test]
    fn every_number_is_found_again() {
        for seed in 0..20 {
            let mut random = Random::from_seed(seed);
            // Few bits make hashes collide, in their slot or in their tag.
            let bits = [u64::MAX, 0xf000_0000_0000_000f, 0xf << 60, 0][seed as usize % 4];
            let fill = if seed % 2 == 0 { Fill::Loose } else { Fill::Tight };
            let count = if bits == 0 { 500 } else { 20_000 };
            let hashes: Vec<u64> = (0..count).map(|_| random.next_u64() & bits).collect();
            let mut index = Index::new(fill);
            (0..count as u32).for_each(|number| add(&mut index, &hashes, number));
            for (number, &hash) in hashes.iter().enumerate().take(500) {
                let number = number as u32;
                let found = index.find(hash, |found| found == number);
                assert!(matches!(found, Found::Number(_, there) if there == number), "seed {seed}");
            }
            assert_eq!(index.len(), count);
            let most = if fill == Fill::Loose { 6 * count } else { count * 39 / 10 };
            assert!(index.bytes() <= most + 100, "seed {seed}: {} for {count}", index.bytes());
        }
    }

    #[test]
    fn numbers_with_another_tag_are_not_looked_at() {
        let mut index = Index::new(Fill::Loose);
        let hashes = [5u64 << 32 | 1 << 14, 5 << 32 | 1 << 15];
        for (number, hash) in hashes.into_iter().enumerate() {
            let end = index.find(hash, |_| panic!("another tag"));
            index.put(end, hash, number as u32);
        }
        assert!(matches!(index.find(hashes[1], |_| true), Found::Number(_, 1)));
    }

    #[test]
    fn a_hash_may_get_another_number_however_large() {
        let mut index = Index::new(Fill::Loose);
        for number in [3, 70_000, 20_000_000, 3_000_000_000] {
            if !index.has_room(number) {
                let known = index.len() == 1;
                index.rebuild(number, |name| {
                    if known {
                        name(77, 1)
                    }
                });
            }
            let end = index.find(77, |_| true);
            index.put(end, 77, number);
            assert!(matches!(index.find(77, |_| true), Found::Number(_, found) if found == number));
            assert_eq!(index.len(), 1);
        }
    }
}
