//! The lexer: text to tokens.
//!
//! The whole text becomes one vector of tokens (12 bytes each), so the parser can look ahead as far as it likes
//! and can always point at the end of the previous token. What is no token is reported here: a run of strange
//! characters once, an unterminated comment at the place where it began.
//!
//! One token depends on where it stands: `-->` is an operator of queries; in a model it is `--` and `>`, so that
//! `while (i --> 0)` means what it does in C.

use logos::Logos;
use tourbillon_base::{Diagnostic, Diagnostics, SourceId, Span};

use crate::codes;
use crate::token::{LexError, TokenKind};

/// Which of its two grammars a model is written in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// The language since UPPAAL 4.0.
    #[default]
    New,
    /// The language of UPPAAL 3.4 and of `.ta` files: `const N 5;`, conjunctions with commas, `=<` and `=>`,
    /// parameters by reference unless they are constant.
    Old,
}

/// A token, and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A text cut into tokens.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub(crate) list: Vec<Token>,
    /// Whether a comment without an end hides what follows: that something is missing at the end means nothing.
    pub(crate) swallowed_rest: bool,
}

/// What the lexer must know about the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LexerContext {
    pub(crate) source: SourceId,
    /// Whether the text is a query.
    pub(crate) query: bool,
}

/// The tokens of `text[range]`, closed by one [`TokenKind::End`]. Offsets count from the start of `text`.
pub(crate) fn tokens(
    text: &str,
    range: std::ops::Range<usize>,
    lexis: LexerContext,
    out: &mut Diagnostics,
) -> Tokens {
    let base = offset(range.start);
    let piece = &text[range.clone()];
    let tokens = Vec::with_capacity(piece.len() / 4 + 1);
    let mut lexing = Lexer { text, lexis, tokens, swallowed_rest: false, out };
    let mut lexer = TokenKind::lexer(piece);
    while let Some(result) = lexer.next() {
        let (start, end) = (base + offset(lexer.span().start), base + offset(lexer.span().end));
        match result {
            Ok(kind) => lexing.push(kind, start, end),
            Err(error) => lexing.error(error, start, end),
        }
    }
    lexing.report_strange_characters();
    let end = offset(range.end);
    lexing.tokens.push(Token { kind: TokenKind::End, start: end, end });
    Tokens { list: lexing.tokens, swallowed_rest: lexing.swallowed_rest }
}

/// Offsets fit in 32 bits because the source map takes no longer texts.
fn offset(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

struct Lexer<'a> {
    text: &'a str,
    lexis: LexerContext,
    tokens: Vec<Token>,
    swallowed_rest: bool,
    out: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn push(&mut self, kind: TokenKind, start: u32, end: u32) {
        match kind {
            TokenKind::LeadsTo if !self.lexis.query => {
                self.tokens.push(Token { kind: TokenKind::Decrement, start, end: start + 2 });
                self.tokens.push(Token { kind: TokenKind::Greater, start: start + 2, end });
            }
            _ => self.tokens.push(Token { kind, start, end }),
        }
    }

    fn error(&mut self, error: LexError, start: u32, end: u32) {
        match error {
            LexError::Character => self.strange_character(start, end),
            LexError::OpenComment => {
                let span = self.span(start, start + 2);
                let message = "this comment is never closed";
                self.swallowed_rest = true;
                self.out
                    .push(Diagnostic::error(codes::OPEN_COMMENT, span, message).help("close it with `*/`"));
            }
            LexError::OpenString => {
                let span = self.span(start, end);
                let message = "this string is not closed on its line";
                self.out
                    .push(Diagnostic::error(codes::OPEN_STRING, span, message).help("close it with `\"`"));
                self.unclosed_string(start, end);
            }
        }
    }

    /// A semicolon at the end of the line was hardly meant to be part of the string.
    fn unclosed_string(&mut self, start: u32, end: u32) {
        let line = self.text[start as usize..end as usize].trim_end();
        let end = start + offset(line.trim_end_matches(';').len());
        self.tokens.push(Token { kind: TokenKind::Str, start, end });
        if line.ends_with(';') {
            self.tokens.push(Token { kind: TokenKind::Semicolon, start: end, end: end + 1 });
        }
    }

    /// Characters that touch others of their kind make up one run. A single typographic sign that looks like an
    /// operator is taken for it.
    fn strange_character(&mut self, start: u32, end: u32) {
        let alone = self.text[end as usize..].chars().next().is_none_or(|next| next.is_ascii())
            && self.tokens.last().is_none_or(|last| last.kind != TokenKind::Unknown || last.end != start);
        let sign = &self.text[start as usize..end as usize];
        if let Some((ascii, kind)) = look_alike(sign).filter(|_| alone) {
            let message = format!("`{sign}` is not a character of the language");
            let diagnostic = Diagnostic::error(codes::STRANGE_CHARACTER, self.span(start, end), message);
            self.out.push(diagnostic.help(format!("write `{ascii}`")));
            self.tokens.push(Token { kind, start, end });
            return;
        }
        match self.tokens.last_mut() {
            Some(last) if last.kind == TokenKind::Unknown && last.end == start => last.end = end,
            _ => self.tokens.push(Token { kind: TokenKind::Unknown, start, end }),
        }
    }

    /// Reports each run once, now that its end is known.
    fn report_strange_characters(&mut self) {
        for token in self.tokens.iter().filter(|token| token.kind == TokenKind::Unknown) {
            let span = self.span(token.start, token.end);
            let run: String = self.text[span.range()].chars().take(20).collect();
            let message = format!("`{}` is not a character of the language", run.escape_debug());
            self.out.push(Diagnostic::error(codes::STRANGE_CHARACTER, span, message));
        }
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.lexis.source, start, end)
    }
}

