//! The second representation: four bytes for everything, but edges to false are left out.
//!
//! ```text
//!  31               13    12        11      0     31      1       0
//! ┌──────────────────┬─────────────┬─────────┐   ┌─────────┬────────────┐
//! │ words that follow│ first false │ level   │   │ address │ next false │  or a cut
//! └──────────────────┴─────────────┴─────────┘   └─────────┴────────────┘
//! ```
//!
//! After the header, addresses and cuts follow in order. Two neighbouring edges never both lead to false, so one bit with
//! an address, and one in the header, say where such an edge was left out: there, two cuts follow each other. An address
//! at the very end belongs to an edge without end; a cut at the end, to one that leads to false.

use super::{NodeForm, word};
use crate::node::{END, Edge, Handle, LEVEL_BITS, LEVELS_MAX};

const FIRST_FALSE: u32 = 1 << LEVEL_BITS;

/// Edges to false are left out; four bytes for everything else.
#[derive(Clone, Copy, Debug)]
pub struct WithoutFalse;

impl NodeForm for WithoutFalse {
    const UNIT: usize = 4;
    const ADDRESS_MAX: u32 = u32::MAX >> 1;
    type Edges<'a> = Edges<'a>;

    fn write(level: u16, edges: &[Edge], buffer: &mut Vec<u8>) {
        let led = edges.iter().filter(|edge| edge.child != Handle::FALSE).count();
        let words = led + edges.len() - 1;
        assert!(words < 1 << (u32::BITS - LEVEL_BITS - 1), "a node with a quarter of a million edges");
        let first_false = if edges[0].child == Handle::FALSE { FIRST_FALSE } else { 0 };
        let header = (words as u32) << (LEVEL_BITS + 1) | first_false | u32::from(level);
        buffer.extend_from_slice(&header.to_le_bytes());
        for (index, edge) in edges.iter().enumerate() {
            if edge.child != Handle::FALSE {
                let next_false = edges.get(index + 1).is_some_and(|next| next.child == Handle::FALSE);
                let tagged = edge.child.to_u32() << 1 | u32::from(next_false);
                buffer.extend_from_slice(&tagged.to_le_bytes());
            }
            if edge.up_to != END {
                buffer.extend_from_slice(&edge.up_to.to_le_bytes());
            }
        }
    }

    #[inline]
    fn level(bytes: &[u8]) -> u16 {
        word(bytes, 0) as u16 & (LEVELS_MAX - 1) as u16
    }

    #[inline]
    fn length(bytes: &[u8]) -> usize {
        4 + 4 * (word(bytes, 0) >> (LEVEL_BITS + 1)) as usize
    }

    #[inline]
    fn edges(bytes: &[u8]) -> Edges<'_> {
        let next_false = word(bytes, 0) & FIRST_FALSE != 0;
        Edges { bytes, at: 4, end: Self::length(bytes), next_false, done: false }
    }
}

/// The edges of a node.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    /// Whether the next edge was left out.
    next_false: bool,
    done: bool,
}

impl Edges<'_> {
    /// The next word as a cut, or the end.
    #[inline]
    fn cut(&mut self) -> i32 {
        if self.at == self.end {
            self.done = true;
            return END;
        }
        let cut = word(self.bytes, self.at) as i32;
        self.at += 4;
        cut
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if self.done {
            return None;
        }
        let mut child = Handle::FALSE;
        if self.next_false {
            self.next_false = false;
        } else {
            let tagged = word(self.bytes, self.at);
            self.at += 4;
            child = Handle::from_u32(tagged >> 1);
            self.next_false = tagged & 1 != 0;
        }
        let up_to = self.cut();
        Some(Edge { up_to, child })
    }
}
