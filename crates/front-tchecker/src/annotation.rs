//! Annotations: lines such as `# tourbillon: overflow wrap`, which other tools ignore.

use tourbillon_base::{Diagnostic, Diagnostics, SourceId, Span};
use tourbillon_model::Overflow;

use crate::codes;

/// What the annotations of a text say about results that exceed 32 bits; nothing if there are none.
pub(crate) fn overflow(text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Overflow> {
    let mut found: Option<(Overflow, Span)> = None;
    let mut start = 0;
    for line in text.split('\n') {
        let comment = line.trim_start().strip_prefix('#');
        if let Some(read) = comment.and_then(Overflow::annotated) {
            let first = start + line.len() - line.trim_start().len();
            let span = Span::new(source, first as u32, (start + line.trim_end().len()) as u32);
            match (read, found) {
                (Err(help), _) => {
                    let message = "this annotation is not known, and has no effect";
                    out.push(Diagnostic::warning(codes::UNKNOWN_ANNOTATION, span, message).help(help));
                }
                (Ok(overflow), Some((earlier, place))) if earlier != overflow => {
                    let message = "another annotation says the opposite";
                    let diagnostic = Diagnostic::error(codes::CONFLICTING_ANNOTATIONS, span, message);
                    out.push(diagnostic.label(place, "this one"));
                }
                (Ok(overflow), _) => found = Some((overflow, span)),
            }
        }
        start += line.len() + 1;
    }
    found.map(|(overflow, _)| overflow)
}
