//! The table of what can be combined: each row where it applies, and where it does not.

use tourbillon_check::{
    Abstraction, Axis, BddRequest, BoundsScope, Committed, Cover, CycleSearch, DiagramForm, DiagramSettings,
    DiscreteForm, Engine, Facts, HashingRequest, Layout, Order, PassedForm, Plan, PlanRequest,
    PositionSource, PropertyClass, RoundSizes, RoundUse, SymmetryUse, TableKind, TraceKind, WhenFull,
    ZoneForm, plan,
};
use tourbillon_model::Overflow;

const NOTHING: PropertyClass = PropertyClass {
    deadlock: false,
    endless: false,
    stuck: false,
    accepting: false,
    in_turn: false,
    measures_clocks: false,
    accelerates: false,
    about_all: false,
    placed: false,
    goal: false,
    witness: false,
};

/// A model in which nothing is special.
const PLAIN: Facts = Facts {
    clocks: 3,
    diagonals: 0,
    diagonals_complete: true,
    stopwatches: false,
    unbounded: false,
    state_bits: 20,
    fields: 4,
    priorities: false,
    committed: false,
    timed_receivers: false,
    overflow: Overflow::Error,
    property_class: NOTHING,
    shares_states: false,
};
const COMMITTED: Facts = Facts { committed: true, ..PLAIN };
const DIAGONALS: Facts = Facts { diagonals: 2, ..PLAIN };
const ENDLESS_DIAGONALS: Facts = Facts { diagonals_complete: false, ..DIAGONALS };

fn planned(facts: &Facts, change: impl FnOnce(&mut PlanRequest)) -> Plan {
    let mut plan_request = PlanRequest::default();
    change(&mut plan_request);
    plan(facts, &plan_request).expect("it can be combined")
}

fn refused(facts: &Facts, change: impl FnOnce(&mut PlanRequest)) -> String {
    let mut plan_request = PlanRequest::default();
    change(&mut plan_request);
    plan(facts, &plan_request).expect_err("it cannot be combined").to_string()
}

/// The reasons beyond those for each axis, beyond that of symmetry, which an exploration is not checked with, and beyond that of
/// threads, which almost every plan has.
fn remarks(plan: &Plan) -> Vec<&str> {
    let usual = [Axis::Symmetry, Axis::Threads];
    let remarks = plan.reasons.iter().skip(8).filter(|reason| !usual.contains(&reason.axis));
    remarks.map(|reason| reason.axis.name()).collect()
}

#[test]
fn a_plain_model_gets_the_defaults_with_a_reason_for_each_axis() {
    let plan = planned(&PLAIN, |_| {});
    assert_eq!(
        (plan.abstraction, plan.cover, plan.order),
        (Abstraction::ExtraLuPlus, Cover::Adaptive, Order::Sweep)
    );
    assert_eq!((plan.reasons.len(), remarks(&plan)), (10, vec![]));
    assert!(plan.reasons.iter().all(|reason| !reason.why.is_empty() && !reason.choice.is_empty()));
    assert!(!plan.split && !plan.over_approximates);
}

#[test]
fn threads_are_for_rounds() {
    let is_in_rounds = |plan: &Plan| plan.rounds != RoundUse::Off;
    let why = |facts: &Facts, change: fn(&mut PlanRequest)| {
        let plan = planned(facts, change);
        let reason = plan.reasons.iter().rfind(|reason| reason.axis == Axis::Threads);
        (is_in_rounds(&plan), reason.map_or(String::new(), |reason| reason.why.clone()))
    };
    let default = planned(&PLAIN, |_| {});
    assert_eq!(default.rounds, RoundUse::Rounds { threads: None, sizes: RoundSizes::default() });
    assert_eq!(default.choice(Axis::Threads), "all cores");
    // An order that was requested alone is followed state by state, and so are those that must be.
    assert_eq!(why(&PLAIN, |w| w.order = Some(Order::Bfs)), (false, String::new()));
    for order in [Order::Bfs, Order::Sweep, Order::Topological] {
        let plan = planned(&PLAIN, |w| (w.order, w.threads) = (Some(order), Some(3)));
        assert_eq!((plan.choice(Axis::Threads), plan.order), ("3".to_owned(), order));
    }
    let goal = PropertyClass { goal: true, witness: true, ..NOTHING };
    let goal = Facts { property_class: goal, ..PLAIN };
    let mixed = planned(&goal, |w| w.threads = Some(2));
    assert!(is_in_rounds(&mixed) && mixed.order == Order::Mixed && is_in_rounds(&planned(&goal, |_| {})));
    let about_all = PropertyClass { about_all: true, ..NOTHING };
    assert!(why(&Facts { property_class: about_all, ..PLAIN }, |_| {}).0);
    let accelerated = Facts { property_class: PropertyClass { accelerates: true, ..about_all }, ..PLAIN };
    let (rounds, reason) = why(&accelerated, |_| {});
    assert!(!rounds && reason.contains("another search in rounds goes on beside"), "{reason}");
    let (rounds, reason) = why(&accelerated, |w| w.threads = Some(2));
    assert!(
        rounds && reason.contains("one accelerates cycles") && reason.contains("state by state"),
        "{reason}"
    );
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    let (rounds, reason) = why(&endless, |_| {});
    assert!(!rounds && reason.contains("nested"), "{reason}");
    for threads in [1, 2] {
        let plan = planned(&endless, |w| w.threads = Some(threads));
        assert!(is_in_rounds(&plan) && plan.cycles == Some(CycleSearch::Components), "{threads}");
    }
    let nested = |w: &mut PlanRequest| (w.cycles, w.threads) = (Some(CycleSearch::Nested), Some(2));
    assert!(refused(&endless, nested).contains("--cycles components"));
    let divided: [fn(&mut PlanRequest); 4] = [
        |w| w.passed = PassedForm::Bitstate,
        |w| w.passed = PassedForm::Compact,
        |w| w.passed = PassedForm::CompactZone,
        |w| w.when_full = Some(WhenFull::Pack),
    ];
    for request in divided {
        assert!(is_in_rounds(&planned(&PLAIN, request)));
    }
    let requests: [fn(&mut PlanRequest); 5] = [
        |w| w.engine = Engine::Cluster,
        |w| w.zones = Some(ZoneForm::Cdd),
        |w| w.waiting_inclusion = Some(false),
        |w| w.shuffle_edges = true,
        |w| w.order = Some(Order::Dfs),
    ];
    for request in requests {
        assert!(!is_in_rounds(&planned(&PLAIN, request)));
        let why = refused(&PLAIN, |w| {
            request(w);
            w.threads = Some(2);
        });
        assert!(why.contains("--threads"), "{why}");
    }
}

