//! `tourbillon-bench` as a user runs it, on what is small, and beside a peer that only pretends.

#[path = "../../cli/tests/shared/mod.rs"]
mod shared;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use shared::{done, ended, file, path, refused};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon-bench");

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

fn fischer() -> String {
    tourbillon_gen::family("fischer").and_then(|family| family.xta(3)).expect("a member of a family")
}

const FDDI: [&str; 6] = ["peers", "--quick", "--family", "fddi", "--runs", "1"];

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
    let mut command = Command::new(PROGRAM);
    let output = command.args(FDDI).env("PATH", "").output().expect("the program that was just built runs");
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.contains("ours s") && !table.contains("peer s") && !table.contains("faster"), "{table}");
    assert!(table.contains("TChecker's `tck-reach` is not on PATH"), "{table}");
}

#[test]
fn known_sizes_are_found_again() {
    let table = done(&["oracles", "--family", "bridge", "--family", "lynch"]);
    assert!(
        table.contains("55 explorations agree with the known counts, 0 differ, 0 reached the time limit"),
        "{table}"
    );
    let record = json(&done(&["oracles", "--family", "bridge", "--format", "json"]));
    assert_eq!(record["families"][0]["agree"], 28, "{record}");
}

#[test]
fn what_runs_out_of_time_is_told_apart() {
    let table = done(&["oracles", "--family", "corsso", "--limit", "0s"]);
    assert!(table.contains("0 differ"), "{table}");
    assert!(table.contains("out of time: corsso 3, covreach bfs, LuPlus(Local)"), "{table}");
}

#[test]
fn a_pace_is_told() {
    let arguments = ["throughput", "--runs", "1", "--largest", "8", "--format", "json"];
    let record = json(&done(&arguments));
    let row = &record["rows"][0];
    assert_eq!((row["n"].as_u64(), row["agrees"].as_bool()), (Some(8), Some(true)), "{record}");
    assert!(row["transitions_per_s"].as_f64() > row["visited_per_s"].as_f64(), "{record}");
}

#[test]
fn families_that_are_none_are_refused() {
    for suite in ["peers", "oracles"] {
        let said = refused(&[suite, "--family", "fisher"]);
        assert!(said.contains("fisher"), "{said}");
    }
}

#[test]
fn questions_are_measured_beside_what_they_need() {
    let record = json(&done(&["questions", "--quick", "--runs", "1", "--format", "json"]));
    let rows = record["rows"].as_array().expect("rows");
    assert!(rows.len() >= 6 && rows.iter().all(|row| row["agrees"] == true), "{record}");
    assert!(rows.iter().any(|row| row["times"].is_number()) && rows.iter().any(|row| row["times"].is_null()));
}

const SMALL: [&str; 5] = ["memory", "--only", "fischer 6", "--runs", "1"];

#[test]
fn tables_of_memory_have_our_figures_beside_those_of_the_paper() {
    let text = done(&[&SMALL[..], &["--table", "4", "--table", "10"]].concat());
    assert!(text.starts_with("Table 4. ") && text.matches("Table 10. ").count() == 3, "{text}");
    let row =
        |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("| DACAPO (small) ").contains("– (85.2)"), "{text}");
    assert!(!row("| fischer 6 ").contains('(') && !text.contains("differs"), "{text}");
    let bytes: Vec<&str> = text.split("Table 10. ").nth(1).expect("a table").lines().collect();
    assert!(bytes[2].contains("plain, plain") && bytes[2].contains("estimate"), "{text}");
}

#[test]
fn a_record_of_memory_has_what_was_measured() {
    let record = json(&done(&[&SMALL[..], &["--table", "10", "--format", "json"]].concat()));
    assert_eq!(record["schema"], "tourbillon-bench-memory/1");
    let [model] = &record["models"].as_array().expect("models")[..] else { panic!("{record}") };
    assert_eq!((&model["model"], &model["differences"]), (&"fischer 6".into(), &Value::Array(Vec::new())));
    let ways = model["ways"].as_array().expect("ways");
    assert!(ways.iter().all(|way| way["stored"] == 2378 && way["visited"] == 3458), "{model}");
    let bytes = |way: &Value| way["passed_bytes"].as_f64().expect("bytes") / 2378.0;
    let estimate = model["estimated_bytes_per_node"].as_f64().expect("an estimate");
    assert!(ways.iter().all(|way| bytes(way) > estimate), "{model}");
    assert_eq!(record["tables"][0]["rows"][0]["cells"][0][0].as_f64(), Some(bytes(&ways[0])));
}

