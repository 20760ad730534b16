//! Models as text for inspection. It is no input format.

use std::fmt::{self, Write as _};

use tourbillon_base::Id;

use crate::expr::*;
use crate::network::*;
use crate::query::{Measure, QueryKind};
use crate::types::Range;
use crate::{CellId, ChannelId, ClockId, ExprId};

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { model: self, function: None, selects: &[] }.model(f)
    }
}

impl Model {
    /// An expression as text. Local cells are numbered, as in `$2`.
    #[must_use]
    pub fn expr_text(&self, expr: ExprId) -> String {
        Printer { model: self, function: None, selects: &[] }.expr(expr)
    }

    /// Something that a query measures, as text.
    #[must_use]
    pub fn measure_text(&self, measure: &Measure) -> String {
        Printer { model: self, function: None, selects: &[] }.measure(measure)
    }

    /// A function as text: its head and its statements, each on its line.
    #[must_use]
    pub fn function_text(&self, function: &Function) -> String {
        let mut text = String::new();
        let printer = Printer { model: self, function: None, selects: &[] };
        printer.function(function, &mut text).expect("writing to a string does not fail");
        text
    }

    /// A guard or invariant as text; empty if it always holds.
    #[must_use]
    pub fn guard_text(&self, guard: &Guard) -> String {
        Printer { model: self, function: None, selects: &[] }.guard(guard)
    }

    /// The channel or event of an edge as text; empty if it has none.
    #[must_use]
    pub fn action_text(&self, edge: &Edge) -> String {
        Printer { model: self, function: None, selects: &edge.selects }.action(&edge.action)
    }

    /// The guard of an edge as text; empty if it always holds.
    #[must_use]
    pub fn edge_guard_text(&self, edge: &Edge) -> String {
        Printer { model: self, function: None, selects: &edge.selects }.guard(&edge.guard)
    }

    /// The updates of an edge as text, in order.
    #[must_use]
    pub fn edge_updates_text(&self, edge: &Edge) -> Vec<String> {
        let printer = Printer { model: self, function: None, selects: &edge.selects };
        edge.updates.iter().map(|&update| printer.expr(update)).collect()
    }

    /// The labels of an edge as text, in the order in which they count.
    #[must_use]
    pub fn edge_text(&self, edge: &Edge) -> String {
        Printer { model: self, function: None, selects: &edge.selects }.edge(edge)
    }
}

/// Prints within one context: that of a function, whose parameters have names, or of an edge, whose
/// selections do.
#[derive(Clone, Copy)]
struct Printer<'m> {
    model: &'m Model,
    function: Option<&'m Function>,
    selects: &'m [Select],
}

impl<'m> Printer<'m> {
    fn model(self, out: &mut impl fmt::Write) -> fmt::Result {
        let model = self.model;
        writeln!(out, "model {}", model.name)?;
        if model.overflow == Overflow::Wrap {
            writeln!(out, "overflow wrap")?;
        }
        for cell in &model.cells {
            let kind = match cell.kind {
                CellKind::State => "",
                CellKind::Meta => "meta ",
                CellKind::Constant => "const ",
            };
            writeln!(out, "{kind}{} : {} = {}", cell.name, range(cell.range), cell.initial)?;
        }
        for clock in &model.clocks {
            match clock.initial {
                0 => writeln!(out, "clock {}", clock.name)?,
                initial => writeln!(out, "clock {} = {initial}", clock.name)?,
            }
        }
        for channel in &model.channels {
            let urgent = if channel.urgent { "urgent " } else { "" };
            let broadcast = if channel.kind == ChannelKind::Broadcast { "broadcast " } else { "" };
            writeln!(out, "{urgent}{broadcast}chan {}{}", channel.name, priority(channel.priority))?;
        }
        if model.internal_priority != 0 {
            writeln!(out, "internal steps{}", priority(model.internal_priority))?;
        }
        for vector in &model.vectors {
            writeln!(out, "sync {}", self.vector(vector))?;
        }
        for function in &model.functions {
            self.function(function, out)?;
        }
        for (keyword, updates) in
            [("before update", &model.before_update), ("after update", &model.after_update)]
        {
            if !updates.is_empty() {
                writeln!(out, "{keyword} {}", self.list(updates, ", "))?;
            }
        }
        for process in &model.processes {
            self.process(process, out)?;
        }
        for query in &model.queries {
            writeln!(out, "query {}", self.query(&query.kind))?;
        }
        Ok(())
    }

