//! The plan: a choice for every option of a search, with its reasons.
//!
//! Options are rows of one table (`axes.rs`). They are chosen here and nowhere else, from the request ([`PlanRequest`]) and the
//! model and property ([`Facts`]). Combinations that are unsound or unsupported are rows of another table (`rows.rs`).
//!
//! | technique | is | preserves |
//! |---|---|---|
//! | extrapolations, a_LU | exact | reachability, if the constants of guards, invariants and queries are counted `[BehrmannBouyerLarsenPelanek2004]`, `[HerbreteauSrivathsanWalukiewicz2012]` |
//! | subsumption by equality, inclusion | exact | reachability; cycles, with the restrictions of `search/src/nested.rs` and `search/src/components.rs` |
//! | splitting on diagonals | exact | agreement on every diagonal `[BengtssonYi2003]` |
//! | probabilistic passed lists | under-approximation | reachable states found are reachable `[Bengtsson2001]` |
//! | stopwatches | over-approximation | unreachable states stay unreachable |
//! | distribution | exact | reachability: the rank that owns a discrete state has all its zones `[BehrmannHuneVaandrager2000]` |
//! | limits | under-approximation | reachable states found are reachable |

mod axes;
mod diagrams;
mod request;
mod rows;

use std::fmt;

pub use axes::{AXES, Axis, AxisChoice, AxisGroup, AxisInfo, AxisValues, Named, no_such_value};

pub use request::{
    BddRequest, BddSettings, BoundsScope, CycleSearch, Engine, Facts, Layout, PlanRequest, PropertyClass,
    RoundUse, SymmetryUse, TraceKind,
};

use rows::{Effect, ROWS};
use tourbillon_model::Overflow;
use tourbillon_search::Committed;
use tourbillon_store::{Cover, DiagramSettings, DiscreteForm, TableKind, TableSettings, WhenFull, ZoneForm};
use tourbillon_zonegraph::Abstraction;

use crate::order::{Order, PositionSource};
use crate::tables::{self, PassedForm};

/// The reason for a choice that was requested.
const REQUESTED: &str = "requested";

/// A choice on every axis, with reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub engine: Engine,
    pub overflow: Overflow,
    pub layout: Layout,
    pub sets: BddSettings,
    pub balance: bool,
    pub abstraction: Abstraction,
    pub bounds: BoundsScope,
    pub cover: Cover,
    pub zones: ZoneForm,
    pub diagrams: DiagramSettings,
    pub discrete: DiscreteForm,
    /// Hash tables are as full as they can be.
    pub tight: bool,
    /// The passed list is rewritten in the smallest exact form when the memory limit is near.
    pub packs: bool,
    /// The table of a probabilistic passed list.
    pub table: Option<TableSettings>,
    /// The maximum number of searches with different hash functions.
    pub passes: u32,
    pub store: Committed,
    pub order: Order,
    /// The order that alternates with depth first, if orders are mixed.
    pub wide: Order,
    /// For the orders `topological`, `sweep` and `ranked-sweep`.
    pub positions: PositionSource,
    pub shuffle_edges: bool,
    pub rounds: RoundUse,
    /// The requested number of threads.
    pub threads: Option<u32>,
    /// Subsumption test against the waiting list.
    pub waiting_inclusion: bool,
    /// Active clock reduction.
    pub reduce: bool,
    /// Zones are split on diagonals before extrapolation.
    pub split: bool,
    /// The symmetries that are used: of the states that they exchange, one is stored.
    pub symmetry: SymmetryUse,
    /// For liveness properties.
    pub cycles: Option<CycleSearch>,
    /// A cycle of zones counts only if its run repeats exactly.
    pub doubts_cycles: bool,
    /// A state found counts only if its run replays.
    pub over_approximates: bool,
    /// An answer by exhaustion has a certificate.
    pub certifies: bool,
    pub trace: TraceKind,
    pub seed: u64,
    /// One for each axis, then one for each row of the table that applied.
    pub reasons: Vec<Reason>,
}

/// Why a choice was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    pub axis: Axis,
    /// In the words of the command line.
    pub choice: String,
    pub why: String,
}

/// A combination that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

