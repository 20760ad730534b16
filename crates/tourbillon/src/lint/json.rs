//! The report as JSON. `docs/json.md` explains every field; a test compares the two.

use serde_json::{Value, json};
use tourbillon_base::{Diagnostic, SourceMap};
use tourbillon_check::Exploration;

use super::{LintDiagnostic, LintReport, UndecidedAspect};
use crate::json::diagnostic_json;
use crate::report::{Cause, sentence};
use crate::report_json::{plan_json, search_json, trace_json};

/// The name and version of the schema.
pub const LINT_SCHEMA: &str = "tourbillon-sanity/2";
/// The previous version of the schema: the steps of its runs have complete states.
pub(crate) const LINT_SCHEMA_1: &str = "tourbillon-sanity/1";

/// A lint report as JSON, with the diagnostics of the report and the earlier ones of the model.
#[must_use]
pub fn lint_json<'d>(
    report: &LintReport,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &SourceMap,
    peak_rss_bytes: Option<u64>,
) -> Value {
    json!({
        "schema": LINT_SCHEMA,
        "tourbillon": env!("CARGO_PKG_VERSION"),
        "model": {
            "name": report.model.name,
            "processes": report.model.processes,
            "clocks": report.model.clocks,
            "variables": report.model.variables,
        },
        "findings": report.findings.iter().map(|it| finding_json(it, sources)).collect::<Vec<_>>(),
        "unknown": report.unknown.iter().map(open_json).collect::<Vec<_>>(),
        "failure": report.failure.as_ref().map(trace_json),
        "coverage": {
            "locations": report.coverage.locations,
            "locations_reached": report.coverage.locations_reached,
            "edges": report.coverage.edges,
            "edges_taken": report.coverage.edges_taken,
        },
        "explorations":
            report.explorations.iter().map(|it| exploration_json(it, peak_rss_bytes)).collect::<Vec<_>>(),
        "diagnostics": diagnostics.into_iter().map(|it| diagnostic_json(it, sources)).collect::<Vec<_>>(),
    })
}

fn finding_json(finding: &LintDiagnostic, sources: &SourceMap) -> Value {
    json!({
        "kind": finding.kind,
        "possible": finding.possible,
        "diagnostic": diagnostic_json(&finding.diagnostic, sources),
        "trace": finding.trace.as_ref().map(trace_json),
    })
}

fn open_json(open: &UndecidedAspect) -> Value {
    json!({"what": open.what, "reason": open.reason.word(), "why": open.why})
}

fn exploration_json(exploration: &Exploration, peak_rss_bytes: Option<u64>) -> Value {
    json!({
        "plan": plan_json(&exploration.plan),
        "reason": Cause::of(&exploration.why).word(),
        "why": sentence(&exploration.why, None),
        "stats": search_json(&exploration.stats, exploration.time, peak_rss_bytes),
    })
}
