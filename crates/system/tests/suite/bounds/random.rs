//! Random networks against an oracle that walks paths.
//!
//! The oracle knows the definition and nothing of fixpoints: from each state of the product it walks every
//! path of a few steps, keeps of each clock which clock of the first state its value comes from and by how
//! much it was shifted, and notes every comparison with a clock of the first state before that value is gone.
//! What it finds must be within the computed bounds of the first state. On one process alone, where paths
//! long enough are few enough, the bounds must be no larger than what it finds. For guarded bounds it also keeps the least upper bound that
//! the value had on the way, by guards and invariants of edges that did not set its clock.

use std::fmt::Write;

use tourbillon_base::{Id, Random};
use tourbillon_dbm::{Clock, ClockBounds, Constant};
use tourbillon_model::{LocationId, ProcessId};

use super::{analysed, uppaal};

#[derive(Clone, Copy, Debug)]
struct Atom {
    clock: usize,
    upper: bool,
    constant: i32,
}

/// `target := source + shift`, or `:= shift`.
#[derive(Clone, Copy, Debug)]
struct Update {
    target: usize,
    source: Option<usize>,
    shift: i32,
}

impl Update {
    /// Whether it leaves its clock as it is.
    fn is_idle(self) -> bool {
        self.source == Some(self.target) && self.shift == 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sync {
    Alone,
    Sends,
    Receives,
}

#[derive(Clone, Debug)]
struct Edge {
    source: usize,
    target: usize,
    guard: Vec<Atom>,
    sync: Sync,
    updates: Vec<Update>,
}

#[derive(Clone, Debug)]
struct Process {
    invariants: Vec<Vec<Atom>>,
    edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
struct Network {
    clocks: usize,
    processes: Vec<Process>,
}

/// What sizes a random network may have.
struct Shape {
    processes: usize,
    locations: usize,
    clocks: usize,
    edges: usize,
    least_shift: i32,
}

fn atoms(random: &mut Random, clocks: usize, upper_only: bool) -> Vec<Atom> {
    let count = random.below(3).saturating_sub(1);
    let mut atom = || Atom {
        clock: random.below(clocks),
        upper: upper_only || random.one_in(2),
        constant: random.within(0..=9),
    };
    (0..count).map(|_| atom()).collect()
}

fn network(random: &mut Random, shape: &Shape) -> Network {
    let clocks = 1 + random.below(shape.clocks);
    let processes = 1 + random.below(shape.processes);
    Network { clocks, processes: (0..processes).map(|_| process(random, shape, clocks)).collect() }
}

fn process(random: &mut Random, shape: &Shape, clocks: usize) -> Process {
    let locations = 1 + random.below(shape.locations);
    let invariants = (0..locations).map(|_| atoms(random, clocks, true)).collect();
    let count = 1 + random.below(shape.edges);
    let edges = (0..count).map(|_| edge(random, shape, locations, clocks)).collect();
    Process { invariants, edges }
}

fn edge(random: &mut Random, shape: &Shape, locations: usize, clocks: usize) -> Edge {
    let sync = match (shape.processes, random.below(6)) {
        (2.., 0) => Sync::Sends,
        (2.., 1) => Sync::Receives,
        _ => Sync::Alone,
    };
    let count = random.below(4);
    let updates = (0..count)
        .map(|_| {
            let source = random.one_in(2).then(|| random.below(clocks));
            let least = if source.is_some() { shape.least_shift } else { 0 };
            Update { target: random.below(clocks), source, shift: random.within(least..=3) }
        })
        .collect();
    Edge {
        source: random.below(locations),
        target: random.below(locations),
        guard: atoms(random, clocks, false),
        sync,
        updates,
    }
}

impl Network {
    /// As UPPAAL's text; clocks are `x0`, `x1` and so on, processes `P0`, locations `L0`.
    fn text(&self) -> String {
        let names: Vec<String> = (0..self.clocks).map(|clock| format!("x{clock}")).collect();
        let mut text = format!("clock {};\nchan a;\n", names.join(", "));
        for (index, process) in self.processes.iter().enumerate() {
            let states = process.invariants.iter().enumerate();
            let states: Vec<String> =
                states.map(|(l, atoms)| format!("L{l} {{ {} }}", conjunction(atoms))).collect();
            let edges: Vec<String> = process.edges.iter().map(Edge::text).collect();
            let (states, edges) = (states.join(", "), edges.join(",\n  "));
            writeln!(text, "process P{index}() {{ state {states}; init L0; trans\n  {edges}; }}").unwrap();
        }
        let names: Vec<String> = (0..self.processes.len()).map(|index| format!("P{index}")).collect();
        text + &format!("system {};\n", names.join(", "))
    }

    /// The edges that can be taken together from a state, in the order of their updates, guards aside.
    fn steps(&self, state: &[usize]) -> Vec<Vec<(usize, &Edge)>> {
        let processes = self.processes.iter().enumerate();
        let here: Vec<(usize, &Edge)> = processes
            .flat_map(|(index, process)| process.edges.iter().map(move |edge| (index, edge)))
            .filter(|(index, edge)| edge.source == state[*index])
            .collect();
        let of = |sync| here.iter().copied().filter(move |(_, edge)| edge.sync == sync);
        let alone = of(Sync::Alone).map(|edge| vec![edge]);
        let pairs =
            of(Sync::Sends).flat_map(|sender| of(Sync::Receives).map(move |receiver| [sender, receiver]));
        alone.chain(pairs.filter(|[one, two]| one.0 != two.0).map(Vec::from)).collect()
    }

    /// All vectors of locations.
    fn states(&self) -> Vec<Vec<usize>> {
        self.processes.iter().fold(vec![Vec::new()], |states, process| {
            let longer = |state: Vec<usize>| {
                (0..process.invariants.len()).map(move |location| [state.clone(), vec![location]].concat())
            };
            states.into_iter().flat_map(longer).collect()
        })
    }
}

impl Edge {
    /// Lowers the bounds of the clocks that it does not set, by its guard and the invariant of its source.
    fn bound(&self, invariant: &[Atom], after: &mut Sources) {
        for atom in self.guard.iter().chain(invariant).filter(|atom| atom.upper) {
            let is_set = self.updates.iter().any(|update| update.target == atom.clock && !update.is_idle());
            if let Some(source) = after[atom.clock].as_mut().filter(|_| !is_set) {
                let bound = atom.constant - source.shift;
                source.bound = Some(source.bound.map_or(bound, |known| known.min(bound)));
            }
        }
    }

    fn text(&self) -> String {
        let mut text = format!("L{} -> L{} {{ ", self.source, self.target);
        if !self.guard.is_empty() {
            write!(text, "guard {}; ", conjunction(&self.guard)).unwrap();
        }
        text += match self.sync {
            Sync::Alone => "",
            Sync::Sends => "sync a!; ",
            Sync::Receives => "sync a?; ",
        };
        let update = |Update { target, source, shift }: &Update| match source {
            None => format!("x{target} = {shift}"),
            Some(source) => format!("x{target} = x{source} + ({shift})"),
        };
        let updates: Vec<String> = self.updates.iter().map(update).collect();
        if !updates.is_empty() {
            write!(text, "assign {}; ", updates.join(", ")).unwrap();
        }
        text + "}"
    }
}

fn conjunction(atoms: &[Atom]) -> String {
    let atom = |Atom { clock, upper, constant }: &Atom| {
        format!("x{clock} {} {constant}", if *upper { "<=" } else { ">" })
    };
    if atoms.is_empty() { "true".to_owned() } else { atoms.iter().map(atom).collect::<Vec<_>>().join(" && ") }
}

/// Where the value of a clock comes from.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// The clock of the first state.
    clock: usize,
    /// What was added.
    shift: i32,
    /// The least upper bound of that clock in the first state, by the edges since, if they are taken into account.
    bound: Option<i32>,
}

/// The source of each clock.
type Sources = Vec<Option<Source>>;

/// The largest constants found for each clock of the first state, lower and upper.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    lower: Vec<Option<i32>>,
    upper: Vec<Option<i32>>,
}

impl Found {
    fn note(&mut self, atoms: &[Atom], sources: &Sources) {
        for atom in atoms {
            if let Some(source) = sources[atom.clock] {
                self.note_limit(source, atom.upper, atom.constant - source.shift);
            }
        }
    }

