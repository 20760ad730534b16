//! Integers that depend on a state: vectors of BDDs.
//!
//! A [`Word`] has a bit for each power of two, the lowest first, in two's complement: the last bit is the sign and is
//! extended indefinitely. Each bit is the set of states in which it is 1. So a word has the value of an expression in
//! all states, and an operation on words acts on all of these values.
//!
//! Words grow as needed and do not wrap. A sum has one bit more than its operands, a product as many as both, and
//! redundant sign bits are dropped. An overflow of 32 bits, which is an error of the model, is detected on the result;
//! if results wrap, it is truncated to 32 bits.

use tourbillon_dd::{Bdd, BddResult, Bdds};
use tourbillon_model::Range;

/// A number that depends on a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    /// The lowest first; the last is the sign.
    bits: Vec<Bdd>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Arithmetic<'b> {
    pub(crate) bdds: &'b Bdds,
}

impl Word {
    fn sign(&self) -> &Bdd {
        self.bits.last().expect("a word has a sign")
    }

    fn bit(&self, index: usize) -> &Bdd {
        self.bits.get(index).unwrap_or_else(|| self.sign())
    }

    fn len(&self) -> usize {
        self.bits.len()
    }

    /// Removes redundant sign bits.
    fn trimmed(mut self) -> Self {
        while let [.., next, sign] = &*self.bits
            && next == sign
        {
            self.bits.pop();
        }
        self
    }

    /// The lowest `count` bits.
    pub(crate) fn low_bits(&self, count: usize) -> Vec<Bdd> {
        (0..count).map(|index| self.bit(index).clone()).collect()
    }
}

