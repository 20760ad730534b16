//! Loading models in all languages.

use std::collections::{HashMap, HashSet};

use tourbillon_base::{Diagnostics, Severity, SourceId, SourceMap, Span};
use tourbillon_front_tchecker as tchecker;
use tourbillon_front_uppaal::lower::{Input, QueryInput, lower_as};
use tourbillon_front_uppaal::{self as uppaal, Document, DocumentQuery, LoadOptions, QueryExpectation};
use tourbillon_model::{Expectation, Model, Overflow};
use tourbillon_syntax::tree::ExpectedOutcome;

#[derive(Debug)]
pub struct Loaded {
    /// The parsed source.
    pub source: Source,
    /// The network; `None` if the model has errors.
    pub model: Option<Model>,
    /// All diagnostics of the model and its queries.
    pub diagnostics: Diagnostics,
}

/// The parsed source of a model.
#[derive(Debug)]
pub enum Source {
    /// A file in one of UPPAAL's formats.
    Uppaal(Box<Document>),
    /// A file in TChecker's language.
    TChecker {
        /// The texts that diagnostics refer to.
        sources: SourceMap,
        file: SourceId,
    },
}

/// A query that is in no file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct AddedQuery {
    pub(crate) text: String,
    pub(crate) comment: String,
    /// The expected verdict, as in an XML file; empty if there is none.
    pub(crate) expected: String,
}

impl Loaded {
    /// The texts that diagnostics refer to.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        match &self.source {
            Source::Uppaal(document) => &document.sources,
            Source::TChecker { sources, .. } => sources,
        }
    }
}

/// Options for loading models.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Loader {
    /// The treatment of results that exceed 32 bits; overrides the annotation of the model.
    pub overflow: Option<Overflow>,
}

/// Loads a model. The file name determines the language: TChecker's for `.tck`, UPPAAL's for all others.
#[must_use]
pub fn load(name: &str, bytes: &[u8]) -> Loaded {
    Loader::default().load(name, bytes)
}

/// Loads a model with query files, each as a name and its bytes. Their queries follow those of the model.
#[must_use]
pub fn load_with_queries<'q>(
    name: &str,
    bytes: &[u8],
    queries: impl IntoIterator<Item = (&'q str, &'q [u8])>,
) -> Loaded {
    Loader::default().load_with_queries(name, bytes, queries)
}

/// Loads a model with the queries of these files instead of its own, which are ignored.
#[must_use]
pub fn load_with_only_queries<'q>(
    name: &str,
    bytes: &[u8],
    queries: impl IntoIterator<Item = (&'q str, &'q [u8])>,
) -> Loaded {
    Loader::default().load_with_only_queries(name, bytes, queries)
}

impl Loader {
    /// As [`load`].
    ///
    /// ```
    /// use tourbillon::{Loader, Overflow};
    ///
    /// let text = b"const int M = 2147483647 + 1; process P() { state A; init A; } system P;";
    /// assert!(Loader::default().load("p.xta", text).model.is_none());
    /// let wrapping = Loader { overflow: Some(Overflow::Wrap) }.load("p.xta", text);
    /// assert_eq!(wrapping.model.map(|model| model.overflow), Some(Overflow::Wrap));
    /// ```
    #[must_use]
    pub fn load(self, name: &str, bytes: &[u8]) -> Loaded {
        self.load_with_queries(name, bytes, None)
    }

