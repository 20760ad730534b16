//! One diagram over several ranks: each has a band of its levels (`[ThomsenKristensen2002]`, chapters 4 and 7).
//!
//! ```text
//!   owner ──── down: states' zones, and the nodes they meet ───▶ band 0 ─── down ──▶ band 1 ─── down ──▶ band 2
//!   owner ◀─── up: known, or what the nodes have become ──────── band 0 ◀─── up ──── band 1 ◀─── up ──── band 2
//! ```
//!
//! Ranks form groups of neighbours, and each group has a diagram; the first rank of a group has its top levels, the next
//! the levels below, and so on. A discrete state belongs to the rank that it hashes to, as in every layout, and its union to
//! that rank's group: the rank has the handle, which is a node of the first band. When a state is to be expanded its
//! owner asks whether the union includes its zone, and to add it if not, which is one query. It goes down: each band
//! says which nodes of the next one decide about the inclusion, and which ones the zone has to be added to. It comes back as
//! soon as it is decided: *known*, or what those nodes have become. Many queries go in one message.
//!
//! **Why not as in the paper.** There, a union gives numbers on the lower rank to nodes that are still to be made, and is
//! done on each rank as it passes; since no rank knows whether what it made is new, pairs of equal numbers come back up
//! later, and every rank has to keep a list of what each union made until they do. Here nodes are made on the way up, when
//! all below them have their final numbers, so that they are reduced when they are made: no reduction, no lists, no table
//! for each union, no counts of uses. And since nodes never change, and a number is known only once all below it is made,
//! a query may overtake any other: there is no pipeline whose order must be kept. What it costs is that the handle of a
//! union is known after the way back only, so that two zones of one discrete state cannot be on their way at once: the
//! owner keeps the second back (`client.rs`). A query takes two messages for each border, where the paper needs up to
//! three and one more for the state; packed, less than half of one.
//!
//! **Collection** stops the group. A band that has grown says so with its answers; the first rank then asks all ranks
//! of the group for their handles, which they send when nothing of theirs is on its way; each band marks from what the one
//! above names, sweeps, and names its entries to the next; the last one tells the first, and the first lets all continue. If the
//! bands are uneven by then, layers move to the next rank first.
//!
//! | file | holds |
//! |---|---|
//! | `groups.rs` | which rank is in which group, and has which levels |
//! | `server.rs` | a rank's band, and queries on their way through it |
//! | `balance.rs`, `moving.rs` | when layers move to other ranks, and where to; how |
//! | `collection.rs` | how a group finds out what is in use, on its first rank |
//! | `client.rs` | what an owner asks, and keeps back, and has been told |
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

use crate::endpoint::Post;
use crate::message::{HEADER_BYTES, Kind, Reader};

/// What a message between the ranks of a group is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Topic {
    /// Queries to a band.
    Down,
    Up,
    /// From the first rank: which handles are in use?
    Gather,
    /// From an owner: these.
    Roots,
    /// To a band: these nodes of yours are in use, and no others.
    Sweep,
    /// From the last band: all is swept.
    Swept,
    /// From the first rank: continue.
    Resume,
    /// From the first rank to a band: begin to move layers, these are the new cuts.
    Cuts,
    /// From a band to the one above: what has become of the nodes that you lead to, and the layers that you get.
    Below,
    /// From a band to the one below: the layers that you get.
    Lower,
    /// The answer: where they are.
    Placed,
    /// From the first rank to an owner: what has become of your handles; continue.
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

    /// A message about it that has nothing in it yet.
    fn begin(self, post: &dyn Post) -> Vec<u8> {
        let mut bytes = post.begin(Kind::Spread);
        bytes.push(self as u8);
        bytes
    }

    /// Sends a message about it that has nothing in it.
    fn send(self, post: &mut dyn Post, to: usize) {
        let bytes = self.begin(post);
        post.send(to, bytes);
    }
}

