//! What is accepted, and the model that it becomes.

use super::{load, model, told};

/// A process with one edge that has these attributes, and the line of the edge in the model.
fn edge(attributes: &str) -> String {
    let head = "system:S\nevent:e\nclock:1:x\nclock:1:y\nclock:3:z\nint:1:0:9:0:i\nint:1:-5:5:-1:j\nint:3:0:9:2:a\n\
                process:P\nlocation:P:l{initial:}\n";
    let printed = model(&format!("{head}edge:P:l:l:e{attributes}\n")).to_string();
    let line = printed.lines().last().unwrap_or_default();
    line.trim_start_matches("  l -> l: ").to_owned()
}

#[test]
fn guards() {
    for (value, expected) in [
        ("1", "when 1; e"),
        ("i", "when i; e"),
        ("!i", "when !i; e"),
        ("!(i == 1)", "when !(i == 1); e"),
        ("!!i", "when !!i; e"),
        ("i == 1 && j != 2", "when (i == 1) && (j != 2); e"),
        ("(i == 1 && j != 2) && i < 3", "when (i == 1) && (j != 2) && (i < 3); e"),
        ("i > j", "when (j < i); e"),
        ("i >= j", "when (j <= i); e"),
        ("1 <= i < 5", "when (1 <= i) && (i < 5); e"),
        ("-i + 2 * j - 3 / (i + 1) % 2 < 0", "when (((-i + (2 * j)) - ((3 / (i + 1)) % 2)) < 0); e"),
        ("-3 < - - i--1", "when (-3 < (--i - -1)); e"),
        ("a[0] == a[1+1]", "when (a[0] == a[2]); e"),
        ("a[i] == a[a[i]]", "when (a[0][+i] == a[0][+a[0][+i]]); e"),
        ("i[0] == j[i]", "when (i == j[+i]); e"),
        ("(if i == 1 && j then 2 else i) == 2", "when ((((i == 1) && j) ? 2 : i) == 2); e"),
        ("x < 5", "when x<5; e"),
        ("5 < x", "when x>5; e"),
        ("x == 5 && x >= i && x > 1 && x <= 3 * i", "when x==5 && x>=i && x>1 && x<=(3 * i); e"),
        ("x - y < 3 && 3 <= x - y", "when x-y<3 && x-y>=3; e"),
        ("x < y", "when x-y<0; e"),
        ("1 < x <= 5", "when x>1 && x<=5; e"),
        ("x < 1 && i == 1", "when (i == 1) && x<1; e"),
        ("z[1] < 1 && z[i] - z[2] > a[0]", "when z[1]<1 && z[0][+i]-z[2]>a[0]; e"),
        ("x < (if i then 1 else 2)", "when x<(i ? 1 : 2); e"),
        ("\n i == 1\n\t&& j == 2 ", "when (i == 1) && (j == 2); e"),
    ] {
        assert_eq!(edge(&format!("{{provided: {value}}}")), expected, "{value}");
    }
    assert_eq!(edge("{provided: i : provided: x<1 : provided: j}"), "when i && j && x<1; e");
    assert_eq!(edge("{provided:i:do:i=1}"), "when i; e; do i := 1");
    assert_eq!(edge("{}"), "e");
    assert_eq!(edge(" { provided : i } # a comment"), "when i; e");
    assert_eq!(edge(""), "e");
}

#[test]
fn simple_statements() {
    for (value, expected) in [
        ("nop", "e"),
        ("i = 1", "e; do i := 1"),
        ("i = 1;", "e; do i := 1"),
        ("i = i + 1; nop; a[i] = j", "e; do i := i + 1, a[0][+i] := j"),
        ("x = 0", "e; do x := 0"),
        ("x = y", "e; do x := y"),
        ("x = y + 3", "e; do x := y + 3"),
        ("x = 3 + y", "e; do x := y + 3"),
        ("x = i * 2", "e; do x := i * 2"),
        ("z[i] = z[0] + a[1]", "e; do z[0][+i] := z[0] + a[1]"),
    ] {
        assert_eq!(edge(&format!("{{do: {value}}}")), expected, "{value}");
    }
    assert_eq!(edge("{do: i=1 : do: j=2}"), "e; do i := 1, j := 2");
}