    /// As [`load_with_queries`].
    #[must_use]
    pub fn load_with_queries<'q>(
        self,
        name: &str,
        bytes: &[u8],
        queries: impl IntoIterator<Item = (&'q str, &'q [u8])>,
    ) -> Loaded {
        if is_tchecker(name) {
            return self.load_tchecker(name, bytes);
        }
        let (document, diagnostics) = uppaal::load(name, bytes, &LoadOptions::default());
        self.load_uppaal(name, document, diagnostics, queries)
    }

    /// As [`load_with_only_queries`].
    #[must_use]
    pub fn load_with_only_queries<'q>(
        self,
        name: &str,
        bytes: &[u8],
        queries: impl IntoIterator<Item = (&'q str, &'q [u8])>,
    ) -> Loaded {
        if is_tchecker(name) {
            return self.load_tchecker(name, bytes);
        }
        let (mut document, all) = uppaal::load(name, bytes, &LoadOptions::default());
        let mut diagnostics = Diagnostics::default();
        let starts = QueryStarts::of(&document);
        let others = all.iter().filter(|diagnostic| starts.at(diagnostic.primary).is_none());
        others.for_each(|diagnostic| diagnostics.push(diagnostic.clone()));
        document.queries.clear();
        self.load_uppaal(name, document, diagnostics, queries)
    }

    /// Loads a model with queries that follow its own. TChecker's models have none.
    pub(crate) fn load_with_formulas(self, name: &str, bytes: &[u8], formulas: &[AddedQuery]) -> Loaded {
        if is_tchecker(name) {
            return self.load_tchecker(name, bytes);
        }
        let (mut document, mut diagnostics) = uppaal::load(name, bytes, &LoadOptions::default());
        for formula in formulas {
            let (query, problems) = uppaal::load_formula(&mut document, name, &formula.text);
            problems.iter().for_each(|problem| diagnostics.push(problem.clone()));
            let given = |text: &String| (!text.is_empty()).then(|| text.clone());
            let expect = given(&formula.expected)
                .map(|outcome| QueryExpectation { outcome: Some(outcome), ..QueryExpectation::default() });
            document.queries.push(DocumentQuery { comment: given(&formula.comment), expect, ..query });
        }
        self.load_uppaal(name, document, diagnostics, [])
    }

    fn load_tchecker(self, name: &str, bytes: &[u8]) -> Loaded {
        let mut sources = SourceMap::new();
        let file = sources.add_file(name, uppaal::text_of(bytes));
        let (model, diagnostics) = tchecker::read_as(file, &sources, self.overflow);
        Loaded { source: Source::TChecker { sources, file }, model, diagnostics }
    }

    fn load_uppaal<'q>(
        self,
        name: &str,
        mut document: Document,
        mut diagnostics: Diagnostics,
        queries: impl IntoIterator<Item = (&'q str, &'q [u8])>,
    ) -> Loaded {
        for (name, bytes) in queries {
            let (more, problems) = uppaal::load_queries(&mut document, name, bytes);
            document.queries.extend(more);
            problems.iter().for_each(|problem| diagnostics.push(problem.clone()));
        }
        let overflow = self.overflow.or(document.overflow).unwrap_or_default();
        let model = match extent(&document, &diagnostics) {
            ErrorExtent::Nothing | ErrorExtent::Queries => {
                meaning(name, &document, overflow, &mut diagnostics)
            }
            ErrorExtent::Labels => {
                // There is no model, but other errors of the file can be reported.
                let _ = meaning(name, &document, overflow, &mut diagnostics);
                None
            }
            ErrorExtent::Model => None,
        };
        Loaded { source: Source::Uppaal(Box::new(document)), model, diagnostics }
    }
}

fn is_tchecker(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("tck"))
}

/// How far the mistakes in a text reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ErrorExtent {
    Nothing,
    /// Queries only: these are refused, and the model is not concerned.
    Queries,
    /// Labels of locations and edges, which nothing else depends on.
    Labels,
    /// Declarations or the system: most of what could be said after them would be wrong.
    Model,
}

fn extent(document: &Document, diagnostics: &Diagnostics) -> ErrorExtent {
    let queries = QueryStarts::of(document);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| extent_of(document, &queries, error.primary)).max().unwrap_or(ErrorExtent::Nothing)
}

/// Where queries start, for each text.
struct QueryStarts(HashMap<SourceId, Vec<(u32, usize)>>);

impl QueryStarts {
    fn of(document: &Document) -> Self {
        let mut starts: HashMap<SourceId, Vec<(u32, usize)>> = HashMap::new();
        for (index, query) in document.queries.iter().enumerate() {
            starts.entry(query.formula.source).or_default().push((query.formula.start, index));
        }
        starts.values_mut().for_each(|starts| starts.sort_unstable());
        Self(starts)
    }

    /// The query that a place belongs to: the last that starts before it in the same text. In a file with a
    /// model, queries come after it.
    fn at(&self, span: Span) -> Option<usize> {
        let starts = self.0.get(&span.source)?;
        let before = starts.partition_point(|&(start, _)| start <= span.start);
        before.checked_sub(1).map(|last| starts[last].1)
    }
}

fn extent_of(document: &Document, queries: &QueryStarts, span: Span) -> ErrorExtent {
    if queries.at(span).is_some() {
        return ErrorExtent::Queries;
    }
    let element = document.sources.resolve(span).element.unwrap_or_default();
    let of_label =
        element.contains("/label[") && (element.contains("/location[") || element.contains("/transition["));
    if of_label { ErrorExtent::Labels } else { ErrorExtent::Model }
}

fn meaning(
    name: &str,
    document: &Document,
    overflow: Overflow,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let starts = QueryStarts::of(document);
    let broken: HashSet<usize> = errors.filter_map(|error| starts.at(error.primary)).collect();
    let queries = document.queries.iter().enumerate();
    let queries: Vec<QueryInput<'_>> =
        queries.map(|(index, query)| query_input(document, query, broken.contains(&index))).collect();
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let input = Input { name: stem, tree: &document.tree, model: &document.model, queries: &queries };
    lower_as(&input, overflow, diagnostics)
}

fn query_input<'d>(document: &'d Document, query: &'d DocumentQuery, broken: bool) -> QueryInput<'d> {
    let expected = query.expect.as_ref().and_then(QueryExpectation::answer).and_then(|answer| match answer {
        ExpectedOutcome::True => Some(Expectation::Satisfied),
        ExpectedOutcome::False => Some(Expectation::Violated),
        ExpectedOutcome::MaybeTrue | ExpectedOutcome::MaybeFalse => Some(Expectation::Unknown),
        ExpectedOutcome::Error => Some(Expectation::Refused),
        ExpectedOutcome::Value(_) => None,
    });
    QueryInput {
        query: &query.query,
        text: document.sources.snippet(query.formula).trim().to_owned(),
        comment: query.comment.clone().unwrap_or_default(),
        expected,
        broken,
    }
}
