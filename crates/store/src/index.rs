//! Numbers found by hash: a table of 32-bit slots, with tags in the bits that the numbers leave free.
//!
//! A look-up among millions of states is a handful of cache misses and little else, so this table is built to
//! have one: slots lie one after the other, and a search goes from the slot that the hash points at to the next
//! until it meets the number or an empty slot, most often within one line of the cache. A slot has the number,
//! plus one, in as many low bits as numbers need, and bits of the hash above, so that a number with another hash
//! is rarely looked at; with a million numbers there are eleven such bits.
//!
//! ```text
//!   31               b b-1                        0
//!  ┌──────────────────┬────────────────────────────┐
//!  │ tag, of the hash │ number + 1                 │   0 is an empty slot
//!  └──────────────────┴────────────────────────────┘
//! ```
//!
//! At most three slots of four are taken. A table that is full is given up and built anew from the hashes of all
//! numbers, half as large again, so that the old and the new one are never in memory together. A number takes 5.3
//! to 8 bytes. Nothing is ever removed. A general table (`hashbrown`) has its tags in an array of their own, which
//! costs a second miss, and takes 5.7 to 11.4 bytes.

/// The number of slots to begin with.
const FIRST: usize = 16;

/// A set of the numbers from 0 on.
#[derive(Debug)]
pub(crate) struct Index {
    slots: Vec<u32>,
    /// How many numbers there are.
    len: usize,
    /// The bits of a slot that the number takes.
    mask: u32,
}

/// Where a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// At this number.
    Number(u32),
    /// At this slot, where the number would be.
    Vacant(usize),
}

impl Index {
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; FIRST], len: 0, mask: mask_for(FIRST) }
    }

    /// Looks for a number with this hash for which `same` says that it is the one.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Found {
        let tag = self.tag(hash);
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Found::Vacant(at);
            }
            if slot & !self.mask == tag && same((slot & self.mask) - 1) {
                return Found::Number((slot & self.mask) - 1);
            }
            at = self.after(at);
        }
    }

    /// Adds the next number at the slot where a search for its hash ended. `hash_of` gives the hash of any
    /// number, this one included.
    pub(crate) fn insert(&mut self, vacant: usize, hash: u64, hash_of: impl Fn(u32) -> u64) {
        self.slots[vacant] = self.tag(hash) | (self.len as u32 + 1);
        self.len += 1;
        if 4 * self.len >= 3 * self.slots.len() {
            self.grow(hash_of);
        }
    }

    #[cold]
    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let slots = self.slots.len() + self.slots.len() / 2;
        self.slots = Vec::new();
        self.slots = vec![0; slots];
        self.mask = mask_for(slots);
        for number in 0..self.len as u32 {
            let hash = hash_of(number);
            let mut at = self.home(hash);
            while self.slots[at] != 0 {
                at = self.after(at);
            }
            self.slots[at] = self.tag(hash) | (number + 1);
        }
    }

    /// The upper half of the hash, scaled to the number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    /// Bits of the lower half.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.mask
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }
}

/// Ones for the largest number plus one that a table of this many slots can have.
///
/// # Panics
/// If there are more slots than 32 bits can number.
fn mask_for(slots: usize) -> u32 {
    assert!(slots < 1 << 32, "more than 2^31 discrete states");
    u32::MAX >> (slots as u32).leading_zeros()
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    #[test]
    fn every_number_is_found_again() {
        for seed in 0..20 {
            let mut random = Random::from_seed(seed);
            // Few bits make hashes collide, in their home or in their tag.
            let bits = [u64::MAX, 0xf000_0000_0000_000f, 0xf << 60, 0][seed as usize % 4];
            let count = if bits == 0 { 500 } else { 20_000 };
            let hashes: Vec<u64> = (0..count).map(|_| random.next_u64() & bits).collect();
            let mut index = Index::new();
            for (number, &hash) in hashes.iter().enumerate() {
                let Found::Vacant(at) = index.find(hash, |found| found as usize == number) else {
                    panic!("seed {seed}: {number} before it was added")
                };
                index.insert(at, hash, |number| hashes[number as usize]);
            }
            for (number, &hash) in hashes.iter().enumerate().take(500) {
                let number = number as u32;
                assert_eq!(index.find(hash, |found| found == number), Found::Number(number), "seed {seed}");
            }
            assert!(index.bytes() <= 8 * count + 64, "seed {seed}: {}", index.bytes());
        }
    }

    #[test]
    fn numbers_with_another_tag_are_not_looked_at() {
        let mut index = Index::new();
        let hashes = [5u64 << 32 | 1 << 20, 5 << 32 | 1 << 21];
        for hash in hashes {
            let Found::Vacant(at) = index.find(hash, |_| panic!("another tag")) else {
                panic!("not there yet")
            };
            index.insert(at, hash, |number| hashes[number as usize]);
        }
        assert_eq!(index.find(hashes[1], |_| true), Found::Number(1));
    }
}
