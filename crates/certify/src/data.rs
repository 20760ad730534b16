//! Discrete states, and what expressions, guards and invariants come to in them.
//!
//! Data does not depend on clocks. So a guard is evaluated once for a discrete state: its conditions on data hold or not, and its comparisons
//! of clocks are *constraints* whose constants are known. Evaluation is in the order of the model, and ends where something on data
//! is false. Where it goes wrong it does so for the valuations that satisfy the constraints before: these are left in the list.
//!
//! Expressions are evaluated by the interpreter of the crate `model`. What it asks of clocks it asks of [`Clocks`].

use std::cell::Cell;

use tourbillon_base::Id;
use tourbillon_model::{
    CellKind, ChannelId, ChannelPlace, ClockAtom, ClockId, ClockPlace, Compare, Environment, EvalError,
    EvalErrorKind, Evaluator, ExprId, ExprKind, Frame, Guard, IndexStep, LocationId, Model, ProcessId, Root,
};

use crate::format::{CONSTANT_MAX, Constraint};
use crate::zone::Zone;

/// How many operations the evaluation of one expression may take.
const FUEL: u64 = 100_000_000;

/// Locations, and the values of all cells of the model.
#[derive(Clone, Debug)]
pub(crate) struct DiscreteState<'m> {
    pub(crate) model: &'m Model,
    pub(crate) locations: Vec<LocationId>,
    pub(crate) cells: Vec<i32>,
}

/// What the interpreter can ask and do about clocks.
#[derive(Debug, Default)]
pub(crate) struct Clocks<'z> {
    /// The valuations for which comparisons are asked; they are not known if there is none.
    pub(crate) zone: Option<&'z Zone>,
    /// The constraint that some valuations satisfy and some do not.
    pub(crate) undecided: Cell<Option<Constraint>>,
    /// What each clock is, the reference first, as a clock before the updates plus a number; empty if clocks cannot be set.
    pub(crate) values: Vec<(usize, i64)>,
    /// What must hold before the updates so that no clock became negative, in the order of the updates.
    pub(crate) not_negative: Vec<Constraint>,
}

struct StateEnvironment<'s, 'z> {
    locations: &'s [LocationId],
    clocks: &'s mut Clocks<'z>,
}

impl Environment for StateEnvironment<'_, '_> {
    fn at_location(&self, process: ProcessId, location: LocationId) -> Option<bool> {
        Some(self.locations[process.index()] == location)
    }

    fn compares(&self, left: ClockId, right: Option<ClockId>, compare: Compare, bound: i32) -> Option<bool> {
        let zone = self.clocks.zone?;
        for constraint in constraints(left, right, compare, bound).into_iter().flatten() {
            if zone.excludes(constraint) {
                return Some(false);
            }
            if !zone.implies(constraint) {
                self.clocks.undecided.set(Some(constraint));
                return None;
            }
        }
        Some(true)
    }

    fn set_clock(&mut self, target: ClockId, source: Option<ClockId>, value: i32) -> bool {
        let Clocks { values, not_negative, .. } = &mut *self.clocks;
        let from = values.get(source.map_or(0, |source| source.index() + 1));
        let Some((clock, offset)) = from.map(|&(clock, offset)| (clock, offset + i64::from(value))) else {
            return false;
        };
        if offset.abs() > CONSTANT_MAX {
            return false;
        }
        if offset < 0 {
            not_negative.push(Constraint { left: 0, right: clock, bound: 2 * offset + 1 });
        }
        values[target.index() + 1] = (clock, offset);
        true
    }
}

/// A comparison as constraints: one, or two for an equality.
fn constraints(
    left: ClockId,
    right: Option<ClockId>,
    compare: Compare,
    bound: i32,
) -> [Option<Constraint>; 2] {
    let (left, right, bound) =
        (left.index() + 1, right.map_or(0, |right| right.index() + 1), 2 * i64::from(bound));
    let below = |strict: i64| Some(Constraint { left, right, bound: bound + 1 - strict });
    let above = |strict: i64| Some(Constraint { left: right, right: left, bound: 1 - strict - bound });
    match compare {
        Compare::Less => [below(1), None],
        Compare::LessOrEqual => [below(0), None],
        Compare::Equal => [below(0), above(0)],
        Compare::GreaterOrEqual => [above(0), None],
        Compare::Greater => [above(1), None],
    }
}

impl<'m> DiscreteState<'m> {
    /// The number of components of a vector: one for each process, and one for each cell of the state.
    pub(crate) fn width(model: &Model) -> usize {
        model.processes.len() + model.cells.iter().filter(|cell| cell.kind == CellKind::State).count()
    }

    pub(crate) fn initial(model: &'m Model) -> Self {
        let locations = model.processes.iter().map(|process| process.initial).collect();
        Self { model, locations, cells: model.cells.iter().map(|cell| cell.initial).collect() }
    }

