//! The plan: which combination of parts answers a question, whether it is sound, and why it was chosen.
//!
//! Every axis of the search is chosen here and nowhere else, from what was asked for ([`PlanRequest`]) and what is
//! known of the model ([`Facts`]). A plan carries its reasons. What must not be combined stands in one table,
//! [`ROWS`] in `rows.rs`: each row says when it applies, what it changes or refuses, why, and by whose theorem.
//!
//! | part | is | preserves |
//! |---|---|---|
//! | extrapolations, a_LU | exact | reachability, if the constants of guards, invariants and queries are counted `[BehrmannBouyerLarsenPelanek2004]`, `[HerbreteauSrivathsanWalukiewicz2012]` |
//! | cover by equality, inclusion | exact | reachability; cycles, where only what is done is covered (`search/src/nested.rs`) or coverings on cycles are undone (`search/src/components.rs`) |
//! | splitting on diagonals | exact | agreement on every diagonal `[BengtssonYi2003]` |
//! | tables as passed lists | under-approximation | what is found happens `[Bengtsson2001]` |
//! | stopwatches | over-approximation | what is not found does not happen |
//! | several ranks | exact | reachability: each state is compared with all stored ones of its discrete state, on the rank that has them `[BehrmannHuneVaandrager2000]` |
//! | limits | under-approximation | what is found happens |

mod asked;
mod diagrams;
mod rows;

use std::fmt;

pub use asked::{
    BddRequest, BddSettings, BoundsScope, CycleSearch, Engine, Facts, Layout, PlanRequest, PropertyClass,
    TraceKind,
};

use rows::{Effect, ROWS};
use tourbillon_model::Overflow;
use tourbillon_store::{Cover, DiagramSettings, DiscreteForm, TableSettings, WhenFull, ZoneForm};
use tourbillon_zonegraph::Abstraction;

use crate::order::{Order, PositionSource};
use crate::tables::{self, PassedForm};

/// A choice on every axis, with reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What searches.
    pub engine: Engine,
    /// What results past 32 bits come to.
    pub overflow: Overflow,
    /// How states are laid out, if that is a cluster.
    pub layout: Layout,
    /// How sets of discrete states are kept, if they are.
    pub sets: BddSettings,
    /// Whether levels of a diagram over several ranks move, so that its memory gets even.
    pub balance: bool,
    /// How zones are extrapolated.
    pub abstraction: Abstraction,
    /// By which constants.
    pub bounds: BoundsScope,
    /// What covers what.
    pub cover: Cover,
    /// How zones are stored.
    pub zones: ZoneForm,
    /// If that is as diagrams, how.
    pub diagrams: DiagramSettings,
    /// How discrete states are stored.
    pub discrete: DiscreteForm,
    /// Whether tables that find states are as full as they can be.
    pub tight: bool,
    /// Whether the list takes on the smallest exact form when the limit on memory nears.
    pub packs: bool,
    /// The table that the passed list is, unless it is exact.
    pub table: Option<TableSettings>,
    /// How many searches with different hash functions there are.
    pub passes: u32,
    /// In which order nodes are visited.
    pub order: Order,
    /// The order that takes turns with depth first, if orders are mixed.
    pub wide: Order,
    /// Where the positions of locations come from that the orders `topological`, `sweep` and `ranked-sweep` go by.
    pub positions: PositionSource,
    /// Whether the successors of a node come in a random order.
    pub shuffle_edges: bool,
    /// Whether new nodes are compared with waiting ones.
    pub waiting_inclusion: bool,
    /// Whether clocks about which nothing is asked are forgotten.
    pub reduce: bool,
    /// Whether zones are split on diagonals.
    pub split: bool,
    /// How runs that go on for ever are looked for, if they are.
    pub cycles: Option<CycleSearch>,
    /// Whether a cycle of zones counts only if its run repeats exactly.
    pub doubts_cycles: bool,
    /// Whether what is found must be replayed to be believed.
    pub over_approximates: bool,
    /// Which run is shown.
    pub trace: TraceKind,
    /// What random choices are drawn from.
    pub seed: u64,
    /// Why: one for each axis, then one for each row of the table that applied.
    pub reasons: Vec<Reason>,
}

/// Why something was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The axis, as the command line calls it.
    pub axis: &'static str,
    /// The choice.
    pub choice: String,
    /// Why.
    pub why: String,
}

