//! Every code, with the exact place and words.

use super::{Kind, parse};

#[test]
fn dump() {
    let cases: &[(Kind, &str)] = &[
        (Kind::Guard, "x ≤ 5"),
        (Kind::Declarations, "int x;\n€€ int y;"),
        (Kind::Declarations, "int x; /* open\nint y;"),
        (Kind::Declarations, "const string s = \"abc;\nint y;"),
        (Kind::Guard, "x < 2147483648"),
        (Kind::Guard, "x =< 5"),
        (Kind::Guard, "x < 1e999"),
        (Kind::Declarations, "#define N 5\nint x;\n#include <a>"),
        (Kind::Declarations, "int 5;"),
        (Kind::Declarations, "int x\nint y;"),
        (Kind::Declarations, "void f() { x = 1 }"),
        (Kind::Declarations, "void f() { x = 1\ny = 2; }"),
        (Kind::Guard, "(x > 5 && (y < 3)"),
        (Kind::Declarations, "int a[3 = {1,2,3};\nint b;"),
        (Kind::Declarations, "void f() { if (x > (y { z = 1; } }"),
        (Kind::Declarations, "void f() { x = 1;\nint y;"),
        (Kind::Declarations, "int x; } int y;"),
        (Kind::Guard, "x > 5)"),
        (Kind::Declarations, "brodcast chan c;"),
        (Kind::Declarations, "void f() { whlie (x > 1) { x--; } }"),
        (Kind::Declarations, "int f() { retrun x; }"),
        (Kind::Declarations, "itn x;"),
        (Kind::Model, "proces P() { state A; init A; } sytem P;"),
        (Kind::Model, "process P() { state A; init A; trans A -> A { gaurd x > 1; }; } system P;"),
        (Kind::Model, "process P() { sate A; inti A; trnas A -> A { }; } system P;"),
        (Kind::Declarations, "int guard; int process[3];"),
        (Kind::Guard, "x > 5, y < 3"),
        (Kind::Guard, "x > 5 y"),
        (Kind::Assignments, "x = 1; y = 2"),
        (Kind::Declarations, "void f() { while (1) { if (x) break; continue; } }"),
        (Kind::Declarations, "void f() { switch (x) { case 1: y = 2; break; default: z = 1; } x = 3; }"),
        (Kind::Declarations, "unsigned int x; long y; float z; static int w; enum { A, B } e;"),
        (Kind::Guard, "x = 5"),
        (Kind::Guard, "b && x = 5"),
        (Kind::Query, "A[] x = 5"),
        (Kind::Declarations, "void f() { if (x = 5) y = 1; }"),
        (Kind::Guard, "x > "),
        (Kind::Guard, "&& x"),
        (Kind::Guard, "x > 5 + * 3"),
        (Kind::Guard, "a[] > 1"),
        (Kind::Guard, "x > 1 & y < 2"),
        (Kind::Guard, "x > 1 | y < 2"),
        (Kind::Declarations, "void f() { x = 1; int y; }"),
        (Kind::Declarations, "void f() { for (int i = 0; i < 3; i++) { } }"),
        (Kind::Declarations, "const N = 5; const M 6;"),
        (Kind::Declarations, "int[5] x; int[0] ; typedef int[7] T;"),
        (Kind::Declarations, "scalar[0,3] s;"),
        (Kind::Declarations, "void f() { if (a) x = 1; y = 2; else z = 3; }"),
        (Kind::Declarations, "x = 5; if (x) y = 1; f();"),
        (Kind::Declarations, "void f() { int g() { return 1; } }"),
        (Kind::Model, "process P() { init A; state A; } system P;"),
        (Kind::Model, "process P() { state A; state B; init A; } system P;"),
        (Kind::Model, "process P() { state A; } process Q() { init A; } system P;"),
        (Kind::Model, "process P() { state A; init A; trans A -> A { guard x; guard y; }; } system P;"),
        (Kind::Sync, "!c"),
        (Kind::System, "system P(1), Q;"),
        (Kind::Model, "int x;"),
        (Kind::Model, "process P() { state A; init A; trans -> A { }; } system P;"),
        (Kind::Query, "x > 5"),
        (Kind::Query, "A[] (p imply A<> q)"),
        (Kind::QueryFile, "/* EXPECT:X,5s */ A[] p"),
        (Kind::Model, "process P { state A; init A; } system P;"),
        (Kind::Model, "process P() { state A, B { x < 5 ; init A; trans A -> B { }; } system P;"),
        (Kind::Model, "process P() { state A; } init A; trans A -> A { }; } system P;"),
        (
            Kind::Model,
            "process P() { state A; init A; trans A -> A { guard x > ; sync c!; assign y = ; }, A -> { }, A -> A { guard ) ; }; } system P",
        ),
        (
            Kind::Model,
            "process P() { state A, B,\n = C { x < 3 },\n D; init A; trans A -> B { } B -> A { }; } system P;",
        ),
        (Kind::Parameters, "int a; int b"),
        (Kind::Parameters, "a, b"),
        (Kind::Query, "E<> forall (i : 5) x"),
        (Kind::Query, ""),
        (Kind::Query, "strategy S ="),
        (Kind::Declarations, "int f(int a, b) { return a; } int y;"),
        (Kind::Declarations, "int x = 5 +;\nint y = ;\nclock 3z;\nbool ok;"),
    ];
    for &(kind, text) in cases {
        println!("{kind:?} {text:?}");
        let parsed = parse(kind, text);
        for m in &parsed.messages {
            println!("      {m}");
        }
        println!("   => {}", parsed.shape.trim_end().replace('\n', "\n      "));
    }
}
