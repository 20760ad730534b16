//! `tourbillon-bench memory`: time and memory of each form of the passed list.
//!
//! | file | holds |
//! |---|---|
//! | `tables.rs` | the tables: the figures in each column |
//! | `ways.rs` | options of `tourbillon check`, and whether this program accepts them |
//! | `models.rs` | the models, and how each is explored |
//! | `seed.rs` | the figures of the paper's tables, as printed there |
//! | `measure.rs` | alternating explorations with several options |
//!
//! The tables are those of `[Bengtsson2001]`, with our figures and the paper's, and one more with every exact form. A
//! measurement that several tables use is made once. All exact forms must have the same counts: one that stores less is
//! wrong, and is reported.

mod measure;
mod models;
mod seed;
mod tables;
mod ways;

use std::path::{Path, PathBuf};

use measure::{MemoryMeasurement, Subject};
use models::{MODELS, MemoryModel};
use serde_json::{Value as Json, json};
use tables::{PaperColumn, PaperFigure, PaperTable, TABLES};
use ways::{PLAIN, SearchOptions};

use super::selection::{Selection, missing_text};
use super::table::table;
use super::value::Value;
use super::{DIFFERS, Folder, RecordFormat, own_program};
use crate::Failure;
use tourbillon_cli::quantity;

/// The arguments of `tourbillon-bench memory`.
#[derive(clap::Args)]
pub(crate) struct MemoryArguments {
    /// Only this table; may be repeated
    #[arg(long = "table", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    tables: Vec<u32>,
    #[command(flatten)]
    selection: Selection,
}

impl MemoryArguments {
    fn tables(&self) -> Vec<&'static PaperTable> {
        let asked = |table: &&PaperTable| self.tables.is_empty() || self.tables.contains(&table.number);
        TABLES.iter().filter(asked).collect()
    }
}

