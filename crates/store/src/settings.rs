//! The settings of a list, and the list built from them.
//!
//! The list and its stores of discrete states and zones are trait objects: the virtual call for each offer and for each
//! comparison of zones is not measurable.

use tourbillon_dbm::Dimension;

use crate::cover::Cover;
use crate::index::Fill;
use crate::interface::PassedWaiting;
use crate::list::List;
use crate::passed::build_unions;

/// The storage form of zones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZoneForm {
    /// Matrices, one for each node.
    Plain,
    /// Matrices, equal zones stored once.
    Shared,
    /// Bounds in a few bits each, compared many at a time.
    Bits,
    /// [`Bits`](Self::Bits), equal zones stored once.
    BitsShared,
    /// Rows as mixed-radix numbers.
    Digits,
    /// [`Digits`](Self::Digits), equal zones stored once.
    DigitsShared,
    /// Minimal constraint form.
    Minimal,
    /// [`Minimal`](Self::Minimal), equal zones stored once.
    MinimalShared,
    /// One union for each discrete state, a clock difference diagram; all diagrams share their nodes.
    Cdd,
}

impl ZoneForm {
    /// The forms that store single zones. The same states are visited with each of them; unions may visit fewer.
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

    #[must_use]
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Shared | Self::BitsShared | Self::DigitsShared | Self::MinimalShared)
    }

    /// The name on the command line.
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

/// The storage form of discrete states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiscreteForm {
    /// Every field in 32 bits.
    Plain,
    /// Every field in as many bits as its range needs.
    Bits,
    /// All fields as one mixed-radix number.
    Digits,
    /// Location vectors and variable vectors, equal ones stored once; a state is a pair of numbers.
    Shared,
    /// Tree compression: equal subtrees stored once.
    Tree,
    /// One diagram with unions of zones at its leaves; requires [`ZoneForm::Cdd`].
    Mtidd,
}

/// The order in which waiting nodes are popped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// First in, first out.
    Bfs,
    /// Last in, first out.
    Dfs,
    /// Uniformly at random.
    Random,
    /// Least cost first; first in, first out among equal costs.
    Cheapest,
    /// Highest rank first, then as [`Cheapest`](Self::Cheapest). Ranks are computed if offers are compared with waiting
    /// nodes; otherwise all are equal.
    Ranked,
}

/// The encoding of diagram nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DiagramForm {
    /// All edges, every number in 32 bits.
    AllEdges,
    /// Without edges to false.
    WithoutFalse,
    /// Without edges to false, numbers in as few bytes as they need.
    #[default]
    Compact,
}

/// The settings of diagrams.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiagramSettings {
    pub form: DiagramForm,
    /// The settings of the diagram library.
    pub other: tourbillon_dd::Settings,
}

/// The settings of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The smallest and the largest value of each field of a discrete state.
    pub ranges: Vec<(i32, i32)>,
    /// The number of leading fields that are locations.
    pub split: usize,
    pub dimension: Dimension,
    pub zones: ZoneForm,
    pub diagrams: DiagramSettings,
    pub discrete: DiscreteForm,
    /// Whether hash tables are as full as possible, with longer searches.
    pub tight: bool,
    pub cover: Cover,
    /// Whether an offer is compared with waiting nodes too. If not, it is compared only with passed nodes, when it is
    /// popped.
    pub waiting_inclusion: bool,
    pub order: Order,
    /// The seed of the random order.
    pub seed: u64,
    /// Whether parents and transitions are stored.
    pub traces: bool,
    /// Whether a waiting node stays although a later one covers it. Only then is every state popped at its
    /// breadth-first depth: a covering node may be further back in the waiting list.
    pub spare_waiting: bool,
}

/// The maximum number of clocks for diagrams.
pub const DIAGRAM_CLOCKS_MAX: usize = tourbillon_dd::Diagrams::<tourbillon_dd::Compact>::CLOCKS_MAX;

/// The maximum number of fields of a discrete state in a diagram.
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
    /// The maximum load of tables.
    pub(crate) const fn fill(&self) -> Fill {
        if self.tight { Fill::Tight } else { Fill::Loose }
    }
}
