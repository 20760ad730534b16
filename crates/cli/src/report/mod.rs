//! Reports as text.
//!
//! - `text.rs`: a header, an answer with its trace for each query, a summary.
//! - `run.rs`: runs, a line for each step.
//! - `lint.rs`: findings of lint.
//! - `table.rs`: statistics in columns.
//! - `verifyta.rs`: the output format of verifyta.
//!
//! Text has ANSI colours; the writer removes them unless it is a terminal.

mod lint;
mod run;
mod table;
mod text;
mod verifyta;

pub(crate) use lint::lint;
pub(crate) use run::{edge, lines, sync};
pub(crate) use table::columns;
pub(crate) use text::{ReportDetail, TextReport, plan_line, plans_text};
pub(crate) use verifyta::VerifytaReport;

/// The destination of a report.
pub(crate) type Out = std::io::BufWriter<Box<dyn std::io::Write + Send>>;

/// Text with an ANSI style.
pub(crate) fn styled(style: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\x1b[{style}m{text}\x1b[0m") }
}

pub(crate) const BOLD: &str = "1";
pub(crate) const DIM: &str = "2";
pub(crate) const RED: &str = "1;31";
pub(crate) const GREEN: &str = "1;32";
pub(crate) const YELLOW: &str = "1;33";
