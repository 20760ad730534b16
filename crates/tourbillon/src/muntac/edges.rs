//! Edges without selections, functions and arrays.
//!
//! Muntac's guards compare one variable with a constant, and its updates are sums and products. Tests and assignments of that form are
//! kept. For everything else, an edge is *split*: there is one edge for each combination of values of the cells that the label
//! reads, with these values as tests and what they come to as constants. Conditions are split one after the other, so that a
//! combination is given up at the first one that is false. What goes wrong at run time is left out: a certificate says that it cannot happen.
//!
//! Assignments take effect in order here and at the same time in Muntac: each is written in terms of the values before the edge.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::{Diagnostic, Id, Span};
use tourbillon_model::{
    Action, AssignOp, BinaryOp, CellId, ChannelId, ClockCondition, ClockId, Compare, Edge, EventId, ExprId,
    ExprKind, LocationId, Model, Root, Select, UnaryOp,
};

use super::reads::{Resets, Scope, fixed_cell, fixed_value, initial_cells, reads, value};
use super::refused;

/// How many combinations of values are tried for a label.
const COMBINATIONS_MAX: u64 = 20_000;

/// A comparison of a variable with a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Test {
    pub(super) cell: CellId,
    pub(super) relation: Relation,
    pub(super) value: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

/// A comparison of a clock with a number that is not negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockTest {
    pub(super) clock: ClockId,
    pub(super) compare: Compare,
    pub(super) value: i32,
}

/// A value, in terms of those before the edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    Constant(i64),
    Cell(CellId),
    Binary(char, Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Partner {
    Alone,
    Send(ChannelId),
    Receive(ChannelId),
    Event(EventId),
}

/// An edge that Muntac can express.
#[derive(Clone, Debug)]
pub(super) struct PlainEdge {
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    pub(super) tests: Vec<Test>,
    pub(super) clocks: Vec<ClockTest>,
    pub(super) partner: Partner,
    pub(super) updates: BTreeMap<CellId, Term>,
    pub(super) resets: BTreeSet<ClockId>,
    /// The cells on whose tested values the constants of the updates depend.
    pub(super) assumed: BTreeSet<CellId>,
    pub(super) span: Span,
}

impl Relation {
    fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Less => Self::Less,
            BinaryOp::LessOrEqual => Self::LessOrEqual,
            BinaryOp::Equal => Self::Equal,
            BinaryOp::NotEqual => Self::NotEqual,
            _ => return None,
        })
    }

    /// The relation with its sides exchanged.
    fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
            Self::Equal | Self::NotEqual => self,
        }
    }

    pub(super) fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::GreaterOrEqual => left >= right,
            Self::Greater => left > right,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::GreaterOrEqual => Self::Less,
            Self::Greater => Self::LessOrEqual,
        }
    }
}

/// The test that an expression is, if it is one.
pub(super) fn test(model: &Model, expr: ExprId, scope: &Scope) -> Option<Test> {
    let ExprKind::Binary(op, left, right) = model.exprs[expr].kind else { return None };
    let relation = Relation::of(op)?;
    let cell = |expr: ExprId| match &model.exprs[expr].kind {
        ExprKind::Load(place) => fixed_cell(model, place, scope),
        _ => None,
    };
    if let (Some(cell), Some(value)) = (cell(left), fixed_value(model, right, scope)) {
        return Some(Test { cell, relation, value });
    }
    let (cell, value) = (cell(right)?, fixed_value(model, left, scope)?);
    Some(Test { cell, relation: relation.mirrored(), value })
}

