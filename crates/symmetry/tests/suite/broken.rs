//! Symmetric networks with one change each: what is left of the symmetry.
//!
//! A row has the reason, the text that is replaced, its replacement and the orbits. The rows of `misses` have the
//! orbits that are found and then those that there are: proving the rest would take more than a comparison of parts.
//!
//! Initial values do not matter: a state and its permutations have permuted runs.

use tourbillon_model::Model;

use tourbillon_symmetry::{Candidates, Formulas, find};

use crate::shared::{described, orbits, tchecker, uppaal};

/// Why, what is replaced, by what, and the orbits then.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str]);

/// Why, what is replaced, by what, the orbits that are found, and those that there are.
type MissedRow<'a> = (&'a str, &'a str, &'a str, &'a [&'a str], &'a [&'a str]);

fn edit(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "`{from}` is in the text once");
    text.replacen(from, to, 1)
}

/// What differs from the rows, all of it.
fn check<'a>(model: impl Fn(&str, &str) -> Model, rows: impl IntoIterator<Item = Row<'a>>) {
    let differs = |(why, from, to, expected): Row<'a>| {
        let found = orbits(&model(from, to));
        (found != expected).then(|| format!("{why}\n  {from} -> {to}\n  {found:?}, expected {expected:?}"))
    };
    let failures: Vec<String> = rows.into_iter().filter_map(differs).collect();
    assert!(failures.is_empty(), "{} rows\n{}", failures.len(), failures.join("\n"));
}

