//! From bytes to a model, whatever the language.

use tourbillon_base::{Diagnostics, SourceMap};
use tourbillon_front_tchecker as tchecker;
use tourbillon_front_uppaal::lower::{Input, QueryInput, lower};
use tourbillon_front_uppaal::{self as uppaal, Document, DocumentQuery, LoadOptions};
use tourbillon_model::{Expectation, Model};
use tourbillon_syntax::tree::Outcome;

/// What was read.
#[derive(Debug)]
pub struct Loaded {
    /// What it was read from.
    pub source: Source,
    /// What it means; nothing if it has errors.
    pub model: Option<Model>,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// What a model was read from.
#[derive(Debug)]
pub enum Source {
    /// A file of UPPAAL's.
    Uppaal(Box<Document>),
    /// A file of TChecker's.
    TChecker(SourceMap),
}

impl Loaded {
    /// The texts that diagnostics point into.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        match &self.source {
            Source::Uppaal(document) => &document.sources,
            Source::TChecker(sources) => sources,
        }
    }
}

/// Reads a model. The name tells the language: `.tck` is TChecker's, everything else UPPAAL's.
#[must_use]
pub fn load(name: &str, bytes: &[u8]) -> Loaded {
    load_with_queries(name, bytes, None)
}

/// Reads a model, and a file of queries for it, as a name and its bytes.
#[must_use]
pub fn load_with_queries(name: &str, bytes: &[u8], queries: Option<(&str, &[u8])>) -> Loaded {
    match name.rsplit_once('.') {
        Some((_, extension)) if extension.eq_ignore_ascii_case("tck") => load_tchecker(name, bytes),
        _ => load_uppaal(name, bytes, queries),
    }
}

fn load_tchecker(name: &str, bytes: &[u8]) -> Loaded {
    let mut sources = SourceMap::new();
    let text = String::from_utf8_lossy(bytes);
    let (model, diagnostics) = tchecker::load(name, &text, &mut sources);
    Loaded { source: Source::TChecker(sources), model, diagnostics }
}

fn load_uppaal(name: &str, bytes: &[u8], queries: Option<(&str, &[u8])>) -> Loaded {
    let (mut document, mut diagnostics) = uppaal::load(name, bytes, &LoadOptions::default());
    if let Some((name, bytes)) = queries {
        let (more, problems) = uppaal::load_queries(&mut document, name, bytes);
        document.queries.extend(more);
        problems.iter().for_each(|problem| diagnostics.push(problem.clone()));
    }
    let model = if diagnostics.has_errors() { None } else { meaning(name, &document, &mut diagnostics) };
    Loaded { source: Source::Uppaal(Box::new(document)), model, diagnostics }
}

fn meaning(name: &str, document: &Document, diagnostics: &mut Diagnostics) -> Option<Model> {
    let queries: Vec<QueryInput<'_>> =
        document.queries.iter().map(|query| query_input(document, query)).collect();
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    lower(&Input { name: stem, tree: &document.tree, model: &document.model, queries: &queries }, diagnostics)
}

fn query_input<'d>(document: &'d Document, query: &'d DocumentQuery) -> QueryInput<'d> {
    let expected =
        query.expect.as_ref().and_then(uppaal::QueryExpectation::answer).and_then(|answer| match answer {
            Outcome::True => Some(Expectation::Satisfied),
            Outcome::False => Some(Expectation::Violated),
            Outcome::MaybeTrue | Outcome::MaybeFalse => Some(Expectation::Unknown),
            Outcome::Error => Some(Expectation::Refused),
            Outcome::Value(_) => None,
        });
    QueryInput {
        query: &query.query,
        text: document.sources.snippet(query.formula).trim().to_owned(),
        comment: query.comment.clone().unwrap_or_default(),
        expected,
    }
}
