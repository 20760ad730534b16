//! What can happen from a state on, and after which delays.

use tourbillon_model::{EvalErrorKind, Model, Multiplied};
use tourbillon_replay::{EnabledSteps, Semantics};

use crate::shared::{edge, ratio, tchecker, uppaal};

fn enabled_steps(model: &Model) -> EnabledSteps {
    let semantics = Semantics::new(model);
    semantics.enabled_steps(&semantics.initial().expect("an initial state")).expect("an enabled_steps")
}

/// The steps that can be taken from the initial state: process and edge of the first edge, number of edges, delays.
fn steps(model: &Model) -> Vec<String> {
    let told = enabled_steps(model).steps.into_iter().map(|chance| {
        let first = &chance.action[0];
        let when: Vec<String> = chance.when.iter().map(ToString::to_string).collect();
        let with =
            if chance.action.len() > 1 { format!("+{}", chance.action.len() - 1) } else { String::new() };
        format!("{}.{}{with} {}", model.processes[first.process].name, first.edge, when.join(" "))
    });
    told.collect()
}

fn patience(model: &Model) -> String {
    enabled_steps(model).patience.to_string()
}

/// The clock that is taken from was itself set by the same step, more than once is taken from it, and what the step
/// leads to has an invariant.
#[test]
fn what_must_not_get_negative_bounds_delays() {
    let m = uppaal(
        "clock x, y, z; process P() { state A { x <= 9 }, B { z <= 2 }; init A;
           trans A -> B { assign y = x + 2, z = y - 5, y = z - 1; }; }
         system P;",
    );
    assert_eq!(steps(&m), ["P.0 [4, 5]"]);
    let failures = enabled_steps(&m).failures;
    assert_eq!(failures.len(), 1);
    assert!(matches!(failures[0].error.kind, EvalErrorKind::NegativeClock { .. }));
    assert_eq!(failures[0].when.iter().map(ToString::to_string).collect::<Vec<_>>(), ["[0, 4)"]);
}

/// In TChecker's language there is no such step, and nothing fails.
#[test]
fn what_must_not_get_negative_is_no_failure_in_every_language() {
    let m = tchecker(
        "system:s\nevent:e\nclock:1:x\nclock:1:y\nint:1:0:1:0:n\nprocess:P\n\
         location:P:a{initial: : invariant: x <= 9}\n\
         edge:P:a:a:e{do: y = x + -3}\nedge:P:a:a:e{do: y = n - 1}\n",
    );
    assert_eq!(steps(&m), ["P.0 [3, 9]"]);
    assert_eq!(enabled_steps(&m).failures, []);
}

#[test]
fn guards_and_invariants_bound_delays_with_their_strictness() {
    let m = uppaal(
        "clock x; process P() { state A { x < 7 }; init A;
           trans A -> A { guard x > 2 && x <= 5; }, A -> A { guard x >= 3; }, A -> A { guard x == 4; },
                 A -> A { guard x > 9; }, A -> A { }; }
         system P;",
    );
    assert_eq!(steps(&m), ["P.0 (2, 5]", "P.1 [3, 7)", "P.2 4", "P.4 [0, 7)"]);
    assert_eq!(patience(&m), "[0, 7)");
}

#[test]
fn where_time_has_no_end_delays_have_none() {
    let m = uppaal("clock x; process P() { state A; init A; trans A -> A { guard x >= 3; }; } system P;");
    assert_eq!((steps(&m), patience(&m)), (vec!["P.0 [3, ∞)".to_owned()], "[0, ∞)".to_owned()));
}

#[test]
fn clocks_are_taken_as_they_are() {
    let m = uppaal(
        "clock x; process P() { state A { x <= 5 }; init A; trans A -> A { guard x > 2; }; } system P;",
    );
    let semantics = Semantics::new(&m);
    let mut state = semantics.initial().expect("an initial state");
    state.clocks[0] = ratio(7, 3);
    assert_eq!(
        semantics.enabled_steps(&state).expect("an enabled_steps").steps[0].when[0].to_string(),
        "[0, 8/3]"
    );
    state.clocks[0] = ratio(4, 3);
    assert_eq!(
        semantics.enabled_steps(&state).expect("an enabled_steps").steps[0].when[0].to_string(),
        "(2/3, 11/3]"
    );
}

