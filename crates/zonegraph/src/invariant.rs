//! Cuts a zone down to the invariants of a discrete state: those of all its locations.
//!
//! It runs three times around a transition. On the zone it leaves, since an extrapolated zone can exceed the
//! invariant (once for all transitions of a state); on the zone it leads to; and again after time has passed.

use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{LocationSummary, Machine, RuntimeError, System};

use crate::guard;
use crate::situation::Situation;

/// Cuts the zone down to the invariants on clocks. Returns whether anything is left.
#[inline]
pub(crate) fn apply(
    system: &System,
    machine: &mut Machine,
    situation: &Situation,
    memory: &[i32],
    locals: &mut [i32],
    zone: &mut Dbm,
) -> Result<bool, RuntimeError> {
    if !zone.constrain_uppers(&situation.uppers)
        || !situation.others.iter().all(|&other| zone.constrain(other))
    {
        return Ok(false);
    }
    if !situation.has(LocationSummary::COMPUTED) {
        return Ok(true);
    }
    computed(system, machine, situation, memory, locals, &mut |constraint| zone.constrain(constraint))
}

/// Calls `visit` with the constraints of the invariants until it answers false. Returns the last answer.
pub(crate) fn each(
    system: &System,
    machine: &mut Machine,
    situation: &Situation,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    let mut known = situation.uppers.iter().chain(&situation.others);
    Ok(known.all(|&constraint| visit(constraint))
        && computed(system, machine, situation, memory, locals, visit)?)
}

/// The same for those that depend on data.
#[cold]
fn computed(
    system: &System,
    machine: &mut Machine,
    situation: &Situation,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    for &place in &situation.places {
        let computed = &system.places[place].invariant.computed;
        if !guard::each_computed(system, machine, computed, memory, locals, visit)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the invariants on data hold.
#[inline]
pub(crate) fn holds(
    system: &System,
    machine: &mut Machine,
    situation: &Situation,
    memory: &[i32],
    locals: &mut [i32],
) -> Result<bool, RuntimeError> {
    if !situation.has(LocationSummary::CONDITION) {
        return Ok(true);
    }
    for &place in &situation.places {
        if let Some(code) = system.places[place].condition
            && !machine.test(&system.program, code, memory, locals)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}
