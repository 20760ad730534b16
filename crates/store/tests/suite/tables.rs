//! Probabilistic passed lists: compared with their definition while there are no collisions, and the frequency of collisions.

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{ClockBounds, Dbm, Dimension};
use tourbillon_store::{
    Certainty, Cover, CoverParameters, DiagramSettings, DiscreteForm, NodeId, Offer, Offered, Order,
    PassedWaiting, Probe, Settings, StateRef, TableKind, TableSettings, WhenFull, ZoneForm, build_table,
};
use tourbillon_testkit::{bridge, zones};

const COVERS: [Cover; 4] = [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive];
const ORDERS: [Order; 4] = [Order::Bfs, Order::Dfs, Order::Random, Order::Cheapest];
/// Kinds that make no mistake among a few hundred states.
const SURE: [TableKind; 3] = [
    TableKind::Bits { per_state: 30 },
    TableKind::Signatures { bits: 62 },
    TableKind::SignaturesAndZones { bits: 62 },
];

fn settings(ranges: &[(i32, i32)], clocks: usize) -> Settings {
    Settings {
        ranges: ranges.to_vec(),
        split: ranges.len() / 2,
        dimension: Dimension::of_clocks(clocks).expect("few clocks"),
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

fn table(kind: TableKind, memory_bytes: u64, seed: u64) -> TableSettings {
    TableSettings { kind, memory_bytes, when_full: WhenFull::Stop, seed }
}

fn built(settings: &Settings, table: &TableSettings) -> Box<dyn PassedWaiting> {
    build_table(settings, table).expect("little memory")
}

/// A state, with the number of its offer.
#[derive(Clone, PartialEq, Debug)]
struct State {
    offer: usize,
    discrete: Vec<i32>,
    zone: Dbm,
    bounds: ClockBounds,
}

/// What a list with a table is to do, with states in vectors.
struct Definition {
    /// What covers what among waiting states, and among passed ones.
    cover: Cover,
    passed_cover: Cover,
    waiting_inclusion: bool,
    waiting: Vec<State>,
    passed: Vec<State>,
    refused: usize,
    deleted: usize,
    mistakes: usize,
}

fn covers(cover: Cover, stored: &State, new: &State) -> bool {
    stored.discrete == new.discrete
        && match cover {
            Cover::Equality => stored.zone == new.zone,
            Cover::Inclusion | Cover::Adaptive => stored.zone.includes(&new.zone),
            Cover::Alu => new.zone.is_simulated_lu(&stored.zone, &new.bounds),
        }
}

fn delete_covered(cover: Cover, states: &mut Vec<State>, new: &State) -> usize {
    let before = states.len();
    states.retain(|state| !covers(cover, new, state));
    before - states.len()
}

impl Definition {
    fn is_known(&self, state: &State) -> bool {
        self.passed.iter().any(|passed| covers(self.passed_cover, passed, state))
    }

    fn forget_covered(&mut self, state: &State) {
        let forgotten = delete_covered(self.passed_cover, &mut self.passed, state);
        self.deleted += forgotten;
        self.mistakes += forgotten;
    }

    fn offer(&mut self, state: State) -> bool {
        if self.waiting_inclusion {
            let waits = self.waiting.iter().any(|waiting| covers(self.cover, waiting, &state));
            if waits || self.is_known(&state) {
                self.refused += 1;
                return false;
            }
            self.forget_covered(&state);
            self.deleted += delete_covered(self.cover, &mut self.waiting, &state);
        }
        self.waiting.push(state);
        true
    }

    /// Notes that nothing was left to pop.
    fn drop_known(&mut self) {
        for state in std::mem::take(&mut self.waiting) {
            assert!(!self.waiting_inclusion && self.is_known(&state), "{state:?} is waiting");
            self.refused += 1;
        }
    }

    /// Notes that an offer was popped, after those before it in the order that are known were dropped.
    fn pop(&mut self, offer: usize, order: Order) -> State {
        loop {
            let at = match order {
                Order::Bfs => 0,
                Order::Dfs => self.waiting.len() - 1,
                _ => self.waiting.iter().position(|state| state.offer == offer).expect("it waits"),
            };
            let state = self.waiting.remove(at);
            if !self.waiting_inclusion && self.is_known(&state) {
                self.refused += 1;
                continue;
            }
            if !self.waiting_inclusion {
                self.forget_covered(&state);
            }
            self.passed.push(state.clone());
            return state;
        }
    }
}

fn random_state(random: &mut Random, clocks: usize, offer: usize) -> State {
    let discrete = vec![random.within(0..=2), random.within(-3..=0)];
    let zone = bridge::zone(&zones::random_matrix(random, clocks, 3)).expect("it is not empty");
    let limits = |seed: u64| zones::random_limits(&mut Random::from_seed(seed), clocks, 4);
    // A function of the discrete state.
    let seed = (discrete[0] * 10 - discrete[1]) as u64;
    let bounds = bridge::clock_bounds(&limits(seed), &limits(seed + 100));
    State { offer, discrete, zone, bounds }
}

/// Random offers and pops. Without inclusion on waiting, an order that is not the definition's own could drop known
/// states in another sequence, so these orders are tried with it only.
fn compare(seed: u64, kind: TableKind, cover: Cover, order: Order, waiting_inclusion: bool) {
    let what =
        format!("seed {seed}, {kind:?}, {cover:?}, {order:?}, inclusion on waiting: {waiting_inclusion}");
    let random = &mut Random::from_seed(seed);
    let clocks = random.below(4);
    let traces = random.one_in(2);
    let zones = if random.one_in(2) { ZoneForm::Shared } else { ZoneForm::Plain };
    let base = settings(&[(0, 2), (-3, 0)], clocks);
    let settings = Settings { cover, order, waiting_inclusion, traces, zones, seed, ..base };
    let mut list = built(&settings, &table(kind, 1 << 16, seed));
    let keeps_zones = matches!(kind, TableKind::SignaturesAndZones { .. });
    let passed_cover = if keeps_zones { cover } else { Cover::Equality };
    let mut definition = Definition {
        cover,
        passed_cover,
        waiting_inclusion,
        waiting: Vec::new(),
        passed: Vec::new(),
        refused: 0,
        deleted: 0,
        mistakes: 0,
    };
    let mut probe = Probe::new();
    let mut offers: Vec<Option<NodeId>> = Vec::new();
    let mut origins = Vec::new();
    let mut parent = None;
    let pops = 1 + random.below(5);
    for round in 0..300 {
        if random.below(8) < pops || round > 250 {
            let popped = list.pop();
            let Some(node) = popped else {
                definition.drop_known();
                continue;
            };
            // An id may have been used again: the last offer that was told so is meant.
            let offer = offers.iter().rposition(|&known| known == Some(node)).expect("it was offered");
            let expected = definition.pop(offer, order);
            let mut discrete = vec![0; 2];
            let mut zone = Dbm::zero(settings.dimension);
            list.load(node, &mut discrete, &mut zone);
            assert_eq!((offer, discrete, zone), (expected.offer, expected.discrete, expected.zone), "{what}");
            parent = Some(node).filter(|_| traces);
            origins.push((node, offer));
        } else {
            let state = random_state(random, clocks, offers.len());
            let State { discrete, zone, bounds, .. } = &state;
            let cost = random.below(5) as u64;
            let step = offers.len() as u32;
            let offered = StateRef { discrete, zone, parameters: bounds.into() };
            let covered = list.covers(&offered, &mut probe);
            let offer = list.offer(&Offered { state: offered, parent, step, cost }, &mut probe);
            assert!(!waiting_inclusion || covered == (offer == Offer::Covered), "{what}");
            let stored = if let Offer::Stored(node) = offer { Some(node) } else { None };
            assert_eq!(stored.is_some(), definition.offer(state), "{what}");
            offers.push(stored);
        }
        let counts = list.counts();
        assert_eq!(counts.stored, definition.passed.len() + definition.waiting.len(), "{what}");
        assert_eq!(
            (counts.waiting, counts.refused, counts.deleted, counts.mistakes),
            (definition.waiting.len(), definition.refused, definition.deleted, definition.mistakes),
            "{what}"
        );
        assert_eq!(counts.stored + counts.refused + counts.deleted, offers.len(), "{what}");
    }
    for (node, offer) in origins {
        assert_eq!(list.origin(node).map(|(_, step)| step as usize), traces.then_some(offer), "{what}");
    }
    let certainty = list.certainty().expect("it is a table");
    assert!(certainty.probability < 1e-9 && !certainty.stopped, "{what}: {certainty:?}");
    assert_eq!(certainty.collisions, (waiting_inclusion && !keeps_zones).then_some(0), "{what}");
}

#[test]
fn tables_do_what_the_definition_says() {
    for seed in 0..60 {
        for (kind, cover) in SURE.into_iter().flat_map(|kind| COVERS.map(|cover| (kind, cover))) {
            for order in ORDERS {
                compare(seed, kind, cover, order, true);
            }
            for order in [Order::Bfs, Order::Dfs] {
                compare(seed, kind, cover, order, false);
            }
        }
    }
}

/// An offer of a state without a parent.
fn new_state<'a>(discrete: &'a [i32], zone: &'a Dbm) -> Offered<'a> {
    let state = StateRef { discrete, zone, parameters: CoverParameters::None };
    Offered { state, parent: None, step: 0, cost: 0 }
}

/// Offers so many different states and pops each at once. Returns how many were refused, and what the list says of that.
fn refusals(kind: TableKind, bytes: u64, seed: u64, states: i32) -> (u64, Certainty) {
    let settings = settings(&[(0, 1 << 20)], 2);
    let mut list = built(&settings, &table(kind, bytes, seed));
    let (zone, mut probe) = (Dbm::zero(settings.dimension), Probe::new());
    let mut refused = 0;
    for state in 0..states {
        let discrete = &[state];
        let offered = new_state(discrete, &zone);
        refused += u64::from(list.offer(&offered, &mut probe) == Offer::Covered);
        list.pop();
    }
    (refused, list.certainty().expect("it is a table"))
}

/// Every refusal of a different state is a mistake. Over many hash functions there are as many as estimated.
#[test]
fn mistakes_are_as_many_as_estimated() {
    let cases = [
        (TableKind::Bits { per_state: 1 }, 16_000, 3000),
        (TableKind::Bits { per_state: 3 }, 2000, 2500),
        (TableKind::Bits { per_state: 5 }, 4000, 4000),
        (TableKind::Signatures { bits: 1 }, 4000, 2000),
        (TableKind::Signatures { bits: 5 }, 3000, 3000),
        (TableKind::Signatures { bits: 7 }, 4000, 3800),
        // With one zone for all, a signature decides alone.
        (TableKind::SignaturesAndZones { bits: 6 }, 20_000, 3000),
    ];
    for (kind, bytes, states) in cases {
        let (mut refused, mut estimated, mut none, mut sure) = (0, 0.0, 0u32, 0.0);
        for seed in 0..60 {
            let (wrong, certainty) = refusals(kind, bytes, seed, states);
            assert_eq!(certainty.states + wrong, states as u64);
            refused += wrong;
            estimated += certainty.omitted();
            none += u32::from(wrong == 0);
            sure += 1.0 - certainty.probability;
        }
        let deviation = (refused as f64).sqrt();
        assert!(refused > 300, "{kind:?}: {refused} refusals are too few to compare with");
        assert!(
            (refused as f64 - estimated).abs() < 4.0 * deviation,
            "{kind:?}: {refused} refused, {estimated} estimated"
        );
        assert!((f64::from(none) - sure).abs() < 4.0, "{kind:?}: {none} without any, {sure} estimated");
    }
}

/// A state that is known to be new and that the table takes for a known one is counted, and visited all the same.
#[test]
fn collisions_are_seen() {
    let settings = settings(&[(0, 1 << 20)], 1);
    let (zone, mut probe) = (Dbm::zero(settings.dimension), Probe::new());
    for kind in [TableKind::Bits { per_state: 1 }, TableKind::Signatures { bits: 4 }] {
        let mut list = built(&settings, &table(kind, 1 << 12, 3));
        for state in 0..2000 {
            let discrete = &[state];
            let offered = new_state(discrete, &zone);
            // Nothing has been entered yet, so that nothing can be taken for it.
            assert_ne!(list.offer(&offered, &mut probe), Offer::Covered, "{kind:?}");
        }
        let visited = std::iter::from_fn(|| list.pop()).count();
        let collisions = list.certainty().and_then(|certainty| certainty.collisions);
        assert_eq!((visited, list.counts().stored), (2000, 2000));
        assert!(
            collisions.is_some_and(|collisions| (20..400).contains(&collisions)),
            "{kind:?}: {collisions:?}"
        );
    }
}

#[test]
fn a_full_table_ends_the_search_or_is_passed_over() {
    for kind in [TableKind::Signatures { bits: 30 }, TableKind::SignaturesAndZones { bits: 30 }] {
        for when_full in [WhenFull::Stop, WhenFull::Skip] {
            let settings = settings(&[(0, 1 << 20)], 1);
            let mut list = built(&settings, &TableSettings { when_full, ..table(kind, 1 << 10, 1) });
            let (zone, mut probe) = (Dbm::zero(settings.dimension), Probe::new());
            let places = list.certainty().expect("it is a table").places;
            for state in 0..1000 {
                let discrete = &[state];
                let offered = new_state(discrete, &zone);
                assert_ne!(list.offer(&offered, &mut probe), Offer::Covered);
            }
            let visited = std::iter::from_fn(|| list.pop()).count() as u64;
            let certainty = list.certainty().expect("it is a table");
            let (room, counts) = (places - places.div_ceil(32), list.counts());
            assert!(certainty.stopped, "{kind:?}, {when_full:?}");
            assert_eq!(
                (certainty.taken, counts.waiting as u64),
                (room, 1000 - visited),
                "{kind:?}, {when_full:?}"
            );
            let unentered = if when_full == WhenFull::Stop { 0 } else { places };
            assert_eq!((certainty.unentered, visited), (unentered, room + unentered), "{kind:?}");
            assert_eq!(list.pop(), None);
        }
    }
}

/// Without traces an id is free when its state is popped; with traces when it will never be visited.
#[test]
fn ids_are_used_again() {
    for traces in [false, true] {
        let settings = Settings { traces, ..settings(&[(0, 1 << 20)], 1) };
        let mut list = built(&settings, &table(TableKind::Signatures { bits: 47 }, 1 << 16, 1));
        let mut probe = Probe::new();
        let mut largest = 0;
        let mut offer = |list: &mut dyn PassedWaiting, state: i32, zone: &Dbm| {
            let discrete = &[state];
            let offered = new_state(discrete, zone);
            let Offer::Stored(node) = list.offer(&offered, &mut probe) else { panic!("{state} is new") };
            largest = largest.max(node.index());
        };
        for state in 0..1000 {
            offer(&mut *list, state, &Dbm::zero(settings.dimension));
            // This one covers the other, which is dropped.
            offer(&mut *list, state, &Dbm::universal(settings.dimension));
            assert!(list.pop().is_some());
            assert_eq!(list.counts().waiting, 0);
        }
        let ids = if traces { 1001 } else { 2 };
        assert!(largest < ids, "{largest} of {ids}, traces: {traces}");
        assert!(list.memory().parents < if traces { 1 << 14 } else { 1 });
    }
}

#[test]
fn no_memory_is_an_error() {
    let settings = settings(&[(0, 3)], 1);
    for kind in SURE {
        let error = build_table(&settings, &table(kind, u64::MAX, 0)).expect_err("too much");
        assert!(error.to_string().contains("no memory"), "{error}");
    }
}

#[test]
#[should_panic(expected = "popped last")]
fn only_the_last_popped_can_be_read() {
    let settings = settings(&[(0, 3)], 1);
    let list = built(&settings, &table(SURE[0], 1 << 12, 0));
    list.load(NodeId::from_index(0), &mut [0], &mut Dbm::zero(settings.dimension));
}
