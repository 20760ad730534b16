//! First stage: the transitions that data allows in a discrete state.
//!
//! A transition is a list of edges, each with the values of its selections: one edge, a sender and a receiver, a sender
//! and all receivers, or the participants of a synchronisation vector. Edges are in the order of their updates.
//! Everything that does not depend on clocks is decided here, before any zone is copied: integer guards,
//! synchronisation, and that a committed location is left if there is one `[BehrmannDavidLarsen2004]`.
//!
//! Invariant: the list of a discrete state depends on that state alone, so that the position of a transition in it, its
//! *ordinal*, identifies the transition: traces store ordinals and nothing else.
//!
//! Receivers are evaluated only for channels over which some process can send. A receiver of a broadcast with a clock
//! guard receives at some valuations of a zone and not at others. Such a broadcast is listed as one
//! [`Synchronisation`], with the edges that each process can take; `combine.rs` enumerates the combinations of them that a
//! zone admits. The same applies to products that are too large to list.
//!
//! Selections multiply, and so do edges of participants: a small model can have more transitions of one state than fit
//! into memory. Choices tried and transitions found are counted, and past a limit the verdict is unknown. The same count
//! tests budgets and cancellation inside a state.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_base::{Id, cancellation};
use tourbillon_model::{EvalErrorKind, Multiplied, ProcessId};
use tourbillon_system::{
    Action, ChannelRef, CodeId, Edge, EdgeId, LocationSummary, Machine, RuntimeError, System, Vector,
};

use crate::location_vector::LocationVector;

/// An edge that is taken, with the values of its selections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fired {
    pub edge: EdgeId,
    /// The index of its first value among the [`Choices`].
    choice: u32,
}

/// The transitions of one discrete state; reuses its memory from state to state.
#[derive(Default, Debug)]
pub struct Transitions {
    fired: Vec<Fired>,
    /// For each transition, the end of its edges in `fired`.
    ends: Vec<u32>,
    /// For each transition, its priority; empty in a model without priorities.
    priorities: Vec<(u32, u32)>,
    pub(crate) choices: Choices,
    /// The synchronisations that `combine.rs` enumerates, with their groups and the members of these.
    pub(crate) synchronisations: Vec<Synchronisation>,
    groups: Vec<Group>,
    members: Vec<Candidate>,
    /// The number of listed transitions, and the ordinal of the combination after them, if there is one.
    listed: u32,
    combined: u32,
}

/// Edges of several processes that are taken together: one transition for each choice of one edge from each group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Synchronisation {
    groups: (u32, u32),
    /// The priority of its channel.
    pub(crate) priority: u32,
    /// Whether a committed location must be left.
    pub(crate) committed: bool,
    /// The number of combinations of all synchronisations before it, modulo [`ORDINALS`].
    pub(crate) first: u32,
    pub(crate) what: Multiplied,
}

/// The number of ordinals for combinations. There may be more combinations: then several have the same ordinal, and the
/// reconstruction of a path tries all of them. It is a prime of which small numbers are primitive roots, so that
/// combinations that differ in few choices have different ordinals; and small enough that a distributed search with a
/// thousand ranks can store an ordinal and a rank in one number.
pub(crate) const ORDINALS: u64 = 3_000_077;

/// The values of selections, and the work spent to find them.
#[derive(Default, Debug)]
pub(crate) struct Choices {
    values: Vec<i32>,
    work: u32,
}

impl Choices {
    /// The limit of work for a state: sixty million choices tried, or a million transitions.
    const WORK_MAX: u32 = 1 << 26;
    /// The number that the error message reports for that limit.
    const TRANSITIONS_MAX: u32 = 1_000_000;
    /// The work of a transition, or of an edge that can be part of one, in units of one choice tried.
    pub(crate) const FOUND: u32 = 64;

    /// Adds work for an edge; fails past the limit, naming what multiplies, or if the computation was cancelled.
    #[inline]
    pub(crate) fn count_work(&mut self, work: u32, edge: &Edge, what: Multiplied) -> Outcome {
        self.work = self.work.saturating_add(work);
        if self.work > Self::WORK_MAX {
            return Err(RuntimeError {
                kind: EvalErrorKind::TooMany(what, Self::TRANSITIONS_MAX),
                span: edge.span,
            });
        }
        if !cancellation::work(work) {
            return Err(RuntimeError { kind: EvalErrorKind::Cancelled, span: edge.span });
        }
        Ok(())
    }
}

