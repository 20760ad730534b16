//! Tests of predicates against their meaning on points.

use tourbillon_model::{
    BinaryOp, ClockAtom, Compare, ExprId, ExprKind, Measure, QuantifierOp, Range, UnaryOp,
};
use tourbillon_system::compile_measuring;

use super::*;
use crate::testing::{Network, UNIT, assert_points, range, satisfies};

/// The parts of a zone in which a formula holds in the initial discrete state; nothing if it holds whatever the clocks.
fn parts(network: &Network, formula: ExprId, zone: &str) -> Option<Vec<Dbm>> {
    let (system, predicates) = network.compile_with(&[formula]);
    let mut evaluator = PredicateEvaluator::new(&system);
    evaluator.parts(&predicates[0], &system.initial, &network.zone(zone)).unwrap()
}

fn met(network: &Network, formula: ExprId, zone: &str) -> Satisfaction {
    let (system, predicates) = network.compile_with(&[formula]);
    let mut evaluator = PredicateEvaluator::new(&system);
    evaluator.meet(&predicates[0], &system.initial, &network.zone(zone)).unwrap()
}

fn two_clocks() -> Network {
    let mut network = Network::new(&["x", "y"]);
    network.process(1);
    network
}

fn negated(network: &mut Network, formula: ExprId) -> ExprId {
    network.expr(ExprKind::Unary(UnaryOp::Not, formula))
}

#[test]
fn boolean_operators_have_their_meaning_on_points() {
    let mut network = two_clocks();
    let texts = ["x<2, y>1", "x-y==1", "y<=3"];
    let [one, two, three] = texts.map(|text| network.formula(text));
    let [first, second, third] = texts.map(|text| network.constraints(text));
    let either = network.binary(BinaryOp::Or, one, two);
    let all = network.binary(BinaryOp::And, either, three);
    let within = network.constraints("x<=4");
    let holds =
        |point: &[i64]| (satisfies(point, &first) || satisfies(point, &second)) && satisfies(point, &third);
    assert_points(&parts(&network, all, "x<=4").unwrap(), 2, 5, |point| {
        satisfies(point, &within) && holds(point)
    });
    let not = negated(&mut network, all);
    assert_points(&parts(&network, not, "x<=4").unwrap(), 2, 5, |point| {
        satisfies(point, &within) && !holds(point)
    });
    let equal = network.binary(BinaryOp::Equal, one, three);
    assert_points(&parts(&network, equal, "x<=4").unwrap(), 2, 5, |point| {
        satisfies(point, &within) && satisfies(point, &first) == satisfies(point, &third)
    });
}

#[test]
fn data_decides_before_clocks() {
    let mut network = two_clocks();
    let v = network.cell(1);
    let (holds, fails) = (network.equals(&v, 1), network.equals(&v, 2));
    let clocks = network.formula("x>=2");
    let [or_true, or_false] = [holds, fails].map(|data| network.binary(BinaryOp::Or, data, clocks));
    let [and_true, and_false] = [holds, fails].map(|data| network.binary(BinaryOp::And, data, clocks));
    let here = network.at_location(0, 0);
    let part = Satisfaction::Within(network.zone("x>=2, x<=4"));
    let cases = [
        (holds, Satisfaction::Everywhere),
        (fails, Satisfaction::Nowhere),
        (here, Satisfaction::Everywhere),
        (or_true, Satisfaction::Everywhere),
        (or_false, part.clone()),
        (and_true, part),
        (and_false, Satisfaction::Nowhere),
    ];
    for (formula, expected) in cases {
        assert_eq!(met(&network, formula, "x<=4"), expected, "{:?}", network.model.exprs[formula].kind);
    }
    assert_eq!(met(&network, clocks, "x<2"), Satisfaction::Nowhere);
}

/// `exists i in 0..2: x == 2 i` and `forall i in 0..2: x >= 2 i`.
#[test]
fn quantifiers_are_unfolded() {
    let mut network = two_clocks();
    let (i, two) = (network.local(0), network.int(2));
    let double = network.binary(BinaryOp::Multiply, i, two);
    let equal = network.compare("x", Compare::Equal, double);
    let some = network.exists(0, range(0, 2), equal);
    let found = parts(&network, some, "true").unwrap();
    assert_points(&found, 2, 6, |point| [0, 2, 4].contains(&(point[0] / UNIT)) && point[0] % UNIT == 0);
    let at_least = network.compare("x", Compare::GreaterOrEqual, double);
    let op = QuantifierOp::ForAll;
    let all = network.expr(ExprKind::Quantifier { op, local: 0, range: range(0, 2), body: at_least });
    assert_points(&parts(&network, all, "true").unwrap(), 2, 6, |point| point[0] >= 4 * UNIT);
}

