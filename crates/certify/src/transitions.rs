//! The transitions of a discrete state, by definition.
//!
//! An *instance* is an edge that leaves a present location, with values for its selections, whose conditions on data hold. Instances
//! are combined as channels, events and vectors say. Whether one is enabled may depend on clocks; so a transition has a guard of constraints. Where it takes part in a
//! broadcast or a vector because it is enabled, there is a transition with it, and transitions without it whose guards say that none of the
//! process is enabled: one for each way to be not enabled, so that guards stay conjunctions.
//!
//! The guard also has the constraints that invariants after the transition put on the valuations before it, so that what satisfies it can
//! be mapped by the assignments, and no further. What goes wrong is a transition that leads nowhere.

use std::collections::HashSet;

use tourbillon_base::{Id, Span};
use tourbillon_model::{
    Action, ChannelId, ChannelKind, EvalError, EvalErrorKind, EventId, ExprId, Frame, LocationId,
    LocationKind, Model, Multiplied, NegativeClock, ProcessId,
};

use crate::data::{Clocks, DiscreteState};
use crate::format::Constraint;
use crate::zone::{Assignment, Zone};

/// How many instances of one edge, and how many transitions, a discrete state may have.
const TRANSITIONS_MAX: usize = 1 << 20;

/// An edge of a process, by its number there.
pub(crate) type EdgeNumber = (ProcessId, usize);

/// A model, with what is looked up for every state.
#[derive(Debug)]
pub(crate) struct Network<'m> {
    pub(crate) model: &'m Model,
    /// For each process and location, the edges that leave it.
    outgoing: Vec<Vec<Vec<usize>>>,
    /// The events that vectors name for processes.
    joint: HashSet<(ProcessId, EventId)>,
}

/// What can happen in a discrete state.
#[derive(Debug)]
pub(crate) struct Moves {
    /// The constraints of the invariant.
    pub(crate) invariant: Vec<Constraint>,
    /// Whether the invariant holds as far as data goes, or goes wrong for the valuations that satisfy its constraints.
    pub(crate) invariant_holds: Result<bool, EvalError>,
    pub(crate) time_passes: bool,
    /// The transitions, those of the highest priority first.
    pub(crate) transitions: Vec<Transition>,
}

/// A transition of the valuations that satisfy its guard.
#[derive(Debug)]
pub(crate) struct Transition {
    pub(crate) edges: Vec<EdgeNumber>,
    /// Of the channel, and the highest of the processes.
    pub(crate) priority: (u32, u32),
    pub(crate) guard: Vec<Constraint>,
    /// How many constraints of the guard, from the first on, are not implied by what holds after the transition.
    pub(crate) own: usize,
    pub(crate) effect: Effect,
}

#[derive(Debug)]
pub(crate) enum Effect {
    To {
        vector: Vec<i32>,
        assignments: Vec<Assignment>,
    },
    /// The model goes wrong.
    Fails(EvalError),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    Internal,
    Send(ChannelId),
    Receive(ChannelId),
    Event(EventId),
}

/// An edge that can be taken, as far as data goes.
#[derive(Debug)]
struct Instance {
    edge: EdgeNumber,
    selects: Vec<i32>,
    label: Label,
    guard: Vec<Constraint>,
}

/// Instances of one process of which one takes part if it is enabled.
struct Part<'i> {
    options: Vec<&'i Instance>,
    /// Whether there is no transition if none is enabled.
    is_required: bool,
}

/// Instances that take part so far, and when.
#[derive(Clone)]
struct Combination<'i> {
    chosen: Vec<&'i Instance>,
    guard: Vec<Constraint>,
    /// The valuations of the invariant that satisfy the guard.
    zone: Zone,
}

