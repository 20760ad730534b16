//! The parser of declarations: the outer language of a file.
//!
//! A file is a list of lines, each a keyword and fields with colons between them, and perhaps attributes in
//! braces; only those may continue over several lines. What is inside the values of attributes is another
//! language, see [`formula`](crate::formula); here a value is a span.
//!
//! A line that is wrong is reported and left out, and parsing continues with the next one.

use tourbillon_base::{Diagnostic, Diagnostics, SourceId, Span};

use crate::codes;
use crate::names::nearest;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
}

/// An integer; nothing if it is too large, which was reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) value: Option<i32>,
    pub(crate) span: Span,
}

/// `P@e` or `P@e?`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorPart<'t> {
    pub(crate) process: Word<'t>,
    pub(crate) event: Word<'t>,
    pub(crate) weak: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Content<'t> {
    System { name: Word<'t> },
    Process { name: Word<'t> },
    Event { name: Word<'t> },
    Clock { size: Number, name: Word<'t> },
    Int { size: Number, min: Number, max: Number, initial: Number, name: Word<'t> },
    Location { process: Word<'t>, name: Word<'t> },
    Edge { process: Word<'t>, source: Word<'t>, target: Word<'t>, event: Word<'t> },
    Sync { parts: Vec<VectorPart<'t>> },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'t> {
    pub(crate) key: Word<'t>,
    /// Without the blanks around it.
    pub(crate) value: Word<'t>,
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration<'t> {
    pub(crate) keyword: Word<'t>,
    pub(crate) content: Content<'t>,
    pub(crate) attributes: Vec<Attribute<'t>>,
    /// Without the attributes.
    pub(crate) span: Span,
}

/// Each keyword with the form of its declaration and what each field is: a name, or a number.
const FORMS: &[(&str, &str, &[Field])] = &[
    ("system", "system:NAME", &[Field::Name]),
    ("process", "process:NAME", &[Field::Name]),
    ("event", "event:NAME", &[Field::Name]),
    ("clock", "clock:SIZE:NAME", &[Field::Integer, Field::Name]),
    (
        "int",
        "int:SIZE:MIN:MAX:INITIAL:NAME",
        &[Field::Integer, Field::Integer, Field::Integer, Field::Integer, Field::Name],
    ),
    ("location", "location:PROCESS:NAME{attributes}", &[Field::Name, Field::Name]),
    (
        "edge",
        "edge:PROCESS:SOURCE:TARGET:EVENT{attributes}",
        &[Field::Name, Field::Name, Field::Name, Field::Name],
    ),
    ("sync", "sync:PROCESS@EVENT:PROCESS@EVENT?", &[]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Name,
    Integer,
}

pub(crate) fn is_keyword(word: &str) -> bool {
    FORMS.iter().any(|(keyword, ..)| *keyword == word)
}

/// All declarations of a text that could be read.
pub(crate) fn declarations<'t>(
    text: &'t str,
    source: SourceId,
    out: &mut Diagnostics,
) -> Vec<Declaration<'t>> {
    let mut lines = Lines { text, source, at: 0, out };
    let mut found = Vec::new();
    // A byte order mark is no part of the text.
    if text.starts_with('\u{feff}') {
        lines.at = '\u{feff}'.len_utf8();
    }
    while lines.at < text.len() {
        found.extend(lines.declaration());
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Word,
    Integer,
    Colon,
    At,
    Question,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    sign: Sign,
    span: Span,
}

/// Reads from where it is on.
pub(crate) struct Lines<'t, 'o> {
    pub(crate) text: &'t str,
    source: SourceId,
    pub(crate) at: usize,
    pub(crate) out: &'o mut Diagnostics,
}

impl<'t> Lines<'t, '_> {
    /// The declaration of the next line, if it has one that can be read. Goes past the end of the line.
    fn declaration(&mut self) -> Option<Declaration<'t>> {
        let (tokens, clean) = self.tokens();
        let brace = self.at;
        let attributes = if self.peek() == Some(b'{') { self.attributes() } else { Vec::new() };
        if tokens.is_empty() && brace < self.at && clean {
            let message = "these attributes belong to no declaration";
            let diagnostic = Diagnostic::error(codes::ATTRIBUTE_FORM, self.span(brace, brace + 1), message);
            self.out.push(diagnostic.help("the brace opens on the line of the declaration"));
        }
        let braces_closed = self.at > 0 && self.text.as_bytes()[self.at - 1] == b'}';
        self.rest_of_line(braces_closed);
        let (first, last) = (tokens.first()?, tokens.last()?);
        let span = first.span.to(last.span);
        let (keyword, content) = match clean {
            true => self.content(&tokens, span)?,
            // Something was reported. If the line makes sense without it, what it declares is there all the
            // same.
            false => {
                let mut silent = Diagnostics::with_cap(0);
                Lines { out: &mut silent, ..*self }.content(&tokens, span)?
            }
        };
        Some(Declaration { keyword, content, attributes, span })
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start as u32, end as u32)
    }

    pub(crate) fn word(&self, span: Span) -> Word<'t> {
        Word { text: &self.text[span.range()], span }
    }

    /// Moves on as long as the bytes are such.
    pub(crate) fn skip(&mut self, such: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&such) {
            self.at += 1;
        }
    }

    /// The tokens up to the braces or the end of the line, and whether there was nothing else.
    fn tokens(&mut self) -> (Vec<Token>, bool) {
        let (mut tokens, mut clean) = (Vec::new(), true);
        loop {
            self.skip(is_blank);
            let start = self.at;
            let Some(byte) = self.peek() else { break };
            let sign = match byte {
                b'\n' | b'{' => break,
                b'#' => {
                    self.skip(|byte| byte != b'\n');
                    continue;
                }
                b':' => Some(Sign::Colon),
                b'@' => Some(Sign::At),
                b'?' => Some(Sign::Question),
                b'0'..=b'9' => Some(Sign::Integer),
                b'+' | b'-' if self.text.as_bytes().get(start + 1).is_some_and(u8::is_ascii_digit) => {
                    Some(Sign::Integer)
                }
                _ if is_letter(byte) => Some(Sign::Word),
                _ => None,
            };
            let Some(sign) = sign else {
                self.strange_characters(start);
                clean = false;
                continue;
            };
            self.at += 1;
            match sign {
                Sign::Word => self.skip(|byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'.'),
                Sign::Integer => self.skip(|byte| byte.is_ascii_digit()),
                _ => {}
            }
            tokens.push(Token { sign, span: self.span(start, self.at) });
        }
        (tokens, clean)
    }

    fn strange_characters(&mut self, start: usize) {
        let known = |byte: u8| {
            is_blank(byte)
                || is_letter(byte)
                || byte.is_ascii_digit()
                || matches!(byte, b'\n' | b'{' | b'#' | b':' | b'@' | b'?')
        };
        self.at += 1;
        match self.text[start..].starts_with("//") {
            true => self.skip(|byte| byte != b'\n'),
            false => self.skip(|byte| !known(byte)),
        }
        let run: String = self.text[start..self.at].chars().take(20).collect();
        let message = format!("`{}` has no meaning here", run.escape_debug());
        let diagnostic = Diagnostic::error(codes::STRANGE_CHARACTER, self.span(start, self.at), message);
        self.out.push(match run.starts_with("//") || run.starts_with("/*") {
            true => diagnostic.help("comments start with `#`"),
            false if run == "}" => diagnostic.help("no brace is open here"),
            false => diagnostic,
        });
    }

    /// After the attributes nothing may follow on the line.
    fn rest_of_line(&mut self, after_attributes: bool) {
        if after_attributes {
            let (tokens, _) = self.tokens();
            let brace = self.at;
            if self.peek() == Some(b'{') {
                self.skip(|byte| byte != b'\n');
            }
            if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
                let message = "a declaration ends with its attributes";
                let diagnostic = Diagnostic::error(codes::TRAILING_TEXT, first.span.to(last.span), message);
                self.out.push(diagnostic.help("put each declaration on a line of its own"));
            } else if brace < self.at {
                let message = "a declaration has one pair of braces";
                let diagnostic =
                    Diagnostic::error(codes::TRAILING_TEXT, self.span(brace, brace + 1), message);
                self.out.push(diagnostic.help("write all attributes into it: `{key: value : key: value}`"));
            }
        }
        if self.peek() == Some(b'\n') {
            self.at += 1;
        }
    }

    /// What the tokens of a line declare.
    fn content(&mut self, tokens: &[Token], span: Span) -> Option<(Word<'t>, Content<'t>)> {
        let keyword = self.word(tokens[0].span);
        let Some(&(_, form, fields)) = FORMS.iter().find(|(name, ..)| *name == keyword.text) else {
            self.unknown_declaration(keyword);
            return None;
        };
        let Some((colon, rest)) = tokens[1..].split_first() else {
            self.expected("`:`", tokens[0].span.at_end(), form);
            return None;
        };
        if colon.sign != Sign::Colon {
            self.expected("`:`", colon.span, form);
            return None;
        }
        let groups: Vec<&[Token]> = rest.split(|token| token.sign == Sign::Colon).collect();
        if keyword.text == "sync" {
            return Some((keyword, Content::Sync { parts: self.parts(&groups, span, form)? }));
        }
        if groups.len() != fields.len() {
            let [has, needs] = [groups.len(), fields.len()]
                .map(|count| if count == 1 { "1 field".to_owned() } else { format!("{count} fields") });
            let article = if keyword.text == "int" || keyword.text.starts_with('e') { "an" } else { "a" };
            let message = format!(
                "{article} `{}` line has {needs}; here are {}",
                keyword.text,
                &has[..has.find(' ').unwrap_or(0)]
            );
            self.out
                .push(Diagnostic::error(codes::FIELD_COUNT, span, message).help(format!("write `{form}`")));
            return None;
        }
        let mut spans = Vec::with_capacity(fields.len());
        let mut end = colon.span;
        for (group, field) in groups.iter().zip(fields) {
            spans.push(self.field(group, *field, end, form)?);
            end = group[0].span.at_end();
        }
        let numbers: Vec<Number> = fields
            .iter()
            .zip(&spans)
            .filter(|(field, _)| **field == Field::Integer)
            .map(|(_, span)| self.number(*span))
            .collect();
        let word = |index: usize| self.word(spans[index]);
        let content = match keyword.text {
            "system" => Content::System { name: word(0) },
            "process" => Content::Process { name: word(0) },
            "event" => Content::Event { name: word(0) },
            "clock" => Content::Clock { size: numbers[0], name: word(1) },
            "int" => Content::Int {
                size: numbers[0],
                min: numbers[1],
                max: numbers[2],
                initial: numbers[3],
                name: word(4),
            },
            "location" => Content::Location { process: word(0), name: word(1) },
            _ => Content::Edge { process: word(0), source: word(1), target: word(2), event: word(3) },
        };
        Some((keyword, content))
    }

    fn unknown_declaration(&mut self, keyword: Word<'t>) {
        let message = format!("`{}` starts no declaration", keyword.text);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_DECLARATION, keyword.span, message);
        let meant = nearest(keyword.text, FORMS.iter().map(|(name, ..)| *name));
        self.out.push(match meant {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
            None => diagnostic.help(
                "a line starts with `system`, `process`, `event`, `clock`, `int`, `location`, `edge` or `sync`",
            ),
        });
    }

    fn expected(&mut self, what: &str, span: Span, form: &str) {
        let found = match &self.text[span.range()] {
            "" => String::new(),
            found => format!(", found `{found}`"),
        };
        let message = format!("expected {what}{found}");
        self.out.push(Diagnostic::error(codes::EXPECTED, span, message).help(format!("write `{form}`")));
    }

    /// The one token of a field.
    fn field(&mut self, group: &[Token], field: Field, before: Span, form: &str) -> Option<Span> {
        let (what, sign) = match field {
            Field::Name => ("a name", Sign::Word),
            Field::Integer => ("an integer", Sign::Integer),
        };
        let Some(token) = group.first() else {
            self.expected(what, before.at_end(), form);
            return None;
        };
        if token.sign != sign {
            self.expected(what, token.span, form);
            return None;
        }
        if let Some(more) = group.get(1) {
            self.expected("`:` or the end of the line", more.span, form);
            return None;
        }
        self.not_reserved(token.span)?;
        Some(token.span)
    }

    fn not_reserved(&mut self, span: Span) -> Option<()> {
        let word = self.word(span);
        if !is_keyword(word.text) {
            return Some(());
        }
        let message = format!("`{}` is a reserved word", word.text);
        let help = format!("choose another name, such as `{}_`", word.text);
        self.out.push(Diagnostic::error(codes::RESERVED_WORD, span, message).help(help));
        None
    }

    fn number(&mut self, span: Span) -> Number {
        let value = self.text[span.range()].parse().ok();
        if value.is_none() {
            let message = "this integer does not fit in 32 bits";
            self.out.push(
                Diagnostic::error(codes::INTEGER_TOO_LARGE, span, message)
                    .help("integers are between -2147483648 and 2147483647"),
            );
        }
        Number { value, span }
    }

    fn parts(&mut self, groups: &[&[Token]], span: Span, form: &str) -> Option<Vec<VectorPart<'t>>> {
        let mut parts = Vec::with_capacity(groups.len());
        for group in groups {
            let expected: [(Sign, &str); 3] =
                [(Sign::Word, "a process"), (Sign::At, "`@`"), (Sign::Word, "an event")];
            for (index, (sign, what)) in expected.into_iter().enumerate() {
                let place = match group.get(index) {
                    Some(token) if token.sign == sign => continue,
                    Some(token) => token.span,
                    None => group.last().map_or(span, |token| token.span).at_end(),
                };
                self.expected(what, place, form);
                return None;
            }
            let more = match group.get(3) {
                Some(token) if token.sign == Sign::Question => group.get(4),
                more => more,
            };
            if let Some(more) = more {
                self.expected("`?`, `:` or the end of the line", more.span, form);
                return None;
            }
            self.not_reserved(group[0].span)?;
            self.not_reserved(group[2].span)?;
            parts.push(VectorPart {
                process: self.word(group[0].span),
                event: self.word(group[2].span),
                weak: group.len() > 3,
            });
        }
        Some(parts)
    }
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

pub(crate) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}
