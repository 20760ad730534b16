//! Interval analysis of integer expressions, from declared ranges.
//!
//! A clock may be compared with an expression that is not constant, as in `x < n`, `x <= a[i]` or `x < f(3)`, and may
//! be one of several, as in `c[i]`. The clock bounds then need the largest possible value, and the possible clocks.
//! Intervals are enough for that: they are never empty, follow the expression once from its leaves up, and are exact on
//! constants. Arithmetic is done in 64 bits and cut off at 32: a result past 32 bits is an error of the model where it
//! is computed, so no state ever sees it. Where results wrap instead, an operation of which one can pass 32 bits has
//! the whole range of them.
//!
//! What is known of leaves: a constant cell has its value, another cell its declared range, a selection or
//! quantified name its range (or one value of it, where cases are distinguished), a call with known arguments of
//! a function that depends on nothing else its result, any other call the range of its type. An array read at
//! an index gives the hull of the elements that the index can reach.
//!
//! Invariant: every value that an expression can have in any reachable state lies in its range.

use tourbillon_base::Id;
use tourbillon_model::{
    Argument, AssignOp, BinaryOp, CellId, CellKind, CellPlace, ClockId, ClockPlace, ExprId, ExprKind,
    IndexStep, Model, Overflow, QuantifierOp, Range, Root, Type, UnaryOp,
};

/// The maximum number of cases of selections, quantifiers and loops that are distinguished; beyond it, whole ranges are
/// used.
pub(super) const CASES_MAX: u64 = 256;

/// The possible values of an integer expression, by the declared ranges of its operands, clamped to 32 bits. Local
/// cells have the ranges of their declarations; truth values are 0 and 1.
#[must_use]
pub fn value_range(model: &Model, expr: ExprId) -> Range {
    Context::new(model).value(expr)
}

/// Whether the result of an expression's own operation may exceed 32 bits, by the declared ranges of its operands. The
/// operands themselves are not considered.
///
/// ```
/// use tourbillon_base::{Id, SourceId, Span};
/// use tourbillon_model::{BinaryOp, Expr, ExprKind, Language, Model};
/// use tourbillon_system::may_pass_32_bits;
///
/// let mut model = Model::new("m", Language::Uppaal);
/// let span = Span::new(SourceId::from_index(0), 0, 0);
/// let one = model.exprs.push(Expr { kind: ExprKind::Int(1), span });
/// let large = model.exprs.push(Expr { kind: ExprKind::Int(i32::MAX), span });
/// let mut sum = |right| model.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::Add, one, right), span });
/// let (two, past) = (sum(one), sum(large));
/// assert!(!may_pass_32_bits(&model, two) && may_pass_32_bits(&model, past));
/// ```
#[must_use]
pub fn may_pass_32_bits(model: &Model, expr: ExprId) -> bool {
    let context = Context { as_declared: true, ..Context::new(model) };
    let wide = match &model.exprs[expr].kind {
        ExprKind::Unary(op, operand) => wide_unary(*op, context.value(*operand)),
        ExprKind::Binary(op, left, right) => wide_binary(*op, context.value(*left), context.value(*right)),
        ExprKind::Quantifier { op: QuantifierOp::Sum, local, range, body } => {
            let body = context.with_local(*local, *range).value(*body);
            context.exact(expr).is_none().then(|| wide_sum(range.len(), body))
        }
        ExprKind::Assign { op: AssignOp::With(op), target, value } => {
            wide_binary(*op, context.cells(target, 1), context.value(*value))
        }
        ExprKind::PostIncrement { target, delta } => {
            wide_binary(BinaryOp::Add, context.cells(target, 1), single(*delta))
        }
        _ => None,
    };
    wide.is_some_and(|wide| !wide.fits())
}

/// The context of an expression.
#[derive(Clone)]
pub(super) struct Context<'m> {
    pub(super) model: &'m Model,
    /// Known ranges of local cells: selections, quantified names, loop counters. No expression writes them.
    locals: Vec<(u32, Range)>,
    /// The targets of the references of a function.
    references: Vec<Referent>,
    /// The number of cases of which this is one.
    cases: u64,
    /// Whether unknown references have the ranges of their types, and not arbitrary values.
    as_declared: bool,
}

