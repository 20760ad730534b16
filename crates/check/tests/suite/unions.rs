//! Searches that keep unions of zones, beside those that keep zones one by one.
//!
//! Verdicts on random networks are compared in `random.rs`. Here it is the work that is looked at: on every family the same
//! discrete states are reached, and no more is visited.

use tourbillon_base::SourceMap;
use tourbillon_check::{
    Committed, Cover, DiagramForm, DiagramInclusion, Job, Limits, Order, PlanRequest, Stats, TraceKind,
    ZoneForm, check,
};
use tourbillon_gen::family;

fn explore(name: &str, n: u32, change: impl FnOnce(&mut PlanRequest)) -> Stats {
    let text = family(name).expect("a family").tck(n).expect("a member");
    let (model, diagnostics) = tourbillon_front_tchecker::load("family.tck", &text, &mut SourceMap::new());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let mut plan_request =
        PlanRequest { trace: TraceKind::None, store: Some(Committed::Stored), ..PlanRequest::default() };
    change(&mut plan_request);
    let job = Job {
        model: &model,
        queries: None,
        plan_request: &plan_request,
        limits: Limits::default(),
        stop: None,
    };
    check(&job, &mut |_| {}).expect("a family can be compiled")[0].stats
}

const MEMBERS: [(&str, u32); 11] = [
    ("blow-up", 8),
    ("bridge", 4),
    ("corsso", 2),
    ("critical-region", 3),
    ("critical-region-exclusive", 3),
    ("csmacd", 6),
    ("csmacd-broadcast", 6),
    ("dining-philosophers", 5),
    ("fddi", 5),
    ("fischer", 6),
    ("train-gate", 4),
];

#[test]
fn no_more_is_visited_and_the_same_is_reached() {
    for (name, n) in MEMBERS {
        for order in [Order::Bfs, Order::Sweep] {
            let single = explore(name, n, |plan_request| {
                plan_request.order = Some(order);
                plan_request.cover = Some(Cover::Inclusion);
            });
            for inclusion in [DiagramInclusion::Levels, DiagramInclusion::default()] {
                let united = explore(name, n, |plan_request| {
                    plan_request.order = Some(order);
                    plan_request.zones = Some(ZoneForm::Cdd);
                    plan_request.diagrams.get_or_insert_default().other.inclusion = inclusion;
                });
                assert_eq!(united.discrete_states, single.discrete_states, "{name} {n} {order:?}");
                assert!(united.visited <= single.visited, "{name} {n} {order:?}: {united:?} {single:?}");
                assert_eq!(united.visited, united.stored);
                assert_eq!(united.stored + united.covered, united.transitions + 1);
            }
        }
    }
}

/// Several zones together do cover others where zones are small and many.
#[test]
fn unions_save_visits() {
    let visited =
        |zones| explore("critical-region", 3, |plan_request| plan_request.zones = Some(zones)).visited;
    assert!(visited(ZoneForm::Cdd) < visited(ZoneForm::Shared));
}

/// The forms of nodes differ in bytes and in nothing else.
#[test]
fn the_forms_of_nodes_visit_the_same_in_fewer_and_fewer_bytes() {
    for (name, n) in [("critical-region", 3), ("csmacd", 7)] {
        let [all, fewer, fewest] = [DiagramForm::AllEdges, DiagramForm::WithoutFalse, DiagramForm::Compact]
            .map(|form| {
                explore(name, n, |plan_request| {
                    plan_request.zones = Some(ZoneForm::Cdd);
                    plan_request.diagrams.get_or_insert_default().form = form;
                })
            });
        assert_eq!((all.visited, all.transitions), (fewer.visited, fewer.transitions));
        assert_eq!((all.visited, all.transitions), (fewest.visited, fewest.transitions));
        let bytes = [all, fewer, fewest].map(|stats| stats.memory.zones);
        assert!(bytes[1] <= bytes[0] && bytes[2] * 10 <= bytes[0] * 8, "{name} {n}: {bytes:?}");
    }
}
