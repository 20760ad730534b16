//! The statistics of every search.

use tourbillon_store::{Certainty, Counts, Memory};

use crate::observer::ExpansionCounts;

/// The statistics of a search. For a full exploration from one initial state,
/// `stored + covered + transient = transitions + 1`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Nodes popped from the waiting list and expanded.
    pub visited: u64,
    /// Nodes in the list at the end.
    pub stored: u64,
    /// The largest number of nodes in the list at any time.
    pub stored_max: u64,
    /// Successors computed, covered or not.
    pub transitions: u64,
    /// Successors refused, and stored nodes deleted, because another covers them.
    pub covered: u64,
    /// Successors that were followed at once and not stored.
    pub transient: u64,
    /// Nodes that were visited and covered later.
    pub mistakes: u64,
    /// Nodes visited again to compute ranks.
    pub rank_visits: u64,
    /// Nodes waiting.
    pub waiting: u64,
    /// Discrete states of the stored nodes; 0 in lists that do not store them.
    pub discrete_states: u64,
    /// Different zones of the stored nodes; 0 in lists that do not count them.
    pub distinct_zones: u64,
    /// Whether the list was rewritten in a smaller form near the memory limit.
    pub is_packed: bool,
    /// The memory of the list.
    pub memory: Memory,
    /// The omission probability of a probabilistic passed list, with its counts.
    pub certainty: Option<Certainty>,
    /// Further counts of the symbolic engine.
    pub sets: Option<SetStats>,
}

/// The counts of the symbolic engine. Its nodes are zones; a zone is visited with all discrete states that were added to its
/// set since its last visit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SetStats {
    /// Image computations.
    pub steps: u64,
    /// Reachable pairs of a zone and a discrete state, as far as they can be counted; 0 while the search runs.
    pub pairs: u64,
    /// Nodes of decision diagrams.
    pub nodes: u64,
    /// The largest number of nodes at any time.
    pub nodes_max: u64,
    /// Actions: classes of transitions with the same effect on clocks.
    pub actions: u64,
    /// Classes of discrete states with the same invariants and rates of clocks.
    pub classes: u64,
    /// Bits of a discrete state.
    pub bits: u64,
    /// Garbage collections.
    pub collections: u64,
    /// Dynamic variable reorderings.
    pub reorderings: u64,
}

impl Stats {
    /// The statistics of a search with a passed/waiting list.
    #[must_use]
    pub(crate) fn of(
        (counts, memory, certainty): (Counts, Memory, Option<Certainty>),
        visited: u64,
        expanded: ExpansionCounts,
    ) -> Self {
        Self {
            visited,
            stored: counts.stored as u64,
            stored_max: counts.stored_max as u64,
            transitions: expanded.transitions,
            covered: (counts.refused + counts.deleted) as u64 + expanded.repeated,
            transient: expanded.transient,
            mistakes: counts.mistakes as u64,
            rank_visits: counts.rank_visits as u64,
            waiting: counts.waiting as u64,
            discrete_states: counts.discrete_states as u64,
            distinct_zones: counts.distinct_zones as u64,
            is_packed: counts.is_packed,
            memory,
            certainty,
            sets: None,
        }
    }

    /// The sums of two searches.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            visited: self.visited + other.visited,
            stored: self.stored + other.stored,
            stored_max: self.stored_max + other.stored_max,
            transitions: self.transitions + other.transitions,
            covered: self.covered + other.covered,
            transient: self.transient + other.transient,
            mistakes: self.mistakes + other.mistakes,
            rank_visits: self.rank_visits + other.rank_visits,
            waiting: self.waiting + other.waiting,
            discrete_states: self.discrete_states + other.discrete_states,
            distinct_zones: self.distinct_zones + other.distinct_zones,
            is_packed: self.is_packed || other.is_packed,
            memory: self.memory.and(&other.memory),
            certainty: self.certainty.or(other.certainty),
            sets: self.sets.or(other.sets),
        }
    }
}