fn changes(base: &str, rows: &[Row<'_>]) {
    check(|from, to| uppaal(&edit(base, from, to)), rows.iter().copied());
}

fn misses(base: &str, rows: &[MissedRow<'_>]) {
    let found = rows.iter().map(|&(why, from, to, found, truth)| {
        assert_ne!(found, truth, "{why}: nothing is missed");
        (why, from, to, found)
    });
    check(|from, to| uppaal(&edit(base, from, to)), found);
}

// Fischer's protocol: a variable that names a process, or none.

const FISCHER_HEAD: &str = "
const int K = 2;
typedef int[1,3] pid_t;
int[0,3] id;
";

const FISCHER_TEMPLATE: &str = "
process P(const pid_t pid) {
    clock x;
    int[0,3] tries;
    state A, req { x <= K }, wait, cs;
    init A;
    trans A -> req { guard id == 0; assign x = 0; },
          req -> wait { guard x <= K; assign x = 0, id = pid; },
          wait -> req { guard id == 0 && tries < 3; assign x = 0, tries++; },
          wait -> cs { guard x > K && id == pid; },
          cs -> A { assign id = 0, tries = 0; };
}
";

fn fischer() -> String {
    format!("{FISCHER_HEAD}{FISCHER_TEMPLATE}system P;\n")
}

const ALL: &[&str] = &["P(1) P(2) P(3)"];

#[test]
fn fischer_changed_in_one_process() {
    changes(
        &fischer(),
        &[
            ("nothing changes", "x > K && id == pid", "x > K && id == pid", ALL),
            ("a guard's constant", "x > K", "x > (pid == 3 ? 3 : K)", &["P(1) P(2)"]),
            ("three constants", "x > K", "x > K + pid", &[]),
            ("an invariant's bound", "x <= K }", "x <= (pid == 1 ? 1 : K) }", &["P(2) P(3)"]),
            ("a strict bound", "req { x <= K }", "req { x <= 9 && (pid == 1 imply x < 9) }", &["P(2) P(3)"]),
            ("the value of a reset", "x = 0, id = pid", "x = pid == 2 ? 1 : 0, id = pid", &["P(1) P(3)"]),
            ("a variable's range", "int[0,3] tries", "int[0,pid == 2 ? 4 : 3] tries", &["P(1) P(3)"]),
            ("a variable's initial value", "int[0,3] tries;", "int[0,3] tries = pid == 2;", ALL),
            ("a clock's initial value", "clock x;", "clock x = pid == 1 ? 5 : 0;", ALL),
            ("another variable in one process", "tries++", "tries += pid == 3 ? 2 : 1", &["P(1) P(2)"]),
            ("an edge that one process never takes", "x <= K;", "x <= K && pid != 2;", &["P(1) P(3)"]),
            ("odd numbers alone", "x <= K;", "x <= K && pid % 2 == 1;", &["P(1) P(3)"]),
        ],
    );
}

#[test]
fn fischer_with_a_process_that_is_named() {
    changes(
        &fischer(),
        &[
            ("the initial value names a process", "int[0,3] id;", "int[0,3] id = 2;", ALL),
            ("an update names a process", "assign id = 0, tries", "assign id = 1, tries", &["P(2) P(3)"]),
            ("a guard names a process", "tries < 3", "tries < 3 && id != 3", &["P(1) P(2)"]),
            ("no process has the number 4", "int[0,3] id;", "int[0,9] id = 4;", ALL),
            ("a range that excludes one number", "int[0,3] id;", "int[0,2] id;", &["P(1) P(2)"]),
            ("a range with room", "int[0,3] id;", "int id;", ALL),
            ("numbers are compared", "id == pid", "id <= pid", &[]),
            ("numbers are compared, other way", "id == pid", "id >= pid", &[]),
            ("the others", "id == pid", "id != pid", ALL),
            ("the remainder of a number", "id == pid", "id == pid % 2", &[]),
            (
                "the next in a circle",
                "assign id = 0, tries",
                "assign id = pid % 3 + 1, tries",
                &["(P(1) P(2) P(3))"],
            ),
            ("the next in a line", "assign id = 0, tries", "assign id = (id + 1) % 4, tries", &[]),
            ("a number is doubled", "id = pid", "id = (2 * pid) % 4", &["P(1) P(3)"]),
            ("numbers count as amounts", "tries < 3", "tries < id", &[]),
            ("twice the same", "id = pid", "id = pid, id = pid", ALL),
            ("a number is used as a bound", "x > K", "x > id", &[]),
        ],
    );
}

/// Two processes of Fischer's template, and one of a template that has been changed.
fn fischer_and_another(from: &str, to: &str) -> String {
    let other = edit(&FISCHER_TEMPLATE.replace("process P(", "process Q("), from, to);
    format!("{FISCHER_HEAD}{FISCHER_TEMPLATE}{other}P1 = P(1);\nP2 = P(2);\nQ3 = Q(3);\nsystem P1, P2, Q3;\n")
}

#[test]
fn fischer_with_another_template() {
    let rows: &[Row<'_>] = &[
        ("two templates alike", "clock x", "clock x", &["P1 P2 Q3"]),
        ("names do not matter", "clock x;", "clock x; const int more = 1;", &["P1 P2 Q3"]),
        ("urgent", "init A;", "urgent wait; init A;", &["P1 P2"]),
        ("committed", "init A;", "commit wait; init A;", &["P1 P2"]),
        ("another initial location", "init A;", "init wait;", &["P1 P2 Q3"]),
        ("another target", "wait -> req {", "wait -> A {", &["P1 P2"]),
        ("another source", "wait -> req {", "req -> req {", &["P1 P2"]),
        (
            "a missing edge",
            "wait -> req { guard id == 0 && tries < 3; assign x = 0, tries++; },",
            "",
            &["P1 P2"],
        ),
        ("an edge more", "trans", "trans A -> A { },", &["P1 P2"]),
        ("an edge twice", "trans", "trans wait -> cs { guard x > K && id == pid; },", &["P1 P2"]),
        ("a location more", "state A,", "state A, B,", &["P1 P2"]),
        ("no invariant", "req { x <= K }", "req", &["P1 P2"]),
        ("a strict guard", "x <= K;", "x < K;", &["P1 P2"]),
        ("a guard less", "x > K && id == pid", "x > K", &["P1 P2"]),
        ("no reset", "x = 0, id = pid", "id = pid", &["P1 P2"]),
        ("another order of updates that matters", "id = 0, tries = 0", "tries = id == 0, id = 0", &["P1 P2"]),
        ("a variable more that nothing uses", "clock x;", "clock x; int[0,1] spare;", &["P1 P2 Q3"]),
        ("a clock more that nothing uses", "clock x;", "clock x, y;", &["P1 P2 Q3"]),
        ("uncontrollable edges are edges", "A -> req", "A -u-> req", &["P1 P2 Q3"]),
        (
            "missed: locations in another order",
            "state A, req { x <= K }, wait, cs;",
            "state wait, cs, A, req { x <= K };",
            &["P1 P2"],
        ),
        (
            "edges in another order",
            "trans A -> req { guard id == 0; assign x = 0; },\n          req -> wait { guard x <= K; assign x = 0, id = pid; },",
            "trans req -> wait { guard x <= K; assign x = 0, id = pid; },\n          A -> req { guard id == 0; assign x = 0; },",
            &["P1 P2 Q3"],
        ),
        ("missed: updates that commute in another order", "x = 0, id = pid", "id = pid, x = 0", &["P1 P2"]),
        ("conjuncts in another order", "id == 0 && tries < 3", "tries < 3 && id == 0", &["P1 P2 Q3"]),
        ("missed: operands in another order", "&& id == pid", "&& pid == id", &["P1 P2"]),
    ];
    check(|from, to| uppaal(&fischer_and_another(from, to)), rows.iter().copied());
}

#[test]
fn fischer_with_priorities_of_processes() {
    let base =
        format!("{FISCHER_HEAD}{FISCHER_TEMPLATE}P1 = P(1);\nP2 = P(2);\nP3 = P(3);\nsystem P1, P2, P3;\n");
    changes(
        &base,
        &[
            ("one group", "P1, P2, P3;", "P3, P1, P2;", &["P3 P1 P2"]),
            ("one below", "P1, P2, P3;", "P1 < P2, P3;", &["P2 P3"]),
            ("one above", "P1, P2, P3;", "P1, P2 < P3;", &["P1 P2"]),
            ("a line", "P1, P2, P3;", "P1 < P2 < P3;", &[]),
            ("two of the same number", "P2 = P(2);", "P2 = P(1);", &["P1 P2"]),
            ("a number that is not held by others", "P3 = P(3);", "P3 = P(2);", &["P2 P3"]),
        ],
    );
}

// Constants for each process.

const CONSTANTS: &str = "
typedef int[0,3] id_t;
const int D[id_t] = { 4, 4, 4, 4 };
int[-1,3] turn = -1;
process P(const id_t i) {
    clock x;
    state Off, On { x <= D[i] };
    init Off;
    trans Off -> On { guard turn == -1; assign x = 0, turn = i; },
          On -> Off { guard turn == i && x >= D[i]; assign turn = -1; };
}
process Timer() {
    clock y;
    state S;
    init S;
    trans S -> S { guard turn != -1 && y > 7; assign y = 0; };
}
system P, Timer;
";

#[test]
fn constants_for_each_process() {
    changes(
        CONSTANTS,
        &[
            ("equal constants", "D[id_t]", "D[id_t]", &["P(0) P(1) P(2) P(3)"]),
            ("one differs", "{ 4, 4, 4, 4 }", "{ 4, 4, 4, 5 }", &["P(0) P(1) P(2)"]),
            ("two and two", "{ 4, 4, 4, 4 }", "{ 4, 5, 4, 5 }", &["P(0) P(2)", "P(1) P(3)"]),
            ("two in the middle", "{ 4, 4, 4, 4 }", "{ 3, 4, 4, 5 }", &["P(1) P(2)"]),
            ("all differ", "{ 4, 4, 4, 4 }", "{ 3, 4, 5, 6 }", &[]),
            ("looked up by the turn", "y > 7", "y > D[turn]", &["P(0) P(1) P(2) P(3)"]),
            ("the first is looked up", "y > 7", "y > D[0]", &["P(0) P(1) P(2) P(3)"]),
            ("the turn as an amount", "y > 7", "y > turn", &[]),
            ("the turn of the last", "turn != -1 && y", "turn == 3 && y", &["P(0) P(1) P(2)"]),
            (
                "the turn of one of two",
                "turn != -1 && y",
                "(turn == 1 || turn == 2) && y",
                &["P(0) P(3)", "P(1) P(2)"],
            ),
        ],
    );
    changes(
        &edit(CONSTANTS, "y > 7", "y > D[turn]"),
        &[
            ("one differs", "{ 4, 4, 4, 4 }", "{ 4, 4, 4, 5 }", &["P(0) P(1) P(2)"]),
            ("two and two", "{ 4, 4, 4, 4 }", "{ 4, 5, 4, 5 }", &["P(0) P(2)", "P(1) P(3)"]),
        ],
    );
    // The processes do not use the constants; another one looks them up.
    let looked_up = edit(&edit(CONSTANTS, "x <= D[i]", "x <= 4"), "x >= D[i]", "x >= 4");
    changes(
        &edit(&looked_up, "y > 7", "y > D[turn]"),
        &[
            ("equal constants", "D[id_t]", "D[id_t]", &["P(0) P(1) P(2) P(3)"]),
            ("one differs", "{ 4, 4, 4, 4 }", "{ 4, 4, 5, 4 }", &["P(0) P(1) P(3)"]),
            ("all differ", "{ 4, 4, 4, 4 }", "{ 3, 4, 5, 6 }", &[]),
        ],
    );
}

// Arrays with an element for each process, and one process that reads and writes all.

const ARRAYS: &str = "
typedef int[0,2] id_t;
bool flag[id_t];
int[0,9] level[id_t];
int[0,99] n;
int[-1,2] last = -1;
void work() {
    for (i : id_t) flag[i] = false;
}
process P(const id_t i) {
    clock x;
    state Idle, Busy { x <= 5 };
    init Idle;
    trans Idle -> Busy { guard !flag[i] && n < 50; assign flag[i] = true, x = 0; },
          Busy -> Idle { guard x >= 3 && last != i; assign flag[i] = false, level[i] = 1; },
          Busy -> Busy { guard level[i] < 9; assign level[i]++, x = 0; };
}
process Watch() {
    int[0,99] total;
    state S, T;
    init S;
    trans S -> T { guard n < 60; assign work(); },
          T -> S { guard total == 0; };
}
system P, Watch;
";

const THREE: &[&str] = &["P(0) P(1) P(2)"];

#[test]
fn initial_values_of_arrays() {
    changes(
        ARRAYS,
        &[
            ("equal values", "bool flag[id_t];", "bool flag[id_t] = { true, true, true };", THREE),
            ("one differs", "bool flag[id_t];", "bool flag[id_t] = { true, false, true };", THREE),
            ("all differ", "level[id_t];", "level[id_t] = { 3, 1, 2 };", THREE),
            ("one names a process", "last = -1;", "last = 2;", THREE),
            ("as many elements as numbers and more", "level[id_t];", "level[4] = { 1, 1, 1, 7 };", THREE),
        ],
    );
}

#[test]
fn quantifiers_over_numbers() {
    changes(
        ARRAYS,
        &[
            ("all", "guard n < 60", "guard forall (i : id_t) flag[i]", THREE),
            ("some", "guard n < 60", "guard exists (i : id_t) flag[i] && level[i] == 2", THREE),
            (
                "no two",
                "guard n < 60",
                "guard forall (i : id_t) forall (j : id_t) i != j imply !(flag[i] && flag[j])",
                THREE,
            ),
            ("the named one", "guard n < 60", "guard exists (i : id_t) i == last && flag[i]", THREE),
            ("a sum", "guard n < 60", "guard sum (i : id_t) level[i] > 4", THREE),
            ("a weighted sum", "guard n < 60", "guard sum (i : id_t) i * level[i] > 4", &[]),
            ("one flag", "guard n < 60", "guard flag[1]", &["P(0) P(2)"]),
            ("two flags", "guard n < 60", "guard flag[1] && flag[2]", &["P(1) P(2)"]),
            ("two flags in turn", "guard n < 60", "guard flag[1] && !flag[2]", &[]),
            ("an order of levels", "guard n < 60", "guard level[0] < level[1]", &[]),
            ("all but one", "guard n < 60", "guard forall (i : id_t) i == 0 || flag[i]", &["P(1) P(2)"]),
            (
                "sorted",
                "guard n < 60",
                "guard forall (i : id_t) forall (j : id_t) i < j imply level[i] <= level[j]",
                &[],
            ),
            ("by number", "guard n < 60", "guard level[last == -1 ? 0 : last] == 0", &["P(1) P(2)"]),
            // After one element that is true the others are not evaluated: with 0 as a level, the order decides
            // whether there is a division by 0.
            (
                "an error that depends on order",
                "guard n < 60",
                "guard exists (i : id_t) 8 / level[i] == 8",
                &[],
            ),
            ("an index that may be outside", "guard n < 60", "guard exists (i : id_t) flag[level[i]]", &[]),
        ],
    );
}

#[test]
fn loops_over_numbers() {
    let body = "for (i : id_t) flag[i] = false;";
    changes(
        ARRAYS,
        &[
            ("own elements", body, "for (i : id_t) { flag[i] = false; level[i] = 0; }", THREE),
            ("own elements from own elements", body, "for (i : id_t) level[i] = flag[i] ? 1 : 0;", THREE),
            ("a count", body, "for (i : id_t) if (flag[i]) n++;", THREE),
            ("a sum", body, "for (i : id_t) n += level[i];", THREE),
            ("a disjunction", body, "for (i : id_t) n |= level[i];", THREE),
            ("a number in binary", body, "for (i : id_t) n = (n * 2 + flag[i]) % 64;", &[]),
            ("the last one in order", body, "for (i : id_t) if (flag[i]) last = i;", &[]),
            ("the first one in order", body, "for (i : id_t) if (flag[i] && last == -1) last = i;", &[]),
            ("elements move up", body, "for (i : id_t) flag[i] = flag[(i + 1) % 3];", &[]),
            ("at most two", body, "for (i : id_t) if (n < 2) { flag[i] = true; n++; }", &[]),
            ("a counter as a level", body, "for (i : id_t) { level[i] = n % 10; n++; }", &[]),
            ("what others wrote, a count", body, "for (i : id_t) if (n < 4) n += level[i];", &[]),
            ("returns early", body, "for (i : id_t) { if (flag[i]) return; flag[i] = true; }", &[]),
            ("not all of them", body, "for (i : int[1,2]) flag[i] = false;", &["P(1) P(2)"]),
            ("one left out", body, "for (i : id_t) if (i != 1) flag[i] = false;", &["P(0) P(2)"]),
            ("an outer number", body, "for (i : id_t) level[i] = i;", &[]),
            ("later pairs", body, "for (i : id_t) for (j : id_t) if (i < j && flag[i]) level[j] = 0;", &[]),
            ("a local accumulator", body, "int m = 0; for (i : id_t) m += level[i]; n = m;", THREE),
            (
                "whose level is greatest",
                body,
                "for (i : id_t) if (level[i] > n) { n = level[i]; last = i; }",
                &[],
            ),
            ("the old sum", body, "n = n + sum (i : id_t) level[i];", THREE),
        ],
    );
    misses(
        ARRAYS,
        &[
            ("the last number", body, "for (i : id_t) last = i;", &[], &["P(0) P(1)"]),
            ("the last element", body, "for (i : id_t) n = level[i];", &[], &["P(0) P(1)"]),
            ("what others wrote", body, "for (i : id_t) if (!flag[2]) flag[i] = true;", &[], &["P(0) P(1)"]),
            ("pairs", body, "for (i : id_t) for (j : id_t) if (i != j && flag[i]) level[j] = 0;", &[], THREE),
            (
                "a local that survives an iteration",
                body,
                "bool seen = false; for (i : id_t) { if (!seen) flag[i] = false; seen = true; }",
                &[],
                &["P(1) P(2)"],
            ),
            ("a greatest level", body, "for (i : id_t) if (level[i] > n) n = level[i];", &[], THREE),
            ("element by element", body, "flag[0] = false; flag[1] = false; flag[2] = false;", &[], THREE),
            ("two elements", body, "flag[0] = false; flag[2] = false;", &[], &["P(0) P(2)"]),
            ("counting up", body, "int i = 0; while (i < 3) { flag[i] = false; i++; }", &[], THREE),
        ],
    );
}

#[test]
fn loops_over_numbers_that_are_compared() {
    let body = "for (i : id_t) flag[i] = false;";
    let rows: &[Row<'_>] = &[
        ("own elements", body, "for (i : id_t) if (i != last) { flag[i] = false; level[i] = 0; }", THREE),
        ("a count", body, "for (i : id_t) if (i != last && flag[i]) n++;", THREE),
        ("a sum", body, "for (i : id_t) if (i != last) n += level[i];", THREE),
        ("one element counts", body, "for (i : id_t) if (i != last) level[i] += level[i] < 9;", THREE),
        ("not all of them", body, "for (i : int[1,2]) if (i != last) flag[i] = false;", &["P(1) P(2)"]),
        ("one is named", body, "for (i : id_t) if (i != last && i != 1) flag[i] = false;", &["P(0) P(2)"]),
        ("the last number", body, "for (i : id_t) if (i != last) last = i;", &[]),
        ("the last one in order", body, "for (i : id_t) if (i != last && flag[i]) last = i;", &[]),
        ("a number in binary", body, "for (i : id_t) if (i != last) n = (n * 2 + flag[i]) % 64;", &[]),
        ("elements move up", body, "for (i : id_t) if (i != last) flag[i] = flag[(i + 1) % 3];", &[]),
        ("at most two", body, "for (i : id_t) if (i != last && n < 2) { flag[i] = true; n++; }", &[]),
        ("a counter as a level", body, "for (i : id_t) if (i != last) { level[i] = n % 10; n++; }", &[]),
        ("a count that is used", body, "for (i : id_t) if (i != last) level[i] = n++ % 10;", &[]),
        ("a sum below a limit", body, "for (i : id_t) if (i != last && n < 4) n += level[i];", &[]),
        ("up and down", body, "for (i : id_t) if (i != last) { n += flag[i]; n -= level[i]; }", &[]),
        ("returns early", body, "for (i : id_t) { if (i != last && flag[i]) return; flag[i] = true; }", &[]),
        ("a flag of all", body, "for (i : id_t) if (i != last) flag[i] = exists (j : id_t) flag[j];", &[]),
        (
            "whose level is greatest",
            body,
            "for (i : id_t) if (i != last && level[i] > n) { n = level[i]; last = i; }",
            &[],
        ),
        (
            "later pairs",
            body,
            "for (i : id_t) for (j : id_t) if (i != last && i < j && flag[i]) level[j] = 0;",
            &[],
        ),
        ("a number as a level", body, "for (i : id_t) if (i != last) level[i] = i;", &[]),
    ];
    changes(ARRAYS, rows);
    let guard = "guard n < 60";
    changes(
        &edit(ARRAYS, body, "for (i : id_t) if (i != last) flag[i] = false;"),
        &[
            ("all", guard, "guard forall (i : id_t) i == last || flag[i]", THREE),
            ("a sum", guard, "guard sum (i : id_t) (i == last ? 0 : level[i]) > 4", THREE),
            (
                "no two",
                guard,
                "guard forall (i : id_t) forall (j : id_t) i == last || j == last || i == j || !flag[i] || !flag[j]",
                THREE,
            ),
            ("one flag", guard, "guard flag[1]", &["P(0) P(2)"]),
            ("a weighted sum", guard, "guard sum (i : id_t) (i == last ? 0 : i * level[i]) > 4", &[]),
            (
                "sorted",
                guard,
                "guard forall (i : id_t) forall (j : id_t) i == last || j <= i || level[i] <= level[j]",
                &[],
            ),
            (
                "an error that depends on order",
                guard,
                "guard exists (i : id_t) i != last && 8 / level[i] == 8",
                &[],
            ),
            ("the named one", guard, "guard last != -1 && flag[last]", THREE),
            ("one or the named one", guard, "guard flag[last == -1 ? 0 : last]", &["P(1) P(2)"]),
            ("one differs at first", "bool flag[id_t];", "bool flag[id_t] = { true, false, true };", THREE),
            ("all differ at first", "level[id_t];", "level[id_t] = { 3, 1, 2 };", THREE),
            ("one is named at first", "last = -1;", "last = 2;", THREE),
            (
                "one is copied after every transition",
                "process P(",
                "after_update { n = level[1] }\nprocess P(",
                &["P(0) P(2)"],
            ),
            (
                "one is cleared before every transition",
                "process P(",
                "before_update { flag[2] = false }\nprocess P(",
                &["P(0) P(1)"],
            ),
        ],
    );
}

#[test]
fn functions_that_name_a_process() {
    let base = edit(ARRAYS, "void work()", "int[-1,2] named() { return last; }\nvoid work()");
    changes(
        &base,
        &[
            ("a variable's value", "last != i", "named() != i", THREE),
            ("a constant", "return last;", "return 1;", THREE),
            ("the successor", "last != i", "(last + 1) % 3 != i", &[]),
        ],
    );
    let base = edit(&base, "last != i", "named() != i");
    changes(
        &base,
        &[
            ("a constant", "return last;", "return 1;", &["P(0) P(2)"]),
            (
                "the first with a flag",
                "return last;",
                "for (i : id_t) if (flag[i]) return i; return -1;",
                &[],
            ),
            ("none or the named", "return last;", "return n == 0 ? -1 : last;", THREE),
            ("one or the named", "return last;", "return n == 0 ? 0 : last;", &["P(1) P(2)"]),
            (
                "missed: a local is 0 at first, but is assigned before it is read",
                "return last;",
                "int[-1,2] r = last; return r;",
                &["P(1) P(2)"],
            ),
            (
                "a local whose default names a process",
                "return last;",
                "int[0,2] r; if (last != -1) r = last; return r;",
                &["P(1) P(2)"],
            ),
        ],
    );
    misses(
        &base,
        &[
            ("mirrored", "return last;", "return last == -1 ? -1 : 2 - last;", &[], &["P(0) P(2)"]),
            ("the largest of two", "return last;", "return last >? 0;", &[], &["P(1) P(2)"]),
        ],
    );
}

// Clocks in an array.

const CLOCKS: &str = "
typedef int[0,3] id_t;
clock x[id_t];
clock y;
int[-1,3] last = -1;
process P(const id_t i) {
    state Off, On { x[i] <= 5 };
    init Off;
    trans Off -> On { guard x[i] > 2; assign x[i] = 0; },
          On -> Off { guard x[i] >= 1; };
}
process Watch() {
    state S { y <= 50 }, T;
    init S;
    trans S -> T { select k : id_t; guard x[k] > 7; assign x[k] = 0; },
          T -> S { assign y = 0; };
}
system P, Watch;
";

const FOUR: &[&str] = &["P(0) P(1) P(2) P(3)"];

#[test]
fn clocks_in_an_array() {
    let rows: &[Row<'static>] = &[
        ("one of them", "x[k] > 7", "x[1] > 7", &["P(0) P(2) P(3)"]),
        ("any of them", "select k", "select k", FOUR),
        ("some of them", "select k : id_t", "select k : int[0,1]", &["P(0) P(1)", "P(2) P(3)"]),
        ("one is not selected", "x[k] > 7", "k != 3 && x[k] > 7", &["P(0) P(1) P(2)"]),
        ("the number as a bound", "x[k] > 7", "x[k] > k", &[]),
        ("the number as a value", "assign x[k] = 0", "assign x[k] = k", &[]),
        ("another starts later", "clock x[id_t];", "clock x[id_t] = { 0, 0, 1, 0 };", FOUR),
        ("all start later", "clock x[id_t];", "clock x[id_t] = { 3, 3, 3, 3 };", FOUR),
        ("two and two start later", "clock x[id_t];", "clock x[id_t] = { 1, 0, 0, 1 };", FOUR),
        ("a difference", "x[k] > 7", "x[k] > 7 && x[0] - x[1] <= 3", &["P(2) P(3)"]),
        ("a difference to a clock of none", "x[k] > 7", "x[k] - y <= 3", FOUR),
        ("an invariant on one", "S { y <= 50 }", "S { x[2] <= 50 }", &["P(0) P(1) P(3)"]),
        ("one is stopped", "S { y <= 50 }", "S { x[2]' == 0 }", &["P(0) P(1) P(3)"]),
        (
            "a process stops itself",
            "On { x[i] <= 5 }",
            "On { x[i] <= 5 && x[i]' == (i == 2) }",
            &["P(0) P(1) P(3)"],
        ),
        ("the shared clock copies one", "y = 0", "y = x[0]", &["P(1) P(2) P(3)"]),
        ("the shared clock copies any", "assign x[k] = 0", "assign y = x[k]", FOUR),
        (
            "one process resets another clock",
            "guard x[i] >= 1;",
            "guard x[i] >= 1; assign x[0] = 0;",
            &["P(1) P(2) P(3)"],
        ),
    ];
    changes(CLOCKS, rows);
    let named = edit(CLOCKS, "guard x[k] > 7", "guard k != last && x[k] > 7");
    changes(&edit(&named, "guard x[i] > 2;", "guard x[i] > 2 && last != i;"), rows);
    misses(
        CLOCKS,
        &[
            (
                "the next one is reset",
                "assign x[k] = 0",
                "assign x[(k + 1) % 4] = 0",
                &[],
                &["(P(0) P(1) P(2) P(3))"],
            ),
            ("an invariant on all", "S { y <= 50 }", "S { forall (i : id_t) x[i] <= 50 }", &[], FOUR),
            ("all are stopped", "S { y <= 50 }", "S { forall (i : id_t) x[i]' == 0 }", &[], FOUR),
        ],
    );
    let rows: &[Row<'_>] = &[(
        "a process stops a neighbour, and the other template has its shape",
        "On { x[i] <= 5 }",
        "On { x[i] <= 5 && x[(i + 1) % 4]' == 0 }",
        &["(P(0) P(1) P(2) P(3))"],
    )];
    changes(CLOCKS, rows);
}

// Channels in an array, and a controller.

const CHANNELS: &str = "
typedef int[0,2] id_t;
chan ask[id_t], grant[id_t], done[id_t];
int[-1,2] who = -1;
process P(const id_t i) {
    clock x;
    state Idle, Wait, Busy { x <= 4 };
    init Idle;
    trans Idle -> Wait { sync ask[i]!; },
          Wait -> Busy { sync grant[i]?; assign x = 0; },
          Busy -> Idle { guard x > 1; sync done[i]!; };
}
process Control() {
    state Free, Asked, Taken;
    commit Asked;
    init Free;
    trans Free -> Asked { select e : id_t; sync ask[e]?; assign who = e; },
          Asked -> Taken { sync grant[who]!; },
          Taken -> Free { select e : id_t; guard e == who; sync done[e]?; assign who = -1; };
}
system P, Control;
";

#[test]
fn channels_in_an_array() {
    let rows: &[Row<'static>] = &[
        ("any is served", "init Idle", "init Idle", THREE),
        ("some are served", "e : id_t; sync ask", "e : int[0,1]; sync ask", &["P(0) P(1)"]),
        ("one is not served", "e : id_t; sync ask", "e : id_t; guard e != 1; sync ask", &["P(0) P(2)"]),
        ("one is granted whoever asks", "sync grant[who]!", "sync grant[0]!", &["P(1) P(2)"]),
        ("below a number", "guard e == who;", "guard e <= who;", &[]),
        ("the same again", "assign who = -1;", "assign who = 0;", &["P(1) P(2)"]),
        ("it starts with a process", "int[-1,2] who = -1;", "int[-1,2] who = 1;", THREE),
        ("it starts with the first", "int[-1,2] who = -1;", "int[-1,2] who;", THREE),
        ("not part of the state", "int[-1,2] who = -1;", "meta int[-1,2] who = -1;", THREE),
        ("not part of the state, the first", "int[-1,2] who = -1;", "meta int[-1,2] who;", &["P(1) P(2)"]),
        ("all urgent", "chan ask", "urgent chan ask", THREE),
        ("another channel", "sync ask[i]!", "sync ask[i == 2 ? 0 : i]!", &[]),
        (
            "another direction",
            "Idle -> Wait { sync ask[i]!; },",
            "Idle -> Wait { guard i != 2; sync ask[i]!; }, Idle -> Wait { guard i == 2; sync ask[i]?; },",
            &["P(0) P(1)"],
        ),
        ("a priority of one", "process P(", "chan priority default < grant[1];\nprocess P(", &["P(0) P(2)"]),
        ("a priority of all", "process P(", "chan priority default < grant;\nprocess P(", THREE),
        (
            "a priority of two",
            "process P(",
            "chan priority done[0], done[1] < default;\nprocess P(",
            &["P(0) P(1)"],
        ),
        ("priorities in a line", "process P(", "chan priority ask[0] < ask[1] < ask[2];\nprocess P(", &[]),
        (
            "priorities in a line of arrays",
            "process P(",
            "chan priority ask < grant < done;\nprocess P(",
            THREE,
        ),
    ];
    changes(CHANNELS, rows);
    changes(&edit(CHANNELS, "guard x > 1;", "guard x > 1 && who == i;"), rows);
    changes(
        CHANNELS,
        &[
            (
                "two edges for different ones",
                "Free -> Asked { select e : id_t; sync ask[e]?; assign who = e; },",
                "Free -> Asked { sync ask[0]?; assign who = 0; }, Free -> Asked { sync ask[2]?; assign who = 2; },",
                &["P(0) P(2)"],
            ),
            (
                "an edge for each",
                "Free -> Asked { select e : id_t; sync ask[e]?; assign who = e; },",
                "Free -> Asked { sync ask[0]?; assign who = 0; }, Free -> Asked { sync ask[2]?; assign who = 2; }, Free -> Asked { sync ask[1]?; assign who = 1; },",
                THREE,
            ),
        ],
    );
    misses(CHANNELS, &[("by number", "sync grant[who]!", "sync grant[2 - who]!", &[], &["P(0) P(2)"])]);
}

const CHANNEL_PARAMETERS: &str = "
chan a, b, c;
chan d;
process P(chan &out) {
    clock x;
    state S { x <= 3 };
    init S;
    trans S -> S { guard x > 1; sync out!; assign x = 0; };
}
process R() {
    state S;
    init S;
    trans S -> S { sync a?; }, S -> S { sync b?; }, S -> S { sync c?; }, S -> S { sync d?; };
}
A = P(a);
B = P(b);
C = P(c);
system A, B, C, R;
";

#[test]
fn channels_as_parameters() {
    changes(
        CHANNEL_PARAMETERS,
        &[
            ("a channel each", "A = P(a)", "A = P(a)", &["A B C"]),
            ("an urgent one", "chan d;", "chan d; urgent chan e;", &["A B C"]),
            ("no receiver for one", "S -> S { sync b?; }, ", "", &["A C"]),
            (
                "two receivers for one",
                "S -> S { sync d?; }",
                "S -> S { sync d?; }, S -> S { sync a?; }",
                &["B C"],
            ),
            ("two share a channel", "B = P(b)", "B = P(a)", &["A B"]),
            ("all share a channel", "B = P(b);\nC = P(c);", "B = P(a);\nC = P(a);", &["A B C"]),
            (
                "one of them is urgent",
                "chan a, b, c;\nchan d;\nprocess P(chan &out) {\n    clock x;\n    state S { x <= 3 };\n    init S;\n    trans S -> S { guard x > 1;",
                "chan a, b, d;\nurgent chan c;\nprocess P(chan &out) {\n    clock x;\n    state S { x <= 3 };\n    init S;\n    trans S -> S {",
                &["A B"],
            ),
            ("one of them is broadcast", "chan a, b, c;", "chan a, c; broadcast chan b;", &["A C"]),
        ],
    );
}

// Broadcast: receivers are executed in the order of the system line.

const BROADCAST: &str = "
typedef int[0,2] id_t;
broadcast chan all;
int[0,9] count;
int[-1,2] last = -1;
int[0,9] own[id_t];
int[0,9] data;
clock y;
process P(const id_t i) {
    clock x;
    state Idle { x <= 9 }, Ready;
    init Idle;
    trans Idle -> Ready { guard x > 3 && last != i; },
          Ready -> Idle { sync all?; assign x = 0; };
}
process Sender() {
    state S;
    init S;
    trans S -> S { guard y > 10 && count < 5; sync all!; assign y = 0; };
}
system P, Sender;
";

#[test]
fn receivers_of_a_broadcast() {
    let update = "sync all?; assign x = 0;";
    changes(
        BROADCAST,
        &[
            ("own clocks", update, update, THREE),
            ("own elements", update, "sync all?; assign x = 0, own[i] = 1;", THREE),
            (
                "own elements, from what the sender wrote",
                update,
                "sync all?; assign x = 0, own[i] = data;",
                THREE,
            ),
            ("a count", update, "sync all?; assign x = 0, count++;", THREE),
            ("the last number", update, "sync all?; assign x = 0, last = i;", &[]),
            ("the first number", update, "sync all?; assign x = 0, last = last == -1 ? i : last;", &[]),
            ("a count that is read", update, "sync all?; assign x = 0, count++, own[i] = count;", &[]),
            ("a count that is read at once", update, "sync all?; assign x = 0, own[i] = count++;", &[]),
            ("the first takes all", update, "sync all?; assign x = 0, own[i] = data, data = 0;", &[]),
            ("a digit each", update, "sync all?; assign x = 0, count = (2 * count + own[i]) % 8;", &[]),
            (
                "what the receiver before wrote",
                update,
                "sync all?; assign x = 0, own[i] = own[(i + 2) % 3];",
                &[],
            ),
            ("the element of one", update, "sync all?; assign x = 0, own[0] = i;", &[]),
            ("a shared clock copies", update, "sync all?; assign y = x;", &[]),
            (
                "an own number, then another's",
                update,
                "sync all?; assign x = 0, last = i, own[last] = 1;",
                &[],
            ),
            (
                "one process more receives",
                "Idle -> Ready {",
                "Idle -> Idle { guard i == 1; sync all?; }, Idle -> Ready {",
                &["P(0) P(2)"],
            ),
            (
                "one sends",
                update,
                "guard i != 1; sync all?; assign x = 0; }, Ready -> Idle { guard i == 1; sync all!; assign x = 0;",
                &["P(0) P(2)"],
            ),
            (
                "a function with a count",
                "process P(const id_t i) {",
                "process P(const id_t i) { void note() { count++; }",
                THREE,
            ),
        ],
    );
    let noted = edit(
        &edit(BROADCAST, "process P(", "void note(id_t k) { count++; }\nprocess P("),
        update,
        "sync all?; assign x = 0, note(i);",
    );
    changes(
        &noted,
        &[
            ("a count", "count++;", "count++;", THREE),
            ("the last number", "count++;", "last = k;", &[]),
            ("own elements counted", "count++;", "own[k]++;", THREE),
            ("the elements of all counted", "count++;", "for (j : id_t) own[j]++;", THREE),
            ("the elements of others, and one's own", "count++;", "for (j : id_t) own[j] = j == k;", &[]),
            ("one's own after others", "count++;", "own[k] = sum (j : id_t) own[j];", &[]),
        ],
    );
    misses(
        &noted,
        &[
            ("own elements", "count++;", "own[k] = 1;", &[], THREE),
            ("the elements of others", "count++;", "for (j : id_t) if (j != k) own[j] = 1;", &[], THREE),
        ],
    );
    misses(
        BROADCAST,
        &[
            ("the same value", update, "sync all?; assign x = 0, count = 4;", &[], THREE),
            ("a shared clock", update, "sync all?; assign x = 0, y = 0;", &[], THREE),
            (
                "a guard that a receiver changes",
                update,
                "guard count == 0; sync all?; assign x = 0, count = 1;",
                &[],
                THREE,
            ),
        ],
    );
}

// Each process has a controller of its own.

const PAIRS: &str = "
typedef int[0,2] id_t;
chan start[id_t], stop[id_t];
process A(const id_t i) {
    state Off, On;
    init Off;
    trans Off -> On { sync start[i]?; }, On -> Off { sync stop[i]?; };
}
process B(const id_t i) {
    clock x;
    state S, T { x <= 5 };
    init S;
    trans S -> T { sync start[i]!; assign x = 0; },
          T -> S { guard x > 2; sync stop[i]!; },
          T -> T { guard x > 4; };
}
system A, B;
";

#[test]
fn pairs_move_together() {
    changes(
        PAIRS,
        &[
            ("pairs", "init Off", "init Off", &["A(0) A(1) A(2)"]),
            ("one half differs", "x > 2", "x > (i == 1 ? 3 : 2)", &["A(0) A(2)"]),
            ("the other half differs", "Off -> On {", "Off -> On { guard i != 1;", &["A(0) A(2)"]),
            (
                "crossed over",
                "sync start[i]!; assign x = 0; },\n          T -> S { guard x > 2; sync stop[i]!",
                "sync start[2 - i]!; assign x = 0; },\n          T -> S { guard x > 2; sync stop[2 - i]!",
                &["A(0) A(1) A(2)"],
            ),
            (
                "one half is urgent",
                "system A, B;",
                "process C() {
    clock x;
    state S, T { x <= 5 };
    urgent S;
    init S;
    trans S -> T { sync start[1]!; assign x = 0; },
          T -> S { guard x > 2; sync stop[1]!; },
          T -> T { guard x > 4; };
}
B0 = B(0); B2 = B(2);
system A, B0, C, B2;",
                &["A(0) A(2)"],
            ),
            ("one channel crossed over", "sync stop[i]!", "sync stop[2 - i]!", &["A(0) A(2)"]),
            ("the next one is stopped", "sync stop[i]!", "sync stop[(i + 1) % 3]!", &["(A(0) A(1) A(2))"]),
        ],
    );
    let rows: &[Row<'_>] = &[(
        "without partners",
        "sync start[i]!; assign x = 0; },\n          T -> S { guard x > 2; sync stop[i]!",
        "assign x = 0; },\n          T -> S { guard x > 2",
        &["A(0) A(1) A(2)", "B(0) B(1) B(2)"],
    )];
    changes(PAIRS, rows);
}

