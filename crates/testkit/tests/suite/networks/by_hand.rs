//! Networks whose answers are known by hand, each with a trap.

use tourbillon_testkit::networks::uppaal_model;
use tourbillon_testkit::oracle::{Answer, by_grid, by_regions};

const STATES_MAX: usize = 10_000;

/// The answers of the regions to these queries.
fn verdicts(text: &str, queries: &[&str]) -> Vec<bool> {
    let model = uppaal_model(text, &queries.join("\n")).expect("a model");
    match by_regions(&model, STATES_MAX) {
        Answer::Reached(reached) => reached.verdicts.into_iter().flatten().collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fractions_are_found_and_their_order_is_kept() {
    let text = "clock x, y;
        process P() { state A, B, C, D; init A;
            trans A -> B { guard x > 0; assign y = 0; },
                  B -> C { guard x < 1 && y > 0; },
                  B -> D { guard x == 1 && y == 1; }; }
        system P;";
    let queries = ["E<> P.C", "E<> P.D", "E<> P.C && y > 2 && x == 3", "A[] !(P.B) || x - y > 0"];
    assert_eq!(verdicts(text, &queries), [true, false, true, true]);
    let model = uppaal_model(text, "E<> P.C").expect("a model");
    let Answer::Reached(grid) = by_grid(&model, STATES_MAX) else { panic!("too large") };
    assert_eq!(grid.verdicts, [Some(false)]);
}

#[test]
fn differences_are_kept_however_large_clocks_get() {
    let text = "clock x, y;
        process P() { state A, B, C, D, E; init A;
            trans A -> B { guard x == 1; assign y = 0; },
                  B -> C { guard y >= 5 && x - y == 1; },
                  B -> D { guard y >= 5 && x - y > 1; },
                  C -> E { assign y = 2; }; }
        system P;";
    let queries =
        ["E<> P.C", "E<> P.D", "E<> P.E && x - y == 4", "E<> P.E && x - y < 4", "E<> P.E && x - y == 9"];
    assert_eq!(verdicts(text, &queries), [true, false, true, false, true]);
}

#[test]
fn copies_keep_fractions() {
    let text = "clock x, y, z;
        process P() { state A, B, C, D; init A;
            trans A -> B { guard x > 1 && x < 2; assign y = x, z = 0; },
                  B -> C { guard y == 2 && z > 0 && z < 1; },
                  B -> D { guard y == 2 && z >= 1; }; }
        system P;";
    assert_eq!(verdicts(text, &["E<> P.C", "E<> P.D"]), [true, false]);
}

#[test]
fn a_receiver_that_compares_clocks_decides_what_a_broadcast_does() {
    let text = "broadcast chan b; clock x;
        process S() { state A, B; init A; trans A -> B { guard x > 1; sync b!; }; }
        process R() { state A, B; init A; trans A -> B { guard x < 2; sync b?; }; }
        system S, R;";
    let queries =
        ["E<> S.B && R.A && x < 2", "E<> S.B && R.B && x >= 2", "E<> S.B && R.A", "A[] !(R.B) || S.B"];
    assert_eq!(verdicts(text, &queries), [false, true, true, true]);
}

#[test]
fn a_higher_priority_blocks_as_long_as_it_can_be_taken() {
    let text = "clock x;
        process L() { state A, B; init A; trans A -> B { }; }
        process H() { state A, B; init A; trans A -> B { guard x > 1 && x < 2; }; }
        system L < H;";
    let queries =
        ["E<> L.B && H.A && x > 1 && x < 2", "E<> L.B && H.A && x == 1", "E<> L.B && H.A && x >= 2"];
    assert_eq!(verdicts(text, &queries), [true, true, true]);
    // Time that has not passed since the step tells when it was taken.
    let stamped = text
        .replace("trans A -> B { };", "trans A -> B { assign y = 0; };")
        .replace("clock x;", "clock x, y;");
    let queries = ["E<> L.B && H.A && y == 0 && x > 1 && x < 2", "E<> L.B && H.A && y == 0 && x == 2"];
    assert_eq!(verdicts(&stamped, &queries), [false, true]);
}

#[test]
fn a_deadlock_is_what_no_delay_ends() {
    let text = "clock x; chan c;
        process P() { state A { x <= 3 }, B { x < 2 }, C, D; init A;
            trans A -> B { guard x < 2; }, B -> C { guard x == 1; }, A -> D { guard x == 3; },
                  C -> C { guard x < 5; }, C -> C { sync c!; }; }
        system P;";
    let queries = [
        "E<> deadlock && P.A",
        "E<> deadlock && P.B && x < 1",
        "E<> deadlock && P.B && x == 1",
        "E<> deadlock && P.B && x > 1",
        "A[] deadlock imply (P.B || x >= 3)",
        "A[] !(P.C) || x < 5 || deadlock",
    ];
    assert_eq!(verdicts(text, &queries), [false, false, false, true, true, true]);
}

#[test]
fn what_cannot_be_judged_is_said() {
    let answer = |text: &str, max| by_regions(&uppaal_model(text, "").expect("a model"), max);
    let stopped = "clock x; process P() { state A { x' == 0 }; init A; } system P;";
    assert!(matches!(answer(stopped, 10), Answer::Unsupported(_)));
    let broken = "int n; process P() { state A { n > 0 }; init A; } system P;";
    assert_eq!(answer(broken, 10), Answer::NoInitialState);
    let counting = "int n; process P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;";
    assert_eq!(answer(counting, 1000), Answer::TooLarge);
    let small = counting.replace("int n", "int[0,3] n");
    assert!(matches!(answer(&small, 1000), Answer::Error(_)));
}
