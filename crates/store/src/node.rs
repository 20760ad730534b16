//! Nodes: the zone, the next node in the list of the discrete state, and a mark for the owner.
//!
//! The nodes of one discrete state form a list. Its last node has the state itself in place of the next node: most
//! lists have one node, which needs no head and no link. To read the state of a node, the list is walked to its end,
//! never further than an offer of the same state walks. Fields have as many bits as the largest number so far:
//!
//! ```text
//!   first field                                           second field
//!  ┌──────┬───────┬─────┬──────────────────────────┐     ┌───────────────────────────────────────────┐
//!  │ mark │ first │ end │ key of the zone          │     │ end = 0: the next node                    │
//!  └──────┴───────┴─────┴──────────────────────────┘     │ end = 1: the code of the state, low │ high │
//!   2 bits  1       1                                    └───────────────────────────────────────────┘
//! ```
//!
//! The first node of a list has a flag, so that the index can be rebuilt from the nodes.

use tourbillon_base::Id;

use crate::discrete::StateCode;
use crate::packed::{Packed, bits_of, mask};
use crate::zones::ZoneKey;

const MARK_BITS: u32 = 2;
const FIRST: u64 = 1 << MARK_BITS;
const END: u64 = FIRST << 1;
/// The position of the key of the zone.
const ZONE_SHIFT: u32 = MARK_BITS + 2;
/// The initial number of bits of keys and links.
const BITS_MIN: u32 = 8;

/// The next element of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    Node(u32),
    /// The end of the list, with the code of the state.
    End(StateCode),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    head: u64,
    pub(crate) link: Link,
}

impl Node {
    #[inline]
    pub(crate) fn zone(self) -> ZoneKey {
        ZoneKey::from_index((self.head >> ZONE_SHIFT) as usize)
    }

    #[inline]
    pub(crate) const fn mark(self) -> u8 {
        mark_of(self.head)
    }
}

const fn mark_of(head: u64) -> u8 {
    (head & mask(MARK_BITS)) as u8
}

/// A node in the list of a discrete state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    /// The node before it, if there is one.
    pub(crate) before: Option<u32>,
    pub(crate) position: u32,
    /// The mark of nodes that are left out.
    pub(crate) spared: Option<u8>,
}

#[derive(Debug)]
pub(crate) struct Nodes {
    packed: Packed,
    /// The numbers of bits of the halves of a code.
    code: [u32; 2],
}

