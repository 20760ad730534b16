//! Models that are large in one respect: all that is done with them takes time in proportion.

use tourbillon::{
    PlanRequest, QuerySelection, Request, Target, TraceKind, Verdict, check, convert, draw_dot, draw_svg,
    load, load_with_queries,
};

const LOCATIONS: usize = 100_000;

fn exploration() -> Request<'static> {
    Request { queries: QuerySelection::Exploration, ..Request::default() }
}

/// A template with so many locations, and these edges.
fn template(edges: &[String]) -> String {
    let names: Vec<String> = (0..LOCATIONS).map(|index| format!("L{index}")).collect();
    let (names, edges) = (names.join(", "), edges.join(",\n"));
    format!("clock x; process P() {{ state {names}; init L0; trans {edges}; }} system P;")
}

#[test]
fn a_hundred_thousand_locations_are_read_compiled_explored_and_drawn() {
    let chain: Vec<String> = (1..LOCATIONS)
        .map(|to| format!("L{} -> L{to} {{ guard x <= {to}; assign x := 0; }}", to - 1))
        .collect();
    let loaded = load("chain.xta", template(&chain).as_bytes());
    let report = check(&loaded, &exploration(), &mut |_| {}).expect("it can be explored");
    assert_eq!(report.results[0].stats.stored, LOCATIONS as u64);
    let svg = draw_svg(&loaded, None).expect("a picture").expect("a template");
    assert!(svg.matches("<circle").count() >= LOCATIONS, "each location is drawn");
    assert!(draw_dot(&loaded, None).expect("a picture").is_some());
    for target in [Target::Xml, Target::Tck] {
        assert!(convert(&loaded, target).expect("a model").text.len() > LOCATIONS);
    }
}

/// The run has as many steps as there are edges, and each is replayed.
#[test]
fn a_run_through_a_hundred_thousand_locations_is_shown() {
    let chain: Vec<String> =
        (1..LOCATIONS).map(|to| format!("L{} -> L{to} {{ guard x >= 1; assign x := 0; }}", to - 1)).collect();
    let query = format!("E<> P.L{}\n", LOCATIONS - 1);
    let loaded = load_with_queries("chain.xta", template(&chain).as_bytes(), [("chain.q", query.as_bytes())]);
    let trace = TraceKind::Some;
    let request =
        Request { plan_request: PlanRequest { trace, ..PlanRequest::default() }, ..Request::default() };
    let report = check(&loaded, &request, &mut |_| {}).expect("it can be checked");
    assert_eq!(report.results[0].verdict, Verdict::Satisfied);
    let run = report.results[0].trace.as_ref().expect("a witness");
    assert_eq!(run.steps.len(), LOCATIONS - 1);
}

#[test]
fn a_hundred_thousand_edges_leave_one_location() {
    let edges: Vec<String> = (0..LOCATIONS).map(|to| format!("L0 -> L{to} {{ guard x <= {to}; }}")).collect();
    let loaded = load("star.xta", template(&edges).as_bytes());
    let report = check(&loaded, &exploration(), &mut |_| {}).expect("it can be explored");
    assert_eq!(report.results[0].stats.stored, LOCATIONS as u64);
    assert!(draw_svg(&loaded, None).expect("a picture").is_some());
}

/// All but the first share their names and have to be told apart.
#[test]
fn ten_thousand_vectors_and_processes_are_written_as_text_of_uppaal() {
    let processes = 10_000;
    let mut text = "system:s\nevent:e\n".to_owned();
    for index in 0..processes {
        text += &format!(
            "process:P{index}\nlocation:P{index}:a{{initial:}}\nlocation:P{index}:b\nedge:P{index}:a:b:e\n"
        );
    }
    (1..processes).for_each(|index| text += &format!("sync:P{}@e:P{index}@e\n", index - 1));
    let converted = convert(&load("s.tck", text.as_bytes()), Target::Xta).expect("UPPAAL has such channels");
    assert!(converted.text.contains("chan e;\nchan e_2;\nchan e_3;\n"), "{}", &converted.text[..100]);
    assert!(converted.text.contains("chan e_9999;\n") && !converted.text.contains("chan e_10000;\n"));
}

/// The run has as many steps as there are to count, and all of them have to be put off: the second clock must show so
/// much in the end, and the first lets no step wait for long.
#[test]
fn a_run_of_a_hundred_thousand_steps_is_built_and_timed() {
    let steps = 100_000;
    let text = format!(
        "clock x, y; int[0,{steps}] i; process P() {{ state A {{ x <= 2 }}, B; init A; trans \
         A -> A {{ guard x >= 1 && i < {steps}; assign x := 0, i := i + 1; }}, A -> B {{ guard i == {steps}; }}; }} \
         system P;"
    );
    let queries = format!("E<> P.B\nE<> i == {steps} && x == 0 && y > 150000\n");
    let loaded = load_with_queries("count.xta", text.as_bytes(), [("count.q", queries.as_bytes())]);
    let report = check(&loaded, &Request::default(), &mut |_| {}).expect("they can be answered");
    for (result, steps) in report.results.iter().zip([steps + 1, steps]) {
        assert_eq!(result.verdict, Verdict::Satisfied, "{}", result.why);
        assert_eq!(result.trace.as_ref().expect("a run").steps.len(), steps);
    }
}
