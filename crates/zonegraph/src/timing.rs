//! What a step asks of the moment at which it is taken.
//!
//! To turn a path of transitions into a run with delays, only moments have to be found. What the invariants and
//! guards along the path say about them is read off here, as constraints on clocks, step by step; data along the
//! path is known. See `check/src/timing.rs` for how moments are found.

use tourbillon_dbm::{Clock, Constraint};
use tourbillon_system::{LocationSummary, RuntimeError};

use crate::graph::{SymbolicState, Ticks, ZoneGraph, one_has_passed, select};
use crate::update::{Write, initial_writes};
use crate::{delay, guard, invariant, update};

/// What a step asks of time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Timing {
    /// What must hold when it is taken: guards, and invariants of the state that it leaves.
    pub leaving: Vec<Constraint>,
    /// What it does to clocks then, in order.
    pub writes: Vec<Write>,
    /// What must hold just after: invariants of the state that it enters.
    pub entering: Vec<Constraint>,
    /// Whether time can pass in the state that it enters.
    pub may_wait: bool,
    /// The clocks that stand still in the state that it enters.
    pub standing: Vec<Clock>,
}

impl ZoneGraph<'_> {
    /// What being in the initial state asks of time; its writes are what clocks that do not start at 0 are set to.
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

    /// What a transition of a prepared state asks of time.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// If [`next`](Self::next) did not hand out this place.
    pub fn timing(&mut self, state: &SymbolicState, place: usize) -> Result<Timing, RuntimeError> {
        let (system, memory) = (self.system, &state.memory);
        let mut timing = Timing::default();
        let mut note = |constraint| {
            timing.leaving.push(constraint);
            true
        };
        invariant::each(system, &mut self.machine, &self.here, memory, &mut self.locals, &mut note)?;
        let transition = self.transitions.get(place);
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

    /// What it asks of time to go on from a prepared state, which is entered once more as it is.
    ///
    /// # Errors
    /// If the model fails.
    pub fn resume_timing(&mut self, state: &SymbolicState) -> Result<Timing, RuntimeError> {
        let mut timing = self.standing_timing(state)?;
        timing.writes.extend(self.tick_reset());
        Ok(timing)
    }

    /// What it asks of time to be in a prepared state and do nothing.
    fn standing_timing(&mut self, state: &SymbolicState) -> Result<Timing, RuntimeError> {
        let mut timing = Timing::default();
        self.next.copy_from_slice(&state.memory);
        self.enter(&mut timing)?;
        timing.leaving.clone_from(&timing.entering);
        Ok(timing)
    }

    /// What telling that time has passed asks of it, in a prepared state.
    ///
    /// # Errors
    /// If the model fails.
    pub fn tick_timing(&mut self, state: &SymbolicState) -> Result<Timing, RuntimeError> {
        let mut timing = self.standing_timing(state)?;
        if let Some(Ticks { clock, .. }) = self.options.ticks {
            timing.leaving.push(one_has_passed(clock));
            timing.writes.extend(self.tick_reset());
        }
        Ok(timing)
    }

    fn enter(&mut self, timing: &mut Timing) -> Result<(), RuntimeError> {
        self.there.gather(self.system, &self.next);
        let Self { system, machine, locals, next, there, .. } = self;
        invariant::each(system, machine, there, next, locals, &mut |constraint| {
            timing.entering.push(constraint);
            true
        })?;
        if there.has(LocationSummary::RATES) {
            delay::stand(system, machine, there, next, locals, &mut timing.standing)?;
        }
        timing.may_wait = delay::is_allowed(
            system,
            machine,
            &mut self.enumerator,
            &mut self.other,
            self.has_urgent_channels,
            there,
            next,
        )?;
        Ok(())
    }
}
