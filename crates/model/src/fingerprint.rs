//! Fingerprints: whether two models, or their locations, are the same.
//!
//! A model is written out as bytes, which are hashed. Each part begins with a word for its kind, a list with its length, and a text with its
//! length, so that no two models have the same bytes. An expression is written as the number of its first occurrence if it has
//! occurred, since the expressions of a model share parts. Every structure is taken apart by all its fields: one that is added to the
//! model does not compile here until somebody has decided whether it has a meaning. Left out are spans, queries, comments, the name of the model, names of
//! parameters and selections, and what is derived: frames, purity, templates, declared types.
//!
//! The fingerprint of a location covers all that the steps from it depend on: its edges, the functions that they call, the constants that
//! they use, and the invariants of their targets. So after an edit, a state none of whose locations has another fingerprint has the same
//! steps as before, if [`frame_hash`] is the same as well. Comparisons of clocks with numbers are kept apart, so that it is seen if a
//! part allows less than before.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use tourbillon_base::{Id, IdVec};

use crate::expr::*;
use crate::network::*;
use crate::types::Range;
use crate::{CellId, ExprId, FunctionId, LocationId, ProcessId};

/// The SHA-256 of everything in a model that has a meaning, as hexadecimal digits.
#[must_use]
pub fn model_hash(model: &Model) -> String {
    let mut writer = Writer::new(model);
    writer.model();
    sha256(&writer.bytes)
}

/// The SHA-256 of what does not belong to single locations: variables, clocks, channels, vectors, and which processes and
/// locations there are. Initial values are left out.
#[must_use]
pub fn frame_hash(model: &Model) -> String {
    let mut writer = Writer { calls: Some(HashSet::new()), ..Writer::new(model) };
    writer.frame();
    sha256(&writer.bytes)
}

/// What the steps from a location depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepsFingerprint {
    pub location: PartFingerprint,
    /// Each edge that leaves the location, by its number in the process, with its target.
    pub edges: Vec<(usize, PartFingerprint)>,
}

/// A location, or an edge with its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartFingerprint {
    /// Of all but the comparisons of clocks with numbers.
    rest: String,
    /// These, for each guard and invariant: the clocks whose difference is bounded, and the bound, twice the constant, plus 1 if it is
    /// included.
    limits: Vec<Vec<ClockLimit>>,
}

/// Two clocks, counted from 1, or 0 for none, and the bound of their difference.
type ClockLimit = (usize, usize, i64);

impl PartFingerprint {
    /// Whether a part allows nothing that the other one does not: it is the same but for tighter or further comparisons of clocks.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let implied = |own: &[ClockLimit], &(left, right, bound): &ClockLimit| {
            own.iter().any(|&(l, r, tighter)| (l, r) == (left, right) && tighter <= bound)
        };
        self.rest == other.rest
            && self.limits.len() == other.limits.len()
            && self
                .limits
                .iter()
                .zip(&other.limits)
                .all(|(own, other)| other.iter().all(|it| implied(own, it)))
    }
}

/// The fingerprint of each location of each process.
#[must_use]
pub fn steps_fingerprints(model: &Model) -> IdVec<ProcessId, IdVec<LocationId, StepsFingerprint>> {
    let part = |write: &dyn Fn(&mut Writer<'_>)| {
        let (calls, limits) = (Some(HashSet::new()), Some(Vec::new()));
        let mut writer = Writer { calls, limits, ..Writer::new(model) };
        write(&mut writer);
        PartFingerprint { rest: sha256(&writer.bytes), limits: writer.limits.unwrap_or_default() }
    };
    let of_location = |process: &Process, location: LocationId| {
        let leaving = process.edges.iter().enumerate().filter(|(_, edge)| edge.source == location);
        let edges = leaving.map(|(index, edge)| {
            let written = part(&|it: &mut Writer<'_>| {
                it.edge(edge);
                it.location(&process.locations[edge.target]);
            });
            (index, written)
        });
        let location = part(&|it: &mut Writer<'_>| it.location(&process.locations[location]));
        StepsFingerprint { location, edges: edges.collect() }
    };
    let of_process = |process: &Process| process.locations.ids().map(|it| of_location(process, it)).collect();
    model.processes.iter().map(of_process).collect()
}

/// The SHA-256 of an expression, with the functions that it calls and the constants that it uses.
#[must_use]
pub fn expr_hash(model: &Model, expr: ExprId) -> String {
    let mut writer = Writer { calls: Some(HashSet::new()), ..Writer::new(model) };
    writer.expr(expr);
    sha256(&writer.bytes)
}

/// The SHA-256 of bytes as hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

