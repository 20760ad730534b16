//! Files of queries: one query to a line.
//!
//! A line that ends with a backslash goes on in the next. Comments are kept: those before a query, or inside it,
//! are attached to it, because that is where people write what a query means and what they expect of it. A
//! `EXPECT:` in a block comment is read into data.
//!
//! The file is cut into lines first, by a scanner that knows only comments, strings and line ends, so a mistake
//! in one query cannot touch the next.

use std::ops::Range;

use tourbillon_base::{Diagnostic, SourceId, Span};

use crate::codes;
use crate::reader::Reader;
use crate::tree::{Comment, Expectation, Outcome, QueryEntry, QueryFile};

/// Reads a `.q` file.
pub(crate) fn read(reader: &mut Reader<'_>, source: SourceId) -> QueryFile {
    let text = reader.text(source);
    let mut scanner = Scanner { text, pos: 0 };
    let mut file = QueryFile::default();
    let mut pending = Pending { source, comments: Vec::new(), expect: None };
    while let Some(range) = scanner.next_query(|range| pending.comment(reader, range)) {
        let query = reader.piece(source, range, true).query_text();
        let (comments, expect) = (std::mem::take(&mut pending.comments), pending.expect.take());
        file.entries.push(QueryEntry { comments, expect, query });
    }
    file.trailing = pending.comments;
    file
}

/// What was written about the next query.
struct Pending {
    source: SourceId,
    comments: Vec<Comment>,
    expect: Option<Expectation>,
}

impl Pending {
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

fn outcome(word: &str) -> Option<Outcome> {
    Some(match word {
        "T" | "SAT" | "TRUE" => Outcome::True,
        "F" | "UNSAT" | "FALSE" => Outcome::False,
        "MT" | "MAYBE_TRUE" => Outcome::MaybeTrue,
        "MF" | "MAYBE_FALSE" => Outcome::MaybeFalse,
        "E" | "ERR" => Outcome::Error,
        _ => Outcome::Value(number(word)?),
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
struct Scanner<'a> {
    text: &'a str,
    pos: usize,
}

impl Scanner<'_> {
    /// The range of the next query. Comments before and in it are handed over.
    fn next_query(&mut self, mut comment: impl FnMut(Range<usize>)) -> Option<Range<usize>> {
        let mut query: Option<Range<usize>> = None;
        while let Some(c) = self.text[self.pos..].chars().next() {
            let start = self.pos;
            let rest = &self.text[start..];
            if let Some(length) = comment_length(rest) {
                self.pos += length;
                comment(start..self.pos);
            } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.pos += rest.find('\n').map_or(1, |at| at + 1);
            } else if c == '"' {
                self.pos += string_length(rest);
                query = Some(query.map_or(start, |range| range.start)..self.pos);
            } else {
                self.pos += c.len_utf8();
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
}

/// The length of the comment that a text starts with. One that is not closed ends with its line: the rest of the
/// file may be fine, and the lexer does not get to see it.
fn comment_length(text: &str) -> Option<usize> {
    let line = text.find('\n').unwrap_or(text.len());
    if text.starts_with("//") {
        return Some(line);
    }
    if text.starts_with("/*") {
        return text.get(2..)?.find("*/").map(|at| at + 4);
    }
    None
}

fn string_length(text: &str) -> usize {
    let line = text.find('\n').unwrap_or(text.len());
    text[1..line].find('"').map_or(line, |at| at + 2)
}
