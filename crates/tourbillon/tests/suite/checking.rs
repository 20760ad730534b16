//! The façade's contract: a request in, a report of plain data out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon::{
    Axis, Cause, CheckError, Engine, Limits, Loaded, PlanRequest, Purpose, QuerySelection, Request, Sense,
    Verdict, check, load, load_with_only_queries, load_with_queries, plans,
};

const LAMP: &str = "chan press[2]; int[0,9] presses; clock y;\n\
    process Lamp() { state Off, Dim { y <= 5 }; init Off; trans\n\
      Off -> Dim { select i : int[0,1]; sync press[i]?; assign y = 0, presses++; },\n\
      Dim -> Off { guard y >= 3; }; }\n\
    process User() { state Idle; init Idle; trans Idle -> Idle { guard presses < 2; sync press[presses]!; }; }\n\
    system Lamp, User;\n";

fn lamp(queries: &str) -> Loaded {
    let loaded = load_with_queries("lamp.xta", LAMP.as_bytes(), [("lamp.q", queries.as_bytes())]);
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    loaded
}

#[test]
fn answers_come_in_order_with_their_questions() {
    let loaded = lamp(
        "/* It can shine. EXPECT:T */\nE<> Lamp.Dim\n\n/* Not for ever. */\nA[] y <= 5\n\nA[] presses <= 2\n",
    );
    let report = check(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    let verdicts: Vec<Verdict> = report.results.iter().map(|result| result.verdict).collect();
    assert_eq!(verdicts, [Verdict::Satisfied, Verdict::Violated, Verdict::Satisfied]);
    assert_eq!(report.verdict(), Verdict::Violated);
    let first = &report.results[0];
    let query = first.query.as_ref().expect("a query");
    assert_eq!((query.text.as_str(), query.comment.as_str()), ("E<> Lamp.Dim", "It can shine."));
    assert_eq!((query.sense, query.place.as_str()), (Sense::Possibly, "line 2"));
    assert_eq!(first.as_expected(), Some(true));
    assert_eq!(first.why, "a reachable state satisfies the predicate");
    assert_eq!(report.results[1].as_expected(), None);
    assert_eq!((report.model.processes, report.model.clocks, report.model.variables), (2, 1, 1));
}

#[test]
fn a_run_is_told_by_names_values_and_places() {
    let loaded = lamp("E<> presses == 2\n");
    let report = check(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    let trace = report.results[0].trace.as_ref().expect("a witness");
    assert_eq!((trace.purpose, trace.steps.len()), (Purpose::Witness, 3));
    let channels: Vec<String> = trace
        .steps
        .iter()
        .flat_map(|step| &step.edges)
        .filter_map(|edge| edge.sync.as_ref())
        .map(|sync| format!("{}{}", sync.name, sync.direction.mark()))
        .collect();
    assert_eq!(channels, ["press[0]!", "press[0]?", "press[1]!", "press[1]?"]);
    let lamp = &trace.steps[2].edges[1];
    assert_eq!((&*lamp.process, &*lamp.source, &*lamp.target), ("Lamp", "Off", "Dim"));
    assert_eq!(lamp.selects, [("i".to_owned(), 1)]);
    assert_eq!((lamp.place.file.as_str(), lamp.place.line), ("lamp.xta", 3));
    assert_eq!(trace.steps[1].delay.to_string(), "3");
    assert_eq!(trace.steps[1].after.variables, []);
    assert_eq!(trace.steps[2].after.variables[0].1, 2);
    assert_eq!(trace.end.variables.len(), 1);
    assert_eq!(trace.duration.map(|time| time.to_string()).as_deref(), Some("3"));
}

#[test]
fn labels_make_a_query() {
    let text = "system:s\nevent:e\nprocess:P\nlocation:P:a{initial:}\nlocation:P:b{labels: on}\nedge:P:a:b:e\n\
                process:Q\nlocation:Q:a{initial:}\nlocation:Q:b{labels: on,odd}\nlocation:Q:c{labels: off}\nedge:Q:a:c:e\n";
    let loaded = load("s.tck", text.as_bytes());
    let ask = |labels: &[&str]| {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        check(
            &loaded,
            &Request { queries: QuerySelection::Labels(labels), ..Request::default() },
            &mut |_| {},
        )
    };
    assert_eq!(ask(&["on", "off"]).expect("a report").verdict(), Verdict::Satisfied);
    assert_eq!(ask(&["odd"]).expect("a report").verdict(), Verdict::Violated);
    let Err(CheckError::Request(message)) = ask(&["on", "oof"]) else { panic!("`oof` is no label") };
    assert_eq!(message, "no location has the label `oof`; did you mean `off`? (the labels are odd, off, on)");
    assert!(matches!(ask(&[]), Err(CheckError::Request(_))));
}

#[test]
fn limits_and_wishes_to_stop_are_reasons() {
    let loaded = lamp("A[] presses <= 2\n");
    let stop = Arc::new(AtomicBool::new(true));
    let stopped = Request { stop: Some(&stop), ..Request::default() };
    let report = check(&loaded, &stopped, &mut |_| {}).expect("a report");
    assert_eq!((report.results[0].verdict, report.results[0].reason), (Verdict::Unknown, Cause::Interrupted));
    let limited = Request {
        queries: QuerySelection::Exploration,
        limits: Limits { states: Some(1), ..Limits::default() },
        ..Request::default()
    };
    let report = check(&loaded, &limited, &mut |_| {}).expect("a report");
    assert!(report.results[0].query.is_none());
    assert_eq!(report.results[0].reason, Cause::StateLimit);
}

#[test]
fn a_failing_model_is_told_once_for_all_questions() {
    let text = LAMP.replace("guard presses < 2;", "guard presses < 3;");
    let loaded = load_with_queries(
        "lamp.xta",
        text.as_bytes(),
        [("lamp.q", b"A[] presses < 9\n\nA[] true\n".as_slice())],
    );
    let report = check(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    assert_eq!(report.diagnostics.error_count(), 1);
    let told = &report.diagnostics.as_slice()[0];
    assert_eq!(told.code.name(), "R0004");
    assert_eq!(loaded.sources().resolve(told.primary).start.line, 5);
    for result in &report.results {
        assert_eq!((result.verdict, result.reason), (Verdict::Unknown, Cause::ModelFails));
        assert_eq!(result.trace.as_ref().map(|trace| trace.purpose), Some(Purpose::Failure));
    }
}

#[test]
fn what_is_not_asked_is_not_judged() {
    let model = "<nta><declaration/><template><name>P</name><location id=\"a\"><name>A</name></location>\
                 <init ref=\"a\"/></template><system>system P;</system><queries><query>\
                 <formula>E&lt;&gt; ) nothing</formula></query></queries></nta>";
    let queries = [("right.q", b"E<> P.A\n".as_slice())];
    let all = load_with_queries("p.xml", model.as_bytes(), queries);
    assert!(all.diagnostics.has_errors());
    let only = load_with_only_queries("p.xml", model.as_bytes(), queries);
    assert!(!only.diagnostics.has_errors(), "{:?}", only.diagnostics);
    assert_eq!(only.model.map(|model| model.queries.len()), Some(1));
}

#[test]
fn plans_are_made_without_a_search() {
    let loaded = lamp("E<> Lamp.Dim\n\nA<> Lamp.Dim\n");
    let plans = plans(&loaded, &Request::default()).expect("plans");
    assert_eq!(plans.len(), 2);
    assert_eq!(plans[0].0.as_deref(), Some("E<> Lamp.Dim"));
    assert_eq!(plans[0].1.choice(Axis::Abstraction), "extra-lu+");
    assert_eq!(
        (plans[1].1.choice(Axis::Abstraction), plans[1].1.choice(Axis::Cycles)),
        ("extra-m+".into(), "nested".into())
    );
    let refused = Request {
        plan_request: PlanRequest {
            trace: tourbillon::TraceKind::Shortest,
            order: Some(tourbillon::Order::Dfs),
            ..PlanRequest::default()
        },
        ..Request::default()
    };
    let loaded = lamp("E<> Lamp.Dim\n");
    assert!(matches!(check(&loaded, &refused, &mut |_| {}), Err(CheckError::Request(_))));
}

/// Alternatives of the query and parts of a zone that a priority leaves: the earliest counts, not the first.
#[test]
fn the_fastest_run_is_as_fast_as_possible() {
    let model = "clock x; chan hi, lo; chan priority lo < hi;\n\
        process P() { state A, B, C; init A; trans A -> B { guard x >= 3 && x <= 5; sync hi!; },\n\
          A -> C { guard x >= 1; sync lo!; }; }\n\
        process Q() { state A; init A; trans A -> A { sync hi?; }, A -> A { sync lo?; }; }\n\
        system P, Q;\n";
    let cases = [
        ("E<> P.C", 1, true, "1"),
        ("E<> P.C && (x >= 10 || x >= 7)", 7, true, "7"),
        ("E<> x > 12 || P.C && x > 3", 3, false, "7/2"),
        ("A[] not (P.A && x > 5)", 5, false, "11/2"),
    ];
    let queries = cases.map(|(text, ..)| text).join("\n\n") + "\n";
    let loaded = load_with_queries("p.xta", model.as_bytes(), [("p.q", queries.as_bytes())]);
    let plan_request = PlanRequest { trace: tourbillon::TraceKind::Fastest, ..PlanRequest::default() };
    let report =
        check(&loaded, &Request { plan_request, ..Request::default() }, &mut |_| {}).expect("a report");
    for ((text, value, attained, duration), result) in cases.iter().zip(&report.results) {
        let least = result.least_time.expect("it was asked for");
        assert_eq!((least.value, !least.excluded), (*value, *attained), "{text}");
        let run = result.trace.as_ref().expect("a run");
        assert_eq!(run.duration.expect("a small number").to_string(), *duration, "{text}");
    }
}

/// The first guard contradicts `x = y + z`, which zones forget and polyhedra do not: it never fails. The second asks nothing
/// of clocks, and does.
#[test]
fn a_failure_of_stopped_clocks_counts_only_with_a_run() {
    let model = |guard: &str| {
        format!(
            "clock x, y, z; int[0,1] n; int i = 5;\n\
             process P() {{ state A {{ y' == 0 }}, B {{ z' == 0 }}, C; init A;\n\
             trans A -> B {{ }}, B -> C {{ {guard} assign n = i; }}; }}\nsystem P;\n"
        )
    };
    for (guard, verdict, reason, errors) in [
        ("guard x == 5 && y == 1 && z == 1;", Verdict::Violated, Cause::Complete, 0),
        ("", Verdict::Unknown, Cause::ModelFails, 1),
    ] {
        let queries = [("p.q", b"E<> P.C\n".as_slice())];
        let loaded = load_with_queries("p.xta", model(guard).as_bytes(), queries);
        let report = check(&loaded, &Request::default(), &mut |_| {}).expect("a report");
        assert_eq!((report.results[0].verdict, report.results[0].reason), (verdict, reason));
        assert_eq!(report.results[0].trace.is_some(), errors == 1);
        assert_eq!((report.diagnostics.error_count(), report.diagnostics.iter().count()), (errors, errors));
    }
}

/// A cell that stands for a variable while a function has it must not be one that another argument uses meanwhile.
#[test]
fn what_is_lent_to_a_function_is_not_written_by_its_other_arguments() {
    const HEAD: &str = "int[0,5] v = 1; int[0,1] ar[3]; bool q;\n\
        typedef struct { int[0,9] a; int[0,9] b; } pair; pair p;\n\
        pair made() { pair r; r.a = 4; r.b = 7; return r; }\n\
        void f(int a, int &b) { if (a > 2) b = 0; }\n\
        void g(int a, pair r) { v = r.a; p.b = r.b; }\n";
    for (update, value) in [
        ("f(sum (k : int[0,2]) ar[k], v)", 1),
        ("f(q ? (sum (k : int[0,2]) ar[k]) : 0, v)", 1),
        ("f(3 + (sum (k : int[0,2]) ar[k]), v)", 0),
        ("g(sum (k : int[0,2]) ar[k], made())", 4),
    ] {
        let text = format!(
            "{HEAD}process P() {{ state A, B; init A; trans A -> B {{ assign {update}; }}; }}\nsystem P;\n"
        );
        let query = format!("A[] P.B imply v == {value}\nE<> P.B\n");
        let loaded = load_with_queries("p.xta", text.as_bytes(), [("p.q", query.as_bytes())]);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        for engine in [Engine::Zones, Engine::Symbolic] {
            let request = Request {
                plan_request: PlanRequest { engine, ..PlanRequest::default() },
                ..Request::default()
            };
            let report = check(&loaded, &request, &mut |_| {}).expect("a report");
            let verdicts: Vec<Verdict> = report.results.iter().map(|result| result.verdict).collect();
            assert_eq!(verdicts, [Verdict::Satisfied; 2], "{update}, {engine:?}");
        }
    }
}
