//! The plan: which combination of parts answers a question, whether it is sound, and why it was chosen.
//!
//! Every axis of the search is chosen here and nowhere else, from what was asked for ([`Wishes`]) and what is
//! known of the model ([`Facts`]). A plan carries its reasons. What must not be combined stands in one table,
//! [`ROWS`]: each row says when it applies, what it changes or refuses, why, and by whose theorem.
//!
//! | part | is | preserves |
//! |---|---|---|
//! | extrapolations, a_LU | exact | reachability, if the constants of guards, invariants and queries are counted `[BehrmannBouyerLarsenPelanek2004]`, `[HerbreteauSrivathsanWalukiewicz2012]` |
//! | cover by equality, inclusion | exact | reachability; cycles, where only what is done is covered (`search/src/nested.rs`) or coverings on cycles are undone (`search/src/components.rs`) |
//! | splitting on diagonals | exact | agreement on every diagonal `[BengtssonYi2003]` |
//! | tables as passed lists | under-approximation | what is found happens `[Bengtsson2001]` |
//! | stopwatches | over-approximation | what is not found does not happen |
//! | limits | under-approximation | what is found happens |

use std::fmt;

use tourbillon_store::{Cover, DiscreteForm, TableKind, TableSettings, WhenFull, ZoneForm};
use tourbillon_system::{Analysis, System};
use tourbillon_zonegraph::Abstraction;

use crate::order::{Order, PositionsWish};
use crate::tables::{self, PassedForm, TableWishes};

/// Which constants extrapolations use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoundsScope {
    /// The largest of the whole model.
    Global,
    /// Those that can still matter at the locations of a state.
    Local,
}

/// Which run is shown, if any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum TraceKind {
    /// None: nothing is kept for it.
    None,
    /// The one that is found first.
    #[default]
    Some,
    /// One with the fewest transitions.
    Shortest,
    /// One that takes the least time.
    Fastest,
}

/// How runs that go on for ever are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CycleSearch {
    /// Depth first, and again from accepting states.
    Nested,
    /// By strongly connected components of a graph with coverings in it, which is refined.
    Components,
}

/// What was asked for; what was not is chosen.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wishes {
    /// How zones are extrapolated.
    pub abstraction: Option<Abstraction>,
    /// By which constants.
    pub bounds: Option<BoundsScope>,
    /// What covers what.
    pub cover: Option<Cover>,
    /// How zones are stored.
    pub zones: Option<ZoneForm>,
    /// How discrete states are stored.
    pub discrete: Option<DiscreteForm>,
    /// What the passed list keeps of a state.
    pub passed: PassedForm,
    /// If that is not all of it, in which table.
    pub table: TableWishes,
    /// What becomes of states for which there is no room.
    pub when_full: Option<WhenFull>,
    /// Whether all that is exact is to be as small as it can be.
    pub compact: bool,
    /// In which order nodes are visited.
    pub order: Option<Order>,
    /// Where the positions of locations come from that a topological order goes by.
    pub positions: PositionsWish,
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
    /// What is asked.
    pub inquiry: Inquiry,
}

/// What a question asks, as far as a plan depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Inquiry {
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
}

impl Inquiry {
    /// Whether it matters what can not happen.
    fn asks_what_cannot(self) -> bool {
        self.deadlock || self.stuck
    }
}

impl Facts {
    /// What is known of a system.
    #[must_use]
    pub fn of(system: &System, analysis: &Analysis, inquiry: Inquiry) -> Self {
        Self {
            clocks: system.dimension.clocks(),
            diagonals: analysis.diagonals.len(),
            diagonals_complete: analysis.diagonals_complete,
            stopwatches: system.has_stopwatches,
            unbounded: !analysis.unbounded.is_empty(),
            state_bits: state_bits(system),
            inquiry,
        }
    }
}

fn state_bits(system: &System) -> u32 {
    let values = system.ranges.iter().map(|range| f64::from(range.max.abs_diff(range.min)) + 1.0);
    values.map(f64::log2).sum::<f64>().ceil() as u32
}

/// A choice on every axis, with reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How zones are extrapolated.
    pub abstraction: Abstraction,
    /// By which constants.
    pub bounds: BoundsScope,
    /// What covers what.
    pub cover: Cover,
    /// How zones are stored.
    pub zones: ZoneForm,
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
    /// Where the positions of locations come from that a topological order goes by.
    pub positions: PositionsWish,
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

