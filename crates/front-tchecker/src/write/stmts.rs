//! Updates and the bodies of functions as statements.
//!
//! Local cells become local variables, called `$` and a number: no other variable can have such a name. In a
//! model that was read from TChecker text the first statement that writes a local cell is its declaration,
//! and is written as one again; in other models all are declared where the function is called, since they may
//! be written in one block and read in another.

use std::collections::BTreeSet;

use tourbillon_base::Diagnostic;
use tourbillon_model::*;

use super::Writer;
use super::exprs::{CALLS_MAX, Env, arithmetic_text};
use super::names::CellRange;
use crate::codes;

/// How long the statements of one edge can be, in bytes.
const LENGTH_MAX: usize = 1_000_000;

impl Writer<'_, '_> {
    /// The statements of an edge; nothing if they cannot be written.
    pub(super) fn updates(&mut self, updates: &[ExprId], env: &Env) -> Option<String> {
        let mut statements = Vec::new();
        let mut length = 0;
        for &update in updates {
            let before = statements.len();
            self.effect(update, &mut env.clone(), &mut statements)?;
            length += statements[before..].iter().map(String::len).sum::<usize>();
            if length > LENGTH_MAX {
                let message =
                    format!("the statements of this edge would take more than {LENGTH_MAX} characters");
                let span = self.model.exprs[update].span;
                self.out.push(Diagnostic::error(codes::TOO_LARGE_TO_WRITE, span, message));
                return None;
            }
        }
        Some(statements.join("; "))
    }

