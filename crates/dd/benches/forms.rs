//! `cargo bench -p tourbillon-dd`: what the three forms of nodes take, in bytes and in time, and what orders and
//! constraints change.
//!
//! The zones are those of a search: Fischer's protocol with a delay of its own for every process, explored here with
//! lists of zones, each successor recorded as it is offered. Every row is offered the same stream, one diagram for each
//! discrete state: a zone that is not included is added, and nodes are collected whenever that pays. Each time is the
//! fastest of several rounds, on the processor where the system tells it, and rows take turns, so that whatever else the
//! machine does falls on all of them. Bytes are those after a last collection, with the table and all that is asked for
//! and not used.
//!
//! An argument chooses the rows whose names contain it.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::{HashMap, VecDeque};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tourbillon_base::Id;
use tourbillon_dbm::{Bound, Clock, ClockBounds, Constant, Constraint, Dbm, Dimension};
use tourbillon_dd::{
    AllEdges, Compact, Constraints, Diagrams, Handle, Inclusion, InclusionCounts, NodeForm, Settings,
    VariableOrder, WithoutFalse,
};

const ROUNDS: usize = 5;
/// Shorter streams are repeated: the system's clock has ticks of milliseconds.
const OFFERS_MIN: u32 = 200_000;

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for (processes, step, scale) in [(4, 1, 1), (4, 1, 100), (5, 0, 1), (5, 1, 1)] {
        let stream = Fischer::new(processes, step, scale).stream();
        println!(
            "\nFischer {processes}, delays from {} by {}: {} offers to {} discrete states, {} zones kept in lists, \
             {} bytes as 4-byte matrices",
            2 * scale,
            step * scale,
            stream.offers.len(),
            stream.states,
            stream.kept,
            stream.kept * 4 * (processes + 1) * (processes + 1),
        );
        println!(
            "{:<34} {:>9} {:>6} {:>9} {:>8} {:>6} {:>8}  by levels, by paths, added",
            "", "ns/offer", "", "bytes", "nodes", "", "scratch"
        );
        let mut rows = rows(&stream);
        rows.retain(|row| wanted.as_ref().is_none_or(|wanted| row.name.contains(wanted)));
        for _ in 0..ROUNDS {
            rows.iter_mut().for_each(|row| row.measure(&stream));
        }
        let first = rows.first().map_or((1.0, 1.0), |row| (row.time.as_secs_f64(), row.bytes as f64));
        rows.iter().for_each(|row| row.print(&stream, first));
    }
}

fn rows(stream: &Stream) -> Vec<Row> {
    let usual = Settings::default();
    let mut rows = vec![
        Row::new("form 1: all edges", usual, run::<AllEdges>),
        Row::new("form 2: without false", usual, run::<WithoutFalse>),
        Row::new("form 3: compact", usual, run::<Compact>),
        Row::new("backtrace", Settings { backtrace: true, ..usual }, run::<Compact>),
        Row::new("levels only", Settings { inclusion: Inclusion::Levels, ..usual }, run::<Compact>),
    ];
    for constraints in Constraints::ALL {
        // The fewest constraints take half a minute a round on the longest stream.
        if constraints == Constraints::Minimal && stream.offers.len() > 10_000 {
            continue;
        }
        for order in VariableOrder::ALL {
            let name = format!("{order:?}, {constraints:?}");
            rows.push(Row::new(&name, Settings { order, constraints, ..usual }, run::<Compact>));
        }
    }
    rows
}

/// One way to store the stream, and what it took.
struct Row {
    name: String,
    settings: Settings,
    run: fn(&Stream, Settings) -> Run,
    time: Duration,
    bytes: usize,
    last: Option<Run>,
}

/// What one round took.
struct Run {
    time: Duration,
    bytes: usize,
    nodes: usize,
    scratch: usize,
    added: usize,
    counts: InclusionCounts,
}

impl Row {
    fn new(name: &str, settings: Settings, run: fn(&Stream, Settings) -> Run) -> Self {
        Self { name: name.to_owned(), settings, run, time: Duration::MAX, bytes: 0, last: None }
    }

    fn measure(&mut self, stream: &Stream) {
        let run = (self.run)(stream, self.settings);
        (self.time, self.bytes) = (self.time.min(run.time), run.bytes);
        self.last = Some(run);
    }

    fn print(&self, stream: &Stream, (time, bytes): (f64, f64)) {
        let Some(run) = &self.last else { return };
        println!(
            "{:<34} {:>9.0} {:>6.2} {:>9} {:>8} {:>6.2} {:>8}  {}, {}, {}",
            self.name,
            self.time.as_secs_f64() * 1e9 / stream.offers.len() as f64,
            self.time.as_secs_f64() / time,
            self.bytes,
            run.nodes,
            self.bytes as f64 / bytes,
            run.scratch,
            run.counts.included_by_levels,
            run.counts.included_by_paths,
            run.added,
        );
    }
}

/// Offers the stream to fresh families of diagrams, as often as it takes to measure a time.
fn run<F: NodeForm>(stream: &Stream, settings: Settings) -> Run {
    let times = 1 + OFFERS_MIN / stream.offers.len() as u32;
    let start = now();
    (1..times).for_each(|_| _ = offer_all::<F>(stream, settings));
    let last = offer_all::<F>(stream, settings);
    Run { time: (now() - start) / times, ..last }
}

