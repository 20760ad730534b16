//! Functions and statements.

use tourbillon_base::{Diagnostic, Span};
use tourbillon_model::{
    AssignOp, BinaryOp, Block, CellPlace, ClockPlace, ExprId, ExprKind, Function, IndexStep, Parameter,
    Range, Root, Stmt,
};
use tourbillon_syntax::tree::{self, StmtKind};

use super::place::Operand;
use super::types::Ty;
use super::{Binding, Lowerer, NamedEntity, Scope, SideEffects, Signature, SignatureParameter, codes};

/// The most local cells that a function may take.
const LOCAL_CELLS_MAX: u32 = 1 << 16;

/// How deep functions may call each other.
const CALLS_MAX: u32 = 64;

impl<'t> Lowerer<'t> {
    pub(super) fn function(&mut self, function: &'t tree::Function) {
        let returns = self.ty(&function.returns, &[]);
        let outer_effects = std::mem::take(&mut self.effects);
        let outer_returns = self.returns.replace(returns.clone());
        self.scopes
            .last_mut()
            .expect("a scope is open")
            .entry(function.name.symbol)
            .or_insert(Binding { entity: NamedEntity::OpenFunction, span: None });
        let ((parameters, body), frame) = self.with_frame(|lowerer| {
            lowerer.in_scope(Scope::new(), |lowerer| {
                let parameters = lowerer.parameters(&function.params);
                (parameters, lowerer.block(&function.body))
            })
        });
        self.returns = outer_returns;
        let effects = std::mem::replace(&mut self.effects, outer_effects);
        if effects.calls > CALLS_MAX {
            let message = format!("functions that call each other, more than {CALLS_MAX} deep");
            self.error(codes::MODEL_TOO_LARGE, function.name.span, message);
            let poison = Binding { entity: NamedEntity::Poison, span: Some(function.name.span) };
            self.scopes.last_mut().expect("a scope is open").insert(function.name.symbol, poison);
            return;
        }
        if frame > LOCAL_CELLS_MAX {
            let message = format!("a function with {frame} local cells, more than {LOCAL_CELLS_MAX}");
            self.error(codes::MODEL_TOO_LARGE, function.name.span, message);
        }
        if returns != Ty::Void && returns != Ty::Poison && !self.always_returns(&body) {
            let name = self.tree.name(function.name).to_owned();
            self.error(
                codes::MISSING_RETURN,
                function.name.span,
                format!("`{name}` may end without returning a value"),
            );
        }
        self.finish_function(function, parameters, &returns, body, frame, effects);
    }

    fn finish_function(
        &mut self,
        function: &'t tree::Function,
        parameters: Vec<(Parameter, Ty)>,
        returns: &Ty,
        body: Block,
        frame: u32,
        effects: SideEffects,
    ) {
        let is_pure = !effects.touched;
        let signature = Signature {
            parameters: signature_parameters(&parameters, &effects),
            returns: returns.clone(),
            effects,
        };
        let id = self.model.functions.push(Function {
            name: format!("{}{}", self.prefix, self.tree.name(function.name)),
            parameters: parameters
                .into_iter()
                .filter(|(_, ty)| !ty.is_abstracted())
                .map(|(parameter, _)| parameter)
                .collect(),
            returns: (*returns != Ty::Void && !returns.is_abstracted()).then(|| returns.to_model()),
            frame,
            body,
            is_pure,
            span: function.name.span,
        });
        self.signatures.push(signature);
        let scope = self.scopes.last_mut().expect("a scope is open");
        if matches!(scope.get(&function.name.symbol), Some(Binding { entity: NamedEntity::OpenFunction, .. }))
        {
            scope.remove(&function.name.symbol);
        }
        self.declare(function.name, NamedEntity::Function(id), Some("function"));
    }

