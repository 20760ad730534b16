//! Nothing makes reading a model panic, hang or fill the memory: examples with words lost, doubled and swapped, and models
//! that are made to be too much.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tourbillon_base::{Diagnostics, Random, Severity, SourceMap};
use tourbillon_front_uppaal::lower::{Input, lower};
use tourbillon_syntax::{Dialect, Reader};

use super::document::all_cases;

/// What a model may take: far more than any needs, far less than somebody would call a hang.
const TIME_MAX: Duration = Duration::from_secs(10);

/// How many mutilated examples are read.
const MUTATIONS: u64 = 4000;

/// Reads and lowers a model. Returns the codes of its errors, and checks what comes of it.
fn read(text: &str, dialect: Dialect) -> Vec<String> {
    let mut sources = SourceMap::new();
    let source = sources.add_file("model", text);
    let mut reader = Reader::new(&sources, dialect);
    let model = reader.model(source);
    let mut diagnostics = Diagnostics::default();
    let input = Input { name: "m", tree: &reader.tree, model: &model, queries: &[] };
    let lowered = lower(&input, &mut diagnostics);
    if let Some(lowered) = lowered.filter(|_| !reader.diagnostics.has_errors()) {
        let faults: Vec<String> = lowered.check().iter().map(ToString::to_string).collect();
        assert!(faults.is_empty(), "{faults:?}");
        assert!(!lowered.to_string().is_empty());
    }
    let all = reader.diagnostics.iter().chain(diagnostics.iter());
    all.filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| diagnostic.code.name().to_owned())
        .collect()
}

/// The words of a text, and what stands between them.
fn words(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = match is_name(first) {
            true => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        list.push(word);
        rest = after;
    }
    list
}

fn mutate<'a>(words: &mut Vec<&'a str>, pool: &[&'a str], random: &mut Random) {
    let (here, there) = (random.below(words.len()), random.below(words.len()));
    match random.below(5) {
        0 => drop(words.remove(here)),
        1 => words.insert(here, words[there]),
        2 => words.swap(here, there),
        3 => words[here] = random.pick(pool).copied().unwrap_or_default(),
        _ => words.insert(here, random.pick(pool).copied().unwrap_or_default()),
    }
}

#[test]
fn mutilated_examples_are_read() {
    let cases = all_cases();
    let texts: Vec<String> = cases.iter().map(super::document::Case::model_text).collect();
    let split: Vec<Vec<&str>> = texts.iter().map(|text| words(text)).collect();
    for seed in 0..MUTATIONS {
        let mut random = Random::from_seed(seed);
        let case = random.below(cases.len());
        let mut mutated = split[case].clone();
        let pool = random.pick(&split).cloned().unwrap_or_default();
        for _ in 0..=random.below(4) {
            mutate(&mut mutated, &pool, &mut random);
        }
        let text = mutated.concat();
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| read(&text, cases[case].dialect())));
        assert!(result.is_ok(), "seed {seed} panics:\n{text}");
        assert!(start.elapsed() < TIME_MAX, "seed {seed} takes {:?}:\n{text}", start.elapsed());
    }
}

/// A process that does nothing, after some declarations.
fn with_system(declarations: &str) -> String {
    format!("{declarations}\nprocess P() {{ state S; init S; }} system P;")
}

/// A process with this guard, after some declarations.
fn with_guard(declarations: &str, guard: &str) -> String {
    format!("{declarations}\nprocess P() {{ state S; init S; trans S -> S {{ guard {guard}; }}; }} system P;")
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "{}", line(i));
        text
    })
}

/// Reads a model in time, and requires an error with this code, or none.
fn expect(name: &str, text: &str, code: Option<&str>) {
    let start = Instant::now();
    let errors = read(text, Dialect::New);
    let took = start.elapsed();
    assert!(took < TIME_MAX, "{name} takes {took:?}");
    match code {
        None => assert!(errors.is_empty(), "{name}: {errors:?}"),
        Some(code) => assert!(errors.iter().any(|other| other == code), "{name}: {errors:?}"),
    }
}