struct Writer<'m> {
    model: &'m Model,
    bytes: Vec<u8>,
    written: HashMap<ExprId, u64>,
    /// The functions that were written where they are called, and constants where they are used; `None` if they are written as numbers.
    calls: Option<HashSet<FunctionId>>,
    /// The comparisons of clocks with numbers, if these are kept apart.
    limits: Option<Vec<Vec<ClockLimit>>>,
}

impl<'m> Writer<'m> {
    fn new(model: &'m Model) -> Self {
        Self { model, bytes: Vec::new(), written: HashMap::new(), calls: None, limits: None }
    }

    /// What all steps depend on, or the layout of states.
    fn frame(&mut self) {
        let model = self.model;
        self.text(&format!("{:?} {:?}", model.language, model.overflow));
        self.list(model.cells.iter(), |it, cell| {
            it.text(&format!("{} {:?}", cell.name, cell.kind));
            it.range(cell.range);
            it.number(if cell.kind == CellKind::Meta { cell.initial.into() } else { 0 });
        });
        self.list(model.clocks.iter(), |it, clock| it.text(&clock.name));
        self.synchronisation();
        self.list(model.processes.iter(), |it, process| {
            it.text(&process.name);
            it.number(process.priority.into());
            it.list(process.locations.iter(), |it, location| it.text(&location.name));
        });
        self.number(model.internal_priority.into());
        self.exprs(&model.before_update);
        self.exprs(&model.after_update);
    }

    fn model(&mut self) {
        let Model {
            name: _,
            language,
            overflow,
            exprs: _,
            cells,
            clocks,
            variables: _,
            channels: _,
            events: _,
            vectors: _,
            functions,
            processes,
            internal_priority,
            update_frame: _,
            before_update,
            after_update,
            queries: _,
        } = self.model;
        self.text(&format!("{language:?} {overflow:?}"));
        self.list(cells.iter(), |it, cell| {
            it.text(&format!("{} {:?} {}", cell.name, cell.kind, cell.initial));
            it.range(cell.range);
        });
        self.list(clocks.iter(), |it, clock| it.text(&format!("{} {}", clock.name, clock.initial)));
        self.synchronisation();
        self.list(functions.iter(), Self::function);
        self.list(processes.iter(), Self::process);
        self.number((*internal_priority).into());
        self.exprs(before_update);
        self.exprs(after_update);
    }

    fn synchronisation(&mut self) {
        let Model { channels, events, vectors, .. } = self.model;
        self.list(channels.iter(), |it, channel| {
            it.text(&format!("{} {:?} {} {}", channel.name, channel.kind, channel.urgent, channel.priority));
        });
        self.list(events.iter(), |it, event| it.text(&event.name));
        self.list(vectors.iter(), |it, SyncVector { participants, span: _ }| {
            it.list(participants.iter(), |it, Participant { process, event, weak }| {
                it.numbers(&[process.index() as i64, event.index() as i64, (*weak).into()]);
            });
        });
    }

    fn number(&mut self, number: i64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[i64]) {
        numbers.iter().for_each(|&number| self.number(number));
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.number(items.len() as i64);
        items.for_each(|item| write(self, item));
    }

    fn range(&mut self, Range { min, max }: Range) {
        self.numbers(&[min.into(), max.into()]);
    }

    fn process(&mut self, process: &Process) {
        let Process { name, template: _, scalars: _, priority, locations, initial, edges, span: _ } = process;
        self.text(name);
        self.numbers(&[(*priority).into(), initial.index() as i64]);
        self.list(locations.iter(), Self::location);
        self.list(edges.iter(), Self::edge);
    }

    fn location(&mut self, location: &Location) {
        let Location { name, kind, invariant, rates, labels, frame: _, span: _ } = location;
        self.text(&format!("{name} {kind:?}"));
        self.guard(invariant);
        self.list(rates.iter(), |it, Rate { clock, rate }| {
            it.clock(clock);
            it.expr(*rate);
        });
        self.list(labels.iter(), |it, label| it.text(label));
    }

    fn edge(&mut self, edge: &Edge) {
        let Edge { source, target, selects, guard, action, updates, controllable: _, frame: _, span: _ } =
            edge;
        self.numbers(&[source.index() as i64, target.index() as i64]);
        self.list(selects.iter(), |it, Select { name: _, local, range }| {
            it.number((*local).into());
            it.range(*range);
        });
        self.guard(guard);
        match action {
            Action::Internal => self.text("i"),
            Action::Send(channel) => self.channel("s", channel),
            Action::Receive(channel) => self.channel("r", channel),
            Action::Event(event) => {
                self.text("e");
                self.number(event.index() as i64);
            }
        }
        self.exprs(updates);
    }

