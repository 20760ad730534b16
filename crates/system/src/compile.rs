//! The compiler: from a model to tables.
//!
//! One pass over processes, locations and edges. It decides what does not depend on a state: which comparisons and
//! resets are fixed, which channel an edge uses, which edges each participant of a vector has at each location. An
//! event of a process that is in no vector is an internal action.

use std::collections::HashSet;
use std::fmt;

use tourbillon_base::mutants::{self, Mutant};
use tourbillon_base::{Id, IdVec, Span};
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dimension};
use tourbillon_model::{
    self as model, ChannelKind, ClockAtom, ClockId, ClockPlace, Compare, EventId, ExprId, ExprKind, Guard,
    LocationKind, Measure, Model, ProcessId,
};

use crate::predicate::{self, Gauge, Predicate, StateFormula};
use crate::program::{CodeId, Layout, ProgramBuilder, Unsupported};
use crate::tables::{
    Action, Atom, Channel, ChannelRef, ClockGuard, ClockRef, ComputedTest, Edge, EdgeId, GlobalLocation,
    GlobalLocationId, LocationSummary, Part, System, Vector,
};

/// Why a model cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    pub span: Span,
    pub message: String,
}

impl CompileError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

impl From<Unsupported> for CompileError {
    fn from(unsupported: Unsupported) -> Self {
        Self::new(unsupported.span, unsupported.what)
    }
}

type CompileResult<T> = Result<T, CompileError>;

/// Clocks that are set to constants, in order.
type Resets = Box<[(Clock, Constant)]>;

/// Compiles a model, and predicates on its states.
///
/// # Errors
/// If the model has more clocks than a zone can, a constant that no bound can hold, compares clocks where that
/// cannot be decided, or lets clocks decide whether an urgent synchronisation is possible.
pub fn compile(model: &Model, predicates: &[StateFormula]) -> CompileResult<(System, Vec<Predicate>)> {
    compile_measuring(model, predicates, &[]).map(|(system, predicates, _)| (system, predicates))
}

/// As [`compile`], with expressions to be measured.
///
/// # Errors
/// As [`compile`].
pub fn compile_measuring(
    model: &Model,
    predicates: &[StateFormula],
    measures: &[Measure],
) -> CompileResult<(System, Vec<Predicate>, Vec<Gauge>)> {
    let dimension = Dimension::of_clocks(model.clocks.len()).map_err(|error| {
        let first_too_many = ClockId::from_index(Dimension::CLOCKS_MAX);
        CompileError::new(model.clocks[first_too_many].span, error.to_string())
    })?;
    let layout = Layout::new(model);
    let mut compiler =
        Compiler { model, code: ProgramBuilder::new(model, &layout), synchronised: synchronised(model) };
    let mut tables = SystemBuilder::default();
    for (id, process) in model.processes.enumerate() {
        tables.process(&mut compiler, id, process)?;
    }
    let vectors = tables.vectors(model);
    let vector_masks = tables.vector_masks(&vectors);
    let before_update = compiler.sequence(&model.before_update)?;
    let after_update = compiler.sequence(&model.after_update)?;
    let compiled = predicates
        .iter()
        .map(|&asked| predicate::compile(&mut compiler, asked))
        .collect::<CompileResult<Vec<_>>>()?;
    let gauges = measures.iter().map(|measure| compiler.gauge(measure)).collect::<CompileResult<Vec<_>>>()?;
    let system = System {
        program: compiler.code.finish(),
        initial: layout.initial_memory(model),
        initial_clocks: initial_clocks(model)?,
        ranges: layout.ranges(model),
        layout,
        dimension,
        has_priorities: crate::bounds::has_priorities(model),
        internal_priority: model.internal_priority,
        process_priority: model.processes.iter().map(|process| process.priority).collect(),
        has_stopwatches: tables.places.iter().any(|place| !place.rates.is_empty()),
        has_timed_receivers: tables.has_timed_receivers(model),
        negative_clock: model.language.negative_clock(),
        first_place: tables.first_place,
        places: tables.places,
        faces: tables.faces,
        invariants: tables.invariants,
        edges: tables.edges,
        channels: model.channels.iter().map(channel).collect(),
        vectors,
        vector_masks,
        before_update,
        after_update,
        update_frame: model.update_frame,
    };
    Ok((system, compiled, gauges))
}

