//! Static facts about every expression, computed before code generation.
//!
//! Operands precede the expressions that use them, so one pass over the arena determines for each expression whether it
//! is constant, whether it has effects, and which local cells it uses. Folding uses the interpreter for calls and
//! quantifiers that depend only on constants, within a fixed amount of work, so that loading a model never takes long
//! and always gives the same code. An expression that fails is not folded: it must fail when it is evaluated, and only
//! then.

use tourbillon_base::{Id, IdVec};
use tourbillon_model::{
    Argument, BinaryOp, CellKind, CellPlace, Evaluator, ExprId, ExprKind, Frame, FunctionId, IndexStep,
    Model, Root, Type,
};

use super::arith;

/// The maximum number of operations for folding one expression, and all expressions.
const FUEL_OF_ONE: u64 = 1 << 16;
const FUEL_OF_ALL: u64 = 1 << 24;

/// The local cells that an expression uses.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct CellExtent {
    /// All of them are below this.
    pub(super) cells: u32,
    /// Whether some may be written.
    pub(super) written: bool,
}

impl CellExtent {
    pub(super) fn and(self, other: Self) -> Self {
        Self { cells: self.cells.max(other.cells), written: self.written || other.written }
    }
}

/// The facts about every expression of a model.
#[derive(Debug)]
pub(super) struct Facts {
    constants: IdVec<ExprId, Option<i32>>,
    effects: IdVec<ExprId, bool>,
    extents: IdVec<ExprId, CellExtent>,
}

impl Facts {
    pub(super) fn of(model: &Model) -> Self {
        let initial = model.cells.iter().map(|cell| cell.initial).collect();
        let facts = Self { constants: IdVec::new(), effects: IdVec::new(), extents: IdVec::new() };
        let mut finder = LocalCellFinder { model, facts, cells: initial, fuel: FUEL_OF_ALL };
        for expr in model.exprs.ids() {
            finder.find(expr);
        }
        finder.facts
    }

    /// The value, if it is the same whenever the expression is evaluated.
    pub(super) fn constant(&self, expr: ExprId) -> Option<i32> {
        self.constants[expr]
    }

    /// Whether evaluation may change a cell.
    pub(super) fn has_effects(&self, expr: ExprId) -> bool {
        self.effects[expr]
    }

    pub(super) fn extent(&self, expr: ExprId) -> CellExtent {
        self.extents[expr]
    }
}

struct LocalCellFinder<'m> {
    model: &'m Model,
    facts: Facts,
    /// Initial values, of which only constants are used.
    cells: Vec<i32>,
    fuel: u64,
}

impl LocalCellFinder<'_> {
    fn find(&mut self, expr: ExprId) {
        let kind = &self.model.exprs[expr].kind;
        let (mut effects, mut extent) = (changes(kind), own_extent(self.model, kind));
        kind.for_each_operand(&mut |operand| {
            effects |= self.facts.effects[operand];
            extent = extent.and(self.facts.extents[operand]);
        });
        self.facts.effects.push(effects);
        self.facts.extents.push(extent);
        let constant = self.fold(expr, kind);
        self.facts.constants.push(constant);
    }

    fn fold(&mut self, expr: ExprId, kind: &ExprKind) -> Option<i32> {
        let known = |expr: ExprId| self.facts.constants[expr];
        match *kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::Load(ref place) => self.cell(place),
            ExprKind::Unary(op, operand) => arith::unary(op, known(operand)?, self.model.overflow).ok(),
            ExprKind::Binary(BinaryOp::And, left, _) if known(left) == Some(0) => Some(0),
            ExprKind::Binary(BinaryOp::Or, left, _) if known(left).is_some_and(|value| value != 0) => Some(1),
            ExprKind::Binary(op, left, right) => {
                arith::folded(op, known(left)?, known(right)?, self.model.overflow).ok()
            }
            ExprKind::Conditional(condition, yes, no) => known(if known(condition)? != 0 { yes } else { no }),
            ExprKind::Quantifier { .. } | ExprKind::Call { .. } | ExprKind::SameCells { .. } => {
                self.evaluate(expr)
            }
            _ => None,
        }
    }

    /// The value of a constant cell at a fixed address.
    fn cell(&self, place: &CellPlace) -> Option<i32> {
        let Root::Global(cell) = place.root else { return None };
        let steps = place.indices.iter().try_fold(0, |sum, step| {
            let index = self.facts.constants[step.index].filter(|&index| step.range.contains(index))?;
            Some(sum + index.abs_diff(step.range.min) as usize * step.stride as usize)
        })?;
        let constant = self.model.cells[cell].kind == CellKind::Constant;
        constant.then(|| self.cells[cell.index() + place.offset as usize + steps])
    }

    fn evaluate(&mut self, expr: ExprId) -> Option<i32> {
        if !is_closed(self.model, expr, &mut Vec::new()) {
            return None;
        }
        let fuel = self.fuel.min(FUEL_OF_ONE);
        let mut evaluator =
            Evaluator { model: self.model, cells: &mut self.cells, environment: &mut (), fuel };
        let value = evaluator.value(expr, &mut Frame::new(self.facts.extents[expr].cells));
        self.fuel -= fuel - evaluator.fuel;
        value.ok()
    }
}

