//! The axes of the store, and the one place where they are put together.
//!
//! The forms of discrete states and zones are type parameters of the list, so that a test of a zone is not a
//! virtual call; the finished list is a trait object, so that a search is compiled once. That is one virtual call
//! per offer.

use tourbillon_dbm::Dimension;

use crate::discrete::{self, Discrete, Merging, OfDiscrete};
use crate::index::Fill;
use crate::interface::PassedWaiting;
use crate::list::{List, NodeSink};
use crate::passed::build_unions;
use crate::zones::{self, OfZones, Zones};

/// How zones are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZoneForm {
    /// As matrices, one copy for each node.
    Plain,
    /// The same, equal zones once.
    Shared,
    /// Every bound in a few bits, compared many at a time.
    Bits,
    /// The same, equal zones once.
    BitsShared,
    /// Bounds as digits of numbers.
    Digits,
    /// The same, equal zones once.
    DigitsShared,
    /// The few constraints that imply all others.
    Minimal,
    /// The same, equal zones once.
    MinimalShared,
    /// As one union for each discrete state, a clock difference diagram; all diagrams share their nodes.
    Cdd,
}

impl ZoneForm {
    /// Those that keep zones one by one. Whichever is taken, the same states are visited; with unions, fewer may be.
    pub const ALL: [Self; 8] = [
        Self::Plain,
        Self::Shared,
        Self::Bits,
        Self::BitsShared,
        Self::Digits,
        Self::DigitsShared,
        Self::Minimal,
        Self::MinimalShared,
    ];

    /// Whether equal zones are stored once.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Shared | Self::BitsShared | Self::DigitsShared | Self::MinimalShared)
    }

    /// Its name, as the command line has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Shared => "shared",
            Self::Bits => "bits",
            Self::BitsShared => "bits+shared",
            Self::Digits => "digits",
            Self::DigitsShared => "digits+shared",
            Self::Minimal => "minimal",
            Self::MinimalShared => "minimal+shared",
            Self::Cdd => "cdd",
        }
    }
}

/// How discrete states are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiscreteForm {
    /// Every field in 32 bits.
    Plain,
    /// Every field in as many bits as its range needs.
    Bits,
    /// All fields as one number in a mixed base.
    Digits,
    /// Equal location vectors once, and equal variable vectors; a state is a pair of numbers.
    Shared,
    /// Cut in halves again and again, equal parts once.
    Tree,
    /// As one diagram with unions of zones at its leaves: where zones are kept as diagrams, and only there.
    Mtidd,
}

/// When a stored state makes another superfluous. Both have the same discrete part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cover {
    /// When their zones are equal.
    Equality,
    /// When its zone includes the other.
    Inclusion,
    /// When the other zone is included in a_LU of its own.
    Alu,
}

/// In which order waiting nodes are popped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// The oldest first.
    Bfs,
    /// The newest first.
    Dfs,
    /// Any, each as likely.
    Random,
    /// The cheapest first, the oldest of those.
    Cheapest,
    /// The one with the highest rank first, of those the cheapest, of those the oldest. Ranks are given where offers are
    /// compared with waiting nodes; elsewhere all are the same.
    Ranked,
}

/// How the nodes of diagrams are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DiagramForm {
    /// All edges, every number in 32 bits.
    AllEdges,
    /// No edges to false.
    WithoutFalse,
    /// Nor more bytes than numbers need.
    #[default]
    Compact,
}

/// What can be chosen about diagrams.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiagramSettings {
    /// How nodes are written.
    pub form: DiagramForm,
    /// Everything else.
    pub other: tourbillon_dd::Settings,
}

