//! Claims about infinite runs.

use tourbillon_base::{Id, Random};
use tourbillon_model::{BinaryOp, Expr, ExprId, ExprKind, LocationId, Model, Query, QueryKind};
use tourbillon_testkit::networks::{Network, Shape};
use tourbillon_testkit::oracle::Discrete;
use tourbillon_testkit::oracle::liveness::{OracleLimit, accepts, verdicts};

use super::explorer::{certificate, expect, model};
use crate::{Outcome, Reason};

const SHAPES: [(&str, Shape); 7] = [
    ("strict", Shape::STRICT),
    ("values", Shape::VALUES),
    ("starts", Shape::STARTS),
    ("priorities", Shape::PRIORITIES),
    ("timed receivers", Shape::TIMED_RECEIVERS),
    ("closed diagonals", Shape::CLOSED_DIAGONALS),
    ("errors", Shape::ERRORS),
];

fn constant(shape: Shape) -> Option<i64> {
    (!shape.diagonals).then_some(12)
}

#[test]
fn liveness_of_random_networks_agrees_with_the_oracle() {
    let (mut accepted, mut rejected, mut failed) = (0, 0, 0);
    for (name, shape) in SHAPES {
        let shape = Shape { liveness: true, ..shape };
        for seed in 0..100 {
            let model = Network::random(seed, shape).model().expect("a model");
            let answers = match verdicts(&model, false, 1_000) {
                Ok(answers) => Some(answers),
                Err(OracleLimit::Error(_)) => None,
                Err(_) => continue,
            };
            let mut random = Random::from_seed(seed);
            for (index, query) in model.queries.iter().enumerate() {
                let is_true = answers.as_ref().map(|answers| {
                    answers[index].map(|it| it != matches!(query.kind, QueryKind::PotentiallyAlways(_)))
                });
                let Some(draft) = certificate(&model, query, constant(shape)) else { continue };
                let outcome = draft.check(&model, &[query]);
                let place = format!("{name}, seed {seed}: {} {outcome:?}", query.text);
                match is_true {
                    Some(Some(true)) => {
                        assert!(matches!(outcome, Outcome::Accepted(_)), "{place}");
                        accepted += 1;
                    }
                    Some(Some(false)) => {
                        assert!(matches!(outcome, Outcome::Rejected(_)), "{place}");
                        for _ in 0..10 {
                            let mut changed = draft.clone();
                            for draft in &mut changed.invariants {
                                let one_in = 2 + random.below(6);
                                draft.entries.retain(|_| !random.one_in(one_in));
                                for entry in &mut draft.entries {
                                    if random.one_in(one_in) {
                                        entry.2 = random.below(20) as u64;
                                    }
                                }
                            }
                            assert!(!changed.is_accepted(&model, &[query]), "{place}: changed");
                        }
                        rejected += 1;
                    }
                    Some(None) => {}
                    None => failed += usize::from(!matches!(outcome, Outcome::Accepted(_))),
                }
            }
        }
    }
    assert!(accepted > 200 && rejected > 200 && failed > 10, "{accepted}, {rejected}, {failed}");
}

/// Adds a query: is there a run that visits each of these locations infinitely often?
fn add_recurrence(model: &mut Model, places: &[(usize, usize)]) {
    let predicates = at_locations(model, places);
    add_query(model, format!("{places:?}"), QueryKind::Recurrently(predicates));
}

/// Adds a query: can processes be at all of these locations at the same time?
pub(crate) fn add_possibility(model: &mut Model, places: &[(usize, usize)]) {
    let span = model.processes.iter().next().expect("a process").span;
    let conjunction = |one, other, model: &mut Model| {
        model.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::And, one, other), span })
    };
    let all = at_locations(model, places);
    let all = all.into_iter().reduce(|one, other| conjunction(one, other, model)).expect("a place");
    add_query(model, format!("{places:?}"), QueryKind::Possibly(all));
}

