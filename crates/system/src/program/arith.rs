//! Integer operators, and comparisons with a constant as one subtraction.
//!
//! This is deliberately independent of the interpreter's arithmetic: the two are tested against each other. The
//! frequent operators are inlined into the machine, the others are not. Whether overflow fails or wraps is a constant
//! of the machine's loop, which is compiled for both.
//!
//! Every comparison of a value with a constant asks whether it lies in an interval of the 2^32 integers seen
//! as a circle, `value - low <= width` in unsigned arithmetic. So `==`, `!=`, `<`, `<=`, `>`, `>=`, and "is
//! true", are one instruction, and the complement of an interval is one too: a jump needs no second form for
//! the other sense.

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_model::{BinaryOp, EvalErrorKind, Overflow, UnaryOp};

/// The result of a unary operator.
pub(super) fn unary(op: UnaryOp, value: i32, overflow: Overflow) -> Result<i32, EvalErrorKind> {
    match op {
        UnaryOp::Negate => folded(BinaryOp::Subtract, 0, value, overflow),
        UnaryOp::Absolute if value < 0 => folded(BinaryOp::Subtract, 0, value, overflow),
        UnaryOp::Absolute => Ok(value),
        UnaryOp::Not => Ok(i32::from(value == 0)),
        UnaryOp::Truth => Ok(i32::from(value != 0)),
    }
}

/// The result of an operator on two constants.
pub(super) fn folded(op: BinaryOp, left: i32, right: i32, overflow: Overflow) -> Result<i32, EvalErrorKind> {
    match overflow {
        Overflow::Error => binary::<false>(op, left, right),
        Overflow::Wrap => binary::<true>(op, left, right),
    }
}

/// The result of a binary operator; both operands of `&&` and `||` have been evaluated.
#[inline(always)]
pub(super) fn binary<const WRAPS: bool>(op: BinaryOp, left: i32, right: i32) -> Result<i32, EvalErrorKind> {
    match op {
        BinaryOp::Add => match left.overflowing_add(right) {
            (_, true) if !WRAPS => Err(EvalErrorKind::Overflow),
            (sum, _) => Ok(sum),
        },
        BinaryOp::Subtract => match left.overflowing_sub(right) {
            (_, true) if !WRAPS => Err(EvalErrorKind::Overflow),
            (difference, _) => Ok(difference),
        },
        BinaryOp::Less => Ok(i32::from(left < right)),
        BinaryOp::LessOrEqual => Ok(i32::from(left <= right)),
        BinaryOp::Equal => Ok(i32::from(left == right)),
        BinaryOp::NotEqual => Ok(i32::from(left != right)),
        _ => rarer::<WRAPS>(op, left, right),
    }
}

#[inline(never)]
fn rarer<const WRAPS: bool>(op: BinaryOp, left: i32, right: i32) -> Result<i32, EvalErrorKind> {
    let narrow = |wide: i64| match i32::try_from(wide) {
        Ok(value) => Ok(value),
        Err(_) if WRAPS => Ok(wide as i32),
        Err(_) => Err(EvalErrorKind::Overflow),
    };
    let (wide_left, wide_right) = (i64::from(left), i64::from(right));
    match op {
        BinaryOp::Multiply => narrow(wide_left * wide_right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => Err(EvalErrorKind::DivisionByZero),
        BinaryOp::Divide => narrow(wide_left / wide_right),
        BinaryOp::Remainder => narrow(wide_left % wide_right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..32).contains(&right) => {
            Err(EvalErrorKind::Shift(right))
        }
        BinaryOp::ShiftLeft => narrow(wide_left << right),
        BinaryOp::ShiftRight => Ok(left >> right),
        BinaryOp::BitAnd => Ok(left & right),
        BinaryOp::BitOr => Ok(left | right),
        BinaryOp::BitXor => Ok(left ^ right),
        BinaryOp::Minimum => Ok(left.min(right)),
        BinaryOp::Maximum => Ok(left.max(right)),
        BinaryOp::And => Ok(i32::from(left != 0 && right != 0)),
        BinaryOp::Or => Ok(i32::from(left != 0 || right != 0)),
        _ => unreachable!("the frequent operators are inlined"),
    }
}

/// The `width + 1` integers from `low` on, wrapping from the largest to the smallest. Never all integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: i32,
    pub(super) width: u32,
}

impl Interval {
    pub(super) const NOT_ZERO: Self = Self { low: 1, width: u32::MAX - 1 };

    pub(super) const fn only(value: i32) -> Self {
        Self { low: value, width: 0 }
    }

    fn between(low: i32, high: i32) -> Self {
        Self { low, width: high.wrapping_sub(low) as u32 }
    }

    #[inline(always)]
    pub(super) fn contains(self, value: i32) -> bool {
        value.wrapping_sub(self.low) as u32 <= self.width
    }

    /// The first and the last.
    pub(super) fn ends(self) -> (i32, i32) {
        (self.low, self.low.wrapping_add(self.width as i32))
    }

    pub(super) fn complement(self) -> Self {
        Self { low: self.ends().1.wrapping_add(1), width: u32::MAX - 1 - self.width }
    }
}

