//! A distributed diagram: each rank has a band of its levels (`[ThomsenKristensen2002]`, chapters 4 and 7).
//!
//! ```text
//!   owner ──── down: zones of states, and nodes ──────▶ band 0 ─── down ──▶ band 1 ─── down ──▶ band 2
//!   owner ◀─── up: known, or the resulting nodes ────── band 0 ◀─── up ──── band 1 ◀─── up ──── band 2
//! ```
//!
//! Ranks form groups of neighbours, and each group has a diagram; the first rank of a group has its top levels, the next the levels
//! below, and so on. A discrete state is owned by the rank that it hashes to, as in every layout, and its union is in that rank's
//! group: the rank has the handle, which is a node of the first band. When a state is popped, its owner queries whether the union
//! includes its zone, and adds it if not, in one query. The query goes down: each band computes the nodes of the next one that decide
//! the inclusion, and those to which the zone must be added. The answer comes back as soon as it is decided: *known*, or the resulting
//! nodes. Many queries are in one message.
//!
//! **Difference to the paper.** There, a union assigns numbers on the lower rank to nodes that do not exist yet, and is computed on
//! each rank as it passes; since no rank can decide whether a node is new, pairs of equal numbers come back up later, and every rank
//! keeps a list of the nodes of each union until they do. Here nodes are created on the way up, when all nodes below have their final
//! numbers, so that they are reduced when they are created: no reduction, no lists, no table for each union, no reference counts. And
//! since nodes never change, and a number is known only when all nodes below exist, queries may overtake each other: there is no
//! pipeline whose order must be kept. The cost is that the handle of a union is known only after the answer, so two zones of one
//! discrete state cannot be in transit at once: the owner delays the second (`client.rs`). A query takes two messages for each border,
//! where the paper needs up to three and one more for the state; in batches, less than half of one.
//!
//! **Collection** stops the group. A band that has grown requests it with its answers; the first rank then requests from all ranks of
//! the group their handles, which they send when none of their queries is in transit; each band marks from the nodes that the one
//! above names, sweeps, and names its targets to the next; the last one informs the first, and the first lets all continue. If the
//! bands are uneven by then, levels move to the next rank first.
//!
//! | file | holds |
//! |---|---|
//! | `groups.rs` | the group and the levels of each rank |
//! | `server.rs` | the band of a rank, and the queries that pass through it |
//! | `balance.rs`, `moving.rs` | when levels move to other ranks, and where to; how |
//! | `collection.rs` | the roots of a collection, on the first rank of a group |
//! | `client.rs` | the queries of an owner, and their answers |
//! | `wire.rs` | numbers, nodes and zones as bytes |

mod balance;
mod client;
mod collection;
mod groups;
mod moving;
mod server;
#[cfg(test)]
mod tests;
mod wire;

use tourbillon_check::Moved;
use tourbillon_dbm::Dimension;
use tourbillon_dd::{Settings, Slicer};
use tourbillon_search::Stats;
use tourbillon_store::{Memory, NodeId, PassedWaiting, UnionHandles};
use tourbillon_zonegraph::SymbolicState;

pub(crate) use balance::Balance;
pub(crate) use groups::Group;

use client::DiagramClient;
use server::BandServer;

use crate::endpoint::Mailbox;
use crate::message::{HEADER_BYTES, Kind, Reader};

/// The kind of a message between the ranks of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Topic {
    /// Queries to a band.
    Down,
    Up,
    /// From the first rank: request for the handles in use.
    Gather,
    /// From an owner: its handles.
    Roots,
    /// To a band: its nodes that are in use.
    Sweep,
    /// From the last band: all bands are swept.
    Swept,
    /// From the first rank: continue.
    Resume,
    /// From the first rank to a band: the new cuts, to begin to move levels.
    Cuts,
    /// From a band to the one above: the new handles of its targets, and the levels that it gets.
    Below,
    /// From a band to the one below: the levels that it gets.
    Lower,
    /// The answer to `Lower`: their handles.
    Placed,
    /// From the first rank to an owner: the new handles of its unions; continue.
    Renamed,
}

impl Topic {
    const ALL: [Self; 12] = [
        Self::Down,
        Self::Up,
        Self::Gather,
        Self::Roots,
        Self::Sweep,
        Self::Swept,
        Self::Resume,
        Self::Cuts,
        Self::Below,
        Self::Lower,
        Self::Placed,
        Self::Renamed,
    ];

