//! Transient states: what is not stored is seen nevertheless, has its place in runs, and changes no verdict. Random networks are
//! compared with the oracle in `random.rs`, with these plans among others.

use std::path::Path;

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Answer, Committed, HashingRequest, Job, Limits, PassedForm, PlanRequest, Stats, TraceKind, Verdict,
    WhenFull, Why, ZoneForm, check,
};
use tourbillon_model::Model;
use tourbillon_testkit::networks::uppaal_model;

const MODES: [Committed; 3] = [Committed::Stored, Committed::Transient, Committed::Adaptive];

fn storing(store: Committed) -> PlanRequest {
    PlanRequest { store: Some(store), ..PlanRequest::default() }
}

fn asked(model: &Model, queries: Option<&[usize]>, plan_request: &PlanRequest) -> Vec<Answer> {
    let job = Job { model, queries, plan_request, limits: Limits::default(), stop: None };
    check(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{plan_request:?}: {error}"))
}

/// The statistics of a complete exploration.
fn explored(model: &Model, plan_request: &PlanRequest) -> Stats {
    let answer = asked(model, None, plan_request).remove(0);
    assert_eq!(answer.why, Why::Complete, "{plan_request:?}");
    let Stats { stored, covered, transient, transitions, .. } = answer.stats;
    assert_eq!(stored + covered + transient, transitions + 1, "{plan_request:?}");
    answer.stats
}

fn uppaal(declarations: &str, processes: &str, queries: &str) -> Model {
    uppaal_model(&format!("{declarations}\n{processes}"), queries).unwrap_or_else(|error| panic!("{error}"))
}

/// A bus that passes a bit through a chain of committed locations, at any time up to 5.
fn relay(queries: &str) -> Model {
    uppaal(
        "clock x; int[0,1] bit; int[0,3] count;",
        "process P() {
            state A { x <= 5 }, B, C, D, E;
            commit B, C, D;
            init A;
            trans A -> B { guard x >= 2; assign bit = 1 - bit; },
                  B -> C { guard bit == 1; assign count = 3; },
                  B -> D { guard bit == 0; },
                  C -> D { assign count = 1; },
                  D -> A { assign x = 0, count = 0; },
                  D -> E { guard bit == 1; };
        }
        system P;",
        queries,
    )
}

#[test]
fn states_with_a_committed_location_are_followed_and_not_stored() {
    let model = relay("");
    let [all, transient, adaptive] = MODES.map(|mode| explored(&model, &storing(mode)));
    // A, B and D with each bit, C with bit 1, and E.
    assert_eq!((all.stored, all.visited, all.transitions, all.transient), (8, 8, 8, 0));
    // A with each bit, and E.
    assert_eq!((transient.stored, transient.visited, transient.transient), (3, 3, 5));
    assert_eq!(transient.transitions, all.transitions);
    assert_eq!(adaptive, Stats { memory: adaptive.memory, ..transient });
    // One property alone is adaptive by default.
    assert_eq!(explored(&model, &PlanRequest::default()).stored, 3);
}

#[test]
fn goals_are_found_in_transient_states_and_behind_them() {
    let queries = "E<> P.C\nE<> P.D && bit == 1 && count == 1\nE<> P.E && x > 2\nA[] count < 3\nA[] count == 3 imply P.D\nE<> P.C && x > 5\nE<> P.D && x >= 5 && bit == 0\n";
    let expected = [true, true, true, false, false, false, true];
    let model = relay(queries);
    let all: Vec<usize> = (0..model.queries.len()).collect();
    for mode in MODES {
        for trace in [TraceKind::Some, TraceKind::None] {
            let plan_request = PlanRequest { trace, ..storing(mode) };
            // Each alone, and together: then stored states are reused, and transient ones computed again.
            let alone: Vec<Answer> =
                all.iter().flat_map(|&query| asked(&model, Some(&[query]), &plan_request)).collect();
            for answers in [alone, asked(&model, Some(&all), &plan_request)] {
                for (answer, &holds) in answers.iter().zip(&expected) {
                    let text = &model.queries[answer.query.expect("a query")].text;
                    let verdict = if holds { Verdict::Satisfied } else { Verdict::Violated };
                    assert_eq!(answer.verdict, verdict, "{plan_request:?}: {text}: {:?}", answer.why);
                    let shows = answer.why == Why::Found && trace == TraceKind::Some;
                    assert_eq!(answer.witness.is_some(), shows, "{plan_request:?}: {text}");
                }
            }
        }
    }
}

