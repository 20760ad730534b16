//! The element tree of an XML document, with byte ranges.
//!
//! The tree is built first and examined afterwards, so elements may come in any order and a look at siblings
//! costs nothing. It is small: an element is its tag, two ranges of bytes and its children; names, attributes and
//! text stay in the file.
//!
//! Reading is lenient. An end tag closes the nearest open element of its name; an element of text ends before one
//! that can only be its sibling; what is open at the end is closed there; after broken markup, reading starts again behind its `<`. All of that is reported. Nothing is fetched and
//! nothing expanded: an entity is one character or an error.
//!
//! Cost: linear in the file. Broken markup makes the library look ahead to the end of the file, so after
//! [`MAX_RESTARTS`] such places the rest is given up. Elements nested more than [`MAX_DEPTH`] deep are counted and
//! dropped.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::Event;
use tourbillon_base::{Diagnostic, Diagnostics, Fragment, SourceId, SourceMap, Span};

use super::attribute::attributes;
use super::escape::{XmlEntity, entity, is_name_start};
use super::tag::Tag;
use crate::codes;
use crate::decode::is_xml_character;

/// How deeply elements can be nested; models need seven levels.
const MAX_DEPTH: usize = 100;

/// How often reading starts again after broken markup.
const MAX_RESTARTS: usize = 50;

/// The elements of a document.
#[derive(Debug)]
pub(super) struct Elements {
    /// In the order of their start tags.
    nodes: Vec<Element>,
    /// Those that stand in no other.
    pub(super) roots: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) tag: Tag,
    /// The bytes of its start tag.
    pub(super) head: Range<usize>,
    /// The bytes of its name.
    pub(super) name: Range<usize>,
    /// The byte after its end tag, or where it was taken as closed.
    pub(super) end: usize,
    /// The elements in it.
    pub(super) children: Vec<usize>,
    /// The text directly in it.
    pub(super) text: Vec<Piece>,
    parent: Option<usize>,
    /// Its number among those of its tag in its parent, from 1.
    ordinal: u32,
}

/// A piece of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// Bytes that stand for themselves.
    Verbatim(Range<usize>),
    /// A character that the file writes in these bytes.
    XmlEntity(char, Range<usize>),
}

impl Elements {
    /// Reads the elements of a file.
    pub(super) fn read(text: &str, file: SourceId, out: &mut Diagnostics) -> Self {
        let elements = Self { nodes: Vec::new(), roots: Vec::new() };
        let mut builder = Builder {
            text,
            file,
            out,
            elements,
            open: Vec::new(),
            counts: Vec::new(),
            too_deep: 0,
            restarts: 0,
        };
        builder.run();
        builder.elements
    }

    pub(super) fn get(&self, element: usize) -> &Element {
        &self.nodes[element]
    }

    /// The path of an element: `/nta/template[1]/label[2]`.
    pub(super) fn path(&self, text: &str, element: usize) -> String {
        let mut steps = Vec::new();
        let mut next = Some(element);
        while let Some(at) = next {
            let Element { tag, name, ordinal, parent, .. } = &self.nodes[at];
            let name = &text[name.clone()];
            let numbered = parent.is_some() && (tag.is_repeated() || *ordinal > 1);
            steps.push(if numbered { format!("/{name}[{ordinal}]") } else { format!("/{name}") });
            next = *parent;
        }
        steps.reverse();
        steps.concat()
    }

    /// The text directly in an element, as a fragment. Line endings become `\n`, as XML demands.
    pub(super) fn fragment(&self, text: &str, file: SourceId, element: usize) -> Fragment {
        let Element { head, text: pieces, .. } = &self.nodes[element];
        let mut fragment = Fragment::new(file, self.path(text, element), head.end);
        for piece in pieces {
            match piece {
                Piece::XmlEntity(c, bytes) => fragment.replaced(c.encode_utf8(&mut [0; 4]), bytes.clone()),
                Piece::Verbatim(bytes) => verbatim(&mut fragment, text, bytes.clone()),
            }
        }
        fragment
    }
}

fn verbatim(fragment: &mut Fragment, text: &str, bytes: Range<usize>) {
    let mut start = bytes.start;
    while let Some(at) = text[start..bytes.end].find('\r') {
        let end = start + at;
        fragment.verbatim(&text[start..end], start);
        start = if text[end..bytes.end].starts_with("\r\n") { end + 2 } else { end + 1 };
        fragment.replaced("\n", end..start);
    }
    fragment.verbatim(&text[start..bytes.end], start);
}

