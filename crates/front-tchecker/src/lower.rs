//! Lowering of expressions: terms, conditions, and comparisons of clocks.
//!
//! A guard is a conjunction. Its conditions on data are put into the model before its comparisons of clocks,
//! and within a comparison the operands in the order in which the model keeps them, whatever the order in the
//! text: so a model that is written out and read again is the same down to the numbers of its expressions.
//!
//! `!` and conditional terms need one answer, which a comparison of clocks does not have in a symbolic state;
//! there it is refused, as is everything that would need a union of zones.

use tourbillon_base::{Code, Diagnostic, Diagnostics, Id, Span};
use tourbillon_model::*;

use crate::codes;
use crate::declare::{GlobalPlace, ModelBuilder};
use crate::lines::Word;
use crate::tree::*;

/// How many conditions are joined at most where one answer is needed. A guard can have any number.
const CONJUNCTS_MAX: usize = 1000;

/// The local variables of the edge whose statements are being read.
#[derive(Default, Debug)]
pub(crate) struct Locals<'t> {
    pub(crate) list: Vec<Local<'t>>,
    /// Those of blocks that have ended.
    pub(crate) ended: Vec<(&'t str, Span)>,
    /// How many local cells there are.
    pub(crate) frame: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Local<'t> {
    pub(crate) name: &'t str,
    pub(crate) slot: u32,
    pub(crate) size: u32,
    pub(crate) span: Span,
}

/// What a name stands for.
pub(crate) enum Resolved {
    Data(CellPlace),
    Clock(ClockPlace),
}

/// What stands on one side of a comparison or assignment.
pub(crate) enum Operand<'n, 't> {
    Data,
    Clock(&'n Node<'t>),
    Difference(&'n Node<'t>, &'n Node<'t>),
    Other,
}

