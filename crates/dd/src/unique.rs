//! The unique table: finds the node with given bytes, so that no two nodes are equal.
//!
//! Open addressing with linear probing. A slot has four bytes for an address and nothing else: no link in the nodes, unlike the paper,
//! and no hash beside the address. The bits that addresses leave free hold bits of the hash, so that few nodes are
//! compared needlessly. At most four slots of five are taken; a full table grows by half. A collection removes nodes all at once and
//! leaves a tombstone where a probe must continue: that needs no hash and reads no node.

/// The number of slots to begin with.
const FIRST: usize = 64;
/// A slot whose address was removed; no node has that address.
const REMOVED: u32 = 1;

/// A set of addresses, each with a hash.
#[derive(Debug)]
pub(crate) struct Unique {
    /// 0 is an empty slot: no node has that address.
    slots: Vec<u32>,
    len: usize,
    /// How many slots are marked as removed.
    removed: usize,
    /// The bits of a slot that are the address; the others are of the hash.
    address_mask: u32,
}

impl Unique {
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; FIRST], len: 0, removed: 0, address_mask: u32::MAX }
    }

    /// How many addresses there are.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The address with this hash for which `same` says that it is the one.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            let address = slot & self.address_mask;
            if slot & !self.address_mask == self.tag(hash) && slot != REMOVED && same(address) {
                return Some(address);
            }
            at = self.after(at);
        }
    }

    /// Whether one more address, of this size, would fit.
    #[inline]
    pub(crate) const fn has_room(&self, address: u32) -> bool {
        self.len + self.removed < self.slots.len() / 5 * 4 && address <= self.address_mask
    }

    /// Adds an address that is not in the table.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, address: u32) {
        debug_assert!(self.has_room(address) && address != 0);
        let mut at = self.home(hash);
        while self.slots[at] > REMOVED {
            at = self.after(at);
        }
        self.removed -= usize::from(self.slots[at] == REMOVED);
        self.slots[at] = self.tag(hash) | address;
        self.len += 1;
    }

    /// Makes room for one more address. None, there or to come, exceeds `end`; `hash` tells the hash of each.
    #[cold]
    pub(crate) fn grow(&mut self, end: u32, hash: impl Fn(u32) -> u64) {
        let slots = self.slots.len();
        // Where a quarter is free or was removed, as many slots are enough.
        let enough = self.len < slots / 4 * 3;
        self.rebuild(if enough { slots } else { slots / 2 * 3 }, end, hash);
    }

    /// Removes all addresses but these. None exceeds `end`; `hash` is asked only if the table gets smaller.
    pub(crate) fn retain(&mut self, end: u32, keep: impl Fn(u32) -> bool, hash: impl Fn(u32) -> u64) {
        for at in (0..self.slots.len()).rev() {
            let slot = self.slots[at];
            if slot > REMOVED && !keep(slot & self.address_mask) {
                self.slots[at] = REMOVED;
                self.len -= 1;
                self.removed += 1;
            }
            // No search has to continue to an empty slot.
            if self.slots[at] == REMOVED && self.slots[self.after(at)] == 0 {
                self.slots[at] = 0;
                self.removed -= 1;
            }
        }
        if self.slots.len() > FIRST && self.len < self.slots.len() / 3 {
            self.rebuild((self.len + self.len / 2).max(FIRST), end, hash);
        }
    }

    fn rebuild(&mut self, slots: usize, end: u32, hash: impl Fn(u32) -> u64) {
        let mask = self.address_mask;
        let old = std::mem::take(&mut self.slots);
        self.clear(slots, end);
        for address in old.into_iter().filter(|&slot| slot > REMOVED).map(|slot| slot & mask) {
            self.insert(hash(address), address);
        }
    }

    /// An empty table for addresses up to some times this one.
    fn clear(&mut self, slots: usize, end: u32) {
        let reach = end.saturating_mul(4) | 1;
        self.address_mask = u32::MAX >> reach.leading_zeros();
        self.slots = vec![0; slots];
        (self.len, self.removed) = (0, 0);
    }

    /// All addresses, in no order that means anything, but the same in every run.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().filter(|&&slot| slot > REMOVED).map(|&slot| slot & self.address_mask)
    }

    /// The upper half of the hash, scaled to the number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    const fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.address_mask
    }

    #[inline]
    const fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }
}

/// The hash of a node's bytes: eight a round, multiplied, and the two halves of the product folded together.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    const START: u64 = 0x9ae1_6a3b_2f90_404f;
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().rev().fold(bytes.len() as u64, |word, &byte| word << 8 | u64::from(byte));
    let hash = words.iter().fold(START, |hash, &word| mix(hash ^ u64::from_le_bytes(word)));
    mix(hash.rotate_left(23) ^ last)
}

/// One round: every bit of the word reaches all bits of the result.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
    let product = u128::from(word ^ FACTOR.rotate_left(32)) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    #[test]
    fn every_address_is_found_again() {
        for seed in 0..12 {
            let mut random = Random::from_seed(seed);
            // Few bits make hashes collide, in their home or in their tag.
            let bits = [u64::MAX, 0xf000_0000_0000_000f, 0xff << 56, 0][seed as usize % 4];
            let count = if bits == 0 { 300 } else { 10_000 };
            let hashes: Vec<u64> = (0..=count).map(|_| random.next_u64() & bits).collect();
            let mut table = Unique::new();
            for address in 2..=count {
                let hash = hashes[address as usize];
                assert_eq!(table.find(hash, |found| found == address), None, "seed {seed}");
                if !table.has_room(address) {
                    table.grow(count, |address| hashes[address as usize]);
                }
                table.insert(hash, address);
            }
            let hash = |address: u32| hashes[address as usize];
            assert!(table.bytes() <= 8 * count as usize + 4 * FIRST);
            let mut kept: Vec<u32> = (2..=count).collect();
            while !kept.is_empty() {
                assert_eq!((table.len(), table.iter().count()), (kept.len(), kept.len()), "seed {seed}");
                for &address in &kept {
                    assert_eq!(
                        table.find(hash(address), |found| found == address),
                        Some(address),
                        "seed {seed}"
                    );
                }
                let modulus = 2 + random.below(2) as u32;
                kept.retain(|address| address % modulus == 0 && address % 7 != 0 && !random.one_in(9));
                table.retain(count, |address| kept.binary_search(&address).is_ok(), hash);
                // A few of those that were removed come back.
                for address in (2..=count).step_by(97).take(kept.len()) {
                    if let Err(place) = kept.binary_search(&address) {
                        assert_eq!(table.find(hash(address), |found| found == address), None, "seed {seed}");
                        if !table.has_room(address) {
                            table.grow(count, hash);
                        }
                        table.insert(hash(address), address);
                        kept.insert(place, address);
                    }
                }
                kept.retain(|_| !random.one_in(3));
                table.retain(count, |address| kept.binary_search(&address).is_ok(), hash);
            }
            assert_eq!((table.len(), table.slots.len()), (0, FIRST));
        }
    }

    #[test]
    fn hashes_of_short_nodes_spread() {
        let mut buckets = vec![0u32; 1 << 12];
        for number in 0u32..1 << 12 {
            let [a, b, c, _] = number.to_le_bytes();
            let hash = hash_bytes(&[3, 0x20, 0xec, a, b, 9, c]);
            buckets[(hash >> 52) as usize] += 1;
        }
        let empty = buckets.iter().filter(|&&count| count == 0).count();
        // A random function leaves a share of 1/e, here 1507.
        assert!((1400..1620).contains(&empty), "{empty} buckets are empty");
    }
}
