//! Hash compaction of discrete states, with complete zones `[Bengtsson2001, section 4.4]`.
//!
//! Signatures of whole states recognise only equal states. Here the signature is that of the discrete state, and the
//! slot also has the key of a zone in the zone store: zones are compared as in an exact list, in any storage form and
//! with any cover relation. A discrete state with several zones has several slots in its probe sequence. A deleted zone
//! leaves a slot with a signature and no zone, which any state may reuse; only a slot that was never used ends a probe
//! sequence.
//!
//! The table has the requested size. Zones come on top, shared if the form shares equal zones.
//!
//! **The probability of a wrong refusal** is at most that of `compact.rs`, since the zone must be covered, too. The
//! probe sequence of a discrete state with zones in the table is longer: it continues past each of them. Between any
//! two of them, and before the empty slot, there are as many slots of other states as in the sequence of a new one, so
//! with `c` slots of its own the state is not refused with probability `(1 - p)^(c + 1)`. If two discrete states have
//! the same signature, the zones of one may delete those of the other. This loses nothing: a deleted state was visited,
//! and is visited again at worst.

use std::collections::TryReserveError;

use tourbillon_base::Id;

use super::compact::{chance, slot_content, slot_width};
use super::hashed::HashedList;
use super::shards::HashedShards;
use super::slots::{Slots, zeroed};
use super::universal_hash::HashFunction;
use super::{Insertion, Membership, Occupancy, PackedState, RoundSet, VisitedSet};
use crate::cover::Cover;
use crate::discrete::DiscreteProbe;
use crate::interface::{Divided, Memory};
use crate::settings::Settings;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

/// The key in a slot whose zone was deleted.
const DELETED: u32 = u32::MAX;

/// A table of signatures and zones.
#[derive(Debug)]
pub(super) struct CompactZone {
    cover: Cover,
    function: HashFunction<2>,
    slots: Slots,
    /// The key of the zone of each slot.
    keys: Vec<u32>,
    bits: u32,
    /// The slots whose zones one state covers; empty between two calls.
    covered: Vec<u64>,
    /// The number of slots with a zone.
    taken: u64,
    /// The number of slots that are not empty, with or without a zone.
    used: u64,
}

impl CompactZone {
    /// An empty table of this many bytes. The function hashes discrete states.
    ///
    /// # Panics
    /// If there are no signature bits, or too many.
    pub(super) fn new(
        bytes: usize,
        bits: u32,
        function: HashFunction<2>,
        cover: Cover,
    ) -> Result<Self, TryReserveError> {
        let slots = Slots::new(bytes, slot_width(bits), u32::BITS)?;
        let count = usize::try_from(slots.len()).unwrap_or(usize::MAX);
        let keys = zeroed(count)?;
        Ok(Self { cover, function, slots, keys, bits, covered: Vec::new(), taken: 0, used: 0 })
    }

    /// The probe sequence of a discrete state, and the content of its slots.
    fn begin(&self, [place, signature]: [u64; 2]) -> (impl Iterator<Item = u64> + use<>, u64) {
        (self.slots.probe_sequence(place), slot_content(signature, self.bits))
    }

    fn zone(&self, slot: u64) -> Option<ZoneKey> {
        let key = self.keys[slot as usize];
        (key != DELETED).then(|| ZoneKey::from_index(key as usize))
    }
}

impl VisitedSet for CompactZone {
    const KEEPS_ZONES: bool = true;

    fn find(
        &self,
        packed: &PackedState<'_>,
        zones: &dyn ZoneStore,
        (_, probe): (&mut DiscreteProbe, &mut ZoneProbe),
    ) -> Membership {
        let (sequence, content) = self.begin(self.hash(packed));
        let (mut own, mut is_prepared) = (1, false);
        for slot in sequence {
            let found = self.slots.get(slot);
            if found == 0 {
                break;
            }
            if found != content {
                continue;
            }
            own += 1;
            let Some(key) = self.zone(slot) else { continue };
            if !is_prepared {
                self.cover.prepare_covered(zones, &packed.state, probe);
                is_prepared = true;
            }
            if self.cover.is_covered_by(zones, key, &packed.state, probe) {
                return Membership::Known;
            }
        }
        Membership::New { chance: chance(self.used, self.slots.len(), own, self.bits) }
    }

    fn remove_covered(
        &mut self,
        packed: &PackedState<'_>,
        zones: &mut dyn ZoneStore,
        probe: &mut ZoneProbe,
    ) -> usize {
        let mut covered = std::mem::take(&mut self.covered);
        self.find_covered(packed, zones, probe, &mut covered);
        let removed = covered.drain(..).filter(|&slot| self.remove(slot, zones)).count();
        self.covered = covered;
        removed
    }

    fn insert(
        &mut self,
        packed: &PackedState<'_>,
        zone: ZoneKey,
        _: &mut DiscreteProbe,
        _: &dyn Fn() -> bool,
    ) -> Insertion {
        self.insert_hash(self.hash(packed), zone)
    }

    fn occupancy(&self) -> Occupancy {
        Occupancy { places: self.slots.len(), taken: self.used }
    }

    fn memory(&self) -> Memory {
        Memory {
            table: self.slots.bytes() + self.keys.capacity() * size_of::<u32>() + self.function.bytes(),
            ..Memory::default()
        }
    }

    fn in_shards(list: &mut HashedList<Self>, settings: &Settings) -> Option<Divided> {
        HashedShards::of(list, settings)
    }
}

impl RoundSet for CompactZone {
    fn take(&mut self) -> Self {
        let keys = std::mem::take(&mut self.keys);
        Self { function: self.function.take(), slots: self.slots.take(), keys, covered: Vec::new(), ..*self }
    }

    fn hash(&self, state: &PackedState<'_>) -> [u64; 2] {
        self.function.hash(state.words, None)
    }

    fn insert_hash(&mut self, hash: [u64; 2], zone: ZoneKey) -> Insertion {
        let key = u32::try_from(zone.index()).expect("keys are numbers of 32 bits");
        debug_assert!(key != DELETED);
        let (mut sequence, content) = self.begin(hash);
        let is_free = |&slot: &u64| self.slots.get(slot) == 0 || self.keys[slot as usize] == DELETED;
        let slot = sequence.find(is_free).expect("a probe sequence has no end");
        if self.slots.get(slot) == 0 {
            if self.used >= self.slots.full() {
                return Insertion::Full;
            }
            self.used += 1;
        }
        self.slots.set(slot, content);
        self.keys[slot as usize] = key;
        self.taken += 1;
        Insertion::Inserted
    }

    fn find_covered(
        &self,
        packed: &PackedState<'_>,
        zones: &dyn ZoneStore,
        probe: &mut ZoneProbe,
        places: &mut Vec<u64>,
    ) {
        if self.cover == Cover::Equality {
            return;
        }
        let (sequence, content) = self.begin(self.hash(packed));
        let mut is_prepared = false;
        for slot in sequence {
            let found = self.slots.get(slot);
            if found == 0 {
                break;
            }
            let Some(key) = self.zone(slot).filter(|_| found == content) else { continue };
            if !is_prepared {
                self.cover.prepare_covering(zones, &packed.state, probe);
                is_prepared = true;
            }
            if self.cover.covers_stored(zones, key, &packed.state, probe) {
                places.push(slot);
            }
        }
    }

    fn remove(&mut self, slot: u64, zones: &mut dyn ZoneStore) -> bool {
        let Some(key) = self.zone(slot) else { return false };
        zones.free(key);
        self.keys[slot as usize] = DELETED;
        self.taken -= 1;
        true
    }
}
