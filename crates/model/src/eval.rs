//! The interpreter of expressions.
//!
//! It walks the tree and checks everything that can go wrong: indices, ranges, division, shifts, arithmetic
//! beyond 32 bits, loops that do not terminate. It is not how a model is explored; it computes the constants of a
//! model while that is being read, and it is an independent check, written for clarity, of everything that
//! engines compute in faster ways.
//!
//! Clocks and locations are not data: what holds of them is asked of a [`Environment`].

use std::fmt;

use tourbillon_base::{Id, Span};

use crate::expr::*;
use crate::network::{Model, NegativeClock, Overflow};
use crate::types::Range;
use crate::{ClockId, ExprId, FunctionId, LocationId, ProcessId};

/// What an expression can ask about, and do to, what is not data.
pub trait Environment {
    /// Whether a process is at a location; nothing if that is not known.
    fn at_location(&self, process: ProcessId, location: LocationId) -> Option<bool>;

    /// Whether the difference of two clocks, or one clock, compares so with a number; nothing if that is not
    /// known.
    fn compares(&self, left: ClockId, right: Option<ClockId>, compare: Compare, bound: i32) -> Option<bool>;

    /// Sets a clock. Returns false if clocks cannot be set.
    fn set_clock(&mut self, target: ClockId, source: Option<ClockId>, value: i32) -> bool;
}

/// A environment of data alone.
impl Environment for () {
    fn at_location(&self, _: ProcessId, _: LocationId) -> Option<bool> {
        None
    }

    fn compares(&self, _: ClockId, _: Option<ClockId>, _: Compare, _: i32) -> Option<bool> {
        None
    }

    fn set_clock(&mut self, _: ClockId, _: Option<ClockId>, _: i32) -> bool {
        false
    }
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvalError {
    pub kind: EvalErrorKind,
    pub span: Span,
}

impl EvalError {
    /// Whether it was ended from outside, which is no fault of the model.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.kind == EvalErrorKind::Cancelled
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvalErrorKind {
    DivisionByZero,
    /// A result that exceeds 32 bits.
    Overflow,
    /// A shift by fewer than none or more than 31 bits.
    Shift(i32),
    /// An index outside its range.
    Index(i32, Range),
    /// A value outside the range of what it is assigned to.
    Range(i32, Range),
    /// A negative value assigned to a clock: this one, or another clock, which is smaller than that, plus this one.
    NegativeClock {
        /// The clock that is assigned to.
        clock: ClockId,
        /// The clock whose value is part of what is assigned.
        source: Option<ClockId>,
        /// The value, or what is added to that of the other clock.
        value: i32,
    },
    /// A clock compared with, or set to, a number that is too large for clocks.
    ClockTooLarge(i32),
    /// An assertion that is false.
    Assertion,
    /// A function that ends without the value it should return.
    NoValue,
    /// More steps than allowed.
    TooLong,
    /// More transitions of one state than this: no mistake of the model, but the work cannot be finished.
    TooMany(Multiplied, u32),
    /// It was ended from outside ([`tourbillon_base::cancellation`]), which is no fault of the model. The interpreter here is never
    /// ended so: constants depend on it.
    Cancelled,
    /// It depends on what is not known here: clocks, locations, deadlocks.
    NotKnown,
}

/// A number with a comma after each group of three digits.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let (mut text, length) = (String::new(), digits.len());
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (length - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What multiplies to too many transitions of one state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Multiplied {
    /// The values of selections, and the edges that they make of one.
    Selections,
    /// The receivers of a broadcast, each with its edges.
    Receivers,
    /// The participants of a synchronisation vector, each with its edges.
    Participants,
}

impl fmt::Display for Multiplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Selections => "selections",
            Self::Receivers => "receivers",
            Self::Participants => "participants",
        })
    }
}

impl fmt::Display for EvalErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DivisionByZero => f.write_str("a division by 0"),
            Self::Overflow => f.write_str("a result that exceeds 32 bits"),
            Self::Shift(by) => write!(f, "a shift by {by} bits"),
            Self::Index(index, range) => write!(f, "the index {index} outside [{},{}]", range.min, range.max),
            Self::Range(value, range) => write!(f, "the value {value} outside [{},{}]", range.min, range.max),
            Self::NegativeClock { .. } => f.write_str("a negative value assigned to a clock"),
            Self::ClockTooLarge(value) => write!(f, "a number too large for a clock: {value}"),
            Self::Assertion => f.write_str("an assertion that is false"),
            Self::NoValue => f.write_str("a function that ends without returning a value"),
            Self::TooLong => f.write_str("a computation that does not end within its limit"),
            Self::TooMany(what, limit) => {
                write!(f, "more than {} combinations of {what} in one state", grouped(*limit))
            }
            Self::Cancelled => f.write_str("a computation that was ended from outside"),
            Self::NotKnown => f.write_str("something that depends on clocks or locations"),
        }
    }
}

