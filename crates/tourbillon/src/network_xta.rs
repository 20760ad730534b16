//! A network of synchronisation vectors as UPPAAL text.
//!
//! Each process becomes a template without parameters, in the order of the network. A vector of two strong
//! events becomes a channel of its own, on which the first process sends and the other receives; one of a
//! single strong event and weak ones becomes a broadcast channel, since weak events have no guards. An edge
//! whose event stands in several vectors becomes one edge for each. A vector of one event is a step on its
//! own, and so is an event in no vector. Vectors of three and more strong events have no counterpart in
//! UPPAAL and are refused. Labels become comments.
//!
//! Names of TChecker may have dots, which UPPAAL's may not: a dot becomes an underscore, and a number is
//! added where that makes two names the same. The local cells of a function become an array.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use tourbillon_base::{Diagnostic, Diagnostics, Id, Span};
use tourbillon_model::{
    Action, AssignOp, Block, CellId, CellPlace, ClockAtom, ClockId, ClockPlace, Edge, EventId, ExprId,
    ExprKind, Guard, IndexStep, LocationKind, Model, Overflow, Process, ProcessId, Root, Stmt, Type, UnaryOp,
    Variable,
};

use crate::codes::NOT_IN_UPPAAL;

/// A network with synchronisation vectors as UPPAAL text.
pub(crate) fn network_xta(model: &Model) -> Result<String, Diagnostics> {
    let mut writer = XtaWriter::new(model);
    let mut text = format!("// {}\n", model.name);
    if model.overflow == Overflow::Wrap {
        text += "// tourbillon: overflow wrap\n";
    }
    writer.declarations(&mut text);
    for process in model.processes.ids() {
        writer.process(process, &mut text);
    }
    let names: Vec<&str> = writer.processes.iter().map(String::as_str).collect();
    let _ = writeln!(text, "\nsystem {};", names.join(", "));
    if writer.diagnostics.has_errors() { Err(writer.diagnostics) } else { Ok(text) }
}

/// The initializer of a variable or array.
fn written(values: &[i32], size: &str) -> String {
    let values = values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    if size.is_empty() { values } else { format!("{{ {values} }}") }
}

struct XtaWriter<'m> {
    model: &'m Model,
    diagnostics: Diagnostics,
    taken: HashSet<String>,
    /// For each name in use, the next number to append.
    numbers: HashMap<String, u32>,
    processes: Vec<String>,
    /// The names of variables, by index.
    variables: Vec<String>,
    /// For each event of a process, its channels, and whether it sends.
    channels: HashMap<(ProcessId, EventId), Vec<(String, bool)>>,
    /// The events that occur in a vector with others.
    synchronised: HashSet<(ProcessId, EventId)>,
}

