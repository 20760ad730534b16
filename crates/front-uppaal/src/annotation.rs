//! Annotations: comments that set options of this program, such as `// tourbillon: overflow wrap`.
//!
//! UPPAAL passes over them. They stand outside templates: anywhere in a textual model, in the declarations, the
//! instantiations or the system of an XML file. Every line of a comment is examined.

use tourbillon_base::{Diagnostic, Diagnostics, Id, SourceId, SourceMap, Span};
use tourbillon_model::Overflow;

use crate::codes;
use crate::document::{Document, Format};

/// What the annotations of a document say about results that exceed 32 bits; nothing if there are none.
pub(crate) fn overflow(document: &Document, out: &mut Diagnostics) -> Option<Overflow> {
    annotated_overflow(&document.sources, &annotated_sources(document), out)
}

/// What the annotations in these texts say about results that exceed 32 bits; nothing if there are none. What is wrong with them is
/// told.
pub fn annotated_overflow(
    sources: &SourceMap,
    texts: &[SourceId],
    out: &mut Diagnostics,
) -> Option<Overflow> {
    let mut found: Option<(Overflow, Span)> = None;
    for &source in texts {
        for line in comment_lines(sources.text(source), source) {
            match Overflow::annotated(sources.snippet(line)) {
                None => {}
                Some(Err(help)) => {
                    let message = "this annotation is not known, and has no effect";
                    out.push(Diagnostic::warning(codes::UNKNOWN_ANNOTATION, line, message).help(help));
                }
                Some(Ok(overflow)) => match found {
                    Some((earlier, place)) if earlier != overflow => {
                        let message = "another annotation says the opposite";
                        let diagnostic = Diagnostic::error(codes::CONFLICTING_ANNOTATIONS, line, message);
                        out.push(diagnostic.label(place, "this one"));
                    }
                    _ => found = Some((overflow, line)),
                },
            }
        }
    }
    found.map(|(overflow, _)| overflow)
}

/// The text that says it.
pub(crate) fn line(overflow: Overflow) -> String {
    format!("// tourbillon: overflow {}\n", overflow.name())
}

/// Whether the text of a comment, marks included, holds nothing but annotations.
pub(crate) fn is_annotation(comment: &str) -> bool {
    let source = SourceId::from_index(0);
    let mut lines = comment_lines(comment, source).into_iter();
    lines.all(|line| matches!(Overflow::annotated(&comment[line.range()]), Some(Ok(_))))
}

fn annotated_sources(document: &Document) -> Vec<SourceId> {
    let sections = &document.sections;
    match document.format {
        Format::Xta => vec![document.file],
        Format::Xml => {
            [sections.declaration, sections.instantiation, sections.system].into_iter().flatten().collect()
        }
        Format::Queries => Vec::new(),
    }
}

/// The comments of a text, without what is inside strings, marks included.
pub(crate) fn comments(text: &str, source: SourceId) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['/', '"']).map(|next| at + next) {
        let rest = &text[next..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(inside) = rest.strip_prefix('"') {
            // A string ends on its line.
            at = next + 1 + inside.find(['"', '\n']).map_or(inside.len(), |end| end + 1);
            continue;
        } else {
            at = next + 1;
            continue;
        };
        at = next + length;
        found.push(Span::new(source, offset(next), offset(at)));
    }
    found
}

/// The lines of the comments of a text, without marks and blanks.
fn comment_lines(text: &str, source: SourceId) -> Vec<Span> {
    let mut lines = Vec::new();
    for comment in comments(text, source) {
        let mut start = comment.range().start;
        for line in text[comment.range()].split('\n') {
            let marks = |c: char| c.is_whitespace() || c == '/' || c == '*';
            let inside = line.trim_start_matches(marks);
            let first = start + line.len() - inside.len();
            let inside = inside.trim_end_matches(marks);
            if !inside.is_empty() {
                lines.push(Span::new(source, offset(first), offset(first + inside.len())));
            }
            start += line.len() + 1;
        }
    }
    lines
}

/// Texts are shorter than 4 GiB.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        comment_lines(text, SourceId::from_index(0)).into_iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn comments_are_found_line_by_line_and_not_in_strings() {
        assert_eq!(lines("int a; // one\n//two  \nint b = 1 / 2;"), ["one", "two"]);
        assert_eq!(lines("/* one\n * two\n */ int a; /**/ /* three"), ["one", "two", "three"]);
        assert_eq!(lines("const string s = \"// no\"; // yes"), ["yes"]);
        assert_eq!(lines("\"open\n// yes"), ["yes"]);
        assert_eq!(lines("/"), [""; 0]);
    }

    #[test]
    fn what_is_only_an_annotation_is_known() {
        assert!(is_annotation("// tourbillon: overflow wrap"));
        assert!(!is_annotation("/* tourbillon: overflow wrap\nand more */"));
    }
}
