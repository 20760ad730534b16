//! `tourbillon check` as a user runs it: verdicts, runs, formats, limits, mistakes, exit statuses.

mod certificates;
mod examples;
mod formats;
mod limits;
mod lint;
mod liveness;
mod mistakes;
mod schema;
#[path = "../shared/mod.rs"]
mod shared;
mod symbolic;
mod tables;

use serde_json::Value;
use shared::ended;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tourbillon");

/// The report of a check as JSON, with its exit status.
fn report(status: i32, arguments: &[&str]) -> Value {
    let mut all = vec!["check"];
    all.extend(arguments);
    all.extend(["--format", "json"]);
    let (out, err) = ended(status, &all);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{all:?}: {error}\n{out}{err}"))
}

/// The path of an example.
fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A model that fails after three steps, in the text of UPPAAL.
const FAILS: &str = "int[0,3] n;\nclock x;\nprocess P() {\n  state A { x <= 5 };\n  init A;\n  trans A -> A { guard x > 2; \
                     assign x = 0, n = n + 1; };\n}\nsystem P;\n";

/// A model with a timelock and an edge that is never taken, in the text of UPPAAL.
const STUCK: &str = "clock x;\nprocess P() {\n  state A { x <= 5 }, B { x <= 7 };\n  init A;\n  trans\n    A -> B { guard x \
                     >= 3; },\n    A -> A { guard x > 5; };\n}\nsystem P;\n";
