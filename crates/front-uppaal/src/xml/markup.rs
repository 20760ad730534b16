//! An XML writer, shared by all writers of UPPAAL's files.
//!
//! One element stands on a line, indented by tabs as UPPAAL has it, and everything is escaped, so that no text can
//! become markup. What was kept of another file goes in as it was, but only if it is one whole element.
//!
//! Invariant: elements are closed in the order in which they were opened; who calls sees to it.

use std::fmt::Write as _;

use super::elements::is_element;
use super::escape::{escape_attribute, escape_text};
use crate::layout::Point;

const HEADER: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
    'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>\n";

/// The attributes of an element, in order; those without a value are left out.
pub type MarkupAttributes<'a> = &'a [(&'a str, Option<&'a str>)];

/// XML that is being written.
///
/// ```
/// use tourbillon_front_uppaal::Markup;
///
/// let mut markup = Markup::default();
/// markup.open("location", &[("id", Some("id0"))]);
/// markup.text("name", &[], "a < b");
/// markup.close("location");
/// assert_eq!(markup.finish(), "<location id=\"id0\">\n\t<name>a &lt; b</name>\n</location>\n");
/// ```
#[derive(Clone, Default, Debug)]
pub struct Markup {
    out: String,
    depth: usize,
    /// How long the text was when an element was opened last.
    opened: usize,
}

impl Markup {
    /// The beginning of a file: its declaration and its type.
    #[must_use]
    pub fn file() -> Self {
        Self { out: HEADER.to_owned(), ..Self::default() }
    }

    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// Begins an element in which others stand.
    pub fn open(&mut self, name: &str, attributes: MarkupAttributes<'_>) {
        self.tag(name, attributes, ">\n");
        self.depth += 1;
        self.opened = self.out.len();
    }

    /// The same, with a position and a colour behind the attributes.
    pub fn open_at(
        &mut self,
        name: &str,
        attributes: MarkupAttributes<'_>,
        at: Option<Point>,
        colour: Option<&str>,
    ) {
        let (x, y) = coordinates(at);
        let more = [("x", x.as_deref()), ("y", y.as_deref()), ("color", colour)];
        self.open(name, &[attributes, &more].concat());
    }

    pub fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        // An element in which nothing was written is closed where it was opened.
        if self.out.len() == self.opened && self.out.ends_with(">\n") {
            self.out.truncate(self.out.len() - 2);
            self.out.push_str("/>\n");
            return;
        }
        self.indent();
        let _ = writeln!(self.out, "</{name}>");
    }

    /// An element with nothing in it.
    pub fn empty(&mut self, name: &str, attributes: MarkupAttributes<'_>) {
        self.tag(name, attributes, "/>\n");
    }

    /// An element of text.
    pub fn text(&mut self, name: &str, attributes: MarkupAttributes<'_>, text: &str) {
        self.tag(name, attributes, if text.is_empty() { "/>\n" } else { ">" });
        if !text.is_empty() {
            let _ = writeln!(self.out, "{}</{name}>", escape_text(text));
        }
    }

    /// An element of text with a position.
    pub fn placed(&mut self, name: &str, position: Option<Point>, text: &str) {
        let (x, y) = coordinates(position);
        self.text(name, &[("x", x.as_deref()), ("y", y.as_deref())], text);
    }

    /// A label of a location or edge.
    pub fn label(&mut self, kind: &str, position: Option<Point>, colour: Option<&str>, text: &str) {
        let (x, y) = coordinates(position);
        let attributes = [("kind", Some(kind)), ("x", x.as_deref()), ("y", y.as_deref()), ("color", colour)];
        self.text("label", &attributes, text);
    }

    /// A point that an edge passes through.
    pub fn nail(&mut self, at: Point) {
        let (x, y) = coordinates(Some(at));
        self.empty("nail", &[("x", x.as_deref()), ("y", y.as_deref())]);
    }

    /// An element as it stood in another file. False, and nothing is written, if it is not one whole element of this
    /// name.
    pub fn verbatim(&mut self, name: &str, text: &str) -> bool {
        if !is_element(name, text) {
            return false;
        }
        self.indent();
        self.out.push_str(text);
        self.out.push('\n');
        true
    }

    fn tag(&mut self, name: &str, attributes: MarkupAttributes<'_>, end: &str) {
        self.indent();
        let _ = write!(self.out, "<{name}");
        for (name, value) in attributes {
            if let Some(value) = value {
                let _ = write!(self.out, " {name}=\"{}\"", escape_attribute(value));
            }
        }
        self.out.push_str(end);
    }

    fn indent(&mut self) {
        self.out.extend(std::iter::repeat_n('\t', self.depth));
    }
}

fn coordinates(point: Option<Point>) -> (Option<String>, Option<String>) {
    (point.map(|point| point.x.to_string()), point.map(|point| point.y.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_without_anything_is_closed_where_it_was_opened() {
        let mut markup = Markup::default();
        markup.open("queries", &[]);
        markup.open("query", &[]);
        markup.close("query");
        markup.close("queries");
        assert_eq!(markup.finish(), "<queries>\n\t<query/>\n</queries>\n");
    }

    #[test]
    fn only_whole_elements_of_the_name_are_taken_over() {
        let refused =
            ["", "text", "<lsc>", "<lsc/><lsc/>", "<b/>", " <lsc/>", "<lsc a=1/>", "<lsc>\u{1}</lsc>"];
        let mut markup = Markup::default();
        for text in refused {
            assert!(!markup.verbatim("lsc", text), "{text:?}");
        }
        assert!(markup.verbatim("lsc", "<lsc a='1'>\n<lsc></lsc></lsc>"));
        assert_eq!(markup.finish(), "<lsc a='1'>\n<lsc></lsc></lsc>\n");
    }

    #[test]
    fn what_was_taken_over_does_not_look_like_an_open_element() {
        let mut markup = Markup::default();
        markup.open("query", &[]);
        assert!(markup.verbatim("result", "<result>\n<query></query></result>"));
        markup.close("query");
        assert_eq!(markup.finish(), "<query>\n\t<result>\n<query></query></result>\n</query>\n");
    }
}
