//! `tourbillon-bench cluster`: the speedup of several ranks, and its cost.
//!
//! | file | holds |
//! |---|---|
//! | `tables.rs` | the tables: their explorations, columns and targets |
//! | `models.rs` | the models |
//! | `thesis.rs` | the tables of `[ThomsenKristensen2002]`, as printed there |
//! | `explore.rs` | one exploration by some ranks |
//!
//! Ranks are threads, or processes if `--mpirun` gives a command to start them. Time is wall-clock time, from the first
//! state to the last; CPU time is the sum over the ranks and shows the overhead. On a busy machine ranks wait for each
//! other, so the fastest of several runs counts. A measurement that several tables use is made once.
//!
//! All explorations of a model must reach the same discrete states, and for families those with single zones the same
//! zones: a difference is reported and makes the exit status 1. A figure that misses its target is only marked.

mod explore;
mod models;
mod tables;
mod thesis;

use std::path::Path;

use explore::{ClusterFigures, HASH, Launch, Setting};
use models::{ClusterModel, MODELS};
use serde_json::{Value as Json, json};
use tables::{ClusterRow, ClusterTable};

use super::selection::{Selection, missing_text};
use super::source::ModelSource;
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program};
use crate::Failure;
use tourbillon_cli::quantity;

/// The arguments of `tourbillon-bench cluster`.
#[derive(clap::Args)]
pub(crate) struct ClusterArguments {
    /// Only this table; may be repeated
    #[arg(long = "table", value_enum, value_name = "TABLE")]
    tables: Vec<ClusterTable>,
    #[command(flatten)]
    selection: Selection,
    /// Numbers of ranks of the first table
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4",
          value_parser = clap::value_parser!(u32).range(1..))]
    ranks: Vec<u32>,
    /// Search order, as in `check`
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Command that starts the ranks as processes, such as "mpirun --oversubscribe" [default: ranks are threads]
    #[arg(long, value_name = "COMMAND")]
    mpirun: Option<String>,
}

impl ClusterArguments {
    fn tables(&self) -> impl Iterator<Item = ClusterTable> {
        let asked = |table: &ClusterTable| self.tables.is_empty() || self.tables.contains(table);
        ClusterTable::ALL.into_iter().filter(asked)
    }

    /// The tables that a model is in.
    fn tables_of(&self, model: &ClusterModel) -> Vec<ClusterTable> {
        let name = model.source.name();
        let is_in = |table: &ClusterTable| match table.effort(model) {
            Some(effort) => self.selection.has(&name, effort),
            None => self.selection.names(&name),
        };
        self.tables().filter(is_in).collect()
    }
}