impl Nodes {
    pub(crate) const fn new() -> Self {
        Self { packed: Packed::new([ZONE_SHIFT + BITS_MIN, BITS_MIN]), code: [0, 0] }
    }

    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }

    /// Widens the fields so that codes with halves of these widths fit.
    #[inline]
    pub(crate) fn fit_codes(&mut self, code: [u32; 2]) {
        if code != self.code {
            self.lay_out_codes(code);
        }
    }

    #[cold]
    fn lay_out_codes(&mut self, code: [u32; 2]) {
        let [head, link] = self.packed.widths();
        let old = self.code;
        self.packed.rewrite([head, link.max(code[0] + code[1])], |[head, link]| {
            let end = head & END != 0;
            [head, if end { area(code_of(link, old), code) } else { link }]
        });
        self.code = code;
    }

    /// Adds a node that is the first of its list, or of none, and returns its position.
    pub(crate) fn push(&mut self, zone: ZoneKey, mark: u8, first: bool, link: Link) -> u32 {
        let record = self.record(zone, mark, first, link);
        self.fit(record, self.packed.len());
        self.packed.push(record)
    }

    /// Replaces a node that is not needed any more.
    pub(crate) fn replace(&mut self, position: u32, zone: ZoneKey, mark: u8, first: bool, link: Link) {
        let record = self.record(zone, mark, first, link);
        self.fit(record, self.packed.len());
        self.packed.set_first(position, record[0]);
        self.packed.set_second(position, record[1]);
    }

    fn record(&self, zone: ZoneKey, mark: u8, first: bool, link: Link) -> [u64; 2] {
        let (end, link) = match link {
            Link::Node(next) => (0, next.into()),
            Link::End(code) => (END, area(code, self.code)),
        };
        [(zone.index() as u64) << ZONE_SHIFT | end | if first { FIRST } else { 0 } | u64::from(mark), link]
    }

    /// Widens the fields so that this record fits, and links to `nodes` nodes and the next one.
    #[inline]
    fn fit(&mut self, [head, link]: [u64; 2], nodes: usize) {
        let farthest = if head & END == 0 { link.max(nodes as u64) } else { nodes as u64 };
        let needed = [bits_of(head), bits_of(farthest)];
        let widths = self.packed.widths();
        if needed[0] > widths[0] || needed[1] > widths[1] {
            self.packed.widen(needed);
        }
    }

    #[inline]
    pub(crate) fn get(&self, position: u32) -> Node {
        let [head, link] = self.packed.get(position);
        let end = head & END != 0;
        Node { head, link: if end { Link::End(code_of(link, self.code)) } else { Link::Node(link as u32) } }
    }

    /// The first node from a node on whose zone satisfies a test.
    #[inline]
    pub(crate) fn find(&self, first: u32, mut test: impl FnMut(ZoneKey) -> bool) -> Option<u32> {
        let mut position = first;
        loop {
            let node = self.get(position);
            if test(node.zone()) {
                return Some(position);
            }
            let Link::Node(next) = node.link else { return None };
            position = next;
        }
    }

    /// The first node from a cursor on whose zone satisfies a test.
    #[inline]
    pub(crate) fn find_from(
        &self,
        mut cursor: Cursor,
        mut test: impl FnMut(ZoneKey) -> bool,
    ) -> Option<Cursor> {
        let mut position = cursor.position;
        loop {
            let node = self.get(position);
            if cursor.spared != Some(node.mark()) && test(node.zone()) {
                return Some(Cursor { position, ..cursor });
            }
            let Link::Node(next) = node.link else { return None };
            (cursor.before, position) = (Some(position), next);
        }
    }

    #[inline]
    pub(crate) fn mark(&self, position: u32) -> u8 {
        mark_of(self.packed.get_first(position))
    }

    #[inline]
    pub(crate) fn set_mark(&mut self, position: u32, mark: u8) {
        let head = self.packed.get_first(position) & !mask(MARK_BITS);
        self.packed.set_first(position, head | u64::from(mark));
    }

    pub(crate) fn is_first(&self, position: u32) -> bool {
        self.packed.get_first(position) & FIRST != 0
    }

    pub(crate) fn set_first(&mut self, position: u32, first: bool) {
        let head = self.packed.get_first(position) & !FIRST;
        self.packed.set_first(position, head | if first { FIRST } else { 0 });
    }

    pub(crate) fn set_link(&mut self, position: u32, link: Link) {
        let head = self.packed.get_first(position) & !END;
        let (end, link) = match link {
            Link::Node(next) => (0, next.into()),
            Link::End(code) => (END, area(code, self.code)),
        };
        self.packed.set_first(position, head | end);
        self.packed.set_second(position, link);
    }

    /// The state of the list of a node.
    #[inline]
    pub(crate) fn code(&self, position: u32) -> StateCode {
        self.code_and_length(position).0
    }

    /// The state of the list of a node, and the number of nodes from this one to the end of the list.
    #[inline]
    pub(crate) fn code_and_length(&self, position: u32) -> (StateCode, u32) {
        let (mut link, mut length) = (self.get(position).link, 1);
        loop {
            match link {
                Link::Node(next) => link = self.get(next).link,
                Link::End(code) => return (code, length),
            }
            length += 1;
        }
    }

    pub(crate) const fn code_bits(&self) -> u32 {
        self.code[0] + self.code[1]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.packed.bytes()
    }
}

/// A code with halves of these widths, as it is stored.
#[inline]
const fn area(code: StateCode, [low, _]: [u32; 2]) -> u64 {
    let [low_half, high_half] = code.halves();
    low_half as u64 | (high_half as u64) << low
}

/// Decodes a stored code.
#[inline]
const fn code_of(area: u64, [low, high]: [u32; 2]) -> StateCode {
    StateCode::of_halves([(area & mask(low)) as u32, ((area >> low) & mask(high)) as u32])
}
