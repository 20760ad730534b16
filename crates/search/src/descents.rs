//! Random descents: from a state along one transition after the other, each drawn at random, until the goal is met or the
//! descent is as long as it may be.
//!
//! A step computes one successor of a state where a visit computes all of them, and stores none: a descent is cheap, and leaves
//! nothing behind but the ordinals of its steps. It gets to states that are deep and that no order of the stored states
//! comes to soon, and a wrong branch costs it no more than its length, where depth first may stay in one for ever.
//!
//! Nobody knows how long a descent must be to get to a goal. Lengths go by the sequence 1, 1, 2, 1, 1, 2, 4, ... times [`UNIT`],
//! which takes at most a logarithmic factor more steps than the best fixed length would
//! `[LubySinclairZuckerman1993, theorem 6]`. Descents begin in turns at the first node that the search has
//! visited, the initial state, and at the one that it has visited last.
//!
//! A zone that a descent has is one that a search could have stored, extrapolated as it would be: the path to it is a
//! path of the zone graph, and is followed again with exact zones before anything rests on it. A descent ends where no transition
//! can be taken, where the model fails, and where a zone overflows; these are for a search to report.

use tourbillon_base::{Id, Random};
use tourbillon_store::NodeId;
use tourbillon_system::{RuntimeError, System};
use tourbillon_zonegraph::{Successor, SymbolicState, ZoneGraph};

use crate::explore::Search;
use crate::goal::GoalObserver;

/// How many steps the shortest descents have.
const UNIT: u64 = 32;
/// How many combinations of receivers that the zone decides on are looked at for one step.
const COMBINATIONS_MAX: usize = 64;

/// Descents, one after the other.
#[derive(Debug)]
pub(crate) struct Descents {
    random: Random,
    /// The first node that the search has visited.
    first: Option<(NodeId, SymbolicState)>,
    /// The one that the present descent began at, and its steps from there.
    from: NodeId,
    ordinals: Vec<u32>,
    /// Where it is, and memory for where it gets to.
    state: SymbolicState,
    next: SymbolicState,
    /// How many steps it may still take.
    left: u64,
    /// How many descents there were, and how many steps they took.
    begun: u64,
    steps: u64,
    /// The transitions that were not tried, by their places; those that the zone combines have one place.
    untried: Vec<usize>,
}

impl Descents {
    /// None yet. What is drawn depends on the seed.
    pub(crate) fn new(system: &System, seed: u64) -> Self {
        Self {
            random: Random::from_seed(seed),
            first: None,
            from: NodeId::from_index(0),
            ordinals: Vec::new(),
            state: SymbolicState::new(system),
            next: SymbolicState::new(system),
            left: 0,
            begun: 0,
            steps: 0,
            untried: Vec::new(),
        }
    }

    /// How many steps were taken.
    pub(crate) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Where the present descent began, and its steps from there.
    pub(crate) fn path(&self) -> (NodeId, &[u32]) {
        (self.from, &self.ordinals)
    }

    /// Takes a step, of a new descent if the last one is over. Returns whether the goal is met.
    pub(crate) fn step(&mut self, search: &mut Search<'_>, goal: &mut GoalObserver<'_>) -> bool {
        if self.left == 0 && !self.begin(search) {
            return false;
        }
        self.steps += 1;
        self.left -= 1;
        let arrived = self.walk(search.graph());
        if !arrived {
            self.left = 0;
        }
        arrived && goal.is_satisfied(&self.state)
    }

    /// Begins another descent, if the search has visited anything.
    fn begin(&mut self, search: &Search<'_>) -> bool {
        let Some((last, state)) = search.current() else { return false };
        let (first, initial) = &*self.first.get_or_insert_with(|| (last, state.clone()));
        let (from, state) = if self.begun.is_multiple_of(2) { (*first, initial) } else { (last, state) };
        self.from = from;
        self.state.memory.copy_from_slice(&state.memory);
        self.state.zone.copy_from(&state.zone);
        self.ordinals.clear();
        self.begun += 1;
        self.left = UNIT * luby(self.begun.div_ceil(2));
        true
    }

    /// Takes a transition drawn from those that can be taken; false if there is none, or the model fails.
    fn walk(&mut self, graph: &mut ZoneGraph<'_>) -> bool {
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
                // Each of several pieces is as likely.
                if random.below(pieces) == 0 {
                    next.memory[..fields].copy_from_slice(&successor.memory[..fields]);
                    next.zone.copy_from(successor.zone);
                    drawn = successor.ordinal;
                }
            };
            let outcome = if place < listed {
                graph.follow(state, place, &mut sink)
            } else {
                follow_combined(graph, state, listed, &mut sink)
            };
            if outcome.is_err() {
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

/// Hands what the first combinations of receivers lead to to the sink.
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
