//! Cheapest first, and among equal costs the oldest first: a shelf for each cost, and a queue on each shelf.
//!
//! What a node costs is a pair of numbers, of which the second decides where the first is the same. Costs are sums of a few
//! small numbers, ranks or moments, and many nodes have the same. So a shelf has many nodes, there are few shelves, and to find the right one takes less than to sift a node through a heap of all of them. The
//! heap has the costs of shelves only. A queue is a list of slots, which are used again: as long as no more nodes wait
//! than ever before, nothing is asked of the allocator. A node takes eight bytes, where a heap would have its cost and
//! its age beside it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashTable;

use crate::column::Column;
use crate::hash::hash_words;
use crate::interface::NodeId;

const NONE: u32 = u32::MAX;

/// What decides: the first number, then the second. Less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Priority(pub(crate) u32, pub(crate) u64);

/// A node on a shelf.
#[derive(Clone, Copy, Debug)]
struct Slot {
    node: NodeId,
    /// The next on the same shelf; of a slot that is free, the next free one.
    next: u32,
}

/// The nodes of one cost.
#[derive(Clone, Copy, Debug)]
struct Shelf {
    cost: Priority,
    /// The oldest; of a shelf that is not used, the next such shelf.
    first: u32,
    /// The newest.
    last: u32,
}

/// Nodes by cost.
#[derive(Debug)]
pub(crate) struct Shelves {
    /// The shelves that have nodes, by cost.
    costs: BinaryHeap<Reverse<(Priority, u32)>>,
    /// The same, to be found by cost.
    index: HashTable<u32>,
    shelves: Column<Shelf>,
    slots: Column<Slot>,
    /// The first shelf, and the first slot, that can be used again.
    free: [u32; 2],
    /// What the node popped last cost, by the second number.
    popped: u64,
}

impl Shelves {
    pub(super) const fn new() -> Self {
        Self {
            costs: BinaryHeap::new(),
            index: HashTable::new(),
            shelves: Column::new(),
            slots: Column::new(),
            free: [NONE, NONE],
            popped: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeId, cost: Priority) {
        let slot = self.slot(node);
        let found = self.index.find(hash(cost), |&shelf| self.shelves[shelf].cost == cost);
        match found {
            Some(&shelf) => {
                let last = std::mem::replace(&mut self.shelves[shelf].last, slot);
                self.slots[last].next = slot;
            }
            None => self.open(Shelf { cost, first: slot, last: slot }),
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        let &Reverse((_, number)) = self.costs.peek()?;
        let Shelf { cost, first, last } = self.shelves[number];
        let Slot { node, next } = self.slots[first];
        self.slots[first].next = std::mem::replace(&mut self.free[1], first);
        self.popped = cost.1;
        if first == last {
            self.close(number, cost);
        } else {
            self.shelves[number].first = next;
        }
        Some(node)
    }

    /// What the node popped last cost, by the second number.
    pub(super) const fn popped_cost(&self) -> u64 {
        self.popped
    }

    /// A slot for a node that is the last on its shelf.
    #[inline]
    fn slot(&mut self, node: NodeId) -> u32 {
        let slot = Slot { node, next: NONE };
        let free = self.free[1];
        if free == NONE {
            return self.slots.push(slot);
        }
        self.free[1] = std::mem::replace(&mut self.slots[free], slot).next;
        free
    }

    fn open(&mut self, shelf: Shelf) {
        let free = self.free[0];
        let number = if free == NONE {
            self.shelves.push(shelf)
        } else {
            self.free[0] = std::mem::replace(&mut self.shelves[free], shelf).first;
            free
        };
        self.costs.push(Reverse((shelf.cost, number)));
        let Self { index, shelves, .. } = self;
        index.insert_unique(hash(shelf.cost), number, |&other| hash(shelves[other].cost));
    }

    /// Puts the cheapest shelf away, which is empty.
    fn close(&mut self, number: u32, cost: Priority) {
        self.costs.pop();
        if let Ok(entry) = self.index.find_entry(hash(cost), |&shelf| shelf == number) {
            entry.remove();
        }
        self.shelves[number].first = std::mem::replace(&mut self.free[0], number);
    }

    pub(super) fn bytes(&self) -> usize {
        let costs = self.costs.capacity() * size_of::<Reverse<(Priority, u32)>>();
        costs + self.index.allocation_size() + self.shelves.bytes() + self.slots.bytes()
    }
}

fn hash(Priority(first, second): Priority) -> u64 {
    hash_words([first.into(), second].into_iter())
}
