//! Guards, selections, binary and broadcast channels, committed locations.

use std::slice::from_ref;

use tourbillon_base::{Id, Rational};
use tourbillon_model::{LocationId, ProcessId};
use tourbillon_replay::{Fired, Violation};

use crate::shared::{after, cell, chosen, clock, edge, initial_actions, ratio, uppaal};

const NOW: Rational = Rational::ZERO;

#[test]
fn an_edge_needs_its_source_and_its_guard() {
    let m = uppaal(
        "clock x; int n;
         process P() { state A, B; init A; trans A -> B { guard x > 1 && n == 0; }, B -> A { }; }
         system P;",
    );
    let (go, back) = (edge(&m, "P", 0), edge(&m, "P", 1));
    assert_eq!(after(&m, NOW, from_ref(&go)), Err(Violation::Guard(go.clone())));
    assert_eq!(after(&m, ratio(1, 1), from_ref(&go)), Err(Violation::Guard(go.clone())));
    assert!(after(&m, ratio(1001, 1000), &[go]).is_ok());
    assert_eq!(after(&m, NOW, from_ref(&back)), Err(Violation::Elsewhere(back)));
    assert_eq!(after(&m, NOW, &[]), Err(Violation::Nothing));
    let none = edge(&m, "P", 2);
    assert_eq!(after(&m, NOW, from_ref(&none)), Err(Violation::NoEdge(none)));
    let nobody = Fired { process: ProcessId::from_index(9), edge: 0, selects: vec![] };
    assert_eq!(after(&m, NOW, from_ref(&nobody)), Err(Violation::NoEdge(nobody)));
}

#[test]
fn selections_are_in_their_range_and_seen_by_guards_and_updates() {
    let m = uppaal(
        "int n;
         process P() { state A; init A;
             trans A -> A { select i : int[1,3], j : int[0,1]; guard i > j + 1; assign n = 10 * i + j; }; }
         system P;",
    );
    let taken = after(&m, NOW, &[chosen(&m, "P", 0, &[3, 1])]).expect("a legal choice");
    assert_eq!(cell(&m, &taken, "n"), 31);
    let outside = chosen(&m, "P", 0, &[4, 1]);
    assert_eq!(after(&m, NOW, from_ref(&outside)), Err(Violation::Selection(outside)));
    let too_few = chosen(&m, "P", 0, &[3]);
    assert_eq!(after(&m, NOW, from_ref(&too_few)), Err(Violation::NoEdge(too_few)));
    let guarded = chosen(&m, "P", 0, &[2, 1]);
    assert_eq!(after(&m, NOW, from_ref(&guarded)), Err(Violation::Guard(guarded)));
    assert_eq!(initial_actions(&m).len(), 3);
}

#[test]
fn a_binary_channel_joins_one_sender_and_one_receiver() {
    let m = uppaal(
        "chan c, d;
         process S() { state A; init A; trans A -> A { sync c!; }, A -> A { sync c?; }, A -> A { }; }
         process R() { state A; init A; trans A -> A { sync c?; }, A -> A { sync d?; }; }
         process T() { state A; init A; trans A -> A { sync c?; }; }
         system S, R, T;",
    );
    let [send, own, r, other, t] =
        [("S", 0), ("S", 1), ("R", 0), ("R", 1), ("T", 0)].map(|(process, number)| edge(&m, process, number));
    assert_eq!(initial_actions(&m), [vec![(0, 0), (1, 0)], vec![(0, 0), (2, 0)], vec![(0, 2)]]);
    assert!(after(&m, NOW, &[send.clone(), r.clone()]).is_ok());
    let not_together = |action: &[Fired]| {
        assert_eq!(after(&m, NOW, action), Err(Violation::NotTogether(action.to_vec())));
    };
    not_together(from_ref(&send));
    not_together(from_ref(&r));
    not_together(&[r.clone(), send.clone()]);
    not_together(&[send.clone(), other]);
    not_together(&[send.clone(), r.clone(), t]);
    not_together(&[edge(&m, "S", 2), r]);
    assert_eq!(after(&m, NOW, &[send.clone(), own]), Err(Violation::Twice(send.process)));
}

