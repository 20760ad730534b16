//! The inputs of a plan: the request, and facts about the model and the property.

use tourbillon_model::Overflow;
use tourbillon_search::{Committed, RoundSizes};
use tourbillon_store::{Cover, DiagramSettings, DiscreteForm, WhenFull, ZoneForm};
use tourbillon_system::{Analysis, LocationSummary, System};
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
    /// The same, reduced by the guards and invariants of the edges that they pass.
    Guarded,
}

/// Which symmetries of the model a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum SymmetryUse {
    /// All that are found, where the property allows it.
    #[default]
    Auto,
    Off,
    /// Those of declared scalar sets.
    Scalar,
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

/// Whether states are visited in rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundUse {
    /// One by one.
    Off,
    Rounds {
        /// All cores, if there is no number.
        threads: Option<u32>,
        sizes: RoundSizes,
    },
}

/// Requested options of a plan; [`super::plan`] chooses the others. `axes.rs` has the help of each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlanRequest {
    pub engine: Engine,
    /// Whether the plan may choose another engine.
    pub any_engine: bool,
    /// Must be the meaning that the model was read with.
    pub overflow: Option<Overflow>,
    pub layout: Option<Layout>,
    pub sets: BddRequest,
    pub balance: Option<bool>,
    pub abstraction: Option<Abstraction>,
    pub bounds: Option<BoundsScope>,
    pub cover: Option<Cover>,
    pub zones: Option<ZoneForm>,
    pub diagrams: Option<DiagramSettings>,
    pub discrete: Option<DiscreteForm>,
    pub passed: PassedForm,
    /// With a probabilistic passed list.
    pub table: HashingRequest,
    pub when_full: Option<WhenFull>,
    pub store: Option<Committed>,
    /// The smallest exact storage.
    pub compact: bool,
    pub order: Option<Order>,
    /// For the orders `topological`, `sweep` and `ranked-sweep`.
    pub positions: PositionSource,
    pub shuffle_edges: bool,
    /// The number of threads; all cores where the plan chooses.
    pub threads: Option<u32>,
    /// The sizes of rounds, which determine the counts; for tests, where models are small.
    pub round_sizes: Option<RoundSizes>,
    /// Subsumption test against the waiting list.
    pub waiting_inclusion: Option<bool>,
    /// Active clock reduction.
    pub reduce: Option<bool>,
    pub symmetry: SymmetryUse,
    pub cycles: Option<CycleSearch>,
    /// Only infinite runs along which time diverges.
    pub non_zeno: bool,
    pub trace: TraceKind,
    /// Whether answers by exhaustion are certified.
    pub certificate: bool,
    /// The number of traces along different paths, if more than one is wanted.
    pub traces: Option<usize>,
    pub seed: u64,
}

/// Facts about the model and the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    pub clocks: usize,
    /// The number of diagonals that zones must be split on.
    pub diagonals: usize,
    /// Whether `diagonals` counts all of them.
    pub diagonals_complete: bool,
    /// Whether some clock can be stopped.
    pub stopwatches: bool,
    /// Whether some clock is compared with unboundedly many constants.
    pub unbounded: bool,
    /// The bits that tell all discrete states apart, by their ranges.
    pub state_bits: u32,
    /// The number of locations and variables of a discrete state.
    pub fields: usize,
    pub priorities: bool,
    /// Whether some location is committed.
    pub committed: bool,
    /// Whether some broadcast receiver has a clock guard.
    pub timed_receivers: bool,
    pub overflow: Overflow,
    pub property_class: PropertyClass,
    /// Whether other properties have the same clock bounds, so that they may reuse the stored states.
    pub shares_states: bool,
}

/// The class of a property, as far as a plan depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PropertyClass {
    /// The property has `deadlock`.
    pub deadlock: bool,
    /// A liveness property.
    pub endless: bool,
    /// A liveness property over all maximal runs, finite ones included.
    pub stuck: bool,
    /// Büchi acceptance.
    pub accepting: bool,
    /// Several acceptance sets.
    pub in_turn: bool,
    /// `sup`, `inf` or `bounds` of a clock.
    pub measures_clocks: bool,
    /// `sup` or `bounds` of a clock: cycles along which it grows are accelerated.
    pub accelerates: bool,
    /// The answer is about all states: `sup`, `inf`, `bounds`, lint.
    pub about_all: bool,
    /// A reachability property whose goal has locations.
    pub placed: bool,
    /// Reachability: `E<>` and `A[]`.
    pub goal: bool,
    /// `E<>`.
    pub witness: bool,
}

impl PropertyClass {
    /// Whether nothing is asked but how many states there are.
    pub(crate) const fn counts(self) -> bool {
        !(self.goal || self.endless || self.about_all)
    }

    /// Whether the abstraction must preserve deadlocks.
    pub(super) fn needs_deadlocks(self) -> bool {
        self.deadlock || self.stuck
    }
}

impl Facts {
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
            committed: system.faces.iter().any(|face| face.traits & LocationSummary::COMMITTED != 0),
            timed_receivers: system.has_timed_receivers,
            overflow: system.program.overflow(),
            property_class,
            shares_states: false,
        }
    }
}

fn state_bits(system: &System) -> u32 {
    let values = system.ranges.iter().map(|range| f64::from(range.max.abs_diff(range.min)) + 1.0);
    values.map(f64::log2).sum::<f64>().ceil() as u32
}
