//! Why a transition is disabled, and which invariants it can violate in its target state.
//!
//! The pipeline drops a transition at the first stage whose result is empty. Diagnostics name that stage, and report
//! invariants that disable a transition for some valuations that satisfy its guards, which is seldom intended. Both
//! are computed for one transition of a prepared state, on the zone after the update and before the invariants of the
//! target. The weakest precondition of these invariants restricts a zone to where the transition can be taken.
//!
//! Violation is a negative property, so it is exact on exact zones and on zones extrapolated by M-bounds, as
//! deadlocks are. The cost is about that of computing the successor again.

use tourbillon_base::Id;
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{GlobalLocationId, Machine, RuntimeError, System};

use crate::graph::{SymbolicState, ZoneGraph};
use crate::{guard, invariant, update};

/// Why a transition that data allows cannot be taken from any valuation of a zone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hindrance {
    /// No valuation satisfies the clock guards.
    Guard,
    /// Where they hold, a transition of higher priority is enabled.
    Outranked,
    /// Where it is enabled, an update would assign a negative value to a clock.
    NegativeClock,
    /// Where it is enabled, an invariant of the target does not hold afterwards.
    Invariant,
}

impl ZoneGraph<'_> {
    /// Why a transition of a prepared state is disabled, given that [`follow`](Self::follow) had no successor.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// If [`next`](Self::next) did not return this index.
    pub fn hindrance(&mut self, state: &SymbolicState, index: usize) -> Result<Hindrance, RuntimeError> {
        if !self.guard(state, index)? {
            return Ok(Hindrance::Guard);
        }
        let pieces = self.pieces(state, index)?;
        if pieces.is_empty() {
            return Ok(Hindrance::Outranked);
        }
        self.update(state, index)?;
        let possible = pieces.into_iter().any(|mut piece| update::clocks(&self.writes, &mut piece));
        Ok(if possible { Hindrance::Invariant } else { Hindrance::NegativeClock })
    }

    /// The part of one of a transition's [`pieces`](Self::pieces) from which it can be taken and the invariants of the target
    /// hold afterwards; nothing if it is empty.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`hindrance`](Self::hindrance).
    pub fn admitted(
        &mut self,
        state: &SymbolicState,
        index: usize,
        piece: &Dbm,
    ) -> Result<Option<Dbm>, RuntimeError> {
        self.update(state, index)?;
        self.zone.copy_from(piece);
        self.gather_target();
        let Self { system, machine, locals, next, zone, target_locations, writes, .. } = self;
        let target_locations = target_locations.current();
        if !invariant::holds(system, machine, target_locations, next, locals)?
            || !update::clocks(writes, zone)
            || !invariant::apply(system, machine, target_locations, next, locals, zone)?
        {
            return Ok(None);
        }
        let before = update::before(writes, zone.clone());
        Ok(before.and_then(|mut before| before.intersect(piece).then_some(before)))
    }

    /// Adds the locations of the target state whose invariants do not hold after a transition of a prepared state, for
    /// some valuation with which it is enabled.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`hindrance`](Self::hindrance).
    pub fn broken_on_entry(
        &mut self,
        state: &SymbolicState,
        index: usize,
        broken: &mut Vec<GlobalLocationId>,
    ) -> Result<(), RuntimeError> {
        if !self.guard(state, index)? {
            return Ok(());
        }
        if !self.system.has_priorities {
            self.update(state, index)?;
            return self.note_broken(broken);
        }
        let pieces = self.pieces(state, index)?;
        if !pieces.is_empty() {
            self.update(state, index)?;
        }
        for piece in &pieces {
            self.zone.copy_from(piece);
            self.note_broken(broken)?;
        }
        Ok(())
    }

    /// Adds the locations whose invariants some valuation of the updated zone violates.
    fn note_broken(&mut self, broken: &mut Vec<GlobalLocationId>) -> Result<(), RuntimeError> {
        self.gather_target();
        let Self { system, machine, locals, next, zone, target_locations, writes, .. } = self;
        let target_locations = target_locations.current();
        if !update::clocks(writes, zone) {
            return Ok(());
        }
        for &location in &target_locations.ids {
            if !broken.contains(&location) && !keeps(system, machine, location, next, locals, zone)? {
                broken.push(location);
            }
        }
        Ok(())
    }
}

/// Whether the invariant of a location holds in the whole zone.
fn keeps(
    system: &System,
    machine: &mut Machine,
    location: GlobalLocationId,
    memory: &[i32],
    locals: &mut [i32],
    zone: &Dbm,
) -> Result<bool, RuntimeError> {
    if let Some(code) = system.places[location].condition
        && !machine.test(&system.program, code, memory, locals)?
    {
        return Ok(false);
    }
    each_constraint(system, machine, location, memory, locals, &mut |constraint| zone.satisfies(constraint))
}

/// Calls `visit` with the constraints of a location's invariant until it returns false. Returns whether it never did.
pub(crate) fn each_constraint(
    system: &System,
    machine: &mut Machine,
    location: GlobalLocationId,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    let summary = &system.faces[location.index()];
    let known = &system.invariants[summary.uppers.0 as usize..summary.others as usize];
    if !known.iter().all(|&constraint| visit(constraint)) {
        return Ok(false);
    }
    let computed = &system.places[location].invariant.computed;
    guard::each_computed(system, machine, computed, memory, locals, visit)
}