    /// The state of a vector; nothing if a location or value is out of range.
    pub(crate) fn of_vector(model: &'m Model, vector: &[i32]) -> Option<Self> {
        let mut state = Self::initial(model);
        let (locations, values) = vector.split_at(model.processes.len());
        for ((process, here), &index) in model.processes.iter().zip(&mut state.locations).zip(locations) {
            let index = usize::try_from(index).ok().filter(|&index| index < process.locations.len())?;
            *here = LocationId::from_index(index);
        }
        let cells = model.cells.iter().zip(&mut state.cells).filter(|(cell, _)| cell.kind == CellKind::State);
        for ((cell, place), &value) in cells.zip(values) {
            if !cell.range.contains(value) {
                return None;
            }
            *place = value;
        }
        Some(state)
    }

    pub(crate) fn vector(&self) -> Vec<i32> {
        let locations = self.locations.iter().map(|location| location.index() as i32);
        let cells = self.model.cells.iter().zip(&self.cells);
        let values = cells.filter(|(cell, _)| cell.kind == CellKind::State).map(|(_, &value)| value);
        locations.chain(values).collect()
    }

    /// The value of an expression of a model that differs from the state's in nothing but queries.
    pub(crate) fn value_with(
        &mut self,
        model: &Model,
        expr: ExprId,
        frame: &mut Frame,
        clocks: &mut Clocks<'_>,
    ) -> Result<i32, EvalError> {
        let mut environment = StateEnvironment { locations: &self.locations, clocks };
        let cells = &mut self.cells;
        Evaluator { model, cells, environment: &mut environment, fuel: FUEL }.value(expr, frame)
    }

    /// The value of an expression on data.
    pub(crate) fn value(&mut self, expr: ExprId, frame: &mut Frame) -> Result<i32, EvalError> {
        match self.model.exprs[expr].kind {
            ExprKind::Int(value) => Ok(value),
            _ => self.value_with(self.model, expr, frame, &mut Clocks::default()),
        }
    }

    fn offset(&mut self, indices: &[IndexStep], frame: &mut Frame) -> Result<usize, EvalError> {
        let mut sum = 0;
        for step in indices {
            let index = self.value(step.index, frame)?;
            if !step.range.contains(index) {
                let span = self.model.exprs[step.index].span;
                return Err(EvalError { kind: EvalErrorKind::Index(index, step.range), span });
            }
            sum += (i64::from(index) - i64::from(step.range.min)) as usize * step.stride as usize;
        }
        Ok(sum)
    }

    /// The clock that a place outside functions means.
    pub(crate) fn clock(&mut self, place: &ClockPlace, frame: &mut Frame) -> Result<ClockId, EvalError> {
        let Root::Global(first) = place.root else {
            unreachable!("references to clocks occur in functions only")
        };
        let offset = self.offset(&place.indices, frame)?;
        Ok(ClockId::from_index(first.index() + place.offset as usize + offset))
    }

    pub(crate) fn channel(
        &mut self,
        place: &ChannelPlace,
        frame: &mut Frame,
    ) -> Result<ChannelId, EvalError> {
        Ok(ChannelId::from_index(place.first.index() + self.offset(&place.indices, frame)?))
    }

    /// Appends the constraints of a comparison.
    pub(crate) fn atom(
        &mut self,
        atom: &ClockAtom,
        frame: &mut Frame,
        out: &mut Vec<Constraint>,
    ) -> Result<(), EvalError> {
        let left = self.clock(&atom.left, frame)?;
        let right = atom.right.as_ref().map(|right| self.clock(right, frame)).transpose()?;
        let bound = self.value(atom.bound, frame)?;
        out.extend(constraints(left, right, atom.compare, bound).into_iter().flatten());
        Ok(())
    }

    /// Appends the constraints of a guard; false if a condition on data does not hold.
    pub(crate) fn guard(
        &mut self,
        guard: &Guard,
        frame: &mut Frame,
        out: &mut Vec<Constraint>,
    ) -> Result<bool, EvalError> {
        for &condition in &guard.conditions {
            if self.value(condition, frame)? == 0 {
                return Ok(false);
            }
        }
        for condition in &guard.clocks {
            if condition.when.map_or(Ok(1), |when| self.value(when, frame))? != 0 {
                self.atom(&condition.atom, frame, out)?;
            }
        }
        Ok(true)
    }

    /// Appends the constraints of all invariants, in system order; false if one does not hold because of data.
    pub(crate) fn invariant(&mut self, out: &mut Vec<Constraint>) -> Result<bool, EvalError> {
        let model = self.model;
        for (index, process) in model.processes.iter().enumerate() {
            let location = &process.locations[self.locations[index]];
            if !location.invariant.is_true()
                && !self.guard(&location.invariant, &mut Frame::new(location.frame), out)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives the meta cells their initial values.
    pub(crate) fn forget_meta(&mut self) {
        for (value, cell) in self.cells.iter_mut().zip(&self.model.cells) {
            if cell.kind == CellKind::Meta {
                *value = cell.initial;
            }
        }
    }
}
