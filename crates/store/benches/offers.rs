//! `cargo bench -p tourbillon-store`: what an offer costs, and what a node takes, by how states are stored.
//!
//! The stream looks like that of Fischer's protocol with ten processes: 1.75 million offers of 150,000 discrete
//! states with one to three zones each, out of 5,000 zones that differ, in an order without any locality. Six
//! offers of seven are refused. As in a search, each offer comes from a buffer that has just been written; the
//! time for writing it is measured alone and taken off. Each figure is the fastest of several rounds over the
//! whole stream, from an empty list on; combinations take turns, so that whatever else the machine does falls on
//! all of them. Time is that on the processor where the system tells it. "In cache" is the same with 500 states
//! and 50 zones: what is left when nothing has to be waited for.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension};
use tourbillon_store::{
    Cover, DiagramSettings, DiscreteForm, Offered, Order, PassedWaiting, Probe, Settings, StateRef, ZoneForm,
    build,
};

const CLOCKS: usize = 10;
const STATES: usize = 150_000;
const ZONES: usize = 5_000;
const OFFERS: usize = 1_750_000;
const ROUNDS: usize = 3;

fn main() {
    println!("{:<34} {:>9} {:>9} {:>8} {:>10} {:>9}", "", "ns/offer", "nodes", "zones", "bytes/node", "MiB");
    let small = Stream::new(STATES, ZONES, 5, 1);
    let large = Stream::new(STATES, ZONES, 2_000, 2);
    let tiny = Stream::new(500, 50, 5, 3);
    let mut rows = Vec::new();
    for discrete in [DiscreteForm::Plain, DiscreteForm::Bits, DiscreteForm::Shared] {
        for zones in ZoneForm::ALL {
            let name = format!("{discrete:?}, {zones:?}").to_lowercase();
            rows.push(Row::new(&name, &small, Settings { discrete, zones, ..settings() }));
        }
    }
    rows.push(Row::new("in cache", &tiny, settings()));
    rows.push(Row::new("two bytes a bound", &large, settings()));
    for cover in [Cover::Equality, Cover::Alu] {
        let name = format!("cover {cover:?}").to_lowercase();
        rows.push(Row::new(&name, &small, Settings { cover, ..settings() }));
    }
    rows.push(Row::new("with traces", &small, Settings { traces: true, ..settings() }));
    rows.push(Row::new("depth first", &small, Settings { order: Order::Dfs, ..settings() }));
    rows.push(Row::new("cheapest first", &small, Settings { order: Order::Cheapest, ..settings() }));
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    rows.retain(|row| wanted.as_ref().is_none_or(|wanted| row.name.contains(wanted)));
    for _ in 0..ROUNDS {
        rows.iter_mut().for_each(Row::measure);
    }
    rows.iter().for_each(Row::print);
}