/// An extrapolated zone can exceed the invariant; valuations outside do not count.
#[test]
fn only_valuations_within_the_invariants_count() {
    let mut network = two_clocks();
    network.invariant(0, 0, "x<=3");
    let formula = network.formula("x>=2");
    let expected = network.constraints("x>=2, x<=3");
    assert_points(&parts(&network, formula, "true").unwrap(), 2, 5, |point| satisfies(point, &expected));
    assert_eq!(met(&network, formula, "x>3"), Satisfaction::Nowhere);
}

#[test]
fn the_earliest_part_has_the_smallest_value_of_the_clock() {
    let mut network = two_clocks();
    let texts = ["x>4", "x>=3, y>=1", "x>=3"];
    let all = texts.map(|text| network.formula(text));
    let any = all.into_iter().reduce(|left, right| network.binary(BinaryOp::Or, left, right)).unwrap();
    let (system, predicates) = network.compile_with(&[any]);
    // With y - x = 1 in the zone, the second and the third part begin at x = 3, strictly before the first.
    let zone = network.zone("y-x==1");
    for (time, expected) in [(None, "x>4, y-x==1"), (Some("x"), "x>=3, y-x==1")] {
        let time = time.map(|name| network.clock(name));
        let mut evaluator = PredicateEvaluator::new(&system).preferring_early(time);
        let found = evaluator.meet(&predicates[0], &system.initial, &zone).unwrap();
        let Satisfaction::Within(found) = found else { panic!("{found:?}") };
        if time.is_some() {
            assert_eq!(found, network.zone(expected));
        } else {
            assert!(zone.includes(&found), "any part");
        }
    }
}

/// An edge for `x <= 1` and the invariant `x <= 3`: deadlocked for `x > 1`.
#[test]
fn deadlock_is_a_set_of_valuations() {
    let mut network = Network::new(&["x", "y"]);
    let process = network.process(2);
    network.invariant(process, 0, "x<=3");
    let edge = network.edge(process, 0, 1);
    network.guard(edge, "x<=1");
    let deadlock = network.expr(ExprKind::Deadlock);
    let small = network.formula("x<=2");
    let both = network.binary(BinaryOp::And, deadlock, small);
    let neither = negated(&mut network, deadlock);
    let cases = [(deadlock, "x>1, x<=3"), (both, "x>1, x<=2"), (neither, "x<=1")];
    for (formula, text) in cases {
        let expected = network.constraints(text);
        let found = parts(&network, formula, "true").unwrap();
        assert_points(&found, 2, 5, |point| satisfies(point, &expected));
    }
    let (system, predicates) = network.compile_with(&[deadlock, neither]);
    for supplied in [true, false] {
        let mut evaluator = PredicateEvaluator::new(&system);
        evaluator.suppose_deadlocked(supplied);
        let found = [0, 1].map(|index| {
            let found = evaluator.meet(&predicates[index], &system.initial, &network.zone("true"));
            found.unwrap() == Satisfaction::Everywhere
        });
        assert_eq!(found, [supplied, !supplied]);
    }
}

#[test]
fn all_parts_are_visited_until_the_visitor_stops() {
    let mut network = two_clocks();
    let all = ["x==1", "x==2", "x==3"].map(|text| network.formula(text));
    let any = all.into_iter().reduce(|left, right| network.binary(BinaryOp::Or, left, right)).unwrap();
    let (system, predicates) = network.compile_with(&[any]);
    let mut evaluator = PredicateEvaluator::new(&system);
    for stop in [1, 2, 3, 4] {
        let mut visited = 0;
        let mut visit = |_| {
            visited += 1;
            visited == stop
        };
        let zone = network.zone("true");
        let whole = evaluator.meet_each(&predicates[0], &system.initial, &zone, &mut visit).unwrap();
        assert!(!whole);
        assert_eq!(visited, stop.min(3));
    }
}

