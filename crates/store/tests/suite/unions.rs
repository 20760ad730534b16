//! Lists that keep unions of zones, beside a plain list of federations.
//!
//! What the union of the visited zones of a state includes is refused, and so is what one that waits includes; nothing else
//! is. So every answer is known beforehand, and must be given by every way to keep diagrams.

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Bound, Clock, Constant, Constraint, Dbm, Dimension, Federation};
use tourbillon_store::{
    Cover, CoverParameters, DiagramConstraints, DiagramForm, DiagramInclusion, DiagramOrder, DiagramSettings,
    DiscreteForm, NodeId, Offer, Offered, Order, PassedWaiting, Probe, Settings, StateRef, ZoneForm, build,
};

const CLOCKS: usize = 3;
const STATES: i32 = 4;

fn dimension() -> Dimension {
    Dimension::of_clocks(CLOCKS).expect("few clocks")
}

fn settings(diagrams: DiagramSettings, order: Order, traces: bool) -> Settings {
    Settings {
        ranges: vec![(0, STATES - 1), (-3, 300)],
        split: 1,
        dimension: dimension(),
        zones: ZoneForm::Cdd,
        diagrams,
        discrete: DiscreteForm::Bits,
        tight: false,
        cover: Cover::Inclusion,
        waiting_inclusion: true,
        order,
        seed: 5,
        traces,
        spare_waiting: false,
    }
}

/// Every form with some order of levels, way to add zones and to look for them, all of them exact.
fn ways() -> Vec<DiagramSettings> {
    let forms = [DiagramForm::AllEdges, DiagramForm::WithoutFalse, DiagramForm::Compact];
    let mut ways = Vec::new();
    for (index, order) in DiagramOrder::ALL.into_iter().enumerate() {
        let mut settings = DiagramSettings { form: forms[index % 3], ..DiagramSettings::default() };
        settings.other.order = order;
        settings.other.backtrace = index % 2 == 1;
        settings.other.constraints =
            if index < 2 { DiagramConstraints::Minimal } else { DiagramConstraints::All };
        settings.other.inclusion = DiagramInclusion::Exact { parts_max: 1_000_000 };
        ways.push(settings);
    }
    ways
}

/// A box with some differences, often next to others: constants are few.
fn random_zone(random: &mut Random) -> Dbm {
    loop {
        let mut zone = Dbm::universal(dimension());
        let clock = |random: &mut Random| Clock::from_index(random.below(CLOCKS + 1));
        let consistent = (0..1 + random.below(6)).all(|_| {
            let (left, right) = (clock(random), clock(random));
            let constant = Constant::new(i64::from(random.within(-2..=4))).expect("a small constant");
            let bound = if random.below(3) == 0 { Bound::strict(constant) } else { Bound::weak(constant) };
            left == right || zone.constrain(Constraint { left, right, bound })
        });
        if consistent {
            return zone;
        }
    }
}

/// What the list is to do.
struct Naive {
    /// For each state, the visited zones and those that wait.
    visited: Vec<Federation>,
    waiting: Vec<Vec<Dbm>>,
}

impl Naive {
    fn refuses(&self, state: usize, zone: &Dbm) -> bool {
        self.visited[state].includes_zone(zone)
            || self.waiting[state].iter().any(|other| other.includes(zone))
    }
}

fn offer(list: &mut dyn PassedWaiting, state: i32, zone: &Dbm, parent: Option<NodeId>, cost: u64) -> Offer {
    let discrete = [state, 100 * state];
    let state = StateRef { discrete: &discrete, zone, parameters: CoverParameters::None };
    let mut probe = Probe::new();
    let covered = list.covers(&state, &mut probe);
    let offer = list.offer(&Offered { state, parent, step: 7, cost }, &mut probe);
    assert_eq!(covered, offer == Offer::Covered);
    offer
}