/// Both halves have one shape, so they are candidates for each other, and each moves with its partner.
#[test]
fn pairs_of_one_shape_move_together() {
    let of_one_shape = edit(PAIRS, ",\n          T -> T { guard x > 4; }", "");
    let all = &["A(0) A(1) A(2)"];
    changes(
        &of_one_shape,
        &[
            ("pairs", "init Off", "init Off", all),
            ("the other half first", "system A, B;", "system B, A;", &["B(0) B(1) B(2)"]),
            (
                "in another order",
                "system A, B;",
                "A0 = A(0); A1 = A(1); A2 = A(2); B0 = B(0); B1 = B(1); B2 = B(2);
                 system B2, A0, A1, B0, B1, A2;",
                &["A0 A1 A2"],
            ),
            ("one half differs", "x > 2", "x > (i == 1 ? 3 : 2)", &["A(0) A(2)"]),
            ("the other half differs", "Off -> On {", "Off -> On { guard i != 1;", &["A(0) A(2)"]),
            ("one channel crossed over", "sync stop[i]!", "sync stop[2 - i]!", &["A(0) A(2)"]),
            ("the next one is stopped", "sync stop[i]!", "sync stop[(i + 1) % 3]!", &["(A(0) A(1) A(2))"]),
            (
                "two sets of pairs",
                "system A, B;",
                "chan go[id_t], end[id_t];
                 process C(const id_t i) {
                     state Off, On;
                     init Off;
                     trans Off -> On { sync go[i]?; }, On -> Off { sync end[i]?; };
                 }
                 process D(const id_t i) {
                     state Off, On;
                     init Off;
                     trans Off -> On { sync go[i]!; }, On -> Off { sync end[i]!; };
                 }
                 system A, C, B, D;",
                &["A(0) A(1) A(2)", "C(0) C(1) C(2)"],
            ),
            (
                "a third process for each",
                "system A, B;",
                "process C(const id_t i) {
                     state Off, On;
                     init Off;
                     trans Off -> On { sync start[i]?; }, On -> Off { };
                 }
                 system A, B, C;",
                all,
            ),
        ],
    );
}

