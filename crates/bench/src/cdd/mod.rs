//! `tourbillon-bench cdd`: time and memory of unions of zones as diagrams.
//!
//! | file | holds |
//! |---|---|
//! | `tables.rs` | the tables: the figures in each column, and their targets |
//! | `models.rs` | the models |
//! | `paper.rs` | the table of `[ThomsenKristensen2002]`, as printed there |
//! | `search.rs` | alternating explorations with several options |
//!
//! A measurement that several tables use is made once. Unions must not visit more than single zones, and every form
//! must visit the same: a difference is reported and makes the exit status 1. A figure above its target is only marked.

mod models;
mod paper;
mod search;
mod tables;

use std::path::Path;

use models::MODELS;
use search::{CddMeasurement, SearchOptions};
use serde_json::{Value as Json, json};
use tables::{CddColumn, CddTable, differences, keeps_unions_bar};

use super::selection::{Selection, missing_text};
use super::table::table;
use super::value::Value;
use super::{DIFFERS, Folder, RecordFormat, own_program};
use crate::Failure;
use tourbillon_cli::quantity;

/// The arguments of `tourbillon-bench cdd`.
#[derive(clap::Args)]
pub(crate) struct CddArguments {
    /// Only this table; may be repeated
    #[arg(long = "table", value_enum, value_name = "TABLE")]
    tables: Vec<CddTable>,
    #[command(flatten)]
    selection: Selection,
}

impl CddArguments {
    fn tables(&self) -> Vec<CddTable> {
        let asked = |table: &CddTable| self.tables.is_empty() || self.tables.contains(table);
        CddTable::ALL.into_iter().filter(asked).collect()
    }
}

/// The results of a model.
struct CddResult {
    name: String,
    measured: CddMeasurement,
}

/// Measures. Returns text for standard output, and the exit status.
pub(crate) fn run(arguments: &CddArguments) -> Result<(String, u8), Failure> {
    let selection = &arguments.selection;
    selection.check_names(MODELS.iter().map(|model| model.source.name()))?;
    let public = selection.public()?;
    let folder = Folder::new()?;
    let program = own_program()?;
    let ways = ways(&arguments.tables());
    let mut record = CddRecord { tables: arguments.tables(), outcomes: Vec::new(), missing: Vec::new() };
    for model in MODELS.iter().filter(|model| selection.has(&model.source.name(), model.effort)) {
        match model.source.file(&folder, public.as_deref())? {
            Some(file) => {
                record.outcomes.push(measure(selection, model.source.name(), &file, &program, &ways)?)
            }
            None => record.missing.push(model.source.name()),
        }
    }
    let agrees = record.outcomes.iter().all(|outcome| differences(&outcome.measured).is_empty());
    let text = match selection.format {
        RecordFormat::Text => record.text(selection),
        RecordFormat::Json => format!("{:#}\n", record.json(selection)),
    };
    Ok((text, if agrees { 0 } else { DIFFERS }))
}

/// The options of some tables, each once.
fn ways(tables: &[CddTable]) -> Vec<SearchOptions> {
    let mut ways = Vec::new();
    for way in tables.iter().flat_map(|table| table.columns()).flat_map(|column| column.figure.ways()) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

fn measure(
    selection: &Selection,
    name: String,
    file: &Path,
    program: &Path,
    ways: &[SearchOptions],
) -> Result<CddResult, Failure> {
    let measured = search::explore(program, (&name, file), ways, selection.runs, selection.limit())?;
    Ok(CddResult { name, measured })
}

struct CddRecord {
    tables: Vec<CddTable>,
    outcomes: Vec<CddResult>,
    /// Models that were not found.
    missing: Vec<String>,
}

impl CddRecord {
    /// The rows of a table: those of the thesis, then ours.
    fn rows(&self, table: CddTable) -> Vec<(String, Vec<Value>)> {
        let mut rows = table.of_paper();
        rows.extend(self.outcomes.iter().map(|outcome| {
            let cell = |column: &CddColumn| column.figure.of(&outcome.measured);
            (outcome.name.clone(), table.columns().iter().map(cell).collect())
        }));
        rows
    }

    fn text(&self, selection: &Selection) -> String {
        let tables =
            self.tables.iter().map(|&table| format!("{}\n\n{}\n", table.title(), self.table_text(table)));
        tables.collect::<String>() + &self.remarks(selection)
    }

    fn table_text(&self, shown: CddTable) -> String {
        let mut titles = vec!["model"];
        titles.extend(shown.columns().iter().map(|column| column.title));
        let cells = |(name, values): (String, Vec<Value>)| {
            let is_ours = !name.starts_with("thesis");
            let cell = |(column, value): (&CddColumn, Value)| {
                let mark = if is_ours && column.exceeds(value) { "! " } else { "" };
                format!("{mark}{}", value.text(column.figure.unit()))
            };
            std::iter::once(name).chain(shown.columns().iter().zip(values).map(cell)).collect()
        };
        table(&titles, &self.rows(shown).into_iter().map(cells).collect::<Vec<_>>())
    }

    fn remarks(&self, selection: &Selection) -> String {
        let (runs, limit) = (selection.runs_text(), quantity::time_text(selection.limit()));
        let mut text = format!(
            "Time is user CPU time, {runs}. ⊥: did not end within {limit} and 1 GiB. –: not measured, or too short to tell.\n"
        );
        if self.tables.contains(&CddTable::Nodes) {
            text.push_str("!: more than 0.80 of the bytes of representation 1, or 1.2 times its time.\n");
        }
        if self.tables.contains(&CddTable::Unions) {
            text.push_str(&self.bar());
        }
        text.push_str(&missing_text(&self.missing));
        for outcome in &self.outcomes {
            for way in differences(&outcome.measured) {
                text.push_str(&format!("differs: {} with {way} visits what others do not\n", outcome.name));
            }
        }
        text
    }

    /// The models for which unions meet their target.
    fn bar(&self) -> String {
        let kept = self.outcomes.iter().filter(|outcome| keeps_unions_bar(&outcome.measured));
        let names: Vec<&str> = kept.map(|outcome| outcome.name.as_str()).collect();
        let names = if names.is_empty() { "none of these".to_owned() } else { names.join(", ") };
        format!("At most 0.6 of the passed list of `minimal`: {names}.\n")
    }

    fn json(&self, selection: &Selection) -> Json {
        let tables = self.tables.iter().map(|&table| {
            let rows = self.rows(table).into_iter().map(|(name, values)| {
                let cells = values.iter().map(|value| value.json());
                json!({"model": name, "cells": cells.collect::<Vec<_>>()})
            });
            json!({
                "table": table.key(),
                "title": table.title(),
                "columns": table.columns().iter().map(|column| column.title).collect::<Vec<_>>(),
                "rows": rows.collect::<Vec<_>>(),
            })
        });
        let models = self.outcomes.iter().map(|outcome| {
            let mut model = outcome.measured.json();
            model["model"] = outcome.name.clone().into();
            model["differences"] = differences(&outcome.measured).into();
            model
        });
        json!({
            "schema": "tourbillon-bench-cdd/1",
            "tourbillon": env!("CARGO_PKG_VERSION"),
            "runs": selection.runs,
            "limit_s": selection.limit().as_secs_f64(),
            "tables": tables.collect::<Vec<_>>(),
            "models": models.collect::<Vec<_>>(),
            "missing": self.missing,
        })
    }
}
