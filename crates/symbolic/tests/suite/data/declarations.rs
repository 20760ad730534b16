//! Declarations: types, variables, channels, functions, and what happens before and after each step.

use super::expressions::Maker;
use super::scope::{Array, Function, Gives, Parameter, Scope};

const TYPES: &str = "typedef int[-3,5] Odd;\ntypedef int[-2,2] Small;\n\
                     typedef struct { int[0,3] lo; bool on; Small row[2]; } Record;\n\
                     const int T[4] = { 2, -1, 3, 0 };\n";

const CHANNELS: &str = "chan c, d[3];\nurgent chan u;\nbroadcast chan b, e[2];\nurgent broadcast chan v;\n";

/// The kinds of variables that a network may have.
const KINDS: usize = 12;

impl Maker {
    /// Declares what all processes share.
    pub(crate) fn declarations(&mut self, scope: &mut Scope) -> String {
        let mut text = TYPES.to_owned();
        scope.arrays.push(Array { text: "T".to_owned(), len: 4, min: -1, max: 3, writable: false });
        let clocks = 1 + self.random.below(3);
        scope.clocks = ["x", "y", "z"][..clocks].iter().map(|&clock| clock.to_owned()).collect();
        text += &format!("clock {};\n", scope.clocks.join(", "));
        let mut kinds: Vec<usize> = (0..KINDS).collect();
        self.random.shuffle(&mut kinds);
        let count = 2 + self.random.below(4);
        for &kind in &kinds[..count] {
            text += &self.variable(scope, kind);
        }
        if clocks == 1 && self.random.one_in(2) {
            text += "clock several[2];\n";
            scope.clocks.push("several[1]".to_owned());
            scope.clocks.push(format!("several[{}]", self.index(scope, 2, 1)));
        }
        text += CHANNELS;
        for _ in 0..self.random.below(5) {
            text += &self.function(scope);
        }
        for hook in ["before_update", "after_update"] {
            if self.random.one_in(6) {
                let inner = Scope { clocks: Vec::new(), ..scope.clone() };
                text += &format!("{hook} {{ {} }}\n", self.update(&inner, true));
            }
        }
        text
    }

    fn variable(&mut self, scope: &mut Scope, kind: usize) -> String {
        match kind {
            0 | 1 => {
                let name = if kind == 0 { "n" } else { "o" };
                scope.odds.push(name.to_owned());
                self.declared(scope, name, "Odd", (-3, 5))
            }
            2 => self.declared(scope, "m", "int[1,8]", (1, 8)),
            3 => self.declared(scope, "i", "int[0,2]", (0, 2)),
            4 => self.declared(scope, "k", "int[-7,-6]", (-7, -6)),
            5 => self.declared(scope, "t", "meta int[-4,4]", (-4, 4)),
            6 | 7 => {
                let name = if kind == 6 { "p" } else { "q" };
                scope.truths.push((name.to_owned(), true));
                format!("bool {name};\n")
            }
            8 => {
                scope.arrays.push(Array { text: "a".to_owned(), len: 3, min: -2, max: 2, writable: true });
                "Small a[3] = { 1, -2, 0 };\n".to_owned()
            }
            9 => {
                for row in 0..2 {
                    let text = format!("g[{row}]");
                    scope.arrays.push(Array { text, len: 3, min: 0, max: 1, writable: true });
                }
                let row = self.index(scope, 2, 1);
                scope.arrays.push(Array {
                    text: format!("g[{row}]"),
                    len: 3,
                    min: 0,
                    max: 1,
                    writable: true,
                });
                "int[0,1] g[2][3] = { { 0, 1, 0 }, { 1, 1, 0 } };\n".to_owned()
            }
            10 => {
                scope.record("s");
                scope.record(["r[0]", "r[1]"][self.random.below(2)]);
                let index = self.index(scope, 2, 1);
                scope.record(&format!("r[{index}]"));
                "Record s;\nRecord r[2] = { { 1, true, { 0, 1 } }, { 2, false, { -1, 2 } } };\n".to_owned()
            }
            _ => {
                scope.wide = Some("w".to_owned());
                "int w = 100;\n".to_owned()
            }
        }
    }

