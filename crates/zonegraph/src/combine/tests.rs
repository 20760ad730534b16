//! Tests of combinations: every valuation has exactly the combinations that are enabled there.

use tourbillon_base::Id;
use tourbillon_model::{ChannelKind, LocationKind};

use super::*;
use crate::graph::{Options, ZoneGraph};
use crate::testing::{EdgeRef, Network, assert_points, in_zone, points, satisfies, state};

/// A broadcast with receivers that have these guards; each inner list is one process. The sender is the first process.
fn broadcast(guards: &[&[&str]]) -> (Network, System) {
    let mut network = Network::new(&["x", "y"]);
    let channel = network.channel(ChannelKind::Broadcast);
    let sender = network.process(2);
    let send = network.edge(sender, 0, 1);
    network.send(send, channel);
    for guards in guards {
        let process = network.process(2);
        for guard in *guards {
            let edge = network.edge(process, 0, 1);
            network.receive(edge, channel);
            network.guard(edge, guard);
        }
    }
    let system = network.compile();
    (network, system)
}

/// The combinations that a zone admits: the edges, the ordinal, and the part of the zone.
fn combinations(system: &System, zone: &Dbm, wanted: Option<&[EdgeRef]>) -> Vec<(Vec<EdgeRef>, u32, Dbm)> {
    let edge_ref = |fired: Fired| {
        let edge = &system.edges[fired.edge];
        EdgeRef(edge.process.index(), edge.index as usize)
    };
    let mut graph = ZoneGraph::new(system, Options::exact(system));
    let mut state = state(system, zone);
    graph.prepare(&mut state).unwrap();
    if let Some(wanted) = wanted {
        graph.narrow(|edge, _| {
            let edge = &system.edges[edge];
            wanted.contains(&EdgeRef(edge.process.index(), edge.index as usize))
        });
    }
    let mut found = Vec::new();
    while let Some(index) = graph.next(&state).unwrap() {
        let transition = graph.transitions().get(index);
        let edges: Vec<EdgeRef> = transition.fired.iter().map(|&fired| edge_ref(fired)).collect();
        let ordinal = graph.transitions().ordinal(index);
        let parts = graph.pieces(&state, index).unwrap();
        assert_eq!(parts.len(), 1, "no priorities");
        found.push((edges, ordinal, parts[0].clone()));
    }
    found
}

/// Every point of the zone is in exactly one combination of two receivers with one edge each: that of the receivers
/// whose guards hold there.
#[test]
fn each_valuation_has_the_combination_of_the_receivers_that_are_enabled() {
    let (network, system) = broadcast(&[&["x>=2, y<3"], &["x-y>1"]]);
    let zone = network.zone("x<=4, y<=4");
    let found = combinations(&system, &zone, None);
    let guards = ["x>=2, y<3", "x-y>1"].map(|text| network.constraints(text));
    for point in points(2, 5) {
        let mut expected = Vec::new();
        if in_zone(&zone, &point) {
            let enabled = (1..).zip(&guards).filter(|(_, guard)| satisfies(&point, guard));
            let receivers = enabled.map(|(process, _)| EdgeRef(process, 0));
            expected.push([EdgeRef(0, 0)].into_iter().chain(receivers).collect::<Vec<_>>());
        }
        let around = found.iter().filter(|(_, _, part)| in_zone(part, &point));
        assert_eq!(around.map(|(edges, ..)| edges.clone()).collect::<Vec<_>>(), expected, "{point:?}");
    }
}

/// A process with two edges, both enabled for `1 <= x <= 2`: it takes either of them there, and none outside.
#[test]
fn a_process_takes_any_of_its_enabled_edges() {
    let (network, system) = broadcast(&[&["x<=2", "x>=1, x<4"]]);
    let found = combinations(&system, &network.zone("x<=5"), None);
    let parts = |edges: &[EdgeRef]| -> Vec<Dbm> {
        let matching = found.iter().filter(|(taken, ..)| taken[1..] == *edges);
        matching.map(|(_, _, part)| part.clone()).collect()
    };
    for (edges, text) in
        [(vec![EdgeRef(1, 0)], "x<=2"), (vec![EdgeRef(1, 1)], "x>=1, x<4"), (vec![], "x>=4, x<=5")]
    {
        let expected = network.constraints(text);
        assert_points(&parts(&edges), 2, 6, |point| satisfies(point, &expected));
    }
}

/// Clocks that run together pass their guards together: of the 2^4 combinations four are feasible for `x == y`.
#[test]
fn infeasible_combinations_are_not_found() {
    let (network, system) = broadcast(&[&["x>=1"], &["y>=1"], &["x>=2"], &["x>=3"]]);
    let found = combinations(&system, &network.zone("x-y==0"), None);
    let receivers: Vec<usize> = found.iter().map(|(edges, ..)| edges.len() - 1).collect();
    assert_eq!(receivers, [4, 3, 2, 0], "in the order of their ranks");
}

