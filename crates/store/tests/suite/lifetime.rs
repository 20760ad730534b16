//! Ids, zones and stale nodes over the life of a list, and what it refuses to be told.

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Dimension};
use tourbillon_store::{
    Cover, CoverParameters, DiagramSettings, DiscreteForm, NodeId, Offer, Offered, Order, PassedWaiting,
    Probe, Settings, StateRef, ZoneForm, build,
};

fn dimension() -> Dimension {
    Dimension::of_clocks(2).expect("few clocks")
}

fn settings() -> Settings {
    Settings {
        ranges: vec![(0, 7)],
        split: 1,
        dimension: dimension(),
        zones: ZoneForm::Shared,
        discrete: DiscreteForm::Bits,
        diagrams: DiagramSettings::default(),
        tight: false,
        cover: Cover::Inclusion,
        waiting_inclusion: true,
        order: Order::Bfs,
        seed: 0,
        traces: false,
        spare_waiting: false,
    }
}

/// The zone `x <= bound`, larger with larger bounds.
fn up_to(bound: i64) -> Dbm {
    let mut zone = Dbm::universal(dimension());
    let constant = Constant::new(bound).expect("a small constant");
    assert!(zone.constrain(Constraint::upper(Clock::from_index(1), Bound::weak(constant))));
    zone
}

fn offer_from(
    list: &mut dyn PassedWaiting,
    state: i32,
    zone: &Dbm,
    parent: Option<NodeId>,
    step: u32,
) -> Offer {
    let state = StateRef { discrete: &[state], zone, parameters: CoverParameters::None };
    list.offer(&Offered { state, parent, step, cost: 0 }, &mut Probe::new())
}

fn offer(list: &mut dyn PassedWaiting, state: i32, zone: &Dbm) -> Offer {
    offer_from(list, state, zone, None, 0)
}

fn stored(list: &mut dyn PassedWaiting, state: i32, zone: &Dbm) -> NodeId {
    match offer(list, state, zone) {
        Offer::Stored(node) => node,
        Offer::Covered => panic!("{zone:?} is covered"),
    }
}

fn loaded(list: &dyn PassedWaiting, node: NodeId) -> (i32, Dbm) {
    let (mut discrete, mut zone) = ([0], Dbm::zero(dimension()));
    list.load(node, &mut discrete, &mut zone);
    (discrete[0], zone)
}

#[test]
fn the_id_of_a_popped_node_is_reused_at_once() {
    let mut list = build(&settings());
    let first = stored(&mut *list, 1, &up_to(1));
    assert_eq!(list.pop(), Some(first));
    let second = stored(&mut *list, 1, &up_to(2));
    assert_eq!(second, first);
    assert_eq!(loaded(&*list, second), (1, up_to(2)));
    assert_eq!((list.pop(), list.pop()), (Some(second), None));
    assert_eq!(list.counts().mistakes, 1);
}

#[test]
fn the_id_of_a_stale_node_is_reused_after_it_was_popped() {
    let mut list = build(&settings());
    let stale = stored(&mut *list, 1, &up_to(1));
    let second = stored(&mut *list, 1, &up_to(2));
    assert_ne!(second, stale);
    assert_eq!((list.counts().waiting, list.counts().mistakes), (1, 0));
    assert_eq!((list.pop(), list.pop()), (Some(second), None));
    assert_eq!(stored(&mut *list, 2, &up_to(1)), stale);
    assert_eq!(list.stored_nodes().collect::<Vec<_>>(), [stale, second]);
}

#[test]
fn with_traces_ids_stay_and_parents_outlive_their_nodes() {
    let mut list = build(&Settings { traces: true, ..settings() });
    let root = stored(&mut *list, 0, &up_to(1));
    assert_eq!(list.pop(), Some(root));
    let Offer::Stored(child) = offer_from(&mut *list, 1, &up_to(1), Some(root), 7) else { panic!("covered") };
    let better = stored(&mut *list, 0, &up_to(5));
    assert!(better != root && better != child);
    assert_eq!(list.origin(child), Some((Some(root), 7)));
    assert_eq!(list.origin(root), Some((None, 0)));
    assert_eq!(list.stored_nodes().collect::<Vec<_>>(), [child, better]);
    assert_eq!(build(&settings()).origin(root), None);
}