/// What a list is made for, and of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The smallest and the largest value of each field of a discrete state.
    pub ranges: Vec<(i32, i32)>,
    /// How many of the fields, from the first on, are locations.
    pub split: usize,
    /// How many clocks there are.
    pub dimension: Dimension,
    /// How zones are stored.
    pub zones: ZoneForm,
    /// If that is as diagrams, how.
    pub diagrams: DiagramSettings,
    /// How discrete states are stored.
    pub discrete: DiscreteForm,
    /// Whether tables are as full as they can be, and searches in them longer.
    pub tight: bool,
    /// What covers what.
    pub cover: Cover,
    /// Whether an offer is compared with waiting nodes too. If not, it waits unseen, and is compared with passed
    /// ones when it is popped.
    pub waiting_inclusion: bool,
    /// In which order nodes are popped.
    pub order: Order,
    /// What the random order is drawn from.
    pub seed: u64,
    /// Whether parents and steps are kept.
    pub traces: bool,
    /// Whether a waiting node stays although a later one covers it. Only then is every state that is first reached
    /// after some number of steps still popped after as many: the one that covers it may wait further back.
    pub spare_waiting: bool,
}

/// The largest number of clocks of which there can be diagrams.
pub const DIAGRAM_CLOCKS_MAX: usize = tourbillon_dd::Diagrams::<tourbillon_dd::Compact>::CLOCKS_MAX;

/// The largest number of fields of a discrete state of which there can be a diagram.
pub const DIAGRAM_FIELDS_MAX: usize = tourbillon_dd::Mtidd::LENGTH_MAX;

/// An empty list.
///
/// # Panics
/// If `split` exceeds the number of fields, a range is empty, or there are more clocks than [`DIAGRAM_CLOCKS_MAX`] and zones
/// are to be kept as diagrams. If discrete states are to be a diagram, and zones are not, or there are more fields than
/// [`DIAGRAM_FIELDS_MAX`].
#[must_use]
pub fn build(settings: &Settings) -> Box<dyn PassedWaiting> {
    match settings.zones {
        ZoneForm::Cdd => build_unions(settings),
        _ => build_sink(settings),
    }
}

/// The same, to take over the nodes of another.
pub(crate) fn build_sink(settings: &Settings) -> Box<dyn NodeSink> {
    assert!(settings.split <= settings.ranges.len(), "more locations than fields");
    assert!(settings.ranges.iter().all(|(low, high)| low <= high), "a field without values");
    // A node that waits unseen is saved without having been looked up, and so is another of the same state.
    let merging = if settings.waiting_inclusion { Merging::Never } else { Merging::Always };
    in_forms(settings, merging, Listing(settings))
}

/// The list that these settings ask for.
struct Listing<'a>(&'a Settings);

impl OfForms for Listing<'_> {
    type Made = Box<dyn NodeSink>;

    fn of_forms<D: Discrete + 'static, Z: Zones + 'static>(self, discrete: D, zones: Z) -> Self::Made {
        Box::new(List::new(self.0, discrete, zones))
    }
}

/// What can be made of any form of discrete states and any of zones.
pub(crate) trait OfForms {
    type Made;

    fn of_forms<D: Discrete + 'static, Z: Zones + 'static>(self, discrete: D, zones: Z) -> Self::Made;
}

/// Makes it of those that the settings ask for.
pub(crate) fn in_forms<M: OfForms>(settings: &Settings, merging: Merging, make: M) -> M::Made {
    discrete::in_form(settings, merging, Making { settings, make })
}

/// What is to be made, with no store chosen yet.
struct Making<'a, M> {
    settings: &'a Settings,
    make: M,
}

/// The same with a store of discrete states.
struct MakingOf<D, M> {
    discrete: D,
    make: M,
}

impl<M: OfForms> OfDiscrete for Making<'_, M> {
    type Made = M::Made;

    fn of_discrete<D: Discrete + 'static>(self, discrete: D) -> Self::Made {
        let Self { settings, make } = self;
        zones::in_form(settings.zones, settings.dimension, MakingOf { discrete, make })
    }
}

impl<D: Discrete + 'static, M: OfForms> OfZones for MakingOf<D, M> {
    type Made = M::Made;

    fn of_zones<Z: Zones + 'static>(self, zones: Z) -> Self::Made {
        self.make.of_forms(self.discrete, zones)
    }
}

impl Settings {
    /// How full tables may get.
    pub(crate) const fn fill(&self) -> Fill {
        if self.tight { Fill::Tight } else { Fill::Loose }
    }
}