#[test]
fn symmetry_is_used_where_one_representative_suffices() {
    let goal = Facts { property_class: PropertyClass { goal: true, ..NOTHING }, ..PLAIN };
    assert!(planned(&goal, |_| {}).uses_symmetry());
    let why = |facts: &Facts, change: fn(&mut PlanRequest)| {
        let plan = planned(facts, change);
        assert!(!plan.uses_symmetry());
        let reason = plan.reasons.iter().rfind(|reason| reason.axis == Axis::Symmetry);
        reason.map_or(String::new(), |reason| reason.why.clone())
    };
    assert_eq!(why(&goal, |request| request.symmetry = SymmetryUse::Off), "");
    assert!(why(&PLAIN, |_| {}).contains("are counted"));
    let measured = PropertyClass { about_all: true, measures_clocks: true, ..NOTHING };
    assert!(planned(&Facts { property_class: measured, ..PLAIN }, |_| {}).uses_symmetry());
    let accelerated = Facts { property_class: PropertyClass { accelerates: true, ..measured }, ..PLAIN };
    assert!(planned(&accelerated, |_| {}).uses_symmetry());
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    assert!(planned(&endless, |_| {}).uses_symmetry());
    assert!(why(&Facts { timed_receivers: true, ..endless }, |_| {}).contains("must be replayed"));
    assert!(planned(&goal, |request| request.engine = Engine::Cluster).uses_symmetry());
    assert!(why(&goal, |request| request.engine = Engine::Symbolic).contains("symbolic engine"));
    assert!(planned(&goal, |request| request.traces = Some(3)).uses_symmetry());
    assert!(planned(&Facts { diagonals: 2, ..goal }, |_| {}).uses_symmetry());
}

#[test]
fn a_lu_is_tested_by_default_where_it_is_sound_and_the_list_is_exact() {
    let cover = |facts: &Facts, change: fn(&mut PlanRequest)| planned(facts, change).cover;
    assert_eq!(cover(&PLAIN, |w| w.abstraction = Some(Abstraction::ExtraLu)), Cover::Adaptive);
    assert_eq!(cover(&PLAIN, |w| w.trace = TraceKind::Shortest), Cover::Adaptive);
    let classes = [
        PropertyClass { deadlock: true, ..NOTHING },
        PropertyClass { endless: true, ..NOTHING },
        PropertyClass { about_all: true, ..NOTHING },
    ];
    for property_class in classes {
        assert_eq!(cover(&Facts { property_class, ..PLAIN }, |_| {}), Cover::Inclusion, "{property_class:?}");
    }
    for facts in [DIAGONALS, ENDLESS_DIAGONALS, Facts { stopwatches: true, ..PLAIN }] {
        assert_eq!(cover(&facts, |_| {}), Cover::Inclusion);
    }
    let changes: [fn(&mut PlanRequest); 6] = [
        |w| w.engine = Engine::Symbolic,
        |w| w.engine = Engine::Cluster,
        |w| w.passed = PassedForm::CompactZone,
        |w| w.zones = Some(ZoneForm::Cdd),
        |w| w.trace = TraceKind::Fastest,
        |w| w.abstraction = Some(Abstraction::ExtraMPlus),
    ];
    for change in changes {
        assert_eq!(cover(&PLAIN, change), Cover::Inclusion);
    }
}

#[test]
fn guarded_bounds_are_for_lu_abstractions() {
    let deadlock = Facts { property_class: PropertyClass { deadlock: true, ..NOTHING }, ..PLAIN };
    let stuck = Facts { property_class: PropertyClass { endless: true, stuck: true, ..NOTHING }, ..PLAIN };
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    let about_all = Facts { property_class: PropertyClass { about_all: true, ..NOTHING }, ..PLAIN };
    let guarded = |w: &mut PlanRequest| w.bounds = Some(BoundsScope::Guarded);
    for facts in [PLAIN, endless] {
        assert_eq!(planned(&facts, |_| {}).bounds, BoundsScope::Guarded);
        assert_eq!(planned(&facts, guarded).bounds, BoundsScope::Guarded);
    }
    for facts in [deadlock, stuck, about_all] {
        assert_eq!(planned(&facts, |_| {}).bounds, BoundsScope::Local);
        let plan = planned(&facts, guarded);
        assert_eq!(plan.bounds, BoundsScope::Local);
        assert!(remarks(&plan).contains(&"bounds"));
    }
    let m = |w: &mut PlanRequest| w.abstraction = Some(Abstraction::ExtraM);
    assert_eq!(planned(&PLAIN, m).bounds, BoundsScope::Local);
    let plan = planned(&PLAIN, |w| {
        m(w);
        guarded(w);
    });
    assert_eq!((plan.bounds, remarks(&plan)), (BoundsScope::Local, vec!["bounds"]));
}

#[test]
fn what_was_asked_for_is_done_and_said() {
    let plan = planned(&PLAIN, |plan_request| plan_request.order = Some(Order::Dfs));
    assert_eq!(plan.order, Order::Dfs);
    let reason = plan.reasons.iter().find(|reason| reason.axis == Axis::Order).expect("one for each axis");
    assert_eq!((reason.choice.as_str(), reason.why.as_str()), ("dfs", "requested"));
}

#[test]
fn zones_are_split_on_diagonals_and_a_lu_is_not_used() {
    for cover in [Cover::Alu, Cover::Adaptive] {
        let plan = planned(&DIAGONALS, |plan_request| plan_request.cover = Some(cover));
        assert!(plan.split);
        assert_eq!(plan.cover, Cover::Inclusion);
        assert_eq!(remarks(&plan), ["abstraction", "cover"]);
    }
    let exact = planned(&DIAGONALS, |plan_request| plan_request.abstraction = Some(Abstraction::None));
    assert!(!exact.split, "exact zones need not be split");
}

#[test]
fn endless_diagonals_leave_no_abstraction() {
    let plan = planned(&ENDLESS_DIAGONALS, |plan_request| {
        plan_request.cover = Some(Cover::Alu);
        plan_request.reduce = Some(true);
    });
    assert_eq!((plan.abstraction, plan.cover), (Abstraction::None, Cover::Inclusion));
    assert!(!plan.split && !plan.reduce);
}

#[test]
fn the_shortest_run_is_found_breadth_first() {
    assert_eq!(planned(&PLAIN, |plan_request| plan_request.trace = TraceKind::Shortest).order, Order::Bfs);
    let why = refused(&PLAIN, |plan_request| {
        plan_request.trace = TraceKind::Shortest;
        plan_request.order = Some(Order::Random);
    });
    assert!(why.contains("breadth-first"), "{why}");
}

