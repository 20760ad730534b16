//! The flat tables that the successor computation reads.
//!
//! Edges of all processes are in one vector, sorted by process and source location, so that the edges leaving a
//! location are a range; locations of all processes are in another, with the first one of each process. Everything that
//! does not depend on a state is decided here: a comparison of a fixed clock with a constant is a [`Constraint`], a
//! reset of a fixed clock to a constant is a pair, and only the rest is code.

use std::ops::Range as Run;

use tourbillon_base::{Id, IdVec, Span, define_id};
use tourbillon_dbm::{Clock, Constant, Constraint, Dimension};
use tourbillon_model::{Compare, LocationKind, NegativeClock, ProcessId, Range};

use crate::program::{CodeId, Layout, Program};

define_id! {
    /// The index of an edge among those of all processes.
    pub struct EdgeId;
}

define_id! {
    /// The index of a location among those of all processes.
    pub struct GlobalLocationId;
}

#[derive(Clone, Debug)]
pub struct System {
    pub layout: Layout,
    /// The initial memory.
    pub initial: Vec<i32>,
    /// The clocks that do not start at 0, with their initial values.
    pub initial_clocks: Vec<(Clock, Constant)>,
    /// The ranges of the fields of a discrete state: locations, then data.
    pub ranges: Vec<Range>,
    pub program: Program,
    pub dimension: Dimension,
    /// For each process, the index of its first location; its location `l` is that many further on.
    pub first_place: IdVec<ProcessId, u32>,
    pub places: IdVec<GlobalLocationId, GlobalLocation>,
    /// The data of each location that the pipeline reads for every state.
    pub faces: Vec<LocationSummary>,
    /// The fixed constraints of invariants, upper bounds first for each location.
    pub invariants: Vec<Constraint>,
    /// All edges, by process and source.
    pub edges: IdVec<EdgeId, Edge>,
    pub channels: Vec<Channel>,
    pub vectors: Vec<Vector>,
    /// For each location, the vectors that its process does not block there, as bits: [`System::vector_words`] words
    /// for each.
    pub vector_masks: Vec<u64>,
    /// Evaluated before the updates of each transition.
    pub before_update: Option<CodeId>,
    /// Evaluated after the updates of each transition.
    pub after_update: Option<CodeId>,
    /// The number of local cells of these two.
    pub update_frame: u32,
    /// Whether transitions differ in priority, so that some can block others.
    pub has_priorities: bool,
    /// The priority of internal transitions, in the scale of channels.
    pub internal_priority: u32,
    /// The priority of each process.
    pub process_priority: IdVec<ProcessId, u32>,
    /// Whether any location stops a clock.
    pub has_stopwatches: bool,
    /// Whether any receiver of a broadcast has a clock guard, so that the set of receivers depends on clocks.
    pub has_timed_receivers: bool,
    /// The meaning of a transition that would assign a negative value to a clock.
    pub negative_clock: NegativeClock,
}

impl System {
    /// The number of words with a bit for each vector.
    #[must_use]
    #[inline]
    pub fn vector_words(&self) -> usize {
        self.vectors.len().div_ceil(64)
    }

    /// The maximum number of local cells of any code except that of queries.
    #[must_use]
    pub fn frame_max(&self) -> usize {
        let edges = self.edges.iter().map(|edge| edge.frame);
        let places = self.places.iter().map(|place| place.frame);
        edges.chain(places).chain([self.update_frame]).max().unwrap_or(0) as usize
    }

    /// The locations of all processes in a discrete state.
    #[inline]
    pub fn current<'s>(&'s self, memory: &'s [i32]) -> impl Iterator<Item = GlobalLocationId> + 's {
        self.first_place
            .iter()
            .zip(memory)
            .map(|(&first, &location)| GlobalLocationId::from_index(first as usize + location as usize))
    }
}

/// The data of a location that the pipeline reads for every state; the rest of a [`GlobalLocation`] is read only if
/// these flags require it. It is small, since ten locations are read for each of millions of states.
#[derive(Clone, Copy, Debug)]
pub struct LocationSummary {
    /// Flags.
    pub traits: u32,
    /// The range of its upper bounds among the invariants.
    pub uppers: (u32, u32),
    /// The end of its other fixed constraints, which follow.
    pub others: u32,
    /// Internal edges.
    pub internal: (u32, u32),
    /// Sending edges.
    pub sends: (u32, u32),
    /// Receiving edges.
    pub receives: (u32, u32),
}

