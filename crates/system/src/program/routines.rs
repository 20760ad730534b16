//! Code generation for functions: statements, calls, arguments.
//!
//! ```text
//!  frame of the caller                 frame of the function
//!  ├─ local ─┼─ references ─┼─ … ──────┼─ arguments ─┼─ other local ─┼─ references ─┼─ to ─┼─ intermediate ─┤
//!                           saved ─────┘                                               where cells are returned to
//! ```
//!
//! The caller evaluates arguments directly into the frame of the function, which begins in the frame of the caller,
//! above all cells in use there. So a call copies nothing, and since functions are not recursive, the maximum stack
//! depth is known.

use tourbillon_base::Span;
use tourbillon_model::{
    Argument, Block, EvalErrorKind, ExprId, Function, FunctionId, Parameter, Range, Stmt,
};

use super::Routine;

use super::assembler::Label;
use super::builder::{CodePiece, Emitted, ProgramBuilder, too_much};
use super::op::Op;

/// The context of code generation.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct CodeContext {
    /// The source position of the function, if the code is for one.
    function: Option<Span>,
    /// The first frame cell with a reference, and their number.
    references: u32,
    reference_count: u32,
    /// Whether callers need cells. The address for them follows the references.
    returns_cells: bool,
    /// The range of the return value.
    returned: Option<Range>,
    /// In the step of a loop, its end: the function cannot be left there.
    round_end: Option<Label>,
}

impl CodeContext {
    fn of(function: &Function, returns_cells: bool) -> Self {
        Self {
            function: Some(function.span),
            references: function.frame,
            reference_count: references(function),
            returns_cells,
            returned: function.returns.as_ref().and_then(tourbillon_model::Type::range),
            round_end: None,
        }
    }

    fn span(&self) -> Span {
        self.function.expect("statements belong to a function")
    }

    /// The frame cell with the target of a reference.
    pub(super) fn reference(&self, number: u32) -> u32 {
        self.references + number
    }

    /// The frame cell with the address for returned cells.
    fn destination(&self) -> u32 {
        self.references + self.reference_count
    }
}

fn references(function: &Function) -> u32 {
    function.parameters.iter().filter(|parameter| parameter.by_reference).count() as u32
}

fn size(parameter: &Parameter) -> u32 {
    u32::try_from(parameter.ty.size()).unwrap_or(u32::MAX)
}

