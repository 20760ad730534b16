//! Synchronisation: which edges form a transition.
//!
//! An edge is *ready* if it starts where its process is and its guard holds, with values for its selections.
//! Steps are made of ready edges:
//!
//! - an edge without a channel, or with an event that no vector names for its process, alone;
//! - over a binary channel, one that sends and one that receives, of different processes;
//! - over a broadcast channel, one that sends and one that receives of every other process that has such;
//! - by a vector, one of every participant: a strong one must have such, a weak one may have none, and not all
//!   have none.
//!
//! There are two ways to the same truth. [`combinations`] builds all steps, [`check`] judges a given one and
//! says what is wrong with it; that they agree is tested. Neither looks at committed locations, priorities or
//! invariants.

use std::sync::Arc;

use tourbillon_base::Id;
use tourbillon_model::{
    Action, ChannelId, ChannelKind, Edge, EvalError, EvalErrorKind, EventId, Frame, Multiplied, Participant,
    ProcessId, SyncVector,
};

use crate::evaluator::StateEvaluator;
use crate::run::Fired;
use crate::violation::Violation;

/// How an edge takes part, its indices evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    Internal,
    Send(ChannelId),
    Receive(ChannelId),
    Event(EventId),
}

#[derive(Clone, Debug)]
pub(crate) struct ReadyEdge {
    pub(crate) fired: Fired,
    pub(crate) label: Label,
}

/// A frame in which the selections have their values.
pub(crate) fn frame(edge: &Edge, selects: &[i32]) -> Frame {
    let mut frame = Frame::new(edge.frame);
    for (select, &value) in edge.selects.iter().zip(selects) {
        frame.locals[select.local as usize] = value;
    }
    frame
}

/// How many choices for one edge are tried, or edges listed for all choices of receivers of one sender: more do not fit
/// into memory.
const CHOICES_MAX: u64 = 1 << 20;

/// That there are not too many choices to list them.
fn count(choices: impl Iterator<Item = u64>, edge: &Edge, what: Multiplied) -> Result<(), EvalError> {
    let all = choices.fold(1, u64::saturating_mul);
    if all > CHOICES_MAX {
        return Err(EvalError { kind: EvalErrorKind::TooMany(what, 1_000_000), span: edge.span });
    }
    Ok(())
}

/// That the selections of an edge do not have too many values together.
pub(crate) fn count_selections(edge: &Edge) -> Result<(), EvalError> {
    count(edge.selects.iter().map(|select| select.range.len()), edge, Multiplied::Selections)
}

/// All values that the selections of an edge can have together.
pub(crate) fn selections(edge: &Edge) -> Vec<Vec<i32>> {
    product(&edge.selects.iter().map(|select| select.range.values().collect()).collect::<Vec<_>>())
}

/// All ways to pick one item of each list.
fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |picked, list| {
        let extended = |picks: &Vec<T>, item: &T| picks.iter().chain([item]).cloned().collect();
        picked.iter().flat_map(|picks| list.iter().map(|item| extended(picks, item))).collect()
    })
}

/// How an edge takes part.
pub(crate) fn label(stage: &mut StateEvaluator<'_>, fired: &Fired) -> Result<Label, EvalError> {
    let edge = &stage.model.processes[fired.process].edges[fired.edge];
    let mut frame = frame(edge, &fired.selects);
    Ok(match &edge.action {
        Action::Internal => Label::Internal,
        Action::Send(place) => Label::Send(stage.channel(place, &mut frame)?),
        Action::Receive(place) => Label::Receive(stage.channel(place, &mut frame)?),
        Action::Event(event) => Label::Event(*event),
    })
}

/// Edges that go wrong, and how.
pub(crate) type FailingEdges = (Vec<Fired>, EvalError);

/// The ready edges of a process among those that are asked for.
pub(crate) fn ready(
    stage: &mut StateEvaluator<'_>,
    process: ProcessId,
    wanted: impl Fn(&Edge) -> bool,
) -> Result<Vec<ReadyEdge>, EvalError> {
    let mut failing = Vec::new();
    let found = ready_or_failing(stage, process, wanted, &mut failing);
    failing.first().map_or(Ok(found), |(_, error)| Err(*error))
}

/// The same, with those set apart whose guard or channel goes wrong. What takes too long for one selection is not tried
/// for others.
fn ready_or_failing(
    stage: &mut StateEvaluator<'_>,
    process: ProcessId,
    wanted: impl Fn(&Edge) -> bool,
    failing: &mut Vec<FailingEdges>,
) -> Vec<ReadyEdge> {
    let here = stage.state.locations[process.index()];
    let outgoing = Arc::clone(&stage.outgoing);
    let mut found = Vec::new();
    for (index, edge) in outgoing.edges(stage.model, process, here).filter(|(_, edge)| wanted(edge)) {
        if let Err(error) = count_selections(edge) {
            failing.push((vec![Fired { process, edge: index, selects: Vec::new() }], error));
            continue;
        }
        for selects in selections(edge) {
            let fired = Fired { process, edge: index, selects };
            match ready_label(stage, edge, &fired) {
                Ok(Some(label)) => found.push(ReadyEdge { fired, label }),
                Ok(None) => {}
                Err(error) => {
                    failing.push((vec![fired], error));
                    if error.kind == EvalErrorKind::TooLong {
                        break;
                    }
                }
            }
        }
    }
    found
}

