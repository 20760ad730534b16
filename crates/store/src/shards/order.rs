//! The waiting order of a list in shards, and the nodes of a round.

use std::collections::VecDeque;

use tourbillon_dbm::Dbm;

use super::Candidates;
use crate::interface::{Counts, NodeId};
use crate::settings::Settings;
use crate::waiting::{Priority, Waiting};

/// The most nodes of a round, unless more are requested.
const WIDTH_MAX: usize = 1 << 17;
/// The candidates of a round take at most about this part of the memory of the list.
const MEMORY_PART: usize = 16;
/// A round has nodes of several costs if it would have less than this part of its width.
const FILLED_PART: usize = 4;

/// What one thread does between the phases that many share: the waiting order and the counts.
#[derive(Debug)]
pub(crate) struct RoundOrder {
    waiting: Waiting,
    /// Nodes that were selected for a round that was too wide, by cost: they come before those of the same cost in the order.
    rest: VecDeque<(NodeId, u64)>,
    /// The nodes of the round, until it is finished, with their costs.
    round: Vec<(NodeId, u64)>,
    /// The most nodes of the next round, after one that was too wide.
    width_max: usize,
    pub(crate) popped_cost: u64,
    /// The counts of the list before it was divided, and of candidates that were refused before they were inserted.
    pub(crate) before: Counts,
    /// The bytes of the candidates of the last round.
    candidate_bytes: usize,
    /// About so many for each node of a round.
    node_bytes: usize,
}

impl RoundOrder {
    /// An empty order after `popped_cost`.
    pub(crate) fn new(settings: &Settings, popped_cost: u64, before: Counts) -> Self {
        Self {
            waiting: Waiting::new(settings.order, settings.seed),
            rest: VecDeque::new(),
            round: Vec::new(),
            width_max: usize::MAX,
            popped_cost,
            before,
            candidate_bytes: 0,
            // One state, before more is known.
            node_bytes: Dbm::zero(settings.dimension).bytes() + settings.ranges.len() * size_of::<i32>(),
        }
    }

    pub(crate) fn push(&mut self, node: NodeId, cost: u64) {
        self.waiting.push(node, Priority(0, cost));
    }

    /// The cost of the next node.
    fn next_cost(&self) -> Option<u64> {
        let rest = self.rest.front().map(|&(_, cost)| cost);
        let costs = [rest, self.waiting.next_cost()];
        costs.into_iter().flatten().min()
    }

    fn pop_any(&mut self) -> Option<(NodeId, u64)> {
        let of_rest = self.rest.front().is_some_and(|&(_, cost)| self.next_cost() == Some(cost));
        if of_rest {
            return self.rest.pop_front();
        }
        let node = self.waiting.pop()?;
        Some((node, self.waiting.popped_cost()))
    }

    /// Removes the next node that is still stored: `pop` answers whether one is.
    #[inline]
    pub(crate) fn next(&mut self, mut pop: impl FnMut(NodeId) -> bool) -> Option<NodeId> {
        loop {
            let (node, cost) = self.pop_any()?;
            if pop(node) {
                self.popped_cost = cost;
                return Some(node);
            }
        }
    }

    /// Removes the next node of the round that was not finished, if there is one.
    pub(crate) fn next_of_round(&mut self) -> Option<NodeId> {
        if self.round.is_empty() {
            return None;
        }
        let (node, cost) = self.round.remove(0);
        self.popped_cost = cost;
        Some(node)
    }

    /// Selects the nodes of the next round, of a list with so many bytes.
    pub(crate) fn select(&mut self, bytes: usize, width: usize, mut pop: impl FnMut(NodeId) -> bool) {
        if !self.round.is_empty() {
            return;
        }
        let most = (bytes - self.candidate_bytes) / MEMORY_PART / self.node_bytes.max(1);
        let most = most.clamp(width, WIDTH_MAX.max(width)).min(self.width_max);
        while self.round.len() < most {
            let least = self.round.first().map(|&(_, cost)| cost);
            let is_filled = self.round.len() >= (most / FILLED_PART).max(1);
            if is_filled && self.next_cost() != least {
                break;
            }
            let Some(node) = self.next(&mut pop) else { break };
            self.round.push((node, self.popped_cost));
        }
    }

    /// The nodes of the round, with their costs.
    pub(crate) fn round(&self) -> &[(NodeId, u64)] {
        &self.round
    }

    /// Makes the round half as wide; its candidates are gone. Returns the nodes that wait again; none if the round has one node.
    pub(crate) fn narrow(&mut self) -> Vec<NodeId> {
        let half = self.round.len().div_ceil(2);
        self.width_max = half;
        self.forget_candidates();
        let again = self.round.split_off(half);
        again.iter().rev().for_each(|&node| self.rest.push_front(node));
        again.into_iter().map(|(node, _)| node).collect()
    }