fn initial_clocks(model: &Model) -> CompileResult<Vec<(Clock, Constant)>> {
    let later = model.clocks.enumerate().filter(|(_, clock)| clock.initial != 0);
    later
        .map(|(id, clock)| Ok((Clock::from_index(id.index() + 1), constant(clock.initial, clock.span)?)))
        .collect()
}

fn channel(channel: &model::Channel) -> Channel {
    Channel {
        broadcast: channel.kind == ChannelKind::Broadcast,
        urgent: channel.urgent,
        priority: channel.priority,
    }
}

pub(crate) struct Compiler<'m> {
    pub(crate) model: &'m Model,
    code: ProgramBuilder<'m>,
    /// The events of processes that occur in some vector.
    synchronised: HashSet<(ProcessId, EventId)>,
}

impl Compiler<'_> {
    pub(crate) fn value(&mut self, expr: ExprId) -> CompileResult<CodeId> {
        Ok(self.code.value(expr)?)
    }

    fn sequence(&mut self, exprs: &[ExprId]) -> CompileResult<Option<CodeId>> {
        Ok(if exprs.is_empty() { None } else { Some(self.code.sequence(exprs)?) })
    }

    fn conjunction(&mut self, exprs: &[ExprId]) -> CompileResult<Option<CodeId>> {
        Ok(if exprs.is_empty() { None } else { Some(self.code.conjunction(exprs)?) })
    }

    /// The kind of an action of a process.
    fn kind(&self, process: ProcessId, action: &model::Action) -> ActionKind {
        match action {
            model::Action::Internal => ActionKind::Internal,
            model::Action::Send(_) => ActionKind::Send,
            model::Action::Receive(_) => ActionKind::Receive,
            model::Action::Event(event) if self.synchronised.contains(&(process, *event)) => {
                ActionKind::Event
            }
            model::Action::Event(_) => ActionKind::Internal,
        }
    }

    fn clock(&mut self, place: &ClockPlace) -> CompileResult<ClockRef> {
        Ok(match fixed_clock(place) {
            Some(clock) => ClockRef::Fixed(clock),
            None => ClockRef::Computed(self.code.clock(place)?),
        })
    }

    fn gauge(&mut self, measure: &Measure) -> CompileResult<Gauge> {
        Ok(match measure {
            Measure::Data(expr) => Gauge { clock: None, data: Some(self.value(*expr)?) },
            Measure::Clock(place, offset) => Gauge {
                clock: Some(self.clock(place)?),
                data: offset.map(|offset| self.value(offset)).transpose()?,
            },
        })
    }

    pub(crate) fn atom(&mut self, atom: &ClockAtom) -> CompileResult<Atom> {
        let left = self.clock(&atom.left)?;
        let right = atom.right.as_ref().map(|right| self.clock(right)).transpose()?;
        let right = right.unwrap_or(ClockRef::Fixed(Clock::REFERENCE));
        let span = self.model.exprs[atom.bound].span;
        Ok(Atom { left, right, compare: atom.compare, bound: self.value(atom.bound)?, span })
    }

    fn guard(&mut self, guard: &Guard) -> CompileResult<ClockGuard> {
        let (mut fixed, mut computed) = (Vec::new(), Vec::new());
        for condition in &guard.clocks {
            let atom = &condition.atom;
            let right = atom.right.as_ref().map_or(Some(Clock::REFERENCE), fixed_clock);
            let known = (condition.when, fixed_clock(&atom.left), right, self.code.constant(atom.bound));
            if let (None, Some(left), Some(right), Some(bound)) = known {
                let bound = constant(bound, self.model.exprs[atom.bound].span)?;
                fixed.extend(constraints(left, right, atom.compare, bound));
            } else {
                let when = condition.when.map(|when| self.value(when)).transpose()?;
                computed.push(ComputedTest { when, atom: self.atom(atom)? });
            }
        }
        Ok(ClockGuard { fixed: fixed.into(), computed: computed.into() })
    }

    /// Resets to constants, separated from the updates if these do nothing else to clocks, and the rest.
    fn updates(&mut self, updates: &[ExprId]) -> CompileResult<(Resets, Option<CodeId>)> {
        let resets: Vec<Option<(Clock, Constant)>> =
            updates.iter().map(|&update| self.reset(update)).collect();
        let rest: Vec<ExprId> = updates
            .iter()
            .zip(&resets)
            .filter(|(_, reset)| reset.is_none())
            .map(|(&update, _)| update)
            .collect();
        if rest.iter().any(|&update| self.may_set_clocks(update)) {
            return Ok((Box::default(), self.sequence(updates)?));
        }
        Ok((resets.into_iter().flatten().collect(), self.sequence(&rest)?))
    }

    fn reset(&self, update: ExprId) -> Option<(Clock, Constant)> {
        match &self.model.exprs[update].kind {
            ExprKind::SetClock { target, source: None, value } => {
                let value = self.code.constant(*value).filter(|&value| value >= 0)?;
                Some((fixed_clock(target)?, Constant::new(value.into()).ok()?))
            }
            ExprKind::Sequence(parts) if parts.len() == 1 => self.reset(parts[0]),
            _ => None,
        }
    }

    /// Whether an update may set a clock; calls count as setting one.
    fn may_set_clocks(&self, update: ExprId) -> bool {
        let kind = &self.model.exprs[update].kind;
        let mut found =
            matches!(kind, ExprKind::SetClock { .. } | ExprKind::Call { .. } | ExprKind::CallInto { .. });
        kind.for_each_operand(&mut |operand| found |= self.may_set_clocks(operand));
        found
    }
}

