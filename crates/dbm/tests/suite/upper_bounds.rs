//! Upper bounds of several clocks at once, and delays within them, against the same one step at a time.

use tourbillon_base::Random;
use tourbillon_dbm::{Bound, Constraint, Dbm};
use tourbillon_testkit::bridge::{clock, constant, zone};
use tourbillon_testkit::zones::{all_closed, random_matrix};

/// Each constraint in turn; nothing if nothing is left.
fn one_by_one(zone: &Dbm, uppers: &[Constraint]) -> Option<Dbm> {
    let mut zone = zone.clone();
    uppers.iter().all(|&upper| zone.constrain(upper)).then_some(zone)
}

fn agree(zone: &Dbm, uppers: &[Constraint]) {
    let mut at_once = zone.clone();
    let left = at_once.constrain_uppers(uppers);
    assert_eq!(left.then_some(&at_once), one_by_one(zone, uppers).as_ref(), "{zone:?} {uppers:?}");
    assert!(left || at_once == *zone, "what is left empty is as before");

    let mut delayed = zone.clone();
    let left = delayed.up_within(uppers);
    let mut up = zone.clone();
    up.up();
    assert_eq!(
        left.then_some(&delayed),
        one_by_one(&up, uppers).as_ref(),
        "{zone:?} delayed within {uppers:?}"
    );
    assert!(left || delayed == *zone, "what is left empty is as before");
}

fn upper(index: usize, limit: i64, strict: bool) -> Constraint {
    let limit = constant(limit);
    Constraint::upper(clock(index), if strict { Bound::strict(limit) } else { Bound::weak(limit) })
}

#[test]
fn every_small_zone_and_every_pair_of_bounds() {
    let zones: Vec<Dbm> = all_closed(2, 2).iter().filter_map(zone).collect();
    assert!(zones.len() > 100);
    let limits: Vec<(i64, bool)> = (0..=3).flat_map(|limit| [(limit, false), (limit, true)]).collect();
    for zone in &zones {
        agree(zone, &[]);
        for &(first, first_strict) in &limits {
            agree(zone, &[upper(1, first, first_strict)]);
            for &(second, second_strict) in &limits {
                agree(zone, &[upper(1, first, first_strict), upper(2, second, second_strict)]);
                agree(zone, &[upper(2, first, first_strict), upper(2, second, second_strict)]);
            }
        }
    }
}

#[test]
fn random_zones_of_many_clocks() {
    for seed in 0..4_000 {
        let mut random = Random::from_seed(seed);
        let clocks = 1 + random.below(24);
        let Some(zone) = zone(&random_matrix(&mut random, clocks, 20)) else { continue };
        let uppers: Vec<Constraint> = (0..random.below(clocks + 1))
            .map(|_| {
                let limit = i64::from(random.within(0..=30));
                upper(1 + random.below(clocks), limit, random.one_in(2))
            })
            .collect();
        agree(&zone, &uppers);
    }
}