impl Arithmetic<'_> {
    /// The same number in all states.
    pub(crate) fn constant(self, value: i64) -> Word {
        let bits = (0..64).map(|index| self.bdds.constant(value >> index & 1 == 1)).collect();
        Word { bits }.trimmed()
    }

    /// 1 in these states, 0 in others.
    pub(crate) fn truth(self, states: Bdd) -> Word {
        Word { bits: vec![states, self.bdds.no()] }.trimmed()
    }

    /// The nonnegative number with these bits, the lowest first.
    pub(crate) fn natural(self, mut bits: Vec<Bdd>) -> Word {
        bits.push(self.bdds.no());
        Word { bits }.trimmed()
    }

    /// The states in which it is not 0.
    pub(crate) fn is_true(self, word: &Word) -> BddResult {
        word.bits.iter().try_fold(self.bdds.no(), |any, bit| any.or(bit))
    }

    /// The lowest 32 bits in two's complement.
    pub(crate) fn wrapped(self, word: &Word) -> Word {
        Word { bits: word.low_bits(32) }.trimmed()
    }

    pub(crate) fn choose(self, here: &Bdd, yes: &Word, no: &Word) -> BddResult<Word> {
        if here.is_yes() || yes == no {
            return Ok(yes.clone());
        }
        if here.is_no() {
            return Ok(no.clone());
        }
        let len = yes.len().max(no.len());
        let bits =
            (0..len).map(|index| here.choose(yes.bit(index), no.bit(index))).collect::<BddResult<_>>()?;
        Ok(Word { bits }.trimmed())
    }

    pub(crate) fn add(self, left: &Word, right: &Word) -> BddResult<Word> {
        self.add_with(left, right, self.bdds.no())
    }

    pub(crate) fn subtract(self, left: &Word, right: &Word) -> BddResult<Word> {
        self.add_with(left, &self.complement(right)?, self.bdds.yes())
    }

    /// The bitwise complement: the negated number minus one.
    fn complement(self, word: &Word) -> BddResult<Word> {
        Ok(Word { bits: word.bits.iter().map(Bdd::not).collect::<BddResult<_>>()? })
    }

    fn add_with(self, left: &Word, right: &Word, mut carry: Bdd) -> BddResult<Word> {
        let len = left.len().max(right.len()) + 1;
        let mut bits = Vec::with_capacity(len);
        for index in 0..len {
            let (a, b) = (left.bit(index), right.bit(index));
            let half = a.xor(b)?;
            bits.push(half.xor(&carry)?);
            carry = half.choose(&carry, a)?;
        }
        Ok(Word { bits }.trimmed())
    }

    pub(crate) fn negate(self, word: &Word) -> BddResult<Word> {
        self.subtract(&self.constant(0), word)
    }

    pub(crate) fn absolute(self, word: &Word) -> BddResult<Word> {
        self.choose(word.sign(), &self.negate(word)?, word)
    }

    pub(crate) fn multiply(self, left: &Word, right: &Word) -> BddResult<Word> {
        let mut sum = self.constant(0);
        let sign = right.len() - 1;
        for (index, bit) in right.bits.iter().enumerate() {
            let shifted = self.shifted(left, index);
            let part = self.choose(bit, &shifted, &self.constant(0))?;
            sum = if index == sign { self.subtract(&sum, &part)? } else { self.add(&sum, &part)? };
        }
        Ok(sum)
    }

    /// The product with a power of two.
    pub(crate) fn shifted(self, word: &Word, by: usize) -> Word {
        let mut bits = vec![self.bdds.no(); by];
        bits.extend_from_slice(&word.bits);
        Word { bits }.trimmed()
    }

    /// The quotient by a power of two, rounded down.
    pub(crate) fn shifted_right(self, word: &Word, by: usize) -> Word {
        let kept = by.min(word.len() - 1);
        Word { bits: word.bits[kept..].to_vec() }.trimmed()
    }

    /// The quotient rounded towards zero, and the remainder with the sign of the dividend; undefined where the divisor
    /// is 0.
    pub(crate) fn divide(self, left: &Word, right: &Word) -> BddResult<(Word, Word)> {
        let (dividend, divisor) = (self.absolute(left)?, self.absolute(right)?);
        let mut rest = self.constant(0);
        let mut quotient = vec![self.bdds.no(); dividend.len()];
        for index in (0..dividend.len()).rev() {
            let mut bits = vec![dividend.bits[index].clone()];
            bits.extend_from_slice(&rest.bits);
            rest = Word { bits }.trimmed();
            let fits = self.less(&rest, &divisor)?.not()?;
            rest = self.choose(&fits, &self.subtract(&rest, &divisor)?, &rest)?;
            quotient[index] = fits;
        }
        let quotient = self.natural(quotient);
        let apart = left.sign().xor(right.sign())?;
        let quotient = self.choose(&apart, &self.negate(&quotient)?, &quotient)?;
        let rest = self.choose(left.sign(), &self.negate(&rest)?, &rest)?;
        Ok((quotient, rest))
    }

    pub(crate) fn bitwise(
        self,
        left: &Word,
        right: &Word,
        op: fn(&Bdd, &Bdd) -> BddResult,
    ) -> BddResult<Word> {
        let len = left.len().max(right.len());
        let bits = (0..len).map(|index| op(left.bit(index), right.bit(index))).collect::<BddResult<_>>()?;
        Ok(Word { bits }.trimmed())
    }

    pub(crate) fn equal(self, left: &Word, right: &Word) -> BddResult {
        let len = left.len().max(right.len());
        (0..len).try_fold(self.bdds.yes(), |all, index| all.and(&left.bit(index).same(right.bit(index))?))
    }

    pub(crate) fn less(self, left: &Word, right: &Word) -> BddResult {
        let len = left.len().max(right.len());
        let mut less = self.bdds.no();
        for index in 0..len {
            let (mut a, mut b) = (left.bit(index), right.bit(index));
            if index + 1 == len {
                (a, b) = (b, a);
            }
            less = a.same(b)?.choose(&less, b)?;
        }
        Ok(less)
    }

    /// The states in which the number is within a range.
    pub(crate) fn is_within(self, word: &Word, range: Range) -> BddResult {
        // A number with fewer bits than both ends needs no comparison.
        let fits = |end: i32| word.len() <= self.constant(end.into()).len();
        if range.min < 0 && range.max >= 0 && fits(range.min) && fits(range.max) && is_power(range) {
            return Ok(self.bdds.yes());
        }
        let below = self.less(word, &self.constant(range.min.into()))?;
        let above = self.less(&self.constant(range.max.into()), word)?;
        below.or(&above)?.not()
    }

    /// The distinct values in these states, with their states; `None` if there are more than `most`.
    pub(crate) fn values(self, word: &Word, states: &Bdd, most: usize) -> BddResult<Option<Vec<(i64, Bdd)>>> {
        let mut values = Vec::new();
        if states.is_no() {
            return Ok(Some(values));
        }
        let top = word.len() - 1;
        let mut open = vec![(top, 0i64, states.clone())];
        while let Some((index, value, states)) = open.pop() {
            for (bit, states) in [(1, states.and(&word.bits[index])?), (0, states.but(&word.bits[index])?)] {
                if states.is_no() {
                    continue;
                }
                let weight = if index == top { -bit } else { bit } << index;
                if index == 0 {
                    values.push((value + weight, states));
                } else {
                    open.push((index - 1, value + weight, states));
                }
            }
            if values.len() + open.len() > most {
                return Ok(None);
            }
        }
        values.sort_by_key(|(value, _)| *value);
        Ok(Some(values))
    }
}