/// Makes a plan.
///
/// # Errors
/// If the request combines options that exclude each other.
pub fn plan(facts: &Facts, plan_request: &PlanRequest) -> Result<Plan, Refusal> {
    let mut plan = choose(facts, plan_request);
    plan.rounds = rounds(plan_request);
    if facts.property_class.endless {
        plan.choose_cycle_search(facts.property_class, plan_request);
    }
    for row in ROWS {
        if !(row.applies)(facts, plan_request, &plan) {
            continue;
        }
        match row.effect {
            Effect::Refuse => return Err(Refusal { why: row.reason() }),
            Effect::Change(change) => change(&mut plan),
            Effect::Note => {}
        }
        let choice = plan.choice(row.axis);
        plan.reasons.push(Reason { axis: row.axis, choice, why: row.reason() });
    }
    Ok(plan)
}

/// Whether states are visited in rounds, if nothing prevents it. A requested order alone is followed state by state, to the letter.
fn rounds(plan_request: &PlanRequest) -> RoundUse {
    if plan_request.order.is_some() && plan_request.threads.is_none() {
        return RoundUse::Off;
    }
    RoundUse::Rounds { threads: plan_request.threads, sizes: plan_request.round_sizes.unwrap_or_default() }
}

/// Whether the symbolic engine may be faster, and no engine was requested.
pub(crate) fn may_pay_in_sets(facts: &Facts, plan_request: &PlanRequest) -> bool {
    rows::may_pay(facts, plan_request, &choose(facts, plan_request))
}

/// The choice on every axis before the table is applied.
fn choose(facts: &Facts, plan_request: &PlanRequest) -> Plan {
    let compact = plan_request.compact.then(|| smallest(facts));
    let (mut zones, discrete) = compact.unwrap_or((ZoneForm::Shared, DiscreteForm::Bits));
    if plan_request.layout.is_some_and(Layout::has_diagrams) {
        zones = ZoneForm::Cdd;
    }
    let mut plan = Plan {
        engine: plan_request.engine,
        overflow: facts.overflow,
        layout: plan_request.layout.unwrap_or_default(),
        sets: plan_request.sets.settings(),
        balance: plan_request.balance.unwrap_or(true),
        abstraction: plan_request.abstraction.unwrap_or(Abstraction::ExtraLuPlus),
        bounds: plan_request.bounds.unwrap_or(default_bounds(facts, plan_request).0),
        cover: plan_request.cover.unwrap_or(default_cover(facts, plan_request).0),
        zones: plan_request.zones.unwrap_or(zones),
        diagrams: plan_request.diagrams.unwrap_or_default(),
        discrete: plan_request.discrete.unwrap_or(discrete),
        tight: plan_request.compact,
        packs: plan_request.when_full == Some(WhenFull::Pack),
        table: tables::table(plan_request),
        passes: plan_request.table.passes.unwrap_or(1),
        store: plan_request.store.unwrap_or(default_store(facts, plan_request).0),
        order: plan_request.order.unwrap_or(default_order(facts, plan_request).0),
        wide: order_alone(facts, plan_request).0,
        positions: plan_request.positions.clone(),
        shuffle_edges: plan_request.shuffle_edges,
        rounds: RoundUse::Off,
        threads: plan_request.threads,
        waiting_inclusion: plan_request.waiting_inclusion.unwrap_or(true),
        reduce: plan_request.reduce.unwrap_or(plan_request.abstraction == Some(Abstraction::None)),
        split: false,
        symmetry: plan_request.symmetry,
        cycles: None,
        doubts_cycles: false,
        over_approximates: false,
        certifies: plan_request.certificate,
        trace: plan_request.trace,
        seed: plan_request.seed,
        reasons: Vec::new(),
    };
    let default = [
        (
            Axis::Abstraction,
            plan_request.abstraction.is_some(),
            "the coarsest extrapolation that is exact for reachability [BehrmannBouyerLarsenPelanek2004]",
        ),
        (Axis::Bounds, plan_request.bounds.is_some(), default_bounds(facts, plan_request).1),
        (Axis::Cover, plan_request.cover.is_some(), default_cover(facts, plan_request).1),
        (
            Axis::Zones,
            plan_request.zones.is_some(),
            if plan_request.layout.is_some_and(Layout::has_diagrams) {
                "the layout stores zones as CDDs"
            } else if plan_request.compact {
                "the smallest exact form of zones, as measured [LarsenLarssonPetterssonYi1997]"
            } else {
                "most zones occur many times and are stored once"
            },
        ),
        (
            Axis::Discrete,
            plan_request.discrete.is_some(),
            match discrete {
                DiscreteForm::Digits => {
                    "one number takes the fewest bits, and the state fits in its node [Bengtsson2001]"
                }
                DiscreteForm::Tree => {
                    "states do not fit in their nodes, and share most of their subtrees [LaarmanVandePolWeber2011]"
                }
                _ => "declared ranges bound the bits of each field",
            },
        ),
        (Axis::Order, plan_request.order.is_some(), default_order(facts, plan_request).1),
        (
            Axis::WaitingInclusion,
            plan_request.waiting_inclusion.is_some(),
            "a state that a waiting one covers need not wait",
        ),
        (
            Axis::Reduce,
            plan_request.reduce.is_some(),
            "extrapolation removes inactive clocks; exact zones need the reduction",
        ),
    ];
    plan.reasons = default
        .into_iter()
        .map(|(axis, request, why)| Reason {
            axis,
            choice: plan.choice(axis),
            why: if request { REQUESTED.to_owned() } else { why.to_owned() },
        })
        .collect();
    plan.reasons.extend(store_reason(&plan, facts, plan_request));
    plan.reasons.extend(diagrams::reasons(&plan));
    plan.reasons.extend(overflow_reason(&plan, plan_request));
    if let Some(table) = &plan.table {
        let reason = Reason {
            axis: Axis::Passed,
            choice: plan.choice(Axis::Passed),
            why: tables::reason(table, plan.passes),
        };
        plan.reasons.push(reason);
    }
    plan
}

