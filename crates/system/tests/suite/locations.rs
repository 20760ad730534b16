//! Orders of locations: the example of the paper, and what holds of every order.

use tourbillon_base::{Id, SourceMap};
use tourbillon_gen::families;
use tourbillon_model::{Model, ProcessId};
use tourbillon_system::{Positions, System, compile};

fn compiled(text: &str) -> (Model, System) {
    let (model, diagnostics) = tourbillon_front_tchecker::load("model.tck", text, &mut SourceMap::new());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let (system, _) = compile(&model, &[]).expect("a model that can be compiled");
    (model, system)
}

/// For each process, its locations in order.
fn orders(model: &Model, system: &System, positions: &Positions) -> Vec<Vec<usize>> {
    let order = |process| {
        let mut order: Vec<usize> = (0..system.locations(process)).collect();
        order.sort_by_key(|&location| positions.of(system, process, location));
        order
    };
    (0..model.processes.len()).map(ProcessId::from_index).map(order).collect()
}

/// The automaton of figure 1 in `[HerbreteauTran2015]`, with a location that no path leads to in between. The edge to
/// `q3` comes first, and that back to `q1` counts for nothing.
#[test]
fn a_topological_order_ignores_edges_that_lead_back() {
    let edges = ["q1:q3", "q1:q2", "q2:q3", "q3:q4", "q4:q1", "q0:q4"];
    let locations = ["q1{initial:}", "q0{}", "q2{}", "q3{}", "q4{}"];
    let mut text = "system:figure\nevent:a\nprocess:P\n".to_owned();
    locations.iter().for_each(|location| text.push_str(&format!("location:P:{location}\n")));
    edges.iter().for_each(|edge| text.push_str(&format!("edge:P:{edge}:a{{}}\n")));
    let (model, system) = compiled(&text);
    let positions = Positions::topological(&system);
    assert_eq!(orders(&model, &system, &positions), [[0, 2, 3, 4, 1]]);
    assert_eq!(positions.sum(&system, &[3]), 2);
}

#[test]
fn every_location_has_a_position_of_its_own() {
    for family in families() {
        let Ok(text) = family.tck(3) else { continue };
        let (model, system) = compiled(&text);
        let given: Vec<Vec<usize>> =
            model.processes.iter().map(|process| (0..process.locations.len()).rev().collect()).collect();
        for positions in [
            Positions::topological(&system),
            Positions::random(&system, 1),
            Positions::given(&system, &given),
        ] {
            for process in (0..model.processes.len()).map(ProcessId::from_index) {
                let count = system.locations(process);
                let mut seen: Vec<u32> =
                    (0..count).map(|location| positions.of(&system, process, location)).collect();
                seen.sort_unstable();
                assert!(seen.iter().copied().eq(0..count as u32), "{}: {seen:?}", family.name());
            }
        }
        assert_eq!(orders(&model, &system, &Positions::given(&system, &given)), given);
        let initial = Positions::topological(&system).sum(&system, &system.initial);
        assert_eq!(initial, 0, "every process of {} begins at its first location", family.name());
    }
}

/// Two cycles with a way from the first to the second past a location of its own, and a location that none leads to.
#[test]
fn a_stage_is_where_there_is_a_way_back() {
    let edges = ["a:b", "b:a", "a:d", "b:c", "c:d", "d:e", "e:d", "u:e"];
    let mut text = "system:stages\nevent:a\nprocess:P\nlocation:P:a{initial:}\n".to_owned();
    ["b", "c", "d", "e", "u"]
        .iter()
        .for_each(|location| text.push_str(&format!("location:P:{location}{{}}\n")));
    edges.iter().for_each(|edge| text.push_str(&format!("edge:P:{edge}:a{{}}\n")));
    let (_, system) = compiled(&text);
    let stages = Positions::stages(&system);
    let of = |location| stages.of(&system, ProcessId::from_index(0), location);
    assert_eq!([0, 1, 2, 3, 4, 5].map(of), [0, 0, 1, 2, 2, 0]);
}

/// By definition: edges never lead to an earlier stage, and to the same one only if there is a way back. That there are no
/// more stages than needed: each but the first has an edge that leads to it from the one before.
#[test]
fn stages_of_the_families_are_what_they_are_by_definition() {
    for family in families() {
        let Ok(text) = family.tck(3) else { continue };
        let (model, system) = compiled(&text);
        let stages = Positions::stages(&system);
        for (process, of_model) in (0..).map(ProcessId::from_index).zip(model.processes.iter()) {
            let count = of_model.locations.len();
            let edges: Vec<(usize, usize)> = system
                .edges
                .iter()
                .filter(|edge| edge.process == process)
                .map(|edge| (edge.source as usize, edge.target as usize))
                .collect();
            let mut leads = vec![vec![false; count]; count];
            edges.iter().for_each(|&(source, target)| leads[source][target] = true);
            for by in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        leads[from][to] |= leads[from][by] && leads[by][to];
                    }
                }
            }
            let stage = |location: usize| stages.of(&system, process, location);
            for &(source, target) in &edges {
                let back = source == target || leads[target][source];
                assert!(if back { stage(source) == stage(target) } else { stage(source) < stage(target) });
            }
            for location in (0..count).filter(|&location| stage(location) > 0) {
                let enters = |&(source, target): &(usize, usize)| {
                    stage(target) == stage(location) && stage(source) + 1 == stage(location)
                };
                assert!(edges.iter().any(enters), "{}", family.name());
            }
        }
    }
}