impl<'m> Network<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let outgoing = model.processes.iter().map(|process| {
            let mut outgoing = vec![Vec::new(); process.locations.len()];
            process
                .edges
                .iter()
                .enumerate()
                .for_each(|(number, edge)| outgoing[edge.source.index()].push(number));
            outgoing
        });
        let participants = model.vectors.iter().flat_map(|vector| &vector.participants);
        let joint = participants.map(|participant| (participant.process, participant.event)).collect();
        Self { model, outgoing: outgoing.collect(), joint }
    }

    pub(crate) fn dimension(&self) -> usize {
        self.model.clocks.len() + 1
    }

    pub(crate) fn edge_span(&self, (process, edge): EdgeNumber) -> Span {
        self.model.processes[process].edges[edge].span
    }

    /// Whether a process is at a committed location.
    pub(crate) fn is_committed(&self, vector: &[i32]) -> bool {
        let at = |(process, &location)| self.kind(process, LocationId::from_index(location as usize));
        self.model.processes.ids().zip(vector).any(|it| at(it) == LocationKind::Committed)
    }

    fn kind(&self, process: ProcessId, location: LocationId) -> LocationKind {
        self.model.processes[process].locations[location].kind
    }

    /// What can happen in a discrete state.
    ///
    /// # Errors
    /// If there are too many transitions to list them.
    pub(crate) fn moves(&self, state: &mut DiscreteState<'m>) -> Result<Moves, EvalError> {
        let mut invariant = Vec::new();
        let invariant_holds = state.invariant(&mut invariant);
        let kinds = || state.locations.iter().zip(self.model.processes.ids()).map(|(&l, p)| self.kind(p, l));
        let is_committed = kinds().any(|kind| kind == LocationKind::Committed);
        let is_normal = kinds().all(|kind| kind == LocationKind::Normal);
        let (mut instances, mut transitions) = (Vec::new(), Vec::new());
        for process in self.model.processes.ids() {
            self.instances(state, process, &mut instances, &mut transitions)?;
        }
        let mut zone = Zone::universal(self.dimension());
        if matches!(invariant_holds, Ok(true)) && zone.constrain_all(&invariant) {
            for combination in self.combinations(&instances, zone)? {
                let committed = |it: &&Instance| {
                    self.kind(it.edge.0, state.locations[it.edge.0.index()]) == LocationKind::Committed
                };
                if !is_committed || combination.chosen.iter().any(committed) {
                    self.take(state, combination, &mut transitions);
                }
            }
        }
        transitions.sort_by_key(|transition: &Transition| std::cmp::Reverse(transition.priority));
        let time_passes = is_normal && !self.is_urgent(&instances);
        Ok(Moves { invariant, invariant_holds, time_passes, transitions })
    }

    /// The instances of a process. A guard that goes wrong does so whatever else could happen.
    fn instances(
        &self,
        state: &mut DiscreteState<'m>,
        process: ProcessId,
        instances: &mut Vec<Instance>,
        failures: &mut Vec<Transition>,
    ) -> Result<(), EvalError> {
        for &number in &self.outgoing[process.index()][state.locations[process.index()].index()] {
            let edge = &self.model.processes[process].edges[number];
            let count = edge.selects.iter().fold(1, |all, select| select.range.len().saturating_mul(all));
            if count > TRANSITIONS_MAX as u64 {
                return Err(too_many(Multiplied::Selections, edge.span));
            }
            for choice in 0..count {
                let selects = selected(choice, edge.selects.iter().map(|select| select.range));
                let mut frame = self.frame((process, number), &selects);
                let mut guard = Vec::new();
                let label = match state.guard(&edge.guard, &mut frame, &mut guard) {
                    Ok(false) => continue,
                    Ok(true) => self.label(state, (process, number), &selects),
                    Err(error) => Err(error),
                };
                let edge = (process, number);
                match label {
                    Ok(label) => instances.push(Instance { edge, selects, label, guard }),
                    Err(error) => failures.push(Transition {
                        edges: vec![edge],
                        priority: (u32::MAX, u32::MAX),
                        own: guard.len(),
                        guard,
                        effect: Effect::Fails(error),
                    }),
                }
            }
        }
        Ok(())
    }

    fn frame(&self, (process, edge): EdgeNumber, selects: &[i32]) -> Frame {
        let edge = &self.model.processes[process].edges[edge];
        let mut frame = Frame::new(edge.frame);
        edge.selects
            .iter()
            .zip(selects)
            .for_each(|(select, &value)| frame.locals[select.local as usize] = value);
        frame
    }

    fn label(
        &self,
        state: &mut DiscreteState<'m>,
        edge: EdgeNumber,
        selects: &[i32],
    ) -> Result<Label, EvalError> {
        Ok(match &self.model.processes[edge.0].edges[edge.1].action {
            Action::Internal => Label::Internal,
            Action::Send(place) => Label::Send(state.channel(place, &mut self.frame(edge, selects))?),
            Action::Receive(place) => Label::Receive(state.channel(place, &mut self.frame(edge, selects))?),
            Action::Event(event) => Label::Event(*event),
        })
    }

    /// Whether a synchronisation over an urgent channel is enabled. No clocks are compared there: see [`unsupported`].
    fn is_urgent(&self, instances: &[Instance]) -> bool {
        instances.iter().any(|sender| match sender.label {
            Label::Send(channel) if self.model.channels[channel].urgent => {
                self.model.channels[channel].kind == ChannelKind::Broadcast
                    || instances
                        .iter()
                        .any(|it| it.label == Label::Receive(channel) && it.edge.0 != sender.edge.0)
            }
            _ => false,
        })
    }

    /// The instances that make a transition together, by guards and synchronisation alone.
    fn combinations<'i>(
        &self,
        instances: &'i [Instance],
        zone: Zone,
    ) -> Result<Vec<Combination<'i>>, EvalError> {
        let mut all = Vec::new();
        let nothing = Combination { chosen: Vec::new(), guard: Vec::new(), zone };
        let of = |process: ProcessId, label: Label| -> Vec<&'i Instance> {
            instances.iter().filter(|it| it.edge.0 == process && it.label == label).collect()
        };
        let too_many = |span| move |what| too_many(what, span);
        for one in instances {
            let too_many = too_many(self.edge_span(one.edge));
            let alone = Part { options: vec![one], is_required: true };
            match one.label {
                Label::Internal => combine(&nothing, &[alone], &mut all).map_err(too_many)?,
                Label::Event(event) if !self.joint.contains(&(one.edge.0, event)) => {
                    combine(&nothing, &[alone], &mut all).map_err(too_many)?;
                }
                Label::Send(channel) => {
                    let others = self.model.processes.ids().filter(|&process| process != one.edge.0);
                    let receivers = others.map(|process| of(process, Label::Receive(channel)));
                    if self.model.channels[channel].kind == ChannelKind::Broadcast {
                        let part = |options| Part { options, is_required: false };
                        let parts: Vec<Part<'_>> =
                            std::iter::once(alone).chain(receivers.map(part)).collect();
                        combine(&nothing, &parts, &mut all).map_err(too_many)?;
                    } else {
                        let options = receivers.flatten().collect();
                        let receiver = Part { options, is_required: true };
                        combine(&nothing, &[alone, receiver], &mut all).map_err(too_many)?;
                    }
                }
                Label::Receive(_) | Label::Event(_) => {}
            }
        }
        for vector in &self.model.vectors {
            let parts = vector.participants.iter().map(|participant| Part {
                options: of(participant.process, Label::Event(participant.event)),
                is_required: !participant.weak,
            });
            combine(&nothing, &parts.collect::<Vec<_>>(), &mut all).map_err(too_many(vector.span))?;
        }
        all.retain(|combination| !combination.chosen.is_empty());
        Ok(all)
    }

    /// What instances that make a transition together lead to.
    fn take(&self, state: &DiscreteState<'m>, combination: Combination<'_>, out: &mut Vec<Transition>) {
        let Combination { chosen, mut guard, .. } = combination;
        let edges: Vec<EdgeNumber> = chosen.iter().map(|it| it.edge).collect();
        let priority = self.priority(&chosen);
        let add = |guard: &[Constraint], own, effect, out: &mut Vec<Transition>| {
            out.push(Transition { edges: edges.clone(), priority, guard: guard.to_vec(), own, effect });
        };
        let mut next = state.clone();
        let values = (0..self.dimension()).map(|clock| (clock, 0)).collect();
        let mut clocks = Clocks { values, ..Clocks::default() };
        let updated = self.update(&mut next, &chosen, &mut clocks);
        let mut own = guard.len();
        for &constraint in &clocks.not_negative {
            match self.model.language.negative_clock() {
                NegativeClock::Fails => {
                    let failing = [guard.as_slice(), &[constraint.negated()]].concat();
                    let error = self.negative(constraint, edges[0]);
                    add(&failing, failing.len(), Effect::Fails(error), out);
                }
                NegativeClock::Disables => own += 1,
            }
            guard.push(constraint);
        }
        if let Err(error) = updated {
            return add(&guard, guard.len(), Effect::Fails(error), out);
        }
        let mut after = Vec::new();
        let holds = next.invariant(&mut after);
        guard.extend(after.iter().map(|&Constraint { left, right, bound }| {
            let ((left, plus), (right, minus)) = (clocks.values[left], clocks.values[right]);
            Constraint { left, right, bound: bound - 2 * plus + 2 * minus }
        }));
        match holds {
            Ok(true) => {
                let assigned =
                    clocks.values.iter().enumerate().filter(|&(clock, &value)| value != (clock, 0));
                let assignments =
                    assigned.map(|(target, &(source, offset))| Assignment { target, source, offset });
                let effect = Effect::To { vector: next.vector(), assignments: assignments.collect() };
                add(&guard, own, effect, out);
            }
            Ok(false) => {}
            Err(error) => add(&guard, guard.len(), Effect::Fails(error), out),
        }
    }

    fn negative(&self, constraint: Constraint, edge: EdgeNumber) -> EvalError {
        let clock = tourbillon_model::ClockId::from_index(constraint.right.saturating_sub(1));
        let value = i32::try_from(constraint.bound >> 1).unwrap_or(i32::MIN);
        let kind = EvalErrorKind::NegativeClock { clock, source: Some(clock), value };
        EvalError { kind, span: self.edge_span(edge) }
    }

    fn update(
        &self,
        next: &mut DiscreteState<'m>,
        chosen: &[&Instance],
        clocks: &mut Clocks<'_>,
    ) -> Result<(), EvalError> {
        let model = self.model;
        let mut all = |next: &mut DiscreteState<'m>, updates: &[ExprId], mut frame: Frame| {
            updates.iter().try_for_each(|&it| next.value_with(model, it, &mut frame, clocks).map(|_| ()))
        };
        all(next, &model.before_update, Frame::new(model.update_frame))?;
        for instance in chosen {
            let (process, edge) = instance.edge;
            let updates = &model.processes[process].edges[edge].updates;
            all(next, updates, self.frame(instance.edge, &instance.selects))?;
        }
        all(next, &model.after_update, Frame::new(model.update_frame))?;
        for instance in chosen {
            let (process, edge) = instance.edge;
            next.locations[process.index()] = model.processes[process].edges[edge].target;
        }
        next.forget_meta();
        Ok(())
    }

    fn priority(&self, chosen: &[&Instance]) -> (u32, u32) {
        let of_channel = match chosen[0].label {
            Label::Send(channel) | Label::Receive(channel) => self.model.channels[channel].priority,
            Label::Internal | Label::Event(_) => self.model.internal_priority,
        };
        let of_processes = chosen.iter().map(|it| self.model.processes[it.edge.0].priority).max();
        (of_channel, of_processes.unwrap_or(0))
    }
}

