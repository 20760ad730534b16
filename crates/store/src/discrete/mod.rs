//! Discrete states: vectors of numbers, each stored once and addressed by its entry.
//!
//! | form | what it keeps of a state |
//! |---|---|
//! | [`Plain`] | every field, in 32 bits |
//! | [`Bits`] | every field, in as many bits as its range needs |
//! | [`Shared`] | the keys of its location vector and of its variable vector |
//!
//! An entry also has two words for its owner, the *head*: the list keeps there the first node of the entry's zones
//! and that node's zone. They stand beside the state so that looking at them right after the state was found
//! costs no cache miss.
//!
//! Entries are never removed: a state that was reached stays covered by some zone.

mod bits;
mod plain;
mod shared;
mod table;

use std::fmt;

use table::Table;
use tourbillon_base::{Id, define_id};

pub(crate) use bits::{Bits, Packing};
pub(crate) use plain::Plain;
pub(crate) use shared::Shared;

define_id! {
    /// A discrete state.
    pub(crate) struct EntryId;
}

/// What an entry keeps for its owner, who alone knows what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) node: u32,
    pub(crate) zone: u32,
}

impl Head {
    /// The head of a new entry.
    pub(crate) const NONE: Self = Self { node: u32::MAX, zone: u32::MAX };
}

/// A store of discrete states.
pub(crate) trait Discrete: fmt::Debug {
    /// The entry of this state, which is made if there is none.
    ///
    /// # Panics
    /// If the number of fields is another than was declared, or one is outside its range in a form that relies
    /// on ranges.
    fn intern(&mut self, fields: &[i32]) -> EntryId;

    /// Writes the state of an entry into `fields`.
    fn load(&self, entry: EntryId, fields: &mut [i32]);

    /// The set with one key for each entry, under its number, and with the heads.
    fn entries(&self) -> &Table;

    /// The same, to be changed.
    fn entries_mut(&mut self) -> &mut Table;

    /// The head of an entry.
    #[inline]
    fn head(&self, entry: EntryId) -> Head {
        self.entries().head(entry.index() as u32)
    }

    /// Changes the head of an entry.
    #[inline]
    fn set_head(&mut self, entry: EntryId, head: Head) {
        self.entries_mut().set_head(entry.index() as u32, head);
    }

    /// How many entries there are.
    fn len(&self) -> usize {
        self.entries().len()
    }

    /// Bytes of the states themselves.
    fn bytes(&self) -> usize {
        self.entries().bytes()
    }

    /// Bytes of what finds them.
    fn index_bytes(&self) -> usize {
        self.entries().index_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tourbillon_base::Random;

    use super::*;

    fn random_ranges(random: &mut Random) -> Vec<(i32, i32)> {
        let range = |random: &mut Random| match random.below(6) {
            0 => (i32::MIN, i32::MAX),
            1 => (7, 7),
            2 => (-32768, 32767),
            3 => (0, 1),
            _ => {
                let low = random.within(-9..=9);
                (low, low + random.within(0..=20))
            }
        };
        (0..random.below(14)).map(|_| range(random)).collect()
    }

    /// Few values of each range, so that states repeat.
    fn random_fields(random: &mut Random, ranges: &[(i32, i32)]) -> Vec<i32> {
        let field = |&(low, high): &(i32, i32), random: &mut Random| match random.below(3) {
            0 => low,
            1 => high,
            _ => random.within(low..=low.saturating_add(2).min(high)),
        };
        ranges.iter().map(|range| field(range, random)).collect()
    }

    fn check(mut store: impl Discrete, ranges: &[(i32, i32)], random: &mut Random, seed: u64) {
        let mut known: HashMap<Vec<i32>, EntryId> = HashMap::new();
        let mut loaded = vec![0; ranges.len()];
        for _ in 0..300 {
            let fields = random_fields(random, ranges);
            let entry = store.intern(&fields);
            let count = known.len();
            assert_eq!(*known.entry(fields.clone()).or_insert(entry), entry, "seed {seed}");
            if known.len() > count {
                assert_eq!((entry.index(), store.head(entry)), (count, Head::NONE), "seed {seed}");
                store.set_head(entry, Head { node: !count as u32, zone: count as u32 });
            }
            store.load(entry, &mut loaded);
            assert_eq!((&loaded, store.len()), (&fields, known.len()), "seed {seed}");
        }
        for (fields, &entry) in &known {
            store.load(entry, &mut loaded);
            assert_eq!(&loaded, fields, "seed {seed}");
            let number = entry.index() as u32;
            assert_eq!(store.head(entry), Head { node: !number, zone: number }, "seed {seed}");
        }
        assert!(store.bytes() > 0 && store.index_bytes() > 0);
    }

    #[test]
    fn every_form_keeps_every_state_once() {
        for seed in 0..300 {
            let random = &mut Random::from_seed(seed);
            let ranges = random_ranges(random);
            let split = random.below(ranges.len() + 1);
            check(Plain::new(&ranges), &ranges, random, seed);
            check(Bits::new(&ranges), &ranges, random, seed);
            check(Shared::new(&ranges, split), &ranges, random, seed);
        }
    }
}