impl<'m> XtaWriter<'m> {
    fn new(model: &'m Model) -> Self {
        let mut writer = Self {
            model,
            diagnostics: Diagnostics::default(),
            taken: RESERVED.iter().map(|word| (*word).to_owned()).collect(),
            numbers: HashMap::new(),
            processes: Vec::new(),
            variables: Vec::new(),
            channels: HashMap::new(),
            synchronised: HashSet::new(),
        };
        writer.variables = model.variables.iter().map(|variable| writer.fresh(&variable.name)).collect();
        writer.processes = model.processes.iter().map(|process| writer.fresh(&process.name)).collect();
        writer
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(NOT_IN_UPPAAL, span, message));
    }

    /// A new name that UPPAAL accepts.
    fn fresh(&mut self, name: &str) -> String {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if self.taken.insert(plain.clone()) {
            return plain;
        }
        // Smaller numbers are in use.
        let mut number = self.numbers.get(&plain).copied().unwrap_or(2);
        let mut candidate = format!("{plain}_{number}");
        while !self.taken.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{plain}_{number}");
        }
        self.numbers.insert(plain, number + 1);
        candidate
    }

    fn declarations(&mut self, out: &mut String) {
        for (variable, name) in self.model.variables.iter().zip(self.variables.clone()) {
            self.declaration(variable, &name, out);
        }
        for vector in &self.model.vectors {
            let parts = &vector.participants;
            let strong = parts.iter().filter(|part| !part.weak).count();
            let kind = match (strong, parts.len()) {
                (_, 0 | 1) => continue,
                (2, 2) => "chan",
                (1, _) => "broadcast chan",
                _ => {
                    let message = "UPPAAL has no synchronisation of three or more processes that must all take part, and none without a mandatory participant";
                    self.refuse(vector.span, message);
                    continue;
                }
            };
            let sender = parts.iter().position(|part| !part.weak).unwrap_or(0);
            let event = self.model.events[parts[sender].event].name.clone();
            let name = self.fresh(&event);
            let _ = writeln!(out, "{kind} {name};");
            for (position, part) in parts.iter().enumerate() {
                self.synchronised.insert((part.process, part.event));
                let sends = position == sender;
                self.channels.entry((part.process, part.event)).or_default().push((name.clone(), sends));
            }
        }
    }

    fn declaration(&mut self, variable: &Variable, name: &str, out: &mut String) {
        let (element, size) = match &variable.ty {
            Type::Array { index, element } => (element.as_ref(), format!("[{}]", index.len())),
            other => (other, String::new()),
        };
        match (&variable.first, element.range()) {
            (Err(first), _) => {
                let clocks = (0..variable.ty.size() as usize)
                    .map(|i| self.model.clocks[ClockId::from_index(first.index() + i)].initial);
                let clocks: Vec<i32> = clocks.collect();
                let initial = match clocks.iter().all(|&initial| initial == 0) {
                    true => String::new(),
                    false => format!(" = {}", written(&clocks, &size)),
                };
                let _ = writeln!(out, "clock {name}{size}{initial};");
            }
            (Ok(first), Some(range)) => {
                let cells = (0..variable.ty.size() as usize)
                    .map(|i| self.model.cells[CellId::from_index(first.index() + i)].initial);
                let initial = written(&cells.collect::<Vec<_>>(), &size);
                let _ = writeln!(out, "int[{},{}] {name}{size} = {initial};", range.min, range.max);
            }
            (Ok(_), None) => {
                self.refuse(variable.span, "only integers and arrays of integers can be written")
            }
        }
    }

    fn process(&mut self, id: ProcessId, out: &mut String) {
        let process = &self.model.processes[id];
        let numbers = std::mem::take(&mut self.numbers);
        let locations: Vec<String> =
            process.locations.iter().map(|location| self.fresh(&location.name)).collect();
        // Other processes can have locations with the same names.
        locations.iter().for_each(|name| _ = self.taken.remove(name));
        self.numbers = numbers;
        let mut functions = String::new();
        let edges = self.edges(id, process, &locations, &mut functions);
        let _ = writeln!(out, "\nprocess {}() {{", self.processes[id.index()]);
        out.push_str(&functions);
        let states: Vec<String> = process
            .locations
            .iter()
            .zip(&locations)
            .map(|(location, name)| {
                let invariant = self.guard(&location.invariant);
                let invariant = if invariant.is_empty() { invariant } else { format!(" {{ {invariant} }}") };
                let labels = if location.labels.is_empty() {
                    String::new()
                } else {
                    format!(" /* {} */", location.labels.join(", "))
                };
                format!("    {name}{invariant}{labels}")
            })
            .collect();
        let _ = writeln!(out, "state\n{};", states.join(",\n"));
        for (word, kind) in [("commit", LocationKind::Committed), ("urgent", LocationKind::Urgent)] {
            let of_kind =
                process.locations.iter().zip(&locations).filter(|(location, _)| location.kind == kind);
            let names: Vec<&str> = of_kind.map(|(_, name)| name.as_str()).collect();
            if !names.is_empty() {
                let _ = writeln!(out, "{word} {};", names.join(", "));
            }
        }
        let _ = writeln!(out, "init {};", locations[process.initial.index()]);
        if !edges.is_empty() {
            let _ = writeln!(out, "trans\n{};", edges.join(",\n"));
        }
        out.push_str("}\n");
    }

    /// The edges of a process, one for each channel of its event.
    fn edges(
        &mut self,
        id: ProcessId,
        process: &Process,
        locations: &[String],
        functions: &mut String,
    ) -> Vec<String> {
        let mut list = Vec::new();
        for edge in &process.edges {
            let labels = self.labels(edge, functions);
            let [source, target] = [edge.source, edge.target].map(|location| &locations[location.index()]);
            let Action::Event(event) = edge.action else {
                self.refuse(edge.span, "only events can be written");
                continue;
            };
            match self.channels.get(&(id, event)) {
                Some(channels) if self.synchronised.contains(&(id, event)) => {
                    for (channel, sends) in channels {
                        let mark = if *sends { '!' } else { '?' };
                        let (guard, assign) = &labels;
                        list.push(format!(
                            "    {source} -> {target} {{ {guard}sync {channel}{mark}; {assign}}}"
                        ));
                    }
                }
                _ => list.push(format!("    {source} -> {target} {{ {}{}}}", labels.0, labels.1)),
            }
        }
        list
    }

    fn labels(&mut self, edge: &Edge, functions: &mut String) -> (String, String) {
        let guard = self.guard(&edge.guard);
        let guard = if guard.is_empty() { guard } else { format!("guard {guard}; ") };
        let updates: Vec<String> =
            edge.updates.iter().map(|&update| self.update(update, functions)).collect();
        let assign =
            if updates.is_empty() { String::new() } else { format!("assign {}; ", updates.join(", ")) };
        (guard, assign)
    }

    /// An update; functions of the network become functions of the template.
    fn update(&mut self, update: ExprId, functions: &mut String) -> String {
        if let ExprKind::Call { function, .. } = self.model.exprs[update].kind {
            let body = &self.model.functions[function];
            let name = self.fresh(&format!("update_{}", function.index()));
            let _ = writeln!(functions, "void {name}() {{");
            if body.frame > 0 {
                let _ = writeln!(functions, "    int32_t local[{}];", body.frame);
            }
            self.block(&body.body, 1, functions);
            functions.push_str("}\n");
            return format!("{name}()");
        }
        self.expr(update)
    }

    fn block(&mut self, block: &Block, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        for stmt in block {
            match stmt {
                Stmt::Expr(expr) => drop(writeln!(out, "{indent}{};", self.expr(*expr))),
                Stmt::If { arms, otherwise } => {
                    for (index, (condition, block)) in arms.iter().enumerate() {
                        let word = if index == 0 { "if" } else { "else if" };
                        let _ = writeln!(out, "{indent}{word} ({}) {{", self.expr(*condition));
                        self.block(block, depth + 1, out);
                        let _ = writeln!(out, "{indent}}}");
                    }
                    if !otherwise.is_empty() {
                        let _ = writeln!(out, "{indent}else {{");
                        self.block(otherwise, depth + 1, out);
                        let _ = writeln!(out, "{indent}}}");
                    }
                }
                Stmt::While { condition, body, step } => {
                    let _ = writeln!(out, "{indent}while ({}) {{", self.expr(*condition));
                    self.block(body, depth + 1, out);
                    self.block(step, depth + 1, out);
                    let _ = writeln!(out, "{indent}}}");
                }
                Stmt::ForRange { local, range, body } => {
                    let _ = writeln!(out, "{indent}for (i{depth} : int[{},{}]) {{", range.min, range.max);
                    let _ = writeln!(out, "{indent}    local[{local}] = i{depth};");
                    self.block(body, depth + 1, out);
                    let _ = writeln!(out, "{indent}}}");
                }
                Stmt::DoWhile { .. } | Stmt::Return(_) | Stmt::ReturnCells { .. } | Stmt::Assert(_) => {
                    unreachable!("TChecker has no such statement")
                }
            }
        }
    }

    fn guard(&mut self, guard: &Guard) -> String {
        let mut parts: Vec<String> =
            guard.conditions.iter().map(|&condition| self.operand(condition)).collect();
        for condition in &guard.clocks {
            let atom = self.atom(&condition.atom);
            parts.push(match condition.when {
                None => atom,
                Some(when) => format!("({} imply {atom})", self.operand(when)),
            });
        }
        parts.join(" && ")
    }

    fn atom(&mut self, atom: &ClockAtom) -> String {
        let left = self.clock(&atom.left);
        let right = atom.right.as_ref().map_or(String::new(), |right| format!(" - {}", self.clock(right)));
        format!("{left}{right} {} {}", atom.compare.text(), self.operand(atom.bound))
    }

    fn operand(&mut self, expr: ExprId) -> String {
        let text = self.expr(expr);
        match self.model.exprs[expr].kind {
            ExprKind::Int(value) if value >= 0 => text,
            ExprKind::Load(_) => text,
            _ => format!("({text})"),
        }
    }

    fn expr(&mut self, expr: ExprId) -> String {
        let span = self.model.exprs[expr].span;
        match self.model.exprs[expr].kind.clone() {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Load(place) => self.place(&place),
            ExprKind::Unary(UnaryOp::Negate, operand) => format!("-{}", self.operand(operand)),
            ExprKind::Unary(UnaryOp::Not, operand) => format!("!{}", self.operand(operand)),
            ExprKind::Unary(UnaryOp::Truth, operand) => format!("{} != 0", self.operand(operand)),
            ExprKind::Unary(UnaryOp::Absolute, operand) => format!("abs({})", self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                format!("{} {} {}", self.operand(left), op.text(), self.operand(right))
            }
            ExprKind::Conditional(condition, yes, no) => {
                format!("{} ? {} : {}", self.operand(condition), self.operand(yes), self.operand(no))
            }
            ExprKind::Assign { op: AssignOp::Set, target, value } => {
                format!("{} = {}", self.place(&target), self.expr(value))
            }
            ExprKind::SetClock { target, source: None, value } => {
                format!("{} = {}", self.clock(&target), self.expr(value))
            }
            ExprKind::SetClock { target, source: Some(source), value } => {
                format!("{} = {} + {}", self.clock(&target), self.clock(&source), self.operand(value))
            }
            ExprKind::Clock(atom) => self.atom(&atom),
            ExprKind::Sequence(parts) => {
                parts.iter().map(|&part| self.expr(part)).collect::<Vec<_>>().join(", ")
            }
            _ => {
                self.refuse(span, "this has no counterpart in UPPAAL");
                String::new()
            }
        }
    }

    fn place(&mut self, place: &CellPlace) -> String {
        match place.root {
            Root::Local(slot) => {
                let mut index = (slot + place.offset).to_string();
                for step in &place.indices {
                    let element = match step.range.min {
                        0 => self.operand(step.index),
                        min => format!("({} - {min})", self.operand(step.index)),
                    };
                    let _ = write!(index, " + {element}");
                    if step.stride != 1 {
                        let _ = write!(index, " * {}", step.stride);
                    }
                }
                format!("local[{index}]")
            }
            Root::Reference(_) => unreachable!("TChecker has no references"),
            Root::Global(cell) => {
                let cell = cell.index() + place.offset as usize;
                self.element(|variable| variable.first.ok().map(CellId::index), cell, &place.indices)
            }
        }
    }

    fn clock(&mut self, place: &ClockPlace) -> String {
        let Root::Global(clock) = place.root else { unreachable!("clocks are global") };
        let clock = clock.index() + place.offset as usize;
        self.element(|variable| variable.first.err().map(ClockId::index), clock, &place.indices)
    }

    /// The variable of a cell or clock, with an index if it is an array.
    fn element(
        &mut self,
        first: impl Fn(&Variable) -> Option<usize>,
        at: usize,
        indices: &[IndexStep],
    ) -> String {
        let has = |variable: &Variable| {
            first(variable).is_some_and(|f| f <= at && at < f + variable.ty.size() as usize)
        };
        let Some(position) = self.model.variables.iter().position(has) else { return String::new() };
        let variable = &self.model.variables[position];
        let distance = at - first(variable).unwrap_or(at);
        let name = self.variables[position].clone();
        match (&variable.ty, indices.first()) {
            (Type::Array { .. }, Some(step)) => format!("{name}[{}]", self.expr(step.index)),
            (Type::Array { .. }, None) => format!("{name}[{distance}]"),
            _ => name,
        }
    }
}

/// Words that are reserved in UPPAAL and not in TChecker.
const RESERVED: &[&str] = &[
    "chan",
    "clock",
    "bool",
    "int",
    "commit",
    "const",
    "urgent",
    "broadcast",
    "init",
    "process",
    "state",
    "guard",
    "sync",
    "assign",
    "system",
    "trans",
    "deadlock",
    "and",
    "or",
    "not",
    "imply",
    "true",
    "false",
    "for",
    "forall",
    "exists",
    "while",
    "do",
    "if",
    "else",
    "return",
    "typedef",
    "struct",
    "meta",
    "select",
    "default",
    "priority",
    "progress",
    "scalar",
    "void",
    "double",
    "sum",
    "abs",
    "min",
    "max",
    "switch",
    "case",
    "continue",
    "break",
    "enum",
    "branchpoint",
    "probability",
    "query",
    "gantt",
    "assert",
    "hybrid",
    "string",
    "dynamic",
    "spawn",
    "exit",
    "import",
];
