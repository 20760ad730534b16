//! Records of one length, in chunks that never move.
//!
//! Like [`Column`](crate::column::Column), for records whose length depends on the model: packed discrete states. A
//! chunk has a power of two of records, chosen so that it has about [`CHUNK`] items.

/// The approximate number of items of a chunk.
const CHUNK: usize = 1 << 16;
/// The initial number of records of the first chunk.
const FIRST: usize = 8;

/// Records addressed by `u32`.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    /// The number of items of a record.
    record: usize,
    /// A chunk has two to the power of this many records.
    shift: u32,
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Slab<T> {
    /// An empty slab of records with this many items.
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

    /// Makes room for one more record: the first chunk doubles, any other has its full size from the start.
    fn make_room(&mut self, chunk: usize) {
        let full = self.record << self.shift;
        let items = &mut self.chunks[chunk];
        if items.len() + self.record > items.capacity() {
            let doubled = (2 * items.capacity()).max(FIRST * self.record);
            let wanted = if chunk == 0 { doubled.min(full) } else { full };
            items.reserve_exact(wanted - items.len());
        }
    }

    /// The allocated bytes.
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
}
