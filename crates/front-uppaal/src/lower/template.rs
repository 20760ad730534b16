//! Locations and edges of one process.

use std::collections::HashMap;

use tourbillon_base::{Diagnostic, IdVec, Span};
use tourbillon_model::{
    Action, CellKind, CellPlace, Compare, Edge, ExprId, Guard, Location, LocationId, LocationKind, Process,
    Range, Rate, Root, ScalarValue, Select, Variable,
};
use tourbillon_syntax::tree::{self, Name, Symbol};

use super::clock::{ClockFormula, Condition, ConditionClass};
use super::place::Operand;
use super::types::Ty;
use super::{Binding, Lowerer, NamedEntity, ProcessScope, Scope, codes, offset_id};

/// The points that edges connect.
struct EdgeEnds {
    locations: HashMap<Symbol, LocationId>,
    branchpoints: HashMap<Symbol, Span>,
}

/// What an edge starts from or leads to.
enum EdgeEnd {
    Location(LocationId),
    Branch(Symbol),
}

/// The values of scalar sets that parameters are bound to.
fn scalar_arguments(params: &[tree::Param], scope: &Scope) -> Vec<ScalarValue> {
    let value = |param: &tree::Param| match scope.get(&param.name.symbol)?.entity {
        NamedEntity::Constant(value, Ty::Scalar { set, .. }) => Some(ScalarValue { set, value }),
        _ => None,
    };
    params.iter().filter_map(value).collect()
}

impl<'t> Lowerer<'t> {
    /// Makes a process from a template whose parameters are bound in `scope`. The prefix is that of the
    /// process.
    pub(super) fn process(
        &mut self,
        template: &'t tree::Template,
        name: String,
        priority: u32,
        scope: Scope,
    ) {
        self.check_parameters(&template.params);
        let scalars = scalar_arguments(&template.params, &scope);
        self.scopes.push(scope);
        self.variable_parameters(template);
        self.decls(&template.declarations);
        let (locations, points) = self.locations(template);
        let initial = self.initial_location(template, &points);
        let edges = self.edges(template, &points);
        let names = self.scopes.pop().unwrap_or_default();
        let process = Process {
            name: name.clone(),
            template: self.tree.name(template.name).to_owned(),
            scalars,
            priority,
            locations,
            initial,
            edges,
            span: template.name.span,
        };
        self.edges += process.locations.len() + process.edges.len();
        let id = self.model.processes.push(process);
        self.process_scopes.push(ProcessScope { names, locations: points.locations });
        self.process_names.insert(name, id);
    }

    /// Parameters get their own scope without being declared there, so what a declaration would report is
    /// reported here.
    fn check_parameters(&mut self, params: &[tree::Param]) {
        let mut spans: HashMap<Symbol, Span> = HashMap::new();
        for param in params {
            self.warn_of_hidden(param.name);
            if let Some(earlier) = spans.insert(param.name.symbol, param.name.span) {
                let message = format!("`{}` is declared twice", self.tree.name(param.name));
                let diagnostic = Diagnostic::error(codes::DECLARED_TWICE, param.name.span, message);
                self.report(diagnostic.label(earlier, "declared here first"));
            }
        }
    }

    /// Makes variables of the parameters that are passed by value and assigned.
    fn variable_parameters(&mut self, template: &'t tree::Template) {
        let may_change = |param: &&tree::Param| !param.by_reference && !param.ty.prefix.constant;
        if !template.params.iter().any(|param| may_change(&param)) {
            return;
        }
        let assigned = self.assigned_names(template);
        for param in template.params.iter().filter(may_change) {
            if assigned.contains(&param.name.symbol) {
                self.variable_parameter(param);
            }
        }
    }

    fn variable_parameter(&mut self, param: &tree::Param) {
        let symbol = param.name.symbol;
        let Some(binding) = self.scopes.last().and_then(|scope| scope.get(&symbol)).cloned() else { return };
        let (values, ty) = match binding.entity {
            NamedEntity::Constant(value, ty) => (vec![value], ty),
            NamedEntity::Data { place: CellPlace { root: Root::Global(first), offset, .. }, ty, .. } => {
                let cell = |i| self.model.cells[offset_id(first, offset + i)].initial;
                ((0..ty.cells()).map(cell).collect(), ty)
            }
            _ => return,
        };
        let name = format!("{}{}", self.prefix, self.tree.name(param.name));
        let first = self.push_cells(&name, &ty, &values, CellKind::State);
        let variable = Variable { name, ty: ty.to_model(), first: Ok(first), span: param.name.span };
        self.model.variables.push(variable);
        let place = CellPlace::cell(first, ty.range().unwrap_or(Range::INT32));
        let entity = NamedEntity::Data { place, ty, constant: false };
        let scope = self.scopes.last_mut().expect("the scope of the process");
        scope.insert(symbol, Binding { entity, span: binding.span });
    }

