//! A negative value assigned to a clock: an error at run time in UPPAAL's language, no step in TChecker's; in every engine,
//! with a run or without.

use tourbillon::{
    Cause, Engine, Loaded, Mode, PlanRequest, QuerySelection, Report, Request, Simulation, TraceKind,
    Verdict, check, explain, lint, load, load_with_queries,
};

/// The first edge needs `x >= 1`; nothing else is asked of `x`.
fn uppaal(guard: &str, update: &str, queries: &str) -> Loaded {
    let text = format!(
        "clock x, y, t; int[0,3] n;\nprocess P() {{ state A {{ t <= 4 }}, B; init A; trans\n\
           A -> A {{ {guard} assign {update}; }},\n  A -> B {{ }}; }}\nsystem P;\n"
    );
    let loaded = load_with_queries("m.xta", text.as_bytes(), [("m.q", queries.as_bytes())]);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    loaded
}

fn tchecker(update: &str, guard: &str) -> Loaded {
    let text = format!(
        "system:s\nevent:e\nclock:1:x\nclock:1:y\nclock:1:t\nint:1:0:3:0:n\nprocess:P\n\
         location:P:a{{initial: : labels: a : invariant: t <= 4}}\nlocation:P:b{{labels: b}}\n\
         edge:P:a:a:e{{provided: {guard} : do: {update}}}\nedge:P:a:b:e\n"
    );
    let loaded = load("m.tck", text.as_bytes());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    loaded
}

fn asked(loaded: &Loaded, queries: QuerySelection, plan_request: &PlanRequest) -> Report {
    let request = Request { queries, plan_request: plan_request.clone(), ..Request::default() };
    check(loaded, &request, &mut |_| {}).unwrap_or_else(|error| panic!("{plan_request:?}: {error:?}"))
}

/// With a run and without.
fn with_traces() -> [PlanRequest; 2] {
    [TraceKind::Some, TraceKind::None].map(|trace| PlanRequest { trace, ..PlanRequest::default() })
}

fn every_engine() -> Vec<PlanRequest> {
    let engines = [Engine::Zones, Engine::Symbolic, Engine::Cluster];
    let all = engines
        .into_iter()
        .flat_map(|engine| with_traces().map(|plan_request| PlanRequest { engine, ..plan_request }));
    all.collect()
}

fn verdicts(report: &Report) -> Vec<Verdict> {
    report.results.iter().map(|result| result.verdict).collect()
}

#[test]
fn the_model_fails_in_uppaals_language() {
    let liveness = "A<> P.B\nE[] P.A\nP.A --> P.B\n";
    for update in ["x = x - 1", "x = x + (n - 1)", "y = x + 2, x = y - 3", "x = n - 1"] {
        for plan_request in with_traces() {
            let report = asked(&uppaal("", update, liveness), QuerySelection::Queries, &plan_request);
            assert_eq!(verdicts(&report), [Verdict::Unknown; 3], "{update}");
            assert!(report.results.iter().all(|result| result.reason == Cause::ModelFails), "{update}");
            let shown = report.results.iter().all(|result| result.trace.is_some());
            assert_eq!(shown, plan_request.trace == TraceKind::Some);
        }
        for plan_request in every_engine() {
            let report = asked(
                &uppaal("", update, "E<> n == 1\nA[] n == 0\n"),
                QuerySelection::Queries,
                &plan_request,
            );
            assert_eq!(verdicts(&report), [Verdict::Unknown; 2], "{update} {plan_request:?}");
            assert!(report.results.iter().all(|result| result.reason == Cause::ModelFails), "{update}");
        }
    }
}

#[test]
fn the_failure_has_a_name_a_place_a_run_and_a_hint() {
    let loaded = uppaal("guard y >= 2;", "x = y - 3", "E<> n == 1\n");
    let report = asked(&loaded, QuerySelection::Queries, &PlanRequest::default());
    let result = &report.results[0];
    let told = "a negative value assigned to the clock x (y - 3, where y < 3)";
    assert_eq!(result.why, format!("the model fails at run time: {told}"));
    // It ends where the step fails: the guard holds, and the value would be negative.
    let trace = result.trace.as_ref().expect("a run that leads there");
    assert_eq!(trace.duration.map(|time| time.to_string()).as_deref(), Some("2"));
    let failure = report.diagnostics.iter().find(|it| it.code.name() == "R0006").expect("a diagnostic");
    assert_eq!(failure.message, format!("the model fails here at run time: {told}"));
    assert!(failure.help.contains(&"guard the edge with `y >= 3`".to_owned()), "{:?}", failure.help);
    let place = loaded.sources().resolve(failure.primary);
    assert!(format!("{place:?}").contains("line: 3"), "{place:?}");
    assert!(explain("R0006").is_some());
}

