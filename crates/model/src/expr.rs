//! Expressions, places and functions.
//!
//! Expressions live in the model's arena and refer to each other by [`ExprId`], operands before what they
//! belong to. Each is evaluated in a *frame* of local cells: those of a function, or those that an edge's
//! selections and the quantifiers of a guard or query need. A value is always one integer; what takes several
//! cells is only ever copied, compared, or passed, as a place and a number of cells.

use tourbillon_base::Span;

use crate::types::{Range, Type};
use crate::{CellId, ClockId, ExprId, FunctionId, LocationId, ProcessId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Where it was written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    Int(i32),
    /// What is in a cell.
    Load(CellPlace),
    /// Whether a process is at a location.
    AtLocation(ProcessId, LocationId),
    /// Whether no step is possible now or after any delay; in queries only.
    Deadlock,
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// The second if the first is true, else the third; only one of the two is evaluated.
    Conditional(ExprId, ExprId, ExprId),
    /// A body over all values of a range, put into a local cell one after the other.
    Quantifier {
        op: QuantifierOp,
        local: u32,
        range: Range,
        /// What is evaluated for each.
        body: ExprId,
    },
    /// What a function returns; 0 if it returns nothing.
    Call {
        function: FunctionId,
        /// One for each parameter.
        arguments: Vec<Argument>,
    },
    /// Calls a function that returns several cells, and puts them into local cells. The value is 0.
    CallInto {
        function: FunctionId,
        /// One for each parameter.
        arguments: Vec<Argument>,
        /// The first local cell.
        local: u32,
    },
    /// Writes a cell. The value is what was written.
    Assign {
        /// What is done with the old and the new value.
        op: AssignOp,
        target: CellPlace,
        /// The new value, or what it is computed from.
        value: ExprId,
    },
    /// Adds to a cell. The value is the old one.
    PostIncrement {
        target: CellPlace,
        /// 1 or -1.
        delta: i32,
    },
    /// Copies cells. The value is 0.
    Copy {
        /// The first cell written.
        target: CellPlace,
        /// The first cell read; a function's result is first put into local cells.
        source: CellPlace,
        count: u32,
    },
    /// Whether runs of cells are equal.
    SameCells {
        /// The first cell of one.
        left: CellPlace,
        /// The first cell of the other.
        right: CellPlace,
        count: u32,
    },
    /// Whether clocks compare so.
    Clock(ClockAtom),
    /// Sets a clock to a value, or to another clock plus a value. The value is 0.
    SetClock {
        target: ClockPlace,
        /// The clock it is set to, if any.
        source: Option<ClockPlace>,
        /// The value, or what is added.
        value: ExprId,
    },
    /// Evaluates one after the other; the value is that of the last, of which there is at least one.
    Sequence(Vec<ExprId>),
}

impl ExprKind {
    /// Calls `visit` with every expression directly in this one, indices of places included.
    pub fn for_each_operand(&self, visit: &mut impl FnMut(ExprId)) {
        let steps = |indices: &[IndexStep]| indices.iter().map(|step| step.index).collect::<Vec<_>>();
        match self {
            Self::Int(_) | Self::AtLocation(..) | Self::Deadlock => {}
            Self::Load(place) | Self::PostIncrement { target: place, .. } => {
                steps(&place.indices).into_iter().for_each(visit)
            }
            Self::Unary(_, operand) | Self::Quantifier { body: operand, .. } => visit(*operand),
            Self::Binary(_, left, right) => [*left, *right].into_iter().for_each(visit),
            Self::Conditional(condition, yes, no) => [*condition, *yes, *no].into_iter().for_each(visit),
            Self::Call { arguments, .. } | Self::CallInto { arguments, .. } => {
                arguments.iter().for_each(|argument| argument.for_each_operand(visit))
            }
            Self::Assign { target, value, .. } => {
                steps(&target.indices).into_iter().chain([*value]).for_each(visit);
            }
            Self::Copy { target: one, source: two, .. } | Self::SameCells { left: one, right: two, .. } => {
                steps(&one.indices).into_iter().chain(steps(&two.indices)).for_each(visit);
            }
            Self::Clock(atom) => {
                steps(&atom.left.indices).into_iter().for_each(&mut *visit);
                atom.right.iter().flat_map(|right| &right.indices).for_each(|step| visit(step.index));
                visit(atom.bound);
            }
            Self::SetClock { target, source, value } => {
                steps(&target.indices).into_iter().for_each(&mut *visit);
                source.iter().flat_map(|source| &source.indices).for_each(|step| visit(step.index));
                visit(*value);
            }
            Self::Sequence(parts) => parts.iter().copied().for_each(visit),
        }
    }
}

