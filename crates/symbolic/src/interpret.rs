//! Symbolic evaluation of expressions, in all states of a set at once.
//!
//! This is the plain interpreter of `model/src/eval.rs` with words for numbers: a computation is made for every state
//! of a set, the *path*. A condition splits the path, and both branches are executed in turn; writes on a branch affect
//! only its states. A run-time error is the set of states in which it occurs; these leave the path, since nothing
//! follows an error.
//!
//! Clocks are not data: operations on them are recorded as events, each with its states, and the caller evaluates them.

use std::collections::BTreeMap;

use tourbillon_base::Id;
use tourbillon_dbm::Constant;
use tourbillon_dd::{Bdd, Bdds};
use tourbillon_model::{
    AssignOp, BinaryOp, CellPlace, Expr, ExprId, ExprKind, Model, NegativeClock, Overflow, QuantifierOp,
    Range, UnaryOp,
};
use tourbillon_system::Layout;

use crate::fields::Fields;
use crate::interruption::{Deadline, Interruptible, Interruption, refuse};
use crate::places::{Frame, Options};
use crate::words::{Arithmetic, Word};

/// The maximum number of values of an index, a bound or a reset: each becomes a case.
pub(crate) const CASES_MAX: usize = 4096;
/// The constants that clocks can be compared with and set to.
pub(crate) const CONSTANTS: Range = Range { min: -Constant::MAX.get(), max: Constant::MAX.get() };
/// The maximum number of operations of a label.
const FUEL: u64 = 1 << 22;

/// The data that every encoding step uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodingContext<'a> {
    pub(crate) model: &'a Model,
    pub(crate) layout: &'a Layout,
    pub(crate) fields: &'a Fields,
    pub(crate) bdds: &'a Bdds,
    pub(crate) deadline: Deadline<'a>,
}

/// An operation on a clock: its states, the clock, the source clock if any, and the offset.
#[derive(Clone, Debug)]
pub(crate) struct ClockEvent {
    pub(crate) path: Bdd,
    pub(crate) target: Options<usize>,
    pub(crate) source: Option<Options<usize>>,
    pub(crate) value: Word,
}

#[derive(Debug)]
pub(crate) struct Interpreter<'a> {
    pub(crate) setting: EncodingContext<'a>,
    pub(crate) words: Arithmetic<'a>,
    /// The written values, by slot in memory.
    pub(crate) cells: BTreeMap<usize, Word>,
    pub(crate) frames: Vec<Frame>,
    /// The current set of states.
    pub(crate) path: Bdd,
    /// All states of the computation, except failed ones: values elsewhere do not matter.
    pub(crate) whole: Bdd,
    pub(crate) failed: Bdd,
    pub(crate) events: Vec<ClockEvent>,
    pub(crate) fuel: u64,
}

impl<'a> Interpreter<'a> {
    /// An interpreter for these states, with the cells written so far, and this many local cells.
    pub(crate) fn new(
        setting: EncodingContext<'a>,
        path: Bdd,
        cells: BTreeMap<usize, Word>,
        frame: u32,
    ) -> Self {
        let words = Arithmetic { bdds: setting.bdds };
        Self {
            setting,
            words,
            cells,
            frames: vec![Frame::new(words, frame)],
            whole: path.clone(),
            path,
            failed: setting.bdds.no(),
            events: Vec::new(),
            fuel: FUEL,
        }
    }

    /// Puts a value into a local cell of the outermost frame.
    pub(crate) fn select(&mut self, local: u32, value: Word) {
        self.frames[0].locals[local as usize] = value;
    }

    /// The states of the path in which an expression is true; those in which it fails leave the path.
    pub(crate) fn holds(&mut self, expr: ExprId) -> Interruptible<Bdd> {
        let value = self.value(expr)?;
        Ok(self.words.is_true(&value)?.and(&self.path)?)
    }

