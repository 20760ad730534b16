//! Predicates of queries on zones.
//!
//! What a predicate is worth depends on the clocks. [`partition`] evaluates it for a zone, all of whose valuations it treats alike: where a
//! comparison is true of some and false of others, the zone is split, and the predicate is evaluated again for each part. So
//! any expression is possible, and what is evaluated is what is evaluated for a single valuation.
//!
//! [`Comparisons`] has the comparisons that a predicate needs, with their polarity: for the LU-preorder, which must preserve them.

use tourbillon_base::Id as _;
use tourbillon_model::{BinaryOp, EvalError, EvalErrorKind, ExprId, ExprKind, Frame, Model, UnaryOp};

use crate::data::{Clocks, DiscreteState};
use crate::format::Constraint;
use crate::report::Stop;
use crate::zone::Zone;

/// An expression of a query, and how many local cells it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predicate {
    pub(crate) expr: ExprId,
    pub(crate) frame: u32,
    /// Whether it is its negation that is meant.
    pub(crate) is_negated: bool,
}

/// A part of a zone, by the constraints that were added to those of the zone.
pub(crate) type Piece = Vec<Constraint>;

/// A part on which an expression has one value, or goes wrong.
pub(crate) type Valued = (Piece, Result<i32, EvalError>);

/// How many parts a zone may be split into.
const PIECES_MAX: usize = 1 << 16;

/// The values of an expression of `model` on a zone, each with the part on which it has it. The model differs from that of the state in queries only.
pub(crate) fn partition(
    state: &mut DiscreteState<'_>,
    model: &Model,
    (expr, frame): (ExprId, u32),
    zone: &Zone,
) -> Result<Vec<Valued>, Stop> {
    let mut parts = Vec::new();
    let mut open = vec![(Piece::new(), zone.clone())];
    while let Some((piece, zone)) = open.pop() {
        if parts.len() + open.len() > PIECES_MAX {
            return Err(Stop::Unknown("a predicate has too many cases of clock constraints".to_owned()));
        }
        let mut clocks = Clocks { zone: Some(&zone), ..Clocks::default() };
        let value = state.value_with(model, expr, &mut Frame::new(frame), &mut clocks);
        match clocks.undecided.get() {
            Some(constraint) if is_unknown(value) => {
                for constraint in [constraint.negated(), constraint] {
                    open.extend(
                        zone.with(&[constraint])
                            .map(|part| ([piece.as_slice(), &[constraint]].concat(), part)),
                    );
                }
            }
            _ => parts.push((piece, value)),
        }
    }
    Ok(parts)
}

fn is_unknown(value: Result<i32, EvalError>) -> bool {
    matches!(value, Err(EvalError { kind: EvalErrorKind::NotKnown, .. }))
}

/// For each expression whether a comparison of clocks is part of it. Operands come before what they belong to.
pub(crate) fn mentions(model: &Model, is_wanted: impl Fn(&ExprKind) -> bool) -> Vec<bool> {
    let mut mentions: Vec<bool> = Vec::with_capacity(model.exprs.len());
    for expr in &model.exprs {
        let mut found = is_wanted(&expr.kind);
        expr.kind.for_each_operand(&mut |operand| found |= mentions[operand.index()]);
        mentions.push(found);
    }
    mentions
}

/// Collects the comparisons of a predicate in one discrete state.
pub(crate) struct Comparisons<'s, 'm> {
    pub(crate) state: &'s mut DiscreteState<'m>,
    /// For each expression whether it compares clocks.
    pub(crate) compares: &'s [bool],
    /// Constraints that must stay true where they are.
    pub(crate) found: Vec<Constraint>,
}

impl Comparisons<'_, '_> {
    /// Adds those of an expression that must stay true, or false, where it is. What cannot be evaluated is not
    /// evaluated where it counts either.
    pub(crate) fn collect(&mut self, expr: ExprId, positive: bool, frame: &mut Frame) {
        if !self.compares[expr.index()] {
            return;
        }
        let model = self.state.model;
        match &model.exprs[expr].kind {
            ExprKind::Clock(atom) => {
                let start = self.found.len();
                if self.state.atom(atom, frame, &mut self.found).is_err() {
                    self.found.truncate(start);
                }
                if !positive {
                    self.found[start..].iter_mut().for_each(|constraint| *constraint = constraint.negated());
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.collect(*operand, !positive, frame),
            ExprKind::Unary(UnaryOp::Truth, operand) => self.collect(*operand, positive, frame),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let decided = i32::from(*op == BinaryOp::Or);
                let is_decided = |value: i32| i32::from(value != 0) == decided;
                if !self.compares[left.index()] && self.state.value(*left, frame).is_ok_and(is_decided) {
                    return;
                }
                self.collect(*left, positive, frame);
                self.collect(*right, positive, frame);
            }
            ExprKind::Quantifier { local, range, body, .. } => {
                for value in range.values() {
                    frame.locals[*local as usize] = value;
                    self.collect(*body, positive, frame);
                    self.collect_if_sum(expr, *body, !positive, frame);
                }
            }
            kind => kind.for_each_operand(&mut |operand| {
                self.collect(operand, true, frame);
                self.collect(operand, false, frame);
            }),
        }
    }

    /// A sum depends on both truth and falsity.
    fn collect_if_sum(&mut self, expr: ExprId, body: ExprId, positive: bool, frame: &mut Frame) {
        let kind = &self.state.model.exprs[expr].kind;
        if matches!(kind, ExprKind::Quantifier { op: tourbillon_model::QuantifierOp::Sum, .. }) {
            self.collect(body, positive, frame);
        }
    }
}
