//! Synchronisation vectors.

use tourbillon_base::Rational;
use tourbillon_replay::{Fired, Violation};

use crate::shared::{after, cell, edge, initial_actions, tchecker};

const NOW: Rational = Rational::ZERO;

/// Three processes with one location each and an edge per event; `n` records who did what.
fn three(events: [&[&str]; 3], rest: &str) -> String {
    let mut text = "system:s\nevent:a\nevent:b\nint:1:0:999:0:n\n".to_owned();
    for (process, events) in ["P", "Q", "R"].iter().zip(events) {
        text.push_str(&format!("process:{process}\nlocation:{process}:l{{initial:}}\n"));
        for event in events {
            let digit = process.bytes().next().map_or(0, |letter| letter - b'O');
            text.push_str(&format!("edge:{process}:l:l:{event}{{do: n = 10*n+{digit}}}\n"));
        }
    }
    text + rest
}

#[test]
fn an_event_in_no_vector_is_taken_alone() {
    let m = tchecker(&three([&["a", "b"], &["a"], &["a"]], "sync:P@a:Q@a\n"));
    assert_eq!(initial_actions(&m), [vec![(0, 0), (1, 0)], vec![(0, 1)], vec![(2, 0)]]);
    assert!(after(&m, NOW, &[edge(&m, "R", 0)]).is_ok());
    let alone = vec![edge(&m, "P", 0)];
    assert_eq!(after(&m, NOW, &alone), Err(Violation::NotTogether(alone.clone())));
}

#[test]
fn strong_participants_are_all_needed_and_the_order_is_that_of_the_vector() {
    let m = tchecker(&three([&["a"], &["a"], &["a"]], "sync:R@a:P@a:Q@a\n"));
    let [p, q, r] = ["P", "Q", "R"].map(|process| edge(&m, process, 0));
    let done = after(&m, NOW, &[r.clone(), p.clone(), q.clone()]).expect("all take part");
    assert_eq!(cell(&m, &done, "n"), 312);
    for wrong in [vec![p.clone(), q.clone(), r.clone()], vec![r.clone(), p.clone()], vec![q]] {
        assert_eq!(after(&m, NOW, &wrong), Err(Violation::NotTogether(wrong.clone())));
    }
    let m = tchecker(&three([&["a"], &["b"], &["a"]], "sync:R@a:P@a:Q@a\n"));
    assert_eq!(initial_actions(&m), [[(1, 0)]]);
}

#[test]
fn weak_participants_come_along_if_they_can() {
    let both = tchecker(&three([&["a"], &["b"], &["b"]], "sync:P@a:Q@b?:R@b?\n"));
    assert_eq!(initial_actions(&both), [[(0, 0), (1, 0), (2, 0)]]);
    let p = vec![edge(&both, "P", 0)];
    assert_eq!(after(&both, NOW, &p), Err(Violation::LeftOut(edge(&both, "Q", 0).process)));
    let one = tchecker(&three([&["a"], &[], &["b"]], "sync:P@a:Q@b?:R@b?\n"));
    assert_eq!(initial_actions(&one), [[(0, 0), (2, 0)]]);
    let none = tchecker(&three([&["a"], &[], &[]], "sync:P@a:Q@b?:R@b?\n"));
    assert_eq!(initial_actions(&none), [[(0, 0)]]);
}

#[test]
fn a_vector_of_weak_participants_needs_one() {
    let some = tchecker(&three([&[], &["b"], &["b"]], "sync:P@a?:Q@b?\n"));
    assert_eq!(initial_actions(&some), [[(1, 0)], [(2, 0)]]);
    let none = tchecker(&three([&[], &[], &["b"]], "sync:P@a?:Q@b?\n"));
    assert_eq!(initial_actions(&none), [[(2, 0)]]);
}

#[test]
fn vectors_are_alternatives_and_edges_choices() {
    let m =
        tchecker(&three([&["a", "a"], &["a"], &["a"]], "sync:P@a:Q@a\nsync:P@a:R@a\nsync:P@a:Q@a:R@a?\n"));
    let pairs = |edge| [vec![(0, edge), (1, 0)], vec![(0, edge), (1, 0), (2, 0)], vec![(0, edge), (2, 0)]];
    assert_eq!(initial_actions(&m), [pairs(0), pairs(1)].concat());
    let all: Vec<Fired> = ["P", "Q", "R"].map(|process| edge(&m, process, 0)).to_vec();
    assert!(after(&m, NOW, &all).is_ok());
    assert!(after(&m, NOW, &all[..2]).is_ok());
}

#[test]
fn with_a_committed_location_the_vector_leaves_one() {
    let text = three([&["a"], &["a"], &["a"]], "sync:P@a:Q@a\n")
        .replace("Q:l{initial:}", "Q:l{initial: : committed:}");
    let m = tchecker(&text);
    assert_eq!(initial_actions(&m), [[(0, 0), (1, 0)]]);
    assert!(matches!(after(&m, NOW, &[edge(&m, "R", 0)]), Err(Violation::Committed(..))));
}
