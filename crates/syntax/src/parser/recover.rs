//! Error recovery: matching brackets, missing semicolons, and restart points.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::lexer::Token;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Passes an opening bracket.
    pub(super) fn open(&mut self, kind: TokenKind, what: &str) -> Option<Token> {
        let token = self.token();
        self.expect(kind, what).then_some(token)
    }

    /// Passes the partner of an opening bracket. If it is not here, that is reported, and everything up to it is
    /// skipped; after that all is well again. If there is none before the end of the statement, we stop there,
    /// still panicking.
    pub(super) fn close(&mut self, open: Option<Token>) {
        let Some(open) = open else { return };
        let Some(closing) = open.kind.closing() else { return };
        if self.at(closing) {
            self.bump();
            self.panicking = false;
            return;
        }
        self.unclosed(open, closing);
        let inside_braces = open.kind == TokenKind::OpenBrace;
        if self.skip_to_partner(closing, inside_braces) {
            self.bump();
            self.panicking = false;
        }
    }

    fn unclosed(&mut self, open: Token, closing: TokenKind) {
        if self.panicking {
            return;
        }
        let closing = match closing {
            TokenKind::CloseParen => ")",
            TokenKind::CloseBracket => "]",
            _ => "}",
        };
        let message = format!("expected `{closing}`, found {}", self.found());
        let label = format!("this `{}` is open", self.token_text(open));
        let diagnostic = Diagnostic::error(codes::UNCLOSED_BRACKET, self.here(), message);
        self.error(diagnostic.label(self.span_of(open), label));
    }

    /// Skips to a closing bracket on this level. Outside braces, a semicolon or brace ends the search.
    fn skip_to_partner(&mut self, closing: TokenKind, inside_braces: bool) -> bool {
        let (mut parens, mut braces) = (0usize, 0usize);
        loop {
            let kind = self.kind();
            if parens == 0 && braces == 0 && kind == closing {
                return true;
            }
            match kind {
                TokenKind::End => return false,
                kind if kind.starts_section() && !self.query => return false,
                _ if self.at_next_function() || self.at_next_edge() => return false,
                TokenKind::CloseBrace if braces == 0 => return false,
                TokenKind::Semicolon | TokenKind::OpenBrace if !inside_braces => return false,
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace => braces -= 1,
                TokenKind::OpenParen | TokenKind::OpenBracket => parens += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket => parens = parens.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Passes the semicolon that ends something. If it is missing and something new starts here, reading goes
    /// on as if it were there.
    pub(super) fn semicolon(&mut self, after: &str) {
        if self.eat(TokenKind::Semicolon) {
            self.panicking = false;
        } else if !self.panicking && self.something_starts() {
            let message = format!("missing `;` after {after}");
            self.report(Diagnostic::error(codes::MISSING_SEMICOLON, self.after_previous(), message));
        } else {
            let hint = self.operator_hint();
            self.expected_with(codes::EXPECTED, "`;`", hint.as_deref().as_slice());
        }
    }

    /// Whether the current token cannot belong to what came before it.
    fn something_starts(&self) -> bool {
        let kind = self.kind();
        let new_word =
            kind.starts_type() || kind.starts_section() || kind.starts_label() || kind.starts_statement();
        new_word
            || matches!(kind, TokenKind::CloseBrace | TokenKind::End | TokenKind::KwTypedef)
            || (kind == TokenKind::Ident && self.starts_line())
    }

    /// Whether `type name(` stands here, with a type that is one word.
    pub(super) fn at_function_head(&self) -> bool {
        let typed = self.at(TokenKind::Ident) || self.kind().starts_type();
        typed && self.nth(1) == TokenKind::Ident && self.nth(2) == TokenKind::OpenParen
    }

    /// Whether a function starts here that is indented no further than the one that is being read: a closing
    /// brace is missing before it.
    pub(super) fn at_next_function(&self) -> bool {
        let Some(indent) = self.function_indent else { return false };
        self.at_function_head() && self.starts_line() && self.indent() <= indent
    }

    /// After a mistake in a declaration: to the next one. Passes its semicolon or its body.
    pub(super) fn recover_declaration(&mut self) {
        self.panicking = false;
        let mut braces = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => return,
                kind if kind.starts_section() => return,
                kind if braces == 0 && self.starts_line() && starts_declaration(kind) => return,
                _ if braces == 0 && self.starts_line() && self.at_function_head() => return,
                TokenKind::Semicolon if braces == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::CloseBrace if braces == 0 => return,
                TokenKind::CloseBrace if braces == 1 => {
                    self.bump();
                    self.eat(TokenKind::Semicolon);
                    return;
                }
                TokenKind::CloseBrace => braces -= 1,
                TokenKind::OpenBrace => braces += 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// After a mistake in a statement: to the next one, or to the end of the block.
    pub(super) fn recover_statement(&mut self) {
        self.panicking = false;
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::CloseBrace | TokenKind::OpenBrace => return,
                kind if kind.starts_section() => return,
                _ if self.at_next_function() => return,
                kind if self.starts_line() && (kind.starts_statement() || starts_declaration(kind)) => return,
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                _ => self.bump(),
            };
        }
    }

    /// After a mistake in an item of a list inside a section: to the comma or semicolon that ends it, the end of
    /// the block, the next section, or a name that starts a line. Passes braces with what is in them.
    pub(super) fn recover_list_item(&mut self) {
        self.panicking = false;
        let mut braces = 0usize;
        loop {
            match self.kind() {
                TokenKind::End => return,
                kind if kind.starts_section() => return,
                TokenKind::Comma | TokenKind::Semicolon if braces == 0 => return,
                TokenKind::Ident if braces == 0 && self.starts_line() => return,
                TokenKind::CloseBrace if braces == 0 && !self.closes_item() => return,
                TokenKind::CloseBrace => braces = braces.saturating_sub(1),
                TokenKind::OpenBrace => braces += 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the brace here closes an item of a list, not the block around it: the list continues after it.
    pub(super) fn closes_item(&self) -> bool {
        self.at(TokenKind::CloseBrace) && matches!(self.nth(1), TokenKind::Comma | TokenKind::Semicolon)
    }

    /// Reports what is left of a text that should have been read to its end.
    pub(super) fn end_of(&mut self, what: &str) {
        if self.at(TokenKind::End) || self.panicking {
            return;
        }
        if self.kind().is_closing() {
            self.unmatched();
        } else {
            let message = format!("{} cannot follow {what}", self.found());
            let mut diagnostic = Diagnostic::error(codes::TRAILING_TEXT, self.here(), message);
            diagnostic.help.extend(self.operator_hint());
            self.error(diagnostic);
        }
    }

    /// Reports a closing bracket that closes nothing, and passes it.
    pub(super) fn unmatched(&mut self) {
        if !self.lost {
            let message = format!("{} has no opening counterpart", self.found());
            self.report(Diagnostic::error(codes::UNMATCHED_BRACKET, self.here(), message));
            self.lost = true;
        }
        self.bump();
    }
}

fn starts_declaration(kind: TokenKind) -> bool {
    kind.starts_type() || kind == TokenKind::KwTypedef
}