fn overflow_reason(plan: &Plan, plan_request: &PlanRequest) -> Option<Reason> {
    let why = match (plan_request.overflow, plan.overflow) {
        (Some(_), _) => REQUESTED,
        (None, Overflow::Wrap) => "annotation of the model",
        (None, Overflow::Error) => return None,
    };
    Some(Reason { axis: Axis::Overflow, choice: plan.choice(Axis::Overflow), why: why.to_owned() })
}

/// The default scope of clock bounds, and why.
fn default_bounds(facts: &Facts, plan_request: &PlanRequest) -> (BoundsScope, &'static str) {
    let PropertyClass { about_all, .. } = facts.property_class;
    if plan_request.certificate {
        (BoundsScope::Local, "the checker of certificates verifies the bounds of each location step by step")
    } else if is_lu(plan_request) && !about_all && !facts.property_class.needs_deadlocks() {
        (
            BoundsScope::Guarded,
            "constants that are irrelevant at a location only make zones smaller, and guards and invariants on the way limit those that are relevant [BehrmannBouyerFleuryLarsen2003], [GastinMukherjeeSrivathsan2019]",
        )
    } else {
        (
            BoundsScope::Local,
            "constants that are irrelevant at a location only make zones smaller [BehrmannBouyerFleuryLarsen2003]",
        )
    }
}

/// Whether the requested extrapolation has separate constants for lower and upper bounds.
fn is_lu(plan_request: &PlanRequest) -> bool {
    let lu = [None, Some(Abstraction::ExtraLu), Some(Abstraction::ExtraLuPlus)];
    lu.contains(&plan_request.abstraction)
}

/// The default cover relation, and why.
///
/// Where a_LU is sound and the exact list of the explicit engine is used, the list measures whether a_LU helps: CorSSO with 3
/// processes stores 8,746 states instead of 61,948, and most models the same number (`bench/README.md`, "Cover relations").
fn default_cover(facts: &Facts, plan_request: &PlanRequest) -> (Cover, &'static str) {
    if allows_alu(facts) && adapts_cover(plan_request) {
        (
            Cover::Adaptive,
            "a zone that a stored one includes reaches nothing new, nor does one that a_LU covers: a_LU is tested as long as it covers more [HerbreteauSrivathsanWalukiewicz2012]",
        )
    } else {
        (Cover::Inclusion, "a zone that a stored one includes reaches nothing new")
    }
}

/// Whether a_LU is proven for the model and the property, which is about reachability. `rows.rs` has the reasons.
fn allows_alu(facts: &Facts) -> bool {
    let PropertyClass { endless, about_all, .. } = facts.property_class;
    let has_diagonals = facts.diagonals > 0 || !facts.diagonals_complete;
    !(endless || about_all || facts.property_class.needs_deadlocks() || has_diagonals || facts.stopwatches)
}

