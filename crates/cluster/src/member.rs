//! A rank, and its result if it fails.
//!
//! A mistake of ours on one rank, a panic, must not leave the others waiting. It is caught, and what is left of the rank
//! tells the first one, and then only counts messages until it is told to leave: so the others end in good order and the
//! outcome says which rank failed and what it said. If it is the first rank that fails nobody is left to say anything:
//! the others are sent away, and the panic continues to whoever called.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tourbillon_search::Stats;

use crate::coordinator::Concluded;
use crate::endpoint::{Endpoint, Post};
use crate::message::{Kind, Message};
use crate::transport::Transport;
use crate::worker::{Common, Step, Worker};

/// A rank, at work or failed.
#[derive(Debug)]
pub(crate) struct Member<'a, 'e, T> {
    endpoint: &'e mut Endpoint<T>,
    at: State<'a>,
}

#[derive(Debug)]
enum State<'a> {
    Working(Box<Worker<'a>>),
    /// So many batches are waited for, if that is known.
    Failed(Option<u64>),
    /// The first rank has failed, with this.
    Headless(Box<dyn Any + Send>),
}

impl<'a, 'e, T: Transport> Member<'a, 'e, T> {
    /// A rank at the begin of a search.
    pub(crate) fn new(common: &Common<'a>, endpoint: &'e mut Endpoint<T>) -> Self {
        endpoint.next_search();
        let (rank, ranks) = (endpoint.rank(), endpoint.ranks());
        let mut member = Self { endpoint, at: State::Failed(None) };
        match catch_unwind(AssertUnwindSafe(|| Worker::new(common, rank, ranks))) {
            Ok(worker) => member.at = State::Working(Box::new(worker)),
            Err(panic) => _ = member.fail(panic, None),
        }
        member
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
            State::Failed(batches) => linger(*endpoint, batches),
            State::Headless(_) => Step::Left,
        }
    }

    /// Says what happened, unless the search is over and known to be, and stops working.
    fn fail(&mut self, panic: Box<dyn Any + Send>, leaving: Option<u64>) -> Step {
        if self.endpoint.rank() == 0 {
            (1..self.endpoint.ranks()).for_each(|to| Message::Abandon.send(self.endpoint, to));
            self.at = State::Headless(panic);
            return Step::Left;
        }
        if leaving.is_none() {
            let batches_to = self.endpoint.traffic.batches_to.clone();
            Message::Dead { said: said(&*panic), batches_to }.send(self.endpoint, 0);
        }
        self.at = State::Failed(leaving);
        Step::Worked
    }

    /// Takes steps until the search is over.
    pub(crate) fn run(&mut self, observe: &mut dyn FnMut(&Stats)) {
        loop {
            match self.step(observe) {
                Step::Worked => {}
                Step::Idle => self.endpoint.pause(),
                Step::Left => return,
            }
        }
    }

    /// How it ended; nothing on other ranks than the first.
    pub(crate) fn conclude(self) -> Option<Concluded> {
        match self.at {
            State::Working(mut worker) => worker.conclude(),
            State::Failed(_) => None,
            State::Headless(panic) => resume_unwind(panic),
        }
    }
}

/// What a failed rank does: it counts messages until it may leave.
fn linger(post: &mut dyn Post, batches: &mut Option<u64>) -> Step {
    while let Some((_, message)) = post.receive() {
        if Kind::of(&message).is_work() {
            continue;
        }
        match Message::read(&message) {
            Message::Bye { batches: expected } => *batches = Some(expected),
            Message::Abandon => return Step::Left,
            _ => {}
        }
    }
    match batches {
        Some(expected) if post.traffic().received >= *expected => Step::Left,
        _ => Step::Idle,
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