    fn locations(&mut self, template: &'t tree::Template) -> (IdVec<LocationId, Location>, EdgeEnds) {
        let mut points = EdgeEnds { locations: HashMap::new(), branchpoints: HashMap::new() };
        let mut spans: HashMap<Symbol, Span> = HashMap::new();
        let mut locations = IdVec::new();
        for location in &template.locations {
            if let Some(earlier) = spans.insert(location.name.symbol, location.name.span) {
                self.location_twice(location.name, earlier);
                continue;
            }
            let kind = self.location_kind(template, location.name);
            let id = locations.push(self.location(location, kind));
            points.locations.insert(location.name.symbol, id);
        }
        for &name in &template.branchpoints {
            if let Some(earlier) = spans.insert(name.symbol, name.span) {
                self.location_twice(name, earlier);
            }
            points.branchpoints.insert(name.symbol, name.span);
        }
        for &name in template.urgent.iter().chain(&template.committed) {
            if !points.locations.contains_key(&name.symbol) {
                self.unknown_location(name, &points);
            }
        }
        (locations, points)
    }

    fn location_twice(&mut self, name: Name, earlier: Span) {
        let message = format!("there are two locations called `{}`", self.tree.name(name));
        self.report(
            Diagnostic::error(codes::DECLARED_TWICE, name.span, message).label(earlier, "this is the other"),
        );
    }

    fn location_kind(&mut self, template: &tree::Template, name: Name) -> LocationKind {
        let find =
            |list: &[Name]| list.iter().find(|other| other.symbol == name.symbol).map(|other| other.span);
        match (find(&template.committed), find(&template.urgent)) {
            (Some(committed), Some(urgent)) => {
                let message = format!("`{}` is both urgent and committed", self.tree.name(name));
                let diagnostic = Diagnostic::error(codes::URGENT_AND_COMMITTED, committed, message);
                self.report(diagnostic.label(urgent, "urgent here"));
                LocationKind::Committed
            }
            (Some(_), None) => LocationKind::Committed,
            (None, Some(_)) => LocationKind::Urgent,
            (None, None) => LocationKind::Normal,
        }
    }

    fn location(&mut self, location: &tree::Location, kind: LocationKind) -> Location {
        if let Some(rate) = location.rate {
            let span = self.tree[rate].span;
            self.report(Diagnostic::note(
                codes::IGNORED,
                span,
                "exponential rates do not affect symbolic answers",
            ));
        }
        let ((invariant, rates), frame) = self.with_frame(|lowerer| match location.invariant {
            None => (Guard::default(), Vec::new()),
            Some(invariant) => lowerer.pure("an invariant", |lowerer| lowerer.invariant(invariant)),
        });
        Location {
            name: self.tree.name(location.name).to_owned(),
            kind,
            invariant,
            rates,
            labels: Vec::new(),
            frame,
            span: location.name.span,
        }
    }

    fn invariant(&mut self, expr: tree::ExprId) -> (Guard, Vec<Rate>) {
        let span = self.tree[expr].span;
        let (condition, rates) = self.guard_condition(expr, ConditionClass::Invariant, "an invariant");
        let mut guard = Guard::default();
        if let Some(condition) = condition {
            self.split(condition, &mut guard);
        }
        if guard.clocks.iter().any(|condition| condition.atom.compare == Compare::Less) {
            self.warning(
                codes::STRICT_INVARIANT,
                span,
                "a strict bound: there is no last moment to leave the location",
            );
        }
        (guard, rates)
    }

