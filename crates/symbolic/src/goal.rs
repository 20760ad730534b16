//! The goal as sets of states with clock constraints.
//!
//! A predicate is a disjunction of *cases*: a set of discrete states, and clock constraints. Negations are pushed into
//! comparisons, quantifiers over clocks are unfolded, and a conjunction is one case for each pair, so that in the
//! search a case is one intersection of sets and one test of a zone.

use std::collections::BTreeMap;

use tourbillon_dbm::{Constraint, Dbm};
use tourbillon_dd::Bdd;
use tourbillon_model::{
    BinaryOp, ClockAtom, ClockCondition, Compare, ExprId, ExprKind, QuantifierOp, UnaryOp,
};
use tourbillon_system::StateFormula;

use crate::edges::{FailingStates, clock_cases};
use crate::interpret::{EncodingContext, Interpreter};
use crate::interruption::{Interruptible, refuse};

#[derive(Clone, Debug)]
pub(crate) struct Goal {
    cases: Vec<GoalCase>,
    /// Where the predicate has no value.
    pub(crate) failed: Bdd,
}

/// A case of the predicate.
#[derive(Clone, Debug)]
pub(crate) struct GoalCase {
    pub(crate) states: Bdd,
    pub(crate) constraints: Vec<Constraint>,
    /// Whether the state must be deadlocked, or must not be; `None` for either.
    pub(crate) stuck: Option<bool>,
}

/// The maximum number of cases.
const CASES_MAX: usize = 1024;

impl Goal {
    pub(crate) fn new(setting: EncodingContext<'_>, legal: &Bdd, asked: StateFormula) -> Interruptible<Self> {
        let mut interpreter = Interpreter::new(setting, legal.clone(), BTreeMap::new(), asked.frame);
        let mut cases = formula(&mut interpreter, asked.expr, asked.negated)?;
        if !interpreter.failed.is_no() && cases.iter().any(|case| case.stuck.is_some()) {
            // Whether it fails depends on deadlocks, and so on clocks.
            return refuse("the predicate besides `deadlock` has no value in some states");
        }
        // A value before another part fails does not count.
        for case in &mut cases {
            case.states = case.states.but(&interpreter.failed)?;
        }
        Ok(Self { cases, failed: interpreter.failed })
    }

    pub(crate) fn cases(&self) -> &[GoalCase] {
        &self.cases
    }

    /// Whether it refers to deadlocks.
    pub(crate) fn asks_for_deadlock(&self) -> bool {
        self.cases.iter().any(|case| case.stuck.is_some())
    }
}

/// Whether a zone intersects the constraints.
pub(crate) fn allows(zone: &Dbm, constraints: &[Constraint]) -> bool {
    if !constraints.iter().all(|&constraint| zone.admits(constraint)) {
        return false;
    }
    if constraints.len() < 2 {
        return true;
    }
    let mut zone = zone.clone();
    constraints.iter().all(|&constraint| zone.constrain(constraint))
}

type GoalCases = Vec<GoalCase>;

/// The cases in which an expression is true, or false if negated, on the path.
fn formula(interpreter: &mut Interpreter<'_>, expr: ExprId, negated: bool) -> Interruptible<GoalCases> {
    let model = interpreter.setting.model;
    if !mentions_clocks(interpreter, expr) {
        let holds = interpreter.holds(expr)?;
        let states = if negated { interpreter.path.but(&holds)? } else { holds };
        return Ok(vec![GoalCase { states, constraints: Vec::new(), stuck: None }]);
    }
    match &model.exprs[expr].kind {
        ExprKind::Clock(atom) => clock(interpreter, atom, negated),
        ExprKind::Deadlock => {
            let states = interpreter.path.clone();
            Ok(vec![GoalCase { states, constraints: Vec::new(), stuck: Some(!negated) }])
        }
        ExprKind::Unary(UnaryOp::Not, operand) => formula(interpreter, *operand, !negated),
        ExprKind::Unary(UnaryOp::Truth, operand) => formula(interpreter, *operand, negated),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let conjunction = (*op == BinaryOp::And) != negated;
            let left = formula(interpreter, *left, negated)?;
            then(interpreter, left, conjunction, |interpreter| formula(interpreter, *right, negated))
        }
        ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
            let same = (*op == BinaryOp::Equal) != negated;
            ways(interpreter, (*left, false), (*right, !same), (*left, true), (*right, same))
        }
        ExprKind::Conditional(condition, yes, no) => {
            ways(interpreter, (*condition, false), (*yes, negated), (*condition, true), (*no, negated))
        }
        ExprKind::Quantifier { op, local, range, body } if *op != QuantifierOp::Sum => {
            let all = (*op == QuantifierOp::ForAll) != negated;
            let mut cases: Option<GoalCases> = None;
            for value in range.values() {
                let index = interpreter.words.constant(value.into());
                interpreter.select(*local, index);
                cases = Some(match cases {
                    None => formula(interpreter, *body, negated)?,
                    Some(cases) => {
                        then(interpreter, cases, all, |interpreter| formula(interpreter, *body, negated))?
                    }
                });
            }
            Ok(cases.unwrap_or_default())
        }
        ExprKind::Sequence(parts) if parts.len() == 1 => formula(interpreter, parts[0], negated),
        _ => refuse("this comparison of clocks is not supported"),
    }
}

