//! `minimal`: the constraints of the shortest-path reduction, and nothing else
//! `[LarsenLarssonPetterssonYi1997]`.
//!
//! ```text
//!   word 0          words …                       words …
//!  ┌───────────────┬─────────────────────────────┬───────────────────────────────┐
//!  │ n │ w │ p │ 0 │ which pairs                 │ their bounds, in that order   │
//!  └───────────────┴─────────────────────────────┴───────────────────────────────┘
//!   n  bits 0-19   how many constraints
//!   w  bit 30      0: bounds take 16 bits, two to a word, the first in the low half; 1: they take 32
//!   p  bit 31      0: a bit for each entry of the matrix, row by row, 32 to a word, the first lowest
//!                  1: a word for each constraint, row in the high half, column in the low half
//! ```
//!
//! Whichever of the two ways to name the pairs is shorter is taken. Constraints come in the order of their
//! entries, so the words depend on the zone only. That clocks are not negative goes without saying.
//!
//! A zone is included in a stored one iff it satisfies the few constraints, and that is how it is tested. The
//! other direction needs bounds that only closing brings out.

use tourbillon_base::Id;

use super::{Form, Unencodable};
use crate::bound::{INFINITY, ZERO};
use crate::clock::{Constraint, Dimension};
use crate::dbm::Dbm;

const COUNT: u32 = (1 << 20) - 1;
const WIDE: u32 = 1 << 30;
const PAIRS: u32 = 1 << 31;

/// The `minimal` form of zones of one dimension.
#[derive(Clone, Copy, Debug)]
pub struct Minimal {
    dimension: Dimension,
}

impl Minimal {
    /// The form for zones of this dimension.
    #[must_use]
    pub const fn new(dimension: Dimension) -> Self {
        Self { dimension }
    }

    /// How many words the zone at the start of `words` takes.
    #[must_use]
    pub fn length(&self, words: &[u32]) -> usize {
        let Header { count, wide, pairs } = Header::read(words[0]);
        1 + self.pair_words(count, pairs) + bound_words(count, wide)
    }

    fn bitmap_words(&self) -> usize {
        (self.dimension.size() * self.dimension.size()).div_ceil(32)
    }

    fn pair_words(&self, count: usize, pairs: bool) -> usize {
        if pairs { count } else { self.bitmap_words() }
    }

    fn write_bitmap(&self, constraints: &[Constraint], words: &mut Vec<u32>) {
        let start = words.len();
        words.resize(start + self.bitmap_words(), 0);
        for constraint in constraints {
            let bit = constraint.left.index() * self.dimension.size() + constraint.right.index();
            words[start + bit / 32] |= 1 << (bit % 32);
        }
    }

    /// Each constraint as row, column and raw bound.
    fn constraints<'a>(&self, words: &'a [u32]) -> impl Iterator<Item = (usize, usize, i32)> + use<'a> {
        let Header { count, wide, pairs } = Header::read(words[0]);
        let (named, bounds) = words[1..].split_at(self.pair_words(count, pairs));
        let size = self.dimension.size();
        let mut next = NextPair { words: named, index: 0, rest: 0 };
        (0..count).map(move |position| {
            let (i, j) = if pairs {
                ((named[position] >> 16) as usize, (named[position] & 0xffff) as usize)
            } else {
                let entry = next.set_bit();
                (entry / size, entry % size)
            };
            (i, j, read_bound(bounds, position, wide))
        })
    }
}

struct Header {
    count: usize,
    wide: bool,
    pairs: bool,
}

impl Header {
    fn read(word: u32) -> Self {
        Self { count: (word & COUNT) as usize, wide: word & WIDE != 0, pairs: word & PAIRS != 0 }
    }

    fn word(&self) -> u32 {
        let flag = |set, bit| if set { bit } else { 0 };
        self.count as u32 | flag(self.wide, WIDE) | flag(self.pairs, PAIRS)
    }
}

fn bound_words(count: usize, wide: bool) -> usize {
    if wide { count } else { count.div_ceil(2) }
}

fn read_bound(bounds: &[u32], position: usize, wide: bool) -> i32 {
    if wide {
        bounds[position] as i32
    } else {
        i32::from((bounds[position / 2] >> (16 * (position % 2))) as i16)
    }
}

fn write_bounds(constraints: &[Constraint], wide: bool, words: &mut Vec<u32>) {
    let raw = constraints.iter().map(|constraint| constraint.bound.raw() as u32);
    if wide {
        words.extend(raw);
        return;
    }
    for (position, raw) in raw.map(|raw| raw & 0xffff).enumerate() {
        match words.last_mut() {
            Some(last) if position % 2 == 1 => *last |= raw << 16,
            _ => words.push(raw),
        }
    }
}

/// Walks over the set bits of a bitmap.
struct NextPair<'a> {
    words: &'a [u32],
    /// How many words have been taken up.
    index: usize,
    /// What is left of the last one.
    rest: u32,
}

impl NextPair<'_> {
    fn set_bit(&mut self) -> usize {
        while self.rest == 0 {
            self.rest = self.words[self.index];
            self.index += 1;
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        (self.index - 1) * 32 + bit
    }
}

impl Form for Minimal {
    type Word = u32;

    fn encode(&self, zone: &Dbm, words: &mut Vec<u32>) -> Result<(), Unencodable> {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        if zone.overflowed() {
            return Err(Unencodable);
        }
        let constraints = zone.minimal_constraints();
        let wide = constraints.iter().any(|constraint| i16::try_from(constraint.bound.raw()).is_err());
        let pairs = constraints.len() < self.bitmap_words();
        words.push(Header { count: constraints.len(), wide, pairs }.word());
        if pairs {
            let name = |c: &Constraint| ((c.left.index() as u32) << 16) | c.right.index() as u32;
            words.extend(constraints.iter().map(name));
        } else {
            self.write_bitmap(&constraints, words);
        }
        write_bounds(&constraints, wide, words);
        Ok(())
    }

    fn decode(&self, words: &[u32], zone: &mut Dbm) {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        let (size, stride) = (self.dimension.size(), self.dimension.stride());
        let reach = self.constraints(words).map(|(_, _, raw)| raw.abs()).max().unwrap_or(ZERO);
        let non_empty = zone.rewrite(reach.max(ZERO), true, |matrix| {
            matrix.fill(INFINITY);
            matrix[..size].fill(ZERO);
            matrix.iter_mut().step_by(stride + 1).for_each(|entry| *entry = ZERO);
            for (i, j, raw) in self.constraints(words) {
                matrix[i * stride + j] = raw;
            }
        });
        assert!(non_empty, "these words were not written by this form");
    }

    fn includes(&self, words: &[u32], zone: &Dbm) -> bool {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        self.constraints(words).all(|(i, j, raw)| zone.entry(i, j) <= raw)
    }

    fn is_included(&self, words: &[u32], zone: &Dbm, scratch: &mut Dbm) -> bool {
        assert_eq!(self.dimension, zone.dimension(), "a zone of another dimension");
        // A constraint is as tight as it gets in the closed matrix: one that exceeds the zone's settles it.
        if self.constraints(words).any(|(i, j, raw)| raw > zone.entry(i, j)) {
            return false;
        }
        self.decode(words, scratch);
        zone.includes(scratch)
    }
}