/// The possible target of a reference of a function.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Referent {
    /// Cells with these values.
    Cells(Range),
    /// One of these clocks, or several from it on.
    Clocks(Vec<ClockId>),
}

impl<'m> Context<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model, locals: Vec::new(), references: Vec::new(), cases: 1, as_declared: false }
    }

    /// The context of a function body with these references.
    pub(super) fn of_function(model: &'m Model, references: Vec<Referent>) -> Self {
        Self { references, ..Self::new(model) }
    }

    pub(super) fn with_local(&self, local: u32, range: Range) -> Self {
        let mut inner = self.clone();
        inner.locals.retain(|&(slot, _)| slot != local);
        inner.locals.push((local, range));
        inner
    }

    /// One context for each value of a local cell; `None` if there are too many.
    pub(super) fn each(&self, local: u32, range: Range) -> Option<Vec<Self>> {
        let cases = self.cases.saturating_mul(range.len());
        let case = |value| Self { cases, ..self.with_local(local, single(value)) };
        (cases <= CASES_MAX).then(|| range.values().map(case).collect())
    }

    /// As [`Self::each`], or one context with the whole range.
    pub(super) fn cases(&self, local: u32, range: Range) -> Vec<Self> {
        self.each(local, range).unwrap_or_else(|| vec![self.with_local(local, range)])
    }

    /// The truth of an expression, if it is certain.
    pub(super) fn truth(&self, expr: ExprId) -> Option<bool> {
        truth(self.value(expr))
    }

    /// The possible values of an expression.
    pub(super) fn value(&self, expr: ExprId) -> Range {
        match &self.model.exprs[expr].kind {
            ExprKind::Int(value) => single(*value),
            ExprKind::Load(place) | ExprKind::PostIncrement { target: place, .. } => self.cells(place, 1),
            ExprKind::AtLocation(..)
            | ExprKind::Deadlock
            | ExprKind::Clock(_)
            | ExprKind::SameCells { .. } => Range::BOOL,
            ExprKind::Unary(op, operand) => unary(*op, self.value(*operand), self.model.overflow),
            ExprKind::Binary(op, left, right) => {
                binary(*op, self.value(*left), self.value(*right), self.model.overflow)
            }
            ExprKind::Conditional(condition, yes, no) => match self.truth(*condition) {
                Some(true) => self.value(*yes),
                Some(false) => self.value(*no),
                None => self.value(*yes).hull(self.value(*no)),
            },
            ExprKind::Quantifier { op, local, range, body } => self.exact(expr).unwrap_or_else(|| {
                let body = self.with_local(*local, *range).value(*body);
                quantifier(*op, range.len(), body, self.model.overflow)
            }),
            ExprKind::Call { function, .. } => self.exact(expr).unwrap_or_else(|| {
                let returns = &self.model.functions[*function].returns;
                returns.as_ref().map_or(single(0), |ty| ty.range().unwrap_or(Range::INT32))
            }),
            ExprKind::Assign { op: AssignOp::Set, target, value } => {
                let value = self.value(*value);
                intersection(value, target.range).unwrap_or(target.range)
            }
            ExprKind::Assign { target, .. } => target.range,
            ExprKind::CallInto { .. } | ExprKind::Copy { .. } | ExprKind::SetClock { .. } => single(0),
            ExprKind::Sequence(parts) => parts.last().map_or(single(0), |&last| self.value(last)),
        }
    }

    /// The possible values of this many cells from a cell on.
    pub(super) fn cells(&self, place: &CellPlace, count: usize) -> Range {
        match place.root {
            Root::Global(first) => {
                let firsts = self.distances(&place.indices);
                let cells = firsts.into_iter().flat_map(|distance| {
                    let start = first.index() + place.offset as usize + distance;
                    start..start + count
                });
                cells.map(|cell| self.cell(cell)).reduce(Range::hull).unwrap_or(place.range)
            }
            Root::Local(slot) => {
                let known = self.locals.iter().find(|&&(local, _)| local == slot + place.offset);
                known.filter(|_| place.indices.is_empty()).map_or(place.range, |&(_, range)| range)
            }
            Root::Reference(number) => match self.references.get(number as usize) {
                // Writes of the function itself are checked against the parameter's type.
                Some(Referent::Cells(range)) => range.hull(place.range),
                None if self.as_declared => place.range,
                Some(Referent::Clocks(_)) | None => Range::INT32,
            },
        }
    }

    fn cell(&self, index: usize) -> Range {
        let cell = &self.model.cells[CellId::from_index(index)];
        if cell.kind == CellKind::Constant { single(cell.initial) } else { cell.range }
    }

    /// The possible clocks of a clock expression, in order; empty if every index is outside its range.
    pub(super) fn clocks(&self, place: &ClockPlace) -> Vec<ClockId> {
        let roots = match &place.root {
            Root::Global(clock) => std::slice::from_ref(clock),
            Root::Reference(number) => match self.references.get(*number as usize) {
                Some(Referent::Clocks(clocks)) => clocks,
                Some(Referent::Cells(_)) | None => unreachable!("a clock parameter is passed clocks"),
            },
            Root::Local(_) => unreachable!("clocks are never local"),
        };
        let distances = self.distances(&place.indices);
        let place = |root: &ClockId, distance| root.index() + place.offset as usize + distance;
        let mut clocks: Vec<ClockId> = roots
            .iter()
            .flat_map(|root| {
                distances.iter().map(move |&distance| ClockId::from_index(place(root, distance)))
            })
            .collect();
        clocks.sort_unstable();
        clocks.dedup();
        clocks
    }

    /// The possible offsets of indices.
    fn distances(&self, indices: &[IndexStep]) -> Vec<usize> {
        indices.iter().fold(vec![0], |before, step| {
            let Some(reach) = intersection(self.value(step.index), step.range) else { return Vec::new() };
            let first = (i64::from(reach.min) - i64::from(step.range.min)) as usize;
            let steps = first..first + reach.len() as usize;
            let along = |distance: usize| steps.clone().map(move |step_count| (distance, step_count));
            before.into_iter().flat_map(along).map(|(d, n)| d + n * step.stride as usize).collect()
        })
    }

    /// The target of a reference parameter with this argument.
    pub(super) fn referent(&self, argument: &Argument, ty: &Type) -> Option<Referent> {
        match argument {
            Argument::Reference(place) => Some(Referent::Cells(self.cells(place, ty.size() as usize))),
            Argument::Clock(place) => Some(Referent::Clocks(self.clocks(place))),
            Argument::Value(_) | Argument::Cells(_) => None,
        }
    }

    /// The value of an expression that depends only on constants, including function calls.
    fn exact(&self, expr: ExprId) -> Option<Range> {
        let mut frame = 0;
        if !self.is_closed(expr, &mut Vec::new(), &mut frame) {
            return None;
        }
        self.model.constant(expr, 0..frame).ok().map(single)
    }

    /// Whether an expression uses only local cells that its own quantifiers bind; `frame` becomes the number of cells
    /// that it needs.
    fn is_closed(&self, expr: ExprId, filled: &mut Vec<u32>, frame: &mut u32) -> bool {
        let kind = &self.model.exprs[expr].kind;
        let local = |place: &CellPlace| matches!(place.root, Root::Local(_));
        let own = match kind {
            ExprKind::Load(CellPlace { root: Root::Local(slot), offset: 0, indices, .. }) => {
                indices.is_empty() && filled.contains(slot)
            }
            ExprKind::Load(place) => !local(place),
            ExprKind::Assign { .. }
            | ExprKind::PostIncrement { .. }
            | ExprKind::Copy { .. }
            | ExprKind::CallInto { .. } => false,
            ExprKind::SameCells { left, right, .. } => !local(left) && !local(right),
            ExprKind::Call { arguments, .. } => arguments.iter().all(|argument| match argument {
                Argument::Cells(place) | Argument::Reference(place) => !local(place),
                Argument::Value(_) | Argument::Clock(_) => true,
            }),
            _ => true,
        };
        if let ExprKind::Quantifier { local, .. } = kind {
            filled.push(*local);
            *frame = (*frame).max(local + 1);
        }
        let mut closed = own;
        kind.for_each_operand(&mut |operand| closed = closed && self.is_closed(operand, filled, frame));
        if matches!(kind, ExprKind::Quantifier { .. }) {
            filled.pop();
        }
        closed
    }
}

