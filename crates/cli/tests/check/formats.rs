//! What reports look like, and that they are the same every time.

use crate::shared::{done, ended, file, path, refused};
use crate::{example, report};

#[test]
fn text_is_for_people() {
    let (out, err) = ended(1, &["check", &example("fischer-broken.xml")]);
    assert_eq!(err, "");
    assert!(!out.contains('\x1b'), "colours without a terminal");
    for part in [
        "fischer-broken  4 processes, 4 clocks, 1 variable · extra-lu+",
        "✗ A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && Process(j).Critical imply i == j\n",
        "    No two processes are in their critical sections.",
        "    violated, as expected  ",
        "    counterexample: 6 steps, duration 4\n",
        "         2     +2  Process(2): Wait -> Critical\n",
        "         2         Process(1): Request -> Wait   turn = 1\n",
        "at the end: Process(1).Critical, Process(2).Critical, ",
        "✓ E<> (sum (i : id_t) Process(i).Critical) == N\n",
        "\n1 satisfied, 3 violated, in ",
    ] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
}

#[test]
fn values_are_shown_with_their_runs() {
    let queries = [
        "-q",
        "bounds{Door(0).Waiting}: User(0).w",
        "-q",
        "inf{Door(0).Waiting && User(0).w > 21}: User(0).w",
    ];
    let model = example("two-doors.xml");
    let arguments = [&["check", &*model][..], &queries[..]].concat();
    let out = done(&arguments);
    for part in [
        "    0 <= User(0).w <= 20\n      run that attains the value: 1 step, duration 0\n",
        "    User(0).w has no value: no reachable state satisfies the condition\n",
    ] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    let (out, err) = ended(0, &[&arguments[..], &["--format", "verifyta"]].concat());
    assert!(out.contains("\nbounds:\n 0 <= User(0).w <= 20\n -- States stored"), "{out}");
    assert_eq!(err.matches("Showing example trace.").count(), 2, "{err}");
}

