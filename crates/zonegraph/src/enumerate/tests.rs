//! Tests of the enumeration: the transitions of small networks, listed by hand.

use tourbillon_base::Id;
use tourbillon_model::{
    self as model, BinaryOp, ChannelKind, Event, EventId, IndexStep, LocationKind, Participant, SyncVector,
};

use super::*;
use crate::testing::{EdgeRef, Network, Scratch, range};

/// An edge as its process, its index there, and the values of its selections.
type Taken = (usize, usize, Vec<i32>);

fn taken(edge: EdgeRef) -> Taken {
    (edge.0, edge.1, Vec::new())
}

fn enumerated(system: &System, memory: &[i32]) -> Transitions {
    let Scratch { mut machine, locations, .. } = Scratch::new(system, memory);
    let mut list = Transitions::default();
    Enumerator::new(system).enumerate(system, &mut machine, &locations, memory, &mut list).unwrap();
    list
}

fn edges_of(system: &System, list: &Transitions) -> Vec<Vec<Taken>> {
    let edge = |transition: Transition<'_>, fired: Fired| {
        let edge = &system.edges[fired.edge];
        (edge.process.index(), edge.index as usize, transition.selected(fired, system).to_vec())
    };
    (0..list.listed())
        .map(|index| list.get(index))
        .map(|transition| transition.fired.iter().map(|&fired| edge(transition, fired)).collect())
        .collect()
}

fn transitions(system: &System, memory: &[i32]) -> Vec<Vec<Taken>> {
    edges_of(system, &enumerated(system, memory))
}

#[test]
fn internal_edges_leave_the_current_locations_if_their_conditions_hold() {
    let mut network = Network::new(&["x"]);
    let v = network.cell(0);
    let first = network.process(2);
    let [a, b, back] = [(0, 1), (0, 0), (1, 0)].map(|(from, to)| network.edge(first, from, to));
    let condition = network.equals(&v, 1);
    network.when(b, condition);
    let second = network.process(1);
    let own = network.edge(second, 0, 0);
    // A clock guard is not evaluated here.
    network.guard(own, "x>100");
    let system = network.compile();
    assert_eq!(transitions(&system, &[0, 0, 0]), [[taken(a)], [taken(own)]]);
    assert_eq!(transitions(&system, &[0, 0, 1]), [[taken(a)], [taken(b)], [taken(own)]]);
    assert_eq!(transitions(&system, &[1, 0, 1]), [[taken(back)], [taken(own)]]);
}

/// Values `i` from 0 to 2 and `j` from -1 to 0 with `i + j == 1`.
#[test]
fn an_edge_is_listed_for_each_choice_that_its_guard_allows() {
    let mut network = Network::new(&[]);
    let process = network.process(1);
    let edge = network.edge(process, 0, 0);
    let (i, j) = (network.select(edge, range(0, 2)), network.select(edge, range(-1, 0)));
    let (i, j, one) = (network.local(i), network.local(j), network.int(1));
    let sum = network.binary(BinaryOp::Add, i, j);
    let condition = network.binary(BinaryOp::Equal, sum, one);
    network.when(edge, condition);
    let system = network.compile();
    assert_eq!(transitions(&system, &[0]), [[(0, 0, vec![1, 0])], [(0, 0, vec![2, -1])]]);
}

/// A process can send and receive over the same channel, but not with itself.
#[test]
fn a_binary_synchronisation_is_a_pair_of_edges_of_two_processes() {
    let mut network = Network::new(&[]);
    let (channel, other) = (network.channel(ChannelKind::Binary), network.channel(ChannelKind::Binary));
    let processes = [network.process(1), network.process(1)];
    let sends = processes.map(|process| network.edge(process, 0, 0));
    let receives = processes.map(|process| network.edge(process, 0, 0));
    sends.iter().for_each(|&edge| network.send(edge, channel));
    receives.iter().for_each(|&edge| network.receive(edge, channel));
    let unmatched = network.edge(0, 0, 0);
    network.send(unmatched, other);
    let system = network.compile();
    let expected = [[taken(sends[0]), taken(receives[1])], [taken(sends[1]), taken(receives[0])]];
    assert_eq!(transitions(&system, &[0, 0]), expected);
}