/// What a row does where it applies.
enum Effect {
    /// Changes the plan.
    Change(fn(&mut Plan)),
    /// Refuses it.
    Refuse,
    /// Only says so.
    Note,
}

/// A row of the table of what must not be combined.
struct Row {
    axis: &'static str,
    applies: fn(&Facts, &Wishes, &Plan) -> bool,
    effect: Effect,
    why: &'static str,
}

/// What must not be combined, and what is done about it. Rows apply in order, each to what those before it left.
const ROWS: &[Row] = &[
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.inquiry.deadlock && facts.inquiry.endless,
        effect: Effect::Refuse,
        why: "`deadlock` can be asked for in `E<>` and `A[]` only",
    },
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.inquiry.endless && facts.stopwatches,
        effect: Effect::Refuse,
        why: "runs that go on for ever are found as cycles of zones, which need not be cycles of runs where clocks can stand still, since zones only over-approximate that",
    },
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.inquiry.deadlock && facts.stopwatches,
        effect: Effect::Refuse,
        why: "`deadlock` asks what can happen after a delay, which zones only over-approximate where clocks can stand still",
    },
    Row {
        axis: "trace",
        applies: |facts, _, plan| facts.inquiry.deadlock && plan.trace == TraceKind::Fastest,
        effect: Effect::Refuse,
        why: "the fastest run needs an abstraction by L and U, which does not preserve `deadlock`: ask for --trace shortest or some",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| {
            facts.inquiry.asks_what_cannot() && plan.abstraction == Abstraction::ExtraLu
        },
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::ExtraM),
        why: "L and U preserve what can happen but not what cannot, and `deadlock` and runs that get stuck ask for that: M-bounds preserve both [BehrmannBouyerLarsenPelanek2004]",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| {
            facts.inquiry.asks_what_cannot() && plan.abstraction == Abstraction::ExtraLuPlus
        },
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::ExtraMPlus),
        why: "L and U preserve what can happen but not what cannot, and `deadlock` and runs that get stuck ask for that: M-bounds preserve both [BehrmannBouyerLarsenPelanek2004]",
    },
    Row {
        axis: "cover",
        applies: |facts, _, plan| facts.inquiry.asks_what_cannot() && plan.cover == Cover::Alu,
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "a_LU preserves what can happen but not what cannot, and `deadlock` and runs that get stuck ask for that; inclusion is used instead",
    },
    Row {
        axis: "cycles",
        applies: |facts, _, plan| facts.inquiry.in_turn && plan.cycles == Some(CycleSearch::Nested),
        effect: Effect::Change(|plan| plan.cycles = Some(CycleSearch::Components)),
        why: "a nested search comes back to one kind of states; several in turn are found by components",
    },
    Row {
        axis: "cycles",
        applies: |facts, _, _| facts.inquiry.endless && (facts.unbounded || !facts.diagonals_complete),
        effect: Effect::Change(|plan| plan.doubts_cycles = true),
        why: "there is no end of constants that clocks are compared with, so that a cycle of zones may be gone round any number of times and yet not for ever: it counts only if its run repeats exactly",
    },
    Row {
        axis: "cover",
        applies: |facts, _, plan| facts.inquiry.endless && plan.cover == Cover::Alu,
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "what covers what decides here which cycles there are, and inclusion is what that is proven for [LaarmanOlesenDalsgaardLarsenVandePol2013]",
    },
    Row {
        axis: "trace",
        applies: |facts, _, plan| {
            facts.inquiry.endless && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Change(|plan| plan.trace = TraceKind::Some),
        why: "of runs that go on for ever the one is shown that the search comes upon",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| !facts.diagonals_complete && plan.abstraction != Abstraction::None,
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::None),
        why: "there is no end of differences of clocks that guards ask about, so that no extrapolation is sound [Bouyer2003]; the search may not end",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| facts.diagonals > 0 && plan.abstraction != Abstraction::None,
        effect: Effect::Change(|plan| plan.split = true),
        why: "guards compare differences of clocks: zones are split on these before they are extrapolated, since no extrapolation alone is sound then [Bouyer2003], [BengtssonYi2003]",
    },
    Row {
        axis: "cover",
        applies: |facts, _, plan| {
            (facts.diagonals > 0 || !facts.diagonals_complete) && plan.cover == Cover::Alu
        },
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "a_LU does not see differences of clocks, which guards of this model compare [Bouyer2003]; inclusion is used instead",
    },
    Row {
        axis: "cover",
        applies: |facts, _, plan| facts.inquiry.measures_clocks && plan.cover == Cover::Equality,
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "how large a measured clock is counts for ever, so that equal zones may never come back; inclusion is used instead",
    },
    Row {
        axis: "reduce",
        applies: |facts, _, plan| !facts.diagonals_complete && plan.reduce,
        effect: Effect::Change(|plan| plan.reduce = false),
        why: "a clock that is compared with no constant may still be part of a difference that is",
    },
    Row {
        axis: "trace",
        applies: |_, wishes, plan| {
            plan.trace == TraceKind::Shortest && wishes.order.is_some_and(|order| order != Order::Bfs)
        },
        effect: Effect::Refuse,
        why: "the shortest run is found breadth first: leave --order out, or ask for --trace some",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| plan.trace == TraceKind::Shortest && plan.order != Order::Bfs,
        effect: Effect::Change(|plan| plan.order = Order::Bfs),
        why: "the shortest run is found breadth first",
    },
    Row {
        axis: "trace",
        applies: |_, wishes, plan| plan.trace == TraceKind::Fastest && wishes.order.is_some(),
        effect: Effect::Refuse,
        why: "the fastest run is found by visiting the earliest state first: leave --order out, or ask for --trace some",
    },
    Row {
        axis: "trace",
        applies: |_, _, plan| plan.trace == TraceKind::Fastest && plan.cover == Cover::Equality,
        effect: Effect::Refuse,
        why: "the fastest run needs a clock that is never reset, so that equal zones never come back: use --cover inclusion",
    },
    Row {
        axis: "trace",
        applies: |_, _, plan| {
            plan.trace == TraceKind::Fastest
                && !matches!(plan.abstraction, Abstraction::ExtraLu | Abstraction::ExtraLuPlus)
        },
        effect: Effect::Refuse,
        why: "the fastest run needs an abstraction that forgets how late it is but not how early: use --abstraction extra-lu+",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| plan.trace == TraceKind::Fastest,
        effect: Effect::Change(|plan| plan.order = Order::Earliest),
        why: "the fastest run is found by visiting the earliest state first",
    },
    Row {
        axis: "order",
        applies: |_, wishes, plan| {
            wishes.positions != PositionsWish::Computed && plan.order != Order::Topological
        },
        effect: Effect::Refuse,
        why: "positions of locations are for --order topological: leave --topological-order out, or --order and --trace",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| plan.order == Order::Ranked && !plan.waiting_inclusion,
        effect: Effect::Refuse,
        why: "a rank is given when a state is compared with others, which comes too late if that is when it is visited: use --waiting-inclusion on, or another --order",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| plan.order == Order::Ranked && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "ranks are read off the tree of visited states, which a table does not keep: use --passed exact, or another --order",
    },
    Row {
        axis: "order",
        applies: |facts, _, plan| plan.order == Order::Best && !facts.inquiry.placed,
        effect: Effect::Change(|plan| plan.order = Order::Bfs),
        why: "no location is asked for that could be near or far: breadth first instead",
    },
    Row {
        axis: "shuffle-edges",
        applies: |facts, _, plan| plan.shuffle_edges && (facts.inquiry.endless || facts.inquiry.about_all),
        effect: Effect::Refuse,
        why: "only searches for a state take successors in a random order: leave --shuffle-edges out",
    },
    Row {
        axis: "shuffle-edges",
        applies: |_, _, plan| plan.shuffle_edges && plan.trace == TraceKind::Shortest,
        effect: Effect::Note,
        why: "as asked; of runs that are equally short another may be found",
    },
    Row {
        axis: "shuffle-edges",
        applies: |_, _, plan| plan.shuffle_edges && plan.trace != TraceKind::Shortest,
        effect: Effect::Note,
        why: "as asked: the successors of a state come in a random order, by --seed",
    },
    Row {
        axis: "trace",
        applies: |_, wishes, plan| {
            wishes.traces.is_some() && matches!(plan.trace, TraceKind::Fastest | TraceKind::None)
        },
        effect: Effect::Refuse,
        why: "several runs are told in the order of their lengths: leave --trace out, or --traces",
    },
    Row {
        axis: "passed",
        applies: |_, wishes, plan| {
            plan.table.is_none() && (wishes.table.any() || wishes.when_full == Some(WhenFull::Skip))
        },
        effect: Effect::Refuse,
        why: "only a passed list of a fixed size has a table: leave out what is said of one, or ask for --passed bitstate, compact or compact+zone",
    },
    Row {
        axis: "when-full",
        applies: |_, _, plan| plan.table.is_some() && plan.packs,
        effect: Effect::Refuse,
        why: "a table of a fixed size has no smaller form: --when-full pack goes with --passed exact",
    },
    Row {
        axis: "when-full",
        applies: |facts, _, plan| (facts.inquiry.endless || facts.inquiry.about_all) && plan.packs,
        effect: Effect::Change(|plan| plan.packs = false),
        why: "only searches for a state are continued in a smaller form; --compact begins with it",
    },
    Row {
        axis: "when-full",
        applies: |_, _, plan| plan.packs,
        effect: Effect::Note,
        why: "as asked: when the limit on memory nears, the list is rewritten in the smallest exact form",
    },
    Row {
        axis: "passed",
        applies: |_, wishes, _| wishes.table.is_out_of_range(),
        effect: Effect::Refuse,
        why: "a state has 1 to 64 bits of a table, a signature has 1 to 62, and there is at least one pass",
    },
    Row {
        axis: "passed",
        applies: |_, wishes, plan| {
            plan.table.is_some_and(|table| match table.kind {
                TableKind::Bits { .. } => wishes.table.signature_bits.is_some() || wishes.when_full.is_some(),
                _ => wishes.table.bits_per_state.is_some(),
            })
        },
        effect: Effect::Refuse,
        why: "a table of bits has no signatures and is never full, and one of signatures has no bits for each state: --bits-per-state goes with --passed bitstate, --signature-bits and --when-full with the others",
    },
    Row {
        axis: "passed",
        applies: |facts, _, plan| facts.inquiry.endless && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "runs that go on for ever are found as cycles, which takes states that can be told apart for certain: use --passed exact",
    },
    Row {
        axis: "passed",
        applies: |facts, _, plan| facts.inquiry.about_all && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "values, and what never happens, are told of all states, and a table may leave some out: use --passed exact",
    },
    Row {
        axis: "trace",
        applies: |_, _, plan| {
            plan.table.is_some() && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "a table may leave out the states of the shortest or fastest run: ask for --trace some, or --passed exact",
    },
    Row {
        axis: "trace",
        applies: |_, wishes, plan| plan.table.is_some() && wishes.traces.is_some(),
        effect: Effect::Refuse,
        why: "several runs are found by a search that keeps all states, which a table is there to avoid: leave --traces out",
    },
    Row {
        axis: "passed",
        applies: |_, _, plan| {
            plan.cover != Cover::Equality && plan.table.is_some_and(|table| !keeps_zones(table.kind))
        },
        effect: Effect::Note,
        why: "the table knows whole states only: what covers what is seen among waiting states, and visited ones are recognised when they are equal [Bengtsson2001]",
    },
    Row {
        axis: "waiting-inclusion",
        applies: |_, _, plan| plan.cover == Cover::Equality && !plan.waiting_inclusion,
        effect: Effect::Note,
        why: "without inclusion on waiting, equal states wait several times",
    },
    Row {
        axis: "abstraction",
        applies: |_, _, plan| {
            let abstracts =
                plan.cover == Cover::Alu && plan.table.is_none_or(|table| keeps_zones(table.kind));
            plan.abstraction == Abstraction::None && !abstracts
        },
        effect: Effect::Note,
        why: "exact zones may have no end: a limit may be needed",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| facts.unbounded && plan.abstraction != Abstraction::None,
        effect: Effect::Note,
        why: "a clock of this model has no largest constant: nothing of it is abstracted, and the search may have no end",
    },
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.stopwatches,
        effect: Effect::Change(|plan| plan.over_approximates = true),
        why: "clocks can stand still, which zones over-approximate: what is found counts only if its run replays",
    },
];

