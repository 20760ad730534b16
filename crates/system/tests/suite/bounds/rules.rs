//! Each rule on a model of its own.

use tourbillon_base::Id;
use tourbillon_dbm::Constraint;
use tourbillon_model::{ExprKind, Range};
use tourbillon_system::bounds::{BoundsErrorKind, Polarity, analyse, value_range};

use super::{analysed, at_locations, show, uppaal};

/// The bounds at the locations of the process `P`, declared by `declarations` and with this body.
fn of_process(declarations: &str, body: &str) -> Vec<String> {
    let model = uppaal(&format!("{declarations}\nprocess P() {{ {body} }}\nsystem P;"), "");
    at_locations(&model, &analysed(&model), "P")
}

/// The bounds at `A` of a process with one edge from `A` to `B`, where `B` has the invariant `x <= 9 && y <= 8`.
fn before(declarations: &str, edge: &str) -> String {
    let states = "state A, B { x <= 9 && y <= 8 }; init A;";
    of_process(declarations, &format!("{states} trans A -> B {{ {edge} }};")).swap_remove(0)
}

#[test]
fn comparisons_give_lower_and_upper_limits() {
    let body = "state A { x <= 7 }, B; init A; trans \
        A -> B { guard x > 3 && y < 5; }, A -> B { guard z == 4; }, A -> B { guard x >= 2; };";
    assert_eq!(of_process("clock x, y, z, w;", body), ["A x:3,7 y:_,5 z:4,4", "B"]);
}

#[test]
fn limits_go_back_until_the_clock_is_set() {
    let body = "state A, B, C { x <= 9 }; init A; trans A -> B { assign x = 3; }, B -> C { };";
    assert_eq!(of_process("clock x;", body), ["A", "B x:_,9", "C x:_,9"]);
    let round = "state A, B, C; init A; trans A -> B { guard x > 4; }, B -> C { }, C -> A { };";
    assert_eq!(of_process("clock x;", round), ["A x:4,_", "B x:4,_", "C x:4,_"]);
}

#[test]
fn negative_constants_tell_nothing_of_a_single_clock() {
    let body = "state A, B; init A; trans A -> B { guard x > -3; }, A -> B { guard x < -1; };";
    assert_eq!(of_process("clock x;", body), ["A", "B"]);
}

#[test]
fn a_copy_hands_limits_over() {
    assert_eq!(before("clock x, y;", "assign x = y;"), "A y:_,9");
    assert_eq!(before("clock x, y, z;", "assign x = z + 2;"), "A y:_,8 z:_,7");
    assert_eq!(before("clock x, y, z;", "assign x = z + 10;"), "A y:_,8");
    assert_eq!(before("clock x, y, z;", "assign x = z - 2;"), "A y:_,8 z:2,11");
    assert_eq!(before("clock x, y, z; int[1,3] n;", "assign x = z + n, y = 0;"), "A z:_,8");
}

/// `x = z - 2` can be done where `z >= 2` only, which counts both ways, whatever is asked of `x` later.
#[test]
fn what_must_not_get_negative_is_compared() {
    let alone = |declarations: &str, edge: &str| {
        let body = format!("state A, B; init A; trans A -> B {{ {edge} }};");
        of_process(declarations, &body).swap_remove(0)
    };
    assert_eq!(alone("clock x, z;", "assign x = z - 2;"), "A z:2,2");
    assert_eq!(alone("clock x, z;", "assign x = z + 2;"), "A");
    assert_eq!(alone("clock x, z; int[-1,4] n;", "assign x = z + n;"), "A z:1,1");
    assert_eq!(alone("clock x, z; int[0,4] n;", "assign x = z + n;"), "A");
    assert_eq!(alone("clock x, z; int[0,4] n;", "assign x = z - n;"), "A z:4,4");
    assert_eq!(alone("clock x, z;", "select i : int[1,3]; guard i != 3; assign x = z - i;"), "A z:2,2");
    // What earlier assignments made of a clock is compared, not what it was.
    assert_eq!(alone("clock x, y, z;", "assign y = z + 1, x = y - 4;"), "A z:3,3");
    assert_eq!(alone("clock x, y, z;", "assign y = z - 1, x = y - 4;"), "A z:5,5");
    assert_eq!(alone("clock x, y;", "assign y = 3, x = y - 4;"), "A");
    assert_eq!(alone("clock x;", "assign x = x - 1, x = x - 1, x = 0;"), "A x:2,2");
    // Arrays: any of their clocks may be meant.
    let arrays = "clock x[2], y[2]; int[0,1] i; int[0,3] n;";
    assert_eq!(alone(arrays, "assign x[i] = y[1 - i] - n;"), "A y[0]:3,3 y[1]:3,3");
    // Functions, branches and loops.
    let function = "clock x, z; int[0,3] n; void f() { if (n > 1) { x = z - n; } }";
    assert_eq!(alone(function, "assign f();"), "A z:3,3");
    let reference = "clock x, z; void f(clock &c, int[0,2] k) { c = c - k; }";
    assert_eq!(alone(reference, "assign f(z, 1);"), "A z:2,2");
}

