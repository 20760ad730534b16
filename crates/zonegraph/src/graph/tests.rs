//! Tests of the whole pipeline: successors against their definition on points, and the order of the stages.

use tourbillon_base::{Id, Random};
use tourbillon_model::{CellKind, ChannelKind, LocationKind, ProcessId, Range};

use super::*;
use crate::testing::{
    Copied, Network, UNIT, assert_points, contains, copied, delayed, delays, points, satisfies, state,
    successors,
};

/// `a` with invariant `x <= 4`, an edge for `x >= 1, y < 3` with `y = 0`, and `b` with invariant `y <= 2, x - y <= 3`.
fn network(kind: LocationKind) -> Network {
    let mut network = Network::new(&["x", "y"]);
    let process = network.process(2);
    network.invariant(process, 0, "x<=4");
    network.invariant(process, 1, "y<=2, x-y<=3");
    network.location(process, 1).kind = kind;
    let edge = network.edge(process, 0, 1);
    network.guard(edge, "x>=1, y<3");
    network.reset(edge, "y", 0);
    network
}

/// A point is in the successor if it is a delay, within the target's invariant, of a point that satisfies it just
/// after the reset, from a point of the source that satisfies its invariant and the guard.
#[test]
fn a_successor_is_guard_update_invariant_and_delay() {
    for kind in [LocationKind::Normal, LocationKind::Urgent] {
        let network = network(kind);
        let source = [network.zone("x<=6, y-x<=1, x-y<=2")];
        let found = successors(&network.compile(), &source[0]);
        assert_eq!(found.len(), 1);
        let (ordinal, memory, zone) = &found[0];
        assert_eq!((*ordinal, memory.as_slice()), (0, [1].as_slice()));
        let [leaving, entered] = ["x<=4, x>=1, y<3", "y<=2, x-y<=3"].map(|text| network.constraints(text));
        let entries: std::collections::HashSet<Vec<i64>> = points(2, 5)
            .into_iter()
            .filter(|point| contains(&source, point) && satisfies(point, &leaving))
            .map(|point| vec![point[0], 0])
            .filter(|point| satisfies(point, &entered))
            .collect();
        assert_points(std::slice::from_ref(zone), 2, 7, |point| {
            let limit = if kind == LocationKind::Normal { point[1] } else { 0 };
            satisfies(point, &entered) && (0..=limit).any(|delay| entries.contains(&delayed(point, -delay)))
        });
    }
}

#[test]
fn the_initial_state_is_delayed_within_its_invariant() {
    let mut network = network(LocationKind::Normal);
    network.model.clocks[Id::from_index(1)].initial = 2;
    let system = network.compile();
    let mut graph = ZoneGraph::new(&system, Options::exact(&system));
    let mut found: Vec<Copied> = Vec::new();
    graph.initial(&mut |successor| found.push(copied(successor))).unwrap();
    assert_eq!(found, [(0, vec![0], network.zone("y-x==2, x<=4"))]);
}

#[test]
fn an_initial_state_that_violates_its_invariant_does_not_exist() {
    let mut network = network(LocationKind::Normal);
    network.invariant(0, 0, "y>=1");
    let system = network.compile();
    let mut graph = ZoneGraph::new(&system, Options::exact(&system));
    graph.initial(&mut |_| panic!("y is 0")).unwrap();
}

/// An extrapolated zone that lies outside the invariant has no successors.
#[test]
fn a_zone_outside_the_invariant_has_no_successors() {
    let network = network(LocationKind::Normal);
    assert_eq!(successors(&network.compile(), &network.zone("x>4")), []);
}

/// Two edges, a broadcast with a receiver with a clock guard, and a tick: listed transitions come first, then
/// combinations, then the tick, and [`ZoneGraph::next`] returns the same transitions as [`ZoneGraph::expand`].
#[test]
fn successors_come_in_the_order_of_their_transitions() {
    let mut network = Network::new(&["x", "tick"]);
    let field = network.cell_of(0, Range::BOOL, CellKind::State);
    let channel = network.channel(ChannelKind::Broadcast);
    let (sender, receiver) = (network.process(1), network.process(1));
    let send = network.edge(sender, 0, 0);
    network.send(send, channel);
    network.edge(sender, 0, 0);
    network.edge(sender, 0, 0);
    let receive = network.edge(receiver, 0, 0);
    network.receive(receive, channel);
    network.guard(receive, "x>=2");
    let system = network.compile();
    let ticks = Some(Ticks { clock: network.clock("tick"), field: network.slot(&system, &field) });
    let mut graph = ZoneGraph::new(&system, Options { ticks, ..Options::exact(&system) });
    let mut source = state(&system, &network.zone("true"));
    let mut ordinals = Vec::new();
    graph.expand(&mut source, &mut |successor| ordinals.push(successor.ordinal)).unwrap();
    assert_eq!(ordinals, [0, 1, 2, 3, TICK]);
    graph.prepare(&mut source).unwrap();
    let mut followed = Vec::new();
    while let Some(index) = graph.next(&source).unwrap() {
        graph.follow(&source, index, &mut |successor| followed.push(successor.ordinal)).unwrap();
    }
    assert_eq!(followed, [0, 1, 2, 3], "a tick is no transition of the network");
    for ordinal in followed {
        graph.prepare(&mut source).unwrap();
        let index = graph.next_named(&source, ordinal).unwrap().expect("a transition of the state");
        assert_eq!(graph.transitions().ordinal(index), ordinal);
        assert_eq!(graph.next_named(&source, ordinal).unwrap(), None);
    }
}

