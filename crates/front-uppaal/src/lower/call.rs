//! Calls of functions, and their arguments.

use tourbillon_base::Span;
use tourbillon_model::{Argument, AssignOp, CellPlace, ExprId, ExprKind, FunctionId, Range, UnaryOp};
use tourbillon_syntax::tree;

use super::place::Operand;
use super::types::Ty;
use super::{Lowerer, NamedEntity, SignatureParameter, codes};

/// Functions on floating-point numbers.
const FLOATING_FUNCTIONS: &[&str] = &[
    "fabs",
    "fmod",
    "fma",
    "fmax",
    "fmin",
    "exp",
    "exp2",
    "expm1",
    "ln",
    "log",
    "log10",
    "log2",
    "log1p",
    "pow",
    "sqrt",
    "cbrt",
    "hypot",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "ceil",
    "floor",
    "trunc",
    "round",
    "fint",
    "ldexp",
    "ilogb",
    "logb",
    "nextafter",
    "copysign",
    "signbit",
    "random",
    "random_normal",
    "random_poisson",
    "random_arcsine",
    "random_beta",
    "random_gamma",
    "random_tri",
    "random_weibull",
];

impl Lowerer<'_> {
    pub(super) fn call(&mut self, callee: tree::ExprId, args: &[tree::ExprId], span: Span) -> Operand {
        match self.process_function(callee) {
            Some(Ok(function)) => return self.call_function(function, args, span),
            Some(Err(())) => return Operand::Poison,
            None => {}
        }
        let Some(name) = self.tree.as_name(callee) else {
            self.error(codes::WRONG_KIND, span, "only a function can be called");
            return Operand::Poison;
        };
        let text = self.tree.name(name).to_owned();
        match self.find(name.symbol) {
            Some(NamedEntity::Function(function)) => {
                self.mark_used(name.symbol);
                self.call_function(function, args, span)
            }
            Some(NamedEntity::OpenFunction) => {
                self.error(codes::RECURSION, span, format!("`{text}` calls itself"));
                Operand::Poison
            }
            Some(NamedEntity::Poison) => Operand::Poison,
            Some(NamedEntity::Unsupported(_)) => self.name(name),
            None if text == "abs" => self.absolute(args, span),
            None if FLOATING_FUNCTIONS.contains(&text.as_str()) => {
                args.iter().for_each(|&arg| drop(self.expr(arg)));
                Operand::Abstracted
            }
            None => {
                self.look_up(name);
                Operand::Poison
            }
            Some(_) => {
                self.error(codes::WRONG_KIND, name.span, format!("`{text}` is not a function"));
                Operand::Poison
            }
        }
    }

    fn absolute(&mut self, args: &[tree::ExprId], span: Span) -> Operand {
        let &[arg] = args else {
            self.error(codes::WRONG_ARGUMENTS, span, format!("`abs` takes 1 argument, not {}", args.len()));
            return Operand::Poison;
        };
        match self.expr(arg) {
            Operand::Abstracted => Operand::Abstracted,
            operand => match self.number(operand, self.tree[arg].span) {
                Some(value) => Operand::Value(
                    self.add(ExprKind::Unary(UnaryOp::Absolute, value), span),
                    Ty::Int(Range::INT32),
                ),
                None => Operand::Poison,
            },
        }
    }

    fn call_function(&mut self, function: FunctionId, args: &[tree::ExprId], span: Span) -> Operand {
        let signature = self.signatures[function].clone();
        if signature.parameters.len() != args.len() {
            let name = self.model.functions[function].name.clone();
            let message =
                format!("`{name}` takes {} arguments, not {}", signature.parameters.len(), args.len());
            self.error(codes::WRONG_ARGUMENTS, span, message);
            return Operand::Poison;
        }
        let mut around = CopiedArguments::default();
        let mut arguments = Some(Vec::new());
        for (parameter, &arg) in signature.parameters.iter().zip(args) {
            if parameter.ty.is_abstracted() {
                let operand = self.expr(arg);
                around.before.extend(self.left_of(operand, self.tree[arg].span));
                continue;
            }
            let argument = self.argument(parameter, arg, &mut around);
            arguments = arguments.zip(argument).map(|(mut list, argument)| {
                list.push(argument);
                list
            });
        }
        self.effects.touched |= signature.effects.touched;
        self.effects.calls = self.effects.calls.max(signature.effects.calls + 1);
        if signature.effects.wrote.is_some() {
            self.effects.wrote.get_or_insert(span);
        }
        let Some(arguments) = arguments else { return Operand::Poison };
        match signature.returns {
            Ty::Poison => Operand::Poison,
            ty if ty.is_abstracted() => {
                let call = self.add(ExprKind::Call { function, arguments }, span);
                let call = self.with_around(around, call, span);
                self.aside.push(call);
                Operand::Abstracted
            }
            ty if ty.is_aggregate() => {
                let local = self.reserve_apart(ty.cells());
                let call = self.add(ExprKind::CallInto { function, arguments, local }, span);
                let setup = self.with_around(around, call, span);
                let place = CellPlace::local(local, Range::INT32);
                Operand::Data { place, ty, constant: true, setup: Some(setup) }
            }
            ty => {
                let call = self.add(ExprKind::Call { function, arguments }, span);
                Operand::Value(self.call_value(around, call, &ty, span), ty)
            }
        }
    }

    /// A call with what is done before and after it.
    fn with_around(&mut self, around: CopiedArguments, call: ExprId, span: Span) -> ExprId {
        if around.before.is_empty() && around.after.is_empty() {
            return call;
        }
        let parts = [around.before, vec![call], around.after].concat();
        self.add(ExprKind::Sequence(parts), span)
    }

    /// The value of a call, kept in a local cell if something is done after it.
    fn call_value(&mut self, around: CopiedArguments, call: ExprId, ty: &Ty, span: Span) -> ExprId {
        let Some(range) = ty.range().filter(|_| !around.after.is_empty()) else {
            return self.with_around(around, call, span);
        };
        let place = CellPlace::local(self.reserve_apart(1), range);
        let kept = ExprKind::Assign { op: AssignOp::Set, target: place.clone(), value: call };
        let kept = self.add(kept, span);
        let all = self.with_around(around, kept, span);
        let load = self.add(ExprKind::Load(place), span);
        self.add(ExprKind::Sequence(vec![all, load]), span)
    }

    fn argument(
        &mut self,
        parameter: &SignatureParameter,
        arg: tree::ExprId,
        around: &mut CopiedArguments,
    ) -> Option<Argument> {
        let span = self.tree[arg].span;
        let operand = self.expr(arg);
        match operand {
            Operand::Poison => None,
            operand if parameter.by_reference => self.reference_argument(parameter, operand, around, span),
            Operand::Data { place, ty, setup, constant } if parameter.ty.is_aggregate() => {
                self.cells_argument(&parameter.ty, Operand::Data { place, ty, setup, constant }, around, span)
            }
            operand => {
                let described = operand.describe();
                let (value, found) = self.single(operand, span)?;
                let ty = &parameter.ty;
                if !ty.accepts(&found) || ty.is_aggregate() {
                    let message = format!("expected {}, found {described}", ty.describe());
                    self.error(codes::WRONG_TYPE, span, message);
                    return None;
                }
                Some(Argument::Value(self.fitted(value, &found, ty, AssignOp::Set, span)))
            }
        }
    }

    /// A copy of an array or record.
    fn cells_argument(
        &mut self,
        ty: &Ty,
        operand: Operand,
        around: &mut CopiedArguments,
        span: Span,
    ) -> Option<Argument> {
        let Operand::Data { place, ty: found, setup, .. } = &operand else { return None };
        if !ty.accepts(found) {
            let message = format!("expected {}, found {}", ty.describe(), found.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return None;
        }
        self.note_read(place);
        if ty.includes(found) {
            around.before.extend(*setup);
            return Some(Argument::Cells(place.clone()));
        }
        let copy = CellPlace::local(self.reserve_apart(ty.cells()), Range::INT32);
        around.before.push(self.copied(copy.clone(), ty, operand, span)?);
        Some(Argument::Cells(copy))
    }

    fn reference_argument(
        &mut self,
        parameter: &SignatureParameter,
        operand: Operand,
        around: &mut CopiedArguments,
        span: Span,
    ) -> Option<Argument> {
        let (ty, written) = (&parameter.ty, parameter.written);
        match operand {
            Operand::Clock { place, ty: found } if ty.accepts(&found) => {
                if written {
                    self.note_write(&place.root, span);
                }
                self.effects.touched = true;
                Some(Argument::Clock(place))
            }
            Operand::Data { constant, ty: found, .. } if constant && written && ty.alike(&found) => {
                let message = "the function may change this, which keeps its value";
                self.error(codes::NEEDS_REFERENCE, span, message);
                None
            }
            Operand::Data { place, ty: found, setup, .. } if ty.alike(&found) => {
                around.before.extend(setup);
                self.note_read(&place);
                if !written {
                    return Some(Argument::Reference(place));
                }
                self.note_write(&place.root, span);
                if found.includes(ty) {
                    return Some(Argument::Reference(place));
                }
                self.lent(ty, &found, &place, around, span).map(Argument::Reference)
            }
            Operand::Value(_, found) if ty.alike(&found) => {
                self.error(codes::NEEDS_REFERENCE, span, super::ONLY_A_VALUE);
                None
            }
            other => {
                let message = format!(
                    "a variable that is {} is needed, and this is {}",
                    ty.describe(),
                    other.describe()
                );
                self.error(codes::NEEDS_REFERENCE, span, message);
                None
            }
        }
    }

    /// Local cells that stand for a variable whose range is narrower than that of the parameter it is passed
    /// for: what the function leaves in them is checked on its way back.
    fn lent(
        &mut self,
        ty: &Ty,
        found: &Ty,
        place: &CellPlace,
        around: &mut CopiedArguments,
        span: Span,
    ) -> Option<CellPlace> {
        let place = self.pinned(place, &mut around.before, span);
        let local = CellPlace::local(self.reserve_apart(ty.cells()), ty.range().unwrap_or(Range::INT32));
        let data = |place: &CellPlace, ty: &Ty| Operand::Data {
            place: place.clone(),
            ty: ty.clone(),
            constant: false,
            setup: None,
        };
        if ty.is_aggregate() {
            around.before.push(self.copied(local.clone(), ty, data(&place, found), span)?);
            around.after.push(self.copied(place, found, data(&local, ty), span)?);
        } else {
            let (there, back) = (
                self.add(ExprKind::Load(place.clone()), span),
                self.add(ExprKind::Load(local.clone()), span),
            );
            let (there, back) = (
                ExprKind::Assign { op: AssignOp::Set, target: local.clone(), value: there },
                ExprKind::Assign { op: AssignOp::Set, target: place, value: back },
            );
            around.before.push(self.add(there, span));
            around.after.push(self.add(back, span));
        }
        Some(local)
    }
}

/// What is done before and after a call for the sake of its arguments.
#[derive(Default)]
struct CopiedArguments {
    before: Vec<ExprId>,
    after: Vec<ExprId>,
}
