//! The JSON has the fields that `docs/json.md` lists, of the types it gives, and no others.
//!
//! The tables of the page are read as a schema, and reports of all kinds are checked against it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::shared::{done, file, path};
use crate::{FAILS, STUCK, example, report};

/// For each kind of object, its fields with their types.
type Schema = BTreeMap<String, BTreeMap<String, String>>;

fn schema(page: &str) -> Schema {
    let mut schema = Schema::new();
    let mut section = String::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## `").and_then(|rest| rest.strip_suffix('`')) {
            name.clone_into(&mut section);
        } else if let Some(row) = line.strip_prefix("| `") {
            let (field, rest) = row.split_once("` | ").expect("a field and a type");
            let (kind, _) = rest.split_once(" | ").expect("a type and a meaning");
            let fields = schema.entry(section.clone()).or_default();
            assert!(fields.insert(field.to_owned(), kind.to_owned()).is_none(), "{section}.{field} twice");
        }
    }
    schema
}

/// What is wrong with a value that should be of a type; `seen` collects the kinds of objects that occurred.
fn faults(schema: &Schema, kind: &str, value: &Value, at: &str, seen: &mut BTreeSet<String>) -> Vec<String> {
    if let Some(kind) = kind.strip_suffix(" or null") {
        return if value.is_null() { Vec::new() } else { faults(schema, kind, value, at, seen) };
    }
    if let (Some(kind), Some(list)) = (kind.strip_prefix("list of "), value.as_array()) {
        return list.iter().flat_map(|item| faults(schema, kind, item, &format!("{at}[]"), seen)).collect();
    }
    if let (Some(kind), Some(map)) = (kind.strip_prefix("map to "), value.as_object()) {
        return map.values().flat_map(|item| faults(schema, kind, item, &format!("{at}.*"), seen)).collect();
    }
    if let (Some(fields), Some(object)) = (schema.get(kind), value.as_object()) {
        seen.insert(kind.to_owned());
        let missing = fields.keys().filter(|field| !object.contains_key(*field));
        let unknown = object.keys().filter(|field| !fields.contains_key(*field));
        let mut found: Vec<String> = missing.map(|field| format!("{at}.{field} is missing")).collect();
        found.extend(unknown.map(|field| format!("{at}.{field} is not documented")));
        for (field, kind) in fields {
            if let Some(value) = object.get(field) {
                found.extend(faults(schema, kind, value, &format!("{at}.{field}"), seen));
            }
        }
        return found;
    }
    let right = match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    };
    if right { Vec::new() } else { vec![format!("{at} is no {kind}: {value}")] }
}

