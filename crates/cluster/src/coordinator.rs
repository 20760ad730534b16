//! The coordinator: the first rank detects termination and determines the result.
//!
//! ```text
//!   searching ──two equal waves, an event, a rank that failed──▶ stopping ──all summaries──▶ tracing ──▶ leaving
//! ```
//!
//! The search ends when two waves agree (`termination.rs`), or when a rank reports an event: a state was found, the model failed, a
//! limit was reached. Then all ranks stop and send their statistics. If a path is wanted it is followed backwards, from rank to rank:
//! each sends the transitions that were taken there. Finally every rank gets the number of batches that were sent to it, and leaves
//! when it has received them: no message is left in the network.
//!
//! A rank that has failed only counts messages (`supervised_rank.rs`); its stored states are lost, so the result is that it is lost,
//! unless a state was found before and its path is known.

use tourbillon_check::{Exhausted, RankStats};
use tourbillon_system::RuntimeError;

use crate::endpoint::Mailbox;
use crate::message::{Event, Message};
use crate::termination::Detector;

/// The end of a distributed search.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ClusterEnd {
    /// A state satisfies the goal; with its path, if paths are stored.
    Found(Option<Vec<u32>>),
    /// All states were visited.
    Complete,
    /// A limit was reached on a rank.
    Exhausted { rank: usize, what: Exhausted },
    /// The model failed; with the path to its state.
    Failed(RuntimeError, Option<Vec<u32>>),
    /// A bound of a zone exceeded the largest representable constant.
    Overflowed,
    /// A rank has failed.
    Lost { rank: usize, said: String },
}

/// The end of a search, and the statistics of each rank that has not failed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClusterResult {
    pub(crate) ended: ClusterEnd,
    pub(crate) ranks: Vec<RankStats>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum EndReason {
    Complete,
    Event { rank: usize, event: Event },
    Lost { rank: usize, said: String },
}

