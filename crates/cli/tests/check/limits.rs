//! Limits: they end a search in good order, with `unknown` and all figures.

use crate::PROGRAM;
use crate::shared::{done, ended, file, path};
use crate::{example, report};

/// One state with this many successors, each of which is a large one.
fn wide(cells: u32) -> String {
    let last = cells - 1;
    format!(
        "int a[{cells}];\nprocess P() {{ state A; init A; trans A -> A {{ select i : int[0,{last}]; \
         assign a[i] = 1; }}; }}\nsystem P;\n"
    )
}

/// Fischer's protocol, in a file of the test's own: others write theirs at the same time.
fn large(test: &str) -> String {
    let folder = format!("limits-{test}");
    path(&file(&folder, "fischer-8.xml", &done(&["gen", "fischer", "8"]))).to_owned()
}

#[test]
fn limits_are_verdicts() {
    let model = large("verdicts");
    for (option, limit, reason) in [
        ("--state-limit", "500", "state-limit"),
        ("--memory-limit", "50K", "memory-limit"),
        ("--time-limit", "1ms", "time-limit"),
    ] {
        let report = report(3, &[&model, "--explore", option, limit]);
        let result = &report["results"][0];
        assert_eq!((result["verdict"].as_str(), result["reason"].as_str()), (Some("unknown"), Some(reason)));
        // On a busy machine the time can be over before the first state is visited.
        let visited_some = result["stats"]["visited"].as_u64() > Some(0);
        assert!(visited_some || option == "--time-limit", "{result}");
        assert!(result["stats"]["waiting"].as_u64() > Some(0), "{result}");
    }
}

/// When the limit nears the list is packed and the search goes on.
#[test]
fn a_list_can_be_packed_when_memory_runs_short() {
    let model = large("packed");
    let limited = |when: &str, status| {
        let arguments =
            ["--explore", "--trace", "none", "--order", "bfs", "--memory-limit", "600K", "--when-full", when];
        report(status, &[&[&*model], &arguments[..]].concat())["results"][0].clone()
    };
    let (stopped, packed) = (limited("stop", 3), limited("pack", 0));
    assert_eq!((&stopped["reason"], &stopped["stats"]["packed"]), (&"memory-limit".into(), &false.into()));
    assert_eq!((&packed["verdict"], &packed["stats"]["packed"]), (&"satisfied".into(), &true.into()));
    assert_eq!(packed["stats"]["stored"], 25_080);
}

/// What was found before a limit counts, and a violation goes before a doubt in the exit status.
#[test]
fn what_is_found_within_a_limit_counts() {
    let model = large("found");
    let found = report(
        1,
        &[
            &model,
            "-q",
            "A[] !Process(1).request",
            "-q",
            "A[] true",
            "--state-limit",
            "300",
            "--symmetry",
            "off",
        ],
    );
    assert_eq!(found["results"][0]["verdict"], "violated");
    assert_eq!(found["results"][1]["verdict"], "unknown");
}

#[test]
fn a_question_goes_on_where_the_last_one_stopped() {
    let queries = [
        "-q",
        "E<> exists (i : id_t) turn == i",
        "-q",
        "A[] forall (i : id_t) Process(i).Critical imply turn == i",
    ];
    let report = report(0, &[&[&*example("fischer.xml")], &queries[..]].concat());
    let [first, second] = &report["results"].as_array().expect("a list")[..] else { panic!("{report}") };
    assert_eq!(first["reused"], 0);
    assert_eq!(second["reused"], first["stats"]["stored"]);
}

/// The first Ctrl-C ends the search, and the report comes all the same; so it does when something else ends the command.
#[cfg(unix)]
#[test]
fn an_interrupted_search_reports_what_it_has() {
    interrupted_by("-INT");
    interrupted_by("-TERM");
}

