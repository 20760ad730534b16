//! Spread diagrams over simulated networks agree with one diagram in answers and nodes.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Dbm, Dimension, Federation};
use tourbillon_dd::{Compact, Constraints, Diagrams, Handle, Inclusion, Settings, VariableOrder};
use tourbillon_store::{
    Cover, DiagramSettings, DiscreteForm, NodeId, Order, Settings as StoreSettings, UnionHandles, ZoneForm,
};
use tourbillon_testkit::bridge;
use tourbillon_testkit::zones::random_matrix;

use super::{Balance, Group, Spread, Topic};
use crate::endpoint::{Endpoint, Mailbox};
use crate::transport::simulated::{Network, Simulated};

/// How many discrete states there are.
const STATES: i32 = 7;

fn store_settings(dimension: Dimension) -> StoreSettings {
    StoreSettings {
        ranges: vec![(0, STATES - 1)],
        split: 0,
        dimension,
        zones: ZoneForm::Cdd,
        diagrams: DiagramSettings::default(),
        discrete: DiscreteForm::Plain,
        tight: false,
        cover: Cover::Inclusion,
        waiting_inclusion: true,
        order: Order::Bfs,
        seed: 0,
        traces: false,
        spare_waiting: false,
    }
}

/// Ranks that do nothing but ask.
struct Ranks {
    network: Rc<RefCell<Network>>,
    ranks: Vec<(Spread, Endpoint<Simulated>)>,
    groups: Vec<Group>,
}

impl Ranks {
    fn new(random: &mut Random, count: usize, dimension: Dimension, settings: Settings) -> Self {
        let (network, ends) = Network::connected(count, random.next_u64());
        let groups = 1 + random.below(count);
        let groups: Vec<Group> = (0..count).map(|rank| Group::of(rank, count, groups)).collect();
        let balance = if random.one_in(2) { Balance::Always } else { Balance::Off };
        let rank = |(&group, end): (&Group, Simulated)| {
            let handles = UnionHandles::new(&store_settings(dimension));
            let mut endpoint = Endpoint::new(end);
            endpoint.next_search();
            (Spread::new(group, (dimension, settings), handles, (1, balance)), endpoint)
        };
        let ranks = groups.iter().zip(ends).map(rank).collect();
        Self { network, ranks, groups }
    }

    /// A message may arrive, and a rank receives all that has arrived. Returns the rank.
    fn tick(&mut self) -> usize {
        let rank = self.network.borrow_mut().tick(self.ranks.len());
        let (spread, endpoint) = &mut self.ranks[rank];
        while let Some((from, message)) = endpoint.receive() {
            spread.handle_message(from, &message, endpoint);
        }
        rank
    }

    /// Lets a group collect, if it does not already.
    fn collect(&mut self, first: usize) {
        let (spread, endpoint) = &mut self.ranks[first];
        if spread.server.begin_collection() {
            self.groups[first].ranks().for_each(|rank| Topic::Gather.send(endpoint, rank));
        }
    }

    /// Until no message is left.
    fn resolve(&mut self) {
        let mut quiet = 0;
        while quiet < 20 * self.ranks.len() {
            self.tick();
            let waits = self.ranks.iter().any(|(spread, _)| spread.is_waiting());
            quiet = if waits || !self.network.borrow().is_quiet() { 0 } else { quiet + 1 };
            self.ranks.iter_mut().for_each(|(spread, endpoint)| spread.client.send_due(endpoint));
        }
    }
}

/// A query: a discrete state and a zone. Its number is its place in the list.
type QueryStatus = (usize, Dbm);

/// What one diagram for each group says: which queries are new, and how many nodes there are in the end.
fn expected(queries: &[QueryStatus], groups: &[Group], settings: Settings) -> (Vec<bool>, Vec<usize>) {
    let dimension = queries[0].1.dimension();
    let mut new = vec![false; queries.len()];
    let mut nodes = Vec::new();
    for group in groups.iter().filter(|group| group.rank == group.first) {
        let mut whole = Diagrams::<Compact>::new(dimension, settings).expect("few clocks");
        let mut unions = vec![Handle::FALSE; STATES as usize];
        let mut zones = vec![Federation::empty(dimension); STATES as usize];
        for (number, (state, zone)) in queries.iter().enumerate() {
            if !group.ranks().contains(&(state % groups.len())) {
                continue;
            }
            new[number] = !whole.includes_zone(unions[*state], zone);
            assert!(new[number] || zones[*state].includes_zone(zone), "a yes is always right");
            if new[number] {
                unions[*state] = whole.union_zone(unions[*state], zone);
                zones[*state].add(zone.clone());
            }
        }
        whole.collect(unions);
        nodes.push(whole.nodes());
    }
    (new, nodes)
}

