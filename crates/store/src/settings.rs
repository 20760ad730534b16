//! The axes of the store, and the list that they make.
//!
//! The list and its stores of discrete states and zones are trait objects: a virtual call for each offer, and one for each
//! comparison of zones, which is not measurable.

use tourbillon_dbm::Dimension;

use crate::cover::Cover;
use crate::index::Fill;
use crate::interface::PassedWaiting;
use crate::list::List;
use crate::passed::build_unions;

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
    /// The cover relation.
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
        _ => Box::new(List::new(settings)),
    }
}

impl Settings {
    /// How full tables may get.
    pub(crate) const fn fill(&self) -> Fill {
        if self.tight { Fill::Tight } else { Fill::Loose }
    }
}