    fn note_limit(&mut self, source: Source, upper: bool, limit: i32) {
        let limit = source.bound.map_or(limit, |bound| if upper { -1 } else { limit.min(bound) });
        let known = if upper { &mut self.upper[source.clock] } else { &mut self.lower[source.clock] };
        *known = (*known).max(Some(limit).filter(|&limit| limit >= 0));
    }

    /// No clock is negative: what one is set to is compared with 0, and both outcomes count.
    fn note_update(&mut self, set: Option<Source>) {
        let Some(source) = set.filter(|source| source.shift < 0) else { return };
        [true, false].into_iter().for_each(|upper| self.note_limit(source, upper, -source.shift));
    }

    fn walk(&mut self, walk: Walk<'_>, state: &[usize], sources: &Sources, steps: usize) {
        let network = walk.network;
        for (process, &location) in network.processes.iter().zip(state) {
            self.note(&process.invariants[location], sources);
            process.edges.iter().filter(|edge| edge.source == location).for_each(|edge| {
                self.note(&edge.guard, sources);
            });
        }
        if steps == 0 {
            return;
        }
        for step in network.steps(state) {
            let (mut next, mut after) = (state.to_vec(), sources.clone());
            for (process, edge) in step {
                next[process] = edge.target;
                for &Update { target, source, shift } in &edge.updates {
                    let set = source.and_then(|source| after[source]);
                    after[target] = set.map(|source| Source { shift: source.shift + shift, ..source });
                    self.note_update(after[target]);
                }
                if walk.guarded {
                    edge.bound(&network.processes[process].invariants[edge.source], &mut after);
                }
            }
            self.walk(walk, &next, &after, steps - 1);
        }
    }
}

/// What to walk, and whether the upper bounds of edges are taken into account.
#[derive(Clone, Copy)]
struct Walk<'a> {
    network: &'a Network,
    guarded: bool,
}

