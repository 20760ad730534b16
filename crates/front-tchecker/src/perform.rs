//! Lowering of statements, and of the attributes of edges and locations.
//!
//! Statements that only assign become the updates of their edge. As soon as one declares a local variable,
//! branches or loops, all statements of the edge become the body of a function without parameters, named
//! after the process and the number of the edge, and the edge calls it. Each local variable has cells of its
//! own in the frame of that function, so two blocks never share any; it gets its value where it is declared,
//! each time that place is passed.

use std::collections::HashSet;

use tourbillon_base::{Diagnostic, Span};
use tourbillon_model::*;

use crate::attributes::{EdgeAttributes, LocationAttributes};
use crate::codes;
use crate::declare::ModelBuilder;
use crate::formula;
use crate::lines::Word;
use crate::lower::{Local, Operand, Resolved};
use crate::tree::*;

/// How many local variables can be seen at one place at most.
const LOCALS_MAX: usize = 1000;
/// How many cells the local variables of one edge take at most.
const FRAME_MAX: u32 = 1 << 16;

impl<'t> ModelBuilder<'t, '_> {
    /// Reads all values of all attributes, process by process: locations, then edges.
    pub(crate) fn lower(&mut self) {
        for process in self.model.processes.ids() {
            let texts = &mut self.process_texts[process];
            let locations = std::mem::take(&mut texts.location_attributes);
            let edges = std::mem::take(&mut texts.edge_attributes);
            for (id, attributes) in self.model.processes[process].locations.ids().zip(&locations) {
                self.location_values(process, id, attributes);
            }
            for (number, attributes) in edges.iter().enumerate() {
                self.edge_values(process, number, attributes);
            }
            self.process_texts[process].edge_attributes = edges;
        }
    }

    fn location_values(
        &mut self,
        process: ProcessId,
        location: LocationId,
        attributes: &LocationAttributes<'t>,
    ) {
        let invariant = self.conjunction(&attributes.invariant);
        self.model.processes[process].locations[location].invariant = invariant;
    }

    fn edge_values(&mut self, process: ProcessId, number: usize, attributes: &EdgeAttributes<'t>) {
        let guard = self.conjunction(&attributes.provided);
        let mut statements = Vec::new();
        for value in &attributes.statements {
            statements.extend(formula::statements(self.text, value.span, self.out).unwrap_or_default());
        }
        let simple = statements
            .iter()
            .all(|statement| matches!(statement.kind, StatementKind::Nop | StatementKind::Assign(_)));
        let updates = match simple {
            true => statements.iter().filter_map(|statement| self.assignment(statement)).collect(),
            false => self.function(process, number, &statements).into_iter().collect(),
        };
        let edge = &mut self.model.processes[process].edges[number];
        (edge.guard, edge.updates) = (guard, updates);
    }

    fn conjunction(&mut self, values: &[Word<'t>]) -> Guard {
        let parts =
            values.iter().filter_map(|value| formula::condition(self.text, value.span, self.out)).collect();
        self.guard(parts)
    }

    /// The call of a function that does all this.
    fn function(
        &mut self,
        process: ProcessId,
        number: usize,
        statements: &[Statement<'t>],
    ) -> Option<ExprId> {
        let span = statements.first()?.span.to(statements.last()?.span);
        self.locals = Default::default();
        let body = self.block(statements);
        let locals = std::mem::take(&mut self.locals);
        let function = self.model.functions.push(Function {
            name: format!("{}.edge{number}", self.model.processes[process].name),
            parameters: Vec::new(),
            returns: None,
            frame: locals.frame,
            body,
            is_pure: false,
            span,
        });
        Some(self.push(ExprKind::Call { function, arguments: Vec::new() }, span))
    }

    fn block(&mut self, statements: &[Statement<'t>]) -> Block {
        let outer = self.locals.list.len();
        let mut block = Block::new();
        for statement in statements {
            block.extend(self.statement(statement));
        }
        let ended: Vec<_> = self.locals.list.drain(outer..).map(|local| (local.name, local.span)).collect();
        self.locals.ended.extend(ended);
        block
    }

    fn statement(&mut self, statement: &Statement<'t>) -> Option<Stmt> {
        match &statement.kind {
            StatementKind::Nop | StatementKind::Assign(_) => self.assignment(statement).map(Stmt::Expr),
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let then = self.block(then);
                let otherwise = self.block(otherwise);
                Some(Stmt::If { arms: vec![(condition?, then)], otherwise })
            }
            StatementKind::While { condition, body } => {
                let test = self.condition(condition);
                if test.is_some() {
                    self.endless(condition, body);
                }
                let body = self.block(body);
                Some(Stmt::While { condition: test?, body, step: Block::new() })
            }
            StatementKind::Local { name, name_span, initial, size } => {
                self.local(name, *name_span, initial.as_ref(), size.as_ref())
            }
        }
    }

    /// Nothing for a statement that does nothing, or is wrong, which is reported.
    fn assignment(&mut self, statement: &Statement<'t>) -> Option<ExprId> {
        let StatementKind::Assign(sides) = &statement.kind else { return None };
        let [target, value] = &**sides;
        let target = self.resolve(target);
        match target {
            Some(Resolved::Data(target)) => {
                let expr = self.term(value)?;
                if let Some(constant) = value.constant
                    && !target.range.contains(constant)
                {
                    let Range { min, max } = target.range;
                    let message =
                        format!("{constant} is not between {min} and {max}: this can never be executed");
                    self.out.push(Diagnostic::warning(codes::VALUE_OUT_OF_RANGE, value.span, message));
                }
                let kind = ExprKind::Assign { op: AssignOp::Set, target, value: expr };
                Some(self.push(kind, statement.span))
            }
            Some(Resolved::Clock(target)) => self.clock_assignment(target, value, statement.span),
            None => {
                // Only for what is wrong with the value, too.
                if matches!(self.side(value), Operand::Data) {
                    self.term(value);
                }
                None
            }
        }
    }

    fn clock_assignment(&mut self, target: ClockPlace, value: &Node<'t>, span: Span) -> Option<ExprId> {
        let (source, added) = match (self.side(value), &value.kind) {
            (Operand::Data, _) => (None, Some(value)),
            (Operand::Clock(source), _) => (Some(source), None),
            (_, NodeKind::Arithmetic(Arithmetic::Add, parts)) => {
                match (self.side(&parts[0]), self.side(&parts[1])) {
                    (Operand::Clock(source), Operand::Data) => (Some(source), Some(&parts[1])),
                    (Operand::Data, Operand::Clock(source)) => (Some(source), Some(&parts[0])),
                    _ => return self.bad_clock_value(value),
                }
            }
            _ => return self.bad_clock_value(value),
        };
        if let (None, Some(constant)) = (source, added.and_then(|added| added.constant))
            && constant < 0
        {
            self.error(codes::NEGATIVE_CLOCK, value.span, "a clock cannot be set to a negative value");
        }
        let source = match source {
            Some(source) => Some(self.clock_place(source)?),
            None => None,
        };
        let value = match added {
            Some(added) => self.term(added)?,
            None => self.push(ExprKind::Int(0), value.span),
        };
        Some(self.push(ExprKind::SetClock { target, source, value }, span))
    }

    fn bad_clock_value(&mut self, value: &Node<'t>) -> Option<ExprId> {
        let message = "a clock cannot be set to this";
        let diagnostic = Diagnostic::error(codes::CLOCK_ASSIGNMENT, value.span, message);
        let subtracts = matches!(value.kind, NodeKind::Arithmetic(Arithmetic::Subtract, _));
        self.out.push(match subtracts {
            true => diagnostic.help("a term can be added only: write `y + -t` for `y - t`"),
            false => {
                diagnostic.help("write `x = t`, `x = y` or `x = y + t`, with a clock `y` and a term `t`")
            }
        });
        None
    }

    /// The declaration of a local variable: room in the frame, and its first value.
    fn local(
        &mut self,
        name: &'t str,
        span: Span,
        initial: Option<&Node<'t>>,
        size: Option<&Node<'t>>,
    ) -> Option<Stmt> {
        let value = match initial {
            Some(initial) => self.term(initial),
            None if size.is_none() => Some(self.push(ExprKind::Int(0), span)),
            None => None,
        };
        let count = match size {
            Some(size) => self.local_size(size),
            None => Some(1),
        };
        let earlier = self.locals.list.iter().find(|local| local.name == name).map(|local| local.span);
        let global = || self.global_names.get(name).map(|&number| self.globals[number].span);
        if let Some(earlier) = earlier.or_else(global) {
            let message = format!("`{name}` exists already");
            let diagnostic = Diagnostic::error(codes::DUPLICATE, span, message);
            self.out.push(diagnostic.label(earlier, "declared here"));
            return None;
        }
        if self.locals.list.len() == LOCALS_MAX {
            self.error(codes::BAD_SIZE, span, format!("more than {LOCALS_MAX} local variables"));
            return None;
        }
        let slot = self.locals.frame;
        // A wrong size was reported; the name is there all the same.
        let (size, array) = (count.unwrap_or(1), size.is_some());
        self.locals.list.push(Local { name, slot, size, span });
        self.locals.frame += size + u32::from(array);
        if !array {
            let kind = ExprKind::Assign {
                op: AssignOp::Set,
                target: CellPlace::local(slot, Range::INT32),
                value: value?,
            };
            return Some(Stmt::Expr(self.push(kind, span)));
        }
        self.clear(slot, size, span)
    }

    /// Sets the elements of a local array to 0, with the cell behind it as index.
    fn clear(&mut self, slot: u32, size: u32, span: Span) -> Option<Stmt> {
        let range = Range::new(0, size as i32 - 1)?;
        let counter = slot + size;
        let index = self.push(ExprKind::Load(CellPlace::local(counter, Range::INT32)), span);
        let value = self.push(ExprKind::Int(0), span);
        let indices = vec![IndexStep { index, range, stride: 1 }];
        let target = CellPlace { indices, ..CellPlace::local(slot, Range::INT32) };
        let assign = self.push(ExprKind::Assign { op: AssignOp::Set, target, value }, span);
        Some(Stmt::ForRange { local: counter, range, body: vec![Stmt::Expr(assign)] })
    }

    fn local_size(&mut self, node: &Node<'t>) -> Option<u32> {
        let left = FRAME_MAX.saturating_sub(self.locals.frame + 1);
        let message = match node.constant {
            None => "the size of a local array is a constant".to_owned(),
            Some(..1) => "a size is at least 1".to_owned(),
            Some(value) if value as u32 > left => {
                format!("the local variables of one edge would take more than {FRAME_MAX} cells")
            }
            Some(value) => return Some(value as u32),
        };
        self.error(codes::BAD_SIZE, node.span, message);
        None
    }

    /// Warns of a loop that changes nothing that its condition reads.
    fn endless(&mut self, condition: &Node<'t>, body: &[Statement<'t>]) {
        let mut changed = HashSet::new();
        body.iter().for_each(|statement| {
            statement.for_each_assigned(&mut |name| {
                changed.insert(name);
            })
        });
        let mut depends = false;
        condition.for_each_name(&mut |name| depends |= changed.contains(name));
        let never_runs = matches!(condition.kind, NodeKind::Int(0));
        if !depends && !never_runs {
            let message = match condition.constant {
                Some(_) => "this loop never ends",
                None => "nothing in this loop changes its condition: it ends at once or never",
            };
            self.out.push(Diagnostic::warning(codes::ENDLESS_LOOP, condition.span, message));
        }
    }
}
