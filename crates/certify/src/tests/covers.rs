//! Covers other than inclusion by the entries that are there: LU-bounds, generators, transient states.

use std::collections::BTreeMap;

use tourbillon_base::Id;
use tourbillon_model::{LocationId, LocationKind, Model, Query, QueryKind};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::{Answer, by_regions};

use super::explorer::{CertificateDraft, certificate, model};
use crate::format::{ClockConstants, Constraint, Cover, Generator};
use crate::lu::{LocationBounds, LuBounds};
use crate::zone::Zone;
use crate::{Outcome, Reason};

/// The same constants for all clocks and locations.
fn constants(model: &Model, lower: i64, upper: i64) -> Vec<Vec<Vec<ClockConstants>>> {
    let of_location = || (0..model.clocks.len()).map(|clock| (clock, Some(lower), Some(upper))).collect();
    model.processes.iter().map(|it| it.locations.iter().map(|_| of_location()).collect()).collect()
}

/// Leaves out entries that others simulate.
fn reduce(draft: &mut CertificateDraft, model: &Model, bounds: Vec<Vec<Vec<ClockConstants>>>) -> usize {
    let of = LocationBounds::new(model, bounds.clone()).expect("bounds");
    let dimension = model.clocks.len() + 1;
    let entries = &mut draft.invariants[0].entries;
    let before = entries.len();
    let mut kept: Vec<(Vec<i32>, Vec<Constraint>, u64)> = Vec::new();
    for entry in entries.iter() {
        let locations =
            entry.0[..model.processes.len()].iter().map(|&at| LocationId::from_index(at as usize));
        let LuBounds { lower, upper } = of.of(locations);
        let zone = |constraints: &[Constraint]| Zone::closed(dimension, constraints).expect("a zone");
        let covers = |outer: &(Vec<i32>, Vec<Constraint>, u64), inner: &(Vec<i32>, Vec<Constraint>, u64)| {
            outer.0 == inner.0 && zone(&outer.1).simulates(&zone(&inner.1), &lower, &upper)
        };
        if !kept.iter().any(|outer| covers(outer, entry)) {
            kept.retain(|inner| !covers(entry, inner));
            kept.push(entry.clone());
        }
    }
    let left_out = before - kept.len();
    *entries = kept;
    let header = &mut draft.invariants[0].header;
    (header.cover, header.bounds) = (Cover::Lu, bounds);
    left_out
}

fn truth(model: &Model, index: usize, answer: &Answer) -> Option<bool> {
    let Answer::Reached(reached) = answer else { return None };
    let is_invariant = matches!(model.queries[index].kind, QueryKind::Invariantly(_));
    reached.verdicts[index].map(|it| it == is_invariant)
}

#[test]
fn entries_that_others_simulate_can_be_left_out() {
    let (mut accepted, mut rejected, mut reduced) = (0, 0, 0);
    let shapes = [
        ("plain", Shape::PLAIN),
        ("strict", Shape::STRICT),
        ("priorities", Shape::PRIORITIES),
        ("timed receivers", Shape::TIMED_RECEIVERS),
        ("deadlocks", Shape::DEADLOCKS),
        ("errors", Shape::ERRORS),
        ("starts", Shape::STARTS),
        ("strict vectors", Shape::STRICT_VECTORS),
    ];
    for (name, shape) in shapes {
        for seed in 0..50 {
            let model = Network::random(seed, shape).model().expect("a model");
            let answer = by_regions(&model, 1_000);
            if matches!(answer, Answer::TooLarge | Answer::NoInitialState) {
                continue;
            }
            for (index, query) in model.queries.iter().enumerate() {
                // Without extrapolation, so that simulation has something to do; where that ends.
                let Some(mut draft) = super::explorer::certificate_of(&model, query, None, 120) else {
                    continue;
                };
                reduced += reduce(&mut draft, &model, constants(&model, 12, 12));
                let outcome = draft.check(&model, &[query]);
                let is_true = truth(&model, index, &answer) == Some(true);
                let place = format!("{name}, seed {seed}: {} {outcome:?}", query.text);
                assert_eq!(matches!(outcome, Outcome::Accepted(_)), is_true, "{place}");
                (accepted, rejected) = (accepted + usize::from(is_true), rejected + usize::from(!is_true));
            }
        }
    }
    assert!(accepted > 100 && rejected > 100 && reduced > 50, "{accepted}, {rejected}, {reduced}");
}

fn with_bounds(model: &Model, lower: i64, upper: i64) -> Outcome {
    let query = &model.queries[0];
    let mut draft = certificate(model, query, Some(20)).expect("a certificate");
    let header = &mut draft.invariants[0].header;
    (header.cover, header.bounds) = (Cover::Lu, constants(model, lower, upper));
    draft.check(model, &[query])
}

