//! A growing column of small items, in chunks that never move.
//!
//! A `Vec` that doubles copies everything it has, holds three times that while it does, and on average wastes a
//! quarter. A column adds a chunk instead. The first chunk alone starts small and doubles, so that a tiny model
//! takes a few hundred bytes. Reading costs one dependent load more than in a `Vec`.

use std::ops::{Index, IndexMut};

const SHIFT: u32 = 14;
/// The number of items of a chunk.
const CHUNK: usize = 1 << SHIFT;

/// Items addressed by `u32`, appended and removed at the end.
#[derive(Clone, Debug)]
pub(crate) struct Column<T> {
    /// All full except the last one with items; at most one empty chunk follows.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Column<T> {
    pub(crate) const fn new() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends an item and returns its position.
    ///
    /// # Panics
    /// If that does not fit in 32 bits.
    pub(crate) fn push(&mut self, item: T) -> u32 {
        let position = u32::try_from(self.len).expect("a column of at most 2^32 items");
        let chunk = self.len >> SHIFT;
        if chunk == self.chunks.len() {
            let capacity = if chunk == 0 { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.chunks[chunk].push(item);
        self.len += 1;
        position
    }

    /// Removes the last item. One empty chunk is kept, so that repeated pushes and pops at a chunk border do not
    /// allocate.
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        let chunk = self.len >> SHIFT;
        self.chunks.truncate(chunk + 2);
        self.chunks[chunk].pop()
    }

    /// Removes the item at a position and moves the last one there.
    pub(crate) fn swap_remove(&mut self, position: u32) -> Option<T> {
        let last = self.pop()?;
        if position as usize == self.len {
            return Some(last);
        }
        Some(std::mem::replace(&mut self[position], last))
    }

    /// The allocated bytes.
    pub(crate) fn bytes(&self) -> usize {
        let items: usize = self.chunks.iter().map(Vec::capacity).sum();
        items * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

impl<T> Index<u32> for Column<T> {
    type Output = T;

    #[inline]
    fn index(&self, position: u32) -> &T {
        &self.chunks[(position >> SHIFT) as usize][position as usize & (CHUNK - 1)]
    }
}

impl<T> IndexMut<u32> for Column<T> {
    #[inline]
    fn index_mut(&mut self, position: u32) -> &mut T {
        &mut self.chunks[(position >> SHIFT) as usize][position as usize & (CHUNK - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_positions_over_chunk_borders() {
        let mut column = Column::new();
        let count = 3 * CHUNK as u32 + 5;
        for item in 0..count {
            assert_eq!(column.push(item * 7), item);
        }
        assert!((0..count).all(|position| column[position] == position * 7));
        assert_eq!(column.len(), count as usize);
        let used = column.len() * size_of::<u32>();
        assert!((used..used + CHUNK * size_of::<u32>() + 200).contains(&column.bytes()));
    }

    #[test]
    fn a_few_items_take_little() {
        let mut column = Column::new();
        column.push(0u32);
        assert!(column.bytes() < 200);
    }

    #[test]
    fn popping_gives_back_all_but_one_chunk() {
        let mut column = Column::new();
        for item in 0..4 * CHUNK as u32 {
            column.push(item);
        }
        for item in (0..4 * CHUNK as u32).rev() {
            assert_eq!(column.pop(), Some(item));
        }
        assert_eq!((column.pop(), column.len()), (None, 0));
        assert!(column.bytes() <= 2 * CHUNK * size_of::<u32>() + 200);
        column.push(9);
        assert_eq!(column[0], 9);
    }

    #[test]
    fn swap_remove_fills_the_gap_with_the_last() {
        let mut column = Column::new();
        for item in 0..4u32 {
            column.push(item);
        }
        assert_eq!(column.swap_remove(1), Some(1));
        assert_eq!(column.swap_remove(2), Some(2));
        assert_eq!((column[0], column[1], column.len()), (0, 3, 2));
        assert_eq!(Column::<u32>::new().swap_remove(0), None);
    }
}
