//! The option table: every option of a plan, with its values, their help, the default and what it requires.
//!
//! The command line, the form of the page, the plan in JSON reports, the reasons of `--explain-plan` and the table in
//! `docs/book/options.md` are made from [`AXES`]. An option is an [`Axis`] everywhere; [`PlanRequest::set`] is the one place
//! that turns its text into a value. Which combinations are sound is not said here but in `rows.rs`.

use tourbillon_model::Overflow;
use tourbillon_search::Committed;
use tourbillon_store::{
    Cover, DiagramConstraints, DiagramForm, DiagramInclusion, DiagramOrder, DiscreteForm, WhenFull, ZoneForm,
};
use tourbillon_zonegraph::Abstraction;

use super::{BoundsScope, CycleSearch, Engine, Layout, PlanRequest, SymmetryUse, TraceKind};
use crate::order::{Order, PositionSource};
use crate::tables::PassedForm;

/// An option of a plan. The order is that of [`AXES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axis {
    Engine,
    Layout,
    Balance,
    BddMemory,
    BddReorder,
    MergeZones,
    Abstraction,
    Bounds,
    Cover,
    Zones,
    DiagramNodes,
    DiagramOrder,
    DiagramConstraints,
    DiagramInclusion,
    DiagramBacktrace,
    Discrete,
    Compact,
    Passed,
    PassedMemory,
    BitsPerState,
    SignatureBits,
    Passes,
    WhenFull,
    Store,
    Order,
    TopologicalOrder,
    ShuffleEdges,
    Threads,
    WaitingInclusion,
    Overflow,
    Reduce,
    Symmetry,
    Cycles,
    NonZeno,
    Trace,
    Traces,
    Seed,
    /// Whether verdicts are exact. Follows from the model; not an option.
    Verdict,
    /// Whether answers are certified, if that is requested. Not an option of a search.
    Certificate,
}

/// A row of the option table.
#[derive(Clone, Copy, Debug)]
pub struct AxisInfo {
    pub axis: Axis,
    /// The name of the option, without dashes.
    pub name: &'static str,
    /// A phrase without a full stop.
    pub help: &'static str,
    pub values: AxisValues,
    /// The default in words; empty if the option is off by default.
    pub default: &'static str,
    /// The options that it needs; empty if there are none.
    pub requires: &'static str,
    pub group: AxisGroup,
    /// Whether `check -h` shows it.
    pub daily: bool,
    /// Whether the form of the page has it.
    pub on_page: bool,
    /// Whether the plan of a JSON report has a member for it.
    pub in_json: bool,
}

/// What an option is about: its heading in the help text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxisGroup {
    /// How the model is read: an option of every command that reads one.
    Model,
    Engine,
    Search,
    Storage,
    Liveness,
    Trace,
}

impl AxisGroup {
    /// The heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Engine => "Engine",
            Self::Search => "Search",
            Self::Storage => "Storage",
            Self::Liveness => "Liveness",
            Self::Trace => "Traces",
        }
    }
}

/// The values of an option.
#[derive(Clone, Copy, Debug)]
pub enum AxisValues {
    /// One of a list of named choices.
    Choices(&'static [AxisChoice]),
    /// One of these, some of which stand for many values, such as `groups=K`.
    Patterns(&'static [AxisChoice]),
    OnOff,
    /// On if it is given.
    Flag,
    /// A number of bytes.
    Bytes {
        min: u64,
    },
    Number {
        min: u64,
        max: u64,
    },
    /// A file, or a word in its place.
    FileOr(&'static str),
    /// Not an option.
    Derived,
}

/// A value of an option by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxisChoice {
    pub name: &'static str,
    /// A phrase without a full stop.
    pub help: &'static str,
}

/// A type whose values are choices of an option.
pub trait Named: Copy + PartialEq + 'static {
    /// Their names and help, in the order of [`Named::VALUES`].
    const CHOICES: &'static [AxisChoice];
    const VALUES: &'static [Self];

    /// The name of a value; `None` if it cannot be chosen.
    fn choice_name(self) -> Option<&'static str> {
        let index = Self::VALUES.iter().position(|value| *value == self)?;
        Some(Self::CHOICES[index].name)
    }

    fn from_name(name: &str) -> Option<Self> {
        let index = Self::CHOICES.iter().position(|choice| choice.name == name)?;
        Some(Self::VALUES[index])
    }
}

