//! Tree compression: vectors are split into halves recursively, down to words; equal subtrees are stored once.
//!
//! A successor differs from its predecessor in a few fields, so most of its subtrees are already stored: a new state
//! costs a new pair on each level from the changed word up, and often only its root `[LaarmanVandePolWeber2011]`.
//! Fields are first packed in bits; a leaf is a word of them.
//!
//! ```text
//!                      code: left │ right            the root is not stored: it is the code
//!                     ╱                  ╲
//!            left │ right              left │ word   pairs, each once, under their numbers
//!            ╱          ╲              ╱
//!      word │ word   word │ word   word │ word
//! ```
//!
//! A state of one word or two is its own root. Each inner node has a table of its own, which keeps numbers small: the
//! size of a root depends on the number of distinct halves.

use super::bits::BitPacking;
use super::vector_table::VectorTable;
use super::{DiscreteProbe, DiscreteStore, StateCode};
use crate::hash::hash_halves;
use crate::packed::bits_of;

#[derive(Debug)]
pub(super) struct TreeStates {
    packing: BitPacking,
    /// The inner nodes except the root, children before parents.
    parts: Vec<InnerNode>,
    /// The two children of the root.
    halves: [Child; 2],
}

/// An inner node with its table of pairs.
#[derive(Debug)]
struct InnerNode {
    halves: [Child; 2],
    pairs: VectorTable,
}

/// A child of an inner node.
#[derive(Clone, Copy, Debug)]
enum Child {
    /// No child: there is only one word.
    Empty,
    /// A word, by its index.
    Word(usize),
    /// A part, by its index.
    InnerNode(usize),
}

impl Child {
    /// Its value in a state whose smaller subtrees are known.
    fn value(self, words: &[u32], parts: &[u32]) -> u32 {
        match self {
            Self::Empty => 0,
            Self::Word(index) => words[index],
            Self::InnerNode(index) => parts[index],
        }
    }
}

impl TreeStates {
    pub(super) fn new(ranges: &[(i32, i32)]) -> Self {
        let packing = BitPacking::new(ranges);
        let mut parts = Vec::new();
        let halves = match packing.words() {
            0 => [Child::Empty; 2],
            1 => [Child::Word(0), Child::Empty],
            count => [half(&mut parts, 0, count / 2), half(&mut parts, count / 2, count)],
        };
        Self { packing, parts, halves }
    }

    /// The number of bits of a child.
    fn width(&self, half: Child) -> u32 {
        match half {
            Child::Empty => 0,
            Child::Word(index) => self.packing.width(index),
            Child::InnerNode(index) => bits_of((self.parts[index].pairs.len() as u64).saturating_sub(1)),
        }
    }

    /// Writes the words of a subtree.
    fn unfold(&self, half: Child, value: u32, words: &mut [u32]) {
        match half {
            Child::Empty => {}
            Child::Word(index) => words[index] = value,
            Child::InnerNode(index) => {
                let part = &self.parts[index];
                let pair = part.pairs.get(value);
                self.unfold(part.halves[0], pair[0], words);
                self.unfold(part.halves[1], pair[1], words);
            }
        }
    }
}

/// The subtree over the words from `start` to `end`.
fn half(parts: &mut Vec<InnerNode>, start: usize, end: usize) -> Child {
    if end - start == 1 {
        return Child::Word(start);
    }
    let middle = start.midpoint(end);
    let halves = [half(parts, start, middle), half(parts, middle, end)];
    parts.push(InnerNode { halves, pairs: VectorTable::new(2) });
    Child::InnerNode(parts.len() - 1)
}

/// States up to this many words are unfolded on the stack.
const SHORT: usize = 64;

impl DiscreteStore for TreeStates {
    fn encode(&self, fields: &[i32], probe: &mut DiscreteProbe) -> Option<u64> {
        let DiscreteProbe { words, parts, .. } = probe;
        words.resize(self.packing.words(), 0);
        self.packing.encode(fields, words);
        parts.clear();
        for part in &self.parts {
            let pair = part.halves.map(|half| half.value(words, parts));
            parts.push(part.pairs.find(&pair)?);
        }
        let pair = self.halves.map(|half| half.value(words, parts));
        probe.code = StateCode::of_halves(pair);
        Some(hash_halves(&pair))
    }

    fn is_equal(&self, code: StateCode, probe: &DiscreteProbe) -> bool {
        code == probe.code
    }

    fn save(&mut self, probe: &mut DiscreteProbe) -> StateCode {
        let DiscreteProbe { words, parts, .. } = probe;
        parts.clear();
        for part in &mut self.parts {
            let pair = part.halves.map(|half| half.value(words, parts));
            parts.push(part.pairs.intern(&pair));
        }
        StateCode::of_halves(self.halves.map(|half| half.value(words, parts)))
    }

    fn load(&self, code: StateCode, fields: &mut [i32]) {
        let mut unfold = |words: &mut [u32]| {
            for (half, value) in std::iter::zip(self.halves, code.halves()) {
                self.unfold(half, value, words);
            }
            self.packing.decode(words, fields);
        };
        let count = self.packing.words();
        if count <= SHORT {
            unfold(&mut [0; SHORT][..count]);
        } else {
            unfold(&mut vec![0; count]);
        }
    }

    fn hash(&self, code: StateCode) -> u64 {
        hash_halves(&code.halves())
    }

    fn widths(&self) -> [u32; 2] {
        self.halves.map(|half| self.width(half))
    }

    fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.pairs.bytes()).sum()
    }

    fn index_bytes(&self) -> usize {
        self.parts.iter().map(|part| part.pairs.index_bytes()).sum()
    }
}