/// Whether a range has all values of some number of bits.
fn is_power(range: Range) -> bool {
    i64::from(range.min) == -1 - i64::from(range.max) && range.len().is_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_model::{BinaryOp, Overflow};

    const BITS: u32 = 4;

    /// Two numbers of four bits each that can be anything from -8 to 7.
    fn operands(bdds: &Bdds) -> [Word; 2] {
        [0, BITS].map(|first| Word {
            bits: (first..first + BITS).map(|variable| bdds.variable(variable).expect("room")).collect(),
        })
    }

    /// The number, if it is the same in all states.
    fn certain(word: &Word) -> Option<i64> {
        let bits = word.bits.iter().enumerate();
        let (sign, mut value) = (word.len() - 1, 0i64);
        for (index, bit) in bits {
            if bit.is_yes() {
                value += if index == sign { -(1 << index) } else { 1 << index };
            } else if !bit.is_no() {
                return None;
            }
        }
        Some(value)
    }

    fn in_state(word: &Word, state: &Bdd) -> i64 {
        let sign = word.len() - 1;
        let bits = word.bits.iter().enumerate();
        bits.map(|(index, bit)| {
            let set = state.is_within(bit).expect("room");
            i64::from(set) * if index == sign { -(1 << index) } else { 1 << index }
        })
        .sum()
    }

    /// Calls `check` with two numbers and the state that has them.
    fn for_all(bdds: &Bdds, check: impl Fn(i32, i32, &Bdd)) {
        for code in 0..1u32 << (2 * BITS) {
            let state = (0..2 * BITS).fold(bdds.yes(), |state, variable| {
                let literal = bdds.variable(variable).expect("room");
                let literal = if code >> variable & 1 == 1 { literal } else { literal.not().expect("room") };
                state.and(&literal).expect("room")
            });
            let number = |code: u32| (code as i32) << (32 - BITS) >> (32 - BITS);
            check(number(code), number(code >> BITS), &state);
        }
    }

    #[test]
    fn arithmetic_is_that_of_integers_in_every_state() {
        let bdds = Bdds::new(2 * BITS, 1 << 22);
        let words = Arithmetic { bdds: &bdds };
        let [a, b] = operands(&bdds);
        let nonzero = words.is_true(&b).expect("room");
        let (quotient, rest) = words.divide(&a, &b).expect("room");
        let results = [
            (BinaryOp::Add, words.add(&a, &b).expect("room")),
            (BinaryOp::Subtract, words.subtract(&a, &b).expect("room")),
            (BinaryOp::Multiply, words.multiply(&a, &b).expect("room")),
            (BinaryOp::Divide, quotient),
            (BinaryOp::Remainder, rest),
            (BinaryOp::BitAnd, words.bitwise(&a, &b, Bdd::and).expect("room")),
            (BinaryOp::BitOr, words.bitwise(&a, &b, Bdd::or).expect("room")),
            (BinaryOp::BitXor, words.bitwise(&a, &b, Bdd::xor).expect("room")),
            (BinaryOp::Less, words.truth(words.less(&a, &b).expect("room"))),
            (BinaryOp::Equal, words.truth(words.equal(&a, &b).expect("room"))),
        ];
        for_all(&bdds, |left, right, state| {
            assert_eq!((in_state(&a, state), in_state(&b, state)), (left.into(), right.into()));
            assert_eq!(state.is_within(&nonzero).expect("room"), right != 0);
            for (op, word) in &results {
                if let Ok(value) = op.apply(left, right, Overflow::Error) {
                    assert_eq!(in_state(word, state), i64::from(value), "{left} {} {right}", op.text());
                }
            }
        });
    }

    #[test]
    fn values_and_ranges_are_those_that_occur() {
        let bdds = Bdds::new(2 * BITS, 1 << 22);
        let words = Arithmetic { bdds: &bdds };
        let [a, b] = operands(&bdds);
        let sum = words.add(&a, &b).expect("room");
        let values = words.values(&sum, &bdds.yes(), 100).expect("room").expect("few");
        let numbers: Vec<i64> = values.iter().map(|(value, _)| *value).collect();
        assert_eq!(numbers, (-16..=14).collect::<Vec<_>>());
        assert_eq!(words.values(&sum, &bdds.yes(), 10).expect("room"), None);
        let ranges =
            [(-3, 5), (0, 0), (-8, 7), (-16, 15), (-1, 0), (3, 9)].map(|(min, max)| Range { min, max });
        for_all(&bdds, |left, right, state| {
            let (_, here) =
                values.iter().find(|(value, _)| *value == i64::from(left + right)).expect("there");
            assert!(state.is_within(here).expect("room"));
            for range in ranges {
                let within = words.is_within(&sum, range).expect("room");
                assert_eq!(
                    state.is_within(&within).expect("room"),
                    range.contains(left + right),
                    "{range:?}"
                );
            }
        });
    }

    #[test]
    fn what_is_the_same_everywhere_is_known() {
        let bdds = Bdds::new(1, 1 << 20);
        let words = Arithmetic { bdds: &bdds };
        for value in [0, 1, -1, 7, 8, -8, i64::from(i32::MIN), i64::from(i32::MAX)] {
            let word = words.constant(value);
            assert_eq!(certain(&word), Some(value));
            assert_eq!(certain(&words.negate(&word).expect("room")), Some(-value));
            assert_eq!(certain(&words.shifted(&word, 3)), Some(value * 8));
            assert_eq!(certain(&words.shifted_right(&word, 3)), Some(value >> 3));
            let large = words.shifted(&words.multiply(&word, &word).expect("room"), 1);
            assert_eq!(
                certain(&words.wrapped(&large)),
                Some(i64::from((2 * i128::from(value).pow(2)) as i32))
            );
            assert_eq!(certain(&words.wrapped(&word)), Some(value));
        }
        assert_eq!(certain(&words.truth(bdds.variable(0).expect("room"))), None);
    }
}
