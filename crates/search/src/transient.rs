//! Transient states: states that are followed at once and not stored `[DavidBehrmannLarsenYi2003, section 3]`.
//!
//! In a committed location no time passes and the next transition leaves a committed location: such states are intermediate
//! steps of a longer action. A search need not store them. Whatever is reached through them is reached whenever a stored
//! predecessor is expanded.
//!
//! ```text
//!   node ──▶ transient ──▶ transient ──▶ successor    offered with the node as its parent
//!     └────▶ successor     └────▶ successor           offered as well
//! ```
//!
//! The transient states that one expansion reaches are followed breadth first. A state that equals an earlier one of the same
//! expansion is covered by it; otherwise the interleavings of `n` committed processes would be `n!` paths. There are at most
//! [`TRANSIENT_MAX`] in an expansion, and further ones are stored. So a cycle of committed states ends, the memory is bounded, and
//! the time between two checks of the limits is bounded as well. In a long expansion, states that a stored one covers are not
//! followed: a longer cycle ends at the first state of it that was stored.
//!
//! **Cost.** A transient state is followed once for each path to it from a stored state, where a stored one is expanded once. A
//! transient state is *wasted* if nothing was stored behind it: one that was followed before always is. In
//! [`Committed::Adaptive`] mode, states with a committed location are stored from the moment when more than one in
//! [`WASTED_PART`] of the last [`WINDOW`] transient states was wasted. Each state may be followed or stored at any time, so that the
//! search is exact in either mode.
//!
//! **Paths.** The transitions from a node to a successor behind transient states are a chain of ordinals. Few chains are different.
//! Each has a number ([`Chains`]), which a node stores in place of an ordinal.
//!
//! > **Invariant.** The zone graph is the same: states are computed, abstracted and tested as if they were stored.

use std::collections::HashMap;

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::Dbm;
use tourbillon_system::System;
use tourbillon_zonegraph::{Successor, SymbolicState};

/// The maximum number of transient states of one expansion. A chain of committed locations has a few, and the interleavings of
/// five committed processes have 30; each is compared with all others.
const TRANSIENT_MAX: usize = 64;
/// The number of transient states after which an expansion is long.
const LONG_MIN: usize = 16;
/// The part of wasted states at which the adaptive mode ends. A wasted state costs the computation of its successors, and one that
/// is not wasted saves storing it, which takes less than half as long.
const WASTED_PART: u64 = 3;
/// The approximate number of transient states that the part is computed of, and the number before the first decision. On the
/// protocols of Bang & Olufsen no window of this size has more than a quarter of wasted states; on CSMA/CD and the train gate
/// most are wasted, from the start or from some moment on.
const WINDOW: u64 = 1024;
const WINDOW_MIN: u64 = 256;

/// What is done with states that have a committed location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Committed {
    /// They are stored as all others.
    #[default]
    Stored,
    /// They are transient: followed at once, and not stored.
    Transient,
    /// They are transient until too many of them are wasted.
    Adaptive,
}

/// The transient states of one expansion; their memory is used again for the next.
#[derive(Debug)]
pub(crate) struct TransientStates {
    is_adaptive: bool,
    /// Whether the adaptive mode has ended.
    has_ended: bool,
    /// The number of entries of a discrete state.
    fields: usize,
    /// At least one; the first `len` are those of this expansion, and the first `followed` of them have been followed.
    states: Vec<TransientState>,
    len: usize,
    followed: usize,
    chains: Chains,
    /// The transient states of recent expansions, and the wasted ones.
    recent: u64,
    wasted: u64,
}

/// A transient state of an expansion.
#[derive(Clone, Debug)]
pub(crate) struct TransientState {
    pub(crate) state: SymbolicState,
    pub(crate) cost: u64,
    /// The transitions from the expanded node.
    pub(crate) chain: u32,
    /// The index of the transient state that it is a successor of; none for a successor of the expanded node.
    source: Option<usize>,
    /// Whether a state behind it was stored.
    is_useful: bool,
}

/// What happens to a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// It is offered to the list.
    Offered,
    /// It is followed, unless the expansion is long and a stored state covers it.
    Transient { is_long: bool },
    /// It equals a transient state of this expansion.
    Repeated,
}

impl TransientState {
    pub(crate) fn new(system: &System) -> Self {
        Self { state: SymbolicState::new(system), cost: 0, chain: 0, source: None, is_useful: false }
    }

