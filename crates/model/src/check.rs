//! The consistency check of models.
//!
//! A front end that breaks one of these promises is wrong, not its user: engines rely on them without
//! looking. Front ends assert in their tests that nothing is found here.

use std::fmt;

use tourbillon_base::{Id, IdVec};

use crate::expr::*;
use crate::network::*;
use crate::query::QueryKind;
use crate::{ExprId, FunctionId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFault(String);

impl fmt::Display for ModelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Model {
    /// Everything in which the model is inconsistent: addresses outside the cells, clocks or channels there
    /// are, local cells outside their frame, operands after what they belong to, functions that call later
    /// ones or themselves.
    #[must_use]
    pub fn check(&self) -> Vec<ModelFault> {
        let mut checker = ModelChecker {
            model: self,
            faults: Vec::new(),
            context: String::new(),
            frame: 0,
            references: 0,
            callable: 0,
        };
        checker.model();
        checker.faults
    }
}

struct ModelChecker<'m> {
    model: &'m Model,
    faults: Vec<ModelFault>,
    /// What is being examined.
    context: String,
    frame: u32,
    references: usize,
    /// How many functions can be called.
    callable: usize,
}

impl ModelChecker<'_> {
    fn fault(&mut self, what: impl fmt::Display) {
        let fault = format!("{}: {what}", self.context);
        self.faults.push(ModelFault(fault));
    }

    fn require(&mut self, holds: bool, what: &str) {
        if !holds {
            self.fault(what);
        }
    }

    fn model(&mut self) {
        let model = self.model;
        self.operands_come_first(&model.exprs);
        for cell in &model.cells {
            self.context = format!("cell {}", cell.name);
            self.require(cell.range.min <= cell.range.max, "an empty range");
            self.require(cell.range.contains(cell.initial), "an initial value outside its range");
        }
        for clock in &model.clocks {
            self.context = format!("clock {}", clock.name);
            self.require(clock.initial >= 0, "a negative initial value");
        }
        for (id, function) in model.functions.enumerate() {
            self.enter(format!("function {}", function.name), function.frame, id.index());
            self.references = function.parameters.iter().filter(|parameter| parameter.by_reference).count();
            self.block(&function.body);
            self.references = 0;
        }
        self.enter("updates of every step".to_owned(), model.update_frame, model.functions.len());
        self.exprs(&model.before_update);
        self.exprs(&model.after_update);
        for process in &model.processes {
            self.process(process);
        }
        for vector in &model.vectors {
            self.context = "a synchronisation vector".to_owned();
            for participant in &vector.participants {
                self.require(
                    participant.process.index() < model.processes.len(),
                    "a process that is not there",
                );
                self.require(participant.event.index() < model.events.len(), "an event that is not there");
            }
        }
        for query in &model.queries {
            self.enter(format!("query {}", query.text), query.frame, model.functions.len());
            self.query(&query.kind);
        }
    }

    fn enter(&mut self, context: String, frame: u32, callable: usize) {
        (self.context, self.frame, self.callable) = (context, frame, callable);
    }

    fn operands_come_first(&mut self, exprs: &IdVec<ExprId, Expr>) {
        self.context = "expressions".to_owned();
        for (id, expr) in exprs.enumerate() {
            let mut later = false;
            expr.kind.for_each_operand(&mut |operand| later |= operand >= id);
            self.require(!later, "an operand after what it belongs to");
        }
    }

    fn process(&mut self, process: &Process) {
        let locations = process.locations.len();
        self.context = format!("process {}", process.name);
        self.require(process.initial.index() < locations, "an initial location that is not there");
        self.require(process.scalars.iter().all(|it| it.value >= 0), "a negative value of a scalar set");
        for location in &process.locations {
            self.enter(
                format!("location {}.{}", process.name, location.name),
                location.frame,
                self.model.functions.len(),
            );
            self.guard(&location.invariant);
            for rate in &location.rates {
                self.clock(&rate.clock);
                self.expr(rate.rate);
            }
        }
        for edge in &process.edges {
            self.enter(format!("an edge of {}", process.name), edge.frame, self.model.functions.len());
            let there = edge.source.index() < locations && edge.target.index() < locations;
            self.require(there, "a location that is not there");
            for select in &edge.selects {
                self.local(select.local);
            }
            self.guard(&edge.guard);
            match &edge.action {
                Action::Internal => {}
                Action::Send(place) | Action::Receive(place) => self.channel(place),
                Action::Event(event) => {
                    self.require(event.index() < self.model.events.len(), "an event that is not there")
                }
            }
            self.exprs(&edge.updates);
        }
    }

    fn query(&mut self, kind: &QueryKind) {
        self.exprs(&kind.exprs());
        kind.clocks().into_iter().for_each(|clock| self.clock(clock));
    }

    fn guard(&mut self, guard: &Guard) {
        self.exprs(&guard.conditions);
        for condition in &guard.clocks {
            condition.when.iter().for_each(|&when| self.expr(when));
            self.atom(&condition.atom);
        }
    }

    fn atom(&mut self, atom: &ClockAtom) {
        self.clock(&atom.left);
        atom.right.iter().for_each(|right| self.clock(right));
        self.expr(atom.bound);
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&expr| self.expr(expr));
    }

    fn expr(&mut self, expr: ExprId) {
        let model = self.model;
        let Some(expr) = model.exprs.get(expr) else {
            return self.fault("an expression that is not there");
        };
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Deadlock => {}
            ExprKind::Load(place) | ExprKind::PostIncrement { target: place, .. } => self.place(place, 1),
            ExprKind::AtLocation(process, location) => {
                let there =
                    model.processes.get(*process).is_some_and(|p| location.index() < p.locations.len());
                self.require(there, "a location that is not there");
            }
            ExprKind::Quantifier { local, .. } => self.local(*local),
            ExprKind::Call { function, arguments } => self.call(*function, arguments),
            ExprKind::CallInto { function, arguments, local } => {
                self.call(*function, arguments);
                let size = model
                    .functions
                    .get(*function)
                    .and_then(|f| f.returns.as_ref())
                    .map_or(0, crate::Type::size);
                self.require(u64::from(*local) + size <= self.frame.into(), "a local cell outside the frame");
            }
            ExprKind::Assign { target, .. } => self.place(target, 1),
            ExprKind::Copy { target: one, source: two, count }
            | ExprKind::SameCells { left: one, right: two, count } => {
                self.place(one, *count);
                self.place(two, *count);
            }
            ExprKind::Clock(atom) => {
                self.clock(&atom.left);
                atom.right.iter().for_each(|right| self.clock(right));
            }
            ExprKind::SetClock { target, source, .. } => {
                self.clock(target);
                source.iter().for_each(|source| self.clock(source));
            }
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(..) => {}
            ExprKind::Sequence(parts) => self.require(!parts.is_empty(), "an empty sequence"),
        }
        let mut operands = Vec::new();
        expr.kind.for_each_operand(&mut |operand| operands.push(operand));
        self.exprs(&operands);
    }

    fn call(&mut self, function: FunctionId, arguments: &[Argument]) {
        self.require(function.index() < self.callable, "a call of a function that does not come before");
        let Some(called) = self.model.functions.get(function) else { return };
        self.require(
            called.parameters.len() == arguments.len(),
            "another number of arguments than of parameters",
        );
        for (parameter, argument) in called.parameters.iter().zip(arguments) {
            let count = u32::try_from(parameter.ty.size()).unwrap_or(u32::MAX);
            match argument {
                Argument::Value(_) => {
                    self.require(!parameter.by_reference && count == 1, "a value for something else")
                }
                Argument::Cells(place) => self.place(place, count),
                Argument::Reference(place) => {
                    self.require(parameter.by_reference, "a reference for a value");
                    self.place(place, count);
                }
                Argument::Clock(place) => {
                    self.require(
                        parameter.by_reference && parameter.ty.is_clock(),
                        "a clock for something else",
                    );
                    self.clock(place);
                }
            }
        }
    }

    fn local(&mut self, slot: u32) {
        self.require(slot < self.frame, "a local cell outside the frame");
    }

    /// That all cells that a place can mean are there. Those of a reference are the caller's.
    fn place(&mut self, place: &CellPlace, count: u32) {
        let reach = u64::from(place.offset) + span_of(&place.indices) + u64::from(count);
        match place.root {
            Root::Global(cell) => {
                let end = cell.index() as u64 + reach;
                self.require(end <= self.model.cells.len() as u64, "a cell that is not there");
            }
            Root::Local(slot) => self
                .require(u64::from(slot) + reach <= u64::from(self.frame), "a local cell outside the frame"),
            Root::Reference(number) => {
                self.require((number as usize) < self.references, "a reference that is not there")
            }
        }
    }

    fn clock(&mut self, place: &ClockPlace) {
        let reach = u64::from(place.offset) + span_of(&place.indices);
        match place.root {
            Root::Global(clock) => {
                let last = clock.index() as u64 + reach;
                self.require(last < self.model.clocks.len() as u64, "a clock that is not there");
            }
            Root::Local(_) => self.fault("a local clock"),
            Root::Reference(number) => {
                self.require((number as usize) < self.references, "a reference that is not there")
            }
        }
    }

    fn channel(&mut self, place: &ChannelPlace) {
        let last = place.first.index() as u64 + span_of(&place.indices);
        self.require(last < self.model.channels.len() as u64, "a channel that is not there");
        place.indices.iter().for_each(|step| self.expr(step.index));
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            match stmt {
                Stmt::Expr(expr) | Stmt::Assert(expr) | Stmt::Return(Some(expr)) => self.expr(*expr),
                Stmt::If { arms, otherwise } => {
                    for (condition, block) in arms {
                        self.expr(*condition);
                        self.block(block);
                    }
                    self.block(otherwise);
                }
                Stmt::While { condition, body, step } => {
                    self.expr(*condition);
                    self.block(body);
                    self.block(step);
                }
                Stmt::DoWhile { body, condition } => {
                    self.block(body);
                    self.expr(*condition);
                }
                Stmt::ForRange { local, body, .. } => {
                    self.local(*local);
                    self.block(body);
                }
                Stmt::Return(None) => {}
                Stmt::ReturnCells { place, count } => self.place(place, *count),
            }
        }
    }
}

/// How far the indices can lead.
fn span_of(indices: &[IndexStep]) -> u64 {
    indices
        .iter()
        .map(|step| (step.range.len() - 1).saturating_mul(step.stride.into()))
        .fold(0, u64::saturating_add)
}