/// One transition of [`Transitions`].
#[derive(Clone, Copy, Debug)]
pub struct Transition<'t> {
    /// Its edges, in the order of their updates.
    pub fired: &'t [Fired],
    /// Its priority: that of its channel, then that of its processes.
    pub priority: (u32, u32),
    choices: &'t [i32],
}

impl<'t> Transition<'t> {
    /// The values of an edge's selections.
    #[must_use]
    #[inline]
    pub fn selected(&self, fired: Fired, system: &System) -> &'t [i32] {
        let count = system.edges[fired.edge].selects.len();
        &self.choices[fired.choice as usize..][..count]
    }
}

impl Transitions {
    /// The number of listed transitions. Combinations of synchronisations are not listed: see
    /// [`ZoneGraph::next`](crate::ZoneGraph::next).
    #[must_use]
    #[inline]
    pub fn listed(&self) -> usize {
        self.listed as usize
    }

    /// The transition with this index.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Transition<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Transition {
            fired: &self.fired[start as usize..self.ends[index] as usize],
            priority: self.priorities.get(index).copied().unwrap_or_default(),
            choices: &self.choices.values,
        }
    }

    /// The ordinal that identifies the transition with this index in paths. It depends on data alone.
    #[must_use]
    #[inline]
    pub fn ordinal(&self, index: usize) -> u32 {
        if index < self.listed() { index as u32 } else { self.combined }
    }

    /// The values of an edge's selections.
    #[inline]
    pub(crate) fn selected(&self, fired: Fired, system: &System) -> &[i32] {
        let count = system.edges[fired.edge].selects.len();
        &self.choices.values[fired.choice as usize..][..count]
    }

    pub(crate) fn groups(&self, synchronisation: &Synchronisation) -> &[Group] {
        let (start, end) = synchronisation.groups;
        &self.groups[start as usize..end as usize]
    }

    pub(crate) fn members(&self, group: &Group) -> &[Candidate] {
        &self.members[group.start as usize..group.end as usize]
    }

    /// Restricts combinations of synchronisations to edges that are `wanted`, with the values of their selections, and to
    /// combinations in which every process with a wanted edge takes part.
    pub(crate) fn narrow(&mut self, system: &System, wanted: impl Fn(EdgeId, &[i32]) -> bool) {
        let Self { groups, members, choices, .. } = self;
        for group in groups {
            let members = &mut members[group.start as usize..group.end as usize];
            for candidate in &mut *members {
                let count = system.edges[candidate.fired.edge].selects.len();
                let selected = &choices.values[candidate.fired.choice as usize..][..count];
                candidate.open = wanted(candidate.fired.edge, selected);
            }
            group.must_take = members.iter().any(|candidate| candidate.open);
        }
    }

    /// The edges of all synchronisations that are not listed.
    pub fn synchronised(&self) -> impl Iterator<Item = EdgeId> {
        self.members.iter().map(|candidate| candidate.fired.edge)
    }

    /// A combination of edges as a transition, with its priority.
    pub(crate) fn combined<'t>(
        &'t self,
        system: &System,
        synchronisation: &Synchronisation,
        fired: &'t [Fired],
    ) -> Transition<'t> {
        let priority = priority(system, synchronisation.priority, fired);
        Transition { fired, priority, choices: &self.choices.values }
    }

    /// Stores a combination of edges after the listed transitions, instead of the previous combination. Returns its index.
    pub(crate) fn combine(
        &mut self,
        system: &System,
        synchronisation: &Synchronisation,
        fired: &[Fired],
        rank: u64,
    ) -> usize {
        self.uncombine();
        self.fired.extend_from_slice(fired);
        self.finish(system, synchronisation.priority);
        let rank = (u64::from(synchronisation.first) + rank) % ORDINALS;
        self.combined = self.listed + rank as u32;
        self.listed()
    }

    /// Removes the combination after the listed transitions, if there is one.
    fn uncombine(&mut self) {
        self.ends.truncate(self.listed());
        self.priorities.truncate(self.listed());
        self.fired.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// The allocated memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pairs = self.fired.capacity() + self.priorities.capacity();
        pairs * 8
            + (self.ends.capacity() + self.choices.values.capacity()) * 4
            + self.members.capacity() * size_of::<Candidate>()
            + self.groups.capacity() * size_of::<Group>()
            + self.synchronisations.capacity() * size_of::<Synchronisation>()
    }

    pub(crate) fn clear(&mut self) {
        self.fired.clear();
        self.ends.clear();
        self.priorities.clear();
        self.choices.values.clear();
        self.choices.work = 0;
        self.synchronisations.clear();
        self.groups.clear();
        self.members.clear();
        self.listed = 0;
    }

    /// Completes the transition whose edges were pushed to `fired`.
    #[inline]
    fn finish(&mut self, system: &System, channel_priority: u32) {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        self.ends.push(self.fired.len() as u32);
        if system.has_priorities {
            self.priorities.push(priority(system, channel_priority, &self.fired[start..]));
        }
    }

    /// Adds a synchronisation whose combinations `combine.rs` enumerates.
    #[cold]
    fn defer(&mut self, mut new: Synchronisation, groups: &[Group], members: &[Candidate]) {
        let (first_group, first_member) = (self.groups.len() as u32, self.members.len() as u32);
        new.groups = (first_group, first_group + groups.len() as u32);
        new.first = self.synchronisations.last().map_or(0, |last| {
            let ways = self.groups(last).iter().map(|group| u64::from(group.choices));
            let all = ways.fold(1, |all, ways| all * ways % ORDINALS);
            ((u64::from(last.first) + all) % ORDINALS) as u32
        });
        self.groups.extend(groups.iter().map(|group| Group {
            start: first_member + group.start,
            end: first_member + group.end,
            ..*group
        }));
        self.members.extend_from_slice(members);
        self.synchronisations.push(new);
    }
}