    fn vector(self, vector: &SyncVector) -> String {
        let part = |participant: &Participant| {
            let (process, event) =
                (&self.model.processes[participant.process], &self.model.events[participant.event]);
            format!("{}@{}{}", process.name, event.name, if participant.weak { "?" } else { "" })
        };
        vector.participants.iter().map(part).collect::<Vec<_>>().join(" : ")
    }

    fn process(self, process: &'m Process, out: &mut impl fmt::Write) -> fmt::Result {
        writeln!(out, "process {}{}", process.name, priority(process.priority))?;
        for (id, location) in process.locations.enumerate() {
            let initial = if id == process.initial { " initial" } else { "" };
            let kind = match location.kind {
                LocationKind::Normal => "",
                LocationKind::Urgent => " urgent",
                LocationKind::Committed => " committed",
            };
            write!(out, "  location {}{initial}{kind}", location.name)?;
            if !location.invariant.is_true() {
                write!(out, " while {}", self.guard(&location.invariant))?;
            }
            for rate in &location.rates {
                write!(out, " rate {} = {}", self.clock_place(&rate.clock), self.expr(rate.rate))?;
            }
            if !location.labels.is_empty() {
                write!(out, " labels {}", location.labels.join(", "))?;
            }
            writeln!(out)?;
        }
        for edge in &process.edges {
            let [source, target] = [edge.source, edge.target].map(|id| process.locations[id].name.as_str());
            let labels = Printer { selects: &edge.selects, ..self }.edge(edge);
            let controllable = if edge.controllable { "" } else { " uncontrollable" };
            writeln!(
                out,
                "  {source} -> {target}{controllable}{}{labels}",
                if labels.is_empty() { "" } else { ": " }
            )?;
        }
        Ok(())
    }

    fn edge(self, edge: &Edge) -> String {
        let mut parts = Vec::new();
        for select in &edge.selects {
            parts.push(format!("select {} : {}", select.name, range(select.range)));
        }
        if !edge.guard.is_true() {
            parts.push(format!("when {}", self.guard(&edge.guard)));
        }
        if edge.action != Action::Internal {
            parts.push(self.action(&edge.action));
        }
        if !edge.updates.is_empty() {
            parts.push(format!("do {}", self.list(&edge.updates, ", ")));
        }
        parts.join("; ")
    }

    fn action(self, action: &Action) -> String {
        match action {
            Action::Internal => String::new(),
            Action::Send(channel) => format!("{}!", self.channel(channel)),
            Action::Receive(channel) => format!("{}?", self.channel(channel)),
            Action::Event(event) => self.model.events[*event].name.clone(),
        }
    }

    fn guard(self, guard: &Guard) -> String {
        let mut parts: Vec<String> =
            guard.conditions.iter().map(|&condition| self.operand(condition)).collect();
        for ClockCondition { when, atom } in &guard.clocks {
            let atom = self.atom(atom);
            parts.push(when.map_or(atom.clone(), |when| format!("({} => {atom})", self.operand(when))));
        }
        parts.join(" && ")
    }

