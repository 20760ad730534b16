//! Guarded bounds: each rule on a model of its own.

use super::{analysed, local_at_locations, uppaal};

/// The guarded bounds at `A` of a process with one edge from `A`, with this invariant, to `B`, where `x` is compared with 90
/// from above and with 80 from below.
fn before(declarations: &str, invariant: &str, edge: &str) -> String {
    let text = format!(
        "clock x, y; {declarations} process P() {{ state A {{ {invariant} }}, B {{ x <= 90 }}, C; init A; \
         trans A -> B {{ {edge} }}, B -> C {{ guard x >= 80; }}; }} system P;"
    );
    of_process(&text, "P").swap_remove(0)
}

fn of_process(text: &str, process: &str) -> Vec<String> {
    let model = uppaal(text, "");
    local_at_locations(&model, &analysed(&model).guarded, process)
}

#[test]
fn upper_bounds_of_guards_and_source_invariants_reduce_limits() {
    assert_eq!(before("", "true", ""), "A x:80,90");
    assert_eq!(before("", "true", "guard x <= 5;"), "A x:5,5");
    assert_eq!(before("", "true", "guard x < 5;"), "A x:5,5");
    assert_eq!(before("", "true", "guard x == 5;"), "A x:5,5");
    assert_eq!(before("", "x <= 5", ""), "A x:5,5");
    assert_eq!(before("", "x <= 7", "guard x <= 5;"), "A x:5,7");
    assert_eq!(before("", "true", "guard x <= 85;"), "A x:80,85");
    assert_eq!(before("", "true", "guard x <= 95;"), "A x:80,95");
}

#[test]
fn other_comparisons_do_not() {
    assert_eq!(before("", "true", "guard x >= 5;"), "A x:80,90");
    assert_eq!(before("", "true", "guard y <= 5;"), "A x:80,90 y:_,5");
    // A comparison of a clock that depends on data, and one that cannot hold.
    let array = "clock c[2]; int[0,1] i;";
    assert_eq!(before(array, "true", "guard c[i] <= 5;"), "A x:80,90 c[0]:_,5 c[1]:_,5");
    assert_eq!(before("", "true", "guard x <= -1;"), "A x:80,90");
}

#[test]
fn a_bound_that_depends_on_data_counts_with_its_largest_value() {
    assert_eq!(before("int[2,7] n;", "true", "guard x <= n;"), "A x:7,7");
    assert_eq!(before("int[2,7] n;", "true", "select i : int[1,3]; guard x <= n + i;"), "A x:10,10");
    assert_eq!(before("int[0,2000000000] n;", "true", "guard x <= n;"), "A x:80,*");
    // Where it is 2, the edge cannot be taken.
    assert_eq!(before("", "true", "select i : int[1,3]; guard i != 2 && x <= 4 - i;"), "A x:3,3");
    // Under a condition that may be false, nothing is certain.
    assert_eq!(before("int[0,1] n;", "n == 1 imply x <= 5", ""), "A x:80,90");
    assert_eq!(before("const int n = 1;", "n == 1 imply x <= 5", ""), "A x:5,5");
}

/// The guard is about the value before the step, and the copy may be made after another edge has changed it.
#[test]
fn clocks_that_the_edge_sets_are_not_reduced() {
    assert_eq!(before("", "true", "guard y <= 5; assign x = y;"), "A y:80,90");
    assert_eq!(before("", "true", "guard x <= 5; assign x = x + 1;"), "A x:79,89");
    assert_eq!(before("", "true", "guard x <= 5; assign x = 0;"), "A x:_,5");
}

/// The receiver's guard is about `x` before the step; what it asks of `x` later is asked of `z`.
#[test]
fn limits_of_clocks_that_a_partner_copies_are_not_reduced() {
    let text = "clock x, z; chan c; \
        process P() { state A, B; init A; trans A -> B { sync c!; assign x = z; }; } \
        process Q() { state A, B, C; init A; trans A -> B { guard x <= 5; sync c?; }, B -> C { guard x >= 80; }; } \
        system P, Q;";
    // `U` of `z` stems from the guard, which `Q` may ask after a step of `P` alone as well.
    assert_eq!(of_process(text, "P"), ["A z:80,5", "B"]);
    assert_eq!(of_process(text, "Q"), ["A x:5,5", "B x:80,_", "C"]);
}

/// A guard of another process says nothing of what passes over one's own edge.
#[test]
fn limits_pass_over_the_edges_of_their_own_process() {
    let text = "clock x; chan c; \
        process P() { state A, B; init A; trans A -> B { guard x <= 5; sync c!; }; } \
        process Q() { state A, B, C; init A; trans A -> B { sync c?; }, B -> C { guard x >= 80; }; } \
        system P, Q;";
    assert_eq!(of_process(text, "P"), ["A x:_,5", "B"]);
    assert_eq!(of_process(text, "Q"), ["A x:80,_", "B x:80,_", "C"]);
}

#[test]
fn a_limit_may_pass_by_several_edges() {
    let text = "clock x; process P() { state A, B, C; init A; trans \
        A -> B { guard x <= 5; }, A -> B { guard x <= 20; }, A -> A { guard x <= 2; }, B -> C { guard x >= 80; }; } system P;";
    assert_eq!(of_process(text, "P"), ["A x:20,20", "B x:80,_", "C"]);
}

/// What queries ask is asked in every state.
#[test]
fn limits_of_queries_are_not_reduced() {
    let text = "clock x; process P() { state A, B; init A; trans A -> B { guard x <= 5; }; } system P;";
    let model = uppaal(text, "E<> x >= 80");
    assert_eq!(local_at_locations(&model, &analysed(&model).guarded, "P"), ["A x:80,5", "B x:80,_"]);
}
