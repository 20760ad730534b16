//! Lints of a loaded model, as diagnostics with source positions.
//!
//! The engine reports findings by indices of processes, locations and edges. They become diagnostics with a code, a
//! message in the names of the model, a source position, and a run if there is one. Diagnostics of the front ends about
//! unused names belong to the same list and are moved to it, so that nothing is reported twice.
//!
//! - `codes.rs`: the codes.
//! - `tell.rs`: from what the engine found to diagnostics.
//! - `json.rs`: the report as JSON.

pub(crate) mod codes;
mod json;
mod tell;

use tourbillon_base::{Code, Diagnostic, Diagnostics, Severity, Span};
use tourbillon_check::{Aspect, Exploration, LintFinding, LintResult, Progress, Why};
use tourbillon_front_tchecker::codes as tchecker;
use tourbillon_front_uppaal::lower::codes as uppaal;
use tourbillon_model::Model;

use crate::answered::summary;
use crate::check::{CheckError, QuerySelection, Request, with_job};
use crate::diagnose::{report_failure, report_no_initial_state, report_possible_failure, report_too_many};
use crate::load::Loaded;
use crate::report::{Cause, ModelSummary, sentence};
use crate::trace::{Purpose, Trace, TraceBuilder};

pub(crate) use json::LINT_SCHEMA_1;
pub use json::{LINT_SCHEMA, lint_json};
use tell::LintText;

/// The findings of lint, and what is unknown.
#[derive(Clone, Debug)]
pub struct LintReport {
    /// The name and size of the model.
    pub model: ModelSummary,
    pub findings: Vec<LintDiagnostic>,
    /// The aspects that are not decided, with the reasons.
    pub unknown: Vec<UndecidedAspect>,
    /// The run to the error, if the model fails at run time.
    pub failure: Option<Trace>,
    /// The number of reached locations and taken edges.
    pub coverage: Coverage,
    /// For each process, whether each of its locations was reached.
    pub reached: Vec<Vec<bool>>,
    /// For each process, whether each of its edges was taken.
    pub taken: Vec<Vec<bool>>,
    /// The explorations: one or two.
    pub explorations: Vec<Exploration>,
    /// Run-time errors of the model.
    pub diagnostics: Diagnostics,
}

/// An aspect that is not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndecidedAspect {
    pub aspect: Aspect,
    /// The undecided question, as the end of a sentence.
    pub what: &'static str,
    /// The cause, as a fixed word for programs.
    pub reason: Cause,
    /// The cause, in a sentence without a full stop.
    pub why: String,
}

#[derive(Clone, Debug)]
pub struct LintDiagnostic {
    /// The kind of finding, as a fixed word for programs.
    pub kind: &'static str,
    /// The message, its source position, and help. Notes do not count as findings.
    pub diagnostic: Diagnostic,
    /// Whether the finding is only possible and was not confirmed by a run.
    pub possible: bool,
    /// A run that shows it.
    pub trace: Option<Trace>,
}

/// Reached locations and taken edges. Each process counts separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coverage {
    pub locations: usize,
    pub locations_reached: usize,
    pub edges: usize,
    pub edges_taken: usize,
}

impl LintReport {
    /// The number of findings that are more than notes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.diagnostic.severity > Severity::Note).count()
    }

    #[must_use]
    pub fn notes(&self) -> usize {
        self.findings.len() - self.count()
    }
}

/// The codes of the front ends for the same findings, and their kinds.
const TAKEN_OVER: [(Code, &str); 5] = [
    (uppaal::UNUSED, "unused"),
    (tchecker::UNUSED, "unused"),
    (tchecker::UNREACHABLE_LOCATION, "never-reached"),
    (tchecker::NO_PARTNER, "one-sided"),
    (tchecker::BLOCKED_EDGE, "never-taken"),
];

/// Whether a diagnostic of a loaded model is also a finding of [`lint`], and need not be reported before.
#[must_use]
pub fn is_finding(diagnostic: &Diagnostic) -> bool {
    TAKEN_OVER.iter().any(|(code, _)| *code == diagnostic.code)
}

