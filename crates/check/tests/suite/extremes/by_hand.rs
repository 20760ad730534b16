//! Corner cases whose answers are seen by looking.

use tourbillon_check::{Cover, Exhausted, Job, Known, Limits, PlanRequest, Value, Verdict, Why, check};
use tourbillon_testkit::networks::uppaal_model;

use super::{ask, has_runs, plans, text};

/// One process with the body given, two clocks, a never-reset clock `t` and a variable.
fn model(body: &str, query: &str) -> tourbillon_model::Model {
    let text = format!(
        "clock x, y, t; int[-9, 9] n; int[0, 1] a[2]; chan c; broadcast chan b;\n{body}\nsystem P;\n"
    );
    uppaal_model(&text, query).unwrap_or_else(|error| panic!("{error}\n{body}\n{query}"))
}

/// Asserts that every plan answers so.
#[track_caller]
fn assert_values(body: &str, query: &str, expected: &str) {
    let model = model(body, query);
    for plan_request in plans(7) {
        let answer = ask(&model, 0, &plan_request);
        assert_eq!(text(&answer.values), expected, "{plan_request:?}\n{body}\n{query}: {:?}", answer.why);
        assert_eq!((answer.verdict, &answer.why), (Verdict::Satisfied, &Why::Complete), "{plan_request:?}");
        assert!(has_runs(&answer, &plan_request), "{plan_request:?}\n{:?}", answer.values);
    }
}

const STEP: &str =
    "process P() { state A { x <= 5 }, B; init A; trans A -> B { guard x > 3; assign n = 2, x = 0; }; }";

#[test]
fn a_clock_stops_at_its_invariant() {
    assert_values(STEP, "sup{P.A}: x", "_, 5]");
    assert_values(STEP, "bounds{P.A}: x, y", "[0, 5] [0, 5]");
    assert_values(STEP, "inf{P.B}: y", "(3, _");
    assert_values(STEP, "sup: n, t", "_, 2] _, inf)");
}

#[test]
fn a_strict_invariant_is_approached() {
    let body = "process P() { state A { x < 5 }; init A; trans A -> A { guard x > 2; assign x = 0; }; }";
    assert_values(body, "bounds: x", "[0, 5)");
    assert_values(body, "bounds{x > 2}: x", "(2, 5)");
    assert_values(body, "bounds{x >= 2 && x <= 4}: x + 3", "[5, 7]");
}

#[test]
fn no_state_that_counts_has_no_value() {
    assert_values(STEP, "bounds{x > 6 && P.A}: x, n", "(none, none) (none, none)");
    assert_values("process P() { state A { x < 0 }; init A; }", "sup: x", "_, none)");
}

#[test]
fn a_place_to_stay_for_ever_has_no_end() {
    assert_values("process P() { state A; init A; }", "bounds: x", "[0, inf)");
    assert_values("process P() { state A; init A; }", "sup{x <= 7}: x", "_, 7]");
    assert_values("process P() { state A; urgent A; init A; }", "sup: x", "_, 0]");
}

/// Round the loop `x` is bounded and `t` is not; at no one place does `t` grow by more than 2.
const LOOP: &str = "process P() { state A { x <= 2 }, B; init A; \
    trans A -> A { guard x >= 1; assign x = 0; }, A -> B { guard x == 2; assign y = 0; }; }";

#[test]
fn a_loop_that_takes_time_has_no_end() {
    assert_values(LOOP, "sup{P.A}: t", "_, inf)");
    assert_values(LOOP, "sup{P.A}: t, x, y", "_, inf) _, 2] _, inf)");
    assert_values(LOOP, "inf{P.A && x == 2}: t", "[2, _");
    assert_values(LOOP, "sup{P.A && t <= 20}: t", "_, 20]");
    assert_values(LOOP, "sup{P.A && t < 21 && t > 3}: t", "_, 21)");
}

#[test]
fn a_loop_of_short_steps_has_no_end_either() {
    let body = "process P() { state A { x < 1 }; init A; trans A -> A { guard x > 0; assign x = 0; }; }";
    assert_values(body, "sup: t", "_, inf)");
    let body = "process P() { state A { x < 1 }, B { x < 1 }, C { x < 1 }; init A; \
        trans A -> B { assign x = 0; }, B -> C { assign x = 0; }, C -> A { assign x = 0; }; }";
    assert_values(body, "sup{P.B}: t", "_, inf)");
}

