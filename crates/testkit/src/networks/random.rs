//! How random networks are made up: who there is and who meets whom.
//!
//! Sizes are drawn small, since small cases find most mistakes and can be read. Whatever is declared is used
//! by some label with good probability, but nothing sees to it that a network does something interesting:
//! there are enough of them.

use tourbillon_base::Random;
use tourbillon_model::Language;

use super::labels::Labels;
use super::{Edge, Location, Network, Process, Query, Shape};

/// A channel, or an array of two.
struct Channel {
    name: String,
    urgent: bool,
    broadcast: bool,
    array: bool,
}

/// What edges of a process can synchronise on.
enum Meetings {
    Channels(Vec<Channel>),
    /// Events by name, and for each process which of them take part weakly somewhere.
    Events(Vec<String>, Vec<Vec<String>>),
}

impl Network {
    /// The network that a seed stands for.
    #[must_use]
    pub fn random(seed: u64, shape: Shape) -> Self {
        let mut random = Random::from_seed(seed);
        let clocks: Vec<String> =
            ["x", "y", "z"][..1 + random.below(shape.clocks_max)].iter().map(ToString::to_string).collect();
        let mut labels = Labels::new(shape, clocks.clone(), &mut random);
        let names: Vec<String> = (0..=random.below(shape.processes_max)).map(|i| format!("P{i}")).collect();
        let mut declarations = labels.declarations();
        let (meetings, vectors) = match shape.language {
            Language::Uppaal => (channels(shape, &mut random, &mut declarations), Vec::new()),
            Language::TChecker => events(&names, &mut random, &mut declarations),
        };
        let processes: Vec<Process> = names
            .iter()
            .enumerate()
            .map(|(index, name)| process(index, name, shape, &meetings, &mut labels, &mut random))
            .collect();
        let queries = match shape.language {
            Language::Uppaal => {
                (0..3 + random.below(4)).map(|_| query(&processes, &mut labels, &mut random)).collect()
            }
            Language::TChecker => Vec::new(),
        };
        Self { seed, language: shape.language, clocks, declarations, processes, vectors, queries }
    }
}

fn channels(shape: Shape, random: &mut Random, declarations: &mut Vec<String>) -> Meetings {
    let channel = |index| Channel {
        name: format!("c{index}"),
        urgent: random.one_in(4),
        broadcast: random.one_in(2),
        array: random.one_in(3),
    };
    let channels: Vec<Channel> = (0..3).map(channel).collect();
    for Channel { name, urgent, broadcast, array } in &channels {
        let urgent = if *urgent { "urgent " } else { "" };
        let broadcast = if *broadcast { "broadcast " } else { "" };
        let size = if *array { "[2]" } else { "" };
        declarations.push(format!("{urgent}{broadcast}chan {name}{size};"));
    }
    if shape.priorities {
        let mut order = ["c0", "c1", "c2", "default"];
        random.shuffle(&mut order);
        let between = |random: &mut Random| if random.one_in(2) { ", " } else { " < " };
        let rest: Vec<String> = order[1..].iter().map(|name| between(random).to_owned() + name).collect();
        declarations.push(format!("chan priority {}{};", order[0], rest.concat()));
    }
    Meetings::Channels(channels)
}

fn events(
    names: &[String],
    random: &mut Random,
    declarations: &mut Vec<String>,
) -> (Meetings, Vec<Vec<String>>) {
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
    (Meetings::Events(events, weak), vectors)
}

fn process(
    index: usize,
    name: &str,
    shape: Shape,
    meetings: &Meetings,
    labels: &mut Labels,
    random: &mut Random,
) -> Process {
    let locations: Vec<Location> = (0..2 + random.below(shape.locations_max - 1))
        .map(|number| location(number, labels, random))
        .collect();
    let edges = (0..locations.len() + random.below(4))
        .map(|_| edge(index, &locations, shape, meetings, labels, random))
        .collect();
    let priority = if shape.priorities { random.below(3) as u32 } else { 0 };
    Process { name: name.to_owned(), priority, locations, edges }
}

fn location(number: usize, labels: &mut Labels, random: &mut Random) -> Location {
    let kind = match random.below(12) {
        0 => Some("urgent"),
        1 => Some("commit"),
        _ => None,
    };
    let parts = if random.one_in(2) { 1 + random.below(2) } else { 0 };
    Location {
        name: format!("L{number}"),
        kind,
        invariant: (0..parts).map(|_| labels.invariant(random)).collect(),
    }
}

fn edge(
    process: usize,
    locations: &[Location],
    shape: Shape,
    meetings: &Meetings,
    labels: &mut Labels,
    random: &mut Random,
) -> Edge {
    let mut end = || locations[random.below(locations.len())].name.clone();
    let (source, target) = (end(), end());
    let selects: Vec<String> = if shape.language == Language::Uppaal && random.one_in(4) {
        vec!["i : int[0,1]".to_owned()]
    } else {
        Vec::new()
    };
    labels.selected = !selects.is_empty();
    let mut guard: Vec<String> = (0..random.below(2)).map(|_| labels.condition(random)).collect();
    let (sync, timed, guarded) = sync(process, shape, meetings, labels, random);
    if timed {
        guard.extend((0..random.below(3)).map(|_| labels.comparison(random)));
    }
    if !guarded {
        guard.clear();
    }
    let updates = (0..random.below(4)).map(|_| labels.update(random)).collect();
    labels.selected = false;
    Edge { source, target, selects, guard, sync, updates }
}

/// What an edge synchronises on, whether it may compare clocks, and whether it may have a guard at all.
fn sync(
    process: usize,
    shape: Shape,
    meetings: &Meetings,
    labels: &Labels,
    random: &mut Random,
) -> (Option<String>, bool, bool) {
    match meetings {
        Meetings::Channels(_) if random.one_in(2) => (None, true, true),
        Meetings::Channels(channels) => {
            let channel = &channels[random.below(channels.len())];
            let sends = random.one_in(2);
            let index = if channel.array { labels.channel_index(random) } else { String::new() };
            let mark = if sends { '!' } else { '?' };
            let timed = !channel.urgent && (sends || !channel.broadcast || shape.timed_receivers);
            (Some(format!("{}{index}{mark}", channel.name)), timed, true)
        }
        Meetings::Events(events, weak) => {
            let event = events[random.below(events.len())].clone();
            let guarded = !weak[process].contains(&event);
            (Some(event), guarded, guarded)
        }
    }
}

fn query(processes: &[Process], labels: &mut Labels, random: &mut Random) -> Query {
    let always = random.one_in(2);
    let formula = labels.formula(2, processes, random);
    // What `A[]` looks for is a state where its formula does not hold. That is closed if the formula is the
    // negation of a closed one.
    let formula = if always { super::Formula::Not(Box::new(formula)) } else { formula };
    Query { always, formula }
}
