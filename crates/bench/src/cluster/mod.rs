//! `tourbillon-bench cluster`: what several ranks gain, and what it costs.
//!
//! | file | holds |
//! |---|---|
//! | `tables.rs` | the tables: which explorations stand where, and what their figures should be |
//! | `models.rs` | the models |
//! | `thesis.rs` | the tables of `[ThomsenKristensen2002]`, as printed there |
//! | `explore.rs` | one exploration by some ranks |
//!
//! Ranks are threads, or processes if `--mpirun` says how to start them. Time is that of the clock on the wall, from the
//! first state to the last, since that is what ranks are to save; CPU time is the sum over the ranks, and tells what working
//! together costs. On a machine that does something else besides, ranks wait for each other, so of several runs the fastest
//! counts. What several tables need of a model is measured once.
//!
//! All explorations of a model must come to the same discrete states, and those of a family that keep zones one by one
//! to the same zones: what does not is pointed out, and makes the exit status 1. A figure that misses its bar is only
//! marked.

mod explore;
mod models;
mod tables;
mod thesis;

use std::path::Path;

use explore::{Figures, HASH, Launch, Setting};
use models::{MODELS, Model};
use serde_json::{Value as Json, json};
use tables::{Row, Table};

use super::selection::{Selection, missing_text};
use super::source::Source;
use super::table::table;
use super::{DIFFERS, Folder, RecordFormat, note, own_program};
use crate::Failure;
use tourbillon_cli::quantity;

/// The arguments of `tourbillon-bench cluster`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this table; as often as needed
    #[arg(long = "table", value_enum, value_name = "TABLE")]
    tables: Vec<Table>,
    #[command(flatten)]
    selection: Selection,
    /// Numbers of ranks of the first table
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4",
          value_parser = clap::value_parser!(u32).range(1..))]
    ranks: Vec<u32>,
    /// The order of the search, as `check` names it
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Ranks are processes, started by this command, such as "mpirun --oversubscribe"; threads if it is left out
    #[arg(long, value_name = "COMMAND")]
    mpirun: Option<String>,
}

impl Arguments {
    fn tables(&self) -> impl Iterator<Item = Table> {
        let asked = |table: &Table| self.tables.is_empty() || self.tables.contains(table);
        Table::ALL.into_iter().filter(asked)
    }

    /// The tables that a model is in.
    fn tables_of(&self, model: &Model) -> Vec<Table> {
        let name = model.source.name();
        let is_in = |table: &Table| match table.effort(model) {
            Some(effort) => self.selection.has(&name, effort),
            None => self.selection.names(&name),
        };
        self.tables().filter(is_in).collect()
    }
}

/// What came of a model.
struct Outcome {
    name: String,
    is_member: bool,
    tables: Vec<Table>,
    explored: Vec<(Setting, Figures)>,
}

/// Measures; text for standard output, and the exit status.
pub(crate) fn run(arguments: &Arguments) -> Result<(String, u8), Failure> {
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
    let mut record = Record { arguments, outcomes: Vec::new(), missing: Vec::new() };
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

/// Explores a model in all ways that its tables need, in turns; of each the fastest run counts. What does not end is not
/// repeated.
fn measure(
    arguments: &Arguments,
    launch: &Launch<'_>,
    model: &Model,
    tables: Vec<Table>,
    file: &Path,
) -> Result<Outcome, Failure> {
    let name = model.source.name();
    let mut explored: Vec<(Setting, Figures)> = Vec::new();
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
    Ok(Outcome { name, is_member: matches!(model.source, Source::Member(..)), tables, explored })
}

/// The explorations of some tables, each once.
fn settings(tables: &[Table], ranks: &[u32]) -> Vec<Setting> {
    let mut settings = Vec::new();
    for setting in tables.iter().flat_map(|table| table.needed(ranks)) {
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    settings
}

impl Outcome {
    /// What must not be: other discrete states, or other zones where these are kept one by one.
    ///
    /// Which zones are stored in the end depends on no order in the families that are measured. In public models it may, and
    /// in diagrams what was stored stays.
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

/// What is printed.
struct Record<'a> {
    arguments: &'a Arguments,
    outcomes: Vec<Outcome>,
    /// Models that are not at hand.
    missing: Vec<String>,
}

impl Record<'_> {
    /// Calls with each row of a table: the thesis', then ours.
    fn rows<T>(&self, table: Table, row: impl Fn(&Row<'_>) -> T) -> Vec<T> {
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
            runs => format!("the fastest of {runs} runs in turn"),
        };
        let limit = quantity::time_text(selection.limit());
        let mut text = format!(
            "Time is that of the clock on the wall, {runs}. ⊥: did not end within {limit} and 1 GiB. –: not measured, or too short to tell.\n\
             Without ranks: one search, by --engine zones. Messages by state: of the thesis by tried states, of ours by visited ones, which are fewer.\n\
             !: two ranks less than 1.5 times as fast as one, or memory more than 10 % from even; one diagram above 0.4 of the bytes of\n\
             four, 3 times the CPU time of one rank, or one message for each state.\n"
        );
        text.push_str(&missing_text(&self.missing));
        for outcome in &self.outcomes {
            for what in outcome.differences() {
                text.push_str(&format!("differs: {}: {what} are not always the same\n", outcome.name));
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
