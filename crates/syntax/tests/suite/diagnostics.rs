//! Every code, with the exact place and words.

use std::collections::BTreeSet;

use tourbillon_syntax::codes;

use super::{Kind, parse};

/// Texts, and what is said about them: `CODE line:column message / label / help`.
const CASES: &[(Kind, &str, &[&str])] = &[
    (
        Kind::Model,
        "process P() { state A; } urgent chan c; system P;",
        &["S0402 1:9 this process has no initial location / name it: `init A;`"],
    ),
    (Kind::Guard, "x > 1 adn y < 2", &["S0108 1:7 `adn` cannot follow a guard / did you mean `and`?"]),
    (Kind::Query, "A[] p implies q", &["S0108 1:7 `implies` cannot follow a query / did you mean `imply`?"]),
    (
        Kind::Model,
        "process P() { state A; init A; trans A -> A { guard a OR b; }; } system P;",
        &["S0101 1:55 expected `;`, found `OR` / did you mean `or`?"],
    ),
    (
        Kind::Guard,
        "(a > 1 & b > 1) & c > 1",
        &[
            "S0204 1:8 warning: `&` works on bits, but stands between conditions / write `&&`",
            "S0204 1:17 warning: `&` works on bits, but stands between conditions / write `&&`",
        ],
    ),
    (Kind::Declarations, "typedef int[0,1] char; char c; int[0,1] long;", &[]),
    (Kind::Query, "", &[]),
    (Kind::Guard, "x ≤ 5", &["S0001 1:3 `≤` is not a character of the language / write `<=`"]),
    (Kind::Declarations, "int x;\n€€ int y;", &["S0001 2:1 `€€` is not a character of the language"]),
    (
        Kind::Declarations,
        "void f() { x = 1; /* open\n }",
        &["S0002 1:19 this comment is never closed / close it with `*/`"],
    ),
    (
        Kind::Declarations,
        "int x; /* open\nint y;",
        &["S0002 1:8 this comment is never closed / close it with `*/`"],
    ),
    (Kind::QueryFile, "E<> \"abc", &["S0003 1:5 this string is not closed on its line / close it with `\"`"]),
    (
        Kind::Declarations,
        "const string s = \"abc;\nint y;",
        &["S0003 1:18 this string is not closed on its line / close it with `\"`"],
    ),
    (
        Kind::Guard,
        "x < 2147483648",
        &["S0004 1:5 this integer does not fit in 32 bits / integers range from -2147483648 to 2147483647"],
    ),
    (Kind::Guard, "x =< 5", &["S0005 1:3 `=<` is the spelling of UPPAAL 3.4 / write `<=`"]),
    (Kind::Guard, "x < 1e999", &["S0006 1:5 this number is larger than any floating-point number"]),
    (
        Kind::Declarations,
        "#define N 5\nint x;\n#include <a>",
        &[
            "S0007 1:1 there is no preprocessor / declare a constant: `const int N = 5;`",
            "S0007 3:1 there is no preprocessor",
        ],
    ),
    (
        Kind::Model,
        "state A; process P() { state A; init A; } system P;",
        &["S0101 1:1 `state` stands outside a process / is there a `}` too many before it?"],
    ),
    (Kind::Declarations, "int x; foo bar baz;", &["S0101 1:16 expected `;`, found `baz`"]),
    (Kind::Declarations, "int 5;", &["S0101 1:5 expected a name, found `5`"]),
    (
        Kind::Model,
        "process P { state A; init A; } system P;",
        &[
            "S0101 1:11 expected `(` and the parameters, found `{` / write `()`; only the old dialect leaves the brackets out",
        ],
    ),
    (
        Kind::Model,
        "process P() { state A; } init A; trans A -> A { }; } system P;",
        &["S0101 1:26 `init` stands outside a process / is there a `}` too many before it?"],
    ),
    (
        Kind::Model,
        "process P() { state A, B,\n = C { x < 3 },\n D; init A; trans A -> B { } B -> A { }; } system P;",
        &["S0101 2:2 expected the name of a location, found `=`", "S0101 3:29 missing `,` between two edges"],
    ),
    (Kind::Parameters, "a, b", &["S0101 1:2 expected the name of a parameter, found `,`"]),
    (Kind::Query, "strategy S =", &["S0101 1:13 expected a query, found the end of the text"]),
    (
        Kind::Declarations,
        "int f(int a, b) { return a; } int y;",
        &["S0101 1:15 expected the name of a parameter, found `)`"],
    ),
    (
        Kind::Model,
        "process P() { state A; init A; trans A -> A { guard x > 1 sync c!; }; } system P;",
        &["S0102 1:58 missing `;` after this label"],
    ),
    (Kind::Declarations, "int x\nint y;", &["S0102 1:6 missing `;` after the declaration"]),
    (Kind::Declarations, "void f() { x = 1 }", &["S0102 1:17 missing `;` after the statement"]),
    (Kind::Declarations, "void f() { x = 1\ny = 2; }", &["S0102 1:17 missing `;` after the statement"]),
    (
        Kind::Declarations,
        "int x = (1 + 2;\nint y;",
        &["S0103 1:15 expected `)`, found `;` / this `(` is open"],
    ),
    (Kind::Query, "E<> (p", &["S0103 1:7 expected `)`, found the end of the text / this `(` is open"]),
    (
        Kind::Guard,
        "(x > 5 && (y < 3)",
        &["S0103 1:18 expected `)`, found the end of the text / this `(` is open"],
    ),
    (
        Kind::Declarations,
        "int a[3 = {1,2,3};\nint b;",
        &["S0103 1:9 expected `]`, found `=` / this `[` is open"],
    ),
    (
        Kind::Declarations,
        "void f() { if (x > (y { z = 1; } }",
        &["S0103 1:23 expected `)`, found `{` / this `(` is open"],
    ),
    (
        Kind::Model,
        "process P() { state A, B { x < 5 ; init A; trans A -> B { }; } system P;",
        &["S0103 1:36 expected `}`, found the keyword `init` / this `{` is open"],
    ),
    (Kind::Declarations, "int x; } int y;", &["S0104 1:8 `}` has no opening counterpart"]),
    (Kind::Guard, "x > 5)", &["S0104 1:6 `)` has no opening counterpart"]),
    (
        Kind::Declarations,
        "brodcast chan c;",
        &["S0105 1:1 `brodcast` looks like a misspelt keyword / did you mean `broadcast`?"],
    ),
    (
        Kind::Declarations,
        "void f() { whlie (x > 1) { x--; } }",
        &["S0105 1:12 `whlie` looks like a misspelt keyword / did you mean `while`?"],
    ),
    (
        Kind::Declarations,
        "int f() { retrun x; }",
        &["S0105 1:11 `retrun` looks like a misspelt keyword / did you mean `return`?"],
    ),
    (Kind::Declarations, "itn x;", &["S0105 1:1 `itn` looks like a misspelt keyword / did you mean `int`?"]),
    (
        Kind::Model,
        "proces P() { state A; init A; } sytem P;",
        &[
            "S0105 1:1 `proces` looks like a misspelt keyword / did you mean `process`?",
            "S0105 1:33 `sytem` looks like a misspelt keyword / did you mean `system`?",
        ],
    ),
    (
        Kind::Model,
        "process P() { state A; init A; trans A -> A { gaurd x > 1; }; } system P;",
        &["S0105 1:47 `gaurd` looks like a misspelt keyword / did you mean `guard`?"],
    ),
    (
        Kind::Model,
        "process P() { sate A; inti A; trnas A -> A { }; } system P;",
        &[
            "S0105 1:15 `sate` looks like a misspelt keyword / did you mean `state`?",
            "S0105 1:23 `inti` looks like a misspelt keyword / did you mean `init`?",
            "S0105 1:31 `trnas` looks like a misspelt keyword / did you mean `trans`?",
        ],
    ),
    (
        Kind::Model,
        "process state() { state A; init A; } system P;",
        &[
            "S0106 1:9 `state` is a reserved word and cannot be the name of the process / choose another name, such as `state_`",
        ],
    ),
    (
        Kind::Declarations,
        "int guard; int process[3];",
        &[
            "S0106 1:5 `guard` is a reserved word and cannot be a name / choose another name, such as `guard_`",
            "S0106 1:16 `process` is a reserved word and cannot be a name / choose another name, such as `process_`",
        ],
    ),
    (Kind::Query, "A[] p q", &["S0108 1:7 `q` cannot follow a query"]),
    (
        Kind::Guard,
        "x > 5, y < 3",
        &[
            "S0108 1:6 `,` cannot follow a guard / join conditions with `&&`; only the old dialect joins them with commas",
        ],
    ),
    (Kind::Guard, "x > 5 y", &["S0108 1:7 `y` cannot follow a guard"]),
    (
        Kind::Assignments,
        "x = 1; y = 2",
        &["S0108 1:6 `;` cannot follow an update / separate updates with commas"],
    ),
    (
        Kind::Parameters,
        "int a; int b",
        &["S0108 1:6 `;` cannot follow a parameter / separate parameters with commas"],
    ),
    (
        Kind::Declarations,
        "typedef enum { A, B } T; enum E { C }; T t;",
        &[
            "S0109 1:9 the language has no `enum` / declare a constant for each value, and a type with `typedef int[0,n] name;`",
            "S0109 1:26 the language has no `enum` / declare a constant for each value, and a type with `typedef int[0,n] name;`",
        ],
    ),
    (
        Kind::Declarations,
        "void f() { while (1) { if (x) break; continue; } }",
        &[
            "S0109 1:31 the language has no `break` / leave a loop by its condition, or by `return`",
            "S0109 1:38 the language has no `continue` / put the rest of the loop's body into an `if`",
        ],
    ),
    (
        Kind::Declarations,
        "void f() { switch (x) { case 1: y = 2; break; default: z = 1; } x = 3; }",
        &["S0109 1:12 the language has no `switch` / use `if` and `else if`"],
    ),
    (
        Kind::Declarations,
        "unsigned int x; long y; float z; static int w; enum { A, B } e;",
        &[
            "S0109 1:1 the language has no `unsigned` / use a bounded integer, such as `int[0,255]`",
            "S0109 1:17 the language has no `long` / integers have 32 bits at most: use `int`, or `double`",
            "S0109 1:25 the language has no `float` / use `double`",
            "S0109 1:34 the language has no `static` / every variable of a template exists once in each process: leave the word out",
            "S0109 1:48 the language has no `enum` / declare a constant for each value, and a type with `typedef int[0,n] name;`",
        ],
    ),
    (Kind::Invariant, "x := 5", &["S0201 1:3 an invariant cannot assign / write `==` to compare"]),
    (Kind::Guard, "x = 5", &["S0201 1:3 a guard cannot assign / write `==` to compare"]),
    (Kind::Guard, "b && x = 5", &["S0201 1:8 a guard cannot assign / write `==` to compare"]),
    (Kind::Query, "A[] x = 5", &["S0201 1:7 a query cannot assign / write `==` to compare"]),
    (
        Kind::Declarations,
        "void f() { if (x = 5) y = 1; }",
        &["S0201 1:18 warning: this condition assigns / write `==` to compare"],
    ),
    (
        Kind::Guard,
        "x > state",
        &[
            "S0202 1:5 expected an expression, found the keyword `state` / the keyword `state` is reserved and cannot be a name",
        ],
    ),
    (Kind::Query, "A[] p and", &["S0202 1:10 expected an expression, found the end of the text"]),
    (Kind::Guard, "x > ", &["S0202 1:5 expected an expression, found the end of the text"]),
    (
        Kind::Guard,
        "&& x",
        &["S0202 1:1 expected an expression, found `&&` / this operator needs an operand on its left"],
    ),
    (
        Kind::Guard,
        "x > 5 + * 3",
        &["S0202 1:9 expected an expression, found `*` / this operator needs an operand on its left"],
    ),
    (
        Kind::Model,
        "process P() { state A; init A; trans A -> A { guard x > ; sync c!; assign y = ; }, A -> { }, A -> A { guard ) ; }; } system P",
        &[
            "S0202 1:57 expected an expression, found `;`",
            "S0202 1:79 expected an expression, found `;`",
            "S0101 1:89 expected the name of a location, found `{`",
            "S0202 1:109 expected an expression, found `)`",
            "S0102 1:126 missing `;` after the system line",
        ],
    ),
    (
        Kind::Declarations,
        "int x = 5 +;\nint y = ;\nclock 3z;\nbool ok;",
        &[
            "S0202 1:12 expected an expression, found `;`",
            "S0202 2:9 expected an expression, found `;`",
            "S0101 3:7 expected a name, found `3`",
        ],
    ),
    (Kind::Guard, "a[] > 1", &["S0203 1:2 an index is missing between these brackets"]),
    (
        Kind::Guard,
        "x > 1 & y < 2",
        &["S0204 1:7 warning: `&` works on bits, but stands between conditions / write `&&`"],
    ),
    (
        Kind::Guard,
        "x > 1 | y < 2",
        &["S0204 1:7 warning: `|` works on bits, but stands between conditions / write `||`"],
    ),
    (
        Kind::Declarations,
        "void f() { x = 1;\nint y;",
        &[
            "S0301 2:1 a declaration cannot follow a statement / move it to the start of the block",
            "S0103 2:7 expected `}`, found the end of the text / this `{` is open",
        ],
    ),
    (
        Kind::Declarations,
        "void f() { x = 1; int y; }",
        &["S0301 1:19 a declaration cannot follow a statement / move it to the start of the block"],
    ),
    (
        Kind::Declarations,
        "void f() { for (int i = 0; i < 3; i++) { } }",
        &[
            "S0301 1:17 a loop cannot declare its variable like this / declare it at the start of the block, or write `for (i : int[0,n])`",
        ],
    ),
    (
        Kind::Declarations,
        "const N = 5; const M 6;",
        &[
            "S0302 1:7 this constant has no type / write `const int N = …`",
            "S0302 1:20 this constant has no type / write `const int M = …`",
        ],
    ),
    (Kind::Query, "E<> forall (i : 5) x", &["S0302 1:17 expected a type, found `5`"]),
    (
        Kind::Declarations,
        "scalar[0,3] s;",
        &["S0303 1:9 a scalar set has a size, not a range / write `scalar[size]`"],
    ),
    (
        Kind::Declarations,
        "int[5] x; int[0] ; typedef int[7] T;",
        &[
            "S0304 1:4 the dimensions of an array follow its name / write `int x[5]`, or a range as `int[lower,upper]`",
            "S0303 1:14 a range needs a lower and an upper bound / write `int[lower,upper]`",
            "S0101 1:18 expected a name, found `;`",
            "S0304 1:31 the dimensions of an array follow its name / write `int T[7]`, or a range as `int[lower,upper]`",
        ],
    ),
    (
        Kind::Declarations,
        "void f() { if (a) x = 1; y = 2; else z = 3; }",
        &["S0305 1:33 this `else` has no `if` / put braces around the statements between `if` and `else`"],
    ),
    (
        Kind::Declarations,
        "x = 5; if (x) y = 1; f();",
        &["S0306 1:1 statements are not allowed here, only declarations / put it into a function"],
    ),
    (
        Kind::Declarations,
        "void f() { int g() { return 1; } }",
        &["S0307 1:16 a function cannot be declared inside another / it starts here"],
    ),
    (
        Kind::Model,
        "process P() { init A; state A; } system P;",
        &[
            "S0401 1:23 `state` must come before `init` / a process has declarations, state, branchpoint, commit and urgent, init, trans",
        ],
    ),
    (
        Kind::Model,
        "process P() { state A; state B; init A; } system P;",
        &[
            "S0401 1:24 a second `state` section / a process has declarations, state, branchpoint, commit and urgent, init, trans",
        ],
    ),
    (
        Kind::Model,
        "process P() { state A; } process Q() { init A; } system P;",
        &[
            "S0402 1:9 this process has no initial location / name it: `init A;`",
            "S0402 1:34 this process has no locations / list them: `state A, B;`",
        ],
    ),
    (
        Kind::Model,
        "process P() { state A; init A; trans A -> A { guard x; guard y; }; } system P;",
        &["S0403 1:56 a second `guard` on this edge / the first one is here"],
    ),
    (Kind::Sync, "!c", &["S0404 1:1 `!` stands after the channel, not before it"]),
    (
        Kind::System,
        "system P(1), Q;",
        &[
            "S0405 1:9 the system line cannot give arguments / declare an instance, `P1 = P(1);`, and list `P1`",
        ],
    ),
    (
        Kind::Model,
        "int x;",
        &["S0406 1:7 the system line is missing / end the model with `system` and the processes that run"],
    ),
    (
        Kind::Model,
        "process P() { state A; init A; trans -> A { }; } system P;",
        &["S0407 1:38 the first edge must name its source"],
    ),
    (
        Kind::Query,
        "x > 5",
        &[
            "S0501 1:1 this query has no path quantifier / start with `A[]` (always), `E<>` (possible), `E[]` or `A<>`, or write `p --> q`",
        ],
    ),
    (
        Kind::Query,
        "A[] (p imply A<> q)",
        &[
            "S0502 1:14 a path quantifier can stand only at the start of a query / `A[] (p imply A<> q)` is written `p --> q`",
        ],
    ),
    (
        Kind::QueryFile,
        "/* EXPECT:X,5s */ A[] p",
        &[
            "S0503 1:4 warning: `X` is no expectation / write an answer (`T`, `F`, `MT`, `MF`, `E`, a number), a time (`10s`) or a size (`50MB`)",
        ],
    ),
];

#[test]
fn mistakes_are_explained_where_they_are() {
    for &(kind, text, expected) in CASES {
        assert_eq!(parse(kind, text).messages, expected, "{kind:?}: {text}");
    }
}

#[test]
fn brackets_can_be_nested_so_deep_and_no_deeper() {
    let nested =
        |depth: usize| parse(Kind::Rate, &format!("{}x{}", "(".repeat(depth), ")".repeat(depth))).messages;
    assert_eq!(nested(199), [""; 0]);
    assert_eq!(nested(200), ["S0107 1:201 this is nested more than 200 levels deep"]);
}

#[test]
fn every_code_occurs() {
    let reported = CASES.iter().flat_map(|(.., messages)| messages.iter()).map(|message| &message[..5]);
    let seen: BTreeSet<&str> = reported.chain([codes::NESTING.name()]).collect();
    let declared: BTreeSet<&str> = codes::CODES.iter().map(|entry| entry.code.name()).collect();
    assert_eq!(seen, declared);
}
