//! What expressions read, and what they come to.
//!
//! [`reads`] is an over-approximation by syntax: an index that is not known reads the whole array. Expressions are evaluated by the
//! interpreter of the model.

use std::collections::BTreeSet;

use tourbillon_base::Id;
use tourbillon_model::{
    Argument, CellId, CellKind, CellPlace, ClockId, Compare, Environment, EvalError, Evaluator, Expr, ExprId,
    ExprKind, Frame, FunctionId, IndexStep, LocationId, Model, ProcessId, Root, Stmt,
};

/// How many operations an evaluation may take.
const FUEL: u64 = 1_000_000;

/// The local cells that are known: selections, and variables of quantifiers that are written out.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub(super) frame: Frame,
    pub(super) known: BTreeSet<u32>,
}

impl Scope {
    pub(super) fn new(size: u32) -> Self {
        Self { frame: Frame::new(size), known: BTreeSet::new() }
    }

    pub(super) fn set(&mut self, local: u32, value: i32) {
        self.frame.locals[local as usize] = value;
        self.known.insert(local);
    }
}

/// The clocks that updates reset, and whether they do something else with clocks.
#[derive(Default, Debug)]
pub(super) struct Resets {
    pub(super) clocks: BTreeSet<ClockId>,
    pub(super) others: bool,
}

impl Environment for Resets {
    fn at_location(&self, _: ProcessId, _: LocationId) -> Option<bool> {
        None
    }

    fn compares(&self, _: ClockId, _: Option<ClockId>, _: Compare, _: i32) -> Option<bool> {
        None
    }

    fn set_clock(&mut self, target: ClockId, source: Option<ClockId>, value: i32) -> bool {
        self.others |= source.is_some() || value != 0;
        self.clocks.insert(target);
        true
    }
}

/// The value of an expression.
pub(super) fn value(
    model: &Model,
    expr: ExprId,
    cells: &mut [i32],
    scope: &Scope,
    resets: &mut Resets,
) -> Result<i32, EvalError> {
    Evaluator { model, cells, environment: resets, fuel: FUEL }.value(expr, &mut scope.frame.clone())
}

/// The initial values of all cells.
pub(super) fn initial_cells(model: &Model) -> Vec<i32> {
    model.cells.iter().map(|cell| cell.initial).collect()
}

/// The value of an expression that depends on no state.
pub(super) fn fixed_value(model: &Model, expr: ExprId, scope: &Scope) -> Option<i32> {
    if !is_fixed(model, expr, scope) {
        return None;
    }
    value(model, expr, &mut initial_cells(model), scope, &mut Resets::default()).ok()
}

fn is_fixed(model: &Model, expr: ExprId, scope: &Scope) -> bool {
    let fixed = |&expr: &ExprId| is_fixed(model, expr, scope);
    match &model.exprs[expr].kind {
        ExprKind::Int(_) => true,
        ExprKind::Load(place) => {
            let is_known = match place.root {
                Root::Local(slot) => scope.known.contains(&slot) && place.offset == 0,
                Root::Global(cell) => model.cells[cell].kind == CellKind::Constant,
                Root::Reference(_) => false,
            };
            is_known && place.indices.iter().all(|step| fixed(&step.index))
        }
        ExprKind::Unary(_, operand) => fixed(operand),
        ExprKind::Binary(_, left, right) => fixed(left) && fixed(right),
        ExprKind::Conditional(condition, yes, no) => [condition, yes, no].into_iter().all(fixed),
        _ => false,
    }
}

/// The distance that indices add, if they depend on no state and are in range.
pub(super) fn fixed_offset(model: &Model, indices: &[IndexStep], scope: &Scope) -> Option<usize> {
    indices.iter().try_fold(0, |sum, step| {
        let index = fixed_value(model, step.index, scope).filter(|&index| step.range.contains(index))?;
        Some(sum + index.abs_diff(step.range.min) as usize * step.stride as usize)
    })
}