    fn declared(&mut self, scope: &mut Scope, name: &str, ty: &str, (min, max): (i32, i32)) -> String {
        scope.variable(name, min, max);
        format!("{ty} {name} = {};\n", self.random.within(min..=max))
    }

    /// A function, which others after it can call.
    fn function(&mut self, scope: &mut Scope) -> String {
        let has_records = !scope.records.is_empty();
        let gives = match self.random.below(5) {
            0 | 1 => Gives::Nothing,
            2 if has_records => Gives::Record,
            _ => Gives::Number,
        };
        let pure = gives != Gives::Nothing;
        let mut parameters = vec![Parameter::Value];
        let has_array = scope.arrays.iter().any(|array| array.text == "a");
        for (parameter, possible) in [
            (Parameter::Odd, !scope.odds.is_empty()),
            (Parameter::Row, has_array),
            (Parameter::Record, has_records),
            (Parameter::Copy, has_records),
            (Parameter::Clock, !pure),
        ] {
            if possible && self.random.one_in(3) {
                parameters.push(parameter);
            }
        }
        let mut inner = scope.clone();
        // Only what is passed can be written to, of clocks.
        inner.clocks.clear();
        if pure {
            read_only(&mut inner);
        }
        let texts: Vec<String> =
            parameters.iter().map(|&parameter| declare(&mut inner, parameter, pure)).collect();
        let name = self.name("f");
        let mut body = format!("    int l = {};\n    int h;\n", self.number(&inner, 1));
        inner.variable("l", -19, 19);
        if gives == Gives::Record {
            body += "    Record made;\n";
            inner.record("made");
        }
        for _ in 0..1 + self.random.below(3) {
            body += &self.statement(&inner, 2, gives);
        }
        let (returns, last) = (["void", "int", "Record"][gives as usize], self.given(&inner, 2, gives));
        body += &format!("    return {last};\n");
        let text = format!("{returns} {name}({}) {{\n{body}}}\n", texts.join(", "));
        scope.functions.push(Function { name, parameters, gives });
        text
    }

    /// What a function gives back.
    fn given(&mut self, scope: &Scope, depth: u32, gives: Gives) -> String {
        match gives {
            Gives::Nothing => String::new(),
            Gives::Number => self.number(scope, depth),
            Gives::Record => self.one_of(&scope.records).clone(),
        }
    }

    /// A statement, with those within it.
    fn statement(&mut self, scope: &Scope, depth: u32, gives: Gives) -> String {
        let simple = depth == 0;
        match self.random.below(if simple { 4 } else { 10 }) {
            0..=2 => format!("{};\n", self.update(scope, gives == Gives::Nothing)),
            3 => self.compound(scope),
            4 => {
                let (yes, no) =
                    (self.statement(scope, depth - 1, gives), self.statement(scope, depth - 1, gives));
                let condition = self.truth(scope, 2);
                match self.random.one_in(2) {
                    true => format!("if ({condition}) {{ {yes} }}\n"),
                    false => format!("if ({condition}) {{ {yes} }} else {{ {no} }}\n"),
                }
            }
            5 => {
                let name = self.name("j");
                let mut inner = scope.clone();
                inner.bind(&name, 0, 2);
                format!("for ({name} : int[0,2]) {{ {} }}\n", self.statement(&inner, depth - 1, gives))
            }
            6 => {
                let (body, end) = (self.statement(scope, 0, gives), self.leaf(scope));
                match self.random.one_in(2) {
                    true => {
                        format!("h = 0;\nwhile (h < {end} && h < 6) {{ {body} h++; }}\n")
                    }
                    false => format!("for (h = 0; h < abs({end}) % 5; h++) {{ {body} }}\n"),
                }
            }
            7 => {
                let (body, condition) = (self.statement(scope, 0, gives), self.truth(scope, 1));
                format!("h = 0;\ndo {{ {body} ++h; }} while (h < 4 && {condition});\n")
            }
            8 if self.errs() => format!("assert({});\n", self.truth(scope, 1)),
            _ => {
                let value = self.given(scope, 1, gives);
                format!("if ({}) return {value};\n", self.truth(scope, 1))
            }
        }
    }

