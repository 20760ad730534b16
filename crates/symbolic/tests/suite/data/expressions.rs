//! Expressions: numbers, truths, places.
//!
//! Numbers stay small: products are of leaves alone, shifts are by at most three, and what is assigned is brought into the
//! range of its target. So most networks run without errors; one that is `risky` leaves that out now and then.

use tourbillon_base::Random;

use super::scope::{Array, Gives, Number, Parameter, Scope};

#[derive(Debug)]
pub(crate) struct Maker {
    pub(crate) random: Random,
    /// Whether things may go wrong when the network runs.
    pub(crate) risky: bool,
    /// Whether results that exceed 32 bits wrap, and there are some.
    pub(crate) wraps: bool,
    /// How many names were made up.
    names: u32,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::from_seed(seed);
        let risky = random.one_in(6);
        Self { random, risky, wraps: seed % 4 == 3, names: 0 }
    }

    /// A name that nothing else has.
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(crate) fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        self.random.pick(items).expect("there is something to pick from")
    }

    /// Whether something goes wrong here.
    pub(crate) fn errs(&mut self) -> bool {
        self.risky && self.random.one_in(8)
    }

    /// A number that is not computed.
    pub(crate) fn leaf(&mut self, scope: &Scope) -> String {
        let sources = scope.numbers.len() + 2 * scope.arrays.len() + 2;
        match self.random.below(sources) {
            pick if pick < scope.numbers.len() => scope.numbers[pick].text.clone(),
            pick if pick + 2 < sources => {
                let array = self.one_of(&scope.arrays).clone();
                self.element(scope, &array, 1)
            }
            _ => self.random.within(-3..=6).to_string(),
        }
    }

    /// An element of an array, by an index that may be computed.
    fn element(&mut self, scope: &Scope, array: &Array, depth: u32) -> String {
        format!("{}[{}]", array.text, self.index(scope, array.len, depth))
    }

    /// A number from 0 to one below this.
    pub(crate) fn index(&mut self, scope: &Scope, len: i32, depth: u32) -> String {
        if self.errs() {
            return self.number(scope, depth);
        }
        let fitting = |number: &&Number| number.min >= 0 && number.max < len;
        let fitting: Vec<&Number> = scope.numbers.iter().filter(fitting).collect();
        if depth == 0 || (fitting.is_empty() && self.random.one_in(2)) {
            return self.random.within(0..=len - 1).to_string();
        }
        match self.random.pick(&fitting) {
            Some(number) if !self.random.one_in(3) => number.text.clone(),
            _ => format!("abs({}) % {len}", self.number(scope, depth - 1)),
        }
    }

    /// A number that is near the ends of 32 bits, or would be past them.
    fn past_32_bits(&mut self, scope: &Scope, depth: u32) -> String {
        let number = self.number(scope, depth);
        let large = *self.one_of(&["2147483647", "(-2147483647 - 1)", "1073741825", "65537"]);
        match self.random.below(5) {
            0 => format!("({large} + {number})"),
            1 => format!("({number} - {large})"),
            2 => format!("({} * {large})", self.leaf(scope)),
            3 => format!("-({large} - ({number} & 1))"),
            _ => format!("({} << {})", self.leaf(scope), self.random.within(28..=31)),
        }
    }

    pub(crate) fn number(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let inner = depth - 1;
        if self.wraps && self.random.one_in(5) {
            return self.past_32_bits(scope, inner);
        }
        match self.random.below(16) {
            0..=3 => self.leaf(scope),
            4..=6 => {
                let op = *self.one_of(&["+", "-", "+", "-", "&", "|", "^", "<?", ">?"]);
                format!("({} {op} {})", self.number(scope, inner), self.number(scope, inner))
            }
            7 => format!("({} * {})", self.leaf(scope), self.leaf(scope)),
            8 => format!("({} {} {})", self.number(scope, inner), self.divide(), self.divisor(scope, inner)),
            9 => {
                let op = *self.one_of(&["<<", ">>", ">>"]);
                let by = if self.random.one_in(2) {
                    self.random.within(0..=3).to_string()
                } else {
                    format!("({} & 3)", self.leaf(scope))
                };
                format!("({} {op} {by})", self.leaf(scope))
            }
            10 => format!("abs({})", self.number(scope, inner)),
            11 => format!("-({})", self.number(scope, inner)),
            12 => {
                let (yes, no) = (self.number(scope, inner), self.number(scope, inner));
                format!("({} ? {yes} : {no})", self.truth(scope, inner))
            }
            13 => self.sum(scope, inner),
            14 => self.call(scope, inner, Gives::Number).unwrap_or_else(|| self.leaf(scope)),
            _ => match scope.truths.is_empty() {
                true => self.leaf(scope),
                false => format!("({} + {})", self.one_of(&scope.truths).0, self.number(scope, inner)),
            },
        }
    }

    fn divide(&mut self) -> &'static str {
        if self.random.one_in(2) { "/" } else { "%" }
    }

    fn divisor(&mut self, scope: &Scope, depth: u32) -> String {
        if self.errs() {
            return self.number(scope, depth);
        }
        match self.random.below(3) {
            0 => (*self.one_of(&["2", "3", "-2", "5"])).to_owned(),
            1 => format!("(1 + abs({}))", self.number(scope, depth)),
            _ => format!("(({}) | 1)", self.number(scope, depth)),
        }
    }

    fn sum(&mut self, scope: &Scope, depth: u32) -> String {
        let (name, last, inner) = self.bound(scope);
        format!("(sum ({name} : int[0,{last}]) {})", self.number(&inner, depth))
    }

    /// A name that is bound to the indices of some array, how far it goes, and what can be mentioned then.
    fn bound(&mut self, scope: &Scope) -> (String, i32, Scope) {
        let name = self.name("j");
        let last = self.random.pick(&scope.arrays).map_or(2, |array| array.len) - 1;
        let mut inner = scope.clone();
        inner.bind(&name, 0, last);
        (name, last, inner)
    }

    pub(crate) fn truth(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return match self.random.pick(&scope.truths) {
                Some((text, _)) => text.clone(),
                None => self.comparison(scope, 0),
            };
        }
        let inner = depth - 1;
        match self.random.below(12) {
            0..=4 => self.comparison(scope, inner),
            5 => self.truth(scope, 0),
            6 => format!("!({})", self.truth(scope, inner)),
            7 | 8 => {
                let op = *self.one_of(&["&&", "||", "imply", "=="]);
                format!("(({}) {op} ({}))", self.truth(scope, inner), self.truth(scope, inner))
            }
            9 => {
                let (name, last, bound) = self.bound(scope);
                let quantifier = *self.one_of(&["forall", "exists"]);
                format!("({quantifier} ({name} : int[0,{last}]) {})", self.truth(&bound, inner))
            }
            10 => match &scope.wide {
                Some(wide) => {
                    format!("{wide} {} {}", self.compare(), self.random.within(-40..=40) * 100)
                }
                None => self.comparison(scope, inner),
            },
            _ if scope.records.len() > 1 => {
                format!("({} == {})", self.one_of(&scope.records), self.one_of(&scope.records))
            }
            _ => self.comparison(scope, inner),
        }
    }

    pub(crate) fn compare(&mut self) -> &'static str {
        const COMPARE: [&str; 6] = ["<", "<=", "==", "!=", ">=", ">"];
        COMPARE[self.random.below(COMPARE.len())]
    }

    fn comparison(&mut self, scope: &Scope, depth: u32) -> String {
        format!("({} {} {})", self.number(scope, depth), self.compare(), self.number(scope, depth))
    }

    /// A number within a range.
    pub(crate) fn fit(&mut self, scope: &Scope, min: i32, max: i32, depth: u32) -> String {
        let number = self.number(scope, depth);
        if self.errs() {
            return number;
        }
        match self.random.below(4) {
            0 => format!("(({min} >? ({number})) <? {max})"),
            1 => format!("(({number} < {min} || {number} > {max}) ? {min} : {number})"),
            2 => self.random.within(min..=max).to_string(),
            _ => format!("({min} + abs({number}) % {})", max - min + 1),
        }
    }

    /// A number that can be written.
    pub(crate) fn target(&mut self, scope: &Scope) -> Option<Number> {
        let numbers: Vec<&Number> = scope.numbers.iter().filter(|number| number.writable).collect();
        let arrays: Vec<&Array> = scope.arrays.iter().filter(|array| array.writable).collect();
        let pick = self.random.below(numbers.len() + arrays.len());
        if let Some(number) = numbers.get(pick) {
            return Some((*number).clone());
        }
        let array = (*arrays.get(pick.checked_sub(numbers.len())?)?).clone();
        let text = self.element(scope, &array, 1);
        Some(Number { text, min: array.min, max: array.max, writable: true })
    }

    /// A call of some function that gives this back.
    pub(crate) fn call(&mut self, scope: &Scope, depth: u32, gives: Gives) -> Option<String> {
        let functions: Vec<_> = scope.functions.iter().filter(|function| function.gives == gives).collect();
        let function = (*self.random.pick(&functions)?).clone();
        let mut arguments = Vec::new();
        for parameter in function.parameters {
            arguments.push(match parameter {
                Parameter::Value => self.fit(scope, -4, 9, depth),
                Parameter::Odd => self.random.pick(&scope.odds)?.clone(),
                Parameter::Row => "a".to_owned(),
                Parameter::Record | Parameter::Copy => self.random.pick(&scope.records)?.clone(),
                Parameter::Clock => self.random.pick(&scope.clocks)?.clone(),
            });
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }
}
