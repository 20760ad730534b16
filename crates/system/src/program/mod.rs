//! Expressions as bytecode, and the machine that runs it.
//!
//! ```text
//!  Model ── Facts: constants, effects ──▶ ProgramBuilder ──▶ Program ──┐
//!    └───── Layout: where cells lie ────────────┘                      ├── Machine::run, Machine::test
//!                                              memory, local cells ────┘
//! ```
//!
//! Every edge of every explored state evaluates a guard, and many evaluate an update, so an exploration of a model with
//! data spends its time here and on zones. Bytecode with one accumulator was chosen over a tree walk, since most guards
//! and updates become one or two instructions that name their cells, and over machine code, since the remaining gain
//! does not justify a compiler.
//!
//! The semantics of code is that of [`tourbillon_model::Evaluator`]: the same values, the same writes in the same
//! order, the same errors at the same positions. The tests compare both.
//!
//! Invariant: a program is built from a model that keeps its promises ([`tourbillon_model::Model::check`]), and runs
//! on memory of the layout that it was built with.

mod arith;
mod assembler;
mod brief;
mod builder;
mod emit;
mod facts;
mod layout;
mod listing;
mod machine;
mod op;
mod places;
mod routines;

use tourbillon_base::{IdVec, Span};
use tourbillon_model::{EvalErrorKind, FunctionId, NegativeClock, Overflow};

pub use builder::{ProgramBuilder, Unsupported};
pub use layout::Layout;
pub use listing::Listing;
pub use machine::{ClockWrite, Machine, RuntimeError};

use arith::{Comparison, Interval};
use op::Op;

tourbillon_base::define_id! {
    /// A piece of code of a program.
    pub struct CodeId;
}

/// All code of a model. It is immutable and shared between threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    ops: Box<[Op]>,
    codes: IdVec<CodeId, Code>,
    routines: Box<[Routine]>,
    /// The errors of instructions that do nothing but fail.
    failures: Box<[EvalErrorKind]>,
    /// The treatment of results that exceed 32 bits.
    overflow: Overflow,
    /// The source positions of instructions that can fail, in order.
    spans: Box<[(u32, Span)]>,
    /// The treatment of negative clock values.
    negative_clock: NegativeClock,
}

/// A runnable piece of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Code {
    start: u32,
    /// The end of its instructions, exclusive.
    end: u32,
    /// The maximum number of stack cells.
    stack: u32,
    /// The number of local cells, and whether it may change them.
    locals: u32,
    writes_locals: bool,
    quick: DirectCode,
}

/// Code that is so simple that the machine is not needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DirectCode {
    Constant(i32),
    Memory(u32, Interval),
    Compare(Comparison, u32, u32),
    No,
}

/// A compiled function: for calls that need its value, or for those that need cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Routine {
    function: FunctionId,
    start: u32,
    end: u32,
    /// The number of argument cells, and of all local cells; the others are initially 0.
    arguments: u32,
    cells: u32,
    /// The maximum number of stack cells, including called functions.
    stack: u32,
}

impl Program {
    /// The value of code that is constant and has no effect.
    #[must_use]
    pub fn as_constant(&self, code: CodeId) -> Option<i32> {
        match self.codes[code].quick {
            DirectCode::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The treatment of results that exceed 32 bits.
    #[must_use]
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    #[cold]
    fn error(&self, at: usize, kind: EvalErrorKind) -> RuntimeError {
        RuntimeError { kind, span: self.place(at) }
    }

    /// The source position of an instruction that can fail.
    #[cold]
    fn place(&self, at: usize) -> Span {
        let found = self.spans.binary_search_by_key(&(at as u32), |&(at, _)| at);
        self.spans[found.expect("an instruction that can fail has a place")].1
    }
}
