//! The attributes of a tag, with their byte ranges.
//!
//! Written here rather than taken from the XML library, which gives values without their places. Anything is read:
//! missing quotes, a missing value, characters that cannot be part of a name; the fault is reported once per tag.

use std::ops::Range;

/// An attribute as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Attribute {
    /// The bytes of its name.
    pub(super) name: Range<usize>,
    /// The bytes of its value, without quotes, entities not decoded.
    pub(super) value: Range<usize>,
}

/// The attributes of a tag, and the first place where they are not as they should be.
pub(super) fn attributes(text: &str, tag: Range<usize>) -> (Vec<Attribute>, Option<usize>) {
    let mut scanner = Scanner { bytes: &text.as_bytes()[..tag.end], pos: tag.start + 1, fault: None };
    scanner.skip(|b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>'));
    let mut found = Vec::new();
    loop {
        scanner.skip(|b| b.is_ascii_whitespace());
        match scanner.peek() {
            None | Some(b'>') => return (found, scanner.fault),
            Some(b'/' | b'"' | b'\'' | b'=') => {
                let closes = scanner.bytes[scanner.pos..] == *b"/>";
                scanner.fault_unless(closes);
                scanner.pos += 1;
            }
            Some(_) => found.push(scanner.attribute()),
        }
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    pos: usize,
    fault: Option<usize>,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Passes bytes while they are of some kind, and tells which.
    fn skip(&mut self, wanted: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.pos;
        while self.peek().is_some_and(&wanted) {
            self.pos += 1;
        }
        start..self.pos
    }

    fn fault_unless(&mut self, good: bool) {
        if !good {
            self.fault.get_or_insert(self.pos);
        }
    }

    fn attribute(&mut self) -> Attribute {
        let name = self.skip(|b| !b.is_ascii_whitespace() && !matches!(b, b'=' | b'/' | b'>' | b'"' | b'\''));
        self.skip(|b| b.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            self.fault_unless(false);
            return Attribute { value: name.end..name.end, name };
        }
        self.pos += 1;
        self.skip(|b| b.is_ascii_whitespace());
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.pos += 1;
                let value = self.skip(|b| b != quote);
                self.fault_unless(self.peek() == Some(quote));
                self.pos += 1;
                Attribute { name, value }
            }
            _ => {
                self.fault_unless(false);
                let value = self.skip(|b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>'));
                Attribute { name, value }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_with_their_places() {
        type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<usize>);
        let cases: &[Case<'_>] = &[
            ("<a>", &[], None),
            ("<a/>", &[], None),
            ("<a  x=\"1\" y = '2'/>", &[("x", "1"), ("y", "2")], None),
            ("<a x='a&lt;\"'>", &[("x", "a&lt;\"")], None),
            ("<a x=1 y>", &[("x", "1"), ("y", "")], Some(5)),
            ("<a x=\"1\"y=\"2\">", &[("x", "1"), ("y", "2")], None),
            ("<a é=\"ü\">", &[("é", "ü")], None),
            ("<a / x=\"1\">", &[("x", "1")], Some(3)),
            ("<a =\"1\">", &[("1", "")], Some(3)),
        ];
        for (tag, expected, fault) in cases {
            let (found, at) = attributes(tag, 0..tag.len());
            let found: Vec<_> = found.into_iter().map(|a| (&tag[a.name], &tag[a.value])).collect();
            assert_eq!((&found[..], at), (*expected, *fault), "{tag}");
        }
    }
}
