//! The inputs of a plan: the request, and facts about the model and the property.

use tourbillon_model::Overflow;
use tourbillon_store::{Cover, DiagramSettings, DiscreteForm, WhenFull, ZoneForm};
use tourbillon_system::{Analysis, System};
use tourbillon_zonegraph::Abstraction;

use crate::order::{Order, PositionSource};
use crate::tables::{HashingRequest, PassedForm};

/// The search engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Engine {
    #[default]
    Zones,
    /// Sets of discrete states as BDDs, one for each zone.
    Symbolic,
    /// Distributed search over ranks, each with a memory of its own.
    Cluster,
}

/// The distribution of states over the ranks of a cluster.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Layout {
    /// Each rank owns the discrete states that hash to it, with all their zones.
    #[default]
    Hash,
    /// The same, with the zones of each rank in a CDD of its own.
    CddPerRank,
    /// Discrete states by hash, and one CDD whose levels are distributed over all ranks.
    CddSpread,
    /// So many groups of ranks, each with a CDD over the ranks of the group.
    Groups(u32),
}

impl Layout {
    /// Whether zones are stored in CDDs.
    #[must_use]
    pub const fn has_diagrams(self) -> bool {
        !matches!(self, Self::Hash)
    }

    /// The number of groups with a CDD over several ranks; `None` if there are no such CDDs.
    #[must_use]
    pub const fn groups(self) -> Option<usize> {
        match self {
            Self::Hash | Self::CddPerRank => None,
            Self::CddSpread => Some(1),
            Self::Groups(groups) => Some(groups as usize),
        }
    }
}

/// The scope of the clock bounds that extrapolation uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoundsScope {
    Global,
    /// The bounds that are relevant at the locations of a state.
    Local,
}

/// The trace of a witness or counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum TraceKind {
    /// No trace; no parent pointers are stored.
    None,
    /// The first one found.
    #[default]
    Some,
    /// The fewest transitions.
    Shortest,
    /// The least time.
    Fastest,
}

/// The algorithm for cycle detection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CycleSearch {
    /// Nested depth-first search.
    Nested,
    /// Strongly connected components of a graph with subsumption, which is refined.
    Components,
}

/// Settings of the symbolic engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BddSettings {
    /// Approximately; the BDDs are bounded, not the process.
    pub memory_bytes: u64,
    /// Dynamic variable reordering.
    pub reorder: bool,
    /// Merge zones with equal sets of discrete states if their union is a zone.
    pub merge: bool,
}

/// Requested [`BddSettings`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BddRequest {
    pub memory_bytes: Option<u64>,
    pub reorder: Option<bool>,
    pub merge: Option<bool>,
}

impl BddRequest {
    /// Whether anything was requested.
    pub(super) fn is_any(self) -> bool {
        self != Self::default()
    }

    /// The settings, with defaults for what was not requested.
    pub(super) fn settings(self) -> BddSettings {
        BddSettings {
            memory_bytes: self.memory_bytes.unwrap_or(1 << 30),
            reorder: self.reorder.unwrap_or(true),
            merge: self.merge.unwrap_or(false),
        }
    }
}

