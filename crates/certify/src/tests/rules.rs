//! Every rule of the semantics, with claims of which at least one is judged wrongly if the rule is broken.
//!
//! The explorer uses the same steps as the checker. So a rule that forbids a transition needs a claim that is true because of it, and a
//! rule that allows one a claim that is false because of it.

use super::explorer::{expect, model, outcome};
use crate::{Outcome, Reason};

#[test]
fn locations_edges_guards_and_resets() {
    expect(
        "clock x, y; int n; process P() { state A { x <= 5 }, B; init A;
            trans A -> B { guard x >= 3 && n == 0; assign x = 0, n = n + 1; }; } system P;",
        &[
            ("E<> P.B && y < 3", true),
            ("E<> P.B && y >= 3", false),
            ("E<> P.A && x > 5", true),
            ("A[] P.B imply n == 1", true),
            ("A[] P.B imply y - x >= 3 && y - x <= 5", true),
            ("A[] P.B imply y - x >= 4", false),
            ("E<> n == 2", true),
        ],
    );
}

#[test]
fn initial_values_of_clocks_and_cells() {
    expect(
        "clock x = 4, y; int n = 3; process P() { state A; init A; } system P;",
        &[
            ("E<> x < 4", true),
            ("E<> x - y != 4", true),
            ("E<> x == 4 && y == 0", false),
            ("A[] n == 3", true),
        ],
    );
}

#[test]
fn time_does_not_pass_at_urgent_and_committed_locations() {
    for kind in ["urgent", "commit"] {
        expect(
            &format!(
                "clock x; process P() {{ state A, B; {kind} A; init A; trans A -> B {{ }}; }} system P;"
            ),
            &[("E<> P.A && x > 0", true), ("E<> P.B && x > 0", false)],
        );
    }
    expect(
        "clock x; process P() { state A, B; init A; trans A -> B { }; } system P;",
        &[("E<> P.A && x > 0", false)],
    );
}

#[test]
fn a_committed_location_is_left_first() {
    let processes = "process P() { state A, B, C; KIND init A; trans A -> B { }, B -> C { }; }
        process Q() { state D, E; init D; trans D -> E { }; } system P, Q;";
    let text = |kind: &str| processes.replace("KIND", kind);
    expect(&text("commit B;"), &[("E<> P.A && Q.E", false), ("E<> P.B && Q.E", false)]);
    expect(&text("commit A;"), &[("E<> P.A && Q.E", true), ("E<> P.B && Q.E", false)]);
    expect(&text("commit A, B;"), &[("E<> P.B && Q.E", true), ("E<> P.C && Q.E", false)]);
    expect(&text(""), &[("E<> P.A && Q.E", false)]);
    // A synchronisation leaves it if either side does.
    expect(
        "chan c; process P() { state A, B; commit A; init A; trans A -> B { sync c?; }; }
            process Q() { state D, E; init D; trans D -> E { sync c!; }; } system P, Q;",
        &[("E<> P.B && Q.E", false), ("A[] not deadlock || P.B", true)],
    );
}

#[test]
fn binary_channels_pair_a_sender_with_a_receiver_of_another_process() {
    expect(
        "chan c; int n; process P() { state A, B; init A; trans A -> B { sync c!; assign n = 2 * n + 1; }, A -> A { sync c?; }; }
            process Q() { state D, E; init D; trans D -> E { sync c?; assign n = 3 * n; }; } system P, Q;",
        &[("E<> P.B && Q.D", true), ("E<> P.B && Q.E", false), ("A[] n == 0 || n == 3", true), ("E<> n == 1", true)],
    );
    expect(
        "chan c; process P() { state A, B; init A; trans A -> B { sync c!; }, A -> B { sync c?; }; } system P;",
        &[("E<> P.B", true), ("A[] not deadlock", false)],
    );
    // Indices are evaluated with selections.
    expect(
        "chan c[3]; int n; process P() { state A, B; init A; trans A -> B { select i : int[0,2]; sync c[i]!; assign n = i; }; }
            process Q() { state D, E; init D; trans D -> E { sync c[2]?; }; } system P, Q;",
        &[("E<> n == 1", true), ("E<> n == 2", false)],
    );
}