/// The results of a model.
struct MemoryResult {
    model: MemoryModel,
    measured: MemoryMeasurement,
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &MemoryArguments) -> Result<(String, u8), Failure> {
    let selection = &arguments.selection;
    selection.check_names(MODELS.iter().map(MemoryModel::name))?;
    let public = selection.public()?;
    let folder = Folder::new()?;
    let program = own_program()?;
    let tables = arguments.tables();
    let ways = known_ways(&tables);
    let (mut outcomes, mut missing) = (Vec::new(), Vec::new());
    for model in MODELS.into_iter().filter(|model| selection.has(&model.name(), model.effort)) {
        match model.file(&folder, public.as_deref())? {
            Some(file) => outcomes.push(measure(arguments, model, file, &program, &ways)?),
            None => missing.push(model.name()),
        }
    }
    let record = MemoryRecord { tables, outcomes, missing };
    let agrees = record.outcomes.iter().all(|outcome| outcome.measured.differences().is_empty());
    let text = match selection.format {
        RecordFormat::Text => record.text(selection),
        RecordFormat::Json => format!("{:#}\n", record.json(selection)),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

/// The options of some tables, each once, that this program accepts.
fn known_ways(tables: &[&PaperTable]) -> Vec<SearchOptions> {
    let mut ways = Vec::new();
    for way in all_ways(tables) {
        if !ways.contains(&way) && ways::unknown(way).is_empty() {
            ways.push(way);
        }
    }
    ways
}

fn all_ways(tables: &[&PaperTable]) -> impl Iterator<Item = SearchOptions> {
    tables.iter().flat_map(|table| table.columns).flat_map(|column| column.figure.ways())
}

fn measure(
    arguments: &MemoryArguments,
    model: MemoryModel,
    file: PathBuf,
    program: &Path,
    ways: &[SearchOptions],
) -> Result<MemoryResult, Failure> {
    let most = arguments.selection.most().max(model.effort);
    let ways: Vec<SearchOptions> =
        ways.iter().copied().filter(|way| !ways::is_by_equality(way) || model.by_equality <= most).collect();
    let order = ["--order", "bfs"];
    let common = model.abstraction().iter().chain(&order).map(|&option| option.to_owned()).collect();
    let subject = Subject { name: model.name(), file, common };
    let selection = &arguments.selection;
    let mut measured = measure::explore(program, &subject, &ways, selection.runs, selection.limit())?;
    if asks_for_estimate(&arguments.tables()) && measured.get(PLAIN).is_some_and(|plain| plain.finished) {
        measured.estimate = Some(measure::estimate(program, &subject, PLAIN)?);
    }
    Ok(MemoryResult { model, measured })
}

fn asks_for_estimate(tables: &[&PaperTable]) -> bool {
    tables.iter().flat_map(|table| table.columns).any(|column| column.figure == PaperFigure::Estimate)
}

/// A row of a table: its name, and in each column our figure and the paper's.
struct MemoryRow {
    name: String,
    cells: Vec<(Value, Value)>,
}

/// For each column, our figure and the paper's, if there are any.
fn cells(table: &PaperTable, outcome: Option<&MemoryResult>, theirs: &[Value]) -> Vec<(Value, Value)> {
    let ours =
        |column: &PaperColumn| outcome.map_or(Value::Absent, |outcome| column.figure.of(&outcome.measured));
    let theirs = theirs.iter().copied().chain(std::iter::repeat(Value::Absent));
    table.columns.iter().map(ours).zip(theirs).collect()
}

struct MemoryRecord {
    tables: Vec<&'static PaperTable>,
    outcomes: Vec<MemoryResult>,
    /// Models that were not found.
    missing: Vec<String>,
}

impl MemoryRecord {
    /// The rows of a table: the paper's, then our additional ones.
    fn rows(&self, table: &PaperTable) -> Vec<MemoryRow> {
        let of_paper = seed::rows(table.number);
        let stands = |outcome: &&MemoryResult, name: &str| outcome.model.seed == Some(name);
        let mut rows: Vec<MemoryRow> = of_paper
            .iter()
            .map(|(name, theirs)| {
                let outcome = self.outcomes.iter().find(|outcome| stands(outcome, name));
                let own = outcome.map_or_else(String::new, |outcome| format!(": {}", outcome.model.name()));
                MemoryRow { name: format!("{name}{own}"), cells: cells(table, outcome, theirs) }
            })
            .collect();
        let listed = |outcome: &&MemoryResult| of_paper.iter().any(|(name, _)| stands(outcome, name));
        rows.extend(self.outcomes.iter().filter(|outcome| !listed(outcome)).map(|outcome| MemoryRow {
            name: outcome.model.name(),
            cells: cells(table, Some(outcome), &[]),
        }));
        rows.retain(|row| row.cells.iter().any(|cell| *cell != (Value::Absent, Value::Absent)));
        rows
    }

    /// The columns to show: in our own table, only those of forms that this program accepts.
    fn shown(table: &PaperTable) -> Vec<usize> {
        let known =
            |column: &PaperColumn| column.figure.ways().iter().all(|way| ways::unknown(way).is_empty());
        (0..table.columns.len()).filter(|&index| table.number < 10 || known(&table.columns[index])).collect()
    }

    fn text(&self, selection: &Selection) -> String {
        let mut text = String::new();
        for table in &self.tables {
            text.push_str(&format!(
                "Table {}. {}\n\n{}\n",
                table.number,
                table.title,
                self.table_text(table)
            ));
        }
        text.push_str(&self.remarks(selection));
        text
    }

    fn table_text(&self, shown: &PaperTable) -> String {
        let columns = Self::shown(shown);
        let mut titles = vec!["model"];
        titles.extend(columns.iter().map(|&index| shown.columns[index].title));
        let cells = |row: &MemoryRow| {
            let cell = |&index: &usize| cell_text(row.cells[index], &shown.columns[index]);
            std::iter::once(row.name.clone()).chain(columns.iter().map(cell)).collect()
        };
        table(&titles, &self.rows(shown).iter().map(cells).collect::<Vec<_>>())
    }

    fn remarks(&self, selection: &Selection) -> String {
        let (runs, limit) = (selection.runs_text(), quantity::time_text(selection.limit()));
        let mut text = format!(
            "Ours, and in brackets the paper's. ⊥: did not end within {limit} and 1 GiB. –: not measured.\n\
             Time is user CPU time, {runs}. Space is that of the passed list; in Tables 4 and 9, the peak of the process.\n"
        );
        text.push_str(&missing_text(&self.missing));
        let unknown = self.unknown();
        if !unknown.is_empty() {
            text.push_str(&format!("Not supported by this program: {}.\n", unknown.join(", ")));
        }
        for outcome in &self.outcomes {
            for way in outcome.measured.differences() {
                text.push_str(&format!("differs: {} with {way} from plain\n", outcome.model.name()));
            }
        }
        text
    }

    /// The options of the tables that this program does not accept.
    fn unknown(&self) -> Vec<String> {
        let mut unknown: Vec<String> = all_ways(&self.tables).flat_map(ways::unknown).collect();
        unknown.sort();
        unknown.dedup();
        unknown
    }

    fn json(&self, selection: &Selection) -> Json {
        let tables = self.tables.iter().map(|table| {
            let rows = self.rows(table).into_iter().map(|row| {
                let cells = row.cells.iter().map(|(ours, theirs)| json!([ours.json(), theirs.json()]));
                json!({"model": row.name, "cells": cells.collect::<Vec<_>>()})
            });
            json!({
                "number": table.number,
                "title": table.title,
                "columns": table.columns.iter().map(|column| column.title).collect::<Vec<_>>(),
                "rows": rows.collect::<Vec<_>>(),
            })
        });
        let models = self.outcomes.iter().map(|outcome| {
            let mut model = outcome.measured.json();
            model["model"] = outcome.model.name().into();
            model["differences"] = outcome.measured.differences().into();
            model
        });
        json!({
            "schema": "tourbillon-bench-memory/1",
            "tourbillon": env!("CARGO_PKG_VERSION"),
            "runs": selection.runs,
            "limit_s": selection.limit().as_secs_f64(),
            "tables": tables.collect::<Vec<_>>(),
            "models": models.collect::<Vec<_>>(),
            "missing": self.missing,
            "unknown_options": self.unknown(),
        })
    }
}

/// Our figure, and the paper's in brackets if there is one.
fn cell_text((ours, theirs): (Value, Value), column: &PaperColumn) -> String {
    let unit = column.figure.unit();
    match theirs {
        Value::Absent => ours.text(unit),
        theirs => format!("{} ({})", ours.text(unit), theirs.text(unit)),
    }
}