#[test]
fn what_must_not_get_negative_may_have_no_largest_constant() {
    let text = "clock x, t; process P() { state A { t <= 4 }, B; init A; trans A -> A { assign x = x - 1; }, \
        A -> B { }; } system P;";
    let model = uppaal(text, "");
    let unbounded = analysed(&model).unbounded;
    assert_eq!(unbounded.into_iter().map(Id::index).collect::<Vec<_>>(), [0]);
    let text = "clock x; int[0,3] n; void f() { int k = 0; while (k < n) { x = x - 1; k++; } } \
        process P() { state A, B; init A; trans A -> B { assign f(); }; } system P;";
    assert_eq!(analysed(&uppaal(text, "")).unbounded.len(), 1);
}

/// A receiver compares what the sender left, and every step what was done before it.
#[test]
fn what_must_not_get_negative_is_compared_after_those_who_come_first() {
    let text = "clock x, y, z; chan c; process P() { state A, B; init A; trans A -> B { sync c!; assign y = z - 1; }; } \
        process Q() { state A, B; init A; trans A -> B { sync c?; assign x = y - 2; }; } system P, Q;";
    let model = uppaal(text, "");
    assert_eq!(at_locations(&model, &analysed(&model), "P"), ["A z:3,3", "B"]);
    assert_eq!(at_locations(&model, &analysed(&model), "Q"), ["A y:2,2", "B"]);
    let text = "clock x, y, z; before_update { y = z - 1 } after_update { x = y - 2 } \
        process P() { state A, B; init A; trans A -> B { }; } system P;";
    let model = uppaal(text, "");
    assert_eq!(at_locations(&model, &analysed(&model), "P"), ["A y:2,2 z:3,3", "B y:2,2 z:3,3"]);
}

#[test]
fn updates_are_done_in_order() {
    assert_eq!(before("clock x, y, z;", "assign z = x, x = y, y = z;"), "A x:_,8 y:_,9");
    assert_eq!(before("clock x, y, z;", "assign x = 0, z = x, y = z + 1;"), "A");
    assert_eq!(before("clock x, y;", "assign x = y + 1, y = x + 1;"), "A y:_,8");
}

#[test]
fn what_is_perhaps_set_counts_both_ways() {
    let array = "clock x, y, c[3]; int[0,2] n;";
    assert_eq!(before(array, "assign x = c[n];"), "A y:_,8 c[0]:_,9 c[1]:_,9 c[2]:_,9");
    let states = "state A, B { c[0] <= 4 && c[1] <= 5 }; init A;";
    let reset =
        |edge: &str| of_process(array, &format!("{states} trans A -> B {{ {edge} }};")).swap_remove(0);
    assert_eq!(reset("assign c[n] = 0;"), "A c[0]:_,4 c[1]:_,5");
    assert_eq!(reset("assign c[1] = 0;"), "A c[0]:_,4");
    assert_eq!(reset("select i : int[1,2]; assign c[i] = 0;"), "A c[0]:_,4 c[1]:_,5");
    assert_eq!(reset("select i : int[1,1]; assign c[i] = 0;"), "A c[0]:_,4");
}

