//! The coordinator: the first rank detects termination and determines the result.
//!
//! ```text
//!   searching ──two equal waves, an event, a rank that failed──▶ stopping ──all summaries──▶ tracing ──▶ leaving
//! ```
//!
//! The search is over when two waves agree (`termination.rs`), or when a rank tells of an event: a state was found, the
//! model failed, something ran out. All ranks are stopped then, and send what they did. If a path is wanted it is walked
//! back, from rank to rank: each names the steps as far as they were taken there. At last every rank is told how many
//! batches were sent to it in all, and leaves when it has them: no message is left in the network.
//!
//! A rank that has failed counts messages and does nothing else (`member.rs`); what it had stored is lost, so that the
//! outcome is that it is lost, unless a state was found before and its path is known.

use tourbillon_check::{Exhausted, RankStats};
use tourbillon_system::RuntimeError;

use crate::endpoint::Post;
use crate::message::{Event, Message};
use crate::termination::Detector;

/// How a search over several ranks ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Ended {
    /// A state meets the goal; the steps that led there, if they were kept.
    Found(Option<Vec<u32>>),
    /// Everything was visited.
    Complete,
    /// Something ran out on a rank.
    Exhausted { rank: usize, what: Exhausted },
    /// The model failed; the steps that led there.
    Failed(RuntimeError, Option<Vec<u32>>),
    /// A bound grew past what can be held.
    Overflowed,
    /// A rank is gone.
    Lost { rank: usize, said: String },
}

/// How it ended, and what each rank did; those that are gone are left out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Concluded {
    pub(crate) ended: Ended,
    pub(crate) ranks: Vec<RankStats>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Why {
    Complete,
    Event { rank: usize, event: Event },
    Lost { rank: usize, said: String },
}

