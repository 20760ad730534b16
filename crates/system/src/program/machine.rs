//! The bytecode machine. It runs for every edge of every state.
//!
//! One loop over instructions, with the accumulator, the program counter and the start of the frame in
//! variables of its own. How much stack a piece of code needs is known statically (functions call only earlier
//! ones), so the stack is as long as it must be before the loop starts and nothing is allocated once it has
//! been. Fuel is counted where code repeats or calls, not at every instruction: what lies between is as long
//! as the program at most. Where an error happened is looked up when it has.
//!
//! Before that loop is entered, a smaller one runs as much of the code as is simple ([`super::brief`]).
//!
//! Conditions run on memory that they cannot change. The loop is compiled once for either kind of memory, and once for
//! either meaning of results that exceed 32 bits.

use tourbillon_base::{Id, Span, cancellation};
use tourbillon_model::{BinaryOp, ClockId, EvalError, EvalErrorKind, NegativeClock, Overflow, Range};

use super::arith;
use super::brief::{self, MachineEntry};
use super::op::{NO_SOURCE, Op};
use super::{Code, CodeId, DirectCode, Program};

/// The default limit on the work of one run.
const WORK_MAX: u64 = 1 << 26;

/// Why and where a run failed, as in the interpreter.
pub type RuntimeError = EvalError;

/// A clock that was set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockWrite {
    /// The index of the clock.
    pub target: u32,
    /// The index of the source clock; `None` if it was set to a number.
    pub source: Option<u32>,
    /// The number, or the offset to the source clock. A number is negative only in a language in which this is not an
    /// error.
    pub value: i32,
}

impl ClockWrite {
    /// The error that the clock is set to a negative value.
    #[must_use]
    pub fn negative(self) -> EvalErrorKind {
        let clock = |index: u32| ClockId::from_index(index as usize);
        EvalErrorKind::NegativeClock {
            clock: clock(self.target),
            source: self.source.map(clock),
            value: self.value,
        }
    }
}

/// Runs programs. It keeps only memory between runs.
#[derive(Clone, Debug)]
pub struct Machine {
    stack: Vec<i32>,
    calls: Vec<Call>,
    work_max: u64,
    /// The clocks that were set, in order. Runs append to it; the caller clears it.
    pub clock_writes: Vec<ClockWrite>,
    /// Which of them add a negative number to a clock, and by which instruction, since the last query.
    shifts_down: Vec<(usize, usize)>,
}

/// The return address of a call.
#[derive(Clone, Copy, Debug)]
struct Call {
    at: u32,
    base: u32,
}

/// The remaining work of a run. It is handed out in portions, so that a long run can be interrupted between two of
/// them.
struct Fuel {
    portion: u64,
    rest: u64,
}

impl Fuel {
    const PORTION: u64 = 1 << 16;

    #[inline]
    fn new(work_max: u64) -> Self {
        let portion = work_max.min(Self::PORTION);
        Self { portion, rest: work_max - portion }
    }

    #[inline]
    fn spend(&mut self, amount: u64) -> Result<(), EvalErrorKind> {
        match self.portion.checked_sub(amount) {
            Some(left) => {
                self.portion = left;
                Ok(())
            }
            None => self.refill(amount),
        }
    }

    #[cold]
    fn refill(&mut self, amount: u64) -> Result<(), EvalErrorKind> {
        let more = amount.max(Self::PORTION).min(self.rest);
        self.rest -= more;
        self.portion += more;
        if !cancellation::work(more as u32) {
            return Err(EvalErrorKind::Cancelled);
        }
        self.portion = self.portion.checked_sub(amount).ok_or(EvalErrorKind::TooLong)?;
        Ok(())
    }
}

/// An error, and its instruction.
struct MachineFailure {
    kind: EvalErrorKind,
    at: usize,
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// A machine with the default work limit.
    #[must_use]
    pub fn new() -> Self {
        Self {
            stack: Vec::new(),
            calls: Vec::new(),
            work_max: WORK_MAX,
            clock_writes: Vec::new(),
            shifts_down: Vec::new(),
        }
    }