#[track_caller]
fn is_accepted_from(text: &str, query: &str, lower: i64, upper: i64) {
    let model = model(text, query);
    assert!(
        matches!(with_bounds(&model, lower, upper), Outcome::Accepted(_)),
        "{:?}",
        with_bounds(&model, lower, upper)
    );
    for (lower, upper) in
        [(lower - 1, upper), (lower, upper - 1)].into_iter().filter(|it| it.0 >= 0 && it.1 >= 0)
    {
        let Outcome::Rejected(rejection) = with_bounds(&model, lower, upper) else {
            panic!("{lower}, {upper}")
        };
        assert!(matches!(rejection.reason, Reason::NotSimulation(_)), "{rejection:?}");
    }
}

#[test]
fn bounds_must_respect_every_constraint() {
    let with_states = |states: &str, labels: &str| {
        format!(
            "clock x, y; process P() {{ state {states}; init A; trans A -> B {{ {labels} }}; }} system P;"
        )
    };
    let process = |labels: &str| with_states("A, B", labels);
    is_accepted_from(&process("guard x >= 3;"), "A[] true", 3, 0);
    is_accepted_from(&process("guard x > 3;"), "A[] true", 3, 0);
    is_accepted_from(&process("guard x <= 4;"), "A[] true", 0, 4);
    is_accepted_from(&process("guard x < 4;"), "A[] true", 0, 4);
    is_accepted_from(&process("guard x == 4;"), "A[] true", 4, 4);
    is_accepted_from(&with_states("A { x <= 5 }, B", ""), "A[] true", 0, 5);
    is_accepted_from(&with_states("A, B { x >= 2 && x <= 5 }", ""), "A[] true", 2, 5);
    // What the query compares, as far as it must be preserved.
    is_accepted_from(&process(""), "E<> P.B && x >= 3 && x < 2", 3, 2);
    is_accepted_from(&process(""), "A[] P.B imply (x < 3 || x >= 2)", 3, 2);
    is_accepted_from(&process(""), "E<> P.B && P.A && x > 7", 0, 0);
    // A clock that is another plus something; what is after it, before it.
    is_accepted_from(
        "clock x, y; process P() { state A, B, C; init A; trans A -> B { assign x = y + 2; }, B -> C { guard x >= 6; assign x = 0, y = 0; }; } system P;",
        "A[] true",
        6,
        0,
    );
    // Differences are not supported.
    let diagonal = model(&process("guard x - y >= 0; assign x = 0;"), "A[] true");
    assert!(matches!(with_bounds(&diagonal, 9, 9), Outcome::Rejected(_)));
}

#[test]
fn bounds_must_not_rise_along_transitions() {
    let text = "clock x, y; process P() { state A, B, C; init A; trans A -> B { ASSIGN }, B -> C { guard x >= 6; }; } system P;";
    let check = |assign: &str, at_first: &[ClockConstants]| {
        let model = model(&text.replace("ASSIGN", assign), "A[] true");
        let query = &model.queries[0];
        let mut draft = certificate(&model, query, Some(20)).expect("a certificate");
        let header = &mut draft.invariants[0].header;
        header.cover = Cover::Lu;
        header.bounds = vec![vec![at_first.to_vec(), vec![(0, Some(6), None)], Vec::new()]];
        matches!(draft.check(&model, &[query]), Outcome::Accepted(_))
    };
    assert!(check("", &[(0, Some(6), None)]));
    assert!(!check("", &[(0, Some(5), None)]));
    assert!(!check("", &[(1, Some(6), None)]));
    assert!(check("assign x = 1;", &[]));
    assert!(check("assign x = y;", &[(1, Some(6), None)]));
    assert!(!check("assign x = y;", &[(0, Some(6), None)]));
    assert!(check("assign x = y + 2;", &[(1, Some(4), None)]));
    assert!(!check("assign x = y + 2;", &[(1, Some(3), None)]));
    assert!(check("assign x = y + 7;", &[]));
}

#[test]
fn deadlocks_need_equal_bounds() {
    let model = model(
        "clock x; process P() { state A { x <= 3 }; init A; trans A -> A { guard x >= 1; assign x = 0; }; } system P;",
        "A[] not deadlock",
    );
    assert!(matches!(with_bounds(&model, 3, 3), Outcome::Accepted(_)));
    let Outcome::Rejected(rejection) = with_bounds(&model, 3, 4) else { panic!("accepted") };
    assert!(matches!(rejection.reason, Reason::Claim(_)));
}

