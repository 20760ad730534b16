//! What the list says it takes is what it asked of the allocator, and offers that store nothing ask for nothing.

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension};
use tourbillon_store::{
    Cover, CoverParameters, DiagramSettings, DiscreteForm, Offer, Offered, Order, PassedWaiting, Probe,
    Settings, StateRef, TableKind, TableSettings, WhenFull, ZoneForm, build, build_table,
};
use tourbillon_testkit::counting::{self, Counting};

#[global_allocator]
static COUNTING: Counting = Counting;

const CLOCKS: usize = 6;
const STATES: i32 = 10_000;

fn dimension() -> Dimension {
    Dimension::of_clocks(CLOCKS).expect("few clocks")
}

fn random_zone(random: &mut Random) -> Dbm {
    let mut zone = Dbm::universal(dimension());
    for _ in 0..4 {
        let clock = |random: &mut Random| Clock::from_index(random.below(CLOCKS + 1));
        let (left, right) = (clock(random), clock(random));
        let constant = Constant::new(random.within(0..=30).into()).expect("a small constant");
        let _kept = zone.constrain(Constraint::new(left, right, Bound::weak(constant)));
    }
    zone
}

/// Offers zones of random states; pops now and then. Returns how many offers were stored.
fn explore(
    (list, probe): (&mut dyn PassedWaiting, &mut Probe),
    random: &mut Random,
    (zones, bounds): (&[Dbm], &ClockBounds),
    offers: usize,
) -> usize {
    let mut stored = 0;
    for offer in 0..offers {
        let discrete = [random.within(0..=STATES), random.within(0..=3)];
        let zone = &zones[random.below(zones.len())];
        let cost = random.below(100) as u64;
        let state = StateRef { discrete: &discrete, zone, parameters: bounds.into() };
        let offered = Offered { state, parent: None, step: 1, cost };
        stored += usize::from(matches!(list.offer(&offered, probe), Offer::Stored(_)));
        if offer % 3 == 0 {
            list.pop();
        }
    }
    stored
}

fn settings(discrete: DiscreteForm, zones: ZoneForm, order: Order, traces: bool) -> Settings {
    Settings {
        ranges: vec![(0, STATES), (0, 3)],
        split: 1,
        dimension: dimension(),
        zones,
        discrete,
        diagrams: DiagramSettings::default(),
        tight: zones == ZoneForm::Shared,
        cover: Cover::Inclusion,
        waiting_inclusion: true,
        order,
        seed: 1,
        traces,
        spare_waiting: false,
    }
}

/// One test, since others would run beside it and be counted.
#[test]
fn memory_is_as_reported_and_steady() {
    for discrete in [
        DiscreteForm::Plain,
        DiscreteForm::Bits,
        DiscreteForm::Digits,
        DiscreteForm::Shared,
        DiscreteForm::Tree,
    ] {
        for zones in [ZoneForm::Plain, ZoneForm::MinimalShared] {
            check(&settings(discrete, zones, Order::Bfs, false));
        }
    }
    for zones in ZoneForm::ALL {
        check(&settings(DiscreteForm::Bits, zones, Order::Bfs, false));
    }
    for order in [Order::Dfs, Order::Random, Order::Cheapest, Order::Ranked] {
        check(&settings(DiscreteForm::Bits, ZoneForm::Shared, order, order == Order::Dfs));
    }
    for kind in [
        TableKind::Bits { per_state: 3 },
        TableKind::Signatures { bits: 47 },
        TableKind::SignaturesAndZones { bits: 20 },
    ] {
        for (waiting_inclusion, cover) in [(true, Cover::Inclusion), (false, Cover::Alu)] {
            let settings = settings(DiscreteForm::Bits, ZoneForm::Shared, Order::Bfs, !waiting_inclusion);
            check_table(&Settings { waiting_inclusion, cover, ..settings }, kind);
        }
    }
    a_small_list_is_small();
}

/// A table takes what it was given, and what waits is counted.
fn check_table(settings: &Settings, kind: TableKind) {
    let mut random = Random::from_seed(5);
    let zones: Vec<Dbm> = (0..200).map(|_| random_zone(&mut random)).collect();
    let bounds = ClockBounds::none(dimension());
    let before = counting::bytes();
    let calls = counting::calls();
    let table = TableSettings { kind, memory_bytes: 1 << 20, when_full: WhenFull::Stop, seed: 1 };
    let (mut list, mut probe) = (build_table(settings, &table).expect("little memory"), Probe::new());
    explore((&mut *list, &mut probe), &mut random, (&zones, &bounds), 100_000);
    let calls = counting::calls() - calls;
    assert!(calls < 1000, "{kind:?}: {calls} calls of the allocator for 100,000 offers");
    let (taken, memory) = (counting::bytes() - before, list.memory());
    let reported = memory.total();
    assert!((reported..reported + 4096).contains(&taken), "{kind:?}: {reported} reported, {taken} taken");
    assert!(((1 << 20) - 2048..(1 << 20) + 4096).contains(&memory.table), "{kind:?}: {} bytes", memory.table);
}

fn check(settings: &Settings) {
    let mut random = Random::from_seed(5);
    let zones: Vec<Dbm> = (0..200).map(|_| random_zone(&mut random)).collect();
    let bounds = ClockBounds::none(dimension());
    let before = counting::bytes();
    counting::forget_most();
    let calls = counting::calls();
    let (mut list, mut probe) = (build(settings), Probe::new());
    explore((&mut *list, &mut probe), &mut random, (&zones, &bounds), 100_000);
    let calls = counting::calls() - calls;
    assert!(calls < 1000, "{settings:?}: {calls} calls of the allocator for 100,000 offers");

    let taken = counting::bytes() - before;
    let reported = list.memory().total();
    let margin = 4096;
    assert!(
        (reported..reported + margin).contains(&taken),
        "{settings:?}: {reported} reported, {taken} taken"
    );
    let peak = counting::bytes_max() - before;
    // Cost queues double, and the first chunks of plain zones and indices may have been larger for a moment.
    let doubles = matches!(settings.order, Order::Cheapest | Order::Ranked);
    let spare = if doubles { taken / 2 } else { taken / 8 + (1 << 18) };
    assert!(peak <= taken + spare, "{settings:?}: {taken} taken, {peak} at some time");

    while list.pop().is_some() {}
    let universal = Dbm::universal(dimension());
    for (state, variable) in (0..=STATES).flat_map(|state| (0..=3).map(move |variable| (state, variable))) {
        let (discrete, zone) = (&[state, variable], &universal);
        let state = StateRef { discrete, zone, parameters: CoverParameters::None };
        list.offer(&Offered { state, parent: None, step: 0, cost: 0 }, &mut probe);
    }
    let calls = counting::calls();
    let stored = explore((&mut *list, &mut probe), &mut random, (&zones, &bounds), 30_000);
    assert_eq!(
        (stored, counting::calls() - calls),
        (0, 0),
        "{settings:?}: nothing stored, nothing asked for"
    );
}

fn a_small_list_is_small() {
    let (zones, bounds) = ([Dbm::zero(dimension())], ClockBounds::none(dimension()));
    let before = counting::bytes();
    let mut list = build(&settings(DiscreteForm::Bits, ZoneForm::Shared, Order::Bfs, false));
    explore((&mut *list, &mut Probe::new()), &mut Random::from_seed(1), (&zones, &bounds), 5);
    let taken = counting::bytes() - before;
    assert!(taken < 4096, "five states take {taken} bytes");
}