    fn parameters(&mut self, params: &'t [tree::Param]) -> Vec<(Parameter, Ty)> {
        let mut references = 0;
        let mut list = Vec::new();
        for param in params {
            let ty = self.ty(&param.ty, &param.dimensions);
            let name = self.tree.name(param.name).to_owned();
            let constant = param.ty.prefix.constant;
            let is_clock = matches!(ty.innermost(), Ty::Clock);
            if !param.by_reference && matches!(ty.innermost(), Ty::Clock | Ty::Channel { .. }) {
                let message = format!("{} must be passed by reference: `&{name}`", ty.innermost().describe());
                self.error(codes::CLOCK_MUST_BE_REFERENCE, param.span, message);
            }
            let range = ty.range().unwrap_or(Range::INT32);
            let entity = match (param.by_reference, is_clock) {
                _ if ty.is_abstracted() => NamedEntity::Abstracted,
                (true, true) => {
                    let place =
                        ClockPlace { root: Root::Reference(references), offset: 0, indices: Vec::new() };
                    NamedEntity::Clock { place, ty: ty.clone() }
                }
                (true, false) => {
                    let place = CellPlace {
                        root: Root::Reference(references),
                        offset: 0,
                        indices: Vec::new(),
                        range,
                    };
                    NamedEntity::Data { place, ty: ty.clone(), constant }
                }
                (false, _) if ty == Ty::Poison || is_clock => NamedEntity::Poison,
                (false, _) => NamedEntity::Data {
                    place: CellPlace::local(self.locals.next, range),
                    ty: ty.clone(),
                    constant,
                },
            };
            match (ty.is_abstracted(), param.by_reference) {
                (true, _) => {}
                (false, true) => references += 1,
                (false, false) => drop(self.reserve(ty.cells())),
            }
            self.declare(param.name, entity, None);
            list.push((Parameter { name, ty: ty.to_model(), by_reference: param.by_reference }, ty));
        }
        list
    }

    /// A block in a scope of its own.
    fn block(&mut self, block: &'t tree::Block) -> Block {
        let first = self.locals.next;
        let result = self.in_scope(Scope::new(), |lowerer| {
            let mut list = Block::new();
            for decl in &block.declarations {
                lowerer.local_decl(decl, &mut list);
            }
            block.statements.iter().for_each(|stmt| lowerer.stmt(stmt, &mut list));
            list
        });
        self.release(first);
        result
    }

    fn local_decl(&mut self, decl: &'t tree::Decl, list: &mut Block) {
        match decl {
            tree::Decl::Variables(variables) => {
                variables
                    .names
                    .iter()
                    .for_each(|declared| self.local_variable(&variables.ty, declared, list));
            }
            tree::Decl::Typedef(types) => types.names.iter().for_each(|name| self.typedef(&types.ty, name)),
            // That a function stands inside another was reported when the text was read.
            tree::Decl::Function(_) => {}
            other => self.decl(other),
        }
    }

    fn local_variable(
        &mut self,
        written: &'t tree::Type,
        declared: &'t tree::DeclaredName,
        list: &mut Block,
    ) {
        let ty = self.ty(written, &declared.dimensions);
        let span = declared.name.span;
        let entity = match ty.innermost() {
            Ty::Poison => NamedEntity::Poison,
            Ty::Clock | Ty::Channel { .. } | Ty::Void => {
                self.error(
                    codes::WRONG_TYPE,
                    span,
                    format!("{} cannot be local to a function", ty.innermost().describe()),
                );
                NamedEntity::Poison
            }
            _ if ty.is_abstracted() => NamedEntity::Abstracted,
            _ => {
                let place = CellPlace::local(self.reserve(ty.cells()), ty.range().unwrap_or(Range::INT32));
                self.initialise(&place, &ty, declared.init, declared.span, list);
                NamedEntity::Data { place, ty, constant: written.prefix.constant }
            }
        };
        self.declare(declared.name, entity, Some("variable"));
    }

