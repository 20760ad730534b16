//! Networks as text, and their models by the front ends.

use std::fmt;

use tourbillon_base::{Diagnostics, SourceMap};
use tourbillon_front_uppaal::lower::{Input, QueryInput, lower_as};
use tourbillon_front_uppaal::{LoadOptions, load, load_queries};
use tourbillon_model::{Language, Model};

use super::{Edge, Formula, Location, Network, Process, Query};

/// The model of a text in TChecker's language.
///
/// # Errors
/// If it is none.
pub fn tchecker_model(text: &str) -> Result<Model, String> {
    let (model, diagnostics) = tourbillon_front_tchecker::load("network.tck", text, &mut SourceMap::new());
    sound(model, &diagnostics)
}

/// The model of a text in UPPAAL's language, with queries one to a line.
///
/// # Errors
/// If it is none, or a query is refused.
pub fn uppaal_model(text: &str, queries: &str) -> Result<Model, String> {
    let (mut document, mut diagnostics) = load("network.xta", text.as_bytes(), &LoadOptions::default());
    let (queries, problems) = load_queries(&mut document, "network.q", queries.as_bytes());
    problems.iter().for_each(|problem| diagnostics.push(problem.clone()));
    let input = |query| QueryInput {
        query,
        text: String::new(),
        comment: String::new(),
        expected: None,
        broken: false,
    };
    let queries: Vec<QueryInput<'_>> = queries.iter().map(|query| input(&query.query)).collect();
    let input = Input { name: "network", tree: &document.tree, model: &document.model, queries: &queries };
    let overflow = document.overflow.unwrap_or_default();
    sound(lower_as(&input, overflow, &mut diagnostics), &diagnostics)
}

fn sound(model: Option<Model>, diagnostics: &Diagnostics) -> Result<Model, String> {
    let model = model.filter(|_| !diagnostics.has_errors());
    model.ok_or_else(|| format!("{:?}", diagnostics.as_slice()))
}

impl Network {
    /// Its text: that of a `.xta` or of a `.tck` file.
    #[must_use]
    pub fn text(&self) -> String {
        match self.language {
            Language::Uppaal => self.uppaal(),
            Language::TChecker => self.tchecker(),
        }
    }

    /// Its queries, one to a line; there are none in TChecker's language.
    #[must_use]
    pub fn query_text(&self) -> String {
        self.queries.iter().map(|query| format!("{query}\n")).collect()
    }

    /// What it means.
    ///
    /// # Errors
    /// If its text is no model, or one of its queries is refused: what is wrong, and the text.
    pub fn model(&self) -> Result<Model, String> {
        let model = match self.language {
            Language::Uppaal => uppaal_model(&self.text(), &self.query_text()),
            Language::TChecker => tchecker_model(&self.text()),
        };
        model.map_err(|error| format!("{error}\n{self}"))
    }