/// A tick is possible one time unit after the last one, resets its clock and sets its field; other transitions
/// clear the field and keep the clock.
#[test]
fn ticks_observe_that_time_passes() {
    let mut network = Network::new(&["x", "tick"]);
    let field = network.cell_of(0, Range::BOOL, CellKind::State);
    let process = network.process(1);
    network.invariant(process, 0, "x<=3");
    network.edge(process, 0, 0);
    let system = network.compile();
    let field = network.slot(&system, &field);
    let ticks = Some(Ticks { clock: network.clock("tick"), field });
    let mut graph = ZoneGraph::new(&system, Options { ticks, ..Options::exact(&system) });
    let mut source = state(&system, &network.zone("x-tick==0, x<=3"));
    source.memory[field] = 1;
    let mut found = Vec::new();
    graph.expand(&mut source, &mut |successor| found.push(copied(successor))).unwrap();
    let after = |ordinal, value, text: &str| {
        let mut memory = system.initial.clone();
        memory[field] = value;
        (ordinal, memory, network.zone(text))
    };
    // The tick happens for 1 <= x <= 3, and time passes afterwards.
    let expected = [after(0, 0, "x-tick==0, x<=3"), after(TICK, 1, "x-tick>=1, x<=3")];
    assert_eq!(found, expected);
    let mut resumed = Vec::new();
    let zone = network.zone("x==2, tick==2");
    graph.resume(&source.memory, &zone, &mut |successor| resumed.push(copied(successor))).unwrap();
    assert_eq!(resumed, [after(0, 0, "x-tick==2, x<=3")]);
    let early = state(&system, &network.zone("x<=3, tick<1"));
    graph.tick(&early, &mut |_| panic!("no time unit has passed")).unwrap();
}

/// The parts of a transition that is blocked for `2 <= x <= 3` continue separately.
#[test]
fn each_part_that_is_not_blocked_has_its_own_successor() {
    let mut network = Network::new(&["x"]);
    let (low, high) = (network.process(2), network.process(1));
    network.location(low, 1).kind = LocationKind::Urgent;
    network.edge(low, 0, 1);
    let edge = network.edge(high, 0, 0);
    network.guard(edge, "x>=2, x<=3");
    network.model.processes[ProcessId::from_index(high)].priority = 1;
    let system = network.compile();
    let found = successors(&system, &network.zone("x<=5"));
    let parts: Vec<Dbm> =
        found.iter().filter(|(ordinal, ..)| *ordinal == 0).map(|(_, _, zone)| zone.clone()).collect();
    assert_eq!(parts.len(), 2);
    assert_points(&parts, 1, 6, |point| point[0] <= 5 * UNIT && !(2 * UNIT..=3 * UNIT).contains(&point[0]));
}

/// The edge leads to a location at which only `y` is compared, by `y <= 2`: `x` is inactive there and U(y) is 2. The exact
/// successor is `x = y, x >= 3`.
#[test]
fn reduction_and_extrapolation_follow_the_delay() {
    let mut network = Network::new(&["x", "y"]);
    let process = network.process(2);
    let edge = network.edge(process, 0, 1);
    network.guard(edge, "x>=3, x<=4");
    let last = network.edge(process, 1, 1);
    network.guard(last, "y<=2");
    network.reset(last, "y", 0);
    let system = network.compile();
    let analysis = tourbillon_system::analyse(&network.model, &[]).unwrap();
    let expand = |options: Options| {
        let mut graph = ZoneGraph::new(&system, options);
        let mut found = Vec::new();
        let mut source = state(&system, &network.zone("x-y==0"));
        graph.expand(&mut source, &mut |successor| found.push(successor.zone.clone())).unwrap();
        found
    };
    let exact = Options::exact(&system);
    let local = Bounds::local(&analysis.local);
    assert_eq!(expand(exact.clone()), [network.zone("x-y==0, x>=3")]);
    let reduced = Options { reduce: true, bounds: local.clone(), ..exact.clone() };
    assert_eq!(expand(reduced), [network.zone("y>=3")]);
    let extrapolated = Options { abstraction: Abstraction::ExtraLuPlus, bounds: local, ..exact };
    assert_eq!(expand(extrapolated.clone()), [network.zone("y>2")], "3 is above U(y)");
    // Splitting keeps the extrapolated zone on its side of the diagonal; the other side is empty.
    let split = Options { diagonals: network.constraints("x-y<1"), ..extrapolated };
    assert_eq!(expand(split), [network.zone("y>2, x-y<1")]);
}

