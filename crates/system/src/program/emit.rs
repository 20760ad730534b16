//! Code generation for expressions.
//!
//! An expression is compiled for its value, for its effect, or as a branch. Evaluation is from left to right, as in the
//! interpreter; an operand that is a cell at a fixed address is read by the instruction that uses it, unless the
//! evaluation in between might change it.

use tourbillon_base::{Id, Span};
use tourbillon_model::{
    AssignOp, BinaryOp, CellPlace, ClockPlace, EvalErrorKind, ExprId, ExprKind, QuantifierOp, Range, UnaryOp,
};

use super::arith::{Comparison, Interval};
use super::assembler::{JumpTest, Label};
use super::builder::{Emitted, ProgramBuilder, Unsupported};
use super::op::{NO_SOURCE, Op};
use super::places::CellLocation;

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    Constant(i32),
    Memory(u32),
    Frame(u32),
}

impl ProgramBuilder<'_> {
    /// Leaves the value of an expression in the accumulator.
    pub(super) fn emit(&mut self, expr: ExprId) -> Emitted {
        if let Some(value) = self.constant(expr) {
            self.asm.push(Op::Constant(value));
            return Ok(());
        }
        let model = self.model;
        let (kind, span) = (&model.exprs[expr].kind, model.exprs[expr].span);
        match *kind {
            ExprKind::Int(_) => unreachable!("a number is constant"),
            ExprKind::Load(ref place) => self.emit_load(place),
            ExprKind::Deadlock => Err(Unsupported { span, what: "a deadlock" }),
            ExprKind::Clock(_) => Err(Unsupported { span, what: "a comparison of clocks" }),
            ExprKind::Unary(op @ (UnaryOp::Negate | UnaryOp::Absolute), operand) => {
                self.emit(operand)?;
                let op = if op == UnaryOp::Negate { Op::Negate } else { Op::Absolute };
                self.asm.push_at(span, op);
                Ok(())
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.emit_connective(op, left, right)
            }
            ExprKind::Binary(op, left, right) if Comparison::of(op).is_none() => {
                self.emit_arithmetic(op, left, right, span)
            }
            ExprKind::AtLocation(..) | ExprKind::Unary(..) | ExprKind::Binary(..) => {
                let test = self.emit_test(expr)?;
                self.asm.evaluate(test);
                Ok(())
            }
            ExprKind::Conditional(condition, yes, no) => self.emit_conditional(condition, yes, no),
            ExprKind::Quantifier { op, local, range, body } => {
                self.emit_quantifier(op, local, range, body, span)
            }
            ExprKind::Call { function, ref arguments } => self.emit_call(function, arguments, None, span),
            ExprKind::PostIncrement { ref target, delta } => {
                self.emit_add(target, delta as i16, span)?;
                // The addition succeeded, so it can be undone by a subtraction.
                self.asm.push(Op::WithConstant { op: BinaryOp::Subtract, value: delta });
                Ok(())
            }
            ExprKind::Assign { op, ref target, value } => {
                self.emit_assign(op, target, value, span)?;
                if let (AssignOp::Set, Some(value)) = (op, self.constant(value)) {
                    self.asm.push(Op::Constant(value));
                }
                Ok(())
            }
            ExprKind::SameCells { ref left, ref right, count } => {
                let depth = self.asm.depth();
                self.emit_address(left)?;
                let left = self.asm.save();
                self.emit_address(right)?;
                self.asm.push_at(span, Op::Same { left, count });
                self.asm.release(depth);
                Ok(())
            }
            ExprKind::CallInto { .. } | ExprKind::Copy { .. } | ExprKind::SetClock { .. } => {
                self.emit_effect(expr)?;
                self.asm.push(Op::Constant(0));
                Ok(())
            }
            ExprKind::Sequence(ref parts) => {
                let (last, before) = parts.split_last().expect("a sequence is not empty");
                before.iter().try_for_each(|&part| self.emit_effect(part))?;
                self.emit(*last)
            }
        }
    }

    /// Executes the effect of an expression, and leaves any value in the accumulator.
    pub(super) fn emit_effect(&mut self, expr: ExprId) -> Emitted {
        if self.constant(expr).is_some() {
            return Ok(());
        }
        let model = self.model;
        let (kind, span) = (&model.exprs[expr].kind, model.exprs[expr].span);
        match *kind {
            ExprKind::Assign { op, ref target, value } => self.emit_assign(op, target, value, span),
            ExprKind::PostIncrement { ref target, delta } => self.emit_add(target, delta as i16, span),
            ExprKind::SetClock { ref target, ref source, value } => {
                self.emit_set_clock(target, source.as_ref(), value, span)
            }
            ExprKind::Copy { ref target, ref source, count } => {
                let depth = self.asm.depth();
                self.emit_address(target)?;
                let target = self.asm.save();
                self.emit_address(source)?;
                self.asm.push_at(span, Op::Copy { target, count });
                self.asm.release(depth);
                Ok(())
            }
            ExprKind::CallInto { function, ref arguments, local } => {
                self.emit_call(function, arguments, Some(local), span)
            }
            ExprKind::Sequence(ref parts) => parts.iter().try_for_each(|&part| self.emit_effect(part)),
            _ => self.emit(expr),
        }
    }

    /// Leaves 1 in the accumulator if an expression is true, else 0.
    pub(super) fn emit_truth(&mut self, expr: ExprId) -> Emitted {
        if self.constant(expr).is_none() && self.is_truth_value(expr) {
            return self.emit(expr);
        }
        let test = self.emit_test(expr)?;
        self.asm.evaluate(test);
        Ok(())
    }

    /// Whether an expression is 0 or 1 whenever it has a value.
    pub(super) fn is_truth_value(&self, expr: ExprId) -> bool {
        match self.model.exprs[expr].kind {
            ExprKind::AtLocation(..) | ExprKind::SameCells { .. } => true,
            ExprKind::Unary(op, _) => matches!(op, UnaryOp::Not | UnaryOp::Truth),
            ExprKind::Binary(op, ..) => {
                matches!(op, BinaryOp::And | BinaryOp::Or) || Comparison::of(op).is_some()
            }
            ExprKind::Quantifier { op, .. } => op != QuantifierOp::Sum,
            _ => false,
        }
    }

    /// Jumps to a label if an expression has this truth value.
    pub(super) fn emit_branch(&mut self, expr: ExprId, sense: bool, label: Label) -> Emitted {
        if self.constant(expr).is_none() {
            match self.model.exprs[expr].kind {
                ExprKind::Unary(UnaryOp::Not, operand) => return self.emit_branch(operand, !sense, label),
                ExprKind::Unary(UnaryOp::Truth, operand) => return self.emit_branch(operand, sense, label),
                ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                    // `&&` is decided by a false operand, `||` by a true one.
                    let decides = op == BinaryOp::Or;
                    if decides == sense {
                        self.emit_branch(left, sense, label)?;
                        return self.emit_branch(right, sense, label);
                    }
                    let decided = self.asm.label();
                    self.emit_branch(left, decides, decided)?;
                    self.emit_branch(right, sense, label)?;
                    self.asm.bind(decided);
                    return Ok(());
                }
                _ => {}
            }
        }
        let test = self.emit_test(expr)?;
        self.asm.jump_if(if sense { test } else { test.negated() }, label);
        Ok(())
    }

    fn emit_connective(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Emitted {
        let decides = op == BinaryOp::Or;
        let (decided, end) = (self.asm.label(), self.asm.label());
        self.emit_branch(left, decides, decided)?;
        self.emit_truth(right)?;
        self.asm.jump(end);
        self.asm.bind(decided);
        self.asm.push(Op::Constant(decides.into()));
        self.asm.bind(end);
        Ok(())
    }

    /// Leaves 1 in the accumulator if all conditions are true, else 0, and ends.
    pub(super) fn emit_conjunction(&mut self, exprs: &[ExprId]) -> Emitted {
        let mut parts = Vec::new();
        exprs.iter().for_each(|&expr| self.flatten(expr, &mut parts));
        let Some(last) = parts.pop() else {
            self.asm.push(Op::Constant(1));
            return Ok(());
        };
        let fails = self.asm.label();
        for &expr in &parts {
            self.emit_branch(expr, false, fails)?;
        }
        self.emit_truth(last)?;
        if !parts.is_empty() {
            self.asm.push(Op::End);
            self.asm.bind(fails);
            self.asm.push(Op::Constant(0));
        }
        Ok(())
    }

    /// The conditions of a conjunction that are not certainly true.
    fn flatten(&self, expr: ExprId, parts: &mut Vec<ExprId>) {
        match (self.constant(expr), &self.model.exprs[expr].kind) {
            (Some(value), _) if value != 0 => {}
            (None, &ExprKind::Binary(BinaryOp::And, left, right)) => {
                self.flatten(left, parts);
                self.flatten(right, parts);
            }
            _ => parts.push(expr),
        }
    }

    /// The truth of an expression as a jump condition.
    fn emit_test(&mut self, expr: ExprId) -> Emitted<JumpTest> {
        if let Some(value) = self.constant(expr) {
            return Ok(JumpTest::Known(value != 0));
        }
        match self.model.exprs[expr].kind {
            ExprKind::AtLocation(process, location) => {
                Ok(JumpTest::Memory(process.index() as u32, Interval::only(location.index() as i32)))
            }
            ExprKind::Unary(UnaryOp::Not, operand) => Ok(self.emit_test(operand)?.negated()),
            ExprKind::Unary(UnaryOp::Truth, operand) => self.emit_test(operand),
            ExprKind::Binary(op, left, right) => match Comparison::of(op) {
                Some(is) => self.emit_comparison(is, left, right),
                None => self.emit_not_zero(expr),
            },
            _ => self.emit_not_zero(expr),
        }
    }

    fn emit_not_zero(&mut self, expr: ExprId) -> Emitted<JumpTest> {
        Ok(match self.operand(expr) {
            Some(Operand::Memory(slot)) => JumpTest::Memory(slot, Interval::NOT_ZERO),
            Some(Operand::Frame(slot)) => JumpTest::Frame(slot, Interval::NOT_ZERO),
            _ => {
                self.emit(expr)?;
                JumpTest::Accumulator(Interval::NOT_ZERO)
            }
        })
    }

    fn emit_comparison(&mut self, is: Comparison, left: ExprId, right: ExprId) -> Emitted<JumpTest> {
        match (self.operand(left), self.operand(right)) {
            (_, Some(Operand::Constant(constant))) => self.emit_within(left, is.interval(constant)),
            (Some(Operand::Constant(constant)), _) => {
                self.emit_within(right, is.flipped().interval(constant))
            }
            (Some(Operand::Memory(left)), Some(Operand::Memory(right))) => {
                Ok(JumpTest::MemoryMemory(is, left, right))
            }
            (_, Some(operand)) => {
                self.emit(left)?;
                Ok(test_with(is, operand))
            }
            (Some(operand), None) if !self.facts.has_effects(right) => {
                self.emit(right)?;
                Ok(test_with(is.flipped(), operand))
            }
            _ => {
                let depth = self.asm.depth();
                self.emit(left)?;
                let slot = self.asm.save();
                self.emit(right)?;
                self.asm.release(depth);
                Ok(JumpTest::WithFrame(is.flipped(), slot))
            }
        }
    }

    /// Tests whether a value lies in an interval.
    fn emit_within(&mut self, expr: ExprId, interval: Result<Interval, bool>) -> Emitted<JumpTest> {
        match (self.operand(expr), interval) {
            (Some(Operand::Memory(slot)), Ok(within)) => Ok(JumpTest::Memory(slot, within)),
            (Some(Operand::Frame(slot)), Ok(within)) => Ok(JumpTest::Frame(slot, within)),
            (_, Ok(within)) => self.emit(expr).map(|()| JumpTest::Accumulator(within)),
            (_, Err(known)) => self.emit_effect(expr).map(|()| JumpTest::Known(known)),
        }
    }

    /// The operand of an instruction for an expression, if it is simple enough.
    fn operand(&self, expr: ExprId) -> Option<Operand> {
        if let Some(value) = self.constant(expr) {
            return Some(Operand::Constant(value));
        }
        let ExprKind::Load(place) = &self.model.exprs[expr].kind else { return None };
        Some(match self.fixed_spot(place)? {
            CellLocation::Memory(slot) => Operand::Memory(slot),
            CellLocation::Frame(slot) => Operand::Frame(slot),
            CellLocation::Address => return None,
        })
    }

    fn emit_arithmetic(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Emitted {
        let depth = self.asm.depth();
        let op = match (self.operand(left), self.operand(right)) {
            (Some(Operand::Memory(slot)), Some(Operand::Constant(value))) => {
                Op::MemoryConstant { op, slot, value }
            }
            (Some(Operand::Memory(left)), Some(Operand::Memory(right))) => {
                Op::MemoryMemory { op, left, right }
            }
            (_, Some(operand)) => {
                self.emit(left)?;
                match operand {
                    Operand::Constant(value) => Op::WithConstant { op, value },
                    Operand::Memory(slot) => Op::WithMemory { op, slot },
                    Operand::Frame(slot) => Op::WithFrame { op, slot },
                }
            }
            (Some(operand), None) if !self.facts.has_effects(right) => {
                self.emit(right)?;
                match operand {
                    Operand::Constant(value) => Op::ConstantWith { op, value },
                    Operand::Memory(slot) => Op::MemoryWith { op, slot },
                    Operand::Frame(slot) => Op::FrameWith { op, slot },
                }
            }
            _ => {
                self.emit(left)?;
                let slot = self.asm.save();
                self.emit(right)?;
                Op::FrameWith { op, slot }
            }
        };
        self.asm.push_at(span, op);
        self.asm.release(depth);
        Ok(())
    }

    fn emit_conditional(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> Emitted {
        let (otherwise, end) = (self.asm.label(), self.asm.label());
        self.emit_branch(condition, false, otherwise)?;
        self.emit(yes)?;
        self.asm.jump(end);
        self.asm.bind(otherwise);
        self.emit(no)?;
        self.asm.bind(end);
        Ok(())
    }

    fn emit_quantifier(
        &mut self,
        op: QuantifierOp,
        local: u32,
        range: Range,
        body: ExprId,
        span: Span,
    ) -> Emitted {
        let depth = self.asm.depth();
        let (sum, decided, end) = (self.asm.take(1), self.asm.label(), self.asm.label());
        if op == QuantifierOp::Sum {
            self.asm.push(Op::SetFrame { slot: sum, value: 0 });
        }
        self.emit_for_range(local, range, span, |builder| match op {
            QuantifierOp::ForAll => builder.emit_branch(body, false, decided),
            QuantifierOp::Exists => builder.emit_branch(body, true, decided),
            QuantifierOp::Sum => {
                builder.emit(body)?;
                builder.asm.push_at(span, Op::FrameWith { op: BinaryOp::Add, slot: sum });
                builder.asm.push(Op::Put(sum));
                Ok(())
            }
        })?;
        if op != QuantifierOp::Sum {
            let all = i32::from(op == QuantifierOp::ForAll);
            self.asm.push(Op::Constant(all));
            self.asm.jump(end);
            self.asm.bind(decided);
            self.asm.push(Op::Constant(1 - all));
            self.asm.bind(end);
        } else {
            self.asm.push(Op::LoadFrame(sum));
        }
        self.asm.release(depth);
        Ok(())
    }

    /// Repeats a body for each value of a range, in a local cell. The counter is separate from that cell, which the
    /// body may change.
    pub(super) fn emit_for_range(
        &mut self,
        local: u32,
        range: Range,
        span: Span,
        body: impl FnOnce(&mut Self) -> Emitted,
    ) -> Emitted {
        let depth = self.asm.depth();
        let (counter, top) = (self.asm.take(1), self.asm.label());
        self.asm.push(Op::SetFrame { slot: counter, value: range.min });
        self.asm.push(Op::SetFrame { slot: local, value: range.min });
        self.asm.bind(top);
        body(self)?;
        self.asm.push(Op::Repeat { counter, local, last: range.max });
        self.asm.jump_back(top, span);
        self.asm.release(depth);
        Ok(())
    }

    /// Assigns. Afterwards the accumulator has the new value, unless it is a constant.
    fn emit_assign(&mut self, op: AssignOp, target: &CellPlace, value: ExprId, span: Span) -> Emitted {
        match (op, self.constant(value)) {
            (AssignOp::Set, Some(value)) => self.emit_set(target, value, span),
            (AssignOp::With(op @ (BinaryOp::Add | BinaryOp::Subtract)), Some(value)) if is_short(value) => {
                let delta = if op == BinaryOp::Add { value } else { -value };
                self.emit_add(target, delta as i16, span)
            }
            _ => self.emit_store(op, target, value, span),
        }
    }

    fn emit_set(&mut self, target: &CellPlace, value: i32, span: Span) -> Emitted {
        let spot = self.emit_spot(target)?;
        if !target.range.contains(value) {
            self.emit_failure(EvalErrorKind::Range(value, target.range), span);
            return Ok(());
        }
        self.asm.push(match spot {
            CellLocation::Memory(slot) => Op::SetMemory { slot, value },
            CellLocation::Frame(slot) => Op::SetFrame { slot, value },
            CellLocation::Address => Op::SetAt(value),
        });
        Ok(())
    }

    /// Adds to a cell, and leaves the new value in the accumulator.
    fn emit_add(&mut self, target: &CellPlace, delta: i16, span: Span) -> Emitted {
        let Range { min, max } = target.range;
        let op = match self.emit_spot(target)? {
            CellLocation::Memory(slot) => Op::AddMemory { delta, slot, min, max },
            CellLocation::Frame(slot) => Op::AddFrame { delta, slot, min, max },
            CellLocation::Address => Op::AddAt { delta, min, max },
        };
        self.asm.push_at(span, op);
        Ok(())
    }

    fn emit_store(&mut self, op: AssignOp, target: &CellPlace, value: ExprId, span: Span) -> Emitted {
        let depth = self.asm.depth();
        let spot = self.emit_spot(target)?;
        let address = if spot == CellLocation::Address { self.asm.save() } else { 0 };
        self.emit(value)?;
        if let AssignOp::With(op) = op {
            let with = match spot {
                CellLocation::Memory(slot) => Op::MemoryWith { op, slot },
                CellLocation::Frame(slot) => Op::FrameWith { op, slot },
                CellLocation::Address => Op::AtWith { op, slot: address },
            };
            self.asm.push_at(span, with);
        }
        let Range { min, max } = target.range;
        let store = match spot {
            CellLocation::Memory(slot) => Op::StoreMemory { slot, min, max },
            CellLocation::Frame(slot) => Op::StoreFrame { slot, min, max },
            CellLocation::Address => Op::StoreAt { slot: address, min, max },
        };
        self.asm.push_at(span, store);
        self.asm.release(depth);
        Ok(())
    }

    fn emit_set_clock(
        &mut self,
        target: &ClockPlace,
        source: Option<&ClockPlace>,
        value: ExprId,
        span: Span,
    ) -> Emitted {
        if let (Some(clock), None) = (self.fixed_clock(target), source) {
            if let Some(value) = self.constant(value).filter(|&value| value >= 0) {
                self.asm.push(Op::Reset { clock, value });
                return Ok(());
            }
            self.emit(value)?;
            self.asm.push_at(span, Op::ResetTo { clock });
            return Ok(());
        }
        let depth = self.asm.depth();
        self.emit_clock(target)?;
        let target = self.asm.save();
        let source = match source {
            Some(source) => {
                self.emit_clock(source)?;
                self.asm.save()
            }
            None => NO_SOURCE,
        };
        self.emit(value)?;
        self.asm.push_at(span, Op::SetClock { target, source });
        self.asm.release(depth);
        Ok(())
    }
}

/// Whether a value and its negation fit into what an instruction adds.
fn is_short(value: i32) -> bool {
    value.unsigned_abs() <= i16::MAX as u32
}

/// The comparison of the accumulator with an operand.
fn test_with(is: Comparison, operand: Operand) -> JumpTest {
    match operand {
        Operand::Constant(_) => unreachable!("constants make intervals"),
        Operand::Memory(slot) => JumpTest::WithMemory(is, slot),
        Operand::Frame(slot) => JumpTest::WithFrame(is, slot),
    }
}
