//! Runs that are accepted because they come to labelled states again and again.

use tourbillon_testkit::networks::tchecker_model;
use tourbillon_testkit::oracle::liveness::{accepts, is_labelled};

/// Whether runs are accepted by labels, with all runs and with those along which time diverges.
fn accepted(lines: &[&str], labels: &[&str]) -> (bool, bool) {
    let model = tchecker_model(&(lines.join("\n") + "\n")).expect("a model");
    let by = |non_zeno| accepts(&model, |discrete| is_labelled(&model, discrete, labels), non_zeno, 10_000);
    (by(false).expect("judged"), by(true).expect("judged"))
}

const HEAD: [&str; 4] = ["system:s", "event:a", "clock:1:x", "process:P"];

fn of(lines: &[&str], labels: &[&str]) -> (bool, bool) {
    accepted(&[&HEAD, lines].concat(), labels)
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

/// Labels of different processes must be there at once; of one process they cannot.
#[test]
fn all_labels_must_be_there_at_once() {
    let one = [
        "location:P:A{initial: : labels: left}",
        "location:P:B{labels: right}",
        "edge:P:A:B:a{}",
        "edge:P:B:A:a{}",
    ];
    assert_eq!(of(&one, &["left", "right"]), (false, false));
    let two = [&one[..], &["process:Q", "location:Q:A{initial: : labels: right}"]].concat();
    assert_eq!(of(&two, &["left", "right"]), (true, true));
}
