//! Reading the documents: which blocks are cases, and what text each stands for.

use std::path::{Path, PathBuf};

use tourbillon_base::{Diagnostic, Diagnostics, Severity, SourceId, SourceMap, Span};
use tourbillon_front_uppaal::annotated_overflow;
use tourbillon_front_uppaal::lower::{Input, QueryInput, codes, lower_as};
use tourbillon_model::Model;
use tourbillon_syntax::{Dialect, Reader, tree};

/// The line that separates the two parts of a short form.
const SEPARATOR: &str = "----\n";

/// A process that does nothing, and the system that consists of it.
const MINIMAL: &str = "process P() { state S; init S; } system P;";

/// What the text of a block is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Model,
    /// A whole model in the syntax of UPPAAL 3.4.
    Old,
    Declarations,
    /// Global declarations, and the inside of a process.
    Process,
    /// Global declarations, and the labels of an edge.
    Edge,
    /// Global declarations, and the invariant of a location.
    Invariant,
    /// Global declarations, and expressions, one to a line: each is the update of an edge.
    Expressions,
    /// A whole model, or global declarations, and queries, one to a line.
    Queries,
}

impl Form {
    fn of(info: &str) -> Option<Self> {
        Some(match info {
            "uppaal" => Self::Model,
            "uppaal old" => Self::Old,
            "uppaal declarations" => Self::Declarations,
            "uppaal process" => Self::Process,
            "uppaal edge" => Self::Edge,
            "uppaal invariant" => Self::Invariant,
            "uppaal expressions" => Self::Expressions,
            "uppaal queries" => Self::Queries,
            _ => return None,
        })
    }

    /// What stands before and after the second part.
    fn frame(self) -> (&'static str, &'static str) {
        match self {
            Self::Process => ("process P() {", "} system P;"),
            Self::Edge => ("process P() { state A, B; init A; trans A -> B {", "}; } system P;"),
            Self::Invariant => ("process P() { state A {", "}; init A; } system P;"),
            Self::Expressions => ("process P() { state A; init A; trans A -> A { assign", "; }; } system P;"),
            Self::Declarations => ("", MINIMAL),
            Self::Model | Self::Old | Self::Queries => ("", ""),
        }
    }

    /// In fragments, most names are not used: that is not what they are about.
    fn is_whole(self) -> bool {
        matches!(self, Self::Model | Self::Old)
    }
}

/// An example of a document, and what is said to come of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// File, heading and line, to find it.
    pub(crate) name: String,
    pub(crate) form: Form,
    pub(crate) text: String,
    pub(crate) network: Option<Vec<String>>,
    pub(crate) diagnostics: Vec<String>,
}

/// What came of a case.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) model: Option<Model>,
    pub(crate) diagnostics: Vec<String>,
}

pub(crate) fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/language");
    let entries = std::fs::read_dir(folder).expect("the folder of documents");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut list: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    list.sort();
    list
}

/// The cases of all documents.
pub(crate) fn all_cases() -> Vec<Case> {
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        cases(&name, &std::fs::read_to_string(path).expect("a readable document"))
    };
    documents().iter().flat_map(read).collect()
}

/// The cases of a document. What is expected of a case follows it before the next heading.
pub(crate) fn cases(file: &str, text: &str) -> Vec<Case> {
    let mut list: Vec<Case> = Vec::new();
    let mut heading = "";
    let mut open = false;
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if line.starts_with('#') {
            (heading, open) = (line.trim_start_matches('#').trim(), false);
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> =
            lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
        let name = format!("{file}:{number} ({heading})");
        let owned = || block.iter().map(|&line| line.to_owned()).collect();
        if let Some(form) = Form::of(info) {
            open = true;
            list.push(Case { name, form, text: block.join("\n"), network: None, diagnostics: Vec::new() });
            continue;
        }
        let case = list.last_mut().filter(|_| open);
        match (info, case) {
            ("network", Some(case)) => case.network = Some(owned()),
            ("diagnostics", Some(case)) => case.diagnostics = owned(),
            ("text", _) => {}
            _ => panic!("{name}: a block `{info}` that is no case and belongs to none"),
        }
    }
    list
}