#[test]
fn functions_are_followed() {
    let clocks = "clock x, y, c[3]; int[0,2] n;";
    let with = |function: &str, edge: &str| before(&format!("{clocks} {function}"), edge);
    assert_eq!(with("void f() { x = 0; y = 0; }", "assign f();"), "A");
    assert_eq!(with("void f() { if (n > 0) x = 0; y = 0; }", "assign f();"), "A x:_,9");
    assert_eq!(with("void f() { if (n > 0) x = 0; else x = 1; y = 0; }", "assign f();"), "A");
    assert_eq!(with("void f() { y = 0; if (n > 0) return; x = 0; }", "assign f();"), "A x:_,9");
    assert_eq!(
        with("void f() { while (n > 0) { x = c[0]; n--; } }", "assign f();"),
        "A x:_,9 y:_,8 c[0]:_,9"
    );
    assert_eq!(
        with("void f(clock &p, clock &q) { p = q; }", "assign f(x, c[1]);").as_str(),
        "A y:_,8 c[1]:_,9"
    );
    assert_eq!(with("int f() { x = 0; return 1; }", "assign n = f();"), "A y:_,8");
    let twice = "void g(clock &p) { p = 0; } void f(clock &p, clock &q) { g(p); g(q); }";
    assert_eq!(with(twice, "assign f(x, y);"), "A");
}

#[test]
fn a_loop_over_a_type_is_unrolled() {
    let all = "state A, B { c[0] <= 4 && c[2] <= 5 }; init A; trans A -> B { assign f(); };";
    let with = |function: &str| of_process(&format!("clock c[3]; {function}"), all).swap_remove(0);
    assert_eq!(with("void f() { for (i : int[0,2]) c[i] = 0; }"), "A");
    assert_eq!(with("void f() { for (i : int[0,1]) c[i] = 0; }"), "A c[2]:_,5");
    assert_eq!(with("void f() { for (i : int[1,2]) c[i] = c[i - 1]; }"), "A c[0]:_,5");
    assert_eq!(with("void f() { int i; for (i = 0; i < 3; i++) c[i] = 0; }"), "A c[0]:_,4 c[2]:_,5");
}

#[test]
fn a_decrease_in_a_loop_has_no_end() {
    let body = "state A, B { x <= 4 }; init A; trans A -> B { assign f(); };";
    let model = uppaal(
        &format!(
            "clock x, y; int[0,9] n; void f() {{ while (n > 0) {{ x = x - 1; n--; }} }} \
             process P() {{ {body} }} system P;"
        ),
        "",
    );
    let analysis = analysed(&model);
    assert_eq!(at_locations(&model, &analysis, "P"), ["A x:*,*", "B x:_,4"]);
    assert_eq!(analysis.unbounded.iter().map(|clock| clock.index()).collect::<Vec<_>>(), [0]);
}

#[test]
fn a_cycle_that_grows_has_no_end_and_one_that_does_not_has() {
    let cycle = |back: &str| {
        format!(
            "state A, B, C {{ x <= 4 }}; init A; \
             trans A -> B {{ assign y = x; }}, B -> A {{ assign {back}; }}, A -> C {{ }};"
        )
    };
    assert_eq!(of_process("clock x, y;", &cycle("x = y - 1")), ["A x:*,*", "B y:*,*", "C x:_,4"]);
    assert_eq!(of_process("clock x, y;", &cycle("x = y + 1")), ["A x:_,4", "B y:_,3", "C x:_,4"]);
    assert_eq!(of_process("clock x, y;", &cycle("x = y")), ["A x:_,4", "B y:_,4", "C x:_,4"]);
}

