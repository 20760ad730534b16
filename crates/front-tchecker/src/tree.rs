//! The syntax tree of expressions and statements.

use tourbillon_base::Span;

#[derive(Clone, Debug)]
pub(crate) struct Node<'t> {
    pub(crate) kind: NodeKind<'t>,
    pub(crate) span: Span,
    /// How many levels of operators it has: bounded, so that functions over it can call themselves.
    pub(crate) depth: u32,
    /// Its value, if it consists of constants and has one.
    pub(crate) constant: Option<i32>,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeKind<'t> {
    Int(i32),
    /// A variable or clock, perhaps an element.
    Name {
        name: &'t str,
        /// Of the name alone.
        name_span: Span,
        index: Option<Box<Node<'t>>>,
    },
    Negate(Box<Node<'t>>),
    Not(Box<Node<'t>>),
    Arithmetic(Arithmetic, Box<[Node<'t>; 2]>),
    /// `a < b`, or `a < b <= c`: one operator less than operands, which are two or three.
    Compare(Vec<Comparison>, Vec<Node<'t>>),
    /// At least two, none of them a conjunction itself.
    And(Vec<Node<'t>>),
    Conditional(Box<[Node<'t>; 3]>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Comparison {
    /// The one that holds when the operands are exchanged.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
            same => same,
        }
    }

    /// The one that holds when this does not.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::GreaterOrEqual => Self::Less,
            Self::Greater => Self::LessOrEqual,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Statement<'t> {
    pub(crate) kind: StatementKind<'t>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind<'t> {
    Nop,
    /// The target is a name.
    Assign(Box<[Node<'t>; 2]>),
    If {
        condition: Node<'t>,
        then: Vec<Statement<'t>>,
        otherwise: Vec<Statement<'t>>,
    },
    While {
        condition: Node<'t>,
        body: Vec<Statement<'t>>,
    },
    Local {
        name: &'t str,
        name_span: Span,
        initial: Option<Node<'t>>,
        size: Option<Node<'t>>,
    },
}

impl Arithmetic {
    /// What it makes of two numbers; nothing if it exceeds 32 bits, or if there is no result.
    pub(crate) fn compute(self, left: i32, right: i32) -> Option<i32> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
        }
    }
}

impl<'t> NodeKind<'t> {
    fn constant(&self) -> Option<i32> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Negate(operand) => operand.constant?.checked_neg(),
            Self::Arithmetic(operator, operands) => {
                operator.compute(operands[0].constant?, operands[1].constant?)
            }
            _ => None,
        }
    }
}

impl<'t> Node<'t> {
    pub(crate) fn new(kind: NodeKind<'t>, span: Span, depth: u32) -> Self {
        Self { constant: kind.constant(), kind, span, depth }
    }

    /// Calls `visit` with every name in the expression.
    pub(crate) fn for_each_name(&self, visit: &mut impl FnMut(&'t str)) {
        match &self.kind {
            NodeKind::Int(_) => {}
            NodeKind::Name { name, index, .. } => {
                visit(name);
                index.iter().for_each(|index| index.for_each_name(visit));
            }
            NodeKind::Negate(operand) | NodeKind::Not(operand) => operand.for_each_name(visit),
            NodeKind::Arithmetic(_, operands) => operands.iter().for_each(|part| part.for_each_name(visit)),
            NodeKind::Compare(_, parts) | NodeKind::And(parts) => {
                parts.iter().for_each(|part| part.for_each_name(visit));
            }
            NodeKind::Conditional(parts) => parts.iter().for_each(|part| part.for_each_name(visit)),
        }
    }
}

impl<'t> Statement<'t> {
    /// Calls `visit` with every name that the statement gives a value.
    pub(crate) fn for_each_assigned(&self, visit: &mut impl FnMut(&'t str)) {
        match &self.kind {
            StatementKind::Nop => {}
            StatementKind::Assign(sides) => {
                if let NodeKind::Name { name, .. } = sides[0].kind {
                    visit(name);
                }
            }
            StatementKind::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).for_each(|inner| inner.for_each_assigned(visit));
            }
            StatementKind::While { body, .. } => {
                body.iter().for_each(|inner| inner.for_each_assigned(visit));
            }
            StatementKind::Local { name, .. } => visit(name),
        }
    }
}
