//! `tourbillon simulate` as a user runs it: scripts, random walks, replays, saved runs, exit statuses.

mod shared;

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;
use shared::{done, ended, file, path, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon");

const LAMP: &str = "chan press; clock x; int[0,9] n;\n\
    process Lamp() { state Off, On { x <= 5 }, Broken; init Off; trans\n\
      Off -> On { sync press?; assign x = 0, n = n + 1; },\n\
      On -> Off { guard x > 2; },\n\
      On -> Broken { guard x == 5; }; }\n\
    process User() { state Idle; init Idle; trans Idle -> Idle { sync press!; }; }\n\
    system Lamp, User;\n";

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The model of a lamp, in a folder of the test's own.
fn lamp(test: &str) -> String {
    path(&file(test, "lamp.xta", LAMP)).to_owned()
}

#[test]
fn a_script_is_answered_line_by_line() {
    let model = lamp("script");
    let script = file("script", "commands", "# press, wait, and let it break\n1 at 3/2\nwait 2.5\nback\n2\n");
    let expected = "\
step 0, time 0
  at: Lamp.Off, User.Idle
  with: n = 0
  clocks: x = 0
  1  [0, ∞)  User: Idle -> Idle, Lamp: Off -> On  press!
  -  [0, ∞)  time passes
step 1, time 3/2: +3/2  User: Idle -> Idle, Lamp: Off -> On  press!  n = 1
  clocks: x = 0
  1  (2, 5]  Lamp: On -> Off
  2  5       Lamp: On -> Broken
  -  [0, 5]  time passes
step 2, time 4: +5/2
  clocks: x = 5/2
  1  [0, 5/2]  Lamp: On -> Off
  2  5/2       Lamp: On -> Broken
  -  [0, 5/2]  time passes
step 1 of 2, time 3/2: +3/2  User: Idle -> Idle, Lamp: Off -> On  press!  n = 1
  clocks: x = 0
  1  (2, 5]  Lamp: On -> Off
  2  5       Lamp: On -> Broken
  -  [0, 5]  time passes
step 2, time 13/2: +5  Lamp: On -> Broken
  clocks: x = 5
  deadlock: no step is possible, now or later; time can diverge
";
    assert_eq!(done(&["simulate", &model, "--script", path(&script)]), expected);
}

#[test]
fn zones_are_gone_through_as_well() {
    let model = lamp("zones");
    let script = file("zones", "commands", "1\n1\nstate\nconcrete\nrun\n");
    let expected = "\
step 0
  at: Lamp.Off, User.Idle
  with: n = 0
  zone: true
  1  true  User: Idle -> Idle, Lamp: Off -> On  press!
step 1: User: Idle -> Idle, Lamp: Off -> On  press!  n = 1
  zone: x<=5
  1  x>2, x<=5  Lamp: On -> Off
  2  x=5        Lamp: On -> Broken
step 2: Lamp: On -> Off
  zone: x>2
  1  x>2  User: Idle -> Idle, Lamp: Off -> On  press!
step 2
  at: Lamp.Off, User.Idle
  with: n = 1
  zone: x>2
  1  x>2  User: Idle -> Idle, Lamp: Off -> On  press!
step 2, time 3: +3  Lamp: On -> Off
  clocks: x = 3
  1  [0, ∞)  User: Idle -> Idle, Lamp: Off -> On  press!
  -  [0, ∞)  time passes
2 steps, duration 3
  time  delay
     0         User: Idle -> Idle, Lamp: Off -> On  press!  n = 1
     3     +3  Lamp: On -> Off
  at the end: Lamp.Off, User.Idle
  clocks: x = 3
";
    assert_eq!(done(&["simulate", &model, "--symbolic", "--script", path(&script)]), expected);
}

/// The exit status and what a session says to lines on its standard input.
fn piped(model: &str, lines: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(PROGRAM)
        .args(["simulate", model])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program that was just built runs");
    // It may have ended before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_mistake_in_a_script_ends_it_with_its_line() {
    let model = lamp("mistakes");
    for (lines, told) in [
        ("1\n\n7\n", "stdin:3: there is no step 7; steps are numbered 1 to 2"),
        (
            "1\n1 after 2\n",
            "stdin:2: the step cannot be taken after a delay of 2; possible delays are (2, 5]",
        ),
        ("1 at -1\n", "stdin:1: the step cannot be taken after a delay of -1; possible delays are [0, ∞)"),
        ("fly\n", "stdin:1: there is no command `fly`; `help` lists them"),
        ("1\nwait 6\n", "stdin:2: the invariant of Lamp.On does not hold"),
        ("back\n", "stdin:1: there are only 0 moves to undo, not 1"),
        ("forward 2\n", "stdin:1: there is no step 2; the last one is 0"),
        ("symbolic\nwait 1\n", "stdin:2: a symbolic simulation has no single delays"),
        ("load nowhere.json\n", "stdin:1: nowhere.json: "),
        ("save \n", "stdin:1: `save` needs the name of a file"),
    ] {
        let (status, _, err) = piped(&model, lines);
        assert_eq!(status, Some(2), "{lines}{err}");
        assert!(err.starts_with(&format!("error: {told}")), "{err}");
    }
    let (status, out, err) = piped(&model, "help\nquit\nfly\n");
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.contains("N after D") && !out.lines().any(|line| line.starts_with('>')), "{out}");
    let script = file("mistakes", "commands", "1\njump\n");
    let err = refused(&["simulate", &model, "--script", path(&script)]);
    assert!(err.contains("commands:2: there is no command `jump`"), "{err}");
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let model = example("train-gate.xml");
    let walk = |seed: &str| done(&["simulate", &model, "--random", "30", "--seed", seed]);
    let one = walk("5");
    assert_eq!(one, walk("5"));
    assert_ne!(one, walk("6"));
    assert!(one.starts_with("30 steps, duration "), "{one}");
    let lamp = lamp("seed");
    let out = done(&["simulate", &lamp, "--random", "500", "--seed", "1"]);
    let end = out.lines().last().expect("a line");
    assert!(end.starts_with("ended after ") && end.contains(" of 500 steps: "), "{end}");
    let (_, session, _) = piped(&lamp, "random 3\n");
    let steps: Vec<&str> = session.lines().filter_map(|line| line.split(':').next()).collect();
    assert!(steps.contains(&"step 1") && steps.contains(&"step 2"), "{session}");
}

