//! Suprema of clocks by two searches in alternation: which of them ends, what it takes, and what a limit leaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tourbillon_check::{
    Answer, Exhausted, Job, Known, Limits, Order, PlanRequest, RoundSizes, SymmetryUse, Value, Why, check,
};
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::networks::uppaal_model;

use super::random::is_settled;
use super::{has_runs, text};

fn fischer(n: u32, query: &str) -> Model {
    let text = family("fischer").and_then(|family| family.xta(n)).expect("a member");
    uppaal_model(&text, query).expect("a model")
}

/// Three processes, each with a cycle that takes time, and a clock that none resets.
fn cycles(query: &str) -> Model {
    let text = "clock t; int[0,3] n; process P(const int[1,3] id) {
        clock x;
        state A { x <= 3 }, B { x <= 5 };
        init A;
        trans A -> B { guard x >= 2; assign n++; }, B -> A { guard x >= 4; assign x = 0, n--; };
    }
    system P;";
    uppaal_model(text, query).expect("a model")
}

fn ask(model: &Model, plan_request: &PlanRequest, limits: Limits) -> Answer {
    let job = Job { model, queries: Some(&[0]), plan_request, limits, stop: None };
    check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{plan_request:?}: {error}")).remove(0)
}

/// One search, of all states, one by one.
fn alone() -> PlanRequest {
    PlanRequest { symmetry: SymmetryUse::Off, order: Some(Order::Sweep), ..PlanRequest::default() }
}

/// Two searches, from the beginning on.
fn both(threads: u32, width: usize) -> PlanRequest {
    let round_sizes = Some(RoundSizes { after: 0, width, chunk: 2 });
    PlanRequest { threads: Some(threads), round_sizes, ..PlanRequest::default() }
}

fn values(answer: &Answer) -> String {
    text(&answer.values)
}

fn unlimited() -> Limits {
    Limits::default()
}

#[test]
fn a_finite_supremum_is_found_with_symmetry() {
    for query in [
        "sup{Process(1).request}: Process(1).x",
        "bounds{Process(2).request}: Process(2).x, Process(2).x + (id == 0 ? 1 : 0)",
    ] {
        let model = fischer(5, query);
        let expected = ask(&model, &alone(), unlimited());
        assert!(is_settled(&expected));
        for (threads, width) in [(1, 4), (3, 4), (2, 100)] {
            let answer = ask(&model, &both(threads, width), unlimited());
            assert_eq!(
                (values(&answer), &answer.why),
                (values(&expected), &expected.why),
                "{threads} threads"
            );
            assert!(has_runs(&answer, &both(threads, width)));
            let (visited, most) = (answer.stats.visited, expected.stats.visited);
            assert!(2 * visited < most, "{query}: {visited}, one search alone {most}");
        }
    }
}

#[test]
fn symmetry_is_used_without_rounds_once_the_search_is_large() {
    let model = fischer(7, "sup{Process(1).request}: Process(1).x");
    let one = ask(&model, &alone(), unlimited());
    let request = PlanRequest { order: Some(Order::Sweep), ..PlanRequest::default() };
    let two = ask(&model, &request, unlimited());
    assert_eq!(values(&one), values(&two));
    let alone_first = RoundSizes::default().after;
    assert!((alone_first..one.stats.visited).contains(&two.stats.visited), "{}", two.stats.visited);
    let says = |answer: &Answer| {
        let plan = answer.plan.as_ref().expect("a plan");
        plan.reasons.iter().any(|reason| reason.why.contains("goes on in two"))
    };
    assert!(says(&two) && !says(&one));
}

/// The zones of the reduced search grow without end.
#[test]
fn an_infinite_supremum_is_found_by_acceleration() {
    for (query, expected) in [("sup{n == 2}: t", "_, inf)"), ("sup: t, P(1).x", "_, inf) _, 5]")] {
        let model = cycles(query);
        let one = ask(&model, &alone(), unlimited());
        assert_eq!(values(&one), expected);
        for symmetry in [SymmetryUse::Auto, SymmetryUse::Off] {
            for width in [1, 8] {
                let request = PlanRequest { symmetry, ..both(2, width) };
                let two = ask(&model, &request, unlimited());
                assert_eq!((values(&two), &two.why), (expected.to_owned(), &one.why));
                assert!(has_runs(&two, &request));
                let most = 2 * one.stats.visited + 2 * width as u64;
                assert!(two.stats.visited <= most, "{} of {most}", two.stats.visited);
            }
        }
    }
}

