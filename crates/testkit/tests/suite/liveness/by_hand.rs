//! What the definitions say, one trap at a time. More of these are in `crates/check/tests/liveness`.

use tourbillon_testkit::networks::uppaal_model;
use tourbillon_testkit::oracle::liveness::{OracleLimit, holds, verdicts, verdicts_by_grid};

const STATES_MAX: usize = 10_000;

/// What the regions say of each query with all runs, and with those along which time diverges.
fn answers(text: &str, queries: &[&str]) -> Vec<(bool, bool)> {
    let model = uppaal_model(text, &queries.join("\n")).expect("a model");
    let of = |non_zeno| verdicts(&model, non_zeno, STATES_MAX).expect("judged").into_iter().flatten();
    of(false).zip(of(true)).collect()
}

#[test]
fn a_network_without_clocks_can_wait_unless_it_must_not() {
    let free = "process P() { state A, B; init A; trans A -> B { }; } system P;";
    assert_eq!(answers(free, &["E[] P.A", "A<> P.B"]), [(true, true), (false, false)]);
    let urgent = free.replace("init A", "urgent A; init A");
    assert_eq!(answers(&urgent, &["E[] P.A", "A<> P.B"]), [(false, false), (true, true)]);
    let stuck = free.replace("init A", "urgent A, B; init A");
    assert_eq!(answers(&stuck, &["E[] true", "A<> P.B"]), [(true, false), (true, true)]);
}

#[test]
fn a_loop_counts_as_a_run_whether_or_not_time_passes() {
    let text = "clock x;
        process P() { state A { x <= 1 }, B; init A; trans A -> A { }, A -> B { guard x == 1; }; }
        system P;";
    assert_eq!(answers(text, &["A<> P.B", "E[] P.A"]), [(false, true), (true, false)]);
}

/// The offset of each round is smaller than that of the last, so no run repeats, and yet there are such runs. Who is
/// too late in the first round is stuck and never comes to the other location; then time does not diverge.
#[test]
fn offsets_can_shrink_for_ever() {
    let text = "clock x, y;
        process P() { state A { y <= 1 }, B { y <= 1 }; init A;
            trans A -> B { guard x < 1; assign x = 0; }, B -> A { guard y == 1; assign y = 0; }; }
        system P;";
    assert_eq!(answers(text, &["E[] true", "A<> P.B && y == 1"]), [(true, true), (false, true)]);
}

#[test]
fn integer_times_look_between_integers() {
    let text = "clock x; process P() { state A; init A; } system P;";
    let model = uppaal_model(text, "E[] x <= 2 || x >= 3\nE[] x <= 3 || x >= 3").expect("a model");
    for judge in [verdicts, verdicts_by_grid] {
        assert_eq!(judge(&model, true, STATES_MAX), Ok(vec![Some(false), Some(true)]));
    }
}

#[test]
fn integer_times_miss_a_deadlock_between_them() {
    let text = "clock x, y;
        process P() { state A { x <= 1 }, B { x <= 2 }, C; init A;
            trans A -> B { assign y = 0; },
                  B -> C { guard x == 1; }, B -> C { guard x == 2 && y == 1; }, B -> C { guard x == 2 && y == 2; }; }
        system P;";
    let model = uppaal_model(text, "E[] !P.C").expect("a model");
    assert_eq!(verdicts(&model, false, STATES_MAX), Ok(vec![Some(true)]));
    assert_eq!(verdicts_by_grid(&model, false, STATES_MAX), Ok(vec![Some(false)]));
}

#[test]
fn what_cannot_be_judged_is_said() {
    let judged = |text: &str, max| {
        let model = uppaal_model(text, "E[] true\nE<> true").expect("a model");
        let verdicts = verdicts(&model, false, max);
        assert_eq!(verdicts.is_ok(), holds(&model, &model.queries[0], false, max).is_some());
        verdicts
    };
    let stopped = "clock x; process P() { state A { x' == 0 }; init A; } system P;";
    assert!(matches!(judged(stopped, 10), Err(OracleLimit::Unsupported(_))));
    let broken = "int n; process P() { state A { n > 0 }; init A; } system P;";
    assert_eq!(judged(broken, 10), Err(OracleLimit::NoInitialState));
    let counting = "int n; process P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;";
    assert_eq!(judged(counting, 1000), Err(OracleLimit::TooLarge));
    assert!(matches!(judged(&counting.replace("int n", "int[0,3] n"), 1000), Err(OracleLimit::Error(_))));
    assert_eq!(judged(&counting.replace("n + 1", "n"), 1000), Ok(vec![Some(true), None]));
}
