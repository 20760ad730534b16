//! The deadlocked part of a symbolic state `[BehrmannDavidLarsen2004]`.
//!
//! A valuation is deadlocked if no transition is enabled there, nor after any delay. Where a transition is enabled is a
//! federation (guards, and the weakest precondition of the invariants of its target); its past is where a delay leads
//! to it, since invariants are convex and hold at both ends. The zone without the pasts of all transitions is
//! deadlocked. Where no delay is possible the enabled sets themselves are subtracted. Priorities cause no deadlock: a
//! blocked transition is blocked by an enabled one.
//!
//! That is exact on exact zones, and on zones extrapolated by M-bounds, which preserve negative properties
//! as well. Delays here move all clocks: models with stopwatches need `check/src/polyhedra`.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{Dbm, Federation};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::combine::Source;
use crate::delay;
use crate::enumerate::{Enumerator, Transitions};
use crate::exclude::Excluder;
use crate::location_vector::LocationVector;

/// Computes deadlocked parts of zones; reuses its memory.
#[derive(Debug)]
pub(crate) struct DeadlockDetector {
    enumerator: Enumerator,
    list: Transitions,
    other: Transitions,
    excluder: Excluder,
    /// Separate from those of the predicate, whose quantifiers surround `deadlock`.
    pub(crate) locals: Vec<i32>,
    has_urgent_channels: bool,
}

