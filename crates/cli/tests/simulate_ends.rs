//! `tourbillon simulate`: run-time errors, infinite runs, and sessions that end early.

mod shared;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use shared::{done, ended, file, path, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon");

/// Three edges with the same text, the last of which eventually fails.
const PARALLEL: &str = "clock x; int[0,3] n; int[0,1] m;\n\
    process P() { state A; init A; trans\n\
      A -> A { guard x > 2; assign n = n + 1; },\n\
      A -> A { assign m = 1 - m; },\n\
      A -> A { guard x > 4; assign n = n + 2; }; }\n\
    system P;\n";

/// A model with an infinite run, through a location that it visits once.
const ROUND: &str = "clock x; process P() { state A { x <= 3 }, B { x <= 5 }; init A;\n\
    trans A -> B { guard x >= 1; }, B -> B { guard x >= 2; assign x = 0; }; } system P;\n";

#[test]
fn a_step_that_goes_wrong_is_named_and_hides_no_other() {
    let model = file("fails", "parallel.xta", PARALLEL);
    let script = file("fails", "commands", "3 after 5\n");
    let out = done(&["simulate", path(&model), "--script", path(&script)]);
    let expected = "\
step 1, time 5: +5  P: A -> A  n = 2
  clocks: x = 5
  1  [0, ∞)  P: A -> A    line 3, column 1
  2  [0, ∞)  P: A -> A    line 4, column 1
  -  [0, ∞)  time passes
";
    let at = out.find("step 1").expect("a step was taken");
    assert!(out[at..].starts_with(expected), "{out}");
    let told = out.lines().last().expect("a line");
    assert!(told.starts_with("  P: A -> A fails here: the value 4 outside [0,3] ("), "{told}");
    assert!(told.contains("parallel.xta:5:"), "{told}");
    let json = done(&["simulate", path(&model), "--script", path(&script), "--format", "json"]);
    let last: Value = serde_json::from_str(json.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["choices"].as_array().map(Vec::len), Some(2));
    assert_eq!(last["failures"][0]["edges"][0]["edge"], 2);
    assert_eq!(last["failures"][0]["place"]["line"], 5);
}

#[test]
fn a_lasso_is_marked_and_judged() {
    let model = file("lasso", "round.xta", ROUND);
    let (report, _) = ended(0, &["check", path(&model), "-q", "E[] true", "--format", "json"]);
    let saved = file("lasso", "report.json", &report);
    let kept = file("lasso", "kept.json", "");
    let replay = |file: &str| done(&["simulate", path(&model), "--replay", file, "--save", path(&kept)]);
    let first = replay(path(&saved));
    assert!(first.contains("legal\n") && first.contains("forever"), "{first}");
    // What is saved goes on in the same way.
    let again = done(&["simulate", path(&model), "--replay", path(&kept)]);
    assert_eq!(again.lines().last(), first.lines().last());
    assert!(again.contains("forever"), "{again}");
    let mut other: Value = serde_json::from_str(&report).expect("JSON");
    let finish = &mut other["results"][0]["trace"]["finish"];
    *finish = serde_json::json!({"kind": "repeats", "from": 0, "time": null});
    let changed = file("lasso", "changed.json", &other.to_string());
    let (out, _) = ended(1, &["simulate", path(&model), "--replay", path(&changed)]);
    assert!(out.contains("not legal: in the cycle: a lap does not lead back to where it began"), "{out}");
    for (finish, told) in [("waits", "time cannot diverge"), ("stuck", "a step is possible")] {
        other["results"][0]["trace"]["finish"] = serde_json::json!({"kind": finish});
        let changed = file("lasso", "changed.json", &other.to_string());
        let (out, _) = ended(1, &["simulate", path(&model), "--replay", path(&changed)]);
        assert!(out.contains(&format!("not legal: at the end: {told}")), "{out}");
    }
    other["results"][0]["trace"]["finish"] = serde_json::json!({"kind": "repeats", "from": 99});
    let changed = file("lasso", "changed.json", &other.to_string());
    let err = refused(&["simulate", path(&model), "--replay", path(&changed)]);
    assert!(err.contains("results[0].trace.finish.from: not the index of a step"), "{err}");
}

#[test]
fn all_runs_of_all_reports_are_replayed() {
    let model = file("all", "round.xta", &ROUND.replace("trans", "trans A -> B { guard x >= 2; },"));
    let report = |more: &[&str]| {
        let mut arguments = vec!["check", path(&model), "--format", "json"];
        arguments.extend(more);
        ended(0, &arguments).0
    };
    let several = report(&["-q", "E<> P.B", "-q", "bounds: x", "--traces", "2"]);
    let several = file("all", "several.json", &several);
    let out = done(&["simulate", path(&model), "--replay", path(&several)]);
    for name in ["E<> P.B", "E<> P.B (run 2)", "bounds: x (least x)", "bounds: x (greatest x)"] {
        assert!(out.lines().any(|line| line == name), "no `{name}` in {out}");
    }
    let json = done(&["simulate", path(&model), "--replay", path(&several), "--format", "json"]);
    let replayed = file("all", "replayed.json", &json);
    assert_eq!(done(&["simulate", path(&model), "--replay", path(&replayed)]), out);
    let stops =
        "clock x; process P() { state A { x <= 3 }, B { x <= 5 }; init A; trans A -> B { }; } system P;";
    let model = file("all", "stops.xta", stops);
    let (sanity, _) = ended(1, &["check", path(&model), "--sanity", "--format", "json"]);
    let sanity = file("all", "sanity.json", &sanity);
    let out = done(&["simulate", path(&model), "--replay", path(&sanity)]);
    assert!(out.lines().any(|line| line == "legal"), "{out}");
}

fn session(arguments: &[&str]) -> Child {
    Command::new(PROGRAM)
        .arg("simulate")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program that was just built runs")
}

/// Like `yes 1 | tourbillon simulate MODEL | head -1`.
#[test]
fn a_session_ends_when_nobody_reads() {
    let model = file("closed", "parallel.xta", PARALLEL);
    let mut child = session(&[path(&model)]);
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || while input.write_all(b"2\n").is_ok() {});
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the pipe is closed");
    assert_eq!((line.as_str(), output.status.code()), ("step 0, time 0\n", Some(0)));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_the_run() {
    let model = file("interrupt", "parallel.xta", PARALLEL);
    let saved = file("interrupt", "run.json", "");
    let mut child = session(&[path(&model), "--save", path(&saved)]);
    child.stdin.as_mut().expect("a pipe").write_all(b"2\n").expect("it reads");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("step 1") {
        line.clear();
        assert_ne!(out.read_line(&mut line).expect("a line"), 0, "it has ended");
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("there is a `kill`").success());
    // The input is open still: it is the signal that ends it.
    let input = child.stdin.take();
    let status = child.wait().expect("it ends");
    drop(input);
    assert_eq!(status.code(), Some(130));
    let out = done(&["simulate", path(&model), "--replay", path(&saved)]);
    assert!(out.starts_with("legal\n1 step"), "{out}");
}

#[test]
fn a_mistake_in_a_script_leaves_what_was_done() {
    let model = file("mistake", "parallel.xta", PARALLEL);
    let saved = file("mistake", "run.json", "");
    let script = file("mistake", "commands", "\u{feff}2\n9\n2\n");
    let err = refused(&["simulate", path(&model), "--script", path(&script), "--save", path(&saved)]);
    assert!(
        err.contains("the run so far was saved in ") && err.contains("commands:2: there is no step 9"),
        "{err}"
    );
    assert!(done(&["simulate", path(&model), "--replay", path(&saved)]).starts_with("legal\n1 step"));
}

#[test]
fn walks_that_end_early_say_so_and_tell_each_step_once() {
    let model = file(
        "early",
        "two.xta",
        "process P() { state A, B, C; init A; trans A -> B { }, B -> C { }; } system P;",
    );
    let script = file("early", "commands", "random 3\n");
    let out = done(&["simulate", path(&model), "--script", path(&script)]);
    assert_eq!(out.matches("B -> C").count(), 1, "{out}");
    assert!(
        out.ends_with(
            "ended after 2 of 3 steps: deadlock: no step is possible, now or later; time can diverge\n"
        ),
        "{out}"
    );
    let run: Value =
        serde_json::from_str(&done(&["simulate", path(&model), "--random", "9", "--format", "json"]))
            .expect("JSON");
    assert!(run["ended"].as_str().is_some_and(|why| why.starts_with("ended after 2 of 9 steps")), "{run}");
    let run: Value =
        serde_json::from_str(&done(&["simulate", path(&model), "--random", "2", "--format", "json"]))
            .expect("JSON");
    assert_eq!(run["ended"], Value::Null);
}

#[test]
fn an_urgent_location_without_a_step_is_a_time_lock_in_zones_too() {
    let model = file("urgent", "urgent.xta", "clock x; process P() { state A; urgent A; init A; } system P;");
    let script = file("urgent", "commands", "");
    for mode in [&[][..], &["--symbolic"]] {
        let out = done(&[&["simulate", path(&model), "--script", path(&script)], mode].concat());
        assert!(out.contains("timelock: no step is possible"), "{out}");
    }
}

#[test]
fn files_that_are_no_runs_say_what_is_known() {
    let model = file("no-run", "parallel.xta", PARALLEL);
    for (name, text) in [("empty", ""), ("hello", "hello\n"), ("other.json", "{\"schema\": \"x/1\"}")] {
        let wrong = file("no-run", name, text);
        let err = refused(&["simulate", path(&model), "--replay", path(&wrong)]);
        assert!(err.contains("supported are saved runs"), "{err}");
    }
}

/// A replay of a failing run reports the edge and its source position.
#[test]
fn a_run_that_goes_wrong_is_told_with_its_edge() {
    let model = file("wrong-run", "parallel.xta", PARALLEL);
    let saved = file("wrong-run", "run.json", "");
    let script = file("wrong-run", "commands", "3 after 5\n1\n");
    done(&["simulate", path(&model), "--script", path(&script), "--save", path(&saved)]);
    let narrow = file("wrong-run", "narrow.xta", &PARALLEL.replace("int[0,3] n", "int[0,2] n"));
    let (out, _) = ended(1, &["simulate", path(&narrow), "--replay", path(&saved)]);
    let told = "not legal: at step 2: P: A -> A fails here: the value 3 outside [0,2] (";
    assert!(out.starts_with(told) && out.contains("narrow.xta:3:"), "{out}");
}