    /// A condition that must be of a class.
    fn guard_condition(
        &mut self,
        expr: tree::ExprId,
        most: ConditionClass,
        what: &str,
    ) -> (Option<ExprId>, Vec<Rate>) {
        let span = self.tree[expr].span;
        let operand = self.condition_operand(expr);
        match self.condition(operand, span) {
            Condition::Poison => (None, Vec::new()),
            Condition::Abstracted => {
                let message = format!("{what} that depends on floating-point numbers is not supported");
                self.error(codes::UNSUPPORTED, span, message);
                (None, Vec::new())
            }
            Condition::Data(expr) => (Some(expr), Vec::new()),
            Condition::Clocks(ClockFormula { expr, class, rates }) if class <= most => (Some(expr), rates),
            Condition::Clocks(ClockFormula { class: ConditionClass::Guard, .. }) => {
                self.report(
                    Diagnostic::error(
                        codes::CLOCK_CONDITION,
                        span,
                        "a clock cannot be compared by `==` in an invariant",
                    )
                    .help("write `x <= 5` here, and `x == 5` as the guard of the edges that leave"),
                );
                (None, Vec::new())
            }
            Condition::Clocks(_) => {
                let message = format!("{what} must be a conjunction of comparisons of clocks");
                self.report(
                    Diagnostic::error(codes::CLOCK_CONDITION, span, message)
                        .help("write an edge for each case of a disjunction, a negation or `!=`"),
                );
                (None, Vec::new())
            }
        }
    }

    fn initial_location(&mut self, template: &tree::Template, points: &EdgeEnds) -> LocationId {
        let first = tourbillon_base::Id::from_index(0);
        let Some(name) = template.init else {
            let message = format!("`{}` has no initial location", self.tree.name(template.name));
            self.error(codes::NO_INITIAL, template.name.span, message);
            return first;
        };
        match points.locations.get(&name.symbol) {
            Some(&location) => location,
            None => {
                self.unknown_location(name, points);
                first
            }
        }
    }

    fn unknown_location(&mut self, name: Name, points: &EdgeEnds) {
        let text = self.tree.name(name).to_owned();
        let message = format!("there is no location called `{text}`");
        let diagnostic = Diagnostic::error(codes::UNKNOWN_LOCATION, name.span, message);
        let known =
            points.locations.keys().chain(points.branchpoints.keys()).map(|&symbol| self.tree.text(symbol));
        let diagnostic = self.with_suggestion(diagnostic, &text, known);
        self.report(diagnostic);
    }

    fn point(&mut self, name: Name, points: &EdgeEnds) -> Option<EdgeEnd> {
        if let Some(&location) = points.locations.get(&name.symbol) {
            return Some(EdgeEnd::Location(location));
        }
        if points.branchpoints.contains_key(&name.symbol) {
            return Some(EdgeEnd::Branch(name.symbol));
        }
        self.unknown_location(name, points);
        None
    }

    /// All edges. One that leads to a branch point becomes one for each branch: which is taken is open, so a
    /// branch is a choice like any other.
    fn edges(&mut self, template: &'t tree::Template, points: &EdgeEnds) -> Vec<Edge> {
        let mut list = Vec::new();
        for edge in &template.edges {
            let (source, target) = (self.point(edge.source, points), self.point(edge.target, points));
            match (source, target) {
                (Some(EdgeEnd::Location(source)), Some(EdgeEnd::Location(target))) => {
                    list.push(self.edge(edge, None, source, target));
                }
                (Some(EdgeEnd::Location(source)), Some(EdgeEnd::Branch(symbol))) => {
                    for branch in template.edges.iter().filter(|branch| branch.source.symbol == symbol) {
                        if let Some(&target) = points.locations.get(&branch.target.symbol) {
                            list.push(self.edge(edge, Some(branch), source, target));
                        }
                    }
                }
                (Some(EdgeEnd::Branch(_)), target) => self.branch(edge, target.as_ref()),
                (None, _) | (_, None) => {}
            }
        }
        list
    }

    /// A branch has a weight, selections and updates, and leads to a location.
    fn branch(&mut self, edge: &tree::Edge, target: Option<&EdgeEnd>) {
        if matches!(target, Some(EdgeEnd::Branch(_))) {
            self.error(
                codes::UNKNOWN_LOCATION,
                edge.target.span,
                "a branch leads to a location, not to a branch point",
            );
        }
        let guard = edge.guard.map(|guard| self.tree[guard].span);
        if let Some(span) = guard.or(edge.sync.map(|sync| sync.span)) {
            let message = "a branch has no guard and no synchronisation: put it before the branch point";
            self.error(codes::BAD_CHANNEL, span, message);
        }
    }