macro_rules! named {
    ($type:ty { $($value:expr => $name:literal, $help:literal;)* }) => {
        impl Named for $type {
            const CHOICES: &'static [AxisChoice] = &[$(AxisChoice { name: $name, help: $help },)*];
            const VALUES: &'static [Self] = &[$($value,)*];
        }
    };
}

named! { Engine {
    Self::Zones => "zones", "Explicit discrete states with zones, on one machine";
    Self::Symbolic => "symbolic", "Sets of discrete states as BDDs, one for each zone: for data-heavy models with few clocks";
    Self::Cluster => "cluster", "Distributed search over several ranks: --ranks, or mpirun";
} }

/// The layouts; the last one stands for any number of groups.
const LAYOUTS: &[AxisChoice] = &[
    AxisChoice {
        name: "hash",
        help: "Each rank owns the discrete states that hash to it, with all their zones",
    },
    AxisChoice { name: "cdd-per-rank", help: "The same, with the zones of each rank in a CDD of its own" },
    AxisChoice { name: "cdd-spread", help: "One CDD whose levels are distributed over all ranks" },
    AxisChoice { name: "groups=K", help: "K groups of ranks, each with a CDD over the ranks of the group" },
];

named! { Abstraction {
    Self::None => "none", "No extrapolation: zones stay exact, and the search may not terminate";
    Self::ExtraM => "extra-m", "Extra_M: the maximal constant of each clock";
    Self::ExtraMPlus => "extra-m+", "Extra_M+: coarser for clocks beyond their maximal constant";
    Self::ExtraLu => "extra-lu", "Extra_LU: separate constants for lower and upper bounds";
    Self::ExtraLuPlus => "extra-lu+", "Extra_LU+: both refinements, the coarsest of the four";
} }

named! { BoundsScope {
    Self::Global => "global", "One constant for each clock in the whole model";
    Self::Local => "local", "Constants for each location, by static analysis";
    Self::Guarded => "guarded", "Constants for each location, reduced by the upper bounds of the guards and invariants that they pass";
} }

named! { Cover {
    Self::Equality => "equality", "The zones are equal";
    Self::Inclusion => "inclusion", "The stored zone includes the new one";
    Self::Alu => "alu", "The abstraction a_LU of the stored zone includes the new one";
    Self::Adaptive => "adaptive", "Inclusion, and a_LU as long as it covers states that inclusion does not";
} }

named! { ZoneForm {
    Self::Plain => "plain", "Matrices of bounds (DBMs)";
    Self::Shared => "shared", "Matrices of bounds, equal zones stored once";
    Self::Bits => "bits", "Packed bounds of a few bits, compared a row at a time";
    Self::BitsShared => "bits+shared", "Packed bounds, equal zones stored once";
    Self::Digits => "digits", "Rows as mixed-radix numbers: smaller than bits, slower to compare";
    Self::DigitsShared => "digits+shared", "Rows as mixed-radix numbers, equal zones stored once";
    Self::Minimal => "minimal", "Minimal constraint form";
    Self::MinimalShared => "minimal+shared", "Minimal constraint form, equal zones stored once";
    Self::Cdd => "cdd", "Clock difference diagrams: one union of zones for each discrete state";
} }

named! { DiagramForm {
    Self::AllEdges => "all", "All edges, 32 bits for each number";
    Self::WithoutFalse => "no-false", "Without edges to false";
    Self::Compact => "compact", "Without edges to false, each number in as few bytes as it needs";
} }

named! { DiagramOrder {
    Self::DifferencesFirst => "differences-first", "Clock differences before single clocks";
    Self::ValuesFirst => "values-first", "Single clocks before clock differences";
    Self::ByClock => "by-clock", "Each clock with its differences to earlier clocks";
    Self::ByClockReversed => "by-clock-reversed", "The same, from the last clock to the first";
} }

named! { DiagramConstraints {
    Self::BeyondBox => "beyond-box", "All except differences that the bounds of single clocks imply";
    Self::All => "all", "All constraints of the closed matrix";
    Self::Minimal => "minimal", "A minimal constraint system";
} }

named! { DiagramInclusion {
    Self::Levels => "levels", "Level by level: sound, incomplete, cheap";
    Self::Exact { parts_max: 1_000 } => "exact", "Path by path where the level test fails, up to a thousand parts of the zone";
} }