    /// An empty message of this kind.
    fn begin(self, mailbox: &dyn Mailbox) -> Vec<u8> {
        let mut bytes = mailbox.begin(Kind::Spread);
        bytes.push(self as u8);
        bytes
    }

    /// Sends an empty message of this kind.
    fn send(self, mailbox: &mut dyn Mailbox, to: usize) {
        let bytes = self.begin(mailbox);
        mailbox.send(to, bytes);
    }
}

/// The part of a rank in a distributed diagram: the server of its band, and the client of its group.
#[derive(Debug)]
pub(crate) struct Spread {
    server: BandServer,
    client: DiagramClient,
}

impl Spread {
    /// The part of one rank. `batch` is the number of queries in a message.
    ///
    /// # Panics
    /// If there are more clocks than diagrams can have.
    pub(crate) fn new(
        group: Group,
        (dimension, settings): (Dimension, Settings),
        handles: UnionHandles,
        (batch, balance): (usize, Balance),
    ) -> Self {
        let slicer = Slicer::new(dimension, settings).expect("the plan limits the number of clocks");
        let server = BandServer::new(group, (dimension, settings), slicer.levels(), balance);
        Self { server, client: DiagramClient::new(group, slicer, handles, batch) }
    }

    /// Handles a message of the group.
    pub(crate) fn handle_message(&mut self, from: usize, message: &[u8], mailbox: &mut dyn Mailbox) {
        let mut from_message = Reader::new(&message[HEADER_BYTES..]);
        let reader = &mut from_message;
        match Topic::ALL[usize::from(reader.u8())] {
            Topic::Down => self.server.descend(from, reader, mailbox),
            Topic::Up if self.server.is_below(from) => self.server.ascend(reader, mailbox),
            Topic::Up => self.client.handle_message(reader),
            Topic::Gather => self.client.pause(),
            Topic::Roots => self.server.gather(from, reader, mailbox),
            Topic::Sweep => self.server.sweep(reader, mailbox),
            Topic::Swept => self.server.swept(reader, mailbox),
            Topic::Cuts => self.server.begin_move(reader, mailbox),
            Topic::Below => self.server.rise(reader, mailbox),
            Topic::Lower => self.server.place(from, reader, mailbox),
            Topic::Placed => self.server.placed(reader, mailbox),
            Topic::Resume => {
                self.server.resume();
                self.client.resume();
            }
            Topic::Renamed => {
                self.server.note_move();
                self.server.resume();
                self.client.rename(reader);
            }
        }
        self.client.send_roots(mailbox);
    }

    /// Loads a new state, to be expanded.
    pub(crate) fn next(&mut self, state: &mut SymbolicState) -> Option<(NodeId, u64)> {
        self.client.take_ready(state)
    }

    /// Pops states and sends queries about them, if no batch is in transit. Returns whether it did.
    pub(crate) fn send_queries(
        &mut self,
        list: &mut dyn PassedWaiting,
        fields: usize,
        mailbox: &mut dyn Mailbox,
    ) -> bool {
        self.client.send_queries(list, fields, mailbox)
    }

    /// Whether queries are unanswered, or must not be sent during a collection.
    pub(crate) fn is_waiting(&self) -> bool {
        self.client.unanswered() > 0 || self.client.is_paused()
    }

    /// Completes the statistics of the waiting list, which takes every popped state for new.
    pub(crate) fn complete(&self, listed: &Stats) -> Stats {
        let stored = listed.stored - self.client.known;
        Stats {
            stored,
            stored_max: self.client.stored_max.max(stored),
            covered: listed.covered + self.client.known,
            waiting: listed.waiting + self.client.unvisited() as u64,
            discrete_states: self.client.discrete_states() as u64,
            memory: listed.memory.and(&self.memory()),
            ..*listed
        }
    }

    /// The levels that this rank moved.
    pub(crate) const fn moved(&self) -> Moved {
        self.server.moved
    }

    /// The number of popped states that were known, which are not stored.
    pub(crate) const fn known(&self) -> u64 {
        self.client.known
    }

    /// Whether its band is nearly full.
    pub(crate) fn is_full(&self) -> bool {
        self.server.is_full()
    }

    /// The memory besides that of the list.
    pub(crate) fn memory(&self) -> Memory {
        let zones = self.server.bytes();
        self.client.memory().and(&Memory { zones, ..Memory::default() })
    }
}