    /// Clears the recorded clock writes.
    #[inline]
    pub fn forget_clock_writes(&mut self) {
        self.clock_writes.clear();
        self.shifts_down.clear();
    }

    /// The source position of the update that set a clock to another one minus a number: the one with this index among
    /// [`Self::clock_writes`] of the last run.
    #[must_use]
    pub fn place_of_shift(&self, program: &Program, write: usize) -> Option<Span> {
        let &(_, at) = self.shifts_down.iter().find(|&&(index, _)| index == write)?;
        Some(program.place(at))
    }

    /// The same machine with another limit on the instructions of a run with loops or calls.
    #[must_use]
    pub fn with_work_max(mut self, work_max: u64) -> Self {
        self.work_max = work_max;
        self
    }

    /// Runs a piece of code and returns its value.
    ///
    /// `locals` are the local cells of the label that the code belongs to. Those that only quantifiers use have
    /// undefined values afterwards.
    ///
    /// # Errors
    /// If an expression has no value. What was written until then stays written, clocks included.
    ///
    /// # Panics
    /// If there are fewer local cells than the code uses, or the memory is not as its layout says.
    #[inline]
    pub fn run(
        &mut self,
        program: &Program,
        code: CodeId,
        memory: &mut [i32],
        locals: &mut [i32],
    ) -> Result<i32, RuntimeError> {
        match program.codes[code].quick {
            DirectCode::Constant(value) => Ok(value),
            DirectCode::Memory(slot, within) => Ok(within.contains(memory[slot as usize]).into()),
            DirectCode::Compare(is, left, right) => {
                Ok(is.holds(memory[left as usize], memory[right as usize]).into())
            }
            DirectCode::No => self.start(program, code, memory, locals),
        }
    }

    /// Whether a condition, which changes no cell of the memory, is true.
    ///
    /// # Errors
    /// If an expression has no value.
    ///
    /// # Panics
    /// As [`Self::run`], and if the code does write to memory.
    #[inline]
    pub fn test(
        &mut self,
        program: &Program,
        code: CodeId,
        memory: &[i32],
        locals: &mut [i32],
    ) -> Result<bool, RuntimeError> {
        self.read(program, code, memory, locals).map(|value| value != 0)
    }

    /// The value of code that changes no cell of the memory.
    ///
    /// # Errors
    /// If an expression has no value.
    ///
    /// # Panics
    /// As [`Self::test`].
    #[inline]
    pub fn read(
        &mut self,
        program: &Program,
        code: CodeId,
        memory: &[i32],
        locals: &mut [i32],
    ) -> Result<i32, RuntimeError> {
        match program.codes[code].quick {
            DirectCode::Constant(value) => Ok(value),
            DirectCode::Memory(slot, within) => Ok(within.contains(memory[slot as usize]).into()),
            DirectCode::Compare(is, left, right) => {
                Ok(is.holds(memory[left as usize], memory[right as usize]).into())
            }
            DirectCode::No => self.start(program, code, memory, locals),
        }
    }

    fn start<M: Memory>(
        &mut self,
        program: &Program,
        code: CodeId,
        mut memory: M,
        locals: &mut [i32],
    ) -> Result<i32, RuntimeError> {
        let code = &program.codes[code];
        let start = code.start as usize;
        match brief::run(&program.ops, start, &mut memory, locals, &mut self.clock_writes) {
            Ok(value) => Ok(value),
            Err(stop) => self.continue_run(program, code, stop, memory, locals),
        }
    }

    /// Runs the rest of the code after the fast path, in a frame that begins with the local cells.
    #[inline(never)]
    fn continue_run<M: Memory>(
        &mut self,
        program: &Program,
        code: &Code,
        stop: MachineEntry,
        memory: M,
        locals: &mut [i32],
    ) -> Result<i32, RuntimeError> {
        if self.stack.len() < code.stack as usize {
            self.stack.resize(code.stack as usize, 0);
        }
        let used = code.locals as usize;
        self.stack[..used].copy_from_slice(&locals[..used]);
        let result = match program.overflow {
            Overflow::Error => self.execute::<M, false>(program, stop, memory),
            Overflow::Wrap => self.execute::<M, true>(program, stop, memory),
        };
        if code.writes_locals {
            locals[..used].copy_from_slice(&self.stack[..used]);
        }
        result.map_err(|failure| program.error(failure.at, failure.kind))
    }