named! { DiscreteForm {
    Self::Plain => "plain", "32 bits for each field";
    Self::Bits => "bits", "As many bits for each field as its range needs";
    Self::Digits => "digits", "One mixed-radix number";
    Self::Shared => "shared", "Location vectors and variable vectors, equal ones stored once";
    Self::Tree => "tree", "Tree compression: equal subtrees stored once";
    Self::Mtidd => "mtidd", "A multi-terminal interval decision diagram, with --zones cdd";
} }

named! { PassedForm {
    Self::Exact => "exact", "Complete states";
    Self::Bitstate => "bitstate", "Bitstate hashing: a few bits for each state";
    Self::Compact => "compact", "Hash compaction: a signature for each state";
    Self::CompactZone => "compact+zone", "Hash compaction of discrete states, with complete zones";
} }

named! { WhenFull {
    Self::Stop => "stop", "Stop the search";
    Self::Skip => "skip", "Continue without storing new states: probabilistic lists only";
    Self::Pack => "pack", "Rewrite the list in the smallest exact form and continue: exact lists only";
} }

named! { Committed {
    Self::Stored => "all", "All states";
    Self::Transient => "no-committed", "States without a committed location; the others are transient: followed at once";
    Self::Adaptive => "adaptive", "The same, until a third of the recent transient states lead to stored states only; then all";
} }

named! { Order {
    Self::Bfs => "bfs", "Breadth first";
    Self::Dfs => "dfs", "Depth first";
    Self::Random => "random", "Random, by --seed";
    Self::Topological => "topological", "Universal zones first, then by the topological order of locations";
    Self::Sweep => "sweep", "Universal zones first, then in sweeps along the topological order: few wasted visits";
    Self::Ranked => "ranked", "States that cover visited states first, before the successors of the covered ones";
    Self::RankedSweep => "ranked-sweep", "The same, ties broken by sweep";
    Self::Best => "best", "Best first, by the distance to the locations of the goal";
    Self::Mixed => "mixed", "Two alternating orders, one of them depth first, with random walks: finds witnesses early";
} }

named! { SymmetryUse {
    Self::Auto => "auto", "Of all states that symmetry exchanges, one is stored, where the model and the property allow it";
    Self::Off => "off", "All states are stored";
    Self::Scalar => "scalar", "Of all states that differ in values of declared scalar sets alone, one is stored";
} }

named! { CycleSearch {
    Self::Nested => "nested", "Nested depth-first search";
    Self::Components => "components", "Strongly connected components, refined where subsumption lies on an accepting cycle";
} }

named! { TraceKind {
    Self::None => "none", "No trace; no parent pointers are stored";
    Self::Some => "some", "The first one found";
    Self::Shortest => "shortest", "The fewest transitions";
    Self::Fastest => "fastest", "The least time";
} }

named! { Overflow {
    Self::Error => "error", "A run-time error of the model";
    Self::Wrap => "wrap", "Wraps modulo 2^32, as in UPPAAL";
} }

named! { bool {
    true => "on", "On";
    false => "off", "Off";
} }

const ROW: AxisInfo = AxisInfo {
    axis: Axis::Verdict,
    name: "verdict",
    help: "Whether verdicts are exact, or must be confirmed by a replayed run",
    values: AxisValues::Derived,
    default: "",
    requires: "",
    group: AxisGroup::Search,
    daily: false,
    on_page: false,
    in_json: false,
};

/// A row for the JSON plan.
const REPORTED: AxisInfo = AxisInfo { in_json: true, ..ROW };
/// A row for the JSON plan and the page.
const OFFERED: AxisInfo = AxisInfo { on_page: true, ..REPORTED };

const WITH_CLUSTER: &str = "--engine cluster";
const WITH_SYMBOLIC: &str = "--engine symbolic";
const WITH_CDD: &str = "--zones cdd";
const WITH_TABLE: &str = "--passed bitstate, compact or compact+zone";

/// How many traces can be asked for. All are in memory until the report is written: some hundred kilobytes for a long one.
const TRACES_MAX: u64 = 1000;
/// How many threads can be asked for.
const THREADS_MAX: u64 = 256;
/// How many searches can be asked for.
const PASSES_MAX: u64 = 1000;

