//! The network of a certificate in Muntac's terms: processes, locations, variables and clocks that Muntac's file has.
//!
//! What Muntac demands beyond its language is provided here. Each variable and clock that it is told of must occur on an edge, and
//! each location; initial locations must have edges that leave them. It computes ceilings of clocks for each location and refuses
//! the model where these are not consistent, though no certificate needs them. So each location has a loop that is never taken, over a
//! channel that nobody sends on, with the largest constant of each clock. All variables begin with 0: a variable is what it is in the model less its
//! initial value.
//!
//! In a binary synchronisation, Muntac evaluates the updates of the receiver `c?` first. So whoever is first in the model gets the `?`.

use std::collections::{BTreeMap, BTreeSet};

use tourbillon_base::{Diagnostic, Diagnostics, Id, IdVec};
use tourbillon_model::{
    CellId, CellKind, ChannelId, ChannelKind, ClockId, Compare, EventId, LocationId, Model, Process,
    ProcessId,
};

use super::edges::{ClockTest, Partner, PlainEdge, Term, clock_test, combinations, plain_edges};
use super::names::Names;
use super::reads::{Resets, Scope, fixed_offset, fixed_value, initial_cells, value};
use super::refused;

/// How many edges a network may become.
const EDGES_MAX: usize = 200_000;

/// How an edge is labelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    Silent,
    /// `c?`, by the number of the channel.
    In(usize),
    /// `c!`
    Out(usize),
}

impl Label {
    fn channel(self) -> Option<usize> {
        match self {
            Self::Silent => None,
            Self::In(channel) | Self::Out(channel) => Some(channel),
        }
    }
}

pub(super) struct Channel {
    pub(super) name: String,
    pub(super) is_broadcast: bool,
}

pub(super) struct Automaton {
    pub(super) name: String,
    /// The names of its locations.
    pub(super) locations: Vec<String>,
    pub(super) invariants: IdVec<LocationId, Vec<ClockTest>>,
    pub(super) edges: Vec<(PlainEdge, Label)>,
}

pub(super) struct Network<'m> {
    pub(super) model: &'m Model,
    pub(super) automata: Vec<Automaton>,
    pub(super) channels: Vec<Channel>,
    /// The variables and clocks that Muntac knows, in order, and their names.
    pub(super) cells: Vec<(CellId, String)>,
    pub(super) clocks: Vec<(ClockId, String)>,
}

