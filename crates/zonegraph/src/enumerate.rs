//! First stage: the transitions that data allows in a discrete state.
//!
//! A transition is a list of edges, each with the values of its selections: one edge, a sender and a
//! receiver, a sender and all that receive, or the participants of a synchronisation vector. Edges stand in
//! the order of their updates. Everything that can be decided without clocks is decided here, before any zone
//! is copied: integer guards, who can synchronise with whom, and that a committed location is left if there
//! is one.
//!
//! The list of a discrete state is the same whenever it is made, so that the position of a transition in it,
//! its *ordinal*, names it: traces keep ordinals and nothing else.
//!
//! Receivers are looked at only for channels on which something can be sent. A receiver of a broadcast with a
//! clock guard receives in some points of a zone and not in others. Such a broadcast is listed as one
//! [`Synchronisation`], with the edges that each process can take; which combinations of them a zone admits is found
//! by `combine.rs`. So is what multiplies to more transitions than are worth listing.
//!
//! Selections multiply, and so do edges of participants: a small text can ask for more transitions of one state than fit
//! into memory. What is tried and found is counted, and past a limit the answer is unknown. The same count is where
//! limits and interruption are looked at inside a state.

use tourbillon_base::{Id, cancellation};
use tourbillon_model::{EvalErrorKind, Multiplied, ProcessId};
use tourbillon_system::{
    Action, ChannelRef, CodeId, Edge, EdgeId, LocationSummary, Machine, RuntimeError, System, Vector,
};

use crate::situation::Situation;

/// An edge that is taken, with the values of its selections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fired {
    /// The edge.
    pub edge: EdgeId,
    /// Where its values begin.
    choice: u32,
}

/// The transitions of one discrete state. Memory is kept from state to state.
#[derive(Default, Debug)]
pub struct Transitions {
    fired: Vec<Fired>,
    /// For each transition, where its edges end.
    ends: Vec<u32>,
    /// For each transition, its priority.
    priorities: Vec<(u32, u32)>,
    pub(crate) choices: Choices,
    /// What `combine.rs` makes transitions of, with its groups and their members.
    pub(crate) synchronisations: Vec<Synchronisation>,
    groups: Vec<Group>,
    members: Vec<Ready>,
    /// How many transitions were listed, and the ordinal of the one behind them, if there is one.
    listed: u32,
    combined: u32,
}

/// Edges of several processes that are taken together: one transition for each way to choose one of each group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Synchronisation {
    groups: (u32, u32),
    /// The priority of its channel.
    pub(crate) priority: u32,
    /// Whether a committed location must be left.
    pub(crate) committed: bool,
    /// How many combinations of choices those before it have, modulo [`ORDINALS`].
    pub(crate) first: u32,
    pub(crate) what: Multiplied,
}

/// How many ordinals there are for combinations. There may be more combinations: then some have the same ordinal, and
/// whoever follows a path tries all that do. It is a prime of which small numbers are primitive roots, so that
/// combinations that differ in few choices have different ones; and small enough that a cluster of a thousand ranks can
/// keep an ordinal and a rank in one number.
pub(crate) const ORDINALS: u64 = 3_000_077;

/// The values of selections, and how much was tried to find them.
#[derive(Default, Debug)]
pub(crate) struct Choices {
    values: Vec<i32>,
    work: u32,
}

impl Choices {
    /// How much work a state is worth: sixty million choices tried, or a million transitions.
    const WORK_MAX: u32 = 1 << 26;
    /// What is said of that.
    const TRANSITIONS_MAX: u32 = 1_000_000;
    /// What a transition, or an edge that can be part of one, counts against a choice that was only tried.
    pub(crate) const FOUND: u32 = 64;

    /// Counts work for an edge, which is due to what multiplies.
    #[inline]
    pub(crate) fn burn(&mut self, work: u32, edge: &Edge, what: Multiplied) -> Outcome {
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

/// One of them.
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
    pub fn selected(&self, fired: Fired, system: &System) -> &'t [i32] {
        let count = system.edges[fired.edge].selects.len();
        &self.choices[fired.choice as usize..][..count]
    }
}

