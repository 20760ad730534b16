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
        self.target_locations.gather(self.system, &self.next);
        let Self { system, machine, locals, next, target_locations, .. } = self;
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
