//! Names in the text, and the variable that a cell belongs to.

use std::collections::{BTreeMap, HashMap, HashSet};

use tourbillon_base::{Diagnostic, Diagnostics, Id, SourceId, Span};
use tourbillon_model::*;

use crate::codes;
use crate::lines::is_keyword;
use crate::token::is_expression_word;

/// The names of a model.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) system: String,
    pub(super) processes: Vec<String>,
    pub(super) locations: Vec<Vec<String>>,
    pub(super) events: Vec<String>,
    /// The event of steps that need no partner.
    pub(super) alone: String,
    /// The events for sending and receiving.
    pub(super) channels: Vec<(String, String)>,
    /// The lines that declare variables and clocks.
    pub(super) declarations: Vec<String>,
    cells: BTreeMap<usize, CellRange>,
    clocks: BTreeMap<usize, CellRange>,
}

/// A run of cells, or clocks, that is one variable in the text.
#[derive(Clone, Debug)]
pub(super) struct CellRange {
    pub(super) name: String,
    pub(super) size: usize,
}

/// Names that are taken already.
struct UsedNames {
    keep: bool,
    names: HashSet<String>,
    /// The number that is tried next for a name that is taken.
    numbers: HashMap<String, u32>,
}

impl UsedNames {
    fn new(keep: bool) -> Self {
        Self { keep, names: HashSet::new(), numbers: HashMap::new() }
    }

    /// A name for what is called so elsewhere, that nothing else has.
    fn name(&mut self, original: &str) -> String {
        let base = if self.keep && is_name(original) { original.to_owned() } else { mangled(original) };
        let mut name = base.clone();
        while !self.names.insert(name.clone()) {
            let number = self.numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}_{number}");
        }
        name
    }
}

impl Names {
    pub(super) fn new(model: &Model, out: &mut Diagnostics) -> Self {
        let keep = model.language == Language::TChecker;
        let mut processes = UsedNames::new(keep);
        let mut events = UsedNames::new(keep);
        let events_kept = model.events.iter().map(|event| events.name(&event.name)).collect();
        let locations = model.processes.iter().map(|process| {
            let mut taken = UsedNames::new(keep);
            process.locations.iter().map(|location| taken.name(&location.name)).collect()
        });
        let mut names = Self {
            system: UsedNames::new(keep).name(&model.name),
            processes: model.processes.iter().map(|process| processes.name(&process.name)).collect(),
            locations: locations.collect(),
            events: events_kept,
            channels: model
                .channels
                .iter()
                .map(|channel| {
                    let name = mangled(&channel.name);
                    (events.name(&format!("{name}_send")), events.name(&format!("{name}_receive")))
                })
                .collect(),
            alone: events.name("tau"),
            declarations: Vec::new(),
            cells: BTreeMap::new(),
            clocks: BTreeMap::new(),
        };
        names.variables(model, &mut UsedNames::new(keep), out);
        names
    }

    /// Declares variables as they were declared, as far as arrays can be: all elements with one range and
    /// initial value.
    fn variables(&mut self, model: &Model, taken: &mut UsedNames, out: &mut Diagnostics) {
        for variable in &model.variables {
            let size = usize::try_from(variable.ty.size()).unwrap_or(usize::MAX);
            match variable.first {
                Ok(first) => {
                    self.cells(model, &variable.name, first.index(), size, taken, out, variable.span)
                }
                Err(first) => {
                    let name = taken.name(&variable.name);
                    self.declarations.push(format!("clock:{size}:{name}"));
                    self.clocks.insert(first.index(), CellRange { name, size });
                }
            }
        }
        // What no variable was declared for.
        let start = Span::new(SourceId::from_index(0), 0, 0);
        for (id, cell) in model.cells.enumerate() {
            if find(&self.cells, id.index()).is_none() {
                self.cells(model, &cell.name, id.index(), 1, taken, out, start);
            }
        }
        for (id, clock) in model.clocks.enumerate() {
            if find(&self.clocks, id.index()).is_none() {
                let name = taken.name(&clock.name);
                self.declarations.push(format!("clock:1:{name}"));
                self.clocks.insert(id.index(), CellRange { name, size: 1 });
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one call, and no sense in a type for it")]
    fn cells(
        &mut self,
        model: &Model,
        name: &str,
        first: usize,
        size: usize,
        taken: &mut UsedNames,
        out: &mut Diagnostics,
        span: Span,
    ) {
        let cells: Vec<&Cell> = model.cells.iter().skip(first).take(size).collect();
        let Some(head) = cells.first() else { return };
        // Constants are written as numbers where they are used.
        if head.kind == CellKind::Constant {
            return;
        }
        if head.kind == CellKind::Meta {
            let message = format!("the meta variable `{name}` cannot be written in this language");
            out.push(Diagnostic::error(codes::CANNOT_WRITE, span, message));
        }
        let same = |cell: &&Cell| cell.range == head.range && cell.initial == head.initial;
        let groups: Vec<(String, usize)> = match cells.iter().all(same) {
            true => vec![(name.to_owned(), cells.len())],
            false => cells.iter().map(|cell| (cell.name.clone(), 1)).collect(),
        };
        let mut at = first;
        for (original, size) in groups {
            let Cell { range, initial, .. } = cells[at - first];
            let name = taken.name(&original);
            self.declarations.push(format!("int:{size}:{}:{}:{initial}:{name}", range.min, range.max));
            self.cells.insert(at, CellRange { name, size });
            at += size;
        }
    }

    /// The variable that a cell belongs to, and the number of the cell in it.
    pub(super) fn cell(&self, cell: usize) -> Option<(&CellRange, usize)> {
        find(&self.cells, cell)
    }

    /// The variable that a clock belongs to, and the number of the clock in it.
    pub(super) fn clock(&self, clock: usize) -> Option<(&CellRange, usize)> {
        find(&self.clocks, clock)
    }
}

fn find(runs: &BTreeMap<usize, CellRange>, at: usize) -> Option<(&CellRange, usize)> {
    let (&first, run) = runs.range(..=at).next_back()?;
    (at - first < run.size).then_some((run, at - first))
}

fn is_name(text: &str) -> bool {
    let mut letters = text.bytes();
    let first = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    first
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'.'))
        && !is_keyword(text)
}

fn mangled(text: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut name: String = text.trim_end_matches([')', ']']).chars().map(plain).collect();
    name = name.replace("__", "_");
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if is_keyword(&name) || is_expression_word(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::mangled;

    #[test]
    fn names_become_plain() {
        for (name, plain) in [
            ("P(1,2)", "P_1_2"),
            ("P.x", "P_x"),
            ("a[0][1]", "a_0_1"),
            ("int", "int_"),
            ("end", "end_"),
            ("3d", "_3d"),
            ("", "_"),
            ("\u{e9}t\u{e9}", "_t_"),
        ] {
            assert_eq!(mangled(name), plain, "{name}");
        }
    }
}
