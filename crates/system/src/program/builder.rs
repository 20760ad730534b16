//! The program builder: from expressions to a program.
//!
//! Each piece of code is assembled separately and appended when it is complete, after the functions that it calls. A
//! function is compiled when it is first called, once for calls that need a value and once for calls that need cells:
//! the meaning of a missing `return` depends on it.

use std::fmt;

use tourbillon_base::{Id, IdVec, Span};
use tourbillon_model::{ChannelPlace, ClockPlace, EvalErrorKind, ExprId, FunctionId, IndexStep, Model};

use super::arith::Comparison;
use super::assembler::Assembler;
use super::facts::{CellExtent, Facts};
use super::layout::Layout;
use super::op::Op;
use super::routines::CodeContext;
use super::{Code, CodeId, DirectCode, Program, Routine};

/// The maximum number of stack cells of code; with the memory, addresses stay within 31 bits.
const STACK_MAX: u32 = 1 << 28;

/// An expression that cannot be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Where it was written.
    pub span: Span,
    /// What is not supported.
    pub what: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be evaluated on data alone", self.what)
    }
}

pub(super) type Emitted<T = ()> = Result<T, Unsupported>;

/// Builds the program of a model, piece by piece.
#[derive(Debug)]
pub struct ProgramBuilder<'m> {
    pub(super) model: &'m Model,
    pub(super) layout: &'m Layout,
    pub(super) facts: Facts,
    /// The piece under construction.
    pub(super) asm: Assembler,
    pub(super) context: CodeContext,
    ops: Vec<Op>,
    spans: Vec<(u32, Span)>,
    codes: IdVec<CodeId, Code>,
    pub(super) routines: Vec<Routine>,
    /// The code of each function, for calls that need a value and for those that need cells.
    pub(super) compiled: IdVec<FunctionId, [Option<u32>; 2]>,
    failures: Vec<EvalErrorKind>,
}

/// An appended piece.
pub(super) struct CodePiece {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) stack: u32,
}

impl<'m> ProgramBuilder<'m> {
    /// An empty program for a model with this layout.
    #[must_use]
    pub fn new(model: &'m Model, layout: &'m Layout) -> Self {
        Self {
            model,
            layout,
            facts: Facts::of(model),
            asm: Assembler::new(0, false),
            context: CodeContext::default(),
            ops: Vec::new(),
            spans: Vec::new(),
            codes: IdVec::new(),
            routines: Vec::new(),
            compiled: model.functions.iter().map(|_| [None; 2]).collect(),
            failures: Vec::new(),
        }
    }

    #[must_use]
    pub fn finish(self) -> Program {
        Program {
            ops: self.ops.into(),
            codes: self.codes,
            routines: self.routines.into(),
            failures: self.failures.into(),
            overflow: self.model.overflow,
            spans: self.spans.into(),
            negative_clock: self.model.language.negative_clock(),
        }
    }

    /// Code for the value of an expression.
    ///
    /// # Errors
    /// If it depends on clocks, on deadlocks, or on more local cells than there can be.
    pub fn value(&mut self, expr: ExprId) -> Result<CodeId, Unsupported> {
        self.code(&[expr], |builder| builder.emit(expr))
    }

    /// Code for updates in sequence.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn sequence(&mut self, exprs: &[ExprId]) -> Result<CodeId, Unsupported> {
        self.code(exprs, |builder| exprs.iter().try_for_each(|&expr| builder.emit_effect(expr)))
    }

    /// Code for the conjunction of conditions: 1 or 0. Evaluation stops at the first one that is false.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn conjunction(&mut self, exprs: &[ExprId]) -> Result<CodeId, Unsupported> {
        self.code(exprs, |builder| builder.emit_conjunction(exprs))
    }

    /// Code for the index of a clock.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn clock(&mut self, place: &ClockPlace) -> Result<CodeId, Unsupported> {
        self.code(&indices(&place.indices), |builder| builder.emit_clock(place))
    }

    /// Code for the index of a channel.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn channel(&mut self, place: &ChannelPlace) -> Result<CodeId, Unsupported> {
        let first = place.first.index() as u32;
        self.code(&indices(&place.indices), |builder| builder.emit_element(first, &place.indices))
    }

    /// The value of an expression that depends on no state and no local cell.
    #[must_use]
    pub fn constant(&self, expr: ExprId) -> Option<i32> {
        self.facts.constant(expr)
    }

    /// Makes a piece of code that evaluates these expressions.
    fn code(&mut self, exprs: &[ExprId], emit: impl Fn(&mut Self) -> Emitted) -> Result<CodeId, Unsupported> {
        let extents = exprs.iter().map(|&expr| self.facts.extent(expr));
        let extent = extents.fold(CellExtent::default(), CellExtent::and);
        let piece = self.piece(extent.cells, CodeContext::default(), |builder| {
            emit(builder)?;
            builder.asm.push(Op::End);
            Ok(())
        });
        let Some(CodePiece { start, end, stack }) = piece? else {
            let span = exprs.first().map(|&expr| self.model.exprs[expr].span);
            return Err(too_much(span.expect("code that takes a stack has an expression")));
        };
        let quick = match self.ops[start as usize..] {
            [Op::Constant(value), Op::End] => DirectCode::Constant(value),
            [Op::End] => DirectCode::Constant(0),
            [Op::TestMemory { slot, within }, Op::End] => DirectCode::Memory(slot, within),
            [Op::MemoryMemory { op, left, right }, Op::End] => match Comparison::of(op) {
                Some(is) => DirectCode::Compare(is, left, right),
                None => DirectCode::No,
            },
            _ => DirectCode::No,
        };
        let (locals, writes_locals) = (extent.cells, extent.written);
        Ok(self.codes.push(Code { start, end, stack, locals, writes_locals, quick }))
    }

    /// Assembles and appends a piece of code whose frame begins with this many cells; `None` if it needs too much
    /// stack. It is assembled again without short jumps if a distance does not fit.
    pub(super) fn piece(
        &mut self,
        cells: u32,
        context: CodeContext,
        emit: impl Fn(&mut Self) -> Emitted,
    ) -> Emitted<Option<CodePiece>> {
        for far in [false, true] {
            let outer = std::mem::replace(&mut self.asm, Assembler::new(cells, far));
            let outer_context = std::mem::replace(&mut self.context, context);
            let emitted = emit(self);
            let mut made = std::mem::replace(&mut self.asm, outer);
            self.context = outer_context;
            emitted?;
            if made.stack > STACK_MAX {
                return Ok(None);
            }
            if made.seal() {
                return Ok(Some(self.append(&made)));
            }
        }
        unreachable!("the long way has room for every distance")
    }

    fn append(&mut self, made: &Assembler) -> CodePiece {
        let start = self.ops.len() as u32;
        self.ops.extend_from_slice(&made.ops);
        self.spans.extend(made.spans.iter().map(|&(at, span)| (start + at, span)));
        CodePiece { start, end: self.ops.len() as u32, stack: made.stack }
    }

    /// An instruction that fails.
    pub(super) fn emit_failure(&mut self, kind: EvalErrorKind, span: Span) {
        let number = self.failures.len() as u32;
        self.failures.push(kind);
        self.asm.push_at(span, Op::Fail(number));
    }
}

/// The error that code at this position needs too many cells.
pub(super) fn too_much(span: Span) -> Unsupported {
    Unsupported { span, what: "an expression with this many local cells" }
}

fn indices(steps: &[IndexStep]) -> Vec<ExprId> {
    steps.iter().map(|step| step.index).collect()
}
