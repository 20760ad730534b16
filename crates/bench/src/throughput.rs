//! `tourbillon-bench throughput`: throughput as a family grows.
//!
//! Fischer's protocol with 8 to 11 processes: each member has about three times the states of the previous one. An
//! additional clock makes each zone slightly larger, which is unavoidable; overfull tables, long lists and cache misses
//! would show here as well. The target is that the largest member has at least half the throughput of the smallest.

use serde_json::json;

use super::checker::{self, ExplorationCounts, Explored};
use super::child::{self, Cost, RESOLUTION};
use super::rows::{FamilyRow, ROWS};
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program, peers};
use crate::Failure;
use tourbillon_cli::quantity::count_text;

/// The arguments of `tourbillon-bench throughput`.
#[derive(clap::Args)]
pub(crate) struct ThroughputArguments {
    /// Number of explorations of each model
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Largest number of processes
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(8..=11))]
    largest: u32,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// The throughput of one member.
struct Throughput {
    row: FamilyRow,
    cost: Cost,
    /// Whether the counts are the known ones.
    agrees: bool,
}

impl Throughput {
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.cost.user_s.max(RESOLUTION.as_secs_f64())
    }

    fn visited(&self) -> f64 {
        self.per_second(self.row.known.visited)
    }

    fn transitions(&self) -> f64 {
        self.per_second(self.row.known.transitions)
    }
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &ThroughputArguments) -> Result<(String, u8), Failure> {
    let paces = measure(arguments)?;
    let agrees = paces.iter().all(|pace| pace.agrees);
    let text = match arguments.format {
        RecordFormat::Text => text(&paces),
        RecordFormat::Json => json_text(&paces),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

fn measure(arguments: &ThroughputArguments) -> Result<Vec<Throughput>, Failure> {
    let folder = Folder::new()?;
    let own = own_program()?;
    let mut members = Vec::new();
    for row in ROWS.iter().filter(|row| is_measured(row, arguments.largest)) {
        members.push((*row, folder.member(row.family(), row.known.n)?, Vec::new(), true));
    }
    for round in 0..arguments.runs {
        // Members alternate, so that a disturbance does not affect only one of them.
        for (row, model, costs, agrees) in &mut members {
            let ran = child::run(&own, &checker::own_arguments(model, &row.known))?;
            let counts = checker::own_counts(&ran.output)?;
            *agrees &= matches!(counts, Explored::Complete { counts, .. } if counts == ExplorationCounts::of(&row.known));
            note(&format!("{}, run {}: {} s", row.model(), round + 1, peers::seconds(ran.cost.user_s)));
            costs.push(ran.cost);
        }
    }
    let paces = members.into_iter().map(|(row, _, costs, agrees)| Throughput {
        row,
        cost: child::median(&costs),
        agrees,
    });
    Ok(paces.collect())
}

fn is_measured(row: &FamilyRow, largest: u32) -> bool {
    row.family == "fischer" && (8..=largest).contains(&row.known.n) && row.is_usual()
}

const TITLES: [&str; 7] = [
    "model",
    "visited",
    "transitions",
    "CPU s",
    "visited/s",
    "transitions/s",
    "transitions/s, relative to the first",
];

fn text(paces: &[Throughput]) -> String {
    let rows: Vec<Vec<String>> = paces.iter().map(|pace| cells(pace, &paces[0]).to_vec()).collect();
    let mut text = table(&TITLES, &rows);
    text.push_str("\nPer second of user CPU time, medians. The target is at least 50 % in the last row.\n");
    for pace in paces.iter().filter(|pace| !pace.agrees) {
        text.push_str(&format!("differs: {} does not have the known counts\n", pace.row.model()));
    }
    text
}

fn cells(pace: &Throughput, first: &Throughput) -> [String; 7] {
    [
        pace.row.model(),
        count_text(pace.row.known.visited),
        count_text(pace.row.known.transitions),
        peers::seconds(pace.cost.user_s),
        count_text(pace.visited() as u64),
        count_text(pace.transitions() as u64),
        format!("{:.0} %", 100.0 * pace.transitions() / first.transitions()),
    ]
}

fn json_text(paces: &[Throughput]) -> String {
    let rows = paces.iter().map(|pace| {
        json!({
            "family": pace.row.family,
            "n": pace.row.known.n,
            "visited": pace.row.known.visited,
            "transitions": pace.row.known.transitions,
            "user_s": pace.cost.user_s,
            "visited_per_s": pace.visited(),
            "transitions_per_s": pace.transitions(),
            "agrees": pace.agrees,
        })
    });
    let record = json!({
        "schema": "tourbillon-bench-throughput/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "rows": rows.collect::<Vec<_>>(),
    });
    format!("{record:#}\n")
}
