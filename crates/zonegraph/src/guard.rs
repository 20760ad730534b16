//! Second stage: intersects a zone with the clock guard of a transition `[BengtssonYi2004]`.
//!
//! Constraints known when the model was compiled are applied as they are. Before the zone is copied they are
//! tested one by one, which refuses most disabled transitions at the cost of an addition each. Constraints in
//! which a bound, a clock or a condition depends on data are evaluated in the source state of the transition.
//!
//! Invariant: the zone afterwards is the set of valuations of the zone before that satisfy the guard.

use tourbillon_base::Id;
use tourbillon_dbm::{Clock, Constant, Constraint, Dbm};
use tourbillon_model::EvalErrorKind;
use tourbillon_system::{
    Atom, ClockGuard, ClockRef, ComputedTest, Machine, RuntimeError, System, constraints,
};

/// Whether the zone intersects each known constraint. If not, the guard is unsatisfiable in the zone and nothing is copied;
/// if so, the conjunction may still be.
#[inline]
pub(crate) fn may_hold(guard: &ClockGuard, zone: &Dbm) -> bool {
    guard.fixed.iter().all(|&constraint| zone.admits(constraint))
}

/// Intersects the zone with a guard. Returns false if the intersection is empty.
#[inline]
pub(crate) fn apply(
    system: &System,
    machine: &mut Machine,
    guard: &ClockGuard,
    memory: &[i32],
    locals: &mut [i32],
    zone: &mut Dbm,
) -> Result<bool, RuntimeError> {
    each(system, machine, guard, memory, locals, &mut |constraint| zone.constrain(constraint))
}

/// Calls `visit` with the constraints of a guard until it returns false. Returns whether it never did.
#[inline]
pub(crate) fn each(
    system: &System,
    machine: &mut Machine,
    guard: &ClockGuard,
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    for &constraint in &guard.fixed {
        if !visit(constraint) {
            return Ok(false);
        }
    }
    if guard.computed.is_empty() {
        return Ok(true);
    }
    each_computed(system, machine, &guard.computed, memory, locals, visit)
}

/// As [`each`], for the constraints that depend on data; a constraint whose condition is false is skipped.
pub(crate) fn each_computed(
    system: &System,
    machine: &mut Machine,
    tests: &[ComputedTest],
    memory: &[i32],
    locals: &mut [i32],
    visit: &mut impl FnMut(Constraint) -> bool,
) -> Result<bool, RuntimeError> {
    for test in tests {
        if let Some(when) = test.when
            && !machine.test(&system.program, when, memory, locals)?
        {
            continue;
        }
        let (left, right, bound) = resolve(system, machine, &test.atom, memory, locals)?;
        for constraint in constraints(left, right, test.atom.compare, bound) {
            if !visit(constraint) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Evaluates the clocks and the bound of a clock constraint in a discrete state.
pub(crate) fn resolve(
    system: &System,
    machine: &mut Machine,
    atom: &Atom,
    memory: &[i32],
    locals: &mut [i32],
) -> Result<(Clock, Clock, Constant), RuntimeError> {
    let left = clock(system, machine, atom.left, memory, locals)?;
    let right = clock(system, machine, atom.right, memory, locals)?;
    let bound = machine.read(&system.program, atom.bound, memory, locals)?;
    let bound = Constant::new(bound.into())
        .map_err(|_| RuntimeError { kind: EvalErrorKind::ClockTooLarge(bound), span: atom.span })?;
    Ok((left, right, bound))
}

pub(crate) fn clock(
    system: &System,
    machine: &mut Machine,
    clock: ClockRef,
    memory: &[i32],
    locals: &mut [i32],
) -> Result<Clock, RuntimeError> {
    Ok(match clock {
        ClockRef::Fixed(clock) => clock,
        ClockRef::Computed(code) => {
            Clock::from_index(machine.read(&system.program, code, memory, locals)? as usize + 1)
        }
    })
}