const TOO_LARGE: Option<&str> = Some("M0208");
const NOT_CONSTANT: Option<&str> = Some("M0202");

#[test]
fn large_types_are_refused() {
    let arrays = repeated(8, |i| format!("int a{i}[1000000];"));
    expect("many large arrays", &with_system(&arrays), TOO_LARGE);
    expect("a large array", &with_system("int a[100000][100000];"), TOO_LARGE);
    expect("clocks", &with_system(&repeated(8, |i| format!("clock x{i}[1000000];"))), TOO_LARGE);
    expect("channels", &with_system(&repeated(8, |i| format!("chan c{i}[1000][1000];"))), TOO_LARGE);
    let pairs = repeated(200, |i| format!("typedef struct {{ t{i} a; t{i} b; }} t{};", i + 1));
    expect("doubling records", &with_system(&format!("typedef int t0;\n{pairs}t200 v;")), TOO_LARGE);
    let nested = repeated(20_000, |i| format!("typedef t{i} t{}[1];", i + 1));
    expect("nested arrays", &with_system(&format!("typedef int t0;\n{nested}t20000 v;")), TOO_LARGE);
    let renamed = repeated(20_000, |i| format!("typedef t{i} t{};", i + 1));
    expect("renamed types", &with_system(&format!("typedef int t0;\n{renamed}t20000 v;")), None);
    expect("locals", &with_system("void f() { int a[1000000]; a[0] = 1; }"), TOO_LARGE);
    let blocks = repeated(100, |i| format!("void f{i}() {{ int a[60000]; a[0] = 1; }}"));
    expect("large locals", &with_system(&blocks), None);
    expect("a large parameter", &with_system("void f(int a[1000000]) { }"), TOO_LARGE);
    expect("a large scalar set", &with_system("typedef scalar[2147483647] s; s v;"), None);
    expect("all integers", &with_system("int32_t a; int[-2147483648,2147483647] b;"), None);
}

#[test]
fn constants_that_cannot_be_computed_are_refused() {
    let cases = [
        "const int a = 1 / 0;",
        "const int a = 2147483647 + 1;",
        "const int a = -(-2147483647 - 1);",
        "const int a = abs(-2147483647 - 1);",
        "const int a = 1 << 31;",
        "int f() { while (true) { } return 1; } const int a = f();",
        "int f() { int i; for (;;) { i = 1; } return 1; } const int a = f();",
        "int f() { for (i : int32_t) for (j : int32_t) { } return 1; } const int a = f();",
        "int f() { int i; do { i++; i--; } while (true); return 1; } const int a = f();",
        "const bool a = forall (i : int32_t) i > -2147483648 || true;",
        "const int a = sum (i : int32_t) sum (j : int32_t) 0;",
        "int f() { int a[60000]; return a[0]; } int g() { int s = 0; for (i : int[0,60000]) s += f(); return s; } const int a = g();",
        "int f(int n) { return n; } int a[f(3)]; int b[a[0]];",
        "int x; int[0,x] y;",
        "void f(int n, int &m) { int[0,n] a; int b[m]; a = b[0]; }",
    ];
    for text in cases {
        expect(text, &with_system(text), NOT_CONSTANT);
    }
    let calls = repeated(60, |i| format!("int f{}(int n) {{ return f{i}(n) + f{i}(n); }}", i + 1));
    let calls = format!("int f0(int n) {{ return n; }}\n{calls}const int a = f60(1);");
    expect("doubling calls", &with_system(&calls), NOT_CONSTANT);
    let deep = "-".to_owned() + &"(1 - ".repeat(60);
    let deep = |i: usize| format!("int f{}(int n) {{ return {deep}f{i}(n){}; }}", i + 1, ")".repeat(60));
    let calls = format!("int f0(int n) {{ return n; }}\n{}const int a = f60(1);", repeated(60, deep));
    expect("deep calls", &with_system(&calls), None);
    let calls = repeated(20_000, |i| format!("int f{}(int n) {{ return f{i}(n); }}", i + 1));
    expect("deeper calls", &with_system(&format!("int f0(int n) {{ return n; }}\n{calls}")), TOO_LARGE);
    let many = repeated(20_000, |i| format!("const int c{i} = f({i});"));
    expect(
        "many constants",
        &with_system(&format!("int a[100000]; int f(int n) {{ return n + 1; }}\n{many}")),
        None,
    );
}

