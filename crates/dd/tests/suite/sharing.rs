//! Nodes are shared, counted and collected.

use tourbillon_base::Random;
use tourbillon_dbm::Dbm;
use tourbillon_dd::{AllEdges, Compact, Diagrams, Handle, NodeForm, Settings, WithoutFalse};

use crate::{MINIMAL, all_settings, diagrams, random_zones, united, zone};

/// Two states with zones that are alike at the bottom have the nodes there once.
#[test]
fn diagrams_share_what_is_alike() {
    let mut family = diagrams::<Compact>(2, MINIMAL);
    let one = family.zone(&zone(2, "b-a<=0, a<=5, b>=2"));
    let nodes = family.nodes();
    let other = family.zone(&zone(2, "b-a<=-1, a<=5, b>=2"));
    assert_ne!(one, other);
    assert_eq!(family.nodes(), nodes + 1, "all but the top is shared");
    assert_eq!((family.size(one), family.size(other)), (nodes, nodes));
}

fn shape<F: NodeForm>(seed: u64, settings: Settings) -> (usize, u64, Vec<u64>) {
    let mut random = Random::from_seed(seed);
    let mut family = diagrams::<F>(4, settings);
    let diagram = united(&mut family, &random_zones(&mut random, 12, 4, 6));
    family.collect([diagram]);
    let statistics = family.statistics();
    assert_eq!(statistics.total().nodes as usize, family.nodes());
    assert_eq!(family.size(diagram), family.nodes());
    assert_eq!(statistics.bytes as usize, family.bytes());
    assert!(statistics.total().bytes + statistics.table_bytes <= statistics.bytes);
    let by_level = statistics.by_level.iter().map(|level| level.nodes).collect();
    (family.nodes(), statistics.total().edges, by_level)
}

#[test]
fn all_forms_have_the_same_nodes() {
    for seed in 0..100 {
        for settings in all_settings() {
            let expected = shape::<AllEdges>(seed, settings);
            assert_eq!(shape::<WithoutFalse>(seed, settings), expected, "seed {seed}, {settings:?}");
            assert_eq!(shape::<Compact>(seed, settings), expected, "seed {seed}, {settings:?}");
        }
    }
}

/// Looking for nodes first changes no handle.
#[test]
fn backtrace_changes_nothing_but_its_count() {
    let mut random = Random::from_seed(3);
    let zones = random_zones(&mut random, 40, 4, 4);
    let with = |backtrace| {
        let mut family = diagrams::<Compact>(4, Settings { backtrace, ..Settings::default() });
        let handles: Vec<Handle> =
            (0..zones.len()).map(|count| united(&mut family, &zones[..count])).collect();
        (handles, family.nodes(), family.counts().backtraced)
    };
    let (without, nodes, none) = with(false);
    let (with, same_nodes, some) = with(true);
    assert_eq!((without, nodes), (with, same_nodes));
    assert!(none == 0 && some > 0);
}

/// Diagrams of many rounds, some of which are kept: those mean the same forever, and nothing else is left.
fn collects<F: NodeForm>(seed: u64) {
    let mut random = Random::from_seed(seed);
    let mut family = diagrams::<F>(4, Settings::default());
    let mut kept: Vec<(Handle, Vec<Dbm>)> = Vec::new();
    let mut largest = 0;
    for round in 0..30 {
        for _ in 0..10 {
            let zones = random_zones(&mut random, 8, 4, 50);
            kept.push((united(&mut family, &zones), zones));
        }
        largest = largest.max(family.bytes());
        random.shuffle(&mut kept);
        kept.truncate(10 + random.below(10));
        family.collect(kept.iter().map(|&(handle, _)| handle));
        let case = || format!("seed {seed}, round {round}");
        // What is made again is found, not made: the same handle, and no node more.
        let nodes = family.nodes();
        for (handle, zones) in &kept {
            let diagrams: Vec<Handle> = zones.iter().map(|zone| family.zone(zone)).collect();
            let again = diagrams.into_iter().fold(Handle::FALSE, |all, one| family.union(all, one));
            assert_eq!(*handle, again, "{}", case());
        }
        family.collect(kept.iter().map(|&(handle, _)| handle));
        assert_eq!(family.nodes(), nodes, "{}", case());
        let needed = reachable(&family, &kept);
        assert_eq!(family.nodes(), needed, "{}", case());
    }
    assert!(family.bytes() <= largest, "seed {seed}: holes are filled before anything grows");
    family.collect([]);
    assert_eq!(family.nodes(), 0);
    assert!(family.bytes() < 10_000, "seed {seed}: {}", family.bytes());
}

/// The number of nodes that a fresh family needs for the same diagrams.
fn reachable<F: NodeForm>(family: &Diagrams<F>, kept: &[(Handle, Vec<Dbm>)]) -> usize {
    let mut fresh = diagrams::<F>(4, family.settings());
    let handles: Vec<Handle> = kept.iter().map(|(_, zones)| united(&mut fresh, zones)).collect();
    fresh.collect(handles);
    fresh.nodes()
}

#[test]
fn collection_keeps_what_is_used_and_frees_the_rest() {
    for seed in 0..4 {
        collects::<AllEdges>(seed);
        collects::<WithoutFalse>(seed);
        collects::<Compact>(seed);
    }
}

#[test]
fn collection_is_asked_for_when_it_pays() {
    let mut random = Random::from_seed(8);
    let mut family = diagrams::<Compact>(4, Settings::default());
    let mut diagram = Handle::FALSE;
    let mut collections = 0;
    for _ in 0..3_000 {
        for zone in random_zones(&mut random, 1, 4, 30) {
            diagram = family.union_zone(diagram, &zone);
        }
        if family.wants_collection() {
            collections += 1;
            family.collect([diagram]);
            assert!(!family.wants_collection());
        }
    }
    assert!((1..300).contains(&collections), "{collections} collections");
}

/// The numbers that the bars are about, on zones with small constants: the third form against the first.
#[test]
fn the_third_form_is_smaller() {
    fn bytes<F: NodeForm>() -> (usize, usize) {
        let mut random = Random::from_seed(5);
        let mut family = diagrams::<F>(4, Settings::default());
        let handles: Vec<Handle> =
            (0..400).map(|_| united(&mut family, &random_zones(&mut random, 6, 4, 30))).collect();
        family.collect(handles);
        (family.bytes(), family.nodes())
    }
    let (first, second, third) = (bytes::<AllEdges>(), bytes::<WithoutFalse>(), bytes::<Compact>());
    assert_eq!((first.1, second.1), (second.1, third.1));
    assert!(second.0 < first.0, "{second:?} of {first:?}");
    assert!(third.0 * 10 < first.0 * 7, "{third:?} of {first:?}");
}
