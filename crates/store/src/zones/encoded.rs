//! Encoded zones under keys, with or without sharing of equal ones.
//!
//! A record is an encoded zone, after a byte that counts its uses if equal zones are shared. The count saturates at
//! 255; a zone that ever reached it is never freed, which is sound and costs little, since many nodes have it. The form
//! gives the length of a record: it is passed in as a [`RecordLength`].

use super::byte_arena::ByteArena;
use super::key_table::KeyTable;
use crate::hash::hash_words;

/// Further uses are not counted.
const MANY: u8 = u8::MAX;

/// The length of an encoded zone.
pub(super) trait RecordLength {
    /// In bytes, from the beginning of the record.
    fn bytes(&self, record: &[u8]) -> usize;

    /// In units of memory, including `lead` bytes before it.
    fn units(&self, record: &[u8], lead: usize) -> usize;
}

#[derive(Debug)]
pub(super) struct EncodedZones {
    arena: ByteArena,
    /// Finds equal zones, if they are shared.
    table: Option<KeyTable>,
    len: usize,
}

/// The hash of an encoded zone.
fn hash(record: &[u8]) -> u64 {
    let (words, rest) = record.as_chunks();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    hash_words(words.iter().map(|&word| u64::from_le_bytes(word)).chain([last]))
}

/// The number of bytes before the encoded zone.
pub(super) const fn lead(sharing: bool) -> usize {
    sharing as usize
}

impl EncodedZones {
    pub(super) fn new(arena: ByteArena, sharing: bool) -> Self {
        Self { arena, table: sharing.then(KeyTable::new), len: 0 }
    }

    #[inline]
    fn lead(&self) -> usize {
        lead(self.table.is_some())
    }

    /// A stored zone, with the bytes after it.
    #[inline]
    pub(super) fn get(&self, key: u32) -> &[u8] {
        &self.arena.get(key)[self.lead()..]
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The key of a stored zone, if equal zones are shared.
    pub(super) fn find(&self, record: &[u8]) -> Option<u32> {
        self.find_hashed(hash(record), record)
    }

    fn find_hashed(&self, hash: u64, record: &[u8]) -> Option<u32> {
        // No encoded zone is a prefix of another one.
        self.table.as_ref()?.find(hash, |key| self.arena.get(key)[1..].starts_with(record))
    }

    /// Counts one more use of a shared zone.
    pub(super) fn retain(&mut self, key: u32) {
        let uses = &mut self.arena.get_mut(key)[0];
        *uses = uses.saturating_add(1);
    }

    /// Counts one more use of this zone, or stores it, and returns its key.
    pub(super) fn save(&mut self, record: &[u8], form: &impl RecordLength) -> u32 {
        if self.table.is_none() {
            return self.add(record, form);
        }
        let hash = hash(record);
        if let Some(key) = self.find_hashed(hash, record) {
            self.retain(key);
            return key;
        }
        let key = self.add(record, form);
        self.arena.get_mut(key)[0] = 1;
        let Self { arena, table, .. } = self;
        if let Some(table) = table {
            table.insert(hash, key, |key| hash_of(arena, key, form));
        }
        key
    }

    fn add(&mut self, record: &[u8], form: &impl RecordLength) -> u32 {
        let lead = self.lead();
        let key = self.arena.allocate(form.units(record, lead));
        self.arena.get_mut(key)[lead..][..record.len()].copy_from_slice(record);
        self.len += 1;
        key
    }

    /// Counts one use less, and removes the zone after the last use.
    pub(super) fn free(&mut self, key: u32, form: &impl RecordLength) {
        let lead = self.lead();
        if let Some(table) = &mut self.table {
            let uses = &mut self.arena.get_mut(key)[0];
            if *uses == MANY {
                return;
            }
            *uses -= 1;
            if *uses > 0 {
                return;
            }
            let arena = &self.arena;
            table.remove(hash_of(arena, key, form), key, |key| hash_of(arena, key, form));
        }
        let units = form.units(&self.arena.get(key)[lead..], lead);
        self.arena.release(key, units);
        self.len -= 1;
    }

    /// The same zones under the same keys, rewritten by another form in units of this many bytes.
    pub(super) fn rewritten<F: RecordLength>(
        self,
        unit: usize,
        old: &F,
        new: &F,
        mut rewrite: impl FnMut(&[u8], &mut [u8]),
    ) -> Self {
        let lead = self.lead();
        let Self { arena, mut table, len } = self;
        let arena = arena.rewritten(unit, |from, to| {
            to[..lead].copy_from_slice(&from[..lead]);
            rewrite(&from[lead..], &mut to[lead..]);
            old.units(&from[lead..], lead)
        });
        if let Some(table) = &mut table {
            table.rehash(|key| hash_of(&arena, key, new));
        }
        Self { arena, table, len }
    }

    /// The allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.table.as_ref().map_or(0, KeyTable::bytes)
    }
}

/// The hash of a stored zone, if equal zones are shared.
fn hash_of(arena: &ByteArena, key: u32, form: &impl RecordLength) -> u64 {
    let record = &arena.get(key)[lead(true)..];
    hash(&record[..form.bytes(record)])
}