#[test]
fn a_guard_makes_the_model_sound() {
    let queries = "A<> P.B\nE[] P.A\nP.A --> P.B\n";
    for plan_request in with_traces() {
        let report =
            asked(&uppaal("guard x >= 1;", "x = x - 1", queries), QuerySelection::Queries, &plan_request);
        assert_eq!(verdicts(&report), [Verdict::Satisfied, Verdict::Violated, Verdict::Satisfied]);
    }
    for plan_request in every_engine() {
        let loaded =
            uppaal("guard x >= 1 && n < 3;", "x = x - 1, n = n + 1", "E<> n == 3\nA[] n < 3 || t >= 3\n");
        let report = asked(&loaded, QuerySelection::Queries, &plan_request);
        assert_eq!(verdicts(&report), [Verdict::Satisfied; 2], "{plan_request:?}");
    }
}

#[test]
fn there_is_no_such_step_in_tcheckers_language() {
    let accepting = || QuerySelection::Accepting(vec![vec!["a".to_owned()]]);
    for update in ["x = x + -1", "x = n - 1"] {
        for plan_request in with_traces() {
            let report = asked(&tchecker(update, "y >= 0"), accepting(), &plan_request);
            assert_eq!(
                verdicts(&report),
                [Verdict::Violated],
                "{update}: four units of time allow four steps"
            );
        }
    }
    for plan_request in with_traces() {
        let report = asked(&tchecker("x = y", "y >= 0"), accepting(), &plan_request);
        assert_eq!(verdicts(&report), [Verdict::Satisfied]);
    }
}

/// Only so many steps fit in before time ends, which a counter tells.
#[test]
fn what_a_counter_shows_is_the_same_in_every_engine() {
    for (steps, expected) in [(4, Verdict::Satisfied), (5, Verdict::Violated)] {
        let text = format!(
            "system:s\nevent:e\nclock:1:x\nclock:1:t\nint:1:0:5:0:n\nprocess:P\n\
             location:P:a{{initial: : invariant: t <= 4}}\nlocation:P:b{{labels: b}}\n\
             edge:P:a:a:e{{provided: n < 5 : do: x = x + -1; n = n + 1}}\nedge:P:a:b:e{{provided: n == {steps}}}\n"
        );
        let loaded = load("m.tck", text.as_bytes());
        for plan_request in every_engine() {
            let report = asked(&loaded, QuerySelection::Labels(vec!["b".to_owned()]), &plan_request);
            assert_eq!(verdicts(&report), [expected], "{steps} steps, {plan_request:?}");
        }
    }
}

/// The step is there, or fails, where the simulator says so.
#[test]
fn the_simulator_agrees() {
    for mode in [Mode::Concrete, Mode::Symbolic] {
        let failing = uppaal("guard y >= 2;", "x = y - 3", "");
        let mut simulation = Simulation::new(&failing).expect("a simulation");
        simulation.set_mode(mode).expect("a mode");
        let situation = simulation.current_state();
        assert_eq!((situation.choices.len(), situation.failures.len()), (2, 1), "{mode:?}");
        assert!(situation.failures[0].what.contains("the clock x (y - 3, where y < 3)"), "{mode:?}");
        let disabled = tchecker("x = y + -3", "y >= 2");
        let mut simulation = Simulation::new(&disabled).expect("a simulation");
        simulation.set_mode(mode).expect("a mode");
        let situation = simulation.current_state();
        assert_eq!((situation.choices.len(), situation.failures.len()), (2, 0), "{mode:?}");
    }
}

#[test]
fn the_look_at_a_model_says_what_keeps_an_edge_from_being_taken() {
    let never = tchecker("x = y + -5", "y >= 0");
    let report = lint(&never, &Request::default(), &mut |_| {}).expect("a report");
    let told = |it: &str| report.findings.iter().any(|finding| finding.diagnostic.message.contains(it));
    assert!(told("an update would assign a negative value to a clock whenever it could be taken"));
}
