//! What each way of looking for an inclusion finds, and what it counts.

use tourbillon_base::Random;
use tourbillon_dd::{AllEdges, Compact, Handle, Inclusion, NodeForm, Settings, WithoutFalse};

use crate::{MINIMAL, all_settings, diagrams, federation, random_zone, random_zones, united, zone};

/// Exactly what subtraction of zones finds, with four and five clocks.
fn agrees_with_federations<F: NodeForm>(seeds: std::ops::Range<u64>, clocks: usize) {
    let all = all_settings();
    for seed in seeds {
        let mut random = Random::from_seed(seed);
        let settings = all[random.below(all.len())];
        let zones = random_zones(&mut random, 8, clocks, 4);
        let mut family = diagrams::<F>(clocks, settings);
        let (diagram, federation) = (united(&mut family, &zones), federation(clocks, &zones));
        let mut asked = random_zones(&mut random, 10, clocks, 4);
        // Those that are most likely to be covered by several: what two have in common, and a part of each.
        for one in &zones {
            let mut part = one.clone();
            if part.intersect(&random_zone(&mut random, clocks, 4)) {
                asked.push(part);
            }
        }
        for zone in &asked {
            let expected = federation.includes_zone(zone);
            assert_eq!(family.includes_zone(diagram, zone), expected, "seed {seed}, {settings:?}: {zone:?}");
        }
    }
}

#[test]
fn exact_inclusion_is_that_of_federations() {
    agrees_with_federations::<Compact>(0..400, 4);
    agrees_with_federations::<AllEdges>(400..500, 5);
    agrees_with_federations::<WithoutFalse>(500..600, 5);
}

/// Each of the united zones, and every part of one, is recognised by levels alone.
#[test]
fn single_zones_are_recognised_by_levels() {
    for seed in 0..300 {
        let mut random = Random::from_seed(seed);
        for settings in all_settings() {
            let settings = Settings { inclusion: Inclusion::Levels, ..settings };
            let zones = random_zones(&mut random, 6, 4, 5);
            let mut family = diagrams::<Compact>(4, settings);
            let diagram = united(&mut family, &zones);
            for whole in &zones {
                assert!(family.includes_zone(diagram, whole), "seed {seed}, {settings:?}: {whole:?}");
                let mut part = whole.clone();
                let met = part.intersect(&random_zone(&mut random, 4, 5));
                assert!(!met || family.includes_zone(diagram, &part), "seed {seed}, {settings:?}: {part:?}");
            }
            assert_eq!(family.counts().refused_by_levels, 0);
        }
    }
}

/// Level by level, only a part of what is included is found; what is found is included.
#[test]
fn levels_alone_are_right_when_they_say_yes() {
    let mut missed = 0;
    for seed in 0..500 {
        let mut random = Random::from_seed(seed);
        let zones = random_zones(&mut random, 8, 3, 2);
        let mut family =
            diagrams::<Compact>(3, Settings { inclusion: Inclusion::Levels, ..Settings::default() });
        let (diagram, federation) = (united(&mut family, &zones), federation(3, &zones));
        for zone in random_zones(&mut random, 20, 3, 2) {
            let (found, included) = (family.includes_zone(diagram, &zone), federation.includes_zone(&zone));
            assert!(included || !found, "seed {seed}: {zone:?}");
            missed += u32::from(included && !found);
        }
    }
    assert!(missed > 0, "paths that contradict themselves must occur");
}

/// A zone covered by three together (figure 3.4 of the paper), and what is counted.
#[test]
fn answers_are_counted() {
    let mut family = diagrams::<Compact>(2, MINIMAL);
    let columns = [zone(2, "a<=2, b<=9"), zone(2, "a>=2, a<4, b<=9"), zone(2, "a>=4, a<=7, b<=9")];
    let diagram = united(&mut family, &columns);
    assert!(family.includes_zone(diagram, &zone(2, "a>=1, a<=6, b>=3, b<=4")));
    assert_eq!(family.counts().included_by_levels, 1);
    assert!(!family.includes_zone(diagram, &zone(2, "a>=1, a<=8, b>=3, b<=4")));
    assert_eq!(family.counts().refused_by_paths, 1);
    // Below the line a=b it is covered by the one, above by the other, but the corner a=9, b=1 is only on paper.
    let halves = [zone(2, "a-b<=0, a<=9, b<=9"), zone(2, "a-b>0, a-b<=8, a<=9, b<=9")];
    let diagram = united(&mut family, &halves);
    let asked = zone(2, "a-b<=8, a<=9, b<=9");
    assert!(family.includes_zone(diagram, &asked));
    assert_eq!(family.counts().given_up, 0);
}

#[test]
fn a_limit_on_parts_gives_up_with_a_no() {
    let with = |parts_max| {
        let settings = Settings { inclusion: Inclusion::Exact { parts_max }, ..Settings::default() };
        let mut random = Random::from_seed(1);
        let (mut no, mut counts) = (0, None);
        for _ in 0..200 {
            let mut family = diagrams::<Compact>(3, settings);
            let zones = random_zones(&mut random, 8, 3, 2);
            let diagram = united(&mut family, &zones);
            for zone in random_zones(&mut random, 10, 3, 2) {
                no += u32::from(!family.includes_zone(diagram, &zone));
            }
            counts = Some(counts.unwrap_or(0) + family.counts().given_up);
        }
        (no, counts.unwrap_or(0))
    };
    let (few, all) = (with(1), with(u32::MAX));
    assert!(few.1 > 0 && all.1 == 0);
    assert!(few.0 > all.0, "with a limit some are missed: {} and {}", few.0, all.0);
}

#[test]
fn constants_include_all_and_nothing() {
    let mut family = diagrams::<Compact>(2, Settings::default());
    let any = zone(2, "a<=2");
    assert!(family.includes_zone(Handle::TRUE, &any) && !family.includes_zone(Handle::FALSE, &any));
    assert!(family.is_empty(Handle::FALSE) && !family.is_empty(Handle::TRUE));
}
