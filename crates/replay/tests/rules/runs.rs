//! Runs as a whole.

use tourbillon_base::{Id, Rational};
use tourbillon_model::ExprId;
use tourbillon_replay::{Run, RunPosition, RunStep, Semantics, replay};

use crate::shared::{clock, edge, ratio, uppaal};

const LAMP: &str = "
    clock x; chan press;
    process Lamp() { state off, low { x <= 9 }, bright; init off;
        trans off -> low { sync press?; assign x = 0; }, low -> bright { guard x < 5; sync press?; },
              low -> off { guard x == 9; }; }
    process User() { state u; init u; trans u -> u { sync press!; }; }
    system Lamp, User;";

#[test]
fn a_run_is_followed_state_by_state() {
    let m = uppaal(LAMP);
    let press = |number| vec![edge(&m, "User", 0), edge(&m, "Lamp", number)];
    let steps = vec![
        RunStep { delay: ratio(7, 2), action: press(0) },
        RunStep { delay: ratio(14, 3), action: press(1) },
    ];
    let run = Run { steps, last_delay: ratio(1, 1) };
    let states = replay(&m, &run).expect("a run");
    let shown: Vec<Rational> = states.iter().map(|state| clock(&m, state, "x")).collect();
    let expected = [(0, 1), (7, 2), (0, 1), (14, 3), (14, 3), (17, 3)].map(|(n, d)| ratio(n, d));
    assert_eq!(shown, expected);
}

#[test]
fn a_mistake_is_told_with_its_place() {
    let m = uppaal(LAMP);
    let press = |number| vec![edge(&m, "User", 0), edge(&m, "Lamp", number)];
    let run = |second: Rational, last: Rational| Run {
        steps: vec![
            RunStep { delay: Rational::ZERO, action: press(0) },
            RunStep { delay: second, action: press(1) },
        ],
        last_delay: last,
    };
    let error = replay(&m, &run(ratio(5, 1), Rational::ZERO)).expect_err("too late");
    assert_eq!(error.moment, RunPosition::Action(1));
    assert_eq!(
        error.explain(&m),
        "at the action of step 2: the guard does not hold: edge 1 of Lamp (low -> bright)"
    );
    let error = replay(&m, &run(ratio(10, 1), Rational::ZERO)).expect_err("too long");
    assert_eq!(error.explain(&m), "in the delay of step 2: the invariant of Lamp.low does not hold");
    let error = replay(&m, &run(ratio(1, 1), ratio(-1, 2))).expect_err("backwards");
    assert_eq!(error.explain(&m), "in the last delay: a delay of -1/2");
}

#[test]
fn predicates_see_locations_data_and_clocks() {
    use tourbillon_model::{Expr, ExprKind};

    let mut m = uppaal(LAMP);
    let (lamp, off) = (m.processes.ids().next().expect("Lamp"), tourbillon_model::LocationId::from_index(0));
    let span = m.clocks.iter().next().expect("x").span;
    let at: ExprId = m.exprs.push(Expr { kind: ExprKind::AtLocation(lamp, off), span });
    let deadlock: ExprId = m.exprs.push(Expr { kind: ExprKind::Deadlock, span });
    let semantics = Semantics::new(&m);
    let initial = semantics.initial().expect("a state");
    assert_eq!(semantics.holds(at, 0, &initial), Ok(true));
    assert!(semantics.holds(deadlock, 0, &initial).is_err());
    let on = semantics.act(&initial, &[edge(&m, "User", 0), edge(&m, "Lamp", 0)]).expect("a step");
    assert_eq!(semantics.holds(at, 0, &on), Ok(false));
}
