//! What every search reports.

use tourbillon_store::{Certainty, Memory, PassedWaiting};

/// Counts of a search, in the words of the field. For a full exploration from one initial state,
/// `stored + covered = transitions + 1`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Nodes taken from waiting and expanded.
    pub visited: u64,
    /// Nodes in the list at the end.
    pub stored: u64,
    /// The largest number of nodes in the list at any time.
    pub stored_max: u64,
    /// Successors computed, covered or not.
    pub transitions: u64,
    /// Successors refused, and stored nodes deleted, because another covers them.
    pub covered: u64,
    /// Nodes visited that are no longer stored.
    pub mistakes: u64,
    /// Nodes looked at again to give ranks to others.
    pub rank_visits: u64,
    /// Nodes waiting.
    pub waiting: u64,
    /// Discrete states among the stored nodes; 0 where they are not kept.
    pub discrete_states: u64,
    /// Different zones among the stored nodes, where that is known.
    pub distinct_zones: u64,
    /// Whether the list was rewritten in a smaller form, since memory ran short.
    pub is_packed: bool,
    /// What the list takes.
    pub memory: Memory,
    /// For a list that may refuse new states, what is known of that.
    pub certainty: Option<Certainty>,
    /// For a search over sets of discrete states, what there is besides.
    pub sets: Option<SetStats>,
}

/// What a search over sets of discrete states counts. Its nodes are zones: those visited are those drawn, each with all
/// states that have come to it since it was drawn last.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SetStats {
    /// How often the image of a set under an action was computed.
    pub steps: u64,
    /// Pairs of a zone and a discrete state that was reached with it, or as many as can be told; 0 while the search goes
    /// on.
    pub pairs: u64,
    /// Nodes of diagrams.
    pub nodes: u64,
    /// The most there were.
    pub nodes_max: u64,
    /// Different ways in which steps treat clocks.
    pub actions: u64,
    /// Classes of states in which clocks behave alike.
    pub classes: u64,
    /// Bits of a discrete state.
    pub bits: u64,
    /// How often garbage was collected.
    pub collections: u64,
    /// How often variables were put into a better order.
    pub reorderings: u64,
}

impl Stats {
    /// Those of a search that has visited so many nodes of a list and computed so many successors.
    #[must_use]
    pub fn of(list: &dyn PassedWaiting, visited: u64, transitions: u64) -> Self {
        let counts = list.counts();
        Self {
            visited,
            stored: counts.stored as u64,
            stored_max: counts.stored_max as u64,
            transitions,
            covered: (counts.refused + counts.deleted) as u64,
            mistakes: counts.mistakes as u64,
            rank_visits: counts.rank_visits as u64,
            waiting: counts.waiting as u64,
            discrete_states: counts.discrete_states as u64,
            distinct_zones: counts.distinct_zones as u64,
            is_packed: counts.is_packed,
            memory: list.memory(),
            certainty: list.certainty(),
            sets: None,
        }
    }

    /// Both together, of two searches that stand beside each other.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            visited: self.visited + other.visited,
            stored: self.stored + other.stored,
            stored_max: self.stored_max + other.stored_max,
            transitions: self.transitions + other.transitions,
            covered: self.covered + other.covered,
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