#[test]
fn broadcasts_take_all_who_can_receive() {
    let receivers = "broadcast chan c; int n; clock x;
        process P() { state A, B; init A; trans A -> B { guard x >= 1; sync c!; assign n = 1; }; }
        process Q(const int[1,2] i) { state D, E; init D; trans D -> E { guard GUARD; sync c?; assign n = 10 * n + i; }; }
        system P, Q;";
    let text = |guard: &str| receivers.replace("GUARD", guard);
    expect(
        &text("true"),
        &[("E<> P.B && (Q(1).D || Q(2).D)", true), ("A[] P.B imply n == 112", true), ("E<> n == 112", false)],
    );
    expect(&text("i == 2"), &[("E<> Q(1).E", true), ("A[] P.B imply Q(2).E", true), ("E<> P.B", false)]);
    expect(&text("false"), &[("E<> P.B", false), ("E<> Q(1).E", true)]);
    // Who takes part depends on the valuation.
    expect(
        &text("x > 2 * i"),
        &[
            ("E<> Q(1).D && Q(2).E", true),
            ("E<> Q(1).E && Q(2).D", false),
            ("A[] P.B && Q(1).D imply x >= 1", true),
            ("E<> n == 1", false),
            ("E<> n == 12", true),
        ],
    );
    expect(
        "broadcast chan c; clock x; process P() { state A { x <= 4 }, B { x <= 4 }; init A; trans A -> B { sync c!; }; }
            process Q() { state D, E; init D; trans D -> E { guard x >= 2 && x <= 3; sync c?; }; } system P, Q;",
        &[
            ("E<> P.B && Q.D && x == 0", false),
            ("A[] P.B imply Q.E", false),
            ("E<> P.B && Q.D", false),
            ("E<> P.A && Q.E", true),
        ],
    );
    // A receiver whose target invariant does not hold blocks the broadcast.
    expect(
        "broadcast chan c; clock x; process P() { state A, B; init A; trans A -> B { guard x >= 3; sync c!; }; }
            process Q() { state D, E { x <= 2 }; init D; trans D -> E { sync c?; }; } system P, Q;",
        &[("E<> P.B", true)],
    );
}

#[test]
fn urgent_channels_stop_time_when_they_are_enabled() {
    let text = |guard: &str, channel: &str| {
        format!(
            "urgent {channel} c; clock x; int n; process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync c!; }},
                A -> A {{ guard n == 0 && x >= 2; assign n = 1, x = 0; }}; }}
            process Q() {{ state D; init D; trans D -> D {{ sync c?; }}; }} system P, Q;"
        )
    };
    for channel in ["chan", "broadcast chan"] {
        expect(
            &text("n == 1", channel),
            &[("E<> n == 1 && P.A && x > 0", true), ("E<> n == 0 && x > 2", false)],
        );
        expect(&text("n == 2", channel), &[("E<> n == 1 && P.A && x > 0", false)]);
    }
    // Without a receiver a binary channel is not enabled.
    expect(
        "urgent chan c; clock x; process P() { state A, B; init A; trans A -> B { sync c!; }; } system P;",
        &[("E<> x > 1", false), ("E<> P.B", true)],
    );
    // Urgent even if the invariant after it does not hold.
    expect(
        "urgent chan c; clock x; process P() { state A, B { x > 5 }; init A; trans A -> B { sync c!; }; }
            process Q() { state D; init D; trans D -> D { sync c?; }; } system P, Q;",
        &[("E<> x > 0", true)],
    );
    let timed = model(
        "urgent chan c; clock x; process P() { state A, B; init A; trans A -> B { guard x > 1; sync c!; }; }
            process Q() { state D; init D; trans D -> D { sync c?; }; } system P, Q;",
        "E<> x > 9",
    );
    let Outcome::Unknown(why) = outcome(&timed, 0) else { panic!("not refused") };
    assert!(why.contains("urgent"));
}

