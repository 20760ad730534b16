//! The two oracles agree where both are right, and the regions are needed where they are.

use tourbillon_model::Model;
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{Answer, Reached, by_grid, by_regions};

const STATES_MAX: usize = 5_000;

/// What two searches must agree about: not how many points they stored, nor which of several errors they met.
fn comparable(answer: Answer) -> Option<Result<Reached, bool>> {
    match answer {
        Answer::Reached(reached) => Some(Ok(Reached { stored: 0, ..reached })),
        Answer::Error(_) => Some(Err(true)),
        Answer::NoInitialState => Some(Err(false)),
        Answer::TooLarge => None,
        Answer::Unsupported(what) => panic!("{what} in a random network"),
    }
}

fn disagree(network: &Network) -> bool {
    let model: Model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let (grid, regions) = (by_grid(&model, STATES_MAX), by_regions(&model, STATES_MAX));
    match (comparable(grid), comparable(regions)) {
        (Some(grid), Some(regions)) => grid != regions,
        _ => false,
    }
}

#[test]
fn integer_times_and_regions_agree_where_all_is_closed() {
    let closed = Shape::ALL.iter().filter(|(_, shape)| shape.is_closed());
    for &(name, shape) in closed {
        for seed in 0..400 {
            let network = Network::random(seed, shape);
            if disagree(&network) {
                let small = network.shrink(disagree);
                let model = small.model().expect("shrunk to a model");
                let answers = (by_grid(&model, STATES_MAX), by_regions(&model, STATES_MAX));
                panic!("shape {name}, seed {seed}, shrunk:\n{small}\n{answers:#?}");
            }
        }
    }
}

/// A comparison that cannot fail would be none: here it does.
#[test]
fn integer_times_miss_what_strict_comparisons_allow() {
    for shape in [Shape::STRICT, Shape::DIAGONALS, Shape::PRIORITIES, Shape::TIMED_RECEIVERS] {
        assert!((0..100).any(|seed| disagree(&Network::random(seed, shape))), "{shape:?}");
    }
}

#[test]
fn most_networks_are_small_enough_to_be_judged() {
    for (name, shape) in Shape::ALL {
        let judged = |seed: &u64| {
            let model = Network::random(*seed, shape).model().expect("a model");
            !matches!(by_regions(&model, STATES_MAX), Answer::TooLarge | Answer::Unsupported(_))
        };
        let judged = (0..60).filter(judged).count();
        assert!(judged >= 40, "shape {name}: {judged} of 60");
    }
}