    /// Overwrites the state, without allocating.
    fn set_state(&mut self, memory: &[i32], zone: &Dbm) {
        self.state.memory.copy_from_slice(memory);
        self.state.zone.copy_from(zone);
    }
}

impl TransientStates {
    /// No states; `None` if committed states are stored.
    pub(crate) fn new(system: &System, committed: Committed) -> Option<Self> {
        (committed != Committed::Stored).then(|| Self {
            is_adaptive: committed == Committed::Adaptive,
            has_ended: false,
            fields: system.layout.fields(),
            states: vec![TransientState::new(system)],
            len: 0,
            followed: 0,
            chains: Chains::default(),
            recent: 0,
            wasted: 0,
        })
    }

    /// The same for another thread, which follows states in the same way and measures waste for itself.
    pub(crate) fn fork(&self) -> Self {
        let first = self.states[0].clone();
        Self {
            states: vec![first],
            len: 0,
            followed: 0,
            chains: Chains::default(),
            recent: 0,
            wasted: 0,
            ..*self
        }
    }

    /// Whether the adaptive mode has ended.
    pub(crate) const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Begins a part of a round: nothing is known but whether the adaptive mode has ended.
    pub(crate) fn begin_part(&mut self, has_ended: bool) {
        self.has_ended = has_ended;
        (self.recent, self.wasted) = (0, 0);
    }

    /// Ends a part of a round.
    pub(crate) fn end_part(&mut self) -> TransientPart {
        self.begin();
        let chains = std::mem::take(&mut self.chains);
        TransientPart { chains, recent: self.recent, wasted: self.wasted }
    }

    /// Counts the transient states of a part of a round.
    pub(crate) fn join(&mut self, part: &TransientPart) {
        self.recent += part.recent;
        self.wasted += part.wasted;
        self.decide();
    }

    /// The number of a chain that has another number in a part of a round.
    pub(crate) fn renumber(&mut self, part: &TransientPart, chain: u32) -> u32 {
        if chain.is_multiple_of(2) {
            return chain;
        }
        let extend = |before, ordinal| Some(self.chains.extended(before, ordinal));
        part.chains.ordinals(chain).into_iter().fold(None, extend).unwrap_or(chain)
    }

    /// Begins an expansion, after the states of the last one were counted.
    #[inline]
    pub(crate) fn begin(&mut self) {
        if self.len > 0 {
            self.count();
        }
        (self.len, self.followed) = (0, 0);
    }

    /// Ends an expansion that offers nothing, so that its states do not count as wasted.
    pub(crate) fn discard(&mut self) {
        self.len = 0;
    }

    /// Counts the states of an expansion, and those behind which nothing was stored.
    fn count(&mut self) {
        for index in (0..self.len).rev() {
            match self.states[index].source {
                _ if !self.states[index].is_useful => self.wasted += 1,
                Some(source) => self.states[source].is_useful = true,
                None => {}
            }
        }
        self.recent += self.len as u64;
        self.decide();
    }

    /// Ends the adaptive mode if too many states were wasted.
    fn decide(&mut self) {
        let is_wasteful = self.recent >= WINDOW_MIN && self.wasted * WASTED_PART > self.recent;
        self.has_ended |= self.is_adaptive && is_wasteful;
        if self.recent >= WINDOW {
            self.recent /= 2;
            self.wasted /= 2;
        }
    }

    /// What happens to a successor of the expanded node, or of the transient state that [`next`](Self::next) returned last.
    #[inline]
    pub(crate) fn arrival(&self, successor: &Successor<'_>) -> Arrival {
        if !successor.is_committed || self.has_ended || self.len == TRANSIENT_MAX {
            Arrival::Offered
        } else if self.has(successor) {
            Arrival::Repeated
        } else {
            Arrival::Transient { is_long: self.len >= LONG_MIN }
        }
    }

    /// Whether a transient state of this expansion equals a successor.
    fn has(&self, successor: &Successor<'_>) -> bool {
        let discrete = &successor.memory[..self.fields];
        let equals = |transient: &TransientState| {
            transient.state.memory[..self.fields] == *discrete
                && (transient.state.zone == *successor.zone || mutants::is(Mutant::TransientZonesConfused))
        };
        self.states[..self.len].iter().any(equals)
    }