fn single(value: i32) -> Range {
    Range { min: value, max: value }
}

fn intersection(left: Range, right: Range) -> Option<Range> {
    Range::new(left.min.max(right.min), left.max.min(right.max))
}

fn truth(range: Range) -> Option<bool> {
    match range {
        Range { min: 0, max: 0 } => Some(false),
        range => (!range.contains(0)).then_some(true),
    }
}

/// The range of a truth value that is known or not.
fn decided(value: Option<bool>) -> Range {
    value.map_or(Range::BOOL, |value| single(value.into()))
}

/// An interval whose ends may exceed 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WideInterval {
    min: i64,
    max: i64,
}

impl WideInterval {
    /// The least interval with all of these values; `None` if there are none.
    fn hull(values: impl IntoIterator<Item = i64>) -> Option<Self> {
        let each = values.into_iter().map(|value| Self { min: value, max: value });
        each.reduce(|one, other| Self { min: one.min.min(other.min), max: one.max.max(other.max) })
    }

    fn fits(self) -> bool {
        i64::from(i32::MIN) <= self.min && self.max <= i64::from(i32::MAX)
    }

    /// The part of it in 32 bits.
    fn narrow(self, overflow: Overflow) -> Range {
        let cut = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        match overflow {
            Overflow::Wrap if !self.fits() => Range::INT32,
            Overflow::Wrap | Overflow::Error => Range { min: cut(self.min), max: cut(self.max) },
        }
    }
}

