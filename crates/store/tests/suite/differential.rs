//! Random offers to every combination of settings at once, against the definition.
//!
//! All combinations must agree with it on which offers are stored, on the order in which nodes are popped, on
//! what is stored, and on all counts.

use std::collections::{HashMap, HashSet};

use tourbillon_base::Random;
use tourbillon_dbm::{Clock, ClockBounds, Dbm, Dimension};
use tourbillon_store::{
    Cover, DiagramSettings, DiscreteForm, NodeId, Offer, Offered, Order, PassedWaiting, Probe, Settings,
    StateRef, ZoneForm, build,
};
use tourbillon_testkit::{bridge, zones};

use crate::naive::Naive;

const COVERS: [Cover; 4] = [Cover::Equality, Cover::Inclusion, Cover::Alu, Cover::Adaptive];
const ORDERS: [Order; 5] = [Order::Bfs, Order::Dfs, Order::Random, Order::Cheapest, Order::Ranked];
const DISCRETE: [DiscreteForm; 5] =
    [DiscreteForm::Plain, DiscreteForm::Bits, DiscreteForm::Digits, DiscreteForm::Shared, DiscreteForm::Tree];

/// The states and zones that the offers of one test are drawn from.
struct Case {
    clocks: usize,
    ranges: Vec<(i32, i32)>,
    discrete: Vec<Vec<i32>>,
    zones: Vec<Dbm>,
    /// By discrete state.
    bounds: Vec<ClockBounds>,
}

impl Case {
    /// Few states and few zones, so that they meet; some zones with constants that do not fit in a byte or two.
    fn random(random: &mut Random) -> Self {
        let clocks = random.below(5);
        // Now and then so many fields that a packed state is longer than a code.
        let fields = if random.one_in(4) { 40 } else { random.below(5) };
        let ranges: Vec<(i32, i32)> =
            (0..fields).map(|_| (random.within(-3..=0), random.within(0..=40))).collect();
        let mut value =
            |&(low, high): &(i32, i32)| if random.one_in(2) { low } else { random.within(low..=high) };
        let discrete: Vec<Vec<i32>> = (0..6).map(|_| ranges.iter().map(&mut value).collect()).collect();
        let largest = |random: &mut Random| match random.below(20) {
            0 => 100_000,
            1 => 300,
            2..5 => 50,
            _ => 3,
        };
        let few = 1 + random.below(60);
        let zones = (0..few).map(|_| random_zone(random, clocks, largest)).collect();
        let limits = |random: &mut Random| zones::random_limits(random, clocks, 4);
        let bounds =
            (0..6).map(|_| bridge::clock_bounds(&limits(random), &limits(random))).collect::<Vec<_>>();
        // Equal states have equal bounds.
        let first = |state: &Vec<i32>| discrete.iter().position(|other| other == state).unwrap_or(0);
        let bounds = discrete.iter().map(|state| bounds[first(state)].clone()).collect();
        Self { clocks, ranges, discrete, zones, bounds }
    }
}

/// Now and then with some clocks free, or extrapolated: such zones are stored with fewer rows.
fn random_zone(random: &mut Random, clocks: usize, largest: impl Fn(&mut Random) -> i64) -> Dbm {
    let constant = largest(random);
    let matrix = zones::random_matrix(random, clocks, constant);
    let mut zone = bridge::zone(&matrix).expect("a random zone is not empty");
    let limits = |random: &mut Random| zones::random_limits(random, clocks, 4);
    match random.below(3) {
        0 => {}
        1 => {
            let freed: Vec<Clock> = zone.dimension().iter().filter(|_| random.one_in(2)).collect();
            freed.into_iter().for_each(|clock| zone.free(clock));
        }
        _ => zone.extra_lu_plus(&bridge::clock_bounds(&limits(random), &limits(random))),
    }
    zone
}

/// Whether an offer is one of a successor of what was popped last.
const fn has_parent(number: usize) -> bool {
    !number.is_multiple_of(3)
}

/// A list under test, and which of its nodes is which offer.
struct Tested {
    list: Box<dyn PassedWaiting>,
    probe: Probe,
    offers: HashMap<NodeId, usize>,
    /// For each offer that was stored, its parent and step.
    origins: HashMap<usize, (NodeId, Option<NodeId>, u32)>,
    last_popped: Option<NodeId>,
    traces: bool,
    shared_zones: bool,
}

impl Tested {
    fn new(settings: &Settings) -> Self {
        Self {
            list: build(settings),
            probe: Probe::new(),
            offers: HashMap::new(),
            origins: HashMap::new(),
            last_popped: None,
            traces: settings.traces,
            shared_zones: settings.zones.is_shared(),
        }
    }

    fn covers(&mut self, state: &StateRef<'_>) -> bool {
        let answers = [&mut self.probe, &mut Probe::new()].map(|probe| self.list.covers(state, probe));
        assert_eq!(answers[0], answers[1], "what a probe was used for before does not matter");
        answers[0]
    }

    fn offer(&mut self, number: usize, mut offered: Offered<'_>) -> bool {
        offered.parent = self.last_popped.filter(|_| has_parent(number));
        let Offer::Stored(node) = self.list.offer(&offered, &mut self.probe) else { return false };
        let before = self.offers.insert(node, number);
        assert!(before.is_none() || !self.traces, "with traces no id is used twice");
        self.origins.insert(number, (node, offered.parent, offered.step));
        true
    }