impl DeadlockDetector {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            enumerator: Enumerator::new(system),
            list: Transitions::default(),
            other: Transitions::default(),
            excluder: Excluder::new(system),
            locals: vec![0; system.frame_max()],
            has_urgent_channels: system.channels.iter().any(|channel| channel.urgent),
        }
    }

    /// Whether a delay is possible in a discrete state.
    pub(crate) fn may_delay(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locations: &LocationVector,
        memory: &[i32],
    ) -> Result<bool, RuntimeError> {
        let Self { enumerator, other, has_urgent_channels, .. } = self;
        delay::is_allowed(system, machine, enumerator, other, *has_urgent_channels, locations, memory)
    }

    /// The deadlocked part of a zone, which must lie within the invariants.
    pub(crate) fn deadlocked(
        &mut self,
        system: &System,
        machine: &mut Machine,
        locations: &LocationVector,
        memory: &[i32],
        zone: &Dbm,
    ) -> Result<Federation, RuntimeError> {
        let Self { enumerator, list, other, excluder, locals, has_urgent_channels } = self;
        enumerator.enumerate(system, machine, locations, memory, list)?;
        let may_delay =
            delay::is_allowed(system, machine, enumerator, other, *has_urgent_channels, locations, memory)?;
        let mut rest = Federation::from(zone.clone());
        let source = Source { system, memory, zone, list };
        for index in 0..list.listed() {
            let mut enabled = excluder.enabled(source, machine, locals, list.get(index))?;
            if may_delay || mutants::is(Mutant::DeadlockDelays) {
                enabled.down();
            }
            rest.subtract(&enabled);
            if rest.is_empty() {
                return Ok(rest);
            }
        }
        excluder.subtract_combined(source, machine, locals, may_delay, &mut rest)?;
        Ok(rest)
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_model::{ChannelKind, LocationKind};

    use super::*;
    use crate::testing::{Network, Scratch, assert_points, delayed, delays, satisfies};

    /// The deadlocked part of a zone of the initial discrete state.
    fn deadlocked(network: &Network, system: &System, zone: &str) -> Vec<Dbm> {
        let memory = system.initial.clone();
        let Scratch { mut machine, locations, .. } = Scratch::new(system, &memory);
        let mut detector = DeadlockDetector::new(system);
        let zone = network.zone(zone);
        let deadlocked = detector.deadlocked(system, &mut machine, &locations, &memory, &zone);
        deadlocked.unwrap().zones().to_vec()
    }

    /// A location with the invariant `x <= 5` and two edges: one for `1 <= x <= 2` into the invariant `y <= 3`, one for `y > 4`
    /// with a reset of `x` into the invariant `x < 1, y <= 6`.
    fn network(kind: LocationKind) -> Network {
        let mut network = Network::new(&["x", "y"]);
        let process = network.process(3);
        network.location(process, 0).kind = kind;
        network.invariant(process, 0, "x<=5");
        network.invariant(process, 1, "y<=3");
        network.invariant(process, 2, "x<1, y<=6");
        let first = network.edge(process, 0, 1);
        network.guard(first, "x>=1, x<=2");
        let second = network.edge(process, 0, 2);
        network.guard(second, "y>4");
        network.reset(second, "x", 0);
        network
    }

    /// Whether a transition of [`network`] is enabled at a point: the invariant `x < 1` holds after the reset.
    fn enabled(network: &Network, point: &[i64]) -> bool {
        let alternatives = ["x>=1, x<=2, y<=3", "y>4, y<=6"];
        alternatives.iter().any(|text| satisfies(point, &network.constraints(text)))
    }

    #[test]
    fn a_valuation_is_deadlocked_if_nothing_is_enabled_after_any_delay() {
        let network = network(LocationKind::Normal);
        let invariant = network.constraints("x<=5");
        let parts = deadlocked(&network, &network.compile(), "x<=5");
        assert_points(&parts, 2, 8, |point| {
            let later = delays(8).map(|delay| delayed(point, delay));
            satisfies(point, &invariant)
                && !later.into_iter().any(|later| satisfies(&later, &invariant) && enabled(&network, &later))
        });
    }

    #[test]
    fn without_delay_a_valuation_is_deadlocked_if_nothing_is_enabled_now() {
        for kind in [LocationKind::Urgent, LocationKind::Committed] {
            let network = network(kind);
            let invariant = network.constraints("x<=5");
            let parts = deadlocked(&network, &network.compile(), "x<=5");
            assert_points(&parts, 2, 8, |point| satisfies(point, &invariant) && !enabled(&network, point));
        }
    }

    #[test]
    fn a_blocked_transition_is_no_deadlock() {
        let mut network = network(LocationKind::Normal);
        let other = network.process(1);
        let edge = network.edge(other, 0, 0);
        network.guard(edge, "x<=5");
        network.model.processes[tourbillon_base::Id::from_index(0)].priority = 1;
        assert_eq!(deadlocked(&network, &network.compile(), "x<=5"), []);
    }

    /// A broadcast with a receiver that has the clock guard `x >= 2` and a target with the invariant `y <= 3`. It is enabled
    /// without the receiver for `x < 2`, and with it for `x >= 2, y <= 3`.
    #[test]
    fn combinations_count_where_they_are_enabled_after_a_delay() {
        let mut network = Network::new(&["x", "y"]);
        let channel = network.channel(ChannelKind::Broadcast);
        let (sender, receiver) = (network.process(1), network.process(2));
        let send = network.edge(sender, 0, 0);
        network.send(send, channel);
        network.guard(send, "y>=1");
        let receive = network.edge(receiver, 0, 1);
        network.receive(receive, channel);
        network.guard(receive, "x>=2");
        network.invariant(receiver, 1, "y<=3");
        let parts = deadlocked(&network, &network.compile(), "true");
        let alternatives = ["y>=1, x<2", "y>=1, x>=2, y<=3"].map(|text| network.constraints(text));
        assert_points(&parts, 2, 6, |point| {
            let mut later = delays(6).map(|delay| delayed(point, delay));
            !later.any(|later| alternatives.iter().any(|enabled| satisfies(&later, enabled)))
        });
    }

    #[test]
    fn a_state_without_edges_is_deadlocked_everywhere() {
        let mut network = Network::new(&["x", "y"]);
        network.process(1);
        assert_eq!(deadlocked(&network, &network.compile(), "x<=3"), [network.zone("x<=3")]);
    }
}
