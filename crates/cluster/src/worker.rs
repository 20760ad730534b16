//! What one rank does: a state machine that takes in messages, expands states, and sends away what is not its own.
//!
//! ```text
//!   step:  while a message has arrived: take it in; states are offered to the list
//!          else pop a node and expand it: own successors are offered, others go into the batch of their owner
//!          else send all batches
//!          else answer the wave, if there is one: nothing is left to do here
//! ```
//!
//! The list is that of the one-machine engine (`tourbillon_store`), in any form and order, and so is the zone graph: a state
//! is compared with all stored ones of its discrete part, since all of them are here. So a rank stores, and refuses, what
//! one machine would if it met the states in this order, and the verdict depends on no order.
//!
//! With traces, a node's parent may be a node of another rank. The list keeps a number for the parent and one for the
//! step; the rank of the parent is put into the latter: `step * ranks + rank`.
//!
//! > **Invariant.** A rank answers a wave only if no node waits in its list, it waits for no answer of a diagram, all its
//! > batches are empty, and it has
//! > offered every state of the batches that it counts as received.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon_base::Id;
use tourbillon_check::{Exhausted, Limits, Prepared, RankStats};
use tourbillon_search::{Budget, CostFunction, Ended, Search, Stats};
use tourbillon_store::{NodeId, UnionHandles, build_waiting};
use tourbillon_system::RuntimeError;
use tourbillon_zonegraph::{PredicateEvaluator, SymbolicState};

use crate::coordinator::{Concluded, Coordinator};
use crate::endpoint::Post;
use crate::intake::{Happening, Initial, Intake, Router, failed};
use crate::message::{Event, HEADER_BYTES, Kind, Message, Reader};
use crate::outbox::{Outboxes, Pace};
use crate::owner::Owner;
use crate::parcel::Packer;
use crate::spread::{Balance, Group, Spread};
use crate::termination::Counts;
use crate::time::Meter;

/// What became of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// Something was done.
    Worked,
    /// There was nothing to do.
    Idle,
    /// The rank is done with this search.
    Left,
}

/// What all ranks of a search have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common<'a> {
    pub(crate) prepared: &'a Prepared<'a>,
    /// Within what each rank has to stay.
    pub(crate) limits: Limits,
    pub(crate) stop: Option<&'a Arc<AtomicBool>>,
    pub(crate) pace: Pace,
    /// Whether layers of a diagram over several ranks move.
    pub(crate) balance: Balance,
    /// The processor's time of the calling thread.
    pub(crate) cpu_time: crate::CpuTime,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Searching,
    /// Something happened that ends the search, which the first rank was told of.
    Halted,
    /// The search is over, and the first rank knows what was done here.
    Stopped,
    /// Only so many batches are waited for.
    Leaving(u64),
    Left,
}

/// What one rank does.
#[derive(Debug)]
pub(crate) struct Worker<'a> {
    rank: usize,
    phase: Phase,
    /// The explore loop, one node at a time; its list has the states that belong here.
    search: Search<'a>,
    intake: Intake<'a>,
    /// Its part of a diagram over several ranks, which is asked whether what is popped is new.
    spread: Option<Spread>,
    outboxes: Outboxes,
    /// Transitions to initial states that the first rank counts.
    initial_transitions: u64,
    /// The wave to be answered.
    asked: Option<u32>,
    budget: Budget<'a>,
    pub(crate) meter: Meter,
    /// On the first rank: what it has to do besides.
    coordinator: Option<Coordinator>,
}

impl<'a> Worker<'a> {
    /// A rank that has not begun.
    pub(crate) fn new(common: &Common<'a>, rank: usize, ranks: usize) -> Self {
        let Common { prepared, limits, stop, pace, balance, cpu_time } = *common;
        let system = prepared.system();
        let (settings, cost_function) = (prepared.settings(), prepared.cost_function());
        let packer = Packer::new(&settings, cost_function != CostFunction::None);
        let spread = prepared.plan().layout.groups().map(|groups| {
            let diagrams = (settings.dimension, settings.diagrams.other);
            let (group, handles) = (Group::of(rank, ranks, groups), UnionHandles::new(&settings));
            Spread::new(group, diagrams, handles, (pace.visits as usize, balance))
        });
        let list = if spread.is_some() { build_waiting(&settings) } else { prepared.list() };
        Self {
            rank,
            phase: Phase::Searching,
            search: prepared.search_with(list),
            intake: Intake {
                rank,
                ranks: ranks as u32,
                owner: Owner::new(ranks),
                system,
                evaluator: PredicateEvaluator::new(system),
                goal: prepared.goal_predicate(),
                packer,
                arrived: SymbolicState::new(system),
                cover: settings.cover,
                event: None,
            },
            spread,
            outboxes: Outboxes::new(ranks, pace),
            initial_transitions: 0,
            asked: None,
            budget: Budget::new(limits, stop),
            meter: Meter::new(cpu_time),
            coordinator: (rank == 0).then(|| Coordinator::new(ranks, settings.traces)),
        }
    }

