//! Cost functions and sweeps, by their formulas.

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm};
use tourbillon_system::Positions;

use super::{Fixture, fixture};
use crate::{CostFunction, Distance, Sweep};

fn two_clocks() -> Fixture {
    fixture(
        &[
            "clock:1:x",
            "clock:1:y",
            "process:P",
            "location:P:A{initial:}",
            "location:P:B{}",
            "location:P:C{}",
            "edge:P:A:B:a{}",
            "edge:P:B:A:a{}",
            "edge:P:B:C:a{}",
        ],
        &[],
    )
}

/// A zone of all valuations with `x >= low`, or `x > low`.
fn above(fixture: &Fixture, low: i16, strict: bool) -> Dbm {
    let mut zone = Dbm::universal(fixture.system.dimension);
    let constant = Constant::from(-low);
    let bound = if strict { Bound::strict(constant) } else { Bound::weak(constant) };
    assert!(zone.constrain(Constraint::new(Clock::REFERENCE, Clock::from_index(1), bound)));
    zone
}

#[test]
fn the_earliest_cost_is_twice_the_least_value_and_one_if_it_is_excluded() {
    let fixture = two_clocks();
    let cost = |zone: &Dbm| {
        let function = CostFunction::Earliest(Clock::from_index(1));
        function.cost(&fixture.system, &[0], zone)
    };
    assert_eq!(cost(&Dbm::universal(fixture.system.dimension)), 0);
    assert_eq!(cost(&above(&fixture, 3, false)), 6);
    assert_eq!(cost(&above(&fixture, 3, true)), 7);
}

#[test]
fn the_topological_cost_is_0_for_universal_zones_and_else_one_more_than_the_positions() {
    let fixture = two_clocks();
    let positions = Positions::topological(&fixture.system);
    let function = CostFunction::Topological(positions.clone());
    for location in 0..3 {
        let cost = |zone: &Dbm| function.cost(&fixture.system, &[location], zone);
        assert_eq!(cost(&Dbm::universal(fixture.system.dimension)), 0);
        let expected = u64::from(positions.sum(&fixture.system, &[location])) + 1;
        assert_eq!(cost(&above(&fixture, 1, false)), expected);
    }
}

#[test]
fn the_nearest_cost_is_the_distance_and_then_a_bound_of_the_time() {
    let fixture = two_clocks();
    let distance = Distance::Process { process: 0, steps: [2, 1, 0].into() };
    let function = CostFunction::Nearest(distance);
    assert_eq!(function.cost(&fixture.system, &[0], &above(&fixture, 3, false)), 2 << 32 | 6);
    assert_eq!(function.cost(&fixture.system, &[2], &above(&fixture, 3, true)), 7);
}

#[test]
fn a_sweep_cost_is_ordered_by_universality_stage_sweep_and_position() {
    let fixture = two_clocks();
    let system = &fixture.system;
    let (positions, stages) = (Positions::topological(system), Positions::stages(system));
    let mut sweep = CostFunction::Sweep(Sweep::new(system, positions.clone()));
    let zone = above(&fixture, 1, false);
    // From the location A in sweep 5: to B in the same sweep, back to A in the next one.
    let position = |location: i32| u64::from(positions.sum(system, &[location]));
    let stage = |location: i32| u64::from(stages.sum(system, &[location]));
    let cost = |universal: bool, location: i32, number: u64| {
        ((u64::from(!universal) << 15 | stage(location)) << 24 | number) << 24 | position(location)
    };
    sweep.depart(system, &[0], cost(false, 0, 5));
    assert!(position(0) < position(1) && stage(0) == stage(1) && stage(1) < stage(2));
    assert_eq!(sweep.cost(system, &[1], &zone), cost(false, 1, 5));
    assert_eq!(sweep.cost(system, &[0], &zone), cost(false, 0, 6));
    assert_eq!(sweep.cost(system, &[1], &Dbm::universal(system.dimension)), cost(true, 1, 5));
}
