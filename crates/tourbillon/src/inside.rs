//! Compiled models as text: tables, bytecode, clock bounds.

use std::fmt::Write as _;

use tourbillon_base::Id;
use tourbillon_check::{PrepareError, clock_bounds};
use tourbillon_dbm::{Clock, ClockBounds, Constant, Constraint};
use tourbillon_model::{LocationId, LocationKind, Model};
use tourbillon_system::{
    Action, Analysis, ChannelRef, ClockGuard, CodeId, Edge, EdgeId, GlobalLocation, GlobalLocationId, System,
    compile,
};

use crate::check::CheckError;

/// The bounds L and U of each clock at each location, with the constants of the queries. Inactive clocks are omitted.
///
/// # Errors
/// If zones cannot represent the model.
pub fn bounds_text(model: &Model) -> Result<String, CheckError> {
    let analysis = clock_bounds(model)?;
    let mut text = format!("global: {}\n", bounds_line(model, &analysis.global));
    for (id, process) in model.processes.enumerate() {
        let _ = writeln!(text, "process {}", process.name);
        for (place, location) in process.locations.enumerate() {
            let _ = writeln!(
                text,
                "  {}: {}",
                location.name,
                bounds_line(model, &analysis.local.places[id][place])
            );
        }
    }
    text += &diagonals(model, &analysis);
    Ok(text)
}

fn diagonals(model: &Model, analysis: &Analysis) -> String {
    let mut text = String::new();
    let names = ClockNames::new(model);
    for diagonal in &analysis.diagonals {
        let _ = writeln!(text, "diagonal constraint {}", names.constraint(diagonal));
    }
    if !analysis.diagonals_complete {
        text += "the list of diagonal constraints is incomplete\n";
    }
    for &clock in &analysis.unbounded {
        let _ = writeln!(text, "{} has no largest constant", model.clocks[clock].name);
    }
    text
}

fn bounds_line(model: &Model, bounds: &ClockBounds) -> String {
    let limit = |limit: Option<Constant>| match limit {
        None => "-".to_owned(),
        Some(Constant::MAX) => "inf".to_owned(),
        Some(constant) => constant.to_string(),
    };
    let active =
        model.clocks.iter().enumerate().map(|(index, clock)| (Clock::from_index(index + 1), &clock.name));
    let texts: Vec<String> = active
        .filter(|(clock, _)| !bounds.is_inactive(*clock))
        .map(|(clock, name)| {
            format!("{name} L={} U={}", limit(bounds.lower(clock)), limit(bounds.upper(clock)))
        })
        .collect();
    if texts.is_empty() { "no active clock".to_owned() } else { texts.join(", ") }
}

/// The names of clocks; the reference clock is first.
struct ClockNames<'m>(Vec<&'m str>);

impl<'m> ClockNames<'m> {
    fn new(model: &'m Model) -> Self {
        Self(std::iter::once("0").chain(model.clocks.iter().map(|clock| clock.name.as_str())).collect())
    }

    fn constraint(&self, constraint: &Constraint) -> String {
        let Constraint { left, right, bound } = constraint;
        let name = |clock: &Clock| self.0[clock.index()];
        if *right == Clock::REFERENCE {
            format!("{}{bound}", name(left))
        } else if let (Clock::REFERENCE, Some(constant)) = (*left, bound.constant()) {
            format!("{}>{}{}", name(right), if bound.is_strict() { "" } else { "=" }, -constant.get())
        } else {
            format!("{}-{}{bound}", name(left), name(right))
        }
    }
}

/// A compiled model: the memory layout, then locations and edges with their code. In code, `m` is memory, `f` a local
/// cell, `x` a clock, and `a` the accumulator.
///
/// # Errors
/// If zones cannot represent the model.
pub fn system_text(model: &Model) -> Result<String, CheckError> {
    let (system, _) = compile(model, &[]).map_err(PrepareError::from)?;
    let mut view = View { model, system: &system, names: ClockNames::new(model), text: String::new() };
    view.memory();
    // Edges are grouped by process.
    let mut edges = system.edges.enumerate().peekable();
    for (id, process) in model.processes.enumerate() {
        let _ = writeln!(view.text, "process {} in m{}", process.name, id.index());
        let first = system.first_place[id] as usize;
        for (at, location) in process.locations.enumerate() {
            view.place(&location.name, &system.places[GlobalLocationId::from_index(first + at.index())]);
        }
        while let Some((number, edge)) = edges.next_if(|(_, edge)| edge.process == id) {
            view.edge(number, edge);
        }
    }
    view.vectors();
    Ok(view.text)
}