    fn channel(&mut self, kind: &str, ChannelPlace { first, indices }: &ChannelPlace) {
        self.text(kind);
        self.number(first.index() as i64);
        self.indices(indices);
    }

    fn guard(&mut self, Guard { conditions, clocks }: &Guard) {
        self.exprs(conditions);
        let mut limits = Vec::new();
        let mut rest: Vec<&ClockCondition> = clocks.iter().collect();
        if self.limits.is_some() {
            rest.retain(|condition| !self.limit(condition, &mut limits));
        }
        self.list(rest.into_iter(), |it, ClockCondition { when, atom }| {
            it.list(when.iter(), |it, &when| it.expr(when));
            it.atom(atom);
        });
        self.limits.iter_mut().for_each(|all| all.push(std::mem::take(&mut limits)));
    }

    /// Adds a comparison of clocks with a number to the limits, if it is one.
    fn limit(&self, ClockCondition { when, atom }: &ClockCondition, limits: &mut Vec<ClockLimit>) -> bool {
        let clock = |place: &ClockPlace| match place.root {
            Root::Global(first) if place.indices.is_empty() => {
                Some(first.index() + place.offset as usize + 1)
            }
            _ => None,
        };
        let right = atom.right.as_ref().map_or(Some(0), clock);
        let (None, Some(left), Some(right)) = (when, clock(&atom.left), right) else { return false };
        let ExprKind::Int(bound) = self.model.exprs[atom.bound].kind else { return false };
        let twice = 2 * i64::from(bound);
        let (upper, lower) = ((left, right), (right, left));
        limits.extend(match atom.compare {
            Compare::Less => vec![(upper.0, upper.1, twice)],
            Compare::LessOrEqual => vec![(upper.0, upper.1, twice + 1)],
            Compare::Equal => vec![(upper.0, upper.1, twice + 1), (lower.0, lower.1, 1 - twice)],
            Compare::GreaterOrEqual => vec![(lower.0, lower.1, 1 - twice)],
            Compare::Greater => vec![(lower.0, lower.1, -twice)],
        });
        true
    }

    fn atom(&mut self, ClockAtom { left, right, compare, bound }: &ClockAtom) {
        self.clock(left);
        self.list(right.iter(), Self::clock);
        self.text(compare.text());
        self.expr(*bound);
    }

    fn indices(&mut self, indices: &[IndexStep]) {
        self.list(indices.iter(), |it, &IndexStep { index, range, stride }| {
            it.expr(index);
            it.range(range);
            it.number(stride.into());
        });
    }

    fn root<T: Id>(&mut self, root: Root<T>, offset: u32) {
        let (kind, number) = match root {
            Root::Global(id) => (0, id.index() as i64),
            Root::Local(slot) => (1, slot.into()),
            Root::Reference(number) => (2, number.into()),
        };
        self.numbers(&[kind, number, offset.into()]);
    }

    fn clock(&mut self, ClockPlace { root, offset, indices }: &ClockPlace) {
        self.root(*root, *offset);
        self.indices(indices);
    }

    fn cell(&mut self, CellPlace { root, offset, indices, range }: &CellPlace) {
        self.root(*root, *offset);
        if let (Root::Global(cell), true) = (root, self.calls.is_some()) {
            self.constants(*cell);
        }
        self.indices(indices);
        self.range(*range);
    }

    fn cells(&mut self, one: &CellPlace, two: &CellPlace, count: u32) {
        self.cell(one);
        self.cell(two);
        self.number(count.into());
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        self.list(exprs.iter(), |it, &expr| it.expr(expr));
    }

