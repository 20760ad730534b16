//! Priorities of channels and processes.

use std::slice::from_ref;

use tourbillon_base::Rational;
use tourbillon_replay::{Semantics, Violation};

use crate::shared::{after, edge, initial_actions, ratio, uppaal};

const NOW: Rational = Rational::ZERO;

#[test]
fn a_channel_of_higher_priority_comes_first() {
    let m = uppaal(
        "broadcast chan low, high; chan priority low < default < high; int n; clock x;
         process P() { state A; init A;
             trans A -> A { sync low!; }, A -> A { }, A -> A { guard n == 0; sync high!; assign n = 1; }; }
         system P;",
    );
    let [low, plain, high] = [0, 1, 2].map(|number| edge(&m, "P", number));
    assert_eq!(after(&m, NOW, from_ref(&plain)), Err(Violation::Priority(vec![high.clone()])));
    assert_eq!(initial_actions(&m), [[(0, 2)]]);
    assert!(Semantics::new(&m).delay(&Semantics::new(&m).initial().expect("a state"), ratio(1, 1)).is_ok());
    let semantics = Semantics::new(&m);
    let rest = after(&m, NOW, &[high]).expect("a step");
    assert_eq!(semantics.actions(&rest).expect("actions"), [[plain.clone()]]);
    assert_eq!(semantics.act(&rest, &[low]), Err(Violation::Priority(vec![plain])));
}

#[test]
fn a_process_of_higher_priority_comes_first_and_lifts_its_partners() {
    let m = uppaal(
        "chan c;
         process L() { state A; init A; trans A -> A { }, A -> A { sync c!; }; }
         process M() { state A; init A; trans A -> A { }; }
         process H() { state A; init A; trans A -> A { sync c?; }; }
         system L < M < H;",
    );
    assert_eq!(initial_actions(&m), [[(0, 1), (2, 0)]]);
    let joint = vec![edge(&m, "L", 1), edge(&m, "H", 0)];
    assert_eq!(after(&m, NOW, &[edge(&m, "M", 0)]), Err(Violation::Priority(joint)));
}

#[test]
fn channels_are_compared_before_processes() {
    let m = uppaal(
        "broadcast chan c; chan priority default < c;
         process L() { state A; init A; trans A -> A { sync c!; }; }
         process H() { state A; init A; trans A -> A { }; }
         system L < H;",
    );
    assert_eq!(initial_actions(&m), [[(0, 0)]]);
}

#[test]
fn only_what_can_be_taken_comes_first() {
    let m = uppaal(
        "int n;
         process L() { state A; init A; trans A -> A { }; }
         process H() { state A, B { n > 0 }; init A; trans A -> B { }; }
         process C() { state A; commit A; init A; trans A -> A { }; }
         system C < L < H;",
    );
    // The step of H breaks an invariant, that of L does not leave the committed location.
    assert_eq!(initial_actions(&m), [[(0, 0)]]);
    assert!(after(&m, NOW, &[edge(&m, "C", 0)]).is_ok());
}

#[test]
fn an_error_in_what_never_comes_is_none() {
    let m = uppaal(
        "int[0,1] n = 1;
         process L() { state A; init A; trans A -> A { assign n = 2; }; }
         process H() { state A; init A; trans A -> A { }; }
         system L < H;",
    );
    assert_eq!(initial_actions(&m), [[(1, 0)]]);
}

/// Only what nothing of higher priority comes before is forbidden by an invariant: what would come later is not looked
/// at, not even for its mistakes.
#[test]
fn what_an_invariant_forbids_is_told_where_its_turn_comes() {
    let m = uppaal(
        "broadcast chan low, high; chan priority low < default < high; int n = 1; int z;
         process P() { state A, B { n == 0 }; init A;
             trans A -> B { sync high!; }, A -> B { }, A -> A { assign n = 1; }, A -> B { assign z = 1 / z; },
                   A -> B { sync low!; }; }
         system P;",
    );
    let semantics = Semantics::new(&m);
    let initial = semantics.initial().expect("a state");
    assert!(semantics.forbidden(&initial).is_err(), "1 / z has its turn");
    let m = uppaal(
        "broadcast chan low, high; chan priority low < default < high; int n = 1; int z;
         process P() { state A, B { n == 0 }; init A;
             trans A -> B { sync high!; }, A -> B { }, A -> A { assign n = 1; },
                   A -> B { sync low!; assign z = 1 / z; }; }
         system P;",
    );
    let semantics = Semantics::new(&m);
    let forbidden =
        semantics.forbidden(&semantics.initial().expect("a state")).expect("no mistake has its turn");
    let edges: Vec<usize> = forbidden.iter().map(|(action, ..)| action[0].edge).collect();
    assert_eq!(edges, [0, 1]);
}
