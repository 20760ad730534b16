//! The parser: recursive descent over a vector of tokens, with a tree for any input.
//!
//! **Names of types.** In C and in UPPAAL's own parser a word lexes differently once a typedef has made it a
//! type. Here it does not. A declaration is recognised by looking ahead: two names in a row (`id_t x`) are never
//! an expression, and after `:` and in parameter lists only a type can stand. The one place that stays open is
//! the dimension of an array, `a[N]`, which is kept as an expression for the phase that knows the scopes. So the pieces
//! of an XML file can be parsed in any order, and a mistake in a typedef does not spoil every use of it. The
//! typedefs seen so far are noted, only to keep guesses about misspelt keywords away from them.
//!
//! **Errors.** [`Parser::error`] reports and sets `panicking`; until the parser recovers nothing more is reported
//! and every part returns what it has at once. Recovery happens at brackets ([`Parser::close`] skips to the
//! partner), at the end of statements and declarations, and at sections, whichever comes first. A mistake after
//! which it is clear how to continue (a missing semicolon, a misspelt keyword) is reported by [`Parser::report`],
//! which does not panic. Tokens that the lexer could not read cause panic silently: it has reported them.
//!
//! **Cost.** Tokens are only ever passed forwards, look-ahead is bounded except where a bracket is matched, and
//! that moves the position past what it examined: parsing is linear. Recursion is bounded by
//! [`MAX_NESTING`].

mod decl;
mod expr;
mod label;
mod query;
mod recover;
mod stmt;
mod suggest;
mod system;
mod template;
mod types;

use std::collections::HashSet;

use tourbillon_base::{Code, Diagnostic, Diagnostics, Severity, SourceId, Span};

use crate::codes;
use crate::lexer::{Dialect, LexerContext, Token, Tokens, tokens};
use crate::token::TokenKind;
use crate::tree::{MAX_NESTING, Name, Symbol, Tree};

/// What every parse adds to.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    pub(crate) tree: &'a mut Tree,
    pub(crate) out: &'a mut Diagnostics,
    /// The names of types seen so far.
    pub(crate) typedefs: &'a mut HashSet<Symbol>,
    pub(crate) dialect: Dialect,
}

/// A parse of one text.
#[derive(Debug)]
pub(crate) struct Parser<'a> {
    tree: &'a mut Tree,
    out: &'a mut Diagnostics,
    typedefs: &'a mut HashSet<Symbol>,
    text: &'a str,
    source: SourceId,
    dialect: Dialect,
    /// Whether a query is being read, in which more words are keywords.
    query: bool,
    tokens: Vec<Token>,
    /// Whether what is missing at the end was swallowed by a comment, which was reported.
    swallowed_rest: bool,
    pos: usize,
    depth: usize,
    reported_depth: bool,
    panicking: bool,
    /// Whether what stands here was found to be no declaration: until one is found, that is not said again.
    lost: bool,
    /// How far the function that is being read is indented.
    function_indent: Option<usize>,
    /// Where the last error was reported.
    last_error: Option<u32>,
    /// The number of errors before this text.
    errors_before: usize,
}

impl<'a> Parser<'a> {
    /// A parser at the start of `text[range]`.
    pub(crate) fn new(
        session: Session<'a>,
        text: &'a str,
        range: std::ops::Range<usize>,
        lexis: LexerContext,
    ) -> Self {
        let Session { tree, out, typedefs, dialect } = session;
        let errors_before = out.error_count();
        let Tokens { list: tokens, swallowed_rest } = tokens(text, range, lexis, out);
        let LexerContext { source, query } = lexis;
        Self {
            tree,
            out,
            typedefs,
            text,
            source,
            dialect,
            query,
            tokens,
            swallowed_rest,
            pos: 0,
            depth: 0,
            reported_depth: false,
            panicking: false,
            lost: false,
            function_indent: None,
            last_error: None,
            errors_before,
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    /// The kind of the current token.
    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token `ahead` places after the current one.
    fn nth(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.pos + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Whether the current token is this word, which is not reserved.
    fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Ident) && self.token_text(self.token()) == word
    }

    /// Passes the current token, unless it is the end.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn token_text(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.source, token.start, token.end)
    }

    /// The span of the current token.
    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// The place just after the previous token.
    fn after_previous(&self) -> Span {
        let end = match self.pos {
            0 => self.token().start,
            pos => self.tokens[pos - 1].end,
        };
        Span::new(self.source, end, end)
    }

    /// The offset at which the current token starts.
    fn start(&self) -> u32 {
        self.token().start
    }