    fn expr(&mut self, id: ExprId) {
        if let Some(&number) = self.written.get(&id) {
            self.text("again");
            return self.number(number as i64);
        }
        let Expr { kind, span: _ } = &self.model.exprs[id];
        match kind {
            ExprKind::Int(value) => {
                self.text("int");
                self.number((*value).into());
            }
            ExprKind::Load(place) => {
                self.text("load");
                self.cell(place);
            }
            ExprKind::AtLocation(process, location) => {
                self.text("at");
                self.numbers(&[process.index() as i64, location.index() as i64]);
            }
            ExprKind::Deadlock => self.text("deadlock"),
            ExprKind::Unary(op, operand) => {
                self.text(&format!("unary {op:?}"));
                self.expr(*operand);
            }
            ExprKind::Binary(op, left, right) => {
                self.text(&format!("binary {op:?}"));
                self.exprs(&[*left, *right]);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.text("if");
                self.exprs(&[*condition, *yes, *no]);
            }
            ExprKind::Quantifier { op, local, range, body } => {
                self.text(&format!("quantifier {op:?}"));
                self.number((*local).into());
                self.range(*range);
                self.expr(*body);
            }
            ExprKind::Call { function, arguments } => {
                self.text("call");
                self.called(*function);
                self.list(arguments.iter(), Self::argument);
            }
            ExprKind::CallInto { function, arguments, local } => {
                self.text("call into");
                self.called(*function);
                self.number((*local).into());
                self.list(arguments.iter(), Self::argument);
            }
            ExprKind::Assign { op, target, value } => {
                match op {
                    AssignOp::Set => self.text("set"),
                    AssignOp::With(op) => self.text(&format!("set with {op:?}")),
                }
                self.cell(target);
                self.expr(*value);
            }
            ExprKind::PostIncrement { target, delta } => {
                self.text("increment");
                self.cell(target);
                self.number((*delta).into());
            }
            ExprKind::Copy { target, source, count } => {
                self.text("copy");
                self.cells(target, source, *count);
            }
            ExprKind::SameCells { left, right, count } => {
                self.text("same");
                self.cells(left, right, *count);
            }
            ExprKind::Clock(atom) => {
                self.text("clock");
                self.atom(atom);
            }
            ExprKind::SetClock { target, source, value } => {
                self.text("set clock");
                self.clock(target);
                self.list(source.iter(), Self::clock);
                self.expr(*value);
            }
            ExprKind::Sequence(parts) => {
                self.text("sequence");
                self.exprs(parts);
            }
        }
        let number = self.written.len() as u64;
        self.written.insert(id, number);
    }

    /// A function: its number, or where it is called first what it does.
    fn called(&mut self, function: FunctionId) {
        self.number(function.index() as i64);
        if self.calls.as_mut().is_some_and(|calls| calls.insert(function)) {
            self.function(&self.model.functions[function]);
        }
    }

    /// The values of the constants that are declared together with a cell.
    fn constants(&mut self, cell: CellId) {
        let cells = &self.model.cells;
        if cells[cell].kind != CellKind::Constant {
            return;
        }
        let declared = self.model.variables.iter().find_map(|variable| {
            let first = variable.first.ok()?.index();
            let all = first..first + variable.ty.size() as usize;
            all.contains(&cell.index()).then_some(all)
        });
        let all = declared.unwrap_or(0..cells.len());
        self.list(all, |it, index| it.number(it.model.cells[CellId::from_index(index)].initial.into()));
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(expr) => {
                self.text("value");
                self.expr(*expr);
            }
            Argument::Cells(place) => {
                self.text("cells");
                self.cell(place);
            }
            Argument::Reference(place) => {
                self.text("reference");
                self.cell(place);
            }
            Argument::Clock(place) => {
                self.text("clock");
                self.clock(place);
            }
        }
    }

    fn function(&mut self, function: &Function) {
        let Function { name, parameters, returns, frame: _, body, is_pure: _, span: _ } = function;
        self.text(name);
        self.list(parameters.iter(), |it, Parameter { name: _, ty, by_reference }| {
            it.text(&format!("{} {by_reference} {}", ty.size(), ty.is_clock()));
            it.list(ty.range().iter(), |it, &range| it.range(range));
        });
        self.list(returns.iter(), |it, ty| {
            it.number(ty.size() as i64);
            it.list(ty.range().iter(), |it, &range| it.range(range));
        });
        self.block(body);
    }

    fn block(&mut self, block: &Block) {
        self.list(block.iter(), Self::stmt);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(expr) => {
                self.text("do");
                self.expr(*expr);
            }
            Stmt::If { arms, otherwise } => {
                self.text("if");
                self.list(arms.iter(), |it, (condition, block)| {
                    it.expr(*condition);
                    it.block(block);
                });
                self.block(otherwise);
            }
            Stmt::While { condition, body, step } => {
                self.text("while");
                self.expr(*condition);
                self.block(body);
                self.block(step);
            }
            Stmt::DoWhile { body, condition } => {
                self.text("do while");
                self.block(body);
                self.expr(*condition);
            }
            Stmt::ForRange { local, range, body } => {
                self.text("for");
                self.number((*local).into());
                self.range(*range);
                self.block(body);
            }
            Stmt::Return(value) => {
                self.text("return");
                self.list(value.iter(), |it, &value| it.expr(value));
            }
            Stmt::ReturnCells { place, count } => {
                self.text("return cells");
                self.cell(place);
                self.number((*count).into());
            }
            Stmt::Assert(expr) => {
                self.text("assert");
                self.expr(*expr);
            }
        }
    }
}