/// Why a model is beyond what is checked here.
pub(crate) fn unsupported(model: &Model) -> Option<String> {
    let mut locations = model.processes.iter().flat_map(|process| &process.locations);
    if locations.any(|location| !location.rates.is_empty()) {
        return Some("models with stopwatches are not supported".to_owned());
    }
    let mut edges = model.processes.iter().flat_map(|process| &process.edges);
    let is_timed = edges.any(|edge| match &edge.action {
        Action::Send(place) => model.channels[place.first].urgent && !edge.guard.clocks.is_empty(),
        Action::Receive(place) => {
            let channel = &model.channels[place.first];
            channel.urgent && channel.kind == ChannelKind::Binary && !edge.guard.clocks.is_empty()
        }
        Action::Internal | Action::Event(_) => false,
    });
    is_timed.then(|| "clock constraints in guards of urgent synchronisations are not supported".to_owned())
}

fn too_many(what: Multiplied, span: Span) -> EvalError {
    EvalError { kind: EvalErrorKind::TooMany(what, TRANSITIONS_MAX as u32), span }
}

/// The values of selections that a number stands for.
fn selected(mut choice: u64, ranges: impl DoubleEndedIterator<Item = tourbillon_model::Range>) -> Vec<i32> {
    let digit = |range: tourbillon_model::Range| {
        let value = i64::from(range.min) + (choice % range.len()) as i64;
        choice /= range.len();
        value as i32
    };
    let mut values: Vec<i32> = ranges.rev().map(digit).collect();
    values.reverse();
    values
}