#[test]
fn the_run_to_a_transient_state_has_all_its_transitions() {
    let model = relay("E<> P.D && count == 1");
    for mode in MODES {
        let answer = asked(&model, Some(&[0]), &storing(mode)).remove(0);
        assert_eq!(answer.witness.expect("a run").run.steps.len(), 3, "A, B, C, D: {mode:?}");
    }
}

#[test]
fn a_deadlock_in_a_transient_state_is_found() {
    let stuck = uppaal(
        "clock x; int[0,1] bit;",
        "process P() {
            state A { x <= 5 }, B, C;
            commit B, C;
            init A;
            trans A -> B { assign x = 0; }, B -> C { assign bit = 1 - bit; }, C -> A { guard bit == 1; };
        }
        system P;",
        "A[] not deadlock",
    );
    for mode in MODES {
        let answer = asked(&stuck, Some(&[0]), &storing(mode)).remove(0);
        assert_eq!((answer.verdict, answer.why), (Verdict::Violated, Why::Found), "{mode:?}");
        assert_eq!(answer.witness.expect("a run").run.steps.len(), 5, "{mode:?}");
    }
}

#[test]
fn a_failure_behind_a_transient_state_has_its_run() {
    let model = uppaal(
        "int[0,3] n;",
        "process P() {
            state A, B, C;
            commit B, C;
            init A;
            trans A -> B { }, B -> C { assign n = 3; }, C -> A { assign n = 6 / (3 - n); };
        }
        system P;",
        "A[] n < 4",
    );
    for mode in MODES {
        let answer = asked(&model, Some(&[0]), &storing(mode)).remove(0);
        assert!(matches!(answer.why, Why::Failed(_)), "{mode:?}: {:?}", answer.why);
        let run = answer.witness.expect("a run").run;
        assert_eq!(run.steps.len(), 2, "a division by zero at C: {mode:?}");
    }
}

/// A committed location that counts to a number and begins again, and one behind it.
fn counter(last: u32) -> Model {
    uppaal(
        "int[0,1000] n;",
        &format!(
            "process P() {{
                state A, B, C;
                commit B;
                init A;
                trans A -> B {{ }}, B -> B {{ assign n = n < {last} ? n + 1 : 0; }},
                      B -> C {{ guard n == {last}; }};
            }}
            system P;"
        ),
        "",
    )
}

#[test]
fn a_cycle_of_committed_states_ends() {
    let short = explored(&counter(20), &storing(Committed::Transient));
    assert_eq!((short.stored, short.transient, short.covered), (2, 21, 1));
    // Beyond the 64 states of one expansion, some are stored, and the cycle is closed at one of them.
    let long = explored(&counter(500), &storing(Committed::Transient));
    let all = explored(&counter(500), &storing(Committed::Stored));
    assert_eq!((all.stored, all.transient), (503, 0));
    assert!(long.stored < 20 && long.transient > 400, "{long:?}");
}

#[test]
fn interleavings_of_committed_processes_are_followed_once() {
    let model = uppaal(
        "broadcast chan go;",
        "process S() { state A, B; init A; trans A -> B { sync go!; }; }
         process P() { state A, B, C; commit B; init A; trans A -> B { sync go?; }, B -> C { }; }
         P1 = P(); P2 = P(); P3 = P(); P4 = P(); P5 = P(); S1 = S();
         system P1, P2, P3, P4, P5, S1;",
        "",
    );
    let all = explored(&model, &storing(Committed::Stored));
    assert_eq!((all.stored, all.transitions), (1 + 32, 1 + 5 * 16));
    let transient = explored(&model, &storing(Committed::Transient));
    assert_eq!((transient.stored, transient.transient), (2, 31));
    assert_eq!(transient.transitions, all.transitions);
}

