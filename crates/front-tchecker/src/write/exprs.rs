//! Expressions as text.
//!
//! The grammar has terms, and conditions that are conjunctions of comparisons; a condition that stands where
//! a term must becomes `(if condition then 1 else 0)`, and a disjunction a chain of such. Operands that are
//! operators themselves get brackets. A local cell of an edge or quantifier has a known value and is written
//! as that number.

use std::collections::BTreeMap;

use tourbillon_base::{Diagnostic, Id};
use tourbillon_model::*;

use super::Writer;
use super::names::CellRange;
use crate::codes;

/// How long the text of one expression can be, in bytes.
const LENGTH_MAX: usize = 1_000_000;
/// How many calls can be written out inside each other.
pub(super) const CALLS_MAX: usize = 50;

/// What is known about the local cells of a frame.
#[derive(Clone, Default, Debug)]
pub(super) struct Env {
    pub(super) values: BTreeMap<u32, LocalValue>,
    /// Local cells that are variables in the text.
    pub(super) locals: BTreeMap<u32, CellRange>,
    /// Whether a local cell becomes a variable where it is first written, and is none before.
    pub(super) declares: bool,
}

/// What stands for a local cell.
#[derive(Clone, Debug)]
pub(super) enum LocalValue {
    Int(i32),
    /// A term, in brackets if it needs them.
    Text(String),
}

impl Env {
    pub(super) fn with(&self, local: u32, value: LocalValue) -> Self {
        let mut env = self.clone();
        env.values.insert(local, value);
        env
    }

    /// The variable that a local cell is part of, and the number of the cell in it.
    pub(super) fn local(&self, slot: u32) -> Option<(&CellRange, usize)> {
        let (&first, run) = self.locals.range(..=slot).next_back()?;
        let number = (slot - first) as usize;
        (number < run.size).then_some((run, number))
    }
}

