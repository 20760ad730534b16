//! Answers that are given one by one say what a whole report says, and limits hold inside a state.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use tourbillon::{
    Cause, JsonReport, Limits, PlanRequest, QuerySelection, Request, check, check_each, load,
    query_summaries, report_json,
};

/// A report without what differs from run to run, its results in the order of the queries.
fn settled(mut report: Value) -> Value {
    let results = report["results"].as_array_mut().expect("a list");
    results.sort_by_key(|result| result["number"].as_u64());
    for result in results {
        result["stats"]["time_s"] = 0.into();
    }
    // Which plan comes first depends on which answer does.
    report["plan"] = Value::Null;
    report
}

/// Each result with its plan, whichever stands at the top.
fn with_plans(mut report: Value) -> Value {
    let common = report["plan"].clone();
    for result in report["results"].as_array_mut().expect("a list") {
        if result["plan"].is_null() {
            result["plan"] = common.clone();
        }
    }
    report
}

#[test]
fn what_is_written_answer_by_answer_is_the_whole_report() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, traces) in [("train-gate.xml", None), ("fischer-broken.xml", Some(3)), ("two-doors.xml", None)]
    {
        let loaded = load(name, &std::fs::read(examples.join(name)).expect("an example"));
        let request =
            Request { plan_request: PlanRequest { traces, ..PlanRequest::default() }, ..Request::default() };
        let whole = check(&loaded, &request, &mut |_| {}).expect("a report");
        let diagnostics = loaded.diagnostics.iter().chain(&whole.diagnostics);
        // Read back like the other: the last digit of a number may change.
        let whole = report_json(&whole, diagnostics, loaded.sources()).to_string();
        let whole: Value = serde_json::from_str(&whole).expect("JSON");
        let (model, _) = query_summaries(&loaded, &request).expect("questions");
        let [mut document, mut lines] = [false, true].map(|lines| {
            let mut written = JsonReport::new(Vec::new(), lines, &model);
            written.diagnose(&loaded.diagnostics, loaded.sources());
            written
        });
        check_each(&loaded, &request, &mut |_| {}, &mut |given| {
            for written in [&mut document, &mut lines] {
                written.diagnose(given.diagnostics, loaded.sources());
                written.answer(given, None).expect("memory can be written");
            }
        })
        .expect("answers");
        let [document, lines] = [document, lines].map(|mut written| {
            written.finish().expect("memory can be written");
            String::from_utf8(written.into_inner()).expect("text")
        });
        let document: Value = serde_json::from_str(&document).expect("JSON");
        assert_eq!(settled(with_plans(document)), settled(with_plans(whole.clone())), "{name}");
        let answers: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let verdicts = |all: &[Value]| all.iter().filter(|it| it["verdict"].is_string()).count();
        assert_eq!(verdicts(&answers), whole["results"].as_array().map_or(0, Vec::len), "{name}");
    }
}

/// One state with two thousand successors of two thousand cells each.
const WIDE: &[u8] =
    b"int a[2000]; process P() { state A; init A; trans A -> A { select i : int[0,1999]; assign a[i] \
    = 1; }; } system P;";

#[test]
fn the_memory_of_a_list_is_looked_at_inside_a_state() {
    let loaded = load("wide.xta", WIDE);
    let limits = Limits { memory_bytes: Some(1 << 20), ..Limits::default() };
    let request = Request { queries: QuerySelection::Exploration, limits, ..Request::default() };
    let report = check(&loaded, &request, &mut |_| {}).expect("a report");
    let result = &report.results[0];
    assert_eq!(result.reason, Cause::MemoryLimit);
    assert!(result.stats.stored < 1000, "{} of 2001 states", result.stats.stored);
}

#[test]
fn a_flag_ends_what_is_under_way_inside_a_state() {
    let loaded = load("wide.xta", WIDE);
    let stop = Arc::new(AtomicBool::new(true));
    let request = Request { queries: QuerySelection::Exploration, stop: Some(&stop), ..Request::default() };
    let report = check(&loaded, &request, &mut |_| {}).expect("a report");
    assert_eq!(report.results[0].reason, Cause::Interrupted);
}
