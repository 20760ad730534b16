//! Where a maximal run can end: in time divergence, or in a deadlock `[Tripakis2009]`.
//!
//! A run is maximal if it is infinite, if time diverges after its last transition, or if it reaches a deadlock from
//! which time cannot diverge, because of an invariant or because no delay is possible. The avoided predicate must not
//! hold after any further delay: the valuations for which that is so are the zone without the past of the predicate.
//!
//! Whether time can diverge depends on the invariants alone, so that it is the same for all these valuations of a
//! state. Deadlocks are computed by `deadlock.rs`, and so need exact zones or M-bounds. Delays here move all clocks:
//! models with stopwatches are refused for liveness.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_dbm::{Clock, Dbm, Federation};
use tourbillon_system::RuntimeError;

use crate::graph::{SymbolicState, ZoneGraph};
use crate::{delay, invariant};

/// How a finite maximal run ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Time diverges after its last transition.
    Waits,
    /// In a deadlock from which time cannot diverge.
    Stuck,
}

impl ZoneGraph<'_> {
    /// How a maximal run can end in a prepared state, with a part of the zone in which it does; deadlocks count only if
    /// `stuck`.
    ///
    /// # Errors
    /// If the model fails.
    pub fn ending(
        &mut self,
        state: &SymbolicState,
        stuck: bool,
    ) -> Result<Option<(Ending, Dbm)>, RuntimeError> {
        let Self { system, machine, source_locations, .. } = self;
        let may_delay = delay::is_allowed(
            system,
            machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            source_locations,
            &state.memory,
        )?;
        let delay_safe =
            if may_delay { self.delay_safe(state)? } else { Federation::from(state.zone.clone()) };
        if may_delay {
            for part in delay_safe.zones() {
                if self.time_diverges(state, part)? && !mutants::is(Mutant::DivergenceForgotten) {
                    return Ok(Some((Ending::Waits, part.clone())));
                }
            }
        }
        if !stuck || mutants::is(Mutant::StuckForgotten) {
            return Ok(None);
        }
        let Self { system, machine, source_locations, detector, .. } = self;
        for part in delay_safe.zones() {
            let deadlocked = detector.deadlocked(system, machine, source_locations, &state.memory, part)?;
            if let Some(part) = deadlocked.zones().first() {
                return Ok(Some((Ending::Stuck, part.clone())));
            }
        }
        Ok(None)
    }

    /// The valuations of a state from which no delay leads to the avoided predicate.
    fn delay_safe(&mut self, state: &SymbolicState) -> Result<Federation, RuntimeError> {
        let mut delay_safe = Federation::from(state.zone.clone());
        if self.avoider.is_none() {
            return Ok(delay_safe);
        }
        let future = self.future(state, &state.zone)?;
        let Some(avoider) = &mut self.avoider else { return Ok(delay_safe) };
        match avoider.parts(&state.memory, &future)? {
            None => return Ok(Federation::empty(delay_safe.dimension())),
            Some(parts) => {
                for mut part in parts {
                    part.down();
                    delay_safe.subtract_zone(&part);
                }
            }
        }
        Ok(delay_safe)
    }

    /// The delays of a zone within the invariants.
    fn future(&mut self, state: &SymbolicState, zone: &Dbm) -> Result<Dbm, RuntimeError> {
        let mut future = zone.clone();
        future.up();
        let Self { system, machine, source_locations, locals, .. } = self;
        let non_empty =
            invariant::apply(system, machine, source_locations, &state.memory, locals, &mut future)?;
        debug_assert!(non_empty, "no delay is a delay");
        Ok(future)
    }

    fn time_diverges(&mut self, state: &SymbolicState, part: &Dbm) -> Result<bool, RuntimeError> {
        let future = self.future(state, part)?;
        let mut clocks = future.dimension().iter();
        Ok(clocks.all(|clock| future.bound(clock, Clock::REFERENCE).is_infinite()))
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_model::LocationKind;
    use tourbillon_system::System;

    use super::*;
    use crate::graph::Options;
    use crate::testing::{Network, assert_points, satisfies, state};

    /// The ending in the initial discrete state with a zone, with an avoided predicate if there is a text.
    fn ending(network: &mut Network, zone: &str, avoid: Option<&str>, stuck: bool) -> Option<(Ending, Dbm)> {
        let formulas: Vec<_> = avoid.into_iter().map(|text| network.formula(text)).collect();
        let (system, mut predicates): (System, Vec<_>) = network.compile_with(&formulas);
        let options = Options { avoid: predicates.pop(), ..Options::exact(&system) };
        let mut graph = ZoneGraph::new(&system, options);
        let mut state = state(&system, &network.zone(zone));
        graph.prepare(&mut state).unwrap();
        graph.ending(&state, stuck).unwrap()
    }

    /// A location with an invariant and an edge with a guard, if these are given.
    fn network(invariant: Option<&str>, guard: Option<&str>) -> Network {
        let mut network = Network::new(&["x", "y"]);
        let process = network.process(2);
        invariant.into_iter().for_each(|text| network.invariant(process, 0, text));
        if let Some(text) = guard {
            let edge = network.edge(process, 0, 1);
            network.guard(edge, text);
        }
        network
    }

    #[test]
    fn time_diverges_where_no_invariant_bounds_it() {
        for guard in [None, Some("x>=1")] {
            let found = ending(&mut network(None, guard), "x<=3", None, false);
            assert_eq!(found.map(|(ending, _)| ending), Some(Ending::Waits));
        }
        // A diagonal constraint and a lower bound end no delay.
        let found = ending(&mut network(Some("x-y<2, y>=0"), None), "x<=1", None, false);
        assert_eq!(found.map(|(ending, _)| ending), Some(Ending::Waits));
        assert_eq!(ending(&mut network(Some("x<=3"), None), "x<=3", None, false), None);
    }

    /// With the invariant `x <= 3` and an edge for `x <= 1`, a run ends where `x > 1`.
    #[test]
    fn a_run_ends_in_the_deadlocked_part() {
        let mut network = network(Some("x<=3"), Some("x<=1"));
        let (ending, part) = ending(&mut network, "x<=3", None, true).expect("a deadlock");
        assert_eq!(ending, Ending::Stuck);
        let expected = network.constraints("x>1, x<=3");
        assert_points(&[part], 2, 4, |point| satisfies(point, &expected));
    }

    #[test]
    fn no_run_ends_where_a_transition_is_enabled_later() {
        assert_eq!(ending(&mut network(Some("x<=3"), Some("x>=3")), "x<=3", None, true), None);
    }

    #[test]
    fn a_run_ends_at_once_where_no_delay_is_possible() {
        for (guard, expected) in [(Some("x>=1"), Some("x<1")), (Some("x>=0"), None), (None, Some("true"))] {
            let mut network = network(None, guard);
            network.location(0, 0).kind = LocationKind::Urgent;
            let found = ending(&mut network, "true", None, true);
            assert_eq!(found, expected.map(|text| (Ending::Stuck, network.zone(text))), "{guard:?}");
            assert_eq!(ending(&mut network, "true", None, false), None, "time cannot diverge");
        }
    }

    /// `x == 2` is avoided: time diverges without it from `x > 2` only. `x >= 2` is reached from everywhere.
    #[test]
    fn the_avoided_predicate_must_not_hold_after_any_delay() {
        let mut one = network(None, None);
        let found = ending(&mut one, "true", Some("x==2"), false);
        assert_eq!(found, Some((Ending::Waits, one.zone("x>2"))));
        assert_eq!(ending(&mut network(None, None), "true", Some("x>=2"), true), None);
        // With the invariant `x <= 3` the run ends in a deadlock, for `x > 2` too.
        let mut bounded = network(Some("x<=3"), None);
        let found = ending(&mut bounded, "x<=3", Some("x==2"), true);
        assert_eq!(found, Some((Ending::Stuck, bounded.zone("x>2, x<=3"))));
    }
}
