//! Cheapest first: a binary heap on the cost that came with the offer, and among equal costs the oldest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::interface::NodeId;

/// A cost, how many were pushed before, and the node: compared in this order.
type Item = (u64, u64, NodeId);

/// A heap of nodes.
#[derive(Debug)]
pub(crate) struct Heap {
    items: BinaryHeap<Reverse<Item>>,
    pushed: u64,
}

impl Heap {
    pub(super) const fn new() -> Self {
        Self { items: BinaryHeap::new(), pushed: 0 }
    }

    pub(super) fn push(&mut self, node: NodeId, cost: u64) {
        self.items.push(Reverse((cost, self.pushed, node)));
        self.pushed += 1;
    }

    pub(super) fn pop(&mut self) -> Option<NodeId> {
        self.items.pop().map(|Reverse((_, _, node))| node)
    }

    pub(super) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<Reverse<Item>>()
    }
}