#[test]
fn the_fastest_run_needs_its_own_order_cover_and_abstraction() {
    let fastest = |plan_request: &mut PlanRequest| plan_request.trace = TraceKind::Fastest;
    assert_eq!(planned(&PLAIN, fastest).order, Order::Earliest);
    assert!(
        refused(&PLAIN, |w| {
            fastest(w);
            w.order = Some(Order::Bfs)
        })
        .contains("earliest")
    );
    assert!(
        refused(&PLAIN, |w| {
            fastest(w);
            w.cover = Some(Cover::Equality)
        })
        .contains("inclusion")
    );
    for abstraction in [Abstraction::None, Abstraction::ExtraM, Abstraction::ExtraMPlus] {
        assert!(
            refused(&PLAIN, |w| {
                fastest(w);
                w.abstraction = Some(abstraction)
            })
            .contains("extra-lu+")
        );
    }
    assert!(refused(&ENDLESS_DIAGONALS, fastest).contains("extra-lu+"));
}

#[test]
fn ranks_need_comparisons_and_a_tree() {
    let ranked = |plan_request: &mut PlanRequest| plan_request.order = Some(Order::Ranked);
    assert_eq!(planned(&PLAIN, ranked).order, Order::Ranked);
    let why = refused(&PLAIN, |plan_request| {
        ranked(plan_request);
        plan_request.waiting_inclusion = Some(false);
    });
    assert!(why.contains("--waiting-inclusion on"), "{why}");
    let why = refused(&PLAIN, |plan_request| {
        ranked(plan_request);
        plan_request.passed = PassedForm::Compact;
    });
    assert!(why.contains("--passed exact"), "{why}");
}

#[test]
fn positions_of_locations_are_for_a_topological_order() {
    let random = |plan_request: &mut PlanRequest| plan_request.positions = PositionSource::Random;
    assert_eq!(planned(&PLAIN, random).order, Order::Sweep);
    let why = refused(&PLAIN, |plan_request| {
        random(plan_request);
        plan_request.order = Some(Order::Bfs);
    });
    assert!(why.contains("--order topological"), "{why}");
}

#[test]
fn best_needs_a_goal_with_locations() {
    let best = |plan_request: &mut PlanRequest| plan_request.order = Some(Order::Best);
    let placed = Facts { property_class: PropertyClass { placed: true, ..NOTHING }, ..PLAIN };
    assert_eq!(planned(&placed, best).order, Order::Best);
    let plan = planned(&PLAIN, best);
    assert_ne!(plan.order, Order::Best);
    assert_eq!(remarks(&plan), ["order"]);
}

#[test]
fn the_order_is_chosen_by_what_is_asked() {
    let placed = Facts { property_class: PropertyClass { placed: true, ..NOTHING }, ..PLAIN };
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    assert_eq!(planned(&placed, |_| {}).order, Order::Best);
    assert_eq!(planned(&placed, |plan_request| plan_request.trace = TraceKind::Shortest).order, Order::Bfs);
    assert_eq!(planned(&endless, |_| {}).order, Order::Bfs);
    assert_eq!(planned(&Facts { clocks: 0, ..PLAIN }, |_| {}).order, Order::Bfs);
    assert_eq!(planned(&PLAIN, |plan_request| plan_request.cover = Some(Cover::Equality)).order, Order::Bfs);
    assert_eq!(planned(&PLAIN, |plan_request| plan_request.cover = Some(Cover::Alu)).order, Order::Sweep);
}

#[test]
fn orders_are_mixed_where_a_witness_is_looked_for() {
    let witness = Facts { property_class: PropertyClass { goal: true, witness: true, ..NOTHING }, ..PLAIN };
    let placed =
        Facts { property_class: PropertyClass { placed: true, ..witness.property_class }, ..witness };
    let safety =
        Facts { property_class: PropertyClass { witness: false, ..witness.property_class }, ..witness };
    let both = |plan: Plan| (plan.order, plan.wide);
    assert_eq!(both(planned(&witness, |_| {})), (Order::Mixed, Order::Sweep));
    assert_eq!(both(planned(&placed, |_| {})), (Order::Mixed, Order::Best));
    assert_eq!(both(planned(&Facts { clocks: 0, ..witness }, |_| {})), (Order::Mixed, Order::Bfs));
    assert_eq!(planned(&safety, |_| {}).order, Order::Sweep);
    assert_eq!(planned(&Facts { stopwatches: true, ..witness }, |_| {}).order, Order::Sweep);
    for short in [
        |plan_request: &mut PlanRequest| plan_request.passed = PassedForm::Bitstate,
        |plan_request: &mut PlanRequest| plan_request.compact = true,
        |plan_request: &mut PlanRequest| plan_request.engine = Engine::Cluster,
        |plan_request: &mut PlanRequest| plan_request.when_full = Some(WhenFull::Pack),
    ] {
        assert_eq!(planned(&witness, short).order, Order::Sweep);
    }
    assert_eq!(planned(&witness, |plan_request| plan_request.trace = TraceKind::Shortest).order, Order::Bfs);
    assert_eq!(planned(&witness, |plan_request| plan_request.order = Some(Order::Dfs)).order, Order::Dfs);
}

#[test]
fn orders_that_are_mixed_on_demand_need_a_goal_and_one_machine() {
    let mixed = |plan_request: &mut PlanRequest| plan_request.order = Some(Order::Mixed);
    let goal = Facts { property_class: PropertyClass { goal: true, ..NOTHING }, ..PLAIN };
    assert_eq!(planned(&goal, mixed).order, Order::Mixed);
    let plan = planned(&PLAIN, mixed);
    assert_eq!((plan.order, remarks(&plan)), (Order::Sweep, vec!["order"]));
    let why = refused(&goal, |plan_request| {
        mixed(plan_request);
        plan_request.engine = Engine::Cluster;
    });
    assert!(why.contains("--engine zones"), "{why}");
    let why = refused(&goal, |plan_request| {
        mixed(plan_request);
        plan_request.trace = TraceKind::Shortest;
    });
    assert!(why.contains("--order"), "{why}");
}

#[test]
fn edges_are_shuffled_where_a_state_is_looked_for() {
    let shuffled = |plan_request: &mut PlanRequest| plan_request.shuffle_edges = true;
    assert!(planned(&PLAIN, shuffled).shuffle_edges);
    for property_class in
        [PropertyClass { endless: true, ..NOTHING }, PropertyClass { about_all: true, ..NOTHING }]
    {
        let why = refused(&Facts { property_class, ..PLAIN }, shuffled);
        assert!(why.contains("--shuffle-edges"), "{why}");
    }
}