/// What is known of a rank after the end.
#[derive(Clone, PartialEq, Debug)]
enum RankAccount {
    Missing,
    Whole(Box<RankStats>),
    /// It is gone, and had sent so many batches to each rank.
    Lost(Vec<u64>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Phase {
    Searching,
    Stopping,
    Tracing,
    Leaving,
}

/// What the first rank does besides.
#[derive(Debug)]
pub(crate) struct Coordinator {
    phase: Phase,
    detector: Detector,
    why: Option<Why>,
    accounts: Vec<RankAccount>,
    keeps_steps: bool,
    /// The steps to what was found, the last first.
    steps: Vec<u32>,
}

impl Coordinator {
    /// For so many ranks, whose lists keep steps or not.
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

    /// Begins a wave, unless there is one. Returns whether it did.
    pub(crate) fn begin_wave(&mut self, post: &mut dyn Post) -> bool {
        if self.phase != Phase::Searching {
            return false;
        }
        let Some(number) = self.detector.next_wave() else { return false };
        Message::Wave { number }.send_to_all(post);
        true
    }

    /// Takes in what a rank has to say.
    pub(crate) fn hear(&mut self, from: usize, message: Message, post: &mut dyn Post) {
        match message {
            Message::Counts { number, counts } if self.detector.count(number, counts) => {
                self.end(Why::Complete, post);
            }
            Message::Event(event) => self.end(Why::Event { rank: from, event }, post),
            Message::Summary(summary) => {
                self.accounts[from] = RankAccount::Whole(summary);
                self.account(post);
            }
            Message::Dead { said, batches_to } => self.bury(from, said, batches_to, post),
            Message::Trail { steps, next } => self.follow(&steps, next, post),
            _ => {}
        }
    }

    /// Ends the search; what ended it first counts, but a state that was found is not lost for that.
    fn end(&mut self, why: Why, post: &mut dyn Post) {
        let is_found = matches!(why, Why::Event { event: Event::Found { .. }, .. });
        let was_found = matches!(self.why, Some(Why::Event { event: Event::Found { .. }, .. }));
        if self.why.is_none() || is_found && !was_found && self.phase == Phase::Stopping {
            self.why = Some(why);
        }
        if self.phase == Phase::Searching {
            self.phase = Phase::Stopping;
            Message::Stop.send_to_all(post);
        }
    }

    /// Notes that a rank is gone. It may have a part of the path, which is not known then; what needs no path stands.
    fn bury(&mut self, rank: usize, said: String, batches_to: Vec<u64>, post: &mut dyn Post) {
        self.accounts[rank] = RankAccount::Lost(batches_to);
        let stands = match &self.why {
            Some(Why::Complete) => true,
            Some(Why::Event { event: Event::Found { .. }, .. }) => !self.keeps_steps,
            _ => false,
        };
        let lost = Why::Lost { rank, said };
        match self.phase {
            Phase::Searching => self.end(lost, post),
            Phase::Stopping | Phase::Tracing if !stands => self.why = Some(lost),
            _ => {}
        }
        match self.phase {
            Phase::Tracing => self.leave(post),
            _ => self.account(post),
        }
    }

    /// Continues when it is known what each rank did.
    fn account(&mut self, post: &mut dyn Post) {
        if self.phase != Phase::Stopping || self.accounts.contains(&RankAccount::Missing) {
            return;
        }
        let node = match &self.why {
            Some(Why::Event { rank, event: Event::Found { node } }) => Some((*rank, *node)),
            Some(Why::Event { rank, event: Event::Failed { at: Some((node, _)) } }) => Some((*rank, *node)),
            _ => None,
        };
        match node.filter(|_| self.keeps_steps) {
            Some((rank, node)) => {
                self.phase = Phase::Tracing;
                Message::Ask { node }.send(post, rank);
            }
            None => self.leave(post),
        }
    }

    /// Follows the path further back.
    fn follow(&mut self, steps: &[u32], next: Option<(usize, u32)>, post: &mut dyn Post) {
        if self.phase != Phase::Tracing {
            return;
        }
        self.steps.extend(steps);
        match next {
            Some((rank, node)) => Message::Ask { node }.send(post, rank),
            None => self.leave(post),
        }
    }

    /// Lets all ranks leave when all that was sent to them has arrived.
    fn leave(&mut self, post: &mut dyn Post) {
        self.phase = Phase::Leaving;
        for to in 0..self.accounts.len() {
            let sent = self.accounts.iter().map(|account| match account {
                RankAccount::Missing => 0,
                RankAccount::Whole(summary) => summary.traffic.batches_to[to],
                RankAccount::Lost(batches_to) => batches_to[to],
            });
            Message::Bye { batches: sent.sum() }.send(post, to);
        }
    }

    /// How it ended. What the model's failure was is found out by looking at the state once more.
    pub(crate) fn conclude(self, error_at: impl FnOnce(Option<&[u8]>) -> Option<RuntimeError>) -> Concluded {
        let Self { why, accounts, keeps_steps, mut steps, .. } = self;
        steps.reverse();
        let path = keeps_steps.then_some(steps);
        let ended = match why {
            None | Some(Why::Complete) => Ended::Complete,
            Some(Why::Lost { rank, said }) => Ended::Lost { rank, said },
            Some(Why::Event { rank, event }) => match event {
                Event::Found { .. } => Ended::Found(path),
                Event::Exhausted(what) => Ended::Exhausted { rank, what },
                Event::Overflowed => Ended::Overflowed,
                Event::Failed { at } => {
                    let error = error_at(at.as_ref().map(|(_, state)| &state[..]));
                    let error = error.expect("what went wrong there goes wrong here");
                    Ended::Failed(error, path.filter(|_| at.is_some()))
                }
            },
        };
        let whole = |account| match account {
            RankAccount::Whole(summary) => Some(*summary),
            RankAccount::Missing | RankAccount::Lost(_) => None,
        };
        Concluded { ended, ranks: accounts.into_iter().filter_map(whole).collect() }
    }
}