    /// Adds a successor of the state that is followed, with its cost.
    pub(crate) fn add(&mut self, successor: &Successor<'_>, cost: u64) {
        if self.len == self.states.len() {
            self.states.push(self.states[0].clone());
        }
        let (chain, source) = (self.chain(successor.ordinal), self.source());
        let added = &mut self.states[self.len];
        added.set_state(successor.memory, successor.zone);
        (added.cost, added.chain, added.source, added.is_useful) = (cost, chain, source, false);
        self.len += 1;
    }

    /// The index of the state that is followed; none for the expanded node.
    fn source(&self) -> Option<usize> {
        self.followed.checked_sub(1)
    }

    /// Copies the next state that is to be followed. Returns false if there is none.
    pub(crate) fn next(&mut self, next: &mut TransientState) -> bool {
        let Some(first) = self.states[..self.len].get(self.followed) else { return false };
        next.set_state(&first.state.memory, &first.state.zone);
        (next.cost, next.chain) = (first.cost, first.chain);
        self.followed += 1;
        true
    }

    /// The chain from the expanded node to a successor, by its last ordinal.
    #[inline]
    pub(crate) fn chain(&mut self, ordinal: u32) -> u32 {
        let before = self.source().map(|source| self.states[source].chain);
        self.chains.extended(before, ordinal)
    }

    /// Notes that a successor of the state that is followed was stored.
    #[inline]
    pub(crate) fn note_stored(&mut self) {
        if let Some(source) = self.source() {
            self.states[source].is_useful = true;
        }
    }

    /// The approximate memory of the chains.
    pub(crate) fn path_bytes(&self) -> usize {
        2 * self.chains.chains.len() * size_of::<((Option<u32>, u32), u32)>()
    }

    /// The ordinals along a path of chains.
    pub(crate) fn ordinals(&self, path: &[u32]) -> Vec<u32> {
        path.iter().flat_map(|&chain| self.chains.ordinals(chain)).collect()
    }
}

/// What a part of a round found out about transient states.
#[derive(Default, Debug)]
pub(crate) struct TransientPart {
    chains: Chains,
    recent: u64,
    wasted: u64,
}

/// Sequences of ordinals, each with a number. One small ordinal is a sequence with an even number, and not stored; others have odd
/// numbers, and are stored once: as an earlier sequence and its last ordinal.
#[derive(Default, Debug)]
struct Chains {
    chains: Vec<(Option<u32>, u32)>,
    numbers: HashMap<(Option<u32>, u32), u32>,
}

impl Chains {
    /// The number of a chain, from that of the chain before its last ordinal.
    #[inline]
    fn extended(&mut self, before: Option<u32>, ordinal: u32) -> u32 {
        match before {
            None if ordinal <= u32::MAX / 2 => 2 * ordinal,
            _ => *self.numbers.entry((before, ordinal)).or_insert_with(|| {
                self.chains.push((before, ordinal));
                2 * self.chains.len() as u32 - 1
            }),
        }
    }

    fn ordinals(&self, chain: u32) -> Vec<u32> {
        let mut ordinals: Vec<u32> = Vec::new();
        let mut next = Some(chain);
        while let Some(chain) = next {
            let (before, ordinal) =
                if chain % 2 == 0 { (None, chain / 2) } else { self.chains[chain as usize / 2] };
            ordinals.push(ordinal);
            next = before;
        }
        ordinals.reverse();
        ordinals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_chains_have_one_number() {
        let mut chains = Chains::default();
        let first = chains.extended(None, 7);
        let second = chains.extended(Some(first), 3);
        let other = chains.extended(Some(first), 4);
        let large = chains.extended(None, u32::MAX - 1);
        assert_eq!(chains.extended(None, 7), first);
        assert_eq!(chains.extended(Some(first), 3), second);
        assert_eq!(chains.extended(None, u32::MAX - 1), large);
        assert_eq!(chains.ordinals(first), [7]);
        assert_eq!(chains.ordinals(second), [7, 3]);
        assert_eq!(chains.ordinals(other), [7, 4]);
        assert_eq!(chains.ordinals(large), [u32::MAX - 1]);
        let last = chains.extended(Some(second), 0);
        assert_eq!(chains.ordinals(last), [7, 3, 0]);
    }
}
