//! Location vectors and variable vectors, each stored once; a state is a pair of their numbers
//! `[DavidBehrmannLarsenYi2003, section 5.2]`.
//!
//! The same locations are reached with many values of the variables, and the other way round. Where both vectors
//! are long, a pair of numbers is much shorter than they are. It takes three look-ups instead of one; where the
//! whole state packs into two words, `bits` is smaller as well as faster. The vectors themselves are packed.

use super::bits::Packing;
use super::table::Table;
use super::{Code, Discrete};
use crate::hash::hash_halves;
use crate::packed::bits_of;

/// States as pairs of numbers.
#[derive(Debug)]
pub(crate) struct Shared {
    split: usize,
    locations: Vectors,
    variables: Vectors,
    held: Code,
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
        let (locations, variables) = (Vectors::new(locations), Vectors::new(variables));
        Self { split, locations, variables, held: Code::number(0) }
    }

    fn tables(&self) -> [&Table; 2] {
        [&self.locations.table, &self.variables.table]
    }
}

impl Discrete for Shared {
    fn hold(&mut self, fields: &[i32]) -> u64 {
        let (locations, variables) = fields.split_at(self.split);
        self.held = Code::of_halves([self.locations.intern(locations), self.variables.intern(variables)]);
        self.hash(self.held)
    }

    fn is_held(&self, code: Code) -> bool {
        code == self.held
    }

    fn save(&mut self) -> Code {
        self.held
    }

    fn load(&self, code: Code, fields: &mut [i32]) {
        let (locations, variables) = fields.split_at_mut(self.split);
        self.locations.load(code.halves()[0], locations);
        self.variables.load(code.halves()[1], variables);
    }

    fn hash(&self, code: Code) -> u64 {
        hash_halves(&code.halves())
    }

    fn widths(&self) -> [u32; 2] {
        self.tables().map(|table| bits_of((table.len() as u64).saturating_sub(1)))
    }

    fn bytes(&self) -> usize {
        self.tables().map(Table::bytes).iter().sum()
    }

    fn index_bytes(&self) -> usize {
        self.tables().map(Table::index_bytes).iter().sum()
    }
}
