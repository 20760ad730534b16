//! Random labels of networks, and the formulas of their queries.
//!
//! The variables are always the same few: `n` from 0 to 3, `m` from 0 to 2, an array `a` of two from 0 to 2, in
//! UPPAAL's language a meta variable `t`, two functions with loops, and updates around every step. Without errors asked for, every value
//! written is in range whatever the state.

use tourbillon_base::Random;
use tourbillon_model::Language;

use super::{Formula, Process, Shape, Shifts};

/// What labels can speak of.
pub(super) struct Labels {
    shape: Shape,
    clocks: Vec<String>,
    /// How many of the variables there are.
    variables: usize,
    /// Whether something is done before and after every step.
    framed: bool,
    /// Whether there is a selection `i` from 0 to 1.
    pub(super) selected: bool,
}

impl Labels {
    pub(super) fn new(shape: Shape, clocks: Vec<String>, random: &mut Random) -> Self {
        Self { shape, clocks, variables: random.below(4), framed: random.one_in(3), selected: false }
    }

    fn is_uppaal(&self) -> bool {
        self.shape.language == Language::Uppaal
    }

    pub(super) fn declarations(&self) -> Vec<String> {
        let lines: &[&str] = match self.shape.language {
            Language::TChecker => &["int:1:0:3:0:n", "int:1:0:2:0:m", "int:2:0:2:0:a"],
            Language::Uppaal => &["int[0,3] n;", "int[0,2] m;", "int[0,2] a[2];"],
        };
        let mut lines = lines[..self.variables].to_vec();
        if self.has_functions() {
            lines.extend([
                "meta int[0,3] t;",
                "int[0,4] total() { int s = 0; for (k : int[0,1]) { s += a[k]; } return s; }",
                "void turn() { int k = 0; while (k < 2) { a[k] = (a[k] + 1) % 3; k++; } }",
            ]);
            if self.slips() {
                lines.push("void slip() { if (n > 1) { x = y - m; } }");
            }
            if self.framed && self.slips() {
                lines.extend(["before_update { t = n, slip() }", "after_update { m = (t > n ? 0 : m) }"]);
            } else if self.framed {
                lines.extend(["before_update { t = n }", "after_update { m = (t > n ? 0 : m) }"]);
            }
        }
        lines.into_iter().map(str::to_owned).collect()
    }

    /// Whether a function sets a clock to another minus something.
    fn slips(&self) -> bool {
        self.has_functions() && self.clocks.len() > 1 && self.shape.shifts != Shifts::None
    }

    fn has_functions(&self) -> bool {
        self.is_uppaal() && self.variables == 3
    }

    /// A variable, and the largest value it has.
    fn variable(&self, random: &mut Random) -> Option<(String, i32)> {
        Some(match random.below(self.variables.max(1)).min(self.variables.checked_sub(1)?) {
            0 => ("n".to_owned(), 3),
            1 => ("m".to_owned(), 2),
            _ => (format!("a[{}]", self.index(random)), 2),
        })
    }

