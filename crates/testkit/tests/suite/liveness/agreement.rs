//! Regions and integer times agree where both are right, and the oracles keep what follows from the definitions.

use tourbillon_model::QueryKind;
use tourbillon_testkit::networks::{Network, Query, Shape};
use tourbillon_testkit::oracle::liveness::{OracleLimit, verdicts, verdicts_by_grid};
use tourbillon_testkit::oracle::{Answer, by_regions};

const STATES_MAX: usize = 3_000;

/// The same shape with queries for infinite runs.
fn endless(shape: Shape) -> Shape {
    Shape { liveness: true, ..shape }
}

/// For each query what the grid and the regions say of it; nothing if one of them does not judge.
fn answers(network: &Network, non_zeno: bool) -> Option<Vec<(bool, bool)>> {
    let model = network.model().unwrap_or_else(|error| panic!("{error}"));
    let grid = verdicts_by_grid(&model, non_zeno, STATES_MAX).ok()?;
    let regions = verdicts(&model, non_zeno, STATES_MAX).ok()?;
    Some(grid.into_iter().flatten().zip(regions.into_iter().flatten()).collect())
}

/// Whether the run that a query is about was found, which satisfies `E[]` and violates the others.
fn found(query: &Query, verdict: bool) -> bool {
    matches!(query, Query::PotentiallyAlways(_)) == verdict
}

/// Whether the two differ, although time diverges along the runs that count.
fn disagree(network: &Network) -> bool {
    answers(network, true).is_some_and(|pairs| pairs.iter().any(|(grid, regions)| grid != regions))
}

#[test]
fn integer_times_and_regions_agree_about_divergence_where_all_is_closed() {
    let mut compared = 0;
    for &(name, shape) in Shape::ALL.iter().filter(|(_, shape)| endless(*shape).is_closed()) {
        for seed in 0..120 {
            let network = Network::random(seed, endless(shape));
            if disagree(&network) {
                let small = network.shrink(disagree);
                panic!("shape {name}, seed {seed}, shrunk:\n{small}\n{:?}", answers(&small, true));
            }
            compared += answers(&network, true).map_or(0, |pairs| pairs.len());
        }
    }
    assert!(compared > 1_000, "{compared} compared");
}

/// A run in integer time is a run, whatever the shape, and a deadlock in integer time is one.
#[test]
fn whatever_integer_times_find_is_there() {
    let (mut both, mut missed) = (0, 0);
    for (name, shape) in Shape::ALL {
        for seed in 0..60 {
            let network = Network::random(seed, endless(shape));
            for non_zeno in [false, true] {
                let Some(pairs) = answers(&network, non_zeno) else { continue };
                for (query, (grid, regions)) in network.queries.iter().zip(pairs) {
                    let (grid, regions) = (found(query, grid), found(query, regions));
                    assert!(regions || !grid, "shape {name}, seed {seed}, {query}\n{network}");
                    both += usize::from(grid);
                    missed += usize::from(regions && !grid);
                }
            }
        }
    }
    assert!(both > 500 && missed > 10, "{both} found by both, {missed} by regions only");
}

/// A comparison that cannot fail would be none: here it does.
#[test]
fn integer_times_miss_what_strict_comparisons_allow() {
    for shape in [Shape::STRICT, Shape::DIAGONALS] {
        assert!((0..200).any(|seed| disagree(&Network::random(seed, endless(shape)))), "{shape:?}");
    }
}

#[test]
fn runs_in_which_time_diverges_are_runs() {
    let mut fewer = 0;
    for (name, shape) in Shape::ALL {
        for seed in 0..60 {
            let network = Network::random(seed, endless(shape));
            let model = network.model().expect("a model");
            let of = |non_zeno| verdicts(&model, non_zeno, STATES_MAX);
            let (Ok(all), Ok(divergent)) = (of(false), of(true)) else { continue };
            let pairs = all.into_iter().flatten().zip(divergent.into_iter().flatten());
            for (query, (all, divergent)) in network.queries.iter().zip(pairs) {
                let (all, divergent) = (found(query, all), found(query, divergent));
                assert!(all || !divergent, "shape {name}, seed {seed}, {query}\n{network}");
                fewer += usize::from(all && !divergent);
            }
        }
    }
    assert!(fewer > 50, "{fewer} queries are about Zeno runs or deadlocks");
}

#[test]
fn queries_are_answered_both_ways() {
    let mut answers = [[0; 2]; 3];
    for seed in 0..200 {
        let model = Network::random(seed, endless(Shape::STRICT)).model().expect("a model");
        let Ok(verdicts) = verdicts(&model, false, STATES_MAX) else { continue };
        for (query, verdict) in model.queries.iter().zip(verdicts) {
            let kind = match query.kind {
                QueryKind::PotentiallyAlways(_) => 0,
                QueryKind::Eventually(_) => 1,
                QueryKind::LeadsTo(..) => 2,
                _ => panic!("{}", query.text),
            };
            answers[kind][usize::from(verdict == Some(true))] += 1;
        }
    }
    assert!(answers.iter().flatten().all(|&count| count > 30), "{answers:?}");
}

/// Both searches explore the same regions, so they fail on the same models.
#[test]
fn what_goes_wrong_goes_wrong_for_both() {
    let mut wrong = 0;
    for seed in 0..100 {
        let model = Network::random(seed, endless(Shape::ERRORS)).model().expect("a model");
        let reached = matches!(by_regions(&model, STATES_MAX), Answer::Error(_));
        let endless = matches!(verdicts(&model, false, STATES_MAX), Err(OracleLimit::Error(_)));
        assert_eq!(reached, endless, "seed {seed}");
        wrong += usize::from(reached);
    }
    assert!(wrong > 5, "{wrong} go wrong");
}
