//! Cheapest first, and among equal costs the oldest first: a shelf for each cost, and a queue on each shelf.
//!
//! Costs are sums of a few small numbers, ranks or moments, and many nodes have the same. So a shelf has many nodes,
//! there are few shelves, and to find the right one takes less than to sift a node through a heap of all of them. A
//! node takes four bytes, as in a queue, where a heap would have its cost and its age beside it.

use std::collections::{BTreeMap, VecDeque};

use crate::interface::NodeId;

/// How many empty shelves are kept to be filled again.
const SPARE_MAX: usize = 16;

/// Nodes by cost.
#[derive(Debug)]
pub(crate) struct Shelves {
    /// None is empty.
    shelves: BTreeMap<u64, VecDeque<NodeId>>,
    /// Empty ones.
    spare: Vec<VecDeque<NodeId>>,
    /// How many nodes there is room for on all of them.
    room: usize,
}

impl Shelves {
    pub(super) fn new() -> Self {
        Self { shelves: BTreeMap::new(), spare: Vec::with_capacity(SPARE_MAX), room: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeId, cost: u64) {
        let Self { shelves, spare, room } = self;
        let shelf = shelves.entry(cost).or_insert_with(|| spare.pop().unwrap_or_default());
        let before = shelf.capacity();
        shelf.push_back(node);
        *room += shelf.capacity() - before;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        let mut first = self.shelves.first_entry()?;
        let node = first.get_mut().pop_front();
        if first.get().is_empty() {
            let shelf = first.remove();
            if self.spare.len() < SPARE_MAX {
                self.spare.push(shelf);
            } else {
                self.room -= shelf.capacity();
            }
        }
        node
    }

    pub(super) fn bytes(&self) -> usize {
        let shelf = size_of::<(u64, VecDeque<NodeId>)>();
        self.room * size_of::<NodeId>() + self.shelves.len() * shelf + self.spare.capacity() * shelf
    }
}
