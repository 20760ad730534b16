//! Random walks: from a state along transitions drawn at random, until the goal is reached or the walk has its maximum length.
//!
//! A step computes one successor where a visit computes all of them, and stores none: a walk is cheap, and keeps only the
//! ordinals of its transitions. It reaches deep states that no search order reaches soon, and a wrong branch costs no more
//! than the length of the walk, where depth first may explore an infinite branch.
//!
//! The length that a walk needs to reach a goal is unknown. Lengths follow the sequence 1, 1, 2, 1, 1, 2, 4, ... times [`UNIT`],
//! which takes at most a logarithmic factor more steps than the best fixed length
//! `[LubySinclairZuckerman1993, theorem 6]`. Walks start alternately at the first node that the search has visited, the initial
//! state, and at the last one.
//!
//! The zones of a walk are extrapolated as those of a search: its path is a path of the zone graph, and is followed again with
//! exact zones before an answer is based on it. A walk ends where no transition is enabled, where the model fails, and where a
//! zone overflows; the search reports these.

use tourbillon_base::{Id, Random};
use tourbillon_store::NodeId;
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::explore::Search;
use crate::goal::GoalObserver;

/// The number of steps of the shortest walks.
const UNIT: u64 = 32;
/// The maximum number of combinations of receivers with clock guards that one step draws from.
const COMBINATIONS_MAX: usize = 64;

/// A sequence of random walks.
#[derive(Debug)]
pub(crate) struct RandomWalks {
    random: Random,
    /// The first node that the search has visited.
    first: Option<(NodeId, SymbolicState)>,
    /// The node at which the current walk started, and its transitions from there.
    from: NodeId,
    ordinals: Vec<u32>,
    /// The state of the walk, and memory for the next one.
    state: SymbolicState,
    next: SymbolicState,
    /// The number of steps that are left.
    left: u64,
    /// The number of walks, and of their steps.
    walks: u64,
    steps: u64,
    /// The transitions that are not drawn yet, by position; all combinations of receivers with clock guards have one position.
    untried: Vec<usize>,
}

impl RandomWalks {
    pub(crate) fn new(system: &System, seed: u64) -> Self {
        Self {
            random: Random::from_seed(seed),
            first: None,
            from: NodeId::from_index(0),
            ordinals: Vec::new(),
            state: SymbolicState::new(system),
            next: SymbolicState::new(system),
            left: 0,
            walks: 0,
            steps: 0,
            untried: Vec::new(),
        }
    }

    /// The number of steps of all walks.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// The node at which the current walk started, and its transitions from there.
    pub(crate) fn path(&self) -> (NodeId, &[u32]) {
        (self.from, &self.ordinals)
    }

    /// Takes a step, of a new walk if the last one has ended. Returns whether the goal is reached.
    pub(crate) fn step(&mut self, search: &mut Search<'_>, goal: &mut GoalObserver<'_>) -> bool {
        if self.left == 0 && !self.begin(search) {
            return false;
        }
        self.steps += 1;
        self.left -= 1;
        let moved = self.draw_transition(search.graph());
        if !moved {
            self.left = 0;
        }
        moved && goal.is_satisfied(&self.state)
    }

    /// Starts another walk, if the search has visited a node.
    fn begin(&mut self, search: &Search<'_>) -> bool {
        let Some((last, state)) = search.current() else { return false };
        let (first, initial) = &*self.first.get_or_insert_with(|| (last, state.clone()));
        let (from, state) = if self.walks.is_multiple_of(2) { (*first, initial) } else { (last, state) };
        self.from = from;
        self.state.memory.copy_from_slice(&state.memory);
        self.state.zone.copy_from(&state.zone);
        self.ordinals.clear();
        self.walks += 1;
        self.left = UNIT * luby(self.walks.div_ceil(2));
        true
    }

    /// Takes a random enabled transition. Returns false if there is none, or the model fails.
    fn draw_transition(&mut self, graph: &mut ZoneGraph<'_>) -> bool {
        if graph.prepare(&mut self.state).is_err() {
            return false;
        }
        let fields = graph.system().layout.fields();
        let Self { random, untried, state, next, ordinals, .. } = self;
        untried.clear();
        let listed = graph.transitions().listed();
        untried.extend(0..listed + usize::from(graph.transitions().synchronised().next().is_some()));
        while !untried.is_empty() {
            let place = untried.swap_remove(random.below(untried.len()));
            let (mut pieces, mut drawn) = (0, 0);
            let mut sink = |successor: &Successor<'_>| {
                if successor.zone.overflowed() {
                    return;
                }
                pieces += 1;
                // All pieces are equally likely.
                if random.below(pieces) == 0 {
                    next.memory[..fields].copy_from_slice(&successor.memory[..fields]);
                    next.zone.copy_from(successor.zone);
                    drawn = successor.ordinal;
                }
            };
            let followed = if place < listed {
                graph.follow(state, place, &mut sink)
            } else {
                follow_combined(graph, state, listed, &mut sink)
            };
            if followed.is_err() {
                return false;
            }
            if pieces > 0 {
                std::mem::swap(state, next);
                ordinals.push(drawn);
                return true;
            }
        }
        false
    }
}

/// Passes the successors of the first combinations of receivers to the sink.
fn follow_combined(
    graph: &mut ZoneGraph<'_>,
    state: &SymbolicState,
    listed: usize,
    sink: &mut impl FnMut(&Successor<'_>),
) -> Result<(), RuntimeError> {
    let mut left = COMBINATIONS_MAX;
    while left > 0
        && let Some(place) = graph.next(state)?
    {
        if place >= listed {
            left -= 1;
            graph.follow(state, place, sink)?;
        }
    }
    Ok(())
}

/// The sequence of Luby, Sinclair and Zuckerman, from 1 on.
fn luby(index: u64) -> u64 {
    let power = (index + 1).next_power_of_two();
    if index + 1 == power { power / 2 } else { luby(index + 1 - power / 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_double_each_time_that_all_shorter_ones_were_tried_twice() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