#[test]
fn saved_runs_are_replayed() {
    let model = example("train-gate.xml");
    let saved = file("saved", "run.json", "");
    let walk = ["simulate", &model, "--random", "40", "--seed", "9", "--save", path(&saved)];
    let shown = done(&walk);
    let replayed = done(&["simulate", &model, "--replay", path(&saved)]);
    assert_eq!(replayed, format!("legal\n{shown}"));
    let more = done(&["simulate", &model, "--replay", path(&saved), "--random", "2"]);
    assert!(more.starts_with("42 steps"), "{more}");
    // A session can go on from there, and what it saves is the same.
    let again = file("saved", "again.json", "");
    let script = file("saved", "commands", &format!("load {}\nsave {}\n", path(&saved), path(&again)));
    done(&["simulate", &model, "--script", path(&script)]);
    let text = |path| std::fs::read_to_string(path).expect("a file");
    assert_eq!(text(&again), text(&saved));
}

#[test]
fn a_run_that_is_not_legal_is_told_with_its_step() {
    let model = lamp("illegal");
    let saved = file("illegal", "run.json", "");
    let script = file("illegal", "commands", &format!("1\n1\n1\nsave {}\n", path(&saved)));
    done(&["simulate", &model, "--script", path(&script)]);
    let run = std::fs::read_to_string(&saved).expect("a file");
    let hasty = file("illegal", "hasty.json", &run.replace("\"delay\": \"3\"", "\"delay\": \"2\""));
    let (out, _) = ended(1, &["simulate", &model, "--replay", path(&hasty)]);
    let told =
        "not legal: at step 2: the guard does not hold: edge 1 of Lamp (On -> Off)\n1 step, duration 0\n";
    assert!(out.starts_with(told), "{out}");
    let (out, _) = ended(1, &["simulate", &model, "--replay", path(&hasty), "--format", "json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&report["runs"][0]["legal"], &report["runs"][0]["name"]),
        (&Value::Bool(false), &Value::Null)
    );
    // The same run of another model.
    let err = refused(&["simulate", &example("fischer.xml"), "--replay", path(&saved)]);
    assert!(err.contains("run.json: steps[0].edges[0].process: the model has no process `User`"), "{err}");
}

#[test]
fn the_runs_of_a_report_are_replayed() {
    for (model, status) in
        [("train-gate.xml", 1), ("fischer-broken.xml", 1), ("watchdog.xml", 1), ("bridge.xml", 1)]
    {
        let (report, _) = ended(status, &["check", &example(model), "--format", "json"]);
        let file = file("reports", &format!("{model}.json"), &report);
        let out = done(&["simulate", &example(model), "--replay", path(&file)]);
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let results = report["results"].as_array().expect("results");
        let values = results.iter().flat_map(|result| result["values"].as_array().expect("values"));
        let extremes = values.flat_map(|value| [&value["low"], &value["high"]]);
        let runs = results.iter().chain(extremes).filter(|result| result["trace"].is_object()).count();
        assert_eq!(out.lines().filter(|line| *line == "legal").count(), runs, "{model}: {out}");
        assert!(runs > 0, "{model}");
    }
}

#[test]
fn traces_of_uppaal_are_replayed() {
    let model = lamp("xtr");
    let trace = file("xtr", "lamp-1.xtr", "0 0 . . 0 .\n1 0 . . 1 . 1 0 ; 0 0 ; .\n2 0 . . 1 . 0 2 ; .\n.\n");
    let expected = "\
legal
2 steps, duration 5
  time  delay
     0         User: Idle -> Idle, Lamp: Off -> On  press!  n = 1
     5     +5  Lamp: On -> Broken
  at the end: Lamp.Broken, User.Idle
  clocks: x = 5
";
    assert_eq!(done(&["simulate", &model, "--replay", path(&trace)]), expected);
    let changed = file("xtr", "changed.xta", &LAMP.replace("x == 5", "x > 5"));
    let (out, _) = ended(1, &["simulate", path(&changed), "--replay", path(&trace)]);
    let told = "not legal: step 2: it cannot be taken after the steps before it, whatever the delays\n";
    assert!(out.starts_with(told), "{out}");
    let broken = file("xtr", "broken.xtr", "0 0 . . 0 .\n1 0 . . 1 . 1 0 ; 0 9 ; .\n.\n");
    let err = refused(&["simulate", &model, "--replay", path(&broken)]);
    assert!(err.contains("broken.xtr: line 2, column 19: `Lamp` has no edge 9, only 3"), "{err}");
}

#[test]
fn a_model_that_is_wrong_is_told_at_its_place() {
    let wrong = file("wrong", "wrong.xta", "process P() { state A; init A; trans A -> B { }; } system P;\n");
    assert!(refused(&["simulate", path(&wrong)]).contains("wrong.xta:1:"));
    let stuck = file("wrong", "stuck.xta", "clock x; process P() { state A { x > 1 }; init A; } system P;\n");
    assert!(refused(&["simulate", path(&stuck), "--random", "3"]).contains("R0011"));
    assert!(refused(&["simulate", "nowhere.xml"]).contains("nowhere.xml"));
}
