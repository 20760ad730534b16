//! The system: processes with their parameters and priorities.

use std::collections::HashSet;

use tourbillon_base::{Diagnostic, Span};
use tourbillon_model::{CellKind, CellPlace, ChannelId, ChannelPlace, ClockPlace, Model, Range};
use tourbillon_syntax::tree::{self, ChannelRef, Item, Name, Param, Symbol};

use super::place::Operand;
use super::types::Ty;
use super::{Binding, EXPRS_MAX, Lowerer, NamedEntity, Scope, VISITS_MAX, codes, offset_id};

/// The most processes that a model may have.
const PROCESSES_MAX: usize = 1 << 16;

/// The most locations and edges, after which no further process is made.
const EDGES_MAX: usize = 1 << 19;

impl<'t> Lowerer<'t> {
    pub(super) fn items(&mut self, items: &'t [Item]) {
        let mut system: Option<&'t tree::SystemLine> = None;
        for item in items {
            match item {
                Item::Decl(decl) => self.decl(decl),
                // The definition of a dynamic template: what would make a process of it is refused.
                Item::Template(template) if self.is_dynamic(template.name) => {}
                Item::Template(template) => {
                    self.declare(template.name, NamedEntity::Template, Some("template"));
                    self.templates.entry(template.name.symbol).or_insert(template);
                }
                Item::Instance(instance) if self.tree.name(instance.template).is_empty() => {}
                Item::Instance(instance) => {
                    self.declare(instance.name, NamedEntity::Template, Some("process"));
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
                Item::Gantt(gantt) => self.gantt(gantt),
                Item::Progress(_) | Item::Query(_) | Item::Io(_) => {}
            }
        }
        if let Some(system) = system {
            self.system(system);
        }
        self.try_unused(items);
        self.channel_priorities();
        for item in items {
            if let Item::Progress(progress) = item {
                self.progress(progress);
            }
        }
    }

    fn is_dynamic(&self, name: Name) -> bool {
        matches!(self.find(name.symbol), Some(NamedEntity::Unsupported(_)))
    }

    /// Progress measures guide a search that keeps little in memory; the answers do not depend on them.
    fn progress(&mut self, progress: &tree::Progress) {
        self.in_query = true;
        for measure in &progress.measures {
            for expr in measure.guard.into_iter().chain([measure.measure]) {
                self.with_frame(|lowerer| lowerer.pure("a progress measure", |lowerer| lowerer.value(expr)));
            }
        }
        self.in_query = false;
    }

    /// A Gantt chart is a picture. What it names is used by it, and that is all there is to know about it.
    fn gantt(&mut self, gantt: &tree::Gantt) {
        let message = "a Gantt chart does not affect symbolic answers";
        self.report(Diagnostic::note(codes::IGNORED, gantt.span, message));
        for bar in gantt.rows.iter().flat_map(|row| &row.bars) {
            self.mention(bar.condition);
            self.mention(bar.colour);
        }
    }

    /// Counts every name in an expression as used.
    fn mention(&mut self, expr: tree::ExprId) {
        let tree = self.tree;
        if let Some(name) = tree.as_name(expr) {
            self.mark_used(name.symbol);
        }
        tree[expr].kind.for_each_operand(|operand| self.mention(operand));
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
            Some(NamedEntity::Template) => self.params_of(name.symbol),
            Some(NamedEntity::Poison) | None => return,
            Some(NamedEntity::Unsupported(what)) => {
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
        self.enumerate(params, &mut Vec::new(), &mut Scope::new(), name, &mut open);
        for (values, scope) in open {
            if !self.room_for_process(name.span) {
                return;
            }
            let process = match values.is_empty() {
                true => text.clone(),
                false => {
                    format!("{text}({})", values.iter().map(i32::to_string).collect::<Vec<_>>().join(","))
                }
            };
            self.instantiate(name, process, priority, scope);
        }
    }

    /// Reports if there is no room for another process, or if those that there are take too much. One is as
    /// large as its template, so it is enough to look between them.
    fn room_for_process(&mut self, span: Span) -> bool {
        let processes = self.model.processes.len();
        if self.full {
            return false;
        }
        let message = if processes >= PROCESSES_MAX {
            format!("the system has more than {PROCESSES_MAX} processes")
        } else if self.model.exprs.len() > EXPRS_MAX {
            format!("the first {processes} processes have more than {EXPRS_MAX} expressions")
        } else if self.visits > VISITS_MAX {
            format!("the first {processes} processes take more than {VISITS_MAX} expressions to read")
        } else if self.edges > EDGES_MAX {
            format!("the first {processes} processes have more than {EDGES_MAX} locations and edges")
        } else {
            return true;
        };
        self.full = true;
        self.error(codes::MODEL_TOO_LARGE, span, message);
        false
    }

    fn params_of(&self, symbol: Symbol) -> &'t [Param] {
        match (self.instances.get(&symbol), self.templates.get(&symbol)) {
            (Some(instance), _) => &instance.params,
            (None, Some(template)) => &template.params,
            (None, None) => &[],
        }
    }

    /// Collects the combinations of values for parameters that are still open on the system line.
    fn enumerate(
        &mut self,
        params: &'t [Param],
        values: &mut Vec<i32>,
        scope: &mut Scope,
        name: Name,
        found: &mut Vec<(Vec<i32>, Scope)>,
    ) {
        let Some((param, rest)) = params.split_first() else {
            return found.push((values.clone(), scope.clone()));
        };
        let ty = self.param_type(param, scope);
        let bounded = matches!(ty, Ty::Int(range) if range != Range::INT16)
            || matches!(ty, Ty::Scalar { .. } | Ty::Bool);
        let Some(range) = ty.range().filter(|_| bounded && !param.by_reference) else {
            if ty != Ty::Poison {
                self.not_bounded(param, name);
            }
            return;
        };
        for value in range.values() {
            if found.len() > PROCESSES_MAX {
                let message = format!("the system has more than {PROCESSES_MAX} processes");
                return self.error(codes::MODEL_TOO_LARGE, name.span, message);
            }
            values.push(value);
            let entity = NamedEntity::Constant(value, ty.clone());
            scope.insert(param.name.symbol, Binding { entity, span: Some(param.name.span) });
            self.enumerate(rest, values, scope, name, found);
            values.pop();
        }
        scope.remove(&param.name.symbol);
    }

    fn not_bounded(&mut self, param: &Param, name: Name) {
        let text = self.tree.name(name).to_owned();
        let parameter = self.tree.name(param.name);
        let message = format!(
            "`{text}` cannot be listed as it is: its parameter `{parameter}` is not passed by value from a bounded range"
        );
        let diagnostic =
            Diagnostic::error(codes::BAD_SYSTEM, name.span, message).label(param.span, "this parameter");
        self.report(diagnostic.help(format!("make a process of it first, as in `{text}1 = {text}(…);`")));
    }

    /// The type of a parameter, which may depend on those before it.
    fn param_type(&mut self, param: &Param, known: &mut Scope) -> Ty {
        self.scopes.push(std::mem::take(known));
        let ty = self.ty(&param.ty, &param.dimensions);
        *known = self.scopes.pop().unwrap_or_default();
        ty
    }

    /// Makes a process of a template, or of what stands for one with some arguments, whose parameters are
    /// bound.
    fn instantiate(&mut self, name: Name, process: String, priority: u32, scope: Scope) {
        let outer_prefix = std::mem::replace(&mut self.prefix, format!("{process}."));
        if let Some((template, scope)) = self.template_of(name.symbol, scope) {
            self.process(template, process, priority, scope);
        }
        self.prefix = outer_prefix;
    }

    /// Follows instances to the template that they are made from, and binds its parameters on the way.
    fn template_of(&mut self, symbol: Symbol, scope: Scope) -> Option<(&'t tree::Template, Scope)> {
        let (mut symbol, mut scope) = (symbol, scope);
        let mut seen: HashSet<Symbol> = HashSet::new();
        while let Some(&instance) = self.instances.get(&symbol) {
            if !seen.insert(symbol) {
                let message = format!("`{}` is defined in terms of itself", self.tree.name(instance.name));
                self.error(codes::RECURSION, instance.name.span, message);
                return None;
            }
            self.made.insert(symbol);
            scope = self.bound_instance(instance, scope)?;
            symbol = instance.template.symbol;
        }
        Some((*self.templates.get(&symbol)?, scope))
    }

    /// The parameters of what an instance is made from, bound to its arguments.
    fn bound_instance(&mut self, instance: &'t tree::Instance, scope: Scope) -> Option<Scope> {
        let params = match self.look_up(instance.template)? {
            NamedEntity::Template => self.params_of(instance.template.symbol),
            NamedEntity::Poison => return None,
            NamedEntity::Unsupported(what) => {
                let message = format!("{what} are not supported");
                self.error(codes::UNSUPPORTED, instance.template.span, message);
                return None;
            }
            _ => {
                let message = format!("`{}` is not a template", self.tree.name(instance.template));
                self.error(codes::WRONG_KIND, instance.template.span, message);
                return None;
            }
        };
        if params.len() != instance.args.len() {
            let text = self.tree.name(instance.template).to_owned();
            let message = format!("`{text}` takes {} arguments, not {}", params.len(), instance.args.len());
            self.error(codes::WRONG_ARGUMENTS, instance.span, message);
            return None;
        }
        self.in_scope(scope, |lowerer| lowerer.bind(params, &instance.args))
    }

    /// The scope in which parameters are bound to arguments; these are examined in the scope that is open.
    fn bind(&mut self, params: &'t [Param], args: &[tree::ExprId]) -> Option<Scope> {
        let mut scope = Scope::new();
        let mut complete = true;
        for (param, &arg) in params.iter().zip(args) {
            let ty = self.param_type(param, &mut scope);
            let entity = self.pure("an argument of a template", |lowerer| lowerer.bound(param, ty, arg));
            complete &= entity.is_some();
            let entity = entity.unwrap_or(NamedEntity::Poison);
            scope.insert(param.name.symbol, Binding { entity, span: Some(param.name.span) });
        }
        complete.then_some(scope)
    }

    fn bound(&mut self, param: &Param, ty: Ty, arg: tree::ExprId) -> Option<NamedEntity> {
        let span = self.tree[arg].span;
        self.mention(arg);
        if ty == Ty::Poison {
            return None;
        }
        if !param.by_reference && matches!(ty.innermost(), Ty::Clock | Ty::Channel { .. }) {
            let message = format!("{} must be passed by reference", ty.innermost().describe());
            self.error(codes::CLOCK_MUST_BE_REFERENCE, param.span, message);
            return None;
        }
        if ty.is_abstracted() {
            self.expr(arg);
            return Some(NamedEntity::Abstracted);
        }
        if !param.by_reference {
            return self.bound_value(param, &ty.of_32_bits(), arg);
        }
        match self.expr(arg) {
            Operand::Poison => None,
            operand => self.bound_reference(param, &ty, operand, span),
        }
    }

    fn bound_reference(
        &mut self,
        param: &Param,
        ty: &Ty,
        operand: Operand,
        span: Span,
    ) -> Option<NamedEntity> {
        let described = operand.describe();
        let fixed = match &operand {
            Operand::Data { place, .. } => place.indices.is_empty(),
            Operand::Clock { place, .. } => place.indices.is_empty(),
            Operand::Channel { place, .. } => place.indices.is_empty(),
            _ => true,
        };
        if !fixed {
            self.error(codes::NOT_CONSTANT, span, "the element that is passed must be known statically");
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
                Some(NamedEntity::Data { place, ty: found, constant: constant || constant_param })
            }
            Operand::Clock { place, ty: found } if ty.accepts(&found) => {
                Some(NamedEntity::Clock { place, ty: found })
            }
            Operand::Channel { place, ty: found } if ty.accepts(&found) => {
                Some(NamedEntity::Channel { place, ty: found })
            }
            Operand::Value(expr, found) if constant_param && ty.accepts(&found) => {
                Some(NamedEntity::Constant(self.constant_value(expr, 0)?, found))
            }
            Operand::Value(_, found) if ty.accepts(&found) => {
                self.error(codes::NEEDS_REFERENCE, span, super::ONLY_A_VALUE);
                None
            }
            _ => {
                let message = format!("expected {}, found {described}", ty.describe());
                self.error(codes::NEEDS_REFERENCE, span, message);
                None
            }
        }
    }

