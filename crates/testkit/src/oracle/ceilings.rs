//! How large the constants are that clocks are compared with and set to.
//!
//! What a clock is compared with can be any expression on data; its range is computed from those of the
//! variables in it. All comparisons and settings that the model has are taken together, reachable or not, since
//! a ceiling may be too high and not too low.

use tourbillon_model::{BinaryOp, ClockAtom, ExprId, ExprKind, Guard, Model, UnaryOp};

/// The largest ceiling with which a search makes sense.
const CEILING_MAX: i64 = 64;

/// The constants of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ceilings {
    /// No single clock above this is told from another.
    pub(super) single: i64,
    /// No difference of clocks beyond this, or below its negation, is told from another; nothing if none is
    /// compared.
    pub(super) diagonal: Option<i64>,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    single: i64,
    diagonal: Option<i64>,
    /// The largest number that a clock is set to.
    set: i64,
    /// The largest number that is added when a clock is set to another.
    added: i64,
}

impl Ceilings {
    /// Those of a model, or why it has none.
    pub(super) fn of(model: &Model) -> Result<Self, &'static str> {
        let mut found = Found::default();
        for process in &model.processes {
            for location in &process.locations {
                if !location.rates.is_empty() {
                    return Err("clocks that stand still");
                }
                found.guard(model, &location.invariant)?;
            }
            process.edges.iter().try_for_each(|edge| found.guard(model, &edge.guard))?;
        }
        model.exprs.iter().try_for_each(|expr| found.expr(model, &expr.kind))?;
        found.ceilings()
    }
}

impl Found {
    fn guard(&mut self, model: &Model, guard: &Guard) -> Result<(), &'static str> {
        guard.clocks.iter().try_for_each(|condition| self.atom(model, &condition.atom))
    }

    fn expr(&mut self, model: &Model, kind: &ExprKind) -> Result<(), &'static str> {
        match kind {
            ExprKind::Clock(atom) => self.atom(model, atom),
            ExprKind::SetClock { source, value, .. } => {
                let (min, max) =
                    range(model, *value).ok_or("a clock set to something that is not bounded")?;
                match source {
                    Some(_) if min < 0 => return Err("a clock set to another minus something"),
                    Some(_) => self.added = self.added.max(max),
                    None => self.set = self.set.max(max),
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn atom(&mut self, model: &Model, atom: &ClockAtom) -> Result<(), &'static str> {
        let (min, max) = range(model, atom.bound).ok_or("a clock compared with something not bounded")?;
        let largest = min.abs().max(max.abs());
        match atom.right {
            Some(_) => self.diagonal = Some(self.diagonal.unwrap_or(0).max(largest)),
            None => self.single = self.single.max(largest),
        }
        Ok(())
    }

    /// With differences, the value of a clock decides what its difference to one that is set will be.
    fn ceilings(self) -> Result<Ceilings, &'static str> {
        if self.diagonal.is_some() && self.added > 0 {
            return Err("differences compared, and clocks set to others plus something");
        }
        let single = self.diagonal.map_or(self.single, |diagonal| self.single.max(diagonal + self.set));
        if single > CEILING_MAX {
            return Err("large constants");
        }
        Ok(Ceilings { single, diagonal: self.diagonal })
    }
}

/// The smallest and the largest value that an expression can have, or numbers beyond them.
fn range(model: &Model, expr: ExprId) -> Option<(i64, i64)> {
    let hull = |values: &[i64]| Some((*values.iter().min()?, *values.iter().max()?));
    match &model.exprs[expr].kind {
        ExprKind::Int(value) => Some((i64::from(*value), i64::from(*value))),
        ExprKind::Load(place) => Some((i64::from(place.range.min), i64::from(place.range.max))),
        ExprKind::Unary(UnaryOp::Negate, operand) => range(model, *operand).map(|(min, max)| (-max, -min)),
        ExprKind::Unary(UnaryOp::Not | UnaryOp::Truth, _) => Some((0, 1)),
        ExprKind::Conditional(_, yes, no) => {
            let (yes, no) = (range(model, *yes)?, range(model, *no)?);
            hull(&[yes.0, yes.1, no.0, no.1])
        }
        ExprKind::Binary(op, left, right) => {
            let ((a, b), (c, d)) = (range(model, *left)?, range(model, *right)?);
            match op {
                BinaryOp::Add => Some((a + c, b + d)),
                BinaryOp::Subtract => Some((a - d, b - c)),
                BinaryOp::Multiply => hull(&[a * c, a * d, b * c, b * d]),
                BinaryOp::Minimum => Some((a.min(c), b.min(d))),
                BinaryOp::Maximum => Some((a.max(c), b.max(d))),
                _ => None,
            }
        }
        _ => None,
    }
}