/// Clock bounds come with a successor if a cover relation wants them, and are those of its locations.
#[test]
fn successors_carry_the_clock_bounds_of_their_locations() {
    let mut network = Network::new(&["x"]);
    let process = network.process(2);
    let edges = [network.edge(process, 0, 1), network.edge(process, 1, 0)];
    network.guard(edges[0], "x>=3");
    network.reset(edges[0], "x", 0);
    network.guard(edges[1], "x<=7");
    network.reset(edges[1], "x", 0);
    let system = network.compile();
    let analysis = tourbillon_system::analyse(&network.model, &[]).unwrap();
    let x = network.clock("x");
    let limits =
        |bounds: &ClockBounds| [bounds.lower(x), bounds.upper(x)].map(|limit| limit.map(Constant::get));
    let bounds = Bounds::local(&analysis.local);
    let mut graph = ZoneGraph::new(&system, Options { bounds, ..Options::exact(&system) });
    let mut found = Vec::new();
    let mut source = state(&system, &network.zone("true"));
    graph.expand(&mut source, &mut |successor| found.push(limits(successor.bounds))).unwrap();
    assert_eq!(found, [[None, Some(7)]], "those of the target");
    assert_eq!([0, 1].map(|at| limits(graph.constants(&[at]))), [[Some(3), None], [None, Some(7)]]);
}

/// `y == 1` is avoided in the target, which is entered with `y = 0`: the delay ends before it.
#[test]
fn an_avoided_predicate_restricts_the_delay() {
    let mut network = network(LocationKind::Normal);
    let formula = network.formula("y==1");
    let (system, mut predicates) = network.compile_with(&[formula]);
    let options = Options { avoid: predicates.pop(), ..Options::exact(&system) };
    let mut graph = ZoneGraph::new(&system, options);
    let source = [network.zone("y<1")];
    let mut found = Vec::new();
    graph
        .expand(&mut state(&system, &source[0]), &mut |successor| {
            assert!(successor.stay.is_some());
            found.push(successor.zone.clone());
        })
        .unwrap();
    let entered = network.constraints("x>=1, x<=3");
    let invariant = network.constraints("y<=2, x-y<=3");
    assert_points(&found, 2, 6, |point| {
        let trajectory = delays(2).map(|delay| delayed(point, -delay)).take_while(|point| point[1] >= 0);
        let entry = trajectory.clone().last().expect("no delay is a delay");
        satisfies(point, &invariant)
            && satisfies(&entry, &entered)
            && trajectory.into_iter().all(|point| point[1] != UNIT)
    });
}

/// A model that fails at the second of three transitions: the first successor was passed on, the third was not.
#[test]
fn successors_before_a_failure_are_passed_on() {
    let mut network = Network::new(&[]);
    let v = network.cell(0);
    let process = network.process(1);
    let edges = [(); 3].map(|()| network.edge(process, 0, 0));
    let (one, zero) = (network.int(1), network.load(&v));
    let quotient = network.binary(tourbillon_model::BinaryOp::Divide, one, zero);
    let update = network.set(&v, quotient);
    network.update(edges[1], update);
    let system = network.compile();
    let mut graph = ZoneGraph::new(&system, Options::exact(&system));
    let mut ordinals = Vec::new();
    let mut source = SymbolicState::new(&system);
    let outcome = graph.expand(&mut source, &mut |successor| ordinals.push(successor.ordinal));
    assert_eq!(outcome.map_err(|error| error.kind), Err(EvalErrorKind::DivisionByZero));
    assert_eq!(ordinals, [0]);
}

