//! Cuts a zone down to the invariants of a discrete state: those of all its locations.
//!
//! It runs three times around a transition. On the zone it leaves, since an extrapolated zone can exceed the
//! invariant (once for all transitions of a state); on the zone it leads to; and again after time has passed.

use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{Machine, RuntimeError, System};

use crate::guard;

/// Cuts the zone down to the invariants on clocks. Returns whether anything is left.
#[inline]
pub(crate) fn apply(
    system: &System,
    machine: &mut Machine,
    memory: &[i32],
    locals: &mut [i32],
    zone: &mut Dbm,
) -> Result<bool, RuntimeError> {
    each(system, machine, memory, locals, &mut |constraint| zone.constrain(constraint))
}

/// Calls `visit` with the constraints of the invariants until it answers false. Returns the last answer.
#[inline]
pub(crate) fn each(
    system: &System,
    machine: &mut Machine,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    for place in system.current_places(memory) {
        if !place.invariant.is_true()
            && !guard::each(system, machine, &place.invariant, memory, locals, visit)?
        {
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
    memory: &[i32],
    locals: &mut [i32],
) -> Result<bool, RuntimeError> {
    for place in system.current_places(memory) {
        if let Some(code) = place.condition
            && !machine.test(&system.program, code, memory, locals)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}
