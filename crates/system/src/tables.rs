//! The flat tables that the successor computation reads.
//!
//! Edges of all processes stand in one vector, sorted by process and source location, so that the edges
//! leaving a location are a range; locations of all processes stand in another, and a process knows where its
//! own begin. Whatever is known when the model is compiled is decided here: a comparison of a fixed clock
//! with a constant is a [`Constraint`], a reset of a fixed clock to a constant is a pair, and only the rest is
//! code.

use std::ops::Range as Run;

use tourbillon_base::{Id, IdVec, Span, define_id};
use tourbillon_dbm::{Clock, Constant, Constraint, Dimension};
use tourbillon_model::{Compare, LocationKind, NegativeClock, ProcessId, Range};

use crate::program::{CodeId, Layout, Program};

define_id! {
    /// An edge of the network, whichever process it belongs to.
    pub struct EdgeId;
}

define_id! {
    /// A location of the network, whichever process it belongs to.
    pub struct GlobalLocationId;
}

#[derive(Clone, Debug)]
pub struct System {
    /// Where data stands in memory.
    pub layout: Layout,
    /// What memory holds at first.
    pub initial: Vec<i32>,
    /// The clocks that do not start at 0, with what they start at.
    pub initial_clocks: Vec<(Clock, Constant)>,
    /// What the fields of a discrete state range over: locations, then data.
    pub ranges: Vec<Range>,
    pub program: Program,
    /// How many clocks there are.
    pub dimension: Dimension,
    /// For each process, the first of its places; its location `l` is that many further on.
    pub first_place: IdVec<ProcessId, u32>,
    pub places: IdVec<GlobalLocationId, GlobalLocation>,
    /// What the pipeline looks at for every location of every state.
    pub faces: Vec<LocationSummary>,
    /// The known constraints of invariants, upper bounds first for each location.
    pub invariants: Vec<Constraint>,
    /// All edges, by process and source.
    pub edges: IdVec<EdgeId, Edge>,
    pub channels: Vec<Channel>,
    pub vectors: Vec<Vector>,
    /// For each place, which vectors its process does not stand in the way of there, as bits: so many words for each,
    /// as [`System::vector_words`] says.
    pub vector_masks: Vec<u64>,
    /// What is evaluated before the updates of each step.
    pub before_update: Option<CodeId>,
    /// What is evaluated after them.
    pub after_update: Option<CodeId>,
    /// How many local cells the two need.
    pub update_frame: u32,
    /// Whether steps differ in priority, so that some can block others.
    pub has_priorities: bool,
    /// The priority of steps of one process alone, in the scale of channels.
    pub internal_priority: u32,
    /// For each process, its own priority.
    pub process_priority: IdVec<ProcessId, u32>,
    /// Whether any location stops a clock.
    pub has_stopwatches: bool,
    /// Whether any receiver of a broadcast has a clock guard, so that who receives depends on time.
    pub has_timed_receivers: bool,
    /// What a step means that would assign a negative value to a clock.
    pub negative_clock: NegativeClock,
}

impl System {
    /// How many words it takes to have a bit for each vector.
    #[must_use]
    #[inline]
    pub fn vector_words(&self) -> usize {
        self.vectors.len().div_ceil(64)
    }

    /// The most local cells that any code needs but that of queries.
    #[must_use]
    pub fn frame_max(&self) -> usize {
        let edges = self.edges.iter().map(|edge| edge.frame);
        let places = self.places.iter().map(|place| place.frame);
        edges.chain(places).chain([self.update_frame]).max().unwrap_or(0) as usize
    }

    /// The places of all processes in a discrete state.
    #[inline]
    pub fn current<'s>(&'s self, memory: &'s [i32]) -> impl Iterator<Item = GlobalLocationId> + 's {
        self.first_place
            .iter()
            .zip(memory)
            .map(|(&first, &location)| GlobalLocationId::from_index(first as usize + location as usize))
    }
}

