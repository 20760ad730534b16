//! The symmetry of the benchmark families, in both languages.

use tourbillon_gen::family;

use crate::shared::{orbits, tchecker, uppaal};

/// The orbits of a family's member with three processes, in UPPAAL's language and, with other names, in TChecker's.
fn expect(name: &str, xta: &[&str], tck: &[&str]) {
    let family = family(name).expect("a family");
    assert_eq!(orbits(&uppaal(&family.xta(3).expect("a member"))), xta, "{name} in UPPAAL's language");
    assert_eq!(orbits(&tchecker(&family.tck(3).expect("a member"))), tck, "{name} in TChecker's language");
}

#[test]
fn processes_that_differ_in_their_number_alone_can_be_exchanged() {
    expect("fischer", &["Process(1) Process(2) Process(3)"], &["Process1 Process2 Process3"]);
    expect("lynch", &["Process(1) Process(2) Process(3)"], &["Process1 Process2 Process3"]);
    expect("corsso", &["User(1) User(2) User(3)"], &["User1 User2 User3"]);
    expect("csmacd-broadcast", &["Station(1) Station(2) Station(3)"], &["Station1 Station2 Station3"]);
}

/// The queue is filled with the number of the first train; that is no difference, since runs from a permuted queue are
/// permuted runs.
#[test]
fn a_value_at_the_beginning_does_not_matter() {
    expect("train-gate", &["Train(0) Train(1) Train(2)"], &["Train0 Train1 Train2"]);
}

#[test]
fn neighbours_in_a_ring_can_be_rotated() {
    expect(
        "dining-philosophers",
        &["(Philosopher(0) Philosopher(1) Philosopher(2))"],
        &["(Philosopher0 Philosopher1 Philosopher2)"],
    );
    // Missed: the token is in a location of the ring for each station, and the turn is computed.
    for name in ["fddi", "critical-region", "critical-region-exclusive"] {
        expect(name, &[], &[]);
    }
}

#[test]
fn an_order_among_processes_is_no_symmetry() {
    // The bus counts through the stations; each person has a time of their own.
    for name in ["csmacd", "bridge"] {
        expect(name, &[], &[]);
    }
}
