//! Fourth stage: intersects a zone with the invariants of all locations of a discrete state `[BengtssonYi2004]`.
//!
//! It runs three times for a transition: on the zone of the source state, since an extrapolated zone can exceed the
//! invariant (once for all transitions of a state); on the zone after the update; and again after the delay.
//!
//! Invariant: invariants are convex, so that an intersection after a delay removes exactly the valuations that no
//! delay within the invariant reaches.

use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_system::{LocationSummary, Machine, RuntimeError, System};

use crate::guard;
use crate::location_vector::LocationVector;

/// Intersects the zone with the clock constraints of the invariants. Returns false if the intersection is empty.
#[inline]
pub(crate) fn apply(
    system: &System,
    machine: &mut Machine,
    locations: &LocationVector,
    memory: &[i32],
    locals: &mut [i32],
    zone: &mut Dbm,
) -> Result<bool, RuntimeError> {
    if !zone.constrain_uppers(&locations.uppers)
        || !locations.others.iter().all(|&other| zone.constrain(other))
    {
        return Ok(false);
    }
    if !locations.has(LocationSummary::COMPUTED) {
        return Ok(true);
    }
    computed(system, machine, locations, memory, locals, &mut |constraint| zone.constrain(constraint))
}

/// Calls `visit` with the clock constraints of the invariants until it returns false. Returns whether it never did.
pub(crate) fn each(
    system: &System,
    machine: &mut Machine,
    locations: &LocationVector,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    let mut known = locations.uppers.iter().chain(&locations.others);
    Ok(known.all(|&constraint| visit(constraint))
        && computed(system, machine, locations, memory, locals, visit)?)
}

/// As [`each`], for the constraints that depend on data.
#[cold]
fn computed(
    system: &System,
    machine: &mut Machine,
    locations: &LocationVector,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    for &location in &locations.ids {
        let computed = &system.places[location].invariant.computed;
        if !guard::each_computed(system, machine, computed, memory, locals, visit)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the conditions on data in the invariants hold.
#[inline]
pub(crate) fn holds(
    system: &System,
    machine: &mut Machine,
    locations: &LocationVector,
    memory: &[i32],
    locals: &mut [i32],
) -> Result<bool, RuntimeError> {
    if !locations.has(LocationSummary::CONDITION) {
        return Ok(true);
    }
    for &location in &locations.ids {
        if let Some(code) = system.places[location].condition
            && !machine.test(&system.program, code, memory, locals)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}