#[test]
fn long_and_deep_expressions_are_read() {
    let row = |operator: &str, count: usize| vec!["n > 1"; count].join(operator);
    expect("a long conjunction", &with_guard("int n;", &row(" && ", 100_000)), None);
    expect("a long disjunction", &with_guard("int n;", &row(" || ", 100_000)), None);
    expect("a long mixture", &with_guard("int n;", &row(" || n > 2 imply ", 100_000)), TOO_LARGE);
    expect("a long sum", &with_guard("int n;", &vec!["n"; 100_000].join(" + ")), TOO_LARGE);
    let clocks = vec!["x > 1"; 50_000].join(" && ");
    expect("a long clock guard", &with_guard("clock x;", &clocks), None);
    expect(
        "a long clock disjunction",
        &with_guard("clock x;", &vec!["x > 1"; 50_000].join(" || ")),
        Some("M0401"),
    );
    let deep = format!("{}n{}", "(1 + ".repeat(150), ")".repeat(150));
    expect("a deep sum", &with_guard("int n;", &deep), None);
    let sums = (0..150).fold(String::new(), |text, i| format!("{text}sum (i{i} : int[0,1]) "));
    expect("deep sums", &with_system(&format!("int a = 0 * {sums} 1;")), NOT_CONSTANT);
    let nested = |levels: usize, row: &str| {
        (0..levels).fold("n".to_owned(), |text, level| {
            let operator = [" + ", " * "][level % 2];
            format!("({text}{})", format!("{operator}n").repeat(row.len()))
        })
    };
    expect("long rows in long rows", &with_guard("int n;", &nested(150, &"n".repeat(1000))), TOO_LARGE);
    expect("short rows in short rows", &with_guard("int n;", &nested(150, "nnnnn")), None);
    let logical = (0..180)
        .fold("n".to_owned(), |text, level| format!("({text}{})", [" && n", " || n"][level % 2].repeat(40)));
    expect("conditions in conditions", &with_guard("int n;", &logical), None);
    let lent = format!("{}0{}", "a[f(a[".repeat(60), "])]".repeat(60));
    let nested = |levels: usize, row: &str| {
        (0..levels).fold("n".to_owned(), |text, level| {
            let operator = [" + ", " * "][level % 2];
            format!("({text}{})", format!("{operator}n").repeat(row.len()))
        })
    };
    expect("long rows in long rows", &with_guard("int n;", &nested(150, &"n".repeat(1000))), TOO_LARGE);
    expect("short rows in short rows", &with_guard("int n;", &nested(150, "nnnnn")), None);
    let logical = (0..180)
        .fold("n".to_owned(), |text, level| format!("({text}{})", [" && n", " || n"][level % 2].repeat(40)));
    expect("conditions in conditions", &with_guard("int n;", &logical), None);
    let lent = format!("int[0,5] a[6]; int f(int &v) {{ v = 1; return 2; }} void g() {{ {lent} = 1; }}");
    expect("references in references", &with_system(&lent), None);
    let arms = repeated(20_000, |i| format!("else if (n == {i}) return {i};"));
    expect(
        "many cases",
        &with_system(&format!("int f(int n) {{ if (n < 0) return 1; {arms} return 0; }}")),
        None,
    );
    let values = vec!["1"; 500_000].join(",");
    expect("a long list", &with_system(&format!("const int a[500000] = {{ {values} }};")), None);
}