/// An edge that data allows, with the values of its selections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) fired: Fired,
    pub(crate) process: ProcessId,
    channel: u32,
    committed: bool,
    timed: bool,
    /// Whether combinations may take it; see [`Transitions::narrow`].
    open: bool,
}

impl Candidate {
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }
}

/// The edges by which a process can take part in a synchronisation, and its choice. The choice after the last edge is
/// not to take part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    start: u32,
    end: u32,
    /// The number of choices.
    pub(crate) choices: u32,
    chosen: u32,
    /// Whether they leave a committed location.
    pub(crate) committed: bool,
    /// Whether the process takes part in all combinations; see [`Transitions::narrow`].
    pub(crate) must_take: bool,
}

impl Group {
    const fn new(start: u32, end: u32, committed: bool) -> Self {
        Self { start, end, choices: end - start, chosen: 0, committed, must_take: false }
    }

    /// Whether there is a choice not to take part.
    pub(crate) fn is_optional(&self) -> bool {
        self.choices > self.end - self.start
    }
}

/// The largest number of edges, over all combinations, that are listed where no clock guard decides: two megabytes.
const LISTED_MAX: u64 = 1 << 18;

/// Enumerates transitions; reuses its memory.
#[derive(Default, Debug)]
pub(crate) struct Enumerator {
    senders: Vec<Candidate>,
    receivers: Vec<Candidate>,
    /// For each channel, whether a sender was found.
    wanted: Vec<bool>,
    groups: Vec<Group>,
    members: Vec<Candidate>,
    locals: Vec<i32>,
    /// The vectors that no current location disables, as bits.
    open: Vec<u64>,
}

/// The discrete state whose transitions are enumerated.
#[derive(Clone, Copy)]
struct Context<'a> {
    system: &'a System,
    locations: &'a LocationVector,
    memory: &'a [i32],
    /// Whether a committed location must be left.
    committed: bool,
}

type Outcome = Result<(), RuntimeError>;

impl Enumerator {
    pub(crate) fn new(system: &System) -> Self {
        let frames = system.edges.iter().map(|edge| edge.frame).max().unwrap_or(0);
        Self {
            wanted: vec![false; system.channels.len()],
            locals: vec![0; frames as usize],
            ..Self::default()
        }
    }

    /// Replaces the list by the transitions of a discrete state: vectors, then channels, then internal edges.
    pub(crate) fn enumerate(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locations: &LocationVector,
        memory: &[i32],
        list: &mut Transitions,
    ) -> Outcome {
        list.clear();
        let context =
            Context { system, locations, memory, committed: locations.has(LocationSummary::COMMITTED) };
        if !system.vectors.is_empty() {
            self.vectors(context, machine, list)?;
        }
        if !system.channels.is_empty() {
            self.channels(context, machine, list)?;
        }
        self.internal(context, machine, list)?;
        list.listed = list.ends.len() as u32;
        Ok(())
    }

