//! Hash compaction: signatures of states in an open table `[WolperLeroy1993]`, `[Bengtsson2001, section 4.4]`.
//!
//! Of one hash of 128 bits, one part says where in the table a state belongs and another is its signature, which is
//! kept there: two states must collide in both to be taken for each other `[SternDill1995]`. There are no chains. A
//! state that finds its slot taken by another signature tries the next on its way. A slot has as many bits as the
//! signature, and one that says that it is taken:
//!
//! ```text
//!         signature bits   1
//!  ┌───┬──────────────────┬───┬──────────────────┬───┬──────
//!  │ … │ signature        │ 1 │ 0      (empty)   │ 0 │ …
//!  └───┴──────────────────┴───┴──────────────────┴───┴──────
//! ```
//!
//! The table cannot grow, since what would be needed to place a signature anew is not kept. When it is full the search
//! ends, or goes on without remembering what it visits.
//!
//! **The chance of a wrong refusal.** A new state meets `l` signatures of other states on its way to an empty slot. Its
//! own is independent of these and uniform among `2^s`, so that it is none of them with the chance `r^l`, where
//! `r = 1 - 2^-s`. If a share `f` of the slots is taken, each slot on the way is taken with the chance `f`, whatever the
//! others are: double hashing is as good as that `[LuekerMolodowitch1993]`. So `l` has the chance `f^l (1 - f)`, and the
//! state is refused with
//!
//! ```text
//!   p  =  sum over l of  f^l (1 - f) (1 - r^l)  =  1 - (1 - f)/(1 - f r)  =  x/(1 + x),   x = 2^-s · f/(1 - f)
//! ```
//!
//! The `l` of each state that is not refused is known, too, and adding up `1 - r^l` instead comes to the same on average. But
//! a table that is nearly empty has `l = 0` almost always, so that the sum would mostly be 0, which is no estimate of a
//! small number. The fill is counted, and steady.

use std::collections::TryReserveError;

use super::slots::Slots;
use super::universal_hash::HashFunction;
use super::{Insertion, Membership, Occupancy, PackedState, SIGNATURE_BITS_MAX, VisitedSet};
use crate::discrete::DiscreteProbe;
use crate::interface::Memory;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

/// A table of signatures.
#[derive(Debug)]
pub(super) struct Compact {
    function: HashFunction<2>,
    slots: Slots,
    bits: u32,
    taken: u64,
}

/// Where the way of a state ended.
enum End {
    /// At its own signature.
    Same,
    /// At an empty slot.
    Empty(u64),
}

impl Compact {
    /// No states, in so many bytes. The function hashes whole states.
    ///
    /// # Panics
    /// If there are no signature bits, or too many.
    pub(super) fn new(bytes: usize, bits: u32, function: HashFunction<2>) -> Result<Self, TryReserveError> {
        let slots = Slots::new(bytes, slot_width(bits), 0)?;
        Ok(Self { function, slots, bits, taken: 0 })
    }

    fn walk(&self, packed: &PackedState<'_>) -> (End, u64) {
        let [place, signature] = self.function.hash(packed.words, Some(packed.state.zone));
        let content = slot_content(signature, self.bits);
        for slot in self.slots.way(place) {
            let found = self.slots.get(slot);
            if found == 0 {
                return (End::Empty(slot), content);
            }
            if found == content {
                return (End::Same, content);
            }
        }
        unreachable!("a way has no end")
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
        match self.walk(state).0 {
            End::Same => Membership::Known,
            End::Empty(_) => Membership::New { chance: chance(self.taken, self.slots.len(), 1, self.bits) },
        }
    }

    fn insert(
        &mut self,
        state: &PackedState<'_>,
        _: ZoneKey,
        _: &mut DiscreteProbe,
        _: &dyn Fn() -> bool,
    ) -> Insertion {
        match self.walk(state) {
            (End::Same, _) => Insertion::Collided,
            (End::Empty(_), _) if self.taken >= self.slots.full() => Insertion::Full,
            (End::Empty(slot), content) => {
                self.slots.set(slot, content);
                self.taken += 1;
                Insertion::Inserted
            }
        }
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: self.slots.len(), taken: self.taken }
    }

    fn memory(&self) -> Memory {
        Memory { table: self.slots.bytes() + self.function.bytes(), ..Memory::default() }
    }
}

/// How many bits a slot has for a signature of so many.
///
/// # Panics
/// If there are none, or too many.
pub(super) fn slot_width(bits: u32) -> u32 {
    assert!((1..=SIGNATURE_BITS_MAX).contains(&bits), "signatures of 1 to {SIGNATURE_BITS_MAX} bits");
    bits + 1
}

/// What a slot has for a signature: the upper bits of the hash, and the bit that says that it is taken.
#[inline]
pub(super) fn slot_content(hash: u64, bits: u32) -> u64 {
    hash >> (u64::BITS - bits) << 1 | 1
}

/// The chance that a new state meets its own signature before it comes to the last of so many slots that are free or its
/// own, if that many of all slots are taken.
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
    fn chances_are_sums_over_the_lengths_of_ways() {
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
