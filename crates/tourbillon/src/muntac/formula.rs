//! The formula of a certificate: the states that it excludes, or that no run visits infinitely often.
//!
//! Muntac's formulas are `E<>` of locations and of tests of variables, joined by `&&`, `||` and `!`. Quantifiers are written out, negations moved
//! inwards, and other expressions on data replaced by the combinations of values for which they are true.

use std::collections::BTreeMap;

use tourbillon_base::{Diagnostic, Id};
use tourbillon_model::{BinaryOp, ExprId, ExprKind, LocationId, Model, ProcessId, QuantifierOp, UnaryOp};

use super::edges::{Relation, Test, combinations, test};
use super::reads::{Resets, Scope, fixed_value, initial_cells, value};
use super::refused;

/// How many operators a formula may have.
const OPERATORS_MAX: usize = 100_000;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Formula {
    Constant(bool),
    /// Whether a process is at a location, or is not.
    At(ProcessId, LocationId, bool),
    Test(Test),
    And(Vec<Self>),
    Or(Vec<Self>),
}

impl Formula {
    /// A conjunction, or a disjunction; sorted, without what it does not need.
    pub(super) fn join(parts: Vec<Self>, is_and: bool) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::Constant(value) if value == is_and => {}
                Self::Constant(value) => return Self::Constant(value),
                Self::And(parts) if is_and => flat.extend(parts),
                Self::Or(parts) if !is_and => flat.extend(parts),
                other => flat.push(other),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.len() {
            0 => Self::Constant(is_and),
            1 => flat.swap_remove(0),
            _ if is_and => Self::And(flat),
            _ => Self::Or(flat),
        }
    }

    /// The formula with others in the places of its parts.
    pub(super) fn map(&self, part: &impl Fn(&Self) -> Self) -> Self {
        match self {
            Self::And(parts) => Self::join(parts.iter().map(|it| it.map(part)).collect(), true),
            Self::Or(parts) => Self::join(parts.iter().map(|it| it.map(part)).collect(), false),
            other => part(other),
        }
    }
}

/// The formula of a predicate, or of its negation.
pub(super) fn formula(
    model: &Model,
    expr: ExprId,
    frame: u32,
    is_negated: bool,
) -> Result<Formula, Diagnostic> {
    let mut builder = Builder { model, scope: Scope::new(frame), operators: 0 };
    builder.formula(expr, !is_negated)
}

struct Builder<'m> {
    model: &'m Model,
    scope: Scope,
    operators: usize,
}

impl Builder<'_> {
    fn formula(&mut self, expr: ExprId, wanted: bool) -> Result<Formula, Diagnostic> {
        let (model, span) = (self.model, self.model.exprs[expr].span);
        self.operators += 1;
        if self.operators > OPERATORS_MAX {
            return refused(span, format!("a query of more than {OPERATORS_MAX} operators"));
        }
        if let Some(value) = fixed_value(model, expr, &self.scope) {
            return Ok(Formula::Constant((value != 0) == wanted));
        }
        match &model.exprs[expr].kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.formula(*operand, !wanted),
            ExprKind::Unary(UnaryOp::Truth, operand) => self.formula(*operand, wanted),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let is_and = (*op == BinaryOp::And) == wanted;
                let first = self.formula(*left, wanted)?;
                // The other side may make sense only where it counts, as an index does.
                if first == Formula::Constant(!is_and) {
                    return Ok(first);
                }
                Ok(Formula::join(vec![first, self.formula(*right, wanted)?], is_and))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let cases = [(true, yes), (false, no)].map(|(holds, case)| -> Result<Formula, Diagnostic> {
                    let condition = self.formula(*condition, holds)?;
                    if condition == Formula::Constant(false) {
                        return Ok(condition);
                    }
                    Ok(Formula::join(vec![condition, self.formula(*case, wanted)?], true))
                });
                let [yes, no] = cases;
                Ok(Formula::join(vec![yes?, no?], false))
            }
            ExprKind::Quantifier {
                op: op @ (QuantifierOp::ForAll | QuantifierOp::Exists),
                local,
                range,
                body,
            } => {
                let mut parts = Vec::new();
                for value in range.values() {
                    self.scope.set(*local, value);
                    parts.push(self.formula(*body, wanted)?);
                }
                Ok(Formula::join(parts, (*op == QuantifierOp::ForAll) == wanted))
            }
            ExprKind::AtLocation(process, location) => Ok(Formula::At(*process, *location, wanted)),
            _ => self.data(expr, wanted),
        }
    }

    /// An expression on data.
    fn data(&mut self, expr: ExprId, wanted: bool) -> Result<Formula, Diagnostic> {
        let (model, span) = (self.model, self.model.exprs[expr].span);
        if let Some(test) = test(model, expr, &self.scope) {
            let relation = if wanted { test.relation } else { test.relation.negated() };
            return Ok(Formula::Test(Test { relation, ..test }));
        }
        self.only_data(expr)?;
        let mut cases = Vec::new();
        for known in combinations(model, &[expr], &self.scope, &BTreeMap::new(), span)? {
            let mut cells = initial_cells(model);
            known.iter().for_each(|(cell, &value)| cells[cell.index()] = value);
            let Ok(value) = value(model, expr, &mut cells, &self.scope, &mut Resets::default()) else {
                continue;
            };
            if (value != 0) == wanted {
                let equal = |(cell, value)| Formula::Test(Test { cell, relation: Relation::Equal, value });
                cases.push(Formula::join(known.into_iter().map(equal).collect(), true));
            }
        }
        self.operators += cases.len();
        Ok(Formula::join(cases, false))
    }

    fn only_data(&self, expr: ExprId) -> Result<(), Diagnostic> {
        let (kind, span) = (&self.model.exprs[expr].kind, self.model.exprs[expr].span);
        match kind {
            ExprKind::Clock(_) => return refused(span, "a comparison of clocks in a query"),
            ExprKind::Deadlock => return refused(span, "`deadlock` in a query"),
            ExprKind::AtLocation(..) => return refused(span, "a calculation with locations in a query"),
            _ => {}
        }
        let mut found = Ok(());
        kind.for_each_operand(&mut |operand| {
            if found.is_ok() {
                found = self.only_data(operand);
            }
        });
        found
    }
}
