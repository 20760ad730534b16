//! Expressions: levels of operators by a stack of open chains, everything else by recursion.
//!
//! Binary operators are read without recursion. Open chains wait on a stack, the loosest at the bottom; an
//! operator closes all that bind tighter than itself and then continues the chain of its level or opens one. So
//! a megabyte of operators needs no stack, and each level of nesting in the text costs the same few frames.

use tourbillon_base::{Diagnostic, Span};

use super::Parser;
use crate::codes;
use crate::lexer::{Dialect, Token};
use crate::operator::{AssignOp, BinaryOp, Level, QuantifierOp, UnaryOp};
use crate::token::TokenKind;
use crate::tree::{Binder, ChainLink, Conditional, ExprId, ExprKind, ListItem, Name, Quantifier, Spawn};

/// A chain whose last operator waits for its right operand.
struct OpenChain {
    start: u32,
    first: ExprId,
    links: Vec<ChainLink>,
    op: BinaryOp,
}

impl Parser<'_> {
    /// An expression of any kind.
    pub(super) fn expression(&mut self) -> ExprId {
        match self.nested(Self::assignment) {
            Some(expr) => expr,
            None => self.error_expr(self.here()),
        }
    }

    /// `a = b`, or what binds tighter.
    fn assignment(&mut self) -> ExprId {
        let start = self.start();
        let target = self.conditional();
        let Some(op) = AssignOp::of(self.kind()) else { return target };
        if self.panicking {
            return target;
        }
        self.bump();
        let value = self.expression();
        self.add(ExprKind::Assign { op, target, value }, start)
    }

    /// `c ? a : b`, or what binds tighter.
    pub(super) fn conditional(&mut self) -> ExprId {
        let start = self.start();
        let condition = self.binary();
        if self.panicking || !self.at(TokenKind::Question) {
            return condition;
        }
        self.bump();
        let yes = self.expression();
        if !self.panicking {
            self.expect(TokenKind::Colon, "`:` of the conditional");
        }
        let no = self.nested(Self::conditional).unwrap_or_else(|| self.error_expr(self.here()));
        self.add(ExprKind::Conditional(Box::new(Conditional { condition, yes, no })), start)
    }

    fn binary(&mut self) -> ExprId {
        let mut open: Vec<OpenChain> = Vec::new();
        let mut start = self.start();
        let mut operand = self.unary();
        while !self.panicking {
            let Some(op) = BinaryOp::of(self.kind()) else { break };
            (operand, start) = self.close_tighter(&mut open, operand, start, op.level());
            self.refuse_old_comparison(op);
            self.bump();
            self.extend(&mut open, operand, start, op);
            start = self.start();
            operand = self.unary();
        }
        self.close_tighter(&mut open, operand, start, 0).0
    }

    /// `=<` and `=>` make no other sense than the old one, so they are taken for it in the new dialect as well.
    fn refuse_old_comparison(&mut self, op: BinaryOp) {
        let old = matches!(self.kind(), TokenKind::OldLessEqual | TokenKind::OldGreaterEqual);
        if old && self.dialect == Dialect::New {
            let message = format!("{} is the spelling of UPPAAL 3.4", self.found());
            let diagnostic = Diagnostic::error(codes::OLD_COMPARISON, self.here(), message);
            self.report(diagnostic.help(format!("write `{}`", op.text())));
        }
    }

    /// Closes the chains on top of the stack that bind tighter than `level`.
    fn close_tighter(
        &mut self,
        open: &mut Vec<OpenChain>,
        mut operand: ExprId,
        mut start: u32,
        level: Level,
    ) -> (ExprId, u32) {
        while let Some(mut chain) = open.pop_if(|chain| chain.op.level() > level) {
            chain.links.push(ChainLink { op: chain.op, operand });
            self.warn_bitwise(&chain);
            start = chain.start;
            operand = self.add(ExprKind::Chain { first: chain.first, links: chain.links.into() }, start);
        }
        (operand, start)
    }

    /// Puts an operator after `operand`: into the open chain of its level, or into a new one. An operand in
    /// brackets that is a chain of this level is continued: it means the same.
    fn extend(&mut self, open: &mut Vec<OpenChain>, operand: ExprId, start: u32, op: BinaryOp) {
        match open.last_mut() {
            Some(chain) if chain.op.level() == op.level() => {
                let op = std::mem::replace(&mut chain.op, op);
                chain.links.push(ChainLink { op, operand });
            }
            _ => {
                let reopened = self.tree.reopen_chain(operand, op.level());
                let (first, links) = reopened.unwrap_or_else(|| (operand, Vec::new()));
                open.push(OpenChain { start, first, links, op });
            }
        }
    }

    /// `x > 1 & y > 1` is legal, and hardly ever meant.
    fn warn_bitwise(&mut self, chain: &OpenChain) {
        let logical = match chain.op {
            BinaryOp::BitAnd => "&&",
            BinaryOp::BitOr => "||",
            _ => return,
        };
        if !self.is_comparison(chain.first)
            || !chain.links.iter().all(|link| self.is_comparison(link.operand))
        {
            return;
        }
        let (left, right) = match *chain.links {
            [.., left, right] => (left.operand, right.operand),
            [right] => (chain.first, right.operand),
            [] => return,
        };
        let (left, right) = (self.tree[left].span, self.tree[right].span);
        let between = Span::new(self.source, left.end, right.start.max(left.end));
        let gap = &self.text[between.range()];
        let mark = gap.find(chain.op.text()).map_or(between, |at| {
            let start = between.start + at as u32;
            Span::new(self.source, start, start + 1)
        });
        let message = format!("`{}` works on bits, but stands between conditions", chain.op.text());
        let diagnostic = Diagnostic::warning(codes::BITWISE_AS_LOGICAL, mark, message);
        self.report(diagnostic.help(format!("write `{logical}`")));
    }

    fn is_comparison(&self, expr: ExprId) -> bool {
        self.tree.as_binary(expr).is_some_and(|(_, op, _)| op.is_comparison())
    }

    fn unary(&mut self) -> ExprId {
        let Some(op) = UnaryOp::prefix(self.kind()) else { return self.postfix() };
        if self.panicking {
            return self.postfix();
        }
        let start = self.start();
        self.bump();
        if op == UnaryOp::Negate && self.at(TokenKind::Int) && self.token_text(self.token()) == "2147483648" {
            self.bump();
            return self.add(ExprKind::Int(i32::MIN), start);
        }
        match self.nested(Self::unary) {
            Some(operand) => self.add(ExprKind::Unary { op, operand }, start),
            None => self.error_expr(self.here()),
        }
    }

    /// What needs no brackets before `!` or `?`: a name with indices, fields and arguments, and the like.
    pub(super) fn postfix(&mut self) -> ExprId {
        let start = self.start();
        let mut expr = self.primary();
        while !self.panicking {
            expr = match self.kind() {
                TokenKind::OpenBracket => self.index(expr, start),
                TokenKind::OpenParen => self.call(expr, start),
                TokenKind::Dot => self.field(expr, start),
                TokenKind::Decrement if self.at_leads_to() => return expr,
                kind => match UnaryOp::postfix(kind) {
                    Some(op) => {
                        self.bump();
                        self.add(ExprKind::Unary { op, operand: expr }, start)
                    }
                    None => return expr,
                },
            };
        }
        expr
    }

    fn index(&mut self, array: ExprId, start: u32) -> ExprId {
        let open = self.bump();
        if self.at(TokenKind::CloseBracket) {
            let message = "an index is missing between these brackets";
            let span = self.span_of(open).to(self.here());
            self.report(Diagnostic::error(codes::EMPTY_BRACKETS, span, message));
            self.bump();
            return self.error_expr(self.span_from(start));
        }
        let index = self.expression();
        self.close(Some(open));
        self.add(ExprKind::Index { array, index }, start)
    }

    fn call(&mut self, callee: ExprId, start: u32) -> ExprId {
        let args = self.arguments();
        match self.tree.as_name(callee).map(|name| self.tree.name(name)) {
            Some("exit") if args.is_empty() => return self.add(ExprKind::Exit, start),
            Some("numOf") if args.len() == 1 => {
                if let Some(template) = self.tree.as_name(args[0]) {
                    return self.add(ExprKind::NumOf(template.symbol), start);
                }
            }
            _ => {}
        }
        self.add(ExprKind::Call { callee, args: args.into() }, start)
    }

    /// `(a, b)`.
    pub(super) fn arguments(&mut self) -> Vec<ExprId> {
        let open = self.open(TokenKind::OpenParen, "`(`");
        let args = match self.at(TokenKind::CloseParen) || self.panicking {
            true => Vec::new(),
            false => self.comma_list(Self::expression),
        };
        self.close(open);
        args
    }

    fn field(&mut self, record: ExprId, start: u32) -> ExprId {
        self.bump();
        let field = self.name("the name of a field, variable or location").symbol;
        self.add(ExprKind::Field { record, field }, start)
    }

    fn primary(&mut self) -> ExprId {
        let start = self.start();
        if self.panicking {
            return self.error_expr(self.here().at_start());
        }
        match self.kind() {
            TokenKind::Ident => self.word(),
            TokenKind::Int => self.integer(),
            TokenKind::Float => self.float(),
            TokenKind::Str => self.string(),
            TokenKind::True | TokenKind::False => {
                let value = self.bump().kind == TokenKind::True;
                self.add(ExprKind::Bool(value), start)
            }
            TokenKind::OpenParen => self.parenthesised(),
            TokenKind::Forall => self.quantifier(QuantifierOp::Forall),
            TokenKind::Exists => self.quantifier(QuantifierOp::Exists),
            TokenKind::Sum => self.quantifier(QuantifierOp::Sum),
            _ => self.missing_operand(),
        }
    }

    fn parenthesised(&mut self) -> ExprId {
        let open = self.bump();
        let inner = self.expression();
        self.close(Some(open));
        inner
    }

    /// A name, or a word that is something else at this place.
    fn word(&mut self) -> ExprId {
        let start = self.start();
        let text = self.token_text(self.token());
        match text {
            "deadlock" if self.query => {
                self.bump();
                return self.add(ExprKind::Deadlock, start);
            }
            "A" | "E" if self.query && self.path_quantifier().is_some() => return self.nested_quantifier(),
            "foreach" if self.nth(1) == TokenKind::OpenParen && self.nth(3) == TokenKind::Colon => {
                return self.quantifier(QuantifierOp::Foreach);
            }
            "spawn" if self.nth(1) == TokenKind::Ident => return self.spawn(),
            _ => {}
        }
        let symbol = self.tree.intern(text);
        self.bump();
        self.add(ExprKind::Name(symbol), start)
    }

    fn nested_quantifier(&mut self) -> ExprId {
        let span = self.here().to(self.span_of(self.tokens[self.pos + 2]));
        let message = "a path quantifier can stand only at the start of a query";
        let diagnostic = Diagnostic::error(codes::NESTED_QUANTIFIER, span, message);
        self.report(diagnostic.help("`A[] (p imply A<> q)` is written `p --> q`"));
        self.pos += 3;
        self.nested(Self::unary).unwrap_or_else(|| self.error_expr(span))
    }

    fn spawn(&mut self) -> ExprId {
        let start = self.start();
        self.bump();
        let template = self.name("a dynamic template");
        let args = self.arguments();
        self.add(ExprKind::Spawn(Box::new(Spawn { template, args })), start)
    }

    fn integer(&mut self) -> ExprId {
        let token = self.bump();
        let text = self.token_text(token);
        let value = text.parse::<i32>().unwrap_or_else(|_| self.integer_too_large(token));
        self.add(ExprKind::Int(value), token.start)
    }

    fn integer_too_large(&mut self, token: Token) -> i32 {
        let span = self.span_of(token);
        let diagnostic =
            Diagnostic::error(codes::INTEGER_TOO_LARGE, span, "this integer does not fit in 32 bits");
        self.report(diagnostic.help("integers range from -2147483648 to 2147483647"));
        i32::MAX
    }

    fn float(&mut self) -> ExprId {
        let token = self.bump();
        let text = self.token_text(token);
        if !text.parse::<f64>().is_ok_and(f64::is_finite) {
            let message = "this number is larger than any floating-point number";
            self.report(Diagnostic::error(codes::FLOAT_TOO_LARGE, self.span_of(token), message));
        }
        let symbol = self.tree.intern(text);
        self.add(ExprKind::Float(symbol), token.start)
    }

    fn string(&mut self) -> ExprId {
        let token = self.bump();
        let symbol = self.string_symbol(token);
        self.add(ExprKind::Str(symbol), token.start)
    }

    /// The text of a string without its quotes.
    pub(super) fn string_symbol(&mut self, token: Token) -> crate::tree::Symbol {
        let text = self.token_text(token);
        let inner = text.strip_prefix('"').unwrap_or(text);
        self.tree.intern(inner.strip_suffix('"').unwrap_or(inner))
    }

    /// `forall (i : T) e`: the expression reaches as far as possible.
    fn quantifier(&mut self, op: QuantifierOp) -> ExprId {
        let start = self.start();
        self.bump();
        let open = self.open(TokenKind::OpenParen, "`(`");
        let binder = self.binder();
        self.close(open);
        let body = self.expression();
        self.add(ExprKind::Quantifier(Box::new(Quantifier { op, binder, body })), start)
    }

    /// `name : type`.
    pub(super) fn binder(&mut self) -> Binder {
        let name = self.name("a name");
        if !self.panicking {
            self.expect(TokenKind::Colon, "`:` and a type");
        }
        Binder { name, ty: self.ty() }
    }

    /// An initialiser: an expression, or a list of them in braces.
    pub(super) fn initialiser(&mut self) -> ExprId {
        if !self.at(TokenKind::OpenBrace) {
            return self.expression();
        }
        self.nested(Self::list).unwrap_or_else(|| self.error_expr(self.here()))
    }

    fn list(&mut self) -> ExprId {
        let start = self.start();
        let open = self.bump();
        let mut items = Vec::new();
        while !self.panicking && !self.at(TokenKind::CloseBrace) {
            items.push(self.list_item());
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(Some(open));
        self.add(ExprKind::List(items.into()), start)
    }

    fn list_item(&mut self) -> ListItem {
        let field =
            (self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Colon).then(|| self.field_label());
        ListItem { field, value: self.initialiser() }
    }

    fn field_label(&mut self) -> Name {
        let token = self.bump();
        self.bump();
        self.name_of(token)
    }

    fn missing_operand(&mut self) -> ExprId {
        let reserved = format!("{} is reserved and cannot be a name", self.found());
        let help: &[&str] = match self.kind() {
            TokenKind::OpenBrace => &["a list in braces can stand only after `=` in a declaration"],
            kind if BinaryOp::of(kind).is_some() => &["this operator needs an operand on its left"],
            kind if kind.is_keyword() => &[&reserved],
            _ => &[],
        };
        self.expected_with(codes::MISSING_OPERAND, "an expression", help);
        self.error_expr(self.here().at_start())
    }

    /// Adds an expression that started at `start`; an error if it is too deep.
    fn add(&mut self, kind: ExprKind, start: u32) -> ExprId {
        let span = self.span_from(start);
        self.tree.add(kind, span).unwrap_or_else(|| {
            self.too_deep(span);
            self.error_expr(span)
        })
    }

    /// An expression that stands for what could not be read. It has no operands, so it is never too deep.
    pub(super) fn error_expr(&mut self, span: Span) -> ExprId {
        self.tree.add(ExprKind::Error, span).expect("an expression without operands is not too deep")
    }
}