#[test]
fn channels_and_clocks_of_an_array_are_told_apart_by_their_index() {
    let m = uppaal(
        "typedef int[1,3] id_t; chan c[id_t][2]; clock x[id_t];
         process S() { state A; init A;
             trans A -> A { select i : id_t, j : int[0,1]; guard x[i] <= 5; sync c[i][j]!; assign x[i] = i; }; }
         process R() { state A; init A; trans A -> A { sync c[2][1]?; }; }
         system S, R;",
    );
    let receive = edge(&m, "R", 0);
    let done = after(&m, NOW, &[chosen(&m, "S", 0, &[2, 1]), receive.clone()]).expect("the same channel");
    assert_eq!(["x[1]", "x[2]", "x[3]"].map(|name| clock(&m, &done, name)), [0, 2, 0].map(Rational::from));
    for other in [[1, 1], [2, 0], [3, 1]] {
        let wrong = [chosen(&m, "S", 0, &other), receive.clone()];
        assert_eq!(after(&m, NOW, &wrong), Err(Violation::NotTogether(wrong.to_vec())));
    }
    assert_eq!(initial_actions(&m).len(), 1);
}

const BROADCAST: &str = "
    broadcast chan b; clock x; int n;
    process R(const int[0,1] k) { state A; init A;
        trans A -> A { guard x >= 1 + k; sync b?; assign n = 10 * n + 1 + k; },
              A -> A { guard x >= 3; sync b?; }; }
    process S() { state A; init A; trans A -> A { sync b!; assign n = 7; }; }
    R0 = R(0); R1 = R(1);
    system R0, S, R1;";

#[test]
fn a_broadcast_takes_everybody_who_can_receive() {
    let m = uppaal(BROADCAST);
    let [send, r0, r1] = ["S", "R0", "R1"].map(|process| edge(&m, process, 0));
    assert!(after(&m, ratio(1, 2), from_ref(&send)).is_ok());
    assert_eq!(after(&m, ratio(1, 1), from_ref(&send)), Err(Violation::LeftOut(r0.process)));
    assert!(after(&m, ratio(3, 2), &[send.clone(), r0.clone()]).is_ok());
    let early = [send.clone(), r0.clone(), r1.clone()];
    assert_eq!(after(&m, ratio(3, 2), &early), Err(Violation::Guard(r1.clone())));
    let all = after(&m, ratio(2, 1), &early).expect("both receive");
    assert_eq!(cell(&m, &all, "n"), 712);
    let swapped = [send.clone(), r1.clone(), r0.clone()];
    assert_eq!(after(&m, ratio(2, 1), &swapped), Err(Violation::NotTogether(swapped.to_vec())));
    assert_eq!(after(&m, ratio(2, 1), &[r0]), Err(Violation::NotTogether(vec![edge(&m, "R0", 0)])));
    assert!(after(&m, ratio(3, 1), &[send, edge(&m, "R0", 1), r1]).is_ok());
}

#[test]
fn a_broadcast_has_a_step_for_each_choice_of_its_receivers() {
    let m = uppaal(BROADCAST);
    let semantics = tourbillon_replay::Semantics::new(&m);
    let initial = semantics.initial().expect("an initial state");
    let count = |time: Rational| {
        let later = semantics.delay(&initial, time).expect("time passes");
        semantics.actions(&later).expect("actions").len()
    };
    assert_eq!([ratio(0, 1), ratio(1, 1), ratio(2, 1), ratio(3, 1)].map(count), [1, 1, 1, 4]);
}

#[test]
fn a_receiver_that_breaks_an_invariant_blocks_the_broadcast() {
    let m = uppaal(
        "broadcast chan b; int n;
         process S() { state A; init A; trans A -> A { sync b!; }; }
         process R() { state A, B { n > 0 }; init A; trans A -> B { sync b?; }; }
         system S, R;",
    );
    let [send, receive] = ["S", "R"].map(|process| edge(&m, process, 0));
    assert_eq!(after(&m, NOW, from_ref(&send)), Err(Violation::LeftOut(receive.process)));
    let inside = Violation::Invariant(receive.process, LocationId::from_index(1));
    assert_eq!(after(&m, NOW, &[send, receive]), Err(inside));
    assert!(initial_actions(&m).is_empty());
}

#[test]
fn with_a_committed_location_the_step_leaves_one() {
    let m = uppaal(
        "chan c; broadcast chan b;
         process P() { state A; init A; trans A -> A { }, A -> A { sync c!; }, A -> A { sync b!; }; }
         process Q() { state A; commit A; init A; trans A -> A { sync c?; }; }
         process R() { state A; commit A; init A; trans A -> A { sync b?; }, A -> A { }; }
         system P, Q, R;",
    );
    let alone = edge(&m, "P", 0);
    let q = m.processes.ids().nth(1).expect("the second process");
    assert_eq!(after(&m, NOW, &[alone]), Err(Violation::Committed(q, LocationId::from_index(0))));
    assert_eq!(initial_actions(&m), [vec![(0, 1), (1, 0)], vec![(0, 2), (2, 0)], vec![(2, 1)]]);
}
