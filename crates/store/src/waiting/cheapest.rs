//! Least cost first, and first in, first out among equal costs: a queue for each cost.
//!
//! The cost of a node is a pair of numbers, compared lexicographically. Costs are sums of a few small numbers, ranks or
//! times, and many nodes have the same cost. So a queue has many nodes, there are few queues, and finding the right one
//! is cheaper than sifting a node through a heap of all nodes. The heap has only the costs of queues. A queue is a
//! linked list of slots, which are reused: nothing is allocated unless more nodes wait than ever before. A node takes
//! eight bytes; a heap would store its cost and its age as well.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashTable;

use crate::column::Column;
use crate::hash::hash_words;
use crate::interface::NodeId;

const NONE: u32 = u32::MAX;

/// The cost: the first number, then the second. Less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Priority(pub(crate) u32, pub(crate) u64);

/// A node in a queue.
#[derive(Clone, Copy, Debug)]
struct QueueSlot {
    node: NodeId,
    /// The next one in the same queue; for a free slot, the next free one.
    next: u32,
}

/// The nodes of one cost.
#[derive(Clone, Copy, Debug)]
struct CostQueue {
    cost: Priority,
    /// The oldest; for an unused queue, the next unused one.
    first: u32,
    last: u32,
}

/// Nodes by cost.
#[derive(Debug)]
pub(crate) struct CostQueues {
    /// The costs of the nonempty queues.
    costs: BinaryHeap<Reverse<(Priority, u32)>>,
    /// The queues, by cost.
    index: HashTable<u32>,
    queues: Column<CostQueue>,
    slots: Column<QueueSlot>,
    /// The first unused queue, and the first free slot.
    free: [u32; 2],
    /// The second number of the cost of the node popped last.
    popped: u64,
}

impl CostQueues {
    pub(super) const fn new() -> Self {
        Self {
            costs: BinaryHeap::new(),
            index: HashTable::new(),
            queues: Column::new(),
            slots: Column::new(),
            free: [NONE, NONE],
            popped: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeId, cost: Priority) {
        let slot = self.slot(node);
        let found = self.index.find(hash(cost), |&queue| self.queues[queue].cost == cost);
        match found {
            Some(&queue) => {
                let last = std::mem::replace(&mut self.queues[queue].last, slot);
                self.slots[last].next = slot;
            }
            None => self.open(CostQueue { cost, first: slot, last: slot }),
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        let &Reverse((_, number)) = self.costs.peek()?;
        let CostQueue { cost, first, last } = self.queues[number];
        let QueueSlot { node, next } = self.slots[first];
        self.slots[first].next = std::mem::replace(&mut self.free[1], first);
        self.popped = cost.1;
        if first == last {
            self.close(number, cost);
        } else {
            self.queues[number].first = next;
        }
        Some(node)
    }

    /// The second number of the least cost.
    pub(super) fn next_cost(&self) -> Option<u64> {
        self.costs.peek().map(|Reverse((cost, _))| cost.1)
    }

    /// The second number of the cost of the node popped last.
    pub(super) const fn popped_cost(&self) -> u64 {
        self.popped
    }

    /// A slot for a node at the end of its queue.
    #[inline]
    fn slot(&mut self, node: NodeId) -> u32 {
        let slot = QueueSlot { node, next: NONE };
        let free = self.free[1];
        if free == NONE {
            return self.slots.push(slot);
        }
        self.free[1] = std::mem::replace(&mut self.slots[free], slot).next;
        free
    }

    fn open(&mut self, queue: CostQueue) {
        let free = self.free[0];
        let number = if free == NONE {
            self.queues.push(queue)
        } else {
            self.free[0] = std::mem::replace(&mut self.queues[free], queue).first;
            free
        };
        self.costs.push(Reverse((queue.cost, number)));
        let Self { index, queues, .. } = self;
        index.insert_unique(hash(queue.cost), number, |&other| hash(queues[other].cost));
    }

    /// Removes the queue of least cost, which is empty.
    fn close(&mut self, number: u32, cost: Priority) {
        self.costs.pop();
        if let Ok(entry) = self.index.find_entry(hash(cost), |&queue| queue == number) {
            entry.remove();
        }
        self.queues[number].first = std::mem::replace(&mut self.free[0], number);
    }

    pub(super) fn bytes(&self) -> usize {
        let costs = self.costs.capacity() * size_of::<Reverse<(Priority, u32)>>();
        costs + self.index.allocation_size() + self.queues.bytes() + self.slots.bytes()
    }
}

fn hash(Priority(first, second): Priority) -> u64 {
    hash_words([first.into(), second].into_iter())
}
