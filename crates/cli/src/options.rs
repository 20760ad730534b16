//! The options of a plan, as the command line names them: one enumeration for each axis.

use std::path::PathBuf;

use tourbillon::{
    Abstraction, BoundsScope, Cover, CycleSearch, DiagramConstraints, DiagramForm, DiagramInclusion,
    DiagramOrder, DiagramSettings, DiscreteForm, Engine, Layout, Loaded, Order, PassedForm, PositionsWish,
    SetWishes, TableWishes, TraceKind, WhenFull, Wishes, ZoneForm, read_positions,
};

use crate::{Failure, input, quantity};

/// How many runs can be asked for. All are kept until the report is written, which takes some hundred kilobytes for a
/// long one.
const TRACES_MAX: i64 = 1000;

/// How many searches can be asked for.
const PASSES_MAX: i64 = 1000;

/// What stands for an order of locations that is drawn, in place of a file.
const RANDOM: &str = "random";

/// How a question is to be answered; what is left out is chosen.
#[derive(clap::Args)]
#[command(next_help_heading = "Plan")]
pub(crate) struct PlanOptions {
    /// What searches; if it is left out, zones, or symbolic where a short trial of both says so
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    /// How states are laid out over the ranks of a cluster
    ///
    /// `hash`: each rank has the locations and variables that hash to it, with all their zones. The others keep zones as
    /// unions in diagrams, as --zones cdd does: `cdd-per-rank` has a diagram on each rank, `cdd-spread` has one with some of
    /// its levels on each rank, and `groups=K` has K groups of ranks, each with a diagram over the ranks of the group.
    #[arg(long, value_parser = layout, value_name = "hash|cdd-per-rank|cdd-spread|groups=K")]
    layout: Option<Layout>,
    #[command(flatten)]
    sets: SetOptions,
    /// Whether levels of a diagram over several ranks move to the next rank when its memory is uneven
    #[arg(long, value_enum)]
    balance: Option<Switch>,
    /// How zones are made larger, so that there are finitely many
    #[arg(long, value_enum)]
    abstraction: Option<AbstractionName>,
    /// Which constants that uses: those of the whole model, or those that still matter at a location
    #[arg(long, value_enum)]
    bounds: Option<BoundsName>,
    /// When a stored state makes another one superfluous
    #[arg(long, value_enum)]
    cover: Option<CoverName>,
    /// How zones are stored
    #[arg(long, value_enum)]
    zones: Option<ZonesName>,
    #[command(flatten)]
    diagrams: DiagramOptions,
    /// How locations and variables are stored
    #[arg(long, value_enum)]
    discrete: Option<DiscreteName>,
    /// Store everything in the smallest exact form, though that may take more time
    #[arg(long)]
    compact: bool,
    /// What the passed list keeps of a state; all but `exact` may leave states out, so that what is not found is unknown
    #[arg(long, value_enum, default_value = "exact")]
    passed: PassedName,
    /// The memory of a passed list that is a table, such as 16M or 1G; 64M if it is left out
    #[arg(long, value_parser = quantity::table_bytes, value_name = "BYTES")]
    passed_memory: Option<u64>,
    /// How many bits of the table a state has, with --passed bitstate; 4 if it is left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    bits_per_state: Option<u32>,
    /// How many bits a signature has, with --passed compact or compact+zone; 47 if it is left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=62))]
    signature_bits: Option<u32>,
    /// What to do when there is no room: for a table of signatures, or, with --memory-limit, for an exact list
    #[arg(long, value_enum)]
    when_full: Option<WhenFullName>,
    /// Search up to this many times with other hash functions, where states may be left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=PASSES_MAX))]
    passes: Option<u32>,
    /// Which state is visited next
    #[arg(long, value_enum)]
    order: Option<OrderName>,
    /// The order of locations that --order topological, sweep and ranked-sweep go by: a file with a line `Process: location location ...` for
    /// each process, or `random`, by --seed; computed if it is left out
    #[arg(long, value_name = "FILE|random")]
    topological_order: Option<PathBuf>,
    /// Take the successors of each state in a random order, by --seed
    #[arg(long)]
    shuffle_edges: bool,
    /// Whether new states are compared with waiting ones too
    #[arg(long, value_enum, value_name = "ON|OFF")]
    waiting_inclusion: Option<Switch>,
    /// Whether clocks are forgotten where nothing is asked of them any more
    #[arg(long, value_enum, value_name = "ON|OFF")]
    reduce: Option<Switch>,
    /// How runs that go on for ever are looked for
    #[arg(long, value_enum)]
    cycles: Option<CyclesName>,
    /// Of runs that go on for ever, count only those along which time does too
    #[arg(long)]
    non_zeno: bool,
    /// Which run is shown with an answer that has one
    #[arg(long, value_enum, default_value = "some")]
    trace: TraceName,
    /// Show up to this many runs along different paths, shortest first: at most 1000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=TRACES_MAX))]
    traces: Option<u32>,
    /// What random choices are drawn from: the same number gives the same search
    #[arg(long, default_value_t, value_name = "N")]
    seed: u64,
}