impl EvalErrorKind {
    /// What went wrong in words, with the names of the model.
    #[must_use]
    pub fn explain(&self, model: &Model) -> String {
        let Self::NegativeClock { clock, source, value } = *self else { return self.to_string() };
        let name = |clock: ClockId| model.clocks.get(clock).map_or("?", |clock| clock.name.as_str());
        let what = match source {
            None => value.to_string(),
            Some(source) => {
                let (source, less) = (name(source), i64::from(value).abs());
                format!("{source} - {less}, where {source} < {less}")
            }
        };
        format!("a negative value assigned to the clock {} ({what})", name(clock))
    }
}

/// Evaluates expressions of a model on cells.
#[derive(Debug)]
pub struct Evaluator<'a, E> {
    /// The model whose expressions they are.
    pub model: &'a Model,
    pub cells: &'a mut [i32],
    pub environment: &'a mut E,
    /// How many more operations may be done.
    pub fuel: u64,
}

/// How many operations the computation of a constant may take.
const CONSTANT_FUEL: u64 = 1_000_000;

type EvalResult<T = i32> = Result<T, EvalError>;

/// The local cells of a context, and what its references mean.
#[derive(Clone, Default, Debug)]
pub struct Frame {
    pub locals: Vec<i32>,
    references: Vec<Address>,
    /// How many calls deep.
    depth: u32,
    /// Where the function was called whose frame it is.
    call: Option<Span>,
}

impl Frame {
    /// A frame with this many local cells, all 0.
    #[must_use]
    pub fn new(size: u32) -> Self {
        Self { locals: vec![0; size as usize], references: Vec::new(), depth: 0, call: None }
    }
}

/// Where a cell or clock is.
#[derive(Clone, Copy, Debug)]
enum Address {
    /// A cell, or a clock, of the model.
    Global(usize),
    /// A local cell of the frame that this many calls lie below.
    Local { depth: u32, slot: usize },
}

/// How a block ended.
enum BlockEnd {
    /// It ran to its end.
    On,
    /// The function returned a value.
    Value(i32),
    /// The function returned cells.
    Cells(Vec<i32>),
}

