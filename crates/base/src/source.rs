//! Sources: files, decoded fragments of files, and the mapping back to lines and columns.
//!
//! A parser works on *decoded text*. For a plain file that is the file itself. For a label in an XML file it
//! is what is left after entities and CDATA sections are decoded, so `x&lt;=5` is parsed as `x<=5`; such a
//! piece is a *fragment*, a source of its own with its own [`SourceId`]. A [`Span`] counts bytes of decoded
//! text, which keeps it at 12 bytes and lets a parser ignore all this. Only [`SourceMap::resolve`] knows the
//! way back to the bytes of the file: a fragment keeps a list of pieces, each of them either verbatim
//! (offsets shift) or replaced (the whole piece stands for the whole of the original).
//!
//! Invariant: the pieces of a fragment lie end to end over its decoded text and are sorted in the file too,
//! so both look-ups are binary searches. Line starts are found once, when a file or a fragment is added.

use std::ops::Range;

use crate::IdVec;

crate::define_id! {
    /// A source: a file, or a fragment of decoded text inside one.
    pub struct SourceId;
}

/// A range of bytes in the decoded text of one source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The source that the offsets count in.
    pub source: SourceId,
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`.
    #[must_use]
    pub const fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end }
    }

    /// How many bytes it covers.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it is a place between two bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The smallest span that holds both. They must be of one source; if they are not, it is `self`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.source != other.source {
            return self;
        }
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at its start.
    #[must_use]
    pub const fn at_start(self) -> Self {
        Self { source: self.source, start: self.start, end: self.start }
    }

    /// The empty span at its end.
    #[must_use]
    pub const fn at_end(self) -> Self {
        Self { source: self.source, start: self.end, end: self.end }
    }

    /// As a range, to cut the text with.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; columns count characters, a tab being one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Where a span lies, as a reader of the file sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The bytes of the file that the span stands for.
    pub bytes: Range<usize>,
    /// The position of the first of them.
    pub start: Position,
    /// The position after the last of them.
    pub end: Position,
    /// The path of the element that holds the fragment, such as `/nta/template[1]/transition[2]/label[1]`.
    pub element: Option<&'a str>,
    /// The line inside the fragment, counted from 1.
    pub element_line: Option<u32>,
}

/// All sources of a run.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    sources: IdVec<SourceId, Source>,
}

#[derive(Clone, Debug)]
struct Source {
    text: String,
    lines: LineIndex,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    File { name: String },
    Fragment { file: SourceId, element: String, start: usize, pieces: Vec<FragmentPiece> },
}

impl SourceMap {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    ///
    /// # Panics
    /// If the text is 4 GiB or longer: offsets are 32 bits wide.
    pub fn add_file(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.add(text.into(), Origin::File { name: name.into() })
    }

    /// Adds a fragment of a file that was added before.
    ///
    /// # Panics
    /// If the decoded text is 4 GiB or longer.
    pub fn add_fragment(&mut self, fragment: Fragment) -> SourceId {
        let Fragment { file, element, start, text, pieces } = fragment;
        self.add(text, Origin::Fragment { file, element, start, pieces })
    }

    fn add(&mut self, text: String, origin: Origin) -> SourceId {
        assert!(u32::try_from(text.len()).is_ok(), "a source of 4 GiB or more");
        self.sources.push(Source { lines: LineIndex::new(&text), text, origin })
    }

    /// The decoded text of a source.
    #[must_use]
    pub fn text(&self, source: SourceId) -> &str {
        &self.sources[source].text
    }

    /// The decoded text under a span; empty if the span does not fall on characters of its source.
    #[must_use]
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.source).get(span.range()).unwrap_or("")
    }

    /// The file that a source is, or lies in.
    #[must_use]
    pub fn file_of(&self, source: SourceId) -> SourceId {
        match self.sources[source].origin {
            Origin::File { .. } => source,
            Origin::Fragment { file, .. } => file,
        }
    }

    /// The text of one line of a file or fragment, counted from 1, without its line ending.
    #[must_use]
    pub fn line(&self, source: SourceId, line: u32) -> &str {
        let Source { text, lines, .. } = &self.sources[source];
        let row = text.get(lines.range(line, text.len())).unwrap_or("");
        row.trim_end_matches(['\n', '\r'])
    }

    /// The position of a byte of the decoded text of a source.
    #[must_use]
    pub fn position(&self, source: SourceId, offset: u32) -> Position {
        let Source { text, lines, .. } = &self.sources[source];
        lines.position(text, offset)
    }

    /// Where a span lies in its file.
    #[must_use]
    pub fn resolve(&self, span: Span) -> Place<'_> {
        match &self.sources[span.source].origin {
            Origin::File { name } => self.place(name, span, span.range()),
            Origin::Fragment { file, element, start, pieces } => {
                let name = match &self.sources[*file].origin {
                    Origin::File { name } => name,
                    Origin::Fragment { element, .. } => element,
                };
                let bytes = original_range(pieces, *start, span);
                let whole = Span::new(*file, offset(bytes.start), offset(bytes.end));
                Place {
                    element: Some(element),
                    element_line: Some(self.position(span.source, span.start).line),
                    ..self.place(name, whole, bytes)
                }
            }
        }
    }

    fn place<'a>(&'a self, file: &'a str, span: Span, bytes: Range<usize>) -> Place<'a> {
        let start = self.position(span.source, span.start);
        let end = self.position(span.source, span.end.max(span.start));
        Place { file, bytes, start, end, element: None, element_line: None }
    }
}

/// A fragment under construction: decoded text, put together from left to right.
///
/// ```
/// use tourbillon_base::{Fragment, SourceMap, Span};
///
/// let mut sources = SourceMap::new();
/// let file = sources.add_file("a.xml", "<label>x&lt;=5</label>");
/// let mut label = Fragment::new(file, "/label[1]", 7);
/// label.verbatim("x", 7);
/// label.replaced("<", 8..12);
/// label.verbatim("=5", 12);
/// let label = sources.add_fragment(label);
///
/// assert_eq!(sources.text(label), "x<=5");
/// let place = sources.resolve(Span::new(label, 1, 3));
/// assert_eq!((place.start.line, place.start.column, place.bytes), (1, 9, 8..13));
/// ```
#[derive(Clone, Debug)]
pub struct Fragment {
    file: SourceId,
    element: String,
    start: usize,
    text: String,
    pieces: Vec<FragmentPiece>,
}

