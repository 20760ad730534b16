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

#[cfg(test)]
mod tests {
    use tourbillon_model::{CellKind, ClockAtom, ClockCondition, Compare, IndexStep, Range};

    use super::*;
    use crate::testing::{Network, Scratch, assert_points, range, satisfies};

    /// Applies the guard of the first edge in the initial state, with a memory cell overwritten.
    fn guarded(system: &System, cell: Option<(usize, i32)>, zone: &Dbm) -> Result<Option<Dbm>, RuntimeError> {
        let mut memory = system.initial.clone();
        cell.into_iter().for_each(|(slot, value)| memory[slot] = value);
        let Scratch { mut machine, mut locals, .. } = Scratch::new(system, &memory);
        let guard = &system.edges[tourbillon_system::EdgeId::from_index(0)].clocks;
        let mut zone = zone.clone();
        let non_empty = apply(system, &mut machine, guard, &memory, &mut locals, &mut zone)?;
        Ok(non_empty.then_some(zone))
    }

    fn with_guard(text: &str) -> (Network, System) {
        let mut network = Network::new(&["x", "y"]);
        let process = network.process(2);
        let edge = network.edge(process, 0, 1);
        network.guard(edge, text);
        let system = network.compile();
        (network, system)
    }

    #[test]
    fn a_guard_intersects_the_zone() {
        let (network, system) = with_guard("x>=1, x-y<2, y<3");
        let zone = network.zone("x<=4, y<=4, y-x<=1");
        let result = guarded(&system, None, &zone).unwrap().expect("a non-empty intersection");
        let expected = network.constraints("x<=4, y<=4, y-x<=1, x>=1, x-y<2, y<3");
        assert_points(&[result], 2, 5, |point| satisfies(point, &expected));
    }

    #[test]
    fn each_constraint_may_hold_although_the_conjunction_does_not() {
        let (network, system) = with_guard("x<=1, y>=3");
        let guard = &system.edges[tourbillon_system::EdgeId::from_index(0)].clocks;
        let zone = network.zone("x-y>=0");
        assert!(may_hold(guard, &zone), "x = y = 0 satisfies the first, x = y = 3 the second");
        assert_eq!(guarded(&system, None, &zone), Ok(None));
        assert!(!may_hold(guard, &network.zone("x>1")));
        assert!(!may_hold(guard, &network.zone("y<3")));
    }

    /// `x <= v` if `v > 0`, for several values of `v`.
    #[test]
    fn a_bound_and_its_condition_are_evaluated_in_the_state() {
        let mut network = Network::new(&["x"]);
        let v = network.cell(0);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        let (zero, bound, left) = (network.int(0), network.load(&v), network.clock_place("x"));
        let value = network.load(&v);
        let when = Some(network.binary(tourbillon_model::BinaryOp::Less, zero, value));
        let atom = ClockAtom { left, right: None, compare: Compare::LessOrEqual, bound };
        network.edge_mut(edge).guard.clocks.push(ClockCondition { when, atom });
        let system = network.compile();
        let slot = network.slot(&system, &v);
        for value in -1..4i32 {
            let result = guarded(&system, Some((slot, value)), &network.zone("x<=5")).unwrap();
            let limit = if value > 0 { i64::from(value) } else { 5 };
            let result = result.expect("0 satisfies the guard");
            assert_points(&[result], 1, 6, |point| point[0] <= limit * crate::testing::UNIT);
        }
    }

    /// `c[i] == 2`, where `c` are the clocks `x` and `y`.
    #[test]
    fn a_clock_of_an_array_is_found_by_its_index() {
        let mut network = Network::new(&["x", "y"]);
        let i = network.cell(0);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        let index = network.load(&i);
        let mut left = network.clock_place("x");
        left.indices.push(IndexStep { index, range: range(0, 1), stride: 1 });
        let bound = network.int(2);
        let atom = ClockAtom { left, right: None, compare: Compare::Equal, bound };
        network.edge_mut(edge).guard.clocks.push(ClockCondition { when: None, atom });
        let system = network.compile();
        let slot = network.slot(&system, &i);
        for (value, text) in [(0, "x==2"), (1, "y==2")] {
            let result = guarded(&system, Some((slot, value)), &network.zone("true")).unwrap();
            assert_eq!(result, Some(network.zone(text)));
        }
    }

    #[test]
    fn a_bound_that_no_zone_represents_is_an_error_of_the_model() {
        let mut network = Network::new(&["x"]);
        let v = network.cell_of(i32::MAX, Range::INT32, CellKind::State);
        let process = network.process(1);
        let edge = network.edge(process, 0, 0);
        let (left, bound) = (network.clock_place("x"), network.load(&v));
        let atom = ClockAtom { left, right: None, compare: Compare::Less, bound };
        network.edge_mut(edge).guard.clocks.push(ClockCondition { when: None, atom });
        let system = network.compile();
        let error = guarded(&system, None, &network.zone("true")).unwrap_err();
        assert_eq!(error.kind, EvalErrorKind::ClockTooLarge(i32::MAX));
        assert_eq!(error.span, network.model.exprs[bound].span);
    }
}