#[test]
fn several_runs_are_shown() {
    let arguments =
        ["check", &example("fischer-broken.xml"), "-q", "E<> Process(1).Critical"].map(str::to_owned);
    let with = |more: &[&str]| {
        done(&arguments.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let out = with(&["--traces", "4"]);
    assert_eq!(out.matches("witness: ").count(), 4, "{out}");
    assert!(
        out.contains("\n    4 runs along different paths; further runs were not searched for\n"),
        "{out}"
    );
    let report: serde_json::Value =
        serde_json::from_str(&with(&["--traces", "4", "--format", "json"])).expect("JSON");
    let result = &report["results"][0];
    assert_eq!(result["traces"].as_array().map(Vec::len), Some(4));
    assert_eq!((&result["traces"][0], &result["other_traces"]), (&result["trace"], &"not-looked-for".into()));
}

/// Where several runs are not looked for, that is said, or refused.
#[test]
fn several_runs_are_refused_or_said_to_be_one() {
    let gate = example("train-gate.xml");
    let lasso = "Train(0).Appr --> Train(0).Stop";
    let asked = ["check", &gate, "--traces", "3", "-q", lasso, "-q", "sup: Gate.length"];
    let (out, _) = ended(1, &asked);
    assert!(out.contains("\n    1 run; further infinite runs are not supported\n"), "{out}");
    assert!(out.contains("\n    1 run for each value; further runs are not supported for values\n"), "{out}");
    let (out, _) = ended(1, &[&asked[..], &["--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    for (result, runs) in report["results"].as_array().expect("a list").iter().zip([1, 0]) {
        assert_eq!(result["other_traces"], "not-supported");
        assert_eq!(result["traces"].as_array().map(Vec::len), Some(runs));
    }
    let nothing = file("nothing-asked", "p.xta", "process P() { state A; init A; } system P;");
    for (arguments, part) in [
        (&["check", &gate, "--traces", "3", "--explore"][..], "cannot be used with"),
        (&["check", &gate, "--traces", "3", "--sanity"], "cannot be used with"),
        (&["check", &gate, "--traces", "1001"], "1001 is not in 1..=1000"),
        (&["check", &gate, "--traces", "0"], "0 is not in 1..=1000"),
        (&["check", path(&nothing), "--traces", "3"], "--traces needs a query"),
    ] {
        let err = refused(arguments);
        assert!(err.contains(part), "{arguments:?}: no `{part}` in\n{err}");
    }
}

#[test]
fn an_unexpected_answer_is_pointed_out() {
    let model = std::fs::read_to_string(example("fischer.xml")).expect("an example");
    let model = model.replacen("outcome=\"success\"", "outcome=\"failure\"", 1);
    let model = file("unexpected", "fischer.xml", &model);
    let (out, _) = ended(0, &["check", path(&model)]);
    assert!(out.contains("satisfied, EXPECTED violated") && out.contains("1 not as expected"), "{out}");
}

#[test]
fn the_plan_is_explained() {
    let out =
        done(&["check", &example("fischer.xml"), "--explain-plan", "--cover", "alu", "--trace", "none"]);
    assert!(out.contains("cover              alu        requested\n"), "{out}");
    let out = done(&["debug", "plan", &example("speed-trap.xml")]);
    assert!(out.contains("split on diagonals") && out.contains("  as before\n"), "{out}");
    let out = done(&["debug", "plan", &example("fischer.tck"), "--explore", "--order", "dfs"]);
    assert!(out.contains("order              dfs"), "{out}");
}

#[test]
fn verifyta_is_imitated() {
    let (out, err) = ended(1, &["check", &example("train-gate.xml"), "--format", "verifyta"]);
    let lines: Vec<&str> = out.lines().collect();
    let count = |line: &str| lines.iter().filter(|found| **found == line).count();
    assert_eq!((count(" -- Formula is satisfied."), count(" -- Formula is NOT satisfied.")), (6, 1));
    assert_eq!(count("Verifying formula 6 at /nta/queries/query[6]/formula"), 1);
    assert!(lines.iter().any(|line| line.starts_with(" -- States stored : ") && line.ends_with(" states")));
    assert!(lines.iter().any(|line| line.starts_with(" -- States explored : ")));
    assert!(err.contains("Showing counter example.\n") && err.contains("Showing example trace.\n"), "{err}");
    assert!(err.contains("\nState:\n( Train(0).Safe ") && err.contains("\nDelay: 5\n"), "{err}");
    assert!(err.contains("\nTransitions:\n  Train(0).Safe->Train(0).Appr { appr[0]! }\n"), "{err}");
    let (out, _) = ended(
        3,
        &[
            "check",
            &example("fischer.xml"),
            "-q",
            "A[] true",
            "-q",
            "E<> false",
            "--order",
            "bfs",
            "--state-limit",
            "1",
            "--format",
            "verifyta",
        ],
    );
    assert!(out.contains("Verifying formula 1 at line 1\n -- Formula MAY be satisfied.\n"), "{out}");
    assert!(out.contains("Verifying formula 2 at line 2\n -- Formula MAY NOT be satisfied.\n"), "{out}");
}

#[test]
fn exploring_reports_all_numbers() {
    let (out, err) = ended(0, &["check", &example("fischer.tck")]);
    assert!(err.contains("has no queries and is explored") && err.contains("--labels"), "{err}");
    for part in ["✓ all reachable states\n    complete  ", "distinct zones", "bytes per node", "peak memory"]
    {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    let report = report(0, &[&example("train-gate.xml"), "--explore"]);
    let stats = &report["results"][0]["stats"];
    let number = |name: &str| stats[name].as_u64().unwrap_or_else(|| panic!("{name} in {stats}"));
    assert!(report["results"][0]["query"].is_null());
    assert!(number("transient") > 0, "the gate has a committed location");
    assert_eq!(number("stored") + number("covered") + number("transient"), number("transitions") + 1);
    let parts: u64 =
        stats["memory"].as_object().expect("parts").values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(number("passed_bytes") + number("waiting_bytes"), parts);
}

#[test]
fn what_the_engine_sees_can_be_looked_at() {
    let bounds = done(&["debug", "bounds", &example("fischer.tck")]);
    assert!(bounds.contains("process P1\n  idle: no active clock\n  request: x1 L=- U=2\n"), "{bounds}");
    let system = done(&["debug", "system", &example("fischer.tck")]);
    for part in [
        "3 clocks, 4 slots of memory",
        "m3 = turn, initially 0",
        "edge 0: idle -> request\n",
        "while x1<=2\n",
        "when x1>2\n",
    ] {
        assert!(system.contains(part), "no `{part}` in\n{system}");
    }
}

/// Counts and runs do not depend on when they are computed; those of a random order do not but on the seed.
#[test]
fn the_same_request_gives_the_same_report() {
    let once = |order: &str, seed: &str| {
        let mut report = report(1, &[&example("train-gate.xml"), "--order", order, "--seed", seed]);
        for result in report["results"].as_array_mut().expect("a list") {
            for changing in ["time_s", "peak_rss_bytes"] {
                result["stats"][changing].take();
            }
        }
        report
    };
    for order in ["bfs", "dfs", "random", "topological", "sweep", "ranked", "ranked-sweep", "best", "mixed"] {
        assert_eq!(once(order, "7"), once(order, "7"), "{order}");
    }
    assert_ne!(once("random", "7")["results"], once("random", "8")["results"]);
}

/// Long runs are shortened for terminals only, and this is none.
#[test]
fn options_of_the_report_are_there() {
    let help = done(&["check", "--help"]);
    for option in [
        "--query",
        "--labels",
        "--abstraction",
        "--bounds",
        "--cover",
        "--zones",
        "--discrete",
        "--passed",
        "--passed-memory",
        "--bits-per-state",
        "--signature-bits",
        "--when-full",
        "--passes",
        "--order",
        "--waiting-inclusion",
        "--reduce",
        "--trace",
        "--seed",
        "--format",
        "--memory-limit",
        "--time-limit",
        "--state-limit",
        "--explain-plan",
        "--stats",
        "--full-trace",
    ] {
        assert!(help.contains(option), "no {option} in\n{help}");
    }
    let out = done(&["check", &example("fischer.xml"), "--stats", "--trace", "none"]);
    assert!(out.matches("bytes per node").count() > 3, "{out}");
}

/// What is needed every day fits on a screen; `--help` has everything, in groups.
#[test]
fn short_help_has_the_options_of_daily_work() {
    let options = |help: &str| help.lines().filter(|line| line.trim_start().starts_with('-')).count();
    let (short, long) = (done(&["check", "-h"]), done(&["check", "--help"]));
    assert!((12..=16).contains(&options(&short)), "{short}");
    for heading in
        ["Queries:", "Engine:", "Search:", "Storage:", "Liveness:", "Traces:", "Limits:", "Report:"]
    {
        assert!(long.contains(heading), "no {heading} in\n{long}");
    }
    for option in ["--explore", "--sanity"] {
        assert!(!long.contains(option), "{option} is a command:\n{long}");
    }
}

/// `explore` is what `check --explore` was, and `lint` what `check --sanity` was.
#[test]
fn explore_and_lint_are_commands() {
    let model = example("fischer.xml");
    for (command, option) in [("explore", "--explore"), ("lint", "--sanity")] {
        let own = done(&[command, &model, "--format", "json"]);
        let old = done(&["check", &model, option, "--format", "json"]);
        assert_eq!(without_times(&own), without_times(&old), "{command}");
    }
    assert!(done(&["explore", &model]).contains("all reachable states"));
    assert!(refused(&["explore", &model, "--traces", "2"]).contains("--traces needs a query"));
    assert!(refused(&["explore", &model, "-q", "E<> true"]).contains("unexpected argument"));
}

/// A report without what differs from run to run.
fn without_times(report: &str) -> String {
    let varies = ["_s\"", "rss_bytes", "time"];
    let lines = report.lines().filter(|line| !varies.iter().any(|part| line.contains(part)));
    lines.collect::<Vec<_>>().join("\n")
}
