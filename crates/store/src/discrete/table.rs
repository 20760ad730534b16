//! Keys of one length, each stored once under the number it was given when it came.
//!
//! The index holds numbers only, and the keys lie in a slab in the order in which they came. There is one look-up
//! per key, whether it is new or not, and its hash is computed once; it is computed again when the index grows,
//! along the slab, which is cheaper than keeping it.

use super::Head;
use crate::hash::hash_halves;
use crate::index::{Found, Index};
use crate::slab::Slab;

/// A set of keys, each perhaps with a [`Head`].
#[derive(Debug)]
pub(crate) struct Table {
    /// How many words of a record are its key.
    key: usize,
    records: Slab<u32>,
    index: Index,
    /// The record that is looked up.
    record: Vec<u32>,
}

impl Table {
    /// Keys of this many words, each with a head.
    pub(crate) fn with_heads(key: usize) -> Self {
        let mut table = Self::new(key);
        table.records = Slab::new(key + 2);
        table.record.extend([Head::NONE.node, Head::NONE.zone]);
        table
    }

    /// Keys of this many words.
    pub(crate) fn new(key: usize) -> Self {
        Self { key, records: Slab::new(key), index: Index::new(), record: vec![0; key] }
    }

    /// The number of the key that `write` writes; a new one if it is not in the set.
    #[inline]
    pub(crate) fn intern(&mut self, write: impl FnOnce(&mut [u32])) -> u32 {
        let Self { key, ref mut records, ref mut index, ref mut record } = *self;
        write(&mut record[..key]);
        let hash = hash_halves(&record[..key]);
        match index.find(hash, |number| same(&records.get(number)[..key], &record[..key])) {
            Found::Number(number) => number,
            Found::Vacant(at) => {
                let number = records.push(record);
                index.insert(at, hash, |number| hash_halves(&records.get(number)[..key]));
                number
            }
        }
    }

    /// A key, by its number.
    #[inline]
    pub(crate) fn key(&self, number: u32) -> &[u32] {
        &self.records.get(number)[..self.key]
    }

    #[inline]
    pub(crate) fn head(&self, number: u32) -> Head {
        let record = self.records.get(number);
        Head { node: record[self.key], zone: record[self.key + 1] }
    }

    #[inline]
    pub(crate) fn set_head(&mut self, number: u32, head: Head) {
        self.records.get_mut(number)[self.key..].copy_from_slice(&[head.node, head.zone]);
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes()
    }

    pub(crate) fn index_bytes(&self) -> usize {
        self.index.bytes()
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
