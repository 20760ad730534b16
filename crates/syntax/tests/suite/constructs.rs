//! Every construct of the language, with the shape of its tree.

use super::{Kind, accept};

#[track_caller]
fn check(kind: Kind, cases: &[(&str, &str)]) {
    for &(text, shape) in cases {
        assert_eq!(accept(kind, text).shape.trim_end(), shape, "{text}");
    }
}

#[test]
fn declarations() {
    let cases = &[
        ("", ""),
        ("int a;", "(var int a)"),
        ("int a, b = 2, c[3];", "(var int a (b = 2) (c ([] 3)))"),
        ("int[0,N-1] a := 1;", "(var (int 0 (- N 1)) (a = 1))"),
        ("const int N = 5;", "(var (const int) (N = 5))"),
        ("const bool b = true;", "(var (const bool) (b = true))"),
        ("meta int m; bool b;", "(var (meta int) m)\n(var bool b)"),
        ("clock x, y[T];", "(var clock x (y ([] T)))"),
        ("hybrid clock h;", "(var (hybrid clock) h)"),
        ("chan c; urgent chan u;", "(var chan c)\n(var (urgent chan) u)"),
        ("broadcast chan b[2][3];", "(var (broadcast chan) (b ([] 2) ([] 3)))"),
        ("urgent broadcast chan ub;", "(var (urgent (broadcast chan)) ub)"),
        (
            "double d = 1.5; const string s = \"a b\";",
            "(var double (d = 1.5))\n(var (const string) (s = \"a b\"))",
        ),
        (
            "typedef int[0,3] id_t; id_t a; const id_t z = 0;",
            "(typedef (int 0 3) id_t)\n(var id_t a)\n(var (const id_t) (z = 0))",
        ),
        ("typedef scalar[N] S; S s;", "(typedef (scalar N) S)\n(var S s)"),
        (
            "typedef struct { int a; bool b[2], c; } R;",
            "(typedef (struct (var int a) (var bool (b ([] 2)) c)) R)",
        ),
        ("typedef int row[3];", "(typedef int (row ([] 3)))"),
        (
            "struct { int x; struct { int y; } in; } r;",
            "(var (struct (var int x) (var (struct (var int y)) in)) r)",
        ),
        ("int a[2][2] = {{1, 2}, {3, 4}};", "(var int (a ([] 2) ([] 2) = (list (list 1 2) (list 3 4))))"),
        ("R r = {a: 1, b: {true, false}};", "(var R (r = (list (: a 1) (: b (list true false)))))"),
        ("int a[int[0,3]], b[scalar[2]];", "(var int (a ([] (type (int 0 3)))) (b ([] (type (scalar 2)))))"),
        ("chan priority a, d[0] < default < b;", "(chan-priority (a (index d 0)) (<default>) (b))"),
        (
            "before_update { x = 1, f() } after_update { y++ }",
            "(before_update (= x 1) (call f))\n(after_update (_++ y))",
        ),
        (
            "import \"lib.so\" { int f(int a, double &b); g2 = void g(); };",
            "(import \"lib.so\" (function f (params (val int a) (ref double b)) int) (function g (as g2) (params) void))",
        ),
        ("dynamic P(int a, const T b);", "(dynamic P (params (val int a) (val (const T) b)))"),
        ("int a;; ;int b;", "(var int a)\n(var int b)"),
        (
            "int deadlock, sup, control, query, A, E, U, strategy;",
            "(var int deadlock sup control query A E U strategy)",
        ),
    ];
    check(Kind::Declarations, cases);
}