fn at_locations(model: &mut Model, places: &[(usize, usize)]) -> Vec<ExprId> {
    let at = |&(process, location): &(usize, usize)| {
        let process = model.processes.ids().nth(process).expect("a process");
        let kind = ExprKind::AtLocation(process, LocationId::from_index(location));
        let span = model.processes[process].span;
        model.exprs.push(Expr { kind, span })
    };
    places.iter().map(at).collect()
}

fn add_query(model: &mut Model, text: String, kind: QueryKind) {
    let span = model.processes.iter().next().expect("a process").span;
    model.queries.push(Query { text, comment: String::new(), kind, frame: 0, expected: None, span });
}

#[test]
fn recurrence_in_random_networks_agrees_with_the_oracle() {
    let (mut accepted, mut rejected) = (0, 0);
    for (name, shape) in SHAPES {
        for seed in 0..60 {
            let mut model = Network::random(seed, shape).model().expect("a model");
            let mut random = Random::from_seed(seed);
            let places: Vec<(usize, usize)> = (0..1 + random.below(2))
                .map(|_| {
                    let process = random.below(model.processes.len());
                    let locations = model.processes.iter().nth(process).expect("a process").locations.len();
                    (process, random.below(locations))
                })
                .collect();
            let at = |&(process, location): &(usize, usize)| {
                move |state: &Discrete| state.locations[process].index() == location
            };
            let kinds: Vec<_> = places.iter().map(at).collect();
            let kinds: Vec<&dyn Fn(&Discrete) -> bool> = kinds.iter().map(|it| it as _).collect();
            let Ok(is_possible) = accepts(&model, &kinds, false, 1_000) else { continue };
            add_recurrence(&mut model, &places);
            let query = model.queries.last().expect("a query");
            let Some(draft) = certificate(&model, query, constant(shape)) else { continue };
            let outcome = draft.check(&model, &[query]);
            let place = format!("{name}, seed {seed}: {places:?} {outcome:?}");
            assert_eq!(matches!(outcome, Outcome::Accepted(_)), !is_possible, "{place}");
            (accepted, rejected) = (accepted + i32::from(!is_possible), rejected + i32::from(is_possible));
            if is_possible {
                for _ in 0..10 {
                    let mut changed = draft.clone();
                    changed.invariants[0]
                        .entries
                        .iter_mut()
                        .for_each(|entry| entry.2 = random.below(9) as u64);
                    assert!(!changed.is_accepted(&model, &[query]), "{place}: changed");
                }
            }
        }
    }
    assert!(accepted > 50 && rejected > 50, "{accepted}, {rejected}");
}

#[test]
fn a_run_may_not_end_where_it_must_leave() {
    // Time diverges without an invariant, and does not with one.
    expect(
        "clock x; process P() { state A, B { x <= 9 }, C; init A; trans A -> C { }; } system P;",
        &[("A<> P.C", false), ("E[] P.A", false)],
    );
    expect(
        "clock x; process P() { state A { x <= 3 }, C { x <= 9 }; init A; trans A -> C { }; } system P;",
        &[("A<> P.C", true), ("E[] P.A", true), ("A<> P.C && x > 3", true), ("A<> P.C && x < 3", false)],
    );
    // A deadlock: the guard comes too late, or can be missed.
    expect(
        "clock x; process P() { state A { x <= 3 }, C; init A; trans A -> C { guard x > 3; }; } system P;",
        &[("A<> P.C", false), ("E[] P.A", false)],
    );
    expect(
        "clock x; process P() { state A { x <= 3 }, C; init A; trans A -> C { guard x <= 2; }; } system P;",
        &[("A<> P.C", false), ("A<> x > 2", true)],
    );
    // Every valuation of the invariant after the deadlock is left.
    expect(
        "clock x; process P() { state A { x <= 3 }, C; init A; trans A -> C { guard x <= 2; }; } system P;",
        &[("A<> P.C || x >= 3", true), ("A<> P.C || x > 3", false)],
    );
    // Zeno runs count.
    expect(
        "clock x; process P() { state A { x <= 3 }; init A; trans A -> A { guard x < 3; }; } system P;",
        &[("A<> x >= 3", false)],
    );
    // Urgent and committed locations let no time pass.
    expect(
        "process P() { state A, B, C; urgent A; commit B; init A; trans A -> B { }, B -> C { }; } system P;",
        &[("A<> P.B", true), ("A<> P.C", true)],
    );
    expect(
        "bool b; process P() { state A, C; urgent A; init A; trans A -> C { guard b; }; } system P;",
        &[("A<> P.C", false)],
    );
}

