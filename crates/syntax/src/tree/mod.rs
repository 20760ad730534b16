//! The syntax tree: plain data with spans.
//!
//! Expressions, of which a model has most, live in one arena, the [`Tree`], and refer to each other by
//! [`ExprId`]; names are interned there as [`Symbol`]s. Everything above expressions (types, declarations,
//! statements, templates, queries) is owned by its parent in the ordinary way. One `Tree` serves all pieces of a
//! model, so the hundred labels of an XML file share it, and everything is dropped at once.
//!
//! Invariants that a reader of the tree may rely on:
//! - an operand has a smaller id than the expression it belongs to, so a bottom-up pass is a loop over ids;
//! - no expression, type or statement is more than [`MAX_NESTING`] levels deep, so recursion over the tree is
//!   safe. Chains of operators of one level and of `else if` are one node each, whatever their length;
//! - brackets leave no trace: the tree has its shape from them;
//! - where the text could not be understood there is an `Error` node, and an error was reported.

mod decl;
mod expr;
mod model;
mod query;

use std::collections::HashMap;
use std::ops::Index;

use tourbillon_base::{Id, IdVec, Span, define_id};

pub use decl::*;
pub use expr::*;
pub use model::*;
pub use query::*;

/// How deeply expressions, types and statements can be nested, each in its own kind.
pub const MAX_NESTING: usize = 200;

define_id! {
    /// An interned piece of text: a name, a string or a number as it was written.
    pub struct Symbol;
}

define_id! {
    /// An expression of a [`Tree`].
    pub struct ExprId;
}

/// A name, and where it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    pub symbol: Symbol,
    /// Where it was written; empty where a name is missing.
    pub span: Span,
}

/// The arena of expressions, and the names.
#[derive(Clone, Default, Debug)]
pub struct Tree {
    exprs: IdVec<ExprId, Expr>,
    names: IdVec<Symbol, Box<str>>,
    symbols: HashMap<Box<str>, Symbol>,
}

impl Tree {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = self.names.push(text.into());
        self.symbols.insert(text.into(), symbol);
        symbol
    }

    /// The symbol of a text, if it occurs.
    #[must_use]
    pub fn symbol(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The text of a symbol.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.names[symbol]
    }

    /// The text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        self.text(name.symbol)
    }

    /// Adds an expression whose operands were added before.
    ///
    /// Nothing, and nothing is added, if it would be more than [`MAX_NESTING`] levels deep.
    ///
    /// # Panics
    /// If an operand is not in the tree.
    pub fn add(&mut self, kind: ExprKind, span: Span) -> Option<ExprId> {
        let mut height = 0;
        kind.for_each_operand(|operand| height = height.max(self.exprs[operand].height + 1));
        (usize::from(height) <= MAX_NESTING).then(|| self.exprs.push(Expr { kind, span, height }))
    }

    /// Adds `first op operand op operand …`. A chain of the same level as first operand is taken over, so that
    /// `(a + b) - c` and `a + b - c`, which mean the same, are the same tree.
    pub fn add_chain(&mut self, first: ExprId, mut links: Vec<ChainLink>, span: Span) -> Option<ExprId> {
        let level = links.first().map(|link| link.op.level());
        match &self.exprs[first].kind {
            ExprKind::Chain { first: inner, links: earlier }
                if level == earlier.first().map(|l| l.op.level()) =>
            {
                let inner = *inner;
                links.splice(0..0, earlier.iter().copied());
                self.add(ExprKind::Chain { first: inner, links: links.into() }, span)
            }
            _ => self.add(ExprKind::Chain { first, links: links.into() }, span),
        }
    }

    /// Takes back the expression that was added last, if it is this one and a chain of this level: its first
    /// operand and its links, to be continued.
    pub(crate) fn reopen_chain(&mut self, expr: ExprId, level: u8) -> Option<(ExprId, Vec<ChainLink>)> {
        let is_last = expr.index() + 1 == self.exprs.len();
        match &self.exprs[expr].kind {
            ExprKind::Chain { links, .. }
                if is_last && links.first().is_some_and(|l| l.op.level() == level) => {}
            _ => return None,
        }
        match self.exprs.pop()?.kind {
            ExprKind::Chain { first, links } => Some((first, links.into_vec())),
            _ => None,
        }
    }

    /// The number of expressions; those that were given up while recovering from an error are among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there is no expression.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// The expression as `left op right`, if it has just one binary operator at its top.
    #[must_use]
    pub fn as_binary(&self, expr: ExprId) -> Option<(ExprId, BinaryOp, ExprId)> {
        match &self[expr].kind {
            ExprKind::Chain { first, links } => match **links {
                [ChainLink { op, operand }] => Some((*first, op, operand)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where the name of the field is written, of an expression that selects one.
    #[must_use]
    pub fn field_span(&self, expr: ExprId) -> Option<Span> {
        let Expr { kind: ExprKind::Field { field, .. }, span, .. } = self[expr] else { return None };
        let length = u32::try_from(self.text(field).len()).unwrap_or(0);
        Some(Span { start: span.end.saturating_sub(length).max(span.start), ..span })
    }

    /// The name that an expression consists of, if it is nothing else.
    #[must_use]
    pub fn as_name(&self, expr: ExprId) -> Option<Name> {
        match self[expr].kind {
            ExprKind::Name(symbol) => Some(Name { symbol, span: self[expr].span }),
            _ => None,
        }
    }
}

impl Index<ExprId> for Tree {
    type Output = Expr;

    fn index(&self, expr: ExprId) -> &Expr {
        &self.exprs[expr]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_base::SourceId;

    #[test]
    fn nodes_are_small() {
        assert!(size_of::<Expr>() <= 40, "{}", size_of::<Expr>());
        assert_eq!(size_of::<Name>(), 16);
    }

    #[test]
    fn symbols_are_shared() {
        let mut tree = Tree::new();
        let (x, y) = (tree.intern("x"), tree.intern("y"));
        assert_ne!(x, y);
        assert_eq!(tree.intern("x"), x);
        assert_eq!((tree.text(x), tree.symbol("z")), ("x", None));
    }

    #[test]
    fn a_tree_cannot_be_too_deep() {
        let span = Span::new(SourceId::from_index(0), 0, 0);
        let mut tree = Tree::new();
        let mut expr = tree.add(ExprKind::Int(0), span).unwrap();
        for _ in 0..MAX_NESTING {
            expr = tree.add(ExprKind::Unary { op: UnaryOp::Not, operand: expr }, span).unwrap();
        }
        assert_eq!(tree.add(ExprKind::Unary { op: UnaryOp::Not, operand: expr }, span), None);
    }
}