/// A combination that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Why.
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
/// If what was asked for cannot be combined.
pub fn plan(facts: &Facts, plan_request: &PlanRequest) -> Result<Plan, Refusal> {
    let mut plan = choose(facts, plan_request);
    if facts.property_class.endless {
        plan.look_for_cycles(facts.property_class, plan_request);
    }
    for row in ROWS {
        if !(row.applies)(facts, plan_request, &plan) {
            continue;
        }
        match row.effect {
            Effect::Refuse => return Err(Refusal { why: row.why.to_owned() }),
            Effect::Change(change) => change(&mut plan),
            Effect::Note => {}
        }
        let choice = plan.choice(row.axis);
        plan.reasons.push(Reason { axis: row.axis, choice, why: row.why.to_owned() });
    }
    Ok(plan)
}

/// Whether sets of discrete states may be better than single ones, and no engine is asked for.
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
        bounds: plan_request.bounds.unwrap_or(BoundsScope::Local),
        cover: plan_request.cover.unwrap_or(Cover::Inclusion),
        zones: plan_request.zones.unwrap_or(zones),
        diagrams: plan_request.diagrams.unwrap_or_default(),
        discrete: plan_request.discrete.unwrap_or(discrete),
        tight: plan_request.compact,
        packs: plan_request.when_full == Some(WhenFull::Pack),
        table: tables::table(plan_request),
        passes: plan_request.table.passes.unwrap_or(1),
        order: plan_request.order.unwrap_or(default_order(facts, plan_request).0),
        wide: order_alone(facts, plan_request).0,
        positions: plan_request.positions.clone(),
        shuffle_edges: plan_request.shuffle_edges,
        waiting_inclusion: plan_request.waiting_inclusion.unwrap_or(true),
        reduce: plan_request.reduce.unwrap_or(plan_request.abstraction == Some(Abstraction::None)),
        split: false,
        cycles: None,
        doubts_cycles: false,
        over_approximates: false,
        trace: plan_request.trace,
        seed: plan_request.seed,
        reasons: Vec::new(),
    };
    let default = [
        (
            "abstraction",
            plan_request.abstraction.is_some(),
            "the coarsest extrapolation that is exact for reachability [BehrmannBouyerLarsenPelanek2004]",
        ),
        (
            "bounds",
            plan_request.bounds.is_some(),
            "constants that can no longer matter at a location make zones smaller for nothing [BehrmannBouyerFleuryLarsen2003]",
        ),
        ("cover", plan_request.cover.is_some(), "a zone within a stored one has nothing new to show"),
        (
            "zones",
            plan_request.zones.is_some(),
            if plan_request.layout.is_some_and(Layout::has_diagrams) {
                "the layout has diagrams"
            } else if plan_request.compact {
                "the smallest exact form of zones, by measurement [LarsenLarssonPetterssonYi1997]"
            } else {
                "most zones occur many times: equal ones are stored once"
            },
        ),
        (
            "discrete",
            plan_request.discrete.is_some(),
            match discrete {
                DiscreteForm::Digits => {
                    "as one number a state fits in its node, and takes the fewest bits [Bengtsson2001]"
                }
                DiscreteForm::Tree => {
                    "a state is too long for its node, and has most of its parts in common with others [LaarmanVandePolWeber2011]"
                }
                _ => "declared ranges tell how many bits each field needs",
            },
        ),
        ("order", plan_request.order.is_some(), default_order(facts, plan_request).1),
        (
            "waiting-inclusion",
            plan_request.waiting_inclusion.is_some(),
            "what a waiting node covers need not wait",
        ),
        (
            "reduce",
            plan_request.reduce.is_some(),
            "extrapolations forget inactive clocks by themselves; exact zones do not",
        ),
    ];
    plan.reasons = default
        .into_iter()
        .map(|(axis, asked, why)| Reason {
            axis,
            choice: plan.choice(axis),
            why: if asked { "as asked".to_owned() } else { why.to_owned() },
        })
        .collect();
    plan.reasons.extend(diagrams::reasons(&plan));
    plan.reasons.extend(overflow_reason(&plan, plan_request));
    if let Some(table) = &plan.table {
        let reason =
            Reason { axis: "passed", choice: plan.choice("passed"), why: tables::reason(table, plan.passes) };
        plan.reasons.push(reason);
    }
    plan
}

/// Why results past 32 bits wrap, or are errors although nobody would expect anything else.
fn overflow_reason(plan: &Plan, plan_request: &PlanRequest) -> Option<Reason> {
    let why = match (plan_request.overflow, plan.overflow) {
        (Some(_), _) => "as asked",
        (None, Overflow::Wrap) => "an annotation of the model says so",
        (None, Overflow::Error) => return None,
    };
    Some(Reason { axis: "overflow", choice: plan.choice("overflow"), why: why.to_owned() })
}