/// Makes a plan.
///
/// # Errors
/// If what was asked for cannot be combined.
pub fn plan(facts: &Facts, wishes: &Wishes) -> Result<Plan, Refusal> {
    let mut plan = choose(facts, wishes);
    if facts.inquiry.endless {
        plan.look_for_cycles(facts.inquiry, wishes);
    }
    for row in ROWS {
        if !(row.applies)(facts, wishes, &plan) {
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

/// The choice on every axis before the table is applied.
fn choose(facts: &Facts, wishes: &Wishes) -> Plan {
    let compact = wishes.compact.then(|| smallest(facts));
    let (zones, discrete) = compact.unwrap_or((ZoneForm::Shared, DiscreteForm::Bits));
    let mut plan = Plan {
        abstraction: wishes.abstraction.unwrap_or(Abstraction::ExtraLuPlus),
        bounds: wishes.bounds.unwrap_or(BoundsScope::Local),
        cover: wishes.cover.unwrap_or(Cover::Inclusion),
        zones: wishes.zones.unwrap_or(zones),
        discrete: wishes.discrete.unwrap_or(discrete),
        tight: wishes.compact,
        packs: wishes.when_full == Some(WhenFull::Pack),
        table: tables::table(wishes),
        passes: wishes.table.passes.unwrap_or(1),
        order: wishes.order.unwrap_or(default_order(facts, wishes).0),
        positions: wishes.positions.clone(),
        shuffle_edges: wishes.shuffle_edges,
        waiting_inclusion: wishes.waiting_inclusion.unwrap_or(true),
        reduce: wishes.reduce.unwrap_or(wishes.abstraction == Some(Abstraction::None)),
        split: false,
        cycles: None,
        doubts_cycles: false,
        over_approximates: false,
        trace: wishes.trace,
        seed: wishes.seed,
        reasons: Vec::new(),
    };
    let default = [
        (
            "abstraction",
            wishes.abstraction.is_some(),
            "the coarsest extrapolation that is exact for reachability [BehrmannBouyerLarsenPelanek2004]",
        ),
        (
            "bounds",
            wishes.bounds.is_some(),
            "constants that can no longer matter at a location make zones smaller for nothing [BehrmannBouyerFleuryLarsen2003]",
        ),
        ("cover", wishes.cover.is_some(), "a zone within a stored one has nothing new to show"),
        (
            "zones",
            wishes.zones.is_some(),
            if wishes.compact {
                "the smallest exact form of zones, by measurement [LarsenLarssonPetterssonYi1997]"
            } else {
                "most zones occur many times: equal ones are stored once"
            },
        ),
        (
            "discrete",
            wishes.discrete.is_some(),
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
        ("order", wishes.order.is_some(), default_order(facts, wishes).1),
        ("waiting-inclusion", wishes.waiting_inclusion.is_some(), "what a waiting node covers need not wait"),
        (
            "reduce",
            wishes.reduce.is_some(),
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
    if let Some(table) = &plan.table {
        let reason =
            Reason { axis: "passed", choice: plan.choice("passed"), why: tables::reason(table, plan.passes) };
        plan.reasons.push(reason);
    }
    plan
}

/// The order where none is asked for, and why.
///
/// Measured on small members of the families and on the examples. Of 48 queries that have a run, the nearest first visits
/// fewer states than breadth first for 30, more for 2 (2.8 times as many at worst), half as many in the median and less
/// than a quarter in all; one run is longer. A topological order is no good for that: it visits 26 times as many for one
/// of them. It is for visiting everything, where FDDI and the blow-up take exponentially less than breadth first and what
/// takes more (four models did) takes 23 percent more at worst. Where what is nearest is looked for in vain it can take
/// twice what breadth first does (dining philosophers). So `E<>` counts on finding something, and `A[]` on not.
fn default_order(facts: &Facts, wishes: &Wishes) -> (Order, &'static str) {
    let Inquiry { endless, placed, .. } = facts.inquiry;
    if wishes.positions != PositionsWish::Computed {
        (Order::Topological, "positions of locations were given")
    } else if matches!(wishes.trace, TraceKind::Shortest | TraceKind::Fastest) || endless {
        (Order::Bfs, "breadth first finds short runs")
    } else if placed {
        (
            Order::Best,
            "a state at known locations is asked for: the nearest first finds it soon, by a short run",
        )
    } else if facts.clocks == 0 || wishes.cover == Some(Cover::Equality) {
        (
            Order::Bfs,
            "where only equal states cover each other no order visits fewer, and breadth first finds short runs",
        )
    } else {
        (
            Order::Topological,
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
    /// The same plan with the smallest exact forms: what a list is rewritten in.
    #[must_use]
    pub(crate) fn packed(&self, facts: &Facts) -> Self {
        let (zones, discrete) = smallest(facts);
        Self { zones, discrete, tight: true, ..self.clone() }
    }

    fn look_for_cycles(&mut self, inquiry: Inquiry, wishes: &Wishes) {
        let (choice, why) = match (wishes.cycles, inquiry.accepting) {
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
            }
            .to_owned(),
            "passed" => tables::name(self.table.as_ref()).to_owned(),
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
            _ => if self.over_approximates { "replayed" } else { "exact" }.to_owned(),
        }
    }
}

const fn keeps_zones(kind: TableKind) -> bool {
    matches!(kind, TableKind::SignaturesAndZones { .. })
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