/// The option table, in the order of [`Axis`].
pub const AXES: &[AxisInfo] = &[
    AxisInfo {
        axis: Axis::Engine,
        name: "engine",
        help: "Search engine",
        values: AxisValues::Choices(Engine::CHOICES),
        default: "zones, or symbolic where a short trial of both favours it",
        group: AxisGroup::Engine,
        daily: true,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Layout,
        name: "layout",
        help: "Distribution of states over the ranks",
        values: AxisValues::Patterns(LAYOUTS),
        default: "hash",
        requires: WITH_CLUSTER,
        group: AxisGroup::Engine,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::Balance,
        name: "balance",
        help: "Move CDD levels to the next rank when memory is uneven",
        values: AxisValues::OnOff,
        default: "on",
        requires: "--layout cdd-spread or groups=K",
        group: AxisGroup::Engine,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::BddMemory,
        name: "bdd-memory",
        help: "Memory of the BDDs, such as 256M",
        values: AxisValues::Bytes { min: 0 },
        default: "1G",
        requires: WITH_SYMBOLIC,
        group: AxisGroup::Engine,
        ..ROW
    },
    AxisInfo {
        axis: Axis::BddReorder,
        name: "bdd-reorder",
        help: "Dynamic reordering of BDD variables",
        values: AxisValues::OnOff,
        default: "on",
        requires: WITH_SYMBOLIC,
        group: AxisGroup::Engine,
        ..ROW
    },
    AxisInfo {
        axis: Axis::MergeZones,
        name: "merge-zones",
        help: "Merge zones with equal sets of discrete states if their union is a zone",
        values: AxisValues::OnOff,
        default: "off",
        requires: WITH_SYMBOLIC,
        group: AxisGroup::Engine,
        ..ROW
    },
    AxisInfo {
        axis: Axis::Abstraction,
        name: "abstraction",
        help: "Zone extrapolation",
        values: AxisValues::Choices(Abstraction::CHOICES),
        default: "extra-lu+",
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Bounds,
        name: "bounds",
        help: "Scope of the clock bounds that extrapolation uses",
        values: AxisValues::Choices(BoundsScope::CHOICES),
        default: "guarded with LU-extrapolation, else local",
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Cover,
        name: "cover",
        help: "Subsumption test",
        values: AxisValues::Choices(Cover::CHOICES),
        default: "adaptive for reachability, else inclusion",
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Zones,
        name: "zones",
        help: "Storage of zones",
        values: AxisValues::Choices(ZoneForm::CHOICES),
        default: "shared",
        group: AxisGroup::Storage,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::DiagramNodes,
        name: "diagram-nodes",
        help: "Encoding of CDD nodes",
        values: AxisValues::Choices(DiagramForm::CHOICES),
        default: "compact",
        requires: WITH_CDD,
        group: AxisGroup::Storage,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::DiagramOrder,
        name: "diagram-order",
        help: "Variable order of CDDs",
        values: AxisValues::Choices(DiagramOrder::CHOICES),
        default: "differences-first",
        requires: WITH_CDD,
        group: AxisGroup::Storage,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::DiagramConstraints,
        name: "diagram-constraints",
        help: "Constraints of a zone that become CDD nodes",
        values: AxisValues::Choices(DiagramConstraints::CHOICES),
        default: "beyond-box",
        requires: WITH_CDD,
        group: AxisGroup::Storage,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::DiagramInclusion,
        name: "diagram-inclusion",
        help: "Test for inclusion of a zone in a union",
        values: AxisValues::Choices(DiagramInclusion::CHOICES),
        default: "exact",
        requires: WITH_CDD,
        group: AxisGroup::Storage,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::DiagramBacktrace,
        name: "diagram-backtrace",
        help: "Match existing CDD nodes from the bottom up before a zone is added",
        values: AxisValues::Flag,
        requires: WITH_CDD,
        group: AxisGroup::Storage,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::Discrete,
        name: "discrete",
        help: "Storage of discrete states (locations and variables)",
        values: AxisValues::Choices(DiscreteForm::CHOICES),
        default: "bits",
        group: AxisGroup::Storage,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Compact,
        name: "compact",
        help: "Smallest exact storage of zones and discrete states: less memory, more time",
        values: AxisValues::Flag,
        group: AxisGroup::Storage,
        daily: true,
        on_page: true,
        ..ROW
    },
    AxisInfo {
        axis: Axis::Passed,
        name: "passed",
        help: "Passed list: exact, or probabilistic (bitstate, hash compaction)",
        values: AxisValues::Choices(PassedForm::CHOICES),
        default: "exact",
        group: AxisGroup::Storage,
        daily: true,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::PassedMemory,
        name: "passed-memory",
        help: "Memory of a probabilistic passed list, such as 16M or 1G",
        values: AxisValues::Bytes { min: 1 << 10 },
        default: "64M",
        requires: WITH_TABLE,
        group: AxisGroup::Storage,
        ..ROW
    },
    AxisInfo {
        axis: Axis::BitsPerState,
        name: "bits-per-state",
        help: "Bits for each state in a bitstate table",
        values: AxisValues::Number { min: 1, max: 64 },
        default: "4",
        requires: "--passed bitstate",
        group: AxisGroup::Storage,
        ..ROW
    },
    AxisInfo {
        axis: Axis::SignatureBits,
        name: "signature-bits",
        help: "Bits of a signature in hash compaction",
        values: AxisValues::Number { min: 1, max: 62 },
        default: "47",
        requires: "--passed compact or compact+zone",
        group: AxisGroup::Storage,
        ..ROW
    },
    AxisInfo {
        axis: Axis::Passes,
        name: "passes",
        help: "Maximum number of searches, each with another hash function",
        values: AxisValues::Number { min: 1, max: PASSES_MAX },
        default: "1",
        requires: WITH_TABLE,
        group: AxisGroup::Storage,
        ..ROW
    },
    AxisInfo {
        axis: Axis::WhenFull,
        name: "when-full",
        help: "Action when a probabilistic list is full, or an exact list approaches --memory-limit",
        values: AxisValues::Choices(WhenFull::CHOICES),
        default: "stop",
        group: AxisGroup::Storage,
        ..REPORTED
    },
    AxisInfo {
        axis: Axis::Store,
        name: "store",
        help: "States that are stored",
        values: AxisValues::Choices(Committed::CHOICES),
        default: "adaptive for one reachability property of a model with committed locations, else all",
        group: AxisGroup::Storage,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Order,
        name: "order",
        help: "Search order",
        values: AxisValues::Choices(Order::CHOICES),
        default: "mixed for E<>, bfs for liveness and --trace shortest, else sweep",
        daily: true,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::TopologicalOrder,
        name: "topological-order",
        help: "Order of the locations of each process: a file with lines `Process: location location ...`, or random by --seed",
        values: AxisValues::FileOr(RANDOM),
        default: "computed",
        requires: "--order topological, sweep or ranked-sweep",
        ..ROW
    },
    AxisInfo {
        axis: Axis::ShuffleEdges,
        name: "shuffle-edges",
        help: "Random order of successors, by --seed",
        values: AxisValues::Flag,
        ..ROW
    },
    AxisInfo {
        axis: Axis::Threads,
        name: "threads",
        help: "Number of threads; the answer, the counts and the trace are the same for any number",
        values: AxisValues::Number { min: 1, max: THREADS_MAX },
        default: "all cores where states are visited in rounds, else 1",
        daily: true,
        on_page: true,
        ..ROW
    },
    AxisInfo {
        axis: Axis::WaitingInclusion,
        name: "waiting-inclusion",
        help: "Subsumption test against the waiting list too",
        values: AxisValues::OnOff,
        default: "on",
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Overflow,
        name: "overflow",
        help: "Results of integer arithmetic beyond 32 bits",
        values: AxisValues::Choices(Overflow::CHOICES),
        default: "the annotation of the model, else error",
        group: AxisGroup::Model,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Reduce,
        name: "reduce",
        help: "Active clock reduction",
        values: AxisValues::OnOff,
        default: "off; on with --abstraction none",
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Symmetry,
        name: "symmetry",
        help: "Symmetry reduction",
        values: AxisValues::Choices(SymmetryUse::CHOICES),
        default: "auto",
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Cycles,
        name: "cycles",
        help: "Cycle detection",
        values: AxisValues::Choices(CycleSearch::CHOICES),
        default: "nested; components with --accepting",
        group: AxisGroup::Liveness,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::NonZeno,
        name: "non-zeno",
        help: "Consider only infinite runs along which time diverges",
        values: AxisValues::Flag,
        group: AxisGroup::Liveness,
        daily: true,
        ..ROW
    },
    AxisInfo {
        axis: Axis::Trace,
        name: "trace",
        help: "Trace of a witness or counterexample",
        values: AxisValues::Choices(TraceKind::CHOICES),
        default: "some",
        group: AxisGroup::Trace,
        daily: true,
        ..OFFERED
    },
    AxisInfo {
        axis: Axis::Traces,
        name: "traces",
        help: "Number of traces along different paths, shortest first",
        values: AxisValues::Number { min: 1, max: TRACES_MAX },
        group: AxisGroup::Trace,
        daily: true,
        ..ROW
    },
    AxisInfo {
        axis: Axis::Seed,
        name: "seed",
        help: "Seed of all random choices: the same seed gives the same search",
        values: AxisValues::Number { min: 0, max: u64::MAX },
        default: "0",
        ..ROW
    },
    ROW,
    AxisInfo {
        axis: Axis::Certificate,
        name: "certificate",
        help: "Whether a certificate of the answer can be written",
        ..ROW
    },
];

