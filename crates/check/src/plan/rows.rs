//! The combinations that are unsound or unsupported, and what is done about each.
//!
//! Rows apply in order, each to the plan that the rows before it left.

use tourbillon_search::Committed;
use tourbillon_store::{
    Cover, DIAGRAM_CLOCKS_MAX, DIAGRAM_FIELDS_MAX, DiagramSettings, DiscreteForm, TableKind, WhenFull,
    ZoneForm,
};
use tourbillon_zonegraph::Abstraction;

use super::{
    Axis, BoundsScope, CycleSearch, Engine, Facts, Layout, Plan, PlanRequest, RoundUse, SymmetryUse,
    TraceKind,
};
use crate::order::{Order, PositionSource};
use crate::tables::PassedForm;

/// What a row does where it applies.
pub(super) enum Effect {
    Change(fn(&mut Plan)),
    Refuse,
    /// Adds its reason to the plan.
    Note,
}

/// A combination that is changed, refused or remarked on.
pub(super) struct Row {
    pub(super) axis: Axis,
    pub(super) applies: fn(&Facts, &PlanRequest, &Plan) -> bool,
    pub(super) effect: Effect,
    /// A sentence without a full stop; a refusal says what to use instead.
    pub(super) why: &'static str,
    /// The papers with the theorem, in brackets; empty if there is none.
    pub(super) paper: &'static str,
    /// The test of `tests/suite/plan.rs` that it has.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by a test"))]
    pub(super) test: &'static str,
}

impl Row {
    /// The reason with its papers.
    pub(super) fn reason(&self) -> String {
        if self.paper.is_empty() { self.why.to_owned() } else { format!("{} {}", self.why, self.paper) }
    }
}

fn has_rounds(plan: &Plan) -> bool {
    plan.rounds != RoundUse::Off
}

/// Whether several threads were requested.
fn wants_threads(plan_request: &PlanRequest) -> bool {
    plan_request.threads.is_some_and(|threads| threads > 1)
}

fn one_by_one(plan: &mut Plan) {
    plan.rounds = RoundUse::Off;
}

fn without_symmetry(plan: &mut Plan) {
    plan.symmetry = SymmetryUse::Off;
}

