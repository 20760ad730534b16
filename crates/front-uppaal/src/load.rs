//! From bytes to a document: detects format and dialect.
//!
//! **Format.** Text that starts with `<` is XML, whatever the file is called. Otherwise the extension decides:
//! `.xml`, `.q`, and everything else is a textual model.
//!
//! The dialect is found out by trying ([`crate::dialect`]). Nothing fails: a document has whatever could be
//! understood, and all errors are reported, in the order of the file.

use tourbillon_base::{Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use tourbillon_syntax::tree::{Item, Model};
use tourbillon_syntax::{Dialect, Reader};

use crate::annotation;
use crate::codes;
use crate::decode::{DecodeFault, Decoded, decode};
use crate::dialect::{DialectReading, choose};
use crate::document::{Document, DocumentQuery, Format};
use crate::layout::Layout;
use crate::queries::read_queries;
use crate::xml;

/// What to take for granted about a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LoadOptions {
    /// Its format, instead of what name and content say.
    pub format: Option<Format>,
    /// Its dialect, instead of what its text says.
    pub dialect: Option<Dialect>,
}

/// The largest file that is read. Decoded text is at most three times as long, which offsets of 32 bits can count.
const MAX_BYTES: usize = 1 << 30;

/// Reads a file: a model, or queries alone.
///
/// The document holds whatever could be understood. It is fit for use if the diagnostics have no errors.
///
/// ```
/// use tourbillon_front_uppaal::{Format, LoadOptions, load};
///
/// let text = b"clock x; process P() { state A { x <= 5 }; init A; trans A -> A { guard x > 3; assign x = 0; }; } system P;";
/// let (document, diagnostics) = load("p.xta", text, &LoadOptions::default());
/// assert!(diagnostics.is_empty());
/// assert_eq!(document.format, Format::Xta);
/// assert_eq!(document.templates().count(), 1);
/// ```
#[must_use]
pub fn load(name: &str, bytes: &[u8], options: &LoadOptions) -> (Document, Diagnostics) {
    let mut out = Diagnostics::default();
    let Decoded { text, faults } = decode_bounded(bytes);
    let format = options.format.unwrap_or_else(|| format_of(name, &text));
    let mut document = Document::empty(format, name, text);
    let file = document.file;
    report(faults, file, &mut out);
    match format {
        Format::Xml => load_xml(&mut document, options.dialect, &mut out),
        Format::Xta => load_xta(&mut document, options.dialect, has_extension(name, "ta"), &mut out),
        Format::Queries => document.queries = read_queries(&mut document, file, &mut out),
    }
    document.overflow = annotation::overflow(&document, &mut out);
    let out = sorted(&document.sources, &out);
    (document, out)
}

/// Reads a file of queries for a document, into its sources and its tree. The queries are given back, not added to
/// those in the document's own file.
#[must_use]
pub fn load_queries(document: &mut Document, name: &str, bytes: &[u8]) -> (Vec<DocumentQuery>, Diagnostics) {
    let mut out = Diagnostics::default();
    let Decoded { text, faults } = decode_bounded(bytes);
    let file = document.sources.add_file(name, text);
    report(faults, file, &mut out);
    let queries = read_queries(document, file, &mut out);
    (queries, sorted(&document.sources, &out))
}

/// Reads the text of one query for a document, as the formula of an XML file. The query is given back, not added.
#[must_use]
pub fn load_formula(document: &mut Document, name: &str, formula: &str) -> (DocumentQuery, Diagnostics) {
    let file = document.sources.add_file(name, formula);
    let mut reader = Reader::new(&document.sources, document.dialect);
    reader.tree = std::mem::take(&mut document.tree);
    let query = reader.query(file);
    let (tree, diagnostics) = (reader.tree, reader.diagnostics);
    document.tree = tree;
    let whole = Span::new(file, 0, u32::try_from(formula.len()).unwrap_or(u32::MAX));
    (DocumentQuery::new(query, whole), diagnostics)
}

/// The text of a file, or of the start of one that is too large.
fn decode_bounded(bytes: &[u8]) -> Decoded {
    if bytes.len() <= MAX_BYTES {
        return decode(bytes);
    }
    let message = format!("the file has {} bytes; it is not read", bytes.len());
    let fault = DecodeFault {
        code: codes::TOO_LARGE,
        at: 0,
        message,
        help: "split it, or use templates with parameters",
    };
    Decoded { text: String::new(), faults: vec![fault] }
}

fn report(faults: Vec<DecodeFault>, file: SourceId, out: &mut Diagnostics) {
    for DecodeFault { code, at, message, help } in faults {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span::new(file, at, at);
        let diagnostic = match code == codes::TOO_LARGE {
            true => Diagnostic::error(code, span, message),
            false => Diagnostic::warning(code, span, message),
        };
        out.push(diagnostic.help(help));
    }
}

fn format_of(name: &str, text: &str) -> Format {
    let is_xml = text.trim_start().starts_with('<') || has_extension(name, "xml");
    match is_xml {
        _ if has_extension(name, "q") => Format::Queries,
        true => Format::Xml,
        false => Format::Xta,
    }
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
}

fn load_xml(document: &mut Document, dialect: Option<Dialect>, out: &mut Diagnostics) {
    let contents = xml::read(document.file, &mut document.sources, out);
    let attempt = choose(&document.sources, dialect, false, out, |reader, dialect| {
        contents.parse(&document.sources, dialect, reader)
    });
    let (sections, options) = contents.into_rest();
    document.sections = sections;
    document.options = options;
    document.take(attempt);
}

fn load_xta(document: &mut Document, dialect: Option<Dialect>, old_first: bool, out: &mut Diagnostics) {
    let file = document.file;
    let attempt = choose(&document.sources, dialect, old_first, out, |reader, _| {
        let (model, queries) = without_queries(reader.model(file));
        let layout = Layout::blank(&model);
        (model, layout, queries)
    });
    document.take(attempt);
}

/// Moves the queries of a textual model out of it.
fn without_queries(mut model: Model) -> (Model, Vec<DocumentQuery>) {
    let mut queries = Vec::new();
    model.items.retain(|item| match item {
        Item::Query(query) => {
            queries.push(DocumentQuery::new(query.clone(), query.span));
            false
        }
        _ => true,
    });
    (model, queries)
}

impl Document {
    fn take(&mut self, attempt: DialectReading) {
        self.dialect = attempt.dialect;
        self.tree = attempt.tree;
        self.model = attempt.model;
        self.layout = attempt.layout;
        self.queries = attempt.queries;
    }
}

/// Diagnostics in the order of the places in their files.
fn sorted(sources: &SourceMap, diagnostics: &Diagnostics) -> Diagnostics {
    let mut list: Vec<&Diagnostic> = diagnostics.iter().collect();
    list.sort_by_cached_key(|diagnostic| sources.resolve(diagnostic.primary).bytes.start);
    let mut sorted = Diagnostics::default();
    for diagnostic in list {
        sorted.push(diagnostic.clone());
    }
    sorted
}
