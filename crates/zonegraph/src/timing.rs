//! The constraints of a transition on the moment at which it is taken.
//!
//! To turn a path of transitions into a run with delays, only the moments have to be found: data along the path is
//! known. The constraints of invariants and guards along the path are collected here, transition by transition.
//! `check/src/timing.rs` computes the moments.

use tourbillon_dbm::{Clock, Constraint};
use tourbillon_system::{LocationSummary, RuntimeError};

use crate::graph::{SymbolicState, Ticks, ZoneGraph, at_least_one, select};
use crate::update::{Write, initial_writes};
use crate::{delay, guard, invariant, update};

/// The clock constraints and assignments of one transition.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Timing {
    /// What must hold when it is taken: guards, and invariants of the source.
    pub leaving: Vec<Constraint>,
    /// Its assignments to clocks, in order.
    pub writes: Vec<Write>,
    /// What must hold just after: invariants of the target.
    pub entering: Vec<Constraint>,
    /// Whether a delay is possible in the target.
    pub may_wait: bool,
    /// The clocks that are stopped in the target.
    pub standing: Vec<Clock>,
}

impl ZoneGraph<'_> {
    /// The constraints of the initial state; the writes are those of clocks that do not start at 0.
    ///
    /// # Errors
    /// If the model fails.
    pub fn initial_timing(&mut self) -> Result<Timing, RuntimeError> {
        let memory = self.system.initial.clone();
        self.next.copy_from_slice(&memory);
        let mut timing = Timing { writes: initial_writes(self.system).collect(), ..Timing::default() };
        self.enter(&mut timing)?;
        Ok(timing)
    }

    /// The constraints of a transition of a prepared state.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// If [`next`](Self::next) did not return this index.
    pub fn timing(&mut self, state: &SymbolicState, index: usize) -> Result<Timing, RuntimeError> {
        let (system, memory) = (self.system, &state.memory);
        let mut timing = Timing::default();
        let mut note = |constraint| {
            timing.leaving.push(constraint);
            true
        };
        invariant::each(
            system,
            &mut self.machine,
            &self.source_locations,
            memory,
            &mut self.locals,
            &mut note,
        )?;
        let transition = self.transitions.get(index);
        for &fired in transition.fired {
            select(&mut self.locals, system, transition, fired);
            let clocks = &system.edges[fired.edge].clocks;
            guard::each(system, &mut self.machine, clocks, memory, &mut self.locals, &mut note)?;
        }
        let (machine, locals) = (&mut self.machine, &mut self.locals);
        update::data(system, machine, transition, memory, &mut self.next, locals, &mut self.writes)?;
        timing.writes.clone_from(&self.writes);
        self.enter(&mut timing)?;
        Ok(timing)
    }

    /// The constraints of entering a prepared state once more, as [`resume`](Self::resume) does.
    ///
    /// # Errors
    /// If the model fails.
    pub fn resume_timing(&mut self, state: &SymbolicState) -> Result<Timing, RuntimeError> {
        let mut timing = self.stay_timing(state)?;
        timing.writes.extend(self.tick_reset());
        Ok(timing)
    }

    /// The constraints of staying in a prepared state.
    fn stay_timing(&mut self, state: &SymbolicState) -> Result<Timing, RuntimeError> {
        let mut timing = Timing::default();
        self.next.copy_from_slice(&state.memory);
        self.enter(&mut timing)?;
        timing.leaving.clone_from(&timing.entering);
        Ok(timing)
    }

    /// The constraints of a tick in a prepared state.
    ///
    /// # Errors
    /// If the model fails.
    pub fn tick_timing(&mut self, state: &SymbolicState) -> Result<Timing, RuntimeError> {
        let mut timing = self.stay_timing(state)?;
        if let Some(Ticks { clock, .. }) = self.options.ticks {
            timing.leaving.push(at_least_one(clock));
            timing.writes.extend(self.tick_reset());
        }
        Ok(timing)
    }

    fn enter(&mut self, timing: &mut Timing) -> Result<(), RuntimeError> {
        self.gather_target();
        let Self { system, machine, locals, next, target_locations, .. } = self;
        let target_locations = target_locations.current();
        invariant::each(system, machine, target_locations, next, locals, &mut |constraint| {
            timing.entering.push(constraint);
            true
        })?;
        if target_locations.has(LocationSummary::RATES) {
            delay::stopped_clocks(system, machine, target_locations, next, locals, &mut timing.standing)?;
        }
        timing.may_wait = delay::is_allowed(
            system,
            machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            target_locations,
            next,
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_model::{CellKind, LocationKind, Range};
    use tourbillon_system::System;

    use super::*;
    use crate::graph::Options;
    use crate::testing::{Network, state};

    /// `a` with invariant `x <= 3`, an edge for `x > 1, y < 2` with `y = 0`, `b` with invariant `y <= 5` at which `x` is stopped,
    /// and an edge to the urgent `c`.
    fn network() -> Network {
        let mut network = Network::new(&["x", "y"]);
        let process = network.process(3);
        network.invariant(process, 0, "x<=3");
        network.invariant(process, 1, "y<=5");
        let rate = network.int(0);
        network.rate(process, 1, "x", rate);
        network.location(process, 2).kind = LocationKind::Urgent;
        let edge = network.edge(process, 0, 1);
        network.guard(edge, "x>1, y<2");
        network.reset(edge, "y", 0);
        network.edge(process, 1, 2);
        network
    }

    fn timing_at(network: &Network, system: &System, location: i32) -> Timing {
        let mut graph = ZoneGraph::new(system, Options::exact(system));
        let mut state = state(system, &network.zone("true"));
        state.memory[0] = location;
        graph.prepare(&mut state).unwrap();
        graph.timing(&state, 0).unwrap()
    }

    #[test]
    fn a_transition_has_the_constraints_of_its_source_guard_and_target() {
        let network = network();
        let system = network.compile();
        let expected = Timing {
            leaving: network.constraints("x<=3, x>1, y<2"),
            writes: vec![Write::Reset(network.clock("y"), 0.into())],
            entering: network.constraints("y<=5"),
            may_wait: true,
            standing: vec![network.clock("x")],
        };
        assert_eq!(timing_at(&network, &system, 0), expected);
        let second = Timing { leaving: network.constraints("y<=5"), ..Timing::default() };
        assert_eq!(timing_at(&network, &system, 1), second, "the target is urgent");
    }

    #[test]
    fn the_initial_state_is_entered_with_the_initial_values() {
        let mut network = network();
        let y = network.clock("y");
        network.model.clocks[tourbillon_base::Id::from_index(1)].initial = 4;
        let system = network.compile();
        let mut graph = ZoneGraph::new(&system, Options::exact(&system));
        let expected = Timing {
            writes: vec![Write::Reset(y, 4.into())],
            entering: network.constraints("x<=3"),
            may_wait: true,
            ..Timing::default()
        };
        assert_eq!(graph.initial_timing().unwrap(), expected);
    }

    #[test]
    fn a_tick_needs_one_time_unit_and_the_invariant() {
        let mut network = network();
        let field = network.cell_of(0, Range::BOOL, CellKind::State);
        let system = network.compile();
        let y = network.clock("y");
        let ticks = Some(Ticks { clock: y, field: network.slot(&system, &field) });
        let mut graph = ZoneGraph::new(&system, Options { ticks, ..Options::exact(&system) });
        let mut state = state(&system, &network.zone("true"));
        graph.prepare(&mut state).unwrap();
        let resumed = Timing {
            leaving: network.constraints("x<=3"),
            writes: vec![Write::Reset(y, 0.into())],
            entering: network.constraints("x<=3"),
            may_wait: true,
            standing: Vec::new(),
        };
        assert_eq!(graph.resume_timing(&state).unwrap(), resumed);
        let ticked = Timing { leaving: network.constraints("x<=3, y>=1"), ..resumed };
        assert_eq!(graph.tick_timing(&state).unwrap(), ticked);
    }
}
