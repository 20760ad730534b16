//! Records of one length, in chunks that never move.
//!
//! As [`Column`](crate::column::Column), for records whose length is known only when the model is: packed
//! discrete states, and zones. A chunk has some power of two of records, chosen so that it has about
//! [`CHUNK`] items.

/// About how many items a chunk has.
const CHUNK: usize = 1 << 16;
/// How many records the first chunk starts with.
const FIRST: usize = 8;

/// Records addressed by `u32`.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    /// How many items a record has.
    record: usize,
    /// A chunk has two to the power of this many records.
    shift: u32,
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Slab<T> {
    /// No records of this many items each.
    pub(crate) fn new(record: usize) -> Self {
        let records = (CHUNK / record.max(1)).max(FIRST);
        Self { record, shift: records.ilog2(), chunks: Vec::new(), len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn get(&self, position: u32) -> &[T] {
        let start = self.start(position);
        &self.chunks[(position >> self.shift) as usize][start..start + self.record]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, position: u32) -> &mut [T] {
        let start = self.start(position);
        &mut self.chunks[(position >> self.shift) as usize][start..start + self.record]
    }

    #[inline]
    fn start(&self, position: u32) -> usize {
        (position as usize & ((1 << self.shift) - 1)) * self.record
    }

    /// Appends a record and returns its position.
    ///
    /// # Panics
    /// If that does not fit in 32 bits, or the record has another length.
    pub(crate) fn push(&mut self, record: &[T]) -> u32 {
        assert_eq!(record.len(), self.record, "records of one length");
        let position = u32::try_from(self.len).expect("a slab of at most 2^32 records");
        let chunk = self.len >> self.shift;
        if chunk == self.chunks.len() {
            self.chunks.push(Vec::new());
        }
        self.make_room(chunk);
        self.chunks[chunk].extend_from_slice(record);
        self.len += 1;
        position
    }

    /// Sees to it that one more record fits: the first chunk doubles, any other has room from the beginning.
    fn make_room(&mut self, chunk: usize) {
        let full = self.record << self.shift;
        let items = &mut self.chunks[chunk];
        if items.len() + self.record > items.capacity() {
            let doubled = (2 * items.capacity()).max(FIRST * self.record);
            let wanted = if chunk == 0 { doubled.min(full) } else { full };
            items.reserve_exact(wanted - items.len());
        }
    }

    /// The same records with each item replaced, in records of another length; positions stay. Each chunk is
    /// given back before the next is made, so memory grows by no more than the difference and one chunk.
    ///
    /// `rewrite` gets a record and writes the new one into a slice of the new length.
    pub(crate) fn rewritten<U: Copy + Default>(
        self,
        record: usize,
        mut rewrite: impl FnMut(&[T], &mut [U]),
    ) -> Slab<U> {
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for (number, chunk) in self.chunks.into_iter().enumerate() {
            let records = chunk.len() / self.record;
            let capacity = if number == 0 { records } else { 1 << self.shift };
            let mut items = Vec::with_capacity(capacity * record);
            items.resize(records * record, U::default());
            for (old, new) in chunk.chunks_exact(self.record).zip(items.chunks_exact_mut(record)) {
                rewrite(old, new);
            }
            chunks.push(items);
        }
        Slab { record, shift: self.shift, chunks, len: self.len }
    }

    /// How many bytes were asked of the allocator.
    pub(crate) fn bytes(&self) -> usize {
        let items: usize = self.chunks.iter().map(Vec::capacity).sum();
        items * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_keep_their_positions_over_chunk_borders() {
        for record in [1, 3, 121, 100_000] {
            let mut slab = Slab::new(record);
            let count = 3 * (1 << slab.shift) + 2;
            for number in 0..count {
                assert_eq!(slab.push(&vec![number; record]), number);
            }
            assert!((0..count).all(|number| slab.get(number).iter().all(|&item| item == number)));
            slab.get_mut(1)[record - 1] = 77;
            assert_eq!((slab.get(1)[record - 1], slab.get(2)[0]), (77, 2));
            let used = slab.len() * record * 4;
            assert!((used..used + 4 * (record << slab.shift) + 200).contains(&slab.bytes()));
        }
    }

    #[test]
    fn empty_records_are_counted() {
        let mut slab: Slab<u32> = Slab::new(0);
        assert_eq!((slab.push(&[]), slab.push(&[]), slab.len()), (0, 1, 2));
        assert!(slab.get(1).is_empty());
    }

    #[test]
    fn rewriting_keeps_positions() {
        let mut slab = Slab::new(2);
        let count = (1 << slab.shift) + 3;
        for number in 0..count {
            slab.push(&[number, -number]);
        }
        let mut wide: Slab<i64> = slab.rewritten(3, |old, new| {
            new[0] = i64::from(old[0]);
            new[2] = i64::from(old[1]);
        });
        assert!((0..count).all(|n| wide.get(n as u32) == [n.into(), 0, (-n).into()]));
        assert_eq!(wide.push(&[1, 2, 3]), count as u32);
        assert_eq!(wide.get(count as u32), [1, 2, 3]);
    }
}
