//! Depth first: a stack.

use crate::column::Column;
use crate::interface::NodeId;

#[derive(Debug)]
pub(crate) struct Stack(Column<NodeId>);

impl Stack {
    pub(super) const fn new() -> Self {
        Self(Column::new())
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeId) {
        self.0.push(node);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        self.0.pop()
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
