//! The instructions.
//!
//! The machine has one accumulator, the memory, and a frame of cells on its stack: local cells first, then
//! what references mean, then intermediate results. A value is computed in the accumulator; where two are
//! needed, the other waits in a fixed cell of the frame, so there is no stack pointer to keep. Most
//! instructions take an operand straight from memory, the frame or themselves, and what guards and updates
//! mostly are (compare a cell with a constant or a cell, and jump; set a cell; add to a cell; reset a clock)
//! is one instruction each.
//!
//! An *address* is a slot of memory, or, from the length of the memory on, a cell of the stack. Moving on by
//! some cells is therefore an addition, and an address outlives the frame of the function that it is passed to.
//!
//! Jumps count from themselves, so code can be moved. Ranges and intervals are written out, which leaves
//! jumps that also compare 16 bits for the distance; code with longer ones is made without these.

use tourbillon_model::BinaryOp;

use super::arith::{Comparison, Interval};

/// The source of a clock assignment without a source clock.
pub(super) const NO_SOURCE: u32 = u32::MAX;

/// An instruction; `a` is the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// `a = value`.
    Constant(i32),
    /// `a = memory[slot]`.
    LoadMemory(u32),
    /// `a = frame[slot]`.
    LoadFrame(u32),
    /// `a = memory[first + (a - low)]`, with `a` within `low ..= low + last`.
    LoadMemoryIndexed {
        first: u32,
        low: i32,
        last: u32,
    },
    /// `a = frame[first + (a - low)]`, likewise.
    LoadFrameIndexed {
        first: u32,
        low: i32,
        last: u32,
    },
    /// `a = cell at (a + offset)`.
    LoadAt {
        offset: u32,
    },
    /// `a = cell at (frame[slot] + offset)`.
    LoadReference {
        slot: u32,
        offset: u32,
    },
    /// `a = (a - low) * stride`, with `a` within `low ..= low + last`.
    Index {
        low: i32,
        last: u32,
        stride: u32,
    },
    /// `a = a + address of frame[slot]`.
    FrameAddress(u32),

    /// `a = -a`.
    Negate,
    /// `a = |a|`.
    Absolute,
    /// `a = a op value`.
    WithConstant {
        op: BinaryOp,
        value: i32,
    },
    /// `a = a op memory[slot]`.
    WithMemory {
        op: BinaryOp,
        slot: u32,
    },
    /// `a = a op frame[slot]`.
    WithFrame {
        op: BinaryOp,
        slot: u32,
    },
    /// `a = value op a`.
    ConstantWith {
        op: BinaryOp,
        value: i32,
    },
    /// `a = memory[slot] op a`.
    MemoryWith {
        op: BinaryOp,
        slot: u32,
    },
    /// `a = frame[slot] op a`.
    FrameWith {
        op: BinaryOp,
        slot: u32,
    },
    /// `a = (cell at frame[slot]) op a`.
    AtWith {
        op: BinaryOp,
        slot: u32,
    },
    /// `a = memory[slot] op value`.
    MemoryConstant {
        op: BinaryOp,
        slot: u32,
        value: i32,
    },
    /// `a = memory[left] op memory[right]`.
    MemoryMemory {
        op: BinaryOp,
        left: u32,
        right: u32,
    },

    /// `a = a within`.
    Test {
        within: Interval,
    },
    /// `a = memory[slot] within`.
    TestMemory {
        slot: u32,
        within: Interval,
    },
    /// `a = frame[slot] within`.
    TestFrame {
        slot: u32,
        within: Interval,
    },

    /// Forward, by this many instructions.
    Jump(u32),
    /// Backward, by this many instructions; the only instruction that repeats anything.
    Back(u32),
    /// Forward, if `a within`.
    JumpIf {
        by: u32,
        within: Interval,
    },
    /// Forward, if `memory[slot] within`.
    JumpMemory {
        by: u16,
        slot: u32,
        within: Interval,
    },
    /// Forward, if `frame[slot] within`.
    JumpFrame {
        by: u16,
        slot: u32,
        within: Interval,
    },
    /// Forward, if `memory[left]` and `memory[right]` compare so.
    JumpCompare {
        is: Comparison,
        by: u16,
        left: u32,
        right: u32,
    },
    /// Forward, if `a` and `memory[slot]` compare so.
    JumpWithMemory {
        is: Comparison,
        by: u16,
        slot: u32,
    },
    /// Forward, if `a` and `frame[slot]` compare so.
    JumpWithFrame {
        is: Comparison,
        by: u16,
        slot: u32,
    },
    /// Skips the next instruction if `frame[counter] == last`; otherwise increments it and copies it to `frame[local]`.
    Repeat {
        counter: u32,
        local: u32,
        last: i32,
    },

    /// `memory[slot] = value`.
    SetMemory {
        slot: u32,
        value: i32,
    },
    /// `frame[slot] = value`.
    SetFrame {
        slot: u32,
        value: i32,
    },
    /// `cell at a = value`.
    SetAt(i32),
    /// `memory[slot] = a`, within a range.
    StoreMemory {
        slot: u32,
        min: i32,
        max: i32,
    },
    /// `frame[slot] = a`, within a range.
    StoreFrame {
        slot: u32,
        min: i32,
        max: i32,
    },
    /// `cell at frame[slot] = a`, within a range.
    StoreAt {
        slot: u32,
        min: i32,
        max: i32,
    },
    /// `frame[slot] = a`.
    Put(u32),
    /// `a = memory[slot] = memory[slot] + delta`, within a range.
    AddMemory {
        delta: i16,
        slot: u32,
        min: i32,
        max: i32,
    },
    /// `a = frame[slot] = frame[slot] + delta`, within a range.
    AddFrame {
        delta: i16,
        slot: u32,
        min: i32,
        max: i32,
    },
    /// `a = (cell at a) = (cell at a) + delta`, within a range.
    AddAt {
        delta: i16,
        min: i32,
        max: i32,
    },
    /// Copies cells from address `a` to address `frame[target]`.
    Copy {
        target: u32,
        count: u32,
    },
    /// Copies cells from address `a` to `frame[slot]` and after it.
    Fetch {
        slot: u32,
        count: u32,
    },
    /// `a = whether the cells at frame[left] and at a are equal`.
    Same {
        left: u32,
        count: u32,
    },

    /// Sets a clock to a value.
    Reset {
        clock: u32,
        value: i32,
    },
    /// Sets a clock to `a`, not negative.
    ResetTo {
        clock: u32,
    },
    /// Sets clock `frame[target]` to clock `frame[source]` plus `a`, or to `a`.
    SetClock {
        target: u32,
        source: u32,
    },

    /// Calls a routine with its frame from `frame[base]` on.
    Call {
        routine: u32,
        base: u32,
    },
    /// An error of the call if `a` is not within the range of the return type.
    CheckReturn {
        min: i32,
        max: i32,
    },
    /// Returns to the caller.
    Return,
    /// An error of the call: it has no value.
    NoValue,
    /// An error, by its index in the program's list.
    Fail(u32),
    End,
}

const _: () = assert!(size_of::<Op>() == 16, "an instruction takes 16 bytes");
