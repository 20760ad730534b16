//! Expressions.

use tourbillon_base::Span;
use tourbillon_model::{AssignOp, BinaryOp, CellPlace, ExprId, ExprKind, QuantifierOp, Range, UnaryOp};
use tourbillon_syntax::tree::{self, Binder, Name};

use super::clock::{ClockFormula, ConditionClass};
use super::place::Operand;
use super::types::Ty;
use super::{Binding, EXPRS_MAX, Lowerer, NamedEntity, Scope, VISITS_MAX, codes};

/// The most cases that a quantifier is written out in.
const CASES_MAX: u64 = 4096;

/// The most operators in a row, where these do not associate, with those of the rows around it.
const CHAIN_MAX: usize = 1024;

/// How many operands are joined one after the other, as people write them; more are joined as a balanced
/// tree, so that nothing that walks over it has to go deep.
const ROW_MAX: usize = 8;

impl Lowerer<'_> {
    /// What an expression comes to.
    pub(super) fn expr(&mut self, id: tree::ExprId) -> Operand {
        let tree = self.tree;
        let span = tree[id].span;
        self.visits += 1;
        match &tree[id].kind {
            tree::ExprKind::Error => Operand::Poison,
            tree::ExprKind::Int(value) => {
                let range = Range { min: *value, max: *value };
                Operand::Value(self.int(*value, span), Ty::Int(range))
            }
            tree::ExprKind::Bool(value) => Operand::Value(self.int((*value).into(), span), Ty::Bool),
            tree::ExprKind::Float(_) | tree::ExprKind::Str(_) => Operand::Abstracted,
            tree::ExprKind::Name(symbol) => self.name(Name { symbol: *symbol, span }),
            tree::ExprKind::Deadlock => self.deadlock(span),
            tree::ExprKind::Unary { op, operand } => self.unary(*op, *operand, span),
            tree::ExprKind::Chain { first, links } => self.chain(*first, links),
            tree::ExprKind::Conditional(inner) => self.conditional(inner, span),
            tree::ExprKind::Assign { op, target, value } => self.assign(*op, *target, *value, span),
            tree::ExprKind::Index { array, index } => self.index(*array, *index, span),
            tree::ExprKind::Field { record, field } => self.field(*record, *field, span),
            tree::ExprKind::Call { callee, args } => self.call(*callee, args, span),
            tree::ExprKind::Quantifier(inner) => self.quantifier(inner, span),
            tree::ExprKind::List(_) => {
                self.error(codes::BAD_INITIALISER, span, "a list in braces can only be an initial value");
                Operand::Poison
            }
            tree::ExprKind::Spawn(_) | tree::ExprKind::Exit | tree::ExprKind::NumOf(_) => {
                self.error(codes::UNSUPPORTED, span, "dynamic templates are not supported");
                Operand::Poison
            }
        }
    }

    /// The value of an expression that must be a number or truth value.
    pub(super) fn value(&mut self, id: tree::ExprId) -> Option<ExprId> {
        let operand = self.expr(id);
        self.number(operand, self.tree[id].span)
    }

    /// The value of an operand that must be a number or truth value.
    pub(super) fn number(&mut self, operand: Operand, span: Span) -> Option<ExprId> {
        let (expr, ty) = self.single(operand, span)?;
        if ty.is_number() {
            return Some(expr);
        }
        self.error(codes::WRONG_TYPE, span, format!("expected a number, found {}", ty.describe()));
        None
    }

    /// The value of an expression in one cell, and its type.
    pub(super) fn typed_value(&mut self, id: tree::ExprId) -> Option<(ExprId, Ty)> {
        let operand = self.expr(id);
        self.single(operand, self.tree[id].span)
    }

    pub(super) fn single(&mut self, operand: Operand, span: Span) -> Option<(ExprId, Ty)> {
        let (code, message) = match operand {
            Operand::Poison => return None,
            Operand::Value(expr, ty) if ty != Ty::Void => return Some((expr, ty)),
            Operand::Data { place, ty, setup, .. } if ty.range().is_some() => {
                return Some((self.load(place, setup, span), ty));
            }
            Operand::Data { ty: Ty::Poison, .. } => return None,
            Operand::Clock { .. } | Operand::Term(_) => {
                (codes::CLOCK_AS_VALUE, "expected a number, found a clock".to_owned())
            }
            Operand::ClockFormula(_) => {
                (codes::CLOCK_CONDITION, "a comparison of clocks cannot be used as a value".to_owned())
            }
            Operand::Abstracted => (
                codes::UNSUPPORTED,
                "what happens depends on a floating-point number or string, which is not supported"
                    .to_owned(),
            ),
            other => (codes::WRONG_TYPE, format!("expected a number, found {}", other.describe())),
        };
        self.error(code, span, message);
        None
    }

    fn deadlock(&mut self, span: Span) -> Operand {
        if !self.in_query {
            self.error(codes::BAD_QUERY, span, "`deadlock` can only be asked for in queries");
            return Operand::Poison;
        }
        let expr = self.add(ExprKind::Deadlock, span);
        Operand::ClockFormula(ClockFormula { expr, class: ConditionClass::Query, rates: Vec::new() })
    }

    fn unary(&mut self, op: tree::UnaryOp, operand: tree::ExprId, span: Span) -> Operand {
        match op {
            tree::UnaryOp::PreIncrement | tree::UnaryOp::PreDecrement => {
                let op = if op == tree::UnaryOp::PreIncrement { BinaryOp::Add } else { BinaryOp::Subtract };
                let target = self.expr(operand);
                let one = self.int(1, span);
                self.write(
                    AssignOp::With(op),
                    target,
                    Operand::Value(one, Ty::Int(Range { min: 1, max: 1 })),
                    span,
                )
            }
            tree::UnaryOp::PostIncrement | tree::UnaryOp::PostDecrement => {
                let delta = if op == tree::UnaryOp::PostIncrement { 1 } else { -1 };
                self.post_increment(operand, delta, span)
            }
            tree::UnaryOp::Rate => {
                self.error(codes::BAD_RATE, span, "a rate can only be given in an invariant, as `x' == 0`");
                Operand::Poison
            }
            tree::UnaryOp::Negate | tree::UnaryOp::Plus | tree::UnaryOp::Not => {
                let inner_span = self.tree[operand].span;
                let inner = self.expr(operand);
                self.simple_unary(op, inner, inner_span, span)
            }
        }
    }

    fn simple_unary(&mut self, op: tree::UnaryOp, inner: Operand, inner_span: Span, span: Span) -> Operand {
        match (op, inner) {
            (_, Operand::Poison) => Operand::Poison,
            (_, Operand::Abstracted) => Operand::Abstracted,
            (tree::UnaryOp::Not, Operand::ClockFormula(formula)) => {
                if !formula.rates.is_empty() {
                    self.error(codes::BAD_RATE, span, "a rate cannot be negated");
                    return Operand::Poison;
                }
                let expr = self.not(formula.expr, span);
                Operand::ClockFormula(ClockFormula { expr, class: ConditionClass::Query, rates: Vec::new() })
            }
            (op, inner) => {
                let Some(value) = self.number(inner, inner_span) else { return Operand::Poison };
                match op {
                    tree::UnaryOp::Not => Operand::Value(self.not(value, span), Ty::Bool),
                    tree::UnaryOp::Negate => Operand::Value(
                        self.add(ExprKind::Unary(UnaryOp::Negate, value), span),
                        Ty::Int(Range::INT32),
                    ),
                    _ => Operand::Value(value, Ty::Int(Range::INT32)),
                }
            }
        }
    }

    /// Operators of one level, from left to right.
    fn chain(&mut self, first: tree::ExprId, links: &[tree::ChainLink]) -> Operand {
        let tree = self.tree;
        let span = tree[first].span;
        if let ([link], tree::ExprKind::Unary { op: tree::UnaryOp::Rate, operand }) =
            (links, &tree[first].kind)
            && link.op == tree::BinaryOp::Equal
        {
            return self.rate(*operand, link.operand, span.to(tree[link.operand].span));
        }
        let op = links.first().map_or(tree::BinaryOp::And, |link| link.op);
        let associates = matches!(op, tree::BinaryOp::And | tree::BinaryOp::Or);
        if associates && links.iter().all(|link| link.op == op) {
            return self.row(op, first, links);
        }
        if self.chained + links.len() > CHAIN_MAX {
            let message = format!("{} operators in a row, more than {CHAIN_MAX}", self.chained + links.len());
            self.error(codes::MODEL_TOO_LARGE, span, message);
            return Operand::Poison;
        }
        self.chained += links.len();
        let mut left = (self.expr(first), span);
        for link in links {
            let right_span = tree[link.operand].span;
            let dead = self.decides(link.op, &left.0);
            let right = self.perhaps_dead(dead, |lowerer| lowerer.expr(link.operand));
            let span = span.to(right_span);
            left = (self.binary(link.op, left, (right, right_span), span), span);
        }
        self.chained -= links.len();
        left.0
    }

    /// `a && b && c`, or the same with `||`.
    fn row(&mut self, op: tree::BinaryOp, first: tree::ExprId, links: &[tree::ChainLink]) -> Operand {
        let mut operands = Vec::with_capacity(links.len() + 1);
        let mut dead = false;
        for id in std::iter::once(first).chain(links.iter().map(|link| link.operand)) {
            let operand = self.perhaps_dead(dead, |lowerer| lowerer.expr(id));
            dead = dead || self.decides(op, &operand);
            operands.push((operand, self.tree[id].span));
        }
        self.joined(op, operands).0
    }

    /// Joins operands, of which there is at least one, by an operator that associates.
    fn joined(&mut self, op: tree::BinaryOp, mut operands: Vec<(Operand, Span)>) -> (Operand, Span) {
        if operands.len() > ROW_MAX {
            let right = operands.split_off(operands.len() / 2);
            operands = vec![self.joined(op, operands), self.joined(op, right)];
        }
        let mut operands = operands.into_iter();
        let mut left = operands.next().expect("at least one operand");
        for right in operands {
            let span = left.1.to(right.1);
            left = (self.binary(op, left, right, span), span);
        }
        left
    }

    /// Whether the left operand is known and settles the matter, so that the right one is never evaluated.
    fn decides(&self, op: tree::BinaryOp, left: &Operand) -> bool {
        let known = match left {
            Operand::Value(expr, _) => self.known(*expr),
            Operand::ClockFormula(formula) => self.known(formula.expr),
            _ => None,
        };
        match op {
            tree::BinaryOp::And | tree::BinaryOp::Imply => known == Some(0),
            tree::BinaryOp::Or => known.is_some_and(|value| value != 0),
            _ => false,
        }
    }

    fn binary(
        &mut self,
        op: tree::BinaryOp,
        left: (Operand, Span),
        right: (Operand, Span),
        span: Span,
    ) -> Operand {
        let is_clock = |operand: &Operand| matches!(operand, Operand::Clock { .. } | Operand::Term(_));
        let is_formula = |operand: &Operand| matches!(operand, Operand::ClockFormula(_));
        let ((left, left_span), (right, right_span)) = (left, right);
        match (&left, &right) {
            (Operand::Poison, _) | (_, Operand::Poison) => {
                // The other side has its own right to be wrong.
                if matches!(op, tree::BinaryOp::And | tree::BinaryOp::Or | tree::BinaryOp::Imply) {
                    self.condition(left, left_span);
                    self.condition(right, right_span);
                }
                return Operand::Poison;
            }
            (Operand::Abstracted, _) | (_, Operand::Abstracted) => return Operand::Abstracted,
            (one, two) if is_formula(one) || is_formula(two) => {
                if !matches!(
                    op,
                    tree::BinaryOp::And | tree::BinaryOp::Or | tree::BinaryOp::Imply | tree::BinaryOp::Xor
                ) {
                    let message = format!("`{}` cannot be applied to a comparison of clocks", op.text());
                    self.error(codes::CLOCK_CONDITION, span, message);
                    return Operand::Poison;
                }
                let (left, right) = (self.condition(left, left_span), self.condition(right, right_span));
                return self.connect(op, left, right, span);
            }
            (one, two) if is_clock(one) || is_clock(two) => {
                return self.binary_with_clocks(op, (left, left_span), (right, right_span), span);
            }
            (Operand::Data { ty: one, .. }, Operand::Data { ty: two, .. })
                if one.is_aggregate() || two.is_aggregate() =>
            {
                return self.compare_cells(op, left, right, span);
            }
            _ => {}
        }
        self.binary_on_values(op, (left, left_span), (right, right_span), span)
    }

    fn binary_with_clocks(
        &mut self,
        op: tree::BinaryOp,
        (left, left_span): (Operand, Span),
        (right, right_span): (Operand, Span),
        span: Span,
    ) -> Operand {
        let (one, two) = (self.term(&left, left_span), self.term(&right, right_span));
        match (op, one, two) {
            (tree::BinaryOp::Add, Some(one), Some(two)) => self.add_terms(one, two, false, span),
            (tree::BinaryOp::Subtract, Some(one), Some(two)) => self.add_terms(one, two, true, span),
            (op, Some(one), Some(two)) if op.is_comparison() => self.compare_clocks(op, one, two, span),
            _ => {
                let message = format!(
                    "`{}` cannot be applied to {} and {}",
                    op.text(),
                    left.describe(),
                    right.describe()
                );
                self.error(codes::CLOCK_AS_VALUE, span, message);
                Operand::Poison
            }
        }
    }

    fn binary_on_values(
        &mut self,
        op: tree::BinaryOp,
        (left, left_span): (Operand, Span),
        (right, right_span): (Operand, Span),
        span: Span,
    ) -> Operand {
        let values = (self.single(left, left_span), self.single(right, right_span));
        let (Some((one, one_ty)), Some((two, two_ty))) = values else { return Operand::Poison };
        let equality = matches!(op, tree::BinaryOp::Equal | tree::BinaryOp::NotEqual);
        let fits = one_ty.is_number() && two_ty.is_number() || equality && one_ty.accepts(&two_ty);
        if !fits {
            let message = format!(
                "`{}` cannot be applied to {} and {}",
                op.text(),
                one_ty.describe(),
                two_ty.describe()
            );
            self.error(codes::WRONG_TYPE, span, message);
            return Operand::Poison;
        }
        let (op, one, two) = match op {
            tree::BinaryOp::Greater => (tree::BinaryOp::Less, two, one),
            tree::BinaryOp::GreaterEqual => (tree::BinaryOp::LessEqual, two, one),
            tree::BinaryOp::Imply => (tree::BinaryOp::Or, self.not(one, span), two),
            tree::BinaryOp::Xor => {
                let one = self.add(ExprKind::Unary(UnaryOp::Truth, one), span);
                (tree::BinaryOp::NotEqual, one, self.add(ExprKind::Unary(UnaryOp::Truth, two), span))
            }
            op => (op, one, two),
        };
        let (kind, ty) = match op {
            tree::BinaryOp::Multiply => (BinaryOp::Multiply, Ty::Int(Range::INT32)),
            tree::BinaryOp::Divide => (BinaryOp::Divide, Ty::Int(Range::INT32)),
            tree::BinaryOp::Modulo => (BinaryOp::Remainder, Ty::Int(Range::INT32)),
            tree::BinaryOp::Add => (BinaryOp::Add, Ty::Int(Range::INT32)),
            tree::BinaryOp::Subtract => (BinaryOp::Subtract, Ty::Int(Range::INT32)),
            tree::BinaryOp::ShiftLeft => (BinaryOp::ShiftLeft, Ty::Int(Range::INT32)),
            tree::BinaryOp::ShiftRight => (BinaryOp::ShiftRight, Ty::Int(Range::INT32)),
            tree::BinaryOp::Minimum => (BinaryOp::Minimum, Ty::Int(Range::INT32)),
            tree::BinaryOp::Maximum => (BinaryOp::Maximum, Ty::Int(Range::INT32)),
            tree::BinaryOp::BitAnd => (BinaryOp::BitAnd, Ty::Int(Range::INT32)),
            tree::BinaryOp::BitXor => (BinaryOp::BitXor, Ty::Int(Range::INT32)),
            tree::BinaryOp::BitOr => (BinaryOp::BitOr, Ty::Int(Range::INT32)),
            tree::BinaryOp::Less => (BinaryOp::Less, Ty::Bool),
            tree::BinaryOp::LessEqual => (BinaryOp::LessOrEqual, Ty::Bool),
            tree::BinaryOp::Equal => (BinaryOp::Equal, Ty::Bool),
            tree::BinaryOp::NotEqual => (BinaryOp::NotEqual, Ty::Bool),
            tree::BinaryOp::And => (BinaryOp::And, Ty::Bool),
            tree::BinaryOp::Or => (BinaryOp::Or, Ty::Bool),
            tree::BinaryOp::Power => {
                self.error(
                    codes::UNSUPPORTED,
                    span,
                    "powers are of floating-point numbers, which are not supported",
                );
                return Operand::Poison;
            }
            tree::BinaryOp::Greater
            | tree::BinaryOp::GreaterEqual
            | tree::BinaryOp::Imply
            | tree::BinaryOp::Xor => {
                unreachable!("rewritten above")
            }
        };
        Operand::Value(self.add(ExprKind::Binary(kind, one, two), span), ty)
    }

    /// Whole arrays and records can be compared for equality.
    fn compare_cells(&mut self, op: tree::BinaryOp, left: Operand, right: Operand, span: Span) -> Operand {
        let (
            Operand::Data { place: one, ty, setup: first, .. },
            Operand::Data { place: two, ty: other, setup: second, .. },
        ) = (left, right)
        else {
            return Operand::Poison;
        };
        let equality = matches!(op, tree::BinaryOp::Equal | tree::BinaryOp::NotEqual);
        if !equality || !ty.accepts(&other) {
            let message =
                format!("`{}` cannot be applied to {} and {}", op.text(), ty.describe(), other.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return Operand::Poison;
        }
        self.note_read(&one);
        self.note_read(&two);
        let same = self.add(ExprKind::SameCells { left: one, right: two, count: ty.cells() }, span);
        let same = if op == tree::BinaryOp::Equal { same } else { self.not(same, span) };
        let same = self.after(second, same, span);
        Operand::Value(self.after(first, same, span), Ty::Bool)
    }

    fn conditional(&mut self, inner: &tree::Conditional, span: Span) -> Operand {
        let condition = self.value(inner.condition);
        let known = condition.and_then(|condition| self.known(condition));
        let yes = self.perhaps_dead(known == Some(0), |lowerer| lowerer.expr(inner.yes));
        let no = self.perhaps_dead(known.is_some_and(|value| value != 0), |lowerer| lowerer.expr(inner.no));
        match (&yes, &no) {
            (Operand::Abstracted, _) | (_, Operand::Abstracted) => return Operand::Abstracted,
            (Operand::Data { ty, .. }, Operand::Data { .. }) if ty.is_aggregate() => {
                return condition.map_or(Operand::Poison, |condition| self.choice(condition, yes, no, span));
            }
            _ => {}
        }
        let yes = self.single(yes, self.tree[inner.yes].span);
        let no = self.single(no, self.tree[inner.no].span);
        let (Some(condition), Some((yes, ty)), Some((no, other))) = (condition, yes, no) else {
            return Operand::Poison;
        };
        if !ty.accepts(&other) {
            let message = format!("one case is {}, the other {}", ty.describe(), other.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return Operand::Poison;
        }
        let ty = if ty == other { ty } else { Ty::Int(Range::INT32) };
        Operand::Value(self.add(ExprKind::Conditional(condition, yes, no), span), ty)
    }

    /// One of two arrays or records: it is copied to local cells.
    fn choice(&mut self, condition: ExprId, yes: Operand, no: Operand, span: Span) -> Operand {
        let (Operand::Data { ty, .. }, Operand::Data { ty: other, .. }) = (&yes, &no) else {
            return Operand::Poison;
        };
        if !ty.accepts(other) {
            let message = format!("one case is {}, the other {}", ty.describe(), other.describe());
            self.error(codes::WRONG_TYPE, span, message);
            return Operand::Poison;
        }
        let ty = if ty.includes(other) { ty.clone() } else { other.clone() };
        let place = CellPlace::local(self.reserve_apart(ty.cells()), Range::INT32);
        let (Some(yes), Some(no)) =
            (self.copied(place.clone(), &ty, yes, span), self.copied(place.clone(), &ty, no, span))
        else {
            return Operand::Poison;
        };
        let setup = self.add(ExprKind::Conditional(condition, yes, no), span);
        Operand::Data { place, ty, constant: true, setup: Some(setup) }
    }

    /// `forall`, `exists` and `sum`. Over conditions on clocks, and where the bound name chooses a process,
    /// they are written out case by case.
    fn quantifier(&mut self, inner: &tree::Quantifier, span: Span) -> Operand {
        let op = match inner.op {
            tree::QuantifierOp::Forall => QuantifierOp::ForAll,
            tree::QuantifierOp::Exists => QuantifierOp::Exists,
            tree::QuantifierOp::Sum => QuantifierOp::Sum,
            tree::QuantifierOp::Foreach => {
                self.error(codes::UNSUPPORTED, span, "dynamic templates are not supported");
                return Operand::Poison;
            }
        };
        let Some((range, ty)) = self.binder_range(&inner.binder) else { return Operand::Poison };
        let local = self.reserve(1);
        let bound =
            NamedEntity::Data { place: CellPlace::local(local, range), ty: ty.clone(), constant: true };
        let outer = self.open_process.take();
        let probing = std::mem::replace(&mut self.probing, true);
        let body = self.with_binder(&inner.binder, bound, |lowerer| lowerer.expr(inner.body));
        self.probing = probing;
        let open = std::mem::replace(&mut self.open_process, outer);
        let result = match body {
            // A quantifier further out only wants to know whether it has to be written out, and then this
            // will be as well.
            _ if open.is_some() && probing => {
                self.open_process = open;
                Operand::Poison
            }
            Operand::ClockFormula(formula) if probing => Operand::ClockFormula(formula),
            _ if open.is_some() => self.written_out(op, inner, range, &ty, span),
            Operand::Poison => Operand::Poison,
            Operand::Abstracted => Operand::Abstracted,
            Operand::ClockFormula(_) => self.written_out(op, inner, range, &ty, span),
            body => match self.number(body, self.tree[inner.body].span) {
                None => Operand::Poison,
                Some(body) => {
                    let ty = if op == QuantifierOp::Sum { Ty::Int(Range::INT32) } else { Ty::Bool };
                    Operand::Value(self.add(ExprKind::Quantifier { op, local, range, body }, span), ty)
                }
            },
        };
        self.release(local);
        result
    }

    fn written_out(
        &mut self,
        op: QuantifierOp,
        inner: &tree::Quantifier,
        range: Range,
        ty: &Ty,
        span: Span,
    ) -> Operand {
        let connective = match op {
            QuantifierOp::ForAll => tree::BinaryOp::And,
            QuantifierOp::Exists => tree::BinaryOp::Or,
            QuantifierOp::Sum => tree::BinaryOp::Add,
        };
        let mut cases = Vec::new();
        for value in range.values() {
            if range.len() > CASES_MAX || self.model.exprs.len() > EXPRS_MAX || self.visits > VISITS_MAX {
                let message = format!("a quantifier with {} cases cannot be written out", range.len());
                self.error(codes::MODEL_TOO_LARGE, span, message);
                return Operand::Poison;
            }
            let bound = NamedEntity::Constant(value, ty.clone());
            let case = self.with_binder(&inner.binder, bound, |lowerer| lowerer.expr(inner.body));
            if self.open_process.is_some() {
                // It depends on a name that is bound further out as well, where this will be tried again.
                return Operand::Poison;
            }
            if op == QuantifierOp::Sum && matches!(case, Operand::ClockFormula(_)) {
                self.error(codes::CLOCK_CONDITION, span, "comparisons of clocks cannot be summed up");
                return Operand::Poison;
            }
            cases.push((case, self.tree[inner.body].span));
        }
        self.joined(connective, cases).0
    }

    /// What a bound name ranges over.
    pub(super) fn binder_range(&mut self, binder: &Binder) -> Option<(Range, Ty)> {
        let ty = self.ty(&binder.ty, &[]);
        match ty.range() {
            Some(range) => Some((range, ty)),
            None => {
                if ty != Ty::Poison {
                    let message =
                        format!("a name can range over integers and scalars, not over {}", ty.describe());
                    self.error(codes::WRONG_TYPE, binder.ty.span, message);
                }
                None
            }
        }
    }

    pub(super) fn with_binder<R>(
        &mut self,
        binder: &Binder,
        entity: NamedEntity,
        work: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.warn_of_hidden(binder.name);
        let binding = Binding { entity, span: Some(binder.name.span) };
        self.in_scope(Scope::from([(binder.name.symbol, binding)]), work)
    }
}