impl AxisInfo {
    /// Whether it can be requested.
    #[must_use]
    pub fn is_option(&self) -> bool {
        !matches!(self.values, AxisValues::Derived)
    }
}

/// What stands for random positions, in place of a file.
const RANDOM: &str = "random";

impl Axis {
    /// Its row of the table.
    #[must_use]
    pub fn info(self) -> &'static AxisInfo {
        &AXES[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The axis with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        AXES.iter().find(|info| info.name == name).map(|info| info.axis)
    }
}

impl AxisInfo {
    /// The choices; empty if the values are numbers or files.
    #[must_use]
    pub fn choices(&self) -> &'static [AxisChoice] {
        match self.values {
            AxisValues::Choices(choices) | AxisValues::Patterns(choices) => choices,
            AxisValues::OnOff | AxisValues::Flag => bool::CHOICES,
            AxisValues::Bytes { .. }
            | AxisValues::Number { .. }
            | AxisValues::FileOr(_)
            | AxisValues::Derived => &[],
        }
    }

    /// The choices that the page offers: a cluster is a matter of machines, not of a model.
    pub fn page_choices(&self) -> impl Iterator<Item = &'static AxisChoice> {
        let is_offered = |choice: &&AxisChoice| {
            self.axis != Axis::Engine || Engine::from_name(choice.name) != Some(Engine::Cluster)
        };
        self.choices().iter().filter(is_offered)
    }
}