struct View<'a> {
    model: &'a Model,
    system: &'a System,
    names: ClockNames<'a>,
    text: String,
}

impl View<'_> {
    fn memory(&mut self) {
        let Self { model, system, text, .. } = self;
        let layout = &system.layout;
        let _ = writeln!(
            text,
            "{} clocks, {} slots of memory, the first {} of them the discrete state",
            system.dimension.clocks(),
            layout.len(),
            layout.fields()
        );
        let mut slots: Vec<(usize, &str, i32)> = model
            .cells
            .enumerate()
            .map(|(id, cell)| (layout.slot(id), cell.name.as_str(), cell.initial))
            .collect();
        slots.sort_unstable();
        for (slot, name, initial) in slots {
            let _ = writeln!(text, "  m{slot} = {name}, initially {initial}");
        }
    }

    fn place(&mut self, name: &str, place: &GlobalLocation) {
        let kind = match place.kind {
            LocationKind::Normal => "",
            LocationKind::Urgent => ", urgent",
            LocationKind::Committed => ", committed",
        };
        let _ = writeln!(self.text, "  location {name}{kind}");
        self.guard("while", &place.invariant);
        self.code("while", place.condition);
        for (_, rate) in &place.rates {
            self.code("rate of a clock", Some(*rate));
        }
    }

    fn edge(&mut self, number: EdgeId, edge: &Edge) {
        let process = &self.model.processes[edge.process];
        let name = |location: i32| &process.locations[LocationId::from_index(location as usize)].name;
        let (source, target) = (name(edge.source), name(edge.target));
        let _ = writeln!(self.text, "  edge {}: {source} -> {target}", number.index());
        for (local, range) in &edge.selects {
            let _ = writeln!(self.text, "    select f{local} in [{},{}]", range.min, range.max);
        }
        self.code("when", edge.guard);
        self.guard("when", &edge.clocks);
        self.action(edge.action);
        for (clock, value) in &edge.resets {
            let _ = writeln!(self.text, "    reset {} to {value}", self.names.0[clock.index()]);
        }
        self.code("do", edge.update);
    }

    fn action(&mut self, action: Action) {
        let (word, channel) = match action {
            Action::Internal => return,
            Action::Event => {
                self.text.push_str("    event\n");
                return;
            }
            Action::Send(channel) => ("send", channel),
            Action::Receive(channel) => ("receive", channel),
        };
        match channel {
            ChannelRef::Fixed(channel) => {
                let name = &self.model.channels.iter().as_slice()[channel as usize].name;
                let _ = writeln!(self.text, "    {word} {name}");
            }
            ChannelRef::Computed(code) => self.code(&format!("{word} on channel"), Some(code)),
        }
    }

    fn guard(&mut self, word: &str, guard: &ClockGuard) {
        for constraint in &guard.fixed {
            let _ = writeln!(self.text, "    {word} {}", self.names.constraint(constraint));
        }
        for test in &guard.computed {
            self.code(&format!("{word} clock constraint, if"), test.when);
            self.code(&format!("{word} clock constraint, bound"), Some(test.atom.bound));
        }
    }

    fn code(&mut self, word: &str, code: Option<CodeId>) {
        let Some(code) = code else { return };
        let _ = writeln!(self.text, "    {word}");
        for line in self.system.program.listing(code).to_string().lines() {
            let _ = writeln!(self.text, "      {line}");
        }
    }

    fn vectors(&mut self) {
        for vector in &self.system.vectors {
            let parts: Vec<String> = vector
                .parts
                .iter()
                .map(|part| {
                    format!("{}{}", self.model.processes[part.process].name, if part.weak { "?" } else { "" })
                })
                .collect();
            let _ = writeln!(self.text, "together: {}", parts.join(", "));
        }
    }
}