    /// Whether a synchronisation over an urgent channel is enabled, so that no delay is possible.
    pub(crate) fn is_urgent(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locations: &LocationVector,
        memory: &[i32],
        list: &mut Transitions,
    ) -> Result<bool, RuntimeError> {
        list.clear();
        let context = Context { system, locations, memory, committed: false };
        self.collect_synchronising(context, machine, list, |channel| {
            system.channels[channel as usize].urgent
        })?;
        Ok(self.senders.iter().any(|sender| {
            system.channels[sender.channel as usize].broadcast
                || mutants::is(Mutant::UrgentWithoutReceiver)
                || self.receivers.iter().any(|receiver| matches(sender, receiver))
        }))
    }

    fn internal(&mut self, context: Context<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        for summary in context.locations.summaries(context.system) {
            if context.committed && summary.traits & LocationSummary::COMMITTED == 0 {
                continue;
            }
            for edge in ids(summary.internal) {
                self.senders.clear();
                collect(context, machine, &mut self.locals, edge, 0, &mut list.choices, &mut self.senders)?;
                for candidate in &self.senders {
                    list.fired.push(candidate.fired);
                    list.finish(context.system, context.system.internal_priority);
                }
            }
        }
        Ok(())
    }

    /// Collects the senders over the channels of interest, and the receivers over channels with a sender.
    fn collect_synchronising(
        &mut self,
        context: Context<'_>,
        machine: &mut Machine,
        list: &mut Transitions,
        of_interest: impl Fn(u32) -> bool,
    ) -> Outcome {
        self.senders.clear();
        self.receivers.clear();
        for summary in context.locations.summaries(context.system) {
            for edge in ids(summary.sends) {
                let first = self.senders.len();
                collect_channel(
                    context,
                    machine,
                    &mut self.locals,
                    edge,
                    &mut list.choices,
                    &mut self.senders,
                    |_| true,
                )?;
                let mut kept = first;
                for index in first..self.senders.len() {
                    if of_interest(self.senders[index].channel) {
                        self.senders[kept] = self.senders[index];
                        kept += 1;
                    }
                }
                self.senders.truncate(kept);
            }
        }
        if self.senders.is_empty() {
            return Ok(());
        }
        self.senders.iter().for_each(|sender| self.wanted[sender.channel as usize] = true);
        let outcome = self.receive(context, machine, list);
        self.senders.iter().for_each(|sender| self.wanted[sender.channel as usize] = false);
        outcome?;
        // Each sender is compared with each receiver.
        let pairs = u32::try_from(self.senders.len() * self.receivers.len()).unwrap_or(u32::MAX);
        let sender = &context.system.edges[self.senders[0].fired.edge];
        list.choices.count_work(pairs, sender, Multiplied::Selections)
    }

    fn receive(&mut self, context: Context<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        let wanted = &self.wanted;
        for summary in context.locations.summaries(context.system) {
            for edge in ids(summary.receives) {
                let (locals, receivers) = (&mut self.locals, &mut self.receivers);
                let wants = |channel: u32| wanted[channel as usize];
                collect_channel(context, machine, locals, edge, &mut list.choices, receivers, wants)?;
            }
        }
        Ok(())
    }

    fn channels(&mut self, context: Context<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        self.collect_synchronising(context, machine, list, |_| true)?;
        for index in 0..self.senders.len() {
            let sender = self.senders[index];
            if context.system.channels[sender.channel as usize].broadcast {
                self.broadcast(context, sender, list)?;
            } else {
                self.binary(context, sender, list)?;
            }
        }
        Ok(())
    }

    fn binary(&self, context: Context<'_>, sender: Candidate, list: &mut Transitions) -> Outcome {
        for receiver in self.receivers.iter().filter(|receiver| matches(&sender, receiver)) {
            let receiver_counts = receiver.committed && !mutants::is(Mutant::CommittedTooStrict);
            if !context.committed || sender.committed || receiver_counts {
                let edge = &context.system.edges[sender.fired.edge];
                list.choices.count_work(2 * Choices::FOUND, edge, Multiplied::Selections)?;
                list.fired.extend(if mutants::is(Mutant::ReceiverUpdatedFirst) {
                    [receiver.fired, sender.fired]
                } else {
                    [sender.fired, receiver.fired]
                });
                list.finish(context.system, context.system.channels[sender.channel as usize].priority);
            }
        }
        Ok(())
    }

