//! Random generation of networks: processes, edges and synchronisation.
//!
//! Sizes are drawn small, since small cases find most mistakes and can be read. Every location has an edge
//! that leaves it, most guards are weak, and channels are few, so that half of the networks do something;
//! more is not seen to: there are enough of them.

use tourbillon_base::Random;
use tourbillon_model::Language;

use super::labels::Labels;
use super::{Edge, Formula, Location, Network, Process, Query, Shape, Shifts};

/// A channel, or an array of two.
struct Channel {
    name: String,
    urgent: bool,
    broadcast: bool,
    array: bool,
}

/// What edges of a process can synchronise on.
enum SyncPartners {
    Channels(Vec<Channel>),
    /// Events by name, and for each process which of them take part weakly somewhere.
    Events(Vec<String>, Vec<Vec<String>>),
}

/// What a guard may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GuardScope {
    Nothing,
    Data,
    Anything,
}

/// What is known while a network is made up.
struct NetworkBuilder {
    shape: Shape,
    random: Random,
    labels: Labels,
    meetings: SyncPartners,
    /// Whether there is one process only, for which channels are of little use.
    alone: bool,
}

impl Network {
    /// The network that a seed stands for.
    #[must_use]
    pub fn random(seed: u64, shape: Shape) -> Self {
        let mut random = Random::from_seed(seed);
        let clocks = ["x", "y", "z"][..1 + random.below(shape.clocks_max)].iter();
        let clocks: Vec<String> = clocks.map(ToString::to_string).collect();
        let labels = Labels::new(shape, clocks.clone(), &mut random);
        let clocks: Vec<String> =
            clocks.into_iter().chain((shape.shifts == Shifts::Short).then(|| "w".to_owned())).collect();
        // The largest number of processes twice as often as the others.
        let count = (1 + random.below(shape.processes_max + 1)).min(shape.processes_max);
        let names: Vec<String> = (0..count).map(|index| format!("P{index}")).collect();
        let mut declarations = labels.declarations();
        let (meetings, vectors) = match shape.language {
            Language::Uppaal => (channels(shape, &mut random, &mut declarations), Vec::new()),
            Language::TChecker => events(&names, &mut random, &mut declarations),
        };
        let mut maker = NetworkBuilder { shape, random, labels, meetings, alone: count == 1 };
        let processes = (0..count).map(|index| maker.process(index, &names[index])).collect::<Vec<_>>();
        let queries = maker.queries(&processes);
        let starts = clocks.iter().map(|_| maker.start()).collect();
        Self { seed, language: shape.language, clocks, starts, declarations, processes, vectors, queries }
    }
}

/// What `A[]` looks for is a state where its formula does not hold. That is closed if the formula is the negation of
/// a closed one; so it is for `A<>`, and on the right of `-->`.
fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn channels(shape: Shape, random: &mut Random, declarations: &mut Vec<String>) -> SyncPartners {
    let channel = |index| Channel {
        name: format!("c{index}"),
        urgent: random.one_in(4),
        broadcast: if shape.crowds { !random.one_in(4) } else { random.one_in(2) },
        array: random.one_in(3),
    };
    let channels: Vec<Channel> = (0..2).map(channel).collect();
    for Channel { name, urgent, broadcast, array } in &channels {
        let urgent = if *urgent { "urgent " } else { "" };
        let broadcast = if *broadcast { "broadcast " } else { "" };
        let size = if *array { "[2]" } else { "" };
        declarations.push(format!("{urgent}{broadcast}chan {name}{size};"));
    }
    if shape.priorities {
        let mut order = ["c0", "c1", "default"];
        random.shuffle(&mut order);
        let between = |random: &mut Random| if random.one_in(2) { ", " } else { " < " };
        let rest: Vec<String> = order[1..].iter().map(|name| between(random).to_owned() + name).collect();
        declarations.push(format!("chan priority {}{};", order[0], rest.concat()));
    }
    SyncPartners::Channels(channels)
}

fn events(
    names: &[String],
    random: &mut Random,
    declarations: &mut Vec<String>,
) -> (SyncPartners, Vec<Vec<String>>) {
    let events: Vec<String> = (0..3).map(|index| format!("e{index}")).collect();
    declarations.extend(events.iter().map(|event| format!("event:{event}")));
    let mut weak = vec![Vec::new(); names.len()];
    let mut vectors = Vec::new();
    for _ in 0..random.below(4) {
        let mut members: Vec<usize> = (0..names.len()).collect();
        random.shuffle(&mut members);
        members.truncate(1 + random.below(names.len()));
        let fields = members.into_iter().map(|member| {
            let event = events[random.below(events.len())].clone();
            let mark = if random.one_in(3) { "?" } else { "" };
            let field = format!("{}@{event}{mark}", names[member]);
            if mark == "?" {
                weak[member].push(event);
            }
            field
        });
        vectors.push(fields.collect());
    }
    (SyncPartners::Events(events, weak), vectors)
}