    /// Ends a round. `keep` gets each candidate, and answers with its node, if it is stored.
    pub(crate) fn finish<'c>(
        &mut self,
        chunks: &mut dyn Iterator<Item = &'c Candidates>,
        mut keep: impl FnMut(&'c Candidates, usize) -> Option<NodeId>,
    ) {
        let mut used = 0;
        self.candidate_bytes = 0;
        for chunk in chunks {
            for index in 0..chunk.len() {
                if let Some(node) = keep(chunk, index) {
                    self.push(node, chunk.get(index).cost);
                }
            }
            self.before.refused += chunk.refused;
            self.candidate_bytes += chunk.bytes();
            used += chunk.used_bytes();
        }
        // A narrow or unproductive round tells little about the next one.
        let now = used.div_ceil(self.round.len().max(1));
        self.node_bytes = now.max(self.node_bytes - self.node_bytes / 8);
        self.width_max = self.width_max.saturating_mul(2);
        self.round.clear();
    }

    pub(crate) fn forget_candidates(&mut self) {
        self.candidate_bytes = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.round.capacity() + self.rest.capacity();
        self.waiting.bytes() + self.candidate_bytes + nodes * size_of::<(NodeId, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_base::Id;
    use tourbillon_dbm::Dimension;

    use super::*;
    use crate::cover::Cover;
    use crate::settings::{DiagramSettings, DiscreteForm, Order, ZoneForm};

    fn order(order: Order) -> RoundOrder {
        let settings = Settings {
            ranges: vec![(0, 1)],
            split: 1,
            dimension: Dimension::of_clocks(1).expect("few clocks"),
            zones: ZoneForm::Shared,
            diagrams: DiagramSettings::default(),
            discrete: DiscreteForm::Bits,
            tight: false,
            cover: Cover::Inclusion,
            waiting_inclusion: true,
            order,
            seed: 0,
            traces: false,
            spare_waiting: false,
        };
        RoundOrder::new(&settings, 0, Counts::default())
    }

    fn push(order: &mut RoundOrder, nodes: &[(usize, u64)]) {
        nodes.iter().for_each(|&(node, cost)| order.push(NodeId::from_index(node), cost));
    }

    fn selected(order: &mut RoundOrder, width: usize) -> Vec<usize> {
        order.select(0, width, |_| true);
        order.round().iter().map(|(node, _)| node.index()).collect()
    }

    fn narrowed(order: &mut RoundOrder) -> Vec<usize> {
        order.narrow().into_iter().map(Id::index).collect()
    }

    fn finish(order: &mut RoundOrder) {
        order.finish(&mut std::iter::empty(), |_, _| None);
    }

    #[test]
    fn a_round_that_is_too_wide_is_visited_in_parts_in_the_same_order() {
        let mut order = order(Order::Bfs);
        push(&mut order, &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]);
        assert_eq!(selected(&mut order, 4), [0, 1, 2, 3]);
        assert_eq!(narrowed(&mut order), [2, 3]);
        assert_eq!(selected(&mut order, 4), [0, 1]);
        assert_eq!(narrowed(&mut order), [1]);
        assert!(narrowed(&mut order).is_empty());
        assert_eq!(selected(&mut order, 4), [0]);
        finish(&mut order);
        // It may be wider again.
        assert_eq!(selected(&mut order, 4), [1, 2]);
        finish(&mut order);
        assert_eq!(selected(&mut order, 4), [3, 4, 5]);
    }

    #[test]
    fn nodes_of_less_cost_come_before_the_rest_of_a_round() {
        let mut order = order(Order::Cheapest);
        push(&mut order, &[(0, 1), (1, 5), (2, 5), (3, 7)]);
        assert_eq!(selected(&mut order, 17), [0, 1, 2, 3]);
        assert_eq!(narrowed(&mut order), [2, 3]);
        finish(&mut order);
        push(&mut order, &[(4, 2), (5, 5)]);
        for node in [4, 2, 5, 3] {
            assert_eq!(selected(&mut order, 1), [node]);
            finish(&mut order);
        }
    }

    #[test]
    fn a_filled_round_has_nodes_of_one_cost() {
        let mut order = order(Order::Cheapest);
        push(&mut order, &[(0, 1), (1, 1), (2, 5), (3, 5)]);
        assert_eq!(selected(&mut order, 8), [0, 1]);
        finish(&mut order);
        assert_eq!(selected(&mut order, 16), [2, 3]);
    }
}
