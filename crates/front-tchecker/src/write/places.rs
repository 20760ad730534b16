//! Variables, clocks and elements of arrays as text.
//!
//! An array of any dimensions is one array in the text, as it is one run of cells in the model. Where its
//! elements differ in range or initial value each is a variable of its own, and no index can choose among
//! them; constants are numbers.

use tourbillon_base::Id;
use tourbillon_model::*;

use super::Writer;
use super::exprs::{Env, LocalValue, number};
use super::names::CellRange;

/// How far indices lead, in cells: as text, and at most.
struct IndexOffset {
    text: String,
    reach: usize,
}

impl Writer<'_, '_> {
    /// The value of a cell that never changes.
    pub(super) fn constant_cell(&self, cell: usize) -> Option<i32> {
        let cell = self.model.cells.iter().as_slice().get(cell)?;
        (cell.kind == CellKind::Constant).then_some(cell.initial)
    }

    /// One of several cells that never change: their values, case by case.
    fn table(&mut self, first: usize, further: &IndexOffset, near: ExprId) -> Option<String> {
        let mut text = String::new();
        for behind in 0..further.reach {
            let value = self.constant_cell(first + behind).map(number)?;
            text.push_str(&format!("(if {} == {behind} then {value} else ", further.text));
            text = self.limited(near, text)?;
        }
        text.push_str(&self.constant_cell(first + further.reach).map(number)?);
        text.push_str(&")".repeat(further.reach));
        Some(text)
    }

    pub(super) fn clock(&mut self, place: &ClockPlace, env: &Env, near: ExprId) -> Option<String> {
        let span = self.model.exprs[near].span;
        let Root::Global(first) = place.root else {
            return self.refuse(span, "a clock as parameter of a function");
        };
        let (base, index) = self.address(first.index() + place.offset as usize, &place.indices, env)?;
        match self.names.clock(base).map(|(run, number)| (run.clone(), number)) {
            Some((run, number)) => self.element(&run, number, index, near),
            None => self.refuse(span, "a clock that is not there"),
        }
    }

    /// A cell, this many behind the one that a place means.
    pub(super) fn place(
        &mut self,
        place: &CellPlace,
        behind: u32,
        env: &Env,
        near: ExprId,
    ) -> Option<String> {
        let span = self.model.exprs[near].span;
        let offset = place.offset + behind;
        match place.root {
            Root::Global(first) => {
                let (base, index) = self.address(first.index() + offset as usize, &place.indices, env)?;
                if let Some(value) = self.constant_cell(base) {
                    return match &index {
                        None => Some(number(value)),
                        Some(further) => self.table(base, further, near),
                    };
                }
                match self.names.cell(base).map(|(run, number)| (run.clone(), number)) {
                    Some((run, number)) => self.element(&run, number, index, near),
                    None => self.refuse(span, "a variable that is not there"),
                }
            }
            Root::Local(slot) => {
                let (base, index) = self.address((slot + offset) as usize, &place.indices, env)?;
                let base = base as u32;
                if let Some(value) = env.values.get(&base) {
                    return Some(match value {
                        LocalValue::Int(value) => number(*value),
                        LocalValue::Text(text) => text.clone(),
                    });
                }
                match env.local(base).map(|(run, number)| (run.clone(), number)) {
                    Some((run, number)) => self.element(&run, number, index, near),
                    None => self.refuse(span, "a local variable without a value"),
                }
            }
            Root::Reference(_) => self.refuse(span, "a reference to a variable"),
        }
    }

    /// The first cell that indices can lead to from another, and the text of how much further they lead if
    /// that varies.
    fn address(
        &mut self,
        first: usize,
        indices: &[IndexStep],
        env: &Env,
    ) -> Option<(usize, Option<IndexOffset>)> {
        let (mut base, mut text, mut reach) = (first, Vec::new(), 0usize);
        // What the reader of this language leaves as an index stays one, even if its value can be told.
        let foreign = self.model.language != Language::TChecker;
        for step in indices {
            if let Some(value) = self.constant(step.index, env).filter(|_| foreign) {
                if !step.range.contains(value) {
                    return self.refuse(self.model.exprs[step.index].span, "an index outside its array");
                }
                base += (i64::from(value) - i64::from(step.range.min)) as usize * step.stride as usize;
                continue;
            }
            let most = usize::try_from(step.range.len() - 1).unwrap_or(usize::MAX);
            reach = reach.saturating_add(most.saturating_mul(step.stride as usize));
            let plain = step.stride == 1 && step.range.min == 0 && indices.len() == 1;
            let index = if plain { self.term(step.index, env)? } else { self.operand(step.index, env)? };
            let index = match step.range.min {
                0 => index,
                min if step.stride == 1 => format!("{index} - {}", number(min)),
                min => format!("({index} - {})", number(min)),
            };
            text.push(if step.stride == 1 { index } else { format!("{index} * {}", step.stride) });
        }
        Some((base, (!text.is_empty()).then(|| IndexOffset { text: text.join(" + "), reach })))
    }

    fn element(
        &mut self,
        run: &CellRange,
        number: usize,
        index: Option<IndexOffset>,
        near: ExprId,
    ) -> Option<String> {
        let CellRange { name, size } = run;
        let Some(IndexOffset { text, reach }) = index else {
            return Some(if *size == 1 { name.clone() } else { format!("{name}[{number}]") });
        };
        if reach >= size - number {
            let what = format!(
                "an index into the array of `{name}`, whose elements differ in range or initial value,"
            );
            return self.refuse(self.model.exprs[near].span, what);
        }
        Some(if number == 0 { format!("{name}[{text}]") } else { format!("{name}[{number} + {text}]") })
    }
}