impl NetworkBuilder {
    fn process(&mut self, index: usize, name: &str) -> Process {
        let count = 2 + self.random.below(self.shape.locations_max - 1);
        let mut locations: Vec<Location> = (0..count).map(|number| self.location(number)).collect();
        if self.shape.shifts == Shifts::Short && index == 0 {
            locations.iter_mut().for_each(|location| location.invariant.push("w <= 4".to_owned()));
        }
        let edges = (0..count + 1 + self.random.below(5)).map(|number| {
            let source = if number < count { number } else { self.random.below(count) };
            self.edge(index, source, &locations)
        });
        let edges = edges.collect();
        let priority = if self.shape.priorities { self.random.below(3) as u32 } else { 0 };
        Process { name: name.to_owned(), priority, locations, edges }
    }

    /// What a clock starts at: mostly 0, so that the invariants hold at first, and at most one more than clocks are
    /// compared with.
    fn start(&mut self) -> i32 {
        if self.shape.starts && self.random.one_in(3) {
            1 + self.random.below(self.shape.constant_max as usize + 1) as i32
        } else {
            0
        }
    }

    fn location(&mut self, number: usize) -> Location {
        let kind = match self.random.below(if self.shape.crowds { 8 } else { 14 }) {
            0 => Some("urgent"),
            1 => Some("commit"),
            _ => None,
        };
        let parts = if self.random.one_in(2) { 1 + self.random.below(2) } else { 0 };
        let mut invariant: Vec<String> =
            (0..parts).map(|_| self.labels.invariant(&mut self.random)).collect();
        if self.shape.stopwatches && self.random.one_in(2) {
            invariant.push(self.labels.rate(&mut self.random));
        }
        Location { name: format!("L{number}"), kind, invariant }
    }

    fn edge(&mut self, process: usize, source: usize, locations: &[Location]) -> Edge {
        let others = locations.len() - 1;
        let further = if self.random.one_in(4) { 0 } else { 1 + self.random.below(others) };
        let name = |location: usize| locations[location % locations.len()].name.clone();
        let selected = self.shape.language == Language::Uppaal && self.random.one_in(4);
        self.labels.selected = selected;
        let (sync, may) = self.sync(process);
        let mut guard = self.guard(may);
        let updates: Vec<String> =
            (0..self.random.below(4)).map(|_| self.labels.update(&mut self.random)).collect();
        if may == GuardScope::Anything && self.shape.shifts != Shifts::None && !self.random.one_in(4) {
            guard.extend(updates.iter().filter_map(|update| self.labels.company(update)));
        }
        self.labels.selected = false;
        Edge {
            source: name(source),
            target: name(source + further),
            selects: if selected { vec!["i : int[0,1]".to_owned()] } else { Vec::new() },
            guard,
            sync,
            updates,
        }
    }

    fn guard(&mut self, may: GuardScope) -> Vec<String> {
        let mut guard = Vec::new();
        if may != GuardScope::Nothing && self.random.one_in(3) {
            guard.push(self.labels.condition(&mut self.random));
        }
        if may == GuardScope::Anything {
            let count = self.random.below(3);
            guard.extend((0..count).map(|_| self.labels.comparison(&mut self.random)));
        }
        guard
    }

    /// What an edge synchronises on, and what its guard may speak of then.
    fn sync(&mut self, process: usize) -> (Option<String>, GuardScope) {
        let random = &mut self.random;
        match &self.meetings {
            SyncPartners::Channels(_)
                if random.one_in(if self.shape.crowds { 6 } else { 2 })
                    || self.alone && !random.one_in(3) =>
            {
                (None, GuardScope::Anything)
            }
            SyncPartners::Channels(channels) => {
                let channel = &channels[random.below(channels.len())];
                let sends = random.one_in(if self.shape.crowds { 4 } else { 2 });
                let index = if channel.array { self.labels.channel_index(random) } else { String::new() };
                // Without a receiver of a broadcast can be sent as well, so that its clocks never keep time from passing.
                let timed_crowd = self.shape.crowds && channel.broadcast && !sends;
                let timed = timed_crowd
                    || !channel.urgent && (sends || !channel.broadcast || self.shape.timed_receivers);
                let mark = if sends { '!' } else { '?' };
                let may = if timed { GuardScope::Anything } else { GuardScope::Data };
                (Some(format!("{}{index}{mark}", channel.name)), may)
            }
            SyncPartners::Events(events, weak) => {
                let event = events[random.below(events.len())].clone();
                let may =
                    if weak[process].contains(&event) { GuardScope::Nothing } else { GuardScope::Anything };
                (Some(event), may)
            }
        }
    }

    fn queries(&mut self, processes: &[Process]) -> Vec<Query> {
        if self.shape.language == Language::TChecker {
            return Vec::new();
        }
        let count = 3 + self.random.below(4);
        let liveness = self.shape.liveness;
        (0..count).map(|_| if liveness { self.endless(processes) } else { self.query(processes) }).collect()
    }

    fn query(&mut self, processes: &[Process]) -> Query {
        let always = self.random.one_in(2);
        let formula = self.labels.formula(2, processes, &mut self.random);
        if always { Query::Invariantly(not(formula)) } else { Query::Possibly(formula) }
    }

    /// What is looked for is always a run along which some formula holds, in a closed shape a closed one.
    fn endless(&mut self, processes: &[Process]) -> Query {
        let lasting = self.labels.lasting(processes, &mut self.random);
        match self.random.below(4) {
            0 => Query::PotentiallyAlways(lasting),
            1 => Query::Eventually(not(lasting)),
            _ => Query::LeadsTo(self.labels.formula(1, processes, &mut self.random), not(lasting)),
        }
    }
}