/// The invariant that a step leads to divides the delays, with the clocks as its updates leave them.
#[test]
fn invariants_after_a_step_count() {
    let m = uppaal(
        "clock x, y, z; int n = 2;
         process P() { state A, B { x <= 3 && y < 6 }, C { y - x <= 1 }, D { n > 1 imply z >= 4 }; init A;
           trans A -> B { }, A -> B { assign y = 0; }, A -> C { assign x = 0; }, A -> C { assign x = y + 1; },
                 A -> D { }, A -> D { assign n = 0; }; }
         system P;",
    );
    let expected = ["P.0 [0, 3]", "P.1 [0, 3]", "P.2 [0, 1]", "P.3 [0, ∞)", "P.4 [4, ∞)", "P.5 [0, ∞)"];
    assert_eq!(steps(&m), expected);
}

#[test]
fn no_delay_passes_an_urgent_synchronisation() {
    let m = uppaal(
        "urgent chan c; clock x; process S() { state A; init A; trans A -> A { guard x >= 3; sync c!; }, A -> A { guard x > 5; }; }
         process R() { state A; init A; trans A -> A { sync c?; }; }
         system S, R;",
    );
    assert_eq!((steps(&m), patience(&m)), (vec!["S.0+1 3".to_owned()], "[0, 3]".to_owned()));
}

#[test]
fn at_a_committed_location_there_is_only_now() {
    let m = uppaal(
        "clock x; process P() { state A, B; commit A; init A; trans A -> B { }, A -> B { guard x > 0; }; } system P;",
    );
    assert_eq!((steps(&m), patience(&m)), (vec!["P.0 0".to_owned()], "0".to_owned()));
}

/// A step can be blocked in between, so that its delays are two stretches.
#[test]
fn priorities_and_receivers_leave_gaps() {
    let m = uppaal(
        "chan c, d; chan priority c < d; clock x;
         process S() { state A; init A; trans A -> A { sync c!; }, A -> A { guard x >= 2 && x < 4; sync d!; }; }
         process R() { state A; init A; trans A -> A { sync c?; }, A -> A { sync d?; }; }
         system S, R;",
    );
    assert_eq!(steps(&m), ["S.0+1 [0, 2) [4, ∞)", "S.1+1 [2, 4)"]);
    let m = uppaal(
        "broadcast chan c; clock x;
         process S() { state A; init A; trans A -> A { sync c!; }; }
         process R() { state A; init A; trans A -> A { guard x > 1 && x <= 2; sync c?; }; }
         system S, R;",
    );
    assert_eq!(steps(&m), ["S.0 [0, 1] (2, ∞)", "S.0+1 (1, 2]"]);
}

#[test]
fn a_clock_that_stands_still_bounds_nothing() {
    let m = uppaal(
        "clock x, y; process P() { state A { x' == 0 }; init A; trans A -> A { guard x <= 3 && y - x >= 2; }, A -> A { guard x > 0; }; }
         system P;",
    );
    assert_eq!(steps(&m), ["P.0 [2, ∞)"]);
}

#[test]
fn what_goes_wrong_is_told_with_its_delays() {
    let m = uppaal(
        "clock x; int[0,3] n; process P() { state A; init A; trans A -> A { guard x >= 2 && x <= 3; assign n = 7; },
           A -> A { guard x < 1; }; } system P;",
    );
    let enabled_steps = enabled_steps(&m);
    assert_eq!(steps(&m), ["P.1 [0, 1)"]);
    let [failure] = &enabled_steps.failures[..] else { panic!("{:?}", enabled_steps.failures) };
    assert_eq!(
        (failure.action.as_slice(), failure.when[0].to_string()),
        (&[edge(&m, "P", 0)][..], "[2, 3]".to_owned())
    );
    assert!(matches!(failure.error.kind, EvalErrorKind::Range(7, _)), "{failure:?}");
}

/// Edges that go wrong: process and edge of the first, delays.
fn failures(model: &Model) -> Vec<String> {
    let told = enabled_steps(model).failures.into_iter().map(|failure| {
        let when: Vec<String> = failure.when.iter().map(ToString::to_string).collect();
        let name = failure.action.first().map_or("-".to_owned(), |first| {
            format!("{}.{}", model.processes[first.process].name, first.edge)
        });
        format!("{name} {}", when.join(" "))
    });
    told.collect()
}