impl<E: Environment> Evaluator<'_, E> {
    /// The value of an expression in a frame.
    ///
    /// # Errors
    /// If it has none. Cells written until then stay written.
    pub fn value(&mut self, expr: ExprId, frame: &mut Frame) -> EvalResult {
        let mut stack = vec![std::mem::take(frame)];
        let result = self.expr(expr, &mut stack);
        *frame = stack.swap_remove(0);
        result
    }

    fn burn(&mut self, operations: u64, span: Span) -> EvalResult<()> {
        match self.fuel.checked_sub(operations) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => Err(EvalError { kind: EvalErrorKind::TooLong, span }),
        }
    }

    fn expr(&mut self, id: ExprId, stack: &mut Vec<Frame>) -> EvalResult {
        let model = self.model;
        let Expr { kind, span } = &model.exprs[id];
        let fail = |kind| Err(EvalError { kind, span: *span });
        self.burn(1, *span)?;
        match kind {
            ExprKind::Int(value) => Ok(*value),
            ExprKind::Load(place) => {
                let address = self.address(place, stack)?;
                Ok(self.read(address, stack))
            }
            ExprKind::AtLocation(process, location) => {
                match self.environment.at_location(*process, *location) {
                    Some(there) => Ok(there.into()),
                    None => fail(EvalErrorKind::NotKnown),
                }
            }
            ExprKind::Deadlock => fail(EvalErrorKind::NotKnown),
            ExprKind::Unary(op, operand) => {
                let value = self.expr(*operand, stack)?;
                self.unary(*op, value, *span)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, *span, stack),
            ExprKind::Conditional(condition, yes, no) => {
                let chosen = if self.expr(*condition, stack)? != 0 { yes } else { no };
                self.expr(*chosen, stack)
            }
            ExprKind::Quantifier { op, local, range, body } => {
                self.quantifier(*op, *local, *range, *body, *span, stack)
            }
            ExprKind::Call { function, arguments } => match self.call(*function, arguments, *span, stack)? {
                BlockEnd::Value(value) => Ok(value),
                BlockEnd::On if model.functions[*function].returns.is_none() => Ok(0),
                BlockEnd::On | BlockEnd::Cells(_) => fail(EvalErrorKind::NoValue),
            },
            ExprKind::CallInto { function, arguments, local } => {
                let BlockEnd::Cells(cells) = self.call(*function, arguments, *span, stack)? else {
                    return fail(EvalErrorKind::NoValue);
                };
                let frame = stack.last_mut().expect("the frame of the caller");
                frame.locals[*local as usize..][..cells.len()].copy_from_slice(&cells);
                Ok(0)
            }
            ExprKind::Assign { op, target, value } => {
                let address = self.address(target, stack)?;
                let value = self.expr(*value, stack)?;
                let new = match op {
                    AssignOp::Set => value,
                    AssignOp::With(op) => self.result(*op, self.read(address, stack), value, *span)?,
                };
                self.write(address, new, target.range, *span, stack)
            }
            ExprKind::PostIncrement { target, delta } => {
                let address = self.address(target, stack)?;
                let old = self.read(address, stack);
                let new = self.result(BinaryOp::Add, old, *delta, *span)?;
                self.write(address, new, target.range, *span, stack)?;
                Ok(old)
            }
            ExprKind::Copy { target, source, count } => {
                self.burn((*count).into(), *span)?;
                let (target, source) = (self.address(target, stack)?, self.address(source, stack)?);
                let values: Vec<i32> =
                    (0..*count as usize).map(|i| self.read(source.plus(i), stack)).collect();
                values.into_iter().enumerate().for_each(|(i, value)| self.put(target.plus(i), value, stack));
                Ok(0)
            }
            ExprKind::SameCells { left, right, count } => {
                self.burn((*count).into(), *span)?;
                let (left, right) = (self.address(left, stack)?, self.address(right, stack)?);
                let same = |i| self.read(left.plus(i), stack) == self.read(right.plus(i), stack);
                Ok((0..*count as usize).all(same).into())
            }
            ExprKind::Clock(atom) => {
                let left = self.clock(&atom.left, stack)?;
                let right = atom.right.as_ref().map(|right| self.clock(right, stack)).transpose()?;
                let bound = self.expr(atom.bound, stack)?;
                match self.environment.compares(left, right, atom.compare, bound) {
                    Some(holds) => Ok(holds.into()),
                    None => fail(EvalErrorKind::NotKnown),
                }
            }
            ExprKind::SetClock { target, source, value } => {
                let target = self.clock(target, stack)?;
                let source = source.as_ref().map(|source| self.clock(source, stack)).transpose()?;
                let value = self.expr(*value, stack)?;
                let fails = self.model.language.negative_clock() == NegativeClock::Fails;
                if source.is_none() && value < 0 && fails {
                    return fail(EvalErrorKind::NegativeClock { clock: target, source, value });
                }
                if self.environment.set_clock(target, source, value) {
                    Ok(0)
                } else {
                    fail(EvalErrorKind::NotKnown)
                }
            }
            ExprKind::Sequence(parts) => parts.iter().try_fold(0, |_, &part| self.expr(part, stack)),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
        stack: &mut Vec<Frame>,
    ) -> EvalResult {
        let first = self.expr(left, stack)?;
        match op {
            BinaryOp::And if first == 0 => return Ok(0),
            BinaryOp::Or if first != 0 => return Ok(1),
            _ => {}
        }
        let second = self.expr(right, stack)?;
        self.result(op, first, second, span)
    }

    // Calls and expressions may nest thousands of levels deep: what is inlined into them takes stack on each level.
    #[inline(never)]
    fn unary(&self, op: UnaryOp, value: i32, span: Span) -> EvalResult {
        unary(op, value, self.model.overflow).map_err(|kind| EvalError { kind, span })
    }

    #[inline(never)]
    fn result(&self, op: BinaryOp, left: i32, right: i32, span: Span) -> EvalResult {
        binary(op, left, right, self.model.overflow).map_err(|kind| EvalError { kind, span })
    }

    fn quantifier(
        &mut self,
        op: QuantifierOp,
        local: u32,
        range: Range,
        body: ExprId,
        span: Span,
        stack: &mut Vec<Frame>,
    ) -> EvalResult {
        let mut sum = 0i32;
        for value in range.values() {
            stack.last_mut().expect("a frame").locals[local as usize] = value;
            let value = self.expr(body, stack)?;
            match op {
                QuantifierOp::ForAll if value == 0 => return Ok(0),
                QuantifierOp::Exists if value != 0 => return Ok(1),
                QuantifierOp::ForAll | QuantifierOp::Exists => {}
                QuantifierOp::Sum => {
                    sum = self.result(BinaryOp::Add, sum, value, span)?;
                }
            }
        }
        Ok(if op == QuantifierOp::ForAll { 1 } else { sum })
    }

    fn call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        span: Span,
        stack: &mut Vec<Frame>,
    ) -> EvalResult<BlockEnd> {
        let function = &self.model.functions[id];
        self.burn(function.frame.into(), span)?;
        let mut frame = Frame::new(function.frame);
        frame.depth = stack.len() as u32;
        frame.call = Some(span);
        let mut next = 0;
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let size = parameter.ty.size() as usize;
            match argument {
                Argument::Value(expr) => {
                    let value = self.expr(*expr, stack)?;
                    let range = parameter.ty.range().unwrap_or(Range::INT32);
                    frame.locals[next] = in_range(value, range, self.model.exprs[*expr].span)?;
                    next += size;
                }
                Argument::Cells(place) => {
                    let address = self.address(place, stack)?;
                    (0..size).for_each(|i| frame.locals[next + i] = self.read(address.plus(i), stack));
                    next += size;
                }
                Argument::Reference(place) => frame.references.push(self.address(place, stack)?),
                Argument::Clock(place) => {
                    let clock = self.clock(place, stack)?;
                    frame.references.push(Address::Global(clock.index()));
                }
            }
        }
        stack.push(frame);
        let flow = self.block(&function.body, stack);
        stack.pop();
        match (flow?, function.returns.as_ref().and_then(crate::Type::range)) {
            (BlockEnd::Value(value), Some(range)) => Ok(BlockEnd::Value(in_range(value, range, span)?)),
            (flow, _) => Ok(flow),
        }
    }

    fn block(&mut self, block: &Block, stack: &mut Vec<Frame>) -> EvalResult<BlockEnd> {
        for stmt in block {
            match self.stmt(stmt, stack)? {
                BlockEnd::On => {}
                ended => return Ok(ended),
            }
        }
        Ok(BlockEnd::On)
    }

    fn stmt(&mut self, stmt: &Stmt, stack: &mut Vec<Frame>) -> EvalResult<BlockEnd> {
        match stmt {
            Stmt::Expr(expr) => self.expr(*expr, stack).map(|_| BlockEnd::On),
            Stmt::If { arms, otherwise } => {
                for (condition, block) in arms {
                    if self.expr(*condition, stack)? != 0 {
                        return self.block(block, stack);
                    }
                }
                self.block(otherwise, stack)
            }
            Stmt::While { condition, body, step } => {
                while self.expr(*condition, stack)? != 0 {
                    match self.block(body, stack)? {
                        BlockEnd::On => {}
                        ended => return Ok(ended),
                    }
                    self.block(step, stack)?;
                }
                Ok(BlockEnd::On)
            }
            Stmt::DoWhile { body, condition } => loop {
                match self.block(body, stack)? {
                    BlockEnd::On => {}
                    ended => return Ok(ended),
                }
                if self.expr(*condition, stack)? == 0 {
                    return Ok(BlockEnd::On);
                }
            },
            Stmt::ForRange { local, range, body } => {
                for value in range.values() {
                    let frame = stack.last_mut().expect("a frame");
                    frame.locals[*local as usize] = value;
                    let call = frame.call.expect("statements belong to a function that was called");
                    self.burn(1, call)?;
                    match self.block(body, stack)? {
                        BlockEnd::On => {}
                        ended => return Ok(ended),
                    }
                }
                Ok(BlockEnd::On)
            }
            Stmt::Return(None) => Ok(BlockEnd::Value(0)),
            Stmt::Return(Some(expr)) => self.expr(*expr, stack).map(BlockEnd::Value),
            Stmt::ReturnCells { place, count } => {
                let address = self.address(place, stack)?;
                Ok(BlockEnd::Cells((0..*count as usize).map(|i| self.read(address.plus(i), stack)).collect()))
            }
            Stmt::Assert(expr) => match self.expr(*expr, stack)? {
                0 => Err(EvalError { kind: EvalErrorKind::Assertion, span: self.model.exprs[*expr].span }),
                _ => Ok(BlockEnd::On),
            },
        }
    }

    fn address(&mut self, place: &CellPlace, stack: &mut Vec<Frame>) -> EvalResult<Address> {
        let steps = self.steps(&place.indices, stack)?;
        let frame = stack.last().expect("a frame");
        let root = match place.root {
            Root::Global(cell) => Address::Global(cell.index()),
            Root::Local(slot) => Address::Local { depth: stack.len() as u32 - 1, slot: slot as usize },
            Root::Reference(number) => frame.references[number as usize],
        };
        Ok(root.plus(place.offset as usize + steps))
    }

    fn clock(&mut self, place: &ClockPlace, stack: &mut Vec<Frame>) -> EvalResult<ClockId> {
        let steps = self.steps(&place.indices, stack)?;
        let root = match place.root {
            Root::Global(clock) => clock.index(),
            Root::Reference(number) => match stack.last().expect("a frame").references[number as usize] {
                Address::Global(clock) => clock,
                Address::Local { .. } => unreachable!("clocks are never local"),
            },
            Root::Local(_) => unreachable!("clocks are never local"),
        };
        Ok(ClockId::from_index(root + place.offset as usize + steps))
    }

    fn steps(&mut self, indices: &[IndexStep], stack: &mut Vec<Frame>) -> EvalResult<usize> {
        let mut sum = 0;
        for step in indices {
            let index = self.expr(step.index, stack)?;
            let span = self.model.exprs[step.index].span;
            if !step.range.contains(index) {
                return Err(EvalError { kind: EvalErrorKind::Index(index, step.range), span });
            }
            sum += (i64::from(index) - i64::from(step.range.min)) as usize * step.stride as usize;
        }
        Ok(sum)
    }

    fn read(&self, address: Address, stack: &[Frame]) -> i32 {
        match address {
            Address::Global(cell) => self.cells[cell],
            Address::Local { depth, slot } => stack[depth as usize].locals[slot],
        }
    }

    fn put(&mut self, address: Address, value: i32, stack: &mut [Frame]) {
        match address {
            Address::Global(cell) => self.cells[cell] = value,
            Address::Local { depth, slot } => stack[depth as usize].locals[slot] = value,
        }
    }

    fn write(
        &mut self,
        address: Address,
        value: i32,
        range: Range,
        span: Span,
        stack: &mut [Frame],
    ) -> EvalResult {
        let value = in_range(value, range, span)?;
        self.put(address, value, stack);
        Ok(value)
    }
}