fn offer_all<F: NodeForm>(stream: &Stream, settings: Settings) -> Run {
    let mut diagrams = Diagrams::<F>::new(stream.dimension, settings).expect("few clocks");
    let mut handles = vec![Handle::FALSE; stream.states];
    let mut added = 0;
    for (state, zone) in &stream.offers {
        let handle = &mut handles[*state];
        if !diagrams.includes_zone(*handle, zone) {
            *handle = diagrams.union_zone(*handle, zone);
            added += 1;
        }
        if diagrams.wants_collection() {
            diagrams.collect(handles.iter().copied());
        }
    }
    diagrams.collect(handles.iter().copied());
    Run {
        time: Duration::ZERO,
        bytes: diagrams.bytes(),
        nodes: diagrams.nodes(),
        scratch: diagrams.scratch_bytes(),
        added,
        counts: diagrams.counts(),
    }
}

/// What a search offers to its passed list, in order.
struct Stream {
    dimension: Dimension,
    /// The number of the discrete state, and the zone.
    offers: Vec<(usize, Dbm)>,
    states: usize,
    /// How many zones lists of them keep, if one that another includes is dropped.
    kept: usize,
}

/// Fischer's protocol: a process may write its number within its delay, and enters once it has waited longer than the
/// longest of them and still finds it.
struct Fischer {
    dimension: Dimension,
    delays: Vec<i32>,
    longest: i32,
    bounds: ClockBounds,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Place {
    Idle,
    Asking,
    Waiting,
    Inside,
}

/// Where the processes are, and whose number was written last.
type Discrete = (Vec<Place>, Option<usize>);

impl Fischer {
    fn new(processes: usize, step: i32, scale: i32) -> Self {
        let dimension = Dimension::of_clocks(processes).expect("few clocks");
        let delays: Vec<i32> = (0..processes as i32).map(|process| scale * (2 + step * process)).collect();
        let longest = delays[processes - 1];
        let mut bounds = ClockBounds::none(dimension);
        for (clock, &delay) in dimension.iter().zip(&delays) {
            bounds.raise_upper(clock, constant(delay));
            bounds.raise_lower(clock, constant(longest));
        }
        Self { dimension, delays, longest, bounds }
    }

    /// Explores everything with lists of zones, and writes down what was offered.
    fn stream(&self) -> Stream {
        let mut numbers: HashMap<Discrete, usize> = HashMap::new();
        let mut lists: Vec<Vec<Dbm>> = Vec::new();
        let mut waiting: VecDeque<(Discrete, Dbm)> = VecDeque::new();
        let mut offers = Vec::new();
        let mut offer = |state: Discrete, zone: Dbm, waiting: &mut VecDeque<_>| {
            let count = numbers.len();
            let number = *numbers.entry(state.clone()).or_insert(count);
            lists.resize_with(numbers.len(), Vec::new);
            offers.push((number, zone.clone()));
            let list = &mut lists[number];
            if !list.iter().any(|other| other.includes(&zone)) {
                list.retain(|other| !zone.includes(other));
                list.push(zone.clone());
                waiting.push_back((state, zone));
            }
        };
        let start = (vec![Place::Idle; self.delays.len()], None);
        let mut zone = Dbm::zero(self.dimension);
        zone.up();
        offer(start, zone, &mut waiting);
        while let Some((state, zone)) = waiting.pop_front() {
            for process in 0..self.delays.len() {
                for (next, zone) in self.steps(&state, &zone, process) {
                    offer(next, zone, &mut waiting);
                }
            }
        }
        let kept = lists.iter().map(Vec::len).sum();
        Stream { dimension: self.dimension, offers, states: lists.len(), kept }
    }

    fn steps(&self, (places, last): &Discrete, zone: &Dbm, process: usize) -> Vec<(Discrete, Dbm)> {
        let clock = Clock::from_index(process + 1);
        let step = |place: Place, last: Option<usize>, reset: bool, guard: Option<Constraint>| {
            let mut zone = zone.clone();
            if !guard.is_none_or(|guard| zone.constrain(guard)) {
                return None;
            }
            if reset {
                zone.reset(clock, Constant::ZERO);
            }
            let mut places = places.clone();
            places[process] = place;
            self.let_time_pass(&places, &mut zone).then_some(((places, last), zone))
        };
        let waited = Constraint::new(Clock::REFERENCE, clock, Bound::strict(constant(-self.longest)));
        let asks = || step(Place::Asking, *last, true, None);
        let found = match places[process] {
            Place::Idle => [last.is_none().then(asks).flatten(), None],
            Place::Asking => [step(Place::Waiting, Some(process), true, None), None],
            Place::Waiting => [
                last.is_none().then(asks).flatten(),
                (*last == Some(process)).then(|| step(Place::Inside, *last, false, Some(waited))).flatten(),
            ],
            Place::Inside => [step(Place::Idle, None, false, None), None],
        };
        found.into_iter().flatten().collect()
    }

    /// Lets time pass as long as nobody asks for too long; whether that can be at all.
    fn let_time_pass(&self, places: &[Place], zone: &mut Dbm) -> bool {
        let asking = |(process, &place): (usize, &Place)| {
            let delay = Bound::weak(constant(self.delays[process]));
            (place == Place::Asking).then(|| Constraint::upper(Clock::from_index(process + 1), delay))
        };
        let limits: Vec<Constraint> = places.iter().enumerate().filter_map(asking).collect();
        if !zone.up_within(&limits) {
            return false;
        }
        zone.extra_m(&self.bounds);
        true
    }
}

/// The time on the processor where the system tells it, else that on the wall.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let on_processor = status.split(' ').next().and_then(|nanos| nanos.parse().ok());
    on_processor.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn constant(value: i32) -> Constant {
    Constant::new(value.into()).expect("a small constant")
}