/// With `M` the largest constant: `x >= M` in a zone with `y - x = M` needs `y >= 2 M`, which no zone represents.
#[test]
fn bounds_that_no_zone_represents_are_returned_as_constraints() {
    let max = tourbillon_dbm::Constant::MAX.get();
    let mut network = two_clocks();
    let large = network.formula(&format!("x>={max}"));
    let zone = format!("y-x=={max}");
    let Satisfaction::Beyond(asked) = met(&network, large, &zone) else { panic!("no zone holds it") };
    assert_eq!(asked, network.constraints(&format!("x>={max}")));
    // Together with `y < x` no valuation satisfies it.
    let contradiction = network.formula("y-x<0");
    let both = network.binary(BinaryOp::And, large, contradiction);
    assert_eq!(met(&network, both, &zone), Satisfaction::Nowhere);
}

/// Constraints of two clocks, with an emptiness that is clear from the text.
#[test]
fn emptiness_is_decided_however_large_the_bounds_are() {
    let max = tourbillon_dbm::Constant::MAX.get();
    let network = two_clocks();
    let difference = format!("y-x=={max}");
    let cases = [
        (difference.as_str(), format!("x>={max}"), false),
        (&difference, format!("x>={max}, y<={max}"), true),
        (&difference, "x>=0, x<=0".to_owned(), false),
        (&difference, "x>0, x<1".to_owned(), false),
        ("true", "x-y<1, y-x<=-1".to_owned(), true),
        ("true", "x-y<=1, y-x<=-1".to_owned(), false),
        ("true", "x<0".to_owned(), true),
        ("x<=3", "y>5, y-x<2".to_owned(), true),
        ("x<=3", "y>5, y-x<=3".to_owned(), false),
    ];
    for (zone, asked, empty) in cases {
        assert_eq!(is_empty(&network.zone(zone), &network.constraints(&asked)), empty, "{zone}; {asked}");
    }
}

#[test]
fn a_gauge_is_a_clock_and_a_value() {
    let mut network = two_clocks();
    let v = network.cell(5);
    let value = network.load(&v);
    let place = network.clock_place("y");
    let measures =
        [Measure::Data(value), Measure::Clock(place.clone(), None), Measure::Clock(place, Some(value))];
    let (system, _, gauges) = compile_measuring(&network.model, &[], &measures).unwrap();
    let mut evaluator = PredicateEvaluator::new(&system);
    let y = network.clock("y");
    let expected = [(None, 5), (Some(y), 0), (Some(y), 5)];
    for (gauge, expected) in gauges.iter().zip(expected) {
        assert_eq!(evaluator.read(gauge, 0, &system.initial).unwrap(), expected);
    }
}

#[test]
fn an_error_of_the_predicate_is_reported() {
    let mut network = two_clocks();
    let v = network.cell_of(i32::MAX, Range::INT32, tourbillon_model::CellKind::State);
    let (left, bound) = (network.clock_place("x"), network.load(&v));
    let atom = ClockAtom { left, right: None, compare: Compare::Less, bound };
    let formula = network.expr(ExprKind::Clock(atom));
    let (system, predicates) = network.compile_with(&[formula]);
    let mut evaluator = PredicateEvaluator::new(&system);
    let outcome = evaluator.meet(&predicates[0], &system.initial, &network.zone("true"));
    let kind = outcome.map_err(|error| error.kind);
    assert_eq!(kind, Err(tourbillon_model::EvalErrorKind::ClockTooLarge(i32::MAX)));
}

/// The invariant `x <= sum of 4 j for j in 0..2` uses the local cell in which the predicate `exists i in 0..1: deadlock && x == i`
/// has its own variable, which keeps its value.
#[test]
fn an_invariant_does_not_overwrite_the_variables_of_the_predicate() {
    let mut network = Network::new(&["x", "y"]);
    let process = network.process(1);
    let v = network.cell(4);
    let j = network.local(0);
    let load = network.load(&v);
    let product = network.binary(BinaryOp::Multiply, j, load);
    let bound = network.expr(ExprKind::Quantifier {
        op: QuantifierOp::Sum,
        local: 0,
        range: range(0, 2),
        body: product,
    });
    let left = network.clock_place("x");
    let atom = ClockAtom { left, right: None, compare: Compare::LessOrEqual, bound };
    let location = network.location(process, 0);
    location.frame = 1;
    location.invariant.clocks.push(tourbillon_model::ClockCondition { when: None, atom });
    let i = network.local(0);
    let deadlock = network.expr(ExprKind::Deadlock);
    let equal = network.compare("x", Compare::Equal, i);
    let both = network.binary(BinaryOp::And, deadlock, equal);
    let some = network.exists(0, range(0, 1), both);
    let found = parts(&network, some, "true").unwrap();
    assert_points(&found, 2, 3, |point| [0, UNIT].contains(&point[0]));
}
