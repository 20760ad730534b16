//! When time can pass.

use tourbillon_base::{Id, Rational};
use tourbillon_model::{ChannelId, LocationId, Model};
use tourbillon_replay::{ConcreteState, Semantics, Violation};

use crate::shared::{after, clock, edge, process_id, ratio, uppaal};

fn wait(model: &Model, time: Rational) -> Result<ConcreteState, Violation> {
    let semantics = Semantics::new(model);
    semantics.delay(&semantics.initial().expect("an initial state"), time)
}

#[test]
fn time_stops_at_an_invariant() {
    let closed = uppaal("clock x; process P() { state A { x <= 2 }; init A; } system P;");
    let open = uppaal("clock x; process P() { state A { x < 2 }; init A; } system P;");
    let broken = |m: &Model| Err(Violation::Invariant(process_id(m, "P"), LocationId::from_index(0)));
    assert!(wait(&closed, ratio(2, 1)).is_ok());
    assert_eq!(wait(&closed, ratio(21, 10)), broken(&closed));
    assert!(wait(&open, ratio(19, 10)).is_ok());
    assert_eq!(wait(&open, ratio(2, 1)), broken(&open));
    assert_eq!(wait(&open, ratio(-1, 1)), Err(Violation::NegativeDelay(ratio(-1, 1))));
}

#[test]
fn an_invariant_counts_where_its_condition_holds() {
    let m = uppaal(
        "clock x; bool fast; process P() { state A { (fast imply x <= 1) && x <= 3 }; init A;
             trans A -> A { assign fast = true; }; }
         system P;",
    );
    assert!(wait(&m, ratio(3, 1)).is_ok());
    let hurry = [edge(&m, "P", 0)];
    assert!(after(&m, ratio(1, 1), &hurry).is_ok());
    let broken = Violation::Invariant(process_id(&m, "P"), LocationId::from_index(0));
    assert_eq!(after(&m, ratio(2, 1), &hurry), Err(broken));
}

#[test]
fn an_invariant_must_hold_from_the_start_of_a_delay() {
    let m = uppaal("clock x; process P() { state A, B { x >= 1 }; init A; trans A -> B { }; } system P;");
    let semantics = Semantics::new(&m);
    let mut state = semantics.initial().expect("an initial state");
    state.locations[0] = LocationId::from_index(1);
    let broken = Violation::Invariant(process_id(&m, "P"), LocationId::from_index(1));
    assert_eq!(semantics.delay(&state, ratio(2, 1)), Err(broken));
}

#[test]
fn the_initial_state_satisfies_the_invariants() {
    let m = uppaal("int n; process P() { state A { n > 0 }; init A; } system P;");
    let broken = Violation::Invariant(process_id(&m, "P"), LocationId::from_index(0));
    assert_eq!(Semantics::new(&m).initial(), Err(broken));
}

#[test]
fn no_time_passes_at_urgent_and_committed_locations() {
    for kind in ["urgent", "commit"] {
        let m = uppaal(&format!(
            "process N() {{ state A; init A; }} process P() {{ state A; {kind} A; init A; }} system N, P;"
        ));
        assert!(wait(&m, ratio(0, 1)).is_ok());
        let stands = Violation::NoTime(process_id(&m, "P"), LocationId::from_index(0));
        assert_eq!(wait(&m, ratio(1, 1000)), Err(stands));
    }
}

#[test]
fn no_time_passes_while_an_urgent_synchronisation_is_enabled() {
    let sender = "process S() { state A; init A; trans A -> A { guard n == 0; sync c!; assign n = 1; }; }";
    let receiver = "process R() { state A, B { n > 5 }; init A; trans A -> B { sync c?; }; }";
    let binary = uppaal(&format!("urgent chan c; int n; {sender} {receiver} system S, R;"));
    let alone = uppaal(&format!("urgent chan c; int n; {sender} system S;"));
    let broadcast = uppaal(&format!("urgent broadcast chan c; int n; {sender} system S;"));
    let urgent = || Err(Violation::UrgentChannel(ChannelId::from_index(0)));
    assert_eq!(wait(&binary, ratio(1, 9)), urgent());
    assert!(wait(&binary, Rational::ZERO).is_ok());
    assert!(wait(&alone, ratio(1, 9)).is_ok());
    assert_eq!(wait(&broadcast, ratio(1, 9)), urgent());
    let off = after(&broadcast, Rational::ZERO, &[edge(&broadcast, "S", 0)]).expect("a broadcast");
    assert!(Semantics::new(&broadcast).delay(&off, ratio(9, 1)).is_ok());
}

#[test]
fn one_process_is_not_its_own_partner() {
    let m = uppaal(
        "urgent chan c;
         process P() { state A; init A; trans A -> A { sync c!; }, A -> A { sync c?; }; }
         system P;",
    );
    assert!(wait(&m, ratio(1, 1)).is_ok());
}

#[test]
fn clocks_in_urgent_guards_count_at_every_moment() {
    let model = |guard: &str| {
        uppaal(&format!(
            "urgent broadcast chan c; clock x;
             process P() {{ state A; init A; trans A -> A {{ guard {guard}; sync c!; }}; }}
             system P;"
        ))
    };
    let from_two = model("x >= 2");
    assert!(wait(&from_two, ratio(2, 1)).is_ok());
    assert!(wait(&from_two, ratio(5, 2)).is_err());
    let after_two = model("x > 2");
    assert!(wait(&after_two, ratio(2, 1)).is_ok());
    assert!(wait(&after_two, ratio(201, 100)).is_err());
    let at_two = model("x == 2");
    assert!(wait(&at_two, ratio(2, 1)).is_ok());
    assert!(wait(&at_two, ratio(3, 1)).is_err());
    let between = model("x > 2 && x < 3");
    assert!(wait(&between, ratio(9, 1)).is_err());
    assert!(wait(&model("x > 3 && x < 3"), ratio(9, 1)).is_ok());
}

#[test]
fn a_stopwatch_stands_still_where_any_process_says_so() {
    let m = uppaal(
        "clock x, y, z; bool run = true, go = true;
         process P() { state A { x' == 0 && y' == run && z' == 1 }; init A; trans A -> A { assign run = false; }; }
         process Q() { state A { z' == 0 && x' == go }; init A; trans A -> A { assign go = !go; }; }
         system P, Q;",
    );
    let show = |state: &ConcreteState| ["x", "y", "z"].map(|name| clock(&m, state, name));
    let later = wait(&m, ratio(1, 2)).expect("time passes");
    assert_eq!(show(&later), [ratio(0, 1), ratio(1, 2), ratio(0, 1)]);
    let semantics = Semantics::new(&m);
    let stopped = semantics.act(&later, &[edge(&m, "P", 0)]).expect("a step");
    assert_eq!(show(&semantics.delay(&stopped, ratio(5, 1)).expect("time passes")), show(&later));
}

#[test]
fn a_difference_with_a_stopwatch_can_become_urgent() {
    let m = uppaal(
        "urgent broadcast chan c; clock x, y;
         process P() { state A { y' == 0 }; init A; trans A -> A { guard x - y >= 1; sync c!; }; }
         system P;",
    );
    assert!(wait(&m, ratio(1, 1)).is_ok());
    assert!(wait(&m, ratio(11, 10)).is_err());
}