#[test]
fn what_may_not_end_is_said() {
    let exact = planned(&PLAIN, |plan_request| plan_request.abstraction = Some(Abstraction::None));
    assert_eq!(remarks(&exact), ["abstraction"]);
    assert!(exact.reduce, "exact zones forget inactive clocks");
    let unbounded = planned(&Facts { unbounded: true, ..PLAIN }, |_| {});
    assert_eq!(remarks(&unbounded), ["abstraction"]);
}

#[test]
fn stopwatches_are_believed_only_after_a_replay() {
    let plan =
        planned(&Facts { stopwatches: true, ..PLAIN }, |plan_request| plan_request.trace = TraceKind::None);
    assert!(plan.over_approximates);
    assert_eq!(remarks(&plan), ["verdict", "trace"]);
}

#[test]
fn paths_are_kept_where_a_run_is_shown_or_must_replay() {
    let none = |plan_request: &mut PlanRequest| plan_request.trace = TraceKind::None;
    let plan = planned(&PLAIN, none);
    assert!(!plan.must_replay() && !plan.keeps_paths());
    assert!(planned(&PLAIN, |_| {}).keeps_paths());
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    assert!(!planned(&endless, none).keeps_paths());
    let plan = planned(&Facts { stopwatches: true, ..PLAIN }, none);
    assert!(plan.must_replay() && plan.keeps_paths() && !plan.shows_runs());
    for facts in
        [Facts { unbounded: true, ..endless }, Facts { diagonals: 1, diagonals_complete: false, ..endless }]
    {
        let plan = planned(&facts, none);
        assert!(plan.must_replay() && plan.keeps_paths() && !plan.shows_runs());
        assert!(remarks(&plan).contains(&"trace"));
    }
}

#[test]
fn equality_without_inclusion_on_waiting_is_remarked_on() {
    let plan = planned(&PLAIN, |plan_request| {
        plan_request.cover = Some(Cover::Equality);
        plan_request.waiting_inclusion = Some(false);
    });
    assert_eq!(remarks(&plan), ["waiting-inclusion"]);
}

#[test]
fn deadlocks_need_m_bounds_and_exact_delays() {
    let asked = Facts { property_class: PropertyClass { deadlock: true, ..NOTHING }, ..PLAIN };
    for cover in [Cover::Alu, Cover::Adaptive] {
        let plan = planned(&asked, |plan_request| plan_request.cover = Some(cover));
        assert_eq!((plan.abstraction, plan.cover), (Abstraction::ExtraMPlus, Cover::Inclusion));
        assert_eq!(remarks(&plan), ["abstraction", "cover"]);
    }
    let plan = planned(&asked, |plan_request| plan_request.abstraction = Some(Abstraction::ExtraLu));
    assert_eq!(plan.abstraction, Abstraction::ExtraM);
    assert!(refused(&asked, |plan_request| plan_request.trace = TraceKind::Fastest).contains("deadlock"));
    let stopped = Facts { stopwatches: true, ..asked };
    assert!(remarks(&planned(&stopped, |_| {})).contains(&"verdict"));
    assert!(refused(&stopped, |plan_request| plan_request.traces = Some(2)).contains("stopwatches"));
    let of_all =
        Facts { property_class: PropertyClass { about_all: true, ..asked.property_class }, ..stopped };
    assert!(refused(&of_all, |_| {}).contains("stopwatches"));
}

#[test]
fn endless_runs_that_can_get_stuck_need_m_bounds() {
    let asked = Facts { property_class: PropertyClass { endless: true, stuck: true, ..NOTHING }, ..PLAIN };
    let plan = planned(&asked, |plan_request| plan_request.cover = Some(Cover::Alu));
    assert_eq!((plan.abstraction, plan.cover), (Abstraction::ExtraMPlus, Cover::Inclusion));
    assert_eq!(plan.cycles, Some(CycleSearch::Nested));
    assert_eq!(remarks(&plan), ["cycles", "abstraction", "cover"]);
    let plan = planned(&asked, |plan_request| plan_request.trace = TraceKind::Fastest);
    assert_eq!(plan.trace, TraceKind::Some);
}

#[test]
fn endless_runs_that_cannot_get_stuck_keep_lu_bounds_and_lose_alu() {
    let asked = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    for cover in [Cover::Alu, Cover::Adaptive] {
        let plan = planned(&asked, |plan_request| {
            plan_request.cover = Some(cover);
            plan_request.cycles = Some(CycleSearch::Components);
        });
        assert_eq!((plan.abstraction, plan.cover), (Abstraction::ExtraLuPlus, Cover::Inclusion));
        assert_eq!(plan.cycles, Some(CycleSearch::Components));
        assert_eq!(remarks(&plan), ["cycles", "cover"]);
    }
}

#[test]
fn several_kinds_in_turn_are_found_by_components() {
    let asked = Facts {
        property_class: PropertyClass { endless: true, accepting: true, in_turn: true, ..NOTHING },
        ..PLAIN
    };
    let plan = planned(&asked, |_| {});
    assert_eq!((plan.cycles, remarks(&plan)), (Some(CycleSearch::Components), vec!["cycles"]));
    let plan = planned(&asked, |plan_request| plan_request.cycles = Some(CycleSearch::Nested));
    assert_eq!((plan.cycles, remarks(&plan)), (Some(CycleSearch::Components), vec!["cycles", "cycles"]));
    let one = Facts { property_class: PropertyClass { in_turn: false, ..asked.property_class }, ..asked };
    assert_eq!(planned(&one, |_| {}).cycles, Some(CycleSearch::Components));
    let plan = planned(&one, |plan_request| plan_request.cycles = Some(CycleSearch::Nested));
    assert_eq!(plan.cycles, Some(CycleSearch::Nested));
}

#[test]
fn endless_runs_are_refused_where_cycles_of_zones_say_nothing() {
    let asked = Facts { property_class: PropertyClass { endless: true, stuck: true, ..NOTHING }, ..PLAIN };
    assert!(refused(&Facts { stopwatches: true, ..asked }, |_| {}).contains("stopwatches"));
    let deadlock =
        Facts { property_class: PropertyClass { deadlock: true, ..asked.property_class }, ..asked };
    assert!(refused(&deadlock, |_| {}).contains("`E<>` and `A[]` only"));
    assert_eq!(planned(&PLAIN, |_| {}).cycles, None);
}

