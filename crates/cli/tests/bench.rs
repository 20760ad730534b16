//! `tourbillon bench` as a user runs it, on what is small, and beside a peer that only pretends.

mod shared;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use shared::{done, ended, file, path, refused};

/// A program that prints these counts for a search by each order, whatever it is asked to explore.
fn pretender(test: &str, bfs: [u64; 3], dfs: [u64; 3]) -> PathBuf {
    let lines = |[stored, visited, transitions]: [u64; 3]| {
        format!("STORED_STATES {stored}\\nVISITED_STATES {visited}\\nVISITED_TRANSITIONS {transitions}\\n")
    };
    let (bfs, dfs) = (lines(bfs), lines(dfs));
    let script = format!("#!/bin/sh\ncase $4 in bfs) printf '{bfs}';; dfs) printf '{dfs}';; esac\n");
    let program = file(test, "pretender", &script);
    let made = Command::new("chmod").arg("+x").arg(&program).status().expect("chmod runs");
    assert!(made.success());
    program
}

const FDDI: [&str; 7] = ["bench", "peers", "--quick", "--family", "fddi", "--runs", "1"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_peer_that_agrees_is_compared_with() {
    let peer = pretender("bench-agrees", [525, 10_219, 14_052], [525, 525, 725]);
    let table = done(&[&FDDI[..], &["--peer", path(&peer)]].concat());
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| fddi 10")).collect();
    assert_eq!(rows.len(), 2, "{table}");
    assert!(rows[0].contains("covreach bfs") && rows[1].contains("covreach dfs"), "{table}");
    assert!(table.contains("peer MiB") && table.contains("one run"), "{table}");
    assert!(!table.contains("differs"), "{table}");
    let record = json(&done(&[&FDDI[..], &["--peer", path(&peer), "--format", "json"]].concat()));
    assert_eq!(record["peer"], "pretender");
    assert_eq!(record["rows"][0]["visited"], 10_219);
    assert_eq!(record["rows"][0]["times_faster_aim"], 1.0);
    for who in ["peer", "own", "default"] {
        let cost = &record["rows"][0][who];
        assert!(cost["user_s"].is_number() && cost["peak_rss_bytes"].as_u64() > Some(0), "{who}: {cost}");
    }
}

#[test]
fn a_peer_that_differs_is_pointed_out() {
    let peer = pretender("bench-differs", [525, 10_219, 14_052], [525, 526, 725]);
    let (table, _) = ended(1, &[&FDDI[..], &["--peer", path(&peer)]].concat());
    assert!(table.contains("differs: fddi 10: pretender counts"), "{table}");
    assert_eq!(table.matches("differs").count(), 1, "{table}");
    let silent = file("bench-differs", "silent", "#!/bin/sh\n");
    assert!(refused(&[&FDDI[..], &["--peer", path(&silent)]].concat()).contains("silent"));
}

#[test]
fn without_a_peer_our_own_columns_remain() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tourbillon"));
    let output = command.args(FDDI).env("PATH", "").output().expect("the program that was just built runs");
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.contains("ours s") && !table.contains("peer s") && !table.contains("faster"), "{table}");
    assert!(table.contains("`tck-reach` of TChecker is not on PATH"), "{table}");
}

#[test]
fn known_sizes_are_found_again() {
    let table = done(&["bench", "oracles", "--family", "bridge", "--family", "lynch"]);
    assert!(
        table.contains("55 explorations agree with what is known, 0 differ, 0 ran out of time"),
        "{table}"
    );
    let record = json(&done(&["bench", "oracles", "--family", "bridge", "--format", "json"]));
    assert_eq!(record["families"][0]["agree"], 28, "{record}");
}

#[test]
fn what_runs_out_of_time_is_told_apart() {
    let table = done(&["bench", "oracles", "--family", "corsso", "--limit", "0s"]);
    assert!(table.contains("0 differ"), "{table}");
    assert!(table.contains("out of time: corsso 3, covreach bfs, LuPlus(Local)"), "{table}");
}

#[test]
fn a_pace_is_told() {
    let arguments = ["bench", "throughput", "--runs", "1", "--largest", "8", "--format", "json"];
    let record = json(&done(&arguments));
    let row = &record["rows"][0];
    assert_eq!((row["n"].as_u64(), row["agrees"].as_bool()), (Some(8), Some(true)), "{record}");
    assert!(row["transitions_per_s"].as_f64() > row["visited_per_s"].as_f64(), "{record}");
}

#[test]
fn families_that_are_none_are_refused() {
    for suite in ["peers", "oracles"] {
        let said = refused(&["bench", suite, "--family", "fisher"]);
        assert!(said.contains("fisher"), "{said}");
    }
}

#[test]
fn questions_are_measured_beside_what_they_need() {
    let record = json(&done(&["bench", "questions", "--quick", "--runs", "1", "--format", "json"]));
    let rows = record["rows"].as_array().expect("rows");
    assert!(rows.len() >= 6 && rows.iter().all(|row| row["agrees"] == true), "{record}");
    assert!(rows.iter().any(|row| row["times"].is_number()) && rows.iter().any(|row| row["times"].is_null()));
}