/// Whether the requested search stores zones one by one in an exact list, abstracted by LU bounds.
fn adapts_cover(plan_request: &PlanRequest) -> bool {
    plan_request.engine == Engine::Zones
        && plan_request.passed == PassedForm::Exact
        && plan_request.zones != Some(ZoneForm::Cdd)
        && !plan_request.layout.is_some_and(Layout::has_diagrams)
        && plan_request.trace != TraceKind::Fastest
        && is_lu(plan_request)
}

/// The reason for the states that are stored, if the model has committed locations or it was requested.
fn store_reason(plan: &Plan, facts: &Facts, plan_request: &PlanRequest) -> Option<Reason> {
    let why = match plan_request.store {
        Some(_) => REQUESTED,
        None if facts.committed => default_store(facts, plan_request).1,
        None => return None,
    };
    Some(Reason { axis: Axis::Store, choice: plan.choice(Axis::Store), why: why.to_owned() })
}

/// The states that are stored by default, and why.
///
/// Measured by instructions (`bench/README.md`): `adaptive` takes 36 percent less than `all` on the protocols of Bang & Olufsen,
/// most of whose committed states have one predecessor. On CSMA/CD and the train gate they have many: `adaptive` takes 0.3 to 4
/// percent more, the less the larger the model, and `no-committed` up to 2.5 times as much.
fn default_store(facts: &Facts, plan_request: &PlanRequest) -> (Committed, &'static str) {
    let PropertyClass { endless, about_all, .. } = facts.property_class;
    if !facts.committed {
        (Committed::Stored, "no location is committed")
    } else if endless || about_all || plan_request.engine != Engine::Zones {
        (Committed::Stored, "transient states are supported for reachability by --engine zones only")
    } else if matches!(plan_request.trace, TraceKind::Shortest | TraceKind::Fastest) {
        (Committed::Stored, "the shortest and the fastest trace need all states")
    } else if facts.shares_states {
        (
            Committed::Stored,
            "several properties reuse the stored states; transient ones would be computed again for each",
        )
    } else {
        (
            Committed::Adaptive,
            "states with a committed location are followed at once, until many of them lead to stored states only [DavidBehrmannLarsenYi2003]",
        )
    }
}

/// The default order, and why.
///
/// `E<>` alternates two orders. On the queries of `tourbillon-bench find --visits 20000`, depth first finds 7 witnesses that the
/// other order does not find, the other order finds 2 that depth first does not, and only random walks find 2 more. `A[]` mostly
/// visits everything, and uses one order. So do requests that save memory, since two lists take more than one, and models
/// that zones over-approximate, since the first state found there may be spurious.
fn default_order(facts: &Facts, plan_request: &PlanRequest) -> (Order, &'static str) {
    let (alone, why) = order_alone(facts, plan_request);
    let is_short =
        plan_request.passed != PassedForm::Exact || plan_request.compact || plan_request.when_full.is_some();
    let mixes = facts.property_class.witness
        && plan_request.engine == Engine::Zones
        && !is_short
        && !facts.stopwatches
        && plan_request.positions == PositionSource::Computed
        && !matches!(plan_request.trace, TraceKind::Shortest | TraceKind::Fastest);
    match alone {
        _ if !mixes => (alone, why),
        Order::Best => (
            Order::Mixed,
            "the property asks for a witness: best first and depth first in turns, with random walks; the first to find it ends both",
        ),
        Order::Bfs => (
            Order::Mixed,
            "the property asks for a witness: breadth first and depth first in turns, with random walks; the first to find it ends both",
        ),
        _ => (
            Order::Mixed,
            "the property asks for a witness: sweep, for few wasted visits, and depth first in turns, with random walks; the first to find it ends both",
        ),
    }
}