#[test]
fn measured_clocks_need_inclusion() {
    let asked = Facts { property_class: PropertyClass { measures_clocks: true, ..NOTHING }, ..PLAIN };
    let plan = planned(&asked, |plan_request| plan_request.cover = Some(Cover::Equality));
    assert_eq!(plan.cover, Cover::Inclusion);
    assert!(plan.reasons.iter().any(|reason| reason.axis == Axis::Cover && reason.why.contains("measured")));
    assert_eq!(planned(&asked, |plan_request| plan_request.cover = Some(Cover::Alu)).cover, Cover::Alu);
}

/// PlanRequest for a passed list of this kind.
fn tabled(passed: PassedForm) -> impl Fn(&mut PlanRequest) {
    move |plan_request| plan_request.passed = passed
}

const TABLES: [PassedForm; 3] = [PassedForm::Bitstate, PassedForm::Compact, PassedForm::CompactZone];

#[test]
fn a_table_is_explained_and_has_defaults() {
    let kinds = TABLES.map(|passed| {
        let plan = planned(&PLAIN, tabled(passed));
        assert_eq!(remarks(&plan)[0], "passed");
        let table = plan.table.expect("one was asked for");
        assert_eq!((table.memory_bytes, plan.passes), (64 << 20, 1));
        (table.kind, plan.choice(Axis::Passed), remarks(&plan).len())
    });
    assert_eq!(
        kinds,
        [
            (TableKind::Bits { per_state: 4 }, "bitstate".to_owned(), 2),
            (TableKind::Signatures { bits: 47 }, "compact".to_owned(), 2),
            (TableKind::SignaturesAndZones { bits: 47 }, "compact+zone".to_owned(), 1),
        ]
    );
    assert_eq!(planned(&PLAIN, |_| {}).table, None);
    let equality = planned(&PLAIN, |w| {
        tabled(PassedForm::Compact)(w);
        w.cover = Some(Cover::Equality);
    });
    assert_eq!(remarks(&equality), ["passed"], "equality is what the table sees");
}

#[test]
fn tables_are_refused_where_all_states_count() {
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    let values = Facts { property_class: PropertyClass { about_all: true, ..NOTHING }, ..PLAIN };
    for passed in TABLES {
        assert!(refused(&endless, tabled(passed)).contains("cycle detection"));
        assert!(refused(&values, tabled(passed)).contains("all states"));
        let shown = |trace, traces| {
            refused(&PLAIN, |plan_request| {
                tabled(passed)(plan_request);
                (plan_request.trace, plan_request.traces) = (trace, traces);
            })
        };
        assert!(shown(TraceKind::Shortest, None).contains("--trace some"));
        assert!(shown(TraceKind::Fastest, None).contains("--trace some"));
        assert!(shown(TraceKind::Some, Some(3)).contains("leave --traces out"));
    }
    let deadlock = Facts { property_class: PropertyClass { deadlock: true, ..NOTHING }, ..PLAIN };
    assert!(planned(&deadlock, tabled(PassedForm::Compact)).table.is_some());
}

#[test]
fn what_is_said_of_a_table_needs_one_of_its_kind() {
    let table = |change: fn(&mut HashingRequest)| {
        let mut table = HashingRequest::default();
        change(&mut table);
        table
    };
    for wish in [
        table(|it| it.memory_bytes = Some(1 << 20)),
        table(|it| it.bits_per_state = Some(2)),
        table(|it| it.signature_bits = Some(20)),
        table(|it| it.passes = Some(2)),
    ] {
        assert!(
            refused(&PLAIN, |plan_request| plan_request.table = wish).contains("probabilistic passed list")
        );
    }
    assert!(
        refused(&PLAIN, |plan_request| plan_request.when_full = Some(WhenFull::Skip))
            .contains("probabilistic passed list")
    );
    assert_eq!(planned(&PLAIN, |plan_request| plan_request.when_full = Some(WhenFull::Stop)).table, None);
    let of = |passed, wish| {
        move |plan_request: &mut PlanRequest| {
            tabled(passed)(plan_request);
            plan_request.table = wish;
        }
    };
    let bits = table(|it| it.bits_per_state = Some(2));
    let signatures = table(|it| it.signature_bits = Some(20));
    assert!(refused(&PLAIN, of(PassedForm::Compact, bits)).contains("--bits-per-state requires"));
    assert!(refused(&PLAIN, of(PassedForm::Bitstate, signatures)).contains("--bits-per-state requires"));
    assert!(
        refused(&PLAIN, |plan_request| {
            tabled(PassedForm::Bitstate)(plan_request);
            plan_request.when_full = Some(WhenFull::Stop);
        })
        .contains("never full")
    );
    for wish in [table(|it| it.signature_bits = Some(63)), table(|it| it.passes = Some(0))] {
        assert!(refused(&PLAIN, of(PassedForm::Compact, wish)).contains("1 to 62"));
    }
    assert!(
        refused(&PLAIN, of(PassedForm::Bitstate, table(|it| it.bits_per_state = Some(0))))
            .contains("1 to 64")
    );
}

#[test]
fn a_table_of_whole_states_does_not_see_a_lu() {
    let exact_zones = |passed| {
        planned(&PLAIN, |plan_request: &mut PlanRequest| {
            tabled(passed)(plan_request);
            plan_request.abstraction = Some(Abstraction::None);
            plan_request.cover = Some(Cover::Alu);
        })
    };
    let may_not_end = |plan: &Plan| plan.reasons.iter().any(|reason| reason.why.contains("set a limit"));
    assert!(may_not_end(&exact_zones(PassedForm::Compact)));
    assert!(!may_not_end(&exact_zones(PassedForm::CompactZone)));
    assert!(!may_not_end(&exact_zones(PassedForm::Exact)));
}

#[test]
fn compact_is_the_smallest_exact_form_unless_another_is_asked_for() {
    let compact = |plan_request: &mut PlanRequest| plan_request.compact = true;
    let plan = planned(&PLAIN, compact);
    assert_eq!(
        (plan.zones, plan.discrete, plan.tight),
        (ZoneForm::MinimalShared, DiscreteForm::Digits, true)
    );
    let wide = planned(&Facts { state_bits: 65, ..PLAIN }, compact);
    assert_eq!(wide.discrete, DiscreteForm::Tree);
    let mixed = planned(&PLAIN, |plan_request| {
        plan_request.compact = true;
        plan_request.zones = Some(ZoneForm::Plain);
    });
    assert_eq!((mixed.zones, mixed.discrete), (ZoneForm::Plain, DiscreteForm::Digits));
    assert!(!planned(&PLAIN, |_| {}).tight);
}

