//! What looks wrong with a model, for people: each finding at its place, its run below it, and what is known in all.

use std::fmt::Write as _;

use annotate_snippets::Renderer;
use tourbillon::{SanityReport, SourceMap};

use super::text::{Look, plans_text, summary_line};
use super::{BOLD, GREEN, RED, YELLOW, run, styled};
use crate::quantity::{bytes_text, count_text, time_text};
use crate::render;

/// A report as text.
pub(crate) fn sanity(
    report: &SanityReport,
    sources: &SourceMap,
    look: Look,
    peak_rss_bytes: Option<u64>,
) -> String {
    let mut out = summary_line(&report.model, Some(&report.plan));
    if look.explain_plan {
        out += &format!("\n{}", plans_text(&[(None, report.plan.clone())]));
    }
    out.push('\n');
    for finding in &report.findings {
        let text = render::text(&finding.diagnostic, sources, &Renderer::styled());
        out += if finding.trace.is_some() { text.trim_end() } else { &text };
        if let Some(trace) = &finding.trace {
            out.push('\n');
            out.extend(run::lines(trace, look.full_trace).iter().map(|line| format!("    {line}\n")));
            out.push('\n');
        }
    }
    if let Some(trace) = &report.failure {
        out.extend(run::lines(trace, look.full_trace).iter().map(|line| format!("{line}\n")));
        out.push('\n');
    }
    out += &verdict(report);
    out += &cost(report, peak_rss_bytes);
    out
}

/// What was found, and what is not known.
fn verdict(report: &SanityReport) -> String {
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let notes = match report.notes() {
        0 => String::new(),
        count => format!(", {}", plural(count, "note")),
    };
    let mut out = match report.count() {
        0 => format!("{} nothing found{notes}\n", styled(GREEN, "✓")),
        count => format!("{} {}{notes}\n", styled(RED, "✗"), styled(BOLD, &plural(count, "finding"))),
    };
    for (index, open) in report.unknown.iter().enumerate() {
        let why = if index == 0 { format!(": {}", why(report)) } else { String::new() };
        let _ = writeln!(out, "{} unknown{why}: {open}", styled(YELLOW, "?"));
    }
    out
}

/// Why something is not known.
fn why(report: &SanityReport) -> &str {
    let complete = report.reason == tourbillon::Cause::Complete;
    if complete { "clocks can stand still here, which is over-approximated" } else { &report.why }
}

/// How much was seen, and what that took.
fn cost(report: &SanityReport, peak_rss_bytes: Option<u64>) -> String {
    let seen = &report.coverage;
    let memory = peak_rss_bytes.map_or(String::new(), |bytes| format!(" with {}", bytes_text(bytes)));
    format!(
        "{} of {} locations reached, {} of {} edges taken; {} stored, {} visited, in {}{memory}\n",
        count_text(seen.locations_reached as u64),
        count_text(seen.locations as u64),
        count_text(seen.edges_taken as u64),
        count_text(seen.edges as u64),
        count_text(report.stats.stored),
        count_text(report.stats.visited),
        time_text(report.time),
    )
}