impl Address {
    fn plus(self, cells: usize) -> Self {
        match self {
            Self::Global(cell) => Self::Global(cell + cells),
            Self::Local { depth, slot } => Self::Local { depth, slot: slot + cells },
        }
    }
}

fn in_range(value: i32, range: Range, span: Span) -> EvalResult {
    if range.contains(value) {
        Ok(value)
    } else {
        Err(EvalError { kind: EvalErrorKind::Range(value, range), span })
    }
}

impl UnaryOp {
    /// What the operator makes of a value.
    ///
    /// # Errors
    /// If the result exceeds 32 bits and does not wrap.
    pub fn apply(self, value: i32, overflow: Overflow) -> Result<i32, EvalErrorKind> {
        unary(self, value, overflow)
    }
}

impl BinaryOp {
    /// What the operator makes of two values.
    ///
    /// ```
    /// use tourbillon_model::{BinaryOp, EvalErrorKind, Overflow};
    ///
    /// let next = |overflow| BinaryOp::Add.apply(i32::MAX, 1, overflow);
    /// assert_eq!(next(Overflow::Error), Err(EvalErrorKind::Overflow));
    /// assert_eq!(next(Overflow::Wrap), Ok(i32::MIN));
    /// ```
    ///
    /// # Errors
    /// If the result exceeds 32 bits and does not wrap, or there is none.
    pub fn apply(self, left: i32, right: i32, overflow: Overflow) -> Result<i32, EvalErrorKind> {
        binary(self, left, right, overflow)
    }
}

