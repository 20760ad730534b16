//! The state machine of one rank: it receives messages, expands states, and sends successors to their owners.
//!
//! ```text
//!   step:  while a message has arrived: handle it; states are offered to the list
//!          else pop a node and expand it: own successors are offered, others go into the batch of their owner
//!          else send all batches
//!          else answer the wave, if there is one: this rank is idle
//! ```
//!
//! The list and the zone graph are those of the explicit engine, in any form and order: a state is compared with all stored
//! zones of its discrete state, since all of them are on this rank. So a rank stores and refuses the states that one list would
//! in this order, and the verdict does not depend on the order.
//!
//! With traces, a node's parent may be a node of another rank. The list stores the parent and the ordinal of the transition;
//! the rank of the parent is part of the latter: `step * ranks + rank`.
//!
//! > **Invariant.** A rank answers a wave only if no node waits in its list, no query of a diagram is unanswered, all its
//! > batches are empty, and it has offered every state of the batches that it counts as received.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon_base::Id;
use tourbillon_check::{Exhausted, Limits, Prepared, RankStats};
use tourbillon_search::{Budget, CostFunction, Ended, Search, Stats};
use tourbillon_store::{NodeId, UnionHandles, build_waiting};
use tourbillon_system::RuntimeError;
use tourbillon_zonegraph::{PredicateEvaluator, SymbolicState};

use crate::coordinator::{ClusterResult, Coordinator};
use crate::dispatcher::{Initial, LocalEvent, Router, StateDispatcher, failed};
use crate::encoding::StateEncoder;
use crate::endpoint::Mailbox;
use crate::message::{Event, HEADER_BYTES, Kind, Message, Reader};
use crate::outbox::{Outboxes, Pace};
use crate::owner::Owner;
use crate::spread::{Balance, Group, Spread};
use crate::termination::Counts;
use crate::time::Meter;

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Worked,
    Idle,
    /// The rank has left the search.
    Left,
}

/// What all ranks of a search have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common<'a> {
    pub(crate) prepared: &'a Prepared<'a>,
    /// The limits of each rank.
    pub(crate) limits: Limits,
    pub(crate) stop: Option<&'a Arc<AtomicBool>>,
    pub(crate) pace: Pace,
    /// Whether levels of a distributed diagram move.
    pub(crate) balance: Balance,
    /// The processor time of the calling thread.
    pub(crate) cpu_time: crate::CpuTime,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Searching,
    /// An event ended the search, and was reported to the coordinator.
    Halted,
    /// The search is over, and the statistics were sent to the coordinator.
    Stopped,
    /// The rank leaves when it has received this number of batches.
    Leaving(u64),
    Left,
}