    /// Arithmetic on a local number.
    fn compound(&mut self, scope: &Scope) -> String {
        let op = *self.one_of(&["+=", "-=", "|=", "^=", "&="]);
        match self.random.below(4) {
            0 => "l++;\n".to_owned(),
            1 => "--l;\n".to_owned(),
            2 => format!("l {op} {};\nl %= 20;\n", self.number(scope, 1)),
            _ => "l <<= 1;\nl = l / 2 * 2 % 16;\nl >>= 1;\n".to_owned(),
        }
    }

    /// Something that is done: to data, or to a clock if there is one in scope, or by a function that changes things.
    pub(crate) fn update(&mut self, scope: &Scope, calls: bool) -> String {
        match self.random.below(12) {
            0..=2 if calls => {
                if let Some(call) = self.call(scope, 1, Gives::Nothing) {
                    return call;
                }
            }
            3 | 4 => {
                let truths: Vec<_> = scope.truths.iter().filter(|(_, writable)| *writable).collect();
                if let Some((text, _)) = self.random.pick(&truths) {
                    return format!("{text} = {}", self.truth(scope, 2));
                }
            }
            5 if calls && scope.records.len() > 1 => {
                let made = self.call(scope, 1, Gives::Record).filter(|_| self.random.one_in(2));
                let source = made.unwrap_or_else(|| self.one_of(&scope.records).clone());
                return format!("{} = {source}", self.one_of(&scope.records));
            }
            6 if calls => {
                if let Some(wide) = &scope.wide {
                    let step = self.random.within(-3..=3) * 100;
                    return format!("{wide} = ({wide} + {step}) % 700");
                }
            }
            7 | 8 => {
                if let Some(clock) = self.random.pick(&scope.clocks).cloned() {
                    return self.reset(scope, &clock);
                }
            }
            _ => {}
        }
        match self.target(scope) {
            Some(target) => {
                format!("{} = {}", target.text, self.fit(scope, target.min, target.max, 2))
            }
            None => match self.random.pick(&scope.clocks).cloned() {
                Some(clock) => self.reset(scope, &clock),
                None => "1".to_owned(),
            },
        }
    }

    fn reset(&mut self, scope: &Scope, clock: &str) -> String {
        match self.random.below(3) {
            0 => format!("{clock} = {}", self.fit(scope, 0, 4, 1)),
            _ => format!("{clock} = 0"),
        }
    }
}

/// Makes all of a scope something to read alone.
fn read_only(scope: &mut Scope) {
    scope.numbers.iter_mut().for_each(|number| number.writable = false);
    scope.arrays.iter_mut().for_each(|array| array.writable = false);
    scope.truths.iter_mut().for_each(|truth| truth.1 = false);
}

/// Declares a parameter; one of a pure function is read alone.
fn declare(scope: &mut Scope, parameter: Parameter, pure: bool) -> String {
    let by = if pure { "const " } else { "" };
    match parameter {
        Parameter::Value => {
            scope.variable("value", -4, 9);
            "int value".to_owned()
        }
        Parameter::Odd => {
            match pure {
                true => scope.bind("odd", -3, 5),
                false => scope.variable("odd", -3, 5),
            }
            format!("{by}Odd &odd")
        }
        Parameter::Row => {
            scope.arrays.push(Array { text: "row".to_owned(), len: 3, min: -2, max: 2, writable: !pure });
            format!("{by}Small &row[3]")
        }
        Parameter::Record => {
            let before = scope.clone();
            scope.record("record");
            if pure {
                // Parts of others are read alone already, and the function's own values stay what they are.
                let parts = scope.numbers[before.numbers.len()..].iter_mut();
                parts.for_each(|number| number.writable = false);
                scope.arrays[before.arrays.len()..].iter_mut().for_each(|array| array.writable = false);
                scope.truths[before.truths.len()..].iter_mut().for_each(|truth| truth.1 = false);
            }
            format!("{by}Record &record")
        }
        Parameter::Copy => {
            scope.record("copy");
            "Record copy".to_owned()
        }
        Parameter::Clock => {
            scope.clocks.push("clk".to_owned());
            "clock &clk".to_owned()
        }
    }
}