    fn broadcast(&mut self, context: Context<'_>, sender: Candidate, list: &mut Transitions) -> Outcome {
        self.group(&sender);
        let priority = context.system.channels[sender.channel as usize].priority;
        self.combine(context, list, priority, Multiplied::Receivers)
    }

    /// Groups a sender, and the receivers that match it, by process, in system order.
    fn group(&mut self, sender: &Candidate) {
        self.groups.clear();
        self.members.clear();
        self.members.push(*sender);
        self.groups.push(Group::new(0, 1, sender.committed));
        for receiver in self.receivers.iter().filter(|receiver| matches(sender, receiver)) {
            let new = self.members.last().is_none_or(|last| last.process != receiver.process);
            if new {
                let start = self.members.len() as u32;
                self.groups.push(Group::new(start, start, receiver.committed));
            }
            self.members.push(*receiver);
            let group = self.groups.last_mut().expect("one was just begun");
            group.end += 1;
        }
        if mutants::is(Mutant::ReceiverForgotten) {
            self.groups.truncate(self.groups.len().max(2) - 1);
        }
        for group in &mut self.groups[1..] {
            let members = &self.members[group.start as usize..group.end as usize];
            // A process all of whose receivers have clock guards does not receive at some valuations.
            let optional = members.iter().all(|candidate| candidate.timed);
            group.choices = members.len() as u32 + u32::from(optional);
        }
    }

    fn vectors(&mut self, context: Context<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        let words = context.system.vector_words();
        self.open.clear();
        self.open.resize(words, !0);
        for location in &context.locations.ids {
            let mask = &context.system.vector_masks[location.index() * words..][..words];
            self.open.iter_mut().zip(mask).for_each(|(open, mask)| *open &= mask);
        }
        for word in 0..words {
            let mut bits = self.open[word];
            while bits != 0 {
                let number = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                // The bits beyond the last vector stand for none.
                if let Some(vector) = context.system.vectors.get(number) {
                    self.vector(context, machine, list, vector)?;
                }
            }
        }
        Ok(())
    }

    /// The transitions of a vector that no current location disables.
    fn vector(
        &mut self,
        context: Context<'_>,
        machine: &mut Machine,
        list: &mut Transitions,
        vector: &Vector,
    ) -> Outcome {
        self.groups.clear();
        self.members.clear();
        for part in &vector.parts {
            let start = self.members.len() as u32;
            for &edge in part.candidates(context.memory) {
                let (locals, members) = (&mut self.locals, &mut self.members);
                collect(context, machine, locals, edge, 0, &mut list.choices, members)?;
            }
            let end = self.members.len() as u32;
            if start < end && !(part.weak && mutants::is(Mutant::WeakParticipantForgotten)) {
                let committed = self.members[start as usize].committed;
                self.groups.push(Group::new(start, end, committed));
            } else if !part.weak {
                return Ok(());
            }
        }
        if !self.groups.is_empty() {
            return self.combine(context, list, context.system.internal_priority, Multiplied::Participants);
        }
        Ok(())
    }

    /// Lists the transitions that take one edge of each group, or defers them to `combine.rs`.
    fn combine(
        &mut self,
        context: Context<'_>,
        list: &mut Transitions,
        priority: u32,
        what: Multiplied,
    ) -> Outcome {
        let ways = self.groups.iter().map(|group| u64::from(group.choices));
        if context.committed && !self.groups.iter().any(|group| group.committed) {
            return Ok(());
        }
        let edges = ways.fold(self.groups.len() as u64, u64::saturating_mul);
        if edges > LISTED_MAX || self.groups.iter().any(Group::is_optional) {
            let new =
                Synchronisation { groups: (0, 0), priority, committed: context.committed, first: 0, what };
            list.defer(new, &self.groups, &self.members);
            return Ok(());
        }
        self.product(context, list, priority, what)
    }

    fn product(
        &mut self,
        context: Context<'_>,
        list: &mut Transitions,
        priority: u32,
        what: Multiplied,
    ) -> Outcome {
        let edges = self.groups.len() as u32;
        let edge = &context.system.edges[self.members[0].fired.edge];
        loop {
            list.choices.count_work(edges * Choices::FOUND, edge, what)?;
            let chosen = |group: &Group| self.members[(group.start + group.chosen) as usize].fired;
            list.fired.extend(self.groups.iter().map(chosen));
            list.finish(context.system, priority);
            if !advance(&mut self.groups) {
                return Ok(());
            }
        }
    }
}

