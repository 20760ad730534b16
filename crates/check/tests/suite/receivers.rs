//! Broadcasts with many receivers that have clock guards: only combinations that some clock values take count.
//!
//! The two shapes are those at which published case studies stop: fireflies that listen with timed guards, and a
//! scheduler of 35 processes with 131 clocks. Counts were worked out by hand.

use tourbillon_base::SourceMap;
use tourbillon_check::{Answer, Job, Limits, PlanRequest, Verdict, Why, check};
use tourbillon_model::{EvalErrorKind, Model, Multiplied};
use tourbillon_testkit::networks::uppaal_model;

fn model(text: &str, queries: &str) -> Model {
    uppaal_model(text, queries).unwrap_or_else(|error| panic!("{error}"))
}

fn answered(model: &Model, queries: Option<&[usize]>, limits: Limits) -> Vec<Answer> {
    let job = Job { model, queries, plan_request: &PlanRequest::default(), limits, stop: None };
    check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn explored(model: &Model) -> Answer {
    answered(model, None, Limits::default()).remove(0)
}

fn verdicts(model: &Model) -> Vec<Verdict> {
    let all: Vec<usize> = (0..model.queries.len()).collect();
    answered(model, Some(&all), Limits::default()).iter().map(|answer| answer.verdict).collect()
}

/// One that sends at any time, and receivers with a guard each.
fn receivers(count: u32, guard: &str, update: &str) -> String {
    format!(
        "broadcast chan c; clock t;
         process S() {{ state A, B; init A; trans A -> B {{ sync c!; }}; }}
         process R(const int[1,{count}] i) {{
             clock x; state Deaf, Heard; init Deaf;
             trans Deaf -> Heard {{ guard {guard}; sync c?; {update} }};
         }}
         system S, R;"
    )
}

/// Clocks that run together pass their guards together: of 2^16 combinations there are two.
#[test]
fn clocks_that_run_together_make_few_combinations() {
    let answer = explored(&model(&receivers(16, "x > 3", ""), ""));
    assert_eq!((answer.why, answer.stats.transitions, answer.stats.stored), (Why::Complete, 2, 3));
    // Outside of an interval there are two pieces.
    let answer = explored(&model(&receivers(16, "x > 3 && x <= 5", ""), ""));
    assert_eq!((answer.why, answer.stats.transitions), (Why::Complete, 3));
}

/// The receiver with number i has heard of it after time i: 41 of 2^40 combinations, each shown by a run. There are more
/// combinations than ordinals.
#[test]
fn the_combination_of_a_run_is_found_again() {
    let count = |many: u32| format!("(sum (i : int[1,40]) R(i).Heard) == {many} && S.B");
    let queries: String = [0, 1, 17, 39, 40].map(|many| format!("E<> {}\n", count(many))).concat();
    let network = model(&receivers(40, "x > i", ""), &(queries + "E<> R(7).Heard && !R(6).Heard\n"));
    assert_eq!(explored(&network).stats.transitions, 41);
    let all: Vec<usize> = (0..6).collect();
    for answer in answered(&network, Some(&all), Limits::default()) {
        let expected = if answer.query == Some(5) { Verdict::Violated } else { Verdict::Satisfied };
        assert_eq!(answer.verdict, expected, "{:?}", answer.why);
        assert_eq!(answer.witness.is_some(), expected == Verdict::Satisfied);
    }
}

/// Several edges of a receiver, of which one is taken wherever its guard holds; and none where no guard does.
#[test]
fn each_edge_of_a_receiver_is_taken_where_its_guard_holds() {
    let network = model(
        "broadcast chan c;
         process S() { state A, B; init A; trans A -> B { sync c!; }; }
         process R() {
             clock x; state L, One, Two; init L;
             trans L -> One { guard x < 2; sync c?; }, L -> Two { guard x > 1 && x <= 3; sync c?; };
         }
         system S, R;",
        "E<> R.One && R.x == 0\nE<> S.B && R.L && R.x < 3\nE<> S.B && R.L\nE<> S.B && R.Two && R.x <= 1\nE<> S.B && R.Two",
    );
    let (yes, no) = (Verdict::Satisfied, Verdict::Violated);
    assert_eq!(verdicts(&network), [yes, no, yes, no, yes]);
    assert_eq!(explored(&network).stats.transitions, 3);
}

/// A broadcast goes on without a receiver that its clock keeps away, but from a committed location only with one that
/// leaves it.
#[test]
fn a_committed_receiver_lets_others_send() {
    let network = model(
        "broadcast chan c;
         process S() { state A, B; init A; trans A -> B { sync c!; }; }
         process R() { clock x; state W { x <= 4 }, L, M; commit L;
                       init W; trans W -> L { guard x >= 2; }, L -> M { guard x <= 3; sync c?; }; }
         process Q() { clock y; state L, M; init L; trans L -> M { guard y > 2; sync c?; }; }
         system S, R, Q;",
        "E<> R.L && R.x > 3\nE<> S.B && R.M && Q.L\nE<> S.B && R.M && Q.M\nA[] R.M imply S.B\nE<> deadlock && R.L",
    );
    assert_eq!(verdicts(&network), [Verdict::Satisfied; 5]);
}

/// Where no step is possible is asked of all combinations, and found by few of them.
#[test]
fn deadlocks_are_found_among_many_receivers() {
    let text = receivers(20, "x > i", "assign x = 0;");
    let network = model(&text, "E<> deadlock && S.A\nE<> deadlock && S.B\nA[] S.A imply not deadlock");
    assert_eq!(verdicts(&network), [Verdict::Violated, Verdict::Satisfied, Verdict::Satisfied]);
    let urgent = text.replace("state A, B; init A;", "state A, B; urgent A; init A;");
    let network = model(&urgent, "E<> deadlock && S.A\nE<> deadlock && S.B");
    assert_eq!(verdicts(&network), [Verdict::Violated, Verdict::Satisfied]);
}

/// A million combinations that all exist at one point are more than are gone through, and it is said which.
#[test]
fn too_many_combinations_are_unknown() {
    let edges = ["trans L -> L { sync c?; }", "L -> L { sync c?; }", "L -> L { sync c?; }"].join(", ");
    let text = format!(
        "broadcast chan c;
         process S() {{ state A; init A; trans A -> A {{ sync c!; }}; }}
         process R(const int[1,13] i) {{ state L; init L; {edges}; }}
         system S, R;"
    );
    let answer = explored(&model(&text, ""));
    assert_eq!(answer.verdict, Verdict::Unknown);
    let Why::TooMany(error) = answer.why else { panic!("{:?}", answer.why) };
    assert_eq!(error.kind, EvalErrorKind::TooMany(Multiplied::Receivers, 1_000_000));
    assert_eq!(error.kind.to_string(), "more than 1,000,000 combinations of receivers in one state");
}

/// Combinations of vectors that are too many to list are gone through one by one.
#[test]
fn participants_of_vectors_multiply() {
    let mut text = "system:s\nevent:e\n".to_owned();
    for process in 0..3 {
        text += &format!("process:P{process}\nlocation:P{process}:L{{initial:}}\n");
        text += &format!("edge:P{process}:L:L:e\n").repeat(48);
    }
    text += "sync:P0@e:P1@e:P2@e\n";
    let (network, diagnostics) = tourbillon_front_tchecker::load("s.tck", &text, &mut SourceMap::new());
    let network = network.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let answer = explored(&network);
    assert_eq!((answer.why, answer.stats.transitions), (Why::Complete, 48 * 48 * 48));
}

/// Fireflies that flash when their clock has run its period, and begin anew when they see another, unless they have
/// flashed a short while ago.
fn fireflies(count: u32) -> String {
    format!(
        "const int PERIOD = 10, DEAF = 4; typedef int[1,{count}] id_t; broadcast chan flash;
         process Firefly(const id_t id) {{
             clock x;
             state Hidden {{ x <= PERIOD }}, Dark {{ x <= PERIOD }};
             init Hidden;
             trans Hidden -> Dark {{ assign x = 0; }},
                   Dark -> Dark {{ guard x == PERIOD; sync flash!; assign x = 0; }},
                   Dark -> Dark {{ guard x > DEAF; sync flash?; assign x = 0; }};
         }}
         system Firefly;"
    )
}

/// Orders of four clocks in time, and which of them were woken together: as before receivers were combined in the zone.
#[test]
fn fireflies_are_counted() {
    let answer = explored(&model(&fireflies(4), ""));
    let stats = answer.stats;
    assert_eq!((answer.why, stats.stored, stats.visited, stats.transitions), (Why::Complete, 65, 65, 488));
}

#[test]
fn twenty_fireflies_are_explored() {
    let queries = "E<> forall (i : id_t) Firefly(i).Dark\nA[] forall (i : id_t) Firefly(i).x <= PERIOD";
    let network = model(&fireflies(20), queries);
    let limits = Limits { states: Some(2_000), ..Limits::default() };
    let answers = answered(&network, Some(&[0, 1]), limits);
    assert_eq!(answers[0].verdict, Verdict::Satisfied);
    assert!(answers[0].witness.is_some());
    // All fireflies are alike.
    assert_eq!((answers[1].verdict, &answers[1].why), (Verdict::Satisfied, &Why::Complete));
}

/// 35 processes with 131 clocks: a scheduler and a timer wake those of 33 tasks whose time has come.
#[test]
fn a_scheduler_of_many_tasks_is_explored() {
    let network = model(
        "const int N = 33; typedef int[0,N-1] id_t; broadcast chan tick; chan run[id_t], done[id_t];
         clock last[30];
         process Scheduler() {
             clock slice, total; int[0,N] next;
             state Choose { slice <= 1 }, Busy { slice <= 5 };
             init Choose;
             trans Choose -> Busy { select i : id_t; guard i == next; sync run[i]!; assign slice = 0; },
                   Choose -> Choose { guard slice == 1; sync tick!; assign slice = 0, next = (next + 1) % N; },
                   Busy -> Choose { select i : id_t; guard i == next; sync done[i]?;
                                    assign slice = 0, next = (next + 1) % N; };
         }
         process Timer() {
             state A { last[0] <= 10 };
             init A;
             trans A -> A { guard last[0] == 10; sync tick!; assign last[0] = 0; };
         }
         process Task(const id_t id) {
             clock period, work, waited;
             state Asleep, Ready, Running { work <= 4 };
             init Asleep;
             trans Asleep -> Ready { guard period >= 20 + id; sync tick?;
                                     assign period = 0, waited = 0, last[id % 30] = 0; },
                   Ready -> Running { guard waited <= 400; sync run[id]?; assign work = 0; },
                   Running -> Asleep { guard work >= 2; sync done[id]!; };
         }
         system Scheduler, Timer, Task;",
        "E<> Task(3).Running\nE<> Task(5).Ready && Task(6).Ready && Task(7).Asleep",
    );
    assert_eq!((network.processes.len(), network.clocks.len()), (35, 131));
    assert_eq!(verdicts(&network), [Verdict::Satisfied, Verdict::Satisfied]);
}