    fn execute<M: Memory, const WRAPS: bool>(
        &mut self,
        program: &Program,
        start: MachineEntry,
        mut memory: M,
    ) -> Result<i32, MachineFailure> {
        let ops = &*program.ops;
        let stack = &mut *self.stack;
        self.calls.clear();
        let mut work = Fuel::new(self.work_max);
        let (mut pc, mut base, mut a) = (start.at, 0usize, start.accumulator);
        macro_rules! fail {
            ($kind:expr) => {
                return Err(MachineFailure { kind: $kind, at: pc })
            };
        }
        macro_rules! frame {
            ($slot:expr) => {
                stack[base + $slot as usize]
            };
        }
        macro_rules! binary {
            ($op:expr, $left:expr, $right:expr) => {
                match arith::binary::<WRAPS>($op, $left, $right) {
                    Ok(value) => a = value,
                    Err(kind) => fail!(kind),
                }
            };
        }
        macro_rules! jump_if {
            ($condition:expr, $by:expr) => {
                if $condition {
                    pc += $by as usize;
                    continue;
                }
            };
        }
        macro_rules! spend {
            ($amount:expr) => {
                if let Err(kind) = work.spend($amount) {
                    fail!(kind);
                }
            };
        }
        macro_rules! check {
            ($value:expr, $min:expr, $max:expr) => {
                if $value < $min || $value > $max {
                    fail!(out_of_range($value, $min, $max));
                }
            };
        }
        macro_rules! index {
            ($low:expr, $last:expr) => {{
                let steps = a.wrapping_sub($low) as u32;
                if steps > $last {
                    fail!(EvalErrorKind::Index(a, Range { min: $low, max: $low.wrapping_add($last as i32) }));
                }
                steps
            }};
        }
        macro_rules! add {
            ($old:expr, $delta:expr, $min:expr, $max:expr) => {
                binary!(BinaryOp::Add, $old, $delta.into());
                check!(a, $min, $max);
            };
        }
        loop {
            match ops[pc] {
                Op::Constant(value) => a = value,
                Op::LoadMemory(slot) => a = memory.cells()[slot as usize],
                Op::LoadFrame(slot) => a = frame!(slot),
                Op::LoadMemoryIndexed { first, low, last } => {
                    let steps = index!(low, last);
                    a = memory.cells()[first as usize + steps as usize];
                }
                Op::LoadFrameIndexed { first, low, last } => {
                    let steps = index!(low, last);
                    a = stack[base + first as usize + steps as usize];
                }
                Op::LoadAt { offset } => a = read(memory.cells(), stack, address(a) + offset as usize),
                Op::LoadReference { slot, offset } => {
                    a = read(memory.cells(), stack, address(frame!(slot)) + offset as usize);
                }
                Op::Index { low, last, stride } => {
                    let steps = index!(low, last);
                    a = steps.wrapping_mul(stride) as i32;
                }
                Op::FrameAddress(slot) => {
                    a = (address(a) + memory.cells().len() + base + slot as usize) as i32;
                }

                Op::Negate => binary!(BinaryOp::Subtract, 0, a),
                Op::Absolute if a < 0 => binary!(BinaryOp::Subtract, 0, a),
                Op::Absolute => {}
                Op::WithConstant { op, value } => binary!(op, a, value),
                Op::WithMemory { op, slot } => binary!(op, a, memory.cells()[slot as usize]),
                Op::WithFrame { op, slot } => binary!(op, a, frame!(slot)),
                Op::ConstantWith { op, value } => binary!(op, value, a),
                Op::MemoryWith { op, slot } => binary!(op, memory.cells()[slot as usize], a),
                Op::FrameWith { op, slot } => binary!(op, frame!(slot), a),
                Op::AtWith { op, slot } => {
                    binary!(op, read(memory.cells(), stack, address(frame!(slot))), a);
                }
                Op::MemoryConstant { op, slot, value } => binary!(op, memory.cells()[slot as usize], value),
                Op::MemoryMemory { op, left, right } => {
                    binary!(op, memory.cells()[left as usize], memory.cells()[right as usize]);
                }

                Op::Test { within } => a = within.contains(a).into(),
                Op::TestMemory { slot, within } => a = within.contains(memory.cells()[slot as usize]).into(),
                Op::TestFrame { slot, within } => a = within.contains(frame!(slot)).into(),

                Op::Jump(by) => jump_if!(true, by),
                Op::Back(by) => {
                    // One more than the distance: a loop can consist of this instruction alone.
                    spend!(u64::from(by) + 1);
                    pc -= by as usize;
                    continue;
                }
                Op::JumpIf { by, within } => jump_if!(within.contains(a), by),
                Op::JumpMemory { by, slot, within } => {
                    jump_if!(within.contains(memory.cells()[slot as usize]), by);
                }
                Op::JumpFrame { by, slot, within } => jump_if!(within.contains(frame!(slot)), by),
                Op::JumpCompare { is, by, left, right } => {
                    jump_if!(is.holds(memory.cells()[left as usize], memory.cells()[right as usize]), by);
                }
                Op::JumpWithMemory { is, by, slot } => {
                    jump_if!(is.holds(a, memory.cells()[slot as usize]), by);
                }
                Op::JumpWithFrame { is, by, slot } => jump_if!(is.holds(a, frame!(slot)), by),
                Op::Repeat { counter, local, last } => {
                    let count = frame!(counter);
                    jump_if!(count == last, 2);
                    frame!(counter) = count + 1;
                    frame!(local) = count + 1;
                }

                Op::SetMemory { slot, value } => memory.cells_mut()[slot as usize] = value,
                Op::SetFrame { slot, value } => frame!(slot) = value,
                Op::SetAt(value) => write(&mut memory, stack, address(a), value),
                Op::StoreMemory { slot, min, max } => {
                    check!(a, min, max);
                    memory.cells_mut()[slot as usize] = a;
                }
                Op::StoreFrame { slot, min, max } => {
                    check!(a, min, max);
                    frame!(slot) = a;
                }
                Op::StoreAt { slot, min, max } => {
                    check!(a, min, max);
                    let at = address(frame!(slot));
                    write(&mut memory, stack, at, a);
                }
                Op::Put(slot) => frame!(slot) = a,
                Op::AddMemory { delta, slot, min, max } => {
                    let cell = &mut memory.cells_mut()[slot as usize];
                    add!(*cell, delta, min, max);
                    *cell = a;
                }
                Op::AddFrame { delta, slot, min, max } => {
                    let cell = &mut frame!(slot);
                    add!(*cell, delta, min, max);
                    *cell = a;
                }
                Op::AddAt { delta, min, max } => {
                    let at = address(a);
                    let old = read(memory.cells(), stack, at);
                    add!(old, delta, min, max);
                    write(&mut memory, stack, at, a);
                }
                Op::Copy { target, count } => {
                    spend!(count.into());
                    let target = address(frame!(target));
                    copy(&mut memory, stack, target, address(a), count as usize);
                }
                Op::Fetch { slot, count } => {
                    spend!(count.into());
                    let target = memory.cells().len() + base + slot as usize;
                    copy(&mut memory, stack, target, address(a), count as usize);
                }
                Op::Same { left, count } => {
                    spend!(count.into());
                    let left = run(memory.cells(), stack, address(frame!(left)), count as usize);
                    a = (left == run(memory.cells(), stack, address(a), count as usize)).into();
                }

                Op::Reset { clock, value } => {
                    self.clock_writes.push(ClockWrite { target: clock, source: None, value });
                }
                Op::ResetTo { clock } => {
                    let write = ClockWrite { target: clock, source: None, value: a };
                    if a < 0 && program.negative_clock == NegativeClock::Fails {
                        fail!(write.negative());
                    }
                    self.clock_writes.push(write);
                }
                Op::SetClock { target, source } => {
                    let target = frame!(target) as u32;
                    let source = (source != NO_SOURCE).then(|| frame!(source) as u32);
                    let write = ClockWrite { target, source, value: a };
                    if a < 0 {
                        if source.is_none() && program.negative_clock == NegativeClock::Fails {
                            fail!(write.negative());
                        }
                        self.shifts_down.push((self.clock_writes.len(), pc));
                    }
                    self.clock_writes.push(write);
                }

                Op::Call { routine, base: offset } => {
                    let routine = &program.routines[routine as usize];
                    spend!(u64::from(routine.cells) + 1);
                    self.calls.push(Call { at: pc as u32, base: base as u32 });
                    base += offset as usize;
                    stack[base + routine.arguments as usize..base + routine.cells as usize].fill(0);
                    pc = routine.start as usize;
                    continue;
                }
                Op::CheckReturn { min, max } => {
                    if a < min || a > max {
                        return Err(of_call(&self.calls, out_of_range(a, min, max)));
                    }
                }
                Op::Return => {
                    let call = self.calls.pop().expect("a function that was called");
                    (pc, base) = (call.at as usize, call.base as usize);
                }
                Op::NoValue => return Err(of_call(&self.calls, EvalErrorKind::NoValue)),
                Op::Fail(number) => fail!(program.failures[number as usize]),
                Op::End => return Ok(a),
            }
            pc += 1;
        }
    }
}

