//! The third representation: no edges to constants, and every number in the fewest bytes.
//!
//! ```text
//!  15 14  13 12  11     0     7 6  5 4  3 2  1 0
//! ┌──────┬──────┬────────┐   ┌────┬────┬────┬────┐   ┌───────┬───────┬─────┐   ┌───────────┬─────┐
//! │ addr.│ cuts │ level  │   │ e3 │ e2 │ e1 │ e0 │ … │ cut 0 │ cut 1 │  …  │   │ address   │  …  │
//! └──────┴──────┴────────┘   └────┴────┴────┴────┘   └───────┴───────┴─────┘   └───────────┴─────┘
//!  bytes, less one            kinds: 0 false, 1 true, 2 a node, 3 no edge: the end
//! ```
//!
//! The paper tags each address with the size of the cut behind it. Here the sizes are those of the largest cut and the
//! largest address, for the whole node, and the kinds of all edges come first, then all cuts, then the addresses of the
//! edges that have one. That is less to write (a node that keeps one stretch of values takes 8 bytes, where the paper's
//! takes 10, and 4 for its link) and less to decide: where the edge for some value begins is found among the cuts alone,
//! and its address by counting kinds. A number is a load of four bytes, of which as many are kept as the sizes say.
//!
//! Addresses count in pairs of bytes, so three bytes do for the first 32 MiB of nodes, and four for 8 GiB.

use super::{NodeForm, word};
use crate::node::{END, Edge, Handle, LEVEL_BITS, LEVELS_MAX};

const KIND_NODE: u8 = 2;
const KIND_MASK: u32 = 3;
/// Kinds in a byte, and in a word of them.
const IN_BYTE: usize = 4;
const IN_WORD: usize = 16;
/// Where kinds begin.
const KINDS: usize = 2;
/// The low bit of each kind of a word.
const LOW_BITS: u32 = 0x5555_5555;

/// Neither edges to constants nor a byte more than numbers need.
#[derive(Clone, Copy, Debug)]
pub struct Compact;

/// How many bytes a cut needs.
#[inline]
fn cut_size(cut: i32) -> usize {
    let magnitude = (cut ^ (cut >> 31)) as u32;
    (u32::BITS - magnitude.leading_zeros()) as usize / 8 + 1
}

/// How many bytes an address needs.
#[inline]
fn address_size(address: u32) -> usize {
    (u32::BITS - (address | 1).leading_zeros()).div_ceil(8) as usize
}

#[inline]
fn kind(child: Handle) -> u8 {
    if child.is_terminal() { child.to_u32() as u8 } else { KIND_NODE }
}

/// Numbers of a few bytes each on their way to a buffer, which gets them four bytes at a time.
struct Packer<'a> {
    buffer: &'a mut Vec<u8>,
    /// What the buffer has not got yet, from the low bits on: fewer than 32 between two numbers.
    pending: u64,
    bits: u32,
}

impl Packer<'_> {
    #[inline]
    fn push(&mut self, number: u32, size: usize) {
        let unused = u32::BITS - 8 * size as u32;
        self.pending |= u64::from(number << unused >> unused) << self.bits;
        self.bits += 8 * size as u32;
        if self.bits >= u32::BITS {
            self.buffer.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= u32::BITS;
            self.bits -= u32::BITS;
        }
    }

    #[inline]
    fn finish(self) {
        let rest = (self.pending as u32).to_le_bytes();
        self.buffer.extend_from_slice(&rest);
        self.buffer.truncate(self.buffer.len() - rest.len() + self.bits as usize / 8);
    }
}

impl NodeForm for Compact {
    const UNIT: usize = 2;
    const ADDRESS_MAX: u32 = u32::MAX - 1;
    type Edges<'a> = Edges<'a>;

    fn write(level: u16, edges: &[Edge], buffer: &mut Vec<u8>) {
        let ended = &edges[..edges.len() - 1];
        // The cuts ascend, so one of the outer ones is the largest.
        let cuts = cut_size(ended[0].up_to).max(cut_size(ended[ended.len() - 1].up_to));
        let addresses = address_size(edges.iter().fold(0, |bits, edge| bits | edge.child.to_u32()));
        let sizes = (addresses - 1) << 2 | (cuts - 1);
        let header = (sizes << LEVEL_BITS) as u16 | level;
        buffer.extend_from_slice(&header.to_le_bytes());
        let mut groups = edges.chunks_exact(IN_BYTE);
        let pack =
            |group: &[Edge]| group.iter().rev().fold(u8::MAX, |kinds, edge| kinds << 2 | kind(edge.child));
        buffer.extend(groups.by_ref().map(pack));
        buffer.push(pack(groups.remainder()));
        let mut packer = Packer { buffer, pending: 0, bits: 0 };
        ended.iter().for_each(|edge| packer.push(edge.up_to as u32, cuts));
        for edge in edges.iter().filter(|edge| !edge.child.is_terminal()) {
            packer.push(edge.child.to_u32(), addresses);
        }
        packer.finish();
    }

