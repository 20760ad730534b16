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

const KIND_NODE: u32 = 2;
const KIND_MASK: u32 = 3;
/// Kinds in a byte, and in a word of them.
const IN_BYTE: usize = 4;
const IN_WORD: usize = 16;
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
fn kind(child: Handle) -> u32 {
    child.to_u32().min(KIND_NODE)
}

/// Numbers of a few bytes each on their way to a buffer, which gets them sixteen bytes at a time: few nodes have more, and
/// they are read again at once, to be hashed.
struct Packer<'a> {
    buffer: &'a mut Vec<u8>,
    /// What the buffer has not got yet, from the low bits on: fewer than 128 between two numbers.
    pending: u128,
    bits: u32,
}

impl Packer<'_> {
    /// Takes the low bytes of a number; one at least.
    #[inline]
    fn push(&mut self, number: u32, size: usize) {
        let size = 8 * size as u32;
        let number = u128::from(number << (u32::BITS - size) >> (u32::BITS - size));
        self.pending |= number << self.bits;
        self.bits += size;
        if self.bits >= u128::BITS {
            self.buffer.extend_from_slice(&self.pending.to_le_bytes());
            self.bits -= u128::BITS;
            self.pending = number >> (size - self.bits);
        }
    }

    #[inline]
    fn finish(self) {
        let rest = self.pending.to_le_bytes();
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
        let mut packer = Packer { buffer, pending: 0, bits: 0 };
        packer.push((sizes as u32) << LEVEL_BITS | u32::from(level), KINDS);
        let pack =
            |group: &[Edge]| group.iter().rev().fold(u32::MAX, |kinds, edge| kinds << 2 | kind(edge.child));
        let (groups, rest) = edges.as_chunks::<IN_WORD>();
        groups.iter().for_each(|group| packer.push(pack(group), size_of::<u32>()));
        packer.push(pack(rest), rest.len() / IN_BYTE + 1);
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
        if edges.index < IN_WORD {
            edges.address_at += nodes_among(edges.kinds, edges.index) * edges.address_size;
        } else {
            edges.address_at += nodes_before(bytes, edges.index) * edges.address_size;
            edges.kinds = word(bytes, KINDS + edges.index / IN_WORD * size_of::<u32>());
        }
        edges.kinds >>= 2 * (edges.index % IN_WORD);
        edges
    }

    /// All kinds of a stretch are examined together, and then only as many addresses read as there are.
    // Everything is counted in places and bits of kinds: this is where searches spend most of their time.
    #[inline(always)]
    fn leads_to(bytes: &[u8], above: i32, up_to: i32, goal: Handle, mut name: impl FnMut(Handle)) -> bool {
        let mut edges = Self::edges(bytes);
        if edges.count >= IN_WORD {
            return many_lead_to(bytes, above, up_to, goal, &mut name);
        }
        let cuts_end = edges.address_at;
        while edges.cut_at < cuts_end && edges.cut() <= above {
            edges.cut_at += edges.cut_size;
            edges.address_at += (nodes_of(edges.kinds) & 1) as usize * edges.address_size;
            edges.kinds >>= 2;
        }
        let mut taken = 0b11;
        while edges.cut_at < cuts_end && edges.cut() < up_to {
            edges.cut_at += edges.cut_size;
            taken = taken << 2 | 0b11;
        }
        let goals = if goal == Handle::TRUE { edges.kinds } else { !edges.kinds };
        if goals & !(edges.kinds >> 1) & LOW_BITS & taken != 0 {
            return true;
        }
        let mut nodes = nodes_of(edges.kinds) & taken;
        while nodes != 0 {
            name(edges.address());
            nodes &= nodes - 1;
        }
        false
    }
}

/// [`NodeForm::leads_to`], where there are kinds in more than one word.
#[cold]
fn many_lead_to(bytes: &[u8], above: i32, up_to: i32, goal: Handle, name: &mut dyn FnMut(Handle)) -> bool {
    let beyond = |edge: &Edge| edge.up_to >= up_to;
    let edges = Compact::edges_above(bytes, above);
    let taken = edges.clone().position(|edge| beyond(&edge)).map_or(0, |last| last + 1);
    if edges.clone().take(taken).any(|edge| edge.child == goal) {
        return true;
    }
    edges.take(taken).filter(|edge| !edge.child.is_terminal()).for_each(|edge| name(edge.child));
    false
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
    let kinds = |index| word(bytes, KINDS + index * size_of::<u32>());
    let words = edges / IN_WORD;
    let whole: usize = (0..words).map(|index| nodes_among(kinds(index), IN_WORD)).sum();
    whole + nodes_among(kinds(words), edges % IN_WORD)
}

/// How many of the first kinds of a word are those of nodes.
#[inline]
fn nodes_among(kinds: u32, first: usize) -> usize {
    let mask = ((1u64 << (2 * first)) - 1) as u32;
    (nodes_of(kinds) & mask).count_ones() as usize
}

/// The low bits of those kinds of a word that are nodes'.
#[inline]
const fn nodes_of(kinds: u32) -> u32 {
    kinds >> 1 & !kinds & LOW_BITS
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
        let child = if kind == KIND_NODE { self.address() } else { Handle::from_u32(kind) };
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