impl PlanOptions {
    /// Whether several ranks are to search.
    pub(crate) fn is_cluster(&self) -> bool {
        self.engine == Some(EngineName::Cluster)
    }

    /// Whether several runs are wished for.
    pub(crate) const fn several_runs(&self) -> bool {
        self.traces.is_some()
    }

    /// The file that an order of locations is in.
    pub(crate) fn positions_file(&self) -> Option<&PathBuf> {
        self.topological_order.as_ref().filter(|path| path.as_os_str() != RANDOM)
    }

    /// What that asks of a plan for a model.
    pub(crate) fn wishes_for(&self, loaded: &Loaded) -> Result<Wishes, Failure> {
        let mut wishes = self.wishes();
        if let (Some(path), Some(model)) = (self.positions_file(), &loaded.model) {
            let (name, bytes) = (path.display().to_string(), input::read(path)?);
            let text = String::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))?;
            wishes.positions = PositionsWish::Given(read_positions(model, &name, &text)?);
        }
        Ok(wishes)
    }

    /// What that asks of a plan, files aside.
    pub(crate) fn wishes(&self) -> Wishes {
        Wishes {
            engine: self.engine.map_or_else(Engine::default, Into::into),
            any_engine: self.engine.is_none(),
            layout: self.layout,
            sets: self.sets.wishes(),
            balance: self.balance.map(|switch| switch == Switch::On),
            abstraction: self.abstraction.map(Into::into),
            bounds: self.bounds.map(Into::into),
            cover: self.cover.map(Into::into),
            zones: self.zones.map(Into::into),
            diagrams: self.diagrams.settings(),
            discrete: self.discrete.map(Into::into),
            passed: self.passed.into(),
            table: TableWishes {
                memory_bytes: self.passed_memory,
                bits_per_state: self.bits_per_state,
                signature_bits: self.signature_bits,
                passes: self.passes,
            },
            when_full: self.when_full.map(Into::into),
            compact: self.compact,
            order: self.order.map(Into::into),
            positions: match &self.topological_order {
                Some(path) if path.as_os_str() == RANDOM => PositionsWish::Random,
                _ => PositionsWish::Computed,
            },
            shuffle_edges: self.shuffle_edges,
            waiting_inclusion: self.waiting_inclusion.map(|switch| switch == Switch::On),
            reduce: self.reduce.map(|switch| switch == Switch::On),
            cycles: self.cycles.map(Into::into),
            non_zeno: self.non_zeno,
            trace: self.trace.into(),
            traces: self.traces.map(|wanted| wanted as usize),
            seed: self.seed,
        }
    }
}

/// How sets are kept with `--engine symbolic`.
#[derive(clap::Args)]
struct SetOptions {
    /// The memory of binary decision diagrams, with --engine symbolic, such as 256M; 1G if it is left out
    #[arg(long, value_parser = quantity::bytes, value_name = "BYTES")]
    bdd_memory: Option<u64>,
    /// Whether variables of diagrams are put into a better order when there are many nodes, with --engine symbolic
    #[arg(long, value_enum, value_name = "ON|OFF")]
    bdd_reorder: Option<Switch>,
    /// Whether zones with equal sets are made one where that adds nothing, with --engine symbolic
    #[arg(long, value_enum, value_name = "ON|OFF")]
    merge_zones: Option<Switch>,
}

