//! Limits: they end a search in good order, with `unknown` and all figures.

use crate::shared::{done, file, path};
use crate::{example, report};

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
    let found =
        report(1, &[&model, "-q", "A[] !Process(1).request", "-q", "A[] true", "--state-limit", "300"]);
    assert_eq!(found["results"][0]["verdict"], "violated");
    assert_eq!(found["results"][1]["verdict"], "unknown");
}

#[test]
fn a_question_goes_on_where_the_last_one_stopped() {
    let report = report(0, &[&example("fischer.xml"), "-q", "E<> turn == 1", "-q", "A[] turn <= 4"]);
    let [first, second] = &report["results"].as_array().expect("a list")[..] else { panic!("{report}") };
    assert_eq!(first["reused"], 0);
    assert_eq!(second["reused"], first["stats"]["stored"]);
}

/// The first Ctrl-C ends the search, and the report comes all the same.
#[cfg(unix)]
#[test]
fn an_interrupted_search_reports_what_it_has() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let model = file("interrupted", "fischer-11.xml", &done(&["gen", "fischer", "11"]));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tourbillon"))
        .args(["check", path(&model), "--explore", "--format", "json", "--time-limit", "60s"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(Duration::from_millis(1500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
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
    let mut child = Command::new(env!("CARGO_BIN_EXE_tourbillon"))
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
    assert_eq!(census["unfinished"], "it was interrupted");
    assert!(census["nodes"].as_u64() > Some(0), "{out}");
}
