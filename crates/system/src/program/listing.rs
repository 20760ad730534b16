//! Disassembly of code.

use std::fmt;

use super::arith::{Comparison, Interval};
use super::op::{NO_SOURCE, Op};
use super::{CodeId, Program};

/// A piece of code and the functions it calls, one instruction on each line.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'p> {
    program: &'p Program,
    code: CodeId,
}

impl Program {
    /// The instructions of a piece of code, to be printed.
    #[must_use]
    pub fn listing(&self, code: CodeId) -> Listing<'_> {
        Listing { program: self, code }
    }

    fn write_ops(&self, f: &mut fmt::Formatter<'_>, start: u32, end: u32) -> fmt::Result {
        let ops = &self.ops[start as usize..end as usize];
        ops.iter().enumerate().try_for_each(|(at, op)| {
            write!(f, "{at:4}  ")?;
            self.write_op(f, at, *op)?;
            writeln!(f)
        })
    }

    /// The routines called between two instructions, transitively.
    fn called(&self, start: u32, end: u32, found: &mut Vec<u32>) {
        for op in &self.ops[start as usize..end as usize] {
            if let Op::Call { routine, .. } = *op
                && !found.contains(&routine)
            {
                found.push(routine);
                let called = &self.routines[routine as usize];
                self.called(called.start, called.end, found);
            }
        }
    }

    fn write_op(&self, f: &mut fmt::Formatter<'_>, at: usize, op: Op) -> fmt::Result {
        let on = |by: u32| at + by as usize;
        match op {
            Op::Constant(value) => write!(f, "a = {value}"),
            Op::LoadMemory(slot) => write!(f, "a = m{slot}"),
            Op::LoadFrame(slot) => write!(f, "a = f{slot}"),
            Op::LoadMemoryIndexed { first, low, last } => {
                write!(f, "a = m{first}[a in {}]", ends(low, last))
            }
            Op::LoadFrameIndexed { first, low, last } => write!(f, "a = f{first}[a in {}]", ends(low, last)),
            Op::LoadAt { offset } => write!(f, "a = *(a + {offset})"),
            Op::LoadReference { slot, offset } => write!(f, "a = *(f{slot} + {offset})"),
            Op::Index { low, last, stride } => write!(f, "a = index(a in {}) * {stride}", ends(low, last)),
            Op::FrameAddress(slot) => write!(f, "a = a + &f{slot}"),
            Op::Negate => f.write_str("a = -a"),
            Op::Absolute => f.write_str("a = abs(a)"),
            Op::WithConstant { op, value } => write!(f, "a = a {} {value}", op.text()),
            Op::WithMemory { op, slot } => write!(f, "a = a {} m{slot}", op.text()),
            Op::WithFrame { op, slot } => write!(f, "a = a {} f{slot}", op.text()),
            Op::ConstantWith { op, value } => write!(f, "a = {value} {} a", op.text()),
            Op::MemoryWith { op, slot } => write!(f, "a = m{slot} {} a", op.text()),
            Op::FrameWith { op, slot } => write!(f, "a = f{slot} {} a", op.text()),
            Op::AtWith { op, slot } => write!(f, "a = *f{slot} {} a", op.text()),
            Op::MemoryConstant { op, slot, value } => write!(f, "a = m{slot} {} {value}", op.text()),
            Op::MemoryMemory { op, left, right } => write!(f, "a = m{left} {} m{right}", op.text()),
            Op::Test { within } => write!(f, "a = a in {}", interval(within)),
            Op::TestMemory { slot, within } => write!(f, "a = m{slot} in {}", interval(within)),
            Op::TestFrame { slot, within } => write!(f, "a = f{slot} in {}", interval(within)),
            Op::Jump(by) => write!(f, "go to {}", on(by)),
            Op::Back(by) => write!(f, "go back to {}", at - by as usize),
            Op::JumpIf { by, within } => write!(f, "go to {} if a in {}", on(by), interval(within)),
            Op::JumpMemory { by, slot, within } => {
                write!(f, "go to {} if m{slot} in {}", on(by.into()), interval(within))
            }
            Op::JumpFrame { by, slot, within } => {
                write!(f, "go to {} if f{slot} in {}", on(by.into()), interval(within))
            }
            Op::JumpCompare { is, by, left, right } => {
                write!(f, "go to {} if m{left} {} m{right}", on(by.into()), sign(is))
            }
            Op::JumpWithMemory { is, by, slot } => {
                write!(f, "go to {} if a {} m{slot}", on(by.into()), sign(is))
            }
            Op::JumpWithFrame { is, by, slot } => {
                write!(f, "go to {} if a {} f{slot}", on(by.into()), sign(is))
            }
            Op::Repeat { counter, local, last } => {
                write!(
                    f,
                    "f{local} = f{counter} = f{counter} + 1, or go to {} if f{counter} == {last}",
                    on(2)
                )
            }
            Op::SetMemory { slot, value } => write!(f, "m{slot} = {value}"),
            Op::SetFrame { slot, value } => write!(f, "f{slot} = {value}"),
            Op::SetAt(value) => write!(f, "*a = {value}"),
            Op::StoreMemory { slot, min, max } => write!(f, "m{slot} = a in [{min},{max}]"),
            Op::StoreFrame { slot, min, max } => write!(f, "f{slot} = a in [{min},{max}]"),
            Op::StoreAt { slot, min, max } => write!(f, "*f{slot} = a in [{min},{max}]"),
            Op::Put(slot) => write!(f, "f{slot} = a"),
            Op::AddMemory { delta, slot, min, max } => {
                write!(f, "a = m{slot} = m{slot} + {delta} in [{min},{max}]")
            }
            Op::AddFrame { delta, slot, min, max } => {
                write!(f, "a = f{slot} = f{slot} + {delta} in [{min},{max}]")
            }
            Op::AddAt { delta, min, max } => write!(f, "a = *a = *a + {delta} in [{min},{max}]"),
            Op::Copy { target, count } => write!(f, "*f{target} = *a, {count} cells"),
            Op::Fetch { slot, count } => write!(f, "f{slot} = *a, {count} cells"),
            Op::Same { left, count } => write!(f, "a = *f{left} == *a, {count} cells"),
            Op::Reset { clock, value } => write!(f, "x{clock} = {value}"),
            Op::ResetTo { clock } => write!(f, "x{clock} = a"),
            Op::SetClock { target, source: NO_SOURCE } => write!(f, "x[f{target}] = a"),
            Op::SetClock { target, source } => write!(f, "x[f{target}] = x[f{source}] + a"),
            Op::Call { routine, base } => write!(f, "a = call {routine}, its frame at f{base}"),
            Op::CheckReturn { min, max } => write!(f, "check a in [{min},{max}] for the caller"),
            Op::Return => f.write_str("return a"),
            Op::NoValue => f.write_str("fail: the caller gets no value"),
            Op::Fail(number) => write!(f, "fail: {}", self.failures[number as usize]),
            Op::End => f.write_str("end"),
        }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = &self.program.codes[self.code];
        self.program.write_ops(f, code.start, code.end)?;
        let mut called = Vec::new();
        self.program.called(code.start, code.end, &mut called);
        called.sort_unstable();
        called.into_iter().try_for_each(|routine| {
            let called = &self.program.routines[routine as usize];
            writeln!(f, "call {routine}, function {}:", tourbillon_base::Id::index(called.function))?;
            self.program.write_ops(f, called.start, called.end)
        })
    }
}

fn ends(low: i32, last: u32) -> String {
    format!("[{low},{}]", low.wrapping_add(last as i32))
}

/// The values of an interval, or of its complement, whichever does not wrap.
fn interval(within: Interval) -> String {
    match within.ends() {
        (low, high) if low == high => format!("{{{low}}}"),
        (low, high) if low < high => format!("[{low},{high}]"),
        _ => format!("all but {}", interval(within.complement())),
    }
}

fn sign(is: Comparison) -> &'static str {
    match is {
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Greater => ">",
    }
}
