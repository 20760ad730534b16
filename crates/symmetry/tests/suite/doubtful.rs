//! Models that resemble symmetric ones but for one rule of the comparison.

use tourbillon_base::Id;
use tourbillon_model::Overflow;
use tourbillon_symmetry::{Candidates, Formulas, find};

use crate::shared::{orbits, uppaal};

const NONE: &[&str] = &[];
const ALL: &[&str] = &["P(0) P(1) P(2)"];

/// Why, a model, and its orbits.
type Case<'a> = (&'a str, String, &'a [&'a str]);

fn check(cases: &[Case<'_>]) {
    let differs = |(why, text, expected): &Case<'_>| {
        let mut model = uppaal(text);
        if text.contains("overflow wrap") {
            model.overflow = Overflow::Wrap;
        }
        let found = orbits(&model);
        (found != *expected).then(|| format!("{why}: {found:?}, expected {expected:?}\n{text}"))
    };
    let failures: Vec<String> = cases.iter().filter_map(differs).collect();
    assert!(failures.is_empty(), "{} cases\n{}", failures.len(), failures.join("\n"));
}

/// Two processes with declarations and an edge each.
fn two(global: &str, one: (&str, &str), other: (&str, &str)) -> String {
    let process = |name: &str, (declarations, edge): (&str, &str)| {
        format!(
            "process {name}() {{
    {declarations}
    state S, T;
    init S;
    trans S -> T {{ {edge} }};
}}
"
        )
    };
    format!("{global}\n{}{}system P, Q;\n", process("P", one), process("Q", other))
}

/// The first parameter is mapped to the first, not to the second.
#[test]
fn parameters_keep_their_positions() {
    let pair = |one: &str, other: &str, call: &str| {
        let function = |body: &str| format!("int f(int a, int b) {{ return {body}; }}");
        two("int[0,9] n;", (&function(one), call), (&function(other), call))
    };
    check(&[
        ("alike", pair("a", "a", "assign n = f(3, 5);"), &["P Q"]),
        ("3 for one process, 5 for the other", pair("a", "b", "assign n = f(3, 5);"), NONE),
        ("2 for one process, an error for the other", pair("a - b", "b - a", "assign n = f(5, 3);"), NONE),
        ("6 is less than 9", pair("a < b", "b < a", "guard f(n, 5) == 1; assign n = 9;"), NONE),
    ]);
}

/// A selection is mapped to the one at its position, not to another of another range.
#[test]
fn selections_keep_their_positions() {
    let pair = |one: &str, other: &str| {
        let edge = |update: &str| format!("select a : int[0,1], b : int[0,5]; assign {update};");
        two("int[0,9] n;", ("", &edge(one)), ("", &edge(other)))
    };
    check(&[
        ("alike", pair("n = b", "n = b"), &["P Q"]),
        ("up to 1 for one process, up to 5 for the other", pair("n = a", "n = b"), NONE),
    ]);
}

/// If selections were mapped to each other, the image of a run would have to map their values.
#[test]
fn selections_are_mapped_with_their_processes() {
    // With equal ranges the selections can be exchanged with the processes. Then they are in the image of a run, too.
    let edge = |update: &str| format!("select a : int[0,5], b : int[0,5]; assign {update};");
    let text = two("int[0,9] n, m;", ("", &edge("n = a, m = b")), ("", &edge("n = b, m = a")));
    let model = uppaal(&text);
    let symmetry = find(&model, &Formulas::default(), Candidates::All);
    let p = model.processes.ids().next().expect("a process").index();
    for generator in symmetry.orbits.iter().flat_map(|orbit| &orbit.generators) {
        let (_, edge, selects) = generator.fired(p, 0, &[2, 4]);
        assert_eq!((edge, selects), (0, vec![4, 2]), "both write 2 to n and 4 to m");
    }
}

/// The variable of a quantifier or loop is mapped to that at its position.
#[test]
fn bound_names_keep_their_scopes() {
    let global = "int[0,1] m[2][2];\nint[0,99] n;";
    let guards = |one: &str, other: &str| {
        let guard = |body: &str| format!("guard {body};");
        two(global, ("", &guard(one)), ("", &guard(other)))
    };
    let rows = "forall (a : int[0,1]) exists (b : int[0,1]) m[a][b] == 1";
    let columns = "forall (a : int[0,1]) exists (b : int[0,1]) m[b][a] == 1";
    let outer = "exists (a : int[0,1]) exists (b : int[0,5]) n == a";
    let inner = "exists (a : int[0,1]) exists (b : int[0,5]) n == b";
    let few = "n < sum (a : int[0,1]) sum (b : int[0,3]) a";
    let many = "n < sum (a : int[0,1]) sum (b : int[0,3]) b";
    let loops = |one: &str, other: &str| {
        let function = |body: &str| {
            format!("void work() {{ for (a : int[0,1]) for (b : int[0,1]) n = (2 * n + m{body}) % 32; }}")
        };
        two(global, (&function(one), "assign work();"), (&function(other), "assign work();"))
    };
    check(&[
        ("alike", guards(rows, rows), &["P Q"]),
        ("rows for one process, columns for the other", guards(rows, columns), NONE),
        ("up to 1 for one process, up to 5 for the other", guards(outer, inner), NONE),
        ("4 for one process, 12 for the other", guards(few, many), NONE),
        ("loops alike", loops("[a][b]", "[a][b]"), &["P Q"]),
        ("digits by row for one process, by column for the other", loops("[a][b]", "[b][a]"), NONE),
    ]);
}