/// Two rings of one shape: each rotates alone, or with the other.
#[test]
fn rings_of_one_shape() {
    let rings = "
        typedef int[0,3] id_t; chan p[id_t], q[id_t]; bool has[id_t];
        process P(const id_t i) {
            state Idle, Has; init Idle;
            trans Idle -> Has { sync p[i]?; assign has[i] = true; }, Has -> Idle { sync p[(i + 1) % 4]!; };
        }
        process Q(const id_t i) {
            state Idle, Has; init Idle;
            trans Idle -> Has { sync q[i]?; }, Has -> Idle { sync q[(i + 1) % 4]!; };
        }
        system P, Q;";
    let (one, other) = ("(P(0) P(1) P(2) P(3))", "(Q(0) Q(1) Q(2) Q(3))");
    changes(
        rings,
        &[
            ("independent", "system", "system", &[one, other]),
            ("one waits for the other", "sync q[i]?", "guard has[i]; sync q[i]?", &[one]),
            ("one is broken", "sync q[i]?", "guard i != 2; sync q[i]?", &[one]),
        ],
    );
}

const SETS: &str = "
typedef int[0,2] p_t;
typedef int[0,1] q_t;
bool p[p_t], q[q_t];
process P(const p_t i) {
    clock x;
    state S { x <= 3 };
    init S;
    trans S -> S { guard x > 1; assign x = 0, p[i] = !p[i]; };
}
process Q(const q_t i) {
    clock x;
    state S { x <= 3 };
    init S;
    trans S -> S { guard x > 2; assign x = 0, q[i] = !q[i]; };
}
system P, Q;
";

