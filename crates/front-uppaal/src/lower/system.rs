//! The system: which processes there are, with which parameters and priorities.

use std::collections::HashSet;

use tourbillon_base::{Diagnostic, Span};
use tourbillon_model::{CellKind, ChannelId, ChannelPlace, ClockPlace, Place, Range};
use tourbillon_syntax::tree::{self, ChannelRef, Item, Name, Param, Symbol};

use super::place::Operand;
use super::types::Ty;
use super::{Binding, Entity, Lowerer, QueryInput, Scope, codes, offset_id};

/// The most processes that a model may have.
const PROCESSES_MAX: usize = 1 << 16;

impl<'t> Lowerer<'t> {
    pub(super) fn items(&mut self, items: &'t [Item]) {
        let mut system: Option<&'t tree::SystemLine> = None;
        let mut queries = Vec::new();
        for item in items {
            match item {
                Item::Decl(decl) => self.decl(decl),
                Item::Template(template) => {
                    self.declare(template.name, Entity::Template, Some("template"));
                    self.templates.entry(template.name.symbol).or_insert(template);
                }
                Item::Instance(instance) => {
                    self.declare(instance.name, Entity::Template, Some("process"));
                    self.instances.entry(instance.name.symbol).or_insert(instance);
                }
                Item::System(line) => match system {
                    None => system = Some(line),
                    Some(earlier) => {
                        let diagnostic =
                            Diagnostic::error(codes::BAD_SYSTEM, line.span, "there are two system lines");
                        self.report(diagnostic.label(earlier.span, "this is the other"));
                    }
                },
                Item::Progress(_) => {}
                Item::Gantt(gantt) => {
                    let message = "a Gantt chart makes no difference to symbolic answers";
                    self.report(Diagnostic::note(codes::IGNORED, gantt.span, message));
                }
                Item::Query(query) => queries.push(query),
                Item::Io(_) => {}
            }
        }
        if let Some(system) = system {
            self.system(system);
        }
        self.try_unused_templates(items);
        self.channel_priorities();
        for query in queries {
            self.query(&QueryInput { query, text: String::new(), comment: String::new(), expected: None });
        }
    }

    fn system(&mut self, line: &'t tree::SystemLine) {
        let mut listed: HashSet<Symbol> = HashSet::new();
        for (priority, group) in (0..).zip(&line.groups) {
            for &name in group {
                if !listed.insert(name.symbol) {
                    let message = format!("`{}` is listed twice", self.tree.name(name));
                    self.error(codes::BAD_SYSTEM, name.span, message);
                    continue;
                }
                self.listed(name, priority);
            }
        }
        if line.groups.iter().all(Vec::is_empty) {
            self.error(codes::BAD_SYSTEM, line.span, "the system has no process");
        }
    }

    /// The processes that a name on the system line stands for.
    fn listed(&mut self, name: Name, priority: u32) {
        let params = match self.look_up(name) {
            Some(Entity::Template) => self.params_of(name.symbol),
            Some(Entity::Poison) | None => return,
            Some(Entity::Unsupported(what)) => {
                self.error(codes::UNSUPPORTED, name.span, format!("{what} are not supported"));
                return;
            }
            Some(_) => {
                let message = format!("`{}` is not a template or process", self.tree.name(name));
                return self.error(codes::WRONG_KIND, name.span, message);
            }
        };
        let text = self.tree.name(name).to_owned();
        let mut open = Vec::new();
        self.enumerate(params, &mut Vec::new(), &mut Scope::new(), name, &mut |values, scope| {
            open.push((values.to_vec(), scope.clone()));
        });
        for (values, scope) in open {
            if self.model.processes.len() >= PROCESSES_MAX {
                let message = format!("the system has more than {PROCESSES_MAX} processes");
                return self.error(codes::MODEL_TOO_LARGE, name.span, message);
            }
            let process = match values.is_empty() {
                true => text.clone(),
                false => {
                    format!("{text}({})", values.iter().map(i32::to_string).collect::<Vec<_>>().join(","))
                }
            };
            self.instantiate(name.symbol, process, priority, scope, 0);
        }
    }

