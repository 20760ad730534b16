//! States as words: in the code itself where they fit, else in records whose numbers are the codes.
//!
//! Forms that write a state as so many bits are [`Writing`]s, and share this. Up to 64 bits lie in the node that has the state. More would
//! be wasted in nodes that have a link instead, so they go to records of whole bytes, in the order in which they came;
//! the list's own table finds them there, and none is needed here. Only where states are saved without having been
//! looked up, and the same one therefore more than once, does a table of its own merge them.

use std::fmt;

use super::{Code, Discrete, Merging};
use crate::hash::{hash_bytes, hash_halves};
use crate::index::{Fill, Found, Index};
use crate::packed::bits_of;
use crate::slab::Slab;

/// How many bits a code has.
const CODE_BITS: usize = 64;

/// How a state is written in words of 32 bits, the least significant first.
pub(crate) trait Writing: fmt::Debug {
    /// How many bits a state takes.
    fn bits(&self) -> usize;

    /// Writes a state into words, of which the last may be more than it takes.
    ///
    /// # Panics
    /// As [`Discrete::hold`].
    fn write(&self, fields: &[i32], words: &mut [u32]);

    /// Reads the state that was written so.
    fn read(&self, saved: Saved<'_>, fields: &mut [i32]);
}

/// States that are written in words.
#[derive(Debug)]
pub(crate) struct Written<W> {
    writing: W,
    words: Words,
}

impl<W: Writing> Written<W> {
    pub(crate) fn new(writing: W, merging: Merging) -> Self {
        let words = Words::new(writing.bits(), merging);
        Self { writing, words }
    }
}

impl<W: Writing> Discrete for Written<W> {
    fn hold(&mut self, fields: &[i32]) -> u64 {
        let Self { writing, words } = self;
        words.hold(|words| writing.write(fields, words))
    }

    fn is_held(&self, code: Code) -> bool {
        self.words.is_held(code)
    }

    fn save(&mut self) -> Code {
        self.words.save()
    }

    fn load(&self, code: Code, fields: &mut [i32]) {
        self.writing.read(self.words.get(code), fields);
    }

    fn hash(&self, code: Code) -> u64 {
        self.words.hash(code)
    }

    fn widths(&self) -> [u32; 2] {
        self.words.widths()
    }

    fn bytes(&self) -> usize {
        self.words.bytes()
    }

    fn index_bytes(&self) -> usize {
        self.words.index_bytes()
    }
}

/// Saved states of one length, and the held one.
#[derive(Debug)]
struct Words {
    bits: usize,
    /// The held state, 32 bits to a word, the least significant first; two words at least.
    held: Vec<u32>,
    hash: u64,
    /// Where states do not fit in a code.
    records: Option<Records>,
}

#[derive(Debug)]
struct Records {
    slab: Slab<u8>,
    /// The held state in bytes.
    held: Vec<u8>,
    merging: Option<Index>,
}

/// A saved state, to be read word by word.
#[derive(Clone, Copy)]
pub(crate) enum Saved<'a> {
    /// Its code is all of it.
    Code(Code),
    /// It is a record.
    Bytes(&'a [u8]),
}

impl Saved<'_> {
    /// The word at an index, which may be past the end.
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

impl Words {
    /// States of this many bits.
    fn new(bits: usize, merging: Merging) -> Self {
        let records = (bits > CODE_BITS).then(|| Records {
            slab: Slab::new(bits.div_ceil(8)),
            held: Vec::new(),
            merging: (merging == Merging::Always).then(|| Index::new(Fill::Loose)),
        });
        Self { bits, held: vec![0; bits.div_ceil(32).max(2)], hash: 0, records }
    }

    /// Takes up the state that `write` writes, and returns its hash.
    #[inline]
    fn hold(&mut self, write: impl FnOnce(&mut [u32])) -> u64 {
        write(&mut self.held);
        self.hash = match &mut self.records {
            None => hash_halves(&self.held[..2]),
            Some(records) => records.hold(&self.held, self.bits),
        };
        self.hash
    }

    #[inline]
    fn held_code(&self) -> Code {
        Code::of_halves([self.held[0], self.held[1]])
    }

    #[inline]
    fn is_held(&self, code: Code) -> bool {
        match &self.records {
            None => code == self.held_code(),
            Some(records) => records.slab.get(code.0 as u32) == records.held,
        }
    }

    #[inline]
    fn save(&mut self) -> Code {
        match &mut self.records {
            None => self.held_code(),
            Some(records) => Code::number(records.save(self.hash)),
        }
    }

    #[inline]
    fn get(&self, code: Code) -> Saved<'_> {
        match &self.records {
            None => Saved::Code(code),
            Some(records) => Saved::Bytes(records.slab.get(code.0 as u32)),
        }
    }

    fn hash(&self, code: Code) -> u64 {
        match self.get(code) {
            Saved::Code(code) => hash_halves(&code.halves()),
            Saved::Bytes(bytes) => hash_bytes(bytes),
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
        let merging = self.records.as_ref().and_then(|records| records.merging.as_ref());
        merging.map_or(0, Index::bytes)
    }
}

impl Records {
    fn hold(&mut self, words: &[u32], bits: usize) -> u64 {
        self.held.clear();
        self.held.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(bits.div_ceil(8)));
        hash_bytes(&self.held)
    }

    fn save(&mut self, hash: u64) -> u32 {
        let Self { slab, held, merging: Some(index) } = self else { return self.slab.push(&self.held) };
        let next = slab.len() as u32;
        if !index.has_room(next) {
            index.rebuild(next, |name| {
                (0..next).for_each(|number| name(hash_bytes(slab.get(number)), number))
            });
        }
        match index.find(hash, |number| slab.get(number) == held) {
            Found::Number(_, number) => number,
            vacant => {
                index.put(vacant, hash, next);
                slab.push(held)
            }
        }
    }
}
