//! Bitstate hashing (supertrace): a table of bits, some of them for each state `[Holzmann1991]`, `[Bengtsson2001,
//! section 4.3]`.
//!
//! A state is known if all of its bits are set, and is inserted by setting them. With more than one bit, this is a
//! Bloom filter `[Bloom1970]`. Zones are not stored, so only equal states are recognised; more states are visited than
//! with inclusion, and each takes a few bits.
//!
//! The positions of a state's bits are derived from one hash of 64 bits. Two states with the same hash are never
//! distinguished; among a hundred million states there is such a pair with a probability of 1 in 4000.
//!
//! **The probability of a wrong refusal.** The positions of a new state are uniform and independent of the table. If a
//! fraction `f` of the bits is set, all `k` positions are set with probability `f^k`. The fill is counted, not
//! estimated. If `n` states were inserted, `n / 2^64` is added for an equal hash.
//!
//! **How many bits.** With `n` states in `m` bits, about `1 - e^(-kn/m)` of them are set, and `f^k` is minimal at `k =
//! m/n · ln 2`, when half of them are set. More bits are better if the table is large for the model, fewer if it is
//! small, which is not known before the search. Four are near the optimum over all sensible sizes: they omit 100 times
//! fewer states than one bit if the table has 16 bits for each state, and never many more than the best number, down to
//! the two bits for each state at which every seventh is omitted (`docs/book/probabilistic.md` has the measurements).
//!
//! Cost: a look-up is a cache miss for each bit until one is clear.

use std::collections::TryReserveError;

use super::hashed::HashedList;
use super::shards::HashedShards;
use super::slots::zeroed;
use super::universal_hash::{HashFunction, derived, scaled};
use super::{Insertion, Membership, Occupancy, PackedState, RoundSet, VisitedSet};
use crate::discrete::DiscreteProbe;
use crate::interface::{Divided, Memory};
use crate::settings::Settings;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

/// A table of bits.
#[derive(Debug)]
pub(super) struct Bitstate {
    function: HashFunction<1>,
    words: Vec<u64>,
    per_state: u32,
    taken: u64,
    entered: u64,
}

impl Bitstate {
    /// An empty table of this many bytes. The function hashes whole states.
    ///
    /// # Panics
    /// If a state has no bits.
    pub(super) fn new(
        bytes: usize,
        per_state: u32,
        function: HashFunction<1>,
    ) -> Result<Self, TryReserveError> {
        assert!(per_state > 0, "states without bits");
        let words = zeroed(bytes / size_of::<u64>())?;
        Ok(Self { function, words, per_state, taken: 0, entered: 0 })
    }

    fn hash_of(&self, packed: &PackedState<'_>) -> u64 {
        let [hash] = self.function.hash(packed.words, Some(packed.state.zone));
        hash
    }

    fn places(&self) -> u64 {
        self.words.len() as u64 * u64::from(u64::BITS)
    }

    /// The position of one of a state's bits: a word, and a bit of it.
    #[inline]
    fn place(&self, hash: u64, number: u32) -> (usize, u64) {
        let place = scaled(derived(hash, number), self.places());
        ((place / 64) as usize, 1 << (place % 64))
    }
}

impl Bitstate {
    fn insert_bits(&mut self, hash: u64) -> Insertion {
        let before = self.taken;
        self.entered += 1;
        for number in 0..self.per_state {
            let (word, bit) = self.place(hash, number);
            self.taken += u64::from(self.words[word] & bit == 0);
            self.words[word] |= bit;
        }
        if self.taken > before { Insertion::Inserted } else { Insertion::Collided }
    }
}

impl VisitedSet for Bitstate {
    const KEEPS_ZONES: bool = false;

    fn find(
        &self,
        state: &PackedState<'_>,
        _: &dyn ZoneStore,
        _: (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership {
        let hash = self.hash_of(state);
        let is_set = |number| {
            let (word, bit) = self.place(hash, number);
            self.words[word] & bit != 0
        };
        if (0..self.per_state).all(is_set) {
            return Membership::Known;
        }
        let fill = self.taken as f64 / self.places() as f64;
        let same_hash = self.entered as f64 / 2f64.powi(64);
        Membership::New { chance: (fill.powi(self.per_state.cast_signed()) + same_hash).min(1.0) }
    }

    fn insert(
        &mut self,
        state: &PackedState<'_>,
        _: ZoneKey,
        _: &mut DiscreteProbe,
        _: &dyn Fn() -> bool,
    ) -> Insertion {
        self.insert_bits(self.hash_of(state))
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: self.places(), taken: self.taken }
    }

    fn memory(&self) -> Memory {
        Memory {
            table: self.words.capacity() * size_of::<u64>() + self.function.bytes(),
            ..Memory::default()
        }
    }

    fn in_shards(list: &mut HashedList<Self>, settings: &Settings) -> Option<Divided> {
        HashedShards::of(list, settings)
    }
}

impl RoundSet for Bitstate {
    fn take(&mut self) -> Self {
        Self { function: self.function.take(), words: std::mem::take(&mut self.words), ..*self }
    }

    fn hash(&self, state: &PackedState<'_>) -> [u64; 2] {
        [self.hash_of(state), 0]
    }

    fn insert_hash(&mut self, [hash, _]: [u64; 2], _: ZoneKey) -> Insertion {
        self.insert_bits(hash)
    }
}
