//! Waiting states, stored completely: the packed discrete state, and the key of the zone.
//!
//! A state has a slot from its offer until it is popped; slots are reused. With inclusion on waiting, a table over
//! discrete states finds the first of the linked states with the same discrete state `[Bengtsson2001, section 4.1]`. A
//! state that a later one covers leaves that list at once; its slot is freed when it is popped.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use tourbillon_base::Id;

use crate::column::Column;
use crate::cover::{Cover, CoverParameters};
use crate::discrete::BitPacking;
use crate::hash::hash_halves;
use crate::interface::StateRef;
use crate::parameters::ParameterTable;
use crate::zones::{ZoneKey, ZoneProbe, ZoneStore};

const NONE: u32 = u32::MAX;

/// A waiting state without its discrete state.
#[derive(Clone, Copy, Debug)]
struct WaitingSlot {
    /// The key of the zone; [`NONE`] if it is stale.
    zone: u32,
    /// The next one with the same discrete state; for a free slot, the next free one.
    next: u32,
}

#[derive(Debug)]
pub(super) struct WaitingStates {
    packing: BitPacking,
    /// The packed discrete state of each slot.
    words: Column<u32>,
    slots: Column<WaitingSlot>,
    free: u32,
    /// With inclusion on waiting, the first state of each discrete state.
    firsts: Option<HashTable<u32>>,
    /// If states are compared at pop time and the cover relation has parameters: these, and the number of the
    /// parameters of each slot.
    parameters: Option<(ParameterTable, Column<u32>)>,
    /// With traces, the id of each slot.
    ids: Option<Column<u32>>,
}

/// A state to be added, without its discrete state.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaitingState<'a> {
    pub(super) zone: ZoneKey,
    pub(super) parameters: CoverParameters<'a>,
    /// The id, with traces.
    pub(super) id: Option<u32>,
}

impl WaitingStates {
    pub(super) fn new(ranges: &[(i32, i32)], indexed: bool, with_parameters: bool, with_ids: bool) -> Self {
        Self {
            packing: BitPacking::new(ranges),
            words: Column::new(),
            slots: Column::new(),
            free: NONE,
            firsts: indexed.then(HashTable::new),
            parameters: with_parameters.then(|| (ParameterTable::new(), Column::new())),
            ids: with_ids.then(Column::new),
        }
    }

    pub(super) fn pack(&self, discrete: &[i32], words: &mut Vec<u32>) {
        words.resize(self.packing.words(), 0);
        self.packing.encode(discrete, words);
    }

    pub(super) fn unpack(&self, words: &[u32], discrete: &mut [i32]) {
        self.packing.decode(words, discrete);
    }

    /// Adds a state and returns its slot.
    pub(super) fn add(&mut self, words: &[u32], state: &WaitingState<'_>) -> u32 {
        let slot = self.take_slot();
        self.slots[slot].zone = state.zone.index() as u32;
        for (offset, &word) in (0..).zip(words) {
            let place = self.place(slot) + offset;
            self.words[place] = word;
        }
        if let Some((table, numbers)) = &mut self.parameters {
            numbers[slot] = table.intern(state.parameters);
        }
        if let Some((ids, id)) = self.ids.as_mut().zip(state.id) {
            ids[slot] = id;
        }
        self.link(words, slot);
        slot
    }

    fn take_slot(&mut self) -> u32 {
        if self.free != NONE {
            let slot = self.free;
            self.free = self.slots[slot].next;
            return slot;
        }
        for _ in 0..self.packing.words() {
            self.words.push(0);
        }
        if let Some((_, numbers)) = &mut self.parameters {
            numbers.push(0);
        }
        if let Some(ids) = &mut self.ids {
            ids.push(NONE);
        }
        self.slots.push(WaitingSlot { zone: NONE, next: NONE })
    }

    /// The position of the words of a slot.
    #[inline]
    fn place(&self, slot: u32) -> u32 {
        slot * self.packing.words() as u32
    }

    /// Puts a slot first among those with these words.
    fn link(&mut self, words: &[u32], slot: u32) {
        let Some(mut firsts) = self.firsts.take() else { return };
        let entry = firsts.entry(
            hash_halves(words),
            |&first| self.has_words(first, words),
            |&first| self.hash(first),
        );
        self.slots[slot].next = match entry {
            Entry::Occupied(mut found) => std::mem::replace(found.get_mut(), slot),
            Entry::Vacant(vacant) => {
                vacant.insert(slot);
                NONE
            }
        };
        self.firsts = Some(firsts);
    }

    fn has_words(&self, slot: u32, words: &[u32]) -> bool {
        (self.place(slot)..).zip(words).all(|(place, &word)| self.words[place] == word)
    }

    fn hash(&self, slot: u32) -> u64 {
        let place = self.place(slot);
        let mut words = [0; 16];
        let count = self.packing.words();
        if count <= words.len() {
            (place..).zip(&mut words[..count]).for_each(|(place, word)| *word = self.words[place]);
            return hash_halves(&words[..count]);
        }
        let words: Vec<u32> = (place..).take(count).map(|place| self.words[place]).collect();
        hash_halves(&words)
    }

