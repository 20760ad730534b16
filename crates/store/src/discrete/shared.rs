//! Location vectors and variable vectors, each stored once; a state is a pair of their keys
//! `[DavidBehrmannLarsenYi2003, section 5.2]`.
//!
//! The same locations are reached with many values of the variables, and the other way round. Where both vectors
//! are long, a pair of keys is much shorter than they are. It takes three look-ups instead of one; where the
//! whole state packs into two words, `bits` is smaller as well as faster. The vectors themselves are packed.

use tourbillon_base::Id;

use super::bits::Packing;
use super::table::Table;
use super::{Discrete, EntryId};

/// States as pairs of keys.
#[derive(Debug)]
pub(crate) struct Shared {
    split: usize,
    locations: Vectors,
    variables: Vectors,
    /// Pairs of numbers of vectors.
    entries: Table,
}

/// Vectors of one kind.
#[derive(Debug)]
struct Vectors {
    packing: Packing,
    table: Table,
}

impl Vectors {
    fn new(ranges: &[(i32, i32)]) -> Self {
        let packing = Packing::new(ranges);
        let table = Table::new(packing.words());
        Self { packing, table }
    }

    fn intern(&mut self, fields: &[i32]) -> u32 {
        self.table.intern(|words| self.packing.encode(fields, words))
    }

    fn load(&self, number: u32, fields: &mut [i32]) {
        self.packing.decode(self.table.key(number), fields);
    }
}

impl Shared {
    /// The first `split` fields are locations.
    pub(crate) fn new(ranges: &[(i32, i32)], split: usize) -> Self {
        let (locations, variables) = ranges.split_at(split);
        Self {
            split,
            locations: Vectors::new(locations),
            variables: Vectors::new(variables),
            entries: Table::with_heads(2),
        }
    }

    fn tables(&self) -> [&Table; 3] {
        [&self.entries, &self.locations.table, &self.variables.table]
    }
}

impl Discrete for Shared {
    fn intern(&mut self, fields: &[i32]) -> EntryId {
        let (locations, variables) = fields.split_at(self.split);
        let pair = [self.locations.intern(locations), self.variables.intern(variables)];
        EntryId::from_index(self.entries.intern(|words| words.copy_from_slice(&pair)) as usize)
    }

    fn load(&self, entry: EntryId, fields: &mut [i32]) {
        let pair = self.entries.key(entry.index() as u32);
        let (locations, variables) = fields.split_at_mut(self.split);
        self.locations.load(pair[0], locations);
        self.variables.load(pair[1], variables);
    }

    fn entries(&self) -> &Table {
        &self.entries
    }

    fn entries_mut(&mut self) -> &mut Table {
        &mut self.entries
    }

    fn bytes(&self) -> usize {
        self.tables().map(Table::bytes).iter().sum()
    }

    fn index_bytes(&self) -> usize {
        self.tables().map(Table::index_bytes).iter().sum()
    }
}