/// The priority of a transition: that of its channel, then the largest of its processes.
fn priority(system: &System, channel: u32, fired: &[Fired]) -> (u32, u32) {
    let processes = fired.iter().map(|fired| system.edges[fired.edge].process);
    (channel, processes.map(|process| system.process_priority[process]).max().unwrap_or(0))
}

/// Whether the two are of different processes and have the same channel.
fn matches(sender: &Candidate, receiver: &Candidate) -> bool {
    sender.channel == receiver.channel && sender.process != receiver.process
}

/// The next combination of choices, the last group first; false if there is none.
fn advance(groups: &mut [Group]) -> bool {
    for group in groups.iter_mut().rev() {
        group.chosen += 1;
        if group.chosen < group.choices {
            return true;
        }
        group.chosen = 0;
    }
    false
}

fn ids((start, end): (u32, u32)) -> impl Iterator<Item = EdgeId> {
    (start..end).map(|index| EdgeId::from_index(index as usize))
}

/// As [`collect`], for an edge with a channel, which must be wanted.
#[inline]
fn collect_channel(
    context: Context<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    edge: EdgeId,
    choices: &mut Choices,
    candidates: &mut Vec<Candidate>,
    wanted: impl Fn(u32) -> bool,
) -> Outcome {
    match context.system.edges[edge].action {
        Action::Send(ChannelRef::Fixed(channel)) | Action::Receive(ChannelRef::Fixed(channel)) => {
            if wanted(channel) {
                collect(context, machine, locals, edge, channel, choices, candidates)
            } else {
                Ok(())
            }
        }
        Action::Send(ChannelRef::Computed(code)) | Action::Receive(ChannelRef::Computed(code)) => {
            let first = candidates.len();
            collect(context, machine, locals, edge, 0, choices, candidates)?;
            let mut kept = first;
            for index in first..candidates.len() {
                let mut item = candidates[index];
                item.channel = channel_of(context, machine, locals, code, item.fired, &choices.values)?;
                if wanted(item.channel) {
                    candidates[kept] = item;
                    kept += 1;
                }
            }
            candidates.truncate(kept);
            Ok(())
        }
        Action::Internal | Action::Event => Ok(()),
    }
}

fn channel_of(
    context: Context<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    code: CodeId,
    fired: Fired,
    choices: &[i32],
) -> Result<u32, RuntimeError> {
    for (&(local, _), &value) in
        context.system.edges[fired.edge].selects.iter().zip(&choices[fired.choice as usize..])
    {
        locals[local as usize] = value;
    }
    Ok(machine.read(&context.system.program, code, context.memory, locals)? as u32)
}

/// Adds an edge for each choice of its selections that its integer guard allows.
#[inline]
fn collect(
    context: Context<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    id: EdgeId,
    channel: u32,
    choices: &mut Choices,
    candidates: &mut Vec<Candidate>,
) -> Outcome {
    let edge = &context.system.edges[id];
    let item = |choice| Candidate {
        fired: Fired { edge: id, choice },
        process: edge.process,
        channel,
        committed: edge.committed,
        timed: !edge.clocks.is_true(),
        open: true,
    };
    if edge.selects.is_empty() {
        if allows(context, machine, locals, edge.guard)? {
            candidates.push(item(0));
        }
        return Ok(());
    }
    for &(local, range) in &edge.selects {
        locals[local as usize] = range.min;
    }
    loop {
        choices.count_work(1, edge, Multiplied::Selections)?;
        if allows(context, machine, locals, edge.guard)? {
            choices.count_work(Choices::FOUND, edge, Multiplied::Selections)?;
            candidates.push(item(choices.values.len() as u32));
            choices.values.extend(edge.selects.iter().map(|&(local, _)| locals[local as usize]));
        }
        let next = edge.selects.iter().rev().find(|(local, range)| {
            let value = &mut locals[*local as usize];
            let more = *value < range.max - i32::from(mutants::is(Mutant::SelectionForgotten));
            *value = if more { *value + 1 } else { range.min };
            more
        });
        if next.is_none() {
            return Ok(());
        }
    }
}

#[inline]
fn allows(
    context: Context<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    guard: Option<CodeId>,
) -> Result<bool, RuntimeError> {
    guard.map_or(Ok(true), |code| machine.test(&context.system.program, code, context.memory, locals))
}

#[cfg(test)]
mod tests;
