//! Equal zones once: a table that finds them, and a count of how many nodes have each.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use tourbillon_dbm::forms::{Narrow, Slot};

use crate::column::Column;
use crate::hash::hash_words;
use crate::slab::Slab;

/// Which zones there are, and how often each is in use.
#[derive(Debug)]
pub(super) struct Sharing {
    keys: HashTable<u32>,
    uses: Column<u32>,
}

fn hash<S: Slot>(slots: &[S]) -> u64 {
    hash_words(Narrow::words(slots))
}

impl Sharing {
    pub(super) const fn new() -> Self {
        Self { keys: HashTable::new(), uses: Column::new() }
    }

    /// Counts one more use of the zone with these slots, and returns its key; if there is none yet, `place`
    /// stores it under a key that is free or the next one.
    pub(super) fn save<S: Slot>(
        &mut self,
        slab: &mut Slab<S>,
        slots: &[S],
        place: impl FnOnce(&mut Slab<S>) -> u32,
    ) -> u32 {
        let same = |&key: &u32| slab.get(key) == slots;
        match self.keys.entry(hash(slots), same, |&key| hash(slab.get(key))) {
            Entry::Occupied(found) => {
                self.uses[*found.get()] += 1;
                *found.get()
            }
            Entry::Vacant(vacant) => {
                let key = place(slab);
                vacant.insert(key);
                if key as usize == self.uses.len() {
                    self.uses.push(0);
                }
                self.uses[key] = 1;
                key
            }
        }
    }

    /// Counts one use less. Returns whether it was the last.
    pub(super) fn free<S: Slot>(&mut self, slab: &Slab<S>, key: u32) -> bool {
        self.uses[key] -= 1;
        let last = self.uses[key] == 0;
        if last && let Ok(found) = self.keys.find_entry(hash(slab.get(key)), |&other| other == key) {
            found.remove();
        }
        last
    }

    /// The same zones under the same keys, after `slab` was rewritten.
    pub(super) fn rehashed<S: Slot>(self, slab: &Slab<S>) -> Self {
        let hash = |&key: &u32| hash(slab.get(key));
        let mut keys = HashTable::with_capacity(self.keys.len());
        for &key in &self.keys {
            keys.insert_unique(hash(&key), key, hash);
        }
        Self { keys, uses: self.uses }
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.allocation_size() + self.uses.bytes()
    }
}