/// Requested options of a plan; [`super::plan`] chooses the others. `axes.rs` has the help of each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlanRequest {
    /// What searches.
    pub engine: Engine,
    /// Whether another engine may be chosen than that.
    pub any_engine: bool,
    /// What results past 32 bits come to. A model is read for either meaning, so that this must be the one of the model.
    pub overflow: Option<Overflow>,
    /// How states are laid out, if that is a cluster.
    pub layout: Option<Layout>,
    /// How sets of discrete states are kept, if they are.
    pub sets: BddRequest,
    /// Whether levels of a diagram over several ranks move, so that its memory gets even.
    pub balance: Option<bool>,
    /// How zones are extrapolated.
    pub abstraction: Option<Abstraction>,
    /// By which constants.
    pub bounds: Option<BoundsScope>,
    /// What covers what.
    pub cover: Option<Cover>,
    /// How zones are stored.
    pub zones: Option<ZoneForm>,
    /// If that is as diagrams, how.
    pub diagrams: Option<DiagramSettings>,
    /// How discrete states are stored.
    pub discrete: Option<DiscreteForm>,
    /// What the passed list keeps of a state.
    pub passed: PassedForm,
    /// If that is not all of it, in which table.
    pub table: HashingRequest,
    /// What becomes of states for which there is no room.
    pub when_full: Option<WhenFull>,
    /// Whether all that is exact is to be as small as it can be.
    pub compact: bool,
    /// In which order nodes are visited.
    pub order: Option<Order>,
    /// Where the positions of locations come from that the orders `topological`, `sweep` and `ranked-sweep` go by.
    pub positions: PositionSource,
    /// Whether the successors of a node come in a random order.
    pub shuffle_edges: bool,
    /// Whether new nodes are compared with waiting ones.
    pub waiting_inclusion: Option<bool>,
    /// Whether clocks about which nothing is asked are forgotten.
    pub reduce: Option<bool>,
    /// How runs that go on for ever are looked for.
    pub cycles: Option<CycleSearch>,
    /// Whether, of runs that go on for ever, only those count along which time does too.
    pub non_zeno: bool,
    /// Which run is shown.
    pub trace: TraceKind,
    /// How many runs along different paths are wanted, if more than that one.
    pub traces: Option<usize>,
    /// What random choices are drawn from.
    pub seed: u64,
}

/// What is known of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// How many clocks it has.
    pub clocks: usize,
    /// On how many diagonals zones must be split.
    pub diagonals: usize,
    /// Whether that is all of them.
    pub diagonals_complete: bool,
    /// Whether clocks can stand still.
    pub stopwatches: bool,
    /// Whether some clock is compared with no finite constant.
    pub unbounded: bool,
    /// How many bits tell all discrete states apart that its ranges allow.
    pub state_bits: u32,
    /// How many locations and variables a discrete state has.
    pub fields: usize,
    /// Whether steps differ in priority.
    pub priorities: bool,
    /// Whether some receiver of a broadcast has a clock guard.
    pub timed_receivers: bool,
    /// What results past 32 bits come to.
    pub overflow: Overflow,
    /// What is asked.
    pub property_class: PropertyClass,
}

/// What a question asks, as far as a plan depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PropertyClass {
    /// Whether deadlocks are asked for.
    pub deadlock: bool,
    /// Whether runs that go on for ever are.
    pub endless: bool,
    /// Whether, of these, those count that get stuck.
    pub stuck: bool,
    /// Whether, of these, only those that come back to certain states again and again.
    pub accepting: bool,
    /// Whether to states of several kinds.
    pub in_turn: bool,
    /// Whether the least or greatest value of a clock is asked for.
    pub measures_clocks: bool,
    /// Whether the answer is about all states and not about one of them: values, and what looks wrong with a model.
    pub about_all: bool,
    /// Whether a state is looked for, and locations tell how far it is.
    pub placed: bool,
    /// Whether a state is looked for: `E<>` and `A[]`.
    pub goal: bool,
    /// Whether a witness is looked for: `E<>`.
    pub witness: bool,
}

impl PropertyClass {
    /// Whether it matters what can not happen.
    pub(super) fn asks_what_cannot(self) -> bool {
        self.deadlock || self.stuck
    }
}

impl Facts {
    /// What is known of a system.
    #[must_use]
    pub fn of(system: &System, analysis: &Analysis, property_class: PropertyClass) -> Self {
        Self {
            clocks: system.dimension.clocks(),
            diagonals: analysis.diagonals.len(),
            diagonals_complete: analysis.diagonals_complete,
            stopwatches: system.has_stopwatches,
            unbounded: !analysis.unbounded.is_empty(),
            state_bits: state_bits(system),
            fields: system.ranges.len(),
            priorities: system.has_priorities,
            timed_receivers: system.has_timed_receivers,
            overflow: system.program.overflow(),
            property_class,
        }
    }
}

fn state_bits(system: &System) -> u32 {
    let values = system.ranges.iter().map(|range| f64::from(range.max.abs_diff(range.min)) + 1.0);
    values.map(f64::log2).sum::<f64>().ceil() as u32
}