    fn params_of(&self, symbol: Symbol) -> &'t [Param] {
        match (self.instances.get(&symbol), self.templates.get(&symbol)) {
            (Some(instance), _) => &instance.params,
            (None, Some(template)) => &template.params,
            (None, None) => &[],
        }
    }

    /// Calls `found` with each combination of values for parameters that are still open on the system line.
    fn enumerate(
        &mut self,
        params: &'t [Param],
        values: &mut Vec<i32>,
        scope: &mut Scope,
        name: Name,
        found: &mut impl FnMut(&[i32], &Scope),
    ) {
        let Some((param, rest)) = params.split_first() else { return found(values, scope) };
        let known = scope.clone();
        let ty = self.in_scope(known, |lowerer| lowerer.ty(&param.ty, &param.dimensions));
        let bounded = matches!(ty, Ty::Int(range) if range != Range::INT16)
            || matches!(ty, Ty::Scalar { .. } | Ty::Bool);
        let Some(range) =
            ty.range().filter(|range| bounded && !param.by_reference && range.len() <= PROCESSES_MAX as u64)
        else {
            if ty != Ty::Poison {
                let text = self.tree.name(name).to_owned();
                let message = format!(
                    "`{text}` cannot be listed as it is: its parameter has no bounded range of values"
                );
                let diagnostic = Diagnostic::error(codes::BAD_SYSTEM, name.span, message);
                self.report(
                    diagnostic
                        .label(param.span, "this parameter")
                        .help(format!("make a process of it first, as in `P = {text}(…);`")),
                );
            }
            return;
        };
        for value in range.values() {
            values.push(value);
            let entity = Entity::Constant(value, ty.clone());
            scope.insert(param.name.symbol, Binding { entity, span: Some(param.name.span) });
            self.enumerate(rest, values, scope, name, found);
            values.pop();
        }
        scope.remove(&param.name.symbol);
    }

    /// Makes a process of a template, or of what stands for one with some arguments, whose parameters are bound.
    fn instantiate(&mut self, symbol: Symbol, process: String, priority: u32, scope: Scope, depth: usize) {
        if let Some(&instance) = self.instances.get(&symbol) {
            if depth > self.instances.len() {
                let message = format!("`{}` is made from itself", self.tree.name(instance.name));
                return self.error(codes::RECURSION, instance.name.span, message);
            }
            let params = match self.look_up(instance.template) {
                Some(Entity::Template) => self.params_of(instance.template.symbol),
                Some(Entity::Poison) | None => return,
                Some(_) => {
                    let message = format!("`{}` is not a template", self.tree.name(instance.template));
                    return self.error(codes::WRONG_KIND, instance.template.span, message);
                }
            };
            if params.len() != instance.args.len() {
                let text = self.tree.name(instance.template).to_owned();
                let message =
                    format!("`{text}` takes {} arguments, not {}", params.len(), instance.args.len());
                return self.error(codes::WRONG_ARGUMENTS, instance.span, message);
            }
            let inner = self.in_scope(scope, |lowerer| lowerer.bind(params, &instance.args));
            if let Some(inner) = inner {
                self.instantiate(instance.template.symbol, process, priority, inner, depth + 1);
            }
        } else if let Some(&template) = self.templates.get(&symbol) {
            self.process(template, process, priority, scope);
        }
    }

    /// The scope in which parameters are bound to arguments; these are looked at in the scope that is open.
    fn bind(&mut self, params: &'t [Param], args: &[tree::ExprId]) -> Option<Scope> {
        let mut scope = Scope::new();
        let mut complete = true;
        for (param, &arg) in params.iter().zip(args) {
            let operand =
                self.pure("an argument of a template", |lowerer| lowerer.template_argument(param, arg));
            let known = scope.clone();
            let ty = self.in_scope(known, |lowerer| lowerer.ty(&param.ty, &param.dimensions));
            let entity = self.bound(param, &ty, operand, arg);
            complete &= entity.is_some();
            let entity = entity.unwrap_or(Entity::Poison);
            scope.insert(param.name.symbol, Binding { entity, span: Some(param.name.span) });
        }
        complete.then_some(scope)
    }

    /// An argument; a list in braces is kept for [`Self::bound`], which knows its type.
    fn template_argument(&mut self, param: &Param, arg: tree::ExprId) -> Option<Operand> {
        let list = matches!(self.tree[arg].kind, tree::ExprKind::List(_)) && !param.by_reference;
        (!list).then(|| self.expr(arg))
    }

    fn bound(
        &mut self,
        param: &Param,
        ty: &Ty,
        operand: Option<Operand>,
        arg: tree::ExprId,
    ) -> Option<Entity> {
        let span = self.tree[arg].span;
        if *ty == Ty::Poison {
            return None;
        }
        if !param.by_reference && matches!(ty.innermost(), Ty::Clock | Ty::Channel { .. }) {
            let message = format!("{} can be passed by reference only", ty.innermost().describe());
            self.error(codes::CLOCK_MUST_BE_REFERENCE, param.span, message);
            return None;
        }
        if ty.has_double() || *ty == Ty::Text {
            return Some(Entity::Abstracted);
        }
        match operand {
            Some(Operand::Poison) => None,
            Some(operand) if param.by_reference => self.bound_reference(param, ty, operand, span),
            _ => self.bound_value(param, ty, arg, span),
        }
    }

    fn bound_reference(&mut self, param: &Param, ty: &Ty, operand: Operand, span: Span) -> Option<Entity> {
        let described = operand.describe();
        let fixed = match &operand {
            Operand::Data { place, .. } => place.indices.is_empty(),
            Operand::Clock { place, .. } => place.indices.is_empty(),
            Operand::Channel { place, .. } => place.indices.is_empty(),
            _ => true,
        };
        if !fixed {
            self.error(codes::NOT_CONSTANT, span, "which element is passed must be known beforehand");
            return None;
        }
        let constant_param = param.ty.prefix.constant;
        match operand {
            Operand::Data { place, ty: found, constant, setup: None } if ty.accepts(&found) => {
                if constant && !constant_param {
                    self.error(
                        codes::NEEDS_REFERENCE,
                        span,
                        "a constant cannot be passed where it could be changed",
                    );
                    return None;
                }
                Some(Entity::Data { place, ty: found, constant: constant || constant_param })
            }
            Operand::Clock { place, ty: found } if ty.accepts(&found) => {
                Some(Entity::Clock { place, ty: found })
            }
            Operand::Channel { place, ty: found } if ty.accepts(&found) => {
                Some(Entity::Channel { place, ty: found })
            }
            Operand::Value(expr, found) if constant_param && ty.accepts(&found) => {
                Some(Entity::Constant(self.constant_value(expr)?, found))
            }
            _ => {
                let message = format!("{} is needed here, and this is {described}", ty.describe());
                self.error(codes::NEEDS_REFERENCE, span, message);
                None
            }
        }
    }

    fn bound_value(&mut self, param: &Param, ty: &Ty, arg: tree::ExprId, span: Span) -> Option<Entity> {
        let values = self.initial_values(ty, Some(arg), span)?;
        if !ty.is_aggregate() {
            return Some(Entity::Constant(values[0], ty.clone()));
        }
        let name = format!("{}{}", self.prefix, self.tree.name(param.name));
        let first = self.push_cells(&name, ty, &values, CellKind::Constant);
        Some(Entity::Data { place: Place::cell(first, Range::INT32), ty: ty.clone(), constant: true })
    }

    /// Looks at the templates that no process was made from, for their mistakes only: their parameters are made up, and what
    /// comes of it is thrown away.
    fn try_unused_templates(&mut self, items: &'t [Item]) {
        let used: HashSet<String> =
            self.model.processes.iter().map(|process| process.template.clone()).collect();
        for item in items {
            let Item::Template(template) = item else { continue };
            if used.contains(self.tree.name(template.name)) {
                continue;
            }
            let model = self.model.clone();
            let signatures = self.signatures.len();
            let scope = self.made_up(&template.params);
            self.process(template, "?".to_owned(), 0, scope);
            self.model = model;
            while self.signatures.len() > signatures {
                self.signatures.pop();
            }
            self.process_scopes.pop();
            self.process_names.remove("?");
        }
    }

    fn made_up(&mut self, params: &'t [Param]) -> Scope {
        let mut scope = Scope::new();
        for param in params {
            let known = scope.clone();
            let ty = self.in_scope(known, |lowerer| lowerer.ty(&param.ty, &param.dimensions));
            let entity = match (ty.range(), ty.innermost()) {
                _ if ty.has_double() => Entity::Abstracted,
                (Some(range), _) if !param.by_reference => {
                    Entity::Constant(1.clamp(range.min, range.max), ty)
                }
                (_, Ty::Clock) => {
                    let first = self.new_clocks("", &ty, param.span);
                    Entity::Clock { place: ClockPlace::clock(first), ty }
                }
                (_, Ty::Int(_) | Ty::Bool | Ty::Scalar { .. } | Ty::Struct(_)) => {
                    let constant = !param.by_reference || param.ty.prefix.constant;
                    let first = self.push_cells(
                        "",
                        &ty,
                        &[],
                        if constant { CellKind::Constant } else { CellKind::State },
                    );
                    Entity::Data {
                        place: Place::cell(first, ty.range().unwrap_or(Range::INT32)),
                        ty,
                        constant,
                    }
                }
                (_, Ty::Channel { .. }) => {
                    let first = self.new_channels("", &ty, param.span);
                    Entity::Channel { place: ChannelPlace { first, indices: Vec::new() }, ty }
                }
                _ => Entity::Poison,
            };
            scope.insert(param.name.symbol, Binding { entity, span: Some(param.name.span) });
        }
        scope
    }

    /// Numbers the groups of channels from the lowest on.
    fn channel_priorities(&mut self) {
        let Some(priorities) = self.priorities else { return };
        let default = priorities
            .groups
            .iter()
            .position(|group| group.iter().any(|c| matches!(c, ChannelRef::Default(_))));
        let default = default.unwrap_or(0) as u32;
        self.model.internal_priority = default;
        for id in self.model.channels.ids() {
            self.model.channels[id].priority = default;
        }
        let mut set: HashSet<ChannelId> = HashSet::new();
        for (priority, group) in (0..).zip(&priorities.groups) {
            for member in group {
                let ChannelRef::Channel(expr) = member else { continue };
                let span = self.tree[*expr].span;
                match self.pure("a priority", |lowerer| lowerer.expr(*expr)) {
                    Operand::Channel { place, ty } if place.indices.is_empty() => {
                        for offset in 0..ty.cells() {
                            let id = offset_id(place.first, offset);
                            if !set.insert(id) {
                                self.error(
                                    codes::BAD_PRIORITY,
                                    span,
                                    "the priority of a channel is given twice",
                                );
                            }
                            self.model.channels[id].priority = priority;
                        }
                    }
                    Operand::Poison => {}
                    other => {
                        let message = format!("a channel is needed here, and this is {}", other.describe());
                        self.error(codes::BAD_PRIORITY, span, message);
                    }
                }
            }
        }
    }
}
