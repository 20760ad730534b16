//! State predicates of queries.
//!
//! A predicate is compiled into negation normal form. Each maximal subexpression without clocks is one piece of code;
//! the rest is a tree of conjunctions, disjunctions and clock constraints, with negations pushed into the constraints
//! (`!(x < 5)` is `x >= 5`; `!(x == 5)` is `x < 5 || x > 5`). Quantifiers over clocks are unfolded when the predicate
//! is evaluated.

use tourbillon_model::{BinaryOp, ClockAtom, Compare, ExprId, ExprKind, Model, QuantifierOp, Range, UnaryOp};

use crate::compile::{CompileError, Compiler};
use crate::program::CodeId;
use crate::tables::{Atom, ClockRef};

/// A compiled state predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub formula: Formula,
    /// The number of local cells of its code.
    pub frame: u32,
    /// Whether it depends on clocks.
    pub timed: bool,
}

impl Formula {
    /// Whether it contains `deadlock`.
    #[must_use]
    pub fn mentions_deadlock(&self) -> bool {
        match self {
            Self::Data { .. } | Self::Clock(_) => false,
            Self::Deadlock { .. } => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::mentions_deadlock),
            Self::Quantified { body, .. } => body.mentions_deadlock(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Formula {
    /// The code evaluates to true; or to false, if negated.
    Data {
        code: CodeId,
        /// Whether it must give false.
        negated: bool,
    },
    Clock(Atom),
    /// No transition is possible, now or after any delay; or some is, if negated.
    Deadlock {
        /// Whether some must be possible.
        negated: bool,
    },
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// The body for all values of a local cell, or for some.
    Quantified {
        all: bool,
        local: u32,
        range: Range,
        body: Box<Formula>,
    },
}

/// An expression to be compiled as a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateFormula {
    pub expr: ExprId,
    /// The number of local cells that it needs.
    pub frame: u32,
    /// Whether it must be false.
    pub negated: bool,
}

/// A measured quantity: a clock, the value of code, or the sum of both.
#[derive(Clone, Copy, Debug)]
pub struct Gauge {
    pub clock: Option<ClockRef>,
    pub data: Option<CodeId>,
}

pub(crate) fn compile(compiler: &mut Compiler<'_>, asked: StateFormula) -> Result<Predicate, CompileError> {
    let formula = formula(compiler, asked.expr, asked.negated)?;
    Ok(Predicate { timed: mentions_clocks(compiler.model, asked.expr), formula, frame: asked.frame })
}

fn formula(compiler: &mut Compiler<'_>, expr: ExprId, negated: bool) -> Result<Formula, CompileError> {
    let model = compiler.model;
    if !mentions_clocks(model, expr) {
        let code = compiler.value(expr)?;
        return Ok(Formula::Data { code, negated });
    }
    match &model.exprs[expr].kind {
        ExprKind::Clock(atom) => clock(compiler, atom, negated),
        ExprKind::Deadlock => Ok(Formula::Deadlock { negated }),
        ExprKind::Unary(UnaryOp::Not, operand) => formula(compiler, *operand, !negated),
        ExprKind::Unary(UnaryOp::Truth, operand) => formula(compiler, *operand, negated),
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let parts = vec![formula(compiler, *left, negated)?, formula(compiler, *right, negated)?];
            Ok(if negated { Formula::Any(parts) } else { Formula::All(parts) })
        }
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            let parts = vec![formula(compiler, *left, negated)?, formula(compiler, *right, negated)?];
            Ok(if negated { Formula::All(parts) } else { Formula::Any(parts) })
        }
        ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
            let same = (*op == BinaryOp::Equal) != negated;
            both_ways(compiler, (*left, false), (*right, !same), (*left, true), (*right, same))
        }
        ExprKind::Conditional(condition, yes, no) => {
            both_ways(compiler, (*condition, false), (*yes, negated), (*condition, true), (*no, negated))
        }
        ExprKind::Quantifier { op, local, range, body } if *op != QuantifierOp::Sum => {
            let all = (*op == QuantifierOp::ForAll) != negated;
            let body = Box::new(formula(compiler, *body, negated)?);
            Ok(Formula::Quantified { all, local: *local, range: *range, body })
        }
        ExprKind::Sequence(parts) if parts.len() == 1 => formula(compiler, parts[0], negated),
        _ => Err(CompileError::new(model.exprs[expr].span, "this comparison of clocks is not supported")),
    }
}

/// `(a && b) || (c && d)`, each optionally negated.
fn both_ways(
    compiler: &mut Compiler<'_>,
    a: (ExprId, bool),
    b: (ExprId, bool),
    c: (ExprId, bool),
    d: (ExprId, bool),
) -> Result<Formula, CompileError> {
    let one = vec![formula(compiler, a.0, a.1)?, formula(compiler, b.0, b.1)?];
    let other = vec![formula(compiler, c.0, c.1)?, formula(compiler, d.0, d.1)?];
    Ok(Formula::Any(vec![Formula::All(one), Formula::All(other)]))
}

fn clock(compiler: &mut Compiler<'_>, atom: &ClockAtom, negated: bool) -> Result<Formula, CompileError> {
    let atom = compiler.atom(atom)?;
    let with = |compare| Formula::Clock(Atom { compare, ..atom.clone() });
    Ok(match (atom.compare, negated) {
        (compare, false) => with(compare),
        (Compare::Less, true) => with(Compare::GreaterOrEqual),
        (Compare::LessOrEqual, true) => with(Compare::Greater),
        (Compare::GreaterOrEqual, true) => with(Compare::Less),
        (Compare::Greater, true) => with(Compare::LessOrEqual),
        (Compare::Equal, true) => Formula::Any(vec![with(Compare::Less), with(Compare::Greater)]),
    })
}

/// Whether an expression depends on clocks: contains a clock constraint or `deadlock`.
pub(crate) fn mentions_clocks(model: &Model, expr: ExprId) -> bool {
    let kind = &model.exprs[expr].kind;
    let mut found = matches!(kind, ExprKind::Clock(_) | ExprKind::Deadlock);
    kind.for_each_operand(&mut |operand| found |= mentions_clocks(model, operand));
    found
}

/// Whether an expression contains `deadlock`.
#[must_use]
pub fn mentions_deadlock(model: &Model, expr: ExprId) -> bool {
    let kind = &model.exprs[expr].kind;
    let mut found = matches!(kind, ExprKind::Deadlock);
    kind.for_each_operand(&mut |operand| found |= mentions_deadlock(model, operand));
    found
}