#[test]
fn functions_and_statements() {
    let function = |body: &str| format!("void f() {{ {body} }}");
    let cases = [
        ("", ""),
        (";", " ()"),
        ("x = 1; f(x);", " (= x 1) (call f x)"),
        ("int a, b = 1; T t; a = b;", " (var int a (b = 1)) (var T t) (= a b)"),
        ("typedef int[0,1] bit; bit b;", " (typedef (int 0 1) bit) (var bit b)"),
        ("{ int a; { a = 1; } }", " (block (var int a) (block (= a 1)))"),
        ("if (a) x = 1;", " (if a (= x 1))"),
        ("if (a) x = 1; else x = 2;", " (if a (= x 1) else (= x 2))"),
        ("if (a) { } else if (b) y = 1; else { z = 1; }", " (if a (block) b (= y 1) else (block (= z 1)))"),
        ("if (a) if (b) x = 1; else x = 2;", " (if a (if b (= x 1) else (= x 2)))"),
        ("if (a) { if (b) x = 1; } else x = 2;", " (if a (block (if b (= x 1))) else (= x 2))"),
        ("while (x > 0) x--;", " (while (> x 0) (_-- x))"),
        ("do { x++; } while (x < 5);", " (do (block (_++ x)) (< x 5))"),
        ("for (i = 0; i < 3; i++) s += i;", " (for ((= i 0)) ((< i 3)) ((_++ i)) (+= s i))"),
        ("for (;;) ;", " (for () () () ())"),
        (
            "for (i = 0, j = 1; i < j, j < 9; i++, j += 2) { }",
            " (for ((= i 0) (= j 1)) ((< i j) (< j 9)) ((_++ i) (+= j 2)) (block))",
        ),
        (
            "for (i : int[0,3]) for (j : T) a[i][j] = 0;",
            " (for (: i (int 0 3)) (for (: j T) (= (index (index a i) j) 0)))",
        ),
        ("return;", " (return)"),
        ("return a ? b : c;", " (return (?: a b c))"),
        ("assert x > 0; assert(y);", " (assert (> x 0)) (assert y)"),
    ];
    for (body, shape) in cases {
        let expected = format!("(function f (params) void (block{shape}))");
        assert_eq!(accept(Kind::Declarations, &function(body)).shape.trim_end(), expected, "{body}");
    }
    let heads = &[
        (
            "int f(int a, const T b, int &c[3], bool d[T]) { return 1; }",
            "(function f (params (val int a) (val (const T) b) (ref int c ([] 3)) (val bool d ([] T))) int (block (return 1)))",
        ),
        ("id_t g() { return 0; }", "(function g (params) id_t (block (return 0)))"),
        ("struct { int a; } h() { }", "(function h (params) (struct (var int a)) (block))"),
        ("void __ON_BEGIN__() { }; int x;", "(function __ON_BEGIN__ (params) void (block))\n(var int x)"),
    ];
    check(Kind::Declarations, heads);
}

#[test]
fn pieces_of_xml() {
    check(
        Kind::Parameters,
        &[
            ("", "(params)"),
            (
                "const id_t id, int &x, chan &c[2], broadcast chan &b",
                "(params (val (const id_t) id) (ref int x) (ref chan c ([] 2)) (ref (broadcast chan) b))",
            ),
            ("int[0,3] a, bool b", "(params (val (int 0 3) a) (val bool b))"),
        ],
    );
    check(
        Kind::OldParameters,
        &[
            (
                "int a, b; const n; chan c",
                "(params (ref int a) (ref int b) (val (const int) n) (ref chan c))",
            ),
            (
                "clock x, int y; const k, m",
                "(params (ref clock x) (ref int y) (val (const int) k) (val (const int) m))",
            ),
        ],
    );
    check(Kind::Select, &[("", "(select)"), ("i : int[0,3], j : T", "(select (: i (int 0 3)) (: j T))")]);
    check(
        Kind::Guard,
        &[
            ("", ""),
            ("  // nothing\n", ""),
            ("x >= 5 && b || !c", "(|| (&& (>= x 5) b) (! c))"),
            ("forall (i : id_t) x[i] <= 3", "(forall (: i id_t) (<= (index x i) 3))"),
        ],
    );
    check(
        Kind::OldGuard,
        &[
            ("x =< 5, y => 3, a == 1", "(&& (&& (<= x 5) (>= y 3)) (== a 1))"),
            ("x < 1 && y < 2, z < 3", "(&& (&& (< x 1) (< y 2)) (< z 3))"),
            ("a || b, c", "(&& (|| a b) c)"),
        ],
    );
    check(Kind::Invariant, &[("x <= 5 && x' == 0", "(&& (<= x 5) (== (' x) 0))")]);
    check(
        Kind::Sync,
        &[
            ("", ""),
            ("c!", "(! c)"),
            ("c[i+1]?", "(? (index c (+ i 1)))"),
            ("P.c[0][1] !", "(! (index (index (field P c) 0) 1))"),
            ("c", "(csp c)"),
            ("(b ? c : d)!", "(! (?: b c d))"),
        ],
    );
    check(
        Kind::Assignments,
        &[
            ("", ""),
            ("x = 0, y := x + 1, f(y), i++", "(= x 0) (= y (+ x 1)) (call f y) (_++ i)"),
            ("x = 0;", "(= x 0)"),
        ],
    );
    check(Kind::Rate, &[("3", "3"), ("1:5", "(/ 1 5)"), ("a + b", "(+ a b)"), ("", "")]);
}

