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

#[cfg(test)]
mod tests {
    use tourbillon_model::{ClockAtom, ClockCondition, Compare};

    use super::*;
    use crate::testing::{Network, Scratch, UNIT, assert_points, satisfies};

    /// Two processes: `x<=3, x-y<2` and `y>=1, y<=v` at their first locations, nothing at their second ones; the first
    /// process also needs `v == 4` at its first location.
    fn network() -> (Network, System) {
        let mut network = Network::new(&["x", "y"]);
        let v = network.cell(4);
        let first = network.process(2);
        network.invariant(first, 0, "x<=3, x-y<2");
        let condition = network.equals(&v, 4);
        network.location(first, 0).invariant.conditions.push(condition);
        let second = network.process(2);
        network.invariant(second, 0, "y>=1");
        let (left, bound) = (network.clock_place("y"), network.load(&v));
        let atom = ClockAtom { left, right: None, compare: Compare::LessOrEqual, bound };
        network.location(second, 0).invariant.clocks.push(ClockCondition { when: None, atom });
        let system = network.compile();
        (network, system)
    }

    /// The zone after the stage, and whether the conditions on data hold.
    fn applied(system: &System, memory: &[i32], mut zone: Dbm) -> (Option<Dbm>, bool) {
        let Scratch { mut machine, mut locals, locations } = Scratch::new(system, memory);
        let holds = holds(system, &mut machine, &locations, memory, &mut locals).unwrap();
        let non_empty = apply(system, &mut machine, &locations, memory, &mut locals, &mut zone).unwrap();
        (non_empty.then_some(zone), holds)
    }

    /// The expected constraints, for each combination of locations and values of `v`: fixed upper bounds, other fixed
    /// constraints, computed ones, and conditions all count exactly at their locations.
    #[test]
    fn a_zone_is_intersected_with_the_invariants_of_the_current_locations() {
        let (network, system) = network();
        for first in 0..2 {
            for second in 0..2 {
                for v in 2..5 {
                    let (zone, holds) = applied(&system, &[first, second, v], network.zone("x<=5, y<=5"));
                    let mut expected = network.constraints("x<=5, y<=5");
                    if first == 0 {
                        expected.extend(network.constraints("x<=3, x-y<2"));
                    }
                    if second == 0 {
                        expected.extend(network.constraints("y>=1"));
                    }
                    let limit = if second == 0 { i64::from(v) * UNIT } else { i64::MAX };
                    let zone = zone.expect("x = y = 1 satisfies all");
                    assert_points(&[zone], 2, 6, |point| satisfies(point, &expected) && point[1] <= limit);
                    assert_eq!(holds, first == 1 || v == 4, "locations {first}, {second}; v = {v}");
                }
            }
        }
    }

    #[test]
    fn an_empty_intersection_is_reported_by_each_kind_of_constraint() {
        let (network, system) = network();
        for (locations, text) in [([0, 1], "x>3"), ([0, 1], "x-y>=2"), ([1, 0], "y<1"), ([1, 0], "y>4")] {
            let memory = [locations[0], locations[1], 4];
            assert_eq!(applied(&system, &memory, network.zone(text)).0, None, "{text}");
            assert!(applied(&system, &[1, 1, 4], network.zone(text)).0.is_some(), "{text}");
        }
    }

    #[test]
    fn each_visits_all_constraints_until_one_is_refused() {
        let (network, system) = network();
        let memory = [0, 0, 4];
        let Scratch { mut machine, mut locals, locations } = Scratch::new(&system, &memory);
        let mut visited = Vec::new();
        let mut visit = |constraint| {
            visited.push(constraint);
            true
        };
        assert!(each(&system, &mut machine, &locations, &memory, &mut locals, &mut visit).unwrap());
        let expected = network.constraints("x<=3, x-y<2, y>=1, y<=4");
        assert_eq!(visited.len(), expected.len());
        assert!(expected.iter().all(|constraint| visited.contains(constraint)), "{visited:?}");
        let mut count = 0;
        let mut refuse_second = |_| {
            count += 1;
            count < 2
        };
        assert!(!each(&system, &mut machine, &locations, &memory, &mut locals, &mut refuse_second).unwrap());
        assert_eq!(count, 2);
    }
}