    /// Goes on in another form.
    fn repack(&mut self, settings: &Settings) {
        self.list = self.list.repacked(settings, usize::MAX).expect("there is no limit");
        self.shared_zones = settings.zones.is_shared();
    }

    fn pop(&mut self) -> Option<usize> {
        let node = self.list.pop();
        self.last_popped = node.or(self.last_popped);
        node.map(|node| self.offers[&node])
    }

    /// Compares everything that can be seen.
    fn agree(&self, naive: &Naive, case: &Case) {
        let nodes: Vec<NodeId> = self.list.stored_nodes().collect();
        assert!(nodes.is_sorted());
        let stored: HashMap<usize, NodeId> = nodes.iter().map(|&node| (self.offers[&node], node)).collect();
        assert_eq!((stored.len(), nodes.len()), (naive.states.len(), naive.states.len()));
        let mut discrete = vec![0; case.ranges.len()];
        let mut zone = Dbm::zero(bridge::dimension(case.clocks));
        for state in &naive.states {
            self.list.load(stored[&state.offer], &mut discrete, &mut zone);
            assert_eq!((&discrete, &zone), (&state.discrete, &state.zone));
        }
        self.counts_agree(naive);
        for &(node, parent, step) in self.origins.values() {
            let origin = self.traces.then_some((parent, step));
            assert_eq!(self.list.origin(node), origin);
        }
    }

    fn counts_agree(&self, naive: &Naive) {
        let distinct = naive.states.iter().map(|state| &state.zone).collect::<HashSet<_>>().len();
        let mut expected = naive.counts();
        expected.distinct_zones = if self.shared_zones { distinct } else { naive.states.len() };
        assert_eq!(self.list.counts(), expected);
    }
}

fn run(seed: u64, cover: Cover, order: Order, waiting_inclusion: bool) {
    let random = &mut Random::from_seed(seed);
    let case = Case::random(random);
    let traces = random.one_in(2);
    let settings = |discrete, zones| Settings {
        ranges: case.ranges.clone(),
        split: case.ranges.len() / 2,
        dimension: Dimension::of_clocks(case.clocks).expect("few clocks"),
        zones,
        discrete,
        diagrams: DiagramSettings::default(),
        tight: seed.is_multiple_of(2),
        cover,
        waiting_inclusion,
        order,
        seed,
        traces,
        spare_waiting: false,
    };
    let mut naive = Naive::new(&settings(DiscreteForm::Plain, ZoneForm::Plain));
    // Every form of zones with some form of discrete states, which are others for another seed.
    let form = |at: usize| (DISCRETE[(at + seed as usize) % DISCRETE.len()], ZoneForm::ALL[at]);
    let forms = (0..ZoneForm::ALL.len()).map(form);
    let mut lists: Vec<Tested> = forms.map(|(d, z)| Tested::new(&settings(d, z))).collect();
    let mut offers = 0;
    let mut last_popped = None;
    let length = random.below(200);
    let pops = 1 + random.below(6);
    for _ in 0..length {
        if random.below(8) < pops {
            let popped = naive.pop();
            last_popped = popped.or(last_popped);
            lists.iter_mut().for_each(|list| assert_eq!(list.pop(), popped));
        } else {
            let (state, zone) = (random.below(case.discrete.len()), random.below(case.zones.len()));
            let (discrete, zone, bounds) = (&case.discrete[state], &case.zones[zone], &case.bounds[state]);
            let (step, cost) = (random.below(100) as u32, random.below(5) as u64);
            let state = StateRef { discrete, zone, parameters: bounds.into() };
            let offered = Offered { state, parent: None, step, cost };
            let covered = naive.is_covered(&offered);
            lists.iter_mut().for_each(|list| assert_eq!(list.covers(&state), covered));
            let stored = naive.offer(&offered, last_popped.filter(|_| has_parent(offers)));
            lists.iter_mut().for_each(|list| assert_eq!(list.offer(offers, offered), stored));
            offers += 1;
        }
        if random.one_in(40) {
            let list = random.below(lists.len());
            let (discrete, zones) = (random.below(DISCRETE.len()), random.below(ZoneForm::ALL.len()));
            lists[list].repack(&settings(DISCRETE[discrete], ZoneForm::ALL[zones]));
        }
        if random.one_in(20) {
            lists.iter().for_each(|list| list.agree(&naive, &case));
        }
    }
    while let Some(popped) = naive.pop() {
        lists.iter_mut().for_each(|list| assert_eq!(list.pop(), Some(popped)));
    }
    for list in &mut lists {
        assert_eq!(list.pop(), None);
        list.agree(&naive, &case);
        let counts = list.list.counts();
        assert_eq!(counts.stored + counts.refused + counts.deleted, offers);
    }
}

/// Prints the seed if the test that it belongs to fails.
struct Announced(u64, Cover, Order, bool);

impl Drop for Announced {
    #[expect(clippy::print_stderr, reason = "a failed random test says how to repeat it")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}, {:?}, {:?}, inclusion on waiting: {}", self.0, self.1, self.2, self.3);
        }
    }
}

#[test]
fn every_combination_does_what_the_definition_says() {
    for seed in 0..250 {
        for cover in COVERS {
            for order in ORDERS {
                for waiting_inclusion in [true, false] {
                    let _announced = Announced(seed, cover, order, waiting_inclusion);
                    run(seed, cover, order, waiting_inclusion);
                }
            }
        }
    }
}
