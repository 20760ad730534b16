//! Sharing of equal zones: a table that finds them. The record of a zone counts its uses.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use tourbillon_dbm::forms::{Narrow, Slot, Written};

use super::records::Records;
use crate::hash::hash_words;

#[derive(Debug)]
pub(super) struct SharedRecords {
    keys: HashTable<u32>,
}

fn hash<S: Slot>(zone: Written<'_, S>) -> u64 {
    hash_words(std::iter::once(zone.bands.into()).chain(Narrow::words(zone.slots)))
}

impl SharedRecords {
    pub(super) const fn new() -> Self {
        Self { keys: HashTable::new() }
    }

    /// The key of a stored zone.
    pub(super) fn find<S: Slot + Default>(&self, records: &Records<S>, zone: Written<'_, S>) -> Option<u32> {
        self.keys.find(hash(zone), |&key| records.get(key) == zone).copied()
    }

    /// Counts one more use of this zone, or stores it, and returns its key.
    pub(super) fn save<S: Slot + Default>(&mut self, records: &mut Records<S>, zone: Written<'_, S>) -> u32 {
        let same = |&key: &u32| records.get(key) == zone;
        match self.keys.entry(hash(zone), same, |&key| hash(records.get(key))) {
            Entry::Occupied(found) => {
                records.update_uses(*found.get(), |uses| uses + 1);
                *found.get()
            }
            Entry::Vacant(vacant) => *vacant.insert(records.add(zone)).get(),
        }
    }

    /// Counts one use less. Returns whether it was the last.
    pub(super) fn free<S: Slot + Default>(&mut self, records: &mut Records<S>, key: u32) -> bool {
        let last = records.update_uses(key, |uses| uses - 1) == 0;
        if last && let Ok(found) = self.keys.find_entry(hash(records.get(key)), |&other| other == key) {
            found.remove();
        }
        last
    }

    /// The same zones under the same keys, after they were rewritten.
    pub(super) fn rehashed<S: Slot + Default>(self, records: &Records<S>) -> Self {
        let hash = |&key: &u32| hash(records.get(key));
        let mut keys = HashTable::with_capacity(self.keys.len());
        for &key in &self.keys {
            keys.insert_unique(hash(&key), key, hash);
        }
        Self { keys }
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.allocation_size()
    }
}