#[test]
fn only_exact_searches_for_a_state_are_packed() {
    let pack = |plan_request: &mut PlanRequest| plan_request.when_full = Some(WhenFull::Pack);
    let plan = planned(&PLAIN, pack);
    assert!(plan.packs);
    assert_eq!(remarks(&plan), ["when-full"]);
    for property_class in
        [PropertyClass { endless: true, ..NOTHING }, PropertyClass { about_all: true, ..NOTHING }]
    {
        let plan = planned(&Facts { property_class, ..PLAIN }, pack);
        assert!(!plan.packs);
        assert!(remarks(&plan).contains(&"when-full"));
    }
    let table = refused(&PLAIN, |plan_request| {
        plan_request.when_full = Some(WhenFull::Pack);
        plan_request.passed = PassedForm::Compact;
    });
    assert!(table.contains("no smaller form"), "{table}");
}

#[test]
fn unions_keep_no_states_and_tell_inclusion_only() {
    type Change<'a> = &'a dyn Fn(&mut PlanRequest);
    fn united(change: Change<'_>) -> impl FnOnce(&mut PlanRequest) {
        move |plan_request| {
            plan_request.zones = Some(ZoneForm::Cdd);
            change(plan_request);
        }
    }
    let plan = planned(&PLAIN, united(&|_| {}));
    assert!(plan.zones == ZoneForm::Cdd && !plan.keeps_states());
    assert!(planned(&PLAIN, |_| {}).keeps_states());
    let refusals: [(Change<'_>, &str); 6] = [
        (&|plan_request| plan_request.cover = Some(Cover::Alu), "--cover inclusion"),
        (&|plan_request| plan_request.cover = Some(Cover::Equality), "--cover inclusion"),
        (&|plan_request| plan_request.passed = PassedForm::CompactZone, "--passed exact"),
        (&|plan_request| plan_request.when_full = Some(WhenFull::Pack), "--when-full pack"),
        (&|plan_request| plan_request.order = Some(Order::Ranked), "another --order"),
        (&|plan_request| plan_request.traces = Some(3), "--traces"),
    ];
    for (change, expected) in refusals {
        let why = refused(&PLAIN, united(change));
        assert!(why.contains(expected), "{why}");
    }
    let many = Facts { clocks: 90, ..PLAIN };
    assert!(refused(&many, united(&|_| {})).contains("too many clocks"));
    for property_class in
        [PropertyClass { endless: true, ..NOTHING }, PropertyClass { about_all: true, ..NOTHING }]
    {
        let facts = Facts { property_class, ..PLAIN };
        assert!(refused(&facts, united(&|_| {})).contains("single states"));
    }
    let why = refused(&PLAIN, |plan_request| plan_request.diagrams = Some(DiagramSettings::default()));
    assert!(why.contains("--zones cdd"), "{why}");
}

#[test]
fn diagrams_are_explained_where_there_are_any() {
    let about = |plan: &Plan| {
        let reasons = plan.reasons.iter().filter(|reason| reason.axis.name().starts_with("diagram-"));
        reasons.map(|reason| (reason.choice.clone(), reason.why == "requested")).collect::<Vec<_>>()
    };
    let plan = planned(&PLAIN, |_| {});
    assert_eq!((about(&plan), plan.choice(Axis::DiagramNodes).as_str()), (Vec::new(), "none"));
    let plan = planned(&PLAIN, |plan_request| {
        plan_request.zones = Some(ZoneForm::Cdd);
        plan_request.diagrams.get_or_insert_default().other.backtrace = true;
    });
    let expected = [
        ("compact", false),
        ("differences-first", false),
        ("beyond-box", false),
        ("exact", false),
        ("on", true),
    ];
    assert_eq!(about(&plan), expected.map(|(choice, asked)| (choice.to_owned(), asked)));
    let spread = planned(&PLAIN, clustered(|plan_request| plan_request.layout = Some(Layout::CddSpread)));
    assert_eq!(spread.choice(Axis::DiagramInclusion), "levels");
}

fn clustered(change: impl Fn(&mut PlanRequest)) -> impl Fn(&mut PlanRequest) {
    move |plan_request| {
        plan_request.engine = Engine::Cluster;
        change(plan_request);
    }
}

#[test]
fn a_cluster_is_explained_and_keeps_the_other_axes() {
    let plan = planned(&PLAIN, clustered(|_| {}));
    assert_eq!((plan.engine, plan.layout, plan.order), (Engine::Cluster, Layout::Hash, Order::Sweep));
    assert_eq!(remarks(&plan), ["engine", "layout"]);
    assert_eq!(
        (plan.choice(Axis::Engine), plan.choice(Axis::Layout)),
        ("cluster".to_owned(), "hash".to_owned())
    );
    for order in [Order::Bfs, Order::Dfs, Order::Random, Order::Topological, Order::Sweep] {
        assert_eq!(planned(&PLAIN, clustered(|plan_request| plan_request.order = Some(order))).order, order);
    }
    for cover in [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive] {
        assert_eq!(planned(&PLAIN, clustered(|plan_request| plan_request.cover = Some(cover))).cover, cover);
    }
    let deadlock = Facts { property_class: PropertyClass { deadlock: true, ..NOTHING }, ..PLAIN };
    assert_eq!(planned(&deadlock, clustered(|_| {})).abstraction, Abstraction::ExtraMPlus);
}

#[test]
fn a_cluster_is_refused_where_one_must_see_everything() {
    let asks = |property_class| refused(&Facts { property_class, ..PLAIN }, clustered(|_| {}));
    assert!(asks(PropertyClass { endless: true, ..NOTHING }).contains("--engine zones"));
    assert!(asks(PropertyClass { about_all: true, ..NOTHING }).contains("--engine zones"));
    for trace in [TraceKind::Shortest, TraceKind::Fastest] {
        assert!(
            refused(&PLAIN, clustered(|plan_request| plan_request.trace = trace)).contains("--trace some")
        );
    }
    assert!(refused(&PLAIN, clustered(|plan_request| plan_request.traces = Some(3))).contains("--traces"));
    assert!(
        refused(&PLAIN, clustered(|plan_request| plan_request.order = Some(Order::Ranked)))
            .contains("--order")
    );
    assert!(refused(&PLAIN, clustered(tabled(PassedForm::Compact))).contains("--passed exact"));
}

#[test]
fn a_layout_is_that_of_a_cluster() {
    assert!(
        refused(&PLAIN, |plan_request| plan_request.layout = Some(Layout::Hash)).contains("--engine cluster")
    );
    let plan = planned(&PLAIN, clustered(|plan_request| plan_request.layout = Some(Layout::Hash)));
    assert_eq!(plan.layout, Layout::Hash);
    let names = ["cdd-per-rank", "cdd-spread", "groups=3"];
    for (layout, name) in [Layout::CddPerRank, Layout::CddSpread, Layout::Groups(3)].into_iter().zip(names) {
        let laid_out = |change: fn(&mut PlanRequest)| {
            clustered(move |plan_request| {
                plan_request.layout = Some(layout);
                change(plan_request);
            })
        };
        let plan = planned(&PLAIN, laid_out(|_| {}));
        assert_eq!((plan.choice(Axis::Layout).as_str(), plan.zones), (name, ZoneForm::Cdd));
        assert!(remarks(&plan).contains(&"layout"));
        let why = refused(&PLAIN, laid_out(|plan_request| plan_request.zones = Some(ZoneForm::Plain)));
        assert!(why.contains("--zones cdd"), "{why}");
        let why = refused(&PLAIN, laid_out(|plan_request| plan_request.cover = Some(Cover::Alu)));
        assert!(why.contains("--cover inclusion"), "{why}");
    }
    let balanced = |layout: Option<Layout>, balance: Option<bool>| {
        clustered(move |plan_request| (plan_request.layout, plan_request.balance) = (layout, balance))
    };
    for layout in [None, Some(Layout::Hash), Some(Layout::CddPerRank)] {
        assert!(refused(&PLAIN, balanced(layout, Some(true))).contains("groups=K"), "{layout:?}");
        assert_eq!(planned(&PLAIN, balanced(layout, None)).choice(Axis::Balance), "none");
    }
    for (balance, name) in [(None, "on"), (Some(true), "on"), (Some(false), "off")] {
        let plan = planned(&PLAIN, balanced(Some(Layout::Groups(2)), balance));
        assert_eq!((plan.balance, plan.choice(Axis::Balance).as_str()), (name == "on", name));
    }
    let formed = clustered(|plan_request| {
        plan_request.layout = Some(Layout::CddSpread);
        plan_request.diagrams.get_or_insert_default().form = DiagramForm::AllEdges;
    });
    assert!(refused(&PLAIN, formed).contains("--diagram-nodes"));
    let drawn = |layout| {
        clustered(move |plan_request| {
            plan_request.layout = Some(layout);
            plan_request.discrete = Some(DiscreteForm::Mtidd);
        })
    };
    assert!(refused(&PLAIN, drawn(Layout::Groups(2))).contains("another --discrete"));
    assert_eq!(planned(&PLAIN, drawn(Layout::CddPerRank)).discrete, DiscreteForm::Mtidd);
    assert_eq!(planned(&PLAIN, |_| {}).choice(Axis::Layout), "none");
}

#[test]
fn a_diagram_of_discrete_states_goes_with_unions() {
    let both = |plan_request: &mut PlanRequest| {
        plan_request.zones = Some(ZoneForm::Cdd);
        plan_request.discrete = Some(DiscreteForm::Mtidd);
    };
    let plan = planned(&PLAIN, both);
    assert_eq!((plan.discrete, plan.choice(Axis::Discrete)), (DiscreteForm::Mtidd, "mtidd".to_owned()));
    assert_eq!(planned(&Facts { fields: 4095, ..PLAIN }, both).discrete, DiscreteForm::Mtidd);
    assert!(refused(&Facts { fields: 4096, ..PLAIN }, both).contains("too many locations and variables"));
    for zones in [None, Some(ZoneForm::Plain)] {
        let why = refused(&PLAIN, |plan_request| {
            plan_request.zones = zones;
            plan_request.discrete = Some(DiscreteForm::Mtidd);
        });
        assert!(why.contains("--zones cdd"), "{why}");
    }
}

fn symbolic(change: impl Fn(&mut PlanRequest)) -> impl Fn(&mut PlanRequest) {
    move |plan_request| {
        plan_request.engine = Engine::Symbolic;
        change(plan_request);
    }
}

#[test]
fn sets_of_states_are_explained_and_keep_what_concerns_zones() {
    let plan = planned(&PLAIN, symbolic(|_| {}));
    assert_eq!((plan.engine, plan.choice(Axis::Engine)), (Engine::Symbolic, "symbolic".to_owned()));
    assert_eq!(remarks(&plan), ["engine"]);
    assert_eq!((plan.sets.reorder, plan.sets.merge), (true, false));
    for cover in [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive] {
        assert_eq!(planned(&PLAIN, symbolic(|plan_request| plan_request.cover = Some(cover))).cover, cover);
    }
    let deadlock = Facts { property_class: PropertyClass { deadlock: true, ..NOTHING }, ..PLAIN };
    assert_eq!(planned(&deadlock, symbolic(|_| {})).abstraction, Abstraction::ExtraMPlus);
    let room = BddRequest { memory_bytes: Some(5), reorder: Some(false), merge: Some(true) };
    let sets = planned(&PLAIN, symbolic(|plan_request| plan_request.sets = room)).sets;
    assert_eq!((sets.memory_bytes, sets.reorder, sets.merge), (5, false, true));
    assert!(refused(&PLAIN, |plan_request| plan_request.sets = room).contains("--engine symbolic"));
}

#[test]
fn sets_of_states_are_refused_where_single_ones_must_be_told_apart() {
    let asks = |property_class| refused(&Facts { property_class, ..PLAIN }, symbolic(|_| {}));
    assert!(asks(PropertyClass { endless: true, ..NOTHING }).contains("--engine zones"));
    assert!(asks(PropertyClass { about_all: true, ..NOTHING }).contains("--engine zones"));
    for facts in [
        Facts { stopwatches: true, ..PLAIN },
        Facts { priorities: true, ..PLAIN },
        Facts { timed_receivers: true, ..PLAIN },
    ] {
        assert!(refused(&facts, symbolic(|_| {})).contains("--engine zones"), "{facts:?}");
    }
    for trace in [TraceKind::Shortest, TraceKind::Fastest] {
        assert!(
            refused(&PLAIN, symbolic(|plan_request| plan_request.trace = trace)).contains("--trace some")
        );
    }
    assert!(refused(&PLAIN, symbolic(|plan_request| plan_request.traces = Some(3))).contains("--traces"));
    let storage: [fn(&mut PlanRequest); 6] = [
        |plan_request| plan_request.zones = Some(ZoneForm::Plain),
        |plan_request| plan_request.discrete = Some(DiscreteForm::Tree),
        |plan_request| plan_request.compact = true,
        |plan_request| plan_request.order = Some(Order::Dfs),
        |plan_request| plan_request.shuffle_edges = true,
        |plan_request| plan_request.waiting_inclusion = Some(false),
    ];
    for change in storage {
        assert!(refused(&PLAIN, symbolic(change)).contains("leave --zones"));
    }
}

#[test]
fn sets_of_states_are_tried_where_clocks_are_few_and_data_is_much() {
    let open = |facts: &Facts, change: fn(&mut PlanRequest)| {
        let plan = planned(facts, |plan_request| {
            plan_request.any_engine = true;
            change(plan_request);
        });
        remarks(&plan).contains(&"engine")
    };
    assert!(open(&PLAIN, |_| {}));
    assert!(!remarks(&planned(&PLAIN, |_| {})).contains(&"engine"));
    assert!(!open(&Facts { clocks: 4, ..PLAIN }, |_| {}));
    assert!(!open(&Facts { state_bits: 19, ..PLAIN }, |_| {}));
    assert!(!open(&Facts { priorities: true, ..PLAIN }, |_| {}));
    assert!(!open(&PLAIN, |plan_request| plan_request.compact = true));
    assert!(!open(&PLAIN, |plan_request| plan_request.trace = TraceKind::Shortest));
}

#[test]
fn several_traces_are_listed_by_length() {
    for trace in [TraceKind::Fastest, TraceKind::None] {
        let why = refused(&PLAIN, |plan_request| {
            plan_request.trace = trace;
            plan_request.traces = Some(2);
        });
        assert!(why.contains("--traces"), "{why}");
    }
    assert_eq!(planned(&PLAIN, |plan_request| plan_request.traces = Some(2)).trace, TraceKind::Some);
}

#[test]
fn transient_states_are_for_reachability_on_one_machine() {
    let endless = PropertyClass { endless: true, ..NOTHING };
    let about_all = PropertyClass { about_all: true, ..NOTHING };
    for property_class in [endless, about_all] {
        let plan = planned(&Facts { property_class, ..COMMITTED }, |w| w.store = Some(Committed::Transient));
        assert_eq!(plan.store, Committed::Stored);
        assert!(plan.reasons.iter().any(|reason| reason.axis == Axis::Store && reason.choice == "all"));
    }
    for store in [Committed::Transient, Committed::Adaptive] {
        for trace in [TraceKind::Shortest, TraceKind::Fastest] {
            let why = refused(&COMMITTED, |w| (w.store, w.trace) = (Some(store), trace));
            assert!(why.contains("--store all"), "{why}");
        }
        let why = refused(&COMMITTED, |w| (w.store, w.engine) = (Some(store), Engine::Cluster));
        assert!(why.contains("no owner"), "{why}");
        let why = refused(&COMMITTED, |w| (w.store, w.engine) = (Some(store), Engine::Symbolic));
        assert!(why.contains("--store"), "{why}");
    }
}

#[test]
fn committed_states_are_transient_by_default_where_one_property_searches_alone() {
    let plan = planned(&COMMITTED, |_| {});
    assert_eq!(plan.store, Committed::Adaptive);
    assert_eq!(plan.choice(Axis::Store), "adaptive");
    assert!(plan.reasons.iter().any(|reason| reason.axis == Axis::Store && reason.why.contains("at once")));
    let about_all = PropertyClass { about_all: true, ..NOTHING };
    for facts in
        [PLAIN, Facts { shares_states: true, ..COMMITTED }, Facts { property_class: about_all, ..COMMITTED }]
    {
        assert_eq!(planned(&facts, |_| {}).store, Committed::Stored);
    }
    for trace in [TraceKind::Shortest, TraceKind::Fastest] {
        assert_eq!(planned(&COMMITTED, |w| w.trace = trace).store, Committed::Stored);
    }
    assert_eq!(planned(&COMMITTED, |w| w.engine = Engine::Cluster).store, Committed::Stored);
}

fn with_certificate(change: impl Fn(&mut PlanRequest)) -> impl Fn(&mut PlanRequest) {
    move |plan_request| {
        plan_request.certificate = true;
        change(plan_request);
    }
}

#[test]
fn certificates_need_closed_sets_that_can_be_read() {
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    let of = |facts: &Facts, change: &dyn Fn(&mut PlanRequest)| refused(facts, with_certificate(change));
    assert!(of(&PLAIN, &|w| w.passed = PassedForm::Bitstate).contains("may omit states"));
    let united = |w: &mut PlanRequest| {
        (w.zones, w.discrete, w.store) =
            (Some(ZoneForm::Cdd), Some(DiscreteForm::Mtidd), Some(Committed::Stored));
    };
    assert!(of(&PLAIN, &united).contains("cannot be read back"));
    assert!(of(&PLAIN, &|w| w.engine = Engine::Symbolic).contains("--engine zones only"));
    assert!(of(&PLAIN, &|w| w.engine = Engine::Cluster).contains("--engine zones only"));
    assert!(of(&endless, &|w| w.non_zeno = true).contains("time divergence"));
    assert!(of(&endless, &|w| w.cycles = Some(CycleSearch::Nested)).contains("--cycles components"));
}

#[test]
fn certificates_choose_what_the_checker_knows() {
    let certifying =
        |facts: &Facts, change: &dyn Fn(&mut PlanRequest)| planned(facts, with_certificate(change));
    let plain = certifying(&PLAIN, &|_| {});
    assert!(plain.certifies && plain.bounds == BoundsScope::Local && plain.cover == Cover::Adaptive);
    assert!(!planned(&PLAIN, |_| {}).certifies);
    let guarded = certifying(&PLAIN, &|w| w.bounds = Some(BoundsScope::Guarded));
    assert_eq!((guarded.certifies, guarded.cover), (true, Cover::Inclusion));
    let endless = Facts { property_class: PropertyClass { endless: true, ..NOTHING }, ..PLAIN };
    assert_eq!(certifying(&endless, &|_| {}).cycles, Some(CycleSearch::Components));
    let measured = Facts { property_class: PropertyClass { about_all: true, ..NOTHING }, ..PLAIN };
    let inclusion = certifying(&measured, &|w| w.cover = Some(Cover::Alu));
    assert_eq!((inclusion.certifies, inclusion.cover), (true, Cover::Inclusion));
    let stopwatches = certifying(&Facts { stopwatches: true, ..PLAIN }, &|_| {});
    assert!(!stopwatches.certifies && stopwatches.choice(Axis::Certificate) == "none");
}
