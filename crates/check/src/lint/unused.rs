//! Variables that nothing reads or nothing writes, clocks that nothing tests or nothing resets.
//!
//! What an expression reads and writes is collected bottom up: first for each function, which calls only earlier ones,
//! with what it does to its references left open; then for the labels of processes, where references are known. Only
//! functions that something calls count. An array or record counts as a whole, and so do the copies of a variable that
//! the processes of a template have: it is read if any part of any copy is.
//!
//! A variable that is only ever counted up is not read by that: what `n++` or `n += 1` reads is lost unless its value is
//! used. Queries read, and never write. Constants are left out, since what is computed from them when a model is read leaves
//! no trace in it; names to which nothing refers at all are reported by the front ends already.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::{Id, IdVec, Span};
use tourbillon_model::{
    Action, Argument, AssignOp, Block, CellKind, CellPlace, ClockPlace, ExprId, ExprKind, FunctionId, Guard,
    IndexStep, Model, Process, Query, Root, Stmt,
};

/// A variable or clock that something is missing for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnusedVariable {
    /// The variables, by their places among those of the model: one, or one for each process of a template.
    pub variables: Vec<usize>,
    /// What is missing.
    pub neglect: MissingUse,
}

/// What is missing for a variable or clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MissingUse {
    /// Nothing reads, writes, tests or resets it.
    Unused,
    /// It is written, and nothing reads it; of a clock, it is reset and nothing tests it.
    NeverRead,
    /// It is read, and nothing writes it; of a clock, a guard or invariant tests it and nothing resets it.
    NeverWritten,
}

/// What can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Access {
    /// A variable or clock, by its place among those of the model.
    Variable(usize),
    /// What is passed for this reference of a function.
    Reference(u32),
}

/// What is read and written.
#[derive(Clone, Default, Debug)]
struct Effects {
    read: BTreeSet<Access>,
    written: BTreeSet<Access>,
}

/// The variables and clocks of a model that are unused_variables, in the order of their declarations.
pub(super) fn unused_variables(model: &Model) -> Vec<UnusedVariable> {
    let mut walk = EffectsCollector::new(model);
    walk.functions();
    model.processes.iter().for_each(|process| walk.process(process));
    walk.updates(&model.before_update);
    walk.updates(&model.after_update);
    let used = std::mem::take(&mut walk.effects);
    model.queries.iter().for_each(|query| walk.query(query));
    let asked = walk.effects;
    let mut list = Vec::new();
    for variables in by_declaration(model) {
        let any = |set: &BTreeSet<Access>| variables.iter().any(|&it| set.contains(&Access::Variable(it)));
        let (read, asked, written) = (any(&used.read), any(&asked.read), any(&used.written));
        let is_clock = model.variables[variables[0]].first.is_err();
        let neglect = match (read || asked, written) {
            (false, false) => MissingUse::Unused,
            (false, true) => MissingUse::NeverRead,
            // A clock that only queries test tells the time, and is not meant to be reset.
            (true, false) if read || !is_clock => MissingUse::NeverWritten,
            _ => continue,
        };
        list.push(UnusedVariable { variables, neglect });
    }
    list
}

/// Variables that are no constants, those of one declaration together.
fn by_declaration(model: &Model) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: BTreeMap<Span, usize> = BTreeMap::new();
    for (index, variable) in model.variables.iter().enumerate() {
        if variable.first.is_ok_and(|cell| model.cells[cell].kind == CellKind::Constant) {
            continue;
        }
        let group = *known.entry(variable.span).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(index);
    }
    groups
}

/// Collects effects.
struct EffectsCollector<'m> {
    model: &'m Model,
    /// For each cell, and for each clock, the variable that it is part of.
    of_cell: Vec<Option<usize>>,
    of_clock: Vec<Option<usize>>,
    functions: IdVec<FunctionId, Effects>,
    /// What was collected last.
    effects: Effects,
}

impl<'m> EffectsCollector<'m> {
    fn new(model: &'m Model) -> Self {
        let mut of_cell = vec![None; model.cells.len()];
        let mut of_clock = vec![None; model.clocks.len()];
        for (index, variable) in model.variables.iter().enumerate() {
            let (parts, first) = match variable.first {
                Ok(cell) => (&mut of_cell, cell.index()),
                Err(clock) => (&mut of_clock, clock.index()),
            };
            let size = usize::try_from(variable.ty.size()).unwrap_or(usize::MAX);
            parts.iter_mut().skip(first).take(size).for_each(|part| *part = Some(index));
        }
        Self { model, of_cell, of_clock, functions: IdVec::new(), effects: Effects::default() }
    }

    fn functions(&mut self) {
        for function in &self.model.functions {
            self.block(&function.body);
            let effects = std::mem::take(&mut self.effects);
            self.functions.push(effects);
        }
    }

    fn process(&mut self, process: &Process) {
        for location in &process.locations {
            self.guard(&location.invariant);
            for rate in &location.rates {
                self.indices(&rate.clock.indices);
                self.value(rate.rate);
            }
        }
        for edge in &process.edges {
            self.guard(&edge.guard);
            if let Action::Send(place) | Action::Receive(place) = &edge.action {
                self.indices(&place.indices);
            }
            self.updates(&edge.updates);
        }
    }

