//! Discrete states: vectors of numbers with known ranges, and their codes.
//!
//! | form | what a code is |
//! |---|---|
//! | [`Plain`] | every field in 32 bits |
//! | [`BitPacking`] | every field in as many bits as its range needs |
//! | [`MixedRadix`] | all fields as one number in a mixed base: the fewest bits that ranges allow |
//! | [`SharedVectors`] | the number of its location vector and that of its variable vector |
//! | [`TreeStates`] | the numbers of its two halves, which are pairs of numbers of halves in turn |
//!
//! One more form has no codes and is used only with unions of zones (`passed/union_map.rs`).
//!
//! A code has at most 64 bits and is stored in the node that has the state. A form with longer states stores them in
//! records; the code is the number of the record.
//!
//! As with zones, stored states are compared with one other state, which is first encoded into a [`DiscreteProbe`] of
//! the caller, and saved only if it is new. Nothing is ever removed: a reached state stays covered by some zone.

mod bits;
mod digits;
mod encoded;
mod plain;
mod shared;
mod tree;
mod vector_table;

use std::fmt;

use digits::MixedRadix;
use encoded::EncodedStates;
use plain::Plain;
use shared::SharedVectors;
use tree::TreeStates;

pub(crate) use bits::BitPacking;

use crate::settings::{DiscreteForm, Settings};

/// The code of a state: two halves of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct StateCode(u64);

impl StateCode {
    #[inline]
    pub(crate) const fn of_halves([low, high]: [u32; 2]) -> Self {
        Self(low as u64 | (high as u64) << 32)
    }

    #[inline]
    pub(crate) const fn halves(self) -> [u32; 2] {
        [self.0 as u32, (self.0 >> 32) as u32]
    }

    #[inline]
    const fn number(number: u32) -> Self {
        Self(number as u64)
    }
}

/// A discrete state in the encoding of a store.
#[derive(Debug, Default)]
pub(crate) struct DiscreteProbe {
    /// The fields in words of 32 bits, the least significant first.
    words: Vec<u32>,
    /// The same in bytes, for forms with records.
    bytes: Vec<u8>,
    /// The numbers of the stored subtrees, for tree compression.
    parts: Vec<u32>,
    /// Two halves of 32 bits: the state if it fits, or the numbers of its parts.
    code: StateCode,
    hash: u64,
}

/// A state that is complete in its code, with its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EncodedState {
    pub(crate) code: StateCode,
    pub(crate) hash: u64,
}

impl DiscreteProbe {
    /// Makes this the encoded state.
    pub(crate) const fn set(&mut self, EncodedState { code, hash }: EncodedState) {
        self.code = code;
        self.hash = hash;
    }
}

/// A store of discrete states.
pub(crate) trait DiscreteStore: fmt::Debug + Send + Sync {
    /// Encodes a state. Returns its hash, or `None` if a part of it is not stored, so that the state is not stored
    /// either.
    ///
    /// # Panics
    /// If the number of fields differs, or a field is outside its range in a form that relies
    /// on ranges.
    fn encode(&self, fields: &[i32], probe: &mut DiscreteProbe) -> Option<u64>;

    /// The encoded state, if it is complete in a code, so that it need not be encoded again for another store of the same form.
    fn encoded(&self, _probe: &DiscreteProbe) -> Option<EncodedState> {
        None
    }

    /// Whether this is the code of the encoded state, whose hash is known.
    fn is_equal(&self, code: StateCode, probe: &DiscreteProbe) -> bool;

    /// Saves the encoded state and returns its code. Saving it again may give another code, unless states are
    /// [merged](Merging).
    fn save(&mut self, probe: &mut DiscreteProbe) -> StateCode;

    /// Writes the state with this code into `fields`.
    fn load(&self, code: StateCode, fields: &mut [i32]);

    /// The hash of the state with this code.
    fn hash(&self, code: StateCode) -> u64;

    /// The numbers of bits of the two halves of the codes so far.
    fn widths(&self) -> [u32; 2];

    /// The bytes besides the codes.
    fn bytes(&self) -> usize;

    /// The bytes of the indices over parts of states.
    fn index_bytes(&self) -> usize;
}

/// Whether a state that is saved again gets the same code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merging {
    /// It does. This takes a table if codes are numbers of records.
    Always,
    /// It need not: the caller saves only new states.
    Never,
}

/// An empty store of the form of the settings.
///
/// # Panics
/// If that is a form without codes.
pub(crate) fn new_discrete_store(settings: &Settings, merging: Merging) -> Box<dyn DiscreteStore> {
    let Settings { ranges, split, .. } = settings;
    match settings.discrete {
        DiscreteForm::Plain => Box::new(EncodedStates::new(Plain::new(ranges), merging)),
        DiscreteForm::Bits => Box::new(EncodedStates::new(BitPacking::new(ranges), merging)),
        DiscreteForm::Digits => Box::new(EncodedStates::new(MixedRadix::new(ranges), merging)),
        DiscreteForm::Shared => Box::new(SharedVectors::new(ranges, *split)),
        DiscreteForm::Tree => Box::new(TreeStates::new(ranges)),
        DiscreteForm::Mtidd => panic!("states at the top of a diagram have no codes"),
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

    fn check(
        mut store: impl DiscreteStore,
        ranges: &[(i32, i32)],
        merging: Merging,
        random: &mut Random,
        seed: u64,
    ) {
        let mut known: HashMap<Vec<i32>, StateCode> = HashMap::new();
        let (mut loaded, mut probe) = (vec![0; ranges.len()], DiscreteProbe::default());
        for _ in 0..300 {
            let fields = random_fields(random, ranges);
            let hash = store.encode(&fields, &mut probe);
            let seen = known.get(&fields).copied();
            assert!(hash.is_some() || seen.is_none(), "seed {seed}");
            let is_equal = |code: StateCode| hash.is_some() && store.is_equal(code, &probe);
            assert!(known.values().all(|&code| is_equal(code) == (seen == Some(code))), "seed {seed}");
            if seen.is_none() || merging == Merging::Always {
                let code = store.save(&mut probe);
                assert!(seen.is_none_or(|seen| seen == code), "seed {seed}");
                known.insert(fields.clone(), code);
            }
            let code = known[&fields];
            store.load(code, &mut loaded);
            assert_eq!(loaded, fields, "seed {seed}");
            assert!(hash.is_none_or(|hash| store.hash(code) == hash), "seed {seed}");
            assert_eq!(store.encode(&fields, &mut probe), Some(store.hash(code)), "seed {seed}");
            let fits = std::iter::zip(code.halves(), store.widths());
            assert!(fits.into_iter().all(|(half, width)| u64::from(half) >> width == 0), "seed {seed}");
        }
        for (fields, &code) in &known {
            store.load(code, &mut loaded);
            assert_eq!(&loaded, fields, "seed {seed}");
        }
    }

    #[test]
    fn every_form_keeps_every_state() {
        for seed in 0..300 {
            let random = &mut Random::from_seed(seed);
            let ranges = random_ranges(random);
            let split = random.below(ranges.len() + 1);
            for merging in [Merging::Always, Merging::Never] {
                check(EncodedStates::new(Plain::new(&ranges), merging), &ranges, merging, random, seed);
                check(EncodedStates::new(BitPacking::new(&ranges), merging), &ranges, merging, random, seed);
                check(EncodedStates::new(MixedRadix::new(&ranges), merging), &ranges, merging, random, seed);
                check(SharedVectors::new(&ranges, split), &ranges, merging, random, seed);
                check(TreeStates::new(&ranges), &ranges, merging, random, seed);
            }
        }
    }
}