#[test]
fn priorities_block_what_is_lower_where_the_higher_is_possible() {
    let text = |first: &str| {
        format!(
            "chan a, b; clock x; chan priority a < b;
            process P() {{ state A, B, C; init A; trans A -> B {{ guard x >= 1; sync a!; }}, A -> C {{ guard {first}; sync b!; }}; }}
            process Q() {{ state D; init D; trans D -> D {{ sync a?; }}, D -> D {{ sync b?; }}; }} system P, Q;"
        )
    };
    expect(
        &text("x >= 3"),
        &[("E<> P.B && x >= 3", false), ("E<> P.B && x < 3", false), ("A[] P.B imply x < 9", false)],
    );
    expect(&text("true"), &[("E<> P.B", true), ("E<> P.C", false)]);
    // What an invariant forbids does not block.
    expect(
        "chan a, b; clock x; chan priority a < b;
            process P() { state A, B, C { x <= 2 }; init A; trans A -> B { guard x >= 1; sync a!; assign x = 0; }, A -> C { guard x >= 3; sync b!; }; }
            process Q() { state D; init D; trans D -> D { sync a?; }, D -> D { sync b?; }; } system P, Q;",
        &[("E<> P.B", false), ("E<> P.C", true)],
    );
    expect(
        "clock x, y; process P() { state A, B; init A; trans A -> B { guard x >= 1; assign y = 0; }; }
            process Q() { state D, E; init D; trans D -> E { guard x >= 2 && x <= 4; }; } system P < Q;",
        &[
            ("E<> P.B && Q.D && x - y >= 2 && x - y <= 4", true),
            ("E<> P.B && Q.D && x - y > 4", false),
            ("E<> P.B && Q.D && x - y < 2", false),
        ],
    );
    // Delays are not blocked.
    expect(&text("x <= 1"), &[("E<> P.A && x > 5", false), ("E<> P.B && x > 1", false)]);
    // The channel comes before the process.
    expect(
        "broadcast chan a; chan priority a < default; int n;
            process P() { state A; init A; trans A -> A { guard n == 0; assign n = 1; }; }
            process Q() { state D; init D; trans D -> D { guard n == 0; sync a!; assign n = 2; }; } system P < Q;",
        &[("E<> n == 2", true), ("E<> n == 1", false)],
    );
}

#[test]
fn updates_are_in_order_and_clocks_copy() {
    expect(
        "clock x, y; process P() { state A { x <= 4 }, B; init A; trans A -> B { guard x >= 2; assign y = x + 3, x = 1, y = y - 1; }; } system P;",
        &[
            ("E<> P.B && y - x < 3", true),
            ("E<> P.B && y - x > 5", true),
            ("E<> P.B && y - x == 5 && x == 1", false),
            ("A[] P.B imply x >= 1", true),
        ],
    );
    expect(
        "int n = 1, m; meta int s = 7; before_update { n = n * 2 } after_update { m = s, n = n + 1 }
            chan c; process P() { state A, B; init A; trans A -> B { sync c!; assign s = n + 10; }; }
            process Q() { state D, E; init D; trans D -> E { sync c?; assign s = s * 2, n = 5; }; } system P, Q;",
        &[("A[] P.B imply n == 6 && m == 24 && Q.E", true), ("E<> P.B", false), ("A[] s == 7", true)],
    );
    // Locations change after all updates.
    expect(
        "int[0,9] n; int f() { return n < 9 ? n + 1 : 0; } process P() { int k; state A, B; init A;
            trans A -> B { select i : int[1,3]; guard i != 2; assign k = i, n = f() + k; }; } system P;",
        &[("E<> n == 3", true), ("E<> n == 2", false), ("E<> n == 4", false), ("E<> n > 4", true)],
    );
}