    /// Its part of the search.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = self.search.stats();
        stats.transitions -= self.initial_transitions;
        stats.covered += self.outboxes.dropped;
        self.spread.as_ref().map_or(stats, |spread| spread.complete(&stats))
    }

    /// Takes a step. `observe` is called now and then.
    pub(crate) fn step(&mut self, post: &mut dyn Post, observe: &mut dyn FnMut(&Stats)) -> Step {
        let mut heard = false;
        while let Some((from, message)) = post.receive() {
            heard = true;
            self.hear(from, &message, post);
        }
        match self.phase {
            Phase::Searching => return self.search(post, observe),
            Phase::Leaving(batches) if post.traffic().received >= batches => self.phase = Phase::Left,
            _ => {}
        }
        match (self.phase, heard) {
            (Phase::Left, _) => Step::Left,
            (_, true) => Step::Worked,
            (_, false) => Step::Idle,
        }
    }

    /// How many batches it waits for before it leaves, if it was told to.
    pub(crate) fn is_leaving(&self) -> Option<u64> {
        match self.phase {
            Phase::Leaving(batches) => Some(batches),
            _ => None,
        }
    }

    /// How it ended; nothing on other ranks than the first.
    pub(crate) fn conclude(&mut self) -> Option<Concluded> {
        let coordinator = self.coordinator.take()?;
        Some(coordinator.conclude(|state| self.error_at(state)))
    }

    fn hear(&mut self, from: usize, message: &[u8], post: &mut dyn Post) {
        if Kind::of(message) == Kind::Spread {
            if let Some(spread) = self.spread.as_mut().filter(|_| self.phase == Phase::Searching) {
                spread.hear(from, message, post);
            }
            return;
        }
        if Kind::of(message) == Kind::States {
            if self.phase == Phase::Searching {
                self.take_in(from, message);
                self.tell(post);
            }
            return;
        }
        match Message::read(message) {
            Message::Wave { number } => self.asked = Some(number),
            Message::Stop => self.stop(post),
            Message::Ask { node } => {
                let (steps, next) = self.intake.trail(self.search.list(), node);
                Message::Trail { steps, next }.send(post, from);
            }
            Message::Bye { batches } => self.phase = Phase::Leaving(batches),
            Message::Abandon => self.phase = Phase::Left,
            other => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.hear(from, other, post);
                }
            }
        }
    }

    /// Offers the states of a batch.
    fn take_in(&mut self, from: usize, batch: &[u8]) {
        let mut batch = Reader::new(&batch[HEADER_BYTES..]);
        while !batch.is_empty() {
            self.intake.take_in(from, &mut batch, &mut self.search);
        }
    }

    /// Tells the first rank what happened, if anything did, and does nothing more.
    fn tell(&mut self, post: &mut dyn Post) {
        let Some(happening) = self.intake.event.take() else { return };
        let event = match happening {
            Happening::Found(node) => Event::Found { node: node.index() as u32 },
            Happening::Failed(at) => {
                Event::Failed { at: at.map(|(node, state)| (node.index() as u32, state)) }
            }
            Happening::Overflowed => Event::Overflowed,
            Happening::Exhausted(what) => Event::Exhausted(what),
        };
        self.halt(event, post);
    }

    fn halt(&mut self, event: Event, post: &mut dyn Post) {
        Message::Event(event).send(post, 0);
        self.phase = Phase::Halted;
    }

    fn search(&mut self, post: &mut dyn Post, observe: &mut dyn FnMut(&Stats)) -> Step {
        if !self.search.has_begun() {
            self.begin();
            self.tell(post);
            return Step::Worked;
        }
        if let Some(what) = self.exhausted(observe) {
            self.halt(Event::Exhausted(what), post);
            return Step::Worked;
        }
        if let Some((node, cost)) = self.next() {
            self.visit(node, cost, post);
            self.outboxes.visited(post);
            self.tell(post);
            return Step::Worked;
        }
        if self.ask(post) || self.outboxes.flush(post) {
            return Step::Worked;
        }
        self.rest(post)
    }

    /// Loads the state that is to be expanded next.
    #[inline]
    fn next(&mut self) -> Option<(NodeId, u64)> {
        if let Some(spread) = &mut self.spread {
            return spread.next(self.search.state());
        }
        // If a limit was reached on the way, nothing is left to do but to find out which.
        let node = self.search.pop(&self.budget).unwrap_or_default()?;
        Some((node, self.search.list().popped_cost()))
    }

    /// Asks a diagram over several ranks about states that wait, if there is one and it is time to.
    fn ask(&mut self, post: &mut dyn Post) -> bool {
        let Self { search, intake: Intake { system, .. }, spread, .. } = self;
        let list = search.offer_parts().0;
        spread.as_mut().is_some_and(|spread| spread.ask(list, system.layout.fields(), post))
    }

    /// What has run out, if anything.
    fn exhausted(&mut self, observe: &mut dyn FnMut(&Stats)) -> Option<Exhausted> {
        if self.spread.as_ref().is_some_and(Spread::is_full) {
            return Some(Exhausted::Memory);
        }
        let list = self.search.list();
        let spread = self.spread.as_ref();
        let (known, beside) =
            (spread.map_or(0, Spread::known), || spread.map_or(0, |spread| spread.memory().total()));
        let holdings = || (list.counts().stored as u64 - known, (list.memory().total() + beside()) as u64);
        let (exhausted, looked) = self.budget.check(holdings);
        if looked && exhausted.is_none() {
            observe(&self.stats());
        }
        exhausted
    }

    /// What a rank with nothing to do does: it answers the wave, and the first rank begins another.
    fn rest(&mut self, post: &mut dyn Post) -> Step {
        if self.budget.is_over() {
            self.halt(Event::Exhausted(self.budget.over()), post);
            return Step::Worked;
        }
        if self.spread.as_ref().is_some_and(Spread::is_waiting) {
            return Step::Idle;
        }
        if let Some(number) = self.asked.take() {
            let traffic = post.traffic();
            let counts = Counts { sent: traffic.sent(), received: traffic.received };
            Message::Counts { number, counts }.send(post, 0);
            return Step::Worked;
        }
        let began = self.coordinator.as_mut().is_some_and(|coordinator| coordinator.begin_wave(post));
        if began { Step::Worked } else { Step::Idle }
    }

    /// Offers the initial states that belong here. Each rank computes them all, and the first counts them.
    fn begin(&mut self) {
        self.search.begin(&mut Initial { intake: &mut self.intake }, &self.budget);
        self.initial_transitions = if self.rank == 0 { 0 } else { self.search.stats().transitions };
        self.note_obstacle();
    }

    /// Expands a node, whose state is loaded.
    #[inline]
    fn visit(&mut self, node: NodeId, cost: u64, post: &mut dyn Post) {
        let Self { search, intake, outboxes, budget, .. } = self;
        search.expand(node, cost, &mut Router { intake, outboxes, post }, budget);
        self.note_obstacle();
    }

    /// Notes that a zone has overflowed or that the model failed, if that happened.
    fn note_obstacle(&mut self) {
        let Some(obstacle) = self.search.obstacle() else { return };
        let Self { search, intake: Intake { packer, event, system, .. }, .. } = self;
        event.get_or_insert_with(|| match obstacle {
            Ended::Exhausted(what) => Happening::Exhausted(what),
            Ended::Failed(failure) => failure.node.map_or(Happening::Failed(None), |node| {
                let SymbolicState { memory, zone } = search.state();
                failed(packer, node, &memory[..system.layout.fields()], zone)
            }),
            _ => Happening::Overflowed,
        });
    }

    /// Ends the search here, and tells what was done. Initial states are looked at in any case, as on one machine.
    fn stop(&mut self, post: &mut dyn Post) {
        if !self.search.has_begun() {
            self.begin();
            self.tell(post);
        }
        self.phase = Phase::Stopped;
        let (busy, elapsed, cpu) = self.meter.read();
        let summary = RankStats {
            rank: self.rank,
            stats: self.stats(),
            traffic: post.traffic().clone(),
            states_sent: self.outboxes.sent,
            states_dropped: self.outboxes.dropped,
            moved: self.spread.as_ref().map(Spread::moved).unwrap_or_default(),
            busy,
            elapsed,
            cpu,
        };
        Message::Summary(Box::new(summary)).send(post, 0);
    }

    /// What goes wrong where a packed state, or the initial one, is looked at.
    fn error_at(&mut self, packed: Option<&[u8]>) -> Option<RuntimeError> {
        let Self { search, intake, .. } = self;
        let graph = search.graph();
        let Some(packed) = packed else { return graph.initial(&mut |_| {}).err() };
        intake.read(&mut Reader::new(packed));
        let Intake { evaluator, goal, arrived, .. } = intake;
        let judged = goal.map(|goal| evaluator.meet(goal, &arrived.memory, &arrived.zone));
        judged.and_then(Result::err).or_else(|| graph.expand(arrived, &mut |_| {}).err())
    }
}