    fn query(self, kind: &QueryKind) -> String {
        match kind {
            QueryKind::Possibly(predicate) => format!("E<> {}", self.expr(*predicate)),
            QueryKind::Invariantly(predicate) => format!("A[] {}", self.expr(*predicate)),
            QueryKind::PotentiallyAlways(predicate) => format!("E[] {}", self.expr(*predicate)),
            QueryKind::Eventually(predicate) => format!("A<> {}", self.expr(*predicate)),
            QueryKind::Recurrently(all) => {
                let all: Vec<String> = all.iter().map(|&it| format!("E[]<> {}", self.expr(it))).collect();
                all.join(" with ")
            }
            QueryKind::LeadsTo(from, to) => format!("{} --> {}", self.expr(*from), self.expr(*to)),
            QueryKind::Bounds { condition, measures, lower, upper } => {
                let word = match (lower, upper) {
                    (true, false) => "inf",
                    (false, true) => "sup",
                    _ => "bounds",
                };
                let condition =
                    condition.map_or(String::new(), |condition| format!("{{{}}}", self.expr(condition)));
                let measures: Vec<String> = measures.iter().map(|measure| self.measure(measure)).collect();
                format!("{word}{condition}: {}", measures.join(", "))
            }
            QueryKind::Refused => "refused".to_owned(),
        }
    }

    fn measure(self, measure: &Measure) -> String {
        match measure {
            Measure::Data(expr) => self.expr(*expr),
            Measure::Clock(clock, None) => self.clock_place(clock),
            Measure::Clock(clock, Some(offset)) => {
                format!("{} + {}", self.clock_place(clock), self.operand(*offset))
            }
        }
    }

    fn list(self, exprs: &[ExprId], separator: &str) -> String {
        exprs.iter().map(|&expr| self.expr(expr)).collect::<Vec<_>>().join(separator)
    }

    /// An expression in brackets if it needs them as part of a larger one.
    fn operand(self, expr: ExprId) -> String {
        let text = self.expr(expr);
        match self.model.exprs[expr].kind {
            ExprKind::Binary(op, ..) if !matches!(op, BinaryOp::Minimum | BinaryOp::Maximum) => {
                format!("({text})")
            }
            ExprKind::Conditional(..) | ExprKind::Quantifier { .. } | ExprKind::Assign { .. } => {
                format!("({text})")
            }
            ExprKind::Clock(_) | ExprKind::SameCells { .. } | ExprKind::Sequence(_) => format!("({text})"),
            ExprKind::Copy { .. } | ExprKind::CallInto { .. } | ExprKind::SetClock { .. } => {
                format!("({text})")
            }
            _ => text,
        }
    }

