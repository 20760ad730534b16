//! Queries and files of queries.

use super::{Kind, accept, parse};

#[test]
fn queries_have_their_shape() {
    let cases = [
        ("", "<empty>"),
        ("// only a comment", "<empty>"),
        ("A[] not deadlock", "(A[] (! <deadlock>))"),
        ("E<> P.a and P(1).b", "(E<> (&& (field P a) (field (call P 1) b)))"),
        ("E[] x <= 5", "(E[] (<= x 5))"),
        ("A<> P.done", "(A<> (field P done))"),
        ("A [ ] true", "(A[] true)"),
        ("p --> q || r", "(--> p (|| q r))"),
        ("P.a&&x>3-->P.b", "(--> (&& (field P a) (> x 3)) (field P b))"),
        (
            "A[] forall (i : id_t) P(i).cs imply x[i] > 2",
            "(A[] (forall (: i id_t) (imply (field (call P i) cs) (> (index x i) 2))))",
        ),
        ("sup: x", "(sup x)"),
        ("sup{P.a}: x, y - z", "(sup (where (field P a)) x (- y z))"),
        ("inf{true}: x", "(inf (where true) x)"),
        ("bounds: i", "(bounds i)"),
        ("bounds{P.a && b}: i, j", "(bounds (where (&& (field P a) b)) i j)"),
        ("A[] p under S", "(under S (A[] p))"),
        ("sup: x under Opt", "(under Opt (sup x))"),
        ("strategy S = control: A<> P.goal", "(strategy S (special Game \"control : A < > P . goal\"))"),
        ("strategy Safe = A[] p under T", "(strategy Safe (under T (A[] p)))"),
        ("A[] sup == inf + control", "(A[] (== sup (+ inf control)))"),
        ("E[] E > A", "(E[] (> E A))"),
    ];
    for (text, shape) in cases {
        assert_eq!(accept(Kind::Query, text).shape, shape, "{text}");
    }
}

#[test]
fn features_are_recognised() {
    let cases = [
        ("Pr[<=100](<> P.a)", "Probability"),
        ("Pr[x<=100; 50]([] p) >= 0.5", "Probability"),
        ("Pr[#<=10](<> p) >= Pr[<=20](<> q)", "Probability"),
        ("Pr[<=10](p U q) ?", "Probability"),
        ("Pr (<>[1,2] p)", "Probability"),
        ("E[<=10; 100](max: x + 1)", "ExpectedValue"),
        ("simulate [<=10; 3] { x, y } : 2 : p", "Simulation"),
        ("simulate 10 [<=5] {x}", "Simulation"),
        ("control: A[] p", "Game"),
        ("control: A[ p U q ]", "Game"),
        ("{ x, P.a } control: A<> q", "PartialObservationGame"),
        ("control_t*(5, x): A<> q", "TimeOptimalGame"),
        ("E<> control: A<> q", "CooperativeGame"),
        ("minE(c) [<=10] {d} -> {x} : <> g", "Learning"),
        ("maxPr[<=10] : <> g", "Learning"),
        ("imitate S [<=10]", "Imitation"),
        ("saveStrategy(\"f.json\", S)", "SaveStrategy"),
        ("loadStrategy {a} -> {b} (\"f\")", "LoadStrategy"),
        ("sat: Scenario", "Scenario"),
    ];
    for (text, feature) in cases {
        let shape = accept(Kind::Query, text).shape;
        assert!(shape.starts_with(&format!("(special {feature} ")), "{text}: {shape}");
    }
    let under = accept(Kind::Query, "strategy S = minE(c) [<=10] : <> g under T").shape;
    assert_eq!(under, "(strategy S (under T (special Learning \"minE ( c ) [ <= 10 ] : < > g\")))");
}

#[test]
fn a_file_keeps_comments_and_expectations() {
    let text = "\u{feff}//This file was generated\r\n\r\n/*\nmutual exclusion EXPECT:T,10s,50MB */\nA[] not (P(1).cs &&\\\n  P(2).cs) // no\r\n\nE<> x \\\r\n > 5 /* EXPECT:F */\n/* EXPECT:MAYBE_TRUE */ sup: x /* between */ , y\np --> q\n// the end";
    let shape = accept(Kind::QueryFile, text).shape;
    let lines: Vec<&str> = shape.lines().collect();
    let expected = [
        "(comment \"//This file was generated\")",
        "(comment \"/*\\nmutual exclusion EXPECT:T,10s,50MB */\")",
        "(comment \"// no\")",
        "(expect Some(True) Some(10000.0) Some(52428800.0))",
        "(A[] (! (&& (field (call P 1) cs) (field (call P 2) cs))))",
        "(comment \"/* EXPECT:F */\")",
        "(expect Some(False) None None)",
        "(E<> (> x 5))",
        "(comment \"/* EXPECT:MAYBE_TRUE */\")",
        "(comment \"/* between */\")",
        "(expect Some(MaybeTrue) None None)",
        "(sup x y)",
        "(--> p q)",
        "(comment \"// the end\")",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn expectations_take_every_unit() {
    let cases = [
        ("E", "Some(Error) None None"),
        ("MF,1h", "Some(MaybeFalse) Some(3600000.0) None"),
        ("-2.5,20ms,3GB", "Some(Value(-2.5)) Some(20.0) Some(3221225472.0)"),
        ("2m,12B", "None Some(120000.0) Some(12.0)"),
        ("UNSAT,1d,1TB", "Some(False) Some(86400000.0) Some(1099511627776.0)"),
    ];
    for (text, expected) in cases {
        let parsed = accept(Kind::QueryFile, &format!("/* EXPECT:{text} */ A[] p"));
        assert!(parsed.shape.contains(&format!("(expect {expected})")), "{}", parsed.shape);
    }
}

#[test]
fn a_mistake_in_one_query_leaves_the_others_alone() {
    let text = "A[] (p\nE<> q\nx = 5\nA<> r)\n/* open\nE[] s";
    let parsed = parse(Kind::QueryFile, text);
    assert_eq!(parsed.places, ["S0103 1:7", "S0501 3:1", "S0104 4:6", "S0002 5:1"]);
    assert_eq!(parsed.shape.lines().nth(1), Some("(E<> q)"));
}