#[test]
fn two_sets() {
    changes(
        SETS,
        &[
            ("independent", "x > 2", "x > 2", &["P(0) P(1) P(2)", "Q(0) Q(1)"]),
            ("of one shape", "x > 2", "x > 1", &["P(0) P(1) P(2) Q(0) Q(1)"]),
            ("one reads one of the other", "x > 2", "x > 2 && p[0]", &["P(1) P(2)", "Q(0) Q(1)"]),
            ("one of the other is broken", "x > 2", "x > (i == 0 ? 2 : 3)", &["P(0) P(1) P(2)"]),
            ("the first is broken", "x > 1", "x > 1 && i != 1", &["P(0) P(2)", "Q(0) Q(1)"]),
        ],
    );
    let rows: &[Row<'_>] = &[
        (
            "one reads all of the other",
            "x > 2",
            "x > 2 && (forall (j : p_t) p[j])",
            &["P(0) P(1) P(2)", "Q(0) Q(1)"],
        ),
        ("each reads one of the other", "x > 2", "x > 2 && p[i]", &["P(0) P(1)"]),
    ];
    changes(SETS, rows);
}

// Rings.

const RING: &str = "
const int N = 4;
typedef int[0,N-1] id_t;
chan pass[id_t];
process P(const id_t i) {
    clock x;
    state Idle, Has { x <= 3 };
    init Idle;
    trans Idle -> Has { sync pass[i]?; assign x = 0; },
          Idle -> Has { guard x > 20; assign x = 0; },
          Has -> Idle { guard x > 1; sync pass[(i + 1) % N]!; };
}
system P;
";