impl Argument {
    fn for_each_operand(&self, visit: &mut impl FnMut(ExprId)) {
        match self {
            Self::Value(expr) => visit(*expr),
            Self::Cells(place) | Self::Reference(place) => {
                place.indices.iter().for_each(|step| visit(step.index))
            }
            Self::Clock(place) => place.indices.iter().for_each(|step| visit(step.index)),
        }
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-e`, an error if it exceeds 32 bits.
    Negate,
    /// `!e`, 0 or 1.
    Not,
    /// `abs(e)`.
    Absolute,
    /// 1 if the operand is not 0, else 0.
    Truth,
}

/// An operator with two operands. Overflow is an error, as is division by 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Towards zero.
    Divide,
    /// With the sign of the first operand.
    Remainder,
    /// By 0 to 31 bits; more, or fewer than none, is an error.
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Minimum,
    Maximum,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    /// 0 or 1; the second operand is evaluated only if the first is true.
    And,
    /// 0 or 1; the second operand is evaluated only if the first is false.
    Or,
}

impl BinaryOp {
    pub const ALL: [Self; 18] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
        Self::Minimum,
        Self::Maximum,
        Self::Less,
        Self::LessOrEqual,
        Self::Equal,
        Self::NotEqual,
        Self::And,
        Self::Or,
    ];

    /// How UPPAAL writes it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Minimum => "<?",
            Self::Maximum => ">?",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuantifierOp {
    /// Whether the body is true for all values.
    ForAll,
    /// Whether it is true for some.
    Exists,
    /// The sum of its values.
    Sum,
}

/// What an assignment does with the old and the new value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssignOp {
    /// Takes the new one.
    Set,
    /// Takes what the operator makes of the old and the new one.
    With(BinaryOp),
}

/// Where a run of cells begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root<T> {
    /// At a cell, or clock, of the model.
    Global(T),
    /// At a local cell of the frame.
    Local(u32),
    /// Where the argument for this by-reference parameter of the function begins.
    Reference(u32),
}

/// One cell, or the first of several: a root, a fixed distance, and indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellPlace {
    pub root: Root<CellId>,
    /// How many cells on.
    pub offset: u32,
    /// And for each index further on.
    pub indices: Vec<IndexStep>,
    /// What may be written to the cell.
    pub range: Range,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockPlace {
    pub root: Root<ClockId>,
    /// How many clocks on.
    pub offset: u32,
    /// And for each index further on.
    pub indices: Vec<IndexStep>,
}

/// `(index - range.min) * stride` further on; an index out of range is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexStep {
    pub index: ExprId,
    /// What it may be.
    pub range: Range,
    /// How many cells an element takes.
    pub stride: u32,
}

impl CellPlace {
    /// A cell of the model.
    #[must_use]
    pub const fn cell(cell: CellId, range: Range) -> Self {
        Self { root: Root::Global(cell), offset: 0, indices: Vec::new(), range }
    }

    #[must_use]
    pub const fn local(slot: u32, range: Range) -> Self {
        Self { root: Root::Local(slot), offset: 0, indices: Vec::new(), range }
    }
}

impl ClockPlace {
    /// A clock of the model.
    #[must_use]
    pub const fn clock(clock: ClockId) -> Self {
        Self { root: Root::Global(clock), offset: 0, indices: Vec::new() }
    }
}

/// How clocks are compared with a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compare {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

impl Compare {
    /// How it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }
}

/// `left - right` compared with a number; `left` alone if there is no `right`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockAtom {
    pub left: ClockPlace,
    /// What is subtracted from it.
    pub right: Option<ClockPlace>,
    pub compare: Compare,
    pub bound: ExprId,
}

/// What is passed for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The value of an expression, within the parameter's range.
    Value(ExprId),
    Cells(CellPlace),
    Reference(CellPlace),
    /// A clock, or the first of several.
    Clock(ClockPlace),
}

/// A function of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name, after that of its process and a dot if it is one of a process.
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// What it returns, if it does.
    pub returns: Option<Type>,
    /// How many local cells it needs; those of by-value parameters come first, in order.
    pub frame: u32,
    pub body: Block,
    /// Whether it reads and writes nothing but constants and what it is passed.
    pub is_pure: bool,
    /// Where it was declared.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: Type,
    /// Whether it is passed by reference. References are numbered in the order of their parameters.
    pub by_reference: bool,
}

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// Evaluates an expression for what it does.
    Expr(ExprId),
    /// The first block whose condition is true, or the last.
    If {
        arms: Vec<(ExprId, Block)>,
        /// What is done if none is true.
        otherwise: Block,
    },
    /// As long as the condition is true, the body and then the step.
    While {
        /// Tested before each round.
        condition: ExprId,
        body: Block,
        /// What is done after each round.
        step: Block,
    },
    /// The body, as long as the condition is true after it.
    DoWhile {
        body: Block,
        /// Tested after each round.
        condition: ExprId,
    },
    /// The body for each value of a range, in a local cell.
    ForRange { local: u32, range: Range, body: Block },
    /// Ends the function, with a value.
    Return(Option<ExprId>),
    /// Ends the function, with cells.
    ReturnCells {
        /// The first of them.
        place: CellPlace,
        count: u32,
    },
    /// An error of the model if the expression is false.
    Assert(ExprId),
}
