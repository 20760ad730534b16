//! The client of a spread diagram: the queries of an owner of discrete states, and their answers.
//!
//! ```text
//!   list ──pop──▶ due ── batch ──▶ in flight ──answer: new──▶ ready ──▶ expanded
//!                  ▲                    │ └──answer: known──▶ gone
//!                kept back ◀────────────┘ until the state before it with the same discrete part is answered
//! ```
//!
//! Queries are about popped states, as in the paper's algorithm (figure 1.3), so that waiting states are still compared with
//! each other, and no query is about a covered one.
//!
//! One batch is on its way at a time, and not a large one: the states in it were popped before the answers to each other
//! and before what others send meanwhile, and what they would have been covered by comes too late. That costs visits, and
//! unions of zones that a larger one covers. Fischer's protocol with eight processes on four ranks visits 37
//! thousand states with four batches of 256 on their way, 26.7 with two of 64, and 25.2 with one of 32, where one search
//! visits 25.1; its diagram takes 530, 81 and 37 kB (`check --explore --engine cluster --layout cdd-spread --ranks 4`, with
//! other numbers below). A third of a message for each state is still few.
//!
//! **Order of messages** (section 10.4). The thesis sends buffers of unions and reductions before those of inclusions. Here
//! a query and its union are one request, so that there is no such order to keep.
//!
//! **What was tried and left out** (section 10.4 as well). To compare a state that is popped with those of its discrete part that are
//! due or kept back, and to drop what is covered: of 42.8 thousand states popped for Fischer's protocol with eight
//! processes none was, of 80 thousand for CSMA/CD with nine stations three were, since the list has compared them while they
//! waited. To unite the zones of a discrete part and ask about the union: 0.5 and 16 per cent are kept back, but batches
//! are full without them (31 states each), so there would be as many messages, and whether each zone is new would have to be
//! found out all the same.
//!
//! > **Invariant.** At most one state of each discrete part is on its way, and the handle of that part changes only by
//! > its answer.

use std::collections::{BTreeMap, VecDeque};

use tourbillon_dbm::Dbm;
use tourbillon_dd::{Handle, Slice, Slicer};
use tourbillon_store::{Memory, NodeId, PassedWaiting, UnionHandles};
use tourbillon_zonegraph::SymbolicState;

use super::server::{KNOWN, UNDECIDED};
use super::wire::{handles, number, put_handles, put_number, put_slices};
use super::{Group, Topic};
use crate::endpoint::Mailbox;
use crate::message::Reader;

/// The maximum number of states in a batch.
const BATCH_MAX: usize = 32;
/// The maximum number of delayed states, after which no more are popped.
const KEPT_BACK_MAX: usize = 4 * BATCH_MAX;

/// A state that was popped.
#[derive(Debug)]
struct PendingState {
    node: NodeId,
    cost: u64,
    place: u32,
    discrete: Box<[i32]>,
    zone: Dbm,
}

/// The queries of an owner.
#[derive(Debug)]
pub(super) struct DiagramClient {
    group: Group,
    slicer: Slicer,
    handles: UnionHandles,
    batch: usize,
    /// The states of the next batch.
    due: Vec<PendingState>,
    in_flight: Vec<PendingState>,
    /// For each discrete state that is due or in flight, its states that are kept back.
    behind: BTreeMap<u32, VecDeque<PendingState>>,
    kept_back: usize,
    ready: VecDeque<PendingState>,
    /// States whose memory can be used again.
    spare: Vec<PendingState>,
    slices: Vec<Slice>,
    paused: bool,
    roots_sent: bool,
    /// The number of states that were known.
    pub(super) known: u64,
    /// The largest number of states that were waiting, in flight or new.
    pub(super) stored_max: u64,
}

impl DiagramClient {
    pub(super) fn new(group: Group, slicer: Slicer, handles: UnionHandles, batch: usize) -> Self {
        Self {
            group,
            slicer,
            handles,
            batch: batch.clamp(1, BATCH_MAX),
            due: Vec::new(),
            in_flight: Vec::new(),
            behind: BTreeMap::new(),
            kept_back: 0,
            ready: VecDeque::new(),
            spare: Vec::new(),
            slices: Vec::new(),
            paused: false,
            roots_sent: false,
            known: 0,
            stored_max: 0,
        }
    }

    /// The number of popped states without an answer: due, in flight or kept back.
    pub(super) fn unanswered(&self) -> usize {
        self.due.len() + self.in_flight.len() + self.kept_back
    }

    /// The number of popped states that are neither known nor expanded.
    pub(super) fn unvisited(&self) -> usize {
        self.unanswered() + self.ready.len()
    }

    pub(super) fn discrete_states(&self) -> usize {
        self.handles.len()
    }

    pub(super) fn memory(&self) -> Memory {
        self.handles.memory()
    }

    /// Loads a new state, to be expanded.
    pub(super) fn take_ready(&mut self, state: &mut SymbolicState) -> Option<(NodeId, u64)> {
        let ready = self.ready.pop_front()?;
        state.memory[..ready.discrete.len()].copy_from_slice(&ready.discrete);
        state.zone.copy_from(&ready.zone);
        let taken = (ready.node, ready.cost);
        self.spare.push(ready);
        Some(taken)
    }

