//! The bodies of functions.
//!
//! Every statement is an error boundary: after a mistake, parsing continues with the next statement of the block.
//! A function that starts no further to the right than the one being read shows that a brace is missing, which
//! is worth a message of its own: without it every function after that would seem wrong.

use tourbillon_base::Diagnostic;

use super::Parser;
use crate::codes;
use crate::token::TokenKind;
use crate::tree::{Block, Decl, ExprId, ExprKind, Stmt, StmtKind};

/// What a name before another name can be a misspelling of, at the start of a statement.
const BEFORE_NAME: &[TokenKind] = &[
    TokenKind::KwReturn,
    TokenKind::KwInt,
    TokenKind::KwBool,
    TokenKind::KwConst,
    TokenKind::KwAssert,
    TokenKind::KwElse,
];

impl Parser<'_> {
    /// `{ … }` after the head of a function. If it is missing there is nothing to read on with.
    pub(super) fn function_body(&mut self) -> Block {
        if self.panicking && self.at(TokenKind::OpenBrace) {
            self.panicking = false;
        }
        if !self.at(TokenKind::OpenBrace) {
            self.expected("`{` and the body of the function");
            return Block { declarations: Vec::new(), statements: Vec::new(), span: self.after_previous() };
        }
        self.block()
    }

    /// A block; the current token is its brace.
    fn block(&mut self) -> Block {
        let start = self.start();
        let open = self.bump();
        let mut block =
            Block { declarations: Vec::new(), statements: Vec::new(), span: self.span_from(start) };
        while !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End)
            && !self.kind().starts_section()
            && !self.at_next_function()
        {
            let before = self.pos;
            self.block_item(&mut block);
            if self.panicking {
                self.recover_statement();
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close(Some(open));
        block.span = self.span_from(start);
        block
    }

    fn block_item(&mut self, block: &mut Block) {
        if self.nth(1) == TokenKind::Ident {
            self.correct(BEFORE_NAME, 1);
        }
        if !self.at_local_declaration() {
            block.statements.push(self.statement());
            return;
        }
        if !block.statements.is_empty() && !self.at_function_head() {
            let message = "a declaration cannot follow a statement";
            let diagnostic = Diagnostic::error(codes::LATE_DECLARATION, self.here(), message);
            self.report(diagnostic.help("move it to the start of the block"));
        }
        let start = self.here();
        let declaration = self.declaration();
        if let Some(Decl::Function(function)) = &declaration {
            let span = function.name.span;
            let message = "a function cannot be declared inside another";
            let diagnostic =
                Diagnostic::error(codes::NESTED_FUNCTION, span, message).label(start, "it starts here");
            self.report(diagnostic);
        }
        block.declarations.extend(declaration);
    }

    fn at_local_declaration(&self) -> bool {
        self.kind().starts_type() || self.at(TokenKind::KwTypedef) || self.at_named_type()
    }

    fn statement(&mut self) -> Stmt {
        let start = self.start();
        let kind = self.nested(Self::statement_kind).unwrap_or_else(|| {
            self.skip_block();
            StmtKind::Error
        });
        Stmt { kind, span: self.span_from(start) }
    }

    fn statement_kind(&mut self) -> StmtKind {
        match self.kind() {
            TokenKind::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::OpenBrace => StmtKind::Block(self.block()),
            TokenKind::KwIf => self.if_statement(),
            TokenKind::KwWhile => self.while_statement(),
            TokenKind::KwDo => self.do_statement(),
            TokenKind::KwFor => self.for_statement(),
            TokenKind::KwReturn => self.return_statement(),
            TokenKind::KwAssert => self.assert_statement(),
            TokenKind::KwElse => self.lost_else(),
            TokenKind::Hash => {
                self.preprocessor_line();
                StmtKind::Error
            }
            _ if self.foreign_statement() => StmtKind::Error,
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> StmtKind {
        let first = self.pos;
        let expr = self.expression();
        if self.at(TokenKind::OpenBrace) && !self.panicking && self.misspelt_head(first, expr) {
            return self.statement_kind();
        }
        self.semicolon("the statement");
        match self.tree[expr].kind {
            ExprKind::Error => StmtKind::Error,
            _ => StmtKind::Expr(expr),
        }
    }

    /// `whlie (c) {`: a call before a block is the head of a statement with a misspelt keyword. If so, goes back
    /// to it.
    fn misspelt_head(&mut self, first: usize, expr: ExprId) -> bool {
        if !matches!(self.tree[expr].kind, ExprKind::Call { .. }) {
            return false;
        }
        let here = std::mem::replace(&mut self.pos, first);
        let found = self.correct(&[TokenKind::KwIf, TokenKind::KwWhile, TokenKind::KwFor], 2);
        if !found {
            self.pos = here;
        }
        found
    }

    /// `if (c) s else if (c) s else s`: a chain is one statement, however long.
    fn if_statement(&mut self) -> StmtKind {
        let mut arms = Vec::new();
        loop {
            self.bump();
            let condition = self.bracketed_condition();
            arms.push((condition, self.statement()));
            if self.panicking || !self.eat(TokenKind::KwElse) {
                return StmtKind::If { arms, otherwise: None };
            }
            if !self.at(TokenKind::KwIf) {
                let otherwise = Some(Box::new(self.statement()));
                return StmtKind::If { arms, otherwise };
            }
        }
    }

    fn while_statement(&mut self) -> StmtKind {
        self.bump();
        let condition = self.bracketed_condition();
        StmtKind::While { condition, body: Box::new(self.statement()) }
    }

    fn do_statement(&mut self) -> StmtKind {
        self.bump();
        let body = Box::new(self.statement());
        if !self.panicking {
            self.expect(TokenKind::KwWhile, "`while` and the condition of the loop");
        }
        let condition = self.bracketed_condition();
        self.semicolon("the loop");
        StmtKind::DoWhile { body, condition }
    }

    /// `(c)`. A block after a mistake in it is read as the body.
    fn bracketed_condition(&mut self) -> ExprId {
        let open = self.open(TokenKind::OpenParen, "`(` and a condition");
        let condition = self.expression();
        self.warn_assignment(condition);
        self.close(open);
        if self.at(TokenKind::OpenBrace) {
            self.panicking = false;
        }
        condition
    }

    fn for_statement(&mut self) -> StmtKind {
        self.bump();
        let open = self.open(TokenKind::OpenParen, "`(`");
        if self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Colon {
            let binder = self.binder();
            self.close(open);
            return StmtKind::ForEach { binder, body: Box::new(self.statement()) };
        }
        let init = self.expressions_before(TokenKind::Semicolon);
        self.for_separator();
        let condition = self.expressions_before(TokenKind::Semicolon);
        self.for_separator();
        let step = self.expressions_before(TokenKind::CloseParen);
        self.close(open);
        if self.at(TokenKind::OpenBrace) {
            self.panicking = false;
        }
        StmtKind::For { init, condition, step, body: Box::new(self.statement()) }
    }

    fn for_separator(&mut self) {
        if self.at(TokenKind::Semicolon) {
            self.bump();
            self.panicking = false;
        } else {
            self.expected("`;`");
        }
    }

    fn expressions_before(&mut self, end: TokenKind) -> Vec<ExprId> {
        if self.at(end) || self.panicking {
            return Vec::new();
        }
        if self.at_local_declaration() {
            let message = "a loop cannot declare its variable like this";
            let diagnostic = Diagnostic::error(codes::LATE_DECLARATION, self.here(), message);
            self.report(
                diagnostic.help("declare it at the start of the block, or write `for (i : int[0,n])`"),
            );
            let _ = self.ty();
        }
        self.comma_list(Self::expression)
    }

    fn return_statement(&mut self) -> StmtKind {
        self.bump();
        let nothing = matches!(self.kind(), TokenKind::Semicolon | TokenKind::CloseBrace);
        let value = (!nothing).then(|| self.expression());
        self.semicolon("`return`");
        StmtKind::Return(value)
    }

    fn assert_statement(&mut self) -> StmtKind {
        self.bump();
        let condition = self.expression();
        self.semicolon("the assertion");
        StmtKind::Assert(condition)
    }

    fn lost_else(&mut self) -> StmtKind {
        let diagnostic = Diagnostic::error(codes::ELSE_WITHOUT_IF, self.here(), "this `else` has no `if`");
        self.report(diagnostic.help("put braces around the statements between `if` and `else`"));
        self.bump();
        self.statement().kind
    }

    /// `if (x = 1)` is legal in a function, and hardly ever meant.
    fn warn_assignment(&mut self, condition: ExprId) {
        if let Some(mark) = self.assignment_mark(condition) {
            let message = "this condition assigns";
            let diagnostic = Diagnostic::warning(codes::ASSIGNMENT_AS_CONDITION, mark, message);
            self.report(diagnostic.help("write `==` to compare"));
        }
    }
}
