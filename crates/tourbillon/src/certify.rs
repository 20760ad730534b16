//! Checking certificates: from a file to an outcome, with the names and places of the model.
//!
//! The checker is `tourbillon_certify`, which shares no code with the engine. Here its input is read, and a rejection becomes a
//! diagnostic.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tourbillon_base::{Cancellation, Diagnostic, Diagnostics, Span};
use tourbillon_certify::format::Header;
use tourbillon_certify::{Options, Outcome, Rejection, StateText};
use tourbillon_check::{Answer, CertificateFile, CertifiedAnswer, Limits};
use tourbillon_model::{Model, Query};

use crate::codes;
use crate::json::diagnostics_json;
use crate::labels::{with_accepting, with_labels};
use crate::load::Loaded;

pub use tourbillon_certify::Report as CertifiedReport;
pub use tourbillon_model::sha256;

/// The version of the output of [`certify_json`].
pub const CERTIFY_SCHEMA: &str = "tourbillon.certify/1";

/// How a certificate is checked.
#[derive(Clone, Copy, Default, Debug)]
pub struct CertifyRequest<'a> {
    /// The number of threads; all cores if there is none.
    pub threads: Option<usize>,
    /// The limits on memory and time.
    pub limits: Limits,
    /// Ends the check when it is set.
    pub stop: Option<&'a Arc<AtomicBool>>,
}

/// What a certificate is worth.
#[derive(Clone, Debug)]
pub enum CertifyOutcome {
    /// All answers follow from it.
    Accepted(CertifiedReport),
    /// A condition does not hold: a diagnostic says which.
    Rejected(Diagnostics),
    /// The check was not finished, and why.
    Unknown(String),
}

/// The texts of the queries of a certificate, as `-q` has them; none if they are those of `--labels` or `--accepting`.
///
/// # Errors
/// If the file has no header of a certificate.
pub fn certificate_queries(file: &[u8]) -> Result<Vec<String>, String> {
    let (header, _) = Header::read(file).map_err(|error| error.to_string())?;
    let texts = header.queries.into_iter().map(|query| query.text);
    Ok(texts.filter(|text| options_of(text).is_none()).collect())
}

/// Checks a certificate of a model that was loaded with the queries of [`certificate_queries`].
///
/// # Errors
/// If the model has errors, or the file is no certificate of it.
pub fn certify(loaded: &Loaded, file: &[u8], request: &CertifyRequest<'_>) -> Result<CertifyOutcome, String> {
    let Some(model) = &loaded.model else { return Err("the model has errors".to_owned()) };
    let (header, _) = Header::read(file).map_err(|error| error.to_string())?;
    let labelled = certified_queries(model, &header)?;
    let model = labelled.as_ref().unwrap_or(model);
    let queries: Result<Vec<&Query>, String> =
        header.queries.iter().map(|certified| query_of(model, &certified.text)).collect();
    run(model, &queries?, file, request)
}

/// The model with the query of a certificate that was made by an option; nothing if its queries are the model's.
pub(crate) fn certified_queries(model: &Model, header: &Header) -> Result<Option<Model>, String> {
    match header.queries.first().and_then(|query| options_of(&query.text)) {
        None => Ok(None),
        Some((LABELS, sets)) => with_labels(model, sets.first().map_or(&[], Vec::as_slice)).map(Some),
        Some((_, sets)) => with_accepting(model, &sets).map(Some),
    }
}

/// The query of a model with this text.
pub(crate) fn query_of<'m>(model: &'m Model, text: &str) -> Result<&'m Query, String> {
    let same = |query: &&Query| query.text.split_whitespace().eq(text.split_whitespace());
    model.queries.iter().find(same).ok_or_else(|| format!("the model has no query `{text}`"))
}

const LABELS: &str = "--labels";
const ACCEPTING: &str = "--accepting";

/// The option and its values, if a query was made by one.
fn options_of(text: &str) -> Option<(&'static str, Vec<Vec<String>>)> {
    let option = [LABELS, ACCEPTING].into_iter().find(|option| text.starts_with(option))?;
    let sets = text.split(option).map(str::trim).filter(|set| !set.is_empty());
    Some((option, sets.map(|set| set.split(',').map(str::to_owned).collect()).collect()))
}

fn run(
    model: &Model,
    queries: &[&Query],
    file: &[u8],
    request: &CertifyRequest<'_>,
) -> Result<CertifyOutcome, String> {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut options = Options {
        threads: request.threads.unwrap_or_else(cores),
        cancellation: Cancellation {
            stop: request.stop.cloned(),
            deadline: request.limits.time.map(|time| Instant::now() + time),
            memory_bytes_max: request.limits.memory_bytes,
        },
        ..Options::default()
    };
    options.memory_bytes_max = request.limits.memory_bytes.unwrap_or(options.memory_bytes_max);
    options.entries_max = request.limits.states.unwrap_or(options.entries_max);
    match tourbillon_certify::certify(model, queries, file, &options) {
        Ok(Outcome::Accepted(report)) => Ok(CertifyOutcome::Accepted(report)),
        Ok(Outcome::Rejected(rejection)) => {
            Ok(CertifyOutcome::Rejected(rejected(model, queries, &rejection)))
        }
        Ok(Outcome::Unknown(why)) => Ok(CertifyOutcome::Unknown(why)),
        Err(error) => Err(error.to_string()),
    }
}