impl Transitions {
    /// How many are listed. Those of synchronisations are not: see [`ZoneGraph::next`](crate::ZoneGraph::next).
    #[must_use]
    #[inline]
    pub fn listed(&self) -> usize {
        self.listed as usize
    }

    /// The one at this place.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> Transition<'_> {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        Transition {
            fired: &self.fired[start as usize..self.ends[place] as usize],
            priority: self.priorities.get(place).copied().unwrap_or_default(),
            choices: &self.choices.values,
        }
    }

    /// The number that names the one at this place in paths. It depends on data alone.
    #[must_use]
    #[inline]
    pub fn ordinal(&self, place: usize) -> u32 {
        if place < self.listed() { place as u32 } else { self.combined }
    }

    /// The values of an edge's selections.
    #[inline]
    pub(crate) fn selected(&self, fired: Fired, system: &System) -> &[i32] {
        let count = system.edges[fired.edge].selects.len();
        &self.choices.values[fired.choice as usize..][..count]
    }

    /// The groups of a synchronisation.
    pub(crate) fn groups(&self, synchronisation: &Synchronisation) -> &[Group] {
        let (start, end) = synchronisation.groups;
        &self.groups[start as usize..end as usize]
    }

    /// The edges of a group.
    pub(crate) fn members(&self, group: &Group) -> &[Ready] {
        &self.members[group.start as usize..group.end as usize]
    }

    /// Looks only for transitions of synchronisations that take edges of which this is true, with the values of their
    /// selections, and one of each process that has such.
    pub(crate) fn narrow(&mut self, system: &System, wanted: impl Fn(EdgeId, &[i32]) -> bool) {
        let Self { groups, members, choices, .. } = self;
        for group in groups {
            let members = &mut members[group.start as usize..group.end as usize];
            for ready in &mut *members {
                let count = system.edges[ready.fired.edge].selects.len();
                let selected = &choices.values[ready.fired.choice as usize..][..count];
                ready.open = wanted(ready.fired.edge, selected);
            }
            group.must_take = members.iter().any(|ready| ready.open);
        }
    }

    /// The edges of synchronisations.
    pub fn synchronised(&self) -> impl Iterator<Item = EdgeId> {
        self.members.iter().map(|ready| ready.fired.edge)
    }

    /// A combination of edges as a transition.
    pub(crate) fn combined<'t>(
        &'t self,
        system: &System,
        synchronisation: &Synchronisation,
        fired: &'t [Fired],
    ) -> Transition<'t> {
        let priority = priority(system, synchronisation.priority, fired);
        Transition { fired, priority, choices: &self.choices.values }
    }

    /// Puts a combination of edges behind what is listed, in place of the last one that was. Returns its place.
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

    /// Forgets the combination behind what is listed, if there is one.
    fn uncombine(&mut self) {
        self.ends.truncate(self.listed());
        self.priorities.truncate(self.listed());
        self.fired.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let pairs = self.fired.capacity() + self.priorities.capacity();
        pairs * 8
            + (self.ends.capacity() + self.choices.values.capacity()) * 4
            + self.members.capacity() * size_of::<Ready>()
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

    /// Ends the transition whose edges were pushed.
    #[inline]
    fn finish(&mut self, system: &System, channel_priority: u32) {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        self.ends.push(self.fired.len() as u32);
        if system.has_priorities {
            self.priorities.push(priority(system, channel_priority, &self.fired[start..]));
        }
    }

    /// Lists a synchronisation whose combinations are left to `combine.rs`.
    #[cold]
    fn defer(&mut self, mut new: Synchronisation, groups: &[Group], members: &[Ready]) {
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

/// An edge that data allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ready {
    pub(crate) fired: Fired,
    process: ProcessId,
    channel: u32,
    committed: bool,
    timed: bool,
    /// Whether transitions are looked for that take it; see [`Transitions::narrow`].
    open: bool,
}

impl Ready {
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }
}

/// The edges by which a process can take part in a synchronisation, and the one it takes; the one after the last is to
/// take none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    start: u32,
    end: u32,
    /// One more than the last choice.
    pub(crate) choices: u32,
    chosen: u32,
    /// Whether they leave a committed location.
    pub(crate) committed: bool,
    /// Whether only transitions are looked for in which the process takes part; see [`Transitions::narrow`].
    pub(crate) must_take: bool,
}

