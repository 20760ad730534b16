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
use super::{Code, DiscreteProbe, DiscreteStore};
use crate::hash::hash_halves;
use crate::packed::bits_of;

/// States as trees.
#[derive(Debug)]
pub(super) struct TreeStates {
    packing: BitPacking,
    /// The inner nodes except the root, children before parents.
    parts: Vec<Part>,
    /// The two children of the root.
    halves: [Half; 2],
}

/// An inner node with its table of pairs.
#[derive(Debug)]
struct Part {
    halves: [Half; 2],
    pairs: VectorTable,
}

/// A child of an inner node.
#[derive(Clone, Copy, Debug)]
enum Half {
    /// No child: there is only one word.
    Empty,
    /// A word, by its index.
    Word(usize),
    /// A part, by its index.
    Part(usize),
}

impl Half {
    /// Its value in a state whose smaller subtrees are known.
    fn value(self, words: &[u32], parts: &[u32]) -> u32 {
        match self {
            Self::Empty => 0,
            Self::Word(index) => words[index],
            Self::Part(index) => parts[index],
        }
    }
}

impl TreeStates {
    pub(super) fn new(ranges: &[(i32, i32)]) -> Self {
        let packing = BitPacking::new(ranges);
        let mut parts = Vec::new();
        let halves = match packing.words() {
            0 => [Half::Empty; 2],
            1 => [Half::Word(0), Half::Empty],
            count => [half(&mut parts, 0, count / 2), half(&mut parts, count / 2, count)],
        };
        Self { packing, parts, halves }
    }

    /// The number of bits of a child.
    fn width(&self, half: Half) -> u32 {
        match half {
            Half::Empty => 0,
            Half::Word(index) => self.packing.width(index),
            Half::Part(index) => bits_of((self.parts[index].pairs.len() as u64).saturating_sub(1)),
        }
    }

    /// Writes the words of a subtree.
    fn unfold(&self, half: Half, value: u32, words: &mut [u32]) {
        match half {
            Half::Empty => {}
            Half::Word(index) => words[index] = value,
            Half::Part(index) => {
                let part = &self.parts[index];
                let pair = part.pairs.get(value);
                self.unfold(part.halves[0], pair[0], words);
                self.unfold(part.halves[1], pair[1], words);
            }
        }
    }
}

/// The subtree over the words from `start` to `end`.
fn half(parts: &mut Vec<Part>, start: usize, end: usize) -> Half {
    if end - start == 1 {
        return Half::Word(start);
    }
    let middle = start.midpoint(end);
    let halves = [half(parts, start, middle), half(parts, middle, end)];
    parts.push(Part { halves, pairs: VectorTable::new(2) });
    Half::Part(parts.len() - 1)
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
        probe.code = Code::of_halves(pair);
        Some(hash_halves(&pair))
    }

    fn is_equal(&self, code: Code, probe: &DiscreteProbe) -> bool {
        code == probe.code
    }

    fn save(&mut self, probe: &mut DiscreteProbe) -> Code {
        let DiscreteProbe { words, parts, .. } = probe;
        parts.clear();
        for part in &mut self.parts {
            let pair = part.halves.map(|half| half.value(words, parts));
            parts.push(part.pairs.intern(&pair));
        }
        Code::of_halves(self.halves.map(|half| half.value(words, parts)))
    }

    fn load(&self, code: Code, fields: &mut [i32]) {
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

    fn hash(&self, code: Code) -> u64 {
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
