//! Random networks can be read, have what their shape asks for, and can be made smaller.

use tourbillon_model::{Action, Language};
use tourbillon_testkit::networks::{Network, Query, Shape};
use tourbillon_testkit::oracle::{Answer, by_regions};

#[test]
fn every_network_is_a_model() {
    for (name, shape) in Shape::ALL {
        for seed in 0..300 {
            let network = Network::random(seed, shape);
            let model = network.model().unwrap_or_else(|error| panic!("shape {name}, seed {seed}: {error}"));
            assert_eq!(model.check(), [], "shape {name}, seed {seed}");
            assert_eq!(model.queries.len(), network.queries.len(), "shape {name}, seed {seed}");
        }
    }
}

#[test]
fn a_seed_repeats_its_network() {
    assert_eq!(Network::random(7, Shape::EVERYTHING), Network::random(7, Shape::EVERYTHING));
    assert_ne!(Network::random(7, Shape::PLAIN).text(), Network::random(8, Shape::PLAIN).text());
}

/// How many of the first networks of a shape have something.
fn count(shape: Shape, has: impl Fn(&str) -> bool) -> usize {
    (0..200).map(|seed| Network::random(seed, shape).to_string()).filter(|text| has(text)).count()
}

#[test]
fn shapes_have_what_they_are_for() {
    let everything = [
        "urgent",
        "commit",
        "broadcast",
        "select",
        "imply",
        "total()",
        "turn()",
        "t = ",
        "A[]",
        "before_update",
    ];
    for word in everything {
        assert!(count(Shape::PLAIN, |text| text.contains(word)) > 10, "{word}");
    }
    let differences = |text: &str| text.contains("x - y") || text.contains("y - x");
    assert!(count(Shape::DIAGONALS, differences) > 50);
    assert_eq!(count(Shape::PLAIN, differences), 0);
    assert!(count(Shape::STRICT, |text| text.contains(" x < ")) > 50);
    assert!(count(Shape::VALUES, |text| text.contains("x = y")) > 10);
    assert!(count(Shape::STARTS, |text| text.contains("clock x = ")) > 50);
    assert!(count(Shape::PRIORITIES, |text| text.contains("chan priority")) == 200);
    assert!(count(Shape::DEADLOCKS, |text| text.contains("deadlock")) > 100);
    assert!(count(Shape::VECTORS, |text| text.contains('?')) > 50);
}

#[test]
fn networks_differ_in_how_much_they_reach() {
    let sizes: Vec<usize> = (0..100)
        .filter_map(|seed| {
            let model = Network::random(seed, Shape::PLAIN).model().expect("a model");
            match by_regions(&model, 5_000) {
                Answer::Reached(reached) => Some(reached.discrete.len()),
                _ => None,
            }
        })
        .collect();
    assert!(sizes.len() > 80, "most are small enough: {}", sizes.len());
    assert!(sizes.iter().filter(|&&size| size > 5).count() > 40, "{sizes:?}");
}

#[test]
fn queries_are_answered_both_ways() {
    let mut answers = [[0; 2]; 2];
    for seed in 0..100 {
        let network = Network::random(seed, Shape::STRICT);
        let Answer::Reached(reached) = by_regions(&network.model().expect("a model"), 5_000) else {
            continue;
        };
        for (query, verdict) in network.queries.iter().zip(reached.verdicts) {
            answers[usize::from(matches!(query, Query::Invariantly(_)))]
                [usize::from(verdict == Some(true))] += 1;
        }
    }
    assert!(answers.iter().flatten().all(|&count| count > 50), "{answers:?}");
}

#[test]
fn what_fails_is_made_smaller_until_nothing_can_go() {
    let sends = |network: &Network| {
        let model = network.model().expect("only models are tried");
        let mut edges = model.processes.iter().flat_map(|process| &process.edges);
        edges.any(|edge| matches!(edge.action, Action::Send(_)) && !edge.guard.clocks.is_empty())
    };
    let seed = (0..).find(|&seed| sends(&Network::random(seed, Shape::PLAIN))).expect("a network that sends");
    let small = Network::random(seed, Shape::PLAIN).shrink(sends);
    let text = small.text();
    assert!(sends(&small), "{text}");
    assert_eq!(small.language, Language::Uppaal);
    assert_eq!(small.processes.len(), 1, "{text}");
    assert_eq!(small.processes[0].edges.len(), 1, "{text}");
    assert_eq!(small.processes[0].edges[0].guard.len(), 1, "{text}");
    assert!(small.processes[0].edges[0].updates.is_empty() && small.queries.is_empty(), "{text}");
}