/// The state machine of one rank.
#[derive(Debug)]
pub(crate) struct Worker<'a> {
    rank: usize,
    phase: Phase,
    /// The explore loop, one node at a time; its list has the states that this rank owns.
    search: Search<'a>,
    dispatcher: StateDispatcher<'a>,
    /// Its part of a distributed diagram, which decides whether a popped state is new.
    spread: Option<Spread>,
    outboxes: Outboxes,
    /// Transitions to initial states, which the first rank counts.
    initial_transitions: u64,
    /// The wave that is not answered yet.
    wave: Option<u32>,
    budget: Budget<'a>,
    pub(crate) meter: Meter,
    /// On the first rank.
    coordinator: Option<Coordinator>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(common: &Common<'a>, rank: usize, ranks: usize) -> Self {
        let Common { prepared, limits, stop, pace, balance, cpu_time } = *common;
        let system = prepared.system();
        let (settings, cost_function) = (prepared.settings(), prepared.cost_function());
        let encoder = StateEncoder::new(&settings, cost_function != CostFunction::None);
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
            dispatcher: StateDispatcher {
                rank,
                ranks: ranks as u32,
                owner: Owner::new(ranks),
                system,
                evaluator: PredicateEvaluator::new(system),
                goal: prepared.goal_predicate(),
                encoder,
                arrived: SymbolicState::new(system),
                cover: settings.cover,
                event: None,
            },
            spread,
            outboxes: Outboxes::new(ranks, pace),
            initial_transitions: 0,
            wave: None,
            budget: Budget::new(limits, stop),
            meter: Meter::new(cpu_time),
            coordinator: (rank == 0).then(|| Coordinator::new(ranks, settings.traces)),
        }
    }

    /// The statistics of this rank.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = self.search.stats();
        stats.transitions -= self.initial_transitions;
        stats.covered += self.outboxes.dropped;
        self.spread.as_ref().map_or(stats, |spread| spread.complete(&stats))
    }

    /// Takes a step. `observe` is called at intervals.
    pub(crate) fn step(&mut self, mailbox: &mut dyn Mailbox, observe: &mut dyn FnMut(&Stats)) -> Step {
        let mut received = false;
        while let Some((from, message)) = mailbox.receive() {
            received = true;
            self.handle_message(from, &message, mailbox);
        }
        match self.phase {
            Phase::Searching => return self.search(mailbox, observe),
            Phase::Leaving(batches) if mailbox.traffic().received >= batches => self.phase = Phase::Left,
            _ => {}
        }
        match (self.phase, received) {
            (Phase::Left, _) => Step::Left,
            (_, true) => Step::Worked,
            (_, false) => Step::Idle,
        }
    }

    /// The number of batches to receive before it leaves, if it is leaving.
    pub(crate) fn is_leaving(&self) -> Option<u64> {
        match self.phase {
            Phase::Leaving(batches) => Some(batches),
            _ => None,
        }
    }

    /// The result of the search, on the first rank.
    pub(crate) fn conclude(&mut self) -> Option<ClusterResult> {
        let coordinator = self.coordinator.take()?;
        Some(coordinator.conclude(|state| self.error_at(state)))
    }

    fn handle_message(&mut self, from: usize, message: &[u8], mailbox: &mut dyn Mailbox) {
        if Kind::of(message) == Kind::Spread {
            if let Some(spread) = self.spread.as_mut().filter(|_| self.phase == Phase::Searching) {
                spread.handle_message(from, message, mailbox);
            }
            return;
        }
        if Kind::of(message) == Kind::States {
            if self.phase == Phase::Searching {
                self.receive_states(from, message);
                self.report_event(mailbox);
            }
            return;
        }
        match Message::read(message) {
            Message::Wave { number } => self.wave = Some(number),
            Message::Stop => self.stop(mailbox),
            Message::PathRequest { node } => {
                let (steps, next) = self.dispatcher.path_segment(self.search.list(), node);
                Message::PathReply { steps, next }.send(mailbox, from);
            }
            Message::Leave { batches } => self.phase = Phase::Leaving(batches),
            Message::Abandon => self.phase = Phase::Left,
            other => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.handle_message(from, other, mailbox);
                }
            }
        }
    }

    /// Offers the states of a batch.
    fn receive_states(&mut self, from: usize, batch: &[u8]) {
        let mut batch = Reader::new(&batch[HEADER_BYTES..]);
        while !batch.is_empty() {
            self.dispatcher.receive_states(from, &mut batch, &mut self.search);
        }
    }

    /// Reports an event to the coordinator, if there is one, and stops searching.
    fn report_event(&mut self, mailbox: &mut dyn Mailbox) {
        let Some(event) = self.dispatcher.event.take() else { return };
        let event = match event {
            LocalEvent::Found(node) => Event::Found { node: node.index() as u32 },
            LocalEvent::Failed(at) => {
                Event::Failed { at: at.map(|(node, state)| (node.index() as u32, state)) }
            }
            LocalEvent::Overflowed => Event::Overflowed,
            LocalEvent::Exhausted(what) => Event::Exhausted(what),
        };
        self.halt(event, mailbox);
    }

    fn halt(&mut self, event: Event, mailbox: &mut dyn Mailbox) {
        Message::Event(event).send(mailbox, 0);
        self.phase = Phase::Halted;
    }

    fn search(&mut self, mailbox: &mut dyn Mailbox, observe: &mut dyn FnMut(&Stats)) -> Step {
        if !self.search.has_begun() {
            self.begin();
            self.report_event(mailbox);
            return Step::Worked;
        }
        if let Some(what) = self.exhausted(observe) {
            self.halt(Event::Exhausted(what), mailbox);
            return Step::Worked;
        }
        if let Some((node, cost)) = self.next() {
            self.visit(node, cost, mailbox);
            self.outboxes.visited(mailbox);
            self.report_event(mailbox);
            return Step::Worked;
        }
        if self.send_queries(mailbox) || self.outboxes.flush(mailbox) {
            return Step::Worked;
        }
        self.report_idle(mailbox)
    }

    /// Loads the next state to be expanded.
    #[inline]
    fn next(&mut self) -> Option<(NodeId, u64)> {
        if let Some(spread) = &mut self.spread {
            return spread.next(self.search.state());
        }
        // If a limit was reached, `report_idle` finds out which.
        let node = self.search.pop(&self.budget).unwrap_or_default()?;
        Some((node, self.search.list().popped_cost()))
    }

    /// Sends queries about waiting states to the distributed diagram, if there is one and no batch is in transit.
    fn send_queries(&mut self, mailbox: &mut dyn Mailbox) -> bool {
        let Self { search, dispatcher: StateDispatcher { system, .. }, spread, .. } = self;
        let list = search.offer_parts().0;
        spread.as_mut().is_some_and(|spread| spread.send_queries(list, system.layout.fields(), mailbox))
    }

    /// The exhausted limit, if there is one.
    fn exhausted(&mut self, observe: &mut dyn FnMut(&Stats)) -> Option<Exhausted> {
        if self.spread.as_ref().is_some_and(Spread::is_full) {
            return Some(Exhausted::Memory);
        }
        let list = self.search.list();
        let spread = self.spread.as_ref();
        let (known, beside) =
            (spread.map_or(0, Spread::known), || spread.map_or(0, |spread| spread.memory().total()));
        let holdings = || (list.counts().stored as u64 - known, (list.memory().total() + beside()) as u64);
        let (exhausted, checked) = self.budget.check(holdings);
        if checked && exhausted.is_none() {
            observe(&self.stats());
        }
        exhausted
    }

    /// A step of an idle rank: answers the wave, and begins another one on the first rank.
    fn report_idle(&mut self, mailbox: &mut dyn Mailbox) -> Step {
        if self.budget.is_over() {
            self.halt(Event::Exhausted(self.budget.over()), mailbox);
            return Step::Worked;
        }
        if self.spread.as_ref().is_some_and(Spread::is_waiting) {
            return Step::Idle;
        }
        if let Some(number) = self.wave.take() {
            let traffic = mailbox.traffic();
            let counts = Counts { sent: traffic.sent(), received: traffic.received };
            Message::Counts { number, counts }.send(mailbox, 0);
            return Step::Worked;
        }
        let began = self.coordinator.as_mut().is_some_and(|coordinator| coordinator.begin_wave(mailbox));
        if began { Step::Worked } else { Step::Idle }
    }

    /// Offers the initial states that this rank owns. Each rank computes all of them, and the first counts them.
    fn begin(&mut self) {
        self.search.begin(&mut Initial { dispatcher: &mut self.dispatcher }, &self.budget);
        self.initial_transitions = if self.rank == 0 { 0 } else { self.search.stats().transitions };
        self.note_obstacle();
    }

    /// Expands a node, whose state is loaded.
    #[inline]
    fn visit(&mut self, node: NodeId, cost: u64, mailbox: &mut dyn Mailbox) {
        let Self { search, dispatcher, outboxes, budget, .. } = self;
        search.expand(node, cost, &mut Router { dispatcher, outboxes, mailbox }, budget);
        self.note_obstacle();
    }

    /// Records that a zone has overflowed or that the model failed, if it did.
    fn note_obstacle(&mut self) {
        let Some(obstacle) = self.search.obstacle() else { return };
        let Self { search, dispatcher: StateDispatcher { encoder, event, system, .. }, .. } = self;
        event.get_or_insert_with(|| match obstacle {
            Ended::Exhausted(what) => LocalEvent::Exhausted(what),
            Ended::Failed(failure) => failure.node.map_or(LocalEvent::Failed(None), |node| {
                let SymbolicState { memory, zone } = search.state();
                failed(encoder, node, &memory[..system.layout.fields()], zone)
            }),
            _ => LocalEvent::Overflowed,
        });
    }

    /// Ends the search on this rank, and sends the statistics. Initial states are tested in any case, as on one machine.
    fn stop(&mut self, mailbox: &mut dyn Mailbox) {
        if !self.search.has_begun() {
            self.begin();
            self.report_event(mailbox);
        }
        self.phase = Phase::Stopped;
        let (busy, elapsed, cpu) = self.meter.read();
        let summary = RankStats {
            rank: self.rank,
            stats: self.stats(),
            traffic: mailbox.traffic().clone(),
            states_sent: self.outboxes.sent,
            states_dropped: self.outboxes.dropped,
            moved: self.spread.as_ref().map(Spread::moved).unwrap_or_default(),
            busy,
            elapsed,
            cpu,
        };
        Message::Summary(Box::new(summary)).send(mailbox, 0);
    }

    /// The error of the model in an encoded state, or in the initial state.
    fn error_at(&mut self, packed: Option<&[u8]>) -> Option<RuntimeError> {
        let Self { search, dispatcher, .. } = self;
        let graph = search.graph();
        let Some(packed) = packed else { return graph.initial(&mut |_| {}).err() };
        dispatcher.read(&mut Reader::new(packed));
        let StateDispatcher { evaluator, goal, arrived, .. } = dispatcher;
        let judged = goal.map(|goal| evaluator.meet(goal, &arrived.memory, &arrived.zone));
        judged.and_then(Result::err).or_else(|| graph.expand(arrived, &mut |_| {}).err())
    }
}
