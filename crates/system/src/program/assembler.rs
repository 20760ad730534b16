//! The assembler: instructions, labels, and the used cells of the frame.
//!
//! Labels become distances when the piece is sealed. A backward jump then becomes [`Op::Back`], so that code generation
//! for loops need not distinguish the directions.

use tourbillon_base::Span;
use tourbillon_model::BinaryOp;

use super::arith::{Comparison, Interval};
use super::op::Op;

/// A jump target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(usize);

/// The condition of a jump. Conditions on the accumulator expect it to be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JumpTest {
    Known(bool),
    Accumulator(Interval),
    Memory(u32, Interval),
    Frame(u32, Interval),
    MemoryMemory(Comparison, u32, u32),
    WithMemory(Comparison, u32),
    WithFrame(Comparison, u32),
}

impl JumpTest {
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Accumulator(within) => Self::Accumulator(within.complement()),
            Self::Memory(slot, within) => Self::Memory(slot, within.complement()),
            Self::Frame(slot, within) => Self::Frame(slot, within.complement()),
            Self::MemoryMemory(is, left, right) => Self::MemoryMemory(is.negated(), left, right),
            Self::WithMemory(is, slot) => Self::WithMemory(is.negated(), slot),
            Self::WithFrame(is, slot) => Self::WithFrame(is.negated(), slot),
        }
    }
}

/// The position of a label that is not bound yet.
const UNBOUND: usize = usize::MAX;

/// A piece of code under construction.
#[derive(Debug)]
pub(super) struct Assembler {
    pub(super) ops: Vec<Op>,
    /// The source position of each instruction that can fail, in order.
    pub(super) spans: Vec<(u32, Span)>,
    labels: Vec<usize>,
    jumps: Vec<(usize, Label)>,
    /// The first free cell of the frame.
    depth: u32,
    /// The maximum number of stack cells, including those of called functions.
    pub(super) stack: u32,
    /// Whether compare-and-jump instructions are avoided, since their distance has 16 bits.
    far: bool,
}

impl Assembler {
    /// An empty piece whose frame already has this many cells.
    pub(super) fn new(cells: u32, far: bool) -> Self {
        let (ops, spans, labels, jumps) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { ops, spans, labels, jumps, depth: cells, stack: cells, far }
    }

    pub(super) fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// An instruction that can fail.
    pub(super) fn push_at(&mut self, span: Span, op: Op) {
        self.spans.push((self.ops.len() as u32, span));
        self.ops.push(op);
    }

    /// Allocates cells of the frame, until [`Self::release`].
    pub(super) fn take(&mut self, cells: u32) -> u32 {
        let first = self.depth;
        self.depth = self.depth.saturating_add(cells);
        self.need(self.depth);
        first
    }

    /// Ensures that the stack has this many cells from the frame on.
    pub(super) fn need(&mut self, cells: u32) {
        self.stack = self.stack.max(cells);
    }

    /// The first free cell of the frame.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Frees all cells from this one on.
    pub(super) fn release(&mut self, depth: u32) {
        self.depth = depth;
    }

