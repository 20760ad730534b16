//! Ranks of waiting nodes, and the tree from which they are computed `[HerbreteauTran2015, section 3]`.
//!
//! If a new node covers a visited one, that visit was a mistake, and visits to the waiting nodes below it are likely
//! mistakes too. So the new node gets a higher rank than all waiting nodes below those that it covers, and is visited
//! before them: its successors then cover them while they wait. A node with the universal zone is never covered, and
//! has the highest rank. Initially the rank is 0.
//!
//! The paper also gives rank 1 if nothing waits below the covered nodes. Then no node has to be visited later, and the
//! rank stays 0: this makes 58 mistakes instead of 3,531 for 8 stations of CSMA/CD, and 44 instead of 23 for 6 dining
//! philosophers. The results for blow-up, FDDI and Fischer in the paper's Table 1 do not change.
//!
//! The tree has two numbers for each node:
//!
//! ```text
//!   a node that waits           its rank               its next sibling
//!   any other                   its first child        its next sibling; itself, if it is out of the tree
//! ```
//!
//! A waiting node has no child, so its rank is stored in place of the child. There are no parent pointers. A deleted
//! node should pass its children to its parent; instead it stays in the tree, and the next walk that reaches it
//! replaces it by its children. Each deleted node is reached once in this way, so deletion costs only the walk for the
//! rank. Until then its id is not reused.
//!
//! > **Invariant.** Every stored node but those offered without a parent is below its parent, or below the nearest
//! > ancestor of it that is stored, with nothing but deleted nodes between.
//!
//! A rank costs a walk over the stored nodes below the covered ones, all of which are counted.

use crate::packed::{Packed, bits_of};
use crate::waiting::Priority;

/// The rank of a node that no node can cover.
const HIGHEST: u32 = u32::MAX;
/// The initial number of bits of the fields.
const BITS_MIN: u32 = 4;

/// The status of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeStatus {
    Waiting,
    Popped,
    /// Deleted, but its id is still in the waiting order.
    Stale,
    /// Deleted.
    Gone,
}

/// The tree, with memory for walks.
#[derive(Debug)]
pub(crate) struct Ranks {
    /// Ids plus one, 0 for none; ranks plus one, 0 for the highest.
    tree: Packed,
    /// The node popped last, which may get more children.
    expanded: Option<u32>,
    /// The visited nodes that the current offer covers.
    covered: Vec<u32>,
    /// The nodes whose children are still to be walked.
    stack: Vec<u32>,
    /// Nodes that left the tree, and whose ids can be reused.
    free: Vec<u32>,
    visits: usize,
}

impl Ranks {
    pub(crate) const fn new() -> Self {
        Self {
            tree: Packed::new([BITS_MIN, BITS_MIN]),
            expanded: None,
            covered: Vec::new(),
            stack: Vec::new(),
            free: Vec::new(),
            visits: 0,
        }
    }

    /// The number of nodes visited to compute ranks.
    pub(crate) const fn visits(&self) -> usize {
        self.visits
    }

    pub(crate) fn bytes(&self) -> usize {
        let scratch = self.covered.capacity() + self.stack.capacity() + self.free.capacity();
        self.tree.bytes() + scratch * size_of::<u32>()
    }

    /// Records that a waiting node is deleted.
    pub(crate) fn withdraw(&mut self, node: u32) {
        self.tree.set_first(node, 0);
    }

    /// Records that a visited node is deleted, since the current offer covers it.
    pub(crate) fn cover(&mut self, node: u32) {
        self.covered.push(node);
    }

    /// Records that a node is popped, and has no children yet.
    pub(crate) fn expand(&mut self, node: u32) {
        self.tree.set_first(node, 0);
        self.expanded = Some(node);
    }

    pub(crate) fn has(&self, node: u32) -> bool {
        self.sibling(node) != Some(node)
    }

    /// Removes a node from the list of nodes that left the tree.
    pub(crate) fn take_free(&mut self) -> Option<u32> {
        self.free.pop()
    }