#[test]
fn a_loop_without_time_has_an_end() {
    let body = "process P() { state A { x <= 0 }; init A; trans A -> A { assign n = 1 - n; }; }";
    assert_values(body, "sup: t", "_, 0]");
    let body = "process P() { state A { y <= 4 }; init A; trans A -> A { assign x = 0; }; }";
    assert_values(body, "sup: t, x", "_, 4] _, 4]");
}

#[test]
fn a_loop_that_is_left_is_counted_as_often_as_it_can_be() {
    let body = "process P() { state A { x <= 2 }; init A; \
        trans A -> A { guard x == 2 && n < 9; assign x = 0, n = n + 1; }; }";
    assert_values(body, "sup: t, n, t + n", "_, 20] _, 9] _, 29]");
    assert_values(body, "bounds{n == 4 && x > 0}: t", "(8, 10]");
}

/// The loop grows `t`, which is set back before what counts.
#[test]
fn a_loop_that_does_not_count_is_passed_over() {
    let body = "process P() { state A { x <= 2 }, B { y <= 3 }; init A; \
        trans A -> A { guard x >= 1; assign x = 0; }, A -> B { assign t = 0, y = 0; }; }";
    assert_values(body, "sup{P.B}: t", "_, 3]");
    assert_values(body, "sup{P.B}: x + 1", "_, 6]");
}

#[test]
fn what_only_large_values_reach_counts() {
    let body = "process P() { state A { x <= 1 }, B { y <= 3 }; init A; \
        trans A -> A { guard x == 1; assign x = 0; }, A -> B { guard t >= 50; assign y = 0; }; }";
    assert_values(body, "bounds{P.B}: t", "[50, inf)");
    assert_values(body, "sup{P.B}: y, x", "_, 3] _, 4]");
}

#[test]
fn a_clock_gets_its_value_from_another() {
    let body = "process P() { state A { x <= 2 }, B { x <= 1 }; init A; \
        trans A -> A { guard x >= 1; assign x = 0; }, A -> B { assign y = t + 3, x = 0; }; }";
    assert_values(body, "sup{P.B}: y", "_, inf)");
    assert_values(body, "inf{P.B}: y", "[3, _");
    let body = "process P() { state A { x <= 2 }, B { x <= 1 }; init A; \
        trans A -> B { guard x > 1; assign y = x + 3, x = 0; }; }";
    assert_values(body, "bounds{P.B}: y, t", "(4, 6] (1, 3]");
}

#[test]
fn all_alternatives_of_a_condition_count() {
    assert_values(STEP, "bounds{P.A && (x == 1 || x == 4 || x == 2)}: x", "[1, 4]");
    assert_values(STEP, "bounds{P.A && x != 0 && x != 5}: x", "(0, 5)");
}

#[test]
fn differences_in_conditions() {
    assert_values(LOOP, "sup{P.A && t - x <= 3}: t", "_, 5]");
    assert_values(LOOP, "inf{t - x > 3}: t", "(3, _");
}

#[test]
fn an_element_that_data_chooses() {
    let body = "clock z[2]; process P() { state A { x <= 4 }, B { x <= 6 }; init A; \
        trans A -> B { assign z[1] = 0, n = 1; }; }";
    assert_values(body, "sup: z[n]", "_, 6]");
    assert_values(body, "sup{P.B && n == 1}: z[n]", "_, 6]");
}

/// `a[n]` has no value where `n` is 2, which matters only where the condition holds.
#[test]
fn a_measure_fails_only_where_it_counts() {
    assert_values(STEP, "sup{n < 2}: a[n]", "_, 0]");
    let model = model(STEP, "sup: a[n]");
    let answer = ask(&model, 0, &PlanRequest::default());
    assert_eq!(answer.verdict, Verdict::Unknown);
    assert!(matches!(answer.why, Why::Failed(_)), "{:?}", answer.why);
    assert_eq!(answer.values[0].high.as_ref().map(|high| high.known), Some(Known::SoFar));
    assert_eq!(answer.witness.expect("the run that leads there").run.steps.len(), 1);
}