#[test]
fn bounds_that_are_no_constants_count_with_their_largest_value() {
    let guard = |declarations: &str, guard: &str| {
        let body = format!("state A, B; init A; trans A -> B {{ {guard} }};");
        of_process(&format!("clock x, c[4]; {declarations}"), &body).swap_remove(0)
    };
    assert_eq!(guard("int[0,6] n;", "guard x < n;"), "A x:_,6");
    assert_eq!(guard("int[0,6] n;", "guard x > 2 * n - 1;"), "A x:11,_");
    assert_eq!(guard("int[2,6] n;", "guard x > 10 - n;"), "A x:8,_");
    assert_eq!(guard("const int a[4] = {5, 1, 7, 2};", "select i : int[0,1]; guard x < a[i];"), "A x:_,5");
    assert_eq!(guard("const int a[4] = {5, 1, 7, 2};", "guard x < a[2];"), "A x:_,7");
    assert_eq!(
        guard("const int a[4] = {5, 1, 7, 2};", "select i : int[0,3]; guard c[i] < a[i] && i > 1;"),
        "A c[2]:_,7 c[3]:_,2"
    );
    assert_eq!(guard("int f(int n) { return n * n; }", "guard x < f(3);"), "A x:_,9");
    assert_eq!(guard("int[0,4] m; int[0,20] f(int n) { return n + m; }", "guard x < f(3);"), "A x:_,20");
    assert_eq!(guard("bool b;", "guard b imply x < 6;"), "A x:_,6");
    assert_eq!(guard("const bool b = false;", "guard b imply x < 6;"), "A");
    assert_eq!(guard("int[0,3] n;", "guard x < (n > 5 ? 10 : 4);"), "A x:_,4");
    assert_eq!(guard("", "guard x < (sum (i : int[1,4]) i * i);"), "A x:_,30");
}

#[test]
fn another_process_that_copies_makes_its_source_matter() {
    let text = "clock x, y, z; chan a;
        process P() { state A, B { x <= 9 }; init A; trans A -> B { sync a!; }; }
        process Q() { state C, D, E; init C; trans C -> D { assign y = 0; }, D -> E { assign x = y + 2; }; }
        process R() { state F, G; init F; trans F -> G { sync a?; assign z = 0; }; }
        system P, Q, R;";
    let model = uppaal(text, "");
    let analysis = analysed(&model);
    assert_eq!(at_locations(&model, &analysis, "P"), ["A x:_,9", "B x:_,9"]);
    assert_eq!(at_locations(&model, &analysis, "Q"), ["C", "D y:_,7", "E"]);
    assert_eq!(at_locations(&model, &analysis, "R"), ["F", "G"]);
    assert_eq!(show(&model, &analysis.global), "x:_,9 y:_,7");
}

#[test]
fn another_process_that_resets_changes_nothing() {
    let text = "clock x; process P() { state A, B { x <= 9 }; init A; trans A -> B { }; }
        process Q() { state C; init C; trans C -> C { assign x = 0; }; } system P, Q;";
    let model = uppaal(text, "");
    let analysis = analysed(&model);
    assert_eq!(at_locations(&model, &analysis, "P"), ["A x:_,9", "B x:_,9"]);
    assert_eq!(at_locations(&model, &analysis, "Q"), ["C"]);
}

#[test]
fn what_is_done_in_every_step_counts_everywhere() {
    let with = |updates: &str| {
        let process = "process P() { state A, B { x <= 9 }; init A; trans A -> B { }; } system P;";
        let model = uppaal(&format!("clock x, y; {updates} {process}"), "");
        let analysis = analysed(&model);
        (show(&model, &analysis.local.everywhere), at_locations(&model, &analysis, "P").join("; "))
    };
    let expected = |everywhere: &str, local: &str| (everywhere.to_owned(), local.to_owned());
    assert_eq!(with(""), expected("", "A x:_,9; B x:_,9"));
    let copied = expected("y:_,8", "A x:_,9 y:_,8; B x:_,9 y:_,8");
    assert_eq!(with("before_update { x = y + 1 }"), copied);
    assert_eq!(with("after_update { x = y + 1 }"), copied);
}

