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
        self.target_locations.gather(self.system, &self.next);
        let Self { system, machine, locals, next, zone, target_locations, writes, .. } = self;
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
        self.target_locations.gather(self.system, &self.next);
        let Self { system, machine, locals, next, zone, target_locations, writes, .. } = self;
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
