//! Processes, shared data and channels, and synchronisation.

use tourbillon_base::{IdVec, Span};

use crate::expr::{ClockAtom, ClockPlace, Expr, Function, IndexStep};
use crate::query::Query;
use crate::types::{Range, Variable};
use crate::{CellId, ChannelId, ClockId, EventId, ExprId, FunctionId, LocationId, ProcessId};

/// Which language a model was written in: what its synchronisations are called, and what a negative value for a clock
/// means ([`Language::negative_clock`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    Uppaal,
    TChecker,
}

impl Language {
    /// What a step means that would assign a negative value to a clock.
    #[must_use]
    pub const fn negative_clock(self) -> NegativeClock {
        match self {
            Self::Uppaal => NegativeClock::Fails,
            Self::TChecker => NegativeClock::Disables,
        }
    }
}

/// What a step means that would assign a negative value to a clock, as `x = y - 3` does where `y < 3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NegativeClock {
    /// The model fails at run time, as for an integer that leaves its range: UPPAAL lists it among the errors that abort
    /// a verification.
    Fails,
    /// There is no such step: TChecker keeps only the valuations of the clocks that are not negative after it.
    Disables,
}

/// What a result that 32 bits do not hold comes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Overflow {
    /// It is an error of the model where it is computed.
    #[default]
    Error,
    /// It wraps: the 32 lowest bits in two's complement. `2147483647 + 1` is `-2147483648`.
    Wrap,
}

/// A network of timed automata with data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub name: String,
    /// What it was written in.
    pub language: Language,
    /// How results that exceed 32 bits are treated, in all its expressions.
    pub overflow: Overflow,
    pub exprs: IdVec<ExprId, Expr>,
    pub cells: IdVec<CellId, Cell>,
    pub clocks: IdVec<ClockId, Clock>,
    /// Variables and clocks as they were declared.
    pub variables: Vec<Variable>,
    pub channels: IdVec<ChannelId, Channel>,
    /// The events of synchronisation vectors.
    pub events: IdVec<EventId, Event>,
    /// Which events happen together.
    pub vectors: Vec<SyncVector>,
    /// All functions; one calls only those before it.
    pub functions: IdVec<FunctionId, Function>,
    /// The processes, in system order.
    pub processes: IdVec<ProcessId, Process>,
    /// The priority of steps without a channel.
    pub internal_priority: u32,
    /// How many local cells the two lists that follow need.
    pub update_frame: u32,
    /// Evaluated before each step's updates.
    pub before_update: Vec<ExprId>,
    /// Evaluated after each step's updates.
    pub after_update: Vec<ExprId>,
    /// What is asked of it.
    pub queries: Vec<Query>,
}

impl Model {
    /// A network of nothing.
    #[must_use]
    pub fn new(name: impl Into<String>, language: Language) -> Self {
        Self {
            name: name.into(),
            language,
            overflow: Overflow::default(),
            exprs: IdVec::new(),
            cells: IdVec::new(),
            clocks: IdVec::new(),
            variables: Vec::new(),
            channels: IdVec::new(),
            events: IdVec::new(),
            vectors: Vec::new(),
            functions: IdVec::new(),
            processes: IdVec::new(),
            internal_priority: 0,
            update_frame: 0,
            before_update: Vec::new(),
            after_update: Vec::new(),
            queries: Vec::new(),
        }
    }
}

/// A cell of data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its name: that of its variable, with indices and fields.
    pub name: String,
    /// The values it can have.
    pub range: Range,
    /// The value it has at first.
    pub initial: i32,
    /// Whether it is part of the state.
    pub kind: CellKind,
}

/// Whether a cell is part of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellKind {
    State,
    /// It is used within a step only and has its initial value between steps.
    Meta,
    Constant,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    pub name: String,
    /// The value it has at first, never negative.
    pub initial: i32,
    /// Where it was declared.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    pub name: String,
    /// How many take part.
    pub kind: ChannelKind,
    /// Whether no time passes while a synchronisation over it is possible.
    pub urgent: bool,
    /// Its priority; larger goes first.
    pub priority: u32,
    /// Where it was declared.
    pub span: Span,
}