/// The cell of the state that a place means, if that depends on no state.
pub(super) fn fixed_cell(model: &Model, place: &CellPlace, scope: &Scope) -> Option<CellId> {
    let Root::Global(first) = place.root else { return None };
    let offset = fixed_offset(model, &place.indices, scope)?;
    let cell = CellId::from_index(first.index() + place.offset as usize + offset);
    (model.cells[cell].kind == CellKind::State).then_some(cell)
}

/// The cells of the state that expressions may read.
pub(super) fn reads(model: &Model, exprs: &[ExprId], scope: &Scope) -> BTreeSet<CellId> {
    let mut reader = Reader { model, cells: BTreeSet::new(), functions: BTreeSet::new() };
    exprs.iter().for_each(|&expr| reader.expr(expr, scope));
    reader.cells
}

struct Reader<'m> {
    model: &'m Model,
    cells: BTreeSet<CellId>,
    /// Those that were read already.
    functions: BTreeSet<FunctionId>,
}

impl Reader<'_> {
    fn expr(&mut self, id: ExprId, scope: &Scope) {
        let Expr { kind, .. } = &self.model.exprs[id];
        match kind {
            ExprKind::Load(place) | ExprKind::PostIncrement { target: place, .. } => {
                self.place(place, 1, scope);
            }
            ExprKind::Assign { op: tourbillon_model::AssignOp::With(_), target, .. } => {
                self.place(target, 1, scope);
            }
            ExprKind::Copy { source, count, .. } => self.place(source, *count, scope),
            ExprKind::SameCells { left, right, count } => {
                self.place(left, *count, scope);
                self.place(right, *count, scope);
            }
            ExprKind::Call { function, arguments } | ExprKind::CallInto { function, arguments, .. } => {
                self.call(*function, arguments, scope);
            }
            _ => {}
        }
        kind.for_each_operand(&mut |operand| self.expr(operand, scope));
    }

    fn place(&mut self, place: &CellPlace, count: u32, scope: &Scope) {
        let Root::Global(first) = place.root else { return };
        let mut starts = vec![first.index() + place.offset as usize];
        for step in &place.indices {
            let stride = step.stride as usize;
            let offsets = match fixed_value(self.model, step.index, scope) {
                Some(index) if step.range.contains(index) => {
                    vec![index.abs_diff(step.range.min) as usize * stride]
                }
                _ => (0..step.range.len() as usize).map(|index| index * stride).collect(),
            };
            starts =
                starts.iter().flat_map(|start| offsets.iter().map(move |offset| start + offset)).collect();
        }
        let cells = starts.iter().flat_map(|&start| start..start + count as usize).map(CellId::from_index);
        let model = self.model;
        self.cells
            .extend(cells.filter(|&cell| model.cells.get(cell).is_some_and(|it| it.kind == CellKind::State)));
    }

    fn call(&mut self, id: FunctionId, arguments: &[Argument], scope: &Scope) {
        let function = &self.model.functions[id];
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if let Argument::Cells(place) | Argument::Reference(place) = argument {
                self.place(place, parameter.ty.size() as u32, scope);
            }
        }
        if self.functions.insert(id) {
            self.block(&function.body);
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        // No local cell of a function is known.
        let scope = &Scope::default();
        for stmt in block {
            match stmt {
                Stmt::Expr(expr) | Stmt::Assert(expr) | Stmt::Return(Some(expr)) => self.expr(*expr, scope),
                Stmt::If { arms, otherwise } => {
                    for (condition, block) in arms {
                        self.expr(*condition, scope);
                        self.block(block);
                    }
                    self.block(otherwise);
                }
                Stmt::While { condition, body, step } => {
                    self.expr(*condition, scope);
                    self.block(body);
                    self.block(step);
                }
                Stmt::DoWhile { body, condition } => {
                    self.block(body);
                    self.expr(*condition, scope);
                }
                Stmt::ForRange { body, .. } => self.block(body),
                Stmt::ReturnCells { place, count } => {
                    self.place(place, *count, scope);
                    place.indices.iter().for_each(|step| self.expr(step.index, scope));
                }
                Stmt::Return(None) => {}
            }
        }
    }
}