#[test]
fn what_does_not_end_is_marked() {
    let text = done(&[&SMALL[..], &["--table", "4", "--limit", "0s"]].concat());
    let row = text.lines().find(|line| line.starts_with("| fischer 6 ")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(row.matches('⊥').count(), 6, "{text}");
}

#[test]
fn public_models_are_read_where_they_are() {
    let folder = file("bench-memory", "engine.xta", &fischer());
    let folder = path(folder.parent().expect("a folder"));
    let arguments = ["memory", "--table", "4", "--runs", "1", "--models", folder];
    let text = done(&[&arguments[..], &["--only", "engine", "--only", "bocdp"]].concat());
    assert!(text.contains("| engine ") && text.contains("not found: bocdp."), "{text}");
    let said = refused(&["memory", "--models", &format!("{folder}/nowhere")]);
    assert!(said.contains("no such folder"), "{said}");
    let said = refused(&["memory", "--only", "fisher 6"]);
    assert!(said.contains("`fisher 6`") && said.contains("`fischer 6`"), "{said}");
}

#[test]
fn orders_are_shown_beside_those_of_the_paper() {
    let text = done(&["order", "--row", "B-5", "--row", "CR-3"]);
    let bfs = text.split("\nR-BFS").next().expect("a table");
    let row =
        |name: &str| bfs.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("| B-5: blow-up 5 ").contains("63 (63)"), "{text}");
    for figure in ["1,670 (1,670)", "447 (447)", "1,223 (1,223)"] {
        assert!(row("| CR-3: critical-region-exclusive 3 ").contains(figure), "{text}");
    }
    assert!(!text.contains("differs") && !text.contains("not compared"), "{text}");
    assert_eq!(text.matches("| CR-3: ").count(), 5, "{text}");
}

#[test]
fn a_record_of_orders_has_both_sides() {
    let rows = ["B-5", "B-10", "FD-8"];
    let arguments: Vec<&str> = rows.iter().flat_map(|&row| ["--row", row]).collect();
    let record = json(&done(&[&["order", "--format", "json"], &arguments[..]].concat()));
    assert_eq!(record["schema"], "tourbillon-bench-order/1");
    let listed: Vec<&Value> =
        record["rows"].as_array().expect("rows").iter().map(|row| &row["row"]).collect();
    assert_eq!(listed, rows, "{record}");
    for row in record["rows"].as_array().expect("rows") {
        let bfs = &row["orders"]["bfs"];
        assert_eq!(row["same_model"], true, "{row}");
        assert_eq!((&bfs["state"], &bfs["ours"]), (&"done".into(), &bfs["paper"]), "{row}");
    }
}

/// FlexRay is another model than the paper's: shown, and nothing is made of it.
#[test]
fn a_row_of_another_model_is_not_compared() {
    let arguments = ["order", "--row", "FL-PL", "--limit", "0s"];
    let text = done(&arguments);
    assert!(text.contains("| FL-PL: flexray 48 "), "{text}");
    assert!(text.contains("not compared: FL-PL") && !text.contains("differs"), "{text}");
    let flexray = &json(&done(&[&arguments[..], &["--format", "json"]].concat()))["rows"][0];
    assert_eq!((&flexray["member"]["family"], &flexray["same_model"]), (&"flexray".into(), &false.into()));
    assert_eq!(flexray["orders"]["ranked"]["state"], "unfinished", "{flexray}");
    assert_eq!(flexray["orders"]["ranked"]["paper"]["rank_visits"], 6977);
}

#[test]
fn orders_that_do_not_end_are_marked_and_other_rows_refused() {
    let text = done(&["order", "--row", "CR-3", "--limit", "0s"]);
    assert!(text.contains("⊥ (1,670)") && !text.contains("differs"), "{text}");
    let said = refused(&["order", "--row", "CR-6"]);
    assert!(said.contains("`CR-6`") && said.contains("`CR-5`"), "{said}");
}

const SMALL_UNIONS: [&str; 7] = ["cdd", "--only", "critical-region 3", "--only", "csmacd 6", "--runs", "1"];

#[test]
fn representations_of_nodes_are_shown_beside_those_of_the_thesis() {
    let text = done(&SMALL_UNIONS);
    let row =
        |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("| thesis: Buscoupler ").contains("0.81") && row("| thesis: Buscoupler ").contains("1.48"));
    assert!(!row("| thesis: Fischer 6 ").contains('!'), "only ours is marked: {text}");
    for name in ["| critical-region 3 ", "| csmacd 6 "] {
        assert_eq!(text.matches(name).count(), 3, "a row in each table: {text}");
        assert!(!row(name).contains('⊥'), "{text}");
    }
    assert!(text.contains("At most 0.6 of the passed list") && !text.contains("differs"), "{text}");
}

