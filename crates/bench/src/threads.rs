//! `tourbillon-bench threads`: full explorations in rounds, with 1 to n threads.
//!
//! For each model and number of threads: wall time and CPU time, medians of alternating runs, the speedup over one thread, and the
//! share of each phase (`search/src/rounds.rs`). Counts must be equal for all numbers of threads.
//!
//! What more cores would give is computed from the phases of one thread by Amdahl's law: selecting, storing zones and joining
//! results are sequential, as is everything before the first round.

use std::time::Instant;

use clap::builder::RangedU64ValueParser;
use serde_json::{Value, json};
use tourbillon_cli::quantity::count_text;

use super::child::{self, Cost};
use super::table::table;
use super::{DIFFERS, Failure, Folder, RecordFormat, note, own_program};

/// The models by default: members that take a second or more.
const MODELS: [(&str, u32); 6] = [
    ("fischer", 10),
    ("fischer", 11),
    ("csmacd", 11),
    ("csmacd", 12),
    ("critical-region", 5),
    ("train-gate", 6),
];

/// The numbers of cores for which the speedup is computed.
const CORES: [u32; 5] = [2, 4, 8, 16, 64];

/// The arguments of `tourbillon-bench threads`.
#[derive(clap::Args)]
pub(crate) struct ThreadsArguments {
    /// Largest number of threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=256))]
    threads: Option<u32>,
    /// Number of runs of each exploration
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only these models, such as "fischer 10"
    #[arg(long = "model", value_name = "NAME N")]
    models: Vec<String>,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// The explorations of a model with a number of threads.
struct Row {
    model: String,
    threads: u32,
    wall_s: f64,
    cost: Cost,
    /// The result of the last run.
    result: Value,
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &ThreadsArguments) -> Result<(String, u8), Failure> {
    let rows = measure(arguments)?;
    let agrees = rows.iter().all(|row| counts(row) == counts(first_of(&rows, row)));
    let text = match arguments.format {
        RecordFormat::Text => text(&rows),
        RecordFormat::Json => json_text(&rows),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

fn measure(arguments: &ThreadsArguments) -> Result<Vec<Row>, Failure> {
    let (folder, own) = (Folder::new()?, own_program()?);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u32;
    let numbers = numbers(arguments.threads.unwrap_or(cores));
    let mut rows = Vec::new();
    for (name, n) in models(arguments)? {
        let family = tourbillon::family(&name).map_err(|error| error.to_string())?;
        let model = folder.member(family, n)?.to_string_lossy().into_owned();
        let mut runs: Vec<Vec<(f64, Cost, Value)>> = vec![Vec::new(); numbers.len()];
        for round in 0..arguments.runs {
            // Numbers of threads alternate, so that a disturbance does not affect only one of them.
            for (&threads, runs) in numbers.iter().zip(&mut runs) {
                let ran = explore(&own, &model, threads)?;
                note(&format!("{name} {n}, {threads} threads, run {}: {:.2} s", round + 1, ran.0));
                runs.push(ran);
            }
        }
        rows.extend(
            numbers.iter().zip(runs).map(|(&threads, runs)| Row::of(&format!("{name} {n}"), threads, runs)),
        );
    }
    Ok(rows)
}

/// 1, 2, 4 and so on, and the largest.
fn numbers(largest: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> =
        std::iter::successors(Some(1), |&n| Some(2 * n)).take_while(|&n| n < largest).collect();
    numbers.push(largest);
    numbers
}

fn models(arguments: &ThreadsArguments) -> Result<Vec<(String, u32)>, Failure> {
    if arguments.models.is_empty() {
        return Ok(MODELS.map(|(name, n)| (name.to_owned(), n)).to_vec());
    }
    let parse = |text: &String| {
        let (name, n) = text.rsplit_once(' ')?;
        Some((name.to_owned(), n.parse().ok()?))
    };
    let wrong = |text: &String| format!("`{text}` is not the name of a family and a number");
    arguments.models.iter().map(|text| parse(text).ok_or_else(|| wrong(text))).collect()
}

/// Explores a model. Returns the wall time, the cost, and the result.
fn explore(own: &std::path::Path, model: &str, threads: u32) -> Result<(f64, Cost, Value), Failure> {
    let threads = threads.to_string();
    let arguments =
        ["check", model, "--explore", "--trace", "none", "--format", "json", "--threads", &threads];
    let started = Instant::now();
    let ran = child::run(own, &arguments.map(str::to_owned))?;
    let wall_s = started.elapsed().as_secs_f64();
    let report: Value =
        serde_json::from_str(&ran.output).map_err(|error| format!("no report of ours: {error}"))?;
    Ok((wall_s, ran.cost, report["results"][0].clone()))
}

impl Row {
    fn of(model: &str, threads: u32, mut runs: Vec<(f64, Cost, Value)>) -> Self {
        let costs: Vec<Cost> = runs.iter().map(|(_, cost, _)| *cost).collect();
        runs.sort_by(|one, other| one.0.total_cmp(&other.0));
        let middle = runs.len() / 2;
        let (wall_s, _, result) = runs.swap_remove(middle);
        Self { model: model.to_owned(), threads, wall_s, cost: child::median(&costs), result }
    }

    fn seconds(&self, phase: &str) -> f64 {
        self.result["rounds"][phase].as_f64().unwrap_or(0.0)
    }

    fn count(&self, name: &str) -> u64 {
        self.result["rounds"][name].as_u64().unwrap_or(0)
    }

    /// The part of the time in which all threads work.
    fn parallel(&self) -> f64 {
        ((self.seconds("expand_s") + self.seconds("insert_s")) / self.wall_s).min(1.0)
    }

    /// The speedup with many cores, by Amdahl's law.
    fn predicted(&self, cores: u32) -> f64 {
        1.0 / (1.0 - self.parallel() + self.parallel() / f64::from(cores))
    }
}

/// The counts that must not depend on threads.
fn counts(row: &Row) -> Vec<&Value> {
    let stats = ["stored", "stored_max", "visited", "transitions", "covered", "mistakes"];
    stats.iter().map(|name| &row.result["stats"][name]).collect()
}

/// The row of the same model with one thread.
fn first_of<'r>(rows: &'r [Row], row: &'r Row) -> &'r Row {
    rows.iter().find(|other| other.model == row.model).unwrap_or(row)
}

const TITLES: [&str; 11] = [
    "model",
    "threads",
    "wall s",
    "CPU s",
    "speedup",
    "efficiency",
    "MiB",
    "states per round",
    "expand",
    "insert",
    "one thread",
];

fn text(rows: &[Row]) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(row, first_of(rows, row)).to_vec()).collect();
    let mut text = table(&TITLES, &cells);
    text.push_str("\nWall and CPU time, medians. The last three columns are parts of the wall time.\n\n");
    let titles: Vec<String> = CORES.iter().map(|cores| format!("{cores} cores")).collect();
    let titles: Vec<&str> = std::iter::once("model").chain(titles.iter().map(String::as_str)).collect();
    let ones = rows.iter().filter(|row| row.threads == 1);
    let predicted: Vec<Vec<String>> = ones.map(predicted_cells).collect();
    text.push_str(&table(&titles, &predicted));
    text.push_str("\nSpeedup by Amdahl's law, from the phases of one thread.\n");
    for row in rows.iter().filter(|row| counts(row) != counts(first_of(rows, row))) {
        text.push_str(&format!("differs: {} with {} threads\n", row.model, row.threads));
    }
    text
}

fn cells(row: &Row, first: &Row) -> [String; 11] {
    let speedup = first.wall_s / row.wall_s;
    let share = |seconds: f64| format!("{:.0} %", 100.0 * seconds / row.wall_s);
    let phases = row.seconds("expand_s") + row.seconds("insert_s");
    [
        row.model.clone(),
        row.threads.to_string(),
        format!("{:.2}", row.wall_s),
        format!("{:.2}", row.cost.user_s),
        format!("{speedup:.2}"),
        format!("{:.0} %", 100.0 * speedup / f64::from(row.threads)),
        format!("{:.1}", row.cost.peak_bytes as f64 / f64::from(1 << 20)),
        count_text(row.count("nodes") / row.count("rounds").max(1)),
        share(row.seconds("expand_s")),
        share(row.seconds("insert_s")),
        share((row.wall_s - phases).max(0.0)),
    ]
}

fn predicted_cells(row: &Row) -> Vec<String> {
    let speedups = CORES.iter().map(|&cores| format!("{:.1}", row.predicted(cores)));
    std::iter::once(row.model.clone()).chain(speedups).collect()
}

fn json_text(rows: &[Row]) -> String {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "model": row.model,
                "threads": row.threads,
                "wall_s": row.wall_s,
                "user_s": row.cost.user_s,
                "peak_bytes": row.cost.peak_bytes,
                "stats": row.result["stats"],
                "rounds": row.result["rounds"],
            })
        })
        .collect();
    format!("{:#}\n", json!(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(threads: u32, wall_s: f64, expand_s: f64) -> Row {
        let result = json!({"stats": {"stored": 5}, "rounds": {"expand_s": expand_s, "insert_s": 0.0, "rounds": 2, "nodes": 10}});
        Row {
            model: "m 1".to_owned(),
            threads,
            wall_s,
            cost: Cost { user_s: 1.0, peak_bytes: 1 << 20 },
            result,
        }
    }

    #[test]
    fn speedups_are_measured_and_predicted() {
        let rows = [row(1, 4.0, 3.0), row(2, 2.5, 1.5)];
        assert_eq!(cells(&rows[1], first_of(&rows, &rows[1]))[4..6], ["1.60", "80 %"]);
        assert!((rows[0].predicted(3) - 2.0).abs() < 1e-9, "a quarter is sequential, and a quarter remains");
        assert_eq!(numbers(7), [1, 2, 4, 7]);
        assert_eq!(numbers(1), [1]);
    }
}