#[test]
fn large_quantifiers_are_refused() {
    expect("over data", &with_guard("int a[2];", "forall (i : int32_t) i > 1 || a[i] == 1"), None);
    expect("over clocks", &with_guard("clock x;", "forall (i : int32_t) x > i"), TOO_LARGE);
    let nested = (0..8).fold(String::new(), |text, i| format!("{text}forall (i{i} : int[0,4000]) "));
    expect("nested over clocks", &with_guard("clock x;", &format!("{nested} x > i1 + i7")), TOO_LARGE);
    let nested = (0..150).fold(String::new(), |text, i| format!("{text}forall (i{i} : int[0,0]) "));
    expect("single cases", &with_guard("clock x;", &format!("{nested} x > i1")), None);
    let query = |text: &str| {
        format!(
            "typedef int[0,99] id_t; process P(const id_t i) {{ state S {{ i >= 0 }}; init S; }} system P; query {{ A[] {text} }}"
        )
    };
    let over = |n: usize| (0..n).fold(String::new(), |text, i| format!("{text}forall (i{i} : id_t) "));
    expect("over pairs of processes", &query(&format!("{} P(i0).S && P(i1).S", over(2))), None);
    expect(
        "over many processes",
        &query(&format!("{} P(i0).S && P(i1).S && P(i2).S && P(i3).S", over(4))),
        TOO_LARGE,
    );
    let select = "process P() { state S; init S; trans S -> S { select i : int32_t, j : int32_t; guard i == j; }; } system P;";
    expect("a large selection", select, None);
}

#[test]
fn large_systems_are_refused() {
    let process = |params: &str, body: &str| format!("process P({params}) {{ {body} }} system P;");
    let plain = "state S; init S; trans S -> S { };";
    expect("many processes", &process("const int[1,60000] i", plain), None);
    expect("too many", &process("const int[0,99999] i", plain), TOO_LARGE);
    expect("by the product", &process("const int[0,60000] i, const int[0,60000] j", plain), TOO_LARGE);
    expect("by a large range", &process("const int32_t i", plain), TOO_LARGE);
    let edges = "S -> S { guard i > 1 && i < 2; }, ".repeat(500);
    let body = format!("state S; init S; trans {edges} S -> S {{ }};");
    expect("of large templates", &process("const int[0,60000] i", &body), TOO_LARGE);
    let wrong = "S -> S { guard (nothing + nothing) > nothing; }, ".repeat(500);
    let body = format!("state S; init S; trans {wrong} S -> S {{ }};");
    expect("of wrong templates", &process("const int[0,60000] i", &body), TOO_LARGE);
    let body = "int a[10000]; state S; init S; trans S -> S { assign a[i % 2] = 1; };";
    expect("with large variables", &process("const int[0,60000] i", body), TOO_LARGE);
    let chain = repeated(50_000, |i| format!("p{} = p{i}();", i + 1));
    expect("a chain of instances", &format!("process p0() {{ {plain} }}\n{chain}system p50000;"), None);
    expect("instances of themselves", "A = B(); B = C(); C = A(); system A;", Some("M0302"));
    let params = (0..2000).map(|i| format!("const int a{i}")).collect::<Vec<_>>().join(", ");
    let args = vec!["1"; 2000].join(", ");
    expect("many parameters", &format!("process P({params}) {{ {plain} }} Q = P({args}); system Q;"), None);
    let unused = repeated(3000, |i| format!("process P{i}(const int n) {{ int a[n]; {plain} }}"));
    expect("many unused templates", &with_system(&format!("int a[1000000];\n{unused}")), None);
}

#[test]
fn many_mistakes_are_reported_in_time() {
    let declared = repeated(20_000, |i| format!("int variable{i};"));
    let used = repeated(20_000, |i| format!("int other{i} = variabel{i};"));
    expect("unknown names", &with_system(&format!("{declared}{used}")), Some("M0101"));
    expect("twice", &with_system(&repeated(20_000, |_| "int a;".to_owned())), Some("M0102"));
    let locations: Vec<String> = (0..20_000).map(|i| format!("loc{i}")).collect();
    let edges: Vec<String> = (0..20_000).map(|i| format!("lco{i} -> loc{i} {{ }}")).collect();
    let process = format!("state {}; init loc0; trans {};", locations.join(", "), edges.join(", "));
    expect("unknown locations", &format!("process P() {{ {process} }} system P;"), Some("M0501"));
}