    #[inline]
    fn level(bytes: &[u8]) -> u16 {
        u16::from_le_bytes([bytes[0], bytes[1]]) & (LEVELS_MAX - 1) as u16
    }

    #[inline]
    fn length(bytes: &[u8]) -> usize {
        let edges = Self::edges(bytes);
        edges.address_at + nodes_before(bytes, edges.count) * edges.address_size
    }

    #[inline]
    fn edges(bytes: &[u8]) -> Edges<'_> {
        let kinds = word(bytes, KINDS);
        let ends = kinds & kinds >> 1 & LOW_BITS;
        let count = if ends == 0 { count_many(bytes) } else { ends.trailing_zeros() as usize / 2 };
        let sizes = usize::from(bytes[1] >> (LEVEL_BITS - 8));
        let (cut_size, address_size) = ((sizes & 3) + 1, (sizes >> 2) + 1);
        let cut_at = KINDS + count / IN_BYTE + 1;
        let address_at = cut_at + (count - 1) * cut_size;
        Edges { bytes, index: 0, count, kinds, cut_at, cut_size, address_at, address_size }
    }

    #[inline]
    fn for_each_child(bytes: &[u8], mut name: impl FnMut(Handle)) {
        let mut edges = Self::edges(bytes);
        for _ in 0..nodes_before(bytes, edges.count) {
            name(edges.address());
        }
    }

    #[inline(always)]
    fn edges_above(bytes: &[u8], cut: i32) -> Edges<'_> {
        let mut edges = Self::edges(bytes);
        while edges.index + 1 < edges.count && edges.cut() <= cut {
            edges.index += 1;
            edges.cut_at += edges.cut_size;
        }
        edges.address_at += nodes_before(bytes, edges.index) * edges.address_size;
        edges.kinds = word(bytes, KINDS + edges.index / IN_WORD * size_of::<u32>());
        edges.kinds >>= 2 * (edges.index % IN_WORD);
        edges
    }
}

/// The number of edges, where the first word of kinds has no end.
#[cold]
fn count_many(bytes: &[u8]) -> usize {
    let mut count = 0;
    loop {
        let kinds = word(bytes, KINDS + count / IN_BYTE);
        let ends = kinds & kinds >> 1 & LOW_BITS;
        if ends != 0 {
            return count + ends.trailing_zeros() as usize / 2;
        }
        count += IN_WORD;
    }
}

/// How many of the first edges lead to nodes.
#[inline]
fn nodes_before(bytes: &[u8], edges: usize) -> usize {
    let among = |kinds: u32| (kinds >> 1 & !kinds & LOW_BITS).count_ones() as usize;
    let words = edges / IN_WORD;
    let whole: usize = (0..words).map(|index| among(word(bytes, KINDS + index * size_of::<u32>()))).sum();
    let last = word(bytes, KINDS + words * size_of::<u32>());
    whole + among(last & ((1 << (2 * (edges % IN_WORD))) - 1))
}

/// The edges of a node.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    bytes: &'a [u8],
    /// Which edge is next.
    index: usize,
    count: usize,
    /// The kinds of the next edges, up to the end of a word of them.
    kinds: u32,
    /// Where the cut of the next edge is.
    cut_at: usize,
    cut_size: usize,
    /// Where the next address is.
    address_at: usize,
    address_size: usize,
}

impl Edges<'_> {
    /// The next address.
    #[inline]
    fn address(&mut self) -> Handle {
        let unused = u32::BITS - 8 * self.address_size as u32;
        let address = word(self.bytes, self.address_at) << unused >> unused;
        self.address_at += self.address_size;
        Handle::from_u32(address)
    }

    /// The cut that ends the next edge, which is not the last.
    #[inline]
    fn cut(&self) -> i32 {
        let unused = u32::BITS - 8 * self.cut_size as u32;
        (word(self.bytes, self.cut_at) << unused) as i32 >> unused
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if self.index == self.count {
            return None;
        }
        let kind = self.kinds & KIND_MASK;
        let child = if kind == KIND_NODE.into() { self.address() } else { Handle::from_u32(kind) };
        self.index += 1;
        self.kinds >>= 2;
        if self.index.is_multiple_of(IN_WORD) {
            self.kinds = word(self.bytes, KINDS + self.index / IN_BYTE);
        }
        let mut up_to = END;
        if self.index < self.count {
            up_to = self.cut();
            self.cut_at += self.cut_size;
        }
        Some(Edge { up_to, child })
    }
}
