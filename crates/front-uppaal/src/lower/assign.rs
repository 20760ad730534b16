//! Assignments: to cells, to whole arrays and records, to clocks.

use tourbillon_base::Span;
use tourbillon_model::{AssignOp, BinaryOp, CellPlace, ExprId, ExprKind, IndexStep, Range, UnaryOp};
use tourbillon_syntax::tree;

use super::place::Operand;
use super::types::Ty;
use super::{Lowerer, codes};

/// The most cells that are copied one by one, because each has to be checked.
const CHECKED_COPY_MAX: u64 = 4096;

impl Lowerer<'_> {
    pub(super) fn assign(
        &mut self,
        op: tree::AssignOp,
        target: tree::ExprId,
        value: tree::ExprId,
        span: Span,
    ) -> Operand {
        let target = self.expr(target);
        let value = self.expr(value);
        let op = match op {
            tree::AssignOp::Set => AssignOp::Set,
            tree::AssignOp::Add => AssignOp::With(BinaryOp::Add),
            tree::AssignOp::Subtract => AssignOp::With(BinaryOp::Subtract),
            tree::AssignOp::Multiply => AssignOp::With(BinaryOp::Multiply),
            tree::AssignOp::Divide => AssignOp::With(BinaryOp::Divide),
            tree::AssignOp::Modulo => AssignOp::With(BinaryOp::Remainder),
            tree::AssignOp::BitAnd => AssignOp::With(BinaryOp::BitAnd),
            tree::AssignOp::BitOr => AssignOp::With(BinaryOp::BitOr),
            tree::AssignOp::BitXor => AssignOp::With(BinaryOp::BitXor),
            tree::AssignOp::ShiftLeft => AssignOp::With(BinaryOp::ShiftLeft),
            tree::AssignOp::ShiftRight => AssignOp::With(BinaryOp::ShiftRight),
        };
        self.write(op, target, value, span)
    }

    /// What is left to do of an operand whose value is not followed. It may be that of a clock.
    pub(super) fn left_of(&mut self, operand: Operand, span: Span) -> Option<ExprId> {
        match operand {
            Operand::Clock { .. } | Operand::Term(_) => None,
            operand => self.done(operand, span),
        }
    }

    /// Writes a value to a target.
    pub(super) fn write(&mut self, op: AssignOp, target: Operand, value: Operand, span: Span) -> Operand {
        match (target, value) {
            (Operand::Poison, _) | (_, Operand::Poison) => Operand::Poison,
            (Operand::Abstracted, value) => {
                // The value of the target is not followed, but what is called to compute it may do something.
                let left = self.left_of(value, span);
                self.aside.extend(left);
                Operand::Abstracted
            }
            (Operand::Data { constant: true, .. } | Operand::Value(..), _) => {
                self.error(codes::NOT_ASSIGNABLE, span, "this is constant and cannot be assigned");
                Operand::Poison
            }
            (Operand::Data { place, ty, setup: None, .. }, value) if ty.is_aggregate() => {
                self.copy(op, place, &ty, value, span)
            }
            (Operand::Data { place, ty, setup: None, .. }, value) => {
                self.write_cell(op, place, &ty, value, span)
            }
            (Operand::Clock { place, ty: Ty::Clock }, value) => self.set_clock(op, place, &value, span),
            (other, _) => {
                self.error(
                    codes::NOT_ASSIGNABLE,
                    span,
                    format!("{} cannot be assigned to", other.describe()),
                );
                Operand::Poison
            }
        }
    }

    fn write_cell(
        &mut self,
        op: AssignOp,
        target: CellPlace,
        ty: &Ty,
        value: Operand,
        span: Span,
    ) -> Operand {
        let Some((value, value_ty)) = self.single(value, span) else { return Operand::Poison };
        if !ty.accepts(&value_ty) || op != AssignOp::Set && !ty.is_number() {
            let message = format!("{} cannot be assigned to {}", value_ty.describe(), ty.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return Operand::Poison;
        }
        let value = self.fitted(value, &value_ty, ty, op, span);
        self.note_write(&target.root, span);
        Operand::Value(self.add(ExprKind::Assign { op, target, value }, span), ty.clone())
    }

    /// A value on its way into a cell: numbers become truth values where those are wanted, and what never
    /// fits is noted.
    pub(super) fn fitted(&mut self, value: ExprId, from: &Ty, to: &Ty, op: AssignOp, span: Span) -> ExprId {
        if *to == Ty::Bool && *from != Ty::Bool && op == AssignOp::Set {
            return self.add(ExprKind::Unary(UnaryOp::Truth, value), span);
        }
        if let (Some(known), Some(range), AssignOp::Set) = (self.known(value), to.range(), op)
            && !range.contains(known)
        {
            let message =
                format!("the value {known} is outside [{},{}], in every state", range.min, range.max);
            self.warning(codes::ALWAYS_FAILS, span, message);
        }
        value
    }

    fn copy(&mut self, op: AssignOp, target: CellPlace, ty: &Ty, value: Operand, span: Span) -> Operand {
        match &value {
            Operand::Data { ty: from, .. } if op == AssignOp::Set && ty.accepts(from) => {
                self.note_write(&target.root, span);
                let copy = self.copied(target, ty, value, span);
                copy.map_or(Operand::Poison, |copy| Operand::Value(copy, Ty::Void))
            }
            _ => {
                let message = format!("{} cannot be assigned to {}", value.describe(), ty.describe());
                self.error(codes::WRONG_TYPE, span, message);
                Operand::Poison
            }
        }
    }

    /// Copies an array or record to a place of a type that accepts it: at once if every value fits, else one
    /// by one, each being checked.
    pub(super) fn copied(
        &mut self,
        target: CellPlace,
        ty: &Ty,
        value: Operand,
        span: Span,
    ) -> Option<ExprId> {
        let Operand::Data { place, ty: from, setup, .. } = value else { return None };
        self.note_read(&place);
        if ty.includes(&from) {
            let copy = self.add(ExprKind::Copy { target, source: place, count: ty.cells() }, span);
            return Some(self.after(setup, copy, span));
        }
        if ty.size() > CHECKED_COPY_MAX {
            let message = format!("{} has values that {} may not hold", from.describe(), ty.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return None;
        }
        let mut parts: Vec<ExprId> = setup.into_iter().collect();
        let (target, place) = (self.pinned(&target, &mut parts, span), self.pinned(&place, &mut parts, span));
        let mut offset = 0;
        ty.to_model().for_each_leaf("", &mut |_, leaf| {
            let range = leaf.range().unwrap_or(Range::INT32);
            let source = CellPlace { offset: place.offset + offset, range, ..place.clone() };
            let target = CellPlace { offset: target.offset + offset, range, ..target.clone() };
            let value = self.add(ExprKind::Load(source), span);
            parts.push(self.add(ExprKind::Assign { op: AssignOp::Set, target, value }, span));
            offset += 1;
        });
        Some(self.add(ExprKind::Sequence(parts), span))
    }

    /// A place whose indices are computed once, before, so that it can be used several times.
    pub(super) fn pinned(&mut self, place: &CellPlace, before: &mut Vec<ExprId>, span: Span) -> CellPlace {
        let mut pin = |lowerer: &mut Self, step: IndexStep| {
            if lowerer.known(step.index).is_some() {
                return step;
            }
            let local = CellPlace::local(lowerer.reserve_apart(1), Range::INT32);
            let assign = ExprKind::Assign { op: AssignOp::Set, target: local.clone(), value: step.index };
            before.push(lowerer.add(assign, span));
            IndexStep { index: lowerer.add(ExprKind::Load(local), span), ..step }
        };
        let indices = place.indices.iter().map(|&step| pin(self, step)).collect();
        CellPlace { indices, ..place.clone() }
    }

    fn set_clock(
        &mut self,
        op: AssignOp,
        target: tourbillon_model::ClockPlace,
        value: &Operand,
        span: Span,
    ) -> Operand {
        self.note_write(&target.root, span);
        if matches!(value, Operand::Abstracted) {
            self.error(codes::UNSUPPORTED, span, "a clock set to a floating-point number is not supported");
            return Operand::Poison;
        }
        let Some(term) = self.term(value, span).filter(|term| term.minus.is_none() && op == AssignOp::Set)
        else {
            self.error(codes::CLOCK_AS_VALUE, span, "a clock can be set to an integer, with `=`");
            return Operand::Poison;
        };
        let value = term.offset.unwrap_or_else(|| self.int(0, span));
        if self.known(value).is_some_and(|value| value < 0) && term.plus.is_none() {
            self.warning(codes::ALWAYS_FAILS, span, "a clock cannot be set to a negative value");
        }
        let expr = self.add(ExprKind::SetClock { target, source: term.plus, value }, span);
        Operand::Value(expr, Ty::Void)
    }

    pub(super) fn post_increment(&mut self, operand: tree::ExprId, delta: i32, span: Span) -> Operand {
        match self.expr(operand) {
            Operand::Poison => Operand::Poison,
            Operand::Abstracted => Operand::Abstracted,
            Operand::Data { place, ty, constant: false, setup: None } if ty.is_number() => {
                self.note_write(&place.root, span);
                Operand::Value(self.add(ExprKind::PostIncrement { target: place, delta }, span), ty)
            }
            Operand::Value(..) | Operand::Data { constant: true, .. } => {
                self.error(codes::NOT_ASSIGNABLE, span, "this is constant and cannot be assigned");
                Operand::Poison
            }
            other => {
                let message = format!(
                    "only an integer variable can be incremented or decremented, not {}",
                    other.describe()
                );
                self.error(codes::NOT_ASSIGNABLE, span, message);
                Operand::Poison
            }
        }
    }
}