/// All combinations of values of cells that expressions may read, beside those that are known.
pub(super) fn combinations(
    model: &Model,
    exprs: &[ExprId],
    scope: &Scope,
    known: &BTreeMap<CellId, i32>,
    span: Span,
) -> Result<Vec<BTreeMap<CellId, i32>>, Diagnostic> {
    let cells: Vec<CellId> =
        reads(model, exprs, scope).into_iter().filter(|cell| !known.contains_key(cell)).collect();
    let count = cells.iter().fold(1u64, |all, &cell| all.saturating_mul(model.cells[cell].range.len()));
    if count > COMBINATIONS_MAX {
        let names: Vec<&str> = cells.iter().map(|&cell| model.cells[cell].name.as_str()).collect();
        return refused(
            span,
            format!("a label that depends on {count} combinations of values of {}", names.join(", ")),
        );
    }
    let mut all = vec![known.clone()];
    for cell in cells {
        let values = model.cells[cell].range.values();
        let with = |value: i32| {
            all.iter().map(move |known| {
                let mut known = known.clone();
                known.insert(cell, value);
                known
            })
        };
        all = values.flat_map(with).collect();
    }
    Ok(all)
}

/// What is found of an edge so far.
#[derive(Clone, Default)]
struct Partial {
    known: BTreeMap<CellId, i32>,
    tests: Vec<Test>,
    clocks: Vec<ClockTest>,
}

struct Splitter<'m> {
    model: &'m Model,
    edge: &'m Edge,
    scope: Scope,
    found: Vec<PlainEdge>,
}

/// The edges that an edge becomes.
pub(super) fn plain_edges(model: &Model, edge: &Edge) -> Result<Vec<PlainEdge>, Diagnostic> {
    let count = edge.selects.iter().fold(1u64, |all, select| all.saturating_mul(select.range.len()));
    if count > COMBINATIONS_MAX {
        return refused(edge.span, format!("an edge with {count} combinations of selected values"));
    }
    let mut splitter = Splitter { model, edge, scope: Scope::new(edge.frame), found: Vec::new() };
    splitter.select(&edge.selects)?;
    Ok(splitter.found)
}