#[test]
fn rings() {
    changes(
        RING,
        &[
            ("a ring", "init Idle", "init Idle", &["(P(0) P(1) P(2) P(3))"]),
            ("a ring of three", "N = 4", "N = 3", &["(P(0) P(1) P(2))"]),
            ("a ring of two", "N = 4", "N = 2", &["P(0) P(1)"]),
            ("a ring of five", "N = 4", "N = 5", &["(P(0) P(1) P(2) P(3) P(4))"]),
            ("a first one", "guard x > 20;", "guard i == 0 && x > 20;", &[]),
            ("a first clock", "clock x;", "clock x = i == 0;", &["(P(0) P(1) P(2) P(3))"]),
            ("a first priority", "process P(", "chan priority default < pass[0];\nprocess P(", &[]),
            ("a slow one", "x > 1", "x > (i == 3)", &[]),
            (
                "a line",
                "guard x > 1; sync pass[(i + 1) % N]!;",
                "guard x > 1 && i < N - 1; sync pass[i < N - 1 ? i + 1 : 0]!;",
                &[],
            ),
            ("two rings of two", "(i + 1) % N", "(i + 2) % N", &["P(0) P(2)", "P(1) P(3)"]),
        ],
    );
    changes(
        RING,
        &[(
            "everybody",
            "guard x > 1; sync pass[(i + 1) % N]!;",
            "select k : id_t; guard x > 1 && k != i; sync pass[k]!;",
            &["P(0) P(1) P(2) P(3)"],
        )],
    );
}