#[test]
fn processes() {
    let cases = &[
        ("process P() { state A; init A; } system P;", "(process P (state A) (init A))\n(system (P))"),
        (
            "process P(const int i, clock &x) { clock y; state A { x <= 5 }, B { ; 2 }, C { y < 3; 1:4 }, D; branchpoint b, c; commit A; urgent B, C; init A; trans A -> B { }; } system P;",
            "(process P (params (val (const int) i) (ref clock x)) (var clock y) (state (A (invariant (<= x 5))) (B (rate 2)) (C (invariant (< y 3)) (rate (/ 1 4))) D) (branchpoint b c) (commit A) (urgent B C) (init A) (trans (-> A B)))\n(system (P))",
        ),
        (
            "process P() { state A, B; init A; trans A -> B { select i : int[0,1], j : T; guard x > i; sync c[j]!; assign x = 0, y = 1; probability 3; }, -> A { sync d?; }, B -u-> A { guard b; }, -u-> B { }; } system P;",
            "(process P (state A B) (init A) (trans (-> A B (select (: i (int 0 1)) (: j T)) (guard (> x i)) (sync (! (index c j))) (assign (= x 0) (= y 1)) (probability 3)) (-> A A (sync (? d))) (-u-> B A (guard b)) (-u-> B B)))\n(system (P))",
        ),
        (
            "process P() { urgent chan c; urgent T d; state A; urgent A; init A; } system P;",
            "(process P (var (urgent chan) c) (var (urgent T) d) (state A) (urgent A) (init A))\n(system (P))",
        ),
        (
            "process P() { state continue, wait; commit continue; init wait; trans ; } system P;",
            "(process P (state continue wait) (commit continue) (init wait))\n(system (P))",
        ),
    ];
    check(Kind::Model, cases);
}

#[test]
fn old_models() {
    let cases = &[
        (
            "const N 5, M -1; int a := 2; process P { state A { x =< 5, y < 3 }; init A; trans A -> A { guard x => 1, a == N; assign x := 0; }; } process Q(int a, b; const k) { state B; init B; } R := Q(a, a, 3); system P, R;",
            "(var (const int) (N = 5) (M = (-_ 1)))\n(var int (a = 2))\n(process P (state (A (invariant (&& (<= x 5) (< y 3))))) (init A) (trans (-> A A (guard (&& (>= x 1) (== a N))) (assign (= x 0)))))\n(process Q (params (ref int a) (ref int b) (val (const int) k)) (state B) (init B))\n(instance R Q a a 3)\n(system (P R))",
        ),
        (
            "const int K = 3; process P() { state A; init A; } system P;",
            "(var (const int) (K = 3))\n(process P (state A) (init A))\n(system (P))",
        ),
    ];
    check(Kind::OldModel, cases);
}

#[test]
fn systems() {
    let cases = &[
        (
            "P1 = P(1, x); Q(int[0,3] i) = P(i, y); system P1, Q;",
            "(instance P1 P 1 x)\n(instance Q (params (val (int 0 3) i)) P i y)\n(system (P1 Q))",
        ),
        ("system A < B, C < D;", "(system (A) (B C) (D))"),
        ("system A; progress { x; b : y + 1; }", "(system (A))\n(progress (x) (b (+ y 1)))"),
        (
            "system A; gantt { G: x > 1 -> 2; H(i : T): for (j : int[0,1]) a[i][j] -> i, b -> 1; }",
            "(system (A))\n(gantt (G (-> (> x 1) 2)) (H (params (: i T)) (-> (for (: j (int 0 1))) (index (index a i) j) i) (-> b 1)))",
        ),
        (
            "system A; query { A[] not deadlock } query { p --> q }",
            "(system (A))\n(query (A[] (! <deadlock>)))\n(query (--> p q))",
        ),
        (
            "system A; IO A { c, d[1] } IO B(1, x) { }",
            "(system (A))\n(io A c (index d 1))\n(io B (args 1 x))",
        ),
        ("int x; system A;", "(var int x)\n(system (A))"),
    ];
    check(Kind::System, cases);
}