fn found(walk: Walk<'_>, state: &[usize], steps: usize) -> Found {
    let network = walk.network;
    let none = vec![None; network.clocks];
    let mut found = Found { lower: none.clone(), upper: none };
    let first = |clock| Some(Source { clock, shift: 0, bound: None });
    found.walk(walk, state, &(0..network.clocks).map(first).collect(), steps);
    found
}

/// The bounds of a state, in the oracle's form.
fn computed(network: &Network, local: impl Fn(usize, usize) -> ClockBounds, state: &[usize]) -> Found {
    let mut bounds: Option<ClockBounds> = None;
    for (process, &location) in state.iter().enumerate() {
        let more = local(process, location);
        match &mut bounds {
            None => bounds = Some(more),
            Some(bounds) => bounds.join(&more),
        }
    }
    let bounds = bounds.expect("a process");
    let clocks = (1..=network.clocks).map(Clock::from_index);
    Found {
        lower: clocks.clone().map(|clock| bounds.lower(clock).map(Constant::get)).collect(),
        upper: clocks.map(|clock| bounds.upper(clock).map(Constant::get)).collect(),
    }
}

/// Compares the bounds of every state with what paths of so many steps show.
fn compare(walk: Walk<'_>, steps: usize, context: &str, fits: impl Fn(&Found, &Found) -> bool) {
    let network = walk.network;
    let model = uppaal(&network.text(), "");
    let analysis = analysed(&model);
    let bounds = if walk.guarded { &analysis.guarded } else { &analysis.local };
    let local = |process: usize, location: usize| {
        bounds.places[ProcessId::from_index(process)][LocationId::from_index(location)].clone()
    };
    for state in network.states() {
        let (found, computed) = (found(walk, &state, steps), computed(network, local, &state));
        assert!(
            fits(&found, &computed),
            "{context}, state {state:?}\n{}found    {found:?}\ncomputed {computed:?}",
            network.text()
        );
    }
}

fn within(found: &Found, computed: &Found) -> bool {
    let all =
        |found: &[Option<i32>], computed: &[Option<i32>]| found.iter().zip(computed).all(|(f, c)| f <= c);
    all(&found.lower, &computed.lower) && all(&found.upper, &computed.upper)
}

#[test]
fn what_paths_of_networks_ask_is_within_the_bounds() {
    let shape = Shape { processes: 3, locations: 3, clocks: 4, edges: 4, least_shift: 0 };
    let falling = Shape { least_shift: -2, ..shape };
    for seed in 0..400 {
        let mut random = Random::from_seed(seed);
        let shape = if seed % 4 == 3 { &falling } else { &shape };
        let network = network(&mut random, shape);
        compare(Walk { network: &network, guarded: false }, 4, &format!("seed {seed}"), within);
    }
}

#[test]
fn the_bounds_of_one_process_are_the_least() {
    let shape = Shape { processes: 1, locations: 3, clocks: 2, edges: 3, least_shift: 0 };
    for seed in 0..400 {
        let network = network(&mut Random::from_seed(seed), &shape);
        // No constraint is needed twice, so the paths that matter visit each location with each clock once.
        let steps = network.processes[0].invariants.len() * network.clocks;
        for guarded in [false, true] {
            let walk = Walk { network: &network, guarded };
            compare(walk, steps, &format!("seed {seed}, {guarded}"), |found, computed| found == computed);
        }
    }
}
