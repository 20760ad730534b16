//! Vectors of one length, each stored once, numbered in the order of insertion.
//!
//! The index holds only numbers; the vectors are in a slab in the order of insertion. Their hashes are recomputed along
//! the slab when the index grows, which is cheaper than storing them.
//!
//! > **Invariant.** There is room for one more.

use crate::hash::hash_halves;
use crate::index::{Fill, Found, Index};
use crate::slab::Slab;

/// A set of vectors.
#[derive(Debug)]
pub(super) struct VectorTable {
    vectors: Slab<u32>,
    index: Index,
}

impl VectorTable {
    /// Vectors of this many words.
    pub(super) fn new(words: usize) -> Self {
        Self { vectors: Slab::new(words), index: Index::new(Fill::Tight) }
    }

    /// The number of a vector; `None` if it is not in the set.
    #[inline]
    pub(super) fn find(&self, vector: &[u32]) -> Option<u32> {
        match self.search(hash_halves(vector), vector) {
            Found::Number(_, number) => Some(number),
            Found::Vacant(_) => None,
        }
    }

    #[inline]
    fn search(&self, hash: u64, vector: &[u32]) -> Found {
        self.index.find(hash, |number| same(self.vectors.get(number), vector))
    }

    /// The number of a vector, which is added if it is not in the set.
    pub(super) fn intern(&mut self, vector: &[u32]) -> u32 {
        let hash = hash_halves(vector);
        match self.search(hash, vector) {
            Found::Number(_, number) => number,
            vacant => {
                let number = self.vectors.push(vector);
                self.index.put(vacant, hash, number);
                self.make_room();
                number
            }
        }
    }

    fn make_room(&mut self) {
        let Self { vectors, index } = self;
        let next = vectors.len() as u32;
        if !index.has_room(next) {
            index.rebuild(next, |name| {
                (0..next).for_each(|number| name(hash_halves(vectors.get(number)), number))
            });
        }
    }

    /// A vector, by its number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &[u32] {
        self.vectors.get(number)
    }

    pub(super) fn len(&self) -> usize {
        self.vectors.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.vectors.bytes()
    }

    pub(super) fn index_bytes(&self) -> usize {
        self.index.bytes()
    }
}

/// Vectors usually have one or two words, for which a library call for comparison costs more than the comparison.
#[inline]
fn same(left: &[u32], right: &[u32]) -> bool {
    let mut difference = 0;
    for (l, r) in left.iter().zip(right) {
        difference |= l ^ r;
    }
    difference == 0
}