/// A valuation may be simulated by one that has a transition, and have none.
#[test]
fn ends_of_runs_need_equal_bounds_where_time_cannot_diverge() {
    let text = |invariant: &str| {
        format!(
            "clock x; process P() {{ state A {{ {invariant} }}, C; init A; trans A -> C {{ guard x >= 1; }}; }} system P;"
        )
    };
    let bounded = model(&text("x <= 3"), "A<> P.C");
    assert!(matches!(with_bounds(&bounded, 3, 3), Outcome::Accepted(_)));
    let Outcome::Rejected(rejection) = with_bounds(&bounded, 3, 4) else { panic!("accepted") };
    assert!(matches!(rejection.reason, Reason::NotSimulation(_)));
    let unbounded = model(&text("true"), "A<> P.C || x > 7");
    assert!(matches!(with_bounds(&unbounded, 9, 8), Outcome::Accepted(_)));
}

/// Three processes that differ in their number only, and the transposition of the first two and of the last two.
fn ring() -> (Model, Vec<Generator>) {
    let text =
        "clock x[3]; int[0,3] turn = 3; process P(const int[0,2] i) { state A, B { x[i] <= 4 }, C; init A;
        trans A -> B { guard turn == 3; assign turn = i, x[i] = 0; }, B -> C { guard x[i] >= 2; },
            C -> A { guard turn == i; assign turn = 3, x[i] = 0; }; } system P;";
    let model = model(text, "A[] !(P(0).B && P(1).B)\nA[] !P(0).C");
    let swap = |one: usize, other: usize| {
        let mut order = vec![0, 1, 2];
        order.swap(one, other);
        let values = BTreeMap::from([(0, vec![(one as i32, other as i32), (other as i32, one as i32)])]);
        Generator { processes: order.clone(), clocks: order, cells: vec![0], values }
    };
    (model, vec![swap(0, 1), swap(1, 2)])
}

#[test]
fn generators_complete_an_invariant() {
    let (model, generators) = ring();
    let check = |query: &Query, keep: &dyn Fn(&[i32]) -> bool, generators: &[Generator]| {
        let mut draft = certificate(&model, query, Some(9)).expect("a certificate");
        draft.invariants[0].entries.retain(|entry| keep(&entry.0));
        draft.invariants[0].header.generators = generators.to_vec();
        draft.check(&model, &[query])
    };
    // Only states in which the first process is the one that moves.
    let first = |vector: &[i32]| vector[3] == 3 || vector[3] == 0;
    let Outcome::Accepted(whole) = check(&model.queries[0], &|_| true, &[]) else { panic!("rejected") };
    let Outcome::Accepted(expanded) = check(&model.queries[0], &first, &generators) else {
        panic!("rejected")
    };
    assert_eq!(expanded.states, whole.states);
    assert!(matches!(check(&model.queries[0], &first, &[]), Outcome::Rejected(_)));
    assert!(matches!(check(&model.queries[0], &first, &generators[1..]), Outcome::Rejected(_)));
    // What the claim excludes is found in an image.
    let second = |vector: &[i32]| vector[3] == 3 || vector[3] == 1;
    let Outcome::Rejected(rejection) = check(&model.queries[1], &second, &generators) else {
        panic!("accepted")
    };
    assert_eq!(rejection.reason, Reason::Holds);
    // The limit counts what is expanded.
    let mut draft = certificate(&model, &model.queries[0], Some(9)).expect("a certificate");
    draft.invariants[0].entries.retain(|entry| first(&entry.0));
    draft.invariants[0].header.generators = generators;
    let entries_max = draft.invariants[0].entries.len() as u64 + 1;
    let options = crate::Options { entries_max, ..crate::Options::default() };
    let outcome = crate::certify(&model, &[&model.queries[0]], &draft.bytes(&model), &options);
    assert!(matches!(outcome, Ok(Outcome::Unknown(_))));
}

fn is_committed(model: &Model, vector: &[i32]) -> bool {
    model.processes.iter().zip(vector).any(|(process, &at)| {
        process.locations[LocationId::from_index(at as usize)].kind == LocationKind::Committed
    })
}