impl PlanRequest {
    /// Sets an option from its text. Bytes are plain numbers; positions of locations are random, since files are the
    /// caller's to read.
    ///
    /// # Errors
    /// If it has no such value, in a sentence.
    pub fn set(&mut self, axis: Axis, text: &str) -> Result<(), String> {
        match axis {
            Axis::Engine => {
                self.engine = choice(axis, text)?;
                self.any_engine = false;
            }
            Axis::Layout => self.layout = Some(layout(text)?),
            Axis::Balance => self.balance = Some(choice(axis, text)?),
            Axis::BddMemory => self.sets.memory_bytes = Some(number(axis, text)?),
            Axis::BddReorder => self.sets.reorder = Some(choice(axis, text)?),
            Axis::MergeZones => self.sets.merge = Some(choice(axis, text)?),
            Axis::Abstraction => self.abstraction = Some(choice(axis, text)?),
            Axis::Bounds => self.bounds = Some(choice(axis, text)?),
            Axis::Cover => self.cover = Some(choice(axis, text)?),
            Axis::Zones => self.zones = Some(choice(axis, text)?),
            Axis::DiagramNodes => self.diagrams.get_or_insert_default().form = choice(axis, text)?,
            Axis::DiagramOrder => self.diagrams.get_or_insert_default().other.order = choice(axis, text)?,
            Axis::DiagramConstraints => {
                self.diagrams.get_or_insert_default().other.constraints = choice(axis, text)?;
            }
            Axis::DiagramInclusion => {
                self.diagrams.get_or_insert_default().other.inclusion = choice(axis, text)?;
            }
            Axis::DiagramBacktrace => {
                self.diagrams.get_or_insert_default().other.backtrace = choice(axis, text)?;
            }
            Axis::Discrete => self.discrete = Some(choice(axis, text)?),
            Axis::Compact => self.compact = choice(axis, text)?,
            Axis::Passed => self.passed = choice(axis, text)?,
            Axis::PassedMemory => self.table.memory_bytes = Some(number(axis, text)?),
            Axis::BitsPerState => self.table.bits_per_state = Some(small_number(axis, text)?),
            Axis::SignatureBits => self.table.signature_bits = Some(small_number(axis, text)?),
            Axis::Passes => self.table.passes = Some(small_number(axis, text)?),
            Axis::WhenFull => self.when_full = Some(choice(axis, text)?),
            Axis::Store => self.store = Some(choice(axis, text)?),
            Axis::Order => self.order = Some(choice(axis, text)?),
            Axis::TopologicalOrder if text == RANDOM => self.positions = PositionSource::Random,
            Axis::TopologicalOrder => return Err(format!("`{text}` is a file, which must be read first")),
            Axis::ShuffleEdges => self.shuffle_edges = choice(axis, text)?,
            Axis::Threads => self.threads = Some(small_number(axis, text)?),
            Axis::WaitingInclusion => self.waiting_inclusion = Some(choice(axis, text)?),
            Axis::Overflow => self.overflow = Some(choice(axis, text)?),
            Axis::Reduce => self.reduce = Some(choice(axis, text)?),
            Axis::Symmetry => self.symmetry = choice(axis, text)?,
            Axis::Cycles => self.cycles = Some(choice(axis, text)?),
            Axis::NonZeno => self.non_zeno = choice(axis, text)?,
            Axis::Trace => self.trace = choice(axis, text)?,
            Axis::Traces => self.traces = Some(small_number(axis, text)? as usize),
            Axis::Seed => self.seed = number(axis, text)?,
            Axis::Verdict | Axis::Certificate => return Err(format!("`{}` is not an option", axis.name())),
        }
        Ok(())
    }
}

