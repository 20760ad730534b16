//! The clock comparisons of guards, invariants and queries.
//!
//! `x > c` and `x >= c` need a lower bound, `x < c` and `x <= c` an upper one, an equality both. A comparison with an
//! expression that is not constant needs its largest possible value: larger constants distinguish more. Negative bounds
//! are irrelevant. Comparisons of differences are kept, one for each possible value.
//!
//! Not only the position of a comparison matters but also which of its outcomes does. Bounds are for a simulation,
//! which has a direction: the simulating valuation must satisfy what the simulated one satisfies, and not the converse.
//! So `!(x < 5)` needs what `x >= 5` needs. [`Polarity`] says which outcome matters; if that is not clear, both do.

use std::collections::BTreeSet;

use tourbillon_dbm::Constant;
use tourbillon_model::{
    BinaryOp, ClockAtom, ClockId, Compare, ExprId, ExprKind, Guard, QuantifierOp, Range, UnaryOp,
};

use super::effect::UNBOUNDED;
use super::error::{BoundsError, BoundsErrorKind};
use super::range::Context;
use super::update::Updates;

/// The maximum number of values in one comparison of a difference.
const VALUES_MAX: u64 = 1024;

/// Which outcome of a condition matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Polarity {
    /// That it holds, as for `E<> p`.
    Holds,
    /// That it fails, as for `A[] p`, which is decided by searching for a state that violates `p`.
    Fails,
    Both,
}

impl Polarity {
    const fn negated(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
            Self::Both => Self::Both,
        }
    }
}

/// `left - right <= constant`, or `<`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Diagonal {
    pub(super) left: ClockId,
    pub(super) right: ClockId,
    pub(super) constant: i64,
    pub(super) weak: bool,
}

/// All comparisons at one position.
#[derive(Clone, Default, Debug)]
pub(super) struct ClockComparisons {
    pub(super) lower: Vec<(ClockId, i64)>,
    pub(super) upper: Vec<(ClockId, i64)>,
    pub(super) diagonals: BTreeSet<Diagonal>,
    /// Whether there were too many differences to list.
    pub(super) overflowing: bool,
}

impl ClockComparisons {
    /// Collects a guard or invariant.
    pub(super) fn guard(
        &mut self,
        context: &Context<'_>,
        guard: &Guard,
        polarity: Polarity,
    ) -> Result<(), BoundsError> {
        for condition in &guard.clocks {
            if condition.when.and_then(|when| context.truth(when)) != Some(false) {
                self.atom(context, &condition.atom, polarity)?;
            }
        }
        Ok(())
    }

    /// Collects a condition, through negations and connectives.
    pub(super) fn condition<'m>(
        &mut self,
        context: &Context<'m>,
        updates: &mut Updates<'m>,
        id: ExprId,
        polarity: Polarity,
    ) -> Result<(), BoundsError> {
        let kind = &context.model.exprs[id].kind;
        let mut part = |context: &Context<'m>, id, polarity| self.condition(context, updates, id, polarity);
        match kind {
            ExprKind::Clock(atom) => self.atom(context, atom, polarity),
            ExprKind::Unary(UnaryOp::Not, operand) => part(context, *operand, polarity.negated()),
            ExprKind::Unary(UnaryOp::Truth, operand) => part(context, *operand, polarity),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                part(context, *left, polarity)?;
                part(context, *right, polarity)
            }
            ExprKind::Conditional(condition, yes, no) => {
                part(context, *condition, Polarity::Both)?;
                part(context, *yes, polarity)?;
                part(context, *no, polarity)
            }
            ExprKind::Quantifier { op, local, range, body } => {
                let polarity = if *op == QuantifierOp::Sum { Polarity::Both } else { polarity };
                context.cases(*local, *range).iter().try_for_each(|case| part(case, *body, polarity))
            }
            ExprKind::Call { .. } | ExprKind::CallInto { .. } => updates.expr(context, id).map(drop),
            _ => {
                let mut operands = Vec::new();
                kind.for_each_operand(&mut |operand| operands.push(operand));
                operands.into_iter().try_for_each(|operand| part(context, operand, Polarity::Both))
            }
        }
    }

    fn atom(
        &mut self,
        context: &Context<'_>,
        atom: &ClockAtom,
        polarity: Polarity,
    ) -> Result<(), BoundsError> {
        let range = context.value(atom.bound);
        let most = Constant::MAX.get();
        let Some(possible) = Range::new(range.min.max(-most), range.max.min(most)) else {
            let nearest = if range.min > 0 { range.min } else { range.max };
            let span = context.model.exprs[atom.bound].span;
            return Err(BoundsError::new(BoundsErrorKind::ConstantTooLarge(nearest), span));
        };
        let lefts = context.clocks(&atom.left);
        match &atom.right {
            None => lefts.iter().for_each(|&clock| self.limit(clock, atom.compare, range, polarity)),
            Some(right) => {
                let rights = context.clocks(right);
                let pairs = lefts.iter().flat_map(|&left| rights.iter().map(move |&right| (left, right)));
                pairs.filter(|(left, right)| left != right).for_each(|(left, right)| {
                    self.difference(left, right, atom.compare, possible);
                });
            }
        }
        Ok(())
    }

    fn limit(&mut self, clock: ClockId, compare: Compare, range: Range, polarity: Polarity) {
        if range.max < 0 {
            return;
        }
        let most = Constant::MAX.get();
        let limit = if range.max > most { UNBOUNDED } else { range.max.into() };
        let (holds, fails) = (polarity != Polarity::Fails, polarity != Polarity::Holds);
        let (above, below) = match compare {
            Compare::Less | Compare::LessOrEqual => (fails, holds),
            Compare::Equal => (true, true),
            Compare::GreaterOrEqual | Compare::Greater => (holds, fails),
        };
        self.lower.extend(above.then_some((clock, limit)));
        self.upper.extend(below.then_some((clock, limit)));
    }

    fn difference(&mut self, left: ClockId, right: ClockId, compare: Compare, range: Range) {
        if range.len() > VALUES_MAX {
            self.overflowing = true;
            return;
        }
        for value in range.values().map(i64::from) {
            let most = |weak| Diagonal { left, right, constant: value, weak };
            let least = |weak| Diagonal { left: right, right: left, constant: -value, weak };
            match compare {
                Compare::Less => self.diagonals.extend([most(false)]),
                Compare::LessOrEqual => self.diagonals.extend([most(true)]),
                Compare::Equal => self.diagonals.extend([most(true), least(true)]),
                Compare::GreaterOrEqual => self.diagonals.extend([least(true)]),
                Compare::Greater => self.diagonals.extend([least(false)]),
            }
        }
    }
}
