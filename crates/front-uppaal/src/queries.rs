//! Query files as documents: read and written.
//!
//! The comments before a query become its comment, without their marks; an `EXPECT:` among them becomes its
//! expectation, in the words of the XML format, and is taken out of the comment. Comments after the last query
//! become a heading: a query without a formula, as XML files have them. Writing goes the other way round.

use tourbillon_base::{Diagnostic, Diagnostics, SourceId, Span};
use tourbillon_syntax::tree::{
    Comment, Expectation, ExpectedOutcome, Query, QueryEntry, QueryFile, QueryKind,
};
use tourbillon_syntax::{Reader, print};

use crate::codes;
use crate::document::{Document, DocumentQuery, QueryExpectation, Resource};

/// Reads a file of queries that was added to the document's sources.
pub(crate) fn read_queries(
    document: &mut Document,
    file: SourceId,
    out: &mut Diagnostics,
) -> Vec<DocumentQuery> {
    let mut reader = Reader::new(&document.sources, document.dialect);
    reader.tree = std::mem::take(&mut document.tree);
    let QueryFile { entries, trailing } = reader.query_file(file);
    let (tree, diagnostics) = (reader.tree, reader.diagnostics);
    document.tree = tree;
    for diagnostic in &diagnostics {
        out.push(diagnostic.clone());
    }
    let mut queries: Vec<DocumentQuery> =
        entries.into_iter().map(|entry| document.query_of_entry(entry)).collect();
    if let Some(comment) = document.comment_of(&trailing, None) {
        let length = u32::try_from(document.sources.text(file).len()).unwrap_or(u32::MAX);
        let span = Span::new(file, length, length);
        let query = Query { kind: QueryKind::Empty, under: None, span };
        queries.push(DocumentQuery { comment: Some(comment), ..DocumentQuery::new(query, span) });
    }
    queries
}

impl DocumentQuery {
    /// A query of which nothing is known but its formula.
    #[must_use]
    pub const fn new(query: Query, formula: Span) -> Self {
        Self { query, formula, comment: None, options: Vec::new(), expect: None, results: Vec::new() }
    }
}

impl Document {
    fn query_of_entry(&self, entry: QueryEntry) -> DocumentQuery {
        let QueryEntry { comments, expect, query } = entry;
        let comment = self.comment_of(&comments, expect.as_ref());
        let expect = expect.as_ref().map(expectation);
        let formula = query.span;
        DocumentQuery { comment, expect, ..DocumentQuery::new(query, formula) }
    }

    /// The text of comments, without their marks and without the expectation in them.
    fn comment_of(&self, comments: &[Comment], expect: Option<&Expectation>) -> Option<String> {
        let lines = comments.iter().map(|comment| {
            let text = self.tree.text(comment.text);
            let Some(expect) = expect.filter(|expect| contains(comment.span, expect.span)) else {
                return without_marks(text).to_owned();
            };
            let start = (expect.span.start - comment.span.start) as usize;
            let end = (expect.span.end - comment.span.start) as usize;
            let without = format!("{}{}", &text[..start], &text[end..]);
            without_marks(&without).to_owned()
        });
        let lines: Vec<String> = lines.collect();
        let text = lines.join("\n");
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

fn without_marks(comment: &str) -> &str {
    let inner = match comment.strip_prefix("/*") {
        Some(rest) => rest.strip_suffix("*/").unwrap_or(rest),
        None => comment.trim_start_matches('/'),
    };
    inner.trim()
}

fn expectation(expect: &Expectation) -> QueryExpectation {
    let resource = |kind: &str, value: Option<f64>, unit: &str| {
        let value = value?.to_string();
        Some(Resource { kind: kind.to_owned(), value, unit: Some(unit.to_owned()) })
    };
    let time = resource("time", expect.time_ms, "ms");
    let memory = resource("memory", expect.memory_bytes, "B");
    let (outcome, value) = match expect.outcome {
        Some(ExpectedOutcome::True) => (Some("success"), None),
        Some(ExpectedOutcome::False) => (Some("failure"), None),
        Some(ExpectedOutcome::MaybeTrue) => (Some("maybe_true"), None),
        Some(ExpectedOutcome::MaybeFalse) => (Some("maybe_false"), None),
        Some(ExpectedOutcome::Error) => (Some("error"), None),
        Some(ExpectedOutcome::Value(value)) => (None, Some(value.to_string())),
        None => (None, None),
    };
    let kind = if value.is_some() { "value" } else { "symbolic" };
    QueryExpectation {
        outcome: outcome.map(str::to_owned),
        kind: Some(kind.to_owned()),
        value,
        resources: time.into_iter().chain(memory).collect(),
    }
}

/// Writes queries as a `.q` file, and tells what such a file cannot hold.
#[must_use]
pub fn write_queries(document: &Document, queries: &[DocumentQuery]) -> (String, Diagnostics) {
    let (mut text, mut out) = (String::new(), Diagnostics::default());
    for query in queries {
        write_query(document, query, &mut text);
        let lost = [
            (!query.options.is_empty(), "the options of this query are"),
            (!query.results.is_empty(), "the stored results of this query are"),
            (query.query.kind == QueryKind::Empty, "that this is a heading is"),
        ];
        for (_, what) in lost.into_iter().filter(|(lost, _)| *lost) {
            let message = format!("{what} not kept in a file of queries");
            out.push(Diagnostic::warning(codes::LOST_IN_QUERIES, query.formula, message));
        }
    }
    (text, out)
}

fn write_query(document: &Document, query: &DocumentQuery, text: &mut String) {
    if let Some(comment) = &query.comment {
        // The marks of a comment, and the word that makes it an expectation, mean something only outside it.
        let inside = comment.trim().replace("*/", "* /").replace("EXPECT:", "EXPECT :");
        *text += &format!("/*\n{inside}\n*/\n");
    }
    if let Some(expect) = query.expect.as_ref().and_then(expectation_words) {
        *text += &format!("/* EXPECT:{expect} */\n");
    }
    *text += &formula_line(document, query);
    *text += "\n\n";
}

/// A formula on one line; one that could not be read, as it was written.
fn formula_line(document: &Document, query: &DocumentQuery) -> String {
    match query.query.kind {
        QueryKind::Error => document.sources.snippet(query.formula).trim().replace('\n', "\\\n"),
        _ => print::query(&document.tree, &query.query),
    }
}

fn expectation_words(expect: &QueryExpectation) -> Option<String> {
    let outcome = expect.answer().map(|answer| match answer {
        ExpectedOutcome::True => "T".to_owned(),
        ExpectedOutcome::False => "F".to_owned(),
        ExpectedOutcome::MaybeTrue => "MT".to_owned(),
        ExpectedOutcome::MaybeFalse => "MF".to_owned(),
        ExpectedOutcome::Error => "E".to_owned(),
        ExpectedOutcome::Value(value) => value.to_string(),
    });
    let measure = |resource: &Resource| {
        let unit = resource.unit.as_deref().unwrap_or("");
        let known = match resource.kind.as_str() {
            "time" => ["ms", "s", "m", "h", "d"].contains(&unit),
            "memory" => ["B", "KB", "MB", "GB", "TB"].contains(&unit),
            _ => false,
        };
        let number = resource.value.trim().parse::<f64>().ok().filter(|value| known && value.is_finite())?;
        Some(format!("{number}{unit}"))
    };
    let words: Vec<String> = outcome.into_iter().chain(expect.resources.iter().filter_map(measure)).collect();
    (!words.is_empty()).then(|| words.join(","))
}