fn play(settings: &Settings, seed: u64) {
    let random = &mut Random::from_seed(seed);
    let mut list = build(settings);
    let none = || Federation::empty(dimension());
    let mut naive = Naive {
        visited: (0..STATES).map(|_| none()).collect(),
        waiting: (0..STATES).map(|_| Vec::new()).collect(),
    };
    let (mut offers, mut popped, mut last) = (0, 0, None);
    let (mut discrete, mut zone) = ([0; 2], Dbm::zero(dimension()));
    for _ in 0..120 {
        if random.below(3) > 0 {
            let (state, zone) = (random.below(STATES as usize), random_zone(random));
            offers += 1;
            let offered = offer(&mut *list, state as i32, &zone, last, random.below(5) as u64);
            assert_eq!(offered == Offer::Covered, naive.refuses(state, &zone), "seed {seed}: {settings:?}");
            if let Offer::Stored(node) = offered {
                naive.waiting[state].retain(|other| !zone.includes(other));
                naive.waiting[state].push(zone);
                assert_eq!(list.origin(node), settings.traces.then_some((last, 7)), "seed {seed}");
            }
        } else if let Some(node) = list.pop() {
            popped += 1;
            list.load(node, &mut discrete, &mut zone);
            let state = discrete[0] as usize;
            assert_eq!(discrete[1], 100 * discrete[0]);
            let place = naive.waiting[state].iter().position(|other| *other == zone);
            naive.waiting[state].swap_remove(place.unwrap_or_else(|| panic!("seed {seed}: it did not wait")));
            assert!(!naive.visited[state].includes_zone(&zone), "seed {seed}: it was known");
            naive.visited[state].add(zone.clone());
            last = settings.traces.then_some(node);
        }
        let counts = list.counts();
        assert_eq!(counts.stored + counts.refused + counts.deleted, offers, "seed {seed}");
    }
    while list.pop().is_some() {
        popped += 1;
    }
    let counts = list.counts();
    assert_eq!((counts.waiting, counts.stored, counts.mistakes), (0, popped, 0), "seed {seed}");
    assert!(counts.discrete_states <= STATES as usize && list.certainty().is_none());
}

#[test]
fn unions_refuse_what_federations_include_and_nothing_else() {
    for seed in 0..60 {
        for (index, way) in ways().into_iter().enumerate() {
            let order = [Order::Bfs, Order::Dfs, Order::Random, Order::Cheapest][(seed as usize + index) % 4];
            for discrete in [DiscreteForm::Bits, DiscreteForm::Mtidd] {
                play(&Settings { discrete, ..settings(way, order, seed % 2 == 0) }, seed);
            }
        }
    }
}

/// The seed's picture: three upright zones beside each other cover one that lies across them.
#[test]
fn a_zone_is_covered_by_several_together() {
    let strip = |from: i64, to: i64| {
        let mut zone = Dbm::universal(dimension());
        let [from, to] = [-from, to].map(|it| Bound::weak(Constant::new(it).expect("a small constant")));
        let x = Clock::from_index(1);
        assert!(zone.constrain(Constraint::upper(x, to)));
        assert!(zone.constrain(Constraint { left: Clock::REFERENCE, right: x, bound: from }));
        zone
    };
    let mut list = build(&settings(DiagramSettings::default(), Order::Bfs, false));
    for (from, to) in [(0, 2), (2, 4), (4, 6)] {
        assert!(matches!(offer(&mut *list, 1, &strip(from, to), None, 0), Offer::Stored(_)));
        assert!(list.pop().is_some());
    }
    assert_eq!(offer(&mut *list, 1, &strip(1, 5), None, 0), Offer::Covered);
    assert!(matches!(offer(&mut *list, 2, &strip(1, 5), None, 0), Offer::Stored(_)), "another state");
    assert!(matches!(offer(&mut *list, 1, &strip(5, 7), None, 0), Offer::Stored(_)), "it reaches beyond");
    // While it waits, the rest of it is visited with another.
    assert!(matches!(offer(&mut *list, 1, &strip(6, 9), None, 0), Offer::Stored(_)));
    let visited = std::iter::from_fn(|| list.pop()).count();
    assert_eq!((visited, list.counts().refused), (3, 1));
}