/// A rejection at the edges of its transition, or at the process or query that it is about.
fn rejected(model: &Model, queries: &[&Query], rejection: &Rejection) -> Diagnostics {
    let query = rejection.query.and_then(|index| queries.get(index));
    let edges =
        rejection.transition.iter().map(|edge| (edge.span, model.processes[edge.process].name.as_str()));
    let edges: Vec<(Span, &str)> = edges.collect();
    let place = edges.first().map(|(span, _)| *span);
    let place = place
        .or_else(|| query.map(|query| query.span))
        .or_else(|| model.processes.iter().next().map(|it| it.span));
    let message = format!("the certificate is rejected: {}", rejection.reason.explain(model));
    let mut diagnostics = Diagnostics::default();
    let Some(place) = place else { return diagnostics };
    let mut diagnostic = Diagnostic::error(codes::REJECTED, place, message);
    for (span, process) in edges {
        diagnostic = diagnostic.label(span, format!("taken by `{process}`"));
    }
    let state =
        |name: &str, state: &Option<StateText>| state.as_ref().map(|state| format!("{name}: {state}"));
    let parts = [
        query.map(|query| format!("the query: {}", query.text)),
        state("in the state", &rejection.state),
        state("the state after it", &rejection.successor),
    ];
    diagnostics.push(parts.into_iter().flatten().fold(diagnostic, Diagnostic::help));
    diagnostics
}

/// Checks a file, and says what it took if it is accepted.
pub(crate) fn certify_file(
    model: &Model,
    queries: &[&Query],
    file: &[u8],
    request: &CertifyRequest<'_>,
) -> Result<(CertifyOutcome, Option<CertifiedAnswer>), String> {
    let started = Instant::now();
    let outcome = run(model, queries, file, request)?;
    let certified = match &outcome {
        CertifyOutcome::Accepted(report) => {
            Some(CertifiedAnswer { report: report.clone(), bytes: file.len(), time: started.elapsed() })
        }
        CertifyOutcome::Rejected(_) | CertifyOutcome::Unknown(_) => None,
    };
    Ok((outcome, certified))
}

/// Checks the certificate of an answer. An answer whose certificate is rejected, which is a mistake of this program, becomes unknown.
pub(crate) fn certify_answer(model: &Model, answer: &mut Answer, request: &CertifyRequest<'_>) {
    let (Some(index), Some(certificate)) = (answer.query, &answer.certificate) else { return };
    let query = &model.queries[index];
    let mut file = CertificateFile::default();
    file.add(&query.text, certificate);
    let mut bytes = Vec::new();
    let written = file.write(model, &mut bytes).map_err(|error| error.to_string());
    let queries = vec![query; file.claims()];
    let why = match written.and_then(|()| certify_file(model, &queries, &bytes, request)) {
        Ok((CertifyOutcome::Accepted(_), certified)) => {
            answer.certified = certified;
            return;
        }
        Ok((CertifyOutcome::Rejected(diagnostics), _)) => {
            let parts = diagnostics.iter().flat_map(|it| [&it.message].into_iter().chain(&it.help));
            parts.cloned().collect::<Vec<_>>().join("; ")
        }
        Ok((CertifyOutcome::Unknown(why), _)) | Err(why) => why,
    };
    answer.make_uncertified(why);
}

impl CertifyOutcome {
    /// The outcome as a word for programs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Rejected(_) => "rejected",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// An outcome as JSON.
#[must_use]
pub fn certify_json(loaded: &Loaded, outcome: &CertifyOutcome, time: Duration) -> Value {
    let none = Diagnostics::default();
    let (report, diagnostics, why) = match outcome {
        CertifyOutcome::Accepted(report) => (Some(report), &none, None),
        CertifyOutcome::Rejected(diagnostics) => {
            (None, diagnostics, diagnostics.iter().next().map(|it| it.message.clone()))
        }
        CertifyOutcome::Unknown(why) => (None, &none, Some(why.clone())),
    };
    json!({
        "schema": CERTIFY_SCHEMA,
        "outcome": outcome.word(),
        "why": why,
        "report": report.map(report_json),
        "time_s": time.as_secs_f64(),
        "diagnostics": diagnostics_json(diagnostics, loaded.sources()),
    })
}

pub(crate) fn report_json(report: &CertifiedReport) -> Value {
    json!({
        "sha256": report.sha256,
        "queries": report.queries,
        "states": report.states,
        "entries": report.entries,
        "successors": report.successors,
        "followed": report.followed,
    })
}
