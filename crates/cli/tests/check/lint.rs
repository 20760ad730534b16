//! `check --sanity` as a user runs it: findings at their places, runs, limits, exit statuses.

use crate::shared::{done, ended, file, path, refused};
use crate::{FAILS, STUCK, example, report};

/// The whole text, but for what it cost.
#[test]
fn findings_are_told_at_their_places_with_runs() {
    let model = file("sanity", "stuck.xta", STUCK);
    let (out, err) = ended(1, &["check", path(&model), "--sanity"]);
    assert_eq!(err, "");
    let folder = model.parent().and_then(|folder| folder.to_str()).expect("a folder");
    let (head, cost) = out.trim_end().rsplit_once('\n').expect("lines");
    let expected = "\
stuck  1 process, 1 clock, 0 variables · extra-lu+, local bounds, inclusion, sweep, zones shared, discrete bits

note[W0104]: the clock `x` is tested and never reset
 --> stuck.xta:1:7
  |
1 | clock x;
  |       ^

warning[W0002]: the edge `A -> A` of `P` is never taken: its clock guard never holds at `A`
 --> stuck.xta:7:5
  |
7 |     A -> A { guard x > 5; };
  |     ^^^^^^^^^^^^^^^^^^^^^^^

warning[W0005]: timelock at `P.B`: no transition is possible, and time cannot diverge: `P.B` stops it
 --> stuck.xta:3:23
  |
3 |   state A { x <= 5 }, B { x <= 7 };
  |                       ^
  |
  = help: the report has a run that leads there
    witness: 1 step, duration 3
      time  delay
         3     +3  P: A -> B
      at the end: P.B
      clocks: x = 3

✗ 2 findings, 1 note";
    assert_eq!(head.replace(&format!("{folder}/"), ""), expected);
    assert!(
        cost.starts_with("2 of 2 locations reached, 1 of 2 edges taken; 2 stored, 2 visited, in "),
        "{cost}"
    );
}

/// The examples are sound, but for CSMA/CD: stations that collide may try again at once, and collide again.
#[test]
fn the_examples_have_nothing_wrong() {
    let names = ["bridge", "fischer-broken", "fischer", "scheduler", "speed-trap", "train-gate"];
    for name in names.into_iter().chain(["two-doors", "watchdog"]) {
        let report = report(0, &[&example(&format!("{name}.xml")), "--sanity"]);
        assert_eq!(report["unknown"], serde_json::json!([]), "{name}");
        assert_eq!(report["coverage"]["locations"], report["coverage"]["locations_reached"], "{name}");
        assert_eq!(report["coverage"]["edges"], report["coverage"]["edges_taken"], "{name}");
        assert_eq!(report["findings"], serde_json::json!([]), "{name}");
    }
    report(0, &[&example("fischer.tck"), "--sanity"]);
    let csmacd = report(1, &[&example("csmacd.xml"), "--sanity"]);
    for finding in csmacd["findings"].as_array().expect("a list") {
        assert_eq!(finding["kind"], "zeno-loop");
        let time = &finding["trace"]["finish"]["time"]["exact"];
        assert!(finding["possible"] == true || time == "0", "{finding}");
        let told = finding["diagnostic"]["message"].as_str().expect("text");
        let blames = |location: &str| told.contains(location);
        assert!(blames("`Sending -> Retry -> Sending` of `Station`") || !blames("`Station`"), "{told}");
    }
}

/// In XML files too, with the element.
#[test]
fn a_place_in_an_xml_file_has_its_element() {
    let text = std::fs::read_to_string(example("fischer.xml")).expect("an example");
    let broken = text.replacen("turn == 0</label>", "turn == 0 &amp;&amp; turn == 1</label>", 1);
    assert_ne!(text, broken);
    let model = file("sanity-xml", "fischer.xml", &broken);
    let report = report(1, &[path(&model), "--sanity"]);
    let place = &report["findings"][0]["diagnostic"]["place"];
    assert!(place["element"].as_str().is_some_and(|it| it.starts_with("/nta/template[1]/")), "{place}");
    assert!(place["line"].as_u64() > Some(1), "{place}");
}