#[test]
fn ordinals_identify_combinations_in_every_zone() {
    let (network, system) = broadcast(&[&["x>=2", "y>=2"], &["x-y>1"]]);
    let all = combinations(&system, &network.zone("true"), None);
    let ordinal_of = |edges: &[EdgeRef]| all.iter().find(|(taken, ..)| taken == edges).unwrap().1;
    for (edges, ordinal, _) in &all {
        assert_eq!(*ordinal, ordinal_of(edges));
        assert!(all.iter().all(|(other, number, _)| (other == edges) == (number == ordinal)));
    }
    for (edges, ordinal, _) in combinations(&system, &network.zone("x-y==2"), None) {
        assert_eq!(ordinal, ordinal_of(&edges));
    }
}

/// [`ZoneGraph::next_named`] finds exactly the combinations with an ordinal.
#[test]
fn a_combination_is_found_by_its_ordinal() {
    let (network, system) = broadcast(&[&["x>=2"], &["y>=2"]]);
    let zone = network.zone("true");
    for (edges, ordinal, _) in combinations(&system, &zone, None) {
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let mut state = state(&system, &zone);
        graph.prepare(&mut state).unwrap();
        let mut count = 0;
        while let Some(index) = graph.next_named(&state, ordinal).unwrap() {
            count += 1;
            assert_eq!(graph.transitions().get(index).fired.len(), edges.len());
            assert_eq!(graph.transitions().ordinal(index), ordinal);
        }
        assert!(count > 0);
    }
}

#[test]
fn narrowing_keeps_the_combinations_of_the_wanted_edges() {
    let (network, system) = broadcast(&[&["x>=2"], &["y>=2"]]);
    let wanted = [EdgeRef(0, 0), EdgeRef(1, 0)];
    let found = combinations(&system, &network.zone("true"), Some(&wanted));
    assert!(found.iter().all(|(edges, ..)| *edges == wanted));
    let parts: Vec<Dbm> = found.into_iter().map(|(_, _, part)| part).collect();
    // Where the second process would have to receive, the combination is infeasible.
    let expected = network.constraints("x>=2, y<2");
    assert_points(&parts, 2, 4, |point| satisfies(point, &expected));
}

/// The first receiver is in a committed location, which only it can leave.
#[test]
fn a_combination_leaves_a_committed_location() {
    let (mut network, _) = broadcast(&[&["x>=2"], &["y>=2"]]);
    network.location(1, 0).kind = LocationKind::Committed;
    let system = network.compile();
    let found = combinations(&system, &network.zone("true"), None);
    assert!(found.iter().all(|(edges, ..)| edges.contains(&EdgeRef(1, 0))));
    let parts: Vec<Dbm> = found.into_iter().map(|(_, _, part)| part).collect();
    let expected = network.constraints("x>=2");
    assert_points(&parts, 2, 4, |point| satisfies(point, &expected));
}

#[test]
fn inside_and_outside_are_a_partition_into_zones() {
    let network = Network::new(&["x", "y"]);
    let zone = network.zone("x<=4, y<=4");
    let texts = ["x>1, y<=3, x-y<2", "x<=4", "x>4", "x<=1, y>=2, y-x<1"];
    for text in texts {
        let constraints = network.constraints(text);
        let mut outside = Vec::new();
        let inside = part(zone.clone(), &constraints, Some(&mut outside));
        assert_eq!(inside, part(zone.clone(), &constraints, None), "{text}");
        for point in points(2, 5) {
            let count = outside.iter().filter(|part| in_zone(part, &point)).count();
            let within = in_zone(&zone, &point);
            let expected = within && satisfies(&point, &constraints);
            assert_eq!(inside.iter().any(|part| in_zone(part, &point)), expected, "{text}");
            assert_eq!(count, usize::from(within && !expected), "{text} at {point:?}");
        }
    }
}

/// A broadcast of higher priority, possible from `x = 1` on, blocks an internal edge, whether or not the list is restricted to that edge.
#[test]
fn combinations_that_are_not_wanted_block_those_of_lower_priority() {
    let mut network = Network::new(&["x"]);
    let channel = network.channel(ChannelKind::Broadcast);
    network.model.channels[channel].priority = 1;
    let sender = network.process(2);
    let send = network.edge(sender, 0, 1);
    network.send(send, channel);
    network.guard(send, "x>=1");
    let receiver = network.process(2);
    let receive = network.edge(receiver, 0, 1);
    network.receive(receive, channel);
    network.guard(receive, "x>=2");
    let other = network.process(2);
    let internal = network.edge(other, 0, 1);
    let system = network.compile();
    let expected = network.constraints("x<1");
    for narrowed in [false, true] {
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let mut state = state(&system, &network.zone("x<=4"));
        graph.prepare(&mut state).unwrap();
        if narrowed {
            graph.narrow(|edge, _| system.edges[edge].process.index() == internal.0);
        }
        let index = graph.next(&state).unwrap().expect("the internal edge");
        assert_eq!(graph.transitions().get(index).fired.len(), 1);
        assert_points(&graph.pieces(&state, index).unwrap(), 1, 5, |point| satisfies(point, &expected));
    }
}
