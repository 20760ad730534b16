//! The origins of visited states, for traces: eight bytes each, by the ids of the search.
//!
//! A state that was never expanded has no successors, so its id can be reused.

use tourbillon_base::Id;

use crate::column::Column;
use crate::interface::NodeId;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct StateOrigin {
    /// For a free id, the next free one.
    parent: u32,
    step: u32,
}

/// Parents and transitions, with reusable ids.
#[derive(Debug)]
pub(super) struct OriginTable {
    column: Column<StateOrigin>,
    free: u32,
}

impl OriginTable {
    pub(super) const fn new() -> Self {
        Self { column: Column::new(), free: NONE }
    }

    /// An id for a state with this parent and transition.
    pub(super) fn add(&mut self, parent: Option<NodeId>, step: u32) -> u32 {
        let origin = StateOrigin { parent: parent.map_or(NONE, |parent| parent.index() as u32), step };
        if self.free == NONE {
            return self.column.push(origin);
        }
        let id = self.free;
        self.free = self.column[id].parent;
        self.column[id] = origin;
        id
    }

    /// Frees the id of a state that will never be expanded.
    pub(super) fn release(&mut self, id: u32) {
        self.column[id].parent = self.free;
        self.free = id;
    }

    /// The number of ids, with those that are free.
    pub(super) fn len(&self) -> usize {
        self.column.len()
    }

    pub(super) fn get(&self, node: NodeId) -> (Option<NodeId>, u32) {
        let StateOrigin { parent, step } = self.column[node.index() as u32];
        ((parent != NONE).then(|| NodeId::from_index(parent as usize)), step)
    }

    pub(super) fn bytes(&self) -> usize {
        self.column.bytes()
    }
}