/// A step that goes wrong hides no other, and no delay of another.
#[test]
fn what_goes_wrong_hides_nothing_else() {
    let m = uppaal(
        "clock x; int[0,3] n = 2; int[0,1] m; process P() { state A; init A; trans A -> A { guard x > 2; assign n = n + 1; },
           A -> A { assign m = 1 - m; }, A -> A { guard x > 4; assign n = n + 2; }; } system P;",
    );
    assert_eq!(steps(&m), ["P.0 (2, ∞)", "P.1 [0, ∞)"]);
    assert_eq!(failures(&m), ["P.2 (4, ∞)"]);
}

/// Neither does a guard, nor a channel that is outside its array; other selections of the same edge can be taken.
#[test]
fn guards_that_go_wrong_hide_nothing_else() {
    let m = uppaal(
        "clock x, y[2]; int a[2] = {1, 1}; int i = 2; chan c[2];
         process P() { state A; init A; trans A -> A { guard a[i] > 0; }, A -> A { guard x >= 1; }, A -> A { sync c[i]!; },
           A -> A { select j : int[0,2]; guard a[j] > 0 && x < 3; }, A -> A { guard x > 5 && y[i] > 2; }; }
         system P;",
    );
    assert_eq!(steps(&m), ["P.1 [1, ∞)", "P.3 [0, 3)", "P.3 [0, 3)"]);
    assert_eq!(failures(&m), ["P.0 [0, ∞)", "P.2 [0, ∞)", "P.3 [0, ∞)", "P.4 (5, ∞)"]);
}

/// Who receives a broadcast is not known while the guard of a receiver goes wrong; other steps are.
#[test]
fn a_receiver_that_goes_wrong_keeps_a_broadcast_back() {
    let m = uppaal(
        "broadcast chan c; int a[2]; int i = 2; clock x;
         process S() { state A; init A; trans A -> A { sync c!; }, A -> A { guard x < 2; }; }
         process R() { state A; init A; trans A -> A { guard a[i] == 0; sync c?; }; }
         system S, R;",
    );
    assert_eq!(steps(&m), ["S.1 [0, 2)"]);
    assert_eq!(failures(&m), ["R.0 [0, ∞)"]);
}

/// By its priority a step that goes wrong comes before others, and then nothing is legal.
#[test]
fn a_failure_of_higher_priority_comes_first() {
    let m = uppaal(
        "int[0,1] n = 1; clock x; process P() { state A; init A; trans A -> A { }; }
         process Q() { state A; init A; trans A -> A { guard x >= 2 && x < 3; assign n = n + 1; }; }
         system P < Q;",
    );
    assert_eq!(steps(&m), ["P.0 [0, 2) [3, ∞)"]);
    assert_eq!(failures(&m), ["Q.0 [2, 3)"]);
}

/// Selections and receivers multiply: what does not fit into memory is an error at its edge.
#[test]
fn too_many_steps_are_an_error() {
    let too_many = |what| EvalErrorKind::TooMany(what, 1_000_000);
    let m = uppaal(
        "process P() { state A; init A; trans A -> A { select i : int[0,9999], j : int[0,9999]; }; } system P;",
    );
    let semantics = Semantics::new(&m);
    let initial = semantics.initial().expect("an initial state");
    assert_eq!(semantics.actions(&initial).expect_err("too many").kind, too_many(Multiplied::Selections));
    assert_eq!(enabled_steps(&m).failures[0].error.kind, too_many(Multiplied::Selections));
    // A single one of them is judged all the same.
    let mut one = edge(&m, "P", 0);
    one.selects = vec![17, 4];
    assert!(semantics.act(&initial, &[one]).is_ok());
    let m = uppaal(
        "broadcast chan c; process S() { state A; init A; trans A -> A { sync c!; }; }
         process R(int[0,29] i) { state A; init A; trans A -> A { sync c?; }, A -> A { sync c?; }; }
         system S, R;",
    );
    assert_eq!(enabled_steps(&m).failures[0].error.kind, too_many(Multiplied::Receivers));
    assert_eq!(patience(&m), "[0, ∞)");
}
