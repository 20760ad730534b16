//! One rank's end of the network: separates the messages of successive searches and counts them.
//!
//! A job has several queries, and each has a search of its own. Ranks do not wait for each other between them, so a
//! message of the next search can arrive at a rank that has not yet left this one. Every message therefore begins with
//! the number of its search, and one that comes too early is kept. None comes too late: a rank leaves a search only when
//! it has taken in all that was sent to it.
//!
//! What a rank sends to itself takes no network, and comes back in order, so that the first rank, which has to speak with
//! all, need not treat itself in another way.

use std::collections::VecDeque;

use tourbillon_check::Traffic;

use crate::message::{HEADER_BYTES, Kind, header, search_of};
use crate::transport::Transport;

/// One rank's end of the network.
#[derive(Debug)]
pub(crate) struct Endpoint<T> {
    transport: T,
    search: u32,
    own: VecDeque<Vec<u8>>,
    early: VecDeque<(usize, Vec<u8>)>,
    pub(crate) traffic: Traffic,
}

impl<T: Transport> Endpoint<T> {
    /// The end of a rank, before the first search.
    pub(crate) fn new(transport: T) -> Self {
        let traffic = Traffic { batches_to: vec![0; transport.ranks()], ..Traffic::default() };
        Self { transport, search: 0, own: VecDeque::new(), early: VecDeque::new(), traffic }
    }

    /// The network as the rank sees it.
    pub(crate) const fn transport(&self) -> &T {
        &self.transport
    }

    /// Continues to the next search.
    pub(crate) fn next_search(&mut self) {
        self.search += 1;
        self.own.clear();
        self.traffic = Traffic { batches_to: vec![0; self.transport.ranks()], ..Traffic::default() };
    }
}

/// The same, whatever the transport.
pub(crate) trait Post {
    /// Which rank this is.
    fn rank(&self) -> usize;

    /// How many there are.
    fn ranks(&self) -> usize;

    /// An empty message of this kind.
    fn begin(&self, kind: Kind) -> Vec<u8>;

    /// Sends a message that was begun here.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message of this search, and who sent it.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// What was sent and received so far.
    fn traffic(&self) -> &Traffic;
}

impl<T: Transport> Post for Endpoint<T> {
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

    /// Waits for a moment, or until something arrives.
    pub(crate) fn pause(&mut self) {
        self.transport.pause();
    }
}
