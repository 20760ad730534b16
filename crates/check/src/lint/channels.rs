//! Channels without sender or receiver, or with one process on both sides.
//!
//! Over a binary channel a sender needs a receiver and conversely: without one of them, no edge of the channel is ever enabled. A
//! broadcast without receivers is sent all the same, which is worth knowing and no error. An array counts as one channel, since the
//! index may depend on the state.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::Span;
use tourbillon_model::{Action, ChannelId, ChannelKind, Edge, Model, ProcessId};

/// A channel without sender or receiver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneSided {
    /// The channel, or the first of an array.
    pub channel: ChannelId,
    /// Whether it is an array of channels.
    pub array: bool,
    pub side: Side,
    /// The edges that use it, one for each edge of a template.
    pub edges: Vec<(ProcessId, usize)>,
}

/// The missing side of a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// No edge uses the channel.
    Unused,
    /// No edge sends.
    Sender,
    /// No edge receives.
    Receiver,
    /// No edge receives a broadcast, which the sender does not need.
    BroadcastReceiver,
    /// Only one process sends, and only the same process receives.
    Other,
}

/// The processes on both sides of a channel, and their edges.
#[derive(Default)]
struct Users {
    senders: BTreeSet<ProcessId>,
    receivers: BTreeSet<ProcessId>,
    edges: BTreeMap<Span, (ProcessId, usize)>,
}

/// The channels without sender or receiver, in the order of their declarations.
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
    let mut listed = BTreeSet::new();
    let mut list = Vec::new();
    for (id, channel) in model.channels.enumerate().filter(|(_, channel)| listed.insert(channel.span)) {
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

/// The channel of an edge, or the first channel of its array.
pub(super) fn channel_of(edge: &Edge) -> Option<ChannelId> {
    match &edge.action {
        Action::Send(place) | Action::Receive(place) => Some(place.first),
        Action::Internal | Action::Event(_) => None,
    }
}