/// Whether an expression depends only on constants and on the local cells that enclosing quantifiers bind.
fn is_closed(model: &Model, expr: ExprId, filled: &mut Vec<u32>) -> bool {
    let kind = &model.exprs[expr].kind;
    let fixed = |place: &CellPlace| match place.root {
        Root::Global(cell) => model.cells[cell].kind == CellKind::Constant,
        Root::Local(slot) => filled.contains(&slot) && place.offset == 0 && place.indices.is_empty(),
        Root::Reference(_) => false,
    };
    let itself = match kind {
        ExprKind::Load(place) => fixed(place),
        ExprKind::SameCells { left, right, .. } => fixed(left) && fixed(right),
        ExprKind::Call { function, arguments } => {
            model.functions[*function].is_pure
                && arguments.iter().all(|argument| match argument {
                    Argument::Value(_) => true,
                    Argument::Cells(place) | Argument::Reference(place) => fixed(place),
                    Argument::Clock(_) => false,
                })
        }
        ExprKind::AtLocation(..) | ExprKind::Deadlock | ExprKind::Clock(_) | ExprKind::SetClock { .. } => {
            false
        }
        _ => !changes(kind) || matches!(kind, ExprKind::Quantifier { .. }),
    };
    let before = filled.len();
    if let ExprKind::Quantifier { local, .. } = kind {
        filled.push(*local);
    }
    let mut closed = itself;
    kind.for_each_operand(&mut |operand| closed = closed && is_closed(model, operand, filled));
    filled.truncate(before);
    closed
}

/// Whether the expression itself, without its operands, may change a cell.
fn changes(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Assign { .. }
            | ExprKind::PostIncrement { .. }
            | ExprKind::Copy { .. }
            | ExprKind::SetClock { .. }
            | ExprKind::Call { .. }
            | ExprKind::CallInto { .. }
            | ExprKind::Quantifier { .. }
    )
}

fn own_extent(model: &Model, kind: &ExprKind) -> CellExtent {
    let run = |place: &CellPlace, count: u32, written: bool| reach(place, count.into(), written);
    match kind {
        ExprKind::Load(place) => run(place, 1, false),
        ExprKind::Assign { target, .. } | ExprKind::PostIncrement { target, .. } => run(target, 1, true),
        ExprKind::Copy { target, source, count } => run(target, *count, true).and(run(source, *count, false)),
        ExprKind::SameCells { left, right, count } => run(left, *count, false).and(run(right, *count, false)),
        ExprKind::Quantifier { local, .. } => cells((*local).into(), 1, true),
        ExprKind::Call { function, arguments } => of_arguments(model, *function, arguments),
        ExprKind::CallInto { function, arguments, local } => {
            let size = model.functions[*function].returns.as_ref().map_or(0, Type::size);
            of_arguments(model, *function, arguments).and(cells((*local).into(), size, true))
        }
        _ => CellExtent::default(),
    }
}

fn of_arguments(model: &Model, function: FunctionId, arguments: &[Argument]) -> CellExtent {
    let parameters = &model.functions[function].parameters;
    let each = parameters.iter().zip(arguments).map(|(parameter, argument)| match argument {
        Argument::Value(_) | Argument::Clock(_) => CellExtent::default(),
        Argument::Cells(place) => reach(place, parameter.ty.size(), false),
        Argument::Reference(place) => reach(place, parameter.ty.size(), true),
    });
    each.fold(CellExtent::default(), CellExtent::and)
}

/// The local cells of a range that begins at an address.
fn reach(place: &CellPlace, count: u64, written: bool) -> CellExtent {
    let Root::Local(slot) = place.root else { return CellExtent::default() };
    let step = |step: &IndexStep| (step.range.len() - 1).saturating_mul(step.stride.into());
    let steps = place.indices.iter().map(step).fold(0, u64::saturating_add);
    cells(u64::from(slot) + u64::from(place.offset), steps.saturating_add(count), written)
}

fn cells(first: u64, count: u64, written: bool) -> CellExtent {
    CellExtent { cells: u32::try_from(first.saturating_add(count)).unwrap_or(u32::MAX), written }
}
