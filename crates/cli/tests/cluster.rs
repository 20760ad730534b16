//! `tourbillon check --engine cluster` as a user runs it: threads, and with the feature `mpi` processes under mpirun.

mod shared;

use serde_json::Value;
use shared::{done, ended, file, path, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon");

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A rank stores all states.
const EXPLORE: [&str; 8] =
    ["--explore", "--cover", "equality", "--store", "all", "--format", "json", "--stats"];

/// Stored, visited and transitions of an exploration.
fn counts(report: &Value) -> [u64; 3] {
    let stats = &report["results"][0]["stats"];
    ["stored", "visited", "transitions"].map(|name| stats[name].as_u64().expect("a number"))
}

#[test]
fn threads_count_what_one_search_counts() {
    let model = example("train-gate.xml");
    let alone = json(&done(&[&["check", &model], &EXPLORE[..]].concat()));
    assert_eq!(alone["results"][0]["ranks"], Value::Array(Vec::new()));
    for ranks in ["1", "2", "3"] {
        let cluster = ["--engine", "cluster", "--ranks", ranks, "--layout", "hash"];
        let report = json(&done(&[&["check", &model], &EXPLORE[..], &cluster[..]].concat()));
        assert_eq!(counts(&report), counts(&alone), "{ranks} ranks");
        assert_eq!(
            (&report["plan"]["engine"], &report["plan"]["layout"]),
            (&"cluster".into(), &"hash".into())
        );
        let each = report["results"][0]["ranks"].as_array().expect("a list of ranks");
        assert_eq!(each.len().to_string(), ranks);
        let stored: u64 = each.iter().filter_map(|rank| rank["stored"].as_u64()).sum();
        assert_eq!(stored, counts(&report)[0]);
    }
}

#[test]
fn layouts_with_diagrams_find_the_same() {
    let model = example("fischer.xml");
    for (layout, ranks) in [("cdd-per-rank", "2"), ("cdd-spread", "3"), ("groups=2", "3"), ("groups=9", "2")]
    {
        let cluster = ["--engine", "cluster", "--ranks", ranks, "--layout", layout];
        let report =
            json(&done(&[&["check", &model, "--explore", "--format", "json"], &cluster[..]].concat()));
        assert_eq!((&report["plan"]["layout"], &report["plan"]["zones"]), (&layout.into(), &"cdd".into()));
        let query = ["check", &model, "-q", "E<> Process(1).Critical"];
        let text = done(&[&query[..], &cluster[..]].concat());
        assert!(
            text.contains("satisfied") && text.contains("Process(1): Wait -> Critical"),
            "{layout}: {text}"
        );
    }
    for layout in ["groups=0", "groups=", "groups=x", "spread"] {
        let said = refused(&["check", &model, "--explore", "--engine", "cluster", "--layout", layout]);
        assert!(said.contains("groups=K"), "{layout}: {said}");
    }
}

#[test]
fn a_run_over_several_ranks_is_shown() {
    let model = example("fischer.xml");
    let arguments = ["check", &model, "-q", "E<> Process(1).Critical", "--engine", "cluster", "--ranks", "3"];
    let text = done(&arguments);
    assert!(text.contains("satisfied") && text.contains("Process(1): Wait -> Critical"), "{text}");
    let text = done(&[&arguments[..], &["--stats"]].concat());
    assert!(text.contains("rank") && text.contains("messages") && text.contains("busy"), "{text}");
}

#[test]
fn what_a_cluster_does_not_do_is_refused_by_name() {
    let model = example("fischer.xml");
    let cluster = |more: &[&'static str]| {
        let arguments: Vec<&str> = ["check", &model, "-q", "E<> Process(1).Critical"]
            .into_iter()
            .chain(["--engine", "cluster", "--ranks", "2"])
            .chain(more.iter().copied())
            .collect();
        refused(&arguments)
    };
    assert!(cluster(&["--trace", "shortest"]).contains("--trace some"));
    assert!(cluster(&["--order", "ranked"]).contains("--order"));
    assert!(cluster(&["--passed", "bitstate"]).contains("--passed exact"));
    assert!(cluster(&["--traces", "3"]).contains("--traces"));
    assert!(refused(&["check", &model, "--explore", "--ranks", "2"]).contains("--engine cluster"));
    assert!(refused(&["check", &model, "--explore", "--layout", "hash"]).contains("--engine cluster"));
    let endless = ["check", &model, "-q", "Process(1).Request --> Process(1).Wait", "--engine", "cluster"];
    assert!(refused(&endless).contains("--engine zones"));
    for query in ["E[] true", "A<> Process(1).Critical", "sup: turn", "inf: Process(1).x", "bounds: turn"] {
        let said = refused(&["check", &model, "-q", query, "--engine", "cluster", "--ranks", "2"]);
        assert!(said.contains("--engine zones"), "{query}: {said}");
    }
    let sanity = ["check", &model, "--sanity", "--engine", "cluster"];
    assert!(refused(&sanity).contains("--engine zones"));
    assert!(refused(&["debug", "census", &model, "--engine", "cluster"]).contains("--engine"));
}

#[test]
fn a_limit_names_the_rank() {
    let model = example("fischer.xml");
    let arguments =
        ["check", &model, "--explore", "--engine", "cluster", "--ranks", "2", "--state-limit", "20"];
    let (text, _) = ended(3, &arguments);
    assert!(text.contains("the state limit was reached, on rank "), "{text}");
}

#[test]
fn no_time_is_enough_for_the_initial_state() {
    let model = example("fischer.xml");
    for engine in [&["--engine", "zones"][..], &["--engine", "cluster", "--ranks", "3"]] {
        let text = done(&[&["check", &model, "-q", "E<> turn == 0", "--time-limit", "0s"], engine].concat());
        assert!(text.contains("satisfied"), "{engine:?}: {text}");
    }
}

#[test]
fn levels_move_or_do_not() {
    let model = file("cluster-moved", "csmacd.tck", &done(&["gen", "csmacd", "8", "--as", "tck"]));
    let arguments = ["check", path(&model), "--explore", "--trace", "none", "--stats", "--engine", "cluster"];
    let spread = ["--ranks", "4", "--layout", "cdd-spread", "--diagram-order", "values-first"];
    let all = [&arguments[..], &spread[..]].concat();
    let text = done(&all);
    assert!(text.contains("levels moved: ") && text.contains("times the average"), "{text}");
    let off = json(&done(&[&all[..], &["--balance", "off", "--format", "json"]].concat()));
    assert_eq!(off["plan"]["balance"], "off");
    let ranks = off["results"][0]["ranks"].as_array().expect("a list of ranks");
    assert!(ranks.len() == 4 && ranks.iter().all(|rank| rank["moved"]["rounds"] == 0), "{ranks:?}");
    let said = refused(&[&arguments[..], &["--balance", "off"]].concat());
    assert!(said.contains("--layout cdd-spread"), "{said}");
}

#[test]
fn a_launcher_that_is_none_is_told() {
    let model = example("fischer.xml");
    let arguments = ["check", &model, "--explore", "--engine", "cluster", "--ranks", "2"];
    let said = refused(&[&arguments[..], &["--mpirun", "no-such-launcher --fast"]].concat());
    // A launcher that starts nobody is not an answer, whatever its status.
    for launcher in ["true", "false"] {
        let said = refused(&[&arguments[..], &["--mpirun", launcher]].concat());
        assert!(said.contains("no rank was started"), "{said}");
    }
    assert!(said.contains("no-such-launcher"), "{said}");
    // One that is killed: what it started is lost, and nobody knows which rank it was.
    let launcher = file("cluster-launcher", "launcher", "kill -9 $$\n");
    let command = format!("sh {}", path(&launcher));
    let (text, _) = ended(3, &[&arguments[..], &["--mpirun", &command]].concat());
    assert!(text.contains("a rank was lost"), "{text}");
}

#[cfg(feature = "mpi")]
mod processes {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::*;

    const MPIRUN: &str = "mpirun --allow-run-as-root --oversubscribe";

    /// The verdict of each query.
    fn verdicts(report: &Value) -> Vec<String> {
        let results = report["results"].as_array().expect("a list of results");
        results.iter().map(|result| result["verdict"].to_string()).collect()
    }

    /// What the first of some processes prints, and the exit status.
    fn under_mpirun(ranks: &str, arguments: &[&str]) -> (String, Option<i32>) {
        let mut words = MPIRUN.split(' ');
        let mut mpirun = Command::new(words.next().expect("a command"));
        mpirun.args(words).args(["-n", ranks, PROGRAM]).args(arguments);
        let ended = mpirun.stdin(Stdio::null()).output().expect("mpirun runs");
        (String::from_utf8_lossy(&ended.stdout).into_owned(), ended.status.code())
    }

    #[test]
    fn processes_count_what_one_search_counts() {
        let model = example("train-gate.xml");
        let alone = json(&done(&[&["check", &model], &EXPLORE[..]].concat()));
        for ranks in ["1", "2", "4"] {
            let arguments = [&["check", &model], &EXPLORE[..], &["--engine", "cluster"]].concat();
            let (text, status) = under_mpirun(ranks, &arguments);
            assert_eq!((counts(&json(&text)), status), (counts(&alone), Some(0)), "{ranks} ranks");
            let each = json(&text)["results"][0]["ranks"].as_array().map(Vec::len);
            assert_eq!(each.map(|each| each.to_string()).as_deref(), Some(ranks));
        }
    }

    #[test]
    fn queries_are_answered_and_runs_shown() {
        let model = example("fischer.xml");
        let queries =
            ["-q", "E<> Process(1).Critical", "-q", "A[] not Process(2).Critical", "-q", "A[] not deadlock"];
        let arguments = [&["check", &model, "--format", "json"], &queries[..]].concat();
        let (alone, _) = ended(1, &arguments);
        for ranks in ["1", "2", "4"] {
            let (text, status) = under_mpirun(ranks, &[&arguments[..], &["--engine", "cluster"]].concat());
            assert_eq!((verdicts(&json(&text)), status), (verdicts(&json(&alone)), Some(1)), "{ranks} ranks");
            assert!(json(&text)["results"][1]["trace"]["steps"].is_array(), "{ranks} ranks");
        }
    }

    /// Verdicts, runs and limits where zones are in diagrams, whole ones and over several processes.
    #[test]
    fn layouts_with_diagrams_find_the_same() {
        let model = example("fischer.xml");
        let queries = ["-q", "E<> Process(1).Critical", "-q", "A[] not Process(2).Critical"];
        let arguments = [&["check", &model, "--format", "json"], &queries[..]].concat();
        let (alone, _) = ended(1, &arguments);
        for layout in ["cdd-per-rank", "cdd-spread", "groups=2"] {
            for ranks in ["1", "2", "4"] {
                let cluster = ["--engine", "cluster", "--layout", layout];
                let (text, status) = under_mpirun(ranks, &[&arguments[..], &cluster[..]].concat());
                let report = json(&text);
                assert_eq!(verdicts(&report), verdicts(&json(&alone)), "{layout}, {ranks} ranks");
                assert_eq!((status, &report["plan"]["layout"]), (Some(1), &layout.into()));
                for result in [0, 1] {
                    let steps = report["results"][result]["trace"]["steps"].as_array().map(Vec::len);
                    assert!(steps.is_some_and(|steps| steps > 2), "{layout}, {ranks} ranks: {text}");
                }
                let limited = ["check", &model, "--explore", "--state-limit", "20"];
                let (text, status) = under_mpirun(ranks, &[&limited[..], &cluster[..]].concat());
                let says = text.contains("the state limit was reached, on rank ");
                assert!(says && status == Some(3), "{layout}, {ranks} ranks: {text}");
            }
        }
    }

    #[test]
    fn only_the_first_says_what_is_wrong() {
        let (text, status) = under_mpirun("3", &["check", "no-such-model.xml", "--engine", "cluster"]);
        assert_eq!((text.as_str(), status), ("", Some(2)));
    }

    /// Starts ranks on a model that takes long, waits until they search, and signals the one of them that has this number
    /// or, without one, what has started them. Returns what is printed and the exit status.
    fn signalled(test: &str, signal: &str, rank: Option<&str>, layout: &str) -> (String, Option<i32>) {
        let model = file(test, "fischer.tck", &done(&["gen", "fischer", "14", "--as", "tck"]));
        let mut command = Command::new(PROGRAM);
        command.args(["check", path(&model), "--explore", "--engine", "cluster", "--ranks", "3"]);
        command.args(["--layout", layout]);
        command.args(["--mpirun", MPIRUN]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().expect("it runs");
        let pid = || match rank {
            None => Some(child.id()),
            Some(rank) => find(path(&model), rank),
        };
        let mut tries = 0;
        let pid = loop {
            std::thread::sleep(Duration::from_millis(100));
            tries += 1;
            assert!(tries < 600, "no rank was found");
            if let Some(pid) = pid().filter(|_| tries > 15) {
                break pid;
            }
        };
        let sent = Command::new("kill").arg(signal).arg(pid.to_string()).status().expect("kill runs");
        assert!(sent.success());
        let ended = child.wait_with_output().expect("it ends");
        (String::from_utf8_lossy(&ended.stdout).into_owned(), ended.status.code())
    }

    /// The process that checks this model as this rank.
    fn find(model: &str, rank: &str) -> Option<u32> {
        let processes = std::fs::read_dir("/proc").expect("processes are listed").flatten();
        let mut pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.find(|pid| {
            let read = |what: &str| std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
            let has =
                |bytes: Vec<u8>, part: &str| bytes.split(|&byte| byte == 0).any(|it| it == part.as_bytes());
            has(read("cmdline"), model) && has(read("environ"), &format!("OMPI_COMM_WORLD_RANK={rank}"))
        })
    }

    #[test]
    fn a_rank_that_is_killed_is_named() {
        for (test, layout) in [("cluster-killed", "hash"), ("cluster-killed-spread", "cdd-spread")] {
            let (text, status) = signalled(test, "-KILL", Some("2"), layout);
            assert!(text.contains("unknown: rank 2 was lost"), "{layout}: {text}");
            assert_eq!(status, Some(3), "{layout}");
        }
    }

    #[test]
    fn ctrl_c_ends_all_ranks_with_a_report() {
        let (text, status) = signalled("cluster-interrupted", "-INT", None, "groups=2");
        assert!(text.contains("unknown: the search was interrupted, on rank "), "{text}");
        assert_eq!(status, Some(3));
    }
}