/// The final report of a rank.
#[derive(Clone, PartialEq, Debug)]
enum RankAccount {
    Missing,
    Whole(Box<RankStats>),
    /// It has failed, after sending these numbers of batches to each rank.
    Lost(Vec<u64>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Phase {
    Searching,
    Stopping,
    Tracing,
    Leaving,
}

/// The coordinator of a search.
#[derive(Debug)]
pub(crate) struct Coordinator {
    phase: Phase,
    detector: Detector,
    why: Option<EndReason>,
    accounts: Vec<RankAccount>,
    keeps_steps: bool,
    /// The transitions to the state that was found, the last first.
    steps: Vec<u32>,
}

impl Coordinator {
    pub(crate) fn new(ranks: usize, keeps_steps: bool) -> Self {
        Self {
            phase: Phase::Searching,
            detector: Detector::new(ranks),
            why: None,
            accounts: vec![RankAccount::Missing; ranks],
            keeps_steps,
            steps: Vec::new(),
        }
    }

    /// Begins a wave, unless one is incomplete. Returns whether it did.
    pub(crate) fn begin_wave(&mut self, mailbox: &mut dyn Mailbox) -> bool {
        if self.phase != Phase::Searching {
            return false;
        }
        let Some(number) = self.detector.next_wave() else { return false };
        Message::Wave { number }.send_to_all(mailbox);
        true
    }

    /// Handles a message of a rank.
    pub(crate) fn handle_message(&mut self, from: usize, message: Message, mailbox: &mut dyn Mailbox) {
        match message {
            Message::Counts { number, counts } if self.detector.count(number, counts) => {
                self.end(EndReason::Complete, mailbox);
            }
            Message::Event(event) => self.end(EndReason::Event { rank: from, event }, mailbox),
            Message::Summary(summary) => {
                self.accounts[from] = RankAccount::Whole(summary);
                self.continue_if_accounted(mailbox);
            }
            Message::RankFailed { said, batches_to } => self.lose_rank(from, said, batches_to, mailbox),
            Message::PathReply { steps, next } => self.follow(&steps, next, mailbox),
            _ => {}
        }
    }

    /// Ends the search. The first reason counts, except that a state that was found replaces another reason.
    fn end(&mut self, why: EndReason, mailbox: &mut dyn Mailbox) {
        let is_found = matches!(why, EndReason::Event { event: Event::Found { .. }, .. });
        let was_found = matches!(self.why, Some(EndReason::Event { event: Event::Found { .. }, .. }));
        if self.why.is_none() || is_found && !was_found && self.phase == Phase::Stopping {
            self.why = Some(why);
        }
        if self.phase == Phase::Searching {
            self.phase = Phase::Stopping;
            Message::Stop.send_to_all(mailbox);
        }
    }

    /// Records that a rank has failed. It may have had a part of the path, which is lost; a result without a path remains.
    fn lose_rank(&mut self, rank: usize, said: String, batches_to: Vec<u64>, mailbox: &mut dyn Mailbox) {
        self.accounts[rank] = RankAccount::Lost(batches_to);
        let remains = match &self.why {
            Some(EndReason::Complete) => true,
            Some(EndReason::Event { event: Event::Found { .. }, .. }) => !self.keeps_steps,
            _ => false,
        };
        let lost = EndReason::Lost { rank, said };
        match self.phase {
            Phase::Searching => self.end(lost, mailbox),
            Phase::Stopping | Phase::Tracing if !remains => self.why = Some(lost),
            _ => {}
        }
        match self.phase {
            Phase::Tracing => self.leave(mailbox),
            _ => self.continue_if_accounted(mailbox),
        }
    }

    /// Continues when all ranks have reported.
    fn continue_if_accounted(&mut self, mailbox: &mut dyn Mailbox) {
        if self.phase != Phase::Stopping || self.accounts.contains(&RankAccount::Missing) {
            return;
        }
        let node = match &self.why {
            Some(EndReason::Event { rank, event: Event::Found { node } }) => Some((*rank, *node)),
            Some(EndReason::Event { rank, event: Event::Failed { at: Some((node, _)) } }) => {
                Some((*rank, *node))
            }
            _ => None,
        };
        match node.filter(|_| self.keeps_steps) {
            Some((rank, node)) => {
                self.phase = Phase::Tracing;
                Message::PathRequest { node }.send(mailbox, rank);
            }
            None => self.leave(mailbox),
        }
    }

    /// Follows the path backwards.
    fn follow(&mut self, steps: &[u32], next: Option<(usize, u32)>, mailbox: &mut dyn Mailbox) {
        if self.phase != Phase::Tracing {
            return;
        }
        self.steps.extend(steps);
        match next {
            Some((rank, node)) => Message::PathRequest { node }.send(mailbox, rank),
            None => self.leave(mailbox),
        }
    }

    /// Lets all ranks leave when they have received all messages.
    fn leave(&mut self, mailbox: &mut dyn Mailbox) {
        self.phase = Phase::Leaving;
        for to in 0..self.accounts.len() {
            let sent = self.accounts.iter().map(|account| match account {
                RankAccount::Missing => 0,
                RankAccount::Whole(summary) => summary.traffic.batches_to[to],
                RankAccount::Lost(batches_to) => batches_to[to],
            });
            Message::Leave { batches: sent.sum() }.send(mailbox, to);
        }
    }

    /// The result. The error of a failed model is computed again from its state.
    pub(crate) fn conclude(
        self,
        error_at: impl FnOnce(Option<&[u8]>) -> Option<RuntimeError>,
    ) -> ClusterResult {
        let Self { why, accounts, keeps_steps, mut steps, .. } = self;
        steps.reverse();
        let path = keeps_steps.then_some(steps);
        let ended = match why {
            None | Some(EndReason::Complete) => ClusterEnd::Complete,
            Some(EndReason::Lost { rank, said }) => ClusterEnd::Lost { rank, said },
            Some(EndReason::Event { rank, event }) => match event {
                Event::Found { .. } => ClusterEnd::Found(path),
                Event::Exhausted(what) => ClusterEnd::Exhausted { rank, what },
                Event::Overflowed => ClusterEnd::Overflowed,
                Event::Failed { at } => {
                    let error = error_at(at.as_ref().map(|(_, state)| &state[..]));
                    let error = error.expect("the model fails in the same state");
                    ClusterEnd::Failed(error, path.filter(|_| at.is_some()))
                }
            },
        };
        let whole = |account| match account {
            RankAccount::Whole(summary) => Some(*summary),
            RankAccount::Missing | RankAccount::Lost(_) => None,
        };
        ClusterResult { ended, ranks: accounts.into_iter().filter_map(whole).collect() }
    }
}