    /// What was passed since `start`; empty if that is nothing.
    fn span_from(&self, start: u32) -> Span {
        Span::new(self.source, start, self.after_previous().end.max(start))
    }

    /// Whether the current token is the first on its line.
    fn starts_line(&self) -> bool {
        let previous = self.after_previous().end as usize;
        self.pos == 0 || self.text[previous..self.token().start as usize].contains('\n')
    }

    /// How far the line of the current token is indented, in bytes up to the token.
    fn indent(&self) -> usize {
        let start = self.token().start as usize;
        start - self.text[..start].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Reports a mistake after which reading can continue as it is. At one place only the first error is reported.
    fn report(&mut self, diagnostic: Diagnostic) {
        let known = self.panicking || (self.swallowed_rest && self.at(TokenKind::End));
        let is_error = diagnostic.severity == Severity::Error;
        if known || (is_error && self.last_error == Some(diagnostic.primary.start)) {
            return;
        }
        if is_error {
            self.last_error = Some(diagnostic.primary.start);
        }
        self.out.push(diagnostic);
    }

    /// Reports a mistake and panics until the parser recovers.
    fn error(&mut self, diagnostic: Diagnostic) {
        if !self.at(TokenKind::Unknown) {
            self.report(diagnostic);
        }
        self.panicking = true;
    }

    /// Reports that the current token is not what should stand here.
    fn expected(&mut self, what: &str) {
        self.expected_with(codes::EXPECTED, what, &[]);
    }

    fn expected_with(&mut self, code: Code, what: &str, help: &[&str]) {
        if self.panicking {
            return;
        }
        let message = format!("expected {what}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(code, self.here(), message);
        diagnostic.help.extend(help.iter().map(|&text| text.to_owned()));
        self.error(diagnostic);
    }

    /// The current token in the words of a message.
    fn found(&self) -> String {
        let text = self.token_text(self.token());
        match self.kind() {
            TokenKind::End => "the end of the text".to_owned(),
            kind if kind.is_keyword() => format!("the keyword `{text}`"),
            _ if text.chars().count() > 40 => format!("`{}…`", text.chars().take(40).collect::<String>()),
            _ => format!("`{text}`"),
        }
    }

    /// Passes a token of this kind, or reports that it is not there.
    fn expect(&mut self, kind: TokenKind, what: &str) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(what);
        }
        found
    }

    /// A name, or an empty one if there is none.
    fn name(&mut self, what: &str) -> Name {
        if self.at(TokenKind::Ident) && !self.panicking {
            let token = self.bump();
            return self.name_of(token);
        }
        let starts_type = self.kind().starts_type() && !can_follow_type_word(self.nth(1));
        if self.kind().is_keyword() && can_follow_name(self.nth(1)) && !starts_type && !self.panicking {
            let word = self.token_text(self.token());
            let message = format!("`{word}` is a reserved word and cannot be {what}");
            let diagnostic = Diagnostic::error(codes::RESERVED_WORD, self.here(), message);
            self.report(diagnostic.help(format!("choose another name, such as `{word}_`")));
            let token = self.bump();
            return self.name_of(token);
        }
        self.expected(what);
        let span = self.after_previous();
        Name { symbol: self.tree.intern(""), span }
    }

    fn name_of(&mut self, token: Token) -> Name {
        Name { symbol: self.tree.intern(self.token_text(token)), span: self.span_of(token) }
    }

    /// Runs a part of the parser one level deeper, or reports, once for a text, that this is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_NESTING {
            self.too_deep(self.here());
            return None;
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        Some(result)
    }

    fn too_deep(&mut self, span: Span) {
        if !std::mem::replace(&mut self.reported_depth, true) {
            let message = format!("this is nested more than {MAX_NESTING} levels deep");
            self.error(Diagnostic::error(codes::NESTING, span, message));
        }
        self.panicking = true;
    }

    /// Items separated by commas, until something else than a comma follows one.
    fn comma_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = vec![item(self)];
        while !self.panicking && self.eat(TokenKind::Comma) {
            items.push(item(self));
        }
        items
    }
}

/// Whether a token that follows a word leaves no doubt that the word was meant as a name.
fn can_follow_name(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Semicolon
            | Comma
            | Assign
            | ColonAssign
            | OpenBracket
            | CloseParen
            | OpenParen
            | OpenBrace
            | CloseBrace
            | Colon
            | Arrow
            | UncontrollableArrow
            | End
    )
}

/// Whether a token after `int` and the like leaves no doubt that the word was meant as a name.
fn can_follow_type_word(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Semicolon | Comma | Assign | ColonAssign | CloseParen | CloseBrace | End)
}
