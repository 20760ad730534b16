//! States as words: in the code itself if they fit, else in records whose numbers are the codes.
//!
//! This is shared by the forms that write a state as a fixed number of bits ([`StateEncoding`]). Up to 64 bits are in
//! the node that has the state. Longer states would waste space in nodes that have a link instead, so they are in
//! records of whole bytes, in the order of insertion; the table of the list finds them. A table here is needed only if
//! states are saved without a look-up, so that the same state may be saved more than once.

use std::fmt;

use super::{DiscreteProbe, DiscreteStore, EncodedState, Merging, StateCode};
use crate::hash::{hash_bytes, hash_halves};
use crate::index::{Fill, Found, Index};
use crate::packed::bits_of;
use crate::slab::Slab;

/// The number of bits of a code.
const CODE_BITS: usize = 64;

/// An encoding of states in words of 32 bits, the least significant first.
pub(super) trait StateEncoding: fmt::Debug + Send + Sync {
    /// The number of bits of a state.
    fn bits(&self) -> usize;

    /// Writes a state into words; there may be more words than needed.
    ///
    /// # Panics
    /// As [`DiscreteStore::encode`].
    fn write(&self, fields: &[i32], words: &mut [u32]);

    /// Reads a state that was written by [`Self::write`].
    fn read(&self, saved: SavedState<'_>, fields: &mut [i32]);
}

/// States that are encoded in words.
#[derive(Debug)]
pub(super) struct EncodedStates<E> {
    encoding: E,
    bits: usize,
    /// The words that a state is encoded into.
    words: usize,
    /// Records of states that do not fit in a code.
    records: Option<StateRecords>,
}

#[derive(Debug)]
struct StateRecords {
    slab: Slab<u8>,
    /// Finds states that are saved again, if they are merged.
    index: Option<Index>,
}

/// A saved state, to be read word by word.
#[derive(Clone, Copy)]
pub(super) enum SavedState<'a> {
    /// The code is the state.
    Code(StateCode),
    /// The state is a record.
    Bytes(&'a [u8]),
}

impl SavedState<'_> {
    /// The word at an index; 0 past the end.
    #[inline]
    pub(super) fn word(self, index: usize) -> u32 {
        match self {
            Self::Code(code) => code.halves().get(index).copied().unwrap_or(0),
            Self::Bytes(bytes) => {
                let bytes = bytes.get(4 * index..).unwrap_or_default();
                let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
                bytes.first_chunk().map_or_else(
                    || u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]),
                    |&whole| u32::from_le_bytes(whole),
                )
            }
        }
    }
}

impl<E: StateEncoding> EncodedStates<E> {
    pub(super) fn new(encoding: E, merging: Merging) -> Self {
        let bits = encoding.bits();
        let records = (bits > CODE_BITS).then(|| StateRecords {
            slab: Slab::new(bits.div_ceil(8)),
            index: (merging == Merging::Always).then(|| Index::new(Fill::Loose)),
        });
        Self { encoding, bits, words: bits.div_ceil(32).max(2), records }
    }

    #[inline]
    fn get(&self, code: StateCode) -> SavedState<'_> {
        match &self.records {
            None => SavedState::Code(code),
            Some(records) => SavedState::Bytes(records.slab.get(code.0 as u32)),
        }
    }
}

impl<E: StateEncoding> DiscreteStore for EncodedStates<E> {
    fn encode(&self, fields: &[i32], probe: &mut DiscreteProbe) -> Option<u64> {
        let DiscreteProbe { words, bytes, code, hash, .. } = probe;
        // At least two words, which are the code if the state fits in it. Unused bits are zero.
        words.resize(self.words, 0);
        words.fill(0);
        self.encoding.write(fields, words);
        *hash = if self.records.is_none() {
            *code = StateCode::of_halves([words[0], words[1]]);
            hash_halves(&code.halves())
        } else {
            bytes.clear();
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(self.bits.div_ceil(8)));
            hash_bytes(bytes)
        };
        Some(*hash)
    }

    fn encoded(&self, probe: &DiscreteProbe) -> Option<EncodedState> {
        self.records.is_none().then_some(EncodedState { code: probe.code, hash: probe.hash })
    }

    #[inline]
    fn is_equal(&self, code: StateCode, probe: &DiscreteProbe) -> bool {
        match &self.records {
            None => code == probe.code,
            Some(records) => records.slab.get(code.0 as u32) == probe.bytes,
        }
    }

    fn save(&mut self, probe: &mut DiscreteProbe) -> StateCode {
        match &mut self.records {
            None => probe.code,
            Some(records) => StateCode::number(records.save(&probe.bytes, probe.hash)),
        }
    }

    fn load(&self, code: StateCode, fields: &mut [i32]) {
        self.encoding.read(self.get(code), fields);
    }

    fn hash(&self, code: StateCode) -> u64 {
        match self.get(code) {
            SavedState::Code(code) => hash_halves(&code.halves()),
            SavedState::Bytes(bytes) => hash_bytes(bytes),
        }
    }

    fn widths(&self) -> [u32; 2] {
        match &self.records {
            None => [self.bits.min(32) as u32, self.bits.saturating_sub(32) as u32],
            Some(records) => [bits_of(records.slab.len() as u64), 0],
        }
    }

    fn bytes(&self) -> usize {
        self.records.as_ref().map_or(0, |records| records.slab.bytes())
    }

    fn index_bytes(&self) -> usize {
        let index = self.records.as_ref().and_then(|records| records.index.as_ref());
        index.map_or(0, Index::bytes)
    }
}

impl StateRecords {
    fn save(&mut self, record: &[u8], hash: u64) -> u32 {
        let Self { slab, index } = self;
        let Some(index) = index else { return slab.push(record) };
        let next = slab.len() as u32;
        if !index.has_room(next) {
            index.rebuild(next, |name| {
                (0..next).for_each(|number| name(hash_bytes(slab.get(number)), number))
            });
        }
        match index.find(hash, |number| slab.get(number) == record) {
            Found::Number(_, number) => number,
            vacant => {
                index.put(vacant, hash, next);
                slab.push(record)
            }
        }
    }
}
