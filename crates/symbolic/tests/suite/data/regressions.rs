//! Small networks on which the engines once disagreed, each cut down from a random one.

use tourbillon_testkit::networks::uppaal_model;

use crate::common::{complaint_or_panic, plans};

/// What went wrong, the network, and its questions.
const CASES: [(&str, &str, &str); 9] = [
    (
        "the bound of an invariant needs a local cell",
        "clock x;\nprocess P() { state A, B { x <= (sum (i : int[0,3]) 4) }; init A; trans A -> B { }; }\nsystem P;\n",
        "E<> P.B && x > 15\nE<> P.B && x > 16\n",
    ),
    (
        "an invariant fails at the start",
        "clock x;\nint[0,7] n = 5;\nint[0,3] a[4];\nprocess P() { state A { x <= a[n] }; init A; }\nsystem P;\n",
        "E<> P.A\nA[] P.A\n",
    ),
    (
        "a guard fails that is looked at on arrival, because of an urgent channel",
        "clock x;\nint[0,7] n;\nint[0,3] a[2];\nurgent broadcast chan v;\nprocess P() { state A; init A; trans A -> A { guard a[n] > 0; sync \
         v!; }; }\nprocess Q() { state A; init A; trans A -> A { assign n++; }; }\nsystem P, Q;\n",
        "A[] x < 2\nE<> n == 1\n",
    ),
    (
        "such a guard is not looked at where clocks do not let a step arrive",
        "clock x;\nint[0,3] a[3];\nint[0,7] n = 4;\nurgent broadcast chan v;\nprocess P() { state A { x < a[0] }; init A; trans A -> A { \
         guard a[n] > 0; sync v!; }; }\nsystem P;\n",
        "E<> P.A\n",
    ),
    (
        "a part of a question fails that is looked at after another holds",
        "clock x;\nint[0,3] n = 2;\nint[0,3] a[2];\nprocess P() { state A; init A; }\nsystem P;\n",
        "A[] x >= 4 && a[n] == 0\nE<> x >= 0 || x < a[n]\nE<> forall (i : int[0,3]) (i < 2 && x > 9 && a[i] == 0)\n",
    ),
    (
        "a run ends where every next step fails",
        "bool q;\nint[0,3] a[3];\nint[0,7] m = 7;\nprocess P() { state A; init A; trans A -> A { guard q ? a[m] == 0 : true; }; }\nprocess \
         Q() { state A; init A; trans A -> A { assign q = !q; }; }\nsystem P, Q;\n",
        "E<> q\n",
    ),
    (
        "over which channel something is received is computed wherever anything is sent",
        "int[0,7] m = 4;\nchan c;\nbroadcast chan e[2];\nprocess P() { state A, B; init A; trans A -> B { sync c!; }; }\nprocess Q() { \
         state A, B; init A; trans A -> B { }, B -> B { sync e[m]?; }; }\nsystem P, Q;\n",
        "E<> Q.B\n",
    ),
    (
        "a state whose only step fails is not deadlocked",
        "int[0,2] n;\nprocess P() { state A; init A; trans A -> A { assign n++; }; }\nsystem P;\n",
        "E<> false\nA[] not deadlock\n",
    ),
    (
        "two bounds of an invariant have more combinations than fit into 16 bits",
        "clock x, y;\nint[0,299] a = 218;\nint[0,299] b = 136;\nprocess P() { state A { x <= a && y <= b }; init A; trans A -> A { \
         guard a > 216; assign a--, b++; }; }\nsystem P;\n",
        "E<> x > 138\nE<> x == 138\nE<> x > 136 && b == 136\n",
    ),
];

#[test]
fn what_was_wrong_is_right() {
    for (what, text, queries) in CASES {
        let model = uppaal_model(text, queries).unwrap_or_else(|error| panic!("{what}: {error}"));
        for plan_request in plans() {
            let answered = complaint_or_panic(&model, &plan_request);
            assert!(matches!(answered, Ok(1..)), "{what}, {plan_request:?}: {answered:?}");
        }
    }
}
