//! Nodes: which zone, whose entry, what comes next in the entry's list, and whether it waits.
//!
//! A node takes twelve bytes, its three words side by side, since a walk along a list needs two of them at each
//! step. Two bits of the entry tell what became of the node:
//!
//! ```text
//!   waiting  deleted
//!      1        0     to be popped
//!      0        0     popped
//!      1        1     stale: deleted, but its id is still in the waiting order
//!      0        1     gone: its id is free
//! ```
//!
//! The id of a node that is gone is used again, unless traces are kept: then others may have it as their parent,
//! and only its zone is given back.

use tourbillon_base::Id;

use crate::column::Column;
use crate::discrete::EntryId;
use crate::interface::NodeId;
use crate::zones::ZoneKey;

/// No node: the end of a list, or no parent.
pub(crate) const NONE: u32 = u32::MAX;

const WAITING: u32 = 1 << 31;
const DELETED: u32 = 1 << 30;
/// How many entries can be told apart besides the two bits.
const ENTRIES_MAX: usize = DELETED as usize;

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) zone: ZoneKey,
    /// The next node of the same entry; of a node that is gone, the next that is.
    pub(crate) next: u32,
    entry: u32,
}

impl Node {
    #[inline]
    pub(crate) fn entry(self) -> EntryId {
        EntryId::from_index((self.entry & !(WAITING | DELETED)) as usize)
    }

    #[inline]
    pub(crate) fn is_waiting(self) -> bool {
        self.entry & WAITING != 0
    }

    #[inline]
    pub(crate) fn is_deleted(self) -> bool {
        self.entry & DELETED != 0
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
    /// If there are more than [`ENTRIES_MAX`] entries.
    pub(crate) fn add(
        &mut self,
        entry: EntryId,
        zone: ZoneKey,
        next: u32,
        parent: Option<NodeId>,
        step: u32,
    ) -> NodeId {
        assert!(entry.index() < ENTRIES_MAX, "more than 2^30 discrete states");
        let node = Node { zone, next, entry: entry.index() as u32 | WAITING };
        if let Some(origins) = &mut self.origins {
            origins.push(Origin { parent: parent.map_or(NONE, |parent| parent.index() as u32), step });
        }
        NodeId::from_index(self.place(node) as usize)
    }

    fn place(&mut self, node: Node) -> u32 {
        if self.free == NONE {
            return self.column.push(node);
        }
        let position = self.free;
        self.free = self.column[position].next;
        self.column[position] = node;
        position
    }

    #[inline]
    pub(crate) fn get(&self, node: u32) -> Node {
        self.column[node]
    }

    pub(crate) fn set_next(&mut self, node: u32, next: u32) {
        self.column[node].next = next;
    }

    /// Notes that a waiting node was popped.
    pub(crate) fn set_popped(&mut self, node: u32) {
        self.column[node].entry &= !WAITING;
        if self.column[node].is_deleted() {
            self.release(node);
        }
    }

    /// Deletes a node, which is in no list any more and whose zone was freed.
    pub(crate) fn delete(&mut self, node: u32) {
        self.column[node].entry |= DELETED;
        if !self.column[node].is_waiting() {
            self.release(node);
        }
    }

    fn release(&mut self, node: u32) {
        if self.origins.is_none() {
            self.column[node].next = self.free;
            self.free = node;
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
        all.filter(|&node| !self.column[node].is_deleted()).map(|node| NodeId::from_index(node as usize))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.column.bytes()
    }

    pub(crate) fn origin_bytes(&self) -> usize {
        self.origins.as_ref().map_or(0, Column::bytes)
    }
}
