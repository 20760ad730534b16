//! Hash compaction: signatures of states in an open table `[WolperLeroy1993]`, `[Bengtsson2001, section 4.4]`.
//!
//! One part of a hash of 128 bits selects a slot, and another part is the signature, which is stored there: two states
//! are confused only if they collide in both `[SternDill1995]`. There are no chains. If a slot has another signature,
//! the next one of the probe sequence is tried. A slot has the bits of the signature, and one bit that marks it as
//! used:
//!
//! ```text
//!         signature bits   1
//!  ┌───┬──────────────────┬───┬──────────────────┬───┬──────
//!  │ … │ signature        │ 1 │ 0      (empty)   │ 0 │ …
//!  └───┴──────────────────┴───┴──────────────────┴───┴──────
//! ```
//!
//! The table cannot grow, since the hashes that determine the slots are not stored. When it is full, the search ends,
//! or continues without storing states.
//!
//! **The probability of a wrong refusal.** A new state is compared with `l` signatures of other states before an empty
//! slot. Its own signature is independent of these and uniform among `2^s`, so it differs from all of them with
//! probability `r^l`, where `r = 1 - 2^-s`. If a fraction `f` of the slots is used, each slot of the sequence is used
//! with probability `f`, independently of the others: double hashing is asymptotically as good
//! `[LuekerMolodowitch1993]`. So `l` has the probability `f^l (1 - f)`, and the state is refused with probability
//!
//! ```text
//!   p  =  sum over l of  f^l (1 - f) (1 - r^l)  =  1 - (1 - f)/(1 - f r)  =  x/(1 + x),   x = 2^-s · f/(1 - f)
//! ```
//!
//! The `l` of each inserted state is also known, and the sum of `1 - r^l` has the same expected value. But in a nearly
//! empty table `l` is almost always 0, so that sum would usually be 0, a poor estimate of a small number. The fill is
//! counted and varies little.

use std::collections::TryReserveError;

use super::hashed::HashedList;
use super::shards::HashedShards;
use super::slots::Slots;
use super::universal_hash::HashFunction;
use super::{Insertion, Membership, Occupancy, PackedState, RoundSet, SIGNATURE_BITS_MAX, VisitedSet};
use crate::discrete::DiscreteProbe;
use crate::interface::{Divided, Memory};
use crate::settings::Settings;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

/// A table of signatures.
#[derive(Debug)]
pub(super) struct Compact {
    function: HashFunction<2>,
    slots: Slots,
    bits: u32,
    taken: u64,
}

/// The end of a probe sequence.
enum End {
    /// The signature of the state.
    Same,
    /// An empty slot.
    Empty(u64),
}

impl Compact {
    /// An empty table of this many bytes. The function hashes whole states.
    ///
    /// # Panics
    /// If there are no signature bits, or too many.
    pub(super) fn new(bytes: usize, bits: u32, function: HashFunction<2>) -> Result<Self, TryReserveError> {
        let slots = Slots::new(bytes, slot_width(bits), 0)?;
        Ok(Self { function, slots, bits, taken: 0 })
    }

    fn walk(&self, [place, signature]: [u64; 2]) -> (End, u64) {
        let content = slot_content(signature, self.bits);
        for slot in self.slots.probe_sequence(place) {
            let found = self.slots.get(slot);
            if found == 0 {
                return (End::Empty(slot), content);
            }
            if found == content {
                return (End::Same, content);
            }
        }
        unreachable!("a probe sequence has no end")
    }
}

impl VisitedSet for Compact {
    const KEEPS_ZONES: bool = false;

    fn find(
        &self,
        state: &PackedState<'_>,
        _: &dyn ZoneStore,
        _: (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership {
        match self.walk(self.hash(state)).0 {
            End::Same => Membership::Known,
            End::Empty(_) => Membership::New { chance: chance(self.taken, self.slots.len(), 1, self.bits) },
        }
    }

    fn insert(
        &mut self,
        state: &PackedState<'_>,
        zone: ZoneKey,
        _: &mut DiscreteProbe,
        _: &dyn Fn() -> bool,
    ) -> Insertion {
        self.insert_hash(self.hash(state), zone)
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: self.slots.len(), taken: self.taken }
    }

    fn memory(&self) -> Memory {
        Memory { table: self.slots.bytes() + self.function.bytes(), ..Memory::default() }
    }

    fn in_shards(list: &mut HashedList<Self>, settings: &Settings) -> Option<Divided> {
        HashedShards::of(list, settings)
    }
}

impl RoundSet for Compact {
    fn take(&mut self) -> Self {
        Self { function: self.function.take(), slots: self.slots.take(), ..*self }
    }

    fn hash(&self, state: &PackedState<'_>) -> [u64; 2] {
        self.function.hash(state.words, Some(state.state.zone))
    }

    fn insert_hash(&mut self, hash: [u64; 2], _: ZoneKey) -> Insertion {
        match self.walk(hash) {
            (End::Same, _) => Insertion::Collided,
            (End::Empty(_), _) if self.taken >= self.slots.full() => Insertion::Full,
            (End::Empty(slot), content) => {
                self.slots.set(slot, content);
                self.taken += 1;
                Insertion::Inserted
            }
        }
    }
}

/// The number of bits of a slot for a signature of `bits` bits.
///
/// # Panics
/// If there are none, or too many.
pub(super) fn slot_width(bits: u32) -> u32 {
    assert!((1..=SIGNATURE_BITS_MAX).contains(&bits), "signatures of 1 to {SIGNATURE_BITS_MAX} bits");
    bits + 1
}

/// The content of a slot for a hash: the upper bits, and the bit that marks it as used.
#[inline]
pub(super) fn slot_content(hash: u64, bits: u32) -> u64 {
    hash >> (u64::BITS - bits) << 1 | 1
}

/// The probability that a new state finds its own signature before the last of `own` slots that are free or its own, if
/// `taken` of all slots are used.
#[inline]
pub(super) fn chance(taken: u64, slots: u64, own: u32, bits: u32) -> f64 {
    let odds = taken as f64 / (slots - taken) as f64;
    let x = odds * (-f64::from(bits)).exp2();
    -(-f64::from(own) * x.ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_slot_is_never_an_empty_one() {
        for bits in 1..=SIGNATURE_BITS_MAX {
            let width = slot_width(bits);
            for hash in [0, 1, u64::MAX, 1 << 63] {
                let content = slot_content(hash, bits);
                assert!(content != 0 && content >> width == 0, "{bits} bits of {hash:x}");
            }
        }
    }

    #[test]
    fn chances_are_sums_over_the_lengths_of_sequences() {
        for (taken, bits) in [(0, 3), (1, 1), (30, 7), (70, 2), (96, 5)] {
            let (f, r) = (f64::from(taken) / 100.0, 1.0 - (-f64::from(bits)).exp2());
            let sum: f64 = (0..5000).map(|l| f.powi(l) * (1.0 - f) * (1.0 - r.powi(l))).sum();
            let chance = |own| chance(taken as u64, 100, own, bits as u32);
            assert!((chance(1) - sum).abs() < 1e-9, "{taken} of 100, {bits} bits: {} and {sum}", chance(1));
            assert!((1.0 - chance(3) - (1.0 - sum).powi(3)).abs() < 1e-9);
        }
        let small = chance(1, 1 << 30, 1, 62);
        assert!(small > 0.0 && (small * ((1u64 << 62) as f64) * ((1u64 << 30) as f64) - 1.0).abs() < 1e-6);
    }
}