#[test]
fn queries_count_everywhere_by_what_must_be_preserved() {
    let text = "clock x, y; process P() { state A; init A; trans A -> A { assign x = y + 1; }; } system P;";
    let asked = |query: &str| {
        let model = uppaal(text, query);
        at_locations(&model, &analysed(&model), "P").swap_remove(0)
    };
    assert_eq!(asked("E<> x < 5"), "A x:_,5 y:_,4");
    assert_eq!(asked("A[] x < 5"), "A x:5,_ y:4,_");
    assert_eq!(asked("A[] not (x < 5)"), "A x:_,5 y:_,4");
    assert_eq!(asked("E<> not (x < 5 and y >= 3)"), "A x:5,_ y:4,3");
    assert_eq!(asked("E<> x == 5"), "A x:5,5 y:4,4");
    assert_eq!(asked("E<> x != 5"), "A x:5,5 y:4,4");
    assert_eq!(asked("A<> x < 5"), "A x:5,5 y:4,4");
    assert_eq!(asked("x < 5 --> y > 6"), "A x:5,5 y:6,6");
    assert_eq!(asked("E<> (x < 5) xor (y > 9)"), "A x:5,5 y:9,9");
    assert_eq!(asked("E<> forall (i : int[0,3]) x > i"), "A x:3,_ y:2,_");
    assert_eq!(asked("E<> P.A"), "A");
}

#[test]
fn diagonals_are_normalised_and_closed_under_updates() {
    let show_diagonals = |text: &str| {
        let model = uppaal(text, "");
        let analysis = analysed(&model);
        let name =
            |clock: tourbillon_dbm::Clock| model.clocks.iter().nth(clock.index() - 1).unwrap().name.clone();
        let one = |c: &Constraint| format!("{}-{}{}", name(c.left), name(c.right), c.bound);
        let shown: Vec<String> = analysis.diagonals.iter().map(one).collect();
        (
            shown.join(" "),
            analysis.uses_diagonals,
            analysis.diagonals_complete,
            show(&model, &analysis.global),
        )
    };
    let process = |guard: &str, assign: &str| {
        format!(
            "clock x, y, z; int[0,3] n; int m; process P() {{ state A, B; init A; trans \
             A -> B {{ assign {assign}; }}, B -> A {{ guard {guard}; }}; }} system P;"
        )
    };
    let done = |list: &str, bounds: &str| (list.to_owned(), true, true, bounds.to_owned());
    assert_eq!(show_diagonals(&process("x - y < 5", "n = 0")), done("x-y<5", "x:0,0 y:0,0"));
    assert_eq!(show_diagonals(&process("x - y > 5 && x - y > 5", "n = 0")), done("y-x<-5", "x:0,0 y:0,0"));
    assert_eq!(show_diagonals(&process("x - y == 2", "n = 0")), done("x-y<=2 y-x<=-2", "x:0,0 y:0,0"));
    assert_eq!(show_diagonals(&process("x < y + n && n < 2", "n = 0")).0, "x-y<0 x-y<1 x-y<2 x-y<3");
    assert_eq!(show_diagonals(&process("x - y < 5", "y = 2")), done("x-y<5", "x:7,7 y:0,0"));
    assert_eq!(show_diagonals(&process("x - y > 5", "x = 9")), done("y-x<-5", "x:0,0 y:4,4"));
    assert_eq!(show_diagonals(&process("x - y < 5", "x = z + 1")), done("x-y<5 z-y<4", "x:0,0 y:0,0 z:0,0"));
    let (_, uses, complete, _) = show_diagonals(&process("x - y < 5", "x = x + 1"));
    assert!(uses && !complete);
    let (list, uses, complete, _) = show_diagonals(&process("x - y < m", "n = 0"));
    assert!(list.is_empty() && uses && !complete);
    let (_, uses, complete, _) = show_diagonals(&process("x < 5", "n = 0"));
    assert!(!uses && complete);
}

#[test]
fn where_failing_lets_something_else_happen_both_outcomes_count() {
    let text = |declaration: &str, sync: &str, end: &str| {
        format!(
            "clock x; {declaration} process P() {{ state A, B; init A; \
             trans A -> B {{ guard x < 5; {sync} }}; }} {end} system P;"
        )
    };
    let at = |text: &str| {
        let model = uppaal(text, "");
        at_locations(&model, &analysed(&model), "P").swap_remove(0)
    };
    assert_eq!(at(&text("chan a;", "sync a?;", "")), "A x:_,5");
    assert_eq!(at(&text("broadcast chan a;", "sync a?;", "")), "A x:5,5");
    assert_eq!(at(&text("broadcast chan a;", "sync a!;", "")), "A x:_,5");
    assert_eq!(at(&text("chan a, b; chan priority a < b;", "", "")), "A x:5,5");
}