#[test]
fn faults_are_found() {
    let page = "## `a`\n| `x` | integer | a number |\n| `y` | list of string or null | words |\n";
    let schema = schema(page);
    let faults = |text: &str| {
        let value = serde_json::from_str(text).expect("JSON");
        faults(&schema, "a", &value, "a", &mut BTreeSet::new())
    };
    assert_eq!(faults(r#"{"x": 1, "y": null}"#), [""; 0]);
    assert_eq!(faults(r#"{"x": "1", "y": [2]}"#), ["a.x is no integer: \"1\"", "a.y[] is no string: 2"]);
    assert_eq!(faults(r#"{"y": [], "z": 0}"#), ["a.x is missing", "a.z is not documented"]);
}

/// What `tourbillon simulate` writes, with the kind of object that each is.
fn simulations() -> Vec<(&'static str, Value)> {
    let model = example("train-gate.xml");
    let read = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let saved = done(&["simulate", &model, "--random", "5", "--format", "json"]);
    let run = file("schema", "run.json", &saved);
    let replayed = done(&["simulate", &model, "--replay", path(&run), "--format", "json"]);
    let script = file("schema", "script", "1\nrandom 2\nsymbolic\n1\nrun\nhelp\n");
    let session = done(&["simulate", &model, "--script", path(&script), "--format", "json"]);
    let kinds = [
        "simulation-state",
        "simulation-state",
        "simulation-state",
        "simulation-state",
        "simulation-state",
        "run",
        "note",
    ];
    assert_eq!(session.lines().count(), kinds.len(), "{session}");
    let mut all = vec![("run", read(&saved)), ("replay", read(&replayed))];
    all.extend(kinds.into_iter().zip(session.lines().map(read)));
    let fails = file("schema", "failing.xta", FAILS);
    let random = file("schema", "random", "random 9\n");
    let failing = done(&["simulate", path(&fails), "--script", path(&random), "--format", "json"]);
    all.extend(failing.lines().map(|line| ("simulation-state", read(line))));
    all
}

/// The report of a model that was checked, edited and checked again.
fn edited() -> Value {
    let text = "clock x; process P() { state A { x <= 5 }; init A; trans A -> A { guard x > 2; assign x = 0; }; } system P;";
    let model = file("schema", "edited.xta", text);
    let cache = model.with_file_name("cache");
    let check = || report(0, &[path(&model), "-q", "A[] P.A", "--cache", path(&cache)]);
    check();
    file("schema", "edited.xta", &text.replace("x > 2", "x > 3"));
    check()
}

#[test]
fn reports_have_the_documented_fields() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    let schema = schema(&std::fs::read_to_string(page).expect("the page"));
    let fails = file("schema", "fails.xta", FAILS);
    let large = file("schema", "csmacd.tck", &done(&["gen", "csmacd", "8", "--as", "tck"]));
    let reports = [
        report(0, &[path(&large), "--explore", "--threads", "2"]),
        report(1, &[&example("train-gate.xml")]),
        report(1, &[&example("train-gate.xml"), "--certify"]),
        edited(),
        report(0, &[&example("fischer.tck"), "--labels", "critical1"]),
        report(0, &[&example("fischer.xml"), "--explore"]),
        report(0, &[&example("fischer.xml"), "--explore", "--engine", "cluster", "--ranks", "2"]),
        report(0, &[&example("fischer.xml"), "--explore", "--engine", "symbolic"]),
        report(3, &[&example("fischer.xml"), "--explore", "--passed", "bitstate"]),
        report(3, &[&example("fischer.xml"), "--explore", "--passed", "compact+zone"]),
        report(1, &[&example("fischer-broken.xml"), "--trace", "fastest"]),
        report(2, &[path(&fails), "-q", "A[] n <= 3", "-q", "E<> m"]),
        report(1, &[&example("fischer.xml"), "-q", "Process(1).Wait --> Process(1).Critical"]),
        report(1, &[&example("fischer-broken.xml"), "--traces", "3"]),
        report(0, &[&example("train-gate.xml"), "-q", "bounds{Train(0).Stop}: Train(0).x, Gate.length"]),
    ];
    let mut seen = BTreeSet::new();
    for report in &reports {
        assert_eq!(report["schema"], "tourbillon-check/2");
        let found = faults(&schema, "report", report, "report", &mut seen);
        assert!(found.is_empty(), "{found:#?}");
    }
    for (kind, value) in simulations() {
        let found = faults(&schema, kind, &value, kind, &mut seen);
        assert!(found.is_empty(), "{found:#?}");
    }
    let stuck = file("schema", "stuck.xta", STUCK);
    for report in [report(1, &[path(&stuck), "--sanity"]), report(2, &[path(&fails), "--sanity"])] {
        assert_eq!(report["schema"], "tourbillon-sanity/2");
        let found = faults(&schema, "lint", &report, "lint", &mut seen);
        assert!(found.is_empty(), "{found:#?}");
    }
    let unseen: Vec<&String> =
        schema.keys().filter(|kind| !seen.contains(*kind) && *kind != "label").collect();
    assert!(unseen.is_empty(), "documented and never written: {unseen:?}");
}
