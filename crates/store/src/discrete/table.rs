//! Keys of one length, each stored once under the number it was given when it came.
//!
//! The index holds numbers only, and the keys lie in a slab in the order in which they came. There is one look-up
//! per key, whether it is new or not, and its hash is computed once; it is computed again when the index grows,
//! along the slab, which is cheaper than keeping it.

use crate::hash::hash_halves;
use crate::index::{Fill, Found, Index};
use crate::slab::Slab;

/// A set of keys.
#[derive(Debug)]
pub(crate) struct Table {
    keys: Slab<u32>,
    index: Index,
    /// The key that is looked up.
    key: Vec<u32>,
}

impl Table {
    /// Keys of this many words.
    pub(crate) fn new(key: usize) -> Self {
        Self { keys: Slab::new(key), index: Index::new(Fill::Tight), key: vec![0; key] }
    }

    /// The number of the key that `write` writes; a new one if it is not in the set.
    #[inline]
    pub(crate) fn intern(&mut self, write: impl FnOnce(&mut [u32])) -> u32 {
        write(&mut self.key);
        let Self { keys, index, key } = self;
        let next = keys.len() as u32;
        if !index.has_room(next) {
            index.rebuild(next, |name| {
                (0..next).for_each(|number| name(hash_halves(keys.get(number)), number))
            });
        }
        let hash = hash_halves(key);
        match index.find(hash, |number| same(keys.get(number), key)) {
            Found::Number(_, number) => number,
            vacant => {
                index.put(vacant, hash, next);
                keys.push(key)
            }
        }
    }

    /// A key, by its number.
    #[inline]
    pub(crate) fn key(&self, number: u32) -> &[u32] {
        self.keys.get(number)
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.bytes()
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
