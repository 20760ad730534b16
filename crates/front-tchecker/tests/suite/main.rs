//! The crate through its public face: what is accepted and what becomes of it, what is refused and how, files from
//! elsewhere, hostile input, and the way back to text.

mod accepted;
mod diagnostics;
mod foreign;
mod hostile;
mod models;
mod writing;

use tourbillon_base::{Diagnostics, Severity, SourceMap};
use tourbillon_model::Model;

/// Reads a text; what a model promises is checked each time.
fn load(text: &str) -> (Option<Model>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let (model, diagnostics) = tourbillon_front_tchecker::load("test.tck", text, &mut sources);
    assert_eq!(model.is_none(), diagnostics.has_errors(), "a model if and only if there is no error");
    if let Some(model) = &model {
        assert_eq!(model.check(), [], "{text}");
    }
    (model, diagnostics, sources)
}

/// The model of a text that is right.
fn model(text: &str) -> Model {
    let (model, diagnostics, sources) = load(text);
    model.unwrap_or_else(|| panic!("{text}\n{:#?}", told(&diagnostics, &sources)))
}

/// The seeds of a random test: so many, or `TOURBILLON_CASES`, or the one in `TOURBILLON_SEED`.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("TOURBILLON_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TOURBILLON_CASES").unwrap_or(count),
    }
}

/// Diagnostics as lines: severity, code, place, message.
fn told(diagnostics: &Diagnostics, sources: &SourceMap) -> Vec<String> {
    let line = |d: &tourbillon_base::Diagnostic| {
        let place = sources.resolve(d.primary);
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        format!("{severity} {} {}:{} {}", d.code, place.start.line, place.start.column, d.message)
    };
    diagnostics.iter().map(line).collect()
}
