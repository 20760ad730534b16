//! Clocks that do not start at 0: in every engine, in runs, in the simulator, in conversions.

use tourbillon::{
    Engine, Mode, PlanRequest, Request, Simulation, Target, TraceKind, Verdict, check, convert, load,
    load_with_queries,
};

const LATE: &str = "const int N = 3;\n\
    clock x = N + 2, y[2] = { 1, 2 };\n\
    process P(const int k) { clock z = k; state A { x <= 8 }, B, C; init A; trans\n\
      A -> B { guard x == 8 && y[0] == 4 && y[1] == 5 && z == k + 3; }, A -> C { guard x < 5; }; }\n\
    Q = P(7);\nsystem Q;\n";

#[test]
fn every_engine_starts_there() {
    let queries = b"E<> Q.B\nE<> Q.C\nA[] x >= 5 && Q.z - x == 2\nE<> x == 5\n";
    let loaded = load_with_queries("late.xta", LATE.as_bytes(), [("late.q", queries.as_slice())]);
    use Verdict::{Satisfied, Violated};
    for (engine, trace) in [
        (Engine::Zones, TraceKind::Some),
        (Engine::Zones, TraceKind::Shortest),
        (Engine::Zones, TraceKind::Fastest),
        (Engine::Symbolic, TraceKind::Some),
    ] {
        let plan_request = PlanRequest { engine, trace, ..PlanRequest::default() };
        let report = check(&loaded, &Request { plan_request, ..Request::default() }, &mut |_| {})
            .unwrap_or_else(|trouble| panic!("{trouble}"));
        let verdicts: Vec<Verdict> = report.results.iter().map(|result| result.verdict).collect();
        assert_eq!(verdicts, [Satisfied, Violated, Satisfied, Satisfied], "{engine:?} {trace:?}");
        let run = report.results[0].trace.as_ref().expect("a run");
        let shown = |state: &tourbillon::TraceState| -> Vec<String> {
            state.clocks.iter().map(|(name, value)| format!("{name}={value}")).collect()
        };
        assert_eq!(shown(&run.initial), ["x=5", "y[0]=1", "y[1]=2", "Q.z=7"]);
        assert_eq!(run.steps[0].delay.to_string(), "3");
    }
}

#[test]
fn runs_for_ever_and_values_start_there() {
    let queries = b"A<> Q.B\nE[] Q.A\nQ.A --> Q.B\nsup{Q.A}: x\ninf: x\n";
    let loaded = load_with_queries("late.xta", LATE.as_bytes(), [("late.q", queries.as_slice())]);
    let report = check(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    let verdicts: Vec<Verdict> = report.results[..3].iter().map(|result| result.verdict).collect();
    assert_eq!(verdicts, [Verdict::Satisfied, Verdict::Violated, Verdict::Satisfied]);
    let values: Vec<String> =
        report.results[3..].iter().map(|result| format!("{:?}", result.values)).collect();
    assert!(values[0].contains('8') && values[1].contains('5'), "{values:?}");
}

#[test]
fn the_simulator_starts_there() {
    let loaded = load("late.xta", LATE.as_bytes());
    let mut simulation = Simulation::new(&loaded).unwrap_or_else(|trouble| panic!("{trouble}"));
    let clocks = simulation.current_state().state.clocks;
    let shown: Vec<String> = clocks.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(shown, ["x=5", "y[0]=1", "y[1]=2", "Q.z=7"]);
    simulation.set_mode(Mode::Symbolic).unwrap_or_else(|impossible| panic!("{impossible:?}"));
    let constraints = simulation.current_state().constraints.join(" && ");
    assert!(constraints.contains("5") && constraints.contains("8"), "{constraints}");
}

#[test]
fn conversions_keep_it_or_refuse() {
    let loaded = load("late.xta", LATE.as_bytes());
    let starts = |name: &str, text: &str| -> Vec<i32> {
        let model = load(name, text.as_bytes()).model.expect("a model");
        model.clocks.iter().map(|clock| clock.initial).collect()
    };
    for (target, name) in [(Target::Xml, "late.xml"), (Target::Xta, "late.xta")] {
        let text = convert(&loaded, target).expect("it can be written").text;
        assert_eq!(starts(name, &text), [5, 1, 2, 7], "{text}");
    }
    let refused = convert(&loaded, Target::Tck).expect_err("TChecker's clocks start at 0");
    let messages: Vec<&str> = refused.iter().map(|told| told.message.as_str()).collect();
    assert_eq!(
        messages[0],
        "the clock `x`, which starts at 5 and not at 0, cannot be written in this language"
    );
    assert_eq!(messages.len(), 4);
}
