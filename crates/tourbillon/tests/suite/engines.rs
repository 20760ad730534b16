//! Which engine answers where that is left open.

use tourbillon::{
    Axis, Engine, PlanRequest, QuerySelection, Report, Request, Verdict, check, family, load_with_queries,
};

fn checked(name: &str, n: u32, query: &str, plan_request: PlanRequest) -> Report {
    let text = family(name).expect("there is one").xta(n).expect("it is a size");
    let loaded = load_with_queries("model.xta", text.as_bytes(), [("model.q", query.as_bytes())]);
    let request = Request { queries: QuerySelection::Queries, plan_request, ..Request::default() };
    check(&loaded, &request, &mut |_| {}).expect("it can be checked")
}

fn engine(report: &Report) -> (Engine, String) {
    let plan = report.results[0].plan.as_ref().expect("it was planned");
    let why = plan.reasons.iter().find(|reason| reason.axis == Axis::Engine).map(|reason| reason.why.clone());
    (plan.engine, why.unwrap_or_default())
}

fn open() -> PlanRequest {
    PlanRequest { any_engine: true, ..PlanRequest::default() }
}

const SAFE: &str = "A[] not Receiver.Error\n";

/// 142,292 single states are more than are visited before sets are tried, which need a fraction of the steps.
#[test]
fn sets_are_chosen_where_they_reach_more_in_the_same_time() {
    let report = checked("flexray", 10, SAFE, open());
    assert_eq!(report.results[0].verdict, Verdict::Satisfied);
    let (engine, why) = engine(&report);
    assert_eq!(engine, Engine::Symbolic, "{why}");
    assert!(why.contains("symbolic reached") && why.contains("zones reached 100000"), "{why}");
    assert!(report.results[0].stats.sets.is_some());
}

#[test]
fn single_states_are_enough_where_there_are_few() {
    let report = checked("flexray", 1, SAFE, open());
    assert_eq!(report.results[0].verdict, Verdict::Satisfied);
    let (engine, why) = engine(&report);
    assert_eq!(engine, Engine::Zones);
    assert!(why.contains("the symbolic engine is tried"), "{why}");
    assert_eq!(report.results[0].stats.stored, 20_774);
}

#[test]
fn what_is_asked_for_is_not_tried() {
    let report =
        checked("flexray", 1, SAFE, PlanRequest { engine: Engine::Symbolic, ..PlanRequest::default() });
    assert_eq!(engine(&report).0, Engine::Symbolic);
    assert_eq!(report.results[0].stats.stored, 558);
    // Fischer's protocol has a clock for each process, and little data.
    let report = checked("fischer", 4, "A[] forall (i : int[1,4]) true\n", open());
    assert_eq!(engine(&report), (Engine::Zones, String::new()));
}
