//! The names that a template assigns.
//!
//! A parameter that is passed by value and not declared `const` is a variable of the process, with the
//! argument as its first value. Most such parameters are never assigned, and are better treated as the
//! constants they are: they are no part of the state, and sizes can depend on them. So it is looked up
//! beforehand whether one is. The look is at names only; a local variable that hides the parameter makes it a
//! variable for nothing, which does no harm.

use std::collections::HashSet;

use tourbillon_syntax::tree::{self, Decl, ExprId, ExprKind, StmtKind, Symbol, UnaryOp};

use super::{Lowerer, NamedEntity};

impl<'t> Lowerer<'t> {
    /// The names that are assigned, counted, or passed to be changed.
    pub(super) fn assigned_names(&self, template: &'t tree::Template) -> HashSet<Symbol> {
        let functions = template.declarations.iter().filter_map(|decl| match decl {
            Decl::Function(function) => Some(function),
            _ => None,
        });
        let mut search =
            AssignmentFinder { lowerer: self, local: functions.collect(), names: HashSet::new() };
        for function in search.local.clone() {
            search.block(&function.body);
        }
        template.edges.iter().flat_map(|edge| &edge.assign).for_each(|&update| search.expr(update));
        search.names
    }
}

struct AssignmentFinder<'l, 't> {
    lowerer: &'l Lowerer<'t>,
    local: Vec<&'t tree::Function>,
    names: HashSet<Symbol>,
}

impl<'t> AssignmentFinder<'_, 't> {
    fn block(&mut self, block: &'t tree::Block) {
        for decl in &block.declarations {
            if let Decl::Variables(variables) = decl {
                variables.names.iter().filter_map(|name| name.init).for_each(|init| self.expr(init));
            }
        }
        block.statements.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'t tree::Stmt) {
        match &stmt.kind {
            StmtKind::Error | StmtKind::Empty => {}
            StmtKind::Expr(expr) | StmtKind::Assert(expr) => self.expr(*expr),
            StmtKind::Return(value) => value.iter().for_each(|&value| self.expr(value)),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => {
                for (condition, stmt) in arms {
                    self.expr(*condition);
                    self.stmt(stmt);
                }
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.expr(*condition);
                self.stmt(body);
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter().chain(condition).chain(step).for_each(|&expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::ForEach { body, .. } => self.stmt(body),
        }
    }

    fn expr(&mut self, expr: ExprId) {
        let tree = self.lowerer.tree;
        match &tree[expr].kind {
            ExprKind::Assign { target, .. } => self.target(*target),
            ExprKind::Unary { op, operand } if is_count(*op) => self.target(*operand),
            ExprKind::Call { callee, args } => {
                for (position, &arg) in args.iter().enumerate() {
                    if self.may_change(*callee, position) {
                        self.target(arg);
                    }
                }
            }
            _ => {}
        }
        tree[expr].kind.for_each_operand(|operand| self.expr(operand));
    }

    /// Notes the variable that an element or field is of.
    fn target(&mut self, expr: ExprId) {
        match &self.lowerer.tree[expr].kind {
            ExprKind::Name(symbol) => drop(self.names.insert(*symbol)),
            ExprKind::Index { array: whole, .. } | ExprKind::Field { record: whole, .. } => {
                self.target(*whole)
            }
            _ => {}
        }
    }

    /// Whether a function may change what is passed at this position.
    fn may_change(&self, callee: ExprId, position: usize) -> bool {
        let Some(name) = self.lowerer.tree.as_name(callee) else { return false };
        if let Some(function) = self.local.iter().find(|function| function.name.symbol == name.symbol) {
            return function
                .params
                .get(position)
                .is_some_and(|param| param.by_reference && !param.ty.prefix.constant);
        }
        match self.lowerer.find(name.symbol) {
            Some(NamedEntity::Function(id)) => {
                let parameters = &self.lowerer.signatures[id].parameters;
                parameters.get(position).is_some_and(|parameter| parameter.written)
            }
            _ => false,
        }
    }
}

fn is_count(op: UnaryOp) -> bool {
    matches!(
        op,
        UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement
    )
}