fn unary(op: UnaryOp, value: i32, overflow: Overflow) -> Result<i32, EvalErrorKind> {
    let wraps = overflow == Overflow::Wrap;
    match op {
        UnaryOp::Negate if wraps => Ok(value.wrapping_neg()),
        UnaryOp::Negate => value.checked_neg().ok_or(EvalErrorKind::Overflow),
        UnaryOp::Absolute if wraps => Ok(value.wrapping_abs()),
        UnaryOp::Absolute => value.checked_abs().ok_or(EvalErrorKind::Overflow),
        UnaryOp::Not => Ok((value == 0).into()),
        UnaryOp::Truth => Ok((value != 0).into()),
    }
}

/// What wraps is computed in the 32 bits themselves: [`Overflow::Wrap`].
fn wrapping(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    match op {
        BinaryOp::Add => Some(left.wrapping_add(right)),
        BinaryOp::Subtract => Some(left.wrapping_sub(right)),
        BinaryOp::Multiply => Some(left.wrapping_mul(right)),
        BinaryOp::Divide if right != 0 => Some(left.wrapping_div(right)),
        BinaryOp::ShiftLeft if (0..32).contains(&right) => Some(left << right),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: i32, right: i32, overflow: Overflow) -> Result<i32, EvalErrorKind> {
    if overflow == Overflow::Wrap
        && let Some(value) = wrapping(op, left, right)
    {
        return Ok(value);
    }
    let shift = || u32::try_from(right).ok().filter(|&by| by < 32).ok_or(EvalErrorKind::Shift(right));
    let value = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => return Err(EvalErrorKind::DivisionByZero),
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Remainder => Some(left.wrapping_rem(right)),
        BinaryOp::ShiftLeft => i32::try_from(i64::from(left) << shift()?).ok(),
        BinaryOp::ShiftRight => Some(left >> shift()?),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Minimum => Some(left.min(right)),
        BinaryOp::Maximum => Some(left.max(right)),
        BinaryOp::Less => Some((left < right).into()),
        BinaryOp::LessOrEqual => Some((left <= right).into()),
        BinaryOp::Equal => Some((left == right).into()),
        BinaryOp::NotEqual => Some((left != right).into()),
        BinaryOp::And => Some((left != 0 && right != 0).into()),
        BinaryOp::Or => Some((left != 0 || right != 0).into()),
    };
    value.ok_or(EvalErrorKind::Overflow)
}