    /// The first waiting state with these words, with inclusion on waiting.
    pub(super) fn first(&self, words: &[u32]) -> Option<u32> {
        let firsts = self.firsts.as_ref()?;
        firsts.find(hash_halves(words), |&first| self.has_words(first, words)).copied()
    }

    /// The next one with the same words.
    #[inline]
    pub(super) fn next(&self, slot: u32) -> Option<u32> {
        let next = self.slots[slot].next;
        (next != NONE).then_some(next)
    }

    /// The zone of a state; `None` if it is stale.
    #[inline]
    pub(super) fn zone(&self, slot: u32) -> Option<ZoneKey> {
        let zone = self.slots[slot].zone;
        (zone != NONE).then(|| ZoneKey::from_index(zone as usize))
    }

    /// The id of a slot, with traces.
    pub(super) fn id(&self, slot: u32) -> Option<u32> {
        self.ids.as_ref().map(|ids| ids[slot])
    }

    /// The cover parameters of a state, if they are stored.
    pub(super) fn parameters(&self, slot: u32) -> CoverParameters<'_> {
        let kept = self.parameters.as_ref();
        kept.map_or(CoverParameters::None, |(table, numbers)| table.numbered(numbers[slot]))
    }

    pub(super) fn words(&self, slot: u32, words: &mut Vec<u32>) {
        words.resize(self.packing.words(), 0);
        (self.place(slot)..).zip(words).for_each(|(place, word)| *word = self.words[place]);
    }

    /// Removes a state with these words from those that offers are compared with. Its slot stays in use.
    pub(super) fn withdraw(&mut self, words: &[u32], slot: u32) {
        let next = self.slots[slot].next;
        self.slots[slot].zone = NONE;
        let Some(mut firsts) = self.firsts.take() else { return };
        if let Ok(mut found) = firsts.find_entry(hash_halves(words), |&first| self.has_words(first, words)) {
            if *found.get() != slot {
                self.unlink(*found.get(), slot, next);
            } else if next != NONE {
                *found.get_mut() = next;
            } else {
                found.remove();
            }
        }
        self.firsts = Some(firsts);
    }

    /// Replaces `slot` by `next` in the list that starts with `first`.
    fn unlink(&mut self, first: u32, slot: u32, next: u32) {
        let mut before = first;
        while self.slots[before].next != slot {
            before = self.slots[before].next;
        }
        self.slots[before].next = next;
    }

    /// Whether a state with these words covers the encoded zone.
    pub(super) fn covers(
        &self,
        (cover, zones): (Cover, &dyn ZoneStore),
        state: &StateRef<'_>,
        words: &[u32],
        probe: &mut ZoneProbe,
    ) -> bool {
        let mut slot = self.first(words);
        if slot.is_some() {
            cover.prepare_covered(zones, state, probe);
        }
        while let Some(at) = slot {
            if self.zone(at).is_some_and(|key| cover.is_covered_by(zones, key, state, probe)) {
                return true;
            }
            slot = self.next(at);
        }
        false
    }

    /// Withdraws the states with these words that the encoded zone covers, and adds the keys of their zones to `freed`.
    pub(super) fn withdraw_covered(
        &mut self,
        (cover, zones): (Cover, &dyn ZoneStore),
        state: &StateRef<'_>,
        words: &[u32],
        probe: &mut ZoneProbe,
        freed: &mut Vec<ZoneKey>,
    ) {
        let mut slot = self.first(words);
        if slot.is_some() {
            cover.prepare_covering(zones, state, probe);
        }
        while let Some(at) = slot {
            slot = self.next(at);
            let zone = self.zone(at);
            if let Some(key) = zone.filter(|&key| cover.covers_stored(zones, key, state, probe)) {
                self.withdraw(words, at);
                freed.push(key);
            }
        }
    }

    /// Adds a withdrawn state with these words again.
    pub(super) fn restore(&mut self, words: &[u32], slot: u32, zone: ZoneKey) {
        self.slots[slot].zone = zone.index() as u32;
        self.link(words, slot);
    }

    /// Frees the slot of a withdrawn state.
    pub(super) fn release(&mut self, slot: u32) {
        debug_assert!(self.zone(slot).is_none(), "it is still waiting");
        self.slots[slot].next = self.free;
        self.free = slot;
    }

    pub(super) fn bytes(&self) -> usize {
        let parameters = |(table, numbers): &(ParameterTable, Column<u32>)| table.bytes() + numbers.bytes();
        self.words.bytes()
            + self.slots.bytes()
            + self.firsts.as_ref().map_or(0, HashTable::allocation_size)
            + self.parameters.as_ref().map_or(0, parameters)
            + self.ids.as_ref().map_or(0, Column::bytes)
    }
}