    /// Restricts the path to these states.
    pub(crate) fn narrow(&mut self, states: Bdd) {
        self.whole = states.clone();
        self.path = states;
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: ExprId) -> Interruptible<Word> {
        if self.path.is_no() {
            return Ok(self.words.constant(0));
        }
        self.burn(1)?;
        let model = self.setting.model;
        let Expr { kind, .. } = &model.exprs[expr];
        match kind {
            ExprKind::Int(value) => Ok(self.words.constant((*value).into())),
            ExprKind::Load(place) => {
                let address = self.address(place)?;
                self.read(&address)
            }
            ExprKind::AtLocation(process, location) => {
                let EncodingContext { fields, bdds, .. } = self.setting;
                Ok(self.words.truth(fields.at(bdds, process.index(), location.index() as i32)?))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, *operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right),
            ExprKind::Conditional(condition, yes, no) => {
                let here = self.holds(*condition)?;
                let yes = self.within(&here, |this| this.value(*yes))?;
                let elsewhere = self.path.but(&here)?;
                let no = self.within(&elsewhere, |this| this.value(*no))?;
                Ok(self.words.choose(&here, &yes, &no)?)
            }
            ExprKind::Quantifier { op, local, range, body } => self.quantifier(*op, *local, *range, *body),
            ExprKind::Call { function, arguments } => self.call(*function, arguments),
            ExprKind::CallInto { function, arguments, local } => {
                self.call_into(*function, arguments, *local)?;
                Ok(self.words.constant(0))
            }
            ExprKind::Assign { op, target, value } => self.assign(*op, target, *value),
            ExprKind::PostIncrement { target, delta } => {
                let address = self.address(target)?;
                let old = self.read(&address)?;
                let new = self.words.add(&old, &self.words.constant((*delta).into()))?;
                let new = self.in_32_bits(new)?;
                self.write(&address, &new, target.range)?;
                Ok(old)
            }
            ExprKind::Copy { target, source, count } => {
                self.burn((*count).into())?;
                let (target, source) = (self.address(target)?, self.address(source)?);
                let values: Vec<Word> =
                    (0..*count as usize).map(|i| self.read(&source.plus(i))).collect::<Interruptible<_>>()?;
                for (i, value) in values.into_iter().enumerate() {
                    self.put(&target.plus(i), &value)?;
                }
                Ok(self.words.constant(0))
            }
            ExprKind::SameCells { left, right, count } => {
                self.burn((*count).into())?;
                let (left, right) = (self.address(left)?, self.address(right)?);
                let mut same = self.setting.bdds.yes();
                for i in 0..*count as usize {
                    let (left, right) = (self.read(&left.plus(i))?, self.read(&right.plus(i))?);
                    same = same.and(&self.words.equal(&left, &right)?)?;
                }
                Ok(self.words.truth(same))
            }
            ExprKind::SetClock { target, source, value } => {
                let target = self.clock(target)?;
                let source = source.as_ref().map(|source| self.clock(source)).transpose()?;
                let value = self.value(*value)?;
                if source.is_none() && model.language.negative_clock() == NegativeClock::Fails {
                    let negative = self.words.less(&value, &self.words.constant(0))?;
                    self.fail(&negative)?;
                }
                self.must_be_within(&value, CONSTANTS)?;
                self.events.push(ClockEvent { path: self.path.clone(), target, source, value });
                Ok(self.words.constant(0))
            }
            ExprKind::Sequence(parts) => {
                parts.iter().try_fold(self.words.constant(0), |_, &part| self.value(part))
            }
            ExprKind::Clock(_) | ExprKind::Deadlock => refuse("an expression on data compares clocks"),
        }
    }