/// Lints a model. The queries of the request are ignored. `observe` is called from time to time with the progress.
///
/// ```
/// use tourbillon::{Request, load, lint};
///
/// let text = b"clock x; process P() { state A, B; init A; trans A -> A { guard x > 2; assign x = 0; }; } system P;";
/// let loaded = load("p.xta", text);
/// let report = lint(&loaded, &Request::default(), &mut |_| {})?;
/// assert_eq!(report.findings[0].diagnostic.message, "`B` of `P` is never reached: no edge leads to it");
/// # Ok::<(), tourbillon::CheckError>(())
/// ```
///
/// # Errors
/// If the model is wrong, or the options cannot be combined.
pub fn lint(
    loaded: &Loaded,
    request: &Request<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<LintReport, CheckError> {
    let request = Request { queries: QuerySelection::Exploration, ..request.clone() };
    with_job(loaded, &request, |job| {
        let found = tourbillon_check::lint(job, observe)?;
        Ok(report(loaded, job.model, found))
    })
}

fn report(loaded: &Loaded, model: &Model, found: LintResult) -> LintReport {
    let trace_builder = TraceBuilder::new(model, loaded.sources());
    let mut diagnostics = Diagnostics::default();
    for exploration in &found.explorations {
        match &exploration.why {
            Why::Failed(error) => report_failure(model, error, found.failure.is_some(), &mut diagnostics),
            Why::MayFail(error) => report_possible_failure(model, error, &mut diagnostics),
            Why::TooMany(error) => report_too_many(model, error, &mut diagnostics),
            _ => {}
        }
    }
    let words = LintText::new(model);
    let mut told: Vec<LintDiagnostic> =
        found.findings.iter().map(|finding| words.tell(finding, &trace_builder)).collect();
    if found.explorations.iter().any(|it| it.why == Why::Complete && it.stats.stored == 0) {
        told.extend(no_state(model));
    }
    LintReport {
        model: summary(model),
        findings: with_front_end_findings(told, &loaded.diagnostics),
        unknown: found.unknown.iter().map(|(aspect, why)| undecided_aspect(*aspect, why, &found)).collect(),
        failure: found.failure.as_ref().map(|witness| trace_builder.tell(Purpose::Failure, witness)),
        coverage: coverage(model, &found),
        reached: reached(model, &found),
        taken: taken(model, &found),
        explorations: found.explorations,
        diagnostics,
    }
}

/// The finding that the model has no initial state.
fn no_state(model: &Model) -> Option<LintDiagnostic> {
    let mut told = Diagnostics::default();
    report_no_initial_state(model, &mut told);
    let diagnostic = told.iter().next()?.clone();
    Some(LintDiagnostic { kind: "no-initial-state", diagnostic, possible: false, trace: None })
}

fn coverage(model: &Model, found: &LintResult) -> Coverage {
    Coverage {
        locations: model.processes.iter().map(|process| process.locations.len()).sum(),
        locations_reached: found.reached.len(),
        edges: model.processes.iter().map(|process| process.edges.len()).sum(),
        edges_taken: found.taken.len(),
    }
}

fn reached(model: &Model, found: &LintResult) -> Vec<Vec<bool>> {
    let processes = model.processes.enumerate();
    let seen = |process, location| found.reached.contains(&(process, location));
    processes.map(|(id, process)| process.locations.ids().map(|at| seen(id, at)).collect()).collect()
}

fn taken(model: &Model, found: &LintResult) -> Vec<Vec<bool>> {
    let processes = model.processes.enumerate();
    let seen = |process, edge| found.taken.contains(&(process, edge));
    processes.map(|(id, process)| (0..process.edges.len()).map(|edge| seen(id, edge)).collect()).collect()
}

/// Adds the findings of the front ends and removes duplicates. For names, the front ends know more and take precedence.
/// For locations and edges, the exploration is exact and takes precedence.
fn with_front_end_findings(mut found: Vec<LintDiagnostic>, loading: &Diagnostics) -> Vec<LintDiagnostic> {
    for diagnostic in loading {
        let Some(&(_, kind)) = TAKEN_OVER.iter().find(|(code, _)| *code == diagnostic.code) else { continue };
        let same = |other: &LintDiagnostic| place(other) == (diagnostic.primary, kind);
        if kind == "unused" {
            found.retain(|other| other.diagnostic.primary != diagnostic.primary);
        } else if found.iter().any(same) {
            continue;
        }
        found.push(LintDiagnostic { kind, diagnostic: diagnostic.clone(), possible: false, trace: None });
    }
    // By source position, so that related findings are adjacent; findings with runs last, since they are long.
    found.sort_by_key(|it| (it.trace.is_some(), it.diagnostic.primary.source, it.diagnostic.primary.start));
    found
}

fn place(finding: &LintDiagnostic) -> (Span, &'static str) {
    (finding.diagnostic.primary, finding.kind)
}

/// An undecided aspect, in view of the findings.
fn undecided_aspect(aspect: Aspect, why: &Why, found: &LintResult) -> UndecidedAspect {
    let some = found.findings.iter().any(|finding| match finding {
        LintFinding::BrokenOnEntry(_) => aspect == Aspect::Entry,
        LintFinding::Deadlock(_) => aspect == Aspect::Deadlock,
        _ => false,
    });
    let what = match (aspect, some) {
        (Aspect::Reach, _) => "which locations are never reached and which edges never taken",
        (Aspect::Entry, false) => "whether invariants can be violated on entry",
        (Aspect::Entry, true) => "whether more invariants can be violated on entry",
        (Aspect::Deadlock, false) => "whether there are deadlocks and timelocks",
        (Aspect::Deadlock, true) => "whether there are more deadlocks and timelocks",
        (Aspect::Zeno, _) => "whether there are Zeno cycles",
    };
    UndecidedAspect { aspect, what, reason: Cause::of(why), why: sentence(why, None) }
}