/// What most rows have in common.
fn settings() -> Settings {
    let mut ranges = vec![(0, 3); CLOCKS];
    ranges.push((0, 10));
    Settings {
        ranges,
        split: CLOCKS,
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

/// Offers, by the numbers of their discrete states and zones.
struct Stream {
    discrete: Vec<[i32; CLOCKS + 1]>,
    zones: Vec<Dbm>,
    bounds: ClockBounds,
    offers: Vec<(u32, u32)>,
}

impl Stream {
    fn new(states: usize, zones: usize, largest: i32, seed: u64) -> Self {
        let random = &mut Random::from_seed(seed);
        let discrete = (0..states).map(|_| discrete_state(random)).collect();
        let distinct = (0..zones).map(|_| zone(random, largest)).collect();
        let candidates: Vec<Vec<u32>> = (0..states)
            .map(|_| (0..1 + random.below(3)).map(|_| random.below(zones) as u32).collect())
            .collect();
        let offer = |_| {
            let state = random.below(states);
            (state as u32, *random.pick(&candidates[state]).expect("every state has a zone"))
        };
        let offers = (0..OFFERS).map(offer).collect();
        let mut bounds = ClockBounds::none(dimension());
        dimension().iter().for_each(|clock| bounds.raise(clock, constant(largest)));
        Self { discrete, zones: distinct, bounds, offers }
    }

    /// Offers everything to `take`, from one buffer. Returns the time it took, in nanoseconds per offer.
    fn run(&self, mut take: impl FnMut(&Offered<'_>)) -> f64 {
        let mut zone = Dbm::zero(dimension());
        let start = now();
        for &(state, number) in &self.offers {
            let discrete = self.discrete[state as usize];
            zone.copy_from(&self.zones[number as usize]);
            let (zone, cost) = (&zone, number.into());
            let state = StateRef { discrete: &discrete, zone, parameters: (&self.bounds).into() };
            take(&Offered { state, parent: None, step: 0, cost });
        }
        (now() - start).as_nanos() as f64 / OFFERS as f64
    }
}

fn discrete_state(random: &mut Random) -> [i32; CLOCKS + 1] {
    let mut fields = [0; CLOCKS + 1];
    fields[..CLOCKS].iter_mut().for_each(|field| *field = random.within(0..=3));
    fields[CLOCKS] = random.within(0..=10);
    fields
}

/// What a few random resets, delays and guards lead to.
fn zone(random: &mut Random, largest: i32) -> Dbm {
    let mut zone = Dbm::zero(dimension());
    for _ in 0..3 * CLOCKS {
        zone.up();
        let clock = Clock::from_index(1 + random.below(CLOCKS));
        let bound = Bound::weak(constant(random.within(0..=largest)));
        if random.one_in(2) {
            let _kept = zone.constrain(Constraint::upper(clock, bound));
        } else {
            let negated = Bound::strict(constant(-random.within(0..=largest / 4)));
            let _kept = zone.constrain(Constraint::new(Clock::REFERENCE, clock, negated));
        }
        zone.reset(Clock::from_index(1 + random.below(CLOCKS)), 0.into());
    }
    let mut bounds = ClockBounds::none(dimension());
    dimension().iter().for_each(|clock| bounds.raise(clock, constant(largest)));
    zone.extra_lu_plus(&bounds);
    zone
}

/// One combination on one stream.
struct Row<'a> {
    name: String,
    stream: &'a Stream,
    settings: Settings,
    fastest: f64,
    fastest_copying: f64,
    list: Option<Box<dyn PassedWaiting>>,
}

impl<'a> Row<'a> {
    fn new(name: &str, stream: &'a Stream, settings: Settings) -> Self {
        let (fastest, fastest_copying) = (f64::INFINITY, f64::INFINITY);
        Self { name: name.to_owned(), stream, settings, fastest, fastest_copying, list: None }
    }

    fn measure(&mut self) {
        self.list = None;
        let (mut list, mut probe) = (build(&self.settings), Probe::new());
        let copying = self.stream.run(|offered| {
            black_box(offered);
        });
        let all = self.stream.run(|offered| {
            black_box(list.offer(offered, &mut probe));
        });
        self.fastest_copying = self.fastest_copying.min(copying);
        self.fastest = self.fastest.min(all);
        self.list = Some(list);
    }

    fn print(&self) {
        let Some(list) = &self.list else { return };
        let (counts, memory) = (list.counts(), list.memory());
        println!(
            "{:<34} {:>9.1} {:>9} {:>8} {:>10.1} {:>9.2}",
            self.name,
            self.fastest - self.fastest_copying,
            counts.stored,
            counts.distinct_zones,
            memory.total() as f64 / counts.stored as f64,
            memory.total() as f64 / f64::from(1 << 20),
        );
    }
}

/// How long this thread has been running; if the system does not tell, how long it is since the first call.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let on_processor = status.split(' ').next().and_then(|nanos| nanos.parse().ok());
    on_processor.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn dimension() -> Dimension {
    Dimension::of_clocks(CLOCKS).expect("few clocks")
}

fn constant(value: i32) -> Constant {
    Constant::new(value.into()).expect("a small constant")
}
