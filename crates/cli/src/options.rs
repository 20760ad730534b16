//! The options of a plan. Names and sentences of what can be chosen are the façade's (`tourbillon::axes`).

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tourbillon::{
    Abstraction, Axial, BddRequest, BoundsScope, Cover, CycleSearch, DiagramConstraints, DiagramForm,
    DiagramInclusion, DiagramOrder, DiagramSettings, DiscreteForm, Engine, HashingRequest, Layout, Loaded,
    Order, PassedForm, PlanRequest, PositionSource, TraceKind, WhenFull, ZoneForm, axis_about,
    read_positions,
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
    #[arg(long, help = axis_about("engine"), value_parser = named::<Engine>())]
    engine: Option<Engine>,
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
    #[arg(long, value_parser = named::<bool>())]
    balance: Option<bool>,
    #[arg(long, help = axis_about("abstraction"), value_parser = named::<Abstraction>())]
    abstraction: Option<Abstraction>,
    #[arg(long, help = axis_about("bounds"), value_parser = named::<BoundsScope>())]
    bounds: Option<BoundsScope>,
    #[arg(long, help = axis_about("cover"), value_parser = named::<Cover>())]
    cover: Option<Cover>,
    #[arg(long, help = axis_about("zones"), value_parser = named::<ZoneForm>())]
    zones: Option<ZoneForm>,
    #[command(flatten)]
    diagrams: DiagramOptions,
    #[arg(long, help = axis_about("discrete"), value_parser = named::<DiscreteForm>())]
    discrete: Option<DiscreteForm>,
    #[arg(long, help = axis_about("compact"))]
    compact: bool,
    #[arg(long, help = axis_about("passed"), value_parser = named::<PassedForm>(), default_value = "exact")]
    passed: PassedForm,
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
    #[arg(long, value_parser = named::<WhenFull>())]
    when_full: Option<WhenFull>,
    /// Search up to this many times with other hash functions, where states may be left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=PASSES_MAX))]
    passes: Option<u32>,
    #[arg(long, help = axis_about("order"), value_parser = named::<Order>())]
    order: Option<Order>,
    /// The order of locations that --order topological, sweep and ranked-sweep go by: a file with a line `Process: location location ...` for
    /// each process, or `random`, by --seed; computed if it is left out
    #[arg(long, value_name = "FILE|random")]
    topological_order: Option<PathBuf>,
    /// Take the successors of each state in a random order, by --seed
    #[arg(long)]
    shuffle_edges: bool,
    #[arg(long, help = axis_about("waiting-inclusion"), value_parser = named::<bool>(), value_name = "ON|OFF")]
    waiting_inclusion: Option<bool>,
    #[arg(long, help = axis_about("reduce"), value_parser = named::<bool>(), value_name = "ON|OFF")]
    reduce: Option<bool>,
    #[arg(long, help = axis_about("cycles"), value_parser = named::<CycleSearch>())]
    cycles: Option<CycleSearch>,
    /// Of runs that go on for ever, count only those along which time does too
    #[arg(long)]
    non_zeno: bool,
    #[arg(long, help = axis_about("trace"), value_parser = named::<TraceKind>(), default_value = "some")]
    trace: TraceKind,
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
        self.engine == Some(Engine::Cluster)
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
    pub(crate) fn wishes_for(&self, loaded: &Loaded) -> Result<PlanRequest, Failure> {
        let mut plan_request = self.plan_request();
        if let (Some(path), Some(model)) = (self.positions_file(), &loaded.model) {
            let (name, bytes) = (path.display().to_string(), input::read(path)?);
            let text = String::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))?;
            plan_request.positions = PositionSource::Given(read_positions(model, &name, &text)?);
        }
        Ok(plan_request)
    }

    /// What that asks of a plan, files aside.
    pub(crate) fn plan_request(&self) -> PlanRequest {
        PlanRequest {
            engine: self.engine.unwrap_or_default(),
            any_engine: self.engine.is_none(),
            // Said of the files: a model is read for it.
            overflow: None,
            layout: self.layout,
            sets: self.sets.plan_request(),
            balance: self.balance,
            abstraction: self.abstraction,
            bounds: self.bounds,
            cover: self.cover,
            zones: self.zones,
            diagrams: self.diagrams.settings(),
            discrete: self.discrete,
            passed: self.passed,
            table: HashingRequest {
                memory_bytes: self.passed_memory,
                bits_per_state: self.bits_per_state,
                signature_bits: self.signature_bits,
                passes: self.passes,
            },
            when_full: self.when_full,
            compact: self.compact,
            order: self.order,
            positions: match &self.topological_order {
                Some(path) if path.as_os_str() == RANDOM => PositionSource::Random,
                _ => PositionSource::Computed,
            },
            shuffle_edges: self.shuffle_edges,
            waiting_inclusion: self.waiting_inclusion,
            reduce: self.reduce,
            cycles: self.cycles,
            non_zeno: self.non_zeno,
            trace: self.trace,
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
    #[arg(long, value_parser = named::<bool>(), value_name = "ON|OFF")]
    bdd_reorder: Option<bool>,
    /// Whether zones with equal sets are made one where that adds nothing, with --engine symbolic
    #[arg(long, value_parser = named::<bool>(), value_name = "ON|OFF")]
    merge_zones: Option<bool>,
}

impl SetOptions {
    fn plan_request(&self) -> BddRequest {
        BddRequest { memory_bytes: self.bdd_memory, reorder: self.bdd_reorder, merge: self.merge_zones }
    }
}

/// How zones are kept with `--zones cdd`.
#[derive(clap::Args)]
struct DiagramOptions {
    /// How the nodes of diagrams are written, with --zones cdd; `compact` if it is left out
    #[arg(long, value_parser = named::<DiagramForm>())]
    diagram_nodes: Option<DiagramForm>,
    /// Which difference of clocks diagrams ask for first, with --zones cdd; `differences-first` if it is left out
    #[arg(long, value_parser = named::<DiagramOrder>())]
    diagram_order: Option<DiagramOrder>,
    /// Which constraints of a zone become nodes, with --zones cdd; `beyond-box` if it is left out
    #[arg(long, value_parser = named::<DiagramConstraints>())]
    diagram_constraints: Option<DiagramConstraints>,
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
        settings.form = self.diagram_nodes.unwrap_or(settings.form);
        other.order = self.diagram_order.unwrap_or(other.order);
        other.constraints = self.diagram_constraints.unwrap_or(other.constraints);
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

/// Reads a value of an axis by its name.
pub(crate) fn named<T: Axial>() -> impl TypedValueParser<Value = T> {
    let values = T::VALUES.iter().map(|named| PossibleValue::new(named.name).help(named.about));
    PossibleValuesParser::new(values).try_map(|name| T::named(&name).ok_or("no such value"))
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