fn fixed_clock(place: &ClockPlace) -> Option<Clock> {
    match place.root {
        model::Root::Global(clock) if place.indices.is_empty() => {
            Some(Clock::from_index(clock.index() + place.offset as usize + 1))
        }
        _ => None,
    }
}

fn constant(value: i32, span: Span) -> CompileResult<Constant> {
    Constant::new(value.into()).map_err(|error| CompileError::new(span, error.to_string()))
}

/// `left - right` compared with a constant, as one or two constraints.
pub fn constraints(
    left: Clock,
    right: Clock,
    compare: Compare,
    bound: Constant,
) -> impl Iterator<Item = Constraint> {
    let compare = match compare {
        Compare::LessOrEqual if mutants::is(Mutant::WeakBoundStrict) => Compare::Less,
        Compare::GreaterOrEqual if mutants::is(Mutant::WeakLowerBoundStrict) => Compare::Greater,
        compare => compare,
    };
    let upper = |bound| Constraint::new(left, right, bound);
    let lower = |bound| Constraint::new(right, left, bound);
    let pair = match compare {
        Compare::Less => (Some(upper(Bound::strict(bound))), None),
        Compare::LessOrEqual => (Some(upper(Bound::weak(bound))), None),
        Compare::GreaterOrEqual => (None, Some(lower(Bound::weak(bound.negated())))),
        Compare::Greater => (None, Some(lower(Bound::strict(bound.negated())))),
        Compare::Equal => (Some(upper(Bound::weak(bound))), Some(lower(Bound::weak(bound.negated())))),
    };
    pair.0.into_iter().chain(pair.1)
}