    /// Statements that give a local variable its first value, which may be computed.
    fn initialise(
        &mut self,
        place: &CellPlace,
        ty: &Ty,
        init: Option<tree::ExprId>,
        span: Span,
        list: &mut Block,
    ) {
        let tree = self.tree;
        if let Some(init) = init
            && !matches!(tree[init].kind, tree::ExprKind::List(_))
        {
            let target = Operand::Data { place: place.clone(), ty: ty.clone(), constant: false, setup: None };
            let value = self.expr(init);
            let operand = self.write(AssignOp::Set, target, value, span);
            self.push_update(operand, tree[init].span, list);
            return;
        }
        let items = match init.map(|init| &tree[init].kind) {
            Some(tree::ExprKind::List(items)) => Some(items),
            _ => None,
        };
        match (ty, items) {
            (Ty::Array { element, .. }, Some(items))
                if items.len() as u64 == ty.size() / element.size().max(1) =>
            {
                for (position, item) in items.iter().enumerate() {
                    let part = part(place, element, position as u32 * element.cells());
                    self.initialise(&part, element, Some(item.value), span, list);
                }
            }
            (Ty::Struct(fields), Some(items)) => {
                let Some(items) = self.items_of_fields(fields, items, span) else { return };
                let mut offset = 0;
                for ((_, ty), item) in fields.iter().zip(items) {
                    self.initialise(&part(place, ty, offset), ty, Some(item), span, list);
                    offset += ty.cells();
                }
            }
            (_, Some(items)) => {
                let message = format!("{} values for {}", items.len(), ty.describe());
                self.error(codes::BAD_INITIALISER, span, message);
            }
            (_, None) => self.default_cells(place, ty, span, list),
        }
    }

    /// Statements that give every cell of a place its default: a loop for an array, since a block can be
    /// entered again.
    fn default_cells(&mut self, place: &CellPlace, ty: &Ty, span: Span, list: &mut Block) {
        match ty {
            Ty::Array { index, element } => {
                let local = self.reserve(1);
                let counter = self.add(ExprKind::Load(CellPlace::local(local, index.range)), span);
                let mut inner = part(place, element, 0);
                inner.indices.push(IndexStep { index: counter, range: index.range, stride: element.cells() });
                let mut body = Block::new();
                self.default_cells(&inner, element, span, &mut body);
                self.release(local);
                list.push(Stmt::ForRange { local, range: index.range, body });
            }
            Ty::Struct(fields) => {
                let mut offset = 0;
                for (_, ty) in fields {
                    self.default_cells(&part(place, ty, offset), ty, span, list);
                    offset += ty.cells();
                }
            }
            _ => {
                let range = ty.range().unwrap_or(Range::INT32);
                let value = self.int(0.clamp(range.min, range.max), span);
                let assign = ExprKind::Assign { op: AssignOp::Set, target: place.clone(), value };
                list.push(Stmt::Expr(self.add(assign, span)));
            }
        }
    }

    /// An operand for what it does.
    fn push_update(&mut self, operand: Operand, span: Span, list: &mut Block) {
        if let Some(expr) = self.done(operand, span) {
            list.push(Stmt::Expr(expr));
        }
    }

    /// What an operand does when it is evaluated, if it does anything.
    pub(super) fn done(&mut self, operand: Operand, span: Span) -> Option<ExprId> {
        match operand {
            Operand::Value(expr, _) => {
                self.warn_of_comparison(expr, span);
                self.known(expr).is_none().then_some(expr)
            }
            Operand::Data { setup: Some(setup), .. } => Some(setup),
            Operand::Abstracted => {
                let aside = std::mem::take(&mut self.aside);
                (!aside.is_empty()).then(|| self.add(ExprKind::Sequence(aside), span))
            }
            Operand::Poison | Operand::Data { .. } => None,
            other => {
                let message = format!("{} has no effect here", other.describe());
                self.report(
                    Diagnostic::error(codes::WRONG_TYPE, span, message).help("`=` assigns, `==` compares"),
                );
                None
            }
        }
    }

    /// A comparison as an update is nearly always meant as an assignment.
    fn warn_of_comparison(&mut self, expr: ExprId, span: Span) {
        if matches!(self.model.exprs[expr].kind, ExprKind::Binary(BinaryOp::Equal, ..)) {
            let diagnostic = Diagnostic::warning(codes::NO_EFFECT, span, "this comparison has no effect");
            self.report(diagnostic.help("`=` assigns, `==` compares"));
        }
    }

