//! A number for each discrete state, where what is known of its zones is kept by somebody else.
//!
//! A search whose unions of zones are spread over several memories keeps its discrete states where they are, each with the
//! handle of its union. They lie in the buckets that the exact list uses, in any form, and a handle has the place of a
//! zone's key.

use std::fmt;

use tourbillon_base::Id;

use crate::buckets::Buckets;
use crate::discrete::{self, Discrete, Merging, OfDiscrete};
use crate::interface::Memory;
use crate::settings::Settings;
use crate::zones::ZoneKey;

/// Discrete states, each with a number.
pub trait Handles: fmt::Debug {
    /// Where a state is; one that is new gets a place, with 0 for a number.
    fn place(&mut self, discrete: &[i32]) -> u32;

    /// The number at a place.
    fn get(&self, place: u32) -> u32;

    /// Puts another number there.
    fn set(&mut self, place: u32, number: u32);

    /// How many states there are; their places are the numbers below.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the memory is.
    fn memory(&self) -> Memory;
}

/// No discrete states yet, in the form of the settings.
///
/// # Panics
/// If a range is empty, or there are more locations than fields.
#[must_use]
pub fn build_handles(settings: &Settings) -> Box<dyn Handles> {
    assert!(settings.split <= settings.ranges.len(), "more locations than fields");
    discrete::in_form(settings, Merging::Never, Handling(settings))
}

struct Handling<'a>(&'a Settings);

impl OfDiscrete for Handling<'_> {
    type Made = Box<dyn Handles>;

    fn of_discrete<D: Discrete + 'static>(self, discrete: D) -> Self::Made {
        Box::new(InBuckets { buckets: Buckets::new(discrete, self.0.fill()) })
    }
}

#[derive(Debug)]
struct InBuckets<D> {
    buckets: Buckets<D>,
}

impl<D: Discrete> Handles for InBuckets<D> {
    fn place(&mut self, discrete: &[i32]) -> u32 {
        let place = self.buckets.find(discrete);
        match place.node() {
            Some(position) => position,
            None => self.buckets.push_front(&place, ZoneKey::from_index(0), 0, None),
        }
    }

    fn get(&self, place: u32) -> u32 {
        self.buckets.nodes.get(place).zone().index() as u32
    }

    fn set(&mut self, place: u32, number: u32) {
        let link = self.buckets.nodes.get(place).link;
        self.buckets.nodes.replace(place, ZoneKey::from_index(number as usize), 0, true, link);
    }

    fn len(&self) -> usize {
        self.buckets.len()
    }

    fn memory(&self) -> Memory {
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
    use crate::settings::{Cover, DiagramSettings, DiscreteForm, Order, ZoneForm};

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
            let (mut handles, mut known) = (build_handles(&settings), BTreeMap::new());
            for _ in 0..3_000 {
                let state: Vec<i32> =
                    settings.ranges.iter().map(|&(low, high)| random.within(low..=high)).collect();
                let place = handles.place(&state);
                let expected = known.get(&state).copied().unwrap_or(0);
                assert_eq!(handles.get(place), expected, "{discrete:?}");
                let number = random.below(1 << 30) as u32;
                handles.set(place, number);
                known.insert(state, number);
                assert_eq!(handles.len(), known.len());
            }
            let mut numbers: Vec<u32> = (0..handles.len() as u32).map(|place| handles.get(place)).collect();
            let mut expected: Vec<u32> = known.into_values().collect();
            numbers.sort_unstable();
            expected.sort_unstable();
            assert_eq!(numbers, expected, "{discrete:?}");
        }
    }
}