#[test]
fn statements_with_blocks_become_a_function() {
    let text = "system:S\nevent:e\nclock:1:x\nint:1:0:9:0:i\nint:3:0:9:0:a\nprocess:P\nlocation:P:l{initial:}\n\
                edge:P:l:l:e{provided: i<3 : do:\n\
                local n = 0; local m[2]; local k;\n\
                while n < 3 && i do\n local d = a[n]; if d == 0 then m[1] = n; nop else m[n] = d end; n = n + 1\n end;\n\
                if i == 1 then nop end;\n x = m[0]; local $t = 5; i = $t}\n";
    let expected = "\
model S
i : [0,9] = 0
a[0] : [0,9] = 0
a[1] : [0,9] = 0
a[2] : [0,9] = 0
clock x
function P.edge0()
  $0 := 0
  for $3 in [0,1]
    $1[+$3] := 0
  $4 := 0
  while ($0 < 3) && i
    $5 := a[0][+$0]
    if $5 == 0
      $2 := $0
    else
      $1[+$0] := $5
    $0 := $0 + 1
  if i == 1
  x := $1
  $6 := 5
  i := $6
process P
  location l initial
  l -> l: when (i < 3); e; do P.edge0()
";
    let model = model(text);
    assert_eq!(model.to_string(), expected);
    assert_eq!(model.functions.iter().map(|function| function.frame).collect::<Vec<_>>(), [7]);
}

#[test]
fn locals_of_blocks_that_have_ended_can_be_declared_again() {
    let text = "if i then local v = 1; i = v else local v = 2; i = v end; while i<3 do local v; i = i+1 end; local v = 3; i = v";
    assert_eq!(edge(&format!("{{do: {text}}}")), "e; do P.edge0()");
}

#[test]
fn a_whole_model() {
    let text = "\
# Labels are lists, attributes repeat, lines may be empty.
system:example

event:tau
event:go
event:halt
clock:1:x
int:1:0:3:1:turn

process:A
location:A:idle{initial: : labels: first, start}
location:A:busy{invariant: x<=5 && turn>0 : invariant: x<=turn : labels: b : labels: c}
location:A:quick{urgent:}
location:A:now{committed: : urgent:}
edge:A:idle:busy:go{provided: x>=1 : do: x=0}
edge:A:busy:quick:tau
edge:A:quick:now:halt
edge:A:now:idle:tau

process:B.2
location:B.2:idle{initial:}
edge:B.2:idle:idle:go
edge:B.2:idle:idle:halt

sync:A@go:B.2@go
sync:A@halt:B.2@halt?
";
    let expected = "\
model example
turn : [0,3] = 1
clock x
sync A@go : B.2@go
sync A@halt : B.2@halt?
process A
  location idle initial labels first, start
  location busy while (0 < turn) && x<=5 && x<=turn labels b, c
  location quick urgent
  location now committed
  idle -> busy: when x>=1; go; do x := 0
  busy -> quick: tau
  quick -> now: halt
  now -> idle: tau
process B.2
  location idle initial
  idle -> idle: go
  idle -> idle: halt
";
    let (model, diagnostics, sources) = load(text);
    assert_eq!(told(&diagnostics, &sources), [""; 0]);
    let model = model.expect("a model");
    assert_eq!(model.to_string(), expected);
    assert_eq!(
        model.variables.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>(),
        ["x", "turn"]
    );
    let spans: Vec<&str> = model.processes.iter().map(|process| sources.snippet(process.span)).collect();
    assert_eq!(spans, ["A", "B.2"]);
}

#[test]
fn lines_end_in_any_way() {
    let text = "\u{feff}system:S\r\nevent:e\r\n\tprocess : P\r\nlocation:P:l{initial:\r\n}\r\nedge:P:l:l:e{do:\r\nnop}";
    let (model, diagnostics, sources) = load(text);
    assert!(model.is_some(), "{:?}", told(&diagnostics, &sources));
}

#[test]
fn variables_may_be_declared_after_their_use() {
    let text = "system:S\nevent:e\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e{provided: i<3 && x>1 : do: i=1}\n\
                clock:1:x\nint:1:0:3:0:i\n";
    let (_, diagnostics, sources) = load(text);
    assert_eq!(told(&diagnostics, &sources), [""; 0]);
}
