//! The endpoint of one rank in the network: separates the messages of successive searches and counts them.
//!
//! A job has several queries, and each has a search of its own. Ranks do not wait for each other between them, so a message of the
//! next search can arrive at a rank that has not left this one. Every message therefore begins with the number of its search, and one
//! that is early is kept. None is late: a rank leaves a search only when it has received all messages that were sent to it.
//!
//! Messages of a rank to itself bypass the network and are received in order, so the coordinator need not treat its own rank
//! differently.

use std::collections::VecDeque;

use tourbillon_check::Traffic;

use crate::message::{HEADER_BYTES, Kind, header, search_of};
use crate::transport::Transport;

/// The endpoint of one rank.
#[derive(Debug)]
pub(crate) struct Endpoint<T> {
    transport: T,
    search: u32,
    own: VecDeque<Vec<u8>>,
    early: VecDeque<(usize, Vec<u8>)>,
    pub(crate) traffic: Traffic,
}

impl<T: Transport> Endpoint<T> {
    pub(crate) fn new(transport: T) -> Self {
        let traffic = Traffic { batches_to: vec![0; transport.ranks()], ..Traffic::default() };
        Self { transport, search: 0, own: VecDeque::new(), early: VecDeque::new(), traffic }
    }

    pub(crate) const fn transport(&self) -> &T {
        &self.transport
    }

    /// Starts the next search.
    pub(crate) fn next_search(&mut self) {
        self.search += 1;
        self.own.clear();
        self.traffic = Traffic { batches_to: vec![0; self.transport.ranks()], ..Traffic::default() };
    }
}

/// Sends and receives messages of one search, by any transport.
pub(crate) trait Mailbox {
    fn rank(&self) -> usize;

    fn ranks(&self) -> usize;

    /// An empty message of this kind.
    fn begin(&self, kind: Kind) -> Vec<u8>;

    /// Sends a message that was begun here.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message of this search, and its sender.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// The messages sent and received in this search.
    fn traffic(&self) -> &Traffic;
}

impl<T: Transport> Mailbox for Endpoint<T> {
    fn rank(&self) -> usize {
        self.transport.rank()
    }

    fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    fn begin(&self, kind: Kind) -> Vec<u8> {
        header(kind, self.search).to_vec()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        debug_assert!(message.len() >= HEADER_BYTES, "a message without a header");
        if to == self.transport.rank() {
            self.own.push_back(message);
            return;
        }
        self.traffic.messages += 1;
        self.traffic.bytes += message.len() as u64;
        self.traffic.batches_to[to] += u64::from(Kind::of(&message).is_work());
        self.transport.send(to, message);
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        if let Some(message) = self.own.pop_front() {
            return Some((self.transport.rank(), message));
        }
        let (from, message) = self.next()?;
        self.traffic.received += u64::from(Kind::of(&message).is_work());
        Some((from, message))
    }

    fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

impl<T: Transport> Endpoint<T> {
    /// The next message of this search from another rank.
    fn next(&mut self) -> Option<(usize, Vec<u8>)> {
        if let Some(at) = self.early.iter().position(|(_, message)| search_of(message) == self.search) {
            return self.early.remove(at);
        }
        loop {
            let arrived = self.transport.receive()?;
            if search_of(&arrived.1) == self.search {
                return Some(arrived);
            }
            self.early.push_back(arrived);
        }
    }

    /// Waits until a message arrives, or for a short time.
    pub(crate) fn pause(&mut self) {
        self.transport.pause();
    }
}
