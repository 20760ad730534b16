//! What can be said of clocks: sums and differences, comparisons, rates, and the shape of guards and
//! invariants.
//!
//! A condition that has a comparison of clocks in it is a [`ClockFormula`]. Its class says where it can stand:
//! zones are convex, so a guard or invariant must be a conjunction of comparisons, each perhaps depending on
//! data. The classes are those of UPPAAL's own checker: `x == e` cannot be an invariant, `x != e` and
//! everything negated can be asked in queries only.

use tourbillon_base::Span;
use tourbillon_model::{
    BinaryOp, ClockAtom, ClockCondition, ClockPlace, Compare, ExprId, ExprKind, Guard, Rate, UnaryOp,
};
use tourbillon_syntax::tree;

use super::place::Operand;
use super::types::Ty;
use super::{Lowerer, codes};

/// `plus - minus + offset`.
#[derive(Clone, Debug)]
pub(super) struct ClockTerm {
    pub(super) plus: Option<ClockPlace>,
    pub(super) minus: Option<ClockPlace>,
    pub(super) offset: Option<ExprId>,
}

/// Where a condition on clocks can stand, from the most to the least places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ConditionClass {
    /// Invariants, guards and queries.
    Invariant,
    Guard,
    Query,
}

/// A condition with comparisons of clocks, or rates, in it.
#[derive(Clone, Debug)]
pub(super) struct ClockFormula {
    pub(super) expr: ExprId,
    pub(super) class: ConditionClass,
    pub(super) rates: Vec<Rate>,
}

/// What an expression is as a condition.
pub(super) enum Condition {
    Poison,
    /// It depends on floating-point numbers.
    Abstracted,
    Data(ExprId),
    Clocks(ClockFormula),
}

