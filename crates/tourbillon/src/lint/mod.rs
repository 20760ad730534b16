//! Lints of a loaded model, as diagnostics at their places.
//!
//! The engine tells what it found by numbers of processes, locations and edges. Here that becomes findings: each a
//! diagnostic with a code, a message in the names of the model, the place it is about, and a run where there is one.
//! What the front ends said already about names that nothing uses belongs to the same list and is taken over, so that
//! nothing is reported twice.
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
use crate::check::{CheckError, Question, Request, with_job};
use crate::diagnose::{tell_doubt, tell_failure, tell_no_state, tell_too_many};
use crate::load::Loaded;
use crate::report::{Cause, ModelSummary, sentence};
use crate::trace::{Purpose, Trace, TraceBuilder};

pub(crate) use json::LINT_SCHEMA_1;
pub use json::{LINT_SCHEMA, lint_json};
use tell::LintText;

/// What looks wrong with a model, and how far that is known.
#[derive(Clone, Debug)]
pub struct LintReport {
    /// What was examined.
    pub model: ModelSummary,
    pub findings: Vec<LintDiagnostic>,
    /// What is not known, and why not.
    pub unknown: Vec<OpenQuestion>,
    /// For a model that fails, the run that leads there.
    pub failure: Option<Trace>,
    /// How much of the model was seen.
    pub coverage: Coverage,
    /// For each process whether each of its locations was reached.
    pub reached: Vec<Vec<bool>>,
    /// For each process whether each of its edges was taken.
    pub taken: Vec<Vec<bool>>,
    /// How it was explored: once or twice.
    pub explorations: Vec<Exploration>,
    /// What is wrong with the model and showed only when it ran.
    pub diagnostics: Diagnostics,
}

/// Something that is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenQuestion {
    /// What it is about.
    pub aspect: Aspect,
    /// What, as the end of a sentence.
    pub what: &'static str,
    /// Why not, in a word that programs can rely on.
    pub reason: Cause,
    /// The same in a sentence without a full stop.
    pub why: String,
}

/// One thing that looks wrong.
#[derive(Clone, Debug)]
pub struct LintDiagnostic {
    /// What kind of thing, in a word that programs can rely on.
    pub kind: &'static str,
    /// What, where, and what to do about it. Notes are worth knowing and do not count as findings.
    pub diagnostic: Diagnostic,
    /// Whether it is only possible, and was not shown to happen.
    pub possible: bool,
    /// A run that leads there.
    pub trace: Option<Trace>,
}

/// How much of a model was seen. Each process counts for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// How many locations there are.
    pub locations: usize,
    /// How many of them were reached.
    pub locations_reached: usize,
    /// How many edges there are.
    pub edges: usize,
    /// How many of them were taken.
    pub edges_taken: usize,
}

impl LintReport {
    /// How many findings there are that are more than notes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.diagnostic.severity > Severity::Note).count()
    }

    #[must_use]
    pub fn notes(&self) -> usize {
        self.findings.len() - self.count()
    }
}

/// The codes of the front ends that are about the same things, and what kinds they are.
const TAKEN_OVER: [(Code, &str); 5] = [
    (uppaal::UNUSED, "unused"),
    (tchecker::UNUSED, "unused"),
    (tchecker::UNREACHABLE_LOCATION, "never-reached"),
    (tchecker::NO_PARTNER, "one-sided"),
    (tchecker::BLOCKED_EDGE, "never-taken"),
];

/// Whether a diagnostic of a loaded model is one of the findings of [`lint`], so that it need not be told before.
#[must_use]
pub fn is_finding(diagnostic: &Diagnostic) -> bool {
    TAKEN_OVER.iter().any(|(code, _)| *code == diagnostic.code)
}

/// Looks for what is wrong with a model, whatever is asked of it: of the request, what is asked makes no difference.
/// `observe` is called now and then.
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
/// If the model is wrong, or what was wished for cannot be combined.
pub fn lint(
    loaded: &Loaded,
    request: &Request<'_>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<LintReport, CheckError> {
    let request = Request { question: Question::Exploration, ..request.clone() };
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
            Why::Failed(error) => tell_failure(model, error, found.failure.is_some(), &mut diagnostics),
            Why::MayFail(error) => tell_doubt(model, error, &mut diagnostics),
            Why::TooMany(error) => tell_too_many(model, error, &mut diagnostics),
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
        findings: with_those_of_loading(told, &loaded.diagnostics),
        unknown: found.unknown.iter().map(|(aspect, why)| open_question(*aspect, why, &found)).collect(),
        failure: found.failure.as_ref().map(|witness| trace_builder.tell(Purpose::Failure, witness)),
        coverage: coverage(model, &found),
        reached: reached(model, &found),
        taken: taken(model, &found),
        explorations: found.explorations,
        diagnostics,
    }
}

/// That the model has no state at all.
fn no_state(model: &Model) -> Option<LintDiagnostic> {
    let mut told = Diagnostics::default();
    tell_no_state(model, &mut told);
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

/// Adds what the front ends said, and drops what was said by both. What they say of names goes before what is said
/// here, which knows less about them; what they say of locations and edges comes after, since it is here exact.
fn with_those_of_loading(mut found: Vec<LintDiagnostic>, loading: &Diagnostics) -> Vec<LintDiagnostic> {
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
    // By place, so that what belongs together stands together; runs last, since they are long.
    found.sort_by_key(|it| (it.trace.is_some(), it.diagnostic.primary.source, it.diagnostic.primary.start));
    found
}

fn place(finding: &LintDiagnostic) -> (Span, &'static str) {
    (finding.diagnostic.primary, finding.kind)
}

/// What is not known, beyond what was found.
fn open_question(aspect: Aspect, why: &Why, found: &LintResult) -> OpenQuestion {
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
    OpenQuestion { aspect, what, reason: Cause::of(why), why: sentence(why, None) }
}