/// How many take part in a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChannelKind {
    /// One sender and one receiver.
    Binary,
    /// One sender, and one receiver in each process that can receive.
    Broadcast,
}

/// An event of synchronisation vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub name: String,
    /// Where it was declared.
    pub span: Span,
}

/// Events that processes take together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncVector {
    /// Who takes part with what, at most once each.
    pub participants: Vec<Participant>,
    /// Where it was declared.
    pub span: Span,
}

/// A part of a synchronisation vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Participant {
    pub process: ProcessId,
    /// The event it takes.
    pub event: EventId,
    /// Whether the others can go without it if it cannot.
    pub weak: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name, with its parameters if there are several of the same template: `P(1,2)`.
    pub name: String,
    /// The name of its template.
    pub template: String,
    /// The arguments of its template that are values of scalar sets, in the order of the parameters.
    pub scalars: Vec<ScalarValue>,
    /// Its priority; larger goes first.
    pub priority: u32,
    pub locations: IdVec<LocationId, Location>,
    pub initial: LocationId,
    pub edges: Vec<Edge>,
    /// Where it, or its template, was declared.
    pub span: Span,
}

/// A value of a scalar set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarValue {
    /// The number of the set, as in the types of variables.
    pub set: u32,
    pub value: i32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub name: String,
    /// Whether time can pass there.
    pub kind: LocationKind,
    /// What holds as long as the process is there.
    pub invariant: Guard,
    /// Clocks that are stopped there, or are if a rate is 0.
    pub rates: Vec<Rate>,
    /// What it is labelled with.
    pub labels: Vec<String>,
    /// How many local cells the invariant and the rates need.
    pub frame: u32,
    /// Where it was declared.
    pub span: Span,
}

/// Whether time can pass at a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    Normal,
    Urgent,
    /// It cannot, and the next step leaves a committed location.
    Committed,
}

/// The rate of a clock: 1, or 0 if it is stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rate {
    pub clock: ClockPlace,
    pub rate: ExprId,
}

/// A conjunction of conditions on data and comparisons of clocks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Guard {
    /// Conditions that need no clock.
    pub conditions: Vec<ExprId>,
    pub clocks: Vec<ClockCondition>,
}

impl Guard {
    /// Whether it always holds.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.conditions.is_empty() && self.clocks.is_empty()
    }
}

/// A comparison of clocks that must hold, perhaps only where a condition does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockCondition {
    /// When it must; always if there is none.
    pub when: Option<ExprId>,
    /// What must hold then.
    pub atom: ClockAtom,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub source: LocationId,
    pub target: LocationId,
    /// Values chosen when it is taken, each in a local cell.
    pub selects: Vec<Select>,
    /// When it can be taken.
    pub guard: Guard,
    pub action: Action,
    /// What it does, in order.
    pub updates: Vec<ExprId>,
    /// Whether a controller chooses it; no symbolic query depends on that.
    pub controllable: bool,
    /// How many local cells its labels need, selections first.
    pub frame: u32,
    /// Where it was declared.
    pub span: Span,
}

/// A value chosen when an edge is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Select {
    pub name: String,
    /// The local cell it is in.
    pub local: u32,
    /// What can be chosen.
    pub range: Range,
}

/// How an edge takes part in steps of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Internal,
    Send(ChannelPlace),
    Receive(ChannelPlace),
    /// By an event: with others as the synchronisation vectors say, on its own if none names it for this
    /// process.
    Event(EventId),
}

/// A channel, perhaps of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelPlace {
    pub first: ChannelId,
    /// And for each index further on.
    pub indices: Vec<IndexStep>,
}
