//! The origins of nodes: a parent and a transition for each, in as few bits as the largest of them need.

use tourbillon_base::Id;

use crate::interface::NodeId;
use crate::packed::{Packed, bits_of};

/// The initial number of bits of the fields.
const BITS_MIN: u32 = 4;

/// The origins of nodes, by id.
#[derive(Debug)]
pub(crate) struct Origins {
    /// The parent plus one, 0 for none; the transition.
    packed: Packed,
}

impl Origins {
    pub(crate) const fn new() -> Self {
        Self { packed: Packed::new([BITS_MIN, BITS_MIN]) }
    }

    /// Records the origin of the next node.
    pub(crate) fn push(&mut self, parent: Option<NodeId>, step: u32) {
        let record = [parent.map_or(0, |parent| parent.index() as u64 + 1), step.into()];
        self.packed.widen(record.map(bits_of));
        self.packed.push(record);
    }

    /// The origin of a node.
    pub(crate) fn get(&self, node: NodeId) -> (Option<NodeId>, u32) {
        let [parent, step] = self.packed.get(node.index() as u32);
        (parent.checked_sub(1).map(|parent| NodeId::from_index(parent as usize)), step as u32)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.packed.bytes()
    }
}