/// A comparison of two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Comparison {
    pub(super) fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Less => Self::Less,
            BinaryOp::LessOrEqual if mutants::is(Mutant::DataComparisonStrict) => Self::Less,
            BinaryOp::LessOrEqual => Self::LessOrEqual,
            BinaryOp::Equal => Self::Equal,
            BinaryOp::NotEqual => Self::NotEqual,
            _ => return None,
        })
    }

    #[inline(always)]
    pub(super) fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::GreaterOrEqual => left >= right,
            Self::Greater => left > right,
        }
    }

    /// The comparison with exchanged operands.
    pub(super) fn flipped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Greater => Self::Less,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::GreaterOrEqual => Self::Less,
            Self::Greater => Self::LessOrEqual,
        }
    }

    /// The values that compare so with a constant, or whether all or none do.
    pub(super) fn interval(self, constant: i32) -> Result<Interval, bool> {
        match self {
            Self::Less if constant == i32::MIN => Err(false),
            Self::Less => Ok(Interval::between(i32::MIN, constant - 1)),
            Self::LessOrEqual if constant == i32::MAX => Err(true),
            Self::LessOrEqual => Ok(Interval::between(i32::MIN, constant)),
            Self::Equal => Ok(Interval::only(constant)),
            Self::NotEqual | Self::GreaterOrEqual | Self::Greater => {
                self.negated().interval(constant).map(Interval::complement).map_err(|all| !all)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [i32; 9] = [i32::MIN, i32::MIN + 1, -32, -1, 0, 1, 31, i32::MAX - 1, i32::MAX];
    const COMPARISONS: [Comparison; 6] = [
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::GreaterOrEqual,
        Comparison::Greater,
    ];

    #[test]
    fn an_interval_is_the_comparison_it_was_made_from() {
        for comparison in COMPARISONS {
            for (value, constant) in VALUES.iter().flat_map(|&v| VALUES.map(|c| (v, c))) {
                let holds = comparison.holds(value, constant);
                assert_eq!(comparison.flipped().holds(constant, value), holds);
                assert_eq!(comparison.negated().holds(value, constant), !holds);
                match comparison.interval(constant) {
                    Ok(interval) => {
                        assert_eq!(interval.contains(value), holds, "{comparison:?} {value} {constant}");
                        assert_eq!(interval.complement().contains(value), !holds);
                        assert_eq!(interval.complement().complement(), interval);
                    }
                    Err(all) => assert_eq!(all, holds),
                }
            }
        }
        assert!(VALUES.iter().all(|&value| Interval::NOT_ZERO.contains(value) == (value != 0)));
    }

    #[test]
    fn operators_do_what_the_interpreter_says() {
        for overflow in [Overflow::Error, Overflow::Wrap] {
            for (left, right) in VALUES.iter().flat_map(|&l| VALUES.map(|r| (l, r))) {
                for op in BinaryOp::ALL {
                    let (one, other) = (folded(op, left, right, overflow), op.apply(left, right, overflow));
                    assert_eq!(one, other, "{left} {op:?} {right} {overflow:?}");
                }
            }
            for op in [UnaryOp::Negate, UnaryOp::Not, UnaryOp::Absolute, UnaryOp::Truth] {
                let same = |&value: &i32| unary(op, value, overflow) == op.apply(value, overflow);
                assert!(VALUES.iter().all(same), "{op:?} {overflow:?}");
            }
        }
    }

    /// The result without a limit on bits, if there is one.
    fn unbounded(op: BinaryOp, left: i32, right: i32) -> Option<i128> {
        let (left, right) = (i128::from(left), i128::from(right));
        match op {
            BinaryOp::Add => Some(left + right),
            BinaryOp::Subtract => Some(left - right),
            BinaryOp::Multiply => Some(left * right),
            BinaryOp::Divide => (right != 0).then(|| left / right),
            BinaryOp::Remainder => (right != 0).then(|| left % right),
            BinaryOp::ShiftLeft => (0..32).contains(&right).then(|| left << right),
            BinaryOp::ShiftRight => (0..32).contains(&right).then(|| left >> right),
            BinaryOp::BitAnd => Some(left & right),
            BinaryOp::BitOr => Some(left | right),
            BinaryOp::BitXor => Some(left ^ right),
            BinaryOp::Minimum => Some(left.min(right)),
            BinaryOp::Maximum => Some(left.max(right)),
            BinaryOp::Less => Some((left < right).into()),
            BinaryOp::LessOrEqual => Some((left <= right).into()),
            BinaryOp::Equal => Some((left == right).into()),
            BinaryOp::NotEqual => Some((left != right).into()),
            BinaryOp::And => Some((left != 0 && right != 0).into()),
            BinaryOp::Or => Some((left != 0 || right != 0).into()),
        }
    }

    #[test]
    fn what_wraps_is_the_unbounded_result_cut_to_its_32_lowest_bits() {
        for (left, right) in VALUES.iter().flat_map(|&l| VALUES.map(|r| (l, r))) {
            for op in BinaryOp::ALL {
                let expected = unbounded(op, left, right);
                let wrapped = folded(op, left, right, Overflow::Wrap);
                assert_eq!(wrapped.ok(), expected.map(|value| value as i32), "{left} {op:?} {right}");
                let checked = folded(op, left, right, Overflow::Error).ok();
                let fits = expected.and_then(|value| i32::try_from(value).ok());
                assert_eq!(checked, fits, "{left} {op:?} {right}");
            }
            assert_eq!(unary(UnaryOp::Negate, left, Overflow::Wrap), Ok(-i128::from(left) as i32));
            assert_eq!(unary(UnaryOp::Absolute, left, Overflow::Wrap), Ok(i128::from(left).abs() as i32));
        }
    }
}
