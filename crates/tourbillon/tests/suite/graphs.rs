//! Zone graphs and coverage of the examples.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tourbillon::{
    Cover, Loaded, Order, PlanRequest, QuerySelection, Request, TraceKind, check, lint, load, network,
    zone_graph,
};

fn example(name: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    load(name, &std::fs::read(path).expect("an example"))
}

#[test]
fn a_graph_counts_as_an_exploration_does() {
    for name in
        ["bridge.xml", "fischer.xml", "speed-trap.xml", "two-doors.xml", "watchdog.xml", "fischer.tck"]
    {
        let loaded = example(name);
        let plan_request = PlanRequest {
            cover: Some(Cover::Inclusion),
            order: Some(Order::Bfs),
            trace: TraceKind::None,
            ..PlanRequest::default()
        };
        let request = Request { queries: QuerySelection::Exploration, plan_request, ..Request::default() };
        let graph = zone_graph(&loaded, &request, 100_000, &mut |_| {}).expect("a graph");
        let explored = check(&loaded, &request, &mut |_| {}).expect("an exploration").results[0].stats;
        assert!(graph.complete, "{name}: {}", graph.why);
        assert_eq!(graph.edges.len() as u64, explored.transitions, "{name}");
        let stored = graph.nodes.iter().filter(|node| node.covered_by.is_none()).count();
        assert_eq!((stored as u64, graph.stats.covered), (explored.stored, explored.covered), "{name}");
        assert_eq!(explored.stored + explored.covered, explored.transitions + 1, "{name}");
        let again = zone_graph(&loaded, &request, 100_000, &mut |_| {}).expect("a graph");
        assert_eq!(again, graph, "{name}");
    }
}

#[test]
fn a_graph_can_be_stopped() {
    let stop = Arc::new(AtomicBool::new(true));
    let request = Request { stop: Some(&stop), ..Request::default() };
    let graph = zone_graph(&example("fischer.xml"), &request, 1000, &mut |_| {}).expect("a graph");
    assert_eq!((graph.complete, graph.why.as_str(), graph.nodes.len()), (false, "interrupted", 1));
}

#[test]
fn coverage_is_told_process_by_process() {
    let text = "process P() { state A, B, C; init A; trans A -> B { }, C -> A { }, B -> A { }; } Q = P(); system Q, P;";
    let loaded = load("p.xta", text.as_bytes());
    let report = lint(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    assert_eq!(report.reached, vec![vec![true, true, false]; 2]);
    assert_eq!(report.taken, vec![vec![true, false, true]; 2]);

    let loaded = example("train-gate.xml");
    let report = lint(&loaded, &Request::default(), &mut |_| {}).expect("a report");
    let network = network(&loaded).expect("a model");
    let count = |seen: &[Vec<bool>]| seen.iter().flatten().filter(|&&seen| seen).count();
    assert_eq!(count(&report.reached), report.coverage.locations_reached);
    assert_eq!(count(&report.taken), report.coverage.edges_taken);
    for (process, seen) in network.processes.iter().zip(&report.reached) {
        assert_eq!(process.locations.len(), seen.len());
    }
}

#[test]
fn some_of_the_queries_are_answered() {
    let loaded = example("train-gate.xml");
    let request = Request { queries: QuerySelection::Some(vec![2]), ..Request::default() };
    let report = check(&loaded, &request, &mut |_| {}).expect("a report");
    let text = &loaded.model.as_ref().expect("a model").queries[2].text;
    let asked: Vec<_> = report.results.iter().filter_map(|result| result.query.as_ref()).collect();
    assert_eq!(asked.iter().map(|query| &query.text).collect::<Vec<_>>(), [text]);
    let none = Request { queries: QuerySelection::Some(vec![99]), ..Request::default() };
    assert!(check(&loaded, &none, &mut |_| {}).is_err());
}
