//! Expressions.
//!
//! A node is at most 40 bytes: what most expressions need is held directly, the rest in a box. Binary operators
//! are chains, not pairs, so that the depth of the tree is the depth of the brackets in the text. Spellings that
//! mean the same (`and` and `&&`, `=` and `:=`) are the same node; the span leads to the one that was used.

use tourbillon_base::Span;

use super::{ExprId, Name, Symbol, Type};
pub use crate::operator::{AssignOp, BinaryOp, QuantifierOp, UnaryOp};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Where it is written, without brackets around it.
    pub span: Span,
    /// The number of levels below it.
    pub(super) height: u16,
}

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// Text that could not be understood; an error was reported.
    Error,
    /// An integer. `-2147483648` is one literal, every other negative number is a negation.
    Int(i32),
    /// A floating-point number, as written.
    Float(Symbol),
    Bool(bool),
    /// A string, without its quotes.
    Str(Symbol),
    Name(Symbol),
    /// `deadlock`, in a query.
    Deadlock,
    /// `-e`, `e++`, `e'`.
    Unary {
        op: UnaryOp,
        /// What it is applied to.
        operand: ExprId,
    },
    /// `a + b - c`: operators of one level, applied from left to right. The first operand is never itself a
    /// chain of this level.
    Chain {
        /// The leftmost operand.
        first: ExprId,
        /// The operators, each with its right operand; at least one.
        links: Box<[ChainLink]>,
    },
    /// `c ? a : b`.
    Conditional(Box<Conditional>),
    /// `a = b`, `a += b`.
    Assign {
        op: AssignOp,
        target: ExprId,
        /// The new value, or what it is computed from.
        value: ExprId,
    },
    /// `a[i]`.
    Index {
        array: ExprId,
        index: ExprId,
    },
    /// `r.f`, `P.x`, `P(1).l`.
    Field {
        /// The record or process.
        record: ExprId,
        /// The name of the field, variable or location; [`Tree::field_span`](super::Tree::field_span) tells where.
        field: Symbol,
    },
    /// `f(a, b)`, and a process with its parameters, `P(1, 2)`.
    Call {
        callee: ExprId,
        args: Box<[ExprId]>,
    },
    /// `forall (i : T) e`.
    Quantifier(Box<Quantifier>),
    /// `{1, 2}`, `{a: 1}`: an initialiser.
    List(Box<[ListItem]>),
    /// `spawn P(a, b)`: starts a process of a dynamic template.
    Spawn(Box<Spawn>),
    /// `exit()`: ends a process of a dynamic template.
    Exit,
    /// `numOf(P)`: the number of processes of a dynamic template.
    NumOf(Symbol),
}

/// An operator and its right operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChainLink {
    pub op: BinaryOp,
    /// The operand after it.
    pub operand: ExprId,
}

/// `condition ? yes : no`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditional {
    pub condition: ExprId,
    /// The value if it holds.
    pub yes: ExprId,
    /// The value if it does not.
    pub no: ExprId,
}

/// `forall (name : type) body`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantifier {
    pub op: QuantifierOp,
    /// The name that is bound.
    pub binder: Binder,
    /// The expression in which it is bound.
    pub body: ExprId,
}

/// `name : type`: a name that ranges over the values of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    pub name: Name,
    pub ty: Type,
}

/// An element of an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListItem {
    /// The field it is for, if it says so.
    pub field: Option<Name>,
    pub value: ExprId,
}

/// `spawn template(args)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spawn {
    pub template: Name,
    pub args: Vec<ExprId>,
}

impl ExprKind {
    /// Calls `visit` with every direct operand, from left to right. Those in the type of a quantifier's binder
    /// are operands, too, and come first.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Self::Error | Self::Int(_) | Self::Float(_) | Self::Bool(_) | Self::Str(_) => {}
            Self::Name(_) | Self::Deadlock | Self::Exit | Self::NumOf(_) => {}
            Self::Unary { operand, .. } => visit(*operand),
            Self::Chain { first, links } => {
                visit(*first);
                links.iter().for_each(|link| visit(link.operand));
            }
            Self::Conditional(inner) => [inner.condition, inner.yes, inner.no].into_iter().for_each(visit),
            Self::Assign { target, value, .. } => [*target, *value].into_iter().for_each(visit),
            Self::Index { array, index } => [*array, *index].into_iter().for_each(visit),
            Self::Field { record, .. } => visit(*record),
            Self::Call { callee, args } => {
                visit(*callee);
                args.iter().copied().for_each(visit);
            }
            Self::Quantifier(inner) => {
                inner.binder.ty.for_each_expr(&mut visit);
                visit(inner.body);
            }
            Self::List(items) => items.iter().for_each(|item| visit(item.value)),
            Self::Spawn(inner) => inner.args.iter().copied().for_each(visit),
        }
    }
}