// Before and after every transition; scalar sets.

#[test]
fn before_and_after_every_transition() {
    changes(
        ARRAYS,
        &[
            ("all", "process P(", "after_update { n = sum (i : id_t) level[i] }\nprocess P(", THREE),
            ("one", "process P(", "after_update { n = level[1] }\nprocess P(", &["P(0) P(2)"]),
            ("before", "process P(", "before_update { flag[2] = false }\nprocess P(", &["P(0) P(1)"]),
        ],
    );
}

const SCALARS: &str = "
typedef scalar[3] id_t;
bool flag[id_t];
id_t holder;
process P(const id_t i) {
    clock x;
    state Idle, Busy { x <= 5 };
    init Idle;
    trans Idle -> Busy { guard !flag[i]; assign flag[i] = true, x = 0; },
          Busy -> Idle { guard x > 2; assign flag[i] = false; };
}
system P;
";

#[test]
fn scalar_sets() {
    changes(
        SCALARS,
        &[
            (
                "a variable that nothing compares with a process",
                "init Idle",
                "init Idle",
                &["P(0) P(1) P(2)", "value 0 of holder value 1 of holder value 2 of holder"],
            ),
            ("a variable starts with the first", "x > 2", "x > 2 && holder != i", THREE),
            ("a variable is set to each", "assign flag[i] = false", "assign holder = i", THREE),
        ],
    );
}

const SCALARS_WITHOUT_PROCESSES: &str = "
typedef scalar[3] slot_t;
bool used[slot_t];
slot_t last;
process P() {
    state S;
    init S;
    trans S -> S { select i : slot_t; guard !used[i]; assign used[i] = true, last = i; },
          S -> S { guard used[last]; assign used[last] = false; };
}
system P;
";

#[test]
fn values_of_scalar_sets_are_exchanged_where_no_process_has_them() {
    let all: &[&str] = &["value 0 of last value 1 of last value 2 of last"];
    changes(
        SCALARS_WITHOUT_PROCESSES,
        &[
            ("all alike", "init S", "init S", all),
            (
                "another set",
                "slot_t last;",
                "slot_t last; scalar[2] other;",
                &[all[0], "value 0 of other value 1 of other"],
            ),
            (
                "one is used at first",
                "bool used[slot_t];",
                "bool used[slot_t] = { true, false, false };",
                all,
            ),
            (
                "the order of a loop",
                "process P()",
                "void f() { for (i : slot_t) if (used[i]) last = i; }\nprocess P()",
                all,
            ),
        ],
    );
    let calls = edit(SCALARS_WITHOUT_PROCESSES, "assign used[last] = false", "assign f()");
    let rows: &[Row<'_>] = &[
        (
            "it is called",
            "process P()",
            "void f() { for (i : slot_t) if (used[i]) last = i; }\nprocess P()",
            &[],
        ),
        (
            "all are cleared",
            "process P()",
            "void f() { for (i : slot_t) used[i] = false; }\nprocess P()",
            all,
        ),
    ];
    changes(&calls, rows);
}