#[cold]
fn out_of_range(value: i32, min: i32, max: i32) -> EvalErrorKind {
    EvalErrorKind::Range(value, Range { min, max })
}

/// An error at the call of the running function.
#[cold]
fn of_call(calls: &[Call], kind: EvalErrorKind) -> MachineFailure {
    let call = calls.last().expect("a function that was called");
    MachineFailure { kind, at: call.at as usize }
}

/// The memory that code runs on.
pub(super) trait Memory {
    fn cells(&self) -> &[i32];

    fn cells_mut(&mut self) -> &mut [i32];
}

impl Memory for &mut [i32] {
    #[inline(always)]
    fn cells(&self) -> &[i32] {
        self
    }

    #[inline(always)]
    fn cells_mut(&mut self) -> &mut [i32] {
        self
    }
}

impl Memory for &[i32] {
    #[inline(always)]
    fn cells(&self) -> &[i32] {
        self
    }

    #[cold]
    fn cells_mut(&mut self) -> &mut [i32] {
        panic!("a condition that changes the state it is asked of")
    }
}

/// An address as an index. Addresses are below 2^31 and never negative.
#[inline(always)]
fn address(value: i32) -> usize {
    value as u32 as usize
}

#[inline(always)]
fn read(memory: &[i32], stack: &[i32], address: usize) -> i32 {
    match address.checked_sub(memory.len()) {
        None => memory[address],
        Some(cell) => stack[cell],
    }
}

#[inline(always)]
fn write(memory: &mut impl Memory, stack: &mut [i32], address: usize, value: i32) {
    match address.checked_sub(memory.cells().len()) {
        None => memory.cells_mut()[address] = value,
        Some(cell) => stack[cell] = value,
    }
}

/// The cells from an address on.
fn run<'c>(memory: &'c [i32], stack: &'c [i32], address: usize, count: usize) -> &'c [i32] {
    match address.checked_sub(memory.len()) {
        None => &memory[address..address + count],
        Some(cell) => &stack[cell..cell + count],
    }
}

/// Copies cells, as if all were read before the first is written.
fn copy(memory: &mut impl Memory, stack: &mut [i32], target: usize, source: usize, count: usize) {
    let len = memory.cells().len();
    match (target.checked_sub(len), source.checked_sub(len)) {
        (None, None) => memory.cells_mut().copy_within(source..source + count, target),
        (None, Some(source)) => {
            memory.cells_mut()[target..target + count].copy_from_slice(&stack[source..source + count]);
        }
        (Some(target), None) => {
            stack[target..target + count].copy_from_slice(&memory.cells()[source..source + count]);
        }
        (Some(target), Some(source)) => stack.copy_within(source..source + count, target),
    }
}