#[test]
fn transient_states_can_be_left_out() {
    let (mut accepted, mut rejected, mut followed) = (0, 0, 0);
    for liveness in [false, true] {
        for seed in 0..120 {
            let shape = Shape { liveness, ..Shape::TIMED_RECEIVERS };
            let model = Network::random(seed, shape).model().expect("a model");
            for query in &model.queries {
                let Some(mut draft) = certificate(&model, query, Some(12)) else { continue };
                let is_true = draft.is_accepted(&model, &[query]);
                let mut left_out = 0;
                for invariant in &mut draft.invariants {
                    left_out += invariant.entries.len();
                    invariant.header.transient = true;
                    invariant.entries.retain(|entry| !is_committed(&model, &entry.0));
                    left_out -= invariant.entries.len();
                }
                match draft.check(&model, &[query]) {
                    Outcome::Accepted(report) => {
                        assert!(is_true, "seed {seed}: {}", query.text);
                        (accepted, followed) = (accepted + 1, followed + report.followed);
                    }
                    Outcome::Rejected(rejection) => {
                        // A cycle of transient states has nobody who ends it.
                        assert!(
                            !is_true || rejection.reason == Reason::TooManyTransient,
                            "seed {seed}: {rejection:?}"
                        );
                        rejected += 1;
                    }
                    Outcome::Unknown(why) => panic!("seed {seed}: {why}"),
                }
                if left_out > 0 && is_true {
                    draft.invariants.iter_mut().for_each(|it| it.header.transient = false);
                    let _ = draft.check(&model, &[query]);
                }
            }
        }
    }
    assert!(accepted > 100 && rejected > 100 && followed > 50, "{accepted}, {rejected}, {followed}");
    let text = "process P() { state A, B, C; commit B; init A; trans A -> B { }, B -> C { }; } system P;";
    let model = model(text, "E<> P.A && P.C\nE<> P.B");
    for (index, expected) in [(0, None), (1, Some(Reason::Holds))] {
        let query = &model.queries[index];
        let mut draft = certificate(&model, query, Some(1)).expect("a certificate");
        draft.invariants[0].entries.retain(|entry| entry.0[0] != 1);
        assert!(!draft.is_accepted(&model, &[query]));
        draft.invariants[0].header.transient = true;
        let reason = match draft.check(&model, &[query]) {
            Outcome::Rejected(rejection) => Some(rejection.reason),
            Outcome::Accepted(_) => None,
            Outcome::Unknown(why) => panic!("{why}"),
        };
        assert_eq!(reason, expected);
    }
}

#[test]
fn chains_of_transient_states_end() {
    let text = "process P() { state A, B; commit B; init A; trans A -> B { }, B -> B { }; } system P;";
    let model = model(text, "E<> P.A && P.B");
    let query = &model.queries[0];
    let mut draft = certificate(&model, query, Some(1)).expect("a certificate");
    draft.invariants[0].entries.retain(|entry| entry.0[0] != 1);
    draft.invariants[0].header.transient = true;
    let Outcome::Rejected(rejection) = draft.check(&model, &[query]) else { panic!("accepted") };
    assert_eq!(rejection.reason, Reason::TooManyTransient);
}

/// The theorem of the cover against the definition of the preorder, on the points of small zones.
#[test]
fn simulation_of_zones_is_that_of_their_points() {
    use tourbillon_base::Random;
    use tourbillon_testkit::naive::Bound;
    use tourbillon_testkit::points::{Grid, PointSet};
    let mut random = Random::from_seed(1);
    let (mut yes, mut no) = (0, 0);
    let (asked, fine) = (Grid::telling(2, 2), Grid::telling(2, 2).for_witnesses(2));
    for _ in 0..400 {
        let mut zone = || {
            let constraints: Vec<Constraint> = (0..random.below(5))
                .map(|_| {
                    let (left, right) = (random.below(3), random.below(3));
                    Constraint { left, right, bound: i64::from(random.within(-4..=5)) }
                })
                .filter(|it| it.left != it.right)
                .collect();
            Zone::closed(3, &constraints)
        };
        let (Some(outer), Some(inner)) = (zone(), zone()) else { continue };
        let mut constant = || {
            let value = random.below(4) as i64;
            (value < 3).then_some(value)
        };
        let lower = [Some(0), constant(), constant()];
        let upper = [Some(0), constant(), constant()];
        let contains = |zone: &Zone, point: &[i64], steps: i64| {
            zone.constraints().all(|it| {
                let bound =
                    if it.bound & 1 == 1 { Bound::weak(it.bound >> 1) } else { Bound::strict(it.bound >> 1) };
                bound.admits(point[it.left] - point[it.right], steps)
            })
        };
        let witnesses = PointSet::from_predicate(fine, |point| contains(&outer, point, fine.steps_per_unit));
        let witnesses: Vec<Vec<i64>> = witnesses.iter().collect();
        let ratio = fine.steps_per_unit / asked.steps_per_unit;
        let is_simulated = |point: &[i64]| {
            witnesses.iter().any(|by| {
                (1..3).all(|x| {
                    let (small, large) = (point[x] * ratio, by[x]);
                    let is_above = |value: i64, constant: Option<i64>| {
                        constant.is_none_or(|constant| value > constant * fine.steps_per_unit)
                    };
                    small == large
                        || large < small && is_above(large, lower[x])
                        || large > small && is_above(small, upper[x])
                })
            })
        };
        let by_definition = asked
            .points()
            .filter(|point| contains(&inner, point, asked.steps_per_unit))
            .all(|it| is_simulated(&it));
        assert_eq!(
            outer.simulates(&inner, &lower, &upper),
            by_definition,
            "{outer:?} {inner:?} {lower:?} {upper:?}"
        );
        if by_definition { yes += 1 } else { no += 1 }
    }
    assert!(yes > 30 && no > 30, "{yes}, {no}");
}
