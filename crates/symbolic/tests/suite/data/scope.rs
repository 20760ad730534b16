//! What a piece of text can mention: variables with their ranges, arrays, functions, clocks.
//!
//! A scope is copied and added to where something is declared within another: the locals of a function, the choices of an
//! edge, what a quantifier binds.

/// A number that can be read: its text, and its smallest and largest value.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) text: String,
    pub(crate) min: i32,
    pub(crate) max: i32,
    /// Whether it can be written.
    pub(crate) writable: bool,
}

/// An array of numbers, with indices from 0.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) text: String,
    pub(crate) len: i32,
    pub(crate) min: i32,
    pub(crate) max: i32,
    pub(crate) writable: bool,
}

/// What an argument of a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parameter {
    Value,
    /// A variable of the type called `Odd`, by reference.
    Odd,
    /// An array of the type that all arrays of `Small` have, by reference.
    Row,
    /// A record, by reference.
    Record,
    /// A record, as a value.
    Copy,
    /// A clock, by reference.
    Clock,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) gives: Gives,
}

/// What a function gives back. One that gives nothing changes things, others do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gives {
    Nothing,
    Number,
    Record,
}

/// What can be mentioned.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scope {
    pub(crate) numbers: Vec<Number>,
    pub(crate) truths: Vec<(String, bool)>,
    pub(crate) arrays: Vec<Array>,
    /// Records, each with `lo` (0 to 3), `on` (true or false) and `row` (two of -2 to 2).
    pub(crate) records: Vec<String>,
    /// Variables of the type called `Odd`, which is from -3 to 5.
    pub(crate) odds: Vec<String>,
    pub(crate) functions: Vec<Function>,
    pub(crate) clocks: Vec<String>,
    /// A number of 16 bits, which is compared and counted but never multiplied.
    pub(crate) wide: Option<String>,
}

impl Scope {
    /// Adds a number that is only read.
    pub(crate) fn bind(&mut self, text: impl Into<String>, min: i32, max: i32) {
        self.numbers.push(Number { text: text.into(), min, max, writable: false });
    }

    /// Adds a number that is read and written.
    pub(crate) fn variable(&mut self, text: impl Into<String>, min: i32, max: i32) {
        self.numbers.push(Number { text: text.into(), min, max, writable: true });
    }

    /// Adds the parts of a record.
    pub(crate) fn record(&mut self, text: &str) {
        self.records.push(text.to_owned());
        self.variable(format!("{text}.lo"), 0, 3);
        self.truths.push((format!("{text}.on"), true));
        let row = Array { text: format!("{text}.row"), len: 2, min: -2, max: 2, writable: true };
        self.arrays.push(row);
    }
}