/// The least range with all of these values, each clamped to 32 bits.
fn hull_of(values: impl IntoIterator<Item = i64>) -> Range {
    WideInterval::hull(values).map_or(Range::INT32, |wide| wide.narrow(Overflow::Error))
}

/// The results of an operator that may exceed 32 bits, without clamping; `None` for other operators.
fn wide_unary(op: UnaryOp, range: Range) -> Option<WideInterval> {
    let (min, max) = (i64::from(range.min), i64::from(range.max));
    match op {
        UnaryOp::Negate => WideInterval::hull([-min, -max]),
        UnaryOp::Absolute if range.contains(0) => WideInterval::hull([0, min.abs(), max.abs()]),
        UnaryOp::Absolute => WideInterval::hull([min.abs(), max.abs()]),
        UnaryOp::Not | UnaryOp::Truth => None,
    }
}

fn unary(op: UnaryOp, range: Range, overflow: Overflow) -> Range {
    match (op, wide_unary(op, range)) {
        (_, Some(wide)) => wide.narrow(overflow),
        (UnaryOp::Not, None) => decided(truth(range).map(|value| !value)),
        (_, None) => decided(truth(range)),
    }
}

/// The sum of this many values, without clamping.
fn wide_sum(count: u64, body: Range) -> WideInterval {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let [min, max] = [body.min, body.max].map(|value| i64::from(value).saturating_mul(count));
    WideInterval { min, max }
}

fn quantifier(op: QuantifierOp, count: u64, body: Range, overflow: Overflow) -> Range {
    match op {
        QuantifierOp::ForAll | QuantifierOp::Exists => decided(truth(body)),
        QuantifierOp::Sum => wide_sum(count, body).narrow(overflow),
    }
}

