//! The orders in which waiting nodes are popped.
//!
//! An order holds only node ids. The list knows which of them are stale, since the node was covered in the meantime;
//! here they wait like any other.

mod bfs;
mod cheapest;
mod dfs;
mod random;

use tourbillon_base::Random;

pub(crate) use cheapest::Priority;

use crate::interface::NodeId;
use crate::settings::Order;

/// The waiting order.
#[derive(Debug)]
pub(crate) enum Waiting {
    Bfs(bfs::Queue),
    Dfs(dfs::Stack),
    Random(random::RandomSet),
    Cheapest(cheapest::CostQueues),
}

impl Waiting {
    /// An empty waiting list with this order.
    pub(crate) fn new(order: Order, seed: u64) -> Self {
        match order {
            Order::Bfs => Self::Bfs(bfs::Queue::new()),
            Order::Dfs => Self::Dfs(dfs::Stack::new()),
            Order::Random => Self::Random(random::RandomSet::new(Random::from_seed(seed))),
            Order::Cheapest | Order::Ranked => Self::Cheapest(cheapest::CostQueues::new()),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, node: NodeId, cost: Priority) {
        match self {
            Self::Bfs(queue) => queue.push(node),
            Self::Dfs(stack) => stack.push(node),
            Self::Random(bag) => bag.push(node),
            Self::Cheapest(shelves) => shelves.push(node, cost),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        match self {
            Self::Bfs(queue) => queue.pop(),
            Self::Dfs(stack) => stack.pop(),
            Self::Random(bag) => bag.pop(),
            Self::Cheapest(shelves) => shelves.pop(),
        }
    }

    /// The second cost number of the node popped last, if the order uses costs; otherwise 0.
    #[inline]
    pub(crate) const fn popped_cost(&self) -> u64 {
        match self {
            Self::Bfs(_) | Self::Dfs(_) | Self::Random(_) => 0,
            Self::Cheapest(shelves) => shelves.popped_cost(),
        }
    }

    /// The second cost number of the next node, if the order uses costs, otherwise 0; `None` if no node waits or the order is not
    /// known in advance.
    pub(crate) fn next_cost(&self) -> Option<u64> {
        match self {
            Self::Bfs(queue) => (!queue.is_empty()).then_some(0),
            Self::Dfs(_) | Self::Random(_) => None,
            Self::Cheapest(shelves) => shelves.next_cost(),
        }
    }

    /// The allocated bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Bfs(queue) => queue.bytes(),
            Self::Dfs(stack) => stack.bytes(),
            Self::Random(bag) => bag.bytes(),
            Self::Cheapest(shelves) => shelves.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;

    use super::*;

    /// Pushes and pops at random, popping more and more often; returns the popped nodes with their costs.
    fn run(order: Order, seed: u64) -> Vec<(usize, u64)> {
        let mut random = Random::from_seed(seed);
        let mut waiting = Waiting::new(order, seed);
        let (mut costs, mut popped) = (Vec::new(), Vec::new());
        for round in 0..100_000 {
            if random.below(100_000) > round / 2 {
                let cost = random.below(50) as u64;
                waiting.push(NodeId::from_index(costs.len()), Priority(0, cost));
                costs.push(cost);
            } else if let Some(node) = waiting.pop() {
                let known = if order == Order::Cheapest { costs[node.index()] } else { 0 };
                assert_eq!(waiting.popped_cost(), known);
                popped.push((node.index(), costs[node.index()]));
            }
        }
        while let Some(node) = waiting.pop() {
            popped.push((node.index(), costs[node.index()]));
        }
        assert_eq!(popped.len(), costs.len());
        popped
    }

    #[test]
    fn every_order_pops_every_node_once() {
        for order in [Order::Bfs, Order::Dfs, Order::Random, Order::Cheapest] {
            let mut nodes: Vec<usize> = run(order, 1).iter().map(|&(node, _)| node).collect();
            assert_eq!(run(order, 1).iter().map(|&(node, _)| node).collect::<Vec<_>>(), nodes);
            nodes.sort_unstable();
            assert!(nodes.iter().enumerate().all(|(position, &node)| position == node), "{order:?}");
        }
    }

    #[test]
    fn a_queue_pops_the_oldest() {
        assert!(run(Order::Bfs, 2).is_sorted());
    }

    #[test]
    fn a_stack_pops_the_newest_and_shelves_the_cheapest() {
        let pushed = [(0, 5), (1, 3), (2, 5), (3, 3)];
        let popped = |order| {
            let mut waiting = Waiting::new(order, 0);
            pushed.iter().for_each(|&(node, cost)| waiting.push(NodeId::from_index(node), Priority(0, cost)));
            std::iter::from_fn(|| waiting.pop().map(Id::index)).collect::<Vec<_>>()
        };
        assert_eq!(popped(Order::Dfs), [3, 2, 1, 0]);
        assert_eq!(popped(Order::Cheapest), [1, 3, 0, 2]);
        assert_eq!(popped(Order::Ranked), [1, 3, 0, 2]);
        let mut all = popped(Order::Random);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }

    #[test]
    fn a_random_order_depends_on_its_seed_alone() {
        assert_ne!(run(Order::Random, 3), run(Order::Random, 4));
    }
}
