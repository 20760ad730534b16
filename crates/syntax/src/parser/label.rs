//! Labels of locations and edges: conditions, synchronisations, rates. In XML each is a text of its own.

use tourbillon_base::{Diagnostic, Span};

use super::Parser;
use crate::codes;
use crate::lexer::Dialect;
use crate::operator::{AssignOp, BinaryOp, UnaryOp};
use crate::token::TokenKind;
use crate::tree::{Binder, ChainLink, Decl, Direction, ExprId, ExprKind, Param, Sync};

impl Parser<'_> {
    /// All declarations of a text.
    pub(crate) fn declarations_text(&mut self) -> Vec<Decl> {
        let mut all = Vec::new();
        loop {
            all.extend(self.declarations(&[]));
            match self.kind() {
                TokenKind::End => return all,
                TokenKind::CloseBrace => self.unmatched(),
                _ => {
                    self.expected("a declaration");
                    self.bump();
                    self.recover_declaration();
                }
            }
        }
    }

    /// The parameters of a template, without brackets.
    pub(crate) fn parameters_text(&mut self) -> Vec<Param> {
        if self.at(TokenKind::End) {
            return Vec::new();
        }
        let params = self.params();
        if self.at(TokenKind::Semicolon) && !self.panicking {
            let message = "`;` cannot follow a parameter";
            let diagnostic = Diagnostic::error(codes::TRAILING_TEXT, self.here(), message);
            self.error(diagnostic.help("separate parameters with commas"));
        }
        self.end_of("a list of parameters");
        params
    }

    /// The select label of an edge.
    pub(crate) fn select_text(&mut self) -> Vec<Binder> {
        if self.at(TokenKind::End) {
            return Vec::new();
        }
        let binders = self.comma_list(Self::binder);
        self.eat(TokenKind::Semicolon);
        self.end_of("a select label");
        binders
    }

    /// A guard or an invariant.
    pub(crate) fn condition_text(&mut self, what: &str) -> Option<ExprId> {
        if self.at(TokenKind::End) {
            return None;
        }
        let condition = self.condition(what);
        self.comma_instead_of_and(what);
        self.end_of(what);
        Some(condition)
    }

    pub(crate) fn synchronisation_text(&mut self) -> Option<Sync> {
        if self.at(TokenKind::End) {
            return None;
        }
        let sync = self.synchronisation();
        self.end_of("a synchronisation");
        Some(sync)
    }

    /// The updates of an edge.
    pub(crate) fn assignments_text(&mut self) -> Vec<ExprId> {
        if self.at(TokenKind::End) {
            return Vec::new();
        }
        let updates = self.comma_list(Self::expression);
        self.semicolon_instead_of_comma();
        self.end_of("the updates");
        updates
    }

    /// The weight of a branch, or the exponential rate of a location.
    pub(crate) fn rate_text(&mut self) -> Option<ExprId> {
        if self.at(TokenKind::End) {
            return None;
        }
        let rate = self.ratio();
        self.end_of("a rate");
        Some(rate)
    }

    /// A condition that must not change anything. In the old dialect, commas join conditions.
    pub(super) fn condition(&mut self, what: &str) -> ExprId {
        let start = self.start();
        let first = self.expression();
        self.refuse_assignment(first, what);
        let mut links = Vec::new();
        while self.dialect == Dialect::Old && !self.panicking && self.eat(TokenKind::Comma) {
            let operand = self.expression();
            self.refuse_assignment(operand, what);
            links.push(ChainLink { op: BinaryOp::And, operand });
        }
        if links.is_empty() {
            return first;
        }
        let span = self.span_from(start);
        self.tree.add_chain(first, links, span).unwrap_or_else(|| self.error_expr(span))
    }

    /// Reports `x = 5` where `x == 5` must be meant.
    pub(super) fn refuse_assignment(&mut self, condition: ExprId, what: &str) {
        if let Some(mark) = self.assignment_mark(condition) {
            let message = format!("{what} cannot assign");
            let diagnostic = Diagnostic::error(codes::ASSIGNMENT_AS_CONDITION, mark, message);
            self.report(diagnostic.help("write `==` to compare"));
        }
    }

    /// The operator, if an expression is an assignment; the left side of a conjunction counts, since
    /// `a && x = 5` is `(a && x) = 5`.
    pub(super) fn assignment_mark(&self, expr: ExprId) -> Option<Span> {
        let ExprKind::Assign { op: AssignOp::Set, target, value } = self.tree[expr].kind else { return None };
        let (left, right) = (self.tree[target].span.end, self.tree[value].span.start);
        let between = Span::new(self.source, left, right.max(left));
        let gap = &self.text[between.range()];
        let (at, length) = gap.find(":=").map(|at| (at, 2)).or_else(|| gap.find('=').map(|at| (at, 1)))?;
        let start = left + at as u32;
        Some(Span::new(self.source, start, start + length))
    }

    fn comma_instead_of_and(&mut self, what: &str) {
        if !self.at(TokenKind::Comma) || self.panicking {
            return;
        }
        let message = format!("`,` cannot follow {what}");
        let diagnostic = Diagnostic::error(codes::TRAILING_TEXT, self.here(), message);
        self.error(diagnostic.help("join conditions with `&&`; only the old dialect joins them with commas"));
    }

    fn semicolon_instead_of_comma(&mut self) {
        if self.at(TokenKind::Semicolon) && self.nth(1) == TokenKind::End {
            self.bump();
        } else if self.at(TokenKind::Semicolon) && !self.panicking {
            let diagnostic =
                Diagnostic::error(codes::TRAILING_TEXT, self.here(), "`;` cannot follow an update");
            self.error(diagnostic.help("separate updates with commas"));
        }
    }

    /// `c!`, `c[i]?`, `c`.
    pub(super) fn synchronisation(&mut self) -> Sync {
        let start = self.start();
        let misplaced = self.misplaced_mark();
        let channel = self.postfix();
        let direction = match self.kind() {
            _ if self.panicking => Direction::Csp,
            TokenKind::Bang => self.marked(Direction::Send),
            TokenKind::Question => self.marked(Direction::Receive),
            _ => misplaced.unwrap_or(Direction::Csp),
        };
        Sync { channel, direction, span: self.span_from(start) }
    }

    fn marked(&mut self, direction: Direction) -> Direction {
        self.bump();
        direction
    }

    fn misplaced_mark(&mut self) -> Option<Direction> {
        let direction = match self.kind() {
            TokenKind::Bang => Direction::Send,
            TokenKind::Question => Direction::Receive,
            _ => return None,
        };
        let mark = self.token_text(self.token());
        let message = format!("`{mark}` stands after the channel, not before it");
        self.report(Diagnostic::error(codes::SYNC_MARK, self.here(), message));
        self.bump();
        Some(direction)
    }

    /// A rate: an expression, or a ratio of two, `1:5`, which is their quotient.
    pub(super) fn ratio(&mut self) -> ExprId {
        let start = self.start();
        let first = self.expression();
        if self.panicking || !self.eat(TokenKind::Colon) {
            return first;
        }
        let link = ChainLink { op: BinaryOp::Divide, operand: self.expression() };
        let span = self.span_from(start);
        self.tree.add_chain(first, vec![link], span).unwrap_or_else(|| self.error_expr(span))
    }

    /// Whether `-->` stands here. In a model it was read as two tokens.
    pub(super) fn at_leads_to(&self) -> bool {
        let split = UnaryOp::postfix(self.kind()) == Some(UnaryOp::PostDecrement)
            && self.nth(1) == TokenKind::Greater
            && self.tokens[self.pos + 1].start == self.token().end;
        self.query && (self.at(TokenKind::LeadsTo) || split)
    }
}
