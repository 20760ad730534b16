//! Diagnostics as text and as JSON.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use annotate_snippets::{AnnotationKind, Element, Level, Renderer, Snippet};
use serde_json::json;
use tourbillon::{CheckError, Diagnostic, Diagnostics, Loaded, Severity, SourceMap, diagnostics_json};
use tourbillon_base::Span;

use crate::Failure;

/// The format of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people, with the source line and help
    #[default]
    Text,
    /// For programs, as JSON
    Json,
}

/// Bytes of context before and after a span, so that a long file is not copied for each message.
const CONTEXT_BYTES: usize = 400;

/// Whether standard error is suppressed, since another process writes the same.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses standard error from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Writes text to standard error, with colours if it is a terminal.
pub fn say(text: &str) {
    if QUIET.load(Ordering::Relaxed) {
        return;
    }
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Standard error, unless it is suppressed.
pub(crate) struct Messages;

impl std::io::Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if QUIET.load(Ordering::Relaxed) { Ok(bytes.len()) } else { anstream::stderr().write(bytes) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        anstream::stderr().flush()
    }
}

/// Writes diagnostics to standard error, in their order.
pub(crate) fn tell(diagnostics: &Diagnostics, sources: &SourceMap, format: Format) {
    match format {
        Format::Json => say(&format!("{:#}\n", diagnostics_json(diagnostics, sources))),
        Format::Text => {
            for diagnostic in diagnostics {
                say(&text(diagnostic, sources, &Renderer::styled()));
            }
            if let Some(hidden) = diagnostics.hidden() {
                say(&format!("{hidden}\n"));
            }
        }
    }
}

/// Writes the diagnostics of an error, if it has any.
pub(crate) fn check_error(error: CheckError, loaded: &Loaded, format: Format) -> Failure {
    match error {
        CheckError::Model(diagnostics) => {
            tell(&diagnostics, loaded.sources(), format);
            Failure::Reported
        }
        CheckError::Request(message) => Failure::Message(message),
    }
}

/// Writes an error that is not about the model, such as conflicting options, in the format of diagnostics.
pub(crate) fn failure(failure: Failure, format: Format) -> Failure {
    match (failure, format) {
        (Failure::Message(message), Format::Json) => {
            let diagnostic = json!({
                "code": null,
                "severity": "error",
                "message": message,
                "place": null,
                "labels": [],
                "help": [],
            });
            say(&format!("{:#}\n", json!([diagnostic])));
            Failure::Reported
        }
        (failure, _) => failure,
    }
}

/// A diagnostic as text, followed by an empty line.
pub(crate) fn text(diagnostic: &Diagnostic, sources: &SourceMap, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let (primary_file, window, start) = window(diagnostic.primary, sources);
    let mut snippet = Snippet::source(window.text).line_start(window.line).path(primary_file);
    snippet = snippet.annotation(AnnotationKind::Primary.span(window.span.clone()));
    let mut others: Vec<Element<'_>> = Vec::new();
    for (span, label) in &diagnostic.labels {
        let place = sources.resolve(*span);
        let within =
            place.file == primary_file && start.contains(&place.bytes.start) && place.bytes.end <= start.end;
        if within {
            let shifted = place.bytes.start - start.start..place.bytes.end - start.start;
            snippet = snippet.annotation(AnnotationKind::Context.span(shifted).label(label.as_str()));
        } else {
            others.push(
                Level::NOTE
                    .message(format!("{label}: {}:{}:{}", place.file, place.start.line, place.start.column))
                    .into(),
            );
        }
    }
    let mut group =
        level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.name()).element(snippet);
    let place = sources.resolve(diagnostic.primary);
    if let Some(element) = place.element {
        let line = place.element_line.unwrap_or(1);
        group = group.element(Level::NOTE.message(format!("in {element}, line {line} of its text")));
    }
    group = group.elements(others);
    group = group.elements(diagnostic.help.iter().map(|help| Level::HELP.message(help.as_str())));
    format!("{}\n\n", renderer.render(&[group]))
}

/// The part of a file around a span.
struct Window<'s> {
    text: &'s str,
    /// The number of its first line.
    line: usize,
    /// The span, relative to the part.
    span: std::ops::Range<usize>,
}

fn window(span: Span, sources: &SourceMap) -> (&str, Window<'_>, std::ops::Range<usize>) {
    let place = sources.resolve(span);
    let file = sources.text(sources.file_of(span.source));
    let floor = |at: usize| (0..=at).rev().find(|&at| file.is_char_boundary(at)).unwrap_or(0);
    let first =
        file[..floor(place.bytes.start.saturating_sub(CONTEXT_BYTES))].rfind('\n').map_or(0, |at| at + 1);
    let last = floor((place.bytes.end + CONTEXT_BYTES).min(file.len()));
    let last = file[last..].find('\n').map_or(file.len(), |at| last + at);
    let line = place.start.line as usize - file[first..place.bytes.start].matches('\n').count();
    let inner = place.bytes.start - first..place.bytes.end - first;
    (place.file, Window { text: &file[first..last], line, span: inner }, first..last)
}