#[test]
fn stopwatches_are_noticed() {
    let text =
        |invariant: &str| format!("clock x; process P() {{ state A {{ {invariant} }}; init A; }} system P;");
    let stops = |invariant: &str| analysed(&uppaal(&text(invariant), "")).has_stopwatches;
    assert!(stops("x' == 0 && x <= 5") && !stops("x <= 5"));
}

#[test]
fn constants_past_what_zones_hold() {
    let text = |declarations: &str, guard: &str| {
        format!(
            "clock x; {declarations} process P() {{ state A; init A; \
             trans A -> A {{ guard {guard}; }}; }} system P;"
        )
    };
    let model = uppaal(&text("", "x < 2000000000"), "");
    let error = analyse(&model, &[]).unwrap_err();
    assert_eq!(error.kind, BoundsErrorKind::ConstantTooLarge(2_000_000_000));
    assert!(error.to_string().contains("2000000000"));
    let wide = uppaal(&text("int[0,2000000000] n;", "x < n"), "");
    let analysis = analysed(&wide);
    assert_eq!(at_locations(&wide, &analysis, "P"), ["A x:_,*"]);
    assert_eq!(analysis.unbounded.len(), 1);
    let many = uppaal("clock c[2000]; process P() { state A; init A; } system P;", "");
    assert_eq!(analyse(&many, &[]).unwrap_err().kind, BoundsErrorKind::TooManyClocks(2000));
}

#[test]
fn an_update_that_compares_clocks_is_refused() {
    let mut model = uppaal(
        "clock x; process P() { state A, B; init A; trans A -> B { guard x < 5; }; } system P;",
        "E<> x < 5",
    );
    let comparison = model.exprs.enumerate().find(|(_, expr)| matches!(expr.kind, ExprKind::Clock(_)));
    let (comparison, _) = comparison.expect("the query's comparison");
    model.after_update.push(comparison);
    let error = analyse(&model, &[(comparison, Polarity::Holds)]).unwrap_err();
    assert_eq!(error.kind, BoundsErrorKind::ComparisonInUpdate);
}

#[test]
fn ranges_of_expressions() {
    let text = "int[-2,6] n; const int a[3] = {4, 9, -1}; int[0,1] k; int[3,5] f(int q) { return 4; }
        process P() { state A; init A; } system P;";
    let range = |query: &str| {
        let model = uppaal(text, &format!("E<> ({query}) == 0"));
        let (last, _) = model.exprs.enumerate().next_back().expect("an expression");
        let ExprKind::Binary(_, left, _) = model.exprs[last].kind else { panic!("{query}") };
        let Range { min, max } = value_range(&model, left);
        (min, max)
    };
    assert_eq!(range("n"), (-2, 6));
    assert_eq!(range("a[k]"), (4, 9));
    assert_eq!(range("a[k + 1]"), (-1, 9));
    assert_eq!(range("a[n]"), (-1, 9));
    assert_eq!(range("n * n"), (-12, 36));
    assert_eq!(range("n / 2 + 7 % 4"), (2, 6));
    assert_eq!(range("f(n)"), (3, 5));
    assert_eq!(range("f(1)"), (4, 4));
    assert_eq!(range("n > 6 ? 100 : k"), (0, 1));
    assert_eq!(range("sum (i : int[0,2]) a[i]"), (12, 12));
    assert_eq!(range("sum (i : int[0,2]) n"), (-6, 18));
    assert_eq!(range("n << 30"), (i32::MIN, i32::MAX));
    assert_eq!(range("n <? 3"), (-2, 3));
}

#[test]
fn a_model_of_nothing_has_no_bounds() {
    let model = tourbillon_model::Model::new("nothing", tourbillon_model::Language::Uppaal);
    let analysis = analyse(&model, &[]).unwrap();
    assert!(
        analysis.local.places.is_empty() && analysis.diagonals.is_empty() && analysis.unbounded.is_empty()
    );
    assert_eq!(analysis.global, analysis.local.everywhere);
}