#[cfg(unix)]
fn interrupted_by(signal: &str) {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let folder = format!("interrupted{signal}");
    let model = file(&folder, "fischer-11.xml", &done(&["gen", "fischer", "11"]));
    let mut child = Command::new(PROGRAM)
        .args(["check", path(&model), "--explore", "--format", "json", "--time-limit", "60s"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(Duration::from_millis(1500));
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("a pipe"), &mut out).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(3), "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["results"][0]["reason"], "interrupted");
    assert!(report["results"][0]["stats"]["visited"].as_u64() > Some(0), "{out}");
}

/// So does a census, which counts what is stored by then.
#[cfg(unix)]
#[test]
fn an_interrupted_census_counts_what_it_has() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let model = file("interrupted", "fischer-12.xml", &done(&["gen", "fischer", "12"]));
    let mut child = Command::new(PROGRAM)
        .args(["debug", "census", path(&model), "--format", "json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(Duration::from_millis(1500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("a pipe"), &mut out).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(3), "{out}");
    let census: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(census["unfinished"], "the search was interrupted");
    assert!(census["nodes"].as_u64() > Some(0), "{out}");
}

/// A state whose successors take more than there is ends where the limit is, not after its last successor.
#[test]
fn memory_is_limited_inside_a_state() {
    for cells in [20_000, 1_000_000] {
        let model = file("inside", &format!("wide-{cells}.xta"), &wide(cells));
        let report = report(3, &[path(&model), "--explore", "--memory-limit", "10M", "--time-limit", "60s"]);
        // A model that does not fit is given up before anything is known of it.
        let result = report["results"].get(0);
        assert!(result.is_none_or(|result| result["reason"] == "memory-limit"), "{report}");
        let peak = result.and_then(|result| result["stats"]["peak_rss_bytes"].as_u64()).unwrap_or(0);
        assert!(peak < 30 << 20, "{peak} bytes for {cells} cells");
    }
}

/// A state whose successors take long to compute ends when the time is over.
#[test]
fn time_is_limited_inside_a_state() {
    let text = "int n;\nbool slow(int k) {\n  int[0,2000000] i; int[0,1000] s = 0;\n  for (i = 0; i < 1000000; i++) \
                { s = (s + k) % 1000; }\n  return s >= 0;\n}\nprocess P() { state A; init A; trans A -> A { select k \
                : int[0,4999]; guard slow(k); assign n = k; }; }\nsystem P;\n";
    let model = file("inside", "slow.xta", text);
    let report = report(3, &[path(&model), "--explore", "--time-limit", "300ms"]);
    let result = &report["results"][0];
    assert_eq!(result["reason"], "time-limit", "{result}");
    assert_eq!(result["stats"]["transitions"], 0, "the guards of a state take minutes: {result}");
}

/// An answer is there when it is known, and one line each can be read while the next is looked for.
#[cfg(unix)]
#[test]
fn answers_are_written_when_they_are_known() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    let model = file("at-once", "fischer-12.xml", &done(&["gen", "fischer", "12"]));
    for format in ["jsonl", "text", "verifyta", "json"] {
        let arguments = ["check", path(&model), "-q", "E<> Process(1).request", "-q", "A[] true"];
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .args(["--order", "bfs", "--symmetry", "off", "--format", format, "--time-limit", "300s"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        // The second question takes minutes.
        let first = lines.by_ref().find(|line| line.contains("satisfied")).unwrap_or_default();
        assert!(!first.is_empty(), "{format}");
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
        let rest: Vec<String> = lines.collect();
        assert_eq!(child.wait().expect("it ends").code(), Some(3), "{format}: {rest:?}");
        assert!(rest.iter().any(|line| line.contains("interrupted")), "{format}: {rest:?}");
        if format == "jsonl" {
            for line in rest.iter().chain([&first]) {
                let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
                assert_eq!(answer["schema"], "tourbillon-check/2");
            }
        }
    }
}

/// Where the system gives no more memory, what is known is out, and the rest is unknown.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_refused_is_a_verdict() {
    let wide = file("refused", "wide.xta", &wide(20_000));
    let sets = file("refused", "fischer-12.xml", &done(&["gen", "fischer", "12"]));
    let program = PROGRAM;
    for (engine, model, query, kilobytes) in [
        ("zones", &wide, "a[0] == 1", 200_000),
        ("cluster --ranks 2", &wide, "a[0] == 1", 400_000),
        ("symbolic", &sets, "Process(1).request", 45_000),
    ] {
        for format in ["json", "jsonl"] {
            let script = format!(
                "ulimit -v {kilobytes}; exec {program} check {} -q 'E<> {query}' -q 'A[] true' \
                 --trace none --engine {engine} --format {format} --time-limit 200s",
                path(model)
            );
            let output =
                std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell runs");
            let (out, err) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.status.code(), Some(3), "{engine}\n{out}{err}");
            let results: Vec<serde_json::Value> = match format {
                "json" => {
                    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
                    report["results"].as_array().expect("a list").clone()
                }
                _ => out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(),
            };
            let reasons: Vec<_> = results.iter().map(|result| result["reason"].as_str()).collect();
            assert_eq!(reasons.last(), Some(&Some("memory-refused")), "{engine}, {format}: {reasons:?}");
            assert_eq!(reasons.len(), 2, "{engine}, {format}: {reasons:?}");
        }
    }
}

/// A reader that has seen enough is no fault.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(PROGRAM)
        .args(["check", &example("train-gate.xml"), "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(matches!(output.status.code(), Some(0..=3)), "{:?}", output.status);
}

/// A model that takes longer to load than there is time for is given up, and the report says so.
#[test]
fn loading_is_part_of_the_time() {
    let (out, err) = ended(3, &["check", &example("fischer.xml"), "--time-limit", "0s", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let reasons = report["results"].as_array().expect("a list").iter().map(|result| &result["reason"]);
    assert!(
        reasons.clone().count() > 0 && reasons.clone().all(|reason| reason == "time-limit"),
        "{out}{err}"
    );
}
