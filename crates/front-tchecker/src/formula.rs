//! The parser of expressions and statements: the inner language of a file.
//!
//! The grammar is read more widely than it is: all of arithmetic, comparisons, `!` and `&&` nest freely here,
//! and what is a term, a condition or a comparison of clocks is decided when names are known. That way a text
//! that is almost right gets a message about what it means instead of one about a bracket. Two points are
//! narrow on purpose, since another reading would silently mean something else: `!` covers a whole
//! comparison, and only `<` and `<=` chain.
//!
//! A value that is wrong is reported once and given up; the other values of the file are still read.

use tourbillon_base::{Diagnostic, Diagnostics, Span};

use crate::codes;
use crate::token::{Token, TokenKind, tokens};
use crate::tree::*;

/// How deeply brackets and blocks nest at most.
const NESTING_MAX: u32 = 200;
/// How many levels of operators an expression has at most.
const DEPTH_MAX: u32 = 1000;

/// The condition in a value of `provided` or `invariant`; nothing if it is wrong, which is reported.
pub(crate) fn condition<'t>(text: &'t str, span: Span, out: &mut Diagnostics) -> Option<Node<'t>> {
    let mut parser = Parser::new(text, span, out)?;
    let node = parser.formula()?;
    parser.finish("`&&` or the end of the value")?;
    Some(node)
}

/// The statements in a value of `do`; nothing if they are wrong, which is reported.
pub(crate) fn statements<'t>(text: &'t str, span: Span, out: &mut Diagnostics) -> Option<Vec<Statement<'t>>> {
    let mut parser = Parser::new(text, span, out)?;
    let list = parser.sequence()?;
    parser.finish("`;` or the end of the value")?;
    Some(list)
}

struct Parser<'t, 'o> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    nesting: u32,
    out: &'o mut Diagnostics,
}

