//! The third representation: no edges to constants, and every number in the fewest bytes.
//!
//! ```text
//!  15 14  13 12  11     0     7 6  5 4  3 2  1 0
//! ┌──────┬──────┬────────┐   ┌────┬────┬────┬────┐   numbers of these edges: the cut where
//! │ addr.│ cuts │ level  │   │ e3 │ e2 │ e1 │ e0 │   an edge begins, but for the first, and
//! └──────┴──────┴────────┘   └────┴────┴────┴────┘   its address, if its kind is 2
//!  bytes, less one            kinds: 0 false, 1 true, 2 a node, 3 no edge: the end
//! ```
//!
//! The paper tags each address with the size of the cut behind it. Here the sizes are those of the largest cut and the
//! largest address, for the whole node, and a byte of kinds comes before every four edges. That is less to write (a node
//! that keeps one stretch of values takes 8 bytes, where the paper's takes 10, and 4 for its link) and less to decide:
//! reading an edge is two bits of kind and two loads of four bytes, of which as many are kept as the sizes say.
//!
//! Addresses count in pairs of bytes, so three bytes do for the first 32 MiB of nodes, and four for 8 GiB.

use super::{EdgesOf, NodeForm, word};
use crate::node::{END, Edge, Handle, LEVEL_BITS, LEVELS_MAX};

const KIND_NODE: u8 = 2;
const KIND_END: u8 = 3;
const KIND_MASK: u8 = 3;
/// Kinds in a byte.
const GROUP: usize = 4;

/// Neither edges to constants nor a byte more than numbers need.
#[derive(Clone, Copy, Debug)]
pub struct Compact;

/// How many bytes a cut needs.
fn cut_size(cut: i32) -> u32 {
    let magnitude = if cut < 0 { !cut } else { cut } as u32;
    (u32::BITS - magnitude.leading_zeros() + 1).div_ceil(8)
}

/// How many bytes an address needs.
fn address_size(address: u32) -> u32 {
    (u32::BITS - address.leading_zeros()).div_ceil(8).max(1)
}

fn kind(edge: Edge) -> u8 {
    if edge.child.is_terminal() { edge.child.to_u32() as u8 } else { KIND_NODE }
}

impl NodeForm for Compact {
    const UNIT: usize = 2;
    const ADDRESS_MAX: u32 = u32::MAX - 1;
    type Edges<'a> = Edges<'a>;

    fn write(level: u16, edges: &[Edge], buffer: &mut Vec<u8>) {
        // The cuts ascend, so one of the outer ones is the largest.
        let cuts = cut_size(edges[0].up_to).max(cut_size(edges[edges.len() - 2].up_to));
        let addresses = edges.iter().map(|edge| address_size(edge.child.to_u32())).max().unwrap_or(1);
        let sizes = (addresses - 1) << 2 | (cuts - 1);
        let header = (sizes << LEVEL_BITS) as u16 | level;
        buffer.extend_from_slice(&header.to_le_bytes());
        let (mut kinds_at, mut begins) = (0, END);
        for (index, &edge) in edges.iter().enumerate() {
            if index % GROUP == 0 {
                kinds_at = buffer.len();
                buffer.push(u8::MAX);
            }
            buffer[kinds_at] ^= (KIND_END ^ kind(edge)) << (2 * (index % GROUP));
            if index > 0 {
                buffer.extend_from_slice(&begins.to_le_bytes()[..cuts as usize]);
            }
            if kind(edge) == KIND_NODE {
                buffer.extend_from_slice(&edge.child.to_u32().to_le_bytes()[..addresses as usize]);
            }
            begins = edge.up_to;
        }
        if edges.len() % GROUP == 0 {
            buffer.push(u8::MAX);
        }
    }

    #[inline]
    fn level(bytes: &[u8]) -> u16 {
        u16::from_le_bytes([bytes[0], bytes[1]]) & (LEVELS_MAX - 1) as u16
    }

    #[inline]
    fn edges(bytes: &[u8]) -> Edges<'_> {
        let sizes = u32::from(bytes[1] >> (LEVEL_BITS - 8));
        let (cut_size, address_size) = ((sizes & 3) as u8 + 1, (sizes >> 2) as u8 + 1);
        let mut edges = Edges {
            bytes,
            at: 3,
            kinds: bytes[2],
            left_in_group: GROUP as u8,
            cut_size,
            address_size,
            next: None,
        };
        edges.next = Some(edges.child());
        edges
    }
}

/// The edges of a node.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The kinds of the edges to come, from the low bits on.
    kinds: u8,
    left_in_group: u8,
    cut_size: u8,
    address_size: u8,
    /// Where the next edge leads; its end is not yet known.
    next: Option<Handle>,
}

impl Edges<'_> {
    /// Goes on to the next kind.
    #[inline]
    fn kind(&mut self) -> u8 {
        if self.left_in_group == 0 {
            self.kinds = self.bytes[self.at];
            self.at += 1;
            self.left_in_group = GROUP as u8;
        }
        self.kinds & KIND_MASK
    }

    /// The child of the edge whose kind is next.
    #[inline]
    fn child(&mut self) -> Handle {
        let kind = self.kinds & KIND_MASK;
        self.kinds >>= 2;
        self.left_in_group -= 1;
        if kind != KIND_NODE {
            return Handle::from_u32(kind.into());
        }
        let unused = u32::BITS - 8 * u32::from(self.address_size);
        let address = word(self.bytes, self.at) << unused >> unused;
        self.at += usize::from(self.address_size);
        Handle::from_u32(address)
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        let child = self.next?;
        if self.kind() == KIND_END {
            self.next = None;
            return Some(Edge { up_to: END, child });
        }
        let unused = u32::BITS - 8 * u32::from(self.cut_size);
        let up_to = (word(self.bytes, self.at) << unused) as i32 >> unused;
        self.at += usize::from(self.cut_size);
        self.next = Some(self.child());
        Some(Edge { up_to, child })
    }
}

impl EdgesOf<'_> for Edges<'_> {
    fn bytes_read(&self) -> usize {
        self.at
    }
}
