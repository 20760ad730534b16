//! Ranks that are threads of one process, with a channel to each.
//!
//! A message is moved and never copied. Channels have no limit: a rank takes in all that has arrived before it expands
//! another state, so that they are short as long as all ranks run.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::Transport;

/// How long a rank with nothing to do sleeps at most, before it looks at clocks and flags again.
const PAUSE: Duration = Duration::from_millis(5);

type Packet = (usize, Vec<u8>);

/// The end of one rank.
#[derive(Debug)]
pub(crate) struct Threads {
    rank: usize,
    others: Vec<Sender<Packet>>,
    inbox: Receiver<Packet>,
    /// What arrived during a pause.
    next: Option<Packet>,
}

impl Threads {
    /// The ends of all ranks.
    pub(crate) fn connected(ranks: usize) -> Vec<Self> {
        let (others, inboxes): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
        let end = |(rank, inbox)| Self { rank, others: others.clone(), inbox, next: None };
        inboxes.into_iter().enumerate().map(end).collect()
    }
}

impl Transport for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.others.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        // One that has left its thread wants nothing any more.
        let _ = self.others[to].send((self.rank, message));
    }

    fn receive(&mut self) -> Option<Packet> {
        self.next.take().or_else(|| self.inbox.try_recv().ok())
    }

    fn pause(&mut self) {
        if self.next.is_none() {
            self.next = self.inbox.recv_timeout(PAUSE).ok();
        }
    }
}