    fn uppaal(&self) -> String {
        let declared = |(clock, start): (&String, &i32)| match start {
            0 => clock.clone(),
            start => format!("{clock} = {start}"),
        };
        let clocks: Vec<String> = self.clocks.iter().zip(&self.starts).map(declared).collect();
        let mut text = match clocks.as_slice() {
            [] => String::new(),
            clocks => format!("clock {};\n", clocks.join(", ")),
        };
        self.declarations.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        self.processes.iter().for_each(|process| text.push_str(&process.uppaal()));
        let mut order: Vec<&Process> = self.processes.iter().collect();
        order.sort_by_key(|process| process.priority);
        let groups = order.chunk_by(|one, other| one.priority == other.priority);
        let names = |group: &[&Process]| {
            group.iter().map(|process| process.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        text + &format!("system {};\n", groups.map(names).collect::<Vec<_>>().join(" < "))
    }

    fn tchecker(&self) -> String {
        let mut lines = vec!["system:network".to_owned()];
        lines.extend(self.clocks.iter().map(|clock| format!("clock:1:{clock}")));
        lines.extend(self.declarations.iter().cloned());
        self.processes.iter().for_each(|process| process.tchecker(&mut lines));
        lines.extend(self.vectors.iter().map(|fields| format!("sync:{}", fields.join(":"))));
        lines.join("\n") + "\n"
    }
}

impl Process {
    fn uppaal(&self) -> String {
        let of_kind = |kind| {
            let names = self.locations.iter().filter(move |location| location.kind == Some(kind));
            let names: Vec<&str> = names.map(|location| location.name.as_str()).collect();
            if names.is_empty() { String::new() } else { format!("    {kind} {};\n", names.join(", ")) }
        };
        let states: Vec<String> = self.locations.iter().map(Location::uppaal).collect();
        let edges: Vec<String> = self.edges.iter().map(Edge::uppaal).collect();
        let trans = match edges.as_slice() {
            [] => String::new(),
            edges => format!("    trans\n        {};\n", edges.join(",\n        ")),
        };
        let initial = self.locations.first().map_or("", |location| &location.name);
        format!(
            "process {}() {{\n    state {};\n{}{}    init {initial};\n{trans}}}\n",
            self.name,
            states.join(", "),
            of_kind("commit"),
            of_kind("urgent"),
        )
    }

    fn tchecker(&self, lines: &mut Vec<String>) {
        lines.push(format!("process:{}", self.name));
        for (index, location) in self.locations.iter().enumerate() {
            let mut attributes = vec![format!("labels: {}_{}", self.name, location.name)];
            attributes.extend((index == 0).then(|| "initial:".to_owned()));
            attributes.extend(location.kind.map(|kind| match kind {
                "commit" => "committed:".to_owned(),
                kind => format!("{kind}:"),
            }));
            attributes.extend(joined("invariant", &location.invariant, " && "));
            lines.push(format!("location:{}:{}{{{}}}", self.name, location.name, attributes.join(" : ")));
        }
        for Edge { source, target, guard, sync, updates, .. } in &self.edges {
            let event = sync.as_deref().unwrap_or_default();
            let attributes =
                [joined("provided", guard, " && "), joined("do", updates, "; ")].into_iter().flatten();
            let attributes = attributes.collect::<Vec<_>>().join(" : ");
            lines.push(format!("edge:{}:{source}:{target}:{event}{{{attributes}}}", self.name));
        }
    }
}

/// An attribute with these parts, if there are any.
fn joined(key: &str, parts: &[String], separator: &str) -> Option<String> {
    (!parts.is_empty()).then(|| format!("{key}: {}", parts.join(separator)))
}

impl Location {
    fn uppaal(&self) -> String {
        match self.invariant.as_slice() {
            [] => self.name.clone(),
            parts => format!("{} {{ {} }}", self.name, parts.join(" && ")),
        }
    }
}

impl Edge {
    fn uppaal(&self) -> String {
        let label = |key: &str, parts: &[String], separator: &str| match parts {
            [] => String::new(),
            parts => format!("{key} {}; ", parts.join(separator)),
        };
        format!(
            "{} -> {} {{ {}{}{}{}}}",
            self.source,
            self.target,
            label("select", &self.selects, ", "),
            label("guard", &self.guard, " && "),
            label("sync", self.sync.as_slice(), ""),
            label("assign", &self.updates, ", "),
        )
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}\n{}{}", self.seed, self.text(), self.query_text())
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Possibly(formula) => write!(f, "E<> {formula}"),
            Self::Invariantly(formula) => write!(f, "A[] {formula}"),
            Self::PotentiallyAlways(formula) => write!(f, "E[] {formula}"),
            Self::Eventually(formula) => write!(f, "A<> {formula}"),
            Self::LeadsTo(from, to) => write!(f, "{from} --> {to}"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(text) => f.write_str(text),
            Self::Not(part) => write!(f, "!({part})"),
            Self::And(left, right) => write!(f, "({left}) && ({right})"),
            Self::Or(left, right) => write!(f, "({left}) || ({right})"),
        }
    }
}