    fn guard(&mut self, guard: &Guard) {
        guard.conditions.iter().for_each(|&condition| self.value(condition));
        for condition in &guard.clocks {
            condition.when.iter().for_each(|&when| self.value(when));
            let atom = &condition.atom;
            self.read_clock(&atom.left);
            atom.right.iter().for_each(|right| self.read_clock(right));
            self.value(atom.bound);
        }
    }

    fn updates(&mut self, updates: &[ExprId]) {
        updates.iter().for_each(|&update| self.expr(update, false));
    }

    fn query(&mut self, query: &Query) {
        query.kind.exprs().into_iter().for_each(|expr| self.value(expr));
        query.kind.clocks().into_iter().for_each(|clock| self.read_clock(clock));
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Expr(expr) => self.expr(*expr, false),
            Stmt::If { arms, otherwise } => {
                for (condition, block) in arms {
                    self.value(*condition);
                    self.block(block);
                }
                self.block(otherwise);
            }
            Stmt::While { condition, body, step } => {
                self.value(*condition);
                self.block(body);
                self.block(step);
            }
            Stmt::DoWhile { body, condition } => {
                self.block(body);
                self.value(*condition);
            }
            Stmt::ForRange { body, .. } => self.block(body),
            Stmt::Return(value) => value.iter().for_each(|&value| self.value(value)),
            Stmt::ReturnCells { place, .. } => self.read(place),
            Stmt::Assert(condition) => self.value(*condition),
        }
    }

    /// An expression whose value is used.
    fn value(&mut self, expr: ExprId) {
        self.expr(expr, true);
    }

    fn expr(&mut self, expr: ExprId, used: bool) {
        match &self.model.exprs[expr].kind {
            ExprKind::Load(place) => self.read(place),
            ExprKind::Conditional(condition, yes, no) => {
                self.value(*condition);
                self.expr(*yes, used);
                self.expr(*no, used);
            }
            ExprKind::Sequence(parts) => {
                let last = parts.len().saturating_sub(1);
                parts.iter().enumerate().for_each(|(i, &part)| self.expr(part, used && i == last));
            }
            ExprKind::Assign { op, target, value } => {
                self.write(target, used && *op != AssignOp::Set);
                self.value(*value);
            }
            ExprKind::PostIncrement { target, .. } => self.write(target, used),
            ExprKind::Copy { target, source, .. } => {
                self.write(target, false);
                self.read(source);
            }
            ExprKind::SameCells { left, right, .. } => {
                self.read(left);
                self.read(right);
            }
            ExprKind::Clock(atom) => {
                self.read_clock(&atom.left);
                atom.right.iter().for_each(|right| self.read_clock(right));
                self.value(atom.bound);
            }
            ExprKind::SetClock { target, source, value } => {
                self.indices(&target.indices);
                let access = self.clock(target);
                self.effects.written.extend(access);
                source.iter().for_each(|source| self.read_clock(source));
                self.value(*value);
            }
            ExprKind::Call { function, arguments } | ExprKind::CallInto { function, arguments, .. } => {
                self.call(*function, arguments);
            }
            kind => kind.for_each_operand(&mut |operand| self.value(operand)),
        }
    }

    /// What a function does, with what is passed for its references.
    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        let mut references: Vec<Option<Access>> = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(expr) => self.value(*expr),
                Argument::Cells(place) => self.read(place),
                Argument::Reference(place) => {
                    self.indices(&place.indices);
                    references.push(self.cell(place));
                }
                Argument::Clock(place) => {
                    self.indices(&place.indices);
                    references.push(self.clock(place));
                }
            }
        }
        let passed = |access: &Access| match access {
            Access::Variable(_) => Some(*access),
            Access::Reference(number) => references.get(*number as usize).copied().flatten(),
        };
        let done = &self.functions[function];
        self.effects.read.extend(done.read.iter().filter_map(passed));
        self.effects.written.extend(done.written.iter().filter_map(passed));
    }

    fn read(&mut self, place: &CellPlace) {
        self.indices(&place.indices);
        let access = self.cell(place);
        self.effects.read.extend(access);
    }

    /// A place that is written; its old value may count as well.
    fn write(&mut self, place: &CellPlace, reads: bool) {
        self.indices(&place.indices);
        let access = self.cell(place);
        self.effects.written.extend(access);
        self.effects.read.extend(access.filter(|_| reads));
    }

    fn read_clock(&mut self, place: &ClockPlace) {
        self.indices(&place.indices);
        let access = self.clock(place);
        self.effects.read.extend(access);
    }

    fn indices(&mut self, indices: &[IndexStep]) {
        indices.iter().for_each(|step| self.value(step.index));
    }

    fn cell(&self, place: &CellPlace) -> Option<Access> {
        match place.root {
            Root::Global(cell) => self.of_cell[cell.index() + place.offset as usize].map(Access::Variable),
            Root::Local(_) => None,
            Root::Reference(number) => Some(Access::Reference(number)),
        }
    }

    fn clock(&self, place: &ClockPlace) -> Option<Access> {
        match place.root {
            Root::Global(clock) => self.of_clock[clock.index() + place.offset as usize].map(Access::Variable),
            Root::Local(_) => None,
            Root::Reference(number) => Some(Access::Reference(number)),
        }
    }
}
