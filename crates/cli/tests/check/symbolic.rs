//! `--engine symbolic`: what it answers, what it shows, and what it refuses.

use serde_json::Value;

use crate::shared::{done, ended, file, path, refused};
use crate::{FAILS, example, report};

#[test]
fn text_tells_of_zones_and_states() {
    let out =
        done(&["check", &example("train-gate.xml"), "--engine", "symbolic", "-q", "E<> Train(2).Cross"]);
    for part in [
        "train-gate  5 processes, 4 clocks, 6 variables · symbolic, extra-lu+",
        "✓ E<> Train(2).Cross\n",
        " state-zone pairs, ",
        "    witness: 2 steps, duration 10\n",
        "Train(2): Appr -> Cross\n",
    ] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    let out = done(&["check", &example("train-gate.xml"), "--engine", "symbolic", "--explore"]);
    for part in ["\n    zones ", "\n    images ", "bits per state", "actions, classes"] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
}

/// The verdicts that the file expects, and runs where something was found.
#[test]
fn json_has_what_a_search_over_sets_took() {
    let report = report(1, &[&example("fischer-broken.xml"), "--engine", "symbolic"]);
    assert_eq!(report["plan"]["engine"], "symbolic");
    let results = report["results"].as_array().expect("a list").iter();
    // One is about what happens in the end.
    let answered: Vec<&Value> = results.filter(|result| result["reason"] != "not-supported").collect();
    assert_eq!(answered.len(), 3);
    for result in answered {
        assert_eq!(result["verdict"], result["expected"], "{}", result["query"]);
        assert_eq!(result["trace"].is_object(), result["reason"] == "found", "{}", result["query"]);
        let sets = &result["stats"]["sets"];
        for key in ["steps", "pairs", "nodes", "nodes_max", "actions", "classes", "bits"] {
            assert!(sets[key].as_u64() > Some(0), "{key}: {sets}");
        }
    }
}

/// Both engines find as many discrete states.
#[test]
fn engines_agree_on_what_can_be_reached() {
    let states = |engine: &str| -> Value {
        let report = report(0, &[&example("fischer.xml"), "--explore", "--engine", engine]);
        report["results"][0]["stats"]["discrete_states"].clone()
    };
    assert!(states("symbolic").as_u64() > Some(100));
    assert_eq!(states("symbolic"), states("zones"));
}

#[test]
fn a_model_that_fails_is_told_with_its_run() {
    let model = file("symbolic-fails", "counter.xta", FAILS);
    let model = path(&model);
    let (out, err) = ended(2, &["check", model, "--engine", "symbolic", "-q", "A[] n <= 3"]);
    let message = "error[R0005]: the model fails here at run time: the value 4 outside [0,3]";
    assert!(err.contains(message) && err.contains("counter.xta:6:"), "{err}");
    assert!(out.contains("run to the error: 3 steps"), "{out}");
}

const PRIORITIES: &str = "chan a, b;\nchan priority a < b;\n\
    process P() { state A, B; init A; trans A -> B { sync a!; }, A -> A { sync b!; }; }\n\
    process Q() { state A; init A; trans A -> A { sync a?; }, A -> A { sync b?; }; }\nsystem P, Q;\n";

/// Each with the reason and the engine that can do it.
#[test]
fn what_it_cannot_do_is_refused() {
    let model = example("train-gate.xml");
    for (query, reason) in [
        ("A<> Train(0).Cross", "no cycle detection"),
        ("Train(0).Appr --> Train(0).Cross", "no cycle detection"),
        ("sup: Train(0).x", "does not enumerate states"),
    ] {
        let err = refused(&["check", &model, "--engine", "symbolic", "-q", query]);
        assert!(err.contains(reason) && err.contains("need --engine zones"), "{query}: {err}");
    }
    let priorities = file("symbolic-priorities", "priorities.xta", PRIORITIES);
    let err = refused(&["check", path(&priorities), "--engine", "symbolic", "-q", "E<> P.B"]);
    assert!(err.contains("priorities") && err.contains("use --engine zones"), "{err}");
    for options in [["--order", "bfs"], ["--zones", "minimal"], ["--trace", "shortest"]] {
        let err = refused(&[&["check", &*model, "--engine", "symbolic"], &options[..]].concat());
        assert!(err.contains("--engine zones"), "{options:?}: {err}");
    }
    let err = refused(&["check", &model, "--engine", "zones", "--bdd-memory", "1M"]);
    assert!(err.contains("require --engine symbolic"), "{err}");
    for little in ["0", "100K"] {
        let err = refused(&["check", &model, "--engine", "symbolic", "--bdd-memory", little]);
        assert!(err.contains("at least 128 KiB"), "{little}: {err}");
    }
}

/// What is refused among other questions is told there, and the others are answered.
#[test]
fn other_questions_are_answered() {
    let queries = ["-q", "A<> Train(0).Cross", "-q", "E<> Train(0).Cross"];
    let model = example("train-gate.xml");
    let report = report(3, &[&[&*model, "--engine", "symbolic"], &queries[..]].concat());
    let result = |query: &str| {
        let mut results = report["results"].as_array().expect("a list").iter();
        results.find(|result| result["query"] == query).expect("an answer")
    };
    let refused = result("A<> Train(0).Cross");
    assert_eq!(refused["reason"], "not-supported");
    assert!(refused["why"].as_str().is_some_and(|why| why.contains("--engine zones")));
    assert_eq!(result("E<> Train(0).Cross")["verdict"], "satisfied");
}

#[test]
fn limits_are_verdicts() {
    let model = file("symbolic-limits", "fischer-9.xml", &done(&["gen", "fischer", "9"]));
    for (option, limit, reason) in [
        ("--bdd-memory", "128K", "memory-limit"),
        ("--memory-limit", "50K", "memory-limit"),
        ("--state-limit", "20", "state-limit"),
        ("--time-limit", "1ms", "time-limit"),
    ] {
        let report = report(3, &[path(&model), "--engine", "symbolic", "--explore", option, limit]);
        let result = &report["results"][0];
        assert_eq!(
            (result["verdict"].as_str(), result["reason"].as_str()),
            (Some("unknown"), Some(reason)),
            "{option}"
        );
    }
}