fn draw(random: &mut Random, clocks: usize, count: usize) -> Vec<QueryStatus> {
    let zone = |random: &mut Random| {
        bridge::zone(&random_matrix(random, clocks, 4)).expect("random zones are not empty")
    };
    (0..count).map(|_| (random.below(STATES as usize), zone(random))).collect()
}

/// Returns how many layers moved.
fn agree(seed: u64) -> u64 {
    let mut random = Random::from_seed(seed);
    let settings = Settings {
        order: VariableOrder::ALL[random.below(4)],
        constraints: Constraints::ALL[random.below(3)],
        inclusion: Inclusion::Levels,
        backtrace: false,
    };
    let (count, clocks) = (1 + random.below(5), 1 + random.below(4));
    let asked = 1 + random.below(60);
    let queries = draw(&mut random, clocks, asked);
    let mut ranks = Ranks::new(&mut random, count, bridge::dimension(clocks), settings);
    let (new, nodes) = expected(&queries, &ranks.groups, settings);
    // Each rank asks its queries in order, at times of its own.
    let mut next = vec![0; count];
    let mut found = vec![false; queries.len()];
    while next.iter().any(|&at| at < queries.len()) {
        let rank = ranks.tick();
        let own = |number: &usize| queries[*number].0 % count == rank;
        if random.one_in(2) {
            let number = (next[rank]..queries.len()).find(own);
            next[rank] = number.map_or(queries.len(), |number| number + 1);
            if let Some(number) = number {
                let (state, zone) = &queries[number];
                ranks.ranks[rank].0.client.enqueue_state(NodeId::from_index(number), &[*state as i32], zone);
            }
        }
        if random.one_in(4) {
            let (spread, endpoint) = &mut ranks.ranks[rank];
            spread.client.send_due(endpoint);
        }
        if random.one_in(40) {
            ranks.collect(ranks.groups[rank].first);
        }
    }
    ranks.resolve();
    for (spread, _) in &mut ranks.ranks {
        while let Some(node) = spread.client.take_new() {
            found[node.index()] = true;
        }
    }
    assert_eq!(found, new, "seed {seed}, {count} ranks, {settings:?}");
    let firsts: Vec<Group> = ranks.groups.iter().copied().filter(|group| group.rank == group.first).collect();
    firsts.iter().for_each(|group| ranks.collect(group.first));
    ranks.resolve();
    for (group, expected) in firsts.iter().zip(nodes) {
        let each = group.ranks().map(|rank| ranks.ranks[rank].0.server.nodes());
        let (own, entries) = each.fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        assert_eq!(own, expected, "seed {seed}, {group:?}, {settings:?}");
        assert!(
            entries <= own * (group.size - 1),
            "seed {seed}: a border has an entry for each node at most"
        );
        assert!(group.size > 1 || entries == 0, "seed {seed}");
    }
    ranks.ranks.iter().map(|(spread, _)| spread.moved().layers).sum()
}

#[test]
fn ranks_say_what_one_diagram_says() {
    let moved: Vec<u64> = (0..400).map(agree).collect();
    let (often, layers) = (moved.iter().filter(|&&layers| layers > 0).count(), moved.iter().sum::<u64>());
    assert!(often > 60 && layers > 600, "{layers} layers moved, in {often} of 400");
}

/// Before addresses run out a rank says so, and what is asked until it is received still finds room.
#[test]
fn a_full_band_is_told() {
    let mut random = Random::from_seed(1);
    let settings = Settings { inclusion: Inclusion::Levels, ..Settings::default() };
    let mut ranks = Ranks::new(&mut random, 1, bridge::dimension(3), settings);
    ranks.ranks[0].0.server.limit_addresses(200);
    let mut asked = 0;
    for (number, (state, zone)) in draw(&mut random, 3, 300).into_iter().enumerate() {
        let (spread, endpoint) = &mut ranks.ranks[0];
        if spread.is_full() {
            break;
        }
        spread.client.enqueue_state(NodeId::from_index(number), &[state as i32], &zone);
        spread.client.send_due(endpoint);
        ranks.resolve();
        asked += 1;
    }
    assert!((2..300).contains(&asked) && ranks.ranks[0].0.is_full(), "{asked} were asked");
    ranks.resolve();
}