/// The number of symbolic states of a small automaton, explored by equality of states and counted by hand: an edge for
/// `x >= 1` that resets `x` and counts modulo 3, at a location with the invariant `x <= 2`.
#[test]
fn the_zone_graph_of_a_small_automaton_is_finite() {
    let mut network = Network::new(&["x"]);
    let v = network.cell(0);
    let process = network.process(1);
    network.invariant(process, 0, "x<=2");
    let edge = network.edge(process, 0, 0);
    network.guard(edge, "x>=1");
    network.reset(edge, "x", 0);
    let (old, one, three) = (network.load(&v), network.int(1), network.int(3));
    let sum = network.binary(tourbillon_model::BinaryOp::Add, old, one);
    let rest = network.binary(tourbillon_model::BinaryOp::Remainder, sum, three);
    let update = network.set(&v, rest);
    network.update(edge, update);
    let system = network.compile();
    let mut graph = ZoneGraph::new(&system, Options::exact(&system));
    let mut passed: Vec<(Vec<i32>, Dbm)> = Vec::new();
    graph.initial(&mut |successor| passed.push((successor.memory.to_vec(), successor.zone.clone()))).unwrap();
    let mut next = 0;
    while next < passed.len() {
        let (memory, zone) = passed[next].clone();
        graph
            .expand(&mut SymbolicState { memory, zone }, &mut |successor| {
                let found = (successor.memory.to_vec(), successor.zone.clone());
                if !passed.contains(&found) {
                    passed.push(found);
                }
            })
            .unwrap();
        next += 1;
    }
    let expected: Vec<(Vec<i32>, Dbm)> = (0..3).map(|v| (vec![0, v], network.zone("x<=2"))).collect();
    assert_eq!(passed, expected);
}

/// A random network with guards, resets, invariants, a variable, a broadcast and an urgent channel.
fn random_network(random: &mut Random) -> Network {
    let mut network = Network::new(&["x", "y", "z"]);
    let v = network.cell(0);
    let broadcast = network.channel(ChannelKind::Broadcast);
    let urgent = network.channel(ChannelKind::Binary);
    network.model.channels[Id::from_index(1)].urgent = true;
    let guards = ["true", "x>=1", "y<=2", "x>=1, y<3", "y>2, x<=1, z>=1", "z>1"];
    for _ in 0..3 {
        let process = network.process(3);
        for location in 0..3 {
            network.invariant(process, location, ["true", "x<=4", "y<=3, z<=5"][random.below(3)]);
        }
        for _ in 0..5 {
            let edge = network.edge(process, random.below(3), random.below(3));
            let action = random.below(6);
            match action {
                0 => network.send(edge, broadcast),
                1 => network.receive(edge, broadcast),
                2 => network.send(edge, urgent),
                3 => network.receive(edge, urgent),
                _ => {}
            }
            // Edges over urgent channels have no clock guards.
            if !(2..=3).contains(&action) {
                network.guard(edge, guards[random.below(guards.len())]);
            }
            for clock in ["x", "y", "z"] {
                if random.below(3) == 0 {
                    network.reset(edge, clock, random.below(2) as i32);
                }
            }
            let value = network.int(random.below(3) as i32);
            let update = network.set(&v, value);
            network.update(edge, update);
            if random.below(4) == 0 {
                let condition = network.equals(&v, 1);
                network.when(edge, condition);
            }
        }
    }
    network
}

/// The same successors whether steps are remembered or not; with few numbers, so that they run out.
#[test]
fn remembered_steps_are_those_that_are_computed() {
    let (mut looked_up, mut found) = (0, 0);
    for seed in 0..200 {
        let network = random_network(&mut Random::from_seed(seed));
        let system = network.compile();
        let analysis = tourbillon_system::analyse(&network.model, &[]).unwrap();
        let options = Options {
            abstraction: Abstraction::ExtraLuPlus,
            bounds: Bounds::local(&analysis.local),
            reduce: seed % 2 == 0,
            ..Options::exact(&system)
        };
        let mut computing = ZoneGraph::new(&system, options);
        let mut remembering = computing.fork();
        computing.memo = None;
        let sizes = [(1000, 1000), (7, 1000), (1000, 3)][seed as usize % 3];
        remembering.memo = Some(Box::new(StepMemo::of_sizes(&system, sizes.0, sizes.1)));
        let mut queue: Vec<(Vec<i32>, Dbm)> = Vec::new();
        computing
            .initial(&mut |successor| queue.push((successor.memory.to_vec(), successor.zone.clone())))
            .unwrap();
        for index in 0..150 {
            let Some((memory, zone)) = queue.get(index).cloned() else { break };
            let expand = |graph: &mut ZoneGraph<'_>| {
                let mut state = SymbolicState { memory: memory.clone(), zone: zone.clone() };
                let mut all: Vec<Copied> = Vec::new();
                graph.expand(&mut state, &mut |successor| all.push(copied(successor))).unwrap();
                all
            };
            let computed = expand(&mut computing);
            assert_eq!(expand(&mut remembering), computed, "seed {seed}, state {index}");
            for (_, memory, zone) in computed {
                if !queue.contains(&(memory.clone(), zone.clone())) {
                    queue.push((memory, zone));
                }
            }
        }
        if let Some(memo) = &remembering.memo {
            let counts = memo.counts();
            looked_up += counts.0;
            found += counts.1;
        }
    }
    assert!(found > looked_up / 10 && found < looked_up, "{found} of {looked_up} steps were remembered");
}
