//! Tokens of expressions and statements.
//!
//! Also signs that the language does not have become tokens, if somebody who knows other languages would
//! write them: the parser then says what to write instead.

use tourbillon_base::{Diagnostic, Diagnostics, SourceId, Span};

use crate::codes;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Name,
    /// A name with dots, which expressions do not have.
    Dotted,
    Integer,
    If,
    Then,
    Else,
    End,
    While,
    Do,
    Local,
    Nop,
    Assign,
    Open,
    Close,
    OpenIndex,
    CloseIndex,
    Semicolon,
    Comma,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
    And,
    Or,
    Not,
    Equal,
    NotEqual,
    LessOrEqual,
    GreaterOrEqual,
    Less,
    Greater,
    /// An operator of other languages.
    Foreign,
    Finish,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

const SIGNS: &[(&str, TokenKind)] = &[
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("<<", TokenKind::Foreign),
    (">>", TokenKind::Foreign),
    ("++", TokenKind::Foreign),
    ("+=", TokenKind::Foreign),
    ("-=", TokenKind::Foreign),
    ("*=", TokenKind::Foreign),
    ("/=", TokenKind::Foreign),
    ("%=", TokenKind::Foreign),
    ("=<", TokenKind::Foreign),
    ("=>", TokenKind::Foreign),
    ("==", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),
    ("<=", TokenKind::LessOrEqual),
    (">=", TokenKind::GreaterOrEqual),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("=", TokenKind::Assign),
    ("(", TokenKind::Open),
    (")", TokenKind::Close),
    ("[", TokenKind::OpenIndex),
    ("]", TokenKind::CloseIndex),
    (";", TokenKind::Semicolon),
    (",", TokenKind::Comma),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Times),
    ("/", TokenKind::Divide),
    ("%", TokenKind::Remainder),
    ("!", TokenKind::Not),
    ("&", TokenKind::Foreign),
    ("|", TokenKind::Foreign),
    ("^", TokenKind::Foreign),
    ("~", TokenKind::Foreign),
    ("?", TokenKind::Foreign),
    ("'", TokenKind::Foreign),
];

const WORDS: &[(&str, TokenKind)] = &[
    ("if", TokenKind::If),
    ("then", TokenKind::Then),
    ("else", TokenKind::Else),
    ("end", TokenKind::End),
    ("while", TokenKind::While),
    ("do", TokenKind::Do),
    ("local", TokenKind::Local),
    ("nop", TokenKind::Nop),
];

/// Whether a name cannot be used in expressions because it is a word of theirs.
pub(crate) fn is_expression_word(name: &str) -> bool {
    WORDS.iter().any(|(word, _)| *word == name)
}

/// The tokens of a span of the text, closed by [`TokenKind::Finish`]; nothing if a character has no meaning, which
/// is reported.
pub(crate) fn tokens(text: &str, span: Span, out: &mut Diagnostics) -> Option<Vec<Token>> {
    let (end, source) = (span.end as usize, span.source);
    let mut at = span.start as usize;
    let mut list = Vec::new();
    while at < end {
        let rest = &text[at..end];
        let first = rest.as_bytes()[0];
        if first.is_ascii_whitespace() || first == 0x0b {
            at += 1;
            continue;
        }
        let (kind, len) = match first {
            b'0'..=b'9' => (TokenKind::Integer, run(rest, |byte| byte.is_ascii_digit())),
            b'$' | b'_' | b'a'..=b'z' | b'A'..=b'Z' => name(rest),
            _ => match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                Some((sign, kind)) => (*kind, sign.len()),
                None => return strange(rest, at, source, out),
            },
        };
        list.push(Token { kind, span: Span::new(source, at as u32, (at + len) as u32) });
        at += len;
    }
    list.push(Token { kind: TokenKind::Finish, span: span.at_end() });
    Some(list)
}

fn run(text: &str, such: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|&byte| such(byte)).count()
}

fn name(rest: &str) -> (TokenKind, usize) {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let len = 1 + run(&rest[1..], part);
    let dotted = 1 + run(&rest[1..], |byte| part(byte) || byte == b'.');
    if dotted > len {
        return (TokenKind::Dotted, dotted);
    }
    let word = WORDS.iter().find(|(word, _)| *word == &rest[..len]);
    (word.map_or(TokenKind::Name, |(_, kind)| *kind), len)
}

fn strange(rest: &str, at: usize, source: SourceId, out: &mut Diagnostics) -> Option<Vec<Token>> {
    let letter = rest.chars().next()?;
    let span = Span::new(source, at as u32, (at + letter.len_utf8()) as u32);
    let message = format!("`{}` has no meaning in expressions", letter.escape_debug());
    let diagnostic = Diagnostic::error(codes::STRANGE_CHARACTER, span, message);
    let ascii = match letter {
        '\u{2264}' => Some("<="),
        '\u{2265}' => Some(">="),
        '\u{2260}' => Some("!="),
        '\u{2227}' => Some("&&"),
        '\u{ac}' => Some("!"),
        '\u{2010}'..='\u{2014}' | '\u{2212}' => Some("-"),
        _ => None,
    };
    out.push(match ascii {
        Some(ascii) => diagnostic.help(format!("write `{ascii}`")),
        None => diagnostic,
    });
    None
}