#[test]
fn limits_leave_things_unknown() {
    let model = file("sanity-limits", "fischer-6.xml", &done(&["gen", "fischer", "6"]));
    let limited = ["--sanity", "--state-limit", "500", "--symmetry", "off"];
    let (out, _) = ended(3, &[&["check", path(&model)], &limited[..]].concat());
    let open = "? unknown: the state limit was reached: which locations are never reached and which edges never taken";
    assert!(out.contains("\n? nothing found so far, 1 note\n") && out.contains(open), "{out}");
    assert!(!out.contains("✓") && !out.contains(" more "), "{out}");
    let report = report(3, &[&[path(&model)], &limited[..]].concat());
    assert_eq!(report["explorations"][0]["reason"], "state-limit");
    assert_eq!(report["unknown"].as_array().map(Vec::len), Some(4));
    assert!(report["explorations"][0]["stats"]["waiting"].as_u64() > Some(0), "{report}");
}

#[test]
fn what_cannot_be_is_refused() {
    let model = example("fischer.xml");
    for (options, part) in [
        (&["-q", "A[] true"][..], "cannot be used with"),
        (&["--explore"], "cannot be used with"),
        (&["--format", "verifyta"], "use --format text or json"),
        (&["--trace", "fastest"], "--trace shortest or some"),
    ] {
        let mut arguments = vec!["check", model.as_str(), "--sanity"];
        arguments.extend(options);
        let err = refused(&arguments);
        assert!(err.contains(part), "{options:?}: no `{part}` in\n{err}");
    }
    let told = refused(&["debug", "plan", &model, "--sanity"]);
    assert!(told.contains("--explain-plan"), "{told}");
    let (out, _) = ended(0, &["check", &model, "--sanity", "--explain-plan"]);
    assert!(out.contains("M-extrapolation does"), "{out}");
}

/// A model without any state has that one thing wrong with it, in text, in JSON and in the status.
#[test]
fn a_model_without_a_state_is_a_finding() {
    let text =
        "int n = 1;\nprocess P() { state A { n == 0 }; init A; trans A -> A { assign n = 0; }; } system P;";
    let model = file("sanity-stateless", "stateless.xta", text);
    let (out, err) = ended(1, &["check", path(&model), "--sanity"]);
    assert_eq!((err.as_str(), out.matches("warning[R0011]").count()), ("", 1), "{out}");
    assert!(out.contains("\n✗ 1 finding\n"), "{out}");
    let report = report(1, &[path(&model), "--sanity"]);
    assert_eq!(report["findings"][0]["kind"], "no-initial-state");
    assert_eq!(report["diagnostics"], serde_json::json!([]));
}

/// A model that fails, or that is no model, is wrong and not only odd.
#[test]
fn wrong_models_have_status_two() {
    let fails = file("sanity-fails", "counter.xta", FAILS);
    let (out, err) = ended(2, &["check", path(&fails), "--sanity"]);
    assert!(err.contains("error[R0005]") && err.contains("counter.xta:6:"), "{err}");
    assert!(out.contains("counter.xta:6:") && out.contains("the model fails here at run time: "), "{out}");
    assert!(out.contains("run to the error: 3 steps") && out.contains("? unknown"), "{out}");
    assert!(out.contains("\n✗ the model fails at run time") && !out.contains("✓"), "{out}");
    let broken = file("sanity-broken", "broken.xta", "int x = ;\nprocess P() { state A; init A; } system P;");
    let err = refused(&["check", path(&broken), "--sanity"]);
    assert_eq!(err.matches("broken.xta:1:").count(), 1, "{err}");
}

#[test]
fn the_codes_are_explained() {
    let out = done(&["explain", "W0005"]);
    assert!(out.starts_with("W0005: a timelock"), "{out}");
}
