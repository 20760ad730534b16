//! The cover parameters of waiting nodes that are compared at pop time.
//!
//! Without inclusion on waiting, a node is compared when it is popped, and the cover relation then needs the parameters
//! of its offer. Few of them differ, so a node has a number, and each set of clock bounds is stored once. Other
//! settings do not use this table.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use tourbillon_dbm::{ClockBounds, Constant};

use crate::column::Column;
use crate::cover::CoverParameters;
use crate::hash::hash_words;

/// Parameters by node.
#[derive(Debug)]
pub(crate) struct ParameterTable {
    of_node: Column<u32>,
    distinct: Vec<ClockBounds>,
    numbers: HashTable<u32>,
}

impl ParameterTable {
    pub(crate) const fn new() -> Self {
        Self { of_node: Column::new(), distinct: Vec::new(), numbers: HashTable::new() }
    }

    /// Sets the parameters of a node, which may be the next new one.
    pub(crate) fn set(&mut self, node: u32, parameters: CoverParameters<'_>) {
        let number = self.intern(parameters);
        if node as usize == self.of_node.len() {
            self.of_node.push(number);
        } else {
            self.of_node[node] = number;
        }
    }

    /// The number of these parameters.
    pub(crate) fn intern(&mut self, parameters: CoverParameters<'_>) -> u32 {
        let Self { distinct, numbers, .. } = self;
        let bounds = parameters.clock_bounds();
        let same = |&number: &u32| distinct[number as usize] == *bounds;
        match numbers.entry(hash(bounds), same, |&number| hash(&distinct[number as usize])) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(slot) => {
                distinct.push(bounds.clone());
                *slot.insert(distinct.len() as u32 - 1).get()
            }
        }
    }

    pub(crate) fn get(&self, node: u32) -> CoverParameters<'_> {
        self.numbered(self.of_node[node])
    }

    /// The parameters with this number.
    pub(crate) fn numbered(&self, number: u32) -> CoverParameters<'_> {
        CoverParameters::ClockBounds(&self.distinct[number as usize])
    }

    pub(crate) fn bytes(&self) -> usize {
        let words = self.distinct.first().map_or(0, |bounds| bounds.dimension().size().next_multiple_of(8));
        let each = size_of::<ClockBounds>() + 3 * words * size_of::<i32>();
        self.of_node.bytes() + self.distinct.capacity() * each + self.numbers.allocation_size()
    }
}

fn hash(bounds: &ClockBounds) -> u64 {
    let word = |limit: Option<Constant>| limit.map_or(u64::MAX, |limit| limit.get() as u64);
    let clocks = bounds.dimension().iter();
    hash_words(clocks.map(|clock| word(bounds.lower(clock)) << 32 ^ word(bounds.upper(clock))))
}