impl Group {
    const fn new(start: u32, end: u32, committed: bool) -> Self {
        Self { start, end, choices: end - start, chosen: 0, committed, must_take: false }
    }

    /// Whether the process need not take part.
    pub(crate) fn is_optional(&self) -> bool {
        self.choices > self.end - self.start
    }
}

/// How many edges, over all combinations, are listed one by one where no zone has to decide: two megabytes.
const LISTED_MAX: u64 = 1 << 18;

/// Makes the list of transitions, with memory that it keeps.
#[derive(Default, Debug)]
pub(crate) struct Enumerator {
    senders: Vec<Ready>,
    receivers: Vec<Ready>,
    /// For each channel, whether something can be sent over it.
    wanted: Vec<bool>,
    groups: Vec<Group>,
    members: Vec<Ready>,
    locals: Vec<i32>,
    /// The vectors that no process stands in the way of, as bits.
    open: Vec<u64>,
}

/// What is read while enumerating.
#[derive(Clone, Copy)]
struct Here<'a> {
    system: &'a System,
    situation: &'a Situation,
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

    /// Fills the list with the transitions of a discrete state.
    pub(crate) fn enumerate(
        &mut self,
        system: &System,
        machine: &mut Machine,
        situation: &Situation,
        memory: &[i32],
        list: &mut Transitions,
    ) -> Outcome {
        list.clear();
        let here = Here { system, situation, memory, committed: situation.has(LocationSummary::COMMITTED) };
        if !system.vectors.is_empty() {
            self.vectors(here, machine, list)?;
        }
        if !system.channels.is_empty() {
            self.channels(here, machine, list)?;
        }
        self.internal(here, machine, list)?;
        list.listed = list.ends.len() as u32;
        Ok(())
    }

    /// Whether something can be sent and received over an urgent channel, so that time stands still.
    pub(crate) fn is_urgent(
        &mut self,
        system: &System,
        machine: &mut Machine,
        situation: &Situation,
        memory: &[i32],
        list: &mut Transitions,
    ) -> Result<bool, RuntimeError> {
        list.clear();
        let here = Here { system, situation, memory, committed: false };
        self.meet(here, machine, list, |channel| system.channels[channel as usize].urgent)?;
        Ok(self.senders.iter().any(|sender| {
            system.channels[sender.channel as usize].broadcast
                || self.receivers.iter().any(|receiver| matches(sender, receiver))
        }))
    }

    fn internal(&mut self, here: Here<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        for face in here.situation.faces(here.system) {
            if here.committed && face.traits & LocationSummary::COMMITTED == 0 {
                continue;
            }
            for edge in ids(face.internal) {
                self.senders.clear();
                collect(here, machine, &mut self.locals, edge, 0, &mut list.choices, &mut self.senders)?;
                for ready in &self.senders {
                    list.fired.push(ready.fired);
                    list.finish(here.system, here.system.internal_priority);
                }
            }
        }
        Ok(())
    }

    /// Collects what can be sent over the channels of interest, and what can be received over those.
    fn meet(
        &mut self,
        here: Here<'_>,
        machine: &mut Machine,
        list: &mut Transitions,
        of_interest: impl Fn(u32) -> bool,
    ) -> Outcome {
        self.senders.clear();
        self.receivers.clear();
        for face in here.situation.faces(here.system) {
            for edge in ids(face.sends) {
                let first = self.senders.len();
                collect_channel(
                    here,
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
        let outcome = self.receive(here, machine, list);
        self.senders.iter().for_each(|sender| self.wanted[sender.channel as usize] = false);
        outcome?;
        // Each sender is compared with each receiver.
        let pairs = u32::try_from(self.senders.len() * self.receivers.len()).unwrap_or(u32::MAX);
        let sender = &here.system.edges[self.senders[0].fired.edge];
        list.choices.burn(pairs, sender, Multiplied::Selections)
    }

    fn receive(&mut self, here: Here<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        let wanted = &self.wanted;
        for face in here.situation.faces(here.system) {
            for edge in ids(face.receives) {
                let (locals, receivers) = (&mut self.locals, &mut self.receivers);
                let wants = |channel: u32| wanted[channel as usize];
                collect_channel(here, machine, locals, edge, &mut list.choices, receivers, wants)?;
            }
        }
        Ok(())
    }

    fn channels(&mut self, here: Here<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        self.meet(here, machine, list, |_| true)?;
        for index in 0..self.senders.len() {
            let sender = self.senders[index];
            if here.system.channels[sender.channel as usize].broadcast {
                self.broadcast(here, sender, list)?;
            } else {
                self.binary(here, sender, list)?;
            }
        }
        Ok(())
    }

    fn binary(&self, here: Here<'_>, sender: Ready, list: &mut Transitions) -> Outcome {
        for receiver in self.receivers.iter().filter(|receiver| matches(&sender, receiver)) {
            if !here.committed || sender.committed || receiver.committed {
                let edge = &here.system.edges[sender.fired.edge];
                list.choices.burn(2 * Choices::FOUND, edge, Multiplied::Selections)?;
                list.fired.extend([sender.fired, receiver.fired]);
                list.finish(here.system, here.system.channels[sender.channel as usize].priority);
            }
        }
        Ok(())
    }

    fn broadcast(&mut self, here: Here<'_>, sender: Ready, list: &mut Transitions) -> Outcome {
        self.group(&sender);
        let priority = here.system.channels[sender.channel as usize].priority;
        self.combine(here, list, priority, Multiplied::Receivers)
    }

    /// Groups a sender, and what can be received from it, by process, in system order.
    fn group(&mut self, sender: &Ready) {
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
        for group in &mut self.groups[1..] {
            let members = &self.members[group.start as usize..group.end as usize];
            // A process that some point of time keeps from receiving can be left out.
            let optional = members.iter().all(|ready| ready.timed);
            group.choices = members.len() as u32 + u32::from(optional);
        }
    }

    fn vectors(&mut self, here: Here<'_>, machine: &mut Machine, list: &mut Transitions) -> Outcome {
        let words = here.system.vector_words();
        self.open.clear();
        self.open.resize(words, !0);
        for place in &here.situation.places {
            let mask = &here.system.vector_masks[place.index() * words..][..words];
            self.open.iter_mut().zip(mask).for_each(|(open, mask)| *open &= mask);
        }
        for word in 0..words {
            let mut bits = self.open[word];
            while bits != 0 {
                let number = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                // The bits beyond the last vector stand for none.
                if let Some(vector) = here.system.vectors.get(number) {
                    self.vector(here, machine, list, vector)?;
                }
            }
        }
        Ok(())
    }

    /// The transitions of a vector that nobody's location stands in the way of.
    fn vector(
        &mut self,
        here: Here<'_>,
        machine: &mut Machine,
        list: &mut Transitions,
        vector: &Vector,
    ) -> Outcome {
        self.groups.clear();
        self.members.clear();
        for part in &vector.parts {
            let start = self.members.len() as u32;
            for &edge in part.candidates(here.memory) {
                let (locals, members) = (&mut self.locals, &mut self.members);
                collect(here, machine, locals, edge, 0, &mut list.choices, members)?;
            }
            let end = self.members.len() as u32;
            if start < end {
                let committed = self.members[start as usize].committed;
                self.groups.push(Group::new(start, end, committed));
            } else if !part.weak {
                return Ok(());
            }
        }
        if !self.groups.is_empty() {
            return self.combine(here, list, here.system.internal_priority, Multiplied::Participants);
        }
        Ok(())
    }

    /// Lists the transitions by which one edge of each group is taken, or that there are such.
    fn combine(
        &mut self,
        here: Here<'_>,
        list: &mut Transitions,
        priority: u32,
        what: Multiplied,
    ) -> Outcome {
        let ways = self.groups.iter().map(|group| u64::from(group.choices));
        if here.committed && !self.groups.iter().any(|group| group.committed) {
            return Ok(());
        }
        let edges = ways.fold(self.groups.len() as u64, u64::saturating_mul);
        if edges > LISTED_MAX || self.groups.iter().any(Group::is_optional) {
            let new = Synchronisation { groups: (0, 0), priority, committed: here.committed, first: 0, what };
            list.defer(new, &self.groups, &self.members);
            return Ok(());
        }
        self.product(here, list, priority, what)
    }

    fn product(
        &mut self,
        here: Here<'_>,
        list: &mut Transitions,
        priority: u32,
        what: Multiplied,
    ) -> Outcome {
        let edges = self.groups.len() as u32;
        let edge = &here.system.edges[self.members[0].fired.edge];
        loop {
            list.choices.burn(edges * Choices::FOUND, edge, what)?;
            let chosen = |group: &Group| self.members[(group.start + group.chosen) as usize].fired;
            list.fired.extend(self.groups.iter().map(chosen));
            list.finish(here.system, priority);
            if !advance(&mut self.groups) {
                return Ok(());
            }
        }
    }
}

/// The priority of a transition.
fn priority(system: &System, channel: u32, fired: &[Fired]) -> (u32, u32) {
    let processes = fired.iter().map(|fired| system.edges[fired.edge].process);
    (channel, processes.map(|process| system.process_priority[process]).max().unwrap_or(0))
}

/// Whether one can receive what the other sends.
fn matches(sender: &Ready, receiver: &Ready) -> bool {
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

/// As [`collect`], for an edge with a channel; only if that is wanted.
#[inline]
fn collect_channel(
    here: Here<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    edge: EdgeId,
    choices: &mut Choices,
    ready: &mut Vec<Ready>,
    wanted: impl Fn(u32) -> bool,
) -> Outcome {
    match here.system.edges[edge].action {
        Action::Send(ChannelRef::Fixed(channel)) | Action::Receive(ChannelRef::Fixed(channel)) => {
            if wanted(channel) {
                collect(here, machine, locals, edge, channel, choices, ready)
            } else {
                Ok(())
            }
        }
        Action::Send(ChannelRef::Computed(code)) | Action::Receive(ChannelRef::Computed(code)) => {
            let first = ready.len();
            collect(here, machine, locals, edge, 0, choices, ready)?;
            let mut kept = first;
            for index in first..ready.len() {
                let mut item = ready[index];
                item.channel = channel_of(here, machine, locals, code, item.fired, &choices.values)?;
                if wanted(item.channel) {
                    ready[kept] = item;
                    kept += 1;
                }
            }
            ready.truncate(kept);
            Ok(())
        }
        Action::Internal | Action::Event => Ok(()),
    }
}

fn channel_of(
    here: Here<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    code: CodeId,
    fired: Fired,
    choices: &[i32],
) -> Result<u32, RuntimeError> {
    for (&(local, _), &value) in
        here.system.edges[fired.edge].selects.iter().zip(&choices[fired.choice as usize..])
    {
        locals[local as usize] = value;
    }
    Ok(machine.read(&here.system.program, code, here.memory, locals)? as u32)
}

/// Adds an edge for each choice of its selections that its integer guard allows.
#[inline]
fn collect(
    here: Here<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    id: EdgeId,
    channel: u32,
    choices: &mut Choices,
    ready: &mut Vec<Ready>,
) -> Outcome {
    let edge = &here.system.edges[id];
    let item = |choice| Ready {
        fired: Fired { edge: id, choice },
        process: edge.process,
        channel,
        committed: edge.committed,
        timed: !edge.clocks.is_true(),
        open: true,
    };
    if edge.selects.is_empty() {
        if allows(here, machine, locals, edge.guard)? {
            ready.push(item(0));
        }
        return Ok(());
    }
    for &(local, range) in &edge.selects {
        locals[local as usize] = range.min;
    }
    loop {
        choices.burn(1, edge, Multiplied::Selections)?;
        if allows(here, machine, locals, edge.guard)? {
            choices.burn(Choices::FOUND, edge, Multiplied::Selections)?;
            ready.push(item(choices.values.len() as u32));
            choices.values.extend(edge.selects.iter().map(|&(local, _)| locals[local as usize]));
        }
        let next = edge.selects.iter().rev().find(|(local, range)| {
            let value = &mut locals[*local as usize];
            let more = *value < range.max;
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
    here: Here<'_>,
    machine: &mut Machine,
    locals: &mut [i32],
    guard: Option<CodeId>,
) -> Result<bool, RuntimeError> {
    guard.map_or(Ok(true), |code| machine.test(&here.system.program, code, here.memory, locals))
}
