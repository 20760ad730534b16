//! Keys of one length, each stored once under the number it was given when it came.
//!
//! The table holds numbers only and looks the keys up in a slab, so it takes five bytes a bucket. There is one
//! look-up per key, whether it is new or not, and the hash is computed once; it is computed again when the table
//! grows, which is cheaper than keeping it.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::hash::hash_halves;
use crate::slab::Slab;

/// A set of keys, each perhaps followed by further words that belong to it.
#[derive(Debug)]
pub(crate) struct Table {
    /// How many words of a record are its key.
    key: usize,
    records: Slab<u32>,
    numbers: HashTable<u32>,
}

impl Table {
    /// Records of this many words, of which the first `key` identify it.
    pub(crate) fn new(key: usize, record: usize) -> Self {
        Self { key, records: Slab::new(record), numbers: HashTable::new() }
    }

    /// The number of the record with the same key; if there is none, this one is stored.
    #[inline]
    pub(crate) fn intern(&mut self, record: &[u32]) -> u32 {
        let Self { key, ref mut records, ref mut numbers } = *self;
        let wanted = &record[..key];
        let same = |&number: &u32| same(&records.get(number)[..key], wanted);
        let hash = |&number: &u32| hash_halves(&records.get(number)[..key]);
        match numbers.entry(hash_halves(wanted), same, hash) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => *place.insert(records.push(record)).get(),
        }
    }

    #[inline]
    pub(crate) fn record(&self, number: u32) -> &[u32] {
        self.records.get(number)
    }

    #[inline]
    pub(crate) fn record_mut(&mut self, number: u32) -> &mut [u32] {
        self.records.get_mut(number)
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes()
    }

    pub(crate) fn table_bytes(&self) -> usize {
        self.numbers.allocation_size()
    }
}

/// Keys are a word or two most of the time, for which comparing memory by a library call costs more than it does.
#[inline]
fn same(left: &[u32], right: &[u32]) -> bool {
    let mut difference = 0;
    for (l, r) in left.iter().zip(right) {
        difference |= l ^ r;
    }
    difference == 0
}