impl LocationSummary {
    pub const NO_DELAY: u32 = 1;
    pub const COMMITTED: u32 = 2;
    /// Its invariant has a condition on data.
    pub const CONDITION: u32 = 4;
    /// Its invariant has constraints that depend on data.
    pub const COMPUTED: u32 = 8;
    pub const RATES: u32 = 16;
}

#[derive(Clone, Debug)]
pub struct GlobalLocation {
    pub kind: LocationKind,
    /// The clock constraints of the invariant.
    pub invariant: ClockGuard,
    /// The data condition of the invariant.
    pub condition: Option<CodeId>,
    /// Clocks that are stopped if the code evaluates to 0.
    pub rates: Box<[(ClockRef, CodeId)]>,
    /// The number of local cells of the code above.
    pub frame: u32,
    /// Edges with an event of synchronisation vectors.
    pub events: Run<u32>,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub process: ProcessId,
    /// The index in its process in the model.
    pub index: u32,
    /// The source location, in its process.
    pub source: i32,
    /// The target location, in its process.
    pub target: i32,
    /// Whether it leaves a committed location.
    pub committed: bool,
    /// The local cells of its selections, with their ranges.
    pub selects: Box<[(u32, Range)]>,
    /// The data guard.
    pub guard: Option<CodeId>,
    /// The clock guard.
    pub clocks: ClockGuard,
    pub action: Action,
    /// Clocks that it resets to constants, in order.
    pub resets: Box<[(Clock, Constant)]>,
    /// The rest of its updates.
    pub update: Option<CodeId>,
    /// The number of local cells that it needs.
    pub frame: u32,
    /// Its source position.
    pub span: Span,
}

/// The synchronisation of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Internal,
    /// Sends on a channel.
    Send(ChannelRef),
    /// Receives on a channel.
    Receive(ChannelRef),
    /// An event; [`Vector`]s determine its synchronisations.
    Event,
}

/// A channel, known or computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelRef {
    Fixed(u32),
    /// The one that the code evaluates to.
    Computed(CodeId),
}

/// A clock, known or computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockRef {
    Fixed(Clock),
    /// The one that the code evaluates to, counted from 0 without the reference clock.
    Computed(CodeId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Whether all enabled receivers take part.
    pub broadcast: bool,
    /// Whether time cannot pass while a synchronisation on it is enabled.
    pub urgent: bool,
    pub priority: u32,
}

/// A synchronisation vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The participants, in the order of their updates.
    pub parts: Box<[Part]>,
}

/// One participant of a vector.
#[derive(Clone, Debug)]
pub struct Part {
    pub process: ProcessId,
    /// Whether the others can synchronise without it.
    pub weak: bool,
    /// For each location of the process, the edges with which it can take part, as a range of `edges`.
    pub ranges: Box<[Run<u32>]>,
    pub edges: Box<[EdgeId]>,
}

impl Part {
    /// The edges with which the process can take part in a discrete state.
    #[must_use]
    #[inline]
    pub fn candidates(&self, memory: &[i32]) -> &[EdgeId] {
        let range = &self.ranges[memory[self.process.index()] as usize];
        &self.edges[range.start as usize..range.end as usize]
    }
}

/// A conjunction of clock constraints.
#[derive(Clone, Default, Debug)]
pub struct ClockGuard {
    pub fixed: Box<[Constraint]>,
    pub computed: Box<[ComputedTest]>,
}

impl ClockGuard {
    /// Whether it always holds.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.fixed.is_empty() && self.computed.is_empty()
    }
}

/// A clock constraint that depends on data.
#[derive(Clone, Debug)]
pub struct ComputedTest {
    /// When it must hold; always if there is none.
    pub when: Option<CodeId>,
    pub atom: Atom,
}

/// `left - right` compared with a number.
#[derive(Clone, Debug)]
pub struct Atom {
    pub left: ClockRef,
    /// The subtracted clock; the reference clock if there is none.
    pub right: ClockRef,
    pub compare: Compare,
    pub bound: CodeId,
    /// Its source position.
    pub span: Span,
}