/// What a rank does for diagrams that are spread: as one that has a part of one, and as one that asks.
#[derive(Debug)]
pub(crate) struct Spread {
    share: BandServer,
    desk: DiagramClient,
}

impl Spread {
    /// Of a rank. Queries are sent when there are so many; layers move or do not.
    ///
    /// # Panics
    /// If there are more clocks than diagrams can have.
    pub(crate) fn new(
        group: Group,
        (dimension, settings): (Dimension, Settings),
        handles: UnionHandles,
        (batch, balance): (usize, Balance),
    ) -> Self {
        let slicer = Slicer::new(dimension, settings).expect("the number of clocks was looked at");
        let share = BandServer::new(group, (dimension, settings), slicer.levels(), balance);
        Self { share, desk: DiagramClient::new(group, slicer, handles, batch) }
    }

    /// Takes in a message of its kind.
    pub(crate) fn hear(&mut self, from: usize, message: &[u8], post: &mut dyn Post) {
        let mut from_message = Reader::new(&message[HEADER_BYTES..]);
        let reader = &mut from_message;
        match Topic::ALL[usize::from(reader.u8())] {
            Topic::Down => self.share.descend(from, reader, post),
            Topic::Up if self.share.is_below(from) => self.share.ascend(reader, post),
            Topic::Up => self.desk.hear(reader),
            Topic::Gather => self.desk.pause(),
            Topic::Roots => self.share.gather(from, reader, post),
            Topic::Sweep => self.share.sweep(reader, post),
            Topic::Swept => self.share.swept(reader, post),
            Topic::Cuts => self.share.begin_move(reader, post),
            Topic::Below => self.share.rise(reader, post),
            Topic::Lower => self.share.place(from, reader, post),
            Topic::Placed => self.share.placed(reader, post),
            Topic::Resume => {
                self.share.resume();
                self.desk.resume();
            }
            Topic::Renamed => {
                self.share.note_move();
                self.share.resume();
                self.desk.rename(reader);
            }
        }
        self.desk.tell_roots(post);
    }

    /// Loads a state that is new, and has to be expanded.
    pub(crate) fn next(&mut self, state: &mut SymbolicState) -> Option<(NodeId, u64)> {
        self.desk.take_ready(state)
    }

    /// Pops states and asks about them, if it is time to. Returns whether it was.
    pub(crate) fn ask(&mut self, list: &mut dyn PassedWaiting, fields: usize, post: &mut dyn Post) -> bool {
        self.desk.ask(list, fields, post)
    }

    /// Whether states were popped about which nothing is known yet, or nothing may be asked for a while.
    pub(crate) fn is_waiting(&self) -> bool {
        self.desk.unanswered() > 0 || self.desk.is_paused()
    }

    /// The numbers of a list that takes whatever it pops for new, with what is known here.
    pub(crate) fn complete(&self, listed: &Stats) -> Stats {
        let stored = listed.stored - self.desk.known;
        Stats {
            stored,
            stored_max: self.desk.stored_max.max(stored),
            covered: listed.covered + self.desk.known,
            waiting: listed.waiting + self.desk.unvisited() as u64,
            discrete_states: self.desk.discrete_states() as u64,
            memory: listed.memory.and(&self.memory()),
            ..*listed
        }
    }

    /// What it has done to even the memory of its group's diagram.
    pub(crate) const fn moved(&self) -> Moved {
        self.share.moved
    }

    /// How many of the states that the list has popped were known, so that they are not stored.
    pub(crate) const fn known(&self) -> u64 {
        self.desk.known
    }

    /// Whether its part of the diagram is nearly as large as it can be.
    pub(crate) fn is_full(&self) -> bool {
        self.share.is_full()
    }

    /// Where the memory is that the list does not know of.
    pub(crate) fn memory(&self) -> Memory {
        let zones = self.share.bytes();
        self.desk.memory().and(&Memory { zones, ..Memory::default() })
    }
}