/// The order where none is asked for, and why.
///
/// Where `E<>` looks for a witness, two orders take turns. Of the queries of `tourbillon-bench find --visits 20000`, depth first finds the
/// witnesses of 7 where the order alone does not, of 2 it is the other way round, and of 2 only random descents find them. `A[]` mostly visits everything, and pays nothing for that. Neither do questions for which memory is short by what
/// else is asked for, since two lists take more than one; nor those where zones over-approximate, since there what is found
/// first may not count.
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
            "a witness is looked for: the nearest to its locations first, and depth first in turns, with random descents; whichever finds it ends both",
        ),
        Order::Bfs => (
            Order::Mixed,
            "a witness is looked for: breadth first and depth first in turns, with random descents; whichever finds it ends both",
        ),
        _ => (
            Order::Mixed,
            "a witness is looked for: in sweeps, for few wasted visits, and depth first in turns, with random descents; whichever finds it ends both",
        ),
    }
}

/// The order that is best alone, and why.
///
/// Measured on small members of the families and on the examples. Of 48 queries that have a run, the nearest first visits
/// fewer states than breadth first for 30, more for 2 (2.8 times as many at worst), half as many in the median and less
/// than a quarter in all; one run is longer. An order that avoids mistakes is no good for that: `topological` visits 26
/// times as many for one of them. It is for visiting everything, where FDDI and the blow-up take exponentially less than
/// breadth first. Of those orders `sweep` visits the fewest, but for those with ranks, which cost a tree: of the families and
/// 20 public models it visits more than breadth first on none; `topological` takes 15 percent more on one of them. Where what is nearest is looked for in vain it can take twice what breadth first does
/// (dining philosophers). So `E<>` counts on finding something, and `A[]` on not.
fn order_alone(facts: &Facts, plan_request: &PlanRequest) -> (Order, &'static str) {
    let PropertyClass { endless, placed, .. } = facts.property_class;
    if plan_request.positions != PositionSource::Computed {
        (Order::Sweep, "positions of locations were given, or are to be drawn")
    } else if matches!(plan_request.trace, TraceKind::Shortest | TraceKind::Fastest) || endless {
        (Order::Bfs, "breadth first finds short runs")
    } else if placed {
        (
            Order::Best,
            "a state at known locations is asked for: the nearest first finds it soon, by a short run",
        )
    } else if facts.clocks == 0 || plan_request.cover == Some(Cover::Equality) {
        (
            Order::Bfs,
            "where only equal states cover each other no order visits fewer, and breadth first finds short runs",
        )
    } else {
        (
            Order::Sweep,
            "a state waits for those that may lead to a larger zone, so that few are visited in vain [HerbreteauTran2015]",
        )
    }
}

/// The smallest exact forms of zones and of discrete states. A state of more bits than a node has for it would be kept
/// beside it, whole.
const fn smallest(facts: &Facts) -> (ZoneForm, DiscreteForm) {
    const NODE_BITS: u32 = 64;
    let discrete = if facts.state_bits <= NODE_BITS { DiscreteForm::Digits } else { DiscreteForm::Tree };
    (ZoneForm::MinimalShared, discrete)
}

impl Plan {
    /// Whether visited states can be read back.
    #[must_use]
    pub fn keeps_states(&self) -> bool {
        self.table.is_none() && self.zones != ZoneForm::Cdd
    }

    /// Whether what is found counts only if its run replays, whether or not a run is asked for.
    ///
    /// Everywhere else the zone graph itself decides: with exact zones, or zones that are abstracted by a simulation, each
    /// symbolic path to a state has a run to it, and each cycle of finitely many zones an infinite run
    /// `[BehrmannBouyerLarsenPelanek2004]`, `[TripakisYovineBouajjani2005]`. Neither is so where zones over-approximate
    /// what delays do, and the second is not so where clocks are compared with ever larger constants.
    #[must_use]
    pub fn must_replay(&self) -> bool {
        self.over_approximates || self.doubts_cycles
    }

    /// Whether it is kept how states were reached: to show a run, or to replay one.
    #[must_use]
    pub fn keeps_paths(&self) -> bool {
        self.shows_runs() || self.must_replay()
    }

    /// Whether runs are part of the answer.
    #[must_use]
    pub fn shows_runs(&self) -> bool {
        self.trace != TraceKind::None
    }

    /// The same plan for one of the orders that are mixed, alone.
    #[must_use]
    pub(crate) fn alone(&self, order: Order) -> Self {
        Self { order, ..self.clone() }
    }

    /// The order of a search that is alone, or of the wide one of two.
    #[must_use]
    pub(crate) fn wide_order(&self) -> Order {
        if self.order == Order::Mixed { self.wide } else { self.order }
    }

