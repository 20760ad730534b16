//! Several mistakes in one text: each is reported, none twice, and what lies between them is understood.

use super::{Kind, parse};

#[test]
fn independent_mistakes_in_declarations_are_each_reported() {
    let text = "\
const int N = ;
int a[N;
clock x, , y;
void f(int a, int) {
    x = 1
    y = = 2;
    if (a { z = 1; }
    for (i = 0; i < ; i++) { }
    return (1 + 2;
}
typedef struct { int a int b; } R;
bool ok = true;
chan c
int last;
";
    let parsed = parse(Kind::Declarations, text);
    let expected = [
        "S0202 1:15",
        "S0103 2:8",
        "S0101 3:10",
        "S0101 4:18",
        "S0102 5:10",
        "S0202 6:9",
        "S0103 7:11",
        "S0202 8:21",
        "S0103 9:18",
        "S0102 11:23",
        "S0102 13:7",
    ];
    assert_eq!(parsed.places, expected, "{:#?}", parsed.messages);
    for understood in [
        "(var bool (ok = true))",
        "(var chan c)",
        "(var int last)",
        "(typedef (struct (var int a) (var int b)) R)",
    ] {
        assert!(parsed.shape.contains(understood), "{understood} is not in\n{}", parsed.shape);
    }
}

#[test]
fn independent_mistakes_in_processes_are_each_reported() {
    let text = "\
process P(int a, ) {
    clock x
    state A { x < }, B { x <= 5 } C, D;
    init ;
    trans A -> B { guard x > ; sync c!; },
          B => C { },
          C -> { assign x = 0; },
          D -> A { gaurd x == 1; assign x = 0 y = 1; };
}
process Q() {
    state A; init A;
    trans A -> A { guard (x > 1; };
}
R = P(;
system P Q;
";
    let parsed = parse(Kind::Model, text);
    let expected = [
        "S0302 1:18",
        "S0102 2:12",
        "S0202 3:19",
        "S0101 3:35",
        "S0101 4:10",
        "S0202 5:30",
        "S0101 6:13",
        "S0101 7:16",
        "S0105 8:20",
        "S0101 8:47",
        "S0103 12:32",
        "S0202 14:7",
        "S0101 15:10",
    ];
    assert_eq!(parsed.places, expected, "{:#?}", parsed.messages);
    assert!(
        parsed.shape.contains("(process Q (state A) (init A) (trans (-> A A (guard (> x 1)))))"),
        "{}",
        parsed.shape
    );
    assert!(parsed.shape.contains("(-> D A (guard (== x 1))"), "{}", parsed.shape);
}

#[test]
fn what_follows_a_mistake_is_understood() {
    let cases = [
        (Kind::Declarations, "int f( { return 1; } int y;", "(var int y)"),
        (Kind::Declarations, "int a = {1, @, 3}; int y;", "(var int y)"),
        (Kind::Declarations, "int a = {1, ], 3}; int y;", "(var int y)"),
        (Kind::Declarations, "garbage garbage garbage { ( } int y;", "(var int y)"),
        (Kind::Declarations, "int x = f(1, ;\nint y;", "(var int y)"),
        (Kind::Declarations, "struct { int a; bad } s; int y;", "(var int y)"),
        (Kind::Declarations, "void f() { while x > 1 { } y = 1; } int z;", "(var int z)"),
        (
            Kind::Declarations,
            "void f() {\n  if (a) {\n    x = 1;\n}\n\nint g() { return 1; }",
            "(function g (params) int (block (return 1)))",
        ),
        (Kind::Declarations, "typedef zz int[0, 3] id;\nint y;", "(var int y)"),
        (Kind::Declarations, "int x; } ) garbage; int y;", "(var int y)"),
        (Kind::Declarations, "void f() { { { x = ; } } } int z;", "(var int z)"),
        (
            Kind::Model,
            "process P( { state A; init A; } process Q() { state B; init B; } system Q;",
            "(process Q (state B) (init B))",
        ),
        (
            Kind::Model,
            "process P() { state A; init A; process Q() { state B; init B; } system Q;",
            "(process Q (state B) (init B))",
        ),
        (
            Kind::Model,
            "process P() { state A; init A; trans A -> A { guard x; process Q() { state B; init B; } system Q;",
            "(system (Q))",
        ),
        (
            Kind::Model,
            "process P() { state A, B x < 3 }, C; init A; trans A -> C { }; } system P;",
            "(state A B C)",
        ),
        (
            Kind::Model,
            "process P() { state A { x < 3 } }, C; init A; trans A -> C { }; } system P;",
            "(trans (-> A C))",
        ),
        (
            Kind::Model,
            "process P() { state A; init A; trans A -> A { guard x; , A -> A { }; } system P;",
            "(trans (-> A A (guard x)) (-> A A))",
        ),
        (
            Kind::Model,
            "process P() { state A; init A; trans A -> A guard x; }, A -> A { }; } system P;",
            "(trans (-> A A (guard x)) (-> A A))",
        ),
        (
            Kind::Model,
            "process P() { state A; init A; trans A -> A { zz guard x; }, -> A { }; } system P;",
            "(-> A A))",
        ),
        (
            Kind::Model,
            "process P() { state A; init A; trans A -> A { }, , -> A { }; } system P;",
            "(trans (-> A A) (-> A A))",
        ),
        (Kind::System, "P1 = P(1; P2 = P(2); system P2;", "(instance P2 P 2)"),
        (Kind::System, "system A; progress { x > ; y; } gantt { G: x -> 1; }", "(gantt (G (-> x 1)))"),
        (Kind::Assignments, "x = f(@), y = 2", "(= y 2)"),
    ];
    for (kind, text, understood) in cases {
        let parsed = parse(kind, text);
        assert_eq!(parsed.messages.len(), 1, "{text}: {:#?}", parsed.messages);
        assert!(parsed.shape.contains(understood), "{text}: {}", parsed.shape);
    }
}