impl<'t> ModelBuilder<'t, '_> {
    pub(crate) fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.model.exprs.push(Expr { kind, span })
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.out.push(Diagnostic::error(code, span, message).help(help));
    }

    /// The text of something short, to be repeated in advice.
    fn snippet(&self, span: Span, otherwise: &'t str) -> &'t str {
        let text = &self.text[span.range()];
        if text.len() <= 40 && !text.contains('\n') { text } else { otherwise }
    }

    fn is_clock(&self, node: &Node<'t>) -> bool {
        let NodeKind::Name { name, .. } = node.kind else { return false };
        let global = self.global_names.get(name).map(|&index| self.globals[index].place);
        matches!(global, Some(GlobalPlace::Clock { .. }))
    }

    /// Whether clocks are computed with; those in indices are somebody else's mistake.
    fn mentions_clock(&self, node: &Node<'t>) -> bool {
        match &node.kind {
            NodeKind::Int(_) => false,
            NodeKind::Name { .. } => self.is_clock(node),
            NodeKind::Negate(inner) | NodeKind::Not(inner) => self.mentions_clock(inner),
            NodeKind::Arithmetic(_, parts) => parts.iter().any(|part| self.mentions_clock(part)),
            NodeKind::Compare(_, parts) | NodeKind::And(parts) => {
                parts.iter().any(|part| self.mentions_clock(part))
            }
            NodeKind::Conditional(parts) => parts[1..].iter().any(|part| self.mentions_clock(part)),
        }
    }

    pub(crate) fn side<'n>(&self, node: &'n Node<'t>) -> Operand<'n, 't> {
        if self.is_clock(node) {
            return Operand::Clock(node);
        }
        if let NodeKind::Arithmetic(Arithmetic::Subtract, parts) = &node.kind
            && parts.iter().all(|part| self.is_clock(part))
        {
            return Operand::Difference(&parts[0], &parts[1]);
        }
        if self.mentions_clock(node) { Operand::Other } else { Operand::Data }
    }

    /// What a name stands for; nothing if it is wrong, which is reported.
    pub(crate) fn resolve(&mut self, node: &Node<'t>) -> Option<Resolved> {
        let NodeKind::Name { name, name_span, index } = &node.kind else { return None };
        if let Some(&local) = self.locals.list.iter().rev().find(|local| local.name == *name) {
            let (offset, indices) = self.index(*name_span, local.size, local.span, index.as_deref())?;
            let root = Root::Local(local.slot + offset);
            return Some(Resolved::Data(CellPlace { root, offset: 0, indices, range: Range::INT32 }));
        }
        let Some(&number) = self.global_names.get(name) else {
            self.unknown_name(name, *name_span);
            return None;
        };
        self.globals[number].used = true;
        let (size, span, place) =
            (self.globals[number].size, self.globals[number].span, self.globals[number].place);
        let (offset, indices) = self.index(*name_span, size, span, index.as_deref())?;
        let offset = offset as usize;
        Some(match place {
            GlobalPlace::Int { first, range } => {
                let root = Root::Global(CellId::from_index(first.index() + offset));
                Resolved::Data(CellPlace { root, offset: 0, indices, range })
            }
            GlobalPlace::Clock { first } => {
                let root = Root::Global(ClockId::from_index(first.index() + offset));
                Resolved::Clock(ClockPlace { root, offset: 0, indices })
            }
        })
    }

    fn unknown_name(&mut self, name: &'t str, span: Span) {
        // Looked for as long as anybody reads it.
        let read = self.out.error_count() < Diagnostics::DEFAULT_CAP;
        let ended = self.locals.ended.iter().rev().find(|(ended, _)| read && *ended == name);
        if let Some(&(_, declared)) = ended {
            let message = format!("`{name}` exists only inside the block that declares it");
            let diagnostic = Diagnostic::error(codes::OUT_OF_SCOPE, span, message);
            self.out.push(diagnostic.label(declared, "declared here").help("declare it before that block"));
            return;
        }
        let locals = self.locals.list.iter().map(|local| local.name);
        let globals = self.model.variables.iter().map(|variable| variable.name.as_str());
        let help = self.suggestion(name, locals.chain(globals));
        let word = Word { text: name, span };
        self.undeclared(format!("no variable or clock `{name}` is declared"), word, help);
    }

    /// Which element is meant: a fixed one, or one that an index chooses.
    fn index(
        &mut self,
        name_span: Span,
        size: u32,
        declared: Span,
        index: Option<&Node<'t>>,
    ) -> Option<(u32, Vec<IndexStep>)> {
        let name = &self.text[name_span.range()];
        let Some(index) = index else {
            if size > 1 {
                let message = format!("`{name}` is an array of {size}");
                let diagnostic = Diagnostic::error(codes::ARRAY_AS_VALUE, name_span, message);
                self.out.push(
                    diagnostic
                        .label(declared, "declared here")
                        .help(format!("choose an element: `{name}[0]` to `{name}[{}]`", size - 1)),
                );
                return None;
            }
            return Some((0, Vec::new()));
        };
        if let Some(value) = index.constant {
            let value = u32::try_from(value).ok().filter(|&value| value < size);
            if value.is_none() {
                let message = match size {
                    1 => format!("`{name}` has one element, which is number 0"),
                    _ => format!("the elements of `{name}` are numbered from 0 to {}", size - 1),
                };
                let diagnostic = Diagnostic::error(codes::INDEX_OUT_OF_BOUNDS, index.span, message);
                self.out.push(diagnostic.label(declared, "declared here"));
            }
            return Some((value?, Vec::new()));
        }
        let index = self.term(index)?;
        let range = Range::new(0, size as i32 - 1)?;
        Some((0, vec![IndexStep { index, range, stride: 1 }]))
    }

    /// An expression that is a number.
    pub(crate) fn term(&mut self, node: &Node<'t>) -> Option<ExprId> {
        let kind = match &node.kind {
            NodeKind::Int(value) => ExprKind::Int(*value),
            NodeKind::Name { name, .. } => match self.resolve(node)? {
                Resolved::Data(place) => ExprKind::Load(place),
                Resolved::Clock(_) => {
                    let message = format!("the clock `{name}` is no number");
                    let help =
                        "clocks are compared with terms in guards and invariants, and assigned to clocks";
                    self.report(codes::CLOCK_AS_NUMBER, node.span, message, help);
                    return None;
                }
            },
            NodeKind::Negate(operand) => match node.constant.filter(|_| is_signed_number(operand)) {
                Some(value) => ExprKind::Int(value),
                None => ExprKind::Unary(UnaryOp::Negate, self.term(operand)?),
            },
            NodeKind::Arithmetic(operator, operands) => self.arithmetic(*operator, operands, node.span)?,
            NodeKind::Conditional(parts) => {
                let condition = self.condition(&parts[0]);
                let [yes, no] = [&parts[1], &parts[2]].map(|part| self.term(part));
                ExprKind::Conditional(condition?, yes?, no?)
            }
            NodeKind::Compare(..) | NodeKind::And(_) | NodeKind::Not(_) => {
                let text = self.snippet(node.span, "condition");
                let help = format!("write `(if {text} then 1 else 0)`");
                self.report(codes::CONDITION_AS_NUMBER, node.span, "a condition is no number", help);
                return None;
            }
        };
        Some(self.push(kind, node.span))
    }

    fn arithmetic(&mut self, operator: Arithmetic, operands: &[Node<'t>; 2], span: Span) -> Option<ExprKind> {
        let divides = matches!(operator, Arithmetic::Divide | Arithmetic::Remainder);
        if divides && operands[1].constant == Some(0) {
            self.error(codes::DIVISION_BY_ZERO, operands[1].span, "this divisor is 0");
        } else if let [Some(left), Some(right)] = [&operands[0], &operands[1]].map(|operand| operand.constant)
            && operator.compute(left, right).is_none()
            && self.model.overflow == Overflow::Error
        {
            let help = "if results are meant to wrap, say so: `--overflow wrap`, or `# tourbillon: overflow wrap` in the model";
            self.report(codes::OVERFLOW, span, "this constant does not fit in 32 bits", help);
        }
        let [left, right] = [&operands[0], &operands[1]].map(|operand| self.term(operand));
        let operator = match operator {
            Arithmetic::Add => BinaryOp::Add,
            Arithmetic::Subtract => BinaryOp::Subtract,
            Arithmetic::Multiply => BinaryOp::Multiply,
            Arithmetic::Divide => BinaryOp::Divide,
            Arithmetic::Remainder => BinaryOp::Remainder,
        };
        Some(ExprKind::Binary(operator, left?, right?))
    }

    /// A condition that has one answer: clocks are not compared in it. All parts of a conjunction come before
    /// what joins them, chained comparisons included.
    pub(crate) fn condition(&mut self, node: &Node<'t>) -> Option<ExprId> {
        let nodes = match &node.kind {
            NodeKind::And(parts) => parts.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let mut parts = Vec::new();
        for part in nodes {
            self.add_conditions(part, &mut parts);
        }
        let parts: Vec<ExprId> = parts.into_iter().collect::<Option<_>>()?;
        let (first, rest) = parts.split_first()?;
        if rest.len() > CONJUNCTS_MAX {
            let message = format!("more than {CONJUNCTS_MAX} conditions joined here");
            self.error(codes::NESTING, node.span.at_start(), message);
            return None;
        }
        Some(
            rest.iter().fold(*first, |left, right| {
                self.push(ExprKind::Binary(BinaryOp::And, left, *right), node.span)
            }),
        )
    }

    /// The conditions that one part of a conjunction stands for; nothing in place of one that is wrong.
    fn add_conditions(&mut self, node: &Node<'t>, parts: &mut Vec<Option<ExprId>>) {
        match &node.kind {
            NodeKind::Not(inner) => parts.push(self.negation(inner, node.span)),
            NodeKind::Compare(operators, operands) => {
                if operands.iter().any(|operand| self.mentions_clock(operand)) {
                    let message = "clocks cannot be compared inside a statement or a conditional term";
                    let help = "compare them in the guard, with one edge for each case";
                    self.report(codes::CLOCK_IN_STATEMENT, node.span, message, help);
                    parts.push(None);
                    return;
                }
                for (operator, sides) in operators.iter().zip(operands.windows(2)) {
                    parts.push(self.comparison(*operator, &sides[0], &sides[1], node.span));
                }
            }
            _ => parts.push(self.term(node)),
        }
    }

    fn negation(&mut self, inner: &Node<'t>, span: Span) -> Option<ExprId> {
        let one = match &inner.kind {
            NodeKind::And(_) => false,
            NodeKind::Compare(operators, _) => operators.len() == 1,
            _ => true,
        };
        if !one {
            let message = "`!` can negate one comparison only";
            let help = "the negation of a conjunction is a disjunction: write one edge for each case, or use \
                        `(if .. then 0 else 1)`";
            self.report(codes::NEGATION, span, message, help);
            return None;
        }
        let inner = self.condition(inner)?;
        Some(self.push(ExprKind::Unary(UnaryOp::Not, inner), span))
    }

    /// A comparison of numbers. Greater is less with the operands exchanged.
    fn comparison(
        &mut self,
        operator: Comparison,
        left: &Node<'t>,
        right: &Node<'t>,
        span: Span,
    ) -> Option<ExprId> {
        let (operator, left, right) = match operator {
            Comparison::Greater | Comparison::GreaterOrEqual => (operator.reversed(), right, left),
            _ => (operator, left, right),
        };
        let [left, right] = [left, right].map(|side| self.term(side));
        let operator = match operator {
            Comparison::Less | Comparison::Greater => BinaryOp::Less,
            Comparison::LessOrEqual | Comparison::GreaterOrEqual => BinaryOp::LessOrEqual,
            Comparison::Equal => BinaryOp::Equal,
            Comparison::NotEqual => BinaryOp::NotEqual,
        };
        Some(self.push(ExprKind::Binary(operator, left?, right?), span))
    }

    /// The conjunction of conditions, split into data and clocks.
    pub(crate) fn guard(&mut self, nodes: Vec<Node<'t>>) -> Guard {
        let mut guard = Guard::default();
        let mut clocks = Vec::new();
        for node in nodes {
            let parts = match node.kind {
                NodeKind::And(parts) => parts,
                _ => vec![node],
            };
            for part in parts {
                match &part.kind {
                    NodeKind::Compare(operators, operands) => {
                        for (operator, sides) in operators.iter().zip(operands.windows(2)) {
                            if sides.iter().any(|side| self.mentions_clock(side)) {
                                clocks.push((*operator, [sides[0].clone(), sides[1].clone()], part.span));
                            } else {
                                let condition = self.comparison(*operator, &sides[0], &sides[1], part.span);
                                guard.conditions.extend(condition);
                            }
                        }
                    }
                    NodeKind::Not(inner) if self.mentions_clock(inner) => {
                        self.negated_clocks(inner, part.span);
                    }
                    _ => guard.conditions.extend(self.condition(&part)),
                }
            }
        }
        for (operator, [left, right], span) in clocks {
            let atom = self.clock_comparison(operator, &left, &right, span);
            guard.clocks.extend(atom.map(|atom| ClockCondition { when: None, atom }));
        }
        guard
    }

    fn negated_clocks(&mut self, inner: &Node<'t>, span: Span) {
        let help = match &inner.kind {
            NodeKind::Compare(operators, operands)
                if operators.len() == 1 && operators[0] != Comparison::Equal =>
            {
                let [left, right] = [0, 1].map(|side| self.snippet(operands[side].span, ".."));
                format!("write `{left} {} {right}`", operators[0].opposite().text())
            }
            _ => "write one edge for each case".to_owned(),
        };
        self.report(codes::NOT_CONVEX, span, "a condition on clocks cannot be negated", help);
    }

    fn clock_comparison(
        &mut self,
        operator: Comparison,
        left: &Node<'t>,
        right: &Node<'t>,
        span: Span,
    ) -> Option<ClockAtom> {
        let (clock, minus, operator, bound) = match (self.side(left), self.side(right)) {
            (Operand::Clock(x), Operand::Data) => (x, None, operator, Some(right)),
            (Operand::Data, Operand::Clock(x)) => (x, None, operator.reversed(), Some(left)),
            (Operand::Clock(x), Operand::Clock(y)) => (x, Some(y), operator, None),
            (Operand::Difference(x, y), Operand::Data) => (x, Some(y), operator, Some(right)),
            (Operand::Data, Operand::Difference(x, y)) => (x, Some(y), operator.reversed(), Some(left)),
            (Operand::Other, _) | (_, Operand::Other) => {
                let message = "only a clock or the difference of two clocks can be compared";
                let help = "move everything else to the side without clocks: `x < t - c` for `x + c < t`";
                self.report(codes::CLOCK_COMPARISON, span, message, help);
                return None;
            }
            _ => {
                let message = "more than two clocks in one comparison";
                let help = "compare the difference of two clocks with a term: `x - y < t`";
                self.report(codes::CLOCK_COMPARISON, span, message, help);
                return None;
            }
        };
        let compare = match operator {
            Comparison::Less => Compare::Less,
            Comparison::LessOrEqual => Compare::LessOrEqual,
            Comparison::Equal => Compare::Equal,
            Comparison::GreaterOrEqual => Compare::GreaterOrEqual,
            Comparison::Greater => Compare::Greater,
            Comparison::NotEqual => {
                let message = "clocks that differ from a value form no zone";
                let [left, right] = [left, right].map(|side| self.snippet(side.span, ".."));
                let help = format!("write one edge with `{left} < {right}` and one with `{left} > {right}`");
                self.report(codes::NOT_CONVEX, span, message, help);
                return None;
            }
        };
        let left = self.clock_place(clock)?;
        let right = match minus {
            Some(minus) => Some(self.clock_place(minus)?),
            None => None,
        };
        if right.as_ref() == Some(&left) && left.indices.is_empty() {
            let message = "the difference of a clock and itself is always 0";
            self.error(codes::CLOCK_COMPARISON, span, message);
            return None;
        }
        let bound = match bound {
            Some(bound) => self.term(bound)?,
            None => self.push(ExprKind::Int(0), span),
        };
        Some(ClockAtom { left, right, compare, bound })
    }

    pub(crate) fn clock_place(&mut self, node: &Node<'t>) -> Option<ClockPlace> {
        match self.resolve(node)? {
            Resolved::Clock(place) => Some(place),
            Resolved::Data(_) => None,
        }
    }
}

/// Whether an expression is a number with any signs before it.
fn is_signed_number(node: &Node<'_>) -> bool {
    match &node.kind {
        NodeKind::Int(_) => true,
        NodeKind::Negate(operand) => is_signed_number(operand),
        _ => false,
    }
}
