//! The benchmark families: the oracle gives the known answers, and finds the same in both languages.

use std::collections::BTreeSet;

use tourbillon_gen::{Family, families};
use tourbillon_model::LocationId;
use tourbillon_testkit::networks::{tchecker_model, uppaal_model};
use tourbillon_testkit::oracle::{Answer, Discrete, Reached, by_regions};

/// Where processes can be together; variables are declared in another order in the other language.
fn places(reached: &BTreeSet<Discrete>) -> BTreeSet<&[LocationId]> {
    reached.iter().map(|discrete| discrete.locations.as_slice()).collect()
}

/// What a member can reach, as written in either language, if it is small enough.
fn judged(family: &Family, n: u32) -> Option<(Reached, Reached)> {
    let xta = uppaal_model(&family.xta(n).ok()?, &family.q(n).ok()?).expect("a model");
    let tck = tchecker_model(&family.tck(n).ok()?).expect("a model");
    match (by_regions(&xta, 20_000), by_regions(&tck, 20_000)) {
        (Answer::Reached(xta), Answer::Reached(tck)) => Some((xta, tck)),
        _ => None,
    }
}

#[test]
fn small_members_are_judged_as_is_known() {
    let mut names = BTreeSet::new();
    for family in families() {
        let first = *family.sizes().start();
        for n in first..first + 3 {
            let Some((xta, tck)) = judged(family, n) else { break };
            for (query, verdict) in family.queries(n).expect("a member").iter().zip(xta.verdicts) {
                if let (Some(expected), Some(verdict)) = (query.expected, verdict) {
                    assert_eq!(verdict, expected, "{} {n}: {}", family.name(), query.formula);
                }
            }
            assert_eq!(places(&xta.discrete), places(&tck.discrete), "{} {n}", family.name());
            names.insert(family.name());
        }
    }
    assert!(names.len() >= 4, "only {names:?}");
}