    fn edge(
        &mut self,
        edge: &'t tree::Edge,
        branch: Option<&'t tree::Edge>,
        source: LocationId,
        target: LocationId,
    ) -> Edge {
        for weight in edge.probability.iter().chain(branch.and_then(|branch| branch.probability.as_ref())) {
            let span = self.tree[*weight].span;
            self.report(Diagnostic::note(
                codes::IGNORED,
                span,
                "probabilities do not affect symbolic answers",
            ));
        }
        let ((selects, guard, action, updates), frame) = self.with_frame(|lowerer| {
            let branch_selects = branch.map_or(&[][..], |branch| &branch.select);
            let (selects, scope) = lowerer.selects(edge.select.iter().chain(branch_selects));
            lowerer.in_scope(scope, |lowerer| {
                let guard = lowerer.guard(edge.guard);
                let never = guard.conditions.iter().any(|&condition| lowerer.known(condition) == Some(0));
                let (action, updates) = lowerer.perhaps_dead(never, |lowerer| {
                    let action = lowerer.action(edge.sync);
                    let branch = branch.map_or(&[][..], |branch| &branch.assign);
                    (action, [lowerer.updates(&edge.assign), lowerer.updates(branch)].concat())
                });
                (selects, guard, action, updates)
            })
        });
        self.check_urgency(&guard, &action, edge);
        let controllable = edge.controllable;
        Edge { source, target, selects, guard, action, updates, controllable, frame, span: edge.span }
    }

    fn selects(&mut self, binders: impl Iterator<Item = &'t tree::Binder>) -> (Vec<Select>, Scope) {
        let mut scope = Scope::new();
        let mut list = Vec::new();
        for binder in binders {
            self.scopes.push(std::mem::take(&mut scope));
            let found = self.binder_range(binder);
            scope = self.scopes.pop().unwrap_or_default();
            self.warn_of_hidden(binder.name);
            let Some((range, ty)) = found else {
                scope.insert(
                    binder.name.symbol,
                    Binding { entity: NamedEntity::Poison, span: Some(binder.name.span) },
                );
                continue;
            };
            let local = self.reserve(1);
            let entity = NamedEntity::Data { place: CellPlace::local(local, range), ty, constant: true };
            let binding = Binding { entity, span: Some(binder.name.span) };
            if scope.insert(binder.name.symbol, binding).is_some() {
                let message = format!("`{}` is selected twice", self.tree.name(binder.name));
                self.error(codes::DECLARED_TWICE, binder.name.span, message);
            }
            list.push(Select { name: self.tree.name(binder.name).to_owned(), local, range });
        }
        (list, scope)
    }

    fn guard(&mut self, expr: Option<tree::ExprId>) -> Guard {
        let mut guard = Guard::default();
        let Some(expr) = expr else { return guard };
        let (condition, rates) =
            self.pure("a guard", |lowerer| lowerer.guard_condition(expr, ConditionClass::Guard, "a guard"));
        if !rates.is_empty() {
            self.error(codes::BAD_RATE, self.tree[expr].span, "a rate can only be given in an invariant");
        }
        if let Some(condition) = condition {
            self.split(condition, &mut guard);
        }
        guard
    }

    fn action(&mut self, sync: Option<tree::Sync>) -> Action {
        let Some(sync) = sync else { return Action::Internal };
        let operand = self.pure("a synchronisation", |lowerer| lowerer.expr(sync.channel));
        match (operand, sync.direction) {
            (Operand::Channel { place, ty: Ty::Channel { .. } }, tree::Direction::Send) => {
                Action::Send(place)
            }
            (Operand::Channel { place, ty: Ty::Channel { .. } }, tree::Direction::Receive) => {
                Action::Receive(place)
            }
            (Operand::Channel { ty: Ty::Channel { .. }, .. }, tree::Direction::Csp) => {
                let message = "synchronisation without `!` or `?` is not supported";
                self.error(codes::UNSUPPORTED, sync.span, message);
                Action::Internal
            }
            (Operand::Poison, _) => Action::Internal,
            (other, _) => {
                let message = format!("expected a channel, found {}", other.describe());
                self.error(codes::BAD_CHANNEL, sync.span, message);
                Action::Internal
            }
        }
    }

    fn check_urgency(&mut self, guard: &Guard, action: &Action, edge: &tree::Edge) {
        let (Action::Send(place) | Action::Receive(place)) = action else { return };
        let urgent = self.model.channels.get(place.first).is_some_and(|channel| channel.urgent);
        if urgent
            && !guard.clocks.is_empty()
            && let Some(guard) = edge.guard
        {
            let span = self.tree[guard].span;
            self.warning(
                codes::URGENT_CLOCK_GUARD,
                span,
                "clocks are compared in the guard of an urgent synchronisation",
            );
        }
    }
}
