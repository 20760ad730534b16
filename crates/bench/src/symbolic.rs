//! `tourbillon-bench symbolic`: the symbolic engine, compared with the zone engine and with a paper.
//!
//! Tables 1 and 2 of `[EhlersGerkePeter2010]`: the physical layer of FlexRay with increasing numbers of bytes, and
//! Fischer's protocol. The paper's prototype compared zones by equality and was compared with UPPAAL; ours uses
//! inclusion, and is compared with our zone engine in its most compact exact form. The FlexRay model follows the
//! paper's description, so its counts are not the paper's; those of Fischer's protocol are counted with other
//! abstractions. Times and memory are from other machines, sixteen years apart.

use std::path::Path;

use serde_json::{Value, json};

use super::child::{self, Cost};
use super::rows::Effort;
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program, peers};
use crate::Failure;
use tourbillon_cli::quantity::{bytes_text, count_text};

/// The arguments of `tourbillon-bench symbolic`.
#[derive(clap::Args)]
pub(crate) struct SymbolicArguments {
    /// All rows of the paper, including those that take long
    #[arg(long)]
    full: bool,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// A row of the paper: the figures of its prototype and of UPPAAL.
struct SymbolicRow {
    family: &'static str,
    n: u32,
    effort: Effort,
    /// Images and zones, if it ended.
    counts: Option<(u64, u64)>,
    /// Time and memory, as printed.
    theirs: (&'static str, &'static str),
    uppaal: (&'static str, &'static str),
}

const fn flexray(
    n: u32,
    effort: Effort,
    counts: (u64, u64),
    theirs: (&'static str, &'static str),
    uppaal: (&'static str, &'static str),
) -> SymbolicRow {
    SymbolicRow { family: "flexray", n, effort, counts: Some(counts), theirs, uppaal }
}

const fn fischer(
    n: u32,
    counts: Option<(u64, u64)>,
    theirs: (&'static str, &'static str),
    uppaal: (&'static str, &'static str),
) -> SymbolicRow {
    let effort = if n < 8 { Effort::Quick } else { Effort::Usual };
    SymbolicRow { family: "fischer", n, effort, counts, theirs, uppaal }
}

const OUT: (&str, &str) = ("", "MEMOUT");

/// Tables 1 and 2.
const ROWS: &[SymbolicRow] = &[
    flexray(1, Effort::Quick, (6_566, 1_858), ("86 s", "252 MB"), ("23 s", "88 MB")),
    flexray(2, Effort::Quick, (8_606, 2_498), ("2 min", "251 MB"), ("69 s", "205 MB")),
    flexray(3, Effort::Quick, (10_423, 3_142), ("7 min", "527 MB"), ("2 min", "325 MB")),
    flexray(4, Effort::Quick, (12_143, 3_782), ("2 min", "251 MB"), ("3 min", "436 MB")),
    flexray(5, Effort::Quick, (13_863, 4_422), ("4 min", "312 MB"), ("4 min", "563 MB")),
    flexray(20, Effort::Usual, (45_029, 14_038), ("5 min", "261 MB"), ("18 min", "2 GB")),
    flexray(21, Effort::Usual, (46_750, 14_678), ("6 min", "259 MB"), ("18 min", "2 GB")),
    flexray(22, Effort::Usual, (48_470, 15_318), ("5 min", "262 MB"), ("19 min", "2 GB")),
    flexray(23, Effort::Usual, (50_190, 15_958), ("4 min", "259 MB"), ("20 min", "3 GB")),
    flexray(24, Effort::Quick, (51_991, 16_024), ("7 min", "264 MB"), ("22 min", "3 GB")),
    flexray(25, Effort::Usual, (52_629, 16_024), ("5 min", "314 MB"), ("22 min", "3 GB")),
    flexray(31, Effort::Usual, (54_309, 16_024), ("16 min", "415 MB"), ("29 min", "4 GB")),
    flexray(32, Effort::Usual, (54_589, 16_024), ("6 min", "313 MB"), ("31 min", "4 GB")),
    flexray(33, Effort::Usual, (54_869, 16_024), ("28 min", "955 MB"), ("31 min", "4 GB")),
    flexray(34, Effort::Usual, (55_149, 16_024), ("13 min", "313 MB"), OUT),
    flexray(60, Effort::Usual, (66_230, 16_024), ("18 min", "520 MB"), OUT),
    flexray(100, Effort::Usual, (90_230, 16_024), ("57 min", "941 MB"), OUT),
    flexray(150, Effort::Usual, (120_230, 16_024), ("30 min", "406 MB"), OUT),
    flexray(200, Effort::Usual, (150_230, 16_024), ("72 min", "938 MB"), OUT),
    flexray(262, Effort::Quick, (187_430, 16_024), ("28 min", "413 MB"), OUT),
    fischer(5, Some((3_156, 1_496)), ("1 s", "108 MB"), ("0 s", "37 MB")),
    fischer(6, Some((42_528, 17_426)), ("32 s", "156 MB"), ("0 s", "37 MB")),
    fischer(7, Some((612_531, 227_522)), ("17 min", "302 MB"), ("1 s", "37 MB")),
    fischer(8, None, ("TIMEOUT", ""), ("3 s", "38 MB")),
    fischer(9, None, ("TIMEOUT", ""), ("15 s", "42 MB")),
];

/// The figures of one engine for a row.
struct EngineFigures {
    cost: Cost,
    verdict: String,
    /// Zones, or nodes.
    stored: u64,
    /// Images of sets, or visits.
    steps: u64,
    /// Distinct discrete states.
    states: u64,
}

struct SymbolicResult {
    row: &'static SymbolicRow,
    sets: EngineFigures,
    single: EngineFigures,
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &SymbolicArguments) -> Result<(String, u8), Failure> {
    let folder = Folder::new()?;
    let program = own_program()?;
    let most = if arguments.full { Effort::Long } else { Effort::Quick };
    let mut outcomes = Vec::new();
    for row in ROWS.iter().filter(|row| row.effort <= most) {
        let family = tourbillon::family(row.family).map_err(|error| error.to_string())?;
        let model = folder.member(family, row.n)?;
        let sets = measure(&program, &model, &["--engine", "symbolic"])?;
        let single = measure(&program, &model, &["--engine", "zones", "--compact", "--store", "all"])?;
        note(&format!("{} {}: {} s, {} s", row.family, row.n, seconds(&sets), seconds(&single)));
        outcomes.push(SymbolicResult { row, sets, single });
    }
    let reached = |measured: &EngineFigures| (measured.verdict.clone(), measured.states);
    let agree = outcomes.iter().all(|outcome| reached(&outcome.sets) == reached(&outcome.single));
    let text = match arguments.format {
        RecordFormat::Text => text(&outcomes),
        RecordFormat::Json => format!("{:#}\n", json(&outcomes)),
    };
    Ok((text, if agree { 0 } else { DIFFERS }))
}

fn measure(program: &Path, model: &Path, options: &[&str]) -> Result<EngineFigures, Failure> {
    let mut arguments = vec!["check".to_owned(), model.display().to_string()];
    arguments.extend(["--explore", "--trace", "none", "--format", "json"].map(str::to_owned));
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    let ran = child::run(program, &arguments)?;
    let report: Value = serde_json::from_str(&ran.output).map_err(|error| format!("no report: {error}"))?;
    let result = &report["results"][0];
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let stats = &result["stats"];
    let steps = if stats["sets"].is_null() { &stats["visited"] } else { &stats["sets"]["steps"] };
    Ok(EngineFigures {
        cost: ran.cost,
        verdict: result["verdict"].as_str().unwrap_or("none").to_owned(),
        stored: count(&stats["stored"]),
        steps: count(steps),
        states: count(&stats["discrete_states"]),
    })
}

fn seconds(measured: &EngineFigures) -> String {
    peers::seconds(measured.cost.user_s)
}

fn text(outcomes: &[SymbolicResult]) -> String {
    let mut text = String::new();
    for (family, title) in [
        ("flexray", "Table 1: the physical layer of FlexRay, by bytes of a frame"),
        ("fischer", "Table 2: Fischer's protocol, by processes"),
    ] {
        let rows: Vec<Vec<String>> =
            outcomes.iter().filter(|outcome| outcome.row.family == family).map(cells).collect();
        let titles = ["n", "steps", "zones", "CPU s", "memory", "single: nodes", "CPU s", "memory"];
        text.push_str(&format!("{title}\n\n{}\n", table(&titles, &rows)));
    }
    text + "Ours, and in brackets the paper's prototype and, for single states, UPPAAL. Sets: --engine symbolic; single: \
            --engine zones --compact. Both explore the whole state space. A step is the image of a set under one action.\n"
}

fn cells(outcome: &SymbolicResult) -> Vec<String> {
    let SymbolicResult { row, sets, single } = outcome;
    let beside = |ours: String, theirs: &str| {
        if theirs.is_empty() { ours } else { format!("{ours} ({theirs})") }
    };
    let (steps, zones) =
        row.counts.map_or_else(Default::default, |(steps, zones)| (count_text(steps), count_text(zones)));
    vec![
        row.n.to_string(),
        beside(count_text(sets.steps), &steps),
        beside(count_text(sets.stored), &zones),
        beside(seconds(sets), row.theirs.0),
        beside(bytes_text(sets.cost.peak_bytes), row.theirs.1),
        count_text(single.stored),
        beside(seconds(single), row.uppaal.0),
        beside(bytes_text(single.cost.peak_bytes), row.uppaal.1),
    ]
}

fn json(outcomes: &[SymbolicResult]) -> Value {
    let measured = |it: &EngineFigures| {
        json!({
            "verdict": it.verdict,
            "stored": it.stored,
            "steps": it.steps,
            "discrete_states": it.states,
            "user_s": it.cost.user_s,
            "peak_rss_bytes": it.cost.peak_bytes,
        })
    };
    let rows: Vec<Value> = outcomes
        .iter()
        .map(|SymbolicResult { row, sets, single }| {
            json!({
                "family": row.family,
                "n": row.n,
                "symbolic": measured(sets),
                "zones": measured(single),
                "paper": {
                    "steps": row.counts.map(|counts| counts.0),
                    "zones": row.counts.map(|counts| counts.1),
                    "time": row.theirs.0,
                    "memory": row.theirs.1,
                    "uppaal_time": row.uppaal.0,
                    "uppaal_memory": row.uppaal.1,
                },
            })
        })
        .collect();
    json!({ "schema": "tourbillon-bench-symbolic/1", "rows": rows })
}