impl Model {
    /// The value of an expression that needs nothing but constants and local cells that it fills itself. These are the
    /// `locals`; the ones before them belong to what the expression stands in.
    ///
    /// # Errors
    /// If it has none, or depends on a cell that is no constant.
    pub fn constant(&self, expr: ExprId, locals: std::ops::Range<u32>) -> Result<i32, EvalError> {
        self.only_constants(expr, locals.start)?;
        let mut cells: Vec<i32> = self.cells.iter().map(|cell| cell.initial).collect();
        let mut evaluator =
            Evaluator { model: self, cells: &mut cells, environment: &mut (), fuel: CONSTANT_FUEL };
        evaluator.value(expr, &mut Frame::new(locals.end))
    }

    /// That no cell that can change is touched outside functions, and none is written but local ones from `first` on.
    fn only_constants(&self, expr: ExprId, first: u32) -> Result<(), EvalError> {
        let Expr { kind, span } = &self.exprs[expr];
        let own = |place: &CellPlace| matches!(place.root, Root::Local(slot) if slot >= first);
        let fixed = |place: &CellPlace| match place.root {
            Root::Global(cell) => self.cells[cell].kind == crate::CellKind::Constant,
            Root::Local(_) => own(place),
            Root::Reference(_) => false,
        };
        let known = match kind {
            ExprKind::Load(place) => fixed(place),
            ExprKind::Call { function, arguments } | ExprKind::CallInto { function, arguments, .. } => {
                self.functions[*function].is_pure
                    && arguments.iter().all(|argument| match argument {
                        Argument::Value(_) => true,
                        Argument::Cells(place) | Argument::Reference(place) => fixed(place),
                        Argument::Clock(_) => false,
                    })
            }
            ExprKind::SameCells { left, right, .. } => fixed(left) && fixed(right),
            ExprKind::Assign { target, .. } | ExprKind::PostIncrement { target, .. } => own(target),
            ExprKind::Copy { target, source, .. } => own(target) && fixed(source),
            _ => true,
        };
        if !known {
            return Err(EvalError { kind: EvalErrorKind::NotKnown, span: *span });
        }
        let mut result = Ok(());
        kind.for_each_operand(&mut |operand| {
            if result.is_ok() {
                result = self.only_constants(operand, first);
            }
        });
        result
    }
}
