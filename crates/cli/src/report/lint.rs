//! The text report of lint: each finding with its source line and its run, then a summary.

use std::fmt::Write as _;

use annotate_snippets::Renderer;
use tourbillon::{Aspect, Exploration, LintReport, Severity, SourceMap};

use super::text::{ReportDetail, plans_text, summary_line};
use super::{BOLD, GREEN, RED, YELLOW, run, styled};
use crate::quantity::{bytes_text, count_text, time_text};
use crate::render;

pub(crate) fn lint(
    report: &LintReport,
    sources: &SourceMap,
    detail: ReportDetail,
    peak_rss_bytes: Option<u64>,
) -> String {
    let mut out = summary_line(&report.model, report.explorations.first().map(|it| &it.plan));
    if detail.explain_plan {
        let plans: Vec<_> =
            report.explorations.iter().map(|it| (Some(purpose(it)), it.plan.clone())).collect();
        out += &format!("\n{}", plans_text(&plans));
    }
    out.push('\n');
    for finding in &report.findings {
        let text = render::text(&finding.diagnostic, sources, &Renderer::styled());
        out += if finding.trace.is_some() { text.trim_end() } else { &text };
        if let Some(trace) = &finding.trace {
            out.push('\n');
            out.extend(run::lines(trace, detail.full_trace).iter().map(|line| format!("    {line}\n")));
            out.push('\n');
        }
    }
    out += &failure(report, sources, detail);
    out += &verdict(report);
    out += &cost(report, peak_rss_bytes);
    out
}

/// Run-time errors of the model, with a run to each.
fn failure(report: &LintReport, sources: &SourceMap, detail: ReportDetail) -> String {
    let mut out = String::new();
    for error in report.diagnostics.iter().filter(|it| it.severity == Severity::Error) {
        let place = sources.resolve(error.primary);
        let _ = writeln!(
            out,
            "{}:{}:{}: {}",
            place.file,
            place.start.line,
            place.start.column,
            styled(BOLD, &error.message)
        );
    }
    let lines = report.failure.iter().flat_map(|trace| run::lines(trace, detail.full_trace));
    out.extend(lines.map(|line| format!("    {line}\n")));
    if out.is_empty() { out } else { out + "\n" }
}

/// The summary line, and the unknown aspects.
fn verdict(report: &LintReport) -> String {
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    let fails = report.diagnostics.has_errors();
    parts.extend(fails.then(|| styled(BOLD, "the model fails at run time")));
    parts.extend((report.count() > 0).then(|| styled(BOLD, &plural(report.count(), "finding"))));
    let mark = match (parts.is_empty(), report.unknown.is_empty()) {
        (false, _) => styled(RED, "✗"),
        (true, false) => {
            parts.push("nothing found so far".to_owned());
            styled(YELLOW, "?")
        }
        (true, true) => {
            parts.push("nothing found".to_owned());
            styled(GREEN, "✓")
        }
    };
    parts.extend((report.notes() > 0).then(|| plural(report.notes(), "note")));
    let mut out = format!("{mark} {}\n", parts.join(", "));
    for open in &report.unknown {
        let _ = writeln!(out, "{} unknown: {}: {}", styled(YELLOW, "?"), open.why, open.what);
    }
    out
}

fn purpose(exploration: &Exploration) -> String {
    let words = exploration.aspects.iter().map(|aspect| match aspect {
        Aspect::Reach => "reachable locations and edges",
        Aspect::Entry => "invariant violations on entry",
        Aspect::Deadlock => "deadlocks",
        Aspect::Zeno => "Zeno loops",
    });
    words.collect::<Vec<_>>().join(", ")
}

fn cost(report: &LintReport, peak_rss_bytes: Option<u64>) -> String {
    let seen = &report.coverage;
    let mut out = format!(
        "{} of {} locations reached, {} of {} edges taken",
        count_text(seen.locations_reached as u64),
        count_text(seen.locations as u64),
        count_text(seen.edges_taken as u64),
        count_text(seen.edges as u64),
    );
    for (index, Exploration { stats, time, .. }) in report.explorations.iter().enumerate() {
        let (stored, visited) = (count_text(stats.stored), count_text(stats.visited));
        let before = if index == 0 { "; " } else { ", then " };
        let _ = write!(out, "{before}{stored} stored, {visited} visited, in {}", time_text(*time));
    }
    peak_rss_bytes.iter().for_each(|&bytes| {
        let _ = write!(out, ", with {}", bytes_text(bytes));
    });
    out + "\n"
}
