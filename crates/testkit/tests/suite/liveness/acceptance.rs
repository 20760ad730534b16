//! Runs that are accepted because they come to labelled states again and again.

use tourbillon_testkit::networks::tchecker_model;
use tourbillon_testkit::oracle::Discrete;
use tourbillon_testkit::oracle::liveness::{accepts, is_labelled};

/// Whether runs are accepted that have each of these sets of labels at once again and again, with all runs and with
/// those along which time diverges.
fn accepted(lines: &[&str], sets: &[&[&str]]) -> (bool, bool) {
    let model = tchecker_model(&(lines.join("\n") + "\n")).expect("a model");
    let kinds: Vec<_> =
        sets.iter().map(|labels| |discrete: &Discrete| is_labelled(&model, discrete, labels)).collect();
    let kinds: Vec<&dyn Fn(&Discrete) -> bool> = kinds.iter().map(|kind| kind as _).collect();
    let by = |non_zeno| accepts(&model, &kinds, non_zeno, 10_000).expect("judged");
    (by(false), by(true))
}

const HEAD: [&str; 4] = ["system:s", "event:a", "clock:1:x", "process:P"];

fn of(lines: &[&str], labels: &[&str]) -> (bool, bool) {
    accepted(&[&HEAD, lines].concat(), &[labels])
}

#[test]
fn waiting_for_ever_is_no_acceptance() {
    assert_eq!(of(&["location:P:A{initial: : labels: good}"], &["good"]), (false, false));
}

#[test]
fn the_initial_state_counts_only_if_a_run_comes_back() {
    let places =
        ["location:P:A{initial: : labels: good}", "location:P:B{}", "edge:P:A:B:a{}", "edge:P:B:B:a{}"];
    assert_eq!(of(&places, &["good"]), (false, false));
    let back = [&places[..], &["edge:P:B:A:a{}"]].concat();
    assert_eq!(of(&back, &["good"]), (true, true));
}

#[test]
fn a_loop_at_a_labelled_location_is_accepted_and_may_be_zeno() {
    let zeno = ["location:P:A{initial: : labels: good : invariant: x<=1}", "edge:P:A:A:a{}"];
    assert_eq!(of(&zeno, &["good"]), (true, false));
    let resets = [zeno[0], "edge:P:A:A:a{provided: x==1 : do: x=0}"];
    assert_eq!(of(&resets, &["good"]), (true, true));
    assert_eq!(of(&resets, &["bad"]), (false, false));
}

#[test]
fn no_label_at_all_asks_for_any_endless_sequence_of_actions() {
    assert_eq!(of(&["location:P:A{initial:}", "edge:P:A:A:a{}"], &[]), (true, true));
    assert_eq!(of(&["location:P:A{initial:}"], &[]), (false, false));
}

/// Labels in one set must be there at once, and labels of one process cannot; those in different sets come in turn.
#[test]
fn labels_at_once_and_labels_in_turn() {
    let one = [
        "location:P:A{initial: : labels: left}",
        "location:P:B{labels: right}",
        "edge:P:A:B:a{}",
        "edge:P:B:A:a{}",
    ];
    assert_eq!(of(&one, &["left", "right"]), (false, false));
    assert_eq!(accepted(&[&HEAD, &one[..]].concat(), &[&["left"], &["right"]]), (true, true));
    let two = [&one[..], &["process:Q", "location:Q:A{initial: : labels: right}"]].concat();
    assert_eq!(of(&two, &["left", "right"]), (true, true));
    let apart = [one[0], one[1], "edge:P:A:A:a{}", "edge:P:A:B:a{}", "edge:P:B:B:a{}"];
    assert_eq!(accepted(&[&HEAD, &apart[..]].concat(), &[&["left"], &["right"]]), (false, false));
    assert_eq!(accepted(&[&HEAD, &apart[..]].concat(), &[&["right"]]), (true, true));
}