    pub(crate) fn burn(&mut self, operations: u64) -> Interruptible {
        if self.setting.deadline.is_over() {
            return Err(Interruption::Over);
        }
        match self.fuel.checked_sub(operations) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => refuse("a label takes too many operations for symbolic evaluation"),
        }
    }

    /// Executes a function on a part of the path. Afterwards the path is restored, without failed states.
    pub(crate) fn within<T>(
        &mut self,
        part: &Bdd,
        run: impl FnOnce(&mut Self) -> Interruptible<T>,
    ) -> Interruptible<T> {
        let path = self.path.clone();
        self.path = path.and(part)?;
        let result = run(self);
        self.path = path.but(&self.failed)?;
        result
    }

    /// Records a failure in these states of the path.
    pub(crate) fn fail(&mut self, states: &Bdd) -> Interruptible {
        let failed = states.and(&self.path)?;
        if !failed.is_no() {
            self.path = self.path.but(&failed)?;
            self.whole = self.whole.but(&failed)?;
            self.failed = self.failed.or(&failed)?;
        }
        Ok(())
    }

    /// Records a failure where a number is outside a range.
    pub(crate) fn must_be_within(&mut self, value: &Word, range: Range) -> Interruptible {
        let within = self.words.is_within(value, range)?;
        self.fail(&within.not()?)
    }

    /// A result in 32 bits; overflow wraps or fails.
    fn in_32_bits(&mut self, result: Word) -> Interruptible<Word> {
        match self.setting.model.overflow {
            Overflow::Wrap => Ok(self.words.wrapped(&result)),
            Overflow::Error => {
                self.must_be_within(&result, Range::INT32)?;
                Ok(result)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> Interruptible<Word> {
        let value = self.value(operand)?;
        let result = match op {
            UnaryOp::Negate => self.words.negate(&value)?,
            UnaryOp::Absolute => self.words.absolute(&value)?,
            UnaryOp::Truth => return Ok(self.words.truth(self.words.is_true(&value)?)),
            UnaryOp::Not => return Ok(self.words.truth(self.words.is_true(&value)?.not()?)),
        };
        self.in_32_bits(result)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Interruptible<Word> {
        if let BinaryOp::And | BinaryOp::Or = op {
            return self.short_circuit(op, left, right);
        }
        let left = self.value(left)?;
        let right = self.value(right)?;
        self.apply(op, &left, &right)
    }

    fn short_circuit(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Interruptible<Word> {
        let first = self.value(left)?;
        let first = self.words.is_true(&first)?;
        let open = if op == BinaryOp::And { first.clone() } else { first.not()? };
        let second = self.within(&open, |this| this.value(right))?;
        let second = self.words.is_true(&second)?;
        Ok(self.words.truth(if op == BinaryOp::And { first.and(&second)? } else { first.or(&second)? }))
    }

    /// The result of an operator on two values.
    pub(crate) fn apply(&mut self, op: BinaryOp, left: &Word, right: &Word) -> Interruptible<Word> {
        let words = self.words;
        let truth = |states| Ok(words.truth(states));
        let result = match op {
            BinaryOp::Add => words.add(left, right)?,
            BinaryOp::Subtract => words.subtract(left, right)?,
            BinaryOp::Multiply => words.multiply(left, right)?,
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = words.is_true(right)?.not()?;
                self.fail(&zero)?;
                let (quotient, rest) = words.divide(left, right)?;
                if op == BinaryOp::Divide { quotient } else { rest }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(op, left, right)?,
            BinaryOp::BitAnd => words.bitwise(left, right, Bdd::and)?,
            BinaryOp::BitOr => words.bitwise(left, right, Bdd::or)?,
            BinaryOp::BitXor => words.bitwise(left, right, Bdd::xor)?,
            BinaryOp::Minimum => words.choose(&words.less(right, left)?, right, left)?,
            BinaryOp::Maximum => words.choose(&words.less(left, right)?, right, left)?,
            BinaryOp::Less => return truth(words.less(left, right)?),
            BinaryOp::LessOrEqual => return truth(words.less(right, left)?.not()?),
            BinaryOp::Equal => return truth(words.equal(left, right)?),
            BinaryOp::NotEqual => return truth(words.equal(left, right)?.not()?),
            BinaryOp::And => return truth(words.is_true(left)?.and(&words.is_true(right)?)?),
            BinaryOp::Or => return truth(words.is_true(left)?.or(&words.is_true(right)?)?),
        };
        self.in_32_bits(result)
    }

    fn shift(&mut self, op: BinaryOp, left: &Word, right: &Word) -> Interruptible<Word> {
        self.must_be_within(right, Range { min: 0, max: 31 })?;
        let mut result = self.words.constant(0);
        for (by, here) in self.cases(right, "a shift")? {
            let shifted = match op {
                BinaryOp::ShiftLeft => self.words.shifted(left, by as usize),
                _ => self.words.shifted_right(left, by as usize),
            };
            result = self.words.choose(&here, &shifted, &result)?;
        }
        Ok(result)
    }

    /// The values of a word on the path, with their states.
    pub(crate) fn cases(&mut self, word: &Word, what: &str) -> Interruptible<Vec<(i64, Bdd)>> {
        match self.words.values(word, &self.path, CASES_MAX)? {
            Some(cases) => {
                self.burn(cases.len() as u64)?;
                Ok(cases)
            }
            None => refuse(format!("{what} has more than {CASES_MAX} values")),
        }
    }

    fn quantifier(
        &mut self,
        op: QuantifierOp,
        local: u32,
        range: Range,
        body: ExprId,
    ) -> Interruptible<Word> {
        let mut open = self.path.clone();
        let mut sum = self.words.constant(0);
        for value in range.values() {
            let index = self.words.constant(value.into());
            self.frames.last_mut().expect("a frame").locals[local as usize] = index;
            let value = self.within(&open, |this| this.value(body))?;
            let holds = self.words.is_true(&value)?;
            match op {
                QuantifierOp::ForAll => open = open.and(&holds)?,
                QuantifierOp::Exists => open = open.but(&holds)?,
                QuantifierOp::Sum => {
                    let next = self.words.add(&sum, &value)?;
                    sum = self.in_32_bits(next)?;
                }
            }
            if open.is_no() {
                break;
            }
        }
        Ok(match op {
            QuantifierOp::ForAll => self.words.truth(open),
            QuantifierOp::Exists => self.words.truth(open.not()?),
            QuantifierOp::Sum => sum,
        })
    }

    fn assign(&mut self, op: AssignOp, target: &CellPlace, value: ExprId) -> Interruptible<Word> {
        let address = self.address(target)?;
        let value = self.value(value)?;
        let new = match op {
            AssignOp::Set => value,
            AssignOp::With(op) => {
                let old = self.read(&address)?;
                self.apply(op, &old, &value)?
            }
        };
        self.write(&address, &new, target.range)?;
        Ok(new)
    }
}