/// The results of a model.
struct ClusterResult {
    name: String,
    is_member: bool,
    tables: Vec<ClusterTable>,
    explored: Vec<(Setting, ClusterFigures)>,
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &ClusterArguments) -> Result<(String, u8), Failure> {
    let selection = &arguments.selection;
    selection.check_names(MODELS.iter().map(|model| model.source.name()))?;
    let public = selection.public()?;
    let (folder, program) = (Folder::new()?, own_program()?);
    let launch = Launch {
        program: &program,
        mpirun: arguments.mpirun.as_deref(),
        order: arguments.order.as_deref(),
        limit: selection.limit(),
    };
    let mut record = ClusterRecord { arguments, outcomes: Vec::new(), missing: Vec::new() };
    for model in &MODELS {
        let tables = arguments.tables_of(model);
        if tables.is_empty() {
            continue;
        }
        match model.source.file(&folder, public.as_deref())? {
            Some(file) => record.outcomes.push(measure(arguments, &launch, model, tables, &file)?),
            None => record.missing.push(model.source.name()),
        }
    }
    let agrees = record.outcomes.iter().all(|outcome| outcome.differences().is_empty());
    let text = match selection.format {
        RecordFormat::Text => record.text(),
        RecordFormat::Json => format!("{:#}\n", record.json()),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

/// Explores a model in all ways that its tables need, alternating; the fastest run of each counts. An exploration that
/// does not end is not repeated.
fn measure(
    arguments: &ClusterArguments,
    launch: &Launch<'_>,
    model: &ClusterModel,
    tables: Vec<ClusterTable>,
    file: &Path,
) -> Result<ClusterResult, Failure> {
    let name = model.source.name();
    let mut explored: Vec<(Setting, ClusterFigures)> = Vec::new();
    let settings = settings(&tables, &arguments.ranks);
    for _ in 0..arguments.selection.runs {
        for &setting in &settings {
            let known = explored.iter().position(|(known, _)| *known == setting);
            if known.is_some_and(|at| !explored[at].1.finished) {
                continue;
            }
            let figures = launch.explore(file, setting)?;
            let ranks = setting.ranks.map_or("no ranks".to_owned(), |ranks| format!("{ranks} ranks"));
            note(&format!("{name}, {ranks}, {}: {:.2} s", setting.layout, figures.wall_s));
            match known.map(|at| &mut explored[at].1) {
                None => explored.push((setting, figures)),
                Some(best) if !figures.finished || figures.wall_s < best.wall_s => *best = figures,
                Some(_) => {}
            }
        }
    }
    Ok(ClusterResult { name, is_member: matches!(model.source, ModelSource::Member(..)), tables, explored })
}

/// The explorations of some tables, each once.
fn settings(tables: &[ClusterTable], ranks: &[u32]) -> Vec<Setting> {
    let mut settings = Vec::new();
    for setting in tables.iter().flat_map(|table| table.needed(ranks)) {
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    settings
}

impl ClusterResult {
    /// Errors: different discrete states, or different zones if these are stored singly.
    ///
    /// In the measured families, the finally stored zones do not depend on the order. In public models they may, and
    /// diagrams keep what was stored.
    fn differences(&self) -> Vec<String> {
        let finished = || self.explored.iter().filter(|(_, figures)| figures.finished);
        let states = finished().map(|(_, figures)| figures.discrete_states);
        let single = finished().filter(|(setting, _)| self.is_member && setting.layout == HASH);
        let zones = single.map(|(_, figures)| figures.stored);
        let told = [("discrete states", differ(states)), ("zones", differ(zones))];
        told.into_iter().filter(|(_, differ)| *differ).map(|(what, _)| what.to_owned()).collect()
    }
}

fn differ(mut counts: impl Iterator<Item = u64>) -> bool {
    counts.next().is_some_and(|first| counts.any(|count| count != first))
}

struct ClusterRecord<'a> {
    arguments: &'a ClusterArguments,
    outcomes: Vec<ClusterResult>,
    /// Models that were not found.
    missing: Vec<String>,
}

impl ClusterRecord<'_> {
    /// Calls a function with each row of a table: those of the thesis, then ours.
    fn rows<T>(&self, table: ClusterTable, row: impl Fn(&ClusterRow<'_>) -> T) -> Vec<T> {
        let mut rows = Vec::new();
        for (name, printed) in table.of_thesis() {
            rows.extend(table.thesis_rows(&name, &printed).iter().map(&row));
        }
        for outcome in self.outcomes.iter().filter(|outcome| outcome.tables.contains(&table)) {
            let ours = table.rows(&outcome.name, &outcome.explored, &self.arguments.ranks);
            rows.extend(ours.iter().map(&row));
        }
        rows
    }

    fn text(&self) -> String {
        let tables = self.arguments.tables().map(|shown| {
            let rows = self.rows(shown, |row| shown.cells(row));
            format!("{}\n\n{}\n", shown.title(), table(&shown.titles(), &rows))
        });
        tables.collect::<String>() + &self.remarks()
    }

    fn remarks(&self) -> String {
        let selection = &self.arguments.selection;
        let runs = match selection.runs {
            1 => "one run of each".to_owned(),
            runs => format!("the fastest of {runs} alternating runs"),
        };
        let limit = quantity::time_text(selection.limit());
        let mut text = format!(
            "Time is wall-clock time, {runs}. ⊥: did not end within {limit} and 1 GiB. –: not measured, or too short to tell.\n\
             Without ranks: one search, by --engine zones. Messages per state: tried states in the thesis, visited states in ours, which are fewer.\n\
             !: two ranks less than 1.5 times as fast as one, or memory more than 10 % from even; one diagram above 0.4 of the bytes of\n\
             four, 3 times the CPU time of one rank, or one message for each state.\n"
        );
        text.push_str(&missing_text(&self.missing));
        for outcome in &self.outcomes {
            for what in outcome.differences() {
                text.push_str(&format!("differs: {}: {what} vary between explorations\n", outcome.name));
            }
        }
        text
    }

    fn json(&self) -> Json {
        let selection = &self.arguments.selection;
        let tables = self.arguments.tables().map(|table| {
            let rows = self.rows(table, |row| {
                let mut json = row.json();
                json["is_ours"] = row.is_ours.into();
                json
            });
            json!({"table": table.key(), "title": table.title(), "rows": rows})
        });
        let models = self.outcomes.iter().map(|outcome| {
            let explored = outcome.explored.iter().map(|(setting, figures)| {
                let mut json = figures.json();
                json["layout"] = setting.layout.into();
                json["number_of_ranks"] = json!(setting.ranks);
                json
            });
            json!({
                "model": outcome.name,
                "explored": explored.collect::<Vec<_>>(),
                "differences": outcome.differences(),
            })
        });
        json!({
            "schema": "tourbillon-bench-cluster/2",
            "tourbillon": env!("CARGO_PKG_VERSION"),
            "runs": selection.runs,
            "limit_s": selection.limit().as_secs_f64(),
            "tables": tables.collect::<Vec<_>>(),
            "models": models.collect::<Vec<_>>(),
            "missing": self.missing,
        })
    }
}
