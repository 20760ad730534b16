//! Random order: each waiting node is equally likely to be next. The same seed and the same pushes give the same order.

use tourbillon_base::Random;

use crate::column::Column;
use crate::interface::NodeId;

#[derive(Debug)]
pub(crate) struct RandomSet {
    nodes: Column<NodeId>,
    random: Random,
}

impl RandomSet {
    pub(super) const fn new(random: Random) -> Self {
        Self { nodes: Column::new(), random }
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeId) {
        self.nodes.push(node);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        let position = self.random.below(self.nodes.len());
        self.nodes.swap_remove(position as u32)
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}