#[cfg(test)]
mod tests {
    use tourbillon_model::{Language, ProcessId};

    use super::*;
    use crate::graph::Options;
    use crate::testing::{Network, UNIT, assert_points, satisfies, state};

    /// The edges of a process in a state with `x <= 2`, disabled by their guard, by a transition of higher priority for
    /// `y >= 3`, by a negative value of a clock, by a clock invariant, and by an invariant on data.
    #[test]
    fn the_reason_is_the_first_stage_with_an_empty_result() {
        let mut network = Network::of_language(Language::TChecker, &["x", "y"]);
        let v = network.cell(0);
        let process = network.process(3);
        let [guard, outranked, negative, clocks, _] =
            [(0, 1), (0, 1), (0, 1), (0, 1), (0, 2)].map(|(from, to)| network.edge(process, from, to));
        network.guard(guard, "x>=3");
        network.guard(outranked, "y>=3");
        network.assign(negative, "y", "x", -3);
        network.guard(clocks, "x>1");
        network.invariant(process, 1, "x<=1");
        let condition = network.equals(&v, 1);
        network.location(process, 2).invariant.conditions.push(condition);
        let high = network.process(1);
        let edge = network.edge(high, 0, 0);
        network.guard(edge, "y>=3");
        network.model.processes[ProcessId::from_index(high)].priority = 1;
        let system = network.compile();
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let mut state = state(&system, &network.zone("x<=2"));
        graph.prepare(&mut state).unwrap();
        let reasons: Vec<Hindrance> = (0..5).map(|index| graph.hindrance(&state, index).unwrap()).collect();
        use Hindrance::{Guard, Invariant, NegativeClock, Outranked};
        assert_eq!(reasons, [Guard, Outranked, NegativeClock, Invariant, Invariant]);
        for index in 0..5 {
            let mut successors = 0;
            graph.follow(&state, index, &mut |_| successors += 1).unwrap();
            assert_eq!(successors, 0, "transition {index} is disabled");
        }
    }

    /// `x >= 1, y <= 3`, `y = x - 1` into the invariants `y <= 2` and `x - y < 5, x <= 4` of two processes.
    fn network() -> Network {
        let mut network = Network::of_language(Language::TChecker, &["x", "y"]);
        let first = network.process(2);
        let edge = network.edge(first, 0, 1);
        network.guard(edge, "x>=1, y<=3");
        network.assign(edge, "y", "x", -1);
        network.invariant(first, 1, "y<=2");
        let second = network.process(1);
        network.invariant(second, 0, "x-y<5, x<=4");
        network
    }

    #[test]
    fn a_transition_is_admitted_where_the_invariants_hold_after_it() {
        let network = network();
        let system = network.compile();
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let mut state = state(&system, &network.zone("true"));
        graph.prepare(&mut state).unwrap();
        let pieces = graph.pieces(&state, 0).unwrap();
        let admitted: Vec<Dbm> =
            pieces.iter().filter_map(|piece| graph.admitted(&state, 0, piece).unwrap()).collect();
        let before = network.constraints("x>=1, y<=3, x-y<5, x<=4");
        let after = network.constraints("y<=2, x-y<5, x<=4");
        assert_points(&admitted, 2, 6, |point| {
            satisfies(point, &before) && satisfies(&[point[0], point[0] - UNIT], &after)
        });
    }

    #[test]
    fn a_location_is_reported_if_some_enabled_valuation_violates_its_invariant() {
        let network = network();
        let system = network.compile();
        // Locations are numbered through both processes: 1 is the target of the edge. After the update `y` is `x - 1`, at
        // most 3 by the invariant of the source, and at most 2 if `x <= 3`.
        for (zone, expected) in [("true", vec![1]), ("x<=3", vec![]), ("x<1", vec![])] {
            let mut graph = ZoneGraph::new(&system, Options::exact(&system));
            let mut state = state(&system, &network.zone(zone));
            graph.prepare(&mut state).unwrap();
            let mut broken = Vec::new();
            graph.broken_on_entry(&state, 0, &mut broken).unwrap();
            graph.broken_on_entry(&state, 0, &mut broken).unwrap();
            let broken: Vec<usize> = broken.iter().map(|location| location.index()).collect();
            assert_eq!(broken, expected, "{zone}");
        }
    }

    /// The part in which the invariant would be violated is blocked by a transition of higher priority.
    #[test]
    fn a_violation_at_a_blocked_valuation_is_not_reported() {
        let mut network = network();
        let high = network.process(1);
        let edge = network.edge(high, 0, 0);
        network.guard(edge, "x>3");
        let system = network.compile();
        network.model.processes[ProcessId::from_index(high)].priority = 1;
        let with_priorities = network.compile();
        let broken = [&system, &with_priorities].map(|system| {
            let mut graph = ZoneGraph::new(system, Options::exact(system));
            let mut state = state(system, &network.zone("true"));
            graph.prepare(&mut state).unwrap();
            let mut broken = Vec::new();
            graph.broken_on_entry(&state, 0, &mut broken).unwrap();
            broken.len()
        });
        assert_eq!(broken, [1, 0]);
    }
}