#[test]
fn a_record_of_unions_has_what_was_measured() {
    let record = json(&done(&[&SMALL_UNIONS[..], &["--format", "json"]].concat()));
    assert_eq!(record["schema"], "tourbillon-bench-cdd/1");
    let models = record["models"].as_array().expect("models");
    assert_eq!(models.len(), 2, "{record}");
    for model in models {
        assert_eq!(model["differences"], Value::Array(Vec::new()), "{model}");
        let ways = model["ways"].as_array().expect("ways");
        let way = |options: &str| {
            let found = ways.iter().find(|way| way["options"].as_str() == Some(options));
            found.unwrap_or_else(|| panic!("no {options}: {model}"))
        };
        let visited = |options: &str| way(options)["visited"].as_u64().expect("a count");
        let bytes = |options: &str| way(options)["zone_bytes"].as_f64().expect("bytes");
        let [all, compact] = ["all", "compact"].map(|form| format!("--zones cdd --diagram-nodes {form}"));
        assert!(visited(&compact) <= visited("--zones minimal"), "{model}");
        assert_eq!(visited("--zones cdd --discrete mtidd"), visited(&compact), "{model}");
        assert!(bytes(&compact) < bytes(&all), "{model}");
    }
    let tables = record["tables"].as_array().expect("tables");
    let keys: Vec<&Value> = tables.iter().map(|table| &table["table"]).collect();
    assert_eq!(keys, ["nodes", "unions", "discrete"]);
    assert_eq!(tables[0]["rows"].as_array().map(Vec::len), Some(5), "three of the thesis, two of ours");
}

#[test]
fn tables_of_unions_can_be_chosen_and_cut_short() {
    let arguments = ["cdd", "--only", "corsso 2", "--table", "unions", "--limit", "0s", "--runs", "2"];
    let text = done(&arguments);
    assert!(text.contains('⊥') && !text.contains("thesis") && text.contains("none of these"), "{text}");
    let folder = file("bench-cdd", "engine.xta", &fischer());
    let folder = path(folder.parent().expect("a folder"));
    let arguments = ["cdd", "--table", "discrete", "--runs", "1", "--models", folder];
    let text = done(&[&arguments[..], &["--only", "engine", "--only", "bando"]].concat());
    assert!(text.contains("| engine ") && text.contains("not found: bando."), "{text}");
    let said = refused(&["cdd", "--only", "fisher 6"]);
    assert!(said.contains("`fisher 6`") && said.contains("`fischer 6`"), "{said}");
}

#[test]
fn ranks_are_measured_beside_those_of_the_thesis() {
    let arguments = ["cluster", "--only", "fischer 6", "--ranks", "1,2", "--runs", "1"];
    let text = done(&arguments);
    let rows = |name: &str| text.lines().filter(|line| line.starts_with(name)).count();
    assert_eq!(rows("| fischer 6"), 3 + 4 + 3, "{text}");
    assert_eq!(rows("| thesis: Buscoupler"), 4 + 3, "{text}");
    assert!(text.contains("100 62 45 26") && !text.contains("differs"), "{text}");
    let record = json(&done(&[&arguments[..], &["--format", "json", "--table", "groups"]].concat()));
    assert_eq!(record["schema"], "tourbillon-bench-cluster/2");
    let tables = record["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), 1, "{record}");
    let rows = tables[0]["rows"].as_array().expect("rows");
    let ours: Vec<&Value> = rows.iter().filter(|row| row["is_ours"] == true).collect();
    assert_eq!((rows.len(), ours.len()), (9 + 3, 3), "{record}");
    assert!(ours.iter().all(|row| row["ranks"].as_array().is_some_and(|ranks| ranks.len() == 4)), "{record}");
    assert_eq!(record["models"][0]["differences"], Value::Array(Vec::new()));
}

#[test]
fn tables_of_ranks_can_be_chosen_and_cut_short() {
    let arguments = ["cluster", "--only", "critical-region 3", "--table", "distribution"];
    let text = done(&[&arguments[..], &["--runs", "2", "--limit", "0s"]].concat());
    assert!(text.contains('⊥') && !text.contains("groups=2"), "{text}");
    let said = refused(&["cluster", "--only", "fischer"]);
    assert!(said.contains("`fischer`") && said.contains("`fischer 8`"), "{said}");
    assert!(refused(&["cluster", "--ranks", "0"]).contains("--ranks"));
}
