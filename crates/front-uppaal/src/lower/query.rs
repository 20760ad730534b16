//! Queries.

use tourbillon_base::{Diagnostic, Span};
use tourbillon_model::{
    EvalErrorKind, Expectation, ExprId, ExprKind, FunctionId, Measure, ProcessId, Query, QueryKind,
};
use tourbillon_syntax::print;
use tourbillon_syntax::tree::{self, ExtremumOp, PathQuantifier, Symbol};

use super::clock::Condition;
use super::place::Operand;
use super::types::Ty;
use super::{Lowerer, NamedEntity, codes};

/// A query and what is known about it.
#[derive(Clone, Debug)]
pub struct QueryInput<'t> {
    pub query: &'t tree::Query,
    /// As it was written; if empty, it is printed from the tree.
    pub text: String,
    /// What was written about it.
    pub comment: String,
    /// What its author expects.
    pub expected: Option<Expectation>,
    /// Whether its text has errors, so that what could be read of it is not what was asked.
    pub broken: bool,
}

impl Lowerer<'_> {
    /// Adds a query to the model. One that cannot be answered is added as refused, and why is reported.
    pub(super) fn query(&mut self, input: &QueryInput<'_>) {
        self.in_query = true;
        let errors = self.diagnostics.error_count();
        let outer = std::mem::take(&mut self.prefix);
        let (kind, frame) = self.with_frame(|lowerer| {
            lowerer.pure("a query", |lowerer| lowerer.query_kind(input.query)).unwrap_or(QueryKind::Refused)
        });
        self.prefix = outer;
        self.in_query = false;
        if let Some(span) = self.open_process.take() {
            self.error(codes::NOT_CONSTANT, span, "the process must be known statically");
        }
        if input.query.kind == tree::QueryKind::Empty {
            return;
        }
        let sound = self.diagnostics.error_count() == errors && !input.broken;
        let kind = if sound { kind } else { QueryKind::Refused };
        let text =
            if input.text.is_empty() { print::query(self.tree, input.query) } else { input.text.clone() };
        let (comment, expected, span) = (input.comment.clone(), input.expected, input.query.span);
        self.model.queries.push(Query { text, comment, kind, frame, expected, span });
    }

    fn query_kind(&mut self, query: &tree::Query) -> Option<QueryKind> {
        if let Some(strategy) = query.under {
            self.error(codes::UNSUPPORTED, strategy.span, "strategies are not supported");
            return None;
        }
        match &query.kind {
            tree::QueryKind::Error | tree::QueryKind::Empty => None,
            tree::QueryKind::Path { quantifier, predicate } => {
                let expr = self.predicate(*predicate)?;
                let kind = match quantifier {
                    PathQuantifier::AllAlways => QueryKind::Invariantly(expr),
                    PathQuantifier::ExistsEventually => QueryKind::Possibly(expr),
                    PathQuantifier::ExistsAlways => QueryKind::PotentiallyAlways(expr),
                    PathQuantifier::AllEventually => QueryKind::Eventually(expr),
                };
                let always = matches!(kind, QueryKind::Invariantly(_) | QueryKind::Possibly(_));
                (always || self.without_deadlock(expr)).then_some(kind)
            }
            tree::QueryKind::LeadsTo { from, to } => {
                let (from, to) = (self.predicate(*from), self.predicate(*to));
                let (from, to) = (from?, to?);
                (self.without_deadlock(from) && self.without_deadlock(to))
                    .then_some(QueryKind::LeadsTo(from, to))
            }
            tree::QueryKind::Extremum { op, condition, exprs } => {
                let condition = match condition {
                    Some(condition) => Some(self.predicate(*condition)?),
                    None => None,
                };
                let measures: Option<Vec<Measure>> = exprs.iter().map(|&expr| self.measure(expr)).collect();
                let (lower, upper) = (*op != ExtremumOp::Supremum, *op != ExtremumOp::Infimum);
                let sound = condition.is_none_or(|condition| self.without_deadlock(condition));
                sound.then_some(QueryKind::Bounds { condition, measures: measures?, lower, upper })
            }
            tree::QueryKind::Strategy { name, .. } => {
                self.error(codes::UNSUPPORTED, name.span, "strategies are not supported");
                None
            }
            tree::QueryKind::Special { feature, .. } => {
                let message = format!("this query needs {feature}, which is not supported");
                self.error(codes::UNSUPPORTED, query.span, message);
                None
            }
        }
    }

    /// A condition on states.
    fn predicate(&mut self, expr: tree::ExprId) -> Option<ExprId> {
        let span = self.tree[expr].span;
        let operand = self.condition_operand(expr);
        match self.condition(operand, span) {
            Condition::Poison => None,
            Condition::Data(expr) => Some(expr),
            Condition::Clocks(formula) if formula.rates.is_empty() => Some(formula.expr),
            Condition::Clocks(_) => {
                self.error(codes::BAD_RATE, span, "rates cannot be asked for");
                None
            }
            Condition::Abstracted => {
                let message = "this depends on a floating-point number or hybrid clock, which symbolic answers leave out";
                self.error(codes::UNSUPPORTED, span, message);
                None
            }
        }
    }

    fn without_deadlock(&mut self, expr: ExprId) -> bool {
        let found = self.find_deadlock(expr);
        if let Some(span) = found {
            self.error(codes::BAD_QUERY, span, "`deadlock` can be asked for in `E<>` and `A[]` only");
        }
        found.is_none()
    }

    fn find_deadlock(&self, expr: ExprId) -> Option<Span> {
        let inner = &self.model.exprs[expr];
        if inner.kind == ExprKind::Deadlock {
            return Some(inner.span);
        }
        let mut found = None;
        inner.kind.for_each_operand(&mut |operand| found = found.or_else(|| self.find_deadlock(operand)));
        found
    }

    /// Something that `sup` and `inf` can measure.
    fn measure(&mut self, expr: tree::ExprId) -> Option<Measure> {
        let span = self.tree[expr].span;
        match self.expr(expr) {
            Operand::Clock { place, ty: Ty::Clock } => Some(Measure::Clock(place, None)),
            Operand::Term(term) => match (term.plus, term.minus) {
                (Some(clock), None) => Some(Measure::Clock(clock, term.offset)),
                _ => {
                    self.error(codes::BAD_QUERY, span, "differences of clocks cannot be measured");
                    None
                }
            },
            Operand::ClockFormula(_) => {
                self.error(codes::BAD_QUERY, span, "a comparison of clocks cannot be measured");
                None
            }
            operand => self.number(operand, span).map(Measure::Data),
        }
    }

    /// `P.x` and `P(1).x`: a location or name of a process. Nothing if the record is no process.
    pub(super) fn process_member(
        &mut self,
        record: tree::ExprId,
        field: Symbol,
        span: Span,
    ) -> Option<Operand> {
        if !self.in_query {
            return None;
        }
        let Ok(process) = self.process_named(record)? else { return Some(Operand::Poison) };
        if let Some(&location) = self.process_scopes[process].locations.get(&field) {
            let expr = self.add(ExprKind::AtLocation(process, location), span);
            return Some(Operand::Value(expr, Ty::Bool));
        }
        let binding = self.process_scopes[process].names.get(&field).cloned();
        let Some(binding) = binding else {
            let text = self.tree.text(field).to_owned();
            let scope = &self.process_scopes[process];
            let known: Vec<String> = scope
                .locations
                .keys()
                .chain(scope.names.keys())
                .map(|&symbol| self.tree.text(symbol).to_owned())
                .collect();
            let message = format!("`{}` has no `{text}`", self.model.processes[process].name);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_FIELD, span, message);
            let diagnostic = self.with_suggestion(diagnostic, &text, known.iter().map(String::as_str));
            self.report(diagnostic);
            return Some(Operand::Poison);
        };
        self.mark_used_at(binding.span);
        Some(match binding.entity {
            NamedEntity::Constant(value, ty) => Operand::Value(self.int(value, span), ty),
            NamedEntity::Data { place, ty, constant } => Operand::Data { place, ty, constant, setup: None },
            NamedEntity::Clock { place, ty } => Operand::Clock { place, ty },
            NamedEntity::Abstracted => Operand::Abstracted,
            NamedEntity::Poison => Operand::Poison,
            _ => {
                let message = format!("`{}` cannot be asked for", self.tree.text(field));
                self.error(codes::WRONG_KIND, span, message);
                Operand::Poison
            }
        })
    }

    /// The function that `P.f` and `P(1).f` name; nothing if that is no function of a process, an error in it
    /// if it should be.
    pub(super) fn process_function(&mut self, callee: tree::ExprId) -> Option<Result<FunctionId, ()>> {
        let tree::ExprKind::Field { record, field } = self.tree[callee].kind else { return None };
        if !self.in_query {
            return None;
        }
        let Ok(process) = self.process_named(record)? else { return Some(Err(())) };
        let binding = self.process_scopes[process].names.get(&field).cloned()?;
        self.mark_used_at(binding.span);
        match binding.entity {
            NamedEntity::Function(function) => Some(Ok(function)),
            _ => None,
        }
    }

    /// The process that an expression names; nothing if it names none, an error in it if it should.
    fn process_named(&mut self, expr: tree::ExprId) -> Option<Result<ProcessId, ()>> {
        let tree = self.tree;
        let (name, args): (_, &[tree::ExprId]) = match &tree[expr].kind {
            tree::ExprKind::Call { callee, args } => (tree.as_name(*callee)?, args),
            _ => (tree.as_name(expr)?, &[]),
        };
        if !matches!(self.find(name.symbol), Some(NamedEntity::Template)) {
            return None;
        }
        self.mark_used(name.symbol);
        let values: Option<Vec<String>> =
            args.iter().map(|&arg| self.process_argument(arg).map(|v| v.to_string())).collect();
        let Some(values) = values else { return Some(Err(())) };
        let text = match values.is_empty() {
            true => tree.name(name).to_owned(),
            false => format!("{}({})", tree.name(name), values.join(",")),
        };
        if let Some(&process) = self.process_names.get(&text) {
            return Some(Ok(process));
        }
        let message = format!("there is no process called `{text}`");
        let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, tree[expr].span, message);
        let first =
            self.process_names.keys().filter(|name| name.starts_with(&format!("{text}("))).min().cloned();
        let diagnostic = match first {
            Some(name) => diagnostic.help(format!("did you mean `{name}`?")),
            None => {
                let names = self.process_names.keys().map(String::as_str);
                self.with_suggestion(diagnostic, &text, names)
            }
        };
        self.report(diagnostic);
        Some(Err(()))
    }

    /// The value of an argument that chooses a process. One that depends on a quantified name is noted: the
    /// quantifier will be written out.
    fn process_argument(&mut self, arg: tree::ExprId) -> Option<i32> {
        let first = self.locals.next;
        let (value, _) = self.typed_value(arg)?;
        let constant = self.try_constant(value, first);
        self.release(first);
        match constant {
            Ok(value) => Some(value),
            Err(problem) if problem.kind == EvalErrorKind::NotKnown => {
                self.open_process = Some(self.tree[arg].span);
                None
            }
            Err(_) => self.constant_value(value, first),
        }
    }
}