struct Builder<'a> {
    text: &'a str,
    file: SourceId,
    out: &'a mut Diagnostics,
    elements: Elements,
    /// The elements that are open, outermost first.
    open: Vec<usize>,
    /// For each open element, how many of each known tag it has.
    counts: Vec<Vec<(Tag, u32)>>,
    /// How many elements are open that are too deep to be kept.
    too_deep: usize,
    /// How often reading started again.
    restarts: usize,
}

impl Builder<'_> {
    fn run(&mut self) {
        let mut start = 0;
        while let Some((at, fault)) = self.events(start) {
            start = at + 1;
            match fault {
                MarkupFault::BareLess => self.bare(at, "`<` starts a tag", "write `&lt;`"),
                MarkupFault::Markup(what) => {
                    self.restarts += 1;
                    self.broken(at, what, self.restarts == MAX_RESTARTS);
                    if self.restarts == MAX_RESTARTS {
                        break;
                    }
                }
            }
            self.push_text(Piece::Verbatim(at..start));
        }
        self.close_all();
    }

    fn broken(&mut self, at: usize, what: &str, last: bool) {
        let message = match last {
            true => format!("{what}; the rest of the file is not read"),
            false => what.to_owned(),
        };
        let mut diagnostic = Diagnostic::error(codes::MARKUP, self.span(at..at + 1), message);
        if let Some(&inner) = self.open.last() {
            let Element { head, name, .. } = self.elements.get(inner);
            diagnostic = diagnostic
                .label(self.span(head.clone()), format!("inside `<{}>`", short(&self.text[name.clone()])));
        }
        self.out.push(diagnostic.help("a `<` in text is written `&lt;`"));
    }

    /// Reads events from a byte on, until the end or until something is wrong with the markup at a byte.
    fn events(&mut self, start: usize) -> Option<(usize, MarkupFault)> {
        let text = self.text;
        // The library skips a byte order mark without counting it.
        let start = start + if text[start..].starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut reader = Reader::from_str(&text[start..]);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        config.trim_markup_names_in_closing_tags = true;
        let mut before = start;
        loop {
            if is_bare_less(&text[before..]) {
                return Some((before, MarkupFault::BareLess));
            }
            let event = reader.read_event();
            let after = start
                + usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX).min(text.len() - start);
            match event {
                Ok(Event::Eof) => return None,
                Ok(Event::Start(_) | Event::Empty(_) | Event::End(_))
                    if text[before + 1..after].contains('<') =>
                {
                    return Some((
                        before,
                        MarkupFault::Markup("another `<` follows before this tag is closed"),
                    ));
                }
                Ok(event) => self.event(&event, before..after),
                Err(error) => return Some((before, MarkupFault::Markup(describe(&error)))),
            }
            before = after;
        }
    }

    fn event(&mut self, event: &Event<'_>, bytes: Range<usize>) {
        match event {
            Event::Start(_) => self.start(bytes, false),
            Event::Empty(_) => self.start(bytes, true),
            Event::End(_) => self.end(bytes),
            Event::Text(_) => self.text(bytes),
            Event::GeneralRef(_) => self.reference(bytes),
            // `<![CDATA[` and `]]>` are 9 and 3 bytes long.
            Event::CData(_) => self.push_text(Piece::Verbatim(bytes.start + 9..bytes.end - 3)),
            Event::DocType(_) => self.doctype(bytes),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
    }

    fn start(&mut self, bytes: Range<usize>, empty: bool) {
        if self.open.len() >= MAX_DEPTH {
            self.too_deep(bytes, empty);
            return;
        }
        let tag = &self.text[bytes.start + 1..bytes.end];
        let length =
            tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(tag.len());
        let name = bytes.start + 1..bytes.start + 1 + length;
        let kind = Tag::from_name(&self.text[name.clone()]);
        self.close_forgotten(kind, &bytes);
        let parent = self.open.last().copied();
        let ordinal = self.count(kind);
        let index = self.elements.nodes.len();
        match parent {
            Some(parent) => self.elements.nodes[parent].children.push(index),
            None => self.elements.roots.push(index),
        }
        let (end, children, text) = (bytes.end, Vec::new(), Vec::new());
        self.elements.nodes.push(Element {
            tag: kind,
            head: bytes,
            name,
            end,
            children,
            text,
            parent,
            ordinal,
        });
        if !empty {
            self.open.push(index);
            self.counts.push(Vec::new());
        }
    }

    /// Closes an element of text in front of one that can only be its sibling: its end tag was forgotten.
    fn close_forgotten(&mut self, tag: Tag, bytes: &Range<usize>) {
        let &[.., outer, inner] = self.open.as_slice() else { return };
        let (outer, inner_element) = (self.elements.get(outer).tag, self.elements.get(inner));
        if !inner_element.tag.is_text() || !outer.children().contains(&tag) {
            return;
        }
        let name = short(&self.text[inner_element.name.clone()]);
        let message = format!("`</{name}>` is missing before this element");
        let diagnostic = Diagnostic::error(codes::MISMATCHED_TAG, self.span(bytes.clone()), message);
        let label = format!("`<{name}>` is opened here");
        self.out.push(diagnostic.label(self.span(inner_element.head.clone()), label));
        self.elements.nodes[inner].end = bytes.start;
        self.open.pop();
        self.counts.pop();
    }

    /// The number of an element among its siblings. Elements without a meaning are numbered together.
    fn count(&mut self, tag: Tag) -> u32 {
        let Some(counts) = self.counts.last_mut() else { return 1 };
        match counts.iter_mut().find(|(seen, _)| *seen == tag) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                counts.push((tag, 1));
                1
            }
        }
    }

    fn too_deep(&mut self, bytes: Range<usize>, empty: bool) {
        if self.too_deep == 0 {
            let message = format!("elements are nested more than {MAX_DEPTH} levels deep here");
            self.out.push(Diagnostic::error(codes::NESTING, self.span(bytes), message));
        }
        if !empty {
            self.too_deep += 1;
        }
    }

    fn end(&mut self, bytes: Range<usize>) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let name = self.text[bytes.start + 2..bytes.end - 1].trim_ascii_end();
        let name_of = |&element: &usize| &self.text[self.elements.get(element).name.clone()];
        let depth = self.open.iter().rposition(|element| name_of(element) == name);
        if depth.is_none_or(|depth| depth + 1 < self.open.len()) {
            self.mismatched(name, bytes.clone());
        }
        let Some(depth) = depth else { return };
        for element in self.open.drain(depth..) {
            self.elements.nodes[element].end = bytes.end;
        }
        self.counts.truncate(depth);
    }

    fn mismatched(&mut self, name: &str, bytes: Range<usize>) {
        let name = short(name);
        let span = self.span(bytes);
        let diagnostic = match self.open.last() {
            Some(&inner) => {
                let Element { head, name: inner, .. } = self.elements.get(inner);
                let inner = short(&self.text[inner.clone()]);
                let message = format!("`</{name}>` does not close `<{inner}>`, which is open here");
                Diagnostic::error(codes::MISMATCHED_TAG, span, message)
                    .label(self.span(head.clone()), format!("`<{inner}>` is opened here"))
            }
            None => {
                let message = format!("`</{name}>` has no opening counterpart");
                Diagnostic::error(codes::MISMATCHED_TAG, span, message)
            }
        };
        self.out.push(diagnostic);
    }

    /// Closes what is open at the end of the file.
    fn close_all(&mut self) {
        let end = self.text.len();
        if let Some(&inner) = self.open.last() {
            let name = |element: usize| short(&self.text[self.elements.get(element).name.clone()]);
            let path: Vec<String> =
                self.open.iter().take(8).map(|&element| format!("<{}>", name(element))).collect();
            let message = format!("the file ends inside `{}`", path.concat());
            let at = self.text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
            let mut diagnostic = Diagnostic::error(codes::UNCLOSED_ELEMENT, self.span(at..end), message);
            for &element in
                [Some(&inner), self.open.first()].into_iter().flatten().take(self.open.len().min(2))
            {
                let text = format!("`<{}>` is opened here", name(element));
                diagnostic = diagnostic.label(self.span(self.elements.get(element).head.clone()), text);
            }
            self.out.push(diagnostic);
        }
        for element in self.open.drain(..) {
            self.elements.nodes[element].end = end;
        }
    }

    /// Text; the library hands over a `&` that starts no entity as text as well.
    fn text(&mut self, bytes: Range<usize>) {
        if self.text[bytes.clone()].starts_with('&') {
            self.bare_ampersand(bytes.start);
        }
        self.push_text(Piece::Verbatim(bytes));
    }

    /// One message for `&&`.
    fn bare_ampersand(&mut self, at: usize) {
        if !self.text[..at].ends_with('&') {
            self.bare(at, "`&` starts an entity", "write `&amp;`");
        }
    }

    fn bare(&mut self, at: usize, message: &str, help: &str) {
        let diagnostic = Diagnostic::error(codes::BARE_CHARACTER, self.span(at..at + 1), message);
        self.out.push(diagnostic.help(help));
    }

    fn reference(&mut self, bytes: Range<usize>) {
        let name = &self.text[bytes.start + 1..bytes.end - 1];
        let (code, message) = match entity(name) {
            XmlEntity::Char(c) => return self.push_text(Piece::XmlEntity(c, bytes)),
            XmlEntity::Bare => {
                self.bare_ampersand(bytes.start);
                return self.push_text(Piece::Verbatim(bytes));
            }
            XmlEntity::BadNumber => {
                (codes::BAD_CHARACTER, format!("`&{};` is no character of XML", short(name)))
            }
            XmlEntity::Unknown => {
                (codes::UNKNOWN_ENTITY, format!("the entity `&{};` has no meaning", short(name)))
            }
        };
        self.out.push(Diagnostic::error(code, self.span(bytes.clone()), message));
        self.push_text(Piece::XmlEntity(' ', bytes));
    }

    /// Text outside all elements is of no interest, except that there should be none. After broken markup there is
    /// some, and the reason was given.
    fn push_text(&mut self, piece: Piece) {
        if self.too_deep > 0 {
            return;
        }
        match self.open.last() {
            Some(&element) => self.elements.nodes[element].text.push(piece),
            None if self.restarts > 0 => {}
            None => self.outside(&piece),
        }
    }

    fn outside(&mut self, piece: &Piece) {
        let Piece::Verbatim(bytes) = piece else { return };
        let text = &self.text[bytes.clone()];
        let word = text.trim();
        if word.is_empty() {
            return;
        }
        let start = bytes.start + (text.len() - text.trim_start().len());
        let span = self.span(start..start + word.len());
        self.out.push(Diagnostic::warning(codes::STRAY_TEXT, span, "text outside all elements is ignored"));
    }

    fn doctype(&mut self, bytes: Range<usize>) {
        if self.text[bytes.clone()].contains('[') {
            let message = "declarations inside the DOCTYPE are ignored";
            self.out.push(Diagnostic::note(codes::INTERNAL_DTD, self.span(bytes), message));
        }
    }

    fn span(&self, bytes: Range<usize>) -> Span {
        span(self.file, bytes)
    }
}

