//! Networks of processes over random data, and queries.

use super::expressions::Maker;
use super::scope::Scope;

/// A network with queries, in UPPAAL's language.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) text: String,
    /// One to a line.
    pub(crate) queries: String,
}

impl Network {
    /// The network that a seed stands for.
    pub(crate) fn random(seed: u64) -> Self {
        let mut maker = Maker::new(seed);
        let mut scope = Scope::default();
        let mut text = if maker.wraps { "// tourbillon: overflow wrap\n" } else { "" }.to_owned();
        text += &maker.declarations(&mut scope);
        let mut asked = scope.clone();
        let names = &["P", "Q", "R"][..1 + maker.random.below(3)];
        let mut places = Vec::new();
        for name in names {
            text += &maker.process(name, &scope, &mut asked, &mut places);
        }
        text += &format!("system {};\n", names.join(", "));
        let count = 2 + maker.random.below(3);
        let queries = (0..count).map(|_| maker.query(&asked, &places)).collect();
        Self { text, queries }
    }
}

/// What an edge does with others.
struct Sync {
    select: Option<String>,
    text: String,
    /// Whether clocks may be compared.
    timed: bool,
}

impl Maker {
    /// A process. Adds what can be asked of it.
    fn process(&mut self, name: &str, global: &Scope, asked: &mut Scope, places: &mut Vec<String>) -> String {
        let mut scope = global.clone();
        let mut local = String::new();
        if self.random.one_in(3) {
            scope.variable("local", 0, 2);
            asked.bind(format!("{name}.local"), 0, 2);
            "    int[0,2] local = 1;\n".clone_into(&mut local);
        }
        let locations = 1 + self.random.below(3);
        let names: Vec<String> = (0..locations).map(|index| format!("L{index}")).collect();
        let states: Vec<String> = names
            .iter()
            .map(|location| match self.random.one_in(3) {
                true => format!("{location} {{ {} }}", self.invariant(&scope)),
                false => location.clone(),
            })
            .collect();
        places.extend(names.iter().map(|location| format!("{name}.{location}")));
        let mut kinds = String::new();
        for kind in ["commit", "urgent"] {
            // The first is neither, and no two lists have the same name.
            let odd = names.iter().skip(if kind == "commit" { 1 } else { 2 }).take(1);
            if let Some(location) = odd.into_iter().next()
                && self.random.one_in(4)
            {
                kinds += &format!("    {kind} {location};\n");
            }
        }
        let edges: Vec<String> = (0..1 + self.random.below(4)).map(|_| self.edge(&scope, &names)).collect();
        format!(
            "process {name}() {{\n{local}    state {};\n{kinds}    init L0;\n    trans\n        {};\n}}\n",
            states.join(", "),
            edges.join(",\n        ")
        )
    }

    fn invariant(&mut self, scope: &Scope) -> String {
        let wraps = std::mem::take(&mut self.wraps);
        let invariant = self.small_invariant(scope);
        self.wraps = wraps;
        invariant
    }

    /// An invariant without numbers that are too large for clocks.
    fn small_invariant(&mut self, scope: &Scope) -> String {
        let clock = self.one_of(&scope.clocks).clone();
        let op = *self.one_of(&["<=", "<"]);
        let bound = match self.random.below(5) {
            0 => format!("abs({})", self.leaf(scope)),
            1 => self.fit(scope, 1, 5, 1),
            _ => self.random.within(1..=4).to_string(),
        };
        let first = format!("{clock} {op} {bound}");
        match self.random.below(6) {
            0 => format!("{first} && {}", self.truth(scope, 1)),
            1 => format!("(({}) imply {first})", self.truth(scope, 1)),
            2 => format!("forall (b1 : int[0,1]) {clock} {op} {} + b1", self.random.within(1..=3)),
            _ => first,
        }
    }

    /// A comparison of a clock, or of two.
    fn clock_guard(&mut self, scope: &Scope) -> String {
        let wraps = std::mem::take(&mut self.wraps);
        let guard = self.small_clock_guard(scope);
        self.wraps = wraps;
        guard
    }

    /// A comparison without numbers that are too large for clocks.
    fn small_clock_guard(&mut self, scope: &Scope) -> String {
        let clock = self.one_of(&scope.clocks).clone();
        let op = *self.one_of(&["<", "<=", ">=", ">", "==", ">="]);
        let bound = match self.random.below(5) {
            0 => self.leaf(scope),
            1 => self.fit(scope, 0, 4, 1),
            _ => self.random.within(0..=4).to_string(),
        };
        let first = format!("{clock} {op} {bound}");
        match self.random.below(10) {
            0 => format!("{clock} - {} {op} {}", self.one_of(&scope.clocks), self.random.within(-2..=2)),
            1 => format!("(({}) imply {first})", self.truth(scope, 1)),
            _ => first,
        }
    }