/// The tables under construction.
#[derive(Default)]
struct SystemBuilder {
    first_place: IdVec<ProcessId, u32>,
    places: IdVec<GlobalLocationId, GlobalLocation>,
    faces: Vec<LocationSummary>,
    invariants: Vec<Constraint>,
    edges: IdVec<EdgeId, Edge>,
}

/// The kinds of actions, in the order of the edges of a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ActionKind {
    Internal,
    Send,
    Receive,
    Event,
}

impl SystemBuilder {
    fn process(
        &mut self,
        compiler: &mut Compiler<'_>,
        id: ProcessId,
        process: &model::Process,
    ) -> CompileResult<()> {
        self.first_place.push(self.places.len() as u32);
        let mut leaving: IdVec<model::LocationId, Vec<(ActionKind, usize)>> =
            process.locations.iter().map(|_| Vec::new()).collect();
        for (index, edge) in process.edges.iter().enumerate() {
            leaving[edge.source].push((compiler.kind(id, &edge.action), index));
        }
        for (location, described) in process.locations.enumerate() {
            let mut own = std::mem::take(&mut leaving[location]);
            own.sort_unstable();
            let first = self.edges.len() as u32;
            let range = |kind| {
                let before = own.partition_point(|(other, _)| *other < kind) as u32;
                let until = own.partition_point(|(other, _)| *other <= kind) as u32;
                first + before..first + until
            };
            let invariant = compiler.guard(&described.invariant)?;
            let (uppers, others): (Vec<Constraint>, Vec<Constraint>) =
                invariant.fixed.iter().partition(|constraint| constraint.right == Clock::REFERENCE);
            let start = self.invariants.len() as u32;
            let end = start + uppers.len() as u32;
            self.invariants.extend(uppers.iter().chain(&others));
            let ends = |run: std::ops::Range<u32>| (run.start, run.end);
            let when = |present: bool, bit: u32| if present { bit } else { 0 };
            self.faces.push(LocationSummary {
                traits: when(described.kind != LocationKind::Normal, LocationSummary::NO_DELAY)
                    | when(described.kind == LocationKind::Committed, LocationSummary::COMMITTED)
                    | when(!described.invariant.conditions.is_empty(), LocationSummary::CONDITION)
                    | when(!invariant.computed.is_empty(), LocationSummary::COMPUTED)
                    | when(!described.rates.is_empty(), LocationSummary::RATES),
                uppers: (start, end),
                others: self.invariants.len() as u32,
                internal: ends(range(ActionKind::Internal)),
                sends: ends(range(ActionKind::Send)),
                receives: ends(range(ActionKind::Receive)),
            });
            self.places.push(GlobalLocation {
                kind: described.kind,
                invariant,
                condition: compiler.conjunction(&described.invariant.conditions)?,
                rates: described
                    .rates
                    .iter()
                    .map(|rate| Ok((compiler.clock(&rate.clock)?, compiler.value(rate.rate)?)))
                    .collect::<CompileResult<_>>()?,
                frame: described.frame,
                events: range(ActionKind::Event),
            });
            for &(_, index) in &own {
                let committed = described.kind == LocationKind::Committed;
                let edge = edge(compiler, id, index, &process.edges[index], committed)?;
                self.edges.push(edge);
            }
        }
        Ok(())
    }

    fn vectors(&self, model: &Model) -> Vec<Vector> {
        let part = |participant: &model::Participant| {
            let process = participant.process;
            let takes = |id: &EdgeId| {
                let action = &model.processes[process].edges[self.edges[*id].index as usize].action;
                *action == model::Action::Event(participant.event)
            };
            let mut edges = Vec::new();
            let places = self.places.iter().skip(self.first_place[process] as usize);
            let ranges = places
                .take(model.processes[process].locations.len())
                .map(|place| {
                    let start = edges.len() as u32;
                    edges.extend(
                        place.events.clone().map(|index| EdgeId::from_index(index as usize)).filter(takes),
                    );
                    start..edges.len() as u32
                })
                .collect();
            Part { process, weak: participant.weak, ranges, edges: edges.into() }
        };
        let vector =
            |vector: &model::SyncVector| Vector { parts: vector.participants.iter().map(part).collect() };
        model.vectors.iter().map(vector).collect()
    }