#[test]
fn storage_forms_find_what_is_behind_transient_states() {
    let model = relay("E<> P.E && x > 2\nE<> P.D && count == 1 && x >= 5\nE<> P.C && count == 1");
    let table = |passed| PlanRequest {
        passed,
        table: HashingRequest { memory_bytes: Some(1 << 20), ..HashingRequest::default() },
        ..PlanRequest::default()
    };
    let plans = [
        table(PassedForm::Bitstate),
        table(PassedForm::Compact),
        table(PassedForm::CompactZone),
        PlanRequest { zones: Some(ZoneForm::Cdd), ..PlanRequest::default() },
        PlanRequest { compact: true, ..PlanRequest::default() },
        PlanRequest { traces: Some(3), ..PlanRequest::default() },
        PlanRequest { shuffle_edges: true, ..PlanRequest::default() },
    ];
    for plan in plans {
        let is_exact = plan.passed == PassedForm::Exact;
        let plan_request = PlanRequest { store: Some(Committed::Transient), ..plan };
        let answers = asked(&model, Some(&[0, 1, 2]), &plan_request);
        let verdicts: Vec<Verdict> = answers.iter().map(|answer| answer.verdict).collect();
        let none = if is_exact { Verdict::Violated } else { Verdict::Unknown };
        assert_eq!(verdicts, [Verdict::Satisfied, Verdict::Satisfied, none], "{plan_request:?}");
        assert!(answers[..2].iter().all(|answer| answer.witness.is_some()), "{plan_request:?}");
        if is_exact && plan_request.traces.is_none() {
            assert_eq!(explored(&model, &plan_request).stored, 3, "{plan_request:?}");
        }
    }
}

#[test]
fn a_list_that_is_packed_keeps_the_paths_through_transient_states() {
    let text = tourbillon_gen::family("csmacd").expect("a family").tck(6).expect("a member");
    let (model, _) = tourbillon_front_tchecker::load("family.tck", &text, &mut SourceMap::new());
    let model = model.expect("a model");
    let usual = explored(&model, &storing(Committed::Transient));
    let plan_request = PlanRequest { when_full: Some(WhenFull::Pack), ..storing(Committed::Transient) };
    let limits = Limits { memory_bytes: Some(usual.memory.total() as u64 * 13 / 10), ..Limits::default() };
    let job = Job { model: &model, queries: None, plan_request: &plan_request, limits, stop: None };
    let packed = check(&job, &mut |_| {}).expect("it can be explored").remove(0);
    assert_eq!(packed.why, Why::Complete);
    assert_eq!(packed.stats.stored, usual.stored);
}

#[test]
fn the_adaptive_mode_ends_where_transient_states_have_many_predecessors() {
    let text = tourbillon_gen::family("csmacd").expect("a family").tck(7).expect("a member");
    let (model, _) = tourbillon_front_tchecker::load("family.tck", &text, &mut SourceMap::new());
    let model = model.expect("a model");
    let [all, transient, adaptive] = MODES.map(|mode| explored(&model, &storing(mode)));
    assert!(transient.stored < all.stored / 2 && transient.transitions > 2 * all.transitions);
    assert!(adaptive.transitions < all.transitions * 11 / 10, "{adaptive:?}, all {all:?}");
    assert!(adaptive.transient > 0 && adaptive.stored <= all.stored, "{adaptive:?}");
}

/// The protocols of Bang & Olufsen, if the shared models are there: at most half of the states are stored.
#[test]
fn the_protocols_of_bang_and_olufsen_need_a_quarter_of_their_states() {
    for (name, all, expected) in [("bando", 136_662, 36_539), ("bocdp", 62_773, 16_648)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/uppaal");
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.xta"))) else { continue };
        let model = uppaal(&text, "", "A[] true\nA[] A_eof <= 1 or true");
        let stored = MODES.map(|mode| explored(&model, &storing(mode)).stored);
        assert_eq!(stored, [all, expected, expected], "{name}");
        // The second query tests the transient states again, and stores no more.
        for answer in asked(&model, Some(&[0, 1]), &storing(Committed::Adaptive)) {
            assert_eq!((answer.verdict, answer.stats.stored), (Verdict::Satisfied, expected), "{name}");
        }
    }
}