impl SetOptions {
    fn wishes(&self) -> SetWishes {
        let on = |switch: Option<Switch>| switch.map(|switch| switch == Switch::On);
        SetWishes {
            memory_bytes: self.bdd_memory,
            reorder: on(self.bdd_reorder),
            merge: on(self.merge_zones),
        }
    }
}

/// How zones are kept with `--zones cdd`.
#[derive(clap::Args)]
struct DiagramOptions {
    /// How the nodes of diagrams are written, with --zones cdd; `compact` if it is left out
    #[arg(long, value_enum)]
    diagram_nodes: Option<DiagramNodesName>,
    /// Which difference of clocks diagrams ask for first, with --zones cdd; `differences-first` if it is left out
    #[arg(long, value_enum)]
    diagram_order: Option<DiagramOrderName>,
    /// Which constraints of a zone become nodes, with --zones cdd; `beyond-box` if it is left out
    #[arg(long, value_enum)]
    diagram_constraints: Option<DiagramConstraintsName>,
    /// How hard to look for an inclusion in several zones together, with --zones cdd; `exact` if it is left out
    #[arg(long, value_enum)]
    diagram_inclusion: Option<DiagramInclusionName>,
    /// Look for nodes at the bottom that are there already before a zone is added, with --zones cdd
    #[arg(long)]
    diagram_backtrace: bool,
}

impl DiagramOptions {
    /// Whether there is a word of diagrams, be it what is usual.
    fn says_anything(&self) -> bool {
        let Self { diagram_nodes, diagram_order, diagram_constraints, diagram_inclusion, diagram_backtrace } =
            self;
        diagram_nodes.is_some()
            || diagram_order.is_some()
            || diagram_constraints.is_some()
            || diagram_inclusion.is_some()
            || *diagram_backtrace
    }

    /// What was said of diagrams, if anything was.
    fn settings(&self) -> Option<DiagramSettings> {
        let mut settings = DiagramSettings::default();
        let other = &mut settings.other;
        settings.form = self.diagram_nodes.map_or(settings.form, Into::into);
        other.order = self.diagram_order.map_or(other.order, Into::into);
        other.constraints = self.diagram_constraints.map_or(other.constraints, Into::into);
        other.inclusion = match self.diagram_inclusion {
            Some(DiagramInclusionName::Levels) => DiagramInclusion::Levels,
            Some(DiagramInclusionName::Exact) | None => DiagramInclusion::default(),
        };
        other.backtrace = self.diagram_backtrace;
        self.says_anything().then_some(settings)
    }
}

/// How hard to look for an inclusion.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DiagramInclusionName {
    /// Level by level: what one zone includes, and some of what several do together
    Levels,
    /// Path by path where that says no, up to a thousand parts of the zone
    Exact,
}