/// How large a value is; none is less than any.
fn size(value: Value) -> i64 {
    match value {
        Value::None => i64::MIN,
        Value::Attained(value) => 2 * value,
        Value::Approached(value) => 2 * value - 1,
        Value::Infinite => i64::MAX,
    }
}

/// Asserts that an answer has the values, or why it does not, and what was found so far, with runs. Returns whether it is complete.
#[track_caller]
fn assert_so_far(answer: &Answer, expected: &Answer, request: &PlanRequest) -> bool {
    assert!(has_runs(answer, request), "{:?}", answer.values);
    if is_settled(answer) {
        assert_eq!(values(answer), values(expected));
        return true;
    }
    assert!(matches!(answer.why, Why::Exhausted(_)), "{:?}", answer.why);
    for (found, exact) in answer.values.iter().zip(&expected.values) {
        let [found, exact] = [found, exact].map(|it| it.high.as_ref().expect("it was asked for"));
        assert_eq!(found.known, Known::SoFar);
        assert!(size(found.value) <= size(exact.value), "{:?}", answer.values);
    }
    false
}

/// The limit holds for both together; then one goes on alone. What was accelerated is not lost.
#[test]
fn a_limit_on_states_ends_one_search_and_then_the_other() {
    let finite = "sup{Process(1).request}: Process(1).x, Process(1).x + (id == 0 ? 2 : 0)";
    for (model, ends_accelerating) in [(fischer(4, finite), false), (cycles("sup: t, P(1).x"), true)] {
        let expected = ask(&model, &alone(), unlimited());
        let stored = expected.stats.stored_max;
        let mut complete = Vec::new();
        for states in (2..stored + 8).step_by(5).chain([stored + 1]) {
            let limits = Limits { states: Some(states), ..unlimited() };
            let [answer, other] = [1, 3].map(|threads| ask(&model, &both(threads, 4), limits));
            assert_eq!((values(&answer), &answer.why), (values(&other), &other.why));
            assert_eq!(answer.stats, other.stats);
            if assert_so_far(&answer, &expected, &both(1, 4)) {
                complete.push(states);
            }
        }
        assert!(complete.contains(&(stored + 1)), "{complete:?}");
        // One search alone ends with an unknown value there.
        let fewer = complete.iter().filter(|&&states| states < stored).count();
        assert!(ends_accelerating || fewer > 0, "{complete:?}, {stored} states");
    }
}

#[test]
fn a_limit_on_memory_ends_one_search_and_then_the_other() {
    let model = fischer(5, "sup{Process(1).request}: Process(1).x");
    let expected = ask(&model, &alone(), unlimited());
    let mut complete = Vec::new();
    for percent in [5, 10, 20, 40, 60, 80, 120] {
        let memory_bytes = Some(expected.stats.memory.total() as u64 * percent / 100);
        let limits = Limits { memory_bytes, ..unlimited() };
        let answer = ask(&model, &both(2, 16), limits);
        if assert_so_far(&answer, &expected, &both(2, 16)) {
            complete.push(percent);
        } else {
            assert_eq!(answer.why, Why::Exhausted(Exhausted::Memory));
        }
    }
    assert!(complete.len() > 1 && complete.len() < 7, "{complete:?}");
}

#[test]
fn an_interruption_leaves_the_best_of_both() {
    let model = fischer(5, "sup{Process(1).request && Process(2).wait}: Process(1).x");
    let expected = ask(&model, &alone(), unlimited());
    let mut interrupted = 0;
    for visits in [0, 10, 30, 60, 100] {
        let stop = Arc::new(AtomicBool::new(false));
        let request = both(2, 4);
        let job = Job {
            model: &model,
            queries: Some(&[0]),
            plan_request: &request,
            limits: unlimited(),
            stop: Some(&stop),
        };
        let mut watch = |progress: &tourbillon_check::Progress| {
            stop.store(progress.stats.visited > visits, Ordering::Relaxed);
        };
        let answer = check(&job, &mut watch).expect("an answer").remove(0);
        // The runs are computed after the interruption, if at all.
        if !is_settled(&answer) {
            assert!(matches!(answer.why, Why::Exhausted(Exhausted::Interrupted) | Why::NotReplayed(_)));
            let [found, exact] =
                [&answer, &expected].map(|it| it.values[0].high.as_ref().expect("it was asked for").value);
            assert!(size(found) <= size(exact), "{found:?}");
            interrupted += 1;
        }
    }
    assert!(interrupted > 2, "{interrupted}");
}
