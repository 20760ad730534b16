//! The hash of a model: which model a certificate is about.
//!
//! The model is written out as bytes, which are hashed. Each part begins with a letter for its kind, a list with its length, and a text with its
//! length, so that no two models have the same bytes. An expression is written as the number of its first occurrence if it has
//! occurred, since the expressions of a model share parts. Every structure is taken apart by all its fields: one that is added to the
//! model does not compile here until somebody has decided whether it has a meaning. Left out are spans, queries, comments, the name of the model, names of
//! parameters and selections, and what is derived: frames, purity, templates, declared types.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use tourbillon_base::Id;
use tourbillon_model::{
    Action, Argument, AssignOp, Block, CellPlace, ChannelPlace, ClockAtom, ClockCondition, ClockPlace, Edge,
    Expr, ExprId, ExprKind, Function, Guard, IndexStep, Location, Model, Parameter, Participant, Process,
    Range, Rate, Root, Select, Stmt, SyncVector,
};

/// The SHA-256 of everything in a model that has a meaning, as hexadecimal digits.
#[must_use]
pub fn model_hash(model: &Model) -> String {
    let mut writer = Writer { model, bytes: Vec::new(), written: HashMap::new() };
    writer.model();
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
}

impl Writer<'_> {
    fn model(&mut self) {
        let Model {
            name: _,
            language,
            overflow,
            exprs: _,
            cells,
            clocks,
            variables: _,
            channels,
            events,
            vectors,
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
        self.list(channels.iter(), |it, channel| {
            it.text(&format!("{} {:?} {} {}", channel.name, channel.kind, channel.urgent, channel.priority));
        });
        self.list(events.iter(), |it, event| it.text(&event.name));
        self.list(vectors.iter(), |it, SyncVector { participants, span: _ }| {
            it.list(participants.iter(), |it, Participant { process, event, weak }| {
                it.numbers(&[process.index() as i64, event.index() as i64, (*weak).into()]);
            });
        });
        self.list(functions.iter(), Self::function);
        self.list(processes.iter(), Self::process);
        self.number((*internal_priority).into());
        self.exprs(before_update);
        self.exprs(after_update);
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
        self.list(locations.iter(), |it, location| {
            let Location { name, kind, invariant, rates, labels, frame: _, span: _ } = location;
            it.text(&format!("{name} {kind:?}"));
            it.guard(invariant);
            it.list(rates.iter(), |it, Rate { clock, rate }| {
                it.clock(clock);
                it.expr(*rate);
            });
            it.list(labels.iter(), |it, label| it.text(label));
        });
        self.list(edges.iter(), |it, edge| {
            let Edge { source, target, selects, guard, action, updates, controllable: _, frame: _, span: _ } =
                edge;
            it.numbers(&[source.index() as i64, target.index() as i64]);
            it.list(selects.iter(), |it, Select { name: _, local, range }| {
                it.number((*local).into());
                it.range(*range);
            });
            it.guard(guard);
            match action {
                Action::Internal => it.text("i"),
                Action::Send(channel) => it.channel("s", channel),
                Action::Receive(channel) => it.channel("r", channel),
                Action::Event(event) => {
                    it.text("e");
                    it.number(event.index() as i64);
                }
            }
            it.exprs(updates);
        });
    }

    fn channel(&mut self, kind: &str, ChannelPlace { first, indices }: &ChannelPlace) {
        self.text(kind);
        self.number(first.index() as i64);
        self.indices(indices);
    }

    fn guard(&mut self, Guard { conditions, clocks }: &Guard) {
        self.exprs(conditions);
        self.list(clocks.iter(), |it, ClockCondition { when, atom }| {
            it.list(when.iter(), |it, &when| it.expr(when));
            it.atom(atom);
        });
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
                self.number(function.index() as i64);
                self.list(arguments.iter(), Self::argument);
            }
            ExprKind::CallInto { function, arguments, local } => {
                self.text("call into");
                self.numbers(&[function.index() as i64, (*local).into()]);
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