    fn stmt(&mut self, stmt: &'t tree::Stmt, list: &mut Block) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Error | StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                let operand = self.expr(*expr);
                self.push_update(operand, span, list);
            }
            StmtKind::Block(block) => list.extend(self.block(block)),
            StmtKind::If { arms, otherwise } => {
                let mut dead = false;
                let mut list_of_arms = Vec::new();
                for (condition, stmt) in arms {
                    // A condition that is wrong counts as one that may hold, so that nothing else seems wrong
                    // for it.
                    let condition = self.perhaps_dead(dead, |lowerer| lowerer.value(*condition));
                    let condition = condition.unwrap_or_else(|| self.int(1, span));
                    let known = self.known(condition);
                    let body = self.perhaps_dead(dead || known == Some(0), |lowerer| lowerer.body(stmt));
                    dead |= known.is_some_and(|value| value != 0);
                    list_of_arms.push((condition, body));
                }
                let otherwise = otherwise.as_ref();
                let otherwise = self.perhaps_dead(dead, |lowerer| otherwise.map(|stmt| lowerer.body(stmt)));
                list.push(Stmt::If { arms: list_of_arms, otherwise: otherwise.unwrap_or_default() });
            }
            StmtKind::While { condition, body } => {
                let (condition, body) = (self.value(*condition), self.body(body));
                list.extend(condition.map(|condition| Stmt::While { condition, body, step: Block::new() }));
            }
            StmtKind::DoWhile { body, condition } => {
                let (body, condition) = (self.body(body), self.value(*condition));
                list.extend(condition.map(|condition| Stmt::DoWhile { body, condition }));
            }
            StmtKind::For { init, condition, step, body } => {
                self.for_loop(init, condition, step, body, span, list)
            }
            StmtKind::ForEach { binder, body } => self.for_each(binder, body, list),
            StmtKind::Return(value) => self.return_stmt(*value, span, list),
            StmtKind::Assert(expr) => list.extend(self.value(*expr).map(Stmt::Assert)),
        }
    }

    fn body(&mut self, stmt: &'t tree::Stmt) -> Block {
        let mut list = Block::new();
        self.in_scope(Scope::new(), |lowerer| lowerer.stmt(stmt, &mut list));
        list
    }

    fn for_loop(
        &mut self,
        init: &[tree::ExprId],
        condition: &[tree::ExprId],
        step: &[tree::ExprId],
        body: &'t tree::Stmt,
        span: Span,
        list: &mut Block,
    ) {
        list.extend(self.updates(init).into_iter().map(Stmt::Expr));
        let (tests, last) = match condition.split_last() {
            Some((last, before)) => (self.updates(before), self.value(*last)),
            None => (Vec::new(), Some(self.int(1, span))),
        };
        let step = self.updates(step).into_iter().map(Stmt::Expr).collect();
        let body = self.body(body);
        let Some(last) = last else { return };
        let condition = match tests.is_empty() {
            true => last,
            false => self.add(ExprKind::Sequence([tests, vec![last]].concat()), span),
        };
        list.push(Stmt::While { condition, body, step });
    }

    fn for_each(&mut self, binder: &'t tree::Binder, body: &'t tree::Stmt, list: &mut Block) {
        let Some((range, ty)) = self.binder_range(binder) else { return };
        let local = self.reserve(1);
        let entity = NamedEntity::Data { place: CellPlace::local(local, range), ty, constant: true };
        let body = self.with_binder(binder, entity, |lowerer| lowerer.body(body));
        self.release(local);
        list.push(Stmt::ForRange { local, range, body });
    }

    fn return_stmt(&mut self, value: Option<tree::ExprId>, span: Span, list: &mut Block) {
        let returns = self.returns.clone().unwrap_or(Ty::Void);
        let Some(value) = value else {
            if returns != Ty::Void && returns != Ty::Poison {
                self.error(codes::BAD_RETURN, span, format!("the function returns {}", returns.describe()));
            }
            list.push(Stmt::Return(None));
            return;
        };
        let value_span = self.tree[value].span;
        let operand = self.expr(value);
        if returns == Ty::Void {
            self.error(codes::BAD_RETURN, span, "the function returns nothing");
            list.push(Stmt::Return(None));
            return;
        }
        let stmt = match operand {
            Operand::Poison => None,
            _ if returns == Ty::Poison => None,
            operand if returns.is_abstracted() => {
                list.extend(self.left_of(operand, value_span).map(Stmt::Expr));
                None
            }
            operand if returns.is_aggregate() => self.return_cells(&returns, operand, value_span, list),
            operand => self.return_value(&returns, operand, value_span),
        };
        list.push(stmt.unwrap_or(Stmt::Return(None)));
    }

    fn return_value(&mut self, returns: &Ty, operand: Operand, span: Span) -> Option<Stmt> {
        let described = operand.describe();
        let (expr, ty) = self.single(operand, span)?;
        if !returns.accepts(&ty) {
            let message = format!("the function returns {}, and this is {described}", returns.describe());
            self.error(codes::BAD_RETURN, span, message);
            return None;
        }
        Some(Stmt::Return(Some(self.fitted(expr, &ty, returns, AssignOp::Set, span))))
    }

    fn return_cells(&mut self, returns: &Ty, operand: Operand, span: Span, list: &mut Block) -> Option<Stmt> {
        let Operand::Data { place, ty, setup, .. } = &operand else {
            let message =
                format!("the function returns {}, and this is {}", returns.describe(), operand.describe());
            self.error(codes::BAD_RETURN, span, message);
            return None;
        };
        if !returns.accepts(ty) {
            let message =
                format!("the function returns {}, and this is {}", returns.describe(), ty.describe());
            self.error(codes::BAD_RETURN, span, message);
            return None;
        }
        if returns.includes(ty) {
            self.note_read(place);
            list.extend(setup.map(Stmt::Expr));
            return Some(Stmt::ReturnCells { place: place.clone(), count: ty.cells() });
        }
        let checked = CellPlace::local(self.reserve(returns.cells()), Range::INT32);
        list.push(Stmt::Expr(self.copied(checked.clone(), returns, operand, span)?));
        Some(Stmt::ReturnCells { place: checked, count: returns.cells() })
    }

    /// Expressions for what they do, one after the other.
    pub(super) fn updates(&mut self, exprs: &[tree::ExprId]) -> Vec<ExprId> {
        let mut list = Vec::new();
        for &expr in exprs {
            let operand = self.expr(expr);
            list.extend(self.done(operand, self.tree[expr].span));
        }
        list
    }
}