/// A cell of the model is never mapped to a local one.
#[test]
fn a_variable_is_no_selection() {
    let global = "int[0,1] g;\nint[0,1] n;";
    let edge = |value: &str| format!("select k : int[0,1]; assign n = {value};");
    let guard = |value: &str| format!("guard exists (k : int[0,1]) n != {value};");
    check(&[
        (
            "one process chooses, the other one writes 0",
            two(global, ("", &edge("k")), ("", &edge("g"))),
            NONE,
        ),
        ("one guard always holds", two(global, ("", &guard("k")), ("", &guard("g"))), NONE),
    ]);
}

/// Functions whose results have different ranges fail for different values.
#[test]
fn results_keep_their_ranges() {
    let function = |max: u32| format!("int[0,{max}] f() {{ return n; }}");
    let pair = |one: u32, other: u32| {
        two("int[0,9] n;", (&function(one), "assign n = f();"), (&function(other), "assign n = f();"))
    };
    check(&[("alike", pair(3, 3), &["P Q"]), ("4 is an error of one process alone", pair(3, 9), NONE)]);
}

/// Three processes that receive a broadcast, each with a variable of its own that goes up and down.
fn receivers(global: &str, range: &str, update: &str) -> String {
    format!(
        "{global}
typedef int[0,2] id_t;
broadcast chan all;
process P(const id_t i) {{
    int{range} m;
    state S;
    init S;
    trans S -> S {{ guard m < 3; assign m++; }},
          S -> S {{ guard m > 0; assign m -= 3; }},
          S -> S {{ sync all?; assign {update}; }};
}}
process Sender() {{ state S; init S; trans S -> S {{ sync all!; }}; }}
system P, Sender;
"
    )
}

/// `&=` goes down only where both numbers are not negative.
#[test]
fn operations_commute_with_their_errors() {
    check(&[
        ("upwards only", receivers("int[0,99] n;", "[0,3]", "n += m"), ALL),
        ("downwards only", receivers("int[-99,99] n;", "[0,3]", "n -= m"), ALL),
        ("-1 before 1 leaves the range", receivers("int[0,9] n;", "[-3,3]", "n += m"), NONE),
        ("bits are cleared", receivers("int[0,3] n = 3;", "[0,3]", "n &= m"), ALL),
        // -1 & 3 is 3 and leaves the range; -1 & 2 is 2, and 2 & 3 is 2.
        ("bits of a negative number are cleared", receivers("int[-1,2] n = -1;", "[0,3]", "n &= m"), NONE),
        ("bits are set", receivers("int[0,3] n;", "[0,3]", "n |= m"), ALL),
        ("missed: flipped bits that stay in range", receivers("int[0,3] n;", "[0,3]", "n ^= m"), NONE),
        ("a 0 decides whether a product leaves the range", receivers("int n;", "[0,3]", "n *= m"), NONE),
        ("a maximum is written", receivers("int[0,3] n;", "[0,3]", "n = n >? m"), NONE),
    ]);
}

/// Where sums wrap, adding what is not negative may go down.
#[test]
fn sums_that_wrap_do_not_go_one_way() {
    // 2147483647 + 2147483647 wraps to -2, and -2 + 3 is 1; 2147483647 + 3 wraps to less than -5, an error.
    let model = "// tourbillon: overflow wrap
typedef int[0,2] id_t;
broadcast chan all;
int[-5,2147483647] n = 2147483647;
process P(const id_t i) {
    int[0,2147483647] m;
    state S;
    init S;
    trans S -> S { assign m = 3; }, S -> S { assign m = 2147483647; }, S -> S { sync all?; assign n += m; };
}
process Sender() { state S; init S; trans S -> S { sync all!; }; }
system P, Sender;
";
    check(&[("the order decides whether there is an error", model.to_owned(), NONE)]);
}

/// Three processes with a flag each, and one that calls a function with a variable whose range is wider than the
/// function's.
fn by_reference(function: &str, edge: &str) -> String {
    format!(
        "typedef int[0,2] id_t;
bool flag[id_t];
bool mark[3];
int[-1,2] last = -1;
int[0,9] wide;
{function}
process P(const id_t i) {{
    state S, T;
    init S;
    trans S -> T {{ guard last != i; assign flag[i] = true; }}, T -> S {{ assign flag[i] = false; }};
}}
process Q() {{
    state S, T;
    init S;
    trans S -> S {{ guard wide < 9; assign wide++; }}, S -> T {{ {edge} }};
}}
system P, Q;
"
    )
}

/// A variable that is passed by reference may have a wider range than the parameter.
#[test]
fn references_may_leave_the_range_of_their_parameter() {
    let function = |parameter: &str| {
        format!(
            "bool f(const int[0,2] {parameter}) {{ return exists (j : id_t) flag[j] || (j != last && mark[v]); }}"
        )
    };
    let add = "int[0,9] n;\nvoid add(const int[0,3] &v) { n += v; }";
    check(&[
        ("by value it is in range", by_reference(&function("v"), "guard f(wide);"), ALL),
        // Where the variable is 9, a flag that is set hides the error from those after it.
        ("by reference the index may be outside", by_reference(&function("&v"), "guard f(wide);"), NONE),
        ("-1 before 1 leaves the range", receivers(add, "[-3,3]", "add(m)"), NONE),
    ]);
}
