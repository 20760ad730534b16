//! Expressions and their images: the cases of the induction.

use tourbillon_base::Id;
use tourbillon_model::{AssignOp, BinaryOp, ExprId, ExprKind, Range};

use super::chains::key;
use super::places::Requirement;
use super::{Matching, Outcome, require};
use crate::conflict::{Conflict, Why};
use crate::order;
use crate::sorts::Sort;

impl Matching<'_> {
    /// Two expressions whose values are equal: numbers, or truth values.
    pub(super) fn plain(&mut self, one: ExprId, other: ExprId) -> Outcome {
        self.plain_in(one, one, other)
    }

    /// The same for operands of an expression.
    fn plain_in(&mut self, whole: ExprId, one: ExprId, other: ExprId) -> Outcome {
        let sort = self.expr(one, other)?;
        self.sorts.make_plain(sort, whole)
    }

    /// An expression and its image. Returns the sort of its value.
    pub(super) fn expr(&mut self, one: ExprId, other: ExprId) -> Outcome<Sort> {
        self.spend(1)?;
        match (&self.model.exprs[one].kind, &self.model.exprs[other].kind) {
            (&ExprKind::Int(from), &ExprKind::Int(to)) => Ok(Sort::Literal(from, to)),
            (ExprKind::Load(place), ExprKind::Load(image)) => self.place(one, place, image),
            (&ExprKind::AtLocation(p, l), &ExprKind::AtLocation(q, m)) => {
                require(l == m && self.processes.bind(p.index(), q.index()))?;
                Ok(Sort::Plain)
            }
            (ExprKind::Deadlock, ExprKind::Deadlock) => Ok(Sort::Plain),
            (&ExprKind::Unary(op, a), &ExprKind::Unary(op2, b)) if op == op2 => {
                self.plain_in(one, a, b)?;
                Ok(Sort::Plain)
            }
            (&ExprKind::Binary(op, a, b), &ExprKind::Binary(op2, c, d)) if op == op2 => match op {
                BinaryOp::Equal | BinaryOp::NotEqual => self.comparison(one, (a, b), (c, d)),
                BinaryOp::And | BinaryOp::Or => self.chain(op, one, other),
                _ => {
                    self.plain_in(one, a, c)?;
                    self.plain_in(one, b, d)?;
                    Ok(Sort::Plain)
                }
            },
            (&ExprKind::Conditional(c, a, b), &ExprKind::Conditional(c2, a2, b2)) => {
                self.plain(c, c2)?;
                let (yes, no) = (self.expr(a, a2)?, self.expr(b, b2)?);
                self.sorts.unify(yes, no, one)
            }
            (
                &ExprKind::Quantifier { local, range, body, .. },
                &ExprKind::Quantifier { local: local2, range: range2, body: body2, .. },
            ) => {
                require((local, range) == (local2, range2) && self.same_operator(one, other))?;
                self.quantifier(one, local, range, body, body2)
            }
            (
                ExprKind::Call { function, arguments },
                ExprKind::Call { function: image, arguments: images },
            ) => {
                let returns = self.call(one, (*function, arguments), (*image, images))?;
                Ok(Sort::Of(returns))
            }
            (ExprKind::CallInto { .. }, ExprKind::CallInto { .. }) => {
                Err(Conflict::at(one, Why::Unsupported("a function that returns an array or a record")))
            }
            (
                ExprKind::Assign { op, target, value },
                ExprKind::Assign { op: op2, target: target2, value: value2 },
            ) => {
                require(op == op2 && target.range == target2.range)?;
                let to = self.place(one, target, target2)?;
                let from = self.expr(*value, *value2)?;
                let sort = self.sorts.unify(to, from, one)?;
                if *op != AssignOp::Set {
                    self.sorts.make_plain(sort, one)?;
                }
                self.requirements.push(Requirement::Closed(sort, target.range));
                Ok(sort)
            }
            (
                ExprKind::PostIncrement { target, delta },
                ExprKind::PostIncrement { target: image, delta: delta2 },
            ) => {
                require(delta == delta2 && target.range == image.range)?;
                let sort = self.place(one, target, image)?;
                self.sorts.make_plain(sort, one)?;
                Ok(Sort::Plain)
            }
            (
                ExprKind::Copy { target: a, source: b, count },
                ExprKind::Copy { target: c, source: d, count: count2 },
            )
            | (
                ExprKind::SameCells { left: a, right: b, count },
                ExprKind::SameCells { left: c, right: d, count: count2 },
            ) => {
                require(count == count2 && self.same_operator(one, other))?;
                self.blocks(one, (a, b), (c, d), *count as usize)?;
                Ok(Sort::Plain)
            }
            (ExprKind::Clock(atom), ExprKind::Clock(image)) => {
                self.atom(atom, image)?;
                Ok(Sort::Plain)
            }
            (
                ExprKind::SetClock { target, source, value },
                ExprKind::SetClock { target: target2, source: source2, value: value2 },
            ) => {
                self.clock(target, target2)?;
                self.clocks(source.as_ref(), source2.as_ref())?;
                self.plain(*value, *value2)?;
                Ok(Sort::Plain)
            }
            (ExprKind::Sequence(parts), ExprKind::Sequence(images)) => {
                require(parts.len() == images.len())?;
                let mut sort = Sort::Plain;
                for (&part, &image) in parts.iter().zip(images) {
                    sort = self.expr(part, image)?;
                }
                Ok(sort)
            }
            _ => Err(Conflict::at(one, Why::Different)),
        }
    }

    /// Whether two expressions, known to be of one kind, have the same operator.
    fn same_operator(&self, one: ExprId, other: ExprId) -> bool {
        match (&self.model.exprs[one].kind, &self.model.exprs[other].kind) {
            (ExprKind::Quantifier { op, .. }, ExprKind::Quantifier { op: op2, .. }) => op == op2,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        }
    }

    /// `a == b` and its image: both sides have one sort.
    fn comparison(&mut self, by: ExprId, one: (ExprId, ExprId), other: (ExprId, ExprId)) -> Outcome<Sort> {
        let left = self.expr(one.0, other.0)?;
        let right = self.expr(one.1, other.1)?;
        self.sorts.unify(left, right, by)?;
        Ok(Sort::Plain)
    }

    /// A chain of `&&` or `||`. Its operands are compared in order where they can be; otherwise, if their evaluation cannot
    /// fail, each with one of the others that it matches.
    fn chain(&mut self, op: BinaryOp, one: ExprId, other: ExprId) -> Outcome<Sort> {
        let (chain, images) = (self.chains.get(op, one), self.chains.get(op, other));
        let different = |operand| Conflict::at(operand, Why::Different);
        if chain.operands.len() != images.operands.len() {
            return Err(different(one));
        }
        let mut taken = vec![false; images.operands.len()];
        for (index, &operand) in chain.operands.iter().enumerate() {
            if !taken[index] && self.attempt(operand, images.operands[index])? {
                taken[index] = true;
                continue;
            }
            if !chain.cannot_fail || !images.cannot_fail {
                return Err(different(operand));
            }
            let key = key(self.model, operand, |process| self.processes.image(process).unwrap_or(process));
            let mut found = None;
            for &candidate in images.by_key.get(&key).into_iter().flatten() {
                if !taken[candidate] && self.attempt(operand, images.operands[candidate])? {
                    found = Some(candidate);
                    break;
                }
            }
            taken[found.ok_or(different(operand))?] = true;
        }
        Ok(Sort::Plain)
    }

    /// Whether a condition matches another; if not, nothing is changed.
    fn attempt(&mut self, one: ExprId, other: ExprId) -> Outcome<bool> {
        let mark = self.mark();
        match self.plain(one, other) {
            Ok(()) => Ok(true),
            Err(conflict) if conflict.is_final() => Err(conflict),
            Err(_) => {
                self.reset(&mark);
                Ok(false)
            }
        }
    }

    fn quantifier(
        &mut self,
        by: ExprId,
        local: u32,
        range: Range,
        body: ExprId,
        image: ExprId,
    ) -> Outcome<Sort> {
        let sort = self.with_local(local, |matching, sort| matching.plain(body, image).map(|()| sort))?;
        self.requirements.push(Requirement::Closed(sort, range));
        if !order::cannot_fail(self.model, by) {
            self.requirements.push(Requirement::Fixed(sort, range, Conflict::at(by, Why::QuantifierOrder)));
        }
        Ok(Sort::Plain)
    }
}