/// A stretch of decoded text that starts at `decoded` and stands for the bytes `original` of the file.
#[derive(Clone, Debug)]
struct FragmentPiece {
    decoded: usize,
    original: Range<usize>,
    verbatim: bool,
}

impl Fragment {
    /// An empty fragment of a file, in the element with this path, whose content starts at this byte.
    #[must_use]
    pub fn new(file: SourceId, element: impl Into<String>, start: usize) -> Self {
        Self { file, element: element.into(), start, text: String::new(), pieces: Vec::new() }
    }

    /// Appends text that stands in the file as it is, from this byte on.
    pub fn verbatim(&mut self, text: &str, start: usize) {
        self.push(text, start..start + text.len(), true);
    }

    /// Appends text that the file writes otherwise, in these bytes: an entity, or a line ending.
    pub fn replaced(&mut self, text: &str, original: Range<usize>) {
        self.push(text, original, false);
    }

    fn push(&mut self, text: &str, original: Range<usize>, verbatim: bool) {
        if !text.is_empty() {
            self.pieces.push(FragmentPiece { decoded: self.text.len(), original, verbatim });
            self.text.push_str(text);
        }
    }

    /// What was appended so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The bytes of the file that the decoded bytes of a span stand for.
fn original_range(pieces: &[FragmentPiece], content: usize, span: Span) -> Range<usize> {
    let Range { start: from, end: to } = span.range();
    let start = piece_of(pieces, from).map_or(content, |piece| match piece.verbatim {
        true => (piece.original.start + from - piece.decoded).min(piece.original.end),
        false => piece.original.start,
    });
    if to <= from {
        return start..start;
    }
    let end = piece_of(pieces, to - 1).map_or(start, |piece| match piece.verbatim {
        true => (piece.original.start + to - piece.decoded).min(piece.original.end),
        false => piece.original.end,
    });
    start..end.max(start)
}

/// The piece that a decoded byte belongs to; the last one for the end of the text.
fn piece_of(pieces: &[FragmentPiece], decoded: usize) -> Option<&FragmentPiece> {
    let after = pieces.partition_point(|piece| piece.decoded <= decoded);
    pieces.get(after.saturating_sub(1))
}

/// Offsets inside a source fit in 32 bits because [`SourceMap::add_file`] refuses longer ones.
fn offset(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

/// The offsets at which lines start. A line ends with `\n`; a `\r` before it is part of the ending.
#[derive(Clone, Debug)]
struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    fn new(text: &str) -> Self {
        let after_breaks = text.bytes().zip(1u32..).filter(|&(byte, _)| byte == b'\n').map(|(_, next)| next);
        Self { starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The bytes of a line, its ending included; empty past the last.
    fn range(&self, line: u32, text_len: usize) -> Range<usize> {
        let row = (line as usize).saturating_sub(1);
        let start = self.starts.get(row).map_or(text_len, |&start| start as usize);
        let end = self.starts.get(row + 1).map_or(text_len, |&next| next as usize);
        start..end
    }

    fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1] as usize;
        let before = &text.as_bytes()[start..(offset as usize).clamp(start, text.len())];
        let continuation = before.iter().filter(|&&byte| byte & 0xc0 == 0x80).count();
        Position { line: self::offset(line), column: self::offset(before.len() - continuation + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn a_span_is_twelve_bytes() {
        assert_eq!(size_of::<Span>(), 12);
    }

    #[test]
    fn positions_count_lines_and_characters() {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.xta", "int é;\r\n\tclock x;\n\nüx");
        let cases: &[(&str, u32, u32)] =
            &[("int", 1, 1), (";\r", 1, 6), ("clock", 2, 2), ("üx", 4, 1), ("x", 4, 2)];
        for &(needle, line, column) in cases {
            let start = sources.text(file).rfind(needle).unwrap() as u32;
            assert_eq!(sources.position(file, start), Position { line, column }, "{needle}");
        }
        let end = sources.text(file).len() as u32;
        assert_eq!(sources.position(file, end), Position { line: 4, column: 3 });
        assert_eq!(sources.line(file, 1), "int é;");
        assert_eq!(sources.line(file, 2), "\tclock x;");
        assert_eq!(sources.line(file, 3), "");
        assert_eq!(sources.line(file, 9), "");
    }

    #[test]
    fn a_fragment_leads_back_through_entities_and_line_endings() {
        let xml = "<l>\r\n x &lt; y\r\n &amp;&amp; <![CDATA[z > 1]]></l>";
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.xml", xml);
        let at = |needle: &str| xml.find(needle).unwrap();
        let mut label = Fragment::new(file, "/nta/template[1]/transition[2]/label[1]", 3);
        label.replaced("\n", 3..5);
        label.verbatim(" x ", 5);
        label.replaced("<", at("&lt;")..at("&lt;") + 4);
        label.verbatim(" y", at(" y"));
        label.replaced("\n", at("\r\n &amp;")..at(" &amp;"));
        label.verbatim(" ", at(" &amp;"));
        label.replaced("&", at("&amp;")..at("&amp;") + 5);
        label.replaced("&", at("&amp;") + 5..at("&amp;") + 10);
        label.verbatim(" ", at("&amp;") + 10);
        label.verbatim("z > 1", at("z > 1"));
        assert_eq!(label.text(), "\n x < y\n && z > 1");
        let label = sources.add_fragment(label);

        let resolve = |needle: &str| {
            let start = sources.text(label).find(needle).unwrap() as u32;
            sources.resolve(Span::new(label, start, start + needle.len() as u32))
        };
        let comparison = resolve("x < y");
        assert_eq!(&xml[comparison.bytes.clone()], "x &lt; y");
        assert_eq!(comparison.start, Position { line: 2, column: 2 });
        assert_eq!(comparison.end, Position { line: 2, column: 10 });
        assert_eq!(comparison.element, Some("/nta/template[1]/transition[2]/label[1]"));
        assert_eq!(comparison.element_line, Some(2));
        assert_eq!(&xml[resolve("&&").bytes], "&amp;&amp;");
        assert_eq!(&xml[resolve("> 1").bytes], "> 1");
        assert_eq!(resolve("z").element_line, Some(3));

        let end = sources.text(label).len() as u32;
        assert_eq!(sources.resolve(Span::new(label, end, end)).bytes.start, at("]]>"));
    }

    #[test]
    fn an_empty_fragment_is_where_its_content_would_be() {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.xml", "<l></l>");
        let label = sources.add_fragment(Fragment::new(file, "/l[1]", 3));
        assert_eq!(sources.resolve(Span::new(label, 0, 0)).bytes, 3..3);
        assert_eq!(sources.file_of(label), file);
    }

    #[test]
    fn spans_join_only_inside_one_source() {
        let (one, two) = (SourceId::from_index(0), SourceId::from_index(1));
        assert_eq!(Span::new(one, 3, 5).to(Span::new(one, 8, 9)), Span::new(one, 3, 9));
        assert_eq!(Span::new(one, 3, 5).to(Span::new(two, 8, 9)), Span::new(one, 3, 5));
        assert_eq!(Span::new(one, 3, 5).at_end(), Span::new(one, 5, 5));
        assert!(Span::new(one, 3, 5).at_start().is_empty());
    }
}
