//! Expressions, with as few brackets as possible.
//!
//! Two things ask for brackets. An operand that binds less tightly than its place allows needs them. And a
//! quantifier, which takes all that follows it, needs them unless nothing follows: `tail` says that the
//! expression is at the end of its brackets, list or label.

use super::Printer;
use crate::operator::{ASSIGNMENT, ATOM, CONDITIONAL, Level, POSTFIX, PREFIX, QUANTIFIER};
use crate::tree::{Binder, ChainLink, Conditional, ExprId, ExprKind, ListItem, Quantifier, Spawn, UnaryOp};

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: ExprId) {
        self.operand(expr, QUANTIFIER, true);
    }

    pub(super) fn exprs(&mut self, exprs: &[ExprId]) {
        self.separated(exprs, ", ", |printer, &expr| printer.expr(expr));
    }

    /// An expression at a place where only `level` and tighter can stand without brackets.
    pub(super) fn operand(&mut self, expr: ExprId, level: Level, tail: bool) {
        let bare = match self.tree[expr].kind {
            ExprKind::Quantifier(_) => tail,
            ref kind => level_of(kind) >= level,
        };
        if bare {
            return self.bare(expr, tail);
        }
        self.push("(");
        self.bare(expr, true);
        self.push(")");
    }

    fn bare(&mut self, expr: ExprId, tail: bool) {
        let tree = self.tree;
        match &tree[expr].kind {
            ExprKind::Error => self.push("/* error */"),
            ExprKind::Int(value) => self.push(&value.to_string()),
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Float(symbol) | ExprKind::Name(symbol) => self.push(tree.text(*symbol)),
            ExprKind::Str(symbol) => self.string(tree.text(*symbol)),
            ExprKind::Deadlock => self.push("deadlock"),
            ExprKind::Unary { op, operand } if op.is_postfix() => {
                self.operand(*operand, POSTFIX, false);
                self.push(op.text());
            }
            ExprKind::Unary { op, operand } => self.prefix(*op, *operand, tail),
            ExprKind::Chain { first, links } => self.chain(*first, links, tail),
            ExprKind::Conditional(inner) => self.conditional(inner, tail),
            ExprKind::Assign { op, target, value } => {
                self.operand(*target, CONDITIONAL, false);
                self.push(" ");
                self.push(op.text());
                self.push(" ");
                self.operand(*value, ASSIGNMENT, tail);
            }
            ExprKind::Index { array, index } => {
                self.operand(*array, POSTFIX, false);
                self.push("[");
                self.expr(*index);
                self.push("]");
            }
            ExprKind::Field { record, field } => self.field(*record, tree.text(*field)),
            ExprKind::Call { callee, args } => {
                self.operand(*callee, POSTFIX, false);
                self.arguments(args);
            }
            ExprKind::Quantifier(inner) => self.quantifier(inner, tail),
            ExprKind::List(items) => self.list(items),
            ExprKind::Spawn(inner) => self.spawn(inner),
            ExprKind::Exit => self.push("exit()"),
            ExprKind::NumOf(template) => {
                self.push("numOf(");
                self.push(tree.text(*template));
                self.push(")");
            }
        }
    }

    pub(super) fn string(&mut self, text: &str) {
        self.push("\"");
        self.push(text);
        self.push("\"");
    }

    /// `- -x` is not `--x`: signs that would run together are kept apart.
    fn prefix(&mut self, op: UnaryOp, operand: ExprId, tail: bool) {
        self.push(op.text());
        let after = self.out.len();
        self.operand(operand, PREFIX, tail);
        let sign = &op.text()[..1];
        if sign != "!" && self.out[after..].starts_with(sign) {
            self.out.insert(after, ' ');
        }
    }

    fn chain(&mut self, first: ExprId, links: &[ChainLink], tail: bool) {
        let level = links.first().map_or(ATOM, |link| link.op.level());
        self.operand(first, level + 1, false);
        for (index, link) in links.iter().enumerate() {
            self.push(" ");
            self.push(link.op.text());
            self.push(" ");
            self.operand(link.operand, level + 1, tail && index + 1 == links.len());
        }
    }

    fn conditional(&mut self, inner: &Conditional, tail: bool) {
        self.operand(inner.condition, CONDITIONAL + 1, false);
        self.push(" ? ");
        self.expr(inner.yes);
        self.push(" : ");
        self.operand(inner.no, CONDITIONAL, tail);
    }

    /// `1.x` would be a number and a name.
    fn field(&mut self, record: ExprId, field: &str) {
        let level = if matches!(self.tree[record].kind, ExprKind::Int(_)) { ATOM + 1 } else { POSTFIX };
        self.operand(record, level, false);
        self.push(".");
        self.push(field);
    }

    pub(super) fn arguments(&mut self, args: &[ExprId]) {
        self.push("(");
        self.exprs(args);
        self.push(")");
    }

    fn quantifier(&mut self, inner: &Quantifier, tail: bool) {
        self.push(inner.op.text());
        self.push(" (");
        self.binder(&inner.binder);
        self.push(") ");
        self.operand(inner.body, QUANTIFIER, tail);
    }

    pub(super) fn binder(&mut self, binder: &Binder) {
        self.push(self.tree.name(binder.name));
        self.push(" : ");
        self.ty(&binder.ty);
    }

    fn list(&mut self, items: &[ListItem]) {
        self.push("{");
        self.separated(items, ", ", |printer, item| {
            if let Some(field) = item.field {
                printer.push(printer.tree.name(field));
                printer.push(": ");
            }
            printer.expr(item.value);
        });
        self.push("}");
    }

    fn spawn(&mut self, inner: &Spawn) {
        self.push("spawn ");
        self.push(self.tree.name(inner.template));
        self.arguments(&inner.args);
    }
}

/// How tightly an expression holds together.
fn level_of(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Unary { op, .. } if op.is_postfix() => POSTFIX,
        ExprKind::Unary { .. } | ExprKind::Int(i32::MIN) => PREFIX,
        ExprKind::Chain { links, .. } => links.first().map_or(ATOM, |link| link.op.level()),
        ExprKind::Conditional(_) => CONDITIONAL,
        ExprKind::Assign { .. } => ASSIGNMENT,
        ExprKind::Quantifier(_) => QUANTIFIER,
        ExprKind::Index { .. } | ExprKind::Field { .. } | ExprKind::Call { .. } => POSTFIX,
        _ => ATOM,
    }
}
