//! The fast path for code that needs neither a frame nor an error.
//!
//! Most guards and updates are a few instructions on memory, for which entering the machine's loop would take longer
//! than running them: it keeps so many values in registers that entering and leaving it spills all of them. This loop
//! knows only the instructions of such code. At any other instruction, or where one of its own would fail, it stops
//! before executing it, and the machine continues from there. It only reads local cells, which still belong to the
//! caller: writes to the frame are left to the machine.
//!
//! It always terminates quickly, as it knows no backward jump.

use tourbillon_model::BinaryOp;

use super::machine::{ClockWrite, Memory};
use super::op::Op;

/// Where the machine continues, and the accumulator.
#[derive(Clone, Copy, Debug)]
pub(super) struct MachineEntry {
    pub(super) at: usize,
    pub(super) accumulator: i32,
}

/// Runs code from its start as far as it is simple.
#[inline(always)]
pub(super) fn run<M: Memory>(
    ops: &[Op],
    start: usize,
    memory: &mut M,
    locals: &[i32],
    clock_writes: &mut Vec<ClockWrite>,
) -> Result<i32, MachineEntry> {
    let (mut pc, mut a) = (start, 0i32);
    macro_rules! jump_if {
        ($condition:expr, $by:expr) => {
            if $condition {
                pc += $by as usize;
                continue;
            }
        };
    }
    loop {
        match ops[pc] {
            Op::Constant(value) => a = value,
            Op::LoadMemory(slot) => a = memory.cells()[slot as usize],
            Op::LoadFrame(slot) => a = locals[slot as usize],
            Op::LoadMemoryIndexed { first, low, last } if steps(a, low) <= last => {
                a = memory.cells()[first as usize + steps(a, low) as usize];
            }
            Op::Index { low, last, stride } if steps(a, low) <= last => {
                a = steps(a, low).wrapping_mul(stride) as i32;
            }
            Op::WithConstant { op: BinaryOp::Add, value } if a.checked_add(value).is_some() => {
                a = a.wrapping_add(value);
            }
            Op::Test { within } => a = within.contains(a).into(),
            Op::TestMemory { slot, within } => a = within.contains(memory.cells()[slot as usize]).into(),
            Op::Jump(by) => jump_if!(true, by),
            Op::JumpIf { by, within } => jump_if!(within.contains(a), by),
            Op::JumpMemory { by, slot, within } => {
                jump_if!(within.contains(memory.cells()[slot as usize]), by);
            }
            Op::JumpFrame { by, slot, within } => jump_if!(within.contains(locals[slot as usize]), by),
            Op::JumpCompare { is, by, left, right } => {
                jump_if!(is.holds(memory.cells()[left as usize], memory.cells()[right as usize]), by);
            }
            Op::JumpWithMemory { is, by, slot } => jump_if!(is.holds(a, memory.cells()[slot as usize]), by),
            Op::SetMemory { slot, value } => memory.cells_mut()[slot as usize] = value,
            Op::SetAt(value) if (a as u32 as usize) < memory.cells().len() => {
                memory.cells_mut()[a as u32 as usize] = value;
            }
            Op::StoreMemory { slot, min, max } if min <= a && a <= max => {
                memory.cells_mut()[slot as usize] = a;
            }
            Op::AddMemory { delta, slot, min, max } => {
                match memory.cells()[slot as usize].checked_add(delta.into()) {
                    Some(new) if min <= new && new <= max => {
                        memory.cells_mut()[slot as usize] = new;
                        a = new;
                    }
                    _ => return Err(MachineEntry { at: pc, accumulator: a }),
                }
            }
            Op::Reset { clock, value } => {
                clock_writes.push(ClockWrite { target: clock, source: None, value });
            }
            Op::End => return Ok(a),
            _ => return Err(MachineEntry { at: pc, accumulator: a }),
        }
        pc += 1;
    }
}

/// The distance of an index from the first one.
#[inline(always)]
fn steps(index: i32, low: i32) -> u32 {
    index.wrapping_sub(low) as u32
}
