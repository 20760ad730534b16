//! `tourbillon-bench oracles`: all known sizes of zone graphs, checked again.
//!
//! The ordinary tests do the same for small ones. Here all are checked, each exploration within a time limit; one that
//! reaches the limit is counted separately. With inclusion and a_LU, `stored + covered = transitions + 1` must also
//! hold.

use std::time::{Duration, Instant};

use serde_json::json;
use tourbillon::{Family, families};
use tourbillon_gen::{Algorithm, Extrapolation, Known};

use super::checker::{self, ExplorationCounts, Explored};
use super::rows::ROWS;
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, child, known_families, note, own_program, peers};
use tourbillon_cli::quantity;

use crate::Failure;

/// The arguments of `tourbillon-bench oracles`.
#[derive(clap::Args)]
pub(crate) struct OraclesArguments {
    /// Only this family; may be repeated
    #[arg(long = "family", value_name = "NAME")]
    families: Vec<String>,
    /// Time limit of one exploration
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = quantity::time)]
    limit: Duration,
    /// Format of the record
    #[arg(long, value_enum, default_value_t)]
    format: RecordFormat,
}

/// The results of a family.
struct Tally {
    family: &'static str,
    agree: usize,
    /// Explorations that reached the time limit, in words.
    unfinished: Vec<String>,
    /// Figures that differ, in words.
    wrong: Vec<String>,
    /// The longest time of a finished exploration, and its row.
    slowest: (Duration, String),
}

/// Explores everything. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &OraclesArguments) -> Result<(String, u8), Failure> {
    known_families(&arguments.families)?;
    let folder = Folder::new()?;
    let asked = |family: &&Family| {
        arguments.families.is_empty() || arguments.families.iter().any(|name| name == family.name())
    };
    let mut tallies = Vec::new();
    for family in families().iter().filter(asked) {
        let tally = examine(family, &folder, arguments.limit)?;
        note(&format!("{}: {} agree, {} differ", tally.family, tally.agree, tally.wrong.len()));
        tallies.push(tally);
    }
    let agrees = tallies.iter().all(|tally| tally.wrong.is_empty());
    let text = match arguments.format {
        RecordFormat::Text => text(&tallies),
        RecordFormat::Json => json_text(&tallies),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

fn examine(family: &Family, folder: &Folder, limit: Duration) -> Result<Tally, Failure> {
    let own = own_program()?;
    let mut tally = Tally {
        family: family.name(),
        agree: 0,
        unfinished: Vec::new(),
        wrong: Vec::new(),
        slowest: (Duration::ZERO, String::new()),
    };
    for known in rows(family) {
        let model = folder.member(family, known.n)?;
        let mut arguments = checker::own_arguments(&model, &known);
        arguments.extend(["--time-limit".to_owned(), format!("{}s", limit.as_secs_f64())]);
        let started = Instant::now();
        let explored = checker::own_counts(&child::run(&own, &arguments)?.output)?;
        tally.enter(&known, explored, started.elapsed());
    }
    Ok(tally)
}

/// The rows of the family, and those of larger members that are known only here.
fn rows(family: &Family) -> Vec<Known> {
    let mut rows = family.known().to_vec();
    let here = ROWS.iter().filter(|row| row.family == family.name()).map(|row| row.known);
    rows.extend(here.filter(|known| !family.known().contains(known)));
    rows
}

impl Tally {
    fn enter(&mut self, known: &Known, explored: Explored, took: Duration) {
        let what = describe(known);
        match explored {
            Explored::OutOfTime => self.unfinished.push(what),
            Explored::Complete { counts, .. } if counts != ExplorationCounts::of(known) => {
                self.wrong
                    .push(format!("{what}: counts {counts:?}, expected {:?}", ExplorationCounts::of(known)));
            }
            Explored::Complete { balanced: false, .. } if known.algorithm != Algorithm::Reach => {
                self.wrong.push(format!("{what}: stored + covered is not transitions + 1"));
            }
            Explored::Complete { .. } => {
                self.agree += 1;
                if took > self.slowest.0 {
                    self.slowest = (took, what);
                }
            }
        }
    }
}

/// A row in words, such as `9, covreach dfs, LuPlus(Local)`.
fn describe(known: &Known) -> String {
    let how = format!("{} {}", checker::algorithm(known), checker::order(known));
    match known.extrapolation {
        Extrapolation::None => format!("{}, {how}", known.n),
        extrapolation => format!("{}, {how}, {extrapolation:?}", known.n),
    }
}

const TITLES: [&str; 6] = ["family", "agree", "differ", "out of time", "slowest s", "which"];

fn text(tallies: &[Tally]) -> String {
    let rows: Vec<Vec<String>> = tallies.iter().map(|tally| cells(tally).to_vec()).collect();
    let mut text = table(&TITLES, &rows);
    let sum = |count: fn(&Tally) -> usize| tallies.iter().map(count).sum::<usize>();
    text.push_str(&format!(
        "\n{} explorations agree with the known counts, {} differ, {} reached the time limit.\n",
        sum(|tally| tally.agree),
        sum(|tally| tally.wrong.len()),
        sum(|tally| tally.unfinished.len()),
    ));
    for tally in tallies {
        for wrong in &tally.wrong {
            text.push_str(&format!("differs: {} {wrong}\n", tally.family));
        }
        for unfinished in &tally.unfinished {
            text.push_str(&format!("out of time: {} {unfinished}\n", tally.family));
        }
    }
    text
}

fn cells(tally: &Tally) -> [String; 6] {
    [
        tally.family.to_owned(),
        tally.agree.to_string(),
        tally.wrong.len().to_string(),
        tally.unfinished.len().to_string(),
        peers::seconds(tally.slowest.0.as_secs_f64()),
        tally.slowest.1.clone(),
    ]
}

fn json_text(tallies: &[Tally]) -> String {
    let rows = tallies.iter().map(|tally| {
        json!({
            "family": tally.family,
            "agree": tally.agree,
            "differences": tally.wrong,
            "out_of_time": tally.unfinished,
            "slowest_s": tally.slowest.0.as_secs_f64(),
        })
    });
    let record = json!({
        "schema": "tourbillon-bench-oracles/1",
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "families": rows.collect::<Vec<_>>(),
    });
    format!("{record:#}\n")
}
