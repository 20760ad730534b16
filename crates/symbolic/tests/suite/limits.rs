//! Limits end a search in good order: `unknown`, with the reason and what was counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tourbillon_check::{
    Answer, BddRequest, Engine, Exhausted, Job, Limits, PlanRequest, PrepareError, Verdict, Why,
};
use tourbillon_dd::Bdds;
use tourbillon_gen::family;
use tourbillon_model::Model;
use tourbillon_testkit::networks::{tchecker_model, uppaal_model};

fn fischer(n: u32) -> Model {
    tchecker_model(&family("fischer").expect("a family").tck(n).expect("a member")).expect("a model")
}

fn explored(model: &Model, sets: BddRequest, limits: Limits, stop: Option<&Arc<AtomicBool>>) -> Answer {
    let plan_request = PlanRequest { engine: Engine::Symbolic, sets, ..PlanRequest::default() };
    let job = Job { model, queries: None, plan_request: &plan_request, limits, stop };
    tourbillon_symbolic::check(&job, &mut |_| {}).expect("it can be explored").remove(0)
}

fn is_exhausted(answer: &Answer, what: Exhausted) {
    assert_eq!((&answer.verdict, &answer.why), (&Verdict::Unknown, &Why::Exhausted(what)));
}

#[test]
fn what_runs_out_is_named() {
    let model = fischer(5);
    for (limits, what) in [
        (Limits { time: Some(Duration::ZERO), ..Limits::default() }, Exhausted::Time),
        (Limits { memory_bytes: Some(1 << 12), ..Limits::default() }, Exhausted::Memory),
        (Limits { states: Some(20), ..Limits::default() }, Exhausted::States),
    ] {
        is_exhausted(&explored(&model, BddRequest::default(), limits, None), what);
    }
}

#[test]
fn a_wish_to_stop_is_heard() {
    let stop = Arc::new(AtomicBool::new(true));
    let answer = explored(&fischer(5), BddRequest::default(), Limits::default(), Some(&stop));
    is_exhausted(&answer, Exhausted::Interrupted);
}

/// What it took to prepare a search is counted even if it never began, and after a wish to stop that is not much: not a
/// hundredth of the nodes of a product.
#[test]
fn a_wish_to_stop_ends_the_preparation() {
    let stop = Arc::new(AtomicBool::new(true));
    let answer = explored(&multiplier(16), BddRequest::default(), Limits::default(), Some(&stop));
    is_exhausted(&answer, Exhausted::Interrupted);
    let sets = answer.stats.sets.expect("nodes are counted");
    assert!((1..20_000).contains(&sets.nodes_max), "{sets:?}");
    assert_eq!((sets.steps, sets.bits), (0, 48));
}

/// Nobody looks at the wish while one product is computed, which alone would fill whatever room there is.
#[test]
fn a_wish_to_stop_ends_an_operation() {
    let (model, stop) = (multiplier(16), Arc::new(AtomicBool::new(false)));
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        explored(&model, BddRequest::default(), Limits::default(), Some(&stop))
    });
    is_exhausted(&answer, Exhausted::Interrupted);
    assert!(answer.stats.sets.is_some_and(|sets| sets.nodes_max > 0), "{:?}", answer.stats.sets);
}

/// A store of diagrams that is too small for the model, or for what is reached.
#[test]
fn diagrams_run_out_of_room() {
    let tiny = BddRequest { memory_bytes: Some(Bdds::BYTES_MIN as u64), ..BddRequest::default() };
    for (model, begins) in [(fischer(8), true), (multiplier(10), false)] {
        let answer = explored(&model, tiny, Limits::default(), None);
        is_exhausted(&answer, Exhausted::Diagrams);
        assert_eq!(answer.stats.distinct_zones > 0, begins);
        let sets = answer.stats.sets.expect("nodes are counted");
        assert!(sets.nodes_max > 1000, "{sets:?}");
    }
    // What was asked for is enough for something small.
    let answer = explored(&fischer(2), tiny, Limits::default(), None);
    assert_eq!((answer.verdict, answer.why), (Verdict::Satisfied, Why::Complete));
}