impl ProgramBuilder<'_> {
    /// Calls a function for its value, or for cells to put into local cells from `into` on.
    pub(super) fn emit_call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        into: Option<u32>,
        span: Span,
    ) -> Emitted {
        let routine = self.routine(id, into.is_some())?;
        let function = &self.model.functions[id];
        let depth = self.asm.depth();
        let context = CodeContext::of(function, into.is_some());
        let base = self.asm.take(context.destination().saturating_add(1));
        self.emit_arguments(function, arguments, base, span)?;
        if let Some(local) = into {
            self.emit_frame_address(local);
            self.asm.push(Op::Put(base + context.destination()));
        }
        self.asm.push_at(span, Op::Call { routine, base });
        self.asm.need(base.saturating_add(self.routines[routine as usize].stack));
        self.asm.release(depth);
        Ok(())
    }

    fn emit_arguments(
        &mut self,
        function: &Function,
        arguments: &[Argument],
        base: u32,
        span: Span,
    ) -> Emitted {
        let (mut slot, mut reference) = (base, base + function.frame);
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            match argument {
                Argument::Value(expr) => self.emit_argument(*expr, parameter, slot)?,
                Argument::Cells(place) => {
                    self.emit_address(place)?;
                    self.asm.push_at(span, Op::Fetch { slot, count: size(parameter) });
                }
                Argument::Reference(place) => self.emit_address(place)?,
                Argument::Clock(place) => self.emit_clock(place)?,
            }
            match argument {
                Argument::Value(_) | Argument::Cells(_) => slot += size(parameter),
                Argument::Reference(_) | Argument::Clock(_) => {
                    self.asm.push(Op::Put(reference));
                    reference += 1;
                }
            }
        }
        Ok(())
    }

    /// Passes a value, within the range of its parameter.
    fn emit_argument(&mut self, expr: ExprId, parameter: &Parameter, slot: u32) -> Emitted {
        let range = parameter.ty.range().unwrap_or(Range::INT32);
        let Range { min, max } = range;
        let span = self.model.exprs[expr].span;
        match self.constant(expr) {
            Some(value) if range.contains(value) => self.asm.push(Op::SetFrame { slot, value }),
            _ => {
                self.emit(expr)?;
                self.asm.push_at(span, Op::StoreFrame { slot, min, max });
            }
        }
        Ok(())
    }

    /// The code of a function, compiled on its first call.
    fn routine(&mut self, id: FunctionId, returns_cells: bool) -> Emitted<u32> {
        if let Some(routine) = self.compiled[id][usize::from(returns_cells)] {
            return Ok(routine);
        }
        let function = &self.model.functions[id];
        let context = CodeContext::of(function, returns_cells);
        let cells = context.destination().saturating_add(1);
        let piece = self.piece(cells, context, |builder| builder.emit_function(function, returns_cells))?;
        let Some(CodePiece { start, end, stack }) = piece else { return Err(too_much(function.span)) };
        let by_value = function.parameters.iter().filter(|parameter| !parameter.by_reference);
        let arguments = by_value.map(size).sum();
        let routine = self.routines.len() as u32;
        self.routines.push(Routine { function: id, start, end, arguments, cells: function.frame, stack });
        self.compiled[id][usize::from(returns_cells)] = Some(routine);
        Ok(routine)
    }

    fn emit_function(&mut self, function: &Function, returns_cells: bool) -> Emitted {
        self.emit_block(&function.body)?;
        if returns_cells || function.returns.is_some() {
            self.asm.push(Op::NoValue);
        } else {
            self.asm.push(Op::Constant(0));
            self.asm.push(Op::Return);
        }
        Ok(())
    }

    fn emit_block(&mut self, block: &Block) -> Emitted {
        block.iter().try_for_each(|stmt| self.emit_stmt(stmt))
    }

    fn emit_stmt(&mut self, stmt: &Stmt) -> Emitted {
        match stmt {
            Stmt::Expr(expr) => self.emit_effect(*expr),
            Stmt::If { arms, otherwise } => self.emit_if(arms, otherwise),
            Stmt::While { condition, body, step } => self.emit_while(*condition, body, step),
            Stmt::DoWhile { body, condition } => {
                let (top, end) = (self.asm.label(), self.asm.label());
                self.asm.bind(top);
                self.emit_block(body)?;
                self.emit_branch(*condition, false, end)?;
                self.asm.jump_back(top, self.model.exprs[*condition].span);
                self.asm.bind(end);
                Ok(())
            }
            Stmt::ForRange { local, range, body } => {
                self.emit_for_range(*local, *range, self.context.span(), |builder| builder.emit_block(body))
            }
            Stmt::Return(value) => self.emit_return(*value),
            Stmt::ReturnCells { place, count } => {
                self.emit_address(place)?;
                match (self.context.round_end, self.context.returns_cells) {
                    (Some(end), _) => self.asm.jump(end),
                    (None, false) => self.asm.push(Op::NoValue),
                    (None, true) => {
                        let copy = Op::Copy { target: self.context.destination(), count: *count };
                        self.asm.push_at(self.context.span(), copy);
                        self.asm.push(Op::Return);
                    }
                }
                Ok(())
            }
            Stmt::Assert(expr) => {
                let holds = self.asm.label();
                self.emit_branch(*expr, true, holds)?;
                self.emit_failure(EvalErrorKind::Assertion, self.model.exprs[*expr].span);
                self.asm.bind(holds);
                Ok(())
            }
        }
    }

    fn emit_if(&mut self, arms: &[(ExprId, Block)], otherwise: &Block) -> Emitted {
        let end = self.asm.label();
        for (condition, block) in arms {
            let next = self.asm.label();
            self.emit_branch(*condition, false, next)?;
            self.emit_block(block)?;
            self.asm.jump(end);
            self.asm.bind(next);
        }
        self.emit_block(otherwise)?;
        self.asm.bind(end);
        Ok(())
    }

    fn emit_while(&mut self, condition: ExprId, body: &Block, step: &Block) -> Emitted {
        let (top, round_end, end) = (self.asm.label(), self.asm.label(), self.asm.label());
        self.asm.bind(top);
        self.emit_branch(condition, false, end)?;
        self.emit_block(body)?;
        let outer = self.context.round_end.replace(round_end);
        self.emit_block(step)?;
        self.context.round_end = outer;
        self.asm.bind(round_end);
        self.asm.jump_back(top, self.model.exprs[condition].span);
        self.asm.bind(end);
        Ok(())
    }

    fn emit_return(&mut self, value: Option<ExprId>) -> Emitted {
        match value {
            Some(expr) => self.emit(expr)?,
            None => self.asm.push(Op::Constant(0)),
        }
        if let Some(end) = self.context.round_end {
            self.asm.jump(end);
            return Ok(());
        }
        if let Some(Range { min, max }) = self.context.returned.filter(|range| !self.fits(value, *range)) {
            self.asm.push(Op::CheckReturn { min, max });
        }
        self.asm.push(if self.context.returns_cells { Op::NoValue } else { Op::Return });
        Ok(())
    }

    /// Whether a returned value is certainly within a range.
    fn fits(&self, value: Option<ExprId>, range: Range) -> bool {
        let known = value.map_or(Some(0), |expr| self.constant(expr));
        let truth = value.is_some_and(|expr| self.is_truth_value(expr));
        known.is_some_and(|value| range.contains(value)) || truth && range.includes(Range::BOOL)
    }
}
