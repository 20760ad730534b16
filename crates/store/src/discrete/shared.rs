//! Location vectors and variable vectors, each stored once; a state is a pair of their keys
//! `[DavidBehrmannLarsenYi2003, section 5.2]`.
//!
//! The same locations are reached with many values of the variables, and the other way round. Where both vectors
//! are long, a pair of keys is much shorter than they are. It takes three look-ups instead of one; where the
//! whole state packs into two words, `bits` is smaller as well as faster. The vectors themselves are packed.

use tourbillon_base::Id;

use super::bits::Packing;
use super::table::Table;
use super::{Discrete, EntryId, NO_HEAD};

/// States as pairs of keys.
#[derive(Debug)]
pub(crate) struct Shared {
    split: usize,
    locations: Vectors,
    variables: Vectors,
    /// Two keys, and the head.
    pairs: Table,
}

/// Vectors of one kind.
#[derive(Debug)]
struct Vectors {
    packing: Packing,
    table: Table,
    /// The packed vector that is looked up.
    packed: Vec<u32>,
}

impl Vectors {
    fn new(ranges: &[(i32, i32)]) -> Self {
        let packing = Packing::new(ranges);
        let words = packing.words();
        Self { packing, table: Table::new(words, words), packed: vec![0; words] }
    }

    fn intern(&mut self, fields: &[i32]) -> u32 {
        self.packing.encode(fields, &mut self.packed);
        self.table.intern(&self.packed)
    }

    fn load(&self, key: u32, fields: &mut [i32]) {
        self.packing.decode(self.table.record(key), fields);
    }
}

const HEAD: usize = 2;

impl Shared {
    /// The first `split` fields are locations.
    pub(crate) fn new(ranges: &[(i32, i32)], split: usize) -> Self {
        let (locations, variables) = ranges.split_at(split);
        Self {
            split,
            locations: Vectors::new(locations),
            variables: Vectors::new(variables),
            pairs: Table::new(HEAD, HEAD + 1),
        }
    }
}

impl Discrete for Shared {
    fn intern(&mut self, fields: &[i32]) -> EntryId {
        let (locations, variables) = fields.split_at(self.split);
        let record = [self.locations.intern(locations), self.variables.intern(variables), NO_HEAD];
        EntryId::from_index(self.pairs.intern(&record) as usize)
    }

    fn load(&self, entry: EntryId, fields: &mut [i32]) {
        let record = self.pairs.record(entry.index() as u32);
        let (locations, variables) = fields.split_at_mut(self.split);
        self.locations.load(record[0], locations);
        self.variables.load(record[1], variables);
    }

    #[inline]
    fn head(&self, entry: EntryId) -> u32 {
        self.pairs.record(entry.index() as u32)[HEAD]
    }

    #[inline]
    fn set_head(&mut self, entry: EntryId, head: u32) {
        self.pairs.record_mut(entry.index() as u32)[HEAD] = head;
    }

    fn len(&self) -> usize {
        self.pairs.len()
    }

    fn bytes(&self) -> usize {
        [&self.pairs, &self.locations.table, &self.variables.table].map(Table::bytes).iter().sum()
    }

    fn table_bytes(&self) -> usize {
        [&self.pairs, &self.locations.table, &self.variables.table].map(Table::table_bytes).iter().sum()
    }
}
