//! The contract of the crate, tested through its public face.

mod constructs;
mod diagnostics;
mod expressions;
mod hostile;
mod models;
mod queries;
mod recovery;

use tourbillon_base::{Diagnostics, Severity, SourceMap};
use tourbillon_syntax::{Dialect, Reader, print, sexpr};

/// What kind of text a case is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Model,
    OldModel,
    Declarations,
    System,
    Parameters,
    OldParameters,
    Select,
    Guard,
    OldGuard,
    Invariant,
    Sync,
    Assignments,
    Rate,
    Query,
    QueryFile,
}

impl Kind {
    const ALL: &[Self] = &[
        Self::Model,
        Self::OldModel,
        Self::Declarations,
        Self::System,
        Self::Parameters,
        Self::OldParameters,
        Self::Select,
        Self::Guard,
        Self::OldGuard,
        Self::Invariant,
        Self::Sync,
        Self::Assignments,
        Self::Rate,
        Self::Query,
        Self::QueryFile,
    ];

    fn dialect(self) -> Dialect {
        match self {
            Self::OldModel | Self::OldParameters | Self::OldGuard => Dialect::Old,
            _ => Dialect::New,
        }
    }

    /// The kind of what the printer makes of it.
    fn printed(self) -> Self {
        match self {
            Self::OldModel => Self::Model,
            Self::OldParameters => Self::Parameters,
            Self::OldGuard => Self::Guard,
            kind => kind,
        }
    }
}

/// What became of a text.
struct Parsed {
    /// The shape of the tree.
    shape: String,
    /// The tree printed as text.
    printed: String,
    /// Each diagnostic as `CODE line:column`.
    places: Vec<String>,
    /// Each diagnostic as `CODE line:column [warning:] message / label / help`.
    messages: Vec<String>,
}

fn parse(kind: Kind, text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add_file("text", text);
    let mut reader = Reader::new(&sources, kind.dialect());
    let (shape, printed) = match kind {
        Kind::Model | Kind::OldModel => {
            let model = reader.model(file);
            (sexpr::model(&reader.tree, &model), print::model(&reader.tree, &model))
        }
        Kind::System => {
            let model = reader.system(file);
            (sexpr::model(&reader.tree, &model), print::model(&reader.tree, &model))
        }
        Kind::Declarations => {
            let list = reader.declarations(file);
            (sexpr::declarations(&reader.tree, &list), print::declarations(&reader.tree, &list))
        }
        Kind::Parameters | Kind::OldParameters => {
            let params = reader.parameters(file);
            (sexpr::parameters(&reader.tree, &params), print::parameters(&reader.tree, &params))
        }
        Kind::Select => {
            let binders = reader.select(file);
            (sexpr::binders(&reader.tree, &binders), print::binders(&reader.tree, &binders))
        }
        Kind::Guard | Kind::OldGuard => {
            let guard = reader.guard(file);
            expression(&reader, guard.as_slice())
        }
        Kind::Invariant => {
            let invariant = reader.invariant(file);
            expression(&reader, invariant.as_slice())
        }
        Kind::Sync => match reader.synchronisation(file) {
            Some(sync) => (sexpr::sync(&reader.tree, &sync), print::sync(&reader.tree, &sync)),
            None => Default::default(),
        },
        Kind::Assignments => {
            let updates = reader.assignments(file);
            expression(&reader, &updates)
        }
        Kind::Rate => {
            let rate = reader.rate(file);
            expression(&reader, rate.as_slice())
        }
        Kind::Query => {
            let query = reader.query(file);
            (sexpr::query(&reader.tree, &query), print::query(&reader.tree, &query))
        }
        Kind::QueryFile => {
            let queries = reader.query_file(file);
            (sexpr::query_file(&reader.tree, &queries), print::query_file(&reader.tree, &queries))
        }
    };
    let (places, messages) = (places(&sources, &reader.diagnostics), messages(&sources, &reader.diagnostics));
    Parsed { shape, printed, places, messages }
}

fn expression(reader: &Reader<'_>, exprs: &[tourbillon_syntax::tree::ExprId]) -> (String, String) {
    let shapes: Vec<String> = exprs.iter().map(|&expr| sexpr::expr(&reader.tree, expr)).collect();
    (shapes.join(" "), print::exprs(&reader.tree, exprs))
}

fn places(sources: &SourceMap, diagnostics: &Diagnostics) -> Vec<String> {
    let place = |d: &tourbillon_base::Diagnostic| {
        let start = sources.resolve(d.primary).start;
        format!("{} {}:{}", d.code, start.line, start.column)
    };
    diagnostics.iter().map(place).collect()
}

fn messages(sources: &SourceMap, diagnostics: &Diagnostics) -> Vec<String> {
    let lines = diagnostics.iter().zip(places(sources, diagnostics)).map(|(d, place)| {
        let labels = d.labels.iter().map(|(_, text)| format!(" / {text}"));
        let help = d.help.iter().map(|text| format!(" / {text}"));
        let severity = if d.severity == Severity::Error { "" } else { "warning: " };
        format!("{place} {severity}{}{}", d.message, labels.chain(help).collect::<String>())
    });
    lines.collect()
}

/// Parses a text that must be right, and checks that what is printed of it parses to the same tree.
#[track_caller]
fn accept(kind: Kind, text: &str) -> Parsed {
    let first = parse(kind, text);
    assert_eq!(first.messages, [""; 0], "{kind:?}: {text}");
    let second = parse(kind.printed(), &first.printed);
    assert_eq!(second.messages, [""; 0], "printed from {text}\n{}", first.printed);
    assert_eq!(second.shape, first.shape, "printed from {text}\n{}", first.printed);
    assert_eq!(second.printed, first.printed, "printing is not stable");
    first
}