fn choice<T: Named>(axis: Axis, text: &str) -> Result<T, String> {
    T::from_name(text).ok_or_else(|| no_such_value(axis.info(), text, T::CHOICES.iter()))
}

/// That an option has no such value, and which ones it has.
pub fn no_such_value<'a>(
    info: &AxisInfo,
    text: &str,
    choices: impl Iterator<Item = &'a AxisChoice>,
) -> String {
    let short: String = text.chars().take(40).collect();
    let names: Vec<&str> = choices.map(|choice| choice.name).collect();
    format!("`{short}` is not a value of `{}`: the values are {}", info.name, names.join(", "))
}

/// The layouts without a number in their name, in the order of [`LAYOUTS`].
const FIXED_LAYOUTS: [Layout; 3] = [Layout::Hash, Layout::CddPerRank, Layout::CddSpread];
const GROUPS: &str = "groups=";

fn layout(text: &str) -> Result<Layout, String> {
    let fixed = FIXED_LAYOUTS.into_iter().zip(LAYOUTS).find(|(_, choice)| choice.name == text);
    let groups = || text.strip_prefix(GROUPS).and_then(|count| count.parse().ok()).filter(|&count| count > 0);
    let layout = fixed.map(|(layout, _)| layout).or_else(|| groups().map(Layout::Groups));
    layout.ok_or_else(|| no_such_value(Axis::Layout.info(), text, LAYOUTS.iter()))
}

pub(super) fn layout_name(layout: Layout) -> String {
    match layout {
        Layout::Groups(groups) => format!("{GROUPS}{groups}"),
        fixed => {
            let choice = FIXED_LAYOUTS.into_iter().zip(LAYOUTS).find(|(layout, _)| *layout == fixed);
            choice.map_or(String::new(), |(_, choice)| choice.name.to_owned())
        }
    }
}

fn number(axis: Axis, text: &str) -> Result<u64, String> {
    let (min, max) = match axis.info().values {
        AxisValues::Number { min, max } => (min, max),
        AxisValues::Bytes { min } => (min, u64::MAX),
        _ => (0, u64::MAX),
    };
    let number: u64 = text.parse().map_err(|error| format!("`{text}`: {error}"))?;
    if (min..=max).contains(&number) {
        Ok(number)
    } else if max == u64::MAX {
        Err(format!("{number} is less than {min}"))
    } else {
        Err(format!("{number} is not in {min}..={max}"))
    }
}

