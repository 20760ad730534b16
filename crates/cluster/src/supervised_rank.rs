//! A rank that may fail.
//!
//! An error of the program on one rank, a panic, must not leave the others waiting. It is caught; the failed rank informs the
//! coordinator, and then only counts messages until it may leave: so the others end in order, and the result names the rank that
//! failed and its message. If the first rank fails there is no coordinator: the others are told to leave, and the panic continues in
//! the caller.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tourbillon_search::Stats;

use crate::coordinator::ClusterResult;
use crate::endpoint::{Endpoint, Mailbox};
use crate::message::{Kind, Message};
use crate::transport::Transport;
use crate::worker::{Common, Step, Worker};

/// A rank, at work or failed.
#[derive(Debug)]
pub(crate) struct SupervisedRank<'a, 'e, T> {
    endpoint: &'e mut Endpoint<T>,
    at: State<'a>,
}

#[derive(Debug)]
enum State<'a> {
    Working(Box<Worker<'a>>),
    /// With the number of batches to receive before it leaves, once it is known.
    Failed(Option<u64>),
    /// The first rank has failed, with this panic.
    CoordinatorFailed(Box<dyn Any + Send>),
}

impl<'a, 'e, T: Transport> SupervisedRank<'a, 'e, T> {
    /// A rank at the start of a search.
    pub(crate) fn new(common: &Common<'a>, endpoint: &'e mut Endpoint<T>) -> Self {
        endpoint.next_search();
        let (rank, ranks) = (endpoint.rank(), endpoint.ranks());
        let mut rank_state = Self { endpoint, at: State::Failed(None) };
        match catch_unwind(AssertUnwindSafe(|| Worker::new(common, rank, ranks))) {
            Ok(worker) => rank_state.at = State::Working(Box::new(worker)),
            Err(panic) => _ = rank_state.fail(panic, None),
        }
        rank_state
    }

    pub(crate) fn step(&mut self, observe: &mut dyn FnMut(&Stats)) -> Step {
        let Self { endpoint, at } = self;
        match at {
            State::Working(worker) => {
                let step = catch_unwind(AssertUnwindSafe(|| worker.step(*endpoint, observe)));
                match step {
                    Ok(step) => {
                        worker.meter.note(step == Step::Idle);
                        step
                    }
                    Err(panic) => {
                        let leaving = worker.is_leaving();
                        self.fail(panic, leaving)
                    }
                }
            }
            State::Failed(batches) => count_messages(*endpoint, batches),
            State::CoordinatorFailed(_) => Step::Left,
        }
    }

    /// Reports a panic to the coordinator, unless the rank is leaving, and stops working.
    fn fail(&mut self, panic: Box<dyn Any + Send>, leaving: Option<u64>) -> Step {
        if self.endpoint.rank() == 0 {
            (1..self.endpoint.ranks()).for_each(|to| Message::Abandon.send(self.endpoint, to));
            self.at = State::CoordinatorFailed(panic);
            return Step::Left;
        }
        if leaving.is_none() {
            let batches_to = self.endpoint.traffic.batches_to.clone();
            Message::RankFailed { said: said(&*panic), batches_to }.send(self.endpoint, 0);
        }
        self.at = State::Failed(leaving);
        Step::Worked
    }

    /// Takes steps until the rank has left the search.
    pub(crate) fn run(&mut self, observe: &mut dyn FnMut(&Stats)) {
        loop {
            match self.step(observe) {
                Step::Worked => {}
                Step::Idle => self.endpoint.pause(),
                Step::Left => return,
            }
        }
    }

    /// The result of the search, on the first rank.
    pub(crate) fn conclude(self) -> Option<ClusterResult> {
        match self.at {
            State::Working(mut worker) => worker.conclude(),
            State::Failed(_) => None,
            State::CoordinatorFailed(panic) => resume_unwind(panic),
        }
    }
}

/// A step of a failed rank: counts messages until it may leave.
fn count_messages(mailbox: &mut dyn Mailbox, batches: &mut Option<u64>) -> Step {
    while let Some((_, message)) = mailbox.receive() {
        if Kind::of(&message).is_work() {
            continue;
        }
        match Message::read(&message) {
            Message::Leave { batches: expected } => *batches = Some(expected),
            Message::Abandon => return Step::Left,
            _ => {}
        }
    }
    match batches {
        Some(expected) if mailbox.traffic().received >= *expected => Step::Left,
        _ => Step::Idle,
    }
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