#[test]
fn less_memory_than_a_store_takes_is_refused() {
    let plan_request = PlanRequest {
        sets: BddRequest { memory_bytes: Some(0), ..BddRequest::default() },
        ..PlanRequest::default()
    };
    let model = fischer(2);
    let job = Job {
        model: &model,
        queries: None,
        plan_request: &plan_request,
        limits: Limits::default(),
        stop: None,
    };
    let refused = tourbillon_symbolic::check(&job, &mut |_| {});
    assert!(
        matches!(&refused, Err(PrepareError::Plan(refusal)) if refusal.why.contains("at least 128 KiB")),
        "{refused:?}"
    );
}

/// One step whose relation needs more nodes than the smallest store has, for numbers of ten bits, or than any has.
fn multiplier(bits: u32) -> Model {
    let text = "int[0,MAX] a, b, c;\nprocess P() {\n  state A;\n  init A;\n  trans A -> A { assign c = a * b % (MAX + 1); }, A -> A \
                { select i : int[0,MAX], j : int[0,MAX]; assign a = i, b = j; };\n}\nsystem P;\n";
    let text = format!("const int MAX = {};\n{text}", (1u32 << bits) - 1);
    uppaal_model(&text, "").expect("a model")
}

/// All questions of a job share its time.
#[test]
fn every_question_is_answered_all_the_same() {
    let text = "clock x;\nint[0,9] n;\nprocess P() {\n  state A;\n  init A;\n  trans A -> A { guard n < 9; assign n++; };\n}\n\
                system P;\n";
    let model = uppaal_model(text, "E<> n == 9\nA[] n < 9\nE<> x > 3\n").expect("a model");
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..PlanRequest::default() };
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let job =
        Job { model: &model, queries: Some(&[0, 1, 2]), plan_request: &plan_request, limits, stop: None };
    let answers = tourbillon_symbolic::check(&job, &mut |_| {}).expect("it can be asked");
    assert_eq!(answers.len(), 3);
    // The last holds at the start.
    answers[..2].iter().for_each(|answer| is_exhausted(answer, Exhausted::Time));
    assert_eq!(answers[2].query, Some(2));
}

/// States are counted whatever they take.
#[test]
fn states_of_many_bits_are_counted() {
    let text = "bool a[1100];\nint[0,3] n;\nprocess P() {\n  state A, B;\n  init A;\n  trans A -> B { assign a[1099] = true; }, B -> \
                B { guard n < 3; assign a[n] = true, n++; };\n}\nsystem P;\n";
    let model = uppaal_model(text, "").expect("a model");
    let answer = explored(&model, BddRequest::default(), Limits::default(), None);
    assert_eq!((answer.verdict, answer.why), (Verdict::Satisfied, Why::Complete));
    assert_eq!(answer.stats.discrete_states, 5);
    assert_eq!(answer.stats.sets.expect("it searched sets").pairs, 5);
}

/// A question that is refused leaves the others to be answered.
#[test]
fn one_question_is_refused_alone() {
    let text = "int[0,3] n;\nint[0,1] a[2];\nprocess P() {\n  state A;\n  init A;\n  trans A -> A { guard n < 3; assign n++; };\n}\n\
                system P;\n";
    let model = uppaal_model(text, "E<> deadlock && a[n] == 0\nE<> n == 3\nE<> n == 3 && deadlock\n")
        .expect("a model");
    let plan_request = PlanRequest { engine: Engine::Symbolic, ..PlanRequest::default() };
    let job = Job {
        model: &model,
        queries: Some(&[0, 1, 2]),
        plan_request: &plan_request,
        limits: Limits::default(),
        stop: None,
    };
    let answers = tourbillon_symbolic::check(&job, &mut |_| {}).expect("some can be answered");
    assert!(
        matches!(&answers[0].why, Why::NotSupported(why) if why.contains("--engine zones")),
        "{:?}",
        answers[0].why
    );
    assert!(answers[1..].iter().all(|answer| answer.why == Why::Found && answer.witness.is_some()));
}