    /// Pops states, and sends queries about those that are due, if no batch is in flight.
    pub(super) fn send_queries(
        &mut self,
        list: &mut dyn PassedWaiting,
        fields: usize,
        mailbox: &mut dyn Mailbox,
    ) -> bool {
        if self.paused || !self.in_flight.is_empty() {
            return false;
        }
        self.stored_max = self.stored_max.max(list.counts().stored as u64 - self.known);
        while self.due.len() < self.batch && self.kept_back < KEPT_BACK_MAX {
            let Some(node) = list.pop() else { break };
            self.pop(node, list, fields);
        }
        let sends = !self.due.is_empty();
        if sends {
            self.send(mailbox);
        }
        sends
    }

    fn pop(&mut self, node: NodeId, list: &dyn PassedWaiting, fields: usize) {
        let mut state = self.spare.pop().unwrap_or_else(|| PendingState {
            node,
            cost: 0,
            place: 0,
            discrete: vec![0; fields].into(),
            zone: Dbm::zero(self.slicer.dimension()),
        });
        list.load(node, &mut state.discrete, &mut state.zone);
        (state.node, state.cost) = (node, list.popped_cost());
        self.enqueue(state);
    }

    /// Makes a state due, or keeps it back behind another one of its discrete state.
    fn enqueue(&mut self, mut state: PendingState) {
        state.place = self.handles.index(&state.discrete);
        match self.behind.get_mut(&state.place) {
            Some(behind) => {
                behind.push_back(state);
                self.kept_back += 1;
            }
            None => {
                self.behind.insert(state.place, VecDeque::new());
                self.due.push(state);
            }
        }
    }

    fn send(&mut self, mailbox: &mut dyn Mailbox) {
        let mut down = Topic::Down.begin(mailbox);
        // An owner has one batch in transit, so its number is irrelevant.
        put_number(&mut down, 0);
        for state in &self.due {
            let handle = [Handle::from_u32(self.handles.get(state.place))];
            down.push(UNDECIDED);
            put_handles(&mut down, &handle);
            put_handles(&mut down, &handle);
            self.slices.clear();
            self.slicer.slice(&state.zone, &mut self.slices);
            put_slices(&mut down, &self.slices);
        }
        mailbox.send(self.group.first, down);
        std::mem::swap(&mut self.in_flight, &mut self.due);
    }

    pub(super) fn handle_message(&mut self, reader: &mut Reader<'_>) {
        // An owner ignores the number and the request for a collection.
        let (_number, _wants) = (number(reader), reader.u8());
        let mut became = Vec::new();
        for state in std::mem::take(&mut self.in_flight) {
            let place = state.place;
            if reader.u8() == KNOWN {
                self.known += 1;
                self.spare.push(state);
            } else {
                became.clear();
                handles(reader, &mut became);
                self.handles.set(place, became[0].to_u32());
                self.ready.push_back(state);
            }
            self.next_of(place);
        }
    }

    /// Makes the next state of a discrete state due.
    fn next_of(&mut self, place: u32) {
        match self.behind.get_mut(&place).and_then(VecDeque::pop_front) {
            Some(next) => {
                self.kept_back -= 1;
                self.due.push(next);
            }
            None => _ = self.behind.remove(&place),
        }
    }

    /// Sends no queries until the collection ends.
    pub(super) fn pause(&mut self) {
        (self.paused, self.roots_sent) = (true, false);
    }

    pub(super) const fn is_paused(&self) -> bool {
        self.paused
    }

    pub(super) fn resume(&mut self) {
        self.paused = false;
    }

    /// Sends the handles in use to the first rank, if it requested them and no query is in transit.
    pub(super) fn send_roots(&mut self, mailbox: &mut dyn Mailbox) {
        if !self.paused || self.roots_sent || !self.in_flight.is_empty() {
            return;
        }
        self.roots_sent = true;
        let roots = self.roots();
        let mut message = Topic::Roots.begin(mailbox);
        put_handles(&mut message, &roots);
        mailbox.send(self.group.first, message);
    }

    /// The nodes that are in use, in order.
    fn roots(&self) -> Vec<Handle> {
        let handles = (0..self.handles.len() as u32).map(|place| Handle::from_u32(self.handles.get(place)));
        let mut roots: Vec<Handle> = handles.filter(|handle| !handle.is_terminal()).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Replaces the handles that it sent, which are unchanged since, by their new ones, and continues.
    pub(super) fn rename(&mut self, reader: &mut Reader<'_>) {
        let (before, mut after) = (self.roots(), Vec::new());
        handles(reader, &mut after);
        for place in 0..self.handles.len() as u32 {
            let handle = Handle::from_u32(self.handles.get(place));
            // Terminals do not change.
            if let Ok(at) = before.binary_search(&handle) {
                self.handles.set(place, after[at].to_u32());
            }
        }
        self.resume();
    }
}

#[cfg(test)]
impl DiagramClient {
    /// Asks about a state that comes from no list.
    pub(super) fn enqueue_state(&mut self, node: NodeId, discrete: &[i32], zone: &Dbm) {
        self.enqueue(PendingState { node, cost: 0, place: 0, discrete: discrete.into(), zone: zone.clone() });
    }

    /// Sends what is due, unless it must not.
    pub(super) fn send_due(&mut self, mailbox: &mut dyn Mailbox) {
        if !self.paused && self.in_flight.is_empty() && !self.due.is_empty() {
            self.send(mailbox);
        }
    }

    /// What was found to be new, in order.
    pub(super) fn take_new(&mut self) -> Option<NodeId> {
        self.ready.pop_front().map(|state| state.node)
    }
}
