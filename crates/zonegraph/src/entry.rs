//! What keeps a transition from being taken, and which invariants can be broken where it arrives.
//!
//! The pipeline asks only what a transition leads to, and drops it at the first stage that leaves nothing. Whoever
//! explains a model wants to know which stage that was, and wants to know of invariants that cut a transition short
//! although its guards hold: a modeller seldom means that. Both are answered here for one transition of a
//! prepared state, on the zone as it is just after the updates and before any invariant of the target is applied. And
//! whoever shows where a transition can be taken wants what these invariants forbid to be left out.
//!
//! What is broken is a question about what cannot happen, so it is exact on exact zones and on those extrapolated by
//! M-bounds, as deadlocks are. It costs about as much as computing the successor once more.

use tourbillon_base::Id;
use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{GlobalLocationId, Machine, RuntimeError, System};

use crate::graph::{SymbolicState, ZoneGraph};
use crate::{guard, invariant, update};

/// Why a transition that data allows cannot be taken from a zone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hindrance {
    /// Clock guards hold nowhere.
    Guard,
    /// Wherever they hold, a transition of higher priority is taken.
    Outranked,
    /// Wherever it could be taken, an update would assign a negative value to a clock.
    NegativeClock,
    /// Wherever it could be taken, an invariant forbids what it leads to.
    Invariant,
}

impl ZoneGraph<'_> {
    /// What keeps a transition of a prepared state from being taken, given that
    /// [`follow`](Self::follow) had nothing to hand on.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// If [`next`](Self::next) did not hand out this place.
    pub fn hindrance(&mut self, state: &SymbolicState, place: usize) -> Result<Hindrance, RuntimeError> {
        if !self.guard(state, place)? {
            return Ok(Hindrance::Guard);
        }
        let pieces = self.pieces(state, place)?;
        if pieces.is_empty() {
            return Ok(Hindrance::Outranked);
        }
        self.update(state, place)?;
        let possible = pieces.into_iter().any(|mut piece| update::clocks(&self.writes, &mut piece));
        Ok(if possible { Hindrance::Invariant } else { Hindrance::NegativeClock })
    }

    /// The part of one of a transition's [`pieces`](Self::pieces) from which it can be taken, the invariants of where it
    /// leads included; nothing if there is none.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`hindrance`](Self::hindrance).
    pub fn admitted(
        &mut self,
        state: &SymbolicState,
        place: usize,
        piece: &Dbm,
    ) -> Result<Option<Dbm>, RuntimeError> {
        self.update(state, place)?;
        self.zone.copy_from(piece);
        self.there.gather(self.system, &self.next);
        let Self { system, machine, locals, next, zone, there, writes, .. } = self;
        if !invariant::holds(system, machine, there, next, locals)?
            || !update::clocks(writes, zone)
            || !invariant::apply(system, machine, there, next, locals, zone)?
        {
            return Ok(None);
        }
        let before = update::before(writes, zone.clone());
        Ok(before.and_then(|mut before| before.intersect(piece).then_some(before)))
    }

    /// Adds the locations, in the state that a transition of a prepared state leads to, whose invariants do not
    /// hold for all clock values with which it could be taken.
    ///
    /// # Errors
    /// If the model fails.
    ///
    /// # Panics
    /// As [`hindrance`](Self::hindrance).
    pub fn broken_on_entry(
        &mut self,
        state: &SymbolicState,
        place: usize,
        broken: &mut Vec<GlobalLocationId>,
    ) -> Result<(), RuntimeError> {
        if !self.guard(state, place)? {
            return Ok(());
        }
        if !self.system.has_priorities {
            self.update(state, place)?;
            return self.note_broken(broken);
        }
        let pieces = self.pieces(state, place)?;
        if !pieces.is_empty() {
            self.update(state, place)?;
        }
        for piece in &pieces {
            self.zone.copy_from(piece);
            self.note_broken(broken)?;
        }
        Ok(())
    }

    /// Adds the locations whose invariants the updated zone breaks somewhere.
    fn note_broken(&mut self, broken: &mut Vec<GlobalLocationId>) -> Result<(), RuntimeError> {
        self.there.gather(self.system, &self.next);
        let Self { system, machine, locals, next, zone, there, writes, .. } = self;
        if !update::clocks(writes, zone) {
            return Ok(());
        }
        for &place in &there.places {
            if !broken.contains(&place) && !keeps(system, machine, place, next, locals, zone)? {
                broken.push(place);
            }
        }
        Ok(())
    }
}

/// Whether the invariant of a location holds in the whole zone.
fn keeps(
    system: &System,
    machine: &mut Machine,
    place: GlobalLocationId,
    memory: &[i32],
    locals: &mut [i32],
    zone: &Dbm,
) -> Result<bool, RuntimeError> {
    if let Some(code) = system.places[place].condition
        && !machine.test(&system.program, code, memory, locals)?
    {
        return Ok(false);
    }
    each_constraint(system, machine, place, memory, locals, &mut |constraint| zone.satisfies(constraint))
}

/// Calls `visit` with the constraints of a location's invariant until it answers false. Returns the last answer.
pub(crate) fn each_constraint(
    system: &System,
    machine: &mut Machine,
    place: GlobalLocationId,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    let face = &system.faces[place.index()];
    let known = &system.invariants[face.uppers.0 as usize..face.others as usize];
    if !known.iter().all(|&constraint| visit(constraint)) {
        return Ok(false);
    }
    let computed = &system.places[place].invariant.computed;
    guard::each_computed(system, machine, computed, memory, locals, visit)
}
