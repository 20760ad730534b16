//! The first representation: every edge and every cut as four bytes.
//!
//! ```text
//!  31                  12 11           0
//! ┌──────────────────────┬──────────────┬─────────┬───────┬─────────┬───────┬─────┐
//! │ number of edges      │ level        │ child 0 │ cut 0 │ child 1 │ cut 1 │  …  │
//! └──────────────────────┴──────────────┴─────────┴───────┴─────────┴───────┴─────┘
//! ```
//!
//! This is what the others are measured against: it is read the fastest, a fixed step an edge.

use super::{NodeForm, word};
use crate::node::{END, Edge, Handle, LEVEL_BITS, LEVELS_MAX};

/// Every edge and every cut, four bytes each.
#[derive(Clone, Copy, Debug)]
pub struct AllEdges;

impl NodeForm for AllEdges {
    const UNIT: usize = 4;
    const ADDRESS_MAX: u32 = u32::MAX - 1;
    type Edges<'a> = Edges<'a>;

    fn write(level: u16, edges: &[Edge], buffer: &mut Vec<u8>) {
        assert!(edges.len() < 1 << (u32::BITS - LEVEL_BITS), "a node with a million edges");
        let header = (edges.len() as u32) << LEVEL_BITS | u32::from(level);
        buffer.extend_from_slice(&header.to_le_bytes());
        for edge in edges {
            buffer.extend_from_slice(&edge.child.to_u32().to_le_bytes());
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
        8 * (word(bytes, 0) >> LEVEL_BITS) as usize
    }

    #[inline]
    fn edges(bytes: &[u8]) -> Edges<'_> {
        Edges { bytes, at: 4, left: word(bytes, 0) >> LEVEL_BITS }
    }

    #[inline]
    fn edges_above(bytes: &[u8], cut: i32) -> Edges<'_> {
        let mut edges = Self::edges(bytes);
        while edges.left > 1 && word(bytes, edges.at + 4) as i32 <= cut {
            (edges.left, edges.at) = (edges.left - 1, edges.at + 8);
        }
        edges
    }
}

/// The edges of a node.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    bytes: &'a [u8],
    at: usize,
    left: u32,
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if self.left == 0 {
            return None;
        }
        let child = Handle::from_u32(word(self.bytes, self.at));
        let up_to = if self.left == 1 { END } else { word(self.bytes, self.at + 4) as i32 };
        (self.left, self.at) = (self.left - 1, self.at + 8);
        Some(Edge { up_to, child })
    }
}
