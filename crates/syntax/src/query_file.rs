//! Query files: one query per line.
//!
//! A line that ends with a backslash continues in the next. Comments are kept: those before a query, or inside it,
//! are attached to it, because that is where people write what a query means and what they expect of it. A
//! `EXPECT:` in a block comment is read into data.
//!
//! The file is cut into lines first, by a scanner that knows only comments, strings and line ends, so a mistake
//! in one query cannot touch the next.

use std::ops::Range;

use tourbillon_base::{Diagnostic, SourceId, Span};

use crate::codes;
use crate::reader::Reader;
use crate::tree::{Comment, Expectation, ExpectedOutcome, QueryEntry, QueryFile};

/// Reads a `.q` file.
pub(crate) fn read(reader: &mut Reader<'_>, source: SourceId) -> QueryFile {
    let text = reader.text(source);
    let mut scanner = QueryScanner { text, pos: 0, no_more_closings: false };
    let mut file = QueryFile::default();
    let mut pending = PendingComment { source, comments: Vec::new(), expect: None };
    while let Some(range) = scanner.next_query(|range| pending.comment(reader, range)) {
        let query = reader.piece(source, range, true).query_text();
        let (comments, expect) = (std::mem::take(&mut pending.comments), pending.expect.take());
        file.entries.push(QueryEntry { comments, expect, query });
    }
    file.trailing = pending.comments;
    file
}

/// What was written about the next query.
struct PendingComment {
    source: SourceId,
    comments: Vec<Comment>,
    expect: Option<Expectation>,
}

impl PendingComment {
    fn comment(&mut self, reader: &mut Reader<'_>, range: Range<usize>) {
        let text = reader.text(self.source)[range.clone()].trim_end();
        let span = Span::new(self.source, range.start as u32, (range.start + text.len()) as u32);
        self.comments.push(Comment { text: reader.tree.intern(text), span });
        if let Some(at) = text.find("EXPECT:").filter(|_| text.starts_with("/*")) {
            let list = &text[at + "EXPECT:".len()..];
            let end = list.find(|c: char| c.is_whitespace() || c == '*').unwrap_or(list.len());
            let span =
                Span { start: span.start + at as u32, end: span.start + (at + 7 + end) as u32, ..span };
            self.expect = Some(expectation(reader, &list[..end], span));
        }
    }
}

/// `T,10s,50MB`.
fn expectation(reader: &mut Reader<'_>, list: &str, span: Span) -> Expectation {
    let mut expect = Expectation { outcome: None, time_ms: None, memory_bytes: None, span };
    for word in list.split(',') {
        if let Some(outcome) = outcome(word) {
            expect.outcome = Some(outcome);
        } else if let Some(time) = measure(word, TIME_UNITS) {
            expect.time_ms = Some(time);
        } else if let Some(memory) = measure(word, MEMORY_UNITS) {
            expect.memory_bytes = Some(memory);
        } else {
            let message = format!("`{word}` is no expectation");
            let help =
                "write an answer (`T`, `F`, `MT`, `MF`, `E`, a number), a time (`10s`) or a size (`50MB`)";
            reader.diagnostics.push(Diagnostic::warning(codes::BAD_EXPECTATION, span, message).help(help));
        }
    }
    expect
}

fn outcome(word: &str) -> Option<ExpectedOutcome> {
    Some(match word {
        "T" | "SAT" | "TRUE" => ExpectedOutcome::True,
        "F" | "UNSAT" | "FALSE" => ExpectedOutcome::False,
        "MT" | "MAYBE_TRUE" => ExpectedOutcome::MaybeTrue,
        "MF" | "MAYBE_FALSE" => ExpectedOutcome::MaybeFalse,
        "E" | "ERR" => ExpectedOutcome::Error,
        _ => ExpectedOutcome::Value(number(word)?),
    })
}

/// A decimal number; none of the names that Rust has for numbers.
fn number(word: &str) -> Option<f64> {
    let plain = word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    word.parse::<f64>().ok().filter(|value| plain && value.is_finite())
}

/// Units, the longer before those that they end with.
const TIME_UNITS: &[(&str, f64)] = &[("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3600e3), ("d", 86_400e3)];
const MEMORY_UNITS: &[(&str, f64)] =
    &[("KB", 1024.0), ("MB", 1_048_576.0), ("GB", 1_073_741_824.0), ("TB", 1_099_511_627_776.0), ("B", 1.0)];

fn measure(word: &str, units: &[(&str, f64)]) -> Option<f64> {
    units.iter().find_map(|&(unit, factor)| Some(number(word.strip_suffix(unit)?)? * factor))
}

/// Cuts a file into queries and comments.
struct QueryScanner<'a> {
    text: &'a str,
    pos: usize,
    /// Whether no block comment can be closed any more: found out once, or every `/*` would search to the end.
    no_more_closings: bool,
}

impl QueryScanner<'_> {
    /// The range of the next query. Comments before and in it are handed over.
    fn next_query(&mut self, mut comment: impl FnMut(Range<usize>)) -> Option<Range<usize>> {
        let mut query: Option<Range<usize>> = None;
        while let Some(c) = self.text[self.pos..].chars().next() {
            let start = self.pos;
            if let Some(length) = self.comment_length() {
                self.pos += length;
                comment(start..self.pos);
            } else if let Some(length) = self.continuation_length() {
                self.pos += length;
            } else {
                self.pos += self.string_length().unwrap_or(c.len_utf8());
                if c == '\n' && query.is_some() {
                    break;
                }
                if !c.is_whitespace() && c != '\u{feff}' {
                    query = Some(query.map_or(start, |range| range.start)..self.pos);
                }
            }
        }
        query
    }

    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    /// The length of the comment that starts here. What opens a block comment that is never closed is none: the
    /// lexer will say so, and the next lines may be fine.
    fn comment_length(&mut self) -> Option<usize> {
        let rest = self.rest();
        if rest.starts_with("//") {
            return Some(rest.find('\n').unwrap_or(rest.len()));
        }
        if !rest.starts_with("/*") || self.no_more_closings {
            return None;
        }
        let length = rest[2..].find("*/").map(|at| at + 4);
        self.no_more_closings = length.is_none();
        length
    }

    /// The length of a backslash and the line end after it.
    fn continuation_length(&self) -> Option<usize> {
        ["\\\n", "\\\r\n"].iter().find(|end| self.rest().starts_with(**end)).map(|end| end.len())
    }

    /// The length of the string that starts here, at most to the end of its line.
    fn string_length(&self) -> Option<usize> {
        let inside = self.rest().strip_prefix('"')?;
        let end = inside.find(['"', '\n']).unwrap_or(inside.len());
        Some(1 + end + usize::from(inside[end..].starts_with('"')))
    }
}