    /// The rank of a new node that covers the recorded nodes.
    pub(crate) fn rank(&mut self, is_universal: bool, status: impl Fn(u32) -> NodeStatus) -> u32 {
        let covered = std::mem::take(&mut self.covered);
        let mut rank = if is_universal { HIGHEST } else { 0 };
        for &node in &covered {
            if let Some(highest) = self.highest_below(node, &covered, &status) {
                rank = rank.max(highest.saturating_add(1));
            }
        }
        self.covered = covered;
        self.covered.clear();
        rank
    }

    /// The highest rank of the waiting nodes below a deleted one, if there are any. Other deleted nodes on the walk are
    /// removed from the tree, unless they are still needed.
    fn highest_below(
        &mut self,
        top: u32,
        covered: &[u32],
        status: &impl Fn(u32) -> NodeStatus,
    ) -> Option<u32> {
        let mut highest = None;
        self.visits += 1;
        self.stack.push(top);
        while let Some(parent) = self.stack.pop() {
            let (mut before, mut next) = (None, self.first_child(parent));
            while let Some(node) = next {
                match status(node) {
                    NodeStatus::Waiting => {
                        self.visits += 1;
                        highest = highest.max(Some(self.rank_of(node)));
                    }
                    NodeStatus::Popped => {
                        self.visits += 1;
                        self.stack.push(node);
                    }
                    _ if self.expanded == Some(node) || covered.contains(&node) => self.stack.push(node),
                    deleted => {
                        next = self.take_out(parent, before, node);
                        if deleted == NodeStatus::Gone {
                            self.free.push(node);
                        }
                        continue;
                    }
                }
                before = Some(node);
                next = self.sibling(node);
            }
        }
        highest
    }

    /// Replaces a node by its children. Returns the node that is then at its position.
    fn take_out(&mut self, parent: u32, before: Option<u32>, node: u32) -> Option<u32> {
        let (first, after) = (self.first_child(node), self.sibling(node));
        let mut last = first;
        while let Some(child) = last {
            match self.sibling(child) {
                None => {
                    self.tree.set_second(child, code(after));
                    break;
                }
                more => last = more,
            }
        }
        let sink = first.or(after);
        match before {
            Some(before) => self.tree.set_second(before, code(sink)),
            None => self.tree.set_first(parent, code(sink)),
        }
        self.tree.set_first(node, 0);
        self.tree.set_second(node, code(Some(node)));
        sink
    }

    /// Adds a new waiting node to the tree, with a new id or a reused one.
    pub(crate) fn add(&mut self, node: u32, parent: Option<u32>, rank: u32) {
        debug_assert!(
            parent.is_none() || parent == self.expanded,
            "only the node popped last has successors"
        );
        let sibling = parent.and_then(|parent| self.first_child(parent));
        let record = [rank_code(rank), code(sibling)];
        let own = bits_of(code(Some(node)));
        self.tree.widen([own.max(bits_of(record[0])), own]);
        if node as usize == self.tree.len() {
            self.tree.push(record);
        } else {
            self.tree.set_first(node, record[0]);
            self.tree.set_second(node, record[1]);
        }
        if let Some(parent) = parent {
            self.tree.set_first(parent, code(Some(node)));
        }
    }

    fn first_child(&self, node: u32) -> Option<u32> {
        decode(self.tree.get_first(node))
    }

    fn sibling(&self, node: u32) -> Option<u32> {
        decode(self.tree.get(node)[1])
    }

    fn rank_of(&self, node: u32) -> u32 {
        (self.tree.get_first(node) as u32).wrapping_sub(1)
    }
}

/// The priority in the waiting order: a higher rank first, then a lower cost.
pub(crate) const fn priority(rank: u32, cost: u64) -> Priority {
    Priority(HIGHEST - rank, cost)
}

fn rank_code(rank: u32) -> u64 {
    rank.wrapping_add(1).into()
}

fn code(node: Option<u32>) -> u64 {
    node.map_or(0, |node| u64::from(node) + 1)
}

fn decode(code: u64) -> Option<u32> {
    code.checked_sub(1).map(|node| node as u32)
}