impl<'m> Network<'m> {
    pub(super) fn new(model: &'m Model) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::default();
        refuse_whole(model, &mut diagnostics);
        let mut channels = Channels::new(model, &mut diagnostics);
        let mut automata = Vec::new();
        for process in model.processes.ids() {
            match channels.automaton(process) {
                Ok(automaton) => automata.push(automaton),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        if !diagnostics.has_errors() {
            refuse_dependent(&automata, &channels.list, model, &mut diagnostics);
        }
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let edges = || automata.iter().flat_map(|automaton| &automaton.edges).map(|(edge, _)| edge);
        let cells: BTreeSet<CellId> = edges().flat_map(cells_of).collect();
        let on_edges =
            edges().flat_map(|edge| edge.clocks.iter().map(|it| it.clock).chain(edge.resets.iter().copied()));
        let in_invariants =
            automata.iter().flat_map(|it| it.invariants.iter().flatten()).map(|test| test.clock);
        let clocks: BTreeSet<ClockId> = on_edges.chain(in_invariants).collect();
        let mut names = Names::default();
        let cells = cells.into_iter().map(|id| (id, names.unique(&model.cells[id].name))).collect();
        let clocks = clocks.into_iter().map(|id| (id, names.unique(&model.clocks[id].name))).collect();
        Ok(Self { model, automata, channels: channels.list, cells, clocks })
    }
}

/// The cells that Muntac sees on an edge.
fn cells_of(edge: &PlainEdge) -> BTreeSet<CellId> {
    fn of_term(term: &Term, cells: &mut BTreeSet<CellId>) {
        match term {
            Term::Constant(_) => {}
            Term::Cell(cell) => {
                cells.insert(*cell);
            }
            Term::Binary(_, left, right) => [left, right].into_iter().for_each(|term| of_term(term, cells)),
        }
    }
    let mut cells: BTreeSet<CellId> = edge.tests.iter().map(|test| test.cell).collect();
    for (cell, term) in &edge.updates {
        cells.insert(*cell);
        of_term(term, &mut cells);
    }
    cells
}

/// What no part of a model may have.
fn refuse_whole(model: &Model, diagnostics: &mut Diagnostics) {
    let mut refuse = |span, what: &str| {
        if let Err(diagnostic) = refused::<()>(span, what) {
            diagnostics.push(diagnostic);
        }
    };
    for channel in &model.channels {
        if channel.urgent {
            refuse(channel.span, "an urgent channel");
        }
        if channel.priority != model.internal_priority {
            refuse(channel.span, "a priority of channels");
        }
    }
    let priority = model.processes.iter().next().map(|process| process.priority);
    for process in &model.processes {
        if Some(process.priority) != priority {
            refuse(process.span, "a priority of processes");
        }
        for location in process.locations.iter().filter(|location| !location.rates.is_empty()) {
            refuse(location.span, "a clock that is stopped");
        }
    }
    for clock in model.clocks.iter().filter(|clock| clock.initial != 0) {
        refuse(clock.span, "a clock that does not begin with 0");
    }
    let exprs = model.before_update.iter().chain(&model.after_update);
    if let Some(&expr) = exprs.clone().next() {
        refuse(model.exprs[expr].span, "an update before or after each step");
    }
    let is_meta =
        |first: &Result<CellId, ClockId>| first.is_ok_and(|cell| model.cells[cell].kind == CellKind::Meta);
    for variable in
        model.variables.iter().filter(|variable| variable.ty.size() > 0 && is_meta(&variable.first))
    {
        refuse(variable.span, "a meta variable");
    }
}

/// Refuses updates that were computed from values which an earlier participant of the same step may change.
fn refuse_dependent(
    automata: &[Automaton],
    channels: &[Channel],
    model: &Model,
    diagnostics: &mut Diagnostics,
) {
    let mut written: BTreeMap<(usize, CellId), BTreeSet<usize>> = BTreeMap::new();
    for (process, automaton) in automata.iter().enumerate() {
        for (edge, label) in &automaton.edges {
            for (channel, &cell) in edge.updates.keys().filter_map(|cell| Some((label.channel()?, cell))) {
                written.entry((channel, cell)).or_default().insert(process);
            }
        }
    }
    for (process, automaton) in automata.iter().enumerate() {
        for (edge, label) in &automaton.edges {
            let Some(channel) = label.channel() else { continue };
            let first = if channels[channel].is_broadcast { Label::Out(channel) } else { Label::In(channel) };
            let is_changed = |cell: &&CellId| {
                written.get(&(channel, **cell)).is_some_and(|by| by.iter().any(|&other| other != process))
            };
            if let Some(cell) = edge.assumed.iter().find(is_changed).filter(|_| *label != first) {
                let name = &model.cells[*cell].name;
                let what = format!(
                    "an update that computes with `{name}`, which an earlier participant of the step writes,"
                );
                if let Err(diagnostic) = refused::<()>(edge.span, what) {
                    diagnostics.push(diagnostic);
                }
                break;
            }
        }
    }
}

/// The channels of the network: those of the model, and one for each synchronisation vector.
struct Channels<'m> {
    model: &'m Model,
    list: Vec<Channel>,
    names: Names,
    /// How the edges of a process with an event are labelled.
    events: BTreeMap<(ProcessId, EventId), Vec<Label>>,
    edges: usize,
    /// The one that nobody sends on.
    never: Option<usize>,
}

impl<'m> Channels<'m> {
    fn new(model: &'m Model, diagnostics: &mut Diagnostics) -> Self {
        let mut channels = Self {
            model,
            list: Vec::new(),
            names: Names::default(),
            events: BTreeMap::new(),
            edges: 0,
            never: None,
        };
        for channel in &model.channels {
            channels.add(&channel.name, channel.kind == ChannelKind::Broadcast);
        }
        for vector in &model.vectors {
            if let Err(diagnostic) = channels.vector(vector) {
                diagnostics.push(diagnostic);
            }
        }
        channels
    }

    fn add(&mut self, name: &str, is_broadcast: bool) -> usize {
        let name = self.names.unique(name);
        self.list.push(Channel { name, is_broadcast });
        self.list.len() - 1
    }

    fn vector(&mut self, vector: &tourbillon_model::SyncVector) -> Result<(), Diagnostic> {
        let Some((first, others)) = vector.participants.split_first() else { return Ok(()) };
        let weak = others.iter().filter(|other| other.weak).count();
        let is_ordered = others.is_sorted_by_key(|other| other.process);
        if first.weak || (weak < others.len() && others.len() > 1) || !is_ordered {
            let what =
                "a synchronisation of other than two processes, or of one and weak ones in their order,";
            return refused(vector.span, what);
        }
        let mut label = |process, event, label| self.events.entry((process, event)).or_default().push(label);
        if others.is_empty() {
            label(first.process, first.event, Label::Silent);
            return Ok(());
        }
        let channel = self.list.len();
        let mut labels = [Label::In(channel), Label::Out(channel)];
        if weak > 0 {
            labels.reverse();
        }
        label(first.process, first.event, labels[0]);
        others.iter().for_each(|it| label(it.process, it.event, labels[1]));
        let name = self.model.events[first.event].name.clone();
        self.add(&name, weak > 0);
        Ok(())
    }

    fn labels(&self, process: ProcessId, partner: Partner) -> Vec<Label> {
        let is_broadcast = |channel: ChannelId| self.list[channel.index()].is_broadcast;
        match partner {
            Partner::Alone => vec![Label::Silent],
            Partner::Event(event) => {
                self.events.get(&(process, event)).cloned().unwrap_or_else(|| vec![Label::Silent])
            }
            Partner::Send(channel) if is_broadcast(channel) => vec![Label::Out(channel.index())],
            Partner::Receive(channel) if !is_broadcast(channel) => vec![Label::Out(channel.index())],
            Partner::Send(channel) | Partner::Receive(channel) => vec![Label::In(channel.index())],
        }
    }

