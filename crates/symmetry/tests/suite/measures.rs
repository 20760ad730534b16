//! Measures and the initial state, where they must be invariant.

use tourbillon_model::QueryKind;
use tourbillon_symmetry::{Candidates, Formulas, find};
use tourbillon_testkit::networks::uppaal_model;

use crate::shared::described;

const NETWORK: &str = "typedef int[1,3] id_t; int[0,3] id; int[0,2] a[id_t]; clock g, c[id_t];
    process P(const id_t pid) {
        clock x;
        state S, T; init S;
        trans S -> T { guard id == 0 && x > 1; assign id = pid, a[pid] = 1, x = 0, c[pid] = 0; },
              T -> S { guard id == pid; assign id = 0, g = 0; };
    }
    system P;";

/// The orbits under which the measures and the condition of a query are invariant.
fn orbits(query: &str) -> Vec<String> {
    let model = uppaal_model(NETWORK, query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let QueryKind::Bounds { condition, measures, .. } = &model.queries[0].kind else { panic!("{query}") };
    let frame = model.queries[0].frame;
    let exprs = condition.iter().map(|&expr| (expr, frame)).collect();
    let measures = measures.iter().map(|measure| (measure.clone(), frame)).collect();
    described(&find(&model, &Formulas { exprs, measures, initial: false }, Candidates::All))
}

#[test]
fn measures_are_invariant() {
    let all = "P(1) P(2) P(3)";
    for (query, expected) in [
        ("sup: g", all),
        ("sup: sum (i : id_t) a[i]", all),
        ("inf: g + (sum (i : id_t) a[i])", all),
        ("sup{exists (i : id_t) P(i).T}: id == 0 ? 0 : 1", all),
        ("sup: P(1).x", "P(2) P(3)"),
        ("sup: c[3]", "P(1) P(2)"),
        ("inf: a[2]", "P(1) P(3)"),
        ("inf: g, P(2).x", "P(1) P(3)"),
        ("inf: g + a[1]", "P(2) P(3)"),
        ("sup{P(3).T}: g", "P(1) P(2)"),
    ] {
        assert_eq!(orbits(query), [expected], "{query}");
    }
    for query in ["sup: id", "sup: P(1).x, P(2).x", "sup{P(1).T}: P(3).x", "inf: sum (i : id_t) a[i] * i"] {
        assert_eq!(orbits(query), [""; 0], "{query}");
    }
}

#[test]
fn the_initial_state_is_fixed_where_that_is_required() {
    let orbits = |from: &str, to: &str, initial| {
        assert!(NETWORK.contains(from));
        let model = uppaal_model(&NETWORK.replace(from, to), "").expect("a model");
        described(&find(&model, &Formulas { initial, ..Formulas::default() }, Candidates::All))
    };
    for (from, to, expected) in [
        ("int[0,3] id;", "int[0,3] id = 0;", "P(1) P(2) P(3)"),
        ("int[0,3] id;", "int[0,3] id = 2;", "P(1) P(3)"),
        ("a[id_t];", "a[id_t] = { 1, 1, 1 };", "P(1) P(2) P(3)"),
        ("a[id_t];", "a[id_t] = { 1, 0, 0 };", "P(2) P(3)"),
    ] {
        assert_eq!(orbits(from, to, true), [expected], "{to}");
        assert_eq!(orbits(from, to, false), ["P(1) P(2) P(3)"], "{to}");
    }
}
