//! Reports for people and for scripts.
//!
//! - `text.rs`: for people: a header, an answer with its run for each question, a summary.
//! - `run.rs`: runs, a line for each step.
//! - `sanity.rs`: what looks wrong with a model.
//! - `table.rs`: numbers and columns.
//! - `verifyta.rs`: lines that scripts written for verifyta look for.
//!
//! Everything is made as text with colours; whoever writes it takes them out where no terminal shows them.

mod run;
mod sanity;
mod table;
mod text;
mod verifyta;

pub(crate) use run::{edge, lines, sync};
pub(crate) use sanity::sanity;
pub(crate) use table::columns;
pub(crate) use text::{Look, TextReport, plan_line, plans_text};
pub(crate) use verifyta::VerifytaReport;

/// Where a report goes.
pub(crate) type Out = std::io::BufWriter<Box<dyn std::io::Write + Send>>;

/// Text in a style.
pub(crate) fn styled(style: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\x1b[{style}m{text}\x1b[0m") }
}

pub(crate) const BOLD: &str = "1";
pub(crate) const DIM: &str = "2";
pub(crate) const RED: &str = "1;31";
pub(crate) const GREEN: &str = "1;32";
pub(crate) const YELLOW: &str = "1;33";