#[test]
fn invariants_after_a_transition_hold_for_the_clocks_after_it() {
    expect(
        "clock x, y; process P() { state A, B { x <= 2 && y >= 3 }; init A; trans A -> B { }, A -> B { assign x = 0; }; } system P;",
        &[("E<> P.B && y < 3", true), ("E<> P.B && x > 2", true), ("E<> P.B && y > 9", false)],
    );
    expect(
        "clock x, y; process P() { state A, B { x - y <= 2 }; init A; trans A -> B { assign y = 0; }; } system P;",
        &[("E<> P.B && x - y > 2", true), ("E<> P.B && x > 7", false)],
    );
}

#[track_caller]
fn fails(text: &str, query: &str) -> Box<crate::Rejection> {
    let model = model(text, query);
    match outcome(&model, 0) {
        Outcome::Rejected(rejection) => rejection,
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_of_the_model_are_rejections_where_they_are_reached() {
    let reached = [
        "clock x; int a[2]; int n; process P() { state A; init A; trans A -> A { guard x >= 1 && a[n] == 0; assign n = n + 1; }; } system P;",
        "clock x; int[0,2] n; process P() { state A; init A; trans A -> A { guard x >= 1; assign n = n + 1; }; } system P;",
        "clock x, y; process P() { state A; init A; trans A -> A { guard x >= 2; assign y = x - 3; }; } system P;",
        "clock x; int n; process P() { state A, B { x <= 5 / n }; init A; trans A -> B { }; } system P;",
        "clock x; int n; chan c[2]; process P() { state A; init A; trans A -> A { guard x >= 1; sync c[n + 2]!; }; } system P;",
        "int n; process P() { state A, B; init A; trans A -> B { guard 1 / n == 1; }; } system P;",
    ];
    for text in reached {
        let rejection = fails(text, "A[] true");
        assert!(matches!(rejection.reason, Reason::ModelFails(_)), "{text}: {rejection:?}");
        assert!(rejection.state.is_some());
    }
    // Behind a guard, an invariant or a priority that no valuation passes, it is no error.
    expect(
        "clock x, y; int n; chan a, b; chan priority a < b;
            process P() { state A { x <= 3 }, B; init A; trans A -> A { guard x > 3; assign n = 1 / n; }, A -> B { guard x >= 3; assign y = x - 3; },
                A -> A { guard x <= 3; sync b!; }, A -> A { guard x <= 3; sync a!; assign n = 1 / n; }; }
            process Q() { state D; init D; trans D -> D { sync a?; }, D -> D { sync b?; }; } system P, Q;",
        &[("A[] x <= 3 || P.B", true)],
    );
    let rejection = fails("int n; process P() { state A; init A; } system P;", "E<> 1 / n == 2");
    assert!(matches!(rejection.reason, Reason::QueryFails(_)));
    expect("int n; process P() { state A; init A; } system P;", &[("E<> n > 0 && 1 / n == 2", true)]);
    expect(
        "clock x; int n; process P() { state A { x <= 3 }; init A; } system P;",
        &[("E<> x > 3 && 1 / n == 2", true)],
    );
}

#[test]
fn deadlocks_are_valuations_without_a_transition_now_or_later() {
    let text = |guard: &str, invariant: &str| {
        format!(
            "clock x; process P() {{ state A {{ {invariant} }}; init A; trans A -> A {{ guard {guard}; assign x = 0; }}; }} system P;"
        )
    };
    expect(&text("x >= 3", "x <= 5"), &[("A[] not deadlock", true), ("E<> deadlock", true)]);
    expect(&text("x >= 3", "true"), &[("A[] not deadlock", true)]);
    expect(&text("x <= 3", "x <= 5"), &[("A[] not deadlock", false), ("A[] deadlock imply x > 3", true)]);
    expect(&text("x <= 3", "x <= 3"), &[("A[] not deadlock", true)]);
    expect(&text("x > 3", "x <= 3"), &[("A[] deadlock", true), ("E<> deadlock && x < 1", false)]);
    expect(
        "clock x; process P() { state A, B { x <= 2 }; init A; trans A -> B { guard x >= 2 && x <= 3; }; } system P;",
        &[
            ("A[] deadlock imply P.B || x > 2", true),
            ("A[] P.A && x > 2 imply deadlock", true),
            ("A[] P.B imply deadlock", true),
        ],
    );
    expect(
        "clock x; process P() { state A, B; urgent A; init A; trans A -> B { guard x >= 1; }; } system P;",
        &[("A[] deadlock", true)],
    );
}

#[test]
fn bounds_hold_for_the_states_that_count() {
    use crate::format::{Claim, ClaimedBound, ClaimedRange};
    let text = "clock x; int n; process P() { state A { x <= 7 }, B { x < 3 }; init A;
        trans A -> B { guard x >= 4; assign x = 0, n = 5; }; } system P;";
    let range = |lower: Option<(i64, bool)>, upper: Option<(i64, bool)>, empty| ClaimedRange {
        lower: lower.map(|(value, strict)| ClaimedBound { value, strict }),
        upper: upper.map(|(value, strict)| ClaimedBound { value, strict }),
        empty,
    };
    let cases = [
        ("sup: x", range(None, Some((7, false)), false), true),
        ("sup: x", range(None, Some((7, true)), false), false),
        ("sup: x", range(None, Some((6, false)), false), false),
        ("sup{P.B}: x", range(None, Some((3, true)), false), true),
        ("sup{P.B}: x", range(None, Some((3, false)), false), true),
        ("sup{P.B}: x", range(None, Some((2, false)), false), false),
        ("sup{P.B}: x + 4", range(None, Some((7, true)), false), true),
        ("sup{P.B}: x + 4", range(None, Some((6, false)), false), false),
        ("inf{x >= 2}: x", range(Some((2, false)), None, false), true),
        ("inf{x >= 2}: x", range(Some((2, true)), None, false), false),
        ("inf{x > 2}: x", range(Some((2, true)), None, false), true),
        ("bounds: n", range(Some((0, false)), Some((5, false)), false), true),
        ("bounds: n", range(Some((0, false)), Some((5, true)), false), false),
        ("bounds: n", range(Some((1, false)), None, false), false),
        ("bounds{P.B}: n", range(Some((5, false)), Some((5, false)), false), true),
        ("sup{P.B && x > 3}: x", range(None, None, true), true),
        ("sup{P.B && x > 2}: x", range(None, None, true), false),
    ];
    for (query, range, is_true) in cases {
        let model = model(text, query);
        let mut draft =
            super::explorer::certificate(&model, &model.queries[0], Some(9)).expect("a certificate");
        draft.queries[0].claim = Claim::Bounds { reach: 0, measures: vec![range] };
        assert_eq!(draft.is_accepted(&model, &[&model.queries[0]]), is_true, "{query} {range:?}");
    }
}

#[test]
fn vectors_take_strong_participants_and_weak_ones_that_can() {
    let text = "system:s
event:e
event:f
event:g
int:1:0:9:0:n
process:P
location:P:a{initial:}
location:P:b
edge:P:a:b:e{do:n=1}
process:Q
location:Q:c{initial:}
location:Q:a
location:Q:b
edge:Q:c:a:g{provided:n==0}
edge:Q:a:b:e{}
process:R
location:R:a{initial:}
location:R:b
location:R:c
edge:R:a:b:f{provided:n==1}
edge:R:a:c:g{}
sync:P@e:Q@e?
sync:Q@g:R@g?
sync:P@f:R@f
";
    let never = |places: &[(usize, usize)]| {
        let mut model = tourbillon_testkit::networks::tchecker_model(text).expect("a model");
        super::liveness::add_possibility(&mut model, places);
        matches!(outcome(&model, 0), Outcome::Accepted(_))
    };
    // P goes alone while Q is not ready, and with Q if it is; Q never goes alone.
    assert!(!never(&[(0, 1), (1, 0)]));
    assert!(never(&[(0, 1), (1, 1)]));
    assert!(!never(&[(0, 1), (1, 2)]));
    assert!(never(&[(0, 0), (1, 2)]));
    // R goes with Q by g, and not by f, for which P never is.
    assert!(never(&[(2, 1)]));
    assert!(never(&[(1, 1), (2, 0)]));
    assert!(!never(&[(1, 1), (2, 2)]));
}