impl Writer<'_, '_> {
    /// The value of an expression, if it depends on nothing.
    pub(super) fn constant(&self, expr: ExprId, env: &Env) -> Option<i32> {
        match &self.model.exprs[expr].kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Load(CellPlace { root: Root::Local(slot), offset, indices, .. })
                if indices.is_empty() =>
            {
                match env.values.get(&(slot + offset))? {
                    LocalValue::Int(value) => Some(*value),
                    LocalValue::Text(_) => None,
                }
            }
            ExprKind::Load(CellPlace { root: Root::Global(first), offset, indices, .. }) => {
                let mut cell = first.index() + *offset as usize;
                for step in indices {
                    let value = self.constant(step.index, env).filter(|value| step.range.contains(*value))?;
                    cell += (i64::from(value) - i64::from(step.range.min)) as usize * step.stride as usize;
                }
                self.constant_cell(cell)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.constant(*operand, env)?;
                match op {
                    UnaryOp::Negate => value.checked_neg(),
                    UnaryOp::Not => Some(i32::from(value == 0)),
                    UnaryOp::Absolute => value.checked_abs(),
                    UnaryOp::Truth => Some(i32::from(value != 0)),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant(*left, env), self.constant(*right, env));
                match (op, left, right) {
                    (BinaryOp::And, Some(0), _) => return Some(0),
                    (BinaryOp::Or, Some(value), _) if value != 0 => return Some(1),
                    _ => {}
                }
                compute(*op, left?, right?)
            }
            ExprKind::Conditional(condition, yes, no) => match self.constant(*condition, env)? {
                0 => self.constant(*no, env),
                _ => self.constant(*yes, env),
            },
            _ => None,
        }
    }

    pub(super) fn limited(&mut self, expr: ExprId, text: String) -> Option<String> {
        if text.len() <= LENGTH_MAX {
            return Some(text);
        }
        let message = format!("this expression would take more than {LENGTH_MAX} characters");
        let span = self.model.exprs[expr].span;
        self.out.push(Diagnostic::error(codes::TOO_LARGE_TO_WRITE, span, message));
        None
    }

    /// A term that can stand next to any operator.
    pub(super) fn operand(&mut self, expr: ExprId, env: &Env) -> Option<String> {
        self.within(expr, 3, env)
    }

    /// A term that can stand next to operators that bind so tightly: 1 for sums, 2 for products, 3 for signs.
    fn within(&mut self, expr: ExprId, tightness: u32, env: &Env) -> Option<String> {
        let text = self.term(expr, env)?;
        let own = match self.model.exprs[expr].kind {
            ExprKind::Binary(op, ..) => self::tightness(op),
            ExprKind::Quantifier { op: QuantifierOp::Sum, .. } | ExprKind::Call { .. } => 1,
            _ => 3,
        };
        Some(if own < tightness { format!("({text})") } else { text })
    }

    pub(super) fn term(&mut self, expr: ExprId, env: &Env) -> Option<String> {
        let (kind, span) = (&self.model.exprs[expr].kind, self.model.exprs[expr].span);
        let text = match kind {
            ExprKind::Int(value) => number(*value),
            ExprKind::Load(place) => self.place(place, 0, env, expr)?,
            ExprKind::Unary(UnaryOp::Negate, operand) => format!("-{}", self.operand(*operand, env)?),
            ExprKind::Unary(UnaryOp::Absolute, operand) => {
                let operand = self.operand(*operand, env)?;
                format!("(if {operand} < 0 then -{operand} else {operand})")
            }
            ExprKind::Binary(op @ (BinaryOp::Minimum | BinaryOp::Maximum), left, right) => {
                let (left, right) = (self.operand(*left, env)?, self.operand(*right, env)?);
                let (less, more) = match op {
                    BinaryOp::Minimum => (&left, &right),
                    _ => (&right, &left),
                };
                format!("(if {left} < {right} then {less} else {more})")
            }
            ExprKind::Binary(op, left, right) if is_arithmetic(*op) => {
                let Some(sign) = arithmetic_text(*op) else {
                    return self.refuse(span, "an operation on bits");
                };
                let tightness = tightness(*op);
                let left = self.within(*left, tightness, env)?;
                format!("{left} {sign} {}", self.within(*right, tightness + 1, env)?)
            }
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.condition(*condition, env)?.join(" && ");
                format!("(if {condition} then {} else {})", self.term(*yes, env)?, self.term(*no, env)?)
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let left = self.condition(*left, env)?.join(" && ");
                let right = self.condition(*right, env)?.join(" && ");
                format!("(if {left} then 1 else (if {right} then 1 else 0))")
            }
            ExprKind::Quantifier {
                op: op @ (QuantifierOp::Sum | QuantifierOp::Exists),
                local,
                range,
                body,
            } => self.written_out(expr, *op, *local, *range, *body, env)?,
            ExprKind::Call { function, arguments } => self.result(*function, arguments, env, expr)?,
            ExprKind::Binary(..)
            | ExprKind::Unary(..)
            | ExprKind::SameCells { .. }
            | ExprKind::Quantifier { .. } => {
                let condition = self.condition(expr, env)?.join(" && ");
                format!("(if {condition} then 1 else 0)")
            }
            ExprKind::Clock(_) => {
                return self.refuse(span, "a comparison of clocks that is part of a larger condition");
            }
            ExprKind::AtLocation(..) => return self.refuse(span, "a condition on the location of a process"),
            ExprKind::Deadlock => return self.refuse(span, "a condition on deadlocks"),
            ExprKind::CallInto { .. } => return self.refuse(span, "a function that returns several values"),
            ExprKind::Assign { .. }
            | ExprKind::PostIncrement { .. }
            | ExprKind::Copy { .. }
            | ExprKind::SetClock { .. }
            | ExprKind::Sequence(_) => return self.refuse(span, "an assignment inside an expression"),
        };
        self.limited(expr, text)
    }

    /// Conditions that must all hold.
    pub(super) fn condition(&mut self, expr: ExprId, env: &Env) -> Option<Vec<String>> {
        match &self.model.exprs[expr].kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let mut parts = self.condition(*left, env)?;
                parts.extend(self.condition(*right, env)?);
                Some(parts)
            }
            ExprKind::Binary(op, left, right) if comparison_text(*op).is_some() => {
                let sign = comparison_text(*op)?;
                let text = format!("{} {sign} {}", self.term(*left, env)?, self.term(*right, env)?);
                Some(vec![self.limited(expr, text)?])
            }
            ExprKind::Unary(UnaryOp::Truth, operand) => self.condition(*operand, env),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let inner = &self.model.exprs[*operand].kind;
                let text = match inner {
                    ExprKind::Binary(op, ..) if comparison_text(*op).is_some() => {
                        format!("!({})", self.condition(*operand, env)?.join(" && "))
                    }
                    ExprKind::Unary(UnaryOp::Not, _) => {
                        format!("!{}", self.condition(*operand, env)?.join(" && "))
                    }
                    _ => format!("!{}", self.operand(*operand, env)?),
                };
                Some(vec![text])
            }
            ExprKind::Quantifier { op: QuantifierOp::ForAll, local, range, body } => {
                let mut parts = Vec::new();
                let mut length = 0;
                for value in range.values() {
                    let more = self.condition(*body, &env.with(*local, LocalValue::Int(value)))?;
                    length += more.iter().map(|part| part.len() + 4).sum::<usize>();
                    parts.extend(more);
                    if length > LENGTH_MAX {
                        self.limited(expr, " ".repeat(LENGTH_MAX + 1))?;
                    }
                }
                Some(parts)
            }
            ExprKind::SameCells { left, right, count } => (0..*count)
                .map(|cell| {
                    let left = self.place(left, cell, env, expr)?;
                    Some(format!("{left} == {}", self.place(right, cell, env, expr)?))
                })
                .collect(),
            _ => Some(vec![self.term(expr, env)?]),
        }
    }

    /// A quantifier with its body once for each value.
    fn written_out(
        &mut self,
        expr: ExprId,
        op: QuantifierOp,
        local: u32,
        range: Range,
        body: ExprId,
        env: &Env,
    ) -> Option<String> {
        let mut text = String::new();
        for value in range.values() {
            let env = env.with(local, LocalValue::Int(value));
            match op {
                QuantifierOp::Sum => {
                    text.push_str(if text.is_empty() { "" } else { " + " });
                    text.push_str(&self.operand(body, &env)?);
                }
                _ => {
                    let condition = self.condition(body, &env)?.join(" && ");
                    text.push_str(&format!("(if {condition} then 1 else "));
                }
            }
            text = self.limited(expr, text)?;
        }
        if op == QuantifierOp::Exists {
            text.push('0');
            text.push_str(&")".repeat(usize::try_from(range.len()).unwrap_or(0)));
        }
        Some(text)
    }

    /// What a function returns that does nothing else.
    fn result(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        env: &Env,
        expr: ExprId,
    ) -> Option<String> {
        let called = &self.model.functions[function];
        let span = self.model.exprs[expr].span;
        let [Stmt::Return(Some(value))] = called.body.as_slice() else {
            return self.refuse(span, format_args!("the value of the function `{}`", called.name));
        };
        let env = self.arguments(function, arguments, env, expr)?;
        self.depth += 1;
        let text = if self.depth > CALLS_MAX {
            self.refuse(span, "so deeply nested calls")
        } else {
            self.term(*value, &env)
        };
        self.depth -= 1;
        text
    }

    /// The frame of a function that is called with these.
    pub(super) fn arguments(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        env: &Env,
        expr: ExprId,
    ) -> Option<Env> {
        let mut frame = Env::default();
        for (slot, argument) in (0..).zip(arguments) {
            let value = match argument {
                Argument::Value(value) => match self.constant(*value, env) {
                    Some(value) => LocalValue::Int(value),
                    None => LocalValue::Text(self.operand(*value, env)?),
                },
                _ => {
                    let name = &self.model.functions[function].name;
                    let what = format!("an array, record or reference as argument of `{name}`");
                    return self.refuse(self.model.exprs[expr].span, what);
                }
            };
            frame.values.insert(slot, value);
        }
        Some(frame)
    }

    /// A comparison of clocks.
    pub(super) fn atom(&mut self, atom: &ClockAtom, env: &Env) -> Option<String> {
        let left = self.clock(&atom.left, env, atom.bound)?;
        let right = match &atom.right {
            Some(right) => format!(" - {}", self.clock(right, env, atom.bound)?),
            None => String::new(),
        };
        Some(format!("{left}{right} {} {}", atom.compare.text(), self.term(atom.bound, env)?))
    }
}

