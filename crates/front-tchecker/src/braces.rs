//! The syntax of attributes: key-value pairs in braces, over several lines.
//!
//! A brace that is not closed would swallow the rest of the file: therefore a line that begins like a
//! declaration ends the attributes before it. Such a line could in theory be part of a value; nobody has
//! written one.

use tourbillon_base::Diagnostic;

use crate::codes;
use crate::lines::{Attribute, Lines, Word, is_blank, is_keyword, is_letter};

impl<'t> Lines<'t, '_> {
    /// The attributes whose opening brace is next.
    pub(crate) fn attributes(&mut self) -> Vec<Attribute<'t>> {
        let brace = self.at;
        let mut attributes = Vec::new();
        self.at += 1;
        self.blanks_and_comments();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return attributes;
        }
        loop {
            self.blanks_and_comments();
            if self.ends_unclosed(brace) {
                return attributes;
            }
            let Some(key) = self.key() else {
                self.skip_attributes(brace);
                return attributes;
            };
            let value = self.value(brace);
            if self.peek() != Some(b'{') {
                attributes.push(Attribute { key, value });
            }
            match self.peek() {
                None | Some(b'\n') => return attributes,
                Some(b':') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return attributes;
                }
                _ => {
                    let span = self.span(self.at, self.at + 1);
                    let message = "`{` cannot stand in a value";
                    self.out.push(Diagnostic::error(codes::ATTRIBUTE_FORM, span, message));
                    self.skip_attributes(brace);
                    return attributes;
                }
            }
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Option<Word<'t>> {
        let start = self.at;
        self.skip(|byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'.');
        let key = self.word(self.span(start, self.at));
        if key.text.is_empty() || key.text.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            let next = self.text[start..].chars().next().map_or(0, char::len_utf8);
            let span = self.span(start, start + next.max(key.text.len()));
            let message = "expected the key of an attribute";
            let help = "attributes are pairs with colons between them: `{key: value : key: value}`; a value \
                        contains no colon";
            self.out.push(Diagnostic::error(codes::ATTRIBUTE_FORM, span, message).help(help));
            return None;
        }
        self.blanks_and_comments();
        if self.peek() != Some(b':') {
            let message = format!("`{}` has no colon after it", key.text);
            let help = format!("write `{}:`, also if there is no value", key.text);
            self.out.push(Diagnostic::error(codes::ATTRIBUTE_FORM, key.span, message).help(help));
            return None;
        }
        self.at += 1;
        Some(key)
    }

    /// A value, up to what ends it. What follows a comment, which may not be there, is left out.
    fn value(&mut self, brace: usize) -> Word<'t> {
        let start = self.at;
        let mut end = None;
        loop {
            match self.peek() {
                Some(b':' | b'{' | b'}') => break,
                Some(b'#') => {
                    end = end.or(Some(self.at));
                    self.comment();
                }
                Some(b'\n') if self.declaration_follows() => break self.unclosed(brace),
                Some(_) => self.at += 1,
                None => break self.unclosed(brace),
            }
        }
        let raw = &self.text[start..end.unwrap_or(self.at)];
        let start = start + (raw.len() - raw.trim_start().len());
        self.word(self.span(start, start + raw.trim().len()))
    }

    fn comment(&mut self) {
        let start = self.at;
        self.skip(|byte| byte != b'\n');
        let message = "a comment cannot stand between braces";
        let diagnostic = Diagnostic::error(codes::COMMENT_IN_BRACES, self.span(start, self.at), message);
        self.out.push(diagnostic.help("put it before or after the declaration"));
    }

    fn blanks_and_comments(&mut self) {
        loop {
            match self.peek() {
                Some(b'#') => self.comment(),
                Some(b'\n') if self.declaration_follows() => return,
                Some(byte) if is_blank(byte) || byte == b'\n' => self.at += 1,
                _ => return,
            }
        }
    }

    fn ends_unclosed(&mut self, brace: usize) -> bool {
        let ends = matches!(self.peek(), None | Some(b'\n'));
        if ends {
            self.unclosed(brace);
        }
        ends
    }

    /// Whether the line after this line break begins like a declaration.
    fn declaration_follows(&self) -> bool {
        let line = self.text[self.at + 1..].trim_start_matches([' ', '\t', '\r']);
        let end = line.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(line.len());
        is_keyword(&line[..end]) && line[end..].trim_start_matches([' ', '\t']).starts_with(':')
    }

    fn unclosed(&mut self, brace: usize) {
        let message = "this brace is never closed";
        let here = self.span(self.at, self.at);
        let diagnostic = Diagnostic::error(codes::UNCLOSED_BRACE, self.span(brace, brace + 1), message);
        self.out.push(diagnostic.label(here, "it should have been closed before here"));
    }

    /// Moves behind the closing brace, or to where it is missing. Braces inside, which may not be there, are
    /// skipped in pairs.
    fn skip_attributes(&mut self, brace: usize) {
        let mut open = 1;
        loop {
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    open -= 1;
                    if open == 0 {
                        return;
                    }
                }
                Some(b'{') => {
                    self.at += 1;
                    open += 1;
                }
                Some(b'\n') if self.declaration_follows() => return self.unclosed(brace),
                None => return self.unclosed(brace),
                Some(_) => self.at += 1,
            }
        }
    }
}
