//! From updates to their effect on clocks, including functions.
//!
//! Expressions are followed in the order of evaluation. Certain effects are composed, possible effects (a branch, the
//! second operand of `&&`, a statement after one that may return) are joined with doing nothing, and repeated effects
//! are closed. A loop over the values of a type is unrolled, so that `for (i : id_t) x[i] = 0` resets every clock of
//! the array.
//!
//! A function is analysed once for each tuple of targets of its reference parameters, and its effect is cached: chains
//! of calls cost as much as their functions, not their expansion. Value parameters have the ranges of their types.

use std::collections::HashMap;

use tourbillon_model::{Argument, BinaryOp, Block, ExprId, ExprKind, FunctionId, Model, Range, Stmt};

use super::effect::Effect;
use super::error::{BoundsError, BoundsErrorKind};
use super::range::{Context, Referent};

type EffectResult<T = Effect> = Result<T, BoundsError>;

/// Computes effects, and caches those of functions.
pub(super) struct Updates<'m> {
    model: &'m Model,
    functions: HashMap<(FunctionId, Vec<Referent>), Effect>,
}

/// The effect of statements, and whether they may end the function.
struct Flow {
    effect: Effect,
    may_return: bool,
}

impl Flow {
    fn on(effect: Effect) -> Self {
        Self { effect, may_return: false }
    }

    fn nothing() -> Self {
        Self::on(Effect::nothing())
    }

    /// Sequence: this, then the other unless this has returned.
    fn then(&self, later: &Self) -> Self {
        let later_effect = if self.may_return { later.effect.perhaps() } else { later.effect.clone() };
        Self { effect: self.effect.then(&later_effect), may_return: self.may_return || later.may_return }
    }

    fn or(&self, other: &Self) -> Self {
        Self { effect: self.effect.or(&other.effect), may_return: self.may_return || other.may_return }
    }

    fn repeated(&self) -> Self {
        Self { effect: self.effect.repeated(), may_return: self.may_return }
    }
}

impl<'m> Updates<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model, functions: HashMap::new() }
    }

    /// The effect of expressions in sequence.
    pub(super) fn sequence(&mut self, context: &Context<'m>, exprs: &[ExprId]) -> EffectResult {
        exprs.iter().try_fold(Effect::nothing(), |before, &expr| Ok(before.then(&self.expr(context, expr)?)))
    }

    /// The effect of an expression.
    pub(super) fn expr(&mut self, context: &Context<'m>, id: ExprId) -> EffectResult {
        let expr = &self.model.exprs[id];
        match &expr.kind {
            ExprKind::Clock(_) => Err(BoundsError::new(BoundsErrorKind::ComparisonInUpdate, expr.span)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                Ok(self.expr(context, *left)?.then(&self.expr(context, *right)?.perhaps()))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let chosen = match context.truth(*condition) {
                    Some(true) => self.expr(context, *yes)?,
                    Some(false) => self.expr(context, *no)?,
                    None => self.expr(context, *yes)?.or(&self.expr(context, *no)?),
                };
                Ok(self.expr(context, *condition)?.then(&chosen))
            }
            ExprKind::Quantifier { local, range, body, .. } => {
                Ok(self.expr(&context.with_local(*local, *range), *body)?.repeated())
            }
            ExprKind::SetClock { target, source, value } => {
                let targets = context.clocks(target);
                let sources = source.as_ref().map(|source| context.clocks(source));
                let set = Effect::set(&targets, sources.as_deref(), context.value(*value).into());
                Ok(self.operands(context, id)?.then(&set))
            }
            ExprKind::Call { function, arguments } | ExprKind::CallInto { function, arguments, .. } => {
                let before = self.operands(context, id)?;
                Ok(before.then(&self.call(context, *function, arguments)?))
            }
            _ => self.operands(context, id),
        }
    }

    fn operands(&mut self, context: &Context<'m>, id: ExprId) -> EffectResult {
        let mut operands = Vec::new();
        self.model.exprs[id].kind.for_each_operand(&mut |operand| operands.push(operand));
        self.sequence(context, &operands)
    }

    fn call(&mut self, context: &Context<'m>, id: FunctionId, arguments: &[Argument]) -> EffectResult {
        let function = &self.model.functions[id];
        let pairs = arguments.iter().zip(&function.parameters);
        let references: Vec<Referent> =
            pairs.filter_map(|(argument, parameter)| context.referent(argument, &parameter.ty)).collect();
        let key = (id, references);
        if let Some(known) = self.functions.get(&key) {
            return Ok(known.clone());
        }
        let inside = Context::of_function(self.model, key.1.clone());
        let effect = self.block(&inside, &function.body)?.effect;
        self.functions.insert(key, effect.clone());
        Ok(effect)
    }

    fn block(&mut self, context: &Context<'m>, block: &'m Block) -> EffectResult<Flow> {
        block.iter().try_fold(Flow::nothing(), |before, stmt| Ok(before.then(&self.stmt(context, stmt)?)))
    }

    fn stmt(&mut self, context: &Context<'m>, stmt: &'m Stmt) -> EffectResult<Flow> {
        match stmt {
            Stmt::Expr(expr) | Stmt::Assert(expr) => self.expr(context, *expr).map(Flow::on),
            Stmt::If { arms, otherwise } => self.branches(context, arms, otherwise),
            Stmt::While { condition, body, step } => {
                let test = Flow::on(self.expr(context, *condition)?);
                let round = self.block(context, body)?.then(&self.block(context, step)?).then(&test);
                Ok(test.then(&round.repeated()))
            }
            Stmt::DoWhile { body, condition } => {
                let test = Flow::on(self.expr(context, *condition)?);
                let round = self.block(context, body)?.then(&test);
                Ok(round.then(&round.repeated()))
            }
            Stmt::ForRange { local, range, body } => self.for_range(context, *local, *range, body),
            Stmt::Return(Some(expr)) => Ok(Flow { effect: self.expr(context, *expr)?, may_return: true }),
            Stmt::Return(None) => Ok(Flow { effect: Effect::nothing(), may_return: true }),
            Stmt::ReturnCells { place, .. } => {
                let indices: Vec<ExprId> = place.indices.iter().map(|step| step.index).collect();
                Ok(Flow { effect: self.sequence(context, &indices)?, may_return: true })
            }
        }
    }

    fn branches(
        &mut self,
        context: &Context<'m>,
        arms: &'m [(ExprId, Block)],
        otherwise: &'m Block,
    ) -> EffectResult<Flow> {
        let last = self.block(context, otherwise)?;
        arms.iter().rev().try_fold(last, |rest, (condition, block)| {
            let test = Flow::on(self.expr(context, *condition)?);
            Ok(match context.truth(*condition) {
                Some(true) => test.then(&self.block(context, block)?),
                Some(false) => test.then(&rest),
                None => test.then(&self.block(context, block)?.or(&rest)),
            })
        })
    }

    fn for_range(
        &mut self,
        context: &Context<'m>,
        local: u32,
        range: Range,
        body: &'m Block,
    ) -> EffectResult<Flow> {
        match context.each(local, range) {
            Some(cases) => cases
                .iter()
                .try_fold(Flow::nothing(), |before, case| Ok(before.then(&self.block(case, body)?))),
            None => Ok(self.block(&context.with_local(local, range), body)?.repeated()),
        }
    }
}
