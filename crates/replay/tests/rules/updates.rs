//! What a step does, and in which order.

use tourbillon_base::Rational;
use tourbillon_model::{EvalErrorKind, Range};
use tourbillon_replay::{Semantics, Violation};

use crate::shared::{after, cell, clock, edge, ratio, uppaal};

const NOW: Rational = Rational::ZERO;

#[test]
fn guards_come_before_updates_and_the_sender_before_the_receiver() {
    let m = uppaal(
        "chan c; int n;
         process R() { state A; init A; trans A -> A { guard n == 0; sync c?; assign n = n * 10 + 2; }; }
         process S() { state A; init A; trans A -> A { guard n == 0; sync c!; assign n = 1; }; }
         system R, S;",
    );
    let done = after(&m, NOW, &[edge(&m, "S", 0), edge(&m, "R", 0)]).expect("a synchronisation");
    assert_eq!(cell(&m, &done, "n"), 12);
}

#[test]
fn what_is_done_before_and_after_every_step() {
    let m = uppaal(
        "int n, seen; meta int handed = 3;
         before_update { n = 5, handed = handed + 1 }
         after_update { n = n * 10, seen = handed }
         process P() { state A; init A; trans A -> A { guard n == 0; assign n = n + 1, handed = handed * 2; }; }
         system P;",
    );
    let done = after(&m, NOW, &[edge(&m, "P", 0)]).expect("a step");
    assert_eq!(["n", "seen", "handed"].map(|name| cell(&m, &done, name)), [60, 8, 3]);
}

#[test]
fn clocks_are_set_to_numbers_and_to_each_other() {
    let m = uppaal(
        "clock x, y, z;
         process P() { state A; init A; trans A -> A { assign x = 4, y = x + 1, z = z - 1; }; }
         system P;",
    );
    let done = after(&m, ratio(3, 2), &[edge(&m, "P", 0)]).expect("a step");
    let shown = ["x", "y", "z"].map(|name| clock(&m, &done, name));
    assert_eq!(shown, [ratio(4, 1), ratio(5, 1), ratio(1, 2)]);
    let negative = after(&m, ratio(1, 2), &[edge(&m, "P", 0)]).expect_err("a negative clock");
    assert!(
        matches!(negative, Violation::Error(error) if matches!(error.kind, EvalErrorKind::NegativeClock { value: -1, .. }))
    );
}

#[test]
fn errors_of_the_model_are_told_apart_from_what_is_not_possible() {
    let m = uppaal(
        "int[0,2] n = 2; int a[2]; int zero;
         process P() { state A; init A;
             trans A -> A { assign n = n + 1; },
                   A -> A { guard a[n] == 0; },
                   A -> A { assign zero = 1 / zero; }; }
         system P;",
    );
    let kind = |number| match after(&m, NOW, &[edge(&m, "P", number)]) {
        Err(Violation::Error(error)) => Some(error.kind),
        _ => None,
    };
    assert_eq!(kind(0), Some(EvalErrorKind::Range(3, Range { min: 0, max: 2 })));
    assert_eq!(kind(1), Some(EvalErrorKind::Index(2, Range { min: 0, max: 1 })));
    assert_eq!(kind(2), Some(EvalErrorKind::DivisionByZero));
    let semantics = Semantics::new(&m);
    assert!(semantics.actions(&semantics.initial().expect("an initial state")).is_err());
}

#[test]
fn target_invariants_are_those_of_all_processes_after_all_updates() {
    let m = uppaal(
        "int n;
         process P() { state A, B { n == 0 }; init A; trans A -> B { }, A -> A { assign n = 1; }; }
         process Q() { state A { n < 2 }; init A; trans A -> A { assign n = n + 1; }; }
         system P, Q;",
    );
    let semantics = Semantics::new(&m);
    let one = after(&m, NOW, &[edge(&m, "Q", 0)]).expect("n is 1");
    assert!(matches!(semantics.act(&one, &[edge(&m, "P", 0)]), Err(Violation::Invariant(..))));
    assert!(matches!(semantics.act(&one, &[edge(&m, "Q", 0)]), Err(Violation::Invariant(..))));
    assert!(semantics.act(&one, &[edge(&m, "P", 1)]).is_ok());
}
