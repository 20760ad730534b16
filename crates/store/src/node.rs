//! Nodes: which zone, what comes next in the list of its entry, and whether it waits.
//!
//! A node takes eight bytes. Which entry it belongs to is written where its list ends, in place of the next node:
//! who wants to know, on loading a popped node, walks there, which is never further than an offer to the same entry
//! walks. Two bits of the zone's key tell what became of the node:
//!
//! ```text
//!    31  30  29                       0        31  30                        0
//!  ┌───┬───┬───────────────────────────┐     ┌───┬────────────────────────────┐
//!  │ w │ d │ key of the zone           │     │ 0 │ next node of the list      │
//!  └───┴───┴───────────────────────────┘     │ 1 │ entry, at the end of it    │
//!    1   0   to be popped                    └───┴────────────────────────────┘
//!    0   0   popped
//!    1   1   stale: deleted, but its id is still in the waiting order
//!    0   1   gone: its id is free, and its next is the next free id
//! ```
//!
//! The id of a node that is gone is used again, unless traces are kept: then others may have it as their parent,
//! and only its zone is given back.

use tourbillon_base::Id;

use crate::column::Column;
use crate::discrete::EntryId;
use crate::interface::NodeId;
use crate::zones::ZoneKey;

/// No node.
const NONE: u32 = u32::MAX;

const WAITING: u32 = 1 << 31;
const DELETED: u32 = 1 << 30;
/// How many keys of zones can be told apart besides the two bits.
const ZONES_MAX: usize = DELETED as usize;
/// How many nodes, or entries, can be told apart besides the bit of the end.
const NEXT_MAX: usize = 1 << 31;

/// What follows in a list: a node, or the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next(u32);

impl Next {
    const END: u32 = 1 << 31;

    /// The end of the list of an entry.
    ///
    /// # Panics
    /// If there are more than [`NEXT_MAX`] entries.
    pub(crate) fn end_of(entry: EntryId) -> Self {
        assert!(entry.index() < NEXT_MAX, "more than 2^31 discrete states");
        Self(entry.index() as u32 | Self::END)
    }

    /// A node.
    pub(crate) fn node(position: u32) -> Self {
        debug_assert!(position & Self::END == 0);
        Self(position)
    }

    /// The node, unless this is the end.
    #[inline]
    pub(crate) fn position(self) -> Option<u32> {
        (self.0 & Self::END == 0).then_some(self.0)
    }
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    zone: u32,
    pub(crate) next: Next,
}

impl Node {
    #[inline]
    pub(crate) fn zone(self) -> ZoneKey {
        ZoneKey::from_index((self.zone & !(WAITING | DELETED)) as usize)
    }

    #[inline]
    pub(crate) fn is_waiting(self) -> bool {
        self.zone & WAITING != 0
    }

    #[inline]
    pub(crate) fn is_deleted(self) -> bool {
        self.zone & DELETED != 0
    }
}

/// Where a node came from.
#[derive(Clone, Copy, Debug)]
struct Origin {
    parent: u32,
    step: u32,
}

/// All nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    column: Column<Node>,
    /// The first node that is gone and whose id may be used again.
    free: u32,
    /// With traces, for each node.
    origins: Option<Column<Origin>>,
}

impl Nodes {
    pub(crate) fn new(traces: bool) -> Self {
        Self { column: Column::new(), free: NONE, origins: traces.then(Column::new) }
    }

    /// Adds a waiting node, before `next` in its list.
    ///
    /// # Panics
    /// If the key is not below [`ZONES_MAX`], or there are more than [`NEXT_MAX`] nodes.
    pub(crate) fn add(&mut self, zone: ZoneKey, next: Next, parent: Option<NodeId>, step: u32) -> NodeId {
        assert!(zone.index() < ZONES_MAX, "zones past the 2^30th place");
        if let Some(origins) = &mut self.origins {
            origins.push(Origin { parent: parent.map_or(NONE, |parent| parent.index() as u32), step });
        }
        let position = self.place(Node { zone: zone.index() as u32 | WAITING, next });
        assert!((position as usize) < NEXT_MAX, "more than 2^31 nodes");
        NodeId::from_index(position as usize)
    }

    fn place(&mut self, node: Node) -> u32 {
        if self.free == NONE {
            return self.column.push(node);
        }
        let position = self.free;
        self.free = self.column[position].next.0;
        self.column[position] = node;
        position
    }

    #[inline]
    pub(crate) fn get(&self, position: u32) -> Node {
        self.column[position]
    }

    pub(crate) fn set_next(&mut self, position: u32, next: Next) {
        self.column[position].next = next;
    }

    /// The entry of a node that is not gone.
    pub(crate) fn entry(&self, position: u32) -> EntryId {
        let mut next = self.column[position].next;
        while let Some(position) = next.position() {
            next = self.column[position].next;
        }
        EntryId::from_index((next.0 & !Next::END) as usize)
    }

    /// Notes that a waiting node was popped.
    pub(crate) fn set_popped(&mut self, position: u32) {
        self.column[position].zone &= !WAITING;
        if self.column[position].is_deleted() {
            self.release(position);
        }
    }

    /// Deletes a node, which is in no list any more and whose zone was freed.
    pub(crate) fn delete(&mut self, position: u32) {
        self.column[position].zone |= DELETED;
        if !self.column[position].is_waiting() {
            self.release(position);
        }
    }

    fn release(&mut self, position: u32) {
        if self.origins.is_none() {
            self.column[position].next = Next(self.free);
            self.free = position;
        }
    }

    /// The parent and the step of a node, with traces.
    pub(crate) fn origin(&self, node: NodeId) -> Option<(Option<NodeId>, u32)> {
        let Origin { parent, step } = self.origins.as_ref()?[node.index() as u32];
        Some(((parent != NONE).then(|| NodeId::from_index(parent as usize)), step))
    }

    /// All that are not deleted.
    pub(crate) fn stored(&self) -> impl Iterator<Item = NodeId> {
        let all = 0..self.column.len() as u32;
        all.filter(|&position| !self.column[position].is_deleted())
            .map(|position| NodeId::from_index(position as usize))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.column.bytes()
    }

    pub(crate) fn origin_bytes(&self) -> usize {
        self.origins.as_ref().map_or(0, Column::bytes)
    }
}