/// Names for the values of an axis: each with its name, a sentence, and what it means.
macro_rules! names {
    ($type:ident means $axis:ty { $($variant:ident = $name:literal, $help:literal;)* }) => {
        #[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
        enum $type {
            $(#[doc = $help] #[value(name = $name)] $variant,)*
        }

        impl From<$type> for $axis {
            fn from(name: $type) -> Self {
                match name {
                    $($type::$variant => Self::$variant,)*
                }
            }
        }
    };
}

/// Reads how states are laid out over ranks.
fn layout(text: &str) -> Result<Layout, String> {
    let groups = text.strip_prefix("groups=").and_then(|count| count.parse().ok()).filter(|&count| count > 0);
    match (text, groups) {
        ("hash", _) => Ok(Layout::Hash),
        ("cdd-per-rank", _) => Ok(Layout::CddPerRank),
        ("cdd-spread", _) => Ok(Layout::CddSpread),
        (_, Some(groups)) => Ok(Layout::Groups(groups)),
        _ => Err("a layout is `hash`, `cdd-per-rank`, `cdd-spread` or `groups=K`, with at least one group"
            .to_owned()),
    }
}

names! { EngineName means Engine {
    Zones = "zones", "One search over zones, in one memory";
    Symbolic = "symbolic", "Sets of locations and variables for each zone, as binary decision diagrams: for much data and few clocks";
    Cluster = "cluster", "Several ranks together, each with a memory of its own: --ranks, or mpirun";
} }

names! { AbstractionName means Abstraction {
    None = "none", "Zones stay exact; the search may not end";
    ExtraM = "extra-m", "By the largest constant of each clock";
    ExtraMPlus = "extra-m+", "The same, and coarser once a clock is beyond its constant";
    ExtraLu = "extra-lu", "By the largest constants of lower and of upper bounds apart";
    ExtraLuPlus = "extra-lu+", "Both refinements, the coarsest";
} }

names! { BoundsName means BoundsScope {
    Global = "global", "The largest of the whole model";
    Local = "local", "Those that can still matter at the locations of a state";
} }

names! { CoverName means Cover {
    Equality = "equality", "When its zone is equal";
    Inclusion = "inclusion", "When its zone includes the other";
    Alu = "alu", "When the abstraction a_LU of its zone includes the other";
} }

names! { ZonesName means ZoneForm {
    Plain = "plain", "As matrices of bounds";
    Shared = "shared", "As matrices of bounds, equal ones once";
    Bits = "bits", "Every bound in a few bits, compared many at a time";
    BitsShared = "bits+shared", "The same, equal ones once";
    Digits = "digits", "Bounds as digits of numbers: smaller, and slower to compare";
    DigitsShared = "digits+shared", "The same, equal ones once";
    Minimal = "minimal", "The few constraints that imply all others";
    MinimalShared = "minimal+shared", "The same, equal ones once";
    Cdd = "cdd", "One union for each state of locations and variables, as a diagram; all diagrams share their nodes";
} }

names! { DiagramNodesName means DiagramForm {
    AllEdges = "all", "All edges, every number in 32 bits";
    WithoutFalse = "no-false", "Edges to false left out";
    Compact = "compact", "The same, and every number in as few bytes as it needs";
} }

names! { DiagramOrderName means DiagramOrder {
    DifferencesFirst = "differences-first", "Differences between clocks, then the clocks themselves";
    ValuesFirst = "values-first", "The other way round";
    ByClock = "by-clock", "Each clock with its differences to those before it";
    ByClockReversed = "by-clock-reversed", "The same from the last clock to the first";
} }

names! { DiagramConstraintsName means DiagramConstraints {
    BeyondBox = "beyond-box", "All but the differences that follow from the bounds of the clocks themselves";
    All = "all", "All of them";
    Minimal = "minimal", "The few that imply all others";
} }

names! { DiscreteName means DiscreteForm {
    Plain = "plain", "As they are, 32 bits for each";
    Bits = "bits", "In as many bits as the range of each needs";
    Digits = "digits", "As one number, in as few bits as all ranges together need";
    Shared = "shared", "Equal vectors of locations once, and equal vectors of variables";
    Tree = "tree", "Cut in halves again and again, equal parts once";
    Mtidd = "mtidd", "As one diagram with unions of zones at its leaves, with --zones cdd";
} }

names! { PassedName means PassedForm {
    Exact = "exact", "All of it";
    Bitstate = "bitstate", "A few bits of a table";
    Compact = "compact", "A signature in a table";
    CompactZone = "compact+zone", "A signature of locations and variables in a table, and the zone";
} }

names! { WhenFullName means WhenFull {
    Stop = "stop", "End the search";
    Skip = "skip", "Go on, and visit what finds no room perhaps several times: for tables";
    Pack = "pack", "Rewrite what is stored in the smallest exact form, and go on: for exact lists";
} }

names! { OrderName means Order {
    Bfs = "bfs", "The one found first";
    Dfs = "dfs", "The one found last";
    Random = "random", "Any, by --seed";
    Topological = "topological", "One that nothing can cover, else the one whose locations come first in their processes";
    Sweep = "sweep", "One that nothing can cover, else in sweeps from the first locations to the last";
    Ranked = "ranked", "One that covers visited states, before those that came of these";
    RankedSweep = "ranked-sweep", "The same, and where that leaves a choice in sweeps";
    Best = "best", "The one nearest to what is asked for, by the locations of its processes";
} }

names! { CyclesName means CycleSearch {
    Nested = "nested", "Depth first, and again from accepting states";
    Components = "components", "By strongly connected components, undoing coverings where they matter";
} }

names! { TraceName means TraceKind {
    None = "none", "None; nothing is kept for it";
    Some = "some", "The one that the search comes upon";
    Shortest = "shortest", "One with as few transitions as possible";
    Fastest = "fastest", "One that takes as little time as possible";
} }

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    /// Yes
    On,
    /// No
    Off,
}