    /// What evaluating an expression changes.
    fn effect(&mut self, expr: ExprId, env: &mut Env, out: &mut Vec<String>) -> Option<()> {
        let (kind, span) = (&self.model.exprs[expr].kind, self.model.exprs[expr].span);
        match kind {
            ExprKind::Assign { op, target, value } => {
                if let Some(declaration) = self.declaration(*op, target, *value, env) {
                    out.push(declaration?);
                    return Some(());
                }
                let place = self.place(target, 0, env, expr)?;
                let value = match op {
                    AssignOp::Set => self.term(*value, env)?,
                    AssignOp::With(op) => {
                        let Some(sign) = arithmetic_text(*op) else {
                            return self.refuse(span, "an operation on bits");
                        };
                        format!("{place} {sign} {}", self.operand(*value, env)?)
                    }
                };
                out.push(format!("{place} = {value}"));
            }
            ExprKind::PostIncrement { target, delta } => {
                let place = self.place(target, 0, env, expr)?;
                let sign = if *delta > 0 { "+" } else { "-" };
                out.push(format!("{place} = {place} {sign} 1"));
            }
            ExprKind::Copy { target, source, count } => {
                for cell in 0..*count {
                    let target = self.place(target, cell, env, expr)?;
                    out.push(format!("{target} = {}", self.place(source, cell, env, expr)?));
                }
            }
            ExprKind::SetClock { target, source, value } => {
                let target = self.clock(target, env, *value)?;
                let value = match source {
                    None => self.term(*value, env)?,
                    Some(source) => {
                        let source = self.clock(source, env, *value)?;
                        match self.model.exprs[*value].kind {
                            ExprKind::Int(0) => source,
                            _ => format!("{} + {source}", self.term(*value, env)?),
                        }
                    }
                };
                out.push(format!("{target} = {value}"));
            }
            ExprKind::Sequence(parts) => {
                for part in parts {
                    self.effect(*part, env, out)?;
                }
            }
            ExprKind::Call { function, arguments } => self.call(*function, arguments, env, expr, out)?,
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.condition(*condition, env)?.join(" && ");
                let mut arms = [Vec::new(), Vec::new()];
                self.effect(*yes, &mut env.clone(), &mut arms[0])?;
                self.effect(*no, &mut env.clone(), &mut arms[1])?;
                let [yes, no] = arms.map(|arm| joined(&arm));
                out.push(format!("if {condition} then {yes} else {no} end"));
            }
            // What only computes a value changes nothing, unless something inside of it does: then this
            // refuses it.
            _ => {
                self.term(expr, env)?;
            }
        }
        Some(())
    }

    /// The declaration of a local variable that is written here for the first time; nothing if it is none.
    fn declaration(
        &mut self,
        op: AssignOp,
        target: &CellPlace,
        value: ExprId,
        env: &mut Env,
    ) -> Option<Option<String>> {
        let Root::Local(slot) = target.root else { return None };
        let first = env.declares && op == AssignOp::Set && target.indices.is_empty() && target.offset == 0;
        if !first || env.local(slot).is_some() {
            return None;
        }
        let text = self.term(value, env).map(|value| format!("local ${slot} = {value}"));
        env.locals.insert(slot, CellRange { name: format!("${slot}"), size: 1 });
        Some(text)
    }

    /// A function at the place where it is called.
    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        env: &Env,
        expr: ExprId,
        out: &mut Vec<String>,
    ) -> Option<()> {
        let called = &self.model.functions[function];
        let span = self.model.exprs[expr].span;
        if self.depth == CALLS_MAX {
            return self.refuse(span, "so deeply nested calls");
        }
        self.calls += 1;
        let own = self.model.language == Language::TChecker;
        let mut frame = Env { declares: own, ..Env::default() };
        if !own {
            self.frame(called, &mut frame, out);
            for (slot, argument) in (0..).zip(arguments) {
                let Argument::Value(value) = argument else {
                    let what = format!("an array, record or reference as argument of `{}`", called.name);
                    return self.refuse(span, what);
                };
                let value = self.term(*value, env)?;
                out.push(format!("{} = {value}", local_name(self.calls, slot)));
            }
        }
        self.depth += 1;
        let done = self.block(&called.body, &mut frame, called, out);
        self.depth -= 1;
        done
    }

    /// Declares all local cells of a function. Those that an index can reach are one array.
    fn frame(&mut self, called: &Function, frame: &mut Env, out: &mut Vec<String>) {
        let mut joined: BTreeSet<u64> = BTreeSet::new();
        let mut join = |place: &CellPlace| {
            let Root::Local(slot) = place.root else { return };
            let reach = place.indices.iter().map(|step| (step.range.len() - 1) * u64::from(step.stride));
            let start = u64::from(slot) + u64::from(place.offset);
            let end = start.saturating_add(reach.sum()).min(called.frame.into());
            joined.extend(start..end);
        };
        let exprs = &self.model.exprs;
        let mut waiting = Vec::new();
        for_each_expr(&called.body, &mut |expr| waiting.push(expr));
        while let Some(expr) = waiting.pop() {
            match &exprs[expr].kind {
                ExprKind::Load(place)
                | ExprKind::Assign { target: place, .. }
                | ExprKind::PostIncrement { target: place, .. } => join(place),
                ExprKind::Copy { target: one, source: two, .. }
                | ExprKind::SameCells { left: one, right: two, .. } => {
                    join(one);
                    join(two);
                }
                _ => {}
            }
            exprs[expr].kind.for_each_operand(&mut |operand| waiting.push(operand));
        }
        let mut slot = 0;
        while slot < called.frame {
            let mut end = slot;
            while joined.contains(&u64::from(end)) && end + 1 < called.frame {
                end += 1;
            }
            let (name, size) = (local_name(self.calls, slot), (end - slot + 1) as usize);
            out.push(if size == 1 { format!("local {name}") } else { format!("local {name}[{size}]") });
            frame.locals.insert(slot, CellRange { name, size });
            slot = end + 1;
        }
    }

    fn block(
        &mut self,
        block: &Block,
        env: &mut Env,
        called: &Function,
        out: &mut Vec<String>,
    ) -> Option<()> {
        for (number, stmt) in block.iter().enumerate() {
            let last = number + 1 == block.len() && std::ptr::eq(block, &called.body);
            match stmt {
                Stmt::Expr(expr) => self.effect(*expr, env, out)?,
                Stmt::Return(None) if last => {}
                Stmt::Return(Some(expr)) if last => self.effect(*expr, env, out)?,
                Stmt::Return(_) | Stmt::ReturnCells { .. } => {
                    return self.refuse(called.span, format_args!("a `return` inside of `{}`", called.name));
                }
                Stmt::Assert(expr) => {
                    return self.refuse(self.model.exprs[*expr].span, "an assertion");
                }
                Stmt::If { arms, otherwise } => {
                    let text = self.branches(arms, otherwise, env, called)?;
                    out.push(text);
                }
                Stmt::While { condition, body, step } => {
                    let condition = self.condition(*condition, env)?.join(" && ");
                    let mut inner = Vec::new();
                    let mut scope = env.clone();
                    self.block(body, &mut scope, called, &mut inner)?;
                    self.block(step, &mut scope, called, &mut inner)?;
                    out.push(format!("while {condition} do {} end", joined(&inner)));
                }
                Stmt::DoWhile { body, condition } => {
                    self.block(body, env, called, out)?;
                    let condition = self.condition(*condition, env)?.join(" && ");
                    let mut inner = Vec::new();
                    self.block(body, &mut env.clone(), called, &mut inner)?;
                    out.push(format!("while {condition} do {} end", joined(&inner)));
                }
                Stmt::ForRange { local, range, body } => {
                    if let Some((slot, size)) = self.cleared(*local, *range, body, env) {
                        out.push(format!("local ${slot}[{size}]"));
                        env.locals.insert(slot, CellRange { name: format!("${slot}"), size });
                        continue;
                    }
                    self.counted(*local, *range, body, env, called, out)?;
                }
            }
        }
        Some(())
    }

    fn branches(
        &mut self,
        arms: &[(ExprId, Block)],
        otherwise: &Block,
        env: &Env,
        called: &Function,
    ) -> Option<String> {
        let mut inner = Vec::new();
        let Some(((condition, block), rest)) = arms.split_first() else {
            self.block(otherwise, &mut env.clone(), called, &mut inner)?;
            return Some(joined(&inner));
        };
        let condition = self.condition(*condition, env)?.join(" && ");
        self.block(block, &mut env.clone(), called, &mut inner)?;
        let then = joined(&inner);
        if rest.is_empty() && otherwise.is_empty() {
            return Some(format!("if {condition} then {then} end"));
        }
        let otherwise = self.branches(rest, otherwise, env, called)?;
        Some(format!("if {condition} then {then} else {otherwise} end"))
    }

    /// A loop over the values of a range, with a variable to count.
    fn counted(
        &mut self,
        local: u32,
        range: Range,
        body: &Block,
        env: &mut Env,
        called: &Function,
        out: &mut Vec<String>,
    ) -> Option<()> {
        let Some(counter) =
            env.local(local).filter(|(run, _)| run.size == 1).map(|(run, _)| run.name.clone())
        else {
            return self.refuse(called.span, format_args!("a loop of `{}`", called.name));
        };
        let mut inner = Vec::new();
        self.block(body, &mut env.clone(), called, &mut inner)?;
        inner.push(format!("{counter} = {counter} + 1"));
        // Counting past the greatest integer would never end.
        if range.max == i32::MAX {
            return self.refuse(called.span, format_args!("a loop of `{}`", called.name));
        }
        out.push(format!("{counter} = {}", range.min));
        out.push(format!("while {counter} <= {} do {} end", range.max, joined(&inner)));
        Some(())
    }

    /// The array that a loop sets to 0 because it is declared there, as this crate's reader does.
    fn cleared(&self, counter: u32, range: Range, body: &Block, env: &Env) -> Option<(u32, usize)> {
        let [Stmt::Expr(assign)] = body.as_slice() else { return None };
        let ExprKind::Assign { op: AssignOp::Set, target, value } = &self.model.exprs[*assign].kind else {
            return None;
        };
        let (Root::Local(slot), [step]) = (target.root, target.indices.as_slice()) else { return None };
        let size = u32::try_from(range.len()).ok()?;
        let own = env.declares && range.min == 0 && step.range == range && counter == slot + size;
        let zero = self.model.exprs[*value].kind == ExprKind::Int(0);
        let counts = matches!(&self.model.exprs[step.index].kind, ExprKind::Load(place) if *place == CellPlace::local(counter, Range::INT32));
        (own && zero && counts && env.local(slot).is_none()).then_some((slot, size as usize))
    }
}

/// Calls `visit` with every expression directly in the statements of a block, and of the blocks in it.
fn for_each_expr(block: &Block, visit: &mut impl FnMut(ExprId)) {
    for stmt in block {
        match stmt {
            Stmt::Expr(expr) | Stmt::Assert(expr) | Stmt::Return(Some(expr)) => visit(*expr),
            Stmt::Return(None) | Stmt::ReturnCells { .. } => {}
            Stmt::If { arms, otherwise } => {
                for (condition, block) in arms {
                    visit(*condition);
                    for_each_expr(block, visit);
                }
                for_each_expr(otherwise, visit);
            }
            Stmt::While { condition, body, step } => {
                visit(*condition);
                for_each_expr(body, visit);
                for_each_expr(step, visit);
            }
            Stmt::DoWhile { body, condition } => {
                visit(*condition);
                for_each_expr(body, visit);
            }
            Stmt::ForRange { body, .. } => for_each_expr(body, visit),
        }
    }
}

fn local_name(call: usize, slot: u32) -> String {
    format!("${call}_{slot}")
}

fn joined(statements: &[String]) -> String {
    if statements.is_empty() { "nop".to_owned() } else { statements.join("; ") }
}
