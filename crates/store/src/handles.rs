//! The handle of a union of zones for each discrete state, for unions that are stored elsewhere.
//!
//! A search whose unions of zones are distributed over several ranks stores the discrete states locally, each with the
//! handle of its union. They are in the buckets of the exact list, in any form, with the handle in place of the key of
//! a zone.

use tourbillon_base::Id;

use crate::buckets::Buckets;
use crate::discrete::{DiscreteProbe, Merging, new_discrete_store};
use crate::interface::Memory;
use crate::settings::Settings;
use crate::zones::ZoneKey;

/// Discrete states, each with a handle, indexed in the order of insertion.
#[derive(Debug)]
pub struct UnionHandles {
    buckets: Buckets,
    probe: DiscreteProbe,
}

impl UnionHandles {
    /// An empty table in the form of the settings.
    ///
    /// # Panics
    /// If a range is empty, or there are more locations than fields.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        assert!(settings.split <= settings.ranges.len(), "more locations than fields");
        let discrete = new_discrete_store(settings, Merging::Never);
        Self { buckets: Buckets::new(discrete, settings.fill()), probe: DiscreteProbe::default() }
    }

    /// The index of a state; a new state gets the handle 0.
    pub fn index(&mut self, discrete: &[i32]) -> u32 {
        let Self { buckets, probe } = self;
        let bucket = buckets.find(discrete, probe);
        match bucket.node() {
            Some(position) => position,
            None => buckets.push_front(&bucket, probe, ZoneKey::from_index(0), 0, None),
        }
    }

    /// The handle of the state with this index.
    #[must_use]
    pub fn get(&self, index: u32) -> u32 {
        self.buckets.nodes.get(index).zone().index() as u32
    }

    /// Sets the handle of the state with this index.
    pub fn set(&mut self, index: u32, number: u32) {
        let link = self.buckets.nodes.get(index).link;
        self.buckets.nodes.replace(index, ZoneKey::from_index(number as usize), 0, true, link);
    }

    /// The number of states; indices are below it.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.buckets.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in use, by purpose.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let [discrete, table, nodes] = self.buckets.bytes();
        Memory { discrete, table, nodes, ..Memory::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tourbillon_base::Random;
    use tourbillon_dbm::Dimension;

    use super::*;
    use crate::cover::Cover;
    use crate::settings::{DiagramSettings, DiscreteForm, Order, ZoneForm};

    #[test]
    fn numbers_stay_with_their_states() {
        for discrete in [DiscreteForm::Plain, DiscreteForm::Bits, DiscreteForm::Shared, DiscreteForm::Tree] {
            let settings = Settings {
                ranges: vec![(0, 3), (-2, 5), (0, 40)],
                split: 1,
                dimension: Dimension::of_clocks(1).expect("one clock"),
                zones: ZoneForm::Plain,
                diagrams: DiagramSettings::default(),
                discrete,
                tight: false,
                cover: Cover::Inclusion,
                waiting_inclusion: true,
                order: Order::Bfs,
                seed: 0,
                traces: false,
                spare_waiting: false,
            };
            let mut random = Random::from_seed(3);
            let (mut handles, mut known) = (UnionHandles::new(&settings), BTreeMap::new());
            for _ in 0..3_000 {
                let state: Vec<i32> =
                    settings.ranges.iter().map(|&(low, high)| random.within(low..=high)).collect();
                let index = handles.index(&state);
                let expected = known.get(&state).copied().unwrap_or(0);
                assert_eq!(handles.get(index), expected, "{discrete:?}");
                let number = random.below(1 << 30) as u32;
                handles.set(index, number);
                known.insert(state, number);
                assert_eq!(handles.len(), known.len());
            }
            let mut numbers: Vec<u32> = (0..handles.len() as u32).map(|index| handles.get(index)).collect();
            let mut expected: Vec<u32> = known.into_values().collect();
            numbers.sort_unstable();
            expected.sort_unstable();
            assert_eq!(numbers, expected, "{discrete:?}");
        }
    }
}