impl Splitter<'_> {
    fn select(&mut self, selects: &[Select]) -> Result<(), Diagnostic> {
        let Some((first, rest)) = selects.split_first() else {
            return self.conditions(&self.edge.guard.conditions, Partial::default());
        };
        first.range.values().try_for_each(|value| {
            self.scope.set(first.local, value);
            self.select(rest)
        })
    }

    fn split(&self, exprs: &[ExprId], partial: &Partial) -> Result<Vec<Partial>, Diagnostic> {
        let all = combinations(self.model, exprs, &self.scope, &partial.known, self.edge.span)?;
        Ok(all.into_iter().map(|known| Partial { known, ..partial.clone() }).collect())
    }

    fn value(&self, expr: ExprId, known: &BTreeMap<CellId, i32>) -> Option<i32> {
        let mut cells = initial_cells(self.model);
        known.iter().for_each(|(cell, &value)| cells[cell.index()] = value);
        value(self.model, expr, &mut cells, &self.scope, &mut Resets::default()).ok()
    }

    fn conditions(&mut self, conditions: &[ExprId], mut partial: Partial) -> Result<(), Diagnostic> {
        let Some((&first, rest)) = conditions.split_first() else {
            return self.clocks(&self.edge.guard.clocks, partial);
        };
        if let Some(tests) = self.tests(first) {
            partial.tests.extend(tests);
            return self.conditions(rest, partial);
        }
        for part in self.split(&[first], &partial)? {
            if self.value(first, &part.known).is_some_and(|holds| holds != 0) {
                self.conditions(rest, part)?;
            }
        }
        Ok(())
    }

    /// The tests of a conjunction of them.
    fn tests(&self, expr: ExprId) -> Option<Vec<Test>> {
        match self.model.exprs[expr].kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Some([self.tests(left)?, self.tests(right)?].concat())
            }
            ExprKind::Unary(UnaryOp::Truth, operand) => self.tests(operand),
            _ => Some(vec![test(self.model, expr, &self.scope)?]),
        }
    }

    fn clocks(&mut self, conditions: &[ClockCondition], partial: Partial) -> Result<(), Diagnostic> {
        let Some((first, rest)) = conditions.split_first() else { return self.partner(partial) };
        let atom = &first.atom;
        if atom.right.is_some() {
            return refused(self.edge.span, "a comparison of the difference of two clocks");
        }
        let indices = &atom.left.indices;
        let exprs = first.when.into_iter().chain([atom.bound]).chain(indices.iter().map(|step| step.index));
        for mut part in self.split(&exprs.collect::<Vec<_>>(), &partial)? {
            if let Some(when) = first.when {
                match self.value(when, &part.known) {
                    None => continue,
                    Some(0) => {
                        self.clocks(rest, part)?;
                        continue;
                    }
                    Some(_) => {}
                }
            }
            let (Some(value), Some(offset)) =
                (self.value(atom.bound, &part.known), self.offset(indices, &part.known))
            else {
                continue;
            };
            let Root::Global(clock) = atom.left.root else {
                return refused(self.edge.span, "a clock that is passed by reference");
            };
            let clock = ClockId::from_index(clock.index() + atom.left.offset as usize + offset);
            if clock_test(clock, atom.compare, value, &mut part.clocks) {
                self.clocks(rest, part)?;
            }
        }
        Ok(())
    }

    fn offset(
        &self,
        indices: &[tourbillon_model::IndexStep],
        known: &BTreeMap<CellId, i32>,
    ) -> Option<usize> {
        indices.iter().try_fold(0, |sum, step| {
            let index = self.value(step.index, known).filter(|&index| step.range.contains(index))?;
            Some(sum + index.abs_diff(step.range.min) as usize * step.stride as usize)
        })
    }

    fn partner(&mut self, partial: Partial) -> Result<(), Diagnostic> {
        let place = match &self.edge.action {
            Action::Internal => return self.updates(Partner::Alone, partial),
            Action::Event(event) => return self.updates(Partner::Event(*event), partial),
            Action::Send(place) | Action::Receive(place) => place,
        };
        let exprs: Vec<ExprId> = place.indices.iter().map(|step| step.index).collect();
        for part in self.split(&exprs, &partial)? {
            let Some(offset) = self.offset(&place.indices, &part.known) else { continue };
            let channel = ChannelId::from_index(place.first.index() + offset);
            let is_send = matches!(self.edge.action, Action::Send(_));
            let partner = if is_send { Partner::Send(channel) } else { Partner::Receive(channel) };
            self.updates(partner, part)?;
        }
        Ok(())
    }

    fn updates(&mut self, partner: Partner, partial: Partial) -> Result<(), Diagnostic> {
        let mut written = Written::default();
        if self.edge.updates.iter().all(|&update| self.term_update(update, &mut written).is_some()) {
            self.find(partner, partial, written, BTreeSet::new());
            return Ok(());
        }
        let updates = &self.edge.updates;
        let read = reads(self.model, updates, &self.scope);
        for part in self.split(updates, &partial)? {
            if let Some(written) = self.constant_updates(&part.known)? {
                self.find(partner, part, written, read.clone());
            }
        }
        Ok(())
    }

    fn find(&mut self, partner: Partner, partial: Partial, written: Written, assumed: BTreeSet<CellId>) {
        let Partial { known, mut tests, clocks } = partial;
        let equal = |(cell, value)| Test { cell, relation: Relation::Equal, value };
        tests.extend(known.into_iter().map(equal));
        tests.sort_unstable();
        tests.dedup();
        let Edge { source, target, span, .. } = *self.edge;
        let Written { updates, resets } = written;
        self.found.push(PlainEdge { source, target, tests, clocks, partner, updates, resets, assumed, span });
    }

    /// Adds an update that is a sum or a product, or a reset; nothing if it is something else.
    fn term_update(&self, update: ExprId, written: &mut Written) -> Option<()> {
        match &self.model.exprs[update].kind {
            ExprKind::Sequence(parts) => parts.iter().try_for_each(|&part| self.term_update(part, written)),
            ExprKind::Assign { op, target, value } => {
                let (cell, mut term) =
                    (fixed_cell(self.model, target, &self.scope)?, self.term(*value, written)?);
                if let AssignOp::With(op) = op {
                    term = Term::Binary(sign(*op)?, Box::new(written.value(cell)), Box::new(term));
                }
                written.updates.insert(cell, term);
                Some(())
            }
            ExprKind::PostIncrement { target, delta } => {
                let cell = fixed_cell(self.model, target, &self.scope)?;
                let (sign, one) =
                    (if *delta < 0 { '-' } else { '+' }, Term::Constant(delta.unsigned_abs().into()));
                let term = Term::Binary(sign, Box::new(written.value(cell)), Box::new(one));
                written.updates.insert(cell, term);
                Some(())
            }
            ExprKind::SetClock { target, source: None, value } => {
                let Root::Global(clock) = target.root else { return None };
                let offset = super::reads::fixed_offset(self.model, &target.indices, &self.scope)?;
                if fixed_value(self.model, *value, &self.scope)? != 0 {
                    return None;
                }
                written.resets.insert(ClockId::from_index(clock.index() + target.offset as usize + offset));
                Some(())
            }
            _ => None,
        }
    }

    fn term(&self, expr: ExprId, written: &Written) -> Option<Term> {
        if let Some(value) = fixed_value(self.model, expr, &self.scope) {
            return Some(Term::Constant(value.into()));
        }
        match &self.model.exprs[expr].kind {
            ExprKind::Load(place) => Some(written.value(fixed_cell(self.model, place, &self.scope)?)),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.term(*left, written)?, self.term(*right, written)?);
                Some(Term::Binary(sign(*op)?, Box::new(left), Box::new(right)))
            }
            _ => None,
        }
    }

    /// What the updates write where the cells that they read have these values; nothing if they go wrong.
    ///
    /// A cell was written if it has the same value after two evaluations before which it had different ones.
    fn constant_updates(&self, known: &BTreeMap<CellId, i32>) -> Result<Option<Written>, Diagnostic> {
        let (model, span) = (self.model, self.edge.span);
        let state_cells =
            || model.cells.enumerate().filter(|(_, cell)| cell.kind == tourbillon_model::CellKind::State);
        let mut after = Vec::new();
        let mut resets = Resets::default();
        for is_high in [false, true] {
            let mut cells = initial_cells(model);
            state_cells()
                .for_each(|(id, it)| cells[id.index()] = if is_high { it.range.max } else { it.range.min });
            known.iter().for_each(|(cell, &value)| cells[cell.index()] = value);
            // One after the other in the same local cells.
            let mut frame = self.scope.frame.clone();
            for &update in &self.edge.updates {
                let environment = &mut resets;
                let mut evaluator =
                    tourbillon_model::Evaluator { model, cells: &mut cells, environment, fuel: 1_000_000 };
                if evaluator.value(update, &mut frame).is_err() {
                    return Ok(None);
                }
            }
            after.push(cells);
        }
        if resets.others {
            return refused(span, "an assignment to a clock of something else than 0");
        }
        let mut written = Written { resets: resets.clocks, ..Written::default() };
        for (cell, it) in state_cells().filter(|(_, it)| it.range.len() > 1) {
            let [low, high] = [after[0][cell.index()], after[1][cell.index()]];
            let before = known.get(&cell).copied();
            if low == high && before != Some(low) {
                written.updates.insert(cell, Term::Constant(low.into()));
            } else if low != high && (low, high) != (it.range.min, it.range.max) {
                return refused(span, "an update whose result cannot be computed");
            }
        }
        Ok(Some(written))
    }
}

/// What updates do.
#[derive(Clone, Default)]
struct Written {
    updates: BTreeMap<CellId, Term>,
    resets: BTreeSet<ClockId>,
}

impl Written {
    fn value(&self, cell: CellId) -> Term {
        self.updates.get(&cell).cloned().unwrap_or(Term::Cell(cell))
    }
}

fn sign(op: BinaryOp) -> Option<char> {
    match op {
        BinaryOp::Add => Some('+'),
        BinaryOp::Subtract => Some('-'),
        BinaryOp::Multiply => Some('*'),
        _ => None,
    }
}

/// Adds a comparison of a clock; false if no valuation satisfies it.
pub(super) fn clock_test(clock: ClockId, compare: Compare, value: i32, tests: &mut Vec<ClockTest>) -> bool {
    if value < 0 {
        return matches!(compare, Compare::GreaterOrEqual | Compare::Greater);
    }
    let test = ClockTest { clock, compare, value };
    if !tests.contains(&test) {
        tests.push(test);
    }
    true
}