#[test]
fn a_zone_goes_with_its_last_node() {
    let mut list = build(&settings());
    for state in 0..5 {
        stored(&mut *list, state, &up_to(1));
    }
    assert_eq!(list.counts().distinct_zones, 1);
    for state in 0..4 {
        stored(&mut *list, state, &up_to(2));
    }
    assert_eq!(list.counts().distinct_zones, 2);
    stored(&mut *list, 4, &up_to(2));
    assert_eq!(list.counts().distinct_zones, 1);
    let before = list.memory().zones;
    for bound in 3..100 {
        stored(&mut *list, 4, &up_to(bound));
    }
    assert_eq!(list.counts().distinct_zones, 2);
    // Past 62 bounds take two bytes each.
    assert!(list.memory().zones <= 2 * before, "places of freed zones are used again");
    while let Some(node) = list.pop() {
        let (state, zone) = loaded(&*list, node);
        assert_eq!(zone, up_to(if state == 4 { 99 } else { 2 }));
    }
}

#[test]
fn widening_keeps_what_is_stored() {
    for zones in ZoneForm::ALL {
        let mut list = build(&Settings { zones, cover: Cover::Equality, ..settings() });
        let bounds = [3, 62, 63, 5, 16_382, 16_383, 40_000, 1, 100_000_000];
        let nodes: Vec<NodeId> = bounds.iter().map(|&bound| stored(&mut *list, 3, &up_to(bound))).collect();
        for (&node, &bound) in nodes.iter().zip(&bounds) {
            assert_eq!(loaded(&*list, node), (3, up_to(bound)));
            assert_eq!(offer(&mut *list, 3, &up_to(bound)), Offer::Covered);
        }
        assert_eq!(list.counts().distinct_zones, bounds.len());
    }
}

#[test]
#[should_panic(expected = "a node that is not stored any more")]
fn a_deleted_node_cannot_be_loaded() {
    let mut list = build(&settings());
    let stale = stored(&mut *list, 1, &up_to(1));
    stored(&mut *list, 1, &up_to(2));
    loaded(&*list, stale);
}

#[test]
#[should_panic(expected = "a field without values")]
fn a_range_has_a_value() {
    let _list = build(&Settings { ranges: vec![(1, 0)], ..settings() });
}

/// Many zones of one state, of which new ones delete some in the middle, at the end, or all.
#[test]
fn lists_stay_whole_when_links_go() {
    let mut random = Random::from_seed(3);
    let mut list = build(&settings());
    let (x, y) = (Clock::from_index(1), Clock::from_index(2));
    for _ in 0..3000 {
        let (width, height) = (random.within(0..=40), random.within(0..=40));
        let mut zone = Dbm::universal(dimension());
        for (clock, bound) in [(x, width), (y, height)] {
            let constant = Constant::new(bound.into()).expect("a small constant");
            assert!(zone.constrain(Constraint::upper(clock, Bound::weak(constant))));
        }
        offer(&mut *list, 0, &zone);
        let stored: Vec<Dbm> = list.stored_nodes().map(|node| loaded(&*list, node).1).collect();
        assert!(stored.iter().any(|stored| stored.includes(&zone)));
        let covers = |i: usize, j: usize| i != j && stored[i].includes(&stored[j]);
        assert!((0..stored.len()).all(|i| (0..stored.len()).all(|j| !covers(i, j))));
    }
    assert_eq!(list.counts().stored, 1);
}

#[test]
fn a_waiting_node_that_is_spared_keeps_its_place() {
    let mut list = build(&Settings { spare_waiting: true, ..settings() });
    let small = stored(&mut *list, 1, &up_to(1));
    let other = stored(&mut *list, 2, &up_to(1));
    let large = stored(&mut *list, 1, &up_to(2));
    assert_eq!(
        (list.pop(), list.pop(), list.pop(), list.pop()),
        (Some(small), Some(other), Some(large), None)
    );
    let largest = stored(&mut *list, 1, &up_to(3));
    assert_eq!((list.counts().mistakes, list.counts().stored), (2, 2));
    assert_eq!(loaded(&*list, largest), (1, up_to(3)));
}