    fn expr(self, expr: ExprId) -> String {
        match &self.model.exprs[expr].kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AtLocation(process, location) => {
                let process = &self.model.processes[*process];
                format!("{}.{}", process.name, process.locations[*location].name)
            }
            ExprKind::Deadlock => "deadlock".to_owned(),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right),
            ExprKind::Conditional(condition, yes, no) => {
                format!("{} ? {} : {}", self.operand(*condition), self.operand(*yes), self.operand(*no))
            }
            ExprKind::Quantifier { op, local, range: values, body } => {
                let word = match op {
                    QuantifierOp::ForAll => "forall",
                    QuantifierOp::Exists => "exists",
                    QuantifierOp::Sum => "sum",
                };
                format!("{word} (${local} : {}) {}", range(*values), self.operand(*body))
            }
            ExprKind::Call { function, arguments } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                format!("{}({})", self.model.functions[*function].name, arguments.join(", "))
            }
            ExprKind::CallInto { function, arguments, local } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                format!("${local} := {}({})", self.model.functions[*function].name, arguments.join(", "))
            }
            ExprKind::Assign { op: AssignOp::Set, target, value } => {
                format!("{} := {}", self.place(target), self.expr(*value))
            }
            ExprKind::Assign { op: AssignOp::With(op), target, value } => {
                format!("{} {}= {}", self.place(target), binary_text(*op), self.expr(*value))
            }
            ExprKind::PostIncrement { target, delta } => {
                format!("{}{}", self.place(target), if *delta > 0 { "++" } else { "--" })
            }
            ExprKind::Copy { target, source, count } => {
                format!("{} := {} [{count} cells]", self.place(target), self.place(source))
            }
            ExprKind::SameCells { left, right, count } => {
                format!("{} == {} [{count} cells]", self.place(left), self.place(right))
            }
            ExprKind::Clock(atom) => self.atom(atom),
            ExprKind::SetClock { target, source, value } => {
                let zero = matches!(self.model.exprs[*value].kind, ExprKind::Int(0));
                let value = match source {
                    None => self.expr(*value),
                    Some(source) if zero => self.clock_place(source),
                    Some(source) => format!("{} + {}", self.clock_place(source), self.operand(*value)),
                };
                format!("{} := {value}", self.clock_place(target))
            }
            ExprKind::Sequence(parts) => self.list(parts, ", "),
        }
    }

    fn unary(self, op: UnaryOp, operand: ExprId) -> String {
        match op {
            UnaryOp::Negate => format!("-{}", self.operand(operand)),
            UnaryOp::Not => format!("!{}", self.operand(operand)),
            UnaryOp::Absolute => format!("abs({})", self.expr(operand)),
            UnaryOp::Truth => format!("bool({})", self.expr(operand)),
        }
    }

    fn binary(self, op: BinaryOp, left: ExprId, right: ExprId) -> String {
        match op {
            BinaryOp::Minimum | BinaryOp::Maximum => {
                format!("{}({}, {})", binary_text(op), self.expr(left), self.expr(right))
            }
            _ => format!("{} {} {}", self.operand(left), binary_text(op), self.operand(right)),
        }
    }

    fn argument(self, argument: &Argument) -> String {
        match argument {
            Argument::Value(expr) => self.expr(*expr),
            Argument::Cells(place) => self.place(place),
            Argument::Reference(place) => format!("&{}", self.place(place)),
            Argument::Clock(place) => format!("&{}", self.clock_place(place)),
        }
    }

    fn atom(self, atom: &ClockAtom) -> String {
        let right =
            atom.right.as_ref().map_or(String::new(), |right| format!("-{}", self.clock_place(right)));
        format!("{}{right}{}{}", self.clock_place(&atom.left), atom.compare.text(), self.operand(atom.bound))
    }

    fn place(self, place: &CellPlace) -> String {
        let fixed = match place.root {
            Root::Global(cell) => {
                let cell = cell.index() + place.offset as usize;
                let name = self.model.cells.get(CellId::from_index(cell)).map(|cell| cell.name.clone());
                name.unwrap_or_else(|| format!("cell {cell}"))
            }
            Root::Local(slot) => self.local(slot + place.offset),
            Root::Reference(number) => self.reference(number, place.offset),
        };
        format!("{fixed}{}", self.indices(&place.indices))
    }

    fn local(self, slot: u32) -> String {
        let select =
            self.selects.iter().find(|select| select.local == slot).map(|select| select.name.clone());
        select.or_else(|| self.parameter(slot)).unwrap_or_else(|| format!("${slot}"))
    }

    /// The name of the by-value parameter of one cell that is in a local cell.
    fn parameter(self, slot: u32) -> Option<String> {
        let mut next = 0;
        for parameter in self.function?.parameters.iter().filter(|parameter| !parameter.by_reference) {
            if next == u64::from(slot) && parameter.ty.size() == 1 {
                return Some(parameter.name.clone());
            }
            next += parameter.ty.size();
        }
        None
    }

    fn reference(self, number: u32, offset: u32) -> String {
        let mut references =
            self.function.iter().flat_map(|function| &function.parameters).filter(|p| p.by_reference);
        let name = references.nth(number as usize).map_or_else(|| format!("&{number}"), |p| p.name.clone());
        if offset == 0 { name } else { format!("{name}+{offset}") }
    }

    fn clock_place(self, place: &ClockPlace) -> String {
        let fixed = match place.root {
            Root::Global(clock) => {
                let clock = clock.index() + place.offset as usize;
                let name = self.model.clocks.get(ClockId::from_index(clock)).map(|clock| clock.name.clone());
                name.unwrap_or_else(|| format!("clock {clock}"))
            }
            Root::Local(slot) => format!("clock ${slot}"),
            Root::Reference(number) => self.reference(number, place.offset),
        };
        format!("{fixed}{}", self.indices(&place.indices))
    }

    fn channel(self, place: &ChannelPlace) -> String {
        let channels = &self.model.channels;
        let first = channels
            .get(place.first)
            .map_or_else(|| format!("channel {}", place.first.index()), |c| c.name.clone());
        debug_assert!(place.first.index() < channels.len(), "{:?}", ChannelId::from_index(channels.len()));
        format!("{first}{}", self.indices(&place.indices))
    }

    /// Indices are written after the name of the first element, since that is where they start to count.
    fn indices(self, indices: &[IndexStep]) -> String {
        let mut text = String::new();
        for step in indices {
            let _ = write!(text, "[+{}", self.operand(step.index));
            if step.range.min != 0 {
                let _ = write!(text, "-{}", step.range.min);
            }
            if step.stride != 1 {
                let _ = write!(text, " by {}", step.stride);
            }
            text.push(']');
        }
        text
    }

    fn function(self, function: &'m Function, out: &mut impl fmt::Write) -> fmt::Result {
        let inner = Self { function: Some(function), ..self };
        let parameter = |p: &Parameter| format!("{}{}", if p.by_reference { "&" } else { "" }, p.name);
        let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        writeln!(out, "function {}({})", function.name, parameters.join(", "))?;
        inner.block(&function.body, 1, out)
    }

    fn block(self, block: &Block, depth: usize, out: &mut impl fmt::Write) -> fmt::Result {
        block.iter().try_for_each(|stmt| self.stmt(stmt, depth, out))
    }

    fn stmt(self, stmt: &Stmt, depth: usize, out: &mut impl fmt::Write) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match stmt {
            Stmt::Expr(expr) => writeln!(out, "{indent}{}", self.expr(*expr)),
            Stmt::If { arms, otherwise } => {
                for (index, (condition, block)) in arms.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "else if" };
                    writeln!(out, "{indent}{word} {}", self.expr(*condition))?;
                    self.block(block, depth + 1, out)?;
                }
                if !otherwise.is_empty() {
                    writeln!(out, "{indent}else")?;
                }
                self.block(otherwise, depth + 1, out)
            }
            Stmt::While { condition, body, step } => {
                writeln!(out, "{indent}while {}", self.expr(*condition))?;
                self.block(body, depth + 1, out)?;
                self.block(step, depth + 1, out)
            }
            Stmt::DoWhile { body, condition } => {
                writeln!(out, "{indent}do")?;
                self.block(body, depth + 1, out)?;
                writeln!(out, "{indent}while {}", self.expr(*condition))
            }
            Stmt::ForRange { local, range: values, body } => {
                writeln!(out, "{indent}for ${local} in {}", range(*values))?;
                self.block(body, depth + 1, out)
            }
            Stmt::Return(None) => writeln!(out, "{indent}return"),
            Stmt::Return(Some(expr)) => writeln!(out, "{indent}return {}", self.expr(*expr)),
            Stmt::ReturnCells { place, .. } => writeln!(out, "{indent}return {}", self.place(place)),
            Stmt::Assert(expr) => writeln!(out, "{indent}assert {}", self.expr(*expr)),
        }
    }
}

fn range(range: Range) -> String {
    format!("[{},{}]", range.min, range.max)
}

fn priority(priority: u32) -> String {
    if priority == 0 { String::new() } else { format!(" priority {priority}") }
}

/// Words where the language has symbols, since `min` of two reads as a function here.
fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Minimum => "min",
        BinaryOp::Maximum => "max",
        other => other.text(),
    }
}