    /// An index of an array of two.
    fn index(&self, random: &mut Random) -> &'static str {
        match random.below(4) {
            0 => "0",
            1 => "1",
            2 if self.selected => "i",
            _ if self.variables > 0 => "n % 2",
            _ => "0",
        }
    }

    pub(super) fn channel_index(&self, random: &mut Random) -> String {
        format!("[{}]", self.index(random))
    }

    /// A condition on data.
    pub(super) fn condition(&self, random: &mut Random) -> String {
        if self.selected && random.one_in(3) {
            return format!("i == {}", random.below(2));
        }
        let op = ["==", "<=", "<=", ">=", "!=", "!="][random.below(6)];
        match self.variable(random) {
            None => "1 == 1".to_owned(),
            Some(_) if self.has_functions() && random.one_in(5) => {
                format!("total() {op} {}", random.within(0..=4))
            }
            Some((name, max)) => format!("{name} {op} {}", random.within(0..=max)),
        }
    }

    fn clock(&self, random: &mut Random) -> &str {
        &self.clocks[random.below(self.clocks.len())]
    }

    /// A comparison of clocks.
    pub(super) fn comparison(&self, random: &mut Random) -> String {
        let ops: &[&str] = if self.shape.strict {
            &["<=", ">=", "<=", ">=", "<", ">", "<", ">", "=="]
        } else {
            &["<=", ">=", "<=", ">=", "=="]
        };
        let op = ops[random.below(ops.len())];
        let max = self.shape.constant_max;
        if self.shape.diagonals && self.clocks.len() > 1 && random.one_in(3) {
            let (one, other) = if random.one_in(2) { ("x", "y") } else { ("y", "x") };
            return format!("{one} - {other} {op} {}", random.within(-max..=max));
        }
        let bound = match self.variable(random) {
            Some((name, _)) if random.one_in(6) => name,
            _ => random.within(0..=max).to_string(),
        };
        format!("{} {op} {bound}", self.clock(random))
    }

    /// A part of an invariant.
    pub(super) fn invariant(&self, random: &mut Random) -> String {
        let op = if self.shape.strict && random.one_in(2) { "<" } else { "<=" };
        let bound = format!("{} {op} {}", self.clock(random), random.within(1..=self.shape.constant_max));
        match self.variable(random) {
            Some((name, max)) if random.one_in(6) => format!("{name} <= {max}"),
            Some((name, max)) if self.is_uppaal() && random.one_in(4) => {
                format!("({name} == {} imply {bound})", random.within(0..=max))
            }
            _ => bound,
        }
    }

    /// That a clock is stopped, or is for some data.
    pub(super) fn rate(&self, random: &mut Random) -> String {
        let clock = self.clock(random);
        match self.variable(random) {
            Some((name, max)) if random.one_in(3) => {
                format!("{clock}' == ({name} <= {})", random.within(0..=max))
            }
            _ => format!("{clock}' == 0"),
        }
    }

    pub(super) fn update(&self, random: &mut Random) -> String {
        if self.variables == 0 || random.one_in(2) { self.reset(random) } else { self.assignment(random) }
    }

    fn reset(&self, random: &mut Random) -> String {
        if self.shape.shifts != Shifts::None && random.one_in(2) {
            return self.shift(random);
        }
        let clock = self.clock(random);
        match random.below(4) {
            0 if self.shape.values => format!("{clock} = {}", random.within(1..=2)),
            1 if self.shape.values && self.shape.shifts == Shifts::Falling => {
                self.falling(random).map_or(format!("{clock} = 0"), |(one, other)| format!("{one} = {other}"))
            }
            1 if self.shape.values => format!("{clock} = {}", self.clock(random)),
            _ => format!("{clock} = 0"),
        }
    }

    /// A clock, and a later one.
    fn falling(&self, random: &mut Random) -> Option<(&str, &str)> {
        let last = self.clocks.len() - 1;
        let first = random.below(last.max(1)).min(last.checked_sub(1)?);
        Some((&self.clocks[first], &self.clocks[first + 1 + random.below(last - first)]))
    }

    /// A clock set to another minus something, or to a number that may be negative.
    fn shift(&self, random: &mut Random) -> String {
        let less = match self.variable(random) {
            Some((name, _)) if random.one_in(2) => name,
            _ => random.within(1..=2).to_string(),
        };
        let pair = match self.shape.shifts {
            Shifts::Falling => self.falling(random),
            Shifts::Short | Shifts::None => Some((self.clock(random), self.clock(random))),
        };
        match pair {
            _ if self.slips() && random.one_in(8) => "slip()".to_owned(),
            Some((target, source)) if self.is_uppaal() && !random.one_in(8) => {
                format!("{target} = {source} - {less}")
            }
            Some((target, source)) if !self.is_uppaal() && self.variables > 0 && random.one_in(6) => {
                format!("if n > 1 then {target} = {source} + -{less} end")
            }
            Some((target, source)) if !self.is_uppaal() && !random.one_in(8) => {
                format!("{target} = {source} + -{less}")
            }
            _ if less.parse::<i32>().is_ok() => format!("{} = 0", self.clock(random)),
            _ => format!("{} = {less} - 1", self.clock(random)),
        }
    }

    /// What keeps an update from making a clock negative, if that can be read off it.
    pub(super) fn company(&self, update: &str) -> Option<String> {
        let (_, value) = update.split_once(" = ").filter(|(target, _)| !target.contains(' '))?;
        let (source, less) = value.split_once(" - ").or_else(|| value.split_once(" + -"))?;
        self.clocks.iter().any(|clock| clock == source).then(|| format!("{source} >= {less}"))
    }

    fn assignment(&self, random: &mut Random) -> String {
        let Some((name, max)) = self.variable(random) else { return self.reset(random) };
        let size = max + 1;
        if self.shape.errors && random.one_in(6) {
            let divides = random.one_in(2);
            return if divides { format!("{name} = 2 / {name}") } else { format!("{name} = {name} + 1") };
        }
        let other = self.variable(random).map_or_else(|| "1".to_owned(), |(other, _)| other);
        match random.below(6) {
            0 => format!("{name} = {}", random.within(0..=max)),
            1 => format!("{name} = {other} % {size}"),
            2 if self.has_functions() => "turn()".to_owned(),
            3 if self.has_functions() => format!("t = {other}, {name} = t % {size}"),
            4 if self.is_uppaal() => format!("{name} = ({other} > 1 ? {max} : 0)"),
            _ => format!("{name} = ({name} + 1) % {size}"),
        }
    }

    /// A formula of at most this depth. In a closed shape it is closed.
    pub(super) fn formula(&self, depth: usize, processes: &[Process], random: &mut Random) -> Formula {
        let part = |random: &mut Random| Box::new(self.formula(depth - 1, processes, random));
        match random.below(6) {
            0 | 1 if depth > 0 => Formula::And(part(random), part(random)),
            2 if depth > 0 => Formula::Or(part(random), part(random)),
            3 if depth > 0 && self.shape.strict => Formula::Not(part(random)),
            3 => Formula::Not(Box::new(Formula::Atom(self.untimed(processes, random)))),
            4 => Formula::Atom(self.comparison(random)),
            _ => Formula::Atom(self.untimed(processes, random)),
        }
    }

    /// A formula that more states satisfy than not, so that some runs never leave them.
    pub(super) fn lasting(&self, processes: &[Process], random: &mut Random) -> Formula {
        let formula = self.formula(2, processes, random);
        if random.one_in(3) {
            return formula;
        }
        let place = Formula::Not(Box::new(Formula::Atom(self.place(processes, random))));
        Formula::Or(Box::new(place), Box::new(formula))
    }

    fn untimed(&self, processes: &[Process], random: &mut Random) -> String {
        if self.shape.deadlocks && !self.shape.liveness && random.one_in(3) {
            return "deadlock".to_owned();
        }
        if self.variables > 0 && random.one_in(3) {
            return self.condition(random);
        }
        self.place(processes, random)
    }

    /// That a process is at some location.
    fn place(&self, processes: &[Process], random: &mut Random) -> String {
        let process = &processes[random.below(processes.len())];
        format!("{}.{}", process.name, process.locations[random.below(process.locations.len())].name)
    }
}