/// A part of a variable.
fn part(place: &CellPlace, ty: &Ty, offset: u32) -> CellPlace {
    CellPlace { offset: place.offset + offset, range: ty.range().unwrap_or(Range::INT32), ..place.clone() }
}

/// Parameters as callers see them.
fn signature_parameters(parameters: &[(Parameter, Ty)], effects: &SideEffects) -> Vec<SignatureParameter> {
    let mut references = 0..;
    let signature = |(parameter, ty): &(Parameter, Ty)| {
        let number = (parameter.by_reference && !ty.is_abstracted()).then(|| references.next()).flatten();
        let written = number.is_some_and(|number| effects.written_references.contains(&number));
        SignatureParameter { ty: ty.clone(), by_reference: parameter.by_reference, written }
    };
    parameters.iter().map(signature).collect()
}

impl Lowerer<'_> {
    /// Whether every path through the block ends with a return, or never ends.
    fn always_returns(&self, block: &Block) -> bool {
        block.iter().any(|stmt| match stmt {
            Stmt::Return(_) | Stmt::ReturnCells { .. } => true,
            Stmt::If { arms, otherwise } => {
                arms.iter().all(|(_, block)| self.always_returns(block)) && self.always_returns(otherwise)
            }
            Stmt::DoWhile { body, .. } | Stmt::ForRange { body, .. } => self.always_returns(body),
            Stmt::While { condition, .. } => self.known(*condition).is_some_and(|value| value != 0),
            Stmt::Expr(_) | Stmt::Assert(_) => false,
        })
    }
}