    fn edge(&mut self, outer: &Scope, names: &[String]) -> String {
        let mut scope = outer.clone();
        let mut selects = Vec::new();
        for name in ["s1", "s2"] {
            if self.random.one_in(4) {
                let (min, max) = *self.one_of(&[(0, 1), (0, 2), (-1, 3), (4, 6)]);
                selects.push(format!("{name} : int[{min},{max}]"));
                scope.bind(name, min, max);
            }
        }
        let sync = if self.random.one_in(2) { Some(self.sync(&scope)) } else { None };
        if let Some(Sync { select: Some(select), .. }) = &sync {
            selects.push(format!("{select} : int[0,2]"));
            scope.bind(select, 0, 2);
        }
        let mut guard = Vec::new();
        let mut updates = Vec::new();
        if self.random.one_in(2) {
            guard.push(self.truth(&scope, 2));
        }
        if sync.as_ref().is_none_or(|sync| sync.timed) && self.random.one_in(2) {
            guard.push(self.clock_guard(&scope));
        }
        if self.random.one_in(3)
            && let Some(counted) = self.target(&Scope { arrays: Vec::new(), ..scope.clone() })
        {
            guard.push(format!("{} < {}", counted.text, counted.max));
            updates.push(format!("{}{}", counted.text, self.one_of(&["++", " += 1"])));
        }
        for _ in 0..self.random.below(3) {
            updates.push(self.update(&scope, true));
        }
        let label = |key: &str, parts: &[String], separator: &str| match parts {
            [] => String::new(),
            parts => format!("{key} {}; ", parts.join(separator)),
        };
        let sync: Vec<String> = sync.into_iter().map(|sync| sync.text).collect();
        format!(
            "{} -> {} {{ {}{}{}{}}}",
            self.one_of(names),
            self.one_of(names),
            label("select", &selects, ", "),
            label("guard", &guard, " && "),
            label("sync", &sync, ""),
            label("assign", &updates, ", "),
        )
    }

    fn sync(&mut self, scope: &Scope) -> Sync {
        let sends = self.random.one_in(2);
        let way = if sends { "!" } else { "?" };
        let mut select = None;
        let (channel, timed) = match self.random.below(8) {
            0 | 1 => ("c".to_owned(), true),
            2 | 3 if self.random.one_in(3) => {
                select = Some("ch".to_owned());
                ("d[ch]".to_owned(), true)
            }
            2 | 3 => (format!("d[{}]", self.index(scope, 3, 1)), true),
            4 => ("u".to_owned(), false),
            5 => ("b".to_owned(), sends),
            6 => (format!("e[{}]", self.index(scope, 2, 1)), sends),
            _ => ("v".to_owned(), false),
        };
        Sync { select, text: format!("{channel}{way}"), timed }
    }

    /// A question that any engine can answer.
    fn query(&mut self, scope: &Scope, places: &[String]) -> String {
        let path = *self.one_of(&["E<>", "A[]"]);
        match self.random.below(8) {
            0 => "A[] not deadlock\n".to_owned(),
            1 => format!("E<> ({}) && deadlock\n", self.formula(scope, places, 1)),
            _ => format!("{path} {}\n", self.formula(scope, places, 2)),
        }
    }

    fn formula(&mut self, scope: &Scope, places: &[String], depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => self.one_of(places).clone(),
                1 | 2 => self.truth(scope, 1),
                _ => self.clock_question(scope),
            };
        }
        let inner = depth - 1;
        match self.random.below(8) {
            0 => format!("!({})", self.formula(scope, places, inner)),
            1..=5 => {
                let op = *self.one_of(&["&&", "||", "imply", "and"]);
                let (left, right) = (self.formula(scope, places, inner), self.formula(scope, places, inner));
                format!("(({left}) {op} ({right}))")
            }
            6 => {
                let name = self.name("j");
                let mut bound = scope.clone();
                bound.bind(&name, 0, 2);
                let quantifier = *self.one_of(&["forall", "exists"]);
                format!("({quantifier} ({name} : int[0,2]) {})", self.formula(&bound, places, inner))
            }
            _ => self.formula(scope, places, 0),
        }
    }

    fn clock_question(&mut self, scope: &Scope) -> String {
        let clock = self.one_of(&scope.clocks).clone();
        let op = *self.one_of(&["<", "<=", ">=", ">", "=="]);
        let bound = match self.random.one_in(2) {
            true => self.random.within(0..=5).to_string(),
            false => self.number(scope, 1),
        };
        format!("{clock} {op} {bound}")
    }
}
