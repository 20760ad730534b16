//! The examples: every query is answered as its file says.

use serde_json::Value;

use crate::{example, report};

const EXAMPLES: [&str; 11] = [
    "bridge.xml",
    "csmacd.xml",
    "fischer-broken.xml",
    "fischer.xml",
    "preemption-late.xml",
    "preemption.xml",
    "scheduler.xml",
    "speed-trap.xml",
    "train-gate.xml",
    "two-doors.xml",
    "watchdog.xml",
];

#[test]
fn all_are_listed() {
    let mut found: Vec<String> = std::fs::read_dir(example(""))
        .expect("the folder of examples")
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".xml"))
        .collect();
    found.sort();
    assert_eq!(found, EXAMPLES);
}

/// By every kind of run that can be asked for; exit status 1 where something is violated.
#[test]
fn every_query_is_answered_as_expected() {
    for name in EXAMPLES {
        for trace in ["none", "some", "shortest", "fastest"] {
            let status = i32::from(name != "fischer.xml");
            let report = report(status, &[&example(name), "--trace", trace]);
            for result in report["results"].as_array().expect("a list") {
                let query = &result["query"];
                assert!(result["expected"].is_string(), "{name}: nothing is expected of {query}");
                assert_eq!(result["verdict"], result["expected"], "{name}, --trace {trace}: {query}");
                let shown = result["reason"] == "found" && trace != "none";
                assert_eq!(result["trace"].is_object(), shown, "{name}, --trace {trace}: {query}");
            }
        }
    }
}

/// The answers that the comment in the file gives.
#[test]
fn labels_are_questions() {
    for (labels, status) in [
        ("critical1", 0),
        ("critical1,waiting2", 0),
        ("critical1,critical2", 1),
        ("critical2,critical3", 1),
        ("critical1,request2", 1),
    ] {
        let report = report(status, &[&example("fischer.tck"), "--labels", labels]);
        assert_eq!(report["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(report["results"][0]["trace"].is_object(), status == 0, "{labels}");
    }
}

/// A shortest run has no more steps than another, and a fastest one takes no longer.
#[test]
fn runs_are_as_short_and_as_fast_as_asked() {
    let runs = |trace: &str| -> Vec<(usize, f64)> {
        let report = report(1, &[&example("train-gate.xml"), "--trace", trace]);
        let traces = report["results"].as_array().expect("a list").iter().map(|result| &result["trace"]);
        traces.filter(|trace| trace.is_object()).map(measures).collect()
    };
    let (some, shortest, fastest) = (runs("some"), runs("shortest"), runs("fastest"));
    assert!(!some.is_empty() && some.len() == shortest.len() && some.len() == fastest.len());
    for ((some, shortest), fastest) in some.iter().zip(&shortest).zip(&fastest) {
        assert!(shortest.0 <= some.0 && shortest.0 <= fastest.0, "{some:?} {shortest:?} {fastest:?}");
        assert!(fastest.1 <= some.1 && fastest.1 <= shortest.1, "{some:?} {shortest:?} {fastest:?}");
    }
}

/// The number of steps of a run, and how long it takes.
fn measures(trace: &Value) -> (usize, f64) {
    let steps = trace["steps"].as_array().map_or(0, Vec::len);
    (steps, trace["duration"]["decimal"].as_str().and_then(|text| text.parse().ok()).expect("a number"))
}

/// Names in runs are those of the model: channels with their index, selections, places in the file.
#[test]
fn runs_are_told_by_the_names_of_the_model() {
    let report = report(0, &[&example("train-gate.xml"), "-q", "E<> Train(2).Cross"]);
    let first = &report["results"][0]["trace"]["steps"][0];
    let [train, gate] = &first["edges"].as_array().expect("edges")[..] else { panic!("{first}") };
    assert_eq!((train["process"].as_str(), train["source"].as_str()), (Some("Train(2)"), Some("Safe")));
    assert_eq!(
        (train["sync"]["name"].as_str(), train["sync"]["direction"].as_str()),
        (Some("appr[2]"), Some("send"))
    );
    assert_eq!(
        (gate["sync"]["name"].as_str(), gate["sync"]["direction"].as_str()),
        (Some("appr[2]"), Some("receive"))
    );
    assert_eq!(gate["selects"]["id"], 2);
    let places = report["results"][0]["trace"]["places"].as_array().expect("places");
    let place = places.iter().find(|it| it["process"] == "Gate" && it["edge"] == gate["edge"]);
    assert!(place.is_some_and(|it| it["line"].as_u64() > Some(1)), "{places:?}");
    assert_eq!(first["changes"]["locations"]["Train(2)"], "Appr");
    assert_eq!(first["changes"]["variables"]["Gate.length"], 1);
    let end = &report["results"][0]["trace"]["end"];
    assert_eq!(end["locations"]["Train(2)"], "Cross");
    assert_eq!(end["variables"]["Gate.length"], 1);
    assert_eq!(end["clocks"]["Train(2).x"]["exact"], "0");
}