pub(super) const ROWS: &[Row] = &[
    Row {
        axis: Axis::Layout,
        applies: |_, plan_request, plan| plan.engine != Engine::Cluster && plan_request.layout.is_some(),
        effect: Effect::Refuse,
        why: "--layout distributes states over ranks: it requires --engine cluster",
        paper: "",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Balance,
        applies: |_, plan_request, plan| plan_request.balance.is_some() && plan.layout.groups().is_none(),
        effect: Effect::Refuse,
        why: "--balance moves CDD levels between ranks: it requires --layout cdd-spread or groups=K",
        paper: "",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Engine,
        applies: |_, plan_request, plan| plan.engine != Engine::Symbolic && plan_request.sets.is_any(),
        effect: Effect::Refuse,
        why: "--bdd-memory, --bdd-reorder and --merge-zones require --engine symbolic",
        paper: "",
        test: "sets_of_states_are_explained_and_keep_what_concerns_zones",
    },
    Row {
        axis: Axis::Engine,
        applies: may_pay,
        effect: Effect::Note,
        why: "few clocks and much data: if the search becomes large, the symbolic engine is tried as well, and the engine that gets further continues",
        paper: "[EhlersGerkePeter2010]",
        test: "sets_of_states_are_tried_where_clocks_are_few_and_data_is_much",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.property_class.endless,
        effect: Effect::Refuse,
        why: "the symbolic engine has no cycle detection: liveness properties need --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.property_class.about_all,
        effect: Effect::Refuse,
        why: "the symbolic engine does not enumerate states: sup, inf, bounds and lint need --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.stopwatches,
        effect: Effect::Refuse,
        why: "the symbolic engine does not encode stopped clocks: models with stopwatches need --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.priorities,
        effect: Effect::Refuse,
        why: "the symbolic engine does not encode priorities, which depend on clocks and on the discrete state: use --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Symbolic && facts.timed_receivers,
        effect: Effect::Refuse,
        why: "the symbolic engine does not encode broadcast receivers with clock guards: use --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, _, plan| {
            plan.engine == Engine::Symbolic && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "the symbolic engine finds some trace, not the shortest or fastest: use --trace some, or --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, plan_request, plan| plan.engine == Engine::Symbolic && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "the symbolic engine finds one trace: leave --traces out, or use --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Engine,
        applies: |_, plan_request, plan| plan.engine == Engine::Symbolic && asks_for_nodes(plan_request),
        effect: Effect::Refuse,
        why: "the symbolic engine has storage and an order of its own: leave --zones, --discrete, --compact, --passed, --when-full, --store, --order, --topological-order, --shuffle-edges and --waiting-inclusion out, or use --engine zones",
        paper: "",
        test: "sets_of_states_are_refused_where_single_ones_must_be_told_apart",
    },
    Row {
        axis: Axis::Engine,
        applies: |_, _, plan| plan.engine == Engine::Symbolic,
        effect: Effect::Note,
        why: "requested: the discrete states of each zone are a BDD, and a transition is taken for all of them at once",
        paper: "[EhlersGerkePeter2010]",
        test: "sets_of_states_are_explained_and_keep_what_concerns_zones",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Cluster && facts.property_class.endless,
        effect: Effect::Refuse,
        why: "cycle detection needs a depth-first order or all components in one memory: liveness properties need --engine zones",
        paper: "",
        test: "a_cluster_is_refused_where_one_must_see_everything",
    },
    Row {
        axis: Axis::Engine,
        applies: |facts, _, plan| plan.engine == Engine::Cluster && facts.property_class.about_all,
        effect: Effect::Refuse,
        why: "sup, inf, bounds and lint need all states in one memory: use --engine zones",
        paper: "",
        test: "a_cluster_is_refused_where_one_must_see_everything",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, _, plan| {
            plan.engine == Engine::Cluster && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "ranks are not synchronised, so that the first trace need not be the shortest or fastest: use --trace some, or --engine zones",
        paper: "[BehrmannHuneVaandrager2000]",
        test: "a_cluster_is_refused_where_one_must_see_everything",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, plan_request, plan| plan.engine == Engine::Cluster && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "several traces need all states in one memory: leave --traces out, or use --engine zones",
        paper: "",
        test: "a_cluster_is_refused_where_one_must_see_everything",
    },
    Row {
        axis: Axis::Passed,
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "the omission probability is estimated for one table, and each rank would have its own: use --passed exact, or --engine zones",
        paper: "",
        test: "a_cluster_is_refused_where_one_must_see_everything",
    },
    Row {
        axis: Axis::Store,
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.store != Committed::Stored,
        effect: Effect::Refuse,
        why: "a transient state has no owner, and its successors would have a predecessor on no rank: use --store all, or --engine zones",
        paper: "",
        test: "transient_states_are_for_reachability_on_one_machine",
    },
    Row {
        axis: Axis::Order,
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.order.is_ranked(),
        effect: Effect::Refuse,
        why: "ranked orders read the tree of visited states, which is distributed over the ranks: use another --order, or --engine zones",
        paper: "",
        test: "a_cluster_is_refused_where_one_must_see_everything",
    },
    Row {
        axis: Axis::Engine,
        applies: |_, _, plan| plan.engine == Engine::Cluster,
        effect: Effect::Note,
        why: "requested: distributed search; the order of visits depends on the machine, so that counts may differ between runs, and verdicts do not",
        paper: "",
        test: "a_cluster_is_explained_and_keeps_the_other_axes",
    },
    Row {
        axis: Axis::Layout,
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.layout == Layout::Hash,
        effect: Effect::Note,
        why: "each rank owns the discrete states that hash to it, with all their zones, and alone decides which of them are new",
        paper: "[BehrmannHuneVaandrager2000]",
        test: "a_cluster_is_explained_and_keeps_the_other_axes",
    },
    Row {
        axis: Axis::Layout,
        applies: |_, _, plan| plan.layout.has_diagrams() && !uses_cdd(plan),
        effect: Effect::Refuse,
        why: "the layout stores zones as CDDs: leave --zones out, or use --zones cdd or --layout hash",
        paper: "",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Layout,
        applies: |_, _, plan| {
            plan.layout.groups().is_some() && plan.diagrams.form != DiagramSettings::default().form
        },
        effect: Effect::Refuse,
        why: "CDDs over several ranks have one encoding of nodes: leave --diagram-nodes out, or use --layout cdd-per-rank",
        paper: "",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Layout,
        applies: |_, _, plan| plan.layout.groups().is_some() && plan.discrete == DiscreteForm::Mtidd,
        effect: Effect::Refuse,
        why: "CDDs over several ranks need discrete states as records: use another --discrete, or --layout cdd-per-rank",
        paper: "",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Layout,
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.layout == Layout::CddPerRank,
        effect: Effect::Note,
        why: "each rank owns the discrete states that hash to it, with the unions of their zones in a CDD of its own",
        paper: "[ThomsenKristensen2002]",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Layout,
        applies: |_, _, plan| plan.engine == Engine::Cluster && plan.layout.groups().is_some(),
        effect: Effect::Note,
        why: "a CDD over several ranks shares nodes between all their discrete states; an inclusion test takes messages and goes level by level",
        paper: "[ThomsenKristensen2002]",
        test: "a_layout_is_that_of_a_cluster",
    },
    Row {
        axis: Axis::Verdict,
        applies: |facts, _, _| facts.property_class.deadlock && facts.property_class.endless,
        effect: Effect::Refuse,
        why: "`deadlock` is supported in `E<>` and `A[]` only",
        paper: "",
        test: "endless_runs_are_refused_where_cycles_of_zones_say_nothing",
    },
    Row {
        axis: Axis::Verdict,
        applies: |facts, _, _| facts.property_class.endless && facts.stopwatches,
        effect: Effect::Refuse,
        why: "liveness properties are not supported for models with stopwatches: zones over-approximate stopped clocks, so that a cycle of zones need not have an infinite run",
        paper: "",
        test: "endless_runs_are_refused_where_cycles_of_zones_say_nothing",
    },
    Row {
        axis: Axis::Verdict,
        applies: |facts, plan_request, plan| {
            facts.property_class.deadlock
                && facts.stopwatches
                && (facts.property_class.about_all
                    || plan.engine == Engine::Cluster
                    || plan_request.traces.is_some())
        },
        effect: Effect::Refuse,
        why: "`deadlock` in a model with stopwatches needs polyhedra, since zones over-approximate delays with stopped clocks: use `E<>` or `A[]` with one trace, on one machine",
        paper: "",
        test: "deadlocks_need_m_bounds_and_exact_delays",
    },
    Row {
        axis: Axis::Verdict,
        applies: |facts, _, _| facts.property_class.deadlock && facts.stopwatches,
        effect: Effect::Note,
        why: "`deadlock` in a model with stopwatches: polyhedra are used from the start, since zones over-approximate delays with stopped clocks",
        paper: "[AlurCourcoubetisHalbwachs1995]",
        test: "deadlocks_need_m_bounds_and_exact_delays",
    },
    Row {
        axis: Axis::Trace,
        applies: |facts, _, plan| facts.property_class.deadlock && plan.trace == TraceKind::Fastest,
        effect: Effect::Refuse,
        why: "the fastest trace needs LU-extrapolation, which does not preserve `deadlock`: use --trace shortest or some",
        paper: "",
        test: "deadlocks_need_m_bounds_and_exact_delays",
    },
    Row {
        axis: Axis::Abstraction,
        applies: |facts, _, plan| {
            facts.property_class.needs_deadlocks() && plan.abstraction == Abstraction::ExtraLu
        },
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::ExtraM),
        why: "LU-extrapolation does not preserve deadlocks, which `deadlock` and liveness over maximal runs ask for; M-extrapolation does",
        paper: "[BehrmannBouyerLarsenPelanek2004]",
        test: "deadlocks_need_m_bounds_and_exact_delays",
    },
    Row {
        axis: Axis::Abstraction,
        applies: |facts, _, plan| {
            facts.property_class.needs_deadlocks() && plan.abstraction == Abstraction::ExtraLuPlus
        },
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::ExtraMPlus),
        why: "LU-extrapolation does not preserve deadlocks, which `deadlock` and liveness over maximal runs ask for; M-extrapolation does",
        paper: "[BehrmannBouyerLarsenPelanek2004]",
        test: "deadlocks_need_m_bounds_and_exact_delays",
    },
    Row {
        axis: Axis::Cover,
        applies: |facts, _, plan| facts.property_class.needs_deadlocks() && plan.cover.has_parameters(),
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "a_LU does not preserve deadlocks, which `deadlock` and liveness over maximal runs ask for; inclusion is used",
        paper: "",
        test: "deadlocks_need_m_bounds_and_exact_delays",
    },
    Row {
        axis: Axis::Bounds,
        applies: |facts, _, plan| {
            let m = [Abstraction::ExtraM, Abstraction::ExtraMPlus].contains(&plan.abstraction);
            plan.bounds == BoundsScope::Guarded && (m || facts.property_class.needs_deadlocks())
        },
        effect: Effect::Change(|plan| plan.bounds = BoundsScope::Local),
        why: "guarded bounds preserve that steps are possible, and M-extrapolation is to preserve that they are impossible as well; local bounds are used",
        paper: "[GastinMukherjeeSrivathsan2019]",
        test: "guarded_bounds_are_for_lu_abstractions",
    },
    Row {
        axis: Axis::Bounds,
        applies: |facts, _, plan| plan.bounds == BoundsScope::Guarded && facts.property_class.about_all,
        effect: Effect::Change(|plan| plan.bounds = BoundsScope::Local),
        why: "guarded bounds are proven for reachability and liveness; sup, inf, bounds and lint use local bounds",
        paper: "",
        test: "guarded_bounds_are_for_lu_abstractions",
    },
    Row {
        axis: Axis::Cycles,
        applies: |facts, _, plan| facts.property_class.in_turn && plan.cycles == Some(CycleSearch::Nested),
        effect: Effect::Change(|plan| plan.cycles = Some(CycleSearch::Components)),
        why: "nested depth-first search handles one acceptance set; several need strongly connected components",
        paper: "",
        test: "several_kinds_in_turn_are_found_by_components",
    },
    Row {
        axis: Axis::Cycles,
        applies: |facts, _, _| facts.property_class.endless && (facts.unbounded || !facts.diagonals_complete),
        effect: Effect::Change(|plan| plan.doubts_cycles = true),
        why: "clocks are compared with unboundedly many constants, so that a cycle of zones need not have an infinite run: it counts only if its run repeats exactly",
        paper: "",
        test: "paths_are_kept_where_a_run_is_shown_or_must_replay",
    },
    Row {
        axis: Axis::Cover,
        applies: |facts, _, plan| facts.property_class.endless && plan.cover.has_parameters(),
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "subsumption under cycle detection is proven sound for inclusion; inclusion is used",
        paper: "[LaarmanOlesenDalsgaardLarsenVandePol2013]",
        test: "endless_runs_that_cannot_get_stuck_keep_lu_bounds_and_lose_alu",
    },
    Row {
        axis: Axis::Trace,
        applies: |facts, _, plan| {
            facts.property_class.endless && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Change(|plan| plan.trace = TraceKind::Some),
        why: "liveness properties show the first lasso found",
        paper: "",
        test: "endless_runs_that_can_get_stuck_need_m_bounds",
    },
    Row {
        axis: Axis::Abstraction,
        applies: |facts, _, plan| !facts.diagonals_complete && plan.abstraction != Abstraction::None,
        effect: Effect::Change(|plan| plan.abstraction = Abstraction::None),
        why: "guards compare clock differences with unboundedly many constants, so that no extrapolation is sound; the search may not terminate",
        paper: "[Bouyer2003]",
        test: "endless_diagonals_leave_no_abstraction",
    },
    Row {
        axis: Axis::Abstraction,
        applies: |facts, _, plan| facts.diagonals > 0 && plan.abstraction != Abstraction::None,
        effect: Effect::Change(|plan| plan.split = true),
        why: "diagonal guards: zones are split on them before extrapolation, since no extrapolation alone is sound",
        paper: "[Bouyer2003], [BengtssonYi2003]",
        test: "zones_are_split_on_diagonals_and_a_lu_is_not_used",
    },
    Row {
        axis: Axis::Cover,
        applies: |facts, _, plan| {
            (facts.diagonals > 0 || !facts.diagonals_complete) && plan.cover.has_parameters()
        },
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "a_LU is unsound with diagonal guards; inclusion is used",
        paper: "[Bouyer2003]",
        test: "zones_are_split_on_diagonals_and_a_lu_is_not_used",
    },
    Row {
        axis: Axis::Cover,
        applies: |facts, _, plan| facts.property_class.measures_clocks && plan.cover == Cover::Equality,
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "the measured clock is never extrapolated, so that equal zones may never recur; inclusion is used",
        paper: "",
        test: "measured_clocks_need_inclusion",
    },
    Row {
        axis: Axis::Reduce,
        applies: |facts, _, plan| !facts.diagonals_complete && plan.reduce,
        effect: Effect::Change(|plan| plan.reduce = false),
        why: "a clock without constants of its own may still occur in a diagonal constraint",
        paper: "",
        test: "endless_diagonals_leave_no_abstraction",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, plan_request, plan| {
            plan.trace == TraceKind::Shortest && plan_request.order.is_some_and(|order| order != Order::Bfs)
        },
        effect: Effect::Refuse,
        why: "the shortest trace needs breadth-first search: leave --order out, or use --trace some",
        paper: "",
        test: "the_shortest_run_is_found_breadth_first",
    },
    Row {
        axis: Axis::Order,
        applies: |_, _, plan| plan.trace == TraceKind::Shortest && plan.order != Order::Bfs,
        effect: Effect::Change(|plan| plan.order = Order::Bfs),
        why: "the shortest trace needs breadth-first search",
        paper: "",
        test: "the_shortest_run_is_found_breadth_first",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, plan_request, plan| plan.trace == TraceKind::Fastest && plan_request.order.is_some(),
        effect: Effect::Refuse,
        why: "the fastest trace needs the earliest state first: leave --order out, or use --trace some",
        paper: "",
        test: "the_fastest_run_needs_its_own_order_cover_and_abstraction",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, _, plan| plan.trace == TraceKind::Fastest && plan.cover == Cover::Equality,
        effect: Effect::Refuse,
        why: "the fastest trace needs a clock that is never reset, so that equal zones never recur: use --cover inclusion",
        paper: "",
        test: "the_fastest_run_needs_its_own_order_cover_and_abstraction",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, _, plan| {
            plan.trace == TraceKind::Fastest
                && !matches!(plan.abstraction, Abstraction::ExtraLu | Abstraction::ExtraLuPlus)
        },
        effect: Effect::Refuse,
        why: "the fastest trace needs an extrapolation that preserves lower bounds and drops upper bounds: use --abstraction extra-lu+",
        paper: "",
        test: "the_fastest_run_needs_its_own_order_cover_and_abstraction",
    },
    Row {
        axis: Axis::Order,
        applies: |_, _, plan| plan.trace == TraceKind::Fastest,
        effect: Effect::Change(|plan| plan.order = Order::Earliest),
        why: "the fastest trace needs the earliest state first",
        paper: "",
        test: "the_fastest_run_needs_its_own_order_cover_and_abstraction",
    },
    Row {
        axis: Axis::Order,
        applies: |_, plan_request, plan| {
            plan_request.positions != PositionSource::Computed
                && !matches!(plan.order, Order::Topological | Order::Sweep | Order::RankedSweep)
        },
        effect: Effect::Refuse,
        why: "--topological-order requires --order topological, sweep or ranked-sweep",
        paper: "",
        test: "positions_of_locations_are_for_a_topological_order",
    },
    Row {
        axis: Axis::Order,
        applies: |_, _, plan| plan.order.is_ranked() && !plan.waiting_inclusion,
        effect: Effect::Refuse,
        why: "a rank is assigned when a state is compared with the waiting list: use --waiting-inclusion on, or another --order",
        paper: "",
        test: "ranks_need_comparisons_and_a_tree",
    },
    Row {
        axis: Axis::Order,
        applies: |_, _, plan| plan.order.is_ranked() && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "ranks are read off the tree of visited states, which a probabilistic passed list does not store: use --passed exact, or another --order",
        paper: "",
        test: "ranks_need_comparisons_and_a_tree",
    },
    Row {
        axis: Axis::Order,
        applies: |_, _, plan| plan.order == Order::Mixed && plan.engine == Engine::Cluster,
        effect: Effect::Refuse,
        why: "mixed orders take turns state by state, and ranks are not synchronised: use another --order, or --engine zones",
        paper: "",
        test: "orders_that_are_mixed_on_demand_need_a_goal_and_one_machine",
    },
    Row {
        axis: Axis::Order,
        applies: |facts, _, plan| plan.order == Order::Mixed && !facts.property_class.goal,
        effect: Effect::Change(|plan| plan.order = plan.wide),
        why: "mixed orders are for reachability of a state; the default order without mixing is used",
        paper: "",
        test: "orders_that_are_mixed_on_demand_need_a_goal_and_one_machine",
    },
    Row {
        axis: Axis::Order,
        applies: |facts, _, plan| plan.order == Order::Best && !facts.property_class.placed,
        effect: Effect::Change(|plan| plan.order = Order::Bfs),
        why: "best first needs a goal with locations; breadth first is used",
        paper: "",
        test: "best_needs_a_goal_with_locations",
    },
    Row {
        axis: Axis::ShuffleEdges,
        applies: |facts, _, plan| {
            plan.shuffle_edges && (facts.property_class.endless || facts.property_class.about_all)
        },
        effect: Effect::Refuse,
        why: "random successor order is supported for reachability only: leave --shuffle-edges out",
        paper: "",
        test: "edges_are_shuffled_where_a_state_is_looked_for",
    },
    Row {
        axis: Axis::ShuffleEdges,
        applies: |_, _, plan| plan.shuffle_edges && plan.trace == TraceKind::Shortest,
        effect: Effect::Note,
        why: "requested: random successor order, by --seed; of several shortest traces another one may be found",
        paper: "",
        test: "edges_are_shuffled_where_a_state_is_looked_for",
    },
    Row {
        axis: Axis::ShuffleEdges,
        applies: |_, _, plan| plan.shuffle_edges && plan.trace != TraceKind::Shortest,
        effect: Effect::Note,
        why: "requested: random successor order, by --seed",
        paper: "",
        test: "edges_are_shuffled_where_a_state_is_looked_for",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, plan_request, plan| {
            plan_request.traces.is_some() && matches!(plan.trace, TraceKind::Fastest | TraceKind::None)
        },
        effect: Effect::Refuse,
        why: "several traces are listed by length: leave --trace out, or --traces",
        paper: "",
        test: "several_traces_are_listed_by_length",
    },
    Row {
        axis: Axis::Passed,
        applies: |_, plan_request, plan| {
            plan.table.is_none()
                && (plan_request.table.any() || plan_request.when_full == Some(WhenFull::Skip))
        },
        effect: Effect::Refuse,
        why: "--passed-memory, --bits-per-state, --signature-bits, --passes and --when-full skip require a probabilistic passed list: --passed bitstate, compact or compact+zone",
        paper: "",
        test: "what_is_said_of_a_table_needs_one_of_its_kind",
    },
    Row {
        axis: Axis::Zones,
        applies: |_, plan_request, plan| plan_request.diagrams.is_some() && !uses_cdd(plan),
        effect: Effect::Refuse,
        why: "options of diagrams require --zones cdd",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Discrete,
        applies: |_, _, plan| plan.discrete == DiscreteForm::Mtidd && !uses_cdd(plan),
        effect: Effect::Refuse,
        why: "--discrete mtidd requires --zones cdd: the diagram maps a discrete state to its zones, and all other zone stores need the way back",
        paper: "",
        test: "a_diagram_of_discrete_states_goes_with_unions",
    },
    Row {
        axis: Axis::Discrete,
        applies: |facts, _, plan| plan.discrete == DiscreteForm::Mtidd && facts.fields > DIAGRAM_FIELDS_MAX,
        effect: Effect::Refuse,
        why: "too many locations and variables for --discrete mtidd, which supports 4095: use another --discrete",
        paper: "",
        test: "a_diagram_of_discrete_states_goes_with_unions",
    },
    Row {
        axis: Axis::Zones,
        applies: |facts, _, plan| uses_cdd(plan) && facts.clocks >= DIAGRAM_CLOCKS_MAX,
        effect: Effect::Refuse,
        why: "too many clocks for --zones cdd, which supports 89: use another --zones",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Zones,
        applies: |_, _, plan| uses_cdd(plan) && plan.cover != Cover::Inclusion,
        effect: Effect::Refuse,
        why: "a CDD supports the inclusion test only: --zones cdd requires --cover inclusion",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Zones,
        applies: |_, _, plan| uses_cdd(plan) && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "a probabilistic passed list stores no unions of zones: --zones cdd requires --passed exact",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Zones,
        applies: |_, _, plan| uses_cdd(plan) && plan.packs,
        effect: Effect::Refuse,
        why: "zones cannot be read back from a CDD: --when-full pack requires another --zones",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Zones,
        applies: |_, _, plan| uses_cdd(plan) && plan.order.is_ranked(),
        effect: Effect::Refuse,
        why: "ranks are read off the tree of visited states, which a CDD does not store: use another --zones, or another --order",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Zones,
        applies: |facts, _, plan| {
            uses_cdd(plan) && (facts.property_class.endless || facts.property_class.about_all)
        },
        effect: Effect::Refuse,
        why: "liveness, sup, inf, bounds and lint need single states, which a CDD does not store: use another --zones",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::Zones,
        applies: |_, plan_request, plan| uses_cdd(plan) && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "several traces need single states, which a CDD does not store: leave --traces out, or use another --zones",
        paper: "",
        test: "unions_keep_no_states_and_tell_inclusion_only",
    },
    Row {
        axis: Axis::WhenFull,
        applies: |_, _, plan| plan.table.is_some() && plan.packs,
        effect: Effect::Refuse,
        why: "a probabilistic passed list has no smaller form: --when-full pack requires --passed exact",
        paper: "",
        test: "only_exact_searches_for_a_state_are_packed",
    },
    Row {
        axis: Axis::WhenFull,
        applies: |facts, _, plan| {
            (facts.property_class.endless || facts.property_class.about_all) && plan.packs
        },
        effect: Effect::Change(|plan| plan.packs = false),
        why: "--when-full pack is supported for reachability only; --compact starts in the smallest form",
        paper: "",
        test: "only_exact_searches_for_a_state_are_packed",
    },
    Row {
        axis: Axis::WhenFull,
        applies: |_, _, plan| plan.packs,
        effect: Effect::Note,
        why: "requested: when the memory limit is near, the passed list is rewritten in the smallest exact form",
        paper: "",
        test: "only_exact_searches_for_a_state_are_packed",
    },
    Row {
        axis: Axis::Store,
        applies: |facts, _, plan| {
            (facts.property_class.endless || facts.property_class.about_all)
                && plan.store != Committed::Stored
        },
        effect: Effect::Change(|plan| plan.store = Committed::Stored),
        why: "cycle detection, sup, inf, bounds and lint need all states as nodes: all are stored",
        paper: "",
        test: "transient_states_are_for_reachability_on_one_machine",
    },
    Row {
        axis: Axis::Store,
        applies: |_, _, plan| {
            plan.store != Committed::Stored && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "nodes are selected by their distance in nodes, and transient states are none: the shortest and the fastest trace need --store all",
        paper: "",
        test: "transient_states_are_for_reachability_on_one_machine",
    },
    Row {
        axis: Axis::Passed,
        applies: |_, plan_request, _| plan_request.table.is_out_of_range(),
        effect: Effect::Refuse,
        why: "out of range: --bits-per-state is 1 to 64, --signature-bits is 1 to 62, --passes is at least 1",
        paper: "",
        test: "what_is_said_of_a_table_needs_one_of_its_kind",
    },
    Row {
        axis: Axis::Passed,
        applies: |_, plan_request, plan| {
            plan.table.is_some_and(|table| match table.kind {
                TableKind::Bits { .. } => {
                    plan_request.table.signature_bits.is_some() || plan_request.when_full.is_some()
                }
                _ => plan_request.table.bits_per_state.is_some(),
            })
        },
        effect: Effect::Refuse,
        why: "--bits-per-state requires --passed bitstate; --signature-bits and --when-full require --passed compact or compact+zone, since a bitstate table is never full",
        paper: "",
        test: "what_is_said_of_a_table_needs_one_of_its_kind",
    },
    Row {
        axis: Axis::Passed,
        applies: |facts, _, plan| facts.property_class.endless && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "cycle detection needs exact states: liveness properties require --passed exact",
        paper: "",
        test: "tables_are_refused_where_all_states_count",
    },
    Row {
        axis: Axis::Passed,
        applies: |facts, _, plan| facts.property_class.about_all && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "sup, inf, bounds and lint are about all states, and a probabilistic passed list may omit some: use --passed exact",
        paper: "",
        test: "tables_are_refused_where_all_states_count",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, _, plan| {
            plan.table.is_some() && matches!(plan.trace, TraceKind::Shortest | TraceKind::Fastest)
        },
        effect: Effect::Refuse,
        why: "a probabilistic passed list may omit states of the shortest or fastest trace: use --trace some, or --passed exact",
        paper: "",
        test: "tables_are_refused_where_all_states_count",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, plan_request, plan| plan.table.is_some() && plan_request.traces.is_some(),
        effect: Effect::Refuse,
        why: "several traces need all states, which a probabilistic passed list does not store: leave --traces out",
        paper: "",
        test: "tables_are_refused_where_all_states_count",
    },
    Row {
        axis: Axis::Passed,
        applies: |_, _, plan| {
            plan.cover != Cover::Equality && plan.table.is_some_and(|table| !keeps_zones(table.kind))
        },
        effect: Effect::Note,
        why: "the table stores signatures of whole states: subsumption is tested against the waiting list, and visited states match when they are equal",
        paper: "[Bengtsson2001]",
        test: "a_table_is_explained_and_has_defaults",
    },
    Row {
        axis: Axis::WaitingInclusion,
        applies: |_, _, plan| plan.cover == Cover::Equality && !plan.waiting_inclusion,
        effect: Effect::Note,
        why: "without --waiting-inclusion, equal states wait several times",
        paper: "",
        test: "equality_without_inclusion_on_waiting_is_remarked_on",
    },
    Row {
        axis: Axis::Abstraction,
        applies: |_, _, plan| {
            let abstracts =
                plan.cover == Cover::Alu && plan.table.is_none_or(|table| keeps_zones(table.kind));
            plan.abstraction == Abstraction::None && !abstracts
        },
        effect: Effect::Note,
        why: "without extrapolation the search may not terminate: set a limit",
        paper: "",
        test: "what_may_not_end_is_said",
    },
    Row {
        axis: Axis::Abstraction,
        applies: |facts, _, plan| facts.unbounded && plan.abstraction != Abstraction::None,
        effect: Effect::Note,
        why: "some clock of this model has no maximal constant and is not extrapolated: the search may not terminate",
        paper: "",
        test: "what_may_not_end_is_said",
    },
    Row {
        axis: Axis::Verdict,
        applies: |facts, _, _| facts.stopwatches,
        effect: Effect::Change(|plan| plan.over_approximates = true),
        why: "zones over-approximate stopwatches: a state found counts only if a run confirms it, timed by polyhedra",
        paper: "[CassezLarsen2000]",
        test: "stopwatches_are_believed_only_after_a_replay",
    },
    Row {
        axis: Axis::Trace,
        applies: |_, _, plan| !plan.shows_runs() && plan.must_replay(),
        effect: Effect::Note,
        why: "no trace is shown, but a state found counts only if its run replays: parent pointers are stored for that",
        paper: "",
        test: "paths_are_kept_where_a_run_is_shown_or_must_replay",
    },
    Row {
        axis: Axis::Symmetry,
        applies: |facts, _, plan| plan.uses_symmetry() && facts.property_class.counts(),
        effect: Effect::Change(without_symmetry),
        why: "all states are counted, not their representatives",
        paper: "",
        test: "symmetry_is_used_where_one_representative_suffices",
    },
    Row {
        axis: Axis::Symmetry,
        applies: |_, _, plan| plan.uses_symmetry() && plan.engine == Engine::Symbolic,
        effect: Effect::Change(without_symmetry),
        why: "the symbolic engine has sets of discrete states, whose representatives are not computed",
        paper: "",
        test: "symmetry_is_used_where_one_representative_suffices",
    },
    Row {
        axis: Axis::Symmetry,
        applies: |facts, _, plan| {
            plan.uses_symmetry()
                && facts.property_class.endless
                && (plan.must_replay() || facts.timed_receivers)
        },
        effect: Effect::Change(without_symmetry),
        why: "the run must be replayed, and its transitions follow from representatives only where data determines them",
        paper: "",
        test: "symmetry_is_used_where_one_representative_suffices",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, plan_request, plan| wants_threads(plan_request) && plan.engine != Engine::Zones,
        effect: Effect::Refuse,
        why: "--threads is for --engine zones: use --ranks for the cluster, and leave --threads out for the symbolic engine",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, plan_request, _| {
            wants_threads(plan_request)
                && plan_request.order.is_some_and(|order| order != Order::Mixed && !order.has_rounds())
        },
        effect: Effect::Refuse,
        why: "this order visits states one by one: leave --threads out, or use --order bfs, sweep, topological or best",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, plan_request, plan| wants_threads(plan_request) && uses_cdd(plan),
        effect: Effect::Refuse,
        why: "all unions of zones share their diagram nodes, which every insertion changes: leave --threads out, or use another --zones",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, plan_request, plan| {
            wants_threads(plan_request) && (!plan.waiting_inclusion || plan.shuffle_edges)
        },
        effect: Effect::Refuse,
        why: "--waiting-inclusion off and --shuffle-edges are for one thread: leave them out, or --threads",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, _, plan| has_rounds(plan) && plan.engine != Engine::Zones,
        effect: Effect::Change(one_by_one),
        why: "states are visited in rounds by --engine zones only",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, plan_request, plan| {
            wants_threads(plan_request) && plan.cycles == Some(CycleSearch::Nested)
        },
        effect: Effect::Refuse,
        why: "nested depth-first search visits states one by one: leave --threads out, or use --cycles components",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, _, plan| has_rounds(plan) && plan.cycles == Some(CycleSearch::Nested),
        effect: Effect::Change(one_by_one),
        why: "nested depth-first search visits states one by one; --threads uses strongly connected components",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, _, plan| has_rounds(plan) && !plan.wide_order().has_rounds(),
        effect: Effect::Change(one_by_one),
        why: "this order visits states one by one",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, _, plan| has_rounds(plan) && uses_cdd(plan),
        effect: Effect::Change(one_by_one),
        why: "all unions of zones share their diagram nodes, which every insertion changes",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |_, _, plan| has_rounds(plan) && (!plan.waiting_inclusion || plan.shuffle_edges),
        effect: Effect::Change(one_by_one),
        why: "--waiting-inclusion off and --shuffle-edges are for one thread",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |facts, plan_request, plan| {
            has_rounds(plan) && facts.property_class.accelerates && plan_request.threads.is_none()
        },
        effect: Effect::Change(one_by_one),
        why: "cycles along which a measured clock grows are accelerated, state by state; with --threads, which pays on more than two cores, another search in rounds goes on beside",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |facts, _, plan| has_rounds(plan) && facts.property_class.accelerates,
        effect: Effect::Note,
        why: "a large search for suprema of clocks goes on in two: one visits many waiting states in one round, one accelerates cycles along which a clock grows, state by state; the first that is complete gives the values, which do not depend on the number of threads",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Threads,
        applies: |facts, _, plan| has_rounds(plan) && !facts.property_class.accelerates,
        effect: Effect::Note,
        why: "a large search visits many waiting states in one round; the answer does not depend on the number of threads",
        paper: "",
        test: "threads_are_for_rounds",
    },
    Row {
        axis: Axis::Certificate,
        applies: |_, _, plan| plan.certifies && plan.table.is_some(),
        effect: Effect::Refuse,
        why: "a probabilistic passed list may omit states, so that its answers have no certificate: use --passed exact",
        paper: "",
        test: "certificates_need_closed_sets_that_can_be_read",
    },
    Row {
        axis: Axis::Certificate,
        applies: |_, _, plan| plan.certifies && plan.discrete == DiscreteForm::Mtidd,
        effect: Effect::Refuse,
        why: "states stored as one diagram cannot be read back into a certificate: use another --discrete",
        paper: "",
        test: "certificates_need_closed_sets_that_can_be_read",
    },
    Row {
        axis: Axis::Certificate,
        applies: |_, _, plan| plan.certifies && plan.engine != Engine::Zones,
        effect: Effect::Refuse,
        why: "certificates are written by --engine zones only",
        paper: "",
        test: "certificates_need_closed_sets_that_can_be_read",
    },
    Row {
        axis: Axis::Certificate,
        applies: |_, plan_request, plan| plan.certifies && plan_request.non_zeno,
        effect: Effect::Refuse,
        why: "a certificate says nothing of time divergence: leave --non-zeno or --certificate out",
        paper: "",
        test: "certificates_need_closed_sets_that_can_be_read",
    },
    Row {
        axis: Axis::Certificate,
        applies: |_, _, plan| plan.certifies && plan.cycles == Some(CycleSearch::Nested),
        effect: Effect::Refuse,
        why: "nested depth-first search does not number the components of the zone graph, which a certificate needs: use --cycles components",
        paper: "[WimmerHerbreteauVanDePol2020]",
        test: "certificates_need_closed_sets_that_can_be_read",
    },
    Row {
        axis: Axis::Certificate,
        applies: |_, _, plan| {
            plan.certifies
                && plan.bounds == BoundsScope::Guarded
                && matches!(plan.cover, Cover::Alu | Cover::Adaptive)
        },
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "the checker of certificates does not know guarded bounds, with which a_LU covers more: zones are compared by inclusion",
        paper: "",
        test: "certificates_choose_what_the_checker_knows",
    },
    Row {
        axis: Axis::Certificate,
        applies: |facts, _, plan| {
            plan.certifies
                && facts.property_class.about_all
                && matches!(plan.cover, Cover::Alu | Cover::Adaptive)
        },
        effect: Effect::Change(|plan| plan.cover = Cover::Inclusion),
        why: "a zone without the part that the limit of an accelerated cycle includes may be covered by several zones, which the checker of certificates tests by inclusion only",
        paper: "",
        test: "certificates_choose_what_the_checker_knows",
    },
    Row {
        axis: Axis::Certificate,
        applies: |facts, _, plan| plan.certifies && facts.stopwatches,
        effect: Effect::Change(|plan| plan.certifies = false),
        why: "no certificate: zones over-approximate stopwatches, and its checker does without them",
        paper: "",
        test: "certificates_choose_what_the_checker_knows",
    },
];

const fn uses_cdd(plan: &Plan) -> bool {
    matches!(plan.zones, ZoneForm::Cdd)
}

const fn keeps_zones(kind: TableKind) -> bool {
    matches!(kind, TableKind::SignaturesAndZones { .. })
}

/// Whether the storage or the order of single states was requested.
fn asks_for_nodes(plan_request: &PlanRequest) -> bool {
    plan_request.zones.is_some()
        || plan_request.discrete.is_some()
        || plan_request.compact
        || plan_request.passed != PassedForm::Exact
        || plan_request.when_full.is_some()
        || plan_request.store.is_some_and(|store| store != Committed::Stored)
        || plan_request.order.is_some()
        || plan_request.positions != PositionSource::Computed
        || plan_request.shuffle_edges
        || plan_request.waiting_inclusion.is_some()
}

/// The symbolic engine is tried on models with at most so many clocks and at least so many bits of data.
const FEW_CLOCKS: usize = 3;
const MANY_BITS: u32 = 20;

/// Whether the symbolic engine supports the model and the property, and may be faster: few clocks, hence few zones, and
/// much data.
pub(super) fn may_pay(facts: &Facts, plan_request: &PlanRequest, plan: &Plan) -> bool {
    plan_request.any_engine
        && plan.engine == Engine::Zones
        && !plan_request.certificate
        && facts.clocks <= FEW_CLOCKS
        && facts.state_bits >= MANY_BITS
        && !(facts.stopwatches || facts.priorities || facts.timed_receivers)
        && !(facts.property_class.endless || facts.property_class.about_all)
        && matches!(plan.trace, TraceKind::None | TraceKind::Some)
        && plan_request.traces.is_none()
        && !asks_for_nodes(plan_request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_test() {
        let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
        let mut text = String::new();
        for path in files(tests.as_ref()) {
            text += &std::fs::read_to_string(path).expect("a file of tests");
        }
        for row in ROWS {
            assert!(text.contains(&format!("fn {}()", row.test)), "no test `{}` for: {}", row.test, row.why);
        }
    }

    fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let entries =
            std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries
            .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .collect()
    }
}
