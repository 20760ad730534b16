//! Channels that have one side only, or one process on both.
//!
//! Over a binary channel, whoever sends waits for somebody who receives and the other way round: with one side
//! missing, none of its edges is ever taken. A broadcast that nobody receives is sent all the same, which is worth
//! knowing and no mistake. An array counts as one channel, since which element is meant may depend on the state.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::Span;
use tourbillon_model::{Action, ChannelId, ChannelKind, Edge, Model, ProcessId};

/// A channel with one side only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneSided {
    /// The channel, or the first of an array.
    pub channel: ChannelId,
    /// Whether it is an array.
    pub array: bool,
    /// What is missing.
    pub side: Side,
    /// The edges that use it, one for each edge of a template.
    pub edges: Vec<(ProcessId, usize)>,
}

/// What is missing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Nobody uses it.
    Unused,
    /// Nobody sends.
    Sender,
    /// Nobody receives.
    Receiver,
    /// Nobody receives what is broadcast, which changes nothing for the sender.
    BroadcastReceiver,
    /// Only one process sends, and only the same one receives.
    Other,
}

/// Who is on which side of a channel.
#[derive(Default)]
struct Users {
    senders: BTreeSet<ProcessId>,
    receivers: BTreeSet<ProcessId>,
    edges: BTreeMap<Span, (ProcessId, usize)>,
}

/// The channels of a model with one side only, in the order of their declarations.
pub(super) fn one_sided(model: &Model) -> Vec<OneSided> {
    let mut users: BTreeMap<Span, Users> = BTreeMap::new();
    for (id, process) in model.processes.enumerate() {
        for (index, edge) in process.edges.iter().enumerate() {
            let Some(channel) = channel_of(edge) else { continue };
            let users = users.entry(model.channels[channel].span).or_default();
            let side = match edge.action {
                Action::Send(_) => &mut users.senders,
                _ => &mut users.receivers,
            };
            side.insert(id);
            users.edges.entry(edge.span).or_insert((id, index));
        }
    }
    let mut told = BTreeSet::new();
    let mut list = Vec::new();
    for (id, channel) in model.channels.enumerate().filter(|(_, channel)| told.insert(channel.span)) {
        let users = users.remove(&channel.span).unwrap_or_default();
        if let Some(side) = missing(channel.kind, &users) {
            let array = model.channels.iter().filter(|other| other.span == channel.span).count() > 1;
            let edges = users.edges.into_values().collect();
            list.push(OneSided { channel: id, array, side, edges });
        }
    }
    list
}

fn missing(kind: ChannelKind, users: &Users) -> Option<Side> {
    match (users.senders.is_empty(), users.receivers.is_empty()) {
        (true, true) => Some(Side::Unused),
        (true, false) => Some(Side::Sender),
        (false, true) if kind == ChannelKind::Broadcast => Some(Side::BroadcastReceiver),
        (false, true) => Some(Side::Receiver),
        (false, false) => {
            let alone = users.senders.len() == 1 && users.senders == users.receivers;
            alone.then_some(Side::Other)
        }
    }
}

/// The channel of an edge, or the first of the array that it is one of.
pub(super) fn channel_of(edge: &Edge) -> Option<ChannelId> {
    match &edge.action {
        Action::Send(place) | Action::Receive(place) => Some(place.first),
        Action::Internal | Action::Event(_) => None,
    }
}