impl Lowerer<'_> {
    /// An operand as a sum of clocks and numbers; nothing if it is something else.
    pub(super) fn term(&mut self, operand: &Operand, span: Span) -> Option<ClockTerm> {
        match operand {
            Operand::Clock { place, ty: Ty::Clock } => {
                Some(ClockTerm { plus: Some(place.clone()), minus: None, offset: None })
            }
            Operand::Term(term) => Some(term.clone()),
            Operand::Value(expr, ty) if ty.is_number() => {
                Some(ClockTerm { plus: None, minus: None, offset: Some(*expr) })
            }
            Operand::Data { place, ty, setup, .. } if ty.is_number() => {
                let expr = self.load(place.clone(), *setup, span);
                Some(ClockTerm { plus: None, minus: None, offset: Some(expr) })
            }
            _ => None,
        }
    }

    /// `left + right` or `left - right`, at least one of them with a clock.
    pub(super) fn add_terms(
        &mut self,
        left: ClockTerm,
        right: ClockTerm,
        minus: bool,
        span: Span,
    ) -> Operand {
        let right = if minus { self.negated(right, span) } else { right };
        if left.plus.is_some() && right.plus.is_some() || left.minus.is_some() && right.minus.is_some() {
            self.error(codes::CLOCK_CONDITION, span, "clocks can be subtracted, not added");
            return Operand::Poison;
        }
        let offset = match (left.offset, right.offset) {
            (Some(one), Some(two)) => Some(self.add(ExprKind::Binary(BinaryOp::Add, one, two), span)),
            (one, two) => one.or(two),
        };
        Operand::Term(ClockTerm { plus: left.plus.or(right.plus), minus: left.minus.or(right.minus), offset })
    }

    fn negated(&mut self, term: ClockTerm, span: Span) -> ClockTerm {
        let offset = term.offset.map(|offset| self.add(ExprKind::Unary(UnaryOp::Negate, offset), span));
        ClockTerm { plus: term.minus, minus: term.plus, offset }
    }

    /// A comparison, at least one side with a clock.
    pub(super) fn compare_clocks(
        &mut self,
        op: tree::BinaryOp,
        left: ClockTerm,
        right: ClockTerm,
        span: Span,
    ) -> Operand {
        let Operand::Term(term) = self.add_terms(left, right, true, span) else { return Operand::Poison };
        // plus - minus + offset is compared with 0.
        let bound = match term.offset {
            Some(offset) => self.add(ExprKind::Unary(UnaryOp::Negate, offset), span),
            None => self.int(0, span),
        };
        let (left, right, flipped) = match (term.plus, term.minus) {
            (Some(plus), minus) => (plus, minus, false),
            (None, Some(minus)) => (minus, None, true),
            (None, None) => return Operand::Poison,
        };
        let bound = if flipped { self.add(ExprKind::Unary(UnaryOp::Negate, bound), span) } else { bound };
        let compare = |op, flipped| match (op, flipped) {
            (tree::BinaryOp::Less, false) | (tree::BinaryOp::Greater, true) => Some(Compare::Less),
            (tree::BinaryOp::LessEqual, false) | (tree::BinaryOp::GreaterEqual, true) => {
                Some(Compare::LessOrEqual)
            }
            (tree::BinaryOp::Equal, _) => Some(Compare::Equal),
            (tree::BinaryOp::GreaterEqual, false) | (tree::BinaryOp::LessEqual, true) => {
                Some(Compare::GreaterOrEqual)
            }
            (tree::BinaryOp::Greater, false) | (tree::BinaryOp::Less, true) => Some(Compare::Greater),
            _ => None,
        };
        self.effects.touched = true;
        let atom = |compare| ClockAtom { left: left.clone(), right: right.clone(), compare, bound };
        match compare(op, flipped) {
            Some(kind) => {
                let class =
                    if kind == Compare::Equal { ConditionClass::Guard } else { ConditionClass::Invariant };
                let expr = self.add(ExprKind::Clock(atom(kind)), span);
                Operand::ClockFormula(ClockFormula { expr, class, rates: Vec::new() })
            }
            None => {
                let (less, greater) = (atom(Compare::Less), atom(Compare::Greater));
                let (less, greater) =
                    (self.add(ExprKind::Clock(less), span), self.add(ExprKind::Clock(greater), span));
                let expr = self.add(ExprKind::Binary(BinaryOp::Or, less, greater), span);
                Operand::ClockFormula(ClockFormula { expr, class: ConditionClass::Query, rates: Vec::new() })
            }
        }
    }

    /// `x' == e`.
    pub(super) fn rate(&mut self, clock: tree::ExprId, value: tree::ExprId, span: Span) -> Operand {
        let place = match self.expr(clock) {
            Operand::Clock { place, ty: Ty::Clock } => place,
            Operand::Poison => return Operand::Poison,
            Operand::Abstracted => {
                let expr = self.int(1, span);
                return Operand::ClockFormula(ClockFormula {
                    expr,
                    class: ConditionClass::Invariant,
                    rates: Vec::new(),
                });
            }
            other => {
                let message = format!("only a clock has a rate, and this is {}", other.describe());
                self.error(codes::BAD_RATE, span, message);
                return Operand::Poison;
            }
        };
        let value_span = self.tree[value].span;
        let rate = match self.expr(value) {
            Operand::Abstracted => {
                self.error(codes::UNSUPPORTED, value_span, "rates other than 0 and 1 are not supported");
                return Operand::Poison;
            }
            operand => self.number(operand, value_span),
        };
        let Some(rate) = rate else { return Operand::Poison };
        if self.known(rate).is_some_and(|rate| rate != 0 && rate != 1) {
            self.error(codes::UNSUPPORTED, value_span, "rates other than 0 and 1 are not supported");
            return Operand::Poison;
        }
        let expr = self.int(1, span);
        let rates = if self.known(rate) == Some(1) { Vec::new() } else { vec![Rate { clock: place, rate }] };
        Operand::ClockFormula(ClockFormula { expr, class: ConditionClass::Invariant, rates })
    }

    /// What a condition comes to. That one assigns where it should compare was reported when the text was
    /// read.
    pub(super) fn condition_operand(&mut self, expr: tree::ExprId) -> Operand {
        match self.tree[expr].kind {
            tree::ExprKind::Assign { op: tree::AssignOp::Set, target, value } => {
                self.expr(target);
                self.expr(value);
                Operand::Poison
            }
            _ => self.expr(expr),
        }
    }

    /// An operand as a condition.
    pub(super) fn condition(&mut self, operand: Operand, span: Span) -> Condition {
        match operand {
            Operand::Poison => Condition::Poison,
            Operand::Abstracted => Condition::Abstracted,
            Operand::ClockFormula(formula) => Condition::Clocks(formula),
            other => self.number(other, span).map_or(Condition::Poison, Condition::Data),
        }
    }

    /// `&&`, `||`, `imply` and `xor` of two conditions, at least one of them with clocks.
    pub(super) fn connect(
        &mut self,
        op: tree::BinaryOp,
        left: Condition,
        right: Condition,
        span: Span,
    ) -> Operand {
        let (left, right) = match (left, right) {
            (Condition::Poison, _) | (_, Condition::Poison) => return Operand::Poison,
            (Condition::Abstracted, _) | (_, Condition::Abstracted) => return Operand::Abstracted,
            (left, right) => (left, right),
        };
        let split = |condition| match condition {
            Condition::Data(expr) => (expr, None, Vec::new()),
            Condition::Clocks(ClockFormula { expr, class, rates }) => (expr, Some(class), rates),
            Condition::Poison | Condition::Abstracted => unreachable!("handled above"),
        };
        let ((left, left_class, mut rates), (right, right_class, more)) = (split(left), split(right));
        let class = match (op, left_class, right_class) {
            (tree::BinaryOp::And, _, _) => left_class.max(right_class).unwrap_or(ConditionClass::Invariant),
            (tree::BinaryOp::Or, None, Some(class)) | (tree::BinaryOp::Or, Some(class), None) => class,
            (tree::BinaryOp::Imply, None, Some(class)) => class,
            _ => ConditionClass::Query,
        };
        rates.extend(more);
        if !rates.is_empty() && op != tree::BinaryOp::And {
            // A clock whose rate is not given continues as clocks do.
            let (data, holds) = match (op, left_class, right_class) {
                (tree::BinaryOp::Or, None, _) => (left, false),
                (tree::BinaryOp::Or, _, None) => (right, false),
                (tree::BinaryOp::Imply, None, _) => (left, true),
                _ => {
                    let message = "a rate can be joined with other conditions on clocks by `&&` only";
                    self.error(codes::BAD_RATE, span, message);
                    return Operand::Poison;
                }
            };
            self.rates_if(data, holds, &mut rates, span);
        }
        let settled = |lowerer: &Self, expr| lowerer.known(expr).is_some_and(|value| value != 0);
        let expr = match op {
            tree::BinaryOp::And if settled(self, right) => left,
            tree::BinaryOp::And => self.and(left, right, span),
            // What is left of a rate once it is taken out is always true.
            _ if !rates.is_empty() && settled(self, right) => right,
            _ if !rates.is_empty() && settled(self, left) => left,
            tree::BinaryOp::Or => self.add(ExprKind::Binary(BinaryOp::Or, left, right), span),
            tree::BinaryOp::Imply => {
                let not_left = self.not(left, span);
                self.add(ExprKind::Binary(BinaryOp::Or, not_left, right), span)
            }
            _ => {
                let (truth_left, truth_right) = (self.truth(left, span), self.truth(right, span));
                self.add(ExprKind::Binary(BinaryOp::NotEqual, truth_left, truth_right), span)
            }
        };
        Operand::ClockFormula(ClockFormula { expr, class, rates })
    }

    /// Makes rates depend on a condition: they count if it is as `holds` says, else clocks have the rate 1.
    fn rates_if(&mut self, condition: ExprId, holds: bool, rates: &mut [Rate], span: Span) {
        for Rate { rate, .. } in rates {
            let one = self.int(1, span);
            let (yes, no) = if holds { (*rate, one) } else { (one, *rate) };
            *rate = self.add(ExprKind::Conditional(condition, yes, no), span);
        }
    }

    fn truth(&mut self, expr: ExprId, span: Span) -> ExprId {
        self.add(ExprKind::Unary(UnaryOp::Truth, expr), span)
    }

    /// Takes a condition apart into what is about data and what is about clocks. The class has been checked,
    /// so that every disjunction has clocks on one side only.
    pub(super) fn split(&mut self, expr: ExprId, guard: &mut Guard) {
        self.split_when(expr, None, guard);
    }

    fn split_when(&mut self, expr: ExprId, when: Option<ExprId>, guard: &mut Guard) {
        let span = self.model.exprs[expr].span;
        let when = match when.map(|when| (when, self.known(when))) {
            Some((_, Some(0))) => return,
            Some((_, Some(_))) | None => None,
            Some((when, None)) => Some(when),
        };
        if !self.has_clocks(expr) {
            let condition = match when {
                None => expr,
                Some(when) => {
                    let not_when = self.not(when, span);
                    self.add(ExprKind::Binary(BinaryOp::Or, not_when, expr), span)
                }
            };
            if self.known(condition).is_none_or(|value| value == 0) {
                guard.conditions.push(condition);
            }
            return;
        }
        match self.model.exprs[expr].kind.clone() {
            ExprKind::Clock(atom) => guard.clocks.push(ClockCondition { when, atom }),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.split_when(left, when, guard);
                self.split_when(right, when, guard);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let (data, clocks) = if self.has_clocks(left) { (right, left) } else { (left, right) };
                let otherwise = self.not(data, span);
                let when = match when {
                    None => otherwise,
                    Some(when) => self.and(when, otherwise, span),
                };
                self.split_when(clocks, Some(when), guard);
            }
            other => unreachable!("the class of the condition does not allow {other:?}"),
        }
    }

    /// Whether clocks are compared anywhere in it.
    pub(super) fn has_clocks(&self, expr: ExprId) -> bool {
        let kind = &self.model.exprs[expr].kind;
        let mut found = matches!(kind, ExprKind::Clock(_));
        kind.for_each_operand(&mut |operand| found = found || self.has_clocks(operand));
        found
    }
}