    fn automaton(&mut self, id: ProcessId) -> Result<Automaton, Diagnostic> {
        let process = &self.model.processes[id];
        let mut edges = Vec::new();
        for edge in &process.edges {
            for plain in plain_edges(self.model, edge)? {
                for label in self.labels(id, plain.partner) {
                    let is_receiver = matches!(label, Label::In(channel) if self.list[channel].is_broadcast);
                    if is_receiver && !plain.clocks.is_empty() {
                        return refused(edge.span, "a receiver of a broadcast with a comparison of clocks");
                    }
                    edges.push((plain.clone(), label));
                }
            }
        }
        self.edges += edges.len();
        if self.edges > EDGES_MAX {
            return refused(
                process.span,
                format!("a network of more than {EDGES_MAX} edges without selections"),
            );
        }
        let mut names = Names::default();
        let (mut locations, mut invariants) = (Vec::new(), IdVec::new());
        for location in &process.locations {
            locations.push(names.unique(&location.name));
            invariants.push(self.invariant(location)?);
        }
        let loops = self.loops(process, &edges, &invariants);
        edges.extend(loops);
        Ok(Automaton { name: process.name.clone(), locations, invariants, edges })
    }

    /// A loop at each location that is never taken, where all clocks are compared with their largest constants.
    fn loops(
        &mut self,
        process: &Process,
        edges: &[(PlainEdge, Label)],
        invariants: &IdVec<LocationId, Vec<ClockTest>>,
    ) -> Vec<(PlainEdge, Label)> {
        let mut ceilings: BTreeMap<ClockId, i32> = BTreeMap::new();
        for test in edges.iter().flat_map(|(edge, _)| &edge.clocks).chain(invariants.iter().flatten()) {
            let ceiling = ceilings.entry(test.clock).or_default();
            *ceiling = test.value.max(*ceiling);
        }
        let ceiling = |(&clock, &value)| ClockTest { clock, compare: Compare::LessOrEqual, value };
        let clocks: Vec<ClockTest> = ceilings.iter().map(ceiling).collect();
        let label = Label::In(self.never());
        let at = |location| PlainEdge {
            source: location,
            target: location,
            tests: Vec::new(),
            clocks: clocks.clone(),
            partner: Partner::Alone,
            updates: BTreeMap::new(),
            resets: BTreeSet::new(),
            assumed: BTreeSet::new(),
            span: process.span,
        };
        process.locations.ids().map(|location| (at(location), label)).collect()
    }

    /// The channel that nobody sends on.
    fn never(&mut self) -> usize {
        if let Some(never) = self.never {
            return never;
        }
        let never = self.add("never", false);
        self.never = Some(never);
        never
    }

    fn invariant(&self, location: &tourbillon_model::Location) -> Result<Vec<ClockTest>, Diagnostic> {
        let (model, scope) = (self.model, Scope::new(location.frame));
        let mut tests = Vec::new();
        for &condition in &location.invariant.conditions {
            let holds = |known: BTreeMap<CellId, i32>| {
                let mut cells = initial_cells(model);
                known.iter().for_each(|(cell, &value)| cells[cell.index()] = value);
                value(model, condition, &mut cells, &scope, &mut Resets::default())
                    .is_ok_and(|holds| holds != 0)
            };
            let mut all =
                combinations(model, &[condition], &scope, &BTreeMap::new(), location.span)?.into_iter();
            if !all.all(holds) {
                return refused(location.span, "a condition on data in an invariant");
            }
        }
        for condition in &location.invariant.clocks {
            let atom = &condition.atom;
            if let Some(when) = condition.when {
                match fixed_value(model, when, &scope) {
                    Some(0) => continue,
                    Some(_) => {}
                    None => return refused(location.span, "an invariant under a condition"),
                }
            }
            let clock = match (atom.left.root, fixed_offset(model, &atom.left.indices, &scope)) {
                (tourbillon_model::Root::Global(first), Some(offset)) if atom.right.is_none() => {
                    ClockId::from_index(first.index() + atom.left.offset as usize + offset)
                }
                _ => {
                    return refused(
                        location.span,
                        "an invariant that is no comparison of a clock with a constant",
                    );
                }
            };
            let is_constant = super::reads::reads(model, &[atom.bound], &scope).is_empty();
            let bound = value(model, atom.bound, &mut initial_cells(model), &scope, &mut Resets::default());
            let (true, Ok(bound)) = (is_constant, bound) else {
                return refused(
                    location.span,
                    "an invariant that is no comparison of a clock with a constant",
                );
            };
            if !clock_test(clock, atom.compare, bound, &mut tests) {
                return refused(location.span, "an invariant that is always false");
            }
        }
        Ok(tests)
    }
}