/// As [`wide_unary`], for two operands; also `None` if there is no result.
fn wide_binary(op: BinaryOp, left: Range, right: Range) -> Option<WideInterval> {
    let corners = |apply: fn(i64, i64) -> i64, right: Range| {
        let ends = [left.min, left.max].map(i64::from);
        WideInterval::hull(ends.into_iter().flat_map(|a| [right.min, right.max].map(|b| apply(a, b.into()))))
    };
    match op {
        BinaryOp::Add => corners(|a, b| a + b, right),
        BinaryOp::Subtract => corners(|a, b| a - b, right),
        BinaryOp::Multiply => corners(|a, b| a * b, right),
        BinaryOp::Divide => {
            // Monotone in both operands on either side of zero.
            let sides =
                [(i32::MIN, -1), (1, i32::MAX)].map(|(min, max)| intersection(right, Range { min, max }));
            let parts = sides.into_iter().flatten().filter_map(|right| corners(|a, b| a / b, right));
            WideInterval::hull(parts.flat_map(|part| [part.min, part.max]))
        }
        BinaryOp::ShiftLeft => {
            intersection(right, Range { min: 0, max: 31 }).and_then(|by| corners(|a, b| a << b, by))
        }
        BinaryOp::ShiftRight => {
            intersection(right, Range { min: 0, max: 31 }).and_then(|by| corners(|a, b| a >> b, by))
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Range, right: Range, overflow: Overflow) -> Range {
    match op {
        BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => {
            wide_binary(op, left, right).map_or(Range::INT32, |wide| wide.narrow(overflow))
        }
        BinaryOp::Remainder => remainder(left, right),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => bits(op, left, right),
        BinaryOp::Minimum => Range { min: left.min.min(right.min), max: left.max.min(right.max) },
        BinaryOp::Maximum => Range { min: left.min.max(right.min), max: left.max.max(right.max) },
        BinaryOp::Less => compared(left.max < right.min, left.min >= right.max),
        BinaryOp::LessOrEqual => compared(left.max <= right.min, left.min > right.max),
        BinaryOp::Equal => equal(left, right),
        BinaryOp::NotEqual => unary(UnaryOp::Not, equal(left, right), overflow),
        BinaryOp::And => match (truth(left), truth(right)) {
            (Some(false), _) | (_, Some(false)) => single(0),
            (left, right) => decided(left.and(right)),
        },
        BinaryOp::Or => match (truth(left), truth(right)) {
            (Some(true), _) | (_, Some(true)) => single(1),
            (left, right) => decided(left.and(right)),
        },
    }
}

fn compared(always: bool, never: bool) -> Range {
    decided(if always { Some(true) } else { never.then_some(false) })
}

fn equal(left: Range, right: Range) -> Range {
    compared(left == right && left.min == left.max, intersection(left, right).is_none())
}

/// The sign is that of the dividend; the absolute value is below that of the divisor and, if that is no larger, that of
/// the dividend.
fn remainder(left: Range, right: Range) -> Range {
    if left.len() == 1 && right.len() == 1 {
        return BinaryOp::Remainder.apply(left.min, right.min, Overflow::Error).map_or(Range::INT32, single);
    }
    let most = [right.min, right.max].map(|value| i64::from(value).abs()).into_iter().max().unwrap_or(0) - 1;
    let most = most.max(0);
    hull_of([i64::from(left.min).clamp(-most, 0), i64::from(left.max).clamp(0, most)])
}

fn bits(op: BinaryOp, left: Range, right: Range) -> Range {
    if left.len() == 1 && right.len() == 1 {
        return op.apply(left.min, right.min, Overflow::Error).map_or(Range::INT32, single);
    }
    let not_negative = |range: Range| range.min >= 0;
    match op {
        BinaryOp::BitAnd if not_negative(left) && not_negative(right) => {
            Range { min: 0, max: left.max.min(right.max) }
        }
        BinaryOp::BitAnd if not_negative(left) => Range { min: 0, max: left.max },
        BinaryOp::BitAnd if not_negative(right) => Range { min: 0, max: right.max },
        _ => {
            // No operator sets a bit above those of its operands, except the sign.
            let used = |value: i32| 32 - if value < 0 { !value } else { value }.leading_zeros();
            let width = [left.min, left.max, right.min, right.max].map(used).into_iter().max().unwrap_or(31);
            let min = if not_negative(left) && not_negative(right) { 0 } else { -(1i64 << width) };
            hull_of([min, (1i64 << width) - 1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: &[BinaryOp] = &[
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::Divide,
        BinaryOp::Remainder,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Minimum,
        BinaryOp::Maximum,
        BinaryOp::Less,
        BinaryOp::LessOrEqual,
        BinaryOp::Equal,
        BinaryOp::NotEqual,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    fn small_ranges() -> Vec<Range> {
        (-5..=5).flat_map(|min| (min..=5).map(move |max| Range { min, max })).collect()
    }

    #[test]
    fn operators_stay_within_their_range_on_all_small_operands() {
        for &op in OPERATORS {
            for left in small_ranges() {
                for right in small_ranges() {
                    let range = binary(op, left, right, Overflow::Error);
                    assert_eq!(range, binary(op, left, right, Overflow::Wrap), "nothing is past 32 bits");
                    let pairs = left.values().flat_map(|a| right.values().map(move |b| (a, b)));
                    let values: Vec<i32> =
                        pairs.filter_map(|(a, b)| op.apply(a, b, Overflow::Error).ok()).collect();
                    assert!(
                        values.iter().all(|&v| range.contains(v)),
                        "{op:?} {left:?} {right:?}: {range:?}"
                    );
                    if left.len() == 1 && right.len() == 1 && !values.is_empty() {
                        assert_eq!(range, single(values[0]), "{op:?} {left:?} {right:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn ends_of_32_bits_are_within_the_range_whether_they_wrap_or_not() {
        let ends = [
            Range::INT32,
            single(i32::MIN),
            single(i32::MAX),
            single(-1),
            single(0),
            Range { min: i32::MIN, max: i32::MIN + 2 },
            Range { min: i32::MAX - 2, max: i32::MAX },
            Range { min: -2, max: 31 },
        ];
        let meanings = [Overflow::Error, Overflow::Wrap];
        let near = |range: Range| {
            let all = range.min.saturating_add(1)..=range.max.saturating_sub(1);
            [range.min, *all.start(), *all.end(), range.max].into_iter().filter(move |&v| range.contains(v))
        };
        for (&op, overflow) in OPERATORS.iter().flat_map(|op| meanings.map(|overflow| (op, overflow))) {
            for left in ends {
                for right in ends {
                    let range = binary(op, left, right, overflow);
                    let values = near(left).flat_map(|a| near(right).map(move |b| (a, b)));
                    for value in values.filter_map(|(a, b)| op.apply(a, b, overflow).ok()) {
                        assert!(
                            range.contains(value),
                            "{op:?} {left:?} {right:?} {overflow:?}: {range:?} {value}"
                        );
                    }
                }
            }
        }
        for (range, overflow) in ends.iter().flat_map(|&range| meanings.map(|overflow| (range, overflow))) {
            for op in [UnaryOp::Negate, UnaryOp::Absolute] {
                let result = unary(op, range, overflow);
                let mut values = near(range).filter_map(|value| op.apply(value, overflow).ok());
                assert!(values.all(|value| result.contains(value)), "{op:?} {range:?} {overflow:?}");
            }
        }
        assert_eq!(binary(BinaryOp::Add, Range::INT32, single(1), Overflow::Error).max, i32::MAX);
        assert_eq!(binary(BinaryOp::Add, single(i32::MAX), single(1), Overflow::Wrap), Range::INT32);
        assert_eq!(quantifier(QuantifierOp::Sum, 1 << 31, single(1), Overflow::Wrap), Range::INT32);
        assert_eq!(unary(UnaryOp::Negate, single(i32::MIN), Overflow::Error), single(i32::MAX));
        assert_eq!(
            unary(UnaryOp::Absolute, Range { min: i32::MIN, max: 3 }, Overflow::Error),
            Range { min: 0, max: i32::MAX }
        );
    }

    #[test]
    fn unary_operators_stay_within_their_range() {
        for op in [UnaryOp::Negate, UnaryOp::Not, UnaryOp::Absolute, UnaryOp::Truth] {
            for range in small_ranges() {
                let result = unary(op, range, Overflow::Error);
                let value = |value| op.apply(value, Overflow::Error).expect("small");
                assert!(range.values().all(|v| result.contains(value(v))), "{op:?} {range:?}");
            }
        }
    }
}