/// The best single order, and why.
///
/// Measured on small members of the families and on the examples. Of 48 queries with a trace, best first visits fewer states
/// than breadth first for 30 and more for 2 (2.8 times as many at worst): half as many in the median, less than a quarter in
/// all; one trace is longer. Orders with few wasted visits do not help there: `topological` visits 26 times as many for one of
/// them. They help full explorations, where FDDI and the blow-up take exponentially fewer visits than breadth first. Of these
/// orders `sweep` visits the fewest without the tree that ranks need: on the families and 20 public models it never visits more
/// than breadth first, and `topological` takes 15 percent more on one of them. Where the goal is unreachable, best first can take
/// twice the visits of breadth first (dining philosophers). So `E<>` expects a witness, and `A[]` expects none.
fn order_alone(facts: &Facts, plan_request: &PlanRequest) -> (Order, &'static str) {
    let PropertyClass { endless, placed, .. } = facts.property_class;
    if plan_request.positions != PositionSource::Computed {
        (Order::Sweep, "--topological-order was given")
    } else if matches!(plan_request.trace, TraceKind::Shortest | TraceKind::Fastest) || endless {
        (Order::Bfs, "breadth first finds short traces")
    } else if placed {
        (Order::Best, "the goal has locations: best first finds it early, by a short trace")
    } else if facts.clocks == 0 || plan_request.cover == Some(Cover::Equality) {
        (Order::Bfs, "under equality no order visits fewer states, and breadth first finds short traces")
    } else {
        (
            Order::Sweep,
            "a state waits for those that may lead to a larger zone: few wasted visits [HerbreteauTran2015]",
        )
    }
}

/// The smallest exact forms of zones and of discrete states. States that do not fit in a node are stored in a tree.
const fn smallest(facts: &Facts) -> (ZoneForm, DiscreteForm) {
    const NODE_BITS: u32 = 64;
    let discrete = if facts.state_bits <= NODE_BITS { DiscreteForm::Digits } else { DiscreteForm::Tree };
    (ZoneForm::MinimalShared, discrete)
}

impl Plan {
    /// Whether visited states can be read back from the passed list.
    #[must_use]
    pub fn keeps_states(&self) -> bool {
        self.table.is_none() && self.zones != ZoneForm::Cdd
    }

    /// Whether a state found counts only if its run replays, whether or not a trace is requested.
    ///
    /// Everywhere else the zone graph itself decides: with exact zones, or zones that are abstracted by a simulation, each
    /// symbolic path to a state has a run to it, and each cycle of finitely many zones an infinite run
    /// `[BehrmannBouyerLarsenPelanek2004]`, `[TripakisYovineBouajjani2005]`. Neither is so where zones over-approximate
    /// what delays do, and the second is not so where clocks are compared with ever larger constants.
    #[must_use]
    pub fn must_replay(&self) -> bool {
        self.over_approximates || self.doubts_cycles
    }

    /// Whether any symmetry is used.
    #[must_use]
    pub fn uses_symmetry(&self) -> bool {
        self.symmetry != SymmetryUse::Off
    }

    /// Whether parent pointers are stored: to show a trace, or to replay a run.
    #[must_use]
    pub fn keeps_paths(&self) -> bool {
        self.shows_runs() || self.must_replay()
    }

    /// Whether traces are part of the answer.
    #[must_use]
    pub fn shows_runs(&self) -> bool {
        self.trace != TraceKind::None
    }

    /// The plan for one of two mixed orders.
    #[must_use]
    pub(crate) fn alone(&self, order: Order) -> Self {
        Self { order, ..self.clone() }
    }

    /// The order of a single search, or of the one that alternates with depth first.
    #[must_use]
    pub(crate) fn wide_order(&self) -> Order {
        if self.order == Order::Mixed { self.wide } else { self.order }
    }

    /// The plan with the smallest exact forms, for `--when-full pack`.
    #[must_use]
    pub(crate) fn packed(&self, facts: &Facts) -> Self {
        let (zones, discrete) = smallest(facts);
        Self { zones, discrete, tight: true, ..self.clone() }
    }

    fn choose_cycle_search(&mut self, property_class: PropertyClass, plan_request: &PlanRequest) {
        let (choice, why) = match (plan_request.cycles, property_class.accepting) {
            (Some(request), _) => (request, REQUESTED),
            (None, _) if plan_request.certificate => (
                CycleSearch::Components,
                "a certificate has the component of each state [WimmerHerbreteauVanDePol2020]",
            ),
            (None, false) if plan_request.threads.is_some() => (
                CycleSearch::Components,
                "several threads expand the states of a graph, and not those of a depth-first search",
            ),
            (None, false) => (
                CycleSearch::Nested,
                "depth-first search finds a lasso early, and visits each state once if all states are accepting",
            ),
            (None, true) => (
                CycleSearch::Components,
                "subsumption is undone only on accepting cycles, which are few [HerbreteauSrivathsanTranWalukiewicz2016]",
            ),
        };
        self.cycles = Some(choice);
        let reason = Reason { axis: Axis::Cycles, choice: self.choice(Axis::Cycles), why: why.to_owned() };
        self.reasons.push(reason);
    }