/// What the pipeline looks at for every location of every state: the rest of a [`GlobalLocation`] is examined if this says
/// so. Kept small, since ten locations are examined for each of millions of states.
#[derive(Clone, Copy, Debug)]
pub struct LocationSummary {
    /// What there is to it, as bits.
    pub traits: u32,
    /// Its upper bounds of clocks among the invariants, and their end.
    pub uppers: (u32, u32),
    /// The end of its other known constraints, which follow.
    pub others: u32,
    /// Edges that leave on their own.
    pub internal: (u32, u32),
    /// Edges that leave by sending.
    pub sends: (u32, u32),
    /// Edges that leave by receiving.
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
    /// Whether time can pass.
    pub kind: LocationKind,
    /// What holds of clocks as long as the process is there.
    pub invariant: ClockGuard,
    /// What holds of data as long as the process is there.
    pub condition: Option<CodeId>,
    /// Clocks that are stopped if the code gives 0.
    pub rates: Box<[(ClockRef, CodeId)]>,
    /// How many local cells the code above needs.
    pub frame: u32,
    /// Edges that leave by an event of synchronisation vectors.
    pub events: Run<u32>,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub process: ProcessId,
    /// Which of its process in the model.
    pub index: u32,
    /// The location it leaves, in its process.
    pub source: i32,
    /// The location it leads to, in its process.
    pub target: i32,
    /// Whether it leaves a committed location.
    pub committed: bool,
    /// The local cells of its selections, and what they range over.
    pub selects: Box<[(u32, Range)]>,
    /// When data allows it.
    pub guard: Option<CodeId>,
    /// When clocks allow it.
    pub clocks: ClockGuard,
    /// With whom it is taken.
    pub action: Action,
    /// Clocks that it resets to constants, in order.
    pub resets: Box<[(Clock, Constant)]>,
    /// What else it does.
    pub update: Option<CodeId>,
    /// How many local cells it needs.
    pub frame: u32,
    /// Where it was written.
    pub span: Span,
}

/// With whom an edge is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Internal,
    /// By sending over a channel.
    Send(ChannelRef),
    /// By receiving over a channel.
    Receive(ChannelRef),
    /// By an event; [`Vector`]s say which edges that concerns.
    Event,
}

/// A channel, known or computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelRef {
    Fixed(u32),
    /// The one that the code gives.
    Computed(CodeId),
}

/// A clock, known or computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockRef {
    Fixed(Clock),
    /// The one that the code gives, counted from 0 without the reference.
    Computed(CodeId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Whether all that can receive do.
    pub broadcast: bool,
    /// Whether time cannot pass while it can be used.
    pub urgent: bool,
    pub priority: u32,
}

/// Processes that take edges together.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Who takes part, in the order of their updates.
    pub parts: Box<[Part]>,
}

/// One participant of a vector.
#[derive(Clone, Debug)]
pub struct Part {
    pub process: ProcessId,
    /// Whether the others can do without it.
    pub weak: bool,
    /// For each location of the process, the edges it can take part by, as a range of `edges`.
    pub ranges: Box<[Run<u32>]>,
    pub edges: Box<[EdgeId]>,
}

impl Part {
    /// The edges by which the process can take part in a discrete state.
    #[must_use]
    #[inline]
    pub fn candidates(&self, memory: &[i32]) -> &[EdgeId] {
        let range = &self.ranges[memory[self.process.index()] as usize];
        &self.edges[range.start as usize..range.end as usize]
    }
}

/// A conjunction of comparisons of clocks.
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

/// A comparison of clocks in which something depends on data.
#[derive(Clone, Debug)]
pub struct ComputedTest {
    /// When it must hold; always if there is none.
    pub when: Option<CodeId>,
    /// What must hold then.
    pub atom: Atom,
}

/// `left - right` compared with a number.
#[derive(Clone, Debug)]
pub struct Atom {
    pub left: ClockRef,
    /// What is subtracted from it, the reference if nothing is.
    pub right: ClockRef,
    pub compare: Compare,
    pub bound: CodeId,
    /// Where that was written.
    pub span: Span,
}
