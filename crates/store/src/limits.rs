//! The clock bounds of nodes that wait to be compared.
//!
//! Without inclusion on waiting, a node is compared when it is popped, and the cover a_LU then needs the bounds
//! that came with its offer. Few of them differ, so a node has a number and each set of bounds is kept once. No other
//! combination of settings pays for this.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use tourbillon_dbm::{ClockBounds, Constant};

use crate::column::Column;
use crate::hash::hash_words;

/// Bounds by node.
#[derive(Debug)]
pub(crate) struct Limits {
    of_node: Column<u32>,
    distinct: Vec<ClockBounds>,
    numbers: HashTable<u32>,
}

impl Limits {
    pub(crate) const fn new() -> Self {
        Self { of_node: Column::new(), distinct: Vec::new(), numbers: HashTable::new() }
    }

    /// Notes the bounds of a node, which may be the next new one.
    pub(crate) fn note(&mut self, node: u32, bounds: &ClockBounds) {
        let number = self.intern(bounds);
        if node as usize == self.of_node.len() {
            self.of_node.push(number);
        } else {
            self.of_node[node] = number;
        }
    }

    /// The number of these bounds.
    pub(crate) fn intern(&mut self, bounds: &ClockBounds) -> u32 {
        let Self { distinct, numbers, .. } = self;
        let same = |&number: &u32| distinct[number as usize] == *bounds;
        match numbers.entry(hash(bounds), same, |&number| hash(&distinct[number as usize])) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                distinct.push(bounds.clone());
                *place.insert(distinct.len() as u32 - 1).get()
            }
        }
    }

    pub(crate) fn get(&self, node: u32) -> &ClockBounds {
        &self.distinct[self.of_node[node] as usize]
    }

    /// The bounds with this number.
    pub(crate) fn numbered(&self, number: u32) -> &ClockBounds {
        &self.distinct[number as usize]
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
