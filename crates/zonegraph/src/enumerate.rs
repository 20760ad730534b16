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
//! clock guard receives in some points of a zone and not in others: there is then one transition for each
//! choice, and where it is left out its edges are *barred*, which the stage `exclude` turns into a subtraction.
//!
//! Selections multiply, and so do receivers that may be left out: a small text can ask for more transitions of one
//! state than fit into memory. What is tried and found is counted, and past a limit the model fails as it does for
//! a loop without an end, so that limits and interruption, which are looked at between states, are not kept waiting.

use tourbillon_base::Id;
use tourbillon_model::{EvalErrorKind, ProcessId};
use tourbillon_system::{
    Action, ChannelRef, CodeId, Edge, EdgeId, Face, Machine, RuntimeError, System, Vector,
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
    barred: Vec<Fired>,
    /// For each transition, where its edges, and the edges barred from it, end.
    ends: Vec<(u32, u32)>,
    /// For each transition, its priority.
    priorities: Vec<(u32, u32)>,
    choices: Choices,
}

/// The values of selections, and how much was tried to find them.
#[derive(Default, Debug)]
struct Choices {
    values: Vec<i32>,
    work: u32,
}

impl Choices {
    /// How much work a state is worth: sixty million choices tried, or a million transitions.
    const WORK_MAX: u32 = 1 << 26;
    /// What a transition, or an edge that can be part of one, counts against a choice that was only tried.
    const FOUND: u32 = 64;

    /// Counts work for an edge.
    #[inline]
    fn burn(&mut self, work: u32, edge: &Edge) -> Outcome {
        self.work = self.work.saturating_add(work);
        if self.work > Self::WORK_MAX {
            return Err(RuntimeError { kind: EvalErrorKind::TooLong, span: edge.span });
        }
        Ok(())
    }
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'t> {
    /// Its edges, in the order of their updates.
    pub fired: &'t [Fired],
    /// Edges whose clock guards must not hold.
    pub barred: &'t [Fired],
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
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The one with this ordinal.
    ///
    /// # Panics
    /// If there are not as many.
    #[must_use]
    #[inline]
    pub fn get(&self, ordinal: usize) -> Transition<'_> {
        let (fired_start, barred_start) = if ordinal == 0 { (0, 0) } else { self.ends[ordinal - 1] };
        let (fired_end, barred_end) = self.ends[ordinal];
        Transition {
            fired: &self.fired[fired_start as usize..fired_end as usize],
            barred: &self.barred[barred_start as usize..barred_end as usize],
            priority: self.priorities.get(ordinal).copied().unwrap_or_default(),
            choices: &self.choices.values,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.fired.clear();
        self.barred.clear();
        self.ends.clear();
        self.priorities.clear();
        self.choices.values.clear();
        self.choices.work = 0;
    }
}

/// An edge that data allows.
#[derive(Clone, Copy, Debug)]
struct Ready {
    fired: Fired,
    process: ProcessId,
    channel: u32,
    committed: bool,
    timed: bool,
}

/// What a process does when something is broadcast: the edges it can receive by, and the one it takes; the
/// one after the last is to take none.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: u32,
    end: u32,
    /// One more than the last choice.
    choices: u32,
    chosen: u32,
}

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
        let here = Here { system, situation, memory, committed: situation.has(Face::COMMITTED) };
        if !system.vectors.is_empty() {
            self.vectors(here, machine, list)?;
        }
        if !system.channels.is_empty() {
            self.channels(here, machine, list)?;
        }
        self.internal(here, machine, list)
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
            if here.committed && face.traits & Face::COMMITTED == 0 {
                continue;
            }
            for edge in ids(face.internal) {
                self.senders.clear();
                collect(here, machine, &mut self.locals, edge, 0, &mut list.choices, &mut self.senders)?;
                for ready in &self.senders {
                    list.fired.push(ready.fired);
                    finish(here.system, here.system.internal_priority, list);
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
        list.choices.burn(pairs, &here.system.edges[self.senders[0].fired.edge])
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
                list.choices.burn(2 * Choices::FOUND, &here.system.edges[sender.fired.edge])?;
                list.fired.extend([sender.fired, receiver.fired]);
                finish(here.system, here.system.channels[sender.channel as usize].priority, list);
            }
        }
        Ok(())
    }

    fn broadcast(&mut self, here: Here<'_>, sender: Ready, list: &mut Transitions) -> Outcome {
        self.group(&sender);
        let edges = 1 + self.groups.len() as u32;
        loop {
            list.choices.burn(edges * Choices::FOUND, &here.system.edges[sender.fired.edge])?;
            let takes =
                |group: &Group| self.members.get(group.start as usize + group.chosen as usize).copied();
            let receives = |group: &Group| takes(group).filter(|_| group.chosen < group.end - group.start);
            let committed =
                sender.committed || self.groups.iter().filter_map(receives).any(|ready| ready.committed);
            if !here.committed || committed {
                list.fired.push(sender.fired);
                for group in &self.groups {
                    match receives(group) {
                        Some(ready) => list.fired.push(ready.fired),
                        None => {
                            let left_out = &self.members[group.start as usize..group.end as usize];
                            list.barred.extend(left_out.iter().map(|ready| ready.fired));
                        }
                    }
                }
                finish(here.system, here.system.channels[sender.channel as usize].priority, list);
            }
            if !advance(&mut self.groups) {
                return Ok(());
            }
        }
    }

    /// Groups what can be received from a sender by process, in system order.
    fn group(&mut self, sender: &Ready) {
        self.groups.clear();
        self.members.clear();
        for receiver in self.receivers.iter().filter(|receiver| matches(sender, receiver)) {
            let new = self.members.last().is_none_or(|last| last.process != receiver.process);
            if new {
                let start = self.members.len() as u32;
                self.groups.push(Group { start, end: start, choices: 0, chosen: 0 });
            }
            self.members.push(*receiver);
            let group = self.groups.last_mut().expect("one was just begun");
            group.end += 1;
        }
        for group in &mut self.groups {
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
                self.groups.push(Group { start, end, choices: end - start, chosen: 0 });
            } else if !part.weak {
                return Ok(());
            }
        }
        if !self.groups.is_empty() {
            return self.product(here, list);
        }
        Ok(())
    }

    fn product(&mut self, here: Here<'_>, list: &mut Transitions) -> Outcome {
        let edges = self.groups.len() as u32;
        loop {
            list.choices.burn(edges * Choices::FOUND, &here.system.edges[self.members[0].fired.edge])?;
            let chosen = |group: &Group| self.members[(group.start + group.chosen) as usize];
            if !here.committed || self.groups.iter().any(|group| chosen(group).committed) {
                list.fired.extend(self.groups.iter().map(|group| chosen(group).fired));
                finish(here.system, here.system.internal_priority, list);
            }
            if !advance(&mut self.groups) {
                return Ok(());
            }
        }
    }
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

/// Ends the transition whose edges were pushed.
#[inline]
fn finish(system: &System, channel_priority: u32, list: &mut Transitions) {
    let start = list.ends.last().map_or(0, |end| end.0 as usize);
    list.ends.push((list.fired.len() as u32, list.barred.len() as u32));
    if system.has_priorities {
        let processes = list.fired[start..].iter().map(|fired| system.edges[fired.edge].process);
        let process_priority = processes.map(|process| system.process_priority[process]).max().unwrap_or(0);
        list.priorities.push((channel_priority, process_priority));
    }
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
        choices.burn(1, edge)?;
        if allows(here, machine, locals, edge.guard)? {
            choices.burn(Choices::FOUND, edge)?;
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