/// How an edge takes part; not at all if its guard does not hold.
fn ready_label(
    stage: &mut StateEvaluator<'_>,
    edge: &Edge,
    fired: &Fired,
) -> Result<Option<Label>, EvalError> {
    if !stage.holds(&edge.guard, &mut frame(edge, &fired.selects))? {
        return Ok(None);
    }
    label(stage, fired).map(Some)
}

/// The edges of a list that a process takes with this label.
fn with_label(ready: &[ReadyEdge], process: ProcessId, label: Label) -> Vec<Fired> {
    let matches = |ready: &&ReadyEdge| ready.fired.process == process && ready.label == label;
    ready.iter().filter(matches).map(|ready| ready.fired.clone()).collect()
}

/// All steps by guards and synchronisation alone.
pub(crate) fn combinations(stage: &mut StateEvaluator<'_>) -> Result<Vec<Vec<Fired>>, EvalError> {
    let mut failing = Vec::new();
    let steps = combinations_or_failing(stage, &mut failing);
    failing.first().map_or(Ok(steps), |(_, error)| Err(*error))
}

/// The same, as if edges that go wrong were not ready; these are set apart. Without them, a step of others may not be
/// legal: [`check`] tells.
pub(crate) fn combinations_or_failing(
    stage: &mut StateEvaluator<'_>,
    failing: &mut Vec<FailingEdges>,
) -> Vec<Vec<Fired>> {
    let mut all = Vec::new();
    for process in stage.model.processes.ids() {
        all.extend(ready_or_failing(stage, process, |_| true, failing));
    }
    let mut steps = Vec::new();
    for one in &all {
        match one.label {
            Label::Internal => steps.push(vec![one.fired.clone()]),
            Label::Send(channel) => match synchronised(stage, one, channel, &all) {
                Ok(found) => steps.extend(found),
                Err(error) => failing.push((vec![one.fired.clone()], error)),
            },
            Label::Receive(_) => {}
            Label::Event(event) if is_joint(stage, one.fired.process, event) => {}
            Label::Event(_) => steps.push(vec![one.fired.clone()]),
        }
    }
    for vector in &stage.model.vectors {
        let joined = joined(stage, vector, &all).unwrap_or_else(|failed| {
            failing.push(failed);
            Vec::new()
        });
        for step in joined {
            // Two vectors can ask for the same edges.
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps
}

/// The steps over a channel that this edge starts.
fn synchronised(
    stage: &StateEvaluator<'_>,
    sender: &ReadyEdge,
    channel: ChannelId,
    all: &[ReadyEdge],
) -> Result<Vec<Vec<Fired>>, EvalError> {
    let others = stage.model.processes.ids().filter(|&process| process != sender.fired.process);
    let receivers = others.map(|process| with_label(all, process, Label::Receive(channel)));
    let receivers: Vec<Vec<Fired>> = receivers.filter(|edges| !edges.is_empty()).collect();
    let sets = match stage.model.channels[channel].kind {
        ChannelKind::Binary => receivers.into_iter().flatten().map(|fired| vec![fired]).collect(),
        ChannelKind::Broadcast => {
            let edge = &stage.model.processes[sender.fired.process].edges[sender.fired.edge];
            let sets = receivers.iter().map(|edges| edges.len() as u64);
            count(sets.chain([1 + receivers.len() as u64]), edge, Multiplied::Receivers)?;
            product(&receivers)
        }
    };
    Ok(sets.into_iter().map(|receivers| [vec![sender.fired.clone()], receivers].concat()).collect())
}

/// The steps of a vector.
fn joined(
    stage: &StateEvaluator<'_>,
    vector: &SyncVector,
    all: &[ReadyEdge],
) -> Result<Vec<Vec<Fired>>, FailingEdges> {
    let mut parts: Vec<Vec<Fired>> = Vec::new();
    for &Participant { process, event, weak } in &vector.participants {
        let edges = with_label(all, process, Label::Event(event));
        if !edges.is_empty() {
            parts.push(edges);
        } else if !weak {
            return Ok(Vec::new());
        }
    }
    let Some(first) = parts.first().map(|edges| &edges[0]) else { return Ok(Vec::new()) };
    let edge = &stage.model.processes[first.process].edges[first.edge];
    let sets = parts.iter().map(|edges| edges.len() as u64);
    count(sets.chain([parts.len() as u64]), edge, Multiplied::Participants)
        .map_err(|error| (vec![first.clone()], error))?;
    Ok(product(&parts))
}

/// Whether a vector names the event for the process, which then never takes it alone.
fn is_joint(stage: &StateEvaluator<'_>, process: ProcessId, event: EventId) -> bool {
    let names = |participant: &Participant| participant.process == process && participant.event == event;
    stage.model.vectors.iter().any(|vector| vector.participants.iter().any(names))
}

/// That these edges are ready and make a step together, in this order.
pub(crate) fn check(stage: &mut StateEvaluator<'_>, action: &[Fired]) -> Result<(), Violation> {
    let mut labels = Vec::new();
    for (index, fired) in action.iter().enumerate() {
        if action[..index].iter().any(|other| other.process == fired.process) {
            return Err(Violation::Twice(fired.process));
        }
        labels.push(check_edge(stage, fired)?);
    }
    let not_together = || Err(Violation::NotTogether(action.to_vec()));
    match (labels.as_slice(), action) {
        ([], _) => Err(Violation::Nothing),
        ([Label::Internal], _) => Ok(()),
        ([Label::Event(event)], [fired]) if !is_joint(stage, fired.process, *event) => Ok(()),
        ([Label::Event(_), ..], _) => check_vectors(stage, action, &labels),
        ([Label::Send(channel), receivers @ ..], _) => {
            if receivers.iter().any(|&label| label != Label::Receive(*channel)) {
                return not_together();
            }
            match stage.model.channels[*channel].kind {
                ChannelKind::Binary if receivers.len() == 1 => Ok(()),
                ChannelKind::Broadcast if is_in_system_order(&action[1..]) => {
                    check_nobody_left_out(stage, action, *channel)
                }
                _ => not_together(),
            }
        }
        _ => not_together(),
    }
}

/// That an edge is ready; how it takes part.
fn check_edge(stage: &mut StateEvaluator<'_>, fired: &Fired) -> Result<Label, Violation> {
    let process = stage.model.processes.get(fired.process);
    let edge = process.and_then(|process| process.edges.get(fired.edge));
    let Some(edge) = edge.filter(|edge| edge.selects.len() == fired.selects.len()) else {
        return Err(Violation::NoEdge(fired.clone()));
    };
    if edge.source != stage.state.locations[fired.process.index()] {
        return Err(Violation::Elsewhere(fired.clone()));
    }
    if edge.selects.iter().zip(&fired.selects).any(|(select, &value)| !select.range.contains(value)) {
        return Err(Violation::Selection(fired.clone()));
    }
    if !stage.holds(&edge.guard, &mut frame(edge, &fired.selects))? {
        return Err(Violation::Guard(fired.clone()));
    }
    Ok(label(stage, fired)?)
}

fn is_in_system_order(receivers: &[Fired]) -> bool {
    receivers.is_sorted_by(|one, other| one.process < other.process)
}

/// That every process that can receive does.
fn check_nobody_left_out(
    stage: &mut StateEvaluator<'_>,
    action: &[Fired],
    channel: ChannelId,
) -> Result<(), Violation> {
    for process in stage.model.processes.ids() {
        let takes_part = action.iter().any(|fired| fired.process == process);
        let receives = |edge: &Edge| matches!(edge.action, Action::Receive(_));
        let can = |ready: &ReadyEdge| ready.label == Label::Receive(channel);
        if !takes_part && ready(stage, process, receives)?.iter().any(can) {
            return Err(Violation::LeftOut(process));
        }
    }
    Ok(())
}

/// That some vector joins these edges.
fn check_vectors(
    stage: &mut StateEvaluator<'_>,
    action: &[Fired],
    labels: &[Label],
) -> Result<(), Violation> {
    let mut why = Violation::NotTogether(action.to_vec());
    for vector in &stage.model.vectors {
        match check_vector(stage, vector, action, labels) {
            Err(Violation::NotTogether(_)) => {}
            Err(left_out @ Violation::LeftOut(_)) => why = left_out,
            decided => return decided,
        }
    }
    Err(why)
}

fn check_vector(
    stage: &mut StateEvaluator<'_>,
    vector: &SyncVector,
    action: &[Fired],
    labels: &[Label],
) -> Result<(), Violation> {
    let mut given = action.iter().zip(labels).peekable();
    let mut left_out = None;
    for &Participant { process, event, weak } in &vector.participants {
        let label = Label::Event(event);
        if given.next_if(|&(fired, &other)| fired.process == process && other == label).is_some() {
            continue;
        }
        if !weak {
            return Err(Violation::NotTogether(action.to_vec()));
        }
        if ready(stage, process, |edge| edge.action == Action::Event(event))?.is_empty() {
            continue;
        }
        left_out = left_out.or(Some(process));
    }
    match (given.next(), left_out) {
        (Some(_), _) => Err(Violation::NotTogether(action.to_vec())),
        (None, Some(process)) => Err(Violation::LeftOut(process)),
        (None, None) => Ok(()),
    }
}