impl Case {
    /// The model, how many lines it is longer than the block at its start, and the queries with the line before them.
    fn parts(&self) -> (String, i64, Option<(String, i64)>) {
        let mut halves = self.text.splitn(2, SEPARATOR);
        let first = halves.next().unwrap_or_default();
        let second = halves.next();
        let (open, close) = self.form.frame();
        match (self.form, second) {
            (Form::Model | Form::Old, _) => (self.text.clone(), 0, None),
            (Form::Declarations, _) => (format!("{}\n{close}", self.text), 0, None),
            (Form::Queries, Some(queries)) => {
                let whole = first.lines().any(|line| line.trim_start().starts_with("system"));
                let model = if whole { first.to_owned() } else { format!("{first}\n{MINIMAL}") };
                (model, 0, Some((queries.to_owned(), -1 - first.lines().count() as i64)))
            }
            (Form::Queries, None) => (MINIMAL.to_owned(), 0, Some((self.text.clone(), 0))),
            (form, second) => {
                let (head, body) = match second {
                    Some(second) => (first, second),
                    None => ("", self.text.as_str()),
                };
                let body = if form == Form::Expressions { edges(body) } else { body.to_owned() };
                (format!("{head}{open}\n{body}\n{close}"), i64::from(second.is_none()), None)
            }
        }
    }

    /// The text of the model that the case stands for, with its queries in it.
    pub(crate) fn model_text(&self) -> String {
        let (model, _, queries) = self.parts();
        let queries = queries.map(|(queries, _)| queries).unwrap_or_default();
        let blocks: String = queries.lines().map(|query| format!("query {{ {query} }}\n")).collect();
        format!("{model}\n{blocks}")
    }

    pub(crate) fn dialect(&self) -> Dialect {
        if self.form == Form::Old { Dialect::Old } else { Dialect::New }
    }

    /// Reads and lowers the case.
    pub(crate) fn answer(&self) -> Answer {
        let (text, longer, queries) = self.parts();
        let mut sources = SourceMap::new();
        let model_source = sources.add_file("model", text);
        let query_source = queries.map(|(text, longer)| (sources.add_file("queries", text), longer));
        let mut reader = Reader::new(&sources, self.dialect());
        let model = reader.model(model_source);
        let file = query_source.map(|(source, _)| reader.query_file(source)).unwrap_or_default();
        let queries: Vec<QueryInput<'_>> = file.entries.iter().map(query_input).collect();
        let mut diagnostics = Diagnostics::default();
        let input = Input { name: "m", tree: &reader.tree, model: &model, queries: &queries };
        let overflow = annotated_overflow(&sources, &[model_source], &mut diagnostics);
        let lowered = lower_as(&input, overflow.unwrap_or_default(), &mut diagnostics);
        let longer_of = |source: SourceId| match query_source {
            Some((other, longer)) if other == source => longer,
            _ => longer,
        };
        let mut all: Vec<&Diagnostic> = reader.diagnostics.iter().chain(diagnostics.iter()).collect();
        all.retain(|diagnostic| self.form.is_whole() || diagnostic.code != codes::UNUSED);
        all.retain(|diagnostic| self.form != Form::Expressions || diagnostic.code != codes::NO_EFFECT);
        let mut shown: Vec<(i64, u32, String)> = Vec::new();
        for diagnostic in all {
            let (line, column) = place(&sources, diagnostic.primary, longer_of(diagnostic.primary.source));
            shown.push((line, column, text_of(diagnostic, line, column)));
        }
        shown.sort();
        let diagnostics = shown.iter().flat_map(|(_, _, text)| text.lines()).map(str::to_owned).collect();
        Answer { model: lowered.filter(|_| !reader.diagnostics.has_errors()), diagnostics }
    }
}

fn query_input(entry: &tree::QueryEntry) -> QueryInput<'_> {
    QueryInput {
        query: &entry.query,
        text: String::new(),
        comment: String::new(),
        expected: None,
        broken: false,
    }
}

/// Each line as the update of an edge of its own. What is around it stands at the ends of lines, so that columns are kept.
fn edges(body: &str) -> String {
    body.lines().collect::<Vec<_>>().join("; }, A -> A { assign\n")
}

fn place(sources: &SourceMap, span: Span, longer: i64) -> (i64, u32) {
    let position = sources.position(span.source, span.start);
    (i64::from(position.line) - longer, position.column)
}

fn text_of(diagnostic: &Diagnostic, line: i64, column: u32) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut text = format!("{line}:{column} {} {severity}: {}", diagnostic.code, diagnostic.message);
    for help in &diagnostic.help {
        text.push_str(&format!("\n  help: {help}"));
    }
    text
}