/// A channel of an array, by a selection of the sender and by a variable of the receiver.
#[test]
fn a_computed_channel_synchronises_equal_indices() {
    let mut network = Network::new(&[]);
    let v = network.cell(2);
    let first = [(); 3].map(|()| network.channel(ChannelKind::Binary))[0];
    let (sender, receiver) = (network.process(1), network.process(1));
    let (send, receive) = (network.edge(sender, 0, 0), network.edge(receiver, 0, 0));
    let local = network.select(send, range(0, 2));
    let indices = [network.local(local), network.load(&v)].map(|index| {
        let step = IndexStep { index, range: range(0, 2), stride: 1 };
        model::ChannelPlace { first, indices: vec![step] }
    });
    let [sent, received] = indices;
    network.edge_mut(send).action = model::Action::Send(sent);
    network.edge_mut(receive).action = model::Action::Receive(received);
    let system = network.compile();
    for value in 0..3 {
        assert_eq!(transitions(&system, &[0, 0, value]), [[(0, 0, vec![value]), taken(receive)]]);
    }
}

/// A sender, a receiver with two edges, and one whose only edge depends on a variable: each process that can receive
/// does, by one edge.
#[test]
fn a_broadcast_takes_one_edge_of_each_process_that_can_receive() {
    let mut network = Network::new(&[]);
    let v = network.cell(0);
    let channel = network.channel(ChannelKind::Broadcast);
    let (first, sender, last) = (network.process(2), network.process(1), network.process(1));
    let receives = [network.edge(first, 0, 0), network.edge(first, 0, 0)];
    let send = network.edge(sender, 0, 0);
    let perhaps = network.edge(last, 0, 0);
    receives.iter().chain([&perhaps]).for_each(|&edge| network.receive(edge, channel));
    network.send(send, channel);
    let condition = network.equals(&v, 1);
    network.when(perhaps, condition);
    let system = network.compile();
    let [one, two, sent, perhaps] = [receives[0], receives[1], send, perhaps].map(taken);
    let without = [[sent.clone(), one.clone()], [sent.clone(), two.clone()]];
    assert_eq!(transitions(&system, &[0, 0, 0, 0]), without);
    let with = [[sent.clone(), one, perhaps.clone()], [sent.clone(), two, perhaps]];
    assert_eq!(transitions(&system, &[0, 0, 0, 1]), with);
    assert_eq!(transitions(&system, &[1, 0, 0, 0]), [[sent]], "a sender needs no receiver");
}

/// Three processes, the second in a committed location: internal edges, a binary and a broadcast channel. Only transitions
/// that leave the committed location remain.
#[test]
fn a_committed_location_is_left_first() {
    let mut network = Network::new(&[]);
    let (binary, broadcast) = (network.channel(ChannelKind::Binary), network.channel(ChannelKind::Broadcast));
    let processes = [network.process(1), network.process(2), network.process(1)];
    network.location(1, 1).kind = LocationKind::Committed;
    let internal = processes.map(|process| network.edge(process, 0, 0));
    let committed = network.edge(1, 1, 0);
    let send = network.edge(0, 0, 0);
    network.send(send, binary);
    let receives = [network.edge(1, 1, 0), network.edge(2, 0, 0)];
    receives.iter().for_each(|&edge| network.receive(edge, binary));
    let signal = network.edge(0, 0, 0);
    network.send(signal, broadcast);
    let heard = network.edge(2, 0, 0);
    network.receive(heard, broadcast);
    let system = network.compile();
    let [send, signal, heard, committed] = [send, signal, heard, committed].map(taken);
    let [inner, outer] = receives.map(taken);
    assert_eq!(transitions(&system, &[0, 1, 0]), [vec![send.clone(), inner], vec![committed]]);
    let internal: Vec<Vec<Taken>> = internal.iter().map(|&edge| vec![taken(edge)]).collect();
    let rest = [vec![vec![send, outer], vec![signal, heard]], internal].concat();
    assert_eq!(transitions(&system, &[0, 0, 0]), rest);
}

/// A vector of two processes, and one in which the second takes part if it can.
#[test]
fn a_vector_needs_its_participants_except_the_weak_ones() {
    for weak in [false, true] {
        let mut network = Network::of_language(model::Language::TChecker, &[]);
        let event = network.model.events.push(Event { name: "e".to_owned(), span: crate::testing::at(0) });
        let processes = [network.process(1), network.process(2)];
        let edges = processes.map(|process| network.edge(process, 0, 0));
        edges.iter().for_each(|&edge| network.edge_mut(edge).action = model::Action::Event(event));
        let participant = |process: usize, weak| Participant {
            process: ProcessId::from_index(process),
            event: EventId::from_index(0),
            weak,
        };
        let participants = vec![participant(0, false), participant(1, weak)];
        network.model.vectors.push(SyncVector { participants, span: crate::testing::at(0) });
        let system = network.compile();
        let [first, second] = edges.map(taken);
        assert_eq!(transitions(&system, &[0, 0]), [[first.clone(), second]]);
        let alone: Vec<Vec<Taken>> = if weak { vec![vec![first]] } else { Vec::new() };
        assert_eq!(transitions(&system, &[0, 1]), alone, "the second process has no edge there");
    }
}