#[test]
fn a_limit_leaves_what_was_found_so_far() {
    let body = "process P() { int[0, 9999] m; state A { x <= 2 }; init A; \
        trans A -> A { guard x == 2; assign x = 0, m = (m + 1) % 10000; }; }";
    let model = model(body, "sup: x, t");
    let limits = Limits { states: Some(100), ..Limits::default() };
    let job =
        Job { model: &model, queries: Some(&[0]), plan_request: &PlanRequest::default(), limits, stop: None };
    let answer = check(&job, &mut |_| {}).expect("it can be asked").remove(0);
    assert_eq!((answer.verdict, answer.why), (Verdict::Unknown, Why::Exhausted(Exhausted::States)));
    let high = answer.values[0].high.as_ref().expect("it was asked for");
    assert_eq!((high.value, high.known), (Value::Attained(2), Known::SoFar));
}

/// `x` stands still at `B`. What zones say is shown by runs.
#[test]
fn a_value_of_an_over_approximation_needs_its_run() {
    let body = "process P() { state A { x <= 5 }, B { x' == 0 && y <= 3 }; init A; \
        trans A -> B { guard x >= 1; assign y = 0; }; }";
    let model = model(body, "sup{P.A}: x\nsup{P.B}: x");
    let answer = ask(&model, 0, &PlanRequest::default());
    assert_eq!((answer.verdict, text(&answer.values)), (Verdict::Satisfied, "_, 5]".to_owned()));
    assert!(answer.plan.expect("it was tried").over_approximates);
    let answer = ask(&model, 1, &PlanRequest::default());
    assert_eq!((answer.verdict, text(&answer.values)), (Verdict::Satisfied, "_, 5]".to_owned()));
}

/// `x = y + z`, which zones forget: they have `x` at 5 where `y` and `z` are at most 1. No run shows that, and the greatest value is
/// not beyond it.
#[test]
fn a_value_without_a_run_is_not_beyond_what_zones_say() {
    let body = "clock z; process P() { state A { x <= 5 && y' == 0 }, B { x <= 5 && z' == 0 }, C; init A; \
        trans A -> B { }, B -> C { guard y <= 1 && z <= 1; }; }";
    let model = model(body, "sup{P.C && y <= 1 && z <= 1 && x <= 5}: x");
    let answer = ask(&model, 0, &PlanRequest::default());
    assert!(matches!(answer.why, Why::NotReplayed(_)), "{:?}", answer.why);
    let high = answer.values[0].high.as_ref().expect("it was asked for");
    assert_eq!((high.value, high.known), (Value::Attained(5), Known::NotBeyond));
}

#[test]
fn equality_is_replaced_and_says_so() {
    let model = model(STEP, "sup: x");
    let plan_request = PlanRequest { cover: Some(Cover::Equality), ..PlanRequest::default() };
    let plan = ask(&model, 0, &plan_request).plan.expect("it was tried");
    assert_eq!(plan.cover, Cover::Inclusion);
    assert!(plan.reasons.iter().any(|reason| reason.why.contains("measured clock")), "{:?}", plan.reasons);
}

/// Two processes, each with a loop of its own: the loop that is found may be of both.
#[test]
fn loops_of_several_processes() {
    let text = "clock x, y, t;\n\
        process P() { state A { x <= 3 }; init A; trans A -> A { guard x >= 2; assign x = 0; }; }\n\
        process Q() { state A { y <= 2 }, B { y <= 5 }; init A; \
            trans A -> B { guard y >= 1; }, B -> A { assign y = 0; }; }\nsystem P, Q;\n";
    let model = uppaal_model(text, "sup{Q.B}: t, y, x").unwrap();
    for plan_request in plans(3) {
        assert_eq!(
            super::text(&ask(&model, 0, &plan_request).values),
            "_, inf) _, 5] _, 3]",
            "{plan_request:?}"
        );
    }
}

/// What is left of a zone when a limit is taken away from it may lie outside the invariants.
#[test]
fn what_a_limit_leaves_may_be_nothing() {
    let body = "process P() { state A { x <= 3 }, B { y <= 3 }; init A; trans A -> B { guard x >= 2; assign x = 0; }, \
                B -> A { guard y >= 2; assign y = 0; }; }";
    assert_values(body, "sup{t < 5}: t", "_, 5)");
    assert_values(body, "sup{t <= 6}: t", "_, 6]");
    let body = "process P() { state A { x < 1 }, B; init A; trans A -> A { assign x = 0; }, A -> B { guard y - x >= 2; }; }";
    assert_values(body, "sup{t < 5}: y", "_, 5)");
}