/// Beside those of the scalar set there are processes that have integers as their numbers, and some that have both.
#[test]
fn declared_scalar_sets_alone() {
    let found = |text: &str| described(&find(&uppaal(text), &Formulas::default(), Candidates::ScalarSets));
    let values = "value 0 of holder value 1 of holder value 2 of holder";
    let integers = edit(SCALARS, "scalar[3]", "int[0,2]");
    assert_eq!(orbits(&uppaal(&integers)), THREE);
    assert!(found(&integers).is_empty());
    assert_eq!(found(SCALARS), [THREE[0], values]);
    let used = edit(SCALARS, "x > 2", "x > 2 && holder != i");
    assert_eq!(found(&used), THREE);
    let others = edit(&used, "system P;", "process Q(const int[0,2] n) { state S; init S; } system P, Q;");
    assert_eq!(orbits(&uppaal(&others)), [THREE[0], "Q(0) Q(1) Q(2)"]);
    assert_eq!(found(&others), THREE);
    let no_set = "process P(const scalar[2] i, const int[0,1] n) { state S; init S; } system P;";
    assert_eq!(orbits(&uppaal(no_set)), ["P(0,0) P(0,1) P(1,0) P(1,1)"]);
    assert_eq!(found(no_set), ["P(0,0) P(1,0)", "P(0,1) P(1,1)"]);
    let instances = "typedef scalar[2] id_t; process P(const id_t i, const int n) { state S; init S; }
        Q(const id_t i) = P(i, 3); system Q;";
    assert_eq!(found(instances), ["Q(0) Q(1)"]);
}

// TChecker's language: processes share no text, and synchronise by vectors.

const VECTORS: &str = "
system:vectors
event:go
event:done
event:tick
int:1:0:3:0:id
int:1:0:9:0:n
process:C
clock:1:y
location:C:S{initial: : invariant: y<=5}
edge:C:S:S:go{provided: y>1}
edge:C:S:S:done{do: y=0}
process:P1
clock:1:x1
int:1:0:3:0:n1
location:P1:S{initial:}
location:P1:T{invariant: x1<=4}
edge:P1:S:T:go{provided: id==0 : do: x1=0; id=1}
edge:P1:T:S:done{provided: id==1 && x1>=2 : do: id=0}
edge:P1:S:S:tick{do: n1=0}
process:P2
clock:1:x2
int:1:0:3:0:n2
location:P2:S{initial:}
location:P2:T{invariant: x2<=4}
edge:P2:S:T:go{provided: id==0 : do: x2=0; id=2}
edge:P2:T:S:done{provided: id==2 && x2>=2 : do: id=0}
edge:P2:S:S:tick{do: n2=0}
process:P3
clock:1:x3
int:1:0:3:0:n3
location:P3:S{initial:}
location:P3:T{invariant: x3<=4}
edge:P3:S:T:go{provided: id==0 : do: x3=0; id=3}
edge:P3:T:S:done{provided: id==3 && x3>=2 : do: id=0}
edge:P3:S:S:tick{do: n3=0}
sync:C@go:P1@go
sync:C@go:P2@go
sync:C@go:P3@go
sync:C@done:P1@done
sync:C@done:P2@done
sync:C@done:P3@done
sync:P1@tick:P2@tick:P3@tick
";

#[test]
fn synchronisation_vectors() {
    let all: &[&str] = &["P1 P2 P3"];
    let rows: &[Row<'_>] = &[
        ("all take part", "system:vectors", "system:other", all),
        ("one guard", "x2>=2", "x2>=3", &["P1 P3"]),
        ("one invariant", "invariant: x3<=4", "invariant: x3<=5", &["P1 P2"]),
        ("one range", "int:1:0:3:0:n1", "int:1:0:4:0:n1", &["P2 P3"]),
        ("one initial value", "int:1:0:3:0:n1", "int:1:0:3:1:n1", all),
        ("one is urgent", "T{invariant: x3<=4}", "T{invariant: x3<=4 : urgent:}", &["P1 P2"]),
        ("one is committed", "T{invariant: x3<=4}", "T{invariant: x3<=4 : committed:}", &["P1 P2"]),
        (
            "labels are asked about, not obeyed",
            "T{invariant: x3<=4}",
            "T{invariant: x3<=4 : labels: here}",
            all,
        ),
        ("one does not synchronise", "sync:C@done:P2@done\n", "", &["P1 P3"]),
        ("one is named at first", "int:1:0:3:0:id", "int:1:0:3:2:id", all),
        ("one names another", "x1=0; id=1", "x1=0; id=2", &[]),
        ("a value that nothing reads is renamed", "do: n1=0", "do: n1=1", all),
        ("the order of a vector", "P1@tick:P2@tick:P3@tick", "P3@tick:P1@tick:P2@tick", all),
        (
            "one takes part if it can",
            "sync:P1@tick:P2@tick:P3@tick",
            "sync:P1@tick:P2@tick:P3@tick?",
            &["P1 P2"],
        ),
        ("all take part if they can", "sync:P1@tick:P2@tick:P3@tick", "sync:P1@tick?:P2@tick?:P3@tick?", all),
        ("two of them", "sync:P1@tick:P2@tick:P3@tick", "sync:P1@tick:P2@tick", &["P1 P2"]),
        (
            "any two of them",
            "sync:P1@tick:P2@tick:P3@tick",
            "sync:P1@tick:P2@tick\nsync:P2@tick:P3@tick\nsync:P3@tick:P1@tick",
            all,
        ),
        (
            "one vector twice",
            "sync:P1@tick:P2@tick:P3@tick",
            "sync:P1@tick:P2@tick:P3@tick\nsync:P3@tick:P1@go",
            &[],
        ),
    ];
    check(|from, to| tchecker(&edit(VECTORS, from, to)), rows.iter().copied());
    // All three write, in the order of the vector.
    let ticks = |update: fn(u32) -> String| {
        let one = |text: String, i: u32| edit(&text, &format!("do: n{i}=0"), &format!("do: {}", update(i)));
        orbits(&tchecker(&(1..=3).fold(VECTORS.to_owned(), one)))
    };
    assert_eq!(ticks(|i| format!("n{i}=n{i}+1")), all, "own variables");
    assert_eq!(ticks(|_| "n=n+1".to_owned()), [""; 0], "missed: a count that is written as an assignment");
    assert_eq!(ticks(|_| "n=7".to_owned()), [""; 0], "missed: all write the same value");
    assert_eq!(
        ticks(|i| format!("id={i}")),
        [""; 0],
        "missed: the last number is 3, and 1 and 2 can be exchanged"
    );
    assert_eq!(ticks(|i| format!("n{i}=n; n=n+1")), [""; 0], "the order is visible");
    assert_eq!(ticks(|i| format!("n=n*2+n{i}")), [""; 0], "a digit each");
    assert_eq!(ticks(|i| format!("id={i}; n{i}=id")), [""; 0], "numbers as amounts");
}