/// The intended ASCII text of a typographic sign.
fn look_alike(sign: &str) -> Option<(&'static str, TokenKind)> {
    Some(match sign {
        "\u{2264}" => ("<=", TokenKind::LessEqual),
        "\u{2265}" => (">=", TokenKind::GreaterEqual),
        "\u{2260}" => ("!=", TokenKind::NotEqual),
        "\u{2227}" => ("&&", TokenKind::AndAnd),
        "\u{2228}" => ("||", TokenKind::OrOr),
        "\u{ac}" => ("!", TokenKind::Bang),
        "\u{2192}" => ("->", TokenKind::Arrow),
        "\u{2010}" | "\u{2011}" | "\u{2012}" | "\u{2013}" | "\u{2014}" | "\u{2212}" => {
            ("-", TokenKind::Minus)
        }
        "\u{2018}" | "\u{2019}" => ("'", TokenKind::Prime),
        "\u{d7}" => ("*", TokenKind::Star),
        _ => return None,
    })
}

impl Dialect {
    /// The dialect that a textual model seems to be written in: the old one if a process has no brackets after
    /// its name, a constant has neither type nor equals sign, or a comparison is spelt in the old way.
    #[must_use]
    pub fn guess(text: &str) -> Self {
        let mut kinds = TokenKind::lexer(text).map(|result| result.unwrap_or(TokenKind::Unknown));
        let mut window = [TokenKind::End; 3];
        let old = std::iter::from_fn(|| {
            window = [window[1], window[2], kinds.next()?];
            Some(window)
        })
        .any(|window| {
            matches!(
                window,
                [TokenKind::KwProcess, TokenKind::Ident, TokenKind::OpenBrace]
                    | [
                        TokenKind::KwConst,
                        TokenKind::Ident,
                        TokenKind::Int
                            | TokenKind::Minus
                            | TokenKind::Semicolon
                            | TokenKind::Comma
                            | TokenKind::CloseParen
                    ]
                    | [_, _, TokenKind::OldLessEqual | TokenKind::OldGreaterEqual]
            )
        });
        if old { Self::Old } else { Self::New }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_base::Id;

    fn kinds(text: &str, query: bool) -> (Vec<TokenKind>, Vec<String>) {
        let mut out = Diagnostics::default();
        let lexis = LexerContext { source: SourceId::from_index(0), query };
        let tokens = tokens(text, 0..text.len(), lexis, &mut out);
        let messages =
            out.iter().map(|d| format!("{} {}..{}", d.code, d.primary.start, d.primary.end)).collect();
        (tokens.list.iter().map(|token| token.kind).collect(), messages)
    }

    #[test]
    fn words_are_cut_where_the_language_cuts_them() {
        use TokenKind::*;
        let cases: &[(&str, &[TokenKind])] = &[
            ("x_1$#a", &[Ident]),
            ("a<?b>?c", &[Ident, Minimum, Ident, Maximum, Ident]),
            ("x'==0", &[Ident, Prime, Equal, Int]),
            ("A->B -u-> C", &[Ident, Arrow, Ident, UncontrollableArrow, Ident]),
            ("x-u-1", &[Ident, Minus, Ident, Minus, Int]),
            ("i-->0", &[Ident, Decrement, Greater, Int]),
            ("1.5e-3 .5 2. 3e4 7", &[Float, Float, Float, Float, Int]),
            ("a[0..1]", &[Ident, OpenBracket, Float, Float, CloseBracket]),
            ("x:=1 // rest\ny /* a */ z", &[Ident, ColonAssign, Int, Ident, Ident]),
            ("a \\\n b \\\r\n c", &[Ident, Ident, Ident]),
            ("\"a b\" \"\"", &[Str, Str]),
            (
                "<<= >>= ** ** = <= >=",
                &[ShiftLeftAssign, ShiftRightAssign, Power, Power, Assign, LessEqual, GreaterEqual],
            ),
            ("notx not forall_", &[Ident, Not, Ident]),
            ("/**/x/***/y", &[Ident, Ident]),
        ];
        for &(text, expected) in cases {
            let (mut found, messages) = kinds(text, false);
            assert_eq!(found.pop(), Some(End));
            assert_eq!((found.as_slice(), messages.len()), (expected, 0), "{text}");
        }
        assert_eq!(kinds("p --> q", true).0, [Ident, LeadsTo, Ident, End]);
    }

    #[test]
    fn what_is_no_word_is_reported_once() {
        let cases: &[(&str, &[&str])] = &[
            ("a \u{2264}\u{2264}@@ b $ c", &["S0001 2..10", "S0001 13..14"]),
            ("a \u{2264} b \u{d7} c", &["S0001 2..5", "S0001 8..10"]),
            ("a /* b \n c", &["S0002 2..4"]),
            ("x = \"abc\n;", &["S0003 4..8"]),
        ];
        for &(text, expected) in cases {
            assert_eq!(kinds(text, false).1, expected, "{text}");
        }
    }

    #[test]
    fn the_dialect_can_be_guessed() {
        let old = [
            "const N 5;",
            "process P(const id; const delay) {",
            "process P(const k) {",
            "process P { }",
            "process P() { state A { x =< 5 }; }",
        ];
        let new = ["const int N = 5;", "process P() { }", "", "process P(const int N) {", "const N = 5;"];
        assert!(old.iter().all(|text| Dialect::guess(text) == Dialect::Old));
        assert!(new.iter().all(|text| Dialect::guess(text) == Dialect::New));
    }
}