    /// Saves the accumulator in the frame.
    pub(super) fn save(&mut self) -> u32 {
        let slot = self.take(1);
        self.push(Op::Put(slot));
        slot
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() - 1)
    }

    /// Puts a label here.
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0] = self.ops.len();
    }

    pub(super) fn jump(&mut self, label: Label) {
        self.jump_by(label, Op::Jump(0));
    }

    /// Jumps to the beginning of a loop. A loop that does not terminate is reported at this position.
    pub(super) fn jump_back(&mut self, label: Label, span: Span) {
        self.spans.push((self.ops.len() as u32, span));
        self.jump(label);
    }

    fn jump_by(&mut self, label: Label, op: Op) {
        self.jumps.push((self.ops.len(), label));
        self.push(op);
    }

    /// Jumps if the test holds; the label must come later.
    pub(super) fn jump_if(&mut self, test: JumpTest, label: Label) {
        let by = 0;
        match test {
            JumpTest::Known(true) => self.jump(label),
            JumpTest::Known(false) => {}
            JumpTest::Accumulator(within) => self.jump_by(label, Op::JumpIf { by: 0, within }),
            _ if self.far => {
                self.evaluate(test);
                self.jump_by(label, Op::JumpIf { by: 0, within: Interval::NOT_ZERO });
            }
            JumpTest::Memory(slot, within) => self.jump_by(label, Op::JumpMemory { by, slot, within }),
            JumpTest::Frame(slot, within) => self.jump_by(label, Op::JumpFrame { by, slot, within }),
            JumpTest::MemoryMemory(is, left, right) => {
                self.jump_by(label, Op::JumpCompare { is, by, left, right });
            }
            JumpTest::WithMemory(is, slot) => self.jump_by(label, Op::JumpWithMemory { is, by, slot }),
            JumpTest::WithFrame(is, slot) => self.jump_by(label, Op::JumpWithFrame { is, by, slot }),
        }
    }

    /// Leaves 1 in the accumulator if the test holds, else 0.
    pub(super) fn evaluate(&mut self, test: JumpTest) {
        self.push(match test {
            JumpTest::Known(value) => Op::Constant(value.into()),
            JumpTest::Accumulator(within) => Op::Test { within },
            JumpTest::Memory(slot, within) => Op::TestMemory { slot, within },
            JumpTest::Frame(slot, within) => Op::TestFrame { slot, within },
            JumpTest::MemoryMemory(is, left, right) => match operator(is) {
                (op, false) => Op::MemoryMemory { op, left, right },
                (op, true) => Op::MemoryMemory { op, left: right, right: left },
            },
            JumpTest::WithMemory(is, slot) => match operator(is) {
                (op, false) => Op::WithMemory { op, slot },
                (op, true) => Op::MemoryWith { op, slot },
            },
            JumpTest::WithFrame(is, slot) => match operator(is) {
                (op, false) => Op::WithFrame { op, slot },
                (op, true) => Op::FrameWith { op, slot },
            },
        });
    }

    /// Converts labels to distances. Returns false if one is too far away for its jump.
    pub(super) fn seal(&mut self) -> bool {
        self.jumps.iter().all(|&(at, label)| {
            let target = self.labels[label.0];
            assert_ne!(target, UNBOUND, "a label that was never put anywhere");
            set_distance(&mut self.ops[at], at, target)
        })
    }
}

/// The operator of a comparison, and whether its operands are exchanged.
fn operator(is: Comparison) -> (BinaryOp, bool) {
    match is {
        Comparison::Less => (BinaryOp::Less, false),
        Comparison::LessOrEqual => (BinaryOp::LessOrEqual, false),
        Comparison::Equal => (BinaryOp::Equal, false),
        Comparison::NotEqual => (BinaryOp::NotEqual, false),
        Comparison::GreaterOrEqual => (BinaryOp::LessOrEqual, true),
        Comparison::Greater => (BinaryOp::Less, true),
    }
}

fn set_distance(op: &mut Op, at: usize, target: usize) -> bool {
    if target <= at {
        assert_eq!(*op, Op::Jump(0), "only plain jumps go back");
        *op = Op::Back((at - target) as u32);
        return true;
    }
    let distance = target - at;
    match op {
        Op::Jump(by) | Op::JumpIf { by, .. } => *by = distance as u32,
        Op::JumpMemory { by, .. }
        | Op::JumpFrame { by, .. }
        | Op::JumpCompare { by, .. }
        | Op::JumpWithMemory { by, .. }
        | Op::JumpWithFrame { by, .. } => match u16::try_from(distance) {
            Ok(distance) => *by = distance,
            Err(_) => return false,
        },
        _ => unreachable!("only jumps have labels"),
    }
    true
}