impl<'t, 'o> Parser<'t, 'o> {
    fn new(text: &'t str, span: Span, out: &'o mut Diagnostics) -> Option<Self> {
        let tokens = tokens(text, span, out)?;
        Some(Self { text, tokens, at: 0, nesting: 0, out })
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token before this one.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn next(&mut self) -> Span {
        let span = self.span();
        if self.kind() != TokenKind::Finish {
            self.at += 1;
        }
        span
    }

    fn accept(&mut self, kind: TokenKind) -> Option<Span> {
        (self.kind() == kind).then(|| self.next())
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Option<Span> {
        self.accept(kind).or_else(|| self.unexpected(what))
    }

    fn finish(&mut self, what: &str) -> Option<()> {
        self.expect(TokenKind::Finish, what).map(|_| ())
    }

    /// Reports that something else stands here, with the best reason that can be found.
    fn unexpected<T>(&mut self, what: &str) -> Option<T> {
        let span = self.span();
        let found = &self.text[span.range()];
        let error = |code, message: String| Diagnostic::error(code, span, message);
        let diagnostic = match self.kind() {
            TokenKind::Finish => error(codes::SYNTAX, format!("expected {what}, found the end of the value")),
            TokenKind::Or => error(codes::NOT_IN_LANGUAGE, "there is no `||` in this language".to_owned())
                .help("between conditions on integers, write `(if a then 1 else b)` for `a || b`")
                .help("between comparisons of clocks, write one edge for each: together they form no zone"),
            TokenKind::Foreign => {
                error(codes::NOT_IN_LANGUAGE, format!("there is no `{found}` in this language"))
                    .help(foreign_help(found))
            }
            TokenKind::Comma => error(codes::SYNTAX, format!("expected {what}, found `,`"))
                .help("statements are separated by `;`, conditions joined with `&&`"),
            TokenKind::Dotted => error(
                codes::DOTTED_NAME,
                format!("`{found}` has a dot, which names in expressions cannot have"),
            )
            .help(format!("declare and use it as `{}`", found.trim_end_matches('.').replace('.', "_"))),
            TokenKind::Assign => {
                error(codes::ASSIGNMENT_OR_COMPARISON, "an assignment cannot stand in a condition".to_owned())
                    .help("write `==` to compare")
            }
            TokenKind::If
            | TokenKind::Then
            | TokenKind::Else
            | TokenKind::End
            | TokenKind::While
            | TokenKind::Do
            | TokenKind::Local
            | TokenKind::Nop => error(codes::SYNTAX, format!("expected {what}, found the word `{found}`")),
            _ => error(codes::SYNTAX, format!("expected {what}, found `{found}`")),
        };
        self.out.push(diagnostic);
        None
    }

    /// Reads something that is inside of something else.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.nesting == NESTING_MAX {
            return self.too_deep(self.span());
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn too_deep<T>(&mut self, span: Span) -> Option<T> {
        let message =
            format!("this is nested more than {NESTING_MAX} levels deep, or too long a chain of operators");
        self.out.push(Diagnostic::error(codes::NESTING, span, message));
        None
    }

    fn node(&mut self, kind: NodeKind<'t>, span: Span, operands: u32) -> Option<Node<'t>> {
        if operands >= DEPTH_MAX {
            return self.too_deep(span.at_start());
        }
        Some(Node::new(kind, span, operands + 1))
    }

    /// Conditions joined with `&&`.
    fn formula(&mut self) -> Option<Node<'t>> {
        let first = self.atomic()?;
        if self.kind() != TokenKind::And {
            return Some(first);
        }
        let mut parts = Vec::new();
        let (mut depth, mut span) = (first.depth, first.span);
        add_conjunct(&mut parts, first);
        while self.accept(TokenKind::And).is_some() {
            let part = self.atomic()?;
            (depth, span) = (depth.max(part.depth), span.to(part.span));
            add_conjunct(&mut parts, part);
        }
        self.node(NodeKind::And(parts), span, depth)
    }

    /// A number, a comparison, or the negation of one.
    fn atomic(&mut self) -> Option<Node<'t>> {
        let Some(not) = self.accept(TokenKind::Not) else { return self.comparison() };
        let bracket = self.kind() == TokenKind::Open;
        let operand = self.nested(Self::atomic)?;
        if let (NodeKind::Compare(..), false) = (&operand.kind, bracket && self.before_is_close()) {
            let text = &self.text[operand.span.range()];
            let message = "`!` covers the whole comparison";
            let diagnostic = Diagnostic::warning(codes::NEGATED_COMPARISON, not.to(operand.span), message);
            self.out.push(match text.len() {
                0..=40 => diagnostic.help(format!("write `!({text})`")),
                _ => diagnostic.help("write brackets around the comparison"),
            });
        }
        let span = not.to(self.before());
        let depth = operand.depth;
        self.node(NodeKind::Not(Box::new(operand)), span, depth)
    }

    fn before_is_close(&self) -> bool {
        self.tokens[self.at.saturating_sub(1)].kind == TokenKind::Close
    }

    fn comparison(&mut self) -> Option<Node<'t>> {
        let first = self.sum()?;
        let mut operators = Vec::new();
        let mut operands = vec![first];
        while let Some(operator) = comparison_of(self.kind()) {
            if operators.len() == 2 {
                return self.bad_chain("only two comparisons can be chained");
            }
            let ordered = operators
                .iter()
                .chain([&operator])
                .all(|op| matches!(op, Comparison::Less | Comparison::LessOrEqual));
            if operators.len() == 1 && !ordered {
                return self.bad_chain("only `<` and `<=` can be chained");
            }
            self.next();
            operators.push(operator);
            operands.push(self.sum()?);
        }
        if operators.is_empty() {
            return operands.pop();
        }
        let depth = operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
        let span = operands[0].span.to(self.before());
        self.node(NodeKind::Compare(operators, operands), span, depth)
    }

    fn bad_chain<T>(&mut self, message: &str) -> Option<T> {
        let diagnostic = Diagnostic::error(codes::CHAINED_COMPARISON, self.span(), message);
        self.out.push(diagnostic.help("write the comparisons one by one, joined with `&&`"));
        None
    }

