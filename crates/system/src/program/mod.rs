//! Expressions as bytecode, and the machine that runs it.
//!
//! ```text
//!  Model ── Facts: constants, effects ──▶ ProgramBuilder ──▶ Program ──┐
//!    └───── Layout: where cells lie ────────────┘                      ├── Machine::run, Machine::test
//!                                              memory, local cells ────┘
//! ```
//!
//! Every edge of every state that is explored evaluates a guard, and many an update, so this is what an
//! exploration of a model with data spends its time on besides zones. Bytecode with one accumulator was
//! chosen over a tree walk, since most guards and updates become one or two instructions that name their
//! cells, and over compiled machine code, since what is left after that is not worth a compiler.
//!
//! What code means is what [`tourbillon_model::Evaluator`] says: the same values, the same writes in the same
//! order, the same errors at the same places. The tests run both.
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

/// All code of a model. It never changes; threads share it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    ops: Box<[Op]>,
    codes: IdVec<CodeId, Code>,
    routines: Box<[Routine]>,
    /// The errors of instructions that do nothing but fail.
    failures: Box<[EvalErrorKind]>,
    /// How results that exceed 32 bits are treated.
    overflow: Overflow,
    /// Where instructions that can fail were written, in the order of the instructions.
    spans: Box<[(u32, Span)]>,
    /// What a negative value for a clock means.
    negative_clock: NegativeClock,
}

/// A piece of code that can be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Code {
    start: u32,
    /// After its last instruction.
    end: u32,
    /// How many cells of the stack it needs at most.
    stack: u32,
    /// How many local cells it uses, and whether it may change them.
    locals: u32,
    writes_locals: bool,
    quick: DirectCode,
}

/// What the code amounts to, if that is so little that starting the machine would take longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DirectCode {
    Constant(i32),
    Memory(u32, Interval),
    Compare(Comparison, u32, u32),
    No,
}

/// A function as code: for callers that want its value, or for those that want cells from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Routine {
    function: FunctionId,
    start: u32,
    end: u32,
    /// How many cells its arguments fill, of how many local ones; the rest begins as 0.
    arguments: u32,
    cells: u32,
    /// How many cells of the stack it needs at most, its frame and what it calls.
    stack: u32,
}

impl Program {
    /// The value of code that is known without running it; it changes nothing.
    #[must_use]
    pub fn as_constant(&self, code: CodeId) -> Option<i32> {
        match self.codes[code].quick {
            DirectCode::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// How results that exceed 32 bits are treated.
    #[must_use]
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    #[cold]
    fn error(&self, at: usize, kind: EvalErrorKind) -> RuntimeError {
        RuntimeError { kind, span: self.place(at) }
    }

    /// Where an instruction comes from that can fail.
    #[cold]
    fn place(&self, at: usize) -> Span {
        let found = self.spans.binary_search_by_key(&(at as u32), |&(at, _)| at);
        self.spans[found.expect("an instruction that can fail has a place")].1
    }
}
