//! Location vectors and variable vectors, each stored once; a state is a pair of their numbers
//! `[DavidBehrmannLarsenYi2003, section 5.2]`.
//!
//! The same locations are reached with many values of the variables, and vice versa. If both vectors are long, a pair
//! of numbers is much shorter. It takes three look-ups instead of one; if the whole state fits in two words, `bits` is
//! both smaller and faster. The vectors themselves are packed.

use super::bits::BitPacking;
use super::vector_table::VectorTable;
use super::{DiscreteProbe, DiscreteStore, StateCode};
use crate::hash::hash_halves;
use crate::packed::bits_of;

/// States as pairs of numbers.
#[derive(Debug)]
pub(super) struct SharedVectors {
    split: usize,
    locations: PackedVectors,
    variables: PackedVectors,
}

/// Vectors of one kind.
#[derive(Debug)]
struct PackedVectors {
    packing: BitPacking,
    table: VectorTable,
}

impl PackedVectors {
    fn new(ranges: &[(i32, i32)]) -> Self {
        let packing = BitPacking::new(ranges);
        let table = VectorTable::new(packing.words());
        Self { packing, table }
    }

    fn load(&self, number: u32, fields: &mut [i32]) {
        self.packing.decode(self.table.get(number), fields);
    }
}

impl SharedVectors {
    /// The first `split` fields are locations.
    pub(super) fn new(ranges: &[(i32, i32)], split: usize) -> Self {
        let (locations, variables) = ranges.split_at(split);
        let (locations, variables) = (PackedVectors::new(locations), PackedVectors::new(variables));
        Self { split, locations, variables }
    }

    fn tables(&self) -> [&VectorTable; 2] {
        [&self.locations.table, &self.variables.table]
    }
}

impl DiscreteStore for SharedVectors {
    fn encode(&self, fields: &[i32], probe: &mut DiscreteProbe) -> Option<u64> {
        let Self { split, locations, variables } = self;
        let words = locations.packing.words();
        probe.words.resize(words + variables.packing.words(), 0);
        let (location_words, variable_words) = probe.words.split_at_mut(words);
        locations.packing.encode(&fields[..*split], location_words);
        variables.packing.encode(&fields[*split..], variable_words);
        let numbers = [locations.table.find(location_words)?, variables.table.find(variable_words)?];
        probe.code = StateCode::of_halves(numbers);
        Some(hash_halves(&numbers))
    }

    fn is_equal(&self, code: StateCode, probe: &DiscreteProbe) -> bool {
        code == probe.code
    }

    fn save(&mut self, probe: &mut DiscreteProbe) -> StateCode {
        let (locations, variables) = probe.words.split_at(self.locations.packing.words());
        StateCode::of_halves([self.locations.table.intern(locations), self.variables.table.intern(variables)])
    }

    fn load(&self, code: StateCode, fields: &mut [i32]) {
        let (locations, variables) = fields.split_at_mut(self.split);
        self.locations.load(code.halves()[0], locations);
        self.variables.load(code.halves()[1], variables);
    }

    fn hash(&self, code: StateCode) -> u64 {
        hash_halves(&code.halves())
    }

    fn widths(&self) -> [u32; 2] {
        self.tables().map(|table| bits_of((table.len() as u64).saturating_sub(1)))
    }

    fn bytes(&self) -> usize {
        self.tables().map(VectorTable::bytes).iter().sum()
    }

    fn index_bytes(&self) -> usize {
        self.tables().map(VectorTable::index_bytes).iter().sum()
    }
}