    /// A process blocks a vector where it must take part and has no edge to do so.
    fn vector_masks(&self, vectors: &[Vector]) -> Vec<u64> {
        let words = vectors.len().div_ceil(64);
        let mut masks = vec![!0; self.places.len() * words];
        for (number, vector) in vectors.iter().enumerate() {
            for part in vector.parts.iter().filter(|part| !part.weak) {
                let first = self.first_place[part.process] as usize;
                for (place, range) in (first..).zip(&part.ranges) {
                    if range.is_empty() {
                        masks[place * words + number / 64] &= !(1 << (number % 64));
                    }
                }
            }
        }
        masks
    }

    fn has_timed_receivers(&self, model: &Model) -> bool {
        self.edges.iter().any(|edge| {
            let broadcast = match edge.action {
                Action::Receive(ChannelRef::Fixed(channel)) => {
                    model.channels[model::ChannelId::from_index(channel as usize)].kind
                        == ChannelKind::Broadcast
                }
                Action::Receive(ChannelRef::Computed(_)) => true,
                _ => false,
            };
            broadcast && !edge.clocks.is_true()
        })
    }
}

fn edge(
    compiler: &mut Compiler<'_>,
    process: ProcessId,
    index: usize,
    edge: &model::Edge,
    committed: bool,
) -> CompileResult<Edge> {
    let (resets, update) = compiler.updates(&edge.updates)?;
    let clocks = compiler.guard(&edge.guard)?;
    if !clocks.is_true() && decides_urgency(compiler.model, &edge.action) {
        let message = "clocks are compared in the guard of an urgent synchronisation, so that urgency \
                       depends on them: this is not supported";
        return Err(CompileError::new(edge.span, message));
    }
    let action = match &edge.action {
        model::Action::Event(_) if compiler.kind(process, &edge.action) == ActionKind::Event => Action::Event,
        model::Action::Internal | model::Action::Event(_) => Action::Internal,
        model::Action::Send(channel) => Action::Send(channel_ref(compiler, channel)?),
        model::Action::Receive(channel) => Action::Receive(channel_ref(compiler, channel)?),
    };
    Ok(Edge {
        process,
        index: index as u32,
        source: edge.source.index() as i32,
        target: edge.target.index() as i32,
        committed,
        selects: edge.selects.iter().map(|select| (select.local, select.range)).collect(),
        guard: compiler.conjunction(&edge.guard.conditions)?,
        clocks,
        action,
        resets,
        update,
        frame: edge.frame,
        span: edge.span,
    })
}

/// Whether an enabled edge can forbid delays: any edge on an urgent channel, except a receiver of a broadcast, since
/// the sender needs no receiver. The channels of an array are all urgent or none.
fn decides_urgency(model: &Model, action: &model::Action) -> bool {
    match action {
        model::Action::Send(place) => model.channels[place.first].urgent,
        model::Action::Receive(place) => {
            let channel = &model.channels[place.first];
            channel.urgent && channel.kind != ChannelKind::Broadcast
        }
        model::Action::Internal | model::Action::Event(_) => false,
    }
}

fn channel_ref(compiler: &mut Compiler<'_>, place: &model::ChannelPlace) -> CompileResult<ChannelRef> {
    if place.indices.is_empty() {
        return Ok(ChannelRef::Fixed(place.first.index() as u32));
    }
    Ok(ChannelRef::Computed(compiler.code.channel(place)?))
}

/// The events of processes that occur in some vector.
fn synchronised(model: &Model) -> HashSet<(ProcessId, EventId)> {
    let parts = model.vectors.iter().flat_map(|vector| &vector.participants);
    parts.map(|part| (part.process, part.event)).collect()
}