    /// The choice on an axis, in the words of the command line.
    #[must_use]
    pub fn choice(&self, axis: Axis) -> String {
        match axis {
            Axis::Engine => name(self.engine),
            Axis::Layout => self.layout_name(),
            Axis::Balance if self.layout.groups().is_none() => NONE.to_owned(),
            Axis::Balance => name(self.balance),
            Axis::BddMemory => self.sets.memory_bytes.to_string(),
            Axis::BddReorder => name(self.sets.reorder),
            Axis::MergeZones => name(self.sets.merge),
            Axis::Abstraction if self.split => format!("{}, split on diagonals", name(self.abstraction)),
            Axis::Abstraction => name(self.abstraction),
            Axis::Bounds => name(self.bounds),
            Axis::Cover => name(self.cover),
            Axis::Zones => name(self.zones),
            Axis::DiagramNodes
            | Axis::DiagramOrder
            | Axis::DiagramConstraints
            | Axis::DiagramInclusion
            | Axis::DiagramBacktrace => diagrams::choice(self, axis).unwrap_or(NONE.to_owned()),
            Axis::Discrete => name(self.discrete),
            Axis::Compact => name(self.tight),
            Axis::Passed => name(tables::form(self.table.as_ref())),
            Axis::PassedMemory => of_table(self.table, |table| Some(table.memory_bytes)),
            Axis::BitsPerState => of_table(self.table, |table| match table.kind {
                TableKind::Bits { per_state } => Some(per_state),
                TableKind::Signatures { .. } | TableKind::SignaturesAndZones { .. } => None,
            }),
            Axis::SignatureBits => of_table(self.table, |table| match table.kind {
                TableKind::Bits { .. } => None,
                TableKind::Signatures { bits } | TableKind::SignaturesAndZones { bits } => Some(bits),
            }),
            Axis::Passes => self.passes.to_string(),
            Axis::WhenFull if self.packs => name(WhenFull::Pack),
            Axis::WhenFull => match self.table.map(|table| table.when_full) {
                Some(WhenFull::Skip) => name(WhenFull::Skip),
                _ => name(WhenFull::Stop),
            },
            Axis::Store => name(self.store),
            Axis::Order => self.order.name().to_owned(),
            Axis::TopologicalOrder => match self.positions {
                PositionSource::Computed => "computed",
                PositionSource::Random => "random",
                PositionSource::Given(_) => "given",
            }
            .to_owned(),
            Axis::ShuffleEdges => name(self.shuffle_edges),
            Axis::Threads => match self.rounds {
                RoundUse::Off => "1".to_owned(),
                RoundUse::Rounds { threads, .. } => {
                    threads.map_or("all cores".to_owned(), |threads| threads.to_string())
                }
            },
            Axis::WaitingInclusion => name(self.waiting_inclusion),
            Axis::Overflow => name(self.overflow),
            Axis::Reduce => name(self.reduce),
            Axis::Symmetry => name(self.symmetry),
            Axis::Cycles => self.cycles.map_or(NONE.to_owned(), name),
            Axis::NonZeno => NONE.to_owned(),
            Axis::Trace => name(self.trace),
            Axis::Traces => NONE.to_owned(),
            Axis::Seed => self.seed.to_string(),
            Axis::Verdict => if self.over_approximates { "replayed" } else { "exact" }.to_owned(),
            Axis::Certificate => if self.certifies { "written" } else { NONE }.to_owned(),
        }
    }

    fn layout_name(&self) -> String {
        match (self.engine, self.layout) {
            (Engine::Zones | Engine::Symbolic, _) => NONE.to_owned(),
            (Engine::Cluster, layout) => axes::layout_name(layout),
        }
    }
}

/// The choice where there is nothing to choose.
const NONE: &str = "none";

fn name<T: Named>(value: T) -> String {
    value.choice_name().unwrap_or(NONE).to_owned()
}

fn of_table<T: ToString>(
    table: Option<TableSettings>,
    number: impl Fn(TableSettings) -> Option<T>,
) -> String {
    table.and_then(number).map_or(NONE.to_owned(), |number| number.to_string())
}
