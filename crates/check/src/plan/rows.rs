//! What must not be combined.
//!
//! Each row says when it applies, what it changes or refuses, why, and by whose theorem. Rows apply in order, each to what
//! those before it left; `tests/suite/plan.rs` has every one of them.

use tourbillon_store::{
    Cover, DIAGRAM_CLOCKS_MAX, DIAGRAM_FIELDS_MAX, DiagramSettings, DiscreteForm, TableKind, WhenFull,
    ZoneForm,
};
use tourbillon_zonegraph::Abstraction;

use super::{CycleSearch, Engine, Facts, Layout, Plan, PlanRequest, TraceKind};
use crate::order::{Order, PositionSource};
use crate::tables::PassedForm;

/// What a row does where it applies.
pub(super) enum Effect {
    /// Changes the plan.
    Change(fn(&mut Plan)),
    /// Refuses it.
    Refuse,
    /// Only says so.
    Note,
}

/// A row of the table of what must not be combined.
pub(super) struct Row {
    pub(super) axis: &'static str,
    pub(super) applies: fn(&Facts, &PlanRequest, &Plan) -> bool,
    pub(super) effect: Effect,
    pub(super) why: &'static str,
}

/// What must not be combined, and what is done about it. Rows apply in order, each to what those before it left.
pub(super) const ROWS: &[Row] = &[
    Row {
        axis: "layout",
        applies: |_, plan_request, plan| plan.engine != Engine::Cluster && plan_request.layout.is_some(),
        effect: Effect::Refuse,
        why: "states are laid out over the ranks of a cluster: --layout goes with --engine cluster",
    },
    Row {
        axis: "balance",
        applies: |_, plan_request, plan| plan_request.balance.is_some() && plan.layout.groups().is_none(),
        effect: Effect::Refuse,
        why: "levels move where a diagram is over several ranks: --balance goes with --layout cdd-spread or groups=K",
    },
    Row {
        axis: "engine",
        applies: |_, plan_request, plan| plan.engine != Engine::Symbolic && plan_request.sets.is_any(),
        effect: Effect::Refuse,
        why: "sets of discrete states are kept by one engine alone: --bdd-memory, --bdd-reorder and --merge-zones go with --engine symbolic",
    },
    Row {
        axis: "engine",
        applies: may_pay,
        effect: Effect::Note,
        why: "few clocks and much data: if there are many states, sets of them are tried as well, and what gets further goes on [EhlersGerkePeter2010]",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.property_class.endless,
        effect: Effect::Refuse,
        why: "runs that go on for ever are found as cycles of single states, and sets of states have none: use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.property_class.about_all,
        effect: Effect::Refuse,
        why: "values, and what looks wrong with a model, are told state by state: use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.stopwatches,
        effect: Effect::Refuse,
        why: "which clocks stand still is not encoded in sets of states: use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.priorities,
        effect: Effect::Refuse,
        why: "where a step of higher priority comes first depends on clocks and on each state: use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.timed_receivers,
        effect: Effect::Refuse,
        why: "who receives a broadcast depends on clocks where receivers have clock guards, and on each state: use --engine zones",
    },
    Row {
        axis: "trace",
        applies: |_, _, plan| {
            plan.engine == Engine::Symbolic && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "a run is looked for among the states that were reached when the first was found, and a shorter or faster one may lie outside: ask for --trace some, or use --engine zones",
    },
    Row {
        axis: "trace",
        applies: |_, plan_request, plan| plan.engine == Engine::Symbolic && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "several runs are found by a search that keeps single states: leave --traces out, or use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |_, plan_request, plan| plan.engine == Engine::Symbolic && asks_for_nodes(plan_request),
        effect: Effect::Refuse,
        why: "how single states are stored and ordered is no choice where sets of them are: leave --zones, --discrete, --compact, --passed, --when-full, --order, --shuffle-edges and --waiting-inclusion out, or use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |_, _, plan| plan.engine == Engine::Symbolic,
        effect: Effect::Note,
        why: "as asked: for each zone the set of discrete states that it was reached with, as a binary decision diagram, so that a step is taken for all of them at once [EhlersGerkePeter2010]",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Cluster && facts.property_class.endless,
        effect: Effect::Refuse,
        why: "runs that go on for ever are found as cycles, depth first or by components, and on several ranks nothing is visited in such an order: use --engine zones",
    },
    Row {
        axis: "engine",
        applies: |facts, _, plan| plan.engine == Engine::Cluster && facts.property_class.about_all,
        effect: Effect::Refuse,
        why: "values, and what looks wrong with a model, are told by one who sees every state, and on several ranks nobody does: use --engine zones",
    },
    Row {
        axis: "trace",
        applies: |_, _, plan| {
            plan.engine == Engine::Cluster && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "ranks do not wait for each other, so that what one finds first need not be the nearest or the earliest of all [BehrmannHuneVaandrager2000]: ask for --trace some, or use --engine zones",
    },
    Row {
        axis: "trace",
        applies: |_, plan_request, plan| plan.engine == Engine::Cluster && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "several runs are found by a search that keeps all states in one memory: leave --traces out, or use --engine zones",
    },
    Row {
        axis: "passed",
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "what a table may have left out is estimated for one table, and each rank would have its own: use --passed exact, or --engine zones",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| plan.engine == Engine::Cluster && is_ranked(plan),
        effect: Effect::Refuse,
        why: "ranks of states are read off the tree of visited ones, whose branches lie on several machines: use another --order, or --engine zones",
    },
    Row {
        axis: "engine",
        applies: |_, _, plan| plan.engine == Engine::Cluster,
        effect: Effect::Note,
        why: "as asked: several ranks search together; which one comes first to a state is up to the machine, so that counts may differ from run to run, and verdicts not",
    },
    Row {
        axis: "layout",
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.layout == Layout::Hash,
        effect: Effect::Note,
        why: "each rank has the discrete states that hash to it, with all their zones, so that it alone decides which of them are new [BehrmannHuneVaandrager2000]",
    },
    Row {
        axis: "layout",
        applies: |_, _, plan| plan.layout.has_diagrams() && !unites(plan),
        effect: Effect::Refuse,
        why: "the layout has diagrams for zones: leave --zones out, or ask for --zones cdd or --layout hash",
    },
    Row {
        axis: "layout",
        applies: |_, _, plan| {
            plan.layout.groups().is_some() && plan.diagrams.form != DiagramSettings::default().form
        },
        effect: Effect::Refuse,
        why: "diagrams over several ranks have nodes in one form: leave --diagram-nodes out, or use --layout cdd-per-rank",
    },
    Row {
        axis: "layout",
        applies: |_, _, plan| plan.layout.groups().is_some() && plan.discrete == DiscreteForm::Mtidd,
        effect: Effect::Refuse,
        why: "where a diagram is over several ranks, discrete states have places and records of their own: use another --discrete, or --layout cdd-per-rank",
    },
    Row {
        axis: "layout",
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.layout == Layout::CddPerRank,
        effect: Effect::Note,
        why: "each rank has the discrete states that hash to it, with the unions of their zones in a diagram of its own [ThomsenKristensen2002]",
    },
    Row {
        axis: "layout",
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.layout.groups().is_some(),
        effect: Effect::Note,
        why: "a diagram over several ranks has what the discrete states of all of them share once, and takes messages to ask; inclusion is looked for level by level [ThomsenKristensen2002]",
    },
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.property_class.deadlock && facts.property_class.endless,
        effect: Effect::Refuse,
        why: "`deadlock` can be asked for in `E<>` and `A[]` only",
    },
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.property_class.endless && facts.stopwatches,
        effect: Effect::Refuse,
        why: "runs that go on for ever are found as cycles of zones, which need not be cycles of runs where clocks can stand still, since zones only over-approximate that",
    },
    Row {
        axis: "verdict",
        applies: |facts, plan_request, plan| {
            facts.property_class.deadlock
                && facts.stopwatches
                && (facts.property_class.about_all
                    || plan.engine == Engine::Cluster
                    || plan_request.traces.is_some())
        },
        effect: Effect::Refuse,
        why: "`deadlock` asks what can happen after a delay, which zones only over-approximate where clocks can stand still: a search with polyhedra answers `E<>` and `A[]` on one machine, with one run",
    },
    Row {
        axis: "verdict",
        applies: |facts, _, _| facts.property_class.deadlock && facts.stopwatches,
        effect: Effect::Note,
        why: "`deadlock` asks what can happen after a delay, which zones only over-approximate where clocks can stand still: polyhedra are used from the start [AlurCourcoubetisHalbwachs1995]",
    },
    Row {
        axis: "trace",
        applies: |facts, _, plan| facts.property_class.deadlock && plan.trace == TraceKind::Fastest,
        effect: Effect::Refuse,
        why: "the fastest run needs an abstraction by L and U, which does not preserve `deadlock`: ask for --trace shortest or some",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| {
            facts.property_class.asks_what_cannot() && plan.abstraction == Abstraction::ExtraLu
        },
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::ExtraM),
        why: "L and U preserve what can happen but not what cannot, and `deadlock` and runs that get stuck ask for that: M-bounds preserve both [BehrmannBouyerLarsenPelanek2004]",
    },
    Row {
        axis: "abstraction",
        applies: |facts, _, plan| {
            facts.property_class.asks_what_cannot() && plan.abstraction == Abstraction::ExtraLuPlus
        },
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::ExtraMPlus),
        why: "L and U preserve what can happen but not what cannot, and `deadlock` and runs that get stuck ask for that: M-bounds preserve both [BehrmannBouyerLarsenPelanek2004]",
    },
    Row {
        axis: "cover",
        applies: |facts, _, plan| facts.property_class.asks_what_cannot() && plan.cover == Cover::Alu,
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "a_LU preserves what can happen but not what cannot, and `deadlock` and runs that get stuck ask for that; inclusion is used instead",
    },
    Row {
        axis: "cycles",
        applies: |facts, _, plan| facts.property_class.in_turn && plan.cycles == Some(CycleSearch::Nested),
        effect: Effect::Change(|plan| plan.cycles = Some(CycleSearch::Components)),
        why: "a nested search comes back to one kind of states; several in turn are found by components",
    },
    Row {
        axis: "cycles",
        applies: |facts, _, _| facts.property_class.endless && (facts.unbounded || !facts.diagonals_complete),
        effect: Effect::Change(|plan| plan.doubts_cycles = true),
        why: "there is no end of constants that clocks are compared with, so that a cycle of zones may be gone round any number of times and yet not for ever: it counts only if its run repeats exactly",
    },
    Row {
        axis: "cover",
        applies: |facts, _, plan| facts.property_class.endless && plan.cover == Cover::Alu,
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "what covers what decides here which cycles there are, and inclusion is what that is proven for [LaarmanOlesenDalsgaardLarsenVandePol2013]",
    },
    Row {
        axis: "trace",
        applies: |facts, _, plan| {
            facts.property_class.endless && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
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
        applies: |facts, _, plan| facts.property_class.measures_clocks && plan.cover == Cover::Equality,
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
        applies: |_, plan_request, plan| {
            plan.trace == TraceKind::Shortest && plan_request.order.is_some_and(|order| order != Order::Bfs)
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
        applies: |_, plan_request, plan| plan.trace == TraceKind::Fastest && plan_request.order.is_some(),
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
        applies: |_, plan_request, plan| {
            plan_request.positions != PositionSource::Computed
                && !matches!(plan.order, Order::Topological | Order::Sweep | Order::RankedSweep)
        },
        effect: Effect::Refuse,
        why: "positions of locations are for --order topological, sweep and ranked-sweep: leave --topological-order out, or --order and --trace",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| is_ranked(plan) && !plan.waiting_inclusion,
        effect: Effect::Refuse,
        why: "a rank is given when a state is compared with others, which comes too late if that is when it is visited: use --waiting-inclusion on, or another --order",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| is_ranked(plan) && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "ranks are read off the tree of visited states, which a table does not keep: use --passed exact, or another --order",
    },
    Row {
        axis: "order",
        applies: |_, _, plan| plan.order == Order::Mixed && plan.engine == Engine::Cluster,
        effect: Effect::Refuse,
        why: "orders take turns state by state, and ranks do not wait for each other: use another --order, or --engine zones",
    },
    Row {
        axis: "order",
        applies: |facts, _, plan| plan.order == Order::Mixed && !facts.property_class.goal,
        effect: Effect::Change(|plan| plan.order = plan.wide),
        why: "orders are mixed to find a state soon, and no single state is asked for: the order that is best alone instead",
    },
    Row {
        axis: "order",
        applies: |facts, _, plan| plan.order == Order::Best && !facts.property_class.placed,
        effect: Effect::Change(|plan| plan.order = Order::Bfs),
        why: "no location is asked for that could be near or far: breadth first instead",
    },
    Row {
        axis: "shuffle-edges",
        applies: |facts, _, plan| {
            plan.shuffle_edges && (facts.property_class.endless || facts.property_class.about_all)
        },
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
        applies: |_, plan_request, plan| {
            plan_request.traces.is_some() && matches!(plan.trace, TraceKind::Fastest | TraceKind::None)
        },
        effect: Effect::Refuse,
        why: "several runs are told in the order of their lengths: leave --trace out, or --traces",
    },
    Row {
        axis: "passed",
        applies: |_, plan_request, plan| {
            plan.table.is_none()
                && (plan_request.table.any() || plan_request.when_full == Some(WhenFull::Skip))
        },
        effect: Effect::Refuse,
        why: "only a passed list of a fixed size has a table: leave out what is said of one, or ask for --passed bitstate, compact or compact+zone",
    },
    Row {
        axis: "zones",
        applies: |_, plan_request, plan| plan_request.diagrams.is_some() && !unites(plan),
        effect: Effect::Refuse,
        why: "only with --zones cdd are there diagrams: leave out what is said of them, or ask for it",
    },
    Row {
        axis: "discrete",
        applies: |_, _, plan| plan.discrete == DiscreteForm::Mtidd && !unites(plan),
        effect: Effect::Refuse,
        why: "a diagram of locations and variables leads from a state to its zones and not back, and all forms of zones but one must know which state a zone is of: --discrete mtidd goes with --zones cdd",
    },
    Row {
        axis: "discrete",
        applies: |facts, _, plan| plan.discrete == DiscreteForm::Mtidd && facts.fields > DIAGRAM_FIELDS_MAX,
        effect: Effect::Refuse,
        why: "there are too many locations and variables for a diagram, which can have 4095: use another form of --discrete",
    },
    Row {
        axis: "zones",
        applies: |facts, _, plan| unites(plan) && facts.clocks >= DIAGRAM_CLOCKS_MAX,
        effect: Effect::Refuse,
        why: "there are too many clocks for diagrams, which can have up to 89: use another form of --zones",
    },
    Row {
        axis: "zones",
        applies: |_, _, plan| unites(plan) && plan.cover != Cover::Inclusion,
        effect: Effect::Refuse,
        why: "a union of zones tells what it includes, and nothing else: --zones cdd goes with --cover inclusion",
    },
    Row {
        axis: "zones",
        applies: |_, _, plan| unites(plan) && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "a table has signatures of states and no unions of zones: --zones cdd goes with --passed exact",
    },
    Row {
        axis: "zones",
        applies: |_, _, plan| unites(plan) && plan.packs,
        effect: Effect::Refuse,
        why: "a union of zones cannot be read back as the zones that it came of: --when-full pack goes with another form of --zones",
    },
    Row {
        axis: "zones",
        applies: |_, _, plan| unites(plan) && is_ranked(plan),
        effect: Effect::Refuse,
        why: "ranks are read off the tree of visited states, which a union does not keep: use another form of --zones, or another --order",
    },
    Row {
        axis: "zones",
        applies: |facts, _, plan| {
            unites(plan) && (facts.property_class.endless || facts.property_class.about_all)
        },
        effect: Effect::Refuse,
        why: "cycles, values, and what never happens are told of states one by one, which a union of zones does not keep: use another form of --zones",
    },
    Row {
        axis: "zones",
        applies: |_, plan_request, plan| unites(plan) && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "several runs are found by a search that keeps all states one by one: leave --traces out, or use another form of --zones",
    },
    Row {
        axis: "when-full",
        applies: |_, _, plan| plan.table.is_some() && plan.packs,
        effect: Effect::Refuse,
        why: "a table of a fixed size has no smaller form: --when-full pack goes with --passed exact",
    },
    Row {
        axis: "when-full",
        applies: |facts, _, plan| {
            (facts.property_class.endless || facts.property_class.about_all) && plan.packs
        },
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
        applies: |_, plan_request, _| plan_request.table.is_out_of_range(),
        effect: Effect::Refuse,
        why: "a state has 1 to 64 bits of a table, a signature has 1 to 62, and there is at least one pass",
    },
    Row {
        axis: "passed",
        applies: |_, plan_request, plan| {
            plan.table.is_some_and(|table| match table.kind {
                TableKind::Bits { .. } => {
                    plan_request.table.signature_bits.is_some() || plan_request.when_full.is_some()
                }
                _ => plan_request.table.bits_per_state.is_some(),
            })
        },
        effect: Effect::Refuse,
        why: "a table of bits has no signatures and is never full, and one of signatures has no bits for each state: --bits-per-state goes with --passed bitstate, --signature-bits and --when-full with the others",
    },
    Row {
        axis: "passed",
        applies: |facts, _, plan| facts.property_class.endless && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "runs that go on for ever are found as cycles, which takes states that can be told apart for certain: use --passed exact",
    },
    Row {
        axis: "passed",
        applies: |facts, _, plan| facts.property_class.about_all && plan.table.is_some(),
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
        applies: |_, plan_request, plan| plan.table.is_some() && plan_request.traces.is_some(),
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
        why: "clocks can stand still, which zones over-approximate: what is found counts only if a run shows it, for which polyhedra are used [CassezLarsen2000]",
    },
    Row {
        axis: "trace",
        applies: |_, _, plan| !plan.shows_runs() && plan.must_replay(),
        effect: Effect::Note,
        why: "no run is shown, but what is found counts only if its run replays: how states were reached is kept for that",
    },
];

/// Whether the order goes by ranks.
const fn is_ranked(plan: &Plan) -> bool {
    matches!(plan.order, Order::Ranked | Order::RankedSweep)
}

/// Whether visited zones are kept as unions.
const fn unites(plan: &Plan) -> bool {
    matches!(plan.zones, ZoneForm::Cdd)
}

const fn keeps_zones(kind: TableKind) -> bool {
    matches!(kind, TableKind::SignaturesAndZones { .. })
}

/// Whether it was said how single states are stored or ordered.
fn asks_for_nodes(plan_request: &PlanRequest) -> bool {
    plan_request.zones.is_some()
        || plan_request.discrete.is_some()
        || plan_request.compact
        || plan_request.passed != PassedForm::Exact
        || plan_request.when_full.is_some()
        || plan_request.order.is_some()
        || plan_request.positions != PositionSource::Computed
        || plan_request.shuffle_edges
        || plan_request.waiting_inclusion.is_some()
}

/// How many clocks a model may have, and how many bits of data it must have, for sets of its states to be tried.
const FEW_CLOCKS: usize = 3;
const MANY_BITS: u32 = 20;

/// Whether sets of discrete states may be better than single ones, and are possible: few clocks, so that there are few
/// zones, and much data.
pub(super) fn may_pay(facts: &Facts, plan_request: &PlanRequest, plan: &Plan) -> bool {
    plan_request.any_engine
        && plan.engine == Engine::Zones
        && facts.clocks <= FEW_CLOCKS
        && facts.state_bits >= MANY_BITS
        && !(facts.stopwatches || facts.priorities || facts.timed_receivers)
        && !(facts.property_class.endless || facts.property_class.about_all)
        && matches!(plan.trace, TraceKind::None | TraceKind::Some)
        && plan_request.traces.is_none()
        && !asks_for_nodes(plan_request)
}
