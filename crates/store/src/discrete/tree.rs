//! Vectors cut in halves, and these again, down to words; equal parts are stored once.
//!
//! A successor differs from its state in a few fields, so that of its parts all but a few are known already: a new
//! state costs a new pair on each level from the changed word up, and often only its root `[LaarmanVandePolWeber2011]`.
//! Fields are packed in bits first; what is a leaf here is a word of them.
//!
//! ```text
//!                      code: left │ right            the root is not stored: it is the code
//!                     ╱                  ╲
//!            left │ right              left │ word   pairs, each once, under their numbers
//!            ╱          ╲              ╱
//!      word │ word   word │ word   word │ word
//! ```
//!
//! A state of one word or two is its own root. A table for each inner node keeps numbers small, so that roots take
//! as many bits as there are different halves.

use super::bits::Packing;
use super::table::Table;
use super::{Code, Discrete};
use crate::hash::hash_halves;
use crate::packed::bits_of;

/// States as trees.
#[derive(Debug)]
pub(crate) struct Tree {
    packing: Packing,
    words: Vec<u32>,
    /// The parts of words that are pairs, smaller ones before those that they are part of; the root is not one.
    parts: Vec<Part>,
    /// What the root consists of.
    halves: [Half; 2],
    held: Code,
}

/// Pairs that stand for a part of the words.
#[derive(Debug)]
struct Part {
    halves: [Half; 2],
    pairs: Table,
    /// The number of the pair of the held state.
    held: u32,
}

/// A half of a pair.
#[derive(Clone, Copy, Debug)]
enum Half {
    /// Nothing: there is one word only.
    Empty,
    /// A word, by its index.
    Word(usize),
    /// A part, by its index.
    Part(usize),
}

impl Tree {
    pub(crate) fn new(ranges: &[(i32, i32)]) -> Self {
        let packing = Packing::new(ranges);
        let words = vec![0; packing.words()];
        let mut parts = Vec::new();
        let halves = match packing.words() {
            0 => [Half::Empty; 2],
            1 => [Half::Word(0), Half::Empty],
            count => [half(&mut parts, 0, count / 2), half(&mut parts, count / 2, count)],
        };
        Self { packing, words, parts, halves, held: Code::number(0) }
    }

    /// The value of a half of the held state.
    fn value(&self, half: Half) -> u32 {
        match half {
            Half::Empty => 0,
            Half::Word(index) => self.words[index],
            Half::Part(index) => self.parts[index].held,
        }
    }

    /// How many bits a half takes.
    fn width(&self, half: Half) -> u32 {
        match half {
            Half::Empty => 0,
            Half::Word(index) => self.packing.width(index),
            Half::Part(index) => bits_of((self.parts[index].pairs.len() as u64).saturating_sub(1)),
        }
    }

    /// Writes the words that a half stands for.
    fn unfold(&self, half: Half, value: u32, words: &mut [u32]) {
        match half {
            Half::Empty => {}
            Half::Word(index) => words[index] = value,
            Half::Part(index) => {
                let part = &self.parts[index];
                let pair = part.pairs.key(value);
                self.unfold(part.halves[0], pair[0], words);
                self.unfold(part.halves[1], pair[1], words);
            }
        }
    }
}

/// The half that the words from `start` to `end` make.
fn half(parts: &mut Vec<Part>, start: usize, end: usize) -> Half {
    if end - start == 1 {
        return Half::Word(start);
    }
    let middle = start.midpoint(end);
    let halves = [half(parts, start, middle), half(parts, middle, end)];
    parts.push(Part { halves, pairs: Table::new(2), held: 0 });
    Half::Part(parts.len() - 1)
}

/// How many words are unfolded on the stack.
const SHORT: usize = 64;

impl Discrete for Tree {
    fn hold(&mut self, fields: &[i32]) -> u64 {
        self.packing.encode(fields, &mut self.words);
        for index in 0..self.parts.len() {
            let pair = self.parts[index].halves.map(|half| self.value(half));
            let part = &mut self.parts[index];
            part.held = part.pairs.intern(|words| words.copy_from_slice(&pair));
        }
        let pair = self.halves.map(|half| self.value(half));
        self.held = Code::of_halves(pair);
        hash_halves(&pair)
    }

    fn is_held(&self, code: Code) -> bool {
        code == self.held
    }

    fn save(&mut self) -> Code {
        self.held
    }

    fn load(&self, code: Code, fields: &mut [i32]) {
        let mut unfold = |words: &mut [u32]| {
            for (half, value) in std::iter::zip(self.halves, code.halves()) {
                self.unfold(half, value, words);
            }
            self.packing.decode(words, fields);
        };
        if self.words.len() <= SHORT {
            unfold(&mut [0; SHORT][..self.words.len()]);
        } else {
            unfold(&mut vec![0; self.words.len()]);
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