    fn sum(&mut self) -> Option<Node<'t>> {
        let mut left = self.product()?;
        loop {
            let operator = match self.kind() {
                TokenKind::Plus => Arithmetic::Add,
                TokenKind::Minus => Arithmetic::Subtract,
                _ => return Some(left),
            };
            self.next();
            let right = self.product()?;
            left = self.arithmetic(operator, left, right)?;
        }
    }

    fn product(&mut self) -> Option<Node<'t>> {
        let mut left = self.factor()?;
        loop {
            let operator = match self.kind() {
                TokenKind::Times => Arithmetic::Multiply,
                TokenKind::Divide => Arithmetic::Divide,
                TokenKind::Remainder => Arithmetic::Remainder,
                _ => return Some(left),
            };
            self.next();
            let right = self.factor()?;
            left = self.arithmetic(operator, left, right)?;
        }
    }

    fn arithmetic(&mut self, operator: Arithmetic, left: Node<'t>, right: Node<'t>) -> Option<Node<'t>> {
        let (span, depth) = (left.span.to(self.before()), left.depth.max(right.depth));
        self.node(NodeKind::Arithmetic(operator, Box::new([left, right])), span, depth)
    }

    fn factor(&mut self) -> Option<Node<'t>> {
        let span = self.span();
        match self.kind() {
            TokenKind::Integer => {
                self.next();
                let value = self.integer(span)?;
                self.node(NodeKind::Int(value), span, 0)
            }
            TokenKind::Name => self.name(),
            TokenKind::Minus => {
                self.next();
                let operand = self.nested(Self::factor)?;
                let (span, depth) = (span.to(operand.span), operand.depth);
                self.node(NodeKind::Negate(Box::new(operand)), span, depth)
            }
            TokenKind::Not => self.nested(Self::atomic),
            TokenKind::Open => {
                self.next();
                let inner = self.nested(|parser| match parser.kind() {
                    TokenKind::If => parser.conditional(span),
                    _ => parser.formula(),
                })?;
                let close = self.expect(TokenKind::Close, "`)`")?;
                match inner.kind {
                    NodeKind::Conditional(..) => Some(Node { span: span.to(close), ..inner }),
                    _ => Some(inner),
                }
            }
            TokenKind::If => {
                let message = "a conditional term stands in brackets";
                let diagnostic = Diagnostic::error(codes::SYNTAX, span, message);
                self.out.push(diagnostic.help("write `(if condition then term else term)`"));
                None
            }
            _ => self.unexpected("a term"),
        }
    }

    fn integer(&mut self, span: Span) -> Option<i32> {
        let value = self.text[span.range()].parse().ok();
        if value.is_none() {
            let message = "this integer does not fit in 32 bits";
            let diagnostic = Diagnostic::error(codes::INTEGER_TOO_LARGE, span, message);
            let negative = self.at > 1 && self.tokens[self.at - 2].kind == TokenKind::Minus;
            self.out.push(match (negative, &self.text[span.range()]) {
                (true, "2147483648") => diagnostic.help("write `-2147483647 - 1`"),
                _ => diagnostic.help("integers are between -2147483648 and 2147483647"),
            });
        }
        value
    }

    fn name(&mut self) -> Option<Node<'t>> {
        let name_span = self.next();
        let name = &self.text[name_span.range()];
        if self.accept(TokenKind::OpenIndex).is_none() {
            return self.node(NodeKind::Name { name, name_span, index: None }, name_span, 0);
        }
        let index = self.nested(Self::formula)?;
        let span = name_span.to(self.expect(TokenKind::CloseIndex, "`]`")?);
        let depth = index.depth;
        self.node(NodeKind::Name { name, name_span, index: Some(Box::new(index)) }, span, depth)
    }

    /// `if condition then term else term`, without its brackets.
    fn conditional(&mut self, span: Span) -> Option<Node<'t>> {
        self.next();
        let condition = self.formula()?;
        self.expect(TokenKind::Then, "`then`")?;
        let then = self.formula()?;
        self.expect(TokenKind::Else, "`else`")?;
        let otherwise = self.formula()?;
        let depth = condition.depth.max(then.depth).max(otherwise.depth);
        let span = span.to(otherwise.span);
        self.node(NodeKind::Conditional(Box::new([condition, then, otherwise])), span, depth)
    }

    /// Statements up to one of `end`, `else` and the end of the value.
    fn sequence(&mut self) -> Option<Vec<Statement<'t>>> {
        let mut list = Vec::new();
        loop {
            list.push(self.statement()?);
            if self.accept(TokenKind::Semicolon).is_none()
                || matches!(self.kind(), TokenKind::End | TokenKind::Else | TokenKind::Finish)
            {
                return Some(list);
            }
        }
    }

    fn statement(&mut self) -> Option<Statement<'t>> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Nop => {
                self.next();
                StatementKind::Nop
            }
            TokenKind::If => {
                self.next();
                let condition = self.formula()?;
                self.expect(TokenKind::Then, "`then`")?;
                let then = self.nested(Self::sequence)?;
                let otherwise = match self.accept(TokenKind::Else) {
                    Some(_) => self.nested(Self::sequence)?,
                    None => Vec::new(),
                };
                self.block_end("`;`, `else` or `end`")?;
                StatementKind::If { condition, then, otherwise }
            }
            TokenKind::While => {
                self.next();
                let condition = self.formula()?;
                self.expect(TokenKind::Do, "`do`")?;
                let body = self.nested(Self::sequence)?;
                self.block_end("`;` or `end`")?;
                StatementKind::While { condition, body }
            }
            TokenKind::Local => self.local()?,
            TokenKind::Name => self.assignment()?,
            _ => return self.unexpected("a statement"),
        };
        Some(Statement { kind, span: start.to(self.before()) })
    }

    fn block_end(&mut self, what: &str) -> Option<Span> {
        self.expect(TokenKind::End, what)
    }

    fn local(&mut self) -> Option<StatementKind<'t>> {
        self.next();
        let name_span = self.expect(TokenKind::Name, "the name of a local variable")?;
        let name = &self.text[name_span.range()];
        let (mut initial, mut size) = (None, None);
        if self.accept(TokenKind::Assign).is_some() {
            initial = Some(self.formula()?);
        } else if self.accept(TokenKind::OpenIndex).is_some() {
            size = Some(self.formula()?);
            self.expect(TokenKind::CloseIndex, "`]`")?;
        }
        Some(StatementKind::Local { name, name_span, initial, size })
    }

    fn assignment(&mut self) -> Option<StatementKind<'t>> {
        let target = self.name()?;
        if self.kind() == TokenKind::Equal {
            let message = "a comparison is no statement";
            let diagnostic = Diagnostic::error(codes::ASSIGNMENT_OR_COMPARISON, self.span(), message);
            self.out.push(diagnostic.help("write `=` to assign"));
            return None;
        }
        if self.kind() == TokenKind::Minus && self.tokens[self.at + 1].kind == TokenKind::Minus {
            let span = self.span().to(self.tokens[self.at + 1].span);
            let message = "there is no `--` in this language";
            let diagnostic = Diagnostic::error(codes::NOT_IN_LANGUAGE, span, message);
            self.out.push(diagnostic.help("write the assignment out: `i = i - 1`"));
            return None;
        }
        self.expect(TokenKind::Assign, "`=`")?;
        let value = self.formula()?;
        Some(StatementKind::Assign(Box::new([target, value])))
    }
}

fn add_conjunct<'t>(parts: &mut Vec<Node<'t>>, part: Node<'t>) {
    match part.kind {
        NodeKind::And(inner) => parts.extend(inner),
        _ => parts.push(part),
    }
}

fn comparison_of(kind: TokenKind) -> Option<Comparison> {
    Some(match kind {
        TokenKind::Less => Comparison::Less,
        TokenKind::LessOrEqual => Comparison::LessOrEqual,
        TokenKind::Equal => Comparison::Equal,
        TokenKind::NotEqual => Comparison::NotEqual,
        TokenKind::GreaterOrEqual => Comparison::GreaterOrEqual,
        TokenKind::Greater => Comparison::Greater,
        _ => return None,
    })
}

fn foreign_help(sign: &str) -> &'static str {
    match sign {
        "=<" => "write `<=`",
        "=>" => "write `>=`",
        "&" => "write `&&`",
        "++" | "+=" | "-=" | "*=" | "/=" | "%=" => "write the assignment out: `i = i + 1`",
        "?" => "write `(if condition then term else term)`",
        "<<" => "multiply by a power of two",
        ">>" => "divide by a power of two",
        "'" => "clocks cannot be stopped in this language",
        _ => "there are no operations on bits",
    }
}