/// Appends the combinations of one option of each part, or of none where none is enabled and none is required.
fn combine<'i>(
    so_far: &Combination<'i>,
    parts: &[Part<'i>],
    out: &mut Vec<Combination<'i>>,
) -> Result<(), Multiplied> {
    let Some((part, rest)) = parts.split_first() else {
        if out.len() >= TRANSITIONS_MAX {
            return Err(Multiplied::Receivers);
        }
        out.push(so_far.clone());
        return Ok(());
    };
    for &option in &part.options {
        let mut with = so_far.clone();
        if with.zone.constrain_all(&option.guard) {
            with.chosen.push(option);
            with.guard.extend_from_slice(&option.guard);
            combine(&with, rest, out)?;
        }
    }
    if !part.is_required {
        let without = part.options.iter().fold(vec![so_far.clone()], |all, option| not_enabled(&all, option));
        without.iter().try_for_each(|without| combine(without, rest, out))?;
    }
    Ok(())
}

/// The ways in which an instance is not enabled: the first of its constraints that does not hold is each of them.
fn not_enabled<'i>(all: &[Combination<'i>], option: &Instance) -> Vec<Combination<'i>> {
    let mut found = Vec::new();
    for combination in all {
        let mut before = combination.clone();
        for &constraint in &option.guard {
            let mut failing = before.clone();
            if failing.zone.constrain(constraint.negated()) {
                failing.guard.push(constraint.negated());
                found.push(failing);
            }
            if !before.zone.constrain(constraint) {
                break;
            }
            before.guard.push(constraint);
        }
    }
    found
}
