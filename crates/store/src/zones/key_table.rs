//! The set of stored zones: a hash table of keys that takes little more than the keys.
//!
//! Open addressing with linear probing, one word for each slot. A key rarely needs all 32 bits, so the upper ones have
//! bits of the hash: a search compares only zones for which these agree, so that the table can be nearly full. It grows
//! by a quarter, where other tables double, and shrinks when two thirds of it are empty. A removal moves the following
//! keys back, so that no tombstones remain. The hash of a moved zone is recomputed from the zone.

/// An empty slot.
const EMPTY: u32 = u32::MAX;
/// The number of slots of the smallest table.
const FIRST: usize = 8;
/// Smaller tables do not shrink.
const SHRINKABLE: usize = 1 << 10;
/// The initial number of bits for keys.
const KEY_BITS: u32 = 14;

/// Keys by hash.
#[derive(Debug)]
pub(super) struct KeyTable {
    places: Box<[u32]>,
    len: usize,
    /// The number of bits of a key; the others are from its hash.
    key_bits: u32,
}

impl KeyTable {
    pub(super) fn new() -> Self {
        Self { places: Box::default(), len: 0, key_bits: KEY_BITS }
    }

    /// The key with this hash for which `same` returns true.
    pub(super) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        self.probe(hash).find_map(|at| {
            let key = self.key(self.places[at]);
            (self.entry(hash, key) == self.places[at] && same(key)).then_some(key)
        })
    }

    /// Adds a key that is not in the table.
    pub(super) fn insert(&mut self, hash: u64, key: u32, hash_of: impl Fn(u32) -> u64) {
        while key >= self.key_mask() {
            let keys = self.take();
            self.key_bits = (self.key_bits + 2).min(u32::BITS);
            keys.for_each(|key| self.place(hash_of(key), key));
        }
        if 8 * (self.len + 1) > 7 * self.places.len() {
            self.resize(self.places.len() + self.places.len() / 4, &hash_of);
        }
        self.place(hash, key);
        self.len += 1;
    }

    /// Removes a key that is in the table.
    pub(super) fn remove(&mut self, hash: u64, key: u32, hash_of: impl Fn(u32) -> u64) {
        let entry = self.entry(hash, key);
        let Some(mut hole) = self.probe(hash).find(|&at| self.places[at] == entry) else { return };
        self.len -= 1;
        let mut at = hole;
        loop {
            at = self.after(at);
            if self.places[at] == EMPTY {
                break;
            }
            let home = self.home(hash_of(self.key(self.places[at])));
            if self.distance(home, at) >= self.distance(hole, at) {
                self.places[hole] = self.places[at];
                hole = at;
            }
        }
        self.places[hole] = EMPTY;
        if self.places.len() > SHRINKABLE && 3 * self.len < self.places.len() {
            self.resize(self.places.len() / 2, &hash_of);
        }
    }

    /// The same keys in a table of another size.
    #[cold]
    fn resize(&mut self, places: usize, hash_of: &impl Fn(u32) -> u64) {
        let keys = self.take();
        self.places = vec![EMPTY; places.max(FIRST)].into_boxed_slice();
        keys.for_each(|key| self.place(hash_of(key), key));
    }

    /// The same keys, whose hashes have changed.
    pub(super) fn rehash(&mut self, hash_of: impl Fn(u32) -> u64) {
        self.take().for_each(|key| self.place(hash_of(key), key));
    }

    /// The allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// Empties all slots and returns their keys.
    fn take(&mut self) -> impl Iterator<Item = u32> + use<> {
        let empty = vec![EMPTY; self.places.len()].into_boxed_slice();
        let (places, mask) = (std::mem::replace(&mut self.places, empty), self.key_mask());
        places.into_iter().filter(|&entry| entry != EMPTY).map(move |entry| entry & mask)
    }

    /// Puts a key into the first empty slot; there is one.
    fn place(&mut self, hash: u64, key: u32) {
        let mut at = self.home(hash);
        while self.places[at] != EMPTY {
            at = self.after(at);
        }
        self.places[at] = self.entry(hash, key);
    }

    /// The slots from the first one for this hash to an empty one.
    fn probe(&self, hash: u64) -> impl Iterator<Item = usize> {
        let first = (!self.places.is_empty()).then(|| self.home(hash));
        std::iter::successors(first, |&at| Some(self.after(at))).take_while(|&at| self.places[at] != EMPTY)
    }

    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * self.places.len() as u128) >> 64) as usize
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.places.len() { 0 } else { at + 1 }
    }

    /// The number of slots between two, going forward.
    fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.places.len() - from }
    }

    fn key_mask(&self) -> u32 {
        u32::MAX >> (u32::BITS - self.key_bits)
    }

    fn key(&self, entry: u32) -> u32 {
        entry & self.key_mask()
    }

    fn entry(&self, hash: u64, key: u32) -> u32 {
        (hash as u32 & !self.key_mask()) | key
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Random;

    use super::*;

    fn hash(key: u32) -> u64 {
        // Few different hashes, so that keys collide.
        u64::from(key % 500).wrapping_mul(0xa076_1d64_78bd_642f)
    }

    #[test]
    fn what_was_inserted_and_not_removed_is_found() {
        for seed in 0..4 {
            let mut random = Random::from_seed(seed);
            let (mut table, mut there) = (KeyTable::new(), Vec::new());
            for _ in 0..4000 {
                let key = random.below(if seed == 0 { 3000 } else { 4_000_000_000 }) as u32;
                match there.iter().position(|&other| other == key) {
                    Some(at) => {
                        there.swap_remove(at);
                        table.remove(hash(key), key, hash);
                    }
                    None => {
                        there.push(key);
                        table.insert(hash(key), key, hash);
                    }
                }
                if !there.is_empty() && random.one_in(4) {
                    let key = there.swap_remove(random.below(there.len()));
                    table.remove(hash(key), key, hash);
                }
            }
            assert_eq!(table.len, there.len(), "seed {seed}");
            table.rehash(hash);
            assert!(there.iter().all(|&key| table.find(hash(key), |other| other == key) == Some(key)));
            assert_eq!(table.find(hash(7), |_| false), None);
        }
    }

    #[test]
    fn a_key_takes_about_five_bytes() {
        let mut table = KeyTable::new();
        let spread = |key: u32| u64::from(key).wrapping_mul(0xa076_1d64_78bd_642f);
        for key in 0..100_000 {
            table.insert(spread(key), key, spread);
            assert!(table.bytes() <= 6 * (key as usize + 1) + 4 * FIRST);
        }
    }
}