fn small_number(axis: Axis, text: &str) -> Result<u32, String> {
    number(axis, text).and_then(|number| u32::try_from(number).map_err(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_axes() {
        for (index, info) in AXES.iter().enumerate() {
            assert_eq!(info.axis as usize, index, "{}", info.name);
            assert_eq!(Axis::from_name(info.name), Some(info.axis));
            assert!(!info.help.is_empty() && !info.help.ends_with('.'), "{}", info.name);
        }
    }

    #[test]
    fn every_choice_is_a_request_of_its_own() {
        for info in AXES {
            let set = |text: &str| {
                let mut request = PlanRequest { any_engine: true, ..PlanRequest::default() };
                request.set(info.axis, text).map(|()| format!("{request:?}"))
            };
            let mut requests: Vec<String> = info
                .choices()
                .iter()
                .map(|choice| set(&choice.name.replace('K', "2")).expect("a value"))
                .collect();
            requests.sort();
            requests.dedup();
            assert_eq!(requests.len(), info.choices().len(), "{}", info.name);
            assert!(set("backwards").is_err(), "{}", info.name);
        }
    }

    #[test]
    fn the_exact_inclusion_test_is_the_default_one() {
        assert_eq!(DiagramInclusion::from_name("exact"), Some(DiagramInclusion::default()));
        assert_eq!(layout_name(Layout::CddSpread), "cdd-spread");
        assert_eq!(layout("groups=3").map(layout_name), Ok("groups=3".to_owned()));
    }

    #[test]
    fn numbers_have_ranges() {
        let mut request = PlanRequest::default();
        assert_eq!(request.set(Axis::BitsPerState, "65"), Err("65 is not in 1..=64".to_owned()));
        assert_eq!(request.set(Axis::PassedMemory, "1023"), Err("1023 is less than 1024".to_owned()));
        assert_eq!(request.set(Axis::Seed, "18446744073709551615"), Ok(()));
        assert_eq!(request.seed, u64::MAX);
    }

    /// The page of the book that has the table, and the lines that it stands between.
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/options.md");
    const BEGIN: &str =
        "<!-- The option table. UPDATE_OPTIONS=1 cargo test -p tourbillon-check options writes it. -->\n";
    const END: &str = "<!-- The end of the option table. -->\n";

    #[test]
    fn the_book_has_the_options() {
        let page = std::fs::read_to_string(PAGE).expect("the page of the book");
        let (before, rest) = page.split_once(BEGIN).expect("the beginning of the table");
        let (written, after) = rest.split_once(END).expect("the end of the table");
        let table = book_table();
        if std::env::var_os("UPDATE_OPTIONS").is_some() {
            std::fs::write(PAGE, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page is written");
        } else {
            assert_eq!(written, table, "run again with UPDATE_OPTIONS=1");
        }
    }

    fn book_table() -> String {
        let mut text = String::new();
        let groups = [
            AxisGroup::Engine,
            AxisGroup::Search,
            AxisGroup::Storage,
            AxisGroup::Liveness,
            AxisGroup::Trace,
            AxisGroup::Model,
        ];
        for group in groups {
            let _ = writeln!(text, "\n### {}\n", group.title());
            text += "| option | meaning | default | requires |\n|---|---|---|---|\n";
            for info in AXES.iter().filter(|info| info.group == group && info.is_option()) {
                let default = if info.default.is_empty() { "off" } else { info.default };
                let requires =
                    if info.requires.is_empty() { String::new() } else { format!("`{}`", info.requires) };
                let values: String = match info.values {
                    AxisValues::Choices(choices) | AxisValues::Patterns(choices) => choices
                        .iter()
                        .map(|choice| format!("<br>`{}`: {}", choice.name, choice.help))
                        .collect(),
                    _ => String::new(),
                };
                let _ = writeln!(
                    text,
                    "| `--{}{}` | {}{values} | {default} | {requires} |",
                    info.name,
                    value_name(&info.values),
                    info.help.replace('|', "\\|")
                );
            }
        }
        text.push('\n');
        text
    }

    fn value_name(values: &AxisValues) -> String {
        match values {
            AxisValues::OnOff => " on\\|off".to_owned(),
            AxisValues::Bytes { .. } => " BYTES".to_owned(),
            AxisValues::Number { .. } => " N".to_owned(),
            AxisValues::FileOr(word) => format!(" FILE\\|{word}"),
            AxisValues::Choices(_) | AxisValues::Patterns(_) | AxisValues::Flag | AxisValues::Derived => {
                String::new()
            }
        }
    }
}