/// A number as a term that can stand next to an operator.
pub(super) fn number(value: i32) -> String {
    // The smallest has no literal.
    if value == i32::MIN { "(-2147483647 - 1)".to_owned() } else { value.to_string() }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Add | Subtract | Multiply | Divide | Remainder | ShiftLeft | ShiftRight | BitAnd | BitOr | BitXor
    )
}

/// How tightly an operator binds: 1 for sums, 2 for products. What becomes a conditional term has brackets
/// anyway.
fn tightness(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Add | BinaryOp::Subtract => 1,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 2,
        _ => 3,
    }
}

pub(super) fn arithmetic_text(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        _ => return None,
    })
}

fn comparison_text(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Less => "<",
        BinaryOp::LessOrEqual => "<=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        _ => return None,
    })
}

fn compute(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Subtract => left.checked_sub(right)?,
        BinaryOp::Multiply => left.checked_mul(right)?,
        BinaryOp::Divide => left.checked_div(right)?,
        BinaryOp::Remainder => left.checked_rem(right)?,
        BinaryOp::Minimum => left.min(right),
        BinaryOp::Maximum => left.max(right),
        BinaryOp::Less => i32::from(left < right),
        BinaryOp::LessOrEqual => i32::from(left <= right),
        BinaryOp::Equal => i32::from(left == right),
        BinaryOp::NotEqual => i32::from(left != right),
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::Or => i32::from(left != 0 || right != 0),
        _ => return None,
    })
}