/// The cases of a conjunction or disjunction with this first part; the second is evaluated where the first has not
/// decided it.
fn then(
    interpreter: &mut Interpreter<'_>,
    left: GoalCases,
    conjunction: bool,
    right: impl FnOnce(&mut Interpreter<'_>) -> Interruptible<GoalCases>,
) -> Interruptible<GoalCases> {
    let open = still_open(interpreter, &left, conjunction)?;
    let right = interpreter.within(&open, right)?;
    if conjunction { both(&left, &right) } else { either(left, right) }
}

/// Where the second part of a conjunction or disjunction is evaluated: where the first has not decided it.
fn still_open(interpreter: &Interpreter<'_>, left: &GoalCases, conjunction: bool) -> Interruptible<Bdd> {
    let mut decided = interpreter.setting.bdds.no();
    for case in left {
        if conjunction || (case.constraints.is_empty() && case.stuck.is_none()) {
            decided = decided.or(&case.states)?;
        }
    }
    Ok(if conjunction { decided } else { decided.not()? })
}

/// Where the first two hold, or the last two.
fn ways(
    interpreter: &mut Interpreter<'_>,
    a: (ExprId, bool),
    b: (ExprId, bool),
    c: (ExprId, bool),
    d: (ExprId, bool),
) -> Interruptible<GoalCases> {
    let first = formula(interpreter, a.0, a.1)?;
    let first = then(interpreter, first, true, |interpreter| formula(interpreter, b.0, b.1))?;
    then(interpreter, first, false, |interpreter| {
        let second = formula(interpreter, c.0, c.1)?;
        then(interpreter, second, true, |interpreter| formula(interpreter, d.0, d.1))
    })
}

fn both(left: &GoalCases, right: &GoalCases) -> Interruptible<GoalCases> {
    let mut cases = Vec::new();
    for one in left {
        for other in right {
            let states = one.states.and(&other.states)?;
            let agree = one.stuck.is_none() || other.stuck.is_none() || one.stuck == other.stuck;
            if agree && !states.is_no() {
                let constraints = [one.constraints.as_slice(), &other.constraints].concat();
                cases.push(GoalCase { states, constraints, stuck: one.stuck.or(other.stuck) });
            }
        }
    }
    bounded(cases)
}

fn either(mut left: GoalCases, right: GoalCases) -> Interruptible<GoalCases> {
    for case in right {
        let alike =
            |other: &&mut GoalCase| (&other.constraints, other.stuck) == (&case.constraints, case.stuck);
        match left.iter_mut().find(alike) {
            Some(other) => other.states = other.states.or(&case.states)?,
            None => left.push(case),
        }
    }
    bounded(left)
}

fn bounded(cases: GoalCases) -> Interruptible<GoalCases> {
    if cases.len() > CASES_MAX {
        return refuse(format!("the predicate has more than {CASES_MAX} cases of clock constraints"));
    }
    Ok(cases)
}

fn clock(interpreter: &mut Interpreter<'_>, atom: &ClockAtom, negated: bool) -> Interruptible<GoalCases> {
    let mut failures: Vec<FailingStates> = Vec::new();
    let mut with = |compare: Compare| -> Interruptible<GoalCases> {
        let condition = ClockCondition { when: None, atom: ClockAtom { compare, ..atom.clone() } };
        let cases = clock_cases(interpreter, &[condition], &mut failures)?.into_iter();
        Ok(cases.map(|(constraints, states)| GoalCase { states, constraints, stuck: None }).collect())
    };
    match (atom.compare, negated) {
        (compare, false) => with(compare),
        (Compare::Less, true) => with(Compare::GreaterOrEqual),
        (Compare::LessOrEqual, true) => with(Compare::Greater),
        (Compare::GreaterOrEqual, true) => with(Compare::Less),
        (Compare::Greater, true) => with(Compare::LessOrEqual),
        (Compare::Equal, true) => {
            let below = with(Compare::Less)?;
            either(below, with(Compare::Greater)?)
        }
    }
}

fn mentions_clocks(interpreter: &Interpreter<'_>, expr: ExprId) -> bool {
    let kind = &interpreter.setting.model.exprs[expr].kind;
    if matches!(kind, ExprKind::Clock(_) | ExprKind::Deadlock) {
        return true;
    }
    let mut found = false;
    kind.for_each_operand(&mut |operand| found = found || mentions_clocks(interpreter, operand));
    found
}