#[test]
fn a_broadcast_to_a_receiver_with_a_clock_guard_is_deferred() {
    let mut network = Network::new(&["x"]);
    let channel = network.channel(ChannelKind::Broadcast);
    let (sender, receiver) = (network.process(1), network.process(2));
    let (send, timed, untimed) =
        (network.edge(sender, 0, 0), network.edge(receiver, 0, 0), network.edge(receiver, 1, 1));
    network.send(send, channel);
    network.receive(timed, channel);
    network.receive(untimed, channel);
    network.guard(timed, "x>1");
    let system = network.compile();
    let list = enumerated(&system, &[0, 0]);
    assert_eq!((list.listed(), list.synchronisations.len()), (0, 1));
    let edges: Vec<usize> = list.synchronised().map(|edge| system.edges[edge].process.index()).collect();
    assert_eq!(edges, [sender, receiver]);
    assert_eq!(transitions(&system, &[0, 1]), [[taken(send), taken(untimed)]]);
}

/// The list of a state does not depend on the lists made before with the same memory.
#[test]
fn ordinals_depend_on_the_discrete_state_alone() {
    let mut network = Network::new(&["x"]);
    let channel = network.channel(ChannelKind::Broadcast);
    let processes = [network.process(2), network.process(2), network.process(2)];
    for process in processes {
        let (send, receive, internal) =
            (network.edge(process, 0, 1), network.edge(process, 1, 0), network.edge(process, 0, 0));
        network.send(send, channel);
        network.receive(receive, channel);
        network.select(internal, range(0, 1));
    }
    network.guard(EdgeRef(2, 1), "x>1");
    let system = network.compile();
    let mut machine = Machine::new();
    let (mut enumerator, mut reused) = (Enumerator::new(&system), Transitions::default());
    for code in [0, 5, 7, 3, 1, 6, 2, 4, 0] {
        let memory = [code & 1, code >> 1 & 1, code >> 2];
        let locations = Scratch::new(&system, &memory).locations;
        enumerator.enumerate(&system, &mut machine, &locations, &memory, &mut reused).unwrap();
        let fresh = enumerated(&system, &memory);
        assert_eq!(edges_of(&system, &reused), edges_of(&system, &fresh), "{memory:?}");
        assert_eq!(reused.synchronisations.len(), fresh.synchronisations.len());
        assert!((0..reused.listed()).all(|index| reused.ordinal(index) == index as u32));
    }
}

#[test]
fn the_priority_of_a_transition_is_that_of_its_channel_then_of_its_processes() {
    let mut network = Network::new(&[]);
    let channel = network.channel(ChannelKind::Binary);
    network.model.channels[channel].priority = 7;
    network.model.internal_priority = 2;
    let processes = [network.process(1), network.process(1)];
    network.model.processes[ProcessId::from_index(1)].priority = 5;
    let (send, receive) = (network.edge(processes[0], 0, 0), network.edge(processes[1], 0, 0));
    network.send(send, channel);
    network.receive(receive, channel);
    network.edge(processes[0], 0, 0);
    let system = network.compile();
    let list = enumerated(&system, &[0, 0]);
    assert_eq!([0, 1].map(|index| list.get(index).priority), [(7, 5), (2, 0)]);
}

/// 102^3 choices, each of them a transition. The limit is 2^26 units of work at 65 units for a transition, a little more than a
/// million.
#[test]
fn more_than_a_million_transitions_are_refused() {
    let mut network = Network::new(&[]);
    let process = network.process(1);
    let edge = network.edge(process, 0, 0);
    for _ in 0..3 {
        network.select(edge, range(0, 101));
    }
    let system = network.compile();
    let Scratch { mut machine, locations, .. } = Scratch::new(&system, &[0]);
    let mut list = Transitions::default();
    let outcome = Enumerator::new(&system).enumerate(&system, &mut machine, &locations, &[0], &mut list);
    let kind = outcome.map_err(|error| error.kind);
    assert_eq!(kind, Err(EvalErrorKind::TooMany(Multiplied::Selections, 1_000_000)));
}