    /// The same plan with the smallest exact forms: what a list is rewritten in.
    #[must_use]
    pub(crate) fn packed(&self, facts: &Facts) -> Self {
        let (zones, discrete) = smallest(facts);
        Self { zones, discrete, tight: true, ..self.clone() }
    }

    fn look_for_cycles(&mut self, property_class: PropertyClass, plan_request: &PlanRequest) {
        let (choice, why) = match (plan_request.cycles, property_class.accepting) {
            (Some(asked), _) => (asked, "as asked"),
            (None, false) => (
                CycleSearch::Nested,
                "a depth-first search finds a run early, and where all states accept it visits each of them once",
            ),
            (None, true) => (
                CycleSearch::Components,
                "few coverings are on a cycle with an accepting state, and all others save work [HerbreteauSrivathsanTranWalukiewicz2016]",
            ),
        };
        self.cycles = Some(choice);
        let reason = Reason { axis: "cycles", choice: self.choice("cycles"), why: why.to_owned() };
        self.reasons.push(reason);
    }

    /// The choice on an axis, in the words of the command line.
    #[must_use]
    pub fn choice(&self, axis: &str) -> String {
        match axis {
            "abstraction" => {
                let split = if self.split { ", split on diagonals" } else { "" };
                format!("{}{split}", abstraction_name(self.abstraction))
            }
            "bounds" => match self.bounds {
                BoundsScope::Global => "global",
                BoundsScope::Local => "local",
            }
            .to_owned(),
            "cover" => cover_name(self.cover).to_owned(),
            "zones" => self.zones.name().to_owned(),
            "discrete" => match self.discrete {
                DiscreteForm::Plain => "plain",
                DiscreteForm::Shared => "shared",
                DiscreteForm::Bits => "bits",
                DiscreteForm::Digits => "digits",
                DiscreteForm::Tree => "tree",
                DiscreteForm::Mtidd => "mtidd",
            }
            .to_owned(),
            "passed" => tables::name(self.table.as_ref()).to_owned(),
            "engine" => match self.engine {
                Engine::Zones => "zones",
                Engine::Symbolic => "symbolic",
                Engine::Cluster => "cluster",
            }
            .to_owned(),
            "overflow" => self.overflow.name().to_owned(),
            "layout" => match (self.engine, self.layout) {
                (Engine::Zones | Engine::Symbolic, _) => "none".to_owned(),
                (Engine::Cluster, Layout::Hash) => "hash".to_owned(),
                (Engine::Cluster, Layout::CddPerRank) => "cdd-per-rank".to_owned(),
                (Engine::Cluster, Layout::CddSpread) => "cdd-spread".to_owned(),
                (Engine::Cluster, Layout::Groups(groups)) => format!("groups={groups}"),
            },
            "balance" if self.layout.groups().is_none() => "none".to_owned(),
            "balance" => on_off(self.balance),
            "when-full" => match (self.packs, self.table.map(|table| table.when_full)) {
                (true, _) => "pack",
                (_, Some(WhenFull::Skip)) => "skip",
                _ => "stop",
            }
            .to_owned(),
            "order" => self.order.name().to_owned(),
            "shuffle-edges" => on_off(self.shuffle_edges),
            "waiting-inclusion" => on_off(self.waiting_inclusion),
            "reduce" => on_off(self.reduce),
            "cycles" => match self.cycles {
                None => "not looked for",
                Some(CycleSearch::Nested) => "nested",
                Some(CycleSearch::Components) => "components",
            }
            .to_owned(),
            "trace" => match self.trace {
                TraceKind::None => "none",
                TraceKind::Some => "some",
                TraceKind::Shortest => "shortest",
                TraceKind::Fastest => "fastest",
            }
            .to_owned(),
            _ if axis.starts_with("diagram-") => diagrams::choice(self, axis).unwrap_or("none".to_owned()),
            _ => if self.over_approximates { "replayed" } else { "exact" }.to_owned(),
        }
    }
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

const fn abstraction_name(abstraction: Abstraction) -> &'static str {
    match abstraction {
        Abstraction::None => "none",
        Abstraction::ExtraM => "extra-m",
        Abstraction::ExtraMPlus => "extra-m+",
        Abstraction::ExtraLu => "extra-lu",
        Abstraction::ExtraLuPlus => "extra-lu+",
    }
}

const fn cover_name(cover: Cover) -> &'static str {
    match cover {
        Cover::Equality => "equality",
        Cover::Inclusion => "inclusion",
        Cover::Alu => "alu",
    }
}