/// What is wrong with the markup at a byte.
enum MarkupFault {
    /// A `<` that nothing follows which could make it a tag.
    BareLess,
    Markup(&'static str),
}

/// Whether a text starts with a `<` that means itself.
fn is_bare_less(text: &str) -> bool {
    text.strip_prefix('<').is_some_and(|rest| {
        let next = rest.chars().next();
        next.is_some_and(|c| !is_name_start(c) && !matches!(c, '/' | '!' | '?'))
    })
}

fn describe(error: &Error) -> &'static str {
    match error {
        Error::Syntax(SyntaxError::UnclosedComment) => "this comment is never closed",
        Error::Syntax(SyntaxError::UnclosedCData) => "this CDATA section is never closed",
        Error::Syntax(SyntaxError::UnclosedDoctype) => "this DOCTYPE is never closed",
        Error::Syntax(SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl) => {
            "this processing instruction is never closed"
        }
        Error::Syntax(SyntaxError::UnclosedTag) => "this tag is never closed",
        Error::Syntax(
            SyntaxError::UnclosedSingleQuotedAttributeValue | SyntaxError::UnclosedDoubleQuotedAttributeValue,
        ) => "a quote in this tag is never closed",
        _ => "this markup has no meaning",
    }
}

/// A word of the file for a message.
pub(super) fn short(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// Bytes of a file as a span: files are shorter than 4 GiB.
pub(super) fn span(file: SourceId, bytes: Range<usize>) -> Span {
    let offset = |byte| u32::try_from(byte).unwrap_or(u32::MAX);
    Span::new(file, offset(bytes.start), offset(bytes.end))
}

/// Whether a text is one element of this name, with nothing wrong in it.
pub(super) fn is_element(name: &str, text: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add_file("", "");
    let mut out = Diagnostics::default();
    let elements = Elements::read(text, file, &mut out);
    let [root] = elements.roots[..] else { return false };
    let Element { head, name: found, end, .. } = elements.get(root);
    let whole = head.start == 0 && *end == text.len() && text[found.clone()] == *name;
    let sound = |element: &Element| {
        let (mut all, fault) = attributes(text, element.head.clone());
        all.sort_by_key(|attribute| &text[attribute.name.clone()]);
        let twice = all.windows(2).any(|two| text[two[0].name.clone()] == text[two[1].name.clone()]);
        fault.is_none() && !twice
    };
    whole && out.is_empty() && elements.nodes.iter().all(sound) && text.chars().all(is_xml_character)
}