#[test]
fn a_predicate_holds_at_every_moment_of_a_delay() {
    let text = "clock x; process P() { state A { x <= 6 }, B { x <= 6 }; init A;
        trans A -> B { guard x >= 5; }, B -> B { guard x >= 6; assign x = 5; }; } system P;";
    expect(
        text,
        &[
            ("E[] x <= 2 || x >= 4", true),
            ("E[] x <= 2 || x > 2", false),
            ("E[] x < 2 || x > 2", true),
            ("E[] !(x == 3)", true),
            ("E[] x <= 2 || x >= 2 && x <= 4 || x >= 4", false),
            ("E[] x <= 2 || x >= 2 && x < 4 || x > 4", true),
            ("A<> x == 3", true),
            ("A<> x > 3 && x < 4", true),
            ("A<> x > 6", false),
        ],
    );
}

#[test]
fn a_response_follows_from_every_moment_at_which_its_left_side_holds() {
    let text = "clock x; process P() { state A { x <= 4 }, B { x <= 6 }; init A;
        trans A -> B { guard x >= 3; assign x = 0; }, B -> A { guard x >= 5; assign x = 0; }; } system P;";
    expect(
        text,
        &[
            ("P.A && x == 2 --> P.B", true),
            ("P.A --> P.B", true),
            ("P.B --> P.A && x == 1", true),
            ("P.B --> P.A && x > 4", false),
            ("P.A && x > 5 --> x > 9", true),
            ("P.A && x == 2 --> P.A && x == 2", true),
            ("P.A && x >= 2 --> P.A && x == 2", true),
        ],
    );
    // The left side holds during a delay, after the entry.
    expect(
        "clock x; process P() { state A; init A; trans A -> A { guard x >= 3; assign x = 0; }; } system P;",
        &[("x == 2 --> x == 0", false), ("x == 2 --> x > 2", true)],
    );
}

#[test]
fn ranks_must_rise() {
    let text = "clock x; process P() { state A { x <= 3 }, B { x <= 5 }, C { x <= 9 }; init A;
        trans A -> B { }, B -> C { }, C -> C { guard x >= 9; assign x = 0; }; } system P;";
    let model = model(text, "A<> P.C");
    let query = &model.queries[0];
    let draft = certificate(&model, query, Some(9)).expect("a certificate");
    assert!(draft.is_accepted(&model, &[query]));
    let mut equal = draft.clone();
    equal.invariants[0].entries.iter_mut().for_each(|entry| entry.2 = 7);
    let Outcome::Rejected(rejection) = equal.check(&model, &[query]) else { panic!("accepted") };
    assert_eq!(rejection.reason, Reason::NotCovered);
    assert!(rejection.successor.is_some_and(|it| it.locations[0].1 == "B"));
    let mut unranked = draft.clone();
    unranked.invariants[0].header.ranked = false;
    let Outcome::Rejected(rejection) = unranked.check(&model, &[query]) else { panic!("accepted") };
    assert!(matches!(rejection.reason, Reason::Claim(_)));
    let mut first = draft;
    first.invariants[0].entries.retain(|entry| entry.0[0] != 0);
    let Outcome::Rejected(rejection) = first.check(&model, &[query]) else { panic!("accepted") };
    assert_eq!(rejection.reason, Reason::InitialNotCovered);
}