    fn bound_value(&mut self, param: &Param, ty: &Ty, arg: tree::ExprId) -> Option<NamedEntity> {
        if let Ty::Int(range) = *ty
            && param.ty.prefix.constant
        {
            // Public models pass such arguments, so that this is no reason not to load them.
            let value = self.known_values(&Ty::Int(Range::INT32), arg)?[0];
            if !range.contains(value) {
                let message =
                    format!("the value {value} is outside [{},{}], and is passed on", range.min, range.max);
                self.warning(codes::OUT_OF_RANGE, self.tree[arg].span, message);
            }
            return Some(NamedEntity::Constant(value, ty.clone()));
        }
        let values = self.known_values(ty, arg)?;
        if !ty.is_aggregate() {
            return Some(NamedEntity::Constant(values[0], ty.clone()));
        }
        let name = format!("{}{}", self.prefix, self.tree.name(param.name));
        let first = self.push_cells(&name, ty, &values, CellKind::Constant);
        Some(NamedEntity::Data {
            place: CellPlace::cell(first, Range::INT32),
            ty: ty.clone(),
            constant: true,
        })
    }

    /// Looks at the templates and instances that no process was made from, for their mistakes only: their
    /// parameters are made up, and what comes of it is thrown away.
    fn try_unused(&mut self, items: &'t [Item]) {
        let used: HashSet<&str> =
            self.model.processes.iter().map(|process| process.template.as_str()).collect();
        let tree = self.tree;
        let unused: Vec<(Name, &'t [Param])> = items
            .iter()
            .filter_map(|item| match item {
                Item::Template(template)
                    if !used.contains(tree.name(template.name)) && !self.is_dynamic(template.name) =>
                {
                    Some((template.name, template.params.as_slice()))
                }
                Item::Instance(instance) if !self.made.contains(&instance.name.symbol) => {
                    Some((instance.name, instance.params.as_slice()))
                }
                _ => None,
            })
            .collect();
        for (name, params) in unused {
            if self.full {
                return;
            }
            let size = Size::of(&self.model);
            self.made_up = !params.is_empty();
            let scope = self.made_up_scope(params);
            self.instantiate(name, "?".to_owned(), 0, scope);
            self.made_up = false;
            size.restore(&mut self.model);
            while self.signatures.len() > self.model.functions.len() {
                self.signatures.pop();
            }
            while self.process_scopes.len() > self.model.processes.len() {
                self.process_scopes.pop();
            }
            self.process_names.remove("?");
        }
    }

    fn made_up_scope(&mut self, params: &'t [Param]) -> Scope {
        let mut scope = Scope::new();
        for param in params {
            let ty = self.param_type(param, &mut scope);
            let entity = match (ty.range(), ty.innermost()) {
                _ if ty.is_abstracted() => NamedEntity::Abstracted,
                (Some(range), _) if !param.by_reference => {
                    NamedEntity::Constant(1.clamp(range.min, range.max), ty)
                }
                (_, Ty::Clock) => {
                    let first = self.new_clocks("", &ty, &[], param.span);
                    NamedEntity::Clock { place: ClockPlace::clock(first), ty }
                }
                (_, Ty::Int(_) | Ty::Bool | Ty::Scalar { .. } | Ty::Struct(_)) => {
                    let constant = !param.by_reference || param.ty.prefix.constant;
                    let kind = if constant { CellKind::Constant } else { CellKind::State };
                    let first = self.push_cells("", &ty, &[], kind);
                    let place = CellPlace::cell(first, ty.range().unwrap_or(Range::INT32));
                    NamedEntity::Data { place, ty, constant }
                }
                (_, Ty::Channel { .. }) => {
                    let first = self.new_channels("", &ty, param.span);
                    NamedEntity::Channel { place: ChannelPlace { first, indices: Vec::new() }, ty }
                }
                _ => NamedEntity::Poison,
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
                        let mut twice = false;
                        for offset in 0..ty.cells() {
                            let id = offset_id(place.first, offset);
                            twice |= !set.insert(id);
                            self.model.channels[id].priority = priority;
                        }
                        if twice {
                            let message = "the priority of a channel is given twice";
                            self.error(codes::BAD_PRIORITY, span, message);
                        }
                    }
                    Operand::Poison => {}
                    Operand::Channel { .. } => {
                        let message = "the channel of the array must be known statically: an index is not a \
                                       constant, or outside the array";
                        self.error(codes::BAD_PRIORITY, span, message);
                    }
                    other => {
                        let message = format!("expected a channel, found {}", other.describe());
                        self.error(codes::BAD_PRIORITY, span, message);
                    }
                }
            }
        }
    }
}

/// How much there is of a model, to take it back to that.
struct Size {
    exprs: usize,
    cells: usize,
    clocks: usize,
    variables: usize,
    channels: usize,
    functions: usize,
    processes: usize,
    before_update: usize,
    after_update: usize,
}

impl Size {
    fn of(model: &Model) -> Self {
        Self {
            exprs: model.exprs.len(),
            cells: model.cells.len(),
            clocks: model.clocks.len(),
            variables: model.variables.len(),
            channels: model.channels.len(),
            functions: model.functions.len(),
            processes: model.processes.len(),
            before_update: model.before_update.len(),
            after_update: model.after_update.len(),
        }
    }

    fn restore(&self, model: &mut Model) {
        model.exprs.truncate(self.exprs);
        model.cells.truncate(self.cells);
        model.clocks.truncate(self.clocks);
        model.variables.truncate(self.variables);
        model.channels.truncate(self.channels);
        model.functions.truncate(self.functions);
        model.processes.truncate(self.processes);
        model.before_update.truncate(self.before_update);
        model.after_update.truncate(self.after_update);
    }
}
